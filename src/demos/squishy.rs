//! The squishy ball of paper 3: a rubber ball with hairs falls.

use glam::Vec3;

use super::demo::{Category, Demo, DemoError, Stage};
use super::options::{DemoOption, Options};
use crate::scene::{Collider, Scene, SoftModel, View};
use crate::spawn::forms::squishy_ball;
use crate::spawn::palette;
use crate::spawn::soft::{add, springs};

pub(super) const DEMO: Demo = Demo {
    name: "squishy",
    summary: "a ball with rubber hairs falls: 108 000 particles, 449 500 edges, 245 800 tetrahedra",
    category: Category::Flesh,
    options: &[DemoOption::number("drop", [0.0, 10.0], 0.3, "height of the lowest hair above the ground [m]")],
    build,
};

fn build(options: &Options) -> Result<Stage, DemoError> {
    let mut scene = Scene::default();
    (scene.params.substeps, scene.params.iterations) = (8, 1);
    scene.add_collider(Collider::ground(0.0))?;
    let body = springs("squishy ball", &squishy_ball(1.0), SoftModel::Springs { stretch: 1e-6, bulk: f32::INFINITY })?;
    let height = 1.0 + body.0.radius() + options.number("drop");
    add(&mut scene, &body, Vec3::Y * height, palette(2))?;
    scene.view = View::around(Vec3::Y * 1.05, 1.75);
    Ok(scene.into())
}
