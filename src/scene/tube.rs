//! Tubes to draw along particles: ropes and rods.

use glam::Vec4;

use super::check::{number, positive};
use super::{DeformableId, ParticleId, Scene, SceneError};

/// A round tube through particles that follow one another.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tube {
    /// The first particle of its middle line.
    pub first_particle: ParticleId,
    /// How many there are, 2 or more.
    pub count: u32,
    /// The first of as many particles beside the line, towards which one side of the tube is turned; without them the tube
    /// is not twisted.
    pub first_ghost: Option<ParticleId>,
    /// Radius [m], above 0.
    pub radius: f32,
    /// Linear colours of both halves around: stripes that show a twist.
    pub colors: [Vec4; 2],
}

impl Scene {
    /// Draws a tube on particles that are there already.
    ///
    /// # Errors
    /// [`SceneError`] for fewer than two particles, particles that do not exist, or a number out of range.
    pub fn add_tube(&mut self, tube: Tube) -> Result<(), SceneError> {
        let item = "tube";
        number(item, "number of particles", tube.count as f32, tube.count >= 2, "2 or more")?;
        positive(item, "radius", tube.radius)?;
        for color in tube.colors {
            number(item, "color", color.element_sum(), color.cmpge(Vec4::ZERO).all(), "finite and 0 or more")?;
        }
        let count = self.particles.len();
        for first in [Some(tube.first_particle), tube.first_ghost].into_iter().flatten() {
            let index = first.0 as usize + tube.count as usize - 1;
            if index >= count {
                return Err(SceneError::Missing { item: item.into(), field: "particle", index, count });
            }
        }
        self.tubes.push(tube);
        Ok(())
    }

    /// Draws a rope or rod as thick as its particles.
    ///
    /// # Errors
    /// As [`Scene::add_tube`].
    ///
    /// # Panics
    /// If the id is not of this scene.
    pub fn draw_rope(&mut self, id: DeformableId, colors: [Vec4; 2]) -> Result<(), SceneError> {
        let extent = &self.deformables[id.0 as usize];
        let first_particle = extent.first_particle;
        let count = extent.particle_count - extent.ghost_count;
        let first_ghost = (extent.ghost_count == count).then_some(ParticleId(first_particle.0 + count));
        let radius = self.particles[first_particle.0 as usize].radius;
        self.add_tube(Tube { first_particle, count, first_ghost, radius, colors })
    }
}
