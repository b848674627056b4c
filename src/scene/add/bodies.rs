//! Bodies, their joints, and the world around them.

use glam::{Quat, Vec3};

use crate::scene::check::present;
use crate::scene::{
    Body, BodyDesc, BodyId, Collider, ColliderId, Gear, Joint, JointDesc, JointId, JointKind, JointPoint, Link,
    Particle, ParticleId, Phase, Placement, Scene, SceneError, Shape,
};

impl Scene {
    /// Adds a rigid body.
    ///
    /// # Errors
    /// [`SceneError`] naming the body and the field, for numbers that are not finite or out of range.
    pub fn add_body(&mut self, desc: BodyDesc) -> Result<BodyId, SceneError> {
        desc.check()?;
        let id = BodyId(self.bodies.len() as u32);
        let first_particle = self.particles.len() as u32;
        let share = desc.mass / desc.points.len() as f32;
        let mut links = Vec::with_capacity(desc.points.len() + 4);
        for (local, radius) in desc.balls() {
            links.push(Link { particle: ParticleId(self.particles.len() as u32), local });
            self.particles.push(Particle {
                position: desc.position + desc.rotation * local,
                velocity: desc.velocity,
                radius,
                mass: share,
                phase: Phase::default(),
            });
        }
        let shape = self.shape_index(desc.shape);
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
            dynamics: desc.dynamics,
            removed: false,
            pooled: false,
            ignores: Vec::new(),
        });
        Ok(id)
    }

    /// The index of a shape that bodies share where it is equal.
    pub(super) fn shape_index(&mut self, shape: Shape) -> usize {
        self.shapes.iter().rposition(|known| *known == shape).unwrap_or_else(|| {
            self.shapes.push(shape);
            self.shapes.len() - 1
        })
    }

    /// Joins two bodies, by shared particles where they do not travel, and stops them touching each other; those of a distance
    /// joint, and of one that lets them [`meet`](JointDesc::meet), go on to touch.
    ///
    /// # Errors
    /// [`SceneError`] when a body does not exist, both are one, or a number is out of range.
    pub fn add_joint(&mut self, desc: JointDesc) -> Result<JointId, SceneError> {
        desc.check(self.bodies.len())?;
        let frame = desc.frame();
        let mut points = Vec::new();
        for offset in desc.offsets(frame) {
            let position = desc.pivot + offset;
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
                // Bodies that meet would meet it too, which is inside of both.
                phase: if desc.meet { Phase::GHOST } else { Phase::default() },
            });
            self.bodies[desc.a.0 as usize].links.push(Link { particle, local: local_a });
            self.bodies[desc.b.0 as usize].links.push(Link { particle, local: local_b });
            points.push(JointPoint { particle, local_a, local_b });
        }
        let end = if desc.kind == JointKind::Distance { desc.end } else { desc.pivot };
        let [at_a, at_b] = [desc.a, desc.b].map(|id| Placement::of(self.body(id)));
        let anchors = if desc.kind.travels() { [at_a.local(desc.pivot), at_b.local(end)] } else { Default::default() };
        if desc.kind != JointKind::Distance && !desc.meet {
            self.ignore(desc.a, desc.b)?;
        }
        let frame = Quat::from_mat3(&frame);
        let frame_a = self.body(desc.a).rotation.inverse() * frame * desc.center.normalize();
        let frame_b = self.body(desc.b).rotation.inverse() * frame;
        self.joints.push(Joint { desc, points, anchors, frame_a, frame_b });
        Ok(JointId(self.joints.len() as u32 - 1))
    }

    /// Ties two joints; the answer is the gear's index. Both are as far as they are: it counts from there.
    ///
    /// # Errors
    /// [`SceneError`] when a joint does not exist, both are one, one is neither a hinge nor a slider, or for a ratio of 0.
    pub fn add_gear(&mut self, gear: Gear) -> Result<usize, SceneError> {
        gear.check(&self.joints)?;
        self.gears.push(gear);
        Ok(self.gears.len() - 1)
    }

    /// Makes a joint anew where its bodies are, of which those that run are in `running`. One between bodies that do not run
    /// stays as it is, and one of them and another stays where it is in the one that does not run.
    pub(crate) fn join_running(&mut self, joint: usize, running: &[Placement]) {
        let Joint { desc, points, anchors, frame_a, frame_b } = self.joints[joint].clone();
        let [a, b] = [desc.a, desc.b].map(|id| running.get(id.0 as usize).copied());
        if a.is_none() && b.is_none() {
            return;
        }
        let here = |at: Option<Placement>, body: &Body| at.unwrap_or(Placement::of(body));
        let (at_a, at_b) = (here(a, self.body(desc.a)), here(b, self.body(desc.b)));
        let made = desc.frame();
        let center = desc.center.normalize();
        let frame = match (a, b) {
            (None, _) => at_a.rotation * frame_a * center.inverse(),
            (_, None) => at_b.rotation * frame_b,
            _ => Quat::from_mat3(&made),
        };
        for (k, (point, offset)) in points.iter().zip(desc.offsets(made)).enumerate() {
            let position = match (a, b) {
                (None, _) => at_a.point(point.local_a),
                (_, None) => at_b.point(point.local_b),
                _ => desc.pivot + offset,
            };
            let (local_a, local_b) = (at_a.local(position), at_b.local(position));
            self.joints[joint].points[k] = JointPoint { particle: point.particle, local_a, local_b };
            self.place_link(desc.a, point.particle, local_a, position);
            self.place_link(desc.b, point.particle, local_b, position);
        }
        if desc.kind.travels() {
            self.joints[joint].anchors = match (a, b, desc.kind) {
                (None, _, JointKind::Distance) => [anchors[0], at_b.local(desc.end)],
                (_, None, JointKind::Distance) => [at_a.local(desc.pivot), anchors[1]],
                (_, _, JointKind::Distance) => [at_a.local(desc.pivot), at_b.local(desc.end)],
                (None, ..) => [anchors[0], at_b.local(at_a.point(anchors[0]))],
                (_, None, _) => [at_a.local(at_b.point(anchors[1])), anchors[1]],
                _ => [at_a.local(desc.pivot), at_b.local(desc.pivot)],
            };
        }
        self.joints[joint].frame_a = at_a.rotation.inverse() * frame * center;
        self.joints[joint].frame_b = at_b.rotation.inverse() * frame;
        if a.is_some() && b.is_some() {
            self.place_limiters(joint, [at_a, at_b]);
        }
    }

    /// Where a body has a particle.
    pub(in crate::scene) fn place_link(&mut self, id: BodyId, particle: ParticleId, local: Vec3, position: Vec3) {
        let links = &mut self.bodies[id.0 as usize].links;
        links.iter_mut().filter(|link| link.particle == particle).for_each(|link| link.local = local);
        self.particles[particle.0 as usize].position = position;
    }

    /// Stops two bodies touching each other.
    ///
    /// # Errors
    /// [`SceneError::Missing`] for a body that is not of this scene.
    pub fn ignore(&mut self, a: BodyId, b: BodyId) -> Result<(), SceneError> {
        let count = self.bodies.len();
        [a, b].iter().try_for_each(|id| present("bodies that do not touch", "body", id.0 as usize, count))?;
        for (from, to) in [(a, b), (b, a)] {
            let ignores = &mut self.bodies[from.0 as usize].ignores;
            if !ignores.contains(&to) {
                ignores.push(to);
            }
        }
        Ok(())
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
