//! Bodies, their joints, and the world around them.

use glam::{Mat3, Quat, Vec3};

use crate::scene::{
    Body, BodyDesc, BodyId, Collider, ColliderId, Joint, JointDesc, JointKind, JointPoint, Link, Particle, ParticleId,
    Phase, Scene, SceneError,
};

impl Scene {
    /// Adds a rigid body.
    ///
    /// # Errors
    /// [`SceneError`] naming the body and the field, for numbers that are not finite or out of range.
    pub fn add_body(&mut self, desc: BodyDesc) -> Result<BodyId, SceneError> {
        desc.check()?;
        let id = BodyId(self.bodies.len() as u32);
        let shape = match self.shapes.iter().rposition(|s| *s == desc.shape) {
            Some(index) => index,
            None => {
                self.shapes.push(desc.shape);
                self.shapes.len() - 1
            }
        };
        let first_particle = self.particles.len() as u32;
        let share = desc.mass / desc.points.len() as f32;
        let mut links = Vec::with_capacity(desc.points.len() + 4);
        for local in &desc.points {
            links.push(Link { particle: ParticleId(self.particles.len() as u32), local: *local });
            self.particles.push(Particle {
                position: desc.position + desc.rotation * *local,
                velocity: desc.velocity,
                radius: desc.radius,
                mass: share,
                phase: Phase::default(),
            });
        }
        self.bodies.push(Body {
            name: desc.name,
            shape,
            mass: desc.mass,
            inertia: desc.inertia,
            first_particle,
            particle_count: desc.points.len() as u32,
            links,
            position: desc.position,
            rotation: desc.rotation.normalize(),
            velocity: desc.velocity,
            angular_velocity: desc.angular_velocity,
            surface: desc.surface,
            kinematic: desc.kinematic,
            removed: false,
            ignores: Vec::new(),
        });
        Ok(id)
    }

    /// Joins two bodies by shared particles, and stops them touching each other.
    ///
    /// # Errors
    /// [`SceneError`] when a body does not exist, both are one, or a number is out of range.
    pub fn add_joint(&mut self, desc: JointDesc) -> Result<usize, SceneError> {
        desc.check(self.bodies.len())?;
        let axis = desc.axis.normalize();
        let up = desc.up.reject_from_normalized(axis).try_normalize().unwrap_or_else(|| axis.any_orthonormal_vector());
        let side = axis.cross(up);
        let r = desc.radius;
        let offsets: &[Vec3] = match desc.kind {
            JointKind::Ball | JointKind::Universal => &[Vec3::ZERO],
            JointKind::Hinge => &[axis * r, axis * -r],
            JointKind::Stiff => &[(up + side) * r, (up - side) * r, (side - up) * r, (up + side) * -r],
        };
        let frame = Quat::from_mat3(&Mat3::from_cols(axis, up, side));
        let mut points = Vec::with_capacity(offsets.len());
        for offset in offsets {
            let position = desc.pivot + *offset;
            let particle = ParticleId(self.particles.len() as u32);
            let local = |body: &Body| body.rotation.inverse() * (position - body.position);
            let (local_a, local_b) = (local(self.body(desc.a)), local(self.body(desc.b)));
            let share = |body: &Body| body.mass / body.links.len() as f32;
            let mass = 0.5 * (share(self.body(desc.a)) + share(self.body(desc.b)));
            self.particles.push(Particle {
                position,
                velocity: self.body(desc.a).velocity,
                radius: desc.radius,
                mass,
                phase: Phase::default(),
            });
            self.bodies[desc.a.0 as usize].links.push(Link { particle, local: local_a });
            self.bodies[desc.b.0 as usize].links.push(Link { particle, local: local_b });
            points.push(JointPoint { particle, local_a, local_b });
        }
        self.ignore(desc.a, desc.b);
        let frame_a = self.body(desc.a).rotation.inverse() * frame * desc.center.normalize();
        let frame_b = self.body(desc.b).rotation.inverse() * frame;
        self.joints.push(Joint { desc, points, frame_a, frame_b });
        Ok(self.joints.len() - 1)
    }

    /// Stops two bodies touching each other.
    pub fn ignore(&mut self, a: BodyId, b: BodyId) {
        for (from, to) in [(a, b), (b, a)] {
            let ignores = &mut self.bodies[from.0 as usize].ignores;
            if !ignores.contains(&to) {
                ignores.push(to);
            }
        }
    }

    /// Adds a collider.
    ///
    /// # Errors
    /// [`SceneError`] naming the collider and the field.
    pub fn add_collider(&mut self, collider: Collider) -> Result<ColliderId, SceneError> {
        collider.check(self.colliders.len())?;
        self.colliders.push(collider);
        Ok(ColliderId(self.colliders.len() as u32 - 1))
    }
}
