//! Liquids as one fluid: which particles are in it, and the numbers of its kernel (`common/fluid`).

use crate::gpu_struct;
use crate::scene::{Phase, Scene};

/// Reach of the kernel, in radii of a particle: two spacings of the lattice at rest. A narrower kernel is faster, but liquid
/// that flows would fill another volume than the lattice. `LIQUID_SUPPORT` of `common/contact`.
pub(super) const SUPPORT: f32 = 4.0;
/// How far neighbors may move until they are searched again, in radii; nearly nothing counts at the end of the kernel.
const MARGIN: f32 = 0.2;
/// Neighbors that a particle can list at first; a lattice has 32.
pub(super) const FIRST_SLOTS: u32 = 56;

gpu_struct! {
    /// `Fluid` of `common/fluid`.
    pub(super) struct FluidRow as "Fluid" {
        pub(super) member_count: u32,
        pub(super) slots: u32,
        pub(super) mixed: u32,
        pub(super) cell_mask: u32,
        pub(super) support: f32,
        pub(super) reach: f32,
        pub(super) cell_size: f32,
        pub(super) norm: f32,
        pub(super) wall_norm: f32,
        pub(super) margin: f32,
        pub(super) padding_a: f32,
        pub(super) padding_b: f32,
    }
}

gpu_struct! {
    /// `Walls` of `common/fluid`.
    pub(super) struct WallsRow as "Walls" {
        pub(super) push: [f32; 3],
        pub(super) fill: f32,
        pub(super) give: f32,
        pub(super) count: f32,
        pub(super) padding_a: f32,
        pub(super) padding_b: f32,
    }
}

/// The fluid of a scene.
#[derive(Debug, Default)]
pub(super) struct FluidTables {
    /// Particle of each member: of liquids, then others that no body holds; empty without liquids.
    pub(super) members: Vec<u32>,
    /// What each particle displaces, in particles of liquid, negative for solids; 0 for what is not in the fluid. Shape
    /// [particle_count].
    pub(super) volumes: Vec<f32>,
    /// Radius of liquid [m].
    radius: f32,
    /// Whether members differ in size or mass.
    mixed: bool,
}

impl FluidTables {
    /// `is_free` tells which particles no body holds.
    pub(super) fn new(scene: &Scene, is_free: impl Fn(usize) -> bool) -> Self {
        let Some(first) = scene.liquids.first() else {
            return Self { volumes: vec![0.0; scene.particles.len()], ..Self::default() };
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
            let first = object.first_particle.0 as usize;
            loose[first..first + object.particle_count as usize].fill(false);
        }
        for i in &others {
            // What constraints join fills cubes, grains are balls.
            let part = if loose[*i] { std::f32::consts::PI / 6.0 } else { 1.0 };
            volumes[*i] = -part * (scene.particles[*i].radius / radius).powi(3);
        }
        let mixed = !others.is_empty() || scene.liquids.iter().any(|l| l.density != first.density);
        let members = liquid.iter().chain(&others).map(|i| *i as u32).collect();
        Self { members, volumes, radius, mixed }
    }

    /// What kernels are told, for a grid of so many cells and so many neighbors.
    pub(super) fn row(&self, cells: u32, slots: u32) -> FluidRow {
        let support = SUPPORT * self.radius;
        let reach = support + MARGIN * self.radius;
        let kernel = Lattice::new(0.5 * f64::from(SUPPORT));
        FluidRow {
            member_count: self.members.len() as u32,
            slots,
            mixed: u32::from(self.mixed),
            cell_mask: cells - 1,
            support,
            reach,
            cell_size: (0.5 * reach).max(1e-6),
            norm: kernel.norm,
            wall_norm: kernel.wall_norm,
            margin: MARGIN * self.radius,
            ..FluidRow::default()
        }
    }
}

/// Sums of (1 - r²/h²)³ over a cubic lattice.
struct Lattice {
    /// Over the sum.
    norm: f32,
    /// What the lattice lacks beside a wall that its next layer would touch, over what the half space counts there.
    wall_norm: f32,
}

impl Lattice {
    /// `support` is h in spacings.
    fn new(support: f64) -> Self {
        let most = support.ceil() as i32;
        let range = || -most..=most;
        let (mut sum, mut layer) = (0.0, 0.0);
        for (x, y, z) in range().flat_map(|x| range().flat_map(move |y| range().map(move |z| (x, y, z)))) {
            let value = (1.0 - f64::from(x * x + y * y + z * z) / support.powi(2)).max(0.0).powi(3);
            sum += value;
            layer += if z == 0 { value } else { 0.0 };
        }
        let q = 0.5 / support;
        let s = q * q;
        let half_space =
            0.5 - 315.0 / 256.0 * q * (1.0 + s * (-4.0 / 3.0 + s * (6.0 / 5.0 + s * (-4.0 / 7.0 + s / 9.0))));
        Self { norm: (1.0 / sum) as f32, wall_norm: (0.5 * (1.0 - layer / sum) / half_space) as f32 }
    }
}
