//! Paper 5's scene: pairs of boxes, each tied by one joint, of alternating kinds, dropped in layers into a pit.

use std::f32::consts::PI;
use std::sync::Arc;

use glam::{Quat, Vec3};

use super::demo::{Category, Demo, DemoError, Stage};
use super::options::{DemoOption, Options};
use crate::scene::{
    BodyDesc, BodyId, JointDesc, JointKind, Limits, Model, Scene, SceneError, Shape, View, primitive_model,
};
use crate::spawn::{Random, add_pit, palette};

pub(super) const DEMO: Demo = Demo {
    name: "pairs",
    summary: "pairs of boxes with one joint each, of alternating kinds, dropped into a pit (paper 5, table 2)",
    category: Category::Bodies,
    options: &[
        DemoOption::integer("count", [1.0, 40_000.0], 300.0, "pairs of bodies"),
        DemoOption::number("pit", [0.0, 100.0], 0.0, "inner side of the pit [m]; 0 follows count"),
        DemoOption::choice(
            "build",
            &["limits", "published"],
            "what stops joints: their limits, or contacts alone; then universal joints are three bodies on two hinges",
        ),
        DemoOption::integer("seed", [0.0, 1.0e6], 1.0, "seed of the random numbers"),
    ],
    build,
};

/// Half extents of one box [m]: 2 x 2 x 4 particles.
const HALF: Vec3 = Vec3::new(0.1, 0.1, 0.2);
/// Particle radius [m].
const RADIUS: f32 = 0.05;
/// The joint lies one particle beyond the ends, as a particle of the same lattice would.
const ARM: f32 = HALF.z + RADIUS;
/// A cell that a turned pair fits in [m]: along the pair, across, up.
const CELL: Vec3 = Vec3::new(0.5, 0.4, 1.1);
/// A ball joint stops before the boxes' edges meet [rad].
const SWING: f32 = 0.9;

fn build(options: &Options) -> Result<Stage, DemoError> {
    let count = options.count("count");
    // 300 pairs in 6 m; the cube root keeps the pile's proportions.
    let fitting = 6.0 * (count as f32 / 300.0).cbrt();
    let side = if options.number("pit") > 0.0 { options.number("pit") } else { fitting }.max(1.5);
    let depth = count as f32 * 2.0 * 8.0 * HALF.x * HALF.y * HALF.z / (0.5 * side * side);

    let mut scene = Scene::default();
    add_pit(&mut scene, 0.5 * side, 1.5 * depth + 1.0)?;
    scene.view = View::around(Vec3::new(0.0, 0.5 * depth, 0.0), 0.72 * side + 0.5 * depth);
    let model = Arc::new(primitive_model(&Shape::Cuboid(HALF)));
    let mut random = Random::new(options.count("seed"));
    let (across, along) = (((side - 0.1) / CELL.x).max(1.0) as u32, ((side - 0.1) / CELL.z).max(1.0) as u32);
    for i in 0..count {
        let (x, z, layer) = (i % across, i / across % along, i / (across * along));
        let cell = Vec3::new(x as f32 - 0.5 * (across - 1) as f32, layer as f32, z as f32 - 0.5 * (along - 1) as f32);
        let position = cell * CELL + Vec3::Y * 0.4 + random.offset(0.02);
        let rotation =
            Quat::from_rotation_z(random.between(-3.0, 3.0)) * Quat::from_rotation_x(random.between(-0.1, 0.1));
        let published = options.count("build") == 1;
        add_pair(&mut scene, i as usize, position, rotation, &model, published)?;
    }
    Ok(scene.into())
}

