//! Pools: copies of a scene that are kept ready, so that they enter and leave a running world without rebuilding anything.

use glam::Vec3;
use serde::{Deserialize, Serialize};

use super::body::{Body, Particle};
use super::collider::Collider;
use super::part::Part;
use super::placement::Placement;

/// Index of a pool in its scene.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct PoolId(pub u32);

/// Copies of a scene, in the world or kept out of it.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Pool {
    /// Particles of each copy, as they enter.
    pub particles: Vec<Particle>,
    /// Bodies of each copy, as they enter.
    pub bodies: Vec<Body>,
    /// Colliders of each copy, as they enter.
    pub colliders: Vec<Collider>,
    /// What each copy has in the scene.
    pub copies: Vec<Part>,
    /// Whether each copy is in the world.
    pub present: Vec<bool>,
    /// Where each copy was put last, and how much faster than it was made [m/s].
    pub places: Vec<(Placement, Vec3)>,
}
