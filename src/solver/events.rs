//! What bodies touch, for games that listen: noted in every substep for the bodies that somebody listens to. Nothing runs in a frame
//! before, and no kernel is compiled.

use super::stage::{Frame, Pass};
use crate::gpu::wgsl::events::touch::{Listened, ListenedCount, TOUCH_SLOTS, Touch};
use crate::gpu::{Buffers, GpuError, wgpu::BufferUsages};

static BEGIN: Pass = Pass::new("events/begin");
static BODIES: Pass = Pass::new("events/bodies");
static PARTICLES: Pass = Pass::new("events/particles");

/// Buffers of events, of which no state has any.
pub(super) const BUFFERS: [&str; 4] = ["listened_count", "listened", "touches", "particle_things"];

/// Events in a frame.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Stage {
    /// Bodies that the host listens to.
    pub(super) listened: u32,
    /// Whether there are free particles that bodies can touch.
    pub(super) free: bool,
}

impl Stage {
    /// Begins a frame: nothing touches yet.
    pub(super) fn begin(&self, f: &mut Frame) {
        f.run(&BEGIN, self.listened);
    }

    /// Notes what touches, once contacts are solved and before they move anything.
    pub(super) fn note(&self, f: &mut Frame) {
        f.run(&BODIES, self.listened);
        f.run(&PARTICLES, if self.free { self.listened } else { 0 });
    }

    /// All passes.
    pub(super) fn passes(&self) -> Vec<&'static Pass> {
        let mut frame = Frame::default();
        self.begin(&mut frame);
        self.note(&mut frame);
        frame.dispatches.iter().map(|dispatch| dispatch.pass).collect()
    }
}

/// Makes the buffers for these bodies, and what thing each free particle is of.
pub(super) fn create(b: &mut Buffers, bodies: &[u32], things: &[u32]) -> Result<(), GpuError> {
    let rows: Vec<Listened> = bodies.iter().map(|body| Listened { body: *body, ..Listened::default() }).collect();
    b.create_uniform("listened_count", &[ListenedCount { rows: rows.len() as u32 }])?;
    b.create_with("listened", &rows)?; // [listened]
    b.create::<Touch>("touches", rows.len() * TOUCH_SLOTS as usize, BufferUsages::empty())?; // [listened * TOUCH_SLOTS]
    b.create_with("particle_things", things) // [particle_count] of free ones
}
