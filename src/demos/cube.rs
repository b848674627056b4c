//! The cube of paper 1, figures 4 and 5: it lands, and the error that the solver leaves in a frame shows as softness.

use glam::{Quat, UVec3, Vec3};

use super::demo::{Category, Demo, DemoError, Stage};
use super::options::{DemoOption, Options};
use crate::constraints::Partition;
use crate::scene::{Collider, Scene, SoftModel, View};
use crate::spawn::forms::brick;
use crate::spawn::palette;
use crate::spawn::soft::springs;

pub(super) const DEMO: Demo = Demo {
    name: "cube",
    summary: "a stiff cube of flesh lands on the ground: 2 197 particles, 13 428 edges, 10 368 tetrahedra, as soft as too few iterations make it",
    category: Category::Flesh,
    options: &[
        DemoOption::integer("cells", [1.0, 40.0], 12.0, "cells along an edge"),
        DemoOption::number("speed", [0.0, 20.0], 5.0, "speed at which it hits the ground [m/s]"),
    ],
    build,
};

/// Length of an edge [m].
const EDGE: f32 = 1.0;

fn build(options: &Options) -> Result<Stage, DemoError> {
    let mut scene = Scene::default();
    // As published: all softness is what so many iterations of a frame leave.
    (scene.params.substeps, scene.params.iterations, scene.params.partition) = (1, 8, Partition::Colors);
    scene.add_collider(Collider::ground(0.0))?;
    let mesh = brick(UVec3::splat(options.count("cells")), Vec3::splat(EDGE));
    let (object, shell) = springs("cube", &mesh, SoftModel::Springs { stretch: 0.0, bulk: f32::INFINITY })?;
    let touching = Vec3::new(-0.5 * EDGE, 0.5 * EDGE + object.radius(), 0.0);
    let id = scene.add_deformable(&object, touching, Quat::IDENTITY, Vec3::NEG_Y * options.number("speed"))?;
    scene.draw_shell(id, &shell, palette(2))?;
    scene.view = View::around(Vec3::Y * 0.5 * EDGE, 1.2 * EDGE);
    Ok(scene.into())
}

#[cfg(test)]
mod tests {
    use super::super::counts::count;
    use super::*;

    #[test]
    fn counts_are_near_those_of_the_paper() {
        let scene = build(&Options::new(DEMO.options)).unwrap().scene;
        assert_eq!(scene.particles.len(), 2_197);
        let counts = [count(&scene, |row| row.stretch().is_some()), count(&scene, |row| row.rest_volume().is_some())];
        assert_eq!(counts.map(|c| c.0), [13_428, 10_368]);
        assert!((scene.constraints.len() as f32 / 25_000.0 - 1.0).abs() < 0.05);
    }
}
