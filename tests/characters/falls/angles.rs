//! How far joints are turned, from where their bodies are: by directions, not by the solver's arithmetic.

use glam::{Quat, Vec2, Vec3};
use sinew::report::Snapshot;
use sinew::scene::{Joint, JointKind, Limits, Scene};

/// Angle of `to` against `from` about `axis`, both square to it [rad].
fn signed(from: Vec3, to: Vec3, axis: Vec3) -> f32 {
    from.cross(to).dot(axis).atan2(from.dot(to))
}

/// Where body b's joint axis and its Y axis point, seen in body a's joint frame.
fn seen(joint: &Joint, state: &Snapshot) -> (Vec3, Vec3) {
    let [a, b] = [joint.desc.a, joint.desc.b].map(|id| state.bodies[id.0 as usize].rotation.normalize());
    let relative = (a * joint.frame_a).inverse() * (b * joint.frame_b);
    (relative * Vec3::X, relative * Vec3::Y)
}

/// Distance of a point outside an ellipse from it; 0 inside.
fn outside(p: Vec2, half: Vec2) -> f32 {
    if (p / half).length() <= 1.0 {
        return 0.0;
    }
    let at = |t: f32| p.distance(half * Vec2::from_angle(t));
    let mut step = std::f32::consts::TAU / 64.0;
    let mut best = (0..64).map(|i| i as f32 * step).min_by(|a, b| at(*a).total_cmp(&at(*b))).unwrap();
    for _ in 0..12 {
        step *= 0.5;
        best = [best - step, best, best + step].into_iter().min_by(|a, b| at(*a).total_cmp(&at(*b))).unwrap();
    }
    at(best)
}

/// How far a joint is beyond its limits: swing or hinge angle, and twist [rad].
pub(crate) fn overshoot(joint: &Joint, state: &Snapshot) -> [f32; 2] {
    let (x, y) = seen(joint, state);
    let over = |angle: f32, low: f32, high: f32| (low - angle).max(angle - high).max(0.0);
    match joint.desc.limits {
        Limits::Free => [0.0, 0.0],
        Limits::Hinge { min, max } => {
            let angle = signed(Vec3::Y, y.with_x(0.0), Vec3::X);
            // A range beyond half a turn: the angle may be named either way.
            let best = [-1.0, 0.0, 1.0].map(|k| over(angle + k * std::f32::consts::TAU, min, max));
            [best.into_iter().fold(f32::MAX, f32::min), 0.0]
        }
        Limits::SwingTwist { swing_y, swing_z, twist_min, twist_max } => {
            let swing = Vec3::X.cross(x).normalize_or_zero() * Vec3::X.angle_between(x);
            let unswung = Quat::from_rotation_arc(x, Vec3::X) * y;
            // Nearly half a turn of swing has no twist.
            let twist = if x.x < -0.98 { 0.0 } else { over(signed(Vec3::Y, unswung, Vec3::X), twist_min, twist_max) };
            [outside(Vec2::new(swing.y, swing.z), Vec2::new(swing_y, swing_z)), twist]
        }
    }
}

/// How far a knee or elbow is bent the wrong way [rad]: the bone beyond it against the bone before it, about the hinge.
/// `upper` is where the bone before it begins and `lower` where the one beyond it ends, in the frames of their bodies.
pub(crate) fn backwards(scene: &Scene, joint: usize, state: &Snapshot, upper: Vec3, lower: Vec3) -> f32 {
    let joint = &scene.joints[joint];
    assert_eq!(joint.desc.kind, JointKind::Hinge);
    let [a, b] = [joint.desc.a, joint.desc.b].map(|id| &state.bodies[id.0 as usize]);
    let middle =
        |local: fn(&sinew::scene::JointPoint) -> Vec3| 0.5 * (local(&joint.points[0]) + local(&joint.points[1]));
    let axis = a.rotation * joint.frame_a * Vec3::X;
    let before = a.rotation * (middle(|p| p.local_a) - upper);
    let beyond = b.rotation * (lower - middle(|p| p.local_b));
    -signed(before.reject_from(axis), beyond.reject_from(axis), axis)
}
