//! Characters that fell come to rest, stay out of the ground and of themselves, and gain no energy.

use sinew::gpu::Context;
use sinew::report::{Overlap, percentile};
use sinew::scene::Scene;

use super::dolls::Member;
use super::grounds::{ALL, Ground, grounds};
use super::run::{Run, SECOND};

/// First frame from which 99 % of a member's particles are slower than 5 cm/s.
pub(crate) fn slow_from(run: &Run, member: &Member) -> usize {
    let fast = |frame: &usize| {
        let speeds: Vec<f64> = run.speeds(member, *frame).into_iter().map(f64::from).collect();
        percentile(&speeds, 0.99).unwrap() >= 0.05
    };
    (0..run.frames.len()).rev().find(fast).map_or(0, |f| f + 1)
}

/// Whether this is a driver on which these falls are known to end beyond a bar. A fall is chaotic: where a driver sums a dot
/// product in another order, each of thirteen characters falls another way, and no property of a driver says which. On
/// SwiftShader two figures roll slowly on a plane for ever, and a dancer on stairs trembles at 1.02 cm/s instead of 1.
fn falls_another_way(what: &str) -> bool {
    let other = Context::shared().expect("adapter").info().name.contains("SwiftShader");
    if other {
        println!("{what} is left out on SwiftShader, where other falls are beyond its bar");
    }
    other
}

fn settles(ground: Ground, run: &Run) {
    let (mut slow, mut asleep) = (0.0_f32, 0.0_f32);
    for (index, member) in run.members.iter().enumerate() {
        let seconds = |frame: usize| frame as f32 / SECOND as f32;
        let (calm, sleeps) = (seconds(slow_from(run, member)), run.asleep_from(member).map_or(f32::INFINITY, seconds));
        println!("{index} {}: slow after {calm:.2} s, asleep after {sleeps:.2} s", member.name);
        (slow, asleep) = (slow.max(calm), asleep.max(sleeps));
    }
    println!("{ground:?}: 99 % of particles slow after {slow:.2} s, asleep after {asleep:.2} s");
    assert!(slow <= 6.0, "{ground:?}: slow after {slow} s");
    assert!(asleep <= 8.0, "{ground:?}: asleep after {asleep} s");
}

#[test]
#[ignore = "long"]
fn it_settles_on_a_plane() {
    if falls_another_way("settling on a plane") {
        return;
    }
    settles(Ground::Plane, Ground::Plane.run());
}

#[test]
fn it_settles_on_stairs() {
    if falls_another_way("settling on stairs") {
        return;
    }
    settles(Ground::Stairs, Ground::Stairs.run());
}

#[test]
#[ignore = "fails: four of 13 are awake after 8 s, two of them, animals, roll"]
fn it_settles_on_a_slope() {
    settles(Ground::Slope, Ground::Slope.run());
}

/// A slope of 30° and friction of 0.6 leave g (0.6 cos 30° - sin 30°) = 0.19 m/s² to end a slide of 2 m/s: it lasts longer
/// than a fall is watched, but it must slow down. What rolls goes down ever faster.
#[test]
#[ignore = "long"]
fn a_slide_down_a_slope_that_hardly_holds_slows() {
    let run = Ground::Slope.fall([4, 1, 1], |scene| {
        scene.params.friction_scale = 1.0;
        scene.params.dynamic_friction_ratio = 1.0;
    });
    for (index, member) in run.members.iter().enumerate() {
        let place = |second: usize| run.sums(member, second * SECOND).center;
        let [early, late] = [3, 7].map(|second| place(second + 1).distance(place(second)) as f32);
        let turned = turns(&run, member, 3 * SECOND..8 * SECOND);
        println!("{index} {}: {early:.2} m/s after 3 s, {late:.2} m/s after 7 s, {turned:.2} turns", member.name);
        assert!(turned > 0.5 || late < early.max(0.05), "{index} {}: {early} m/s, then {late} m/s", member.name);
    }
}

/// How often the first body of a member turns over in these frames.
fn turns(run: &Run, member: &Member, frames: std::ops::Range<usize>) -> f32 {
    let rotation = |frame: usize| run.frames[frame].bodies[member.bodies.start].rotation;
    // About a level axis across the slope: what it does to the vertical.
    let steps = frames.map(|frame| rotation(frame + 1) * rotation(frame).inverse());
    steps.map(|step| step.to_scaled_axis().with_y(0.0)).sum::<glam::Vec3>().length() / std::f32::consts::TAU
}

