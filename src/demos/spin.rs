//! A freely spinning box: its spin must not fade and its center must not move.

use std::sync::Arc;

use glam::Vec3;

use super::demo::{Category, Demo, DemoError, Stage};
use super::options::{DemoOption, Options};
use crate::scene::{BodyDesc, Scene, Shape, View, primitive_model};
use crate::spawn::palette;

pub(super) const DEMO: Demo = Demo {
    name: "spin",
    summary: "a box spinning without gravity",
    category: Category::Bodies,
    options: &[
        DemoOption::number("rate", [-60.0, 60.0], 6.0, "spin [rad/s]"),
        DemoOption::choice("about", &["greatest", "middle", "least"], "axis, by the moment of inertia about it"),
    ],
    build,
};

const HALF: Vec3 = Vec3::new(0.15, 0.1, 0.25);

fn build(options: &Options) -> Result<Stage, DemoError> {
    // The inertia is greatest about the shortest side.
    let axis = [Vec3::Y, Vec3::X, Vec3::Z][options.count("about") as usize];
    let mut scene = Scene::default();
    scene.params.gravity = Vec3::ZERO;
    scene.params.sleep_time = 0.0;
    let desc = BodyDesc::cuboid(HALF, 0.05).at(Vec3::Y * 0.8);
    let id = scene.add_body(BodyDesc { angular_velocity: axis * options.number("rate"), ..desc })?;
    scene.draw_body(id, &Arc::new(primitive_model(&Shape::Cuboid(HALF))), palette(4))?;
    scene.view = View::around(Vec3::Y * 0.8, 0.5);
    Ok(scene.into())
}
