//! Jointed bodies some of whose axes are locked, against held ones and against what mechanics says.

use glam::{BVec3, Quat, Vec3, vec3};
use sinew::scene::{BodyDesc, BodyId, Dynamics, JointDesc, JointKind, Push, Scene};
use sinew::solver::BodyState;

use crate::gears::{run, solver};

const RADIUS: f32 = 0.05;
const GRAVITY: f32 = 9.81;

/// No air, no sleep, as mechanics has it.
fn bare(gravity: Vec3) -> Scene {
    let mut scene = Scene::default();
    scene.params.gravity = gravity;
    (scene.params.linear_damping, scene.params.angular_damping) = (0.0, 0.0);
    scene.params.sleep_time = 0.0;
    scene
}

fn locked(locked: BVec3, upright: BVec3) -> Dynamics {
    Dynamics { locked, upright, ..Dynamics::default() }
}

/// All axes.
fn firm() -> Dynamics {
    locked(BVec3::TRUE, BVec3::TRUE)
}

fn ball(mass: f32, at: Vec3) -> BodyDesc {
    BodyDesc::sphere(0.1, RADIUS).with_mass(mass).at(at)
}

fn stiff(scene: &mut Scene, a: BodyId, b: BodyId, at: Vec3) {
    scene.add_joint(JointDesc::new(JointKind::Stiff, a, b, at, Vec3::X, RADIUS)).unwrap();
}

/// A base of 2 kg at a height of 5 m with so many balls of 8 kg in a row along X, 1 m apart.
fn arms(base: BodyDesc, count: usize) -> Scene {
    let mut scene = bare(Vec3::NEG_Y * GRAVITY);
    let mut last = scene.add_body(base.with_mass(2.0).at(Vec3::Y * 5.0)).unwrap();
    for i in 1..=count {
        let next = scene.add_body(ball(8.0, vec3(i as f32, 5.0, 0.0))).unwrap();
        stiff(&mut scene, last, next, vec3(i as f32 - 0.5, 5.0, 0.0));
        last = next;
    }
    scene
}

/// Of two runs.
fn farthest(a: &[BodyState], b: &[BodyState]) -> f32 {
    a.iter().zip(b).map(|(a, b)| a.center().distance(b.center())).fold(0.0, f32::max)
}

#[test]
fn what_is_locked_holds_its_joints_as_what_is_kinematic() {
    let shape = BodyDesc::cuboid(Vec3::splat(0.1), RADIUS);
    for count in [1, 3] {
        let held = BodyDesc { kinematic: true, ..shape.clone() };
        let fixed = BodyDesc { dynamics: firm(), ..shape.clone() };
        let [held, fixed] = [held, fixed].map(|base| run(&mut solver(&arms(base, count)), 120));
        let sag = 5.0 - fixed[count].center().y;
        println!("{count} arms: {sag} m, {} m from those of a kinematic base", farthest(&held, &fixed));
        assert!(farthest(&held, &fixed) < 1e-4 && sag.abs() < 1e-4, "{count} arms: {sag} m");
    }
}

/// Two balls on massless rods of 1 m, from level and rest, in steps of 0.1 ms: where the second is after `time`.
fn double_pendulum(mass: f64, inertia: f64, time: f64) -> Vec3 {
    // Accelerations of the angles from straight down, by Lagrange.
    let change = |[a, b, va, vb]: [f64; 4]| {
        let g = f64::from(GRAVITY);
        let (sine, cosine) = (a - b).sin_cos();
        let [m_aa, m_ab, m_bb] = [2.0 * mass + inertia, mass * cosine, mass + inertia];
        let f_a = -mass * vb * vb * sine - 2.0 * mass * g * a.sin();
        let f_b = mass * va * va * sine - mass * g * b.sin();
        let det = m_aa * m_bb - m_ab * m_ab;
        [va, vb, (m_bb * f_a - m_ab * f_b) / det, (m_aa * f_b - m_ab * f_a) / det]
    };
    let along = |s: [f64; 4], k: [f64; 4], h: f64| std::array::from_fn(|i| s[i] + h * k[i]);
    let h = 1e-4;
    let mut state = [std::f64::consts::FRAC_PI_2, std::f64::consts::FRAC_PI_2, 0.0, 0.0];
    for _ in 0..(time / h).round() as usize {
        let k1 = change(state);
        let k2 = change(along(state, k1, 0.5 * h));
        let k3 = change(along(state, k2, 0.5 * h));
        let k4 = change(along(state, k3, h));
        state = std::array::from_fn(|i| state[i] + h / 6.0 * (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i]));
    }
    let [a, b, ..] = state;
    vec3((a.sin() + b.sin()) as f32, -(a.cos() + b.cos()) as f32, 0.0)
}

