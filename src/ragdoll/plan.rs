//! A ragdoll ready to be added to scenes, and what it says about itself.

use std::sync::Arc;

use glam::{Mat4, Quat, Vec3, Vec4};

use super::LabelSource;
use super::bodies::PlannedBody;
use super::garment::PlannedGarment;
use super::joints::PlannedJoint;
use super::skinning::PlannedBone;
use crate::scene::{BodyDesc, BodyId, Instance, JointDesc, Model, Scene, SceneError};

/// Bodies and joints of a character in its rest pose: metres, Y up, feet at y = 0 under the middle.
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
    /// its own colours times `tint` (linear). Returns its bodies in the order of the plan.
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
            scene.ignore(ids[*a], ids[*b]);
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

    /// Mass of all bodies [kg].
    pub fn mass(&self) -> f32 {
        self.bodies.iter().map(|b| b.desc.mass).sum()
    }

    /// Particles of all bodies, without those that joints share.
    pub fn particle_count(&self) -> usize {
        self.bodies.iter().map(|b| b.desc.points.len()).sum()
    }
}
