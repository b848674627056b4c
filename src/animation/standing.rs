//! Where a lying character stands up.

use glam::{Quat, Vec3};

use crate::scene::{Collider, Placement, Shape};

/// How far below the hips ground is looked for [m].
const DEEP: f32 = 10.0;
/// Who is held above what can move stands so high over it [m]: feet that nothing stops would press it into the ground.
const LIFT: f32 = 0.005;

/// What may be below who gets up.
pub(super) struct Below<'a> {
    colliders: &'a [Collider],
    bodies: Vec<(Placement, &'a Shape)>,
    /// What it lies on is here, if all else is deeper than `near` below it [m].
    rests: Option<(f32, f32)>,
}

impl<'a> Below<'a> {
    pub(super) fn new(colliders: &'a [Collider]) -> Self {
        Self { colliders, bodies: Vec::new(), rests: None }
    }

    /// And these bodies.
    #[must_use]
    pub(super) fn with_bodies(self, bodies: Vec<(Placement, &'a Shape)>) -> Self {
        Self { bodies, ..self }
    }

    /// Who lies still lies on something, whatever it is: at the lowest of these points that is not more than `near` below the one of its
    /// hips [m].
    #[must_use]
    pub(super) fn resting(self, lowest: impl Iterator<Item = f32>, hips: f32, near: f32) -> Self {
        let rests = lowest.filter(|point| *point > hips - near).fold(hips, f32::min);
        Self { rests: Some((rests + LIFT, near)), ..self }
    }

    fn distance(&self, p: Vec3) -> f32 {
        let of = |c: &Collider| c.shape.distance(c.rotation.inverse() * (p - c.position));
        let nearest = self.colliders.iter().map(of).fold(DEEP, f32::min);
        self.bodies.iter().map(|(at, shape)| shape.distance(at.local(p)) - LIFT).fold(nearest, f32::min)
    }

    /// Height of the first surface straight below `from` [m], by walking as far as nothing is near.
    fn ground(&self, from: Vec3) -> Option<f32> {
        let mut p = from;
        let mut free = self.distance(p);
        if free < 0.0 {
            return None;
        }
        for _ in 0..200 {
            p.y -= free;
            free = self.distance(p);
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
}

/// Where the origin of the model stands, so that its `root`, given in model space, is above where it `lies`, faces the
/// same way, and its ground is the ground below; or `lowest` [m], if there is none.
pub(super) fn place(root: &Placement, lies: &Placement, lowest: f32, below: &Below) -> Placement {
    let rotation = heading(root.rotation, lies.rotation);
    let height = below.ground(lies.position).unwrap_or(lowest);
    let height = below.rests.filter(|(rests, near)| height < rests - near).map_or(height, |(rests, _)| rests);
    Placement { position: (lies.position - rotation * root.position).with_y(height), rotation }
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
            let place = place(&root, &lies, -9.0, &Below::new(&world));
            let hips = place.then(&root);
            assert!((hips.position.with_y(0.0) - at.with_y(0.0)).length() < 1e-5, "{}", hips.position);
            assert!((place.position.y - height).abs() < 2e-3, "{}", place.position.y);
        }
        assert_eq!(place(&root, &Placement::IDENTITY, -9.0, &Below::new(&[])).position.y, -9.0);
        // On a table that is a body, and on what nobody knows of.
        let (at, shape) = (Placement::from(Vec3::new(3.0, 0.7, 0.0)), Shape::Cuboid(Vec3::new(1.0, 0.05, 1.0)));
        let lies = Placement::from(Vec3::new(3.2, 0.9, 0.0));
        let table = Below::new(&world).with_bodies(vec![(at, &shape)]);
        assert!((place(&root, &lies, -9.0, &table).position.y - 0.75 - LIFT).abs() < 2e-3);
        let resting = |hips: f32, others: [f32; 2]| Below::new(&world).resting(others.into_iter(), hips, 0.1);
        assert_eq!(place(&root, &lies, -9.0, &resting(0.8, [0.4, 0.75])).position.y, 0.75 + LIFT);
        assert!(place(&root, &lies, -9.0, &resting(0.09, [0.02, 0.4])).position.y.abs() < 2e-3);
    }
}
