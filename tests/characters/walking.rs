//! Walkers against mechanics and against what a player expects of them.

use std::f32::consts::FRAC_PI_3;
use std::time::Instant;

use glam::{Quat, Vec3, vec3};
use sinew::animation::{Cast, Performer};
use sinew::gpu::Context;
use sinew::import::tets::{Resolution, soft_body};
use sinew::scene::{
    BodyDesc, BodyId, Collider, ColliderId, Deformable, Dynamics, JointDesc, JointKind, Layers, Push, Scene,
    SceneError, Shape, SheetGrid, SheetMaterial, SoftMaterial, Surface, Thing, Travel, TriangleMesh, Walker,
    primitive_model,
};
use sinew::solver::{Solver, SolverError, State};
use sinew::spawn::Character;

const DT: f32 = 1.0 / 60.0;

fn ground() -> Scene {
    let mut scene = Scene::default();
    scene.add_collider(Collider::ground(0.0)).unwrap();
    scene
}

fn block(center: Vec3, half: Vec3) -> Collider {
    Collider::new(Shape::Cuboid(half), center)
}

/// A world with a walker of the default kind whose soles are here.
struct World {
    solver: Solver,
    hero: BodyId,
}

impl World {
    fn new(mut scene: Scene, soles: Vec3) -> Self {
        let hero = scene.add_body(Walker::default().body(soles)).unwrap();
        let mut solver = Solver::new(&Context::shared().expect("adapter"), &scene).unwrap();
        solver.add_walker(hero, Walker::default()).unwrap();
        Self { solver, hero }
    }

    fn soles_of(&self, body: BodyId) -> Vec3 {
        Vec3::from(self.solver.read_bodies().unwrap()[body.0 as usize].center) - 0.9 * Vec3::Y
    }

    fn soles(&self) -> Vec3 {
        self.soles_of(self.hero)
    }

    /// Goes on for so many frames.
    fn run(&mut self, frames: u32) -> Vec3 {
        (0..frames).for_each(|_| self.solver.step());
        self.soles()
    }

    fn walk(&mut self, velocity: Vec3, frames: u32) -> Vec3 {
        self.solver.walk(self.hero, velocity).unwrap();
        self.run(frames)
    }

    /// What it stands on.
    fn ground(&self) -> Option<Thing> {
        self.solver.footing(self.hero).unwrap().and_then(|footing| footing.ground).map(|ground| ground.thing)
    }

    fn is_healthy(&self) {
        assert!(self.solver.read_health().unwrap().is_good());
    }
}

#[test]
fn rough_ground_is_not_in_its_way() {
    // One that rubs itself, too: with 0 nothing would.
    for (own, friction, push) in [(0.0, 2.0, 100.0), (0.1, 0.5, 100.0), (0.1, 1.9, 500.0)] {
        let mut scene = Scene::default();
        let mut rough = Collider::ground(0.0);
        rough.surface.friction = friction;
        scene.add_collider(rough).unwrap();
        let walker = Walker { push, ..Walker::default() };
        let body = walker.body(Vec3::ZERO);
        let surface = Surface { friction: own, ..body.surface };
        let hero = scene.add_body(BodyDesc { surface, ..body }).unwrap();
        let mut solver = Solver::new(&Context::shared().expect("adapter"), &scene).unwrap();
        solver.add_walker(hero, walker).unwrap();
        let soles = World { solver, hero }.walk(Vec3::X * 1.5, 120);
        assert!((soles.x - 3.0).abs() < 0.15, "{own} on {friction} with {push} N it came {} of 3 m", soles.x);
    }
}

#[test]
fn it_climbs_a_step_however_slowly() {
    for (height, speed) in [(0.1, 0.5), (0.2, 0.2), (0.2, 0.4), (0.28, 0.5)] {
        let mut scene = ground();
        scene.add_collider(block(vec3(1.4, 0.5 * height, 0.0), vec3(1.0, 0.5 * height, 2.0))).unwrap();
        let mut world = World::new(scene, Vec3::ZERO);
        let soles = world.walk(Vec3::X * speed, (60.0 / speed) as u32);
        println!("{height} m at {speed} m/s: {soles}");
        assert!(soles.x > 0.6 && (soles.y - height).abs() < 0.01, "a step of {height} m at {speed} m/s: {soles}");
    }
}

#[test]
fn it_goes_as_fast_as_it_is_told() {
    let mut world = World::new(ground(), Vec3::ZERO);
    for velocity in [vec3(1.0, 0.0, 0.0), vec3(0.0, 0.0, 3.0), vec3(-4.0, 0.0, 4.0)] {
        let start = world.walk(velocity, 30);
        let way = world.walk(velocity, 60) - start;
        assert!((way - velocity).length() < 0.05 * velocity.length(), "{way} m in a second at {velocity}");
    }
    let start = world.walk(Vec3::ZERO, 30);
    let drift = world.run(60) - start;
    assert!(drift.length() < 1e-3 && start.y.abs() < 0.01, "it stands, but goes {drift}, at {start}");
    assert_eq!(world.ground(), Some(Thing::Collider(ColliderId(0))));
    world.is_healthy();
}

