//! The second order integrator (BDF2) against the first: what swings and spins keeps its energy, what falls falls as it should.

use glam::{DVec3, Quat, Vec3, vec3};
use sinew::constraints::ShapeMatching;
use sinew::gpu::Context;
use sinew::scene::{
    Collider, Deformable, DeformableId, Integrator, Params, Push, RopeMaterial, Scene, SoftMaterial, SoftModel, Thing,
};
use sinew::solver::Solver;
use sinew::spawn::balloon;

const GRAVITY: f64 = 9.81;

fn solver(scene: &Scene) -> Solver {
    Solver::new(&Context::shared().expect("adapter"), scene).unwrap()
}

fn state(solver: &Solver) -> (Vec<DVec3>, Vec<DVec3>) {
    assert!(solver.read_health().unwrap().is_good());
    let of = |rows: Vec<[f32; 4]>| rows.iter().map(|r| Vec3::from_slice(&r[..3]).as_dvec3()).collect();
    (of(solver.read_particles().unwrap()), of(solver.read_particle_velocities().unwrap()))
}

/// A weight of 1 kg on a rope of one segment of 1 m that does not stretch, let go at 60° from upright below.
fn pendulum(integrator: Integrator) -> Scene {
    let mut scene = Scene::default();
    (scene.params.integrator, scene.params.substeps) = (integrator, 4);
    let material = RopeMaterial { line_density: 0.1, stretch: 0.0, bend: f32::INFINITY };
    let end = vec3(60.0_f32.to_radians().sin(), -60.0_f32.to_radians().cos(), 0.0);
    let mut rope = Deformable::rope("pendulum", vec![Vec3::ZERO, end], 0.02, &material).unwrap();
    (rope.masses[0], rope.masses[1]) = (0.0, 1.0);
    scene.add_deformable(&rope, 3.0 * Vec3::Y, Quat::IDENTITY, Vec3::ZERO).unwrap();
    scene
}

#[test]
fn a_pendulum_keeps_its_energy() {
    let left = |integrator| {
        let mut solver = solver(&pendulum(integrator));
        // Energy above the lowest place, over that at the start.
        let energy = |(x, v): (Vec<DVec3>, Vec<DVec3>)| {
            (0.5 * v[1].length_squared() + GRAVITY * (x[1].y - 2.0)) / (0.5 * GRAVITY)
        };
        (0..600).for_each(|_| solver.step());
        energy(state(&solver))
    };
    let (first, second) = (left(Integrator::Euler), left(Integrator::Bdf2));
    println!("of the energy after 10 s: first order {first:.4}, second {second:.4}");
    assert!((second - 1.0).abs() < 0.03, "{second} of the energy is left");
    assert!(first < 0.9, "{first} of the energy is left");
}

/// A pendulum's time from side to side for large swings: 4 √(l/g) K(sin θ/2).
#[test]
fn a_pendulum_swings_in_its_time() {
    let mut solver = solver(&pendulum(Integrator::Bdf2));
    let (mut crossings, mut before) = (Vec::new(), 1.0);
    for frame in 0..300 {
        solver.step();
        let now = state(&solver).0[1].x;
        if before > 0.0 && now <= 0.0 {
            crossings.push((f64::from(frame) + before / (before - now)) / 60.0);
        }
        before = now;
    }
    // The arithmetic-geometric mean gives K.
    let (mut a, mut b) = (1.0_f64, 30.0_f64.to_radians().cos());
    for _ in 0..8 {
        (a, b) = (0.5 * (a + b), (a * b).sqrt());
    }
    let expected = std::f64::consts::TAU * (1.0 / GRAVITY).sqrt() / a;
    let found = (crossings[crossings.len() - 1] - crossings[0]) / (crossings.len() - 1) as f64;
    println!("{found} s, theory {expected} s");
    assert!((found / expected - 1.0).abs() < 0.003, "{found} s, theory {expected} s");
}

