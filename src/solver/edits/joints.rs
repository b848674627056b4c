//! Joints of a running world: their drives, ranges and resistance change, they part, and tell how far they are turned.
//!
//! Rows are written, nothing is made anew. The two bodies of a joint wake, and what joints tie to them.

use std::mem::offset_of;

use glam::{Quat, Vec3};

use super::added_joints::AddedJoint;
use crate::gpu::GpuError;
use crate::gpu::wgsl::articulations::joint::{JOINT_BROKEN, JOINT_MENDS, JointState};
use crate::scene::{Joint, JointDesc, JointId, Limits, Link as BodyLink, Motor, Placement, Scene, Travel};
use crate::solver::stages::rows::Link;
use crate::solver::stages::{articulations, bodies};
use crate::solver::{BodyState, Solver, SolverError};

/// A joint of a running world: one of its scene, or one that was added.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum JointRef {
    /// What [`Scene::add_joint`] returned.
    Scene(JointId),
    /// What [`Solver::add_joint`] returned.
    Added(AddedJoint),
}

impl From<JointId> for JointRef {
    fn from(id: JointId) -> Self {
        Self::Scene(id)
    }
}

impl From<AddedJoint> for JointRef {
    fn from(added: AddedJoint) -> Self {
        Self::Added(added)
    }
}

impl Solver {
    /// Drives a joint from now on, or lets it go. Giving it the drive that it has changes nothing and wakes nobody.
    ///
    /// # Errors
    /// [`SolverError::Missing`] for a joint that is not of this scene, [`SolverError::Left`] for one that was added and has left,
    /// [`SolverError::Removed`] when one of its bodies is out of the world, [`SolverError::Scene`] for numbers out of range, a speed for what is no hinge, and a way for what does not travel. The world stays as it was.
    pub fn set_motor(&mut self, joint: impl Into<JointRef>, motor: Option<Motor>) -> Result<(), SolverError> {
        self.change_joint(joint.into(), |desc| desc.motor = motor)
    }

    /// Sets the range of a joint. What is outside of it turns back at 1 rad/s. Limiter particles of a hinge narrow it still.
    ///
    /// # Errors
    /// As [`Solver::set_motor`].
    pub fn set_joint_limits(&mut self, joint: impl Into<JointRef>, limits: Limits) -> Result<(), SolverError> {
        self.change_joint(joint.into(), |desc| desc.limits = limits)
    }

    /// Sets where the points of a joint may be along the axes of its frame, or how far apart: a rope gets longer, a lift another
    /// end. What is outside returns at 1 m/s.
    ///
    /// # Errors
    /// As [`Solver::set_motor`]; [`SolverError::Scene`] too for a joint that does not travel so.
    pub fn set_joint_travel(&mut self, joint: impl Into<JointRef>, travel: [Travel; 3]) -> Result<(), SolverError> {
        self.change_joint(joint.into(), |desc| desc.travel = travel)
    }

    /// Sets the friction of a joint [N m], of one that travels [N], 0 or more.
    ///
    /// # Errors
    /// As [`Solver::set_motor`].
    pub fn set_joint_friction(&mut self, joint: impl Into<JointRef>, friction: f32) -> Result<(), SolverError> {
        self.change_joint(joint.into(), |desc| desc.friction = friction)
    }

    /// Sets the damping of a joint: the rate at which relative angular velocity dies away, of one that travels the velocity along its
    /// way [1/s], 0 or more.
    ///
    /// # Errors
    /// As [`Solver::set_motor`].
    pub fn set_joint_damping(&mut self, joint: impl Into<JointRef>, damping: f32) -> Result<(), SolverError> {
        self.change_joint(joint.into(), |desc| desc.damping = damping)
    }

    /// Sets the force that breaks a joint [N], above 0; infinite never breaks.
    ///
    /// # Errors
    /// As [`Solver::set_motor`].
    pub fn set_break_force(&mut self, joint: impl Into<JointRef>, force: f32) -> Result<(), SolverError> {
        self.change_joint(joint.into(), |desc| desc.break_force = force)
    }

