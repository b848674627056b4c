//! Gears against what is known of them: ratios of ways and of torques, momentum, over many turns.

use std::path::Path;

use glam::{Mat3, Quat, Vec3, vec3};
use sinew::gpu::Context;
use sinew::scene::{
    BodyDesc, BodyId, Gear, JointDesc, JointId, JointKind, Limits, Motor, Placement, Push, Scene, SceneError,
};
use sinew::scene_file::SceneFile;
use sinew::solver::{BodyState, Solver, State};

const RADIUS: f32 = 0.05;

pub(super) fn solver(scene: &Scene) -> Solver {
    Solver::new(&Context::shared().expect("adapter"), scene).unwrap()
}

/// The bodies after so many frames, all of which were healthy.
pub(super) fn run(solver: &mut Solver, frames: usize) -> Vec<BodyState> {
    (0..frames).for_each(|_| solver.step());
    assert!(solver.read_health().unwrap().is_good());
    solver.read_bodies().unwrap()
}

/// Angle of a joint [rad], -π..=π.
fn angle(solver: &Solver, joint: usize, states: &[BodyState]) -> f32 {
    let joint = &solver.scene().joints[joint];
    let turn = |id: BodyId| Quat::from_array(states[id.0 as usize].rotation);
    joint.angle(turn(joint.desc.a), turn(joint.desc.b))
}

/// Turns of joints, counted on the host.
struct Turns(Vec<f64>);

impl Turns {
    fn count(&mut self, solver: &Solver, states: &[BodyState]) {
        for (joint, turned) in self.0.iter_mut().enumerate() {
            let way = f64::from(angle(solver, joint, states)) - *turned;
            *turned += way - std::f64::consts::TAU * (way / std::f64::consts::TAU).round();
        }
    }
}

fn space() -> Scene {
    let mut scene = Scene::default();
    scene.params.gravity = Vec3::ZERO;
    scene.params.sleep_time = 0.0;
    scene
}

/// A frame with two wheels on hinges along Z, the second half as large, 1 m apart.
fn wheels(held: bool, ratio: f32) -> Scene {
    let mut scene = space();
    let frame = BodyDesc::cuboid(vec3(0.7, 0.1, 0.1), RADIUS).at(vec3(0.5, 0.0, -0.3));
    let frame = scene.add_body(BodyDesc { kinematic: held, ..frame }).unwrap();
    for (x, half) in [(0.0, 0.3), (1.0, 0.15)] {
        let wheel = scene.add_body(BodyDesc::cuboid(vec3(half, half, 0.1), RADIUS).at(Vec3::X * x)).unwrap();
        let hub = vec3(x, 0.0, -0.15);
        scene.add_joint(JointDesc::new(JointKind::Hinge, frame, wheel, hub, Vec3::Z, RADIUS)).unwrap();
    }
    scene.add_gear(Gear { first: JointId(0), second: JointId(1), ratio }).unwrap();
    scene
}

#[test]
fn a_gear_keeps_its_ratio_over_many_turns() {
    for ratio in [-2.0, 0.37, 5.0] {
        let mut solver = solver(&wheels(true, ratio));
        solver.set_motor(JointId(0), Some(Motor::speed(8.0, 50.0))).unwrap();
        let mut turns = Turns(vec![0.0; 2]);
        let mut most: f64 = 0.0;
        for _ in 0..600 {
            let states = run(&mut solver, 1);
            turns.count(&solver, &states);
            most = most.max((turns.0[1] - f64::from(ratio) * turns.0[0]).abs());
        }
        let found = turns.0[1] / turns.0[0];
        println!("{ratio}: {} turns, {found}, never off by more than {most} rad", turns.0[0] / std::f64::consts::TAU);
        assert!(turns.0[0] > 70.0, "{} rad", turns.0[0]);
        assert!((found / f64::from(ratio) - 1.0).abs() < 1e-3, "{ratio}: {found}");
        assert!(most < 0.01, "off by {most} rad");
    }
}

