//! Joints whose points part: ropes, rods, springs, sliders, and what is free in other ways, against what mechanics says.

use std::f32::consts::PI;

use glam::{DMat3, DQuat, DVec3, Quat, Vec3, vec3};
use sinew::demos::stage_for;
use sinew::gpu::Context;
use sinew::scene::{
    BodyDesc, BodyId, Collider, JointDesc, JointId, JointKind, JointSolver, Limits, Motor, Placement, Push, Scene,
    Thing, Travel,
};
use sinew::solver::{BodyState, EventKind, JointRef, Listener, Solver};

pub(super) const RADIUS: f32 = 0.05;
pub(super) const GRAVITY: f32 = 9.81;

pub(super) fn solver(scene: &Scene) -> Solver {
    Solver::new(&Context::shared().expect("adapter"), scene).unwrap()
}

pub(super) fn run(solver: &mut Solver, frames: usize) {
    (0..frames).for_each(|_| solver.step());
}

fn body(solver: &Solver, index: usize) -> BodyState {
    solver.read_bodies().unwrap()[index]
}

fn at(solver: &Solver, index: usize) -> Vec3 {
    body(solver, index).center()
}

/// No air, no sleep, as mechanics has it.
pub(super) fn bare() -> Scene {
    let mut scene = Scene::default();
    scene.params.gravity = Vec3::NEG_Y * GRAVITY;
    (scene.params.linear_damping, scene.params.angular_damping) = (0.0, 0.0);
    scene.params.sleep_time = 0.0;
    scene
}

pub(super) fn cube(mass: f32, at: Vec3) -> BodyDesc {
    BodyDesc::cuboid(Vec3::splat(0.1), RADIUS).with_mass(mass).at(at)
}

pub(super) fn held(at: Vec3) -> BodyDesc {
    BodyDesc { kinematic: true, ..cube(1.0, at) }
}

/// A held body, one of this mass below it, and what `join` makes between them.
fn hanging(mass: f32, below: f32, join: impl Fn(BodyId, BodyId, Vec3, Vec3) -> JointDesc) -> Scene {
    let mut scene = bare();
    let (top, bottom) = (Vec3::Y * 5.0, Vec3::Y * (5.0 - below));
    let a = scene.add_body(held(top)).unwrap();
    let b = scene.add_body(cube(mass, bottom)).unwrap();
    scene.add_joint(join(a, b, top, bottom)).unwrap();
    scene
}

fn place(solver: &Solver, joint: usize) -> Vec3 {
    solver.read_joint_places().unwrap()[joint]
}

#[test]
fn a_spring_stretches_by_the_weight_that_hangs_on_it() {
    for (mass, compliance) in [(10.0, 1e-3), (2.0, 1e-2), (50.0, 1e-4)] {
        let spring = |a, b, p, q| JointDesc { damping: 10.0, ..JointDesc::spring(a, b, p, q, 1.0, compliance) };
        let mut solver = solver(&hanging(mass, 1.0, spring));
        run(&mut solver, 240);
        let (stretch, expected) = (place(&solver, 0).x - 1.0, mass * GRAVITY * compliance);
        println!("{mass} kg stretch {compliance} m/N by {stretch} m, {expected} expected");
        assert!((stretch / expected - 1.0).abs() < 0.02, "stretches by {stretch} m, {expected} expected");
    }
}

#[test]
fn a_spring_swings_with_the_period_of_its_mass() {
    for iterations in [1, 3] {
        let (mass, compliance) = (10.0_f32, 2e-3_f32);
        let mut scene = hanging(mass, 1.3, |a, b, p, q| JointDesc::spring(a, b, p, q, 1.0, compliance));
        scene.params.iterations = iterations;
        scene.params.dt = 1.0 / 240.0;
        let mut solver = solver(&scene);
        let middle = 5.0 - 1.0 - mass * GRAVITY * compliance;
        let (mut crossings, mut before, mut time) = (Vec::new(), at(&solver, 1).y - middle, 0.0);
        for _ in 0..1000 {
            solver.step();
            time += scene.params.dt;
            let now = at(&solver, 1).y - middle;
            if before < 0.0 && now >= 0.0 {
                crossings.push(time - scene.params.dt * now / (now - before));
            }
            before = now;
        }
        let period = (crossings[crossings.len() - 1] - crossings[0]) / (crossings.len() - 1) as f32;
        let expected = 2.0 * PI * (mass * compliance).sqrt();
        println!("{iterations} iterations: a period of {period} s, {expected} s expected");
        assert!((period / expected - 1.0).abs() < 0.03, "{period} s, {expected} s expected");
    }
}

