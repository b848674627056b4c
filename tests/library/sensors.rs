//! What sensors tell agrees with what is read back.

use std::collections::BTreeMap;

use glam::{Quat, Vec3, vec3};
use sinew::gpu::Context;
use sinew::scene::{
    BodyDesc, BodyId, Collider, Deformable, DistanceGrid, Emitter, JointDesc, JointId, JointKind, Kinds, Layers,
    Liquid, LiquidId, ParticleId, Placement, Scene, SceneError, Sensor, Shape, Thing, TriangleMesh,
};
use sinew::solver::{Event, EventKind, Inside, Listener, SensorId, Solver, SolverError};

fn solver(scene: &Scene) -> Solver {
    Solver::new(&Context::shared().expect("adapter"), scene).unwrap()
}

fn space() -> Scene {
    let mut scene = Scene::default();
    (scene.params.gravity, scene.params.linear_damping) = (Vec3::ZERO, 0.0);
    scene
}

fn ball(at: Vec3, velocity: Vec3) -> BodyDesc {
    BodyDesc { velocity, ..BodyDesc::sphere(0.1, 0.05).at(at) }
}

fn run(solver: &mut Solver, frames: usize) -> Vec<Event> {
    (0..frames).for_each(|_| solver.step());
    solver.take_events_now()
}

/// Frames in which a thing came and went.
fn passages(events: &[Event], of: SensorId, what: Thing) -> Vec<(u64, bool)> {
    let passage = |event: &Event| match event.kind {
        EventKind::Entered { sensor, thing, .. } if (sensor, thing) == (of, what) => Some((event.frame, true)),
        EventKind::Left { sensor, thing, .. } if (sensor, thing) == (of, what) => Some((event.frame, false)),
        _ => None,
    };
    events.iter().filter_map(passage).collect()
}

#[test]
fn a_ball_that_passes_enters_and_leaves_in_its_frames() {
    let mut scene = space();
    let id = scene.add_body(ball(vec3(-0.98, 0.0, 0.0), Vec3::X * 3.0)).unwrap();
    scene.set_user_data(Thing::Body(id), 42).unwrap();
    let mut solver = solver(&scene);
    let gate = solver.add_sensor(Sensor::new(Shape::Cuboid(vec3(0.2, 1.0, 1.0)), Vec3::ZERO)).unwrap();
    let events = run(&mut solver, 50);
    // Its front is 0.68 m from the box, and its back 1.28 m from the far side, and it goes 5 cm a frame.
    assert_eq!(passages(&events, gate, Thing::Body(id)), [(13, true), (25, false)]);
    let entered = EventKind::Entered { sensor: gate, thing: Thing::Body(id), user_data: 42 };
    assert!(events.iter().any(|event| event.kind == entered));
    assert_eq!(solver.inside(gate).unwrap(), []);
}

#[test]
fn a_sensor_goes_with_its_body_again_when_time_is_taken_back() {
    let mut scene = space();
    let carrier = scene.add_body(ball(Vec3::ZERO, Vec3::ZERO)).unwrap();
    let near = Thing::Body(scene.add_body(ball(Vec3::X * 0.5, Vec3::ZERO)).unwrap());
    let mut solver = solver(&scene);
    let around = Sensor { body: Some(carrier), ..Sensor::new(Shape::Sphere(1.0), Vec3::ZERO) };
    let around = solver.add_sensor(around).unwrap();
    let holds = |solver: &mut Solver| {
        run(solver, 5);
        solver.inside(around).unwrap().iter().map(|inside| inside.thing).collect::<Vec<_>>()
    };
    assert_eq!(holds(&mut solver), [near]);
    let before = solver.save().unwrap();
    solver.remove_body(carrier).unwrap();
    assert_eq!(holds(&mut solver), []);
    solver.restore(&before).unwrap();
    assert_eq!(holds(&mut solver), [near]);
}

/// Water, balls and dust above the ground.
fn mixture() -> Scene {
    let mut scene = Scene::default();
    scene.add_collider(Collider::ground(-0.6)).unwrap();
    let water = scene.add_liquid(Liquid::water(0.05)).unwrap();
    let drops: Vec<Vec3> =
        (0..343_u16).map(|i| 0.1 * vec3(f32::from(i % 7), f32::from(i / 7 % 7), f32::from(i / 49))).collect();
    scene.pour(water, &drops, vec3(1.0, 0.0, 0.5)).unwrap();
    for i in 0..5_u8 {
        scene.add_body(ball(vec3(0.3 * f32::from(i) - 0.6, 0.9, 0.2), Vec3::ZERO)).unwrap();
    }
    let dust: Vec<Vec3> = (0..40_u8).map(|i| vec3(0.03 * f32::from(i) - 0.6, 0.0, -0.2)).collect();
    scene.add_deformable(&Deformable::new("dust", dust, 0.2, 0.02), Vec3::ZERO, Quat::IDENTITY, Vec3::ZERO).unwrap();
    scene
}

