//! How clips move a ragdoll: which joint carries each body, and where bodies hang on one another.

use std::sync::Arc;

use super::RagdollPlan;
use crate::animation::{Limb, Rig, SkinBone};
use crate::import::Asset;

impl RagdollPlan {
    /// The rig that poses the bodies of this plan; `asset` is the one that it was built from.
    pub fn rig(&self, asset: Arc<Asset>) -> Rig {
        let limb = |(index, body): (usize, &super::PlannedBody)| Limb {
            joint: body.joint,
            center: body.desc.position,
            hangs: self.joints.iter().find(|j| j.child == index).map(|j| (j.parent, j.pivot)),
            points: body.desc.points.clone(),
            radius: body.desc.radius,
        };
        let bone = |bone: &super::PlannedBone| SkinBone { joint: bone.joint, parent: bone.parent.map(usize::from) };
        let limbs = self.bodies.iter().enumerate().map(limb).collect();
        Rig::new(asset, limbs, self.bones.iter().map(bone).collect())
    }
}
