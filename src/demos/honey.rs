//! A column of honey that sinks onto a ball and runs down it.

use glam::{Vec3, Vec4};

use super::demo::{Category, Demo, DemoError, Stage};
use super::options::{DemoOption, Options};
use crate::scene::{Collider, Liquid, Scene, Shape, View};
use crate::spawn::{add_tank, block};

pub(super) const DEMO: Demo = Demo {
    name: "honey",
    summary: "honey runs down a ball",
    category: Category::Flowing,
    options: &[
        DemoOption::number("radius", [0.001, 0.01], 0.0025, "radius of the particles [m]"),
        DemoOption::number("viscosity", [0.0, 50.0], 10.0, "viscosity [Pa s]"),
    ],
    build,
};

/// Radius of the ball [m].
const BALL: f32 = 0.03;
/// Side and height of the column [m].
const SIDE: f32 = 0.035;
const HEIGHT: f32 = 0.14;

fn build(options: &Options) -> Result<Stage, DemoError> {
    let radius = options.number("radius");
    let mut scene = Scene::default();
    scene.params.substeps = 8;
    add_tank(&mut scene, Vec3::new(-0.09, 0.0, -0.09), Vec3::new(0.09, 0.03, 0.09))?;
    let mut ball = Collider::new(Shape::Sphere(BALL), Vec3::Y * (BALL + 0.015));
    ball.color = Vec4::new(0.35, 0.36, 0.4, 1.0);
    scene.add_collider(ball)?;
    let honey = scene.add_liquid(Liquid {
        name: "honey".into(),
        density: 1400.0,
        viscosity: options.number("viscosity"),
        tension: 0.08,
        clearness: Vec3::new(0.1, 1e-15, 1e-37),
        turbidity: 20.0,
        ..Liquid::water(radius)
    })?;
    let cells = |length: f32| (length / (2.0 * radius)).round().max(1.0) as u32;
    let counts = [cells(SIDE), cells(HEIGHT), cells(SIDE)];
    let low = Vec3::new(-0.5 * SIDE, 2.0 * BALL + 0.02, -0.5 * SIDE);
    scene.pour(honey, &block(low, counts, radius), Vec3::ZERO)?;
    scene.view = View::around(Vec3::Y * 0.08, 0.16);
    Ok(scene.into())
}
