//! Changes of the running world between frames: what enters and leaves it, and what is made of something else. Rows are written where they
//! suffice; what makes buffers anew says so.

pub(super) mod added;
pub(super) mod added_joints;
pub(super) mod cut;
pub(super) mod joints;
pub(super) mod layers;
pub(super) mod pins;
pub(super) mod pools;
pub(super) mod properties;
pub(super) mod slots;
pub(super) mod softness;
pub(super) mod things;
