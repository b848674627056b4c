//! Contacts solved: between bodies by manifolds, Gauss–Seidel inside one and Jacobi over all (Tonge et al. 2012), and those of free
//! particles, Jacobi.

use super::ground::{NO_ENTRIES, Room, World, list_rows, most_rows};
use super::rows::Control;
use super::stage::{Frame, List, Pass, Trigger};
use crate::gpu::wgsl::common::contact::{
    COLLIDER_SLOTS, FIRST_MANIFOLD_SLOTS, Manifold, ManifoldImpulse, TOUCHING_MANIFOLDS, TOUCHING_PARTICLES,
    TOUCHING_WORLD,
};
use crate::gpu::wgsl::common::list::ListHead;
use crate::gpu::wgsl::contacts::collide::ColliderGrip;
use crate::gpu::wgsl::contacts::gap::ColliderGap;
use crate::gpu::wgsl::contacts::near_colliders::NEAR_CLASS;
use crate::gpu::{Buffers, Context, GpuError, wgpu::BufferUsages};

static BUILD_MANIFOLDS: Pass = Pass::new("contacts/build_manifolds");
static LINK_MANIFOLDS: Pass = Pass::new("contacts/link_manifolds");
static LET_GO: Pass = Pass::new("contacts/let_go");
static LOSE_GRIPS: Pass = Pass::new("contacts/lose_grips");
static SOLVE_MANIFOLDS: Pass = Pass::new("contacts/solve_manifolds");
static SOLVE_WORLD: Pass = Pass::new("contacts/solve_world");
static SOLVE_PARTICLES: Pass = Pass::new("contacts/solve_particles");
static APPLY_BODIES: Pass = Pass::new("contacts/apply_bodies");
static APPLY_PARTICLES: Pass = Pass::new("contacts/apply_particles");
static COLLIDE: Pass = Pass::new("contacts/collide");

/// Bytes of pairs of bodies that a small world may take from the start.
const FIRST_BYTES: u32 = 4 << 20;

/// Contacts in a frame.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::solver) struct Stage {
    pub(in crate::solver) world: World,
}

impl Stage {
    /// Gathers contacts between bodies into manifolds, after a search.
    pub(in crate::solver) fn search(&self, f: &mut Frame) {
        f.run_when(Trigger::Contacts, &BUILD_MANIFOLDS, self.world.bodies);
        f.run_when(Trigger::Contacts, &LINK_MANIFOLDS, self.world.bodies);
    }

    /// Takes the grips of what the host has put elsewhere.
    pub(in crate::solver) fn lose_grips(&self, f: &mut Frame) {
        f.run(&LOSE_GRIPS, self.world.on_bodies());
    }

    /// Lets go of held bodies that something strikes too hard; there are so many groups of them.
    pub(in crate::solver) fn let_go(&self, f: &mut Frame, groups: u32) {
        if self.world.bodies > 1 && groups > 0 {
            f.run_listed(&LET_GO, List::of("loads", TOUCHING_MANIFOLDS));
        }
    }

    /// Solves the contacts of bodies with one another and with colliders.
    pub(in crate::solver) fn solve_manifolds(&self, f: &mut Frame) {
        if self.world.bodies > 1 {
            f.run_listed(&SOLVE_MANIFOLDS, List::of("loads", TOUCHING_MANIFOLDS));
        }
        if self.world.bodies > 0 && self.world.colliders > 0 {
            f.run_listed(&SOLVE_WORLD, List::of("loads", TOUCHING_WORLD));
        }
    }

    /// Solves the contacts of free particles.
    pub(in crate::solver) fn solve_particles(&self, f: &mut Frame) {
        if self.world.free_meeting() > 0 {
            f.run_listed(&SOLVE_PARTICLES, List::of("loads", TOUCHING_PARTICLES));
        }
    }

    /// Moves bodies and free particles by what was found.
    pub(in crate::solver) fn apply(&self, f: &mut Frame) {
        f.run(&APPLY_BODIES, self.world.bodies);
        f.run(&APPLY_PARTICLES, self.world.free_meeting());
    }

