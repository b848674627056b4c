//! What is inside sensors, counted at the end of every frame. Nothing runs, and no kernel is compiled, in a world without them.

use super::stage::{Frame, Pass};
pub(in crate::solver) use crate::gpu::wgsl::sensors::sensor::{
    SENSED_BITS, Sensor as SensorRow, SensorCounts, UNSENSED,
};
use crate::gpu::{Buffers, GpuError, wgpu::BufferUsages};

static COUNT: Pass = Pass::again("sensors/count", "sensors/count", &[("shapes", "sensor_shapes")]);

/// Buffers of sensors, of which no state has any.
pub(in crate::solver) const BUFFERS: [&str; 5] =
    ["sensor_counts", "sensors", "sensor_shapes", "sensed_things", "inside_counts"];

/// Sensors in a frame.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::solver) struct Stage {
    /// Particles that may be inside; 0 without sensors.
    pub(in crate::solver) particles: u32,
}

impl Stage {
    /// Counts what is inside, once everything is where the frame leaves it.
    pub(in crate::solver) fn count(&self, f: &mut Frame) {
        f.run(&COUNT, self.particles);
    }

    /// All passes.
    pub(in crate::solver) fn passes() -> [&'static Pass; 1] {
        [&COUNT]
    }
}

/// What the buffers are made of.
#[derive(Debug, Default)]
pub(in crate::solver) struct Tables {
    pub(in crate::solver) rows: Vec<SensorRow>,
    /// Their shapes, packed.
    pub(in crate::solver) shapes: Vec<[u32; 4]>,
    /// What thing each particle is of.
    pub(in crate::solver) things: Vec<u32>,
    /// How many things there are.
    pub(in crate::solver) count: u32,
}

impl Tables {
    /// Makes the buffers.
    pub(in crate::solver) fn create(&self, b: &mut Buffers) -> Result<(), GpuError> {
        let counts = SensorCounts { sensors: self.rows.len() as u32, things: self.count };
        b.create_uniform("sensor_counts", &[counts])?;
        b.create_with("sensors", &self.rows)?; // [sensor_count]
        b.create_with("sensor_shapes", &self.shapes)?; // four rows for each, then grids
        b.create_with("sensed_things", &self.things)?; // [particle_count]
        b.create::<u32>("inside_counts", self.rows.len() * self.count as usize, BufferUsages::empty()) // [sensors * things]
    }
}