#[test]
fn a_rope_is_slack_inside_its_length_and_holds_at_it() {
    let rope = |a, b, p, q| JointDesc::rope(a, b, p, q, 2.0);
    let mut solver = solver(&hanging(10.0, 1.0, rope));
    run(&mut solver, 24);
    let fallen = 4.0 - at(&solver, 1).y;
    let expected = 0.5 * GRAVITY * 0.4_f32.powi(2);
    assert!((fallen / expected - 1.0).abs() < 0.02, "falls {fallen} m in 0.4 s, {expected} expected");
    let mut longest: f32 = 0.0;
    for _ in 0..120 {
        solver.step();
        longest = longest.max(place(&solver, 0).x);
    }
    let speed = body(&solver, 1).velocity();
    println!("rope of 2 m: {longest} m at most, at rest {} m at {speed} m/s", place(&solver, 0).x);
    assert!(longest < 2.001 && (place(&solver, 0).x - 2.0).abs() < 1e-3, "{longest} m at most");
    assert!(speed.length() < 1e-2, "bounces at {speed}");
    solver.set_joint_travel(JointId(0), [Travel::between(0.0, 1.5), Travel::NONE, Travel::NONE]).unwrap();
    run(&mut solver, 90);
    let speed = body(&solver, 1).velocity();
    println!("hauled in to {} m at {speed}", place(&solver, 0).x);
    assert!((place(&solver, 0).x - 1.5).abs() < 2e-3 && speed.length() < 0.05, "{} m", place(&solver, 0).x);
}

/// A light boom on a hinge, with a load ten times as heavy at its end, after a third of a second.
fn boom(tie: impl Fn(BodyId, BodyId, Vec3, Vec3) -> JointDesc, drive: impl Fn(&mut JointDesc, f32)) -> (f32, f32) {
    let mut scene = bare();
    let (end, top) = (vec3(1.0, 3.0, 0.0), vec3(1.0, 2.2, 0.0));
    let post = scene.add_body(held(vec3(0.0, 3.0, -0.5))).unwrap();
    let beam = BodyDesc::cuboid(vec3(0.5, 0.05, 0.05), RADIUS).with_mass(5.0).at(vec3(0.5, 3.0, 0.0));
    let beam = scene.add_body(beam).unwrap();
    let load = scene.add_body(cube(50.0, vec3(1.0, 2.1, 0.0))).unwrap();
    let mut hinge = JointDesc::new(JointKind::Hinge, post, beam, vec3(0.0, 3.0, -0.2), Vec3::Z, RADIUS);
    drive(&mut hinge, (50.0 + 0.5 * 5.0) * GRAVITY);
    scene.add_joint(hinge).unwrap();
    scene.add_joint(tie(beam, load, end, top)).unwrap();
    let mut solver = solver(&scene);
    run(&mut solver, 20);
    let along = body(&solver, 1).rotation() * Vec3::X;
    (along.y.atan2(along.x), at(&solver, 2).y - 2.1)
}

#[test]
fn what_stops_a_boom_stops_what_hangs_on_it_by_a_rope() {
    let rope = |a, b, from: Vec3, to: Vec3| JointDesc::rope(a, b, from, to, from.distance(to));
    let speed =
        |speed: f32| move |hinge: &mut JointDesc, need: f32| hinge.motor = Some(Motor::speed(speed, 5.0 * need));
    let (turned, sunk) = boom(rope, speed(0.0));
    println!("a motor that stands still lets the boom turn by {turned} rad and the load sink by {} m", -sunk);
    assert!(turned.abs() < 2e-3 && sunk.abs() < 2e-3, "{turned} rad, {sunk} m");
    let (turned, sunk) = boom(rope, |hinge, need| hinge.friction = 1.5 * need);
    println!("friction that bears it lets it turn by {turned} rad and sink by {} m", -sunk);
    assert!(turned.abs() < 2e-3 && sunk.abs() < 2e-3, "{turned} rad, {sunk} m");
    // What gives way does so as with a rod, and what lifts goes as fast.
    for (name, drive) in [("a weak motor", 0.5), ("a motor", 0.0)] {
        let act = |hinge: &mut JointDesc, need: f32| {
            let motor = if drive > 0.0 { Motor::speed(0.0, drive * need) } else { Motor::speed(0.5, 5.0 * need) };
            hinge.motor = Some(motor);
        };
        let ([turned, lifted], [by_rod, lifted_by_rod]) = (boom(rope, act).into(), boom(JointDesc::rod, act).into());
        println!("{name} turns it by {turned} rad on a rope, {by_rod} rad on a rod");
        assert!((turned - by_rod).abs() < 0.03 * by_rod.abs(), "{name}: {turned} and {by_rod} rad");
        assert!((lifted - lifted_by_rod).abs() < 0.03 * lifted_by_rod.abs(), "{name}: {lifted} and {lifted_by_rod} m");
    }
}

