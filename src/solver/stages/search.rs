//! When to search: the GPU decides in every substep whether contacts and neighbors in liquid are searched again, by
//! margins that what moves uses up, and counts what happened.

use super::rows::Control;
use super::stage::{Frame, Gate, Pass};
use crate::gpu::{Buffers, GpuError, wgpu::BufferUsages};
use crate::scene::Params;

static DECIDE: Pass = Pass::new("search/decide");

/// Decides what of the searches from this dispatch on is due in this substep; nothing where there are none.
pub(in crate::solver) fn decide_before(f: &mut Frame, first: usize) {
    if f.dispatches.len() > first {
        f.run(&DECIDE, 1);
        f.dispatches[first..].rotate_right(1);
    }
}

/// How much faster than before something may move by the time that a substep in which contacts may be searched has passed.
const SUDDEN: f32 = 1.5;
/// Times in a frame that contacts may be searched while nothing moves fast.
const LEAST_SEARCHES: u32 = 2;

/// Substeps from one in which contacts may be searched to the next, such that the largest margins last.
pub(in crate::solver) fn stride(control: &Control, params: &Params) -> u32 {
    let rate = SUDDEN * f32::from_bits(control.hurried) * params.substep_dt();
    (1.0 / rate.max(1e-6)).clamp(1.0, params.substeps.div_ceil(LEAST_SEARCHES) as f32) as u32
}

/// Makes the buffers of decisions and counters; `groups` has the workgroups of each gate when it is open.
pub(in crate::solver) fn create(
    b: &mut Buffers,
    gates: &[Gate],
    groups: impl Fn(&Gate) -> [u32; 3],
) -> Result<(), GpuError> {
    let row = |gate: &Gate| {
        let [x, y, z] = groups(gate);
        [x, y, z, gate.trigger as u32]
    };
    let sizes: Vec<[u32; 4]> = gates.iter().map(row).collect();
    b.create_with("control", &[Control::default()])?;
    b.create_with("search_sizes", &sizes)?; // [gates] workgroups of an open gate, its trigger
    b.create::<u32>("search_args", 3 * gates.len(), BufferUsages::INDIRECT) // workgroups now: these or none
}
