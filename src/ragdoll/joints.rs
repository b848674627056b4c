//! Where bodies meet, how they may turn there, and about what.

use std::f32::consts::PI;

use glam::{Quat, Vec3};

use super::anatomy::Axes;
use super::labels::{Label, Tag};
use super::limits::{DEGREE, MARGIN, Ranges, Shared, hinge_use, human, widen};
use super::motion::Spread;
use super::plan::PlannedJoint;
use super::tree::{Edge, gap};
use crate::scene::{JointKind, Limits};

/// What a joint needs to know about a body.
pub(super) struct Part {
    pub(super) tag: Tag,
    /// Where its bone points [m].
    pub(super) aim: Vec3,
    /// Origin of its bone [m].
    pub(super) origin: Vec3,
    /// Direction in which it is thinnest.
    pub(super) thin: Vec3,
    /// Places and radii of what it is made of [m].
    pub(super) samples: Vec<(Vec3, f32)>,
}

/// What holds for all joints of a character.
pub(super) struct Build<'a> {
    pub(super) parts: &'a [Part],
    pub(super) axes: Axes,
    /// Whether human ranges apply.
    pub(super) human: bool,
    pub(super) shared: Shared,
    /// How far a bone's origin may lie outside the bodies it joins [m].
    pub(super) reach: f32,
    /// Radius of shared particles [m].
    pub(super) radius: f32,
    /// Whether the file has clips.
    pub(super) clips: bool,
}

/// Flexion of a knee or elbow from straight [rad].
const FLEXION: f32 = 140.0 * DEGREE;
/// Overstretch of a knee or elbow [rad]: an impact may add as much, and five degrees would show.
const OVERSTRETCH: f32 = 1.0 * DEGREE;
/// Room that joints of no known kind have beyond their clips, and how far they turn at least [rad].
const ROOM: f32 = 15.0 * DEGREE;
const LEAST: f32 = 20.0 * DEGREE;
/// From this bend on a limb shows the axis of its knee or elbow in the rest pose, and from this one on even against what is
/// usual for people [rad].
const BENT: f32 = 8.0 * DEGREE;
const CLEARLY_BENT: f32 = 30.0 * DEGREE;
/// Cosines of the angles between axes that count as one: of a rest pose and the usual one, of clips and what is known otherwise.
/// A hinge's axis is also across its bone, whose direction it has at most so much of.
const ALIKE: f32 = 0.5;
const PLAYED_ALIKE: f32 = 0.7;
const ALONG: f32 = 0.5;
/// Ranges of a joint that nothing is known of: forward, sideways and twist [degrees]; and with clips, before those widen them.
const UNKNOWN: [f32; 3] = [45.0, 45.0, 30.0];
const UNPLAYED: [f32; 3] = [20.0, 20.0, 20.0];
/// Least that a knee or elbow bends [rad].
const LEAST_FLEXION: f32 = 5.0 * DEGREE;

impl Build<'_> {
    /// The joint for `edge`; `turns` are what clips do to the child in the parent, in model axes. `branching` parents
    /// carry more than one child.
    pub(super) fn joint(&self, edge: Edge, turns: &[Quat], branching: bool) -> PlannedJoint {
        let (parent, child) = (&self.parts[edge.parent], &self.parts[edge.child]);
        let mut joint = self.bare(edge);
        let spread = Spread::of(turns);
        match (parent.tag.label, child.tag.label) {
            (Label::Thigh, Label::Shin) => hinge(&mut joint, parent, -self.axes.forward, &spread),
            (Label::UpperArm, Label::Forearm) => hinge(&mut joint, parent, self.axes.forward, &spread),
            _ => {
                if child.tag.label == Label::Hand {
                    // A wrist bends across the palm.
                    joint.up = child.thin;
                }
                let known = human(child.tag, &joint, &self.axes, self.shared).filter(|_| self.human);
                match known {
                    Some(ranges) => ranges.apply(&mut joint),
                    None => self.generic(&mut joint, turns, &spread, branching),
                }
            }
        }
        widen(&mut joint, turns, MARGIN);
        joint
    }

    /// A joint without limits: its place and frame.
    fn bare(&self, edge: Edge) -> PlannedJoint {
        let (parent, child) = (&self.parts[edge.parent], &self.parts[edge.child]);
        let bone = self.parts[edge.hinge_of.unwrap_or(edge.child)].origin;
        let off = |part: &Part| gap(&[(bone, 0.0)], &part.samples).0;
        let inside = off(parent) <= self.reach && off(child) <= self.reach;
        let pivot = if inside { bone } else { gap(&parent.samples, &child.samples).1 };
        let along = (child.aim - pivot).normalize_or(Vec3::Y);
        let forward = self.axes.forward;
        PlannedJoint {
            parent: edge.parent,
            child: edge.child,
            kind: JointKind::Ball,
            pivot,
            axis: along,
            up: if along.dot(forward).abs() < 0.9 { forward } else { Vec3::Y },
            limits: Limits::Free,
            center: Quat::IDENTITY,
            friction: 0.0,
            damping: 0.0,
            radius: self.radius,
        }
    }

    /// A joint that nothing is known of but what clips do: a hinge if they only ever show one, else a ball around them.
    fn generic(&self, joint: &mut PlannedJoint, turns: &[Quat], spread: &Spread, branching: bool) {
        if !self.clips {
            let [forward, side, twist] = UNKNOWN;
            Ranges::even(forward, side, twist).apply(joint);
            return;
        }
        if spread.is_hinge() && !branching {
            joint.up = joint.axis;
            joint.axis = spread.axis;
            joint.kind = JointKind::Hinge;
            let (low, high, _) = hinge_use(joint, turns);
            let (least, most) = ((low - ROOM).max(-PI), (high + ROOM).min(PI));
            joint.limits = Limits::Hinge { min: least.min(-LEAST), max: most.max(LEAST) };
        } else {
            let [forward, side, twist] = UNPLAYED;
            Ranges::even(forward, side, twist).apply(joint);
            widen(joint, turns, ROOM);
        }
    }
}

