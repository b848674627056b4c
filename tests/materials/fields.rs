//! Fields of force do what their formulas say, on every material, and let sleep only what they leave in peace.

use glam::{Quat, Vec3, vec3};
use sinew::gpu::Context;
use sinew::scene::{
    BodyDesc, Collider, Decay, Deformable, Field, FieldId, FieldLaw, Grains, Kinds, Liquid, Particle, Phase, Scene,
    SceneError,
};
use sinew::solver::{Solver, SolverError};

const DT: f32 = 1.0 / 60.0;

/// Nothing but fields.
fn space(substeps: u32) -> Scene {
    let mut scene = Scene::default();
    scene.params.gravity = Vec3::ZERO;
    (scene.params.linear_damping, scene.params.angular_damping) = (0.0, 0.0);
    scene.params.substeps = substeps;
    scene
}

fn grain(scene: &mut Scene, position: Vec3, velocity: Vec3) {
    let particle = Particle { position, velocity, radius: 0.01, mass: 0.3, phase: Phase::default() };
    scene.add_particle(particle).unwrap();
}

fn solver(scene: &Scene) -> Solver {
    Solver::new(&Context::shared().expect("adapter"), scene).unwrap()
}

fn run(solver: &mut Solver, frames: u32) {
    (0..frames).for_each(|_| solver.step());
    assert!(solver.read_health().unwrap().is_good());
}

fn places(solver: &Solver) -> Vec<Vec3> {
    solver.read_particles().unwrap().iter().map(|x| vec3(x[0], x[1], x[2])).collect()
}

fn velocities(solver: &Solver) -> Vec<Vec3> {
    solver.read_particle_velocities().unwrap().iter().map(|v| vec3(v[0], v[1], v[2])).collect()
}

fn ball(at: Vec3) -> BodyDesc {
    BodyDesc::sphere(0.1, 0.05).with_mass(2.0).at(at)
}

#[track_caller]
fn near(found: Vec3, wanted: Vec3, most: f32) {
    assert!(found.distance(wanted) <= most, "{found} instead of {wanted}");
}

#[test]
fn a_spring_of_an_attractor_swings_as_a_cosine() {
    let mut scene = space(16);
    grain(&mut scene, Vec3::X, Vec3::ZERO);
    let body = scene.add_body(ball(vec3(0.0, 5.0, 2.0))).unwrap();
    scene.add_field(Field::attractor(Vec3::ZERO, 9.0, Decay::Linear).on(Kinds::GRAINS)).unwrap();
    scene.add_field(Field::attractor(Vec3::Y * 5.0, 9.0, Decay::Linear).on(Kinds::BODIES)).unwrap();
    let mut solver = solver(&scene);
    for frames in [20_u16, 20, 35] {
        run(&mut solver, frames.into());
        let way = (3.0 * solver.view().time as f32).cos();
        near(places(&solver)[0], Vec3::X * way, 0.01);
        near(solver.read_bodies().unwrap()[body.0 as usize].center.into(), vec3(0.0, 5.0, 2.0 * way), 0.02);
    }
}

#[test]
fn a_planet_goes_round_and_a_repeller_sends_it_off() {
    let mut scene = space(16);
    // Once round in two seconds.
    let turn = std::f32::consts::PI;
    grain(&mut scene, Vec3::X, Vec3::Z * turn);
    let sun = scene.add_field(Field::attractor(Vec3::ZERO, turn * turn, Decay::InverseSquare)).unwrap();
    let mut solver = solver(&scene);
    run(&mut solver, 30);
    near(places(&solver)[0], Vec3::Z, 0.03);
    run(&mut solver, 90);
    near(places(&solver)[0], Vec3::X, 0.06);
    solver.set_field(sun, Field::attractor(Vec3::ZERO, -20.0, Decay::InverseSquare)).unwrap();
    run(&mut solver, 30);
    assert!(places(&solver)[0].length() > 2.0);
}

#[test]
fn a_vortex_turns_as_a_whole_inside_and_slower_outside() {
    let mut scene = space(8);
    let starts = [0.5_f32, 1.0, 2.0];
    starts.iter().for_each(|r| grain(&mut scene, vec3(*r, 1.0, 0.0), Vec3::ZERO));
    let law = FieldLaw::Vortex {
        center: Vec3::ZERO,
        axis: Vec3::Y * 7.0,
        core: 1.0,
        speed: 0.4,
        pull: 0.0,
        rise: 0.0,
        rate: 30.0,
    };
    scene.add_field(Field { law, ..Field::drag(0.0) }).unwrap();
    let mut solver = solver(&scene);
    run(&mut solver, 40);
    for ((x, v), wanted) in places(&solver).iter().zip(velocities(&solver)).zip([0.2, 0.4, 0.2]) {
        let way = Vec3::Y.cross(vec3(x.x, 0.0, x.z)).normalize();
        near(v, way * wanted, 0.03 * wanted);
        assert!(x.z < -0.05);
    }
}

