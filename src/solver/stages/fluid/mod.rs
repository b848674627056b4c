//! Liquids as one fluid: which particles are in it, the numbers of its kernel (`fluid/fluid`), and its passes: position based
//! fluids (Macklin and Müller 2013).

use super::ground::{Room, SCAN_BLOCK, SCAN_EACH, SCAN_THREADS, World, cell_count};
use super::rows::{Control, ParamsRow};
use super::stage::{Frame, Pass, Trigger};
use crate::gpu::wgsl::common::contact::LIQUID_SUPPORT;
pub(in crate::solver) use crate::gpu::wgsl::fluid::fluid::Fluid as FluidRow;
use crate::gpu::wgsl::fluid::fluid::{Boundary, MOST_DRAG, MOST_SWEEPS, Pressure};
use crate::gpu::{Buffers, GpuError, wgpu::BufferUsages};
use crate::numbers::cubed;
use crate::scene::{Liquid, Phase, Scene};

static COUNT: Pass = Pass::new("fluid/count");
static SCAN_BLOCKS: Pass = Pass::again(
    "fluid/scan_blocks",
    "broad_phase/scan_blocks",
    &[("cell_counts", "fluid_cell_counts"), ("cell_starts", "fluid_cell_starts"), ("block_sums", "fluid_block_sums")],
);
static SCAN_SUMS: Pass = Pass::again(
    "fluid/scan_sums",
    "broad_phase/scan_sums",
    &[("params", "fluid_params"), ("block_sums", "fluid_block_sums")],
);
static SCAN_ADD: Pass = Pass::again(
    "fluid/scan_add",
    "broad_phase/scan_add",
    &[("params", "fluid_params"), ("cell_starts", "fluid_cell_starts"), ("block_sums", "fluid_block_sums")],
);
static SCATTER: Pass = Pass::again(
    "fluid/scatter",
    "broad_phase/scatter",
    &[
        ("params", "fluid_params"),
        ("proxy_buckets", "fluid_buckets"),
        ("cell_starts", "fluid_cell_starts"),
        ("cell_counts", "fluid_cell_counts"),
        ("bucket_proxies", "fluid_bucket_particles"),
    ],
);
static SORT: Pass = Pass::new("fluid/sort");
static REORDER: Pass = Pass::again("fluid/reorder", "fluid/gather", &[]);
static FIND: Pass = Pass::new("fluid/find");
static GATHER: Pass = Pass::new("fluid/gather");
static BOUNDARY: Pass = Pass::new("fluid/boundary");
static BOUNDARY_BODIES: Pass = Pass::new("fluid/boundary_bodies");
static DENSITY: Pass = Pass::new("fluid/density");
static SOLVE: Pass = Pass::new("fluid/solve");
static PUSH: Pass = Pass::new("fluid/push");
static MOTION: Pass = Pass::new("fluid/motion");
static VORTICITY: Pass = Pass::new("fluid/vorticity");
static CONFINE: Pass = Pass::new("fluid/confine");
static VISCOSITY: Pass = Pass::new("fluid/viscosity");
static DRAG: Pass = Pass::new("fluid/drag");
static CALM: Pass = Pass::new("fluid/calm");

/// How much farther than the kernel neighbors are listed, in radii.
const MARGIN: f32 = 0.2;
/// How far the fastest particle goes until neighbors are searched again, in radii. Neighbors move together, and
/// little counts at the end of the kernel.
const LASTING: f32 = 3.0;
/// How far liquid may move between searches for contacts, in radii, where it meets nothing but bodies and colliders: their
/// lists stay short.
const CONTACT_MARGIN: f32 = 6.0;
/// What a body displaces beside it, over what a half space does: its surface turns away at edges and the half space goes on.
/// By how deep boxes of a few spacings float.
const BODY_PART: f32 = 0.9;
/// Neighbors that a particle can list at first; a lattice has 32.
pub(in crate::solver) const FIRST_NEIGHBORS: u32 = 56;

/// Part of a velocity, or of a radius, that may be left out in a substep.
const NEGLIGIBLE: f32 = 1e-3;
/// Integral of q⁴ times the force of `fluid/viscosity` over q from 0 to 1.
const PULL_MOMENT: f32 = 0.04773;

/// Liquids in a frame.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::solver) struct Stage {
    pub(in crate::solver) world: World,
    /// Particles of liquid, and others that are in it.
    pub(in crate::solver) particles: u32,
    /// Buckets of the hash grid of these.
    pub(in crate::solver) cells: u32,
    /// Whether a liquid confines its vorticity.
    pub(in crate::solver) confines: bool,
    /// Whether all liquids have one density, so that they can be calmed.
    pub(in crate::solver) calms: bool,
    /// How fast viscosity works [1/s], and cohesion [1/s²]: of the most viscous liquid and of the most tense.
    pub(in crate::solver) drag_rate: f32,
    pub(in crate::solver) pull_rate: f32,
}

