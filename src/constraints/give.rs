//! How objects yield, and how far: the compliances of their constraints, which can be changed together.

use serde::{Deserialize, Serialize};

/// How an object gives way to a load. Each type of constraint says which of its numbers are compliances of what.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Give {
    /// Edges and segments become longer and shorter [m/N]; triangles do so along their weave, tetrahedra along their fibers and
    /// across them [1/J].
    Stretch,
    /// Triangles shear against their weave, tetrahedra against their fibers [1/J].
    Shear,
    /// Sheets [1/J], ropes and rods [m/N] bend; rods twist [1/(N m)].
    Bend,
    /// Tetrahedra, and what has a pressure inside, change their volume [m⁵/N].
    Volume,
    /// Elastic tetrahedra change their shape, by the inverse of their moduli [1/J].
    Elastic,
    /// Particles leave their place in the rest shape [m/N].
    Shape,
    /// What holds them lets particles go from it [m/N].
    Pin,
    /// What acts only when longer becomes longer [m/N].
    Tether,
    /// What has a pressure inside has so many times that with which it was made: a factor only, from 0.01 to 100. It is set as
    /// compliances are, and is none.
    Pressure,
    /// What a user's type does whose number is called `compliance`.
    Other,
}

impl Give {
    /// What it is, in words.
    pub fn name(self) -> &'static str {
        match self {
            Self::Stretch => "stretch",
            Self::Shear => "shear",
            Self::Bend => "bend",
            Self::Volume => "volume",
            Self::Elastic => "elastic shape",
            Self::Shape => "shape",
            Self::Pin => "pins",
            Self::Tether => "tethers",
            Self::Pressure => "pressure",
            Self::Other => "user constraints",
        }
    }
}

/// How far an object gives way.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum Compliance {
    /// Every constraint by so much per load, from 0 to 10¹² of its unit, which [`Give`] tells.
    Each(f32),
    /// So many times as far as it was made, from 0 to 10¹²; what does not give way at all does not by any factor.
    Times(f32),
}

impl Compliance {
    /// As it was made.
    pub const MADE: Self = Self::Times(1.0);

    /// Most that can be given: what is softer would not act, and leaves what can be calculated with.
    pub const MOST: f32 = 1e12;

    /// The number that was given.
    pub fn number(self) -> f32 {
        match self {
            Self::Each(number) | Self::Times(number) => number,
        }
    }

    /// What it makes of a compliance with which a constraint was made.
    pub fn of(self, made: f32) -> f32 {
        match self {
            Self::Each(each) => each,
            Self::MADE => made,
            Self::Times(times) => (times * made).min(Self::MOST),
        }
    }
}
