//! What bodies, objects and colliders are made of, changed while the world runs, against mechanics.

use std::time::Instant;

use glam::{BVec3, Quat, Vec3, vec3};
use sinew::demos::stage_for;
use sinew::gpu::Context;
use sinew::scene::{
    BodyDesc, BodyId, Collider, ColliderId, Deformable, DeformableId, Dynamics, Liquid, LiquidId, Push, Scene,
    SceneError, Shape, SheetGrid, SheetMaterial, Surface, Thing, Topology,
};
use sinew::solver::{BodyState, Solver, SolverError};

fn solver(scene: &Scene) -> Solver {
    Solver::new(&Context::shared().expect("adapter"), scene).unwrap()
}

fn empty() -> Scene {
    let mut scene = Scene::default();
    (scene.params.linear_damping, scene.params.angular_damping) = (0.0, 0.0);
    scene
}

fn space() -> Scene {
    let mut scene = empty();
    scene.params.gravity = Vec3::ZERO;
    scene
}

fn ball(at: Vec3, velocity: Vec3) -> BodyDesc {
    BodyDesc { velocity, ..BodyDesc::sphere(0.1, 0.05).with_mass(2.0).at(at) }
}

fn run(solver: &mut Solver, frames: usize) -> Vec<BodyState> {
    (0..frames).for_each(|_| solver.step());
    solver.read_bodies().unwrap()
}

fn center(state: &BodyState) -> Vec3 {
    Vec3::from(state.center)
}

fn velocity(state: &BodyState) -> Vec3 {
    Vec3::from(state.velocity)
}

fn spin(state: &BodyState) -> Vec3 {
    Vec3::from(state.angular_velocity)
}

#[test]
fn every_body_falls_by_its_own_weight() {
    let mut scene = empty();
    let scales = [0.0, 1.0, 2.0, -1.0];
    for (i, gravity_scale) in scales.into_iter().enumerate() {
        let dynamics = Dynamics { gravity_scale, ..Dynamics::default() };
        scene.add_body(BodyDesc { dynamics, ..ball(Vec3::X * i as f32, Vec3::ZERO) }).unwrap();
    }
    let mut solver = solver(&scene);
    let states = run(&mut solver, 30);
    for (state, scale) in states.iter().zip(scales) {
        let expected = -9.81 * 0.5 * scale;
        assert!((state.velocity[1] - expected).abs() < 1e-3, "{scale}: {} m/s", state.velocity[1]);
    }
    // What floats falls once it is told to.
    solver.set_dynamics(BodyId(0), Dynamics::default()).unwrap();
    let fallen = run(&mut solver, 30)[0].velocity[1];
    assert!((fallen + 4.905).abs() < 1e-3, "{fallen} m/s");
}

#[test]
fn damping_slows_as_it_says() {
    let mut scene = space();
    for (x, linear_damping, angular_damping) in [(0.0, 0.0, 0.0), (1.0, 0.05, 2.0), (2.0, 1.5, 0.3)] {
        let dynamics = Dynamics { linear_damping, angular_damping, ..Dynamics::default() };
        let desc = ball(Vec3::X * x, Vec3::Y * 3.0);
        scene.add_body(BodyDesc { dynamics, angular_velocity: Vec3::Z * 4.0, ..desc }).unwrap();
    }
    let mut solver = solver(&scene);
    for (state, body) in run(&mut solver, 60).iter().zip(&scene.bodies) {
        let Dynamics { linear_damping, angular_damping, .. } = body.dynamics;
        let (way, turn) = (velocity(state).y / 3.0, spin(state).z / 4.0);
        assert!((way / (-linear_damping).exp() - 1.0).abs() < 0.02, "{way} at {linear_damping}/s");
        assert!((turn / (-angular_damping).exp() - 1.0).abs() < 0.02, "{turn} at {angular_damping}/s");
    }
}

