//! Sensors: regions that report what is inside, and collide with nothing.

use super::check::{Check, SceneError, pose};
use super::{BodyId, Kinds, Placement, Shape};

/// A region that tells what is inside: see [`Solver::add_sensor`](crate::solver::Solver::add_sensor).
#[derive(Clone, Debug, PartialEq)]
pub struct Sensor {
    /// Its shape: a box, a ball, a capsule, a cylinder, a hull, a compound, what is below a plane or a
    /// heightfield, or the inside of a mesh as [`Shape::Grid`].
    pub shape: Shape,
    /// Where it is [m], in the frame of its body if it has one.
    pub placement: Placement,
    /// A body that it goes with, and does not tell.
    pub body: Option<BodyId>,
    /// Kinds of things that it tells; colliders it never does.
    pub kinds: Kinds,
    /// Layers of which a thing is to be of one at least, a bit for each; all unless it is said, which tells things of none, too: see
    /// [`Layers::of`](super::Layers::of).
    pub layers: u32,
}

impl Sensor {
    /// A sensor of everything at a place.
    pub fn new(shape: Shape, placement: impl Into<Placement>) -> Self {
        Self { shape, placement: placement.into(), body: None, kinds: Kinds::ALL, layers: u32::MAX }
    }

    /// Going with a body, in whose frame it is placed.
    #[must_use]
    pub fn on(self, body: BodyId) -> Self {
        Self { body: Some(body), ..self }
    }

    /// Telling only these kinds.
    #[must_use]
    pub fn only(self, kinds: Kinds) -> Self {
        Self { kinds, ..self }
    }

    /// Telling only things that are of one of these layers at least: see [`Scene::set_layers`](super::Scene::set_layers).
    #[must_use]
    pub fn of_layers(self, layers: u32) -> Self {
        Self { layers, ..self }
    }

    /// Whether its numbers are some.
    pub(crate) fn check(&self) -> Check {
        self.shape.check("sensor")?;
        if matches!(self.shape, Shape::Mesh(_)) {
            return Err(SceneError::OpenSensor);
        }
        pose("sensor", self.placement.position, self.placement.rotation, glam::Vec3::ZERO, glam::Vec3::ZERO)
    }
}
