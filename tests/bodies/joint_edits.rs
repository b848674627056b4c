//! Joints of a running world: what is changed acts, wakes what it must, and is kept.

use std::path::Path;

use glam::{Quat, Vec3, vec3};
use sinew::gpu::Context;
use sinew::scene::{
    BodyDesc, BodyId, Collider, JointDesc, JointId, JointKind, JointSolver, Limits, Motor, Push, Scene, SceneError,
    Travel,
};
use sinew::solver::{BodyState, Solver, SolverError};

const RADIUS: f32 = 0.05;

fn solver(scene: &Scene) -> Solver {
    Solver::new(&Context::shared().expect("adapter"), scene).unwrap()
}

fn run(solver: &mut Solver, frames: usize) {
    (0..frames).for_each(|_| solver.step());
}

fn bodies(solver: &Solver) -> Vec<BodyState> {
    solver.read_bodies().unwrap()
}

fn angle(solver: &Solver, joint: usize) -> f32 {
    let states = bodies(solver);
    let joint = &solver.scene().joints[joint];
    let turn = |id: BodyId| Quat::from_array(states[id.0 as usize].rotation);
    joint.angle(turn(joint.desc.a), turn(joint.desc.b))
}

fn cuboid(half: Vec3, at: Vec3) -> BodyDesc {
    BodyDesc::cuboid(half, RADIUS).at(at)
}

/// A held body and a rotor of 8 kg on a hinge through its middle, along Z.
fn rotor(held: bool) -> Scene {
    let mut scene = Scene::default();
    scene.params.gravity = Vec3::ZERO;
    let a = cuboid(vec3(0.2, 0.2, 0.1), Vec3::Y);
    let a = scene.add_body(BodyDesc { kinematic: held, ..a }).unwrap();
    let b = scene.add_body(cuboid(vec3(0.2, 0.2, 0.1), vec3(0.0, 1.0, 0.3))).unwrap();
    scene.add_joint(JointDesc::new(JointKind::Hinge, a, b, vec3(0.0, 1.0, 0.15), Vec3::Z, RADIUS)).unwrap();
    scene
}

/// A held body and an arm along X, hinged to it about Z at its end.
fn arm() -> Scene {
    let mut scene = Scene::default();
    let a = scene.add_body(BodyDesc { kinematic: true, ..cuboid(Vec3::splat(0.1), Vec3::Y) }).unwrap();
    let b = scene.add_body(cuboid(vec3(0.2, 0.1, 0.1), vec3(0.35, 1.0, 0.0))).unwrap();
    scene.add_joint(JointDesc::new(JointKind::Hinge, a, b, vec3(0.125, 1.0, 0.0), Vec3::Z, RADIUS)).unwrap();
    scene
}

fn spin(solver: &Solver) -> f32 {
    let states = bodies(solver);
    states[1].angular_velocity[2] - states[0].angular_velocity[2]
}

#[test]
fn a_speed_motor_gains_torque_over_inertia_and_holds_its_speed() {
    let scene = rotor(true);
    let inertia = scene.bodies[1].inertia.z_axis.z;
    let torque = 2.0 * inertia;
    let mut solver = solver(&scene);
    solver.set_motor(JointId(0), Some(Motor::speed(5.0, torque))).unwrap();
    run(&mut solver, 60);
    let gained = spin(&solver) / solver.view().time as f32;
    println!("{gained} rad/s², {} expected", torque / inertia);
    assert!((gained - 2.0).abs() < 0.05 * 2.0, "gains {gained} rad/s²");
    run(&mut solver, 180);
    assert!((spin(&solver) - 5.0).abs() < 0.02, "turns at {} rad/s", spin(&solver));
    solver.set_motor(JointId(0), Some(Motor::speed(0.0, torque))).unwrap();
    run(&mut solver, 180);
    assert!(spin(&solver).abs() < 0.02, "braked it turns at {} rad/s", spin(&solver));
    solver.set_motor(JointId(0), Some(Motor::speed(-3.0, f32::INFINITY))).unwrap();
    run(&mut solver, 2);
    assert!((spin(&solver) + 3.0).abs() < 0.02, "turns at {} rad/s", spin(&solver));
    solver.set_motor(JointId(0), None).unwrap();
    run(&mut solver, 30);
    assert!(spin(&solver) < -2.5, "let go, it turns on at {} rad/s", spin(&solver));
}

