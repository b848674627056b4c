//! solver.
mod view;

pub use view::{BodyState, SolverView};