#[test]
fn wind_takes_things_along_at_its_rate_up_to_its_speed() {
    let mut scene = space(8);
    scene.params.gravity = Vec3::Y * -10.0;
    grain(&mut scene, Vec3::ZERO, Vec3::ZERO);
    grain(&mut scene, Vec3::X * 50.0, Vec3::ZERO);
    grain(&mut scene, Vec3::X * 100.0, Vec3::ZERO);
    let spinning = BodyDesc { angular_velocity: Vec3::Z * 4.0, ..ball(Vec3::X * 3.0) };
    let body = scene.add_body(spinning).unwrap();
    scene.add_field(Field::wind(Vec3::Z * 6.0, 2.0).in_box(Vec3::ZERO, Vec3::splat(20.0), Quat::IDENTITY)).unwrap();
    let quadratic = FieldLaw::Air { velocity: Vec3::ZERO, rate: 0.0, quadratic: 0.4 };
    scene.add_field(Field { law: quadratic, ..Field::drag(0.0) }.in_ball(Vec3::X * 50.0, 30.0)).unwrap();
    let mut solver = solver(&scene);
    run(&mut solver, 30);
    let part = 1.0 - (-1.0_f32).exp();
    let carried = vec3(0.0, -5.0, 6.0) * part;
    near(velocities(&solver)[0], carried, 0.1);
    near(velocities(&solver)[2], Vec3::Y * -5.0, 0.01);
    let state = solver.read_bodies().unwrap()[body.0 as usize];
    near(state.velocity.into(), carried, 0.1);
    near(state.angular_velocity.into(), Vec3::Z * 4.0 * (1.0 - part), 0.1);
    run(&mut solver, 150);
    near(velocities(&solver)[0], vec3(0.0, -5.0, 6.0), 0.1);
    near(velocities(&solver)[1], Vec3::Y * -5.0, 0.05);
}

#[test]
fn each_field_acts_on_its_kinds_alone() {
    let mut scene = space(2);
    let rope = Deformable::new("dust", vec![Vec3::X, Vec3::X * 2.0], 1.0, 0.01);
    scene.add_deformable(&rope, Vec3::ZERO, Quat::IDENTITY, Vec3::ZERO).unwrap();
    let water = scene.add_liquid(Liquid::water(0.05)).unwrap();
    scene.pour(water, &[Vec3::Y * 2.0], Vec3::ZERO).unwrap();
    let sand = scene.add_grains(Grains::sand(0.02)).unwrap();
    scene.heap(sand, &[Vec3::Z * 2.0], Vec3::ZERO).unwrap();
    let body = scene.add_body(ball(Vec3::ZERO)).unwrap();
    for (kinds, along) in [
        (Kinds::BODIES, Vec3::X),
        (Kinds::DEFORMABLES, Vec3::Y),
        (Kinds::LIQUIDS, Vec3::Z),
        (Kinds::GRAINS, Vec3::NEG_X),
        (Kinds::BODIES | Kinds::GRAINS, Vec3::Y * 2.0),
    ] {
        scene.add_field(Field::acceleration(along * 6.0).on(kinds)).unwrap();
    }
    let mut solver = solver(&scene);
    run(&mut solver, 1);
    let found = velocities(&solver);
    let gained = 6.0 * DT;
    let wanted = [Vec3::Y, Vec3::Y, Vec3::Z, vec3(-1.0, 2.0, 0.0)];
    found.iter().zip(wanted).for_each(|(found, wanted)| near(*found, wanted * gained, 1e-4));
    near(solver.read_bodies().unwrap()[body.0 as usize].velocity.into(), vec3(1.0, 2.0, 0.0) * gained, 1e-4);
}

#[test]
fn users_write_fields_of_their_own() {
    let swing = "// A swing.\nconst RATE: f32 = 2.0;\nfn wave(t: f32) -> f32 { return cos(RATE * t); }\n\
                 fn field(position: vec3f, velocity: vec3f, time: f32) -> vec3f {\n\
                 return vec3f(wave(time), 0.0, 0.0);\n}\n";
    // The same names again; slows down what goes along z.
    let slow = "const RATE = 3.0;\nfn wave(v: vec3f) -> vec3f { return -RATE * v; }\n\
                fn field(position: vec3f, velocity: vec3f, time: f32) -> vec3f {\n\
                return wave(velocity) * vec3f(0.0, 0.0, 1.0);\n}\n";
    let mut scene = space(8);
    grain(&mut scene, Vec3::ZERO, Vec3::Z);
    let body = scene.add_body(ball(Vec3::Y * 3.0)).unwrap();
    scene.add_field(Field::user(swing)).unwrap();
    let mut solver = solver(&scene);
    let second = solver.add_field(Field::user(slow).on(Kinds::GRAINS)).unwrap();
    run(&mut solver, 60);
    let along = (2.0_f32).sin() / 2.0;
    near(velocities(&solver)[0], vec3(along, 0.0, (-3.0_f32).exp()), 0.01);
    near(solver.read_bodies().unwrap()[body.0 as usize].velocity.into(), Vec3::X * along, 0.01);
    solver.remove_field(second).unwrap();
    let before = velocities(&solver)[0];
    run(&mut solver, 30);
    near(velocities(&solver)[0], vec3((3.0_f32).sin() / 2.0, 0.0, before.z), 0.01);
}

