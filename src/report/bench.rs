//! Benchmark tables: our figures beside published ones, with the hardware named.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use serde::Serialize;

use super::record::{Adapter, unit};
use super::{Reference, ReportError, Snapshot, run};
use crate::demos::stage_for;
use crate::gpu::Context;

/// A figure that somebody published.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Published {
    /// Who, and on what hardware.
    pub source: &'static str,
    /// Time of a frame [ms].
    pub frame_ms: f64,
}

/// A scene of the bench.
#[derive(Clone, Copy, Debug)]
pub struct BenchScene {
    /// Name on the command line.
    pub name: &'static str,
    /// Demo.
    pub demo: &'static str,
    /// Its parameters.
    pub sets: &'static [(&'static str, &'static str)],
    /// What others took.
    pub published: &'static [Published],
}

const fn published(source: &'static str, frame_ms: f64) -> Published {
    Published { source, frame_ms }
}

// Frames per second of table 2 of paper 5 as milliseconds; the solvers on two CPU cores ran the same scenes.
const P6000: &str = "particle joints, Quadro P6000 (paper 5)";
const GTX: &str = "particle joints, GTX 1080 (paper 5)";
const UE4: &str = "PhysX in UE4, i7-6800K (paper 5)";
const RAPIER: &str = "rapier3d 0.36, 2 cores";
const NEXUS: &str = "nexus3d 0.3, llvmpipe on 2 cores";
// Frames per second of table 1 of paper 1 as milliseconds: constraints alone, one step a frame.
const GTX780: &str = "colored Gauss-Seidel, GTX 780 Ti (paper 1)";
const I7MT: &str = "the same, i7-5930K, all cores (paper 1)";
const I7ST: &str = "the same, i7-5930K, one core (paper 1)";
const PAPER1_S0: [Published; 3] = [published(GTX780, 0.905), published(I7MT, 13.7), published(I7ST, 40.0)];
const PAPER1_S1: [Published; 3] = [published(GTX780, 3.07), published(I7MT, 22.2), published(I7ST, 66.7)];
const PAPER1_S2: [Published; 3] = [published(GTX780, 1.43), published(I7MT, 200.0), published(I7ST, 333.0)];

/// Scenes of the bench, in order.
pub const BENCHES: &[BenchScene] = &[
    BenchScene {
        name: "pairs300",
        demo: "pairs",
        sets: &[("count", "300"), ("pit", "6")],
        published: &[
            published(P6000, 3.7),
            published(GTX, 4.3),
            published(UE4, 5.1),
            published(RAPIER, 0.64),
            published(NEXUS, 32.5),
        ],
    },
    BenchScene {
        name: "pairs600",
        demo: "pairs",
        sets: &[("count", "600"), ("pit", "6")],
        published: &[
            published(P6000, 7.5),
            published(GTX, 10.5),
            published(UE4, 10.5),
            published(RAPIER, 1.2),
            published(NEXUS, 44.8),
        ],
    },
    BenchScene {
        name: "pairs1200",
        demo: "pairs",
        sets: &[("count", "1200"), ("pit", "6")],
        published: &[
            published(P6000, 25.0),
            published(GTX, 27.8),
            published(UE4, 25.6),
            published(RAPIER, 4.12),
            published(NEXUS, 49.4),
        ],
    },
    BenchScene {
        name: "ragdolls100",
        demo: "ragdolls",
        sets: &[("count", "100"), ("model", "figure")],
        published: &[published(RAPIER, 1.63), published(NEXUS, 59.5)],
    },
    BenchScene {
        name: "s0-colors",
        demo: "s0",
        sets: &[("substeps", "1"), ("iterations", "8"), ("partition", "colors")],
        published: &PAPER1_S0,
    },
    BenchScene {
        name: "s0-phantom",
        demo: "s0",
        sets: &[("substeps", "1"), ("iterations", "8"), ("partition", "phantom:12")],
        published: &PAPER1_S0,
    },
    BenchScene {
        name: "s0-jacobi",
        demo: "s0",
        sets: &[("substeps", "1"), ("iterations", "8"), ("partition", "jacobi")],
        published: &PAPER1_S0,
    },
    BenchScene {
        name: "s1-colors",
        demo: "s1",
        sets: &[("substeps", "1"), ("iterations", "4"), ("partition", "colors")],
        published: &PAPER1_S1,
    },
    BenchScene {
        name: "s1-phantom",
        demo: "s1",
        sets: &[("substeps", "1"), ("iterations", "4"), ("partition", "phantom:12")],
        published: &PAPER1_S1,
    },
    BenchScene {
        name: "s1-jacobi",
        demo: "s1",
        sets: &[("substeps", "1"), ("iterations", "4"), ("partition", "jacobi")],
        published: &PAPER1_S1,
    },
    BenchScene {
        name: "s2-colors",
        demo: "s2",
        sets: &[("substeps", "1"), ("iterations", "8"), ("partition", "colors")],
        published: &PAPER1_S2,
    },
    BenchScene {
        name: "s2-phantom",
        demo: "s2",
        sets: &[("substeps", "1"), ("iterations", "8"), ("partition", "phantom:12")],
        published: &PAPER1_S2,
    },
    BenchScene {
        name: "s2-jacobi",
        demo: "s2",
        sets: &[("substeps", "1"), ("iterations", "8"), ("partition", "jacobi")],
        published: &PAPER1_S2,
    },
];

