//! What strikes parts as fast as its restitution says, whatever else it touches, and no faster.

use glam::{Vec3, vec3};
use sinew::gpu::Context;
use sinew::scene::{BodyDesc, BodyId, Collider, Scene, Shape, Surface};
use sinew::solver::Solver;

const RADIUS: f32 = 0.2;

fn smooth(restitution: f32) -> Surface {
    Surface { friction: 0.0, restitution }
}

/// A ball that nothing rubs.
fn ball(place: Vec3, velocity: Vec3, restitution: f32) -> BodyDesc {
    BodyDesc { velocity, surface: smooth(restitution), ..BodyDesc::sphere(RADIUS, 0.05).at(place) }
}

/// Ground that gives nothing back, without sleep; or nothing.
fn world(ground: bool) -> Scene {
    let mut scene = Scene::default();
    scene.params.sleep_time = 0.0;
    if ground {
        scene.add_collider(Collider { surface: smooth(0.0), ..Collider::ground(0.0) }).unwrap();
    } else {
        scene.params.gravity = Vec3::ZERO;
    }
    scene
}

fn wall(scene: &mut Scene, place: Vec3, restitution: f32) {
    let wall = Collider::new(Shape::Cuboid(Vec3::ONE), place);
    scene.add_collider(Collider { surface: smooth(restitution), ..wall }).unwrap();
}

fn run(scene: &Scene, frames: usize) -> Solver {
    let mut solver = Solver::new(&Context::shared().expect("adapter"), scene).unwrap();
    (0..frames).for_each(|_| solver.step());
    assert!(solver.read_health().unwrap().is_good());
    solver
}

fn velocity(solver: &Solver, body: BodyId) -> Vec3 {
    Vec3::from(solver.read_bodies().unwrap()[body.0 as usize].velocity)
}

#[test]
fn a_ball_that_slides_on_the_ground_comes_back_from_a_wall() {
    for (restitution, substeps) in [(1.0, 8), (1.0, 32), (0.8, 8), (0.3, 8)] {
        let mut scene = world(true);
        scene.params.substeps = substeps;
        wall(&mut scene, vec3(2.0, 0.5, 0.0), restitution);
        let body = scene.add_body(ball(vec3(0.0, RADIUS, 0.0), 3.0 * Vec3::X, 0.0)).unwrap();
        let crate_ =
            BodyDesc { velocity: 3.0 * Vec3::X, surface: smooth(0.0), ..BodyDesc::cuboid(Vec3::splat(RADIUS), 0.05) };
        wall(&mut scene, vec3(2.0, 0.5, 5.0), restitution);
        let crate_ = scene.add_body(crate_.at(vec3(0.0, RADIUS, 5.0))).unwrap();
        let solver = run(&scene, 40);
        let (ball, cube) = (velocity(&solver, body), velocity(&solver, crate_));
        println!(
            "restitution {restitution}, {substeps} substeps: ball {ball}, box {cube} m/s, of {}",
            -3.0 * restitution
        );
        assert!((ball.x / (-3.0 * restitution) - 1.0).abs() < 0.04, "{ball}");
        assert!((cube.x / (-3.0 * restitution) - 1.0).abs() < 0.08, "{cube}");
        assert!(ball.y.abs() < 0.05 && cube.y.abs() < 0.2, "thrown up: {ball}, {cube}");
    }
}

#[test]
fn equal_balls_change_their_speeds_on_the_ground_as_in_space() {
    for ground in [false, true] {
        let mut scene = world(ground);
        let a = scene.add_body(ball(vec3(0.0, RADIUS, 0.0), 3.0 * Vec3::X, 1.0)).unwrap();
        let b = scene.add_body(ball(vec3(1.0, RADIUS, 0.0), Vec3::ZERO, 1.0)).unwrap();
        let solver = run(&scene, 40);
        let speeds = [velocity(&solver, a).x, velocity(&solver, b).x];
        println!("on the ground {ground}: {speeds:?} m/s");
        assert!(speeds[0].abs() < 0.1 && (speeds[1] - 3.0).abs() < 0.1, "on the ground {ground}: {speeds:?}");
    }
}

