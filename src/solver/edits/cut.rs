//! Blades that go through a running world, and air that comes into what had none: the scene is changed on the host, and goes on from
//! where everything is.

use crate::constraints::Give;
use crate::scene::{Blade, Cut, CutScene, DeformableId, Seams, Thing};
use crate::solver::upload::tables::Snapshot;
use crate::solver::{Solver, SolverError};

impl Solver {
    /// Cuts cloth, flesh and ropes where a blade goes through them. Cloth parts along the edges of its triangles and flesh along the faces
    /// of its tetrahedra, whichever are nearest to the blade; both keep their mass, and the particles that come are copies of those that
    /// were there ([`Extent::copies`](crate::scene::Extent::copies)); cloth that tears has spares for them, as far as they reach. Of ropes, and whatever has neither, the lengths go that the blade
    /// crosses. What keeps a whole shape of what is cut, as the pressure inside a balloon, ends. Bodies, liquids and grains do not feel a
    /// blade. Waits for the GPU, and makes buffers anew if anything has parted, as [`Solver::spawn`] does: a state that was saved before
    /// is of another world then.
    ///
    /// # Errors
    /// [`SolverError::Scene`] for a blade that is not finite, otherwise as [`Solver::new`]; the world stays as it was.
    pub fn cut(&mut self, blade: &Blade) -> Result<Cut, SolverError> {
        let mut next = self.scene.clone();
        let places = self.read_positions()?;
        let CutScene { mut cut, roots, kept } = next.cut(blade, &places)?;
        let seams = Seams::new(&self.scene);
        let splits = self.scene.cut_seams(&seams, &self.read_triangles()?, blade, &places);
        if cut.parted.is_empty() && splits.is_empty() {
            return Ok(cut);
        }
        let mut state = self.snapshot()?;
        self.split(&mut state, &seams, &splits, &mut cut);
        for root in roots {
            state.particles.push(state.particles[root as usize]);
            state.particle_velocities.push(state.particle_velocities[root as usize]);
        }
        let came = self.scene.particles.len();
        let masses = next.particles.iter().map(|particle| particle.mass).zip(&self.scene.particles);
        let shared = masses.enumerate().filter(|(_, (now, before))| *now != before.mass).map(|(i, _)| i);
        for i in shared.chain(came..next.particles.len()).collect::<Vec<_>>() {
            // What is pinned stays so; its copies are not.
            self.put_mass(&mut state, i, next.particles[i].mass);
        }
        let mut kept = kept.into_iter();
        state.global_rotations.retain(|_| kept.next().unwrap_or(true));
        self.go_on(next, &state)?;
        let parted: Vec<u32> =
            cut.parted.iter().map(|id| self.scene.deformables[id.0 as usize].first_particle.0).collect();
        self.wake_hung(|object| parted.contains(&object.first_particle.0));
        Ok(cut)
    }

    /// Lets vertices of cloth that tears take spares.
    fn split(&self, state: &mut Snapshot, seams: &Seams, splits: &[(DeformableId, u32, Vec<u32>)], cut: &mut Cut) {
        let mut changed = Vec::new();
        for (object, root, leaving) in splits {
            let Some(spare) = state.torn.split(*root, leaving) else { continue };
            let [from, to] = [*root, spare].map(|i| i as usize);
            let radius = state.particles[to][3];
            state.particles[to] = state.particles[from];
            state.particles[to][3] = radius;
            state.particle_velocities[to] = state.particle_velocities[from];
            changed.extend([*root, spare]);
            if !cut.parted.contains(object) {
                cut.parted.push(*object);
            }
        }
        let masses = state.torn.masses(&seams.shares);
        for particle in changed {
            self.put_mass(state, particle as usize, masses.get(&particle).copied().unwrap_or(0.0));
        }
    }

    /// Gives a particle this mass [kg], if it is pinned once it is let go of.
    fn put_mass(&self, state: &mut Snapshot, particle: usize, mass: f32) {
        let inverse = if mass > 0.0 { 1.0 / mass } else { 0.0 };
        let held = self.pins.contains_key(&(particle as u32));
        state.particle_velocities[particle][3] = if held { 0.0 } else { inverse };
        if held {
            state.torn.keep_inverse(particle, inverse);
        }
    }

    /// Lets flesh, or a closed mesh that was made without, have a pressure inside, which [`Solver::set_pressure`] then changes: at 1 it
    /// keeps the volume that it has at rest. Nothing changes where there is one. Waits for the GPU and makes buffers anew, as
    /// [`Solver::spawn`] does.
    ///
    /// # Errors
    /// [`SolverError::Missing`] for an object that is not of this scene; [`SolverError::Scene`] for what encloses nothing, as a sheet or
    /// a rope, and what is of a pool or tears; the world stays as it was.
    pub fn add_pressure(&mut self, object: DeformableId) -> Result<(), SolverError> {
        self.find_thing(Thing::Deformable(object))?;
        if self.compliance(object, Give::Pressure).is_ok() {
            return Ok(());
        }
        let mut next = self.scene.clone();
        next.enclose(object)?;
        let state = self.snapshot()?;
        self.go_on(next, &state)
    }
}