#[test]
fn torques_go_as_the_ratio() {
    let torque = 3.0;
    for (ratio, driven) in [(-2.0, 0), (-2.0, 1), (0.5, 0), (4.0, 1)] {
        let scene = wheels(true, ratio);
        let inertia = [1, 2].map(|i| scene.bodies[i].inertia.z_axis.z);
        let mut solver = solver(&scene);
        solver.set_motor(JointId(driven), Some(Motor::speed(1e3, torque))).unwrap();
        let states = run(&mut solver, 30);
        let time = solver.view().time as f32;
        // What the driven wheel feels of the other: r² I₂, or I₁ / r².
        let felt = if driven == 0 {
            inertia[0] + ratio * ratio * inertia[1]
        } else {
            inertia[1] + inertia[0] / (ratio * ratio)
        };
        let expected = torque / felt;
        let gained = states[1 + driven as usize].angular_velocity[2] / time;
        println!("{ratio}, joint {driven} driven: {gained} rad/s², {expected} expected");
        assert!((gained / expected - 1.0).abs() < 0.01, "{ratio}, {driven}: {gained} rad/s², not {expected}");
    }
}

#[test]
fn weights_balance_by_the_ratio() {
    // Arms along X with weights at their ends, on hinges along Z: m g l and m' g l' are as the ratio, and nothing moves.
    let ratio = -3.0;
    let mut scene = space();
    scene.params.gravity = Vec3::NEG_Y * 9.81;
    let frame = BodyDesc { kinematic: true, ..BodyDesc::cuboid(Vec3::splat(0.1), RADIUS).at(vec3(0.0, 0.0, -1.0)) };
    let frame = scene.add_body(frame).unwrap();
    // The second turns three times as far the other way: a third of the torque, on the other side of its hub.
    for (hub, arm, mass) in [(0.0, 0.5, 3.0), (2.0, 0.5, 1.0)] {
        let weight = BodyDesc::cuboid(Vec3::splat(0.1), RADIUS).with_mass(mass).at(vec3(hub + arm, 0.0, 0.0));
        let weight = scene.add_body(weight).unwrap();
        let joint = JointDesc::new(JointKind::Hinge, frame, weight, vec3(hub, 0.0, 0.0), Vec3::Z, RADIUS);
        scene.add_joint(joint).unwrap();
    }
    scene.add_gear(Gear { first: JointId(0), second: JointId(1), ratio }).unwrap();
    let mut solver = solver(&scene);
    let states = run(&mut solver, 120);
    let angles = [0, 1].map(|joint| angle(&solver, joint, &states));
    println!("turned by {angles:?} rad");
    assert!(angles[0].abs() < 0.01 && angles[1].abs() < 0.03, "they balance: {angles:?}");
    // A tenth more on the second: it sinks.
    solver.set_mass(BodyId(2), 1.1).unwrap();
    let states = run(&mut solver, 60);
    assert!(angle(&solver, 1, &states) < -0.1, "{} rad", angle(&solver, 1, &states));
}

#[test]
fn a_gear_between_free_bodies_keeps_momentum() {
    let scene = wheels(false, -2.0);
    let mut solver = solver(&scene);
    solver.push(Push::angular_impulse(BodyId(1), Vec3::Z * 2.0)).unwrap();
    let momentum = |states: &[BodyState]| {
        let of = |(state, body): (&BodyState, &sinew::scene::Body)| {
            let (at, p) = (Vec3::from(state.center), body.mass * Vec3::from(state.velocity));
            let turn = Mat3::from_quat(Quat::from_array(state.rotation));
            let spin = turn * body.inertia * turn.transpose() * Vec3::from(state.angular_velocity);
            (p, at.cross(p) + spin)
        };
        states
            .iter()
            .zip(&scene.bodies)
            .map(of)
            .fold((Vec3::ZERO, Vec3::ZERO), |sum, own| (sum.0 + own.0, sum.1 + own.1))
    };
    for _ in 0..6 {
        let states = run(&mut solver, 40);
        let (linear, angular) = momentum(&states);
        println!("{linear} kg m/s, {angular} kg m²/s");
        assert!(linear.length() < 5e-3 && (angular - Vec3::Z * 2.0).length() < 0.02, "{linear} {angular}");
    }
    let states = solver.read_bodies().unwrap();
    let spin = |i: usize| states[i].angular_velocity[2] - states[0].angular_velocity[2];
    assert!((spin(2) / spin(1) + 2.0).abs() < 0.02, "{} and {}", spin(1), spin(2));
}

