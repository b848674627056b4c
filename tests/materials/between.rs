//! Pictures between two frames: halfway is the mean, what jumps is not on its way, and the world does not feel it.

use glam::{Quat, Vec3};
use sinew::demos::stage_for;
use sinew::gpu::Context;
use sinew::report::state_hash;
use sinew::scene::{BodyDesc, BodyId, Collider, ColliderId, Scene};
use sinew::solver::{BodyState, Solver, SolverError, SolverView};

fn context() -> Context {
    Context::shared().expect("adapter")
}

fn scene_of(demo: &str, sets: &[(&str, &str)]) -> Scene {
    let sets: Vec<(String, String)> = sets.iter().map(|(key, value)| ((*key).into(), (*value).into())).collect();
    stage_for(demo, &sets).unwrap().scene
}

fn shown(context: &Context, view: &SolverView<'_>) -> (Vec<BodyState>, Vec<[f32; 4]>) {
    (rows(context, view.bodies, view.body_count), rows(context, view.particles, view.particle_count))
}

fn rows<T: bytemuck::Pod>(context: &Context, buffer: &sinew::gpu::wgpu::Buffer, count: u32) -> Vec<T> {
    let bytes = context.read_buffer(buffer).unwrap();
    bytes.chunks_exact(size_of::<T>()).take(count as usize).map(bytemuck::pod_read_unaligned).collect()
}

fn vector(row: [f32; 4]) -> Vec3 {
    Vec3::new(row[0], row[1], row[2])
}

#[test]
fn halfway_is_the_mean() {
    let context = context();
    for (demo, sets) in [("pairs", &[("count", "6")][..]), ("flag", &[]), ("dam", &[("count", "300")])] {
        let mut solver = Solver::new(&context, &scene_of(demo, sets)).unwrap();
        let places = solver.read_particles().unwrap();
        let first = solver.interpolate(0.5).unwrap();
        assert_eq!(first.time, 0.0);
        for (shown, place) in shown(&context, &first).1.iter().zip(&places) {
            assert!(vector(*shown).distance(vector(*place)) < 1e-6, "{demo}: drawn before the first frame");
        }
        (0..20).for_each(|_| solver.step());
        let (bodies, particles) = (solver.read_bodies().unwrap(), solver.read_particles().unwrap());
        solver.step();
        let (now, after) = (solver.read_bodies().unwrap(), solver.read_particles().unwrap());
        let members = solver.scene().members();
        for alpha in [0.0, 0.25, 0.5, 1.0] {
            let time = solver.view().time - f64::from(1.0 - alpha) / 60.0;
            let view = solver.interpolate(alpha).unwrap();
            assert!((view.time - time).abs() < 1e-6, "{demo}");
            let (between, places) = shown(&context, &view);
            let mut moved = 0.0_f32;
            for (k, body) in between.iter().enumerate() {
                let mean = Vec3::from(bodies[k].center).lerp(now[k].center.into(), alpha);
                assert!(Vec3::from(body.center).distance(mean) < 1e-6, "{demo}: body {k}");
                let turned = Quat::from_array(bodies[k].rotation).slerp(Quat::from_array(now[k].rotation), alpha);
                assert!(Quat::from_array(body.rotation).angle_between(turned) < 2e-3, "{demo}: body {k}");
                moved = moved.max(mean.distance(now[k].center.into()));
            }
            for (k, place) in places.iter().enumerate() {
                assert_eq!(place[3], after[k][3], "{demo}: a radius stays");
                let mean = vector(particles[k]).lerp(vector(after[k]), alpha);
                // A particle of a body goes with it along an arc.
                let on_body =
                    matches!(members.thing(sinew::scene::ParticleId(k as u32)), Some(sinew::scene::Thing::Body(_)));
                let far = vector(*place).distance(mean);
                assert!(far < if on_body { 2e-3 } else { 1e-6 }, "{demo}: particle {k} is off by {far} m");
                moved = moved.max(mean.distance(vector(after[k])));
            }
            assert!(alpha == 1.0 || moved > 1e-4, "{demo}: something moves, by {moved} m");
            assert!(alpha < 1.0 || places == after, "{demo}: the last frame as it is");
        }
    }
}

#[test]
fn what_jumps_is_shown_where_it_is() {
    let context = context();
    let mut scene = Scene::default();
    scene.add_collider(Collider::ground(0.0)).unwrap();
    scene.add_body(BodyDesc::sphere(0.1, 0.05).at(Vec3::Y)).unwrap();
    let mut solver = Solver::new(&context, &scene).unwrap();
    solver.interpolate(0.0).unwrap();
    solver.step();
    // By the host, before the frame: it goes on from there.
    // Also what does not jump far is there at once, and while the world stands still.
    for x in [0.3, 5.0] {
        solver.set_body_pose(BodyId(0), Vec3::new(x, 1.0, 0.0), Quat::IDENTITY, Vec3::X, Vec3::ZERO).unwrap();
        solver.set_collider_pose(ColliderId(0), -x * Vec3::Y, Quat::IDENTITY, Vec3::ZERO, Vec3::ZERO).unwrap();
        let view = solver.interpolate(0.25).unwrap();
        assert_eq!(shown(&context, &view).0[0].center[0], x);
        assert_eq!(solver.interpolate_colliders(0.25).unwrap()[0].position.y, -x);
    }
    solver.step();
    let view = solver.interpolate(0.5).unwrap();
    let x = shown(&context, &view).0[0].center[0];
    assert!((x - 5.0 - 0.5 / 60.0).abs() < 1e-4, "{x}");
    // What is shown again comes from nowhere.
    solver.set_collider_present(ColliderId(0), false).unwrap();
    solver.step();
    solver.set_collider_present(ColliderId(0), true).unwrap();
    assert_eq!(solver.interpolate_colliders(0.5).unwrap()[0].position.y, -5.0);
    // Out of a nozzle: nothing is on its way from the store.
    let mut fountain = Solver::new(&context, &scene_of("fountain", &[("radius", "0.05")])).unwrap();
    fountain.interpolate(0.5).unwrap();
    let mut came = 0;
    for _ in 0..30 {
        let before = fountain.read_particles().unwrap();
        fountain.step();
        let now = fountain.read_particles().unwrap();
        let view = fountain.interpolate(0.5).unwrap();
        for (k, place) in shown(&context, &view).1.iter().enumerate() {
            if vector(before[k]).distance(vector(now[k])) > 10.0 {
                assert_eq!(*place, now[k], "drop {k}");
                came += 1;
            }
        }
    }
    assert!(came > 5, "{came} drops came");
}

