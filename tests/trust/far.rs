//! Far from the origin, and things of other sizes than those of a room.
//!
//! `cargo test --release --test trust -- far --nocapture` prints a row for each.

use sinew::glam::{Vec3, vec3};
use sinew::scene::{BodyDesc, Collider, JointDesc, JointKind, Scene, Shape};

use crate::world::{Look, centers, mixture, run, solver};

/// How far from where they should be crates on one another are after two seconds [m], `far` out.
fn off(far: f32) -> f32 {
    let at = vec3(far, 0.0, -far);
    let mut scene = Scene::default();
    scene.params.world_extent = 100_000.0;
    scene.add_collider(Collider::new(Shape::Plane, at)).unwrap();
    for i in 0..3 {
        let place = at + vec3(0.0, 0.1 + 0.2 * i as f32, 0.0);
        scene.add_body(BodyDesc::cuboid(Vec3::splat(0.1), 0.05).at(place)).unwrap();
    }
    let mut solver = solver(&scene);
    run(&mut solver, 120);
    let expected = scene.bodies.iter().map(|body| body.position);
    centers(&solver).iter().zip(expected).map(|(now, then)| now.distance(then)).fold(0.0, f32::max)
}

#[test]
fn a_stack_stands_far_out() {
    for (far, most) in [(0.0, 0.01), (1_000.0, 0.01), (10_000.0, 0.05)] {
        let off = off(far);
        println!("a stack {far} m out is {:.2} mm off", 1e3 * off);
        assert!(off < most, "{far} m out: {off} m off");
    }
}

/// How far a ball goes in a second that should go `speed`, `far` out, of that way.
fn went(far: f32, speed: f32) -> f32 {
    let mut scene = Scene::default();
    scene.params.world_extent = 100_000.0;
    scene.params.gravity = Vec3::ZERO;
    (scene.params.linear_damping, scene.params.sleep_time) = (0.0, 0.0);
    let mut ball = BodyDesc::sphere(0.1, 0.05).at(vec3(far, 0.0, 0.0));
    ball.velocity = Vec3::X * speed;
    scene.add_body(ball).unwrap();
    let mut solver = solver(&scene);
    run(&mut solver, 60);
    (centers(&solver)[0].x - far) / speed
}

/// A place has 24 bits: 10 km out the next one is a millimetre away, and a substep of 1/480 s of 0.2 m/s is less than half of that.
#[test]
fn what_is_slow_far_out_keeps_its_speed_as_far_as_places_are_fine_enough() {
    for (far, speed, least, most) in [
        (1_000.0, 0.1, 0.8, 1.2),
        (1_000.0, 1.0, 0.97, 1.03),
        (10_000.0, 1.0, 0.7, 1.3),
        (10_000.0, 5.0, 0.9, 1.1),
        // This is a limit, not a promise.
        (10_000.0, 0.2, 0.0, 1.0),
    ] {
        let went = went(far, speed);
        println!("{far} m out at {speed} m/s: {went:.3} of its way");
        assert!((least..=most).contains(&went), "{far} m out at {speed} m/s: {went} of its way");
    }
}

/// The crates lean, and fall over once the sheet lies on them, after three and a half seconds or, far out, later.
#[test]
fn everything_stays_together_far_out() {
    let long = crate::effort::is_long();
    for far in [0.0, 1_000.0, 10_000.0].into_iter().filter(|far| long || *far == 10_000.0) {
        let mut scene = mixture(vec3(far, 0.0, -far), 1.0);
        scene.params.world_extent = 100_000.0;
        let mut solver = solver(&scene);
        run(&mut solver, 420);
        let look = Look::at(&solver);
        println!(
            "| {far} m out | {:.2} m/s, water {:.2} | lowest {:.4} m | {} |",
            look.fastest_dry, look.fastest, look.lowest, look.health.dropped
        );
        assert!(look.finite && look.health.is_good(), "{far} m out: {look:?}");
        // A number so large has steps, and what lies trembles by one along each axis in a substep.
        let step = far * f32::EPSILON / 2.0 * (solver.params().substeps as f32 / solver.params().dt);
        let rest = 0.5 + 3.0_f32.sqrt() * step;
        assert!(look.lowest > -0.02 && look.fastest_dry < rest && look.fastest < 3.0, "{far} m out: {look:?}");
    }
}