/// A hinged wheel and a rack that slides along X.
fn rack(ratio: f32) -> Scene {
    let mut scene = space();
    let frame = BodyDesc { kinematic: true, ..BodyDesc::cuboid(vec3(0.2, 0.2, 0.1), RADIUS).at(vec3(0.0, 0.0, -0.4)) };
    let frame = scene.add_body(frame).unwrap();
    let wheel = scene.add_body(BodyDesc::cuboid(vec3(0.2, 0.2, 0.1), RADIUS)).unwrap();
    let bar = scene.add_body(BodyDesc::cuboid(vec3(0.5, 0.1, 0.1), RADIUS).at(vec3(0.0, 0.4, 0.0))).unwrap();
    scene.add_joint(JointDesc::new(JointKind::Hinge, frame, wheel, vec3(0.0, 0.0, -0.2), Vec3::Z, RADIUS)).unwrap();
    scene.add_joint(JointDesc::new(JointKind::Slider, frame, bar, vec3(0.0, 0.4, 0.0), Vec3::X, RADIUS)).unwrap();
    scene.add_gear(Gear { first: JointId(0), second: JointId(1), ratio }).unwrap();
    scene
}

#[test]
fn a_rack_goes_as_its_pinion_turns() {
    let ratio = -0.25;
    let scene = rack(ratio);
    let (inertia, mass) = (scene.bodies[1].inertia.z_axis.z, scene.bodies[2].mass);
    let mut world = solver(&scene);
    world.set_motor(JointId(0), Some(Motor::speed(1e3, 2.0))).unwrap();
    let mut turns = Turns(vec![0.0]);
    for _ in 0..60 {
        let states = run(&mut world, 1);
        turns.count(&world, &states);
    }
    let gone = world.read_joint_places().unwrap()[1].x;
    println!("{} rad, {gone} m", turns.0[0]);
    assert!((f64::from(gone) / turns.0[0] / f64::from(ratio) - 1.0).abs() < 1e-3, "{gone} m for {} rad", turns.0[0]);
    let expected = 2.0 / (inertia + ratio * ratio * mass);
    let gained = world.read_bodies().unwrap()[1].angular_velocity[2];
    assert!((gained / expected - 1.0).abs() < 0.02, "{gained} rad/s after 1 s, not {expected}");
    // The other way round: the rack is pushed, and the pinion turns.
    let mut world = solver(&scene);
    world.push(Push::impulse(BodyId(2), Vec3::X * 4.0)).unwrap();
    let states = run(&mut world, 20);
    let expected = 4.0 / (mass + inertia / (ratio * ratio));
    assert!((states[2].velocity[0] / expected - 1.0).abs() < 0.02, "{:?}, not {expected} m/s", states[2].velocity);
    assert!((states[1].angular_velocity[2] * ratio / expected - 1.0).abs() < 0.02, "{:?}", states[1].angular_velocity);
}

