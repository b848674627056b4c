//! Meshes that hang on nodes which turn, in place of being weighted to joints: limbs of robots, and of figures made of blocks.

use std::collections::{HashMap, HashSet};

use glam::Quat;
use gltf::json::Root;

use super::clip::{ChannelPath, Clip, Interpolation};
use super::geometry::{Hold, Placed};
use super::skin::{AssetJoint, MAX_JOINTS};
use super::tree::Tree;

/// Least nodes that turn in a file without a skin for it to have joints: fewer are wheels, doors and lids.
const LEAST: usize = 5;
/// What turns less than this in every clip stands still: tools write keys for all there is [rad].
const TURNS: f32 = 0.02;

/// Nodes that some clip turns.
pub(super) fn turning(clips: &[Clip]) -> HashSet<usize> {
    let channels = clips.iter().flat_map(|clip| &clip.channels);
    let turns = channels.filter(|channel| {
        let (each, at) = if channel.interpolation == Interpolation::CubicSpline { (12, 4) } else { (4, 0) };
        let mut keys = channel.values.chunks_exact(each).map(|key| Quat::from_slice(&key[at..]).normalize());
        let first = keys.next().unwrap_or(Quat::IDENTITY);
        channel.path == ChannelPath::Rotation && keys.any(|key| first.angle_between(key) > TURNS)
    });
    turns.map(|channel| channel.node).collect()
}

/// Nodes that stand for the joints of a file without a skin: those that turn with a mesh on them or beneath, and the nearest one above
/// them all. None if these are few, too many, or nowhere one beneath another.
pub(super) fn joints(root: &Root, tree: &Tree, turning: &HashSet<usize>) -> Vec<usize> {
    if !root.skins.is_empty() {
        return Vec::new();
    }
    let upward = |node: usize| std::iter::successors(Some(node), |node| tree.nodes[*node].parent);
    let drawn = (0..tree.nodes.len()).filter(|node| tree.nodes[*node].visible && root.nodes[*node].mesh.is_some());
    let loaded: HashSet<usize> = drawn.flat_map(upward).collect();
    let mut limbs: Vec<usize> = turning.iter().copied().filter(|node| loaded.contains(node)).collect();
    limbs.sort_unstable();
    let is_beneath = |node: &usize| upward(*node).skip(1).any(|above| turning.contains(&above));
    if !(LEAST..MAX_JOINTS as usize).contains(&limbs.len()) || !limbs.iter().any(is_beneath) {
        return Vec::new();
    }
    let mut carried = HashMap::new();
    limbs.iter().flat_map(|node| upward(*node)).for_each(|node| *carried.entry(node).or_insert(0) += 1);
    let trunk = upward(limbs[0]).find(|node| carried[node] == limbs.len());
    let Some(trunk) = trunk else { return Vec::new() };
    if !limbs.contains(&trunk) {
        limbs.insert(0, trunk);
    }
    limbs
}

/// Lets meshes be moved by the joints that they hang on, where one hangs in a row with another and turns against what is above it; in a
/// file without a skin all of them.
pub(super) fn weigh(parts: &mut [Placed], joints: &[AssetJoint], turning: &HashSet<usize>) {
    let skinned = parts.iter().any(|part| part.hold == Hold::Skin);
    let rows = Rows::new(parts, joints);
    let turns = |joint: usize| rows.own(joint).any(|own| turning.contains(&joints[own].node));
    for part in parts {
        if let Hold::Joint(joint) = part.hold
            && (!skinned || (rows.is_in_row(joint) && turns(joint)))
        {
            part.hold = Hold::Skin;
        }
    }
}

/// What to say of meshes that hang in a row on joints which no skin moves.
pub(super) fn stiff(parts: &[Placed], joints: &[AssetJoint]) -> Option<String> {
    let rows = Rows::new(parts, joints);
    let first = rows.held.iter().filter(|joint| rows.hangs(**joint)).min()?;
    Some(format!(
        "meshes hang on joints that no skin moves, `{}` for one, and stay stiff there; weight their vertices to the joints \
         if they should bend",
        joints[*first].name
    ))
}

/// Meshes that hang on joints which no skin moves.
struct Rows<'a> {
    joints: &'a [AssetJoint],
    /// Joints that a skin moves, and those above them.
    alive: HashSet<usize>,
    /// Others, on which meshes hang. One alone is a hat or a sword; where one hangs on another it would bend between them.
    held: HashSet<usize>,
    /// Joints above those.
    carrying: HashSet<usize>,
}

impl<'a> Rows<'a> {
    fn new(parts: &[Placed], joints: &'a [AssetJoint]) -> Self {
        let mut rows = Self { joints, alive: HashSet::new(), held: HashSet::new(), carrying: HashSet::new() };
        let moved = parts.iter().filter(|part| part.hold == Hold::Skin).flat_map(|part| &part.weights.entries);
        for joint in moved.map(|(joint, _)| *joint as usize).collect::<HashSet<_>>() {
            rows.alive.extend(upward(joints, joint));
        }
        let held = |part: &Placed| if let Hold::Joint(joint) = part.hold { Some(joint) } else { None };
        rows.held = parts.iter().filter_map(held).filter(|joint| !rows.alive.contains(joint)).collect();
        rows.carrying = rows.held.iter().flat_map(|joint| upward(joints, *joint).skip(1)).collect();
        rows
    }

    /// Whether a mesh hangs on a joint somewhere below another one.
    fn hangs(&self, joint: usize) -> bool {
        upward(self.joints, joint).skip(1).any(|above| self.held.contains(&above))
    }

    /// The same, or another one below it.
    fn is_in_row(&self, joint: usize) -> bool {
        self.held.contains(&joint) && (self.hangs(joint) || self.carrying.contains(&joint))
    }

    /// A joint and those above it, up to the next that moves a skin or holds a mesh.
    fn own(&self, joint: usize) -> impl Iterator<Item = usize> {
        let ends = move |above: &usize| self.alive.contains(above) || self.held.contains(above);
        upward(self.joints, joint).take(1).chain(upward(self.joints, joint).skip(1).take_while(move |a| !ends(a)))
    }
}

/// A joint and those above it, nearest first.
pub(super) fn upward(joints: &[AssetJoint], joint: usize) -> impl Iterator<Item = usize> {
    std::iter::successors(Some(joint), |joint| joints[*joint].parent)
}
