//! Edges that break, as the GPU holds them.

use super::constraints::Place;
use super::ground::NONE;
use crate::constraints::{Stretch, UNBOUNDED};
pub(super) use crate::gpu::wgsl::constraints::tear::Tear as TearRow;
use crate::gpu::wgsl::surfaces::primitive::TORN as TORN_PRIMITIVE;
use crate::gpu::{Buffers, GpuError};
use crate::scene::Scene;

/// Rows of a scene's tears; `places` says where the words of each constraint are.
pub(super) fn rows(scene: &Scene, places: &[Place]) -> Vec<TearRow> {
    let listed = |list: &[u32], of: &dyn Fn(u32) -> u32| std::array::from_fn(|i| list.get(i).map_or(NONE, |x| of(*x)));
    let row = |tear: &crate::scene::Tear| {
        let constraint = &scene.constraints[tear.constraint as usize];
        // What keeps no length never breaks; infinity is not safe in WGSL.
        let most = |kept: Stretch| kept.rest_length * (1.0 + tear.strain);
        TearRow {
            a: constraint.particles[0],
            b: constraint.particles[1],
            most: constraint.stretch().map_or(UNBOUNDED as f32, most),
            first: places[tear.constraint as usize].word,
            bends: listed(&tear.bends, &|b| places[b as usize].word),
            faces: listed(&tear.faces, &|f| f),
        }
    };
    scene.tears.iter().map(row).collect()
}

/// Tears the triangles again that were torn before buffers were made anew.
pub(super) fn restore(
    buffers: &Buffers,
    rows: &[TearRow],
    torn: &[u32],
    (primitives, primitive_of): (&[[u32; 4]], &[u32]),
) -> Result<(), GpuError> {
    if torn.iter().all(|t| *t == 0) {
        return Ok(());
    }
    let mut triangles = primitives.to_vec();
    for (row, _) in rows.iter().zip(torn).filter(|(_, torn)| **torn != 0) {
        for face in row.faces {
            let primitive = primitive_of.get(face as usize).map_or(NONE, |place| *place);
            if let Some(triangle) = triangles.get_mut(primitive as usize) {
                triangle[3] |= TORN_PRIMITIVE;
            }
        }
    }
    buffers.upload("torn_edges", 0, torn)?;
    if !triangles.is_empty() {
        buffers.upload("primitives", 0, &triangles)?;
    }
    Ok(())
}