#[test]
fn a_pendulum_on_a_locked_body_swings_no_worse_than_on_a_kinematic_one() {
    let swings = |base: BodyDesc, kind: JointKind| {
        let mut scene = bare(Vec3::NEG_Y * GRAVITY);
        let mut last = scene.add_body(base.with_mass(2.0)).unwrap();
        for i in 1..=2 {
            let next = scene.add_body(ball(8.0, vec3(i as f32, 0.0, 0.0))).unwrap();
            let hinge = JointDesc::new(kind, last, next, vec3(i as f32 - 1.0, 0.0, 0.0), Vec3::Z, RADIUS);
            scene.add_joint(hinge).unwrap();
            last = next;
        }
        let inertia = f64::from(scene.bodies[2].inertia.z_axis.z);
        let mut solver = solver(&scene);
        let states = run(&mut solver, 60);
        let expected = double_pendulum(8.0, inertia, solver.view().time);
        (states[0].center(), states[2].center().distance(expected))
    };
    let shape = BodyDesc::cuboid(Vec3::splat(0.1), RADIUS);
    for kind in [JointKind::Hinge, JointKind::Ball] {
        let (_, held) = swings(BodyDesc { kinematic: true, ..shape.clone() }, kind);
        let (base, fixed) = swings(BodyDesc { dynamics: firm(), ..shape.clone() }, kind);
        println!("{kind:?}: off by {fixed} m, on a kinematic body by {held} m");
        assert!(fixed < held.max(5e-3), "{kind:?}: {fixed} m, and {held} m");
        assert_eq!(base, Vec3::ZERO);
    }
}

#[test]
fn a_loop_on_a_locked_body_keeps_its_shape() {
    let mut scene = arms(BodyDesc { dynamics: firm(), ..BodyDesc::cuboid(Vec3::splat(0.1), RADIUS) }, 1);
    let [third, fourth] = [vec3(1.0, 6.0, 0.0), vec3(0.0, 6.0, 0.0)].map(|at| scene.add_body(ball(8.0, at)).unwrap());
    stiff(&mut scene, BodyId(1), third, vec3(1.0, 5.5, 0.0));
    stiff(&mut scene, third, fourth, vec3(0.5, 6.0, 0.0));
    stiff(&mut scene, fourth, BodyId(0), vec3(0.0, 5.5, 0.0));
    let states = run(&mut solver(&scene), 120);
    let moved = states.iter().zip(&scene.bodies).map(|(now, body)| now.center().distance(body.position));
    let moved = moved.fold(0.0, f32::max);
    println!("moved by {moved} m");
    assert!(moved < 1e-4, "{moved} m");
}

#[test]
fn what_is_held_out_by_who_stays_upright_goes_with_them() {
    let dynamics = locked(BVec3::FALSE, BVec3::TRUE);
    let mut scene = bare(Vec3::ZERO);
    let hero = BodyDesc { dynamics, ..BodyDesc::capsule(0.3, 0.6, 0.06).with_mass(5.0) };
    let hero = scene.add_body(hero).unwrap();
    let stick = BodyDesc::cuboid(vec3(0.6, 0.05, 0.05), RADIUS).with_mass(20.0).at(vec3(0.9, 0.3, 0.0));
    let stick = scene.add_body(stick).unwrap();
    stiff(&mut scene, hero, stick, vec3(0.3, 0.3, 0.0));
    let mut solver = solver(&scene);
    let impulse = vec3(0.0, -10.0, 5.0);
    solver.push(Push::impulse(stick, impulse).at_local(Vec3::X * 0.5)).unwrap();
    let expected = impulse / 25.0;
    for _ in 0..5 {
        let states = run(&mut solver, 12);
        for state in &states {
            println!("{} m/s, {} rad/s", state.velocity(), state.angular_velocity());
            assert!(state.velocity().distance(expected) < 2e-3 * expected.length(), "{}", state.velocity());
            assert!(state.rotation().angle_between(Quat::IDENTITY) < 1e-3, "{}", state.rotation());
        }
        let apart = states[1].center() - states[0].center();
        assert!(apart.distance(vec3(0.9, 0.3, 0.0)) < 1e-4, "{apart}");
    }
}

