//! Queries on the GPU: what they can meet, as a tree of boxes that is made anew from where things are when something is asked, and
//! the kernels that walk it. They run when the host asks, not in a frame. The tree is implicit: targets in the order of
//! their places, four to a leaf, four children to a node.

use std::collections::HashMap;

use glam::Vec3;
use rayon::prelude::*;

use super::ground::{SCAN_BLOCK, SCAN_EACH, SCAN_THREADS};
use crate::gpu::wgsl::queries::item::Item;
use crate::gpu::wgsl::queries::order::{DIGIT_BITS, DIGITS, KEYS_EACH, Key, SORT_ROUNDS, Window};
use crate::gpu::wgsl::queries::query::{Hit as HitRow, Query as QueryRow};
use crate::gpu::wgsl::queries::step::QueryStep;
use crate::gpu::wgsl::queries::target::{
    Box as BoxRow, FANOUT, NOTHING, PART_PARTICLE, TARGET_BALL, TARGET_BOX, TARGET_FACE, TARGET_PLANE, TARGET_SHAPE,
    THING_BITS, THING_BODY, THING_COLLIDER, THING_DEFORMABLE, THING_GRAINS, THING_LIQUID, Target,
};
use crate::gpu::{BATCH_PITCH, BoundKernel, Buffers, Context, GpuError, Kernel, wgpu};
use crate::scene::{
    BodyId, ColliderId, DeformableId, GrainsId, LiquidId, ParticleId, Phase, Scene, Shape, Thing, with_pieces,
};

/// A kernel under a name, and which of its variables stand for other buffers.
struct Run {
    name: &'static str,
    kernel: &'static str,
    renamed: &'static [(&'static str, &'static str)],
}

/// Kernels in the order in which the tree is made, then those that walk it.
const RUNS: &[Run] = &[
    Run { name: "window", kernel: "queries/window", renamed: &[STEP, ITEMS, WINDOW] },
    Run { name: "keys", kernel: "queries/keys", renamed: &[STEP, ITEMS, WINDOW, KEYS] },
    Run { name: "count", kernel: "queries/count", renamed: &[STEP, KEYS] },
    Run { name: "count other", kernel: "queries/count", renamed: &[STEP, ("keys", "query_other_keys")] },
    Run {
        name: "scan",
        kernel: "broad_phase/scan_blocks",
        renamed: &[("cell_counts", "digit_counts"), ("cell_starts", "digit_starts"), ("block_sums", "digit_sums")],
    },
    Run { name: "sums", kernel: "queries/sums", renamed: &[STEP] },
    Run { name: "scatter", kernel: "queries/scatter", renamed: &[STEP, KEYS, ("sorted_keys", "query_other_keys")] },
    Run {
        name: "scatter other",
        kernel: "queries/scatter",
        renamed: &[STEP, ("keys", "query_other_keys"), ("sorted_keys", "query_keys")],
    },
    Run { name: "gather", kernel: "queries/gather", renamed: &[STEP, ITEMS, KEYS, TARGETS] },
    Run { name: "leaves", kernel: "queries/leaves", renamed: &[STEP, TARGETS, NODES] },
    Run { name: "join", kernel: "queries/join", renamed: &[STEP, NODES] },
    Run { name: "ray", kernel: "queries/ray", renamed: WALK },
    Run { name: "cast", kernel: "queries/cast", renamed: WALK },
    Run { name: "near", kernel: "queries/near", renamed: WALK },
];

/// Kernels that walk the tree for walkers, after the one that asks for them.
const SENSES: &[Run] = &[
    Run { name: "aim", kernel: "walkers/aim", renamed: &[] },
    Run { name: "ray", kernel: "queries/ray", renamed: SENSE },
    Run { name: "cast", kernel: "queries/cast", renamed: SENSE },
];

type Renamed = (&'static str, &'static str);
const STEP: Renamed = ("batch", "query_steps");
const ITEMS: Renamed = ("items", "query_items");
const WINDOW: Renamed = ("window", "query_window");
const KEYS: Renamed = ("keys", "query_keys");
const TARGETS: Renamed = ("targets", "query_targets");
const NODES: Renamed = ("nodes", "query_nodes");
const WALK: &[Renamed] = &[STEP, TARGETS, NODES, ("ignored", "query_ignored"), ("hits", "query_hits")];
const SENSE: &[Renamed] =
    &[STEP, TARGETS, NODES, ("queries", "walker_queries"), ("ignored", "walker_ignored"), ("hits", "walker_hits")];

/// Buffers of queries, of which no state has any.
pub(super) const BUFFERS: [&str; 14] = [
    "query_items",
    "shape_trees",
    "query_steps",
    "query_window",
    "query_keys",
    "query_other_keys",
    "digit_counts",
    "digit_starts",
    "digit_sums",
    "query_targets",
    "query_nodes",
    "queries",
    "query_ignored",
    "query_hits",
];