#[test]
fn a_winch_lifts_what_hangs_below_its_hook_on_a_rope() {
    for hook_mass in [5.0, 50.0] {
        let mut scene = bare();
        let jib = scene.add_body(held(5.0 * Vec3::Y)).unwrap();
        let hook = scene.add_body(cube(hook_mass, 2.0 * Vec3::Y)).unwrap();
        let load = scene.add_body(cube(50.0, 1.4 * Vec3::Y)).unwrap();
        let winch = Motor::Velocity { velocity: -0.5, max_force: 5000.0 };
        let rope = JointDesc::rope(jib, hook, 5.0 * Vec3::Y, 2.0 * Vec3::Y, 3.0);
        scene.add_joint(JointDesc { motor: Some(winch), ..rope }).unwrap();
        scene.add_joint(JointDesc::rope(hook, load, 2.0 * Vec3::Y, 1.5 * Vec3::Y, 0.5)).unwrap();
        let mut solver = solver(&scene);
        run(&mut solver, 30);
        let before = at(&solver, 2).y;
        run(&mut solver, 60);
        let speed = at(&solver, 2).y - before;
        println!("a hook of {hook_mass} kg lifts 50 kg at {speed} m/s of 0.5");
        assert!((speed - 0.5).abs() < 0.01, "{speed} m/s");
        // A rope pulls, and does not push: a winch that pays out faster than things fall lets it go slack.
        let pays_out = Motor::Velocity { velocity: 4.0, max_force: 5000.0 };
        solver.set_motor(JointId(0), Some(pays_out)).unwrap();
        let before = body(&solver, 2).velocity().y;
        run(&mut solver, 6);
        let gained = body(&solver, 2).velocity().y - before;
        println!("paid out, it gains {gained} m/s in a tenth of a second");
        assert!(gained > -1.1 * 0.1 * GRAVITY - 0.05, "{gained} m/s");
    }
}

#[test]
fn a_chain_of_rods_bears_a_weight_a_hundred_times_its_own() {
    let mut scene = bare();
    let mut last = scene.add_body(held(Vec3::Y * 6.0)).unwrap();
    for i in 1..=8 {
        let (from, to) = (vec3(0.5 * (i - 1) as f32, 6.0, 0.0), vec3(0.5 * i as f32, 6.0, 0.0));
        let next = scene.add_body(cube(if i == 8 { 100.0 } else { 1.0 }, to)).unwrap();
        scene.add_joint(JointDesc::rod(last, next, from, to)).unwrap();
        last = next;
    }
    let mut solver = solver(&scene);
    let mut worst: f32 = 0.0;
    for _ in 0..240 {
        solver.step();
        let places = solver.read_joint_places().unwrap();
        worst = places.iter().map(|place| (place.x - 0.5).abs()).fold(worst, f32::max);
    }
    println!("rods of 0.5 m are {worst} m off at most");
    assert!(worst < 2e-3, "{worst} m");
    assert!(solver.read_health().unwrap().is_good());
}

/// Momentum [kg m/s] and angular momentum about the origin [kg m²/s].
fn momenta(scene: &Scene, solver: &Solver) -> [DVec3; 2] {
    let mut sums = [DVec3::ZERO; 2];
    for (body, state) in scene.bodies.iter().zip(solver.read_bodies().unwrap()) {
        let turn = DMat3::from_quat(DQuat::from_array(state.rotation.map(f64::from)).normalize());
        let p = f64::from(body.mass) * state.velocity().as_dvec3();
        let spin = DVec3::from_array(state.angular_velocity.map(f64::from));
        sums[0] += p;
        sums[1] += state.center().as_dvec3().cross(p) + turn * body.inertia.as_dmat3() * turn.transpose() * spin;
    }
    sums
}

/// Makes a joint between two bodies, from a point of the first to one of the second.
type Join = fn(BodyId, BodyId, Vec3, Vec3) -> JointDesc;

#[test]
fn free_bodies_keep_their_momentum() {
    let corner = Vec3::splat(0.1);
    let joints: [(&str, Join); 5] = [
        ("spring", |a, b, p, q| JointDesc::spring(a, b, p, q, 0.4, 1e-3)),
        ("rod", JointDesc::rod),
        ("rope", |a, b, p, q| JointDesc::rope(a, b, p, q, 0.9)),
        ("slider", |a, b, _, _| {
            let slider = JointDesc::new(JointKind::Slider, a, b, Vec3::ZERO, vec3(1.0, 0.3, 0.0), RADIUS);
            JointDesc { travel: [Travel::between(-0.2, 0.2), Travel::NONE, Travel::NONE], ..slider }
        }),
        ("cylindrical", |a, b, _, _| JointDesc::new(JointKind::Cylindrical, a, b, Vec3::ZERO, Vec3::X, RADIUS)),
    ];
    for (name, join) in joints {
        let mut scene = bare();
        scene.params.gravity = Vec3::ZERO;
        let moving =
            |mass, x, velocity, angular_velocity| BodyDesc { velocity, angular_velocity, ..cube(mass, Vec3::X * x) };
        let a = scene.add_body(moving(8.0, -0.4, Vec3::Y * 0.5, Vec3::Z)).unwrap();
        let b = scene.add_body(moving(3.0, 0.4, vec3(0.8, -1.0, 0.4), Vec3::X * 2.0)).unwrap();
        scene.add_joint(join(a, b, Vec3::X * -0.4 + corner, Vec3::X * 0.4 - corner)).unwrap();
        let mut solver = solver(&scene);
        let before = momenta(&scene, &solver);
        run(&mut solver, 240);
        let after = momenta(&scene, &solver);
        let off = [0, 1].map(|i| (after[i] - before[i]).length());
        println!(
            "{name}: momentum {} off by {}, angular {} by {}",
            before[0].length(),
            off[0],
            before[1].length(),
            off[1]
        );
        assert!(off[0] < 1e-3 * before[0].length(), "{name}: momentum {before:?} becomes {after:?}");
        assert!(off[1] < 0.02 * before[1].length(), "{name}: angular momentum {before:?} becomes {after:?}");
    }
}

