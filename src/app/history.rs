//! The last seconds of a world, for stepping back, and undo of the last edits.

use std::collections::VecDeque;

use anyhow::Result;
use thiserror::Error;

use super::select::Edit;
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
/// Most edits that can be taken back, and most of them that added something: those keep the whole world.
const MOST_EDITS: usize = 64;
const MOST_ADDED: usize = 4;

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

/// Nothing is left that could be taken back; why.
#[derive(Debug, Error)]
#[error("{0}")]
pub(crate) struct NothingToUndo(String);

/// How an edit is taken back.
#[derive(Debug)]
pub(crate) enum Undo {
    /// What was added goes, and the world is at that moment again.
    Added(Box<(Scene, Moment)>),
    /// What was changed is as it was, from now on.
    Changed(Edit),
}

impl From<Edit> for Undo {
    fn from(edit: Edit) -> Self {
        Self::Changed(edit)
    }
}

/// Changes that can be taken back before anything that was added.
#[derive(Clone, Debug, Default)]
pub(crate) struct Changes {
    edits: Vec<Edit>,
    /// Whether the last of them goes on.
    last_goes_on: bool,
}

/// Moments of a world since something was added to it.
#[derive(Debug, Default)]
pub(crate) struct History {
    /// Each with what could be taken back then.
    moments: VecDeque<(Moment, Changes)>,
    /// Frames since the last moment.
    since: u32,
    edits: VecDeque<Undo>,
    /// Whether edits were forgotten, of which there were too many.
    forgot: bool,
    /// Whether more changes of what was changed last belong to the same edit.
    last_goes_on: bool,
}

impl History {
    /// One in which these changes can be taken back.
    pub(crate) fn of(changes: Changes) -> Self {
        let Changes { edits, last_goes_on } = changes;
        Self { edits: edits.into_iter().map(Undo::Changed).collect(), last_goes_on, ..Self::default() }
    }

    /// The changes that can be taken back before anything that was added.
    pub(crate) fn changes(&self) -> Changes {
        let changed = |undo: &Undo| if let Undo::Changed(edit) = undo { Some(*edit) } else { None };
        let edits = self.edits.range(self.added_until()..).filter_map(changed).collect();
        Changes { edits, last_goes_on: self.last_goes_on }
    }

    /// Number of edits up to the last one that added something.
    fn added_until(&self) -> usize {
        self.edits.iter().rposition(|edit| matches!(edit, Undo::Added(_))).map_or(0, |last| last + 1)
    }

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
        let bytes = self.moments.front().map_or(0, |(moment, _)| moment.state.bytes());
        let room = MOST_BYTES.checked_div(bytes).map_or(MOST, |room| (room as usize).clamp(2, MOST));
        let oldest = if self.moments.len() >= room { self.moments.pop_front() } else { None };
        let state = match oldest {
            Some((Moment { mut state, .. }, _)) => {
                solver.save_into(&mut state)?;
                state
            }
            None => solver.save()?,
        };
        let changes = self.changes();
        self.moments.push_back((moment(state), changes));
        Ok(())
    }

    /// Puts the world back to the last moment before now, and returns that; none without one. What was changed since was not changed.
    ///
    /// # Errors
    /// A lost device.
    pub(crate) fn back(&mut self, solver: &mut Solver) -> Result<Option<&Moment>> {
        let now = solver.view().time;
        while self.moments.len() > 1 && self.moments.back().is_some_and(|(last, _)| last.state.time() >= now) {
            self.moments.pop_back();
        }
        let added = self.added_until();
        let last = self.moments.back().filter(|(moment, _)| moment.state.time() < now);
        let Some((moment, changes)) = last else { return Ok(None) };
        solver.restore(&moment.state)?;
        self.since = 0;
        self.edits.truncate(added);
        self.edits.extend(changes.edits.iter().copied().map(Undo::Changed));
        self.last_goes_on = changes.last_goes_on;
        Ok(Some(moment))
    }

    /// Something was edited, which is taken back so. Changes of one thing that follow one another are one edit, until
    /// [`History::end_change`]. What was added makes moments before unfit.
    pub(crate) fn edited(&mut self, undo: impl Into<Undo>) {
        let undo = undo.into();
        let goes_on = std::mem::replace(&mut self.last_goes_on, matches!(undo, Undo::Changed(_)));
        match (&undo, self.edits.back()) {
            (Undo::Changed(now), Some(Undo::Changed(last))) if goes_on && now.is_like(last) => return,
            (Undo::Changed(Edit::Scale(..)) | Undo::Added(_), _) => self.forget(),
            _ => {}
        }
        self.edits.push_back(undo);
        while self.edits.len() > MOST_EDITS || self.added() > MOST_ADDED {
            self.edits.pop_front();
            self.forgot = true;
        }
    }

    fn added(&self) -> usize {
        self.edits.iter().filter(|edit| matches!(edit, Undo::Added(_))).count()
    }

    fn forget(&mut self) {
        self.moments.clear();
        self.since = 0;
    }

    /// What was changed was let go of.
    pub(crate) fn end_change(&mut self) {
        self.last_goes_on = false;
    }

    /// Whether more changes of what was changed last belong to the same edit.
    pub(crate) fn is_changing(&self) -> bool {
        self.last_goes_on
    }

    /// Whether there is an edit to be taken back.
    pub(crate) fn can_undo(&self) -> bool {
        !self.edits.is_empty()
    }

    /// How the last edit is taken back.
    ///
    /// # Errors
    /// None can be; why.
    pub(crate) fn undo(&mut self) -> Result<Undo, NothingToUndo> {
        let Some(undo) = self.edits.pop_back() else {
            return Err(NothingToUndo(match self.forgot {
                true => format!(
                    "nothing more can be undone: the last {MOST_ADDED} additions are kept, and the last {MOST_EDITS} edits of all kinds"
                ),
                false => "nothing to undo".to_owned(),
            }));
        };
        self.end_change();
        if !matches!(undo, Undo::Changed(edit) if !matches!(edit, Edit::Scale(..))) {
            self.forget();
        }
        Ok(undo)
    }
}
