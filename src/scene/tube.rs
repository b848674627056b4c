//! Tubes to draw along particles: ropes and rods.

use glam::Vec4;
use serde::{Deserialize, Serialize};

use super::ParticleId;
use super::check::{Check, number, positive, present};

/// What a rope or rod is drawn of: one round tube, or strands that wind around its middle line, as those of a laid rope or the hair of a wisp.
/// Up to four lie side by side around the line, more fill it evenly.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Strands {
    /// How many, 1 to 64.
    pub count: u32,
    /// How often they wind around the line [turns/m], at most 1 000 either way; clockwise, seen along the line, above 0.
    pub turns: f32,
    /// Radius of all together over that of the particles, above 0 and at most 100.
    pub spread: f32,
    /// Width at the last particle over that at the first, 0 to 1.
    pub taper: f32,
}

impl Default for Strands {
    /// One tube, as thick as the particles.
    fn default() -> Self {
        Self { count: 1, turns: 0.0, spread: 1.0, taper: 1.0 }
    }
}

impl Strands {
    /// A rope of three strands, laid as ropes are: particles of this radius [m] wind them once around in eight radii.
    pub fn laid(radius: f32) -> Self {
        Self { count: 3, turns: 1.0 / (8.0 * radius), spread: 1.1, taper: 1.0 }
    }

    fn check(&self) -> Check {
        let item = "strands";
        number(item, "count", self.count as f32, (1..=64).contains(&self.count), "1 to 64")?;
        number(item, "turns", self.turns, self.turns.abs() <= 1e3, "-1 000 to 1 000")?;
        number(item, "spread", self.spread, self.spread > 0.0 && self.spread <= 100.0, "above 0 and at most 100")?;
        number(item, "taper", self.taper, (0.0..=1.0).contains(&self.taper), "0 to 1")
    }
}

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
    /// Linear colors of both halves around: stripes that show a twist. Strands have shades from the one to the other.
    pub colors: [Vec4; 2],
    /// What it is drawn of.
    #[serde(default)]
    pub strands: Strands,
}

impl Tube {
    /// Checks it for a scene with so many particles.
    pub(super) fn check(&self, particle_count: usize) -> Check {
        let item = "tube";
        number(item, "number of particles", self.count as f32, self.count >= 2, "2 or more")?;
        positive(item, "radius", self.radius)?;
        self.strands.check()?;
        for color in self.colors {
            number(item, "color", color.element_sum(), color.cmpge(Vec4::ZERO).all(), "finite and 0 or more")?;
        }
        for first in [Some(self.first_particle), self.first_ghost].into_iter().flatten() {
            present(item, "particle", first.0 as usize + self.count as usize - 1, particle_count)?;
        }
        Ok(())
    }
}
