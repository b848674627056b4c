//! Why building a ragdoll can fail.

use std::path::PathBuf;

use thiserror::Error;

use crate::import::SolidError;
use crate::scene::SceneError;

/// A file of changes that cannot be used.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("{}{}: {problem}", file.display(), match line { 0 => String::new(), line => format!(":{line}") })]
pub struct OverrideError {
    /// The file.
    pub file: PathBuf,
    /// Line, from 1; 0 if the file could not be read at all.
    pub line: usize,
    /// What is wrong there, and the remedy.
    pub problem: String,
}

/// A character that cannot become a ragdoll.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum RagdollError {
    /// A setting out of range.
    #[error("ragdoll setting {field} is {value}; it must be {allowed}")]
    Setting {
        /// The setting.
        field: &'static str,
        /// Its value.
        value: f32,
        /// The range.
        allowed: &'static str,
    },
    /// The mesh encloses nothing and has no area.
    #[error(transparent)]
    Solid(#[from] SolidError),
    /// A file of changes that does not fit the character.
    #[error(transparent)]
    Override(#[from] OverrideError),
    /// A body or joint that a scene would refuse.
    #[error("ragdoll `{name}`: {fault}")]
    Refused {
        /// The character.
        name: String,
        /// The scene's reason.
        fault: SceneError,
    },
}
