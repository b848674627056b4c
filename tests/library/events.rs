//! What a world tells of contacts agrees with mechanics and with what is read back.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Instant;

use glam::{Quat, Vec3, vec3};
use sinew::gpu::Context;
use sinew::scene::{
    Air, BodyDesc, BodyId, Collider, ColliderId, Deformable, DeformableId, Grains, JointDesc, JointId, JointKind,
    Kinds, Liquid, LiquidId, Params, Placement, PoolId, Push, Scene, Sensor, Shape, SheetMaterial, Thing,
};
use sinew::solver::{BodyState, Contact, ContactPhase, Event, EventKind, JointRef, Listener, Solver, SolverError};

const RADIUS: f32 = 0.1;
const MASS: f32 = 2.0;

fn space() -> Scene {
    let mut scene = Scene::default();
    scene.params.gravity = Vec3::ZERO;
    scene.params.substeps = 4;
    scene
}

fn ground() -> Scene {
    let mut scene = Scene::default();
    scene.params.substeps = 4;
    scene.add_collider(Collider::ground(0.0)).unwrap();
    scene
}

fn ball(at: Vec3, velocity: Vec3, restitution: f32) -> BodyDesc {
    let mut desc = BodyDesc::sphere(RADIUS, 0.5 * RADIUS).with_mass(MASS).at(at);
    desc.velocity = velocity;
    (desc.surface.restitution, desc.surface.friction) = (restitution, 0.0);
    desc
}

fn solver(scene: &Scene) -> Solver {
    Solver::new(&Context::shared().expect("adapter"), scene).unwrap()
}

/// A world that is listened to, after so many frames.
fn heard(scene: &Scene, listener: Listener, frames: usize) -> (Solver, Vec<Event>) {
    let mut solver = solver(scene);
    solver.listen(listener).unwrap();
    (0..frames).for_each(|_| solver.step());
    let events = solver.take_events_now();
    assert!(solver.read_health().unwrap().is_good());
    assert_eq!(solver.events_dropped(), 0);
    (solver, events)
}

fn contacts(events: &[Event]) -> Vec<(u64, Contact)> {
    let contact = |event: &Event| match event.kind {
        EventKind::Contact(contact) => Some((event.frame, contact)),
        _ => None,
    };
    events.iter().filter_map(contact).collect()
}

fn velocity(state: &BodyState) -> Vec3 {
    Vec3::from(state.velocity)
}

#[test]
fn a_bounce_is_told_once_with_its_impulse() {
    let mut scene = ground();
    let id = scene.add_body(ball(vec3(0.0, 0.6, 0.0), Vec3::ZERO, 0.6)).unwrap();
    scene.set_user_data(Thing::Body(id), 7).unwrap();
    scene.set_user_data(Thing::Collider(ColliderId(0)), 9).unwrap();
    let mut solver = solver(&scene);
    solver.listen(Listener::on(Thing::Body(id))).unwrap();
    let (mut before, mut after) = (0.0_f32, 0.0_f32);
    for _ in 0..30 {
        solver.step();
        let speed = solver.read_bodies().unwrap()[0].velocity[1];
        (before, after) = (before.min(speed), after.max(speed));
    }
    let contacts = contacts(&solver.take_events_now());
    let phases: Vec<ContactPhase> = contacts.iter().map(|(_, c)| c.phase).collect();
    assert_eq!((phases.first(), phases.last()), (Some(&ContactPhase::Began), Some(&ContactPhase::Ended)));
    assert!(phases[1..phases.len() - 1].iter().all(|phase| *phase == ContactPhase::Stays), "{phases:?}");
    let impulse: f32 = contacts.iter().map(|(_, c)| c.impulse).sum();
    // It falls and rises for a substep more than is read back.
    let wanted = MASS * (after - before);
    assert!((impulse - wanted).abs() < 0.05 * wanted, "{impulse} N s instead of {wanted}");
    let fallen = MASS * 1.6 * (2.0 * 9.81 * 0.5_f32).sqrt();
    assert!((impulse - fallen).abs() < 0.06 * fallen, "{impulse} N s instead of {fallen}");
    let (frame, first) = contacts[0];
    // Half a metre takes 0.32 s.
    assert!((18..=20).contains(&frame), "in frame {frame}");
    assert_eq!((first.thing, first.other, first.user_data), (Thing::Body(id), Thing::Collider(ColliderId(0)), [7, 9]));
    assert!(first.normal.distance(Vec3::Y) < 1e-3 && first.point.length() < 0.02, "{first:?}");
    assert!((first.speed - 3.13).abs() < 0.15, "{} m/s", first.speed);
}

#[test]
fn what_rests_bears_its_weight() {
    let mut scene = ground();
    scene.params.sleep_time = 0.0;
    let desc = BodyDesc::cuboid(vec3(0.2, 0.1, 0.2), 0.05).with_mass(3.0).at(vec3(0.0, 0.1, 0.0));
    let id = scene.add_body(desc).unwrap();
    let (_, events) = heard(&scene, Listener::on(Thing::Body(id)), 90);
    let contacts = contacts(&events);
    assert_eq!(contacts.iter().filter(|(_, c)| c.phase != ContactPhase::Stays).count(), 1, "it begins and never ends");
    let late: Vec<f32> = contacts.iter().filter(|(frame, _)| *frame >= 30).map(|(_, c)| c.impulse).collect();
    assert_eq!(late.len(), 60);
    let (mean, weight) = (late.iter().sum::<f32>() / 60.0, 3.0 * 9.81 / 60.0);
    assert!((mean - weight).abs() < 0.03 * weight, "{mean} N s a frame instead of {weight}");
}

