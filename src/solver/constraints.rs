//! Constraints of a scene as the GPU holds them: rows in solving order, and the kernel that solves every type.

use std::fmt::Write as _;

use super::global::{self, GlobalTables};
use super::ground::{MOST_SUBSTEPS, World};
use super::objects::Objects;
use super::plasticity::PlasticRow;
use super::rows::{Batch, vec4};
use super::stage::{Frame, Pass};
use super::tear::{self, TearRow};
use crate::constraints::{
    GLOBAL_TYPES, MOST_VALUES, NO_PARTICLE, Partition, Partitioned, PlasticTetrahedron, Row, TYPES, Type,
};
use crate::gpu::wgsl::common::workgroup_sum::SUM_WIDTH;
use crate::gpu::wgsl::constraints::attach::{AttachedBody as AttachedBodyRow, Attachment as AttachmentRow};
use crate::gpu::wgsl::constraints::phantoms::PHANTOMS_HYBRID;
use crate::gpu::wgsl::constraints::project::HEAD_KIND;
use crate::gpu::{Buffers, Context, GpuError, Kernel, wgpu::BufferUsages};
use crate::scene::Scene;

static MEASURE: Pass = Pass::new("constraints/measure_objects");
static BEGIN: Pass = Pass::new("constraints/begin");
static SPLIT: Pass = Pass::new("constraints/split");
/// Its kernel is made from all types that a scene has: [`kernel`].
pub(super) static SOLVE: Pass = Pass::new("constraints/solve");
static ATTACH: Pass = Pass::new("constraints/attach");
static END: Pass = Pass::new("constraints/end");
static TEAR: Pass = Pass::new("constraints/tear");
static SETTLE: Pass = Pass::new("constraints/settle_objects");
static PLASTICITY: Pass = Pass::new("constraints/plasticity");

/// Constraints in a frame.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Stage {
    pub(super) world: World,
    pub(super) attached_bodies: u32,
    /// Tetrahedra whose rest shape flows.
    pub(super) plastic: u32,
    /// Global constraints of each type.
    pub(super) global: [u32; GLOBAL_TYPES.len()],
    /// Whether the last color solves phantom particles that start where the others left theirs.
    pub(super) hybrid: bool,
    pub(super) objects: u32,
    /// Edges that can break.
    pub(super) tears: u32,
}

impl Stage {
    /// Gauss–Seidel: a dispatch for each color of all types and objects, then one for each type of global constraints. `colors` has
    /// the constraints of each color.
    pub(super) fn solve(&self, f: &mut Frame, colors: &[u32]) {
        let any = colors.len() as u32 + self.attached_bodies + self.global.iter().sum::<u32>() > 0;
        let joined = if any { self.world.particles } else { 0 };
        f.run(&MEASURE, SUM_WIDTH * self.objects);
        f.run(&BEGIN, joined);
        for (color, count) in (0..).zip(colors) {
            let last = color + 1 == colors.len() as u32;
            f.run(&SPLIT, if last && self.hybrid { self.world.particles } else { 0 });
            f.run_color(&SOLVE, *count, color);
        }
        for ((pass, count), kind) in global::passes().iter().zip(self.global).zip(0..) {
            f.run_global(pass, SUM_WIDTH * count, kind);
        }
        f.run_in_iteration(&ATTACH, self.attached_bodies);
        f.run_in_iteration(&END, joined);
        f.run_in_iteration(&TEAR, self.tears);
        f.run_in_iteration(&SETTLE, SUM_WIDTH * self.objects);
    }

    /// Rest shapes follow what was strained too far, once a frame.
    pub(super) fn yield_shapes(&self, f: &mut Frame) {
        f.run(&PLASTICITY, self.plastic);
    }
}

/// Whether a pass is of the solving of constraints, and not of what whole objects keep before and after.
pub(crate) fn solves(pass: &str) -> bool {
    pass.starts_with("constraints/") && ![MEASURE.name, SETTLE.name].contains(&pass)
}

/// Rows in solving order. Kept while the scene's constraints stay as they are: coloring takes seconds for large ones.
#[derive(Clone, Debug, Default)]
pub(super) struct ConstraintTables {
    /// Type and first word of each row, bits of its damping time [s].
    pub(super) heads: Vec<[u32; 2]>,
    /// Of each row its particles, then its numbers.
    pub(super) words: Vec<[u32; 4]>,
    /// Whether phantom particles belong to the last color alone.
    pub(super) hybrid: bool,
    /// First phantom and number of phantoms of each particle, the number with a bit for hybrid ones, shape [particle_count].
    pub(super) phantoms: Vec<[u32; 2]>,
    /// The particle of each phantom.
    pub(super) originals: Vec<u32>,
    /// First row of each color, then the end.
    pub(super) color_starts: Vec<u32>,
    /// Particles held by bodies, by body.
    pub(super) attachments: Vec<AttachmentRow>,
    /// The bodies that hold them.
    pub(super) attached_bodies: Vec<AttachedBodyRow>,
    /// Tetrahedra whose rest shape flows, in the order of the scene.
    pub(super) plastic: Vec<PlasticRow>,
    /// Edges that can break, in the order of the scene.
    pub(super) tears: Vec<TearRow>,
    /// Those that join more particles than a row does.
    pub(super) global: GlobalTables,
    /// What all of them join.
    pub(super) objects: Objects,
    /// What they were made from.
    partition: Partition,
    counts: [usize; 5],
}

