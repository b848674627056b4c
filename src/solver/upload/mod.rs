//! What a scene is on the GPU: the tables of all stages and the shapes, the kernels that it needs, what these are told each frame, and
//! lists that get more room.

pub(super) mod colliders;
pub(super) mod growth;
pub(super) mod kernels;
#[cfg(feature = "shader-reload")]
pub(super) mod reload;
pub(super) mod tables;
pub(super) mod uniforms;
