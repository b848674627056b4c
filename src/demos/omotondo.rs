//! The Omotondo of paper 3: a round man, flattened, comes back to his shape.

use glam::Vec3;

use super::forms::round_man;
use super::soft::{add, springs};
use super::stage::{palette, view_of};
use super::{Demo, DemoError, DemoOption, Options, Stage};
use crate::scene::{Collider, Scene};

pub(super) const DEMO: Demo = Demo {
    name: "omotondo",
    summary: "a flattened round man comes back to his shape: 12 900 particles, 81 400 edges, 64 700 tetrahedra",
    options: &[DemoOption::number("flatness", [0.001, 1.0], 0.02, "height at the start over the height at rest")],
    build,
};

fn build(options: &Options) -> Result<Stage, DemoError> {
    let mut scene = Scene::default();
    (scene.params.substeps, scene.params.iterations) = (16, 1);
    scene.add_collider(Collider::ground(0.0))?;
    let body = springs("omotondo", &round_man(1.0), 1e-5)?;
    let radius = body.0.radius;
    add(&mut scene, &body, Vec3::Y * radius, palette(0))?;
    let lowest = scene.particles.iter().map(|p| p.position.y).fold(f32::MAX, f32::min);
    for particle in &mut scene.particles {
        particle.position.y = radius + options.number("flatness") * (particle.position.y - lowest);
    }
    scene.view = view_of(Vec3::Y * 0.9, 1.6);
    Ok(scene.into())
}
