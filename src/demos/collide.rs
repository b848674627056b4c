//! Two boxes that collide off-center without gravity: momentum must be conserved.

use std::sync::Arc;

use glam::{Quat, Vec3};

use super::demo::{Category, Demo, DemoError, Stage};
use super::options::{DemoOption, Options};
use crate::scene::{BodyDesc, Scene, Shape, Surface, View, primitive_model};
use crate::spawn::palette;

pub(super) const DEMO: Demo = Demo {
    name: "collide",
    summary: "two boxes colliding off-center without gravity",
    category: Category::Bodies,
    options: &[
        DemoOption::number("speed", [0.1, 30.0], 2.0, "speed of each [m/s]"),
        DemoOption::number("offset", [-0.25, 0.25], 0.1, "distance between their paths [m]"),
        DemoOption::number("restitution", [0.0, 1.0], 0.5, "fraction of the approach speed that is restored"),
    ],
    build,
};

const HALF: f32 = 0.15;

fn build(options: &Options) -> Result<Stage, DemoError> {
    let mut scene = Scene::default();
    scene.params.gravity = Vec3::ZERO;
    scene.params.sleep_time = 0.0;
    let model = Arc::new(primitive_model(&Shape::Cuboid(Vec3::splat(HALF))));
    let surface = Surface { restitution: options.number("restitution"), ..Surface::default() };
    for (i, side) in [-1.0, 1.0].into_iter().enumerate() {
        let position = Vec3::new(0.8 * side, 0.8 + 0.5 * options.number("offset") * side, 0.03 * side);
        let rotation = Quat::from_rotation_y(0.3 * side) * Quat::from_rotation_x(0.2);
        let desc = BodyDesc::cuboid(Vec3::splat(HALF), 0.05).at(position).rotated(rotation);
        let velocity = Vec3::NEG_X * (side * options.number("speed"));
        let id = scene.add_body(BodyDesc { velocity, surface, ..desc })?;
        scene.draw_body(id, &model, palette(5 * i))?;
    }
    scene.view = View::around(Vec3::Y * 0.8, 1.2);
    Ok(scene.into())
}
