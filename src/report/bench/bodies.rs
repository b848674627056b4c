//! Times of jointed bodies beside published ones.

use serde::Serialize;

use super::published::{self, Published};
use crate::demos::stage_for;
use crate::gpu::Context;
use crate::report::{ReportError, Snapshot, run};

/// A scene of bodies.
#[derive(Clone, Copy, Debug)]
pub(super) struct BodyScene {
    pub(super) name: &'static str,
    demo: &'static str,
    sets: &'static [(&'static str, &'static str)],
    published: &'static [Published],
}

const fn pairs(
    name: &'static str,
    sets: &'static [(&'static str, &'static str)],
    of: &'static [Published],
) -> BodyScene {
    BodyScene { name, demo: "pairs", sets, published: of }
}

/// Scenes of bodies, in order.
pub(super) const SCENES: &[BodyScene] = &[
    pairs("pairs300", &[("count", "300"), ("pit", "6")], published::PAIRS_300),
    pairs("pairs600", &[("count", "600"), ("pit", "6")], published::PAIRS_600),
    pairs("pairs1200", &[("count", "1200"), ("pit", "6")], published::PAIRS_1200),
    BodyScene {
        name: "ragdolls100",
        demo: "ragdolls",
        sets: &[("count", "100"), ("model", "figure")],
        published: published::RAGDOLLS_100,
    },
];

/// Our figures for one scene of bodies.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct BodyRow {
    /// Name of the scene.
    pub name: &'static str,
    /// Frames simulated.
    pub frames: u32,
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
    /// Deepest overlap at the end, in particle radii.
    pub penetration_end_radii: Option<f64>,
    /// Compute dispatches a frame.
    pub dispatches_per_frame: u32,
    /// Whether nothing was lost: a figure that is not healthy does not count.
    pub healthy: bool,
    /// What others took.
    pub published: &'static [Published],
}

impl BodyScene {
    /// # Errors
    /// [`ReportError`] when the scene cannot be built or the device fails.
    pub(super) fn measure(&self, context: &Context, frames: u32) -> Result<BodyRow, ReportError> {
        let stage = stage_for(self.demo, &owned(self.sets))?;
        let report = run(context, self.demo, &stage, frames, &mut |_, _: &Snapshot| {})?;
        let in_mm = |m: Option<f64>| m.map(|m| m * 1e3);
        Ok(BodyRow {
            name: self.name,
            frames,
            bodies: report.counts.bodies,
            joints: report.counts.joints,
            particles: report.counts.particles,
            substeps: report.substeps,
            frame_ms: report.timing.frame_ms.median,
            frame_p95_ms: report.timing.frame_ms.p95,
            host_ms: report.timing.host_ms,
            gap_mean_mm: in_mm(report.quality.joint_gap_end_mean_m),
            gap_max_mm: in_mm(report.quality.joint_gap_end_m),
            penetration_end_radii: report.quality.penetration_end_radii,
            dispatches_per_frame: report.counts.dispatches_per_frame,
            healthy: report.healthy(),
            published: self.published,
        })
    }
}

/// Parameters as a command line gives them.
pub(super) fn owned(sets: &[(&str, &str)]) -> Vec<(String, String)> {
    sets.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_scene_has_joints() {
        for scene in SCENES {
            let built =
                stage_for(scene.demo, &owned(scene.sets)).unwrap_or_else(|e| panic!("{}: {e}", scene.name)).scene;
            assert!(!built.joints.is_empty() && !scene.published.is_empty());
        }
    }
}