#[test]
fn a_wrong_text_is_told_with_its_line_and_changes_nothing() {
    let broken =
        "fn field(position: vec3f, velocity: vec3f, time: f32) -> vec3f {\n    let a = 2.0;\n    return a * wrong;\n}";
    let mut scene = space(2);
    grain(&mut scene, Vec3::ZERO, Vec3::ZERO);
    let mut world = solver(&scene);
    let error = world.add_field(Field::user(broken)).unwrap_err();
    assert!(matches!(&error, SolverError::Field { field: 0, error } if error.line == 3), "{error}");
    assert!(error.to_string().contains("line 3") && error.to_string().contains("wrong"), "{error}");
    let id = world.add_field(Field::acceleration(Vec3::X)).unwrap();
    assert!(matches!(world.set_field(id, Field::user(broken)), Err(SolverError::Field { .. })));
    run(&mut world, 1);
    near(velocities(&world)[0], Vec3::X * DT, 1e-5);
    scene.add_field(Field::user(broken)).unwrap();
    assert!(matches!(Solver::new(&Context::shared().unwrap(), &scene), Err(SolverError::Field { .. })));
}

#[test]
fn a_field_that_is_no_number_is_left_out_and_counted() {
    let text =
        "fn field(position: vec3f, velocity: vec3f, time: f32) -> vec3f { return vec3f(1.0 / sqrt(position.x)); }";
    let mut scene = space(2);
    grain(&mut scene, Vec3::NEG_X, Vec3::Y);
    grain(&mut scene, Vec3::X, Vec3::Y);
    scene.add_field(Field::user(text)).unwrap();
    let mut solver = solver(&scene);
    solver.step();
    near(velocities(&solver)[0], Vec3::Y, 1e-6);
    assert!(velocities(&solver)[1].x > 0.01);
    assert!(solver.read_health().unwrap().non_finite > 0);
}

#[test]
fn sleepers_wake_for_fields_that_change_and_sleep_in_those_that_do_not() {
    let mut scene = Scene::default();
    scene.params.substeps = 4;
    scene.add_collider(Collider::ground(0.0)).unwrap();
    let cube = |x: f32| BodyDesc::cuboid(Vec3::splat(0.15), 0.05).at(vec3(x, 0.15, 0.0));
    for x in [0.0, 3.0] {
        scene.add_body(cube(x)).unwrap();
    }
    let sand = scene.add_grains(Grains::sand(0.03)).unwrap();
    scene.heap(sand, &[vec3(0.0, 0.03, 1.0), vec3(3.0, 0.03, 1.0)], Vec3::ZERO).unwrap();
    let mut solver = solver(&scene);
    let asleep = |solver: &Solver| -> [bool; 4] {
        let bodies = solver.read_bodies().unwrap();
        let grains = solver.read_particle_velocities().unwrap();
        let last = grains.len() - 1;
        [bodies[0].inv_mass, bodies[1].inv_mass, grains[last - 1][3], grains[last][3]].map(|w| w == 0.0)
    };
    run(&mut solver, 90);
    assert_eq!(asleep(&solver), [true; 4]);
    // Too weak to lift anything.
    let low = |strength: f32| Field::acceleration(Vec3::Y * strength).in_ball(Vec3::X * 3.0, 1.5);
    let id = solver.add_field(low(4.0)).unwrap();
    run(&mut solver, 2);
    assert_eq!(asleep(&solver), [true, false, true, false]);
    run(&mut solver, 120);
    assert_eq!(asleep(&solver), [true; 4]);
    solver.set_field(id, low(15.0)).unwrap();
    run(&mut solver, 30);
    assert_eq!(asleep(&solver), [true, false, true, false]);
    let heights = [solver.read_bodies().unwrap()[1].center[1], places(&solver).last().unwrap().y];
    assert!(heights[0] > 0.5 && heights[1] > 0.4, "{heights:?}");
    // Held up by a field they stay, once it goes they fall.
    let dispatches = solver.counts().dispatches_per_frame;
    solver.remove_field(id).unwrap();
    assert!(solver.counts().dispatches_per_frame < dispatches);
    run(&mut solver, 1);
    assert_eq!(asleep(&solver), [false; 4]);
}

