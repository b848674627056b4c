//! Emitters and drains of liquid, as kernels see them, and what leaves nozzles in a frame.

use std::ops::Range;

use crate::gpu::wgsl::fluid::store::{Drain as DrainRow, Emission as EmissionRow};
use crate::gpu::{Buffers, GpuError};
use crate::scene::{Emitter, Scene, Shape};
use crate::solver::stages::rows::vec4;

/// Most layers that leave a nozzle in a frame: faster ones leave gaps.
const MOST_LAYERS: f64 = 64.0;

/// Emitters and drains of a scene.
#[derive(Debug, Default)]
pub(super) struct EmitterTables {
    /// What does not change of the emitters.
    pub(in crate::solver) rows: Vec<EmissionRow>,
    /// Places in their nozzles [m].
    pub(in crate::solver) spots: Vec<[f32; 4]>,
    pub(in crate::solver) drains: Vec<DrainRow>,
}

impl EmitterTables {
    pub(in crate::solver) fn new(scene: &Scene) -> Self {
        let mut tables = Self::default();
        for emitter in &scene.emitters {
            let first = tables.spots.len();
            tables.rows.push(row(scene, emitter, first));
            tables.spots.extend(spots(emitter, scene.liquids[0].radius));
            tables.spots.resize(first + room(scene, tables.rows.len() - 1), [0.0; 4]);
        }
        let drain_row = |drain: &crate::scene::Drain| match drain.shape {
            Shape::Sphere(radius) => DrainRow { center: vec4(drain.position, radius), ..DrainRow::default() },
            Shape::Cuboid(half) => DrainRow { center: vec4(drain.position, 0.0), half: vec4(half, 0.0) },
            _ => DrainRow::default(),
        };
        tables.drains = scene.drains.iter().map(drain_row).collect();
        tables
    }

    /// Makes the buffers of emitters and drains.
    pub(in crate::solver) fn create(&self, b: &mut Buffers) -> Result<(), GpuError> {
        b.create_with("emissions", &self.rows)?; // [emitter_count] written every frame
        b.create_with("emitter_spots", &self.spots)?; // places in nozzles [m]
        b.create_with("drains", &self.drains) // [drain_count]
    }
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
    let own = || scene.emitters[index].spots(scene.liquids[0].radius).len();
    reserved.map_or_else(own, |nozzle| nozzle.spots as usize)
}

/// An emitter before its first layer.
fn row(scene: &Scene, emitter: &Emitter, first_spot: usize) -> EmissionRow {
    let liquid = &scene.liquids[emitter.liquid.0 as usize];
    EmissionRow {
        direction: emitter.direction.normalize().to_array(),
        speed: emitter.speed,
        first_particle: emitter.particles.start,
        budget: emitter.budget,
        first_spot: first_spot as u32,
        spot_count: emitter.spots(liquid.radius).len() as u32,
        pitch: emitter.pitch(liquid.radius),
        inv_mass: 1.0 / liquid.particle_mass(),
        ..EmissionRow::default()
    }
}

/// What leaves each nozzle in a frame of `dt` [s]; the liquid in it goes on.
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
