//! What the window continues from when the graphics device is lost.

use super::history::Changes;
use super::take::Entry;
use super::tools::held::{Held, Pins};
use crate::animation::Cast;
use crate::gpu::Context;
use crate::scene::Scene;
use crate::solver::{Backup, Solver, SolverError};

/// Frames from one moment that is kept to the next: two seconds.
const EVERY: u64 = 120;

/// What belongs to a moment beside what is simulated.
#[derive(Clone, Debug)]
pub(crate) struct Beside {
    pub(crate) scene: Scene,
    pub(crate) cast: Cast,
    pub(crate) pins: Pins,
    /// What the pointer held.
    pub(crate) held: Option<Held>,
    /// The changes that could be taken back.
    pub(crate) changes: Changes,
    /// What was done before.
    pub(crate) deeds: Vec<Entry>,
    /// Frames simulated before.
    pub(crate) frame: u32,
}

/// The last moment in the memory of this program.
#[derive(Debug)]
pub(crate) struct Safe {
    backup: Backup,
    coming: Option<Beside>,
    kept: Option<Beside>,
}

impl Default for Safe {
    fn default() -> Self {
        Self { backup: Backup::new(EVERY), coming: None, kept: None }
    }
}

impl Safe {
    /// Before a frame: keeps the moment if it is time.
    ///
    /// # Errors
    /// The device has no room for it.
    pub(crate) fn record(&mut self, solver: &Solver, beside: impl FnOnce() -> Beside) -> Result<(), SolverError> {
        let before = self.backup.frame();
        let takes = self.backup.record(solver)?;
        if self.backup.frame() != before {
            self.kept = self.coming.take();
        }
        if takes {
            self.coming = Some(beside());
        }
        Ok(())
    }

    /// The last moment, on this device; none where nothing was kept yet.
    ///
    /// # Errors
    /// The device does not take it.
    pub(crate) fn restore(&mut self, ctx: &Context) -> Result<Option<(Solver, Beside)>, SolverError> {
        self.coming = None;
        let solver = self.backup.restore(ctx)?;
        Ok(solver.zip(self.kept.clone()))
    }
}
