//! The last seconds of a world, to step back into, and what it was before the last edit.

use std::collections::VecDeque;

use anyhow::Result;

use super::tools::held::Pins;
use crate::animation::Cast;
use crate::scene::Scene;
use crate::solver::{Solver, State};

/// Frames between two moments that are kept.
const EVERY: u32 = 6;
/// Most moments: five seconds.
const MOST: usize = 50;
/// Most memory of moments on the GPU [bytes].
const MOST_BYTES: u64 = 256 << 20;

/// A moment of the world.
#[derive(Debug)]
struct Moment {
    state: State,
    cast: Cast,
    pins: Pins,
}

/// The world before an edit.
#[derive(Debug)]
pub(crate) struct Before {
    /// What there was.
    pub(crate) scene: Scene,
    /// How it was.
    pub(crate) state: State,
    /// Who performed.
    pub(crate) cast: Cast,
    /// What was pinned.
    pub(crate) pins: Pins,
}

/// Moments of a world since something was added to it.
#[derive(Debug, Default)]
pub(crate) struct History {
    moments: VecDeque<Moment>,
    /// Frames since the last moment.
    since: u32,
    before: Option<Before>,
}

impl History {
    /// Keeps this moment, if it is time.
    ///
    /// # Errors
    /// The device has no room for it.
    pub(crate) fn record(&mut self, solver: &Solver, cast: &Cast, pins: &Pins) -> Result<()> {
        self.since += 1;
        if self.since < EVERY && !self.moments.is_empty() {
            return Ok(());
        }
        self.since = 0;
        let bytes = self.moments.front().map_or(0, |moment| moment.state.bytes());
        let room = MOST_BYTES.checked_div(bytes).map_or(MOST, |room| (room as usize).clamp(2, MOST));
        let oldest = if self.moments.len() >= room { self.moments.pop_front() } else { None };
        let state = match oldest {
            Some(Moment { mut state, .. }) => {
                solver.save_into(&mut state)?;
                state
            }
            None => solver.save()?,
        };
        self.moments.push_back(Moment { state, cast: cast.clone(), pins: pins.clone() });
        Ok(())
    }

    /// Puts the world back to the last moment before now; false without one.
    ///
    /// # Errors
    /// A lost device.
    pub(crate) fn back(&mut self, solver: &mut Solver, cast: &mut Cast, pins: &mut Pins) -> Result<bool> {
        let now = solver.view().time;
        while self.moments.len() > 1 && self.moments.back().is_some_and(|last| last.state.time() >= now) {
            self.moments.pop_back();
        }
        let Some(moment) = self.moments.back() else { return Ok(false) };
        if moment.state.time() >= now {
            return Ok(false);
        }
        solver.restore(&moment.state)?;
        (*cast, *pins) = (moment.cast.clone(), moment.pins.clone());
        self.since = 0;
        Ok(true)
    }

    /// Something was added to the world that was so before: moments before do not fit it any more.
    pub(crate) fn edited(&mut self, before: Before) {
        self.forget();
        self.before = Some(before);
    }

    fn forget(&mut self) {
        self.moments.clear();
        self.since = 0;
    }

    /// Whether there was an edit.
    pub(crate) fn can_undo(&self) -> bool {
        self.before.is_some()
    }

    /// The world before the last edit; none without one.
    pub(crate) fn undo(&mut self) -> Option<Before> {
        self.forget();
        self.before.take()
    }
}
