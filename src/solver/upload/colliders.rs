//! Colliders, and the shapes of these and of bodies, packed for `shaders/common/shape.wgsl`: four header rows a shape, then cells,
//! faces and places of pieces.

use std::ops::Range;

use glam::{UVec3, Vec3};

use crate::gpu::wgsl::common::contact::{Collider as ColliderRow, LIQUID_SUPPORT};
use crate::gpu::wgsl::common::one_way::FACES;
use crate::gpu::wgsl::common::shape::{
    SHAPE_CAPSULE, SHAPE_COMPOUND, SHAPE_CUBOID, SHAPE_CYLINDER, SHAPE_GRID, SHAPE_HEIGHTFIELD, SHAPE_HULL, SHAPE_MESH,
    SHAPE_PLANE, SHAPE_SPHERE,
};
use crate::gpu::{Buffers, GpuError};
use crate::scene::{Collider, ColliderId, DistanceGrid, Scene, Shape, Thing, TriangleMesh, class_of, with_pieces};
use crate::solver::stages::rows::quat;

/// Most grips of a free particle on colliders and their triangles: in the corner of a mesh.
const MOST_GRIPS: u32 = 6;

/// Rows of shapes that stand apart, of colliders that were added: from the first row that the scene reserves on.
pub(in crate::solver) type Apart = Vec<(ColliderId, Range<u32>)>;

/// Makes the buffers of colliders and shapes.
pub(in crate::solver) fn create(b: &mut Buffers, scene: &Scene, apart: &Apart) -> Result<(), GpuError> {
    b.create_with("shapes", &shape_rows(scene, apart))?; // signed distances and triangles
    b.create_with("colliders", &rows(scene)) // [collider_count]
}

/// A direction as a point of an octahedron's net, -1 to 1 (Cigolle et al. 2014).
fn octahedral(direction: Vec3) -> [f32; 2] {
    let v = direction / direction.abs().element_sum();
    let folded = |a: f32, b: f32| (1.0 - b.abs()).copysign(a);
    if v.z < 0.0 { [folded(v.x, v.y), folded(v.y, v.x)] } else { [v.x, v.y] }
}

/// Shapes, those of colliders with the class of their layers and where they face, if they hold from there only; then what the scene
/// reserves, with those that stand apart.
fn shape_rows(scene: &Scene, apart: &Apart) -> Vec<[u32; 4]> {
    let stand_in = Shape::Sphere(1.0);
    let mut shapes: Vec<&Shape> = scene.colliders.iter().map(|collider| &collider.shape).collect();
    apart.iter().for_each(|(id, _)| shapes[id.0 as usize] = &stand_in);
    let mut rows = pack(&scene.shapes, &shapes, felt_from(scene));
    let classes = scene.layer_classes();
    for (collider, index) in scene.colliders.iter().zip(scene.shapes.len()..) {
        face(&mut rows[4 * index..], collider);
    }
    for (thing, layers) in &scene.layers {
        if let Thing::Collider(id) = thing {
            rows[4 * (scene.shapes.len() + id.0 as usize)][2] = class_of(&classes, *layers) << 28;
        }
    }
    let room = reserved_rows(scene);
    if room > 0 {
        let first = rows.len().next_multiple_of(4);
        rows.resize(first + room as usize, [0; 4]);
        for (id, own) in apart {
            let (header, data) = own_shape(scene, *id, &scene.colliders[id.0 as usize], first as u32 + own.start);
            let (at, place) = (4 * (scene.shapes.len() + id.0 as usize), first + own.start as usize);
            rows[at..at + 4].copy_from_slice(&header);
            rows[place..place + data.len()].copy_from_slice(&data);
        }
    }
    rows
}

/// The rows of a collider's shape to take the place of another: those that it always has, and its data, from row `first` on, a multiple
/// of four.
pub(in crate::solver) fn own_shape(
    scene: &Scene,
    id: ColliderId,
    collider: &Collider,
    first: u32,
) -> ([[u32; 4]; 4], Vec<[u32; 4]>) {
    let (mut header, data) = apart(&collider.shape, id.0, felt_from(scene), first);
    face(&mut header, collider);
    if let Some(layers) = scene.layers.get(&Thing::Collider(id)) {
        header[0][2] = class_of(&scene.layer_classes(), *layers) << 28;
    }
    (header, data)
}

