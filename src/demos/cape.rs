//! The dancer in her clothes under a fountain: portions of water fall on her one after the other.

use glam::{Vec3, vec3};

use super::character::Doll;
use super::dam::block;
use super::stage::{Random, add_tank, view_of};
use super::{Demo, DemoError, DemoOption, Options, Stage};
use crate::scene::Liquid;

pub(super) const DEMO: Demo = Demo {
    name: "cape",
    summary: "the dancer in her cape under falling water; L: she goes limp",
    options: &[
        DemoOption::number("radius", [0.012, 0.05], 0.025, "radius of the particles of water [m]"),
        DemoOption::integer("portions", [1.0, 60.0], 12.0, "portions of water that fall one after the other"),
        DemoOption::text("clip", "NAME", "the clip that she plays"),
        DemoOption::integer("seed", [0.0, 1.0e6], 1.0, "start of the random numbers"),
    ],
    build,
};

/// Side of a portion [m], and how far they are off her axis at most.
const PORTION: f32 = 0.3;
const ASIDE: f32 = 0.18;
/// Height of the first portion over her head, and from one to the next [m].
const ABOVE: f32 = 0.3;
const APART: f32 = 0.55;
/// Half the width of the basin, and the height of its rim [m].
const BASIN: f32 = 1.3;
const RIM: f32 = 0.25;

fn build(options: &Options) -> Result<Stage, DemoError> {
    let radius = options.number("radius");
    let mut stage = Stage::default();
    stage.scene.params.substeps = 8;
    add_tank(&mut stage.scene, vec3(-BASIN, 0.0, -BASIN), vec3(BASIN, RIM, BASIN))?;
    let doll = Doll::dancer()?;
    let clip = match options.text("clip") {
        Some(name) => doll.clip(Some(name))?,
        None => doll.favorite()?,
    };
    doll.perform(&mut stage, clip)?;
    let water = stage.scene.add_liquid(Liquid::water(radius))?;
    let cells = (PORTION / (2.0 * radius)).round().max(1.0) as u32;
    let mut random = Random::new(options.count("seed"));
    for i in 0..options.count("portions") {
        let aside = random.offset(ASIDE) * vec3(1.0, 0.0, 1.0);
        let low = aside + Vec3::Y * (doll.height() + ABOVE + APART * i as f32) - 0.5 * PORTION * vec3(1.0, 0.0, 1.0);
        stage.scene.pour(water, &block(low, [cells; 3], radius), Vec3::ZERO)?;
    }
    stage.scene.view = view_of(Vec3::Y * (0.5 * doll.height()), 0.75 * doll.height());
    Ok(stage)
}
