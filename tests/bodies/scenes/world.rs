//! A scene being simulated, read back for judging.

use glam::Vec3;
use sinew::gpu::Context;
use sinew::report::{Pose, Snapshot};
use sinew::scene::{BodyDesc, Collider, Scene};
use sinew::solver::Solver;

pub(crate) const FRAMES: u32 = 60;
/// Particle radius of the boxes here [m].
pub(crate) const RADIUS: f32 = 0.05;

pub(crate) struct World {
    pub(crate) solver: Solver,
    state: Snapshot,
}

impl World {
    pub(crate) fn new(scene: &Scene) -> Self {
        let context = Context::shared().expect("adapter");
        Self { solver: Solver::new(&context, scene).unwrap(), state: Snapshot::start(scene) }
    }

    pub(crate) fn run(&mut self, frames: u32) {
        for _ in 0..frames {
            self.solver.step();
        }
    }

    /// What is there now.
    pub(crate) fn read(&mut self) -> &Snapshot {
        let (bodies, particles) = (self.solver.read_bodies().unwrap(), self.solver.read_particles().unwrap());
        self.state = self.state.next(&bodies, &particles, self.solver.params().dt);
        &self.state
    }

    pub(crate) fn body(&mut self, index: usize) -> Pose {
        self.read().bodies[index]
    }

    /// Angle by which body 1 has turned against body 0 since the start, about the world axis `axis` [rad]; both start
    /// unturned, and the axis stays that of body 0.
    pub(crate) fn turned(&mut self, axis: Vec3) -> f32 {
        let [a, b] = [self.body(0), self.body(1)];
        let relative = a.rotation.inverse() * b.rotation;
        let about = relative.xyz().dot(axis);
        2.0 * about.atan2(relative.w)
    }

    pub(crate) fn healthy(&self) {
        let health = self.solver.read_health().unwrap();
        assert!(health.is_good(), "{health:?}");
    }
}

pub(crate) fn on_ground() -> Scene {
    let mut scene = Scene::default();
    scene.add_collider(Collider::ground(0.0)).unwrap();
    scene
}

pub(crate) fn zero_gravity() -> Scene {
    let mut scene = Scene::default();
    scene.params.gravity = Vec3::ZERO;
    scene
}

pub(crate) fn cube(half: f32) -> BodyDesc {
    BodyDesc::cuboid(Vec3::splat(half), RADIUS)
}
