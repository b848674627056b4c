//! Surfaces that follow particles: cloth, whose vertices are particles, and skins of soft bodies, whose vertices are
//! weighted means of the corners of a tetrahedron.

use std::collections::HashMap;
use std::sync::Arc;

use glam::{IVec3, Vec2, Vec3, Vec4};
use serde::{Deserialize, Serialize};

use super::check::{Check, SceneError, number, present, vector};
use super::{Material, Model, ParticleId, Primitive};

/// How far the weights of a point may sum from 1: the rounding of barycentrics of thin tetrahedra.
const WEIGHT_TOLERANCE: f32 = 1.0e-3;

/// Where a point of a surface is: a weighted mean of four particles.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Anchor {
    /// Particles, counted from the first one of the surface.
    pub particles: [u32; 4],
    /// Weights [dimensionless], sum 1; below 0 for points outside the tetrahedron.
    pub weights: [f32; 4],
}

impl Anchor {
    /// On one particle.
    pub fn on(particle: u32) -> Self {
        Self { particles: [particle; 4], weights: [1.0, 0.0, 0.0, 0.0] }
    }

    /// Where it is [m] with particles at `positions`, counted from the first one of the surface.
    ///
    /// # Panics
    /// If a particle is past the end.
    pub fn position(&self, positions: &[Vec3]) -> Vec3 {
        self.particles.iter().zip(self.weights).map(|(p, weight)| positions[*p as usize] * weight).sum()
    }
}

/// A rest shape and what its vertices follow, shared by all surfaces of that shape.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Shell {
    /// Rest shape with texture coordinates, materials and images; its bones and normals are not used.
    pub model: Model,
    /// Places on the surface. Vertices that share one are smooth there: the normal is the mean over the triangles of all.
    #[serde(with = "crate::pack")]
    pub points: Vec<Anchor>,
    /// Index into `points` of each vertex, for each primitive of the model, shape [primitive_count][vertex_count].
    #[serde(with = "crate::pack")]
    pub vertex_points: Vec<Vec<u32>>,
}

impl Shell {
    /// A surface whose vertex `i` is particle `i`. `uvs` has shape [vertex_count], or is empty.
    pub fn on_particles(rest: &[Vec3], triangles: &[[u32; 3]], uvs: &[Vec2], material: Material) -> Self {
        let part = Primitive {
            positions: rest.to_vec(),
            normals: vec![Vec3::Y; rest.len()],
            uvs: uvs.to_vec(),
            indices: triangles.as_flattened().to_vec(),
            ..Primitive::default()
        };
        let count = rest.len() as u32;
        Self {
            model: Model {
                name: "cloth".into(),
                primitives: vec![part],
                materials: vec![material],
                images: Vec::new(),
            },
            points: (0..count).map(Anchor::on).collect(),
            vertex_points: vec![(0..count).collect()],
        }
    }

    /// A surface whose vertices follow what `anchor` answers for their rest position [m]. Vertices at one place with
    /// nearly one normal become one point; where normals part, the model's edge stays sharp.
    pub fn embedded(model: Model, mut anchor: impl FnMut(Vec3) -> Anchor) -> Self {
        let mut points = Vec::new();
        let mut known: HashMap<(IVec3, IVec3), u32> = HashMap::new();
        let mut point_of = |position: Vec3, normal: Vec3| {
            // Positions to a hundredth of a millimeter, directions to about 7 degrees.
            let key = ((position * 1.0e5).round().as_ivec3(), (normal * 8.0).round().as_ivec3());
            *known.entry(key).or_insert_with(|| {
                points.push(anchor(position));
                points.len() as u32 - 1
            })
        };
        let of_part = |part: &Primitive| {
            let normal = |i: usize| part.normals.get(i).copied().unwrap_or(Vec3::ZERO);
            part.positions.iter().enumerate().map(|(i, p)| point_of(*p, normal(i))).collect()
        };
        let vertex_points = model.primitives.iter().map(of_part).collect();
        Self { model, points, vertex_points }
    }
}

/// A surface to draw: a shell on particles.
#[derive(Clone, Debug)]
pub struct SurfaceMesh {
    /// Shape and what it follows.
    pub shell: Arc<Shell>,
    /// The particle that the shell calls 0.
    pub first_particle: ParticleId,
    /// Multiplies the base color, linear.
    pub tint: Vec4,
}

impl SurfaceMesh {
    /// Checks it for a scene with so many particles.
    pub(super) fn check(&self, particle_count: usize) -> Check {
        let shell = &self.shell;
        let item = &format!("surface `{}`", shell.model.name);
        if shell.model.primitives.is_empty() {
            return Err(SceneError::Empty { item: item.clone(), field: "primitives" });
        }
        number(item, "tint", self.tint.element_sum(), self.tint.cmpge(Vec4::ZERO).all(), "finite and 0 or more")?;
        present(item, "points of primitive", shell.model.primitives.len() - 1, shell.vertex_points.len())?;
        for (part, points) in shell.model.primitives.iter().zip(&shell.vertex_points) {
            shell.check_part(item, part, points)?;
        }
        let points = shell.points.len();
        number(item, "number of points", points as f32, points >= 3, "3 or more")?;
        let first = self.first_particle.0 as usize;
        shell.points.iter().try_for_each(|point| point.check(item, first, particle_count))
    }
}

