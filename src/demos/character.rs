//! A character dropped on the ground, and what dropping many needs to know of one.

use std::path::Path;

use glam::{Quat, Vec3, Vec4};

use super::stage::view_of;
use super::{DemoError, DemoOption, Options};
use crate::import::{self, Asset};
use crate::ragdoll::{self, Overrides, RagdollError, RagdollPlan, RagdollSettings};
use crate::scene::{Collider, Scene};

/// Options of a model file as target.
pub(super) const OPTIONS: &[DemoOption] =
    &[DemoOption::number("drop", [0.0, 100.0], 1.0, "height of the lowest point above the ground [m]"), SCALE, RAGDOLL];

/// Units of a model file.
pub(super) const SCALE: DemoOption =
    DemoOption::number("scale", [0.0, 1.0e6], 0.0, "metres to the unit of the file; 0 chooses by its size");
/// Changes to the ragdoll of a model.
pub(super) const RAGDOLL: DemoOption =
    DemoOption::text("ragdoll", "FILE.ron", "changes to the ragdoll, from `sinew inspect MODEL --write FILE.ron`");

/// The model file at `path` and its ragdoll, as the options `scale` and `ragdoll` want it.
pub(super) fn read(path: &Path, options: &Options) -> Result<(Asset, RagdollPlan), DemoError> {
    let scale = Some(options.number("scale")).filter(|s| *s != 0.0);
    let asset = import::load_scaled(path, scale)?;
    let overrides = options.text("ragdoll").map(|file| Overrides::load(Path::new(file))).transpose();
    let overrides = overrides.map_err(RagdollError::from)?.unwrap_or_default();
    let plan = ragdoll::build_with(&asset, &RagdollSettings::default(), &overrides)?;
    Ok((asset, plan))
}

/// Height of the built-in figure [m].
const FIGURE_HEIGHT: f32 = 1.75;

/// A ragdoll and the ball around it in its rest pose.
pub(super) struct Doll {
    plan: RagdollPlan,
    center: Vec3,
    /// Radius of the ball [m].
    pub(super) radius: f32,
    lowest: f32,
}

impl Doll {
    /// The ragdoll of a model file, or the built-in figure.
    pub(super) fn new(model: Option<&Path>, options: &Options) -> Result<Self, DemoError> {
        let plan = match model {
            Some(path) => read(path, options)?.1,
            None => ragdoll::figure(FIGURE_HEIGHT),
        };
        let mut trial = Scene::default();
        plan.add_to(&mut trial, Vec3::ZERO, Quat::IDENTITY, Vec4::ONE)?;
        let low = trial.particles.iter().fold(Vec3::MAX, |m, p| m.min(p.position - p.radius));
        let high = trial.particles.iter().fold(Vec3::MIN, |m, p| m.max(p.position + p.radius));
        let center = 0.5 * (low + high);
        let radius = trial.particles.iter().map(|p| p.position.distance(center) + p.radius).fold(0.0, f32::max);
        Ok(Self { plan, center, radius, lowest: low.y })
    }

    /// Adds one doll whose ball is centred at `center`, moving as a whole.
    pub(super) fn add_to(
        &self,
        scene: &mut Scene,
        center: Vec3,
        rotation: Quat,
        spin: Vec3,
        tint: Vec4,
    ) -> Result<(), DemoError> {
        let first_particle = scene.particles.len();
        for id in self.plan.add_to(scene, center - rotation * self.center, rotation, tint)? {
            let body = &mut scene.bodies[id.0 as usize];
            body.angular_velocity = spin;
            body.velocity = spin.cross(body.position - center);
        }
        for particle in &mut scene.particles[first_particle..] {
            particle.velocity = spin.cross(particle.position - center);
        }
        Ok(())
    }
}

/// The character in `path`, dropped on the ground.
pub(super) fn dropped(path: &Path, options: &Options) -> Result<Scene, DemoError> {
    let doll = Doll::new(Some(path), options)?;
    let mut scene = Scene::default();
    scene.add_collider(Collider::ground(0.0))?;
    let center = Vec3::Y * (doll.center.y - doll.lowest + options.number("drop"));
    doll.add_to(&mut scene, center, Quat::IDENTITY, Vec3::ZERO, Vec4::ONE)?;
    // The fall and the heap: from the ground to the top of the doll.
    let top = center.y + doll.radius;
    scene.view = view_of(Vec3::Y * (0.4 * top), 0.62 * top);
    Ok(scene)
}
