//! Runs a scene, times every frame, reads it back and keeps the worst of each measure.

use std::time::Instant;

use glam::Quat;

use super::measures::{median, percentile};
use super::record::{Adapter, Counts, FrameTime, Report, Timing};
use super::tracker::Tracker;
use super::{ReportError, Snapshot, state_hash};
use crate::animation::Cast;
use crate::demos::Stage;
use crate::gpu::Context;
use crate::scene::Scene;
use crate::solver::Solver;

/// Most frames that are timed pass by pass.
const MOST_PASS_FRAMES: u32 = 60;

/// What is simulated and measured.
pub(crate) trait Course {
    /// What there is now.
    fn scene(&self) -> &Scene;

    /// Its simulation.
    fn solver(&mut self) -> &mut Solver;

    /// Does what is to be done before the next frame. Whether there is another scene now.
    ///
    /// # Errors
    /// What cannot be done.
    fn begin(&mut self) -> Result<bool, ReportError>;

    /// Simulates a frame.
    ///
    /// # Errors
    /// As of [`Solver::direct`].
    fn step(&mut self) -> Result<(), ReportError>;
}

/// A scene that is left to itself and its performers.
struct Untouched<'a> {
    scene: &'a Scene,
    cast: Cast,
    solver: Solver,
}

impl Course for Untouched<'_> {
    fn scene(&self) -> &Scene {
        self.scene
    }

    fn solver(&mut self) -> &mut Solver {
        &mut self.solver
    }

    fn begin(&mut self) -> Result<bool, ReportError> {
        Ok(false)
    }

    fn step(&mut self) -> Result<(), ReportError> {
        self.solver.direct(&mut self.cast)?;
        self.solver.step();
        Ok(())
    }
}

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
    let mut course = Untouched { scene, cast: cast.clone(), solver: Solver::new(context, scene)? };
    measure(context, target, &mut course, frames, on_frame)
}

/// Times of frames [ms].
struct Times {
    /// From here on each pass is timed, which slows the frame.
    whole_frames: u32,
    frame_ms: Vec<f64>,
    host_ms: Vec<f64>,
}

impl Times {
    fn step(&mut self, course: &mut dyn Course, frame: u32) -> Result<(), ReportError> {
        course.solver().set_timing(frame > self.whole_frames);
        let begun = Instant::now();
        course.step()?;
        let encoded = begun.elapsed();
        course.solver().wait()?;
        if frame <= self.whole_frames {
            self.host_ms.push(encoded.as_secs_f64() * 1e3);
            self.frame_ms.push(begun.elapsed().as_secs_f64() * 1e3);
        }
        Ok(())
    }
}

/// As [`run`], of a scene that may be changed on the way.
///
/// # Errors
/// As [`run`], and what cannot be done on the way.
pub(crate) fn measure(
    context: &Context,
    target: &str,
    course: &mut dyn Course,
    frames: u32,
    on_frame: &mut dyn FnMut(u32, &Snapshot),
) -> Result<Report, ReportError> {
    course.begin()?;
    let clashes = course.solver().count_clashes()?;
    if clashes > 0 {
        return Err(ReportError::Clashes(clashes));
    }
    let params = *course.solver().params();
    // The last frames are timed by pass, the others as a whole.
    let whole_frames = if context.has_timestamps() { frames - (frames / 4).min(MOST_PASS_FRAMES) } else { frames };
    let mut times = Times { whole_frames, frame_ms: Vec::new(), host_ms: Vec::new() };
    let mut so_far = None;
    let mut frame = 0;
    let (health, quality) = loop {
        let (state, found) = match so_far.take() {
            None => (Snapshot::read(course.solver())?, None),
            Some((state, found)) => (state, Some(found)),
        };
        let scene = running(course, state.time as f32);
        let mut tracker = match found {
            None => Tracker::new(&scene, state),
            Some(found) => Tracker::resume(&scene, state, found),
        };
        let mut changed = false;
        while frame < frames && !changed {
            frame += 1;
            times.step(course, frame)?;
            let (bodies, particles) = (course.solver().read_bodies()?, course.solver().read_particles()?);
            let dt = course.solver().params().dt;
            tracker.frame(tracker.state().next(&bodies, &particles, dt), course.solver())?;
            on_frame(frame, tracker.state());
            changed = course.begin()?;
        }
        if frame == frames {
            break tracker.finish();
        }
        let (bodies, particles) = (course.solver().read_bodies()?, course.solver().read_particles()?);
        let now = Snapshot::at(tracker.state().time, &bodies, &particles);
        so_far = Some((now, tracker.so_far()));
    };
    let solver = course.solver();
    let hash = state_hash(&solver.read_bodies()?, &solver.read_particles()?);
    Ok(Report {
        target: target.to_owned(),
        adapter: Adapter::from(context.info()),
        frames,
        dt: params.dt,
        substeps: params.substeps,
        iterations: params.iterations,
        counts: counts(solver),
        memory: solver.memory().into_iter().map(|(name, bytes)| (name.to_owned(), bytes)).collect(),
        timing: Timing {
            frame_ms: FrameTime { median: median(&times.frame_ms), p95: percentile(&times.frame_ms, 0.95) },
            passes_ms: solver.pass_times().into_iter().collect(),
            host_ms: median(&times.host_ms),
        },
        health,
        quality,
        state_hash: format!("{hash:016x}"),
    })
}

