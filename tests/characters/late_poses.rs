//! Chosen bodies and particles come back late, in order, and as they were.

use glam::Vec3;
use sinew::demos::stage_for;
use sinew::gpu::Context;
use sinew::scene::{BodyDesc, BodyId, Collider, ColliderId, Params, Scene, Thing};
use sinew::solver::{Solver, SolverError};

fn context() -> Context {
    Context::shared().expect("adapter")
}

fn falling(count: usize) -> Scene {
    let mut scene = Scene::default();
    scene.add_collider(Collider::ground(0.0)).unwrap();
    for i in 0..count {
        scene.add_body(BodyDesc::sphere(0.1, 0.05).at(Vec3::new(i as f32, 1.0 + 0.2 * i as f32, 0.0))).unwrap();
    }
    scene
}

#[test]
fn poses_come_late_in_order_as_they_were() {
    let mut solver = Solver::new(&context(), &falling(5)).unwrap();
    // In no order, with neighbors that are one copy, and one twice.
    let chosen = [BodyId(3), BodyId(1), BodyId(2), BodyId(0), BodyId(3)];
    let mut expected = Vec::new();
    let mut taken = Vec::new();
    for frame in 0..12_u64 {
        solver.request_poses(&chosen).unwrap();
        expected.push(solver.read_bodies().unwrap());
        while let Some(poses) = solver.take_poses() {
            assert_eq!(poses.frame + 3, frame, "three frames late");
            taken.push(poses);
        }
        solver.step();
    }
    assert_eq!(taken.len(), 9);
    for (frame, poses) in taken.iter().enumerate() {
        assert_eq!((poses.frame, poses.bodies.as_slice()), (frame as u64, &chosen[..]));
        assert!((poses.time - frame as f64 / 60.0).abs() < 1e-6);
        for (id, state) in poses.iter() {
            assert_eq!(*state, expected[frame][id.0 as usize], "body {} of frame {frame}", id.0);
        }
        assert_eq!(poses.get(BodyId(2)), Some(&expected[frame][2]));
        assert_eq!(poses.get(BodyId(4)), None);
    }
    let fallen = taken[8].states[0].center[1] - taken[0].states[0].center[1];
    assert!(fallen < -0.05, "{fallen} m");
}

#[test]
fn a_paused_world_answers_at_once() {
    let mut solver = Solver::new(&context(), &falling(1)).unwrap();
    assert_eq!(solver.take_poses(), None);
    solver.request_poses(&[BodyId(0)]).unwrap();
    assert_eq!(solver.take_poses(), None);
    solver.set_params(Params { dt: 0.0, ..*solver.params() }).unwrap();
    let poses = solver.take_poses().unwrap();
    assert_eq!(poses.states, solver.read_bodies().unwrap());
    solver.request_poses(&[]).unwrap();
    assert!(solver.take_poses().unwrap().states.is_empty());
    (0..300).for_each(|_| solver.request_poses(&[BodyId(0)]).unwrap());
    assert_eq!(std::iter::from_fn(|| solver.take_poses()).count(), 256, "the oldest are dropped");
}

#[test]
fn particles_of_every_kind_of_thing_come_back() {
    let context = context();
    let mut met = 0;
    for (demo, sets) in [("flag", &[][..]), ("dam", &[("count", "300")]), ("sand", &[("count", "200")]), ("pairs", &[])]
    {
        let sets: Vec<(String, String)> = sets.iter().map(|(k, v): &(&str, &str)| ((*k).into(), (*v).into())).collect();
        let scene = stage_for(demo, &sets).unwrap().scene;
        let mut solver = Solver::new(&context, &scene).unwrap();
        (0..4).for_each(|_| solver.step());
        let members = scene.members();
        let thing = members.thing(sinew::scene::ParticleId(scene.particles.len() as u32 - 1));
        let Some(thing) = thing.or_else(|| members.thing(sinew::scene::ParticleId(0))) else { panic!("{demo}") };
        solver.request_particles(thing).unwrap();
        let (places, speeds) = (solver.read_particles().unwrap(), solver.read_particle_velocities().unwrap());
        (0..3).for_each(|_| solver.step());
        let found = solver.take_particles().unwrap();
        assert_eq!((found.frame, found.thing), (4, thing), "{demo}");
        assert!(!found.particles.is_empty() && found.particles.is_sorted());
        for (k, id) in found.particles.iter().enumerate() {
            assert_eq!(members.thing(*id), Some(thing), "{demo}");
            assert_eq!(found.positions[k].to_array(), places[id.0 as usize][..3], "{demo}");
            let speed =
                if matches!(thing, Thing::Body(_)) { [0.0; 3] } else { speeds[id.0 as usize][..3].try_into().unwrap() };
            assert_eq!(found.velocities[k].to_array(), speed, "{demo}");
            met += 1;
        }
    }
    assert!(met > 500, "{met}");
}

#[test]
fn what_cannot_be_asked_for_is_named() {
    let mut solver = Solver::new(&context(), &falling(2)).unwrap();
    let missing = SolverError::Missing { what: "body", index: 2, count: 2 };
    assert_eq!(solver.request_poses(&[BodyId(0), BodyId(2)]).unwrap_err(), missing);
    assert_eq!(solver.request_particles(Thing::Body(BodyId(2))).unwrap_err(), missing);
    let refusal = solver.request_particles(Thing::Collider(ColliderId(0))).unwrap_err();
    assert!(refusal.to_string().contains("collider 0 has no particles"), "{refusal}");
    solver.remove_body(BodyId(1)).unwrap();
    assert_eq!(solver.request_poses(&[BodyId(1)]).unwrap_err(), SolverError::Removed(BodyId(1)));
    assert_eq!(solver.request_particles(Thing::Body(BodyId(1))).unwrap_err(), SolverError::Removed(BodyId(1)));
    (0..4).for_each(|_| solver.step());
    assert_eq!((solver.take_poses(), solver.take_particles()), (None, None), "a refusal asks for nothing");
}