#[test]
fn it_climbs_stairs_and_comes_down_again_without_leaving_them() {
    let mut scene = ground();
    for i in 0..5 {
        let (half, top) = (0.15 * (9 - 2 * i) as f32, 0.2 * (i + 1) as f32);
        scene.add_collider(block(vec3(3.0, top - 0.1, 0.0), vec3(half, 0.1, 2.0))).unwrap();
    }
    let mut world = World::new(scene, Vec3::ZERO);
    let mut highest = 0.0_f32;
    let mut flying = 0;
    world.solver.walk(world.hero, 1.5 * Vec3::X).unwrap();
    for frame in 0..300 {
        let at = world.run(1);
        highest = highest.max(at.y);
        flying += u32::from(frame > 5 && world.ground().is_none());
    }
    let end = world.soles();
    println!("up to {highest} m, ends at {end}, {flying} frames in the air");
    assert!((highest - 1.0).abs() < 0.05, "{highest} m high");
    assert!(end.x > 6.0 && end.y < 0.02, "{end}");
    assert_eq!(flying, 0);
    world.is_healthy();
}

#[test]
fn a_high_step_is_a_wall() {
    let mut scene = ground();
    scene.add_collider(block(vec3(2.0, 0.3, 0.0), vec3(0.5, 0.3, 2.0))).unwrap();
    let mut world = World::new(scene, Vec3::ZERO);
    let end = world.walk(2.0 * Vec3::X, 180);
    assert!((end.x - 1.2).abs() < 0.01 && end.y < 0.02, "{end}");
    world.is_healthy();
}

#[test]
fn it_climbs_no_higher_than_its_step() {
    for (size, height, climbs) in [
        (1.0, 0.29, true),
        (1.0, 0.3, true),
        (1.0, 0.304, false),
        (1.0, 0.31, false),
        (0.4, 0.12, true),
        (0.4, 0.124, false),
    ] {
        let walker = Walker { radius: 0.3 * size, height: 1.8 * size, step: 0.3 * size, ..Walker::default() };
        for speed in [0.5, 1.3, 4.0] {
            let mut scene = ground();
            scene.add_collider(block(vec3(3.0, 0.5 * height, 0.0), vec3(2.0, 0.5 * height, 2.0))).unwrap();
            let hero = scene.add_body(walker.body(Vec3::ZERO)).unwrap();
            let mut solver = Solver::new(&Context::shared().expect("adapter"), &scene).unwrap();
            solver.add_walker(hero, walker).unwrap();
            solver.walk(hero, speed * Vec3::X).unwrap();
            (0..(90.0 / speed) as u32 + 30).for_each(|_| solver.step());
            let at = solver.read_bodies().unwrap()[hero.0 as usize].center() - 0.9 * size * Vec3::Y;
            println!("{size}: a step of {height} m at {speed} m/s: {at}");
            assert_eq!(climbs, at.y > 0.5 * height, "{size}: a step of {height} m at {speed} m/s: {at}");
        }
    }
}

#[test]
fn it_stands_on_the_ground_whatever_side_of_it_is_down() {
    for (rotation, extent) in [(Quat::IDENTITY, 0.3), (Quat::from_rotation_z(-std::f32::consts::FRAC_PI_2), 0.9)] {
        let mut scene = Scene::default();
        scene.params.gravity = vec3(9.81, 0.0, 0.0);
        let wall = Collider::new(Shape::Plane, vec3(2.0, 0.0, 0.0));
        scene.add_collider(wall.rotated(Quat::from_rotation_z(std::f32::consts::FRAC_PI_2))).unwrap();
        let hero = scene.add_body(Walker::default().body(Vec3::ZERO).rotated(rotation)).unwrap();
        let mut solver = Solver::new(&Context::shared().expect("adapter"), &scene).unwrap();
        solver.add_walker(hero, Walker::default()).unwrap();
        solver.walk(hero, Vec3::Z).unwrap();
        (0..120).for_each(|_| solver.step());
        let at = solver.read_bodies().unwrap()[hero.0 as usize].center();
        println!("{at}");
        assert!((at.x - (2.0 - extent)).abs() < 0.01, "{at}");
        assert!(at.z > 1.2, "it walks: {at}");
        let footing = solver.footing(hero).unwrap().unwrap();
        assert!(footing.ground.is_some() && (footing.position.x - 2.0).abs() < 0.01, "{footing:?}");
    }
}

/// A slope of so many radians that rises along X from the origin.
fn slope(angle: f32) -> Scene {
    let mut scene = ground();
    let turn = Quat::from_rotation_z(angle);
    scene.add_collider(block(turn * vec3(5.0, -1.0, 0.0), vec3(10.0, 1.0, 4.0)).rotated(turn)).unwrap();
    scene
}

/// Standing on that slope, so far up.
fn on_slope(angle: f32, way: f32) -> Vec3 {
    Quat::from_rotation_z(angle) * (way * Vec3::X) + (0.3 / angle.cos() - 0.3) * Vec3::Y
}

#[test]
fn it_stands_on_a_slope_and_slides_off_a_steep_one() {
    let mut world = World::new(slope(FRAC_PI_3 / 2.0), on_slope(FRAC_PI_3 / 2.0, 3.0));
    let start = world.run(30);
    let drift = world.run(300) - start;
    println!("drifts {drift} in 5 s");
    assert!(drift.length() < 0.02, "{drift} in 5 s");
    let way = world.walk(2.0 * Vec3::X, 60) - start;
    assert!((way.length() - 2.0).abs() < 0.15 && way.y > 0.8, "up by {way}");
    let mut steep = World::new(slope(FRAC_PI_3), on_slope(FRAC_PI_3, 4.0));
    let start = steep.soles();
    let way = steep.run(60) - start;
    println!("slides {way} in 1 s");
    assert!(way.y < -1.5, "{way}");
    assert_eq!(steep.ground(), None);
    // It cannot be walked up.
    let mut below = World::new(slope(FRAC_PI_3), Vec3::NEG_X);
    let high = (0..20).map(|_| below.walk(3.0 * Vec3::X, 6).y).fold(0.0, f32::max);
    assert!(high < 0.3, "{high} m up");
    world.is_healthy();
    steep.is_healthy();
}

