//! A column of water twice as high as wide, released in a long tank (Martin and Moyce 1952).

use glam::Vec3;

use super::demo::{Category, Demo, DemoError, Stage};
use super::options::{DemoOption, Options};
use crate::scene::{Liquid, Scene, View};
use crate::spawn::{add_tank, block};

pub(super) const DEMO: Demo = Demo {
    name: "dam",
    summary: "a column of water collapses in a long tank",
    category: Category::Flowing,
    options: &[
        DemoOption::integer("count", [100.0, 1.0e6], 8192.0, "approximate number of water particles"),
        DemoOption::number("confinement", [0.0, 10.0], 0.0, "vorticity confinement of the water [1/s]"),
    ],
    build,
};

/// Width of the column, half its height [m].
const WIDTH: f32 = 2.0;
/// Length of the tank, in widths of the column.
const LENGTH: f32 = 4.0;

/// Substeps for a column so many spacings wide. In a substep h of liquid H deep with a spacing d its weight presses it by 0.6 g h² H / d²:
/// the finer it is, the shorter they are to be.
fn substeps(along: u32) -> u32 {
    /// Of [`FEWEST`] substeps [spacings].
    const WIDEST: u32 = 40;
    const FEWEST: u32 = 4;
    (FEWEST * along).div_ceil(WIDEST).max(FEWEST)
}

fn build(options: &Options) -> Result<Stage, DemoError> {
    let mut scene = Scene::default();
    let along = (options.count("count") as f32 / 2.0).cbrt().round() as u32;
    scene.params.substeps = substeps(along);
    let radius = 0.5 * WIDTH / along as f32;
    let low = Vec3::new(-0.5 * LENGTH * WIDTH, 0.0, -0.5 * WIDTH);
    add_tank(&mut scene, low, low + WIDTH * Vec3::new(LENGTH, 3.2, 1.0))?;
    let water = Liquid { confinement: options.number("confinement"), ..Liquid::water(radius) };
    let water = scene.add_liquid(water)?;
    scene.pour(water, &block(low, [along, 2 * along, along], radius), Vec3::ZERO)?;
    scene.view = View::around(Vec3::Y * 1.6, 5.2);
    Ok(scene.into())
}
