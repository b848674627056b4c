//! Whatever a running world is told wrongly, it says what is wrong, and goes on as if it had not been told.

use std::collections::BTreeSet;

use glam::{Quat, Vec3, vec3};
use sinew::constraints::{Compliance, Give};
use sinew::gpu::Context;
use sinew::scene::{
    Blade, BodyDesc, BodyGoal, BodyId, BodyMove, BodyPull, Collider, ColliderId, Cues, Deformable, DeformableId,
    Director, Dynamics, Emitter, Explosion, Field, FieldId, Grains, HoldStrength, JointDesc, JointId, JointKind,
    Layers, Limits, Liquid, LiquidId, Motor, Params, ParticleId, Placement, PoolId, Push, Ride, Scene, Sensor, Shape,
    SheetGrid, SheetMaterial, Sighting, Surface, Thing, Travel, Walker,
};
use sinew::solver::{
    AddedCollider, AddedEmitter, AddedJoint, Attached, Drag, Listener, ListenerId, Pinned, Query, SensorId, Solver,
    SolverError, Spawned, Ticket,
};

const NAN: Vec3 = Vec3::new(0.0, f32::NAN, 0.0);
const FAR: Placement = Placement { position: NAN, rotation: Quat::IDENTITY };
const HERE: Placement = Placement::IDENTITY;
/// Nobody's.
const NONE: u32 = 77;

/// Two crates on a hinge, one that was removed, a sheet, water, sand, a walker and a pool, with places for more.
fn scene() -> Scene {
    let mut scene = Scene::default();
    scene.add_collider(Collider::ground(0.0)).unwrap();
    let crate_at = |x: f32| BodyDesc::cuboid(Vec3::splat(0.1), 0.05).at(vec3(x, 0.1, 0.0));
    let [a, b, _] = [0.0, 0.25, 1.0].map(|x| scene.add_body(crate_at(x)).unwrap());
    scene.add_joint(JointDesc::new(JointKind::Hinge, a, b, vec3(0.12, 0.1, 0.0), Vec3::Z, 0.05)).unwrap();
    scene.add_body(Walker::default().body(vec3(-2.0, 0.0, 0.0))).unwrap();
    let grid = SheetGrid::square(4, 0.3);
    let sheet =
        Deformable::sheet("sheet", grid.positions(), &grid.triangles(), 0.04, &SheetMaterial::default()).unwrap();
    scene.add_deformable(&sheet, vec3(3.0, 0.3, 0.0), Quat::IDENTITY, Vec3::ZERO).unwrap();
    scene.add_liquid(Liquid::water(0.05)).unwrap();
    let sand = scene.add_grains(Grains::sand(0.05)).unwrap();
    scene.heap(sand, &[vec3(4.0, 0.1, 0.0)], Vec3::ZERO).unwrap();
    let mut prefab = Scene::default();
    prefab.add_body(BodyDesc::cuboid(Vec3::splat(0.1), 0.05)).unwrap();
    scene.add_pool(&prefab, 1).unwrap();
    scene.reserve_colliders(1).unwrap();
    scene.reserve_joints(1).unwrap();
    scene.reserve_attachments(1).unwrap();
    scene.reserve_emitters(&spout(), 1).unwrap();
    scene
}

/// The name of a call, what came of it, and a word that tells what was wrong.
type Told = (&'static str, Option<SolverError>, &'static str);

fn told<T>(call: &'static str, result: Result<T, SolverError>, word: &'static str) -> Told {
    (call, result.err(), word)
}

fn pull(goal: BodyGoal) -> BodyPull {
    BodyPull { goal, rate: 1.0, mass: 1.0, max_force: 1.0, max_torque: 1.0 }
}

fn moving(body: BodyId, by: Placement) -> BodyMove {
    BodyMove { bodies: vec![body], by }
}

/// Poses who is not there, and wants to see him.
struct Wrong;

impl Director for Wrong {
    fn struck(&mut self, _: &[BodyId]) {}

    fn watched(&self) -> Vec<BodyId> {
        vec![BodyId(NONE)]
    }

    fn see(&mut self, _: &[Sighting], _: &Scene) {}

    fn cues(&mut self, _: f32) -> Cues {
        Cues { released: vec![BodyId(NONE)], ..Cues::default() }
    }
}

fn ride(body: BodyId) -> Ride {
    Ride { walker: body, bodies: vec![body], from: Vec3::ZERO, to: Vec3::ZERO }
}

