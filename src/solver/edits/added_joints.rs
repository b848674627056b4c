//! Joints that are made between running bodies, and taken away again: their tables are written anew, no buffer is. They are solved before
//! those of the scene, trees of them at once.

use std::collections::{BTreeMap, BTreeSet};
use std::mem::offset_of;

use serde::{Deserialize, Serialize};

use super::joints::JointRef;
use super::slots::Slots;
use crate::gpu::wgsl::articulations::joint::{JOINT_BROKEN, JOINT_MENDS, JointState};
use crate::gpu::wgsl::common::body::BODY_TIED;
use crate::scene::{BodyId, Joint, JointDesc, JointKind, Placement, Scene, components};
use crate::solver::stages::articulations::{Stage, Tables};
use crate::solver::stages::rows::BodyProperties;
use crate::solver::stages::{bodies, sleep};
use crate::solver::step::Woken;
use crate::solver::{Solver, SolverError};

/// A joint that was added to the running world. What is added later in its place is another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct AddedJoint {
    slot: u32,
    holder: u64,
}

/// Joints that were added.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(in crate::solver) struct Joints {
    pub(in crate::solver) slots: Slots,
    /// By place; those of places that nobody has are left over.
    joints: Vec<Option<Joint>>,
    /// Places in solving order.
    order: Vec<u32>,
    clusters: u32,
    /// Bodies that ignore others for them.
    ignoring: BTreeSet<u32>,
}

impl Joints {
    /// Knows so many places, and forgets none.
    pub(super) fn extend_to(&mut self, count: usize) {
        self.slots.extend_to(count);
        self.joints.resize(count.max(self.joints.len()), None);
    }

    /// What of them a frame runs.
    pub(in crate::solver) fn stage(&self, stage: Stage) -> Stage {
        Stage { added: self.clusters, reserved: !self.joints.is_empty(), ..stage }
    }

    /// The row of a joint that is there.
    pub(in crate::solver) fn row_of(&self, added: AddedJoint) -> usize {
        self.order.iter().position(|slot| *slot == added.slot).unwrap_or(usize::MAX)
    }

    /// Changes a joint that is there.
    pub(super) fn put_desc(&mut self, added: AddedJoint, desc: JointDesc) {
        self.joints[added.slot as usize].iter_mut().for_each(|joint| joint.desc = desc);
    }

    /// Those that are there, by row.
    pub(in crate::solver) fn by_row(&self) -> Vec<(JointRef, JointDesc)> {
        let own = |slot: &u32| {
            let joint = self.joints[*slot as usize].as_ref()?;
            Some((JointRef::Added(self.handle(*slot)), joint.desc))
        };
        self.order.iter().filter_map(own).collect()
    }

    /// Of who is in a place now.
    fn handle(&self, slot: u32) -> AddedJoint {
        AddedJoint { slot, holder: self.slots.holder(slot as usize) }
    }

    fn present(&self) -> impl Iterator<Item = (u32, &Joint)> {
        let joint = |slot: usize| Some((slot as u32, self.joints[slot].as_ref()?));
        self.slots.taken().filter_map(joint)
    }

    /// Whom each body ignores for them.
    pub(in crate::solver) fn ignored(&self) -> BTreeMap<u32, Vec<u32>> {
        let mut ignored: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
        for (_, joint) in self.present().filter(|(_, joint)| joint.desc.kind != JointKind::Distance && !joint.desc.meet)
        {
            for (from, to) in [(joint.desc.a.0, joint.desc.b.0), (joint.desc.b.0, joint.desc.a.0)] {
                ignored.entry(from).or_default().push(to);
            }
        }
        ignored
    }
}

impl Solver {
    /// Joins two running bodies, in a place that [`Scene::reserve_joints`] keeps: a hand picks up a thing, a rope is hooked. The joint is
    /// where `desc` has it while its bodies are at the two placements; bodies that are elsewhere come together at 1 m/s and turn at 1 rad/s
    /// until the joint has them there. With [`Placement::IDENTITY`] for both, pivot and end are places in the frames of the bodies; with
    /// what [`Solver::take_poses`] or [`Solver::read_placements`] tells they are places in the world. It shares no particles; it leaves when one
    /// of its bodies does, of which an event tells as if it had broken.
    ///
    /// # Errors
    /// [`SolverError::Unreserved`] when no place is left, [`SolverError::Removed`] for a body that is out of the world,
    /// [`SolverError::Scene`] for numbers out of range. The world stays as it was.
    pub fn add_joint(&mut self, desc: JointDesc, at: [Placement; 2]) -> Result<AddedJoint, SolverError> {
        desc.check(self.scene.bodies.len())?;
        for (id, at) in [(desc.a, at[0]), (desc.b, at[1])] {
            let index = self.body_in_world(id)?;
            let (still, name) = (glam::Vec3::ZERO, &self.scene.bodies[index].name);
            Scene::check_pose(name, at.position, at.rotation, still, still)?;
        }
        let slot = self.added.joints.slots.free("joint")?;
        let at = at.map(|at| Placement { rotation: at.rotation.normalize(), ..at });
        self.entered += 1;
        self.added.joints.slots.take(slot, self.entered);
        self.added.joints.joints[slot] = Some(Joint::between(desc, at));
        if let Err(error) = self.write_joints(&[slot as u32]) {
            self.added.joints.slots.leave(slot);
            return Err(error);
        }
        self.wake_bodies([desc.a, desc.b]);
        Ok(AddedJoint { slot: slot as u32, holder: self.entered })
    }

