//! Where bodies meet, how they may turn there, and about what.

use glam::Vec3;

use super::labels::Label;
use super::tree::{Edge, gap};
use crate::scene::{JointKind, Limits};

/// A joint of a plan, in model space in the rest pose.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlannedJoint {
    /// Body nearer to the root: index into [`super::RagdollPlan::bodies`].
    pub parent: usize,
    /// The other body.
    pub child: usize,
    /// Kind.
    pub kind: JointKind,
    /// Where the bodies meet [m].
    pub pivot: Vec3,
    /// Hinge axis, or the direction of the child's bone; unit length.
    pub axis: Vec3,
    /// Y axis of the joint's frame.
    pub up: Vec3,
    /// Range of the relative rotation from the rest pose.
    pub limits: Limits,
    /// Friction torque [N m].
    pub friction: f32,
    /// Share of the relative angular velocity lost per second [1/s].
    pub damping: f32,
    /// Radius of the shared particles [m].
    pub radius: f32,
}

/// What a joint needs to know about a body.
pub(super) struct Part {
    pub(super) label: Label,
    /// Where its bone points [m].
    pub(super) aim: Vec3,
    /// Origin of its bone [m].
    pub(super) origin: Vec3,
    /// Places and radii of what it is made of [m].
    pub(super) samples: Vec<(Vec3, f32)>,
}

/// Flexion of a knee or elbow from straight [rad].
const FLEXION: f32 = 140.0 * DEGREE;
/// Overstretch of a knee or elbow [rad]; also the least room on either side.
const OVERSTRETCH: f32 = 5.0 * DEGREE;
const DEGREE: f32 = std::f32::consts::PI / 180.0;

/// Swing sideways, swing forward and twist of a ball joint [degrees], after clinical ranges of motion; what a cone
/// cannot say, such as a hip that bends much further forward than back, is its mean.
fn ball_range(label: Label) -> [f32; 3] {
    match label {
        Label::Thigh => [35.0, 65.0, 30.0],
        Label::UpperArm => [85.0, 85.0, 60.0],
        Label::Head => [35.0, 45.0, 55.0],
        Label::Pelvis | Label::Spine => [20.0, 30.0, 20.0],
        Label::Clavicle => [20.0, 20.0, 15.0],
        Label::Hand => [30.0, 65.0, 45.0],
        Label::Foot => [20.0, 35.0, 15.0],
        Label::Forearm | Label::Shin | Label::Tail | Label::Other => [45.0, 45.0, 30.0],
    }
}

/// Unit direction that a character faces: where its feet point, or +Z as glTF has it.
pub(super) fn facing(parts: &[Part]) -> Vec3 {
    let feet = parts.iter().filter(|p| p.label == Label::Foot);
    let sum: Vec3 = feet.map(|p| (p.aim - p.origin).with_y(0.0)).sum();
    if sum.x.abs() > 2.0 * sum.z.abs() {
        Vec3::X * sum.x.signum()
    } else if sum.z < 0.0 {
        Vec3::NEG_Z
    } else {
        Vec3::Z
    }
}

/// The joint for `edge`; `reach` [m] is how far a bone's origin may lie outside the bodies it joins.
pub(super) fn joint(edge: Edge, parts: &[Part], reach: f32, radius: f32, forward: Vec3) -> PlannedJoint {
    let (parent, child) = (&parts[edge.parent], &parts[edge.child]);
    let bone = parts[edge.hinge_of.unwrap_or(edge.child)].origin;
    let off = |part: &Part| gap(&[(bone, 0.0)], &part.samples).0;
    let inside = off(parent) <= reach && off(child) <= reach;
    let pivot = if inside { bone } else { gap(&parent.samples, &child.samples).1 };
    let along = (child.aim - pivot).normalize_or(Vec3::Y);
    let mut joint = PlannedJoint {
        parent: edge.parent,
        child: edge.child,
        kind: JointKind::Ball,
        pivot,
        axis: along,
        up: if along.dot(forward).abs() < 0.9 { forward } else { Vec3::Y },
        limits: Limits::Free,
        friction: 0.0,
        damping: 0.0,
        radius,
    };
    let bends = match (parent.label, child.label) {
        (Label::Thigh, Label::Shin) => Some(-forward),
        (Label::UpperArm, Label::Forearm) => Some(forward),
        _ => None,
    };
    match bends {
        Some(direction) => hinge(&mut joint, parent, direction),
        None => {
            let [side, front, twist] = ball_range(child.label).map(|degrees| degrees * DEGREE);
            // The frame's Y axis points forward, so turning about it swings sideways.
            joint.limits = Limits::SwingTwist { swing_y: side, swing_z: front, twist_min: -twist, twist_max: twist };
        }
    }
    joint
}

