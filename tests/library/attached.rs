//! Particles that are fastened to bodies while the world runs.

use glam::{Quat, Vec3, vec3};
use sinew::gpu::Context;
use sinew::report::state_hash;
use sinew::scene::{
    BodyDesc, BodyId, Collider, Deformable, ParticleId, Placement, RopeMaterial, Scene, SceneError, SheetGrid,
    SheetMaterial,
};
use sinew::solver::{Solver, SolverError};

const LINKS: u32 = 12;

/// A rope of 1.1 m and 0.11 kg along X from the origin, 1 m up.
fn rope() -> Deformable {
    let points = (0..LINKS).map(|i| 0.1 * i as f32 * Vec3::X).collect();
    Deformable::rope("rope", points, 0.02, &RopeMaterial::default()).unwrap()
}

/// The rope and a box of 1 kg beyond its end, nothing else.
fn space() -> (Scene, ParticleId, BodyId) {
    let mut scene = Scene::default();
    scene.params.gravity = Vec3::ZERO;
    let id = scene.add_deformable(&rope(), Vec3::Y, Quat::IDENTITY, Vec3::ZERO).unwrap();
    let last = ParticleId(scene.deformables[id.0 as usize].first_particle.0 + LINKS - 1);
    let body = scene.add_body(BodyDesc::cuboid(Vec3::splat(0.1), 0.03).with_mass(1.0).at(vec3(1.3, 1.0, 0.0))).unwrap();
    (scene, last, body)
}

fn solver(scene: &Scene) -> Solver {
    Solver::new(&Context::shared().expect("adapter"), scene).unwrap()
}

fn run(solver: &mut Solver, frames: usize) {
    (0..frames).for_each(|_| solver.step());
}

fn place(solver: &Solver, particle: ParticleId) -> Vec3 {
    solver.read_positions().unwrap()[particle.0 as usize]
}

fn at(solver: &Solver, body: BodyId) -> Placement {
    solver.read_bodies().unwrap()[body.0 as usize].placement()
}

/// Where a particle is in the frame of a body [m].
fn between(solver: &Solver, particle: ParticleId, body: BodyId) -> Vec3 {
    at(solver, body).local(place(solver, particle))
}

fn bits(solver: &Solver) -> u64 {
    state_hash(&solver.read_bodies().unwrap(), &solver.read_particles().unwrap())
}

#[test]
fn a_rope_that_is_tied_to_a_box_shares_its_momentum_and_is_let_go_of() {
    let (mut scene, last, body) = space();
    scene.reserve_attachments(2).unwrap();
    scene.bodies[0].velocity = 0.5 * Vec3::X;
    let mut solver = solver(&scene);
    run(&mut solver, 5);
    let memory = solver.memory();
    let tied = solver.attach(last, body, 0.0).unwrap();
    assert_eq!(solver.attachment(tied).unwrap().particle, last);
    let wanted = between(&solver, last, body);
    let mut most = 0.0_f32;
    for _ in 0..120 {
        solver.step();
        most = most.max(between(&solver, last, body).distance(wanted));
    }
    println!("off by {most} m at most");
    assert!(most < 1e-3, "off by {most} m");
    let state = solver.save().unwrap();
    let speeds = solver.read_velocities().unwrap();
    let of_rope: Vec3 = (0..LINKS).map(|i| scene.particles[i as usize].mass * speeds[i as usize]).sum();
    let of_box = Vec3::from(solver.read_bodies().unwrap()[0].velocity);
    let (momentum, rope_mass) =
        (of_rope + of_box, scene.particles[..LINKS as usize].iter().map(|p| p.mass).sum::<f32>());
    println!("{momentum} kg m/s in all, {of_box} m/s of the box, {rope_mass} kg of rope");
    assert!((momentum - 0.5 * Vec3::X).length() < 0.005, "{momentum}");
    assert!(of_box.x < 0.5 && of_box.x > 0.4, "the box does not feel the rope: {of_box}");
    solver.detach(tied).unwrap();
    assert_eq!(solver.memory(), memory);
    let (from, speed) = (place(&solver, last), Vec3::from(solver.read_bodies().unwrap()[0].velocity));
    run(&mut solver, 60);
    let moved = Vec3::from(solver.read_bodies().unwrap()[0].velocity) - speed;
    assert!(moved.length() < 1e-4, "the box still feels the rope, by {moved}");
    assert!(place(&solver, last).distance(from) > 0.1);
    let left = SolverError::Left { what: "attachment", place: 0 };
    assert_eq!(solver.detach(tied).unwrap_err(), left);
    assert_eq!(solver.attachment(tied).unwrap_err(), left);
    // A state has what was tied then.
    let ends: Vec<u64> = (0..2)
        .map(|_| {
            solver.restore(&state).unwrap();
            run(&mut solver, 30);
            assert!(between(&solver, last, body).distance(wanted) < 1e-3, "loose after a restore");
            bits(&solver)
        })
        .collect();
    assert_eq!(ends[0], ends[1]);
    solver.detach(tied).unwrap();
}

