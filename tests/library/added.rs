//! Colliders, emitters and joints that are added to a running world are as if they had always been there, and leave without a trace.

use std::f32::consts::PI;

use glam::{Quat, Vec3, vec3};
use image::RgbaImage;
use sinew::gpu::Context;
use sinew::render::{Camera, DrawOptions, Renderer, image};
use sinew::scene::{
    BodyDesc, BodyId, Collider, ConvexHull, Deformable, DistanceGrid, Emitter, Grains, GrainsId, Heightfield,
    JointDesc, JointId, JointKind, Kinds, Layers, Limits, Liquid, LiquidId, Motor, Piece, Placement, Push,
    RopeMaterial, Scene, Shape, SheetGrid, SheetMaterial, Thing, Travel, TriangleMesh, View, is_stored,
};
use sinew::solver::{Event, EventKind, JointRef, Listener, Query, Solver, SolverError, State};

const RADIUS: f32 = 0.05;

fn at(position: Vec3) -> Placement {
    Placement { position, ..Placement::IDENTITY }
}

fn run(solver: &mut Solver, frames: usize) {
    (0..frames).for_each(|_| solver.step());
}

fn ground() -> Scene {
    let mut scene = Scene::default();
    scene.add_collider(Collider::ground(0.0)).unwrap();
    scene
}

fn center(solver: &Solver, body: BodyId) -> Vec3 {
    Vec3::from(solver.read_bodies().unwrap()[body.0 as usize].center)
}

/// Where everything is, as bits.
fn bits(solver: &Solver) -> Vec<u32> {
    let bodies = solver.read_bodies().unwrap();
    let centers = bodies.iter().flat_map(|body| body.center.into_iter().chain(body.rotation));
    let particles = solver.read_particles().unwrap();
    centers.chain(particles.into_iter().flatten()).map(f32::to_bits).collect()
}

/// Does something with a world; nothing may be made for it, and nothing may wait.
fn freely<T>(context: &Context, solver: &mut Solver, act: impl FnOnce(&mut Solver) -> T) -> T {
    let (effort, memory) = (context.effort(), solver.memory());
    let done = act(solver);
    run(solver, 3);
    assert_eq!(context.effort(), effort, "something was made, or waited");
    assert_eq!(solver.memory(), memory);
    done
}

/// Goes on from a state, for the same frames with the same end.
fn goes_on_the_same(solver: &mut Solver, state: &State, frames: usize) {
    run(solver, frames);
    let expected = bits(solver);
    solver.restore(state).unwrap();
    run(solver, frames);
    assert!(bits(solver) == expected, "went on otherwise");
}

#[test]
fn colliders_are_added_as_if_they_had_always_been_there() {
    let shapes = [
        Shape::Cuboid(vec3(0.6, 0.1, 0.6)),
        Shape::Sphere(0.4),
        Shape::Capsule { radius: 0.2, half_length: 0.3 },
        Shape::Cylinder { radius: 0.5, half_length: 0.2 },
    ];
    let context = Context::shared().expect("adapter");
    let mut scene = ground();
    let sand = scene.add_grains(Grains::sand(RADIUS)).unwrap();
    let mut made = Vec::new();
    for (shape, i) in shapes.into_iter().zip(0_u8..) {
        let middle = Vec3::X * 3.0 * f32::from(i);
        scene.add_body(BodyDesc::sphere(0.15, RADIUS).at(middle + Vec3::Y * 1.4)).unwrap();
        scene.heap(sand, &[middle + Vec3::Y * 1.8, middle + vec3(0.2, 1.2, 0.1)], Vec3::ZERO).unwrap();
        made.push(Collider::new(shape, middle + vec3(0.03, 0.45, 0.02)).rotated(Quat::from_rotation_z(0.05)));
    }
    // A wall, at which a ball is thrown.
    let thrown = BodyDesc { velocity: Vec3::NEG_X * 4.0, ..BodyDesc::sphere(0.15, RADIUS).at(vec3(-1.0, 1.0, 0.0)) };
    let thrown = scene.add_body(thrown).unwrap();
    made.push(Collider::new(Shape::Plane, Vec3::NEG_X * 2.0).rotated(Quat::from_rotation_z(-0.5 * PI)));
    let mut always = scene.clone();
    made.iter().for_each(|collider| assert!(always.add_collider(collider.clone()).is_ok()));
    let mut always = Solver::new(&context, &always).unwrap();
    scene.reserve_colliders(6).unwrap();
    let mut solver = Solver::new(&context, &scene).unwrap();
    freely(&context, &mut solver, |solver| {
        made.into_iter().for_each(|made| assert!(solver.add_collider(made).is_ok()))
    });
    run(&mut solver, 50);
    run(&mut always, 53);
    let (expected, found) = (always.read_particles().unwrap(), solver.read_particles().unwrap());
    let off = expected.iter().zip(&found).map(|(a, b)| Vec3::from_slice(a).distance(Vec3::from_slice(b)));
    let off = off.fold(0.0, f32::max);
    assert!(off < 1e-3, "{off} m off");
    let back = center(&solver, thrown).x;
    assert!(back > -1.86, "the wall lets it through to {back} m");
    assert!(solver.read_health().unwrap().is_good());
}

#[test]
fn colliders_leave_and_states_have_them() {
    let context = Context::shared().expect("adapter");
    let mut scene = ground();
    let ball = scene.add_body(BodyDesc::sphere(0.15, RADIUS).at(Vec3::Y * 0.5)).unwrap();
    scene.reserve_colliders(1).unwrap();
    let mut solver = Solver::new(&context, &scene).unwrap();
    let table = || Collider::new(Shape::Cuboid(vec3(0.5, 0.1, 0.5)), Vec3::Y * 0.1);
    let added = solver.add_collider(table()).unwrap();
    let full = solver.add_collider(table()).unwrap_err();
    assert_eq!(full, SolverError::Unreserved { what: "collider", count: 1 });
    run(&mut solver, 90);
    assert!((center(&solver, ball).y - 0.35).abs() < 0.02, "on the table at {}", center(&solver, ball));
    let state = solver.save().unwrap();
    let bytes = state.to_bytes(&solver).unwrap();
    freely(&context, &mut solver, |solver| solver.remove_collider(added).unwrap());
    run(&mut solver, 60);
    assert!((center(&solver, ball).y - 0.15).abs() < 0.02, "on the ground at {}", center(&solver, ball));
    // Another one in its place is another, and the handle of the first one stays stale.
    let other = solver.add_collider(Collider::new(Shape::Sphere(0.1), Vec3::X * 3.0)).unwrap();
    assert_ne!(added, other);
    let left = SolverError::Left { what: "collider", place: 0 };
    assert_eq!(solver.remove_collider(added).unwrap_err(), left);
    assert_eq!(solver.collider(added).unwrap_err(), left);
    // The state has the table, not the ball that came later.
    solver.restore(&state).unwrap();
    assert_eq!(solver.collider(other).unwrap_err(), left);
    let id = solver.collider(added).unwrap();
    assert_eq!(solver.scene().colliders[id.0 as usize].shape, table().shape);
    goes_on_the_same(&mut solver, &state, 20);
    let read = State::from_bytes(&bytes, &solver).unwrap();
    goes_on_the_same(&mut solver, &read, 20);
    assert!((center(&solver, ball).y - 0.35).abs() < 0.02);
    // By its id it is moved like others, until it leaves.
    solver.set_collider_pose(id, Vec3::Y * 0.4, Quat::IDENTITY, Vec3::ZERO, Vec3::ZERO).unwrap();
    solver.remove_collider(added).unwrap();
    let moved = solver.set_collider_pose(id, Vec3::Y, Quat::IDENTITY, Vec3::ZERO, Vec3::ZERO);
    assert_eq!(moved.unwrap_err(), left);
    assert_eq!(solver.set_collider_present(id, true).unwrap_err(), left);
}