#[test]
fn a_speed_motor_between_free_bodies_keeps_momentum() {
    let mut scene = rotor(false);
    scene.params.linear_damping = 0.0;
    scene.params.angular_damping = 0.0;
    let inertia = scene.bodies[1].inertia.z_axis.z;
    let mut solver = solver(&scene);
    solver.set_motor(JointId(0), Some(Motor::speed(4.0, inertia))).unwrap();
    run(&mut solver, 60);
    let before = spin(&solver) / solver.view().time as f32;
    println!("{before} rad/s² between two that are free");
    assert!((before - 2.0).abs() < 0.1, "gains {before} rad/s²");
    run(&mut solver, 120);
    assert!((spin(&solver) - 4.0).abs() < 0.02, "turns at {} rad/s", spin(&solver));
    let states = bodies(&solver);
    let momentum: f32 = states.iter().map(|body| body.angular_velocity[2]).sum();
    assert!(momentum.abs() < 0.01, "they turn {momentum} rad/s together");
}

#[test]
fn a_wheel_drives_a_cart() {
    let mut scene = Scene::default();
    scene.add_collider(Collider::ground(0.0)).unwrap();
    let cart = scene.add_body(cuboid(vec3(0.4, 0.08, 0.2), vec3(0.0, 0.3, 0.0))).unwrap();
    let places = [(-0.3, 0.3), (-0.3, -0.3), (0.3, 0.3), (0.3, -0.3)];
    for (x, z) in places {
        let wheel = scene.add_body(BodyDesc::sphere(0.2, RADIUS).at(vec3(x, 0.2, z))).unwrap();
        let desc = JointDesc::new(JointKind::Hinge, cart, wheel, vec3(x, 0.2, z), Vec3::Z, RADIUS);
        scene.add_joint(desc).unwrap();
    }
    let mut solver = solver(&scene);
    run(&mut solver, 20);
    (0..4).for_each(|wheel| solver.set_motor(JointId(wheel), Some(Motor::speed(-5.0, 20.0))).unwrap());
    run(&mut solver, 120);
    let speed = bodies(&solver)[0].velocity[0];
    println!("the cart rolls at {speed} m/s");
    assert!((speed - 1.0).abs() < 0.1, "the cart rolls at {speed} m/s");
}

#[test]
fn a_changed_target_is_reached_and_held_against_gravity() {
    let mut solver = solver(&arm());
    solver.set_joint_damping(JointId(0), 4.0).unwrap();
    for goal in [0.6, -0.4] {
        solver.set_motor(JointId(0), Some(Motor::angle(goal, 1e-5, 1000.0))).unwrap();
        run(&mut solver, 150);
        let turned = angle(&solver, 0);
        println!("goal {goal}, turned {turned} rad");
        assert!((turned - goal).abs() < 0.01, "goal {goal}, turned {turned} rad");
    }
    let told = solver.read_joint_rotations().unwrap()[0];
    assert!(told.angle_between(Quat::from_rotation_x(angle(&solver, 0))) < 1e-3, "{told} is not its angle");
}

#[test]
fn a_changed_range_stops_and_friction_holds() {
    let mut solver = solver(&arm());
    solver.set_joint_limits(JointId(0), Limits::Hinge { min: -0.5, max: 0.0 }).unwrap();
    run(&mut solver, 120);
    assert!((angle(&solver, 0) + 0.5).abs() < 0.02, "stops at {} rad", angle(&solver, 0));
    solver.set_joint_friction(JointId(0), 1000.0).unwrap();
    solver.set_joint_limits(JointId(0), Limits::Free).unwrap();
    run(&mut solver, 60);
    assert!((angle(&solver, 0) + 0.5).abs() < 0.02, "friction lets it sink to {} rad", angle(&solver, 0));
    solver.set_joint_friction(JointId(0), 0.0).unwrap();
    run(&mut solver, 20);
    assert!(angle(&solver, 0) < -0.8, "without friction it stays at {} rad", angle(&solver, 0));
}