#[test]
fn a_rope_breaks_above_its_force_and_tells() {
    for (force, breaks) in [(60.0, true), (200.0, false)] {
        let rope = |a, b, p, q| JointDesc { break_force: force, ..JointDesc::rope(a, b, p, q, 1.0) };
        let scene = hanging(10.0, 1.0, rope);
        let mut solver = solver(&scene);
        solver.listen(Listener::on(Thing::Body(BodyId(1)))).unwrap();
        let mut told = false;
        for _ in 0..60 {
            solver.step();
            let events = solver.take_events();
            told |=
                events.iter().any(|event| matches!(event.kind, EventKind::JointBroken(JointRef::Scene(JointId(0)))));
        }
        assert_eq!(solver.read_broken_joints().unwrap(), [breaks], "{force} N");
        assert_eq!(told, breaks, "{force} N");
    }
}

/// A held body and a block of 10 kg on a slider along `axis`.
fn rail(axis: Vec3, change: impl Fn(&mut JointDesc)) -> Scene {
    let mut scene = bare();
    let a = scene.add_body(held(Vec3::Y * 5.0)).unwrap();
    let b = scene.add_body(cube(10.0, vec3(0.0, 5.0, 0.4))).unwrap();
    let mut desc = JointDesc::new(JointKind::Slider, a, b, vec3(0.0, 5.0, 0.2), axis, RADIUS);
    change(&mut desc);
    scene.add_joint(desc).unwrap();
    scene
}

fn slide(min: f32, max: f32) -> [Travel; 3] {
    [Travel::between(min, max), Travel::NONE, Travel::NONE]
}

#[test]
fn a_block_slides_down_a_slanted_rail_and_stops_at_its_end() {
    for angle in [0.3_f32, 0.8, 1.4] {
        let axis = vec3(angle.cos(), -angle.sin(), 0.0);
        let mut solver = solver(&rail(axis, |desc| desc.travel = slide(0.0, 1.0)));
        run(&mut solver, 20);
        let (speed, expected) = (body(&solver, 1).velocity().dot(axis), GRAVITY * angle.sin() / 3.0);
        println!("slanted by {angle}: {speed} m/s after 1/3 s, {expected} expected");
        assert!((speed / expected - 1.0).abs() < 0.01, "{speed} m/s, {expected} expected");
        let mut farthest: f32 = 0.0;
        for _ in 0..180 {
            solver.step();
            farthest = farthest.max(place(&solver, 0).x);
        }
        let speed = body(&solver, 1).velocity().length();
        println!("stops at {} m, {farthest} at most", place(&solver, 0).x);
        assert!(farthest < 1.001 && (place(&solver, 0).x - 1.0).abs() < 1e-3, "stops at {:?}", place(&solver, 0));
        assert!(speed < 0.01, "bounces at {speed} m/s");
    }
}

#[test]
fn friction_of_a_slider_holds_up_to_its_force() {
    let weight = 10.0 * GRAVITY;
    for (friction, gain) in [(1.1 * weight, 0.0), (0.5 * weight, 0.5 * GRAVITY)] {
        let mut solver = solver(&rail(Vec3::Y, |desc| desc.friction = friction));
        run(&mut solver, 60);
        let speed = -body(&solver, 1).velocity().y;
        println!("friction of {friction} N: {speed} m/s after 1 s, {gain} expected");
        assert!((speed - gain).abs() < 0.02 * GRAVITY, "{speed} m/s, {gain} expected");
    }
}

#[test]
fn a_motor_lifts_what_it_can_and_no_more() {
    let weight = 10.0 * GRAVITY;
    for (share, lifts) in [(1.2, true), (0.9, false)] {
        let motor = Motor::Velocity { velocity: 0.5, max_force: share * weight };
        let change = |desc: &mut JointDesc| (desc.motor, desc.travel) = (Some(motor), slide(-0.2, 0.3));
        let mut solver = solver(&rail(Vec3::Y, change));
        run(&mut solver, 30);
        let speed = body(&solver, 1).velocity().y;
        let expected = if lifts { 0.5 } else { -0.1 * GRAVITY * 0.5 };
        println!("{share} of the weight: {speed} m/s after 0.5 s, {expected} expected");
        assert!((speed - expected).abs() < 0.02, "{share} of the weight: {speed} m/s, {expected} expected");
        run(&mut solver, 120);
        let end = if lifts { 0.3 } else { -0.2 };
        assert!((place(&solver, 0).x - end).abs() < 1e-3, "{share} of the weight: at {:?}", place(&solver, 0));
    }
    let motor = Motor::Position { position: 0.25, compliance: 0.0, max_force: 2.0 * weight };
    let mut solver = solver(&rail(Vec3::Y, |desc| (desc.motor, desc.damping) = (Some(motor), 4.0)));
    run(&mut solver, 240);
    println!("driven to 0.25 m: at {}", place(&solver, 0));
    assert!((place(&solver, 0).x - 0.25).abs() < 1e-3, "at {:?}", place(&solver, 0));
    solver
        .set_motor(JointId(0), Some(Motor::Position { position: -0.1, compliance: 1e-4, max_force: f32::INFINITY }))
        .unwrap();
    run(&mut solver, 240);
    let expected = -0.1 - 1e-4 * weight;
    assert!((place(&solver, 0).x - expected).abs() < 5e-4, "at {:?}, {expected} expected", place(&solver, 0));
}