#[test]
fn every_shape_counts_as_a_brute_force_does() {
    let scene = mixture();
    let mut solver = solver(&scene);
    let (size, origin) = ([11; 3], Vec3::splat(-0.5));
    let sample = |i: u16| 0.1 * vec3(f32::from(i % 11), f32::from(i / 11 % 11), f32::from(i / 121)) + origin;
    let distances = (0..1331).map(|i| sample(i).abs().max_element() - 0.35).collect();
    let cube = DistanceGrid { origin, spacing: 0.1, size, distances };
    let turned = Placement { position: vec3(0.1, 0.2, 0.1), rotation: Quat::from_rotation_z(0.7) };
    let sensors = [
        Sensor::new(Shape::Cuboid(vec3(0.3, 0.2, 0.4)), turned),
        Sensor::new(Shape::Sphere(0.4), vec3(0.3, -0.2, 0.2)),
        Sensor::new(Shape::Capsule { radius: 0.2, half_length: 0.3 }, turned),
        Sensor::new(Shape::Plane, vec3(0.0, 0.1, 0.0)),
        Sensor::new(Shape::Grid(cube), turned),
        Sensor::new(Shape::Sphere(0.5), vec3(0.0, 0.1, 0.0)).on(BodyId(2)),
        Sensor::new(Shape::Sphere(2.0), Vec3::ZERO).only(Kinds::LIQUIDS),
    ];
    let ids: Vec<SensorId> = sensors.iter().map(|sensor| solver.add_sensor(sensor.clone()).unwrap()).collect();
    let members = scene.members();
    for _ in 0..4 {
        run(&mut solver, 5);
        let (places, bodies) = (solver.read_particles().unwrap(), solver.read_bodies().unwrap());
        for (id, sensor) in ids.iter().zip(&sensors) {
            let body = sensor.body.map_or(Placement::IDENTITY, |id| {
                let state = &bodies[id.0 as usize];
                Placement { position: Vec3::from(state.center), rotation: Quat::from_array(state.rotation) }
            });
            // What is a hundredth of a millimetre from the edge may count or not.
            let mut counts: BTreeMap<Thing, [u32; 2]> = BTreeMap::new();
            for (i, [x, y, z, radius]) in (0..).zip(places.iter().copied()) {
                let thing = members.thing(ParticleId(i)).unwrap();
                let kind = match thing {
                    Thing::Body(_) => Kinds::BODIES,
                    Thing::Liquid(_) => Kinds::LIQUIDS,
                    _ => Kinds::DEFORMABLES,
                };
                let own = matches!(thing, Thing::Body(id) if Some(id) == sensor.body);
                if own || !sensor.kinds.contains(kind) {
                    continue;
                }
                let at = body.rotation.inverse() * (vec3(x, y, z) - body.position);
                let local = sensor.placement.rotation.inverse() * (at - sensor.placement.position);
                let gap = sensor.shape.distance(local) - if kind == Kinds::LIQUIDS { 0.0 } else { radius };
                let count = counts.entry(thing).or_default();
                count[0] += u32::from(gap < -1e-5);
                count[1] += u32::from(gap < 1e-5);
            }
            let told: BTreeMap<Thing, u32> =
                solver.inside(*id).unwrap().iter().map(|inside| (inside.thing, inside.particles)).collect();
            for (thing, [least, most]) in counts {
                let told = told.get(&thing).copied().unwrap_or(0);
                assert!((least..=most).contains(&told), "{sensor:?}: {told} of {thing:?}, {least} to {most}");
            }
        }
        assert!(solver.inside(ids[6]).unwrap() == [Inside { thing: Thing::Liquid(LiquidId(0)), particles: 343 }]);
    }
}