/// A floor of triangles of 2 m with a rim, at 0.4 m.
/// A row of grains on the ground, asleep.
fn sleeping_grains(scene: &mut Scene) -> Solver {
    let sand = scene.add_grains(Grains { friction: 0.3, ..Grains::sand(RADIUS) }).unwrap();
    let row: Vec<Vec3> = (0..6_u8).map(|i| vec3(0.0, RADIUS, 0.15 * f32::from(i))).collect();
    scene.heap(sand, &row, Vec3::ZERO).unwrap();
    let mut solver = Solver::new(&Context::shared().expect("adapter"), scene).unwrap();
    run(&mut solver, 90);
    let still = solver.read_particle_velocities().unwrap().iter().all(|row| row[3] == 0.0);
    assert!(still, "all sleep");
    solver
}

#[test]
fn what_slept_when_a_collider_came_meets_it() {
    let mut scene = ground();
    scene.reserve_colliders(1).unwrap();
    let mut solver = sleeping_grains(&mut scene);
    let wall = Collider::new(Shape::Cuboid(vec3(0.2, 1.0, 2.0)), vec3(5.0, 0.0, 0.0));
    solver.add_collider(wall).unwrap();
    run(&mut solver, 5);
    solver.push(Push::velocity_change(Thing::Grains(GrainsId(0)), vec3(12.0, 0.0, 0.0))).unwrap();
    run(&mut solver, 90);
    let farthest = solver.read_positions().unwrap().iter().map(|at| at.x).fold(0.0, f32::max);
    assert!(farthest > 1.0 && farthest < 4.8, "they go to {farthest}");
}

#[test]
fn what_sleeps_is_swept_along_by_a_collider_that_comes_from_afar() {
    let mut scene = ground();
    let broom = scene.add_collider(Collider::new(Shape::Cuboid(vec3(0.2, 0.5, 2.0)), vec3(-3.0, 0.5, 0.0))).unwrap();
    let mut solver = sleeping_grains(&mut scene);
    solver.set_collider_pose(broom, vec3(-3.0, 0.5, 0.0), Quat::IDENTITY, Vec3::X, Vec3::ZERO).unwrap();
    run(&mut solver, 240);
    let face = solver.scene().colliders[1].position.x + 0.2;
    let last = solver.read_positions().unwrap().iter().map(|at| at.x).fold(f32::MAX, f32::min);
    assert!(face > 0.9 && last > face, "the broom is at {face}, the last grain at {last}");
}

#[test]
fn what_was_pinned_when_a_collider_came_meets_it() {
    let mut scene = ground();
    scene.reserve_colliders(1).unwrap();
    let rope = Deformable::rope(
        "rope",
        vec![vec3(0.0, 3.0, 0.0), vec3(0.2, 3.0, 0.0), vec3(0.4, 3.0, 0.0)],
        RADIUS,
        &RopeMaterial::default(),
    )
    .unwrap();
    let id = scene.add_deformable(&rope, Vec3::ZERO, Quat::IDENTITY, Vec3::ZERO).unwrap();
    let mut solver = Solver::new(&Context::shared().expect("adapter"), &scene).unwrap();
    run(&mut solver, 2);
    let count = scene.particles_of(id).len() as u32;
    let pins: Vec<_> = (0..count).map(|i| solver.pin(scene.particle(id, i).unwrap(), None).unwrap()).collect();
    run(&mut solver, 2);
    solver.add_collider(Collider::new(Shape::Cuboid(vec3(2.0, 0.2, 2.0)), vec3(0.0, 1.0, 0.0))).unwrap();
    run(&mut solver, 2);
    pins.into_iter().for_each(|pin| solver.unpin(pin).unwrap());
    run(&mut solver, 120);
    let lowest = solver.read_positions().unwrap().iter().map(|at| at.y).fold(f32::MAX, f32::min);
    assert!(lowest > 1.15, "it lies at {lowest}");
}

fn floor() -> TriangleMesh {
    let [low, high] = [[-1.0, -1.0], [1.0, 1.0]];
    let mut mesh = TriangleMesh::default();
    for i in 0..9 {
        for k in 0..9 {
            let part = |n: i32, a: f32, b: f32| a + (b - a) * n as f32 / 8.0;
            let rim = if i == 0 || k == 0 || i == 8 || k == 8 { 0.1 } else { 0.0 };
            mesh.positions.push(vec3(part(i, low[0], high[0]), 0.4 + rim, part(k, low[1], high[1])));
        }
    }
    for (i, k) in (0..8_u32).flat_map(|i| (0..8).map(move |k| (i, k))) {
        let at = 9 * i + k;
        mesh.triangles.extend([[at, at + 1, at + 9], [at + 1, at + 10, at + 9]]);
    }
    mesh
}

/// Shapes whose tops are 0.4 m above where they are, in the middle.
fn tables() -> Vec<(&'static str, Shape)> {
    let corners = |half: Vec3| [-1.0, 1.0].map(|x| [-1.0, 1.0].map(|y| [-1.0, 1.0].map(|z| vec3(x, y, z) * half)));
    let corners: Vec<Vec3> = corners(vec3(1.0, 0.4, 1.0)).into_iter().flatten().flatten().collect();
    let field = Heightfield { size: [9, 9], spacing: 0.25, heights: vec![0.4; 81] };
    let (origin, spacing, size) = (vec3(-1.2, -0.6, -1.2), 0.1, [25, 13, 25]);
    let steps = |x: u32, y: u32, z: u32| vec3(x as f32, y as f32, z as f32);
    let samples = (0..size[2]).flat_map(|z| (0..size[1]).flat_map(move |y| (0..size[0]).map(move |x| steps(x, y, z))));
    let distance = |at: Vec3| {
        let off = (origin + at * spacing).abs() - vec3(1.0, 0.4, 1.0);
        off.max(Vec3::ZERO).length() + off.max_element().min(0.0)
    };
    let grid = DistanceGrid { origin, spacing, size, distances: samples.map(distance).collect() };
    let piece = |shape, x| Piece { shape, position: Vec3::X * x, rotation: Quat::IDENTITY };
    let half = ConvexHull::new(&corners.iter().map(|p| *p * vec3(0.5, 1.0, 1.0)).collect::<Vec<_>>()).unwrap();
    vec![
        ("mesh", Shape::Mesh(floor())),
        (
            "compound",
            Shape::Compound(vec![piece(Shape::Hull(half), -0.5), piece(Shape::Cuboid(vec3(0.5, 0.4, 1.0)), 0.5)]),
        ),
        ("hull", Shape::Hull(ConvexHull::new(&corners).unwrap())),
        ("heightfield", Shape::Heightfield(field)),
        ("grid", Shape::Grid(grid)),
    ]
}

