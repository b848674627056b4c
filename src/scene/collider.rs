//! The static and moving world that particles and bodies collide with and cannot push.

use glam::{Quat, Vec3, Vec4};
use serde::{Deserialize, Serialize};

use super::check::{Check, pose, positive, vector};
use super::{Shape, Surface};

/// Index of a collider in its scene.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct ColliderId(pub u32);

/// A static or kinematic part of the world.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
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
    /// How fast its surface runs along itself, as a conveyor's does, in its frame [m/s]: it carries what lies on it while the collider
    /// stays. What of it is square to the surface counts for nothing there.
    #[serde(default)]
    pub surface_velocity: Vec3,
    /// Friction and restitution.
    pub surface: Surface,
    /// Towards where it holds things, in its frame: one that has come through from behind passes, and one that comes back from
    /// there rests on it. A body is where its center is. None holds on all sides.
    #[serde(default)]
    pub one_way: Option<Vec3>,
    /// Linear color it is drawn with. Alpha 0 hides it; below 1 it is glass, which a plane cannot be.
    pub color: Vec4,
}

/// Colors of colliders and of ground that are given none [linear RGB].
const WALL: Vec4 = Vec4::new(0.44, 0.425, 0.40, 1.0);
const GROUND: Vec4 = Vec4::new(0.30, 0.293, 0.282, 1.0);

impl Collider {
    /// A collider at rest at `position`.
    pub fn new(shape: Shape, position: Vec3) -> Self {
        Self {
            shape,
            position,
            rotation: Quat::IDENTITY,
            velocity: Vec3::ZERO,
            angular_velocity: Vec3::ZERO,
            surface_velocity: Vec3::ZERO,
            surface: Surface::default(),
            one_way: None,
            color: WALL,
        }
    }

    /// Ground: the half space below `height` [m].
    pub fn ground(height: f32) -> Self {
        Self { color: GROUND, ..Self::new(Shape::Plane, Vec3::new(0.0, height, 0.0)) }
    }

    /// The same collider turned by `rotation`.
    #[must_use]
    pub fn rotated(mut self, rotation: Quat) -> Self {
        self.rotation = rotation;
        self
    }

    /// The same collider as a conveyor, whose surface runs at `velocity` in its frame [m/s].
    #[must_use]
    pub fn surface_velocity(mut self, velocity: Vec3) -> Self {
        self.surface_velocity = velocity;
        self
    }

    /// The same collider, holding only what comes from where `direction` points, in its frame: `Vec3::Y` makes a platform that can be
    /// jumped through from below.
    #[must_use]
    pub fn one_way(mut self, direction: Vec3) -> Self {
        self.one_way = Some(direction);
        self
    }
}

impl Collider {
    pub(crate) fn check(&self, index: usize) -> Check {
        let item = &format!("collider {index}");
        self.shape.check(item)?;
        if let Some(direction) = self.one_way {
            vector(item, "one-way direction", direction)?;
            positive(item, "length of its one-way direction", direction.length())?;
        }
        pose(item, self.position, self.rotation, self.velocity, self.angular_velocity)?;
        vector(item, "surface velocity", self.surface_velocity)?;
        self.surface.check(item)
    }
}
