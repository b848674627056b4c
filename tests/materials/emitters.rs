//! Emitters and drains of liquid and grains: as much leaves a nozzle as density, area and speed say, drains take it away, and what they
//! take comes back.

use glam::{Vec3, vec3};
use sinew::demos::{DEMOS, Options};
use sinew::gpu::Context;
use sinew::report::state_hash;
use sinew::scene::{BodyDesc, Collider, Drain, Emitter, Grains, Liquid, Scene, Shape, is_stored};
use sinew::solver::Solver;

/// Radius of the particles [m].
const RADIUS: f32 = 0.02;

fn context() -> Context {
    Context::shared().expect("adapter")
}

/// Particles that are in the world.
fn present(solver: &Solver) -> Vec<Vec3> {
    let all = solver.read_particles().unwrap();
    all.iter().map(|p| vec3(p[0], p[1], p[2])).filter(|p| !is_stored(*p)).collect()
}

/// A jet that goes up or down, of this speed [m/s].
fn jet(direction: Vec3, speed: f32, budget: u32) -> (Scene, f32) {
    let mut scene = Scene::default();
    scene.params.substeps = 4;
    let water = Liquid::water(RADIUS);
    let mass = water.particle_mass();
    let liquid = scene.add_liquid(water).unwrap();
    let nozzle = Emitter { position: Vec3::Y, direction, radius: 0.07, speed, budget, ..Emitter::new("jet", liquid) };
    scene.add_emitter(nozzle).unwrap();
    (scene, mass)
}

#[test]
fn what_is_emitted_is_density_times_area_times_speed() {
    let context = context();
    for (direction, speed) in [(Vec3::Y, 4.0), (vec3(1.0, 0.3, -2.0), 2.5)] {
        let (scene, mass) = jet(direction, speed, 6000);
        let mut solver = Solver::new(&context, &scene).unwrap();
        assert_eq!(present(&solver).len(), 0, "nothing is there before");
        (0..60).for_each(|_| solver.step());
        let emitted = present(&solver).len() as f32 * mass;
        let expected = 1000.0 * std::f32::consts::PI * 0.07 * 0.07 * speed;
        println!("{emitted} kg in a second, {expected} by the nozzle");
        assert!((emitted / expected - 1.0).abs() < 0.02, "{emitted} kg instead of {expected}");
        let health = solver.read_health().unwrap();
        assert!(health.is_good(), "{health:?}");
    }
}

#[test]
fn a_jet_has_the_momentum_of_what_left_the_nozzle() {
    let (speed, frames) = (3.0, 30);
    let (scene, _) = jet(Vec3::Y, speed, 3000);
    let mut solver = Solver::new(&context(), &scene).unwrap();
    (0..frames).for_each(|_| solver.step());
    let velocities = solver.read_particle_velocities().unwrap();
    let moving: Vec<f32> = velocities.iter().filter(|v| v[3] > 0.0).map(|v| v[1]).collect();
    let mean = moving.iter().sum::<f32>() / moving.len() as f32;
    // It has left evenly over this time, each at the same speed, and weight has slowed it since.
    let expected = speed - 9.81 * 0.5 * frames as f32 / 60.0;
    println!("{mean} m/s on average, {expected} expected");
    assert!((mean - expected).abs() < 0.03 * speed, "{mean} m/s instead of {expected}");
}

#[test]
fn a_budget_is_all_there_is() {
    let (scene, _) = jet(Vec3::NEG_Y, 3.0, 200);
    let mut solver = Solver::new(&context(), &scene).unwrap();
    (0..40).for_each(|_| solver.step());
    assert_eq!(present(&solver).len(), 200);
}

