//! The skeleton as the builder sees it: who is below whom, what each joint moves, and which joints move nothing.

use glam::Vec3;

use crate::import::{Asset, Hold};

/// Shares of a vertex that differ by less are equal: they come rounded.
const SAME_WEIGHT: f32 = 1.0e-6;

/// Facts about the joints of an asset, each list of shape [joint_count].
pub(super) struct Rig<'a> {
    pub(super) asset: &'a Asset,
    pub(super) children: Vec<Vec<usize>>,
    /// Number of joints above.
    pub(super) depth: Vec<usize>,
    /// Vertices whose strongest joint it is [m].
    pub(super) vertices: Vec<Vec<Vec3>>,
    /// Whether it or a joint below moves skin.
    pub(super) alive: Vec<bool>,
}

impl<'a> Rig<'a> {
    pub(super) fn new(asset: &'a Asset) -> Self {
        let count = asset.joints.len();
        let mut rig = Self {
            asset,
            children: vec![Vec::new(); count],
            depth: vec![0; count],
            vertices: vec![Vec::new(); count],
            alive: vec![false; count],
        };
        for joint in 0..count {
            if let Some(parent) = asset.joints[joint].parent {
                rig.children[parent].push(joint);
            }
            rig.depth[joint] = rig.above(joint).count();
        }
        rig.own_vertices();
        for joint in (0..count).filter(|j| !rig.vertices[*j].is_empty()).collect::<Vec<_>>() {
            rig.alive[joint] = true;
            rig.above(joint).collect::<Vec<_>>().into_iter().for_each(|j| rig.alive[j] = true);
        }
        rig
    }

    /// Gives the vertices of the skin to their strongest joint; of equal ones the deeper.
    fn own_vertices(&mut self) {
        let parts = self.asset.model.primitives.iter().zip(&self.asset.weights).zip(&self.asset.holds);
        let depth = &self.depth;
        let order = |(a, wa): &&(u32, f32), (b, wb): &&(u32, f32)| {
            let deeper = depth[*a as usize].cmp(&depth[*b as usize]);
            if (wa - wb).abs() < SAME_WEIGHT { deeper } else { wa.total_cmp(wb) }
        };
        for ((part, weights), _) in parts.filter(|(_, hold)| **hold == Hold::Skin) {
            for (vertex, position) in part.positions.iter().enumerate() {
                if let Some((joint, _)) = weights.of(vertex).iter().max_by(order) {
                    self.vertices[*joint as usize].push(*position);
                }
            }
        }
    }

    /// Number of joints.
    pub(super) fn len(&self) -> usize {
        self.children.len()
    }

    pub(super) fn name(&self, joint: usize) -> &'a str {
        &self.asset.joints[joint].name
    }

    /// Origin of a joint in the rest pose [m].
    pub(super) fn origin(&self, joint: usize) -> Vec3 {
        self.asset.joints[joint].rest.w_axis.truncate()
    }

    /// Joints above `joint`, nearest first.
    pub(super) fn above(&self, joint: usize) -> impl Iterator<Item = usize> + use<'a> {
        let joints = &self.asset.joints;
        std::iter::successors(joints[joint].parent, move |j| joints[*j].parent)
    }

    /// `joint` and those above it.
    pub(super) fn upward(&self, joint: usize) -> impl Iterator<Item = usize> + use<'a> {
        std::iter::once(joint).chain(self.above(joint))
    }

    /// `joint` and all joints below it, parents first.
    pub(super) fn below(&self, joint: usize) -> Vec<usize> {
        let mut list = vec![joint];
        let mut next = 0;
        while let Some(&at) = list.get(next) {
            next += 1;
            list.extend(&self.children[at]);
        }
        list
    }

    /// Lowest joint that is above both or one of them.
    pub(super) fn meeting(&self, a: usize, b: usize) -> Option<usize> {
        let over: Vec<usize> = self.upward(a).collect();
        self.upward(b).find(|j| over.contains(j))
    }

    /// Joints in an order in which parents come first.
    pub(super) fn top_down(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.len()).collect();
        order.sort_by_key(|j| (self.depth[*j], *j));
        order
    }
}
