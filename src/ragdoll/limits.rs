//! How far joints turn: clinical ranges of motion for the parts of a standing figure, widened to what its clips do.

use std::f32::consts::PI;

use glam::{Mat3, Quat, Vec3};

use super::anatomy::Axes;
use super::labels::{Label, Side, Tag};
use super::plan::PlannedJoint;
use crate::scene::{JointKind, Limits};

pub(super) const DEGREE: f32 = PI / 180.0;
/// Room beyond every pose of every clip [rad].
pub(super) const MARGIN: f32 = 5.0 * DEGREE;
/// A joint that turns less than this in every way is stiff [rad].
const LOCKED: f32 = 10.0 * DEGREE;
/// Narrowest half angle of a swing that somebody asks for [rad].
const NARROWEST: f32 = 0.5 * DEGREE;
/// Turn across a hinge's axis beyond which clips show that it is none [rad].
pub(super) const NO_HINGE: f32 = 6.0 * DEGREE;
/// Widest half angle of a swing [rad].
const WIDEST: f32 = 0.95 * PI;

/// Ranges of a ball joint from the rest pose, about the axes of its frame [rad].
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Ranges {
    /// About Y: sideways.
    pub(super) side: [f32; 2],
    /// About Z: positive towards Y, forward.
    pub(super) forward: [f32; 2],
    /// About X, the bone.
    pub(super) twist: [f32; 2],
}

fn middle(range: [f32; 2]) -> f32 {
    0.5 * (range[0] + range[1])
}

fn half(range: [f32; 2]) -> f32 {
    0.5 * (range[1] - range[0])
}

fn around(middle: f32, half: f32) -> [f32; 2] {
    [middle - half, middle + half]
}

/// The rotation whose axis times angle is `v` [rad].
fn turn(v: Vec3) -> Quat {
    Quat::from_scaled_axis(v)
}

/// Splits `q` into the swing of X as a rotation vector and the twist about X [rad].
pub(super) fn swing_twist(q: Quat) -> (Vec3, f32) {
    let q = if q.w < 0.0 { -q } else { q };
    let cosine = q.x.hypot(q.w);
    let twist = if cosine > 1.0e-4 { Quat::from_xyzw(q.x / cosine, 0.0, 0.0, q.w / cosine) } else { Quat::IDENTITY };
    ((q * twist.inverse()).to_scaled_axis(), 2.0 * twist.x.atan2(twist.w))
}

impl Ranges {
    /// The same both ways, in degrees.
    pub(super) fn even(side: f32, forward: f32, twist: f32) -> Self {
        let both = |angle: f32| [-angle * DEGREE, angle * DEGREE];
        Self { side: both(side), forward: both(forward), twist: both(twist) }
    }

    /// What a ball joint's limits say.
    pub(super) fn of(joint: &PlannedJoint) -> Option<Self> {
        let Limits::SwingTwist { swing_y, swing_z, twist_min, twist_max } = joint.limits else { return None };
        let center = joint.center.to_scaled_axis();
        Some(Self {
            side: around(center.y, swing_y),
            forward: around(center.z, swing_z),
            twist: [twist_min, twist_max],
        })
    }

    /// Sets kind, limits and their middle: those of a stiff joint for what hardly turns.
    pub(super) fn apply(self, joint: &mut PlannedJoint) {
        let narrow = [self.side, self.forward, self.twist].iter().all(|r| r[1] - r[0] < LOCKED);
        if narrow {
            lock(joint);
        } else {
            self.set(joint, 0.5 * LOCKED);
        }
    }

    /// As [`Ranges::apply`], however narrow.
    pub(super) fn apply_narrow(self, joint: &mut PlannedJoint) {
        self.set(joint, NARROWEST);
    }

    fn set(self, joint: &mut PlannedJoint, narrowest: f32) {
        let wide = |range| half(range).clamp(narrowest, WIDEST);
        joint.kind = JointKind::Ball;
        joint.center = turn(Vec3::new(0.0, middle(self.side), middle(self.forward)));
        joint.limits = Limits::SwingTwist {
            swing_y: wide(self.side),
            swing_z: wide(self.forward),
            twist_min: self.twist[0].clamp(-PI, 0.0),
            twist_max: self.twist[1].clamp(0.0, PI),
        };
    }
}

/// Makes a joint stiff.
pub(super) fn lock(joint: &mut PlannedJoint) {
    joint.kind = JointKind::Stiff;
    joint.limits = Limits::Free;
    joint.center = Quat::IDENTITY;
}

/// How many joints share the bending of the spine and of the neck.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Shared {
    pub(super) spine: usize,
    pub(super) neck: usize,
}

/// The frame of a joint: X along the bone or hinge, Y towards `up`.
pub(super) fn frame(joint: &PlannedJoint) -> Quat {
    let up = joint.up.reject_from_normalized(joint.axis);
    let up = up.try_normalize().unwrap_or_else(|| joint.axis.any_orthonormal_vector());
    Quat::from_mat3(&Mat3::from_cols(joint.axis, up, joint.axis.cross(up)))
}

