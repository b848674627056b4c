//! A jet of water falls on rocks in a basin; a drain takes it away and it comes back.

use std::f32::consts::TAU;

use glam::{Quat, Vec3, Vec4, vec3};

use super::demo::{Category, Demo, DemoError, Stage};
use super::options::{DemoOption, Options};
use crate::scene::{Collider, Drain, Emitter, Liquid, Scene, SceneError, Shape, View};
use crate::spawn::{Random, add_spout, add_tank, block};

pub(super) const DEMO: Demo = Demo {
    name: "fountain",
    summary: "a jet of water over rocks into a basin with a drain",
    category: Category::Flowing,
    options: &[
        DemoOption::number("radius", [0.01, 0.05], 0.02, "radius of the water particles [m]"),
        DemoOption::number("speed", [0.5, 8.0], 3.6, "speed of the jet [m/s]"),
        DemoOption::integer("budget", [100.0, 200_000.0], 6000.0, "water particles in reserve"),
        DemoOption::integer("rocks", [0.0, 40.0], 7.0, "rocks"),
        DemoOption::integer("seed", [0.0, 1.0e6], 1.0, "seed of the random numbers"),
    ],
    build,
};

/// The basin: length, depth of the water at the start, width, and height of the walls [m].
const BASIN: Vec3 = Vec3::new(1.9, 0.09, 1.2);
const WALLS: f32 = 0.3;
/// Where the jet leaves its spout, where it goes, and the spout's radius [m].
const SPOUT: Vec3 = Vec3::new(-0.72, 0.42, 0.0);
const AIM: Vec3 = Vec3::new(0.55, 1.0, 0.0);
const NOZZLE: f32 = 0.075;
/// Half sides of the drain, in the corner of the basin [m].
const DRAIN: Vec3 = Vec3::new(0.06, 0.05, 0.5);

fn build(options: &Options) -> Result<Stage, DemoError> {
    let radius = options.number("radius");
    let mut scene = Scene::default();
    scene.params.substeps = 4;
    let counts = BASIN.to_array().map(|length| (length / (2.0 * radius)).round().max(1.0) as u32);
    let size = Vec3::from(counts.map(|n| 2.0 * radius * n as f32));
    let low = vec3(-0.5 * size.x, 0.0, -0.5 * size.z);
    add_tank(&mut scene, low, vec3(-low.x, WALLS, -low.z))?;
    let walls = scene.colliders.len();
    rocks(&mut scene, options.count("rocks"), Random::new(options.count("seed")))?;
    let clear = |at: &Vec3| {
        let outside = |c: &Collider| c.shape.distance(c.rotation.inverse() * (*at - c.position)) > radius;
        scene.colliders[walls..].iter().all(outside)
    };
    let places: Vec<Vec3> = block(low, counts, radius).into_iter().filter(clear).collect();
    let water = scene.add_liquid(Liquid::water(radius))?;
    scene.pour(water, &places, Vec3::ZERO)?;
    scene.add_emitter(Emitter {
        position: SPOUT,
        direction: AIM,
        radius: NOZZLE.max(radius),
        speed: options.number("speed"),
        budget: options.count("budget"),
        ..Emitter::new("spout", water)
    })?;
    let drain = vec3(-low.x - DRAIN.x, DRAIN.y, 0.0);
    scene.add_drain(Drain { shape: Shape::Cuboid(DRAIN), position: drain })?;
    scene.view = View::around(vec3(0.0, 0.35, 0.0), 1.25);
    Ok(scene.into())
}

/// Rocks in a heap where the jet comes down, the nearer the higher, and the spout.
fn rocks(scene: &mut Scene, count: u32, mut random: Random) -> Result<(), SceneError> {
    const MIDDLE: f32 = 0.32;
    for i in 0..count {
        let turn = TAU * 0.381_966 * i as f32;
        let out = 0.34 * (i as f32 / count as f32).sqrt();
        let high = 0.34 - 0.7 * out + random.between(-0.03, 0.03);
        let half = vec3(random.between(0.06, 0.1), 0.5 * high, random.between(0.06, 0.1));
        let at = vec3(MIDDLE + out * turn.cos(), 0.4 * high, out * turn.sin());
        let lean = Quat::from_rotation_y(random.between(0.0, 3.0)) * Quat::from_rotation_x(random.between(-0.4, 0.4));
        let gray = random.between(0.12, 0.24);
        let color = Vec4::new(gray, 0.95 * gray, 0.9 * gray, 1.0);
        scene.add_collider(Collider { color, ..Collider::new(Shape::Cuboid(half), at).rotated(lean) })?;
    }
    add_spout(scene, SPOUT, AIM, NOZZLE)
}
