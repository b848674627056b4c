//! A thing of any kind in a scene, as games name it: what was hit, what is inside, what carries the game's own data.

use serde::{Deserialize, Serialize};

use super::body::{BodyId, ParticleId};
use super::collider::ColliderId;
use super::deformable::DeformableId;
use super::liquid::{GrainsId, LiquidId};

/// Anything that can be met.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Thing {
    /// A rigid body, or a bone of a character.
    Body(BodyId),
    /// A part of the static or moving world.
    Collider(ColliderId),
    /// Cloth, flesh, a rope or a rod.
    Deformable(DeformableId),
    /// A liquid.
    Liquid(LiquidId),
    /// A kind of grains.
    Grains(GrainsId),
}

/// Which thing each particle is of: ranges of particles, in order.
#[derive(Clone, Debug, Default)]
pub struct Members {
    /// First particle, the one after the last, and whose they are.
    pub(in crate::scene) ranges: Vec<(u32, u32, Thing)>,
}

impl Members {
    /// What a particle is of; `None` for a free particle that belongs to no object.
    pub fn thing(&self, particle: ParticleId) -> Option<Thing> {
        let after = self.ranges.partition_point(|(first, ..)| *first <= particle.0);
        let (_, end, thing) = *self.ranges[..after].last()?;
        (particle.0 < end).then_some(thing)
    }
}
