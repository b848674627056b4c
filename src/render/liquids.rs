//! Liquids on the GPU: which particles they are, the ellipsoids that these are drawn as, and how they are drawn.

use std::sync::Arc;

use super::RenderError;
use super::geometry::buffer;
use super::grains::members;
use super::layouts::{Layouts, bind};
use super::pipelines::{Onto, Recipe, compute, make};
use super::targets::{SURFACE_FORMAT, THICKNESS_FORMAT, smooth_sampler};
use crate::gpu::Context;
use crate::scene::Scene;

/// `WORKGROUP` of `shaders/common/thread.wgsl`.
const GROUP: u32 = 64;
/// Groups that one dimension of a dispatch may have.
const MOST_GROUPS: u32 = 65_535;
/// Bytes of `Splat` in `shaders/render/liquid.wgsl`.
const SPLAT: usize = 48;

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
    members: wgpu::Buffer,
    pub(super) rows: wgpu::Buffer,
    /// Counts and ranges of cells, members by cell, and their places in order.
    cell_tables: [wgpu::Buffer; 4],
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
        let grid = GridRow { particle_count: count, cell_mask: cells - 1 };
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
            grid: buffer(context, "liquid grid", bytemuck::bytes_of(&grid), wgpu::BufferUsages::UNIFORM),
            cell_tables: [
                empty("liquid cell counts", 4 * (cells as usize + 1)),
                empty("liquid cell ranges", 8 * cells as usize),
                empty("liquid places", 4 * members.len()),
                empty("sorted liquid", 16 * members.len()),
            ],
            members: upload("liquid members", bytemuck::cast_slice(&members)),
            bound: bind(context, &layouts.splats, &[splats.as_entire_binding(), rows.as_entire_binding()]),
            rows,
            splats,
        }))
    }

    /// Records the shaping of all ellipsoids after `particles`.
    pub(super) fn shape(
        &self,
        context: &Context,
        layouts: &Layouts,
        pass: &mut wgpu::ComputePass<'_>,
        particles: &wgpu::Buffer,
    ) {
        let [counts, ranges, places, sorted] = &self.cell_tables;
        let tables = [&self.grid, particles, &self.members, &self.rows, counts, ranges, places, sorted, &self.splats];
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
            depth: draw("render/liquid_depth", &splats, onto(SURFACE_FORMAT, None, true))?,
            filter: [filter(false)?, filter(true)?],
            thickness: draw(
                "render/liquid_thickness",
                &[camera, &layouts.splats, &layouts.picture_depth],
                onto(THICKNESS_FORMAT, Some(sums), false),
            )?,
            blur: draw("render/liquid_blur", &[camera, &layouts.liquid_blur], onto(THICKNESS_FORMAT, None, false))?,
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
        let fields = [("center", 0), ("liquid", 12), ("diagonal", 16), ("fill", 28), ("mixed", 32), ("pad", 44)];
        assert_eq!(layout::check("Splat", &text, SPLAT, &fields), Ok(()));
    }
}
