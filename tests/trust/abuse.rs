//! What nobody should do, done: numbers stay numbers, speeds stay bounded, nothing leaves the world, and when the abuse ends, things rest.
//!
//! `cargo test --release --test trust -- abuse --nocapture` prints a row for each.

use sinew::demos::stage_for;
use sinew::glam::{Quat, Vec3, vec3};
use sinew::scene::{BodyDesc, BodyId, Collider, Phase, Scene, Shape};
use sinew::solver::Solver;

use crate::world::{Look, centers, mixture, places, run, solver};

/// Faster than that nothing may be while it is abused, nor than what it came with [m/s]: the fastest that scenes have by default, and a
/// little.
const FASTEST: f32 = 61.0;
/// And that is rest, water aside [m/s].
const REST: f32 = 0.5;
/// How deep the center of anything may be in the ground then [m].
const DEEP: f32 = 0.02;

/// A look at what is being abused.
fn bounded(name: &str, solver: &Solver) {
    let look = Look::at(solver);
    let Look { finite, fastest, fastest_dry, lowest, health, .. } = look;
    println!("| {name} | {fastest:.2} m/s | {fastest_dry:.2} m/s | {lowest:.3} m | {} |", health.dropped);
    assert!(finite && health.non_finite == 0, "{name}: {look:?}");
    assert!(fastest < FASTEST.max(1.01 * solver.params().max_speed), "{name}: {look:?}");
    assert_eq!((health.out_of_bounds, health.sums_cut), (0, 0), "{name}: {look:?}");
}

/// A look some seconds after the abuse has ended: nothing dry is faster than that [m/s], nor in the ground. The crates of the mixture lean,
/// and may fall over as late as after four seconds.
fn calms(name: &str, solver: &mut Solver, seconds: u32, most: f32) {
    run(solver, 60 * seconds);
    let name = format!("{name}, {seconds} s later");
    bounded(&name, solver);
    let look = Look::at(solver);
    assert!(look.fastest_dry < most && look.lowest > -DEEP, "{name}: {look:?}");
}

/// As fast as a fall from 1 km without air makes it.
#[test]
fn a_fall_from_a_kilometre() {
    let mut scene = mixture(Vec3::ZERO, 1.0);
    scene.params.max_speed = 150.0;
    let down = vec3(0.0, -140.0, 0.0);
    scene.particles.iter_mut().for_each(|particle| particle.velocity = down);
    scene.bodies.iter_mut().for_each(|body| body.velocity = down);
    let mut solver = solver(&scene);
    run(&mut solver, 3);
    bounded("140 m/s into the ground", &solver);
    calms("140 m/s into the ground", &mut solver, 5, REST);
}

#[test]
fn frames_of_any_length() {
    let count = if crate::effort::is_long() { 2 } else { 1 };
    for (dt, frames) in [(1.0 / 15.0, 40), (1.0 / 1000.0, 300)].into_iter().take(count) {
        let mut scene = mixture(Vec3::ZERO, 1.0);
        scene.params.dt = dt;
        let mut solver = solver(&scene);
        run(&mut solver, frames);
        let name = format!("frames of {dt:.4} s");
        bounded(&name, &solver);
        solver.set_params(sinew::scene::Params { dt: 1.0 / 60.0, ..scene.params }).unwrap();
        calms(&name, &mut solver, 5, REST);
    }
}

#[test]
fn ten_times_the_gravity() {
    let mut scene = mixture(Vec3::ZERO, 1.0);
    let params = scene.params;
    scene.params.gravity = Vec3::Y * -98.0;
    let mut solver = solver(&scene);
    run(&mut solver, 120);
    bounded("gravity of 98 m/s²", &solver);
    solver.set_params(params).unwrap();
    calms("gravity of 98 m/s²", &mut solver, 5, REST);
}

#[test]
fn all_in_one_point() {
    let mut scene = mixture(Vec3::ZERO, 1.0);
    scene.particles.iter_mut().for_each(|particle| particle.position = Vec3::Y);
    scene.bodies.iter_mut().for_each(|body| body.position = Vec3::Y);
    let mut solver = solver(&scene);
    run(&mut solver, 3);
    bounded("all in one point", &solver);
    // What was thrown up is still in the air.
    calms("all in one point", &mut solver, 3, FASTEST);
}

/// Where things are to a millimetre decides what is crushed how.
#[test]
#[ignore = "long"]
fn walls_that_close_on_everything() {
    (0..3).for_each(|k: u8| crush(mixture(Vec3::Z * 1e-3 * f32::from(k), 1.0)));
}

