//! Global constraints as the GPU holds them: rows of all types in the same buffers, and a kernel for each type.

use std::sync::LazyLock;

use crate::constraints::{GLOBAL_TYPES, Give, GlobalRow, GlobalType, MOST_GLOBAL_COLORS, global_colors};
use crate::gpu::wgsl::constraints::global_row::{
    GlobalConstraint as GlobalConstraintRow, GlobalMember as GlobalMemberRow,
};
use crate::gpu::{Buffers, Context, GpuError, Kernel, wgpu::BufferUsages};
use crate::scene::{Extent, Scene};
use crate::solver::stages::rows::vec4;
use crate::solver::stages::stage::Pass;

/// Rotation at the start, as a quaternion.
const UNTURNED: [f32; 4] = [0.0, 0.0, 0.0, 1.0];
/// Dispatches of an iteration for all types: one each, and one for each color of a type that overlaps.
pub(super) const SWEEPS: usize = {
    let (mut count, mut kind) = (0, 0);
    while kind < GLOBAL_TYPES.len() {
        count += if GLOBAL_TYPES[kind].overlaps { MOST_GLOBAL_COLORS } else { 1 };
        kind += 1;
    }
    count
};

/// Number of the type that each sweep is of.
pub(super) fn sweep_kinds() -> impl Iterator<Item = usize> {
    let sweeps = |kind: &GlobalType| if kind.overlaps { MOST_GLOBAL_COLORS } else { 1 };
    GLOBAL_TYPES.iter().enumerate().flat_map(move |(i, kind)| std::iter::repeat_n(i, sweeps(kind)))
}

/// The passes of all types, in their order.
pub(in crate::solver) fn passes() -> &'static [Pass] {
    static PASSES: LazyLock<Vec<Pass>> =
        LazyLock::new(|| GLOBAL_TYPES.iter().map(|kind| Pass::new(kind.shader)).collect());
    &PASSES
}

/// Rows of all types, those of a type together.
#[derive(Clone, Debug, Default)]
pub(in crate::solver) struct GlobalTables {
    pub(in crate::solver) rows: Vec<GlobalConstraintRow>,
    pub(in crate::solver) members: Vec<GlobalMemberRow>,
    /// For every member, the two other corners of each of its triangles.
    pub(in crate::solver) corners: Vec<[u32; 2]>,
    /// Functions at the members, as their types say.
    pub(super) functions: Vec<f32>,
    /// Place of each row in the scene.
    order: Vec<u32>,
    /// First row and number of rows of each sweep.
    pub(in crate::solver) ranges: Vec<(u32, u32)>,
}

impl GlobalTables {
    pub(in crate::solver) fn new(scene: &Scene) -> Self {
        let mut tables = Self::default();
        let colors = global_colors(&scene.global_constraints);
        let mut color = 0;
        for (sweep, kind) in sweep_kinds().enumerate() {
            color = if sweep_kinds().nth(sweep.wrapping_sub(1)) == Some(kind) { color + 1 } else { 0 };
            let first = tables.rows.len() as u32;
            let rows = scene.global_constraints.iter().zip(&colors).zip(0..);
            let solved = rows.filter(|((row, own), _)| **own == color && row.kind.index() == kind);
            for ((row, _), place) in solved {
                tables.push(row, |p| f64::from(scene.particles[p as usize].mass));
                tables.order.push(place);
            }
            tables.ranges.push((first, tables.rows.len() as u32 - first));
        }
        tables
    }

    fn push(&mut self, row: &GlobalRow, mass: impl Fn(u32) -> f64) {
        let (weights, places) = row.weighted(mass);
        self.rows.push(GlobalConstraintRow {
            first: self.members.len() as u32,
            count: row.members.len() as u32,
            mass: weights.iter().sum::<f64>() as f32,
            functions: self.functions.len() as u32,
            values: (row.kind.numbers)(row, &weights),
        });
        self.functions.extend((row.kind.functions)(row, &weights, &places));
        for ((member, place), weight) in row.members.iter().zip(places).zip(weights) {
            self.members.push(GlobalMemberRow {
                local: vec4(place.as_vec3(), weight as f32),
                particle: member.particle,
                first: self.corners.len() as u32,
                count: member.corners.len() as u32,
                ..GlobalMemberRow::default()
            });
            self.corners.extend(&member.corners);
        }
    }