/// A ball, a heap of sand, cloth and a drop of liquid above each of the places.
fn dropped(places: &[Vec3]) -> Scene {
    let mut scene = ground();
    let sand = scene.add_grains(Grains::sand(RADIUS)).unwrap();
    let water = scene.add_liquid(Liquid::water(0.04)).unwrap();
    let grid = SheetGrid::square(7, 0.4);
    let sheet =
        Deformable::sheet("cloth", grid.positions(), &grid.triangles(), 0.02, &SheetMaterial::default()).unwrap();
    for at in places.iter().copied() {
        scene.add_body(BodyDesc::sphere(0.15, RADIUS).at(at + vec3(-0.5, 0.7, -0.4))).unwrap();
        scene.heap(sand, &[at + vec3(-0.5, 0.6, 0.4), at + vec3(-0.3, 0.6, 0.5)], Vec3::ZERO).unwrap();
        scene.add_deformable(&sheet, at + vec3(0.5, 0.6, -0.4), Quat::IDENTITY, Vec3::ZERO).unwrap();
        let drops: Vec<Vec3> = (0..8)
            .map(|i| at + vec3(0.5, 0.6, 0.4) + 0.08 * vec3((i & 1) as f32, (i >> 1 & 1) as f32, (i >> 2) as f32))
            .collect();
        scene.pour(water, &drops, Vec3::ZERO).unwrap();
    }
    scene
}

#[test]
fn colliders_of_all_shapes_are_added_as_if_they_had_always_been_there() {
    let context = Context::shared().expect("adapter");
    let count = if crate::effort::is_long() { usize::MAX } else { 2 };
    for (name, shape) in tables().into_iter().take(count) {
        let mut scene = dropped(&[Vec3::ZERO]);
        let table = Collider::new(shape.clone(), vec3(0.02, 0.0, 0.01)).rotated(Quat::from_rotation_y(0.1));
        let mut always = scene.clone();
        always.add_collider(table.clone()).unwrap();
        let mut always = Solver::new(&context, &always).unwrap();
        scene.reserve_colliders(2).unwrap();
        scene.reserve_shapes(&shape, 1).unwrap();
        let mut solver = Solver::new(&context, &scene).unwrap();
        let added = freely(&context, &mut solver, |solver| solver.add_collider(table.clone()).unwrap());
        run(&mut solver, 42);
        run(&mut always, 45);
        let (expected, found) = (always.read_particles().unwrap(), solver.read_particles().unwrap());
        let off = expected.iter().zip(&found).map(|(a, b)| Vec3::from_slice(a).distance(Vec3::from_slice(b)));
        let off = off.fold(0.0, f32::max);
        let lowest = found.iter().map(|p| p[1]).fold(f32::MAX, f32::min);
        println!("{name}: {off} m off, lowest at {lowest} m");
        assert!(off < 1e-3 && lowest > 0.4, "{name}: {off} m off, lowest at {lowest} m");
        // Another one finds no room, and takes the place of the first once that has gone.
        let full = solver.add_collider(table.clone()).unwrap_err();
        assert!(
            matches!(full, SolverError::NoShapeRoom { needed, free: 0, count } if needed == count),
            "{name}: {full}"
        );
        let id = solver.collider(added).unwrap();
        let hit = |solver: &mut Solver, at: Vec3| {
            let ray = Query::ray(at + 3.0 * Vec3::Y, Vec3::NEG_Y, 10.0).only(Kinds::COLLIDERS);
            let hit = *solver.ask_now(&[ray]).unwrap().first(0).expect("the ground");
            (hit.thing, hit.point.y)
        };
        let (thing, top) = hit(&mut solver, Vec3::ZERO);
        assert!(thing == Thing::Collider(id) && (top - 0.4).abs() < 0.02, "{name}: a ray meets {thing:?} at {top} m");
        let (state, before) = (solver.save().unwrap(), bits(&solver));
        let bytes = state.to_bytes(&solver).unwrap();
        solver.remove_collider(added).unwrap();
        let (thing, top) = hit(&mut solver, Vec3::ZERO);
        assert!(thing != Thing::Collider(id) && top.abs() < 1e-3, "{name}: a ray meets {thing:?} at {top} m");
        run(&mut solver, 40);
        let high = center(&solver, BodyId(0)).y;
        assert!((high - 0.15).abs() < 0.02, "{name}: the ball is at {high} m");
        let cloth = solver.read_positions().unwrap();
        let extent = &scene.deformables[0];
        let own = extent.first_particle.0 as usize..(extent.first_particle.0 + extent.particle_count) as usize;
        assert!(cloth[own].iter().all(|p| p.y < 0.3), "{name}: the cloth falls");
        let other = solver.add_collider(table.clone().rotated(Quat::IDENTITY)).unwrap();
        assert!(other != added && solver.collider(added).is_err());
        // The state has the first one.
        for state in [state, State::from_bytes(&bytes, &solver).unwrap()] {
            solver.restore(&state).unwrap();
            assert!(bits(&solver) == before && solver.collider(added) == Ok(id) && solver.collider(other).is_err());
            goes_on_the_same(&mut solver, &state, 4);
            assert_eq!(hit(&mut solver, Vec3::ZERO).0, Thing::Collider(id), "{name}");
        }
        assert!(solver.read_health().unwrap().is_good());
    }
}

#[test]
fn shapes_share_the_room_and_stay_where_they_are_in_a_grown_scene() {
    let context = Context::shared().expect("adapter");
    let places: Vec<Vec3> = (0..5).map(|i| Vec3::X * 3.0 * i as f32).collect();
    let mut scene = dropped(&places);
    scene.reserve_colliders(6).unwrap();
    tables().iter().for_each(|(_, shape)| scene.reserve_shapes(shape, 1).unwrap());
    let mut solver = Solver::new(&context, &scene).unwrap();
    let add =
        |solver: &mut Solver, i: usize| solver.add_collider(Collider::new(tables()[i].1.clone(), places[i])).unwrap();
    let mut added: Vec<_> = (0..5).map(|i| add(&mut solver, i)).collect();
    // Gaps are filled anew, whoever they were of.
    for i in [1, 4, 0] {
        solver.remove_collider(added[i]).unwrap();
    }
    for i in [0, 1, 4] {
        added[i] = add(&mut solver, i);
    }
    assert!(matches!(
        solver.add_collider(Collider::new(tables()[1].1.clone(), Vec3::Z * 9.0)),
        Err(SolverError::NoShapeRoom { .. })
    ));
    run(&mut solver, 30);
    scene.add_body(BodyDesc::sphere(0.1, RADIUS).at(vec3(-3.0, 0.1, 0.0))).unwrap();
    solver.spawn(&scene).unwrap();
    run(&mut solver, 30);
    let resting = |solver: &Solver| (0..5).map(|i| center(solver, BodyId(i)).y).collect::<Vec<_>>();
    for (high, (name, _)) in resting(&solver).into_iter().zip(tables()) {
        assert!((high - 0.55).abs() < 0.03, "the ball on the {name} is at {high} m");
    }
    for (at, i) in places.iter().zip(0..) {
        let ray = Query::ray(*at + 3.0 * Vec3::Y, Vec3::NEG_Y, 10.0).only(Kinds::COLLIDERS);
        let hit = *solver.ask_now(&[ray]).unwrap().first(0).unwrap();
        assert_eq!(hit.thing, Thing::Collider(solver.collider(added[i]).unwrap()));
    }
    // Moved by its id like any other.
    let id = solver.collider(added[2]).unwrap();
    solver.set_collider_pose(id, places[2] + 0.2 * Vec3::Y, Quat::IDENTITY, Vec3::ZERO, Vec3::ZERO).unwrap();
    run(&mut solver, 30);
    assert!((resting(&solver)[2] - 0.75).abs() < 0.05, "lifted to {} m", resting(&solver)[2]);
    added.into_iter().for_each(|own| solver.remove_collider(own).unwrap());
    run(&mut solver, 60);
    for (high, (name, _)) in resting(&solver).into_iter().zip(tables()) {
        assert!((high - 0.15).abs() < 0.02, "without the {name} its ball is at {high} m");
    }
}

