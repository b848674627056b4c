//! Persistent force fields: attractors, vortices, moving air, another gravity in a region, and user-defined ones.

use glam::{Quat, Vec3};
use serde::{Deserialize, Serialize};

use super::check::SceneError;
use super::check::{Check, not_negative, number, positive, rotation};
use super::push::Kinds;
use super::push::moderate;

/// Index of a field in its scene; that of a removed one is never used again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct FieldId(pub u32);

/// How an attractor's pull changes with the distance d from its center [m].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum Decay {
    /// Grows as d, like a spring.
    Linear,
    /// The same everywhere.
    Constant,
    /// As 1/d.
    Inverse,
    /// As 1/d², like gravity.
    #[default]
    InverseSquare,
}

impl Decay {
    /// The power of the distance.
    pub(crate) fn power(self) -> f32 {
        match self {
            Self::Linear => 1.0,
            Self::Constant => 0.0,
            Self::Inverse => -1.0,
            Self::InverseSquare => -2.0,
        }
    }
}

/// What a field does at a place.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub enum FieldLaw {
    /// An acceleration [m/s²].
    Acceleration(Vec3),
    /// A pull towards a point.
    Attractor {
        /// Center [m].
        center: Vec3,
        /// Acceleration at a distance of 1 m [m/s²]; below 0 it repels.
        strength: f32,
        /// How that changes with the distance.
        decay: Decay,
        /// Distance from the center within which the pull is that of a spring [m], above 0: it has no end otherwise.
        core: f32,
    },
    /// Air that turns about an axis: as a whole inside its core, as 1/r outside (Rankine).
    Vortex {
        /// A point of the axis [m].
        center: Vec3,
        /// Direction of the axis; any length above 0. The air turns about it as a right hand's fingers do.
        axis: Vec3,
        /// Radius of the core [m], above 0.
        core: f32,
        /// Speed at the core's rim [m/s].
        speed: f32,
        /// Acceleration towards the axis, outside the core [m/s²]: keeps things in.
        pull: f32,
        /// Speed of the air along the axis, at the core's rim [m/s].
        rise: f32,
        /// How fast things take on the air's speed [1/s], 0 or more.
        rate: f32,
    },
    /// Moving air, or still air that slows down. It acts on everything by the same rates, whatever its size and mass: a = (rate +
    /// quadratic |u - v|) (u - v). Bodies lose their spin as fast.
    Air {
        /// Velocity u [m/s].
        velocity: Vec3,
        /// How fast things take it on [1/s], 0 or more.
        rate: f32,
        /// The same for each m/s of difference [1/m], 0 or more.
        quadratic: f32,
    },
    /// A function of WGSL, `fn field(position: vec3f, velocity: vec3f, time: f32) -> vec3f`, in meters and seconds: the
    /// acceleration [m/s²]. Other functions, constants and structs may stand beside it; no variables and no loops.
    User(String),
}

/// Where a field acts.
#[derive(Clone, Copy, Debug, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub enum Region {
    /// Everywhere.
    #[default]
    All,
    /// In a ball.
    Ball {
        /// Center [m].
        center: Vec3,
        /// Radius [m], above 0.
        radius: f32,
    },
    /// In a box.
    Box {
        /// Center [m].
        center: Vec3,
        /// Half of its lengths [m], above 0.
        half: Vec3,
        /// How it is turned.
        rotation: Quat,
    },
}

/// A field of force: what it does, where, and on what. Bodies feel it at their center of mass, all else particle by particle.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Field {
    /// What it does.
    pub law: FieldLaw,
    /// Where.
    pub region: Region,
    /// On what.
    pub acts_on: Kinds,
}

impl Field {
    fn of(law: FieldLaw) -> Self {
        Self { law, region: Region::All, acts_on: Kinds::ALL }
    }

    /// An acceleration [m/s²]: another gravity, or lift.
    pub fn acceleration(acceleration: Vec3) -> Self {
        Self::of(FieldLaw::Acceleration(acceleration))
    }

    /// A pull towards `center` [m], of `strength` [m/s²] at 1 m; it repels below 0. Its core is 5 cm.
    pub fn attractor(center: Vec3, strength: f32, decay: Decay) -> Self {
        Self::of(FieldLaw::Attractor { center, strength, decay, core: 0.05 })
    }

    /// Air that turns about an axis, with `speed` [m/s] at `core` [m] from it.
    pub fn vortex(center: Vec3, axis: Vec3, core: f32, speed: f32) -> Self {
        Self::of(FieldLaw::Vortex { center, axis, core, speed, pull: 0.0, rise: 0.0, rate: 2.0 })
    }

    /// Air that moves [m/s], and takes things along at this rate [1/s].
    pub fn wind(velocity: Vec3, rate: f32) -> Self {
        Self::of(FieldLaw::Air { velocity, rate, quadratic: 0.0 })
    }

    /// Still air, which slows things down at this rate [1/s].
    pub fn drag(rate: f32) -> Self {
        Self::wind(Vec3::ZERO, rate)
    }

    /// What a function of WGSL says: see [`FieldLaw::User`].
    pub fn user(text: impl Into<String>) -> Self {
        Self::of(FieldLaw::User(text.into()))
    }

    /// Acts in a ball only [m].
    #[must_use]
    pub fn in_ball(mut self, center: Vec3, radius: f32) -> Self {
        self.region = Region::Ball { center, radius };
        self
    }

    /// Acts in a box only [m].
    #[must_use]
    pub fn in_box(mut self, center: Vec3, half: Vec3, rotation: Quat) -> Self {
        self.region = Region::Box { center, half, rotation };
        self
    }

    /// Acts on these kinds only.
    #[must_use]
    pub fn on(mut self, kinds: Kinds) -> Self {
        self.acts_on = kinds;
        self
    }

    /// Checks its numbers.
    pub(crate) fn check(&self) -> Check {
        self.region.check()?;
        match &self.law {
            FieldLaw::Acceleration(a) => moderate("field", "acceleration", *a),
            FieldLaw::Attractor { center, strength, core, .. } => {
                moderate("attractor", "center", *center)?;
                moderate("attractor", "strength", Vec3::splat(*strength))?;
                positive("attractor", "core", *core)
            }
            FieldLaw::Vortex { center, axis, core, speed, pull, rise, rate } => {
                moderate("vortex", "center", *center)?;
                moderate("vortex", "axis", *axis)?;
                positive("vortex", "length of the axis", axis.length())?;
                positive("vortex", "core", *core)?;
                moderate("vortex", "speed, pull or rise", Vec3::new(*speed, *pull, *rise))?;
                not_negative("vortex", "rate", *rate)
            }
            FieldLaw::Air { velocity, rate, quadratic } => {
                moderate("wind", "velocity", *velocity)?;
                not_negative("wind", "rate", *rate)?;
                not_negative("wind", "quadratic rate", *quadratic)
            }
            FieldLaw::User(text) if text.trim().is_empty() => {
                Err(SceneError::Empty { item: "user field".into(), field: "text" })
            }
            FieldLaw::User(_) => Ok(()),
        }
    }
}

impl Region {
    fn check(&self) -> Check {
        match *self {
            Self::All => Ok(()),
            Self::Ball { center, radius } => {
                moderate("region of a field", "center", center)?;
                number("region of a field", "radius", radius, radius > 0.0, "above 0")
            }
            Self::Box { center, half, rotation: turn } => {
                moderate("region of a field", "center", center)?;
                moderate("region of a field", "half length", half)?;
                positive("region of a field", "half length", half.min_element())?;
                rotation("region of a field", turn)
            }
        }
    }
}
