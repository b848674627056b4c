//! Colliders whose surface runs along itself.

use glam::{Quat, Vec3, vec3};
use sinew::gpu::Context;
use sinew::report::state_hash;
use sinew::scene::{
    BodyDesc, Collider, ColliderId, Deformable, Grains, Params, Scene, Shape, SheetGrid, SheetMaterial, Surface, Thing,
    Walker,
};
use sinew::solver::{Solver, SolverError};

const SPEED: f32 = 1.0;

/// A belt along X from -2 to 8 m whose top is at height 0.
fn belt(velocity: Vec3) -> Collider {
    Collider::new(Shape::Cuboid(vec3(5.0, 0.1, 1.0)), vec3(3.0, -0.1, 0.0)).surface_velocity(velocity)
}

fn crate_at(place: Vec3, friction: f32) -> BodyDesc {
    BodyDesc { surface: Surface { friction, restitution: 0.0 }, ..BodyDesc::cuboid(Vec3::splat(0.1), 0.03).at(place) }
}

fn solver(scene: &Scene) -> Solver {
    Solver::new(&Context::shared().expect("adapter"), scene).unwrap()
}

fn center(solver: &Solver, body: u32) -> Vec3 {
    solver.read_bodies().unwrap()[body as usize].center()
}

fn velocity(solver: &Solver, body: u32) -> Vec3 {
    solver.read_bodies().unwrap()[body as usize].velocity.into()
}

#[test]
fn a_crate_gains_the_speed_of_its_belt_by_friction_and_keeps_it() {
    for iterations in [1, 3] {
        let mut scene = Scene { params: Params { iterations, ..Params::default() }, ..Scene::default() };
        let mut conveyor = belt(SPEED * Vec3::X);
        conveyor.surface.friction = 0.2;
        scene.add_collider(conveyor).unwrap();
        scene.add_body(crate_at(vec3(0.0, 0.1, 0.0), 0.2)).unwrap();
        let dynamic = scene.params.dynamic_friction_ratio;
        let mut solver = solver(&scene);
        // Sliding: v = μ g t, until it is as fast as the belt.
        let gain = 0.2 * dynamic * 9.81;
        let frames = 12;
        (0..frames).for_each(|_| solver.step());
        let (t, v) = (frames as f32 / 60.0, velocity(&solver, 0));
        println!("{iterations} iterations: {} m/s after {t} s, {} by friction", v.x, gain * t);
        assert!((v.x / (gain * t) - 1.0).abs() < 0.05, "{v}");
        (frames..120).for_each(|_| solver.step());
        let before = center(&solver, 0);
        (0..120).for_each(|_| solver.step());
        let after = center(&solver, 0);
        let way = after - before;
        println!("{iterations} iterations: {way} in two seconds");
        assert!((way.x - 2.0 * SPEED).abs() < 0.002, "{way} in two seconds");
        assert!(way.z.abs() < 1e-3 && (after.y - 0.1).abs() < 2e-3, "at {after}");
    }
}

#[test]
fn a_steep_belt_carries_up_without_creeping() {
    // Turned about Z by 20°, its own X points up the slope.
    let turn = Quat::from_rotation_z(20.0_f32.to_radians());
    let mut scene = Scene::default();
    let mut conveyor = Collider { position: turn * vec3(3.0, -0.1, 0.0), ..belt(SPEED * Vec3::X) }.rotated(turn);
    conveyor.surface.friction = 0.8;
    scene.add_collider(conveyor).unwrap();
    let body = crate_at(turn * vec3(0.0, 0.1, 0.0), 0.8);
    scene.add_body(BodyDesc { rotation: turn, velocity: turn * (SPEED * Vec3::X), ..body }).unwrap();
    let mut solver = solver(&scene);
    (0..30).for_each(|_| solver.step());
    let before = center(&solver, 0);
    (0..120).for_each(|_| solver.step());
    let way = turn.inverse() * (center(&solver, 0) - before);
    println!("{way} along the belt in two seconds");
    assert!((way.x - 2.0 * SPEED).abs() < 0.005 && way.y.abs() < 2e-3, "{way}");
}

