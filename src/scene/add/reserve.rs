//! Reserves places for what is added while a world runs, and creates what goes into them.

use glam::{Quat, Vec3, Vec4};

use crate::scene::check::{SceneError, number};
use crate::scene::reserve::{MOST, Nozzle, ShapeRoom};
use crate::scene::{Collider, ColliderId, Emitter, Joint, JointDesc, JointKind, Placement, Scene, Shape};

impl Scene {
    /// Keeps places for so many colliders more at once, which [`Solver::add_collider`](crate::solver::Solver::add_collider) puts into the
    /// running world: planes, boxes, balls, capsules and cylinders. For other shapes [`Scene::reserve_shapes`] keeps room.
    ///
    /// # Errors
    /// [`SceneError::Number`] for none, or more than 4096.
    pub fn reserve_colliders(&mut self, count: u32) -> Result<(), SceneError> {
        check(count, "colliders")?;
        for _ in 0..count {
            self.reserve.colliders.push(ColliderId(self.colliders.len() as u32));
            self.colliders.push(Collider::waiting());
        }
        Ok(())
    }

    /// Keeps room for the shapes of `count` colliders at once that are each as large as this one: for as many triangles of a mesh, faces of a
    /// hull, heights of a field, cells of a grid, or pieces of a compound. Whatever has its kind and fits takes of the room; what is added
    /// needs a place too, from [`Scene::reserve_colliders`]. The room of a mesh depends on how its triangles lie: reserve some more for
    /// others than this one.
    ///
    /// # Errors
    /// [`SceneError::Number`] for none, or more than 4096, and where a number of the shape is out of range.
    pub fn reserve_shapes(&mut self, shape: &Shape, count: u32) -> Result<(), SceneError> {
        check(count, "shapes")?;
        shape.check("reserved shape")?;
        self.reserve.shapes.push(ShapeRoom { shape: shape.clone(), count });
        Ok(())
    }

    /// Keeps places for so many joints more at once, which [`Solver::add_joint`](crate::solver::Solver::add_joint) makes between
    /// running bodies.
    ///
    /// # Errors
    /// [`SceneError::Number`] for none, or more than 4096 in all.
    pub fn reserve_joints(&mut self, count: u32) -> Result<(), SceneError> {
        check(count, "joints")?;
        check(self.reserve.joints.saturating_add(count), "joints")?;
        self.reserve.joints += count;
        Ok(())
    }

    /// Keeps places for so many attachments more at once, by which [`Solver::attach`](crate::solver::Solver::attach) fastens particles
    /// to bodies of the running world.
    ///
    /// # Errors
    /// [`SceneError::Number`] for none, or more than 4096 in all.
    pub fn reserve_attachments(&mut self, count: u32) -> Result<(), SceneError> {
        check(count, "attachments")?;
        check(self.reserve.attachments.saturating_add(count), "attachments")?;
        self.reserve.attachments += count;
        Ok(())
    }

    /// Keeps `count` nozzles like this one ready, each with its own reserve of particles, which
    /// [`Solver::add_emitter`](crate::solver::Solver::add_emitter) opens somewhere in the running world: of the same, and no wider.
    ///
    /// # Errors
    /// [`SceneError::Number`] for none, or more than 4096, and as [`Scene::add_emitter`].
    pub fn reserve_emitters(&mut self, emitter: &Emitter, count: u32) -> Result<(), SceneError> {
        check(count, "emitters")?;
        for _ in 0..count {
            self.add_emitter(Emitter { speed: 0.0, ..emitter.clone() })?;
            let (radius, _) = self.particle_made_of("reserve", emitter.of)?;
            let spots = emitter.spots(radius).len() as u32;
            self.reserve.emitters.push(Nozzle { emitter: self.emitters.len() - 1, spots });
        }
        Ok(())
    }
}

fn check(count: u32, field: &'static str) -> Result<(), SceneError> {
    number("reserve", field, count as f32, (1..=MOST).contains(&count), "from 1 to 4096")
}

impl Collider {
    /// One that is not there, in a place that is kept for another.
    pub(crate) fn waiting() -> Self {
        let mut collider = Self::new(Shape::Sphere(0.1), Vec3::ZERO);
        collider.color = Vec4::ZERO;
        collider.store();
        collider
    }
}

impl Joint {
    /// A joint between two bodies that are there, without particles that they share.
    pub(crate) fn between(desc: JointDesc, [a, b]: [Placement; 2]) -> Self {
        let frame = Quat::from_mat3(&desc.frame());
        let end = if desc.kind == JointKind::Distance { desc.end } else { desc.pivot };
        Self {
            desc,
            points: Vec::new(),
            anchors: [a.local(desc.pivot), b.local(end)],
            frame_a: a.rotation.inverse() * frame * desc.center.normalize(),
            frame_b: b.rotation.inverse() * frame,
        }
    }
}
