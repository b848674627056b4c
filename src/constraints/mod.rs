//! Constraints between bodies and particles: how they are ordered so that many can be solved at once.

mod coloring;

pub use coloring::{ColoringError, color_greedy, validate_coloring};
