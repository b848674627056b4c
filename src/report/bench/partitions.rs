//! Tables 1 of paper 1 and 2 of paper 3: the partitions side by side on one scene, and the same on the CPU.

use std::collections::BTreeMap;
use std::time::Instant;

use glam::Vec3;
use serde::Serialize;

use super::bodies::owned;
use super::published::{self, Published};
use super::start;
use crate::constraints::{Partition, Partitioned, Row, color_greedy};
use crate::demos::stage_for;
use crate::gpu::Context;
use crate::report::{Reference, ReportError, median};
use crate::scene::Scene;
use crate::solver::{Solver, solves_constraints};

/// Frames on a graphics card.
const FRAMES: u32 = 120;

/// Part of the dispatches for constraints that phantom particles should save at least.
pub(super) const SAVED_BAR: f64 = 0.4;
/// Error that phantom particles may leave at most, over that of all colors.
#[cfg(test)]
pub(super) const LEFT_BAR: f64 = 1.5;

/// A scene of a paper.
#[derive(Clone, Copy, Debug)]
pub(super) struct PaperScene {
    /// Name on the command line, and of the demo.
    pub(super) name: &'static str,
    /// Parameters of the demo on software adapters, where the whole scene takes minutes.
    smaller: &'static [(&'static str, &'static str)],
    /// Frames on software adapters.
    few_frames: u32,
    /// Iterations a frame, as the paper has them.
    pub(super) iterations: u32,
    /// What it is scaled by where all partitions start from the same state.
    pub(super) scale: Vec3,
    /// Colors of each type alone in the paper.
    colors: &'static [(&'static str, u32)],
    published: &'static [Published],
}

const FLAT: Vec3 = Vec3::new(1.0, 0.3, 1.0);

/// Scenes of papers 1 and 3, in order.
pub(super) const SCENES: &[PaperScene] = &[
    PaperScene {
        name: "s0",
        smaller: &[],
        few_frames: 20,
        iterations: 8,
        scale: Vec3::splat(4.0),
        colors: &[("dihedral", 18), ("distance", 8)],
        published: published::S0,
    },
    PaperScene {
        name: "s1",
        smaller: &[],
        few_frames: 10,
        iterations: 4,
        scale: Vec3::ONE,
        colors: &[("dihedral", 20), ("distance", 64), ("volume", 124)],
        published: published::S1,
    },
    PaperScene {
        name: "s2",
        smaller: &[("count", "10")],
        few_frames: 10,
        iterations: 8,
        scale: FLAT,
        colors: &[("distance", 17), ("volume", 26)],
        published: published::S2,
    },
    PaperScene {
        name: "squishy",
        smaller: &[],
        few_frames: 4,
        iterations: 8,
        scale: FLAT,
        colors: &[],
        published: published::SQUISHY,
    },
    PaperScene {
        name: "omotondo",
        smaller: &[],
        few_frames: 10,
        iterations: 16,
        scale: Vec3::ONE,
        colors: &[],
        published: published::OMOTONDO,
    },
    PaperScene {
        name: "tori400",
        smaller: &[("count", "20")],
        few_frames: 10,
        iterations: 4,
        scale: FLAT,
        colors: &[],
        published: published::TORI,
    },
];

/// How the partitions do on one scene.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PartitionTable {
    /// Name of the scene.
    pub name: &'static str,
    /// What is smaller than in the paper, as `key=value`; empty for the whole scene.
    pub smaller: String,
    /// Frames simulated.
    pub frames: u32,
    /// Iterations a frame, of one substep.
    pub iterations: u32,
    /// Particles.
    pub particles: usize,
    /// Constraints.
    pub constraints: usize,
    /// Most constraints of a particle.
    pub largest_clique: u32,
    /// Colors that each type needs alone.
    pub colors_by_type: BTreeMap<&'static str, u32>,
    /// Colors that all types together need, where a color may hold several.
    pub colors_merged: u32,
    /// Colors of each type in the paper.
    pub published_colors: BTreeMap<&'static str, u32>,
    /// Root mean square of the relative error of lengths and volumes at the deformed start, from which all frames go.
    pub error_start: f64,
    /// One row a partition: colors, phantom, hybrid, jacobi.
    pub rows: Vec<PartitionRow>,
    /// Constraints of a frame on one core, in `f64`, divided into colors [ms].
    pub cpu_one_ms: Option<f64>,
    /// The same on all cores [ms].
    pub cpu_all_ms: Option<f64>,
    /// Constraints projected per second on one core.
    pub cpu_one_rate: Option<f64>,
    /// The same on all cores.
    pub cpu_all_rate: Option<f64>,
    /// What others took for the whole scene.
    pub published: &'static [Published],
}

