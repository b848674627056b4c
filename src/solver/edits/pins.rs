//! Particles that the host pins and lets go of while the world runs, and colliders that it takes out of the world and puts back: rows
//! are written, nothing is made anew.

use std::collections::BTreeSet;
use std::ops::Range;

use glam::{Quat, Vec3};

use crate::gpu::{Buffers, GpuError};
use crate::scene::{Attachment, BodyId, ColliderId, Extent, ParticleId, SceneError};
use crate::solver::saving::state::Motion;
use crate::solver::stages::constraints::objects::ObjectRow;
use crate::solver::stages::constraints::tear::Torn;
use crate::solver::stages::rows::vec4;
use crate::solver::{Solver, SolverError};

/// A particle that [`Solver::pin`] holds. One that is held later is held by another pin.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Pinned {
    particle: ParticleId,
    holder: u64,
}

impl Pinned {
    /// The particle.
    pub fn particle(self) -> ParticleId {
        self.particle
    }
}

impl Solver {
    /// Holds a particle of cloth, flesh or a rope at a place of the world from the next frame on: where it is, or at `place` [m], to which
    /// it jumps. Told again in every frame, it goes with the place, and its pin is the same. The first pin of a particle that cloth has
    /// taken when it tore waits for the GPU.
    ///
    /// # Errors
    /// [`SolverError::Missing`] for a particle that is not there, [`SolverError::CannotPin`] for one of no such object,
    /// [`SolverError::Scene`] for a place that is not finite; nothing changes then.
    pub fn pin(&mut self, particle: ParticleId, place: Option<Vec3>) -> Result<Pinned, SolverError> {
        let index = self.pinnable(particle)?;
        if let Some(at) = place {
            if let Some(value) = at.to_array().into_iter().find(|c| !c.is_finite()) {
                let item = format!("particle {index}");
                return Err(SceneError::Number { item, field: "place", value, allowed: "finite" }.into());
            }
            let row = vec4(at, self.scene.particles[index].radius);
            self.buffers.upload("particles", index, &[row])?;
            self.buffers.upload("saved_particles", index, &[row])?;
        }
        if !self.pins.contains_key(&particle.0) {
            self.entered += 1;
            self.pins.insert(particle.0, self.entered);
            self.keep_inverse(index, true)?;
            self.write_holders(&BTreeSet::from([particle.0]))?;
        }
        let holder = self.pins[&particle.0];
        self.buffers.upload("particle_velocities", index, &[[0.0_f32; 4]])?;
        self.hurry();
        self.search_again()?;
        Ok(Pinned { particle, holder })
    }

    /// Lets go of a particle that [`Solver::pin`] holds: it goes on from rest.
    ///
    /// # Errors
    /// [`SolverError::Unpinned`] when it was let go of already, or has left the world with its copy of a pool.
    pub fn unpin(&mut self, pinned: Pinned) -> Result<(), SolverError> {
        let index = pinned.particle.0 as usize;
        if self.pins.get(&pinned.particle.0) != Some(&pinned.holder) {
            return Err(SolverError::Unpinned(pinned.particle));
        }
        self.pins.remove(&pinned.particle.0);
        let inverse = if self.is_spare(index) { 0.0 } else { 1.0 / self.scene.particles[index].mass };
        self.buffers.upload("particle_velocities", index, &[[0.0, 0.0, 0.0, inverse]])?;
        self.keep_inverse(index, false)?;
        self.write_holders(&BTreeSet::from([pinned.particle.0]))?;
        self.wake_hung(|object| object.has_particle(pinned.particle.0));
        self.search_again()
    }

    /// Wakes what objects hold that particles of theirs are fastened to.
    pub(super) fn wake_hung(&mut self, is_own: impl Fn(&Extent) -> bool) {
        let own = |attachment: &Attachment| {
            let holds = |object: &&Extent| object.has_particle(attachment.particle.0);
            self.scene.deformables.iter().filter(holds).any(&is_own)
        };
        let added = self.added.attachments.present().map(|(_, attachment)| attachment);
        let all = self.scene.attachments.iter().copied().chain(added);
        let hung: Vec<BodyId> = all.filter(own).map(|attachment| attachment.body).collect();
        hung.into_iter().for_each(|body| self.wake_bodies([body; 2]));
    }

