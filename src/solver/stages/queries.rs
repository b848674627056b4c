//! Queries on the GPU: what they can meet, as a tree of boxes that is made anew from where things are when something is asked, and
//! the kernels that walk it. They run when the host asks, not in a frame. The tree is implicit: targets in the order of
//! their places, or of those a few frames ago, four to a leaf, four children to a node.

use std::collections::{HashMap, HashSet};

use glam::Vec3;
use rayon::prelude::*;

use super::ground::{SCAN_BLOCK, SCAN_EACH, SCAN_THREADS};
use crate::gpu::wgsl::queries::item::Item;
use crate::gpu::wgsl::queries::join::JOINED;
use crate::gpu::wgsl::queries::moving::THREADS_EACH;
use crate::gpu::wgsl::queries::node::{FRAME_BYTES, NODE_ROWS, ROUNDING, TARGET_ROWS};
use crate::gpu::wgsl::queries::order::{DIGIT_BITS, DIGITS, KEYS_EACH, Key, SORT_ROUNDS, Window};
use crate::gpu::wgsl::queries::piece::Piece as PieceRow;
use crate::gpu::wgsl::queries::query::{Hit as HitRow, QUERY_LAYERS, Query as QueryRow};
use crate::gpu::wgsl::queries::step::QueryStep;
use crate::gpu::wgsl::queries::target::{
    Box as BoxRow, FANOUT, NOTHING, PART_PARTICLE, TARGET_BALL, TARGET_BOX, TARGET_FACE, TARGET_PLANE, TARGET_SHAPE,
    THING_BITS, THING_BODY, THING_COLLIDER, THING_DEFORMABLE, THING_GRAINS, THING_LIQUID,
};
use crate::gpu::{BATCH_PITCH, BoundKernel, Buffers, Context, GpuError, Kernel, shader, wgpu};
use crate::scene::{
    BodyId, ColliderId, DeformableId, GrainsId, Layers, LiquidId, ParticleId, Phase, Scene, Seams, Shape, Thing,
    class_of, classes_that, with_pieces,
};

/// A kernel under a name, and which of its variables stand for other buffers.
struct Run {
    name: &'static str,
    kernel: &'static str,
    renamed: &'static [(&'static str, &'static str)],
    variant: Variant,
}

/// What a kernel of a walk is compiled for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
struct Variant {
    /// Always measures whether a query begins in a shape.
    inside: bool,
    /// For queries with shapes of pieces.
    pieces: bool,
}

impl Run {
    const fn new(name: &'static str, kernel: &'static str, renamed: &'static [Renamed]) -> Self {
        Self { name, kernel, renamed, variant: Variant { inside: false, pieces: false } }
    }

    const fn inside(self) -> Self {
        Self { variant: Variant { inside: true, pieces: false }, ..self }
    }

    const fn of_pieces(self) -> Self {
        Self { variant: Variant { inside: false, pieces: true }, ..self }
    }

    const fn key(&self) -> (&'static str, Variant) {
        (self.kernel, self.variant)
    }
}

/// Kernels in the order in which the tree is made, then those that walk it.
const RUNS: &[Run] = &[
    Run::new("window", "queries/window", &[STEP, ITEMS, WINDOW]),
    Run::new("keys", "queries/keys", &[STEP, ITEMS, WINDOW, KEYS]),
    Run::new("count", "queries/count", &[STEP, KEYS]),
    Run::new("count other", "queries/count", &[STEP, ("keys", "query_other_keys")]),
    Run::new(
        "scan",
        "broad_phase/scan_blocks",
        &[("cell_counts", "digit_counts"), ("cell_starts", "digit_starts"), ("block_sums", "digit_sums")],
    ),
    Run::new("sums", "queries/sums", &[STEP]),
    Run::new("scatter", "queries/scatter", &[STEP, KEYS, ("sorted_keys", "query_other_keys")]),
    Run::new("scatter other", "queries/scatter", &[STEP, ("keys", "query_other_keys"), ("sorted_keys", "query_keys")]),
    Run::new("gather", "queries/gather", &[STEP, ITEMS, KEYS, TARGETS]),
    Run::new("leaves", "queries/leaves", &[STEP, TARGETS, BOXES, NODES]),
    Run::new("join", "queries/join", &[STEP, BOXES, NODES]),
    Run::new("ray", "queries/ray", WALK),
    Run::new("ray from inside", "queries/ray", WALK).inside(),
    Run::new("cast", "queries/cast", WALK),
    Run::new("cast of pieces", "queries/cast", WALK).of_pieces(),
    Run::new("near", "queries/near", WALK),
    Run::new("near pieces", "queries/near", WALK).of_pieces(),
];

/// Kernels that walk the tree for walkers, after the one that asks for them.
const SENSES: &[Run] = &[
    Run::new("aim", "walkers/aim", &[]),
    Run::new("ray", "queries/ray", SENSE),
    Run::new("cast", "queries/cast", SENSE),
];

