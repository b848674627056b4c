//! Any mesh as a rigid body: particles from voxels, mass and inertia of their cubes, shape as signed distance.

use glam::{Mat3, Vec3};
use thiserror::Error;

use super::distance;
use super::triangles::TriangleTree;
use super::voxels::{VoxelError, Voxels};
use crate::numbers::cubed;
use crate::scene::{BodyDesc, DistanceGrid, Shape, TriangleMesh};

/// Most particles in one solid.
const MAX_PARTICLES: usize = 65_536;
/// How deep in its sampled distance a cube must lie that counts as inside [radii], and the share of such cubes from which the
/// samples show the solid.
const DEEP: f32 = 0.25;
const SHOWN: [usize; 2] = [7, 10];
/// Volumes of finer cubes over those of the given ones between which both show one solid.
const ALIKE: std::ops::Range<f32> = 0.6..1.5;

/// A mesh that cannot become a body.
#[derive(Clone, Debug, Error, PartialEq)]
#[error("solid `{name}`: {reason}")]
pub struct SolidError {
    /// The solid's name.
    pub name: String,
    /// What to change.
    pub reason: String,
}

/// Mass, center and inertia of a set of equal cubes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct CubeMass {
    pub(crate) mass: f32,
    pub(crate) center: Vec3,
    /// About the center [kg m²].
    pub(crate) inertia: Mat3,
}

/// Mass properties of cubes of side `side` [m] at these centers [m]; at least one.
pub(crate) fn cube_mass(centers: &[Vec3], side: f32, density: f32) -> CubeMass {
    let each = density * cubed(side);
    let center = centers.iter().map(|p| p.as_dvec3()).sum::<glam::DVec3>() / centers.len() as f64;
    let center = center.as_vec3();
    let own = Mat3::from_diagonal(Vec3::splat(each * side * side / 6.0));
    let inertia = centers.iter().fold(Mat3::ZERO, |sum, p| sum + own + point_inertia(*p - center, each));
    CubeMass { mass: each * centers.len() as f32, center, inertia }
}

/// Inertia of a point of mass `mass` [kg] at `r` [m] about the origin.
pub(crate) fn point_inertia(r: Vec3, mass: f32) -> Mat3 {
    let outer = Mat3::from_cols(r * r.x, r * r.y, r * r.z);
    (Mat3::from_diagonal(Vec3::splat(r.length_squared())) - outer) * mass
}

/// A rigid body of `mesh`, open or closed, filled with particles of `radius` [m] at `density` [kg/m³], and its center of
/// mass in the mesh's space [m]. The body's frame is the mesh's, moved to that center; it is made at rest at the origin.
///
/// # Errors
/// [`SolidError`] for numbers that are not finite or in range, vertex indices past the end, a mesh without area, or a
/// radius so small that there would be more than 65 536 particles.
pub fn solid_body(name: &str, mesh: &TriangleMesh, radius: f32, density: f32) -> Result<(BodyDesc, Vec3), SolidError> {
    let error = |reason: String| SolidError { name: name.to_owned(), reason };
    check(mesh, radius, density).map_err(error)?;
    let tree = TriangleTree::new(mesh);
    let voxels = Voxels::fill(&tree, 2.0 * radius).map_err(|e: VoxelError| error(e.to_string()))?;
    if voxels.cells.len() > MAX_PARTICLES {
        let count = voxels.cells.len();
        return Err(error(format!(
            "a radius of {radius} m needs {count} particles, at most {MAX_PARTICLES}; enlarge it"
        )));
    }
    let centers: Vec<Vec3> = voxels.centers().collect();
    let CubeMass { mass, center, inertia } = weighed(&tree, &voxels, density);
    let mut grid = distance::from_mesh(&tree, radius);
    // Samples a radius apart see a sheet thinner than that only by chance; its cubes have a thickness.
    let deep = centers.iter().filter(|p| grid.distance(**p) < -DEEP * radius).count();
    let mut points = centers;
    if SHOWN[1] * deep >= SHOWN[0] * points.len() {
        points.iter_mut().for_each(|p| *p = seated(*p, radius, &grid));
    } else {
        grid = distance::from_voxels(&voxels.cells, voxels.spacing, voxels.origin);
    }
    grid.origin -= center;
    points.iter_mut().for_each(|p| *p -= center);
    Ok((BodyDesc::new(name, Shape::Grid(grid), mass, inertia, points, radius), center))
}

