//! States of a world: kept on the GPU, as bytes, in the host's memory, and the last ones of all.

pub(super) mod backup;
pub(super) mod bytes;
pub(super) mod rewind;
pub(super) mod state;