/// Four bodies: each wheel on a frame of its own.
#[test]
fn wheels_on_frames_of_their_own_mesh() {
    let mut scene = space();
    for x in [0.0, 2.0] {
        let frame = BodyDesc::cuboid(Vec3::splat(0.2), RADIUS).at(vec3(x, 0.0, -0.4));
        let frame = scene.add_body(BodyDesc { kinematic: x == 0.0, ..frame }).unwrap();
        let wheel = scene.add_body(BodyDesc::cuboid(vec3(0.2, 0.2, 0.1), RADIUS).at(Vec3::X * x)).unwrap();
        scene.add_joint(JointDesc::new(JointKind::Hinge, frame, wheel, vec3(x, 0.0, -0.2), Vec3::Z, RADIUS)).unwrap();
    }
    scene.add_gear(Gear { first: JointId(0), second: JointId(1), ratio: 1.5 }).unwrap();
    let mut solver = solver(&scene);
    solver.set_motor(JointId(0), Some(Motor::speed(3.0, 5.0))).unwrap();
    let states = run(&mut solver, 240);
    let second = states[3].angular_velocity[2] - states[2].angular_velocity[2];
    assert!((second / states[1].angular_velocity[2] - 1.5).abs() < 0.01, "{second} rad/s");
    // Nothing holds the second pair: it turns as a whole against its wheel.
    let inertia = [2, 3].map(|i| scene.bodies[i].inertia.z_axis.z);
    let momentum: f32 = [2, 3].iter().zip(inertia).map(|(i, own)| states[*i].angular_velocity[2] * own).sum();
    println!("{second} rad/s, {momentum} kg m²/s of what is free");
}

/// Two wheels of 0.72 kg m² on a kinematic frame.
fn alike(ratio: f32) -> Scene {
    let mut scene = space();
    (scene.params.linear_damping, scene.params.angular_damping) = (0.0, 0.0);
    let frame = BodyDesc::cuboid(vec3(0.7, 0.1, 0.1), RADIUS).at(vec3(0.5, 0.0, -0.6));
    let frame = scene.add_body(BodyDesc { kinematic: true, ..frame }).unwrap();
    for x in [0.0, 1.0] {
        let wheel = BodyDesc::cuboid(vec3(0.3, 0.3, 0.1), RADIUS).with_mass(12.0).at(Vec3::X * x);
        let wheel = scene.add_body(wheel).unwrap();
        scene.add_joint(JointDesc::new(JointKind::Hinge, frame, wheel, vec3(x, 0.0, -0.3), Vec3::Z, RADIUS)).unwrap();
    }
    scene.add_gear(Gear { first: JointId(0), second: JointId(1), ratio }).unwrap();
    scene
}

#[test]
fn a_geared_motor_is_as_strong_as_its_torque() {
    // Of the first wheel: its speed, and when it is judged.
    for (ratio, speed, torque, frames) in [
        (-20.0, 0.05, 20.0, 20),
        (-20.0, 0.05, 20.0, 60),
        (-20.0, 0.05, 1000.0, 2),
        (-20.0, 0.05, f32::INFINITY, 1),
        (3.7, 2.0, 20.0, 30),
        (3.7, 2.0, f32::INFINITY, 1),
        (-1.0, 2.0, 1000.0, 1),
        (-1.0, 2.0, 4.0, 20),
    ] {
        let scene = alike(ratio);
        let inertia = scene.bodies[1].inertia.z_axis.z;
        let mut solver = solver(&scene);
        solver.set_motor(JointId(0), Some(Motor::speed(speed, torque))).unwrap();
        let states = run(&mut solver, frames);
        let time = solver.view().time as f32;
        let expected = speed.min(torque * time / (inertia * (1.0 + ratio * ratio)));
        let [first, second] = [1, 2].map(|i| states[i].angular_velocity[2]);
        println!("{ratio}, {torque} N m, {frames} frames: {first} rad/s, {expected} expected, the second {second}");
        assert!((first / expected - 1.0).abs() < 0.01, "{ratio}, {torque} N m: {first} rad/s, not {expected}");
        assert!((second / first / ratio - 1.0).abs() < 0.01, "{ratio}: {second} for {first}");
    }
}

