//! Walkers on the GPU: at the start of every substep they change their velocities as far as their legs can, by what they felt around
//! themselves at the start of the frame. Nothing runs, and no kernel is compiled, in a world without them.

use super::stage::{Frame, Pass};
pub(in crate::solver) use crate::gpu::wgsl::walkers::walker::{Footing as FootingRow, Walker as WalkerRow};
use crate::gpu::{Buffers, GpuError, wgpu::BufferUsages};

static DRIVE: Pass = Pass::new("walkers/drive");
static REACT: Pass = Pass::new("walkers/react");

/// Buffers of walkers that are written anew in every frame.
pub(in crate::solver) const GIVEN: [&str; 3] = ["walker_queries", "walker_hits", "walker_ignored"];
/// Buffers of walkers that a state has.
pub(in crate::solver) const KEPT: [&str; 3] = ["walkers", "footings", "thicknesses"];
/// Queries of a walker: down and ahead by rays, and down by a ball.
const QUERIES: usize = 3;

/// Walkers in a frame.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::solver) struct Stage {
    /// Rows of walkers.
    pub(in crate::solver) walkers: u32,
    pub(in crate::solver) bodies: u32,
}

impl Stage {
    /// Begins a substep: they go as they are told, and push themselves off from what they stand on.
    pub(in crate::solver) fn drive(&self, f: &mut Frame) {
        if self.walkers > 0 {
            f.run(&DRIVE, self.walkers);
            f.run(&REACT, self.bodies);
        }
    }

    /// All passes.
    pub(in crate::solver) fn passes() -> [&'static Pass; 2] {
        [&DRIVE, &REACT]
    }
}

/// Makes the buffers for these walkers, and the thicknesses of deformables [m]; none for no walkers.
pub(in crate::solver) fn create(
    b: &mut Buffers,
    rows: &[WalkerRow],
    footings: &[FootingRow],
    ignored: &[u32],
    thicknesses: &[f32],
) -> Result<(), GpuError> {
    if rows.is_empty() {
        KEPT.into_iter().chain(GIVEN).for_each(|name| b.remove(name));
        return Ok(());
    }
    use crate::gpu::wgsl::queries::query::{Hit, Query};
    b.create_with("walkers", rows)?; // [walker_count]
    b.create_with("footings", footings)?; // [walker_count]
    b.create_with("walker_ignored", ignored)?;
    b.create_with("thicknesses", thicknesses)?; // [deformable_count]
    b.create::<Query>("walker_queries", QUERIES * rows.len(), BufferUsages::empty())?;
    b.create::<Hit>("walker_hits", QUERIES * rows.len(), BufferUsages::empty())
}
