//! Every kind of solid on a heightfield of hills, beside a one-way platform.

use std::sync::Arc;

use glam::{Quat, Vec3, Vec4, vec3};

use super::demo::{Category, Demo, DemoError, Stage};
use super::options::{DemoOption, Options};
use crate::scene::{
    BodyDesc, Collider, ConvexHull, Heightfield, Piece, Scene, SceneError, Shape, View, primitive_model,
};
use crate::spawn::{Random, palette};

pub(super) const DEMO: Demo = Demo {
    name: "shapes",
    summary: "cylinders, hulls and compounds on hills, and balls thrown up through a one-way platform",
    category: Category::Bodies,
    options: &[
        DemoOption::integer("count", [1.0, 2000.0], 48.0, "falling bodies"),
        DemoOption::integer("balls", [0.0, 12.0], 6.0, "balls under the platform"),
        DemoOption::number("throw", [0.0, 12.0], 6.5, "speed at which they are thrown up [m/s]"),
        DemoOption::integer("seed", [0.0, 1.0e6], 1.0, "seed of the random numbers"),
    ],
    build,
};

/// Particle radius [m].
const RADIUS: f32 = 0.03;
/// Every body turns freely in a cube of this side [m].
const CELL: f32 = 0.55;
/// Height of the platform's top [m].
const TOP: f32 = 1.6;

fn build(options: &Options) -> Result<Stage, DemoError> {
    let mut scene = Scene::default();
    let mut random = Random::new(options.count("seed"));
    add_ground(&mut scene)?;
    let kinds = kinds(&mut random)?;
    let count = options.count("count");
    let side = ((count as f32 / 4.0).sqrt().ceil() as u32).max(2);
    for i in 0..count {
        let (x, z, layer) = (i % side, i / side % side, i / (side * side));
        let middle = 0.5 * (side - 1) as f32;
        let cell = vec3(x as f32 - middle, layer as f32, z as f32 - middle) * CELL;
        let desc = kinds[i as usize % kinds.len()].clone().rotated(random.rotation());
        drawn(&mut scene, desc.at(cell + vec3(-0.9, 1.6, 0.3)), random.between(0.0, 1000.0) as usize)?;
    }
    for i in 0..options.count("balls") {
        let at = vec3(1.5 + 0.3 * (i % 3) as f32, 0.9, 0.32 * (i / 3) as f32 - 0.6);
        let velocity = options.number("throw") * Vec3::Y;
        drawn(&mut scene, BodyDesc { velocity, ..BodyDesc::sphere(0.11, RADIUS).at(at) }, i as usize)?;
    }
    scene.view = View::around(vec3(0.2, 0.5, 0.0), 2.3);
    Ok(scene.into())
}

fn drawn(scene: &mut Scene, desc: BodyDesc, color: usize) -> Result<(), SceneError> {
    let model = Arc::new(primitive_model(&desc.shape));
    let body = scene.add_body(desc)?;
    scene.draw_body(body, &model, palette(color))?;
    Ok(())
}

/// Hills that rise to their border, a stair, and the platform.
fn add_ground(scene: &mut Scene) -> Result<(), SceneError> {
    let hills = |x: f32, z: f32| {
        let far = (x.hypot(z) - 2.4).max(0.0);
        0.12 * (2.1 * x).sin() * (2.6 * z).cos() + 0.12 * far * far
    };
    let ground = Shape::Heightfield(Heightfield::new([97, 97], 0.08, hills));
    scene.add_collider(Collider { color: Vec4::new(0.2, 0.33, 0.16, 1.0), ..Collider::new(ground, Vec3::ZERO) })?;
    let step = |i: u32| {
        let half = vec3(0.5, 0.12 * (i + 1) as f32 + 0.06, 0.14);
        Piece::new(Shape::Cuboid(half), vec3(0.0, half.y, -0.28 * i as f32))
    };
    let stair = Shape::Compound((0..4).map(step).collect());
    scene.add_collider(Collider::new(stair, vec3(-0.4, -0.28, -1.3)))?;
    let platform = Collider::new(Shape::Cuboid(vec3(0.65, 0.04, 0.7)), vec3(1.8, TOP - 0.04, -0.3)).one_way(Vec3::Y);
    scene.add_collider(Collider { color: Vec4::new(0.4, 0.6, 0.9, 0.5), ..platform })?;
    Ok(())
}

/// A drum, a coin, a gem, a wedge, a hammer and a dumbbell.
fn kinds(random: &mut Random) -> Result<Vec<BodyDesc>, SceneError> {
    let gem: Vec<Vec3> = (0..14).map(|_| 0.19 * (random.rotation() * Vec3::Y)).collect();
    let wedge = [0.16, -0.16].map(|z| [vec3(-0.2, -0.1, z), vec3(0.2, -0.1, z), vec3(0.2, 0.12, z)]).concat();
    let lying = Quat::from_rotation_z(std::f32::consts::FRAC_PI_2);
    let handle = BodyDesc::cylinder(0.03, 0.17, RADIUS);
    let head = BodyDesc::cuboid(vec3(0.12, 0.05, 0.05), RADIUS).at(vec3(0.0, 0.17, 0.0));
    let ball = |x: f32| BodyDesc::sphere(0.09, RADIUS).at(vec3(x, 0.0, 0.0));
    let bar = BodyDesc::cylinder(0.03, 0.15, RADIUS).rotated(lying);
    Ok(vec![
        BodyDesc::cylinder(0.14, 0.13, RADIUS),
        BodyDesc::hull(&ConvexHull::new(&gem)?, RADIUS)?,
        BodyDesc::compound(&[head, handle])?,
        BodyDesc::cylinder(0.19, 0.04, RADIUS),
        BodyDesc::hull(&ConvexHull::new(&wedge)?, RADIUS)?,
        BodyDesc::compound(&[ball(-0.15), bar, ball(0.15)])?,
    ])
}
