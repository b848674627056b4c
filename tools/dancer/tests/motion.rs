//! The clips move like a person: feet stand firm and above the floor, joints stay in human ranges, nothing jumps.

mod reader;

use dancer::figure::Pose;
use dancer::motion::{MOTIONS, RATE};
use dancer::skeleton::{ANKLE, BALL, COUNT, ELBOW, FINGERTIP, JOINTS, Joint, SHOULDER, mirrored};
use glam::{Quat, Vec3};
use reader::{Glb, committed};

/// Every pose of every clip, with the clip's name and its number.
fn poses() -> impl Iterator<Item = (&'static str, usize, Pose)> {
    MOTIONS.iter().flat_map(|m| m.poses().into_iter().enumerate().map(|(i, pose)| (m.name, i, pose)))
}

/// Where a point that rests at `rest` and follows `joint` is now [m].
fn carried(joints: &[(Vec3, Quat); COUNT], joint: Joint, rest: Vec3) -> Vec3 {
    let (at, turn) = joints[joint.index()];
    at + turn * (rest - joint.rest())
}

/// Angle about `axis` in degrees, and how far the rotation is from one about that axis.
fn hinge(turn: Quat, axis: Vec3) -> (f32, f32) {
    let along = turn.xyz().dot(axis);
    let angle = 2.0 * along.atan2(turn.w);
    let angle = (angle + std::f32::consts::PI).rem_euclid(std::f32::consts::TAU) - std::f32::consts::PI;
    (angle.to_degrees(), (turn * Quat::from_axis_angle(axis, -angle)).angle_between(Quat::IDENTITY).to_degrees())
}

#[test]
fn no_part_sinks_into_the_floor() {
    let vertices = Glb::parse(&committed()).vertices();
    for (clip, i, pose) in poses() {
        let joints = pose.joints();
        let height = |v: &reader::Vertex| -> f32 {
            let influences = v.joints.iter().zip(v.weights);
            influences.map(|(j, w)| w * (joints[*j].0 + joints[*j].1 * (v.point - JOINTS[*j].rest)).y).sum()
        };
        let lowest = vertices.iter().map(height).fold(f32::MAX, f32::min);
        assert!(lowest > -0.01, "{clip} {i}: {lowest} m");
    }
}

#[test]
fn standing_feet_do_not_slide() {
    let heel = Vec3::new(ANKLE.x, 0.0, ANKLE.z - 0.045);
    let tread = Vec3::new(BALL.x, 0.0, BALL.z + 0.01);
    let soles = [
        (Joint::LeftFoot, heel),
        (Joint::LeftToes, tread),
        (Joint::RightFoot, mirrored(heel)),
        (Joint::RightToes, mirrored(tread)),
    ];
    for motion in &MOTIONS {
        let poses = motion.poses();
        let mut stood = 0;
        for (joint, rest) in soles {
            let mut landed: Option<Vec3> = None;
            for (i, pose) in poses.iter().enumerate() {
                let ground = Vec3::Z * (motion.speed * i as f32 / RATE as f32);
                let at = carried(&pose.joints(), joint, rest) + ground;
                let stands = at.y < 0.004;
                stood += usize::from(stands);
                landed = stands.then(|| landed.unwrap_or(at));
                let slid = landed.map_or(0.0, |from| (at - from).with_y(0.0).length());
                assert!(slid <= 0.01, "{} {i}: {} slid {slid} m", motion.name, JOINTS[joint.index()].name);
            }
        }
        assert!(stood > poses.len(), "{}: somebody must stand on something", motion.name);
    }
}

#[test]
fn knees_and_elbows_bend_one_way() {
    let elbow = (ELBOW - SHOULDER).cross(Vec3::Z).normalize();
    let elbow = [elbow, Vec3::new(elbow.x, -elbow.y, -elbow.z)];
    for (clip, i, pose) in poses() {
        for side in 0..2 {
            let knee = pose.turns[[Joint::LeftLowerLeg, Joint::RightLowerLeg][side].index()];
            let (angle, off) = hinge(knee, Vec3::X);
            assert!((-8.0..=145.0).contains(&angle) && off < 8.0, "{clip} {i}: knee {angle}°, {off}° off its axis");
            let arm = pose.turns[[Joint::LeftLowerArm, Joint::RightLowerArm][side].index()];
            let (angle, off) = hinge(arm, elbow[side]);
            assert!((0.0..=145.0).contains(&angle) && off < 1.0, "{clip} {i}: elbow {angle}°, {off}° off its axis");
        }
    }
}

