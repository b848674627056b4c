//! Edits of existing things: how they are made and undone.

use anyhow::{Context as _, Result, bail};

use super::played::{Changed, Played};
use super::select::Edit;
use super::select::gizmo::{Grip, Put};
use super::select::scaled::scaled;
use crate::gpu::Context;
use crate::scene::{BodyId, ColliderId, JointId};

impl Played {
    /// Makes a change, which undo takes back.
    ///
    /// # Errors
    /// Numbers out of range, and things that are not there or have nothing of the kind: then nothing changes.
    pub(super) fn edit(&mut self, ctx: &Context, edit: Edit) -> Result<()> {
        let before = self.before_edit(&edit)?;
        self.make(ctx, edit)?;
        self.history.edited(before);
        Ok(())
    }

    /// The change that takes another one back.
    fn before_edit(&self, edit: &Edit) -> Result<Edit> {
        let scene = self.solver.scene();
        let joint =
            |id: JointId| scene.joints.get(id.0 as usize).with_context(|| format!("there is no joint {}", id.0));
        let body = |id: BodyId| scene.bodies.get(id.0 as usize).with_context(|| format!("there is no body {}", id.0));
        Ok(match *edit {
            Edit::Mass(id, _) => Edit::Mass(id, body(id)?.mass),
            Edit::Dynamics(id, _) => Edit::Dynamics(id, body(id)?.dynamics),
            Edit::Surface(thing, _) => Edit::Surface(thing, self.solver.surface(thing)?),
            Edit::Compliance(id, give, _) => Edit::Compliance(id, give, self.solver.compliance(id, give)?),
            Edit::Limits(id, _) => Edit::Limits(id, joint(id)?.desc.limits),
            Edit::JointFriction(id, _) => Edit::JointFriction(id, joint(id)?.desc.friction),
            Edit::JointDamping(id, _) => Edit::JointDamping(id, joint(id)?.desc.damping),
            Edit::Place(id, ..) => Edit::placed(&self.solver, id)?,
            Edit::Scale(id, times) => Edit::Scale(id, times.recip()),
            Edit::Present(id, _) => Edit::Present(id, self.solver.is_collider_present(id)?),
        })
    }

    /// Makes a change that was not asked for by the player but takes one back.
    ///
    /// # Errors
    /// As [`Played::edit`].
    pub(super) fn make(&mut self, ctx: &Context, edit: Edit) -> Result<()> {
        let solver = &mut self.solver;
        match edit {
            Edit::Mass(id, mass) => solver.set_mass(id, mass)?,
            Edit::Dynamics(id, dynamics) => solver.set_dynamics(id, dynamics)?,
            Edit::Surface(thing, surface) => solver.set_surface(thing, surface)?,
            Edit::Compliance(id, give, compliance) => solver.set_compliance(id, give, compliance)?,
            Edit::Limits(id, limits) => solver.set_joint_limits(id, limits)?,
            Edit::JointFriction(id, friction) => solver.set_joint_friction(id, friction)?,
            Edit::JointDamping(id, damping) => solver.set_joint_damping(id, damping)?,
            Edit::Place(id, position, rotation, velocity, spin) => {
                solver.set_collider_pose(id, position, rotation, velocity, spin)?;
            }
            Edit::Present(id, present) => solver.set_collider_present(id, present)?,
            Edit::Scale(id, times) => return self.scale(ctx, id, times),
        }
        self.keep_edits();
        self.changed = self.changed.max(Changed::Numbers);
        Ok(())
    }

    /// What was changed is part of the scene from now on: it is what is added to, and what is saved.
    pub(super) fn keep_edits(&mut self) {
        let now = self.solver.scene();
        for (kept, body) in self.scene.bodies.iter_mut().zip(&now.bodies) {
            (kept.mass, kept.inertia) = (body.mass, body.inertia);
            (kept.surface, kept.dynamics) = (body.surface, body.dynamics);
        }
        for ((kept, collider), id) in self.scene.colliders.iter_mut().zip(&now.colliders).zip(0..) {
            kept.surface = collider.surface;
            // One that is hidden is kept far outside the world meanwhile.
            (kept.position, kept.rotation) =
                self.solver.collider_place(ColliderId(id)).unwrap_or((collider.position, collider.rotation));
            let moves = self.solver.collider_velocity(ColliderId(id));
            (kept.velocity, kept.angular_velocity) = moves.unwrap_or((collider.velocity, collider.angular_velocity));
        }
        for (kept, joint) in self.scene.joints.iter_mut().zip(&now.joints) {
            kept.desc = joint.desc;
        }
        for (kept, extent) in self.scene.deformables.iter_mut().zip(&now.deformables) {
            (kept.friction, kept.gives) = (extent.friction, extent.gives.clone());
        }
        for (kept, grains) in self.scene.grains.iter_mut().zip(&now.grains) {
            kept.friction = grains.friction;
        }
    }