#[test]
fn two_balls_that_collide_are_told_once() {
    let mut scene = space();
    let a = scene.add_body(ball(vec3(-0.5, 0.0, 0.0), Vec3::X * 3.0, 0.8)).unwrap();
    let b = scene.add_body(ball(vec3(0.5, 0.0, 0.0), Vec3::NEG_X, 0.8)).unwrap();
    let (solver, events) = heard(&scene, Listener::everything(), 40);
    let contacts = contacts(&events);
    let bodies = solver.read_bodies().unwrap();
    let [gained, lost] = [velocity(&bodies[1]) + Vec3::X, velocity(&bodies[0]) - 3.0 * Vec3::X].map(|v| MASS * v);
    assert!((gained + lost).length() < 1e-3, "momentum is kept");
    let impulse: f32 = contacts.iter().map(|(_, c)| c.impulse).sum();
    assert!((impulse - gained.length()).abs() < 0.03 * impulse, "{impulse} N s, {gained}");
    assert!((gained.length() - MASS * 0.5 * 4.0 * 1.8).abs() < 0.2, "{gained}");
    let began: Vec<_> = contacts.iter().filter(|(_, c)| c.phase == ContactPhase::Began).collect();
    assert_eq!(began.len(), 1);
    let (_, c) = began[0];
    assert_eq!((c.thing, c.other), (Thing::Body(a), Thing::Body(b)));
    assert!(c.normal.distance(Vec3::NEG_X) < 0.01, "towards the body: {}", c.normal);
    assert!((c.speed - 4.0).abs() < 0.05, "{} m/s", c.speed);
}

/// Places without a pattern, in 0..1.
fn scatter(seed: &mut u64) -> f32 {
    *seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    (*seed >> 40) as f32 / (1_u64 << 24) as f32
}

/// Balls on a grid of their own, with random velocities.
fn gas() -> Scene {
    let mut scene = space();
    let mut seed = 5;
    for k in 0..216_u8 {
        let cell = vec3(f32::from(k % 6), f32::from(k / 6 % 6), f32::from(k / 36));
        let mut random = || vec3(scatter(&mut seed), scatter(&mut seed), scatter(&mut seed)) - 0.5;
        // All are drawn to the middle.
        let at = 0.3 * (cell - 2.5) + 0.08 * random();
        scene.add_body(ball(at, 4.0 * random() - 2.5 * at, 0.5)).unwrap();
    }
    scene
}

#[test]
fn a_thousand_collisions_agree_with_what_is_read_back() {
    let scene = gas();
    let mut solver = solver(&scene);
    solver.listen(Listener::everything()).unwrap();
    let mut frames = vec![solver.read_bodies().unwrap()];
    for _ in 0..40 {
        solver.step();
        frames.push(solver.read_bodies().unwrap());
    }
    let contacts = contacts(&solver.take_events_now());
    assert!(solver.read_health().unwrap().is_good());
    let mut pushed: BTreeMap<(u64, u32), Vec3> = BTreeMap::new();
    let mut collisions = 0;
    for (frame, c) in contacts.iter().filter(|(_, c)| c.phase != ContactPhase::Ended) {
        let (Thing::Body(own), Thing::Body(other)) = (c.thing, c.other) else { panic!("{c:?} in empty space") };
        *pushed.entry((*frame, own.0)).or_default() += c.impulse * c.normal;
        *pushed.entry((*frame, other.0)).or_default() -= c.impulse * c.normal;
        let gap = |k: usize| {
            let center = |id: BodyId| Vec3::from(frames[k][id.0 as usize].center);
            center(own).distance(center(other)) - 2.0 * RADIUS
        };
        // In the frame they move no farther than this.
        assert!(gap(*frame as usize).min(gap(*frame as usize + 1)) < 0.08, "frame {frame}: {c:?}");
        collisions += 1;
    }
    assert!(collisions >= 1000, "{collisions} collisions");
    let mut hit = 0;
    for frame in 0..40_u64 {
        for body in 0..216_u32 {
            let [before, after] = [0, 1].map(|k| velocity(&frames[frame as usize + k][body as usize]));
            let gained = MASS * (after - before);
            let told = pushed.get(&(frame, body)).copied().unwrap_or_default();
            assert!(
                told.distance(gained) < 0.1 * gained.length() + 0.05,
                "frame {frame}, body {body}: {told} for {gained}"
            );
            hit += usize::from(gained.length() > 0.1);
        }
    }
    assert!(hit >= 1000, "{hit} bodies were hit");
}

#[test]
fn listening_changes_nothing_and_is_told_the_same_again() {
    let mut scene = gas();
    scene.add_collider(Collider::ground(-1.0)).unwrap();
    let (listened, events) = heard(&scene, Listener::everything(), 15);
    let (_, again) = heard(&scene, Listener::everything(), 15);
    assert_eq!(events, again);
    let mut left = solver(&scene);
    (0..15).for_each(|_| left.step());
    assert_eq!(left.read_bodies().unwrap(), listened.read_bodies().unwrap());
    assert_eq!(left.take_events_now(), []);
}

#[test]
fn thresholds_and_filters_hold_back() {
    let mut scene = ground();
    let id = scene.add_body(ball(vec3(0.0, 0.6, 0.0), Vec3::ZERO, 0.0)).unwrap();
    let aside = scene.add_body(ball(vec3(5.0, 0.6, 0.0), Vec3::ZERO, 0.0)).unwrap();
    let on = Listener::on(Thing::Body(id));
    // It comes with 3.1 m/s and 6.2 N s.
    for (listener, told) in [
        (on.at_least_speed(2.9), true),
        (on.at_least_speed(3.4), false),
        (on.at_least_impulse(5.0), true),
        (on.at_least_impulse(7.0), false),
        (on.only(Kinds::COLLIDERS), true),
        (on.only(Kinds::BODIES), false),
        (on.against(Thing::Collider(ColliderId(0))), true),
        (Listener::on(Thing::Collider(ColliderId(0))).against(Thing::Body(id)), true),
        (on.against(Thing::Body(aside)), false),
    ] {
        let (_, events) = heard(&scene, listener, 28);
        let contacts = contacts(&events);
        assert_eq!(contacts.iter().any(|(_, c)| c.phase == ContactPhase::Began), told, "{listener:?}");
        assert!(contacts.iter().all(|(_, c)| c.thing == Thing::Body(id)), "{listener:?}");
    }
}

