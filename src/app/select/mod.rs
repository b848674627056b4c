//! What the player has selected: what may be changed of it, and how that is taken back.

pub(crate) mod gizmo;
mod ragdoll;
mod scaled;

use anyhow::{Context as _, Result, bail};
use glam::{Quat, Vec3};
use serde::{Deserialize, Serialize};

use self::gizmo::{Grip, Put};
use self::scaled::scaled;
use super::played::Played;
use super::world::World;
use crate::constraints::{Compliance, Give};
use crate::gpu::Context;
use crate::scene::{BodyId, ColliderId, DeformableId, Dynamics, Limits, Surface, Thing};

/// What is selected.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Selected {
    /// The thing that was clicked.
    pub(crate) thing: Thing,
    /// Where it was clicked [m].
    pub(crate) point: Vec3,
    /// Of a body: the joint of the scene that is looked at.
    pub(crate) joint: Option<usize>,
}

/// A change of something that is there.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) enum Edit {
    /// The mass of a body [kg].
    Mass(BodyId, f32),
    /// How a body moves when nothing touches it.
    Dynamics(BodyId, Dynamics),
    /// Friction and restitution.
    Surface(Thing, Surface),
    /// How far cloth, flesh or a rope gives way.
    Compliance(DeformableId, Give, Compliance),
    /// The range of a joint of the scene.
    Limits(usize, Limits),
    /// The friction of a joint of the scene [N m].
    JointFriction(usize, f32),
    /// The damping of a joint of the scene [1/s].
    JointDamping(usize, f32),
    /// Where a collider is [m].
    Place(ColliderId, Vec3, Quat),
    /// How large a collider is, times what it is.
    Scale(ColliderId, f32),
    /// Whether a collider is in the world.
    Present(ColliderId, bool),
}

impl Edit {
    /// Whether both change the same of the same thing.
    pub(crate) fn is_like(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Mass(a, _), Self::Mass(b, _)) | (Self::Dynamics(a, _), Self::Dynamics(b, _)) => a == b,
            (Self::Surface(a, _), Self::Surface(b, _)) => a == b,
            (Self::Compliance(a, give, _), Self::Compliance(b, other, _)) => a == b && give == other,
            (Self::Limits(a, _), Self::Limits(b, _))
            | (Self::JointFriction(a, _), Self::JointFriction(b, _))
            | (Self::JointDamping(a, _), Self::JointDamping(b, _)) => a == b,
            _ => false,
        }
    }
}

impl World {
    /// Selects a thing that was clicked at a place [m], or nothing.
    pub(crate) fn select(&mut self, hit: Option<(Thing, Vec3)>) {
        let joint = |thing: Thing| {
            let Thing::Body(body) = thing else { return None };
            let joints = &self.solver.scene().joints;
            let to_parent = joints.iter().position(|joint| joint.desc.b == body);
            to_parent.or_else(|| joints.iter().position(|joint| joint.desc.a == body))
        };
        self.selected = hit.map(|(thing, point)| Selected { thing, point, joint: joint(thing) });
    }

    /// Looks at another joint of the body that is selected.
    pub(crate) fn look_at_joint(&mut self, joint: usize) {
        if let Some(selected) = &mut self.selected {
            selected.joint = Some(joint);
        }
    }
}

impl Played {
    /// Makes a change, which undo takes back.
    ///
    /// # Errors
    /// Numbers out of range, and things that are not there or have nothing of the kind: then nothing changes.
    pub(in crate::app) fn edit(&mut self, ctx: &Context, edit: Edit) -> Result<()> {
        let before = self.before_edit(&edit)?;
        self.make(ctx, edit)?;
        self.history.edited(before);
        Ok(())
    }

