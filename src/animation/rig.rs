//! From the pose of a skeleton to the poses of bodies.
//!
//! Every body turns as the joint that carries it has turned from the bind pose. The first body of a tree also goes where
//! that joint takes it; the others hang on the body before them at the point where both meet, so that no joint is ever
//! torn, whatever a clip does to the lengths of bones.

use std::sync::{Arc, OnceLock};

use glam::{Mat3, Mat4, Quat, Vec3};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::{Pose, span};
use crate::import::Asset;
use crate::numbers::cubed;
use crate::scene::Placement;

/// A body of a character, in model space in the bind pose.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Limb {
    /// Joint of the asset that carries it; none: it turns with the limb that it hangs on.
    pub joint: Option<usize>,
    /// Center of mass [m].
    pub center: Vec3,
    /// Limb that it hangs on, and where they meet [m]; none for the first of a tree.
    pub hangs: Option<(usize, Vec3)>,
    /// Centers of its particles in its own frame [m].
    #[serde(with = "crate::pack")]
    pub points: Vec<Vec3>,
    /// Their radius [m].
    pub radius: f32,
}

/// A limb that a character does not have.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("`{character}` has no limb `{name}`; did you mean `{near}`? `sinew inspect` lists its bodies")]
pub struct LimbError {
    /// The character.
    pub character: String,
    /// What was asked for.
    pub name: String,
    /// The limb that is called most like it.
    pub near: String,
}

/// A bone that the character's skin hangs on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SkinBone {
    /// Joint of the asset that turns it; none: it stays as it is.
    pub joint: Option<usize>,
    /// The bone it hangs on.
    pub parent: Option<usize>,
}

/// Where a pose puts a character, in model space.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Stance {
    /// Limbs, shape [limb_count].
    #[serde(with = "crate::pack")]
    pub limbs: Vec<Placement>,
    /// Rotation of every bone of the skin against its parent from the bind pose, as
    /// [`Bone::turn`](crate::scene::Bone::turn) has it, shape [bone_count].
    #[serde(with = "crate::pack")]
    pub turns: Vec<Quat>,
}

impl Stance {
    /// Carries the limbs along by a motion.
    pub(super) fn move_by(&mut self, by: &Placement) {
        self.limbs.iter_mut().for_each(|limb| *limb = by.then(limb));
    }
}

/// An asset's skeleton with the bodies it carries.
#[derive(Debug, Default)]
pub struct Rig {
    asset: Arc<Asset>,
    limbs: Vec<Limb>,
    bones: Vec<SkinBone>,
    /// Limbs, each after the one it hangs on.
    order: Vec<usize>,
    /// From the bind pose to the joint's own frame, shape [joint_count].
    unbind: Vec<Mat4>,
    /// Ends of the clips, found when they are asked for, shape [clip_count].
    seams: Vec<OnceLock<Seam>>,
    changes: String,
}

/// Way of a clip, as a share of the character's height, from which it counts as walking along.
const STRIDE: f32 = 0.15;
/// Turn of a limb between the ends of a clip from which they are blended [rad].
const SEAM: f32 = 0.1;

/// Ends of a clip: how far its root has moved [m, model space], and whether they fit together.
#[derive(Clone, Copy, Debug)]
pub(super) struct Seam {
    pub(super) way: Vec3,
    pub(super) fits: bool,
}

impl Rig {
    /// Limbs that hang on one another in a ring, on themselves or on no limb, are taken as first ones; unknown joints
    /// carry nothing.
    pub fn new(asset: Arc<Asset>, mut limbs: Vec<Limb>, mut bones: Vec<SkinBone>) -> Self {
        let count = limbs.len();
        let bone_count = bones.len();
        for bone in &mut bones {
            bone.joint = bone.joint.filter(|j| *j < asset.joints.len());
            bone.parent = bone.parent.filter(|b| *b < bone_count);
        }
        for limb in &mut limbs {
            limb.joint = limb.joint.filter(|j| *j < asset.joints.len());
            limb.hangs = limb.hangs.filter(|(on, _)| *on < count);
        }
        let mut order: Vec<usize> = Vec::with_capacity(count);
        let mut listed = vec![false; count];
        while order.len() < count {
            let ready = |i: usize| !listed[i] && limbs[i].hangs.is_none_or(|(on, _)| listed[on]);
            let next = (0..count).find(|i| ready(*i)).or_else(|| (0..count).find(|i| !listed[*i]));
            let Some(next) = next else { break };
            if !ready(next) {
                limbs[next].hangs = None;
            }
            listed[next] = true;
            order.push(next);
        }
        let unbind = asset.joints.iter().map(|j| j.rest.inverse()).collect();
        let seams = asset.clips.iter().map(|_| OnceLock::new()).collect();
        Self { asset, limbs, bones, order, unbind, seams, changes: String::new() }
    }