#[test]
fn what_falls_below_a_threshold_ends_only_when_it_parts() {
    let mut scene = ground();
    scene.params.sleep_time = 0.0;
    let id = scene.add_body(ball(vec3(0.0, 0.6, 0.0), Vec3::ZERO, 0.0)).unwrap();
    // It lies there, and never comes to the threshold.
    let lying = scene.add_body(ball(vec3(5.0, RADIUS, 0.0), Vec3::ZERO, 0.0)).unwrap();
    let (mut solver, events) = heard(&scene, Listener::everything().at_least_impulse(3.0), 60);
    let told = contacts(&events);
    assert!(
        told.iter().all(|(_, c)| c.thing == Thing::Body(id) && c.phase != ContactPhase::Ended && c.impulse >= 3.0),
        "{told:?}"
    );
    assert_eq!(told.iter().filter(|(_, c)| c.phase == ContactPhase::Began).count(), 1);
    for id in [id, lying] {
        solver.push(Push::impulse(id, Vec3::Y * 9.0)).unwrap();
    }
    (0..10).for_each(|_| solver.step());
    let told = contacts(&solver.take_events_now());
    assert_eq!(
        told.iter().map(|(_, c)| (c.thing, c.phase)).collect::<Vec<_>>(),
        [(Thing::Body(id), ContactPhase::Ended)]
    );
}

#[test]
fn sleep_and_waking_are_told_and_contacts_last() {
    let mut scene = ground();
    let desc = BodyDesc::cuboid(vec3(0.2, 0.1, 0.2), 0.05).with_mass(3.0).at(vec3(0.0, 0.1, 0.0));
    let id = scene.add_body(desc).unwrap();
    let (mut solver, events) = heard(&scene, Listener::on(Thing::Body(id)), 90);
    let asleep = events.iter().filter(|event| event.kind == EventKind::Asleep(id)).count();
    assert_eq!(asleep, 1);
    assert!(contacts(&events).iter().all(|(_, c)| c.phase != ContactPhase::Ended), "it still lies there");
    solver.push(Push::impulse(id, Vec3::Y * 9.0)).unwrap();
    (0..10).for_each(|_| solver.step());
    let events = solver.take_events_now();
    assert_eq!(events.iter().filter(|event| event.kind == EventKind::Awake(id)).count(), 1);
    let ended = |(_, c): &&(u64, Contact)| c.phase == ContactPhase::Ended;
    assert_eq!(contacts(&events).iter().filter(ended).count(), 1, "it rose");
}

#[test]
fn who_listens_to_a_wall_hears_nothing_of_bodies_that_sleep() {
    let mut scene = ground();
    let wall = scene.add_collider(Collider::new(Shape::Cuboid(Vec3::splat(0.5)), Vec3::X * 5.0)).unwrap();
    let desc = BodyDesc::cuboid(vec3(0.2, 0.1, 0.2), 0.05).with_mass(3.0).at(vec3(0.0, 0.1, 0.0));
    let id = scene.add_body(desc).unwrap();
    let mut solver = solver(&scene);
    solver.listen(Listener::on(Thing::Collider(wall))).unwrap();
    (0..90).for_each(|_| solver.step());
    assert_eq!(solver.read_bodies().unwrap()[id.0 as usize].inv_mass, 0.0, "it sleeps");
    assert_eq!((solver.take_events_now(), solver.frame()), (vec![], 90));
}

#[test]
fn a_removed_body_touches_nothing_any_more() {
    let mut scene = ground();
    scene.params.sleep_time = 0.0;
    let id = scene.add_body(ball(vec3(0.0, RADIUS, 0.0), Vec3::ZERO, 0.0)).unwrap();
    let (mut solver, _) = heard(&scene, Listener::everything(), 20);
    solver.remove_body(id).unwrap();
    (0..5).for_each(|_| solver.step());
    let told = contacts(&solver.take_events_now());
    assert_eq!(told.iter().map(|(_, c)| c.phase).collect::<Vec<_>>(), [ContactPhase::Ended]);
}

#[test]
fn the_end_of_the_world_is_told() {
    let mut scene = space();
    scene.params.world_extent = 2.0;
    let id = scene.add_body(ball(Vec3::ZERO, Vec3::X * 10.0, 0.0)).unwrap();
    let mut solver = solver(&scene);
    solver.listen(Listener::on(Thing::Body(id))).unwrap();
    (0..20).for_each(|_| solver.step());
    let out = solver.take_events_now().into_iter().filter(|e| e.kind == EventKind::OutOfWorld(id)).count();
    assert_eq!(out, 1);
}

#[test]
fn liquid_and_objects_that_touch_a_body_are_told() {
    let mut scene = ground();
    let id = scene.add_body(BodyDesc::cuboid(vec3(0.6, 0.1, 0.6), 0.05).at(vec3(0.0, 0.1, 0.0))).unwrap();
    let water = scene.add_liquid(Liquid::water(0.05)).unwrap();
    scene.pour(water, &[vec3(0.0, 0.4, 0.0), vec3(0.1, 0.4, 0.0)], Vec3::ZERO).unwrap();
    let dust = Deformable::new("dust", vec![vec3(0.3, 0.4, 0.3), vec3(-0.3, 0.4, 0.3)], 0.2, 0.02);
    let dust = scene.add_deformable(&dust, Vec3::ZERO, Quat::IDENTITY, Vec3::ZERO).unwrap();
    let (_, events) = heard(&scene, Listener::on(Thing::Body(id)).only(Kinds::LIQUIDS | Kinds::DEFORMABLES), 40);
    let told = contacts(&events);
    for thing in [Thing::Liquid(LiquidId(0)), Thing::Deformable(DeformableId(0))] {
        let first = told.iter().find(|(_, c)| c.other == thing).expect("it lands on the box").1;
        assert_eq!((first.phase, first.thing), (ContactPhase::Began, Thing::Body(id)));
        assert!(first.normal.distance(Vec3::NEG_Y) < 0.05, "towards the body: {}", first.normal);
    }
    // 0.2 kg that fell 0.18 m and stop.
    let of_dust = told.iter().filter(|(frame, c)| c.other == Thing::Deformable(dust) && *frame < 16);
    let impulse: f32 = of_dust.map(|(_, c)| c.impulse).sum();
    assert!((0.3..0.55).contains(&impulse), "{impulse} N s");
}

/// What is told of two things after so many frames of rest: how often, and the mean of what they press with in a frame [N s].
fn rest(events: &[Event], one: Thing, other: Thing, from: u64) -> (usize, f32, Vec<Contact>) {
    let told = contacts(events).into_iter().filter(|(frame, c)| *frame >= from && (c.thing, c.other) == (one, other));
    let told: Vec<Contact> = told.map(|(_, c)| c).collect();
    (told.len(), told.iter().map(|c| c.impulse).sum::<f32>() / told.len() as f32, told)
}

