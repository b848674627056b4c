//! Characters into ragdolls: skeleton and skin weights become bodies, joints, limits and masses.
//!
//! [`build`] takes any skinned asset, with or without sensible names; [`figure`] makes a jointed figure from nothing.

mod bodies;
mod build;
mod figure;
mod joints;
mod labels;
mod mass;
mod performing;
mod plan;
mod regions;
mod settings;
mod skinning;
mod tree;
mod volume;

pub use bodies::PlannedBody;
pub use build::build;
pub use figure::figure;
pub use joints::PlannedJoint;
pub use labels::Label;
pub use plan::RagdollPlan;
pub use settings::{RagdollError, RagdollSettings};
pub use skinning::PlannedBone;
