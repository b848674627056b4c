//! Measurements: a scene is run, read back after every frame, and judged by the state alone, not by the solver's counters.

mod bench;
mod compression;
mod deformation;
mod error;
mod measures;
mod overlap;
mod record;
mod reference;
mod run;
mod snapshot;
mod tracker;

pub use bench::{
    Bench, BodyRow, BudgetPoint, BudgetRow, BudgetTable, BuildRow, CauseRow, ClothRun, Comparison, ConvergenceRow,
    ConvergenceStart, ConvergenceTable, Curve, CurveTable, DIRECTIONS, DispatchRow, Errors, HierarchyRow,
    HierarchyTable, LiquidRow, LiquidTable, PartitionRow, PartitionTable, Program, Published, Question, Ratio,
    ScaleRow, ScaleTable, Side, StiffnessRow, Stretched, SurfaceRow, SurfaceTable, SweepRow, SweepTable, Times,
    TopologyRow, against, bench, bench_count, compare,
};
pub use compression::{compression, relative_densities};
pub use deformation::{stretches, volume_errors};
pub use error::ReportError;
pub(crate) use measures::median;
pub use measures::{
    Momentum, center_of_mass, crossings, energy, is_isolated, joint_gaps, momentum, momentum_drift, percentile, speeds,
};
pub use overlap::Overlap;
pub use record::{Adapter, Counts, FrameTime, Health, Quality, Report, Timing};
pub use reference::Reference;
pub use run::run;
pub(crate) use run::{Course, measure};
pub use snapshot::{Pose, Snapshot, free_particles, state_hash};
