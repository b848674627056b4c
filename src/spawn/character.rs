//! Characters: loaded, built, and made to stand, drop, tumble or perform.

use std::path::Path;
use std::sync::Arc;

use glam::{Quat, Vec3, Vec4};
use thiserror::Error;

use crate::animation::{Cast, ClipError, Performer, Pose, Rig, span};
use crate::import::{self, Asset, ImportError};
use crate::ragdoll::{self, Overrides, RagdollError, RagdollPlan, RagdollSettings};
use crate::scene::{BodyId, Collider, Placement, Scene, SceneError};

/// The file of our own character.
static DANCER: &[u8] = include_bytes!("../../assets/dancer.glb");
/// Clips that show best, if the model has them.
const FAVORITES: &[&str] = &["dance", "walk"];
/// Height of the built-in figure [m].
const FIGURE_HEIGHT: f32 = 1.75;
/// Time from a pose of a clip that is looked at to the next [s], and most of them in one clip: those of longer ones are farther apart.
const EVERY: f32 = 0.2;
const MOST_POSES: f32 = 600.0;

/// A character that cannot be made.
#[derive(Debug, Error)]
pub enum CharacterError {
    /// The model file could not be read.
    #[error(transparent)]
    Import(#[from] ImportError),
    /// The model could not become a ragdoll.
    #[error(transparent)]
    Ragdoll(#[from] RagdollError),
    /// The scene refused it.
    #[error(transparent)]
    Scene(#[from] SceneError),
    /// A clip that the model does not have.
    #[error(transparent)]
    UnknownClip(#[from] ClipError),
    /// A clip for a model that is one rigid body.
    #[error("`{0}` is a single rigid body and cannot play clips; `sinew inspect` says why")]
    Rigid(String),
    /// A model without a skin, which nothing can pose.
    #[error("`{0}` has no skeleton to hold it up; `Character::add_to` lets it fall")]
    Boneless(String),
}

/// The model of our own character, a dancer with clips and clothes.
///
/// # Errors
/// [`ImportError`] as [`import::from_bytes`]; the file is part of the program.
pub fn dancer() -> Result<Asset, ImportError> {
    import::from_bytes(Path::new("dancer.glb"), DANCER, None)
}

/// A character to put into scenes, any number of times.
#[derive(Clone, Debug)]
pub struct Character {
    plan: RagdollPlan,
    /// What moves it; none for the built-in figure and for models that are one rigid body.
    rig: Option<Arc<Rig>>,
    /// Middle of the ball around its rest pose [m].
    center: Vec3,
    /// Radius of a ball that holds it in its rest pose and in every pose of its clips [m].
    radius: f32,
    /// Height of the lowest point of its rest pose, tilted as it is dropped [m].
    lowest: f32,
    /// What stands around it in its file.
    world: Vec<Collider>,
}

impl Character {
    /// Our own character.
    ///
    /// # Errors
    /// As [`Character::from_file`].
    pub fn dancer() -> Result<Self, CharacterError> {
        Self::dancer_with(None)
    }

    /// The same, with changes to its ragdoll.
    pub(crate) fn dancer_with(changes: Option<&Path>) -> Result<Self, CharacterError> {
        Self::changed(dancer()?, changes)
    }

    /// The character of a .glb, .gltf or .vrm file, as large as its size suggests.
    ///
    /// # Errors
    /// [`CharacterError`] naming the file and what is wrong in it.
    pub fn load(path: impl AsRef<Path>) -> Result<Self, CharacterError> {
        Self::from_file(path.as_ref(), None, None)
    }

    /// The character of a .glb, .gltf or .vrm file, with `scale` meters to its unit or what its size suggests, and with changes to
    /// its ragdoll if `changes` names a file of them ([`Overrides`]).
    ///
    /// # Errors
    /// [`CharacterError`] naming the file and what is wrong in it.
    pub fn from_file(path: &Path, scale: Option<f32>, changes: Option<&Path>) -> Result<Self, CharacterError> {
        Self::changed(import::load_scaled(path, scale)?, changes)
    }

    fn changed(asset: Asset, changes: Option<&Path>) -> Result<Self, CharacterError> {
        let overrides = changes.map(Overrides::load).transpose().map_err(RagdollError::from)?.unwrap_or_default();
        let plan = ragdoll::build_with(&asset, &RagdollSettings::default(), &overrides)?;
        Self::skinned(asset, plan, &overrides)
    }

    /// A model as one rigid body.
    ///
    /// # Errors
    /// [`CharacterError`] when it encloses nothing.
    pub fn rigid(asset: &Asset) -> Result<Self, CharacterError> {
        Self::new(ragdoll::rigid(asset, &RagdollSettings::default())?, None)
    }

    /// The built-in figure.
    ///
    /// # Errors
    /// None but for bugs of ours.
    pub fn figure() -> Result<Self, CharacterError> {
        Self::new(ragdoll::figure(FIGURE_HEIGHT), None)
    }

    /// The same without clothes.
    #[must_use]
    pub fn undressed(mut self) -> Self {
        self.plan.garments.clear();
        self
    }

    fn skinned(asset: Asset, plan: RagdollPlan, changes: &Overrides) -> Result<Self, CharacterError> {
        let carried = plan.bodies.iter().any(|b| b.joint.is_some());
        let rig = carried.then(|| Arc::new(plan.rig(Arc::new(asset)).changed_by(changes.text().to_owned())));
        Self::new(plan, rig)
    }

    fn new(plan: RagdollPlan, rig: Option<Arc<Rig>>) -> Result<Self, CharacterError> {
        let mut trial = Scene::default();
        plan.add_to(&mut trial, Vec3::ZERO, Quat::IDENTITY, Vec4::ONE)?;
        let low = trial.particles.iter().fold(Vec3::MAX, |m, p| m.min(p.position - p.radius));
        let high = trial.particles.iter().fold(Vec3::MIN, |m, p| m.max(p.position + p.radius));
        let center = 0.5 * (low + high);
        let radius = trial.particles.iter().map(|p| p.position.distance(center) + p.radius).fold(0.0, f32::max);
        let posed = rig.as_deref().map_or(0.0, widest);
        let lowest = trial.particles.iter().map(|p| (tilt() * p.position).y - p.radius).fold(f32::MAX, f32::min);
        let world = rig.as_deref().map_or(Vec::new(), |rig| rig.asset().colliders.clone());
        Ok(Self { plan, rig, center, radius: radius.max(posed), lowest, world })
    }

    /// Its ragdoll.
    pub fn plan(&self) -> &RagdollPlan {
        &self.plan
    }

    /// Radius of a ball that holds it in its rest pose and in every pose of its clips [m].
    pub fn radius(&self) -> f32 {
        self.radius
    }

    /// Height of its rest pose [m].
    pub fn height(&self) -> f32 {
        self.plan.size.y
    }

    /// What moves it; none for the built-in figure and for models that are one rigid body.
    pub fn rig(&self) -> Option<&Arc<Rig>> {
        self.rig.as_ref()
    }

    /// The clip called `name`; without a name the one that shows best, or the first one.
    ///
    /// # Errors
    /// [`CharacterError::UnknownClip`], which names those that are there; [`CharacterError::Rigid`] for what is one rigid body.
    pub fn clip(&self, name: Option<&str>) -> Result<Option<usize>, CharacterError> {
        let clips = self.rig.as_ref().map_or(&[][..], |rig| &rig.asset().clips);
        let Some(name) = name else {
            let favorite = FAVORITES.iter().find_map(|name| self.rig.as_ref()?.clip(name));
            return Ok(favorite.or((!clips.is_empty()).then_some(0)));
        };
        if self.rig.is_none() && self.plan.bodies.len() == 1 {
            return Err(CharacterError::Rigid(self.plan.name.clone()));
        }
        let found = self.rig.as_ref().and_then(|rig| rig.clip(name));
        found.map(Some).ok_or_else(|| {
            let clips = clips.iter().map(|c| c.name.clone()).collect();
            ClipError::Unknown { model: self.plan.name.clone(), clip: name.into(), clips }.into()
        })
    }

    /// Stands it with its feet at a place, held in its file's default pose until it is told to
    /// [play](Performer::play) a clip or to go limp. Give what is returned to the [`Cast`] of the scene.
    ///
    /// # Errors
    /// [`CharacterError::Boneless`] for what has no skeleton, [`SceneError`] for a place that is not finite.
    pub fn stand(&self, scene: &mut Scene, place: impl Into<Placement>) -> Result<Performer, CharacterError> {
        if self.rig.is_none() {
            return Err(CharacterError::Boneless(self.plan.name.clone()));
        }
        let place = place.into();
        let added = self.add_to_enter(scene, place, Vec4::ONE)?;
        let mut performer = added.ok_or_else(|| CharacterError::Boneless(self.plan.name.clone()))?;
        performer.enter(scene, place, None, 0.0)?;
        Ok(performer)
    }

    /// Adds it in its rest pose, turned, with its feet at `position` [m]; it falls. Returns who can perform with it.
    ///
    /// # Errors
    /// [`SceneError`] for a position or rotation that is not finite.
    pub fn add_to(
        &self,
        scene: &mut Scene,
        position: Vec3,
        rotation: Quat,
        tint: Vec4,
    ) -> Result<Option<Performer>, SceneError> {
        let bodies = self.plan.add_to(scene, position, rotation, tint)?;
        Ok(self.performer(scene, bodies, Placement { position, rotation }))
    }

    /// Who can perform with these bodies, which were added last.
    fn performer(&self, scene: &Scene, bodies: Vec<BodyId>, at: Placement) -> Option<Performer> {
        let instance = scene.instances.len() - 1;
        self.rig.as_ref().map(|rig| Performer::new(Arc::clone(rig), bodies, instance).join(scene, at))
    }

    /// Adds it for a pose that it takes at once, by [`Performer::enter`]; without a rig in its rest pose, dressed.
    fn add_to_enter(&self, scene: &mut Scene, at: Placement, tint: Vec4) -> Result<Option<Performer>, SceneError> {
        let bodies = self.plan.add_unfitted(scene, at.position, at.rotation, tint)?;
        if self.rig.is_none() {
            scene.refit(&bodies);
        }
        Ok(self.performer(scene, bodies, at))
    }

    /// Adds it on the ground at the origin, playing the clip of this index.
    ///
    /// # Errors
    /// [`SceneError`] for a pose of the clip that is not finite.
    pub fn perform(&self, scene: &mut Scene, cast: &mut Cast, clip: Option<usize>) -> Result<(), SceneError> {
        let performer = self.add_to_enter(scene, Placement::IDENTITY, Vec4::ONE)?;
        let Some(mut performer) = performer else { return Ok(()) };
        // The soles of its particles may be a little below those of the skin.
        let limbs = performer.entering(Placement::IDENTITY, clip, 0.0);
        let sunk = self.rig.as_ref().map_or(0.0, |rig| -rig.lowest(&limbs).min(0.0));
        let place = Placement { position: Vec3::Y * sunk, ..Placement::IDENTITY };
        performer.enter(scene, place, clip, 0.0)?;
        cast.performers.push(performer);
        Ok(())
    }

    /// Adds it a little on its back, its lowest point `height` [m] above the ground, among the solids that its file describes.
    /// Returns who can perform with it.
    ///
    /// # Errors
    /// [`SceneError`] for a height that is not finite.
    pub fn drop(&self, scene: &mut Scene, height: f32) -> Result<Option<Performer>, SceneError> {
        self.world.iter().try_for_each(|solid| scene.add_collider(solid.clone()).map(|_| ()))?;
        self.add_to(scene, Vec3::Y * (height - self.lowest), tilt(), Vec4::ONE)
    }

    /// Height of the highest point of any of its poses when it is dropped from `height` [m].
    pub fn top(&self, height: f32) -> f32 {
        height - self.lowest + self.center.y + self.radius
    }

    /// Adds it with its ball around `center` [m], turned and spinning about it [rad/s]; in the pose that some clip has at
    /// `moment`, a share of all clips from 0 to 1, and moving as in the clip, if there is one.
    ///
    /// # Errors
    /// [`SceneError`] for numbers that are not finite.
    pub fn toss(
        &self,
        scene: &mut Scene,
        (center, rotation, spin): (Vec3, Quat, Vec3),
        moment: f32,
        tint: Vec4,
    ) -> Result<(), SceneError> {
        let first = scene.bodies.len() as u32;
        let position = center - rotation * self.center;
        let performer = self.add_to_enter(scene, Placement { position, rotation }, tint)?;
        if let (Some(mut performer), Some(rig)) = (performer, &self.rig) {
            let (clip, time) = moment_of(rig, moment);
            // A pose may be beside or above the model's origin.
            let limbs = performer.entering(Placement { position, rotation }, clip, time);
            let aside = center - ball(rig, &limbs).0;
            performer.enter(scene, Placement { position: position + aside, rotation }, clip, time)?;
        }
        for body in first..scene.bodies.len() as u32 {
            let id = BodyId(body);
            let b = scene.body(id);
            let at = Placement { position: b.position, rotation: b.rotation };
            let velocity = b.velocity + spin.cross(b.position - center);
            scene.place_body(id, at, velocity, b.angular_velocity + spin)?;
        }
        let bodies: Vec<_> = (first..scene.bodies.len() as u32).map(BodyId).collect();
        scene.refit(&bodies);
        Ok(())
    }
}

/// The ball around limbs: the middle of the box that holds their particles, and the radius [m].
fn ball(rig: &Rig, limbs: &[Placement]) -> (Vec3, f32) {
    let points = || rig.limbs().iter().zip(limbs).flat_map(|(l, at)| l.points.iter().map(|p| (at.point(*p), l.radius)));
    let (low, high) = points().fold((Vec3::MAX, Vec3::MIN), |(low, high), (p, r)| (low.min(p - r), high.max(p + r)));
    let center = 0.5 * (low + high);
    (center, points().map(|(p, r)| p.distance(center) + r).fold(0.0, f32::max))
}

/// Radius of the largest ball around a pose of the clips [m].
fn widest(rig: &Rig) -> f32 {
    let of_clip = |clip| {
        let at = |time| Pose::sample(rig.asset(), clip, time, false);
        let radius = |time| ball(rig, &rig.stance(&at(time)).limbs).1;
        moments(span(clip)).map(radius).fold(0.0, f32::max)
    };
    // Between two samples an arm may come a little farther.
    1.03 * rig.asset().clips.iter().map(of_clip).fold(0.0, f32::max)
}

/// Times at which poses of a clip are looked at, from its start to its end [s].
fn moments((start, end): (f32, f32)) -> impl Iterator<Item = f32> {
    let every = EVERY.max((end - start) / MOST_POSES);
    (0..=((end - start) / every) as u32).map(move |i| start + every * i as f32)
}

/// The clip, and the time in it, at `share` of all clips one after the other.
fn moment_of(rig: &Rig, share: f32) -> (Option<usize>, f32) {
    let length = |clip| {
        let (start, end) = span(clip);
        end - start
    };
    let clips = &rig.asset().clips;
    let mut left = share * clips.iter().map(length).sum::<f32>();
    for (index, clip) in clips.iter().enumerate() {
        if left < length(clip) {
            return (Some(index), left);
        }
        left -= length(clip);
    }
    ((!clips.is_empty()).then_some(0), 0.0)
}

/// How a character is held before it is dropped, a little on its back: nothing balances on its end by chance.
fn tilt() -> Quat {
    Quat::from_euler(glam::EulerRot::XYZ, -0.16, 0.0, 0.09)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_is_limp_is_drawn_in_the_rest_pose_in_which_bodies_collide() {
        let (dancer, mut scene) = (Character::dancer().unwrap(), Scene::default());
        let most = |performer: &Performer| {
            performer.turns().1.iter().map(|turn| turn.angle_between(Quat::IDENTITY)).fold(0.0, f32::max)
        };
        let dropped = dancer.drop(&mut scene, 0.2).unwrap().expect("a rig");
        assert!(most(&dropped) < 1e-3);
        let mut playing = dancer.stand(&mut scene, Vec3::ZERO).unwrap();
        playing.enter(&mut scene, Placement::IDENTITY, Some(0), 0.0).unwrap();
        let before = most(&playing);
        assert!(before > 0.1, "her clip turns bones");
        playing.go_limp();
        let mut cues = crate::scene::Cues::default();
        playing.advance(1.0 / 60.0, &mut cues);
        assert!(most(&playing) > 0.8 * before, "nothing jumps");
        (0..120).for_each(|_| playing.advance(1.0 / 60.0, &mut cues));
        assert!(most(&playing) < 1e-2, "{}", most(&playing));
    }

    #[test]
    fn long_clips_are_looked_at_no_more_often_than_others() {
        let times: Vec<f32> = moments((1.0, 2.1)).collect();
        assert!(times.len() == 6 && times[0] == 1.0 && times[5] > 1.95, "{times:?}");
        assert_eq!(moments((3.0, 3.0)).count(), 1);
        let times: Vec<f32> = moments((10.0, 200_010.0)).collect();
        assert!(times.len() <= 601 && times[0] == 10.0 && times[times.len() - 1] > 199_000.0, "{}", times.len());
    }
}
