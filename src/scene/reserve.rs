//! Places reserved for what is added to the running world, beyond pools: colliders, emitters, joints.

use serde::{Deserialize, Serialize};

use super::Shape;
use super::check::{Check, number};
use super::collider::ColliderId;

/// Most places of a kind.
pub(super) const MOST: u32 = 4096;

/// An emitter that waits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Nozzle {
    /// Its index.
    pub emitter: usize,
    /// Most particles side by side in it.
    pub spots: u32,
}

/// Room for shapes of colliders.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ShapeRoom {
    /// As large as this one.
    pub shape: Shape,
    /// How many of them there is room for at once.
    pub count: u32,
}

/// Places that are kept in a scene.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Reserve {
    /// Colliders that wait.
    pub colliders: Vec<ColliderId>,
    /// What their shapes have room for, beyond plain ones.
    #[serde(default)]
    pub shapes: Vec<ShapeRoom>,
    /// Emitters that wait.
    pub emitters: Vec<Nozzle>,
    /// How many joints can be added.
    pub joints: u32,
    /// How many particles can be fastened to bodies.
    #[serde(default)]
    pub attachments: u32,
}

impl Reserve {
    /// Whether nothing can be added.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Checks how much it is.
    pub(super) fn check(&self) -> Check {
        for room in &self.shapes {
            room.shape.check("reserved shape")?;
            number(
                "reserve",
                "shapes of a kind",
                room.count as f32,
                (1..=MOST).contains(&room.count),
                "from 1 to 4096",
            )?;
        }
        let counts = [self.colliders.len(), self.emitters.len(), self.joints as usize, self.attachments as usize];
        let most = counts.into_iter().max().unwrap_or(0);
        number("reserve", "number of places", most as f32, most <= MOST as usize, "at most 4096")?;
        let spots = self.emitters.iter().map(|nozzle| nozzle.spots).max().unwrap_or(0);
        number("reserve", "particles in a nozzle", spots as f32, spots <= 1 << 16, "at most 65536")
    }
}
