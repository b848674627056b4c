//! Ropes: particles along a line, a distance between neighbors and a bend at each inner one.

use std::collections::BinaryHeap;

use glam::Vec3;

use super::check::{not_negative, positive};
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
    /// [`SceneError`] for a number out of range, or points that coincide.
    pub fn rope(name: &str, points: Vec<Vec3>, radius: f32, material: &RopeMaterial) -> Result<Self, SceneError> {
        let item = &format!("rope `{name}`");
        positive(item, "mass per length", material.line_density)?;
        not_negative(item, "stretch compliance", material.stretch)?;
        let mut rope = Self::new(name, points, 0.0, radius);
        for i in 1..rope.rest.len() {
            let (a, b) = (rope.rest[i - 1], rope.rest[i]);
            let half = 0.5 * material.line_density * a.distance(b);
            rope.masses[i - 1] += half;
            rope.masses[i] += half;
            rope.join(&Distance::between([i as u32 - 1, i as u32], [a, b], material.stretch))?;
        }
        if material.bend.is_finite() {
            for i in 2..rope.rest.len() {
                let particles = [i - 2, i - 1, i].map(|i| i as u32);
                rope.join(&RopeBend::between(particles, particles.map(|p| rope.rest[p as usize]), material.bend))?;
            }
        }
        Ok(rope)
    }

    /// Ties every particle to the pinned one that is nearest along the distance constraints, so that it never gets farther
    /// away than along them at rest, times 1 + `give` (long-range attachments, Kim et al. 2012): cloth and ropes that hang do
    /// not stretch however few iterations there are. Pin first.
    ///
    /// # Errors
    /// [`SceneError`] for a `give` below 0 or a compliance below 0.
    pub fn tether(&mut self, give: f32, compliance: f32) -> Result<(), SceneError> {
        not_negative(&format!("deformable `{}`", self.name), "give", give)?;
        for (particle, near) in self.nearest_pins().into_iter().enumerate() {
            // Neighbors of a pin have their own constraint with it.
            if let Some((pin, length, _)) = near.filter(|(_, _, steps)| *steps > 1) {
                let rest_length = length * (1.0 + give);
                let particles = [pin, particle as u32];
                self.join(&Distance { particles, rest_length, compliance, tension_only: true })?;
            }
        }
        Ok(())
    }

    /// For every particle the nearest pinned one along distance constraints, how far that is [m] and by how many (Dijkstra).
    fn nearest_pins(&self) -> Vec<Option<(u32, f32, u32)>> {
        let mut neighbors = vec![Vec::new(); self.rest.len()];
        for row in self.constraints.iter().filter(|row| row.kind.name == "distance") {
            let [a, b] = [row.particles[0], row.particles[1]];
            neighbors[a as usize].push((b, row.values[0]));
            neighbors[b as usize].push((a, row.values[0]));
        }
        let mut found = vec![None; self.rest.len()];
        // Lengths are not negative, so their bits are ordered as they are; the least comes first.
        let key = |length: f32| std::cmp::Reverse(length.to_bits());
        let pins = (0..self.rest.len() as u32).filter(|i| self.masses[*i as usize] == 0.0);
        let mut open: BinaryHeap<_> = pins.map(|pin| (key(0.0), pin, pin, 0)).collect();
        while let Some((std::cmp::Reverse(bits), at, pin, steps)) = open.pop() {
            let length = f32::from_bits(bits);
            if found[at as usize].is_some() {
                continue;
            }
            found[at as usize] = Some((pin, length, steps));
            open.extend(neighbors[at as usize].iter().map(|(next, rest)| (key(length + rest), *next, pin, steps + 1)));
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tethers_are_as_long_as_the_way() {
        // A rope bent at a right angle: the way is longer than the distance.
        let points = vec![Vec3::ZERO, Vec3::X, 2.0 * Vec3::X, Vec3::new(2.0, 1.0, 0.0)];
        let mut rope = Deformable::rope("rope", points, 0.1, &RopeMaterial::default()).unwrap();
        rope.pin(|at| at == Vec3::ZERO);
        let before = rope.constraints.len();
        rope.tether(0.1, 0.0).unwrap();
        let tethers: Vec<_> = rope.constraints[before..].iter().map(|r| (r.joined().to_vec(), r.values[0])).collect();
        assert_eq!(tethers.len(), 2);
        for ((ends, length), expected) in tethers.iter().zip([([0, 2], 2.2), ([0, 3], 3.3)]) {
            assert_eq!(*ends, expected.0);
            assert!((length - expected.1).abs() < 1e-6);
        }
        assert!(rope.tether(-0.1, 0.0).is_err());
    }
}
