//! Rods against what is known of them: how far they stretch, sag and turn.

use std::f32::consts::TAU;

use glam::{Quat, Vec3};
use sinew::gpu::Context;
use sinew::scene::{Deformable, RodMaterial, Scene};
use sinew::solver::Solver;

fn solver(scene: &Scene) -> Solver {
    Solver::new(&Context::shared().expect("adapter"), scene).unwrap()
}

fn positions(solver: &Solver) -> Vec<Vec3> {
    solver.read_particles().unwrap().iter().map(|p| Vec3::new(p[0], p[1], p[2])).collect()
}

/// Where particles are after so many frames.
fn after(scene: &Scene, frames: u32) -> Vec<Vec3> {
    let mut solver = solver(scene);
    (0..frames).for_each(|_| solver.step());
    assert!(solver.read_health().unwrap().is_good());
    positions(&solver)
}

/// A straight rod of `count` segments of `length` [m] along X, its first segment and frame held.
fn clamped(count: u32, length: f32, material: &RodMaterial) -> Deformable {
    let points = (0..=count).map(|i| Vec3::X * length * i as f32).collect();
    let mut rod = Deformable::rod("rod", points, 0.01, material).unwrap();
    rod.pin(|at| at.x < 1.5 * length);
    rod
}

fn scene_of(rod: &Deformable, gravity: Vec3, [substeps, iterations]: [u32; 2]) -> Scene {
    let mut scene = Scene::default();
    scene.params.gravity = gravity;
    (scene.params.substeps, scene.params.iterations) = (substeps, iterations);
    scene.add_deformable(rod, Vec3::ZERO, Quat::IDENTITY, Vec3::ZERO).unwrap();
    scene
}

const MATERIAL: RodMaterial = RodMaterial { line_density: 1.0, stretch: 1e4, bend: 4.0, twist: 4.0 };

#[test]
fn a_hanging_rod_stretches_by_force_over_stiffness() {
    let (count, length) = (6, 0.2);
    let mut rod = clamped(count, length, &RodMaterial { stretch: 400.0, ..MATERIAL });
    rod.masses[count as usize] = 2.0;
    let mut scene = scene_of(&rod, Vec3::X * 9.81, [16, 2]);
    scene.params.linear_damping = 4.0;
    let end = after(&scene, 200)[count as usize].x;
    // Of each free segment: what hangs below it.
    let below =
        |i: usize| rod.masses[i..=count as usize].iter().chain(&rod.masses[i + 1 + count as usize..]).sum::<f32>();
    let expected: f32 = (2..=count as usize).map(|i| below(i) * 9.81 * length / 400.0).sum();
    let stretched = end - count as f32 * length;
    assert!((stretched / expected - 1.0).abs() < 0.02, "{stretched} m of {expected} m");
}

/// Euler and Bernoulli: q l⁴ / 8 E I below a clamp, which is the middle of the last held segment.
#[test]
fn a_cantilever_sags_as_euler_and_bernoulli_say() {
    let (count, gravity) = (12, 1.0);
    let length = 1.0 / count as f32;
    let free = 1.0 - 0.5 * length;
    for part in [0.02, 0.04] {
        let bend = MATERIAL.line_density * gravity * free.powi(4) / (8.0 * part);
        for turn in [Vec3::NEG_Y, Vec3::Z, Vec3::new(0.0, 0.6, 0.8)] {
            let rod = clamped(count, length, &RodMaterial { bend, twist: bend, ..MATERIAL });
            let mut scene = scene_of(&rod, gravity * turn, [32, 4]);
            scene.params.linear_damping = 6.0;
            let sag = after(&scene, 100)[count as usize].dot(turn);
            assert!((sag / part - 1.0).abs() < 0.05, "{sag} m of {part} m towards {turn}");
        }
    }
}

/// Angle of a ghost about the X axis, from where it is at rest.
fn angle(ghost: Vec3) -> f32 {
    ghost.z.atan2(ghost.y)
}

