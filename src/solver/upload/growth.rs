//! Lists that overflow, or soon may, get more room while the world runs: they alone are made anew, what they hold goes along on the GPU,
//! and nothing waits.

use crate::gpu::wgsl::common::contact::Contact;
use crate::gpu::wgsl::narrow_phase::widen::Widening;
use crate::gpu::{BoundKernel, Buffers, GpuError, Resource};
use crate::solver::readback::health::LATENCY;
use crate::solver::stages::ground::Room;
use crate::solver::stages::narrow_phase::{self, WIDEN};
use crate::solver::stages::rows::Control;
use crate::solver::stages::stage::Pass;
use crate::solver::stages::{events, fluid};
use crate::solver::{Dropped, Solver, SolverError};

/// A kernel with the buffers that a pass gives it.
#[derive(Debug)]
pub(in crate::solver) struct Bound {
    pub(in crate::solver) pass: &'static Pass,
    pub(in crate::solver) kernel: BoundKernel,
}

impl Solver {
    /// Gives lists that overflowed, or soon may, more room, by the counters of `LATENCY` frames ago.
    pub(in crate::solver) fn grow(&mut self, control: &Control) {
        if self.frame < self.lists_since + LATENCY {
            // They speak of lists that are gone.
            return;
        }
        let mut room = self.room;
        let world = &self.stages.particles.world;
        narrow_phase::grow(control, &mut room, &self.context, world, self.reverse_slots());
        self.stages.contacts.grow(control, &mut room, &self.context);
        self.stages.surfaces.grow(control, &mut room, &self.context);
        fluid::Stage::grow(control, &mut room);
        if room == self.room || self.refused_room == Some(room) {
            return;
        }
        log::info!(
            "lists are full or soon may be, and get more room: {room:?}; no room had: {}",
            Dropped::from(control)
        );
        if let Err(error) = self.make_room(room) {
            log::error!("the contact lists cannot grow, so contacts are lost: {error}");
            // What the device has refused is not asked for in every frame.
            self.refused_room = Some(room);
        }
    }

    /// Slots of all bodies for contacts that others own, before they are multiplied.
    fn reverse_slots(&self) -> u32 {
        self.buffers.len("reverse_contacts") as u32 / self.room.reverse_factor
    }

    /// Makes the lists anew that have other room, and binds what reads or writes them. What is found is found again in the next frame.
    ///
    /// # Errors
    /// [`SolverError::Gpu`] when the device refuses; then the lists are what they were.
    pub(in crate::solver) fn make_room(&mut self, room: Room) -> Result<(), SolverError> {
        if room == self.room {
            return Ok(());
        }
        let mut lists = self.lists(&room)?;
        self.buffers.exchange(&mut lists);
        let bound = self.bound_to(&lists).and_then(|bound| self.carry(&lists, &room).map(|()| bound));
        self.carry_loads(&lists);
        let bound = bound.inspect_err(|_| self.buffers.exchange(&mut lists))?;
        self.bound.extend(bound.into_iter().map(|bound| (bound.pass.name, bound)));
        self.stages.fluid.write_room(&self.buffers, room.liquid_neighbors)?;
        self.room = room;
        self.lists_since = self.frame;
        self.search_again()
    }

    /// The lists that have other room, empty.
    fn lists(&self, room: &Room) -> Result<Buffers, GpuError> {
        let (now, stages) = (&self.room, &self.stages);
        let mut b = Buffers::new(&self.context);
        if room.contacts != now.contacts {
            narrow_phase::create_contacts(&mut b, &stages.particles.world, room)?;
        }
        if room.reverse_factor != now.reverse_factor {
            narrow_phase::create_reverse(&mut b, (self.reverse_slots() * room.reverse_factor) as usize)?;
        }
        if room.manifolds != now.manifolds {
            stages.contacts.create_manifolds(&mut b, room.manifolds)?;
            if stages.events.listened > 0 {
                events::create_pairs(&mut b, self.scene.bodies.len(), room.manifolds)?;
            }
        }
        if room.surface_pairs != now.surface_pairs {
            stages.surfaces.create_lists(&mut b, room.surface_pairs)?;
        }
        if room.liquid_neighbors != now.liquid_neighbors {
            stages.fluid.create_neighbors(&mut b, room.liquid_neighbors)?;
        }
        Ok(b)
    }

    /// What was bound to these lists, bound to those that have taken their places.
    fn bound_to(&self, lists: &Buffers) -> Result<Vec<Bound>, GpuError> {
        let concerned = self.bound.values().filter(|bound| lists.names().any(|name| bound.kernel.is_bound_to(name)));
        concerned.map(|bound| self.bind(bound.pass)).collect()
    }

    /// Binds a pass to the buffers that there are now.
    pub(in crate::solver) fn bind(&self, pass: &'static Pass) -> Result<Bound, GpuError> {
        let kernel = &self.kernels.compiled[pass.kernel];
        Ok(Bound { pass, kernel: kernel.bind_as(&self.context, &self.buffers, pass.name, pass.renamed)? })
    }

    /// Copies what free particles bore.
    fn carry_loads(&self, lists: &Buffers) {
        let (Ok(before), Ok(now)) = (lists.get("loads"), self.buffers.get("loads")) else { return };
        let lasting = self.stages.contacts.lasting_loads();
        self.context.run("carry loads", |encoder| encoder.copy_buffer_to_buffer(before, 0, now, 0, lasting));
    }

    /// Copies contacts, with the impulses and grips that they have, from lists that were made for the present room. All other lists a
    /// search makes.
    fn carry(&self, lists: &Buffers, room: &Room) -> Result<(), GpuError> {
        let Ok(before) = lists.get("contacts") else { return Ok(()) };
        let world = &self.stages.particles.world;
        let (now, particles) = (self.buffers.get("contacts")?, u64::from(world.particles));
        let bytes = |slots: u32| u64::from(slots) * particles * size_of::<Contact>() as u64;
        let row = Widening {
            particle_count: world.particles,
            capacity_before: self.room.contacts,
            capacity: room.contacts,
            slots_before: world.contact_slots(self.room.contacts),
            slots: world.contact_slots(room.contacts),
        };
        let mut told = Buffers::new(&self.context);
        told.create_uniform("widening", &[row])?;
        let given = |name| self.buffers.get(name).map(Resource::from);
        let targets = [
            ("widening", told.get("widening")?.into()),
            ("contact_targets_before", lists.get("contact_targets")?.into()),
            ("contact_targets", given("contact_targets")?),
        ];
        let widen = self.kernels.compiled[WIDEN.kernel].bind_to(&self.context, &targets)?;
        self.context.run("carry contacts", |encoder| {
            let kept = bytes(row.capacity_before.min(row.capacity));
            encoder.copy_buffer_to_buffer(before, 0, now, 0, kept);
            // Those with colliders come last.
            let (from, to) = (bytes(row.capacity_before), bytes(row.capacity));
            encoder.copy_buffer_to_buffer(before, from, now, to, bytes(world.contact_slots(0)));
            widen.dispatch(&mut encoder.begin_compute_pass(&Default::default()), world.particles, 0);
        });
        Ok(())
    }
}