type Renamed = (&'static str, &'static str);
const STEP: Renamed = ("batch", "query_steps");
const ITEMS: Renamed = ("items", "query_items");
const WINDOW: Renamed = ("window", "query_window");
const KEYS: Renamed = ("keys", "query_keys");
const TARGETS: Renamed = ("targets", "query_targets");
const BOXES: Renamed = ("boxes", "query_boxes");
const NODES: Renamed = ("nodes", "query_nodes");
const WALK: &[Renamed] = &[STEP, TARGETS, NODES, ("ignored", "query_ignored"), ("hits", "query_hits")];
const SENSE: &[Renamed] =
    &[STEP, TARGETS, NODES, ("queries", "walker_queries"), ("ignored", "walker_ignored"), ("hits", "walker_hits")];

/// Buffers of queries, of which no state has any.
pub(in crate::solver) const BUFFERS: [&str; 16] = [
    "query_items",
    "query_steps",
    "query_window",
    "query_keys",
    "query_other_keys",
    "digit_counts",
    "digit_starts",
    "digit_sums",
    "query_boxes",
    "query_targets",
    "query_nodes",
    "queries",
    "query_ignored",
    "query_pieces",
    "query_corners",
    "query_hits",
];

/// Levels that a tree of as many targets as a buffer can hold has at most.
const MOST_LEVELS: usize = 16;
/// Rows of `query_steps`: a round of sorting each, then a level of the tree each, then a kind of query each, then rays and casts of
/// walkers.
const FIRST_LEVEL: usize = SORT_ROUNDS as usize;
const FIRST_WALK: usize = FIRST_LEVEL + MOST_LEVELS;
const FIRST_SENSE: usize = FIRST_WALK + WALKS.len();
/// Frames for which things keep their order in the tree.
const SORT_EVERY: u64 = 16;
/// Kernels that walk the tree, in the order in which a batch has its queries. Each is compiled once it is asked: they are the longest of all.
pub(super) const WALKS: [&str; 6] = ["ray", "ray from inside", "cast", "cast of pieces", "near", "near pieces"];

/// A tree over things in an order: the nodes of a level follow one another, from the root on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Heap {
    leaves: u32,
    first_leaf: u32,
    /// Levels above the leaves.
    levels: u32,
}

impl Heap {
    fn new(things: usize) -> Self {
        let leaves = (things as u32).div_ceil(FANOUT).max(1);
        let (mut heap, mut width) = (Self { leaves, ..Self::default() }, 1);
        while width < leaves {
            heap.first_leaf += width;
            heap.levels += 1;
            width *= FANOUT;
        }
        heap
    }

    fn nodes(&self) -> usize {
        (self.first_leaf + self.leaves) as usize
    }

    /// Number of the child that is its first target.
    fn first_target(&self) -> u32 {
        FANOUT * self.first_leaf + 1
    }

    /// Above the numbers of all children.
    fn end(&self) -> u32 {
        self.first_target() + FANOUT * self.leaves
    }
}

/// The number of a thing in the shaders.
pub(in crate::solver) fn number(thing: Thing) -> u32 {
    let (kind, index) = match thing {
        Thing::Body(id) => (THING_BODY, id.0),
        Thing::Collider(id) => (THING_COLLIDER, id.0),
        Thing::Deformable(id) => (THING_DEFORMABLE, id.0),
        Thing::Liquid(id) => (THING_LIQUID, id.0),
        Thing::Grains(id) => (THING_GRAINS, id.0),
    };
    (kind << THING_BITS) | index
}

/// The thing of a number; none of an empty row.
pub(in crate::solver) fn thing(number: u32) -> Option<Thing> {
    let index = number & ((1 << THING_BITS) - 1);
    match number >> THING_BITS {
        THING_BODY => Some(Thing::Body(BodyId(index))),
        THING_COLLIDER => Some(Thing::Collider(ColliderId(index))),
        THING_DEFORMABLE => Some(Thing::Deformable(DeformableId(index))),
        THING_LIQUID => Some(Thing::Liquid(LiquidId(index))),
        THING_GRAINS => Some(Thing::Grains(GrainsId(index))),
        _ => None,
    }
}

/// Which of these layers a query meets, above the kinds of things.
pub(in crate::solver) fn layers(classes: &[Layers], meets: impl Fn(Layers) -> bool) -> u32 {
    classes_that(classes, meets) << QUERY_LAYERS
}

/// What can be met, and in which order.
#[derive(Debug)]
struct Tables {
    items: Vec<Item>,
    /// What all steps are told.
    step: QueryStep,
    heap: Heap,
    shapes: ShapeTrees,
    /// Kinds of targets, a bit for each.
    kinds: u32,
}