/// Arms that hang on one another by joints, from a tenth of a millimetre to a kilometre long.
#[test]
fn joints_hold_what_is_tiny_and_what_is_huge() {
    for scale in [2e-4, 1.0, 2e3] {
        let mut scene = Scene::default();
        scene.params.world_extent = 100_000.0;
        let arm = BodyDesc::capsule(0.1 * scale, 0.2 * scale, 0.1 * scale);
        let first = BodyDesc { kinematic: true, ..arm.clone() };
        let bodies: Vec<_> = (0..4)
            .map(|i| {
                scene.add_body(if i == 0 { first.clone() } else { arm.clone() }.at(-0.5 * i as f32 * scale * Vec3::Y))
            })
            .map(Result::unwrap)
            .collect();
        for (i, kind) in (0..).zip([JointKind::Ball, JointKind::Hinge, JointKind::Stiff]) {
            let pivot = -(0.25 + 0.5 * i as f32) * scale * Vec3::Y;
            let joint = JointDesc::new(kind, bodies[i], bodies[i + 1], pivot, Vec3::X, 0.05 * scale);
            scene.add_joint(joint).unwrap();
        }
        let mut solver = solver(&scene);
        run(&mut solver, 60);
        let low = solver.read_bodies().unwrap()[3].center();
        println!("| arms of {} m | lowest {:.4} of their length |", 0.5 * scale, low.y / (0.5 * scale));
        assert!(solver.read_health().unwrap().is_good(), "scale {scale}: {:?}", solver.read_health().unwrap());
        assert!(low.distance(-1.5 * scale * Vec3::Y) < 0.02 * scale, "scale {scale}: {low}");
    }
}

#[test]
fn boxes_that_are_tiny_or_huge_lie_and_light_and_heavy_ones() {
    for (half, mass) in [(5e-5, None), (1e3, None), (0.15, Some(1e-15)), (0.15, Some(1e25))] {
        let mut scene = Scene::default();
        scene.params.world_extent = 100_000.0;
        scene.add_collider(Collider::ground(0.0)).unwrap();
        let desc = BodyDesc::cuboid(Vec3::splat(half), 0.5 * half).at(1.5 * half * Vec3::Y);
        scene.add_body(mass.iter().fold(desc, |desc, mass| desc.with_mass(*mass))).unwrap();
        let mut solver = solver(&scene);
        // What is larger takes longer to fall.
        run(&mut solver, 60 + (20.0 * half.sqrt()) as u32);
        let (high, health) = (solver.read_bodies().unwrap()[0].center().y - half, solver.read_health().unwrap());
        println!("| a huge or tiny box: {} m wide, {mass:?} kg | {high} m over where it lies |", 2.0 * half);
        assert!(health.non_finite == 0 && high.abs() < 0.02 * half, "{half} m, {mass:?} kg: {high} m, {health:?}");
    }
}

#[test]
fn things_of_centimetres_and_of_a_hundred_metres() {
    // A crate is 0.2 m of these: 1 cm to 100 m.
    let long = crate::effort::is_long();
    for scale in [0.05, 1.0, 20.0, 500.0].into_iter().filter(|scale| long || [0.05, 500.0].contains(scale)) {
        let mut scene = mixture(Vec3::ZERO, scale);
        scene.params.world_extent = 100_000.0;
        let mut solver = solver(&scene);
        // What is larger takes longer to fall.
        run(&mut solver, (100.0 * scale.sqrt().clamp(0.5, 2.0)) as u32);
        let look = Look::at(&solver);
        let lowest = look.lowest / scale;
        println!(
            "| crates of {} m | {:.2} m/s | lowest {lowest:.4} of its size | {:?} |",
            0.2 * scale,
            look.fastest,
            look.health.dropped
        );
        assert!(look.finite && look.health.is_good(), "scale {scale}: {look:?}");
        assert!(lowest > -0.05, "scale {scale}: {look:?}");
    }
}