/// Makes a hinge that bends the child's bone from the parent's towards `direction`.
fn hinge(joint: &mut PlannedJoint, parent: &Part, direction: Vec3, spread: &Spread) {
    let along = joint.axis;
    let upper = (joint.pivot - parent.origin).try_normalize().unwrap_or(along);
    let anatomical = upper.cross(direction).try_normalize().unwrap_or_else(|| upper.any_orthonormal_vector());
    // Clips show the axis best, then a limb bent in the rest pose; a nearly straight one does not.
    let bend = upper.angle_between(along);
    let shown = upper.cross(along).try_normalize().filter(|_| bend > BENT);
    let shown = shown.filter(|a| a.dot(anatomical) > ALIKE || bend > CLEARLY_BENT);
    let played = spread.clear_axis().map(|a| if a.dot(shown.unwrap_or(anatomical)) < 0.0 { -a } else { a });
    let played = played.filter(|a| a.dot(shown.unwrap_or(anatomical)) > PLAYED_ALIKE && a.dot(along).abs() < ALONG);
    let axis = played.or(shown).unwrap_or(anatomical);
    let bent = if shown.is_some_and(|s| s.dot(axis) > ALIKE) { bend } else { 0.0 };
    joint.kind = JointKind::Hinge;
    joint.up = along.reject_from_normalized(axis).normalize_or(along);
    joint.axis = axis;
    joint.limits = Limits::Hinge { min: -(bent + OVERSTRETCH), max: (FLEXION - bent).max(LEAST_FLEXION) };
}

#[cfg(test)]
pub(super) mod tests {
    use super::super::labels::Side;
    use super::*;

    /// A ball joint at the origin without limits.
    pub(crate) fn plain() -> PlannedJoint {
        PlannedJoint {
            parent: 0,
            child: 1,
            kind: JointKind::Ball,
            pivot: Vec3::ZERO,
            axis: Vec3::X,
            up: Vec3::Y,
            limits: Limits::Free,
            center: Quat::IDENTITY,
            friction: 0.0,
            damping: 0.0,
            radius: 0.03,
        }
    }

    fn part(label: Label, origin: Vec3, aim: Vec3) -> Part {
        let samples = vec![(origin, 0.1), (aim, 0.3)];
        Part { tag: Tag::new(label, Side::Left), aim, origin, thin: Vec3::Y, samples }
    }

    fn build(parts: &[Part]) -> Build<'_> {
        let axes = Axes::facing(Vec3::Z);
        Build { parts, axes, human: true, shared: Shared::default(), reach: 0.1, radius: 0.03, clips: false }
    }

    const EDGE: Edge = Edge { parent: 0, child: 1, hinge_of: Some(1) };

    #[test]
    fn knees_bend_back_and_elbows_forward() {
        let thigh = part(Label::Thigh, Vec3::Y, Vec3::Y * 0.8);
        let shin = part(Label::Shin, Vec3::Y * 0.5, Vec3::Y * 0.25);
        let arm = part(Label::UpperArm, Vec3::ZERO, Vec3::X * 0.1);
        let forearm = part(Label::Forearm, Vec3::X * 0.3, Vec3::X * 0.45);
        for (upper, lower, toward) in [(thigh, shin, Vec3::NEG_Z), (arm, forearm, Vec3::Z)] {
            let parts = [upper, lower];
            let joint = build(&parts).joint(EDGE, &[], false);
            assert_eq!(joint.kind, JointKind::Hinge);
            let bone = parts[1].aim - joint.pivot;
            let bent = Quat::from_axis_angle(joint.axis, 1.0) * bone;
            assert!((bent - bone).dot(toward) > 0.0, "bends {}", bent - bone);
        }
    }

    #[test]
    fn a_bone_far_from_its_body_is_not_the_pivot() {
        let a = part(Label::Other, Vec3::ZERO, Vec3::ZERO);
        let mut b = part(Label::Other, Vec3::Y * 3.0, Vec3::X);
        b.samples = vec![(Vec3::X, 0.3)];
        let joint = build(&[a, b]).joint(EDGE, &[], false);
        assert!(joint.pivot.distance(Vec3::X * 0.5) < 1e-6, "{}", joint.pivot);
    }

    #[test]
    fn unknown_joints_follow_their_clips() {
        let parts = [part(Label::Other, Vec3::ZERO, Vec3::X), part(Label::Other, Vec3::X, Vec3::X * 2.0)];
        let build = Build { human: false, clips: true, ..build(&parts) };
        let swings: Vec<Quat> = (0..20).map(|i| Quat::from_rotation_z(0.1 * i as f32)).collect();
        let joint = build.joint(EDGE, &swings, false);
        assert!(joint.kind == JointKind::Hinge && joint.axis.dot(Vec3::Z).abs() > 0.999);
        assert_eq!(build.joint(EDGE, &swings, true).kind, JointKind::Ball);
        assert_eq!(build.joint(EDGE, &[], false).kind, JointKind::Ball);
    }
}