fn near(value: f32, wanted: f32, part: f32) {
    assert!((value - wanted).abs() < part * wanted, "{value} N s a frame instead of {wanted}");
}

/// A sheet of so many squares of 5 cm a side, in air that does nothing.
fn sheet(side: u8, at: Vec3) -> Deformable {
    let material = SheetMaterial { air: Air::NONE, ..SheetMaterial::default() };
    let points = 0..(side + 1) * (side + 1);
    let points = points.map(|i| at + 0.05 * vec3(f32::from(i % (side + 1)), 0.0, f32::from(i / (side + 1)))).collect();
    let corner = |x: u8, z: u8| u32::from(z * (side + 1) + x);
    let squares = (0..side * side).map(|i| (i % side, i / side));
    let faces: Vec<[u32; 3]> = squares
        .flat_map(|(x, z)| {
            let [a, b, c, d] = [corner(x, z), corner(x + 1, z), corner(x, z + 1), corner(x + 1, z + 1)];
            [[a, c, b], [b, c, d]]
        })
        .collect();
    Deformable::sheet("sheet", points, &faces, 0.02, &material).unwrap()
}

#[test]
fn cloth_bears_its_weight_on_the_ground_and_on_cloth() {
    let mut scene = ground();
    let sheets = [0.03, 0.09].map(|y| {
        let sheet = sheet(6, vec3(0.0, y, 0.0));
        let mass: f32 = sheet.masses.iter().sum();
        (scene.add_deformable(&sheet, Vec3::ZERO, Quat::IDENTITY, Vec3::ZERO).unwrap(), mass)
    });
    let [lower, upper] = sheets.map(|(id, _)| Thing::Deformable(id));
    scene.set_user_data(lower, 5).unwrap();
    let floor = Thing::Collider(ColliderId(0));
    let (mut solver, events) = heard(&scene, Listener::on(lower), 150);
    let weight = sheets[0].1 * 9.81 / 60.0;
    let (count, impulse, told) = rest(&events, lower, floor, 90);
    assert_eq!(count, 60, "in each frame");
    near(impulse, 2.0 * weight, 0.05);
    let middle = vec3(0.15, 0.0, 0.15);
    for contact in told {
        assert!(contact.normal.distance(Vec3::Y) < 0.01 && contact.point.distance(middle) < 0.02, "{contact:?}");
        assert_eq!((contact.phase, contact.user_data), (ContactPhase::Stays, [5, 0]));
    }
    let (count, impulse, told) = rest(&events, lower, upper, 90);
    assert_eq!(count, 60);
    near(impulse, weight, 0.15);
    assert!(told.iter().all(|c| c.normal.dot(Vec3::NEG_Y) > 0.95), "towards the lower one");
    // Nobody listens to the upper one and the ground.
    assert!(contacts(&events).iter().all(|(_, c)| c.thing == lower));
    let began: Vec<u64> = contacts(&events)
        .iter()
        .filter(|(_, c)| c.phase == ContactPhase::Began && c.other == floor)
        .map(|c| c.0)
        .collect();
    // One centimetre of fall.
    assert_eq!(began.len(), 1);
    assert!((1..5).contains(&began[0]), "{began:?}");
    for (id, _) in sheets {
        solver.push(Push::velocity(Thing::Deformable(id), Vec3::Y * 3.0)).unwrap();
    }
    (0..10).for_each(|_| solver.step());
    let ended = contacts(&solver.take_events_now());
    assert!(ended.iter().any(|(_, c)| c.phase == ContactPhase::Ended && c.other == floor));
}

#[test]
fn thresholds_hold_back_what_cloth_touches_and_watch_it_until_it_parts() {
    let mut scene = ground();
    let cloth = sheet(4, vec3(0.0, 0.5, 0.0));
    let mass: f32 = cloth.masses.iter().sum();
    let id = scene.add_deformable(&cloth, Vec3::ZERO, Quat::IDENTITY, Vec3::ZERO).unwrap();
    let blow = mass * (2.0 * 9.81 * 0.48_f32).sqrt();
    let listener = Listener::on(Thing::Deformable(id));
    let (mut solver, events) = heard(&scene, listener.at_least_impulse(0.5 * blow), 60);
    let told = contacts(&events);
    let (frame, blown) = told[0];
    // 0.48 m take 0.31 s; it hops then, and comes down for a second time, by less.
    assert!((17..=20).contains(&frame));
    near(blown.impulse, blow, 0.1);
    assert!((blown.speed - 3.07).abs() < 0.15, "{} m/s", blown.speed);
    let phases: Vec<ContactPhase> = told.iter().map(|(_, c)| c.phase).collect();
    assert_eq!(phases, [ContactPhase::Began, ContactPhase::Ended], "{told:?}");
    // It bears its weight; then it weighs nothing, and goes on to touch the ground.
    solver.stop_listening();
    solver.listen(listener.at_least_impulse(0.5 * mass * 9.81 / 60.0)).unwrap();
    (0..10).for_each(|_| solver.step());
    assert_eq!(contacts(&solver.take_events_now()).len(), 10);
    solver.set_params(Params { gravity: Vec3::ZERO, ..scene.params }).unwrap();
    (0..10).for_each(|_| solver.step());
    assert_eq!(contacts(&solver.take_events_now()), []);
    solver.push(Push::velocity(Thing::Deformable(id), Vec3::Y * 3.0)).unwrap();
    (0..10).for_each(|_| solver.step());
    let told = contacts(&solver.take_events_now());
    assert_eq!(told.iter().map(|(_, c)| c.phase).collect::<Vec<_>>(), [ContactPhase::Ended]);
    for silent in [listener.at_least_impulse(2.0 * blow), listener.at_least_speed(4.0), listener.only(Kinds::LIQUIDS)] {
        assert_eq!(heard(&scene, silent, 30).1, []);
    }
}

