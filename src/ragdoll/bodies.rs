//! A region's cubes as a rigid body; a limb too thin for cubes as particles along its bone.

use glam::{Mat3, Vec3};

use super::labels::Tag;
use super::plan::PlannedBody;
use super::regions::Regions;
use super::settings::RagdollSettings;
use super::volume::{Volume, outer};
use crate::import::voxels::Voxels;
use crate::import::{INSIDE, cube_mass, distance};
use crate::scene::{BodyDesc, Shape};

/// Fewest cubes that make a body; below this its bone is used.
pub(super) const LEAST_CELLS: usize = 4;

impl PlannedBody {
    /// How well its particles tell its rotation: second and third eigenvalue of their moment, spheres included, in
    /// units of the first; 1 is a ball.
    pub fn conditioning(&self) -> [f32; 2] {
        conditioning(&self.desc.points, self.desc.radius)
    }
}

/// Outer cubes from which a body has enough particles to lie smoothly on an edge.
const ENOUGH: usize = 12;
/// How near to a shared particle a body has none of its own [sum of their radii]: a little overlap leaves no gap.
const CLEAR: f32 = 0.8;
/// Distance of particles along a bone [radii]: they overlap a little, so that nothing catches between them.
const ALONG_BONE: f32 = 1.8;
/// Least thickness of the shape around a bone [radii of its particles].
const LEAST_SURFACE: f32 = 0.7;
/// How much smaller the cubes of thinner bodies are.
const FINER: f32 = 1.5;

/// The cubes that region `index` is made of: smaller ones where few would do.
pub(super) fn cubes(index: usize, volume: &Volume, regions: &Regions) -> Voxels {
    let usual = volume.region(index, true);
    if outer(&usual).len() >= ENOUGH {
        return usual;
    }
    // A surface that encloses nothing has no smaller cubes.
    let finer = volume.finer(index, FINER, regions);
    if finer.cells.len() > usual.cells.len() { finer } else { usual }
}

/// Makes a body of `fine` cubes: mass and inertia of all, particles in the outer ones, but none nearer than 0.8 spacings
/// to the `shared` ones of its joints. A body that would have too many particles is made of larger cubes.
pub(super) fn from_cells(
    name: &str,
    tag: Tag,
    fine: &Voxels,
    volume: &Volume,
    shared: &[Vec3],
    settings: &RagdollSettings,
) -> PlannedBody {
    let centers: Vec<Vec3> = fine.centers().collect();
    let solid = cube_mass(&centers, fine.spacing, settings.density);
    let voxels = [1, 2, 3]
        .map(|factor| fine.coarser(factor))
        .into_iter()
        .find(|v| outer(v).len() <= settings.max_body_particles)
        .unwrap_or_else(|| fine.coarser(4));
    let voxels = if voxels.cells.len() < LEAST_CELLS { fine.clone() } else { voxels };
    let radius = 0.5 * voxels.spacing;
    let mut points: Vec<Vec3> = outer(&voxels).into_iter().map(|p| seated(p, radius, volume)).collect();
    clear_around(&mut points, shared, CLEAR * (radius + 0.5 * volume.voxels.spacing));
    points.iter_mut().for_each(|p| *p -= solid.center);
    widen(&mut points, radius, radius);
    let grid = distance::from_voxels(&voxels.cells, voxels.spacing, voxels.origin - solid.center);
    let size = extent(&centers) + fine.spacing;
    let mut desc = BodyDesc::new(name, Shape::Grid(grid), solid.mass, solid.inertia, points, radius);
    desc.position = solid.center;
    PlannedBody::new(desc, tag, size)
}

/// Makes a body of particles along the longest direction of `vertices`, with others beside it so that it cannot be a
/// line.
pub(super) fn from_bone(name: &str, tag: Tag, vertices: &[Vec3], radius: f32, density: f32) -> PlannedBody {
    let center = vertices.iter().sum::<Vec3>() / vertices.len() as f32;
    let axis = principal_axes(vertices).0[0];
    let along = vertices.iter().map(|p| (*p - center).dot(axis));
    let (low, high) = along.fold((f32::MAX, f32::MIN), |r, v| (r.0.min(v), r.1.max(v)));
    let off_axis = vertices.iter().map(|p| (*p - center).reject_from_normalized(axis).length());
    let thickness = (off_axis.sum::<f32>() / vertices.len() as f32).max(0.5 * radius);
    let length = (high - low - 2.0 * radius).max(0.0);
    let middle = center + axis * (0.5 * (low + high));
    let steps = (length / (ALONG_BONE * radius)).ceil().max(1.0);
    let mut points: Vec<Vec3> =
        (0..=steps as u32).map(|i| middle + axis * (length * (i as f32 / steps - 0.5))).collect();
    let (u, v) = axis.any_orthonormal_pair();
    let aside = (thickness - radius).max(0.5 * radius);
    points.extend([u, -u, v, -v].map(|side| middle + side * aside));
    widen(&mut points, radius, aside);
    let bulk = std::f32::consts::PI * thickness * thickness * (high - low).max(2.0 * thickness);
    let solid = cube_mass(&points, (bulk / points.len() as f32).cbrt(), density);
    points.iter_mut().for_each(|p| *p -= solid.center);
    let (a, b) = (middle - axis * 0.5 * length - solid.center, middle + axis * 0.5 * length - solid.center);
    let surface = thickness.max(LEAST_SURFACE * radius);
    let to_segment = |p: Vec3| {
        let t = ((p - a).dot(b - a) / (b - a).length_squared().max(1.0e-12)).clamp(0.0, 1.0);
        p.distance(a + (b - a) * t) - surface
    };
    let grid = distance::sampled(a.min(b) - surface, a.max(b) + surface, radius, to_segment);
    let size = extent(vertices).max(Vec3::splat(2.0 * surface));
    let mut desc = BodyDesc::new(name, Shape::Grid(grid), solid.mass, solid.inertia, points, radius);
    desc.position = solid.center;
    PlannedBody::new(desc, tag, size)
}