    /// Takes a collider out of the world, or puts it back where it was, or where [`Solver::set_collider_pose`] has put it since. What is
    /// near it wakes; everything for a plane.
    ///
    /// # Errors
    /// [`SolverError::Missing`] for a collider that is not there, [`SolverError::Absent`] for one of a copy of a pool that is out of the
    /// world, [`SolverError::Left`] for a place that waits for one to be added.
    pub fn set_collider_present(&mut self, id: ColliderId, present: bool) -> Result<(), SolverError> {
        let index = self.collider_index(id)?;
        if present != self.hidden.contains_key(&id) {
            return Ok(());
        }
        let collider = &mut self.scene.colliders[index];
        if let Some(motion) = self.hidden.remove(&id) {
            motion.put(collider);
            self.disturb_collider(index);
        } else {
            self.hidden.insert(id, Motion::of(collider));
            self.disturb_collider(index);
            self.scene.colliders[index].store();
        }
        self.write_collider(index)?;
        self.jump_collider(index);
        self.touched.colliders_placed = true;
        self.search_again()
    }

    /// Whether a collider is in the world.
    ///
    /// # Errors
    /// As [`Solver::set_collider_present`].
    pub fn is_collider_present(&self, id: ColliderId) -> Result<bool, SolverError> {
        self.collider_index(id)?;
        Ok(!self.hidden.contains_key(&id))
    }

    /// Where a collider is [m], or will be once it is shown.
    ///
    /// # Errors
    /// As [`Solver::set_collider_present`].
    pub(crate) fn collider_place(&self, id: ColliderId) -> Result<(Vec3, Quat), SolverError> {
        let collider = &self.scene.colliders[self.collider_index(id)?];
        let kept = self.hidden.get(&id);
        Ok(kept.map_or((collider.position, collider.rotation), |motion| (motion.position, motion.rotation)))
    }

    /// How a collider moves [m/s, rad/s], or will once it is shown.
    ///
    /// # Errors
    /// As [`Solver::set_collider_present`].
    pub(crate) fn collider_velocity(&self, id: ColliderId) -> Result<(Vec3, Vec3), SolverError> {
        let collider = &self.scene.colliders[self.collider_index(id)?];
        let kept = self.hidden.get(&id);
        let shown = (collider.velocity, collider.angular_velocity);
        Ok(kept.map_or(shown, |motion| (motion.velocity, motion.angular_velocity)))
    }

    /// The particles that are pinned.
    pub(crate) fn pinned(&self) -> impl Iterator<Item = Pinned> {
        self.pins.iter().map(|(particle, holder)| Pinned { particle: ParticleId(*particle), holder: *holder })
    }

    /// Whether a particle waits for cloth that tears, or has come from there.
    pub(in crate::solver) fn is_spare(&self, particle: usize) -> bool {
        self.scene.deformables.iter().any(|extent| extent.spares().contains(&(particle as u32)))
    }

    /// Keeps the inverse mass of a particle that is to be pinned, or puts it back: where cloth tears, the GPU alone knows it.
    fn keep_inverse(&self, particle: usize, keep: bool) -> Result<(), SolverError> {
        let (velocities, kept) = (self.buffers.get("particle_velocities")?, self.buffers.get("tear_inverses")?);
        if self.buffers.len("tear_inverses") == 0 {
            return Ok(());
        }
        let (there, here) = (16 * particle as u64 + 12, 4 * particle as u64);
        self.context.run("keep inverse", |encoder| match keep {
            true => encoder.copy_buffer_to_buffer(velocities, there, kept, here, 4),
            false => encoder.copy_buffer_to_buffer(kept, here, velocities, there, 4),
        });
        Ok(())
    }

