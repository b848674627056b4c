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