/// Body 0, held, and `links` bodies, 1 m long together, that stand out from it on such joints, the first along Z, so that a
/// slider bears the load across: how far the end sinks [m], and how far the last body turns [rad], at most.
fn beam(kind: JointKind, links: usize, mass: f32, solver: JointSolver) -> [f32; 2] {
    let mut scene = bare();
    scene.params.joints = solver;
    let half = vec3(0.5 / links as f32, 0.05, 0.05);
    let mut last = scene.add_body(held(Vec3::Y * 3.0)).unwrap();
    for i in 0..links {
        let start = vec3(0.1 + 2.0 * half.x * i as f32, 3.0, 0.0);
        let next = BodyDesc::cuboid(half, 0.5 * RADIUS).with_mass(mass / links as f32).at(start + Vec3::X * half.x);
        let next = scene.add_body(next).unwrap();
        let mut desc = JointDesc::new(kind, last, next, start, Vec3::Z, RADIUS);
        if kind == JointKind::Generic {
            desc.limits = Limits::SwingTwist { swing_y: 0.0, swing_z: 0.0, twist_min: 0.0, twist_max: 0.0 };
        }
        scene.add_joint(desc).unwrap();
        last = next;
    }
    let mut world = self::solver(&scene);
    let (mut sunk, mut turned) = (0.0_f32, 0.0_f32);
    for _ in 0..120 {
        world.step();
        let state = body(&world, links).placement();
        sunk = sunk.max((state.point(half * Vec3::X) - vec3(1.1, 3.0, 0.0)).length());
        turned = turned.max(state.rotation.angle_between(Quat::IDENTITY));
    }
    [sunk, turned]
}

#[test]
fn what_does_not_turn_bears_a_beam() {
    for kind in [JointKind::Stiff, JointKind::Slider, JointKind::Generic] {
        for links in [1, 10] {
            let [sunk, turned] = beam(kind, links, 10.0, JointSolver::Point);
            let (mm, mrad) = (sunk * 1e3, turned * 1e3);
            println!("{kind:?}: 1 m and 10 kg in {links} sink by {mm} mm, turned by {mrad} mrad");
            assert!(sunk < 1e-4 && turned < 1e-3, "{kind:?} in {links} sinks by {sunk} m, {turned} rad");
        }
    }
    let [sunk, turned] = beam(JointKind::Stiff, 1, 10.0, JointSolver::Average);
    println!("averaged, a stiff joint: {sunk} m, {turned} rad");
}

#[test]
fn a_cylindrical_joint_turns_and_slides_about_one_axis() {
    let mut scene = rail(Vec3::Y, |desc| {
        desc.kind = JointKind::Cylindrical;
        desc.travel = slide(-0.4, 0.0);
        desc.limits = Limits::Hinge { min: -1.0, max: 1.0 };
    });
    scene.bodies[1].angular_velocity = vec3(0.0, 2.0, 0.0);
    scene.bodies[1].velocity = Vec3::X * 0.4;
    let mut solver = solver(&scene);
    run(&mut solver, 12);
    let (gone, angle) = (place(&solver, 0), turned(&solver, 0));
    println!("after 0.2 s it has gone by {gone} and turned by {angle} rad");
    assert!((gone.x + 0.5 * GRAVITY * 0.04).abs() < 0.01 && (angle - 0.4).abs() < 0.01, "{gone}, {angle} rad");
    run(&mut solver, 120);
    let (gone, angle) = (place(&solver, 0), turned(&solver, 0));
    println!("then {gone} and {angle} rad");
    assert!((gone.x + 0.4).abs() < 1e-3 && gone.is_finite(), "{gone}");
    assert!(gone.y.abs() + gone.z.abs() < 1e-4 && (angle - 1.0).abs() < 0.02, "{gone}, {angle} rad");
}

fn turned(solver: &Solver, joint: usize) -> f32 {
    let joint = &solver.scene().joints[joint];
    let turn = |id: BodyId| body(solver, id.0 as usize).placement().rotation;
    joint.angle(turn(joint.desc.a), turn(joint.desc.b))
}