impl Stage {
    /// Looks for neighbors: a hash grid as that of proxies, finer and with its own margin.
    pub(in crate::solver) fn search(&self, f: &mut Frame) {
        if self.particles == 0 {
            return;
        }
        f.run_when(Trigger::Liquid, &COUNT, self.particles);
        f.run_when(Trigger::Liquid, &SCAN_BLOCKS, self.cells / SCAN_EACH);
        f.run_when(Trigger::Liquid, &SCAN_SUMS, SCAN_THREADS);
        f.run_when(Trigger::Liquid, &SCAN_ADD, self.cells);
        f.run_when(Trigger::Liquid, &SCATTER, self.particles);
        f.run_when(Trigger::Liquid, &SORT, self.particles);
        f.run_when(Trigger::Liquid, &REORDER, self.particles);
        f.run_when(Trigger::Liquid, &FIND, self.particles);
    }

    /// Corrects the pressure and moves by the difference, in an iteration.
    pub(in crate::solver) fn solve(&self, f: &mut Frame) {
        let beside_bodies = if self.world.bodies > 0 { self.particles } else { 0 };
        f.run_in_iteration(&GATHER, self.particles);
        // Where moving colliders are depends on the substep.
        f.run(&BOUNDARY, self.particles);
        f.run(&BOUNDARY_BODIES, beside_bodies);
        f.run_in_iteration(&DENSITY, self.particles);
        f.run_in_iteration(&SOLVE, self.particles);
        f.run_in_iteration(&PUSH, beside_bodies);
    }

    /// What liquid does to velocities at the end of a substep, with so many sweeps of viscosity.
    pub(in crate::solver) fn change_velocities(&self, f: &mut Frame, sweeps: u32) {
        let confined = if self.confines { self.particles } else { 0 };
        f.run(&MOTION, confined);
        f.run(&VORTICITY, confined);
        f.run(&CONFINE, confined);
        for _ in 0..sweeps {
            f.run(&MOTION, self.particles);
            f.run(&VISCOSITY, self.particles);
        }
        f.run(&DRAG, if sweeps > 0 { self.particles } else { 0 });
    }

    /// Lets liquid come to rest, at the end of a frame.
    pub(in crate::solver) fn calm(&self, f: &mut Frame) {
        let calmed = if self.calms { self.particles } else { 0 };
        f.run(&MOTION, calmed);
        f.run(&CALM, calmed);
    }

    /// Sweeps of viscosity that a substep of this duration [s] needs; none where neither it nor cohesion changes anything.
    pub(in crate::solver) fn sweeps(&self, substep_dt: f32) -> u32 {
        sweeps(self.drag_rate, self.pull_rate, substep_dt)
    }

    /// How much farther than its radius and `margin`, in radii, liquid feels surfaces [m].
    pub(in crate::solver) fn surplus(&self, margin: f32) -> f32 {
        let radii = LIQUID_SUPPORT - 1.0 + CONTACT_MARGIN - margin;
        if self.particles > 0 { radii * self.world.radius } else { 0.0 }
    }

    /// Makes the lists of neighbors, with so many for each.
    pub(in crate::solver) fn create_neighbors(&self, b: &mut Buffers, neighbors: u32) -> Result<(), GpuError> {
        b.create_texture("fluid_neighbors", self.particles as usize * neighbors.div_ceil(4) as usize) // by four, of all of them
    }

    /// Tells kernels of so many neighbors for each.
    pub(in crate::solver) fn write_room(&self, b: &Buffers, neighbors: u32) -> Result<(), GpuError> {
        b.upload_fields("fluid", 0, std::mem::offset_of!(FluidRow, slots), &neighbors.next_multiple_of(4))
    }

    /// Gives the lists of neighbors more room when one came near its end.
    pub(in crate::solver) fn grow(control: &Control, room: &mut Room) {
        if 4 * control.liquid_most > 3 * room.liquid_neighbors {
            room.liquid_neighbors =
                (room.liquid_neighbors + room.liquid_neighbors / 2).max(control.liquid_most * 4 / 3);
        }
    }
}

