//! Joints turn no further than they may, and knees and elbows never the wrong way.

use glam::Vec3;
use sinew::scene::{BodyId, JointKind, JointPoint, Scene};

use super::angles::{backwards, overshoot};
use super::grounds::{Ground, grounds};
use super::run::{Run, SECOND};

/// Beyond this a joint overshoots [degrees].
const SLACK: f32 = 3.0;

/// Overshoot of one joint over a run.
struct Overshoot {
    /// Most while it moves [degrees].
    most: f32,
    /// Frame of that.
    frame: usize,
    /// Longest time beyond the slack [s].
    longest: f32,
    /// Most in the last second [degrees].
    rest: f32,
}

fn watch(run: &Run, joint: usize) -> Overshoot {
    let mut seen = Overshoot { most: 0.0, frame: 0, longest: 0.0, rest: 0.0 };
    let mut streak = 0;
    for (frame, state) in run.frames.iter().enumerate() {
        let over = overshoot(&run.scene.joints[joint], state).map(f32::to_degrees).into_iter().fold(0.0, f32::max);
        if over > seen.most {
            (seen.most, seen.frame) = (over, frame);
        }
        streak = if over > SLACK { streak + 1 } else { 0 };
        seen.longest = seen.longest.max(streak as f32 * run.scene.params.dt);
        if frame + SECOND >= run.frames.len() {
            seen.rest = seen.rest.max(over);
        }
    }
    seen
}

fn check(ground: Ground) {
    let run = ground.run();
    let (mut most, mut longest, mut rest) = (0.0_f32, 0.0_f32, 0.0_f32);
    for (index, member) in run.members.iter().enumerate() {
        for joint in member.joints.clone() {
            let seen = watch(run, joint);
            if seen.most > SLACK {
                let (most, frame) = (seen.most, seen.frame);
                println!(
                    "{index} {}, {}: {most:.1}° in frame {frame}, {:.2} s beyond {SLACK}°, {:.1}° at rest",
                    member.name,
                    run.joint_name(joint),
                    seen.longest,
                    seen.rest
                );
            }
            (most, longest, rest) = (most.max(seen.most), longest.max(seen.longest), rest.max(seen.rest));
        }
    }
    println!("{ground:?}: at most {most:.2}° beyond limits, {longest:.2} s beyond {SLACK}°, {rest:.2}° at rest");
    assert!(rest <= SLACK, "{ground:?}: {rest}° at rest");
    assert!(most <= 10.0, "{ground:?}: {most}°");
    assert!(longest <= 0.1 + 1e-4, "{ground:?}: beyond {SLACK}° for {longest} s");
}

#[test]
#[ignore = "long"]
fn limits_hold_on_a_plane() {
    check(Ground::Plane);
}

#[test]
fn limits_hold_on_stairs() {
    check(Ground::Stairs);
}

#[test]
#[ignore = "long"]
fn limits_hold_on_a_slope() {
    check(Ground::Slope);
}

/// Middle of a joint's particles.
fn middle(points: &[JointPoint], local: fn(&JointPoint) -> Vec3) -> Vec3 {
    points.iter().map(local).sum::<Vec3>() / points.len() as f32
}

/// Ends of the bones at a hinge, in the frames of its bodies: where the joint before and the joint beyond it are.
fn ends(scene: &Scene, hinge: usize) -> Option<(Vec3, Vec3)> {
    let desc = scene.joints[hinge].desc;
    let joint = |holds: &dyn Fn(BodyId, BodyId) -> bool| scene.joints.iter().find(|j| holds(j.desc.a, j.desc.b));
    let before = joint(&|_, b| b == desc.a)?;
    let beyond = joint(&|a, _| a == desc.b).map_or(Vec3::ZERO, |j| middle(&j.points, |p| p.local_a));
    Some((middle(&before.points, |p| p.local_b), beyond))
}

#[test]
fn knees_and_elbows_never_bend_backwards() {
    let mut worst: f32 = 0.0;
    for run in grounds().iter().map(|ground| ground.run()) {
        let (mut hinges, mut most_bent) = (0, 0.0_f32);
        for (index, member) in run.members.iter().enumerate().filter(|(_, m)| m.height > 1.5) {
            for joint in member.joints.clone().filter(|j| run.scene.joints[*j].desc.kind == JointKind::Hinge) {
                let (upper, lower) = ends(&run.scene, joint).unwrap();
                let angle = |f: usize| backwards(&run.scene, joint, &run.frames[f], upper, lower).to_degrees();
                let (most, frame) =
                    (0..run.frames.len()).map(|f| (angle(f), f)).max_by(|a, b| a.0.total_cmp(&b.0)).unwrap();
                if most > 5.0 {
                    println!("{index} {}, {}: {most:.2}° in frame {frame}", member.name, run.joint_name(joint));
                }
                worst = worst.max(most);
                most_bent = most_bent.max(-angle(run.frames.len() - 1));
                hinges += 1;
            }
        }
        assert!(hinges >= 40 && most_bent > 20.0, "{hinges} knees and elbows, bent by {most_bent}°");
    }
    println!("knees and elbows: at most {worst:.2}° backwards");
    assert!(worst <= 5.0, "{worst}° backwards");
}