#[test]
fn the_motor_of_a_rack_is_as_strong_as_its_force() {
    let ratio = 20.0;
    for (force, frames) in [(f32::INFINITY, 1), (1000.0, 30), (1000.0, 200)] {
        let mut scene = rack(1.0);
        scene.params.linear_damping = 0.0;
        scene.params.angular_damping = 0.0;
        // The wheel turns by 20 rad for each meter of the rack.
        scene.gears[0] = Gear { first: JointId(1), second: JointId(0), ratio };
        let (inertia, mass) = (scene.bodies[1].inertia.z_axis.z, scene.bodies[2].mass);
        let mut solver = solver(&scene);
        solver.set_motor(JointId(1), Some(Motor::Velocity { velocity: 0.2, max_force: force })).unwrap();
        let states = run(&mut solver, frames);
        let time = solver.view().time as f32;
        let expected = 0.2_f32.min(force * time / (mass + ratio * ratio * inertia));
        let (gained, turned) = (states[2].velocity[0], states[1].angular_velocity[2]);
        println!("{force} N, {frames} frames: {gained} m/s, {expected} expected, the pinion {turned} rad/s");
        assert!((gained / expected - 1.0).abs() < 0.01, "{force} N: {gained} m/s, not {expected}");
        assert!((turned / gained / ratio - 1.0).abs() < 0.01, "{turned} for {gained}");
    }
}

#[test]
fn a_geared_motor_turns_against_friction_by_its_torque_alone() {
    for (friction, spin) in [(4.0, 0.0), (2.0, 1.0), (4.0, 2.0)] {
        let mut scene = alike(-2.0);
        scene.joints[0].desc.friction = friction;
        scene.joints[0].desc.motor = Some(Motor::speed(9.0, 3.0));
        scene.bodies[1].angular_velocity = Vec3::Z * spin;
        scene.bodies[2].angular_velocity = Vec3::Z * -2.0 * spin;
        let mut solver = solver(&scene);
        let states = run(&mut solver, 60);
        let time = solver.view().time as f32;
        let gained = (3.0 - friction) * time / (5.0 * scene.bodies[1].inertia.z_axis.z);
        let (found, expected) = (states[1].angular_velocity[2], (spin + gained).max(0.0));
        println!("friction of {friction} N m: {found} rad/s, {expected} expected");
        assert!((found - expected).abs() < 0.02, "friction of {friction} N m: {found} rad/s, not {expected}");
    }
}

/// From rest: what is stronger than friction moves by the difference, and what is weaker does not move.
#[test]
fn a_motor_starts_against_friction_by_what_it_has_more() {
    for (friction, torque) in [(2.0, 3.0), (3.0, 2.0), (2.0, f32::INFINITY)] {
        let mut scene = alike(1.0);
        scene.gears.clear();
        scene.joints[0].desc.friction = friction;
        scene.joints[0].desc.motor = Some(Motor::speed(9.0, torque));
        let inertia = scene.bodies[1].inertia.z_axis.z;
        let mut solver = solver(&scene);
        let states = run(&mut solver, 60);
        let expected = 9.0_f32.min((torque - friction).max(0.0) * solver.view().time as f32 / inertia);
        let found = states[1].angular_velocity[2];
        println!("{torque} N m against {friction}: {found} rad/s, {expected} expected");
        assert!((found - expected).abs() < 0.02, "{torque} N m against {friction}: {found} rad/s, not {expected}");
    }
    for (friction, force) in [(20.0, 30.0), (30.0, 20.0)] {
        let mut scene = rack(1.0);
        scene.gears.clear();
        (scene.params.linear_damping, scene.joints[1].desc.friction) = (0.0, friction);
        let mass = scene.bodies[2].mass;
        let mut solver = solver(&scene);
        solver.set_motor(JointId(1), Some(Motor::Velocity { velocity: 9.0, max_force: force })).unwrap();
        let states = run(&mut solver, 30);
        let expected = (force - friction).max(0.0) * solver.view().time as f32 / mass;
        let found = states[2].velocity[0];
        println!("{force} N against {friction}: {found} m/s, {expected} expected");
        assert!((found - expected).abs() < 0.01, "{force} N against {friction}: {found} m/s, not {expected}");
    }
}