/// Ranges of a part of a standing figure; none for parts that anatomy says nothing about. A limp spine and collar bone
/// are balls with small ranges and friction: four shared particles would hold them straight as a board.
pub(super) fn human(tag: Tag, joint: &PlannedJoint, axes: &Axes, shared: Shared) -> Option<Ranges> {
    let out = if tag.side == Side::Right { -axes.left } else { axes.left };
    let share = |count: usize, total: f32| total / count.max(1) as f32;
    let uneven = |side: f32, forward: [f32; 2], twist: f32| Ranges {
        forward: forward.map(|angle| angle * DEGREE),
        ..Ranges::even(side, 0.0, twist)
    };
    // Hip and shoulder turn about a direction of the body, however the rest pose holds them.
    let toward = |direction: Vec3, side: f32, forward: f32, twist: f32| {
        let wanted = frame(joint).inverse() * direction.normalize();
        let center = Quat::from_rotation_arc(Vec3::X, wanted).to_scaled_axis();
        Ranges {
            side: around(center.y, side * DEGREE),
            forward: around(center.z, forward * DEGREE),
            ..Ranges::even(0.0, 0.0, twist)
        }
    };
    let ranges = match tag.label {
        Label::Thigh => toward(axes.forward - axes.up + 0.25 * out, 30.0, 65.0, 35.0),
        Label::UpperArm => toward(0.75 * out + 0.5 * axes.forward - 0.35 * axes.up, 100.0, 100.0, 75.0),
        Label::Spine | Label::Chest | Label::Pelvis => {
            let part = |total| share(shared.spine, total);
            uneven(part(30.0), [part(-25.0), part(70.0)], part(40.0))
        }
        Label::Neck | Label::Head => {
            let part = |total| share(shared.neck, total);
            uneven(part(35.0), [part(-50.0), part(55.0)], part(65.0))
        }
        Label::Clavicle => Ranges::even(15.0, 15.0, 10.0),
        Label::Hand => Ranges::even(25.0, 67.0, 50.0),
        Label::Foot => uneven(15.0, [-40.0, 20.0], 15.0),
        Label::Forearm | Label::Shin | Label::Minor | Label::Tail | Label::Other => return None,
    };
    Some(ranges)
}

/// Widens the limits until every pose of the clips lies `margin` [rad] inside, a hinge's only past its own range. `turns` are rotations of the child from
/// rest in the parent, in model axes. A hinge that clips turn across its axis becomes a narrow ball.
pub(super) fn widen(joint: &mut PlannedJoint, turns: &[Quat], margin: f32) {
    if let Limits::Hinge { min, max } = joint.limits {
        let (low, high, across) = hinge_use(joint, turns);
        if across <= NO_HINGE {
            // Poses inside the range teach nothing: a knee that a clip straightens need not bend backwards.
            let min = if low < min { (low - margin).max(-PI) } else { min };
            let max = if high > max { (high + margin).min(PI) } else { max };
            joint.limits = Limits::Hinge { min, max };
            return;
        }
        joint.open();
        Ranges { forward: [min, max], ..Ranges::even(5.0, 0.0, 10.0) }.apply(joint);
    }
    let (Limits::SwingTwist { .. }, false) = (joint.limits, turns.is_empty()) else { return };
    let to_frame = frame(joint);
    let local: Vec<Quat> = turns.iter().map(|q| to_frame.inverse() * *q * to_frame).collect();
    // Recentering changes how a turn splits; twice is enough for the split to settle.
    for _ in 0..2 {
        let Some(mut ranges) = Ranges::of(joint) else { return };
        let center = joint.center.to_scaled_axis();
        for q in &local {
            let (swing, twist) = swing_twist(joint.center.inverse() * *q);
            for (range, value) in [
                (&mut ranges.side, center.y + swing.y),
                (&mut ranges.forward, center.z + swing.z),
                (&mut ranges.twist, twist),
            ] {
                *range = [range[0].min(value - margin), range[1].max(value + margin)];
            }
        }
        ranges.apply(joint);
    }
    // An ellipse cuts the corners of the box around it.
    let outside = local.iter().map(|q| excess(joint, *q)).fold(1.0, f32::max);
    if let Limits::SwingTwist { swing_y, swing_z, .. } = &mut joint.limits {
        *swing_y = (*swing_y * outside).min(WIDEST);
        *swing_z = (*swing_z * outside).min(WIDEST);
    }
}

/// How far out of the swing ellipse a turn in the joint's frame is: 1 on its edge.
fn excess(joint: &PlannedJoint, turn: Quat) -> f32 {
    let Limits::SwingTwist { swing_y, swing_z, .. } = joint.limits else { return 0.0 };
    let (swing, _) = swing_twist(joint.center.inverse() * turn);
    (swing.y / swing_y).hypot(swing.z / swing_z)
}

/// Least and most angle of a hinge over `turns`, 0 without any, and the most turn across its axis [rad].
pub(super) fn hinge_use(joint: &PlannedJoint, turns: &[Quat]) -> (f32, f32, f32) {
    let to_frame = frame(joint);
    let parts = turns.iter().map(|q| swing_twist(to_frame.inverse() * *q * to_frame));
    let used = parts.map(|(swing, angle)| (angle, angle, swing.length()));
    used.reduce(|a, b| (a.0.min(b.0), a.1.max(b.1), a.2.max(b.2))).unwrap_or_default()
}

