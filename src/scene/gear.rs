//! Gears: two joints of which one drives the other by a ratio.

use serde::{Deserialize, Serialize};

use super::check::{Check, number, present};
use super::{Joint, JointId, JointKind, SceneError};

/// Ties two joints. Of two hinges the second turns `ratio` times as far as the first, each as its body b turns against its body a about
/// the joint's axis: wheels that mesh have a ratio below 0 where their axes point the same way, chains and belts one above 0. Of a
/// hinge and a slider it is a rack and pinion, or a screw.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Gear {
    /// The joint that drives.
    pub first: JointId,
    /// The joint that is driven; either of the two may be moved.
    pub second: JointId,
    /// How far the second goes for each way of the first: [rad] or [m] for a [rad] or [m]; not 0.
    pub ratio: f32,
}

impl Gear {
    pub(super) fn check(&self, joints: &[Joint]) -> Check {
        let item = "gear";
        for joint in [self.first, self.second].map(|id| id.0 as usize) {
            present(item, "joint", joint, joints.len())?;
            let kind = joints[joint].desc.kind;
            if !matches!(kind, JointKind::Hinge | JointKind::Slider) {
                let instead = "a hinge or a slider";
                return Err(SceneError::JointPart { kind: kind.name(), part: "one way to go for a gear", instead });
            }
        }
        number(item, "second joint", self.second.0 as f32, self.first != self.second, "another one than the first")?;
        number(item, "ratio", self.ratio, self.ratio != 0.0, "a number that is not 0")
    }
}
