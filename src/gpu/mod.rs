//! MECHANISM on the graphics card, no physics: device, shaders, kernels, buffers, timing.
//!
//! WGSL is the only place where a binding is declared: a variable's name is a row in [`Buffers`], or the name of a
//! [`Resource`] that is given, and everything else (slot, access, stride, group size) is read from the compiled module.

mod adapter;
#[cfg(target_arch = "wasm32")]
mod arrivals;
mod attempt;
#[cfg(target_arch = "wasm32")]
mod attempted;
mod bandwidth;
mod buffers;
mod cache;
mod context;
mod error;
mod kernel;
#[cfg(test)]
mod layout;
mod pipeline;
pub(crate) mod reflect;
#[cfg(feature = "shader-reload")]
pub mod reload;
mod resources;
pub mod shader;
pub mod snippet;
mod sources;
mod textures;
pub mod timing;
pub mod wgsl;

pub use adapter::{AdapterInfo, Choice, Limits};
pub use attempt::Attempt;
pub use buffers::{BATCH_PITCH, Buffers};
pub use context::{Context, Effort};
pub use error::GpuError;
pub use kernel::{BoundKernel, Kernel};
pub use pipeline::{Pipeline, PipelineDesc};
pub use resources::{Given, Group, Resource};
pub use timing::Timer;
pub use wgpu;
