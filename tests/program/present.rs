//! What is pinned, let go of, taken out, put back and told apart by layers while the world runs, against mechanics; nothing is made anew.

use glam::{Quat, Vec3, vec3};
use sinew::gpu::Context;
use sinew::scene::{
    BodyDesc, BodyId, Collider, ColliderId, Deformable, DeformableId, Layers, ParticleId, RopeMaterial, Scene, Shape,
    SheetGrid, SheetMaterial, Thing,
};
use sinew::solver::{Query, Solver, SolverError, State};

const G: f32 = 9.81;
const NOTHING: Layers = Layers { of: 0, meets: 0 };

fn empty() -> Scene {
    let mut scene = Scene::default();
    scene.params.linear_damping = 0.0;
    scene
}

fn solver(scene: &Scene) -> Solver {
    Solver::new(&Context::shared().expect("adapter"), scene).unwrap()
}

fn crate_at(scene: &mut Scene, place: Vec3) -> BodyId {
    scene.add_body(BodyDesc::cuboid(Vec3::splat(0.2), 0.1).with_mass(5.0).at(place)).unwrap()
}

fn heights(solver: &mut Solver, frames: u32) -> Vec<f32> {
    (0..frames).for_each(|_| solver.step());
    solver.read_bodies().unwrap().iter().map(|body| body.center[1]).collect()
}

/// How far a thing falls in so many frames [m].
fn fallen(frames: u32) -> f32 {
    let time = frames as f32 / 60.0;
    0.5 * G * time * time
}

/// Puts a state back through its bytes.
fn put_back(solver: &mut Solver, state: &State) {
    let bytes = state.to_bytes(solver).unwrap();
    let state = State::from_bytes(&bytes, solver).unwrap();
    solver.restore(&state).unwrap();
}

#[test]
fn a_body_falls_through_what_its_layers_do_not_meet_and_lies_on_it_again() {
    let mut scene = empty();
    let ground = scene.add_collider(Collider::ground(0.0)).unwrap();
    let shelf = scene.add_collider(Collider::new(Shape::Cuboid(vec3(4.0, 0.1, 1.0)), Vec3::Y)).unwrap();
    let ids = [0.0, 1.0, 2.0].map(|x| crate_at(&mut scene, vec3(x, 1.3, 0.0)));
    // Layers are known to this world.
    scene.set_layers(Thing::Body(ids[2]), Layers { of: 8, meets: u32::MAX }).unwrap();
    scene.set_layers(Thing::Collider(shelf), Layers { of: 2, meets: u32::MAX }).unwrap();
    scene.set_layers(Thing::Collider(ground), Layers { of: 1, meets: u32::MAX }).unwrap();
    let mut solver = solver(&scene);
    let lain = heights(&mut solver, 60);
    let (revision, state) = (solver.revision(), solver.save().unwrap());
    let passing = Layers { of: 4, meets: 1 };
    solver.set_layers(Thing::Body(ids[0]), passing).unwrap();
    let now = heights(&mut solver, 20);
    assert!((now[0] - (lain[0] - fallen(20))).abs() < 0.03 * fallen(20), "{} m, {} m", now[0], lain[0]);
    // Who meets the ground alone lies on it; who meets nothing falls on, whatever numbers layers have.
    solver.set_layers(Thing::Body(ids[1]), NOTHING).unwrap();
    solver.set_layers(Thing::Body(ids[2]), Layers::default()).unwrap();
    let end = heights(&mut solver, 60);
    assert!((end[0] - 0.2).abs() < 0.01, "{}", end[0]);
    assert!((end[1] - (lain[1] - fallen(60))).abs() < 0.03 * fallen(60), "{}", end[1]);
    assert!((end[2] - 1.3).abs() < 0.01, "{}", end[2]);
    assert_eq!(solver.revision(), revision, "nothing is made anew");
    put_back(&mut solver, &state);
    assert_eq!(solver.scene().layers_of(Thing::Body(ids[0])), Layers::default());
    let again = heights(&mut solver, 60);
    assert!(again.iter().all(|y| (y - 1.3).abs() < 0.01), "{again:?}");
    solver.set_layers(Thing::Body(ids[0]), passing).unwrap();
    assert!(heights(&mut solver, 20)[0] < 1.0);
    assert!(solver.read_health().unwrap().is_good());
}

