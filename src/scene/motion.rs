//! Where bodies are, and how the host moves those that it poses.

use glam::Vec3;
use serde::{Deserialize, Serialize};

use super::check::{not_negative, number};
use super::placement::Placement;
use super::{Body, BodyId, JointId, Motor, Scene, SceneError};

impl Placement {
    /// Where a body is at the start.
    pub(crate) fn of(body: &Body) -> Self {
        Self { position: body.position, rotation: body.rotation }
    }
}

/// What a posed body does in the next frame.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BodyGoal {
    /// The body.
    pub body: BodyId,
    /// Where it begins; anywhere but its last place is a jump.
    pub from: Placement,
    /// Where it is when the frame ends.
    pub to: Placement,
}

/// Bodies that are put elsewhere all together, with the clothes that they wear, without touching what is on the way. Velocities turn
/// along.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BodyMove {
    /// The bodies.
    pub bodies: Vec<BodyId>,
    /// What is at a point `p` comes to `by.point(p)`.
    pub by: Placement,
}

/// Posed bodies that go along with a walker in the next frame: as far as its soles are from where they were expected, they are from their
/// goals. Who is more than 1 m and its way of six frames from there was put elsewhere, and takes nobody along.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Ride {
    /// The walker's body.
    pub walker: BodyId,
    /// The posed bodies.
    pub bodies: Vec<BodyId>,
    /// Where its soles are at the start of the frame, as far as the host knows [m].
    pub from: Vec3,
    /// Where they are when it ends [m].
    pub to: Vec3,
}

/// What the host does to bodies before a frame.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Cues {
    /// Posed bodies and their motion.
    pub goals: Vec<BodyGoal>,
    /// Posed bodies that walkers take along in the next frame.
    #[serde(default)]
    pub rides: Vec<Ride>,
    /// Bodies that are posed no longer and go on by themselves.
    pub released: Vec<BodyId>,
    /// Bodies that are put elsewhere; those that are posed go to their goals.
    #[serde(default)]
    pub moves: Vec<BodyMove>,
    /// How firmly bodies are held while they are posed, from now on.
    pub strengths: Vec<HoldStrength>,
    /// Joints, and what drives them from now on.
    pub motors: Vec<(JointId, Option<Motor>)>,
    /// Bodies that are pulled in the next frame.
    pub pulls: Vec<BodyPull>,
}

/// What draws a body towards a pose that moves, in the next frame: a damped spring that does not swing over, with so much force and
/// torque and no more.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BodyPull {
    /// The body, and where it is wanted at the start and at the end of the frame.
    pub goal: BodyGoal,
    /// How fast it gets there [1/s], 0 or more: the frequency of the spring.
    pub rate: f32,
    /// Mass that the spring counts with [kg], 0 or more: that of the body, and of what hangs on it.
    pub mass: f32,
    /// Most force along the ground [N], 0 or more; there is none upward.
    pub max_force: f32,
    /// Most torque [N m], 0 or more.
    pub max_torque: f32,
}

impl BodyPull {
    /// Checks its numbers; `item` is the name of its body.
    pub(crate) fn check(&self, item: &str) -> Result<(), SceneError> {
        for at in [&self.goal.from, &self.goal.to] {
            Scene::check_pose(item, at.position, at.rotation, Vec3::ZERO, Vec3::ZERO)?;
        }
        number(item, "rate of a pull", self.rate, (0.0..=Self::FASTEST).contains(&self.rate), "from 0 to 60")?;
        not_negative(item, "mass of a pull", self.mass)?;
        not_negative(item, "force of a pull", self.max_force)?;
        not_negative(item, "torque of a pull", self.max_torque)
    }

    /// Fastest rate [1/s]: an explicit spring stays calm with substeps of 1/240 s.
    const FASTEST: f32 = 60.0;
}

/// A body as it was seen a few frames ago.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sighting {
    /// The body.
    pub body: BodyId,
    /// Where it was.
    pub place: Placement,
    /// Its velocity [m/s].
    pub velocity: Vec3,
    /// Its angular velocity [rad/s].
    pub angular_velocity: Vec3,
}

/// Who moves bodies frame by frame and hears what became of them; [`Solver::direct`](crate::solver::Solver::direct) asks
/// before every frame.
pub trait Director {
    /// Hears before all else who has which body: `life_of` numbers the copies of pools by when they entered the world, and is 0 of
    /// bodies of no pool, none of those that are out of the world.
    fn present(&mut self, life_of: &dyn Fn(BodyId) -> Option<u64>) {
        let _ = life_of;
    }
    /// Hears which held bodies something has struck out of their holds.
    fn struck(&mut self, bodies: &[BodyId]);
    /// The bodies that it wants to see.
    fn watched(&self) -> Vec<BodyId>;
    /// Sees bodies as they were after a frame, three frames later, in order. `scene` has what else is there.
    fn see(&mut self, bodies: &[Sighting], scene: &Scene);
    /// Tells what bodies do in the next frame of `dt` [s].
    fn cues(&mut self, dt: f32) -> Cues;
}

/// How firmly a body is held while it is posed.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HoldStrength {
    /// The body.
    pub body: BodyId,
    /// Largest impulse that it bears [N s], 0 or more: the one that stops another body that comes at it. A harder blow strikes it out
    /// of the hold, and all posed bodies that joints tie to it. What it moves against by itself is pressed with no more than what gives
    /// this impulse in 0.02 s: a heavier thing stays, and it goes into that. Infinite, as for all at the start, it is never let go of and
    /// pushes everything, however heavy.
    pub impulse: f32,
}

impl Scene {
    /// Moves a body and its particles, before the scene is simulated; joints follow, because they are kept in the frames
    /// of their bodies.
    ///
    /// # Errors
    /// [`SceneError`] for numbers that are not finite.
    ///
    /// # Panics
    /// If the id is not of this scene.
    pub fn place_body(
        &mut self,
        id: BodyId,
        at: Placement,
        velocity: Vec3,
        angular_velocity: Vec3,
    ) -> Result<(), SceneError> {
        let body = &mut self.bodies[id.0 as usize];
        Self::check_pose(&body.name, at.position, at.rotation, velocity, angular_velocity)?;
        (body.position, body.rotation) = (at.position, at.rotation.normalize());
        (body.velocity, body.angular_velocity) = (velocity, angular_velocity);
        for link in &body.links {
            let particle = &mut self.particles[link.particle.0 as usize];
            particle.position = at.point(link.local);
            particle.velocity = velocity + angular_velocity.cross(at.rotation * link.local);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use glam::Quat;

    use super::*;
    use crate::scene::BodyDesc;

    #[test]
    fn a_placed_body_takes_its_particles_along() {
        let mut scene = Scene::default();
        let id = scene.add_body(BodyDesc::cuboid(Vec3::splat(0.2), 0.1)).unwrap();
        let at = Placement { position: Vec3::Y, rotation: Quat::from_rotation_z(0.5) };
        scene.place_body(id, at, Vec3::X, Vec3::Z).unwrap();
        let body = scene.body(id);
        for link in &body.links {
            let particle = scene.particles[link.particle.0 as usize];
            assert!((particle.position - at.point(link.local)).length() < 1e-6);
            assert!((particle.velocity - Vec3::X - Vec3::Z.cross(particle.position - Vec3::Y)).length() < 1e-6);
        }
        assert!(scene.place_body(id, at, Vec3::NAN, Vec3::ZERO).is_err());
    }
}
