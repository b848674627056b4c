//! Benchmark tables: our figures beside published ones, with the hardware named.

mod ab;
mod bodies;
mod budget;
mod builds;
mod cloth;
mod convergence;
mod curves;
mod dispatches;
mod hierarchy;
mod json;
mod liquids;
mod partitions;
mod plot;
mod published;
mod scale;
mod start;
mod surfaces;
mod sweep;
mod text;

use serde::Serialize;

use super::ReportError;
use super::record::Adapter;
use crate::gpu::Context;

pub use ab::{Comparison, Program, Question, Ratio, Side, Times, against, compare};
pub use bodies::BodyRow;
pub use budget::{BudgetPoint, BudgetRow, BudgetTable};
pub use builds::BuildRow;
pub use cloth::{ClothRun, DIRECTIONS, StiffnessRow, TopologyRow};
pub use convergence::{CauseRow, ConvergenceRow, ConvergenceStart, ConvergenceTable, Errors};
pub use curves::{Curve, CurveTable};
pub use dispatches::DispatchRow;
pub use hierarchy::{HierarchyRow, HierarchyTable, Stretched};
pub use liquids::{LiquidRow, LiquidTable};
pub use partitions::{PartitionRow, PartitionTable};
pub use published::Published;
pub use scale::{ScaleRow, ScaleTable};
pub use surfaces::{SurfaceRow, SurfaceTable};
pub use sweep::{SweepRow, SweepTable};

/// Frames of a scene of bodies, on a graphics card and on software.
const BODY_FRAMES: [u32; 2] = [240, 60];

/// What runs when nothing is named: some minutes on software.
const SHORT: &[&str] = &[
    "pairs300",
    "pairs1200",
    "ragdolls100",
    "s0",
    "s1",
    "s2",
    "squishy",
    "converge-s0",
    "converge-s1",
    "converge-s2",
    "converge-squishy",
    "sweep-cloth",
    "sweep-s0",
    "curve-cloth",
    "curve-s1",
    "levels-chain",
    "liquid-search",
    "scale-cloth",
    "scale-flesh",
    "scale-rigid",
    "scale-liquid",
    builds::NAME,
];

/// Everything that was measured.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Bench {
    /// What it ran on.
    pub adapter: Adapter,
    /// Jointed bodies.
    pub bodies: Vec<BodyRow>,
    /// Partitions of constraints, a table a scene.
    pub partitions: Vec<PartitionTable>,
    /// How the error falls where constraints alone act.
    pub convergence: Vec<ConvergenceTable>,
    /// What fewer colors cost.
    pub sweeps: Vec<SweepTable>,
    /// A cube that lands, by its solver.
    pub budgets: Vec<BudgetTable>,
    /// What a frame costs by its dispatches.
    pub dispatches: Vec<DispatchRow>,
    /// How fast they converge.
    pub curves: Vec<CurveTable>,
    /// What coarse levels do for what is stiff.
    pub hierarchies: Vec<HierarchyTable>,
    /// What cloth that collides with itself costs.
    pub surfaces: Vec<SurfaceTable>,
    /// Ways to cut the cells of cloth.
    pub topologies: Vec<TopologyRow>,
    /// Pairs of stiffness.
    pub stiffness: Vec<StiffnessRow>,
    /// What liquid costs.
    pub liquids: Vec<LiquidTable>,
    /// What a particle costs by their number.
    pub scales: Vec<ScaleTable>,
    /// How long it takes to divide.
    pub builds: Vec<BuildRow>,
}

/// Names of all tables, in order.
fn names() -> Vec<&'static str> {
    let bodies = bodies::SCENES.iter().map(|s| s.name);
    let partitions = partitions::SCENES.iter().map(|s| s.name);
    bodies
        .chain(partitions)
        .chain(convergence::SCENES.iter().map(|s| s.name))
        .chain([budget::NAME, dispatches::NAME])
        .chain(sweep::SCENES.iter().map(|s| s.name))
        .chain(curves::SCENES.iter().map(|s| s.name))
        .chain(hierarchy::SCENES.iter().map(|s| s.name))
        .chain(surfaces::SCENES.iter().map(|s| s.name))
        .chain([cloth::TOPOLOGY, cloth::STIFFNESS])
        .chain(liquids::SCENES.iter().map(|s| s.name))
        .chain(scale::SCENES.iter().map(|s| s.name))
        .chain([builds::NAME])
        .collect()
}

/// How many tables [`bench`] makes for `names`.
pub fn bench_count(names: &[String]) -> usize {
    if names.is_empty() { SHORT.len() } else { names.len() }
}

/// Makes the tables called `names`, or a short set when there are none, with so many frames of each scene or as many as
/// suit it, and tables of sizes up to `most` particles. `on_table` gets the number of tables done.
///
/// # Errors
/// [`ReportError`] naming an unknown table, or what failed.
pub fn bench(
    context: &Context,
    names: &[String],
    frames: Option<u32>,
    most: Option<u32>,
    on_table: &mut dyn FnMut(usize),
) -> Result<Bench, ReportError> {
    check_names(names)?;
    let wanted: Vec<&str> = if names.is_empty() { SHORT.to_vec() } else { names.iter().map(String::as_str).collect() };
    let adapter = Adapter::from(context.info());
    let mut all = Bench::new(adapter);
    for (name, done) in wanted.into_iter().zip(1..) {
        all.make(context, name, frames, most)?;
        on_table(done);
    }
    Ok(all)
}

