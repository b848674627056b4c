//! How a character is drawn: bones for its bodies and for the joints merged into them, and vertices on those bones.

use glam::{Quat, Vec3};

use super::labels::Label;
use super::plan::{PlannedBody, PlannedBone, PlannedJoint, rotation};
use crate::import::{Asset, Hold};
use crate::scene::{Bend, Influence, JointKind, MAX_INFLUENCES, Model};

/// The bones of a character while they are made.
pub(super) struct Skeleton {
    pub(super) bones: Vec<PlannedBone>,
    /// Bone of each body.
    of_body: Vec<u16>,
    /// Bone of each joint; none for joints that move nothing.
    of_joint: Vec<Option<u16>>,
}

impl Skeleton {
    /// Bones of a tree of bodies.
    pub(super) fn new(asset: &Asset, bodies: &[PlannedBody], joints: &[PlannedJoint]) -> Self {
        let mut skeleton =
            Self { bones: Vec::new(), of_body: vec![0; bodies.len()], of_joint: vec![None; asset.joints.len()] };
        let used = used_joints(asset);
        let child = |body: &usize| joints.iter().any(|j| j.child == *body);
        let roots = (0..bodies.len()).filter(|body| !child(body));
        // Joints run from the root outward, so parents have their bones first.
        for body in roots.chain(joints.iter().map(|j| j.child)) {
            let joint = joints.iter().find(|j| j.child == body);
            skeleton.add_body(asset, bodies, body, joint);
            skeleton.add_merged(asset, bodies, body, &used);
        }
        let chains: Vec<Vec<u16>> = joints.iter().map(|j| skeleton.chain(j.child)).collect();
        for (joint, chain) in joints.iter().zip(&chains) {
            // A bone that several bodies hang on belongs to all of them: it keeps still.
            let alone = |bone: &u16| chains.iter().filter(|chain| chain.contains(bone)).count() == 1;
            skeleton.add_bends(joint, bodies[joint.child].label, chain, alone);
        }
        skeleton.share_bends();
        skeleton
    }

    fn push(&mut self, bone: PlannedBone) -> u16 {
        self.bones.push(bone);
        (self.bones.len() - 1) as u16
    }

    fn add_body(&mut self, asset: &Asset, bodies: &[PlannedBody], body: usize, joint: Option<&PlannedJoint>) {
        let own = bodies[body].joint;
        let parent = joint.map(|j| {
            // The bone above in the skeleton, if it moves with the body above; else the skeleton was repaired there.
            let above = own.and_then(|own| above(asset, own).find_map(|a| self.of_joint[a]));
            above.filter(|bone| self.body_under(*bone) == Some(j.parent)).unwrap_or(self.of_body[j.parent])
        });
        let pivot = joint.map_or(bodies[body].desc.position, |j| j.pivot);
        let rest = own.map_or(Quat::IDENTITY, |joint| rotation(&asset.joints[joint].rest));
        self.of_body[body] = self.push(PlannedBone { body: Some(body), joint: own, parent, pivot, rest, bend: None });
        if let Some(own) = own {
            self.of_joint[own] = Some(self.of_body[body]);
        }
    }

    /// The body that a bone follows, directly or through its parents.
    fn body_under(&self, bone: u16) -> Option<usize> {
        let mut at = &self.bones[usize::from(bone)];
        while let (None, Some(parent)) = (at.body, at.parent) {
            at = &self.bones[usize::from(parent)];
        }
        at.body
    }

    /// Bones of the joints that became part of a body.
    fn add_merged(&mut self, asset: &Asset, bodies: &[PlannedBody], body: usize, used: &[bool]) {
        let Some(own) = bodies[body].joint else { return };
        let origin = |joint: usize| asset.joints[joint].rest.w_axis.truncate();
        let bone = |joint: usize, parent: u16, pivot: Vec3| PlannedBone {
            body: None,
            joint: Some(joint),
            parent: Some(parent),
            pivot,
            rest: rotation(&asset.joints[joint].rest),
            bend: None,
        };
        // Above the body's own joint the chain runs backward: each bone shares the origin of the joint below it.
        let mut below = own;
        for joint in above(asset, own).take_while(|j| bodies[body].merged.contains(j)) {
            let parent = self.of_joint[below].unwrap_or(self.of_body[body]);
            self.of_joint[joint] = Some(self.push(bone(joint, parent, origin(below))));
            below = joint;
        }
        let mut rest: Vec<usize> =
            bodies[body].merged.iter().copied().filter(|j| used[*j] && self.of_joint[*j].is_none()).collect();
        rest.sort_by_key(|j| (above(asset, *j).count(), *j));
        for joint in rest {
            let parent = above(asset, joint).find_map(|a| self.of_joint[a]);
            let parent = parent.filter(|p| self.body_under(*p) == Some(body)).unwrap_or(self.of_body[body]);
            self.of_joint[joint] = Some(self.push(bone(joint, parent, origin(joint))));
        }
    }

