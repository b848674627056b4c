//! Liquids on the GPU: which particles they are, and the ellipsoids that these are drawn as.

use std::sync::Arc;

use super::geometry::buffer;
use super::members::members;
use crate::gpu::{Context, GpuError, Kernel};
use crate::scene::Scene;
use crate::solver::SolverView;

/// Bytes of `Splat` in `shaders/render/liquid.wgsl`.
const SPLAT: usize = 48;
/// Bytes of `Cell` and of `Placed` in `shaders/render/liquid_grid.wgsl`.
const CELL: usize = 12;
const PLACED: usize = 32;
/// Longest time that foam is followed over in one step [s].
const LONGEST: f64 = 0.1;

crate::gpu_struct! {
    /// Twin of `Liquid` in `shaders/render/liquid.wgsl`, documented there.
    struct LiquidRow as "Liquid" {
        absorption: [f32; 3],
        radius: f32,
    }
}

crate::gpu_struct! {
    /// Twin of `LiquidGrid` in `shaders/render/liquid_grid.wgsl`, documented there.
    struct GridRow as "LiquidGrid" {
        particle_count: u32,
        cell_mask: u32,
        elapsed: f32,
    }
}

/// The kernels that shape them, in this order: over all particles or, second, over all cells.
#[derive(Debug)]
struct Shaping([(Kernel, bool); 5]);

impl Shaping {
    fn new(context: &Context) -> Result<Self, GpuError> {
        let kernel = |name, over_cells| Ok((Kernel::new(context, name, &[])?, over_cells));
        Ok(Self([
            kernel("render/liquid_count", false)?,
            kernel("render/liquid_room", true)?,
            kernel("render/liquid_scatter", false)?,
            kernel("render/liquid_sort", false)?,
            kernel("render/liquid_shape", false)?,
        ]))
    }
}

/// The particles of all liquids of a scene.
#[derive(Debug)]
pub(super) struct LiquidShapes {
    shaping: Arc<Shaping>,
    pub(super) count: u32,
    cells: u32,
    grid: wgpu::Buffer,
    /// Simulated time that the ellipsoids are of [s]; none before the first picture.
    time: Option<f64>,
    members: wgpu::Buffer,
    /// The liquids.
    pub(super) rows: wgpu::Buffer,
    /// Cells, members by cell, and their places in order.
    cell_tables: [wgpu::Buffer; 3],
    pub(super) splats: wgpu::Buffer,
}

impl LiquidShapes {
    /// Uploads the liquids of `scene`, or none; kernels that `old` holds are taken from there.
    pub(super) fn new(context: &Context, scene: &Scene, old: Option<&Self>) -> Result<Option<Self>, GpuError> {
        let members = members(scene.liquids.iter().map(|l| &l.blocks[..]));
        if members.is_empty() {
            return Ok(None);
        }
        let shaping = match old {
            Some(old) => Arc::clone(&old.shaping),
            None => Arc::new(Shaping::new(context)?),
        };
        let row = |l: &crate::scene::Liquid| LiquidRow {
            absorption: l.clearness.to_array().map(|left| -left.ln()),
            radius: l.radius,
        };
        let rows: Vec<LiquidRow> = scene.liquids.iter().map(row).collect();
        let count = members.len() as u32;
        let cells = count.next_power_of_two().max(64);
        let grid = GridRow { particle_count: count, cell_mask: cells - 1, ..GridRow::default() };
        let storage = wgpu::BufferUsages::STORAGE;
        let upload = |label, bytes: &[u8]| buffer(context, label, bytes, storage);
        let empty =
            |label, bytes: usize| buffer(context, label, &vec![0; bytes], storage | wgpu::BufferUsages::COPY_SRC);
        Ok(Some(Self {
            shaping,
            count,
            cells,
            time: None,
            grid: buffer(context, "liquid grid", bytemuck::bytes_of(&grid), wgpu::BufferUsages::UNIFORM),
            cell_tables: [
                empty("liquid cells", CELL * (cells as usize + 1)),
                empty("liquid places", 4 * members.len()),
                empty("sorted liquid", PLACED * members.len()),
            ],
            members: upload("liquid members", bytemuck::cast_slice(&members)),
            rows: upload("liquids", bytemuck::cast_slice(&rows)),
            splats: empty("splats", SPLAT * members.len()),
        }))
    }

    /// Sets the time of the next picture [s].
    pub(super) fn set_time(&mut self, queue: &wgpu::Queue, time: f64) {
        let elapsed = self.time.map_or(0.0, |before| (time - before).clamp(0.0, LONGEST)) as f32;
        self.time = Some(time);
        let row = GridRow { particle_count: self.count, cell_mask: self.cells - 1, elapsed };
        queue.write_buffer(&self.grid, 0, bytemuck::bytes_of(&row));
    }

    /// Records the shaping of all ellipsoids after the particles of `solver`.
    pub(super) fn record(
        &self,
        context: &Context,
        pass: &mut wgpu::ComputePass<'_>,
        solver: &SolverView<'_>,
    ) -> Result<(), GpuError> {
        let [cells, places, sorted] = &self.cell_tables;
        let given = [
            ("liquid_grid", (&self.grid).into()),
            ("particles", solver.particles.into()),
            ("particle_velocities", solver.particle_velocities.into()),
            ("members", (&self.members).into()),
            ("liquids", (&self.rows).into()),
            ("cells", cells.into()),
            ("places", places.into()),
            ("sorted", sorted.into()),
            ("splats", (&self.splats).into()),
        ];
        for (kernel, over_cells) in &self.shaping.0 {
            let threads = if *over_cells { self.cells } else { self.count };
            kernel.bind_to(context, &given)?.dispatch(pass, threads, 0);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gpu::layout::{self, GpuStruct};
    use crate::gpu::shader;

    #[test]
    fn the_twins_in_wgsl_are_equal() {
        let text = shader::compose("render/liquid_grid").unwrap().text;
        assert_eq!(LiquidRow::check(&text), Ok(()));
        assert_eq!(GridRow::check(&text), Ok(()));
        let fields = [("center", 0), ("liquid", 12), ("diagonal", 16), ("fill", 28), ("mixed", 32), ("foam", 44)];
        assert_eq!(layout::check("Splat", &text, SPLAT, &fields), Ok(()));
        let fields = [("count", 0), ("first", 4), ("end", 8)];
        assert_eq!(layout::check("Cell", &text, CELL, &fields), Ok(()));
        let fields = [("position", 0), ("liquid", 12), ("velocity", 16), ("pad", 28)];
        assert_eq!(layout::check("Placed", &text, PLACED, &fields), Ok(()));
    }
}
