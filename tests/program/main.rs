//! The tool and its demos.

mod cli;
mod demos;
mod determinism;
mod examples;
mod present;