#[test]
fn a_corner_throws_back_along_both_walls() {
    for beside in [0.0, 0.001, 0.003] {
        let mut scene = world(false);
        wall(&mut scene, vec3(2.0, 0.0, 0.0), 1.0);
        wall(&mut scene, vec3(0.0, -2.0, 0.0), 1.0);
        let place = vec3(0.2, -0.2 + beside, 0.0);
        let body = scene.add_body(ball(place, vec3(3.0, -3.0, 0.0), 0.0)).unwrap();
        let found = velocity(&run(&scene, 30), body);
        println!("{beside} m off: {found} m/s");
        assert!((found - vec3(-3.0, 3.0, 0.0)).length() < 0.2, "{beside} m off: {found}");
    }
}

#[test]
fn a_row_of_balls_hands_a_blow_on() {
    let energy = |solver: &Solver| -> f32 {
        solver.read_bodies().unwrap().iter().map(|body| Vec3::from(body.velocity).length_squared()).sum()
    };
    // Nearer ones are struck within one substep, as a lump.
    for gap in [0.01, 0.03] {
        let mut scene = world(false);
        let balls: Vec<BodyId> = (0..5)
            .map(|i| {
                let x = if i == 0 { -0.3 } else { (2.0 * RADIUS + gap) * i as f32 };
                scene.add_body(ball(Vec3::X * x, if i == 0 { 2.0 * Vec3::X } else { Vec3::ZERO }, 1.0)).unwrap()
            })
            .collect();
        let solver = run(&scene, 60);
        let speeds: Vec<f32> = balls.iter().map(|id| velocity(&solver, *id).x).collect();
        println!("{gap} m apart: {speeds:?} m/s, {} of the energy", energy(&solver) / 4.0);
        assert!((speeds.iter().sum::<f32>() - 2.0).abs() < 0.01, "momentum: {speeds:?}");
        assert!((0.85..1.05).contains(&(energy(&solver) / 4.0)), "{gap} m apart: {speeds:?}");
    }
}

#[test]
fn a_ball_that_bounces_for_long_rises_no_higher_and_hardly_lower() {
    for (height, substeps) in [(0.2, 4), (0.2, 8), (1.0, 8), (3.0, 8)] {
        let mut scene = world(true);
        scene.params.substeps = substeps;
        let body = scene.add_body(ball(vec3(0.0, RADIUS + height, 0.0), Vec3::ZERO, 1.0)).unwrap();
        let solver = run(&scene, 450);
        let state = solver.read_bodies().unwrap()[body.0 as usize];
        let speed = Vec3::from(state.velocity).length_squared();
        let part = (0.5 * speed + 9.81 * (state.center()[1] - RADIUS)) / (9.81 * height);
        println!("from {height} m, {substeps} substeps: {part} of the energy after 7.5 s");
        assert!((0.8..1.05).contains(&part), "from {height} m, {substeps} substeps: {part} of the energy");
    }
}

#[test]
fn two_balls_in_a_box_keep_their_energy() {
    let mut scene = world(false);
    for axis in [Vec3::X, Vec3::Y, Vec3::Z] {
        for side in [-1.0, 1.0] {
            let wall = Collider::new(Shape::Cuboid(Vec3::splat(2.0)), 3.0 * side * axis);
            scene.add_collider(Collider { surface: smooth(1.0), ..wall }).unwrap();
        }
    }
    let speeds = [vec3(1.7, 0.4, -0.9), vec3(-1.1, -1.3, 0.6)];
    for (place, speed) in [-0.5 * Vec3::X, vec3(0.4, 0.2, 0.1)].into_iter().zip(speeds) {
        scene.add_body(ball(place, speed, 1.0)).unwrap();
    }
    let solver = run(&scene, 600);
    let energy: f32 = solver.read_bodies().unwrap().iter().map(|body| Vec3::from(body.velocity).length_squared()).sum();
    let part = energy / speeds.iter().map(|speed| speed.length_squared()).sum::<f32>();
    println!("{part} of the energy after 10 s");
    assert!((0.9..1.05).contains(&part), "{part} of the energy after 10 s");
}