/// A shape whose data begin at row `first`: the pieces that it has, then what these and it itself refer to.
fn apart(shape: &Shape, collider: u32, reach: f32, first: u32) -> ([[u32; 4]; 4], Vec<[u32; 4]>) {
    let pieces = shape.pieces();
    let mut data = vec![[0; 4]; 4 * pieces.len()];
    let header = Packer { rows: &mut data, first, next_piece: first / 4, collider, reach }.push(shape);
    for (piece, k) in pieces.iter().zip(0..) {
        let own = Packer { rows: &mut data, first, next_piece: 0, collider, reach }.push(&piece.shape);
        data[4 * k..4 * k + 4].copy_from_slice(&own);
    }
    (header, data)
}

/// Rows that the data of a shape take, a multiple of four.
pub(in crate::solver) fn data_rows(shape: &Shape) -> u32 {
    (apart(shape, 0, 1.0, 0).1.len() as u32).next_multiple_of(4)
}

/// Rows that a scene keeps for data of shapes that are added.
pub(in crate::solver) fn reserved_rows(scene: &Scene) -> u32 {
    scene
        .reserve
        .shapes
        .iter()
        .map(|room| room.count.saturating_mul(data_rows(&room.shape)))
        .fold(0, u32::saturating_add)
}

/// The first place for so many rows among so many, beside those that are taken.
pub(in crate::solver) fn free_rows(mut taken: Vec<Range<u32>>, wanted: u32, count: u32) -> Option<Range<u32>> {
    taken.sort_unstable_by_key(|own| own.start);
    let mut start = 0;
    for own in taken {
        if own.start - start >= wanted {
            break;
        }
        start = own.end;
    }
    (count.checked_sub(start)? >= wanted).then_some(start..start + wanted)
}

/// Says in its four rows where a collider faces, if it holds from there only.
fn face(rows: &mut [[u32; 4]], collider: &Collider) {
    if let Some([x, y]) = collider.one_way.map(octahedral) {
        rows[0][3] = (x + FACES).to_bits();
        rows[1][3] = y.to_bits();
    }
}

/// How far from surfaces something feels them at most [m]: see `felt_from` of `shaders/contacts/near_colliders.wgsl`. Balls do with
/// their middle.
pub(in crate::solver) fn felt_from(scene: &Scene) -> f32 {
    let particles = scene.particles.iter().fold(0.0, |most: f32, particle| most.max(particle.radius));
    let balls = scene.bodies.iter().map(|body| match scene.shapes[body.shape] {
        Shape::Sphere(radius) => radius + particles,
        _ => 0.0,
    });
    balls.fold(LIQUID_SUPPORT * particles, f32::max)
}

/// Colliders at the start of a frame; their shapes follow those of bodies.
pub(in crate::solver) fn rows(scene: &Scene) -> Vec<ColliderRow> {
    let first_shape = scene.shapes.len() as u32;
    let row = |(c, shape): (&Collider, u32)| ColliderRow {
        position: c.position.to_array(),
        friction: c.surface.friction,
        rotation: quat(c.rotation),
        velocity: c.velocity.to_array(),
        restitution: c.surface.restitution,
        angular_velocity: c.angular_velocity.to_array(),
        shape,
        surface_velocity: c.surface_velocity.to_array(),
        ..ColliderRow::default()
    };
    scene.colliders.iter().zip(first_shape..).map(row).collect()
}

/// Colliders and triangles that a free particle can be held to at once.
pub(in crate::solver) fn grip_slots(scene: &Scene) -> u32 {
    let meshes = scene.colliders.iter().map(|c| &c.shape).chain(reserved(scene)).any(|s| matches!(s, Shape::Mesh(_)));
    if meshes { MOST_GRIPS } else { MOST_GRIPS.min(scene.colliders.len() as u32) }
}