#[test]
fn water_presses_on_its_vessel_with_its_weight() {
    let mut scene = Scene::default();
    scene.params.substeps = 4;
    let floor = Thing::Collider(scene.add_collider(Collider::ground(0.0)).unwrap());
    for normal in [Vec3::X, Vec3::NEG_X, Vec3::Z, Vec3::NEG_Z] {
        let wall = Collider::new(Shape::Plane, -0.3 * normal).rotated(Quat::from_rotation_arc(Vec3::Y, normal));
        scene.add_collider(wall).unwrap();
    }
    let water = scene.add_liquid(Liquid::water(0.03)).unwrap();
    let places: Vec<Vec3> = (0..600_u16)
        .map(|i| 0.06 * vec3(f32::from(i % 10), f32::from(i / 100), f32::from(i / 10 % 10)) + vec3(-0.27, 0.03, -0.27))
        .collect();
    scene.pour(water, &places, Vec3::ZERO).unwrap();
    let mass: f32 = scene.particles.iter().map(|particle| particle.mass).sum();
    let (_, events) = heard(&scene, Listener::on(floor), 300);
    let (count, impulse, told) = rest(&events, Thing::Liquid(water), floor, 240);
    assert_eq!(count, 60);
    near(impulse, mass * 9.81 / 60.0, 0.05);
    for contact in told {
        assert!(contact.normal.distance(Vec3::Y) < 1e-3 && contact.point.length() < 0.02, "{contact:?}");
    }
}

#[test]
fn grains_and_balls_weigh_on_what_holds_them() {
    let mut scene = Scene::default();
    (scene.params.substeps, scene.params.sleep_time) = (8, 0.0);
    let mut cloth = sheet(10, Vec3::ZERO);
    cloth.pin(|at| at.x < 0.01 || at.x > 0.49 || at.z < 0.01 || at.z > 0.49);
    let cloth = Thing::Deformable(scene.add_deformable(&cloth, Vec3::ZERO, Quat::IDENTITY, Vec3::ZERO).unwrap());
    let sand = scene.add_grains(Grains { density: 200.0, ..Grains::sand(0.02) }).unwrap();
    let heap: Vec<Vec3> = (0..27_u8)
        .map(|i| vec3(0.08, 0.05, 0.08) + 0.042 * vec3(f32::from(i % 3), f32::from(i / 9), f32::from(i / 3 % 3)))
        .collect();
    scene.heap(sand, &heap, Vec3::ZERO).unwrap();
    let of_sand = 27.0 * scene.grains[0].particle_mass();
    // Smaller than a square of the sheet.
    let ball = scene.add_body(BodyDesc::sphere(0.02, 0.01).with_mass(0.05).at(vec3(0.375, 0.06, 0.375))).unwrap();
    let (_, events) = heard(&scene, Listener::everything(), 240);
    let (count, impulse, _) = rest(&events, cloth, Thing::Grains(sand), 180);
    assert_eq!(count, 60);
    near(impulse, of_sand * 9.81 / 60.0, 0.1);
    let (count, impulse, told) = rest(&events, Thing::Body(ball), cloth, 180);
    assert_eq!(count, 60);
    near(impulse, 0.05 * 9.81 / 60.0, 0.1);
    assert!(told.iter().all(|c| c.normal.y > 0.9), "towards the ball");
}

#[test]
fn listening_to_free_particles_changes_nothing_and_is_told_the_same_again() {
    let sets = [("radius", "0.06")].map(|(key, value)| (key.to_owned(), value.to_owned()));
    let scene = sinew::demos::stage_for("bath", &sets).unwrap().scene;
    let (listened, events) = heard(&scene, Listener::everything(), 20);
    let (_, again) = heard(&scene, Listener::everything(), 20);
    assert!(contacts(&events).len() > 20);
    assert_eq!(events, again);
    let mut left = solver(&scene);
    (0..20).for_each(|_| left.step());
    assert_eq!(left.read_particles().unwrap(), listened.read_particles().unwrap());
}

#[test]
fn ropes_by_the_hundred_agree_with_geometry() {
    let mut scene = ground();
    scene.params.gravity = Vec3::ZERO;
    let mut seed = 11;
    let mut ropes = Vec::new();
    for k in 0..300_u16 {
        let at = vec3(f32::from(k % 20), 0.0, f32::from(k / 20));
        let height = 0.03 + 0.2 * scatter(&mut seed);
        let dust = Deformable::new("dust", vec![at + height * Vec3::Y, at + (height + 1.0) * Vec3::Y], 0.2, 0.02);
        let velocity = Vec3::NEG_Y * (0.5 + scatter(&mut seed));
        ropes.push((scene.add_deformable(&dust, Vec3::ZERO, Quat::IDENTITY, velocity).unwrap(), height, velocity.y));
    }
    let (_, events) = heard(&scene, Listener::on(Thing::Collider(ColliderId(0))), 20);
    let mut began = BTreeMap::new();
    for (frame, c) in contacts(&events).iter().filter(|(_, c)| c.phase == ContactPhase::Began) {
        assert_eq!(began.insert(c.thing, (*frame, c.impulse, c.speed)), None, "once");
    }
    let mut hits = 0;
    for (id, height, speed) in ropes {
        // It goes straight down until its lower particle, of half the mass, is at its radius above the ground.
        let frame = ((height - 0.02) / -speed * 60.0).max(0.0);
        match began.get(&Thing::Deformable(id)) {
            Some((told, impulse, fast)) => {
                assert!((*told as f32 - frame.floor()).abs() <= 1.0, "in frame {told} instead of {frame}");
                assert!((impulse + 0.1 * speed).abs() < 0.02 * impulse, "{impulse} N s at {speed} m/s");
                assert!((fast + speed).abs() < 1e-3);
                hits += 1;
            }
            None => assert!(frame > 18.5, "never instead of in frame {frame}"),
        }
    }
    assert!(hits > 200, "{hits}");
}

#[test]
fn what_cannot_be_heard_is_refused() {
    let mut scene = ground();
    let id = scene.add_body(ball(vec3(0.0, 0.6, 0.0), Vec3::ZERO, 0.0)).unwrap();
    let mut solver = solver(&scene);
    let mut refusal = |listener| solver.listen(listener).unwrap_err();
    let on = Listener::on(Thing::Body(id));
    let missing = refusal(Listener::on(Thing::Body(BodyId(4))));
    assert_eq!(missing, SolverError::Missing { what: "body", index: 4, count: 1 });
    let ground = Thing::Collider(ColliderId(0));
    for wrong in [
        on.at_least_impulse(f32::NAN),
        on.at_least_impulse(-1.0),
        on.at_least_speed(f32::INFINITY),
        on.only(Kinds::NONE),
        Listener::on(ground).against(ground),
        Listener::on(ground).only(Kinds::COLLIDERS),
        on.against(ground).only(Kinds::LIQUIDS),
    ] {
        assert!(matches!(refusal(wrong), SolverError::Listener(_)), "{wrong:?}");
    }
    solver.remove_body(id).unwrap();
    assert_eq!(solver.listen(on), Err(SolverError::Removed(id)));
    (0..5).for_each(|_| solver.step());
    assert_eq!(solver.take_events_now(), []);
}

