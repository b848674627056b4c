//! A large cloth that collides with itself: it falls over a turning ball, slides off, is wrung and piles up (paper 4).

use std::sync::Arc;

use glam::{Quat, Vec3};

use super::demo::{Category, Demo, DemoError, Stage};
use super::materials::{TOPOLOGY, topology};
use super::options::{DemoOption, Options};
use crate::scene::{Collider, Deformable, Material, Scene, Shape, SheetGrid, SheetMaterial, Shell, View};
use crate::spawn::palette;

pub(super) const DEMO: Demo = Demo {
    name: "flamenco",
    summary: "a cloth of 200 x 200 particles slides off a turning ball and folds up on the ground (paper 4)",
    category: Category::Cloth,
    options: &[
        DemoOption::integer("side", [2.0, 400.0], 200.0, "particles along a side"),
        DemoOption::number("turn", [0.0, 20.0], 1.5, "how fast the ball turns [rad/s]"),
        TOPOLOGY,
    ],
    build,
};

/// Side of the cloth [m].
const SIDE: f32 = 1.6;
/// Radius of the ball, and where its center is [m].
const BALL: f32 = 0.3;
const CENTER: Vec3 = Vec3::new(0.0, 0.55, 0.25);

fn build(options: &Options) -> Result<Stage, DemoError> {
    let mut scene = Scene::default();
    scene.add_collider(Collider::ground(0.0))?;
    let mut ball = Collider::new(Shape::Sphere(BALL), CENTER);
    ball.angular_velocity = Vec3::Y * options.number("turn");
    ball.surface.friction = 1.0;
    scene.add_collider(ball)?;
    let grid = SheetGrid { topology: topology(options), ..SheetGrid::square(options.count("side"), SIDE) };
    let (rest, triangles, uvs) = (grid.positions(), grid.triangles(), grid.uvs());
    let radius = 0.42 * grid.spacing();
    let mut sheet = Deformable::sheet("cloth", rest, &triangles, radius, &SheetMaterial::default())?.damped(10.0);
    sheet.meets_itself = true;
    let surface = Material { double_sided: true, roughness: 0.8, ..Material::default() };
    let shell = Arc::new(Shell::on_particles(&sheet.rest, &triangles, &uvs, surface));
    // Over the ball, off its middle, so that it slides down, piles up below it and is wrung.
    let position = CENTER + Vec3::new(0.1, BALL + 0.15, 0.15);
    let id = scene.add_deformable(&sheet, position, Quat::from_rotation_z(0.12), Vec3::ZERO)?;
    scene.draw_shell(id, &shell, palette(1))?;
    scene.view = View::around(Vec3::Y * 0.45, 1.1);
    Ok(scene.into())
}
