//! A state that is put back goes on as the world did, to the bit.

use glam::{Quat, Vec3, vec3};
use sinew::animation::Cast;
use sinew::constraints::Partition;
use sinew::demos::stage_for;
use sinew::gpu::Context;
use sinew::report::state_hash;
use sinew::scene::{
    BodyDesc, BodyId, Collider, Deformable, Dynamics, Field, Heightfield, JointDesc, JointId, JointKind, Layers, Motor,
    Params, Placement, Push, Scene, Shape, SheetGrid, SheetMaterial, Surface, Thing,
};
use sinew::solver::{Rewind, Solver, SolverError, State};
use sinew::spawn::{Character, balloon};

fn context() -> Context {
    Context::shared().expect("adapter")
}

fn run(solver: &mut Solver, frames: usize) {
    (0..frames).for_each(|_| solver.step());
}

fn hash(solver: &Solver) -> u64 {
    state_hash(&solver.read_bodies().unwrap(), &solver.read_particles().unwrap())
}

fn scene_of(demo: &str, sets: &[(&str, &str)]) -> Scene {
    let sets: Vec<(String, String)> = sets.iter().map(|(key, value)| ((*key).into(), (*value).into())).collect();
    stage_for(demo, &sets).unwrap().scene
}

/// Hashes of the frames that follow, every tenth.
fn course(solver: &mut Solver, frames: usize) -> Vec<u64> {
    (0..frames / 10)
        .map(|_| {
            run(solver, 10);
            hash(solver)
        })
        .collect()
}

#[test]
fn every_material_goes_on_to_the_bit() {
    let context = context();
    // Bodies, cloth, grains, what is emitted and flesh; the rest in the long run.
    let demos: [(&str, &[(&str, &str)]); 9] = [
        ("pairs", &[("count", "12")]),
        ("curtain", &[("rings", "4"), ("fine", "5")]),
        ("sand", &[("count", "300")]),
        ("fountain", &[("radius", "0.05")]),
        ("jelly", &[("count", "2"), ("particles", "400")]),
        ("flag", &[("fine", "20")]),
        ("dam", &[("count", "800")]),
        ("ropes", &[]),
        ("float", &[("radius", "0.05")]),
    ];
    let (count, frames) = if crate::effort::is_long() { (demos.len(), 300) } else { (5, 10) };
    for (demo, sets) in demos.into_iter().take(count) {
        let scene = scene_of(demo, sets);
        let mut solver = Solver::new(&context, &scene).unwrap();
        run(&mut solver, 15);
        let state = solver.save().unwrap();
        let (frame, before) = (state.frame(), hash(&solver));
        let first = course(&mut solver, frames);
        solver.restore(&state).unwrap();
        assert_eq!((state.frame(), hash(&solver)), (frame, before), "{demo}");
        assert_eq!(course(&mut solver, frames), first, "{demo}");
    }
}

#[test]
fn a_hundred_frames_can_be_taken_back() {
    let context = context();
    let mut solver = Solver::new(&context, &scene_of("pairs", &[("count", "6")])).unwrap();
    let mut rewind = Rewind::new(8, 5);
    let mut hashes = Vec::new();
    for _ in 0..60 {
        rewind.record(&solver).unwrap();
        hashes.push(hash(&solver));
        solver.step();
    }
    let bytes = rewind.bytes();
    let dt = f64::from(solver.params().dt);
    let went = rewind.back(&mut solver, 12.0 * dt).unwrap();
    // From frame 60 to the state before frame 48: that of 45.
    assert!((went - 15.0 * dt).abs() < 1e-6, "{went} s");
    assert_eq!(hash(&solver), hashes[45]);
    run(&mut solver, 10);
    assert_eq!(hash(&solver), hashes[55]);
    let went = rewind.back(&mut solver, 1e9).unwrap();
    // Eight states go back to frame 20, and ten frames were simulated since that of 45.
    assert!((went - 35.0 * dt).abs() < 1e-6, "{went} s: as far as states go back");
    assert!(rewind.bytes() < bytes);
    assert_eq!(Rewind::new(1, 1).back(&mut solver, 1.0), Ok(0.0));
}

