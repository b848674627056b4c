//! Liquids as one fluid: which particles are in it, and the numbers of its kernel (`fluid/fluid`).

use super::emitters::EmitterTables;
use super::state;
use super::step::Sizes;
use crate::gpu_struct;
use crate::scene::{Liquid, Phase, Scene, store_pitch};

/// Reach of the kernel, in radii of a particle: two spacings of the lattice at rest. A narrower kernel is faster, but liquid
/// that flows would fill another volume than the lattice. `LIQUID_SUPPORT` of `common/contact`.
pub(super) const SUPPORT: f32 = 4.0;
/// How much farther than the kernel neighbors are listed, in radii.
const MARGIN: f32 = 0.2;
/// How far the fastest particle goes until neighbors are searched again, in radii. Neighbors move together, and
/// little counts at the end of the kernel.
const LASTING: f32 = 3.0;
/// How far liquid may move between searches for contacts, in radii, where it meets nothing but bodies and colliders: their
/// lists stay short.
pub(super) const CONTACT_MARGIN: f32 = 6.0;
/// What a body displaces beside it, over what a half space does: its surface turns away at edges and the half space goes on.
/// By how deep boxes of a few spacings float.
const BODY_PART: f32 = 0.9;
/// Neighbors that a particle can list at first; a lattice has 32.
pub(super) const FIRST_SLOTS: u32 = 56;

/// `MOST_DRAG` and `MOST_SWEEPS` of `fluid/fluid`.
const MOST_DRAG: f32 = 0.8;
const MOST_SWEEPS: f32 = 8.0;
/// Part of a velocity, or of a radius, that may be left out in a substep.
const NEGLIGIBLE: f32 = 1e-3;
/// Integral of q⁴ times the force of `fluid/viscosity` over q from 0 to 1.
const PULL_MOMENT: f32 = 0.04773;

gpu_struct! {
    /// `Fluid` of `fluid/fluid`.
    pub(super) struct FluidRow as "Fluid" {
        pub(super) particle_count: u32,
        pub(super) slots: u32,
        pub(super) mixed: u32,
        pub(super) cell_mask: u32,
        pub(super) support: f32,
        pub(super) reach: f32,
        pub(super) cell_size: f32,
        pub(super) norm: f32,
        pub(super) body_part: f32,
        pub(super) margin: f32,
        pub(super) drag_rate: f32,
        pub(super) contact_margin: f32,
        pub(super) store_pitch: f32,
        pub(super) padding_a: u32,
        pub(super) padding_b: u32,
        pub(super) padding_c: u32,
    }
}

gpu_struct! {
    /// `Boundary` of `fluid/fluid`.
    pub(super) struct BoundaryRow as "Boundary" {
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
    /// Of each particle the drag between neighbors [kg/s] and their cohesion [N]; 0 for solids. Shape [particle_count].
    pub(super) liquids: Vec<[f32; 2]>,
    /// ε d² of each particle [m²/s]: how strongly its liquid confines vorticity.
    pub(super) confinements: Vec<f32>,
    /// How fast the most viscous liquid evens out what moves [1/s].
    pub(super) drag_rate: f32,
    /// Largest acceleration by cohesion over the radius [1/s²].
    pub(super) pull_rate: f32,
    pub(super) emitters: EmitterTables,
    /// Radius of liquid [m].
    radius: f32,
    /// Whether members differ in size or mass.
    mixed: bool,
    /// Whether nothing but liquid moves.
    alone: bool,
}

/// Whether nothing but liquid moves, which meets colliders only: lists of what else may be near need no room.
pub(super) fn is_alone(scene: &Scene) -> bool {
    let quiet = |phase: Phase| phase.contains(Phase::LIQUID) || phase.contains(Phase::GHOST);
    !scene.liquids.is_empty() && scene.particles.iter().all(|p| quiet(p.phase))
}

impl FluidTables {
    /// `is_free` tells which particles no body holds.
    pub(super) fn new(scene: &Scene, is_free: impl Fn(usize) -> bool) -> Self {
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
            let first = object.first_particle.0 as usize;
            loose[first..first + object.particle_count as usize].fill(false);
        }
        for i in &others {
            // What constraints join fills cubes, grains are balls.
            let part = if loose[*i] { std::f32::consts::PI / 6.0 } else { 1.0 };
            volumes[*i] = -part * (scene.particles[*i].radius / radius).powi(3);
        }
        let mixed = !others.is_empty() || scene.liquids.iter().any(|l| l.density != first.density);
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
        let members = liquid.iter().chain(&others).map(|i| *i as u32).collect();
        Self {
            members,
            volumes,
            liquids,
            confinements,
            drag_rate,
            pull_rate,
            emitters: EmitterTables::new(scene),
            radius,
            mixed,
            alone: is_alone(scene),
        }
    }

    /// What passes of the fluid depend on, over `rest`.
    pub(super) fn sizes(&self, rest: Sizes) -> Sizes {
        Sizes {
            candidate_capacity: if self.alone { 0 } else { state::CANDIDATE_CAPACITY },
            fluid_particles: self.members.len() as u32,
            fluid_cells: state::cell_count(self.members.len()),
            drag_rate: self.drag_rate,
            pull_rate: self.pull_rate,
            confined: if self.confines() { self.members.len() as u32 } else { 0 },
            emitters: self.emitters.rows.len() as u32,
            drains: self.emitters.drains.len() as u32,
            ..rest
        }
    }

    /// Whether a liquid confines its vorticity.
    fn confines(&self) -> bool {
        self.confinements.iter().any(|c| *c > 0.0)
    }

    /// What kernels are told, for a grid of so many cells and so many neighbors.
    pub(super) fn row(&self, cells: u32, slots: u32) -> FluidRow {
        let support = SUPPORT * self.radius;
        let reach = support + MARGIN * self.radius;
        FluidRow {
            particle_count: self.members.len() as u32,
            slots: slots.next_multiple_of(4),
            mixed: u32::from(self.mixed),
            cell_mask: cells - 1,
            support,
            reach,
            cell_size: (0.5 * reach).max(1e-6),
            norm: lattice_norm(0.5 * f64::from(SUPPORT)),
            body_part: BODY_PART,
            margin: LASTING * self.radius,
            drag_rate: self.drag_rate,
            contact_margin: if self.mixed { 0.0 } else { CONTACT_MARGIN * self.radius },
            store_pitch: store_pitch(self.radius),
            ..FluidRow::default()
        }
    }
}