#[test]
fn a_drain_empties_a_basin() {
    let mut scene = Scene::default();
    scene.params.substeps = 4;
    scene.add_collider(Collider::ground(0.0)).unwrap();
    let half = 4.0 * 2.0 * RADIUS;
    for out in [Vec3::X, Vec3::NEG_X, Vec3::Z, Vec3::NEG_Z] {
        scene.add_collider(Collider::new(Shape::Cuboid(Vec3::splat(0.5)), out * (half + 0.5))).unwrap();
    }
    let water = scene.add_liquid(Liquid::water(RADIUS)).unwrap();
    let place = |i: u16| vec3(f32::from(i % 8), f32::from(i / 64), f32::from(i / 8 % 8)) + 0.5;
    let places: Vec<Vec3> = (0..384).map(|i| place(i) * 2.0 * RADIUS - vec3(half, 0.0, half)).collect();
    scene.pour(water, &places, Vec3::ZERO).unwrap();
    // All of the floor, and a ball that reaches nothing.
    let floor = Shape::Cuboid(vec3(half, 1.5 * RADIUS, half));
    scene.add_drain(Drain { shape: floor, position: Vec3::ZERO }).unwrap();
    scene.add_drain(Drain { shape: Shape::Sphere(0.1), position: Vec3::Y * 3.0 }).unwrap();
    let mut solver = Solver::new(&context(), &scene).unwrap();
    solver.step();
    let left = present(&solver).len();
    assert!((200..384).contains(&left), "the lowest layer is gone, and no more: {left}");
    (0..120).for_each(|_| solver.step());
    assert_eq!(present(&solver).len(), 0, "all is gone in 2 s");
    assert!(solver.read_health().unwrap().is_good());
}

#[test]
fn what_drains_comes_back_and_always_the_same() {
    let context = context();
    let run = || {
        // Down into a drain below: 0.2 s in the air, and a reserve for half of a second.
        let (mut scene, mass) = jet(Vec3::NEG_Y, 3.0, 360);
        let ball = Drain { shape: Shape::Sphere(0.4), position: Vec3::ZERO };
        scene.add_drain(ball).unwrap();
        let mut solver = Solver::new(&context, &scene).unwrap();
        let mut least = usize::MAX;
        for frame in 0..90 {
            solver.step();
            if frame > 60 {
                least = least.min(present(&solver).len());
            }
        }
        let flow = 1000.0 * std::f32::consts::PI * 0.07 * 0.07 * 3.0 / mass;
        (least as f32 / flow, state_hash(&solver.read_bodies().unwrap(), &solver.read_particles().unwrap()))
    };
    let (air, hash) = run();
    // Falling 0.6 m from 3 m/s takes 0.16 s.
    assert!((0.12..0.25).contains(&air), "what is in the air left the nozzle in {air} s");
    assert_eq!(run().1, hash);
}

#[test]
#[ignore = "long"]
fn the_fountain_stays_well() {
    let demo = DEMOS.iter().find(|d| d.name == "fountain").unwrap();
    let mut options = Options::new(demo.options);
    options.set(demo.options.iter().find(|o| o.name == "radius").unwrap(), "0.025").unwrap();
    let scene = (demo.build)(&options).unwrap().scene;
    let mut solver = Solver::new(&context(), &scene).unwrap();
    (0..60).for_each(|_| solver.step());
    let health = solver.read_health().unwrap();
    assert!(health.is_good(), "{health:?}");
    // Long enough for water of the jet to come back from the drain.
    (60..180).for_each(|_| solver.step());
    let health = solver.read_health().unwrap();
    assert_eq!([health.non_finite, health.out_of_bounds], [0; 2], "{health:?}");
    let places = present(&solver);
    let basin = scene.drains[0].position.x + 0.1;
    let out = places.iter().filter(|p| p.x.abs() > basin || p.y < -RADIUS).count();
    assert!(
        out <= places.len() / 50,
        "water stays in the basin, but for drops that splash over its rim: {out} are out"
    );
    let fastest = solver.read_particle_velocities().unwrap().into_iter().map(|v| Vec3::from_slice(&v).length());
    // A fall from the top of the jet, 0.5 m above the nozzle, to the floor ends at 4.6 m/s.
    let fastest = fastest.fold(0.0, f32::max);
    assert!(fastest < 8.0, "nothing is thrown: {fastest} m/s");
}

/// Sand that falls from a nozzle onto the ground 0.6 m below.
fn sand(budget: u32) -> Scene {
    let mut scene = Scene::default();
    scene.params.substeps = 8;
    scene.add_collider(Collider::ground(0.0)).unwrap();
    let sand = scene.add_grains(Grains::sand(RADIUS)).unwrap();
    let nozzle = Emitter { radius: 0.06, budget, ..Emitter::new("spout", sand) };
    scene.add_emitter(Emitter { position: 0.6 * Vec3::Y, direction: Vec3::NEG_Y, ..nozzle }).unwrap();
    scene
}

