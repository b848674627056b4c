//! Limits, limiters, motors and breaking of single joints.

use glam::{Mat3, Quat, Vec3};
use sinew::report::Pose;
use sinew::scene::{BodyDesc, BodyId, JointDesc, JointId, JointKind, JointSolver, Limits, Motor, Scene};

use super::world::{FRAMES, RADIUS, World, cube};

/// Body 0 held, body 1 hanging out along +X on a joint with its axis along `axis`.
fn arm(kind: JointKind, axis: Vec3, change: impl Fn(&mut JointDesc)) -> Scene {
    let mut scene = Scene::default();
    let half = Vec3::new(0.2, 0.1, 0.1);
    let a = scene.add_body(BodyDesc { kinematic: true, ..BodyDesc::cuboid(half, RADIUS).at(Vec3::Y * 3.0) }).unwrap();
    let b = scene.add_body(BodyDesc::cuboid(half, RADIUS).at(Vec3::new(0.5, 3.0, 0.0))).unwrap();
    let mut desc = JointDesc::new(kind, a, b, Vec3::new(0.25, 3.0, 0.0), axis, RADIUS);
    desc.damping = 2.0;
    change(&mut desc);
    scene.add_joint(desc).unwrap();
    scene
}

#[test]
fn a_hinge_stops_at_its_limiters() {
    for (solver, slack) in [(JointSolver::Point, 2_f32), (JointSolver::Average, 6.0)] {
        for angle in [0.0_f32, 0.4, 0.9] {
            let mut scene = arm(JointKind::Hinge, Vec3::Z, |_| {});
            scene.params.joints = solver;
            // Falls by turning about -Z, so what is below meets.
            scene.add_hinge_limiter(JointId(0), Vec3::NEG_Y, angle).unwrap();
            let mut world = World::new(&scene);
            world.run(5 * FRAMES);
            let turned = -world.turned(Vec3::Z);
            println!("{solver:?}: limiter at {angle}, stopped at {turned} rad");
            assert!((turned - angle).abs() < slack.to_radians(), "{solver:?}: limiter {angle}, turned {turned} rad");
            world.healthy();
        }
    }
}

#[test]
fn a_hinge_does_not_bounce_off_its_limiters() {
    let mut scene = arm(JointKind::Hinge, Vec3::Z, |d| d.damping = 0.0);
    scene.params.gravity = Vec3::ZERO;
    scene.add_hinge_limiter(JointId(0), Vec3::NEG_Y, 0.4).unwrap();
    let mut world = World::new(&scene);
    let start = world.body(1);
    let (velocity, spin) = (Vec3::NEG_Y * 0.25, Vec3::NEG_Z);
    world.solver.set_body_pose(BodyId(1), start.center, start.rotation, velocity, spin).unwrap();
    world.run(2 * FRAMES);
    let after = world.body(1).angular_velocity.z;
    println!("limiter: -1 rad/s before, {after} rad/s after");
    assert!(after.abs() < 0.1, "bounces at {after} rad/s");
}

#[test]
fn a_hinge_range_is_kept() {
    let limits = Limits::Hinge { min: -0.5, max: 0.2 };
    let mut world = World::new(&arm(JointKind::Hinge, Vec3::Z, |d| d.limits = limits));
    world.run(5 * FRAMES);
    let turned = world.turned(Vec3::Z);
    println!("hinge range: {turned} rad");
    assert!((turned + 0.5).abs() < 3_f32.to_radians(), "{turned} rad");
    world.healthy();
}

#[test]
fn a_ball_joint_keeps_its_swing_and_twist() {
    let limits = Limits::SwingTwist { swing_y: 0.6, swing_z: 0.6, twist_min: -0.3, twist_max: 0.3 };
    let mut world = World::new(&arm(JointKind::Ball, Vec3::X, |d| d.limits = limits));
    // Twist it first: gravity then swings it.
    let start = world.body(1);
    world.solver.set_body_pose(BodyId(1), start.center, start.rotation, Vec3::ZERO, Vec3::X * 8.0).unwrap();
    let mut most_twist: f32 = 0.0;
    for _ in 0..5 * FRAMES {
        world.run(1);
        most_twist = most_twist.max(world.turned(Vec3::X).abs());
    }
    let body = world.body(1);
    let swing = (body.rotation * Vec3::X).angle_between(Vec3::X);
    let twist = world.turned(Vec3::X);
    println!("ball: swing {swing} rad, twist {twist} rad at rest, {most_twist} at most");
    let slack = 3_f32.to_radians();
    assert!(swing < 0.6 + slack && swing > 0.5, "swing {swing} rad");
    assert!(twist.abs() < 0.3 + slack && most_twist < 0.3 + 2.0 * slack, "twist {twist}, {most_twist} at most");
    world.healthy();
}

