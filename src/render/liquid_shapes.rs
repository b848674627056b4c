//! Liquids on the GPU: their particles, and the ellipsoids by which they are drawn.

use std::ops::Range;
use std::sync::Arc;

use glam::Vec3;

use super::geometry::buffer;
use super::members::members;
use crate::gpu::wgsl::common::params::Params;
use crate::gpu::wgsl::common::scan::{SCAN_BLOCK, SCAN_EACH};
use crate::gpu::wgsl::render::liquid::{Liquid as LiquidRow, Splat};
use crate::gpu::wgsl::render::liquid_grid::{LiquidGrid, Placed};
use crate::gpu::{Context, GpuError, Kernel};
use crate::scene::Scene;
use crate::solver::SolverView;

/// Longest time that foam is followed over in one step [s].
const LONGEST: f64 = 0.1;

/// The kernels that shape them, in this order, and how many threads each has.
#[derive(Debug)]
struct Shaping([(Kernel, Threads); 8]);

#[derive(Clone, Copy, Debug)]
enum Threads {
    Members,
    /// One for so many buckets.
    Buckets(u32),
    /// One workgroup.
    One,
}

impl Shaping {
    /// Members are sorted by bucket with the kernels that sort the solver's proxies.
    fn new(context: &Context) -> Result<Self, GpuError> {
        let kernel = |name, threads| Ok((Kernel::new(context, name, &[])?, threads));
        Ok(Self([
            kernel("render/liquid_count", Threads::Members)?,
            kernel("broad_phase/scan_blocks", Threads::Buckets(SCAN_EACH))?,
            kernel("broad_phase/scan_sums", Threads::One)?,
            kernel("broad_phase/scan_add", Threads::Buckets(1))?,
            kernel("broad_phase/scatter", Threads::Members)?,
            kernel("render/liquid_sort", Threads::Members)?,
            kernel("render/liquid_shape", Threads::Members)?,
            kernel("render/liquid_eye", Threads::One)?,
        ]))
    }
}

/// The hash grid of the members.
#[derive(Debug)]
struct Cells {
    /// Members of each bucket while they are sorted, 0 between frames.
    counts: wgpu::Buffer,
    /// First member of each bucket, and the end.
    starts: wgpu::Buffer,
    block_sums: wgpu::Buffer,
    member_buckets: wgpu::Buffer,
    /// By bucket, in an order that depends on timing.
    bucket_members: wgpu::Buffer,
    /// By bucket, in order.
    sorted: wgpu::Buffer,
}

/// The particles of all liquids of a scene.
#[derive(Debug)]
pub(super) struct LiquidShapes {
    shaping: Arc<Shaping>,
    pub(super) count: u32,
    buckets: u32,
    grid: wgpu::Buffer,
    /// What the kernels of `broad_phase/` read as `params`.
    params: wgpu::Buffer,
    /// Simulated time that the ellipsoids are of [s]; none before the first picture.
    time: Option<f64>,
    /// The particles of each block of a liquid, and its first member.
    blocks: Vec<(Range<u32>, u32)>,
    members: wgpu::Buffer,
    /// The liquids.
    pub(super) rows: wgpu::Buffer,
    cells: Cells,
    pub(super) splats: wgpu::Buffer,
    /// Whether the eye is in one.
    pub(super) eye_in: wgpu::Buffer,
    /// What an indirect draw of the screen takes then: no vertices where it is in none.
    pub(super) eye_draw: wgpu::Buffer,
}