#[test]
fn locked_axes_hold_against_blows_and_weight() {
    let mut scene = empty();
    scene.add_collider(Collider::ground(-2.0)).unwrap();
    // A door: it turns about Y only, and is struck at its edge.
    let dynamics = Dynamics { locked: BVec3::TRUE, upright: BVec3::new(true, false, true), ..Dynamics::default() };
    let door =
        scene.add_body(BodyDesc { dynamics, ..BodyDesc::cuboid(vec3(0.5, 0.5, 0.05), 0.05).with_mass(5.0) }).unwrap();
    scene.add_body(ball(vec3(0.4, 0.2, 1.0), vec3(0.0, 1.0, -5.0))).unwrap();
    // A figure that does not fall over, struck at its head.
    let upright = Dynamics { upright: BVec3::TRUE, ..Dynamics::default() };
    let figure = Shape::Capsule { radius: 0.2, half_length: 0.5 };
    let figure = BodyDesc { shape: figure, dynamics: upright, ..BodyDesc::capsule(0.2, 0.5, 0.05).with_mass(20.0) };
    let figure = scene.add_body(figure.at(vec3(5.0, -1.3, 0.0))).unwrap();
    scene.add_body(ball(vec3(5.05, -0.9, 1.0), Vec3::NEG_Z * 6.0)).unwrap();
    // A puck in a plane.
    let puck =
        scene.add_body(BodyDesc { dynamics: Dynamics::planar(), ..ball(vec3(10.0, 0.0, 0.0), Vec3::ZERO) }).unwrap();
    scene.add_body(ball(vec3(10.05, 0.0, 1.0), Vec3::NEG_Z * 6.0)).unwrap();
    let mut solver = solver(&scene);
    let states = run(&mut solver, 40);
    let [door, figure, puck] = [door, figure, puck].map(|id| states[id.0 as usize]);
    assert!(center(&door).length() < 1e-6, "{:?}", door.center);
    let turn = Quat::from_array(door.rotation);
    assert!(turn.x.abs() < 1e-6 && turn.z.abs() < 1e-6 && turn.y.abs() > 0.05, "{turn}");
    assert!(Quat::from_array(figure.rotation).angle_between(Quat::IDENTITY) < 1e-6);
    // At 0.5 m/s it slides for 3 cm.
    assert!((-0.05..-0.015).contains(&center(&figure).z), "it is pushed along: {}", center(&figure));
    assert!(puck.center[2].abs() < 1e-6 && spin(&puck).truncate().length() < 1e-6, "{puck:?}");
    assert!(solver.read_health().unwrap().is_good());
}

#[test]
fn a_locked_body_is_a_wall_to_what_strikes_it() {
    let mut scene = space();
    let dynamics = Dynamics { locked: BVec3::TRUE, upright: BVec3::TRUE, ..Dynamics::default() };
    let bouncing = |desc: BodyDesc| BodyDesc { surface: Surface { friction: 0.0, restitution: 1.0 }, ..desc };
    scene.add_body(bouncing(BodyDesc { dynamics, ..ball(Vec3::ZERO, Vec3::ZERO) })).unwrap();
    scene.add_body(bouncing(ball(Vec3::X, Vec3::NEG_X * 3.0))).unwrap();
    let states = run(&mut solver(&scene), 40);
    assert!((velocity(&states[1]).x - 3.0).abs() < 0.05, "{:?}", states[1].velocity);
    assert_eq!(states[0].center, [0.0; 3]);
}

