//! Kernels made anew from shaders that were edited.

use std::path::Path;

use crate::gpu::reload::{self, Edited};
use crate::solver::{Solver, SolverError};

impl Solver {
    /// Takes shaders that were edited since they were built or taken last, in the folder that the program was built from. The world
    /// goes on as it is, with new kernels; names of the shaders that have changed, none if none has. Waits for the GPU. For
    /// development: texts are taken for all of the program, and a loop without end hangs the device.
    ///
    /// # Errors
    /// [`SolverError::Gpu`] with file, line and column of what is wrong; kernels and texts stay as they were.
    pub fn reload_shaders(&mut self) -> Result<Vec<String>, SolverError> {
        self.reload_shaders_from(&reload::folder())
    }

    /// As [`Solver::reload_shaders`], from another folder with the same files.
    ///
    /// # Errors
    /// As there.
    pub fn reload_shaders_from(&mut self, folder: &Path) -> Result<Vec<String>, SolverError> {
        let edited = Edited::take(folder)?;
        if edited.names.is_empty() {
            return Ok(edited.names);
        }
        let before = std::mem::take(&mut self.kernels);
        match self.make_anew() {
            Ok(()) => {
                self.asked.stage.forget_kernels();
                self.walk_again();
                Ok(edited.names)
            }
            Err(error) => {
                self.kernels = before;
                edited.put_back();
                Err(error)
            }
        }
    }
}