/// Names of the scenes.
pub(super) fn names() -> Vec<&'static str> {
    BENCHES.iter().map(|b| b.name).collect()
}

/// Our figures for one scene.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct BenchRow {
    /// Name of the scene.
    pub name: &'static str,
    /// Bodies.
    pub bodies: u32,
    /// Joints.
    pub joints: u32,
    /// Particles.
    pub particles: u32,
    /// Substeps a frame.
    pub substeps: u32,
    /// Median time of a frame [ms].
    pub frame_ms: Option<f64>,
    /// 95 of 100 frames are faster [ms].
    pub frame_p95_ms: Option<f64>,
    /// Median time to encode and submit a frame [ms].
    pub host_ms: Option<f64>,
    /// Mean joint gap at the end [mm].
    pub gap_mean_mm: Option<f64>,
    /// Largest joint gap at the end [mm].
    pub gap_max_mm: Option<f64>,
    /// Constraints between particles.
    pub constraints: u32,
    /// Their colors.
    pub colors: u32,
    /// Median time of the constraints alone on the GPU [ms], where passes can be timed.
    pub constraints_ms: Option<f64>,
    /// A frame of the constraints alone on one core, in `f64` [ms].
    pub cpu_one_ms: Option<f64>,
    /// The same on all cores [ms].
    pub cpu_all_ms: Option<f64>,
    /// Root mean square of the relative stretch at the end.
    pub stretch_rms: Option<f64>,
    /// Largest relative volume error at the end.
    pub volume_error_max: Option<f64>,
    /// Deepest overlap at the end, in particle radii.
    pub penetration_end_radii: Option<f64>,
    /// Compute dispatches a frame.
    pub dispatches_per_frame: u32,
    /// Whether nothing was lost: a figure that is not healthy does not count.
    pub healthy: bool,
    /// What others took.
    pub published: &'static [Published],
}

/// A table.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Bench {
    /// What it ran on.
    pub adapter: Adapter,
    /// Frames of each scene.
    pub frames: u32,
    /// One row a scene.
    pub rows: Vec<BenchRow>,
}

/// Runs the scenes called `names`, or all when there are none, for `frames` frames each. `on_frame` gets the scene's
/// name and the frames done.
///
/// # Errors
/// [`ReportError`] naming an unknown scene, or what failed.
pub fn bench(
    context: &Context,
    names: &[String],
    frames: u32,
    on_frame: &mut dyn FnMut(&str, u32),
) -> Result<Bench, ReportError> {
    let mut wanted = Vec::new();
    for name in names {
        let found = BENCHES.iter().find(|b| b.name == name);
        wanted.push(found.ok_or_else(|| ReportError::UnknownBench { name: name.clone() })?);
    }
    if names.is_empty() {
        wanted.extend(BENCHES);
    }
    let info = context.info();
    let mut table = Bench {
        adapter: Adapter {
            name: info.name.clone(),
            backend: info.backend.clone(),
            kind: info.kind.clone(),
            driver: info.driver.clone(),
        },
        frames,
        rows: Vec::new(),
    };
    for scene in wanted {
        table.rows.push(measure(context, scene, frames, on_frame)?);
    }
    Ok(table)
}

