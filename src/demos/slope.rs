//! A box on a tilted plane: holds below the friction angle, slides above it.

use std::sync::Arc;

use glam::{Quat, Vec3};

use super::demo::{Category, Demo, DemoError, Stage};
use super::options::{DemoOption, Options};
use crate::scene::{BodyDesc, Collider, Scene, Shape, Surface, View, primitive_model};
use crate::spawn::palette;

pub(super) const DEMO: Demo = Demo {
    name: "slope",
    summary: "a box on a tilted plane, holding or sliding by its friction",
    category: Category::Bodies,
    options: &[
        DemoOption::number("angle", [0.0, 80.0], 20.0, "tilt of the plane [degrees]"),
        DemoOption::number("mu", [0.0, 5.0], 0.6, "static friction coefficient"),
    ],
    build,
};

const HALF: f32 = 0.15;

fn build(options: &Options) -> Result<Stage, DemoError> {
    let surface = Surface { friction: options.number("mu"), ..Surface::default() };
    let rotation = Quat::from_rotation_z(-options.number("angle").to_radians());
    let mut scene = Scene::default();
    // A sleeping box would hold anywhere: the test is of friction.
    scene.params.sleep_time = 0.0;
    scene.add_collider(Collider { surface, rotation, ..Collider::ground(0.0) })?;
    let desc = BodyDesc::cuboid(Vec3::splat(HALF), 0.05).at(rotation * (Vec3::Y * HALF)).rotated(rotation);
    let id = scene.add_body(BodyDesc { surface, ..desc })?;
    scene.draw_body(id, &Arc::new(primitive_model(&Shape::Cuboid(Vec3::splat(HALF)))), palette(2))?;
    scene.view = View::around(Vec3::ZERO, 1.2);
    Ok(scene.into())
}