/// Ids that the scene does not have.
fn nobody(s: &mut Solver) -> Vec<Told> {
    let (body, collider, object) = (BodyId(NONE), ColliderId(NONE), DeformableId(NONE));
    let (thing, goal) = (Thing::Body(body), BodyGoal { body, from: HERE, to: HERE });
    vec![
        told("add_emitter", s.add_emitter(&Emitter::new("spout", LiquidId(NONE))), "liquid 77"),
        told("add_joint", s.add_joint(JointDesc::rope(BodyId(0), body, NAN, NAN, 1.0), [HERE; 2]), "body"),
        told("add_sensor", s.add_sensor(Sensor::new(Shape::Sphere(1.0), HERE).on(body)), "body 77"),
        told("add_walker", s.add_walker(body, Walker::default()), "body 77"),
        told("ask", s.ask(&[Query::ray(NAN, Vec3::X, 1.0)]), "origin"),
        told("ask_now", s.ask_now(&[Query::ray(Vec3::ZERO, Vec3::X, f32::NAN)]), "length"),
        told("compliance", s.compliance(object, Give::Bend), "77"),
        told("follow", s.follow(&Cues { goals: vec![goal], ..Cues::default() }), "body 77"),
        told("footing", s.footing(body), "body 77"),
        told("inside", s.inside(SensorId(NONE)), "sensor 77"),
        told("is_collider_present", s.is_collider_present(collider), "collider 77"),
        told("jump", s.jump(body, 1.0), "body 77"),
        told("listen", s.listen(Listener::on(thing)), "body 77"),
        told("move_bodies", s.move_bodies(&[moving(body, HERE)]), "body 77"),
        told("pin", s.pin(ParticleId(99_999), None), "particle 99999"),
        told("attach", s.attach(ParticleId(99_999), BodyId(0), 0.0), "particle 99999"),
        told("place_sensor", s.place_sensor(SensorId(NONE), HERE), "sensor 77"),
        told("pose_bodies", s.pose_bodies(&[goal]), "body 77"),
        told("pull_bodies", s.pull_bodies(&[pull(goal)]), "body 77"),
        told("ride_walkers", s.ride_walkers(&[ride(body)]), "body 77"),
        told("direct", s.direct(&mut Wrong), "body 77"),
        told("push", s.push(Push::impulse(thing, Vec3::X)), "body 77"),
        told("push_all", s.push_all(&[Push::force(thing, Vec3::X)]), "body 77"),
        told("release_bodies", s.release_bodies(&[body]), "body 77"),
        told("read_body", s.read_body(body), "body 77"),
        told("wake_body", s.wake_body(body), "body 77"),
        told("remove_body", s.remove_body(body), "body 77"),
        told("remove_field", s.remove_field(FieldId(NONE)), "77"),
        told("remove_listener", s.remove_listener(ListenerId(NONE)), "listener 77"),
        told("remove_sensor", s.remove_sensor(SensorId(NONE)), "sensor 77"),
        told("remove_walker", s.remove_walker(body), "body 77"),
        told("request_particles", s.request_particles(Thing::Deformable(object)), "77"),
        told("request_poses", s.request_poses(&[body]), "body 77"),
        told("room_in", s.room_in(PoolId(NONE)), "pool 77"),
        told("set_body_pose", s.set_body_pose(body, Vec3::Y, Quat::IDENTITY, Vec3::ZERO, Vec3::ZERO), "body 77"),
        told("set_collider_pose", s.set_collider_pose(collider, NAN, Quat::IDENTITY, NAN, NAN), "collider 77"),
        told("set_surface_velocity", s.set_surface_velocity(collider, NAN), "collider 77"),
        told("set_collider_present", s.set_collider_present(collider, false), "collider 77"),
        told("set_compliance", s.set_compliance(object, Give::Bend, Compliance::Each(0.0)), "77"),
        told("add_pressure", s.add_pressure(object), "77"),
        told("set_pressure", s.set_pressure(object, 1.0), "77"),
        told("pressure", s.pressure(object), "77"),
        told("set_drag", s.set_drag(Some(Drag { body, local: NAN, goal: NAN, max_force: 1.0 })), "body 77"),
        told("set_dynamics", s.set_dynamics(body, Dynamics::default()), "body 77"),
        told("set_field", s.set_field(FieldId(NONE), Field::drag(1.0)), "77"),
        told("set_hold_strengths", s.set_hold_strengths(&[HoldStrength { body, impulse: 1.0 }]), "body 77"),
        told("set_layers", s.set_layers(thing, Layers::default()), "77"),
        told("set_mass", s.set_mass(body, 1.0), "body 77"),
        told("set_surface", s.set_surface(thing, Surface::default()), "body 77"),
        told("set_user_data", s.set_user_data(thing, 1), "body 77"),
        told("spawn_from", s.spawn_from(PoolId(NONE), HERE, Vec3::ZERO), "pool 77"),
        told("surface", s.surface(thing), "body 77"),
        told("walk", s.walk(body, Vec3::X), "body 77"),
        told("walker", s.walker(body), "body 77"),
    ]
}