impl Tables {
    fn new(scene: &Scene, classes: &[Layers]) -> Self {
        let row = |who, thing, part| Item { who, thing, corner: NOTHING, part, ..Item::default() };
        // Every piece of a compound by itself, from 1 on.
        let pieces = |shape: &Shape| match shape.pieces().len() as u32 {
            0 => 0..1,
            count => 1..count + 1,
        };
        let body = |(body, i): (&crate::scene::Body, u32)| {
            let (thing, shape) = (number(Thing::Body(BodyId(i))), body.shape as u32);
            pieces(&scene.shapes[body.shape]).map(move |piece| row([i, shape, piece], thing, NOTHING))
        };
        let collider = |(collider, i): (&crate::scene::Collider, u32)| {
            let thing = number(Thing::Collider(ColliderId(i)));
            pieces(&collider.shape).map(move |piece| row([i, 0, piece], thing, NOTHING))
        };
        let mut items: Vec<Item> = scene.bodies.iter().zip(0..).flat_map(body).collect();
        let body_end = items.len() as u32;
        items.extend(scene.colliders.iter().zip(0..).flat_map(collider));
        let collider_end = items.len() as u32;
        let members = scene.members();
        let mut alone = free(scene);
        for (corners, i) in scene.triangles.iter().zip(0..) {
            corners.iter().for_each(|corner| alone[*corner as usize] = false);
            if let Some(thing) = members.thing(ParticleId(corners[0])) {
                items.push(row(*corners, number(thing), i));
            }
        }
        let triangle_end = items.len() as u32;
        tear(scene, &mut items[collider_end as usize..]);
        for i in (0..).zip(&alone).filter(|(_, alone)| **alone).map(|(i, _)| i) {
            if let Some(thing) = members.thing(ParticleId(i)) {
                items.push(row([i, i, i], number(thing), PART_PARTICLE | i));
            }
        }
        layer(scene, classes, &mut items);
        let heap = Heap::new(items.len());
        let blocks = digit_words(items.len()) as u32 / SCAN_BLOCK;
        let shapes = ShapeTrees::new(scene);
        let kinds = kinds(scene, triangle_end > collider_end, items.len() as u32 > triangle_end);
        let planes = scene.colliders.iter().filter(|collider| matches!(collider.shape, Shape::Plane)).count();
        let step = QueryStep {
            item_count: items.len() as u32,
            body_end,
            collider_end,
            triangle_end,
            first_leaf: heap.first_leaf,
            leaf_count: heap.leaves,
            blocks,
            plane_count: planes as u32,
            node_row: shapes.nodes.len() as u32,
            target_row: shapes.faces.len() as u32,
            index_mask: heap.end().max(shapes.end).next_power_of_two() - 1,
            ..QueryStep::default()
        };
        Self { items, step, heap, shapes, kinds }
    }

    /// Rows of `query_steps`; those of the queries are written when they are asked.
    fn steps(&self) -> Vec<QueryStep> {
        let mut steps = vec![self.step; FIRST_SENSE + 2];
        for (step, round) in steps.iter_mut().zip(0..SORT_ROUNDS) {
            step.shift = round * DIGIT_BITS;
        }
        let (mut first, mut width) = (0, 1);
        for level in 0..self.heap.levels as usize {
            let step = &mut steps[FIRST_LEVEL + level];
            (step.first, step.count) = (first, width);
            first += width;
            width *= FANOUT;
        }
        steps
    }

    fn create(&self, b: &mut Buffers) -> Result<(), GpuError> {
        let (count, none) = (self.items.len(), wgpu::BufferUsages::empty());
        let words = digit_words(count);
        b.create_with("query_items", &self.items)?; // [item_count]
        b.create_uniform("query_steps", &self.steps())?;
        b.create::<Window>("query_window", 1, none)?;
        b.create::<Key>("query_keys", count, none)?; // [item_count] in the order of the tree
        b.create::<Key>("query_other_keys", count, none)?; // [item_count]
        b.create::<u32>("digit_counts", words, none)?; // [digit][block of keys]; zero beyond
        b.create::<u32>("digit_starts", words, none)?;
        b.create::<u32>("digit_sums", words / SCAN_BLOCK as usize, none)?;
        b.create::<BoxRow>("query_boxes", self.heap.nodes(), none)?;
        // First those of shapes, then those of the world.
        b.create_texture("query_targets", self.shapes.faces.len() + TARGET_ROWS as usize * count)?;
        b.upload_texture("query_targets", &self.shapes.faces)?;
        b.create_texture("query_nodes", self.shapes.nodes.len() + NODE_ROWS as usize * self.heap.nodes())?;
        b.upload_texture("query_nodes", &self.shapes.nodes)
    }
}

/// Words of the counts of digits, whole blocks to scan.
fn digit_words(keys: usize) -> usize {
    (keys.div_ceil(KEYS_EACH as usize) * DIGITS as usize).next_multiple_of(SCAN_BLOCK as usize)
}

