//! The tool and its demos.

mod cli;
mod demos;
mod determinism;
#[path = "../effort/mod.rs"]
mod effort;
mod examples;
mod present;
