//! Rigid bodies: a state, a shape, and the particles attached to it.

use glam::{Mat3, Quat, Vec3};
use serde::{Deserialize, Serialize};

use super::check::{Check, SceneError, motion, not_negative, number, pose, positive, vector};
use super::dynamics::Dynamics;
use super::shape::Shape;

/// Index of a body in its scene.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct BodyId(pub u32);

/// Index of a particle in its scene.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct ParticleId(pub u32);

/// Surface properties of a body or collider.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Surface {
    /// Static friction coefficient, 0 or more [dimensionless]; a pair uses the mean, or 0 where one of them has 0; rigid bodies at most 1.5
    /// of it: with more, a box that slides would dig its edge in and gain speed.
    pub friction: f32,
    /// Restitution in 0..=1 [dimensionless]; a pair uses the larger.
    pub restitution: f32,
}

impl Default for Surface {
    fn default() -> Self {
        Self { friction: 0.6, restitution: 0.0 }
    }
}

/// A body to add: everything about it in its own frame, whose origin is its center of mass.
#[derive(Clone, Debug)]
pub struct BodyDesc {
    /// Name for messages and `inspect`.
    pub name: String,
    /// Collision shape.
    pub shape: Shape,
    /// Mass [kg], above 0.
    pub mass: f32,
    /// Inertia tensor about the center [kg m²], symmetric positive definite.
    pub inertia: Mat3,
    /// Particle positions in the body's frame [m], at least one.
    pub points: Vec<Vec3>,
    /// Radius of each particle [m].
    pub radius: f32,
    /// Radii of particles that differ [m], shape [points.len()]; empty where all have `radius`.
    pub radii: Vec<f32>,
    /// Center of mass in the world [m].
    pub position: Vec3,
    /// Orientation.
    pub rotation: Quat,
    /// Velocity of the center [m/s].
    pub velocity: Vec3,
    /// Angular velocity [rad/s].
    pub angular_velocity: Vec3,
    /// Friction and restitution.
    pub surface: Surface,
    /// Moved by the host only; pushes and is not pushed.
    pub kinematic: bool,
    /// Weight, damping and locked axes.
    pub dynamics: Dynamics,
}

/// A particle's place in a body (paper 5, listing 1).
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Link {
    /// The particle.
    pub particle: ParticleId,
    /// Its place in the body's frame [m].
    pub local: Vec3,
}

/// A body of a scene.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Body {
    /// Name for messages and `inspect`.
    pub name: String,
    /// Collision shape; bodies made from one description share it.
    pub shape: usize,
    /// Mass [kg].
    pub mass: f32,
    /// Inertia tensor about the center in the body's frame [kg m²].
    pub inertia: Mat3,
    /// First of the body's own particles.
    pub first_particle: u32,
    /// Number of its own particles.
    pub particle_count: u32,
    /// Its own particles, then those it shares.
    #[serde(with = "crate::pack")]
    pub links: Vec<Link>,
    /// Initial center [m].
    pub position: Vec3,
    /// Initial orientation.
    pub rotation: Quat,
    /// Initial velocity [m/s].
    pub velocity: Vec3,
    /// Initial angular velocity [rad/s].
    pub angular_velocity: Vec3,
    /// Friction and restitution.
    pub surface: Surface,
    /// Moved by the host only.
    pub kinematic: bool,
    /// Weight, damping and locked axes.
    #[serde(default)]
    pub dynamics: Dynamics,
    /// Out of the world.
    pub removed: bool,
    /// Of a pool: it enters the world and leaves it.
    pub pooled: bool,
    /// Bodies it never touches: its joint neighbors, and what the author excluded.
    #[serde(with = "crate::pack")]
    pub ignores: Vec<BodyId>,
}

/// A free particle, or the collision sphere of a body.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Particle {
    /// Initial position [m].
    pub position: Vec3,
    /// Initial velocity [m/s].
    pub velocity: Vec3,
    /// Radius [m], above 0.
    pub radius: f32,
    /// Mass [kg]; 0 holds a free particle in place. Body particles follow their body.
    pub mass: f32,
    /// Phase: which particles it meets.
    pub phase: Phase,
}

