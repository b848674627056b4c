//! Ground given by heights.

use glam::{DVec3, Quat, Vec3, vec3};
use sinew::gpu::Context;
use sinew::scene::{BodyDesc, Collider, Grains, Heightfield, Scene, Shape, Surface, TriangleMesh, closest_on_triangle};
use sinew::solver::Solver;

use super::asked::agrees;
use super::held::holds_everything;

/// To the nearest triangle in double precision.
fn nearest(mesh: &TriangleMesh, p: DVec3) -> f64 {
    let corner = |i: u32| mesh.positions[i as usize].as_dvec3();
    let away = |t: &[u32; 3]| {
        let [a, b, c] = t.map(corner);
        let normal = (b - a).cross(c - a).normalize();
        let on = p - normal * normal.dot(p - a);
        let inside = |from: DVec3, to: DVec3| (to - from).cross(on - from).dot(normal) >= 0.0;
        if inside(a, b) && inside(b, c) && inside(c, a) {
            return p.distance(on);
        }
        let edge = |from: DVec3, to: DVec3| {
            let part = ((p - from).dot(to - from) / (to - from).length_squared()).clamp(0.0, 1.0);
            p.distance(from + part * (to - from))
        };
        edge(a, b).min(edge(b, c)).min(edge(c, a))
    };
    mesh.triangles.iter().map(away).fold(f64::INFINITY, f64::min)
}

#[test]
fn queries_meet_the_triangles_of_a_heightfield() {
    // So wide that nothing that is asked comes to its border, where it is solid without triangles.
    let field = Heightfield::new([27, 25], 0.2, |x, z| 0.12 * (4.0 * x).sin() * (5.0 * z).cos() + 0.1 * x);
    let mesh = field.mesh();
    let distance = |p: DVec3| {
        let below = p.y < f64::from(field.height(p.x as f32, p.z as f32));
        nearest(&mesh, p) * if below { -1.0 } else { 1.0 }
    };
    agrees("heightfield", &Shape::Heightfield(field.clone()), 0.5, 1e-4, 900, &distance);
    let p = Vec3::new(0.1, 0.2, 0.05);
    let near = mesh.triangles.iter().map(|t| t.map(|i| mesh.positions[i as usize]));
    let near = near.map(|[a, b, c]| p.distance(closest_on_triangle(p, a, b, c))).fold(f32::MAX, f32::min);
    assert!((f64::from(near) - nearest(&mesh, p.as_dvec3())).abs() < 1e-6);
}

#[test]
fn a_heightfield_holds_everything() {
    let bowl = |x: f32, z: f32| 0.15 * (x * x + z * z) + 0.02 * (8.0 * x).sin() * (8.0 * z).cos();
    let field = Heightfield::new([41, 41], 0.05, bowl);
    holds_everything("heightfield", Collider::new(Shape::Heightfield(field), Vec3::ZERO), 0.1, 0.45);
}

#[test]
fn balls_swing_in_a_bowl_as_a_pendulum_and_rest_at_its_bottom() {
    // y = x² / 2R of R = 4 m without friction: a ball swings by ω² = g / (R - r).
    let (curve, r) = (4.0_f32, 0.1_f32);
    let field = Heightfield::new([121, 41], 0.05, |x, _| 0.5 * x * x / curve);
    let mut scene = Scene::default();
    let surface = Surface { friction: 0.0, ..Surface::default() };
    scene.add_collider(Collider { surface, ..Collider::new(Shape::Heightfield(field), Vec3::ZERO) }).unwrap();
    let start = 0.5_f32;
    let at = vec3(start, 0.5 * start * start / curve + r * 1.008, 0.02);
    scene.add_body(BodyDesc { surface, ..BodyDesc::sphere(r, 0.02).at(at) }).unwrap();
    scene.add_body(BodyDesc::sphere(r, 0.02).at(vec3(0.0, r + 0.05, 0.6))).unwrap();
    let mut solver = Solver::new(&Context::shared().expect("adapter"), &scene).unwrap();
    let period = std::f32::consts::TAU * ((curve - r) / 9.81).sqrt();
    let frames = (0.25 * period * 60.0).round() as usize;
    let mut crossed = None;
    for frame in 0..2 * frames {
        solver.step();
        if crossed.is_none() && solver.read_bodies().unwrap()[0].center().x < 0.0 {
            crossed = Some(frame + 1);
        }
    }
    let bodies = solver.read_bodies().unwrap();
    let (far, rest) = (bodies[0].center(), bodies[1].center());
    println!("crossed after {crossed:?} frames of {frames}, and swung from {start} to {}", far.x);
    let crossed = crossed.expect("it never came to the bottom") as f32;
    assert!((crossed / frames as f32 - 1.0).abs() < 0.05, "{crossed} frames to the bottom, {frames} by the formula");
    assert!(far.x < -0.4 && far.x > -0.51, "swung to {}", far.x);
    assert!((rest.y - r).abs() < 3e-3 && rest.x.abs() < 0.02, "rests at {rest}");
    assert!(solver.read_health().unwrap().is_good());
}