    /// The same with limbs that were made with changes: the text of their file.
    #[must_use]
    pub(crate) fn changed_by(self, changes: String) -> Self {
        Self { changes, ..self }
    }

    /// The text of the file of changes that the limbs were made with; empty without one.
    pub(crate) fn changes(&self) -> &str {
        &self.changes
    }

    /// The asset.
    pub fn asset(&self) -> &Asset {
        &self.asset
    }

    /// The limbs.
    pub fn limbs(&self) -> &[Limb] {
        &self.limbs
    }

    /// Bones that the skin hangs on.
    pub fn bones(&self) -> &[SkinBone] {
        &self.bones
    }

    /// The limb that the others hang on: the hips of a person.
    pub fn root(&self) -> Option<usize> {
        self.order.first().copied()
    }

    /// Where a pose puts the character, in model space.
    pub fn stance(&self, pose: &Pose) -> Stance {
        let motion = |(placed, unbind): (Mat4, &Mat4)| Some(placed * *unbind).filter(Mat4::is_finite);
        let motions: Vec<Option<Mat4>> = pose.joints(&self.asset).into_iter().zip(&self.unbind).map(motion).collect();
        let rotations: Vec<Option<Quat>> = motions.iter().map(|m| turn_of((*m)?)).collect();
        let limbs = self.chain(|i, above| {
            let limb = &self.limbs[i];
            let turn = limb.joint.and_then(|j| rotations[j]).unwrap_or(above.map_or(Quat::IDENTITY, |a| a.rotation));
            let moved = limb.joint.and_then(|j| motions[j]).map(|m| m.transform_point3(limb.center));
            (moved.unwrap_or(limb.center), turn)
        });
        let turned = |bone: &SkinBone| bone.joint.and_then(|j| rotations[j]).unwrap_or(Quat::IDENTITY);
        let turn = |bone: &SkinBone| {
            let above = bone.parent.map_or(Quat::IDENTITY, |parent| turned(&self.bones[parent]));
            (above.inverse() * turned(bone)).normalize()
        };
        Stance { limbs, turns: self.bones.iter().map(turn).collect() }
    }

    /// The ends of a clip.
    ///
    /// # Panics
    /// If the asset has no such clip.
    pub(super) fn seam(&self, clip: usize) -> &Seam {
        self.seams[clip].get_or_init(|| {
            let clip = &self.asset.clips[clip];
            let (start, end) = span(clip);
            let ends = [start, end].map(|time| self.stance(&Pose::sample(&self.asset, clip, time, false)).limbs);
            let Some(root) = self.root() else { return Seam { way: Vec3::ZERO, fits: true } };
            let tall = self.limbs.iter().map(|l| l.center.y + l.radius).fold(0.0, f32::max);
            let way = (ends[1][root].position - ends[0][root].position).with_y(0.0);
            let way = if way.length() > STRIDE * tall { way } else { Vec3::ZERO };
            let turned = ends[0].iter().zip(&ends[1]).any(|(a, b)| a.rotation.angle_between(b.rotation) > SEAM);
            Seam { way, fits: !turned }
        })
    }

    /// Where limbs are that leave `from` while a clip goes on from `start` to `to`: what parted `from` and `start` is left
    /// by the share `left` in 0..=1. It is always the same arc, so nothing flips while the clip turns on.
    pub fn returning(&self, [from, start, to]: [&[Placement]; 3], left: f32) -> Vec<Placement> {
        self.chain(|i, _| {
            let position = to[i].position + (from[i].position - start[i].position) * left;
            (position, part(from[i].rotation * start[i].rotation.inverse(), left) * to[i].rotation)
        })
    }

    /// Places limb after limb: `of` gives place and rotation, and the place counts for those that hang on nothing.
    fn chain(&self, of: impl Fn(usize, Option<Placement>) -> (Vec3, Quat)) -> Vec<Placement> {
        let mut placed = vec![Placement::IDENTITY; self.limbs.len()];
        for &i in &self.order {
            let limb = &self.limbs[i];
            let above = limb.hangs.map(|(on, pivot)| (placed[on], pivot - self.limbs[on].center, pivot));
            let (position, rotation) = of(i, above.map(|(a, ..)| a));
            let position = above.map_or(position, |(on, arm, pivot)| on.point(arm) - rotation * (pivot - limb.center));
            placed[i] = Placement { position, rotation };
        }
        placed
    }