    /// Keeps free particles out of colliders, which have the last word.
    pub(in crate::solver) fn collide(&self, f: &mut Frame) {
        f.run(&COLLIDE, if self.world.colliders > 0 { self.world.free() } else { 0 });
    }

    /// Makes the buffers of manifolds and loads; bodies have so many particles in all, and particles these phases.
    pub(in crate::solver) fn create(
        &self,
        b: &mut Buffers,
        links: usize,
        phases: impl Iterator<Item = u32>,
        slots: u32,
    ) -> Result<(), GpuError> {
        let none = BufferUsages::empty();
        b.create::<u32>("world_contacts", links * COLLIDER_SLOTS as usize, none)?; // contacts of each body with colliders
        self.create_manifolds(b, slots)?;
        let [gaps, grips] = [self.world.free(), self.world.grip_slots * self.world.free()].map(|n| n as usize);
        b.create::<ColliderGap>("collider_gaps", gaps, none)?; // [particle_count] what each knows of colliders
        if self.world.tells.layers && gaps > 0 {
            let near: Vec<_> =
                phases.map(|phase| ColliderGap { near: phase & NEAR_CLASS, ..ColliderGap::default() }).collect();
            b.upload("collider_gaps", 0, &near)?;
        }
        b.create::<ColliderGrip>("collider_grips", grips, none) // [grip_slots * particle_count] friction on colliders
    }

    /// Makes the lists of pairs of bodies, with so many slots a body, and of what touches; empty.
    pub(in crate::solver) fn create_manifolds(&self, b: &mut Buffers, slots: u32) -> Result<(), GpuError> {
        let World { bodies, particles, meets, .. } = self.world;
        let (slots, bodies, none) = (slots as usize, bodies as usize, BufferUsages::empty());
        b.create::<Manifold>("manifolds", bodies * slots, none)?; // [body_count * manifold_slots]
        b.create::<ManifoldImpulse>("manifold_impulses", bodies * slots, none)?; // [body_count * manifold_slots]
        // Counts, what each free particle bore, then entries of three lists: `touch_count` of common/contact.
        let words = 2 * bodies + bodies * slots + bodies * slots / 2 + if meets { 3 * particles as usize } else { 0 };
        b.create::<u32>("loads", list_rows::<u32>(3, words), BufferUsages::INDIRECT)?;
        b.upload("loads", 0, bytemuck::cast_slice::<_, u32>(&[NO_ENTRIES; 3]))
    }

    /// Bytes of `loads` that do not depend on the slots of bodies.
    pub(in crate::solver) fn lasting_loads(&self) -> u64 {
        let World { bodies, particles, meets, .. } = self.world;
        let words = bodies + if meets { 2 * particles } else { 0 };
        (3 * size_of::<ListHead>() + 4 * words as usize) as u64
    }

    /// Slots for pairs of a body at the start: in a small world for all that there are.
    pub(in crate::solver) fn first_slots(&self, context: &Context) -> u32 {
        let bodies = self.world.bodies.max(1);
        let fitting = FIRST_BYTES / (bodies * size_of::<ManifoldImpulse>() as u32);
        (bodies + 1).min(fitting).max(FIRST_MANIFOLD_SLOTS).min(self.most_slots(context))
    }

    /// Slots for pairs of a body that the device can hold, and no more than can be taken.
    fn most_slots(&self, context: &Context) -> u32 {
        let bodies = self.world.bodies.max(1);
        let fitting = most_rows(context, size_of::<ManifoldImpulse>()) as u32 / bodies;
        (bodies + 1).max(FIRST_MANIFOLD_SLOTS).min(fitting.max(1))
    }

    /// Gives bodies more slots for pairs where one has filled its own, or soon may.
    pub(in crate::solver) fn grow(&self, control: &Control, room: &mut Room, context: &Context) {
        let most = self.most_slots(context);
        if 4 * control.manifolds_most > 3 * room.manifolds && room.manifolds < most {
            room.manifolds = room.manifolds.saturating_mul(2).max(control.manifolds_most / 3 * 4).min(most);
        }
    }
}
