//! Grains and bodies that have come to rest sleep: a heap stays where it is, and what touches it, or leaves it, wakes it.

use glam::{Quat, Vec3, vec3};
use sinew::gpu::Context;
use sinew::scene::{
    Blade, BodyDesc, BodyId, Collider, Deformable, Dynamics, Grains, Liquid, ParticleId, RopeMaterial, Scene, Shape,
    Surface, Thing,
};
use sinew::solver::Solver;

const RADIUS: f32 = 0.03;

/// Places of a loose cone of grains that stands at `foot` [m].
fn cone(foot: Vec3, layers: u16) -> Vec<Vec3> {
    let layer = |y: u16| {
        let side = layers - y;
        let place = move |i: u16| {
            let at = vec3(f32::from(i % side), f32::from(y), f32::from(i / side));
            let middle = 0.5 * f32::from(side - 1);
            foot + 2.06 * RADIUS * (at - vec3(middle, 0.0, middle)) + Vec3::Y * RADIUS
        };
        (0..side * side).map(place)
    };
    (0..layers).flat_map(layer).collect()
}

fn ground() -> Scene {
    let mut scene = Scene::default();
    scene.params.substeps = 4;
    scene.add_collider(Collider::ground(0.0)).unwrap();
    scene
}

fn heap(scene: &mut Scene, places: &[Vec3]) {
    let sand = scene.add_grains(Grains::sand(RADIUS)).unwrap();
    scene.heap(sand, places, Vec3::ZERO).unwrap();
}

fn solver(scene: &Scene) -> Solver {
    Solver::new(&Context::shared().expect("adapter"), scene).unwrap()
}

fn run(solver: &mut Solver, frames: usize) {
    (0..frames).for_each(|_| solver.step());
}

/// Places and whether they sleep, of the particles from `first` on.
fn grains(solver: &Solver, first: usize) -> Vec<(Vec3, bool)> {
    let places = solver.read_particles().unwrap();
    let velocities = solver.read_particle_velocities().unwrap();
    let rows = places.iter().zip(&velocities).skip(first);
    rows.map(|(x, v)| (vec3(x[0], x[1], x[2]), v[3] == 0.0)).collect()
}

fn awake(grains: &[(Vec3, bool)]) -> usize {
    grains.iter().filter(|(_, asleep)| !asleep).count()
}

fn farthest(before: &[(Vec3, bool)], after: &[(Vec3, bool)]) -> f32 {
    before.iter().zip(after).map(|(a, b)| a.0.distance(b.0)).fold(0.0, f32::max)
}

#[test]
fn a_heap_at_rest_sleeps_and_does_not_drift() {
    let mut scene = ground();
    heap(&mut scene, &cone(Vec3::ZERO, 7));
    let mut solver = solver(&scene);
    run(&mut solver, 240);
    let settled = grains(&solver, 0);
    println!("after 4 s {} of {} grains are awake", awake(&settled), settled.len());
    run(&mut solver, 3600);
    let rest = grains(&solver, 0);
    println!("in 60 s they moved at most {} mm, {} are awake", 1000.0 * farthest(&settled, &rest), awake(&rest));
    assert_eq!(awake(&rest), 0);
    assert!(farthest(&settled, &rest) < 1e-3, "{} m", farthest(&settled, &rest));
    assert!(solver.read_health().unwrap().is_good());
}

#[test]
fn a_ball_wakes_the_heap_it_falls_on_and_no_other() {
    let mut scene = ground();
    // It rolls to a stop in the end.
    let dynamics = Dynamics { linear_damping: 1.0, angular_damping: 1.0, ..Dynamics::default() };
    let ball = BodyDesc { dynamics, ..BodyDesc::sphere(0.12, 0.04).at(vec3(4.0, 0.13, 0.0)) };
    let ball = scene.add_body(ball).unwrap();
    let first = scene.particles.len();
    let near = cone(Vec3::ZERO, 7);
    heap(&mut scene, &near);
    heap(&mut scene, &cone(Vec3::X * -4.0, 7));
    let mut solver = solver(&scene);
    run(&mut solver, 300);
    let before = grains(&solver, first);
    assert_eq!(awake(&before), 0, "of {}", before.len());
    // Beside the middle: it rolls down. One that stays on a heap keeps it awake.
    solver.set_body_pose(ball, vec3(0.02, 0.8, 0.0), Quat::IDENTITY, Vec3::Y * -2.0, Vec3::ZERO).unwrap();
    run(&mut solver, 15);
    let hit = grains(&solver, first);
    let (woken, asleep) = hit.split_at(near.len());
    println!("{} of {} grains are awake, one moved {} m", awake(woken), woken.len(), farthest(&before, woken));
    assert!(awake(woken) > near.len() / 4 && farthest(&before, woken) > RADIUS);
    assert_eq!(awake(asleep), 0);
    run(&mut solver, 885);
    let end = grains(&solver, first);
    assert_eq!(awake(&end), 0, "15 s later");
    assert_eq!(end[near.len()..], before[near.len()..]);
    assert_eq!(solver.read_bodies().unwrap()[ball.0 as usize].inv_mass, 0.0, "the ball sleeps as well");
    assert!(solver.read_health().unwrap().is_good());
}

