//! What bodies touch, for games that listen: noted in every substep for the bodies that somebody listens to. Nothing runs in a frame
//! before, and no kernel is compiled.

use super::ground::World;
use super::stage::{Frame, List, Pass};
use crate::gpu::wgsl::common::contact::{MANIFOLD_SLOTS, TOUCHING_MANIFOLDS, TOUCHING_WORLD};
use crate::gpu::wgsl::common::params::NONE;
use crate::gpu::wgsl::events::touch::{Listened, ListenedCount, ListenerRow, TOUCH_SLOTS, ToldRow, Touch};
use crate::gpu::{Buffers, GpuError, wgpu::BufferUsages};

static BEGIN: Pass = Pass::new("events/begin");
static PAIRS: Pass = Pass::new("events/pairs");
static NOTE_WORLD: Pass = Pass::new("events/world");
static PARTICLES: Pass = Pass::new("events/particles");
static GATHER: Pass = Pass::new("events/gather");
static TELL: Pass = Pass::new("events/tell");

/// Buffers of events, of which no state has any.
pub(super) const BUFFERS: [&str; 9] = [
    "listened_count",
    "listened",
    "listened_rows",
    "listened_states",
    "listeners",
    "told_count",
    "told",
    "pair_touches",
    "particle_things",
];

/// Events in a frame.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Stage {
    /// Bodies that the host listens to.
    pub(super) listened: u32,
    pub(super) world: World,
}

impl Stage {
    /// Begins a frame: nothing touches yet.
    pub(super) fn begin(&self, f: &mut Frame) {
        f.run(&BEGIN, self.listened);
    }

    /// Notes what touches, once contacts are solved and before they move anything.
    pub(super) fn note(&self, f: &mut Frame) {
        if self.pairs() > 0 {
            f.run_listed(&PAIRS, List::of("loads", TOUCHING_MANIFOLDS));
        }
        if self.listened > 0 && self.world.colliders > 0 {
            f.run_listed(&NOTE_WORLD, List::of("loads", TOUCHING_WORLD));
        }
        f.run(&PARTICLES, if self.world.free_meeting() > 0 { self.listened } else { 0 });
    }

    /// Before a search may list pairs anew. Not gated by it: gates are laid down before anybody listens.
    pub(super) fn search(&self, f: &mut Frame) {
        f.run(&GATHER, self.pairs());
    }

    /// Ends a frame.
    pub(super) fn finish(&self, f: &mut Frame) {
        f.run(&GATHER, self.pairs());
        f.run(&TELL, self.listened);
    }

    /// Bodies that the host listens to, where bodies can touch one another.
    fn pairs(&self) -> u32 {
        if self.world.bodies > 1 { self.listened } else { 0 }
    }

    /// All passes.
    pub(super) fn passes(&self) -> Vec<&'static Pass> {
        let mut frame = Frame::default();
        self.begin(&mut frame);
        self.note(&mut frame);
        self.search(&mut frame);
        self.finish(&mut frame);
        frame.dispatches.iter().map(|dispatch| dispatch.pass).collect()
    }
}

/// Makes the buffers for these bodies of so many, what listeners hear of, and what thing each free particle is of.
pub(super) fn create(
    b: &mut Buffers,
    count: usize,
    bodies: &[u32],
    listeners: &[ListenerRow],
    things: &[u32],
) -> Result<(), GpuError> {
    // Known things may be told of before: until it touches nothing, all that it touches is.
    let row = |body: &u32| Listened { body: *body, telling: 1, ..Listened::default() };
    let (rows, none): (Vec<Listened>, _) = (bodies.iter().map(row).collect(), BufferUsages::empty());
    let counts = ListenedCount { rows: rows.len() as u32, listeners: listeners.len() as u32 };
    b.create_uniform("listened_count", &[counts])?;
    b.create_with("listened", &rows)?; // [listened]
    b.create_with("listeners", listeners)?;
    b.create::<u32>("listened_states", rows.len(), none)?; // [listened]
    b.create::<u32>("told_count", 1, none)?;
    b.create::<ToldRow>("told", rows.len() * TOUCH_SLOTS as usize, none)?; // in no order
    let mut row_of = vec![NONE; count];
    (0..).zip(bodies).for_each(|(row, body)| row_of[*body as usize] = row);
    b.create_with("listened_rows", &row_of)?; // [body_count]
    b.create::<Touch>("pair_touches", count * MANIFOLD_SLOTS as usize, none)?; // [body_count * MANIFOLD_SLOTS]
    b.create_with("particle_things", things) // [particle_count] of free ones
}
