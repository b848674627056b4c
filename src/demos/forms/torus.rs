//! Solid tori: sections of nested rings, swept around.

use glam::{Quat, Vec3};
use std::f32::consts::TAU;

use super::turned;
use crate::import::tets::{TetMesh, prism};

/// A round section: corners in the unit disc and triangles over them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Section {
    /// 12 corners around 4 around one: with 54 sections a torus of scene s2.
    S2,
    /// 8 corners around 4: with 19 sections one of the 400 tori of paper 3.
    Tori400,
}

impl Section {
    /// Corners by angle [turns] and radius, and triangles.
    fn mesh(self) -> (Vec<(f32, f32)>, Vec<[u32; 3]>) {
        let (outer, inner, middle): (u32, u32, bool) = match self {
            Self::S2 => (12, 4, true),
            Self::Tori400 => (8, 4, false),
        };
        let around = |count: u32, radius: f32| (0..count).map(move |i| (i as f32 / count as f32, radius));
        let mut corners: Vec<_> = around(outer, 1.0).chain(around(inner, 0.48)).collect();
        let ratio = outer / inner;
        let mut triangles = Vec::new();
        for i in 0..outer {
            // Each outer edge ends at the inner corner nearest to its middle.
            let near = |edge: u32| outer + ((2 * edge + 1 + ratio) / (2 * ratio)) % inner;
            let (own, next) = (near(i), near((i + 1) % outer));
            triangles.push([i, (i + 1) % outer, own]);
            if own != next {
                triangles.push([(i + 1) % outer, next, own]);
            }
        }
        if middle {
            let center = corners.len() as u32;
            corners.push((0.0, 0.0));
            triangles.extend((0..inner).map(|i| [outer + i, outer + (i + 1) % inner, center]));
        } else {
            triangles.extend([[outer, outer + 1, outer + 2], [outer, outer + 2, outer + 3]]);
        }
        (corners, triangles)
    }
}

/// A torus about the Y axis: `sections` sections, 3 or more, of radius `tube` [m] on a circle of radius `ring` [m].
pub fn torus(section: Section, sections: u32, ring: f32, tube: f32) -> TetMesh {
    let (corners, triangles) = section.mesh();
    let count = corners.len() as u32;
    let mut positions = Vec::new();
    let mut tets = Vec::new();
    for layer in 0..sections {
        let turn = Quat::from_rotation_y(TAU * layer as f32 / sections as f32);
        positions.extend(corners.iter().map(|(angle, radius)| {
            let (sin, cos) = (TAU * angle).sin_cos();
            turn * Vec3::new(ring + tube * radius * cos, tube * radius * sin, 0.0)
        }));
        let next = (layer + 1) % sections;
        // The last layer's prisms number their corners the other way round; they fit all the same.
        tets.extend(triangles.iter().flat_map(|t| prism(t.map(|c| layer * count + c), t.map(|c| next * count + c))));
    }
    turned("torus", positions, tets)
}
