//! A ragdoll ready to be added to scenes: its bodies, joints, bones and clothes.

use std::sync::Arc;

use glam::{Mat3, Mat4, Quat, Vec3, Vec4};

use super::anatomy::LabelSource;
use super::labels::{Label, Side, Tag};
use crate::animation::{Limb, Rig, SkinBone};
use crate::import::Asset;
use crate::import::cloth::ClothPlan;
use crate::scene::{
    Bend, BodyDesc, BodyId, Bone, DeformableId, Instance, JointDesc, JointKind, Limits, Model, ParticleId, Scene,
    SceneError,
};

/// Bodies and joints of a character in its rest pose: meters, Y up, feet at y = 0 under the middle.
#[derive(Clone, Debug)]
pub struct RagdollPlan {
    /// The character's name.
    pub name: String,
    /// Size along x, y and z in the rest pose [m].
    pub size: Vec3,
    /// Bodies.
    pub bodies: Vec<PlannedBody>,
    /// Joints, from the root outward: a tree.
    pub joints: Vec<PlannedJoint>,
    /// Pairs of bodies without a joint between them that overlap at rest and never touch.
    pub ignores: Vec<(usize, usize)>,
    /// Bones that the model hangs on, parents before children: those of bodies, and of joints merged into them.
    pub bones: Vec<PlannedBone>,
    /// What is drawn; influences index `bones`.
    pub model: Arc<Model>,
    /// Clothes; take them out to undress it.
    pub garments: Vec<PlannedGarment>,
    /// How the bones were told apart.
    pub labels: LabelSource,
    /// Bones dropped, merged and joined anew, a sentence each.
    pub changes: Vec<String>,
    /// What the user should know, a sentence each.
    pub warnings: Vec<String>,
}

impl RagdollPlan {
    /// Adds the character and its clothes: its rest pose turned by `rotation`, with the origin under its feet at `position` [m], drawn in
    /// its own colors times `tint` (linear). Returns its bodies in the order of the plan.
    ///
    /// # Errors
    /// [`SceneError`] for a position or rotation that is not finite.
    pub fn add_to(
        &self,
        scene: &mut Scene,
        position: Vec3,
        rotation: Quat,
        tint: Vec4,
    ) -> Result<Vec<BodyId>, SceneError> {
        let ids = self.add_unfitted(scene, position, rotation, tint)?;
        scene.refit(&ids);
        Ok(ids)
    }

    /// The same, for who is put into another pose at once: its clothes are not drawn out of it yet.
    pub(crate) fn add_unfitted(
        &self,
        scene: &mut Scene,
        position: Vec3,
        rotation: Quat,
        tint: Vec4,
    ) -> Result<Vec<BodyId>, SceneError> {
        let place = |p: Vec3| position + rotation * p;
        let mut ids = Vec::with_capacity(self.bodies.len());
        for body in &self.bodies {
            let desc = BodyDesc { position: place(body.desc.position), rotation, ..body.desc.clone() };
            ids.push(scene.add_body(desc)?);
        }
        for joint in &self.joints {
            let (a, b) = (ids[joint.parent], ids[joint.child]);
            let axis = rotation * joint.axis;
            scene.add_joint(JointDesc {
                up: rotation * joint.up,
                limits: joint.limits,
                center: joint.center,
                friction: joint.friction,
                damping: joint.damping,
                ..JointDesc::new(joint.kind, a, b, place(joint.pivot), axis, joint.radius)
            })?;
        }
        for (a, b) in &self.ignores {
            scene.ignore(ids[*a], ids[*b])?;
        }
        let bones = self.bones.iter().map(|bone| bone.attached(&ids, &self.bodies)).collect();
        scene.add_instance(Instance { model: Arc::clone(&self.model), bones, tint })?;
        for garment in &self.garments {
            garment.add_to(scene, &ids, (position, rotation), tint)?;
        }
        Ok(ids)
    }

