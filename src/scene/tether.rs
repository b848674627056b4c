//! Long-range attachments (Kim et al. 2012): what hangs is tied to the nearest pin, at its rest distance along the surface.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use glam::Vec3;

use super::check::{not_negative, number};
use super::{Deformable, SceneError};
use crate::constraints::Distance;

/// How a particle is reached from a pin.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Way {
    pin: u32,
    /// [m]
    length: f32,
    /// Constraints passed.
    steps: u32,
}

impl Deformable {
    /// Ties every particle to the pinned one that is nearest along the surface or line, so that it never gets farther away
    /// than at rest, times 1 + `give`: cloth and ropes that hang do not stretch however few iterations there are. Pin first.
    ///
    /// # Errors
    /// [`SceneError`] for a `give` below 0 or a compliance below 0, and where nothing is pinned.
    pub fn tether(&mut self, give: f32, compliance: f32) -> Result<(), SceneError> {
        let item = &format!("deformable `{}`", self.name);
        not_negative(item, "give", give)?;
        let pins = self.masses.iter().filter(|mass| **mass == 0.0).count();
        number(item, "number of pinned particles", pins as f32, pins > 0, "1 or more: pin before tether")?;
        for (particle, way) in self.nearest_pins().into_iter().enumerate() {
            // Neighbors of a pin have their own constraint with it.
            if let Some(Way { pin, length, .. }) = way.filter(|way| way.steps > 1) {
                let rest_length = length * (1.0 + give);
                let particles = [pin, particle as u32];
                self.join(&Distance { particles, rest_length, compliance, tension_only: true })?;
            }
        }
        Ok(())
    }

    /// For every particle the nearest pinned one (Dijkstra).
    fn nearest_pins(&self) -> Vec<Option<Way>> {
        let neighbors = self.links();
        let mut found = vec![None; self.rest.len()];
        // Lengths are not negative, so their bits are ordered as they are; the least comes first.
        let key = |length: f32| Reverse(length.to_bits());
        let pins = (0..self.rest.len() as u32).filter(|i| self.masses[*i as usize] == 0.0);
        let mut open: BinaryHeap<_> = pins.map(|pin| (key(0.0), pin, pin, 0)).collect();
        while let Some((Reverse(bits), at, pin, steps)) = open.pop() {
            let length = f32::from_bits(bits);
            if found[at as usize].is_some() {
                continue;
            }
            found[at as usize] = Some(Way { pin, length, steps });
            let next =
                neighbors[at as usize].iter().map(|(next, far, count)| (key(length + far), *next, pin, steps + count));
            open.extend(next);
        }
        found
    }

    /// Of every particle those that can be reached from it directly: along a distance or the edge of a woven triangle, and straight across the edge between
    /// two triangles that bend there, without which ways over a grid would be up to 40 % too long and not 8 %. With the length [m] and
    /// the number of distances that the step counts for.
    fn links(&self) -> Vec<Vec<(u32, f32, u32)>> {
        let mut neighbors = vec![Vec::new(); self.rest.len()];
        let mut link = |a: u32, b: u32, length: f32, steps: u32| {
            neighbors[a as usize].push((b, length, steps));
            neighbors[b as usize].push((a, length, steps));
        };
        for row in &self.constraints {
            if let Some(kept) = row.stretch() {
                let [a, b] = kept.particles;
                link(a, b, kept.rest_length, 1);
            } else if row.strains() && row.joined().len() == 3 {
                let [a, b, c, _] = row.particles;
                for (p, q) in [(a, b), (b, c), (c, a)] {
                    link(p, q, self.rest[p as usize].distance(self.rest[q as usize]), 1);
                }
            } else if row.bends()
                && let Some(length) = across(row.particles.map(|p| self.rest[p as usize]))
            {
                let [_, _, c, d] = row.particles;
                link(c, d, length, 2);
            }
        }
        neighbors
    }
}

/// Distance of c and d with the triangles abc and abd unfolded into a plane [m], if the straight way passes between a and b.
fn across([a, b, c, d]: [Vec3; 4]) -> Option<f32> {
    let along = (b - a).normalize_or_zero();
    let flat = |p: Vec3| {
        let t = along.dot(p - a);
        (t, (p - a - t * along).length())
    };
    let ((tc, hc), (td, hd)) = (flat(c), flat(d));
    let crossing = tc + (td - tc) * hc / (hc + hd);
    (0.0..=a.distance(b)).contains(&crossing).then(|| (tc - td).hypot(hc + hd))
}

#[cfg(test)]
mod tests {
    use glam::Quat;

    use super::*;
    use crate::scene::{RopeMaterial, SheetGrid, SheetMaterial};

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
        rope.masses[0] = 1.0;
        let told = rope.tether(0.0, 0.0).unwrap_err().to_string();
        assert!(told.contains("`rope`") && told.contains("pin before tether"), "{told}");
    }

    #[test]
    fn ways_over_a_bent_sheet_are_nearly_the_shortest() {
        let grid = SheetGrid::square(21, 1.0);
        // Rolled about x: distances along the surface are those of the flat sheet.
        let roll = |p: Vec3| Vec3::new(p.x, 0.0, 0.0) + 0.2 * (Quat::from_rotation_x(p.z / 0.2) * Vec3::Y);
        let flat = grid.positions();
        let rest = flat.iter().map(|p| roll(*p)).collect();
        let mut sheet = Deformable::sheet("roll", rest, &grid.triangles(), 0.02, &SheetMaterial::default()).unwrap();
        let corner = roll(flat[0]);
        sheet.pin(|at| at == corner);
        let ratio = |(way, at): (&Option<Way>, &Vec3)| way.unwrap().length / at.distance(flat[0]);
        let ratios: Vec<f32> = sheet.nearest_pins().iter().zip(&flat).skip(1).map(ratio).collect();
        // With steps along axes and diagonals a way is at most 1 / cos 22.5° too long; chords are a little shorter than arcs.
        assert!(ratios.iter().all(|r| (0.995..1.0825).contains(r)), "{ratios:?}");
        assert!(ratios.iter().sum::<f32>() / (ratios.len() as f32) < 1.05);
    }
}
