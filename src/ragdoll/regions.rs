//! Which bones become bodies: every vertex belongs to its strongest joint, and small regions join their parent's.

use glam::Vec3;

use super::labels::always_merged;
use crate::import::{Asset, Hold};

/// Directions along which a region's size is measured: axes, edges and corners of a cube.
const DIRECTIONS: [[f32; 3]; 13] = [
    [1.0, 0.0, 0.0],
    [0.0, 1.0, 0.0],
    [0.0, 0.0, 1.0],
    [1.0, 1.0, 0.0],
    [1.0, -1.0, 0.0],
    [1.0, 0.0, 1.0],
    [1.0, 0.0, -1.0],
    [0.0, 1.0, 1.0],
    [0.0, 1.0, -1.0],
    [1.0, 1.0, 1.0],
    [1.0, 1.0, -1.0],
    [1.0, -1.0, 1.0],
    [1.0, -1.0, -1.0],
];

/// A body to be: one bone and those that became part of it.
#[derive(Clone, Debug)]
pub(super) struct Region {
    /// Joint that names it and gives its pivot.
    pub(super) joint: usize,
    /// Region above it in the joint tree.
    pub(super) parent: Option<usize>,
    /// Vertices it owns [m].
    pub(super) vertices: Vec<Vec3>,
}

/// All regions of a character.
#[derive(Debug, Default)]
pub(super) struct Regions {
    pub(super) list: Vec<Region>,
    /// Region that each joint moves with; none for joints that move nothing.
    pub(super) of_joint: Vec<Option<usize>>,
    /// What was merged and dropped.
    pub(super) changes: Vec<String>,
}

/// Longest extent of points [m].
fn extent(points: &[Vec3]) -> f32 {
    let along = |d: &[f32; 3]| {
        let direction = Vec3::from(*d).normalize();
        let range = points.iter().map(|p| p.dot(direction)).fold((f32::MAX, f32::MIN), |r, v| (r.0.min(v), r.1.max(v)));
        range.1 - range.0
    };
    DIRECTIONS.iter().map(along).fold(0.0, f32::max)
}

impl Regions {
    /// Regions at least `least` long [m], at most `most` of them.
    pub(super) fn new(asset: &Asset, least: f32, most: usize) -> Self {
        let depth = depths(asset);
        let vertices = owned_vertices(asset, &depth);
        let mut merger = Merger::new(asset, vertices, &depth);
        merger.merge_small(least);
        merger.cap(most);
        merger.finish()
    }

    /// The joints that move with region `index`, without the one that names it.
    pub(super) fn merged(&self, index: usize) -> Vec<usize> {
        let own = self.list[index].joint;
        (0..self.of_joint.len()).filter(|j| *j != own && self.of_joint[*j] == Some(index)).collect()
    }
}

/// Number of joints above each joint.
fn depths(asset: &Asset) -> Vec<usize> {
    let above = |joint: usize| std::iter::successors(asset.joints[joint].parent, |j| asset.joints[*j].parent);
    (0..asset.joints.len()).map(|j| above(j).count()).collect()
}

/// Vertices of the skin by their strongest joint; of equal ones the deeper.
fn owned_vertices(asset: &Asset, depth: &[usize]) -> Vec<Vec<Vec3>> {
    let mut owned = vec![Vec::new(); asset.joints.len()];
    let parts = asset.model.primitives.iter().zip(&asset.weights).zip(&asset.holds);
    for ((part, weights), _) in parts.filter(|(_, hold)| **hold == Hold::Skin) {
        for (vertex, position) in part.positions.iter().enumerate() {
            let rank = |e: &&(u32, f32)| (e.1, depth[e.0 as usize]);
            let order = |a: &&(u32, f32), b: &&(u32, f32)| {
                let ((wa, da), (wb, db)) = (rank(a), rank(b));
                if (wa - wb).abs() < 1.0e-6 { da.cmp(&db) } else { wa.total_cmp(&wb) }
            };
            if let Some((joint, _)) = weights.of(vertex).iter().max_by(order) {
                owned[*joint as usize].push(*position);
            }
        }
    }
    owned
}

/// Joints with skin, being merged into one another.
struct Merger<'a> {
    asset: &'a Asset,
    vertices: Vec<Vec<Vec3>>,
    /// Joint that each joint became part of.
    into: Vec<Option<usize>>,
    /// Kept joint above each joint with skin.
    parent: Vec<Option<usize>>,
    /// Joints with skin, deepest first.
    order: Vec<usize>,
    changes: Vec<String>,
}

impl<'a> Merger<'a> {
    fn new(asset: &'a Asset, vertices: Vec<Vec<Vec3>>, depth: &[usize]) -> Self {
        let count = asset.joints.len();
        let skinned = |j: &usize| !vertices[*j].is_empty();
        let mut order: Vec<usize> = (0..count).filter(skinned).collect();
        order.sort_by_key(|j| (std::cmp::Reverse(depth[*j]), *j));
        let above = |j: usize| std::iter::successors(asset.joints[j].parent, |j| asset.joints[*j].parent).find(skinned);
        let parent = (0..count).map(above).collect();
        let mut merger = Self { asset, vertices, into: vec![None; count], parent, order, changes: Vec::new() };
        merger.note_dropped();
        merger
    }