/// A soft bar of four cells, weightless.
fn bar(integrator: Integrator) -> (Scene, DeformableId) {
    let mut scene = Scene::default();
    scene.params.gravity = Vec3::ZERO;
    scene.params.integrator = integrator;
    let (mut rest, mut tetrahedra) = (Vec::new(), Vec::new());
    for layer in 0..5 {
        rest.extend(
            [[0, 0], [1, 0], [1, 1], [0, 1]]
                .map(|[y, z]| vec3(layer as f32 - 2.0, y as f32 - 0.5, z as f32 - 0.5) * 0.1),
        );
    }
    for first in (0..4).map(|layer| 4 * layer) {
        for t in [[0, 1, 2, 6], [0, 5, 1, 6], [0, 4, 5, 6], [0, 2, 3, 6], [0, 3, 7, 6], [0, 7, 4, 6]] {
            tetrahedra.push(t.map(|i| first + i));
        }
    }
    let material = SoftMaterial { density: 1000.0, model: SoftModel::NeoHookean { young: 2e5, poisson: 0.3 } };
    let bar = Deformable::soft("bar", rest, &tetrahedra, 0.02, &material).unwrap();
    let id = scene.add_deformable(&bar, 2.0 * Vec3::Y, Quat::IDENTITY, Vec3::ZERO).unwrap();
    (scene, id)
}

/// Kinetic energy and angular momentum about the center of mass.
fn motion(scene: &Scene, (x, v): &(Vec<DVec3>, Vec<DVec3>)) -> (f64, DVec3) {
    let masses: Vec<f64> = scene.particles.iter().map(|p| f64::from(p.mass)).collect();
    let all: f64 = masses.iter().sum();
    let center = masses.iter().zip(x).map(|(m, x)| *m * *x).sum::<DVec3>() / all;
    let kinetic = masses.iter().zip(v).map(|(m, v)| 0.5 * m * v.length_squared()).sum();
    let parts = masses.iter().zip(x).zip(v);
    (kinetic, parts.map(|((m, x), v)| (*x - center).cross(*m * *v)).sum())
}

#[test]
fn a_spinning_soft_bar_keeps_its_spin_and_a_swinging_one_its_energy() {
    // Spin: about the long way across; swing: bent and let go, its energy is at its most again and again.
    let spun = |integrator| {
        let (mut scene, _) = bar(integrator);
        for particle in &mut scene.particles {
            particle.velocity = 12.0 * Vec3::Z.cross(particle.position - 2.0 * Vec3::Y);
        }
        let start = (
            scene.particles.iter().map(|p| p.position.as_dvec3()).collect(),
            scene.particles.iter().map(|p| p.velocity.as_dvec3()).collect(),
        );
        let mut solver = solver(&scene);
        (0..180).for_each(|_| solver.step());
        let (before, after) = (motion(&scene, &start), motion(&scene, &state(&solver)));
        (after.0 / before.0, after.1.distance(before.1) / before.1.length())
    };
    let (first, second) = (spun(Integrator::Euler), spun(Integrator::Bdf2));
    println!("spin: energy and error of the angular momentum after 3 s: first order {first:?}, second {second:?}");
    assert!(second.1 < 0.02 && (0.9..1.02).contains(&second.0), "{second:?}");
    let swung = |integrator| {
        let (mut scene, _) = bar(integrator);
        for particle in &mut scene.particles {
            particle.velocity.y = 40.0 * particle.position.x.powi(2) - 0.8;
        }
        let start: f64 = scene.particles.iter().map(|p| 0.5 * f64::from(p.mass * p.velocity.length_squared())).sum();
        let mut solver = solver(&scene);
        (0..60).for_each(|_| solver.step());
        let mut most: f64 = 0.0;
        for _ in 0..20 {
            solver.step();
            most = most.max(motion(&scene, &state(&solver)).0);
        }
        most / start
    };
    let (first, second) = (swung(Integrator::Euler), swung(Integrator::Bdf2));
    println!(
        "swing: most kinetic energy after 1 s, over that at the start: first order {first:.4}, second {second:.4}"
    );
    assert!(second > 1.5 * first, "first order {first}, second {second}");
}