    /// Parts the bodies of a joint, as if it had broken: they go on without touching each other, and an event tells of it.
    ///
    /// # Errors
    /// [`SolverError::Missing`], [`SolverError::Removed`] and [`SolverError::Left`] as [`Solver::set_motor`].
    pub fn break_joint(&mut self, joint: impl Into<JointRef>) -> Result<(), SolverError> {
        let joint = joint.into();
        let desc = self.check_joint(joint)?;
        self.part_joint(joint)?;
        self.wake_bodies([desc.a, desc.b]);
        Ok(())
    }

    /// Lets a joint hold its bodies again, whether it broke or was put out of action, or puts it out of action, which is no break and
    /// no event. Bodies that are apart come together at 1 m/s and turn at 1 rad/s until they are where the joint wants them.
    ///
    /// # Errors
    /// [`SolverError::Missing`], [`SolverError::Removed`] and [`SolverError::Left`] as [`Solver::set_motor`].
    pub fn set_joint_enabled(&mut self, joint: impl Into<JointRef>, enabled: bool) -> Result<(), SolverError> {
        let joint = joint.into();
        let desc = self.check_joint(joint)?;
        let state = if enabled { JOINT_MENDS } else { JOINT_BROKEN };
        self.put_state(joint, state)?;
        self.heard.broken.set(joint, self.frame, !enabled);
        self.share_points(joint, !enabled)?;
        self.wake_bodies([desc.a, desc.b]);
        Ok(())
    }

    /// A joint holds no more from the next frame on; who listens hears of it.
    pub(super) fn part_joint(&mut self, joint: JointRef) -> Result<(), SolverError> {
        self.put_state(joint, JOINT_BROKEN)?;
        if !self.heard.is_idle() {
            self.heard.broken.part(joint);
        }
        self.share_points(joint, true)
    }

    /// Lets the particles of a joint of the scene be of both of its bodies, or of one once the host has parted them.
    pub(super) fn share_points(&mut self, joint: JointRef, parted: bool) -> Result<(), SolverError> {
        let JointRef::Scene(id) = joint else { return Ok(()) };
        let index = id.0 as usize;
        if parted {
            self.parted.insert(index);
        } else if !self.parted.remove(&index) {
            return Ok(());
        }
        self.write_points(index)
    }

    /// Writes what its bodies have of the particles of a joint.
    pub(super) fn write_points(&self, joint: usize) -> Result<(), SolverError> {
        let offset = offset_of!(Link, local) + 12;
        let parted = self.parted.contains(&joint);
        for (body, place, share) in shares(&self.scene, joint, parted) {
            let row = self.targets.properties_of(body).first_link as usize + place;
            self.buffers.upload_fields("links", row, offset, &share)?;
        }
        Ok(())
    }

    /// Gives particles of joints that are parted to one of their bodies, in tables that are made anew.
    pub(in crate::solver) fn part_points(&self, bodies: &mut bodies::Tables) {
        for (body, place, share) in self.parted.iter().flat_map(|joint| shares(&self.scene, *joint, true)) {
            bodies.put_share(body, place, share);
        }
    }

    /// Waits for the GPU and reads the turn of body b relative to body a from the pose in which each joint was made, in the joint's
    /// frame, shape [joint_count]: see [`Joint::rotation`](crate::scene::Joint::rotation), which tells it of poses that came
    /// [late](Solver::request_poses) too.
    ///
    /// # Errors
    /// [`GpuError::Lost`].
    pub fn read_joint_rotations(&self) -> Result<Vec<Quat>, SolverError> {
        let turns: Vec<Quat> = self.read_bodies()?.iter().map(|body| body.placement().rotation).collect();
        let turn = |id: crate::scene::BodyId| turns[id.0 as usize];
        Ok(self.scene.joints.iter().map(|joint| joint.rotation(turn(joint.desc.a), turn(joint.desc.b))).collect())
    }