/// Makes a hinge that bends the child's bone from the parent's towards `direction`.
fn hinge(joint: &mut PlannedJoint, parent: &Part, direction: Vec3) {
    let along = joint.axis;
    let upper = (joint.pivot - parent.origin).try_normalize().unwrap_or(along);
    let anatomical = upper.cross(direction).try_normalize().unwrap_or_else(|| upper.any_orthonormal_vector());
    // A limb bent in the rest pose shows its axis; a nearly straight one does not.
    let bend = upper.angle_between(along);
    let shown = upper.cross(along).try_normalize().filter(|_| bend > 8.0 * DEGREE);
    let axis = shown.filter(|a| a.dot(anatomical) > 0.5 || bend > 30.0 * DEGREE).unwrap_or(anatomical);
    let bent = if shown == Some(axis) { bend } else { 0.0 };
    joint.kind = JointKind::Hinge;
    joint.up = along;
    joint.axis = axis;
    joint.limits = Limits::Hinge { min: -(bent + OVERSTRETCH), max: (FLEXION - bent).max(OVERSTRETCH) };
}

impl PlannedJoint {
    /// Places of the shared particles that nothing else should be near [m].
    pub(super) fn shared(&self) -> Vec<Vec3> {
        match self.kind {
            JointKind::Hinge => vec![self.pivot + self.axis * self.radius, self.pivot - self.axis * self.radius],
            _ => vec![self.pivot],
        }
    }

    /// Kind and limits in words.
    pub(super) fn describe(&self) -> String {
        let degrees = |angle: f32| (angle / DEGREE).round();
        match self.limits {
            Limits::Free => format!("{:?}, no limits", self.kind).to_lowercase(),
            Limits::SwingTwist { swing_y, swing_z, twist_min, twist_max } => format!(
                "ball, swing {}° sideways {}° forward, twist {}..{}°",
                degrees(swing_y),
                degrees(swing_z),
                degrees(twist_min),
                degrees(twist_max)
            ),
            Limits::Hinge { min, max } => format!("hinge, {}..{}°", degrees(min), degrees(max)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn part(label: Label, origin: Vec3, aim: Vec3) -> Part {
        Part { label, aim, origin, samples: vec![(origin, 0.1), (aim, 0.3)] }
    }

    #[test]
    fn knees_bend_back_and_elbows_forward() {
        let thigh = part(Label::Thigh, Vec3::Y, Vec3::Y * 0.8);
        let shin = part(Label::Shin, Vec3::Y * 0.5, Vec3::Y * 0.25);
        let arm = part(Label::UpperArm, Vec3::ZERO, Vec3::X * 0.1);
        let forearm = part(Label::Forearm, Vec3::X * 0.3, Vec3::X * 0.45);
        for (upper, lower, toward) in [(thigh, shin, Vec3::NEG_Z), (arm, forearm, Vec3::Z)] {
            let parts = [upper, lower];
            let joint = joint(Edge { parent: 0, child: 1, hinge_of: Some(1) }, &parts, 0.1, 0.03, Vec3::Z);
            assert_eq!(joint.kind, JointKind::Hinge);
            let bone = parts[1].aim - joint.pivot;
            let bent = glam::Quat::from_axis_angle(joint.axis, 1.0) * bone;
            assert!((bent - bone).dot(toward) > 0.0, "bends {}", bent - bone);
        }
    }

    #[test]
    fn a_bone_far_from_its_body_is_not_the_pivot() {
        let a = part(Label::Other, Vec3::ZERO, Vec3::ZERO);
        let mut b = part(Label::Other, Vec3::Y * 3.0, Vec3::X);
        b.samples = vec![(Vec3::X, 0.3)];
        let joint = joint(Edge { parent: 0, child: 1, hinge_of: Some(1) }, &[a, b], 0.1, 0.03, Vec3::Z);
        assert!(joint.pivot.distance(Vec3::X * 0.5) < 1e-6, "{}", joint.pivot);
    }
}