#[test]
fn balls_roll_down_a_sloped_heightfield_as_down_a_plane() {
    let slope = 0.1_f32;
    let field = Heightfield::new([81, 21], 0.05, |x, _| -slope.tan() * x);
    let plane = Collider::new(Shape::Plane, Vec3::ZERO).rotated(Quat::from_rotation_z(-slope));
    let ends = [Collider::new(Shape::Heightfield(field), Vec3::ZERO), plane].map(|collider| {
        let mut scene = Scene::default();
        scene.add_collider(collider).unwrap();
        for (z, radius) in [(-0.3, 0.02), (0.3, 0.1)] {
            let at = vec3(-1.0, 0.1 / slope.cos() + slope.tan(), z);
            scene.add_body(BodyDesc::sphere(0.1, radius).at(at)).unwrap();
        }
        let mut solver = Solver::new(&Context::shared().expect("adapter"), &scene).unwrap();
        (0..60).for_each(|_| solver.step());
        solver.read_bodies().unwrap().iter().map(|body| body.center()).collect::<Vec<_>>()
    });
    println!("heightfield and plane: {ends:?}");
    for (on_field, on_plane) in ends[0].iter().zip(&ends[1]) {
        assert!(on_field.distance(*on_plane) < 2e-3, "{on_field}, and {on_plane} on a plane");
        let rolled = 0.5 * 5.0 / 7.0 * 9.81 * slope.sin() * slope.cos();
        assert!((on_plane.x + 1.0 - rolled).abs() < 0.01 * rolled, "{on_plane}, by the formula {rolled} m on");
    }
}

#[test]
fn nothing_falls_through_at_ten_meters_a_second() {
    let field = Heightfield::new([25, 25], 0.1, |x, z| 0.1 * (5.0 * x).sin() * (4.0 * z).cos());
    let mut scene = Scene::default();
    scene.add_collider(Collider::new(Shape::Heightfield(field.clone()), Vec3::ZERO)).unwrap();
    let down = 10.0 * Vec3::NEG_Y;
    for i in 0..9 {
        let at = vec3(0.3 * (i % 3) as f32 - 0.3, 0.6, 0.3 * (i / 3) as f32 - 0.3);
        let desc = if i % 2 == 0 { BodyDesc::sphere(0.06, 0.02) } else { BodyDesc::cuboid(Vec3::splat(0.05), 0.02) };
        scene.add_body(BodyDesc { velocity: down, ..desc.at(at) }).unwrap();
    }
    let sand = scene.add_grains(Grains::sand(0.01)).unwrap();
    let grains: Vec<Vec3> =
        (0..100).map(|i| vec3(0.08 * (i % 10) as f32 - 0.36, 0.4, 0.08 * (i / 10) as f32 - 0.36)).collect();
    scene.heap(sand, &grains, down).unwrap();
    let mut solver = Solver::new(&Context::shared().expect("adapter"), &scene).unwrap();
    for _ in 0..40 {
        solver.step();
        for row in solver.read_particles().unwrap() {
            let over = row[1] - field.height(row[0], row[2]);
            assert!(over > 0.0 || row[0].abs() > 1.2 || row[2].abs() > 1.2, "a particle is {over} m over the ground");
        }
    }
    assert!(solver.read_health().unwrap().is_good());
}

#[test]
fn what_is_deep_below_the_middle_comes_out() {
    let mut scene = Scene::default();
    scene.params.gravity = Vec3::ZERO;
    let field = Heightfield::new([3, 3], 0.1, |_, _| 0.0);
    scene.add_collider(Collider::new(Shape::Heightfield(field), Vec3::ZERO)).unwrap();
    let sand = scene.add_grains(Grains::sand(0.1)).unwrap();
    scene.heap(sand, &[Vec3::NEG_Y * 0.15], Vec3::ZERO).unwrap();
    let mut solver = Solver::new(&Context::shared().expect("adapter"), &scene).unwrap();
    (0..120).for_each(|_| solver.step());
    let place = solver.read_particles().unwrap()[0];
    println!("from the middle it came to {place:?}");
    // Nearer than the top is the border.
    assert!(place[0].abs().max(place[2].abs()) > 0.19, "{place:?}");
}