#[test]
fn a_broken_joint_lets_go_and_a_weak_one_breaks() {
    for weak in [false, true] {
        let mut solver = solver(&arm());
        solver.set_motor(JointId(0), Some(Motor::angle(0.0, 0.0, f32::INFINITY))).unwrap();
        run(&mut solver, 20);
        let height = bodies(&solver)[1].center[1];
        assert!((height - 1.0).abs() < 0.02, "held it is {height} m high");
        if weak {
            solver.set_break_force(JointId(0), 1.0).unwrap()
        } else {
            solver.break_joint(JointId(0)).unwrap()
        }
        run(&mut solver, 30);
        let fallen = height - bodies(&solver)[1].center[1];
        // Half a second, less the substep in which it breaks.
        assert!((fallen - 0.5 * 9.81 * 0.25).abs() < 0.06, "falls {fallen} m");
        assert_eq!(solver.read_broken_joints().unwrap(), [true]);
    }
}

/// A jointed pair that lies on the ground, and far away a stack of two.
fn sleepers() -> Solver {
    let mut scene = Scene::default();
    scene.add_collider(Collider::ground(0.0)).unwrap();
    let flat = vec3(0.2, 0.1, 0.1);
    let a = scene.add_body(cuboid(flat, Vec3::Y * 0.1)).unwrap();
    let b = scene.add_body(cuboid(flat, vec3(0.42, 0.1, 0.0))).unwrap();
    for y in [0.1, 0.3] {
        scene.add_body(cuboid(Vec3::splat(0.1), vec3(5.0, y, 0.0))).unwrap();
    }
    scene.add_joint(JointDesc::new(JointKind::Hinge, a, b, vec3(0.21, 0.1, 0.0), Vec3::Z, RADIUS)).unwrap();
    let mut solver = solver(&scene);
    run(&mut solver, 100);
    assert_eq!(asleep(&solver), [true; 4]);
    solver
}

fn asleep(solver: &Solver) -> Vec<bool> {
    bodies(solver).iter().map(|body| body.inv_mass == 0.0).collect()
}

#[test]
fn a_changed_motor_wakes_its_pair_alone() {
    let mut solver = sleepers();
    let motor = Some(Motor::angle(0.5, 1e-4, 100.0));
    solver.set_motor(JointId(0), motor).unwrap();
    run(&mut solver, 10);
    assert_eq!(asleep(&solver), [false, false, true, true]);
    assert!(angle(&solver, 0) > 0.02, "it turns {} rad", angle(&solver, 0));
    run(&mut solver, 200);
    assert_eq!(asleep(&solver), [true; 4]);
    solver.set_motor(JointId(0), motor).unwrap();
    run(&mut solver, 2);
    assert_eq!(asleep(&solver), [true; 4], "what is not changed wakes nobody");
    solver.break_joint(JointId(0)).unwrap();
    run(&mut solver, 1);
    assert_eq!(asleep(&solver), [false, false, true, true]);
}

#[test]
fn a_state_and_a_rebuild_keep_edits() {
    let scene = rotor(true);
    let mut solver = solver(&scene);
    let motor = Some(Motor::speed(3.0, 50.0));
    solver.set_motor(JointId(0), motor).unwrap();
    solver.set_joint_friction(JointId(0), 0.25).unwrap();
    run(&mut solver, 5);
    let state = solver.save().unwrap();
    let bytes = state.to_bytes(&solver).unwrap();
    run(&mut solver, 20);
    let after: Vec<u8> = bytemuck(&bodies(&solver));
    solver.set_motor(JointId(0), Some(Motor::speed(-7.0, 50.0))).unwrap();
    run(&mut solver, 20);
    solver.restore(&state).unwrap();
    assert_eq!((solver.scene().joints[0].desc.motor, solver.scene().joints[0].desc.friction), (motor, 0.25));
    run(&mut solver, 20);
    assert_eq!(bytemuck(&bodies(&solver)), after, "goes on otherwise");

    let mut other = self::solver(&scene);
    other.restore(&sinew::solver::State::from_bytes(&bytes, &other).unwrap()).unwrap();
    assert_eq!(other.scene().joints[0].desc.motor, motor);
    run(&mut other, 20);
    assert_eq!(bytemuck(&bodies(&other)), after, "another solver goes on otherwise");

    // The caller's scene knows nothing of the edits.
    let mut grown = scene.clone();
    grown.add_body(BodyDesc::sphere(0.1, RADIUS).at(Vec3::X * 3.0)).unwrap();
    solver.spawn(&grown).unwrap();
    run(&mut solver, 60);
    assert_eq!(solver.scene().joints[0].desc.motor, motor);
    assert!((spin(&solver) - 3.0).abs() < 0.02, "turns at {} rad/s", spin(&solver));
}

