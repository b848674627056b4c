//! A sheet that is wrung around a turning ball (paper 4, "twist").

use std::sync::Arc;

use glam::{Quat, Vec3};

use super::demo::{Category, Demo, DemoError, Stage};
use super::materials::{TOPOLOGY, topology};
use super::options::{DemoOption, Options};
use crate::scene::{Collider, Deformable, Material, Scene, Shape, SheetGrid, SheetMaterial, Shell, View};
use crate::spawn::palette;

pub(super) const DEMO: Demo = Demo {
    name: "twist",
    summary: "a sheet is wrung around a turning ball without passing through itself",
    category: Category::Cloth,
    options: &[
        DemoOption::integer("side", [2.0, 300.0], 80.0, "particles along a side"),
        DemoOption::number("turn", [0.0, 20.0], 4.0, "how fast the ball turns [rad/s]"),
        TOPOLOGY,
    ],
    build,
};

/// Side of the sheet [m].
const SIDE: f32 = 1.4;
/// Radius of the ball, and the height of its center [m].
const BALL: f32 = 0.3;
const HEIGHT: f32 = 0.9;

fn build(options: &Options) -> Result<Stage, DemoError> {
    let mut scene = Scene::default();
    scene.add_collider(Collider::ground(0.0))?;
    let mut ball = Collider::new(Shape::Sphere(BALL), Vec3::Y * HEIGHT);
    ball.angular_velocity = Vec3::Y * options.number("turn");
    ball.surface.friction = 2.0;
    scene.add_collider(ball)?;
    let side = options.count("side");
    let grid = SheetGrid { topology: topology(options), ..SheetGrid::square(side, SIDE) };
    let (rest, triangles, uvs) = (grid.positions(), grid.triangles(), grid.uvs());
    let radius = 0.42 * grid.spacing();
    let mut sheet = Deformable::sheet("sheet", rest, &triangles, radius, &SheetMaterial::default())?.damped(10.0);
    sheet.meets_itself = true;
    let surface = Material { double_sided: true, roughness: 0.9, ..Material::default() };
    let shell = Arc::new(Shell::on_particles(&sheet.rest, &triangles, &uvs, surface));
    let position = Vec3::Y * (HEIGHT + BALL + 2.0 * radius);
    let id = scene.add_deformable(&sheet, position, Quat::IDENTITY, Vec3::ZERO)?;
    scene.draw_shell(id, &shell, palette(1))?;
    scene.view = View::around(Vec3::Y * 0.7, 1.1);
    Ok(scene.into())
}
