//! Forces from outside: pushes by the host, at the start of a frame or for a while, and fields that last. Nothing runs in a frame
//! without any, and no kernel is compiled before the first.

use super::ground::World;
use super::stage::{Frame, Pass};
use crate::gpu::wgsl::common::workgroup_sum::SUM_WIDTH;
use crate::gpu::wgsl::contacts::hold::LET_GO_THREADS;
use crate::gpu::wgsl::forces::push::{PushChunk, PushCounts, PushRow};
use crate::gpu::{Buffers, GpuError, wgpu::BufferUsages};
use crate::scene::Kinds;

static LET_GO: Pass = Pass::new("forces/let_go");
static WAKE_BODIES: Pass = Pass::new("forces/wake_bodies");
static WEIGH: Pass = Pass::new("forces/weigh");
static PUSH_BODIES: Pass = Pass::new("forces/push_bodies");
static PUSH_PARTICLES: Pass = Pass::new("forces/push_particles");

const COUNTS: (&str, &str) = ("push_counts", "lasting_push_counts");
const ROWS: (&str, &str) = ("pushes", "lasting_pushes");
const CHUNKS: (&str, &str) = ("push_chunks", "lasting_push_chunks");
const MASSES: (&str, &str) = ("push_masses", "lasting_push_masses");

static LET_GO_LASTING: Pass = Pass::again("forces/let_go_lasting", "forces/let_go", &[COUNTS, ROWS]);
static WAKE_BODIES_LASTING: Pass = Pass::again("forces/wake_bodies_lasting", "forces/wake_bodies", &[COUNTS, ROWS]);
static WEIGH_LASTING: Pass = Pass::again("forces/weigh_lasting", "forces/weigh", &[ROWS, CHUNKS, MASSES]);
static PUSH_BODIES_LASTING: Pass = Pass::again("forces/push_bodies_lasting", "forces/push_bodies", &[COUNTS, ROWS]);
static PUSH_PARTICLES_LASTING: Pass =
    Pass::again("forces/push_particles_lasting", "forces/push_particles", &[COUNTS, ROWS, MASSES]);

pub(in crate::solver) static FIELD_BODIES: Pass = Pass::new("forces/field_bodies");
pub(in crate::solver) static FIELD_PARTICLES: Pass = Pass::new("forces/field_particles");

/// What a frame has of one kind of pushes: those of a moment, or those that last.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::solver) struct Sizes {
    /// Whether bodies are pushed, and free particles.
    pub(in crate::solver) bodies: bool,
    pub(in crate::solver) particles: bool,
    /// Ranges of particles whose mass is summed up.
    pub(in crate::solver) chunks: u32,
}

/// What the host pushes in a frame.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::solver) struct Pushing {
    pub(in crate::solver) at_once: Sizes,
    pub(in crate::solver) lasting: Sizes,
}

impl Pushing {
    /// Everything.
    pub(in crate::solver) const ALL: Self = {
        let all = Sizes { bodies: true, particles: true, chunks: 1 };
        Self { at_once: all, lasting: all }
    };
}

/// Forces in a frame.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::solver) struct Stage {
    pub(in crate::solver) world: World,
    /// Sets of bodies that joints tie together.
    pub(in crate::solver) assemblies: u32,
    /// Grains that may sleep.
    pub(in crate::solver) grains: u32,
    /// Whether the host has pushed anything yet.
    pub(in crate::solver) pushes: bool,
    /// What fields act on.
    pub(in crate::solver) field_kinds: Kinds,
}

impl Stage {
    /// Begins a frame: held bodies that do not bear their pushes are let go of, what is pushed wakes, and what has no duration acts.
    /// There are so many groups of held bodies.
    pub(in crate::solver) fn begin(&self, f: &mut Frame, now: &Pushing, holds: u32) {
        if !self.pushes {
            return;
        }
        let kinds = [
            (&now.at_once, [&LET_GO, &WAKE_BODIES, &WEIGH]),
            (&now.lasting, [&LET_GO_LASTING, &WAKE_BODIES_LASTING, &WEIGH_LASTING]),
        ];
        for (sizes, [let_go, wake, weigh]) in kinds {
            if sizes.bodies {
                f.run(let_go, LET_GO_THREADS * holds);
                f.run(wake, self.assemblies);
            }
            f.run(weigh, SUM_WIDTH * sizes.chunks);
        }
        self.push(f, &now.at_once, &PUSH_BODIES, &PUSH_PARTICLES);
    }

    /// Begins a substep: what lasts acts.
    pub(in crate::solver) fn last(&self, f: &mut Frame, now: &Pushing) {
        if self.pushes {
            self.push(f, &now.lasting, &PUSH_BODIES_LASTING, &PUSH_PARTICLES_LASTING);
        }
    }

    /// Begins a substep: fields act, all in one loop over their rows. Their passes are their own: in `particles/predict` and
    /// `bodies/predict` they would cost all scenes two bindings and a test.
    pub(in crate::solver) fn act(&self, f: &mut Frame) {
        let on = |kinds: Kinds, threads: u32| if self.field_kinds.meets(kinds) { threads } else { 0 };
        f.run(&FIELD_BODIES, on(Kinds::BODIES, self.world.bodies));
        f.run(&FIELD_PARTICLES, on(Kinds::PARTICLES, self.world.free()));
    }

    /// The passes of fields.
    pub(in crate::solver) fn field_passes(&self) -> Vec<&'static Pass> {
        let mut frame = Frame::default();
        self.act(&mut frame);
        frame.dispatches.iter().map(|dispatch| dispatch.pass).collect()
    }

    fn push(&self, f: &mut Frame, sizes: &Sizes, bodies: &'static Pass, particles: &'static Pass) {
        f.run(bodies, if sizes.bodies { self.world.bodies } else { 0 });
        f.run(particles, if sizes.particles { self.world.free() } else { 0 });
    }

    /// All passes of pushes.
    pub(in crate::solver) fn push_passes(&self) -> Vec<&'static Pass> {
        let mut frame = Frame::default();
        self.begin(&mut frame, &Pushing::ALL, 1);
        self.last(&mut frame, &Pushing::ALL);
        frame.dispatches.iter().map(|dispatch| dispatch.pass).collect()
    }
}

/// Buffers that the host writes in each frame that reads them, or whenever fields change: those that a state has are put back with it.
pub(in crate::solver) const BUFFERS: [&str; 10] = [
    "field_counts",
    "fields",
    "push_counts",
    "lasting_push_counts",
    "pushes",
    "lasting_pushes",
    "push_chunks",
    "lasting_push_chunks",
    "push_masses",
    "lasting_push_masses",
];

/// Makes the buffers of pushes with room for so many rows and chunks.
pub(in crate::solver) fn create(b: &mut Buffers, rows: usize, chunks: usize) -> Result<(), GpuError> {
    let none = BufferUsages::empty();
    b.create_uniform("push_counts", &[PushCounts::default()])?;
    b.create_uniform("lasting_push_counts", &[PushCounts::default()])?;
    b.create::<PushRow>("pushes", rows, none)?; // of a moment: on bodies, on particles, in ranges and balls
    b.create::<PushRow>("lasting_pushes", rows, none)?; // the same of those that last, for a substep
    b.create::<PushChunk>("push_chunks", chunks, none)?; // particles that share an impulse
    b.create::<PushChunk>("lasting_push_chunks", chunks, none)?;
    b.create::<f32>("push_masses", chunks, none)?; // of each chunk [kg]
    b.create::<f32>("lasting_push_masses", chunks, none)
}