    /// Turns of the bones for a pose, as [`Bone::turn`](crate::scene::Bone::turn) and the renderer's `set_turns` take
    /// them: `joints` are the model-space matrices of all joints of the asset, in its order. Joints that are missing
    /// there keep their rest pose.
    pub fn turns(&self, joints: &[Mat4]) -> Vec<Quat> {
        let turned: Vec<Quat> = self.bones.iter().map(|bone| bone.turned_from_rest(joints)).collect();
        let above = |bone: &PlannedBone| bone.parent.map_or(Quat::IDENTITY, |parent| turned[usize::from(parent)]);
        self.bones.iter().zip(&turned).map(|(bone, own)| (above(bone).inverse() * *own).normalize()).collect()
    }

    /// The rig that poses the bodies of this plan; `asset` is the one that it was built from.
    pub fn rig(&self, asset: Arc<Asset>) -> Rig {
        let limb = |(index, body): (usize, &PlannedBody)| Limb {
            joint: body.joint,
            center: body.desc.position,
            hangs: self.joints.iter().find(|j| j.child == index).map(|j| (j.parent, j.pivot)),
            points: body.desc.points.clone(),
            radius: body.desc.radius,
        };
        let bone = |bone: &PlannedBone| SkinBone { joint: bone.joint, parent: bone.parent.map(usize::from) };
        let limbs = self.bodies.iter().enumerate().map(limb).collect();
        Rig::new(asset, limbs, self.bones.iter().map(bone).collect())
    }

    /// Mass of all bodies [kg].
    pub fn mass(&self) -> f32 {
        self.bodies.iter().map(|b| b.desc.mass).sum()
    }

    /// Particles of all bodies, without those that joints share.
    pub fn particle_count(&self) -> usize {
        self.bodies.iter().map(|b| b.desc.points.len()).sum()
    }
}

/// A body of a plan. Its frame is model space moved to its center, in the rest pose.
#[derive(Clone, Debug)]
pub struct PlannedBody {
    /// What to add to a scene; its position is the center of mass in model space [m].
    pub desc: BodyDesc,
    /// What it is.
    pub label: Label,
    /// On which side.
    pub side: Side,
    /// Size along x, y and z [m].
    pub size: Vec3,
    /// Joint of the asset that carries it: index into [`crate::import::Asset::joints`]; none if no skeleton does.
    pub joint: Option<usize>,
    /// The other joints of the asset that move with it: merged ones, and those that move no vertex themselves.
    pub merged: Vec<usize>,
}

impl PlannedBody {
    /// A body that no skeleton carries.
    pub(super) fn new(desc: BodyDesc, tag: Tag, size: Vec3) -> Self {
        Self { desc, label: tag.label, side: tag.side, size, joint: None, merged: Vec::new() }
    }
}

/// A joint of a plan, in model space in the rest pose.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlannedJoint {
    /// Body nearer to the root: index into [`RagdollPlan::bodies`].
    pub parent: usize,
    /// The other body.
    pub child: usize,
    /// Kind.
    pub kind: JointKind,
    /// Where the bodies meet [m].
    pub pivot: Vec3,
    /// Hinge axis, or the direction of the child's bone; unit length.
    pub axis: Vec3,
    /// Y axis of the joint's frame.
    pub up: Vec3,
    /// Range of the relative rotation from `center`.
    pub limits: Limits,
    /// Middle of a ball's range: the child's turn from the rest pose, in the joint's frame.
    pub center: Quat,
    /// Friction torque [N m].
    pub friction: f32,
    /// Share of the relative angular velocity lost per second [1/s].
    pub damping: f32,
    /// Radius of the shared particles [m].
    pub radius: f32,
}

impl PlannedJoint {
    /// Places of the shared particles that nothing else should be near [m].
    pub(super) fn shared(&self) -> Vec<Vec3> {
        match self.kind {
            JointKind::Hinge => vec![self.pivot + self.axis * self.radius, self.pivot - self.axis * self.radius],
            _ => vec![self.pivot],
        }
    }

