//! How a body moves when nothing touches it: how strongly gravity acts on it, how its motion is damped, and its locked axes.

use glam::BVec3;
use serde::{Deserialize, Serialize};

use super::check::{Check, number};

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
