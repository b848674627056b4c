//! Rows that several stages share, and how vectors and rotations become their words.

use glam::{Mat3, Quat, Vec3};

pub use crate::gpu::wgsl::common::body::Body as BodyState;
pub(in crate::solver) use crate::gpu::wgsl::common::body::{BodyProperties, Link, ParticleRow};
pub(in crate::solver) use crate::gpu::wgsl::common::control::Control;
pub(in crate::solver) use crate::gpu::wgsl::common::params::{Batch, Params as ParamsRow};
use crate::scene::Placement;

impl BodyState {
    /// Where the body is.
    pub fn placement(&self) -> Placement {
        let rotation = Quat::from_array(self.rotation);
        let removed = self.rotation == [0.0; 4];
        Placement { position: self.center.into(), rotation: if removed { Quat::IDENTITY } else { rotation } }
    }

    /// Center of mass [m].
    pub fn center(&self) -> Vec3 {
        self.center.into()
    }

    /// How it is turned; not at all when it is out of the world.
    pub fn rotation(&self) -> Quat {
        self.placement().rotation
    }

    /// Velocity of the center of mass [m/s].
    pub fn velocity(&self) -> Vec3 {
        self.velocity.into()
    }

    /// Angular velocity [rad/s].
    pub fn angular_velocity(&self) -> Vec3 {
        self.angular_velocity.into()
    }

    /// Velocity of a point of the world that moves with it [m/s].
    pub fn velocity_at(&self, point: Vec3) -> Vec3 {
        self.velocity() + self.angular_velocity().cross(point - self.center())
    }

    /// Whether it is out of the world: removed, or of a copy of a pool that is not there.
    pub fn is_removed(&self) -> bool {
        self.rotation == [0.0; 4]
    }
}

/// `v` with `w` after it.
pub(in crate::solver) fn vec4(v: Vec3, w: f32) -> [f32; 4] {
    [v.x, v.y, v.z, w]
}

/// Diagonal and off-diagonal (xy, xz, yz) of a symmetric tensor.
pub(super) fn tensor(m: Mat3) -> ([f32; 3], [f32; 3]) {
    ([m.x_axis.x, m.y_axis.y, m.z_axis.z], [m.x_axis.y, m.x_axis.z, m.y_axis.z])
}

/// The quaternion's components.
pub(in crate::solver) fn quat(q: Quat) -> [f32; 4] {
    q.to_array()
}