/// Grains in the world, and how many of them sleep.
fn grains(solver: &Solver) -> (usize, usize) {
    let velocities = solver.read_particle_velocities().unwrap();
    let places = solver.read_positions().unwrap();
    let present = places.iter().zip(&velocities).take(200).filter(|(at, _)| !is_stored(**at));
    (present.clone().count(), present.filter(|(_, v)| v[3] == 0.0).count())
}

#[test]
fn sand_leaves_a_nozzle_evenly_and_lies_in_a_heap() {
    let mut solver = Solver::new(&context(), &sand(200)).unwrap();
    assert_eq!(grains(&solver).0, 0, "nothing is there before");
    (0..24).for_each(|_| solver.step());
    // A cube of a spacing for each grain.
    let expected = std::f32::consts::PI * 0.06 * 0.06 * 24.0 / 60.0 / (2.0 * RADIUS).powi(3);
    let present = grains(&solver).0 as f32;
    println!("{present} grains in 0.4 s, {expected} by the nozzle");
    assert!((present - expected).abs() <= 8.0, "{present} grains instead of {expected}");
    (0..360).for_each(|_| solver.step());
    let (present, asleep) = grains(&solver);
    let high = self::present(&solver).iter().fold(0.0, |high: f32, at| high.max(at.y));
    println!("{present} grains, {asleep} of them asleep, {high} m high");
    assert_eq!(present, 200, "a budget is all there is");
    assert!(asleep > 190, "{asleep} sleep");
    assert!((2.0 * RADIUS..0.25).contains(&high), "a heap of {high} m");
    assert!(self::present(&solver).iter().all(|at| at.y > 0.9 * RADIUS), "in the ground");
    assert!(solver.read_health().unwrap().is_good());
}

#[test]
fn sand_drains_and_comes_back_beside_water_or_alone() {
    for wet in [false, true] {
        let mut scene = sand(150);
        let ball = Drain { shape: Shape::Sphere(0.25), position: Vec3::ZERO };
        scene.add_drain(ball).unwrap();
        if wet {
            let water = scene.add_liquid(Liquid::water(RADIUS)).unwrap();
            let nozzle = Emitter { radius: 0.06, budget: 150, direction: Vec3::NEG_Y, ..Emitter::new("tap", water) };
            scene.add_emitter(Emitter { position: vec3(0.1, 0.8, 0.0), ..nozzle }).unwrap();
        }
        let mut solver = Solver::new(&context(), &scene).unwrap();
        let mut least = usize::MAX;
        for frame in 0..240 {
            solver.step();
            if frame > 60 {
                let places = solver.read_positions().unwrap();
                let of_sand = places[..150].iter().filter(|at| !is_stored(**at)).count();
                least = least.min(of_sand);
            }
        }
        println!("with water {wet}: never fewer than {least} grains in the air");
        // 0.35 m at 1 m/s and more.
        assert!((20..150).contains(&least), "{least} grains");
        assert!(solver.read_health().unwrap().is_good());
    }
}

#[test]
fn sand_that_flows_goes_on_the_same_with_a_state_and_through_growth() {
    let context = context();
    let mut scene = sand(200);
    scene.add_drain(Drain { shape: Shape::Sphere(0.1), position: vec3(0.2, 0.0, 0.0) }).unwrap();
    let mut solver = Solver::new(&context, &scene).unwrap();
    (0..20).for_each(|_| solver.step());
    let state = solver.save().unwrap();
    let hash = |solver: &Solver| state_hash(&solver.read_bodies().unwrap(), &solver.read_particles().unwrap());
    (0..25).for_each(|_| solver.step());
    let expected = hash(&solver);
    solver.restore(&state).unwrap();
    (0..25).for_each(|_| solver.step());
    assert_eq!(hash(&solver), expected, "restored");
    let before = grains(&solver);
    let mut more = solver.scene().clone();
    more.add_body(BodyDesc::sphere(0.05, 0.025).at(vec3(3.0, 0.05, 0.0))).unwrap();
    solver.spawn(&more).unwrap();
    assert_eq!(grains(&solver).0, before.0, "what is in reserve stays there");
    (0..400).for_each(|_| solver.step());
    let (present, asleep) = grains(&solver);
    println!("{present} grains, {asleep} of them asleep");
    assert!(present > before.0 && asleep * 10 > present * 9, "{present}, {asleep} asleep");
    assert!(solver.read_health().unwrap().is_good());
}
