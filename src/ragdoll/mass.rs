//! Masses: a person's by part of the body (de Leva 1996, male), anything else's by volume; ratios that a solver can live
//! with; and the friction that gravity calls for at each joint.

use glam::Vec3;

use super::labels::{Label, Side};
use super::plan::{PlannedBody, PlannedJoint};
use crate::numbers::cubed;

/// Most and least mass of a child in units of its parent's.
const RATIO: f32 = 8.0;
/// Gravity that friction is measured by [m/s²].
const GRAVITY: f32 = 9.81;
/// Height [m] and mass [kg] of an adult.
pub(super) const TALL: f32 = 1.75;
pub(super) const WEIGHT: f32 = 70.0;

/// Parts of a person, their share of the whole, and the part that carries them if they have no body of their own.
const PARTS: [(Label, f32, Label); 8] = [
    (Label::Hand, 0.0061, Label::Forearm),
    (Label::Forearm, 0.0162, Label::UpperArm),
    (Label::UpperArm, 0.0271, Label::Spine),
    (Label::Foot, 0.0137, Label::Shin),
    (Label::Shin, 0.0433, Label::Thigh),
    (Label::Thigh, 0.1416, Label::Spine),
    (Label::Head, 0.0694, Label::Spine),
    (Label::Spine, 0.4346, Label::Spine),
];

/// The part of a person that a label counts as; none for what people do not have.
fn part(label: Label) -> Option<Label> {
    match label {
        Label::Pelvis | Label::Spine | Label::Chest | Label::Clavicle => Some(Label::Spine),
        Label::Neck | Label::Head => Some(Label::Head),
        Label::Minor | Label::Tail | Label::Other => None,
        limb => Some(limb),
    }
}

/// Gives the bodies of a figure `height` [m] tall a person's masses. Bodies of one part share it by their volume; what
/// people do not have keeps a person's density.
pub(super) fn weigh_person(bodies: &mut [PlannedBody], height: f32) {
    let whole = WEIGHT * cubed(height / TALL);
    let volumes: Vec<f32> = bodies.iter().map(|b| b.desc.mass).collect();
    let of_person: f32 = bodies.iter().zip(&volumes).filter(|(b, _)| part(b.label).is_some()).map(|(_, v)| v).sum();
    let mut masses: Vec<f32> = volumes.iter().map(|v| v * whole / of_person.max(f32::MIN_POSITIVE)).collect();
    let person = bodies.iter().zip(&mut masses).filter(|(b, _)| part(b.label).is_some());
    person.for_each(|(_, mass)| *mass = 0.0);
    for side in [Side::Left, Side::Right] {
        // The middle of the body is shared between the sides.
        let both = |label| matches!(label, Label::Head | Label::Spine);
        let mut shares = PARTS.map(|(label, share, _)| if both(label) { 0.5 * share } else { share });
        for (row, (label, _, carrier)) in PARTS.into_iter().enumerate() {
            let own = |b: &PlannedBody| part(b.label) == Some(label) && (both(label) || b.side == side);
            let own: Vec<usize> = (0..bodies.len()).filter(|i| own(&bodies[*i])).collect();
            let volume: f32 = own.iter().map(|i| volumes[*i]).sum();
            own.iter().for_each(|i| masses[*i] += whole * shares[row] * volumes[*i] / volume);
            let next = PARTS.iter().position(|(l, _, _)| *l == carrier).filter(|next| *next != row);
            if let (Some(next), true) = (next, own.is_empty()) {
                shares[next] += shares[row];
            }
        }
    }
    set(bodies, &masses, 1.0);
}

fn set(bodies: &mut [PlannedBody], masses: &[f32], scale: f32) {
    for (body, mass) in bodies.iter_mut().zip(masses) {
        body.desc = body.desc.clone().with_mass(mass * scale);
    }
}

/// Least mass of a child that carries others: a light neck or collar bone between heavy neighbors lets joints gape.
const LINK_RATIO: f32 = 4.0;

/// Brings every child within 1/8 to 8 of its parent, links to at least 1/4, and keeps the total. Joints are listed from
/// the root outward.
pub(super) fn balance(bodies: &mut [PlannedBody], joints: &[PlannedJoint]) {
    let before: f32 = bodies.iter().map(|b| b.desc.mass).sum();
    let mut masses: Vec<f32> = bodies.iter().map(|b| b.desc.mass).collect();
    for joint in joints {
        let parent = masses[joint.parent];
        let link = joints.iter().any(|j| j.parent == joint.child);
        let least = parent / if link { LINK_RATIO } else { RATIO };
        masses[joint.child] = masses[joint.child].clamp(least, parent * RATIO);
    }
    let scale = before / masses.iter().sum::<f32>();
    set(bodies, &masses, scale);
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
