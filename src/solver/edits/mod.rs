//! Changes of the running world between frames: what enters and leaves it, and what is made of something else. Rows are written where they
//! suffice; what makes buffers anew says so.

pub(super) mod added;
pub(super) mod added_joints;
pub(super) mod attached;
pub(super) mod cut;
pub(super) mod joints;
pub(super) mod layers;
pub(super) mod pins;
pub(super) mod pools;
pub(super) mod properties;
pub(super) mod slots;
pub(super) mod softness;
pub(super) mod things;

use std::collections::BTreeSet;

use super::step::Woken;

/// What the host has changed since the last frame.
#[derive(Debug, Default)]
pub(super) struct Touched {
    pub(super) woken: Woken,
    /// Bodies that were posed, or with [`DISTURBS`](crate::gpu::wgsl::sleep::posed::DISTURBS) changed.
    pub(super) posed: BTreeSet<u32>,
    /// Balls in which something was changed: center and radius [m].
    pub(super) disturbed: Vec<[f32; 4]>,
    /// Whether colliders were put elsewhere.
    pub(super) colliders_placed: bool,
}

impl Touched {
    /// Wakes at least this.
    pub(super) fn wake(&mut self, woken: Woken) {
        self.woken = self.woken.max(woken);
    }

    /// Wakes a body, what is tied to it, and what was near it.
    fn wake_body(&mut self, posed: u32) {
        self.posed.insert(posed);
        self.wake(Woken::Left);
    }

    /// Bodies that were posed and balls that were disturbed, once; none where nothing was.
    pub(super) fn take_places(&mut self) -> Option<(BTreeSet<u32>, Vec<[f32; 4]>)> {
        let places = (std::mem::take(&mut self.posed), std::mem::take(&mut self.disturbed));
        Some(places).filter(|(posed, disturbed)| !posed.is_empty() || !disturbed.is_empty())
    }
}
