//! Lists that have an end: what is left out is told by the name of its list, and nothing falls through a floor because of it.

use sinew::glam::{Quat, Vec3, vec3};
use sinew::scene::{BodyDesc, Collider, Grains, Scene, Shape, TriangleMesh};
use sinew::solver::{Dropped, Solver};

use crate::world::{centers, places, run, solver};

/// What found no room in any of so many frames.
fn dropped_in(solver: &mut Solver, frames: u32) -> Dropped {
    let mut most = Dropped::default();
    for _ in 0..frames {
        solver.step();
        most = most.max(&solver.read_health().unwrap().dropped);
    }
    most
}

#[test]
fn a_table_carries_more_than_a_body_has_slots_for() {
    let mut scene = Scene::default();
    scene.add_collider(Collider::ground(0.0)).unwrap();
    scene.add_body(BodyDesc::cuboid(vec3(1.3, 0.1, 1.3), 0.1).at(Vec3::Y * 0.1)).unwrap();
    for i in 0..64 {
        let at = vec3(0.3 * ((i % 8) as f32 - 3.5), 0.305, 0.3 * ((i / 8) as f32 - 3.5));
        scene.add_body(BodyDesc::cuboid(Vec3::splat(0.1), 0.05).at(at)).unwrap();
    }
    let mut solver = solver(&scene);
    assert_eq!(dropped_in(&mut solver, 40), Dropped::default());
    let low = centers(&solver)[1..].iter().map(|at| at.y).fold(f32::MAX, f32::min);
    assert!(low > 0.295, "a crate lies {low} m high, the table is 0.2 m");
}

/// Two crates over a floor, of particles coarse and fine.
fn crates_over(floor: impl IntoIterator<Item = Collider>) -> (Solver, Dropped) {
    let mut scene = Scene::default();
    for collider in floor {
        scene.add_collider(collider).unwrap();
    }
    for (x, radius) in [(-0.3, 0.1), (0.3, 0.05)] {
        scene.add_body(BodyDesc::cuboid(Vec3::splat(0.2), radius).at(vec3(x, 0.25, 0.0))).unwrap();
    }
    let mut solver = solver(&scene);
    let dropped = dropped_in(&mut solver, 45);
    let at = centers(&solver);
    assert!(at.iter().all(|at| (at.y - 0.2).abs() < 0.01), "{at:?}, {dropped:?}");
    (solver, dropped)
}

#[test]
fn a_floor_of_tiles_smaller_than_particles_holds() {
    let tile = |i: i32| vec3(0.06 * ((i % 24) as f32 - 11.5), -0.03, 0.06 * ((i / 24) as f32 - 11.5));
    let (_, dropped) = crates_over((0..576).map(|i| Collider::new(Shape::Cuboid(Vec3::splat(0.03)), tile(i))));
    assert_eq!(dropped, Dropped::default(), "what is left out is not met before the next search");
}

#[test]
fn a_mesh_finer_than_particles_holds() {
    const SIDE: u32 = 65;
    let place = |i: u32| 0.025 * vec3((i % SIDE) as f32 - 32.0, 0.0, (i / SIDE) as f32 - 32.0);
    let cells = (0..SIDE * (SIDE - 1)).filter(|i| i % SIDE + 1 < SIDE);
    let mesh = TriangleMesh {
        positions: (0..SIDE * SIDE).map(place).collect(),
        triangles: cells.flat_map(|i| [[i, i + SIDE, i + 1], [i + 1, i + SIDE, i + SIDE + 1]]).collect(),
    };
    let (_, dropped) = crates_over([Collider::new(Shape::Mesh(mesh), Vec3::ZERO)]);
    assert_eq!(dropped, Dropped::default(), "what is left out is not met before the next search");
}

/// One particle in a pit with eight walls that are nearer than it is wide: it has room for six.
#[test]
fn a_ball_that_meets_more_walls_than_it_lists_is_told_of_and_stays_in_the_pit() {
    let mut scene = Scene::default();
    scene.add_collider(Collider::ground(0.0)).unwrap();
    for k in 0..8 {
        let turn = Quat::from_rotation_y(std::f32::consts::TAU * k as f32 / 8.0);
        let wall = Collider::new(Shape::Cuboid(vec3(0.05, 0.3, 0.03)), turn * vec3(0.145, 0.3, 0.0));
        scene.add_collider(wall.rotated(turn)).unwrap();
    }
    scene.add_body(BodyDesc::sphere(0.1, 0.1).at(Vec3::Y * 0.15)).unwrap();
    let mut solver = solver(&scene);
    let dropped = dropped_in(&mut solver, 60);
    assert!(dropped.colliders > 0, "{dropped:?}");
    assert_eq!(Dropped { colliders: 0, ..dropped }, Dropped::default());
    let at = centers(&solver)[0];
    assert!(at.x.hypot(at.z) < 0.02 && at.y > 0.08 && at.y < 0.2, "it is at {at}");
}

/// A ball of one particle in a heap of grains, of which it has fewer slots than it touches.
#[test]
fn a_ball_in_a_heap_gets_room_for_all_that_touch_it() {
    let mut scene = Scene::default();
    scene.add_collider(Collider::ground(0.0)).unwrap();
    scene.add_body(BodyDesc::sphere(0.1, 0.1).at(Vec3::Y * 0.12)).unwrap();
    let sand = scene.add_grains(Grains::sand(0.025)).unwrap();
    let place = |i: u32| 0.045 * vec3((i % 10) as f32 - 4.5, (i / 100) as f32 + 0.5, (i / 10 % 10) as f32 - 4.5);
    let around: Vec<Vec3> = (0..800).map(place).filter(|at| at.distance(Vec3::Y * 0.12) > 0.105).collect();
    scene.heap(sand, &around, Vec3::ZERO).unwrap();
    let mut solver = solver(&scene);
    let first = dropped_in(&mut solver, 3);
    assert!(first.on_bodies > 0, "{first:?}");
    run(&mut solver, 10);
    assert_eq!(solver.read_health().unwrap().dropped, Dropped::default());
}

#[test]
fn what_is_crowded_beyond_measure_is_told_and_parts() {
    let mut scene = Scene::default();
    scene.add_collider(Collider::ground(0.0)).unwrap();
    let sand = scene.add_grains(Grains::sand(0.03)).unwrap();
    let place = |i: u32| Vec3::Y + 1e-3 * vec3((i % 6) as f32, (i / 36) as f32, (i / 6 % 6) as f32);
    scene.heap(sand, &(0..216).map(place).collect::<Vec<_>>(), Vec3::ZERO).unwrap();
    let mut solver = solver(&scene);
    let dropped = dropped_in(&mut solver, 2);
    assert!(dropped.candidates > 0 && dropped.contacts > 0, "{dropped:?}");
    run(&mut solver, 100);
    let at = places(&solver);
    assert!(at.iter().all(|at| at.is_finite() && at.y > 0.0), "some fell through the ground");
    assert_eq!(solver.read_health().unwrap().dropped, Dropped::default());
}