#[test]
fn a_generic_joint_is_free_limited_and_soft_where_it_says() {
    let weight = 10.0 * GRAVITY;
    // Falls along Y onto a soft end, is pushed along Z to a rigid one, and stays along X; it turns about no axis.
    let mut scene = rail(Vec3::X, |desc| {
        desc.kind = JointKind::Generic;
        desc.up = Vec3::Y;
        desc.damping = 5.0;
        desc.limits = Limits::SwingTwist { swing_y: 0.0, swing_z: 0.0, twist_min: 0.0, twist_max: 0.0 };
        desc.travel = [Travel::NONE, Travel { min: -0.1, max: 0.1, compliance: 1e-4 }, Travel::between(-0.3, 0.2)];
    });
    scene.params.gravity += vec3(3.0, 0.0, 2.0);
    let mut solver = solver(&scene);
    run(&mut solver, 300);
    let gone = place(&solver, 0);
    let expected = vec3(0.0, -0.1 - 1e-4 * weight, 0.2);
    println!("gone by {gone}, {expected} expected");
    assert!((gone - expected).length() < 1e-3, "gone by {gone}, {expected} expected");
    assert!(body(&solver, 1).rotation().angle_between(Quat::IDENTITY) < 1e-3);
}

#[test]
fn a_heavy_telescope_swings_and_stops_at_its_ends() {
    for (kind, heavy) in [("distance", "50"), ("slider", "50"), ("cylindrical", "1"), ("generic", "50")] {
        let settings = [("kind".to_owned(), kind.to_owned()), ("heavy".to_owned(), heavy.to_owned())];
        let scene = sinew::demos::stage_for("joints", &settings).unwrap().scene;
        let mut solver = solver(&scene);
        let mut widest: f32 = 0.0;
        for _ in 0..240 {
            solver.step();
            let states = solver.read_bodies().unwrap();
            let at = |id: BodyId| states[id.0 as usize].placement();
            let gaps = scene.joints.iter().flat_map(|joint| joint.gaps(at(joint.desc.a), at(joint.desc.b)));
            widest = gaps.fold(widest, f32::max);
        }
        println!("{kind}: open by {} mm at most", widest * 1e3);
        let health = solver.read_health().unwrap();
        assert!(health.is_good(), "{kind}: {health:?}");
        assert!(widest < 0.01, "{kind} is open by {widest} m");
    }
}

/// A chain of sliders falls into its ends, one while another is at its own: what stood 1 mm outside came back with half a metre a
/// second, and 20 mm far.
#[test]
fn sliders_that_fall_into_their_ends_stay_there() {
    let sets = [("bodies", "4"), ("kind", "slider")].map(|(key, value)| (key.to_owned(), value.to_owned()));
    let mut solver = solver(&stage_for("joints", &sets).unwrap().scene);
    let end = solver.scene().joints[1].desc.travel[0].max;
    let mut met = [false; 4];
    for frame in 0..90 {
        solver.step();
        for (joint, met) in met.iter_mut().enumerate().skip(1) {
            let at = place(&solver, joint).x;
            assert!(
                !*met || at > end - 5e-4,
                "frame {frame}: joint {joint} is at {at} m after it was at its end, {end} m"
            );
            *met |= at > end - 1e-4;
        }
    }
    assert_eq!(met, [false, true, true, true]);
}

/// A wheel on an arm that is hinged to a held body, with a spring beside the hinge.
fn suspension(spring_first: bool) -> Scene {
    let mut scene = bare();
    let a = scene.add_body(held(Vec3::Y * 2.0)).unwrap();
    let b = scene.add_body(cube(10.0, vec3(0.5, 2.0, 0.0))).unwrap();
    let hinge = JointDesc::new(JointKind::Hinge, a, b, vec3(0.0, 2.0, 0.0), Vec3::Z, RADIUS);
    let spring = JointDesc {
        damping: 20.0,
        ..JointDesc::spring(a, b, vec3(0.0, 2.5, 0.0), vec3(0.5, 2.0, 0.0), 0.5_f32.hypot(0.5), 1e-3)
    };
    let joints = if spring_first { [spring, hinge] } else { [hinge, spring] };
    for joint in joints {
        scene.add_joint(joint).unwrap();
    }
    scene.ignore(a, b).unwrap();
    scene
}

#[test]
fn a_spring_beside_a_hinge_carries_it_whichever_is_made_first() {
    let ends = [true, false].map(|spring_first| {
        let mut solver = solver(&suspension(spring_first));
        run(&mut solver, 300);
        let arm = at(&solver, 1) - Vec3::Y * 2.0;
        // The torques of weight and spring about the hinge.
        let to = vec3(0.0, 0.5, 0.0) - arm;
        let pull = (to.length() - 0.5_f32.hypot(0.5)) / 1e-3;
        let torque = arm.cross(to.normalize() * pull).z - arm.x * 10.0 * GRAVITY;
        println!("spring first {spring_first}: {arm}, {torque} N m left of {}", arm.x * 10.0 * GRAVITY);
        assert!(torque.abs() < 0.01 * arm.x * 10.0 * GRAVITY, "{torque} N m");
        assert!((arm.length() - 0.5).abs() < 1e-4, "the hinge is open: {arm}");
        arm
    });
    assert!(ends[0].distance(ends[1]) < 1e-3, "{ends:?}");
}

#[test]
fn bodies_on_a_rope_touch_each_other() {
    let rope = |a, b, p, q| JointDesc::rope(a, b, p, q, 2.0);
    let mut scene = hanging(10.0, -1.0, rope);
    scene.params.sleep_time = 0.5;
    let mut solver = solver(&scene);
    run(&mut solver, 120);
    let above = at(&solver, 1).y - 5.0;
    assert!((above - 0.2).abs() < 0.02, "lies {above} m above the other");
}

