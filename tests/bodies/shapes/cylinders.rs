//! Cylinders.

use std::f32::consts::{FRAC_PI_2, PI};

use glam::{DVec3, Quat, Vec3, vec3};
use sinew::gpu::Context;
use sinew::scene::{BodyDesc, Collider, Scene, Shape};
use sinew::solver::Solver;

use super::asked::agrees;
use super::held::holds_everything;

const DRUM: Shape = Shape::Cylinder { radius: 0.3, half_length: 0.2 };

#[test]
fn a_cylinder_weighs_and_turns_as_the_formula_says() {
    let (r, h) = (0.2_f32, 0.6_f32);
    let body = BodyDesc::cylinder(r, 0.5 * h, 0.04);
    let mass = PI * r * r * h * 1000.0;
    let across = mass * (3.0 * r * r + h * h) / 12.0;
    assert!((body.mass / mass - 1.0).abs() < 1e-5);
    assert!((body.inertia.x_axis.x / across - 1.0).abs() < 1e-5 && body.inertia.x_axis.x == body.inertia.z_axis.z);
    assert!((body.inertia.y_axis.y / (0.5 * mass * r * r) - 1.0).abs() < 1e-5);
}

#[test]
fn queries_meet_a_cylinder_where_it_is() {
    let distance = |p: DVec3| {
        let d = glam::DVec2::new(p.x.hypot(p.z) - 0.3, p.y.abs() - 0.2);
        d.max(glam::DVec2::ZERO).length() + d.max_element().min(0.0)
    };
    agrees("cylinder", &DRUM, 0.4, 4e-4, 1500, &distance);
}

#[test]
fn a_cylinder_holds_everything() {
    let shape = Shape::Cylinder { radius: 0.8, half_length: 0.2 };
    holds_everything("standing", Collider::new(shape, Vec3::ZERO), 0.2, 0.45);
    let lying = Shape::Cylinder { radius: 0.6, half_length: 0.9 };
    let turn = Quat::from_rotation_z(FRAC_PI_2);
    holds_everything("lying", Collider::new(lying, Vec3::ZERO).rotated(turn), 0.6, 0.3);
}

#[test]
fn cylinders_stand_lie_and_roll_without_sliding() {
    let mut scene = Scene::default();
    scene.add_collider(Collider::ground(0.0)).unwrap();
    let drum = || BodyDesc::cylinder(0.15, 0.1, 0.03);
    let lying = Quat::from_rotation_x(FRAC_PI_2);
    scene.add_body(drum().at(vec3(-1.0, 0.11, 0.0))).unwrap();
    scene.add_body(drum().at(vec3(-1.0, 0.32, 0.02))).unwrap();
    scene.add_body(drum().rotated(lying).at(vec3(0.0, 0.16, 0.0))).unwrap();
    // Rolls along X, about -Z.
    let rolling = BodyDesc { velocity: 1.5 * Vec3::X, angular_velocity: -10.0 * Vec3::Z, ..drum().rotated(lying) };
    scene.add_body(rolling.at(vec3(1.0, 0.15, 0.0))).unwrap();
    let mut solver = Solver::new(&Context::shared().expect("adapter"), &scene).unwrap();
    (0..60).for_each(|_| solver.step());
    let bodies: Vec<_> = solver.read_bodies().unwrap().iter().map(|b| b.placement()).collect();
    let heights: Vec<f32> = bodies.iter().map(|b| b.position.y).collect();
    println!("at {bodies:?}");
    assert!((heights[0] - 0.1).abs() < 2e-3 && (heights[1] - 0.3).abs() < 4e-3, "{heights:?}");
    assert!((heights[2] - 0.15).abs() < 2e-3 && (heights[3] - 0.15).abs() < 4e-3, "{heights:?}");
    for body in &bodies[..2] {
        assert!((body.rotation * Vec3::Y).y > 0.999, "{body:?} fell over");
    }
    let way = bodies[3].position.x - 1.0;
    assert!(way > 1.2 && way < 1.55, "rolled {way} m in a second at 1.5 m/s");
    assert!(solver.read_health().unwrap().is_good());
}