/// Which particles are met as balls: free ones that touch anything.
fn free(scene: &Scene) -> Vec<bool> {
    let mut free: Vec<bool> = scene.particles.iter().map(|p| !p.phase.contains(Phase::GHOST)).collect();
    scene.bodies.iter().flat_map(|body| &body.links).for_each(|link| free[link.particle.0 as usize] = false);
    free
}

/// Writes the layers of things into items.
fn layer(scene: &Scene, classes: &[Layers], items: &mut [Item]) {
    if scene.layers.is_empty() {
        items.iter_mut().for_each(|item| item.layers = 0);
        return;
    }
    let mut last = (NOTHING, 0);
    for item in items {
        if item.thing != last.0
            && let Some(thing) = thing(item.thing)
        {
            last = (item.thing, class_of(classes, scene.layers_of(thing)));
        }
        item.layers = last.1;
    }
}

/// Where the corners are of triangles that can tear.
fn tear(scene: &Scene, triangles: &mut [Item]) {
    let faces = Seams::new(scene).faces;
    let first: HashMap<u32, u32> = faces.into_iter().zip((0..).step_by(3)).collect();
    for item in triangles {
        item.corner = first.get(&item.part).copied().unwrap_or(NOTHING);
    }
}

/// Trees over the triangles of shapes: of bodies, then of colliders, then of pieces.
#[derive(Debug, Default)]
struct ShapeTrees {
    /// Rows of `query_nodes`: first one for each shape: the first row of its nodes, of its triangles, the number of its first triangle,
    /// and whether they are closed and look out.
    nodes: Vec<[u32; 4]>,
    /// Rows of `query_targets`.
    faces: Vec<[u32; 4]>,
    /// Above the numbers of all children.
    end: u32,
    /// Whether something with an inside is not closed.
    open: bool,
}

impl ShapeTrees {
    fn new(scene: &Scene) -> Self {
        let shapes = with_pieces(scene.shapes.iter().chain(scene.colliders.iter().map(|c| &c.shape)));
        let mut trees = Self { nodes: vec![[0; 4]; shapes.len()], ..Self::default() };
        for (index, shape) in shapes.into_iter().enumerate() {
            let Some(faces) = shape.faces() else { continue };
            let closed = are_closed(&faces);
            // A mesh has no inside.
            trees.open |= !closed && !matches!(shape, Shape::Mesh(_));
            trees.add(index, faces, closed && !matches!(shape, Shape::Mesh(_)));
        }
        trees
    }

    fn add(&mut self, index: usize, faces: Vec<[Vec3; 3]>, closed: bool) {
        let mut faces: Vec<([Vec3; 3], u32)> = faces.into_iter().zip(0..).collect();
        let heap = Heap::new(faces.len());
        sort_faces(&mut faces, FANOUT as usize);
        let [node_row, face_row] = [&self.nodes, &self.faces].map(|rows| rows.len() as u32);
        self.nodes[index] = [node_row, face_row, heap.first_target(), u32::from(closed)];
        let face = |([a, b, c], part): &([Vec3; 3], u32)| [bits(*a, TARGET_FACE), bits(*b, NOTHING), bits(*c, *part)];
        self.nodes.extend(face_nodes(&faces, &heap).into_iter().flatten());
        self.faces.extend(faces.iter().flat_map(face));
        self.end = self.end.max(heap.end());
    }
}

/// Whether every edge has a triangle on each side, and all look out.
fn are_closed(faces: &[[Vec3; 3]]) -> bool {
    let place = |p: Vec3| (p + Vec3::ZERO).to_array().map(f32::to_bits);
    let edges = faces.iter().flat_map(|[a, b, c]| [(a, b), (b, c), (c, a)]);
    let edges: Vec<_> = edges.map(|(a, b)| (place(*a), place(*b))).filter(|(a, b)| a != b).collect();
    let there: HashSet<_> = edges.iter().copied().collect();
    let volume: f64 = faces.iter().map(|face| face.map(Vec3::as_dvec3)).map(|[a, b, c]| a.dot(b.cross(c))).sum();
    there.len() == edges.len() && edges.iter().all(|(a, b)| there.contains(&(*b, *a))) && volume > 0.0
}

fn bits(v: Vec3, w: u32) -> [u32; 4] {
    [v.x.to_bits(), v.y.to_bits(), v.z.to_bits(), w]
}

