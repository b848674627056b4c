//! Ragdolls that tumble into a shallow arena and pile up a little.

use glam::{Quat, Vec3, Vec4};

use super::demo::{Category, Demo, DemoError, Stage};
use super::materials::{RAGDOLL, SCALE, of_models, performer};
use super::options::{DemoOption, Options};
use crate::scene::{Scene, View};
use crate::spawn::{Character, Random, add_pit, palette};

pub(super) const DEMO: Demo = Demo {
    name: "ragdolls",
    summary: "ragdolls tumble into an arena, each in the middle of a different move",
    category: Category::Characters,
    options: &[
        DemoOption::integer("count", [1.0, 2000.0], 20.0, "ragdolls"),
        DemoOption::text(
            "model",
            "PATH",
            "a .glb, .gltf or .vrm character in place of the dancer; figure: the built-in one",
        ),
        SCALE,
        RAGDOLL,
        DemoOption::integer("seed", [0.0, 1.0e6], 1.0, "seed of the random numbers"),
    ],
    build,
};

fn build(options: &Options) -> Result<Stage, DemoError> {
    let count = options.count("count");
    let character = match options.text("model") {
        Some("figure") => {
            of_models(options, &["scale", "ragdoll"])?;
            Character::figure()?
        }
        _ => performer(options)?.undressed(),
    };
    // Wider than high, so that the fall is short and the heap shallow.
    let layers = (0.5 * count as f32).cbrt().ceil() as u32;
    let side = (count.div_ceil(layers) as f32).sqrt().ceil() as u32;
    let pitch = 2.0 * character.radius();
    // Balls packed as oranges: every other layer sits over the gaps, so the arena is half a pitch wider.
    let half = 0.5 * pitch * (side as f32 + 0.5);

    let mut scene = Scene::default();
    add_pit(&mut scene, half, 0.4 * character.radius())?;
    let mut random = Random::new(options.count("seed"));
    for i in 0..count {
        let (x, z, layer) = (i % side, i / side % side, i / (side * side));
        let shift = if layer % 2 == 0 { -0.25 } else { 0.25 } - 0.5 * (side - 1) as f32;
        let cell = Vec3::new(x as f32 + shift, layer as f32 * std::f32::consts::FRAC_1_SQRT_2 + 0.6, z as f32 + shift);
        let rotation = if i == 0 && count == 1 { Quat::IDENTITY } else { random.rotation() };
        let (spin, color) = (random.offset(2.0), palette(random.between(0.0, 1000.0) as usize));
        // A model brings its own colors: lighten or turn them, but do not drown them.
        let tint = if character.rig().is_some() { (0.55 * Vec4::ONE + color).with_w(1.0) } else { color };
        character.toss(&mut scene, (cell * pitch, rotation, spin), random.between(0.0, 1.0), tint)?;
    }
    let top = pitch * 0.5 * layers as f32;
    scene.view = View::around(Vec3::Y * (0.3 * top), half * 1.1 + 0.3 * top);
    Ok(scene.into())
}
