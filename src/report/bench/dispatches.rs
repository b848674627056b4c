//! Table 1 of paper 3: what a frame costs by the number of its dispatches. The same constraints in the same order, each color in one
//! dispatch, in two and in three; and, as many dispatches again, in twice and three times as many iterations.

use serde::Serialize;

use super::bodies::owned;
use super::curves::step_ms;
use super::partitions::{constraints_ms, divide};
use super::start;
use crate::constraints::{Partition, Partitioned};
use crate::demos::stage_for;
use crate::gpu::Context;
use crate::report::{ReportError, median};
use crate::scene::Scene;
use crate::solver::Solver;

/// Name on the command line.
pub(super) const NAME: &str = "dispatches";
/// Rings: 200, 400 and 800 thousand constraints.
const RINGS: [u32; 3] = [25, 50, 100];
/// Iterations of a frame, and how many dispatches each color has.
const WAYS: [(u32, u32); 5] = [(8, 1), (8, 2), (8, 3), (16, 1), (24, 1)];
/// Frames of each that are timed, on a graphics card and on software.
const FRAMES: [u32; 2] = [60, 4];

/// A frame by its dispatches.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct DispatchRow {
    /// Constraints.
    pub constraints: usize,
    /// Colors of all types.
    pub colors: u32,
    /// Dispatches of each color in an iteration.
    pub parts: u32,
    /// Iterations of a frame.
    pub iterations: u32,
    /// Dispatches a frame for constraints.
    pub dispatches: u32,
    /// Median time of a frame [ms].
    pub frame_ms: Option<f64>,
    /// Median time of the constraints in it on the GPU [ms], where passes can be timed.
    pub constraints_ms: Option<f64>,
    /// Whether nothing was lost.
    pub healthy: bool,
}

/// # Errors
/// [`ReportError`] when the scene cannot be built or the device fails.
pub(super) fn measure(context: &Context, frames: Option<u32>, software: bool) -> Result<Vec<DispatchRow>, ReportError> {
    let frames = frames.unwrap_or(FRAMES[usize::from(software)]);
    let mut rows = Vec::new();
    for rings in RINGS {
        let scene = stage_for("s2", &owned(&[("count", &rings.to_string())]))?.scene;
        let mut scene = start::freed(scene, glam::Vec3::new(1.0, 0.3, 1.0));
        let divided = divide(&scene, &scene.constraints, Partition::Colors);
        for (iterations, parts) in WAYS {
            scene.params.iterations = iterations;
            rows.push(row(context, &scene, &divided, parts, frames)?);
        }
    }
    Ok(rows)
}

fn row(
    context: &Context,
    scene: &Scene,
    divided: &Partitioned,
    parts: u32,
    frames: u32,
) -> Result<DispatchRow, ReportError> {
    let mut solver = Solver::divided(context, scene, cut(divided, parts))?;
    solver.set_timing(context.has_timestamps());
    // The first fills caches.
    step_ms(&mut solver)?;
    let times: Vec<f64> = (0..frames).map(|_| step_ms(&mut solver)).collect::<Result<_, _>>()?;
    Ok(DispatchRow {
        constraints: scene.constraints.len(),
        colors: divided.colors(),
        parts,
        iterations: scene.params.iterations,
        dispatches: solver.counts().constraint_dispatches,
        frame_ms: median(&times),
        constraints_ms: constraints_ms(&solver),
        healthy: solver.read_health()?.is_good(),
    })
}

/// The same order, with each color in so many parts of about one size; parts without constraints are left out.
fn cut(divided: &Partitioned, parts: u32) -> Partitioned {
    let mut color_starts = vec![0];
    for range in divided.color_starts.windows(2) {
        let count = range[1] - range[0];
        color_starts
            .extend((1..=parts).map(|part| range[0] + (u64::from(count) * u64::from(part) / u64::from(parts)) as u32));
    }
    color_starts.dedup();
    Partitioned { color_starts, ..divided.clone() }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// More dispatches and nothing else: the same constraints in the same order leave the same bits.
    #[test]
    fn colors_in_parts_are_more_dispatches_and_the_same_bits() {
        let context = Context::shared().expect("adapter");
        let scene = stage_for("s2", &owned(&[("count", "1")])).unwrap().scene;
        let mut scene = start::freed(scene, glam::Vec3::new(1.0, 0.3, 1.0));
        (scene.params.iterations, scene.params.partition) = (2, Partition::Colors);
        let divided = divide(&scene, &scene.constraints, Partition::Colors);
        let run = |parts| {
            let mut solver = Solver::divided(&context, &scene, cut(&divided, parts)).unwrap();
            solver.step();
            (solver.counts().constraint_dispatches, solver.read_particles().unwrap())
        };
        let (whole, parted) = (run(1), run(3));
        assert!(parted.0 > 2 * whole.0, "{} for {}", parted.0, whole.0);
        assert!(whole.1 == parted.1 && whole.1 != Solver::new(&context, &scene).unwrap().read_particles().unwrap());
    }
}
