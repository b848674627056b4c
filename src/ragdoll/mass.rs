//! Masses that a solver can live with, and the friction that gravity calls for at each joint.

use glam::Vec3;

use super::bodies::PlannedBody;
use super::joints::PlannedJoint;

/// Most and least mass of a child in units of its parent's.
const RATIO: f32 = 8.0;
/// Gravity that friction is measured by [m/s²].
const GRAVITY: f32 = 9.81;

/// Brings every child within 1/8 to 8 of its parent and keeps the total. Joints are listed from the root outward.
pub(super) fn balance(bodies: &mut [PlannedBody], joints: &[PlannedJoint]) {
    let before: f32 = bodies.iter().map(|b| b.desc.mass).sum();
    let mut masses: Vec<f32> = bodies.iter().map(|b| b.desc.mass).collect();
    for joint in joints {
        let parent = masses[joint.parent];
        masses[joint.child] = masses[joint.child].clamp(parent / RATIO, parent * RATIO);
    }
    let scale = before / masses.iter().sum::<f32>();
    for (body, mass) in bodies.iter_mut().zip(masses) {
        body.desc = body.desc.clone().with_mass(mass * scale);
    }
}

/// Sets each joint's friction to `share` of the torque of gravity on what hangs on its lighter side.
pub(super) fn rub(bodies: &[PlannedBody], joints: &mut [PlannedJoint], share: f32) {
    let moment = |side: &[bool], wanted: bool, pivot: Vec3| {
        let of = bodies.iter().zip(side).filter(|(_, s)| **s == wanted).map(|(b, _)| &b.desc);
        let (mass, sum) = of.fold((0.0, Vec3::ZERO), |(m, s), d| (m + d.mass, s + d.position * d.mass));
        if mass > 0.0 { mass * (sum / mass).distance(pivot) } else { 0.0 }
    };
    let torque = |(index, joint): (usize, &PlannedJoint)| {
        let mut beyond = vec![false; bodies.len()];
        beyond[joint.child] = true;
        for later in &joints[index + 1..] {
            beyond[later.child] |= beyond[later.parent];
        }
        let least = moment(&beyond, true, joint.pivot).min(moment(&beyond, false, joint.pivot));
        share * GRAVITY * least
    };
    let torques: Vec<f32> = joints.iter().enumerate().map(torque).collect();
    joints.iter_mut().zip(torques).for_each(|(joint, torque)| joint.friction = torque);
}
