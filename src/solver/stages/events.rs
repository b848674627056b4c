//! What touches what, for games that listen: noted in every substep, for the bodies that somebody listens to in slots of their own, for free particles
//! by the two things. Nothing runs in a frame before, and no kernel is compiled.

use std::mem::offset_of;

use super::ground::World;
use super::stage::{Frame, List, Pass};
use crate::gpu::wgsl::common::contact::{TOUCHING_MANIFOLDS, TOUCHING_PARTICLES, TOUCHING_WORLD};
use crate::gpu::wgsl::common::params::NONE;
use crate::gpu::wgsl::events::free::{HEARD, TOUCH_SUMS, ThingCounts, TouchSum, UNNAMED};
use crate::gpu::wgsl::events::touch::{Listened, ListenedCount, ListenerRow, TOUCH_SLOTS, ToldRow, Touch};
use crate::gpu::wgsl::surfaces::lists::SurfaceList;
use crate::gpu::{Buffers, GpuError, wgpu::BufferUsages};
use crate::scene::{Kinds, ParticleId, Scene, Thing};

static BEGIN: Pass = Pass::new("events/begin");
static PAIRS: Pass = Pass::new("events/pairs");
static NOTE_WORLD: Pass = Pass::new("events/world");
static GATHER: Pass = Pass::new("events/gather");
static TELL: Pass = Pass::new("events/tell");
static FREE_BEGIN: Pass = Pass::new("events/free_begin");
static FREE_CONTACTS: Pass = Pass::new("events/free_contacts");
static FREE_COLLIDERS: Pass = Pass::new("events/free_colliders");
static FREE_LIQUID: Pass = Pass::new("events/free_liquid");
static FREE_SURFACES: Pass = Pass::new("events/free_surfaces");
static FREE_TRIANGLES: Pass = Pass::new("events/free_triangles");
static COUNT_BODY_PAIRS: Pass = Pass::new("events/count_body_pairs");
static FREE_BODIES: Pass = Pass::new("events/free_bodies");
static FREE_TELL: Pass = Pass::new("events/free_tell");

/// Pairs of features of free particles.
const FREE_PAIRS: List = List::at("surface_list", offset_of!(SurfaceList, pairs));
/// Pairs of particles of bodies and triangles.
const BODY_PAIRS: List = List::at("surface_list", offset_of!(SurfaceList, body_pairs));

/// Buffers of events, of which no state has any.
pub(in crate::solver) const BUFFERS: [&str; 10] = [
    "listened_count",
    "listened",
    "listened_rows",
    "listened_states",
    "listeners",
    "told_count",
    "told",
    "pair_touches",
    "thing_counts",
    "free_touches",
];

/// Events in a frame.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::solver) struct Stage {
    /// Bodies that the host listens to.
    pub(in crate::solver) listened: u32,
    pub(in crate::solver) free: Free,
    pub(in crate::solver) world: World,
}

/// What free particles can touch that the host listens to; nothing if it does not.
#[derive(Clone, Copy, Debug)]
pub(in crate::solver) struct Free {
    /// Kinds of what they touch.
    pub(in crate::solver) partners: Kinds,
    /// Members of the fluid.
    pub(in crate::solver) liquid: u32,
    /// Whether there are surfaces of free particles, and whether particles of bodies meet them.
    pub(in crate::solver) surfaces: bool,
    pub(in crate::solver) on_bodies: bool,
    /// Rows of triangles that colliders can poke between the corners of.
    pub(in crate::solver) poked: u32,
}

impl Default for Free {
    fn default() -> Self {
        Self { partners: Kinds::NONE, liquid: 0, surfaces: false, on_bodies: false, poked: 0 }
    }
}

impl Free {
    /// Whether the host listens to any.
    pub(in crate::solver) fn is_heard(&self) -> bool {
        self.partners != Kinds::NONE
    }

    /// So many threads, where it listens to what touches things of these kinds.
    fn with(&self, kinds: Kinds, threads: u32) -> u32 {
        if self.partners.meets(kinds) { threads } else { 0 }
    }
}

