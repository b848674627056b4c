//! Joints of a running world: their drives, ranges and resistance change, they part, and tell how far they are turned.
//!
//! Rows are written, nothing is made anew. The two bodies of a joint wake, and what joints tie to them.

use glam::{Quat, Vec3};

use super::step::Woken;
use super::{Solver, SolverError, articulations};
use crate::gpu::wgsl::articulations::joint::{JOINT_BROKEN, JOINT_MENDS};
use crate::scene::{JointDesc, Limits, Motor, Placement, Travel};

impl Solver {
    /// Drives a joint from now on, or lets it go. Giving it the drive that it has changes nothing and wakes nobody.
    ///
    /// # Errors
    /// [`SolverError::Missing`] for a joint that is not of this scene, [`SolverError::Removed`] when one of its bodies is out of the
    /// world, [`SolverError::Scene`] for numbers out of range, a speed for what is no hinge, and a way for what does not travel. The world stays as it was.
    pub fn set_motor(&mut self, joint: usize, motor: Option<Motor>) -> Result<(), SolverError> {
        self.change_joint(joint, |desc| desc.motor = motor)
    }

    /// Sets the range of a joint. What is outside of it turns back at 1 rad/s. Limiter particles of a hinge narrow it still.
    ///
    /// # Errors
    /// As [`Solver::set_motor`].
    pub fn set_joint_limits(&mut self, joint: usize, limits: Limits) -> Result<(), SolverError> {
        self.change_joint(joint, |desc| desc.limits = limits)
    }

    /// Sets where the points of a joint may be along the axes of its frame, or how far apart: a rope gets longer, a lift another
    /// end. What is outside returns at 1 m/s.
    ///
    /// # Errors
    /// As [`Solver::set_motor`]; [`SolverError::Scene`] too for a joint that does not travel so.
    pub fn set_joint_travel(&mut self, joint: usize, travel: [Travel; 3]) -> Result<(), SolverError> {
        self.change_joint(joint, |desc| desc.travel = travel)
    }

    /// Sets the friction of a joint [N m], of one that travels [N], 0 or more.
    ///
    /// # Errors
    /// As [`Solver::set_motor`].
    pub fn set_joint_friction(&mut self, joint: usize, friction: f32) -> Result<(), SolverError> {
        self.change_joint(joint, |desc| desc.friction = friction)
    }

    /// Sets the damping of a joint: the fraction of relative angular velocity, of one that travels of that along its way, lost
    /// per second [1/s], 0 or more.
    ///
    /// # Errors
    /// As [`Solver::set_motor`].
    pub fn set_joint_damping(&mut self, joint: usize, damping: f32) -> Result<(), SolverError> {
        self.change_joint(joint, |desc| desc.damping = damping)
    }

    /// Sets the force that breaks a joint [N], above 0; infinite never breaks.
    ///
    /// # Errors
    /// As [`Solver::set_motor`].
    pub fn set_break_force(&mut self, joint: usize, force: f32) -> Result<(), SolverError> {
        self.change_joint(joint, |desc| desc.break_force = force)
    }

    /// Parts the bodies of a joint, as if it had broken: they go on without touching each other, and an event tells of it.
    ///
    /// # Errors
    /// [`SolverError::Missing`] and [`SolverError::Removed`] as [`Solver::set_motor`].
    pub fn break_joint(&mut self, joint: usize) -> Result<(), SolverError> {
        self.check_joint(joint)?;
        self.part_joint(joint)?;
        self.wake_joint(joint);
        Ok(())
    }

