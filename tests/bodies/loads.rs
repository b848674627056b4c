//! What joints carry, against what statics and a circling weight ask of them.

use glam::{Vec3, vec3};
use sinew::scene::{BodyDesc, BodyId, JointDesc, JointId, JointKind, JointSolver, Motor, Placement, Scene, Travel};
use sinew::solver::{JointLoad, JointRef, Solver, SolverError};

use super::joint_kinds::{GRAVITY, RADIUS, bare, cube, held, run, solver};

/// A held body, and one of this mass beside it by `arm`, joined at the first one.
fn pair(mass: f32, arm: Vec3, join: impl Fn(BodyId, BodyId) -> JointDesc) -> Scene {
    let mut scene = bare();
    let a = scene.add_body(held(5.0 * Vec3::Y)).unwrap();
    let b = scene.add_body(cube(mass, 5.0 * Vec3::Y + arm)).unwrap();
    scene.add_joint(join(a, b)).unwrap();
    scene
}

fn near(found: Vec3, expected: Vec3, part: f32, what: &str) {
    println!("{what}: {found}, {expected} expected");
    assert!(found.distance(expected) < part * expected.length(), "{what}: {found}, {expected} expected");
}

fn weight(mass: f32) -> Vec3 {
    mass * GRAVITY * Vec3::Y
}

#[test]
fn every_joint_of_a_chain_carries_what_hangs_below() {
    for (iterations, kind) in [(1, JointKind::Ball), (3, JointKind::Ball), (1, JointKind::Stiff), (2, JointKind::Hinge)]
    {
        let mut scene = bare();
        scene.params.iterations = iterations;
        let mut above = scene.add_body(held(5.0 * Vec3::Y)).unwrap();
        for i in 1..=4_u16 {
            let at = (5.0 - 0.3 * f32::from(i)) * Vec3::Y;
            let below = scene.add_body(cube(f32::from(i), at)).unwrap();
            // Every other joint has them the other way round.
            let [a, b] = if i % 2 == 0 { [below, above] } else { [above, below] };
            scene.add_joint(JointDesc::new(kind, a, b, at + 0.15 * Vec3::Y, Vec3::X, RADIUS)).unwrap();
            above = below;
        }
        let mut solver = solver(&scene);
        run(&mut solver, 60);
        let loads = solver.read_joint_loads().unwrap();
        for (i, below) in [10.0, 9.0, 7.0, 4.0].into_iter().enumerate() {
            let side = if i % 2 == 0 { 1.0 } else { -1.0 };
            near(loads[i].force, side * weight(below), 0.01, &format!("{kind:?} {i}, {iterations} iterations"));
            assert_eq!(solver.read_joint_load(JointId(i as u32)).unwrap(), loads[i]);
        }
    }
}

#[test]
fn a_beam_that_is_held_level_turns_its_joint_by_its_weight_times_its_arm() {
    let hinge = |a, b| JointDesc {
        motor: Some(Motor::angle(0.0, 0.0, f32::INFINITY)),
        ..JointDesc::new(JointKind::Hinge, a, b, 5.0 * Vec3::Y, Vec3::Z, RADIUS)
    };
    let stiff = |a, b| JointDesc::new(JointKind::Stiff, a, b, 5.0 * Vec3::Y, Vec3::X, RADIUS);
    for (scene, what) in [(pair(4.0, 0.5 * Vec3::X, hinge), "motor"), (pair(4.0, 0.5 * Vec3::X, stiff), "stiff joint")]
    {
        let mut solver = solver(&scene);
        run(&mut solver, 120);
        let load = solver.read_joint_load(JointId(0)).unwrap();
        near(load.force, weight(4.0), 0.01, what);
        near(load.torque, 4.0 * GRAVITY * 0.5 * Vec3::Z, 0.02, what);
    }
}

#[test]
fn springs_ropes_and_lifts_carry_what_hangs_on_them() {
    let (top, bottom) = (5.0 * Vec3::Y, 4.0 * Vec3::Y);
    let spring = |a, b| JointDesc { damping: 10.0, ..JointDesc::spring(a, b, top, bottom, 0.9, 1e-3) };
    let rope = |a, b| JointDesc::rope(a, b, top, bottom, 1.0);
    let lift = |a, b| JointDesc {
        motor: Some(Motor::Velocity { velocity: 0.2, max_force: f32::INFINITY }),
        travel: [Travel::FREE, Travel::NONE, Travel::NONE],
        ..JointDesc::new(JointKind::Slider, a, b, top, Vec3::Y, RADIUS)
    };
    let scenes = [
        (pair(6.0, -Vec3::Y, spring), "spring"),
        (pair(6.0, -Vec3::Y, rope), "rope"),
        (pair(6.0, -Vec3::Y, |a, b| JointDesc::rod(a, b, top, bottom)), "rod"),
        (pair(6.0, -Vec3::Y, lift), "lift"),
    ];
    for (scene, what) in scenes {
        let mut solver = solver(&scene);
        run(&mut solver, 180);
        near(solver.read_joint_load(JointId(0)).unwrap().force, weight(6.0), 0.02, what);
    }
}

