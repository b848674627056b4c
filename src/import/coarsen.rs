//! Triangles made larger until no edge is short: edges are collapsed, the shortest first, as long as the surface keeps its topology, its
//! borders and its sides (Hoppe et al. 1993; link condition of Dey et al. 1999). Particles close together next to others far apart
//! are light ones that carry heavy ones, which a solver of few iterations cannot.

use std::cmp::Ordering;
use std::collections::BTreeSet;

use glam::Vec3;

use crate::scene::TriangleMesh;
use crate::scene::closest_on_triangle;

/// Most rounds: in each of them a vertex takes part in one collapse.
const MOST_ROUNDS: usize = 32;
/// Least cosine between the sides of a triangle before a collapse and after it.
const SAME_SIDE: f32 = 0.5;
/// Least height of a triangle over its longest edge after a collapse, unless it was less before.
const LEAST_HEIGHT: f32 = 0.1;
/// Of what is thinner already, least part of its height that stays.
const THINNER: f32 = 0.5;
/// Cosine between the two ways along a border from where it goes straight on.
const STRAIGHT: f32 = -0.8;

/// A mesh without short edges, and the vertex of it that each vertex before became.
pub(super) struct Coarse {
    pub(super) mesh: TriangleMesh,
    pub(super) vertex_of: Vec<u32>,
}

/// Collapses edges of `mesh` shorter than `shortest` [m] that leave none longer than `longest` [m].
pub(super) fn coarsen(mesh: &TriangleMesh, shortest: f32, longest: f32) -> Coarse {
    let mut surface = Surface::new(mesh, longest);
    for _ in 0..MOST_ROUNDS {
        let mut short = surface.edges(shortest);
        short.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        let mut touched = vec![false; mesh.positions.len()];
        let mut collapsed = false;
        for (_, [a, b]) in short {
            let (i, j) = (a as usize, b as usize);
            if !touched[i] && !touched[j] && surface.collapse(a, b) {
                collapsed = true;
                surface.neighbors(a).into_iter().for_each(|n| touched[n as usize] = true);
                touched[i] = true;
            }
        }
        if !collapsed {
            break;
        }
    }
    surface.finish()
}

impl Coarse {
    /// The point of the triangles at `vertex` that is nearest to `point`: corners and their weights.
    pub(super) fn nearest(&self, of: &[Vec<u32>], vertex: u32, point: Vec3) -> Option<([u32; 3], [f32; 3])> {
        let place = |t: &[u32; 3]| {
            let [a, b, c] = t.map(|i| self.mesh.positions[i as usize]);
            let at = closest_on_triangle(point, a, b, c);
            (at.distance_squared(point), weights(at, [a, b, c]))
        };
        let triangles = of[vertex as usize].iter().map(|i| self.mesh.triangles[*i as usize]);
        triangles.map(|t| (place(&t), t)).min_by(|a, b| a.0.0.total_cmp(&b.0.0)).map(|((_, weights), t)| (t, weights))
    }

    /// The triangles at each vertex.
    pub(super) fn triangles_at(&self) -> Vec<Vec<u32>> {
        triangles_at(&self.mesh)
    }
}

fn triangles_at(mesh: &TriangleMesh) -> Vec<Vec<u32>> {
    let mut of = vec![Vec::new(); mesh.positions.len()];
    for (t, i) in mesh.triangles.iter().zip(0..) {
        t.iter().for_each(|corner| of[*corner as usize].push(i));
    }
    of
}

/// Barycentric coordinates of a point of a triangle.
fn weights(at: Vec3, [a, b, c]: [Vec3; 3]) -> [f32; 3] {
    let normal = (b - a).cross(c - a);
    let square = normal.length_squared().max(f32::MIN_POSITIVE);
    let v = (at - a).cross(c - a).dot(normal) / square;
    let w = (b - a).cross(at - a).dot(normal) / square;
    [1.0 - v - w, v, w]
}

/// Where a vertex is: of two, the place of the greater one is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Standing {
    Inside,
    /// Where a border goes on.
    Border,
    /// Where it turns, or several meet.
    Corner,
}

/// A surface that is being made coarser.
struct Surface {
    positions: Vec<Vec3>,
    /// Corners; those that are gone have none.
    triangles: Vec<Option<[u32; 3]>>,
    /// Triangles at each vertex.
    of: Vec<Vec<u32>>,
    /// The vertex that took the place of each, itself if it is still there.
    became: Vec<u32>,
    longest: f32,
}

