//! A pose in a choreographer's words, and the joint rotations that strike it.
//!
//! Legs are solved from where the feet stand (two-bone inverse kinematics), arms from where they point; so feet stay
//! planted whatever the hips do, and arms swing in arcs. Angles are in radians. Turning left, leaning forward and
//! tilting to the right are positive; all arm and leg words are for the left side and mirrored for the right.

use std::f32::consts::PI;

use glam::{Mat3, Quat, Vec3};

use crate::skeleton::{ANKLE, BALL, COUNT, ELBOW, HIP, JOINTS, Joint, KNEE, SHOULDER, TOE_TIP, WRIST};

/// Turn left, lean forward, tilt to the right [rad].
pub type Turn = [f32; 3];

/// An arm, in the frame of the upper chest.
#[derive(Clone, Copy, Debug)]
pub struct Arm {
    /// Where the upper arm points: x away from the body, y up, z to the front; any length.
    pub reach: Vec3,
    /// Where the forearm goes when the elbow bends; need not be perpendicular to `reach`.
    pub toward: Vec3,
    /// Bend of the elbow [rad].
    pub elbow: f32,
    /// Wrist: fingers toward the palm, hand toward the thumb, palm turned up [rad].
    pub wrist: [f32; 3],
    /// Lift of the shoulder on top of what the arm's height brings [rad].
    pub shrug: f32,
}

/// Where a foot is.
#[derive(Clone, Copy, Debug)]
pub struct Foot {
    /// The ankle's place over the ground while the sole is flat: x, height above standing, z [m].
    pub place: Vec3,
    /// Direction of the foot, from that at rest [rad].
    pub yaw: f32,
    /// Heel up, rolling over the ball; if negative toes up, rolling over the heel [rad].
    pub pitch: f32,
    /// 1: toes stay flat while the heel is up; 0: they follow the foot.
    pub flat_toes: f32,
    /// Whether the foot carries weight, so that the hips must stay within its reach.
    pub planted: bool,
}

/// A whole pose; left arm and foot first.
#[derive(Clone, Copy, Debug)]
pub struct Figure {
    /// Place of the hips [m].
    pub hips: Vec3,
    /// Turn of the hips.
    pub pelvis: Turn,
    /// Turn of the chest against the hips, shared by three joints.
    pub spine: Turn,
    /// Turn of the head against the chest, shared by two joints.
    pub head: Turn,
    /// Arms.
    pub arms: [Arm; 2],
    /// Feet.
    pub feet: [Foot; 2],
    /// How far knees point outward from the feet's direction [rad].
    pub knees: [f32; 2],
}

/// What a clip stores of a pose.
#[derive(Clone, Copy, Debug)]
pub struct Pose {
    /// Place of the hips [m].
    pub hips: Vec3,
    /// Local rotation of every joint.
    pub turns: [Quat; COUNT],
}

/// Longest distance from hip to ankle as a share of the straight leg: knees never lock.
const REACH: f32 = 0.9975;

fn quat([turn, lean, tilt]: Turn) -> Quat {
    Quat::from_rotation_y(turn) * Quat::from_rotation_x(lean) * Quat::from_rotation_z(tilt)
}

/// The rotation seen in a mirror at x = 0.
fn mirrored(q: Quat) -> Quat {
    Quat::from_xyzw(q.x, -q.y, -q.z, q.w)
}

fn flipped(v: Vec3, side: usize) -> Vec3 {
    if side == 0 { v } else { Vec3::new(-v.x, v.y, v.z) }
}

/// A frame with y along the bone and x along the hinge axis.
fn frame(bone: Vec3, hinge: Vec3) -> Mat3 {
    let y = bone.normalize();
    let x = (hinge - y * hinge.dot(y)).normalize();
    Mat3::from_cols(x, y, x.cross(y))
}

/// The rotation that takes a bone and its hinge axis from rest to where they should be.
fn aim(rest: (Vec3, Vec3), now: (Vec3, Vec3)) -> Quat {
    Quat::from_mat3(&(frame(now.0, now.1) * frame(rest.0, rest.1).transpose())).normalize()
}

impl Figure {
    /// Local rotations of all joints, and the hips lowered as far as planted feet demand.
    pub fn pose(&self) -> Pose {
        let mut turns = [Quat::IDENTITY; COUNT];
        let pelvis = quat(self.pelvis);
        turns[Joint::Hips.index()] = pelvis;
        for (joint, share) in [(Joint::Spine, 0.34), (Joint::Chest, 0.36), (Joint::UpperChest, 0.30)] {
            turns[joint.index()] = quat(self.spine.map(|a| a * share));
        }
        for (joint, share) in [(Joint::Neck, 0.45), (Joint::Head, 0.55)] {
            turns[joint.index()] = quat(self.head.map(|a| a * share));
        }
        let hips = self.lowered(pelvis);
        for side in 0..2 {
            let first = [Joint::LeftShoulder, Joint::RightShoulder][side].index();
            for (i, turn) in self.arms[side].turns().into_iter().enumerate() {
                turns[first + i] = if side == 0 { turn } else { mirrored(turn) };
            }
            let first = [Joint::LeftUpperLeg, Joint::RightUpperLeg][side].index();
            turns[first..first + 4].copy_from_slice(&self.leg(side, hips, pelvis));
        }
        Pose { hips, turns }
    }

