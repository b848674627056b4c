//! Triangles cut until no edge is long. An edge is cut by its length alone, so both sides of it agree and no gap opens.

use std::collections::HashMap;

use glam::Vec3;

use crate::scene::Primitive;

/// Most rounds: each halves what is too long.
const MOST_ROUNDS: usize = 12;

/// Halves edges longer than `longest` [m] until there are none; positions, normals, texture coordinates and colors of new
/// vertices are in the middle. Influences of bones are dropped.
pub(super) fn refine(part: &mut Primitive, longest: f32) {
    part.influences.clear();
    for _ in 0..MOST_ROUNDS {
        let mut middles = Middles { part, longest, known: HashMap::new() };
        let triangles: Vec<[u32; 3]> = middles.part.indices.as_chunks::<3>().0.to_vec();
        let finer: Vec<[u32; 3]> = triangles.into_iter().flat_map(|t| middles.cut(t)).collect();
        if finer.len() == part.indices.len() / 3 {
            return;
        }
        part.indices = finer.into_flattened();
    }
}

/// Vertices in the middle of edges that are too long.
struct Middles<'p> {
    part: &'p mut Primitive,
    longest: f32,
    known: HashMap<[u32; 2], u32>,
}

impl Middles<'_> {
    fn length(&self, a: u32, b: u32) -> f32 {
        self.part.positions[a as usize].distance(self.part.positions[b as usize])
    }

    /// The vertex in the middle of an edge, if it is too long.
    fn middle(&mut self, a: u32, b: u32) -> Option<u32> {
        if self.length(a, b) <= self.longest {
            return None;
        }
        let [a, b] = [a.min(b), a.max(b)];
        if let Some(known) = self.known.get(&[a, b]) {
            return Some(*known);
        }
        let (i, j, part) = (a as usize, b as usize, &mut *self.part);
        let made = part.positions.len() as u32;
        part.positions.push(0.5 * (part.positions[i] + part.positions[j]));
        let normal = (part.normals[i] + part.normals[j]).normalize_or(Vec3::Y);
        part.normals.push(normal);
        if !part.uvs.is_empty() {
            part.uvs.push(0.5 * (part.uvs[i] + part.uvs[j]));
        }
        if !part.colors.is_empty() {
            part.colors.push(0.5 * (part.colors[i] + part.colors[j]));
        }
        self.known.insert([a, b], made);
        Some(made)
    }

    /// What a triangle becomes: itself, or two to four that turn the same way.
    fn cut(&mut self, t: [u32; 3]) -> Vec<[u32; 3]> {
        let middles = [self.middle(t[0], t[1]), self.middle(t[1], t[2]), self.middle(t[2], t[0])];
        let turned = |by: usize| ([t[by % 3], t[(by + 1) % 3], t[(by + 2) % 3]], by);
        match middles {
            [None, None, None] => vec![t],
            [Some(d), Some(e), Some(f)] => vec![[t[0], d, f], [d, t[1], e], [f, e, t[2]], [d, e, f]],
            _ => {
                // Turned so that the edge from a to b is cut and the one from c to a is not.
                let by = (0..3).find(|i| middles[*i].is_some() && middles[(i + 2) % 3].is_none());
                let ([a, b, c], by) = turned(by.unwrap_or(0));
                match (middles[by], middles[(by + 1) % 3]) {
                    (Some(d), Some(e)) if self.length(d, c) < self.length(a, e) => {
                        vec![[d, b, e], [d, e, c], [d, c, a]]
                    }
                    (Some(d), Some(e)) => vec![[d, b, e], [a, d, e], [a, e, c]],
                    (Some(d), None) => vec![[a, d, c], [d, b, c]],
                    (None, _) => vec![t],
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use glam::{Vec2, Vec4};

    use super::*;

    fn areas(part: &Primitive) -> Vec<f32> {
        let corner = |i: u32| part.positions[i as usize];
        let t = part.indices.as_chunks::<3>().0.iter().map(|t| t.map(corner));
        t.map(|[a, b, c]| 0.5 * (b - a).cross(c - a).z).collect()
    }

    #[test]
    fn triangles_of_any_shape_become_small_and_stay_whole() {
        let mut part = Primitive {
            positions: vec![Vec3::ZERO, 3.0 * Vec3::X, Vec3::new(3.0, 1.0, 0.0), Vec3::Y],
            normals: vec![Vec3::Z; 4],
            uvs: vec![Vec2::ZERO, Vec2::X, Vec2::ONE, Vec2::Y],
            colors: vec![Vec4::ONE; 4],
            indices: vec![0, 1, 2, 0, 2, 3],
            ..Primitive::default()
        };
        refine(&mut part, 0.3);
        let count = part.positions.len();
        assert_eq!((part.normals.len(), part.uvs.len(), part.colors.len()), (count, count, count));
        let areas = areas(&part);
        assert!((areas.iter().sum::<f32>() - 3.0).abs() < 1e-4 && areas.iter().all(|a| *a > 0.0));
        let mut edges: HashMap<[u32; 2], u32> = HashMap::new();
        for t in part.indices.as_chunks::<3>().0 {
            for [a, b] in [[t[0], t[1]], [t[1], t[2]], [t[2], t[0]]] {
                *edges.entry([a.min(b), a.max(b)]).or_default() += 1;
                assert!(part.positions[a as usize].distance(part.positions[b as usize]) <= 0.3);
            }
        }
        // Euler's formula for a disc: no vertex hangs in an edge.
        assert_eq!(count + part.indices.len() / 3, edges.len() + 1);
        for (p, uv) in part.positions.iter().zip(&part.uvs) {
            assert!((uv.x - p.x / 3.0).abs() < 1e-6 && (uv.y - p.y).abs() < 1e-6);
        }
    }
}
