//! Colliders that hold from one side.

use glam::{Quat, Vec3, vec3};
use sinew::gpu::Context;
use sinew::scene::{
    BodyDesc, Collider, Deformable, Grains, Liquid, ParticleId, Scene, Shape, SheetGrid, SheetMaterial, Thing,
    TriangleMesh,
};
use sinew::solver::Solver;

use super::held::holds_everything;

fn platform() -> Collider {
    Collider::new(Shape::Cuboid(vec3(1.0, 0.05, 1.0)), vec3(0.0, 0.95, 0.0)).one_way(Vec3::Y)
}

fn run(scene: &Scene, frames: usize) -> Solver {
    let mut solver = Solver::new(&Context::shared().expect("adapter"), scene).unwrap();
    (0..frames).for_each(|_| solver.step());
    assert!(solver.read_health().unwrap().is_good());
    solver
}

#[test]
fn a_one_way_platform_holds_everything_from_above() {
    holds_everything("platform", platform(), 1.0, 0.45);
}

/// Below a platform, about to fly up through it: two balls, a cloth, water and sand.
fn thrown_at(collider: Collider) -> Scene {
    let mut scene = Scene::default();
    scene.add_collider(Collider::ground(0.0)).unwrap();
    scene.add_collider(collider).unwrap();
    // What splashes and flows stays on top all the same.
    for (x, z) in [(0.95, 0.0), (-0.95, 0.0), (0.0, 0.95), (0.0, -0.95)] {
        let half = vec3(if x == 0.0 { 1.0 } else { 0.05 }, 0.5, if z == 0.0 { 1.0 } else { 0.05 });
        scene.add_collider(Collider::new(Shape::Cuboid(half), vec3(x, 1.4, z))).unwrap();
    }
    // Half a meter over the platform, and one that stops below and falls back.
    let ball = |x: f32, speed: f32| BodyDesc {
        velocity: speed * Vec3::Y,
        ..BodyDesc::sphere(0.12, 0.03).at(vec3(x, 0.2, -0.5))
    };
    scene.add_body(ball(-0.5, (2.0_f32 * 9.81 * 1.4).sqrt())).unwrap();
    scene.add_body(ball(0.5, (2.0_f32 * 9.81 * 0.45).sqrt())).unwrap();
    // The air would hold it if it faced upward.
    let edge_on = Quat::from_rotation_x(1.5);
    let grid = SheetGrid::square(9, 0.3);
    let material = SheetMaterial::default();
    let cloth = Deformable::sheet("cloth", grid.positions(), &grid.triangles(), 0.01, &material).unwrap();
    scene.add_deformable(&cloth, vec3(0.0, 0.5, 0.4), edge_on, 6.0 * Vec3::Y).unwrap();
    let water = scene.add_liquid(Liquid::water(0.02)).unwrap();
    let block = |low: Vec3, step: f32| -> Vec<Vec3> {
        (0..27).map(|i| low + step * vec3((i % 3) as f32, (i / 3 % 3) as f32, (i / 9) as f32)).collect()
    };
    scene.pour(water, &block(vec3(0.5, 0.3, 0.4), 0.04), 5.5 * Vec3::Y).unwrap();
    let sand = scene.add_grains(Grains::sand(0.015)).unwrap();
    scene.heap(sand, &block(vec3(-0.6, 0.3, 0.4), 0.035), 5.5 * Vec3::Y).unwrap();
    scene
}

#[test]
fn what_is_thrown_from_below_passes_and_rests_on_top() {
    let sheet = TriangleMesh {
        positions: vec![vec3(-1.0, 0.0, -1.0), vec3(1.0, 0.0, -1.0), vec3(1.0, 0.0, 1.0), vec3(-1.0, 0.0, 1.0)],
        triangles: vec![[0, 2, 1], [0, 3, 2]],
    };
    let mesh = Collider::new(Shape::Mesh(sheet), Vec3::Y).one_way(Vec3::Y);
    // Turned about, it faces up by its own direction.
    let turned = Collider { rotation: Quat::from_rotation_x(std::f32::consts::PI), ..platform() }.one_way(Vec3::NEG_Y);
    for (name, collider) in [("box", platform()), ("mesh", mesh), ("turned", turned)] {
        let scene = thrown_at(collider);
        let members = scene.members();
        let drop = |i: u32| matches!(members.thing(ParticleId(i)), Some(Thing::Liquid(_)));
        let mut solver = run(&scene, 0);
        let mut top = 0.0_f32;
        for _ in 0..110 {
            solver.step();
            let rows = solver.read_particles().unwrap();
            top = rows.iter().zip(0..).filter(|(_, i)| drop(*i)).fold(top, |top, (row, _)| top.max(row[1]));
        }
        assert!(solver.read_health().unwrap().is_good());
        // The middle of the block rises by v² / 2g, and its upper half is little further up: what passes is not thrown on.
        let highest = 0.34 + 5.5 * 5.5 / (2.0 * 9.81) + 0.08;
        println!("{name}: water rises to {top} m of {highest} m");
        assert!(top < highest, "{name}: water rises to {top} m, thrown to {highest} m");
        let bodies = solver.read_bodies().unwrap();
        println!("{name}: {:?}, {:?}", bodies[0].center(), bodies[1].center());
        assert!((bodies[0].center()[0] + 0.5).abs() < 0.01, "{name}: drops move a ball to {:?}", bodies[0].center());
        assert!((bodies[0].center()[1] - 1.12).abs() < 5e-3, "{name}: {:?} is not on top", bodies[0].center());
        assert!((bodies[1].center()[1] - 0.12).abs() < 5e-3, "{name}: {:?} is not below", bodies[1].center());
        let mut above = [[0, 0]; 3];
        for (row, i) in solver.read_particles().unwrap().iter().zip(0..) {
            let kind = match members.thing(ParticleId(i)) {
                Some(Thing::Deformable(_)) => 0,
                Some(Thing::Liquid(_)) => 1,
                Some(Thing::Grains(_)) => 2,
                _ => continue,
            };
            above[kind][usize::from(row[1] > 0.99)] += 1;
        }
        println!("{name}: below and above: {above:?}");
        for (kind, [below, above]) in ["cloth", "liquid", "grains"].into_iter().zip(above) {
            assert!(above > 15 && below == 0, "{name}: of {kind} {above} are above and {below} below");
        }
    }
}

#[test]
fn a_rising_one_way_platform_lifts_what_is_on_it_and_passes_what_is_under_it() {
    let mut scene = Scene::default();
    scene.add_collider(Collider { velocity: 0.5 * Vec3::Y, ..platform() }).unwrap();
    let hanging = Collider::new(Shape::Sphere(0.05), vec3(0.0, 3.0, 3.0));
    scene.add_collider(hanging).unwrap();
    scene.add_body(BodyDesc::cuboid(Vec3::splat(0.1), 0.03).at(vec3(0.4, 1.1, 0.0))).unwrap();
    let solver = run(&scene, 60);
    let top = 1.0 + 0.5;
    let y = solver.read_bodies().unwrap()[0].center()[1];
    assert!((y - top - 0.1).abs() < 0.01, "at {y}, {} over the platform", y - top);
}

#[test]
fn a_direction_without_length_is_refused() {
    let mut scene = Scene::default();
    let error = scene.add_collider(platform().one_way(Vec3::ZERO)).unwrap_err().to_string();
    assert!(error.contains("one-way"), "{error}");
    assert!(scene.add_collider(platform().one_way(Vec3::NAN)).is_err());
}
