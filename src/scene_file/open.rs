//! From the target of a command to a stage: a demo, a model, or a scene file.

use std::path::Path;

use thiserror::Error;

use super::error::FileError;
use super::file::{SceneFile, is_scene_file, is_take};
use crate::demos::{self, Stage, TargetError};

/// A target that cannot be opened.
#[derive(Debug, Error)]
pub enum OpenError {
    /// A demo or a model.
    #[error(transparent)]
    Target(#[from] TargetError),
    /// A scene file.
    #[error(transparent)]
    File(#[from] FileError),
    /// What somebody did to a scene is no scene.
    #[error("{0} is a take: only a window, `sinew render`, `report` and `export` to .glb can replay it")]
    Take(String),
}

/// What a demo, a model file or a scene file puts on, with `sets` applied.
///
/// # Errors
/// [`OpenError`]: what was typed wrong, or what is wrong in the file.
pub fn stage_for(target: &str, sets: &[(String, String)]) -> Result<Stage, OpenError> {
    if is_take(target) {
        return Err(OpenError::Take(target.to_owned()));
    }
    if is_scene_file(target) {
        return Ok(SceneFile::load(Path::new(target))?.stage_with(sets)?);
    }
    Ok(demos::stage_for(target, sets)?)
}