fn bytemuck(states: &[BodyState]) -> Vec<u8> {
    states
        .iter()
        .flat_map(|s| [s.center.as_slice(), &s.rotation, &s.velocity, &s.angular_velocity].concat())
        .flat_map(f32::to_ne_bytes)
        .collect()
}

#[test]
fn scene_files_say_the_speed_of_a_motor() {
    let text = |motor: &str| {
        format!(
            "(items: [Body(name: \"a\", kinematic: true, position: (0, 2, 0)), Body(name: \"b\", position: (0.4, 2, 0)),
               Joint(kind: Hinge, a: \"a\", b: \"b\", position: (0.2, 2, 0), axis: (0, 0, 1), motor: {motor})])"
        )
    };
    let scene = Scene::from_ron(&text("(speed: 180, max_torque: 4)"), Path::new(".")).unwrap();
    assert_eq!(scene.joints[0].desc.motor, Some(Motor::speed(std::f32::consts::PI, 4.0)));
    for bad in ["(speed: 180, target: (0, 0, 20))", "(speed: 180, compliance: 1)"] {
        assert!(Scene::from_ron(&text(bad), Path::new(".")).is_err(), "{bad}");
    }
}

#[test]
fn what_cannot_be_is_refused_by_name() {
    let mut scene = rotor(true);
    let (a, b) = (BodyId(0), BodyId(1));
    scene.add_joint(JointDesc::new(JointKind::Ball, a, b, vec3(0.0, 1.0, 0.15), Vec3::Z, RADIUS)).unwrap();
    let mut solver = solver(&scene);
    let missing = SolverError::Missing { what: "joint", index: 9, count: 2 };
    assert_eq!(solver.set_motor(JointId(9), None), Err(missing.clone()));
    assert_eq!(solver.break_joint(JointId(9)), Err(missing));
    let bad = [
        solver.set_motor(JointId(0), Some(Motor::speed(f32::NAN, 1.0))),
        solver.set_motor(JointId(0), Some(Motor::speed(1.0, -1.0))),
        solver.set_motor(JointId(0), Some(Motor::speed(1.0, f32::NAN))),
        solver.set_motor(JointId(0), Some(Motor::angle(0.0, -1.0, 1.0))),
        solver.set_joint_limits(JointId(0), Limits::Hinge { min: 1.0, max: -1.0 }),
        solver.set_joint_friction(JointId(0), -1.0),
        solver.set_joint_damping(JointId(0), f32::INFINITY),
        solver.set_break_force(JointId(0), 0.0),
    ];
    for (case, refused) in bad.into_iter().enumerate() {
        assert!(matches!(refused, Err(SolverError::Scene(SceneError::Number { .. }))), "{case}: {refused:?}");
    }
    let of_ball = solver.set_motor(JointId(1), Some(Motor::speed(1.0, 1.0)));
    assert!(matches!(of_ball, Err(SolverError::Scene(SceneError::JointPart { kind: "ball", .. }))), "{of_ball:?}");
    assert_eq!(solver.scene().joints[0].desc, scene.joints[0].desc, "what is refused changes nothing");
    solver.remove_body(b).unwrap();
    assert_eq!(solver.set_joint_friction(JointId(0), 1.0), Err(SolverError::Removed(b)));
    run(&mut solver, 2);
}

#[test]
fn a_joint_out_of_action_lets_go_and_holds_again() {
    let mut solver = solver(&arm());
    solver.set_joint_enabled(JointId(0), false).unwrap();
    assert_eq!(solver.read_broken_joints().unwrap(), [true]);
    run(&mut solver, 18);
    let fallen = bodies(&solver)[1];
    let expected = -9.81 * solver.view().time as f32;
    assert!((fallen.velocity[1] - expected).abs() < 1e-3, "it falls freely: {:?}", fallen.velocity);
    let gap = |solver: &Solver| {
        let (states, joint) = (bodies(solver), &solver.scene().joints[0]);
        let [at_a, at_b] = joint.ends();
        let place = |i: usize, local: Vec3| Vec3::from(states[i].center) + Quat::from_array(states[i].rotation) * local;
        place(0, at_a).distance(place(1, at_b))
    };
    let open = gap(&solver);
    assert!(open > 0.4, "{open} m apart");
    solver.set_joint_enabled(JointId(0), true).unwrap();
    assert_eq!(solver.read_broken_joints().unwrap(), [false]);
    let (mut before, mut frames) = (open, 0);
    while before > 0.01 {
        solver.step();
        let now = gap(&solver);
        let speed = 60.0 * (before - now);
        assert!((speed - 1.0).abs() < 0.1 || now < 0.02, "comes together at {speed} m/s");
        (before, frames) = (now, frames + 1);
        assert!(frames < 60, "still {now} m apart");
    }
    assert!((frames as f32 / 60.0 - open).abs() < 0.05, "after {frames} frames for {open} m");
    run(&mut solver, 60);
    assert!(gap(&solver) < 1e-4, "{} m apart", gap(&solver));
    assert!(solver.read_health().unwrap().is_good());
}

#[test]
fn a_joint_that_mends_bears_what_pulls_its_bodies_together() {
    let mut scene = Scene::default();
    let hook = BodyDesc { kinematic: true, ..cuboid(Vec3::splat(0.1), Vec3::Y * 3.0) };
    let hook = scene.add_body(hook).unwrap();
    let weight = scene.add_body(cuboid(Vec3::splat(0.1), Vec3::Y * 2.7).with_mass(5.0)).unwrap();
    let joint = JointDesc::new(JointKind::Ball, hook, weight, Vec3::Y * 2.85, Vec3::Y, 0.04);
    scene.add_joint(JointDesc { break_force: 500.0, ..joint }).unwrap();
    let mut solver = solver(&scene);
    solver.break_joint(JointId(0)).unwrap();
    run(&mut solver, 30);
    solver.set_joint_enabled(JointId(0), true).unwrap();
    run(&mut solver, 150);
    assert_eq!(solver.read_broken_joints().unwrap(), [false]);
    let height = bodies(&solver)[1].center[1];
    assert!((height - 2.7).abs() < 0.01, "it hangs at {height} m");
    solver.push(Push::force(weight, Vec3::NEG_Y * 600.0)).unwrap();
    run(&mut solver, 1);
    assert_eq!(solver.read_broken_joints().unwrap(), [true], "and breaks as before");
}

#[test]
fn free_bodies_that_a_joint_takes_again_keep_their_momentum() {
    for kind in JointKind::ALL {
        let mut scene = Scene::default();
        scene.params.gravity = Vec3::ZERO;
        let a = scene.add_body(cuboid(vec3(0.2, 0.1, 0.1), Vec3::ZERO)).unwrap();
        let b = scene.add_body(cuboid(vec3(0.2, 0.1, 0.15), vec3(0.5, 0.0, 0.0))).unwrap();
        let mut joint = JointDesc::new(kind, a, b, vec3(0.25, 0.0, 0.0), Vec3::X, RADIUS);
        if kind == JointKind::Distance {
            joint = JointDesc::rod(a, b, vec3(0.2, 0.0, 0.0), vec3(0.3, 0.0, 0.0));
        }
        scene.add_joint(joint).unwrap();
        let masses = [0, 1].map(|i| scene.bodies[i].mass);
        let mut solver = solver(&scene);
        solver.break_joint(JointId(0)).unwrap();
        let turned = Quat::from_rotation_z(0.4);
        solver.set_body_pose(b, vec3(0.8, 0.3, 0.1), turned, vec3(0.0, 0.4, 0.0), vec3(0.3, 0.0, 0.5)).unwrap();
        solver.step();
        let momentum = |solver: &Solver| {
            let states = bodies(solver);
            let of = |i: usize| {
                let (at, p) = (Vec3::from(states[i].center), masses[i] * Vec3::from(states[i].velocity));
                let turn = glam::Mat3::from_quat(Quat::from_array(states[i].rotation));
                let inertia = turn * scene.bodies[i].inertia * turn.transpose();
                (p, at.cross(p) + inertia * Vec3::from(states[i].angular_velocity))
            };
            let [(p, l), (q, m)] = [of(0), of(1)];
            (p + q, l + m)
        };
        let before = momentum(&solver);
        solver.set_joint_enabled(JointId(0), true).unwrap();
        run(&mut solver, 120);
        let after = momentum(&solver);
        let scale = before.0.length() + before.1.length();
        assert!((after.0 - before.0).length() < 2e-3 * scale, "{kind:?}: {before:?} {after:?}");
        assert!((after.1 - before.1).length() < 0.02 * scale, "{kind:?}: {before:?} {after:?}");
        let place = solver.read_joint_places().unwrap()[0];
        if !kind.travels() {
            assert!(place.length() < 1e-3, "{kind:?} {place}");
        }
        assert!(solver.read_health().unwrap().is_good());
    }
}

/// A held body and one of 2 kg whose center is 0.4 m out from their hinge, or beside it on a slider that goes up and down.
fn loaded(kind: JointKind, iterations: u32, change: impl Fn(&mut JointDesc)) -> Scene {
    let mut scene = Scene::default();
    (scene.params.iterations, scene.params.sleep_time) = (iterations, 0.0);
    let a = scene.add_body(BodyDesc { kinematic: true, ..cuboid(Vec3::splat(0.1), 2.0 * Vec3::Y) }).unwrap();
    let half = vec3(0.3, 0.05, 0.05);
    let b = scene.add_body(cuboid(half, vec3(0.5, 2.0, 0.0)).with_mass(2.0)).unwrap();
    let axis = if kind == JointKind::Hinge { Vec3::Z } else { Vec3::Y };
    let mut desc = JointDesc::new(kind, a, b, vec3(0.1, 2.0, 0.0), axis, RADIUS);
    if kind == JointKind::Slider {
        desc.travel[0] = Travel::between(-1.0, 1.0);
    }
    change(&mut desc);
    scene.add_joint(desc).unwrap();
    scene
}

#[test]
fn a_soft_target_yields_by_its_compliance_whatever_else_is_solved() {
    let soft = |desc: &mut JointDesc| desc.motor = Some(Motor::angle(0.0, 0.02, 1000.0));
    let damped = |scene: &mut Scene| {
        // What is damped takes a second sweep, here of all joints.
        let a = scene.add_body(BodyDesc { kinematic: true, ..cuboid(Vec3::splat(0.1), vec3(10.0, 2.0, 0.0)) }).unwrap();
        let b = scene.add_body(cuboid(Vec3::splat(0.1), vec3(10.0, 1.5, 0.0))).unwrap();
        let ball = JointDesc::new(JointKind::Ball, a, b, vec3(10.0, 1.8, 0.0), Vec3::Y, RADIUS);
        scene.add_joint(JointDesc { damping: 0.5, ..ball }).unwrap();
    };
    for (iterations, damping, far) in [(1, 0.0, false), (1, 1.0, false), (1, 0.0, true), (4, 0.0, false)] {
        let mut scene = loaded(JointKind::Hinge, iterations, |desc| {
            soft(desc);
            desc.damping = damping;
        });
        (scene.params.linear_damping, scene.params.angular_damping) = (8.0, 8.0);
        if far {
            damped(&mut scene);
        }
        let mut solver = solver(&scene);
        run(&mut solver, 120);
        let turned = angle(&solver, 0);
        // 2 kg at 0.4 m, less where it has sunk.
        let expected = -0.02 * 2.0 * 9.81 * 0.4 * turned.cos();
        println!("{iterations} iterations, damping {damping}, another joint {far}: {turned} rad, {expected} expected");
        assert!((turned - expected).abs() < 0.01, "{turned} rad, {expected} expected");
    }
}

#[test]
fn joints_bear_no_more_in_more_iterations_and_sweeps() {
    let height = |solver: &Solver| bodies(solver)[1].center[1];
    let motor = |motor: Motor| move |desc: &mut JointDesc| desc.motor = Some(motor);
    let weak = Motor::angle(0.0, 0.02, 5.0);
    type Case<'a> = (&'a str, JointKind, &'a dyn Fn(&mut JointDesc));
    let change: [Case<'_>; 7] = [
        ("target", JointKind::Hinge, &motor(weak)),
        ("damped target", JointKind::Hinge, &|desc| (desc.motor, desc.damping) = (Some(weak), 0.01)),
        ("friction", JointKind::Hinge, &|desc| desc.friction = 3.0),
        ("damping", JointKind::Hinge, &|desc| desc.damping = 10.0),
        ("friction along", JointKind::Slider, &|desc| desc.friction = 8.0),
        ("velocity", JointKind::Slider, &motor(Motor::Velocity { velocity: 0.5, max_force: 8.0 })),
        ("position", JointKind::Slider, &motor(Motor::Position { position: 0.0, compliance: 0.0, max_force: 8.0 })),
    ];
    for (name, kind, change) in change {
        let sunk = [1, 4].map(|iterations| {
            let mut solver = solver(&loaded(kind, iterations, change));
            run(&mut solver, 25);
            2.0 - height(&solver)
        });
        println!("{name}: sinks by {} m, in 4 iterations by {} m", sunk[0], sunk[1]);
        assert!(sunk[0] > 0.05, "{name}: it bears {} m", sunk[0]);
        assert!((sunk[1] / sunk[0] - 1.0).abs() < 0.1, "{name}: {} m in 4 iterations, {} m in one", sunk[1], sunk[0]);
    }
}

#[test]
fn what_the_host_parts_falls_however_joints_are_solved() {
    type Part = dyn Fn(&mut Solver);
    let parts: [(&str, &Part); 4] = [
        ("broken", &|solver| solver.break_joint(JointId(0)).unwrap()),
        ("out of action", &|solver| solver.set_joint_enabled(JointId(0), false).unwrap()),
        ("removed", &|solver| solver.remove_body(BodyId(0)).unwrap()),
        ("grown", &|solver| {
            solver.break_joint(JointId(0)).unwrap();
            solver.set_mass(BodyId(1), 3.0).unwrap();
            let mut grown = solver.scene().clone();
            grown.add_body(cuboid(Vec3::splat(0.1), vec3(5.0, 1.0, 0.0))).unwrap();
            solver.spawn(&grown).unwrap();
        }),
    ];
    for joints in [JointSolver::Point, JointSolver::Average, JointSolver::Particles] {
        for (name, part) in parts {
            let mut scene = Scene::default();
            (scene.params.joints, scene.params.sleep_time) = (joints, 0.0);
            let above = cuboid(Vec3::splat(0.1), 3.0 * Vec3::Y);
            let above = scene.add_body(BodyDesc { kinematic: true, ..above }).unwrap();
            let below = scene.add_body(cuboid(Vec3::splat(0.1), 2.6 * Vec3::Y)).unwrap();
            scene.add_joint(JointDesc::new(JointKind::Ball, above, below, 2.8 * Vec3::Y, Vec3::Y, RADIUS)).unwrap();
            let mut solver = solver(&scene);
            run(&mut solver, 10);
            let hangs = bodies(&solver)[1].center[1];
            part(&mut solver);
            run(&mut solver, 24);
            let way = hangs - bodies(&solver)[1].center[1];
            println!("{joints:?}, {name}: falls by {way} m in 0.4 s");
            assert!((hangs - 2.6).abs() < 0.05 && (way - 0.78).abs() < 0.1, "{joints:?}, {name}: {way} m");
        }
    }
}
