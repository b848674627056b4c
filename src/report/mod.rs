//! Measures: a scene is run, read back after every frame, and judged from the state alone, not by what the solver says.

mod bench;
mod compression;
mod deformation;
mod measures;
mod overlap;
mod record;
mod reference;
mod run;
mod snapshot;

use thiserror::Error;

use crate::demos::TargetError;
use crate::gpu::GpuError;
use crate::solver::SolverError;

pub use bench::{
    Bench, BodyRow, BuildRow, Curve, CurveTable, LiquidRow, LiquidTable, PartitionRow, PartitionTable, Published,
    SurfaceRow, SurfaceTable, bench, bench_count,
};
pub use compression::{compression, relative_densities};
pub use deformation::{stretches, volume_errors};
pub use measures::{
    Momentum, center_of_mass, crossings, energy, free_particles, is_isolated, joint_gaps, momentum, momentum_drift,
    percentile, speeds,
};
pub use overlap::Overlap;
pub use record::{Adapter, Counts, FrameTime, Health, Quality, Report, Timing};
pub use reference::Reference;
pub use run::run;
pub use snapshot::{Pose, Snapshot, state_hash};

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
    /// The coloring is at fault.
    #[error("{0} times two constraints that are solved at once would move the same particle; try another `partition`")]
    Clashes(u32),
    /// No such table.
    #[error("there is no bench `{name}`; choose from {}", bench::names().join(", "))]
    UnknownBench {
        /// What was asked for.
        name: String,
    },
}
