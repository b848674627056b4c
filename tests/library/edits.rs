//! Edits of a running world do what they say, and nothing else.

use glam::{Quat, Vec3, vec3};
use sinew::constraints::{Compliance, Give};
use sinew::gpu::Context;
use sinew::scene::{
    Blade, BodyDesc, BodyGoal, BodyId, Collider, Cues, Deformable, Dynamics, Field, Grains, HoldStrength, JointDesc,
    JointId, JointKind, Layers, Motor, Params, ParticleId, Placement, Push, RopeMaterial, Scene, Shape, SheetGrid,
    SheetMaterial, Surface, Thing,
};
use sinew::solver::{BodyState, Query, Solver, SolverError};

const RADIUS: f32 = 0.05;

fn cube(half: f32) -> BodyDesc {
    BodyDesc::cuboid(Vec3::splat(half), RADIUS)
}

fn zero_gravity() -> Scene {
    let mut scene = Scene::default();
    scene.params.gravity = Vec3::ZERO;
    scene
}

fn on_ground() -> Scene {
    let mut scene = Scene::default();
    scene.add_collider(Collider::ground(0.0)).unwrap();
    scene
}

fn solver(scene: &Scene) -> Solver {
    Solver::new(&Context::shared().expect("adapter"), scene).unwrap()
}

fn run(solver: &mut Solver, frames: usize) {
    (0..frames).for_each(|_| solver.step());
}

fn body(solver: &Solver, id: BodyId) -> BodyState {
    solver.read_bodies().unwrap()[id.0 as usize]
}

fn center(solver: &Solver, id: BodyId) -> Vec3 {
    body(solver, id).center.into()
}

fn asleep(solver: &Solver) -> Vec<bool> {
    solver.read_bodies().unwrap().iter().map(|b| b.inv_mass == 0.0).collect()
}

#[test]
fn what_leans_on_a_body_wakes_when_it_is_posed_elsewhere() {
    let mut scene = on_ground();
    let lower = scene.add_body(cube(0.15).at(Vec3::Y * 0.15)).unwrap();
    let upper = scene.add_body(cube(0.15).at(Vec3::Y * 0.45)).unwrap();
    let top = scene.add_body(cube(0.15).at(Vec3::Y * 0.75)).unwrap();
    scene.add_body(cube(0.15).at(vec3(4.0, 0.15, 0.0))).unwrap();
    let mut solver = solver(&scene);
    run(&mut solver, 90);
    assert_eq!(asleep(&solver), [true; 4]);
    solver.set_body_pose(lower, vec3(-4.0, 0.15, 0.0), Quat::IDENTITY, Vec3::ZERO, Vec3::ZERO).unwrap();
    run(&mut solver, 20);
    let heights = [upper, top].map(|id| center(&solver, id).y);
    assert!(heights[0] < 0.3 && heights[1] < 0.6, "they hang {heights:?} m high");
    assert!(asleep(&solver)[3], "what is far away sleeps on");
}

#[test]
fn all_that_is_jointed_to_a_body_wakes_when_it_is_thrown() {
    let mut scene = on_ground();
    let mut previous = None;
    for i in 0..5 {
        let x = 0.42 * i as f32;
        let id = scene.add_body(BodyDesc::cuboid(vec3(0.2, 0.1, 0.1), RADIUS).at(vec3(x, 0.1, 0.0))).unwrap();
        if let Some(before) = previous {
            let pivot = vec3(x - 0.21, 0.1, 0.0);
            scene.add_joint(JointDesc::new(JointKind::Ball, before, id, pivot, Vec3::X, RADIUS)).unwrap();
        }
        previous = Some(id);
    }
    let mut solver = solver(&scene);
    run(&mut solver, 90);
    assert_eq!(asleep(&solver), [true; 5]);
    let middle = BodyId(2);
    let at = body(&solver, middle).placement();
    solver.set_body_pose(middle, at.position, at.rotation, Vec3::Y * 15.0, Vec3::ZERO).unwrap();
    let mut highest = 0.0_f32;
    for _ in 0..30 {
        solver.step();
        highest = highest.max(center(&solver, middle).y);
    }
    // A fifth of the mass has 15 m/s: all together 3 m/s, and more for a moment.
    assert!(highest > 0.4, "it rises to {highest} m");
}

