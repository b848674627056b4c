//! Rods: ropes that keep their bend and twist. Each particle of the line has a ghost beside it that marks its
//! material frame (after Umetani et al. 2014, who mark one at each edge).

use std::f32::consts::PI;

use glam::Vec3;

use super::check::{number, positive};
use super::{Deformable, SceneError};
use crate::constraints::{Dihedral, Distance, Rod};
use crate::numbers::cubed;

/// What a rod is made of.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RodMaterial {
    /// Mass per length [kg/m], above 0.
    pub line_density: f32,
    /// E A, force by strain [N], above 0.
    pub stretch: f32,
    /// E I, bending moment by curvature [N m²], above 0.
    pub bend: f32,
    /// G J, torque by twist per length [N m²], above 0.
    pub twist: f32,
}

impl RodMaterial {
    /// A round rod of `radius` [m], density [kg/m³], Young's modulus E and shear modulus G [Pa].
    pub fn round(radius: f32, density: f32, young: f32, shear: f32) -> Self {
        let area = PI * radius * radius;
        // Of a disk about a diameter; about its axis it is twice that.
        let moment = 0.25 * area * radius * radius;
        Self { line_density: density * area, stretch: young * area, bend: young * moment, twist: shear * 2.0 * moment }
    }
}

/// Part of the mass that turns with the frames, a spacing off the line.
const GHOST_SHARE: f32 = 0.125;

impl Deformable {
    /// A rod through these points [m], at rest as it lies, with particles of `radius` [m]. Particles `0..count` are the points
    /// and `count..2 * count` their ghosts, which touch nothing. Pinning the first two points and the first ghost clamps it.
    ///
    /// # Errors
    /// [`SceneError`] for fewer than two points, a number out of range, or points that coincide or turn back.
    pub fn rod(name: &str, points: Vec<Vec3>, radius: f32, material: &RodMaterial) -> Result<Self, SceneError> {
        let item = &format!("rod `{name}`");
        let count = points.len();
        number(item, "number of points", count as f32, count >= 2, "2 or more")?;
        positive(item, "mass per length", material.line_density)?;
        for (field, value) in [
            ("stretch stiffness", material.stretch),
            ("bend stiffness", material.bend),
            ("twist stiffness", material.twist),
        ] {
            positive(item, field, value)?;
        }
        let lengths: Vec<f32> = points.windows(2).map(|w| w[0].distance(w[1])).collect();
        for length in &lengths {
            positive(item, "distance of neighboring points", *length)?;
        }
        let spacing = lengths.iter().sum::<f32>() / lengths.len() as f32;
        let normals = frames(&points);
        let ghosts = points.iter().zip(&normals).map(|(x, n)| *x + spacing * *n);
        let mut rod = Self::new(name, points.iter().copied().chain(ghosts).collect(), 0.0, radius);
        rod.ghosts = count as u32;
        for (i, length) in lengths.iter().enumerate() {
            let half = 0.5 * material.line_density * length;
            for end in [i, i + 1] {
                rod.masses[end] += (1.0 - GHOST_SHARE) * half;
                rod.masses[count + end] += GHOST_SHARE * half;
            }
        }
        rod.join_rod(&lengths, material)?;
        Ok(rod)
    }

    fn join_rod(&mut self, lengths: &[f32], material: &RodMaterial) -> Result<(), SceneError> {
        let count = lengths.len() + 1;
        let ghost = |i: usize| count + i;
        let keep = |this: &mut Self, [a, b]: [usize; 2], compliance| {
            let x = [this.rest[a], this.rest[b]];
            this.join(&Distance::between([a as u32, b as u32], x, compliance))
        };
        for (i, length) in lengths.iter().enumerate() {
            keep(self, [i, i + 1], length / material.stretch)?;
            let particles = [i, i + 1, ghost(i), ghost(i + 1)].map(|p| p as u32);
            let rest = particles.map(|p| self.rest[p as usize]);
            self.join(&Dihedral::between(particles, rest, length / material.twist))?;
        }
        for (i, two) in lengths.windows(2).enumerate() {
            let length = 0.5 * (two[0] + two[1]);
            let particles = [i, i + 1, i + 2, ghost(i + 1)].map(|p| p as u32);
            let rest = particles.map(|p| self.rest[p as usize]);
            self.join(&Rod { particles, rest, bend: cubed(length) / material.bend, frame: 0.0 })?;
        }
        // The ends have one edge only: two distances keep their ghosts square to it.
        for (end, next) in [(0, 1), (count - 1, count - 2)] {
            keep(self, [end, ghost(end)], 0.0)?;
            keep(self, [next, ghost(end)], 0.0)?;
        }
        Ok(())
    }
}

/// A unit vector square to the line at each point, carried along without turning about it; upward at first, if it can be.
fn frames(points: &[Vec3]) -> Vec<Vec3> {
    let last = points.len() - 1;
    let mut normal = Vec3::Y;
    let mut along = |i: usize| {
        let tangent = (points[(i + 1).min(last)] - points[i.saturating_sub(1)]).normalize_or(Vec3::X);
        let across = normal.reject_from_normalized(tangent);
        normal = if across.length() > 1e-2 { across.normalize() } else { tangent.any_orthonormal_vector() };
        normal
    };
    (0..=last).map(&mut along).collect()
}