    /// Bones between a body and the one it hangs on, nearest first.
    fn chain(&self, body: usize) -> Vec<u16> {
        let parent = |bone: u16| self.bones[usize::from(bone)].parent;
        let bodiless = |bone: &u16| self.bones[usize::from(*bone)].body.is_none();
        std::iter::successors(parent(self.of_body[body]), |bone| parent(*bone)).take_while(bodiless).collect()
    }

    /// Lets the bones between two bodies share the turning of the farther one.
    fn add_bends(&mut self, joint: &PlannedJoint, label: Label, chain: &[u16], alone: impl Fn(&u16) -> bool) {
        let toward = self.of_body[joint.child];
        for (place, bone) in chain.iter().enumerate().filter(|(_, bone)| alone(bone)) {
            let pivot = self.bones[usize::from(*bone)].pivot;
            let Some(axis) = shared_axis(joint.kind, label, joint.pivot - pivot) else { return };
            let share = (chain.len() - place) as f32 / (chain.len() + 1) as f32;
            let about = 0.5 * (pivot + joint.pivot);
            self.bones[usize::from(*bone)].bend = Some(Bend { toward, share, about, axis });
        }
    }

    /// What hangs on a bone that bends moves with it.
    fn share_bends(&mut self) {
        for index in 0..self.bones.len() {
            let bone = &self.bones[index];
            if let (None, None, Some(parent)) = (bone.body, bone.bend, bone.parent) {
                self.bones[index].bend = self.bones[usize::from(parent)].bend;
            }
        }
    }

    /// The asset's model with influences on bones, at most [`MAX_INFLUENCES`] a vertex. Parts that nothing holds follow
    /// the body whose center is nearest, with a warning each.
    pub(super) fn model(&self, asset: &Asset, bodies: &[PlannedBody], warnings: &mut Vec<String>) -> Model {
        let mut model = asset.model.clone();
        for (index, part) in model.primitives.iter_mut().enumerate() {
            let count = part.positions.len();
            if asset.holds[index] == Hold::Loose {
                let middle = part.positions.iter().sum::<Vec3>() / count.max(1) as f32;
                let reach = |body: &usize| bodies[*body].desc.position.distance(middle);
                let body = (0..bodies.len()).min_by(|a, b| reach(a).total_cmp(&reach(b))).unwrap_or(0);
                warnings
                    .push(format!("part {index} hangs on no joint; it is drawn with body {body} and does not collide"));
                part.influences = vec![influences(vec![(self.of_body[body], 1.0)]); count];
                continue;
            }
            let on_bone = |(joint, weight): &(u32, f32)| Some((self.of_joint[*joint as usize]?, *weight));
            let on_bones = |vertex| asset.weights[index].of(vertex).iter().filter_map(on_bone).collect();
            part.influences = (0..count).map(|vertex| influences(on_bones(vertex))).collect();
        }
        model
    }
}

/// Which turning of a body with this label the skin before it takes part in: all, that about one axis, or none. Necks,
/// spines and tails bend as arcs; a forearm only twists with its hand, and a hinge folds in one place.
fn shared_axis(kind: JointKind, label: Label, along: Vec3) -> Option<Option<Vec3>> {
    match label {
        _ if kind == JointKind::Hinge => None,
        Label::UpperArm | Label::Thigh => None,
        Label::Hand | Label::Foot => along.try_normalize().map(Some),
        _ => Some(None),
    }
}

/// Joints above a joint, nearest first.
fn above(asset: &Asset, joint: usize) -> impl Iterator<Item = usize> + '_ {
    std::iter::successors(asset.joints[joint].parent, |j| asset.joints[*j].parent)
}

/// Joints that move vertices, and those above them.
fn used_joints(asset: &Asset) -> Vec<bool> {
    let mut used = vec![false; asset.joints.len()];
    for (joint, weight) in asset.weights.iter().flat_map(|w| &w.entries) {
        if *weight > 0.0 && !std::mem::replace(&mut used[*joint as usize], true) {
            above(asset, *joint as usize).for_each(|j| used[j] = true);
        }
    }
    used
}

/// The largest shares, summing to 1; bone 0 if there are none.
fn influences(mut shares: Vec<(u16, f32)>) -> [Influence; MAX_INFLUENCES] {
    let mut out = [Influence::default(); MAX_INFLUENCES];
    shares.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    shares.truncate(MAX_INFLUENCES);
    let sum: f32 = shares.iter().map(|(_, w)| w).sum();
    if sum.is_nan() || sum <= 0.0 {
        out[0].weight = 1.0;
        return out;
    }
    for (slot, (bone, weight)) in out.iter_mut().zip(shares) {
        *slot = Influence { bone, weight: weight / sum };
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_largest_eight_shares_are_kept() {
        let shares: Vec<(u16, f32)> = (0..12).rev().map(|i| (i, 0.2 - 0.01 * f32::from(i))).collect();
        let kept = influences(shares);
        assert!((kept.iter().map(|i| i.weight).sum::<f32>() - 1.0).abs() < 1e-6);
        assert_eq!((kept[0].bone, kept[7].bone), (0, 7));
        assert_eq!(influences(Vec::new())[0], Influence { bone: 0, weight: 1.0 });
    }
}