/// Particles of liquid that a body of this reach [m] may touch: those in a shell around a ball, as thick as they feel and one
/// more for what moves.
pub(super) fn contacts_of(scene: &Scene, reach: f32) -> u32 {
    let Some(liquid) = scene.liquids.first() else { return 0 };
    let spacing = 2.0 * liquid.radius;
    let ball = |radius: f32| 4.0 / 3.0 * std::f32::consts::PI * (radius / spacing).powi(3);
    let all: usize = scene.liquids.iter().flat_map(|l| &l.blocks).map(ExactSizeIterator::len).sum();
    ((ball(reach + 0.5 * SUPPORT * spacing + spacing) - ball(reach)) as u32).min(all as u32)
}

/// Drag between neighbors [kg/s]: velocities are averaged with the kernel, whose variance along an axis is h²/11, so that they
/// diffuse by the viscosity.
fn drag(liquid: &Liquid) -> f32 {
    let support = SUPPORT * liquid.radius;
    22.0 * liquid.viscosity * (2.0 * liquid.radius).powi(3) / (support * support)
}

/// Largest force between two particles [N], for a tension σ = π/8 n² ∫ r⁴ F dr in a liquid of n particles a volume whose pairs
/// pull with F (Fowler 1937).
fn pull(liquid: &Liquid) -> f32 {
    let support = SUPPORT * liquid.radius;
    let density = (2.0 * liquid.radius).powi(-3);
    8.0 * liquid.tension / (std::f32::consts::PI * density * density * PULL_MOMENT * support.powi(5))
}

/// Sweeps of viscosity that a substep of this duration [s] needs; none where neither it nor cohesion changes anything.
pub(super) fn sweeps(drag_rate: f32, pull_rate: f32, substep_dt: f32) -> u32 {
    let matters = drag_rate * substep_dt > NEGLIGIBLE || pull_rate * substep_dt * substep_dt > NEGLIGIBLE;
    let wanted = (drag_rate * substep_dt / MOST_DRAG).ceil().clamp(1.0, MOST_SWEEPS);
    if matters { wanted as u32 } else { 0 }
}

/// 1 over the sum of (1 - r²/h²)³ over a cubic lattice, `support` being h in spacings.
fn lattice_norm(support: f64) -> f32 {
    let most = support.ceil() as i32;
    let range = || -most..=most;
    let squares = range().flat_map(|x| range().flat_map(move |y| range().map(move |z| x * x + y * y + z * z)));
    let sum: f64 = squares.map(|square| (1.0 - f64::from(square) / support.powi(2)).max(0.0).powi(3)).sum();
    (1.0 / sum) as f32
}

/// A pass that runs the kernel of another pass on other buffers: name, kernel, and what each variable stands for.
type Repeated = (&'static str, &'static str, &'static [(&'static str, &'static str)]);

/// All of these.
pub(super) const REPEATED: &[Repeated] = &[
    (
        "fluid/scan_blocks",
        "broad_phase/scan_blocks",
        &[
            ("cell_counts", "fluid_cell_counts"),
            ("cell_starts", "fluid_cell_starts"),
            ("block_sums", "fluid_block_sums"),
        ],
    ),
    ("fluid/scan_sums", "broad_phase/scan_sums", &[("params", "fluid_params"), ("block_sums", "fluid_block_sums")]),
    (
        "fluid/scan_add",
        "broad_phase/scan_add",
        &[("params", "fluid_params"), ("cell_starts", "fluid_cell_starts"), ("block_sums", "fluid_block_sums")],
    ),
    (
        "fluid/scatter",
        "broad_phase/scatter",
        &[
            ("params", "fluid_params"),
            ("proxy_buckets", "fluid_buckets"),
            ("cell_starts", "fluid_cell_starts"),
            ("cell_counts", "fluid_cell_counts"),
            ("bucket_proxies", "fluid_bucket_particles"),
        ],
    ),
    ("fluid/reorder", "fluid/gather", &[]),
];

/// Passes that look for neighbors in liquid: those of contacts again, on a finer grid with its own margin.
pub(super) fn search(s: &Sizes) -> Vec<(&'static str, u32)> {
    if s.fluid_particles == 0 {
        return Vec::new();
    }
    vec![
        ("fluid/count", s.fluid_particles),
        ("fluid/scan_blocks", s.fluid_cells / 16),
        ("fluid/scan_sums", 64),
        ("fluid/scan_add", s.fluid_cells),
        ("fluid/scatter", s.fluid_particles),
        ("fluid/sort", s.fluid_particles),
        ("fluid/reorder", s.fluid_particles),
        ("fluid/find", s.fluid_particles),
    ]
}