#[test]
fn queries_meet_what_was_added_whatever_its_shape() {
    let context = Context::shared().expect("adapter");
    let mut scene = Scene::default();
    scene.add_body(BodyDesc::sphere(0.15, RADIUS).at(Vec3::Z * 9.0)).unwrap();
    scene.reserve_colliders(3).unwrap();
    let mut solver = Solver::new(&context, &scene).unwrap();
    let hit = |solver: &mut Solver| {
        let ray = Query::ray(3.0 * Vec3::Y, Vec3::NEG_Y, 10.0);
        solver.ask_now(&[ray]).unwrap().first(0).map(|hit| (hit.thing, hit.point.y))
    };
    // Asked before anything is there, so that what comes is new to queries.
    assert_eq!(hit(&mut solver), None);
    for (shape, top) in [
        (Shape::Plane, 0.0),
        (Shape::Cuboid(Vec3::splat(0.3)), 0.3),
        (Shape::Sphere(0.2), 0.2),
        (Shape::Capsule { radius: 0.1, half_length: 0.4 }, 0.5),
        (Shape::Cylinder { radius: 0.3, half_length: 0.6 }, 0.6),
    ] {
        let added = solver.add_collider(Collider::new(shape.clone(), Vec3::ZERO)).unwrap();
        let id = solver.collider(added).unwrap();
        let (thing, high) = hit(&mut solver).unwrap_or_else(|| panic!("{shape:?} is not met"));
        assert!(thing == Thing::Collider(id) && (high - top).abs() < 1e-3, "{shape:?}: {thing:?} at {high} m");
        solver.remove_collider(added).unwrap();
        assert_eq!(hit(&mut solver), None, "{shape:?} has left");
    }
}

#[test]
fn a_grown_scene_keeps_what_was_added() {
    let context = Context::shared().expect("adapter");
    let mut scene = ground();
    let ball = scene.add_body(BodyDesc::sphere(0.15, RADIUS).at(Vec3::Y * 0.35)).unwrap();
    let hung = scene.add_body(BodyDesc::sphere(0.15, RADIUS).at(vec3(2.0, 1.5, 0.0))).unwrap();
    let mut hook = BodyDesc::sphere(0.15, RADIUS).at(vec3(2.0, 2.0, 0.0));
    hook.kinematic = true;
    let hook = scene.add_body(hook).unwrap();
    scene.reserve_colliders(1).unwrap();
    scene.reserve_joints(2).unwrap();
    let mut solver = Solver::new(&context, &scene).unwrap();
    let table = Collider::new(Shape::Cuboid(vec3(0.5, 0.1, 0.5)), Vec3::Y * 0.1);
    let table = solver.add_collider(table).unwrap();
    let rope = JointDesc::rope(hook, hung, Vec3::ZERO, Vec3::ZERO, 0.5);
    let rope = solver.add_joint(rope, [Placement::IDENTITY; 2]).unwrap();
    run(&mut solver, 30);
    scene.add_body(BodyDesc::sphere(0.1, RADIUS).at(vec3(-3.0, 0.1, 0.0))).unwrap();
    solver.spawn(&scene).unwrap();
    run(&mut solver, 60);
    assert!((center(&solver, ball).y - 0.35).abs() < 0.02, "on the table at {}", center(&solver, ball));
    assert!((center(&solver, hung).y - 1.5).abs() < 0.01, "on the rope at {}", center(&solver, hung));
    solver.remove_collider(table).unwrap();
    solver.remove_joint(rope).unwrap();
    run(&mut solver, 90);
    for body in [ball, hung] {
        assert!((center(&solver, body).y - 0.15).abs() < 0.02, "on the ground at {}", center(&solver, body));
    }
}

/// A hook that the host moves, and crates below it.
fn hooked(crates: u32) -> (Scene, BodyId, Vec<BodyId>) {
    let mut scene = ground();
    let mut hook = BodyDesc::sphere(0.1, RADIUS).at(Vec3::Y * 3.0);
    hook.kinematic = true;
    let hook = scene.add_body(hook).unwrap();
    let at = |i: u32| vec3(0.0, 2.6 - 0.4 * i as f32, 0.0);
    let bodies = (0..crates).map(|i| scene.add_body(BodyDesc::cuboid(Vec3::splat(0.15), RADIUS).at(at(i))).unwrap());
    let bodies = bodies.collect();
    (scene, hook, bodies)
}

#[test]
fn joints_are_added_as_if_they_had_always_been_there() {
    let context = Context::shared().expect("adapter");
    let (mut scene, hook, bodies) = hooked(2);
    // A pendulum of two ropes, pulled aside.
    scene.bodies[bodies[0].0 as usize].velocity = Vec3::X;
    let from = scene.bodies[hook.0 as usize].position;
    let ends = [bodies[0], bodies[1]].map(|id| scene.bodies[id.0 as usize].position);
    let ropes =
        [JointDesc::rope(hook, bodies[0], from, ends[0], 0.4), JointDesc::rod(bodies[0], bodies[1], ends[0], ends[1])];
    let mut always = scene.clone();
    for rope in ropes {
        always.add_joint(rope).unwrap();
    }
    let mut always = Solver::new(&context, &always).unwrap();
    scene.reserve_joints(2).unwrap();
    let mut solver = Solver::new(&context, &scene).unwrap();
    let placements = solver.read_placements().unwrap();
    let there = |id: BodyId| placements[id.0 as usize];
    let [upper, lower] = freely(&context, &mut solver, |solver| {
        ropes.map(|rope| solver.add_joint(rope, [there(rope.a), there(rope.b)]).unwrap())
    });
    run(&mut solver, 57);
    run(&mut always, 60);
    for body in bodies.iter().copied() {
        let (expected, found) = (center(&always, body), center(&solver, body));
        assert!(expected.distance(found) < 1e-3, "{found} instead of {expected}");
    }
    let placed = solver.read_placements().unwrap();
    for joint in [upper, lower] {
        let joint = solver.joint(joint).unwrap();
        let apart = joint.place(placed[joint.desc.a.0 as usize], placed[joint.desc.b.0 as usize]).x;
        assert!(apart < 0.401, "{apart} m apart");
    }
    assert!(solver.read_health().unwrap().is_good());
}

#[test]
fn joints_that_close_a_loop_draw_it_together_gently() {
    let context = Context::shared().expect("adapter");
    let arm = BodyDesc::capsule(0.08, 0.15, 0.04);
    for place in [vec3(-1.0, 1.5, 0.0), vec3(1.0, 2.0, 0.0)] {
        let mut scene = Scene::default();
        scene.params.gravity = Vec3::ZERO;
        let post = BodyDesc { kinematic: true, ..BodyDesc::cuboid(vec3(0.4, 0.05, 0.4), 0.05).at(place) };
        let post = scene.add_body(post).unwrap();
        scene.set_layers(Thing::Body(post), Layers { of: 0, meets: 0 }).unwrap();
        let [a, b] = [1.0, 1.5].map(|y| scene.add_body(arm.clone().at(y * Vec3::Y)).unwrap());
        scene.add_joint(JointDesc::new(JointKind::Hinge, a, b, 1.25 * Vec3::Y, Vec3::Z, 0.04)).unwrap();
        scene.reserve_joints(2).unwrap();
        let mut solver = Solver::new(&context, &scene).unwrap();
        let rope = JointDesc::rope(post, b, Vec3::ZERO, Vec3::ZERO, 0.5);
        let ball = JointDesc::new(JointKind::Ball, a, post, 0.2 * Vec3::Y, Vec3::Z, 0.04);
        let added = [rope, ball].map(|joint| solver.add_joint(joint, [Placement::IDENTITY; 2]).unwrap());
        let mut fastest = 0.0_f32;
        for _ in 0..180 {
            solver.step();
            let bodies = solver.read_bodies().unwrap();
            fastest = bodies.iter().map(|body| Vec3::from(body.velocity).length()).fold(fastest, f32::max);
        }
        let placed = solver.read_placements().unwrap();
        let joint = solver.joint(added[1]).unwrap();
        let apart = joint.place(placed[joint.desc.a.0 as usize], placed[joint.desc.b.0 as usize]).length();
        println!("post at {place}: {fastest} m/s at most, {apart} m apart at the end");
        assert!(solver.read_health().unwrap().is_good());
        // They come at 1 m/s; arms that turn on the way are a few times as fast.
        assert!(fastest < 6.0 && apart < 0.01, "{fastest} m/s, {apart} m apart");
    }
}

