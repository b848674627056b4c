//! Emitters and drains of liquid and grains: what leaves nozzles in a frame, and what leaves the world.

use std::ops::Range;

use super::rows::{ParticleRow, vec4};
use super::stage::{Frame, Pass};
use crate::gpu::wgsl::emitters::drain::Drain as DrainRow;
use crate::gpu::wgsl::emitters::emit::{Emission as EmissionRow, THREADS};
use crate::gpu::{Buffers, GpuError};
use crate::scene::{Emitter, Scene, Shape, Substance, is_stored};

static DRAIN: Pass = Pass::new("emitters/drain");
static EMIT: Pass = Pass::new("emitters/emit");

/// Most layers that leave a nozzle in a frame: faster ones leave gaps.
const MOST_LAYERS: f64 = 64.0;

/// Emitters and drains in a frame.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::solver) struct Stage {
    pub(in crate::solver) emitters: u32,
    /// Particles that drains look at; none without drains.
    pub(in crate::solver) drained: u32,
}

impl Stage {
    /// Liquid and grains leave through drains and come from nozzles, at the start of a frame.
    pub(in crate::solver) fn flow(&self, f: &mut Frame) {
        f.run(&DRAIN, self.drained);
        f.run(&EMIT, THREADS * self.emitters);
    }
}

/// Rows that follow from the scene.
#[derive(Debug, Default)]
pub(in crate::solver) struct Tables {
    /// What does not change of the emitters.
    rows: Vec<EmissionRow>,
    /// Places in their nozzles [m].
    spots: Vec<[f32; 4]>,
    drains: Vec<DrainRow>,
    /// Particles of liquids and grains.
    loose: Vec<u32>,
}

impl Tables {
    pub(in crate::solver) fn new(scene: &Scene) -> Self {
        let mut tables = Self::default();
        for (index, emitter) in scene.emitters.iter().enumerate() {
            let first = tables.spots.len();
            tables.rows.push(row(scene, emitter, first));
            tables.spots.extend(spots(emitter, particle(scene, emitter).0));
            tables.spots.resize(first + room(scene, index), [0.0; 4]);
        }
        let drain_row = |drain: &crate::scene::Drain| match drain.shape {
            Shape::Sphere(radius) => DrainRow { center: vec4(drain.position, radius), ..DrainRow::default() },
            Shape::Cuboid(half) => DrainRow { center: vec4(drain.position, 0.0), half: vec4(half, 0.0) },
            _ => DrainRow::default(),
        };
        tables.drains = scene.drains.iter().map(drain_row).collect();
        if !tables.drains.is_empty() {
            let blocks =
                scene.liquids.iter().map(|liquid| &liquid.blocks).chain(scene.grains.iter().map(|g| &g.blocks));
            tables.loose = blocks.flatten().flat_map(Clone::clone).collect();
        }
        tables
    }

    /// What is left of it in a frame.
    pub(in crate::solver) fn stage(&self) -> Stage {
        Stage { emitters: self.rows.len() as u32, drained: self.loose.len() as u32 }
    }

    /// Makes the buffers of emitters and drains.
    pub(in crate::solver) fn create(&self, b: &mut Buffers) -> Result<(), GpuError> {
        b.create_with("emissions", &self.rows)?; // [emitter_count] written every frame
        b.create_with("emitter_spots", &self.spots)?; // places in nozzles [m]
        b.create_with("drains", &self.drains)?; // [drain_count]
        b.create_with("loose_particles", &self.loose) // particles of liquids and grains, where there are drains
    }
}

/// Takes the mass from grains that are in reserve, or drained, until they leave a nozzle.
pub(in crate::solver) fn store(
    scene: &Scene,
    positions: &[[f32; 4]],
    velocities: &mut [[f32; 4]],
    rows: &mut [ParticleRow],
) {
    for i in scene.grains.iter().flat_map(|grains| grains.blocks.iter().flat_map(Clone::clone)) {
        let [x, y, z, _] = positions[i as usize];
        if is_stored([x, y, z].into()) {
            velocities[i as usize] = [0.0; 4];
            rows[i as usize].sleeper = 0.0;
        }
    }
}

/// Radius [m] and mass [kg] of what leaves an emitter of the scene.
fn particle(scene: &Scene, emitter: &Emitter) -> (f32, f32) {
    scene.particle_made_of(&emitter.name, emitter.of).unwrap_or_default()
}

/// Places of particles in a nozzle [m].
pub(in crate::solver) fn spots(emitter: &Emitter, radius: f32) -> Vec<[f32; 4]> {
    emitter.spots(radius).into_iter().map(|at| vec4(at, 0.0)).collect()
}

/// Rows of `emitter_spots` of an emitter.
pub(in crate::solver) fn spot_range(scene: &Scene, index: usize) -> Range<usize> {
    let first = (0..index).map(|before| room(scene, before)).sum();
    first..first + room(scene, index)
}

/// Places that there are for the nozzle of an emitter: for the widest that may be there.
fn room(scene: &Scene, index: usize) -> usize {
    let reserved = scene.reserve.emitters.iter().find(|nozzle| nozzle.emitter == index);
    let emitter = &scene.emitters[index];
    reserved.map_or_else(|| emitter.spots(particle(scene, emitter).0).len(), |nozzle| nozzle.spots as usize)
}

/// An emitter before its first layer.
fn row(scene: &Scene, emitter: &Emitter, first_spot: usize) -> EmissionRow {
    let (radius, mass) = particle(scene, emitter);
    let grains = matches!(emitter.of, Substance::Grains(_));
    // Grains in a scene with liquid do not sleep.
    let sleeps = grains && scene.liquids.is_empty();
    EmissionRow {
        direction: emitter.direction.normalize().to_array(),
        speed: emitter.speed,
        first_particle: emitter.particles.start,
        budget: emitter.budget,
        first_spot: first_spot as u32,
        spot_count: emitter.spots(radius).len() as u32,
        pitch: emitter.pitch(radius),
        stagger: if grains { 1.0 } else { 0.0 },
        inv_mass: 1.0 / mass,
        sleeper: if sleeps { 1.0 / mass } else { 0.0 },
        ..EmissionRow::default()
    }
}

/// What leaves each nozzle in this frame of `dt` [s]; what is in it goes on.
pub(in crate::solver) fn emissions(scene: &mut Scene, dt: f32) -> Vec<EmissionRow> {
    let mut first_spot = 0;
    (0..scene.emitters.len())
        .map(|index| {
            let mut row = row(scene, &scene.emitters[index], first_spot);
            first_spot += room(scene, index);
            let emitter = &mut scene.emitters[index];
            let (way, pitch) = (emitter.way + f64::from(emitter.speed) * f64::from(dt), f64::from(row.pitch));
            let layers = (way / pitch).floor();
            emitter.way = way - layers * pitch;
            row.layers = layers.min(MOST_LAYERS) as u32;
            row.first_way = emitter.way as f32;
            row
        })
        .collect()
}
