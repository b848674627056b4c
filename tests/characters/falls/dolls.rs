//! Characters to put into scenes: our own dancer, the built-in figure, and an animal made in code.

use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use glam::{Quat, Vec3, Vec4};
use sinew::animation::{Performer, Rig, span};
use sinew::import::{Asset, from_bytes};
use sinew::ragdoll::{Label, RagdollPlan, RagdollSettings, build, figure};
use sinew::scene::{BodyId, Placement, Scene};

use super::random::Random;
use crate::gltf_maker::creature::Creature;

static DANCER: &[u8] = include_bytes!("../../../assets/dancer.glb");

/// A character, and what moves it.
pub(crate) struct Doll {
    pub(crate) plan: RagdollPlan,
    rig: Option<Arc<Rig>>,
}

/// A character in a scene.
#[derive(Clone, Debug)]
pub(crate) struct Member {
    pub(crate) name: String,
    pub(crate) bodies: Range<usize>,
    pub(crate) joints: Range<usize>,
    /// Height, or length if that is more [m].
    pub(crate) height: f32,
}

/// How a character begins.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Start {
    /// Where the middle of its mass is [m].
    pub(crate) center: Vec3,
    /// Turn of the whole.
    pub(crate) rotation: Quat,
    /// Share of all clips, one after the other; none for the rest pose.
    pub(crate) moment: Option<f32>,
    /// Turning of the whole about its middle [rad/s].
    pub(crate) spin: Vec3,
}

impl Start {
    pub(crate) fn at(center: Vec3, rotation: Quat) -> Self {
        Self { center, rotation, moment: None, spin: Vec3::ZERO }
    }
}

impl Doll {
    pub(crate) fn dancer() -> Self {
        let asset = from_bytes(Path::new("dancer.glb"), DANCER, None).unwrap();
        Self::skinned(asset)
    }

    pub(crate) fn figure() -> Self {
        Self { plan: figure(1.75), rig: None }
    }

    pub(crate) fn animal() -> Self {
        Self::skinned(from_bytes(Path::new("animal.glb"), &Creature::animal().maker().glb(), None).unwrap())
    }

    fn skinned(asset: Asset) -> Self {
        let mut plan = build(&asset, &RagdollSettings::default()).unwrap();
        plan.garments.clear();
        let rig = Arc::new(plan.rig(Arc::new(asset)));
        Self { plan, rig: Some(rig) }
    }

    /// The body of this part on the left, or the only one.
    pub(crate) fn part(&self, label: Label) -> Option<usize> {
        self.plan.bodies.iter().position(|b| b.label == label)
    }

    /// Adds it, at rest but for its spin.
    pub(crate) fn add(&self, scene: &mut Scene, start: Start) -> Member {
        let (first, first_joint) = (scene.bodies.len(), scene.joints.len());
        let origin = Placement { position: Vec3::ZERO, rotation: start.rotation };
        let bodies = self.plan.add_to(scene, origin.position, origin.rotation, Vec4::ONE).unwrap();
        if let (Some(rig), Some(moment)) = (&self.rig, start.moment) {
            let (clip, time) = moment_of(rig.asset(), moment);
            let instance = scene.instances.len() - 1;
            Performer::new(Arc::clone(rig), bodies.clone(), instance).enter(scene, origin, clip, time).unwrap();
        }
        move_to(scene, &bodies, start.center, start.spin);
        Member {
            name: self.plan.name.clone(),
            bodies: first..scene.bodies.len(),
            joints: first_joint..scene.joints.len(),
            height: self.plan.size.y.max(self.plan.size.z),
        }
    }
}

/// Moves bodies, as they are to one another, so that the middle of their mass is at `center`, and lets them turn about it.
fn move_to(scene: &mut Scene, bodies: &[BodyId], center: Vec3, spin: Vec3) {
    let mass: f32 = bodies.iter().map(|b| scene.body(*b).mass).sum();
    let middle = bodies.iter().map(|b| scene.body(*b).mass * scene.body(*b).position).sum::<Vec3>() / mass;
    for id in bodies {
        let body = scene.body(*id);
        let at = Placement { position: body.position - middle + center, rotation: body.rotation };
        scene.place_body(*id, at, spin.cross(at.position - center), spin).unwrap();
    }
}

/// The clip, and the time in it [s], at `share` of all clips one after the other.
fn moment_of(asset: &Asset, share: f32) -> (Option<usize>, f32) {
    let lengths: Vec<f32> = asset.clips.iter().map(|c| span(c).1 - span(c).0).collect();
    let mut left = share * lengths.iter().sum::<f32>();
    for (clip, length) in lengths.into_iter().enumerate() {
        if left <= length {
            return (Some(clip), left);
        }
        left -= length;
    }
    (None, 0.0)
}

impl Member {
    /// Particles of its bodies as the scene has them: place and radius [m].
    pub(crate) fn particles<'a>(&self, scene: &'a Scene) -> impl Iterator<Item = (Vec3, f32)> + use<'a> {
        let bodies = &scene.bodies[self.bodies.clone()];
        let links = bodies.iter().flat_map(|b| &b.links);
        links.map(|l| &scene.particles[l.particle.0 as usize]).map(|p| (p.position, p.radius))
    }

    /// Moves all of it by `way` [m] before the scene is simulated.
    pub(crate) fn shift(&self, scene: &mut Scene, way: Vec3) {
        for index in self.bodies.clone() {
            let body = &scene.bodies[index];
            let at = Placement { position: body.position + way, rotation: body.rotation };
            let (velocity, spin) = (body.velocity, body.angular_velocity);
            scene.place_body(BodyId(index as u32), at, velocity, spin).unwrap();
        }
    }
}

/// Ways to begin a fall: upright, on the head, on each side, and turned at random in poses of the clips.
pub(crate) fn orientations(count: usize) -> Vec<(Quat, Option<f32>)> {
    let turns = [(Vec3::Y, 0.0), (Vec3::X, 1.4), (Vec3::X, -1.4), (Vec3::Z, 1.5), (Vec3::X, 3.0)];
    let mut all: Vec<_> = turns.map(|(axis, angle)| (Quat::from_axis_angle(axis, angle), None)).to_vec();
    let mut random = Random::new(7);
    while all.len() < count {
        all.push((random.rotation(), Some(random.between(0.0, 1.0))));
    }
    all.truncate(count);
    all
}