#[test]
fn joints_that_break_are_told_once() {
    let mut scene = Scene::default();
    let held =
        scene.add_body(BodyDesc { kinematic: true, ..BodyDesc::sphere(0.1, 0.05).at(vec3(0.0, 3.0, 0.0)) }).unwrap();
    let mut heavy = Vec::new();
    // 10 kg on a joint that bears 50 N, one that bears 500 N, and one that the host takes away.
    for (x, force) in [(-1.0, 50.0), (0.0, 500.0), (1.0, 500.0)] {
        let below = BodyDesc::sphere(0.1, 0.05).with_mass(10.0).at(vec3(x, 2.0, 0.0));
        heavy.push(scene.add_body(below).unwrap());
        let mut joint = JointDesc::new(JointKind::Ball, held, heavy[heavy.len() - 1], vec3(x, 2.5, 0.0), Vec3::Y, 0.05);
        joint.break_force = force;
        scene.add_joint(joint).unwrap();
    }
    let mut solver = solver(&scene);
    solver.listen(Listener::on(Thing::Body(heavy[0]))).unwrap();
    solver.listen(Listener::on(Thing::Body(heavy[2]))).unwrap();
    (0..20).for_each(|_| solver.step());
    solver.remove_body(heavy[2]).unwrap();
    (0..20).for_each(|_| solver.step());
    let events = solver.take_events_now();
    let broken: Vec<_> = events.iter().filter(|event| matches!(event.kind, EventKind::JointBroken(_))).collect();
    assert_eq!(
        broken.iter().map(|event| event.kind).collect::<Vec<_>>(),
        [EventKind::JointBroken(JointRef::Scene(JointId(0))), EventKind::JointBroken(JointRef::Scene(JointId(2)))]
    );
    assert!(broken[0].frame < 5, "in frame {}", broken[0].frame);
    assert_eq!(broken[1].frame, 20, "as the body is taken away");
    assert_eq!(solver.read_broken_joints().unwrap(), [true, false, true]);
}

#[test]
fn joints_that_the_host_breaks_are_told_and_those_it_puts_out_of_action_are_not() {
    let mut scene = space();
    let places = [vec3(0.0, 0.0, 0.0), vec3(1.0, 0.0, 0.0), vec3(2.0, 0.0, 0.0)];
    let ids = places.map(|at| scene.add_body(BodyDesc::sphere(0.1, 0.05).at(at)).unwrap());
    for i in 0..2 {
        let pivot = places[i] + 0.5 * Vec3::X;
        scene.add_joint(JointDesc::new(JointKind::Ball, ids[i], ids[i + 1], pivot, Vec3::Y, 0.05)).unwrap();
    }
    let mut solver = solver(&scene);
    solver.listen(Listener::everything()).unwrap();
    let start = solver.save().unwrap();
    let told = |solver: &mut Solver| {
        solver.step();
        let kinds = solver.take_events_now().into_iter().map(|event| event.kind);
        kinds.filter(|kind| matches!(kind, EventKind::JointBroken(_))).collect::<Vec<_>>()
    };
    assert_eq!(told(&mut solver), []);
    solver.break_joint(JointId(0)).unwrap();
    assert_eq!(told(&mut solver), [EventKind::JointBroken(JointRef::Scene(JointId(0)))]);
    assert_eq!(told(&mut solver), []);
    solver.set_joint_enabled(JointId(1), false).unwrap();
    assert_eq!(told(&mut solver), []);
    assert_eq!(solver.read_broken_joints().unwrap(), [true, true]);
    solver.set_joint_enabled(JointId(0), true).unwrap();
    solver.set_joint_enabled(JointId(1), true).unwrap();
    assert_eq!(told(&mut solver), []);
    assert_eq!(solver.read_broken_joints().unwrap(), [false, false]);
    solver.break_joint(JointId(0)).unwrap();
    assert_eq!(told(&mut solver), [EventKind::JointBroken(JointRef::Scene(JointId(0)))], "again");
    solver.restore(&start).unwrap();
    solver.break_joint(JointId(1)).unwrap();
    assert_eq!(
        told(&mut solver),
        [EventKind::JointBroken(JointRef::Scene(JointId(1)))],
        "the first thing after time has jumped"
    );
    solver.restore(&start).unwrap();
    solver.remove_body(ids[1]).unwrap();
    assert_eq!(
        told(&mut solver),
        [EventKind::JointBroken(JointRef::Scene(JointId(0))), EventKind::JointBroken(JointRef::Scene(JointId(1)))],
        "both of its joints"
    );
}

#[test]
fn what_broke_before_anybody_listened_is_not_told() {
    let mut scene = space();
    let (a, b) = (BodyDesc::sphere(0.1, 0.05), BodyDesc::sphere(0.1, 0.05).at(Vec3::X));
    let mut pair = Scene::default();
    let ids = [a, b].map(|desc| pair.add_body(desc).unwrap());
    let desc = JointDesc::new(JointKind::Ball, ids[0], ids[1], 0.5 * Vec3::X, Vec3::Y, 0.05);
    pair.add_joint(JointDesc { break_force: 50.0, ..desc }).unwrap();
    let pool = scene.add_pool(&pair, 1).unwrap();
    let mut solver = solver(&scene);
    let spawned = solver.spawn_from(pool, Placement::IDENTITY, Vec3::ZERO).unwrap();
    solver.step();
    let body = solver.part(spawned).unwrap().body(ids[1]);
    solver.push(Push::velocity_change(body, 30.0 * Vec3::X)).unwrap();
    (0..3).for_each(|_| solver.step());
    assert_eq!(solver.read_broken_joints().unwrap(), [true]);
    solver.listen(Listener::everything()).unwrap();
    (0..2).for_each(|_| solver.step());
    let events = solver.take_events_now();
    let broken: Vec<_> = events.iter().filter(|event| matches!(event.kind, EventKind::JointBroken(_))).collect();
    assert!(broken.is_empty(), "{broken:?}");
}

