//! Reading the state back: for tests and reports, not for every frame.

use glam::Vec3;

use crate::gpu::wgsl::articulations::joint::{JOINT_BROKEN, JointState};
use crate::scene::BodyId;
use crate::solver::stages::constraints::plasticity::Inverse;
use crate::solver::{BodyState, Solver, SolverError};

impl Solver {
    /// Waits for the GPU and reads the state of all bodies, shape [body_count].
    ///
    /// # Errors
    /// [`GpuError::Lost`].
    pub fn read_bodies(&self) -> Result<Vec<BodyState>, SolverError> {
        Ok(self.buffers.read("bodies")?)
    }

    /// Waits for the GPU and reads the state of one body.
    ///
    /// # Errors
    /// [`SolverError::Missing`] and [`SolverError::Removed`] for a body that is not there; [`GpuError::Lost`].
    pub fn read_body(&self, id: BodyId) -> Result<BodyState, SolverError> {
        let index = self.body_in_world(id)?;
        Ok(self.buffers.read_row("bodies", index)?)
    }

    /// Waits for the GPU and reads position [m] and radius [m] of all particles, shape [particle_count].
    ///
    /// # Errors
    /// [`GpuError::Lost`].
    pub fn read_particles(&self) -> Result<Vec<[f32; 4]>, SolverError> {
        Ok(self.buffers.read("particles")?)
    }

    /// Waits for the GPU and reads velocity [m/s] and inverse mass [1/kg] of all particles, shape [particle_count];
    /// only those of free particles are kept up to date. Grains that sleep have an inverse mass of 0.
    ///
    /// # Errors
    /// [`GpuError::Lost`].
    pub fn read_particle_velocities(&self) -> Result<Vec<[f32; 4]>, SolverError> {
        let mut rows = self.buffers.read("particle_velocities")?;
        rows.truncate(self.stages.particles.world.particles as usize);
        Ok(rows)
    }

    /// Waits for the GPU and reads which joints are broken or out of action, by scene index.
    ///
    /// # Errors
    /// [`GpuError::Lost`].
    pub fn read_broken_joints(&self) -> Result<Vec<bool>, SolverError> {
        Ok(self.read_joint_states()?.iter().map(|state| state.broken == JOINT_BROKEN).collect())
    }

    /// Waits for the GPU and reads what has become of joints, by scene index.
    pub(in crate::solver) fn read_joint_states(&self) -> Result<Vec<JointState>, SolverError> {
        let mut by_scene = vec![JointState::default(); self.joints.order.len()];
        if !by_scene.is_empty() {
            let states: Vec<JointState> = self.buffers.read("joint_states")?;
            self.joints.order.iter().zip(states).for_each(|(joint, state)| by_scene[*joint as usize] = state);
        }
        Ok(by_scene)
    }

    /// Waits for the GPU and reads where all particles are [m], shape [particle_count].
    ///
    /// # Errors
    /// As [`Solver::read_particles`].
    pub fn read_positions(&self) -> Result<Vec<Vec3>, SolverError> {
        Ok(self.read_particles()?.into_iter().map(|[x, y, z, _]| Vec3::new(x, y, z)).collect())
    }

    /// Waits for the GPU and reads how fast all particles are [m/s], shape [particle_count]; only free ones are up to date.
    ///
    /// # Errors
    /// As [`Solver::read_particle_velocities`].
    pub fn read_velocities(&self) -> Result<Vec<Vec3>, SolverError> {
        Ok(self.read_particle_velocities()?.into_iter().map(|[x, y, z, _]| Vec3::new(x, y, z)).collect())
    }

    /// Waits until all submitted frames are simulated.
    ///
    /// # Errors
    /// [`GpuError::Lost`].
    pub fn wait(&self) -> Result<(), SolverError> {
        Ok(self.context.wait()?)
    }

    /// Waits for the GPU and reads along which edges cloth has parted, at one end or both, in the order of
    /// [`Scene::tears`](crate::scene::Scene::tears).
    ///
    /// # Errors
    /// [`SolverError`] when the device is lost.
    pub fn read_torn(&self) -> Result<Vec<bool>, SolverError> {
        Ok(self.read_torn_edges()?.into_iter().map(|t| t != 0).collect())
    }

    /// Waits for the GPU and reads the particles at the corners of all triangles, in the order of
    /// [`Scene::triangles`](crate::scene::Scene::triangles): those of the scene, but where cloth has torn. [`Scene::parted`] takes them.
    ///
    /// # Errors
    /// [`SolverError`] when the device is lost.
    pub fn read_triangles(&self) -> Result<Vec<[u32; 3]>, SolverError> {
        let mut triangles = self.scene.triangles.clone();
        if self.stages.constraints.tears.corners > 0 {
            let corners: Vec<u32> = self.buffers.read("tear_corners")?;
            for (face, corners) in self.constraints.tears.faces().iter().zip(corners.as_chunks().0) {
                triangles[*face as usize] = *corners;
            }
        }
        Ok(triangles)
    }

    pub(super) fn read_torn_edges(&self) -> Result<Vec<u32>, SolverError> {
        if self.stages.constraints.tears.corners == 0 { Ok(Vec::new()) } else { Ok(self.buffers.read("torn_edges")?) }
    }

    /// What flowed so far, to be kept while buffers are made anew.
    pub(in crate::solver) fn read_plastic(&self) -> Result<Vec<Inverse>, SolverError> {
        if self.constraints.plastic.is_empty() {
            return Ok(Vec::new());
        }
        let words: Vec<u32> = self.buffers.read("constraint_words")?;
        Ok(self.constraints.plastic.iter().map(|row| row.inverse(&words)).collect())
    }

    /// How rest shapes were turned last, in the order of the scene, to be kept while buffers are made anew.
    pub(in crate::solver) fn read_global_rotations(&self) -> Result<Vec<[f32; 4]>, SolverError> {
        let global = &self.constraints.global;
        let found = if global.rows.is_empty() { Vec::new() } else { self.buffers.read("global_rotations")? };
        Ok(global.in_scene_order(&found))
    }
}