/// Puts triangles that are near one another into the same leaf: halves them along their longest side, at a whole subtree.
fn sort_faces(faces: &mut [([Vec3; 3], u32)], leaf: usize) {
    if faces.len() <= leaf {
        return;
    }
    let center = |face: &([Vec3; 3], u32)| face.0.iter().sum::<Vec3>();
    let (low, high) = faces.iter().map(center).fold((Vec3::MAX, Vec3::MIN), |(low, high), p| (low.min(p), high.max(p)));
    let axis = (high - low).max_position();
    faces.sort_by(|a, b| center(a)[axis].total_cmp(&center(b)[axis]).then(a.1.cmp(&b.1)));
    let mut width = leaf;
    while 2 * width < faces.len() {
        width *= 2;
    }
    let (lower, upper) = faces.split_at_mut(width);
    sort_faces(lower, leaf);
    sort_faces(upper, leaf);
}

/// Nodes over sorted triangles.
fn face_nodes(faces: &[([Vec3; 3], u32)], heap: &Heap) -> Vec<[[u32; 4]; 3]> {
    let join = |[low, high]: [Vec3; 2], [a, b]: [Vec3; 2]| [low.min(a), high.max(b)];
    // Triangles that lie in a plane along the axes have boxes without a height, which rounding might miss.
    let wide = |v: Vec3| 2e-6 * (v.abs() + Vec3::ONE);
    let around = |(face, _): &([Vec3; 3], u32)| face.map(|p| [p - wide(p), p + wide(p)]).into_iter().fold(NO_BOX, join);
    let mut boxes = vec![NO_BOX; heap.end() as usize];
    let first = heap.first_target() as usize;
    boxes[first..first + faces.len()].iter_mut().zip(faces).for_each(|(place, face)| *place = around(face));
    let mut nodes = Vec::with_capacity(heap.nodes());
    for node in (0..heap.nodes()).rev() {
        let first = FANOUT as usize * node + 1;
        let children = [0, 1, 2, 3].map(|k| boxes.get(first + k).copied().unwrap_or(NO_BOX));
        boxes[node] = children.into_iter().fold(NO_BOX, join);
        nodes.push(node_rows(boxes[node], children));
    }
    nodes.reverse();
    nodes
}

/// Low above high: nothing is in it.
const NO_BOX: [Vec3; 2] = [Vec3::MAX, Vec3::MIN];

/// A node as in `queries/node`: its box, and those of its children.
fn node_rows([low, high]: [Vec3; 2], children: [[Vec3; 2]; FANOUT as usize]) -> [[u32; 4]; NODE_ROWS as usize] {
    if low.x > high.x {
        return [
            bits(Vec3::ZERO, 1f32.to_bits()),
            [NOTHING, NOTHING, NOTHING, 1f32.to_bits()],
            [0, 0, 0, 1f32.to_bits()],
        ];
    }
    let scale = ((high - low) / FRAME_BYTES).max(Vec3::splat(1e-30));
    let origin = low - scale;
    let [mut lows, mut highs] = [[0; 3]; 2];
    for ([low, high], child) in children.into_iter().zip(0..) {
        let least = ((low - origin) / scale - ROUNDING).floor();
        let most = ((high - origin) / scale + ROUNDING).ceil();
        for axis in 0..3 {
            let sides = if low.x <= high.x { [least[axis] as u8, most[axis] as u8] } else { [255, 0] };
            lows[axis] |= u32::from(sides[0]) << (8 * child);
            highs[axis] |= u32::from(sides[1]) << (8 * child);
        }
    }
    let row = |[x, y, z]: [u32; 3], scale: f32| [x, y, z, scale.to_bits()];
    [bits(origin, scale.x.to_bits()), row(lows, scale.y), row(highs, scale.z)]
}

/// Which kinds of targets there are, a bit for each, with triangles and particles of their own or without.
fn kinds(scene: &Scene, triangles: bool, balls: bool) -> u32 {
    let reserved = scene.reserve.shapes.iter().map(|room| &room.shape);
    let shapes = with_pieces(scene.shapes.iter().chain(scene.colliders.iter().map(|c| &c.shape)).chain(reserved));
    // Whatever is added needs no other kernels.
    let all = [TARGET_PLANE, TARGET_BOX, TARGET_BALL, TARGET_SHAPE, TARGET_FACE];
    let added = all.iter().filter(|_| !scene.reserve.colliders.is_empty()).fold(0, |bits, kind| bits | 1 << kind);
    let kind = |shape: &Shape| match shape {
        Shape::Plane => 1 << TARGET_PLANE,
        Shape::Cuboid(_) => 1 << TARGET_BOX,
        Shape::Sphere(_) | Shape::Capsule { .. } => 1 << TARGET_BALL,
        // Of its pieces.
        Shape::Compound(_) => 0,
        _ => 1 << TARGET_SHAPE | 1 << TARGET_FACE,
    };
    let loose = u32::from(triangles) << TARGET_FACE | u32::from(balls) << TARGET_BALL;
    shapes.into_iter().map(kind).fold(loose | added, |bits, kind| bits | kind)
}