impl Surface {
    fn new(mesh: &TriangleMesh, longest: f32) -> Self {
        Self {
            positions: mesh.positions.clone(),
            triangles: mesh.triangles.iter().copied().map(Some).collect(),
            of: triangles_at(mesh),
            became: (0..mesh.positions.len() as u32).collect(),
            longest,
        }
    }

    fn at(&self, vertex: u32) -> Vec3 {
        self.positions[vertex as usize]
    }

    fn corners(&self, vertex: u32) -> impl Iterator<Item = [u32; 3]> + '_ {
        self.of[vertex as usize].iter().filter_map(|t| self.triangles[*t as usize])
    }

    /// Edges shorter than this [m], once each.
    fn edges(&self, shortest: f32) -> Vec<(f32, [u32; 2])> {
        let edges = self.triangles.iter().flatten().flat_map(|[a, b, c]| [[*a, *b], [*b, *c], [*c, *a]]);
        let edges: BTreeSet<[u32; 2]> = edges.map(|[a, b]| [a.min(b), a.max(b)]).collect();
        let long = edges.into_iter().map(|[a, b]| (self.at(a).distance(self.at(b)), [a, b]));
        long.filter(|(length, _)| *length < shortest).collect()
    }

    fn neighbors(&self, vertex: u32) -> BTreeSet<u32> {
        self.corners(vertex).flatten().filter(|n| *n != vertex).collect()
    }

    /// How many triangles have this edge.
    fn sides(&self, a: u32, b: u32) -> usize {
        self.corners(a).filter(|t| t.contains(&b)).count()
    }

    /// Where a vertex is; none where surfaces branch.
    fn standing(&self, vertex: u32) -> Option<Standing> {
        let mut border = Vec::new();
        for neighbor in self.neighbors(vertex) {
            match self.sides(vertex, neighbor) {
                1 => border.push((self.at(neighbor) - self.at(vertex)).normalize_or_zero()),
                2 => {}
                _ => return None,
            }
        }
        Some(match border[..] {
            [] => Standing::Inside,
            [one, other] if one.dot(other) < STRAIGHT => Standing::Border,
            _ => Standing::Corner,
        })
    }

    /// Moves both ends of an edge to one place, unless that would change what the surface is.
    fn collapse(&mut self, a: u32, b: u32) -> bool {
        let sides = self.sides(a, b);
        let common = self.neighbors(a).intersection(&self.neighbors(b)).count();
        let (Some(of_a), Some(of_b)) = (self.standing(a), self.standing(b)) else { return false };
        // Both at borders but the edge is not: it is a bridge.
        let bridge = of_a != Standing::Inside && of_b != Standing::Inside && sides == 2;
        if sides == 0 || common != sides || bridge || (of_a == Standing::Corner && of_b == Standing::Corner) {
            return false;
        }
        let places = match of_a.cmp(&of_b) {
            Ordering::Greater => vec![self.at(a)],
            Ordering::Less => vec![self.at(b)],
            Ordering::Equal => vec![0.5 * (self.at(a) + self.at(b)), self.at(a), self.at(b)],
        };
        let off = |place: &Vec3| self.distance_to_planes(a, *place) + self.distance_to_planes(b, *place);
        let Some(place) = places.into_iter().min_by(|p, q| off(p).total_cmp(&off(q))) else { return false };
        if !self.stays(a, b, place) || !self.stays(b, a, place) || !self.leaves_all(a, b) {
            return false;
        }
        self.positions[a as usize] = place;
        self.became[b as usize] = a;
        for t in std::mem::take(&mut self.of[b as usize]) {
            let Some(corners) = &mut self.triangles[t as usize] else { continue };
            if corners.contains(&a) {
                self.triangles[t as usize] = None;
            } else {
                corners.iter_mut().filter(|c| **c == b).for_each(|c| *c = a);
                self.of[a as usize].push(t);
            }
        }
        true
    }

    /// Whether `a` and what both ends have beside them keep a triangle without the edge `ab`, and no two become one: all there is of a
    /// piece is not to go.
    fn leaves_all(&self, a: u32, b: u32) -> bool {
        let is_left = |t: &[u32; 3]| !(t.contains(&a) && t.contains(&b));
        let left = self.corners(a).chain(self.corners(b)).filter(is_left);
        let became = |t: [u32; 3]| {
            let mut corners = t.map(|corner| if corner == b { a } else { corner });
            corners.sort_unstable();
            corners
        };
        let mut known = BTreeSet::new();
        let apart = left.map(became).all(|triangle| known.insert(triangle));
        let gone = self.corners(a).filter(|t| !is_left(t)).flatten().filter(|corner| *corner != a && *corner != b);
        apart && !known.is_empty() && gone.into_iter().all(|other| self.corners(other).any(|t| is_left(&t)))
    }

    /// How far a place is off the planes of the triangles at a vertex, weighted by their areas, over their size; in whole
    /// ten-thousandths, so that rounding does not choose.
    fn distance_to_planes(&self, vertex: u32, place: Vec3) -> f32 {
        let of = |t: [u32; 3]| {
            let corners = t.map(|c| self.at(c));
            let normal = area(corners);
            (normal.dot(place - corners[0]).powi(2), normal.length_squared())
        };
        let (off, most) =
            self.corners(vertex).map(of).fold((0.0, 0.0), |(off, most), (o, m)| (off + o, most + m * m.sqrt()));
        (1.0e4 * off / most.max(f32::MIN_POSITIVE)).round()
    }

    /// Whether the triangles at `vertex` without `gone` stay as they are, more or less, when it moves to `place`: on their side, and
    /// not thin unless they were.
    fn stays(&self, vertex: u32, gone: u32, place: Vec3) -> bool {
        self.corners(vertex).filter(|t| !t.contains(&gone)).all(|t| {
            let before = t.map(|c| self.at(c));
            let after = t.map(|c| if c == vertex { place } else { self.at(c) });
            let (old, new) = (area(before), area(after));
            longest(after) <= self.longest
                && height(after) > LEAST_HEIGHT.min(THINNER * height(before))
                && old.dot(new) > SAME_SIDE * old.length() * new.length()
        })
    }

    fn finish(self) -> Coarse {
        let last = |mut vertex: u32| {
            while self.became[vertex as usize] != vertex {
                vertex = self.became[vertex as usize];
            }
            vertex
        };
        let mut new = vec![u32::MAX; self.positions.len()];
        let mut mesh = TriangleMesh::default();
        for (vertex, position) in self.positions.iter().enumerate() {
            if self.became[vertex] == vertex as u32 {
                new[vertex] = mesh.positions.len() as u32;
                mesh.positions.push(*position);
            }
        }
        mesh.triangles = self.triangles.iter().flatten().map(|t| t.map(|corner| new[corner as usize])).collect();
        let vertex_of = (0..self.positions.len() as u32).map(|vertex| new[last(vertex) as usize]).collect();
        Coarse { mesh, vertex_of }
    }
}

