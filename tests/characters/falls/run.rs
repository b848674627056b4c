//! A scene of characters, simulated and recorded: every body in every frame.

use glam::{DMat3, DQuat, DVec3, Vec3};
use sinew::gpu::Context;
use sinew::report::{Pose, Snapshot, joint_gaps};
use sinew::scene::Scene;
use sinew::solver::{BodyState, Solver};

use super::dolls::Member;

/// Frames of a second.
pub(crate) const SECOND: usize = 60;

/// What happened.
pub(crate) struct Run {
    pub(crate) scene: Scene,
    pub(crate) members: Vec<Member>,
    /// The start, then the end of every frame, shape [frame_count + 1][body_count].
    pub(crate) frames: Vec<Snapshot>,
    /// Whether a body slept at that time, same shape.
    asleep: Vec<Vec<bool>>,
}

impl Run {
    /// Simulates `frames` frames, reading back all bodies after each.
    pub(crate) fn record(scene: Scene, members: Vec<Member>, frames: usize) -> Self {
        let context = Context::shared().expect("adapter");
        let mut solver = Solver::new(&context, &scene).unwrap();
        let mut run = Self {
            frames: vec![Snapshot::start(&scene)],
            asleep: vec![vec![false; scene.bodies.len()]],
            scene,
            members,
        };
        for frame in 1..=frames {
            solver.step();
            let rows = solver.read_bodies().unwrap();
            run.asleep.push(rows.iter().map(|r: &BodyState| r.inv_mass == 0.0).collect());
            run.frames.push(Snapshot {
                time: frame as f64 * f64::from(run.scene.params.dt),
                bodies: rows.iter().map(Pose::from).collect(),
                particles: Vec::new(),
                particle_velocities: Vec::new(),
            });
        }
        let health = solver.read_health().unwrap();
        assert!(health.is_good(), "{health:?}");
        let last = run.frames.last_mut().unwrap();
        last.particles = solver.read_particles().unwrap().iter().map(|p| Vec3::new(p[0], p[1], p[2])).collect();
        run
    }

    pub(crate) fn last(&self) -> &Snapshot {
        self.frames.last().unwrap()
    }

    /// Widest gap of any joint of a member in one frame, and the joint [m].
    pub(crate) fn gap(&self, member: &Member, frame: usize) -> (f32, usize) {
        let gap = |j: usize| joint_gaps(&self.scene, &self.frames[frame], |i| i == j).into_iter().fold(0.0, f32::max);
        member.joints.clone().map(|j| (gap(j), j)).fold((0.0, 0), |m, g| if g.0 > m.0 { g } else { m })
    }

    /// Two bodies that a joint ties, by name.
    pub(crate) fn joint_name(&self, joint: usize) -> String {
        let desc = &self.scene.joints[joint].desc;
        format!("{} - {}", self.scene.body(desc.a).name, self.scene.body(desc.b).name)
    }

    pub(crate) fn is_asleep(&self, member: &Member, frame: usize) -> bool {
        member.bodies.clone().all(|b| self.asleep[frame][b])
    }

    /// First frame from which a member sleeps to the end.
    pub(crate) fn asleep_from(&self, member: &Member) -> Option<usize> {
        let awake = (0..self.frames.len()).rev().find(|f| !self.is_asleep(member, *f));
        let from = awake.map_or(0, |f| f + 1);
        (from < self.frames.len()).then_some(from)
    }

    /// Speeds of a member's particles in one frame [m/s].
    pub(crate) fn speeds(&self, member: &Member, frame: usize) -> Vec<f32> {
        let of = |b: usize| {
            let pose = &self.frames[frame].bodies[b];
            let arms = self.scene.bodies[b].links.iter().map(|l| pose.rotation * l.local);
            arms.map(|arm| (pose.velocity + pose.angular_velocity.cross(arm)).length()).collect::<Vec<_>>()
        };
        member.bodies.clone().flat_map(of).collect()
    }

    /// Mass, momentum and energy of a member in one frame.
    pub(crate) fn sums(&self, member: &Member, frame: usize) -> Sums {
        let state = &self.frames[frame].bodies;
        let bodies = || member.bodies.clone().map(|b| (&self.scene.bodies[b], &state[b]));
        let mass: f64 = bodies().map(|(b, _)| f64::from(b.mass)).sum();
        let center = bodies().map(|(b, p)| f64::from(b.mass) * p.center.as_dvec3()).sum::<DVec3>() / mass;
        let mut sums = Sums { mass, center, angular: DVec3::ZERO, kinetic: 0.0 };
        for (body, pose) in bodies() {
            let q = DQuat::from_array(pose.rotation.to_array().map(f64::from)).normalize();
            let turn = DMat3::from_quat(q);
            let inertia = turn * body.inertia.as_dmat3() * turn.transpose();
            let (v, w) = (pose.velocity.as_dvec3(), pose.angular_velocity.as_dvec3());
            let m = f64::from(body.mass);
            sums.angular += (pose.center.as_dvec3() - center).cross(m * v) + inertia * w;
            sums.kinetic += 0.5 * m * v.length_squared() + 0.5 * w.dot(inertia * w);
        }
        sums
    }

    /// Potential and kinetic energy above the height `zero` [J].
    pub(crate) fn energy(&self, member: &Member, frame: usize, zero: f64) -> f64 {
        let sums = self.sums(member, frame);
        let gravity = self.scene.params.gravity.as_dvec3();
        sums.kinetic - sums.mass * gravity.dot(sums.center - DVec3::Y * zero)
    }
}

/// A character as a whole.
pub(crate) struct Sums {
    /// Mass [kg].
    pub(crate) mass: f64,
    /// Middle of the mass [m].
    pub(crate) center: DVec3,
    /// Angular momentum about it [kg m²/s].
    pub(crate) angular: DVec3,
    /// Kinetic energy [J].
    pub(crate) kinetic: f64,
}