    /// Reports joints that move nothing.
    fn note_dropped(&mut self) {
        let mut used = vec![false; self.asset.joints.len()];
        for &joint in &self.order {
            let chain = std::iter::successors(Some(joint), |j| self.asset.joints[*j].parent);
            chain.for_each(|j| used[j] = true);
        }
        for hold in &self.asset.holds {
            if let Hold::Joint(joint) = hold {
                used[*joint] = true;
            }
        }
        let idle: Vec<&str> =
            used.iter().zip(&self.asset.joints).filter(|(used, _)| !**used).map(|(_, j)| j.name.as_str()).collect();
        if !idle.is_empty() {
            self.changes.push(format!("dropped {} joints that move nothing: {}", idle.len(), idle.join(", ")));
        }
    }

    fn name(&self, joint: usize) -> &str {
        &self.asset.joints[joint].name
    }

    /// Merges regions that are too short or too fine by name, leaves first.
    fn merge_small(&mut self, least: f32) {
        for joint in self.order.clone() {
            let size = extent(&self.vertices[joint]);
            let by_name = always_merged(self.name(joint));
            if size >= least && !by_name {
                continue;
            }
            let reason = if by_name { "by its name".into() } else { format!("{size:.3} m is under {least:.3} m") };
            // A small root goes into its longest child instead.
            let target = self.parent[joint].or_else(|| self.longest_child(joint));
            if let Some(target) = target {
                self.merge(joint, target, &reason);
            }
        }
    }

    fn children(&self, joint: usize) -> impl Iterator<Item = usize> + '_ {
        self.order.iter().copied().filter(move |j| self.into[*j].is_none() && self.parent[*j] == Some(joint))
    }

    fn longest_child(&self, joint: usize) -> Option<usize> {
        self.children(joint).max_by(|a, b| extent(&self.vertices[*a]).total_cmp(&extent(&self.vertices[*b])))
    }

    fn merge(&mut self, joint: usize, target: usize, reason: &str) {
        self.changes.push(format!("merged {} into {}: {reason}", self.name(joint), self.name(target)));
        let vertices = std::mem::take(&mut self.vertices[joint]);
        self.vertices[target].extend(vertices);
        self.into[joint] = Some(target);
        let above = if self.parent[joint] == Some(target) { Some(target) } else { self.parent[joint] };
        for child in self.order.clone() {
            if self.parent[child] == Some(joint) {
                self.parent[child] = if child == target { above } else { Some(target) };
            }
        }
    }

    /// Merges the shortest leaves until at most `most` regions are left.
    fn cap(&mut self, most: usize) {
        let mut sizes: Vec<f32> = self.vertices.iter().map(|v| extent(v)).collect();
        loop {
            let kept: Vec<usize> = self.order.iter().copied().filter(|j| self.into[*j].is_none()).collect();
            if kept.len() <= most {
                return;
            }
            let mut branches = vec![false; self.into.len()];
            kept.iter().filter_map(|j| self.parent[*j]).for_each(|parent| branches[parent] = true);
            let leaves = kept.iter().filter(|j| !branches[**j]).filter_map(|j| Some((*j, self.parent[*j]?)));
            let Some((leaf, parent)) = leaves.min_by(|a, b| sizes[a.0].total_cmp(&sizes[b.0])) else { return };
            self.merge(leaf, parent, &format!("more than {most} bodies"));
            sizes[parent] = extent(&self.vertices[parent]);
        }
    }

    fn finish(mut self) -> Regions {
        let mut kept: Vec<usize> = self.order.iter().copied().filter(|j| self.into[*j].is_none()).collect();
        kept.sort_unstable();
        let place = |joint: usize| kept.binary_search(&joint).ok();
        let survivor = |joint: usize| {
            let mut at = joint;
            while let Some(next) = self.into[at] {
                at = next;
            }
            place(at)
        };
        // Joints without skin move with what is above them, or else with what is below.
        let mut of_joint: Vec<Option<usize>> = (0..self.asset.joints.len())
            .map(|j| std::iter::successors(Some(j), |j| self.asset.joints[*j].parent).find_map(survivor))
            .collect();
        for joint in 0..of_joint.len() {
            let found = of_joint[joint];
            let chain = std::iter::successors(self.asset.joints[joint].parent, |j| self.asset.joints[*j].parent);
            for above in chain.collect::<Vec<_>>() {
                of_joint[above] = of_joint[above].or(found);
            }
        }
        let list: Vec<Region> = kept
            .iter()
            .map(|&joint| Region {
                joint,
                parent: self.parent[joint].and_then(place),
                vertices: std::mem::take(&mut self.vertices[joint]),
            })
            .collect();
        Regions { list, of_joint, changes: self.changes }
    }
}
