//! Three cloths that differ in their threads alone, each with a load at its hem: soft along the warp, soft along the weft, and cut on
//! the bias, where the load shears the weave.

use std::f32::consts::FRAC_PI_2;
use std::sync::Arc;

use glam::{Quat, Vec2, Vec3, Vec4};

use super::demo::{Category, Demo, DemoError, Stage};
use super::materials::{TOPOLOGY, topology};
use super::options::{DemoOption, Options};
use crate::scene::{
    Collider, Deformable, Image, Layers, Material, Scene, Shape, SheetGrid, SheetMaterial, Shell, Thing, View, Weave,
};
use crate::spawn::{SETTLING, palette};

pub(super) const DEMO: Demo = Demo {
    name: "weave",
    summary: "three cloths with a load at the hem: soft along the warp, soft along the weft, and cut on the bias",
    category: Category::Cloth,
    options: &[
        DemoOption::integer("fine", [4.0, 100.0], 20.0, "particles along the rail of each cloth"),
        DemoOption::number("load", [0.0, 20.0], 0.6, "load at the hem of each [kg]"),
        DemoOption::number("soft", [0.0, 1.0], 0.04, "compliance of the soft threads [m/N]"),
        DemoOption::number("stiff", [0.0, 1.0], 2e-4, "compliance of the stiff threads [m/N]"),
        TOPOLOGY,
    ],
    build,
};

/// Width and length of a cloth, and the distance from the middle of one to that of the next [m].
const SIZE: Vec2 = Vec2::new(0.5, 0.8);
const APART: f32 = 0.8;
/// Height of the rails [m].
const TOP: f32 = 1.6;
/// Inverse bending stiffness of the cloths [1/J], and their mass per area [kg/m²].
const BEND: f32 = 1e4;
const AREA_DENSITY: f32 = 0.2;

fn build(options: &Options) -> Result<Stage, DemoError> {
    let mut scene = Scene::default();
    scene.params.substeps = 16;
    scene.add_collider(Collider::ground(0.0))?;
    let (soft, stiff) = (options.number("soft"), options.number("stiff"));
    let along = Weave { warp: soft, weft: stiff, shear: soft, direction: Vec3::Z };
    let cloths = [
        along,
        Weave { warp: stiff, weft: soft, ..along },
        Weave { warp: stiff, weft: stiff, direction: Vec3::new(1.0, 0.0, 1.0), ..along },
    ];
    for (i, weave) in cloths.into_iter().enumerate() {
        let x = APART * (i as f32 - 1.0);
        hang(&mut scene, x, weave, options)?;
        let rail = Shape::Capsule { radius: 0.012, half_length: 0.5 * SIZE.x };
        let mut rail = Collider::new(rail, Vec3::new(x, TOP, 0.0)).rotated(Quat::from_rotation_z(FRAC_PI_2));
        rail.color = palette(2);
        let rail = scene.add_collider(rail)?;
        scene.set_layers(Thing::Collider(rail), Layers { of: 0, meets: 0 })?; // the cloth comes out of it
    }
    scene.view = View::around(Vec3::new(0.0, 1.0, 0.0), 1.1);
    Ok(scene.into())
}

/// A cloth with a load, its rail at `x` [m].
fn hang(scene: &mut Scene, x: f32, weave: Weave, options: &Options) -> Result<(), DemoError> {
    let fine = options.count("fine");
    let long = 1 + ((fine - 1) as f32 * SIZE.y / SIZE.x).round() as u32;
    let grid = SheetGrid { points: [fine, long], size: SIZE, topology: topology(options) };
    let material = SheetMaterial { area_density: AREA_DENSITY, bend: BEND, weave: Some(weave), ..Default::default() };
    let mut cloth =
        Deformable::sheet("cloth", grid.positions(), &grid.triangles(), 0.45 * grid.spacing(), &material)?.damped(10.0);
    cloth.damping = SETTLING;
    let hem = cloth.masses.len() - fine as usize;
    cloth.masses[..fine as usize].fill(0.0);
    // What ends at a corner carries half as much.
    let share = options.number("load") / (fine - 1) as f32;
    cloth.masses[hem..].iter_mut().for_each(|mass| *mass += share);
    [hem, hem + fine as usize - 1].iter().for_each(|i| cloth.masses[*i] -= 0.5 * share);
    let surface = Material { double_sided: true, roughness: 0.85, base_color_texture: Some(0), ..Material::default() };
    // Threads of the picture go where those of the cloth do; the picture is a square meter.
    let turn = weave.direction.normalize();
    let warp = Vec2::new(turn.x, turn.z);
    let thread = |p: &Vec3| 0.5 + Vec2::new(Vec2::new(p.x, p.z).perp_dot(warp), Vec2::new(p.x, p.z).dot(warp));
    let uvs: Vec<Vec2> = cloth.rest.iter().map(thread).collect();
    let mut shell = Shell::on_particles(&cloth.rest, &grid.triangles(), &uvs, surface);
    shell.model.images.push(threads());
    let middle = Vec3::new(x, TOP - 0.5 * SIZE.y, 0.0);
    let id = scene.add_deformable(&cloth, middle, Quat::from_rotation_x(FRAC_PI_2), Vec3::ZERO)?;
    scene.draw_shell(id, &Arc::new(shell), Vec4::ONE)?;
    Ok(())
}

/// Warp and weft as lines of two colors, on a square of a meter.
fn threads() -> Image {
    const SIDE: u32 = 512;
    const THREADS: u32 = 20;
    let line = |i: u32| i * THREADS % SIDE < SIDE / 4;
    let pixel = |i: u32| match (line(i % SIDE), line(i / SIDE)) {
        (true, _) => [170, 52, 44, 255],
        (false, true) => [44, 84, 140, 255],
        _ => [236, 230, 216, 255],
    };
    Image { width: SIDE, height: SIDE, rgba: (0..SIDE * SIDE).flat_map(pixel).collect() }
}