#[test]
fn four_springs_share_a_plate() {
    let mut scene = bare();
    let top = scene.add_body(held(5.0 * Vec3::Y)).unwrap();
    let plate = BodyDesc::cuboid(vec3(0.4, 0.05, 0.4), RADIUS).with_mass(8.0).at(4.0 * Vec3::Y);
    let plate = scene.add_body(plate).unwrap();
    for corner in [vec3(0.4, 0.0, 0.4), vec3(-0.4, 0.0, 0.4), vec3(0.4, 0.0, -0.4), vec3(-0.4, 0.0, -0.4)] {
        let [low, high] = [4.0, 5.0].map(|y| corner + y * Vec3::Y);
        let spring = JointDesc::spring(top, plate, high, low, 0.9, 4e-3);
        scene.add_joint(JointDesc { damping: 10.0, ..spring }).unwrap();
    }
    let mut solver = solver(&scene);
    run(&mut solver, 240);
    for load in solver.read_joint_loads().unwrap() {
        near(load.force, weight(2.0), 0.05, "a spring of four");
    }
}

#[test]
fn a_circling_weight_pulls_with_its_centripetal_force() {
    let (mass, arm, speed) = (2.0, 0.5, 3.0);
    let ball = |a, b| JointDesc::new(JointKind::Ball, a, b, 5.0 * Vec3::Y, Vec3::X, RADIUS);
    let mut scene = pair(mass, arm * Vec3::X, ball);
    scene.params.gravity = Vec3::ZERO;
    scene.params.dt = 1.0 / 240.0;
    scene.bodies[1].velocity = speed * Vec3::Z;
    scene.bodies[1].angular_velocity = vec3(0.0, -speed / arm, 0.0);
    let mut solver = solver(&scene);
    run(&mut solver, 60);
    let load = solver.read_joint_load(JointId(0)).unwrap();
    let inward = (5.0 * Vec3::Y - solver.read_body(BodyId(1)).unwrap().center()).normalize();
    near(load.force, mass * speed * speed / arm * inward, 0.03, "centripetal");
}

#[test]
fn what_a_joint_carries_is_late_or_at_once_the_same() {
    let ball = |a, b| JointDesc::new(JointKind::Ball, a, b, 5.0 * Vec3::Y, Vec3::X, RADIUS);
    let mut scene = pair(2.0, 0.5 * Vec3::X, ball);
    scene.reserve_joints(1).unwrap();
    let mut solver = solver(&scene);
    let added = scene_with_joint(&mut solver);
    run(&mut solver, 7);
    let joints = [JointRef::from(added), JointId(0).into()];
    let now = joints.map(|joint| solver.read_joint_load(joint).unwrap());
    assert!(now.iter().all(|load| load.force.length() > 1.0), "{now:?}");
    solver.request_joint_loads(&joints).unwrap();
    assert!(solver.take_joint_loads().is_none(), "too early");
    run(&mut solver, 3);
    let late = solver.take_joint_loads().unwrap();
    assert_eq!((late.frame, late.joints.as_slice(), late.loads.as_slice()), (7, &joints[..], &now[..]));
    assert!(solver.take_joint_loads().is_none());
}

/// A rod from the swinging body to another one, as a second joint.
fn scene_with_joint(solver: &mut Solver) -> sinew::solver::AddedJoint {
    let mut more = solver.scene().clone();
    let b = more.add_body(cube(1.0, vec3(1.0, 5.0, 0.0))).unwrap();
    solver.spawn(&more).unwrap();
    let desc = JointDesc::rod(BodyId(1), b, vec3(0.5, 5.0, 0.0), vec3(1.0, 5.0, 0.0));
    let at = [vec3(0.5, 5.0, 0.0), vec3(1.0, 5.0, 0.0)].map(Placement::from);
    solver.add_joint(desc, at).unwrap()
}

#[test]
fn loads_last_through_growth_sleep_and_states_and_end_with_the_joint() {
    let ball = |a, b| JointDesc::new(JointKind::Ball, a, b, 5.0 * Vec3::Y, Vec3::X, RADIUS);
    let mut scene = pair(2.0, -0.5 * Vec3::Y, ball);
    scene.params.sleep_time = 0.5;
    let mut solver = solver(&scene);
    let load = |solver: &Solver| solver.read_joint_load(JointId(0)).unwrap();
    assert_eq!(load(&solver), JointLoad::default(), "before the first frame");
    run(&mut solver, 90);
    near(load(&solver).force, weight(2.0), 0.01, "asleep");
    let state = solver.save().unwrap();
    let before = load(&solver);
    let mut more = solver.scene().clone();
    more.add_body(cube(1.0, vec3(3.0, 5.0, 0.0))).unwrap();
    solver.spawn(&more).unwrap();
    assert_eq!(load(&solver), before, "buffers made anew");
    run(&mut solver, 1);
    near(load(&solver).force, weight(2.0), 0.01, "after another frame");
    solver.set_joint_enabled(JointId(0), false).unwrap();
    assert_eq!(load(&solver), JointLoad::default(), "out of action");
    drop(solver);
    let mut again = self::solver(&scene);
    again.restore(&state).unwrap();
    assert_eq!(load(&again), before, "with a state");
    again.break_joint(JointId(0)).unwrap();
    assert_eq!(load(&again), JointLoad::default(), "broken");
    again.remove_body(BodyId(1)).unwrap();
    assert_eq!(again.read_joint_load(JointId(0)).unwrap_err(), SolverError::Removed(BodyId(1)));
}

#[test]
fn averaged_joints_know_no_forces() {
    let ball = |a, b| JointDesc::new(JointKind::Ball, a, b, 5.0 * Vec3::Y, Vec3::X, RADIUS);
    let mut scene = pair(2.0, -0.5 * Vec3::Y, ball);
    scene.params.joints = JointSolver::Average;
    let mut solver = solver(&scene);
    run(&mut solver, 30);
    assert_eq!(solver.read_joint_loads().unwrap(), [JointLoad::default()]);
}
