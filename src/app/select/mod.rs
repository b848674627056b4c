//! What the player has selected, and how it may be edited.

pub(crate) mod gizmo;
mod ragdoll;
pub(crate) mod scaled;

use glam::{Quat, Vec3};
use serde::{Deserialize, Serialize};

use crate::constraints::{Compliance, Give};
use crate::scene::{BodyId, ColliderId, DeformableId, Dynamics, JointId, Limits, Surface, Thing};
use crate::solver::{Solver, SolverError};

/// What is selected.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Selected {
    /// The thing that was clicked.
    pub(crate) thing: Thing,
    /// Where it was clicked [m].
    pub(crate) point: Vec3,
    /// Of a body: the joint of the scene that is looked at.
    pub(crate) joint: Option<JointId>,
}

/// A change of something that is there.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) enum Edit {
    /// The mass of a body [kg].
    Mass(BodyId, f32),
    /// How a body moves when nothing touches it.
    Dynamics(BodyId, Dynamics),
    /// Friction and restitution.
    Surface(Thing, Surface),
    /// How far cloth, flesh or a rope gives way.
    Compliance(DeformableId, Give, Compliance),
    /// The range of a joint of the scene.
    Limits(JointId, Limits),
    /// The friction of a joint of the scene [N m].
    JointFriction(JointId, f32),
    /// The damping of a joint of the scene [1/s].
    JointDamping(JointId, f32),
    /// Where a collider is [m], and its velocity [m/s] and angular velocity [rad/s] from there on.
    Place(ColliderId, Vec3, Quat, #[serde(default)] Vec3, #[serde(default)] Vec3),
    /// How large a collider is, times what it is.
    Scale(ColliderId, f32),
    /// Whether a collider is in the world.
    Present(ColliderId, bool),
}

impl Edit {
    /// A collider stays where it is put.
    pub(crate) fn put(collider: ColliderId, position: Vec3, rotation: Quat) -> Self {
        Self::Place(collider, position, rotation, Vec3::ZERO, Vec3::ZERO)
    }

    /// A collider is where it is, and moves as it does.
    ///
    /// # Errors
    /// It is not there.
    pub(crate) fn placed(solver: &Solver, collider: ColliderId) -> Result<Self, SolverError> {
        let (position, rotation) = solver.collider_place(collider)?;
        let (velocity, spin) = solver.collider_velocity(collider)?;
        Ok(Self::Place(collider, position, rotation, velocity, spin))
    }

    /// Whether both change the same of the same thing.
    pub(crate) fn is_like(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Mass(a, _), Self::Mass(b, _)) | (Self::Dynamics(a, _), Self::Dynamics(b, _)) => a == b,
            (Self::Surface(a, _), Self::Surface(b, _)) => a == b,
            (Self::Compliance(a, give, _), Self::Compliance(b, other, _)) => a == b && give == other,
            (Self::Limits(a, _), Self::Limits(b, _))
            | (Self::JointFriction(a, _), Self::JointFriction(b, _))
            | (Self::JointDamping(a, _), Self::JointDamping(b, _)) => a == b,
            (Self::Place(a, ..), Self::Place(b, ..)) => a == b,
            _ => false,
        }
    }
}
