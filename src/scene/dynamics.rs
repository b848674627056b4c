//! How a body moves when nothing touches it: how strongly gravity acts on it, how its motion is damped, and its locked axes.

use glam::{BVec3, Quat, Vec3};
use serde::{Deserialize, Serialize};

use super::check::{Check, SceneError, number};

/// Most times that a body weighs what it would.
const MOST_GRAVITY: f32 = 1e3;
/// Most damping [1/s]; `shaders/common/body.wgsl` has the same.
const MOST_DAMPING: f32 = 1e3;

/// How a body moves when nothing touches it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Dynamics {
    /// Times that gravity pulls it; 0 floats, below 0 rises [dimensionless], -1 000 to 1 000.
    pub gravity_scale: f32,
    /// Rate at which its velocity dies away [1/s], in addition to that of the world; 0 to 1 000.
    pub linear_damping: f32,
    /// Rate at which its spin dies away [1/s], in addition to that of the world; 0 to 1 000.
    pub angular_damping: f32,
    /// Axes of the world along which it does not move, whatever pushes it or hangs on it.
    pub locked: BVec3,
    /// Axes of the world about which it does not turn, whatever pushes it or hangs on it.
    pub upright: BVec3,
}

/// How far an axis may be turned off by rounding, as one less its cosine.
const STRAIGHT: f32 = 1e-5;

/// Axes of the world, turned; none where they come between those. No axes, and all three, are what they were however they turn.
pub(crate) fn turned_axes(own: BVec3, rotation: Quat) -> Option<BVec3> {
    let (axes, count) = (<[bool; 3]>::from(own), own.bitmask().count_ones());
    // The one that the others are not: it says for all of them how they turn.
    let Some(lone) = axes.iter().position(|own| *own == (count == 1)).filter(|_| count == 1 || count == 2) else {
        return Some(own);
    };
    let turned = (rotation * Vec3::AXES[lone]).abs();
    let along = turned.max_position();
    let straight = turned[along] >= 1.0 - STRAIGHT;
    straight.then(|| BVec3::from(std::array::from_fn(|axis| (axis == along) == (count == 1))))
}

impl Default for Dynamics {
    fn default() -> Self {
        let (locked, upright) = (BVec3::FALSE, BVec3::FALSE);
        Self { gravity_scale: 1.0, linear_damping: 0.0, angular_damping: 0.0, locked, upright }
    }
}

impl Dynamics {
    /// In a plane square to Z: it moves along X and Y and turns about Z.
    pub fn planar() -> Self {
        Self { locked: BVec3::new(false, false, true), upright: BVec3::new(true, true, false), ..Self::default() }
    }

    /// With its axes turned as the body is.
    ///
    /// # Errors
    /// [`SceneError::TurnedAxes`] where they come between axes of the world.
    pub(crate) fn turned(self, item: &str, rotation: Quat) -> Result<Self, SceneError> {
        let turned =
            |field, axes| turned_axes(axes, rotation).ok_or_else(|| SceneError::TurnedAxes(item.to_owned(), field));
        Ok(Self { locked: turned("locked", self.locked)?, upright: turned("upright", self.upright)?, ..self })
    }

    /// Whether some axis is locked.
    pub(crate) fn is_locked(&self) -> bool {
        self.locked.any() || self.upright.any()
    }

    pub(crate) fn check(&self, item: &str) -> Check {
        let scale = self.gravity_scale;
        number(item, "gravity scale", scale, scale.abs() <= MOST_GRAVITY, "from -1000 to 1000")?;
        for (field, damping) in [("linear damping", self.linear_damping), ("angular damping", self.angular_damping)] {
            number(item, field, damping, (0.0..=MOST_DAMPING).contains(&damping), "from 0 to 1000")?;
        }
        Ok(())
    }
}
