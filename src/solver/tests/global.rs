//! Global constraints on the GPU against their CPU references.

use glam::{DVec3, Quat, Vec3};

use crate::constraints::{GLOBAL_TYPES, GlobalExample, GlobalState, Pressure, ShapeMatching};
use crate::gpu::Context;
use crate::scene::{Deformable, Scene};
use crate::solver::Solver;

fn weightless() -> Scene {
    let mut scene = Scene::default();
    scene.params.gravity = Vec3::ZERO;
    (scene.params.substeps, scene.params.iterations) = (1, 2);
    scene
}

/// Adds the example off its rest shape, with no velocity; one of its particles is pinned and one is heavier.
fn add(scene: &mut Scene, example: &GlobalExample) {
    let mut body = Deformable::new("example", example.rest.clone(), 3.0, 0.02);
    body.masses[1] = 1.5;
    body.masses[3] = 0.0;
    body.join_global(&example.row).unwrap();
    scene.add_deformable(&body, Vec3::new(3.0, 1.0, -2.0), Quat::from_rotation_z(0.3), Vec3::ZERO).unwrap();
    let first = scene.particles.len() - body.rest.len();
    for (i, particle) in scene.particles[first..].iter_mut().enumerate() {
        particle.position += 0.04 * Vec3::new((i as f32).sin(), (2.3 * i as f32).cos(), (1.7 * i as f32).sin());
    }
}

fn compare(context: &Context, scene: &Scene, expected: &[DVec3], name: &str) {
    let mut solver = Solver::new(context, scene).unwrap();
    solver.step();
    let rows = solver.read_particles().unwrap();
    for (i, (row, twin)) in rows.iter().zip(expected).enumerate() {
        let off = DVec3::new(row[0].into(), row[1].into(), row[2].into()).distance(*twin);
        assert!(off < 5e-6, "{name}: particle {i} is {off} m from its reference");
        let moved = twin.distance(scene.particles[i].position.as_dvec3());
        assert!(moved > 1e-4 || scene.particles[i].mass == 0.0, "{name}: particle {i} hardly moves");
    }
}

#[test]
fn every_type_is_its_reference() {
    let context = Context::shared().expect("adapter");
    for kind in GLOBAL_TYPES {
        for example in (kind.examples)() {
            let mut scene = weightless();
            add(&mut scene, &example);
            let mut x: Vec<DVec3> = scene.particles.iter().map(|p| p.position.as_dvec3()).collect();
            let masses: Vec<f64> = scene.particles.iter().map(|p| f64::from(p.mass)).collect();
            let mut state = GlobalState::default();
            for _ in 0..2 {
                let row = &scene.global_constraints[0];
                (kind.project)(row, &mut state, &mut x, &masses, f64::from(scene.params.dt));
            }
            compare(&context, &scene, &x, kind.name());
        }
    }
}

#[test]
fn all_types_at_once_are_each_their_reference() {
    let context = Context::shared().expect("adapter");
    let mut scene = weightless();
    scene.params.iterations = 1;
    // Objects of different types take turns, far from one another.
    for (i, kind) in GLOBAL_TYPES.iter().chain(GLOBAL_TYPES).enumerate() {
        let (first, mut examples) = (scene.particles.len(), (kind.examples)());
        let turn = i / GLOBAL_TYPES.len() % examples.len();
        add(&mut scene, &examples.swap_remove(turn));
        scene.particles[first..].iter_mut().for_each(|particle| particle.position.y += 2.0 * i as f32);
    }
    let mut x: Vec<DVec3> = scene.particles.iter().map(|p| p.position.as_dvec3()).collect();
    let masses: Vec<f64> = scene.particles.iter().map(|p| f64::from(p.mass)).collect();
    for row in &scene.global_constraints {
        (row.kind.project)(row, &mut GlobalState::default(), &mut x, &masses, f64::from(scene.params.dt));
    }
    compare(&context, &scene, &x, "all");
}