#[test]
fn edges_that_tear_are_told_with_their_cloth() {
    let mut scene = space();
    let material = SheetMaterial { air: Air::NONE, ..SheetMaterial::default() };
    let points = (0..8_u8).map(|i| vec3(0.05 * f32::from(i / 2), 0.05 * f32::from(i % 2), 0.0)).collect();
    let faces = [[0, 2, 3], [0, 3, 1], [2, 4, 5], [2, 5, 3], [4, 6, 7], [4, 7, 5]];
    let mut sheet = Deformable::sheet("flag", points, &faces, 0.01, &material).unwrap();
    sheet.tearing = Some(0.2);
    sheet.pin(|at| at.x == 0.0);
    let id = scene.add_deformable(&sheet, Vec3::ZERO, Quat::IDENTITY, Vec3::ZERO).unwrap();
    let mut solver = solver(&scene);
    solver.listen(Listener::on(Thing::Deformable(id))).unwrap();
    (0..5).for_each(|_| solver.step());
    assert_eq!(solver.take_events_now(), []);
    solver.push(Push::velocity(Thing::Deformable(id), Vec3::X * 20.0)).unwrap();
    (0..20).for_each(|_| solver.step());
    let events = solver.take_events_now();
    let torn: BTreeSet<usize> = events
        .iter()
        .filter_map(|event| match event.kind {
            EventKind::Torn { tear, object } => {
                assert_eq!(object, id);
                Some(tear)
            }
            _ => None,
        })
        .collect();
    let read = solver.read_torn().unwrap();
    let read: BTreeSet<usize> = (0..read.len()).filter(|tear| read[*tear]).collect();
    assert!(!read.is_empty());
    assert_eq!(torn, read);
}

/// Time of a frame of those that follow one another [ms].
fn frames_in_a_row(solver: &mut Solver) -> f64 {
    let begun = Instant::now();
    for _ in 0..40 {
        solver.step();
        drop(solver.take_events());
    }
    solver.wait().unwrap();
    1e3 * begun.elapsed().as_secs_f64() / 40.0
}

/// Not run by itself: what it prints depends on the machine.
/// `cargo test --release --test library -- --ignored --nocapture events::listening_beside`.
#[test]
#[ignore = "measures; prints what listening to everything costs beside a step"]
fn listening_beside_a_step() {
    let context = Context::shared().expect("adapter");
    println!("on {}", context.info().name);
    let all = Listener::everything();
    for (demo, sets, frames, listener) in [
        ("pairs", vec![("count", "600")], 60, all),
        ("ragdolls", vec![("count", "40")], 60, all),
        ("dancer", vec![], 10, all),
        ("dam", vec![], 40, all),
        ("curtain", vec![], 40, all),
        ("bath", vec![], 20, all),
        ("bath", vec![], 20, Listener::on(Thing::Body(BodyId(0)))),
    ] {
        let sets: Vec<_> = sets.into_iter().map(|(key, value)| (key.to_owned(), value.to_owned())).collect();
        let scene = sinew::demos::stage_for(demo, &sets).unwrap().scene;
        let [mut heard, mut deaf] = [(); 2].map(|()| Solver::new(&context, &scene).unwrap());
        heard.listen(listener).unwrap();
        let (mut times, mut told) = ([const { Vec::new() }; 6], 0);
        for frame in 0..frames + 40 {
            for (solver, lists) in [&mut deaf, &mut heard].into_iter().zip(times.chunks_mut(3)) {
                let begun = Instant::now();
                solver.step();
                let stepped = begun.elapsed();
                let events = solver.take_events().len();
                let taken = begun.elapsed();
                solver.wait().unwrap();
                if frame >= frames {
                    let parts = [stepped, taken - stepped, begun.elapsed()];
                    lists.iter_mut().zip(parts).for_each(|(list, part)| list.push(1e3 * part.as_secs_f64()));
                    told += events;
                }
            }
        }
        let in_a_row = [&mut deaf, &mut heard].map(frames_in_a_row);
        times.iter_mut().for_each(|list| list.sort_by(f64::total_cmp));
        let [recording, _, alone, recording_all, taking, listening] = times.map(|list| list[20]);
        println!(
            "{demo}, {:?}: step {alone:.2} ms, listening {listening:.2} ms ({:+.1} %), {} events a frame; of that the host recorded \
             for {recording:.2} and {recording_all:.2} ms and took for {taking:.2} ms; frames in a row {:.2} and {:.2} ms ({:+.1} %)",
            listener.thing,
            100.0 * (listening / alone - 1.0),
            told / 40,
            in_a_row[0],
            in_a_row[1],
            100.0 * (in_a_row[1] / in_a_row[0] - 1.0)
        );
        heard.set_timing(true);
        for _ in 0..12 {
            heard.step();
            heard.wait().unwrap();
        }
        for (name, time) in heard.pass_times().iter().filter(|(name, _)| name.starts_with("events/")) {
            println!("  {name}: {time:.2} ms a frame");
        }
    }
}

#[test]
fn what_breaks_right_after_a_state_is_put_back_is_told() {
    let mut scene = Scene::default();
    let held = BodyDesc { kinematic: true, ..BodyDesc::sphere(0.1, 0.05).at(vec3(0.0, 3.0, 0.0)) };
    let held = scene.add_body(held).unwrap();
    let below = scene.add_body(BodyDesc::sphere(0.1, 0.05).with_mass(10.0).at(vec3(0.0, 2.0, 0.0))).unwrap();
    // It falls for 0.2 m before the rope bears it.
    let rope = JointDesc::rope(held, below, vec3(0.0, 3.0, 0.0), vec3(0.0, 2.0, 0.0), 1.2);
    scene.add_joint(JointDesc { break_force: 50.0, ..rope }).unwrap();
    let mut probe = solver(&scene);
    let holds = (0..60).take_while(|_| {
        probe.step();
        !probe.read_broken_joints().unwrap()[0]
    });
    let holds = holds.count();
    assert!((5..50).contains(&holds), "it breaks in frame {holds}");
    let mut solver = solver(&scene);
    solver.listen(Listener::on(Thing::Body(below))).unwrap();
    (0..holds).for_each(|_| solver.step());
    let state = solver.save().unwrap();
    let broke = |solver: &mut Solver| -> Vec<u64> {
        (0..3).for_each(|_| solver.step());
        let events = solver.take_events_now();
        events
            .iter()
            .filter(|event| event.kind == EventKind::JointBroken(JointRef::Scene(JointId(0))))
            .map(|event| event.frame)
            .collect()
    };
    assert_eq!(broke(&mut solver), [holds as u64]);
    solver.restore(&state).unwrap();
    assert_eq!(broke(&mut solver), [holds as u64], "again");
}

