//! Sleep of assemblies of bodies and of grains: what has stayed in place for long rests until something near it moves.

use glam::Vec3;

use super::ground::World;
use super::rows::ParticleRow;
use super::stage::{Frame, Pass};
use crate::gpu::{Buffers, GpuError, wgpu::BufferUsages};
use crate::scene::{Scene, is_stored};

static WAKE_BODIES: Pass = Pass::new("sleep/wake_bodies");
static WAKE_PARTICLES: Pass = Pass::new("sleep/wake_particles");
static WAKE_LEFT_BODIES: Pass = Pass::new("sleep/wake_left_bodies");
static WAKE_LEFT_PARTICLES: Pass = Pass::new("sleep/wake_left_particles");
static BODIES: Pass = Pass::new("sleep/bodies");
static STIR: Pass = Pass::new("sleep/stir");
static PARTICLES: Pass = Pass::new("sleep/particles");

/// Words of `stirred` for each bucket of the grid, and the least in all: so many that two places seldom share both of theirs.
const STIRRED_WORDS: usize = 16;
const LEAST_STIRRED: usize = 1 << 16;

/// Sleep in a frame.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::solver) struct Stage {
    pub(in crate::solver) world: World,
    /// Sets of bodies that joints tie together.
    pub(in crate::solver) assemblies: u32,
    /// Grains that may sleep.
    pub(in crate::solver) grains: u32,
    pub(in crate::solver) proxies: u32,
    /// Buckets of the hash grid of proxies.
    pub(in crate::solver) cells: u32,
}

impl Stage {
    /// Wakes everything, after an edit by the host.
    pub(in crate::solver) fn wake(&self, f: &mut Frame) {
        f.run(&WAKE_BODIES, self.world.bodies);
        f.run(&WAKE_PARTICLES, self.particles());
    }

    /// Wakes what is tied to bodies that the host has posed, and what was near them.
    pub(in crate::solver) fn wake_left(&self, f: &mut Frame) {
        f.run(&WAKE_LEFT_BODIES, self.world.bodies);
        f.run(&WAKE_LEFT_PARTICLES, self.particles());
    }

    /// Lets assemblies sleep or wake, at the end of a frame.
    pub(in crate::solver) fn sleep_bodies(&self, f: &mut Frame) {
        f.run(&BODIES, self.assemblies);
    }

    /// Lets grains sleep or wake, at the end of a frame.
    pub(in crate::solver) fn sleep_grains(&self, f: &mut Frame) {
        f.run(&STIR, if self.grains > 0 { self.proxies } else { 0 });
        f.run(&PARTICLES, self.particles());
    }

    fn particles(&self) -> u32 {
        if self.grains > 0 { self.world.particles } else { 0 }
    }
}

/// Rows that follow from the scene.
pub(in crate::solver) struct Tables {
    /// First body of each assembly in `bodies`, then the end.
    starts: Vec<u32>,
    bodies: Vec<u32>,
}

impl Tables {
    /// `assemblies` has that of each body.
    pub(in crate::solver) fn new(assemblies: &[u32]) -> Self {
        let (starts, bodies) = group(assemblies);
        Self { starts, bodies }
    }

    /// How many assemblies there are.
    pub(in crate::solver) fn assemblies(&self) -> u32 {
        self.starts.len() as u32 - 1
    }

    /// Writes other assemblies of the same bodies, no more than there were.
    pub(in crate::solver) fn upload(&self, b: &Buffers) -> Result<(), GpuError> {
        b.upload("assembly_starts", 0, &self.starts)?;
        b.upload("assembly_bodies", 0, &self.bodies)
    }

    /// Makes the buffers of sleep.
    pub(in crate::solver) fn create(&self, b: &mut Buffers, stage: &Stage) -> Result<(), GpuError> {
        let none = BufferUsages::empty();
        b.create_with("assembly_starts", &self.starts)?; // [assembly_count + 1] ranges of assembly_bodies
        b.create_with("assembly_bodies", &self.bodies)?; // [body_count]
        b.create::<[f32; 4]>("particle_rests", stage.particles() as usize, none)?; // [particle_count] place near which it stays [m], of grains how long [s]
        let words = (STIRRED_WORDS * stage.cells as usize).max(LEAST_STIRRED);
        b.create::<u32>("stirred", if stage.grains > 0 { words } else { 0 }, none) // when something last moved in a cell, a power of two: `sleep/rest`
    }
}

/// Marks the grains that may sleep: those that nothing joins to others. `displaces` is what each particle takes of liquid.
pub(in crate::solver) fn mark_sleepers(scene: &Scene, rows: &mut [ParticleRow], displaces: &[f32]) {
    let mut lone = vec![false; scene.particles.len()];
    let blocks = scene.grains.iter().flat_map(|grains| &grains.blocks);
    blocks.for_each(|block| lone[block.start as usize..block.end as usize].fill(true));
    let joined = scene.constraints.iter().flat_map(|row| row.particles);
    let global = scene.global_constraints.iter().flat_map(|row| row.joined());
    for i in joined.chain(global).chain(scene.attachments.iter().map(|a| a.particle.0)) {
        // Unused places of a constraint name no particle.
        if let Some(lone) = lone.get_mut(i as usize) {
            *lone = false;
        }
    }
    for (i, particle) in scene.particles.iter().enumerate() {
        if lone[i] && displaces[i] == 0.0 && particle.mass > 0.0 {
            rows[i].sleeper = 1.0 / particle.mass;
        }
    }
}

/// Gives grains that slept their mass again, those too that the scene lets sleep no more.
pub(in crate::solver) fn wake(scene: &Scene, positions: &[[f32; 4]], velocities: &mut [[f32; 4]]) {
    for i in scene.grains.iter().flat_map(|grains| grains.blocks.iter().flat_map(Clone::clone)) {
        let i = i as usize;
        let ([x, y, z, _], mass) = (positions[i], scene.particles[i].mass);
        if mass > 0.0 && velocities[i][3] == 0.0 && !is_stored(Vec3::new(x, y, z)) {
            velocities[i][3] = 1.0 / mass;
        }
    }
}

/// Members of each group, groups in order of their label: starts (one more than groups) and members.
fn group(labels: &[u32]) -> (Vec<u32>, Vec<u32>) {
    let mut members: Vec<u32> = (0..labels.len() as u32).collect();
    members.sort_by_key(|i| labels[*i as usize]);
    let mut starts = Vec::new();
    for (place, i) in members.iter().enumerate() {
        if place == 0 || labels[*i as usize] != labels[members[place - 1] as usize] {
            starts.push(place as u32);
        }
    }
    starts.push(members.len() as u32);
    (starts, members)
}