#[test]
fn it_pushes_a_crate_but_not_a_heavy_one() {
    let parcel = |mass: f32| {
        let mut scene = ground();
        let parcel = scene.add_body(BodyDesc::cuboid(Vec3::splat(0.4), 0.08).with_mass(mass).at(vec3(1.2, 0.4, 0.0)));
        let mut world = World::new(scene, Vec3::ZERO);
        world.walk(1.5 * Vec3::X, 180);
        let at = Vec3::from(world.solver.read_bodies().unwrap()[parcel.unwrap().0 as usize].center);
        world.is_healthy();
        (at.x - 1.2, world.soles())
    };
    let (light, hero) = parcel(10.0);
    println!("a light crate goes {light} m, its pusher is at {hero}");
    assert!(light > 2.0 && hero.x > 2.5, "{light} m, {hero}");
    let (heavy, hero) = parcel(2000.0);
    println!("a heavy crate goes {heavy} m, its pusher is at {hero}");
    assert!(heavy.abs() < 0.02 && hero.x < 0.55 && hero.y < 0.02, "{heavy} m, {hero}");
}

#[test]
fn it_does_not_enter_walls() {
    let mut scene = ground();
    scene.add_collider(block(vec3(3.0, 1.0, 0.0), vec3(0.1, 1.0, 3.0))).unwrap();
    scene.add_collider(block(vec3(0.0, 1.0, 3.0), vec3(3.0, 1.0, 0.1))).unwrap();
    let mut world = World::new(scene, Vec3::ZERO);
    for velocity in [vec3(8.0, 0.0, 0.0), vec3(3.0, 0.0, 6.0)] {
        world.solver.walk(world.hero, velocity).unwrap();
        for _ in 0..60 {
            let at = world.run(1);
            let deep = (at.x - 2.6).max(at.z - 2.6);
            assert!(deep < 0.01 && at.y.abs() < 0.03, "{deep} m deep at {at}");
        }
    }
    let end = world.soles();
    assert!(end.x > 2.55 && end.z > 2.55, "it goes along walls into the corner: {end}");
    world.is_healthy();
}

#[test]
fn it_rides_on_what_moves() {
    let mut scene = ground();
    let lift = scene.add_collider(block(vec3(0.0, 0.0, 0.0), vec3(1.0, 0.1, 1.0))).unwrap();
    let mut world = World::new(scene, 0.1 * Vec3::Y);
    let mut center = Vec3::ZERO;
    for velocity in [Vec3::Y, 2.0 * Vec3::X, -Vec3::Y, vec3(-1.0, 0.0, 1.0)] {
        let mut start = Vec3::ZERO;
        for frame in 0..75 {
            if frame == 15 {
                // It takes a moment to go as fast.
                start = world.soles() - center;
            }
            world.solver.set_collider_pose(lift, center, Quat::IDENTITY, velocity, Vec3::ZERO).unwrap();
            world.run(1);
            center += DT * velocity;
        }
        let slip = world.soles() - center - start;
        println!("slips {slip} at {velocity}");
        assert!(slip.length() < 0.05, "{slip} at {velocity}");
        assert_eq!(world.ground(), Some(Thing::Collider(lift)));
    }
    world.is_healthy();
}

#[test]
fn it_jumps_as_high_as_its_speed_carries_it() {
    let mut scene = ground();
    scene.params.linear_damping = 0.0;
    let mut world = World::new(scene, Vec3::ZERO);
    let start = world.run(10).y;
    for speed in [2.0_f32, 4.43] {
        world.solver.jump(world.hero, speed).unwrap();
        let high = (0..90).map(|_| world.run(1).y).fold(0.0, f32::max) - start;
        let theory = speed * speed / (2.0 * 9.81);
        println!("jumps {high} m of {theory} m");
        assert!((high / theory - 1.0).abs() < 0.05, "{high} m, not {theory} m");
        assert!(world.soles().y.abs() < 0.01);
    }
    // In the air it cannot jump again, but turn a little.
    world.solver.jump(world.hero, 4.43).unwrap();
    world.run(15);
    world.solver.jump(world.hero, 4.43).unwrap();
    let high = (0..40).map(|_| world.walk(Vec3::X, 1).y).fold(0.0, f32::max);
    assert!(high < 1.05, "{high} m");
    assert!(world.soles().x > 0.2, "{}", world.soles());
    world.is_healthy();
}

#[test]
fn it_stays_upright_when_it_is_hit() {
    let mut scene = ground();
    let ball = BodyDesc::sphere(0.2, 0.1).with_mass(8.0).at(vec3(2.0, 1.6, 0.1));
    scene.add_body(BodyDesc { velocity: -12.0 * Vec3::X, ..ball }).unwrap();
    let mut world = World::new(scene, Vec3::ZERO);
    let end = world.run(90);
    let rotation = Quat::from_array(world.solver.read_bodies().unwrap()[world.hero.0 as usize].rotation);
    assert!(rotation.angle_between(Quat::IDENTITY) < 1e-3, "{rotation}");
    assert!(end.x < -0.01 && end.x > -1.0 && end.y.abs() < 0.01, "{end}");
    world.is_healthy();
}

