//! Turns any closed mesh of the field into one of well-shaped triangles whose size follows the detail: edges are split,
//! collapsed and flipped, vertices slide along the surface (Botsch and Kobbelt 2004, "A remeshing approach to
//! multiresolution modeling"). Every step keeps the mesh closed.

use glam::Vec3;

use crate::field;
use crate::mesh::{Mesh, area_normal, edges};

/// Mark of a triangle that was removed.
const GONE: [u32; 3] = [u32::MAX; 3];

struct Remesher<'a> {
    points: Vec<Vec3>,
    triangles: Vec<[u32; 3]>,
    /// Triangles around every vertex.
    rings: Vec<Vec<u32>>,
    /// Wanted edge length at a point [m].
    size: &'a dyn Fn(Vec3) -> f32,
}

/// The mesh with edges near `size(point)` [m], after `rounds` passes of improvement.
pub fn remesh(mesh: Mesh, size: &dyn Fn(Vec3) -> f32, rounds: usize) -> Mesh {
    let mut rings = vec![Vec::new(); mesh.points.len()];
    for (i, triangle) in mesh.triangles.iter().enumerate() {
        triangle.iter().for_each(|v| rings[*v as usize].push(i as u32));
    }
    let mut work = Remesher { points: mesh.points, triangles: mesh.triangles, rings, size };
    for _ in 0..rounds {
        work.split_long();
        work.collapse_short();
        work.flip_uneven();
        work.relax();
    }
    work.finish()
}

