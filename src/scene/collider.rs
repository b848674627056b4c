//! The static and moving world that particles and bodies touch and cannot push.

use glam::{Quat, Vec3, Vec4};
use serde::{Deserialize, Serialize};

use super::check::{Check, pose};
use super::{Shape, Surface};

/// Index of a collider in its scene.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct ColliderId(pub u32);

/// A static or kinematic part of the world.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Collider {
    /// Shape in the collider's frame.
    pub shape: Shape,
    /// Position [m].
    pub position: Vec3,
    /// Orientation.
    pub rotation: Quat,
    /// Velocity [m/s]: the collider moves and pushes with it.
    pub velocity: Vec3,
    /// Angular velocity [rad/s].
    pub angular_velocity: Vec3,
    /// Friction and restitution.
    pub surface: Surface,
    /// Linear colour it is drawn with. Alpha 0 hides it; below 1 it is glass, which a plane cannot be.
    pub color: Vec4,
}

impl Collider {
    /// A collider at rest at `position`.
    pub fn new(shape: Shape, position: Vec3) -> Self {
        Self {
            shape,
            position,
            rotation: Quat::IDENTITY,
            velocity: Vec3::ZERO,
            angular_velocity: Vec3::ZERO,
            surface: Surface::default(),
            color: Vec4::new(0.45, 0.45, 0.48, 1.0),
        }
    }

    /// Ground: the half space below `height` [m].
    pub fn ground(height: f32) -> Self {
        Self::new(Shape::Plane, Vec3::new(0.0, height, 0.0))
    }

    /// The same collider turned by `rotation`.
    #[must_use]
    pub fn rotated(mut self, rotation: Quat) -> Self {
        self.rotation = rotation;
        self
    }
}

impl Collider {
    pub(super) fn check(&self, index: usize) -> Check {
        let item = &format!("collider {index}");
        self.shape.check(item)?;
        pose(item, self.position, self.rotation, self.velocity, self.angular_velocity)?;
        self.surface.check(item)
    }
}