/// Grains asleep on a table, and the table.
fn on_a_table(kinematic: bool) -> (Solver, BodyId, usize) {
    let mut scene = ground();
    let mut desc = BodyDesc::cuboid(vec3(0.3, 0.06, 0.3), 0.03).at(vec3(0.0, 0.5, 0.0));
    desc.kinematic = kinematic;
    let table = scene.add_body(desc).unwrap();
    let leg = scene.add_body(BodyDesc::cuboid(vec3(0.2, 0.21, 0.2), 0.03).at(vec3(0.0, 0.215, 0.0))).unwrap();
    assert_ne!(leg, table);
    let first = scene.particles.len();
    heap(&mut scene, &cone(vec3(0.0, 0.57, 0.0), 4));
    let mut solver = solver(&scene);
    run(&mut solver, 200);
    assert_eq!(awake(&grains(&solver, first)), 0, "on the table");
    (solver, table, first)
}

#[test]
fn grains_fall_when_what_bears_them_is_taken_away() {
    let (mut solver, table, first) = on_a_table(false);
    solver.remove_body(table).unwrap();
    run(&mut solver, 40);
    let low = grains(&solver, first).iter().map(|g| g.0.y).fold(f32::MAX, f32::min);
    assert!(low < 0.5, "the lowest is {low} m high");
}

#[test]
fn grains_fall_when_what_bears_them_is_posed_elsewhere() {
    let (mut solver, table, first) = on_a_table(false);
    solver.set_body_pose(table, vec3(3.0, 0.5, 0.0), Quat::IDENTITY, Vec3::ZERO, Vec3::ZERO).unwrap();
    run(&mut solver, 40);
    let low = grains(&solver, first).iter().map(|g| g.0.y).fold(f32::MAX, f32::min);
    assert!(low < 0.5, "the lowest is {low} m high");
}

#[test]
fn grains_follow_a_table_that_sinks_slowly() {
    let (mut solver, table, first) = on_a_table(true);
    let lowest = |solver: &Solver| grains(solver, first).iter().map(|g| g.0.y).fold(f32::MAX, f32::min);
    // Slower than what wakes by its speed.
    let start = lowest(&solver);
    solver.set_body_pose(table, vec3(0.0, 0.5, 0.0), Quat::IDENTITY, Vec3::Y * 0.04, Vec3::ZERO).unwrap();
    run(&mut solver, 60);
    let risen = lowest(&solver) - start;
    assert!((risen - 0.04).abs() < 0.004, "{risen} m of 0.04");
    solver.set_body_pose(table, vec3(0.0, 0.54, 0.0), Quat::IDENTITY, Vec3::Y * -0.04, Vec3::ZERO).unwrap();
    run(&mut solver, 60);
    let sunk = lowest(&solver) - start;
    assert!(sunk.abs() < 0.004, "{sunk} m of 0");
}

/// Velocities after a pin is bowled over that sleeps, or that must not: of the pin and of the ball [m/s].
fn bowled(sleep_time: f32) -> [f32; 2] {
    let mut scene = Scene::default();
    scene.params.sleep_time = sleep_time;
    scene.add_collider(Collider::ground(0.0)).unwrap();
    let mut pin = BodyDesc::cuboid(vec3(0.06, 0.19, 0.06), 0.03).at(Vec3::Y * 0.19);
    let mut ball = BodyDesc::sphere(0.108, 0.03).at(vec3(-0.4, 0.108, 0.0));
    for (desc, mass) in [(&mut pin, 1.5), (&mut ball, 6.8)] {
        desc.inertia *= mass / desc.mass;
        desc.mass = mass;
    }
    let [pin, ball] = [pin, ball].map(|desc| scene.add_body(desc).unwrap());
    let mut solver = Solver::new(&Context::shared().expect("adapter"), &scene).unwrap();
    (0..90).for_each(|_| solver.step());
    let asleep = solver.read_bodies().unwrap()[pin.0 as usize].inv_mass == 0.0;
    assert_eq!(asleep, sleep_time > 0.0);
    let at = vec3(-0.4, 0.108, 0.0);
    solver.set_body_pose(ball, at, Quat::IDENTITY, Vec3::X * 7.0, Vec3::ZERO).unwrap();
    (0..6).for_each(|_| solver.step());
    let bodies = solver.read_bodies().unwrap();
    [pin, ball].map(|id| bodies[id.0 as usize].velocity[0])
}

