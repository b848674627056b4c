//! Contacts solved: between bodies by manifolds, Gauss–Seidel inside one and Jacobi over all (Tonge et al. 2012), and those of free
//! particles, Jacobi.

use super::ground::{NO_ENTRIES, World, list_rows};
use super::stage::{Frame, List, Pass, Trigger};
use crate::gpu::wgsl::common::contact::{
    COLLIDER_SLOTS, MANIFOLD_SLOTS, Manifold, ManifoldImpulse, TOUCHING_MANIFOLDS, TOUCHING_PARTICLES, TOUCHING_WORLD,
};
use crate::gpu::wgsl::contacts::collide::ColliderGrip;
use crate::gpu::wgsl::contacts::gap::ColliderGap;
use crate::gpu::wgsl::contacts::near_colliders::NEAR_CLASS;
use crate::gpu::{Buffers, GpuError, wgpu::BufferUsages};

static BUILD_MANIFOLDS: Pass = Pass::new("contacts/build_manifolds");
static LINK_MANIFOLDS: Pass = Pass::new("contacts/link_manifolds");
static LET_GO: Pass = Pass::new("contacts/let_go");
static SOLVE_MANIFOLDS: Pass = Pass::new("contacts/solve_manifolds");
static SOLVE_WORLD: Pass = Pass::new("contacts/solve_world");
static SOLVE_PARTICLES: Pass = Pass::new("contacts/solve_particles");
static APPLY_BODIES: Pass = Pass::new("contacts/apply_bodies");
static APPLY_PARTICLES: Pass = Pass::new("contacts/apply_particles");
static COLLIDE: Pass = Pass::new("contacts/collide");

/// Contacts in a frame.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Stage {
    pub(super) world: World,
}

impl Stage {
    /// Gathers contacts between bodies into manifolds, after a search.
    pub(super) fn search(&self, f: &mut Frame) {
        f.run_when(Trigger::Contacts, &BUILD_MANIFOLDS, self.world.bodies);
        f.run_when(Trigger::Contacts, &LINK_MANIFOLDS, self.world.bodies);
    }

    /// Lets go of held bodies that something strikes too hard; there are so many groups of them.
    pub(super) fn let_go(&self, f: &mut Frame, groups: u32) {
        if self.world.bodies > 1 && groups > 0 {
            f.run_listed(&LET_GO, List::of("loads", TOUCHING_MANIFOLDS));
        }
    }

    /// Solves the contacts of bodies with one another and with colliders.
    pub(super) fn solve_manifolds(&self, f: &mut Frame) {
        if self.world.bodies > 1 {
            f.run_listed(&SOLVE_MANIFOLDS, List::of("loads", TOUCHING_MANIFOLDS));
        }
        if self.world.bodies > 0 && self.world.colliders > 0 {
            f.run_listed(&SOLVE_WORLD, List::of("loads", TOUCHING_WORLD));
        }
    }

    /// Solves the contacts of free particles.
    pub(super) fn solve_particles(&self, f: &mut Frame) {
        if self.world.free_meeting() > 0 {
            f.run_listed(&SOLVE_PARTICLES, List::of("loads", TOUCHING_PARTICLES));
        }
    }

    /// Moves bodies and free particles by what was found.
    pub(super) fn apply(&self, f: &mut Frame) {
        f.run(&APPLY_BODIES, self.world.bodies);
        f.run(&APPLY_PARTICLES, self.world.free_meeting());
    }

    /// Keeps free particles out of colliders, which have the last word.
    pub(super) fn collide(&self, f: &mut Frame) {
        f.run(&COLLIDE, if self.world.colliders > 0 { self.world.free() } else { 0 });
    }

    /// Makes the buffers of manifolds and loads; bodies have so many particles in all, and particles these phases.
    pub(super) fn create(
        &self,
        b: &mut Buffers,
        links: usize,
        phases: impl Iterator<Item = u32>,
    ) -> Result<(), GpuError> {
        let (bodies, none) = (self.world.bodies as usize, BufferUsages::empty());
        b.create::<u32>("world_contacts", links * COLLIDER_SLOTS as usize, none)?; // contacts of each body with colliders
        b.create::<Manifold>("manifolds", bodies * MANIFOLD_SLOTS as usize, none)?; // [body_count * MANIFOLD_SLOTS]
        b.create::<ManifoldImpulse>("manifold_impulses", bodies * MANIFOLD_SLOTS as usize, none)?; // [body_count * MANIFOLD_SLOTS]
        // Counts, then entries of three lists, then what each free particle bore: `touch_count` of common/contact.
        let World { bodies, particles, meets, .. } = self.world;
        let words = bodies * (2 + MANIFOLD_SLOTS + MANIFOLD_SLOTS / 2) + if meets { 3 * particles } else { 0 };
        b.create::<u32>("loads", list_rows::<u32>(3, words as usize), BufferUsages::INDIRECT)?;
        b.upload("loads", 0, bytemuck::cast_slice::<_, u32>(&[NO_ENTRIES; 3]))?;
        let [gaps, grips] = [self.world.free(), self.world.grip_slots * self.world.free()].map(|n| n as usize);
        b.create::<ColliderGap>("collider_gaps", gaps, none)?; // [particle_count] what each knows of colliders
        if self.world.layers && gaps > 0 {
            let near: Vec<_> =
                phases.map(|phase| ColliderGap { near: phase & NEAR_CLASS, ..ColliderGap::default() }).collect();
            b.upload("collider_gaps", 0, &near)?;
        }
        b.create::<ColliderGrip>("collider_grips", grips, none) // [grip_slots * particle_count] friction on colliders
    }
}
