//! Soft bodies for demos: models with a lattice inside, and the papers' tetrahedra drawn as they are.

use std::path::Path;
use std::sync::Arc;

use glam::{Quat, Vec3, Vec4};

use super::character::load;
use super::rings::draw;
use super::stage::view_of;
use super::{DemoError, DemoOption, Options, Stage};
use crate::constraints::Plastic;
use crate::import::tets::{Resolution, SoftPlan, TetMesh, soft_body};
use crate::scene::{
    Collider, Deformable, DeformableId, Material, Model, Params, Scene, SceneError, Shell, SoftMaterial, SoftModel,
};

/// Particles of a soft body.
pub(super) const PARTICLES: DemoOption =
    DemoOption::integer("particles", [50.0, 100_000.0], 1500.0, "particles of a soft body; of cloth at least so many");
/// How soft it is.
pub(super) const SAG: DemoOption =
    DemoOption::number("sag", [0.001, 0.5], 0.05, "part of its height that a soft body sinks by its own weight");

/// When it keeps a new shape.
pub(super) const YIELD: DemoOption =
    DemoOption::number("yield", [0.0, 10.0], 0.0, "strain beyond which it keeps its new shape; 0 never");
/// How fast.
pub(super) const CREEP: DemoOption =
    DemoOption::number("creep", [0.01, 1000.0], 20.0, "part of that strain that flows per second [1/s]");

/// What it meets others by.
pub(super) const CONTACT: DemoOption = DemoOption::choice(
    "contact",
    &["balls", "triangles"],
    "what a soft body meets others by: its particles, or its surface, where nothing slips in between; dearer",
);

/// Stiffness of what was flattened.
pub(super) const YOUNG: DemoOption = DemoOption::number("young", [1e3, 1e7], 1e5, "stiffness of the material in Pa");
/// Damping of what was flattened [1/s]: it is back in a blink, and shakes for less than a second.
pub(super) const CALMED: f32 = 30.0;

/// Flesh [kg/m³].
const DENSITY: f32 = 1000.0;
const POISSON: f32 = 0.4;
/// Strain of a new shape against the first one at which it flows no farther.
const MOST_SET: f32 = 1.0;
/// Part of the shaking of a body 1 m high that dies away per second [1/s].
const CALM: f32 = 10.0;

/// `model` as soft as the options `particles` and `sag` want it.
pub(super) fn made(model: &Model, options: &Options) -> Result<SoftPlan, DemoError> {
    let heights = || model.primitives.iter().flat_map(|part| part.positions.iter().map(|p| p.y));
    let height = (heights().fold(f32::MIN, f32::max) - heights().fold(f32::MAX, f32::min)).max(1.0e-3);
    // A column under its own weight: strain grows from 0 at the top to ρ g h / E at the ground.
    let young = 0.5 * DENSITY * Params::default().gravity.length() * height / options.number("sag");
    let material = SoftMaterial { density: DENSITY, model: SoftModel::NeoHookean { young, poisson: POISSON } };
    let mut plan = soft_body(model, Resolution::Count(options.count("particles")), &material)?;
    plan.object = plan.object.damped(CALM / height.sqrt());
    plan.object.meets_itself = true;
    let yield_strain = options.number("yield");
    if yield_strain > 0.0 {
        let plastic = Plastic { yield_strain, creep: options.number("creep"), most: MOST_SET };
        plan.object = plan.object.yielding(plastic);
    }
    Ok(if options.count("contact") == 1 { plan.meeting_by_triangles() } else { plan })
}

/// The model in `path` as a soft body, with what was said of the file.
pub(super) fn plan(path: &Path, options: &Options) -> Result<SoftPlan, DemoError> {
    let asset = load(path, options)?;
    let mut plan = made(&asset.model, options)?;
    plan.warnings.splice(0..0, asset.warnings);
    Ok(plan)
}

/// The model in `path` as a soft body, dropped on the ground.
pub(super) fn dropped(path: &Path, options: &Options) -> Result<Stage, DemoError> {
    let SoftPlan { object, shell, warnings, .. } = plan(path, options)?;
    above_ground(&(object, shell), warnings, options)
}

/// An object alone, as high above the ground as the option `drop` says.
pub(super) fn above_ground(
    drawn: &(Deformable, Arc<Shell>),
    warnings: Vec<String>,
    options: &Options,
) -> Result<Stage, DemoError> {
    let mut scene = Scene::default();
    scene.add_collider(Collider::ground(0.0))?;
    let (low, high) = reach(&drawn.0);
    let height = options.number("drop") - low.y;
    add(&mut scene, drawn, Vec3::Y * height, Vec4::ONE)?;
    let top = height + high.y;
    scene.view = view_of(Vec3::Y * (0.4 * top), 0.62 * top.max(high.x - low.x));
    Ok(Stage { warnings, ..scene.into() })
}

/// The box around the particles of an object at rest [m].
pub(super) fn reach(object: &Deformable) -> (Vec3, Vec3) {
    let points = || object.rest.iter();
    let radius = object.radius();
    (points().fold(Vec3::MAX, |m, p| m.min(*p - radius)), points().fold(Vec3::MIN, |m, p| m.max(*p + radius)))
}

/// Tetrahedra with edges and volumes kept as in papers 1 and 3, and what draws them: their own surface.
pub(super) fn springs(name: &str, mesh: &TetMesh, model: SoftModel) -> Result<(Deformable, Arc<Shell>), SceneError> {
    let radius = 0.3 * mesh.mean_edge();
    let material = SoftMaterial { density: 300.0, model };
    let object = Deformable::soft(name, mesh.positions.clone(), &mesh.tets, radius, &material)?.damped(10.0);
    let hull: Vec<[u32; 3]> = mesh.surface().into_iter().map(|(face, _)| face).collect();
    let look = Material { roughness: 0.4, ..Material::default() };
    Ok((object, Arc::new(Shell::on_particles(&mesh.positions, &hull, &[], look))))
}

/// Edges and volumes about as soft as a material of this stiffness [Pa] that resists compression four times as much.
pub(super) fn rubber(mesh: &TetMesh, young: f32) -> SoftModel {
    SoftModel::Springs { stretch: 1.0 / (young * mesh.mean_edge()), bulk: 4.0 * young }
}

/// Squeezes a scene to this part of its height, about its middle and `above` [m] the ground: what it was is its rest. In the
/// air it comes back evenly; on the ground it would kick itself off.
pub(super) fn flatten(scene: &mut Scene, flatness: f32, above: f32) {
    let heights = || scene.particles.iter().map(|p| p.position.y);
    let (low, high) = (heights().fold(f32::MAX, f32::min), heights().fold(f32::MIN, f32::max));
    let middle = 0.5 * (low + high);
    for particle in &mut scene.particles {
        particle.position.y = above + middle - low + flatness * (particle.position.y - middle);
    }
}

/// Adds and draws `object`.
pub(super) fn add(
    scene: &mut Scene,
    (object, shell): &(Deformable, Arc<Shell>),
    position: Vec3,
    tint: Vec4,
) -> Result<DeformableId, SceneError> {
    let id = scene.add_deformable(object, position, Quat::IDENTITY, Vec3::ZERO)?;
    draw(scene, id, shell, tint)?;
    Ok(id)
}