impl ConstraintTables {
    pub(super) fn new(scene: &Scene) -> Self {
        let rows = &scene.constraints;
        let fixed = |i: u32| scene.particles[i as usize].mass == 0.0;
        let divided = Partitioned::new(rows, scene.particles.len(), fixed, scene.params.partition);
        let hybrid = if divided.hybrid { PHANTOMS_HYBRID } else { 0 };
        let mut tables = Self {
            hybrid: divided.hybrid,
            phantoms: divided.phantoms.iter().map(|(first, count)| [*first, count | hybrid]).collect(),
            originals: divided.originals,
            color_starts: divided.color_starts,
            partition: scene.params.partition,
            counts: Self::counts(scene),
            global: GlobalTables::new(scene),
            objects: Objects::new(scene),
            ..Self::default()
        };
        tables.heads.reserve(rows.len());
        let mut first_words = vec![0; rows.len()];
        for i in divided.order.iter().map(|i| *i as usize) {
            first_words[i] = tables.words.len() as u32;
            tables.push(&rows[i], divided.slots[i]);
        }
        let row = |t: &PlasticTetrahedron| PlasticRow::new(t, scene, first_words[t.constraint as usize]);
        tables.plastic = scene.plastic_tetrahedra.iter().map(row).collect();
        let mut places = vec![0; rows.len()];
        divided.order.iter().zip(0..).for_each(|(i, place)| places[*i as usize] = place);
        tables.tears = tear::rows(scene, &places);
        tables.attach(scene);
        tables
    }

    fn attach(&mut self, scene: &Scene) {
        let mut order: Vec<_> = scene.attachments.iter().collect();
        order.sort_by_key(|a| a.body);
        for attachment in order {
            let first = self.attachments.len() as u32;
            self.attachments.push(AttachmentRow {
                local: vec4(attachment.local, attachment.compliance),
                particle: attachment.particle.0,
                ..AttachmentRow::default()
            });
            match self.attached_bodies.last_mut() {
                Some(last) if last.body == attachment.body.0 => last.count += 1,
                _ => self.attached_bodies.push(AttachedBodyRow { body: attachment.body.0, first, count: 1 }),
            }
        }
    }

    /// Whether they still describe this scene; constraints and particles are only ever added.
    pub(super) fn fit(&self, scene: &Scene) -> bool {
        self.counts == Self::counts(scene) && self.partition == scene.params.partition
    }

    /// How they are divided.
    pub(super) fn partition(&self) -> Partition {
        self.partition
    }

    fn counts(scene: &Scene) -> [usize; 5] {
        let (global, plastic) = (scene.global_constraints.len(), scene.plastic_tetrahedra.len());
        [scene.constraints.len(), scene.particles.len(), scene.attachments.len(), global, plastic]
    }

    fn push(&mut self, row: &Row, particles: [u32; 4]) {
        let first = self.words.len() as u32;
        self.heads.push([(row.kind.index() as u32 * (1 << HEAD_KIND)) | first, row.damping.to_bits()]);
        let mut places = [NO_PARTICLE; 4];
        places[..row.kind.particles].copy_from_slice(&particles[..row.kind.particles]);
        self.words.push(places);
        let bits = row.values.map(f32::to_bits);
        let (words, _) = bits.as_chunks::<4>();
        self.words.extend(&words[..row.kind.values.div_ceil(4)]);
    }

    /// What is left of them in a frame.
    pub(super) fn stage(&self, world: World) -> Stage {
        Stage {
            world,
            attached_bodies: self.attached_bodies.len() as u32,
            plastic: self.plastic.len() as u32,
            global: std::array::from_fn(|kind| self.global.ranges.get(kind).map_or(0, |range| range.1)),
            hybrid: self.hybrid,
            objects: self.objects.rows.len() as u32,
            tears: self.tears.len() as u32,
        }
    }

    /// Rows of `batch`: of the substeps, written every frame, and of colors and global constraints; see `stage::color_row`.
    fn batches(&self) -> Vec<Batch> {
        let mut rows = vec![Batch::default(); MOST_SUBSTEPS];
        let attached = self.attached_bodies.len() as u32;
        for (iteration, last) in [(0, 0), (1, 0), (0, 1), (1, 1)] {
            let colors = self.color_starts.windows(2).map(|range| (range[0], range[1] - range[0]));
            let row = |(first, count)| Batch { iteration, last, first, count, ..Batch::default() };
            rows.extend(colors.chain([(0, attached)]).chain(self.global.ranges.iter().copied()).map(row));
        }
        rows
    }