/// Swings the arm at `spin` about `axis` against its limits without gravity. Returns the most by which that speed changes
/// in a substep, the widest angle [rad], and the speed and kinetic energy left, of 1.
fn arrest(mut scene: Scene, axis: Vec3, spin: f32) -> [f32; 4] {
    scene.params.gravity = Vec3::ZERO;
    (scene.params.dt, scene.params.substeps) = (1.0 / 480.0, 1);
    let mut world = World::new(&scene);
    let (from, turning) = (world.body(1), axis * spin);
    let velocity = turning.cross(Vec3::X * 0.25);
    world.solver.set_body_pose(BodyId(1), from.center, from.rotation, velocity, turning).unwrap();
    let energy = |world: &mut World| {
        let of = |i: usize, state: &Pose| {
            let (body, turn) = (&scene.bodies[i], Mat3::from_quat(state.rotation));
            let momentum = turn * body.inertia * turn.transpose() * state.angular_velocity;
            let held = if body.kinematic { 0.0 } else { 0.5 };
            held * (body.mass * state.velocity.length_squared() + state.angular_velocity.dot(momentum))
        };
        world.read().bodies.iter().enumerate().map(|(i, b)| of(i, b)).sum::<f32>()
    };
    let (start, mut left) = (energy(&mut world), energy(&mut world));
    let (mut before, mut hardest, mut widest) = (spin, 0.0_f32, 0.0_f32);
    for _ in 0..480 {
        world.run(1);
        let [a, b] = [world.body(0), world.body(1)];
        let speed = (b.angular_velocity - a.angular_velocity).dot(a.rotation * axis);
        hardest = hardest.max((speed - before).abs());
        widest = widest.max(world.turned(axis).abs());
        before = speed;
        let now = energy(&mut world);
        assert!(now <= left * 1.0001 + 1e-5 * start, "energy grows from {left} to {now} J");
        left = now;
    }
    world.healthy();
    [hardest, widest, before, left / start]
}

#[test]
fn a_limb_slows_down_into_its_limits() {
    let swing = Limits::SwingTwist { swing_y: 0.6, swing_z: 0.5, twist_min: -0.5, twist_max: 0.5 };
    let hinge = Limits::Hinge { min: -0.5, max: 0.5 };
    let cases =
        [(JointKind::Hinge, hinge, Vec3::Z), (JointKind::Ball, swing, Vec3::Z), (JointKind::Ball, swing, Vec3::X)];
    for ((kind, limits, about), held) in cases.into_iter().flat_map(|case| [(case, true), (case, false)]) {
        let axis = if kind == JointKind::Hinge { Vec3::Z } else { Vec3::X };
        let [hard, soft] = [0.0, JointDesc::CUSHION].map(|cushion| {
            let change = |d: &mut JointDesc| (d.limits, d.damping, d.cushion) = (limits, 0.0, cushion);
            let mut scene = arm(kind, axis, change);
            scene.bodies[0].kinematic = held;
            arrest(scene, about, 5.0)
        });
        println!("{kind:?} about {about}, held {held}: {hard:.3?} without a cushion, {soft:.3?} with one");
        assert!(hard[0] > 3.0, "stops by {hard:?}");
        assert!(soft[0] < 0.3 * hard[0], "stops by {soft:?}, without a cushion {hard:?}");
        assert!(soft[1] < 0.5 + 1_f32.to_radians(), "turns by {} rad", soft[1]);
        // Held, it comes to rest at the limit; with nothing to hold on to, both turn on.
        assert!(!held || (soft[1] > 0.48 && soft[2].abs() < 0.1), "{soft:?}");
    }
}

#[test]
fn a_motor_reaches_its_goal() {
    let goal = Quat::from_rotation_x(0.7);
    let motor = Motor::Target { target: goal, compliance: 1e-4, max_torque: 500.0 };
    let mut scene = arm(JointKind::Hinge, Vec3::Z, |d| d.motor = Some(motor));
    scene.params.gravity = Vec3::ZERO;
    let mut world = World::new(&scene);
    world.run(5 * FRAMES);
    let turned = world.turned(Vec3::Z);
    println!("motor: {turned} rad");
    assert!((turned - 0.7).abs() < 1_f32.to_radians(), "{turned} rad");
    world.healthy();
}

#[test]
fn a_joint_breaks_above_its_force_and_spawning_keeps_that() {
    // The arm weighs 157 N.
    for (strength, breaks) in [(60.0, true), (2000.0, false)] {
        let mut scene = arm(JointKind::Ball, Vec3::X, |d| d.break_force = strength);
        let mut world = World::new(&scene);
        world.run(FRAMES / 2);
        assert_eq!(world.solver.read_broken_joints().unwrap(), [breaks], "{strength} N");
        let before = world.read().clone();
        scene.add_body(cube(0.15).at(Vec3::new(-2.0, 3.0, 0.0))).unwrap();
        world.solver.spawn(&scene).unwrap();
        assert_eq!(world.read().bodies[..2], before.bodies[..]);
        assert_eq!(world.solver.read_broken_joints().unwrap(), [breaks]);
        world.run(FRAMES / 2);
        assert_eq!(world.solver.read_broken_joints().unwrap(), [breaks]);
        let (arm, spawned) = (world.body(1).center, world.body(2).center);
        println!("{strength} N: arm at {arm}, new body at {spawned}");
        assert_eq!(arm.distance(Vec3::new(0.25, 3.0, 0.0)) > 1.0, breaks, "arm at {arm}");
        assert!(spawned.y < 2.0, "the new body does not fall: {spawned}");
        world.healthy();
    }
}
