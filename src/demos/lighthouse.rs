//! Waves from a turning paddle run through rocks around a lighthouse.

use std::sync::Arc;

use glam::{Quat, Vec3, Vec4, vec3};

use super::demo::{Category, Demo, DemoError, Stage};
use super::options::{DemoOption, Options};
use crate::scene::{BodyDesc, Collider, Liquid, Scene, SceneError, Shape, View, primitive_model};
use crate::spawn::{Random, add_tank, block, palette};

pub(super) const DEMO: Demo = Demo {
    name: "lighthouse",
    summary: "waves run through rocks around a lighthouse",
    category: Category::Together,
    options: &[
        DemoOption::number("radius", [0.01, 0.06], 0.035, "radius of the water particles [m]"),
        DemoOption::number("waves", [0.0, 2.0], 0.9, "waves per second"),
        DemoOption::integer("rocks", [0.0, 60.0], 9.0, "rocks around the lighthouse"),
        DemoOption::integer("boats", [0.0, 4.0], 2.0, "boats"),
        DemoOption::integer("seed", [0.0, 1.0e6], 1.0, "seed of the random numbers"),
    ],
    build,
};

/// Length, depth and width of the water, and height of the walls [m].
const SEA: Vec3 = Vec3::new(3.6, 0.36, 1.6);
const WALLS: f32 = 0.9;
/// The paddle: its axis over the ground, from the end of the tank, and half its thickness and width [m].
const AXIS: f32 = 0.4;
const FROM_END: f32 = 0.35;
const PADDLE: [f32; 2] = [0.05, 0.22];
/// Where the lighthouse stands, along the tank [m].
const TOWER: f32 = 0.75;
/// Half sides of a boat [m].
const BOAT: Vec3 = Vec3::new(0.13, 0.05, 0.08);

fn build(options: &Options) -> Result<Stage, DemoError> {
    let radius = options.number("radius");
    let mut scene = Scene::default();
    scene.params.substeps = 4;
    let counts = SEA.to_array().map(|length| (length / (2.0 * radius)).round().max(1.0) as u32);
    let size = Vec3::from(counts.map(|n| 2.0 * radius * n as f32));
    let low = vec3(-0.5 * size.x, 0.0, -0.5 * size.z);
    add_tank(&mut scene, low, vec3(-low.x, WALLS, -low.z))?;
    let walls = scene.colliders.len();
    // Two edges a turn make two waves; the edge that is in the water moves towards the lighthouse.
    let turning = Vec3::Z * (std::f32::consts::PI * options.number("waves"));
    let mut paddle = Collider::new(
        Shape::Cuboid(vec3(PADDLE[0], PADDLE[1], 0.5 * size.z - 0.01)),
        vec3(low.x + FROM_END, AXIS, 0.0),
    );
    paddle.angular_velocity = turning;
    paddle.color = palette(7);
    scene.add_collider(paddle)?;
    tower(&mut scene)?;
    rocks(&mut scene, options.count("rocks"), Random::new(options.count("seed")))?;
    let free = |at: &Vec3| {
        let clear = |c: &Collider| c.shape.distance(c.rotation.inverse() * (*at - c.position)) > radius;
        scene.colliders[walls..].iter().all(clear)
    };
    let places: Vec<Vec3> = block(low, counts, radius).into_iter().filter(free).collect();
    let water = scene.add_liquid(Liquid::water(radius))?;
    scene.pour(water, &places, Vec3::ZERO)?;
    boats(&mut scene, options.count("boats"), size.y + BOAT.y + radius)?;
    scene.view = View::around(vec3(0.2, 0.3, 0.0), 1.65);
    Ok(scene.into())
}

/// White and red drums, each slimmer than the one below and sunk into it, a lamp and a roof. A particle meets few colliders at
/// once, so only the lowest drum reaches down into the water.
fn tower(scene: &mut Scene) -> Result<(), SceneError> {
    let (white, red) = (Vec4::new(0.85, 0.83, 0.78, 1.0), palette(0));
    let drums =
        [(0.20, 0.0, 0.48, white), (0.17, 0.44, 0.71, red), (0.145, 0.66, 0.93, white), (0.12, 0.88, 1.12, red)];
    for (radius, low, top, color) in drums {
        // Both ends of the axis; the caps stand out by the radius.
        let ends = [low, top - radius];
        let shape = Shape::Capsule { radius, half_length: 0.5 * (ends[1] - ends[0]) };
        scene.add_collider(Collider { color, ..Collider::new(shape, vec3(TOWER, 0.5 * (ends[0] + ends[1]), 0.0)) })?;
    }
    let lamp = Vec4::new(1.0, 0.85, 0.35, 1.0);
    let head = [(0.085, 1.15, lamp), (0.07, 1.22, red)];
    for (radius, height, color) in head {
        scene.add_collider(Collider { color, ..Collider::new(Shape::Sphere(radius), vec3(TOWER, height, 0.0)) })?;
    }
    Ok(())
}

/// Rocks in rings around the lighthouse, the nearer the higher.
fn rocks(scene: &mut Scene, count: u32, mut random: Random) -> Result<(), SceneError> {
    for i in 0..count {
        let turn = std::f32::consts::TAU * 0.381_966 * i as f32;
        let out = 0.32 + 0.42 * (i as f32 / count as f32).sqrt();
        let high = 0.5 - 0.42 * out + random.between(-0.06, 0.06);
        let half = vec3(random.between(0.07, 0.12), 0.5 * high, random.between(0.07, 0.12));
        let at = vec3(TOWER + out * turn.cos(), 0.35 * high, out * turn.sin());
        let lean = Quat::from_rotation_y(random.between(0.0, 3.0)) * Quat::from_rotation_x(random.between(-0.5, 0.5));
        let gray = random.between(0.12, 0.22);
        let color = Vec4::new(gray, 0.95 * gray, 0.9 * gray, 1.0);
        scene.add_collider(Collider { color, ..Collider::new(Shape::Cuboid(half), at).rotated(lean) })?;
    }
    Ok(())
}

/// Light boxes that float `height` [m] over the ground, between the paddle and the rocks.
fn boats(scene: &mut Scene, count: u32, height: f32) -> Result<(), SceneError> {
    let model = Arc::new(primitive_model(&Shape::Cuboid(BOAT)));
    for i in 0..count {
        let z = 0.4 * (i as f32 - 0.5 * (count as f32 - 1.0));
        let desc = BodyDesc::cuboid(BOAT, 0.04).at(vec3(-0.45 - 0.3 * (i % 2) as f32, height, z));
        let desc = BodyDesc { mass: 0.4 * desc.mass, inertia: 0.4 * desc.inertia, ..desc };
        let id = scene.add_body(desc)?;
        scene.draw_body(id, &model, palette(i as usize + 1))?;
    }
    Ok(())
}
