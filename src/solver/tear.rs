//! Edges that break, as the GPU holds them.

use super::surfaces::{self, Surfaces};
use super::{Solver, SolverError};
use crate::constraints::{Stretch, UNBOUNDED};
use crate::gpu::Buffers;
use crate::scene::Scene;

/// In place of a constraint or a triangle that is not there.
const NONE: u32 = u32::MAX;
/// `HEAD_TORN` of `common/constraint`: the type of constraints that broke.
pub(super) const TORN: u32 = 0xfc00_0000;

crate::gpu_struct! {
    /// `Tear` of `constraints/tear`.
    pub(super) struct TearRow as "Tear" {
        pub(super) a: u32,
        pub(super) b: u32,
        pub(super) most: f32,
        pub(super) head: u32,
        pub(super) bends: [u32; 4],
        pub(super) faces: [u32; 4],
    }
}

/// Rows of a scene's tears; `places` says where each constraint is in solving order.
pub(super) fn rows(scene: &Scene, places: &[u32]) -> Vec<TearRow> {
    let listed = |list: &[u32], of: &dyn Fn(u32) -> u32| std::array::from_fn(|i| list.get(i).map_or(NONE, |x| of(*x)));
    let row = |tear: &crate::scene::Tear| {
        let constraint = &scene.constraints[tear.constraint as usize];
        // What keeps no length never breaks; infinity is not safe in WGSL.
        let most = |kept: Stretch| kept.rest_length * (1.0 + tear.strain);
        TearRow {
            a: constraint.particles[0],
            b: constraint.particles[1],
            most: constraint.stretch().map_or(UNBOUNDED as f32, most),
            head: places[tear.constraint as usize],
            bends: listed(&tear.bends, &|b| places[b as usize]),
            faces: listed(&tear.faces, &|f| f),
        }
    };
    scene.tears.iter().map(row).collect()
}

/// Tears again what was torn before buffers were made anew.
pub(super) fn restore(
    buffers: &Buffers,
    rows: &[TearRow],
    torn: &[u32],
    heads: &[[u32; 2]],
    surfaces: &Surfaces,
) -> Result<(), SolverError> {
    if torn.iter().all(|t| *t == 0) {
        return Ok(());
    }
    let (mut heads, mut triangles) = (heads.to_vec(), surfaces.primitives.clone());
    for (row, _) in rows.iter().zip(torn).filter(|(_, torn)| **torn != 0) {
        for place in [row.head].iter().chain(&row.bends).filter(|p| **p != NONE) {
            heads[*place as usize][0] |= TORN;
        }
        for face in row.faces {
            let primitive = surfaces.places.get(face as usize).map_or(NONE, |place| *place);
            if let Some(triangle) = triangles.get_mut(primitive as usize) {
                triangle[3] |= surfaces::TORN;
            }
        }
    }
    buffers.upload("torn_edges", 0, torn)?;
    buffers.upload("constraint_heads", 0, &heads)?;
    if !triangles.is_empty() {
        buffers.upload("primitives", 0, &triangles)?;
    }
    Ok(())
}

impl Solver {
    /// Waits for the GPU and reads which edges are torn, in the order of [`Scene::tears`].
    ///
    /// # Errors
    /// [`SolverError`] when the device is lost.
    pub fn read_torn(&self) -> Result<Vec<bool>, SolverError> {
        Ok(self.read_torn_edges()?.into_iter().map(|t| t != 0).collect())
    }

    pub(super) fn read_torn_edges(&self) -> Result<Vec<u32>, SolverError> {
        if self.sizes.tears == 0 { Ok(Vec::new()) } else { Ok(self.buffers.read("torn_edges")?) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gpu::layout::GpuStruct;
    use crate::gpu::shader;

    #[test]
    fn the_row_equals_its_twin() {
        assert_eq!(TearRow::check(&shader::compose("constraints/tear").unwrap().text), Ok(()));
    }
}
