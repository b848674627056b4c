//! Balloons: spheres of cloth with air inside.

use std::collections::HashMap;
use std::sync::Arc;

use glam::Vec3;

use crate::constraints::Pressure;
use crate::scene::{Deformable, Material, SceneError, SheetMaterial, Shell};

/// Halvings of the octahedron's edges.
const HALVINGS: u32 = 3;

/// A ball of triangles of about one size: an octahedron whose edges are halved.
fn ball(radius: f32) -> (Vec<Vec3>, Vec<[u32; 3]>) {
    let mut points = vec![Vec3::X, Vec3::NEG_X, Vec3::Y, Vec3::NEG_Y, Vec3::Z, Vec3::NEG_Z];
    let mut triangles = vec![[0, 2, 4], [2, 1, 4], [1, 3, 4], [3, 0, 4], [2, 0, 5], [1, 2, 5], [3, 1, 5], [0, 3, 5]];
    for _ in 0..HALVINGS {
        let mut known: HashMap<[u32; 2], u32> = HashMap::new();
        let mut middle = |a: u32, b: u32| {
            *known.entry([a.min(b), a.max(b)]).or_insert_with(|| {
                points.push((points[a as usize] + points[b as usize]).normalize());
                points.len() as u32 - 1
            })
        };
        let mut finer = Vec::with_capacity(4 * triangles.len());
        for [a, b, c] in triangles {
            let [d, e, f] = [middle(a, b), middle(b, c), middle(c, a)];
            finer.extend([[a, d, f], [d, b, e], [f, e, c], [d, e, f]]);
        }
        triangles = finer;
    }
    (points.into_iter().map(|p| radius * p).collect(), triangles)
}

/// A balloon of `radius` [m] whose air has so many times the volume that it has at rest, and what draws it.
///
/// # Errors
/// [`SceneError`] for numbers that are not finite or out of range.
pub fn balloon(radius: f32, pressure: f32) -> Result<(Deformable, Arc<Shell>), SceneError> {
    let (rest, triangles) = ball(radius);
    let material = SheetMaterial { area_density: 1.0, stretch: 2e-4, bend: f32::INFINITY, ..SheetMaterial::default() };
    let mut balloon = Deformable::sheet("balloon", rest, &triangles, 0.02, &material)?.damped(10.0);
    balloon.join_global(&Pressure::inside(&triangles, &balloon.rest, pressure, 0.0))?;
    let surface = Material { roughness: 0.25, ..Material::default() };
    let shell = Arc::new(Shell::on_particles(&balloon.rest, &triangles, &[], surface));
    Ok((balloon, shell))
}
