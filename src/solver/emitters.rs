//! Emitters and drains of liquid, as kernels see them.

use super::Solver;
use super::rows::vec4;
use crate::gpu_struct;
use crate::scene::{Emitter, Scene, Shape};

/// Most layers that leave a nozzle in a frame: faster ones leave gaps.
const MOST_LAYERS: f64 = 64.0;

gpu_struct! {
    /// `Emission` of `fluid/store`.
    pub(super) struct EmissionRow as "Emission" {
        pub(super) direction: [f32; 3],
        pub(super) speed: f32,
        pub(super) first_particle: u32,
        pub(super) budget: u32,
        pub(super) first_spot: u32,
        pub(super) spot_count: u32,
        pub(super) layers: u32,
        pub(super) first_way: f32,
        pub(super) pitch: f32,
        pub(super) inv_mass: f32,
    }
}

gpu_struct! {
    /// `Drain` of `fluid/store`.
    pub(super) struct DrainRow as "Drain" {
        pub(super) center: [f32; 4],
        pub(super) half: [f32; 4],
    }
}

/// Emitters and drains of a scene.
#[derive(Debug, Default)]
pub(super) struct EmitterTables {
    /// What does not change of the emitters.
    pub(super) rows: Vec<EmissionRow>,
    /// Places in their nozzles [m].
    pub(super) spots: Vec<[f32; 4]>,
    pub(super) drains: Vec<DrainRow>,
}

impl EmitterTables {
    pub(super) fn new(scene: &Scene) -> Self {
        let mut tables = Self::default();
        for emitter in &scene.emitters {
            let row = row(scene, emitter, tables.spots.len());
            tables.spots.extend(emitter.spots(scene.liquids[0].radius).into_iter().map(|at| vec4(at, 0.0)));
            tables.rows.push(row);
        }
        let drain_row = |drain: &crate::scene::Drain| match drain.shape {
            Shape::Sphere(radius) => DrainRow { center: vec4(drain.position, radius), ..DrainRow::default() },
            Shape::Cuboid(half) => DrainRow { center: vec4(drain.position, 0.0), half: vec4(half, 0.0) },
            _ => DrainRow::default(),
        };
        tables.drains = scene.drains.iter().map(drain_row).collect();
        tables
    }
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

impl Solver {
    /// Tells the kernels what leaves the nozzles in the coming frame.
    pub(super) fn write_emissions(&mut self) {
        let dt = f64::from(self.scene.params.dt);
        let mut first_spot = 0;
        for index in 0..self.scene.emitters.len() {
            let mut row = row(&self.scene, &self.scene.emitters[index], first_spot);
            first_spot += row.spot_count as usize;
            let emitter = &mut self.scene.emitters[index];
            let (way, pitch) = (emitter.way + f64::from(emitter.speed) * dt, f64::from(row.pitch));
            let layers = (way / pitch).floor();
            emitter.way = way - layers * pitch;
            row.layers = layers.min(MOST_LAYERS) as u32;
            row.first_way = emitter.way as f32;
            self.write("emissions", index, &[row]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gpu::layout::GpuStruct;
    use crate::gpu::shader;

    #[test]
    fn rows_equal_their_twins() {
        let text = shader::compose("fluid/emit").unwrap().text;
        assert_eq!((EmissionRow::check(&text), DrainRow::check(&text)), (Ok(()), Ok(())));
    }
}
