//! A box dropped on its corner: the hardest impact for a body made of particles.

use std::sync::Arc;

use glam::{Quat, Vec3};

use super::demo::{Category, Demo, DemoError, Stage};
use super::options::{DemoOption, Options};
use crate::scene::{BodyDesc, Collider, Scene, Shape, View, primitive_model};
use crate::spawn::palette;

pub(super) const DEMO: Demo = Demo {
    name: "corner",
    summary: "a box dropped on its corner",
    category: Category::Bodies,
    options: &[
        DemoOption::integer("size", [1.0, 8.0], 3.0, "particles a side; the radius is 0.05 m"),
        DemoOption::number("speed", [0.0, 30.0], 5.0, "speed of the fall at the ground [m/s]"),
    ],
    build,
};

const RADIUS: f32 = 0.05;

fn build(options: &Options) -> Result<Stage, DemoError> {
    const CLEARANCE: f32 = 0.02;
    let half = Vec3::splat(RADIUS * options.number("size"));
    let mut scene = Scene::default();
    scene.add_collider(Collider::ground(0.0))?;
    // Corner down, then a little over, so that it is clear to which side it falls.
    let rotation = Quat::from_rotation_z(0.05) * Quat::from_rotation_arc(Vec3::ONE.normalize(), Vec3::NEG_Y);
    let desc = BodyDesc::cuboid(half, RADIUS).at(Vec3::Y * (half.length() + CLEARANCE)).rotated(rotation);
    let gained = 2.0 * scene.params.gravity.length() * CLEARANCE;
    let speed = (options.number("speed").powi(2) - gained).max(0.0).sqrt();
    let id = scene.add_body(BodyDesc { velocity: Vec3::NEG_Y * speed, ..desc })?;
    scene.draw_body(id, &Arc::new(primitive_model(&Shape::Cuboid(half))), palette(1))?;
    scene.view = View::around(Vec3::Y * half.y, 2.5 * half.length());
    Ok(scene.into())
}