#[test]
fn sensors_move_go_with_bodies_and_are_removed() {
    let mut scene = space();
    let still = scene.add_body(ball(Vec3::ZERO, Vec3::ZERO)).unwrap();
    let moving = scene.add_body(ball(vec3(-0.98, 1.0, 0.0), Vec3::X * 3.0)).unwrap();
    let mut solver = solver(&scene);
    let placed = solver.add_sensor(Sensor::new(Shape::Sphere(0.2), vec3(5.0, 0.0, 0.0))).unwrap();
    // A meter below the moving one: it passes the still one.
    let riding = solver.add_sensor(Sensor::new(Shape::Sphere(0.15), vec3(0.0, -1.0, 0.0)).on(moving)).unwrap();
    assert_eq!(run(&mut solver, 5), []);
    solver.place_sensor(placed, Vec3::ZERO).unwrap();
    let events = run(&mut solver, 40);
    assert_eq!(passages(&events, placed, Thing::Body(still)), [(5, true)]);
    // From 0.73 to 1.23 m of its way, 5 cm a frame.
    assert_eq!(passages(&events, riding, Thing::Body(still)), [(14, true), (24, false)]);
    solver.remove_body(still).unwrap();
    assert_eq!(passages(&run(&mut solver, 5), placed, Thing::Body(still)), [(45, false)]);
    solver.remove_sensor(placed).unwrap();
    let gone = SolverError::Missing { what: "sensor", index: 0, count: 2 };
    assert_eq!(solver.inside(placed).unwrap_err(), gone);
    assert_eq!(solver.place_sensor(placed, Vec3::ZERO).unwrap_err(), gone);
    assert_eq!(solver.remove_sensor(placed).unwrap_err(), gone);
    solver.remove_sensor(riding).unwrap();
    assert_eq!(run(&mut solver, 5), []);
}

#[test]
fn a_sensor_tells_of_its_layers_alone() {
    let mut scene = space();
    let [first, second, any] = [0.0, 0.5, 1.0].map(|x| scene.add_body(ball(vec3(x, 0.0, 0.0), Vec3::ZERO)).unwrap());
    let of = |of| Layers { of, ..Layers::default() };
    scene.set_layers(Thing::Body(first), of(1)).unwrap();
    scene.set_layers(Thing::Body(second), of(2)).unwrap();
    let mut solver = solver(&scene);
    let region = || Sensor::new(Shape::Cuboid(Vec3::splat(2.0)), Vec3::ZERO);
    let [all, ones, none] = [region(), region().of_layers(1), region().of_layers(0)];
    let [all, ones, none] = [all, ones, none].map(|sensor| solver.add_sensor(sensor).unwrap());
    run(&mut solver, 2);
    let inside = |solver: &Solver, id| solver.inside(id).unwrap().iter().map(|inside| inside.thing).collect::<Vec<_>>();
    assert_eq!(inside(&solver, all), [first, second, any].map(Thing::Body));
    assert_eq!(inside(&solver, ones), [first, any].map(Thing::Body));
    assert_eq!(inside(&solver, none), []);
    solver.set_layers(Thing::Body(first), Layers { of: 0, meets: 0 }).unwrap();
    let left = run(&mut solver, 1);
    assert_eq!(passages(&left, ones, Thing::Body(first)).iter().map(|(_, came)| *came).collect::<Vec<_>>(), [false]);
    assert_eq!(inside(&solver, all), [first, second, any].map(Thing::Body));
}

#[test]
fn sensing_is_not_felt_and_goes_on_after_a_restore() {
    let mut scene = space();
    for i in 0..20_u8 {
        let at = vec3(0.25 * f32::from(i % 5), 0.25 * f32::from(i / 5), 0.0);
        scene.add_body(ball(at, 3.0 * (vec3(0.5, 0.4, 0.0) - at))).unwrap();
    }
    let mut plain = solver(&scene);
    let mut sensing = solver(&scene);
    let id = sensing.add_sensor(Sensor::new(Shape::Sphere(0.3), vec3(0.5, 0.4, 0.0))).unwrap();
    let first = run(&mut sensing, 10);
    let state = sensing.save().unwrap();
    let second = run(&mut sensing, 10);
    assert!(first.len() + second.len() > 5);
    sensing.restore(&state).unwrap();
    let there: Vec<Inside> = sensing.inside(id).unwrap().to_vec();
    assert_eq!(there, [], "heard of anew");
    run(&mut sensing, 10);
    run(&mut plain, 20);
    assert_eq!(plain.read_bodies().unwrap(), sensing.read_bodies().unwrap());
}

