//! The last states of a world, to go back in time.

use std::collections::VecDeque;

use crate::solver::{Solver, SolverError, State};

/// The last states of a world, so many frames apart. The oldest makes room for the newest, so that its memory is bounded.
#[derive(Debug)]
pub struct Rewind {
    states: VecDeque<State>,
    most: usize,
    every: u64,
}

impl Rewind {
    /// Room for `most` states, at least `every` frames apart; both at least 1. It goes back by `most` × `every` frames.
    pub fn new(most: usize, every: u64) -> Self {
        Self { states: VecDeque::new(), most: most.max(1), every: every.max(1) }
    }

    /// Takes the state, if it is time: call it before each frame. Nothing waits.
    ///
    /// # Errors
    /// As [`Solver::save`].
    pub fn record(&mut self, solver: &Solver) -> Result<(), SolverError> {
        let frame = solver.frame;
        // The world may have gone back by itself.
        while self.states.back().is_some_and(|last| last.frame() > frame) {
            self.states.pop_back();
        }
        if self.states.back().is_some_and(|last| frame < last.frame() + self.every) {
            return Ok(());
        }
        if self.states.len() < self.most {
            self.states.push_back(solver.save()?);
        } else if let Some(oldest) = self.states.front_mut() {
            solver.save_into(oldest)?;
            self.states.rotate_left(1);
        }
        Ok(())
    }

    /// Puts the world back by at least `seconds` [s], or as far as states go back that are of this world: one from before something was
    /// added for good is not. Those that come after are forgotten. Returns how far it went [s], 0 without any state.
    ///
    /// # Errors
    /// As [`Solver::restore`]; then no state is forgotten.
    pub fn back(&mut self, solver: &mut Solver, seconds: f64) -> Result<f64, SolverError> {
        let (now, wanted) = (solver.time, solver.time - seconds.max(0.0));
        let mut first = self.states.partition_point(|state| state.time() <= wanted).saturating_sub(1);
        while let Some(state) = self.states.get(first) {
            match solver.restore(state) {
                Ok(()) => {
                    let gone = now - state.time();
                    self.states.truncate(first + 1);
                    return Ok(gone);
                }
                // From before something was added for good: later ones may not be.
                Err(SolverError::OtherWorld(_)) if first + 1 < self.states.len() => first += 1,
                Err(error) => return Err(error),
            }
        }
        Ok(0.0)
    }

    /// How many states there are.
    pub fn len(&self) -> usize {
        self.states.len()
    }

    /// Whether there is no state to go back to.
    pub fn is_empty(&self) -> bool {
        self.states.is_empty()
    }

    /// Forgets all states: of another world, or of one that something was added to for good.
    pub fn clear(&mut self) {
        self.states.clear();
    }

    /// What the states take on the GPU [bytes].
    pub fn bytes(&self) -> u64 {
        self.states.iter().map(State::bytes).sum()
    }
}