    /// Leaves a collider where a handle has put it, which undo takes back.
    ///
    /// # Errors
    /// As [`Played::edit`].
    pub(super) fn put_down(&mut self, ctx: &Context, grip: Grip, before: Edit, put: Put) -> Result<()> {
        let id = grip.collider();
        self.history.end_change();
        if grip.scales() {
            // It stood while it was held.
            self.make(ctx, before)?;
            return self.edit(ctx, Edit::Scale(id, put.scale));
        }
        self.make(ctx, Edit::put(id, put.position, put.rotation))?;
        self.history.edited(before);
        Ok(())
    }

    fn scale(&mut self, ctx: &Context, id: ColliderId, times: f32) -> Result<()> {
        if !(times.is_finite() && (0.01..=100.0).contains(&times)) {
            bail!("a collider can be scaled by 0.01 to 100, not by {times}");
        }
        let mut scene = self.scene.clone();
        let collider =
            scene.colliders.get_mut(id.0 as usize).with_context(|| format!("there is no collider {}", id.0))?;
        collider.shape = scaled(&collider.shape, times)?;
        let state = self.solver.save()?;
        self.rebuild(ctx, scene, &state)
    }
}

#[cfg(test)]
mod tests {
    use glam::Vec3;

    use super::*;
    use crate::app::deed::Deed;
    use crate::scene_file::options;

    #[test]
    fn a_collider_that_is_put_elsewhere_moves_on_when_that_is_taken_back() {
        let ctx = Context::shared().expect("adapter");
        let mut played = Played::open(&ctx, "tower", vec![("height".to_owned(), "1".to_owned())], &[]).unwrap();
        let (id, velocity, spin) = (ColliderId(0), Vec3::new(0.1, 0.0, 0.2), Vec3::Y);
        let (position, turn) = played.solver.collider_place(id).unwrap();
        played.solver.set_collider_pose(id, position, turn, velocity, spin).unwrap();
        let moves = |played: &Played| {
            let kept = &played.scene.colliders[0];
            assert_eq!(played.solver.collider_velocity(id).unwrap(), (kept.velocity, kept.angular_velocity));
            (kept.velocity, kept.angular_velocity)
        };
        played.apply(&ctx, &Deed::Edit(Edit::put(id, position - Vec3::Y, turn))).unwrap();
        assert_eq!(moves(&played), (Vec3::ZERO, Vec3::ZERO));
        played.apply(&ctx, &Deed::Undo).unwrap();
        assert_eq!(moves(&played), (velocity, spin));
        let before: Edit = options().from_str("Place(0, (0, 1, 0), (0, 0, 0, 1))").unwrap();
        assert_eq!(before, Edit::put(id, Vec3::Y, glam::Quat::IDENTITY), "as takes had it before");
        let placed = Edit::placed(&played.solver, id).unwrap();
        let text = options().to_string(&placed).unwrap();
        assert_eq!(options().from_str::<Edit>(&text).unwrap(), placed, "{text}");
    }

    #[test]
    fn what_was_edited_is_told_and_is_drawn_as_before() {
        let ctx = Context::shared().expect("adapter");
        let mut played = Played::open(&ctx, "tower", vec![("height".to_owned(), "1".to_owned())], &[]).unwrap();
        assert_eq!(played.changed, Changed::Nothing);
        for edit in [Edit::Mass(BodyId(0), 3.0), Edit::Present(ColliderId(0), false)] {
            played.changed = Changed::Nothing;
            played.apply(&ctx, &Deed::Edit(edit)).unwrap();
            assert_eq!(played.changed, Changed::Numbers);
        }
        assert_eq!(played.scene.bodies[0].mass, 3.0);
    }
}