#[test]
fn a_rigid_drive_to_a_goal_takes_its_gear_along() {
    let mut scene = alike(-20.0);
    let target = glam::Quat::from_rotation_x(0.02);
    scene.joints[0].desc.motor = Some(Motor::Target { target, compliance: 0.0, max_torque: f32::INFINITY });
    let mut solver = solver(&scene);
    let states = run(&mut solver, 30);
    let angles = [0, 1].map(|joint| angle(&solver, joint, &states));
    println!("{angles:?} rad");
    assert!((angles[0] - 0.02).abs() < 2e-4 && (angles[1] + 0.4).abs() < 4e-3, "{angles:?}");
}

#[test]
fn a_motor_of_a_gear_between_free_bodies_keeps_momentum() {
    let mut scene = wheels(false, -20.0);
    scene.joints[0].desc.motor = Some(Motor::speed(0.3, f32::INFINITY));
    let mut solver = solver(&scene);
    let states = run(&mut solver, 60);
    let spin = |i: usize| states[i].angular_velocity[2] - states[0].angular_velocity[2];
    let mut angular = Vec3::ZERO;
    let mut linear = Vec3::ZERO;
    for (state, body) in states.iter().zip(&scene.bodies) {
        let p = body.mass * state.velocity();
        linear += p;
        let turn = Mat3::from_quat(state.rotation());
        angular += state.center().cross(p) + turn * body.inertia * turn.transpose() * state.angular_velocity();
    }
    println!("{} and {} rad/s, {linear} kg m/s, {angular} kg m²/s", spin(1), spin(2));
    assert!((spin(1) / 0.3 - 1.0).abs() < 0.02 && (spin(2) / spin(1) + 20.0).abs() < 0.2, "{} {}", spin(1), spin(2));
    assert!(linear.length() < 5e-3 && angular.length() < 0.02, "{linear} {angular}");
}

#[test]
fn a_gear_meshes_where_its_joints_stood() {
    let mut solver = solver(&alike(3.7));
    solver.set_motor(JointId(0), Some(Motor::speed(2.0, 1e4))).unwrap();
    let mut turns = Turns(vec![0.0; 2]);
    for _ in 0..300 {
        let states = run(&mut solver, 1);
        turns.count(&solver, &states);
    }
    let off = turns.0[1] - 3.7 * turns.0[0];
    println!("off by {off} rad after {} rad", turns.0[0]);
    assert!(off.abs() < 1e-3, "off by {off} rad");
    // And where they are when they hold again.
    solver.set_joint_enabled(JointId(1), false).unwrap();
    solver.set_motor(JointId(0), Some(Motor::speed(-1.0, 1e4))).unwrap();
    for _ in 0..30 {
        let states = run(&mut solver, 1);
        turns.count(&solver, &states);
    }
    let before = turns.0[1] - 3.7 * turns.0[0];
    solver.set_joint_enabled(JointId(1), true).unwrap();
    for _ in 0..60 {
        let states = run(&mut solver, 1);
        turns.count(&solver, &states);
    }
    let off = turns.0[1] - 3.7 * turns.0[0] - before;
    println!("meshes off by {off} rad");
    assert!(off.abs() < 1e-3, "off by {off} rad");
}