    /// Lets the first cloth that tears of a world know the inverse masses of what is pinned.
    pub(in crate::solver) fn keep_pinned(&self, before: &Torn, buffers: &Buffers) -> Result<(), GpuError> {
        let pinned = self.pins.keys().map(|particle| *particle as usize);
        let mut pinned = pinned.filter(|i| !before.keeps_inverse(*i) && *i < buffers.len("tear_inverses"));
        pinned.try_for_each(|i| buffers.upload("tear_inverses", i, &[1.0 / self.scene.particles[i].mass]))
    }

    pub(super) fn pinnable(&self, particle: ParticleId) -> Result<usize, SolverError> {
        let (index, count) = (particle.0 as usize, self.scene.particles.len());
        if index >= count {
            return Err(SolverError::Missing { what: "particle", index, count });
        }
        if !self.scene.deformables.iter().any(|extent| extent.has_particle(particle.0)) {
            return Err(SolverError::CannotPin(particle, "it is of no cloth, flesh or rope; hold a body by a joint"));
        }
        if self.scene.particles[index].mass == 0.0 && !self.is_spare(index) {
            return Err(SolverError::CannotPin(particle, "it was made without a mass, and is held for ever"));
        }
        if self.scene.absent().any(|part| part.particles.contains(&particle.0)) {
            return Err(SolverError::CannotPin(particle, "its copy of a pool is not in the world"));
        }
        if self.scene.attachments.iter().any(|attachment| attachment.particle == particle)
            || self.added.attachments.hold(particle)
        {
            return Err(SolverError::CannotPin(
                particle,
                "it is fastened to a body, and goes where that goes; move the body",
            ));
        }
        let known = !self.is_spare(index) || self.pins.contains_key(&particle.0);
        if !known && self.constraints.tears.waits(&self.buffers, particle.0)? {
            let why = "it waits for cloth to tear, and is not in the world yet; pin it once `read_triangles` names it";
            return Err(SolverError::CannotPin(particle, why));
        }
        Ok(index)
    }

    /// What the objects of these particles know of what holds them: they are not free with a pin, whose particle has no mass,
    /// nor where something is fastened.
    pub(super) fn write_holders(&self, particles: &BTreeSet<u32>) -> Result<(), SolverError> {
        if particles.is_empty() {
            return Ok(());
        }
        let objects = &self.constraints.objects;
        let fastened: BTreeSet<u32> = self.added.attachments.present().map(|(_, own)| own.particle.0).collect();
        for (place, row) in objects.rows.iter().enumerate() {
            let slices = &objects.slices[row.first as usize..(row.first + row.count) as usize];
            let members = || {
                let of = |first: u32, count: u32| &objects.members[first as usize..(first + count) as usize];
                slices.iter().flat_map(move |slice| of(slice.first, slice.count)).map(|member| member.particle)
            };
            if !members().any(|particle| particles.contains(&particle)) {
                continue;
            }
            let pinned = || members().filter(|particle| self.pins.contains_key(particle));
            let held: f32 = pinned().map(|particle| self.scene.particles[particle as usize].mass).sum();
            let is_held = pinned().next().is_some() || members().any(|particle| fastened.contains(&particle));
            let (mass, free) = ((row.mass - held).max(f32::MIN_POSITIVE), if is_held { 0 } else { row.free });
            self.buffers.upload("objects", place, &[ObjectRow { mass, free, ..*row }])?;
        }
        Ok(())
    }

    /// After all buffers were made anew.
    pub(in crate::solver) fn pin_again(&self) {
        if let Err(error) = self.write_holders(&self.pins.keys().copied().collect()) {
            log::error!("{error}");
        }
    }

    /// Lets go of what is pinned of a copy of a pool, when it leaves the world.
    pub(super) fn forget_pins(&mut self, particles: &Range<u32>) {
        let pinned: BTreeSet<u32> = self.pins.range(particles.clone()).map(|(particle, _)| *particle).collect();
        pinned.iter().for_each(|particle| _ = self.pins.remove(particle));
        if let Err(error) = self.write_holders(&pinned) {
            log::error!("{error}");
        }
    }
}
