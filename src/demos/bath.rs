//! A limp dancer falls into a bath: water splashes, and she floats or sinks as her mass says.

use glam::{Quat, Vec3, Vec4};

use super::demo::{Category, Demo, DemoError, Stage};
use super::options::{DemoOption, Options};
use crate::scene::{Liquid, Scene, View};
use crate::spawn::{Character, add_tank, block};

pub(super) const DEMO: Demo = Demo {
    name: "bath",
    summary: "a limp dancer falls into a bath and splashes",
    category: Category::Together,
    options: &[
        DemoOption::number("radius", [0.02, 0.06], 0.03, "radius of the water particles [m]"),
        DemoOption::number("depth", [0.1, 1.5], 0.45, "depth of the water [m]"),
        DemoOption::number("drop", [0.0, 10.0], 0.3, "height of the dancer above the water [m]"),
        DemoOption::number("density", [0.2, 5.0], 1.0, "mass of the dancer over her normal mass"),
    ],
    build,
};

/// Length and width of the bath [m].
const LENGTH: f32 = 2.4;
const WIDTH: f32 = 1.2;
/// Height of the rim above the water [m].
const RIM: f32 = 0.35;
/// How she lies in the air: her lean onto the back, her turn about the vertical, and her roll [rad].
const LYING: [f32; 3] = [-1.35, 1.77, 0.0];

fn build(options: &Options) -> Result<Stage, DemoError> {
    let (radius, depth) = (options.number("radius"), options.number("depth"));
    let mut scene = Scene::default();
    scene.params.substeps = 6;
    let cells = |length: f32| (length / (2.0 * radius)).round().max(1.0) as u32;
    let counts = [cells(LENGTH), cells(depth), cells(WIDTH)];
    let size = Vec3::from(counts.map(|n| 2.0 * radius * n as f32));
    let low = Vec3::new(-0.5 * size.x, 0.0, -0.5 * size.z);
    add_tank(&mut scene, low, low + size + Vec3::Y * RIM)?;
    let water = scene.add_liquid(Liquid::water(radius))?;
    scene.pour(water, &block(low, counts, radius), Vec3::ZERO)?;
    drop_dancer(&mut scene, size.y + options.number("drop"), options.number("density"))?;
    scene.view = View::around(Vec3::Y * (0.6 * size.y), 1.35);
    Ok(scene.into())
}

/// Adds a dancer along X whose lowest point is at `height` [m], with so many times her mass.
fn drop_dancer(scene: &mut Scene, height: f32, heavier: f32) -> Result<(), DemoError> {
    let character = Character::dancer()?.undressed();
    let [lean, turn, roll] = LYING;
    let lying = Quat::from_rotation_y(turn) * Quat::from_rotation_x(lean) * Quat::from_rotation_z(roll);
    let toss = |scene: &mut Scene, center| character.toss(scene, (center, lying, Vec3::ZERO), 0.0, Vec4::ONE);
    let mut trial = Scene::default();
    toss(&mut trial, Vec3::ZERO)?;
    let lowest = trial.particles.iter().map(|p| p.position.y - p.radius).fold(f32::MAX, f32::min);
    let (body, particle) = (scene.bodies.len(), scene.particles.len());
    toss(scene, Vec3::Y * (height - lowest))?;
    for body in &mut scene.bodies[body..] {
        body.mass *= heavier;
        body.inertia *= heavier;
    }
    scene.particles[particle..].iter_mut().for_each(|p| p.mass *= heavier);
    Ok(())
}