/// A world that is listened to, and a pool of a ball that lies on its ground.
fn with_pool_of_one() -> (Solver, PoolId) {
    let mut balls = Scene::default();
    balls.add_body(ball(vec3(0.0, RADIUS, 0.0), Vec3::ZERO, 0.0)).unwrap();
    let mut scene = ground();
    let pool = scene.add_pool(&balls, 1).unwrap();
    let mut solver = solver(&scene);
    solver.listen(Listener::everything()).unwrap();
    (solver, pool)
}

#[test]
fn who_takes_the_place_of_another_at_once_touches_anew() {
    let (mut solver, pool) = with_pool_of_one();
    let spawn = |solver: &mut Solver| solver.spawn_from(pool, Placement::IDENTITY, Vec3::ZERO).unwrap();
    let first = spawn(&mut solver);
    (0..5).for_each(|_| solver.step());
    solver.despawn(first).unwrap();
    let second = spawn(&mut solver);
    (0..3).for_each(|_| solver.step());
    solver.despawn(second).unwrap();
    solver.step();
    spawn(&mut solver);
    (0..10).for_each(|_| solver.step());
    let told = contacts(&solver.take_events_now()).into_iter().filter(|(_, c)| c.phase != ContactPhase::Stays);
    let told: Vec<(u64, ContactPhase)> = told.map(|(frame, contact)| (frame, contact.phase)).collect();
    let (began, ended) = (ContactPhase::Began, ContactPhase::Ended);
    assert_eq!(told, [(0, began), (5, ended), (5, began), (8, ended), (9, began)]);
}

#[test]
fn one_listener_is_taken_away_and_the_others_hear_on() {
    let mut scene = ground();
    scene.params.sleep_time = 0.0;
    let [a, b] = [0.0, 1.0].map(|x| scene.add_body(ball(vec3(x, RADIUS, 0.0), Vec3::ZERO, 0.0)).unwrap());
    let mut solver = solver(&scene);
    let [on_a, on_b] = [a, b].map(|id| solver.listen(Listener::on(Thing::Body(id))).unwrap());
    (0..5).for_each(|_| solver.step());
    solver.remove_listener(on_a).unwrap();
    (0..5).for_each(|_| solver.step());
    let told = contacts(&solver.take_events_now());
    let of =
        |id| told.iter().filter(|(_, c)| c.thing == Thing::Body(id)).map(|(f, c)| (*f, c.phase)).collect::<Vec<_>>();
    let stays = |frames: std::ops::Range<u64>| frames.map(|frame| (frame, ContactPhase::Stays));
    let from_begin = |end| [(0, ContactPhase::Began)].into_iter().chain(stays(1..end)).collect::<Vec<_>>();
    assert_eq!((of(a), of(b)), (from_begin(5), from_begin(10)));
    solver.remove_listener(on_b).unwrap();
    (0..5).for_each(|_| solver.step());
    assert_eq!(solver.take_events_now(), []);
    let missing = SolverError::Missing { what: "listener", index: 1, count: 2 };
    assert_eq!(solver.remove_listener(on_b), Err(missing));
    assert_ne!(solver.listen(Listener::everything()), Ok(on_b));
}

#[test]
fn what_is_told_late_has_the_number_of_its_time() {
    let (mut solver, pool) = with_pool_of_one();
    let gate = solver.add_sensor(Sensor::new(Shape::Sphere(0.5), Vec3::ZERO)).unwrap();
    let mut before = None;
    for number in [1, 2, 0] {
        if let Some(spawned) = before {
            solver.despawn(spawned).unwrap();
        }
        let spawned = solver.spawn_from(pool, Placement::IDENTITY, Vec3::ZERO).unwrap();
        if number > 0 {
            let own = Thing::Body(BodyId(solver.part(spawned).unwrap().bodies.start));
            solver.set_user_data(own, number).unwrap();
        }
        before = Some(spawned);
        (0..4).for_each(|_| solver.step());
    }
    let state = solver.save().unwrap();
    let events = solver.take_events_now();
    let began = contacts(&events).into_iter().filter(|(_, c)| c.phase == ContactPhase::Began);
    assert_eq!(began.map(|(f, c)| (f, c.user_data[0])).collect::<Vec<_>>(), [(0, 1), (4, 2), (8, 0)]);
    let ended = contacts(&events).into_iter().filter(|(_, c)| c.phase == ContactPhase::Ended);
    assert_eq!(ended.map(|(f, c)| (f, c.user_data[0])).collect::<Vec<_>>(), [(4, 1), (8, 2)]);
    assert!(
        contacts(&events)
            .iter()
            .all(|(f, c)| c.phase == ContactPhase::Ended || c.user_data[0] == [1, 2, 0][*f as usize / 4])
    );
    let passed = events.iter().filter_map(|event| match event.kind {
        EventKind::Entered { sensor, user_data, .. } if sensor == gate => Some((event.frame, true, user_data)),
        EventKind::Left { sensor, user_data, .. } if sensor == gate => Some((event.frame, false, user_data)),
        _ => None,
    });
    let passed: Vec<(u64, bool, u64)> = passed.filter(|(.., number)| *number < 3).collect();
    assert_eq!(passed, [(0, true, 1), (4, false, 1), (4, true, 2), (8, false, 2), (8, true, 0)]);
    let body = Thing::Body(BodyId(0));
    solver.set_user_data(body, 9).unwrap();
    solver.restore(&state).unwrap();
    assert_eq!(solver.scene().user_data(body), 0);
}
