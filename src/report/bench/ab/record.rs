//! What a comparison holds, with stable keys.

use std::collections::BTreeMap;

use serde::Serialize;

use super::super::json::shallow;
use super::statistics::{Ratio, Times};
use crate::report::record::{Adapter, Health, Quality};

/// The same scene on several sides that ran in turn.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Comparison {
    /// What it ran on.
    pub adapter: Adapter,
    /// Demo or model.
    pub target: String,
    /// What all sides have set, as `key=value`.
    pub shared: String,
    /// Frames before the first that is timed.
    pub start: u32,
    /// Frames timed of each side.
    pub frames: u32,
    /// Frames of a side in a row.
    pub block: u32,
    /// Bytes a second that a kernel moves here that only copies.
    pub copy_bytes_per_second: f64,
    /// The sides, in the order in which they were named.
    pub sides: Vec<Side>,
}

/// One side.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Side {
    /// "a", "b" and so on, or the path of another program.
    pub name: String,
    /// What this side alone has set, as `key=value`.
    pub settings: String,
    /// A whole frame: encode, submit and wait.
    pub frame_ms: Times,
    /// The frame time over that of the first side; none of the first.
    pub ratio: Option<Ratio>,
    /// Median of each block, in the order in which they ran [ms].
    pub blocks_ms: Vec<f64>,
    /// Median time to encode and submit a frame on the CPU [ms].
    pub host_ms: f64,
    /// Median of each pass on the GPU [ms]; empty when the adapter has no timestamps.
    pub passes_ms: BTreeMap<String, f64>,
    /// Compute dispatches a frame.
    pub dispatches_per_frame: u32,
    /// Substeps a frame.
    pub substeps: u32,
    /// Iterations a substep.
    pub iterations: u32,
    /// Particles.
    pub particles: u32,
    /// Constraints between particles.
    pub constraints: usize,
    /// Constraints times iterations times substeps, over the time of a frame [1/s]; none without constraints.
    pub projections_per_second: Option<f64>,
    /// Bytes of all buffers, over the particles; none where another build does not tell.
    pub bytes_per_particle: Option<f64>,
    /// Bytes that constraints move in a frame, if each reads its own and reads and writes its particles.
    pub constraint_bytes: f64,
    /// Those bytes over the time of a frame, over the bandwidth of a copy; above 1 what is moved stays on the chip.
    pub bandwidth_share: Option<f64>,
    /// What must stay 0.
    pub health: Health,
    /// How well the constraints were met.
    pub quality: Quality,
    /// FNV-1a of the last state's bits, 16 hexadecimal digits.
    pub state_hash: String,
}

impl Comparison {
    /// Whether nothing was lost on any side.
    pub fn healthy(&self) -> bool {
        self.sides.iter().all(|side| side.health == Health::default())
    }

    /// The comparison as JSON. Keys are stable; a measure that does not apply is null.
    pub fn to_json(&self) -> String {
        shallow(self)
    }
}
