//! Our own character in jelly.

use std::f32::consts::{FRAC_PI_2, TAU};

use glam::{Quat, Vec3, Vec4};

use super::demo::{Category, Demo, DemoError, Stage};
use super::materials::{BLEND, CONTACT, CREEP, FIBERS, MODE, PARTICLES, SAG, WIDTH, YIELD, flesh, regions};
use super::options::{DemoOption, Options};
use crate::scene::{Collider, Material, Scene, View};
use crate::spawn::{Random, dancer, palette};

pub(super) const DEMO: Demo = Demo {
    name: "jelly",
    summary: "jelly dancers fall on the ground and on each other",
    category: Category::Flesh,
    options: &[
        DemoOption::integer("count", [1.0, 30.0], 3.0, "dancers"),
        PARTICLES,
        SAG,
        YIELD,
        CREEP,
        // Between balls limbs would slip into limbs.
        CONTACT.by_default(1.0),
        FIBERS,
        DemoOption::choice("material", &["soft", "regions"], "elastic, or regions that keep their shape"),
        MODE,
        WIDTH,
        BLEND,
        DemoOption::integer("seed", [0.0, 1.0e6], 1.0, "seed of the random numbers"),
    ],
    build,
};

fn build(options: &Options) -> Result<Stage, DemoError> {
    let mut model = dancer()?.model;
    for material in &mut model.materials {
        *material = Material { roughness: 0.18, ..Material::default() };
    }
    let regions = (options.count("material") == 1).then(|| regions(options));
    let plan = flesh(&model, regions, options)?;
    let mut scene = Scene::default();
    scene.add_collider(Collider::ground(0.0))?;
    let (low, high) = plan.object.bounds();
    let middle = 0.5 * (low + high);
    // Lying in any direction, one above the other.
    let ball = 0.5 * (high - low).length();
    let mut random = Random::new(options.count("seed"));
    let mut height = 0.0;
    for i in 0..options.count("count") {
        let lean = Quat::from_rotation_x(FRAC_PI_2) * Quat::from_rotation_z(random.between(0.0, TAU));
        let turn = Quat::from_rotation_y(random.between(0.0, TAU)) * lean;
        let thick = plan.object.rest.iter().map(|p| (turn * (*p - middle)).y.abs()).fold(0.0, f32::max);
        height += thick + plan.object.radius() + 0.15;
        plan.add_to(&mut scene, Vec3::Y * height - turn * middle, turn, glowing(i as usize))?;
        height += thick + plan.object.radius() + 0.15;
    }
    scene.view = View::around(Vec3::Y * 0.45, 1.1 * ball);
    Ok(Stage { warnings: plan.warnings, ..scene.into() })
}

/// Colors of sweets: those of the palette, more vivid.
fn glowing(i: usize) -> Vec4 {
    let color = palette(2 * i + 1).truncate();
    (color * color.max_element().recip() * 0.85).extend(1.0)
}