#[test]
fn two_walkers_block_each_other() {
    let mut scene = ground();
    let other = scene.add_body(Walker::default().body(3.0 * Vec3::X)).unwrap();
    let mut world = World::new(scene, Vec3::ZERO);
    world.solver.add_walker(other, Walker::default()).unwrap();
    world.solver.walk(other, -2.0 * Vec3::X).unwrap();
    let one = world.walk(2.0 * Vec3::X, 180);
    let two = world.soles_of(other);
    println!("they meet at {one} and {two}");
    assert!((two.x - one.x - 0.6).abs() < 0.02, "{one} {two}");
    assert!((0.5 * (one.x + two.x) - 1.5).abs() < 0.1, "{one} {two}");
    world.is_healthy();
}

#[test]
fn it_walks_on_everything() {
    let mut scene = ground();
    // Flesh from 1.3 m to 2.7 m, a cloth on a block from 3 m to 5 m, hills of triangles from 5 m on.
    let soft = SoftMaterial::default();
    let flesh =
        soft_body(&primitive_model(&Shape::Cuboid(vec3(0.7, 0.1, 0.8))), Resolution::Count(600), &soft).unwrap();
    scene.add_deformable(&flesh.object, vec3(1.9, 0.16, 0.0), Quat::IDENTITY, Vec3::ZERO).unwrap();
    let grid = SheetGrid::square(16, 2.0);
    let cloth = SheetMaterial::default();
    let cloth = Deformable::sheet("cloth", grid.positions(), &grid.triangles(), 0.03, &cloth).unwrap();
    scene.add_collider(block(vec3(4.0, 0.05, 0.0), vec3(0.9, 0.05, 0.9))).unwrap();
    scene.add_deformable(&cloth, vec3(4.0, 0.15, 0.0), Quat::IDENTITY, Vec3::ZERO).unwrap();
    let mut hills = TriangleMesh::default();
    for n in 0..441_u32 {
        let (i, k) = (n % 21, n / 21);
        let (x, z) = (0.2 * i as f32, 0.2 * k as f32 - 2.0);
        hills.positions.push(vec3(x, 0.15 * (1.0 - (2.0 * x).cos()), z));
        if i < 20 && k < 20 {
            hills.triangles.extend([[n, n + 21, n + 1], [n + 1, n + 21, n + 22]]);
        }
    }
    scene.add_collider(Collider::new(Shape::Mesh(hills), vec3(5.0, 0.02, 0.0))).unwrap();
    let mut world = World::new(scene, Vec3::ZERO);
    let mut grounds = std::collections::BTreeSet::new();
    world.solver.walk(world.hero, 2.0 * Vec3::X).unwrap();
    for _ in 0..270 {
        let at = world.run(1);
        assert!(at.y > -0.02 && at.y < 0.6, "{at}");
        grounds.extend(world.ground());
    }
    println!("ends at {}, stood on {grounds:?}", world.soles());
    assert!(world.soles().x > 8.0, "{}", world.soles());
    assert!(grounds.iter().filter(|thing| matches!(thing, Thing::Deformable(_))).count() == 2, "{grounds:?}");
    assert!(grounds.contains(&Thing::Collider(ColliderId(2))), "{grounds:?}");
}

#[test]
fn it_does_not_rub_on_walls_and_ground() {
    let mut scene = ground();
    scene.add_collider(block(vec3(0.0, 1.0, 1.0), vec3(30.0, 1.0, 0.5))).unwrap();
    let mut world = World::new(scene, Vec3::ZERO);
    // Against a wall at 45° it goes along it with what of its speed is along it.
    world.walk(2.0 * vec3(1.0, 0.0, 1.0).normalize(), 60);
    let start = world.soles().x;
    let speed = world.run(60).x - start;
    println!("along the wall at {speed} m/s");
    assert!((1.3..1.45).contains(&speed), "{speed} m/s");
    // However slowly it gets going.
    let slow = Walker { acceleration: 1.0, ..Walker::default() };
    world.solver.add_walker(world.hero, slow).unwrap();
    world.walk(Vec3::ZERO, 150);
    let start = world.soles().x;
    let way = world.walk(-Vec3::X, 120).x - start;
    println!("{way} m in 2 s with 1 m/s²");
    assert!((-1.6..-1.4).contains(&way), "{way} m");
    world.is_healthy();
}

#[test]
fn a_blow_from_below_throws_it_as_high_as_it_would_anybody() {
    for speed in [0.0, 2.0, 5.0] {
        let mut scene = ground();
        scene.params.linear_damping = 0.0;
        let mut world = World::new(scene, Vec3::ZERO);
        world.walk(speed * Vec3::X, 40);
        world.solver.push(Push::impulse(world.hero, 75.0 * 5.0 * Vec3::Y)).unwrap();
        let high = (0..60).map(|_| world.run(1).y).fold(0.0, f32::max);
        println!("at {speed} m/s, 5 m/s up throw it {high} m");
        // 5² / 2g.
        assert!((1.1..1.35).contains(&high), "at {speed} m/s: {high} m");
        world.is_healthy();
    }
}

