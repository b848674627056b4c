//! Skins: joints shared between skins are one joint, and every skin's bind space is placed in the world.
//!
//! A vertex is drawn at `Σ w · world(joint) · inverse_bind(joint) · vertex`. In the bind pose all those products are one
//! matrix, the skin's placement. A file may rest in another pose, so the matrix most joints agree on is taken.

use std::collections::HashMap;

use glam::{Mat3, Mat4, Vec3};
use serde::{Deserialize, Serialize};

use super::Fault;
use super::accessor::Reader;
use super::error::limit;
use super::tree::{FARTHEST, Tree};

/// Most joints in one file.
const MAX_JOINTS: u64 = 10_000;

/// A joint of the skeleton: a node that moves vertices.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AssetJoint {
    /// Name of its node.
    pub name: String,
    /// Its node: index into [`super::Asset::nodes`].
    pub node: usize,
    /// Nearest joint above it in the node tree.
    pub parent: Option<usize>,
    /// Placement in model space in the rest pose, scale included; the translation is in metres.
    pub rest: Mat4,
}

/// How the vertices of one skin reach the rest pose.
pub(super) enum Placement {
    /// All vertices by one matrix: the bind pose.
    Bind(Mat4),
    /// Vertex by vertex with the default pose, for a skin without inverse bind matrices.
    DefaultPose,
}

/// A skin's own joint list, as indices into the joints of the asset, and its placement.
pub(super) struct SkinSpace {
    pub(super) joints: Vec<usize>,
    pub(super) placement: Placement,
}

/// Joints of all skins of a file.
pub(super) struct Skeleton {
    pub(super) joints: Vec<AssetJoint>,
    pub(super) skins: Vec<SkinSpace>,
    /// Joint of each node.
    pub(super) joint_of_node: HashMap<usize, usize>,
}

impl Skeleton {
    pub(super) fn new(reader: &Reader<'_>, tree: &Tree, warnings: &mut Vec<String>) -> Result<Self, Fault> {
        let mut skeleton = Self { joints: Vec::new(), skins: Vec::new(), joint_of_node: HashMap::new() };
        for index in 0..reader.container.root().skins.len() {
            skeleton.add_skin(index, reader, tree, warnings)?;
        }
        for index in 0..skeleton.joints.len() {
            let mut node = tree.nodes[skeleton.joints[index].node].parent;
            while let Some(above) = node {
                if let Some(&joint) = skeleton.joint_of_node.get(&above) {
                    skeleton.joints[index].parent = Some(joint);
                    break;
                }
                node = tree.nodes[above].parent;
            }
        }
        Ok(skeleton)
    }

    fn add_skin(
        &mut self,
        index: usize,
        reader: &Reader<'_>,
        tree: &Tree,
        warnings: &mut Vec<String>,
    ) -> Result<(), Fault> {
        let skin = &reader.container.root().skins[index];
        let element = format!("skin {index}");
        if skin.joints.is_empty() {
            return Err(Fault::invalid(element, "has no joints"));
        }
        limit(&element, skin.joints.len() as u64, MAX_JOINTS)?;
        let nodes: Vec<usize> = skin.joints.iter().map(|n| n.value()).collect();
        if let Some(&node) = nodes.iter().find(|n| **n >= tree.nodes.len()) {
            return Err(Fault::missing(&element, "joint node", node, tree.nodes.len()));
        }
        let binds = inverse_binds(index, reader)?;
        let worlds: Vec<Mat4> = nodes.iter().map(|n| tree.nodes[*n].world).collect();
        let placement = match &binds {
            Some(binds) => Placement::Bind(place(index, &worlds, binds, warnings)),
            None => Placement::DefaultPose,
        };
        if let Placement::Bind(m) = &placement {
            finite(&element, m)?;
        }
        let mut joints = Vec::with_capacity(nodes.len());
        for (slot, &node) in nodes.iter().enumerate() {
            let rest = match (&placement, &binds) {
                (Placement::Bind(placed), Some(binds)) if invertible(binds[slot]) => *placed * binds[slot].inverse(),
                _ => worlds[slot],
            };
            finite(&format!("joint {slot} of skin {index}"), &rest)?;
            let joint = *self.joint_of_node.entry(node).or_insert_with(|| {
                self.joints.push(AssetJoint { name: tree.nodes[node].name.clone(), node, parent: None, rest });
                self.joints.len() - 1
            });
            joints.push(joint);
        }
        limit("the list of joints", self.joints.len() as u64, MAX_JOINTS)?;
        self.skins.push(SkinSpace { joints, placement });
        Ok(())
    }
}