#[test]
fn states_are_taken_whatever_frames_are_asked_for() {
    let mut solver = Solver::new(&context(), &scene_of("pairs", &[("count", "2")])).unwrap();
    let mut rewind = Rewind::new(3, 2);
    solver.step();
    for _ in 0..5 {
        rewind.record(&solver).unwrap();
        run(&mut solver, 2);
    }
    assert_eq!(rewind.len(), 3);
    let went = rewind.back(&mut solver, 1e9).unwrap();
    assert!((went - 6.0 * f64::from(solver.params().dt)).abs() < 1e-6, "{went} s");
}

#[test]
fn pools_and_handles_go_back_too() {
    let mut crates = Scene::default();
    crates.add_body(BodyDesc::cuboid(Vec3::splat(0.15), 0.05)).unwrap();
    let mut scene = Scene::default();
    scene.add_collider(Collider::ground(0.0)).unwrap();
    let pool = scene.add_pool(&crates, 3).unwrap();
    let mut solver = Solver::new(&context(), &scene).unwrap();
    let at = |x: f32| Placement { position: vec3(x, 0.5, 0.0), ..Placement::IDENTITY };
    let first = solver.spawn_from(pool, at(0.0), Vec3::ZERO).unwrap();
    run(&mut solver, 10);
    let state = solver.save().unwrap();
    let expected = course(&mut solver, 20);
    let second = solver.spawn_from(pool, at(1.0), Vec3::ZERO).unwrap();
    solver.despawn(first).unwrap();
    run(&mut solver, 10);
    solver.restore(&state).unwrap();
    assert!(solver.part(first).is_ok());
    assert_eq!(solver.part(second).unwrap_err(), SolverError::Stale(second));
    assert_eq!(course(&mut solver, 20), expected);
    // Who enters now is not who had entered in the time that was taken back.
    let third = solver.spawn_from(pool, at(1.0), Vec3::ZERO).unwrap();
    assert_ne!(third, second);
    assert_eq!(solver.part(second).unwrap_err(), SolverError::Stale(second));
}

#[test]
fn a_state_of_another_world_is_refused() {
    let context = context();
    let mut few = Solver::new(&context, &scene_of("pairs", &[("count", "2")])).unwrap();
    let mut many = Solver::new(&context, &scene_of("pairs", &[("count", "4")])).unwrap();
    let state = few.save().unwrap();
    let before = hash(&many);
    let refusal = many.restore(&state).unwrap_err().to_string();
    assert!(refusal.contains("another world") && refusal.contains("bodies"), "{refusal}");
    assert_eq!(hash(&many), before);
    let mut grown = few.scene().clone();
    grown.add_body(BodyDesc::sphere(0.1, 0.05).at(Vec3::Y * 3.0)).unwrap();
    few.spawn(&grown).unwrap();
    assert!(few.restore(&state).is_err());
    run(&mut few, 5);
}

#[test]
fn a_state_from_before_the_frame_in_which_constraints_are_divided_anew_is_put_back() {
    let context = context();
    let mut solver = Solver::new(&context, &scene_of("flag", &[])).unwrap();
    run(&mut solver, 3);
    let divided = |partition| Params { partition, ..*solver.params() };
    let (parts, colors) = (divided(Partition::Clusters), divided(Partition::Colors));
    solver.set_params(parts).unwrap();
    let state = solver.save().unwrap();
    let expected = course(&mut solver, 20);
    solver.restore(&state).unwrap();
    assert_eq!(solver.params(), &parts);
    assert_eq!(course(&mut solver, 20), expected);
    solver.set_params(colors).unwrap();
    run(&mut solver, 2);
    let bytes = state.to_bytes(&solver).unwrap();
    solver.restore(&State::from_bytes(&bytes, &solver).unwrap()).unwrap();
    assert_eq!(course(&mut solver, 20), expected);
}

#[test]
fn saving_is_not_felt() {
    let context = context();
    let scene = scene_of("pairs", &[("count", "6")]);
    let mut plain = Solver::new(&context, &scene).unwrap();
    let mut saved = Solver::new(&context, &scene).unwrap();
    let mut state = saved.save().unwrap();
    for _ in 0..30 {
        plain.step();
        saved.save_into(&mut state).unwrap();
        saved.step();
    }
    assert_eq!(hash(&saved), hash(&plain));
    assert!(state.bytes() > 0 && (state.time() - 29.0 / 60.0).abs() < 1e-6);
}

