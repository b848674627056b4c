//! The dressed dancer: clothes start outside the body, follow the dance and a fall, and neither cross nor stretch.

use std::path::Path;

use glam::{Quat, Vec3, Vec4};
use sinew::demos::{Stage, stage_for};
use sinew::gpu::Context;
use sinew::ragdoll::{self, RagdollPlan, RagdollSettings};
use sinew::report::{Snapshot, crossings, stretches};
use sinew::scene::{BodyDesc, BodyId, Collider, Phase, Scene};
use sinew::solver::{Drag, Solver};
use sinew::spawn::Character;

const DT: f32 = 1.0 / 60.0;

fn dancer(clothes: &str) -> Stage {
    let sets = [("count", "0"), ("clothes", clothes)].map(|(k, v)| (k.to_owned(), v.to_owned()));
    stage_for("dancer", &sets).unwrap()
}

/// How deep the surface of each particle of cloth that is not fastened is inside a body, in radii; 1 and more: its center is.
fn depths(scene: &Scene, state: &Snapshot) -> Vec<f32> {
    let cloth = scene.deformables.iter().flat_map(|e| {
        let first = e.first_particle.0 as usize;
        first..first + e.particle_count as usize
    });
    let depth = |i: usize| {
        let radius = scene.particles[i].radius;
        let of = |(body, pose): (&sinew::scene::Body, &sinew::report::Pose)| {
            let local = pose.rotation.inverse() * (state.particles[i] - pose.center);
            1.0 - scene.shapes[body.shape].distance(local) / radius
        };
        scene.bodies.iter().zip(&state.bodies).map(of).fold(f32::MIN, f32::max)
    };
    cloth.filter(|i| !scene.particles[*i].phase.contains(Phase::GHOST)).map(depth).collect()
}

fn mean_stretch(scene: &Scene, state: &Snapshot) -> f64 {
    let (sum, count) = stretches(scene, state).fold((0.0, 0), |(sum, count), s| (sum + s.abs(), count + 1));
    sum / f64::from(count)
}

#[test]
fn clothes_start_outside_the_body_and_of_their_size() {
    let scene = dancer("on").scene;
    assert_eq!(scene.deformables.len(), 2);
    let start = Snapshot::start(&scene);
    let deepest = depths(&scene, &start).into_iter().fold(f32::MIN, f32::max);
    let stretch = mean_stretch(&scene, &start);
    println!("deepest {deepest} radii, stretch {:.2} % mean", 100.0 * stretch);
    assert!(deepest < 0.0, "{deepest} radii in a body");
    assert!(stretch < 0.02, "stretched by {stretch}");
    assert_eq!(crossings(&scene, &start), 0);
    // What is fastened is pinned on a body, and hangs where its body is.
    assert!(scene.attachments.len() > 60);
    for held in &scene.attachments {
        let (particle, body) = (scene.particles[held.particle.0 as usize], scene.body(held.body));
        assert!(particle.mass == 0.0 && particle.phase.contains(Phase::GHOST));
        assert!((body.position + body.rotation * held.local).distance(particle.position) < 1e-4);
    }
    let bare = dancer("off").scene;
    assert!(bare.deformables.is_empty() && bare.attachments.is_empty() && bare.bodies.len() == scene.bodies.len());
}

#[test]
fn clothes_follow_the_dance_and_a_fall() {
    let Stage { scene, mut cast, .. } = dancer("on");
    let mut solver = Solver::new(&Context::shared().expect("adapter"), &scene).unwrap();
    let mut state = Snapshot::start(&scene);
    let waist = |state: &Snapshot| {
        let gap = |held: &sinew::scene::Attachment| {
            state.bodies[held.body.0 as usize].point(held.local).distance(state.particles[held.particle.0 as usize])
        };
        scene.attachments.iter().map(gap).fold(0.0, f32::max)
    };
    let (mut stretch, mut gap, mut moved) = (0.0_f64, 0.0_f32, 0.0_f32);
    for frame in 0..45 {
        if frame == 25 {
            cast.go_limp();
        }
        solver.follow(&cast.advance(DT)).unwrap();
        solver.step();
        let (bodies, particles) = (solver.read_bodies().unwrap(), solver.read_particles().unwrap());
        let next = state.next(&bodies, &particles, DT);
        moved = moved.max(next.bodies[9].center.distance(state.bodies[9].center) / DT);
        state = next;
        stretch = stretch.max(mean_stretch(&scene, &state));
        gap = gap.max(waist(&state));
        if frame % 15 == 14 {
            assert_eq!(crossings(&scene, &state), 0, "in frame {frame}");
        }
    }
    let deepest = depths(&scene, &state).into_iter().fold(f32::MIN, f32::max);
    println!(
        "hands at {moved} m/s; stretch {:.2} % mean, fastened within {gap} m, {deepest} radii deep at the end",
        100.0 * stretch
    );
    assert!(moved > 1.0, "a hand moves at {moved} m/s at most");
    assert!(stretch < 0.05, "stretched by {stretch} in the mean");
    assert!(gap < 2e-3, "the waist is {gap} m off");
    assert!(deepest < 1.5, "a particle's center is deeper than half a radius in a body: {deepest}");
    assert_eq!(solver.read_health().unwrap().non_finite, 0);
}