fn crush(mut scene: Scene) {
    let wall = |x: f32| Collider::new(Shape::Cuboid(vec3(0.1, 2.0, 2.0)), vec3(x, 1.0, 0.0));
    let walls = [-1.0, 1.0].map(|side| (side, scene.add_collider(wall(1.6 * side)).unwrap()));
    let mut solver = solver(&scene);
    const SPEED: f32 = 1.5;
    // They meet, stay, and part again.
    for (frames, speed) in [(60, -SPEED), (20, 0.0), (60, SPEED)] {
        for k in 0..frames {
            for (side, id) in walls {
                let begun = if speed > 0.0 { 0.1 } else { 1.6 };
                let x = if speed == 0.0 { 0.1 } else { begun + speed * k as f32 / 60.0 };
                let velocity = Vec3::X * (side * speed);
                solver.set_collider_pose(id, vec3(side * x, 1.0, 0.0), Quat::IDENTITY, velocity, Vec3::ZERO).unwrap();
            }
            solver.step();
        }
        bounded("walls that close", &solver);
    }
    for (side, id) in walls {
        let away = vec3(side * 9.0, 1.0, 0.0);
        solver.set_collider_pose(id, away, Quat::IDENTITY, Vec3::ZERO, Vec3::ZERO).unwrap();
    }
    // The sheet is left in a knot that holds still, while each substep anew something in it pulls: its velocities are no motion.
    run(&mut solver, 300);
    bounded("walls that close, 5 s later", &solver);
    let before = places(&solver);
    run(&mut solver, 1);
    let is_dry = |i: usize| !scene.particles[i].phase.contains(Phase::LIQUID);
    let went = before.iter().zip(places(&solver)).enumerate().filter(|(i, _)| is_dry(*i));
    let fastest = went.map(|(_, (before, now))| 60.0 * before.distance(now)).fold(0.0, f32::max);
    println!("what is dry moves with {fastest:.2} m/s");
    assert!(fastest < REST, "{fastest} m/s");
}

#[test]
fn bodies_that_are_put_elsewhere_in_every_frame() {
    let mut solver = solver(&mixture(Vec3::ZERO, 1.0));
    for k in 0..60u32 {
        let at = vec3((k * 7 % 11) as f32 * 0.1 - 0.5, 0.15 + (k * 5 % 7) as f32 * 0.1, 0.0);
        let turn = Quat::from_rotation_z(k as f32);
        solver.set_body_pose(BodyId(k % 4), at, turn, Vec3::ZERO, Vec3::ZERO).unwrap();
        solver.step();
    }
    bounded("bodies put into others", &solver);
    calms("bodies put into others", &mut solver, 5, REST);
}

#[test]
fn a_character_folded_into_itself() {
    let sets = [("model", "figure"), ("count", "1")].map(|(key, value)| (key.to_owned(), value.to_owned()));
    let mut scene = stage_for("ragdolls", &sets).unwrap().scene;
    let middle = scene.bodies[0].position;
    scene.bodies.iter_mut().for_each(|body| body.position = middle + 0.05 * (body.position - middle));
    let mut solver = solver(&scene);
    run(&mut solver, 5);
    bounded("a character folded into itself", &solver);
    // It falls from a height of two metres, and lies down.
    run(&mut solver, 120);
    calms("a character folded into itself", &mut solver, 5, REST);
}

/// One box on another that many times lighter: how far it sinks in [m].
fn sinks(ratio: f32) -> f32 {
    let mut scene = Scene::default();
    scene.add_collider(Collider::ground(0.0)).unwrap();
    for (mass, y) in [(1.0, 0.1), (ratio, 0.3)] {
        scene.add_body(BodyDesc::cuboid(Vec3::splat(0.1), 0.05).with_mass(mass).at(Vec3::Y * y)).unwrap();
    }
    let mut solver = solver(&scene);
    let mut lowest = f32::MAX;
    for _ in 0..120 {
        solver.step();
        lowest = lowest.min(centers(&solver)[1].y);
    }
    bounded(&format!("a box on one {ratio} times lighter"), &solver);
    0.3 - lowest
}

#[test]
fn heavy_boxes_on_light_ones() {
    // From 1:100 on the light one is pressed aside: a limit, not a promise.
    for (ratio, most) in [(10.0, 0.01), (30.0, 0.03), (100.0, 0.25), (1000.0, 0.25)] {
        let sunk = sinks(ratio);
        println!("1:{ratio} sinks {sunk:.4} m");
        assert!(sunk < most, "1:{ratio} sinks {sunk} m");
    }
}

#[test]
fn water_does_not_part_the_faster_for_shorter_steps() {
    let energy = |substeps: u32| {
        let mut scene = stage_for("dam", &[("count".to_owned(), "500".to_owned())]).unwrap().scene;
        scene.params.substeps = substeps;
        let mut solver = solver(&scene);
        run(&mut solver, 20);
        let g = -scene.params.gravity.y;
        let rows = solver.read_particles().unwrap().into_iter().zip(solver.read_particle_velocities().unwrap());
        // For each kilogram [J/kg].
        let of = |(x, v): ([f32; 4], [f32; 4])| g * x[1] + 0.5 * Vec3::from_slice(&v[..3]).length_squared();
        rows.map(of).sum::<f32>() / scene.particles.len() as f32
    };
    let [coarse, fine] = [8, 48].map(energy);
    println!("a falling column has {coarse:.3} J/kg with 8 substeps, {fine:.3} with 48");
    assert!(fine < 1.1 * coarse, "{fine} J/kg with 48 substeps, {coarse} with 8");
}
