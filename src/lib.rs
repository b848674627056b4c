//! Sinew: everything is particles.
pub mod app;
pub mod constraints;
pub mod demos;
pub mod gpu;
pub mod import;
pub mod ragdoll;
pub mod render;
pub mod report;
pub mod scene;
pub mod solver;

/// The README's example must compile.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
