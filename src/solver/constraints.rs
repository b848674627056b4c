//! Constraints of a scene as the GPU holds them: rows in solving order, and the kernel that solves every type.

use std::fmt::Write as _;

use crate::constraints::{MOST_VALUES, NO_PARTICLE, Partition, Partitioned, Row, TYPES};
use crate::gpu::{Context, GpuError, Kernel};
use crate::scene::Scene;

/// Name of the kernel made from all types.
pub(super) const SOLVE: &str = "constraints/solve";
/// `HEAD_KIND` of `constraints/solve`: bits of a head below the type.
const HEAD_KIND: u32 = 26;

/// Rows in solving order. Kept while the scene's constraints stay as they are: coloring takes seconds for large ones.
#[derive(Clone, Debug, Default)]
pub(super) struct ConstraintTables {
    /// Type and first word of each row, bits of its damping time [s].
    pub(super) heads: Vec<[u32; 2]>,
    /// Of each row its particles, then its numbers.
    pub(super) words: Vec<[u32; 4]>,
    /// First copy and number of copies of each particle, shape [particle_count].
    pub(super) copies: Vec<[u32; 2]>,
    /// The particle of each copy.
    pub(super) originals: Vec<u32>,
    /// First row of each color, then the end.
    pub(super) color_starts: Vec<u32>,
    /// What they were made from.
    partition: Partition,
    counts: (usize, usize),
}

impl ConstraintTables {
    pub(super) fn new(scene: &Scene) -> Self {
        let rows = &scene.constraints;
        let fixed = |i: u32| scene.particles[i as usize].mass == 0.0;
        let divided = Partitioned::new(rows, scene.particles.len(), fixed, scene.params.partition);
        let mut tables = Self {
            copies: divided.copies.iter().map(|(first, count)| [*first, *count]).collect(),
            originals: divided.originals,
            color_starts: divided.color_starts,
            partition: scene.params.partition,
            counts: Self::counts(scene),
            ..Self::default()
        };
        tables.heads.reserve(rows.len());
        for i in divided.order.iter().map(|i| *i as usize) {
            tables.push(&rows[i], divided.slots[i]);
        }
        tables
    }

    /// Whether they still describe this scene; constraints and particles are only ever added.
    pub(super) fn fit(&self, scene: &Scene) -> bool {
        self.counts == Self::counts(scene) && self.partition == scene.params.partition
    }

    /// How they are divided.
    pub(super) fn partition(&self) -> Partition {
        self.partition
    }

    fn counts(scene: &Scene) -> (usize, usize) {
        (scene.constraints.len(), scene.particles.len())
    }

    fn push(&mut self, row: &Row, particles: [u32; 4]) {
        let first = self.words.len() as u32;
        self.heads.push([row.kind.index() as u32 * (1 << HEAD_KIND) | first, row.damping.to_bits()]);
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

/// The kernel that solves one color of every type, from `shaders/constraints/` and the list of types.
///
/// # Errors
/// [`GpuError`] when a type has no shader or it does not compile.
pub(super) fn kernel(context: &Context) -> Result<Kernel, GpuError> {
    Kernel::from_source(context, SOLVE, &source(), &[])
}

/// Imports, the entry point, and the switches over the types.
fn source() -> String {
    let mut text = String::new();
    let _ = writeln!(text, "#import \"constraints/project\"");
    for kind in TYPES {
        let _ = writeln!(text, "#import \"constraints/{}\"", kind.name);
    }
    text += "@compute @workgroup_size(WORKGROUP)\n\
        fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {\n\
        solve(global_index(id, groups));\n}\n";
    text += "fn equation(kind: u32, index: u32, first: u32, x: Stencil) -> Equation {\nswitch kind {\n";
    for (i, kind) in TYPES.iter().enumerate() {
        let case = if i == 0 { "default:".into() } else { format!("case {i}u:") };
        let _ = writeln!(text, "{case} {{ return {}_equation(index, first, x); }}", kind.name);
    }
    text += "}\n}\nfn equation_count(kind: u32) -> u32 {\nswitch kind {\n";
    for (i, kind) in TYPES.iter().enumerate().filter(|(_, kind)| kind.equations > 1) {
        let _ = writeln!(text, "case {i}u: {{ return {}u; }}", kind.equations);
    }
    text += "default: { return 1u; }\n}\n}\n";
    text
}
