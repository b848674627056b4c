//! From the target of a command to a stage: a demo, a model, or a scene file.

use std::path::Path;

use thiserror::Error;

use super::SceneFile;
use super::error::FileError;
use crate::demos::{self, Stage, TargetError};

/// Most scene files that are based on one another.
const MOST_DEEP: u32 = 8;

/// A target that cannot be opened.
#[derive(Debug, Error)]
pub enum OpenError {
    /// A demo or a model.
    #[error(transparent)]
    Target(#[from] TargetError),
    /// A scene file.
    #[error(transparent)]
    File(#[from] FileError),
}

/// Whether a target is a scene file, by its ending.
pub fn is_scene_file(target: &str) -> bool {
    Path::new(target).extension().is_some_and(|end| end.eq_ignore_ascii_case("ron"))
}

/// What a demo, a model file or a scene file puts on, with `sets` applied.
///
/// # Errors
/// [`OpenError`]: what was typed wrong, or what is wrong in the file.
pub fn stage_for(target: &str, sets: &[(String, String)]) -> Result<Stage, OpenError> {
    if is_scene_file(target) {
        return Ok(SceneFile::load(Path::new(target))?.stage_with(sets)?);
    }
    Ok(demos::stage_for(target, sets)?)
}

/// Why a scene cannot be based on something.
pub(super) enum BaseFault {
    Target(Box<TargetError>),
    Told(String),
    File(FileError),
}

impl SceneFile {
    /// The stage of what this file is based on, `depth` files deep.
    pub(super) fn based_on(&self, target: &str, sets: &[(String, String)], depth: u32) -> Result<Stage, BaseFault> {
        if is_scene_file(target) {
            if depth >= MOST_DEEP {
                let told =
                    format!("more than {MOST_DEEP} scene files are based on one another; is one based on itself?");
                return Err(BaseFault::Told(told));
            }
            let file =
                SceneFile::load(&self.folder.join(target)).map_err(|error| BaseFault::Told(error.to_string()))?;
            return file.build(sets, depth + 1).map_err(BaseFault::File);
        }
        let here = |name: &str| self.folder.join(name).to_string_lossy().into_owned();
        let path = if target.contains('.') { here(target) } else { target.to_owned() };
        // Files are named from the folder of this one.
        let is_file = |key: &str, name: &str| ["model", "ragdoll"].contains(&key) && name.contains('.');
        let set =
            |(key, text): &(String, String)| (key.clone(), if is_file(key, text) { here(text) } else { text.clone() });
        let sets: Vec<_> = sets.iter().map(set).collect();
        demos::stage_for(&path, &sets).map_err(|error| BaseFault::Target(Box::new(error)))
    }
}
