//! Any model as a soft body: a lattice inside its triangles, masses from density, and the model as its skin.

use std::collections::HashSet;
use std::sync::Arc;

use glam::{Quat, Vec3, Vec4};

use super::grid::Grid;
use super::stuff::fill;
use super::{Embedder, Lattice, Resolution, TetError, TetMesh, repaired};
use crate::import::triangles::TriangleTree;
use crate::scene::{
    Deformable, DeformableId, Model, Scene, SceneError, Shell, SoftMaterial, SurfaceMesh, TriangleMesh,
};

/// Radius of a particle over the spacing: neighbors nearly touch, so nothing slips between them.
const RADIUS: f32 = 0.45;
/// Vertices farther than this many spacings outside of the lattice hang on it loosely.
const LOOSE: f32 = 1.0;
/// Places in the box of a model at which its volume is measured: a ball comes out within half a percent.
const VOLUME_SAMPLES: f32 = 20_000.0;
/// An open surface that surrounds less than this part of its lattice encloses nothing: it weighs what the lattice holds.
const LEAST_ENCLOSED: f32 = 0.1;

/// Shortest over mean edge of the lattice: it has 8 edges of length 1 and 6 of length 2/√3 at each corner.
const SPACING_OF_MEAN_EDGE: f32 = 14.0 / (8.0 + 6.0 * 1.154_700_5);

/// A soft body to add to scenes, with its skin.
#[derive(Clone, Debug)]
pub struct SoftPlan {
    /// Particles at rest, masses and constraints.
    pub object: Deformable,
    /// Tetrahedra over the particles.
    pub mesh: TetMesh,
    /// The skin.
    pub shell: Arc<Shell>,
    /// What was mended or left out, one sentence each.
    pub warnings: Vec<String>,
}