#[test]
fn a_sleeper_that_is_struck_is_no_wall() {
    let ([pin, ball], [awake_pin, awake_ball]) = (bowled(0.5), bowled(0.0));
    println!("asleep: pin {pin} m/s, ball {ball} m/s; awake: pin {awake_pin} m/s, ball {awake_ball} m/s");
    assert!((ball - awake_ball).abs() < 0.5 && (pin - awake_pin).abs() < 1.0, "pin {pin} m/s, ball {ball} m/s");
}

#[test]
fn grains_that_an_edit_wakes_do_not_sink_into_one_another() {
    let nearest = |grains: &[(Vec3, bool)]| {
        let pairs = grains.iter().enumerate().flat_map(|(i, a)| grains[..i].iter().map(move |b| a.0.distance(b.0)));
        pairs.fold(f32::MAX, f32::min)
    };
    let wakes = |mut solver: Solver, first: usize, edit: &dyn Fn(&mut Solver)| {
        let before = nearest(&grains(&solver, first));
        edit(&mut solver);
        let mut least = f32::MAX;
        for _ in 0..20 {
            solver.step();
            least = least.min(nearest(&grains(&solver, first)));
        }
        println!("{before} m apart at least, after an edit {least} m");
        assert!(awake(&grains(&solver, first)) > 0 && least > before - 0.05 * RADIUS, "{least} m of {before} m");
    };
    let rough = Surface { friction: 0.7, restitution: 0.0 };
    let (solver, table, first) = on_a_table(false);
    wakes(solver, first, &|solver| solver.set_surface(Thing::Body(table), rough).unwrap());
    let mut scene = ground();
    let shelf = scene.add_collider(Collider::new(Shape::Cuboid(vec3(0.3, 0.1, 0.3)), Vec3::Y * 0.1)).unwrap();
    heap(&mut scene, &cone(Vec3::Y * 0.2, 4));
    let mut solver = self::solver(&scene);
    run(&mut solver, 200);
    wakes(solver, 0, &|solver| solver.set_surface(Thing::Collider(shelf), rough).unwrap());
}

#[test]
fn a_heap_falls_though_the_first_liquid_came_while_it_slept() {
    let mut scene = ground();
    let shelf = scene.add_collider(Collider::new(Shape::Cuboid(vec3(0.3, 0.1, 0.3)), Vec3::Y * 0.4)).unwrap();
    heap(&mut scene, &cone(Vec3::Y * 0.5, 3));
    let mut solver = solver(&scene);
    run(&mut solver, 150);
    assert_eq!(awake(&grains(&solver, 0)), 0);
    let mut grown = solver.scene().clone();
    let water = grown.add_liquid(Liquid::water(RADIUS)).unwrap();
    grown.pour(water, &[vec3(5.0, 0.1, 0.0)], Vec3::ZERO).unwrap();
    solver.spawn(&grown).unwrap();
    solver.set_collider_present(shelf, false).unwrap();
    run(&mut solver, 30);
    let lowest = grains(&solver, 0).iter().map(|(at, _)| at.y).fold(f32::MAX, f32::min);
    assert!(lowest < 0.1, "the lowest grain is at {lowest} m");
}

/// A lift 3 m up with three crates on it, one on the other, that sleep.
fn lift() -> (Solver, BodyId) {
    let mut scene = ground();
    scene.params.substeps = 8;
    let platform = BodyDesc { kinematic: true, ..BodyDesc::cuboid(vec3(1.0, 0.1, 1.0), 0.05).at(vec3(0.0, 3.0, 0.0)) };
    let platform = scene.add_body(platform).unwrap();
    for y in [3.3, 3.7, 4.1] {
        scene.add_body(BodyDesc::cuboid(Vec3::splat(0.2), 0.05).at(vec3(0.0, y, 0.0))).unwrap();
    }
    let mut solver = solver(&scene);
    run(&mut solver, 150);
    let asleep = solver.read_bodies().unwrap()[1..].iter().all(|body| body.inv_mass == 0.0);
    assert!(asleep, "what rests on a lift does not sleep");
    (solver, platform)
}