/// Whether tables tell more of a shape than that it is there.
pub(in crate::solver) fn is_listed(shape: &Shape) -> bool {
    !matches!(shape, Shape::Cuboid(_) | Shape::Sphere(_) | Shape::Capsule { .. })
}

/// What queries have on the GPU, once something was asked.
#[derive(Debug, Default)]
pub(in crate::solver) struct Stage {
    kernels: HashMap<(&'static str, Variant), Kernel>,
    /// What `kernels` are for.
    constants: Constants,
    bound: HashMap<&'static str, BoundKernel>,
    /// Those of [`SENSES`].
    senses: HashMap<&'static str, BoundKernel>,
    tables: Option<Tables>,
    /// Whether the tree is of where things are now.
    built: bool,
    /// The frame before which the order of the tree was made; none where things were put elsewhere since.
    sorted: Option<u64>,
    /// Rows that the buffers of a batch have room for: queries, ignored things, pieces, corners, hits.
    room: [usize; 5],
}

/// Constants of kernels.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Constants {
    /// Kinds of targets, a bit for each.
    targets: u32,
    /// Kinds of shapes.
    shapes: u32,
    /// Whether something with an inside is not closed.
    open: bool,
}

/// The rows of a batch of queries, those of one kernel after the other.
#[derive(Debug, Default)]
pub(in crate::solver) struct Batch {
    pub(in crate::solver) queries: Vec<QueryRow>,
    pub(in crate::solver) ignored: Vec<u32>,
    /// Of shapes that are told by them.
    pub(in crate::solver) pieces: Vec<PieceRow>,
    /// Of their hulls, from the middles of their pieces [m]: see `queries/piece`.
    pub(in crate::solver) corners: Vec<[f32; 4]>,
    /// How many queries each of [`WALKS`] has.
    pub(in crate::solver) counts: [u32; WALKS.len()],
    /// Rows of hits.
    pub(in crate::solver) hits: usize,
}

impl Stage {
    /// The buffers were made anew, and the scene may have grown.
    pub(in crate::solver) fn forget(&mut self) {
        *self = Self { kernels: std::mem::take(&mut self.kernels), constants: self.constants, ..Self::default() };
    }

    /// A frame was simulated.
    pub(in crate::solver) fn moved(&mut self) {
        self.built = false;
    }

    /// Something was put elsewhere, or is there or not there any more.
    pub(in crate::solver) fn put_elsewhere(&mut self) {
        (self.built, self.sorted) = (false, None);
    }

    /// Things have other layers, or layers other numbers.
    ///
    /// # Errors
    /// [`GpuError`] for buffers that are not there.
    pub(in crate::solver) fn layer(
        &mut self,
        scene: &Scene,
        classes: &[Layers],
        b: &mut Buffers,
    ) -> Result<(), GpuError> {
        let Some(tables) = &mut self.tables else { return Ok(()) };
        layer(scene, classes, &mut tables.items);
        self.built = false;
        b.upload("query_items", 0, &tables.items)
    }

    /// Makes its kernels anew when it is asked next.
    #[cfg(feature = "shader-reload")]
    pub(in crate::solver) fn forget_kernels(&mut self) {
        *self = Self::default();
    }

    /// Makes what is missing, for these kinds of shapes. Whether there is anything to meet.
    ///
    /// # Errors
    /// [`GpuError`] when the device cannot hold it.
    pub(in crate::solver) fn prepare(
        &mut self,
        context: &Context,
        scene: &Scene,
        classes: &[Layers],
        shapes: u32,
        b: &mut Buffers,
    ) -> Result<bool, GpuError> {
        if self.tables.is_none() {
            let tables = Tables::new(scene, classes);
            tables.create(b)?;
            let (targets, open) = (tables.kinds, tables.shapes.open);
            self.tables = Some(tables);
            let constants = Constants { targets, shapes, open };
            if self.constants != constants {
                self.kernels.clear();
                self.constants = constants;
            }
            self.compile(context, RUNS.iter().filter(|run| !WALKS.contains(&run.name)))?;
        }
        Ok(self.tables.as_ref().is_some_and(|tables| !tables.items.is_empty()))
    }

