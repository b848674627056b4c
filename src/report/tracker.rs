//! Judges the state frame by frame and keeps the worst of each measure.

use glam::DVec3;

use super::measures::{self, Momentum, percentile};
use super::record::{Health, Quality};
use super::{Overlap, ReportError, Snapshot, compression, crossings, free_particles, stretches, volume_errors};
use crate::scene::Scene;
use crate::solver::Solver;

/// Frames from one count of crossings to the next.
const CROSSINGS_EVERY: u32 = 10;

/// The worst of each measure so far.
pub(super) struct Tracker<'a> {
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
    /// The scene as it has torn; none while nothing has.
    left: Option<Scene>,
    /// Pairs of triangles that cross as the scene was made.
    crossed_at_start: u32,
}

/// What a tracker has found.
pub(super) struct SoFar {
    health: Health,
    quality: Quality,
    frames: u32,
}

impl<'a> Tracker<'a> {
    /// Begins with the state that a scene is in.
    pub(super) fn new(scene: &'a Scene, state: Snapshot) -> Self {
        let energy = measures::energy(scene, &state);
        let quality = Quality { energy_start: Some(energy), energy_end: Some(energy), ..Quality::default() };
        let mut tracker = Self::of(scene, state.clone());
        tracker.quality = quality;
        tracker.momentum = measures::is_isolated(scene).then(|| measures::momentum(scene, &state, tracker.about));
        tracker.measure(state);
        tracker
    }

    /// Goes on after the scene was changed to `scene`, which is in this state. What changed it is no fault: momentum is not
    /// looked at any more.
    pub(super) fn resume(scene: &'a Scene, state: Snapshot, so_far: SoFar) -> Self {
        Self { health: so_far.health, quality: so_far.quality, frames: so_far.frames, ..Self::of(scene, state) }
    }

    fn of(scene: &'a Scene, state: Snapshot) -> Self {
        let parts = scene.bodies.len() + scene.colliders.len() + free_particles(scene).count();
        Self {
            scene,
            // One thing alone has nothing to be in.
            overlap: (parts > 1).then(|| Overlap::new(scene)),
            health: Health::default(),
            quality: Quality::default(),
            about: measures::center_of_mass(scene, &state),
            momentum: None,
            frames: 0,
            can_break: scene.joints.iter().any(|j| j.desc.break_force.is_finite()),
            broken: Vec::new(),
            torn: Vec::new(),
            left: None,
            crossed_at_start: crossings(scene, &state),
            state,
        }
    }

    /// What was found until now, before the scene is changed.
    pub(super) fn so_far(mut self) -> SoFar {
        self.count_crossings();
        SoFar { health: self.health, quality: self.quality, frames: self.frames }
    }

    /// The state that was taken in last.
    pub(super) fn state(&self) -> &Snapshot {
        &self.state
    }

    /// Takes in the state that `solver` has now.
    ///
    /// # Errors
    /// [`ReportError`] when the device fails.
    pub(super) fn frame(&mut self, state: Snapshot, solver: &Solver) -> Result<(), ReportError> {
        let told = solver.read_health()?;
        let health = &mut self.health;
        health.non_finite = health.non_finite.max(told.non_finite).max(state.non_finite());
        health.contacts_dropped = health.contacts_dropped.max(told.contacts_dropped);
        health.neighbors_dropped = health.neighbors_dropped.max(told.neighbors_dropped);
        health.dropped = health.dropped.max(&told.dropped);
        health.tears_dropped = health.tears_dropped.max(told.tears_dropped);
        let outside = state.outside(self.scene, self.scene.params.world_extent);
        health.out_of_bounds = health.out_of_bounds.max(told.out_of_bounds).max(outside);
        if self.can_break {
            self.broken = solver.read_broken_joints()?;
        }
        if !self.scene.tears.is_empty() {
            let torn = solver.read_torn()?;
            if torn.contains(&true) && torn != self.torn {
                self.left = Some(self.scene.parted(&solver.read_triangles()?));
            }
            self.torn = torn;
        }
        self.measure(state);
        Ok(())
    }

