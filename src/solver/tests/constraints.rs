//! Constraints on the GPU against their CPU twins.

use glam::{DVec3, Quat, Vec3};

use crate::constraints::{Distance, Particles, Partition, Row, Solving, Sweep, TYPES};
use crate::gpu::Context;
use crate::scene::{Air, Deformable, Particle, Phase, Scene, SheetMaterial};
use crate::solver::Solver;

/// What a solver without gravity and contacts does in one frame, in `f64`.
fn reference(scene: &Scene) -> Particles {
    let p = &scene.params;
    let partitioned = scene.divided();
    let mut sweep = Sweep::new(&scene.constraints, &partitioned);
    let mut particles = Particles::default();
    for at in &scene.particles {
        particles.position.push(at.position.as_dvec3());
        particles.velocity.push(at.velocity.as_dvec3());
        particles.inverse_mass.push(if at.mass > 0.0 { 1.0 / f64::from(at.mass) } else { 0.0 });
    }
    let h = f64::from(p.substep_dt());
    let solving = Solving { h, iterations: p.iterations, stiffness: p.stiffness_by_type(), threaded: true };
    for _ in 0..p.substeps {
        for i in 0..particles.position.len() {
            if particles.inverse_mass[i] > 0.0 {
                let step = h * particles.velocity[i];
                particles.position[i] += step;
            }
        }
        sweep.solve(&mut particles, solving);
    }
    particles
}

/// Steps the scene once and compares; `scale` is the size of what happens [m].
fn compare(context: &Context, scene: &Scene, what: &str) {
    let expected = reference(scene);
    let mut solver = Solver::new(context, scene).unwrap();
    solver.step();
    let (positions, velocities) = (solver.read_particles().unwrap(), solver.read_particle_velocities().unwrap());
    assert_eq!(positions.len(), scene.particles.len());
    let mut moved: f64 = 0.0;
    for (i, start) in scene.particles.iter().enumerate() {
        let at = |row: [f32; 4]| DVec3::new(row[0].into(), row[1].into(), row[2].into());
        let off = at(positions[i]).distance(expected.position[i]);
        moved = moved.max(at(positions[i]).distance(start.position.as_dvec3()));
        assert!(off < 2e-5, "{what}: particle {i} is {off} m from its twin");
        let off = at(velocities[i]).distance(expected.velocity[i]);
        assert!(off < 2e-2, "{what}: particle {i} is {off} m/s faster than its twin");
        if start.mass == 0.0 {
            assert_eq!(at(positions[i]), start.position.as_dvec3(), "{what}: pinned particle {i} moved");
        }
    }
    assert!(moved > 1e-3, "{what} moves by {moved} m only");
}

fn weightless() -> Scene {
    let mut scene = Scene::default();
    scene.params.gravity = Vec3::ZERO;
    scene
}

/// Deterministic numbers in -1..1.
fn noise(seed: usize) -> Vec3 {
    let wave = |k: f32| (seed as f32 * k).sin();
    Vec3::new(wave(12.9898), wave(78.233), wave(37.719))
}

#[test]
fn every_type_is_its_twin() {
    let context = Context::shared().expect("adapter");
    for kind in TYPES {
        let mut scene = weightless();
        (scene.params.substeps, scene.params.iterations) = (2, 3);
        let example = (kind.example)();
        for copy in 0..40 {
            let first = scene.particles.len() as u32;
            for k in 0..kind.particles {
                let seed = 4 * copy + k;
                let held = copy % 5 == 4 && k == 0;
                scene
                    .add_particle(Particle {
                        position: example.rest[k] + 0.05 * noise(seed),
                        velocity: if held { Vec3::ZERO } else { 2.0 * noise(seed + 7) },
                        radius: 0.01,
                        mass: if held { 0.0 } else { 1.0 + 0.5 * noise(seed).x },
                        phase: Phase::GHOST,
                    })
                    .unwrap();
            }
            let mut row: Row = example.row;
            row.particles[..kind.particles].iter_mut().for_each(|p| *p += first);
            row.damping = if copy % 2 == 0 { 0.0 } else { 5.0 };
            scene.add_constraint(&row).unwrap();
            // A slack line to a fixed point: what is held gets no spin back, which the twin knows nothing of.
            let fixed = scene.particles.len() as u32;
            let end = Particle { mass: 0.0, velocity: Vec3::ZERO, ..scene.particles[first as usize] };
            scene.add_particle(end).unwrap();
            let margin = |p| Distance { particles: [p, fixed], rest_length: 9.0, compliance: 0.0, tension_only: true };
            for particle in first..fixed {
                scene.add_constraint(&margin(particle)).unwrap();
            }
        }
        compare(&context, &scene, kind.name);
    }
}

