//! Tetrahedra: meshes of them, given or made around any surface, checked, weighed, and with skins that follow them.

mod describe;
mod embed;
mod given;
mod grid;
mod lattice;
mod quality;
mod repair;
mod soft;
mod stencil;
mod stuff;

use std::collections::HashMap;

use glam::{DVec3, Vec3};
use thiserror::Error;

pub use embed::Embedder;
pub use lattice::{Lattice, Resolution};
pub use quality::Quality;
pub use repair::{Mended, Repairs, mended, repaired};
pub use soft::{SoftPlan, soft_body};
pub use stencil::prism;
pub use stuff::fill;

/// A mesh that cannot become soft.
#[derive(Clone, Debug, Error, PartialEq)]
#[error("soft body `{name}`: {reason}")]
pub struct TetError {
    /// The body's name.
    pub name: String,
    /// What is wrong and what to change.
    pub reason: String,
}

/// Tetrahedra over shared corners.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TetMesh {
    /// Corners [m], shape [corner_count].
    pub positions: Vec<Vec3>,
    /// Four corners each, the last on the side from which the first three turn clockwise: volumes are above 0.
    pub tets: Vec<[u32; 4]>,
}

/// Corners of the face opposite to each corner, turning counterclockwise seen from outside.
pub(super) const FACES: [[usize; 3]; 4] = [[1, 2, 3], [0, 3, 2], [0, 1, 3], [0, 2, 1]];
/// Corners of the six edges.
pub(super) const EDGES: [[usize; 2]; 6] = [[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]];

impl TetMesh {
    /// Corners of a tetrahedron [m].
    pub fn corners(&self, tet: usize) -> [Vec3; 4] {
        self.tets[tet].map(|i| self.positions[i as usize])
    }

    /// Volume of all tetrahedra [m³].
    pub fn volume(&self) -> f32 {
        (0..self.tets.len()).map(|t| volume(self.corners(t))).sum::<f64>() as f32
    }

    /// Every edge once, smaller index first, sorted.
    pub fn edges(&self) -> Vec<[u32; 2]> {
        let pair = |t: &[u32; 4], [a, b]: [usize; 2]| [t[a].min(t[b]), t[a].max(t[b])];
        let mut edges: Vec<_> = self.tets.iter().flat_map(|t| EDGES.map(|e| pair(t, e))).collect();
        edges.sort_unstable();
        edges.dedup();
        edges
    }

    /// Faces of one tetrahedron only, turning counterclockwise seen from outside, with their tetrahedron, in its order.
    pub fn surface(&self) -> Vec<([u32; 3], usize)> {
        let key = |mut face: [u32; 3]| {
            face.sort_unstable();
            face
        };
        let faces = |t: &[u32; 4]| FACES.map(|f| f.map(|c| t[c]));
        let mut uses: HashMap<[u32; 3], u32> = HashMap::with_capacity(2 * self.tets.len());
        self.tets.iter().flat_map(faces).for_each(|f| *uses.entry(key(f)).or_default() += 1);
        let numbered = self.tets.iter().enumerate().flat_map(|(i, t)| faces(t).map(|f| (f, i)));
        numbered.filter(|(f, _)| uses[&key(*f)] == 1).collect()
    }

    /// Mean length of the edges [m]; 0 without tetrahedra.
    pub fn mean_edge(&self) -> f32 {
        let edges = self.edges();
        let length = |e: &[u32; 2]| f64::from(self.positions[e[0] as usize].distance(self.positions[e[1] as usize]));
        (edges.iter().map(length).sum::<f64>() / edges.len().max(1) as f64) as f32
    }

    /// Leaves out corners that no tetrahedron has.
    pub(super) fn packed(mut self) -> Self {
        let mut new = vec![u32::MAX; self.positions.len()];
        let mut positions = Vec::new();
        for corner in self.tets.iter_mut().flatten() {
            let old = *corner as usize;
            if new[old] == u32::MAX {
                new[old] = positions.len() as u32;
                positions.push(self.positions[old]);
            }
            *corner = new[old];
        }
        Self { positions, tets: self.tets }
    }
}

/// Signed volume [m³], in f64 because differences of products cancel.
pub(super) fn volume(corners: [Vec3; 4]) -> f64 {
    let [a, b, c, d] = corners.map(|p| p.as_dvec3());
    DVec3::dot(b - a, (c - a).cross(d - a)) / 6.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_tetrahedra_share_a_face() {
        let positions = vec![Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::Z, Vec3::ONE];
        let mesh = TetMesh { positions, tets: vec![[0, 1, 2, 3], [1, 2, 3, 4]] };
        assert!((0..2).all(|t| volume(mesh.corners(t)) > 0.0));
        assert_eq!((mesh.edges().len(), mesh.surface().len()), (9, 6));
        assert!((mesh.volume() - 0.5).abs() < 1e-6);
        for (face, tet) in mesh.surface() {
            let [a, b, c] = face.map(|i| mesh.positions[i as usize]);
            let middle = mesh.corners(tet).iter().sum::<Vec3>() / 4.0;
            assert!((b - a).cross(c - a).dot(a - middle) > 0.0, "{face:?} faces outward");
        }
    }
}