impl Shell {
    fn check_part(&self, item: &str, part: &Primitive, points: &[u32]) -> Check {
        let count = part.positions.len();
        present(item, "material", part.material, self.model.materials.len())?;
        if part.indices.is_empty() {
            return Err(SceneError::Empty { item: item.to_owned(), field: "triangles" });
        }
        let indices = part.indices.len();
        number(item, "number of indices", indices as f32, indices.is_multiple_of(3), "three a triangle")?;
        let most = part.indices.iter().max().map_or(0, |i| *i as usize);
        present(item, "vertex", most, count)?;
        present(item, "point of vertex", count - 1, points.len())?;
        for (field, len) in [("uv", part.uvs.len()), ("color", part.colors.len())] {
            if len != 0 && len != count {
                return Err(SceneError::Missing { item: item.to_owned(), field, index: count.min(len), count: len });
            }
        }
        part.positions.iter().try_for_each(|p| vector(item, "rest position", *p))?;
        points.iter().try_for_each(|point| present(item, "point", *point as usize, self.points.len()))
    }
}

impl Anchor {
    fn check(&self, item: &str, first: usize, count: usize) -> Check {
        self.particles.iter().try_for_each(|p| present(item, "particle", first + *p as usize, count))?;
        let sum: f32 = self.weights.iter().sum();
        number(item, "sum of weights", sum, (sum - 1.0).abs() <= WEIGHT_TOLERANCE, "1")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::{Particle, Phase, Scene, SceneError};

    fn square() -> Shell {
        let rest = [Vec3::ZERO, Vec3::X, Vec3::new(1.0, 0.0, 1.0), Vec3::Z];
        Shell::on_particles(&rest, &[[0, 2, 1], [0, 3, 2]], &[], Material::default())
    }

    fn four_particles() -> Scene {
        let mut scene = Scene::default();
        for i in 0..4 {
            let position = Vec3::X * i as f32;
            let particle = Particle { position, velocity: Vec3::ZERO, radius: 0.1, mass: 1.0, phase: Phase::default() };
            scene.add_particle(particle).unwrap();
        }
        scene
    }

    fn add(scene: &mut Scene, shell: Shell) -> Result<usize, SceneError> {
        scene.add_surface(SurfaceMesh { shell: Arc::new(shell), first_particle: ParticleId(0), tint: Vec4::ONE })
    }

    #[test]
    fn faults_are_named() {
        let mut scene = four_particles();
        assert_eq!(add(&mut scene, square()), Ok(0));
        let mut fault = |change: fn(&mut Shell)| {
            let mut shell = square();
            change(&mut shell);
            add(&mut scene, shell).expect_err("a fault").to_string()
        };
        assert!(fault(|s| s.model.primitives.clear()).contains("primitives"));
        assert!(fault(|s| s.model.primitives[0].indices.clear()).contains("triangles"));
        assert!(fault(|s| s.model.primitives[0].indices[4] = 9).contains("vertex 9 does not exist; there are 4"));
        assert!(fault(|s| s.model.primitives[0].indices.truncate(5)).contains("indices"));
        assert!(fault(|s| s.model.primitives[0].material = 3).contains("material 3"));
        assert!(fault(|s| s.model.primitives[0].uvs.push(Vec2::ZERO)).contains("uv"));
        assert!(fault(|s| s.model.primitives[0].positions[1].y = f32::NAN).contains("rest position"));
        assert!(fault(|s| s.vertex_points[0].truncate(3)).contains("point of vertex 3"));
        assert!(fault(|s| s.vertex_points[0][2] = 7).contains("point 7"));
        assert!(fault(|s| s.vertex_points.clear()).contains("points of primitive 0"));
        assert!(fault(|s| s.points[1].particles[3] = 4).contains("particle 4 does not exist; there are 4"));
        assert!(fault(|s| s.points[0].weights[0] = 0.5).contains("sum of weights is 0.5"));
        assert!(fault(|s| s.points[0].weights[0] = f32::NAN).contains("NaN"));
        let far = SurfaceMesh { shell: Arc::new(square()), first_particle: ParticleId(u32::MAX), tint: Vec4::ONE };
        assert!(scene.add_surface(far).is_err());
    }

    #[test]
    fn embedded_vertices_share_points_where_the_surface_is_smooth() {
        let part = Primitive {
            positions: vec![Vec3::ZERO, Vec3::X, Vec3::Z, Vec3::X, Vec3::Z, Vec3::ONE],
            normals: vec![Vec3::Y, Vec3::Y, Vec3::Y, Vec3::Y, Vec3::X, Vec3::X],
            indices: vec![0, 2, 1, 3, 4, 5],
            ..Primitive::default()
        };
        let model = Model { primitives: vec![part], materials: vec![Material::default()], ..Model::default() };
        let shell = Shell::embedded(model, |p| Anchor { particles: [0, 1, 2, 3], weights: [1.0 - p.x, p.x, 0.0, 0.0] });
        assert_eq!(shell.vertex_points, [vec![0, 1, 2, 1, 3, 4]]);
        let corners = [Vec3::ZERO, Vec3::Y, Vec3::X, Vec3::Z];
        assert_eq!(shell.points[1].position(&corners), Vec3::Y);
        assert_eq!(add(&mut four_particles(), shell), Ok(0));
    }
}
