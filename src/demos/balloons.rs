//! Balloons: closed sheets with pressure inside, under falling boxes.

use std::sync::Arc;

use glam::{Quat, Vec3};

use super::demo::{Category, Demo, DemoError, Stage};
use super::options::{DemoOption, Options};
use crate::scene::{BodyDesc, Scene, Shape, View, primitive_model};
use crate::spawn::{Random, add_pit, balloon, palette};

pub(super) const DEMO: Demo = Demo {
    name: "balloons",
    summary: "balloons carry boxes on the air inside them",
    category: Category::Flesh,
    options: &[
        DemoOption::integer("count", [1.0, 64.0], 9.0, "balloons"),
        DemoOption::integer("boxes", [0.0, 64.0], 9.0, "boxes"),
        DemoOption::number("pressure", [0.2, 3.0], 1.15, "volume of the air over that of the balloon at rest"),
        DemoOption::number("tear", [0.0, 10.0], 0.0, "strain at which the skin tears, for example 0.1; 0 for never"),
    ],
    build,
};

/// Radius of a balloon [m].
const RADIUS: f32 = 0.25;
fn build(options: &Options) -> Result<Stage, DemoError> {
    let mut scene = Scene::default();
    let side = (options.number("count").max(options.number("boxes"))).sqrt().ceil() as u32;
    let pitch = 2.0 * RADIUS * 1.25;
    let half = 0.5 * side as f32 * pitch;
    add_pit(&mut scene, half, 1.0)?;
    let (mut balloon, shell) = balloon(RADIUS, options.number("pressure"))?;
    let strain = options.number("tear");
    balloon.tearing = (strain > 0.0).then_some(strain);
    let place =
        |i: u32| Vec3::new((i % side) as f32 + 0.5, 0.0, (i / side) as f32 + 0.5) * pitch - Vec3::new(half, 0.0, half);
    for i in 0..options.count("count") {
        let at = place(i) + Vec3::Y * (1.1 * RADIUS + 0.03);
        let id = scene.add_deformable(&balloon, at, Quat::IDENTITY, Vec3::ZERO)?;
        scene.draw_shell(id, &shell, palette(i as usize))?;
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
    scene.view = View::around(Vec3::Y * 0.35, 1.35 * half);
    Ok(scene.into())
}
