//! The player's explosions: where the ray of the pointer or the eye meets the scene.

use anyhow::Result;
use serde::{Deserialize, Serialize};

use super::grab::{Ray, pick};
use crate::scene::Explosion;
use crate::solver::Solver;

/// Where a ray that meets nothing explodes [m].
const FAR: f32 = 8.0;
/// How far below its center an explosion seems to come from, in its radii: things fly up from a ground.
const LIFT: f32 = 0.3;

/// Explosions to set off.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
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

/// Sets off an explosion at the first thing that the ray meets.
///
/// # Errors
/// A lost device.
pub(crate) fn explode(solver: &mut Solver, ray: Ray, bang: Bang) -> Result<()> {
    let hit = pick(solver, ray, false)?;
    let at = ray.at(hit.map_or(FAR, |hit| hit.distance));
    let explosion = Explosion { lift: LIFT * bang.radius, ..Explosion::new(at, bang.radius, bang.speed) };
    Ok(solver.explode(explosion)?)
}