/// The scene of a course as it runs at this time [s]: with parameters that were changed since it was made, and colliders where the world
/// has them, moved back to where they would have begun.
fn running(course: &mut dyn Course, time: f32) -> Scene {
    let mut scene = course.scene().clone();
    let solver = course.solver();
    scene.params = *solver.params();
    scene.colliders.clone_from(&solver.scene().colliders);
    for collider in &mut scene.colliders {
        collider.position -= collider.velocity * time;
        collider.rotation = Quat::from_scaled_axis(-collider.angular_velocity * time) * collider.rotation;
    }
    scene
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

#[cfg(test)]
mod tests {
    use glam::Vec3;

    use super::*;
    use crate::report::energy;
    use crate::scene::{BodyDesc, Collider, ColliderId, Shape};

    #[test]
    fn what_goes_on_is_measured_from_where_it_goes_on() {
        let context = Context::shared().expect("adapter");
        let mut scene = Scene::default();
        scene.add_body(BodyDesc::sphere(0.1, 0.1).at(Vec3::Y * 3.0)).unwrap();
        // Where the ball is after half a second, and away by then.
        let slab = Collider::new(Shape::Cuboid(Vec3::splat(0.2)), Vec3::Y * 1.75);
        scene.add_collider(Collider { velocity: Vec3::X * 4.0, ..slab }).unwrap();
        let mut before = Solver::new(&context, &scene).unwrap();
        (0..30).for_each(|_| before.step());
        let mut solver = Solver::new(&context, &scene).unwrap();
        solver.restore(&before.save().unwrap()).unwrap();
        let params = crate::scene::Params { gravity: Vec3::NEG_Y * 5.0, ..scene.params };
        solver.set_params(params).unwrap();
        let lighter = Scene { params, ..scene.clone() };
        let start = energy(&lighter, &Snapshot::read(&solver).unwrap());
        let mut course = Untouched { scene: &scene, cast: Cast::default(), solver };
        let report = measure(&context, "ball", &mut course, 2, &mut |_, _| {}).unwrap();
        assert_eq!(report.quality.energy_start, Some(start));
        let end = report.quality.energy_end.unwrap();
        assert!((end / start - 1.0).abs() < 0.02, "{start} J and then {end}");
        assert_eq!(report.quality.penetration_max_radii, Some(0.0));
    }

    /// A wall that goes along X and is set down elsewhere after 10 frames.
    struct Moved {
        scene: Scene,
        solver: Solver,
        frame: u32,
        to: Vec3,
    }

    impl Course for Moved {
        fn scene(&self) -> &Scene {
            &self.scene
        }

        fn solver(&mut self) -> &mut Solver {
            &mut self.solver
        }

        fn begin(&mut self) -> Result<bool, ReportError> {
            if self.frame != 10 {
                return Ok(false);
            }
            self.solver.set_collider_pose(ColliderId(0), self.to, Quat::IDENTITY, Vec3::X, Vec3::ZERO)?;
            Ok(true)
        }

        fn step(&mut self) -> Result<(), ReportError> {
            self.frame += 1;
            self.solver.step();
            Ok(())
        }
    }

    #[test]
    fn colliders_are_measured_where_they_were_put() {
        let context = Context::shared().expect("adapter");
        let mut scene = Scene::default();
        scene.params.gravity = Vec3::ZERO;
        scene.add_body(BodyDesc::sphere(0.1, 0.1)).unwrap();
        let slab = Collider::new(Shape::Cuboid(Vec3::splat(0.2)), Vec3::NEG_X * 0.6);
        scene.add_collider(Collider { velocity: Vec3::X, ..slab }).unwrap();
        let deepest = |to: Vec3| {
            let (scene, solver) = (scene.clone(), Solver::new(&context, &scene).unwrap());
            let mut course = Moved { scene, solver, frame: 0, to };
            measure(&context, "wall", &mut course, 12, &mut |_, _| {}).unwrap().quality.penetration_max_radii.unwrap()
        };
        // It would reach the ball after 0.3 s, and had gone 0.17 m.
        assert_eq!(deepest(Vec3::Y), 0.0);
        assert_eq!(deepest(Vec3::NEG_X * 0.39), 0.0);
        assert!(deepest(Vec3::NEG_X * 0.25) > 0.1);
    }
}
