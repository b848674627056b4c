//! Hinge limiters: two particles beside a hinge that collide where it must stop (paper 5, section 4, figure 3).

use glam::Vec3;

use super::{
    BodyId, JointDesc, JointId, JointKind, Limiter, Link, Particle, ParticleId, Phase, Placement, Scene, SceneError,
};

/// Most hinge angle that a pair of limiters can stop at [rad]: beyond it they would lie behind the axis.
const MOST_ANGLE: f32 = std::f32::consts::FRAC_PI_2;

impl Scene {
    /// Adds one particle to each body of a hinge so that the two touch when body b has turned by `angle` [rad],
    /// 0..=π/2, towards the world direction `side`. Angle 0 stops it where it is, as a knee. Both have the joint's
    /// radius and lie √2 radii from its axis. Returns the particles of body a and b.
    ///
    /// # Errors
    /// [`SceneError`] when the joint is not there or not a hinge, the angle is out of range, or `side` runs along the
    /// axis or along the bodies.
    pub fn add_hinge_limiter(&mut self, joint: JointId, side: Vec3, angle: f32) -> Result<[ParticleId; 2], SceneError> {
        let index = joint.0 as usize;
        let item = format!("limiter of joint {index}");
        let number = |field, value, allowed| SceneError::Number { item: item.clone(), field, value, allowed };
        let count = self.joints.len();
        let desc = match self.joints.get(index) {
            Some(found) if found.desc.kind == JointKind::Hinge => found.desc,
            Some(_) => return Err(SceneError::NotHinge(joint.0)),
            None => return Err(SceneError::Missing { item, field: "joint", index, count }),
        };
        if !(0.0..=MOST_ANGLE).contains(&angle) {
            return Err(number("angle", angle, "from 0 to π/2"));
        }
        let axis = desc.axis.normalize();
        let along = along(axis, self.body(desc.b).position - self.body(desc.a).position);
        let side = side.reject_from_normalized(axis).reject_from_normalized(along);
        let side = side.try_normalize().ok_or_else(|| number("side length", side.length(), "square to the hinge"))?;

        let [at_a, at_b] = places(&desc, along, side, angle);
        let pair = [
            self.add_limiter_particle(desc.a, at_a, desc.radius),
            self.add_limiter_particle(desc.b, at_b, desc.radius),
        ];
        let above = axis.dot(along.cross(side)) > 0.0;
        self.limiters.push(Limiter { joint, particles: pair, angle: if above { angle } else { -angle }, above });
        Ok(pair)
    }

    /// Puts the limiters of a joint where its bodies are.
    pub(super) fn place_limiters(&mut self, joint: usize, [a, b]: [Placement; 2]) {
        let desc = self.joints[joint].desc;
        let axis = desc.axis.normalize();
        let along = along(axis, b.position - a.position);
        for limiter in self.limiters.iter().filter(|l| l.joint.0 as usize == joint).copied().collect::<Vec<_>>() {
            let side = axis.cross(along) * if limiter.above { 1.0 } else { -1.0 };
            let [at_a, at_b] = places(&desc, along, side, limiter.angle.abs());
            self.place_link(desc.a, limiter.particles[0], a.local(at_a), at_a);
            self.place_link(desc.b, limiter.particles[1], b.local(at_b), at_b);
        }
    }

    fn add_limiter_particle(&mut self, id: BodyId, position: Vec3, radius: f32) -> ParticleId {
        let particle = ParticleId(self.particles.len() as u32);
        let body = &mut self.bodies[id.0 as usize];
        let mass = body.mass / body.links.len() as f32;
        body.links.push(Link { particle, local: body.rotation.inverse() * (position - body.position) });
        self.particles.push(Particle { position, velocity: body.velocity, radius, mass, phase: Phase::LIMITER });
        particle
    }
}

/// The direction square to the axis that leads from the first body of a hinge to the second.
fn along(axis: Vec3, way: Vec3) -> Vec3 {
    way.reject_from_normalized(axis).try_normalize().unwrap_or_else(|| axis.any_orthonormal_vector())
}

/// Where the limiters of a hinge are in the world [m].
fn places(desc: &JointDesc, along: Vec3, side: Vec3, angle: f32) -> [Vec3; 2] {
    // On a circle of √2 radii about the axis, particles 90 degrees apart touch, and none stands out of a body two
    // particles thick.
    let reach = std::f32::consts::SQRT_2 * desc.radius;
    let start = 0.5 * (std::f32::consts::FRAC_PI_2 - angle);
    [-1.0, 1.0].map(|away: f32| desc.pivot + reach * (along * (away * start.cos()) + side * start.sin()))
}

#[cfg(test)]
mod tests {
    use glam::Quat;

    use super::super::{BodyDesc, JointDesc};
    use super::*;

    fn hinge() -> Scene {
        let mut scene = Scene::default();
        let half = Vec3::new(0.1, 0.1, 0.2);
        let a = scene.add_body(BodyDesc::cuboid(half, 0.05).at(Vec3::new(0.0, 1.0, -0.25))).unwrap();
        let b = scene.add_body(BodyDesc::cuboid(half, 0.05).at(Vec3::new(0.0, 1.0, 0.25))).unwrap();
        scene.add_joint(JointDesc::new(JointKind::Hinge, a, b, Vec3::Y, Vec3::X, 0.05)).unwrap();
        scene
    }

    #[test]
    fn limiters_touch_exactly_at_their_angle() {
        for angle in [0.0_f32, 0.4, 0.9, 1.4] {
            let mut scene = hinge();
            let [p, q] =
                scene.add_hinge_limiter(JointId(0), Vec3::Y, angle).unwrap().map(|p| scene.particles[p.0 as usize]);
            assert!(p.phase.contains(Phase::LIMITER) && q.phase.contains(Phase::LIMITER));
            // Body b points along +Z and rises towards +Y: a turn about -X.
            let gap_at = |turn: f32| {
                let turned = Vec3::Y + Quat::from_rotation_x(-turn) * (q.position - Vec3::Y);
                turned.distance(p.position) - p.radius - q.radius
            };
            assert!(gap_at(angle).abs() < 1e-6, "{angle}: {}", gap_at(angle));
            assert!(gap_at(angle - 0.1) > 1e-3 && gap_at(angle + 0.1) < -1e-3);
        }
    }

    #[test]
    fn mistakes_are_named() {
        let mut scene = hinge();
        assert!(matches!(
            scene.add_hinge_limiter(JointId(3), Vec3::Y, 0.1),
            Err(SceneError::Missing { index: 3, count: 1, .. })
        ));
        for (side, angle) in [(Vec3::Y, -0.1), (Vec3::Y, 3.0), (Vec3::Y, f32::NAN), (Vec3::X, 0.1), (Vec3::Z, 0.1)] {
            assert!(matches!(scene.add_hinge_limiter(JointId(0), side, angle), Err(SceneError::Number { .. })));
        }
        scene.joints[0].desc.kind = JointKind::Ball;
        assert_eq!(scene.add_hinge_limiter(JointId(0), Vec3::Y, 0.1), Err(SceneError::NotHinge(0)));
    }
}