#[test]
fn states_growth_and_joints_out_of_action_keep_a_gear() {
    let scene = wheels(true, -2.0);
    let mut solver = solver(&scene);
    solver.set_motor(JointId(0), Some(Motor::speed(8.0, 50.0))).unwrap();
    run(&mut solver, 100);
    let state = solver.save().unwrap();
    let bytes = state.to_bytes(&solver).unwrap();
    let after = run(&mut solver, 30);
    solver.restore(&State::from_bytes(&bytes, &solver).unwrap()).unwrap();
    assert_eq!(run(&mut solver, 30), after);
    let mut turns = Turns(vec![0.0; 2]);
    let phase = |solver: &Solver| {
        let states = solver.read_bodies().unwrap();
        angle(solver, 1, &states) + 2.0 * angle(solver, 0, &states)
    };
    let off = |phase: f32| (phase / std::f32::consts::TAU - (phase / std::f32::consts::TAU).round()).abs();
    let mut grown = solver.scene().clone();
    grown.add_body(BodyDesc::sphere(0.1, 0.05).at(Vec3::Y * 3.0)).unwrap();
    solver.spawn(&grown).unwrap();
    run(&mut solver, 100);
    assert!(off(phase(&solver)) < 2e-3, "they mesh where they did: off by {}", phase(&solver));
    // Out of action the second runs on alone; then they mesh where they are.
    solver.set_joint_enabled(JointId(1), false).unwrap();
    solver.set_motor(JointId(0), Some(Motor::speed(0.0, 50.0))).unwrap();
    let states = run(&mut solver, 60);
    assert!(states[1].angular_velocity[2].abs() < 0.05 && states[2].angular_velocity[2] < -10.0, "{states:?}");
    solver.set_joint_enabled(JointId(1), true).unwrap();
    solver.set_motor(JointId(0), Some(Motor::speed(2.0, 50.0))).unwrap();
    run(&mut solver, 60);
    for _ in 0..200 {
        let states = run(&mut solver, 1);
        turns.count(&solver, &states);
    }
    let states = solver.read_bodies().unwrap();
    assert!((states[2].angular_velocity[2] / states[1].angular_velocity[2] + 2.0).abs() < 0.01);
}

#[test]
fn copies_of_a_pool_have_their_gears() {
    let mut scene = space();
    let pool = scene.add_pool(&wheels(false, -2.0), 2).unwrap();
    assert_eq!(scene.gears.len(), 2);
    let mut solver = solver(&scene);
    for _ in 0..2 {
        let copy = solver.spawn_from(pool, Placement::from(Vec3::Y), Vec3::ZERO).unwrap();
        let wheel = solver.part(copy).unwrap().body(BodyId(1));
        solver.push(Push::angular_impulse(wheel, Vec3::Z * 2.0)).unwrap();
        let states = run(&mut solver, 20);
        let spin = |i: u32| {
            states[(wheel.0 - 1 + i) as usize].angular_velocity[2] - states[wheel.0 as usize - 1].angular_velocity[2]
        };
        assert!((spin(2) / spin(1) + 2.0).abs() < 0.02, "{} and {}", spin(1), spin(2));
        solver.despawn(copy).unwrap();
    }
}

#[test]
fn gears_that_cannot_be_are_refused() {
    let mut scene = wheels(true, 1.0);
    let ball = scene.add_body(BodyDesc::sphere(0.1, 0.05).at(Vec3::Y * 3.0)).unwrap();
    scene.add_joint(JointDesc::new(JointKind::Ball, BodyId(0), ball, Vec3::Y * 2.0, Vec3::X, RADIUS)).unwrap();
    let made = |first, second, ratio| Gear { first: JointId(first), second: JointId(second), ratio };
    for gear in [made(0, 1, 0.0), made(0, 1, f32::NAN), made(0, 1, f32::INFINITY), made(0, 0, 1.0)] {
        assert!(matches!(scene.add_gear(gear), Err(SceneError::Number { .. })), "{gear:?}");
    }
    assert!(matches!(scene.add_gear(made(0, 7, 1.0)), Err(SceneError::Missing { field: "joint", index: 7, .. })));
    let told = scene.add_gear(made(0, 2, 1.0)).unwrap_err().to_string();
    assert!(told.contains("hinge or a slider"), "{told}");
    assert_eq!(scene.gears.len(), 1);
    scene.gears[0].ratio = 0.0;
    assert!(scene.validate().is_err());
}