/// How one partition does.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PartitionRow {
    /// Its name.
    pub partition: String,
    /// Its colors.
    pub colors: u32,
    /// Phantom particles.
    pub copies: usize,
    /// Time to divide the constraints on one core [ms].
    pub build_ms: f64,
    /// Dispatches a frame for constraints.
    pub constraint_dispatches: u32,
    /// All dispatches a frame.
    pub dispatches_per_frame: u32,
    /// Median time of a frame [ms].
    pub frame_ms: Option<f64>,
    /// Median time of the constraints in it on the GPU [ms], where passes can be timed.
    pub constraints_ms: Option<f64>,
    /// Constraints projected per second in that time.
    pub rate: Option<f64>,
    /// Root mean square of the relative error of lengths and volumes after the frames.
    pub residual: f64,
    /// The same after one frame's iterations from the deformed start, on the CPU.
    pub left: f64,
    /// Constraints of each color.
    pub color_sizes: Vec<u32>,
    /// Whether nothing was lost: a figure that is not healthy does not count.
    pub healthy: bool,
}

impl PaperScene {
    /// The scene with the paper's iterations, smaller on software adapters.
    ///
    /// # Errors
    /// [`ReportError`] when it cannot be built.
    pub(super) fn build(&self, software: bool) -> Result<Scene, ReportError> {
        let mut scene = stage_for(self.name, &owned(if software { self.smaller } else { &[] }))?.scene;
        (scene.params.substeps, scene.params.iterations) = (1, self.iterations);
        Ok(scene)
    }

    /// # Errors
    /// [`ReportError`] when the scene cannot be built or the device fails.
    pub(super) fn measure(&self, context: &Context, frames: Option<u32>) -> Result<PartitionTable, ReportError> {
        self.measure_at(context, frames, context.info().kind == "software")
    }

    /// As large as suits software, or as in the papers.
    fn measure_at(
        &self,
        context: &Context,
        frames: Option<u32>,
        software: bool,
    ) -> Result<PartitionTable, ReportError> {
        let mut scene = self.build(software)?;
        let frames = frames.unwrap_or(if software { self.few_frames } else { FRAMES });
        // As in the papers without contacts; and deformed, so that there is something to solve.
        scene = start::freed(scene, self.scale);
        let free = scene.clone();
        let (mut rows, mut cpu) = (Vec::new(), [None; 2]);
        for partition in start::partitions(&scene) {
            scene.params.partition = partition;
            let begun = Instant::now();
            let divided = divide(&scene, &scene.constraints, partition);
            let build_ms = begun.elapsed().as_secs_f64() * 1e3;
            if partition == Partition::Colors {
                let reference = Reference::divided(&scene, divided.clone());
                cpu = [false, true].map(|threaded| reference.frame_ms(&scene, threaded));
            }
            rows.push(PartitionRow { build_ms, ..row(context, &scene, &free, divided, frames)? });
        }
        let rate = |ms: Option<f64>| ms.map(|ms| start::projections(&scene) / ms * 1e3);
        let smaller: Vec<String> = self.smaller.iter().map(|(key, value)| format!("{key}={value}")).collect();
        Ok(PartitionTable {
            name: self.name,
            smaller: if software { smaller.join(", ") } else { String::new() },
            frames,
            iterations: self.iterations,
            particles: scene.particles.len(),
            constraints: scene.constraints.len(),
            largest_clique: start::clique(&scene),
            colors_by_type: colors_by_type(&scene),
            colors_merged: colors_merged(&scene),
            published_colors: self.colors.iter().copied().collect(),
            error_start: start::residual_at_start(&free),
            rows,
            cpu_one_ms: cpu[0],
            cpu_all_ms: cpu[1],
            cpu_one_rate: rate(cpu[0]),
            cpu_all_rate: rate(cpu[1]),
            published: self.published,
        })
    }
}

/// `rows` of a scene in a partition.
pub(super) fn divide(scene: &Scene, rows: &[Row], partition: Partition) -> Partitioned {
    Partitioned::new(rows, scene.particles.len(), start::is_fixed(scene), partition)
}

fn colors_by_type(scene: &Scene) -> BTreeMap<&'static str, u32> {
    let mut types: BTreeMap<&'static str, Vec<Row>> = BTreeMap::new();
    for row in &scene.constraints {
        types.entry(row.kind.name).or_default().push(*row);
    }
    types.into_iter().map(|(name, rows)| (name, divide(scene, &rows, Partition::Colors).colors())).collect()
}

/// Colors of one graph of all constraints.
fn colors_merged(scene: &Scene) -> u32 {
    let fixed = start::is_fixed(scene);
    let moved = |row: &Row| row.joined().iter().copied().filter(|p| !fixed(*p)).collect::<Vec<_>>();
    let vertices: Vec<Vec<u32>> = scene.constraints.iter().map(moved).collect();
    let colors = color_greedy(vertices.len(), scene.particles.len(), |i| &vertices[i]);
    colors.iter().max().map_or(0, |last| last + 1)
}