/// Two boxes along the rotated Z axis with joint kind number `i`.
fn add_pair(
    scene: &mut Scene,
    i: usize,
    at: Vec3,
    rotation: Quat,
    model: &Arc<Model>,
    published: bool,
) -> Result<(), SceneError> {
    let mut add = |offset: f32| -> Result<BodyId, SceneError> {
        let desc = BodyDesc::cuboid(HALF, RADIUS).at(at + rotation * (Vec3::Z * offset)).rotated(rotation);
        let id = scene.add_body(desc)?;
        scene.draw_body(id, model, palette(i))?;
        Ok(id)
    };
    let (a, b) = (add(-ARM)?, add(ARM)?);
    let (along, across) = (rotation * Vec3::Z, rotation * Vec3::X);
    let joint = |kind, axis| JointDesc::new(kind, a, b, at, axis, RADIUS);
    match i % 4 {
        0 => scene.add_joint(joint(JointKind::Stiff, along)).map(|_| ()),
        1 => {
            // A knee: straight one way, folded until the edges meet the other way.
            let hinge = scene.add_joint(joint(JointKind::Hinge, across))?;
            scene.add_hinge_limiter(hinge, rotation * Vec3::Y, 0.0)?;
            scene.add_hinge_limiter(hinge, rotation * Vec3::NEG_Y, SWING).map(|_| ())
        }
        2 if published => scene.add_joint(JointDesc { meet: true, ..joint(JointKind::Ball, along) }).map(|_| ()),
        3 if published => {
            // A flat body in the middle: its own particle, and those that it shares.
            let cross = BodyDesc::cuboid(Vec3::splat(RADIUS), RADIUS).at(at).rotated(rotation).named("cross");
            let cross = scene.add_body(cross)?;
            scene.add_joint(JointDesc { b: cross, ..joint(JointKind::Hinge, across) })?;
            scene.add_joint(JointDesc { a: cross, ..joint(JointKind::Hinge, rotation * Vec3::Y) }).map(|_| ())
        }
        2 => {
            let limits = Limits::SwingTwist { swing_y: SWING, swing_z: SWING, twist_min: -1.5, twist_max: 1.5 };
            scene.add_joint(JointDesc { limits, ..joint(JointKind::Ball, along) }).map(|_| ())
        }
        _ => {
            let limits = Limits::SwingTwist { swing_y: SWING, swing_z: SWING, twist_min: -PI, twist_max: PI };
            scene.add_joint(JointDesc { limits, ..joint(JointKind::Universal, along) }).map(|_| ())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_have_paper_fives_particles_and_fit_the_pit() {
        for count in [1, 300, 1200] {
            let mut options = Options::new(DEMO.options);
            options.set(&DEMO.options[0], &count.to_string()).unwrap();
            let scene = build(&options).unwrap().scene;
            let boxes = scene.bodies.iter().filter(|b| b.particle_count == 16).count();
            assert_eq!(boxes, 2 * count);
            assert_eq!(scene.bodies.len(), boxes);
            assert_eq!(scene.joints.len(), count);
            let inner = scene.colliders[1].position.x - 0.5;
            let far = scene.particles.iter().map(|p| p.position.x.abs().max(p.position.z.abs()) + p.radius);
            assert!(far.fold(0.0, f32::max) < inner, "{count} pairs reach beyond {inner} m");
        }
    }

    #[test]
    fn as_published_contacts_stop_joints_and_a_cross_is_a_body() {
        let mut options = Options::new(DEMO.options);
        for (option, text) in [(&DEMO.options[0], "4"), (&DEMO.options[2], "published")] {
            options.set(option, text).unwrap();
        }
        let scene = build(&options).unwrap().scene;
        assert_eq!((scene.bodies.len(), scene.joints.len()), (9, 5));
        let meeting = |pair: usize| scene.bodies[2 * pair].ignores.is_empty();
        assert_eq!([0, 1, 2, 3].map(meeting), [false, false, true, false]);
        // Its own particle and two of each hinge, all in one plane.
        let cross = scene.bodies.iter().find(|body| body.name == "cross").unwrap();
        assert_eq!(cross.links.len(), 5);
        assert!(cross.links.iter().all(|link| link.local.z.abs() < 1e-6));
    }
}