#[test]
fn what_is_saved_has_its_springs_and_joints_of_pools_travel() {
    let mut copy = Scene::default();
    let a = copy.add_body(held(Vec3::ZERO)).unwrap();
    let b = copy.add_body(cube(10.0, vec3(0.0, -1.0, 0.0))).unwrap();
    copy.add_joint(JointDesc::spring(a, b, Vec3::ZERO, vec3(0.0, -1.0, 0.0), 1.0, 1e-3)).unwrap();
    let mut scene = bare();
    let pool = scene.add_pool(&copy, 2).unwrap();
    let mut solver = solver(&scene);
    run(&mut solver, 5);
    solver.spawn_from(pool, Placement::from(vec3(3.0, 5.0, 0.0)), Vec3::ZERO).unwrap();
    run(&mut solver, 10);
    solver.set_joint_travel(JointId(0), [Travel::spring(1.2, 1e-3), Travel::NONE, Travel::NONE]).unwrap();
    let state = solver.save().unwrap();
    let mut ends = Vec::new();
    for _ in 0..2 {
        run(&mut solver, 40);
        ends.push(solver.read_bodies().unwrap());
        solver.set_joint_travel(JointId(0), [Travel::FREE, Travel::NONE, Travel::NONE]).unwrap();
        solver.restore(&state).unwrap();
    }
    assert_eq!(ends[0], ends[1]);
    let middle = 5.0 - 1.2 - 10.0 * GRAVITY * 1e-3;
    assert!((ends[0][1].center() - vec3(3.0, middle, 0.0)).length() < 0.3, "hangs at {}", ends[0][1].center());
}

#[test]
fn a_joint_made_between_running_bodies_is_where_they_are() {
    let mut scene = bare();
    scene.params.gravity = Vec3::ZERO;
    let a = scene.add_body(BodyDesc { velocity: Vec3::X, ..cube(5.0, Vec3::Y) }).unwrap();
    let b = scene.add_body(BodyDesc { velocity: Vec3::X, ..cube(5.0, Vec3::Y * 2.0) }).unwrap();
    let mut solver = solver(&scene);
    run(&mut solver, 60);
    let (from, to) = (at(&solver, 0), at(&solver, 1));
    scene.add_joint(JointDesc::rod(a, b, from, to)).unwrap();
    scene.add_joint(JointDesc::new(JointKind::Slider, a, b, 0.5 * (from + to), Vec3::Y, RADIUS)).unwrap();
    solver.spawn(&scene).unwrap();
    run(&mut solver, 30);
    let states = solver.read_bodies().unwrap();
    for state in &states {
        assert!(state.velocity().distance(Vec3::X) < 1e-3, "goes at {}", state.velocity());
    }
    assert!((states[1].center() - states[0].center()).distance(Vec3::Y) < 1e-3);
}

#[test]
fn what_a_kind_does_not_have_is_refused() {
    let (a, b, p, q) = (BodyId(0), BodyId(1), Vec3::ZERO, Vec3::Y);
    let of = |kind| JointDesc::new(kind, a, b, p, Vec3::Y, RADIUS);
    let range = Limits::Hinge { min: -1.0, max: 1.0 };
    let push = Motor::Velocity { velocity: 1.0, max_force: 1.0 };
    let toward = |target| Motor::Target { target, compliance: 0.0, max_torque: 1.0 };
    let cases = [
        (JointDesc::rope(a, b, p, q, 0.0), "ball joint"),
        (JointDesc::rope(a, b, p, q, f32::NAN), "most"),
        (JointDesc::rope(a, b, p, q, -1.0), "length, the most distance, is -1"),
        (JointDesc::spring(a, b, p, q, 1.0, -1.0), "compliance"),
        (JointDesc::rod(a, b, p, q * f32::NAN), "end"),
        (JointDesc { travel: slide(1.0, 0.0), ..of(JointKind::Slider) }, "least travel"),
        (JointDesc { travel: [Travel::FREE; 3], ..of(JointKind::Slider) }, "use a generic joint"),
        (JointDesc { travel: slide(0.0, 1.0), ..of(JointKind::Hinge) }, "use limits"),
        (JointDesc { limits: range, ..of(JointKind::Slider) }, "use travel"),
        (JointDesc { limits: range, ..JointDesc::rod(a, b, p, q) }, "use travel"),
        (JointDesc { motor: Some(push), ..of(JointKind::Hinge) }, "joint that travels"),
        (JointDesc { motor: Some(Motor::angle(1.0, 0.0, 1.0)), ..of(JointKind::Slider) }, "Motor::Position"),
        (
            JointDesc { motor: Some(Motor::speed(1.0, 1.0)), ..of(JointKind::Cylindrical) },
            "Motor::Velocity, or a hinge",
        ),
        (
            JointDesc { motor: Some(Motor::speed(1.0, 1.0)), ..of(JointKind::Ball) },
            "a ball joint has no speed about one axis",
        ),
        (
            JointDesc { motor: Some(Motor::angle(1.0, 0.0, 1.0)), ..of(JointKind::Stiff) },
            "a stiff joint has no turn to drive",
        ),
        (JointDesc { motor: Some(toward(Quat::from_rotation_y(1.0))), ..of(JointKind::Hinge) }, "a target about X"),
        (JointDesc { motor: Some(Motor::angle(1.0, 0.0, 1.0)), ..of(JointKind::Universal) }, "no turn about its axis"),
        (JointDesc { limits: range, ..of(JointKind::Stiff) }, "a stiff joint has no turn to limit"),
        (JointDesc { limits: range, ..of(JointKind::Universal) }, "use Limits::SwingTwist"),
    ];
    for (desc, word) in cases {
        let mut scene = bare();
        scene.add_body(cube(1.0, Vec3::ZERO)).unwrap();
        scene.add_body(cube(1.0, Vec3::Y)).unwrap();
        let refusal = scene.add_joint(desc).unwrap_err().to_string();
        assert!(refusal.contains(word), "{refusal:?} does not say {word:?}");
    }
    let mut solver = solver(&rail(Vec3::Y, |_| {}));
    let before = solver.scene().joints[0].desc;
    let refusal = solver.set_joint_travel(JointId(0), slide(1.0, 0.0)).unwrap_err().to_string();
    assert!(refusal.contains("least travel"), "{refusal}");
    assert_eq!(solver.scene().joints[0].desc, before);
}

