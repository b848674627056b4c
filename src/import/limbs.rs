//! Meshes parented to animated nodes instead of weighted to joints: limbs of robots, and of figures made of blocks.

use std::collections::{BTreeMap, HashMap, HashSet};

use glam::Quat;
use gltf::json::Root;

use super::clip::{ChannelPath, Clip, Interpolation};
use super::geometry::{Hold, JointWeights, Placed};
use super::labels::{ENOUGH, bone, required};
use super::skin::{AssetJoint, MAX_JOINTS};
use super::tree::Tree;

/// Least nodes that bend in a file without a skin for it to have joints: fewer are wheels, doors and lids.
pub(super) const LEAST: usize = 5;
/// As many are too many: with what they hang on they may be twice as many joints.
const MOST: u64 = MAX_JOINTS / 2;
/// What turns less than this in every clip stands still: tools write keys for all there is [rad].
const TURNS: f32 = 0.02;

/// Nodes that bend against what they hang on: those that some clip turns, and the bones of a person, known by their names.
pub(super) fn bending(root: &Root, tree: &Tree, clips: &[Clip]) -> HashSet<usize> {
    let mut nodes = turning(clips);
    nodes.extend(named(root, tree));
    nodes
}

fn turning(clips: &[Clip]) -> HashSet<usize> {
    let channels = clips.iter().flat_map(|clip| &clip.channels);
    let turns = channels.filter(|channel| {
        let (each, at) = if channel.interpolation == Interpolation::CubicSpline { (12, 4) } else { (4, 0) };
        let mut keys = channel.values.chunks_exact(each).map(|key| Quat::from_slice(&key[at..]).normalize());
        let first = keys.next().unwrap_or(Quat::IDENTITY);
        channel.path == ChannelPath::Rotation && keys.any(|key| first.angle_between(key) > TURNS)
    });
    turns.map(|channel| channel.node).collect()
}

/// Bones of a person by their names, without the meshes that are called after them; none if they are few.
fn named(root: &Root, tree: &Tree) -> Vec<usize> {
    let moved = root.skins.iter().flat_map(|skin| &skin.joints).map(|node| node.value());
    let mut bones: Vec<usize> = loaded(root, tree).into_iter().chain(moved).collect();
    bones.sort_unstable();
    bones.dedup();
    let name = |node: usize| tree.nodes[node].name.as_str();
    bones.retain(|node| *node < tree.nodes.len() && bone(name(*node)).is_some());
    if required(bones.iter().map(|node| name(*node))) < ENOUGH {
        return Vec::new();
    }
    let has_mesh = |node: usize| root.nodes[node].mesh.is_some();
    let is_mesh_of = |node: usize, above: usize| !has_mesh(above) && bone(name(above)) == bone(name(node));
    bones.retain(|node| !has_mesh(*node) || tree.nodes[*node].parent.is_none_or(|above| !is_mesh_of(*node, above)));
    bones
}

/// Whether a node is drawn with a mesh of its own.
fn is_drawn(root: &Root, tree: &Tree, node: usize) -> bool {
    tree.nodes[node].visible && root.nodes[node].mesh.is_some()
}

/// Nodes with meshes on them or beneath.
fn loaded(root: &Root, tree: &Tree) -> HashSet<usize> {
    let drawn = (0..tree.nodes.len()).filter(|node| is_drawn(root, tree, *node));
    drawn.flat_map(|node| std::iter::once(node).chain(tree.above(node))).collect()
}

/// Nodes that stand for the joints of a file without a skin.
#[derive(Default)]
pub(super) struct Limbs {
    /// Those that bend with a mesh on them or beneath, and the nearest one above all of a tree.
    pub(super) joints: Vec<usize>,
    /// The joint that takes the meshes which hang on none, where limbs hang on nothing in common.
    trunk: Option<usize>,
}

impl Limbs {
    /// None if those that bend are few, too many, or nowhere one beneath another or a mesh, which is told.
    pub(super) fn new(root: &Root, tree: &Tree, bending: &HashSet<usize>, warnings: &mut Vec<String>) -> Self {
        let loaded = if root.skins.is_empty() { loaded(root, tree) } else { HashSet::new() };
        let mut limbs: Vec<usize> = bending.iter().copied().filter(|node| loaded.contains(node)).collect();
        limbs.sort_unstable();
        let is_beneath = |node: &usize| tree.above(*node).any(|n| bending.contains(&n) || is_drawn(root, tree, n));
        let fault = match limbs.len() {
            0 => return Self::default(),
            1..LEAST => format!("limbs are {LEAST} at least"),
            count if count as u64 >= MOST => format!("limbs are fewer than {MOST}"),
            _ if limbs.iter().any(is_beneath) => return Self::hung(root, tree, limbs),
            _ => "none is beneath another, or beneath a mesh".into(),
        };
        let count = limbs.len();
        warnings.push(format!("{count} node{} with meshes could bend, but {fault}", if count > 1 { "s" } else { "" }));
        Self::default()
    }

