//! Characters for demos: loaded, built, and dropped or posed.

use std::path::Path;
use std::sync::Arc;

use glam::{Quat, Vec3, Vec4};

use super::stage::view_of;
use super::{DemoError, DemoOption, Options, Stage};
use super::{cloth, soft};
use crate::animation::{Performer, Pose, Rig, span};
use crate::import::{self, Asset};
use crate::ragdoll::{self, Overrides, RagdollError, RagdollPlan, RagdollSettings};
use crate::scene::{Collider, Placement, Scene};

/// What a model can be made of.
pub(super) const MATERIALS: [&str; 4] = ["ragdoll", "soft", "rigid", "cloth"];

/// Options of a model file as target.
pub(super) const OPTIONS: &[DemoOption] = &[
    DemoOption::number("drop", [0.0, 100.0], 1.0, "height of the lowest point above the ground [m]"),
    DemoOption::text("clip", "NAME", "a clip of the model to play instead of falling"),
    SCALE,
    RAGDOLL,
    CLOTHES,
    DemoOption::choice("material", &MATERIALS, "what it is made of"),
    soft::PARTICLES,
    soft::SAG,
    soft::YIELD,
    soft::CREEP,
    soft::CONTACT,
    cloth::AREA_DENSITY,
    cloth::STRETCH,
    cloth::BEND,
    cloth::PIN,
];

/// Units of a model file.
pub(super) const SCALE: DemoOption =
    DemoOption::number("scale", [0.0, 1.0e6], 0.0, "metres to the unit of the file; 0 chooses by its size");
/// Changes to the ragdoll of a model.
pub(super) const RAGDOLL: DemoOption =
    DemoOption::text("ragdoll", "FILE.ron", "changes to the ragdoll, from `sinew inspect MODEL --write FILE.ron`");

/// Clothes of a model.
pub(super) const CLOTHES: DemoOption =
    DemoOption::choice("clothes", &["on", "off"], "meshes of the model whose names begin with `cloth`, worn as cloth");

/// The model file at `path`, as the option `scale` wants it.
pub(super) fn load(path: &Path, options: &Options) -> Result<Asset, DemoError> {
    let mut asset = scaled(path, options)?;
    let names = asset.garments.iter().map(|g| &g.name);
    asset.warnings.extend(names.map(|name| format!("`{name}` is cloth that only a ragdoll wears; it is left out")));
    Ok(asset)
}

fn scaled(path: &Path, options: &Options) -> Result<Asset, DemoError> {
    let scale = Some(options.number("scale")).filter(|s| *s != 0.0);
    Ok(import::load_scaled(path, scale)?)
}

/// The model file at `path` and its ragdoll, as the options `scale` and `ragdoll` want it.
pub(super) fn read(path: &Path, options: &Options) -> Result<(Asset, RagdollPlan), DemoError> {
    let asset = scaled(path, options)?;
    let overrides = options.text("ragdoll").map(|file| Overrides::load(Path::new(file))).transpose();
    let overrides = overrides.map_err(RagdollError::from)?.unwrap_or_default();
    let plan = ragdoll::build_with(&asset, &RagdollSettings::default(), &overrides)?;
    Ok((asset, plan))
}

/// Our own character.
pub(super) static DANCER: &[u8] = include_bytes!("../../assets/dancer.glb");
/// Clips that show best, if the model has them.
const FAVORITES: &[&str] = &["dance", "walk"];
/// Height of the built-in figure [m].
const FIGURE_HEIGHT: f32 = 1.75;

/// A character to add to scenes.
pub(super) struct Doll {
    plan: RagdollPlan,
    /// What moves it; none for the built-in figure and for models without a skin.
    rig: Option<Arc<Rig>>,
    /// Middle of the ball around its rest pose [m].
    center: Vec3,
    /// Radius of a ball that holds it in its rest pose and in every pose of its clips [m].
    pub(super) radius: f32,
    /// Height of the lowest point of its rest pose, tilted as it is dropped [m].
    lowest: f32,
    /// What stands around it in its file.
    world: Vec<Collider>,
}