/// Inverse bind matrices of a skin; none if they are absent or all the identity.
fn inverse_binds(index: usize, reader: &Reader<'_>) -> Result<Option<Vec<Mat4>>, Fault> {
    let skin = &reader.container.root().skins[index];
    let Some(accessor) = skin.inverse_bind_matrices else { return Ok(None) };
    let array = reader.floats(accessor.value(), &[16])?;
    let mut binds: Vec<Mat4> = array
        .rows()
        .map(|m| {
            let mut columns = [0.0; 16];
            columns.copy_from_slice(m);
            Mat4::from_cols_array(&columns)
        })
        .collect();
    if binds.len() < skin.joints.len() {
        let (have, need) = (binds.len(), skin.joints.len());
        return Err(Fault::invalid(
            format!("skin {index}"),
            format!("has {need} joints and only {have} inverse bind matrices"),
        ));
    }
    binds.truncate(skin.joints.len());
    let plain = skin.joints.len() > 1 && binds.iter().all(|m| m.abs_diff_eq(Mat4::IDENTITY, 1.0e-6));
    Ok((!plain).then_some(binds))
}

/// Least volume of a unit cube under a bind matrix: scales of a hundred-millionth still have an inverse in `f32`.
const LEAST_VOLUME: f32 = 1.0e-24;

/// Refuses placements from which no finite scene can come.
fn finite(element: &str, m: &Mat4) -> Result<(), Fault> {
    if m.to_cols_array().iter().all(|v| v.abs() < FARTHEST) {
        return Ok(());
    }
    Err(Fault::invalid(element, format!("lands farther than {FARTHEST:e} from the origin")))
}

fn invertible(m: Mat4) -> bool {
    let scale = Mat3::from_mat4(m).determinant().abs();
    scale > LEAST_VOLUME && m.inverse().is_finite()
}

/// The matrix from a skin's bind space to the world that most joints agree on.
fn place(index: usize, worlds: &[Mat4], binds: &[Mat4], warnings: &mut Vec<String>) -> Mat4 {
    // More voters than this change nothing and cost their square.
    const VOTERS: usize = 64;
    let step = worlds.len().div_ceil(VOTERS);
    let votes: Vec<Mat4> = worlds
        .iter()
        .zip(binds)
        .step_by(step)
        .filter(|(world, bind)| invertible(**bind) && invertible(**world))
        .map(|(world, bind)| *world * *bind)
        .filter(|m| m.is_finite())
        .collect();
    let agreement = |m: &Mat4| votes.iter().filter(|other| alike(m, other)).count();
    let mut best: Option<(usize, Mat4)> = None;
    for vote in &votes {
        let count = agreement(vote);
        if best.is_none_or(|(most, _)| count > most) {
            best = Some((count, *vote));
        }
    }
    match best {
        Some((count, m)) if 3 * count >= votes.len() => m,
        Some(_) => {
            warnings.push(format!(
                "skin {index} rests in another pose than the one it was bound in; the bind pose is used"
            ));
            upright(votes[0])
        }
        None => Mat4::IDENTITY,
    }
}

/// Same turn and scale within a hundredth.
fn alike(a: &Mat4, b: &Mat4) -> bool {
    let (linear_a, linear_b) = (Mat3::from_mat4(*a), Mat3::from_mat4(*b));
    let size = linear_a.x_axis.length().max(linear_a.y_axis.length());
    let difference = linear_a - linear_b;
    difference.to_cols_array().iter().all(|d| d.abs() <= 0.01 * size)
}

/// `m` with its turn snapped to the nearest one that maps axes to axes, and its mean scale on all of them.
fn upright(m: Mat4) -> Mat4 {
    let linear = Mat3::from_mat4(m);
    let scale = linear.determinant().abs().cbrt();
    let turn = Mat3::from_cols(linear.x_axis.normalize_or_zero(), linear.y_axis.normalize_or_zero(), Vec3::ZERO);
    let snap = |v: Vec3, taken: Option<usize>| {
        let mut axes = [0, 1, 2];
        axes.sort_by(|a, b| v[*b].abs().total_cmp(&v[*a].abs()));
        let axis = axes.into_iter().find(|a| Some(*a) != taken).unwrap_or(0);
        (axis, Vec3::AXES[axis] * v[axis].signum())
    };
    let (taken, x) = snap(turn.x_axis, None);
    let (_, y) = snap(turn.y_axis, Some(taken));
    let snapped = Mat3::from_cols(x, y, x.cross(y)) * scale;
    Mat4::from_translation(m.w_axis.truncate()) * Mat4::from_mat3(snapped)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn upright_snaps_a_leaning_z_up_placement() {
        let lean = Mat4::from_rotation_x(-std::f32::consts::FRAC_PI_2 + 0.2) * Mat4::from_scale(Vec3::splat(0.01));
        let snapped = upright(lean);
        assert!((snapped.transform_vector3(Vec3::Z) - Vec3::Y * 0.01).length() < 1e-6);
    }
}
