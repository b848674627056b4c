//! Tests of the solver: its physics, and each kernel with an algorithm of its own alone.

mod constraints;
mod edits;
mod fluid;
mod global;
mod growth;
mod kernels;
mod levels;
mod physics;
mod tears;