#[test]
fn what_it_runs_over_throws_it_no_higher_than_that_is() {
    for (radius, speed) in [(0.1, 6.0), (0.15, 8.0), (0.25, 8.0)] {
        let mut scene = ground();
        let log = Collider::new(Shape::Capsule { radius, half_length: 2.0 }, 3.0 * Vec3::X);
        scene.add_collider(log.rotated(Quat::from_rotation_x(std::f32::consts::FRAC_PI_2))).unwrap();
        let mut world = World::new(scene, Vec3::ZERO);
        let high = (0..90).map(|_| world.walk(speed * Vec3::X, 1).y).fold(0.0, f32::max);
        println!("over a log of {radius} m at {speed} m/s: {high} m");
        assert!(high < radius + 0.1, "{high} m over a log of {radius} m at {speed} m/s");
        assert!(world.soles().x > 4.0);
    }
}

#[test]
fn who_jumps_on_a_train_comes_down_on_it() {
    let mut scene = ground();
    let train = scene.add_collider(block(0.0 * Vec3::Y, vec3(8.0, 0.1, 1.0))).unwrap();
    let mut world = World::new(scene, 0.1 * Vec3::Y);
    let (mut center, velocity) = (Vec3::ZERO, 10.0 * Vec3::X);
    let mut step = |world: &mut World, frames: u32| {
        for _ in 0..frames {
            world.solver.set_collider_pose(train, center, Quat::IDENTITY, velocity, Vec3::ZERO).unwrap();
            world.run(1);
            center += DT * velocity;
        }
        world.soles().x - center.x
    };
    let start = step(&mut world, 60);
    world.solver.walk(world.hero, Vec3::X).unwrap();
    world.solver.jump(world.hero, 4.0).unwrap();
    let went = step(&mut world, 54) - start;
    println!("over the train it goes {went} m in 0.9 s at 1 m/s");
    assert!((0.6..1.0).contains(&went), "{went} m");
    assert_eq!(world.ground(), Some(Thing::Collider(train)));
}

#[test]
fn what_it_jumps_off_is_pushed_back() {
    let mut scene = Scene::default();
    scene.params.linear_damping = 0.0;
    scene.params.gravity = 0.5 * Vec3::NEG_Y;
    let plate = BodyDesc::cuboid(vec3(1.0, 0.05, 1.0), 0.05).with_mass(150.0).at(0.05 * Vec3::Y);
    let plate = scene.add_body(plate).unwrap();
    let mut world = World::new(scene, 0.1 * Vec3::Y);
    world.run(20);
    let speeds = |world: &World| {
        let bodies = world.solver.read_bodies().unwrap();
        [world.hero, plate].map(|body| bodies[body.0 as usize].velocity[1])
    };
    let before = speeds(&world);
    world.solver.jump(world.hero, 3.0).unwrap();
    world.run(6);
    let [up, down] = [0, 1].map(|i| speeds(&world)[i] - before[i] + 0.5 * 6.0 * DT);
    println!("it goes up by {up} m/s, the plate of twice its mass down by {down} m/s");
    assert!(up > 2.8 && (75.0 * up + 150.0 * down).abs() < 0.05 * 75.0 * up, "{up} and {down} m/s");
}

#[test]
fn who_steps_on_a_light_plate_on_a_spring_stops_there() {
    for mass in [3.0, 30.0] {
        let (mut scene, give) = (ground(), 1.0 / 20_000.0);
        let post = BodyDesc { kinematic: true, ..BodyDesc::cuboid(Vec3::splat(0.05), 0.05).at(-0.5 * Vec3::Y) };
        let post = scene.add_body(post).unwrap();
        let plate = BodyDesc::cuboid(vec3(0.4, 0.05, 0.4), 0.05).with_mass(mass).at(0.15 * Vec3::Y);
        let plate = scene.add_body(plate).unwrap();
        let slider = JointDesc::new(JointKind::Slider, post, plate, 0.15 * Vec3::Y, Vec3::Y, 0.05);
        let travel = [Travel::spring(0.0, give), Travel::NONE, Travel::NONE];
        scene.add_joint(JointDesc { travel, damping: 80.0, ..slider }).unwrap();
        let mut world = World::new(scene, -0.7 * Vec3::X);
        let start = world.walk(Vec3::X, 36);
        let there = world.walk(Vec3::ZERO, 60);
        println!("on a plate of {mass} kg it stops {} m after {}, on {:?}", there.x - start.x, start.x, world.ground());
        assert!(there.x - start.x < 0.15, "{there} after {start}");
        assert_eq!(world.ground(), Some(Thing::Body(plate)));
        world.run(200);
        let sunk = 0.15 - world.solver.read_body(plate).unwrap().center().y;
        let expected = (75.0 + mass) * 9.81 * give;
        println!("and the plate is {sunk} m down, {expected} m by their weight");
        assert!((sunk - expected).abs() < 0.1 * expected, "{sunk} of {expected} m");
    }
}

#[test]
fn who_starts_to_walk_on_a_plank_pushes_it_back() {
    let slippery = Surface { friction: 0.0, restitution: 0.0 };
    let mut scene = Scene::default();
    scene.params.linear_damping = 0.0;
    scene.add_collider(Collider { surface: slippery, ..Collider::ground(0.0) }).unwrap();
    let plank = BodyDesc::cuboid(vec3(3.0, 0.1, 1.0), 0.1).with_mass(150.0).at(0.1 * Vec3::Y);
    let plank = scene.add_body(BodyDesc { surface: slippery, ..plank }).unwrap();
    let mut world = World::new(scene, 0.2 * Vec3::Y);
    world.walk(1.5 * Vec3::X, 45);
    let bodies = world.solver.read_bodies().unwrap();
    let speed = |body: BodyId| bodies[body.0 as usize].velocity[0];
    let (hero, plank) = (speed(world.hero), speed(plank));
    println!("it walks at {hero} m/s, the plank goes at {plank} m/s");
    assert!((75.0 * hero + 150.0 * plank).abs() < 0.05 * 75.0 * hero, "{hero} {plank} m/s");
    assert!((hero - plank - 1.5).abs() < 0.075, "over the plank it goes at {} m/s", hero - plank);
    world.is_healthy();
}

