//! Runs a scene, times every frame, reads it back and keeps the worst of each measure.

use std::time::Instant;

use super::measures::{median, percentile};
use super::record::{Adapter, Counts, FrameTime, Report, Timing};
use super::tracker::Tracker;
use super::{ReportError, Snapshot, state_hash};
use crate::demos::Stage;
use crate::gpu::Context;
use crate::solver::Solver;

/// Most frames that are timed pass by pass.
const MOST_PASS_FRAMES: u32 = 60;

/// Simulates `frames` frames of what is put on `stage` and measures them. `on_frame` gets the number of frames done and the state
/// after each; what it does is not timed.
///
/// # Errors
/// [`ReportError`] when the solver refuses the scene or the device fails.
pub fn run(
    context: &Context,
    target: &str,
    stage: &Stage,
    frames: u32,
    on_frame: &mut dyn FnMut(u32, &Snapshot),
) -> Result<Report, ReportError> {
    let Stage { scene, cast, .. } = stage;
    let mut cast = cast.clone();
    let mut solver = Solver::new(context, scene)?;
    let clashes = solver.count_clashes()?;
    if clashes > 0 {
        return Err(ReportError::Clashes(clashes));
    }
    let mut tracker = Tracker::new(scene);
    let (mut frame_ms, mut host_ms) = (Vec::new(), Vec::new());
    let mut hash = state_hash(&solver.read_bodies()?, &solver.read_particles()?);
    // Timing every pass slows the frame: the last frames are timed by pass, the others as a whole.
    let whole_frames = if context.has_timestamps() { frames - (frames / 4).min(MOST_PASS_FRAMES) } else { frames };
    for frame in 1..=frames {
        solver.set_timing(frame > whole_frames);
        let begun = Instant::now();
        solver.direct(&mut cast)?;
        solver.step();
        let encoded = begun.elapsed();
        solver.wait()?;
        let waited = begun.elapsed();
        if frame <= whole_frames {
            host_ms.push(encoded.as_secs_f64() * 1e3);
            frame_ms.push(waited.as_secs_f64() * 1e3);
        }

        let (bodies, particles) = (solver.read_bodies()?, solver.read_particles()?);
        hash = state_hash(&bodies, &particles);
        tracker.frame(tracker.state().next(&bodies, &particles, scene.params.dt), &solver)?;
        on_frame(frame, tracker.state());
    }
    Ok(Report {
        target: target.to_owned(),
        adapter: Adapter::from(context.info()),
        frames,
        dt: scene.params.dt,
        substeps: scene.params.substeps,
        iterations: scene.params.iterations,
        counts: counts(&solver),
        memory: solver.memory().into_iter().map(|(name, bytes)| (name.to_owned(), bytes)).collect(),
        timing: Timing {
            frame_ms: FrameTime { median: median(&frame_ms), p95: percentile(&frame_ms, 0.95) },
            passes_ms: solver.pass_times().into_iter().collect(),
            host_ms: median(&host_ms),
        },
        health: tracker.health(),
        quality: tracker.finish(),
        state_hash: format!("{hash:016x}"),
    })
}

fn counts(solver: &Solver) -> Counts {
    let counts = solver.counts();
    Counts {
        particles: counts.particles,
        bodies: counts.bodies,
        joints: counts.joints,
        triangles: counts.triangles,
        constraints: counts.constraints.into_iter().collect(),
        colors: counts.colors.into_iter().collect(),
        dispatches_per_frame: counts.dispatches_per_frame,
    }
}
