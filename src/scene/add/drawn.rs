//! What is drawn.

use std::sync::Arc;

use glam::{Vec3, Vec4};

use crate::scene::check::present;
use crate::scene::{
    BodyId, Bone, DeformableId, Instance, Model, ParticleId, Scene, SceneError, Shell, Strands, SurfaceMesh, Tube,
};

impl Scene {
    /// Draws `model` on these bones.
    ///
    /// # Errors
    /// [`SceneError`] when the model indexes a bone, material or vertex that is not there, or a bone a body or parent.
    pub fn add_instance(&mut self, instance: Instance) -> Result<(), SceneError> {
        instance.check(self.bodies.len())?;
        self.instances.push(instance);
        Ok(())
    }

    /// Draws `body` as its own shape in this linear color; models are shared between equal shapes by the caller
    /// passing the `Arc` that an earlier call returned.
    ///
    /// # Errors
    /// As [`Scene::add_instance`].
    pub fn draw_body(&mut self, body: BodyId, model: &Arc<Model>, tint: Vec4) -> Result<(), SceneError> {
        self.add_instance(Instance { model: Arc::clone(model), bones: vec![Bone::root(body, Vec3::ZERO)], tint })
    }

    /// Draws a surface on particles that are there already; the answer is its index.
    ///
    /// # Errors
    /// [`SceneError`] naming the surface, when it indexes a particle, point, vertex or material that is not there, when
    /// it has no triangles, or when the weights of a point do not sum to 1.
    pub fn add_surface(&mut self, surface: SurfaceMesh) -> Result<usize, SceneError> {
        surface.check(self.particles.len())?;
        self.surfaces.push(surface);
        Ok(self.surfaces.len() - 1)
    }

    /// Draws a deformable object by its first particles.
    ///
    /// # Errors
    /// As [`Scene::add_surface`], and for an object that is not there.
    pub fn draw_shell(&mut self, id: DeformableId, shell: &Arc<Shell>, tint: Vec4) -> Result<(), SceneError> {
        present("what a shell is drawn on", "object", id.0 as usize, self.deformables.len())?;
        let first_particle = self.deformables[id.0 as usize].first_particle;
        self.add_surface(SurfaceMesh { shell: Arc::clone(shell), first_particle, tint }).map(|_| ())
    }

    /// Draws a tube on particles that are there already.
    ///
    /// # Errors
    /// [`SceneError`] for fewer than two particles, particles that do not exist, or a number out of range.
    pub fn add_tube(&mut self, tube: Tube) -> Result<(), SceneError> {
        tube.check(self.particles.len())?;
        self.tubes.push(tube);
        Ok(())
    }

    /// Draws a rope or rod as one tube, as thick as its particles.
    ///
    /// # Errors
    /// As [`Scene::add_tube`].
    ///
    /// # Panics
    /// If the id is not of this scene.
    pub fn draw_rope(&mut self, id: DeformableId, colors: [Vec4; 2]) -> Result<(), SceneError> {
        self.draw_strands(id, colors, Strands::default())
    }

    /// Draws a rope or rod as strands.
    ///
    /// # Errors
    /// As [`Scene::add_tube`].
    ///
    /// # Panics
    /// If the id is not of this scene.
    pub fn draw_strands(&mut self, id: DeformableId, colors: [Vec4; 2], strands: Strands) -> Result<(), SceneError> {
        let extent = &self.deformables[id.0 as usize];
        let first_particle = extent.first_particle;
        let count = extent.whole_count() - extent.ghost_count;
        let first_ghost = (extent.ghost_count == count).then_some(ParticleId(first_particle.0 + count));
        let radius = self.particles[first_particle.0 as usize].radius;
        self.add_tube(Tube { first_particle, count, first_ghost, radius, colors, strands })
    }
}