#[test]
fn what_lies_stays_and_states_go_on_to_the_bit() {
    let mut scene = bar(Integrator::Bdf2).0;
    scene.params.gravity = Vec3::NEG_Y * GRAVITY as f32;
    scene.add_collider(Collider::ground(1.9)).unwrap();
    let mut solver = solver(&scene);
    (0..40).for_each(|_| solver.step());
    let kept = solver.save().unwrap();
    (0..110).for_each(|_| solver.step());
    let (x, v) = state(&solver);
    let fastest = v.iter().map(|v| v.length()).fold(0.0, f64::max);
    let lowest = x.iter().map(|x| x.y).fold(f64::MAX, f64::min);
    println!("fastest {fastest} m/s, lowest {} m above the ground", lowest - 1.9);
    assert!(fastest < 0.04 && (lowest - 1.92).abs() < 0.003, "{fastest} m/s, {lowest} m");
    let first = solver.read_particles().unwrap();
    solver.restore(&kept).unwrap();
    (0..110).for_each(|_| solver.step());
    assert_eq!(first, solver.read_particles().unwrap(), "from a state to the bit");
    // Changed while it runs, and back.
    for integrator in [Integrator::Euler, Integrator::Bdf2] {
        let params = Params { integrator, ..*solver.params() };
        solver.set_params(params).unwrap();
        solver.step();
        let moved = state(&solver).0.iter().zip(&x).map(|(a, b)| a.distance(*b)).fold(0.0, f64::max);
        assert!(moved < 0.01, "{integrator:?}: {moved} m");
    }
}

#[test]
fn what_glides_goes_as_far_as_it_is_fast_whatever_the_substep() {
    let mut scene = Scene::default();
    (scene.params.integrator, scene.params.gravity) = (Integrator::Bdf2, Vec3::ZERO);
    let material = RopeMaterial { line_density: 0.1, stretch: 0.0, bend: f32::INFINITY };
    let rope = Deformable::rope("rope", vec![Vec3::ZERO, Vec3::X * 0.1], 0.01, &material).unwrap();
    scene.add_deformable(&rope, Vec3::ZERO, Quat::IDENTITY, Vec3::Z * 6.0).unwrap();
    let mut solver = solver(&scene);
    for (dt, substeps) in [(1.0 / 60.0, 4), (1.0 / 600.0, 4), (1.0 / 60.0, 4), (1.0 / 60.0, 12), (1.0 / 60.0, 2)] {
        solver.set_params(Params { dt, substeps, ..*solver.params() }).unwrap();
        for frame in 0..4 {
            let before = state(&solver).0[0].z;
            solver.step();
            let part = (state(&solver).0[0].z - before) / (6.0 * f64::from(dt));
            assert!((part - 1.0).abs() < 0.01, "frame {frame} of {dt} s in {substeps}: {part} of v dt");
        }
    }
}

/// A rope of so many particles along x, weightless or not, thrown up at 1 m/s.
fn thrown(count: usize, gravity: Vec3) -> Scene {
    let mut scene = Scene::default();
    (scene.params.integrator, scene.params.gravity) = (Integrator::Bdf2, gravity);
    let material = RopeMaterial { line_density: 0.1, stretch: 1e-6, bend: f32::INFINITY };
    let points = (0..count).map(|i| 0.1 * i as f32 * Vec3::X).collect();
    let rope = Deformable::rope("rope", points, 0.02, &material).unwrap();
    scene.add_deformable(&rope, Vec3::ZERO, Quat::IDENTITY, Vec3::Y).unwrap();
    scene
}