#[test]
fn what_cannot_be_sensed_is_refused() {
    let mut scene = space();
    let id = scene.add_body(ball(Vec3::ZERO, Vec3::ZERO)).unwrap();
    let mut solver = solver(&scene);
    let mut refusal = |sensor| solver.add_sensor(sensor).unwrap_err();
    let mesh = TriangleMesh { positions: vec![Vec3::ZERO, Vec3::X, Vec3::Y], triangles: vec![[0, 1, 2]] };
    let mesh = Shape::Mesh(mesh);
    assert_eq!(refusal(Sensor::new(mesh, Vec3::ZERO)), SolverError::Scene(SceneError::OpenSensor));
    for (shape, at) in [
        (Shape::Sphere(-1.0), Vec3::ZERO),
        (Shape::Sphere(f32::NAN), Vec3::ZERO),
        (Shape::Cuboid(vec3(1.0, 0.0, 1.0)), Vec3::ZERO),
        (Shape::Sphere(1.0), Vec3::NAN),
    ] {
        let told = refusal(Sensor::new(shape.clone(), at)).to_string();
        assert!(told.contains("sensor"), "{shape:?}: {told}");
    }
    let turned = Placement { position: Vec3::ZERO, rotation: Quat::from_xyzw(0.0, 0.0, 0.0, 0.0) };
    assert!(refusal(Sensor::new(Shape::Sphere(1.0), turned)).to_string().contains("rotation"));
    let missing = SolverError::Missing { what: "body", index: 7, count: 1 };
    assert_eq!(refusal(Sensor::new(Shape::Sphere(1.0), Vec3::ZERO).on(BodyId(7))), missing);
    solver.remove_body(id).unwrap();
    let on = Sensor::new(Shape::Sphere(1.0), Vec3::ZERO).on(id);
    assert_eq!(solver.add_sensor(on), Err(SolverError::Removed(id)));
    let missing = SolverError::Missing { what: "sensor", index: 0, count: 0 };
    assert_eq!(solver.inside(SensorId(0)).unwrap_err(), missing);
}

#[test]
fn sensors_that_were_removed_take_no_room() {
    let mut scene = space();
    for i in 0..2000_u16 {
        scene.add_body(ball(Vec3::X * f32::from(i), Vec3::ZERO)).unwrap();
    }
    let mut solver = solver(&scene);
    let kept = solver.add_sensor(Sensor::new(Shape::Sphere(0.2), Vec3::X * 7.0)).unwrap();
    let mut ids = vec![kept];
    for _ in 0..70 {
        let id = solver.add_sensor(Sensor::new(Shape::Sphere(0.2), Vec3::ZERO)).unwrap();
        assert!(!ids.contains(&id), "{id:?} is used again");
        ids.push(id);
        solver.remove_sensor(id).unwrap();
    }
    let last = solver.add_sensor(Sensor::new(Shape::Sphere(0.2), Vec3::X * 3.0)).unwrap();
    let events = run(&mut solver, 2);
    for (sensor, body) in [(kept, 7), (last, 3)] {
        assert_eq!(passages(&events, sensor, Thing::Body(BodyId(body))).len(), 1, "{sensor:?}");
    }
}

#[test]
fn a_sensor_of_a_body_that_is_removed_tells_that_all_left_and_nothing_more() {
    let mut scene = space();
    let guard = scene.add_body(ball(Vec3::ZERO, Vec3::ZERO)).unwrap();
    let near = scene.add_body(ball(Vec3::X * 0.5, Vec3::ZERO)).unwrap();
    let passing = scene.add_body(ball(Vec3::Z * -2.0, Vec3::Z * 6.0)).unwrap();
    let mut solver = solver(&scene);
    let id = solver.add_sensor(Sensor::new(Shape::Sphere(0.7), Vec3::ZERO).on(guard)).unwrap();
    let events = run(&mut solver, 5);
    assert_eq!(passages(&events, id, Thing::Body(near)).len(), 1);
    solver.remove_body(guard).unwrap();
    let events = run(&mut solver, 40);
    assert_eq!(
        passages(&events, id, Thing::Body(near)).iter().map(|(_, entered)| *entered).collect::<Vec<_>>(),
        [false]
    );
    assert_eq!(passages(&events, id, Thing::Body(passing)), []);
    solver.place_sensor(id, Vec3::X * 0.1).unwrap();
    assert_eq!(run(&mut solver, 3), []);
}

#[test]
fn sensors_go_on_when_listening_stops() {
    let mut scene = space();
    let still = scene.add_body(ball(Vec3::ZERO, Vec3::ZERO)).unwrap();
    let leaving = scene.add_body(ball(Vec3::X * 0.3, Vec3::X * 3.0)).unwrap();
    let mut solver = solver(&scene);
    let id = solver.add_sensor(Sensor::new(Shape::Sphere(0.5), Vec3::ZERO)).unwrap();
    solver.listen(Listener::everything()).unwrap();
    let mut events = run(&mut solver, 3);
    for _ in 0..3 {
        (0..2).for_each(|_| solver.step());
        solver.stop_listening();
        assert!(!solver.inside(id).unwrap().is_empty(), "what is inside is known still");
        solver.listen(Listener::everything()).unwrap();
    }
    events.extend(run(&mut solver, 20));
    let entered =
        |what| passages(&events, id, Thing::Body(what)).iter().map(|(_, entered)| *entered).collect::<Vec<_>>();
    assert_eq!(entered(still), [true]);
    assert_eq!(entered(leaving), [true, false]);
}

