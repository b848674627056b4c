//! Coarser triangles of models that bend, over the same vertices: details smaller than a pixel need not be drawn.

use std::collections::{HashMap, HashSet};

use super::geometry::normal;
use crate::scene::Primitive;

/// Widths of the cells whose vertices become one [m].
pub(super) const CELLS: [f32; 3] = [0.012, 0.024, 0.048];

/// The triangles of `primitive` that are left when all vertices in a cell of this width [m] that face the same eighth of all
/// directions are one of them; each once. That one is of the primitive's border, if any is, and chosen by its place: then
/// primitives that meet there still do.
pub(super) fn triangles(primitive: &Primitive, cell: f32) -> Vec<u32> {
    let border = border(&primitive.indices);
    let key = |i: u32| {
        let facing = normal(primitive, i as usize).to_array().map(|part| part > 0.0);
        ((primitive.positions[i as usize] / cell).floor().as_ivec3().to_array(), facing)
    };
    let rank = |i: u32| (!border.contains(&i), primitive.positions[i as usize].to_array().map(f32::to_bits));
    let mut chosen: HashMap<_, u32> = HashMap::new();
    let count = primitive.positions.len() as u32;
    for i in 0..count {
        let one = chosen.entry(key(i)).or_insert(i);
        if rank(i) < rank(*one) {
            *one = i;
        }
    }
    let kept: Vec<u32> = (0..count).map(|i| chosen[&key(i)]).collect();
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

/// Vertices of edges that only one triangle has.
fn border(indices: &[u32]) -> HashSet<u32> {
    let mut uses: HashMap<[u32; 2], u32> = HashMap::new();
    for [a, b, c] in indices.as_chunks::<3>().0 {
        for (from, to) in [(a, b), (b, c), (c, a)] {
            *uses.entry([*from.min(to), *from.max(to)]).or_default() += 1;
        }
    }
    uses.into_iter().filter(|(_, uses)| *uses == 1).flat_map(|(edge, _)| edge).collect()
}

/// Which of the meshes, the full one and one for each of [`CELLS`], shows all that is as wide as `finest` [m].
pub(super) fn level(finest: f32) -> usize {
    CELLS.iter().take_while(|cell| **cell <= finest).count()
}

#[cfg(test)]
mod tests {
    use glam::Vec3;

    use super::*;

    #[test]
    fn meshes_that_meet_still_do() {
        let place = |x: f32, z: f32| 0.01 * Vec3::new(x + 0.3, 0.5, z + 0.3);
        // Two strips of 20 by 4 squares, 1 cm wide each, that share the line z = 0.
        let strip = |side: f32| {
            let mut strip = Primitive::default();
            for i in 0..21 * 5u32 {
                strip.positions.push(place((i % 21) as f32, side * (i / 21) as f32));
            }
            for i in (0..21 * 4u32).filter(|i| i % 21 < 20) {
                strip.indices.extend([i, i + 21, i + 1, i + 1, i + 21, i + 22]);
            }
            strip
        };
        let line = |strip: &Primitive| -> HashSet<u32> {
            let used: HashSet<u32> = triangles(strip, 0.024).into_iter().collect();
            used.into_iter().filter(|i| *i < 21).collect()
        };
        let [ahead, back] = [1.0, -1.0].map(|side| line(&strip(side)));
        assert!(ahead.len() < 15 && ahead == back, "{ahead:?} {back:?}");
    }

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
