//! Aerodynamics: what the air does to triangles of free particles, drag and lift.

use serde::{Deserialize, Serialize};

use super::SceneError;
use super::check::not_negative;

/// Air around a sheet, and how the sheet stands in it. A triangle of area A that moves at v against the air, s = |v|, with its
/// normal n turned along v and c = n·v/s, feels -½ ρ A c s (drag v + lift (s n - c v)).
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Air {
    /// Density ρ [kg/m³], 0 or more; 0 for a sheet that feels no air.
    pub density: f32,
    /// Drag coefficient [dimensionless], 0 or more.
    pub drag: f32,
    /// Lift coefficient [dimensionless], from 0 to the drag coefficient, so that air only ever slows a sheet down.
    pub lift: f32,
}

impl Default for Air {
    fn default() -> Self {
        // At sea level; a flat plate across the stream has a drag of 1.2, and lift of about half of it in between.
        Self { density: 1.2, drag: 1.2, lift: 0.6 }
    }
}

impl Air {
    /// None: the sheet moves as in a vacuum.
    pub const NONE: Self = Self { density: 0.0, drag: 0.0, lift: 0.0 };

    /// Whether the air does anything.
    pub fn acts(&self) -> bool {
        self.density > 0.0 && self.drag > 0.0
    }

    pub(super) fn check(&self, item: &str) -> Result<(), SceneError> {
        not_negative(item, "density of the air", self.density)?;
        not_negative(item, "drag", self.drag)?;
        super::check::number(item, "lift", self.lift, (0.0..=self.drag).contains(&self.lift), "from 0 to the drag")
    }
}

/// Triangles of free particles that feel the air.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AirSurface {
    /// Corners.
    #[serde(with = "crate::pack")]
    pub triangles: Vec<[u32; 3]>,
    /// The air around them.
    pub air: Air,
}