#[test]
fn a_state_that_is_refused_leaves_what_was_edited() {
    let context = context();
    let world = |collider: Collider| {
        let mut scene = Scene::default();
        scene.add_collider(collider).unwrap();
        let ball = scene.add_body(BodyDesc::sphere(0.1, 0.05).at(Vec3::Y)).unwrap();
        (Solver::new(&context, &scene).unwrap(), ball)
    };
    let (mut flat, ball) = world(Collider::ground(0.0));
    let hill = Heightfield::new([3, 3], 1.0, |_, _| 0.0);
    let (mut hilly, _) = world(Collider::new(Shape::Heightfield(hill), Vec3::ZERO));
    flat.set_dynamics(ball, Dynamics::planar()).unwrap();
    flat.set_mass(ball, 5.0).unwrap();
    let (state, before) = (flat.save().unwrap(), hilly.scene().bodies[0].clone());
    assert!(matches!(hilly.restore(&state), Err(SolverError::OtherWorld(_))));
    let after = &hilly.scene().bodies[0];
    assert_eq!((after.mass, after.dynamics), (before.mass, before.dynamics));
    run(&mut hilly, 20);
    assert_eq!(hilly.read_health().unwrap().non_finite, 0);
}

#[test]
fn who_moves_by_its_strength_goes_on_to_the_bit() {
    let dancer = Character::dancer().unwrap().undressed();
    let mut scene = Scene::default();
    scene.add_collider(Collider::ground(0.0)).unwrap();
    let mut performer = dancer.stand(&mut scene, Vec3::ZERO).unwrap();
    performer.play("walk").unwrap();
    performer.drive(1.0).unwrap();
    let chest = Thing::Body(performer.bodies()[performer.rig().limb("chest").unwrap()]);
    let mut cast = Cast::default();
    cast.add(performer);
    let mut solver = Solver::new(&context(), &scene).unwrap();
    let frame = |solver: &mut Solver, cast: &mut Cast| {
        solver.direct(cast).unwrap();
        solver.step();
        hash(solver)
    };
    for _ in 0..20 {
        frame(&mut solver, &mut cast);
    }
    let state = solver.save().unwrap();
    let read = State::from_bytes(&state.to_bytes(&solver).unwrap(), &solver).unwrap();
    let course = |solver: &mut Solver| -> Vec<u64> {
        let mut cast = cast.clone();
        solver.push(Push::impulse(chest, Vec3::X * 60.0)).unwrap();
        (0..10).map(|_| frame(solver, &mut cast)).collect()
    };
    let expected = course(&mut solver);
    for state in [state, read] {
        solver.restore(&state).unwrap();
        assert_eq!(course(&mut solver), expected);
    }
}

#[test]
fn what_is_edited_for_the_first_time_after_a_state_goes_again_to_the_bit() {
    let mut scene = Scene::default();
    scene.add_collider(Collider::ground(0.0)).unwrap();
    let bodies: Vec<BodyId> = (0..4)
        .map(|i| {
            let place = vec3(0.02 * i as f32, 0.15 + 0.31 * i as f32, 0.0);
            scene.add_body(BodyDesc::cuboid(Vec3::splat(0.15), 0.05).at(place)).unwrap()
        })
        .collect();
    let rope = Deformable::new("rope", (0..6).map(|i| 0.1 * i as f32 * Vec3::X).collect(), 1.0, 0.04);
    let rope = scene.add_deformable(&rope, vec3(-0.2, 1.4, 0.05), Quat::IDENTITY, Vec3::ZERO).unwrap();
    let apart = Layers { of: 2, meets: 2 };
    type Edit<'a> = (&'a str, &'a dyn Fn(&mut Solver));
    let edits: [Edit<'_>; 3] = [
        ("layers", &|solver| solver.set_layers(Thing::Body(bodies[3]), apart).unwrap()),
        ("locks", &|solver| solver.set_dynamics(bodies[3], Dynamics::planar()).unwrap()),
        ("friction", &|solver| {
            let slippery = Surface { friction: 0.1, restitution: 0.0 };
            solver.set_surface(Thing::Deformable(rope), slippery).unwrap();
        }),
    ];
    for (what, edit) in edits {
        let mut solver = Solver::new(&context(), &scene).unwrap();
        run(&mut solver, 30);
        let state = solver.save().unwrap();
        edit(&mut solver);
        let (expected, edited) = (course(&mut solver, 10), solver.save().unwrap());
        let on = course(&mut solver, 10);
        solver.restore(&state).unwrap();
        edit(&mut solver);
        assert_eq!(course(&mut solver, 10), expected, "{what}");
        // And forward again, from a world that was never edited.
        solver.restore(&state).unwrap();
        solver.restore(&edited).unwrap();
        assert_eq!(course(&mut solver, 10), on, "{what}");
    }
}

