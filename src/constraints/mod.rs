//! constraints.
