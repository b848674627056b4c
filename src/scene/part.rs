//! A scene as a part of another: its ids there.

use std::ops::Range;

use serde::{Deserialize, Serialize};

use super::body::{BodyId, ParticleId};
use super::collider::ColliderId;
use super::deformable::DeformableId;
use super::joint::JointId;

/// What a scene has become in another one that it was appended to: everything in the order that it had, after what was there.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Part {
    /// Its bodies.
    pub bodies: Range<u32>,
    /// Its particles.
    pub particles: Range<u32>,
    /// Its joints.
    pub joints: Range<u32>,
    /// Its constraints.
    pub constraints: Range<u32>,
    /// Its constraints whose rest shapes flow.
    pub plastic_tetrahedra: Range<u32>,
    /// Its global constraints.
    pub global_constraints: Range<u32>,
    /// Its triangles that are touched.
    pub triangles: Range<u32>,
    /// Its edges that can break.
    pub tears: Range<u32>,
    /// Its deformable objects.
    pub deformables: Range<u32>,
    /// Its colliders.
    pub colliders: Range<u32>,
    /// What is drawn on its bodies.
    pub instances: Range<u32>,
}

impl Part {
    /// As it is once the scene that has it is appended to another, where it is `whole`.
    pub(super) fn within(&self, whole: &Self) -> Self {
        let shifted = |own: &Range<u32>, whole: &Range<u32>| whole.start + own.start..whole.start + own.end;
        Self {
            bodies: shifted(&self.bodies, &whole.bodies),
            particles: shifted(&self.particles, &whole.particles),
            joints: shifted(&self.joints, &whole.joints),
            constraints: shifted(&self.constraints, &whole.constraints),
            plastic_tetrahedra: shifted(&self.plastic_tetrahedra, &whole.plastic_tetrahedra),
            global_constraints: shifted(&self.global_constraints, &whole.global_constraints),
            triangles: shifted(&self.triangles, &whole.triangles),
            tears: shifted(&self.tears, &whole.tears),
            deformables: shifted(&self.deformables, &whole.deformables),
            colliders: shifted(&self.colliders, &whole.colliders),
            instances: shifted(&self.instances, &whole.instances),
        }
    }

    /// What a body of the appended scene is now.
    pub fn body(&self, id: BodyId) -> BodyId {
        BodyId(self.bodies.start + id.0)
    }

    /// What a particle of the appended scene is now.
    pub fn particle(&self, id: ParticleId) -> ParticleId {
        ParticleId(self.particles.start + id.0)
    }

    /// What a joint of the appended scene is now.
    pub fn joint(&self, id: JointId) -> JointId {
        JointId(self.joints.start + id.0)
    }

    /// What a deformable object of the appended scene is now.
    pub fn deformable(&self, id: DeformableId) -> DeformableId {
        DeformableId(self.deformables.start + id.0)
    }

    /// What a collider of the appended scene is now.
    pub fn collider(&self, id: ColliderId) -> ColliderId {
        ColliderId(self.colliders.start + id.0)
    }
}
