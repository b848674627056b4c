//! What joints carry: a scale, a strained rope, how hard a motor works. Read at once, or some frames late.

use glam::Vec3;

use super::late::{Shared, Source};
use super::poses::{Waiting, due, rows, wait_for};
use crate::gpu::wgsl::articulations::joint::{JOINT_BROKEN, JointState};
use crate::solver::edits::joints::JointRef;
use crate::solver::{Solver, SolverError};

/// What body a of a joint does to body b through it, mean over the last frame in which one of them was awake: a crate that hangs
/// still on a ball joint as body b is held by a force of its mass times gravity, upward.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct JointLoad {
    /// Force in the world [N]; of a distance joint along the line between its points.
    pub force: Vec3,
    /// Torque in the world about where they meet [N m], that of the motor, of friction and of limits among it.
    pub torque: Vec3,
}

/// What some joints carried in a frame: see [`Solver::request_joint_loads`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct JointLoads {
    /// Frames that had been simulated.
    pub frame: u64,
    /// Simulated time then [s].
    pub time: f64,
    /// The joints, in the order in which they were asked for.
    pub joints: Vec<JointRef>,
    /// What they carry, in the same order.
    pub loads: Vec<JointLoad>,
}

impl JointLoad {
    fn of(state: &JointState) -> Self {
        match state.broken {
            JOINT_BROKEN => Self::default(),
            _ => Self { force: state.force.into(), torque: state.torque.into() },
        }
    }
}

impl Solver {
    /// Waits for the GPU and reads what a joint carries; nothing if it is broken or out of action, if no frame was simulated since it was
    /// added, and where shared particles are averaged, which know no forces. What a gear does to its joints is not in it.
    ///
    /// # Errors
    /// [`SolverError::Missing`], [`SolverError::Removed`] and [`SolverError::Left`] as [`Solver::set_motor`];
    /// [`GpuError::Lost`](crate::gpu::GpuError::Lost).
    pub fn read_joint_load(&self, joint: impl Into<JointRef>) -> Result<JointLoad, SolverError> {
        let joint = joint.into();
        self.check_joint(joint)?;
        let ([_, states], row) = self.rows_of(joint);
        Ok(JointLoad::of(&self.buffers.read_row(states, row)?))
    }

    /// Waits for the GPU and reads what each joint of the scene carries, shape [joint_count]: see [`Solver::read_joint_load`].
    ///
    /// # Errors
    /// [`GpuError::Lost`](crate::gpu::GpuError::Lost).
    pub fn read_joint_loads(&self) -> Result<Vec<JointLoad>, SolverError> {
        Ok(self.read_joint_states()?.iter().map(JointLoad::of).collect())
    }

    /// Asks for what some joints carry after the frames simulated so far; returns without waiting, as
    /// [`Solver::request_poses`].
    ///
    /// # Errors
    /// [`SolverError::Missing`], [`SolverError::Removed`] and [`SolverError::Left`] as [`Solver::set_motor`]. Then nothing is
    /// asked for.
    pub fn request_joint_loads(&mut self, joints: &[JointRef]) -> Result<(), SolverError> {
        joints.iter().try_for_each(|joint| self.check_joint(*joint).map(|_| ()))?;
        let size = size_of::<JointState>() as u64;
        let late = self.requests.late(&self.context, size * joints.len() as u64);
        let part = |joint: &JointRef| -> Result<Source<'_>, SolverError> {
            let ([_, states], row) = self.rows_of(*joint);
            Ok(Source { buffer: self.buffers.get(states)?, offset: row as u64 * size, size })
        };
        let parts = joints.iter().map(part).collect::<Result<Vec<_>, _>>()?;
        self.context.run("chosen rows", |encoder| late.send_parts(encoder, &parts));
        let request = Waiting { frame: self.frame, time: self.time, what: joints.to_vec(), late: Shared::sent(late) };
        wait_for(&mut self.requests.loads, request);
        Ok(())
    }

    /// The answer to the oldest request of [`Solver::request_joint_loads`], as [`Solver::take_poses`].
    pub fn take_joint_loads(&mut self) -> Option<JointLoads> {
        let paused = self.scene.params.dt == 0.0;
        let Waiting { frame, time, what: joints, late } = due(&mut self.requests.loads, self.frame, paused)?;
        let states = late.receive().map(|bytes| rows::<JointState>(bytes, joints.len()));
        self.requests.keep(late);
        let loads = states?.iter().map(JointLoad::of).collect();
        Some(JointLoads { frame, time, joints, loads })
    }
}
