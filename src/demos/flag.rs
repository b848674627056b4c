//! A flag in the wind.

use std::f32::consts::FRAC_PI_2;
use std::sync::Arc;

use glam::{Quat, Vec2, Vec3, Vec4};

use super::demo::{Category, Demo, DemoError, Stage};
use super::materials::{BEND, SHEAR, TOPOLOGY, WARP, WEAVE, WEFT, sheet, topology};
use super::options::{DemoOption, Options};
use crate::scene::{Collider, Deformable, Image, Material, Scene, Shape, SheetGrid, Shell, View};
use crate::spawn::palette;

pub(super) const DEMO: Demo = Demo {
    name: "flag",
    summary: "a flag in gusts of wind, which the world's parameters of the air change",
    category: Category::Cloth,
    options: &[
        DemoOption::integer("fine", [8.0, 200.0], 48.0, "particles along its height"),
        DemoOption::number("area_density", [0.001, 100.0], 0.11, "mass of the cloth per area [kg/m²]"),
        DemoOption::number("stretch", [0.0, 1.0], 1e-6, "compliance of its edges [m/N]"),
        BEND,
        WEAVE,
        WARP,
        WEFT,
        SHEAR,
        TOPOLOGY,
    ],
    build,
};

/// Width and height [m].
const SIZE: Vec2 = Vec2::new(1.5, 1.0);
/// Height of its upper edge [m].
const TOP: f32 = 2.6;
/// Radius of the pole [m].
const POLE: f32 = 0.025;

fn build(options: &Options) -> Result<Stage, DemoError> {
    let mut scene = Scene::default();
    scene.params.wind = Vec3::new(7.0, 0.0, 1.5);
    scene.add_collider(Collider::ground(0.0))?;
    let fine = options.count("fine");
    let points = [1 + (1.5 * (fine - 1) as f32).round() as u32, fine];
    let grid = SheetGrid { points, size: SIZE, topology: topology(options) };
    let material = sheet(options, Vec3::X);
    let mut flag =
        Deformable::sheet("flag", grid.positions(), &grid.triangles(), 0.45 * grid.spacing(), &material)?.damped(3.0);
    flag.pin(|at| at.x < 1e-4 - 0.5 * SIZE.x);
    if material.weave.is_none() {
        flag.tether(0.0, 0.0)?;
    }
    let surface = Material { double_sided: true, roughness: 0.8, base_color_texture: Some(0), ..Material::default() };
    let mut shell = Shell::on_particles(&flag.rest, &grid.triangles(), &grid.uvs(), surface);
    shell.model.images.push(colors());
    let middle = Vec3::new(0.5 * SIZE.x + POLE + 2.0 * flag.radius(), TOP - 0.5 * SIZE.y, 0.0);
    let id = scene.add_deformable(&flag, middle, Quat::from_rotation_x(FRAC_PI_2), Vec3::ZERO)?;
    scene.draw_shell(id, &Arc::new(shell), Vec4::ONE)?;
    let half_length = 0.5 * TOP;
    let mut pole = Collider::new(Shape::Capsule { radius: POLE, half_length }, Vec3::Y * (half_length + 0.05));
    pole.color = palette(7);
    scene.add_collider(pole)?;
    scene.view = View::around(Vec3::new(0.55 * SIZE.x, TOP - 0.6 * SIZE.y, 0.0), 1.0);
    Ok(scene.into())
}

/// Three stripes and a disc.
fn colors() -> Image {
    const WIDTH: u32 = 384;
    const HEIGHT: u32 = 256;
    let to_byte = |linear: f32| (255.0 * linear.powf(1.0 / 2.2)).round() as u8;
    let pixel = |i: u32| {
        let at = Vec2::new((i % WIDTH) as f32 + 0.5, (i / WIDTH) as f32 + 0.5) / HEIGHT as f32;
        let disc = at.distance(Vec2::new(0.75, 0.5)) < 0.13;
        let stripe = if disc { 2 } else { [5, 7, 0][(3.0 * at.y) as usize] };
        let color = palette(stripe);
        [to_byte(color.x), to_byte(color.y), to_byte(color.z), 255]
    };
    Image { width: WIDTH, height: HEIGHT, rgba: (0..WIDTH * HEIGHT).flat_map(pixel).collect() }
}
