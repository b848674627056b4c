//! What a ragdoll is built with.

use super::error::RagdollError;

/// How a ragdoll is built. Lengths are shares of the character's longest extent.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RagdollSettings {
    /// Distance between particles, twice their radius, in 0.01..=0.2 [share of the size].
    pub spacing: f32,
    /// Bones whose skin is shorter than this become part of their parent, in 0..=1 [share of the size].
    pub merge: f32,
    /// Most bodies, 1 or more; 24 for a humanoid and 48 for anything else if not given.
    pub max_bodies: Option<usize>,
    /// Most particles of a body, 8 or more; beyond it they are up to four times as large, and then more are taken.
    pub max_body_particles: usize,
    /// Density [kg/m³], above 0.
    pub density: f32,
    /// Friction of a joint as a share of the torque with which gravity turns what hangs on it, 0 or more.
    pub friction: f32,
    /// Share of the relative angular velocity that a joint loses per second [1/s], 0 or more.
    pub damping: f32,
}

impl Default for RagdollSettings {
    fn default() -> Self {
        Self {
            spacing: 0.03,
            merge: 0.10,
            max_bodies: None,
            max_body_particles: 320,
            density: 1000.0,
            friction: 0.04,
            damping: 6.0,
        }
    }
}

impl RagdollSettings {
    pub(super) fn check(&self) -> Result<(), RagdollError> {
        let fault = |field, value: f32, allowed| Err(RagdollError::Setting { field, value, allowed });
        match self {
            s if !(0.01..=0.2).contains(&s.spacing) => fault("spacing", s.spacing, "from 0.01 to 0.2"),
            s if !(0.0..=1.0).contains(&s.merge) => fault("merge", s.merge, "from 0 to 1"),
            s if s.max_bodies == Some(0) => fault("max_bodies", 0.0, "1 or more"),
            s if s.max_body_particles < 8 => fault("max_body_particles", s.max_body_particles as f32, "8 or more"),
            s if !(s.density > 0.0 && s.density.is_finite()) => fault("density", s.density, "above 0"),
            s if !(s.friction >= 0.0 && s.friction.is_finite()) => fault("friction", s.friction, "0 or more"),
            s if !(s.damping >= 0.0 && s.damping.is_finite()) => fault("damping", s.damping, "0 or more"),
            _ => Ok(()),
        }
    }
}
