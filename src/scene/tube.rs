//! Tubes to draw along particles: ropes and rods.

use glam::Vec4;
use serde::{Deserialize, Serialize};

use super::ParticleId;
use super::check::{Check, number, positive, present};

/// A round tube through particles that follow one another.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
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

impl Tube {
    /// Checks it for a scene with so many particles.
    pub(super) fn check(&self, particle_count: usize) -> Check {
        let item = "tube";
        number(item, "number of particles", self.count as f32, self.count >= 2, "2 or more")?;
        positive(item, "radius", self.radius)?;
        for color in self.colors {
            number(item, "color", color.element_sum(), color.cmpge(Vec4::ZERO).all(), "finite and 0 or more")?;
        }
        for first in [Some(self.first_particle), self.first_ghost].into_iter().flatten() {
            present(item, "particle", first.0 as usize + self.count as usize - 1, particle_count)?;
        }
        Ok(())
    }
}
