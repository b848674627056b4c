//! A box on a ramp: holds below the friction angle, slides above it.

use std::sync::Arc;

use glam::{Quat, Vec3, vec3};

use super::demo::{Category, Demo, DemoError, Stage};
use super::options::{DemoOption, Options};
use crate::scene::{BodyDesc, Collider, ConvexHull, Scene, Shape, Surface, View, primitive_model};
use crate::spawn::palette;

pub(super) const DEMO: Demo = Demo {
    name: "slope",
    summary: "a box on a ramp that holds or slides depending on friction",
    category: Category::Bodies,
    options: &[
        DemoOption::number("angle", [0.0, 80.0], 20.0, "tilt of the ramp [degrees]"),
        DemoOption::number("mu", [0.0, 5.0], 0.6, "static friction coefficient"),
    ],
    build,
};

/// Half a side of the box [m].
const HALF: f32 = 0.15;
/// The ramp goes so far up and down from where the box begins, and to either side [m].
const UP: f32 = 0.6;
const DOWN: f32 = 2.2;
const ASIDE: f32 = 0.5;
/// Height of its lower edge over the ground [m].
const EDGE: f32 = 0.04;

fn build(options: &Options) -> Result<Stage, DemoError> {
    let surface = Surface { friction: options.number("mu"), ..Surface::default() };
    let rotation = Quat::from_rotation_z(-options.number("angle").to_radians());
    let mut scene = Scene::default();
    // A sleeping box would hold anywhere: the test is of friction.
    scene.params.sleep_time = 0.0;
    let [top, foot] = [Vec3::NEG_X * UP, Vec3::X * DOWN].map(|at| rotation * at);
    let floor = foot.y - EDGE;
    scene.add_collider(Collider { surface, ..Collider::ground(floor) })?;
    let below = [top, foot, top.with_y(floor), foot.with_y(floor)];
    let corners = below.map(|at| [ASIDE, -ASIDE].map(|aside| at.with_z(aside)));
    let center = 0.5 * (top + foot).with_y(0.5 * (top.y + floor));
    let ramp = ConvexHull::new(corners.as_flattened())?.moved(-center);
    scene.add_collider(Collider { surface, ..Collider::new(Shape::Hull(ramp), center) })?;
    let desc = BodyDesc::cuboid(Vec3::splat(HALF), 0.05).at(rotation * (Vec3::Y * HALF)).rotated(rotation);
    let id = scene.add_body(BodyDesc { surface, ..desc })?;
    scene.draw_body(id, &Arc::new(primitive_model(&Shape::Cuboid(Vec3::splat(HALF)))), palette(2))?;
    // Nearly from the side, so that the tilt is seen as it is.
    let target = 0.5 * (top + foot);
    scene.view = View { eye: target + vec3(0.9, 0.7, 3.1), target };
    Ok(scene.into())
}