#[test]
fn bodies_that_a_broken_joint_has_parted_are_not_between() {
    let mut scene = space();
    let [a, b] = [0.0, 0.4].map(|x| scene.add_body(ball(Vec3::X * x, Vec3::ZERO)).unwrap());
    scene.add_joint(JointDesc::new(JointKind::Ball, a, b, Vec3::X * 0.2, Vec3::X, 0.05)).unwrap();
    let mut solver = solver(&scene);
    let between = solver.add_sensor(Sensor::new(Shape::Cuboid(Vec3::splat(1.0)), Vec3::X * 5.0)).unwrap();
    solver.break_joint(JointId(0)).unwrap();
    solver.set_body_pose(b, Vec3::X * 10.0, Quat::IDENTITY, Vec3::ZERO, Vec3::ZERO).unwrap();
    assert_eq!(passages(&run(&mut solver, 5), between, Thing::Body(a)), []);
    solver.set_body_pose(a, Vec3::X * 9.6, Quat::IDENTITY, Vec3::ZERO, Vec3::ZERO).unwrap();
    solver.remove_body(b).unwrap();
    assert_eq!(run(&mut solver, 5), [], "nor is who is left and who was taken away");
}

#[test]
fn what_is_kept_out_of_the_world_is_in_no_sensor() {
    let mut scene = space();
    let water = scene.add_liquid(Liquid::water(0.05)).unwrap();
    scene.add_emitter(Emitter { budget: 50, speed: 0.0, ..Emitter::new("tap", water) }).unwrap();
    let mut cloth = Scene::default();
    let rag = Deformable::new("rag", vec![Vec3::ZERO, Vec3::X], 1.0, 0.05);
    cloth.add_deformable(&rag, Vec3::ZERO, Quat::IDENTITY, Vec3::ZERO).unwrap();
    let pool = scene.add_pool(&cloth, 2).unwrap();
    let mut solver = solver(&scene);
    let high = Placement { position: Vec3::Y * 3.0, rotation: Quat::from_rotation_z(std::f32::consts::PI) };
    let id = solver.add_sensor(Sensor::new(Shape::Plane, high)).unwrap();
    assert_eq!(run(&mut solver, 3), []);
    assert_eq!(solver.inside(id).unwrap(), []);
    let at = Placement { position: Vec3::Y * 4.0, ..Placement::IDENTITY };
    solver.spawn_from(pool, at, Vec3::ZERO).unwrap();
    run(&mut solver, 3);
    assert_eq!(solver.inside(id).unwrap().len(), 1);
}

#[test]
fn who_takes_the_place_of_another_at_once_enters_as_it_leaves() {
    let mut balls = Scene::default();
    balls.add_body(ball(Vec3::ZERO, Vec3::ZERO)).unwrap();
    let mut scene = space();
    let pool = scene.add_pool(&balls, 1).unwrap();
    let mut solver = solver(&scene);
    let gate = solver.add_sensor(Sensor::new(Shape::Sphere(0.5), Vec3::ZERO)).unwrap();
    let first = solver.spawn_from(pool, Placement::IDENTITY, Vec3::ZERO).unwrap();
    let own = Thing::Body(BodyId(solver.part(first).unwrap().bodies.start));
    (0..5).for_each(|_| solver.step());
    solver.despawn(first).unwrap();
    let second = solver.spawn_from(pool, Placement::IDENTITY, Vec3::ZERO).unwrap();
    (0..3).for_each(|_| solver.step());
    solver.despawn(second).unwrap();
    solver.step();
    solver.spawn_from(pool, Placement::IDENTITY, Vec3::ZERO).unwrap();
    let told = passages(&run(&mut solver, 10), gate, own);
    assert_eq!(told, [(0, true), (5, false), (5, true), (8, false), (9, true)]);
}

#[test]
fn a_body_that_is_removed_leaves_in_that_frame() {
    let mut scene = space();
    let id = scene.add_body(ball(Vec3::ZERO, Vec3::ZERO)).unwrap();
    let mut solver = solver(&scene);
    let gate = solver.add_sensor(Sensor::new(Shape::Sphere(0.5), Vec3::ZERO)).unwrap();
    (0..5).for_each(|_| solver.step());
    solver.remove_body(id).unwrap();
    assert_eq!(passages(&run(&mut solver, 10), gate, Thing::Body(id)), [(0, true), (5, false)]);
}
