//! Soft bodies: models with a lattice inside, and the papers' tetrahedra drawn as they are.

use std::sync::Arc;

use glam::{Quat, Vec3, Vec4};

use crate::constraints::Plastic;
use crate::import::tets::{Resolution, SoftPlan, TetError, TetMesh, soft_body};
use crate::scene::{
    Deformable, DeformableId, Material, Model, Params, Regions, Scene, SceneError, Shell, SoftMaterial, SoftModel,
};

/// Density of flesh [kg/m³], that of water, and its Poisson ratio [dimensionless]: it shrinks little.
const DENSITY: f32 = 1000.0;
const POISSON: f32 = 0.4;
/// Part of the shaking of a body 1 m high that dies away per second [1/s].
const CALM: f32 = 10.0;
/// Density of what is made of springs [kg/m³]: light, so that it comes back fast.
const SPRING_DENSITY: f32 = 300.0;
/// Radius of its particles, in edges: neighbors do not touch.
const SPRING_RADIUS: f32 = 0.3;
/// How much stiffer rubber is against a change of volume than against stretch.
const RESISTS: f32 = 4.0;

/// How a model becomes a soft body.
#[derive(Clone, Debug)]
pub struct SoftSettings {
    /// About so many particles.
    pub particles: u32,
    /// Part of its height that it sinks by its own weight, above 0.
    pub sag: f32,
    /// How it keeps a new shape; none for never.
    pub plastic: Option<Plastic>,
    /// Whether it meets others by its surface, where nothing slips in between, and not by its particles; dearer.
    pub by_triangles: bool,
    /// Direction in the model along which fibers make it stiffer, and how many times as stiff; none for elastic flesh, which is the
    /// same all ways and alone can keep a new shape.
    pub fibers: Option<(Vec3, f32)>,
    /// Regions that keep their shape, in place of elastic flesh; their compliance is added to that of `sag`.
    pub regions: Option<Regions>,
}

impl Default for SoftSettings {
    fn default() -> Self {
        Self { particles: 1500, sag: 0.05, plastic: None, by_triangles: false, fibers: None, regions: None }
    }
}

impl SoftSettings {
    /// `model` as flesh that meets itself.
    ///
    /// # Errors
    /// [`TetError`] naming the model and what is wrong.
    pub fn plan(&self, model: &Model) -> Result<SoftPlan, TetError> {
        let heights = || model.primitives.iter().flat_map(|part| part.positions.iter().map(|p| p.y));
        let height = (heights().fold(f32::MIN, f32::max) - heights().fold(f32::MAX, f32::min)).max(1.0e-3);
        // A column under its own weight: strain grows from 0 at the top to ρ g h / E at the ground.
        let young = 0.5 * DENSITY * Params::default().gravity.length() * height / self.sag;
        let model_of = |(direction, times)| SoftModel::fibers(young, POISSON, direction, times);
        let elastic = SoftModel::NeoHookean { young, poisson: POISSON };
        let mut material = SoftMaterial { density: DENSITY, model: self.fibers.map_or(elastic, model_of) };
        if let Some(mut regions) = self.regions {
            regions.compliance += softness(model, self.particles, young);
            material.model = SoftModel::Regions(regions);
        }
        let mut plan = soft_body(model, Resolution::Count(self.particles), &material)?;
        plan.object = plan.object.damped(CALM / height.sqrt());
        plan.object.meets_itself = true;
        if let Some(plastic) = self.plastic {
            plan.object = plan.object.yielding(plastic);
        }
        Ok(if self.by_triangles { plan.meeting_by_triangles() } else { plan })
    }
}

/// Compliance of a particle [m/N] that is about as soft as a material of this stiffness [Pa]: 1 / E s, with the distance s that so many
/// particles would have in the box around the model.
fn softness(model: &Model, particles: u32, young: f32) -> f32 {
    let points = || model.primitives.iter().flat_map(|part| &part.positions);
    let size = points().fold(Vec3::MIN, |m, p| m.max(*p)) - points().fold(Vec3::MAX, |m, p| m.min(*p));
    1.0 / (young * (size.max(Vec3::splat(1e-3)).element_product() / particles as f32).cbrt())
}

/// Tetrahedra with edges and volumes kept as in papers 1 and 3, and what draws them: their own surface.
///
/// # Errors
/// [`SceneError`] for numbers of `model` out of range.
pub fn springs(name: &str, mesh: &TetMesh, model: SoftModel) -> Result<(Deformable, Arc<Shell>), SceneError> {
    let radius = SPRING_RADIUS * mesh.mean_edge();
    let material = SoftMaterial { density: SPRING_DENSITY, model };
    let object = Deformable::soft(name, mesh.positions.clone(), &mesh.tets, radius, &material)?.damped(CALM);
    let hull: Vec<[u32; 3]> = mesh.surface().into_iter().map(|(face, _)| face).collect();
    let look = Material { roughness: 0.4, ..Material::default() };
    Ok((object, Arc::new(Shell::on_particles(&mesh.positions, &hull, &[], look))))
}

/// Edges and volumes about as soft as a material of this stiffness [Pa], which resists compression more.
pub fn rubber(mesh: &TetMesh, young: f32) -> SoftModel {
    SoftModel::Springs { stretch: 1.0 / (young * mesh.mean_edge()), bulk: RESISTS * young }
}

/// Squeezes a scene to this part of its height, about its middle and `above` [m] the ground: what it was is its rest. In the
/// air it comes back evenly; on the ground it would kick itself off.
pub fn flatten(scene: &mut Scene, flatness: f32, above: f32) {
    let heights = || scene.particles.iter().map(|p| p.position.y);
    let (low, high) = (heights().fold(f32::MAX, f32::min), heights().fold(f32::MIN, f32::max));
    let middle = 0.5 * (low + high);
    for particle in &mut scene.particles {
        particle.position.y = above + middle - low + flatness * (particle.position.y - middle);
    }
}

/// Adds and draws an object with its shell.
///
/// # Errors
/// [`SceneError`] naming the object and the field.
pub fn add(
    scene: &mut Scene,
    (object, shell): &(Deformable, Arc<Shell>),
    position: Vec3,
    tint: Vec4,
) -> Result<DeformableId, SceneError> {
    let id = scene.add_deformable(object, position, Quat::IDENTITY, Vec3::ZERO)?;
    scene.draw_shell(id, shell, tint)?;
    Ok(id)
}