/// The longest edge [m].
fn longest([a, b, c]: [Vec3; 3]) -> f32 {
    a.distance(b).max(b.distance(c)).max(c.distance(a))
}

/// The least height over the longest edge.
fn height(corners: [Vec3; 3]) -> f32 {
    area(corners).length() / longest(corners).powi(2).max(f32::MIN_POSITIVE)
}

/// Twice the area, along the side that it shows.
fn area([a, b, c]: [Vec3; 3]) -> Vec3 {
    (b - a).cross(c - a)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A square of 1 m, its columns ever closer together towards one side.
    fn graded() -> TriangleMesh {
        let side = 24_u32;
        let x = |i: u32| (i as f32 / side as f32).powi(3);
        let place = |k: u32| Vec3::new(x(k % (side + 1)), (k / (side + 1)) as f32 / side as f32, 0.0);
        let cell = |k: u32| {
            let a = k / side * (side + 1) + k % side;
            let [b, c, d] = [a + 1, a + side + 2, a + side + 1];
            [[a, b, c], [a, c, d]]
        };
        TriangleMesh {
            positions: (0..(side + 1) * (side + 1)).map(place).collect(),
            triangles: (0..side * side).flat_map(cell).collect(),
        }
    }

    fn edges(mesh: &TriangleMesh) -> Vec<(f32, [u32; 2])> {
        Surface::new(mesh, 1.0).edges(f32::MAX)
    }

    #[test]
    fn short_edges_go_and_the_square_stays() {
        let fine = graded();
        let coarse = coarsen(&fine, 0.03, 0.2);
        let area: f32 =
            coarse.mesh.triangles.iter().map(|t| 0.5 * area(t.map(|i| coarse.mesh.positions[i as usize])).z).sum();
        assert!((area - 1.0).abs() < 1e-5, "{area} m²");
        let (before, after) = (edges(&fine), edges(&coarse.mesh));
        let short = |edges: &[(f32, [u32; 2])]| edges.iter().filter(|(length, _)| *length < 0.03).count();
        assert!(short(&before) >= 300 && short(&after) < 30, "{} became {}", short(&before), short(&after));
        assert!(after.iter().all(|(length, _)| *length < 0.2));
        // Euler's formula for a disc.
        assert_eq!(coarse.mesh.positions.len() + coarse.mesh.triangles.len(), after.len() + 1);
        let of = coarse.triangles_at();
        for (place, vertex) in fine.positions.iter().zip(&coarse.vertex_of) {
            let (corners, weights) = coarse.nearest(&of, *vertex, *place).expect("a triangle");
            let at: Vec3 = corners.iter().zip(weights).map(|(i, w)| w * coarse.mesh.positions[*i as usize]).sum();
            assert!(at.distance(*place) < 0.03, "{place} is drawn at {at}");
        }
    }

    #[test]
    fn what_has_no_short_edge_stays_to_the_bit() {
        let fine = graded();
        let coarse = coarsen(&fine, 1e-9, 1.0);
        assert_eq!(coarse.mesh, fine);
        assert!(coarse.vertex_of.iter().zip(0..).all(|(new, old)| *new == old));
    }

    #[test]
    fn closed_surfaces_stay_closed_and_branches_are_left() {
        // An octahedron: no edge of it can go without making it flat.
        let positions = [Vec3::X, Vec3::Y, Vec3::Z].into_iter().flat_map(|axis| [axis, -axis]).collect();
        let triangles = vec![[0, 2, 4], [2, 1, 4], [1, 3, 4], [3, 0, 4], [2, 0, 5], [1, 2, 5], [3, 1, 5], [0, 3, 5]];
        let closed = TriangleMesh { positions, triangles };
        let coarse = coarsen(&closed, 10.0, 100.0);
        let edges = edges(&coarse.mesh);
        assert_eq!(coarse.mesh.positions.len() + coarse.mesh.triangles.len(), edges.len() + 2);
        let mut branch = graded();
        let spare = branch.positions.len() as u32;
        branch.positions.push(Vec3::Z);
        branch.triangles.push([0, 1, spare]);
        let coarse = coarsen(&branch, 0.03, 2.0);
        assert_eq!(coarse.mesh.positions[coarse.vertex_of[0] as usize], branch.positions[0]);
        assert_eq!(coarse.mesh.positions[coarse.vertex_of[1] as usize], branch.positions[1]);
    }
    #[test]
    fn pieces_as_small_as_an_edge_keep_their_triangles() {
        let obtuse = vec![Vec3::ZERO, Vec3::X, Vec3::new(0.5, 0.1, 0.0)];
        let tetrahedron = vec![Vec3::ZERO, Vec3::X, Vec3::new(0.5, 0.9, 0.0), Vec3::new(0.5, 0.3, 0.8)];
        for (positions, triangles) in [
            (obtuse, vec![[0, 1, 2]]),
            (tetrahedron.clone(), vec![[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]]),
            (tetrahedron, vec![[0, 1, 3], [1, 2, 3], [2, 0, 3]]),
        ] {
            let piece = TriangleMesh { positions, triangles };
            for (longest, size) in [(2.0, 1.0), (100.0, 1.0), (2.0, 0.1), (2.0, 1e-3)] {
                let mut piece = piece.clone();
                piece.positions.iter_mut().for_each(|p| *p *= size);
                let coarse = coarsen(&piece, 5.0, longest).mesh;
                let corners: BTreeSet<u32> = coarse.triangles.iter().flatten().copied().collect();
                assert_eq!(corners.len(), coarse.positions.len(), "{coarse:?}");
                let sorted = |t: &[u32; 3]| BTreeSet::from(*t);
                let known: BTreeSet<_> = coarse.triangles.iter().map(sorted).collect();
                assert!(known.len() == coarse.triangles.len() && !known.is_empty(), "{coarse:?}");
            }
        }
    }
}
