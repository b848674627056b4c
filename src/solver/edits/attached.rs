//! Particles of cloth, flesh and ropes that are fastened to bodies while the world runs, and let go of again: their tables are written
//! anew, no buffer is.

use std::mem::offset_of;

use serde::{Deserialize, Serialize};

use super::slots::Slots;
use crate::scene::{Attachment, BodyId, ParticleId, Phase, Scene};
use crate::solver::stages::constraints::ConstraintTables;
use crate::solver::stages::rows::ParticleRow;
use crate::solver::{BodyState, Solver, SolverError};

/// An attachment that was added to the running world. What is added later in its place is another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Attached {
    slot: u32,
    holder: u64,
}

/// Attachments that were added.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(in crate::solver) struct Attachments {
    slots: Slots,
    /// By place; those of places that nobody has are left over.
    attachments: Vec<Option<Attachment>>,
}

impl Attachments {
    /// Knows so many places, and forgets none.
    pub(super) fn extend_to(&mut self, count: usize) {
        self.slots.extend_to(count);
        self.attachments.resize(count.max(self.attachments.len()), None);
    }

    /// Those that are there, with their places.
    pub(super) fn present(&self) -> impl Iterator<Item = (usize, Attachment)> {
        self.slots.taken().filter_map(|slot| Some((slot, self.attachments[slot]?)))
    }

    /// Whether a particle is fastened by one of them.
    pub(super) fn hold(&self, particle: ParticleId) -> bool {
        self.present().any(|(_, own)| own.particle == particle)
    }
}

impl Solver {
    /// Fastens a particle of cloth, flesh or a rope to a body of the running world where both are now, in a place that
    /// [`Scene::reserve_attachments`] keeps: a hand takes hold of a cape, a rope is tied to a crate. From then on the particle touches
    /// nothing: the body does that for it. `compliance` [m/N] is how far it gives way, 0 for not at all. Waits for the GPU, to know where
    /// they are. It leaves with its body, and with its copy of a pool.
    ///
    /// # Errors
    /// [`SolverError::Unreserved`] when no place is left, [`SolverError::Missing`] and [`SolverError::CannotPin`] for a particle that
    /// [`Solver::pin`] would not hold, or that is pinned; [`SolverError::Removed`] for a body that is out of the world,
    /// [`SolverError::Scene`] for a compliance below 0. The world stays as it was.
    pub fn attach(&mut self, particle: ParticleId, body: BodyId, compliance: f32) -> Result<Attached, SolverError> {
        let index = self.pinnable(particle)?;
        if self.pins.contains_key(&particle.0) {
            return Err(SolverError::CannotPin(particle, "it is pinned to the world; unpin it first"));
        }
        let holder = self.body_in_world(body)?;
        Scene::check_compliance(&format!("attachment of particle {index}"), compliance)?;
        let slot = self.added.attachments.slots.free("attachment")?;
        let place = self.read_positions()?[index];
        let at = BodyState::placement(&self.read_bodies()?[holder]);
        self.added.attachments.attachments[slot] =
            Some(Attachment { particle, body, local: at.local(place), compliance });
        self.entered += 1;
        self.added.attachments.slots.take(slot, self.entered);
        if let Err(error) = self.write_attachments(&[particle]) {
            self.added.attachments.slots.leave(slot);
            return Err(error);
        }
        self.wake_bodies([body, body]);
        Ok(Attached { slot: slot as u32, holder: self.entered })
    }

    /// Lets go of a particle that [`Solver::attach`] has fastened: it goes on as it moves, and touches things again.
    ///
    /// # Errors
    /// [`SolverError::Left`] when it was let go of already, or has left with its body.
    pub fn detach(&mut self, attached: Attached) -> Result<(), SolverError> {
        let slot = self.added.attachments.slots.find("attachment", attached.slot, attached.holder)?;
        self.leave_attachments(|place, _| place == slot)
    }

    /// An attachment that was added: which particle and body, and where.
    ///
    /// # Errors
    /// [`SolverError::Left`] once it was let go of.
    pub fn attachment(&self, attached: Attached) -> Result<&Attachment, SolverError> {
        let slot = self.added.attachments.slots.find("attachment", attached.slot, attached.holder)?;
        let left = SolverError::Left { what: "attachment", place: slot };
        self.added.attachments.attachments[slot].as_ref().ok_or(left)
    }

    /// Lets go of what was fastened in these places, or by these attachments.
    pub(super) fn leave_attachments(&mut self, leaves: impl Fn(usize, &Attachment) -> bool) -> Result<(), SolverError> {
        let gone: Vec<_> = self.added.attachments.present().filter(|(slot, own)| leaves(*slot, own)).collect();
        if gone.is_empty() {
            return Ok(());
        }
        gone.iter().for_each(|(slot, _)| self.added.attachments.slots.leave(*slot));
        let particles: Vec<ParticleId> = gone.iter().map(|(_, own)| own.particle).collect();
        self.write_attachments(&particles)?;
        gone.iter().for_each(|(_, own)| self.wake_bodies([own.body, own.body]));
        Ok(())
    }

    /// After all buffers were made anew.
    pub(in crate::solver) fn attach_again(&mut self) {
        self.added.know(&self.scene);
        let held: Vec<ParticleId> = self.added.attachments.present().map(|(_, own)| own.particle).collect();
        if held.is_empty() {
            return;
        }
        if let Err(error) = self.write_attachments(&held) {
            log::error!("what was fastened to bodies is loose: {error}");
        }
    }

    /// Writes the tables of what is fastened now; these particles are so from now on, or no more.
    fn write_attachments(&mut self, changed: &[ParticleId]) -> Result<(), SolverError> {
        let added: Vec<Attachment> = self.added.attachments.present().map(|(_, own)| own).collect();
        let (bodies, attachments) = ConstraintTables::attachments_with(&self.scene, &added);
        self.buffers.upload("attached_bodies", 0, &bodies)?;
        self.buffers.upload("attachments", 0, &attachments)?;
        for particle in changed {
            let index = particle.0 as usize;
            let ghost =
                self.added.attachments.hold(*particle) || self.scene.particles[index].phase.contains(Phase::GHOST);
            let phase = self.phases[index] & !Phase::GHOST.0 | if ghost { Phase::GHOST.0 } else { 0 };
            self.phases[index] = phase;
            self.buffers.upload_fields("particle_rows", index, offset_of!(ParticleRow, phase), &phase)?;
        }
        self.write_holders(&changed.iter().map(|particle| particle.0).collect())?;
        self.hurry();
        self.search_again()
    }
}
