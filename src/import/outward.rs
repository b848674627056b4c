//! Pieces of a surface whose triangles face inward, such as a half that was mirrored without flipping them.

use std::collections::HashMap;

use glam::Vec3;

use super::triangles::TriangleTree;
use crate::scene::TriangleMesh;

/// Windings before a piece, its own and all, below which it faces inward: a sheet winds up to half around what is on one of
/// its sides, and before a half that was mirrored the other one takes away from its own.
const OWN: f32 = -2.0 / 3.0;
const ALL: f32 = -0.25;
/// How far before a triangle that is asked [share of the square root of its area].
const BEFORE: f32 = 0.01;
/// Triangles of a piece that are asked.
const ASKED: usize = 256;

/// Turns over the pieces of `mesh` that face inward, and says how many; `tree` is made of `mesh`. A piece is what holds
/// together by edges that both triangles face alike. One that encloses less than nothing but lies in another, as a lining
/// or a mouth, stays as it is.
pub(crate) fn face_outward(mesh: &mut TriangleMesh, tree: &TriangleTree) -> usize {
    let pieces = Pieces::of(mesh);
    let inverted: Vec<&Vec<usize>> = pieces
        .list
        .iter()
        .filter(|piece| pieces.volume(mesh, piece) < 0.0 && faces_inward(mesh, tree, piece))
        .collect();
    for triangle in inverted.iter().copied().flatten() {
        mesh.triangles[*triangle].swap(1, 2);
    }
    inverted.len()
}

/// Whether a piece has the inside before it, in the mean over its area.
fn faces_inward(mesh: &TriangleMesh, tree: &TriangleTree, piece: &[usize]) -> bool {
    let positions = piece.iter().flat_map(|triangle| corners(mesh, *triangle)).collect();
    let triangles = (0..piece.len() as u32).map(|triangle| [0, 1, 2].map(|corner| 3 * triangle + corner)).collect();
    let own = TriangleTree::new(&TriangleMesh { positions, triangles });
    let mut sums = [0.0; 3];
    for triangle in piece.iter().step_by(piece.len().div_ceil(ASKED)) {
        let [a, b, c] = corners(mesh, *triangle);
        let normal = (b - a).cross(c - a);
        let area = normal.length();
        let front = (a + b + c) / 3.0 + normal.normalize_or_zero() * BEFORE * area.sqrt();
        let found = [1.0, own.winding(front), tree.winding(front)];
        sums.iter_mut().zip(found).for_each(|(sum, value)| *sum += area * value);
    }
    let [whole, own, all] = sums;
    own < OWN * whole && all < ALL * whole
}

fn corners(mesh: &TriangleMesh, triangle: usize) -> [Vec3; 3] {
    mesh.triangles[triangle].map(|vertex| mesh.positions[vertex as usize])
}

/// Triangles that hold together.
struct Pieces {
    /// Triangles of each.
    list: Vec<Vec<usize>>,
    /// Triangle on the other side of each edge of each triangle, if both face alike.
    beyond: Vec<[Option<usize>; 3]>,
}

impl Pieces {
    /// Those of `mesh`; vertices in one place are one.
    fn of(mesh: &TriangleMesh) -> Self {
        let mut places = HashMap::new();
        let place = |p: &Vec3| {
            let next = places.len();
            *places.entry((*p + 0.0).to_array().map(f32::to_bits)).or_insert(next)
        };
        let welded: Vec<usize> = mesh.positions.iter().map(place).collect();
        let edges = |triangle: &[u32; 3]| {
            let [a, b, c] = triangle.map(|vertex| welded[vertex as usize]);
            [(a, b), (b, c), (c, a)]
        };
        // Where more than two meet, nothing tells which of them go together.
        let mut sides: HashMap<(usize, usize), Option<usize>> = HashMap::new();
        for (index, triangle) in mesh.triangles.iter().enumerate() {
            for edge in edges(triangle) {
                sides.entry(edge).and_modify(|only| *only = None).or_insert(Some(index));
            }
        }
        let alone = |edge| sides.get(&edge).copied().flatten();
        let across = |edge: (usize, usize)| alone(edge).and(alone((edge.1, edge.0)));
        let beyond: Vec<_> = mesh.triangles.iter().map(|triangle| edges(triangle).map(across)).collect();
        Self { list: connected(&beyond), beyond }
    }