/// Which contacts a particle takes part in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Phase(pub u32);

/// Bits of a group; those above it are the class of its layers.
const GROUPS: u32 = 0xf_ffff;

impl Phase {
    /// The particle collides with nothing.
    pub const GHOST: Self = Self(1);
    /// A hinge limiter: meets its partner across the joint although neighbors do not touch.
    pub const LIMITER: Self = Self(2);
    /// Particles of its group meet too, unless they rest closer than they are large.
    pub const MEETS_ITSELF: Self = Self(4);
    /// A particle of a liquid.
    pub const LIQUID: Self = Self(8);

    /// Whether all bits of `other` are set.
    pub fn contains(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }

    /// Its group; 0 for none.
    pub fn group(self) -> u32 {
        (self.0 >> 8) & GROUPS
    }

    /// The same in this class of layers, below 16.
    pub(crate) fn with_class(self, class: u32) -> Self {
        Self((self.0 & 0x0fff_ffff) | (class << 28))
    }

    /// Particles of one group never meet one another, except with [`Phase::MEETS_ITSELF`]; group 0 means no group. At most 20 bits are kept.
    #[must_use]
    pub fn with_group(self, group: u32) -> Self {
        Self((self.0 & !(GROUPS << 8)) | ((group & GROUPS) << 8))
    }
}

impl Surface {
    pub(crate) fn check(&self, item: &str) -> Check {
        not_negative(item, "friction", self.friction)?;
        let e = self.restitution;
        number(item, "restitution", e, (0.0..=1.0).contains(&e), "from 0 to 1")
    }
}

impl BodyDesc {
    /// Its particles: where they are in its frame, and their radii [m].
    pub(super) fn balls(&self) -> impl Iterator<Item = (Vec3, f32)> + '_ {
        let radius = |i: usize| self.radii.get(i).copied().unwrap_or(self.radius);
        self.points.iter().enumerate().map(move |(i, point)| (*point, radius(i)))
    }

    pub(super) fn check(&self) -> Check {
        let item = &format!("body `{}`", self.name);
        if let Some(shape) = self.shape.without_inside() {
            return Err(SceneError::ColliderOnly { item: item.clone(), shape });
        }
        self.shape.check(item)?;
        positive(item, "mass", self.mass)?;
        positive(item, "particle radius", self.radius)?;
        inertia(item, self.inertia)?;
        let fit = f64::from(self.shape.bounding_radius() / self.radius).powi(2);
        if self.points.is_empty() && fit > f64::from(u16::MAX) {
            let allowed = "so large that at most 1048576 particles fill the body: enlarge it, or make the body smaller";
            return number(item, "particle radius", self.radius, false, allowed);
        }
        if self.points.is_empty() {
            return Err(SceneError::Empty { item: item.clone(), field: "particles" });
        }
        self.points.iter().try_for_each(|p| vector(item, "particle position", *p))?;
        let (index, count) = (self.points.len(), self.radii.len());
        if count != 0 && count != index {
            return Err(SceneError::Missing { item: item.clone(), field: "particle radius", index, count });
        }
        self.radii.iter().try_for_each(|r| positive(item, "particle radius", *r))?;
        pose(item, self.position, self.rotation, self.velocity, self.angular_velocity)?;
        self.dynamics.check(item)?;
        self.surface.check(item)
    }
}

pub(super) fn inertia(item: &str, tensor: Mat3) -> Check {
    let eigen = nalgebra::Matrix3::from_fn(|r, c| tensor.col(c)[r]);
    if tensor.to_cols_array().iter().any(|v| !v.is_finite()) {
        return number(item, "inertia", f32::NAN, false, "finite");
    }
    let least = eigen.symmetric_eigenvalues().min();
    number(item, "least principal inertia", least, least > 0.0, "above 0")
}

impl Particle {
    pub(super) fn check(&self, index: usize) -> Check {
        let item = &format!("particle {index}");
        vector(item, "position", self.position)?;
        motion(item, self.velocity, Vec3::ZERO)?;
        positive(item, "radius", self.radius)?;
        not_negative(item, "mass", self.mass)
    }
}
