//! Which joints become bodies: leaves first, a joint joins the one above unless its part of the body, or its size, earns
//! it a body of its own.

use std::collections::HashMap;

use glam::Vec3;

use super::anatomy::Anatomy;
use super::labels::{Label, Tag};
use super::rig::Rig;
use super::tree::gap;
use crate::import::Hold;

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
/// Vertices of a joint that distances are measured from.
const SAMPLES: usize = 200;
/// Fewest cubes of a body that is kept for what it is.
const LEAST_CELLS: usize = 4;
/// Least share of the whole volume of a body that is kept for its length.
const LEAST_SHARE: f32 = 0.001;

/// What the user decided about a joint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Choice {
    Keep,
    Merge,
}

/// By what measures joints are merged.
pub(super) struct Measures<'a> {
    /// Regions shorter than this join their parent [m].
    pub(super) least: f32,
    /// Most regions.
    pub(super) most: usize,
    /// Cubes of each joint, shape [joint_count].
    pub(super) cells: Vec<usize>,
    /// What the user decided, by joint.
    pub(super) choices: &'a HashMap<usize, Choice>,
}

/// A body to be: one joint and those that became part of it.
#[derive(Clone, Debug)]
pub(super) struct Region {
    /// Joint that names it and gives its pivot.
    pub(super) joint: usize,
    /// Region above it in the joint tree.
    pub(super) parent: Option<usize>,
    /// Vertices it owns [m].
    pub(super) vertices: Vec<Vec3>,
    /// What it is.
    pub(super) tag: Tag,
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
pub(super) fn extent(points: &[Vec3]) -> f32 {
    let along = |d: &[f32; 3]| {
        let direction = Vec3::from(*d).normalize();
        let range = points.iter().map(|p| p.dot(direction)).fold((f32::MAX, f32::MIN), |r, v| (r.0.min(v), r.1.max(v)));
        range.1 - range.0
    };
    DIRECTIONS.iter().map(along).fold(0.0, f32::max)
}

impl Regions {
    pub(super) fn new(rig: &Rig<'_>, anatomy: &Anatomy, measures: Measures<'_>) -> Self {
        let most = measures.most;
        let mut merger = Merger::new(rig, anatomy, measures);
        merger.merge_small();
        merger.cap(most);
        merger.finish()
    }

    /// The joints that move with region `index`, without the one that names it.
    pub(super) fn merged(&self, index: usize) -> Vec<usize> {
        let own = self.list[index].joint;
        (0..self.of_joint.len()).filter(|j| *j != own && self.of_joint[*j] == Some(index)).collect()
    }
}

/// Joints with skin, being merged into one another.
struct Merger<'a> {
    rig: &'a Rig<'a>,
    tags: Vec<Tag>,
    measures: Measures<'a>,
    /// All cubes.
    total: usize,
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
    fn new(rig: &'a Rig<'a>, anatomy: &'a Anatomy, measures: Measures<'a>) -> Self {
        let count = rig.len();
        let skinned = |j: &usize| !rig.vertices[*j].is_empty();
        let mut order: Vec<usize> = (0..count).filter(skinned).collect();
        order.sort_by_key(|j| (std::cmp::Reverse(rig.depth[*j]), *j));
        let parent = (0..count).map(|j| rig.above(j).find(skinned)).collect();
        let (into, vertices) = (vec![None; count], rig.vertices.clone());
        let total = measures.cells.iter().sum();
        let tags = anatomy.tags.clone();
        let mut merger = Self { rig, tags, measures, total, vertices, into, parent, order, changes: Vec::new() };
        merger.note_dropped();
        merger
    }

    /// Reports joints that move nothing.
    fn note_dropped(&mut self) {
        let mut used = self.rig.alive.clone();
        for hold in &self.rig.asset.holds {
            if let Hold::Joint(joint) = hold {
                self.rig.upward(*joint).for_each(|j| used[j] = true);
            }
        }
        let idle: Vec<&str> = (0..used.len()).filter(|j| !used[*j]).map(|j| self.rig.name(j)).collect();
        if !idle.is_empty() {
            self.changes.push(format!("dropped {} joints that move nothing: {}", idle.len(), idle.join(", ")));
        }
    }

    /// Why a joint is no body of its own; none if it is one.
    fn reason(&self, joint: usize) -> Option<String> {
        match self.measures.choices.get(&joint) {
            Some(Choice::Keep) => return None,
            Some(Choice::Merge) => return Some("as told".into()),
            None => {}
        }
        let tag = self.tags[joint];
        let parent = self.parent[joint].map(|p| self.tags[p]);
        let (size, least, cells) = (extent(&self.vertices[joint]), self.measures.least, self.measures.cells[joint]);
        match tag.label {
            Label::Minor => return Some("by its name".into()),
            Label::Spine | Label::Tail | Label::Other => {}
            _ if parent == Some(tag) => return Some(format!("both are {}{}", tag.side.word(), tag.label.word())),
            _ => {}
        }
        let earned = !matches!(tag.label, Label::Other | Label::Tail | Label::Neck | Label::Clavicle);
        if earned && cells >= LEAST_CELLS {
            return None;
        }
        if size < least {
            return Some(format!("{size:.3} m is under {least:.3} m"));
        }
        // A thin limb of known kind is built along its bone; a scrap of cloth is not worth a body.
        let scrap = !earned && (cells as f32) < LEAST_SHARE * self.total as f32 && cells > 0;
        scrap.then(|| format!("{cells} cubes of {} are too few", self.total))
    }