#[test]
fn a_state_has_walkers_and_a_grown_world_too() {
    let mut world = World::new(ground(), Vec3::ZERO);
    let before = world.solver.save().unwrap();
    world.walk(2.0 * Vec3::X, 20);
    world.solver.jump(world.hero, 3.0).unwrap();
    world.run(5);
    let state = world.solver.save().unwrap();
    let first = world.run(60);
    let bits = world.solver.read_bodies().unwrap();
    world.solver.walk(world.hero, Vec3::Z).unwrap();
    world.run(10);
    world.solver.remove_walker(world.hero).unwrap();
    world.solver.restore(&state).unwrap();
    assert_eq!(world.run(60), first);
    assert_eq!(world.solver.read_bodies().unwrap(), bits);
    world.solver.restore(&before).unwrap();
    assert!(world.run(60).length() < 0.01, "it was not told to go then");
    world.walk(2.0 * Vec3::X, 30);
    let mut grown = world.solver.scene().clone();
    grown.add_body(BodyDesc::sphere(0.2, 0.1).at(vec3(-3.0, 0.2, 0.0))).unwrap();
    let start = world.soles();
    world.solver.spawn(&grown).unwrap();
    let way = world.run(60) - start;
    assert!((way - 2.0 * Vec3::X).length() < 0.1, "{way}");
}

#[test]
fn who_walks_no_more_falls_over_as_before() {
    let mut scene = ground();
    let walker = Walker::default();
    let free = |x: f32| BodyDesc { dynamics: Dynamics::default(), ..walker.body(vec3(x, 0.0, 0.0)) };
    let ids = [scene.add_body(free(2.0)).unwrap(), scene.add_body(walker.body(vec3(4.0, 0.0, 0.0))).unwrap()];
    let mut world = World::new(scene, Vec3::ZERO);
    for id in ids {
        world.solver.add_walker(id, walker).unwrap();
        world.run(5);
        world.solver.remove_walker(id).unwrap();
        world.solver.push(Push::angular_velocity(id, Vec3::Z)).unwrap();
    }
    world.run(120);
    let up = |id: BodyId| (Quat::from_array(world.solver.read_bodies().unwrap()[id.0 as usize].rotation) * Vec3::Y).y;
    let [fallen, kept] = ids.map(up);
    println!("cosines to the vertical: {fallen}, {kept} of who is made upright");
    assert!(fallen.abs() < 0.1 && kept > 0.999);
}

#[test]
fn who_runs_off_a_ledge_flies_as_far_as_a_stone() {
    for (speed, step) in [(3.0, 0.3), (5.0, 0.3), (5.0, 0.0)] {
        let mut scene = ground();
        scene.add_collider(Collider::new(Shape::Cuboid(vec3(3.0, 1.0, 1.0)), vec3(-3.0, 1.0, 0.0))).unwrap();
        let walker = Walker { step, ..Walker::default() };
        let hero = scene.add_body(walker.body(vec3(-3.0, 2.0, 0.0))).unwrap();
        let mut solver = Solver::new(&Context::shared().expect("adapter"), &scene).unwrap();
        solver.add_walker(hero, walker).unwrap();
        solver.walk(hero, Vec3::X * speed).unwrap();
        let center = |solver: &Solver| Vec3::from(solver.read_bodies().unwrap()[hero.0 as usize].center);
        let mut slowest = f32::MAX;
        for _ in 0..180 {
            solver.step();
            let state = solver.read_bodies().unwrap()[hero.0 as usize];
            if state.center[0] > 0.0 && state.center[1] > 0.95 {
                slowest = slowest.min(state.velocity[0]);
            }
            if state.center[1] < 0.95 {
                break;
            }
        }
        // Two metres down from the edge on.
        let (x, wanted) = (center(&solver).x, speed * (2.0f32 * 2.0 / 9.81).sqrt());
        println!("{speed} m/s with a step of {step}: it lands {x} m away, {wanted} m by theory; slowest {slowest} m/s");
        assert!((x - wanted).abs() < 0.15 && slowest > 0.97 * speed, "{x} m, {wanted} by theory, {slowest} m/s");
    }
}

#[test]
fn who_walks_stays_upright_however_it_is_put() {
    let mut world = World::new(ground(), Vec3::ZERO);
    let tilted = Quat::from_rotation_y(0.7) * Quat::from_rotation_x(1.0);
    world.solver.set_body_pose(world.hero, vec3(0.0, 0.95, 0.0), tilted, Vec3::ZERO, Vec3::ZERO).unwrap();
    world.run(30);
    let rotation = Quat::from_array(world.solver.read_bodies().unwrap()[world.hero.0 as usize].rotation);
    assert!((rotation * Vec3::Y).y > 0.9999, "{rotation}");
    assert!(rotation.to_axis_angle().1 > 0.3, "it keeps the turn about its axis: {rotation}");
}

