//! What broke and what tore, from the flags that come back.

use std::collections::{BTreeMap, BTreeSet};

use super::event::EventKind;
use crate::gpu::wgsl::articulations::joint::JOINT_BROKEN;
use crate::scene::{ParticleId, Scene, Thing};

/// What is told, and the things that it happened to.
type Told = (Vec<Thing>, EventKind);

/// What is known to be broken and torn. What was when it is heard of first is not told.
#[derive(Debug, Default)]
pub(super) struct Broken {
    joints: Option<Vec<bool>>,
    tears: Option<Vec<bool>>,
    /// Joints that the host has parted or joined anew: before which frame, and whether they were parted.
    set: BTreeMap<usize, (u64, bool)>,
    /// Joints that the host has parted so that it is told, which nobody has heard of yet.
    parted: BTreeSet<usize>,
}

impl Broken {
    /// A joint that the host parts or joins anew before this frame, which is not told.
    pub(super) fn set(&mut self, joint: usize, frame: u64, parted: bool) {
        self.set.insert(joint, (frame, parted));
        self.parted.remove(&joint);
    }

    /// The host parts a joint, which is told.
    pub(super) fn part(&mut self, joint: usize) {
        self.parted.insert(joint);
    }

    /// Whether the host has parted joints that are to be told, whatever force they bear.
    pub(super) fn awaits(&self) -> bool {
        !self.parted.is_empty()
    }

    /// Takes these for what is broken already, if nothing is known yet.
    pub(super) fn begin(&mut self, joints: Vec<bool>, tears: Vec<bool>) {
        self.joints.get_or_insert(joints);
        self.tears.get_or_insert(tears);
    }

    /// Joints that broke in a frame; their flags come in this order.
    pub(super) fn hear_joints(&mut self, scene: &Scene, order: &[u32], frame: u64, flags: &[u32]) -> Vec<Told> {
        let first = self.joints.is_none();
        let known = self.joints.get_or_insert_default();
        known.resize(scene.joints.len(), false);
        let mut told = Vec::new();
        for (joint, flag) in order.iter().zip(flags).map(|(joint, flag)| (*joint as usize, *flag == JOINT_BROKEN)) {
            match self.set.get(&joint).copied() {
                Some((from, _)) if frame < from => continue,
                Some((_, parted)) => {
                    known[joint] = parted;
                    self.set.remove(&joint);
                }
                None => {}
            }
            let parted = flag && self.parted.remove(&joint);
            if flag && !known[joint] && (parted || !first) {
                let desc = &scene.joints[joint].desc;
                told.push((vec![Thing::Body(desc.a), Thing::Body(desc.b)], EventKind::JointBroken(joint)));
            }
            known[joint] = flag;
        }
        told.sort_unstable_by_key(|(_, kind)| match kind {
            EventKind::JointBroken(joint) => *joint,
            _ => 0,
        });
        told
    }

    /// Edges that tore.
    pub(super) fn hear_tears(&mut self, scene: &Scene, flags: &[u32]) -> Vec<Told> {
        let first = self.tears.is_none();
        let known = self.tears.get_or_insert_default();
        known.resize(scene.tears.len(), false);
        let now = known.iter_mut().zip(flags).enumerate().filter_map(|(tear, (known, flag))| {
            let before = std::mem::replace(known, *flag != 0);
            (*flag != 0 && !before && !first).then_some(tear)
        });
        let now: Vec<usize> = now.collect();
        if now.is_empty() {
            return Vec::new();
        }
        let members = scene.members();
        let event = |tear: usize| {
            let corner = scene.constraints[scene.tears[tear].constraint as usize].particles[0];
            match members.thing(ParticleId(corner)) {
                Some(Thing::Deformable(object)) => {
                    Some((vec![Thing::Deformable(object)], EventKind::Torn { tear, object }))
                }
                _ => None,
            }
        };
        now.into_iter().filter_map(event).collect()
    }
}