impl Remesher<'_> {
    fn point(&self, v: u32) -> Vec3 {
        self.points[v as usize]
    }

    fn length(&self, (a, b): (u32, u32)) -> f32 {
        (self.point(b) - self.point(a)).length()
    }

    fn wanted(&self, (a, b): (u32, u32)) -> f32 {
        (self.size)((self.point(a) + self.point(b)) * 0.5)
    }

    /// Every edge once, in a fixed order.
    fn edges(&self) -> Vec<(u32, u32)> {
        self.triangles.iter().filter(|t| **t != GONE).flat_map(|t| edges(*t)).filter(|(a, b)| a < b).collect()
    }

    /// Vertices joined to `v` by an edge, ascending.
    fn neighbors(&self, v: u32) -> Vec<u32> {
        let ring = self.rings[v as usize].iter();
        let mut found: Vec<u32> = ring.flat_map(|t| self.triangles[*t as usize]).filter(|n| *n != v).collect();
        found.sort_unstable();
        found.dedup();
        found
    }

    /// The two triangles of an edge with the corner opposite to it; `None` if the edge is gone.
    fn sides(&self, (a, b): (u32, u32)) -> Option<[(u32, u32); 2]> {
        let with = |from: u32, to: u32| {
            self.rings[from as usize].iter().find_map(|t| {
                let corners = self.triangles[*t as usize];
                let at = edges(corners).iter().position(|e| *e == (from, to))?;
                Some((*t, corners[(at + 2) % 3]))
            })
        };
        Some([with(a, b)?, with(b, a)?])
    }

    fn put(&mut self, triangle: u32, corners: [u32; 3]) {
        for v in self.triangles[triangle as usize].into_iter().filter(|v| *v != u32::MAX) {
            self.rings[v as usize].retain(|t| *t != triangle);
        }
        self.triangles[triangle as usize] = corners;
        for v in corners.into_iter().filter(|v| *v != u32::MAX) {
            self.rings[v as usize].push(triangle);
        }
    }

    fn split_long(&mut self) {
        for edge in self.edges() {
            if self.length(edge) < 1.34 * self.wanted(edge) {
                continue;
            }
            let Some([(t, c), (u, d)]) = self.sides(edge) else { continue };
            let (a, b) = edge;
            let m = self.points.len() as u32;
            self.points.push(field::project((self.point(a) + self.point(b)) * 0.5));
            self.rings.push(Vec::new());
            self.put(t, [a, m, c]);
            self.put(u, [m, a, d]);
            for corners in [[m, b, c], [b, m, d]] {
                self.triangles.push(GONE);
                self.put(self.triangles.len() as u32 - 1, corners);
            }
        }
    }

    fn collapse_short(&mut self) {
        let mut short: Vec<_> = self.edges().into_iter().filter(|e| self.length(*e) < 0.8 * self.wanted(*e)).collect();
        short.sort_by(|a, b| self.length(*a).total_cmp(&self.length(*b)));
        for edge in short {
            if self.sides(edge).is_some() && self.length(edge) < 0.8 * self.wanted(edge) {
                self.collapse(edge);
            }
        }
    }

    /// Merges `b` into `a` unless that would pinch the surface, fold a triangle or stretch an edge.
    fn collapse(&mut self, (a, b): (u32, u32)) {
        let (near_a, near_b) = (self.neighbors(a), self.neighbors(b));
        let shared = near_a.iter().filter(|n| near_b.contains(n)).count();
        if shared != 2 || near_a.len() + near_b.len() < 8 || near_a.len() + near_b.len() > 13 {
            return;
        }
        let middle = field::project((self.point(a) + self.point(b)) * 0.5);
        let longest = 1.34 * (self.size)(middle);
        if near_a.iter().chain(&near_b).any(|n| *n != a && *n != b && (self.point(*n) - middle).length() > longest) {
            return;
        }
        let around: Vec<u32> = self.rings[a as usize].iter().chain(&self.rings[b as usize]).copied().collect();
        for t in &around {
            let corners = self.triangles[*t as usize];
            if corners.contains(&a) && corners.contains(&b) {
                continue;
            }
            let old = corners.map(|v| self.point(v));
            let new = corners.map(|v| if v == a || v == b { middle } else { self.point(v) });
            let (old, new) = (area_normal(old).normalize_or_zero(), area_normal(new).normalize_or_zero());
            if new.dot(field::normal(middle)) < 0.3 || (old != Vec3::ZERO && old.dot(new) < 0.1) {
                return;
            }
        }
        for t in around {
            let corners = self.triangles[t as usize];
            if corners.contains(&a) && corners.contains(&b) {
                self.put(t, GONE);
            } else {
                self.put(t, corners.map(|v| if v == b { a } else { v }));
            }
        }
        self.points[a as usize] = middle;
    }

    /// Flips edges where that brings the number of neighbors nearer to six.
    fn flip_uneven(&mut self) {
        for (a, b) in self.edges() {
            let Some([(t, c), (u, d)]) = self.sides((a, b)) else { continue };
            let valence = |v: u32, change: i32| (self.rings[v as usize].len() as i32 + change - 6).pow(2);
            let before = valence(a, 0) + valence(b, 0) + valence(c, 0) + valence(d, 0);
            let after = valence(a, -1) + valence(b, -1) + valence(c, 1) + valence(d, 1);
            if after >= before || c == d || self.neighbors(c).contains(&d) {
                continue;
            }
            let turned = [[a, d, c], [d, b, c]];
            let outward = field::normal((self.point(a) + self.point(b)) * 0.5);
            let fine = |corners: [u32; 3]| {
                let normal = area_normal(corners.map(|v| self.point(v)));
                normal.dot(outward) > 0.6 * normal.length()
            };
            if turned.into_iter().all(fine) {
                self.put(t, turned[0]);
                self.put(u, turned[1]);
            }
        }
    }

    /// Moves every vertex toward the middle of its neighbors, along the surface.
    fn relax(&mut self) {
        for v in 0..self.points.len() as u32 {
            let near = self.neighbors(v);
            if near.is_empty() {
                continue;
            }
            let p = self.point(v);
            let step = near.iter().map(|n| self.point(*n)).sum::<Vec3>() / near.len() as f32 - p;
            let outward = field::normal(p);
            self.points[v as usize] = field::project(p + (step - outward * step.dot(outward)) * 0.6);
        }
    }

    /// The mesh without what was removed.
    fn finish(self) -> Mesh {
        let mut mesh = Mesh::default();
        let mut place = vec![u32::MAX; self.points.len()];
        for triangle in self.triangles.into_iter().filter(|t| *t != GONE) {
            mesh.triangles.push(triangle.map(|v| {
                let to = &mut place[v as usize];
                if *to == u32::MAX {
                    *to = mesh.points.len() as u32;
                    mesh.points.push(self.points[v as usize]);
                }
                *to
            }));
        }
        mesh
    }
}