impl Doll {
    /// Our own character.
    pub(super) fn dancer() -> Result<Self, DemoError> {
        let asset = import::from_bytes(Path::new("dancer.glb"), DANCER, None)?;
        let plan = ragdoll::build(&asset, &RagdollSettings::default())?;
        Self::skinned(asset, plan)
    }

    /// The character of a model file, as the options `scale` and `ragdoll` want it.
    pub(super) fn file(path: &Path, options: &Options) -> Result<Self, DemoError> {
        let (asset, plan) = read(path, options)?;
        Self::skinned(asset, plan)
    }

    /// The same without clothes, if `options` want it so.
    pub(super) fn dressed(mut self, options: &Options) -> Self {
        if options.count("clothes") == 1 {
            self.plan.garments.clear();
        }
        self
    }

    /// The same without clothes.
    pub(super) fn undressed(mut self) -> Self {
        self.plan.garments.clear();
        self
    }

    /// The built-in figure.
    pub(super) fn figure() -> Result<Self, DemoError> {
        Self::new(ragdoll::figure(FIGURE_HEIGHT), None)
    }

    fn skinned(asset: Asset, plan: RagdollPlan) -> Result<Self, DemoError> {
        let carried = plan.bodies.iter().any(|b| b.joint.is_some());
        let rig = carried.then(|| Arc::new(plan.rig(Arc::new(asset))));
        Self::new(plan, rig)
    }

