//! Layers changed while the world runs.

use super::step::Woken;
use super::{Solver, SolverError};
use crate::scene::{Layers, Thing};

impl Solver {
    /// Sets the layers of a thing in the running world, and wakes everything. Makes buffers and kernels anew, which waits for the
    /// GPU once.
    ///
    /// # Errors
    /// As [`Scene::set_layers`](crate::scene::Scene::set_layers), and what the GPU refuses; the layers stay as they were.
    pub fn set_layers(&mut self, thing: Thing, layers: Layers) -> Result<(), SolverError> {
        let before = self.scene.layers_of(thing);
        if before == layers && self.scene.layers.contains_key(&thing) {
            return Ok(());
        }
        self.scene.set_layers(thing, layers)?;
        let state = self.snapshot()?;
        if let Err(error) = self.upload(&state) {
            self.scene.set_layers(thing, before)?;
            return Err(error);
        }
        self.woken = Woken::All;
        self.search_again()
    }
}
