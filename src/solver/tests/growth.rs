//! Lists that grow while the world runs leave everything else as it is.

use std::collections::BTreeMap;

use glam::{Quat, Vec3, vec3};

use crate::scene::{BodyDesc, Collider, Deformable, Grains, Liquid, SheetGrid, SheetMaterial};
use crate::solver::stages::ground::Room;
use crate::solver::*;

/// All that has lists: crates on one another, a sheet on them, water and sand against them.
fn crowded() -> Scene {
    let mut scene = Scene::default();
    scene.add_collider(Collider::ground(0.0)).unwrap();
    for i in 0..6 {
        let at = vec3(0.02 * i as f32, 0.15 + 0.29 * (i / 2) as f32, 0.31 * (i % 2) as f32);
        scene.add_body(BodyDesc::cuboid(Vec3::splat(0.15), 0.05).at(at)).unwrap();
    }
    let grid = SheetGrid::square(8, 0.5);
    let sheet =
        Deformable::sheet("sheet", grid.positions(), &grid.triangles(), 0.02, &SheetMaterial::default()).unwrap();
    scene.add_deformable(&sheet, Vec3::Y * 1.0, Quat::IDENTITY, Vec3::ZERO).unwrap();
    let places: Vec<Vec3> =
        (0..64).map(|i| 0.1 * vec3((i % 4) as f32, 1.0 + (i / 16) as f32, (i / 4 % 4) as f32)).collect();
    let sand = scene.add_grains(Grains::sand(0.05)).unwrap();
    scene.heap(sand, &places.iter().map(|p| *p + Vec3::X * 0.4).collect::<Vec<_>>(), Vec3::ZERO).unwrap();
    let water = scene.add_liquid(Liquid::water(0.05)).unwrap();
    scene.pour(water, &places.iter().map(|p| *p - Vec3::X * 0.7).collect::<Vec<_>>(), Vec3::ZERO).unwrap();
    scene
}

fn bits(solver: &Solver) -> BTreeMap<&'static str, Vec<u32>> {
    let places: Vec<[f32; 4]> = solver.read_particles().unwrap();
    let velocities = solver.read_particle_velocities().unwrap();
    let bodies = solver.read_bodies().unwrap();
    let words = |rows: &[[f32; 4]]| rows.iter().flatten().map(|x| x.to_bits()).collect();
    BTreeMap::from([
        ("places", words(&places)),
        ("velocities", words(&velocities)),
        ("bodies", bytemuck::cast_slice(&bodies).to_vec()),
    ])
}

fn run(solver: &mut Solver, frames: u32) {
    (0..frames).for_each(|_| solver.step());
}

fn larger(room: Room) -> Room {
    Room {
        contacts: room.contacts + 5,
        reverse_factor: 2 * room.reverse_factor,
        manifolds: room.manifolds + 7,
        surface_pairs: room.surface_pairs + 100,
        liquid_neighbors: room.liquid_neighbors + 8,
    }
}

#[test]
fn lists_grow_without_a_trace() {
    let (scene, context) = (crowded(), Context::headless(None).expect("adapter"));
    let mut grown = Solver::new(&context, &scene).unwrap();
    run(&mut grown, 40);
    let state = grown.save().unwrap();
    // Another search may find more than the last one: both look again.
    grown.search_again().unwrap();
    run(&mut grown, 20);
    let expected = bits(&grown);
    grown.restore(&state).unwrap();
    let small = grown.room;
    let effort = context.effort();
    let start = std::time::Instant::now();
    grown.make_room(larger(small)).unwrap();
    println!("growing takes the host {:.2} ms", start.elapsed().as_secs_f64() * 1e3);
    let spent = context.effort();
    assert_eq!((spent.kernels, spent.waits), (effort.kernels, effort.waits), "made kernels or waited");
    // Three lists of contacts, two of those of others, three of pairs of bodies and surfaces each, one of neighbors; numbers for a kernel.
    assert_eq!(spent.buffers - effort.buffers, 13);
    run(&mut grown, 20);
    assert!(grown.read_health().unwrap().is_good());
    assert_eq!(bits(&grown), expected, "after growing");
    // Back to what it was, in the small lists again.
    grown.restore(&state).unwrap();
    assert_eq!(grown.room, small);
    grown.search_again().unwrap();
    run(&mut grown, 20);
    assert_eq!(bits(&grown), expected, "after going back");
    assert_eq!(context.take_errors(), Vec::<String>::new());
}

#[test]
fn a_list_that_overflows_grows_and_loses_nothing_more() {
    let (scene, context) = (crowded(), Context::headless(None).expect("adapter"));
    let mut solver = Solver::new(&context, &scene).unwrap();
    run(&mut solver, 40);
    let wanted = solver.room;
    solver.make_room(Room { contacts: 3, manifolds: 2, surface_pairs: 60, liquid_neighbors: 4, ..wanted }).unwrap();
    run(&mut solver, 2);
    let small = solver.read_health().unwrap();
    let Dropped { contacts, surfaces, pairs, liquid, .. } = small.dropped;
    assert!(contacts > 0 && surfaces > 0 && pairs > 0 && liquid > 0, "{small:?}");
    let effort = context.effort();
    run(&mut solver, 20);
    let room = solver.room;
    assert!(room.contacts > 3 && room.manifolds > 2, "{room:?}");
    assert!(room.surface_pairs > 60 && room.liquid_neighbors > 4, "{room:?}");
    let spent = context.effort();
    assert_eq!((spent.kernels, spent.waits), (effort.kernels, effort.waits));
    let health = solver.read_health().unwrap();
    assert!(health.is_good(), "{health:?}");
}

/// Two sheets fly at each other, so fast that within a frame most triangles may meet most of the others.
#[test]
fn crowded_surfaces_are_searched_for_shorter_times() {
    let mut scene = Scene::default();
    scene.params.gravity = Vec3::ZERO;
    let grid = SheetGrid::square(24, 0.6);
    let sheet =
        Deformable::sheet("sheet", grid.positions(), &grid.triangles(), 0.01, &SheetMaterial::default()).unwrap();
    for side in [-1.0, 1.0] {
        let (at, velocity) = (vec3(0.0, 0.15 * side, 0.0), Vec3::Y * (-3.0 * side));
        scene.add_deformable(&sheet, at, Quat::IDENTITY, velocity).unwrap();
    }
    let mut solver = Solver::new(&Context::headless(None).expect("adapter"), &scene).unwrap();
    solver.make_room(Room { surface_pairs: 60_000, ..solver.room }).unwrap();
    let read = |solver: &Solver| solver.read_control().unwrap();
    let full = (0..10).find(|_| {
        run(&mut solver, 1);
        read(&solver).surfaces_dropped > 0
    });
    assert!(full.is_some() && read(&solver).surfaces_parts > 1, "{full:?}, {} parts", read(&solver).surfaces_parts);
    // Before the list grows.
    run(&mut solver, 1);
    assert_eq!((solver.room.surface_pairs, read(&solver).surfaces_dropped), (60_000, 0));
    run(&mut solver, 20);
    assert_eq!((read(&solver).surfaces_parts, read(&solver).surfaces_dropped), (1, 0));
}