#[test]
fn a_heavier_body_answers_less() {
    let mut scene = space();
    let id = scene.add_body(ball(Vec3::ZERO, Vec3::ZERO)).unwrap();
    let mut solver = solver(&scene);
    for (mass, speed) in [(2.0, 2.0), (8.0, 0.5), (0.5, 8.0)] {
        solver.set_mass(id, mass).unwrap();
        solver.set_body_pose(id, Vec3::ZERO, Quat::IDENTITY, Vec3::ZERO, Vec3::ZERO).unwrap();
        solver.push(Push::impulse(id, Vec3::X * 4.0)).unwrap();
        let state = run(&mut solver, 5)[0];
        assert!((velocity(&state).x - speed).abs() < 1e-3, "{mass} kg: {:?}", state.velocity);
        // Angular impulse over the inertia of a ball, which goes with its mass.
        solver.push(Push::angular_impulse(id, Vec3::Y * 0.04)).unwrap();
        let turned = spin(&run(&mut solver, 5)[0]).y;
        let inertia = 0.4 * mass * 0.01;
        assert!((turned * inertia / 0.04 - 1.0).abs() < 0.02, "{mass} kg: {turned} rad/s");
    }
}

/// A box that sleeps on a slope that it just holds.
fn slope(friction: f32) -> Scene {
    let mut scene = empty();
    let tilt = Quat::from_rotation_z(-0.35); // tan is 0.365
    let mut slab = Collider::new(Shape::Cuboid(vec3(5.0, 0.2, 2.0)), Vec3::ZERO).rotated(tilt);
    slab.surface.friction = friction;
    scene.add_collider(slab).unwrap();
    let mut crate_ = BodyDesc::cuboid(Vec3::splat(0.15), 0.05).at(tilt * vec3(-2.0, 0.35, 0.0)).rotated(tilt);
    crate_.surface.friction = friction;
    scene.add_body(crate_).unwrap();
    scene
}

#[test]
fn what_becomes_slippery_slides_out_of_its_sleep() {
    let things = [Thing::Body(BodyId(0)), Thing::Collider(ColliderId(0))];
    for (thing, friction) in things.into_iter().flat_map(|thing| [0.001, 0.0].map(|friction| (thing, friction))) {
        let mut solver = solver(&slope(0.6));
        let before = run(&mut solver, 90)[0];
        assert_eq!(before.inv_mass, 0.0, "it sleeps");
        // The mean of 0.6 and 0.2 holds it; of 0.6 and next to 0 does not, and what has 0 itself slides on everything.
        solver.set_surface(thing, Surface { friction: 0.2, restitution: 0.0 }).unwrap();
        let held = run(&mut solver, 60)[0];
        assert!(center(&held).distance(center(&before)) < 0.01, "{thing:?} holds");
        solver.set_surface(thing, Surface { friction, restitution: 0.0 }).unwrap();
        let slid = center(&run(&mut solver, 60)[0]).distance(center(&before));
        // What slides rubs less than what holds.
        let mu = if friction == 0.0 { 0.0 } else { 0.3 * Scene::default().params.dynamic_friction_ratio };
        let free = 0.5 * 9.81 * (0.35_f32.sin() - mu * 0.35_f32.cos());
        assert!((slid - free).abs() < 0.1 * free + 0.03, "{thing:?} of {friction}: {slid} m, not {free}");
    }
}

#[test]
fn cloth_slides_off_by_its_friction() {
    let tilt = Quat::from_rotation_z(-0.5); // tan is 0.546
    let mut slid = Vec::new();
    for friction in [Some(1.2), None, Some(0.1)] {
        let mut scene = empty();
        let mut slab = Collider::new(Shape::Cuboid(vec3(5.0, 0.2, 2.0)), Vec3::ZERO).rotated(tilt);
        slab.surface.friction = 0.3;
        scene.add_collider(slab).unwrap();
        let grid = SheetGrid { points: [6, 6], size: glam::Vec2::splat(0.3), topology: Topology::Diagonal };
        let mut sheet =
            Deformable::sheet("rug", grid.positions(), &grid.triangles(), 0.02, &SheetMaterial::default()).unwrap();
        sheet.friction = friction;
        sheet.air_surfaces.clear();
        let id = scene.add_deformable(&sheet, tilt * vec3(-2.0, 0.225, 0.0), tilt, Vec3::ZERO).unwrap();
        let mut solver = solver(&scene);
        (0..45).for_each(|_| solver.step());
        let middle = |solver: &Solver| tilt.inverse() * Vec3::from_slice(&solver.read_particles().unwrap()[14][..3]);
        slid.push(middle(&solver).x + 2.0);
        let told = solver.surface(Thing::Deformable(id)).unwrap().friction;
        assert_eq!(told, friction.unwrap_or(0.6));
        if friction == Some(1.2) {
            let before = middle(&solver).x;
            solver.set_surface(Thing::Deformable(id), Surface { friction: 0.1, restitution: 0.0 }).unwrap();
            (0..45).for_each(|_| solver.step());
            assert!(middle(&solver).x - before > 0.4, "it slides once it is smooth");
        }
    }
    // The means are 0.75, 0.45 and 0.2.
    assert!(slid[0].abs() < 0.06, "{slid:?}");
    for (slid, mean) in slid[1..].iter().zip([0.45, 0.2]) {
        let mu = mean * Scene::default().params.dynamic_friction_ratio;
        let free = 0.5 * 9.81 * (0.5_f32.sin() - mu * 0.5_f32.cos()) * 0.75 * 0.75;
        assert!((slid - free).abs() < 0.15 * free + 0.05, "{slid} m, not {free}");
    }
}

