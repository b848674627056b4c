//! Balls roll and hit as spheres do, not as polyhedra of their particles, and capsules and cylinders roll, not as prisms.

use glam::{Quat, Vec3, Vec3Swizzles, vec3};
use sinew::gpu::Context;
use sinew::scene::{BodyDesc, BodyId, Collider, Heightfield, Scene, Shape, Surface};
use sinew::solver::Solver;

const G: f32 = 9.81;
/// Of a ball, and of its particles: few, and many [m].
const BALLS: [(f32, f32); 3] = [(0.1, 0.04), (0.25, 0.05), (0.11, 0.02)];

fn solver(scene: &Scene) -> Solver {
    Solver::new(&Context::shared().expect("adapter"), scene).unwrap()
}

fn undamped() -> Scene {
    let mut scene = Scene::default();
    scene.params.linear_damping = 0.0;
    scene
}

/// A ball that goes at `speed` over what is level at `height`, turning as fast as it rolls if it does.
fn ball(scene: &mut Scene, (radius, particles): (f32, f32), height: f32, speed: f32, rolls: bool) -> BodyId {
    let spin = if rolls { -speed / radius } else { 0.0 };
    let desc = BodyDesc::sphere(radius, particles).at(vec3(-2.0, height + radius, 0.03));
    scene.add_body(BodyDesc { velocity: speed * Vec3::X, angular_velocity: spin * Vec3::Z, ..desc }).unwrap()
}

/// Its place and velocity after so many frames.
fn after(scene: &Scene, body: BodyId, frames: u32) -> (Vec3, Vec3) {
    let mut solver = solver(scene);
    (0..frames).for_each(|_| solver.step());
    let health = solver.read_health().unwrap();
    assert!(health.is_good(), "{health:?}");
    let state = solver.read_bodies().unwrap()[body.0 as usize];
    (state.center(), state.velocity())
}

#[test]
fn a_ball_rolls_down_by_five_sevenths_of_the_slope() {
    for (radius, particles) in BALLS {
        // Static friction of 0.6 lets it roll up to tan⁻¹(7/2 · 0.6), 64°; beyond it slips.
        for degrees in [2.0_f32, 10.0, 40.0, 75.0] {
            let slope = degrees.to_radians();
            let turn = Quat::from_rotation_z(-slope);
            let mut scene = undamped();
            scene.params.dynamic_friction_ratio = 1.0;
            scene.add_collider(Collider::new(Shape::Plane, Vec3::ZERO).rotated(turn)).unwrap();
            let desc = BodyDesc::sphere(radius, particles).at(turn * vec3(0.0, radius, 0.0));
            let body = scene.add_body(desc).unwrap();
            let (place, velocity) = after(&scene, body, 60);
            let along = velocity.dot(turn * Vec3::X);
            let rolling = 5.0 / 7.0 * G * slope.sin();
            let slipping = G * (slope.sin() - 0.6 * slope.cos());
            println!("R {radius} of {particles} at {degrees}°: {along} m/s, {} m/s", rolling.max(slipping));
            assert!((along / rolling.max(slipping) - 1.0).abs() < 0.005, "{along} m/s at {degrees}°");
            assert!((place.dot(turn * Vec3::Y) - radius).abs() < 1e-3, "{place}");
        }
    }
}

/// What is level at 0.2 m.
const LEVELS: [&str; 6] = ["plane", "box", "tiles", "heightfield", "mesh", "kinematic plank"];

fn add_level(scene: &mut Scene, what: &str) {
    let field = || Heightfield::new([17, 5], 0.5, |_, _| 0.2);
    let (half, at) = (vec3(4.0, 0.1, 1.0), 0.1 * Vec3::Y);
    let mut add = |shape: Shape, at: Vec3| {
        scene.add_collider(Collider::new(shape, at)).unwrap();
    };
    match what {
        "plane" => add(Shape::Plane, 0.2 * Vec3::Y),
        "box" => add(Shape::Cuboid(half), at),
        "tiles" => {
            (-20..20).for_each(|i| add(Shape::Cuboid(vec3(0.1, 0.1, 1.0)), at + 0.2 * i as f32 * Vec3::X));
        }
        "heightfield" => add(Shape::Heightfield(field()), Vec3::ZERO),
        "mesh" => add(Shape::Mesh(field().mesh()), Vec3::ZERO),
        _ => {
            scene.add_body(BodyDesc { kinematic: true, ..BodyDesc::cuboid(half, 0.05).at(at) }).unwrap();
        }
    }
}

