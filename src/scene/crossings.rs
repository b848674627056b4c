//! Triangles of surfaces that pass through one another, counted from positions alone.

use glam::{DVec3, Vec3};
use rayon::prelude::*;

use super::{Layers, ParticleId, Phase, Scene};

/// Pairs of triangles that intersect, those with a common corner left out. Triangles are indices into `places` [m].
///
/// # Panics
/// If a triangle has a corner that is not among the places.
pub fn crossings(triangles: &[[u32; 3]], places: &[Vec3]) -> u32 {
    crossings_of(triangles, places, &|_, _| true)
}

impl Scene {
    /// Pairs of triangles that intersect with particles at `places` [m] although their things meet: not those of one thing that
    /// passes through itself, of layers that do not meet, of what meets nothing, or with corners that were one before cloth tore.
    ///
    /// # Panics
    /// For fewer places than particles.
    pub fn crossings(&self, places: &[Vec3]) -> u32 {
        let phase = |t: [u32; 3]| self.particles[t[0] as usize].phase;
        let ghost = |t: &[u32; 3]| t.iter().all(|i| self.particles[*i as usize].phase.contains(Phase::GHOST));
        let triangles: Vec<[u32; 3]> = self.triangles.iter().filter(|t| !ghost(t)).copied().collect();
        let members = self.members();
        let spare = |i: u32| self.deformables.iter().any(|extent| extent.spares().contains(&i));
        let place = |i: u32| self.particles[i as usize].position;
        let were_one = |a: u32, b: u32| place(a) == place(b) && (spare(a) || spare(b));
        let tears = self.deformables.iter().any(|extent| extent.spare_count > 0);
        let meet = |a: [u32; 3], b: [u32; 3]| {
            if tears && a.iter().any(|i| b.iter().any(|k| were_one(*i, *k))) {
                return false;
            }
            let (p, q) = (phase(a), phase(b));
            if p.group() != 0 && p.group() == q.group() {
                return p.contains(Phase::MEETS_ITSELF);
            }
            let of =
                |t: [u32; 3]| members.thing(ParticleId(t[0])).map_or(Layers::default(), |thing| self.layers_of(thing));
            of(a).meet(of(b))
        };
        crossings_of(&triangles, places, &meet)
    }
}

/// The same of triangles that meet.
fn crossings_of(triangles: &[[u32; 3]], places: &[Vec3], meet: &(dyn Fn([u32; 3], [u32; 3]) -> bool + Sync)) -> u32 {
    let mut faces: Vec<Face> = triangles.iter().map(|t| Face::new(*t, places)).collect();
    faces.sort_by(|a, b| a.low.x.total_cmp(&b.low.x));
    let crossed = |i: usize| {
        let face = &faces[i];
        let reach = faces[i + 1..].iter().take_while(|other| other.low.x <= face.high.x);
        reach.filter(|other| face.crosses(other) && meet(face.corners, other.corners)).count() as u32
    };
    (0..faces.len()).into_par_iter().map(crossed).sum()
}

struct Face {
    corners: [u32; 3],
    at: [DVec3; 3],
    low: DVec3,
    high: DVec3,
}

impl Face {
    fn new(corners: [u32; 3], places: &[Vec3]) -> Self {
        let at = corners.map(|i| places[i as usize].as_dvec3());
        let [a, b, c] = at;
        Self { corners, at, low: a.min(b).min(c), high: a.max(b).max(c) }
    }

    fn crosses(&self, other: &Self) -> bool {
        let apart = self.high.cmplt(other.low).any() || other.high.cmplt(self.low).any();
        let joined = self.corners.iter().any(|i| other.corners.contains(i));
        !apart && !joined && (self.is_pierced(other) || other.is_pierced(self))
    }

    /// Whether an edge of `other` goes through the inside of this triangle (Möller and Trumbore 1997).
    fn is_pierced(&self, other: &Self) -> bool {
        let [a, b, c] = self.at;
        (0..3).any(|k| {
            let (from, along) = (other.at[k], other.at[(k + 1) % 3] - other.at[k]);
            let side = along.cross(c - a);
            let determinant = (b - a).dot(side);
            if determinant == 0.0 {
                return false;
            }
            let offset = from - a;
            let u = offset.dot(side) / determinant;
            let turned = offset.cross(b - a);
            let v = along.dot(turned) / determinant;
            let t = (c - a).dot(turned) / determinant;
            u > 0.0 && v > 0.0 && u + v < 1.0 && t > 0.0 && t < 1.0
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_crosses_is_counted_once_and_what_touches_is_not() {
        let flat = [Vec3::ZERO, Vec3::X, Vec3::Z];
        let turned = |at: Vec3| flat.map(|p| at + glam::Quat::from_rotation_x(-1.2) * p);
        // Through the first, beside it, and parallel to it.
        let others =
            [turned(Vec3::new(0.2, -0.2, 0.2)), turned(Vec3::new(2.0, -0.2, 0.2)), flat.map(|p| p + Vec3::Y * 1e-6)];
        let places: Vec<Vec3> = flat.into_iter().chain(others.into_iter().flatten()).collect();
        // The second pierces both the first and the last.
        assert_eq!(crossings(&[[0, 1, 2], [3, 4, 5], [6, 7, 8], [9, 10, 11]], &places), 2);
    }
}
