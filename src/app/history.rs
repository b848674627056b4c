//! The last seconds of a world, to step back into, and what it was before the last edit.

use std::collections::VecDeque;

use anyhow::Result;

use super::tools::held::{Held, Pins};
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
pub(crate) struct Moment {
    /// How it was.
    pub(crate) state: State,
    /// Who performed.
    pub(crate) cast: Cast,
    /// What was pinned.
    pub(crate) pins: Pins,
    /// What the pointer held.
    pub(crate) held: Option<Held>,
    /// Frames simulated before.
    pub(crate) frame: u32,
}

/// Moments of a world since something was added to it.
#[derive(Debug, Default)]
pub(crate) struct History {
    moments: VecDeque<Moment>,
    /// Frames since the last moment.
    since: u32,
    /// What there was before the last edit, and how it was.
    before: Option<(Scene, Moment)>,
}

impl History {
    /// Keeps this moment, if it is time; `moment` makes one of the state.
    ///
    /// # Errors
    /// The device has no room for it.
    pub(crate) fn record(&mut self, solver: &Solver, moment: impl FnOnce(State) -> Moment) -> Result<()> {
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
        self.moments.push_back(moment(state));
        Ok(())
    }

    /// Puts the world back to the last moment before now, and returns that; none without one.
    ///
    /// # Errors
    /// A lost device.
    pub(crate) fn back(&mut self, solver: &mut Solver) -> Result<Option<&Moment>> {
        let now = solver.view().time;
        while self.moments.len() > 1 && self.moments.back().is_some_and(|last| last.state.time() >= now) {
            self.moments.pop_back();
        }
        let Some(moment) = self.moments.back().filter(|moment| moment.state.time() < now) else { return Ok(None) };
        solver.restore(&moment.state)?;
        self.since = 0;
        Ok(Some(moment))
    }

    /// Something was added to what was so before: moments before do not fit it any more.
    pub(crate) fn edited(&mut self, scene: Scene, before: Moment) {
        self.forget();
        self.before = Some((scene, before));
    }

    fn forget(&mut self) {
        self.moments.clear();
        self.since = 0;
    }

    /// Whether there was an edit.
    pub(crate) fn can_undo(&self) -> bool {
        self.before.is_some()
    }

    /// What there was before the last edit, and how; none without one.
    pub(crate) fn undo(&mut self) -> Option<(Scene, Moment)> {
        self.forget();
        self.before.take()
    }
}