/// The fluid of a scene.
#[derive(Debug, Default)]
pub(in crate::solver) struct Tables {
    /// Particle of each member: of liquids, then others that no body holds; empty without liquids.
    pub(in crate::solver) particles: Vec<u32>,
    /// What each particle displaces, in particles of liquid, negative for solids; 0 for what is not in the fluid. Shape
    /// [particle_count].
    pub(in crate::solver) volumes: Vec<f32>,
    /// Of each particle the drag between neighbors [kg/s] and their cohesion [N]; 0 for solids. Shape [particle_count].
    pub(in crate::solver) liquids: Vec<[f32; 2]>,
    /// ε d² of each particle [m²/s]: how strongly its liquid confines vorticity.
    pub(super) confinements: Vec<f32>,
    /// How fast the most viscous liquid evens out what moves [1/s].
    pub(in crate::solver) drag_rate: f32,
    /// Largest acceleration by cohesion over the radius [1/s²].
    pub(in crate::solver) pull_rate: f32,
    /// Radius of liquid [m].
    radius: f32,
    /// Whether members differ in size or mass.
    pub(in crate::solver) mixed: bool,
    /// Whether all liquids have one density.
    alike: bool,
}

impl Tables {
    /// `is_free` tells which particles no body holds.
    pub(in crate::solver) fn new(scene: &Scene, is_free: impl Fn(usize) -> bool) -> Self {
        let Some(first) = scene.liquids.first() else {
            let count = scene.particles.len();
            return Self {
                volumes: vec![0.0; count],
                liquids: vec![[0.0; 2]; count],
                confinements: vec![0.0; count],
                ..Self::default()
            };
        };
        let radius = first.radius;
        let of_liquid = |i: &usize| scene.particles[*i].phase.contains(Phase::LIQUID);
        let solid = |i: &usize| is_free(*i) && !of_liquid(i) && !scene.particles[*i].phase.contains(Phase::GHOST);
        let liquid: Vec<usize> = (0..scene.particles.len()).filter(of_liquid).collect();
        let others: Vec<usize> = (0..scene.particles.len()).filter(solid).collect();
        let mut volumes = vec![0.0; scene.particles.len()];
        liquid.iter().for_each(|i| volumes[*i] = 1.0);
        let mut loose = vec![true; scene.particles.len()];
        for object in &scene.deformables {
            object.ranges().flatten().for_each(|i| loose[i as usize] = false);
        }
        for i in &others {
            // What constraints join fills cubes, grains are balls.
            let part = if loose[*i] { std::f32::consts::PI / 6.0 } else { 1.0 };
            volumes[*i] = -part * cubed(scene.particles[*i].radius / radius);
        }
        let alike = scene.liquids.iter().all(|l| l.density == first.density);
        let mixed = !others.is_empty() || !alike;
        let mut liquids = vec![[0.0; 2]; scene.particles.len()];
        let mut confinements = vec![0.0; scene.particles.len()];
        let (mut drag_rate, mut pull_rate) = (0.0_f32, 0.0_f32);
        for of in &scene.liquids {
            let [drag, pull] = [drag(of), pull(of)];
            drag_rate = drag_rate.max(drag / of.particle_mass());
            pull_rate = pull_rate.max(pull / (of.particle_mass() * of.radius));
            for block in &of.blocks {
                let block = block.start as usize..block.end as usize;
                liquids[block.clone()].fill([drag, pull]);
                confinements[block].fill(of.confinement * (2.0 * radius).powi(2));
            }
        }
        let particles = liquid.iter().chain(&others).map(|i| *i as u32).collect();
        Self { particles, volumes, liquids, confinements, drag_rate, pull_rate, radius, mixed, alike }
    }

    /// What is left of it in a frame.
    pub(in crate::solver) fn stage(&self, world: World) -> Stage {
        Stage {
            world,
            particles: self.particles.len() as u32,
            cells: cell_count(self.particles.len()),
            confines: self.confines(),
            calms: self.alike,
            drag_rate: self.drag_rate,
            pull_rate: self.pull_rate,
        }
    }

