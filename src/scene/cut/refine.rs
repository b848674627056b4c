//! Skins refined to the resolution of what is inside them.

use std::collections::BTreeMap;

use glam::Vec3;

use crate::scene::{Anchor, Primitive, Shell};

/// Most rounds, each of which halves edges, and most corners of triangles of a part: what is large beside its inside stays coarse.
const ROUNDS: usize = 8;
const MOST: usize = 3 << 17;

/// Divides triangles whose edges are longer than this [m], with particles at `places` [m]; `anchor` says what a new point follows.
pub(super) fn refine(shell: &mut Shell, places: &[Vec3], longest: f32, mut anchor: impl FnMut(Vec3) -> Anchor) {
    for _ in 0..ROUNDS {
        let mut halves: BTreeMap<[u32; 2], u32> = BTreeMap::new();
        let at: Vec<Vec3> = shell.points.iter().map(|point| point.position(places)).collect();
        for (part, points) in shell.model.primitives.iter_mut().zip(&mut shell.vertex_points) {
            if part.indices.len() > MOST {
                continue;
            }
            let mut vertices: BTreeMap<[u32; 2], u32> = BTreeMap::new();
            let mut half = |part: &mut Primitive, a: u32, b: u32| {
                let ends = [a, b].map(|vertex| points[vertex as usize]);
                let [p, q] = ends.map(|point| at[point as usize]);
                if p.distance(q) <= longest {
                    return None;
                }
                let point = *halves.entry([ends[0].min(ends[1]), ends[0].max(ends[1])]).or_insert_with(|| {
                    shell.points.push(anchor(0.5 * (p + q)));
                    shell.points.len() as u32 - 1
                });
                Some(*vertices.entry([a.min(b), a.max(b)]).or_insert_with(|| {
                    points.push(point);
                    part.halve([a, b])
                }))
            };
            let old = std::mem::take(&mut part.indices);
            for [a, b, c] in old.as_chunks::<3>().0.iter().copied() {
                let between = [half(part, a, b), half(part, b, c), half(part, c, a)];
                part.indices.extend(divided([a, b, c], between).into_iter().flatten());
            }
        }
        if halves.is_empty() {
            return;
        }
    }
}

/// A triangle whose edges have these middles.
fn divided([a, b, c]: [u32; 3], middles: [Option<u32>; 3]) -> Vec<[u32; 3]> {
    match middles {
        [None, None, None] => vec![[a, b, c]],
        [Some(m), None, None] => vec![[a, m, c], [m, b, c]],
        [Some(m), Some(n), None] => vec![[m, b, n], [a, m, n], [a, n, c]],
        [Some(m), Some(n), Some(o)] => vec![[a, m, o], [m, b, n], [o, n, c], [m, n, o]],
        [m, n, o] => divided([b, c, a], [n, o, m]),
    }
}

impl Primitive {
    /// Adds a vertex like another one.
    pub(super) fn repeat(&mut self, vertex: u32) -> u32 {
        self.halve([vertex; 2])
    }

    /// Adds a vertex between two; it follows the bones of the first.
    fn halve(&mut self, [a, b]: [u32; 2]) -> u32 {
        let [a, b] = [a, b].map(|i| i as usize);
        self.positions.push(0.5 * (self.positions[a] + self.positions[b]));
        if let (Some(one), Some(other)) = (self.normals.get(a), self.normals.get(b)) {
            self.normals.push((*one + *other).normalize_or(*one));
        }
        if !self.uvs.is_empty() {
            self.uvs.push(0.5 * (self.uvs[a] + self.uvs[b]));
        }
        if !self.colors.is_empty() {
            self.colors.push(0.5 * (self.colors[a] + self.colors[b]));
        }
        if !self.influences.is_empty() {
            self.influences.push(self.influences[a]);
        }
        self.positions.len() as u32 - 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::Material;

    #[test]
    fn a_skin_becomes_fine_and_keeps_its_area() {
        let rest = [Vec3::ZERO, Vec3::X, Vec3::new(1.0, 0.0, 1.0), Vec3::Z];
        let mut shell = Shell::on_particles(&rest, &[[0, 2, 1], [0, 3, 2]], &[], Material::default());
        refine(&mut shell, &rest, 0.3, |at| Anchor {
            particles: [0, 1, 3, 3],
            weights: [1.0 - at.x - at.z, at.x, at.z, 0.0],
        });
        let part = &shell.model.primitives[0];
        let corner = |vertex: u32| shell.points[shell.vertex_points[0][vertex as usize] as usize].position(&rest);
        let mut area = 0.0;
        for [a, b, c] in part.indices.as_chunks::<3>().0.iter().map(|t| t.map(corner)) {
            let normal = 0.5 * (b - a).cross(c - a);
            assert!(normal.y > 0.0 && a.distance(b).max(b.distance(c)).max(c.distance(a)) <= 0.3);
            area += normal.y;
        }
        assert!((area - 1.0).abs() < 1e-5, "{area}");
        // Neighbors share what is between them: Euler's formula for a disk.
        let mut edges = std::collections::BTreeSet::new();
        for [a, b, c] in part.indices.as_chunks::<3>().0.iter().map(|t| t.map(|v| shell.vertex_points[0][v as usize])) {
            edges.extend([[a, b], [b, c], [c, a]].map(|[p, q]| [p.min(q), p.max(q)]));
        }
        assert_eq!(shell.points.len() + part.indices.len() / 3, edges.len() + 1);
    }
}
