//! The Omotondo of paper 3: a flattened round man recovers his shape.

use glam::Vec3;

use super::demo::{Category, Demo, DemoError, Stage};
use super::materials::{CALMED, YOUNG};
use super::options::{DemoOption, Options};
use crate::scene::{Collider, Scene, View};
use crate::spawn::forms::round_man;
use crate::spawn::palette;
use crate::spawn::soft::{add, flatten, rubber, springs};

pub(super) const DEMO: Demo = Demo {
    name: "omotondo",
    summary: "a flattened round man recovers his shape: 12 900 particles, 81 400 edges, 64 700 tetrahedra",
    category: Category::Flesh,
    options: &[DemoOption::number("flatness", [0.001, 1.0], 0.02, "initial height over the height at rest"), YOUNG],
    build,
};

fn build(options: &Options) -> Result<Stage, DemoError> {
    let mut scene = Scene::default();
    (scene.params.substeps, scene.params.iterations) = (16, 1);
    scene.add_collider(Collider::ground(0.0))?;
    let mesh = round_man(1.0);
    let (mut body, shell) = springs("omotondo", &mesh, rubber(&mesh, options.number("young")))?;
    body.damping = CALMED;
    add(&mut scene, &(body, shell), Vec3::ZERO, palette(0))?;
    flatten(&mut scene, options.number("flatness"), 0.3);
    scene.view = View::around(Vec3::Y * 0.6, 1.2);
    Ok(scene.into())
}