    fn new(plan: RagdollPlan, rig: Option<Arc<Rig>>) -> Result<Self, DemoError> {
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

    /// Height of its rest pose [m].
    pub(super) fn height(&self) -> f32 {
        self.plan.size.y
    }

    /// What moves it.
    pub(super) fn rig(&self) -> Option<&Arc<Rig>> {
        self.rig.as_ref()
    }

    /// The clip called `name`, or the first one without a name.
    pub(super) fn clip(&self, name: Option<&str>) -> Result<Option<usize>, DemoError> {
        let clips = self.rig.as_ref().map_or(&[][..], |rig| &rig.asset().clips);
        let Some(name) = name else { return Ok((!clips.is_empty()).then_some(0)) };
        let found = self.rig.as_ref().and_then(|rig| rig.clip(name));
        found.map(Some).ok_or_else(|| DemoError::UnknownClip {
            model: self.plan.name.clone(),
            clip: name.into(),
            clips: clips.iter().map(|c| c.name.clone()).collect(),
        })
    }

    /// Adds one doll in its rest pose with its feet at `position`. Returns who can perform with it.
    pub(super) fn stand(
        &self,
        scene: &mut Scene,
        position: Vec3,
        rotation: Quat,
        tint: Vec4,
    ) -> Result<Option<Performer>, DemoError> {
        let bodies = self.plan.add_to(scene, position, rotation, tint)?;
        let instance = scene.instances.len() - 1;
        Ok(self.rig.as_ref().map(|rig| Performer::new(Arc::clone(rig), bodies, instance)))
    }

    /// The clip that the option `clip` names, else the one that shows best, or the first one.
    pub(super) fn chosen(&self, options: &Options) -> Result<Option<usize>, DemoError> {
        if let Some(name) = options.text("clip") {
            return self.clip(Some(name));
        }
        FAVORITES.iter().find_map(|name| self.clip(Some(name)).ok()).map_or_else(|| self.clip(None), Ok)
    }

    /// Puts one doll on the ground at the origin, playing a clip.
    pub(super) fn perform(&self, stage: &mut Stage, clip: Option<usize>) -> Result<(), DemoError> {
        let performer = self.stand(&mut stage.scene, Vec3::ZERO, Quat::IDENTITY, Vec4::ONE)?;
        let Some(mut performer) = performer else { return Ok(()) };
        performer.enter(&mut stage.scene, Placement::IDENTITY, clip, 0.0)?;
        // The soles of its particles may be a little below those of the skin.
        let sunk = self.rig.as_ref().map_or(0.0, |rig| -rig.lowest(performer.placements()).min(0.0));
        let place = Placement { position: Vec3::Y * sunk, ..Placement::IDENTITY };
        performer.enter(&mut stage.scene, place, clip, 0.0)?;
        stage.cast.performers.push(performer);
        Ok(())
    }

    /// Adds one doll whose ball is centred at `center`, moving as a whole; in the pose that some clip has at `moment`,
    /// a share of all clips, and moving as in the clip, if there is one.
    pub(super) fn toss(
        &self,
        scene: &mut Scene,
        (center, rotation, spin): (Vec3, Quat, Vec3),
        moment: f32,
        tint: Vec4,
    ) -> Result<(), DemoError> {
        let first = scene.bodies.len() as u32;
        let position = center - rotation * self.center;
        let performer = self.stand(scene, position, rotation, tint)?;
        if let (Some(mut performer), Some(rig)) = (performer, &self.rig) {
            let (clip, time) = moment_of(rig, moment);
            performer.enter(scene, Placement { position, rotation }, clip, time)?;
            // A pose may be beside or above the model's origin.
            let aside = center - ball(rig, performer.placements()).0;
            performer.enter(scene, Placement { position: position + aside, rotation }, clip, time)?;
        }
        for body in first..scene.bodies.len() as u32 {
            let id = crate::scene::BodyId(body);
            let b = scene.body(id);
            let at = Placement { position: b.position, rotation: b.rotation };
            let velocity = b.velocity + spin.cross(b.position - center);
            scene.place_body(id, at, velocity, b.angular_velocity + spin)?;
        }
        let bodies: Vec<_> = (first..scene.bodies.len() as u32).map(crate::scene::BodyId).collect();
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
    const EVERY: f32 = 0.2;
    let of_clip = |clip| {
        let (start, end) = span(clip);
        let at = |i: u32| Pose::sample(rig.asset(), clip, start + EVERY * i as f32, false);
        let radius = |i| ball(rig, &rig.stance(&at(i)).limbs).1;
        (0..=((end - start) / EVERY) as u32).map(radius).fold(0.0, f32::max)
    };
    // Between two samples an arm may come a little farther.
    1.03 * rig.asset().clips.iter().map(of_clip).fold(0.0, f32::max)
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

/// The model in `path` of the material that the options name: dropped on the ground, or playing the clip that it was
/// told to.
pub(super) fn dropped(path: &Path, options: &Options) -> Result<Stage, DemoError> {
    let material = MATERIALS[options.count("material") as usize];
    if material != "ragdoll" {
        let unfit = |option: &&str| options.text(option).is_some();
        if let Some(option) = ["clip", "ragdoll"].into_iter().find(unfit) {
            return Err(DemoError::OnlyRagdolls { option, material });
        }
    }
    let doll = match material {
        "soft" => return soft::dropped(path, options),
        "cloth" => return cloth::dropped(path, options),
        "rigid" => Doll::new(ragdoll::rigid(&load(path, options)?, &RagdollSettings::default())?, None)?,
        _ => Doll::file(path, options)?.dressed(options),
    };
    let mut stage = Stage::default();
    if material == "rigid" {
        stage.warnings.clone_from(&doll.plan.warnings);
    }
    let scene = &mut stage.scene;
    scene.add_collider(Collider::ground(0.0))?;
    let height = options.number("drop") - doll.lowest;
    doll.world.iter().try_for_each(|solid| scene.add_collider(solid.clone()).map(|_| ()))?;
    let performer = doll.stand(scene, Vec3::Y * height, tilt(), Vec4::ONE)?;
    // The fall and the heap: from the ground to the top of the doll.
    let top = height + doll.center.y + doll.radius;
    if let Some(name) = options.text("clip") {
        let clip = doll.clip(Some(name))?;
        if let Some(mut performer) = performer {
            performer.enter(scene, Placement::IDENTITY, clip, 0.0)?;
            stage.cast.performers.push(performer);
        }
    } else {
        stage.cast.performers.extend(performer);
    }
    stage.scene.view = view_of(Vec3::Y * (0.4 * top), 0.62 * top);
    Ok(stage)
}
