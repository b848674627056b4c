//! solver.