/// Everything of a row but the time to divide. `free` is the deformed start.
fn row(
    context: &Context,
    scene: &Scene,
    free: &Scene,
    divided: Partitioned,
    frames: u32,
) -> Result<PartitionRow, ReportError> {
    let (colors, copies) = (divided.colors(), divided.originals.len());
    let color_sizes = divided.color_starts.windows(2).map(|w| w[1] - w[0]).collect();
    let left = left(free, divided);
    let mut solver = Solver::new(context, scene)?;
    let clashes = solver.count_clashes()?;
    if clashes > 0 {
        return Err(ReportError::Clashes(clashes));
    }
    // Timing every pass slows the frame: one half is timed as a whole, the other by pass.
    let whole = if context.has_timestamps() { frames.div_ceil(2) } else { frames };
    let mut frame_ms = Vec::new();
    for frame in 0..frames {
        solver.set_timing(frame >= whole);
        let begun = Instant::now();
        solver.step();
        solver.wait()?;
        if frame < whole {
            frame_ms.push(begun.elapsed().as_secs_f64() * 1e3);
        }
    }
    let constraints_ms = constraints_ms(&solver);
    let counts = solver.counts();
    Ok(PartitionRow {
        partition: scene.params.partition.to_string(),
        colors,
        copies,
        build_ms: 0.0,
        constraint_dispatches: counts.constraint_dispatches,
        dispatches_per_frame: counts.dispatches_per_frame,
        frame_ms: median(&frame_ms),
        constraints_ms,
        rate: constraints_ms.map(|ms| start::projections(scene) / ms * 1e3),
        residual: start::residual_of(scene, &solver.read_particles()?),
        left,
        color_sizes,
        healthy: solver.read_health()?.is_good(),
    })
}

/// The error that one frame leaves of a deformed start, on the CPU.
fn left(free: &Scene, divided: Partitioned) -> f64 {
    let mut reference = Reference::divided(free, divided);
    reference.frame(free, true);
    start::residual(free, |i| reference.particles().position[i])
}

/// Time of the passes on constraints between particles in a frame [ms].
pub(super) fn constraints_ms(solver: &Solver) -> Option<f64> {
    let passes = solver.pass_times();
    let sum = passes.iter().filter(|(name, _)| solves_constraints(name)).map(|(_, ms)| ms).sum();
    (sum > 0.0).then_some(sum)
}

impl PartitionTable {
    /// Part of the dispatches for constraints that phantom particles save: the bar is `SAVED_BAR`.
    pub fn phantom(&self) -> Option<f64> {
        let of = |name: &str| self.rows.iter().find(|row| row.partition.starts_with(name));
        let (colors, phantom) = (of("colors")?, of("phantom")?);
        Some(1.0 - f64::from(phantom.constraint_dispatches) / f64::from(colors.constraint_dispatches))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_small_table_compares_all_partitions() {
        let context = Context::shared().expect("adapter");
        let scene = PaperScene { smaller: &[("side", "12")], ..SCENES[0] };
        let mut table = scene.measure_at(&context, Some(2), true).unwrap();
        assert_eq!((table.smaller.as_str(), table.particles), ("side=12", 144));
        assert_eq!(table.rows.len(), 4);
        for row in &table.rows {
            assert!(row.healthy && row.residual.is_finite() && row.left < table.error_start, "{row:?}");
            assert_eq!(row.color_sizes.iter().sum::<u32>() as usize, table.constraints);
            // Beside the colors an iteration has a first and a last dispatch; a last color of all types has one for each, and the
            // hybrid one before it that splits what is left.
            let others = table.colors_by_type.len() as u32 - 1;
            let beside = match row.partition.split(':').next() {
                Some("hybrid") => 3 + others,
                Some("jacobi") => 2 + others,
                _ => 2,
            };
            assert_eq!(row.constraint_dispatches, table.iterations * (row.colors + beside));
        }
        assert!(table.phantom().unwrap() >= SAVED_BAR);
        table.rows.clear();
        assert_eq!(table.phantom(), None);
    }

    #[test]
    #[ignore = "long"]
    fn half_the_colors_of_the_papers_bodies_leave_about_the_same_error() {
        for scene in SCENES.iter().filter(|scene| ["s1", "squishy"].contains(&scene.name)) {
            let free = start::freed(scene.build(false).unwrap(), scene.scale);
            let [all, half] = [0, 1].map(|i| {
                let divided = divide(&free, &free.constraints, start::partitions(&free)[i]);
                (divided.colors(), left(&free, divided))
            });
            // Beside the colors an iteration has a first and a last dispatch.
            assert!(
                f64::from(half.0 + 2) <= (1.0 - SAVED_BAR) * f64::from(all.0 + 2),
                "{}: {all:?} {half:?}",
                scene.name
            );
            assert!(half.1 <= LEFT_BAR * all.1, "{}: {all:?} {half:?}", scene.name);
        }
    }
}