#[test]
fn a_host_draws_between_frames_that_it_records() {
    let context = context();
    let mut scene = Scene::default();
    scene.params.gravity = Vec3::ZERO;
    scene.add_body(BodyDesc { velocity: 6.0 * Vec3::X, ..BodyDesc::sphere(0.1, 0.05) }).unwrap();
    let mut solver = Solver::new(&context, &scene).unwrap();
    for frame in 0..6_u8 {
        for alpha in [0.25, 0.75] {
            let mut encoder = context.device.create_command_encoder(&Default::default());
            if alpha == 0.25 {
                solver.record(&mut encoder);
            }
            solver.record_interpolated(&mut encoder, alpha).unwrap();
            context.queue.submit([encoder.finish()]);
            let bodies =
                solver.record_interpolated(&mut context.device.create_command_encoder(&Default::default()), alpha);
            let x = shown(&context, &bodies.unwrap()).0[0].center[0];
            // The first frame is kept from when it was asked for: after it.
            let wanted = if frame == 0 { 0.1 } else { 0.1 * (f32::from(frame) + alpha) };
            assert!((x - wanted).abs() < 1e-5, "frame {frame}, {alpha}: {x}, and {wanted} is due");
        }
    }
    assert!(solver.record_interpolated(&mut context.device.create_command_encoder(&Default::default()), 2.0).is_err());
}

#[test]
fn a_world_does_not_feel_it() {
    let context = context();
    let scene = scene_of("pairs", &[("count", "4")]);
    let mut plain = Solver::new(&context, &scene).unwrap();
    let mut drawn = Solver::new(&context, &scene).unwrap();
    let bytes = |solver: &Solver| solver.memory().iter().map(|(_, bytes)| bytes).sum::<u64>();
    let small = bytes(&drawn);
    for frame in 0..30 {
        plain.step();
        drawn.step();
        drawn.interpolate(0.3).unwrap();
        if frame == 10 {
            // Buffers are made anew.
            let mut grown = drawn.scene().clone();
            grown.add_body(BodyDesc::sphere(0.1, 0.05).at(Vec3::Y * 9.0)).unwrap();
            drawn.spawn(&grown).unwrap();
            plain.spawn(&grown).unwrap();
            let count = drawn.interpolate(0.5).unwrap().body_count;
            assert_eq!(count as usize, grown.bodies.len());
        }
    }
    let hash = |s: &Solver| state_hash(&s.read_bodies().unwrap(), &s.read_particles().unwrap());
    assert_eq!(hash(&drawn), hash(&plain));
    assert!(bytes(&drawn) > bytes(&plain) && bytes(&plain) > small);
    drawn.stop_interpolating();
    assert_eq!(bytes(&drawn), bytes(&plain));
    drawn.step();
    assert_eq!(drawn.interpolate(0.0).unwrap().time, drawn.view().time, "nothing was kept");
    assert_eq!(context.take_errors(), Vec::<String>::new());
}

#[test]
fn a_restored_world_is_not_blended_with_what_was_taken_back() {
    let context = context();
    let mut solver = Solver::new(&context, &scene_of("pairs", &[("count", "2")])).unwrap();
    let state = solver.save().unwrap();
    (0..30).for_each(|_| solver.step());
    solver.interpolate(0.5).unwrap();
    solver.step();
    solver.restore(&state).unwrap();
    let now = solver.read_bodies().unwrap();
    let view = solver.interpolate(0.5).unwrap();
    assert_eq!(view.time, 0.0);
    for (shown, now) in shown(&context, &view).0.iter().zip(&now) {
        assert!(Vec3::from(shown.center).distance(now.center.into()) < 1e-6, "{shown:?} {now:?}");
    }
}

#[test]
fn colliders_are_between_too() {
    let mut scene = Scene::default();
    scene.add_collider(Collider::ground(0.0)).unwrap();
    scene.add_body(BodyDesc::sphere(0.1, 0.05).at(Vec3::Y)).unwrap();
    let mut solver = Solver::new(&context(), &scene).unwrap();
    solver.interpolate(1.0).unwrap();
    solver.set_collider_pose(ColliderId(0), Vec3::ZERO, Quat::IDENTITY, Vec3::Y * 0.6, Vec3::ZERO).unwrap();
    solver.step();
    let heights = [0.0, 0.5, 1.0].map(|alpha| solver.interpolate_colliders(alpha).unwrap()[0].position.y);
    for (found, expected) in heights.into_iter().zip([0.0, 0.005, 0.01]) {
        assert!((found - expected).abs() < 1e-6, "{heights:?}");
    }
    for alpha in [-0.1, 1.1, f32::NAN] {
        for refusal in [solver.interpolate_colliders(alpha).err(), solver.interpolate(alpha).err()] {
            assert!(matches!(refusal, Some(SolverError::Scene(ref e)) if e.to_string().contains("from 0 to 1")));
        }
    }
}