    /// Makes the buffers of constraints.
    pub(super) fn create(&self, b: &mut Buffers, particles: usize) -> Result<(), GpuError> {
        let none = BufferUsages::empty();
        b.create_uniform("batch", &self.batches())?; // rows of the substeps, then of the colors
        b.create_with("constraint_heads", &self.heads)?; // [constraint_count] type and first word, damping time [s]
        b.create_with("constraint_words", &self.words)?; // particles and numbers of each
        b.create::<[f32; 4]>("constraint_multipliers", self.heads.len(), none)?; // [constraint_count] λ of this substep
        b.create_with("color_starts", &self.color_starts)?; // [color_count + 1] first constraint of each color, then the end
        b.create::<u32>("color_marks", self.marks(particles), none)?; // clashes; of each particle its last color
        b.create_with("phantom_originals", &self.originals)?; // the particle of each phantom
        b.create_with("tears", &self.tears)?; // [tear_count] edges that can break
        b.create_with("torn_edges", &vec![0u32; self.tears.len()])?; // [tear_count] 1 once torn
        b.create_with("plastic_tetrahedra", &self.plastic)?; // those whose rest shape flows, into constraint_words
        b.create_with("attached_bodies", &self.attached_bodies)?; // [attached_body_count] ranges of attachments
        b.create_with("attachments", &self.attachments)?; // [attachment_count] particles on bodies
        b.create::<[f32; 4]>("attachment_multipliers", self.attachments.len(), none)?; // [attachment_count] λ of this substep
        self.global.create(b)?;
        b.create_with("objects", &self.objects.rows)?; // [object_count] what constraints join
        b.create_with("object_members", &self.objects.members)?; // their particles
        b.create::<[f32; 4]>("object_spins", self.objects.rows.len(), none)?; // [object_count] angular momentum [kg m²/s]
        b.create_with("particle_phantoms", &self.phantoms)?; // [particle_count] first phantom, number of phantoms
        let split = particles + self.originals.len();
        b.create::<[f32; 4]>("particle_starts", split, none)?; // [particle_count + phantoms] place before constraints [m], 1/mass
        b.create::<[f32; 4]>("particle_deltas", split, none) // [particle_count + phantoms] corrections since [m]
    }

    /// Words of `color_marks`: the count, then one for every particle and phantom.
    pub(super) fn marks(&self, particles: usize) -> usize {
        1 + particles + self.originals.len()
    }

    /// Rows of each color.
    pub(super) fn color_sizes(&self) -> impl Iterator<Item = u32> {
        self.color_starts.windows(2).map(|w| w[1] - w[0])
    }
}

const _: () = assert!(MOST_VALUES.is_multiple_of(4));

/// The types that a scene has, in the order of the list.
pub(super) fn kinds_of(scene: &Scene) -> Vec<&'static Type> {
    let mut present = vec![false; TYPES.len()];
    scene.constraints.iter().for_each(|row| present[row.kind.index()] = true);
    TYPES.iter().zip(present).filter_map(|(kind, present)| present.then_some(*kind)).collect()
}

/// The kernel that solves one color of these types, from `shaders/constraints/`. Software adapters run through every
/// branch of a switch, so types that a scene lacks are left out.
///
/// # Errors
/// [`GpuError`] when a type has no shader or it does not compile.
pub(super) fn kernel(context: &Context, kinds: &[&'static Type]) -> Result<Kernel, GpuError> {
    Kernel::from_source(context, SOLVE.name, &source(kinds), &[])
}

/// The kernel of all types as text: for the guide.
#[cfg(test)]
pub(super) fn composed() -> crate::gpu::shader::Composed {
    crate::gpu::shader::compose_source(SOLVE.name, &source(TYPES)).expect("shaders of all types")
}

/// Imports, the entry point, and the switches over the types.
fn source(kinds: &[&'static Type]) -> String {
    let mut text = String::from("#import \"constraints/project\"\n");
    let (mut equations, mut counts) = (String::new(), String::new());
    for kind in kinds {
        let (index, name, count) = (kind.index(), kind.name, kind.equations);
        let _ = writeln!(text, "#import \"constraints/{name}\"");
        let _ = writeln!(equations, "case {index}u: {{ return {name}_equation(index, first, x); }}");
        if count > 1 {
            let _ = writeln!(counts, "case {index}u: {{ return {count}u; }}");
        }
    }
    text += "@compute @workgroup_size(WORKGROUP)\n\
        fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {\n\
        solve(global_index(id, groups));\n}\n";
    // One type needs no switch.
    match kinds {
        [only] => {
            let name = only.name;
            text += "fn equation(kind: u32, index: u32, first: u32, x: Stencil) -> Equation {\n";
            let _ = writeln!(text, "return {name}_equation(index, first, x);\n}}");
        }
        _ => {
            text += "fn equation(kind: u32, index: u32, first: u32, x: Stencil) -> Equation {\nswitch kind {\n";
            text += &equations;
            text += "default: { return Equation(); }\n}\n}\n";
        }
    }
    text += "fn equation_count(kind: u32) -> u32 {\nswitch kind {\n";
    text += &counts;
    text += "default: { return 1u; }\n}\n}\n";
    text
}
