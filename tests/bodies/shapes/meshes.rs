//! Meshes finer than what lies on them: a particle lists six triangles, and misses none of the others.

use glam::{Quat, Vec3, vec3};
use sinew::gpu::Context;
use sinew::scene::{BodyDesc, BodyId, Collider, Scene, Shape, TriangleMesh};
use sinew::solver::Solver;

/// A level square of 2 m of triangles with sides of so many meters; beyond `wall` it goes up at 45 degrees.
fn mesh(side: f32, wall: f32) -> TriangleMesh {
    let count = (2.0 / side).round() as u32;
    let at = |k: u32| (k as f32 - 0.5 * count as f32) * side;
    let places = (0..=count).flat_map(|z| (0..=count).map(move |x| (at(x), at(z))));
    let positions = places.map(|(x, z)| vec3(x, (x - wall).max(0.0), z)).collect();
    let cells = (0..count).flat_map(|z| (0..count).map(move |x| z * (count + 1) + x));
    let triangles = cells.flat_map(|a| [[a, a + count + 1, a + 1], [a + 1, a + count + 1, a + count + 2]]).collect();
    TriangleMesh { positions, triangles }
}

fn world(ground: Shape, body: BodyDesc) -> (Solver, BodyId) {
    let mut scene = Scene::default();
    scene.params.sleep_time = 0.0;
    scene.add_collider(Collider::new(ground, Vec3::ZERO)).unwrap();
    let body = scene.add_body(body).unwrap();
    (Solver::new(&Context::shared().expect("adapter"), &scene).unwrap(), body)
}

fn things() -> [(&'static str, BodyDesc, f32); 3] {
    [
        ("capsule", BodyDesc::capsule(0.03, 0.1, 0.03), 0.03),
        ("box", BodyDesc::cuboid(Vec3::splat(0.1), 0.03), 0.1),
        ("ball", BodyDesc::sphere(0.1, 0.04), 0.1),
    ]
}

#[test]
fn what_slides_over_a_fine_mesh_misses_nothing() {
    for side in [0.01, 0.02, 0.05, 0.1, 0.2] {
        for (name, body, height) in things() {
            let body = body.at(vec3(-0.5, 0.3, 0.0)).rotated(Quat::from_rotation_z(0.3));
            let (mut solver, body) =
                world(Shape::Mesh(mesh(side, 2.0)), BodyDesc { velocity: vec3(0.8, 0.0, 0.3), ..body });
            let mut lowest = f32::MAX;
            for frame in 0..100 {
                solver.step();
                let health = solver.read_health().unwrap();
                assert!(health.is_good(), "{name} on triangles of {side} m, frame {frame}: {health:?}");
                if frame > 40 {
                    lowest = lowest.min(solver.read_bodies().unwrap()[body.0 as usize].center().y);
                }
            }
            println!("{name} on triangles of {side} m: lowest {lowest} m");
            assert!(lowest > height - 0.0015, "{name} on triangles of {side} m is at {lowest} m");
        }
    }
}

/// Where the mesh turns up, the wall is listed before it is met, though the level ground holds more triangles than there are slots.
#[test]
fn what_slides_into_a_fine_wall_is_stopped_by_it() {
    for side in [0.01, 0.02, 0.05] {
        for (name, body, _) in things() {
            let body = BodyDesc { velocity: 3.0 * Vec3::X, ..body.at(vec3(-0.3, 0.11, 0.0)) };
            let ground = Shape::Mesh(mesh(side, 0.3));
            let (mut solver, body) = world(ground.clone(), body);
            let mut deepest: f32 = 0.0;
            for _ in 0..40 {
                solver.step();
                assert!(solver.read_health().unwrap().is_good());
                let particles = solver.read_particles().unwrap();
                let wall =
                    |p: &[f32; 4]| (p[1] - (p[0] - 0.3).max(0.0)) * if p[0] > 0.3 { 0.5_f32.sqrt() } else { 1.0 };
                let deep = particles.iter().map(|p| 1.0 - wall(p) / p[3]).fold(0.0, f32::max);
                deepest = deepest.max(deep);
            }
            let at = solver.read_bodies().unwrap()[body.0 as usize].center();
            println!("{name} against triangles of {side} m: {deepest} radii deep at most, ends at {at}");
            assert!(deepest < 0.5, "{name} against triangles of {side} m: {deepest} radii deep");
        }
    }
}