    /// Turns the frame of a hinge into that of a ball that bends forward where the hinge bends.
    pub(super) fn open(&mut self) {
        if self.kind == JointKind::Hinge {
            (self.axis, self.up) = (self.up, self.axis.cross(self.up));
        }
    }
}

/// A bone to be, in model space in the rest pose.
#[derive(Clone, Debug, PartialEq)]
pub struct PlannedBone {
    /// Its body: index into [`RagdollPlan::bodies`]; none for merged joints.
    pub body: Option<usize>,
    /// Its joint: index into [`crate::import::Asset::joints`]; none if no skeleton moves it.
    pub joint: Option<usize>,
    /// The bone it hangs on, an earlier one.
    pub parent: Option<u16>,
    /// Where it hangs there [m].
    pub pivot: Vec3,
    /// Rotation of its joint in the rest pose.
    pub rest: Quat,
    /// What it takes of the turning of the body beyond it.
    pub bend: Option<Bend>,
}

impl PlannedBone {
    /// The bone of a body that hangs on no other.
    pub(super) fn root(body: usize, desc: &BodyDesc) -> Self {
        let (joint, parent, rest) = (None, None, Quat::IDENTITY);
        Self { body: Some(body), joint, parent, pivot: desc.position, rest, bend: None }
    }

    /// The bone in a scene where the plan's bodies are `ids`.
    pub(super) fn attached(&self, ids: &[BodyId], bodies: &[PlannedBody]) -> Bone {
        Bone {
            body: self.body.map(|body| ids[body]),
            rest_center: self.body.map_or(self.pivot, |body| bodies[body].desc.position),
            parent: self.parent,
            pivot: self.pivot,
            turn: Quat::IDENTITY,
            bend: self.bend,
        }
    }

    /// Rotation in model space that the pose gives it, from the rest pose.
    pub(super) fn turned_from_rest(&self, joints: &[Mat4]) -> Quat {
        let posed = self.joint.and_then(|joint| joints.get(joint));
        posed.map_or(Quat::IDENTITY, |matrix| rotation(matrix) * self.rest.inverse())
    }
}

/// The rotation of a matrix that may also scale; none where it is flat.
pub(super) fn rotation(matrix: &Mat4) -> Quat {
    let [x, y] = [matrix.x_axis, matrix.y_axis].map(|axis| axis.truncate().normalize_or_zero());
    let side = y.reject_from_normalized(x).normalize_or_zero();
    if x == Vec3::ZERO || side == Vec3::ZERO {
        return Quat::IDENTITY;
    }
    Quat::from_mat3(&Mat3::from_cols(x, side, x.cross(side)))
}

/// Cloth that a character wears, on the bodies of its plan.
#[derive(Clone, Debug)]
pub struct PlannedGarment {
    /// The cloth in the character's rest pose.
    pub cloth: ClothPlan,
    /// Bodies (index into [`RagdollPlan::bodies`]) and shares by which each particle is moved when the character is put into
    /// a pose, shape [particle_count].
    pub follows: Vec<Vec<(usize, f32)>>,
    /// Particles that are fastened to a body, which is the first that each follows.
    pub fastened: Vec<u32>,
}

impl PlannedGarment {
    /// Puts it on a character whose bodies are `ids`, at rest at `position` [m], without drawing it out of them.
    pub(super) fn add_to(
        &self,
        scene: &mut Scene,
        ids: &[BodyId],
        (position, rotation): (Vec3, Quat),
        tint: Vec4,
    ) -> Result<DeformableId, SceneError> {
        let id = self.cloth.add_to(scene, position, rotation, tint)?;
        let first = scene.deformables[id.0 as usize].first_particle.0;
        for particle in &self.fastened {
            let body = ids[self.follows[*particle as usize][0].0];
            scene.attach(ParticleId(first + particle), body, 0.0)?;
        }
        let shares: Vec<Vec<(BodyId, f32)>> =
            self.follows.iter().map(|f| f.iter().map(|(body, share)| (ids[*body], *share)).collect()).collect();
        scene.wear(id, &shares)?;
        Ok(id)
    }
}