#[test]
fn a_hidden_collider_lets_everything_through_until_it_is_shown() {
    let mut scene = empty();
    let ground = scene.add_collider(Collider::ground(0.0)).unwrap();
    let wall = Collider::new(Shape::Plane, 5.0 * Vec3::X).rotated(Quat::from_rotation_z(1.570_796_4));
    let wall = scene.add_collider(wall).unwrap();
    let shelf = scene.add_collider(Collider::new(Shape::Cuboid(vec3(1.0, 0.1, 1.0)), 2.0 * Vec3::Y)).unwrap();
    crate_at(&mut scene, 2.3 * Vec3::Y);
    let grid = SheetGrid::square(8, 0.5);
    let cloth = SheetMaterial::default();
    let cloth = Deformable::sheet("cloth", grid.positions(), &grid.triangles(), 0.02, &cloth).unwrap();
    scene.add_deformable(&cloth, vec3(0.6, 2.15, 0.5), Quat::IDENTITY, Vec3::ZERO).unwrap();
    let mut solver = solver(&scene);
    let lain = heights(&mut solver, 60)[0];
    let (revision, state) = (solver.revision(), solver.save().unwrap());
    let seen = |solver: &mut Solver| {
        let rays = [Query::ray(vec3(-0.8, 9.0, 0.0), Vec3::NEG_Y, 8.0), Query::ray(3.0 * Vec3::Y, Vec3::X, 99.0)];
        let answers = solver.ask_now(&rays).unwrap();
        [0, 1].map(|ray| answers.first(ray).map(|hit| hit.thing))
    };
    assert_eq!(seen(&mut solver), [Some(Thing::Collider(shelf)), Some(Thing::Collider(wall))]);
    solver.set_collider_present(shelf, false).unwrap();
    solver.set_collider_present(wall, false).unwrap();
    let now = heights(&mut solver, 20)[0];
    assert!((now - (lain - fallen(20))).abs() < 0.03 * fallen(20), "{now} m, {lain} m");
    assert_eq!(seen(&mut solver), [None, None]);
    assert_eq!(solver.is_collider_present(shelf), Ok(false));
    assert!((heights(&mut solver, 60)[0] - 0.2).abs() < 0.01);
    let low = solver.read_particles().unwrap().into_iter().rev().take(64).map(|p| p[1]).fold(0.0, f32::max);
    assert!(low < 0.1, "the cloth is {low} m high");
    // It comes back where it was put while it was away.
    solver.set_collider_pose(shelf, 4.0 * Vec3::Y, Quat::IDENTITY, Vec3::ZERO, Vec3::ZERO).unwrap();
    assert_eq!(seen(&mut solver)[0], None);
    solver.set_collider_present(shelf, true).unwrap();
    let hit = solver.ask_now(&[Query::ray(vec3(-0.8, 9.0, 0.0), Vec3::NEG_Y, 8.0)]).unwrap();
    assert!(hit.first(0).is_some_and(|hit| (hit.point.y - 4.1).abs() < 1e-4), "{hit:?}");
    // A ground that is hidden is none.
    solver.set_collider_present(ground, false).unwrap();
    let now = heights(&mut solver, 30)[0];
    assert!((now - (0.2 - fallen(30))).abs() < 0.03 * fallen(30), "{now} m");
    assert_eq!(solver.revision(), revision, "nothing is made anew");
    put_back(&mut solver, &state);
    assert_eq!(solver.is_collider_present(shelf), Ok(true));
    assert!((heights(&mut solver, 30)[0] - lain).abs() < 1e-3);
    let missing = solver.set_collider_present(ColliderId(7), false).unwrap_err();
    assert!(missing.to_string().contains("there is no collider 7; the scene has 3"), "{missing}");
}

/// A rope of 1 m that hangs down from 3 m, its first particle held or not.
fn rope(held: bool) -> Scene {
    let points = (0..9).map(|i| Vec3::Y * (3.0 - 0.125 * i as f32)).collect();
    let material = RopeMaterial::default();
    let mut rope = Deformable::rope("rope", points, 0.02, &material).unwrap().damped(1.0);
    if held {
        rope.pin(|at| at.y == 3.0);
    }
    let mut scene = empty();
    scene.add_deformable(&rope, Vec3::ZERO, Quat::from_rotation_z(1.0), Vec3::ZERO).unwrap();
    scene
}

fn places(solver: &mut Solver, frames: u32) -> Vec<Vec3> {
    (0..frames).for_each(|_| solver.step());
    solver.read_particles().unwrap().iter().map(|p| vec3(p[0], p[1], p[2])).collect()
}