#[test]
fn what_is_no_walker_is_refused() {
    let mut scene = ground();
    let stone = scene.add_body(BodyDesc::cuboid(Vec3::splat(0.2), 0.1).at(vec3(3.0, 0.2, 0.0))).unwrap();
    let mut world = World::new(scene, Vec3::ZERO);
    let refused = |error: SolverError, part: &str| assert!(error.to_string().contains(part), "{error}");
    refused(world.solver.walk(stone, Vec3::X).unwrap_err(), "let it walk by add_walker first");
    refused(world.solver.footing(stone).unwrap_err(), "body 0 does not walk");
    refused(world.solver.add_walker(stone, Walker::default()).unwrap_err(), "make it by Walker::body");
    refused(world.solver.add_walker(BodyId(9), Walker::default()).unwrap_err(), "there is no body 9");
    refused(world.solver.walk(world.hero, Vec3::NAN).unwrap_err(), "velocity is NaN; it must be finite");
    refused(world.solver.jump(world.hero, -1.0).unwrap_err(), "jump speed is -1; it must be 0 or more");
    let giant = Walker { step: 2.0, ..Walker::default() };
    let error = world.solver.add_walker(world.hero, giant).unwrap_err();
    assert!(matches!(&error, SolverError::Scene(SceneError::Number { field: "step", .. })), "{error}");
    world.solver.remove_body(world.hero).unwrap();
    let error = world.solver.walk(world.hero, Vec3::X).unwrap_err();
    assert_eq!(error, SolverError::NoWalker(world.hero));
    let error = world.solver.add_walker(world.hero, Walker::default()).unwrap_err();
    assert_eq!(error, SolverError::Removed(world.hero));
    world.run(5);
}

/// A dancer who is to be shown in the place of a walker: she passes through everything.
fn shown(scene: &mut Scene) -> Performer {
    let mut dancer = Character::dancer().unwrap().undressed().stand(scene, Vec3::ZERO).unwrap();
    dancer.set_root_motion(false);
    for limb in dancer.bodies() {
        scene.set_layers(Thing::Body(*limb), Layers { of: 0, meets: 0 }).unwrap();
    }
    dancer
}

#[test]
fn a_dancer_in_the_place_of_her_walker_falls_no_deeper_and_runs_into_no_wall() {
    let mut scene = ground();
    scene.add_collider(block(vec3(0.0, 1.0, 4.0), vec3(2.0, 1.0, 0.1))).unwrap();
    let mut dancer = shown(&mut scene);
    dancer.play_over("idle", 0.0).unwrap();
    let hips = dancer.bodies()[dancer.rig().root().unwrap()];
    let mut cast = Cast::default();
    cast.add(dancer);
    // It begins with a fall of 20 m.
    let mut world = World::new(scene, 20.0 * Vec3::Y);
    let (mut high, mut off) = (0.0_f32, [f32::MAX, f32::MIN].map(Vec3::splat));
    for frame in 0..360 {
        world.solver.walk(world.hero, if frame < 200 { Vec3::ZERO } else { 5.0 * Vec3::Z }).unwrap();
        if frame == 160 || frame == 240 {
            world.solver.jump(world.hero, 5.0).unwrap();
        }
        if let Some(footing) = world.solver.footing(world.hero).unwrap() {
            let time = world.solver.view().time + f64::from(DT);
            cast.performers[0].follow(&footing, time, DT);
        }
        if frame == 340 {
            // Where she is then, she falls.
            cast.go_limp();
        }
        world.solver.direct(&mut cast).unwrap();
        let soles = world.run(1);
        let at = world.soles_of(hips) + 0.9 * Vec3::Y - soles;
        high = if frame < 150 { 0.0 } else { high.max(soles.y) };
        if frame > 5 && frame <= 340 {
            off = [off[0].min(at), off[1].max(at)];
        }
    }
    println!("hips are {} to {} from the soles of a walker that jumps {high} m", off[0], off[1]);
    // 5 m/s is 1.27 m high, and the clip sways.
    assert!(high > 1.2 && (off[1] - off[0]).max_element() < 0.05, "{} to {}", off[0], off[1]);
    world.is_healthy();
}

#[test]
fn a_dancer_in_the_place_of_her_walker_stops_at_a_wall() {
    let mut scene = ground();
    scene.add_collider(block(vec3(0.0, 1.0, 2.5), vec3(2.0, 1.0, 0.1))).unwrap();
    let dancer = shown(&mut scene);
    let hips = dancer.bodies()[dancer.rig().root().unwrap()];
    let mut cast = Cast::default();
    let dancer = cast.add(dancer);
    let mut world = World::new(scene, Vec3::ZERO);
    let mut far = 0.0_f32;
    for frame in 0..240 {
        world.solver.walk(world.hero, 1.4 * Vec3::Z).unwrap();
        let time = world.solver.view().time + f64::from(DT);
        let her = &mut cast.performers[dancer];
        if let Some(footing) = world.solver.footing(world.hero).unwrap() {
            her.follow(&footing, time, DT);
            her.play(if footing.velocity.length() > 0.3 { "walk" } else { "idle" }).unwrap();
        }
        world.solver.follow(&cast.advance(DT)).unwrap();
        let soles = world.run(1);
        let at = world.soles_of(hips);
        far = far.max(if frame > 10 { (at - soles).with_y(0.0).length() } else { 0.0 });
        assert!(at.z < 2.2, "{at} is in the wall");
    }
    let her = &cast.performers[dancer];
    println!("her hips are {far} m from her walker at most, and she ends at {}", her.place().position);
    assert!(far < 0.12, "{far} m");
    assert!((her.place().position - 2.1 * Vec3::Z).length() < 0.02, "{}", her.place().position);
    assert_eq!(her.clips().nth(her.clip().unwrap()), Some("idle"));
    world.is_healthy();
}