    fn measure(&mut self, state: Snapshot) {
        let most = |so_far: Option<f64>, now: f64| Some(so_far.map_or(now, |s| s.max(now)));
        let q = &mut self.quality;
        // Those of the frame alone: what they were of may be gone.
        (q.joint_gap_end_m, q.joint_gap_end_mean_m) = (None, None);
        (q.stretch_max, q.stretch_rms, q.penetration_end_radii) = (None, None, None);
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
            let now = measures::momentum(self.left.as_ref().unwrap_or(self.scene), &state, self.about);
            if let Some(drift) = measures::momentum_drift(start, &now) {
                q.momentum_drift = most(q.momentum_drift, drift);
            }
        }
        // The start is how the scene was made.
        if let Some(now) = compression(self.scene, &state).filter(|_| self.frames > 0) {
            let before = q.density_error_mean.unwrap_or(0.0);
            q.density_error_mean = Some(before + (now - before) / f64::from(self.frames));
        }
        self.state = state;
        if self.frames.is_multiple_of(CROSSINGS_EVERY) {
            self.count_crossings();
        }
        self.frames += 1;
    }

    fn count_crossings(&mut self) {
        if !self.scene.triangles.is_empty() {
            let now = crossings(self.left.as_ref().unwrap_or(self.scene), &self.state);
            self.quality.self_intersections = self.quality.self_intersections.max(Some(now));
            self.health.crossings = self.health.crossings.max(now.saturating_sub(self.crossed_at_start));
        }
    }

    /// What must stay 0, and all measures with those that only the last frame has.
    pub(super) fn finish(mut self) -> (Health, Quality) {
        self.count_crossings();
        let left = self.left.as_ref().unwrap_or(self.scene);
        let stretched: Vec<f64> = stretches(left, &self.state).map(f64::abs).collect();
        let count = stretched.len() as f64;
        self.quality.stretch_mean = (count > 0.0).then(|| stretched.iter().sum::<f64>() / count);
        self.quality.stretch_p99 = percentile(&stretched, 0.99);
        let speeds: Vec<f64> = measures::speeds(self.scene, &self.state).into_iter().map(f64::from).collect();
        self.quality.speed_end_p99 = percentile(&speeds, 0.99);
        self.quality.energy_end = Some(measures::energy(left, &self.state));
        (self.health, self.quality)
    }
}

#[cfg(test)]
mod tests {
    use glam::{Quat, Vec3};

    use super::*;
    use crate::scene::{BodyDesc, Deformable, JointDesc, JointKind, SheetGrid, SheetMaterial};

    #[test]
    fn crossings_of_the_last_frame_before_a_change_or_the_end_count() {
        let mut scene = Scene::default();
        let grid = SheetGrid::square(4, 0.3);
        let sheet =
            Deformable::sheet("sheet", grid.positions(), &grid.triangles(), 0.01, &SheetMaterial::default()).unwrap();
        let across = Quat::from_rotation_x(std::f32::consts::FRAC_PI_2);
        scene.add_deformable(&sheet, Vec3::Y, Quat::IDENTITY, Vec3::ZERO).unwrap();
        scene.add_deformable(&sheet, Vec3::Y * 2.0, across, Vec3::ZERO).unwrap();
        let apart = Snapshot::start(&scene);
        let mut crossed = apart.clone();
        crossed.particles.iter_mut().skip(16).for_each(|place| *place -= Vec3::new(0.02, 1.0, 0.02));
        let run = |last: &Snapshot| {
            let mut tracker = Tracker::new(&scene, apart.clone());
            tracker.measure(apart.clone());
            tracker.measure(last.clone());
            tracker
        };
        assert_eq!(run(&apart).finish().0.crossings, 0);
        let (health, quality) = run(&crossed).finish();
        assert!(health.crossings > 0 && quality.self_intersections == Some(health.crossings), "{health:?}");
        // Crossings that were there before a change are not forgiven by it, and those that came with it are not counted.
        let resumed = Tracker::resume(&scene, crossed.clone(), run(&crossed).so_far());
        assert_eq!(resumed.finish().0.crossings, health.crossings);
        let resumed = Tracker::resume(&scene, crossed, run(&apart).so_far());
        assert_eq!(resumed.finish().0.crossings, 0);
    }

    #[test]
    fn what_is_gone_has_no_measures_in_the_last_frame() {
        let mut scene = Scene::default();
        let bodies = [0.0, 0.3].map(|x| scene.add_body(BodyDesc::sphere(0.1, 0.1).at(Vec3::X * x)).unwrap());
        let joint = JointDesc::new(JointKind::Ball, bodies[0], bodies[1], Vec3::X * 0.15, Vec3::X, 0.05);
        scene.add_joint(joint).unwrap();
        let mut alone = Scene::default();
        alone.add_body(BodyDesc::sphere(0.1, 0.1)).unwrap();
        let tracker = Tracker::new(&scene, Snapshot::start(&scene));
        assert!(tracker.quality.joint_gap_end_m.is_some());
        let mut tracker = Tracker::resume(&alone, Snapshot::start(&alone), tracker.so_far());
        tracker.measure(Snapshot::start(&alone));
        let (_, quality) = tracker.finish();
        assert!(quality.joint_gap_max_m.is_some() && quality.joint_gap_end_m.is_none(), "{quality:?}");
        assert_eq!((quality.joint_gap_end_mean_m, quality.penetration_end_radii), (None, None));
    }
}
