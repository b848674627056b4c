//! Positions and rotations of things, and the motion from one to another.

use glam::{Quat, Vec3};
use serde::{Deserialize, Serialize};

/// Where a body is.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Placement {
    /// Center of mass [m].
    pub position: Vec3,
    /// Orientation, a unit quaternion.
    pub rotation: Quat,
}

impl Placement {
    /// At the origin, unturned.
    pub const IDENTITY: Self = Self { position: Vec3::ZERO, rotation: Quat::IDENTITY };

    /// A point of the world in the body's frame [m].
    pub fn local(&self, point: Vec3) -> Vec3 {
        self.rotation.inverse() * (point - self.position)
    }

    /// A point of the body's frame in the world [m].
    pub fn point(&self, local: Vec3) -> Vec3 {
        self.position + self.rotation * local
    }

    /// `inner`, given in this frame, in the world.
    #[must_use]
    pub fn then(&self, inner: &Self) -> Self {
        Self { position: self.point(inner.position), rotation: (self.rotation * inner.rotation).normalize() }
    }

    /// The motion that leads from here to `to`: what it is `then` of here is `to`.
    #[must_use]
    pub(crate) fn way_to(&self, to: &Self) -> Self {
        let rotation = (to.rotation * self.rotation.inverse()).normalize();
        Self { position: to.position - rotation * self.position, rotation }
    }

    /// Velocity [m/s] and angular velocity [rad/s] that lead from here to `to` in `dt` [s], turning the shorter way; none in a `dt` of 0, in which
    /// the world stands still.
    pub fn motion(&self, to: &Self, dt: f32) -> (Vec3, Vec3) {
        if dt <= 0.0 {
            return (Vec3::ZERO, Vec3::ZERO);
        }
        let q = to.rotation * self.rotation.inverse();
        let axis = q.xyz() * if q.w < 0.0 { -1.0 } else { 1.0 };
        // An arc cosine would lose the small turns of one frame.
        let sine = axis.length();
        let angle = 2.0 * sine.atan2(q.w.abs());
        let turn = if sine > 1.0e-9 { axis * (angle / sine) } else { 2.0 * axis };
        ((to.position - self.position) / dt, turn / dt)
    }
}

impl From<Vec3> for Placement {
    /// There, unturned.
    fn from(position: Vec3) -> Self {
        Self { position, ..Self::IDENTITY }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn motion_leads_where_it_should() {
        let from = Placement { position: Vec3::ONE, rotation: Quat::from_rotation_x(0.7) };
        for turn in [Vec3::ZERO, Vec3::X * 1e-5, Vec3::new(0.3, -0.2, 0.5), Vec3::Y * 3.0] {
            let rotation = Quat::from_scaled_axis(turn) * from.rotation;
            for sign in [1.0, -1.0] {
                let to = Placement { position: Vec3::Z, rotation: rotation * sign };
                let (v, w) = from.motion(&to, 0.5);
                assert!((v * 0.5 - (Vec3::Z - Vec3::ONE)).length() < 1e-6);
                assert!((w * 0.5 - turn).length() < 1e-6 * (1.0 + turn.length()), "{w} for {turn}");
                assert_eq!(from.motion(&to, 0.0), (Vec3::ZERO, Vec3::ZERO));
            }
        }
    }

    #[test]
    fn a_way_from_here_to_there_leads_there() {
        let [from, to] = [(Vec3::ONE, 0.7), (Vec3::new(3.0, -1.0, 0.5), -1.9)]
            .map(|(position, angle)| Placement { position, rotation: Quat::from_rotation_x(angle) });
        let there = from.way_to(&to).then(&from);
        assert!(there.position.distance(to.position) < 1e-6 && there.rotation.angle_between(to.rotation) < 1e-3);
    }
}