#[test]
fn every_partition_is_its_twin() {
    let context = Context::shared().expect("adapter");
    let at = |x: u32, y: u32| 8 * y + x;
    let rest = (0..64).map(|i| 0.1 * Vec3::new((i % 8) as f32, 0.0, (i / 8) as f32)).collect();
    let mut sheet = Deformable::new("sheet", rest, 1.0, 0.01);
    for (a, b) in (0..7).flat_map(|y| (0..8).flat_map(move |x| [(at(x, y), at(x, y + 1)), (at(y, x), at(y + 1, x))])) {
        let rest_length = 0.08 + 0.0005 * a as f32;
        sheet.join(&Distance { particles: [a, b], rest_length, compliance: 1e-5, tension_only: false }).unwrap();
    }
    sheet.pin(|at| at == Vec3::ZERO);
    for partition in [
        Partition::Colors,
        Partition::Phantom(2),
        Partition::Cliques(3),
        Partition::Hybrid(2),
        Partition::Jacobi,
        Partition::Clusters,
    ] {
        for (iterations, stiffness) in [(1, 1.0), (4, 1.0), (4, 0.3)] {
            let mut scene = weightless();
            (scene.params.substeps, scene.params.iterations, scene.params.partition) = (2, iterations, partition);
            scene.params.stiffness = stiffness;
            scene.add_deformable(&sheet, Vec3::Y, Quat::IDENTITY, Vec3::ZERO).unwrap();
            compare(&context, &scene, &format!("{partition}, {iterations} iterations, k = {stiffness}"));
        }
    }
}

#[test]
fn clusters_that_share_particles_are_their_twin() {
    let context = Context::shared().expect("adapter");
    const SIDE: u32 = 50;
    let at = |i: u32| 0.1 * Vec3::new((i % SIDE) as f32, 0.0, (i / SIDE) as f32);
    let rest: Vec<Vec3> = (0..SIDE * SIDE).map(at).collect();
    let corners = (0..SIDE * SIDE).filter(|i| i % SIDE + 1 < SIDE && i / SIDE + 1 < SIDE);
    let triangles: Vec<[u32; 3]> =
        corners.flat_map(|i| [[i, i + SIDE, i + 1], [i + 1, i + SIDE, i + SIDE + 1]]).collect();
    let vacuum = SheetMaterial { air: Air::NONE, ..SheetMaterial::default() };
    let mut sheet = Deformable::sheet("sheet", rest, &triangles, 0.01, &vacuum).unwrap();
    sheet.pin(|at| at == Vec3::ZERO);
    let mut scene = weightless();
    (scene.params.substeps, scene.params.iterations, scene.params.partition) = (2, 2, Partition::Clusters);
    (scene.params.stiffness, scene.params.bend_stiffness) = (0.9, 0.3);
    scene.params.set("stiffness_distance", "0.6").unwrap().unwrap();
    scene.add_deformable(&sheet, Vec3::Y, Quat::IDENTITY, Vec3::ZERO).unwrap();
    for (i, particle) in scene.particles.iter_mut().enumerate().filter(|(_, p)| p.mass > 0.0) {
        particle.velocity = 0.3 * noise(i);
    }
    assert!(scene.divided().clusters.iter().max() > Some(&1), "several clusters");
    compare(&context, &scene, "clusters");
}