/// Dropped from a metre: her clothes hold where the jerk of the landing goes through them, and where she presses them to the ground.
#[test]
#[ignore = "long"]
fn clothes_hold_in_a_fall() {
    let scene = stage_for("assets/dancer.glb", &[]).unwrap().scene;
    let mut solver = Solver::new(&Context::shared().expect("adapter"), &scene).unwrap();
    (0..42).for_each(|_| solver.step());
    let (bodies, particles) = (solver.read_bodies().unwrap(), solver.read_particles().unwrap());
    let state = Snapshot::start(&scene).next(&bodies, &particles, DT);
    let squares = stretches(&scene, &state).map(|s| s * s);
    let (sum, count) = squares.fold((0.0, 0), |(sum, count), s| (sum + s, count + 1));
    let rms = (sum / f64::from(count)).sqrt();
    println!("stretch {:.1} % rms, hips at {:.2} m", 100.0 * rms, state.bodies[0].center.y);
    assert!(rms < 0.1, "stretched by {rms} rms");
    assert_eq!(crossings(&scene, &state), 0);
}

/// She dances for 700 frames, goes limp, and is dragged by a hand in a circle from frame 850 to 1 050.
#[test]
#[ignore = "1 200 frames take minutes on software"]
fn clothes_survive_a_dance_a_fall_and_dragging() {
    let Stage { scene, mut cast, .. } = dancer("on");
    let hand = scene.bodies.iter().position(|b| b.name.contains("Hand")).expect("she has hands");
    let mut solver = Solver::new(&Context::shared().expect("adapter"), &scene).unwrap();
    let mut state = Snapshot::start(&scene);
    let (mut crossed, mut most) = (0, (0.0_f64, 0));
    for frame in 0..1200 {
        if frame == 700 {
            cast.go_limp();
        }
        solver.follow(&cast.advance(DT)).unwrap();
        let turn = (frame as f32 - 850.0) / 60.0;
        let goal = Vec3::new(turn.cos() - 1.0, 0.8, turn.sin());
        let pull = || Drag { body: BodyId(hand as u32), local: Vec3::ZERO, goal, max_force: 600.0 };
        solver.set_drag((850..1050).contains(&frame).then(pull)).unwrap();
        solver.step();
        if frame % 10 == 9 {
            let (bodies, particles) = (solver.read_bodies().unwrap(), solver.read_particles().unwrap());
            state = state.next(&bodies, &particles, 10.0 * DT);
            let now = crossings(&scene, &state);
            if now > 0 {
                println!("frame {frame}: {now} pairs of triangles cross");
            }
            crossed = crossed.max(now);
            let stretch = mean_stretch(&scene, &state);
            if stretch > most.0 {
                most = (stretch, frame);
            }
        }
    }
    let depths = depths(&scene, &state);
    let inside = depths.iter().filter(|depth| **depth > 1.0).count();
    let deepest = depths.into_iter().fold(f32::MIN, f32::max);
    let (stretch, when) = most;
    println!(
        "{crossed} crossings, stretch {:.2} % mean at most, in frame {when}; {inside} centers in a body, {} radii at most",
        100.0 * stretch,
        deepest - 1.0
    );
    assert_eq!(crossed, 0, "triangles cross");
    assert!(deepest < 1.5, "a particle's center is deeper than half a radius in a body: {deepest}");
    assert!(stretch < 0.05, "stretched by {stretch} in the mean in frame {when}");
    let health = solver.read_health().unwrap();
    assert_eq!((health.non_finite, health.out_of_bounds), (0, 0));
}