/// Levels that a tree of as many targets as a buffer can hold has at most.
const MOST_LEVELS: usize = 16;
/// Rows of `query_steps`: a round of sorting each, then a level of the tree each, then a kind of query each, then rays and casts of
/// walkers.
const FIRST_LEVEL: usize = SORT_ROUNDS as usize;
const FIRST_WALK: usize = FIRST_LEVEL + MOST_LEVELS;
const FIRST_SENSE: usize = FIRST_WALK + WALKS.len();
/// Kernels that walk the tree, in the order in which a batch has its queries.
pub(super) const WALKS: [&str; 3] = ["ray", "cast", "near"];

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
}

/// The number of a thing in the shaders.
pub(super) fn number(thing: Thing) -> u32 {
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
pub(super) fn thing(number: u32) -> Option<Thing> {
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

/// What can be met, and in which order.
#[derive(Debug)]
struct Tables {
    items: Vec<Item>,
    /// What all steps are told.
    step: QueryStep,
    heap: Heap,
    /// Rows of `shape_trees`.
    shapes: Vec<[u32; 4]>,
}

impl Tables {
    fn new(scene: &Scene) -> Self {
        let row = |who, thing, part| Item { who, thing, tears: [NOTHING; 3], part };
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
        let heap = Heap::new(items.len());
        let blocks = digit_words(items.len()) as u32 / SCAN_BLOCK;
        let step = QueryStep {
            item_count: items.len() as u32,
            body_end,
            collider_end,
            triangle_end,
            first_leaf: heap.first_leaf,
            leaf_count: heap.leaves,
            blocks,
            ..QueryStep::default()
        };
        Self { items, step, heap, shapes: shape_trees(scene) }
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
        b.create_with("shape_trees", &self.shapes)?; // triangles of shapes
        b.create_uniform("query_steps", &self.steps())?;
        b.create::<Window>("query_window", 1, none)?;
        b.create::<Key>("query_keys", count, none)?; // [item_count] in the order of the tree
        b.create::<Key>("query_other_keys", count, none)?; // [item_count]
        b.create::<u32>("digit_counts", words, none)?; // [digit][block of keys]; zero beyond
        b.create::<u32>("digit_starts", words, none)?;
        b.create::<u32>("digit_sums", words / SCAN_BLOCK as usize, none)?;
        b.create::<Target>("query_targets", count, none)?; // [item_count]
        b.create::<BoxRow>("query_nodes", self.heap.nodes(), none)
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

/// Which edges end each triangle when they break.
fn tear(scene: &Scene, triangles: &mut [Item]) {
    if scene.tears.is_empty() {
        return;
    }
    let place: HashMap<u32, usize> = triangles.iter().enumerate().map(|(place, item)| (item.part, place)).collect();
    for (tear, index) in scene.tears.iter().zip(0..) {
        for place in tear.faces.iter().filter_map(|face| place.get(face)) {
            if let Some(slot) = triangles[*place].tears.iter_mut().find(|slot| **slot == NOTHING) {
                *slot = index;
            }
        }
    }
}

/// Rows of `shape_trees`, for shapes of bodies, then those of colliders, then those of pieces.
fn shape_trees(scene: &Scene) -> Vec<[u32; 4]> {
    let shapes = with_pieces(scene.shapes.iter().chain(scene.colliders.iter().map(|c| &c.shape)));
    let mut rows = vec![[0; 4]; shapes.len().max(1)];
    for (index, shape) in shapes.into_iter().enumerate() {
        let Some(faces) = shape.faces() else { continue };
        let mut faces: Vec<([Vec3; 3], u32)> = faces.into_iter().zip(0..).collect();
        let heap = Heap::new(faces.len());
        sort_faces(&mut faces, FANOUT as usize);
        let first = rows.len() as u32;
        rows[index] = [first, heap.first_leaf, first + 2 * heap.nodes() as u32, faces.len() as u32];
        rows.extend(face_boxes(&faces, &heap).into_iter().flat_map(|[low, high]| [bits(low, 0), bits(high, 0)]));
        rows.extend(faces.iter().flat_map(|([a, b, c], part)| [bits(*a, *part), bits(*b, 0), bits(*c, 0)]));
    }
    rows
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

/// Boxes of the nodes over sorted triangles; low above high where there is nothing.
fn face_boxes(faces: &[([Vec3; 3], u32)], heap: &Heap) -> Vec<[Vec3; 2]> {
    let mut boxes = vec![[Vec3::MAX, Vec3::MIN]; heap.nodes()];
    let join = |[low, high]: [Vec3; 2], [a, b]: [Vec3; 2]| [low.min(a), high.max(b)];
    for (leaf, faces) in faces.chunks(FANOUT as usize).enumerate() {
        let corners = faces.iter().flat_map(|face| face.0).map(|p| [p, p]);
        boxes[heap.first_leaf as usize + leaf] = corners.fold([Vec3::MAX, Vec3::MIN], join);
    }
    for node in (0..heap.first_leaf as usize).rev() {
        let first = FANOUT as usize * node + 1;
        let children = first.min(boxes.len())..(first + FANOUT as usize).min(boxes.len());
        boxes[node] = boxes[children].iter().copied().fold([Vec3::MAX, Vec3::MIN], join);
    }
    // Triangles that lie in a plane along the axes have boxes without a height, which rounding might miss.
    let wide = |v: Vec3| 2e-6 * (v.abs() + Vec3::ONE);
    let empty = |[low, high]: &[Vec3; 2]| low.x > high.x;
    boxes.into_iter().map(|b| if empty(&b) { b } else { [b[0] - wide(b[0]), b[1] + wide(b[1])] }).collect()
}

/// Which kinds of targets a scene has, a bit for each.
fn kinds(scene: &Scene) -> u32 {
    let shapes = with_pieces(scene.shapes.iter().chain(scene.colliders.iter().map(|c| &c.shape)));
    let kind = |shape: &Shape| match shape {
        Shape::Plane => TARGET_PLANE,
        Shape::Cuboid(_) => TARGET_BOX,
        Shape::Sphere(_) | Shape::Capsule { .. } => TARGET_BALL,
        _ => TARGET_SHAPE,
    };
    let loose = [(scene.triangles.is_empty(), TARGET_FACE), (scene.particles.is_empty(), TARGET_BALL)];
    let loose = loose.iter().filter(|(none, _)| !none).map(|(_, kind)| *kind);
    shapes.into_iter().map(kind).chain(loose).fold(0, |bits, kind| bits | (1 << kind))
}

/// What queries have on the GPU, once something was asked.
#[derive(Debug, Default)]
pub(super) struct Stage {
    kernels: HashMap<&'static str, Kernel>,
    /// Kinds of targets that `kernels` are for, a bit for each.
    kinds: u32,
    bound: HashMap<&'static str, BoundKernel>,
    /// Those of [`SENSES`].
    senses: HashMap<&'static str, BoundKernel>,
    tables: Option<Tables>,
    /// Whether the tree is of where things are now.
    pub(super) built: bool,
    /// Rows that the buffers of a batch have room for: queries, ignored things, hits.
    room: [usize; 3],
}

/// The rows of a batch of queries, those of one kernel after the other.
#[derive(Debug, Default)]
pub(super) struct Batch {
    pub(super) queries: Vec<QueryRow>,
    pub(super) ignored: Vec<u32>,
    /// How many queries each of [`WALKS`] has.
    pub(super) counts: [u32; 3],
    /// Rows of hits.
    pub(super) hits: usize,
}

impl Stage {
    /// The buffers were made anew, and the scene may have grown.
    pub(super) fn forget(&mut self) {
        *self = Self { kernels: std::mem::take(&mut self.kernels), kinds: self.kinds, ..Self::default() };
    }

    /// Makes its kernels anew when it is asked next.
    #[cfg(feature = "shader-reload")]
    pub(super) fn forget_kernels(&mut self) {
        *self = Self::default();
    }

    /// Makes what is missing. Whether there is anything to meet.
    ///
    /// # Errors
    /// [`GpuError`] when the device cannot hold it.
    pub(super) fn prepare(&mut self, context: &Context, scene: &Scene, b: &mut Buffers) -> Result<bool, GpuError> {
        if self.tables.is_none() {
            let tables = Tables::new(scene);
            tables.create(b)?;
            self.tables = Some(tables);
            let kinds = kinds(scene);
            if self.kinds != kinds {
                self.kernels.clear();
                self.kinds = kinds;
            }
            self.compile(context, RUNS)?;
        }
        Ok(self.tables.as_ref().is_some_and(|tables| !tables.items.is_empty()))
    }

    /// Compiles the kernels of these that are not there yet, the walks for the kinds of targets that there are.
    fn compile(&mut self, context: &Context, runs: &[Run]) -> Result<(), GpuError> {
        let mut names: Vec<&'static str> = runs.iter().map(|run| run.kernel).collect();
        names.dedup();
        names.retain(|name| !self.kernels.contains_key(name));
        let kinds = [("TARGETS", f64::from(self.kinds))];
        let kernel = |name: &&'static str| {
            let walks = name.strip_prefix("queries/").is_some_and(|name| WALKS.contains(&name));
            Kernel::new(context, name, if walks { &kinds } else { &[] }).map(|kernel| (*name, kernel))
        };
        self.kernels.extend(names.par_iter().map(kernel).collect::<Result<Vec<_>, _>>()?);
        Ok(())
    }

    /// Gets ready to tell so many walkers what is around them; their buffers are there.
    ///
    /// # Errors
    /// [`GpuError`] when the device cannot hold it.
    pub(super) fn ready_senses(
        &mut self,
        context: &Context,
        scene: &Scene,
        b: &mut Buffers,
        walkers: u32,
    ) -> Result<(), GpuError> {
        self.prepare(context, scene, b)?;
        self.write(context, b, &Batch::default())?;
        self.compile(context, SENSES)?;
        let bind = |run: &Run| Ok((run.name, self.kernels[run.kernel].bind_as(context, b, run.name, run.renamed)?));
        self.senses = SENSES.iter().map(bind).collect::<Result<_, GpuError>>()?;
        let Some(tables) = &self.tables else { return Ok(()) };
        let step = |first, count| QueryStep { first, count, ..tables.step };
        b.upload("query_steps", FIRST_SENSE, &[step(0, 2 * walkers), step(2 * walkers, walkers)])
    }

    /// Tells walkers what is around them, before a frame.
    pub(super) fn sense(&mut self, encoder: &mut wgpu::CommandEncoder, walkers: u32) {
        let mut pass = encoder.begin_compute_pass(&Default::default());
        if !self.built {
            self.build(&mut pass);
            self.built = true;
        }
        self.senses["aim"].dispatch(&mut pass, walkers, 0);
        self.senses["ray"].dispatch(&mut pass, 2 * walkers, FIRST_SENSE as u32 * BATCH_PITCH);
        self.senses["cast"].dispatch(&mut pass, walkers, (FIRST_SENSE as u32 + 1) * BATCH_PITCH);
    }

    /// Writes a batch, making room for it.
    ///
    /// # Errors
    /// [`GpuError::Buffer`] when the device cannot hold so many.
    pub(super) fn write(&mut self, context: &Context, b: &mut Buffers, batch: &Batch) -> Result<(), GpuError> {
        let needed = [batch.queries.len(), batch.ignored.len(), batch.hits];
        if self.bound.is_empty() || needed.iter().zip(&self.room).any(|(needed, room)| needed > room) {
            let room = [0, 1, 2].map(|i: usize| needed[i].max(self.room[i]).max(64).next_power_of_two());
            let none = wgpu::BufferUsages::empty();
            b.create::<QueryRow>("queries", room[0], none)?;
            b.create::<u32>("query_ignored", room[1], none)?;
            b.create::<HitRow>("query_hits", room[2], none)?;
            let bind = |run: &Run| Ok((run.name, self.kernels[run.kernel].bind_as(context, b, run.name, run.renamed)?));
            self.bound = RUNS.iter().map(bind).collect::<Result<_, GpuError>>()?;
            self.room = room;
        }
        let Some(tables) = &self.tables else { return Ok(()) };
        let mut first = 0;
        for (walk, count) in batch.counts.into_iter().enumerate() {
            b.upload("query_steps", FIRST_WALK + walk, &[QueryStep { first, count, ..tables.step }])?;
            first += count;
        }
        b.upload("queries", 0, &batch.queries)?;
        b.upload("query_ignored", 0, &batch.ignored)
    }

    /// Makes the tree, unless it is of now, and lets the queries walk it.
    pub(super) fn encode(&mut self, encoder: &mut wgpu::CommandEncoder, batch: &Batch) {
        let mut pass = encoder.begin_compute_pass(&Default::default());
        if !self.built {
            self.build(&mut pass);
            self.built = true;
        }
        for (walk, count) in batch.counts.into_iter().enumerate() {
            self.bound[WALKS[walk]].dispatch(&mut pass, count, (FIRST_WALK + walk) as u32 * BATCH_PITCH);
        }
    }

    fn build(&self, pass: &mut wgpu::ComputePass<'_>) {
        let Some(tables) = &self.tables else { return };
        let count = tables.items.len() as u32;
        let mut run = |name, threads, row: usize| self.bound[name].dispatch(pass, threads, row as u32 * BATCH_PITCH);
        run("window", 1, 0);
        run("keys", count, 0);
        let words = digit_words(tables.items.len()) as u32;
        for round in 0..SORT_ROUNDS as usize {
            let (counting, scattering) =
                if round % 2 == 0 { ("count", "scatter") } else { ("count other", "scatter other") };
            run(counting, count.div_ceil(KEYS_EACH), round);
            run("scan", words / SCAN_EACH, 0);
            run("sums", SCAN_THREADS, 0);
            run(scattering, count.div_ceil(KEYS_EACH), round);
        }
        run("gather", count, 0);
        run("leaves", tables.heap.leaves, 0);
        for level in (0..tables.heap.levels as usize).rev() {
            let width = FANOUT.pow(level as u32);
            run("join", width, FIRST_LEVEL + level);
        }
    }
}