#[test]
fn momentum_of_a_free_sheet_stays() {
    let context = Context::shared().expect("adapter");
    for partition in [
        Partition::Colors,
        Partition::Phantom(2),
        Partition::Cliques(3),
        Partition::Hybrid(3),
        Partition::Jacobi,
        Partition::Clusters,
    ] {
        let rest: Vec<Vec3> = (0..25).map(|i| 0.1 * Vec3::new((i % 5) as f32, 0.0, (i / 5) as f32)).collect();
        let triangles: Vec<[u32; 3]> =
            (0..16).map(|i| 5 * (i / 4) + i % 4).flat_map(|i| [[i, i + 5, i + 1], [i + 1, i + 5, i + 6]]).collect();
        let vacuum = SheetMaterial { air: Air::NONE, ..SheetMaterial::default() };
        let sheet = Deformable::sheet("sheet", rest, &triangles, 0.01, &vacuum).unwrap();
        let mut scene = weightless();
        scene.params.partition = partition;
        scene.add_deformable(&sheet, Vec3::ZERO, Quat::IDENTITY, Vec3::ZERO).unwrap();
        for (i, particle) in scene.particles.iter_mut().enumerate() {
            particle.velocity = Vec3::Y.cross(particle.position) * 4.0 + Vec3::X + 0.001 * noise(i);
        }
        let sums = |x: &[DVec3], v: &[DVec3]| {
            let mass = |i: usize| f64::from(scene.particles[i].mass);
            let linear: DVec3 = (0..x.len()).map(|i| mass(i) * v[i]).sum();
            let all: f64 = (0..x.len()).map(mass).sum();
            let center = (0..x.len()).map(|i| mass(i) * x[i]).sum::<DVec3>() / all;
            (linear, (0..x.len()).map(|i| (x[i] - center).cross(mass(i) * v[i])).sum::<DVec3>())
        };
        let start = sums(
            &scene.particles.iter().map(|p| p.position.as_dvec3()).collect::<Vec<_>>(),
            &scene.particles.iter().map(|p| p.velocity.as_dvec3()).collect::<Vec<_>>(),
        );
        let mut solver = Solver::new(&context, &scene).unwrap();
        for _ in 0..600 {
            solver.step();
        }
        let of = |rows: Vec<[f32; 4]>| rows.iter().map(|r| Vec3::new(r[0], r[1], r[2]).as_dvec3()).collect::<Vec<_>>();
        let end = sums(&of(solver.read_particles().unwrap()), &of(solver.read_particle_velocities().unwrap()));
        let (linear, angular) =
            (end.0.distance(start.0) / start.0.length(), end.1.distance(start.1) / start.1.length());
        assert!(linear < 1e-3 && angular < 1e-3, "{partition}: linear {linear}, angular {angular}");
    }
}

/// Each type by itself on the GPU: of C a part (1 - k)ⁿ is left after n iterations. Not of elastic flesh, whose two equations pull against
/// each other at rest.
#[test]
fn every_type_has_its_own_k() {
    let context = Context::shared().expect("adapter");
    let mut scene = weightless();
    (scene.params.substeps, scene.params.iterations, scene.params.partition) = (1, 3, Partition::Colors);
    scene.params.stiffness = 0.9;
    let mut expected = Vec::new();
    let one = |kind: &crate::constraints::Type| kind.equations <= 2 && kind.name != "neo_hookean";
    for (i, kind) in TYPES.iter().enumerate().filter(|(_, kind)| one(kind)) {
        let k = 0.1 + 0.05 * i as f32;
        scene.params.set(&format!("stiffness_{}", kind.name), &k.to_string()).unwrap().unwrap();
        let mut example = (kind.example)();
        example.row.kind.gives.iter().for_each(|(k, _)| example.row.values[*k] = 0.0);
        let shaken = |p: usize| example.rest[p] + 1e-3 * noise(7 * i + p);
        let mut object = Deformable::new(kind.name, (0..kind.particles).map(shaken).collect(), 1.0, 0.01);
        object.join(&example.row).unwrap();
        // Nothing of one meets another.
        let id = scene.add_deformable(&object, 10.0 * i as f32 * Vec3::X, Quat::IDENTITY, Vec3::ZERO).unwrap();
        expected.push((id, (1.0 - f64::from(k)).powi(3)));
    }
    let mut solver = Solver::new(&context, &scene).unwrap();
    let before = solver.read_particles().unwrap();
    solver.step();
    let after = solver.read_particles().unwrap();
    for (row, (id, expected)) in scene.constraints.iter().zip(expected) {
        let left = |at: &[[f32; 4]]| {
            let place = |p: &u32| at.get(*p as usize).map_or(DVec3::ZERO, |x| Vec3::from_slice(x).as_dvec3());
            let x = std::array::from_fn(|k| place(&row.particles[k]));
            (0..row.kind.equations).map(|e| row.equation(e, &x).value.powi(2)).sum::<f64>().sqrt()
        };
        let part = left(&after) / left(&before);
        println!("{} of object {}: {part:.4}, {expected:.4}", row.kind.name, id.0);
        assert!((part - expected).abs() < 0.02, "{}: {part} is left, not {expected}", row.kind.name);
    }
}
