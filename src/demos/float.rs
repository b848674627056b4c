//! Boxes of different density in a pool of water: each floats as deep as its density says, or sinks.

use std::sync::Arc;

use glam::Vec3;

use super::demo::{Category, Demo, DemoError, Stage};
use super::options::{DemoOption, Options};
use crate::scene::{BodyDesc, Liquid, Scene, Shape, View, primitive_model};
use crate::spawn::{add_tank, block, palette};

pub(super) const DEMO: Demo = Demo {
    name: "float",
    summary: "boxes of seven densities in a pool",
    category: Category::Flowing,
    options: &[
        DemoOption::number("radius", [0.015, 0.1], 0.03, "radius of the water particles [m]"),
        DemoOption::integer("boxes", [1.0, 7.0], 7.0, "boxes, the lightest first"),
    ],
    build,
};

/// Densities over that of water.
const DENSITIES: [f32; 7] = [0.25, 0.5, 0.75, 0.1, 0.9, 1.05, 1.5];
/// Half sides of a box [m]: flat, because cubes would float on an edge.
const HALF: Vec3 = Vec3::new(0.16, 0.09, 0.16);
/// Length of the pool that a box has [m].
const ROOM: f32 = 0.54;
const DEPTH: f32 = 0.5;
const WIDTH: f32 = 0.6;

fn build(options: &Options) -> Result<Stage, DemoError> {
    let (radius, boxes) = (options.number("radius"), options.count("boxes"));
    let mut scene = Scene::default();
    scene.params.substeps = 4;
    let cells = |length: f32| (length / (2.0 * radius)).round().max(1.0) as u32;
    let counts = [cells(ROOM * boxes as f32), cells(DEPTH), cells(WIDTH)];
    let size = Vec3::from(counts.map(|n| 2.0 * radius * n as f32));
    let low = Vec3::new(-0.5 * size.x, 0.0, -0.5 * size.z);
    add_tank(&mut scene, low, low + size + Vec3::Y * 5.0 * HALF.y)?;
    let water = scene.add_liquid(Liquid::water(radius))?;
    scene.pour(water, &block(low, counts, radius), Vec3::ZERO)?;
    let model = Arc::new(primitive_model(&Shape::Cuboid(HALF)));
    for (i, density) in DENSITIES.iter().take(boxes as usize).enumerate() {
        let x = low.x + size.x * (i as f32 + 0.5) / boxes as f32;
        let above = Vec3::new(x, size.y + HALF.y + 2.0 * radius, 0.0);
        let desc = BodyDesc::cuboid(HALF, 0.045).at(above);
        let id = scene.add_body(BodyDesc { mass: density * desc.mass, inertia: desc.inertia * *density, ..desc })?;
        scene.draw_body(id, &model, palette(i))?;
    }
    scene.view = View::around(Vec3::Y * 0.4, 0.6 + 0.5 * size.x);
    Ok(scene.into())
}
