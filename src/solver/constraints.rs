//! Constraints of a scene as the GPU holds them: rows in solving order, and the kernel that solves every type.

use std::fmt::Write as _;

use super::global::GlobalTables;
use super::objects::Objects;
use super::plasticity::PlasticRow;
use super::rows::{AttachedBodyRow, AttachmentRow, vec4};
use super::tear::{self, TearRow};
use crate::constraints::{MOST_VALUES, NO_PARTICLE, Partition, Partitioned, PlasticTetrahedron, Row, TYPES, Type};
use crate::gpu::{Context, GpuError, Kernel};
use crate::scene::Scene;

/// Name of the kernel made from all types.
pub(super) const SOLVE: &str = "constraints/solve";
/// `HEAD_KIND` of `constraints/solve`: bits of a head below the type.
const HEAD_KIND: u32 = 26;

/// `PHANTOMS_HYBRID` of `common/phantoms`.
const PHANTOMS_HYBRID: u32 = 1 << 31;

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
                _ => {
                    self.attached_bodies.push(AttachedBodyRow { body: attachment.body.0, first, count: 1, padding: 0 })
                }
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
    Kernel::from_source(context, SOLVE, &source(kinds), &[])
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