/// Joints that the scene does not have.
fn no_joint(s: &mut Solver) -> Vec<Told> {
    let joint = JointId(NONE);
    vec![
        told("break_joint", s.break_joint(joint), "joint 77"),
        told("set_break_force", s.set_break_force(joint, 1.0), "joint 77"),
        told("read_joint_load", s.read_joint_load(joint), "joint 77"),
        told("request_joint_loads", s.request_joint_loads(&[joint.into()]), "joint 77"),
        told("set_joint_damping", s.set_joint_damping(joint, 1.0), "joint 77"),
        told("set_joint_enabled", s.set_joint_enabled(joint, false), "joint 77"),
        told("set_joint_friction", s.set_joint_friction(joint, 1.0), "joint 77"),
        told("set_joint_limits", s.set_joint_limits(joint, Limits::Free), "joint 77"),
        told("set_joint_travel", s.set_joint_travel(joint, [Travel::NONE; 3]), "joint 77"),
        told("set_motor", s.set_motor(joint, None), "joint 77"),
    ]
}

/// What is no number, or has another unit than is meant: one that cannot be.
fn numbers(s: &mut Solver) -> Vec<Told> {
    let (body, nan) = (BodyId(0), f32::NAN);
    let (thing, walker) = (Thing::Body(body), BodyId(3));
    let mut encoder = Context::shared().unwrap().device.create_command_encoder(&Default::default());
    let goal = BodyGoal { body, from: HERE, to: FAR };
    let rope = JointDesc::rope(body, BodyId(1), Vec3::ZERO, Vec3::ZERO, 1.0);
    let (surface, turned) = (Surface { friction: nan, restitution: 0.0 }, Quat::from_xyzw(0.0, 0.0, 0.0, 9.0));
    let object = DeformableId(0);
    let corner = s.scene().deformables[0].first_particle;
    vec![
        told("add_collider", s.add_collider(Collider::new(Shape::Sphere(-1.0), Vec3::Y)), "radius"),
        told("add_emitter", s.add_emitter(&Emitter { speed: nan, ..Emitter::new("spout", LiquidId(0)) }), "speed"),
        told("add_field", s.add_field(Field::drag(nan)), "rate"),
        told("cut", s.cut(&Blade { triangles: vec![[NAN; 3]] }), "blade"),
        told("add_joint", s.add_joint(rope, [HERE, FAR]), "position"),
        told("add_joint", s.add_joint(JointDesc { friction: -1.0, ..rope }, [HERE; 2]), "friction"),
        told("add_sensor", s.add_sensor(Sensor::new(Shape::Sphere(nan), HERE)), "radius"),
        told("add_walker", s.add_walker(walker, Walker { slope: 90.0, ..Walker::default() }), "slope"),
        told("explode", s.explode(Explosion::new(NAN, 1.0, 1.0)), "center"),
        told("follow", s.follow(&Cues { goals: vec![goal], ..Cues::default() }), "position"),
        told("interpolate", s.interpolate(nan).map(drop), "alpha"),
        told("record_interpolated", s.record_interpolated(&mut encoder, nan).map(drop), "alpha"),
        told("interpolate_colliders", s.interpolate_colliders(2.0), "alpha"),
        told("jump", s.jump(walker, nan), "speed"),
        told("listen", s.listen(Listener::on(thing).at_least_speed(-1.0)), "threshold"),
        told("move_bodies", s.move_bodies(&[moving(goal.body, goal.to)]), "position"),
        told("pin", s.pin(corner, Some(NAN)), "place"),
        told("attach", s.attach(corner, body, nan), "compliance"),
        told("pose_bodies", s.pose_bodies(&[goal]), "position"),
        told("pull_bodies", s.pull_bodies(&[pull(goal)]), "position"),
        told("ride_walkers", s.ride_walkers(&[Ride { to: NAN, ..ride(body) }]), "position"),
        told("push", s.push(Push::impulse(thing, NAN)), "impulse"),
        told("push_all", s.push_all(&[Push::force(thing, Vec3::X).lasting(nan)]), "duration"),
        told("set_body_pose", s.set_body_pose(body, Vec3::Y, turned, Vec3::ZERO, Vec3::ZERO), "rotation"),
        told("set_break_force", s.set_break_force(JointId(0), -1.0), "break force"),
        told("set_collider_pose", s.set_collider_pose(ColliderId(0), NAN, Quat::IDENTITY, NAN, NAN), "position"),
        told("set_surface_velocity", s.set_surface_velocity(ColliderId(0), NAN), "surface velocity"),
        told("set_compliance", s.set_compliance(object, Give::Stretch, Compliance::Each(-1.0)), "compliance"),
        told("set_pressure", s.set_pressure(object, 2.0), "pressure"),
        told("set_drag", s.set_drag(Some(Drag { body, local: NAN, goal: NAN, max_force: 1.0 })), "grabbed point"),
        told("set_drag", s.set_drag(Some(Drag { body, local: Vec3::X, goal: Vec3::X, max_force: -1.0 })), "force"),
        told("set_dynamics", s.set_dynamics(body, Dynamics { linear_damping: -1.0, ..Dynamics::default() }), "damping"),
        told("set_hold_strengths", s.set_hold_strengths(&[HoldStrength { body, impulse: nan }]), "hold strength"),
        told("set_joint_damping", s.set_joint_damping(JointId(0), nan), "damping"),
        told("set_joint_friction", s.set_joint_friction(JointId(0), -1.0), "friction"),
        told("set_joint_limits", s.set_joint_limits(JointId(0), Limits::Hinge { min: 90.0, max: -90.0 }), "angle"),
        told("set_joint_travel", s.set_joint_travel(JointId(0), [Travel::between(0.0, 1.0); 3]), "travel"),
        told("set_mass", s.set_mass(body, 0.0), "mass"),
        told("set_motor", s.set_motor(JointId(0), Some(Motor::speed(nan, 1.0))), "speed"),
        told("set_params", s.set_params(Params { dt: -1.0, ..*s.params() }), "dt"),
        told("set_surface", s.set_surface(thing, surface), "friction"),
        told("spawn_from", s.spawn_from(PoolId(0), FAR, Vec3::ZERO), "position"),
        told("walk", s.walk(walker, NAN), "velocity"),
    ]
}

