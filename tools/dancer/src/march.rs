//! The first mesh of the field: marching tetrahedra over a lattice. Every cube is six tetrahedra around one diagonal,
//! the same in all cubes, so the mesh is closed and every edge has exactly two triangles, without case tables.

use std::collections::HashMap;

use glam::{UVec3, Vec3};

use crate::field;
use crate::mesh::Mesh;

/// Lattice spacing [m]: finer than the thinnest gap between fingers and thumb.
const CELL: f32 = 0.007;
/// Lattice corner with the smallest coordinates [m]; off the planes x = 0 and y = 0, where the body is flat or folded.
const ORIGIN: Vec3 = Vec3::new(-0.7721, -0.0183, -0.1912);
/// Cubes along each axis; a multiple of [`BLOCK`].
const CUBES: UVec3 = UVec3::new(224, 256, 64);
/// Cubes along each side of a block that is skipped when its center is far from the surface.
const BLOCK: u32 = 8;

/// Corners of the six tetrahedra of a cube: from corner 0 to corner 7 along the three axes in every order.
const TETRAHEDRA: [[u32; 4]; 6] = [[0, 1, 3, 7], [0, 3, 2, 7], [0, 2, 6, 7], [0, 6, 4, 7], [0, 4, 5, 7], [0, 5, 1, 7]];

struct Lattice {
    /// Distance at every lattice point, NaN until asked for.
    values: Vec<f32>,
    /// Mesh vertex on the lattice edge between two points.
    on_edge: HashMap<(u32, u32), u32>,
    mesh: Mesh,
}

fn index(at: UVec3) -> u32 {
    at.x + (CUBES.x + 1) * (at.y + (CUBES.y + 1) * at.z)
}

fn position(index: u32) -> Vec3 {
    let (row, layer) = (CUBES.x + 1, (CUBES.x + 1) * (CUBES.y + 1));
    ORIGIN + UVec3::new(index % row, index % layer / row, index / layer).as_vec3() * CELL
}

/// The surface of the field, closed, its vertices on the surface; some triangles are slivers.
pub fn surface() -> Mesh {
    let points = ((CUBES.x + 1) * (CUBES.y + 1) * (CUBES.z + 1)) as usize;
    let mut lattice = Lattice { values: vec![f32::NAN; points], on_edge: HashMap::new(), mesh: Mesh::default() };
    // Half a block's diagonal, with a margin for shapes whose distance is only a bound.
    let reach = BLOCK as f32 * CELL * 0.87 * 1.6;
    for block in boxes(CUBES / BLOCK) {
        let center = ORIGIN + (block.as_vec3() + 0.5) * (BLOCK as f32 * CELL);
        if field::distance(center).abs() < reach {
            for cube in boxes(UVec3::splat(BLOCK)) {
                lattice.cube(block * BLOCK + cube);
            }
        }
    }
    let mut mesh = lattice.mesh;
    for p in &mut mesh.points {
        *p = field::project(*p);
    }
    mesh
}

/// All integer points of a box, x fastest.
fn boxes(size: UVec3) -> impl Iterator<Item = UVec3> {
    (0..size.x * size.y * size.z).map(move |i| UVec3::new(i % size.x, i / size.x % size.y, i / (size.x * size.y)))
}

impl Lattice {
    fn value(&mut self, point: u32) -> f32 {
        let value = &mut self.values[point as usize];
        if value.is_nan() {
            *value = field::distance(position(point));
        }
        *value
    }

    fn cube(&mut self, at: UVec3) {
        let corners: [u32; 8] =
            std::array::from_fn(|i| index(at + UVec3::new(i as u32 & 1, i as u32 >> 1 & 1, i as u32 >> 2)));
        let inside = corners.map(|c| self.value(c) < 0.0);
        if inside.iter().all(|i| *i == inside[0]) {
            return;
        }
        for tetrahedron in TETRAHEDRA {
            self.tetrahedron(tetrahedron.map(|c| corners[c as usize]));
        }
    }

    fn tetrahedron(&mut self, corners: [u32; 4]) {
        let (inside, outside): (Vec<u32>, Vec<u32>) = corners.iter().partition(|c| self.values[**c as usize] < 0.0);
        match (inside[..].as_ref(), outside[..].as_ref()) {
            ([a], [b, c, d]) => self.triangle([(*a, *b), (*a, *c), (*a, *d)]),
            ([b, c, d], [a]) => self.triangle([(*b, *a), (*c, *a), (*d, *a)]),
            ([a, b], [c, d]) => {
                self.triangle([(*a, *c), (*b, *c), (*b, *d)]);
                self.triangle([(*a, *c), (*b, *d), (*a, *d)]);
            }
            _ => {}
        }
    }

    /// One triangle with its corners on three lattice edges (inner end, outer end), turned outward.
    fn triangle(&mut self, edges: [(u32, u32); 3]) {
        let [a, b, c] = edges.map(|(i, o)| (position(i) + position(o)) * 0.5);
        let outward: Vec3 = edges.iter().map(|(i, o)| position(*o) - position(*i)).sum();
        let mut corners = edges.map(|(i, o)| self.vertex(i, o));
        if (b - a).cross(c - a).dot(outward) < 0.0 {
            corners.swap(1, 2);
        }
        self.mesh.triangles.push(corners);
    }

    fn vertex(&mut self, inner: u32, outer: u32) -> u32 {
        let (from, to) = (self.values[inner as usize], self.values[outer as usize]);
        let at = (from / (from - to)).clamp(0.05, 0.95);
        let points = &mut self.mesh.points;
        *self.on_edge.entry((inner.min(outer), inner.max(outer))).or_insert_with(|| {
            points.push(position(inner).lerp(position(outer), at));
            points.len() as u32 - 1
        })
    }
}