#[test]
fn no_fall_gains_energy() {
    for ground in grounds() {
        let run = ground.run();
        let mut worst: f64 = 0.0;
        for (index, member) in run.members.iter().enumerate() {
            // Heights count from the ground below the start.
            let zero = member.particles(&run.scene).map(|(p, r)| p.y - r).fold(f32::MAX, f32::min) - 1.0;
            let start = run.energy(member, 0, f64::from(zero));
            let energies = (1..run.frames.len()).map(|f| (run.energy(member, f, f64::from(zero)) / start, f));
            let (most, frame) = energies.max_by(|a, b| a.0.total_cmp(&b.0)).unwrap();
            if most > 1.01 {
                println!("{index} {}: {most:.4} of the start's energy in frame {frame}", member.name);
            }
            worst = worst.max(most);
        }
        println!("{ground:?}: at most {:.3} % above the energy at the start", 100.0 * (worst - 1.0));
        assert!(worst <= 1.02, "{ground:?}: {worst} of the energy at the start");
    }
}

/// Deepest particle in a collider at the end [radii].
fn sunk(run: &Run) -> f32 {
    let mut deepest: f32 = 0.0;
    for (index, at) in run.last().particles.iter().enumerate() {
        let radius = run.scene.particles[index].radius;
        for c in &run.scene.colliders {
            let distance = c.shape.distance(c.rotation.inverse() * (*at - c.position));
            deepest = deepest.max(1.0 - distance / radius);
        }
    }
    deepest
}

fn is_not_sunk(ground: Ground) {
    let deepest = sunk(ground.run());
    println!("{ground:?}: {deepest:.3} radii in the ground at rest");
    assert!(deepest <= 0.2, "{ground:?}: {deepest} radii");
}

#[test]
#[ignore = "long"]
fn nothing_at_rest_is_sunk_in_a_plane() {
    is_not_sunk(Ground::Plane);
}

#[test]
fn nothing_at_rest_is_sunk_in_stairs() {
    is_not_sunk(Ground::Stairs);
}

#[test]
#[ignore = "a particle of one of thirteen is 0.61 radii in the slope"]
fn nothing_at_rest_is_sunk_in_a_slope() {
    is_not_sunk(Ground::Slope);
}

#[test]
fn no_limb_at_rest_is_in_another() {
    for ground in grounds() {
        let run = ground.run();
        let alone = Scene { colliders: Vec::new(), ..run.scene.clone() };
        let deepest = Overlap::new(&alone).worst(run.last());
        println!("{ground:?}: limbs at rest overlap by {deepest:.3} radii");
        assert!(deepest <= 0.5, "{ground:?}: {deepest} radii");
    }
}

/// Root mean square of how fast the bodies of a member move and turn over the last second, from where they are in each
/// frame [m/s], [rad/s].
fn trembling(run: &Run, member: &Member) -> (f32, f32) {
    let frames = &run.frames[run.frames.len() - SECOND - 1..];
    let steps = || frames.windows(2).flat_map(|w| member.bodies.clone().map(|b| (&w[0].bodies[b], &w[1].bodies[b])));
    let per_second = 1.0 / run.scene.params.dt;
    let rms = |squares: f32| (squares / steps().count() as f32).sqrt() * per_second;
    let moving = rms(steps().map(|(from, to)| to.center.distance_squared(from.center)).sum());
    let turning = rms(steps().map(|(from, to)| from.rotation.angle_between(to.rotation).powi(2)).sum());
    (moving, turning)
}

fn stays_still(ground: Ground) {
    let run = ground.fall(ALL, |scene| scene.params.sleep_time = 0.0);
    let (mut speed, mut spin) = (0.0_f32, 0.0_f32);
    for (index, member) in run.members.iter().enumerate() {
        let (moving, turning) = trembling(&run, member);
        println!("{index} {}: {:.2} cm/s, {turning:.3} rad/s", member.name, 100.0 * moving);
        (speed, spin) = (speed.max(moving), spin.max(turning));
    }
    println!("{ground:?}: {:.2} cm/s and {spin:.3} rad/s in the last second without sleep", 100.0 * speed);
    assert!(speed <= 0.01 && spin <= 0.3, "{ground:?}: {speed} m/s, {spin} rad/s");
}

#[test]
#[ignore = "one of thirteen, an animal, rolls on at 1.03 cm/s; the others at 0.04 cm/s or less"]
fn nothing_trembles_on_a_plane_that_may_not_sleep() {
    stays_still(Ground::Plane);
}

#[test]
#[ignore = "one of thirteen still trembles at 1.18 cm/s"]
fn nothing_trembles_on_stairs_that_may_not_sleep() {
    if falls_another_way("trembling on stairs") {
        return;
    }
    stays_still(Ground::Stairs);
}
