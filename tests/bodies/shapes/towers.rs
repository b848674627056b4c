//! Towers of boxes stand, though a contact only sees its own two bodies.

use glam::{Vec3, vec3};
use sinew::gpu::Context;
use sinew::scene::{BodyDesc, Collider, Scene};
use sinew::solver::Solver;

const HALF: f32 = 0.15;

/// What is seen of a tower in a second: how far its top is below where it was made [m], how far a box is from the axis [m], and the
/// fastest of them at the end [m/s].
#[derive(Clone, Copy, Debug)]
struct Seen {
    sunk: f32,
    aside: f32,
    speed: f32,
}

/// A tower of so many boxes for ten seconds, second by second.
fn tower(boxes: usize, substeps: u32, change: impl Fn(&mut Scene)) -> Vec<Seen> {
    let mut scene = Scene::default();
    scene.params.substeps = substeps;
    scene.params.sleep_time = 0.0;
    (scene.params.linear_damping, scene.params.angular_damping) = (0.0, 0.0);
    change(&mut scene);
    scene.add_collider(Collider::ground(0.0)).unwrap();
    let height = |k: usize| HALF * (2 * k + 1) as f32;
    for k in 0..boxes {
        scene.add_body(BodyDesc::cuboid(Vec3::splat(HALF), 0.05).at(vec3(0.0, height(k), 0.0))).unwrap();
    }
    let mut solver = Solver::new(&Context::shared().expect("adapter"), &scene).unwrap();
    let seen = (0..10).map(|_| {
        (0..60).for_each(|_| solver.step());
        let bodies = solver.read_bodies().unwrap();
        let most = |of: &dyn Fn(usize) -> f32| (0..boxes).map(of).fold(0.0, f32::max);
        Seen {
            sunk: height(boxes - 1) - bodies[boxes - 1].center().y,
            aside: most(&|k| bodies[k].center().x.hypot(bodies[k].center().z)),
            speed: most(&|k| bodies[k].velocity().length()),
        }
    });
    seen.collect()
}

#[test]
fn towers_stand_still() {
    for (boxes, substeps, sunk) in [(7, 4, 0.015), (10, 8, 0.01), (13, 8, 0.015)] {
        let seen = tower(boxes, substeps, |_| ());
        let end = seen[9];
        println!("{boxes} boxes, {substeps} substeps: {end:?}");
        assert!(seen.iter().all(|s| s.sunk > 0.0), "it rises: {seen:?}");
        assert!(end.sunk < sunk && end.aside < 0.001 && end.speed < 0.01, "{boxes} boxes: {seen:?}");
    }
}

/// They swing when they are made, and must not throw themselves apart before they sleep.
#[test]
fn high_towers_come_to_rest() {
    for boxes in [20, 30] {
        let seen = tower(boxes, 8, |scene| scene.params.sleep_time = Scene::default().params.sleep_time);
        let end = seen[9];
        println!("{boxes} boxes: {end:?}, {:?} before", seen[0]);
        assert!(seen.iter().all(|s| s.sunk > 0.0), "it rises: {seen:?}");
        assert!(end.sunk < 0.06 && end.aside < 0.005 && end.speed == 0.0, "{boxes} boxes: {seen:?}");
    }
}