    /// A joint that was added: [`Joint::place`] and [`Joint::rotation`] tell how its bodies are in it.
    ///
    /// # Errors
    /// [`SolverError::Left`] once it was removed.
    pub fn joint(&self, added: AddedJoint) -> Result<&Joint, SolverError> {
        let slot = self.added.joints.slots.find("joint", added.slot, added.holder)?;
        let left = SolverError::Left { what: "joint", place: slot };
        self.added.joints.joints[slot].as_ref().ok_or(left)
    }

    /// Joints that were added and have not left, in the order of their places; broken ones too.
    pub fn added_joints(&self) -> impl Iterator<Item = (AddedJoint, &Joint)> {
        let joints = &self.added.joints;
        joints.present().map(|(slot, joint)| (joints.handle(slot), joint))
    }

    /// Waits for the GPU and reads which joints that were added are broken or out of action.
    ///
    /// # Errors
    /// [`GpuError::Lost`](crate::gpu::GpuError::Lost).
    pub fn read_broken_added_joints(&self) -> Result<Vec<AddedJoint>, SolverError> {
        let states = self.read_added_states()?;
        let own = self.added_joints().filter(|(added, _)| states[added.slot as usize].broken == JOINT_BROKEN);
        Ok(own.map(|(added, _)| added).collect())
    }

    /// Takes a joint that was added away: its bodies go on and touch each other again.
    ///
    /// # Errors
    /// [`SolverError::Left`] when it was removed already, or has left with one of its bodies.
    pub fn remove_joint(&mut self, added: AddedJoint) -> Result<(), SolverError> {
        let desc = self.joint(added)?.desc;
        self.added.joints.slots.leave(added.slot as usize);
        if let Err(error) = self.write_joints(&[]) {
            self.added.joints.slots.take(added.slot as usize, added.holder);
            return Err(error);
        }
        self.heard.broken.remove(added.into(), desc, self.frame);
        self.wake_bodies([desc.a, desc.b]);
        Ok(())
    }

    /// Takes the joints away that were added to bodies which leave the world.
    pub(super) fn leave_joints(&mut self, leaves: impl Fn(BodyId) -> bool) -> Result<(), SolverError> {
        let own = |joint: &Joint| leaves(joint.desc.a) || leaves(joint.desc.b);
        let gone: Vec<(u32, JointDesc)> = self
            .added
            .joints
            .present()
            .filter(|(_, joint)| own(joint))
            .map(|(slot, joint)| (slot, joint.desc))
            .collect();
        if gone.is_empty() {
            return Ok(());
        }
        for (slot, desc) in gone {
            if !self.heard.is_idle() {
                self.heard.broken.leave(self.added.joints.handle(slot).into(), desc, self.frame);
            }
            self.added.joints.slots.leave(slot as usize);
            self.wake_bodies([desc.a, desc.b]);
        }
        self.write_joints(&[])
    }

    /// After all buffers were made anew; this has become of them, by place.
    pub(in crate::solver) fn join_again(&mut self, states: &[JointState]) {
        self.added.know(&self.scene);
        if self.added.joints.joints.is_empty() {
            return;
        }
        self.added.joints.ignoring.clear();
        if let Err(error) = self.write_joints(&[]) {
            log::error!("added joints do not hold any more: {error}");
        }
        let order = &self.added.joints.order;
        let states: Vec<JointState> =
            order.iter().map(|slot| states.get(*slot as usize).copied().unwrap_or_default()).collect();
        self.write("added_joint_states", 0, &states);
    }

    /// What has become of each of the added joints, by place. Waits for the GPU.
    pub(super) fn read_added_states(&self) -> Result<Vec<JointState>, SolverError> {
        let joints = &self.added.joints;
        let mut by_place = vec![JointState::default(); joints.joints.len()];
        if !by_place.is_empty() {
            let states: Vec<JointState> = self.buffers.read("added_joint_states")?;
            joints.order.iter().zip(states).for_each(|(slot, state)| by_place[*slot as usize] = state);
        }
        Ok(by_place)
    }

    /// Writes the tables of the joints that are there now; those that are new come together gently.
    fn write_joints(&mut self, new: &[u32]) -> Result<(), SolverError> {
        let (slots, joints): (Vec<u32>, Vec<Joint>) =
            self.added.joints.present().map(|(slot, joint)| (slot, joint.clone())).unzip();
        let tables = Tables::new(&joints, &self.scene.bodies);
        let order: Vec<u32> = tables.order.iter().map(|place| slots[*place as usize]).collect();
        self.keep_states(&order, new)?;
        tables.upload_added(&self.buffers, &joints)?;
        self.added.joints.order = order;
        self.added.joints.clusters = tables.clusters;
        self.write_assemblies()?;
        self.write_ignored()?;
        self.know_added();
        self.walk_again();
        self.revision += 1;
        self.hurry();
        self.search_again()
    }

