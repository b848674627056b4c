//! A crowd that walks by its own strength: against crates, jets of water and each other, and it is shot at.

use std::f32::consts::PI;
use std::sync::Arc;

use glam::{Quat, Vec3, Vec4, vec3};

use super::demo::{Category, Demo, DemoError, Stage};
use super::options::{DemoOption, Options};
use crate::numbers::cubed;
use crate::scene::{BodyDesc, BodyId, Collider, Emitter, Liquid, Placement, Scene, SceneError, View, primitive_model};
use crate::spawn::{Character, Random, add_spout, palette};

pub(super) const DEMO: Demo = Demo {
    name: "puppets",
    summary: "two rows of people walk at each other by their own strength, among crates and water jets, and are shot at; L: all go limp",
    category: Category::Characters,
    options: &[
        DemoOption::integer("count", [1.0, 60.0], 6.0, "people"),
        DemoOption::number("strength", [0.0, 1.0], 1.0, "of their muscles: 0 limp, 1 full strength"),
        DemoOption::integer("crates", [0.0, 200.0], 10.0, "crates in their way"),
        DemoOption::integer("shots", [0.0, 12.0], 4.0, "balls shot at them"),
        DemoOption::integer("jets", [0.0, 4.0], 2.0, "jets of water from the sides"),
        DemoOption::integer("seed", [0.0, 1.0e6], 1.0, "seed of the random numbers"),
    ],
    build,
};

/// Distance of the rows [m], and of those who walk side by side.
const ROWS: f32 = 4.0;
const LANE: f32 = 0.95;
/// By so much the rows walk past each other: shoulders meet.
const PAST: f32 = 0.35;
/// Half side of a crate [m], and its density over that of water.
const CRATE: f32 = 0.16;
const CRATE_DENSITY: f32 = 150.0;
/// A bowling ball: radius [m] and mass [kg]; its speed along the ground [m/s].
const BALL: f32 = 0.11;
const BALL_MASS: f32 = 6.0;
const SHOT: f32 = 9.0;
/// When the first ball arrives, and the time from one to the next [s].
const FIRST_SHOT: f32 = 1.2;
const SHOTS_APART: f32 = 0.8;
/// The clip goes so fast [m/s].
const WALK: f32 = 0.75;
/// Contacts feel a foot alone while all of the body presses on it: with 8 substeps of one iteration feet sink in by six of their radii.
const SUBSTEPS: u32 = 16;
const ITERATIONS: u32 = 3;
/// Radius of drops, nozzles [m], speed [m/s] and drops of a jet.
const DROP: f32 = 0.03;
const NOZZLE: f32 = 0.07;
const JET: f32 = 6.5;
const DROPS: u32 = 700;

fn build(options: &Options) -> Result<Stage, DemoError> {
    let character = Character::dancer()?.undressed();
    let clip = character.clip(Some("walk"))?;
    let mut stage = Stage::default();
    stage.scene.add_collider(Collider::ground(0.0))?;
    stage.scene.params.substeps = SUBSTEPS;
    stage.scene.params.iterations = ITERATIONS;
    let count = options.count("count");
    for i in 0..count {
        let place = start(i, count);
        let tint = palette(i as usize).lerp(Vec4::ONE, 0.5);
        let performer = character.add_to(&mut stage.scene, place.position, place.rotation, tint)?;
        let Some(mut performer) = performer else { continue };
        // Nobody walks in step.
        let time = 0.37 * i as f32;
        performer.enter(&mut stage.scene, place, clip, time)?;
        let sunk = character.rig().map_or(0.0, |rig| -rig.lowest(performer.placements()));
        let place = Placement { position: place.position + Vec3::Y * sunk, ..place };
        performer.enter(&mut stage.scene, place, clip, time)?;
        performer.drive(options.number("strength"))?;
        stage.cast.add(performer);
    }
    let mut random = Random::new(options.count("seed"));
    let scene = &mut stage.scene;
    let wide = 0.5 * LANE * count.div_ceil(2) as f32;
    add_crates(scene, options.count("crates"), wide, &mut random)?;
    add_shots(scene, options.count("shots"), count)?;
    add_jets(scene, options.count("jets"), wide)?;
    scene.view = View::around(Vec3::Y * 0.7, 1.6 + wide);
    Ok(stage)
}

