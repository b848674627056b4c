//! Why a model file could not be loaded, in one sentence that names the file and the element.

use std::path::PathBuf;

use thiserror::Error;

/// A model file that could not be loaded.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("{}: {}", file.display(), one_line(fault))]
pub struct ImportError {
    /// The file.
    pub file: PathBuf,
    /// What is wrong with it.
    pub fault: Fault,
}

/// Names from the file may hold line breaks and megabytes; a message is a sentence.
fn one_line(fault: &Fault) -> String {
    fault.to_string().chars().map(|c| if c.is_control() { ' ' } else { c }).take(400).collect()
}

/// What is wrong with a model file.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum Fault {
    /// The file, or one it refers to, cannot be read.
    #[error("{element} cannot be read: {reason}")]
    Unreadable {
        /// Part of the asset, such as `the file` or `buffer 0 (skin.bin)`.
        element: String,
        /// The system's reason.
        reason: String,
    },
    /// Fewer bytes than the headers promise.
    #[error("{element} is cut off: {need} bytes are needed, {have} are there; copy or export the file again")]
    Truncated {
        /// Part of the asset.
        element: String,
        /// Bytes needed.
        need: u64,
        /// Bytes present.
        have: u64,
    },
    /// Neither a binary nor a text glTF 2.0.
    #[error("not a glTF 2.0 file: {0}; give a .glb, .gltf or .vrm")]
    NotGltf(String),
    /// A model of another known kind.
    #[error("{kind} files are not read; convert it to .glb: {converter}")]
    Foreign {
        /// Its kind, such as `FBX`.
        kind: &'static str,
        /// What converts it, and how.
        converter: &'static str,
    },
    /// A glTF without triangles.
    #[error("has no mesh with triangles; export at least one mesh")]
    NoMesh,
    /// A required extension that changes how geometry or pictures are stored.
    #[error("needs the glTF extension {extension}, which is not supported; {advice}")]
    Extension {
        /// Its name.
        extension: String,
        /// How to get a file that works.
        advice: &'static str,
    },
    /// An index, number or size that breaks the rules of glTF.
    #[error("{element}: {problem}")]
    Invalid {
        /// Part of the asset, such as `accessor 3`.
        element: String,
        /// What is wrong there.
        problem: String,
    },
    /// More data than a model is allowed to hold.
    #[error("{element} is too large: {have}, at most {most} are loaded")]
    TooLarge {
        /// Part of the asset.
        element: String,
        /// Amount found.
        have: u64,
        /// Amount allowed.
        most: u64,
    },
    /// The reader itself stumbled; the file is not to blame alone.
    #[error("the file could not be understood; check it with a glTF validator and export it again")]
    Defect,
}

impl Fault {
    pub(super) fn invalid(element: impl Into<String>, problem: impl Into<String>) -> Self {
        Self::Invalid { element: element.into(), problem: problem.into() }
    }

    pub(super) fn missing(element: &str, what: &str, index: usize, count: usize) -> Self {
        Self::invalid(element, format!("{what} {index} does not exist; there are {count}"))
    }
}

/// Refuses more than `most` of something.
pub(super) fn limit(element: &str, have: u64, most: u64) -> Result<(), Fault> {
    if have <= most { Ok(()) } else { Err(Fault::TooLarge { element: element.to_owned(), have, most }) }
}
