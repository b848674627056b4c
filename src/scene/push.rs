//! Pushes: how a game acts on things from outside, at once or for a while.

use std::ops::BitOr;

use glam::Vec3;

use super::check::{Check, not_negative, number, positive};
use super::{BodyId, DeformableId, GrainsId, LiquidId, ParticleId, Thing};

/// Largest component of what pushes [SI units]: more would leave the range of numbers.
const MOST: f32 = 1.0e9;

/// Kinds of things, those that a query asks for or that a push or a field acts on; joined by `|`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Kinds(pub(crate) u32);

impl Kinds {
    /// Rigid bodies and limbs of ragdolls.
    pub const BODIES: Self = Self(1);
    /// The static and moving world, which nothing pushes.
    pub const COLLIDERS: Self = Self(2);
    /// Cloth, flesh, ropes and rods.
    pub const DEFORMABLES: Self = Self(4);
    /// Liquids.
    pub const LIQUIDS: Self = Self(8);
    /// Grains; for pushes and fields single particles too.
    pub const GRAINS: Self = Self(16);
    /// Nothing.
    pub const NONE: Self = Self(0);
    /// Everything.
    pub const ALL: Self = Self(31);

    /// All free particles.
    pub(crate) const PARTICLES: Self = Self(28);

    /// That of a thing.
    pub(crate) fn of(thing: Thing) -> Self {
        match thing {
            Thing::Body(_) => Self::BODIES,
            Thing::Collider(_) => Self::COLLIDERS,
            Thing::Deformable(_) => Self::DEFORMABLES,
            Thing::Liquid(_) => Self::LIQUIDS,
            Thing::Grains(_) => Self::GRAINS,
        }
    }

    /// Whether any of `other` is among them.
    pub(crate) fn meets(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    /// Whether all of `other` are among them.
    pub fn contains(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }
}

impl Default for Kinds {
    fn default() -> Self {
        Self::ALL
    }
}

impl BitOr for Kinds {
    type Output = Self;

    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

/// What is pushed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub enum Pushed {
    /// A body, or all particles of another thing.
    Thing(Thing),
    /// One free particle.
    Particle(ParticleId),
}

macro_rules! pushed_from {
    ($($id:ty => $thing:path,)*) => {
        $(impl From<$id> for Pushed {
            fn from(id: $id) -> Self {
                Self::Thing($thing(id))
            }
        })*
    };
}

pushed_from! {
    BodyId => Thing::Body,
    DeformableId => Thing::Deformable,
    LiquidId => Thing::Liquid,
    GrainsId => Thing::Grains,
}

impl From<Thing> for Pushed {
    fn from(thing: Thing) -> Self {
        Self::Thing(thing)
    }
}

impl From<ParticleId> for Pushed {
    fn from(id: ParticleId) -> Self {
        Self::Particle(id)
    }
}

/// How it is pushed.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub enum PushAction {
    /// Adds momentum [N s]. Particles share it by their masses.
    Impulse(Vec3),
    /// Adds angular momentum [N m s]; bodies only.
    AngularImpulse(Vec3),
    /// Adds momentum for a while [N].
    Force(Vec3),
    /// Adds angular momentum for a while [N m]; bodies only.
    Torque(Vec3),
    /// Adds velocity [m/s].
    VelocityChange(Vec3),
    /// Adds angular velocity [rad/s]; bodies only.
    AngularVelocityChange(Vec3),
    /// Sets the velocity [m/s].
    Velocity(Vec3),
    /// Sets the angular velocity [rad/s]; bodies only.
    AngularVelocity(Vec3),
}

impl PushAction {
    /// What it pushes with, and what that is called.
    fn vector(&self) -> (&'static str, Vec3) {
        match *self {
            Self::Impulse(v) => ("impulse", v),
            Self::AngularImpulse(v) => ("angular impulse", v),
            Self::Force(v) => ("force", v),
            Self::Torque(v) => ("torque", v),
            Self::VelocityChange(v) => ("velocity change", v),
            Self::AngularVelocityChange(v) => ("angular velocity change", v),
            Self::Velocity(v) => ("velocity", v),
            Self::AngularVelocity(v) => ("angular velocity", v),
        }
    }

    /// What it is called.
    pub(crate) fn name(&self) -> &'static str {
        self.vector().0
    }

    /// Whether it turns, which only bodies do.
    pub(crate) fn turns(&self) -> bool {
        matches!(
            self,
            Self::AngularImpulse(_) | Self::Torque(_) | Self::AngularVelocityChange(_) | Self::AngularVelocity(_)
        )
    }

    /// Whether it goes on for a while.
    pub(crate) fn lasts(&self) -> bool {
        matches!(self, Self::Force(_) | Self::Torque(_))
    }
}

/// A push on one thing or particle, in the next frame.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Push {
    /// What is pushed.
    pub target: Pushed,
    /// How.
    pub action: PushAction,
    /// Where an impulse or a force acts on a body [m]; none: at its center of mass.
    pub at: Option<Vec3>,
    /// Whether that point and the push are in the frame of the body.
    pub local: bool,
    /// Center [m] and radius [m] of the ball whose particles are pushed; none: all of the thing.
    pub within: Option<(Vec3, f32)>,
    /// How long a force or torque acts [s]; none: for one frame.
    pub duration: Option<f32>,
}