/// Numbers that cannot be, for a joint that was added to the running world.
fn numbers_of_added_joints(s: &mut Solver) -> Vec<Told> {
    let joint = s.add_joint(rope(), [HERE; 2]).unwrap();
    let told = vec![
        told("set_break_force", s.set_break_force(joint, -1.0), "break force"),
        told("set_joint_damping", s.set_joint_damping(joint, f32::NAN), "damping"),
        told("set_joint_friction", s.set_joint_friction(joint, -1.0), "friction"),
        told("set_joint_travel", s.set_joint_travel(joint, [Travel::between(1.0, 0.0); 3]), "travel"),
        told("set_motor", s.set_motor(joint, Some(Motor::speed(f32::NAN, 1.0))), "speed"),
    ];
    s.remove_joint(joint).unwrap();
    told
}

/// A rope between two that are there.
fn rope() -> JointDesc {
    JointDesc::rope(BodyId(0), BodyId(3), Vec3::ZERO, Vec3::ZERO, 9.0)
}

fn spout() -> Emitter {
    Emitter { budget: 50, ..Emitter::new("spout", LiquidId(0)) }
}

/// Handles of what was there.
struct Gone {
    copy: Spawned,
    collider: AddedCollider,
    collider_id: ColliderId,
    emitter: AddedEmitter,
    joint: AddedJoint,
    pin: Pinned,
    attached: Attached,
    field: FieldId,
    sensor: SensorId,
    ticket: Ticket,
}

