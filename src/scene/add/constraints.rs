//! Constraints of user-defined types.

use crate::constraints::{Definition, Row, UserConstraint, user_of};
use crate::scene::{ParticleId, Scene, SceneError};

impl Scene {
    /// Defines a type of constraint by its equation in WGSL. It is solved as those that are built in: colored, with compliance and
    /// damping, in the same kernels. Its text is compiled by [`Solver::new`](crate::solver::Solver::new), which names the line of
    /// what is wrong; [`check_gradient`](crate::solver::check_gradient) tells whether its gradient is that of its value.
    ///
    /// # Errors
    /// [`SceneError::Definition`] for a field out of range, or a name that another type has.
    pub fn define_constraint(&mut self, definition: &Definition) -> Result<UserConstraint, SceneError> {
        let defined = UserConstraint::define(definition)?;
        self.know(defined);
        Ok(defined)
    }

    /// Joins free particles by a constraint of a type that a user defined, with its numbers in the order of their names; the answer is
    /// its index. [`UserConstraint::row`] makes one for [`Deformable::join`](crate::scene::Deformable::join).
    ///
    /// # Errors
    /// [`SceneError`] when a particle does not exist or is named twice, for another number of particles or numbers than the definition
    /// has, or a number that is not finite. That a particle belongs to no body is seen by [`Scene::check`].
    pub fn add_user_constraint(
        &mut self,
        kind: UserConstraint,
        particles: &[ParticleId],
        values: &[f32],
    ) -> Result<usize, SceneError> {
        let particles: Vec<u32> = particles.iter().map(|particle| particle.0).collect();
        self.add_constraint(&kind.row(&particles, values)?)
    }

    /// Notes the types of some rows, if users defined them.
    pub(in crate::scene) fn know_types<'a>(&mut self, rows: impl IntoIterator<Item = &'a Row>) {
        rows.into_iter().filter_map(|row| user_of(row.kind)).for_each(|kind| self.know(kind));
    }

    fn know(&mut self, kind: UserConstraint) {
        if !self.constraint_types.contains(&kind) {
            self.constraint_types.push(kind);
        }
    }
}