    /// Puts how far an object gives way into its rows; returns those that have changed.
    pub(in crate::solver) fn soften(&mut self, scene: &Scene, extent: &Extent) -> Vec<usize> {
        let mut changed = Vec::new();
        for (index, place) in self.order.iter().enumerate() {
            let row = &scene.global_constraints[*place as usize];
            if !extent.has(row) {
                continue;
            }
            let mut softened = row.clone();
            let (k, give) = row.kind.gives;
            softened.values[k] = extent.softened(give, row.values[k]);
            if let Some(k) = row.kind.inflates {
                softened.values[k] = extent.softened(Give::Pressure, row.values[k]);
            }
            let (weights, _) = row.weighted(|p| f64::from(scene.particles[p as usize].mass));
            let values = (row.kind.numbers)(&softened, &weights);
            if std::mem::replace(&mut self.rows[index].values, values) != values {
                changed.push(index);
            }
        }
        changed
    }

    /// The row of each global constraint of the scene.
    pub(in crate::solver) fn places(&self) -> Vec<u32> {
        let mut rows = vec![0; self.order.len()];
        self.order.iter().zip(0..).for_each(|(place, row)| rows[*place as usize] = row);
        rows
    }

    /// How the rest shape of each row was turned last, in the order of the scene; those that come after it are not turned.
    pub(in crate::solver) fn turned(&self, rotations: &[[f32; 4]]) -> Vec<[f32; 4]> {
        self.order.iter().map(|place| rotations.get(*place as usize).copied().unwrap_or(UNTURNED)).collect()
    }

    /// How rest shapes were turned last, in the order of the scene, from the rotations of the rows.
    pub(in crate::solver) fn in_scene_order(&self, found: &[[f32; 4]]) -> Vec<[f32; 4]> {
        let mut rotations = vec![UNTURNED; self.order.len()];
        self.order.iter().zip(found).for_each(|(place, rotation)| rotations[*place as usize] = *rotation);
        rotations
    }

    /// Name and number of rows of each type.
    pub(in crate::solver) fn counts(&self) -> impl Iterator<Item = (String, u32)> {
        GLOBAL_TYPES.iter().enumerate().map(|(i, kind)| {
            let own = sweep_kinds().zip(&self.ranges).filter(|(of, _)| *of == i);
            (kind.name().to_owned(), own.map(|(_, (_, count))| count).sum())
        })
    }

    /// Makes the buffers of global constraints.
    pub(in crate::solver) fn create(&self, b: &mut Buffers) -> Result<(), GpuError> {
        let none = BufferUsages::empty();
        b.create_with("global_constraints", &self.rows)?; // [global_count] those of whole meshes and shapes, by type
        b.create_with("global_members", &self.members)?; // their particles
        b.create_with("global_corners", &self.corners)?; // of each member, two others by triangle
        b.create_with("global_functions", &self.functions)?; // of each member, those of its region
        b.create::<[f32; 4]>("global_gradients", self.members.len(), none)?; // of each member ∇C, inverse mass [1/kg]
        b.create::<f32>("global_multipliers", self.rows.len(), none)?; // [global_count] λ of this substep
        b.create_with("global_rotations", &self.turned(&[])) // [global_count] of the rest shape, found last
    }
}

/// Whether a pass is that of a type of global constraints.
pub(in crate::solver) fn is_of(pass: &Pass) -> bool {
    GLOBAL_TYPES.iter().any(|kind| kind.shader == pass.kernel)
}

/// The kernel of a pass of global constraints; none if it is another one.
///
/// # Errors
/// [`GpuError`] when the type has no shader or it does not compile.
pub(in crate::solver) fn kernel(context: &Context, pass: &Pass) -> Option<Result<Kernel, GpuError>> {
    let kind = GLOBAL_TYPES.iter().find(|kind| kind.shader == pass.kernel)?;
    Some(Kernel::from_source(context, &composed_as(kind), &source(kind), &[]))
}

/// The kernel of a pass of global constraints as text: for the guide.
#[cfg(test)]
pub(in crate::solver) fn composed(pass: &Pass) -> Option<crate::gpu::shader::Composed> {
    let kind = GLOBAL_TYPES.iter().find(|kind| kind.shader == pass.kernel)?;
    crate::gpu::shader::compose_source(&composed_as(kind), &source(kind)).ok()
}

/// Name of the composed kernel: another one than that of the file that it imports.
fn composed_as(kind: &GlobalType) -> String {
    format!("constraints/solve_{}", kind.name())
}

/// Imports and the entry point.
fn source(kind: &GlobalType) -> String {
    let (shader, name) = (kind.shader, kind.name());
    format!(
        "#import \"constraints/global\"\n#import \"{shader}\"\n\
         @compute @workgroup_size(SUM_WIDTH)\n\
         fn main(@builtin(workgroup_id) group: vec3u, @builtin(num_workgroups) groups: vec3u,\n\
         @builtin(local_invocation_index) local: u32) {{\n\
         let index = group.y * groups.x + group.x;\n\
         if index >= batch.count {{ return; }}\n\
         {name}_solve(batch.first + index, local);\n}}\n"
    )
}