impl Gone {
    fn leave(s: &mut Solver) -> Self {
        s.remove_body(BodyId(2)).unwrap();
        let copy = s.spawn_from(PoolId(0), Placement { position: vec3(6.0, 1.0, 0.0), ..HERE }, Vec3::ZERO).unwrap();
        s.despawn(copy).unwrap();
        let collider = s.add_collider(Collider::new(Shape::Sphere(0.1), vec3(9.0, 0.0, 0.0))).unwrap();
        let collider_id = s.collider(collider).unwrap();
        s.remove_collider(collider).unwrap();
        let emitter = s.add_emitter(&spout()).unwrap();
        s.remove_emitter(emitter).unwrap();
        let joint = s.add_joint(rope(), [HERE; 2]).unwrap();
        s.remove_joint(joint).unwrap();
        let pin = s.pin(s.scene().deformables[0].first_particle, None).unwrap();
        s.unpin(pin).unwrap();
        let attached = s.attach(s.scene().deformables[0].first_particle, BodyId(0), 0.0).unwrap();
        s.detach(attached).unwrap();
        let field = s.add_field(Field::drag(1e-6)).unwrap();
        s.remove_field(field).unwrap();
        let sensor = s.add_sensor(Sensor::new(Shape::Sphere(1.0), HERE)).unwrap();
        s.remove_sensor(sensor).unwrap();
        let ticket = s.ask(&[Query::ray(Vec3::Y, Vec3::X, 1.0)]).unwrap();
        while s.take_answers(&ticket).unwrap().is_none() {
            s.step();
        }
        Self { copy, collider, collider_id, emitter, joint, pin, attached, field, sensor, ticket }
    }
}

/// What has left, and what another world has.
fn stale(context: &Context, s: &mut Solver) -> Vec<Told> {
    let Gone { copy, collider, collider_id, emitter, joint, pin, attached, field, sensor, ticket } = Gone::leave(s);
    let body = BodyId(2);
    let goal = BodyGoal { body, from: HERE, to: FAR };
    let mut small = Scene::default();
    small.add_collider(Collider::ground(0.0)).unwrap();
    let other = Solver::new(context, &small).unwrap().save().unwrap();
    let wide = Emitter { radius: 5.0, ..spout() };
    vec![
        told("add_collider", s.add_collider(Collider::ground(0.0).one_way(Vec3::Y)), "one-way"),
        told("add_emitter", s.add_emitter(&wide), "wide"),
        told("add_joint", s.add_joint(JointDesc { b: body, ..rope() }, [HERE; 2]), "removed"),
        told("add_walker", s.add_walker(body, Walker::default()), "removed"),
        told("attach", s.attach(s.scene().deformables[0].first_particle, body, 0.0), "removed"),
        told("attachment", s.attachment(attached), "attachment in reserved place 0"),
        told("detach", s.detach(attached), "attachment in reserved place 0"),
        told("collider", s.collider(collider), "collider in reserved place 0"),
        told("despawn", s.despawn(copy), "left the world"),
        told("footing", s.footing(BodyId(1)), "walk"),
        told("inside", s.inside(sensor), "sensor"),
        told("is_collider_present", s.is_collider_present(collider_id), "reserved place"),
        told("joint", s.joint(joint), "joint in reserved place 0"),
        told("break_joint", s.break_joint(joint), "joint in reserved place 0"),
        told("set_break_force", s.set_break_force(joint, 1.0), "joint in reserved place 0"),
        told("read_joint_load", s.read_joint_load(joint), "joint in reserved place 0"),
        told("request_joint_loads", s.request_joint_loads(&[joint.into()]), "joint in reserved place 0"),
        told("set_joint_damping", s.set_joint_damping(joint, 1.0), "joint in reserved place 0"),
        told("set_joint_enabled", s.set_joint_enabled(joint, true), "joint in reserved place 0"),
        told("set_joint_friction", s.set_joint_friction(joint, 1.0), "joint in reserved place 0"),
        told("set_surface_velocity", s.set_surface_velocity(collider_id, Vec3::X), "reserved place"),
        told("set_joint_limits", s.set_joint_limits(joint, Limits::Free), "joint in reserved place 0"),
        told("set_joint_travel", s.set_joint_travel(joint, [Travel::NONE; 3]), "joint in reserved place 0"),
        told("set_motor", s.set_motor(joint, None), "joint in reserved place 0"),
        told("jump", s.jump(BodyId(1), 1.0), "walk"),
        told("listen", s.listen(Listener::on(Thing::Body(body))), "removed"),
        told("part", s.part(copy), "left the world"),
        told("place_sensor", s.place_sensor(sensor, HERE), "sensor"),
        told("push", s.push(Push::impulse(Thing::Body(body), Vec3::X)), "removed"),
        told("remove_collider", s.remove_collider(collider), "collider in reserved place 0"),
        told("remove_emitter", s.remove_emitter(emitter), "emitter in reserved place 0"),
        told("remove_field", s.remove_field(field), "field"),
        told("remove_joint", s.remove_joint(joint), "joint in reserved place 0"),
        told("remove_sensor", s.remove_sensor(sensor), "sensor"),
        told("remove_walker", s.remove_walker(BodyId(1)), "walk"),
        told("restore", s.restore(&other), "another world"),
        told("set_body_pose", s.set_body_pose(body, Vec3::Y, Quat::IDENTITY, Vec3::ZERO, Vec3::ZERO), "removed"),
        told("set_collider_pose", s.set_collider_pose(collider_id, NAN, Quat::IDENTITY, NAN, NAN), "reserved place"),
        told("set_collider_present", s.set_collider_present(collider_id, true), "reserved place"),
        told("set_drag", s.set_drag(Some(Drag { body, local: NAN, goal: NAN, max_force: 1.0 })), "removed"),
        told("set_dynamics", s.set_dynamics(body, Dynamics::default()), "removed"),
        told("set_field", s.set_field(field, Field::drag(1.0)), "field"),
        told("set_layers", s.set_layers(Thing::Body(body), Layers::default()), "removed"),
        told("set_mass", s.set_mass(body, 1.0), "removed"),
        told("set_surface", s.set_surface(Thing::Body(body), Surface::default()), "removed"),
        told("spawn", s.spawn(&small), "fewer"),
        told("take_answers", s.take_answers(&ticket), "no answers"),
        told("unpin", s.unpin(pin), "no longer"),
        told("walk", s.walk(BodyId(1), Vec3::X), "walk"),
        told("follow", s.follow(&Cues { released: vec![BodyId(NONE)], ..Cues::default() }), "body 77"),
        told("pose_bodies", s.pose_bodies(&[goal]), "position"),
    ]
}

