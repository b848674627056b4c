//! Any closed mesh filled with liquid or grains.

use std::collections::HashMap;

use glam::Vec3;

use super::SolidError;
use super::solid::check;
use super::triangles::TriangleTree;
use super::voxels::{VoxelError, Voxels};
use crate::numbers::cubed;
use crate::scene::TriangleMesh;

/// Lattices tried along each axis, a part of a spacing from one another.
const SHIFTS: u16 = 3;
/// Part of the mesh's volume that the particles may be off.
const OFF: f32 = 0.03;
/// Cubes of the box around a mesh in which its parts are looked at for overlap.
const LOOKED_AT: f32 = 262_144.0;
/// Most particles in one filling.
const MOST: usize = 1 << 22;

/// Places of particles of `radius` [m] that fill a closed mesh, on a lattice two radii apart, for
/// [`Scene::pour`](crate::scene::Scene::pour) and [`Scene::heap`](crate::scene::Scene::heap). Their cubes have the volume of the
/// mesh, to which parts that overlap add once; the deepest come first.
///
/// # Errors
/// [`SolidError`] naming the mesh: numbers that are not finite or in range, vertex indices past the end, a mesh that is open or
/// turned inside out, and a radius too large for it to be filled to 3 %, or so small that there would be more than 4 194 304
/// particles.
pub fn fill(name: &str, mesh: &TriangleMesh, radius: f32) -> Result<Vec<Vec3>, SolidError> {
    let error = |reason: String| SolidError { name: name.to_owned(), reason };
    check(mesh, radius, 1.0).map_err(error)?;
    if let Some([a, b]) = open_edge(mesh) {
        return Err(error(format!("it is open at the edge between {a} and {b}; close it to fill it")));
    }
    let mut volume = volume(mesh);
    if volume <= 0.0 {
        return Err(error(
            "it is inside out or flat; its triangles must be counterclockwise as seen from outside".into(),
        ));
    }
    let spacing = 2.0 * radius;
    if volume / cubed(spacing) > MOST as f32 {
        let least = 0.5 * (volume / MOST as f32).cbrt();
        return Err(error(format!(
            "a radius of {radius} m needs more than {MOST} particles; make it {least} m or more"
        )));
    }
    let tree = TriangleTree::new(mesh);
    let middle = 0.5 * (tree.bounds().0 + tree.bounds().1);
    let wanted = |volume: f32| volume / cubed(spacing);
    let mut places: Vec<Vec3> = Vec::new();
    for shift in 0..SHIFTS.pow(3) {
        let part = |n: u16| f32::from(shift / n % SHIFTS) / f32::from(SHIFTS) * spacing;
        let origin = middle + Vec3::new(part(1), part(SHIFTS), part(SHIFTS * SHIFTS));
        let empty = Voxels { origin, spacing, cells: Vec::new() };
        let voxels = empty.enclosed(&tree, 0.5).map_err(|e: VoxelError| error(e.to_string()))?;
        if voxels.cells.len() > places.len() {
            places = voxels.centers().collect();
        }
        if places.len() as f32 >= wanted(volume) {
            break;
        }
    }
    let is_short = |volume: f32| (places.len() as f32) < (1.0 - OFF) * wanted(volume);
    if is_short(volume) {
        volume -= overlap(&tree).map_err(|e| error(e.to_string()))?;
    }
    if is_short(volume) {
        return Err(error(format!("a radius of {radius} m is too large to fill {volume} m³ to 3 %; make it smaller")));
    }
    // What is too much is left out next to the surface.
    let mut deep: Vec<(f32, Vec3)> = places.into_iter().map(|p| (tree.distance(p), p)).collect();
    deep.sort_by(|a, b| a.0.total_cmp(&b.0));
    deep.truncate((wanted(volume).round() as usize).max(1));
    Ok(deep.into_iter().map(|(_, p)| p).collect())
}

/// What the volume of a mesh has more than once, where its parts overlap [m³].
fn overlap(tree: &TriangleTree) -> Result<f32, VoxelError> {
    let (low, high) = tree.bounds();
    let spacing = ((high - low).element_product() / LOOKED_AT).cbrt();
    let lattice = Voxels { origin: 0.5 * (low + high), spacing, cells: Vec::new() };
    let mut sum = 0.0;
    for times in 1_u16.. {
        let volume = lattice.enclosed(tree, f32::from(times) + 0.5)?.volume();
        if volume == 0.0 {
            break;
        }
        sum += volume;
    }
    Ok(sum)
}

/// Volume inside of a closed mesh [m³], where parts overlap that of each, below 0 when it is inside out.
fn volume(mesh: &TriangleMesh) -> f32 {
    let about = mesh.positions.first().copied().unwrap_or_default();
    let corner = |i: u32| (mesh.positions[i as usize] - about).as_dvec3();
    let sixfold = |t: &[u32; 3]| corner(t[0]).dot(corner(t[1]).cross(corner(t[2])));
    (mesh.triangles.iter().map(sixfold).sum::<f64>() / 6.0) as f32
}