fn measure(
    context: &Context,
    bench: &BenchScene,
    frames: u32,
    on_frame: &mut dyn FnMut(&str, u32),
) -> Result<BenchRow, ReportError> {
    let sets: Vec<_> = bench.sets.iter().map(|(k, v)| ((*k).to_owned(), (*v).to_owned())).collect();
    let stage = stage_for(bench.demo, &sets)?;
    let mut progress = |frame: u32, _: &Snapshot| on_frame(bench.name, frame);
    let report = run(context, bench.demo, &stage, frames, &mut progress)?;
    let in_mm = |m: Option<f64>| m.map(|m| m * 1e3);
    Ok(BenchRow {
        name: bench.name,
        bodies: report.counts.bodies,
        joints: report.counts.joints,
        particles: report.counts.particles,
        substeps: report.substeps,
        frame_ms: report.timing.frame_ms.median,
        frame_p95_ms: report.timing.frame_ms.p95,
        host_ms: report.timing.host_ms,
        gap_mean_mm: in_mm(report.quality.joint_gap_end_mean_m),
        gap_max_mm: in_mm(report.quality.joint_gap_end_m),
        constraints: stage.scene.constraints.len() as u32,
        colors: report.counts.colors.get("merged").copied().unwrap_or(0),
        constraints_ms: constraints_ms(&report.timing.passes_ms),
        cpu_one_ms: Reference::frame_ms(&stage.scene, false),
        cpu_all_ms: Reference::frame_ms(&stage.scene, true),
        stretch_rms: report.quality.stretch_rms,
        volume_error_max: report.quality.volume_error_max,
        penetration_end_radii: report.quality.penetration_end_radii,
        dispatches_per_frame: report.counts.dispatches_per_frame,
        healthy: report.healthy(),
        published: bench.published,
    })
}

/// Time of the passes on constraints between particles [ms].
fn constraints_ms(passes: &BTreeMap<String, f64>) -> Option<f64> {
    let sum = passes.iter().filter(|(name, _)| name.starts_with("constraints/")).map(|(_, ms)| ms).sum();
    (sum > 0.0).then_some(sum)
}

impl Bench {
    /// The table as indented JSON.
    pub fn to_json(&self) -> String {
        // Only maps with keys that are not text can fail.
        serde_json::to_string_pretty(self).expect("a table is plain data")
    }

    /// The table as text: ours first, then the published figures under it.
    pub fn to_text(&self) -> String {
        let a = &self.adapter;
        let mut text = format!("{} ({}, {}), {} frames each\n", a.name, a.backend, a.kind, self.frames);
        for row in &self.rows {
            let health = if row.healthy { "" } else { "  NOT HEALTHY" };
            let _ = writeln!(
                text,
                "\n{}: {} bodies, {} joints, {} particles, {} substeps, {} dispatches{health}",
                row.name, row.bodies, row.joints, row.particles, row.substeps, row.dispatches_per_frame
            );
            let (median, p95) = (unit(row.frame_ms, "ms"), unit(row.frame_p95_ms, "ms"));
            let _ = writeln!(text, "  {:<44}{median} (p95 {p95}, host {})", "sinew", unit(row.host_ms, "ms"));
            if row.constraints > 0 {
                let _ = writeln!(text, "  {:<44}{} constraints, {} colors", "", row.constraints, row.colors);
                let [gpu, all, one] = [row.constraints_ms, row.cpu_all_ms, row.cpu_one_ms].map(|ms| unit(ms, "ms"));
                let _ = writeln!(text, "  {:<44}{gpu}; in f64 on all cores {all}, on one {one}", "  constraints alone");
                let [rms, volume] = [row.stretch_rms, row.volume_error_max].map(|v| unit(v.map(|v| 100.0 * v), "%"));
                let _ = writeln!(text, "  {:<44}stretch {rms} rms; volume error {volume}", "");
            }
            let gaps = (unit(row.gap_mean_mm, "mm"), unit(row.gap_max_mm, "mm"));
            let depth = unit(row.penetration_end_radii, "radii");
            let _ = writeln!(text, "  {:<44}gap {} mean, {} max; overlap {depth}", "", gaps.0, gaps.1);
            for other in row.published {
                let _ = writeln!(text, "  {:<44}{} ms", other.source, other.frame_ms);
            }
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_scene_of_the_bench_can_be_built() {
        for bench in BENCHES {
            let sets: Vec<_> = bench.sets.iter().map(|(k, v)| ((*k).to_owned(), (*v).to_owned())).collect();
            let scene = stage_for(bench.demo, &sets).unwrap_or_else(|e| panic!("{}: {e}", bench.name)).scene;
            assert!(!scene.joints.is_empty() || !scene.constraints.is_empty());
        }
        assert!(ReportError::UnknownBench { name: "x".into() }.to_string().contains("pairs300"));
    }
}
