//! Balloons: closed sheets with pressure inside, under falling boxes.

use std::collections::HashMap;
use std::sync::Arc;

use glam::{Quat, Vec3};

use super::rings::draw;
use super::stage::{Random, add_pit, palette, view_of};
use super::{Demo, DemoError, DemoOption, Options, Stage};
use crate::constraints::Pressure;
use crate::scene::{BodyDesc, Deformable, Material, Scene, SceneError, Shape, SheetMaterial, Shell, primitive_model};

pub(super) const DEMO: Demo = Demo {
    name: "balloons",
    summary: "balloons carry boxes on the air inside them",
    options: &[
        DemoOption::integer("count", [1.0, 64.0], 9.0, "balloons"),
        DemoOption::integer("boxes", [0.0, 64.0], 9.0, "boxes"),
        DemoOption::number("pressure", [0.2, 3.0], 1.15, "volume of the air, of the balloon's at rest"),
    ],
    build,
};

/// Radius of a balloon [m].
const RADIUS: f32 = 0.25;
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
pub(super) fn balloon(radius: f32, pressure: f32) -> Result<(Deformable, Arc<Shell>), SceneError> {
    let (rest, triangles) = ball(radius);
    let material = SheetMaterial { area_density: 1.0, stretch: 2e-4, bend: f32::INFINITY, ..SheetMaterial::default() };
    let mut balloon = Deformable::sheet("balloon", rest, &triangles, 0.02, &material)?.damped(10.0);
    balloon.join_global(&Pressure::inside(&triangles, &balloon.rest, pressure, 0.0))?;
    let surface = Material { roughness: 0.25, ..Material::default() };
    let shell = Arc::new(Shell::on_particles(&balloon.rest, &triangles, &[], surface));
    Ok((balloon, shell))
}

fn build(options: &Options) -> Result<Stage, DemoError> {
    let mut scene = Scene::default();
    let side = (options.number("count").max(options.number("boxes"))).sqrt().ceil() as u32;
    let pitch = 2.0 * RADIUS * 1.25;
    let half = 0.5 * side as f32 * pitch;
    add_pit(&mut scene, half, 1.0)?;
    let (balloon, shell) = balloon(RADIUS, options.number("pressure"))?;
    let place =
        |i: u32| Vec3::new((i % side) as f32 + 0.5, 0.0, (i / side) as f32 + 0.5) * pitch - Vec3::new(half, 0.0, half);
    for i in 0..options.count("count") {
        let at = place(i) + Vec3::Y * (1.1 * RADIUS + 0.03);
        let id = scene.add_deformable(&balloon, at, Quat::IDENTITY, Vec3::ZERO)?;
        draw(&mut scene, id, &shell, palette(i as usize))?;
    }
    let extent = Vec3::new(0.15, 0.1, 0.15);
    let model = Arc::new(primitive_model(&Shape::Cuboid(extent)));
    let mut random = Random::new(1);
    for i in 0..options.count("boxes") {
        let at = place(i) + Vec3::Y * 1.0 + random.offset(0.04);
        let mut desc = BodyDesc::cuboid(extent, 0.05).at(at).rotated(random.rotation());
        let lighter = 2.0 / desc.mass;
        desc.mass *= lighter;
        desc.inertia *= lighter;
        let body = scene.add_body(desc)?;
        scene.draw_body(body, &model, palette(7))?;
    }
    scene.view = view_of(Vec3::Y * 0.35, 1.35 * half);
    Ok(scene.into())
}
