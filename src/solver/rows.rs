//! Rows that several stages share, and how vectors and rotations become their words.

use glam::{Mat3, Quat, Vec3};

pub use crate::gpu::wgsl::common::body::Body as BodyState;
pub(super) use crate::gpu::wgsl::common::body::{BodyProperties, Link, ParticleRow};
pub(super) use crate::gpu::wgsl::common::control::Control;
pub(super) use crate::gpu::wgsl::common::params::{Batch, Params as ParamsRow};
use crate::scene::Placement;

impl BodyState {
    /// Where the body is.
    pub fn placement(&self) -> Placement {
        let [x, y, z, _] = self.center;
        let rotation = Quat::from_array(self.rotation);
        let removed = self.rotation == [0.0; 4];
        Placement { position: Vec3::new(x, y, z), rotation: if removed { Quat::IDENTITY } else { rotation } }
    }
}

/// `v` with `w` after it.
pub(super) fn vec4(v: Vec3, w: f32) -> [f32; 4] {
    [v.x, v.y, v.z, w]
}

/// Diagonal and off-diagonal (xy, xz, yz) of a symmetric tensor, each with a number after it.
pub(super) fn tensor(m: Mat3, w: f32, off_w: f32) -> ([f32; 4], [f32; 4]) {
    ([m.x_axis.x, m.y_axis.y, m.z_axis.z, w], [m.x_axis.y, m.x_axis.z, m.y_axis.z, off_w])
}

/// The quaternion's components.
pub(super) fn quat(q: Quat) -> [f32; 4] {
    q.to_array()
}