/// Size of the box around points [m].
fn extent(points: &[Vec3]) -> Vec3 {
    crate::import::bounds(points).map_or(Vec3::ZERO, |(low, high)| high - low)
}

/// A cube's center moved so that a particle there touches the skin from inside; deeper ones, those outside the skin and
/// those in parts thinner than a particle stay.
fn seated(center: Vec3, radius: f32, volume: &Volume) -> Vec3 {
    let skin = &volume.surface;
    let Some(near) = skin.nearest(center) else { return center };
    if near.distance >= 2.0 * radius || near.distance < 1.0e-3 * radius || volume.solid.winding(center) < INSIDE {
        return center;
    }
    let inward = (center - near.point) / near.distance;
    let moved = center + inward * (radius - near.distance);
    let depth = skin.nearest(moved).map_or(0.0, |n| n.distance);
    if (depth - radius).abs() < (near.distance - radius).abs() { moved } else { center }
}

/// Takes out points near shared particles, nearest first, but leaves enough to make a body.
fn clear_around(points: &mut Vec<Vec3>, shared: &[Vec3], reach: f32) {
    let near = |p: &Vec3| shared.iter().map(|s| s.distance(*p)).fold(f32::INFINITY, f32::min);
    points.sort_by(|a, b| near(b).total_cmp(&near(a)));
    let clear = points.iter().take_while(|p| near(p) >= reach).count();
    points.truncate(clear.max(LEAST_CELLS.min(points.len())));
}

/// Directions in which points spread, most first, and their mean squares about the middle.
pub(super) fn principal_axes(points: &[Vec3]) -> ([Vec3; 3], Vec3) {
    let count = points.len().max(1) as f32;
    let center = points.iter().sum::<Vec3>() / count;
    let spread = points.iter().fold(Mat3::ZERO, |sum, p| {
        let r = *p - center;
        sum + Mat3::from_cols(r * r.x, r * r.y, r * r.z)
    });
    let eigen = nalgebra::SymmetricEigen::new(nalgebra::Matrix3::from_fn(|r, c| f64::from(spread.col(c)[r])));
    let mut order = [0, 1, 2];
    order.sort_by(|a, b| eigen.eigenvalues[*b].total_cmp(&eigen.eigenvalues[*a]));
    let axis = |i: usize| {
        let v = eigen.eigenvectors.column(i);
        Vec3::new(v[0] as f32, v[1] as f32, v[2] as f32).normalize_or(Vec3::AXES[i])
    };
    let square = |i: usize| (eigen.eigenvalues[i] as f32 / count).max(0.0);
    (order.map(axis), Vec3::from_array(order.map(square)))
}

/// Least second eigenvalue in units of the first. The third may be nothing: a sheet tells its rotation.
pub(super) const CONDITIONED: f32 = 0.02;

/// See [`PlannedBody::conditioning`].
fn conditioning(points: &[Vec3], radius: f32) -> [f32; 2] {
    let moments = principal_axes(points).1 + 0.2 * radius * radius;
    [moments.y / moments.x, moments.z / moments.x]
}

/// Adds pairs of points `aside` [m] off the middle where the others lie so much along a line that their rotation could
/// not be told.
fn widen(points: &mut Vec<Vec3>, radius: f32, aside: f32) {
    // A very long line needs more than one pair.
    for _ in 0..8 {
        if points.len() >= LEAST_CELLS && conditioning(points, radius)[0] >= CONDITIONED {
            return;
        }
        let (axes, _) = principal_axes(points);
        let middle = points.iter().sum::<Vec3>() / points.len() as f32;
        points.extend([axes[1], -axes[1], axes[2], -axes[2]].map(|side| middle + side * aside));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::Scene;

    #[test]
    fn a_thin_bone_is_a_valid_body_along_its_axis() {
        let vertices: Vec<Vec3> = (0..40)
            .map(|i| Vec3::new(0.4 * i as f32 / 39.0, 0.01 * (i as f32 * 2.4).sin(), 0.01 * (i as f32 * 2.4).cos()))
            .collect();
        for vertices in [vertices.as_slice(), &[Vec3::ONE], &[Vec3::ZERO, Vec3::Y]] {
            let body = from_bone("bone", Tag::OTHER, vertices, 0.03, 1000.0);
            assert!(body.desc.points.len() >= 5 && body.desc.shape.distance(Vec3::ZERO) < 0.0);
            Scene::default().add_body(body.desc).unwrap();
        }
    }

    #[test]
    fn a_line_of_points_gets_outriggers() {
        let mut points: Vec<Vec3> = (0..16).map(|i| Vec3::X * 0.05 * i as f32).collect();
        assert!(conditioning(&points, 0.025)[0] < CONDITIONED);
        widen(&mut points, 0.025, 0.05);
        let [second, _] = conditioning(&points, 0.025);
        assert!(second >= CONDITIONED && points.len() < 40, "{second}");
    }

    #[test]
    fn points_near_a_shared_particle_go_but_not_all() {
        let mut points: Vec<Vec3> = (0..10).map(|i| Vec3::X * i as f32).collect();
        clear_around(&mut points, &[Vec3::ZERO], 2.5);
        assert_eq!(points.len(), 7);
        clear_around(&mut points, &[Vec3::ZERO], 100.0);
        assert_eq!(points.len(), LEAST_CELLS);
    }
}
