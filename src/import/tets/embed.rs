//! Where a point is in a mesh of tetrahedra: barycentric coordinates in the one that contains it, or in the nearest.

use std::collections::HashMap;

use glam::{DMat3, IVec3, Vec3};

use super::TetMesh;
use crate::import::triangles::TriangleTree;
use crate::scene::{Anchor, TriangleMesh};

/// Answers which tetrahedron a point follows.
#[derive(Debug)]
pub struct Embedder<'m> {
    mesh: &'m TetMesh,
    /// Side of a cell of `cells` [m].
    side: f32,
    /// Tetrahedra whose box touches each cell.
    cells: HashMap<IVec3, Vec<u32>>,
    /// The faces outside, and the tetrahedron of each.
    hull: TriangleTree,
    owners: Vec<usize>,
}

impl<'m> Embedder<'m> {
    /// Ready to answer for `mesh`, which has at least one tetrahedron of volume above 0.
    pub fn new(mesh: &'m TetMesh) -> Self {
        let side = mesh.mean_edge().max(f32::MIN_POSITIVE);
        let mut cells: HashMap<IVec3, Vec<u32>> = HashMap::new();
        for tet in 0..mesh.tets.len() {
            let corners = mesh.corners(tet);
            let low = corners.iter().fold(Vec3::MAX, |m, p| m.min(*p));
            let high = corners.iter().fold(Vec3::MIN, |m, p| m.max(*p));
            let (low, high) = ((low / side).floor().as_ivec3(), (high / side).floor().as_ivec3());
            for z in low.z..=high.z {
                for y in low.y..=high.y {
                    (low.x..=high.x).for_each(|x| cells.entry(IVec3::new(x, y, z)).or_default().push(tet as u32));
                }
            }
        }
        let (triangles, owners) = mesh.surface().into_iter().unzip();
        let hull = TriangleTree::new(&TriangleMesh { positions: mesh.positions.clone(), triangles });
        Self { mesh, side, cells, hull, owners }
    }

    /// What a point at `p` [m] follows, and how far outside of all tetrahedra it is [m], 0 inside.
    pub fn anchor(&self, p: Vec3) -> (Anchor, f32) {
        let near = self.cells.get(&(p / self.side).floor().as_ivec3());
        for tet in near.into_iter().flatten() {
            let weights = self.weights(*tet as usize, p);
            // A point on a face belongs to either side.
            if weights.iter().all(|w| *w >= -1.0e-5) {
                return (self.made(*tet as usize, weights), 0.0);
            }
        }
        let (tet, distance) = match self.hull.nearest(p) {
            Some(nearest) => (self.owners[nearest.triangle], nearest.distance),
            None => (0, 0.0),
        };
        (self.made(tet, self.weights(tet, p)), distance)
    }

    fn made(&self, tet: usize, weights: [f64; 4]) -> Anchor {
        Anchor { particles: self.mesh.tets[tet], weights: weights.map(|w| w as f32) }
    }

    /// Barycentric coordinates of `p` in a tetrahedron.
    fn weights(&self, tet: usize, p: Vec3) -> [f64; 4] {
        let [a, b, c, d] = self.mesh.corners(tet).map(|corner| corner.as_dvec3());
        let inverse = DMat3::from_cols(b - a, c - a, d - a).inverse();
        let w = inverse * (p.as_dvec3() - a);
        [1.0 - w.element_sum(), w.x, w.y, w.z]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::import::test_shapes::sphere;
    use crate::import::tets::{Lattice, Resolution};

    #[test]
    fn points_inside_and_beside_are_where_their_anchors_say() {
        let surface = sphere(0.5, 48, 32);
        let tree = TriangleTree::new(&surface);
        let mesh = Lattice::new(&tree, 0.4).build(Resolution::Spacing(0.12)).unwrap();
        let embedder = Embedder::new(&mesh);
        let mut inside = 0;
        for p in surface.positions.iter().flat_map(|p| [*p, 0.5 * *p]) {
            let (anchor, away) = embedder.anchor(p);
            assert!(anchor.position(&mesh.positions).distance(p) < 1e-5, "{p}");
            assert!((anchor.weights.iter().sum::<f32>() - 1.0).abs() < 1e-5);
            assert!(anchor.weights.iter().all(|w| w.abs() < 8.0), "{anchor:?}");
            assert!(away < 0.1, "{away}");
            inside += usize::from(away == 0.0);
            assert!(away > 0.0 || anchor.weights.iter().all(|w| *w >= -1.0e-4));
        }
        assert_eq!(inside, surface.positions.len(), "all at half the radius and none at the whole");
    }
}