/// Mass properties from cubes of half the side, which follow the surface closer; from the given ones if the finer find
/// another solid, as in sheets that have no inside.
fn weighed(tree: &TriangleTree, voxels: &Voxels, density: f32) -> CubeMass {
    let finer = Voxels::fill(tree, 0.5 * voxels.spacing).ok();
    let alike = finer.filter(|f| ALIKE.contains(&(f.volume() / voxels.volume())));
    let chosen = alike.as_ref().unwrap_or(voxels);
    cube_mass(&chosen.centers().collect::<Vec<_>>(), chosen.spacing, density)
}

pub(super) fn check(mesh: &TriangleMesh, radius: f32, density: f32) -> Result<(), String> {
    for (field, value) in [("radius", radius), ("density", density)] {
        if !(value.is_finite() && value > 0.0) {
            return Err(format!("its {field} is {value}; it must be above 0"));
        }
    }
    if let Some(index) = mesh.positions.iter().position(|p| !p.is_finite()) {
        return Err(format!("vertex {index} is not finite"));
    }
    let count = mesh.positions.len();
    match mesh.triangles.iter().flatten().find(|i| **i as usize >= count) {
        Some(index) => Err(format!("a triangle names vertex {index}; there are {count}")),
        None => Ok(()),
    }
}

/// `point` moved so that its particle touches the surface from inside, if it is of the outermost layer.
pub(crate) fn seated(point: Vec3, radius: f32, grid: &DistanceGrid) -> Vec3 {
    let off = |p: Vec3| grid.distance(p) + radius;
    let before = off(point);
    if before < -radius {
        return point;
    }
    let e = 0.5 * grid.spacing;
    let slope = |axis: Vec3| grid.distance(point + axis * e) - grid.distance(point - axis * e);
    let Some(normal) = Vec3::new(slope(Vec3::X), slope(Vec3::Y), slope(Vec3::Z)).try_normalize() else { return point };
    let moved = point - normal * before.clamp(-radius, radius);
    // In a part thinner than the particle no place is deep enough, and moving only swaps the sides it sticks out of.
    if off(moved).abs() < before.abs() { moved } else { point }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::import::test_shapes::{cuboid, sphere};
    use crate::scene::Scene;

    #[test]
    fn a_ball_weighs_and_turns_like_a_ball() {
        let mut mesh = sphere(0.3, 40, 28);
        mesh.positions.iter_mut().for_each(|p| *p += Vec3::new(1.0, 2.0, 3.0));
        let (body, center) = solid_body("ball", &mesh, 0.02, 1000.0).unwrap();
        let mass = 4.0 / 3.0 * std::f32::consts::PI * 0.027 * 1000.0;
        assert!((body.mass / mass - 1.0).abs() < 0.04);
        assert!(center.distance(Vec3::new(1.0, 2.0, 3.0)) < 0.005);
        assert!((body.inertia.x_axis.x / (0.4 * mass * 0.09) - 1.0).abs() < 0.08);
        let outermost = body.points.iter().map(|p| p.length() + body.radius).fold(0.0, f32::max);
        assert!((outermost - 0.3).abs() < 0.006, "{outermost}");
        Scene::default().add_body(body).unwrap();
    }

    #[test]
    fn flat_and_thin_meshes_are_valid_bodies() {
        let sheet =
            TriangleMesh { positions: vec![Vec3::ZERO, Vec3::X, Vec3::Y], triangles: vec![[0, 1, 2], [0, 0, 1]] };
        for mesh in [cuboid(Vec3::new(0.5, 0.001, 0.4), false), cuboid(Vec3::new(0.01, 0.5, 0.01), true), sheet] {
            let (body, _) = solid_body("thin", &mesh, 0.05, 500.0).unwrap();
            let deepest = body.points.iter().map(|p| body.shape.distance(*p)).fold(f32::INFINITY, f32::min);
            assert!(deepest < 0.0, "{deepest}");
            Scene::default().add_body(body).unwrap();
        }
    }

    #[test]
    fn bad_meshes_are_named() {
        let flat = TriangleMesh { positions: vec![Vec3::ZERO; 3], triangles: vec![[0, 1, 2]] };
        let torn = TriangleMesh { positions: vec![Vec3::ZERO], triangles: vec![[0, 1, 2]] };
        let ball = sphere(1.0, 8, 6);
        for (mesh, radius, part) in [(&flat, 0.1, "area"), (&torn, 0.1, "vertex 1"), (&ball, -1.0, "radius")] {
            let text = solid_body("bad", mesh, radius, 1000.0).unwrap_err().to_string();
            assert!(text.contains(part) && text.contains("bad"), "{text}");
        }
        assert!(solid_body("fine", &ball, 1.0e-3, 1000.0).is_err());
    }
}
