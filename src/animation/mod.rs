//! Motion of characters on the CPU: clips are sampled into poses, poses are blended, and bodies are moved to them.
//!
//! A [`Pose`] places every node of an asset; a [`Rig`] turns it into body poses; a [`Performer`] plays clips, goes limp
//! and gets up; the [`Cast`] of a scene tells the solver what to do before each frame.

mod cast;
mod control;
mod error;
mod muscles;
mod performer;
mod pose;
mod power;
mod rig;
mod sample;
mod saved;
mod standing;
mod track;

pub use cast::{Cast, LimpAt};
pub use error::{ClipError, NodeError, StrengthError};
pub use performer::Performer;
pub use pose::Pose;
pub use rig::{Limb, LimbError, Rig, SkinBone, Stance};
pub use sample::span;
pub use saved::SavedRig;