/// Events that joints broke, since they were last taken.
fn broke(solver: &mut Solver) -> Vec<Event> {
    let events = solver.take_events_now().into_iter();
    events.filter(|event| matches!(event.kind, EventKind::JointBroken(_))).collect()
}

#[test]
fn added_joints_that_break_are_told_once() {
    let context = Context::shared().expect("adapter");
    let mut scene = Scene::default();
    let hook = BodyDesc { kinematic: true, ..BodyDesc::sphere(0.1, RADIUS).at(vec3(0.0, 3.0, 0.0)) };
    let hook = scene.add_body(hook).unwrap();
    let heavy = [-1.0, 0.0, 1.0, 2.0]
        .map(|x| scene.add_body(BodyDesc::sphere(0.1, RADIUS).with_mass(10.0).at(vec3(x, 2.0, 0.0))).unwrap());
    scene.reserve_joints(4).unwrap();
    let mut solver = Solver::new(&context, &scene).unwrap();
    solver.listen(Listener::on(Thing::Body(heavy[0]))).unwrap();
    solver.listen(Listener::on(Thing::Body(heavy[2]))).unwrap();
    // 10 kg on joints that bear 50 N and 500 N, one that the host takes away with its body, and one that nobody listens to.
    let placed = solver.read_placements().unwrap();
    let joints: Vec<_> = heavy
        .iter()
        .zip([50.0, 500.0, 500.0, 50.0])
        .map(|(id, force)| {
            let at = placed[id.0 as usize].position;
            let mut joint = JointDesc::new(JointKind::Ball, hook, *id, at + 0.5 * Vec3::Y, Vec3::Y, RADIUS);
            joint.break_force = force;
            solver.add_joint(joint, [placed[hook.0 as usize], placed[id.0 as usize]]).unwrap()
        })
        .collect();
    run(&mut solver, 20);
    let events = broke(&mut solver);
    assert_eq!(events.iter().map(|e| e.kind).collect::<Vec<_>>(), [EventKind::JointBroken(JointRef::Added(joints[0]))]);
    assert!(events[0].frame < 10, "in frame {}", events[0].frame);
    let mut broken = solver.read_broken_added_joints().unwrap();
    assert_eq!(broken, [joints[0], joints[3]]);
    // New buffers and a saved state know of it, and tell nothing twice.
    let state = solver.save().unwrap();
    scene.add_body(BodyDesc::sphere(0.1, RADIUS).at(vec3(-9.0, 0.1, 0.0))).unwrap();
    solver.spawn(&scene).unwrap();
    run(&mut solver, 5);
    broken.push(joints[1]);
    solver.break_joint(joints[1]).unwrap();
    solver.remove_body(heavy[2]).unwrap();
    solver.remove_body(heavy[0]).unwrap();
    run(&mut solver, 20);
    let events = broke(&mut solver);
    assert_eq!(events.iter().map(|e| e.kind).collect::<Vec<_>>(), [EventKind::JointBroken(JointRef::Added(joints[2]))]);
    assert_eq!(events[0].frame, 25, "as the body is taken away");
    assert_eq!(solver.joint(joints[2]).unwrap_err(), SolverError::Left { what: "joint", place: 2 });
    assert_eq!(solver.read_broken_added_joints().unwrap(), [joints[1], joints[3]]);
    assert!(matches!(solver.restore(&state).unwrap_err(), SolverError::OtherWorld(_)));
    assert!(solver.read_health().unwrap().is_good());
}

#[test]
fn added_joints_that_the_host_breaks_are_told_and_those_it_puts_out_of_action_are_not() {
    let context = Context::shared().expect("adapter");
    let mut scene = Scene::default();
    scene.params.gravity = Vec3::ZERO;
    let ids = [0.0, 1.0, 2.0].map(|x| scene.add_body(BodyDesc::sphere(0.1, RADIUS).at(Vec3::X * x)).unwrap());
    scene.add_joint(JointDesc::new(JointKind::Ball, ids[0], ids[1], 0.5 * Vec3::X, Vec3::Y, RADIUS)).unwrap();
    scene.reserve_joints(2).unwrap();
    let mut solver = Solver::new(&context, &scene).unwrap();
    let right = JointDesc::new(JointKind::Ball, ids[1], ids[2], 1.5 * Vec3::X, Vec3::Y, RADIUS);
    let added = solver.add_joint(right, [at(Vec3::X), at(2.0 * Vec3::X)]).unwrap();
    solver.listen(Listener::everything()).unwrap();
    let start = solver.save().unwrap();
    let told = |solver: &mut Solver| {
        solver.step();
        broke(solver).into_iter().map(|event| event.kind).collect::<Vec<_>>()
    };
    let event = EventKind::JointBroken(JointRef::Added(added));
    assert_eq!(told(&mut solver), []);
    solver.break_joint(added).unwrap();
    assert_eq!(told(&mut solver), [event]);
    assert_eq!(told(&mut solver), []);
    solver.set_joint_enabled(added, true).unwrap();
    assert_eq!(told(&mut solver), []);
    assert_eq!(solver.read_broken_added_joints().unwrap(), []);
    solver.set_joint_enabled(added, false).unwrap();
    assert_eq!(told(&mut solver), []);
    assert_eq!(solver.read_broken_added_joints().unwrap(), [added]);
    solver.set_joint_enabled(added, true).unwrap();
    solver.break_joint(added).unwrap();
    solver.break_joint(JointId(0)).unwrap();
    assert_eq!(told(&mut solver), [EventKind::JointBroken(JointRef::Scene(JointId(0))), event], "again");
    solver.restore(&start).unwrap();
    assert_eq!(solver.read_broken_added_joints().unwrap(), []);
    solver.break_joint(added).unwrap();
    assert_eq!(told(&mut solver), [event], "the first thing after time has jumped");
    solver.restore(&start).unwrap();
    solver.remove_joint(added).unwrap();
    assert_eq!(told(&mut solver), [], "what is taken away has not broken");
    let left = SolverError::Left { what: "joint", place: 0 };
    assert_eq!(solver.break_joint(added).unwrap_err(), left);
    assert_eq!(solver.set_motor(added, None).unwrap_err(), left);
    // Another one in its place is another.
    let other = solver.add_joint(right, [at(Vec3::X), at(2.0 * Vec3::X)]).unwrap();
    assert_eq!(solver.set_break_force(added, 1.0).unwrap_err(), left);
    solver.break_joint(other).unwrap();
    let event = EventKind::JointBroken(JointRef::Added(other));
    assert_eq!(told(&mut solver), [event]);
    solver.set_joint_enabled(other, true).unwrap();
    assert_eq!(told(&mut solver), []);
    solver.break_joint(other).unwrap();
    solver.remove_joint(other).unwrap();
    assert_eq!(told(&mut solver), [event], "what is taken away once it was parted");
    assert_eq!(told(&mut solver), []);
}

