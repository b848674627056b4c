//! A tower of boxes, each slightly offset and rotated, that should stand.

use std::sync::Arc;

use glam::{Quat, Vec3};

use super::demo::{Category, Demo, DemoError, Stage};
use super::options::{DemoOption, Options};
use crate::scene::{BodyDesc, Collider, Scene, Shape, View, primitive_model};
use crate::spawn::{Random, palette};

pub(super) const DEMO: Demo = Demo {
    name: "tower",
    summary: "a tower of slightly uneven boxes, which should stand",
    category: Category::Bodies,
    options: &[
        DemoOption::integer("height", [1.0, 50.0], 5.0, "boxes"),
        DemoOption::number("offset", [0.0, 0.1], 0.01, "largest sideways offset of a box [m]"),
        DemoOption::number("tilt", [0.0, 10.0], 0.0, "largest tilt of a box [degrees]"),
        DemoOption::integer("seed", [0.0, 1.0e6], 1.0, "seed of the random numbers"),
    ],
    build,
};

/// Half side of a box [m]: 3 x 3 x 3 particles of radius 0.05 m.
const HALF: f32 = 0.15;
const RADIUS: f32 = 0.05;

fn build(options: &Options) -> Result<Stage, DemoError> {
    let mut scene = Scene::default();
    scene.add_collider(Collider::ground(0.0))?;
    let model = Arc::new(primitive_model(&Shape::Cuboid(Vec3::splat(HALF))));
    let mut random = Random::new(options.count("seed"));
    let (offset, tilt) = (options.number("offset"), options.number("tilt").to_radians());
    // A tilted box reaches further down by its half diagonal in the plane of the tilt.
    let lift = 2.0 * HALF * std::f32::consts::SQRT_2 * tilt.sin();
    for i in 0..options.count("height") {
        let side = Vec3::new(random.between(-offset, offset), 0.0, random.between(-offset, offset));
        let height = HALF + i as f32 * (2.0 * HALF + 2.0 * lift) + lift;
        let lean =
            Quat::from_rotation_x(random.between(-tilt, tilt)) * Quat::from_rotation_z(random.between(-tilt, tilt));
        let rotation = lean * Quat::from_rotation_y(random.between(-0.15, 0.15));
        let desc = BodyDesc::cuboid(Vec3::splat(HALF), RADIUS).at(side + Vec3::Y * height).rotated(rotation);
        let id = scene.add_body(desc)?;
        scene.draw_body(id, &model, palette(i as usize))?;
    }
    let height = 2.0 * HALF * options.number("height");
    scene.view = View::around(Vec3::Y * (0.5 * height), 0.55 * height + 0.4);
    Ok(scene.into())
}