#[test]
fn clothes_of_a_plan_can_be_taken_off_and_are_told() {
    let asset = sinew::import::load(Path::new("assets/dancer.glb")).unwrap();
    assert_eq!(asset.garments.iter().map(|g| g.name.as_str()).collect::<Vec<_>>(), ["cloth_skirt", "cloth_cape"]);
    let mut plan: RagdollPlan = ragdoll::build(&asset, &RagdollSettings::default()).unwrap();
    let text = plan.describe();
    assert!(text.contains("cloth_skirt: ") && text.contains("fastened to the body"), "{text}");
    // Fastened ones are on the hips, and on the chest.
    let name = |garment: usize| {
        let garment = &plan.garments[garment];
        let bodies = garment.fastened.iter().map(|p| garment.follows[*p as usize][0].0);
        bodies.map(|b| plan.bodies[b].desc.name.clone()).collect::<std::collections::BTreeSet<_>>()
    };
    assert_eq!(name(0).into_iter().collect::<Vec<_>>(), ["hips"]);
    assert_eq!(name(1).into_iter().collect::<Vec<_>>(), ["leftShoulder", "rightShoulder", "upperChest"]);
    plan.garments.clear();
    let mut scene = Scene::default();
    plan.add_to(&mut scene, Vec3::ZERO, Quat::IDENTITY, Vec4::ONE).unwrap();
    assert!(scene.deformables.is_empty());
}

/// She falls back against crates, and her clothes are caught between her and them: what is held must not read a speed that it does not have.
#[test]
#[ignore = "long"]
fn what_is_caught_gathers_no_speed() {
    let mut scene = Scene::default();
    scene.add_collider(Collider::ground(0.0)).unwrap();
    Character::dancer().unwrap().add_to(&mut scene, Vec3::Y * 0.4, Quat::from_rotation_x(0.3), Vec4::ONE).unwrap();
    for i in 0..12 {
        let [x, y, z] = [i % 3, i / 3 % 2, i / 6].map(|k| 0.32 * k as f32);
        let at = Vec3::new(x - 0.32, y + 0.16, z + 0.59);
        scene.add_body(BodyDesc::cuboid(Vec3::splat(0.15), 0.05).with_mass(4.9).at(at)).unwrap();
    }
    let cloth: Vec<usize> = scene
        .deformables
        .iter()
        .flat_map(|e| e.first_particle.0 as usize..(e.first_particle.0 + e.particle_count) as usize)
        .collect();
    let mut solver = Solver::new(&Context::shared().unwrap(), &scene).unwrap();
    let mut before = solver.read_positions().unwrap();
    let mut caught = 0;
    for _ in 0..28 {
        solver.step();
        let (now, velocities) = (solver.read_positions().unwrap(), solver.read_velocities().unwrap());
        let lies = |i: &&usize| {
            let way = now[**i].distance(before[**i]) / DT;
            velocities[**i].length() > 1.0_f32.max(5.0 * way)
        };
        caught += cloth.iter().filter(lies).count();
        before = now;
    }
    println!("{caught} times the velocity of a particle is five times its way");
    assert!(caught < 90, "{caught} times the velocity of a particle is five times its way");
}

/// A pool of other things in the scene, and a fall in a dress: what is fastened goes with its body.
#[test]
fn clothes_go_with_their_wearer_beside_a_pool() {
    let mut scene = Scene::default();
    scene.add_collider(Collider::ground(0.0)).unwrap();
    Character::dancer().unwrap().add_to(&mut scene, Vec3::Y * 0.4, Quat::from_rotation_x(0.3), Vec4::ONE).unwrap();
    let mut balls = Scene::default();
    balls.add_body(BodyDesc::sphere(0.12, 0.04)).unwrap();
    scene.add_pool(&balls, 4).unwrap();
    let mut solver = Solver::new(&Context::shared().unwrap(), &scene).unwrap();
    for _ in 0..22 {
        solver.step();
    }
    let (places, particles) = (solver.read_placements().unwrap(), solver.read_positions().unwrap());
    for held in &scene.attachments {
        let at = places[held.body.0 as usize].point(held.local);
        let off = at.distance(particles[held.particle.0 as usize]);
        assert!(off < 1e-3, "particle {} is {off} m from where body {} holds it", held.particle.0, held.body.0);
    }
}
