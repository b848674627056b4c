//! Each kind of joint alone: chains of boxes that swing from one end with nothing to touch, and a row of boxes that gears turn.

use std::sync::Arc;

use glam::Vec3;

use super::demo::{Category, Demo, DemoError, Stage};
use super::options::{DemoOption, Options};
use crate::scene::{
    BodyDesc, BodyId, Gear, JointDesc, JointKind, Limits, Model, Motor, Scene, SceneError, Shape, Travel, View,
    primitive_model,
};
use crate::spawn::palette;

pub(super) const DEMO: Demo = Demo {
    name: "joints",
    summary: "chains of boxes swinging from one end, one chain for each kind of joint, and a row on gears",
    category: Category::Bodies,
    options: &[
        DemoOption::choice("kind", &KINDS, "which kind"),
        DemoOption::integer("bodies", [1.0, 100.0], 8.0, "bodies in a chain"),
        DemoOption::choice("links", &["boxes", "plates", "rods"], "thick, or a single layer or row of particles"),
        DemoOption::number("heavy", [0.1, 100.0], 1.0, "mass of the last body over that of the others"),
    ],
    build,
};

/// What can be chosen: all kinds, each of [`JointKind::ALL`], and gears.
const KINDS: [&str; 10] =
    ["all", "ball", "hinge", "stiff", "universal", "distance", "slider", "cylindrical", "generic", "gear"];

/// Half extents of a link [m]: 6 x 3 x 3 particles.
const HALF: Vec3 = Vec3::new(0.3, 0.15, 0.15);
/// Particle radius [m].
const RADIUS: f32 = 0.05;
/// Links are one particle apart, and the joint is that particle [m].
const PITCH: f32 = 2.0 * (HALF.x + RADIUS);
/// Distance between chains [m].
const LANE: f32 = 1.0;

fn build(options: &Options) -> Result<Stage, DemoError> {
    let (kind, bodies) = (options.count("kind"), options.count("bodies"));
    let kinds = if kind == 0 { 1..=KINDS.len() as u32 - 1 } else { kind..=kind };
    let length = bodies as f32 * PITCH;
    let mut scene = Scene::default();
    scene.params.sleep_time = 0.0;
    let half = match options.count("links") {
        0 => HALF,
        1 => HALF.with_y(RADIUS),
        _ => Vec3::new(HALF.x, RADIUS, RADIUS),
    };
    let model = Arc::new(primitive_model(&Shape::Cuboid(half)));
    let anchor = Arc::new(primitive_model(&Shape::Cuboid(Vec3::splat(HALF.y))));
    let lanes = kinds.clone().count() as f32;
    for (lane, kind) in kinds.enumerate() {
        let top = Vec3::new(0.0, length + 1.0, (lane as f32 - 0.5 * (lanes - 1.0)) * LANE);
        let desc = BodyDesc { kinematic: true, ..BodyDesc::cuboid(Vec3::splat(HALF.y), RADIUS).at(top) };
        let mut last = scene.add_body(desc.named("anchor"))?;
        scene.draw_body(last, &anchor, palette(7))?;
        if kind as usize > JointKind::ALL.len() {
            add_gears(&mut scene, last, bodies, options.number("heavy"), (half, &model))?;
            continue;
        }
        for i in 0..bodies {
            let heavy = if i + 1 == bodies { options.number("heavy") } else { 1.0 };
            // What does not bend would stand out from the wall as a beam: its first joint is a hinge, so it swings.
            // Every second of those that turn about the chain is a slider: a row of them alone would not bear a heavy end.
            let kind = match (kind, i) {
                (3 | 6 | 7, 0) => 2,
                (7, _) if i % 2 == 0 => 6,
                _ => kind,
            };
            last = add_link(
                &mut scene,
                last,
                top + Vec3::X * (HALF.y + RADIUS + i as f32 * PITCH),
                kind,
                heavy,
                (half, &model),
            )?;
        }
    }
    scene.view = View::around(Vec3::new(0.0, 0.5 * length + 1.0, 0.0), 0.95 * length + 0.6);
    Ok(scene.into())
}

/// Links one below the other on hinges through their middles, each of which turns the next the other way; the first has a motor.
fn add_gears(
    scene: &mut Scene,
    anchor: BodyId,
    count: u32,
    heavy: f32,
    (half, model): (Vec3, &Arc<Model>),
) -> Result<(), SceneError> {
    let top = scene.body(anchor).position;
    let mut before = None;
    for i in 0..count {
        let middle = top - Vec3::Y * (i as f32 + 1.0) * PITCH;
        let desc = BodyDesc::cuboid(half, RADIUS).at(middle);
        let mass = desc.mass * if i + 1 == count { heavy } else { 1.0 };
        let link = scene.add_body(desc.with_mass(mass))?;
        scene.draw_body(link, model, palette(KINDS.len() - 1))?;
        let motor = (i == 0).then_some(Motor::speed(2.0, 500.0));
        let hinge = JointDesc::new(JointKind::Hinge, anchor, link, middle, Vec3::Z, RADIUS);
        let joint = scene.add_joint(JointDesc { motor, ..hinge })?;
        if let Some(first) = before.replace(joint) {
            scene.add_gear(Gear { first, second: joint, ratio: -1.0 })?;
        }
    }
    Ok(())
}

/// A link hanging on `last` from `pivot` along +X.
fn add_link(
    scene: &mut Scene,
    last: BodyId,
    pivot: Vec3,
    kind: u32,
    heavy: f32,
    (half, model): (Vec3, &Arc<Model>),
) -> Result<BodyId, SceneError> {
    let desc = BodyDesc::cuboid(half, RADIUS).at(pivot + Vec3::X * (0.5 * PITCH));
    let mass = desc.mass * heavy;
    let link = scene.add_body(desc.with_mass(mass))?;
    scene.draw_body(link, model, palette(kind as usize))?;
    scene.add_joint(joint(kind, last, link, pivot))?;
    Ok(link)
}

/// A joint between two links that meet at `pivot`.
fn joint(kind: u32, last: BodyId, link: BodyId, pivot: Vec3) -> JointDesc {
    let kind = JointKind::ALL[kind as usize - 1];
    let axis = if kind == JointKind::Hinge { Vec3::Z } else { Vec3::X };
    let joint = JointDesc::new(kind, last, link, pivot, axis, RADIUS);
    match kind {
        JointKind::Universal => JointDesc { up: Vec3::Z, ..joint },
        // From face to face, half again as long as they are apart.
        JointKind::Distance => {
            JointDesc::rope(last, link, pivot - Vec3::X * RADIUS, pivot + Vec3::X * RADIUS, 3.0 * RADIUS)
        }
        // Half of a link slides out of the one before.
        JointKind::Slider | JointKind::Cylindrical => {
            JointDesc { travel: [Travel::between(0.0, HALF.x), Travel::NONE, Travel::NONE], damping: 1.0, ..joint }
        }
        // As a block of rubber: soft along all axes, and turns a little.
        JointKind::Generic => {
            let limits = Limits::SwingTwist { swing_y: 0.3, swing_z: 0.3, twist_min: -0.1, twist_max: 0.1 };
            JointDesc { limits, travel: [Travel::spring(0.0, 2e-5); 3], damping: 4.0, ..joint }
        }
        _ => joint,
    }
}
