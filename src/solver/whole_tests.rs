//! Constraints on whole objects on the GPU against their CPU twins.

use glam::{DQuat, DVec3, Quat, Vec3};

use super::{Context, Solver};
use crate::constraints::Chamber;
use crate::scene::{Deformable, Scene};

/// An octahedron, counterclockwise from outside.
const FACES: [[u32; 3]; 8] = [[0, 2, 4], [2, 1, 4], [1, 3, 4], [3, 0, 4], [2, 0, 5], [1, 2, 5], [3, 1, 5], [0, 3, 5]];

fn octahedron() -> Deformable {
    let rest = [Vec3::X, Vec3::NEG_X, Vec3::Y, Vec3::NEG_Y, Vec3::Z, Vec3::NEG_Z].map(|p| 0.3 * p).to_vec();
    let mut body = Deformable::new("octahedron", rest, 3.0, 0.02);
    body.masses[1] = 1.5;
    body
}

fn weightless() -> Scene {
    let mut scene = Scene::default();
    scene.params.gravity = Vec3::ZERO;
    (scene.params.substeps, scene.params.iterations) = (1, 2);
    scene
}

/// Adds the body off its rest shape, with no velocity.
fn add(scene: &mut Scene, body: &Deformable) {
    scene.add_deformable(body, Vec3::new(3.0, 1.0, -2.0), Quat::from_rotation_z(0.3), Vec3::ZERO).unwrap();
    for (i, particle) in scene.particles.iter_mut().enumerate() {
        particle.position += 0.04 * Vec3::new((i as f32).sin(), (2.3 * i as f32).cos(), (1.7 * i as f32).sin());
    }
}

fn compare(scene: &Scene, expected: &[DVec3]) {
    let context = Context::headless(None).expect("adapter");
    let mut solver = Solver::new(&context, scene).unwrap();
    solver.step();
    let rows = solver.read_particles().unwrap();
    for (i, (row, twin)) in rows.iter().zip(expected).enumerate() {
        let off = DVec3::new(row[0].into(), row[1].into(), row[2].into()).distance(*twin);
        assert!(off < 5e-6, "particle {i} is {off} m from its twin");
        let moved = twin.distance(scene.particles[i].position.as_dvec3());
        assert!(moved > 1e-4 || scene.particles[i].mass == 0.0, "particle {i} hardly moves");
    }
}

#[test]
fn chambers_are_their_twin() {
    for compliance in [0.0, 2e-7] {
        let mut body = octahedron();
        body.chambers.push(Chamber::inside(&FACES, &body.rest, 1.5, compliance));
        body.masses[3] = 0.0;
        let mut scene = weightless();
        add(&mut scene, &body);
        let mut x: Vec<DVec3> = scene.particles.iter().map(|p| p.position.as_dvec3()).collect();
        let w: Vec<f64> =
            scene.particles.iter().map(|p| if p.mass > 0.0 { 1.0 / f64::from(p.mass) } else { 0.0 }).collect();
        let mut multiplier = 0.0;
        let pressure = scene.chambers[0].clone();
        for _ in 0..2 {
            pressure.project(&mut x, &w, &mut multiplier, f64::from(scene.params.dt));
        }
        compare(&scene, &x);
    }
}

#[test]
fn soft_shapes_are_their_twin() {
    for compliance in [0.0, 1e-4] {
        let mut body = octahedron();
        body.shape = Some(compliance);
        body.masses[3] = 0.0;
        let mut scene = weightless();
        add(&mut scene, &body);
        let mut x: Vec<DVec3> = scene.particles.iter().map(|p| p.position.as_dvec3()).collect();
        let shape = scene.shape_matches[0].clone();
        let mut rotation = DQuat::IDENTITY;
        for _ in 0..2 {
            shape.project(&mut x, |p| scene.particles[p as usize].mass, &mut rotation, f64::from(scene.params.dt));
        }
        compare(&scene, &x);
    }
}

#[test]
fn open_and_inverted_meshes_are_refused() {
    let body = octahedron();
    let told = |triangles: &[[u32; 3]], part: &str| {
        let message = Chamber::inside(triangles, &body.rest, 1.0, 0.0).check().unwrap_err().to_string();
        assert!(message.contains(part), "{message}");
    };
    told(&FACES[1..], "close the mesh");
    told(&FACES.map(|[a, b, c]| [a, c, b]), "counterclockwise");
    assert!(Chamber::inside(&FACES, &body.rest, 0.0, 0.0).check().is_err());
}
