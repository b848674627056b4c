//! demos.