/// Kinds of shapes that bodies and colliders have, a bit for each.
pub(in crate::solver) fn kinds(scene: &Scene) -> u32 {
    let own = scene.shapes.iter().chain(scene.colliders.iter().map(|c| &c.shape));
    let plain = [SHAPE_PLANE, SHAPE_CUBOID, SHAPE_SPHERE, SHAPE_CAPSULE, SHAPE_CYLINDER]
        .iter()
        .fold(0, |bits, n| bits | 1 << n);
    let added = if scene.reserve.colliders.is_empty() { 0 } else { plain };
    kinds_of(own.chain(reserved(scene))) | added
}

/// Kinds of these shapes and their pieces, a bit for each.
pub(in crate::solver) fn kinds_of<'a>(shapes: impl Iterator<Item = &'a Shape>) -> u32 {
    with_pieces(shapes).into_iter().fold(0, |bits, shape| bits | 1 << number(shape))
}

/// Shapes that a scene keeps room for.
fn reserved(scene: &Scene) -> impl Iterator<Item = &Shape> {
    scene.reserve.shapes.iter().map(|room| &room.shape)
}

/// The number of a shape's kind in the shaders.
fn number(shape: &Shape) -> u32 {
    match shape {
        Shape::Plane => SHAPE_PLANE,
        Shape::Cuboid(_) => SHAPE_CUBOID,
        Shape::Sphere(_) => SHAPE_SPHERE,
        Shape::Capsule { .. } => SHAPE_CAPSULE,
        Shape::Cylinder { .. } => SHAPE_CYLINDER,
        Shape::Grid(_) => SHAPE_GRID,
        Shape::Mesh(_) => SHAPE_MESH,
        Shape::Hull(_) => SHAPE_HULL,
        Shape::Heightfield(_) => SHAPE_HEIGHTFIELD,
        Shape::Compound(_) => SHAPE_COMPOUND,
    }
}

/// Rows of the shape buffer: shapes of bodies first, then one shape per collider, then those of pieces. Distances from heightfields are
/// exact to `reach` [m].
pub(in crate::solver) fn pack(body_shapes: &[Shape], colliders: &[&Shape], reach: f32) -> Vec<[u32; 4]> {
    let all = with_pieces(body_shapes.iter().chain(colliders.iter().copied()));
    let mut rows = vec![[0; 4]; 4 * all.len()];
    let mut next_piece = (body_shapes.len() + colliders.len()) as u32;
    for (index, shape) in all.into_iter().enumerate() {
        let collider = index.saturating_sub(body_shapes.len()) as u32;
        let own = Packer { rows: &mut rows, first: 0, next_piece, collider, reach }.push(shape);
        next_piece += shape.pieces().len() as u32;
        rows[4 * index..4 * index + 4].copy_from_slice(&own);
    }
    // A binding may not be empty.
    if rows.is_empty() {
        rows.push([0; 4]);
    }
    rows
}

/// Adds what a shape refers to.
struct Packer<'a> {
    rows: &'a mut Vec<[u32; 4]>,
    /// Where these begin in the buffer.
    first: u32,
    /// Number of the shape that its first piece is.
    next_piece: u32,
    collider: u32,
    reach: f32,
}

impl Packer<'_> {
    /// Adds the data of a shape; returns the four rows of the shape itself.
    fn push(self, shape: &Shape) -> [[u32; 4]; 4] {
        let before = self.first + self.rows.len() as u32;
        let rows = self.rows;
        let (low, sides) = pack_lattice(shape, self.collider, self.first, rows);
        pack_faces(shape, rows);
        for (piece, number) in shape.pieces().iter().zip(self.next_piece..) {
            let [x, y, z, _] = bits(piece.position, 0.0);
            rows.extend([[x, y, z, number], quat(piece.rotation.normalize()).map(f32::to_bits)]);
        }
        let data = if self.first + rows.len() as u32 > before { before } else { 0 };
        [[number(shape), data, 0, 0], bits(extent(shape, self.reach), 0.0), low, sides]
    }
}