#[test]
fn a_moved_collider_wakes_what_is_near_it_alone() {
    let mut scene = empty();
    scene.add_collider(Collider::ground(0.0)).unwrap();
    let shelf = Collider::new(Shape::Cuboid(vec3(0.3, 0.1, 0.3)), vec3(0.0, 0.5, 0.0));
    let shelf = scene.add_collider(shelf).unwrap();
    for at in [vec3(0.0, 0.7, 0.0), vec3(5.0, 0.1, 0.0)] {
        scene.add_body(BodyDesc::cuboid(Vec3::splat(0.1), 0.05).at(at)).unwrap();
    }
    let mut solver = solver(&scene);
    assert!(run(&mut solver, 90).iter().all(|state| state.inv_mass == 0.0), "both sleep");
    solver.set_collider_pose(shelf, vec3(2.0, 0.5, 0.0), Quat::IDENTITY, Vec3::ZERO, Vec3::ZERO).unwrap();
    solver.step();
    let states = solver.read_bodies().unwrap();
    assert!(states[0].inv_mass > 0.0, "what lay on it falls");
    assert_eq!(states[1].inv_mass, 0.0, "what is far away sleeps on");
    let fallen = run(&mut solver, 60)[0].center[1];
    assert!((fallen - 0.1).abs() < 0.01, "at {fallen} m");
}

#[test]
fn edits_come_back_with_a_state_and_last_through_growth() {
    let mut scene = empty();
    scene.add_collider(Collider::ground(0.0)).unwrap();
    let id = scene.add_body(ball(Vec3::Y * 20.0, Vec3::ZERO)).unwrap();
    let mut solver = solver(&scene);
    let floating = Dynamics { gravity_scale: 0.0, upright: BVec3::TRUE, ..Dynamics::default() };
    let plain = solver.save().unwrap();
    solver.set_dynamics(id, floating).unwrap();
    solver.set_mass(id, 5.0).unwrap();
    let edited = solver.save().unwrap();
    run(&mut solver, 10);
    solver.restore(&plain).unwrap();
    assert_eq!((solver.scene().body(id).mass, solver.scene().body(id).dynamics), (2.0, Dynamics::default()));
    assert!(run(&mut solver, 10)[0].velocity[1] < -1.0);
    solver.restore(&edited).unwrap();
    assert_eq!((solver.scene().body(id).mass, solver.scene().body(id).dynamics), (5.0, floating));
    assert_eq!(run(&mut solver, 10)[0].velocity, [0.0; 3]);
    let mut grown = solver.scene().clone();
    grown.add_body(ball(vec3(3.0, 1.0, 0.0), Vec3::ZERO)).unwrap();
    solver.spawn(&grown).unwrap();
    solver.push(Push::impulse(id, Vec3::X * 10.0)).unwrap();
    let state = run(&mut solver, 10)[0];
    assert!((velocity(&state) - Vec3::X * 2.0).length() < 1e-3, "{:?}", state.velocity);
}

