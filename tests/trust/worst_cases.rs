//! What has no length, no area, no volume or no direction makes nothing that is no number, on any driver: WGSL promises
//! little of functions and quotients there, and lets numbers too small to be normal be taken for zero.

use glam::Vec3;
use sinew::demos::stage_for;
use sinew::gpu::Context;
use sinew::scene::{BodyDesc, Collider, Scene};
use sinew::solver::Solver;

/// Every material that free particles are joined by, small.
const SOFT: [(&str, &[(&str, &str)]); 8] = [
    ("s0", &[("side", "8")]),
    ("flag", &[("fine", "8")]),
    ("curtain", &[("tear", "0.6"), ("rings", "3"), ("fine", "4")]),
    ("beam", &[("layers", "1")]),
    ("jelly", &[("count", "1"), ("particles", "60"), ("yield", "0.05")]),
    ("balloons", &[("count", "1"), ("boxes", "1")]),
    ("ropes", &[]),
    ("dam", &[("count", "100")]),
];

fn scene_of(demo: &str, sets: &[(&str, &str)]) -> Scene {
    let sets: Vec<_> = sets.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect();
    stage_for(demo, &sets).unwrap_or_else(|e| panic!("{demo}: {e}")).scene
}

/// Runs some frames; everything must stay a number, without the solver having to mend it.
fn survives(name: &str, scene: &Scene) {
    let mut solver = Solver::new(&Context::shared().expect("adapter"), scene).unwrap();
    (0..6).for_each(|_| solver.step());
    let health = solver.read_health().unwrap();
    assert_eq!(health.non_finite, 0, "{name}: something had to be restored");
    let places = solver.read_particles().unwrap();
    assert!(places.iter().flatten().all(|x| x.is_finite()), "{name}");
}

/// Each demo with the places of its free particles changed, the shapes at rest kept.
fn squashed(how: &str, place: impl Fn(Vec3) -> Vec3) {
    for (demo, sets) in SOFT {
        let mut scene = scene_of(demo, sets);
        for particle in &mut scene.particles {
            particle.position = place(particle.position);
        }
        survives(&format!("{demo}, {how}"), &scene);
    }
}

#[test]
fn what_is_squashed_to_a_plane_stays_a_number() {
    squashed("in a plane", |at| Vec3::new(at.x, 1.0, at.z));
}

#[test]
fn what_is_squashed_to_a_line_stays_a_number() {
    squashed("in a line", |at| Vec3::new(at.x, 1.0, 0.0));
}

#[test]
fn what_is_squashed_to_a_point_stays_a_number() {
    squashed("in a point", |_| Vec3::Y);
}

#[test]
fn what_is_too_small_for_normal_numbers_stays_a_number() {
    squashed("denormal", |at| at * 1e-40);
}

#[test]
fn what_is_near_the_end_of_the_world_stays_a_number() {
    let far = |at: Vec3| at + Vec3::new(900.0, 500.0, -900.0);
    squashed("far away", far);
}

#[test]
fn bodies_in_one_pose_stay_numbers() {
    let mut scene = Scene::default();
    scene.add_collider(Collider::ground(0.0)).unwrap();
    for _ in 0..3 {
        scene.add_body(BodyDesc::cuboid(Vec3::splat(0.1), 0.03).at(Vec3::Y)).unwrap();
        scene.add_body(BodyDesc::capsule(0.05, 0.2, 0.02).at(Vec3::Y)).unwrap();
    }
    survives("bodies in one pose", &scene);
}