#[test]
fn a_turned_shape_stays_turned_when_the_world_grows() {
    let context = Context::shared().expect("adapter");
    let rest = [Vec3::ZERO, 0.3 * Vec3::X, 0.2 * Vec3::Y, 0.1 * Vec3::Z, 0.4 * Vec3::NEG_X].to_vec();
    let mut body = Deformable::new("body", rest, 1.0, 0.02);
    body.join_global(&ShapeMatching::of(&body.rest, 0.0)).unwrap();
    let mut scene = weightless();
    scene.params.substeps = 4;
    scene.add_deformable(&body, Vec3::Y, Quat::IDENTITY, Vec3::ZERO).unwrap();
    for particle in &mut scene.particles {
        particle.velocity = 20.0 * Vec3::Z.cross(particle.position - Vec3::Y);
    }
    let mut grown = scene.clone();
    // The new one comes first on the GPU.
    let example = (GLOBAL_TYPES[0].examples)().swap_remove(0);
    add(&mut grown, &example);
    let end = |growing: bool| {
        let mut solver = Solver::new(&context, &scene).unwrap();
        for frame in 0..10 {
            solver.step();
            if growing && frame == 6 {
                solver.spawn(&grown).unwrap();
            }
        }
        solver.read_particles().unwrap()
    };
    let (alone, beside) = (end(false), end(true));
    for (i, start) in scene.particles.iter().enumerate() {
        let at = |row: [f32; 4]| Vec3::new(row[0], row[1], row[2]);
        let off = at(alone[i]).distance(at(beside[i]));
        assert!(off < 1e-4, "particle {i} is {off} m off, {} m from its start", at(alone[i]).distance(start.position));
    }
}

#[test]
fn faults_are_refused_by_name() {
    let example = (GLOBAL_TYPES[0].examples)().swap_remove(0);
    let faces = [[0, 2, 4], [2, 1, 4], [1, 3, 4], [3, 0, 4], [2, 0, 5], [1, 2, 5], [3, 1, 5], [0, 3, 5]];
    let mut body = Deformable::new("body", example.rest.clone(), 1.0, 0.02);
    let mut told = |pressure: Pressure, part: &str| {
        let message = body.join_global(&pressure).unwrap_err().to_string();
        assert!(message.starts_with("pressure: ") || message.starts_with("pressure constraint: "), "{message}");
        assert!(message.contains(part), "{message}");
    };
    let rest = &example.rest;
    let inside = |triangles: &[[u32; 3]], pressure| Pressure::inside(triangles, rest, pressure, 0.0);
    told(inside(&faces[1..], 1.0), "close the mesh");
    told(inside(&faces.map(|[a, b, c]| [a, c, b]), 1.0), "counterclockwise");
    told(inside(&faces, 0.0), "pressure is 0");
    let far = faces.map(|face| face.map(|i| i + 1));
    told(Pressure { triangles: far.to_vec(), ..inside(&faces, 1.0) }, "particle 6 does not exist; there are 6");
    body.join_global(&inside(&faces, 1.0)).unwrap();
    // Another type may join the same particles, the same one may not.
    body.join_global(&ShapeMatching::of(rest, 0.0)).unwrap();
    let twice = body.join_global(&inside(&faces, 1.0)).unwrap_err().to_string();
    assert!(twice.starts_with("pressure: particle") && twice.contains("named twice"), "{twice}");
    assert_eq!(body.global_constraints.len(), 2);
    let shape = |compliance| body.clone().join_global(&ShapeMatching::of(rest, compliance)).unwrap_err().to_string();
    assert!(shape(-1.0).contains("shape_matching: compliance is -1"));
}

#[test]
fn a_global_constraint_holds_free_particles_only() {
    let mut scene = weightless();
    scene.add_body(crate::scene::BodyDesc::sphere(0.1, 0.05)).unwrap();
    let first = scene.bodies[0].links[0].particle.0;
    let row = ShapeMatching { particles: vec![first], rest: vec![Vec3::ZERO], compliance: 0.0 };
    scene.add_global_constraint(&row).unwrap();
    let message = scene.check().unwrap_err().to_string();
    assert!(message.contains("shape_matching: particle 0 belongs to body 0"), "{message}");
}