#[test]
fn fields_outlive_new_bodies() {
    let mut scene = space(2);
    scene.add_body(ball(Vec3::ZERO)).unwrap();
    let mut solver = solver(&scene);
    solver.add_field(Field::acceleration(Vec3::X * 6.0)).unwrap();
    scene.add_body(ball(Vec3::Y * 3.0)).unwrap();
    solver.spawn(&scene).unwrap();
    run(&mut solver, 1);
    for body in [0, 1].map(|i| solver.read_bodies().unwrap()[i]) {
        near(body.velocity.into(), Vec3::X * 6.0 * DT, 1e-4);
    }
}

#[test]
fn fields_that_have_gone_leave_nothing_in_a_state() {
    let mut scene = space(2);
    scene.add_body(ball(Vec3::ZERO)).unwrap();
    let mut solver = solver(&scene);
    let wind = || Field::acceleration(Vec3::X * 6.0);
    let gone = |solver: &mut Solver| {
        let id = solver.add_field(wind()).unwrap();
        run(solver, 1);
        solver.remove_field(id).unwrap();
    };
    gone(&mut solver);
    let state = solver.save().unwrap();
    let mut fresh = self::solver(&scene);
    fresh.restore(&state).unwrap();
    gone(&mut solver);
    solver.restore(&state).unwrap();
    for solver in [&mut fresh, &mut solver] {
        run(solver, 1);
        near(solver.read_bodies().unwrap()[0].velocity.into(), Vec3::X * 6.0 * DT, 1e-4);
        solver.add_field(wind()).unwrap();
        run(solver, 1);
        near(solver.read_bodies().unwrap()[0].velocity.into(), Vec3::X * 12.0 * DT, 1e-4);
    }
}

#[test]
fn wrong_numbers_and_ids_are_told() {
    let mut scene = space(2);
    grain(&mut scene, Vec3::ZERO, Vec3::ZERO);
    let mut solver = solver(&scene);
    for field in [
        Field::acceleration(Vec3::NAN),
        Field::attractor(Vec3::ZERO, f32::INFINITY, Decay::Linear),
        Field {
            law: FieldLaw::Attractor { center: Vec3::ZERO, strength: 1.0, decay: Decay::Linear, core: 0.0 },
            ..Field::drag(1.0)
        },
        Field::vortex(Vec3::ZERO, Vec3::ZERO, 1.0, 1.0),
        Field::vortex(Vec3::ZERO, Vec3::Y, -1.0, 1.0),
        Field::wind(Vec3::X, -1.0),
        Field::drag(f32::NAN),
        Field::drag(1.0).in_ball(Vec3::ZERO, 0.0),
        Field::drag(1.0).in_box(Vec3::ZERO, vec3(1.0, -1.0, 1.0), Quat::IDENTITY),
        Field::drag(1.0).in_box(Vec3::ZERO, Vec3::ONE, Quat::from_xyzw(0.0, 0.0, 0.0, 3.0)),
    ] {
        assert!(matches!(scene.add_field(field.clone()), Err(SceneError::Number { .. })), "{field:?}");
        assert!(matches!(solver.add_field(field), Err(SolverError::Scene(SceneError::Number { .. }))));
    }
    assert!(matches!(scene.add_field(Field::user(" \n")), Err(SceneError::Empty { .. })));
    let id = solver.add_field(Field::drag(1.0)).unwrap();
    solver.remove_field(id).unwrap();
    let again = solver.add_field(Field::drag(1.0)).unwrap();
    assert_ne!(id, again);
    for gone in [id, FieldId(77)] {
        assert!(matches!(solver.remove_field(gone), Err(SolverError::Scene(SceneError::Missing { .. }))));
        assert!(matches!(
            solver.set_field(gone, Field::drag(2.0)),
            Err(SolverError::Scene(SceneError::Missing { .. }))
        ));
    }
}

#[test]
fn what_falls_through_air_falls_as_fast_as_its_drag_bears() {
    let mut scene = space(4);
    scene.params.gravity = Vec3::NEG_Y * 9.0;
    grain(&mut scene, Vec3::X, Vec3::ZERO);
    let slow = scene.add_body(ball(Vec3::ZERO)).unwrap();
    scene.bodies[slow.0 as usize].dynamics.gravity_scale = 0.5;
    scene.add_field(Field::drag(3.0)).unwrap();
    let mut solver = solver(&scene);
    run(&mut solver, 300);
    near(velocities(&solver)[0], Vec3::NEG_Y * 3.0, 1e-4);
    near(Vec3::from(solver.read_bodies().unwrap()[0].velocity), Vec3::NEG_Y * 1.5, 1e-4);
}
