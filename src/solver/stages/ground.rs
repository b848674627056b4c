//! What all stages of the solver stand on: the sizes of the world, what may grow, lists that the GPU makes, hash grids.

use serde::{Deserialize, Serialize};

use crate::gpu::Context;
use crate::gpu::wgsl::common::contact::COLLIDER_SLOTS;
use crate::gpu::wgsl::common::list::ListHead;
pub(in crate::solver) use crate::gpu::wgsl::common::params::NONE;
pub(in crate::solver) use crate::gpu::wgsl::common::scan::{SCAN_BLOCK, SCAN_EACH, SCAN_THREADS};
use crate::scene::Scene;

/// Head of a list without entries: groups x y z to dispatch over it, and its length.
pub(super) const NO_ENTRIES: ListHead = ListHead { groups: [0, 1, 1], count: 0 };
/// Rows of a buffer that begins with the heads of lists, for so many entries in all. WGSL rounds such a buffer up to the alignment
/// of its heads, even when it is empty.
pub(super) fn list_rows<T>(heads: usize, entries: usize) -> usize {
    heads * size_of::<ListHead>() / size_of::<T>() + entries.max(size_of::<ListHead>() / size_of::<T>())
}

/// Most substeps of a frame: rows of `batch` before those of the colors.
pub(in crate::solver) const MOST_SUBSTEPS: usize = 64;

/// How many of everything there are that several stages work on.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::solver) struct World {
    pub(in crate::solver) particles: u32,
    /// Particles of no body.
    pub(in crate::solver) free_particles: u32,
    pub(in crate::solver) bodies: u32,
    pub(in crate::solver) colliders: u32,
    /// Whether anything can meet but colliders: there are bodies, or free particles that meet one another as balls.
    pub(in crate::solver) meets: bool,
    /// Colliders and triangles that friction can hold a free particle to.
    pub(in crate::solver) grip_slots: u32,
    /// Kinds of shapes of bodies and colliders, as bits.
    pub(in crate::solver) shapes: u32,
    /// Whether any particle is in the air.
    pub(in crate::solver) sails: bool,
    /// Whether what constraints join is of the second order.
    pub(in crate::solver) second_order: bool,
    /// Whether there is any surface to meet.
    pub(in crate::solver) surfaces: bool,
    /// Threads that run at once: of a workgroup whose threads take row after row.
    pub(in crate::solver) lanes: u32,
    /// Whether any joint has a limiter, which another meets.
    pub(in crate::solver) limiters: bool,
    /// Whether some things pass through others by their layers, some body cannot move along some axis or turn about it, and objects differ in
    /// friction.
    pub(in crate::solver) tells: Tells,
    /// Whether some colliders hold from one side only.
    pub(in crate::solver) one_way: bool,
    /// Whether some body is a ball.
    pub(in crate::solver) rolls: bool,
    /// Whether some body has rings of particles about its axis.
    pub(in crate::solver) rings: bool,
    /// Whether joints close loops that a tree does not hold.
    pub(in crate::solver) loops: bool,
    /// Whether some joint lets its points part.
    pub(in crate::solver) travels: bool,
    /// Whether some cloth tears.
    pub(in crate::solver) tears: bool,
    /// Whether what is in liquid differs in size or mass.
    pub(in crate::solver) mixed: bool,
    /// Largest particle radius [m].
    pub(in crate::solver) radius: f32,
}

/// What kernels tell apart only once something in the world asks for it, and from then on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(in crate::solver) struct Tells {
    pub(in crate::solver) layers: bool,
    pub(in crate::solver) locks: bool,
    pub(in crate::solver) frictions: bool,
}

impl Tells {
    /// What this scene asks for, and what was told before.
    pub(in crate::solver) fn with(self, scene: &Scene) -> Self {
        Self {
            layers: self.layers || !scene.layers.is_empty(),
            locks: self.locks || scene.bodies.iter().any(|body| body.dynamics.is_locked()),
            frictions: self.frictions || scene.deformables.iter().any(|extent| extent.friction.is_some()),
        }
    }
}

impl World {
    /// Threads of a pass over free particles: as many as there are particles, or none.
    pub(in crate::solver) fn free(&self) -> u32 {
        if self.free_particles > 0 { self.particles } else { 0 }
    }

    /// Threads of a pass over free particles that may meet more than colliders.
    pub(super) fn free_meeting(&self) -> u32 {
        if self.meets { self.free() } else { 0 }
    }

    /// The value of an `override` constant of a kernel.
    pub(in crate::solver) fn constant(&self, name: &str) -> Option<f64> {
        match name {
            "SHAPES" => Some(self.shapes.into()),
            "GRIP_SLOTS" => Some(self.grip_slots.into()),
            "SECOND_ORDER" => Some(u32::from(self.second_order).into()),
            "SAILS" => Some(u32::from(self.sails).into()),
            "FREE" => Some(u32::from(self.free_meeting() > 0).into()),
            "BALLS" => Some(u32::from(self.free_meeting() > 0 || self.limiters).into()),
            "TEARS" => Some(u32::from(self.tears).into()),
            "MIXED" => Some(u32::from(self.mixed).into()),
            "LOCKS" => Some(u32::from(self.tells.locks).into()),
            "ROLLS" => Some(u32::from(self.rolls).into()),
            "RINGS" => Some(u32::from(self.rings).into()),
            "FRICTIONS" => Some(u32::from(self.tells.frictions).into()),
            "LAYERS" => Some(u32::from(self.tells.layers).into()),
            "ONE_WAY" => Some(u32::from(self.one_way).into()),
            "LOOPS" => Some(u32::from(self.loops).into()),
            "TRAVELS" => Some(u32::from(self.travels).into()),
            "LANES" => Some(self.lanes.into()),
            "SURFACES" => Some(u32::from(self.surfaces).into()),
            _ => None,
        }
    }

    /// Contact slots of a particle, so many of them against bodies and particles.
    pub(in crate::solver) fn contact_slots(&self, others: u32) -> u32 {
        if self.bodies > 0 && self.colliders > 0 { others + COLLIDER_SLOTS } else { others }
    }

    /// Threads of a pass over particles of bodies.
    pub(in crate::solver) fn on_bodies(&self) -> u32 {
        if self.bodies > 0 { self.particles } else { 0 }
    }
}

/// Room in lists whose length is known only while they are made. Each stage says how its own grow.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(in crate::solver) struct Room {
    /// Contacts of a particle with bodies and particles.
    pub(in crate::solver) contacts: u32,
    /// Times what a body's list of contacts that other particles own is expected to need.
    pub(in crate::solver) reverse_factor: u32,
    /// Pairs of a body with others, and one with the world.
    pub(in crate::solver) manifolds: u32,
    /// Pairs of features of surfaces, in all.
    pub(in crate::solver) surface_pairs: u32,
    /// Neighbors of a particle of liquid.
    pub(in crate::solver) liquid_neighbors: u32,
}

/// Threads that an adapter runs at once. A software adapter takes the threads of a workgroup in bundles of so many, and each bundle
/// that has nothing left to do as long as one that has.
pub(in crate::solver) fn lanes(context: &Context) -> u32 {
    if context.info().kind == "software" { 8 } else { 32 }
}

/// Rows of this size that a binding of the device can hold.
pub(super) fn most_rows(context: &Context, row: usize) -> usize {
    context.device.limits().max_storage_buffer_binding_size as usize / row
}

/// Hash buckets for so many rows: about two each, a power of two, whole scan blocks.
pub(in crate::solver) fn cell_count(rows: usize) -> u32 {
    (2 * rows as u32).next_power_of_two().max(SCAN_BLOCK)
}
