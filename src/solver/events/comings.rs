//! Who came into the running world and who left it lately, and what a game called them: what comes back of a frame is of those who were there
//! then.

use std::collections::BTreeMap;

use crate::scene::{Scene, Thing};
use crate::solver::{Solver, SolverError};

/// In which frames things came, left and were named, for as long as frames from before may come back.
#[derive(Debug, Default)]
pub(in crate::solver) struct Comings {
    /// The first frame with the thing, or without it, in order.
    of: BTreeMap<Thing, Vec<(u64, bool)>>,
    /// The game's own numbers, and the first frame in which they were others, in order.
    data: BTreeMap<Thing, Vec<(u64, u64)>>,
}

impl Comings {
    /// From this frame on the thing is in the world, or is not.
    fn note(&mut self, thing: Thing, frame: u64, came: bool) {
        self.of.entry(thing).or_default().push((frame, came));
    }

    /// Whether a thing was in the world in a frame.
    pub(super) fn was_there(&self, scene: &Scene, thing: Thing, frame: u64) -> bool {
        let now = match thing {
            Thing::Body(id) => scene.bodies.get(id.0 as usize).is_some_and(|body| !body.removed),
            _ => true,
        };
        let Some(known) = self.of.get(&thing) else { return now };
        let until = known.partition_point(|(first, _)| *first <= frame);
        match until.checked_sub(1) {
            Some(last) => known[last].1,
            // It was otherwise before.
            None => !known[0].1,
        }
    }

    /// Whether a thing came in just this frame: what was in its place before is another.
    pub(super) fn came_in(&self, thing: Thing, frame: u64) -> bool {
        self.of.get(&thing).is_some_and(|known| known.contains(&(frame, true)))
    }

    /// The game's own number of a thing in a frame.
    pub(in crate::solver) fn user_data(&self, scene: &Scene, thing: Thing, frame: u64) -> u64 {
        let later = self.data.get(&thing).and_then(|known| known.iter().find(|(first, _)| *first > frame));
        later.map_or_else(|| scene.user_data(thing), |(_, before)| *before)
    }

    /// Forgets what only this frame and those before ask for.
    pub(super) fn forget_until(&mut self, frame: u64) {
        forget_until(&mut self.of, frame);
        forget_until(&mut self.data, frame);
    }

    /// Forgets all: time has jumped.
    pub(in crate::solver) fn forget(&mut self) {
        self.of.clear();
        self.data.clear();
    }
}

/// Forgets what began in this frame or before.
fn forget_until<T>(known: &mut BTreeMap<Thing, Vec<(u64, T)>>, frame: u64) {
    known.retain(|_, known| {
        known.retain(|(first, _)| *first > frame);
        !known.is_empty()
    });
}

impl Solver {
    /// Gives a thing of the running world a number of the game's own, which events, queries and sensors tell: from the next frame on, so what
    /// is told late has the number of its time. A copy of a pool enters with that of its prefab.
    ///
    /// # Errors
    /// [`SolverError::Missing`] for a thing that the scene does not have.
    pub fn set_user_data(&mut self, thing: Thing, data: u64) -> Result<(), SolverError> {
        self.find_thing(thing)?;
        self.write_user_data(thing, data);
        Ok(())
    }

    /// Gives a thing its number, and remembers the one that it had.
    pub(in crate::solver) fn write_user_data(&mut self, thing: Thing, data: u64) {
        let before = self.scene.user_data(thing);
        if before == data {
            return;
        }
        self.scene.user_data.insert(thing, data);
        if !self.heard.is_deaf() {
            self.heard.comings.data.entry(thing).or_default().push((self.frame, before));
        }
    }

    /// These things come into the world with the next frame, or are no longer in it.
    pub(in crate::solver) fn note_comings(&mut self, things: impl IntoIterator<Item = Thing>, came: bool) {
        if self.heard.is_deaf() {
            return;
        }
        things.into_iter().for_each(|thing| self.heard.comings.note(thing, self.frame, came));
    }
}