/// Where one of so many begins: in one of two rows that look at each other.
fn start(i: u32, count: u32) -> Placement {
    let (lane, second) = ((i / 2) as f32, i % 2 == 1);
    let side = if second { -1.0 } else { 1.0 };
    let middle = 0.5 * (count.div_ceil(2) - 1) as f32;
    Placement {
        position: vec3((lane - middle) * LANE + 0.5 * side * PAST, 0.0, -0.5 * side * ROWS),
        rotation: Quat::from_rotation_y(if second { PI } else { 0.0 }),
    }
}

fn add(scene: &mut Scene, desc: BodyDesc, tint: Vec4) -> Result<BodyId, SceneError> {
    let model = Arc::new(primitive_model(&desc.shape));
    let body = scene.add_body(desc)?;
    scene.draw_body(body, &model, tint)?;
    Ok(body)
}

/// Crates between the rows, some on others.
fn add_crates(scene: &mut Scene, count: u32, wide: f32, random: &mut Random) -> Result<(), DemoError> {
    for i in 0..count {
        let (column, level) = (i / 2, i % 2);
        let columns = count.div_ceil(2).max(1) as f32;
        let x = ((column as f32 + 0.5) / columns - 0.5) * 2.0 * wide;
        let z = if column % 2 == 0 { 0.55 } else { -0.55 };
        let place = vec3(x, (2 * level + 1) as f32 * (CRATE + 0.002), z);
        let mut desc = BodyDesc::cuboid(Vec3::splat(CRATE), 0.04).at(place).named(format!("crate {i}"));
        desc.mass = CRATE_DENSITY * cubed(2.0 * CRATE);
        let shade = random.between(0.8, 1.0);
        add(scene, desc, Vec4::new(0.72 * shade, 0.5 * shade, 0.28 * shade, 1.0))?;
    }
    Ok(())
}

/// Balls on their way to where somebody's chest will be.
fn add_shots(scene: &mut Scene, shots: u32, count: u32) -> Result<(), DemoError> {
    for shot in 0..shots {
        let time = FIRST_SHOT + SHOTS_APART * shot as f32;
        let who = start(shot * 2 + shot % 2, count.max(1));
        let who = if shot * 2 + shot % 2 < count { who } else { start(shot % count.max(1), count.max(1)) };
        let target = who.position + who.rotation * Vec3::Z * (WALK * time) + Vec3::Y * 1.15;
        let from = if shot % 2 == 0 { Vec3::NEG_X } else { Vec3::X };
        let begin = (target + from * SHOT * time).with_y(1.0);
        let rise = 0.5 * 9.81 * time + (target.y - begin.y) / time;
        let mut desc = BodyDesc::sphere(BALL, 0.04).with_mass(BALL_MASS).at(begin).named(format!("ball {shot}"));
        desc.velocity = -from * SHOT + Vec3::Y * rise;
        add(scene, desc, Vec4::new(0.12, 0.12, 0.15, 1.0))?;
    }
    Ok(())
}

/// Jets from both sides, breast-high.
fn add_jets(scene: &mut Scene, jets: u32, wide: f32) -> Result<(), DemoError> {
    if jets == 0 {
        return Ok(());
    }
    let water = scene.add_liquid(Liquid::water(DROP))?;
    for jet in 0..jets {
        let side = if jet % 2 == 0 { 1.0 } else { -1.0 };
        let position = vec3(side * (wide + 1.6), 1.0, side * (0.3 + 0.8 * (jet / 2) as f32));
        let direction = vec3(-side, 0.15, 0.0);
        scene.add_emitter(Emitter {
            position,
            direction,
            radius: NOZZLE,
            speed: JET,
            budget: DROPS,
            ..Emitter::new(format!("jet {jet}"), water)
        })?;
        add_spout(scene, position, direction, NOZZLE)?;
    }
    Ok(())
}