/// Adds the cells of grids and meshes, and tells the box around a shape: grids and meshes have a lattice in it.
fn pack_lattice(shape: &Shape, collider: u32, first: u32, rows: &mut Vec<[u32; 4]>) -> ([u32; 4], [u32; 4]) {
    match shape {
        Shape::Grid(grid) => {
            pack_grid(grid, rows);
            (bits(grid.origin, grid.spacing), [grid.size[0] - 1, grid.size[1] - 1, grid.size[2] - 1, 0])
        }
        Shape::Mesh(mesh) => {
            let lattice = mesh_lattice(mesh);
            pack_mesh(mesh, collider, lattice, first, rows);
            let (low, spacing, size) = lattice;
            (bits(low, spacing), [size.x, size.y, size.z, 0])
        }
        Shape::Plane => ([0; 4], [0; 4]),
        _ => {
            let (low, high) = shape.bounds();
            (bits(low, 0.0), bits(high - low, 0.0))
        }
    }
}

/// Adds four rows a face of a hull, its plane and its corners, and a row a cell of a heightfield: its heights.
fn pack_faces(shape: &Shape, rows: &mut Vec<[u32; 4]>) {
    match shape {
        Shape::Hull(hull) => rows.extend(hull.faces().flat_map(|[a, b, c]| {
            let normal = (b - a).cross(c - a).normalize_or_zero();
            [bits(normal, normal.dot(a)), bits(a, 0.0), bits(b, 0.0), bits(c, 0.0)]
        })),
        Shape::Heightfield(field) => {
            let [columns, lines] = field.size.map(|n| n - 1);
            let cells = (0..lines).flat_map(|z| (0..columns).map(move |x| (x, z)));
            rows.extend(cells.map(|(x, z)| field.cell(x, z).map(f32::to_bits)));
        }
        _ => {}
    }
}

/// What tells how large a shape is [m], or how many parts it has.
fn extent(shape: &Shape, reach: f32) -> Vec3 {
    match shape {
        Shape::Cuboid(half) => *half,
        Shape::Sphere(radius) => Vec3::new(*radius, 0.0, 0.0),
        Shape::Capsule { radius, half_length } | Shape::Cylinder { radius, half_length } => {
            Vec3::new(*radius, *half_length, 0.0)
        }
        Shape::Hull(hull) => Vec3::new(hull.mesh().triangles.len() as f32, 0.0, 0.0),
        Shape::Heightfield(field) => Vec3::new(field.spacing, field.least_part(), reach.max(field.spacing)),
        Shape::Compound(pieces) => Vec3::new(pieces.len() as f32, 0.0, 0.0),
        Shape::Plane | Shape::Grid(_) | Shape::Mesh(_) => Vec3::ZERO,
    }
}

fn bits(v: Vec3, w: f32) -> [u32; 4] {
    [v.x.to_bits(), v.y.to_bits(), v.z.to_bits(), w.to_bits()]
}

/// Two rows a cell: its eight corners, x fastest.
fn pack_grid(grid: &DistanceGrid, rows: &mut Vec<[u32; 4]>) {
    let [nx, ny, nz] = grid.size;
    let at = |x, y, z| grid.distances[((z * ny + y) * nx + x) as usize].to_bits();
    for z in 0..nz - 1 {
        for y in 0..ny - 1 {
            for x in 0..nx - 1 {
                for k in [z, z + 1] {
                    rows.push([at(x, y, k), at(x + 1, y, k), at(x, y + 1, k), at(x + 1, y + 1, k)]);
                }
            }
        }
    }
}

/// Lattice over the mesh's box with about two cells per triangle, at most 64 a side.
fn mesh_lattice(mesh: &TriangleMesh) -> (Vec3, f32, UVec3) {
    let low = mesh.positions.iter().fold(Vec3::MAX, |m, p| m.min(*p));
    let high = mesh.positions.iter().fold(Vec3::MIN, |m, p| m.max(*p));
    let extent = (high - low).max(Vec3::splat(1e-4));
    let cells = (2.0 * mesh.triangles.len() as f32).cbrt().clamp(1.0, 64.0);
    let spacing = extent.max_element() / cells;
    let size = (extent / spacing).ceil().max(Vec3::ONE).as_uvec3();
    (low, spacing, size)
}