/// `model` as a soft body. The outermost particles lie their radius below its surface, and it weighs what it encloses.
///
/// # Errors
/// [`TetError`] for a model without area, numbers that are not finite or out of range, or too fine a resolution.
pub fn soft_body(model: &Model, resolution: Resolution, material: &SoftMaterial) -> Result<SoftPlan, TetError> {
    let name = &model.name;
    let error = |reason: String| TetError { name: name.clone(), reason };
    let (surface, repairs) = repaired(&triangles_of(model)).map_err(error)?;
    let tree = TriangleTree::new(&surface);
    let mesh = Lattice::new(&tree, RADIUS).build(resolution).map_err(error)?;
    if mesh.tets.is_empty() {
        return Err(error("no particle fits into it; use a smaller spacing or more particles".into()));
    }
    let mut plan = SoftPlan::around(model.clone(), mesh, material)?;
    plan.warnings.splice(0..0, repairs.warnings(name));
    let (bounds, samples) = (tree.bounds(), VOLUME_SAMPLES);
    let enclosed = fill(bounds, Grid::spacing_of(bounds, samples), |p| tree.distance(p)).map_err(error)?;
    let least = if repairs.open_edges > 0 { LEAST_ENCLOSED } else { 0.0 };
    if enclosed.volume() > least * plan.mesh.volume() {
        plan.weigh(material.density, enclosed.volume());
    }
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
    /// `mesh` as a soft body with `model` as its skin: each vertex follows the tetrahedron that holds it, or the nearest.
    ///
    /// # Errors
    /// [`TetError`] for numbers of the material that are out of range.
    pub fn around(model: Model, mesh: TetMesh, material: &SoftMaterial) -> Result<Self, TetError> {
        let name = model.name.clone();
        let spacing = mesh.mean_edge() * SPACING_OF_MEAN_EDGE;
        let mut object = Deformable::soft(&name, mesh.positions.clone(), &mesh.tets, RADIUS * spacing, material)
            .map_err(|e| TetError { name: name.clone(), reason: e.to_string() })?;
        let skin: HashSet<u32> = mesh.surface().into_iter().flat_map(|(face, _)| face).collect();
        object.inside = (0..mesh.positions.len() as u32).filter(|i| !skin.contains(i)).collect();
        let (mut loose, mut asked) = (0, 0);
        let embedder = Embedder::new(&mesh);
        let shell = Shell::embedded(model, |p| {
            let (anchor, away) = embedder.anchor(p);
            loose += usize::from(away > LOOSE * spacing);
            asked += 1;
            anchor
        });
        let warning = || {
            format!(
                "{name}: {loose} of {asked} vertices are on parts too thin for particles and hang on the nearest; \
                 more particles hold them better"
            )
        };
        let warnings = (loose > 0).then(warning).into_iter().collect();
        Ok(Self { object, shell: Arc::new(shell), mesh, warnings })
    }

    /// Lets it meet other things by the triangles of its surface instead of by the balls of its particles: nothing slips in
    /// between them, for several times the cost of contacts.
    #[must_use]
    pub fn meeting_by_triangles(mut self) -> Self {
        self.object.faces = self.mesh.surface().into_iter().map(|(face, _)| face).collect();
        self
    }

    /// Gives it the mass of `enclosed` [m³]. What the lattice does not reach, below the surface, the outermost particles carry.
    fn weigh(&mut self, density: f32, enclosed: f32) {
        let lattice = self.mesh.volume();
        if enclosed < lattice {
            self.object.masses.iter_mut().for_each(|mass| *mass *= enclosed / lattice);
            return;
        }
        let area = |face: &[u32; 3]| {
            let [a, b, c] = face.map(|i| self.mesh.positions[i as usize]);
            0.5 * (b - a).cross(c - a).length()
        };
        let surface = self.mesh.surface();
        let whole: f32 = surface.iter().map(|(face, _)| area(face)).sum();
        for (face, _) in &surface {
            let share = density * (enclosed - lattice) * area(face) / (3.0 * whole);
            face.iter().for_each(|i| self.object.masses[*i as usize] += share);
        }
    }

    /// Adds it to `scene` with its skin, the model's origin at `position` [m].
    ///
    /// # Errors
    /// [`SceneError`] for a pose that is not finite.
    pub fn add_to(
        &self,
        scene: &mut Scene,
        position: Vec3,
        rotation: Quat,
        tint: Vec4,
    ) -> Result<DeformableId, SceneError> {
        let id = scene.add_deformable(&self.object, position, rotation, Vec3::ZERO)?;
        let first_particle = scene.deformables[id.0 as usize].first_particle;
        scene.add_surface(SurfaceMesh { shell: Arc::clone(&self.shell), first_particle, tint })?;
        Ok(id)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::{Shape, primitive_model};

    #[test]
    fn a_ball_becomes_soft_and_keeps_its_skin() {
        let model = primitive_model(&Shape::Sphere(0.3));
        let material = SoftMaterial { density: 500.0, ..SoftMaterial::default() };
        let plan = soft_body(&model, Resolution::Count(600), &material).unwrap();
        let SoftPlan { object, mesh, .. } = &plan;
        assert!((mesh.positions.len() as f32 / 600.0 - 1.0).abs() < 0.05, "{}", mesh.positions.len());
        // Flat faces between points of a ball leave out some of it.
        let ball = 4.0 / 3.0 * std::f32::consts::PI * 0.3_f32.powi(3) * 500.0;
        let mass: f32 = object.masses.iter().sum();
        assert!((0.97..1.0).contains(&(mass / ball)) && object.masses.iter().all(|m| *m > 0.0), "{mass} of {ball}");
        let outermost = mesh.positions.iter().map(|p| p.length() + object.radius()).fold(0.0, f32::max);
        assert!((outermost - 0.3).abs() < 0.01, "{outermost}");
        // The poles of our ball model are rings of no length.
        assert_eq!(plan.warnings, ["primitive: 48 triangles without area were left out"]);
        let mut scene = Scene::default();
        let turn = Quat::from_rotation_x(1.0);
        let id = plan.add_to(&mut scene, Vec3::Y, turn, Vec4::ONE).unwrap();
        let places: Vec<Vec3> = scene.particles_of(id).iter().map(|p| p.position).collect();
        for (vertex, point) in model.primitives[0].positions.iter().zip(&plan.shell.vertex_points[0]) {
            let drawn = plan.shell.points[*point as usize].position(&places);
            assert!(drawn.distance(Vec3::Y + turn * *vertex) < 1e-4);
        }
    }

    #[test]
    fn few_particles_weigh_what_the_model_encloses_too() {
        let material = SoftMaterial { density: 1000.0, ..SoftMaterial::default() };
        let shapes = [
            ("cube", Shape::Cuboid(Vec3::splat(0.2))),
            ("plank", Shape::Cuboid(Vec3::new(0.5, 0.03, 0.15))),
            ("capsule", Shape::Capsule { radius: 0.1, half_length: 0.3 }),
        ];
        for (name, shape) in shapes {
            let model = primitive_model(&shape);
            let triangles = triangles_of(&model);
            let six_volumes = triangles.triangles.iter().map(|t| {
                let [a, b, c] = t.map(|i| triangles.positions[i as usize]);
                a.dot(b.cross(c))
            });
            let kilograms = 1000.0 * six_volumes.sum::<f32>() / 6.0;
            for count in [20, 60, 400] {
                let plan = soft_body(&model, Resolution::Count(count), &material).unwrap();
                let mass: f32 = plan.object.masses.iter().sum();
                println!("{name} of {count}: {mass} of {kilograms} kg");
                assert!((mass / kilograms - 1.0).abs() < 0.01, "{name} of {count}: {mass} of {kilograms} kg");
                assert!(plan.object.masses.iter().all(|m| *m > 0.0), "{name} of {count}: {:?}", plan.object.masses);
            }
        }
    }

    #[test]
    fn faults_are_named() {
        let model = primitive_model(&Shape::Sphere(0.3));
        let soft = SoftMaterial::default();
        let reason = |resolution, material: &SoftMaterial| {
            soft_body(&model, resolution, material).expect_err("a fault").to_string()
        };
        let weightless = SoftMaterial { density: 0.0, ..soft };
        assert!(reason(Resolution::Count(100), &weightless).contains("density is 0"));
        assert!(reason(Resolution::Spacing(f32::NAN), &soft).contains("spacing of NaN"));
        let empty = soft_body(&Model { name: "air".into(), ..Model::default() }, Resolution::Count(100), &soft);
        assert!(empty.unwrap_err().to_string().contains("soft body `air`: it has no triangle"));
    }
}