    /// Six times what a piece encloses when each of its holes is closed towards the middle of their rims [m³].
    fn volume(&self, mesh: &TriangleMesh, piece: &[usize]) -> f32 {
        let rim = piece.iter().flat_map(|triangle| {
            let corners = corners(mesh, *triangle);
            (0..3).filter(|side| self.beyond[*triangle][*side].is_none()).map(move |side| corners[side])
        });
        let (sum, count) = rim.fold((Vec3::ZERO, 0.0), |(sum, count), p| (sum + p, count + 1.0));
        let middle = if count > 0.0 { sum / count } else { corners(mesh, piece[0])[0] };
        let enclosed = |triangle: &usize| {
            let [a, b, c] = corners(mesh, *triangle).map(|p| p - middle);
            a.dot(b.cross(c))
        };
        piece.iter().map(enclosed).sum()
    }
}

/// Groups of triangles that are beyond one another's edges.
fn connected(beyond: &[[Option<usize>; 3]]) -> Vec<Vec<usize>> {
    let mut seen = vec![false; beyond.len()];
    let mut list = Vec::new();
    for first in 0..beyond.len() {
        if std::mem::replace(&mut seen[first], true) {
            continue;
        }
        let mut piece = vec![first];
        let mut next = 0;
        while let Some(&at) = piece.get(next) {
            next += 1;
            let new = beyond[at].iter().flatten().filter(|other| !std::mem::replace(&mut seen[**other], true));
            piece.extend(new.copied());
        }
        list.push(piece);
    }
    list
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::import::test_shapes::{cuboid, sphere};

    /// The mesh with all its triangles turned over.
    fn inside_out(mut mesh: TriangleMesh) -> TriangleMesh {
        mesh.triangles.iter_mut().for_each(|t| t.swap(1, 2));
        mesh
    }

    /// All in one.
    fn joined(meshes: &[TriangleMesh]) -> TriangleMesh {
        let mut whole = TriangleMesh::default();
        for mesh in meshes {
            let first = whole.positions.len() as u32;
            whole.positions.extend(&mesh.positions);
            whole.triangles.extend(mesh.triangles.iter().map(|t| t.map(|vertex| first + vertex)));
        }
        whole
    }

    fn turned(mesh: &TriangleMesh) -> (usize, TriangleMesh) {
        let mut mesh = mesh.clone();
        let tree = TriangleTree::new(&mesh);
        (face_outward(&mut mesh, &tree), mesh)
    }

    #[test]
    fn what_faces_inward_is_turned_over() {
        let cube = cuboid(Vec3::ONE, false);
        let mut far = cube.clone();
        far.positions.iter_mut().for_each(|p| *p += 4.0 * Vec3::X);
        assert_eq!(turned(&inside_out(cube.clone())), (1, cube.clone()));
        let one = joined(&[cube.clone(), inside_out(far.clone())]);
        assert_eq!(turned(&one), (1, joined(&[cube, far])));
        // An open end changes nothing, and in a half that was mirrored only the seam tells it from the other.
        let bowl = cuboid(Vec3::new(1.0, 3.0, 1.0), true);
        assert_eq!(turned(&inside_out(bowl.clone())), (1, bowl));
        let mut ball = sphere(1.0, 16, 8);
        let places = ball.positions.clone();
        // Those at the poles have no area, and face nowhere.
        ball.triangles.retain(|t| {
            let [a, b, c] = t.map(|vertex| places[vertex as usize]);
            (b - a).cross(c - a).length() > 1.0e-6
        });
        let mut mirrored = ball.clone();
        for triangle in &mut mirrored.triangles {
            if triangle.iter().map(|vertex| ball.positions[*vertex as usize].x).sum::<f32>() > 0.0 {
                triangle.swap(1, 2);
            }
        }
        assert_eq!(turned(&mirrored), (1, ball));
    }

    #[test]
    fn linings_sheets_and_what_faces_outward_stay() {
        let ball = sphere(1.0, 16, 8);
        let hollow = joined(&[ball.clone(), inside_out(sphere(0.5, 16, 8))]);
        let both = joined(&[ball.clone(), inside_out(ball.clone())]);
        let mut bent = sphere(1.0, 16, 8);
        bent.triangles.retain(|t| t.iter().all(|vertex| bent.positions[*vertex as usize].z > 0.8));
        let sheet = inside_out(bent);
        for mesh in [ball, hollow, both, sheet] {
            assert_eq!(turned(&mesh), (0, mesh.clone()));
        }
    }
}