#[test]
fn boxes_made_into_one_another_part_no_faster_than_told() {
    let turn = Quat::from_rotation_y(0.3) * Quat::from_rotation_z(0.2);
    let straight = Quat::IDENTITY;
    // How far apart each pair is made [m] and how it is turned, and the most speed of centers over that of contacts: turned ones
    // spin as well.
    let floating =
        [(0.25, straight, 1.1), (0.15, straight, 1.1), (0.0, straight, 1.1), (0.25, turn, 1.8), (0.0, turn, 1.8)];
    let standing = [(0.25, straight, 1.2), (0.05, straight, 1.2)];
    for (mut scene, pairs) in [(zero_gravity(), &floating[..]), (on_ground(), &standing)] {
        for (k, (apart, rotation, _)) in pairs.iter().enumerate() {
            let at = vec3(0.0, 0.2, 8.0 * k as f32);
            scene.add_body(cube(0.2).at(at)).unwrap();
            scene.add_body(cube(0.2).at(at + Vec3::X * *apart).rotated(*rotation)).unwrap();
        }
        let mut solver = solver(&scene);
        let mut fastest = vec![0.0_f32; pairs.len()];
        for _ in 0..30 {
            solver.step();
            for (fastest, pair) in fastest.iter_mut().zip(solver.read_bodies().unwrap().chunks(2)) {
                *fastest = fastest.max(Vec3::from(pair[0].velocity).distance(pair[1].velocity.into()));
            }
        }
        let bodies = solver.read_bodies().unwrap();
        for ((pair, fastest), (apart, _, most)) in bodies.chunks(2).zip(fastest).zip(pairs) {
            let gap = (Vec3::from(pair[1].center) - Vec3::from(pair[0].center)).abs().max_element() - 0.4;
            println!("{apart} m apart: at most {fastest} m/s, {gap} m between them half a second later");
            assert!(fastest < most * scene.params.depenetration_speed, "{apart} m apart: {fastest} m/s");
            assert!(gap > -0.2 * RADIUS, "{apart} m apart: {gap} m");
        }
    }
}

/// Three joined bodies of 20 kg each, held still, and a ball of 7 kg that comes at the middle one.
fn held_and_struck(speed: f32, impulse: f32) -> (Solver, Vec<BodyId>) {
    let mut scene = zero_gravity();
    let mut ids = Vec::new();
    for i in 0..3 {
        let desc = BodyDesc::cuboid(vec3(0.15, 0.2, 0.15), RADIUS).with_mass(20.0).at(Vec3::Y * 0.45 * i as f32);
        ids.push(scene.add_body(desc).unwrap());
        if i > 0 {
            let pivot = Vec3::Y * (0.45 * i as f32 - 0.225);
            scene.add_joint(JointDesc::new(JointKind::Stiff, ids[i - 1], ids[i], pivot, Vec3::Y, RADIUS)).unwrap();
        }
    }
    let ball = BodyDesc::sphere(0.12, 0.04).with_mass(7.0).at(vec3(-0.6, 0.45, 0.0));
    ids.push(scene.add_body(BodyDesc { velocity: Vec3::X * speed, ..ball }).unwrap());
    let mut solver = solver(&scene);
    let stay: Vec<BodyGoal> = ids[..3]
        .iter()
        .map(|id| {
            let at = Placement { position: scene.body(*id).position, ..Placement::IDENTITY };
            BodyGoal { body: *id, from: at, to: at }
        })
        .collect();
    let strengths = ids[..3].iter().map(|body| HoldStrength { body: *body, impulse }).collect();
    let mut cues = Cues { goals: stay, strengths, ..Cues::default() };
    for _ in 0..40 {
        let struck = solver.take_struck();
        cues.goals.retain(|goal| !struck.contains(&goal.body));
        solver.follow(&cues).unwrap();
        solver.step();
    }
    (solver, ids)
}

