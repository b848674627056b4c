//! Meshes whose points move.

use std::collections::HashMap;
use std::sync::Arc;

use glam::{Vec2, Vec3, Vec4};

use crate::scene::{Material, Shell};

/// A mesh whose points move.
#[derive(Clone, Debug)]
pub(super) struct Form {
    pub(super) name: String,
    pub(super) parts: Vec<Part>,
    /// Whose images the materials show.
    pub(super) shell: Option<Arc<Shell>>,
    /// Multiplies the base color, linear.
    pub(super) tint: Vec4,
    /// Whether each corner of a triangle is a point of its own, as where it tears.
    pub(super) corners: bool,
}

/// Triangles of one material.
#[derive(Clone, Debug)]
pub(super) struct Part {
    pub(super) material: Material,
    /// Of each vertex, or empty.
    pub(super) uvs: Vec<Vec2>,
    /// Of each vertex, or empty.
    pub(super) colors: Vec<Vec4>,
    pub(super) indices: Vec<u32>,
    /// The point of each vertex.
    pub(super) points: Vec<u32>,
}

impl Form {
    /// Vertices of all parts.
    pub(super) fn vertices(&self) -> usize {
        self.parts.iter().map(|part| part.points.len()).sum()
    }

    /// Unit normals of points at `places`: means over the triangles of each, by their area.
    pub(super) fn normals(&self, places: &[Vec3]) -> Vec<Vec3> {
        let mut sums = vec![Vec3::ZERO; places.len()];
        for part in &self.parts {
            for triangle in part.indices.as_chunks::<3>().0 {
                let three = triangle.map(|vertex| part.points[vertex as usize] as usize);
                let [a, b, c] = three.map(|point| places[point]);
                let normal = (b - a).cross(c - a);
                three.iter().for_each(|point| sums[*point] += normal);
            }
        }
        if self.corners {
            // Corners that still hang together are at one place.
            let key = |place: &Vec3| place.to_array().map(f32::to_bits);
            let mut shared: HashMap<[u32; 3], Vec3> = HashMap::new();
            places.iter().zip(&sums).for_each(|(place, sum)| *shared.entry(key(place)).or_default() += *sum);
            places.iter().zip(&mut sums).for_each(|(place, sum)| *sum = shared[&key(place)]);
        }
        sums.into_iter().map(|sum| sum.normalize_or(Vec3::Y)).collect()
    }
}
