//! What broke and what tore, from the flags that come back.

use std::collections::{BTreeMap, BTreeSet};

use super::event::EventKind;
use crate::gpu::wgsl::articulations::joint::{JOINT_BROKEN, JointState};
use crate::scene::{JointDesc, JointId, ParticleId, Scene, Thing};
use crate::solver::edits::joints::JointRef;

/// What is told, and the things that it happened to.
type Told = (Vec<Thing>, EventKind);

/// What is known to be broken and torn. What was when it is heard of first is not told.
#[derive(Debug, Default)]
pub(in crate::solver) struct Broken {
    /// Joints of the scene that are broken.
    joints: Option<BTreeSet<JointRef>>,
    /// The same of those that were added.
    added: Option<BTreeSet<JointRef>>,
    tears: Option<Vec<bool>>,
    /// Joints that the host has parted or joined anew: before which frame, and whether they were parted.
    set: BTreeMap<JointRef, (u64, bool)>,
    /// Joints that the host has parted so that it is told, which nobody has heard of yet.
    parted: BTreeSet<JointRef>,
    /// Joints that have left with a body before this frame, which nobody has heard of yet.
    left: Vec<(u64, JointRef, JointDesc)>,
}

fn told(joint: JointRef, desc: &JointDesc) -> Told {
    (vec![Thing::Body(desc.a), Thing::Body(desc.b)], EventKind::JointBroken(joint))
}

impl Broken {
    /// A joint that the host parts or joins anew before this frame, which is not told.
    pub(in crate::solver) fn set(&mut self, joint: JointRef, frame: u64, parted: bool) {
        self.set.insert(joint, (frame, parted));
        self.parted.remove(&joint);
    }

    /// The host parts a joint, which is told.
    pub(in crate::solver) fn part(&mut self, joint: JointRef) {
        self.parted.insert(joint);
    }

    /// A joint that the host takes away before this frame, which is told if it has parted it and nobody has heard of that.
    pub(in crate::solver) fn remove(&mut self, joint: JointRef, desc: JointDesc, frame: u64) {
        if self.parted.remove(&joint) {
            self.left.push((frame, joint, desc));
        }
    }

    /// A joint that leaves before this frame with one of its bodies, which is told if it held until then.
    pub(in crate::solver) fn leave(&mut self, joint: JointRef, desc: JointDesc, frame: u64) {
        self.parted.remove(&joint);
        if !self.added.as_ref().is_some_and(|broken| broken.contains(&joint)) {
            self.left.push((frame, joint, desc));
        }
    }

    /// Whether the host has parted joints of the scene, or such that were added, that are to be told whatever force they bear.
    pub(super) fn awaits(&self, added: bool) -> bool {
        self.parted.iter().any(|joint| matches!(joint, JointRef::Added(_)) == added)
    }

    /// Takes these for what is broken already, if nothing is known yet: what the host has done before is among it.
    pub(in crate::solver) fn begin(&mut self, joints: BTreeSet<JointRef>, added: BTreeSet<JointRef>, tears: Vec<bool>) {
        self.set.clear();
        self.joints.get_or_insert(joints);
        self.added.get_or_insert(added);
        self.tears.get_or_insert(tears);
    }

    /// Joints of the scene that broke in a frame; their states come in this order.
    pub(super) fn hear_joints(&mut self, scene: &Scene, order: &[u32], frame: u64, states: &[JointState]) -> Vec<Told> {
        let row = |joint: &u32| (JointRef::Scene(JointId(*joint)), scene.joints[*joint as usize].desc);
        let known = self.joints.take();
        let (now, told) = self.compare(known, order.iter().map(row), frame, states);
        self.joints = Some(now);
        told
    }

    /// Joints that were added and broke in a frame, as the states of these say.
    pub(super) fn hear_added(
        &mut self,
        rows: &[(JointRef, JointDesc)],
        frame: u64,
        states: &[JointState],
    ) -> Vec<Told> {
        let known = self.added.take();
        let (now, told) = self.compare(known, rows.iter().copied(), frame, states);
        // What broke before it left was told then.
        self.left.retain(|(_, joint, _)| !now.contains(joint));
        self.added = Some(now);
        told
    }

    /// Joints that had left before this frame was simulated.
    pub(super) fn hear_left(&mut self, frame: u64) -> Vec<Told> {
        self.left.extract_if(.., |(from, ..)| *from <= frame).map(|(_, joint, desc)| told(joint, &desc)).collect()
    }

    /// Which of these joints are broken after a frame, and which of them are to be told.
    fn compare(
        &mut self,
        known: Option<BTreeSet<JointRef>>,
        joints: impl Iterator<Item = (JointRef, JointDesc)>,
        frame: u64,
        states: &[JointState],
    ) -> (BTreeSet<JointRef>, Vec<Told>) {
        let first = known.is_none();
        let mut before = known.unwrap_or_default();
        let (mut now, mut broke) = (BTreeSet::new(), BTreeMap::new());
        for ((joint, desc), state) in joints.zip(states) {
            match self.set.get(&joint).copied() {
                Some((from, _)) if frame < from => {
                    now.extend(before.take(&joint));
                    continue;
                }
                Some((_, parted)) => {
                    before.remove(&joint);
                    before.extend(parted.then_some(joint));
                    self.set.remove(&joint);
                }
                None => {}
            }
            if state.broken != JOINT_BROKEN {
                continue;
            }
            now.insert(joint);
            let parted = self.parted.remove(&joint);
            if !before.contains(&joint) && (parted || !first) {
                broke.insert(joint, told(joint, &desc));
            }
        }
        (now, broke.into_values().collect())
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