/// A hinge, a slider and a rope, each with a body that hangs on it from what is held.
fn fittings(scene: &mut Scene) -> Vec<JointDesc> {
    scene.params.gravity = vec3(1.5, -9.81, 0.0);
    let body = |scene: &mut Scene, at: Vec3, held: bool| {
        scene.add_body(BodyDesc { kinematic: held, ..BodyDesc::cuboid(vec3(0.2, 0.1, 0.1), RADIUS).at(at) }).unwrap()
    };
    let mut made = Vec::new();
    for (kind, z) in [(JointKind::Hinge, 0.0), (JointKind::Slider, 2.0)] {
        let (a, b) = (body(scene, vec3(0.0, 2.0, z), true), body(scene, vec3(0.6, 2.0, z), false));
        let axis = if kind == JointKind::Hinge { Vec3::Z } else { Vec3::X };
        made.push(JointDesc::new(kind, a, b, vec3(0.3, 2.0, z), axis, RADIUS));
    }
    made[1].travel = [Travel::between(-0.1, 0.1), Travel::NONE, Travel::NONE];
    let (a, b) = (body(scene, vec3(0.0, 3.0, 4.0), true), body(scene, vec3(0.0, 2.0, 4.0), false));
    made.push(JointDesc::rope(a, b, vec3(0.0, 2.9, 4.0), vec3(0.0, 2.1, 4.0), 0.8));
    made
}

#[test]
fn added_joints_are_changed_like_those_of_the_scene() {
    let context = Context::shared().expect("adapter");
    let mut scene = Scene::default();
    let made = fittings(&mut scene);
    let mut always = scene.clone();
    made.iter().for_each(|joint| assert!(always.add_joint(*joint).is_ok()));
    let mut always = Solver::new(&context, &always).unwrap();
    scene.reserve_joints(3).unwrap();
    let mut solver = Solver::new(&context, &scene).unwrap();
    let placed = solver.read_placements().unwrap();
    let there = |id: BodyId| placed[id.0 as usize];
    let added: Vec<_> =
        made.iter().map(|joint| solver.add_joint(*joint, [there(joint.a), there(joint.b)]).unwrap()).collect();
    type Edit = fn(&mut Solver, [JointRef; 3]) -> Result<(), SolverError>;
    let edits: [(&str, Edit); 8] = [
        ("nothing", |_, _| Ok(())),
        ("motor", |s, [hinge, ..]| s.set_motor(hinge, Some(Motor::speed(6.0, 60.0)))),
        ("limits", |s, [hinge, ..]| s.set_joint_limits(hinge, Limits::Hinge { min: -0.3, max: 0.5 })),
        ("no motor", |s, [hinge, ..]| s.set_motor(hinge, None)),
        ("travel", |s, [_, slider, rope]| {
            s.set_joint_travel(slider, [Travel::between(-0.1, 0.4), Travel::NONE, Travel::NONE])?;
            s.set_joint_travel(rope, [Travel::between(0.0, 1.3), Travel::NONE, Travel::NONE])
        }),
        ("friction", |s, [_, slider, _]| {
            s.set_motor(slider, Some(Motor::Velocity { velocity: -0.4, max_force: 200.0 }))?;
            s.set_joint_friction(slider, 20.0)
        }),
        ("damping", |s, [hinge, ..]| s.set_joint_damping(hinge, 8.0)),
        ("break force", |s, [_, _, rope]| s.set_break_force(rope, 1.0)),
    ];
    let (mut before, moves) = (solver.read_placements().unwrap(), [1, 3, 5]);
    for (name, edit) in edits {
        edit(&mut always, [0, 1, 2].map(|i| JointRef::Scene(JointId(i)))).unwrap();
        freely(&context, &mut solver, |solver| {
            edit(solver, [0, 1, 2].map(|i| JointRef::from(added[i]))).unwrap();
        });
        run(&mut always, 20);
        run(&mut solver, 17);
        let (expected, found) = (always.read_placements().unwrap(), solver.read_placements().unwrap());
        let far = |a: &[Placement], b: &[Placement]| {
            moves.map(|i: usize| a[i].position.distance(b[i].position)).into_iter().fold(0.0, f32::max)
        };
        println!("{name}: {} m off, after {} m", far(&expected, &found), far(&before, &found));
        assert!(far(&expected, &found) < 2e-3, "{name}: {} m off", far(&expected, &found));
        assert!(name == "damping" || far(&before, &found) > 0.01, "{name} moves nothing");
        before = found;
    }
    let state = solver.save().unwrap();
    let desc = solver.joint(added[2]).unwrap().desc;
    assert_eq!((desc.break_force, desc.travel[0]), (1.0, Travel::between(0.0, 1.3)));
    solver.set_joint_friction(added[1], 0.5).unwrap();
    solver.restore(&state).unwrap();
    assert_eq!(solver.joint(added[1]).unwrap().desc.friction, 20.0);
    goes_on_the_same(&mut solver, &state, 5);
    assert_eq!(solver.read_broken_added_joints().unwrap(), [added[2]]);
    let refused = solver.set_motor(added[0], Some(Motor::speed(f32::NAN, 1.0))).unwrap_err();
    assert!(refused.to_string().contains("speed"), "{refused}");
}

#[test]
fn added_joints_are_drawn() {
    let different = |a: &RgbaImage, b: &RgbaImage| a.pixels().zip(b.pixels()).filter(|(a, b)| a != b).count();
    let context = Context::shared().expect("adapter");
    let mut scene = Scene::default();
    let made = fittings(&mut scene);
    let mut always = scene.clone();
    made.iter().for_each(|joint| assert!(always.add_joint(*joint).is_ok()));
    scene.reserve_joints(3).unwrap();
    let format = sinew::wgpu::TextureFormat::Rgba8UnormSrgb;
    let mut renderer = Renderer::new(&context, &scene, format).unwrap();
    let camera: Camera = View { eye: vec3(8.0, 3.0, 2.0), target: vec3(0.0, 2.3, 2.0) }.into();
    let mut picture = |solver: &Solver| {
        renderer.sync(solver).unwrap();
        let options = DrawOptions { joints: true, surfaces: false, ..DrawOptions::default() };
        image(&context, &mut renderer, (240, 160), &camera, &solver.view(), &options).unwrap()
    };
    let expected = picture(&Solver::new(&context, &always).unwrap());
    let mut solver = Solver::new(&context, &scene).unwrap();
    let none = picture(&solver);
    let placed = solver.read_placements().unwrap();
    let there = |id: BodyId| placed[id.0 as usize];
    let added: Vec<_> =
        made.iter().map(|joint| solver.add_joint(*joint, [there(joint.a), there(joint.b)]).unwrap()).collect();
    let drawn = picture(&solver);
    println!("{} pixels of joints", different(&drawn, &none));
    assert!(different(&drawn, &none) > 60, "{} pixels", different(&drawn, &none));
    // Hinges of the scene have two points where bodies meet, and one that was added has one.
    assert!(different(&drawn, &expected) < 40, "{} pixels are others", different(&drawn, &expected));
    let red = |picture: &RgbaImage| picture.pixels().filter(|p| p.0[0] > 150 && p.0[1] < 90 && p.0[2] < 90).count();
    assert!(red(&drawn) > red(&none), "where bodies meet there is a dot");
    // As long as it gapes, a line.
    solver.set_joint_enabled(added[0], false).unwrap();
    run(&mut solver, 15);
    assert!(red(&picture(&solver)) > red(&drawn) + 5, "{} red pixels", red(&picture(&solver)));
    added.into_iter().for_each(|joint| solver.remove_joint(joint).unwrap());
    // What is drawn is the joints alone.
    assert_eq!(different(&picture(&solver), &none), 0);
}

