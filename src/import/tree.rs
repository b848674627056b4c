//! The node tree: checked to be a forest, with the world matrix of every node in the file's default pose.

use glam::{Mat3, Mat4, Quat, Vec3};
use gltf::json::{Node, Root};
use serde::{Deserialize, Serialize};

use super::Fault;
use super::error::limit;

/// Deepest chain of nodes.
const MAX_DEPTH: u64 = 256;
/// Most nodes.
const MAX_NODES: u64 = 65_536;

/// Farthest coordinate of a placed vertex or joint, in the file's units; squares of such numbers are still finite.
pub(super) const FARTHEST: f32 = 1.0e12;

/// A node of the asset.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AssetNode {
    /// Name in the file, or `node 3`.
    pub name: String,
    /// Node above it.
    pub parent: Option<usize>,
    /// Placement in its parent in the file's default pose, in the file's units.
    pub local: Mat4,
    /// Placement in the file's world in the default pose, in the file's units.
    pub world: Mat4,
    /// Scale of `local`: as the file has it, or, where it has a matrix, the lengths of its axes, X negative if it mirrors.
    #[serde(skip)]
    pub scale: Vec3,
    /// Whether the default scene shows it.
    pub visible: bool,
}

/// Nodes in file order and an order in which parents come first.
pub(super) struct Tree {
    pub(super) nodes: Vec<AssetNode>,
    pub(super) top_down: Vec<usize>,
}

impl Tree {
    /// Checks the node list of a file and places every node.
    pub(super) fn new(root: &Root) -> Result<Self, Fault> {
        let count = root.nodes.len();
        limit("the node list", count as u64, MAX_NODES)?;
        let parents = parents(root)?;
        let mut depth = vec![0_u64; count];
        let mut top_down: Vec<usize> = (0..count).filter(|n| parents[*n].is_none()).collect();
        let mut next = 0;
        while let Some(&node) = top_down.get(next) {
            next += 1;
            for child in children(&root.nodes[node]) {
                depth[child] = depth[node] + 1;
                limit(&format!("the chain of nodes above node {child}"), depth[child], MAX_DEPTH)?;
                top_down.push(child);
            }
        }
        if top_down.len() < count {
            let lost = (0..count).find(|n| !top_down.contains(n)).unwrap_or(0);
            return Err(Fault::invalid(format!("node {lost}"), "is its own ancestor; the nodes must form a tree"));
        }
        let mut nodes = Vec::with_capacity(count);
        for (index, node) in root.nodes.iter().enumerate() {
            let name = node.name.clone().filter(|n| !n.is_empty()).unwrap_or_else(|| format!("node {index}"));
            let local = local_matrix(index, node)?;
            let scale = if node.matrix.is_some() { axes(local) } else { node.scale.map_or(Vec3::ONE, Vec3::from) };
            nodes.push(AssetNode { name, parent: parents[index], local, world: local, scale, visible: false });
        }
        for &index in &top_down {
            if let Some(parent) = nodes[index].parent {
                nodes[index].world = nodes[parent].world * nodes[index].local;
            }
            if !nodes[index].world.is_finite() {
                return Err(Fault::invalid(format!("node {index}"), "its placement in the world is not finite"));
            }
        }
        let mut tree = Self { nodes, top_down };
        tree.mark_visible(root)?;
        Ok(tree)
    }

    /// Nodes above `node`, nearest first.
    pub(super) fn above(&self, node: usize) -> impl Iterator<Item = usize> {
        std::iter::successors(self.nodes[node].parent, |above| self.nodes[*above].parent)
    }

    /// Marks what the default scene shows; without any scene, everything.
    fn mark_visible(&mut self, root: &Root) -> Result<(), Fault> {
        if root.scenes.is_empty() {
            self.nodes.iter_mut().for_each(|n| n.visible = true);
            return Ok(());
        }
        let index = root.scene.map_or(0, |s| s.value());
        let scene =
            root.scenes.get(index).ok_or_else(|| Fault::missing("the file", "scene", index, root.scenes.len()))?;
        for node in scene.nodes.iter().map(|n| n.value()) {
            let count = self.nodes.len();
            let found = self.nodes.get_mut(node);
            found.ok_or_else(|| Fault::missing(&format!("scene {index}"), "node", node, count))?.visible = true;
        }
        for &node in &self.top_down {
            if let Some(parent) = self.nodes[node].parent {
                self.nodes[node].visible |= self.nodes[parent].visible;
            }
        }
        Ok(())
    }
}

fn children(node: &Node) -> impl Iterator<Item = usize> {
    node.children.iter().flatten().map(|child| child.value())
}

fn parents(root: &Root) -> Result<Vec<Option<usize>>, Fault> {
    let count = root.nodes.len();
    let mut parents = vec![None; count];
    for (index, node) in root.nodes.iter().enumerate() {
        for child in children(node) {
            let slot = parents
                .get_mut(child)
                .ok_or_else(|| Fault::missing(&format!("node {index}"), "child node", child, count))?;
            if let Some(other) = slot.replace(index) {
                return Err(Fault::invalid(
                    format!("node {child}"),
                    format!("is a child of both node {other} and node {index}; the nodes must form a tree"),
                ));
            }
        }
    }
    Ok(parents)
}

fn local_matrix(index: usize, node: &Node) -> Result<Mat4, Fault> {
    let local = match node.matrix {
        Some(columns) => Mat4::from_cols_array(&columns),
        None => Mat4::from_scale_rotation_translation(
            node.scale.map_or(Vec3::ONE, Vec3::from),
            node.rotation.map_or(Quat::IDENTITY, |q| {
                let q = Quat::from_array(q.0);
                if q.length_squared() > 1.0e-12 { q.normalize() } else { Quat::IDENTITY }
            }),
            node.translation.map_or(Vec3::ZERO, Vec3::from),
        ),
    };
    if local.is_finite() {
        Ok(local)
    } else {
        Err(Fault::invalid(format!("node {index}"), "its placement is not finite"))
    }
}

/// Lengths of the axes of a matrix, X negative if it mirrors.
fn axes(local: Mat4) -> Vec3 {
    let m = Mat3::from_mat4(local);
    let sign = if m.determinant() < 0.0 { -1.0 } else { 1.0 };
    Vec3::new(sign * m.x_axis.length(), m.y_axis.length(), m.z_axis.length())
}