#[test]
fn a_hundred_walk_at_once() {
    let time = |walking: bool| {
        let mut scene = ground();
        scene.params.sleep_speed = 0.0;
        scene.colliders[0].surface.friction = 0.0;
        let heroes: Vec<BodyId> = (0..100)
            .map(|i| vec3((i % 10) as f32, 0.0, (i / 10) as f32))
            .map(|soles| BodyDesc { velocity: Vec3::X, ..Walker::default().body(soles) })
            .map(|desc| scene.add_body(desc).unwrap())
            .collect();
        let mut solver = Solver::new(&Context::shared().unwrap(), &scene).unwrap();
        for hero in heroes.iter().filter(|_| walking) {
            solver.add_walker(*hero, Walker::default()).unwrap();
            solver.walk(*hero, 1.0 * Vec3::X).unwrap();
        }
        (0..10).for_each(|_| solver.step());
        solver.read_bodies().unwrap();
        let start = Instant::now();
        (0..60).for_each(|_| solver.step());
        let states = solver.read_bodies().unwrap();
        let frame = start.elapsed().as_secs_f64() * 1e3 / 60.0;
        if walking {
            assert!(states.iter().all(|state| (state.velocity[0] - 1.0).abs() < 0.05));
        }
        frame
    };
    let (still, walking) = (time(false), time(true));
    println!("a frame of 100 capsules {still:.2} ms, of 100 walkers {walking:.2} ms");
}

#[test]
fn a_walker_feels_the_layers_that_its_body_meets() {
    let mut scene = ground();
    let bridge = scene.add_collider(block(vec3(2.0, 0.5, 0.0), vec3(1.0, 0.1, 2.0))).unwrap();
    let bridge = Thing::Collider(bridge);
    scene.set_layers(bridge, Layers { of: 2, meets: u32::MAX }).unwrap();
    let mut world = World::new(scene, vec3(2.0, 0.6, 0.0));
    let hero = Thing::Body(world.hero);
    world.run(20);
    assert_eq!(world.ground(), Some(bridge));
    let state = world.solver.save().unwrap();
    let falls = |world: &mut World| {
        world.run(60);
        assert_eq!(world.ground(), Some(Thing::Collider(ColliderId(0))));
        assert!(world.soles().y.abs() < 0.01, "{} is not the ground", world.soles());
    };
    world.solver.set_layers(hero, Layers { of: 1, meets: 1 }).unwrap();
    falls(&mut world);
    world.solver.restore(&state).unwrap();
    world.run(20);
    assert_eq!(world.ground(), Some(bridge));
    // Layers that the world did not know, of what it stands on.
    world.solver.set_layers(bridge, Layers { of: 4, meets: 4 }).unwrap();
    world.solver.set_layers(hero, Layers { of: 1, meets: u32::MAX }).unwrap();
    falls(&mut world);
}

#[test]
fn what_a_walker_passes_through_comes_back_with_a_state() {
    let mut world = World::new(ground(), Vec3::ZERO);
    let hero = Thing::Body(world.hero);
    world.solver.set_layers(hero, Layers { of: 1, meets: u32::MAX }).unwrap();
    world.walk(Vec3::X, 10);
    let (state, before) = (world.solver.save().unwrap(), world.solver.footing(world.hero).unwrap());
    let expected = world.walk(Vec3::Z, 20);
    world.solver.set_layers(hero, Layers { of: 0, meets: 0 }).unwrap();
    world.run(2);
    world.solver.restore(&state).unwrap();
    assert!(before.is_some());
    assert_eq!(world.solver.footing(world.hero).unwrap(), before);
    assert_eq!(world.walk(Vec3::Z, 20), expected);
    assert_eq!(world.ground(), Some(Thing::Collider(ColliderId(0))));
    // A world that begins from its bytes.
    let bytes = state.to_bytes(&world.solver).unwrap();
    let mut other = World::new(ground(), Vec3::ZERO);
    let read = State::from_bytes(&bytes, &other.solver).unwrap();
    other.solver.restore(&read).unwrap();
    assert_eq!(other.solver.footing(other.hero).unwrap(), before);
    assert_eq!(other.walk(Vec3::Z, 20), expected);
}

#[test]
fn it_does_not_climb_what_it_carries() {
    let mut scene = ground();
    let parcel = BodyDesc::cuboid(Vec3::splat(0.1), 0.05).with_mass(2.0).at(vec3(0.45, 0.15, 0.0));
    let parcel = scene.add_body(parcel).unwrap();
    scene.reserve_joints(1).unwrap();
    let mut world = World::new(scene, Vec3::ZERO);
    world.run(5);
    let arms = JointDesc::new(JointKind::Stiff, world.hero, parcel, vec3(0.35, 0.15, 0.0), Vec3::X, 0.05);
    let places = [world.hero, parcel].map(|id| world.solver.read_placements().unwrap()[id.0 as usize]);
    world.solver.add_joint(arms, places).unwrap();
    world.solver.walk(world.hero, 1.3 * Vec3::X).unwrap();
    let highest = (0..60).map(|_| world.run(1).y).fold(0.0, f32::max);
    println!("its soles rise to {highest} m");
    assert!(highest < 0.05, "its soles rise to {highest} m");
    assert!(world.soles().x > 0.8, "it goes to {} m", world.soles().x);
}
