//! Physics that the file defines, instead of guesses: which joints are bodies, what they weigh, how they turn.

use std::collections::HashMap;
use std::f32::consts::PI;

use glam::{Mat4, Quat};

use super::limits::{Ranges, lock};
use super::plan::PlannedJoint;
use super::regions::Choice;
use super::rig::Rig;
use crate::import::{Asset, AuthoredJoint};
use crate::scene::{JointKind, Limits};

/// A range that is a lock [rad].
const LOCK: f32 = 1.0e-3;

/// The bodies of the file, by the joint of the skin that moves with each.
pub(super) struct Authored<'a> {
    asset: &'a Asset,
    /// Body node of each node, if it has one at or above it.
    body_of: Vec<Option<usize>>,
    /// Mass [kg] by body node.
    masses: HashMap<usize, Option<f32>>,
}

impl<'a> Authored<'a> {
    /// None if the file brings no physics, or none for its skin.
    pub(super) fn of(asset: &'a Asset) -> Option<Self> {
        let masses: HashMap<usize, Option<f32>> = asset.physics.bodies.iter().map(|b| (b.node, b.mass)).collect();
        let upward = |node| std::iter::successors(Some(node), |n: &usize| asset.nodes[*n].parent);
        let body_of: Vec<Option<usize>> =
            (0..asset.nodes.len()).map(|node| upward(node).find(|n| masses.contains_key(n))).collect();
        let skinned = asset.joints.iter().filter(|j| masses.contains_key(&j.node)).count();
        (skinned > 1).then_some(Self { asset, body_of, masses })
    }

    /// Joints that are bodies of their own, and those that are not.
    pub(super) fn choices(&self, rig: &Rig<'_>) -> HashMap<usize, Choice> {
        let choice = |joint: usize| {
            let own = self.masses.contains_key(&self.asset.joints[joint].node);
            (joint, if own { Choice::Keep } else { Choice::Merge })
        };
        (0..rig.len()).filter(|j| !rig.vertices[*j].is_empty()).map(choice).collect()
    }

    /// The mass [kg] that the file gives to the body of asset joint `joint`.
    pub(super) fn mass(&self, joint: usize) -> Option<f32> {
        self.masses.get(&self.asset.joints[joint].node).copied().flatten()
    }

    /// Shapes the joint between the bodies of two asset joints as the file has it.
    pub(super) fn shape(&self, parent: usize, child: usize, joint: &mut PlannedJoint) {
        let body = |j: usize| self.body_of[self.asset.joints[j].node];
        let (a, b) = (body(parent), body(child));
        for found in &self.asset.physics.joints {
            let ends = (self.body_of[found.node], self.body_of[found.connected]);
            if ends == (a, b) || ends == (b, a) {
                self.apply(found, parent, ends == (a, b), joint);
                return;
            }
        }
    }

    /// `forward`: the second node of the file's joint belongs to the child.
    fn apply(&self, found: &AuthoredJoint, parent: usize, forward: bool, joint: &mut PlannedJoint) {
        let node = if forward { found.node } else { found.connected };
        let frame = self.placed(node, parent);
        let (_, turn, place) = frame.to_scale_rotation_translation();
        if !(turn.is_finite() && place.is_finite()) {
            return;
        }
        let range = |axis: usize| {
            let [low, high] = found.turns[axis].unwrap_or([-PI, PI]);
            if forward { [low.max(-PI), high.min(PI)] } else { [(-high).max(-PI), (-low).min(PI)] }
        };
        joint.pivot = place;
        joint.center = Quat::IDENTITY;
        let loose: Vec<usize> = (0..3).filter(|axis| range(*axis)[1] - range(*axis)[0] > LOCK).collect();
        match loose[..] {
            [] => lock(joint),
            [axis] => {
                let [min, max] = range(axis);
                joint.kind = JointKind::Hinge;
                joint.axis = turn * glam::Vec3::AXES[axis];
                joint.up = turn * glam::Vec3::AXES[(axis + 1) % 3];
                joint.limits = Limits::Hinge { min, max };
            }
            _ => {
                joint.axis = turn * glam::Vec3::X;
                joint.up = turn * glam::Vec3::Y;
                Ranges { twist: range(0), side: range(1), forward: range(2) }.apply(joint);
            }
        }
    }

    /// Place of a node in model space while the asset joint `joint`, which it moves with, is in its rest pose.
    fn placed(&self, node: usize, joint: usize) -> Mat4 {
        let carrier = &self.asset.joints[joint];
        carrier.rest * self.asset.nodes[carrier.node].world.inverse() * self.asset.nodes[node].world
    }
}