#[test]
fn a_lift_falls_with_its_arms() {
    let dynamics = locked(BVec3::new(true, false, true), BVec3::TRUE);
    let mut solver = solver(&arms(BodyDesc { dynamics, ..BodyDesc::cuboid(Vec3::splat(0.1), RADIUS) }, 3));
    // Sideways nothing moves it.
    solver.push(Push::impulse(BodyId(3), vec3(40.0, 0.0, 20.0))).unwrap();
    let states = run(&mut solver, 60);
    let time = solver.view().time as f32;
    let fallen = 5.0 - 0.5 * GRAVITY * time * time;
    for (i, state) in states.iter().enumerate() {
        let at = state.center();
        println!("{at}, {fallen} m expected");
        assert!(at.distance(vec3(i as f32, states[0].center().y, 0.0)) < 1e-4, "{at}");
        assert!((state.velocity().y + GRAVITY * time).abs() < 1e-2, "{}", state.velocity());
    }
}

#[test]
fn a_cart_on_a_rail_and_its_pendulum_keep_their_middle() {
    let dynamics = locked(BVec3::new(false, true, true), BVec3::TRUE);
    let (cart_mass, mass, length) = (2.0, 8.0, 1.0);
    let mut scene = bare(Vec3::NEG_Y * GRAVITY);
    let cart = BodyDesc { dynamics, ..BodyDesc::cuboid(Vec3::splat(0.1), RADIUS).with_mass(cart_mass) };
    let cart = scene.add_body(cart).unwrap();
    let bob = scene.add_body(ball(mass, Quat::from_rotation_z(1.0) * vec3(0.0, -length, 0.0))).unwrap();
    scene.add_joint(JointDesc::new(JointKind::Hinge, cart, bob, Vec3::ZERO, Vec3::Z, RADIUS)).unwrap();
    let inertia = scene.bodies[1].inertia.z_axis.z;
    let middle = |states: &[BodyState]| (cart_mass * states[0].center().x + mass * states[1].center().x) / 10.0;
    let energy = |states: &[BodyState]| {
        0.5 * cart_mass * states[0].velocity().length_squared()
            + 0.5 * mass * states[1].velocity().length_squared()
            + 0.5 * inertia * states[1].angular_velocity().length_squared()
            + mass * GRAVITY * states[1].center().y
    };
    let first = -mass * GRAVITY * 1.0_f32.cos();
    let start = mass * 1.0_f32.sin() / 10.0;
    let mut solver = solver(&scene);
    let (mut lost, mut strayed): (f32, f32) = (0.0, 0.0);
    for _ in 0..12 {
        let states = run(&mut solver, 10);
        lost = lost.max((energy(&states) - first).abs());
        strayed = strayed.max((middle(&states) - start).abs());
        assert!(states[0].center().y == 0.0 && states[0].rotation() == Quat::IDENTITY);
    }
    println!("energy off by {lost} J of {}, the middle by {strayed} m", first.abs());
    assert!(lost < 0.02 * first.abs() && strayed < 2e-3, "{lost} J, {strayed} m");
}

#[test]
fn what_turns_about_one_axis_alone_keeps_its_speed() {
    let dynamics = locked(BVec3::FALSE, BVec3::new(true, false, true));
    let mut scene = bare(Vec3::ZERO);
    let tilted = BodyDesc::cuboid(vec3(0.1, 0.8, 0.1), RADIUS).rotated(Quat::from_rotation_x(0.7));
    scene.add_body(BodyDesc { dynamics, angular_velocity: Vec3::Y, ..tilted }).unwrap();
    let state = run(&mut solver(&scene), 120)[0];
    println!("{} rad/s", state.angular_velocity());
    assert!(state.angular_velocity().distance(Vec3::Y) < 1e-3, "{}", state.angular_velocity());
}