#[test]
fn what_sleeps_on_a_lift_goes_down_with_it_fast_and_slowly() {
    let height = |solver: &Solver, body: usize| solver.read_bodies().unwrap()[body].center()[1];
    for speed in [0.05, 0.3, 1.0, 4.0] {
        let (mut solver, platform) = lift();
        solver.set_body_pose(platform, 3.0 * Vec3::Y, Quat::IDENTITY, -speed * Vec3::Y, Vec3::ZERO).unwrap();
        let frames = (90.0 / speed.max(1.0)) as usize;
        run(&mut solver, frames);
        let gap = height(&solver, 1) - height(&solver, 0) - 0.3;
        println!("{speed} m/s: {gap} m over it");
        // One that is faster than they fall is caught up with later.
        let falls = 3.3 - 0.5 * 9.81 * (frames as f32 / 60.0).powi(2);
        let over = gap.min(height(&solver, 1) - falls);
        assert!(over.abs() < 0.05, "{speed} m/s: crates hang {gap} m over the lift");
    }
    // Eased, it has gone by a millimeter before it is as fast as what falls asleep.
    let (mut solver, platform) = lift();
    for frame in 1..=150_u8 {
        let part = (f32::from(frame) / 120.0).min(1.0);
        let y = 2.0 + (std::f32::consts::PI * part).cos();
        let before = 2.0 + (std::f32::consts::PI * (f32::from(frame - 1) / 120.0).min(1.0)).cos();
        let velocity = 60.0 * (y - before) * Vec3::Y;
        solver.set_body_pose(platform, before * Vec3::Y, Quat::IDENTITY, velocity, Vec3::ZERO).unwrap();
        solver.step();
    }
    let heights: Vec<f32> = (0..4).map(|body| height(&solver, body)).collect();
    println!("eased: {heights:?}");
    assert!((heights[3] - heights[0] - 1.1).abs() < 0.02, "they hang over the lift: {heights:?}");
}

#[test]
fn a_collider_that_comes_wakes_who_sleeps_in_its_way() {
    for told_later in [false, true] {
        let mut scene = ground();
        let bar = Collider::new(Shape::Cuboid(vec3(1.0, 0.2, 0.2)), vec3(0.0, 0.3, -3.0));
        let velocity = Vec3::Z;
        scene.add_collider(Collider { velocity: if told_later { Vec3::ZERO } else { velocity }, ..bar }).unwrap();
        let body = scene.add_body(BodyDesc::cuboid(Vec3::splat(0.2), 0.05).at(vec3(0.0, 0.2, 0.0))).unwrap();
        let mut solver = solver(&scene);
        run(&mut solver, 90);
        assert!(solver.read_bodies().unwrap()[body.0 as usize].inv_mass == 0.0, "awake before it comes");
        if told_later {
            let from = vec3(0.0, 0.3, -1.5);
            solver.set_collider_pose(sinew::scene::ColliderId(1), from, Quat::IDENTITY, velocity, Vec3::ZERO).unwrap();
        }
        run(&mut solver, 150);
        // Its front pushes the back of the box along: 4 s from -3 m, or 2.5 s from -1.5 m.
        let z = solver.read_bodies().unwrap()[body.0 as usize].center()[2];
        let front = 1.2;
        println!("told later {told_later}: {z} m, its front at {front} m");
        assert!((z - 0.2 - front).abs() < 0.03, "passed through: at {z} m, the front at {front} m");
    }
}

#[test]
fn a_load_that_sleeps_on_a_rope_falls_once_that_is_cut_or_let_go_of() {
    for cut in [false, true] {
        let mut scene = ground();
        scene.params.substeps = 16;
        let points = (0..11).map(|i| vec3(0.0, 4.0 - 0.1 * i as f32, 0.0)).collect();
        let rope = Deformable::rope("rope", points, 0.02, &RopeMaterial::default()).unwrap();
        let id = scene.add_deformable(&rope, Vec3::ZERO, Quat::IDENTITY, Vec3::ZERO).unwrap();
        let first = scene.deformables[id.0 as usize].first_particle;
        let load =
            scene.add_body(BodyDesc::cuboid(Vec3::splat(0.1), 0.03).with_mass(0.2).at(vec3(0.0, 2.9, 0.0))).unwrap();
        scene.attach(ParticleId(first.0 + 10), load, 0.0).unwrap();
        let mut solver = solver(&scene);
        let pin = solver.pin(first, None).unwrap();
        run(&mut solver, 400);
        let hung = solver.read_bodies().unwrap()[load.0 as usize];
        assert!(hung.inv_mass == 0.0 && hung.center()[1] > 2.5, "a load that hangs does not sleep: {hung:?}");
        if cut {
            let blade = [vec3(-1.0, 3.53, -1.0), vec3(1.0, 3.53, -1.0), vec3(0.0, 3.53, 2.0)];
            assert_eq!(solver.cut(&Blade { triangles: vec![blade] }).unwrap().parted.len(), 1);
        } else {
            solver.unpin(pin).unwrap();
        }
        run(&mut solver, 30);
        let fallen = hung.center()[1] - solver.read_bodies().unwrap()[load.0 as usize].center()[1];
        println!("cut {cut}: {fallen} m in half a second");
        assert!(fallen > 1.1, "it hangs in the air: {fallen} m in half a second");
    }
}
