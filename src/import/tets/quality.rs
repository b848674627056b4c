//! How good tetrahedra are: angles between their faces.

use super::{EDGES, TetMesh};

/// Angles between faces over a mesh [degrees]. A regular tetrahedron has 70.5 everywhere; a sliver has some near 0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Quality {
    /// Least angle.
    pub least: f32,
    /// Mean over all tetrahedra of their least angle.
    pub mean_least: f32,
    /// Largest angle.
    pub largest: f32,
    /// Share of the tetrahedra with an angle below 10 degrees, 0..=1.
    pub thin: f32,
}

impl TetMesh {
    /// Angles between faces; of a mesh without tetrahedra those of a regular one.
    pub fn quality(&self) -> Quality {
        let mut found = Quality { least: 70.53, mean_least: 70.53, largest: 70.53, thin: 0.0 };
        let (mut sum, mut thin) = (0.0_f64, 0);
        for tet in 0..self.tets.len() {
            let angles = self.angles(tet);
            let least = angles.iter().fold(180.0_f32, |m, a| m.min(*a));
            found.least = found.least.min(least);
            found.largest = angles.iter().fold(found.largest, |m, a| m.max(*a));
            sum += f64::from(least);
            thin += usize::from(least < 10.0);
        }
        if !self.tets.is_empty() {
            found.mean_least = (sum / self.tets.len() as f64) as f32;
            found.thin = thin as f32 / self.tets.len() as f32;
        }
        found
    }

    /// Angles at the six edges of a tetrahedron [degrees].
    fn angles(&self, tet: usize) -> [f32; 6] {
        let corners = self.corners(tet).map(|p| p.as_dvec3());
        EDGES.map(|[a, b]| {
            let other: Vec<usize> = (0..4).filter(|c| *c != a && *c != b).collect();
            let along = (corners[b] - corners[a]).normalize_or_zero();
            let side = |c: usize| (corners[c] - corners[a]).reject_from(along);
            let (u, v) = (side(other[0]), side(other[1]));
            u.cross(v).length().atan2(u.dot(v)).to_degrees() as f32
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Vec3;

    #[test]
    fn a_regular_tetrahedron_and_a_sliver() {
        let corner = |x: f32, y: f32, z: f32| Vec3::new(x, y, z);
        let regular = vec![corner(1., 1., 1.), corner(-1., -1., 1.), corner(-1., 1., -1.), corner(1., -1., -1.)];
        let quality = TetMesh { positions: regular, tets: vec![[0, 1, 2, 3]] }.quality();
        assert!((quality.least - 70.53).abs() < 0.01 && (quality.largest - 70.53).abs() < 0.01, "{quality:?}");
        let flat = vec![corner(0., 0., 0.), corner(1., 0., 0.), corner(1., 1., 0.01), corner(0., 1., -0.01)];
        let quality = TetMesh { positions: flat, tets: vec![[0, 1, 2, 3]] }.quality();
        assert!(quality.least < 4.0 && quality.largest > 170.0 && quality.thin == 1.0, "{quality:?}");
    }
}