#[test]
fn a_hard_blow_strikes_bodies_out_of_their_hold_and_keeps_momentum() {
    for (speed, impulse, lets_go) in [(14.0, 30.0, true), (2.0, 30.0, false), (14.0, f32::INFINITY, false)] {
        let (solver, ids) = held_and_struck(speed, impulse);
        let velocities: Vec<Vec3> = ids.iter().map(|id| body(&solver, *id).velocity.into()).collect();
        let momentum = 20.0 * velocities[..3].iter().sum::<Vec3>() + 7.0 * velocities[3];
        let moved = center(&solver, ids[1]).x;
        println!("{speed} m/s on {impulse} N s: moved by {moved} m, momentum {momentum} of {}", 7.0 * speed);
        assert_eq!(moved > 0.3, lets_go, "{speed} m/s on {impulse} N s: moved by {moved} m");
        if lets_go {
            assert!((momentum.x / (7.0 * speed) - 1.0).abs() < 0.02, "{momentum} kg m/s of {}", 7.0 * speed);
        } else {
            assert!(moved.abs() < 1e-6);
        }
        assert!(solver.read_health().unwrap().is_good());
    }
}

#[test]
fn spawning_keeps_the_parameters_that_run() {
    let mut scene = on_ground();
    scene.add_body(cube(0.15).at(Vec3::Y)).unwrap();
    let mut solver = solver(&scene);
    let edited = Params { gravity: Vec3::Y * -1.6, friction_scale: 0.1, substeps: 4, ..scene.params };
    solver.set_params(edited).unwrap();
    scene.add_body(cube(0.15).at(Vec3::Y * 2.0)).unwrap();
    solver.spawn(&scene).unwrap();
    assert_eq!(*solver.params(), edited);
}

/// Floating crates, a hinge, ground, a rope and sand.
fn things() -> Scene {
    let mut scene = on_ground();
    for x in 0..3 {
        scene.add_body(cube(0.15).at(vec3(2.0 * x as f32, 0.2, 0.0))).unwrap();
    }
    let frame = scene.add_body(BodyDesc { kinematic: true, ..cube(0.15).at(vec3(6.0, 1.0, 0.0)) }).unwrap();
    let wheel = scene.add_body(cube(0.15).at(vec3(6.0, 1.0, 0.5))).unwrap();
    let hinge = JointDesc::new(JointKind::Hinge, frame, wheel, vec3(6.0, 1.0, 0.25), Vec3::Z, RADIUS);
    scene.add_joint(hinge).unwrap();
    let points = (0..4).map(|i| vec3(-1.0, 1.0 + 0.1 * i as f32, 0.0)).collect();
    let rope = Deformable::rope("rope", points, 0.02, &RopeMaterial::default()).unwrap();
    scene.add_deformable(&rope, Vec3::ZERO, Quat::IDENTITY, Vec3::ZERO).unwrap();
    let sand = scene.add_grains(Grains::sand(0.05)).unwrap();
    scene.heap(sand, &[vec3(-3.0, 0.05, 0.0)], Vec3::ZERO).unwrap();
    scene
}

