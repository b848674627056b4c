//! Global constraints as the GPU holds them: rows of all types in the same buffers, and a kernel for each type.

use super::constraints::SOLVE;
use super::rows::vec4;
use super::{Solver, SolverError};
use crate::constraints::{GLOBAL_TYPES, GLOBAL_VALUES, GlobalRow, GlobalType};
use crate::gpu::{Context, GpuError, Kernel};
use crate::gpu_struct;
use crate::scene::Scene;

/// Stands for the kernels of all types in the list of kernels; the file that they share.
pub(super) const PASSES: &str = "constraints/global";
/// Rotation at the start, as a quaternion.
const UNTURNED: [f32; 4] = [0.0, 0.0, 0.0, 1.0];
/// Threads of the workgroup of a row; `SUM_WIDTH` of `common/workgroup_sum`.
pub(super) const THREADS: u32 = 64;

gpu_struct! {
    /// `GlobalConstraint` of `constraints/global`.
    pub(super) struct GlobalConstraintRow as "GlobalConstraint" {
        pub(super) first: u32,
        pub(super) count: u32,
        pub(super) mass: f32,
        pub(super) padding: u32,
        pub(super) values: [f32; GLOBAL_VALUES],
    }
}

gpu_struct! {
    /// `GlobalMember` of `constraints/global`.
    pub(super) struct GlobalMemberRow as "GlobalMember" {
        pub(super) local: [f32; 4],
        pub(super) particle: u32,
        pub(super) first: u32,
        pub(super) count: u32,
        pub(super) padding: u32,
    }
}

/// Rows of all types, those of a type together.
#[derive(Clone, Debug, Default)]
pub(super) struct GlobalTables {
    pub(super) rows: Vec<GlobalConstraintRow>,
    pub(super) members: Vec<GlobalMemberRow>,
    /// For every member, the two other corners of each of its triangles.
    pub(super) corners: Vec<[u32; 2]>,
    /// Place of each row in the scene.
    order: Vec<u32>,
    /// First row and number of rows of each type.
    pub(super) ranges: Vec<(u32, u32)>,
}

/// A pass: the kernel of a type, and how many rows it solves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct GlobalPass {
    pub(super) kernel: &'static str,
    pub(super) count: u32,
}

impl GlobalTables {
    pub(super) fn new(scene: &Scene) -> Self {
        let mut tables = Self::default();
        for index in 0..GLOBAL_TYPES.len() {
            let first = tables.rows.len() as u32;
            let of_type = scene.global_constraints.iter().zip(0..).filter(|(row, _)| row.kind.index() == index);
            for (row, place) in of_type {
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
            values: (row.kind.numbers)(row, &weights),
            ..GlobalConstraintRow::default()
        });
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

    /// How the rest shape of each row was turned last, in the order of the scene; those that come after it are not turned.
    pub(super) fn turned(&self, rotations: &[[f32; 4]]) -> Vec<[f32; 4]> {
        self.order.iter().map(|place| rotations.get(*place as usize).copied().unwrap_or(UNTURNED)).collect()
    }

    /// Name and number of rows of each type.
    pub(super) fn counts(&self) -> impl Iterator<Item = (String, u32)> {
        GLOBAL_TYPES.iter().zip(&self.ranges).map(|(kind, (_, count))| (kind.name().to_owned(), *count))
    }

    /// The passes that solve them, of types without rows too.
    pub(super) fn passes(&self) -> Vec<GlobalPass> {
        let pass = |(kind, (_, count)): (&&GlobalType, &(u32, u32))| GlobalPass { kernel: kind.shader, count: *count };
        GLOBAL_TYPES.iter().zip(&self.ranges).map(pass).collect()
    }
}

impl Solver {
    /// How rest shapes were turned last, in the order of the scene, to be kept while buffers are made anew.
    pub(super) fn read_global_rotations(&self) -> Result<Vec<[f32; 4]>, SolverError> {
        let order = &self.constraints.global.order;
        let mut rotations = vec![UNTURNED; order.len()];
        if !order.is_empty() {
            let found: Vec<[f32; 4]> = self.buffers.read("global_rotations")?;
            order.iter().zip(found).for_each(|(place, rotation)| rotations[*place as usize] = rotation);
        }
        Ok(rotations)
    }
}

/// The kernels of all types, by the names of their shaders.
///
/// # Errors
/// [`GpuError`] when a type has no shader or it does not compile.
pub(super) fn kernels(context: &Context) -> Result<Vec<(&'static str, Kernel)>, GpuError> {
    let kernel =
        |kind: &&GlobalType| Ok((kind.shader, Kernel::from_source(context, &composed_as(kind), &source(kind), &[])?));
    GLOBAL_TYPES.iter().map(kernel).collect()
}

/// Name of the composed kernel: another one than that of the file that it imports.
fn composed_as(kind: &GlobalType) -> String {
    format!("{SOLVE}_{}", kind.name())
}

/// Imports and the entry point.
fn source(kind: &GlobalType) -> String {
    let (shader, name) = (kind.shader, kind.name());
    format!(
        "#import \"constraints/global\"\n#import \"{shader}\"\n\
         @compute @workgroup_size({THREADS})\n\
         fn main(@builtin(workgroup_id) group: vec3u, @builtin(num_workgroups) groups: vec3u,\n\
         @builtin(local_invocation_index) local: u32) {{\n\
         let index = group.y * groups.x + group.x;\n\
         if index >= batch.count {{ return; }}\n\
         {name}_solve(batch.first + index, local);\n}}\n"
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gpu::layout::GpuStruct;
    use crate::gpu::shader;

    #[test]
    fn rows_equal_their_twins() {
        for kind in GLOBAL_TYPES {
            let text = shader::compose_source(&composed_as(kind), &source(kind)).unwrap().text;
            assert_eq!((GlobalConstraintRow::check(&text), GlobalMemberRow::check(&text)), (Ok(()), Ok(())));
        }
    }
}
