//! Liquids on the GPU: which particles they are, the ellipsoids that these are drawn as, and how they are drawn.

use std::sync::Arc;

use super::RenderError;
use super::geometry::buffer;
use super::grains::members;
use super::layouts::{Layouts, bind};
use super::pipelines::{Onto, Recipe, compute, make};
use super::targets::{FOAM_FORMAT, SURFACE_FORMAT, THICKNESS_FORMAT, smooth_sampler};
use crate::gpu::Context;
use crate::scene::Scene;
use crate::solver::SolverView;

/// `WORKGROUP` of `shaders/common/thread.wgsl`.
const GROUP: u32 = 64;
/// Groups that one dimension of a dispatch may have.
const MOST_GROUPS: u32 = 65_535;
/// Bytes of `Splat` in `shaders/render/liquid.wgsl`.
const SPLAT: usize = 48;
/// Bytes of `Cell` and of `Placed` in `shaders/render/liquid_grid.wgsl`.
const CELL: usize = 12;
const PLACED: usize = 32;
/// Discs of foam around a particle: `DISCS` of `shaders/render/liquid_foam.wgsl`.
pub(super) const DISCS: u32 = 5;
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

/// How liquids are shaped and drawn.
#[derive(Debug)]
pub(super) struct LiquidPipelines {
    /// Over all particles or, second, over all cells; in this order.
    shaping: [(wgpu::ComputePipeline, bool); 5],
    pub(super) light: wgpu::RenderPipeline,
    pub(super) depth: wgpu::RenderPipeline,
    /// Along rows, along columns.
    pub(super) filter: [wgpu::RenderPipeline; 2],
    pub(super) thickness: wgpu::RenderPipeline,
    pub(super) blur: wgpu::RenderPipeline,
    pub(super) foam: wgpu::RenderPipeline,
    pub(super) present: wgpu::RenderPipeline,
    pub(super) sampler: wgpu::Sampler,
}

/// All liquids of a scene.
#[derive(Debug)]
pub(super) struct Liquids {
    pub(super) pipelines: Arc<LiquidPipelines>,
    pub(super) count: u32,
    cells: u32,
    grid: wgpu::Buffer,
    /// Simulated time that the ellipsoids are of [s]; none before the first picture.
    time: Option<f64>,
    members: wgpu::Buffer,
    pub(super) rows: wgpu::Buffer,
    /// Cells, members by cell, and their places in order.
    cell_tables: [wgpu::Buffer; 3],
    splats: wgpu::Buffer,
    /// Ellipsoids and liquids, for drawing.
    pub(super) bound: wgpu::BindGroup,
}

impl Liquids {
    /// Uploads the liquids of `scene`, or none; pipelines that `old` holds are taken from there.
    pub(super) fn new(
        context: &Context,
        layouts: &Layouts,
        scene: &Scene,
        target: wgpu::TextureFormat,
        old: Option<&Self>,
    ) -> Result<Option<Self>, RenderError> {
        let members = members(scene.liquids.iter().map(|l| &l.blocks[..]));
        if members.is_empty() {
            return Ok(None);
        }
        let pipelines = match old {
            Some(old) => Arc::clone(&old.pipelines),
            None => Arc::new(LiquidPipelines::new(context, layouts, target)?),
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
        let rows = upload("liquids", bytemuck::cast_slice(&rows));
        let splats = empty("splats", SPLAT * members.len());
        Ok(Some(Self {
            pipelines,
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
            bound: bind(context, &layouts.splats, &[splats.as_entire_binding(), rows.as_entire_binding()]),
            rows,
            splats,
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
    pub(super) fn shape(
        &self,
        context: &Context,
        layouts: &Layouts,
        pass: &mut wgpu::ComputePass<'_>,
        solver: &SolverView<'_>,
    ) {
        let [cells, places, sorted] = &self.cell_tables;
        let (particles, velocities) = (solver.particles, solver.particle_velocities);
        let tables =
            [&self.grid, particles, velocities, &self.members, &self.rows, cells, places, sorted, &self.splats];
        let bound = bind(context, &layouts.liquid_grid, &tables.map(|b| b.as_entire_binding()));
        pass.set_bind_group(0, &bound, &[]);
        for (pipeline, over_cells) in &self.pipelines.shaping {
            let groups = if *over_cells { self.cells } else { self.count }.div_ceil(GROUP);
            let rows = groups.div_ceil(MOST_GROUPS);
            pass.set_pipeline(pipeline);
            pass.dispatch_workgroups(groups.div_ceil(rows), rows, 1);
        }
    }

    /// The ellipsoids, for tests.
    #[cfg(test)]
    pub(super) fn splats(&self) -> &wgpu::Buffer {
        &self.splats
    }
}

impl LiquidPipelines {
    fn new(context: &Context, layouts: &Layouts, target: wgpu::TextureFormat) -> Result<Self, RenderError> {
        let shaping = |name, over_cells| -> Result<_, RenderError> {
            Ok((compute(context, name, &layouts.liquid_grid)?, over_cells))
        };
        let onto = |format, blend, depth| Onto::Texture { format, blend, depth };
        let draw =
            |shader, groups: &[&wgpu::BindGroupLayout], onto| make(context, &Recipe::plain(shader, groups, onto));
        let camera = &layouts.frame_without_map;
        let filter = |down: bool| {
            let groups = [camera, &layouts.liquid_filter];
            let constant = Some(("DOWN", f64::from(u8::from(down))));
            let plain = Recipe::plain("render/liquid_filter", &groups, onto(SURFACE_FORMAT, None, false));
            make(context, &Recipe { constant, ..plain })
        };
        let part = |operation| wgpu::BlendComponent {
            src_factor: wgpu::BlendFactor::One,
            dst_factor: wgpu::BlendFactor::One,
            operation,
        };
        let sum = part(wgpu::BlendOperation::Add);
        let sums = wgpu::BlendState { color: sum, alpha: sum };
        let nearest = wgpu::BlendState { color: sum, alpha: part(wgpu::BlendOperation::Max) };
        let splats = [camera, &layouts.splats];
        let present = [&layouts.frame, &layouts.picture, &layouts.liquid_surface];
        Ok(Self {
            shaping: [
                shaping("render/liquid_count", false)?,
                shaping("render/liquid_room", true)?,
                shaping("render/liquid_scatter", false)?,
                shaping("render/liquid_sort", false)?,
                shaping("render/liquid_shape", false)?,
            ],
            light: draw("render/liquid_light", &splats, onto(THICKNESS_FORMAT, Some(nearest), false))?,
            depth: make(
                context,
                &Recipe {
                    constant: Some(("OUTER", 1.0)),
                    ..Recipe::plain("render/liquid_depth", &splats, onto(SURFACE_FORMAT, None, true))
                },
            )?,
            filter: [filter(false)?, filter(true)?],
            thickness: draw(
                "render/liquid_thickness",
                &[camera, &layouts.splats, &layouts.picture_depth],
                onto(THICKNESS_FORMAT, Some(sums), false),
            )?,
            blur: draw("render/liquid_blur", &[camera, &layouts.liquid_blur], onto(THICKNESS_FORMAT, None, false))?,
            foam: draw(
                "render/liquid_foam",
                &[camera, &layouts.splats, &layouts.liquid_foam],
                onto(FOAM_FORMAT, Some(sums), false),
            )?,
            present: draw("render/liquid_present", &present, Onto::Target(target))?,
            sampler: smooth_sampler(context),
        })
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
