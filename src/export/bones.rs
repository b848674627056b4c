//! Where the bones of an instance are, as `shaders/render/bones.wgsl` has them drawn.

use glam::{Quat, Vec3};

use crate::scene::{Bone, Placement};
use crate::solver::BodyState;

/// Most that a bone turns away from its parent to share the turning of the next body [rad].
const MOST_BEND: f32 = 0.6;
/// A quaternion shorter than this has no turning about the axis left.
const LEAST_TURNING: f32 = 1e-6;

/// Bones of an instance, and what they follow.
struct Placed<'a> {
    bones: &'a [Bone],
    turns: &'a [Quat],
    bodies: &'a [BodyState],
}

/// Where the pivot of each bone is and how it is turned from the rest pose; none for what is no longer there. `turns` are those of the
/// pose, shape [bone_count].
pub(super) fn placements(bones: &[Bone], turns: &[Quat], bodies: &[BodyState]) -> Vec<Option<Placement>> {
    let placed = Placed { bones, turns, bodies };
    (0..bones.len()).map(|bone| placed.at(bone)).collect()
}

impl Placed<'_> {
    /// Center [m] and rotation of a body; none when it is gone.
    fn body(&self, bone: &Bone) -> Option<(Vec3, Quat)> {
        let state = self.bodies.get(bone.body?.0 as usize)?;
        let rotation = Quat::from_array(state.rotation);
        (rotation.length_squared() > 0.25).then(|| (Vec3::from(state.center), rotation.normalize()))
    }

    fn parent(&self, bone: usize) -> Option<usize> {
        self.bones[bone].parent.map(usize::from)
    }

    fn rotation(&self, bone: usize) -> Option<Quat> {
        let (mut rotation, mut at) = (Quat::IDENTITY, bone);
        while self.bones[at].body.is_none() {
            rotation = self.turns[at] * rotation;
            at = self.parent(at)?;
        }
        Some(self.body(&self.bones[at])?.1 * rotation)
    }

    /// Where the pivot of a bone is: the chain of the rest pose from the last body on the way up that it is not torn from.
    fn pivot(&self, bone: usize) -> Vec3 {
        let (mut arm, mut beyond, mut place, mut joint, mut child) =
            (Vec3::ZERO, Vec3::ZERO, Vec3::ZERO, Vec3::ZERO, None::<Vec3>);
        let mut next = Some(bone);
        while let Some(at) = next {
            let row = &self.bones[at];
            if row.body.is_none() {
                arm = self.turns[at] * arm;
            } else {
                let Some((center, rotation)) = self.body(row) else { break };
                let own = center + rotation * (row.pivot - row.rest_center);
                let reach = rotation * arm;
                let apart = (own + reach).distance(joint);
                if child.is_some_and(|child| apart > row.rest_center.distance(child)) {
                    break;
                }
                beyond += reach;
                (place, joint, child, arm) = (own + beyond, own, Some(row.rest_center), Vec3::ZERO);
            }
            next = self.parent(at);
            if let Some(parent) = next {
                arm += row.pivot - self.bones[parent].pivot;
            }
        }
        place
    }

    /// What a bone turned by `rotation` takes of the turning of the body beyond it.
    fn bent(&self, bone: usize, rotation: Quat) -> Quat {
        let Some(bend) = self.bones[bone].bend else { return Quat::IDENTITY };
        let toward = usize::from(bend.toward);
        let (Some((_, actual)), Some(above)) = (self.body(&self.bones[toward]), self.parent(toward)) else {
            return Quat::IDENTITY;
        };
        let posed = self.rotation(above).unwrap_or(Quat::IDENTITY) * self.turns[toward];
        let mut turned = actual * posed.conjugate();
        if let Some(axis) = bend.axis {
            let axis = rotation * axis.normalize();
            let along = axis * turned.xyz().dot(axis);
            turned = Quat::from_xyzw(along.x, along.y, along.z, turned.w);
        }
        if turned.length() <= LEAST_TURNING {
            return Quat::IDENTITY;
        }
        let turned = if turned.w < 0.0 { -turned } else { turned }.normalize();
        Quat::from_scaled_axis((bend.share * turned.to_scaled_axis()).clamp_length_max(MOST_BEND))
    }

    fn at(&self, bone: usize) -> Option<Placement> {
        let row = &self.bones[bone];
        let rotation = self.rotation(bone)?;
        let position = self.pivot(bone);
        let Some(bend) = row.bend.filter(|bend| bend.share > 0.0) else {
            return Some(Placement { position, rotation });
        };
        let about = position + rotation * (bend.about - row.pivot);
        let rotation = self.bent(bone, rotation) * rotation;
        Some(Placement { position: about + rotation * (row.pivot - bend.about), rotation })
    }
}
