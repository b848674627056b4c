//! Any model as a soft body: a lattice inside its triangles, masses from density, and the model as its skin.

use glam::{Quat, Vec3, Vec4};
use std::sync::Arc;

use super::{Embedder, Lattice, Resolution, TetError, TetMesh, repaired};
use crate::import::triangles::TriangleTree;
use crate::scene::{Model, Particle, ParticleId, Phase, Scene, SceneError, Shell, SurfaceMesh, TriangleMesh};

/// Radius of a particle over the spacing: neighbors nearly touch, so nothing slips between them.
const RADIUS: f32 = 0.45;
/// Vertices farther than this many spacings outside of the lattice hang on it loosely.
const LOOSE: f32 = 1.0;

/// How a model becomes soft.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SoftSettings {
    /// How fine.
    pub resolution: Resolution,
    /// Density [kg/m³], above 0.
    pub density: f32,
}

impl Default for SoftSettings {
    fn default() -> Self {
        Self { resolution: Resolution::Count(1500), density: 1000.0 }
    }
}

/// A soft body to add to scenes.
#[derive(Clone, Debug)]
pub struct SoftPlan {
    /// Its name, for messages.
    pub name: String,
    /// Particles at rest and tetrahedra over them.
    pub mesh: TetMesh,
    /// Mass of each particle [kg], all above 0.
    pub masses: Vec<f32>,
    /// Triangles of particles outside, turning counterclockwise seen from outside.
    pub hull: Vec<[u32; 3]>,
    /// Radius of the particles [m].
    pub radius: f32,
    /// The skin.
    pub shell: Arc<Shell>,
    /// What was mended or left out, one sentence each.
    pub warnings: Vec<String>,
}

/// `model` as a soft body. The outermost particles lie their radius below its surface.
///
/// # Errors
/// [`TetError`] for a model without area, numbers that are not finite or out of range, or too fine a resolution.
pub fn soft_body(model: &Model, settings: &SoftSettings) -> Result<SoftPlan, TetError> {
    let name = &model.name;
    let error = |reason: String| TetError { name: name.clone(), reason };
    if !(settings.density > 0.0 && settings.density.is_finite()) {
        return Err(error(format!("its density is {} kg/m³; it must be above 0", settings.density)));
    }
    let (surface, repairs) = repaired(&triangles_of(model)).map_err(error)?;
    let tree = TriangleTree::new(&surface);
    let mesh = Lattice::new(&tree, RADIUS).build(settings.resolution).map_err(error)?;
    if mesh.tets.is_empty() {
        return Err(error("no particle fits into it; use a smaller spacing or more particles".into()));
    }
    let mut plan = SoftPlan::around(model.clone(), mesh, settings.density, repairs.warnings(name));
    plan.add_skin_mass(settings.density);
    Ok(plan)
}

/// All triangles of a model.
fn triangles_of(model: &Model) -> TriangleMesh {
    let mut mesh = TriangleMesh::default();
    for part in &model.primitives {
        let first = mesh.positions.len() as u32;
        mesh.positions.extend(&part.positions);
        mesh.triangles.extend(part.indices.chunks_exact(3).map(|t| [first + t[0], first + t[1], first + t[2]]));
    }
    mesh
}

impl SoftPlan {
    /// `mesh` with `model` as its skin; `warnings` are kept and added to.
    pub fn around(model: Model, mesh: TetMesh, density: f32, mut warnings: Vec<String>) -> Self {
        let name = model.name.clone();
        let spacing = mesh.mean_edge() * SPACING_OF_MEAN_EDGE;
        let (mut loose, mut asked) = (0, 0);
        let embedder = Embedder::new(&mesh);
        let shell = Shell::embedded(model, |p| {
            let (anchor, away) = embedder.anchor(p);
            loose += usize::from(away > LOOSE * spacing);
            asked += 1;
            anchor
        });
        if loose > 0 {
            warnings.push(format!(
                "{name}: {loose} of {asked} vertices are on parts too thin for particles and hang on by the nearest; \
                 more particles hold them better"
            ));
        }
        Self {
            name,
            masses: mesh.masses(density),
            hull: mesh.surface().into_iter().map(|(face, _)| face).collect(),
            radius: RADIUS * spacing,
            shell: Arc::new(shell),
            mesh,
            warnings,
        }
    }