/// An edge that has not as many triangles on one side as on the other, by places: the ends of seams are two vertices.
fn open_edge(mesh: &TriangleMesh) -> Option<[Vec3; 2]> {
    let key = |i: u32| mesh.positions[i as usize].to_array().map(|c| (c + 0.0).to_bits());
    let mut edges: HashMap<_, (i32, [u32; 2])> = HashMap::new();
    for t in &mesh.triangles {
        for (a, b) in [(t[0], t[1]), (t[1], t[2]), (t[2], t[0])] {
            let (from, to) = (key(a), key(b));
            if from != to {
                edges.entry((from.min(to), from.max(to))).or_insert((0, [a, b])).0 += if from < to { 1 } else { -1 };
            }
        }
    }
    let open = edges.into_values().filter(|(turns, _)| *turns != 0).map(|(_, ends)| ends).min();
    open.map(|ends| ends.map(|i| mesh.positions[i as usize]))
}

#[cfg(test)]
mod tests {
    use super::super::test_shapes::{cuboid, sphere};
    use super::*;

    /// Turned right side out, because the test's shapes are made for other uses.
    fn outward(mut mesh: TriangleMesh) -> TriangleMesh {
        if volume(&mesh) < 0.0 {
            mesh.triangles.iter_mut().for_each(|t| t.swap(1, 2));
        }
        mesh
    }

    /// A ball whose poles and seam are single points.
    fn ball(radius: f32) -> TriangleMesh {
        let mut mesh = sphere(radius, 32, 16);
        for p in &mut mesh.positions {
            if p.x.abs().max(p.z.abs()) < 1e-5 * radius {
                *p = Vec3::new(0.0, p.y.signum() * radius, 0.0);
            }
        }
        outward(mesh)
    }

    #[test]
    fn fillings_have_the_volume_of_the_mesh() {
        for (name, mesh, expected) in [
            ("ball", ball(0.5), 4.0 / 3.0 * std::f32::consts::PI * 0.125),
            ("box", outward(cuboid(Vec3::new(0.3, 0.5, 0.21), false)), 8.0 * 0.3 * 0.5 * 0.21),
        ] {
            for radius in [0.02, 0.033, 0.047] {
                let places = fill(name, &mesh, radius).unwrap();
                let part = places.len() as f32 * (2.0 * radius).powi(3) / expected;
                // The ball of 32 by 16 faces has 2 % less than the round one.
                assert!((part - 1.0).abs() < if name == "ball" { 0.05 } else { 0.03 }, "{name}, {radius}: {part}");
                let own = places.len() as f32 * (2.0 * radius).powi(3) / volume(&mesh);
                assert!((own - 1.0).abs() < 0.03, "{name}, {radius}: {own} of the mesh");
                let tree = TriangleTree::new(&mesh);
                assert!(places.iter().all(|p| tree.distance(*p) < 1e-4), "{name}, {radius}: all are inside");
            }
        }
    }

    #[test]
    fn parts_that_overlap_are_filled_once() {
        for (apart, expected) in [(1.2, 2.0), (0.9, 1.9), (0.5, 1.5)] {
            let mut mesh = outward(cuboid(Vec3::splat(0.5), false));
            let count = mesh.positions.len() as u32;
            mesh.positions.extend_from_within(..);
            mesh.triangles.extend_from_within(..);
            mesh.positions[count as usize..].iter_mut().for_each(|p| p.x += apart);
            let second = mesh.triangles.len() / 2;
            mesh.triangles[second..].iter_mut().for_each(|t| *t = t.map(|i| i + count));
            for radius in [0.05, 0.021] {
                let part = fill("cubes", &mesh, radius).unwrap().len() as f32 * (2.0 * radius).powi(3) / expected;
                assert!((part - 1.0).abs() < 0.04, "{apart} m apart, {radius}: {part}");
            }
        }
    }

    #[test]
    fn what_cannot_be_filled_is_named() {
        let good = outward(cuboid(Vec3::splat(0.5), false));
        let mut turned = good.clone();
        turned.triangles.iter_mut().for_each(|t| t.swap(0, 1));
        let mut beyond = good.clone();
        beyond.triangles[0][1] = 99;
        for (mesh, radius, word) in [
            (outward(cuboid(Vec3::splat(0.5), true)), 0.05, "open"),
            (turned, 0.05, "inside out"),
            (beyond, 0.05, "99"),
            (TriangleMesh::default(), 0.05, "flat"),
            (good.clone(), f32::NAN, "radius"),
            (good.clone(), 0.4, "too large"),
            (good, 1e-4, "or more"),
        ] {
            let refusal = fill("jug", &mesh, radius).unwrap_err().to_string();
            assert!(refusal.contains("jug") && refusal.contains(word), "{word}: {refusal}");
        }
    }
}
