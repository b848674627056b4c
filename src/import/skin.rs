//! Skins: joints shared between skins are one joint, and every skin's bind space is placed in the world.

use std::collections::HashMap;

use glam::Mat4;
use serde::{Deserialize, Serialize};

use super::Fault;
use super::accessor::Reader;
use super::bind::{Bound, Place, invertible, placements};
use super::error::limit;
use super::tree::{FARTHEST, Tree};

/// Most joints in one file.
pub(super) const MAX_JOINTS: u64 = 10_000;
/// Most places in the joint lists of all skins.
const MAX_SLOTS: u64 = 1 << 20;

/// A joint of the skeleton: a node that moves vertices.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AssetJoint {
    /// Name of its node.
    pub name: String,
    /// Its node: index into [`super::Asset::nodes`].
    pub node: usize,
    /// Nearest joint above it in the node tree.
    pub parent: Option<usize>,
    /// Placement in model space in the rest pose, scale included; the translation is in meters.
    pub rest: Mat4,
}

/// How the vertices of one skin reach the rest pose.
pub(super) enum Placement {
    /// All vertices by one matrix, the bind pose; by others what follows the joints that have one here.
    Bind(Mat4, HashMap<usize, Mat4>),
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
    /// The joint that what hangs on each joint follows, shape [joint_count]: another one for copies of a skeleton.
    pub(super) follows: Vec<usize>,
}

impl Skeleton {
    /// That of all skins; in a file without any, of nodes that stand for joints.
    pub(super) fn new(
        reader: &Reader<'_>,
        tree: &Tree,
        limbs: &[usize],
        warnings: &mut Vec<String>,
    ) -> Result<Self, Fault> {
        let mut skeleton =
            Self { joints: Vec::new(), skins: Vec::new(), joint_of_node: HashMap::new(), follows: Vec::new() };
        let bounds = bound(reader, tree)?;
        let (with, without): (Vec<Bound>, Vec<Bound>) = bounds.into_iter().partition(|skin| !skin.binds.is_empty());
        let placed = placements(tree, &with, warnings);
        let mut skins: Vec<(Bound, Option<Place>)> = with.into_iter().zip(placed.into_iter().map(Some)).collect();
        skins.extend(without.into_iter().map(|skin| (skin, None)));
        skins.sort_by_key(|(skin, _)| skin.skin);
        for (skin, place) in &skins {
            skeleton.add_skin(skin, place.as_ref(), tree)?;
        }
        for node in limbs {
            finite(&format!("node {node}"), &tree.nodes[*node].world)?;
            skeleton.joint(*node, tree, tree.nodes[*node].world);
        }
        limit("the list of joints", skeleton.joints.len() as u64, MAX_JOINTS)?;
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

    /// Lets skins that are bound to copies of a skeleton follow the original: the joint that each joint follows, shape
    /// [joint_count], and the topmost joints of each copy and of its original.
    pub(super) fn follow(&mut self, (follows, copies): (Vec<usize>, Vec<(usize, usize)>), warnings: &mut Vec<String>) {
        for (copy, original) in copies {
            let [copy, original] = [copy, original].map(|root| &self.joints[root].name);
            warnings
                .push(format!("the skeleton of `{copy}` is a copy of that of `{original}`, which its skin follows"));
        }
        for skin in &mut self.skins {
            // Without bind matrices a vertex is where its own joint is.
            let Placement::Bind(_, posed) = &mut skin.placement else { continue };
            // Of several that follow one joint always the same counts.
            let mut sorted: Vec<(usize, Mat4)> = posed.drain().collect();
            sorted.sort_unstable_by_key(|(joint, _)| *joint);
            posed.extend(sorted.into_iter().map(|(joint, m)| (follows[joint], m)));
            skin.joints.iter_mut().for_each(|joint| *joint = follows[*joint]);
        }
        for joint in &mut self.joints {
            joint.parent = joint.parent.map(|parent| follows[parent]);
        }
        self.follows = follows;
    }

    /// The joint of a node, new if it has none yet.
    fn joint(&mut self, node: usize, tree: &Tree, rest: Mat4) -> usize {
        *self.joint_of_node.entry(node).or_insert_with(|| {
            self.joints.push(AssetJoint { name: tree.nodes[node].name.clone(), node, parent: None, rest });
            self.joints.len() - 1
        })
    }

    fn add_skin(&mut self, skin: &Bound, place: Option<&Place>, tree: &Tree) -> Result<(), Fault> {
        let index = skin.skin;
        if let Some(place) = place {
            finite(&format!("skin {index}"), &place.space)?;
        }
        let mut joints = Vec::with_capacity(skin.nodes.len());
        for (slot, &node) in skin.nodes.iter().enumerate() {
            let rest = match place {
                Some(place) if invertible(skin.binds[slot]) => place.of(slot) * skin.binds[slot].inverse(),
                _ => tree.nodes[node].world,
            };
            finite(&format!("joint {slot} of skin {index}"), &rest)?;
            joints.push(self.joint(node, tree, rest));
        }
        limit("the list of joints", self.joints.len() as u64, MAX_JOINTS)?;
        let placement = place.map_or(Placement::DefaultPose, |place| {
            Placement::Bind(place.space, place.posed.iter().map(|(slot, m)| (joints[*slot], *m)).collect())
        });
        self.skins.push(SkinSpace { joints, placement });
        Ok(())
    }
}

/// Joints and inverse bind matrices of all skins; without matrices where a skin has none.
fn bound(reader: &Reader<'_>, tree: &Tree) -> Result<Vec<Bound>, Fault> {
    let root = reader.container.root();
    let mut bounds = Vec::with_capacity(root.skins.len());
    let mut slots = 0;
    for (index, skin) in root.skins.iter().enumerate() {
        let element = format!("skin {index}");
        if skin.joints.is_empty() {
            return Err(Fault::invalid(element, "has no joints"));
        }
        limit(&element, skin.joints.len() as u64, MAX_JOINTS)?;
        slots += skin.joints.len() as u64;
        limit("the joint lists of all skins", slots, MAX_SLOTS)?;
        let nodes: Vec<usize> = skin.joints.iter().map(|n| n.value()).collect();
        if let Some(&node) = nodes.iter().find(|n| **n >= tree.nodes.len()) {
            return Err(Fault::missing(&element, "joint node", node, tree.nodes.len()));
        }
        let binds = inverse_binds(index, reader)?.unwrap_or_default();
        bounds.push(Bound { skin: index, nodes, binds, drawn: Vec::new() });
    }
    for (node, source) in root.nodes.iter().enumerate().filter(|(_, n)| n.mesh.is_some()) {
        if let Some(skin) = source.skin.and_then(|skin| bounds.get_mut(skin.value())) {
            skin.drawn.push(node);
        }
    }
    Ok(bounds)
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

/// Refuses placements from which no finite scene can come.
fn finite(element: &str, m: &Mat4) -> Result<(), Fault> {
    if m.to_cols_array().iter().all(|v| v.abs() < FARTHEST) {
        return Ok(());
    }
    Err(Fault::invalid(element, format!("lands farther than {FARTHEST:e} from the origin")))
}
