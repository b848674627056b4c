//! Sheets that fall on one another over a ball: none passes through another, nor through itself (paper 4).

use std::sync::Arc;

use glam::{Quat, Vec3};

use super::demo::{Category, Demo, DemoError, Stage};
use super::materials::{TOPOLOGY, topology};
use super::options::{DemoOption, Options};
use crate::scene::{Collider, Deformable, Material, Scene, Shape, SheetGrid, SheetMaterial, Shell, View};
use crate::spawn::palette;

pub(super) const DEMO: Demo = Demo {
    name: "layers",
    summary: "sheets fall on one another over a ball, without passing through",
    category: Category::Cloth,
    options: &[
        DemoOption::integer("count", [1.0, 16.0], 4.0, "number of sheets"),
        DemoOption::integer("side", [2.0, 200.0], 64.0, "particles along a side"),
        TOPOLOGY,
    ],
    build,
};

/// Side of a sheet [m].
const SIDE: f32 = 1.2;
/// Radius of the ball [m].
const BALL: f32 = 0.25;

fn build(options: &Options) -> Result<Stage, DemoError> {
    let mut scene = Scene::default();
    scene.add_collider(Collider::ground(0.0))?;
    scene.add_collider(Collider::new(Shape::Sphere(BALL), Vec3::Y * BALL))?;
    let side = options.count("side");
    let grid = SheetGrid { topology: topology(options), ..SheetGrid::square(side, SIDE) };
    let (rest, triangles, uvs) = (grid.positions(), grid.triangles(), grid.uvs());
    let radius = 0.42 * grid.spacing();
    let mut sheet = Deformable::sheet("sheet", rest, &triangles, radius, &SheetMaterial::default())?.damped(10.0);
    sheet.meets_itself = true;
    let surface = Material { double_sided: true, roughness: 0.9, ..Material::default() };
    let shell = Arc::new(Shell::on_particles(&sheet.rest, &triangles, &uvs, surface));
    for layer in 0..options.count("count") {
        let height = 2.0 * BALL + 0.1 + 0.08 * layer as f32;
        let id = scene.add_deformable(
            &sheet,
            Vec3::new(0.03 * layer as f32, height, 0.02),
            Quat::from_rotation_y(0.4 * layer as f32),
            Vec3::ZERO,
        )?;
        scene.draw_shell(id, &shell, palette(layer as usize))?;
    }
    scene.view = View::around(Vec3::Y * 0.25, 0.9);
    Ok(scene.into())
}
