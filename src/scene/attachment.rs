//! Particles fastened to bodies, so that cloth and flesh hang on rigid bodies and pull them, and clothes that go where their
//! wearers are placed.

use glam::Vec3;
use serde::{Deserialize, Serialize};

use super::{BodyId, DeformableId, ParticleId};

/// A free particle held at a point of a body.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Attachment {
    /// The particle.
    pub particle: ParticleId,
    /// The body.
    pub body: BodyId,
    /// The point in the body's frame [m].
    pub local: Vec3,
    /// Compliance [m/N].
    pub compliance: f32,
}

/// How a particle of a garment follows bodies that are put somewhere else: what each holds [share] and where, in the frame
/// of the body [m].
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Follow {
    /// Bodies, points in their frames [m], and shares that sum to 1.
    pub of: Vec<(BodyId, Vec3, f32)>,
}

/// A garment in a scene.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Worn {
    /// Its cloth.
    pub cloth: DeformableId,
    /// What its particles follow, shape [particle_count].
    pub follows: Vec<Follow>,
}