#[test]
fn ropes_of_any_number_of_particles_fall_alike() {
    let frames = 20;
    let ends: Vec<DVec3> = (25..=28)
        .map(|count| {
            let mut solver = solver(&thrown(count, Vec3::NEG_Y * GRAVITY as f32));
            (0..frames).for_each(|_| solver.step());
            state(&solver).0[0]
        })
        .collect();
    println!("ends of ropes of 25 to 28 particles: {ends:?}");
    assert!(ends.iter().all(|end| end.distance(ends[0]) < 1e-4), "{ends:?}");
}

#[test]
fn a_push_gives_what_it_says() {
    let mut solver = solver(&thrown(8, Vec3::ZERO));
    (0..5).for_each(|_| solver.step());
    let before = state(&solver).0[3];
    solver.push(Push::velocity_change(Thing::Deformable(DeformableId(0)), 2.0 * Vec3::Z)).unwrap();
    (0..30).for_each(|_| solver.step());
    let (x, v) = state(&solver);
    println!("{} m/s, {} m in half a second", v[3], x[3] - before);
    assert!(v.iter().all(|v| v.distance(DVec3::new(0.0, 1.0, 2.0)) < 1e-3), "{v:?}");
    assert!((x[3] - before).distance(DVec3::new(0.0, 0.5, 1.0)) < 0.005, "{}", x[3] - before);
}

#[test]
fn a_balloon_under_pressure_does_not_turn_by_itself() {
    let mut scene = Scene::default();
    (scene.params.integrator, scene.params.gravity) = (Integrator::Bdf2, Vec3::ZERO);
    let (balloon, _) = balloon(0.3, 1.2).unwrap();
    scene
        .add_deformable(&Deformable { air_surfaces: Vec::new(), ..balloon }, Vec3::ZERO, Quat::IDENTITY, Vec3::ZERO)
        .unwrap();
    let mut solver = solver(&scene);
    (0..120).for_each(|_| solver.step());
    let (kinetic, spin) = motion(&scene, &state(&solver));
    println!("after 2 s: {kinetic:.2e} J, {:.2e} kg m²/s", spin.length());
    assert!(kinetic < 1e-6 && spin.length() < 1e-4, "{kinetic} J, {spin}");
}

/// By its constraints what spins loses no spin, whatever holds its shape.
#[test]
fn what_matches_a_shape_keeps_its_spin() {
    for integrator in [Integrator::Euler, Integrator::Bdf2] {
        let mut scene = Scene::default();
        (scene.params.integrator, scene.params.gravity) = (integrator, Vec3::ZERO);
        let rest: Vec<Vec3> = (0..64)
            .map(|i| 0.1 * vec3((i & 3) as f32 - 1.5, (i >> 2 & 3) as f32 - 1.5, (i >> 4) as f32 - 1.5))
            .collect();
        let mut cube = Deformable::new("cube", rest.clone(), 8.0, 0.02);
        cube.join_global(&ShapeMatching::of(&rest, 0.0)).unwrap();
        scene.add_deformable(&cube, 3.0 * Vec3::X, Quat::IDENTITY, Vec3::ZERO).unwrap();
        for particle in &mut scene.particles {
            particle.velocity = vec3(0.5, 2.0, 3.0).cross(particle.position - 3.0 * Vec3::X);
        }
        let start = (
            scene.particles.iter().map(|p| p.position.as_dvec3()).collect(),
            scene.particles.iter().map(|p| p.velocity.as_dvec3()).collect(),
        );
        let mut solver = solver(&scene);
        (0..120).for_each(|_| solver.step());
        let (x, v) = state(&solver);
        let glides = v.iter().sum::<DVec3>() / v.len() as f64;
        let (before, after) = (motion(&scene, &start), motion(&scene, &(x, v)));
        let lost = after.1.distance(before.1) / before.1.length();
        println!("{integrator:?}: {lost:.1e} of the spin is lost in 2 s, and {:.1e} m/s won", glides.length());
        assert!(lost < 1e-3 && glides.length() < 1e-4, "{integrator:?}: {lost}, {glides}");
    }
}