    /// The change that takes another one back.
    fn before_edit(&self, edit: &Edit) -> Result<Edit> {
        let scene = self.solver.scene();
        let joint = |index: usize| scene.joints.get(index).with_context(|| format!("there is no joint {index}"));
        let collider = |id: ColliderId| {
            scene.colliders.get(id.0 as usize).with_context(|| format!("there is no collider {}", id.0))
        };
        let body = |id: BodyId| scene.bodies.get(id.0 as usize).with_context(|| format!("there is no body {}", id.0));
        Ok(match *edit {
            Edit::Mass(id, _) => Edit::Mass(id, body(id)?.mass),
            Edit::Dynamics(id, _) => Edit::Dynamics(id, body(id)?.dynamics),
            Edit::Surface(thing, _) => Edit::Surface(thing, self.solver.surface(thing)?),
            Edit::Compliance(id, give, _) => Edit::Compliance(id, give, self.solver.compliance(id, give)?),
            Edit::Limits(index, _) => Edit::Limits(index, joint(index)?.desc.limits),
            Edit::JointFriction(index, _) => Edit::JointFriction(index, joint(index)?.desc.friction),
            Edit::JointDamping(index, _) => Edit::JointDamping(index, joint(index)?.desc.damping),
            Edit::Place(id, ..) => Edit::Place(id, collider(id)?.position, collider(id)?.rotation),
            Edit::Scale(id, times) => Edit::Scale(id, times.recip()),
            Edit::Present(id, _) => Edit::Present(id, self.solver.is_collider_present(id)?),
        })
    }

    /// Makes a change that was not asked for by the player but takes one back.
    ///
    /// # Errors
    /// As [`Played::edit`].
    pub(in crate::app) fn make(&mut self, ctx: &Context, edit: Edit) -> Result<()> {
        let solver = &mut self.solver;
        match edit {
            Edit::Mass(id, mass) => solver.set_mass(id, mass)?,
            Edit::Dynamics(id, dynamics) => solver.set_dynamics(id, dynamics)?,
            Edit::Surface(thing, surface) => solver.set_surface(thing, surface)?,
            Edit::Compliance(id, give, compliance) => solver.set_compliance(id, give, compliance)?,
            Edit::Limits(index, limits) => solver.set_joint_limits(index, limits)?,
            Edit::JointFriction(index, friction) => solver.set_joint_friction(index, friction)?,
            Edit::JointDamping(index, damping) => solver.set_joint_damping(index, damping)?,
            Edit::Place(id, position, rotation) => {
                solver.set_collider_pose(id, position, rotation, Vec3::ZERO, Vec3::ZERO)?;
            }
            Edit::Present(id, present) => solver.set_collider_present(id, present)?,
            Edit::Scale(id, times) => return self.scale(ctx, id, times),
        }
        self.keep_edits();
        Ok(())
    }

    /// What was changed is part of the scene from now on: it is what is added to, and what is saved.
    pub(in crate::app) fn keep_edits(&mut self) {
        let now = self.solver.scene();
        for (kept, body) in self.scene.bodies.iter_mut().zip(&now.bodies) {
            (kept.mass, kept.inertia) = (body.mass, body.inertia);
            (kept.surface, kept.dynamics) = (body.surface, body.dynamics);
        }
        for (kept, collider) in self.scene.colliders.iter_mut().zip(&now.colliders) {
            (kept.position, kept.rotation, kept.surface) = (collider.position, collider.rotation, collider.surface);
        }
        for (kept, joint) in self.scene.joints.iter_mut().zip(&now.joints) {
            kept.desc = joint.desc.clone();
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
    pub(in crate::app) fn put_down(&mut self, ctx: &Context, grip: Grip, from: Put, put: Put) -> Result<()> {
        let id = grip.collider();
        if grip.scales() {
            return self.edit(ctx, Edit::Scale(id, put.scale));
        }
        self.make(ctx, Edit::Place(id, put.position, put.rotation))?;
        self.history.edited(Edit::Place(id, from.position, from.rotation));
        Ok(())
    }

    fn scale(&mut self, ctx: &Context, id: ColliderId, times: f32) -> Result<()> {
        if !(times.is_finite() && (0.01..=100.0).contains(&times)) {
            bail!("a collider can be made 0.01 to 100 times as large, not {times} times");
        }
        let mut scene = self.scene.clone();
        let collider =
            scene.colliders.get_mut(id.0 as usize).with_context(|| format!("there is no collider {}", id.0))?;
        collider.shape = scaled(&collider.shape, times)?;
        let state = self.solver.save()?;
        self.rebuild(ctx, scene, &state)
    }
}