    /// Merges joints that have no right to be bodies, leaves first.
    fn merge_small(&mut self) {
        for joint in self.order.clone() {
            if self.into[joint].is_some() {
                continue;
            }
            let Some(reason) = self.reason(joint) else { continue };
            if let Some(target) = self.carrier(joint) {
                let (joint, target) = if self.is_wrist(target, joint) { (target, joint) } else { (joint, target) };
                self.merge(joint, target, &reason);
            }
        }
    }

    /// Whether `above` is no more than the beginning of a hand or foot, which `joint` turns with all that it holds.
    fn is_wrist(&self, above: usize, joint: usize) -> bool {
        let end = matches!(self.tags[joint].label, Label::Hand | Label::Foot) && self.tags[above] == self.tags[joint];
        let free = ![above, joint].iter().any(|j| self.measures.choices.contains_key(j));
        let more = self.measures.cells[joint] > self.measures.cells[above];
        end && free && more && self.parent[above].is_some() && self.children(above).all(|child| child == joint)
    }

    /// What a joint becomes part of: what it hangs on. A small root goes into its longest child instead, and an eye on a
    /// skeleton of its own into what it lies in.
    fn carrier(&self, joint: usize) -> Option<usize> {
        let child = || self.longest_child(joint);
        let around = || self.nearest(joint).filter(|_| self.tags[joint].label == Label::Minor);
        self.parent[joint].or_else(child).or_else(around)
    }

    /// The joint with the skin nearest to that of `joint`, without other small parts.
    fn nearest(&self, joint: usize) -> Option<usize> {
        let samples = |joint: usize| {
            let step = self.vertices[joint].len().div_ceil(SAMPLES).max(1);
            self.vertices[joint].iter().step_by(step).map(|p| (*p, 0.0)).collect::<Vec<_>>()
        };
        let own = samples(joint);
        let free = |j: &usize| *j != joint && self.into[*j].is_none() && self.tags[*j].label != Label::Minor;
        let others = self.order.iter().copied().filter(free).map(|j| (j, gap(&own, &samples(j)).0));
        others.min_by(|a, b| a.1.total_cmp(&b.1).then(a.0.cmp(&b.0))).map(|(j, _)| j)
    }

    fn children(&self, joint: usize) -> impl Iterator<Item = usize> + '_ {
        self.order.iter().copied().filter(move |j| self.into[*j].is_none() && self.parent[*j] == Some(joint))
    }

    fn longest_child(&self, joint: usize) -> Option<usize> {
        let length = |j: &usize| extent(&self.vertices[*j]);
        self.children(joint).max_by(|a, b| length(a).total_cmp(&length(b)).then(b.cmp(a)))
    }

    fn merge(&mut self, joint: usize, target: usize, reason: &str) {
        self.changes.push(format!("merged {} into {}: {reason}", self.rig.name(joint), self.rig.name(target)));
        let vertices = std::mem::take(&mut self.vertices[joint]);
        self.vertices[target].extend(vertices);
        self.measures.cells[target] += self.measures.cells[joint];
        self.into[joint] = Some(target);
        // A collar bone with an arm in it swings as arms do.
        if (self.tags[joint].label, self.tags[target].label) == (Label::UpperArm, Label::Clavicle) {
            self.tags[target] = self.tags[joint];
        }
        let above = if self.parent[joint] == Some(target) { Some(target) } else { self.parent[joint] };
        for child in self.order.clone() {
            if self.parent[child] == Some(joint) {
                self.parent[child] = if child == target { above } else { Some(target) };
            }
        }
    }

    /// Merges the smallest leaves until at most `most` regions are left.
    fn cap(&mut self, most: usize) {
        loop {
            let kept: Vec<usize> = self.order.iter().copied().filter(|j| self.into[*j].is_none()).collect();
            if kept.len() <= most {
                return;
            }
            let mut branches = vec![false; self.into.len()];
            kept.iter().filter_map(|j| self.parent[*j]).for_each(|parent| branches[parent] = true);
            let size = |joint: usize| self.measures.cells[joint] as f32 + 1.0e-3 * self.vertices[joint].len() as f32;
            let leaves = kept.iter().filter(|j| !branches[**j]).filter_map(|j| Some((*j, self.parent[*j]?)));
            let Some((leaf, parent)) = leaves.min_by(|a, b| size(a.0).total_cmp(&size(b.0))) else { return };
            self.merge(leaf, parent, &format!("more than {most} bodies"));
        }
    }

    fn finish(mut self) -> Regions {
        let mut kept: Vec<usize> = self.order.iter().copied().filter(|j| self.into[*j].is_none()).collect();
        kept.sort_unstable();
        let place = |joint: usize| kept.binary_search(&joint).ok();
        let survivor =
            |joint: usize| place(std::iter::successors(Some(joint), |j| self.into[*j]).last().unwrap_or(joint));
        // Joints without skin move with what is above them, or else with what is below.
        let mut of_joint: Vec<Option<usize>> =
            (0..self.rig.len()).map(|j| self.rig.upward(j).find_map(survivor)).collect();
        for joint in 0..of_joint.len() {
            let found = of_joint[joint];
            for above in self.rig.above(joint) {
                of_joint[above] = of_joint[above].or(found);
            }
        }
        let list = kept.iter().map(|&joint| Region {
            joint,
            parent: self.parent[joint].and_then(place),
            vertices: std::mem::take(&mut self.vertices[joint]),
            tag: self.tags[joint],
        });
        Regions { list: list.collect(), of_joint, changes: self.changes }
    }
}
