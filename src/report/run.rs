//! Runs a scene, times every frame, reads it back and keeps the worst of each measure.

use std::time::Instant;

use glam::DVec3;

use super::measures::{self, Momentum, median, percentile};
use super::record::{Adapter, Counts, FrameTime, Health, Quality, Report, Timing};
use super::{
    Overlap, ReportError, Snapshot, compression, crossings, free_particles, state_hash, stretches, volume_errors,
};
use crate::demos::Stage;
use crate::gpu::Context;
use crate::scene::Scene;
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
        cast.knock_down(&solver.take_struck());
        solver.follow(&cast.advance(scene.params.dt))?;
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
        tracker.frame(tracker.state.next(&bodies, &particles, scene.params.dt), &solver)?;
        on_frame(frame, &tracker.state);
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
        health: tracker.health,
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

/// Frames from one count of crossings to the next.
const CROSSINGS_EVERY: u32 = 10;

/// The worst of each measure so far.
struct Tracker<'a> {
    scene: &'a Scene,
    overlap: Option<Overlap<'a>>,
    state: Snapshot,
    health: Health,
    quality: Quality,
    about: DVec3,
    momentum: Option<Momentum>,
    can_break: bool,
    frames: u32,
    /// By joint; empty while none can break.
    broken: Vec<bool>,
    /// By edge that can tear.
    torn: Vec<bool>,
    /// The scene without what is torn; none while nothing is.
    left: Option<Scene>,
}

impl<'a> Tracker<'a> {
    fn new(scene: &'a Scene) -> Self {
        let state = Snapshot::start(scene);
        let about = measures::center_of_mass(scene, &state);
        let parts = scene.bodies.len() + scene.colliders.len() + free_particles(scene).count();
        let energy = measures::energy(scene, &state);
        let mut tracker = Self {
            scene,
            // One thing alone has nothing to be in.
            overlap: (parts > 1).then(|| Overlap::new(scene)),
            health: Health::default(),
            quality: Quality { energy_start: Some(energy), energy_end: Some(energy), ..Quality::default() },
            about,
            momentum: measures::is_isolated(scene).then(|| measures::momentum(scene, &state, about)),
            frames: 0,
            can_break: scene.joints.iter().any(|j| j.desc.break_force.is_finite()),
            broken: Vec::new(),
            torn: Vec::new(),
            left: None,
            state: state.clone(),
        };
        tracker.measure(state);
        tracker
    }

    fn frame(&mut self, state: Snapshot, solver: &Solver) -> Result<(), ReportError> {
        let told = solver.read_health()?;
        let health = &mut self.health;
        health.non_finite = health.non_finite.max(told.non_finite).max(state.non_finite());
        health.contacts_dropped = health.contacts_dropped.max(told.contacts_dropped);
        health.neighbors_dropped = health.neighbors_dropped.max(told.neighbors_dropped);
        let outside = state.outside(self.scene, self.scene.params.world_extent);
        health.out_of_bounds = health.out_of_bounds.max(told.out_of_bounds).max(outside);
        if self.can_break {
            self.broken = solver.read_broken_joints()?;
        }
        if !self.scene.tears.is_empty() {
            let torn = solver.read_torn()?;
            if torn.contains(&true) && torn != self.torn {
                self.left = Some(self.scene.without_torn(&torn));
            }
            self.torn = torn;
        }
        self.measure(state);
        Ok(())
    }

    fn measure(&mut self, state: Snapshot) {
        let most = |so_far: Option<f64>, now: f64| Some(so_far.map_or(now, |s| s.max(now)));
        let q = &mut self.quality;
        let gaps = measures::joint_gaps(self.scene, &state, |joint| !self.broken.get(joint).is_some_and(|b| *b));
        if !gaps.is_empty() {
            let worst = f64::from(gaps.iter().copied().fold(0.0, f32::max));
            q.joint_gap_end_m = Some(worst);
            q.joint_gap_max_m = most(q.joint_gap_max_m, worst);
            q.joint_gap_end_mean_m = Some(gaps.iter().map(|g| f64::from(*g)).sum::<f64>() / gaps.len() as f64);
        }
        let (mut worst, mut squares, mut count) = (0.0, 0.0, 0);
        for stretch in stretches(self.left.as_ref().unwrap_or(self.scene), &state) {
            worst = f64::max(worst, stretch.abs());
            squares += stretch * stretch;
            count += 1;
        }
        if count > 0 {
            q.stretch_max = Some(worst);
            q.stretch_rms = Some((squares / f64::from(count)).sqrt());
        }
        q.volume_error_max = volume_errors(self.scene, &state).map(f64::abs).reduce(f64::max);
        if let Some(overlap) = &self.overlap {
            let deepest = f64::from(overlap.worst(&state));
            q.penetration_end_radii = Some(deepest);
            q.penetration_max_radii = most(q.penetration_max_radii, deepest);
        }
        if let Some(start) = &self.momentum {
            let now = measures::momentum(self.scene, &state, self.about);
            if let Some(drift) = measures::momentum_drift(start, &now) {
                q.momentum_drift = most(q.momentum_drift, drift);
            }
        }
        // The start is how the scene was made.
        if let Some(now) = compression(self.scene, &state).filter(|_| self.frames > 0) {
            let before = q.density_error_mean.unwrap_or(0.0);
            q.density_error_mean = Some(before + (now - before) / f64::from(self.frames));
        }
        if self.frames.is_multiple_of(CROSSINGS_EVERY) {
            self.count_crossings(&state);
        }
        self.frames += 1;
        self.state = state;
    }

    fn count_crossings(&mut self, state: &Snapshot) {
        if !self.scene.triangles.is_empty() {
            let most = &mut self.quality.self_intersections;
            *most = (*most).max(Some(crossings(self.left.as_ref().unwrap_or(self.scene), state)));
        }
    }

    /// The measures that only the last frame has.
    fn finish(mut self) -> Quality {
        let last = self.state.clone();
        self.count_crossings(&last);
        let speeds: Vec<f64> = measures::speeds(self.scene, &self.state).into_iter().map(f64::from).collect();
        self.quality.speed_end_p99 = percentile(&speeds, 0.99);
        self.quality.energy_end = Some(measures::energy(self.scene, &self.state));
        self.quality
    }
}