/// # Errors
/// [`ReportError::UnknownBench`] for the first name that is no table's.
fn check_names(names: &[String]) -> Result<(), ReportError> {
    let tables = self::names();
    match names.iter().find(|name| !tables.contains(&name.as_str())) {
        Some(name) => Err(ReportError::UnknownBench { name: name.clone(), known: tables.join(", ") }),
        None => Ok(()),
    }
}

impl Bench {
    fn new(adapter: Adapter) -> Self {
        Self {
            adapter,
            bodies: vec![],
            partitions: vec![],
            convergence: vec![],
            budgets: vec![],
            dispatches: vec![],
            sweeps: vec![],
            curves: vec![],
            hierarchies: vec![],
            surfaces: vec![],
            topologies: vec![],
            stiffness: vec![],
            liquids: vec![],
            scales: vec![],
            builds: vec![],
        }
    }

    /// Makes the table of this name.
    fn make(
        &mut self,
        context: &Context,
        name: &str,
        frames: Option<u32>,
        most: Option<u32>,
    ) -> Result<(), ReportError> {
        let software = self.adapter.kind == "software";
        if let Some(scene) = bodies::SCENES.iter().find(|s| s.name == name) {
            self.bodies.push(scene.measure(context, frames.unwrap_or(BODY_FRAMES[usize::from(software)]))?);
        }
        if let Some(scene) = partitions::SCENES.iter().find(|s| s.name == name) {
            self.partitions.push(scene.measure(context, frames)?);
        }
        if let Some(scene) = convergence::SCENES.iter().find(|s| s.name == name) {
            self.convergence.push(scene.measure(context)?);
        }
        if name == budget::NAME {
            self.budgets.push(budget::measure(context, frames)?);
        }
        if name == dispatches::NAME {
            self.dispatches = dispatches::measure(context, frames, software)?;
        }
        if let Some(scene) = sweep::SCENES.iter().find(|s| s.name == name) {
            self.sweeps.push(scene.measure()?);
        }
        if let Some(scene) = curves::SCENES.iter().find(|s| s.name == name) {
            self.curves.push(scene.measure(context)?);
        }
        if let Some(scene) = hierarchy::SCENES.iter().find(|s| s.name == name) {
            self.hierarchies.push(scene.measure(context)?);
        }
        if let Some(scene) = surfaces::SCENES.iter().find(|s| s.name == name) {
            self.surfaces.push(scene.measure(context, frames, software)?);
        }
        if name == cloth::TOPOLOGY {
            self.topologies = cloth::topologies(context, frames)?;
        }
        if name == cloth::STIFFNESS {
            self.stiffness = cloth::pairs(context, frames)?;
        }
        if let Some(scene) = liquids::SCENES.iter().find(|s| s.name == name) {
            self.liquids.push(scene.measure(context, frames, software)?);
        }
        if let Some(scene) = scale::SCENES.iter().find(|s| s.name == name) {
            self.scales.push(scene.measure(context, frames, most, software)?);
        }
        if name == builds::NAME {
            self.builds = builds::measure()?;
        }
        Ok(())
    }

    /// Whether nothing was lost in any scene: figures that are not healthy do not count.
    pub fn healthy(&self) -> bool {
        let partitions = || self.partitions.iter().flat_map(|table| &table.rows);
        let budgets = || self.budgets.iter().flat_map(|table| &table.rows);
        let surfaces = || self.surfaces.iter().flat_map(|table| &table.rows);
        let liquids = || self.liquids.iter().flat_map(|table| &table.rows);
        let hierarchies = || self.hierarchies.iter().flat_map(|table| &table.rows);
        let scales = || self.scales.iter().flat_map(|table| &table.rows);
        self.bodies.iter().all(|row| row.healthy)
            && partitions().all(|row| row.healthy)
            && budgets().all(|row| row.healthy)
            && self.dispatches.iter().all(|row| row.healthy)
            && hierarchies().all(|row| row.healthy)
            && surfaces().all(|row| row.healthy)
            && self.topologies.iter().all(|row| row.run.healthy)
            && self.stiffness.iter().all(|row| row.run.healthy)
            && liquids().all(|row| row.healthy)
            && !scales().any(|row| row.unhealthy)
    }

    /// A name for files with figures of this adapter: its name in small letters, digits and dashes.
    pub fn file_stem(&self) -> String {
        let dashed = |c: char| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '-' };
        let name: String = self.adapter.name.chars().map(dashed).collect();
        name.split('-').filter(|word| !word.is_empty()).collect::<Vec<_>>().join("-")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_all_different_and_the_short_set_is_among_them() {
        let mut all = names();
        assert!(SHORT.iter().all(|name| all.contains(name)));
        let refused = check_names(&["s0".into(), "x".into()]).unwrap_err().to_string();
        assert!(refused.contains("`x`") && refused.contains("pairs300"), "{refused}");
        let count = all.len();
        all.sort_unstable();
        all.dedup();
        assert_eq!(all.len(), count);
    }
}