#[test]
fn a_ball_rolls_on_as_fast_as_before_on_whatever_is_level() {
    for size in BALLS {
        for ground in LEVELS {
            let mut scene = undamped();
            add_level(&mut scene, ground);
            let body = ball(&mut scene, size, 0.2, 1.5, true);
            let (place, velocity) = after(&scene, body, 60);
            println!("R {} of {} on a {ground}: at {place}, {velocity} m/s", size.0, size.1);
            assert!((velocity.x - 1.5).abs() < 0.01 && velocity.yz().length() < 0.01, "{velocity} m/s on a {ground}");
            assert!((place - vec3(-0.5, 0.2 + size.0, 0.03)).length() < 0.01, "{place} on a {ground}");
        }
    }
}

/// A capsule and cylinders that lie across the way, with radii [m].
fn rollers() -> Vec<(BodyDesc, f32)> {
    let capsule = (BodyDesc::capsule(0.1, 0.2, 0.03), 0.1);
    let drums = [(0.2, 0.15, 0.05), (0.3, 0.1, 0.03)].map(|(r, half, fine)| (BodyDesc::cylinder(r, half, fine), r));
    let lying = |(desc, r): (BodyDesc, f32)| (desc.rotated(Quat::from_rotation_x(std::f32::consts::FRAC_PI_2)), r);
    std::iter::once(capsule).chain(drums).map(lying).collect()
}

#[test]
fn capsules_and_cylinders_roll_down_by_their_inertia() {
    for (desc, radius) in rollers() {
        for degrees in [2.0_f32, 15.0] {
            let slope = degrees.to_radians();
            let turn = Quat::from_rotation_z(-slope);
            let mut scene = undamped();
            scene.add_collider(Collider::new(Shape::Plane, Vec3::ZERO).rotated(turn)).unwrap();
            let rotation = turn * desc.rotation;
            let wanted = G * slope.sin() / (1.0 + desc.inertia.y_axis.y / (desc.mass * radius * radius));
            let desc = BodyDesc { rotation, ..desc.clone().at(turn * vec3(0.0, radius, 0.0)) };
            let body = scene.add_body(desc).unwrap();
            let (place, velocity) = after(&scene, body, 60);
            let along = velocity.dot(turn * Vec3::X);
            println!("R {radius} at {degrees}°: {along} m/s, by the formula {wanted}");
            assert!((along / wanted - 1.0).abs() < 0.01, "{along} m/s at {degrees}°, not {wanted}");
            assert!((place.dot(turn * Vec3::Y) - radius).abs() < 1e-3, "{place}");
        }
    }
}

#[test]
fn capsules_and_cylinders_roll_on_as_fast_as_before_on_whatever_is_level() {
    for (desc, radius) in rollers() {
        for ground in LEVELS {
            let mut scene = undamped();
            add_level(&mut scene, ground);
            let (velocity, angular_velocity) = (1.5 * Vec3::X, -1.5 / radius * Vec3::Z);
            let at = vec3(-2.0, 0.2 + radius, 0.03);
            let body = scene.add_body(BodyDesc { velocity, angular_velocity, ..desc.clone().at(at) }).unwrap();
            let (place, velocity) = after(&scene, body, 60);
            println!("R {radius} on a {ground}: at {place}, {velocity} m/s");
            assert!((velocity.x - 1.5).abs() < 0.02 && velocity.yz().length() < 0.02, "{velocity} m/s on a {ground}");
            assert!((place - vec3(-0.5, 0.2 + radius, 0.03)).length() < 0.02, "{place} on a {ground}");
        }
    }
}

