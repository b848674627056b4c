//! Characters into ragdolls: skeleton and skin weights become bodies, joints, limits and masses.
//!
//! [`build`] takes any skinned asset, with or without sensible names; [`figure`] makes a built-in jointed figure.

mod anatomy;
mod authored;
mod bodies;
mod build;
mod describe;
mod doctor;
mod error;
mod figure;
mod garment;
mod joints;
mod limits;
mod mass;
mod motion;
mod overrides;
mod plan;
mod regions;
mod rig;
mod settings;
mod skinning;
mod stature;
mod topology;
mod tree;
mod volume;

use crate::import::labels;

pub use crate::import::labels::{Label, Side};
pub use anatomy::LabelSource;
pub use build::{build, build_with, rigid};
pub use error::{OverrideError, RagdollError};
pub use figure::figure;
pub use overrides::Overrides;
pub use plan::{PlannedBody, PlannedBone, PlannedGarment, PlannedJoint, RagdollPlan};
pub use settings::RagdollSettings;
