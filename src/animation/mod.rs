//! Motion of characters on the CPU: clips are sampled into poses, poses blended, and bodies told where to be.
//!
//! A [`Pose`] is where every node of an asset is. Times are seconds, lengths metres once joints are in model space.

mod pose;
mod sample;

pub use pose::Pose;
pub use sample::span;