    /// Makes the buffers of liquid, with so many neighbors for each. They are in the order of `fluid_particles` until sorted, from
    /// then on in that of the grid.
    pub(in crate::solver) fn create(&self, b: &mut Buffers, stage: &Stage, neighbors: u32) -> Result<(), GpuError> {
        let (count, cells, none) = (self.particles.len(), stage.cells as usize, BufferUsages::empty());
        b.create_uniform("fluid", &[self.row(stage.cells, neighbors)])?;
        let grid = ParamsRow { proxy_count: stage.particles, cell_mask: stage.cells - 1, ..ParamsRow::default() };
        b.create_uniform("fluid_params", &[grid])?; // what kernels of the hash grid of proxies read as `params`
        b.create_with("fluid_particles", &self.particles)?; // [fluid_count] particle of each
        b.create_with("particle_volumes", &self.volumes)?; // [particle_count] what each displaces, in particles of liquid
        b.create_with("particle_liquids", &self.liquids)?; // [particle_count] drag [kg/s] and cohesion [N] of its liquid
        b.create::<Pressure>("particle_pressures", stage.world.particles as usize, none)?; // [particle_count]
        b.create::<u32>("fluid_cell_counts", cells, none)?; // [fluid_cells] as `cell_counts`
        b.create::<u32>("fluid_cell_starts", cells + 1, none)?; // [fluid_cells + 1] as `cell_starts`
        b.create::<u32>("fluid_block_sums", cells / SCAN_BLOCK as usize, none)?; // scan totals
        b.create::<u32>("fluid_buckets", count, none)?; // [fluid_count]
        b.create::<u32>("fluid_bucket_particles", count, none)?; // [fluid_count] by bucket, order undefined
        b.create::<u32>("sorted_particles", count, none)?; // [fluid_count] particle of each, in the order of the grid
        b.create_texture("fluid_places", count + 1)?; // [fluid_count + 1] position [m]; volume and inverse mass as halves
        b.create_texture("fluid_motions", count + 1)?; // [fluid_count + 1] velocity [m/s]; drag and cohesion as halves
        b.create_with("particle_confinements", &self.confinements)?; // [particle_count] ε d² [m²/s]
        // [fluid_count + 1] ε d² ω [m²/s²], one row where no liquid confines any
        b.create_texture("fluid_whirls", if stage.confines { count + 1 } else { 1 })?;
        b.create::<u32>("fluid_counts", count, none)?; // [fluid_count] neighbors of each
        stage.create_neighbors(b, neighbors)?;
        b.create::<Boundary>("fluid_boundaries", count, none)?; // [fluid_count] what bodies and colliders displace
        b.create_texture("fluid_steps", count + 1) // [fluid_count + 1] position [m]; two changes of λ [kg m²] as halves
    }

    /// Whether a liquid confines its vorticity.
    fn confines(&self) -> bool {
        self.confinements.iter().any(|c| *c > 0.0)
    }

    /// What kernels are told, for a grid of so many cells and so many neighbors.
    pub(in crate::solver) fn row(&self, cells: u32, slots: u32) -> FluidRow {
        let support = LIQUID_SUPPORT * self.radius;
        let reach = support + MARGIN * self.radius;
        FluidRow {
            particle_count: self.particles.len() as u32,
            slots: slots.next_multiple_of(4),
            cell_mask: cells - 1,
            support,
            reach,
            cell_size: (0.5 * reach).max(1e-6),
            norm: lattice_norm(0.5 * f64::from(LIQUID_SUPPORT)),
            body_part: BODY_PART,
            margin: LASTING * self.radius,
            drag_rate: self.drag_rate,
            contact_margin: if self.mixed { 0.0 } else { CONTACT_MARGIN * self.radius },
        }
    }
}

/// Drag between neighbors [kg/s]: velocities are averaged with the kernel, whose variance along an axis is h²/11, so that they
/// diffuse by the viscosity.
fn drag(liquid: &Liquid) -> f32 {
    let support = LIQUID_SUPPORT * liquid.radius;
    22.0 * liquid.viscosity * cubed(2.0 * liquid.radius) / (support * support)
}

/// Largest force between two particles [N], for a tension σ = π/8 n² ∫ r⁴ F dr in a liquid of n particles a volume whose pairs
/// pull with F (Fowler 1937).
fn pull(liquid: &Liquid) -> f32 {
    let support = LIQUID_SUPPORT * liquid.radius;
    let density = 1.0 / cubed(2.0 * liquid.radius);
    8.0 * liquid.tension / (std::f32::consts::PI * density * density * PULL_MOMENT * cubed(support) * support * support)
}

fn sweeps(drag_rate: f32, pull_rate: f32, substep_dt: f32) -> u32 {
    let matters = drag_rate * substep_dt > NEGLIGIBLE || pull_rate * substep_dt * substep_dt > NEGLIGIBLE;
    let wanted = (drag_rate * substep_dt / MOST_DRAG).ceil().clamp(1.0, MOST_SWEEPS);
    if matters { wanted as u32 } else { 0 }
}

/// 1 over the sum of (1 - r²/h²)³ over a cubic lattice, `support` being h in spacings.
fn lattice_norm(support: f64) -> f32 {
    let most = support.ceil() as i32;
    let range = || -most..=most;
    let squares = range().flat_map(|x| range().flat_map(move |y| range().map(move |z| x * x + y * y + z * z)));
    let sum: f64 = squares.map(|square| cubed((1.0 - f64::from(square) / support.powi(2)).max(0.0))).sum();
    (1.0 / sum) as f32
}