#[test]
fn a_world_with_copies_that_is_made_anew_after_a_state_goes_again_to_the_bit() {
    let grid = SheetGrid::square(8, 0.5);
    let sheet =
        Deformable::sheet("sheet", grid.positions(), &grid.triangles(), 0.03, &SheetMaterial::default()).unwrap();
    let mut prefab = Scene::default();
    prefab.add_deformable(&sheet, Vec3::ZERO, Quat::IDENTITY, Vec3::ZERO).unwrap();
    prefab.add_body(BodyDesc::cuboid(Vec3::splat(0.1), 0.05).at(-0.3 * Vec3::Y)).unwrap();
    let mut scene = Scene::default();
    scene.add_collider(Collider::ground(0.0)).unwrap();
    let flag = scene.add_deformable(&sheet, 3.0 * Vec3::X, Quat::IDENTITY, Vec3::ZERO).unwrap();
    let pool = scene.add_pool(&prefab, 1).unwrap();
    let turned = |angle: f32, x: f32| Placement {
        position: vec3(x, 0.9, 0.1 * angle),
        rotation: Quat::from_euler(glam::EulerRot::XYZ, angle, 0.4, 2.0 * angle),
    };
    let mut solver = Solver::new(&context(), &scene).unwrap();
    let first = solver.spawn_from(pool, turned(0.7, 0.2), Vec3::ZERO).unwrap();
    run(&mut solver, 8);
    let state = solver.save().unwrap();
    let go = |solver: &mut Solver| {
        // Tables are made anew, with the copy where it was put.
        solver.set_layers(Thing::Deformable(flag), Layers { of: 2, meets: u32::MAX }).unwrap();
        run(solver, 4);
        solver.despawn(first).unwrap();
        let gone = hash(solver);
        solver.spawn_from(pool, turned(1.9, -0.3), Vec3::ZERO).unwrap();
        (gone, course(solver, 30))
    };
    let expected = go(&mut solver);
    solver.restore(&state).unwrap();
    assert_eq!(go(&mut solver), expected);
}

/// Tables that are made while a copy is turned have rows in the order of those that were made before it came.
#[test]
fn a_state_of_a_world_that_was_made_anew_goes_on_in_another_to_the_bit() {
    let (mut prefab, mut scene) = (Scene::default(), Scene::default());
    let (balloon, _) = balloon(0.2, 1.1).unwrap();
    prefab.add_deformable(&balloon, Vec3::ZERO, Quat::IDENTITY, Vec3::ZERO).unwrap();
    let grid = SheetGrid::square(12, 0.8);
    let sheet =
        Deformable::sheet("sheet", grid.positions(), &grid.triangles(), 0.03, &SheetMaterial::default()).unwrap();
    scene.add_collider(Collider::ground(0.0)).unwrap();
    let sheet = scene.add_deformable(&sheet, 0.3 * Vec3::Y, Quat::IDENTITY, Vec3::ZERO).unwrap();
    let pool = scene.add_pool(&prefab, 1).unwrap();
    let turned = Quat::from_euler(glam::EulerRot::XYZ, 0.7, 1.1, 2.0);
    let mut solver = Solver::new(&context(), &scene).unwrap();
    let first = solver.spawn_from(pool, Placement { position: 0.8 * Vec3::Y, rotation: turned }, Vec3::ZERO).unwrap();
    run(&mut solver, 2);
    solver.set_layers(Thing::Deformable(sheet), Layers { of: 4, meets: u32::MAX }).unwrap();
    run(&mut solver, 2);
    let state = solver.save().unwrap();
    let bytes = state.to_bytes(&solver).unwrap();
    let go = |solver: &mut Solver| {
        solver.despawn(first).unwrap();
        let flat = Placement { position: vec3(0.1, 0.6, 0.0), rotation: Quat::IDENTITY };
        solver.spawn_from(pool, flat, Vec3::NEG_Y).unwrap();
        course(solver, 20)
    };
    let expected = go(&mut solver);
    solver.set_layers(Thing::Deformable(sheet), Layers { of: 1, meets: u32::MAX }).unwrap();
    run(&mut solver, 1);
    solver.set_layers(Thing::Deformable(sheet), Layers { of: 8, meets: u32::MAX }).unwrap();
    solver.restore(&state).unwrap();
    assert_eq!(go(&mut solver), expected);
    let mut other = Solver::new(&context(), &scene).unwrap();
    other.restore(&State::from_bytes(&bytes, &other).unwrap()).unwrap();
    assert_eq!(go(&mut other), expected);
}