#[test]
fn cloth_sand_balls_and_walkers_go_along() {
    let mut scene = Scene::default();
    let mut conveyor = belt(0.5 * SPEED * Vec3::X);
    conveyor.surface.friction = 0.8;
    scene.add_collider(conveyor).unwrap();
    scene.add_collider(Collider::ground(-2.0)).unwrap();
    let grid = SheetGrid::square(9, 0.3);
    let cloth = Deformable::sheet("cloth", grid.positions(), &grid.triangles(), 0.01, &SheetMaterial::default());
    scene.add_deformable(&cloth.unwrap(), vec3(0.0, 0.02, -0.7), Quat::IDENTITY, Vec3::ZERO).unwrap();
    let sand = scene.add_grains(Grains::sand(0.02)).unwrap();
    let heap: Vec<Vec3> = (0..16).map(|i| vec3(0.045 * (i % 4) as f32, 0.02, 0.045 * (i / 4) as f32)).collect();
    scene.heap(sand, &heap, Vec3::ZERO).unwrap();
    let hero = scene.add_body(Walker::default().body(vec3(0.0, 0.0, 0.6))).unwrap();
    let members = scene.members();
    let mut solver = solver(&scene);
    solver.add_walker(hero, Walker::default()).unwrap();
    let middles = |solver: &Solver| {
        let mut sums = [(Vec3::ZERO, 0); 2];
        for (row, i) in solver.read_particles().unwrap().iter().zip(0..) {
            let kind = match members.thing(sinew::scene::ParticleId(i)) {
                Some(Thing::Deformable(_)) => 0,
                Some(Thing::Grains(_)) => 1,
                _ => continue,
            };
            sums[kind] = (sums[kind].0 + Vec3::from_slice(&row[..3]), sums[kind].1 + 1);
        }
        let [cloth, sand] = sums.map(|(sum, count)| sum / count as f32);
        [cloth, sand, center(solver, hero.0)]
    };
    (0..60).for_each(|_| solver.step());
    let before = middles(&solver);
    (0..120).for_each(|_| solver.step());
    let after = middles(&solver);
    assert!(solver.read_health().unwrap().is_good());
    for ((name, before), after) in ["cloth", "sand", "walker"].into_iter().zip(before).zip(after) {
        println!("{name}: {} in two seconds", after - before);
        assert!(((after - before).x - SPEED).abs() < 0.02, "{name}: {} in two seconds", after - before);
    }
}

#[test]
fn a_belt_that_starts_wakes_what_sleeps_on_it_and_its_ends_lift_nothing() {
    let mut scene = Scene::default();
    scene.add_collider(belt(Vec3::ZERO)).unwrap();
    scene.add_collider(Collider::ground(-0.2)).unwrap();
    scene.add_body(crate_at(vec3(0.0, 0.1, 0.0), 0.5)).unwrap();
    // Leans on the end that the belt runs to.
    scene.add_body(crate_at(vec3(8.1, -0.1, 0.0), 0.5)).unwrap();
    let mut solver = solver(&scene);
    (0..150).for_each(|_| solver.step());
    assert!(solver.read_bodies().unwrap()[0].inv_mass == 0.0, "a crate at rest does not sleep");
    let belt = ColliderId(0);
    solver.set_surface_velocity(belt, SPEED * Vec3::X).unwrap();
    let saved = solver.save().unwrap();
    let run = |solver: &mut Solver| {
        (0..90).for_each(|_| solver.step());
        let hash = state_hash(&solver.read_bodies().unwrap(), &solver.read_particles().unwrap());
        (hash, center(solver, 0), center(solver, 1))
    };
    let first = run(&mut solver);
    println!("{first:?}");
    assert!(first.1.x > 0.8, "a belt that starts moves nothing: {}", first.1);
    assert!((first.2.y + 0.1).abs() < 2e-3, "the end of a belt lifts: {}", first.2);
    solver.set_surface_velocity(belt, Vec3::ZERO).unwrap();
    solver.restore(&saved).unwrap();
    assert_eq!(run(&mut solver), first, "another future after a restore");
    assert!(matches!(solver.set_surface_velocity(ColliderId(9), Vec3::X), Err(SolverError::Missing { .. })));
    let error = solver.set_surface_velocity(belt, Vec3::NAN).unwrap_err().to_string();
    assert!(error.contains("surface velocity"), "{error}");
}
