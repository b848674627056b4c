//! A thread of honey that is poured onto a ball and runs down it.

use glam::{Vec3, Vec4};

use super::demo::{Category, Demo, DemoError, Stage};
use super::options::{DemoOption, Options};
use crate::scene::{Collider, Emitter, Liquid, Scene, Shape, View};
use crate::spawn::{add_spout, add_tank};

pub(super) const DEMO: Demo = Demo {
    name: "honey",
    summary: "honey runs down a ball",
    category: Category::Flowing,
    options: &[
        DemoOption::number("radius", [0.002, 0.02], 0.004, "radius of the particles [m]"),
        DemoOption::number("viscosity", [0.0, 50.0], 20.0, "viscosity [Pa s]"),
        DemoOption::integer("budget", [100.0, 200_000.0], 4000.0, "particles of honey to pour"),
    ],
    build,
};

/// Radius of the ball [m].
const BALL: f32 = 0.06;
/// Where the honey is poured from, where to, how wide [m] and how fast [m/s].
const SPOUT: Vec3 = Vec3::new(-0.045, 0.19, 0.0);
const AIM: Vec3 = Vec3::new(0.6, -0.8, 0.0);
const NOZZLE: f32 = 0.018;
const SPEED: f32 = 0.7;
/// Half the width of the basin, and its height [m].
const BASIN: f32 = 0.17;
const RIM: f32 = 0.05;

fn build(options: &Options) -> Result<Stage, DemoError> {
    let radius = options.number("radius");
    let mut scene = Scene::default();
    scene.params.substeps = 8;
    add_tank(&mut scene, Vec3::new(-BASIN, 0.0, -BASIN), Vec3::new(BASIN, RIM, BASIN))?;
    let mut ball = Collider::new(Shape::Sphere(BALL), Vec3::Y * BALL);
    // White shows the color of a thin film over it.
    ball.color = Vec4::new(0.8, 0.78, 0.74, 1.0);
    scene.add_collider(ball)?;
    let honey = scene.add_liquid(Liquid {
        name: "honey".into(),
        density: 1400.0,
        viscosity: options.number("viscosity"),
        tension: 0.08,
        clearness: Vec3::new(0.5, 1e-7, 1e-37),
        turbidity: 20.0,
        ..Liquid::water(radius)
    })?;
    let width = NOZZLE.max(radius);
    scene.add_emitter(Emitter {
        position: SPOUT,
        direction: AIM,
        radius: width,
        speed: SPEED,
        budget: options.count("budget"),
        ..Emitter::new("spout", honey)
    })?;
    add_spout(&mut scene, SPOUT, AIM, width)?;
    scene.view = View::around(Vec3::Y * 0.1, 0.24);
    Ok(scene.into())
}