impl Stage {
    /// Begins a frame: nothing touches yet.
    pub(in crate::solver) fn begin(&self, f: &mut Frame) {
        f.run(&FREE_BEGIN, u32::from(self.free.is_heard()));
        f.run(&BEGIN, self.listened);
    }

    /// Notes what touches, once contacts are solved and before they move anything.
    pub(in crate::solver) fn note(&self, f: &mut Frame) {
        if self.pairs() > 0 {
            f.run_listed(&PAIRS, List::of("loads", TOUCHING_MANIFOLDS));
        }
        if self.listened > 0 && self.world.colliders > 0 {
            f.run_listed(&NOTE_WORLD, List::of("loads", TOUCHING_WORLD));
        }
        if self.free.with(Kinds::BODIES | Kinds::PARTICLES, self.world.free_meeting()) > 0 {
            f.run_listed(&FREE_CONTACTS, List::of("loads", TOUCHING_PARTICLES));
        }
        f.run(&FREE_LIQUID, self.free.with(Kinds::COLLIDERS | Kinds::PARTICLES, self.free.liquid));
    }

    /// Notes where free particles touch colliders, before those move them.
    pub(in crate::solver) fn note_colliders(&self, f: &mut Frame) {
        let met = if self.world.colliders > 0 { self.world.free() } else { 0 };
        f.run(&FREE_COLLIDERS, self.free.with(Kinds::COLLIDERS, met));
    }

    /// Notes where surfaces touch, once that is solved and before it moves anything.
    pub(in crate::solver) fn note_surfaces(&self, f: &mut Frame) {
        f.run(&FREE_TRIANGLES, self.free.with(Kinds::COLLIDERS, self.free.poked));
        if self.free.surfaces && self.free.partners.meets(Kinds::PARTICLES) {
            f.run_listed(&FREE_SURFACES, FREE_PAIRS);
        }
        if self.free.on_bodies && self.free.partners.meets(Kinds::BODIES) {
            f.run(&COUNT_BODY_PAIRS, 1);
            f.run_listed(&FREE_BODIES, BODY_PAIRS);
        }
    }

    /// Before a search may list pairs anew. Not gated by it: gates are laid down before anybody listens.
    pub(in crate::solver) fn search(&self, f: &mut Frame) {
        f.run(&GATHER, self.pairs());
    }

    /// Ends a frame.
    pub(in crate::solver) fn finish(&self, f: &mut Frame) {
        f.run(&GATHER, self.pairs());
        f.run(&TELL, self.listened);
        f.run(&FREE_TELL, if self.free.is_heard() { TOUCH_SUMS } else { 0 });
    }

    /// Most rows that a frame tells.
    pub(in crate::solver) fn most_told(&self) -> usize {
        (TOUCH_SLOTS * self.listened + if self.free.is_heard() { TOUCH_SUMS } else { 0 }) as usize
    }

    /// Bodies that the host listens to, where bodies can touch one another.
    fn pairs(&self) -> u32 {
        if self.world.bodies > 1 { self.listened } else { 0 }
    }

    /// All passes.
    pub(in crate::solver) fn passes(&self) -> Vec<&'static Pass> {
        let mut frame = Frame::default();
        self.begin(&mut frame);
        self.note(&mut frame);
        self.note_colliders(&mut frame);
        self.note_surfaces(&mut frame);
        self.search(&mut frame);
        self.finish(&mut frame);
        frame.dispatches.iter().map(|dispatch| dispatch.pass).collect()
    }
}

/// Things as the GPU counts them, with the number of bodies and of each other kind: bodies first, colliders last.
fn counts(scene: &Scene, colliders: u32) -> ThingCounts {
    let objects = scene.bodies.len() as u32;
    let liquids = objects + scene.deformables.len() as u32;
    let grains = liquids + scene.liquids.len() as u32;
    let first = grains + scene.grains.len() as u32;
    ThingCounts { objects, liquids, grains, colliders: first, end: first + colliders }
}

/// The number of a thing among these.
fn counted(counts: &ThingCounts, thing: Thing) -> u32 {
    match thing {
        Thing::Body(id) => id.0,
        Thing::Deformable(id) => counts.objects + id.0,
        Thing::Liquid(id) => counts.liquids + id.0,
        Thing::Grains(id) => counts.grains + id.0,
        Thing::Collider(id) => counts.colliders + id.0,
    }
}