    /// The clip of this name: as it is written, in other case, or the only one that contains it.
    pub fn clip(&self, name: &str) -> Option<usize> {
        let clips = &self.asset.clips;
        let wanted = name.to_lowercase();
        let exact = clips.iter().position(|c| c.name == name);
        let alike = clips.iter().position(|c| c.name.to_lowercase() == wanted);
        let mut holding = (0..clips.len()).filter(|i| clips[*i].name.to_lowercase().contains(&wanted));
        let only = holding.next().filter(|_| holding.next().is_none());
        exact.or(alike).or(only)
    }

    /// The limb carried by the joint of this name, whatever its case.
    ///
    /// # Errors
    /// [`LimbError`] if no limb is carried by such a joint.
    pub fn limb(&self, name: &str) -> Result<usize, LimbError> {
        let names: Vec<&str> = (0..self.limbs.len()).map(|limb| self.limb_name(limb)).collect();
        let exact = names.iter().position(|n| *n == name);
        let alike = || names.iter().position(|n| n.to_lowercase() == name.to_lowercase());
        exact.or_else(alike).filter(|limb| !names[*limb].is_empty()).ok_or_else(|| {
            let likeness = |n: &&&str| strsim::jaro_winkler(&name.to_lowercase(), &n.to_lowercase());
            let near = names.iter().max_by(|a, b| likeness(a).total_cmp(&likeness(b)));
            let near = near.map_or(String::new(), |n| (*n).to_owned());
            LimbError { character: self.asset.name.clone(), name: name.to_owned(), near }
        })
    }

    /// The name of the joint that carries a limb; empty without one.
    pub fn limb_name(&self, limb: usize) -> &str {
        let joint = self.limbs.get(limb).and_then(|limb| limb.joint);
        joint.map_or("", |joint| self.asset.joints[joint].name.as_str())
    }

    /// A limb and all that hangs on it.
    pub fn below(&self, limb: usize) -> Vec<usize> {
        let mut found = Vec::new();
        for &i in &self.order {
            if i == limb || self.limbs[i].hangs.is_some_and(|(on, _)| found.contains(&on)) {
                found.push(i);
            }
        }
        found
    }

    /// Height of the lowest point of these limbs [m].
    pub fn lowest(&self, placed: &[Placement]) -> f32 {
        (0..self.limbs.len()).zip(placed).map(|(limb, at)| self.lowest_of(limb, at)).fold(f32::MAX, f32::min)
    }

    /// The same of one limb.
    pub(super) fn lowest_of(&self, limb: usize, at: &Placement) -> f32 {
        let limb = &self.limbs[limb];
        limb.points.iter().map(|p| at.point(*p).y - limb.radius).fold(f32::MAX, f32::min)
    }
}

/// This share of a rotation, along the shorter arc.
pub(super) fn part(turn: Quat, share: f32) -> Quat {
    Quat::IDENTITY.slerp(turn, share).normalize()
}

/// The rotation nearest to a matrix, by Higham's iteration for the polar decomposition; none for one that mirrors or
/// flattens.
fn turn_of(m: Mat4) -> Option<Quat> {
    let linear = Mat3::from_mat4(m);
    let volume = linear.determinant();
    let size = linear.to_cols_array().iter().fold(0.0_f32, |most, v| most.max(v.abs()));
    if volume.is_nan() || volume <= 1.0e-6 * cubed(size) {
        return None;
    }
    let mut turn = linear * volume.cbrt().recip();
    for _ in 0..10 {
        turn = (turn + turn.inverse().transpose()) * 0.5;
    }
    Some(Quat::from_mat3(&turn).normalize()).filter(|q| q.is_finite())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_rotation_ignores_scale_and_refuses_mirrors() {
        let q = Quat::from_euler(glam::EulerRot::XYZ, 2.0, -0.4, 1.0);
        for scale in [Vec3::ONE, Vec3::splat(0.01), Vec3::new(1.0, 1.3, 0.8)] {
            let found = turn_of(Mat4::from_quat(q) * Mat4::from_scale(scale)).unwrap();
            assert!(found.angle_between(q) < 1e-3, "{scale}");
        }
        assert_eq!(turn_of(Mat4::from_scale(Vec3::new(-1.0, 1.0, 1.0))), None);
        assert_eq!(turn_of(Mat4::from_scale(Vec3::new(1.0, 0.0, 1.0))), None);
        assert_eq!(turn_of(Mat4::ZERO), None);
    }
}