/// Cell rows (first reference, count), reference rows (triangle row), then three rows a triangle with the collider in w. Rows begin at
/// `first` of the buffer.
fn pack_mesh(
    mesh: &TriangleMesh,
    collider: u32,
    (low, spacing, size): (Vec3, f32, UVec3),
    first: u32,
    rows: &mut Vec<[u32; 4]>,
) {
    let mut cells = vec![Vec::new(); (size.x * size.y * size.z) as usize];
    for (t, triangle) in mesh.triangles.iter().enumerate() {
        let corners = triangle.map(|i| (mesh.positions[i as usize] - low) / spacing);
        let most = (size - 1).as_vec3();
        let from = corners[0].min(corners[1]).min(corners[2]).floor().clamp(Vec3::ZERO, most).as_uvec3();
        let to = corners[0].max(corners[1]).max(corners[2]).floor().clamp(Vec3::ZERO, most).as_uvec3();
        for z in from.z..=to.z {
            for y in from.y..=to.y {
                for x in from.x..=to.x {
                    cells[((z * size.y + y) * size.x + x) as usize].push(t as u32);
                }
            }
        }
    }
    let first_reference = first + rows.len() as u32 + cells.len() as u32;
    let references: u32 = cells.iter().map(|c| c.len() as u32).sum();
    let first_triangle = first_reference + references;
    let mut next = first_reference;
    for cell in &cells {
        rows.push([next, cell.len() as u32, 0, 0]);
        next += cell.len() as u32;
    }
    rows.extend(cells.iter().flatten().map(|t| [first_triangle + 3 * t, 0, 0, 0]));
    for triangle in &mesh.triangles {
        for corner in triangle {
            let mut row = bits(mesh.positions[*corner as usize], 0.0);
            row[3] = collider;
            rows.push(row);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn grids_keep_corners_and_meshes_list_every_triangle() {
        let grid = DistanceGrid {
            origin: Vec3::ZERO,
            spacing: 1.0,
            size: [2, 2, 2],
            distances: (0..8).map(|i| i as f32).collect(),
        };
        let mesh = TriangleMesh {
            positions: vec![Vec3::ZERO, Vec3::X, Vec3::Z, Vec3::new(1.0, 0.0, 1.0)],
            triangles: vec![[0, 2, 1], [1, 2, 3]],
        };
        let rows = pack(&[Shape::Grid(grid)], &[&Shape::Mesh(mesh)], 1.0);
        assert_eq!(rows[0], [4, 8, 0, 0]);
        assert_eq!(rows[8].map(f32::from_bits), [0.0, 1.0, 2.0, 3.0]);
        assert_eq!(rows[9].map(f32::from_bits), [4.0, 5.0, 6.0, 7.0]);
        let [cells_x, cells_y, cells_z, _] = rows[7];
        let first_cell = rows[4][1] as usize;
        let mut seen = std::collections::BTreeSet::new();
        for cell in &rows[first_cell..first_cell + (cells_x * cells_y * cells_z) as usize] {
            seen.extend(rows[cell[0] as usize..(cell[0] + cell[1]) as usize].iter().map(|r| r[0]));
        }
        assert_eq!(seen.len(), 2);
        assert_eq!(rows.len(), *seen.last().unwrap() as usize + 3);
    }

    #[test]
    fn rows_are_taken_side_by_side_and_given_back() {
        assert_eq!(free_rows(vec![], 8, 20), Some(0..8));
        assert_eq!(free_rows(vec![8..16, 0..4], 4, 20), Some(4..8));
        assert_eq!(free_rows(vec![8..16, 0..4], 8, 24), Some(16..24));
        assert_eq!(free_rows(vec![8..16, 0..4], 8, 23), None);
        assert_eq!(free_rows(vec![4..20, 0..4], 4, 20), None);
    }
}