#[test]
fn cloth_follows_a_hand_that_takes_it_and_falls_once_the_hand_leaves() {
    let mut scene = Scene::default();
    scene.add_collider(Collider::ground(0.0)).unwrap();
    let grid = SheetGrid::square(9, 0.4);
    let cloth = Deformable::sheet("cloth", grid.positions(), &grid.triangles(), 0.01, &SheetMaterial::default());
    let id = scene.add_deformable(&cloth.unwrap(), 0.02 * Vec3::Y, Quat::IDENTITY, Vec3::ZERO).unwrap();
    let corner = scene.deformables[id.0 as usize].first_particle;
    let hand = BodyDesc { kinematic: true, ..BodyDesc::sphere(0.05, 0.02) };
    let start = vec3(-0.2, 0.1, -0.2);
    let hand = scene.add_body(hand.at(start)).unwrap();
    let other = scene.add_body(BodyDesc::sphere(0.05, 0.02).at(vec3(2.0, 0.05, 0.0))).unwrap();
    scene.reserve_attachments(1).unwrap();
    let mut solver = solver(&scene);
    run(&mut solver, 90);
    let taken = solver.attach(corner, hand, 0.0).unwrap();
    let wanted = between(&solver, corner, hand);
    for frame in 1..=60 {
        let to = start + frame as f32 / 60.0 * vec3(0.3, 0.9, 0.1);
        solver.set_body_pose(hand, to, Quat::IDENTITY, Vec3::ZERO, Vec3::ZERO).unwrap();
        solver.step();
    }
    let off = between(&solver, corner, hand).distance(wanted);
    let lowest = |solver: &Solver| {
        let places = solver.read_positions().unwrap();
        places[corner.0 as usize..corner.0 as usize + 81].iter().map(|p| p.y).fold(f32::MAX, f32::min)
    };
    println!("off by {off} m, lowest point at {} m", lowest(&solver));
    assert!(off < 1e-3 && lowest(&solver) > 0.2, "off by {off} m, lowest at {} m", lowest(&solver));
    // Buffers that are made anew know of it.
    let mut more = solver.scene().clone();
    more.add_body(BodyDesc::sphere(0.05, 0.02).at(vec3(3.0, 0.05, 0.0))).unwrap();
    solver.spawn(&more).unwrap();
    run(&mut solver, 10);
    assert!(between(&solver, corner, hand).distance(wanted) < 1e-3, "loose after a spawn");
    let none = SolverError::Unreserved { what: "attachment", count: 1 };
    assert_eq!(solver.attach(ParticleId(corner.0 + 5), other, 0.0).unwrap_err(), none);
    assert!(
        matches!(solver.pin(corner, None), Err(SolverError::CannotPin(p, why)) if p == corner && why.contains("fastened"))
    );
    assert!(matches!(solver.attach(corner, other, 0.0), Err(SolverError::CannotPin(..))), "fastened twice");
    solver.remove_body(hand).unwrap();
    assert!(matches!(solver.detach(taken), Err(SolverError::Left { .. })));
    run(&mut solver, 90);
    let y = place(&solver, corner).y;
    assert!(y < 0.06, "still at {y} m");
    // Its place is free, and what is pinned is not taken.
    let pin = solver.pin(corner, None).unwrap();
    assert!(matches!(solver.attach(corner, other, 0.0), Err(SolverError::CannotPin(_, why)) if why.contains("pinned")));
    solver.unpin(pin).unwrap();
    let negative = solver.attach(corner, other, -1.0).unwrap_err();
    assert!(matches!(negative, SolverError::Scene(SceneError::Number { .. })), "{negative}");
    let next = solver.attach(corner, other, 1e-4).unwrap();
    assert_ne!(next, taken);
    assert!(solver.read_health().unwrap().is_good());
}

#[test]
fn a_grown_scene_fastens_what_runs_where_it_is() {
    let (mut scene, last, body) = space();
    scene.bodies[0].velocity = vec3(0.2, 0.3, 0.0);
    let mut solver = solver(&scene);
    run(&mut solver, 60);
    scene.attach(last, body, 0.0).unwrap();
    let before = between(&solver, last, body);
    solver.spawn(&scene).unwrap();
    run(&mut solver, 1);
    let off = between(&solver, last, body).distance(before);
    println!("{off} m off after a frame");
    assert!(off < 0.01, "jumped by {off} m");
}

#[test]
fn what_hangs_on_nothing_is_fastened_as_well() {
    let mut scene = Scene::default();
    scene.params.gravity = Vec3::ZERO;
    let bead = Deformable::new("bead", vec![Vec3::Y], 0.05, 0.02);
    let bead = scene.add_deformable(&bead, Vec3::ZERO, Quat::IDENTITY, Vec3::ZERO).unwrap();
    let hand = BodyDesc::cuboid(Vec3::splat(0.1), 0.03).with_mass(1.0).at(vec3(0.3, 1.0, 0.0));
    let body = scene.add_body(BodyDesc { velocity: Vec3::Z, ..hand }).unwrap();
    scene.reserve_attachments(1).unwrap();
    let mut solver = solver(&scene);
    let particle = scene.particle(bead, 0).unwrap();
    solver.attach(particle, body, 0.0).unwrap();
    let before = between(&solver, particle, body);
    run(&mut solver, 30);
    let off = between(&solver, particle, body).distance(before);
    assert!(off < 1e-3 && place(&solver, particle).z > 0.3, "{off} m off");
}