#[test]
fn scene_files_have_gears() {
    let text = r#"(
    items: [
        Body(name: "frame", kinematic: true, position: (0, 1, -0.4)),
        Body(name: "wheel", position: (0, 1, 0)),
        Body(name: "rack", position: (0, 1.5, 0)),
        Joint(kind: Hinge, a: "frame", b: "wheel", position: (0, 1, -0.2), axis: (0, 0, 1)),
        Joint(kind: Slider, a: "frame", b: "rack", position: (0, 1.5, 0), axis: (1, 0, 0), travel: (-1, 1)),
        Gear(first: ("frame", "wheel"), second: ("frame", "rack"), ratio: 0.25),
    ],
)"#;
    let parse = |text: &str| SceneFile::parse(Path::new("gears.ron"), text.to_owned(), Path::new("."));
    let stage = parse(text).stage().unwrap();
    assert_eq!(stage.scene.gears, [Gear { first: JointId(0), second: JointId(1), ratio: 0.25 }]);
    let again = parse(&sinew::scene_file::to_ron(&stage, "gears").unwrap()).stage().unwrap();
    assert_eq!(again.scene.gears, stage.scene.gears);
    let wrong = text.replace("second: (\"frame\", \"rack\")", "second: (\"wheel\", \"rack\")");
    let told = parse(&wrong).stage().map(|_| ()).unwrap_err().to_string();
    assert!(told.contains("no joint from `wheel` to `rack`"), "{told}");
}

/// A row of wheels on a held frame, each geared to the next, the last of which turns half a radian either way.
fn train(count: u16, ratio: f32) -> Scene {
    let mut scene = space();
    let frame = BodyDesc::cuboid(vec3(0.1, 0.1, 0.1), RADIUS).at(vec3(0.0, 0.0, -2.0));
    let frame = scene.add_body(BodyDesc { kinematic: true, ..frame }).unwrap();
    for i in 0..count {
        let hub = vec3(f32::from(i), 0.0, 0.0);
        let wheel = scene.add_body(BodyDesc::cuboid(vec3(0.3, 0.3, 0.1), RADIUS).at(hub)).unwrap();
        let last = i + 1 == count;
        let limits = if last { Limits::Hinge { min: -0.5, max: 0.5 } } else { Limits::Free };
        let hinge = JointDesc::new(JointKind::Hinge, frame, wheel, hub, Vec3::Z, RADIUS);
        scene.add_joint(JointDesc { limits, cushion: 0.0, ..hinge }).unwrap();
        if i > 0 {
            scene.add_gear(Gear { first: JointId(u32::from(i) - 1), second: JointId(u32::from(i)), ratio }).unwrap();
        }
    }
    scene
}

#[test]
fn a_train_of_gears_stops_at_the_limit_of_its_last_joint() {
    for (count, ratio, speed, torque) in [
        (2, -1.0, 20.0, 300.0),
        (4, -1.0, 20.0, 300.0),
        (3, 2.0, 2.0, 3.0),
        (3, -0.5, 20.0, 100.0),
        (3, 5.0, 20.0, 100.0),
    ] {
        let mut solver = solver(&train(count, ratio));
        solver.set_motor(JointId(0), Some(Motor::speed(speed, torque))).unwrap();
        let states = run(&mut solver, 240);
        let last = angle(&solver, usize::from(count) - 1, &states);
        println!("{count} wheels by {ratio} at {torque} N m: {last} rad");
        assert!((last.abs() - 0.5).abs() < 1e-3, "{count} wheels by {ratio}: {last} rad");
        for joint in 1..usize::from(count) {
            let [before, after] = [joint - 1, joint].map(|joint| angle(&solver, joint, &states));
            assert!((after - ratio * before).abs() < 2e-3 * ratio.abs().max(1.0), "{joint}: {before}, {after} rad");
        }
    }
}