    /// Waits for the GPU and reads where the point of body b of each joint is from that of body a, along the axes of the joint's
    /// frame [m], shape [joint_count]; of distance joints how far apart they are: see [`Joint::place`](crate::scene::Joint::place).
    ///
    /// # Errors
    /// [`GpuError::Lost`].
    pub fn read_joint_places(&self) -> Result<Vec<Vec3>, SolverError> {
        let places: Vec<Placement> = self.read_bodies()?.iter().map(BodyState::placement).collect();
        let at = |id: crate::scene::BodyId| places[id.0 as usize];
        Ok(self.scene.joints.iter().map(|joint| joint.place(at(joint.desc.a), at(joint.desc.b))).collect())
    }

    /// Whether a joint is there, with both of its bodies.
    pub(in crate::solver) fn check_joint(&self, joint: JointRef) -> Result<JointDesc, SolverError> {
        let index = match joint {
            JointRef::Scene(id) => id.0 as usize,
            // It leaves with the first of its bodies.
            JointRef::Added(added) => return Ok(self.joint(added)?.desc),
        };
        let count = self.scene.joints.len();
        let found = self.scene.joints.get(index).map(|joint| joint.desc);
        let desc = found.ok_or(SolverError::Missing { what: "joint", index, count })?;
        let removed = [desc.a, desc.b].into_iter().find(|id| self.scene.bodies[id.0 as usize].removed);
        removed.map_or(Ok(desc), |id| Err(SolverError::Removed(id)))
    }

    /// Breaks a joint, lets it mend, or makes it whole.
    pub(super) fn put_state(&self, joint: JointRef, broken: u32) -> Result<(), GpuError> {
        let ([_, states], row) = self.rows_of(joint);
        self.buffers.upload_fields(states, row, offset_of!(JointState, broken), &broken)
    }

    /// The buffers that have a joint that is there, and its state, and its row in them.
    pub(in crate::solver) fn rows_of(&self, joint: JointRef) -> ([&'static str; 2], usize) {
        match joint {
            JointRef::Scene(id) => (["joints", "joint_states"], self.joints.rows[id.0 as usize] as usize),
            JointRef::Added(added) => (["added_joints", "added_joint_states"], self.added.joints.row_of(added)),
        }
    }

    fn change_joint(&mut self, joint: JointRef, change: impl FnOnce(&mut JointDesc)) -> Result<(), SolverError> {
        let before = self.check_joint(joint)?;
        let mut desc = before;
        change(&mut desc);
        desc.check(self.scene.bodies.len())?;
        if desc == before {
            return Ok(());
        }
        self.put_desc(joint, desc);
        let row = match joint {
            JointRef::Scene(id) => articulations::row_of(&self.scene, id.0 as usize),
            JointRef::Added(added) => articulations::joint_row(self.joint(added)?, desc.limits),
        };
        let ([rows, _], at) = self.rows_of(joint);
        let written = self.buffers.upload(rows, at, &[row]);
        written.inspect_err(|_| self.put_desc(joint, before))?;
        self.wake_bodies([desc.a, desc.b]);
        Ok(())
    }

    fn put_desc(&mut self, joint: JointRef, desc: JointDesc) {
        match joint {
            JointRef::Scene(id) => self.scene.joints[id.0 as usize].desc = desc,
            JointRef::Added(added) => self.added.joints.put_desc(added, desc),
        }
    }
}

/// Links of the particles that the bodies of a joint share: body, place among its links, and its share of the particle [kg]. Once they are
/// parted these go with body a, or with b where a is out of the world.
fn shares(scene: &Scene, joint: usize, parted: bool) -> Vec<(usize, usize, f32)> {
    let Joint { desc, points, .. } = &scene.joints[joint];
    let keeper = if scene.body(desc.a).removed && !scene.body(desc.b).removed { desc.b } else { desc.a };
    let mut links = Vec::new();
    for id in [desc.a, desc.b] {
        let body = scene.body(id);
        let share = if parted && id != keeper { 0.0 } else { body.mass / body.links.len() as f32 };
        let own = |link: &BodyLink| points.iter().any(|point| point.particle == link.particle);
        let places = body.links.iter().enumerate().filter(|(_, link)| own(link));
        links.extend(places.map(|(place, _)| (id.0 as usize, place, share)));
    }
    links
}