/// Each edit, and how it is seen in the scene that runs.
type Edit = (&'static str, fn(&mut Solver), fn(&Scene) -> String);

fn edits() -> [Edit; 9] {
    use sinew::scene::{ColliderId, DeformableId, GrainsId};
    const ICE: Surface = Surface { friction: 0.01, restitution: 0.0 };
    const NOWHERE: Layers = Layers { of: 2, meets: 0 };
    [
        ("mass", |s| s.set_mass(BodyId(0), 5.0).unwrap(), |s| format!("{} {}", s.bodies[0].mass, s.bodies[0].inertia)),
        (
            "dynamics",
            |s| s.set_dynamics(BodyId(0), Dynamics { gravity_scale: 0.0, ..Dynamics::default() }).unwrap(),
            |s| format!("{:?}", s.bodies[0].dynamics),
        ),
        (
            "surface of a body",
            |s| s.set_surface(Thing::Body(BodyId(1)), ICE).unwrap(),
            |s| format!("{:?}", s.bodies[1].surface),
        ),
        (
            "surface of a collider",
            |s| s.set_surface(Thing::Collider(ColliderId(0)), ICE).unwrap(),
            |s| format!("{:?}", s.colliders[0].surface),
        ),
        (
            "friction of a rope",
            |s| s.set_surface(Thing::Deformable(DeformableId(0)), ICE).unwrap(),
            |s| format!("{:?}", s.deformables[0].friction),
        ),
        (
            "compliance of a rope",
            |s| s.set_compliance(DeformableId(0), Give::Stretch, Compliance::Times(3.0)).unwrap(),
            |s| format!("{:?}", s.deformables[0].gives),
        ),
        (
            "friction of sand",
            |s| s.set_surface(Thing::Grains(GrainsId(0)), ICE).unwrap(),
            |s| format!("{:?}", s.grains[0].friction),
        ),
        (
            "layers",
            |s| s.set_layers(Thing::Body(BodyId(2)), NOWHERE).unwrap(),
            |s| format!("{:?}", s.layers_of(Thing::Body(BodyId(2)))),
        ),
        (
            "motor",
            |s| s.set_motor(JointId(0), Some(Motor::speed(2.0, 5.0))).unwrap(),
            |s| format!("{:?}", s.joints[0].desc.motor),
        ),
    ]
}

#[test]
fn spawning_keeps_every_edit_though_the_caller_does_not_know_of_it() {
    let (scene, edits) = (things(), edits());
    let mut grown = scene.clone();
    let new = grown.add_body(cube(0.15).at(vec3(0.0, 3.0, 0.0))).unwrap();
    grown.set_layers(Thing::Body(new), Layers { of: 4, meets: u32::MAX }).unwrap();
    let mut solver = solver(&scene);
    for (name, edit, seen) in edits {
        let before = seen(solver.scene());
        edit(&mut solver);
        let after = seen(solver.scene());
        assert_ne!(before, after, "{name}");
        assert_eq!(seen(&scene), before, "{name}: the caller does not know");
    }
    let known: Vec<String> = edits.iter().map(|(.., seen)| seen(solver.scene())).collect();
    solver.spawn(&grown).unwrap();
    for ((name, _, seen), known) in edits.iter().zip(known) {
        assert_eq!(seen(solver.scene()), known, "{name}");
    }
    assert_eq!(solver.scene().layers_of(Thing::Body(new)).of, 4, "what is new is as the caller has it");
    // They act, too.
    solver.push(Push::impulse(BodyId(0), Vec3::Y * 5.0)).unwrap();
    run(&mut solver, 30);
    let states = solver.read_bodies().unwrap();
    assert!((states[0].velocity[1] - 1.0).abs() < 1e-3, "5 kg without weight: {:?}", states[0].velocity);
    assert!(states[2].center[1] < -0.5, "it falls through the ground: {:?}", states[2].center);
    let turning = states[4].angular_velocity[2] - states[3].angular_velocity[2];
    assert!((turning - 2.0).abs() < 0.1, "the motor turns it at {turning} rad/s");
}

#[test]
fn a_pause_keeps_time_and_what_the_host_moves() {
    let mut scene = zero_gravity();
    let held = scene.add_body(cube(0.15)).unwrap();
    let free = scene.add_body(BodyDesc { velocity: Vec3::X, ..cube(0.15).at(Vec3::Y * 2.0) }).unwrap();
    let mut solver = solver(&scene);
    let dt = scene.params.dt;
    let at = |frame: u16| Placement { position: Vec3::Z * (3.0 * dt * f32::from(frame)), ..Placement::IDENTITY };
    for frame in 0..5 {
        solver.pose_bodies(&[BodyGoal { body: held, from: at(frame), to: at(frame + 1) }]).unwrap();
        solver.step();
    }
    let (before, time) = (solver.read_bodies().unwrap(), solver.view().time);
    solver.set_params(Params { dt: 0.0, ..scene.params }).unwrap();
    for _ in 0..3 {
        solver.pose_bodies(&[BodyGoal { body: held, from: at(5), to: at(5) }]).unwrap();
        solver.step();
    }
    assert_eq!(solver.read_bodies().unwrap(), before);
    assert_eq!(solver.view().time, time);
    // Let go of during the pause, it goes on as it moved before.
    solver.release_bodies(&[held]).unwrap();
    solver.set_params(scene.params).unwrap();
    run(&mut solver, 10);
    let (held, free) = (center(&solver, held), center(&solver, free));
    assert!(held.distance(at(15).position) < 1e-3, "the released one is at {held}");
    assert!((free.x - 15.0 * dt).abs() < 1e-3, "the free one is at {free}");
    assert!(solver.read_health().unwrap().is_good());
}

#[test]
fn parameters_out_of_range_are_refused_by_name() {
    let mut scene = zero_gravity();
    scene.add_body(cube(0.15)).unwrap();
    let mut solver = solver(&scene);
    for dt in [f32::NAN, f32::INFINITY, -0.01, 1.0, 1e-9] {
        let refused = solver.set_params(Params { dt, ..scene.params });
        assert!(matches!(refused, Err(SolverError::Scene(_))), "{dt}: {refused:?}");
        assert!(refused.unwrap_err().to_string().contains("`dt`"));
    }
    assert_eq!(*solver.params(), scene.params);
}

#[test]
fn time_adds_up_when_the_frame_gets_shorter() {
    let mut scene = zero_gravity();
    scene.add_body(cube(0.15)).unwrap();
    let mut solver = solver(&scene);
    run(&mut solver, 30);
    let before = solver.view().time;
    assert!((before - 0.5).abs() < 1e-6, "{before} s");
    solver.set_params(Params { dt: 0.1 / 60.0, ..scene.params }).unwrap();
    assert_eq!(solver.view().time, before);
    run(&mut solver, 30);
    assert!((solver.view().time - 0.55).abs() < 1e-6, "{} s", solver.view().time);
}

#[test]
fn a_removed_body_stays_removed() {
    let mut scene = on_ground();
    let gone = scene.add_body(cube(0.15).at(Vec3::Y)).unwrap();
    let left = scene.add_body(cube(0.15).at(vec3(1.0, 0.15, 0.0))).unwrap();
    let mut solver = solver(&scene);
    solver.remove_body(gone).unwrap();
    let posed = solver.set_body_pose(gone, Vec3::Y, Quat::IDENTITY, Vec3::ZERO, Vec3::ZERO);
    assert_eq!(posed, Err(SolverError::Removed(gone)));
    run(&mut solver, 2);
    assert_eq!(body(&solver, gone).rotation, [0.0; 4]);
    scene.add_joint(JointDesc::new(JointKind::Ball, gone, left, Vec3::Y, Vec3::X, RADIUS)).unwrap();
    assert_eq!(solver.spawn(&scene), Err(SolverError::Removed(gone)));
}

#[test]
fn a_joint_takes_running_bodies_where_they_are() {
    let mut scene = zero_gravity();
    let a = scene.add_body(BodyDesc { velocity: Vec3::X, ..cube(0.15) }).unwrap();
    let spin = Vec3::Y * 0.5;
    let b = scene.add_body(BodyDesc { angular_velocity: spin, ..cube(0.15).at(vec3(3.0, 0.5, 0.0)) }).unwrap();
    let mut solver = solver(&scene);
    run(&mut solver, 120);
    let before = [a, b].map(|id| center(&solver, id));
    let pivot = 0.5 * (before[0] + before[1]);
    let joint = scene.add_joint(JointDesc::new(JointKind::Ball, a, b, pivot, Vec3::X, RADIUS)).unwrap();
    solver.spawn(&scene).unwrap();
    let frames = |solver: &mut Solver, before: [Vec3; 2], what: &str| {
        run(solver, 1);
        let moved = [a, b].map(|id| center(solver, id)).map(|c| c.distance(before[usize::from(c.y > 0.25)]));
        assert!(moved[0].max(moved[1]) < 0.03, "{what}: they jump by {moved:?} m");
        [a, b].map(|id| body(solver, id).placement())
    };
    let now = frames(&mut solver, before, "joined");
    // The next edit knows of it, whatever the caller's copy says.
    scene.add_body(cube(0.15).at(Vec3::Y * 5.0)).unwrap();
    solver.spawn(&scene).unwrap();
    frames(&mut solver, now.map(|at| at.position), "and one more body");
    run(&mut solver, 60);
    let point = &solver.scene().joint(joint).points[0];
    let [a, b] = [a, b].map(|id| body(&solver, id).placement());
    let gap = a.point(point.local_a).distance(b.point(point.local_b));
    assert!(gap < 1e-3, "the joint is {gap} m open");
    assert!(solver.read_health().unwrap().is_good());
}

#[test]
fn what_was_attached_to_a_removed_body_falls() {
    let grid = SheetGrid::square(6, 0.5);
    let sheet =
        Deformable::sheet("cape", grid.positions(), &grid.triangles(), 0.02, &SheetMaterial::default()).unwrap();
    let mut scene = Scene::default();
    let wearer = scene.add_body(BodyDesc { velocity: Vec3::X * 2.0, ..cube(0.1).at(Vec3::Y * 5.0) }).unwrap();
    let id = scene.add_deformable(&sheet, Vec3::Y * 5.2, Quat::IDENTITY, Vec3::ZERO).unwrap();
    let first = scene.deformables[id.0 as usize].first_particle.0;
    for k in 0..6 {
        scene.attach(ParticleId(first + k), wearer, 0.0).unwrap();
    }
    let mut solver = solver(&scene);
    run(&mut solver, 20);
    let place = |solver: &Solver| Vec3::from_slice(&solver.read_particles().unwrap()[first as usize]);
    let before = place(&solver);
    solver.remove_body(wearer).unwrap();
    run(&mut solver, 1);
    let moved = place(&solver).distance(before);
    assert!(moved < 0.12, "it goes on from where it was: {moved} m in a frame");
    run(&mut solver, 20);
    assert!(place(&solver).y < before.y - 0.5, "and falls: {} from {before}", place(&solver));
}

#[test]
fn a_scene_that_knows_nothing_of_what_was_cut_or_blown_up_is_refused() {
    let mut scene = zero_gravity();
    let points: Vec<Vec3> = (0..11).map(|i| Vec3::X * 0.05 * i as f32).collect();
    let rope = Deformable::rope("rope", points, 0.02, &RopeMaterial::default()).unwrap();
    scene.add_deformable(&rope, Vec3::ZERO, Quat::IDENTITY, Vec3::ZERO).unwrap();
    let mut solver = solver(&scene);
    let edge = |y: f32| [vec3(0.26, y, -1.0), vec3(0.26, y, 1.0)];
    let blade = Blade::swept(edge(-1.0), edge(1.0));
    let before = solver.scene().constraints.len();
    solver.cut(&blade).unwrap();
    assert!(solver.scene().constraints.len() < before, "it is cut");
    scene.add_body(cube(0.1).at(Vec3::Y * 3.0)).unwrap();
    let refused = solver.spawn(&scene);
    assert!(matches!(refused, Err(SolverError::Differs(_) | SolverError::Shrunk(_))), "{refused:?}");
    let mut grown = solver.scene().clone();
    grown.add_body(cube(0.1).at(Vec3::Y * 3.0)).unwrap();
    solver.spawn(&grown).unwrap();
    assert!(solver.scene().constraints.len() < before, "it stays cut");
}

#[test]
fn fields_of_the_running_world_and_of_a_grown_scene_are_kept_apart() {
    let field = |way: Vec3| Field::acceleration(way);
    let mut scene = zero_gravity();
    scene.add_field(field(Vec3::X)).unwrap();
    let mut solver = solver(&scene);
    scene.add_field(field(Vec3::Y)).unwrap();
    solver.spawn(&scene).unwrap();
    assert_eq!(solver.scene().fields.len(), 2);
    let wind = solver.add_field(field(Vec3::Z)).unwrap();
    solver.spawn(&scene).unwrap();
    assert_eq!(solver.scene().fields.len(), 3, "a scene without new ones leaves those that run");
    scene.add_field(field(Vec3::NEG_X)).unwrap();
    assert_eq!(solver.spawn(&scene), Err(SolverError::Differs("fields")));
    let mut grown = solver.scene().clone();
    grown.add_field(field(Vec3::NEG_X)).unwrap();
    solver.spawn(&grown).unwrap();
    assert_eq!(solver.scene().fields.len(), 4);
    let state = solver.save().unwrap();
    let gone = solver.add_field(field(Vec3::NEG_Y)).unwrap();
    solver.restore(&state).unwrap();
    let later = solver.add_field(field(Vec3::NEG_Z)).unwrap();
    assert!(gone != later && gone != wind, "ids are not used again: {gone:?} {later:?}");
    assert!(solver.remove_field(gone).is_err(), "it is not there");
}

#[test]
fn going_back_in_time_is_seen_and_answers_questions_at_once() {
    let mut scene = on_ground();
    scene.add_body(cube(0.1).at(Vec3::Y)).unwrap();
    scene.reserve_colliders(1).unwrap();
    let mut solver = solver(&scene);
    let wall = solver.add_collider(Collider::new(Shape::Sphere(0.2), Vec3::X * 3.0)).unwrap();
    let state = solver.save().unwrap();
    let revision = solver.revision();
    solver.restore(&state).unwrap();
    assert_eq!(solver.revision(), revision, "nothing else is drawn");
    solver.remove_collider(wall).unwrap();
    run(&mut solver, 20);
    let ticket = solver.ask(&[Query::ray(Vec3::Y * 3.0, Vec3::NEG_Y, 9.0)]).unwrap();
    let revision = solver.revision();
    solver.restore(&state).unwrap();
    assert_ne!(solver.revision(), revision, "the wall is drawn again");
    solver.step();
    solver.wait().unwrap();
    assert!(solver.take_answers(&ticket).unwrap().is_some());
}

#[test]
fn what_pressed_a_body_does_not_push_it_elsewhere() {
    let mut scene = on_ground();
    scene.params.gravity = Vec3::ZERO;
    let id = scene.add_body(cube(0.15).with_mass(1.0).at(Vec3::Y * 0.15)).unwrap();
    let mut solver = solver(&scene);
    for _ in 0..30 {
        solver.push(Push::force(id, Vec3::NEG_Y * 500.0)).unwrap();
        solver.step();
    }
    solver.set_body_pose(id, Vec3::Y * 3.0, Quat::IDENTITY, Vec3::ZERO, Vec3::ZERO).unwrap();
    solver.step();
    let velocity = Vec3::from(body(&solver, id).velocity);
    println!("it goes at {velocity} m/s where it was put");
    assert!(velocity.length() < 1e-4, "{velocity} m/s");
}

#[test]
fn sand_slides_off_what_becomes_smooth() {
    let mut scene = zero_gravity();
    scene.params.gravity = 9.81 * vec3(0.3, -0.95, 0.0);
    let table = BodyDesc { kinematic: true, ..BodyDesc::cuboid(vec3(2.0, 0.1, 0.5), 0.1) };
    let table = scene.add_body(table).unwrap();
    let sand = scene.add_grains(Grains { friction: 0.6, ..Grains::sand(0.03) }).unwrap();
    let places: Vec<Vec3> = (0..5_u16).map(|i| vec3(-1.5 + 0.2 * f32::from(i), 0.13, 0.0)).collect();
    scene.heap(sand, &places, Vec3::ZERO).unwrap();
    let mut solver = solver(&scene);
    let grain = scene.grains[0].blocks[0].start as usize;
    let first = |solver: &Solver| solver.read_particles().unwrap()[grain][0];
    run(&mut solver, 30);
    let before = first(&solver);
    assert!((before + 1.5).abs() < 0.01, "it lies at {before} m");
    solver.set_surface(Thing::Body(table), Surface { friction: 0.0, restitution: 0.0 }).unwrap();
    run(&mut solver, 30);
    // By a t² / 2, without friction.
    let (way, free) = (first(&solver) - before, 0.5 * 9.81 * 0.3 * 0.25);
    println!("it slides by {way} m, {free} m by theory");
    assert!((way - free).abs() < 0.03 * free, "{way} m for {free}");
}

#[test]
fn what_was_made_smooth_holds_once_it_is_rough() {
    let mut scene = zero_gravity();
    scene.params.gravity = 9.81 * vec3(0.3, -0.95, 0.0);
    scene.add_collider(Collider::new(Shape::Cuboid(vec3(5.0, 0.1, 5.0)), Vec3::ZERO)).unwrap();
    let sand = scene.add_grains(Grains { friction: 0.0, ..Grains::sand(0.03) }).unwrap();
    scene.heap(sand, &[vec3(-1.5, 0.13, 0.0), vec3(-1.5, 0.13, 1.0)], Vec3::ZERO).unwrap();
    let mut solver = solver(&scene);
    run(&mut solver, 10);
    let speed = |solver: &Solver| solver.read_velocities().unwrap()[0].length();
    assert!(speed(&solver) > 0.4, "it slides at {} m/s", speed(&solver));
    solver.set_surface(Thing::Grains(sand), Surface { friction: 0.9, restitution: 0.0 }).unwrap();
    run(&mut solver, 60);
    assert!(speed(&solver) < 1e-3, "it goes on at {} m/s", speed(&solver));
}

#[test]
fn a_tower_stands_whatever_the_step_becomes() {
    for to in [1.0 / 120.0, 1.0 / 240.0, 1.0 / 600.0, 1.0 / 30.0] {
        let mut scene = on_ground();
        scene.params.sleep_time = 0.0;
        for i in 0..8_u16 {
            scene.add_body(cube(0.2).at(Vec3::Y * (0.2 + 0.4 * f32::from(i)))).unwrap();
        }
        let mut solver = solver(&scene);
        run(&mut solver, 90);
        let before = center(&solver, BodyId(7)).y;
        solver.set_params(Params { dt: to, ..*solver.params() }).unwrap();
        let (mut highest, mut fastest) = (0.0f32, 0.0f32);
        for _ in 0..30 {
            solver.step();
            highest = highest.max(center(&solver, BodyId(7)).y - before);
            fastest = fastest.max(Vec3::from(body(&solver, BodyId(7)).velocity).length());
        }
        println!("1/60 to {to} s: the top goes up by {} mm, at {fastest} m/s", 1000.0 * highest);
        assert!(highest < 0.008 && fastest < 0.3, "{highest} m, {fastest} m/s");
    }
}