    /// Gives the outermost particles the mass of the layer, a radius thick, between them and the surface.
    fn add_skin_mass(&mut self, density: f32) {
        for face in &self.hull {
            let [a, b, c] = face.map(|i| self.mesh.positions[i as usize]);
            let share = density * self.radius * 0.5 * (b - a).cross(c - a).length() / 3.0;
            face.iter().for_each(|i| self.masses[*i as usize] += share);
        }
    }

    /// Adds its particles and its skin to `scene`, the model's origin at `position` [m]; the answer is the first
    /// particle, the rest follow.
    ///
    /// # Errors
    /// [`SceneError`] for a pose that is not finite.
    pub fn add_to(
        &self,
        scene: &mut Scene,
        position: Vec3,
        rotation: Quat,
        tint: Vec4,
    ) -> Result<ParticleId, SceneError> {
        let first_particle = ParticleId(scene.particles.len() as u32);
        for (place, mass) in self.mesh.positions.iter().zip(&self.masses) {
            scene.add_particle(Particle {
                position: position + rotation * *place,
                velocity: Vec3::ZERO,
                radius: self.radius,
                mass: *mass,
                phase: Phase::default(),
            })?;
        }
        scene.add_surface(SurfaceMesh { shell: Arc::clone(&self.shell), first_particle, tint })?;
        Ok(first_particle)
    }
}

/// Shortest over mean edge of the lattice: it has 8 edges of length 1 and 6 of length 2/√3 at each corner.
const SPACING_OF_MEAN_EDGE: f32 = 14.0 / (8.0 + 6.0 * 1.154_700_5);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::{Shape, primitive_model};

    #[test]
    fn a_ball_becomes_soft_and_keeps_its_skin() {
        let model = primitive_model(&Shape::Sphere(0.3));
        let plan = soft_body(&model, &SoftSettings { resolution: Resolution::Count(600), density: 500.0 }).unwrap();
        assert!((plan.mesh.positions.len() as f32 / 600.0 - 1.0).abs() < 0.05, "{}", plan.mesh.positions.len());
        // Flat faces between points of a ball leave out some of it.
        let ball = 4.0 / 3.0 * std::f32::consts::PI * 0.3_f32.powi(3) * 500.0;
        let mass: f32 = plan.masses.iter().sum();
        assert!((0.9..1.0).contains(&(mass / ball)) && plan.masses.iter().all(|m| *m > 0.0), "{mass} of {ball}");
        let outermost = plan.mesh.positions.iter().map(|p| p.length() + plan.radius).fold(0.0, f32::max);
        assert!((outermost - 0.3).abs() < 0.01, "{outermost}");
        // The poles of our ball model are rings of no length.
        assert_eq!(plan.warnings, ["primitive: 48 triangles without area were left out"]);
        let mut scene = Scene::default();
        let first = plan.add_to(&mut scene, Vec3::Y, Quat::from_rotation_x(1.0), Vec4::ONE).unwrap();
        assert_eq!((first, scene.particles.len()), (ParticleId(0), plan.mesh.positions.len()));
        let places: Vec<Vec3> = scene.particles.iter().map(|p| p.position).collect();
        for (vertex, point) in model.primitives[0].positions.iter().zip(&plan.shell.vertex_points[0]) {
            let drawn = plan.shell.points[*point as usize].position(&places);
            assert!(drawn.distance(Vec3::Y + Quat::from_rotation_x(1.0) * *vertex) < 1e-4);
        }
    }

    #[test]
    fn faults_are_named() {
        let model = primitive_model(&Shape::Sphere(0.3));
        let reason = |settings: SoftSettings| soft_body(&model, &settings).unwrap_err().to_string();
        assert!(reason(SoftSettings { density: 0.0, ..SoftSettings::default() }).contains("density is 0"));
        let spacing = Resolution::Spacing(f32::NAN);
        assert!(reason(SoftSettings { resolution: spacing, ..SoftSettings::default() }).contains("spacing of NaN"));
        let empty = soft_body(&Model { name: "air".into(), ..Model::default() }, &SoftSettings::default());
        assert!(empty.unwrap_err().to_string().contains("soft body `air`: it has no triangle"));
    }
}
