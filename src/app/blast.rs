//! The player's explosions: where the ray of the pointer or the eye meets the scene.

use anyhow::Result;

use super::grab::{Ray, aim};
use super::world::World;
use crate::scene::Explosion;

/// Where a ray that meets nothing explodes [m].
const FAR: f32 = 8.0;
/// How far below its center an explosion seems to come from, in its radii: things fly up from a ground.
const LIFT: f32 = 0.3;

/// Explosions to set off.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Bang {
    /// Speed that it gives at its center [m/s].
    pub(crate) speed: f32,
    /// How far it reaches [m].
    pub(crate) radius: f32,
}

impl Default for Bang {
    fn default() -> Self {
        Self { speed: 12.0, radius: 2.5 }
    }
}

impl World {
    /// Sets off an explosion where the ray meets a body or a collider.
    ///
    /// # Errors
    /// The state cannot be read.
    pub(crate) fn explode(&mut self, ray: Ray, bang: Bang) -> Result<()> {
        let states = self.solver.read_bodies()?;
        let at = ray.at(aim(self.solver.scene(), &states, ray).unwrap_or(FAR));
        let explosion = Explosion { lift: LIFT * bang.radius, ..Explosion::new(at, bang.radius, bang.speed) };
        Ok(self.solver.explode(explosion)?)
    }
}
