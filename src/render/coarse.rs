//! Coarser triangles of models that bend, over the same vertices: what is smaller than a pixel need not be drawn apart.

use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};

use glam::Vec3;

use super::geometry::normal;
use crate::scene::Primitive;

/// Widths of the cells whose vertices become one [m].
pub(super) const CELLS: [f32; 3] = [0.012, 0.024, 0.048];

/// The triangles of `primitive` that are left when all vertices in a cell of this width [m] that face the same eighth of all
/// directions are the first of them; each once.
pub(super) fn triangles(primitive: &Primitive, cell: f32) -> Vec<u32> {
    let mut firsts: HashMap<([i32; 3], [bool; 3]), u32> = HashMap::new();
    let facing = |n: Vec3| [n.x > 0.0, n.y > 0.0, n.z > 0.0];
    let first = |(i, place): (usize, &Vec3)| {
        let key = ((*place / cell).floor().as_ivec3().to_array(), facing(normal(primitive, i)));
        match firsts.entry(key) {
            Entry::Occupied(known) => *known.get(),
            Entry::Vacant(free) => *free.insert(i as u32),
        }
    };
    let kept: Vec<u32> = primitive.positions.iter().enumerate().map(first).collect();
    let mut seen = HashSet::new();
    let mut left = Vec::new();
    for corners in primitive.indices.as_chunks::<3>().0 {
        let triangle = corners.map(|i| kept[i as usize]);
        let mut sorted = triangle;
        sorted.sort_unstable();
        if sorted[0] != sorted[1] && sorted[1] != sorted[2] && seen.insert(sorted) {
            left.extend(triangle);
        }
    }
    left
}

/// Which of the meshes, the full one and one for each of [`CELLS`], shows all that is as wide as `finest` [m].
pub(super) fn level(finest: f32) -> usize {
    CELLS.iter().take_while(|cell| **cell <= finest).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fine_meshes_lose_triangles_and_coarse_ones_none() {
        // A sheet of 20 by 20 squares, 1 cm wide each.
        let mut sheet = Primitive::default();
        for i in 0..21 * 21u32 {
            sheet.positions.push(0.01 * Vec3::new((i % 21) as f32 + 0.5, 0.5, (i / 21) as f32 + 0.5));
            sheet.normals.push(Vec3::Y);
        }
        for i in (0..20 * 21u32).filter(|i| i % 21 < 20) {
            sheet.indices.extend([i, i + 21, i + 1, i + 1, i + 21, i + 22]);
        }
        assert_eq!(triangles(&sheet, 0.009).len(), sheet.indices.len());
        let coarse = triangles(&sheet, 0.048);
        assert!(coarse.len() < sheet.indices.len() / 8, "{}", coarse.len());
        let area = |t: &[u32; 3]| {
            let [a, b, c] = t.map(|i| sheet.positions[i as usize]);
            0.5 * (b - a).cross(c - a).y
        };
        let covered: f32 = coarse.as_chunks::<3>().0.iter().map(area).sum();
        assert!((0.8..1.05).contains(&(covered / 0.04)), "nothing is folded and little lost: {covered} m²");
        assert_eq!([0.001, 0.012, 0.03, 9.0].map(level), [0, 1, 2, 3]);
    }
}