impl LiquidShapes {
    /// Uploads the liquids of `scene`, or none; kernels that `old` holds are taken from there, and the air of its blocks.
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
            turbidity: l.turbidity,
            ..LiquidRow::default()
        };
        let rows: Vec<LiquidRow> = scene.liquids.iter().map(row).collect();
        let count = members.len() as u32;
        let buckets = count.next_power_of_two().max(SCAN_BLOCK);
        let grid = LiquidGrid { particle_count: count, cell_mask: buckets - 1, ..LiquidGrid::default() };
        let params = Params { proxy_count: count, cell_mask: buckets - 1, ..Params::default() };
        let storage = wgpu::BufferUsages::STORAGE;
        let upload = |label, bytes: &[u8]| buffer(context, label, bytes, storage);
        let empty =
            |label, bytes: usize| buffer(context, label, &vec![0; bytes], storage | wgpu::BufferUsages::COPY_SRC);
        let mut first = 0;
        let starts = |block: &Range<u32>| {
            let start = first;
            first += block.len() as u32;
            (block.clone(), start)
        };
        let made = Self {
            shaping,
            count,
            buckets,
            time: old.and_then(|old| old.time),
            blocks: scene.liquids.iter().flat_map(|liquid| &liquid.blocks).map(starts).collect(),
            grid: buffer(context, "liquid grid", bytemuck::bytes_of(&grid), wgpu::BufferUsages::UNIFORM),
            params: buffer(context, "liquid params", bytemuck::bytes_of(&params), wgpu::BufferUsages::UNIFORM),
            cells: Cells {
                counts: empty("liquid cell counts", 4 * buckets as usize),
                starts: empty("liquid cell starts", 4 * (buckets as usize + 1)),
                block_sums: empty("liquid block sums", 4 * (buckets / SCAN_BLOCK) as usize),
                member_buckets: empty("liquid buckets", 4 * members.len()),
                bucket_members: empty("liquid by bucket", 4 * members.len()),
                sorted: empty("sorted liquid", size_of::<Placed>() * members.len()),
            },
            members: upload("liquid members", bytemuck::cast_slice(&members)),
            rows: upload("liquids", bytemuck::cast_slice(&rows)),
            eye_draw: buffer(context, "draw of eye in liquid", &[0; 16], storage | wgpu::BufferUsages::INDIRECT),
            eye_in: empty("eye in liquid", size_of::<[f32; 2]>()),
            splats: buffer(
                context,
                "splats",
                &vec![0; size_of::<Splat>() * members.len()],
                storage | wgpu::BufferUsages::COPY_SRC | wgpu::BufferUsages::COPY_DST,
            ),
        };
        if let Some(old) = old.filter(|old| old.time.is_some()) {
            made.take_air(context, old);
        }
        Ok(Some(made))
    }

    /// Takes what air is in the blocks that were there before.
    fn take_air(&self, context: &Context, old: &Self) {
        let bytes = |rows: u32| u64::from(rows) * size_of::<Splat>() as u64;
        context.run("take air", |encoder| {
            for (block, first) in &self.blocks {
                let same = |(before, _): &&(Range<u32>, u32)| before.start == block.start;
                if let Some((before, from)) = old.blocks.iter().find(same) {
                    let count = block.len().min(before.len()) as u32;
                    encoder.copy_buffer_to_buffer(
                        &old.splats,
                        bytes(*from),
                        &self.splats,
                        bytes(*first),
                        Some(bytes(count)),
                    );
                }
            }
        });
    }

    /// Lets the next ones begin without the air of these: they are of another world.
    pub(super) fn forget_air(&mut self) {
        self.time = None;
    }

    /// Sets the time of the next picture [s], and where it is seen from [m].
    pub(super) fn set_view(&mut self, queue: &wgpu::Queue, time: f64, eye: Vec3) {
        let elapsed = self.time.map_or(0.0, |before| (time - before).clamp(0.0, LONGEST)) as f32;
        self.time = Some(time);
        let row = LiquidGrid {
            particle_count: self.count,
            cell_mask: self.buckets - 1,
            elapsed,
            eye: eye.to_array(),
            ..LiquidGrid::default()
        };
        queue.write_buffer(&self.grid, 0, bytemuck::bytes_of(&row));
    }

    /// Records the shaping of all ellipsoids after the particles of `solver`.
    pub(super) fn record(
        &self,
        context: &Context,
        pass: &mut wgpu::ComputePass<'_>,
        solver: &SolverView<'_>,
    ) -> Result<(), GpuError> {
        let Cells { counts, starts, block_sums, member_buckets, bucket_members, sorted } = &self.cells;
        let given = [
            ("liquid_grid", (&self.grid).into()),
            ("particles", solver.particles.into()),
            ("particle_velocities", solver.particle_velocities.into()),
            ("members", (&self.members).into()),
            ("liquids", (&self.rows).into()),
            ("params", (&self.params).into()),
            ("cell_counts", counts.into()),
            ("cell_starts", starts.into()),
            ("block_sums", block_sums.into()),
            ("member_buckets", member_buckets.into()),
            ("proxy_buckets", member_buckets.into()),
            ("bucket_members", bucket_members.into()),
            ("bucket_proxies", bucket_members.into()),
            ("sorted_members", sorted.into()),
            ("splats", (&self.splats).into()),
            ("eye_in", (&self.eye_in).into()),
            ("eye_draw", (&self.eye_draw).into()),
        ];
        for (kernel, threads) in &self.shaping.0 {
            let threads = match threads {
                Threads::Members => self.count,
                Threads::Buckets(each) => self.buckets / each,
                Threads::One => 1,
            };
            kernel.bind_to(context, &given)?.dispatch(pass, threads, 0);
        }
        Ok(())
    }
}