#[test]
fn a_sleeping_crate_is_picked_up_and_dropped() {
    let context = Context::shared().expect("adapter");
    let mut scene = ground();
    let mut hand = BodyDesc::sphere(0.1, RADIUS).at(Vec3::Y * 0.5);
    hand.kinematic = true;
    let hand = scene.add_body(hand).unwrap();
    let thing = scene.add_body(BodyDesc::cuboid(Vec3::splat(0.15), RADIUS).at(Vec3::Y * 0.15)).unwrap();
    scene.reserve_joints(1).unwrap();
    let mut solver = Solver::new(&context, &scene).unwrap();
    run(&mut solver, 120);
    assert_eq!(solver.read_bodies().unwrap()[thing.0 as usize].inv_mass, 0.0, "asleep");
    let held = JointDesc::new(JointKind::Stiff, hand, thing, Vec3::Y * 0.3, Vec3::Y, 0.05);
    let places = [at(Vec3::Y * 0.5), at(Vec3::Y * 0.15)];
    let grip = freely(&context, &mut solver, |solver| solver.add_joint(held, places).unwrap());
    let full = solver.add_joint(held, places).unwrap_err();
    assert_eq!(full, SolverError::Unreserved { what: "joint", count: 1 });
    let lift = |solver: &mut Solver, from: f32, frames: u32| {
        for i in 0..frames {
            let height = from + 0.02 * (i + 1) as f32;
            solver.set_body_pose(hand, Vec3::Y * height, Quat::IDENTITY, Vec3::ZERO, Vec3::ZERO).unwrap();
            solver.step();
        }
    };
    lift(&mut solver, 0.5, 50);
    run(&mut solver, 120);
    assert!((center(&solver, thing).y - 1.15).abs() < 0.01, "held at {}", center(&solver, thing));
    // All of it rests, and all of it wakes when the hand goes on.
    let state = solver.save().unwrap();
    lift(&mut solver, 1.5, 25);
    run(&mut solver, 20);
    assert!((center(&solver, thing).y - 1.65).abs() < 0.01, "held at {}", center(&solver, thing));
    freely(&context, &mut solver, |solver| solver.remove_joint(grip).unwrap());
    run(&mut solver, 90);
    assert!((center(&solver, thing).y - 0.15).abs() < 0.02, "dropped to {}", center(&solver, thing));
    let left = SolverError::Left { what: "joint", place: 0 };
    assert_eq!(solver.remove_joint(grip).unwrap_err(), left);
    let other = solver.add_joint(held, places).unwrap();
    assert_eq!(solver.joint(grip).unwrap_err(), left);
    solver.restore(&state).unwrap();
    assert_eq!(solver.joint(other).unwrap_err(), left);
    goes_on_the_same(&mut solver, &state, 15);
    assert!((center(&solver, thing).y - 1.15).abs() < 0.01, "held again at {}", center(&solver, thing));
    solver.remove_joint(grip).unwrap();
}

#[test]
fn chains_of_added_joints_hold_and_come_apart_one_by_one() {
    let context = Context::shared().expect("adapter");
    let (mut scene, hook, bodies) = hooked(5);
    scene.reserve_joints(8).unwrap();
    let mut solver = Solver::new(&context, &scene).unwrap();
    let (up, down) = (Vec3::Y * 0.2, Vec3::NEG_Y * 0.2);
    // In the frames of the bodies: the point 0.2 m below one is that 0.2 m above the next.
    let mut joints = Vec::new();
    for pair in [&[hook][..], bodies.as_slice()].concat().windows(2) {
        let pivot = JointDesc::new(JointKind::Ball, pair[0], pair[1], down, Vec3::Y, 0.05);
        joints.push(solver.add_joint(pivot, [Placement::IDENTITY, at(down - up)]).unwrap());
    }
    run(&mut solver, 120);
    let gaps = |solver: &Solver| {
        let placed = solver.read_placements().unwrap();
        let gap = |joint: &sinew::solver::AddedJoint| {
            let joint = solver.joint(*joint).ok()?;
            Some(joint.place(placed[joint.desc.a.0 as usize], placed[joint.desc.b.0 as usize]).length())
        };
        joints.iter().filter_map(gap).fold(0.0, f32::max)
    };
    assert!(gaps(&solver) < 2e-3, "open by {} m", gaps(&solver));
    let lowest = center(&solver, bodies[4]).y;
    assert!((lowest - 1.0).abs() < 0.02, "hangs at {lowest} m");
    // The third joint goes: what is above stays, what is below falls together.
    solver.remove_joint(joints[2]).unwrap();
    run(&mut solver, 60);
    assert!(gaps(&solver) < 2e-3, "open by {} m", gaps(&solver));
    assert!((center(&solver, bodies[1]).y - 2.2).abs() < 0.02 && center(&solver, bodies[2]).y < 1.2);
    // With a body its joints leave; the others stay.
    solver.remove_body(bodies[4]).unwrap();
    assert_eq!(solver.joint(joints[4]).unwrap_err(), SolverError::Left { what: "joint", place: 4 });
    run(&mut solver, 30);
    assert!(solver.joint(joints[3]).is_ok() && gaps(&solver) < 2e-3);
    assert!(solver.read_health().unwrap().is_good());
}

#[test]
fn what_an_added_joint_ties_touches_again_when_it_leaves() {
    let context = Context::shared().expect("adapter");
    let mut scene = Scene::default();
    scene.params.gravity = Vec3::ZERO;
    let crates =
        [0.0, 0.25].map(|x| scene.add_body(BodyDesc::cuboid(Vec3::splat(0.15), RADIUS).at(Vec3::X * x)).unwrap());
    scene.reserve_joints(2).unwrap();
    let mut solver = Solver::new(&context, &scene).unwrap();
    let held = JointDesc::new(JointKind::Stiff, crates[0], crates[1], Vec3::X * 0.125, Vec3::X, 0.05);
    let tied = solver.add_joint(held, [at(Vec3::ZERO), at(Vec3::X * 0.25)]).unwrap();
    let apart = |solver: &Solver| center(solver, crates[0]).distance(center(solver, crates[1]));
    run(&mut solver, 30);
    assert!((apart(&solver) - 0.25).abs() < 1e-3, "{} m apart while they are tied", apart(&solver));
    solver.remove_joint(tied).unwrap();
    run(&mut solver, 60);
    assert!(apart(&solver) > 0.28, "{} m apart when they touch again", apart(&solver));
}

