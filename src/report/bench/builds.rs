//! The time to divide 800 000 constraints.

use std::time::Instant;

use serde::Serialize;

use super::partitions::divide;
use super::start;
use crate::demos::stage_for;
use crate::report::ReportError;

/// Name on the command line.
pub(super) const NAME: &str = "build";
/// Longest that a partition should take to build [s].
pub(super) const SECONDS_BAR: f64 = 10.0;

/// One partition of one scene.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct BuildRow {
    /// The scene.
    pub scene: &'static str,
    /// Its constraints.
    pub constraints: usize,
    /// Name of the partition.
    pub partition: String,
    /// Its colors.
    pub colors: u32,
    /// Time on one core [s].
    pub seconds: f64,
}

/// Divides all of `s2`.
///
/// # Errors
/// [`ReportError`] when it cannot be built.
pub(super) fn measure() -> Result<Vec<BuildRow>, ReportError> {
    let scene = stage_for("s2", &[])?.scene;
    let row = |partition| {
        let begun = Instant::now();
        let divided = divide(&scene, &scene.constraints, partition);
        let seconds = begun.elapsed().as_secs_f64();
        let constraints = scene.constraints.len();
        BuildRow { scene: "s2", constraints, partition: partition.to_string(), colors: divided.colors(), seconds }
    };
    Ok(start::partitions(&scene).map(row).to_vec())
}