#[test]
fn other_joints_stay_in_reach() {
    use Joint::*;
    // Largest turn from rest in degrees; the rest pose holds arms 40° below level.
    let most = [
        (Spine, 20.0),
        (Chest, 20.0),
        (UpperChest, 20.0),
        (Neck, 40.0),
        (Head, 40.0),
        (LeftShoulder, 45.0),
        (RightShoulder, 45.0),
        (LeftUpperArm, 150.0),
        (RightUpperArm, 150.0),
        (LeftHand, 70.0),
        (RightHand, 70.0),
        (LeftUpperLeg, 120.0),
        (RightUpperLeg, 120.0),
        (LeftFoot, 62.0),
        (RightFoot, 62.0),
        (LeftToes, 62.0),
        (RightToes, 62.0),
    ];
    for (clip, i, pose) in poses() {
        for (joint, most) in most {
            let angle = pose.turns[joint.index()].angle_between(Quat::IDENTITY).to_degrees();
            assert!(angle <= most, "{clip} {i}: {joint:?} {angle}°");
        }
        for foot in [LeftFoot, RightFoot] {
            let (lift, _) = hinge(pose.turns[foot.index()], Vec3::X);
            assert!(lift > -42.0, "{clip} {i}: {foot:?} pulled up by {}°", -lift);
        }
    }
}

/// Least distance between two segments, by sampling [m].
fn apart(a: [Vec3; 2], b: [Vec3; 2]) -> f32 {
    let steps = || (0..=8).map(|i| i as f32 / 8.0);
    steps().flat_map(|s| steps().map(move |t| a[0].lerp(a[1], s).distance(b[0].lerp(b[1], t)))).fold(f32::MAX, f32::min)
}

#[test]
fn hands_stay_out_of_the_body() {
    for (clip, i, pose) in poses() {
        let joints = pose.joints();
        let at = |joint: Joint| joints[joint.index()].0;
        for (hand, tip) in [(Joint::LeftHand, FINGERTIP), (Joint::RightHand, mirrored(FINGERTIP))] {
            let hand = [at(hand), carried(&joints, hand, tip)];
            for (name, from, to, width) in [
                ("left thigh", Joint::LeftUpperLeg, Joint::LeftLowerLeg, 0.085),
                ("right thigh", Joint::RightUpperLeg, Joint::RightLowerLeg, 0.085),
                ("belly", Joint::Spine, Joint::Chest, 0.100),
                ("chest", Joint::Chest, Joint::UpperChest, 0.110),
                ("head", Joint::Head, Joint::Head, 0.130),
            ] {
                let gap = apart(hand, [at(from), at(to)]);
                assert!(gap > width, "{clip} {i}: a hand is {gap} m from the middle of the {name}");
            }
        }
    }
}

#[test]
fn loops_close_and_nothing_jumps() {
    for motion in &MOTIONS {
        let clip = motion.clip();
        let last = motion.steps;
        let speed = |turns: &[Quat], i: usize| turns[i].angle_between(turns[i + 1]) * RATE as f32;
        for (row, turns) in JOINTS.iter().zip(&clip.turns) {
            assert!(turns[0].dot(turns[last]).abs() > 0.999_999, "{} {} does not close", motion.name, row.name);
            let fastest = (0..last).map(|i| speed(turns, i)).fold(0.0, f32::max);
            assert!(fastest < 22.0, "{} {} turns by {fastest} rad/s", motion.name, row.name);
            let change = |i: usize| (speed(turns, (i + 1) % last) - speed(turns, i)).abs();
            let (most, at) = (0..last).map(|i| (change(i), i)).fold((0.0, 0), |a, b| if b.0 > a.0 { b } else { a });
            assert!(most < 11.0, "{} {} jerks by {most} rad/s at {at}", motion.name, row.name);
        }
        assert_eq!(clip.hips[0], clip.hips[last]);
    }
}