#[test]
fn a_joint_leaves_with_its_copy_of_a_pool() {
    let context = Context::shared().expect("adapter");
    let (mut scene, hook, _) = hooked(0);
    let mut prefab = Scene::default();
    prefab.add_body(BodyDesc::cuboid(Vec3::splat(0.15), RADIUS)).unwrap();
    let pool = scene.add_pool(&prefab, 1).unwrap();
    scene.reserve_joints(1).unwrap();
    let mut solver = Solver::new(&context, &scene).unwrap();
    let spawned = solver.spawn_from(pool, at(Vec3::Y * 2.5), Vec3::ZERO).unwrap();
    let body = solver.part(spawned).unwrap().body(BodyId(0));
    let rope = JointDesc::rope(hook, body, Vec3::ZERO, Vec3::ZERO, 0.5);
    let rope = solver.add_joint(rope, [Placement::IDENTITY; 2]).unwrap();
    run(&mut solver, 60);
    assert!((center(&solver, body).y - 2.5).abs() < 0.01, "hangs at {}", center(&solver, body));
    solver.despawn(spawned).unwrap();
    assert_eq!(solver.remove_joint(rope).unwrap_err(), SolverError::Left { what: "joint", place: 0 });
    // The next one in its place is not on the rope.
    solver.spawn_from(pool, at(Vec3::Y * 2.5), Vec3::ZERO).unwrap();
    run(&mut solver, 120);
    assert!((center(&solver, body).y - 0.15).abs() < 0.02, "fell to {}", center(&solver, body));
}

fn nozzle(position: Vec3, radius: f32) -> Emitter {
    Emitter { position, radius, direction: Vec3::NEG_Y, speed: 1.5, budget: 400, ..Emitter::new("spout", LiquidId(0)) }
}

fn poured(solver: &Solver) -> usize {
    solver.read_positions().unwrap().iter().filter(|at| !is_stored(**at)).count()
}

#[test]
fn emitters_open_and_close() {
    let context = Context::shared().expect("adapter");
    let mut scene = ground();
    scene.add_liquid(Liquid::water(0.03)).unwrap();
    let mut always = scene.clone();
    let spout = nozzle(vec3(0.2, 1.0, 0.1), 0.1);
    always.add_emitter(spout.clone()).unwrap();
    let mut always = Solver::new(&context, &always).unwrap();
    scene.reserve_emitters(&nozzle(Vec3::ZERO, 0.15), 1).unwrap();
    let mut solver = Solver::new(&context, &scene).unwrap();
    let added = freely(&context, &mut solver, |solver| solver.add_emitter(&spout).unwrap());
    assert_eq!(solver.add_emitter(&spout).unwrap_err(), SolverError::Unreserved { what: "emitter", count: 1 });
    run(&mut solver, 27);
    run(&mut always, 30);
    assert!(poured(&solver) > 50 && poured(&solver) == poured(&always), "{} drops", poured(&solver));
    let (expected, found) = (always.read_positions().unwrap(), solver.read_positions().unwrap());
    let off =
        expected.iter().zip(&found).filter(|(at, _)| !is_stored(**at)).map(|(a, b)| a.distance(*b)).fold(0.0, f32::max);
    assert!(off < 1e-3, "{off} m off");
    let state = solver.save().unwrap();
    let drops = poured(&solver);
    solver.remove_emitter(added).unwrap();
    run(&mut solver, 30);
    assert_eq!(poured(&solver), drops, "closed");
    let left = SolverError::Left { what: "emitter", place: 0 };
    assert_eq!(solver.remove_emitter(added).unwrap_err(), left);
    let wide = solver.add_emitter(&nozzle(Vec3::Y, 0.3)).unwrap_err();
    assert!(matches!(wide, SolverError::NotAdded(_)), "{wide}");
    let other = solver.add_emitter(&nozzle(Vec3::Y, 0.15)).unwrap();
    run(&mut solver, 30);
    assert!(poured(&solver) > drops);
    solver.restore(&state).unwrap();
    assert_eq!(solver.remove_emitter(other).unwrap_err(), left);
    goes_on_the_same(&mut solver, &state, 20);
    assert!(poured(&solver) > drops, "open again");
    assert!(solver.read_health().unwrap().is_good());
}

#[test]
fn emitters_of_sand_open_where_sand_is_kept() {
    let context = Context::shared().expect("adapter");
    let mut scene = ground();
    scene.add_liquid(Liquid::water(0.03)).unwrap();
    let sand = scene.add_grains(Grains::sand(0.03)).unwrap();
    let spout = Emitter { of: sand.into(), ..nozzle(Vec3::Y, 0.1) };
    scene.reserve_emitters(&spout, 1).unwrap();
    let mut solver = Solver::new(&context, &scene).unwrap();
    let refused = solver.add_emitter(&nozzle(Vec3::Y, 0.1)).unwrap_err();
    assert!(refused.to_string().contains("substance"), "{refused}");
    solver.add_emitter(&spout).unwrap();
    run(&mut solver, 30);
    assert!((80..120).contains(&poured(&solver)), "{} grains", poured(&solver));
    let mut other = ground();
    let nothing = other.add_emitter(spout).unwrap_err();
    assert!(nothing.to_string().contains("kind of grains"), "{nothing}");
}

#[test]
fn what_cannot_be_added_is_told() {
    let context = Context::shared().expect("adapter");
    let (mut scene, hook, bodies) = hooked(1);
    assert!(scene.reserve_colliders(0).unwrap_err().to_string().contains("colliders"));
    assert!(scene.reserve_joints(5000).unwrap_err().to_string().contains("joints"));
    assert!(scene.reserve_emitters(&nozzle(Vec3::Y, 0.1), 1).unwrap_err().to_string().contains("liquid"));
    let bare = Solver::new(&context, &scene).unwrap().add_collider(Collider::ground(1.0)).unwrap_err();
    assert_eq!(bare, SolverError::Unreserved { what: "collider", count: 0 });
    assert!(bare.to_string().contains("reserve_colliders"));
    scene.reserve_colliders(1).unwrap();
    scene.reserve_joints(1).unwrap();
    let mut solver = Solver::new(&context, &scene).unwrap();
    let hull = sinew::scene::ConvexHull::new(&[Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::Z]).unwrap();
    let refused = [
        (solver.add_collider(Collider::new(Shape::Hull(hull), Vec3::Y)).unwrap_err(), "reserve_shapes"),
        (solver.add_collider(Collider::new(Shape::Sphere(f32::NAN), Vec3::Y)).unwrap_err(), "radius"),
        (solver.add_collider(Collider::new(Shape::Sphere(0.1), Vec3::NAN)).unwrap_err(), "position"),
        (solver.add_collider(Collider::ground(0.0).one_way(Vec3::Y)).unwrap_err(), "one-way"),
        (solver.add_emitter(&nozzle(Vec3::Y, 0.1)).unwrap_err(), "liquid"),
        (
            solver
                .add_joint(JointDesc::rope(hook, BodyId(9), Vec3::ZERO, Vec3::ZERO, 1.0), [Placement::IDENTITY; 2])
                .unwrap_err(),
            "body",
        ),
        (
            solver
                .add_joint(JointDesc::rope(hook, bodies[0], Vec3::NAN, Vec3::ZERO, 1.0), [Placement::IDENTITY; 2])
                .unwrap_err(),
            "pivot",
        ),
        (
            solver
                .add_joint(
                    JointDesc::rope(hook, bodies[0], Vec3::ZERO, Vec3::ZERO, 1.0),
                    [at(Vec3::NAN), Placement::IDENTITY],
                )
                .unwrap_err(),
            "position",
        ),
    ];
    for (error, word) in refused {
        assert!(error.to_string().contains(word), "{error}: {word}");
    }
    solver.remove_body(bodies[0]).unwrap();
    let removed =
        solver.add_joint(JointDesc::rope(hook, bodies[0], Vec3::ZERO, Vec3::ZERO, 1.0), [Placement::IDENTITY; 2]);
    assert_eq!(removed.unwrap_err(), SolverError::Removed(bodies[0]));
}