    /// Compiles the kernels of these that are not there yet, for what there is.
    fn compile<'a>(&mut self, context: &Context, runs: impl Iterator<Item = &'a Run>) -> Result<(), GpuError> {
        let mut wanted: Vec<_> = runs.map(Run::key).collect();
        wanted.dedup();
        wanted.retain(|key| !self.kernels.contains_key(key));
        let made = |key: &(&'static str, Variant)| {
            let (name, Variant { inside, pieces }) = *key;
            let value = |constant: String| match constant.as_str() {
                "TARGETS" => (constant, self.constants.targets.into()),
                "SHAPES" => (constant, self.constants.shapes.into()),
                "PIECES" => (constant, u32::from(pieces).into()),
                // Casts begin in what they overlap with, whichever triangle they meet.
                _ => (constant, u32::from(inside || self.constants.open || name != "queries/ray").into()),
            };
            let constants: Vec<(String, f64)> = shader::overrides(name)?.into_iter().map(value).collect();
            let constants: Vec<_> = constants.iter().map(|(name, value)| (name.as_str(), *value)).collect();
            Kernel::new(context, name, &constants).map(|kernel| (*key, kernel))
        };
        let made = wanted.par_iter().map(made).collect::<Result<Vec<_>, _>>()?;
        self.kernels.extend(made);
        Ok(())
    }

    /// A kernel with its buffers.
    fn bind(&self, context: &Context, b: &Buffers, run: &Run) -> Result<(&'static str, BoundKernel), GpuError> {
        Ok((run.name, self.kernels[&run.key()].bind_as(context, b, run.name, run.renamed)?))
    }

    /// Gets ready to tell so many walkers what is around them; their buffers are there.
    ///
    /// # Errors
    /// [`GpuError`] when the device cannot hold it.
    pub(in crate::solver) fn ready_senses(
        &mut self,
        context: &Context,
        scene: &Scene,
        classes: &[Layers],
        shapes: u32,
        b: &mut Buffers,
        walkers: u32,
    ) -> Result<(), GpuError> {
        self.prepare(context, scene, classes, shapes, b)?;
        self.write(context, b, &Batch::default())?;
        self.compile(context, SENSES.iter())?;
        self.senses = SENSES.iter().map(|run| self.bind(context, b, run)).collect::<Result<_, GpuError>>()?;
        let Some(tables) = &self.tables else { return Ok(()) };
        let step = |first, count| QueryStep { first, count, ..tables.step };
        b.upload("query_steps", FIRST_SENSE, &[step(0, 2 * walkers), step(2 * walkers, walkers)])
    }

    /// Tells walkers what is around them, before a frame.
    pub(in crate::solver) fn sense(&mut self, encoder: &mut wgpu::CommandEncoder, walkers: u32, frame: u64) {
        let mut pass = encoder.begin_compute_pass(&Default::default());
        self.build(&mut pass, frame);
        self.senses["aim"].dispatch(&mut pass, walkers, 0);
        self.senses["ray"].dispatch(&mut pass, 2 * walkers, FIRST_SENSE as u32 * BATCH_PITCH);
        self.senses["cast"].dispatch(&mut pass, walkers, (FIRST_SENSE as u32 + 1) * BATCH_PITCH);
    }

    /// Writes a batch, making room for it.
    ///
    /// # Errors
    /// [`GpuError::Buffer`] when the device cannot hold so many.
    pub(in crate::solver) fn write(
        &mut self,
        context: &Context,
        b: &mut Buffers,
        batch: &Batch,
    ) -> Result<(), GpuError> {
        let needed = [batch.queries.len(), batch.ignored.len(), batch.pieces.len(), batch.corners.len(), batch.hits];
        let asks = |run: &Run| WALKS.iter().zip(batch.counts).any(|(walk, count)| *walk == run.name && count > 0);
        let new: Vec<&Run> = RUNS.iter().filter(|run| asks(run) && !self.bound.contains_key(run.name)).collect();
        let is_small = needed.iter().zip(&self.room).any(|(needed, room)| needed > room);
        self.compile(context, new.iter().copied())?;
        if self.bound.is_empty() || is_small || !new.is_empty() {
            let room = [0, 1, 2, 3, 4].map(|i: usize| needed[i].max(self.room[i]).max(64).next_power_of_two());
            let none = wgpu::BufferUsages::empty();
            b.create::<QueryRow>("queries", room[0], none)?;
            b.create::<u32>("query_ignored", room[1], none)?;
            b.create::<PieceRow>("query_pieces", room[2], none)?;
            b.create::<[f32; 4]>("query_corners", room[3], none)?;
            b.create::<HitRow>("query_hits", room[4], none)?;
            let made = RUNS.iter().filter(|run| self.kernels.contains_key(&run.key()));
            self.bound = made.map(|run| self.bind(context, b, run)).collect::<Result<_, GpuError>>()?;
            self.room = room;
        }
        let Some(tables) = &self.tables else { return Ok(()) };
        let mut first = 0;
        for (walk, count) in batch.counts.into_iter().enumerate() {
            b.upload("query_steps", FIRST_WALK + walk, &[QueryStep { first, count, ..tables.step }])?;
            first += count;
        }
        b.upload("queries", 0, &batch.queries)?;
        b.upload("query_ignored", 0, &batch.ignored)?;
        b.upload("query_pieces", 0, &batch.pieces)?;
        b.upload("query_corners", 0, &batch.corners)
    }

    /// Makes the tree, unless it is of now, and lets the queries walk it, before this frame.
    pub(in crate::solver) fn encode(&mut self, encoder: &mut wgpu::CommandEncoder, batch: &Batch, frame: u64) {
        let mut pass = encoder.begin_compute_pass(&Default::default());
        self.build(&mut pass, frame);
        for (walk, count) in batch.counts.into_iter().enumerate().filter(|(_, count)| *count > 0) {
            let of_pieces = RUNS.iter().any(|run| run.name == WALKS[walk] && run.variant.pieces);
            let each = if of_pieces { THREADS_EACH } else { 1 };
            self.bound[WALKS[walk]].dispatch(&mut pass, each * count, (FIRST_WALK + walk) as u32 * BATCH_PITCH);
        }
    }

    /// Makes the tree, unless it is of now. Things go on in the order that they had a while ago: what has moved since makes boxes larger,
    /// and no answer another one.
    fn build(&mut self, pass: &mut wgpu::ComputePass<'_>, frame: u64) {
        let Some(tables) = self.tables.as_ref().filter(|_| !self.built) else { return };
        if self.sorted.is_none_or(|sorted| frame.abs_diff(sorted) >= SORT_EVERY) {
            self.sort(pass, tables);
            self.sorted = Some(frame);
        }
        self.run(pass, "gather", tables.items.len() as u32, 0);
        self.run(pass, "leaves", tables.heap.leaves, 0);
        for level in (0..tables.heap.levels as usize).rev() {
            let width = FANOUT.pow(level as u32);
            self.run(pass, "join", width, FIRST_LEVEL + level);
            if width <= JOINED {
                break;
            }
        }
        self.built = true;
    }

    /// Puts what is near in space near in the tree.
    fn sort(&self, pass: &mut wgpu::ComputePass<'_>, tables: &Tables) {
        let count = tables.items.len() as u32;
        self.run(pass, "window", 1, 0);
        self.run(pass, "keys", count, 0);
        let words = digit_words(tables.items.len()) as u32;
        for round in 0..SORT_ROUNDS as usize {
            let (counting, scattering) =
                if round % 2 == 0 { ("count", "scatter") } else { ("count other", "scatter other") };
            self.run(pass, counting, count.div_ceil(KEYS_EACH), round);
            self.run(pass, "scan", words / SCAN_EACH, 0);
            self.run(pass, "sums", SCAN_THREADS, 0);
            self.run(pass, scattering, count.div_ceil(KEYS_EACH), round);
        }
    }

    /// Runs a kernel with a row of `query_steps`.
    fn run(&self, pass: &mut wgpu::ComputePass<'_>, name: &'static str, threads: u32, row: usize) {
        self.bound[name].dispatch(pass, threads, row as u32 * BATCH_PITCH);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::ConvexHull;
    use crate::solver::{Query, Solver};

    #[test]
    fn what_nobody_asks_is_not_compiled() {
        let mut scene = Scene::default();
        scene.add_collider(crate::scene::Collider::ground(0.0)).unwrap();
        let mut solver = Solver::new(&Context::shared().expect("adapter"), &scene).unwrap();
        let walks = |solver: &Solver| {
            let kernels = solver.asked.stage.kernels.keys().map(|(name, _)| *name);
            let mut walks: Vec<_> = kernels.filter(|name| WALKS.iter().any(|w| name.ends_with(w))).collect();
            walks.sort_unstable();
            walks
        };
        let asked = |solver: &mut Solver, query: Query| {
            let answers = solver.ask_now(&[query]).unwrap();
            answers.first(0).map(|hit| hit.distance)
        };
        let from = Vec3::Y;
        assert_eq!(asked(&mut solver, Query::ray(from, Vec3::NEG_Y, 2.0)), Some(1.0));
        assert_eq!(walks(&solver), ["queries/ray"]);
        assert_eq!(asked(&mut solver, Query::nearest(from, 2.0)), Some(1.0));
        assert_eq!(walks(&solver), ["queries/near", "queries/ray"]);
        assert_eq!(asked(&mut solver, Query::ray(from, Vec3::NEG_Y, 2.0)), Some(1.0));
    }

    #[test]
    fn solids_are_closed_and_look_out() {
        let corners = (0..8_u32).map(|i| Vec3::new((i & 1) as f32, (i >> 1 & 1) as f32, (i >> 2) as f32));
        let hull = ConvexHull::new(&corners.collect::<Vec<_>>()).unwrap();
        for shape in [Shape::Hull(hull), Shape::Cylinder { radius: 0.3, half_length: 0.5 }] {
            let faces = shape.faces().unwrap();
            assert!(are_closed(&faces), "{shape:?}");
            assert!(!are_closed(&faces[1..]), "{shape:?} with a hole");
            let inside_out: Vec<[Vec3; 3]> = faces.iter().map(|[a, b, c]| [*a, *c, *b]).collect();
            assert!(!are_closed(&inside_out), "{shape:?} inside out");
        }
    }
}