    /// The hips, softly held down where a planted leg would be too short.
    fn lowered(&self, pelvis: Quat) -> Vec3 {
        let mut hips = self.hips;
        let reach = REACH * ((KNEE - HIP).length() + (ANKLE - KNEE).length());
        for side in 0..2 {
            let foot = &self.feet[side];
            if !foot.planted {
                continue;
            }
            let socket = pelvis * flipped(HIP - Joint::Hips.rest(), side);
            let gap = hips + socket - foot.ankle(side).0;
            let highest = (reach * reach - gap.x * gap.x - gap.z * gap.z).max(0.01).sqrt() + hips.y - gap.y;
            hips.y = crate::shape::smooth_min(hips.y, highest, 0.012);
        }
        hips
    }

    /// Local rotations of upper leg, lower leg, foot and toes.
    fn leg(&self, side: usize, hips: Vec3, pelvis: Quat) -> [Quat; 4] {
        let foot = &self.feet[side];
        let mirror = |v| flipped(v, side);
        let socket = hips + pelvis * mirror(HIP - Joint::Hips.rest());
        let (ankle, sole, toes) = foot.ankle(side);
        let (upper, lower) = ((KNEE - HIP).length(), (ANKLE - KNEE).length());
        let to = ankle - socket;
        let span = to.length().clamp((upper - lower).abs() + 0.25, REACH * (upper + lower));
        let down = to.normalize();
        // Knees point between where the foot and where the pelvis look; a hinge across keeps that true for high kicks.
        let outward = self.knees[side] * if side == 0 { 1.0 } else { -1.0 };
        let across = Quat::from_rotation_y(foot.yaw + outward) * Vec3::X + 0.35 * (pelvis * Vec3::X);
        let hinge = (across - down * across.dot(down)).normalize();
        let ahead = down.cross(hinge);
        let along = (upper * upper - lower * lower + span * span) / (2.0 * span);
        let knee = down * along + ahead * (upper * upper - along * along).max(0.0).sqrt();
        let thigh = aim((mirror(KNEE - HIP), Vec3::X), (knee, hinge));
        let shin = aim((mirror(ANKLE - KNEE), Vec3::X), (down * span - knee, hinge));
        [pelvis.inverse() * thigh, thigh.inverse() * shin, shin.inverse() * sole, sole.inverse() * toes]
    }
}

impl Foot {
    /// Where the ankle is, and the rotations of foot and toes, none below the floor.
    fn ankle(&self, side: usize) -> (Vec3, Quat, Quat) {
        let mirror = |v| flipped(v, side);
        let yaw = Quat::from_rotation_y(self.yaw);
        let sole = yaw * Quat::from_rotation_x(self.pitch);
        let toes = yaw * Quat::from_rotation_x(self.pitch * if self.pitch > 0.0 { 1.0 - self.flat_toes } else { 1.0 });
        let heel = Vec3::new(ANKLE.x, 0.0, ANKLE.z - 0.045);
        let pivot = mirror(if self.pitch > 0.0 { BALL } else { heel } - ANKLE);
        let mut ankle = self.place + Vec3::Y * ANKLE.y + yaw * pivot - sole * pivot;
        let ball = ankle + sole * mirror(BALL - ANKLE);
        let lowest = [
            ankle + sole * mirror(heel - ANKLE),
            ball - Vec3::Y * BALL.y * 0.9,
            ball + toes * mirror(Vec3::new(TOE_TIP.x, 0.004, TOE_TIP.z) - BALL),
        ];
        ankle.y += lowest.iter().map(|p| (-p.y).max(0.0)).fold(0.0, f32::max);
        (ankle, sole, toes)
    }
}

impl Arm {
    /// Local rotations of shoulder, upper arm, lower arm and hand of a left arm.
    fn turns(&self) -> [Quat; 4] {
        let bone = (ELBOW - SHOULDER).normalize();
        let hinge = bone.cross(Vec3::Z).normalize();
        let reach = self.reach.normalize();
        // The shoulder blade takes part once the arm rises, and reaches forward with it.
        let height = reach.angle_between(Vec3::NEG_Y);
        let lift = self.shrug + 0.42 * (height - 0.35 * PI).max(0.0) - 0.05;
        let shoulder = Quat::from_rotation_y(-0.20 * reach.z.max(0.0)) * Quat::from_rotation_z(lift);
        let upper = aim((bone, hinge), (reach, reach.cross(self.toward)));
        let forearm = (WRIST - ELBOW).normalize();
        let [flex, side, twist] = self.wrist;
        let hand = Quat::from_axis_angle(forearm, twist)
            * Quat::from_axis_angle(hinge, side)
            * Quat::from_axis_angle(Vec3::NEG_Z, flex);
        [shoulder, shoulder.inverse() * upper, Quat::from_axis_angle(hinge, self.elbow), hand]
    }
}

impl Pose {
    /// Place of every joint [m] and its rotation in the world.
    pub fn joints(&self) -> [(Vec3, Quat); COUNT] {
        let mut world = [(self.hips, self.turns[0]); COUNT];
        for (i, row) in JOINTS.iter().enumerate().skip(1) {
            let (at, turn) = world[row.parent.index()];
            world[i] = (at + turn * (row.rest - row.parent.rest()), turn * self.turns[i]);
        }
        world
    }
}