#[test]
fn what_cannot_be_changed_is_refused() {
    let mut scene = empty();
    let id = scene.add_body(ball(Vec3::ZERO, Vec3::ZERO)).unwrap();
    scene.add_liquid(Liquid::water(0.05)).unwrap();
    scene
        .add_deformable(&Deformable::new("dust", vec![Vec3::Y], 1.0, 0.02), Vec3::ZERO, Quat::IDENTITY, Vec3::ZERO)
        .unwrap();
    let mut solver = solver(&scene);
    let missing = SolverError::Missing { what: "body", index: 4, count: 1 };
    assert_eq!(solver.set_mass(BodyId(4), 1.0), Err(missing.clone()));
    assert_eq!(solver.set_dynamics(BodyId(4), Dynamics::default()), Err(missing));
    for mass in [0.0, -1.0, f32::NAN, f32::INFINITY] {
        assert!(matches!(solver.set_mass(id, mass), Err(SolverError::Scene(SceneError::Number { field: "mass", .. }))));
    }
    for (dynamics, field) in [
        (Dynamics { gravity_scale: f32::NAN, ..Dynamics::default() }, "gravity scale"),
        (Dynamics { gravity_scale: 2000.0, ..Dynamics::default() }, "gravity scale"),
        (Dynamics { linear_damping: -0.1, ..Dynamics::default() }, "linear damping"),
        (Dynamics { angular_damping: f32::INFINITY, ..Dynamics::default() }, "angular damping"),
    ] {
        let told = solver.set_dynamics(id, dynamics).unwrap_err().to_string();
        assert!(told.contains(field), "{told}");
        assert!(
            scene
                .add_body(BodyDesc { dynamics, ..ball(Vec3::ZERO, Vec3::ZERO) })
                .unwrap_err()
                .to_string()
                .contains(field)
        );
    }
    let rough = Surface { friction: 0.5, restitution: 0.0 };
    for (surface, field) in
        [(Surface { friction: -1.0, ..rough }, "friction"), (Surface { restitution: 1.5, ..rough }, "restitution")]
    {
        let told = solver.set_surface(Thing::Body(id), surface).unwrap_err().to_string();
        assert!(told.contains(field), "{told}");
    }
    let bouncy = Surface { restitution: 0.5, ..rough };
    for (thing, surface) in [(Thing::Liquid(LiquidId(0)), rough), (Thing::Deformable(DeformableId(0)), bouncy)] {
        assert!(matches!(solver.set_surface(thing, surface), Err(SolverError::NoSurface(_))), "{thing:?}");
    }
    solver.remove_body(id).unwrap();
    let gone = Err(SolverError::Removed(id));
    assert_eq!(solver.set_mass(id, 1.0), gone);
    assert_eq!(solver.set_dynamics(id, Dynamics::default()), gone);
    assert_eq!(solver.set_surface(Thing::Body(id), rough), gone);
    assert!(solver.surface(Thing::Collider(ColliderId(3))).is_err());
}

/// `cargo test --release --test library -- --ignored --nocapture live_edits::` prints what an edit takes.
#[test]
#[ignore = "prints times"]
fn an_edit_is_quick() {
    let mut solver = solver(&stage_for("pairs", &[("count".into(), "300".into())]).unwrap().scene);
    run(&mut solver, 5);
    let mut took: Vec<f64> = (0..500)
        .map(|i| {
            let before = Instant::now();
            solver.set_mass(BodyId(i), 3.0).unwrap();
            solver.set_surface(Thing::Body(BodyId(i)), Surface { friction: 0.3, restitution: 0.1 }).unwrap();
            before.elapsed().as_secs_f64()
        })
        .collect();
    took.sort_by(f64::total_cmp);
    println!("mass and surface of a body: median {:.3} ms, most {:.3} ms", 1e3 * took[250], 1e3 * took[499]);
}
