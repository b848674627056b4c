//! Where a character that lies somewhere stands up.

use glam::{Quat, Vec3};

use crate::scene::{Collider, Placement};

/// How far below the hips ground is looked for [m].
const DEEP: f32 = 10.0;

/// Where the origin of the model stands, so that its `root`, given in model space, is above where it `lies`, faces the
/// same way, and its ground is the ground below; or `lowest` [m], if there is none.
pub(super) fn place(root: &Placement, lies: &Placement, lowest: f32, colliders: &[Collider]) -> Placement {
    let rotation = heading(root.rotation, lies.rotation);
    let below = lies.position - rotation * root.position;
    let height = ground(lies.position, colliders).unwrap_or(lowest);
    Placement { position: below.with_y(height), rotation }
}

/// Rotation about the vertical by which `from` faces as `to` does.
pub(super) fn heading(from: Quat, to: Quat) -> Quat {
    let facing = |q: Quat| {
        let (front, up) = (q * Vec3::Z, q * Vec3::Y);
        // Lying on the back, the feet are in front; on the belly, the head is.
        let flat = (front - up * front.y).with_y(0.0);
        flat.try_normalize().unwrap_or_else(|| (q * Vec3::X).cross(Vec3::Y).with_y(0.0).normalize_or(Vec3::Z))
    };
    let (a, b) = (facing(from), facing(to));
    Quat::from_rotation_y(a.cross(b).y.atan2(a.dot(b)))
}

/// Height of the first surface straight below `from` [m], by walking as far as nothing is near.
fn ground(from: Vec3, colliders: &[Collider]) -> Option<f32> {
    let distance = |p: Vec3| {
        let of = |c: &Collider| c.shape.distance(c.rotation.inverse() * (p - c.position));
        colliders.iter().map(of).fold(DEEP, f32::min)
    };
    let mut p = from;
    let mut free = distance(p);
    if free < 0.0 {
        return None;
    }
    for _ in 0..200 {
        p.y -= free;
        free = distance(p);
        if free < 1.0e-3 {
            return Some(p.y + free);
        }
        if from.y - p.y > DEEP {
            return None;
        }
    }
    // Walking along a wall: near enough to nothing.
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::Shape;
    use std::f32::consts::FRAC_PI_2;

    #[test]
    fn who_lies_gets_up_towards_feet_or_head() {
        let heads = |lies: Quat| heading(Quat::IDENTITY, lies) * Vec3::Z;
        for yaw in [0.0, 1.0, -2.5] {
            let turned = Quat::from_rotation_y(yaw);
            let front = turned * Vec3::Z;
            assert!(heads(turned).dot(front) > 0.999);
            // On the back, head away from where it faced: feet in front. On the belly: head in front.
            assert!(heads(turned * Quat::from_rotation_x(-FRAC_PI_2)).dot(front) > 0.999);
            assert!(heads(turned * Quat::from_rotation_x(FRAC_PI_2)).dot(front) > 0.999);
            assert!(heads(turned * Quat::from_rotation_z(1.4)).dot(front) > 0.9);
        }
    }

    #[test]
    fn feet_come_to_the_ground_below_the_hips() {
        let step = Collider::new(Shape::Cuboid(Vec3::new(1.0, 0.25, 1.0)), Vec3::new(0.0, 0.25, 0.0));
        let world = [Collider::ground(0.0), step];
        let root = Placement { position: Vec3::new(0.1, 1.0, 0.0), rotation: Quat::IDENTITY };
        for (at, height) in [(Vec3::new(0.0, 0.7, 0.0), 0.5), (Vec3::new(3.0, 0.2, 0.0), 0.0)] {
            let lies = Placement { position: at, rotation: Quat::from_rotation_y(FRAC_PI_2) };
            let place = place(&root, &lies, -9.0, &world);
            let hips = place.then(&root);
            assert!((hips.position.with_y(0.0) - at.with_y(0.0)).length() < 1e-5, "{}", hips.position);
            assert!((place.position.y - height).abs() < 2e-3, "{}", place.position.y);
        }
        assert_eq!(place(&root, &Placement::IDENTITY, -9.0, &[]).position.y, -9.0);
    }
}