/// Largest angle by which `turns` leave the limits [rad]; 0 if all are legal.
pub(super) fn breach(joint: &PlannedJoint, turns: &[Quat]) -> f32 {
    let to_frame = frame(joint);
    let over = |angle: f32, low: f32, high: f32| (low - angle).max(angle - high).max(0.0);
    let of = |q: &Quat| {
        let local = to_frame.inverse() * *q * to_frame;
        match joint.limits {
            Limits::Free if joint.kind == JointKind::Stiff => local.to_scaled_axis().length(),
            Limits::Free => 0.0,
            Limits::Hinge { min, max } => {
                let (swing, angle) = swing_twist(local);
                swing.length().max(over(angle, min, max))
            }
            Limits::SwingTwist { swing_y, swing_z, twist_min, twist_max } => {
                let (swing, twist) = swing_twist(joint.center.inverse() * local);
                let ratio = (swing.y / swing_y).hypot(swing.z / swing_z);
                let swung = if ratio > 1.0 { swing.length() * (1.0 - 1.0 / ratio) } else { 0.0 };
                swung.max(over(twist, twist_min, twist_max))
            }
        }
    };
    turns.iter().map(of).fold(0.0, f32::max)
}

#[cfg(test)]
mod tests {
    use super::super::joints::tests::plain;
    use super::*;

    fn hip() -> PlannedJoint {
        let mut joint = PlannedJoint { axis: Vec3::NEG_Y, up: Vec3::Z, ..plain() };
        let axes = Axes::facing(Vec3::Z);
        let tag = Tag::new(Label::Thigh, Side::Left);
        human(tag, &joint, &axes, Shared::default()).unwrap().apply(&mut joint);
        joint
    }

    #[test]
    fn a_hip_bends_further_forward_than_back() {
        let joint = hip();
        let flexed = |degrees: f32| Quat::from_rotation_x(-degrees * DEGREE);
        assert!((flexed(90.0) * Vec3::NEG_Y).z > 0.9, "forward is +Z");
        assert_eq!(breach(&joint, &[flexed(100.0), flexed(0.0), flexed(-15.0)]), 0.0);
        assert!(breach(&joint, &[flexed(-40.0)]) > 10.0 * DEGREE);
        assert!(breach(&joint, &[flexed(135.0)]) > 10.0 * DEGREE);
        // Out further than in.
        assert_eq!(breach(&joint, &[Quat::from_rotation_z(35.0 * DEGREE) * flexed(30.0)]), 0.0);
        assert!(breach(&joint, &[Quat::from_rotation_z(-40.0 * DEGREE) * flexed(30.0)]) > 5.0 * DEGREE);
    }

    #[test]
    fn every_clip_pose_becomes_legal() {
        let turns: Vec<Quat> = (0..60)
            .map(|i| {
                let t = i as f32 * 0.37;
                Quat::from_euler(glam::EulerRot::XYZ, 2.4 * t.sin(), 0.9 * (1.3 * t).cos(), 1.1 * (0.7 * t).sin())
            })
            .collect();
        let mut ball = hip();
        widen(&mut ball, &turns, MARGIN);
        assert!(breach(&ball, &turns) < 0.5 * DEGREE, "{}", breach(&ball, &turns) / DEGREE);
        let mut knee = PlannedJoint {
            kind: JointKind::Hinge,
            axis: Vec3::X,
            up: Vec3::NEG_Y,
            limits: Limits::Hinge { min: -0.1, max: 2.0 },
            ..plain()
        };
        let straight: Vec<Quat> = (0..9).map(|i| Quat::from_rotation_x(0.3 * i as f32)).collect();
        widen(&mut knee, &straight, MARGIN);
        assert!(knee.kind == JointKind::Hinge && breach(&knee, &straight) < 1.0e-4);
        // Standing still does not teach it to bend backwards; playing bent does not either.
        let table = Limits::Hinge { min: -0.02, max: 2.0 };
        for turns in [vec![], vec![Quat::IDENTITY; 3], straight[..6].to_vec()] {
            let mut still = PlannedJoint { limits: table, ..knee };
            widen(&mut still, &turns, MARGIN);
            assert_eq!(still.limits, table);
        }
        let twisted: Vec<Quat> = straight.iter().map(|q| *q * Quat::from_rotation_y(0.5)).collect();
        widen(&mut knee, &twisted, MARGIN);
        assert!(knee.kind == JointKind::Ball && breach(&knee, &twisted) < 0.5 * DEGREE);
        // Still a knee: it does not bend backwards.
        assert!(breach(&knee, &[Quat::from_rotation_x(-0.6)]) > 0.3);
    }

    #[test]
    fn what_hardly_turns_is_stiff() {
        let mut joint = plain();
        Ranges::even(4.0, 4.0, 4.0).apply(&mut joint);
        assert_eq!((joint.kind, joint.limits), (JointKind::Stiff, Limits::Free));
    }
}