/// Calls that take neither a handle nor a number that could be wrong, or have an answer for each.
const ALWAYS_RIGHT: [&str; 41] = [
    "added_joints",
    "count_clashes",
    "counts",
    "events_dropped",
    "frame",
    "health",
    "is_ready",
    "memory",
    "new",
    "params",
    "pass_times",
    "read_bodies",
    "read_broken_added_joints",
    "read_broken_joints",
    "read_health",
    "read_joint_loads",
    "read_joint_places",
    "read_joint_rotations",
    "read_particle_velocities",
    "read_particles",
    "read_placements",
    "read_positions",
    "read_torn",
    "read_triangles",
    "read_velocities",
    "record",
    "reload_shaders",
    "reload_shaders_from",
    "revision",
    "save",
    "save_into",
    "scene",
    "set_timing",
    "spawned_of",
    "step",
    "stop_interpolating",
    "stop_listening",
    "take_events",
    "take_events_now",
    "view",
    "wait",
];
const TAKEN: [&str; 4] = ["take_joint_loads", "take_particles", "take_poses", "take_struck"];

/// The names of all calls of a solver.
fn calls() -> BTreeSet<&'static str> {
    let lines = include_str!("api.txt").lines().filter_map(|line| line.strip_prefix("sinew::solver Solver::"));
    lines.filter_map(|line| line.split(['(', '<']).next()).collect()
}

#[test]
fn every_call_refuses_what_is_wrong_by_its_name() {
    let context = Context::shared().expect("adapter");
    let mut solver = Solver::new(&context, &scene()).unwrap();
    solver.add_walker(BodyId(3), Walker::default()).unwrap();
    let mut tested: BTreeSet<&str> = ALWAYS_RIGHT.iter().chain(&TAKEN).copied().collect();
    let mut wrong = Vec::new();
    for table in [
        nobody(&mut solver),
        no_joint(&mut solver),
        numbers(&mut solver),
        numbers_of_added_joints(&mut solver),
        stale(&context, &mut solver),
    ] {
        for (call, error, word) in table {
            tested.insert(call);
            match error {
                None => wrong.push(format!("{call} took what is wrong: {word}")),
                Some(error) if !error.to_string().contains(word) => wrong.push(format!("{call} says {error}: {word}")),
                Some(_) => {}
            }
        }
    }
    assert_eq!(wrong, Vec::<String>::new());
    assert_eq!(solver.spawned_of(Thing::Body(BodyId(NONE))), None);
    let untested: Vec<&str> = calls().difference(&tested).copied().collect();
    assert_eq!(untested, Vec::<&str>::new(), "calls that no table has");
    // And the world goes on.
    (0..10).for_each(|_| solver.step());
    let health = solver.read_health().unwrap();
    assert!(health.is_good(), "{health:?}");
    assert_eq!(context.take_errors(), Vec::<String>::new());
}