/// A mass on the last ghost of a rod whose ends cannot move swings with the period of a torsion pendulum, at any angle.
#[test]
fn torque_is_in_proportion_to_twist() {
    let (count, length, twist, mass) = (8, 0.1, 0.08, 1.0);
    let last = count as usize;
    let mut rod = clamped(count, length, &RodMaterial { twist, ..MATERIAL });
    (rod.masses[last], rod.masses[last - 1], rod.masses[2 * last + 1]) = (0.0, 0.0, mass);
    // Ghosts are a spacing beside the line. The first two are held.
    let inertia = mass * length * length;
    let period = TAU * (inertia * length * (count - 1) as f32 / twist).sqrt();
    for start in [0.2, 0.5, 1.2] {
        let mut scene = scene_of(&rod, Vec3::ZERO, [16, 2]);
        scene.particles[2 * last + 1].position = Vec3::new(0.8, length * f32::cos(start), length * f32::sin(start));
        let mut solver = solver(&scene);
        let (mut before, mut frames) = (start, 0.0);
        let quarter = loop {
            solver.step();
            let now = angle(positions(&solver)[2 * last + 1]);
            if now <= 0.0 {
                break (frames + before / (before - now)) / 60.0;
            }
            (before, frames) = (now, frames + 1.0);
            assert!(frames < 200.0, "it does not swing back");
        };
        assert!((4.0 * quarter / period - 1.0).abs() < 0.05, "{} s of {period} s from {start} rad", 4.0 * quarter);
    }
}

#[test]
fn a_turned_end_turns_the_free_one_and_two_turned_ends_share_the_twist() {
    let (count, length) = (10, 0.1);
    let last = count as usize;
    let ghost = |i: usize| last + 1 + i;
    for free in [true, false] {
        let mut rod = clamped(count, length, &RodMaterial { twist: 0.5, ..MATERIAL });
        if !free {
            (rod.masses[last], rod.masses[last - 1], rod.masses[ghost(last)]) = (0.0, 0.0, 0.0);
        }
        let mut scene = scene_of(&rod, Vec3::ZERO, [16, 2]);
        scene.params.linear_damping = 6.0;
        let turn = 1.0_f32;
        for i in [0, 1] {
            let at = &mut scene.particles[ghost(i)].position;
            *at = Vec3::new(at.x, length * turn.cos(), length * turn.sin());
        }
        let end = after(&scene, 240);
        for i in 1..=last {
            let share = if free { 1.0 } else { (last - i) as f32 / (last - 1) as f32 };
            let found = angle(end[ghost(i)]);
            assert!((found - turn * share).abs() < 0.02, "free {free}: frame {i} is turned by {found}, not {share}");
            assert!(end[i].distance(Vec3::X * length * i as f32) < 1e-3, "the line of a twisted rod stays");
        }
    }
}

/// A coil lengthens by its own weight as Castigliano says: mostly because the wire is twisted.
#[test]
#[ignore = "long"]
fn a_coil_is_a_spring() {
    let (turns, around, radius) = (3, 24, 0.2_f32);
    let count = turns * around;
    let at = |i: i32| {
        let turn = TAU * i as f32 / around as f32;
        Vec3::new(0.02 * turn / TAU, radius * turn.cos(), radius * turn.sin())
    };
    let points: Vec<Vec3> = (0..=count).map(at).collect();
    let material = RodMaterial { bend: 0.8, twist: 0.5, ..MATERIAL };
    let mut rod = Deformable::rod("coil", points.clone(), 0.005, &material).unwrap();
    let n = points.len();
    for i in [0, 1, n, n + 1] {
        rod.masses[i] = 0.0;
    }
    let gravity = Vec3::X * 0.2;
    // Moments at `i` of the weights beyond it, and of a force of 1 N at the end.
    let weight = |i: usize| (rod.masses[i] + rod.masses[n + i]) * gravity;
    let moments = |from: usize, about: Vec3| -> [Vec3; 2] {
        let loaded = (from..n).map(|i| (points[i] - about).cross(weight(i))).sum();
        [loaded, (points[n - 1] - about).cross(Vec3::X)]
    };
    let length = points[0].distance(points[1]);
    let mut expected = 0.0;
    for i in 1..n - 1 {
        let tangent = (points[i + 1] - points[i]).normalize();
        let [loaded, unit] = moments(i + 1, 0.5 * (points[i] + points[i + 1])).map(|m| m.dot(tangent));
        expected += loaded * unit * length / material.twist;
        let tangent = (points[i + 1] - points[i - 1]).normalize();
        let [loaded, unit] = moments(i + 1, points[i]).map(|m| m.reject_from_normalized(tangent));
        expected += loaded.dot(unit) * length / material.bend;
    }
    let mut scene = scene_of(&rod, gravity, [32, 4]);
    scene.params.linear_damping = 2.0;
    let lengthened = after(&scene, 360)[n - 1].x - points[n - 1].x;
    assert!((lengthened / expected - 1.0).abs() < 0.05, "{lengthened} m of {expected} m");
}
