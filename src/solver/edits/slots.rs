//! Places that a scene has reserved, and who has them: a handle of one that has left is never that of another.

use serde::{Deserialize, Serialize};

use crate::solver::SolverError;

/// Who has each of some places.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(in crate::solver) struct Slots {
    /// Counted from 1 by all that ever entered; 0 where nobody is.
    holders: Vec<u64>,
}

impl Slots {
    /// Knows so many places, and forgets nobody.
    pub(super) fn extend_to(&mut self, count: usize) {
        self.holders.resize(count.max(self.holders.len()), 0);
    }

    /// The first free place.
    ///
    /// # Errors
    /// [`SolverError::Unreserved`] where there is none.
    pub(in crate::solver) fn free(&self, what: &'static str) -> Result<usize, SolverError> {
        let free = self.holders.iter().position(|holder| *holder == 0);
        free.ok_or(SolverError::Unreserved { what, count: self.holders.len() })
    }

    pub(in crate::solver) fn take(&mut self, slot: usize, holder: u64) {
        self.holders[slot] = holder;
    }

    pub(in crate::solver) fn leave(&mut self, slot: usize) {
        self.holders[slot] = 0;
    }

    /// Who has a place; 0 for nobody.
    pub(super) fn holder(&self, slot: usize) -> u64 {
        self.holders[slot]
    }

    pub(super) fn is_taken(&self, slot: usize) -> bool {
        self.holders.get(slot).is_some_and(|holder| *holder > 0)
    }

    /// Places that somebody has, in order.
    pub(in crate::solver) fn taken(&self) -> impl Iterator<Item = usize> {
        (0..self.holders.len()).filter(|slot| self.holders[*slot] > 0)
    }

    /// The place of who is still there.
    ///
    /// # Errors
    /// [`SolverError::Left`] for who is not.
    pub(in crate::solver) fn find(&self, what: &'static str, slot: u32, holder: u64) -> Result<usize, SolverError> {
        let found = self.holders.get(slot as usize) == Some(&holder);
        if found { Ok(slot as usize) } else { Err(SolverError::Left { what, place: slot as usize }) }
    }
}
