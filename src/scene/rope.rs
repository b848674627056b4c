//! Ropes: particles along a line, a distance between neighbors and a bend at each inner one.

use glam::Vec3;

use super::check::{compliance_or_none, not_negative, positive};
use super::{Deformable, SceneError};
use crate::constraints::{Distance, RopeBend};

/// What a rope is made of.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RopeMaterial {
    /// Mass per length [kg/m], above 0.
    pub line_density: f32,
    /// Compliance of every segment [m/N].
    pub stretch: f32,
    /// Compliance of every bend [m/N]; infinite for none.
    pub bend: f32,
}

impl Default for RopeMaterial {
    fn default() -> Self {
        Self { line_density: 0.1, stretch: 1e-6, bend: 1e-3 }
    }
}

impl Deformable {
    /// A rope through these points [m] with particles of `radius` [m].
    ///
    /// # Errors
    /// [`SceneError`] for a single point, a number out of range, or points that coincide.
    pub fn rope(name: &str, points: Vec<Vec3>, radius: f32, material: &RopeMaterial) -> Result<Self, SceneError> {
        let item = &format!("rope `{name}`");
        positive(item, "mass per length", material.line_density)?;
        not_negative(item, "stretch compliance", material.stretch)?;
        compliance_or_none(item, "bend compliance", material.bend)?;
        let mut rope = Self::new(name, points, 0.0, radius);
        for i in 1..rope.rest.len() {
            let (a, b) = (rope.rest[i - 1], rope.rest[i]);
            let half = 0.5 * material.line_density * a.distance(b);
            rope.masses[i - 1] += half;
            rope.masses[i] += half;
            rope.join(&Distance::between([i as u32 - 1, i as u32], [a, b], material.stretch))?;
        }
        rope.check_masses(item, "point", "give the rope two points or more")?;
        if material.bend.is_finite() {
            for i in 2..rope.rest.len() {
                let particles = [i - 2, i - 1, i].map(|i| i as u32);
                rope.join(&RopeBend::between(particles, particles.map(|p| rope.rest[p as usize]), material.bend))?;
            }
        }
        Ok(rope)
    }
}