    /// These limbs with what they hang on.
    fn hung(root: &Root, tree: &Tree, limbs: Vec<usize>) -> Self {
        let upward = |node: usize| std::iter::once(node).chain(tree.above(node));
        let mut carried = HashMap::new();
        limbs.iter().flat_map(|node| upward(*node)).for_each(|node| *carried.entry(node).or_insert(0) += 1);
        let mut tops = BTreeMap::new();
        for limb in &limbs {
            let top = upward(*limb).last().unwrap_or(*limb);
            tops.entry(top).or_insert_with(|| upward(*limb).find(|node| carried[node] == carried[&top]));
        }
        let several = tops.len() > 1;
        let bending: HashSet<usize> = limbs.iter().copied().collect();
        let mut joints: Vec<usize> = tops.into_values().flatten().filter(|top| !bending.contains(top)).collect();
        joints.extend(limbs);
        let known: HashSet<usize> = joints.iter().copied().collect();
        let hangs = |node: usize| upward(node).any(|above| known.contains(&above));
        let trunk = (0..tree.nodes.len()).find(|node| several && is_drawn(root, tree, *node) && !hangs(*node));
        joints.extend(trunk);
        Self { joints, trunk }
    }

    /// Lets meshes be moved by the joints that they hang on, where one hangs in a row with another and bends; in a file without a skin
    /// all of them.
    pub(super) fn weigh(&self, parts: &mut [Placed], joints: &[AssetJoint], bending: &HashSet<usize>) {
        let skinned = parts.iter().any(|part| part.hold == Hold::Skin);
        let limbs = Rows::new(parts, joints).limbs(bending);
        let trunk = self.trunk.and_then(|node| joints.iter().position(|joint| joint.node == node));
        for part in parts {
            match (part.hold, trunk) {
                (Hold::Joint(joint), _) if !skinned || limbs.contains(&joint) => part.hold = Hold::Skin,
                (Hold::Loose, Some(trunk)) => {
                    part.weights = JointWeights::rigid(trunk, part.primitive.positions.len());
                    part.hold = Hold::Skin;
                }
                _ => {}
            }
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

/// Meshes that hang on joints which own no skin.
struct Rows<'a> {
    joints: &'a [AssetJoint],
    /// Joints that move some vertex of a skin most.
    moved: HashSet<usize>,
    /// Others, on which meshes hang. One alone is a hat or a sword; where one hangs on another, or carries skin, it would bend between
    /// them.
    held: HashSet<usize>,
    /// Joints on which the next below of these hang.
    carrying: HashSet<usize>,
}

impl<'a> Rows<'a> {
    fn new(parts: &[Placed], joints: &'a [AssetJoint]) -> Self {
        let mut rows = Self { joints, moved: HashSet::new(), held: HashSet::new(), carrying: HashSet::new() };
        for part in parts.iter().filter(|part| part.hold == Hold::Skin) {
            let strongest = |vertex| part.weights.of(vertex).iter().max_by(|(_, a), (_, b)| a.total_cmp(b));
            let owners = (0..part.primitive.positions.len()).filter_map(strongest);
            rows.moved.extend(owners.map(|(joint, _)| *joint as usize));
        }
        let held = |part: &Placed| if let Hold::Joint(joint) = part.hold { Some(joint) } else { None };
        rows.held = parts.iter().filter_map(held).filter(|joint| !rows.moved.contains(joint)).collect();
        rows.carrying = rows.held.iter().chain(&rows.moved).filter_map(|joint| rows.base(*joint)).collect();
        rows
    }

    fn is_solid(&self, joint: usize) -> bool {
        self.held.contains(&joint) || self.moved.contains(&joint)
    }

    /// The next joint above with a mesh or skin.
    fn base(&self, joint: usize) -> Option<usize> {
        upward(self.joints, joint).skip(1).find(|above| self.is_solid(*above))
    }

    /// Whether a mesh hangs on a joint somewhere below another one.
    fn hangs(&self, joint: usize) -> bool {
        self.base(joint).is_some_and(|base| self.held.contains(&base))
    }

    /// Joints whose meshes are limbs: those in a row that bend, and those that something bends against where nothing carries them.
    fn limbs(&self, bending: &HashSet<usize>) -> HashSet<usize> {
        let bends = |joint: &usize| self.own(*joint).any(|own| bending.contains(&self.joints[own].node));
        let is_in_row = |joint: &usize| self.hangs(*joint) || self.carrying.contains(joint);
        let limbs: HashSet<usize> =
            self.held.iter().copied().filter(|joint| is_in_row(joint) && bends(joint)).collect();
        let moves = |joint: &usize| limbs.contains(joint) || self.moved.contains(joint);
        let bases = self.held.iter().chain(&self.moved).filter(|j| moves(j) && bends(j)).filter_map(|j| self.base(*j));
        let is_free = |base: &usize| self.held.contains(base) && !upward(self.joints, *base).any(|above| moves(&above));
        let trunks: Vec<usize> = bases.filter(is_free).collect();
        limbs.into_iter().chain(trunks).collect()
    }

    /// A joint and those above it, up to the next with a mesh or skin.
    fn own(&self, joint: usize) -> impl Iterator<Item = usize> {
        let above = upward(self.joints, joint).skip(1).take_while(|above| !self.is_solid(*above));
        std::iter::once(joint).chain(above)
    }
}

/// A joint and those above it, nearest first.
pub(super) fn upward(joints: &[AssetJoint], joint: usize) -> impl Iterator<Item = usize> {
    std::iter::successors(Some(joint), |joint| joints[*joint].parent)
}