#[test]
fn a_ball_that_slides_ends_up_rolling_at_five_sevenths() {
    for size in BALLS {
        let mut scene = undamped();
        scene.add_collider(Collider::ground(0.0)).unwrap();
        let body = ball(&mut scene, size, 0.0, 2.0, false);
        let (_, velocity) = after(&scene, body, 90);
        println!("R {}: {velocity} m/s of {}", size.0, 10.0 / 7.0);
        assert!((velocity.x - 10.0 / 7.0).abs() < 0.01, "{velocity} m/s");
    }
}

#[test]
fn balls_hit_along_the_line_of_their_centers() {
    for (radius, particles) in BALLS {
        for aside in [0.0_f32, 0.3, 0.6, 0.9] {
            let mut scene = undamped();
            scene.params.gravity = Vec3::ZERO;
            let surface = Surface { friction: 0.0, restitution: 1.0 };
            let desc = BodyDesc { surface, ..BodyDesc::sphere(radius, particles) };
            scene.add_body(BodyDesc { velocity: 2.0 * Vec3::X, ..desc.clone() }).unwrap();
            let struck = vec3(0.75, 2.0 * radius * aside, 0.0);
            let rotation = Quat::from_rotation_y(0.3);
            let struck = scene.add_body(BodyDesc { rotation, ..desc.at(struck) }).unwrap();
            let (_, velocity) = after(&scene, struck, 50);
            let line = vec3((1.0 - aside * aside).sqrt(), aside, 0.0);
            let wanted = line * (2.0 * line.x);
            println!("R {radius} of {particles}, {aside} aside: {velocity}, by the formula {wanted}");
            // In a substep of 1/480 s they come 4 mm nearer, by which the line turns.
            assert!(velocity.distance(wanted) < 0.03, "{velocity}, not {wanted}");
        }
    }
}

#[test]
fn balls_rest_in_a_corner_and_on_one_another() {
    let surface = Surface { friction: 0.0, restitution: 0.0 };
    let mut scene = Scene::default();
    scene.add_collider(Collider { surface, ..Collider::ground(0.0) }).unwrap();
    for side in [Vec3::X, Vec3::Z, -Vec3::X, -Vec3::Z] {
        let half = Vec3::Y + 0.1 * side.abs() + 0.5 * (Vec3::ONE - Vec3::Y - side.abs());
        scene.add_collider(Collider { surface, ..Collider::new(Shape::Cuboid(half), 0.4 * side + Vec3::Y) }).unwrap();
    }
    // A pyramid of five in a pit of 0.6 m; each of the lower ones is in a corner.
    let radius = 0.14;
    let ball = |at: Vec3| BodyDesc { surface, ..BodyDesc::sphere(radius, 0.04).at(at) };
    for (x, z) in [(-1.0, -1.0), (-1.0, 1.0), (1.0, -1.0), (1.0, 1.0)] {
        scene.add_body(ball(vec3(0.155 * x, radius + 0.02, 0.155 * z))).unwrap();
    }
    scene.add_body(ball(vec3(0.01, 3.5 * radius, 0.02))).unwrap();
    let mut solver = solver(&scene);
    (0..300).for_each(|_| solver.step());
    let bodies = solver.read_bodies().unwrap();
    // It presses the others apart, into the corners: there their centers are 0.32 m from one another.
    let over = (4.0 * radius * radius - 2.0 * 0.16 * 0.16).sqrt();
    for (i, body) in bodies.iter().enumerate() {
        let (center, height) = (body.center(), radius + if i == 4 { over } else { 0.0 });
        println!("{i}: {center}, {} m/s", body.velocity().length());
        assert!((center.y - height).abs() < 0.01 * radius + 1e-3, "{i} is {} m up, not {height}", center.y);
        assert!(body.velocity().length() < 0.01, "{i} goes at {}", body.velocity());
        assert!(i == 4 || (center.xz().abs() - 0.16).abs().max_element() < 2e-3, "{i} is at {center}");
    }
    assert!(solver.read_health().unwrap().is_good());
}