#[test]
fn what_is_pinned_swings_as_what_was_made_so_and_falls_when_it_is_let_go() {
    let first = ParticleId(0);
    let made = places(&mut solver(&rope(true)), 90);
    let mut world = solver(&rope(false));
    let revision = world.revision();
    let pin = world.pin(first, None).unwrap();
    let swung = places(&mut world, 90);
    let apart = made.iter().zip(&swung).map(|(a, b)| a.distance(*b)).fold(0.0, f32::max);
    println!("they swing {apart} m apart");
    assert!(apart < 0.02, "{apart} m");
    assert_eq!(swung[0], rope(false).particles[0].position);
    let state = world.save().unwrap();
    let going_on = places(&mut world, 30);
    // Let go of, its middle falls.
    world.restore(&state).unwrap();
    let rest = places(&mut world, 600);
    let speeds = world.read_velocities().unwrap();
    world.unpin(pin).unwrap();
    let masses: Vec<f32> = rope(false).particles.iter().map(|particle| particle.mass).collect();
    let middle =
        |all: &[Vec3]| all.iter().zip(&masses).map(|(at, mass)| *mass * *at).sum::<Vec3>() / masses.iter().sum::<f32>();
    let now = places(&mut world, 20);
    let way = middle(&rest) + middle(&speeds) / 3.0 - middle(&now);
    assert!((way - fallen(20) * Vec3::Y).length() < 0.04 * fallen(20), "{way} m, not {} m", fallen(20));
    assert_eq!(world.revision(), revision, "nothing is made anew");
    put_back(&mut world, &state);
    assert_eq!(places(&mut world, 30), going_on, "a state has pins");
    // It follows its pin, and a world that grows has it still.
    for frame in 0..60 {
        let at = vec3(0.0, 3.0, 0.0) + Vec3::X * frame as f32 / 60.0;
        world.pin(first, Some(at)).unwrap();
        world.step();
    }
    let mut grown = world.scene().clone();
    grown.add_body(BodyDesc::sphere(0.1, 0.05).at(-5.0 * Vec3::Y)).unwrap();
    world.spawn(&grown).unwrap();
    let held = places(&mut world, 300);
    assert!((held[0] - vec3(59.0 / 60.0, 3.0, 0.0)).length() < 1e-6, "{}", held[0]);
    assert!((held[8].distance(held[0]) - 1.0).abs() < 0.05, "it swings from there: {}", held[8]);
    assert!(world.read_health().unwrap().is_good());
}

#[test]
fn what_cannot_be_pinned_is_refused() {
    let mut scene = rope(true);
    let body = crate_at(&mut scene, 9.0 * Vec3::X);
    let mut world = solver(&scene);
    let of_body = ParticleId(scene.bodies[body.0 as usize].first_particle);
    let told = |error: SolverError, part: &str| assert!(error.to_string().contains(part), "{error}");
    told(world.pin(of_body, None).unwrap_err(), "it is of no cloth, flesh or rope");
    told(
        world.pin(ParticleId(0), None).unwrap_err(),
        "particle 0 cannot be held and let go of: it was made without a mass",
    );
    told(world.pin(ParticleId(9999), None).unwrap_err(), "there is no particle 9999");
    told(world.pin(ParticleId(3), Some(Vec3::NAN)).unwrap_err(), "place is NaN; it must be finite");
    // A pin that has let go is no other one's.
    let pin = world.pin(ParticleId(3), None).unwrap();
    assert_eq!(world.pin(ParticleId(3), Some(Vec3::Y)).unwrap(), pin, "told again");
    world.unpin(pin).unwrap();
    let next = world.pin(ParticleId(3), None).unwrap();
    assert_eq!(world.unpin(pin).unwrap_err(), SolverError::Unpinned(ParticleId(3)));
    world.unpin(next).unwrap();
    // What leaves the world is let go of.
    let mut pooled = empty();
    let pool = pooled.add_pool(&rope(false), 1).unwrap();
    let mut world = solver(&pooled);
    told(world.pin(ParticleId(0), None).unwrap_err(), "its copy of a pool is not in the world");
    let copy = world.spawn_from(pool, Vec3::ZERO.into(), Vec3::ZERO).unwrap();
    assert_eq!(world.part(copy).unwrap().deformables, 0..1, "{:?}", DeformableId(0));
    let pin = world.pin(ParticleId(0), None).unwrap();
    places(&mut world, 5);
    world.despawn(copy).unwrap();
    world.spawn_from(pool, Vec3::ZERO.into(), Vec3::ZERO).unwrap();
    assert_eq!(world.unpin(pin).unwrap_err(), SolverError::Unpinned(ParticleId(0)));
    let before = rope(false).particles[0].position.y;
    let now = places(&mut world, 20)[0].y;
    assert!(before - now > 0.5 * fallen(20), "{now} m of {before} m");
}
