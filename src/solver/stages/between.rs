//! Passes of pictures between two frames: what is drawn is blended from the last frame and the one before it.

use super::rows::BodyState;
use super::stage::Pass;
use crate::gpu::wgsl::between::between::Between as Row;
use crate::gpu::{Buffers, GpuError, wgpu::BufferUsages};

pub(in crate::solver) static BODIES: Pass = Pass::new("between/bodies");
pub(in crate::solver) static PARTICLES: Pass = Pass::new("between/particles");
pub(in crate::solver) static PLACE: Pass = Pass::again(
    "between/place",
    "particles/place",
    &[("bodies", "bodies_between"), ("particles", "particles_between")],
);

/// Buffers of it, of which no state has any.
pub(in crate::solver) const BUFFERS: [&str; 5] =
    ["between", "bodies_before", "particles_before", "bodies_between", "particles_between"];
/// What is kept of the frame before the last one.
pub(in crate::solver) const KEPT: [(&str, &str); 2] = [("bodies", "bodies_before"), ("particles", "particles_before")];

/// Makes the buffers for as many bodies and particles as there are.
pub(in crate::solver) fn create(b: &mut Buffers) -> Result<(), GpuError> {
    let (bodies, particles, none) = (b.len("bodies"), b.len("particles"), BufferUsages::empty());
    b.create_uniform("between", &[Row::default()])?;
    b.create::<BodyState>("bodies_before", bodies, none)?; // [body_count] when the last frame began
    b.create::<BodyState>("bodies_between", bodies, none)?; // [body_count] as they are drawn
    b.create::<[f32; 4]>("particles_before", particles, none)?; // [particle_count]
    b.create::<[f32; 4]>("particles_between", particles, none) // [particle_count]
}

/// Writes how far to blend, from 0 for the frame before the last one to 1.
pub(in crate::solver) fn write(b: &Buffers, alpha: f32) -> Result<(), GpuError> {
    b.upload("between", 0, &[Row { alpha }])
}
