//! A dancer in skirt and cape under jets of water, which runs off her into a shallow basin.

use std::f32::consts::TAU;

use glam::{Quat, Vec3, Vec3Swizzles, Vec4, vec3};

use super::demo::{Category, Demo, DemoError, Stage};
use super::options::{DemoOption, Options};
use crate::scene::{BodyId, Collider, Drain, Emitter, Liquid, LiquidId, Scene, Shape, View};
use crate::spawn::{Character, add_spout, block};

pub(super) const DEMO: Demo = Demo {
    name: "cape",
    summary: "jets of water fall on a dancer's cape and skirt and run off; L: she goes limp",
    category: Category::Cloth,
    options: &[
        DemoOption::number("radius", [0.008, 0.03], 0.016, "radius of the water particles [m]"),
        DemoOption::integer("count", [100.0, 200_000.0], 1800.0, "water particles in reserve"),
        DemoOption::integer("jets", [1.0, 8.0], 3.0, "jets around her"),
        DemoOption::number("speed", [0.5, 8.0], 3.0, "speed of the jets [m/s]"),
        DemoOption::number("area_density", [0.2, 5.0], 4.0, "mass per area of her clothes [kg/m²]"),
        DemoOption::text("clip", "NAME", "the clip that she plays"),
    ],
    build,
};

/// Mass per area that clothes have by themselves [kg/m²].
const COTTON: f32 = 0.2;
/// Radius of a nozzle [m].
const NOZZLE: f32 = 0.036;
/// Where the jets leave, over her height: distance from her, and height.
const AWAY: [f32; 2] = [0.3, 1.08];
/// Where they go, over her height: her shoulders.
const SHOULDERS: f32 = 0.84;
/// Half the width of the basin and the height of its rim [m].
const BASIN: f32 = 0.8;
const RIM: f32 = 0.09;
/// Half sides of a drain along the rim, and its middle above the floor [m]: what stands higher than its foot leaves.
const DRAIN: Vec3 = Vec3::new(0.06, 0.2, BASIN);
const OVERFLOW: f32 = 0.25;

fn build(options: &Options) -> Result<Stage, DemoError> {
    let character = Character::dancer()?;
    let clip = character.clip(options.text("clip"))?;
    let mut stage = Stage::default();
    stage.scene.add_collider(Collider::ground(0.0))?;
    character.perform(&mut stage.scene, &mut stage.cast, clip)?;
    let scene = &mut stage.scene;
    make_heavier(scene, options.number("area_density") / COTTON);
    let water = scene.add_liquid(Liquid::water(options.number("radius")))?;
    add_jets(scene, water, character.height(), options)?;
    fill_basin(scene, water, options.number("radius"))?;
    scene.view = View::around(Vec3::Y * (0.5 * character.height()), 0.8 * character.height());
    Ok(stage)
}

/// Gives all cloth so many times its mass.
fn make_heavier(scene: &mut Scene, times: f32) {
    for cloth in &scene.deformables {
        let first = cloth.first_particle.0 as usize;
        scene.particles[first..first + cloth.particle_count as usize].iter_mut().for_each(|p| p.mass *= times);
    }
}

/// A basin around her with a layer of water, and drains along its rim that take what is too much.
fn fill_basin(scene: &mut Scene, water: LiquidId, radius: f32) -> Result<(), DemoError> {
    const WALL: f32 = 0.05;
    let side = (BASIN / radius) as u32;
    let low = vec3(-radius * side as f32, 0.0, -radius * side as f32);
    let clear = |at: &Vec3| (0..scene.bodies.len()).all(|b| scene.distance_to(BodyId(b as u32), *at) > radius);
    let places: Vec<Vec3> = block(low, [side, 1, side], radius).into_iter().filter(clear).collect();
    scene.pour(water, &places, Vec3::ZERO)?;
    for (out, along_z) in [(Vec3::X, true), (Vec3::NEG_X, true), (Vec3::Z, false), (Vec3::NEG_Z, false)] {
        let turned = |half: Vec3| if along_z { half } else { half.zyx() };
        let wall = Shape::Cuboid(turned(vec3(WALL, 0.5 * RIM, BASIN + 2.0 * WALL)));
        let color = Vec4::new(0.3, 0.28, 0.26, 1.0);
        let at = (BASIN + WALL) * out + 0.5 * RIM * Vec3::Y;
        scene.add_collider(Collider { color, ..Collider::new(wall, at) })?;
        let position = (BASIN - DRAIN.x) * out + OVERFLOW * Vec3::Y;
        scene.add_drain(Drain { shape: Shape::Cuboid(turned(DRAIN)), position })?;
    }
    Ok(())
}

/// Jets in a ring above her, the first behind her, onto her shoulders.
fn add_jets(scene: &mut Scene, water: LiquidId, height: f32, options: &Options) -> Result<(), DemoError> {
    let count = options.count("jets");
    let [away, up] = AWAY.map(|part| part * height);
    for jet in 0..count {
        let out = Quat::from_rotation_y(TAU * jet as f32 / count as f32) * Vec3::NEG_Z;
        let position = away * out + up * Vec3::Y;
        let direction = SHOULDERS * height * Vec3::Y - position;
        scene.add_emitter(Emitter {
            position,
            direction,
            radius: NOZZLE.max(options.number("radius")),
            speed: options.number("speed"),
            budget: options.count("count").div_ceil(count),
            ..Emitter::new(format!("jet {jet}"), water)
        })?;
        add_spout(scene, position, direction, NOZZLE)?;
    }
    Ok(())
}
