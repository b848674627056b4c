//! What drives a character, as saved in files: its skeleton and clips, and only the names of what is drawn.

use std::sync::Arc;

use glam::{Mat4, Vec3};
use serde::{Deserialize, Serialize};

use super::{Limb, Rig, SkinBone};
use crate::import::{Asset, AssetJoint, AssetNode, Clip};
use crate::scene::{Model, Primitive};

/// A [`Rig`] as files keep it.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SavedRig {
    name: String,
    model_from_world: Mat4,
    limbs: Vec<Limb>,
    #[serde(with = "crate::pack")]
    bones: Vec<SkinBone>,
    #[serde(with = "crate::pack")]
    joints: Vec<AssetJoint>,
    #[serde(with = "crate::pack")]
    nodes: Vec<AssetNode>,
    /// Nodes with their scales where axes other than X point backward, which is not in their matrices.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    backward: Vec<(usize, Vec3)>,
    clips: Vec<Clip>,
    /// Names of the parts of its model.
    parts: Vec<String>,
}

impl SavedRig {
    /// What is kept of a rig.
    pub fn of(rig: &Rig) -> Self {
        let asset = rig.asset();
        let scales = asset.nodes.iter().map(|node| node.scale).enumerate();
        Self {
            name: asset.name.clone(),
            model_from_world: asset.model_from_world,
            limbs: rig.limbs().to_vec(),
            bones: rig.bones().to_vec(),
            joints: asset.joints.clone(),
            nodes: asset.nodes.clone(),
            backward: scales.filter(|(_, scale)| scale.y < 0.0 || scale.z < 0.0).collect(),
            clips: asset.clips.clone(),
            parts: asset.model.primitives.iter().map(|part| part.name.clone()).collect(),
        }
    }

    /// The rig again.
    ///
    /// # Errors
    /// A sentence naming the joint or node whose parent or node does not come before it or is not there.
    pub fn rig(self) -> Result<Rig, String> {
        let count = self.nodes.len();
        for (index, node) in self.nodes.iter().enumerate() {
            // As many steps up as there are nodes lead to the top, or nowhere.
            let up = |node: &usize| self.nodes.get(*node).and_then(|above| above.parent);
            let above = std::iter::successors(node.parent, up).take(count + 1);
            let (mut steps, mut lost) = (0, false);
            above.for_each(|node| (steps, lost) = (steps + 1, lost || node >= count));
            if lost || steps > count {
                return Err(format!("node {index} of the rig `{}` hangs on nothing", self.name));
            }
        }
        let joints = self.joints.len();
        let stray = |joint: &AssetJoint| joint.node >= count || joint.parent.is_some_and(|parent| parent >= joints);
        if let Some(index) = self.joints.iter().position(stray) {
            return Err(format!("joint {index} of the rig `{}` has a node or parent that is not there", self.name));
        }
        let Self { name, model_from_world, limbs, bones, joints, mut nodes, backward, clips, parts } = self;
        for (node, scale) in backward {
            nodes.get_mut(node).ok_or_else(|| format!("node {node} of the rig `{name}` is not there"))?.scale = scale;
        }
        let part = |name| Primitive { name, ..Primitive::default() };
        let model = Model { primitives: parts.into_iter().map(part).collect(), ..Model::default() };
        let asset = Asset { model, name, joints, nodes, clips, model_from_world, ..Asset::default() };
        Ok(Rig::new(Arc::new(asset), limbs, bones))
    }
}