#[test]
fn a_board_between_two_fixed_posts_swings_as_from_one() {
    let fastest = |posts: bool| {
        let mut scene = bare();
        let post = |x: f32| BodyDesc {
            kinematic: true,
            ..BodyDesc::cuboid(vec3(0.05, 0.05, 0.3), RADIUS).at(vec3(x, 3.0, 0.0))
        };
        let first = scene.add_body(post(-0.5)).unwrap();
        let second = if posts { scene.add_body(post(0.5)).unwrap() } else { first };
        let board = BodyDesc::cuboid(vec3(0.5, 0.03, 0.2), 0.03).with_mass(5.0).at(Vec3::Y);
        let board = scene.add_body(board).unwrap();
        for (post, x) in [(first, -0.45), (second, 0.45)] {
            scene.add_joint(JointDesc::rope(post, board, vec3(x, 2.95, 0.0), vec3(x, 1.03, 0.0), 1.92)).unwrap();
        }
        let mut solver = solver(&scene);
        solver.push(Push::velocity_change(board, 4.0 * Vec3::Z)).unwrap();
        let mut fastest = 0.0f32;
        for _ in 0..150 {
            solver.step();
            fastest = fastest.max(body(&solver, board.0 as usize).velocity().length());
        }
        assert!(solver.read_health().unwrap().is_good());
        (fastest, at(&solver, board.0 as usize))
    };
    let (one, two) = (fastest(false), fastest(true));
    println!("fastest, and where after 2.5 s: {one:?} from one beam, {two:?} from two posts");
    assert!(one.0 < 4.01 && two.0 < 4.01, "{one:?} {two:?}");
    assert!(one.1.distance(two.1) < 0.05, "{one:?} {two:?}");
}

#[test]
fn a_wall_of_blocks_that_meet_stands_until_it_is_struck() {
    let mut scene = Scene::default();
    scene.add_collider(Collider::ground(0.0)).unwrap();
    let half = vec3(0.2, 0.15, 0.15);
    let place = |x: usize, y: usize| vec3(0.4 * x as f32, 0.15 + 0.3 * y as f32, 0.0);
    let mut ids = Vec::new();
    for (x, y) in (0..4).flat_map(|y| (0..5).map(move |x| (x, y))) {
        ids.push(scene.add_body(BodyDesc::cuboid(half, 0.075).with_mass(10.0).at(place(x, y))).unwrap());
        let beside =
            |dx: usize, dy: usize| (x >= dx && y >= dy).then(|| (ids[5 * (y - dy) + x - dx], place(x - dx, y - dy)));
        for (other, from) in [beside(1, 0), beside(0, 1)].into_iter().flatten() {
            let middle = 0.5 * (place(x, y) + from);
            let axis = (place(x, y) - from).normalize();
            let joint = JointDesc::new(JointKind::Stiff, other, ids[5 * y + x], middle, axis, RADIUS);
            scene.add_joint(JointDesc { break_force: 4000.0, meet: true, ..joint }).unwrap();
        }
    }
    assert_eq!(scene.joints.len(), 31);
    let mut solver = solver(&scene);
    run(&mut solver, 60);
    let broken = |solver: &Solver| solver.read_broken_joints().unwrap().iter().filter(|broken| **broken).count();
    assert_eq!(broken(&solver), 0);
    let moved = ids.iter().zip(&scene.bodies).map(|(id, made)| at(&solver, id.0 as usize).distance(made.position));
    let moved = moved.fold(0.0, f32::max);
    assert!(moved < 0.01, "a block moved by {moved} m");
    solver.push(Push::impulse(ids[12], Vec3::Z * 600.0)).unwrap();
    run(&mut solver, 30);
    println!("a stroke of 600 N s breaks {} of 31", broken(&solver));
    assert!(broken(&solver) > 2);
}