macro_rules! push_of {
    ($($(#[$about:meta])* $name:ident $action:ident,)*) => {
        $($(#[$about])*
        pub fn $name(target: impl Into<Pushed>, vector: Vec3) -> Self {
            Self {
                target: target.into(),
                action: PushAction::$action(vector),
                at: None,
                local: false,
                within: None,
                duration: None,
            }
        })*
    };
}

impl Push {
    push_of! {
        /// Adds momentum [N s].
        impulse Impulse,
        /// Adds angular momentum to a body [N m s].
        angular_impulse AngularImpulse,
        /// Pushes with a force [N] for one frame, or [as long as told](Push::lasting).
        force Force,
        /// Turns a body by a torque [N m] for one frame, or [as long as told](Push::lasting).
        torque Torque,
        /// Adds velocity [m/s], whatever the mass.
        velocity_change VelocityChange,
        /// Adds angular velocity to a body [rad/s].
        angular_velocity_change AngularVelocityChange,
        /// Sets the velocity [m/s].
        velocity Velocity,
        /// Sets the angular velocity of a body [rad/s].
        angular_velocity AngularVelocity,
    }

    /// Acts at this point of the world [m], so that it also turns the body.
    #[must_use]
    pub fn at(mut self, point: Vec3) -> Self {
        self.at = Some(point);
        self
    }

    /// Acts at this point of the body [m], and both the point and the push turn with it: a rocket under a wing.
    #[must_use]
    pub fn at_local(mut self, point: Vec3) -> Self {
        (self.at, self.local) = (Some(point), true);
        self
    }

    /// Acts on those particles only that are in this ball [m].
    #[must_use]
    pub fn within(mut self, center: Vec3, radius: f32) -> Self {
        self.within = Some((center, radius));
        self
    }

    /// Acts for so long [s].
    #[must_use]
    pub fn lasting(mut self, seconds: f32) -> Self {
        self.duration = Some(seconds);
        self
    }

    /// Checks its numbers.
    pub(crate) fn check(&self) -> Check {
        let (field, vector) = self.action.vector();
        moderate("push", field, vector)?;
        if let Some(at) = self.at {
            moderate("push", "point", at)?;
        }
        if let Some((center, radius)) = self.within {
            moderate("push", "center", center)?;
            positive("push", "radius", radius)?;
        }
        self.duration.map_or(Ok(()), |seconds| positive("push", "duration", seconds))
    }
}

/// Numbers that can be calculated with.
pub(super) fn moderate(item: &str, field: &'static str, v: Vec3) -> Check {
    let worst = v.to_array().into_iter().find(|c| !c.is_finite() || c.abs() > MOST).unwrap_or(0.0);
    number(item, field, worst, worst.abs() <= MOST, "a number up to 1e9")
}

/// How hard an explosion pushes, at its center.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub enum Blast {
    /// All things become faster by so much [m/s], whatever their mass.
    Speed(f32),
    /// Every body gets so much momentum [N s], so that light ones fly. All free particles in the ball get as much together, shared by
    /// their masses.
    Impulse(f32),
}

/// What is left of an explosion at a distance d from its center, its radius being r.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
pub enum Falloff {
    /// All of it up to its end.
    Constant,
    /// 1 - d/r.
    #[default]
    Linear,
    /// (1 - d/r)².
    Quadratic,
}

impl Falloff {
    /// The power of 1 - d/r.
    pub(crate) fn power(self) -> f32 {
        match self {
            Self::Constant => 0.0,
            Self::Linear => 1.0,
            Self::Quadratic => 2.0,
        }
    }
}

/// A push away from a center, on everything in a ball, in the next frame. Every particle is pushed by how far it is from the
/// center, those of bodies too: so a body at the rim is pushed with the part of it that is inside, and turns.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Explosion {
    /// Center [m].
    pub center: Vec3,
    /// Radius of the ball [m], above 0.
    pub radius: f32,
    /// How hard it pushes at its center; below 0 it pulls.
    pub strength: Blast,
    /// How that falls off.
    pub falloff: Falloff,
    /// How far below its center it seems to come from [m], 0 or more: what lies beside it then also goes up.
    pub lift: f32,
    /// What it acts on.
    pub acts_on: Kinds,
}

impl Explosion {
    /// One that makes things faster by `speed` [m/s] at its center and falls off linearly to nothing at `radius` [m].
    pub fn new(center: Vec3, radius: f32, speed: f32) -> Self {
        Self { center, radius, strength: Blast::Speed(speed), falloff: Falloff::Linear, lift: 0.0, acts_on: Kinds::ALL }
    }

    /// Checks its numbers.
    pub(crate) fn check(&self) -> Check {
        let (Blast::Speed(strength) | Blast::Impulse(strength)) = self.strength;
        moderate("explosion", "center", self.center)?;
        moderate("explosion", "strength", Vec3::splat(strength))?;
        number("explosion", "radius", self.radius, self.radius > 0.0 && self.radius <= MOST, "above 0, up to 1e9")?;
        not_negative("explosion", "lift", self.lift)
    }
}