    /// Lets a joint hold its bodies again, whether it broke or was put out of action, or puts it out of action, which is no break and
    /// no event. Bodies that are apart come together at 1 m/s and turn at 1 rad/s until they are where the joint wants them.
    ///
    /// # Errors
    /// [`SolverError::Missing`] and [`SolverError::Removed`] as [`Solver::set_motor`].
    pub fn set_joint_enabled(&mut self, joint: usize, enabled: bool) -> Result<(), SolverError> {
        self.check_joint(joint)?;
        let state = if enabled { JOINT_MENDS } else { JOINT_BROKEN };
        self.buffers.upload("joint_broken", self.joint_rows[joint] as usize, &[state])?;
        self.heard.broken.set(joint, self.frame, !enabled);
        self.wake_joint(joint);
        Ok(())
    }

    /// A joint holds no more from the next frame on; who listens hears of it.
    pub(super) fn part_joint(&mut self, joint: usize) -> Result<(), SolverError> {
        self.buffers.upload("joint_broken", self.joint_rows[joint] as usize, &[JOINT_BROKEN])?;
        if !self.heard.is_idle() {
            self.heard.broken.part(joint);
        }
        Ok(())
    }

    /// Waits for the GPU and reads the turn of body b relative to body a from the pose in which each joint was made, in the joint's
    /// frame, shape [joint_count]: see [`Joint::rotation`](crate::scene::Joint::rotation), which tells it of poses that came
    /// [late](Solver::request_poses) too.
    ///
    /// # Errors
    /// [`GpuError::Lost`](crate::gpu::GpuError::Lost).
    pub fn read_joint_rotations(&self) -> Result<Vec<Quat>, SolverError> {
        let turns: Vec<Quat> = self.read_bodies()?.iter().map(|body| body.placement().rotation).collect();
        let turn = |id: crate::scene::BodyId| turns[id.0 as usize];
        Ok(self.scene.joints.iter().map(|joint| joint.rotation(turn(joint.desc.a), turn(joint.desc.b))).collect())
    }

    /// Waits for the GPU and reads where the point of body b of each joint is from that of body a, along the axes of the joint's
    /// frame [m], shape [joint_count]; of distance joints how far apart they are: see [`Joint::place`](crate::scene::Joint::place).
    ///
    /// # Errors
    /// [`GpuError::Lost`](crate::gpu::GpuError::Lost).
    pub fn read_joint_places(&self) -> Result<Vec<Vec3>, SolverError> {
        let places: Vec<Placement> = self.read_bodies()?.iter().map(super::BodyState::placement).collect();
        let at = |id: crate::scene::BodyId| places[id.0 as usize];
        Ok(self.scene.joints.iter().map(|joint| joint.place(at(joint.desc.a), at(joint.desc.b))).collect())
    }

    /// Whether a joint is there, with both of its bodies.
    fn check_joint(&self, joint: usize) -> Result<JointDesc, SolverError> {
        let count = self.scene.joints.len();
        let found = self.scene.joints.get(joint).map(|joint| joint.desc);
        let desc = found.ok_or(SolverError::Missing { what: "joint", index: joint, count })?;
        let removed = [desc.a, desc.b].into_iter().find(|id| self.scene.bodies[id.0 as usize].removed);
        removed.map_or(Ok(desc), |id| Err(SolverError::Removed(id)))
    }

    fn change_joint(&mut self, joint: usize, change: impl FnOnce(&mut JointDesc)) -> Result<(), SolverError> {
        let before = self.check_joint(joint)?;
        let mut desc = before;
        change(&mut desc);
        desc.check(self.scene.bodies.len())?;
        if desc == before {
            return Ok(());
        }
        self.scene.joints[joint].desc = desc;
        let row = articulations::row_of(&self.scene, joint);
        let written = self.buffers.upload("joints", self.joint_rows[joint] as usize, &[row]);
        written.inspect_err(|_| self.scene.joints[joint].desc = before)?;
        self.wake_joint(joint);
        Ok(())
    }

    /// What joints tie to the bodies of this one wakes.
    fn wake_joint(&mut self, joint: usize) {
        let desc = &self.scene.joints[joint].desc;
        self.posed.extend([desc.a.0, desc.b.0]);
        self.woken = self.woken.max(Woken::Left);
    }
}