/// Whether two things of this scene and so many colliders have one number.
pub(in crate::solver) fn are_countable(scene: &Scene, colliders: u32) -> bool {
    let counts = counts(scene, colliders);
    (u64::from(counts.colliders - counts.objects) + 1) * u64::from(counts.end) < u64::from(u32::MAX)
}

/// Whose free particles are and then the things themselves, by their numbers; those have HEARD that a listener hears of.
fn things(scene: &Scene, counts: &ThingCounts, is_heard: impl Fn(Thing) -> bool) -> Vec<u32> {
    let members = scene.members();
    let marked = |thing: Thing| counted(counts, thing) | if is_heard(thing) { HEARD } else { 0 };
    let of_particle = |i| match members.thing(ParticleId(i)) {
        Some(Thing::Body(_)) | None => UNNAMED,
        Some(thing) => marked(thing),
    };
    let particles = (0..scene.particles.len() as u32).map(of_particle);
    particles.chain(scene.things(counts.end - counts.colliders).map(marked)).collect()
}

/// What listeners hear of.
pub(in crate::solver) struct Rows<'a> {
    /// Bodies that have slots of their own.
    pub(in crate::solver) bodies: &'a [u32],
    pub(in crate::solver) listeners: &'a [ListenerRow],
    /// What was told to touch and did not end.
    pub(in crate::solver) known: Vec<ToldRow>,
}

/// Makes the buffers of a stage for a scene, with so many slots for pairs of a body, and whether a listener hears of a thing.
pub(in crate::solver) fn create(
    b: &mut Buffers,
    stage: &Stage,
    scene: &Scene,
    rows: &Rows<'_>,
    slots: u32,
    is_heard: impl Fn(Thing) -> bool,
) -> Result<(), GpuError> {
    // Known things may be told of before: until it touches nothing, all that it touches is.
    let row = |body: &u32| Listened { body: *body, telling: 1, ..Listened::default() };
    let (count, none) = (scene.bodies.len(), BufferUsages::empty());
    let listened: Vec<Listened> = rows.bodies.iter().map(row).collect();
    let sizes = ListenedCount { rows: listened.len() as u32, listeners: rows.listeners.len() as u32 };
    b.create_uniform("listened_count", &[sizes])?;
    b.create_with("listened", &listened)?; // [listened]
    b.create_with("listeners", rows.listeners)?;
    b.create::<u32>("listened_states", listened.len(), none)?; // [listened]
    let known = &rows.known[..rows.known.len().min(stage.most_told())];
    b.create_with("told_count", &[known.len() as u32])?;
    b.create::<ToldRow>("told", stage.most_told(), none)?; // in no order
    b.upload("told", 0, known)?;
    let mut row_of = vec![NONE; count];
    (0..).zip(rows.bodies).for_each(|(row, body)| row_of[*body as usize] = row);
    b.create_with("listened_rows", &row_of)?; // [body_count]
    create_pairs(b, count, slots)?;
    if !stage.free.is_heard() {
        return Ok(());
    }
    let counts = counts(scene, stage.world.colliders);
    b.create_uniform("thing_counts", &[counts])?;
    // Sums, three words, and whose particles are, to the end of a row.
    let things = things(scene, &counts, is_heard);
    let head = TOUCH_SUMS as usize * size_of::<TouchSum>() / 4 + HEAD_WORDS;
    b.create::<u32>("free_touches", head + things.len(), none)?;
    b.upload("free_touches", head, &things)
}

/// Makes what pairs of bodies are noted in, with so many slots a body, empty.
pub(in crate::solver) fn create_pairs(b: &mut Buffers, bodies: usize, slots: u32) -> Result<(), GpuError> {
    b.create::<Touch>("pair_touches", bodies * slots as usize, BufferUsages::empty()) // [body_count * manifold_slots]
}

/// Words of `free_touches` after the sums.
const HEAD_WORDS: usize = 3;

/// Byte of `free_touches` that counts what was dropped.
pub(in crate::solver) fn dropped_at() -> u64 {
    u64::from(TOUCH_SUMS) * size_of::<TouchSum>() as u64
}