#[test]
fn a_field_that_came_and_went_is_no_other_world() {
    let mut scene = Scene::default();
    let drag = scene.add_field(Field::drag(1.0)).unwrap();
    scene.add_field(Field::acceleration(Vec3::X)).unwrap();
    scene.add_body(BodyDesc::sphere(0.1, 0.05)).unwrap();
    let mut solver = Solver::new(&context(), &scene).unwrap();
    run(&mut solver, 5);
    let early = solver.save().unwrap();
    let expected = course(&mut solver, 10);
    let third = solver.add_field(Field::drag(3.0)).unwrap();
    run(&mut solver, 5);
    solver.remove_field(third).unwrap();
    solver.restore(&early).unwrap();
    assert_eq!(course(&mut solver, 10), expected);
    solver.remove_field(drag).unwrap();
    let late = solver.save().unwrap().to_bytes(&solver).unwrap();
    let expected = course(&mut solver, 10);
    let mut other = Solver::new(&context(), &scene).unwrap();
    other.restore(&State::from_bytes(&late, &other).unwrap()).unwrap();
    assert_eq!(course(&mut other, 10), expected);
}

#[test]
fn copies_with_joints_are_as_made_in_another_solver_too() {
    let mut pair = Scene::default();
    let arm = BodyDesc::capsule(0.08, 0.15, 0.04);
    let [a, b] = [-0.25, 0.25].map(|y| pair.add_body(arm.clone().at(Vec3::Y * y)).unwrap());
    pair.add_joint(JointDesc::new(JointKind::Hinge, a, b, Vec3::ZERO, Vec3::Z, 0.04)).unwrap();
    let mut scene = Scene::default();
    let pool = scene.add_pool(&pair, 2).unwrap();
    let mut solver = Solver::new(&context(), &scene).unwrap();
    let at = |x: f32| Placement { position: Vec3::X * x, ..Placement::IDENTITY };
    let copies = [0.0, 2.0].map(|x| solver.spawn_from(pool, at(x), Vec3::ZERO).unwrap());
    for copy in copies {
        let part = solver.part(copy).unwrap().clone();
        let hinge = part.joint(JointId(0));
        solver.set_motor(hinge, Some(Motor::speed(2.0, 1.0))).unwrap();
        solver.set_break_force(hinge, 50.0).unwrap();
        solver.set_user_data(Thing::Body(BodyId(part.bodies.start)), 7).unwrap();
    }
    run(&mut solver, 5);
    let bytes = solver.save().unwrap().to_bytes(&solver).unwrap();
    // A solver of the scene, and one of the running world, as a backup makes it.
    for scene in [scene, solver.scene().clone()] {
        let mut other = Solver::new(&context(), &scene).unwrap();
        other.restore(&State::from_bytes(&bytes, &other).unwrap()).unwrap();
        assert_eq!(hash(&other), hash(&solver));
        other.despawn(copies[0]).unwrap();
        let next = other.spawn_from(pool, at(4.0), Vec3::ZERO).unwrap();
        let next = other.part(next).unwrap();
        let desc = &other.scene().joints[next.joints.start as usize].desc;
        assert_eq!((desc.motor, desc.break_force), (None, f32::INFINITY));
        assert_eq!(other.scene().user_data(Thing::Body(BodyId(next.bodies.start))), 0);
    }
}

#[test]
fn time_goes_back_as_far_as_the_world_is_the_same() {
    let mut scene = Scene::default();
    scene.add_body(BodyDesc::sphere(0.1, 0.05)).unwrap();
    let mut solver = Solver::new(&context(), &scene).unwrap();
    let mut rewind = Rewind::new(20, 5);
    for frame in 0..60 {
        if frame == 30 {
            scene.add_body(BodyDesc::sphere(0.1, 0.05).at(Vec3::X)).unwrap();
            solver.spawn(&scene).unwrap();
        }
        rewind.record(&solver).unwrap();
        solver.step();
    }
    let gone = rewind.back(&mut solver, 40.0 / 60.0).unwrap();
    assert!((gone - 0.5).abs() < 1e-6, "{gone} s");
    assert_eq!(solver.frame(), 30);
}
