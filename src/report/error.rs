//! Why a report cannot be made.

use std::path::PathBuf;

use thiserror::Error;

use crate::demos::TargetError;
use crate::gpu::GpuError;
use crate::scene_file::OpenError;
use crate::solver::SolverError;

/// A report that could not be made.
#[derive(Debug, Error)]
pub enum ReportError {
    /// The solver refused the scene or lost its device.
    #[error(transparent)]
    Solver(#[from] SolverError),
    /// The device failed.
    #[error(transparent)]
    Gpu(#[from] GpuError),
    /// A scene of the bench could not be built.
    #[error(transparent)]
    Target(#[from] TargetError),
    /// A target that was asked for could not be opened.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// The coloring is at fault.
    #[error(
        "{0} times, two constraints that are solved in parallel would move the same particle; try another `partition`"
    )]
    Clashes(u32),
    /// Another program did not answer.
    #[error("cannot compare with {}: {reason}", .path.display())]
    Program {
        /// Its file.
        path: PathBuf,
        /// What it said, or why it could not be run.
        reason: String,
    },
    /// What is done to the scene on the way cannot be done.
    #[error("{0}")]
    Course(String),
    /// No such table.
    #[error("there is no bench `{name}`; choose from {known}")]
    UnknownBench {
        /// What was asked for.
        name: String,
        /// All tables, with commas between.
        known: String,
    },
}