    /// Brings what has become of joints into another order.
    fn keep_states(&self, order: &[u32], new: &[u32]) -> Result<(), SolverError> {
        let (now, before) = (self.buffers.get("added_joint_states")?, self.buffers.get("added_states_before")?);
        self.context.run("keep joints", |encoder| {
            encoder.copy_buffer_to_buffer(now, 0, before, 0, now.size());
            let size = size_of::<JointState>() as u64;
            for (row, slot) in order.iter().enumerate() {
                if let Some(from) = self.added.joints.order.iter().position(|known| known == slot) {
                    encoder.copy_buffer_to_buffer(before, size * from as u64, now, size * row as u64, size);
                }
            }
        });
        for (row, _) in order.iter().enumerate().filter(|(_, slot)| new.contains(slot)) {
            let state = JointState { broken: JOINT_MENDS, ..JointState::default() };
            self.buffers.upload("added_joint_states", row, &[state])?;
        }
        Ok(())
    }

    /// What joints tie sleeps and wakes together.
    fn write_assemblies(&mut self) -> Result<(), SolverError> {
        let assemblies = self.assemblies_now();
        for (body, (assembly, tied)) in assemblies.iter().zip(bodies::ties(&assemblies)).enumerate() {
            let row = self.targets.properties_of(body);
            let flags = row.flags & !BODY_TIED | tied;
            if (row.assembly, row.flags) == (*assembly, flags) {
                continue;
            }
            self.targets.know(body, &[BodyProperties { assembly: *assembly, flags, ..row }]);
            // The GPU may have let go of what is held; it hears of its flags when it is released.
            if self.targets.contains(body) {
                self.buffers.upload_fields("body_properties", body, offset_of!(BodyProperties, assembly), assembly)?;
            } else {
                self.buffers.upload_fields(
                    "body_properties",
                    body,
                    offset_of!(BodyProperties, flags),
                    &[flags, *assembly],
                )?;
            }
        }
        sleep::Tables::new(&assemblies).upload(&self.buffers)?;
        Ok(())
    }

    /// The assembly of each body.
    fn assemblies_now(&self) -> Vec<u32> {
        let ties = self.added.joints.present().map(|(_, joint)| [joint.desc.a.0, joint.desc.b.0]);
        let made = self.scene.assemblies();
        components(made.len(), ties.chain(made.iter().copied().zip(0..).map(|(lowest, body)| [lowest, body])))
    }

    /// Takes the sizes of a frame from what was added.
    pub(in crate::solver) fn know_added(&mut self) {
        self.stages.articulations = self.added.joints.stage(self.stages.articulations);
        if self.added.joints.joints.is_empty() {
            return;
        }
        let count = sleep::Tables::new(&self.assemblies_now()).assemblies();
        (self.stages.sleep.assemblies, self.stages.forces.assemblies) = (count, count);
    }

    /// Bodies that a joint ties do not touch each other. Lists of those that ignore more than the scene says follow the others.
    fn write_ignored(&mut self) -> Result<(), SolverError> {
        let ignored = self.added.joints.ignored();
        let concerned: BTreeSet<u32> = self.added.joints.ignoring.iter().chain(ignored.keys()).copied().collect();
        if concerned.is_empty() {
            return Ok(());
        }
        let mut firsts = Vec::with_capacity(self.scene.bodies.len() + 1);
        let mut end = 0_u32;
        for body in &self.scene.bodies {
            firsts.push(end);
            end += body.ignores.len() as u32;
        }
        let mut more: Vec<u32> = Vec::new();
        for body in concerned {
            let own = &self.scene.bodies[body as usize].ignores;
            let range = match ignored.get(&body) {
                None => [firsts[body as usize], own.len() as u32],
                Some(others) => {
                    let first = end + more.len() as u32;
                    more.extend(own.iter().map(|id| id.0).chain(others.iter().copied()));
                    [first, (own.len() + others.len()) as u32]
                }
            };
            let row = self.targets.properties_of(body as usize);
            let [first_ignored, ignored_count] = range;
            self.targets.know(body as usize, &[BodyProperties { first_ignored, ignored_count, ..row }]);
            let offset = offset_of!(BodyProperties, first_ignored);
            self.buffers.upload_fields("body_properties", body as usize, offset, &range)?;
        }
        self.buffers.upload("ignored_bodies", end as usize, &more)?;
        self.added.joints.ignoring = ignored.into_keys().collect();
        Ok(())
    }

    pub(in crate::solver) fn wake_bodies(&mut self, bodies: [BodyId; 2]) {
        self.touched.posed.extend(bodies.map(|id| id.0));
        self.touched.wake(Woken::Left);
    }
}
