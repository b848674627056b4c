//! Walkers: bodies that a game steers, and that walk on whatever is under them.

use serde::{Deserialize, Serialize};

use super::BodyDesc;
use super::check::{Check, not_negative, number, positive};
use super::{BodyId, Dynamics, Surface, Thing};
use glam::{BVec3, Vec3};

/// Radius of the particles of a walker's body, in its radii.
const PARTICLES: f32 = 0.2;

/// How a body walks: see [`Solver::add_walker`](crate::solver::Solver::add_walker).
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Walker {
    /// Radius of its capsule [m], above 0.
    pub radius: f32,
    /// From its soles to its crown [m], at least twice the radius.
    pub height: f32,
    /// Mass of the body that [`Walker::body`] makes [kg], above 0.
    pub mass: f32,
    /// Highest step that it climbs [m], from 0 to half of its height; as far it goes down without losing the ground.
    pub step: f32,
    /// Steepest slope on which it stands and walks [rad], from 0 to 1.5; it slides off steeper ones.
    pub slope: f32,
    /// How fast it changes its velocity on the ground [m/s²], above 0.
    pub acceleration: f32,
    /// The same in the air [m/s²], 0 or more.
    pub air_acceleration: f32,
    /// Greatest force with which it pushes what is in its way for long [N], 0 or more.
    pub push: f32,
}

impl Default for Walker {
    fn default() -> Self {
        Self {
            radius: 0.3,
            height: 1.8,
            mass: 75.0,
            step: 0.3,
            slope: 50.0_f32.to_radians(),
            acceleration: 30.0,
            air_acceleration: 6.0,
            push: 500.0,
        }
    }
}

impl Walker {
    /// Its body, standing at a place [m]: a capsule that stays upright and does not rub.
    pub fn body(&self, soles: Vec3) -> BodyDesc {
        let half_length = 0.5 * self.height - self.radius;
        let dynamics = Dynamics { upright: BVec3::TRUE, ..Dynamics::default() };
        let surface = Surface { friction: 0.0, restitution: 0.0 };
        let capsule = BodyDesc::capsule(self.radius, half_length.max(0.0), PARTICLES * self.radius);
        let desc = capsule.named("walker").with_mass(self.mass).at(soles + 0.5 * self.height * Vec3::Y);
        BodyDesc { dynamics, surface, ..desc }
    }

    pub(crate) fn check(&self) -> Check {
        let item = "walker";
        positive(item, "radius", self.radius)?;
        number(item, "height", self.height, self.height >= 2.0 * self.radius, "at least twice the radius")?;
        positive(item, "mass", self.mass)?;
        let most = 0.5 * self.height;
        number(item, "step", self.step, (0.0..=most).contains(&self.step), "from 0 to half of the height")?;
        number(item, "slope", self.slope, (0.0..=1.5).contains(&self.slope), "from 0 to 1.5")?;
        positive(item, "acceleration", self.acceleration)?;
        not_negative(item, "acceleration in the air", self.air_acceleration)?;
        not_negative(item, "push", self.push)
    }
}

/// How a walker stood at the end of a frame: see [`Solver::footing`](crate::solver::Solver::footing).
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Footing {
    /// The walker.
    pub body: BodyId,
    /// Simulated time [s].
    pub time: f64,
    /// Where its soles were [m].
    pub position: Vec3,
    /// Its velocity [m/s].
    pub velocity: Vec3,
    /// What it stood on; none in the air and on what is too steep.
    pub ground: Option<Ground>,
}

impl Footing {
    /// Where its soles will be at a later time [s] if it goes on so [m].
    pub fn expected(&self, time: f64) -> Vec3 {
        self.position + self.velocity * (time - self.time) as f32
    }
}

/// What a walker stood on.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Ground {
    /// The thing.
    pub thing: Thing,
    /// Where [m].
    pub point: Vec3,
    /// Out of it there, of unit length.
    pub normal: Vec3,
}
