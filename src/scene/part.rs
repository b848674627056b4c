//! A scene as a part of another: what it becomes there.

use std::ops::Range;

use serde::{Deserialize, Serialize};

use super::{BodyId, ColliderId, DeformableId, ParticleId, Scene};

/// What a scene has become in another one that it was appended to: everything in the order that it had, after what was there.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
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
    /// Whether it is as long as what it is of, and all of it is in the scene.
    pub(super) fn is_of(&self, prefab: &Scene, scene: &Scene) -> bool {
        fn fits<T>(range: &Range<u32>, of: &[T], all: &[T]) -> bool {
            range.start <= range.end
                && (range.end - range.start) as usize == of.len()
                && range.end as usize <= all.len()
        }
        fits(&self.bodies, &prefab.bodies, &scene.bodies)
            && fits(&self.particles, &prefab.particles, &scene.particles)
            && fits(&self.joints, &prefab.joints, &scene.joints)
            && fits(&self.constraints, &prefab.constraints, &scene.constraints)
            && fits(&self.plastic_tetrahedra, &prefab.plastic_tetrahedra, &scene.plastic_tetrahedra)
            && fits(&self.global_constraints, &prefab.global_constraints, &scene.global_constraints)
            && fits(&self.triangles, &prefab.triangles, &scene.triangles)
            && fits(&self.tears, &prefab.tears, &scene.tears)
            && fits(&self.deformables, &prefab.deformables, &scene.deformables)
            && fits(&self.colliders, &prefab.colliders, &scene.colliders)
    }

    /// What a body of the appended scene is now.
    pub fn body(&self, id: BodyId) -> BodyId {
        BodyId(self.bodies.start + id.0)
    }

    /// What a particle of the appended scene is now.
    pub fn particle(&self, id: ParticleId) -> ParticleId {
        ParticleId(self.particles.start + id.0)
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
