//! One tree of bodies: edges from the skeleton, and repairs by proximity where the skeleton is torn or misleading.

use std::collections::HashMap;

use glam::Vec3;

use super::labels::{Label, Side, Tag};

/// A place on a body's surface or in it: position [m] and radius [m].
type Sample = (Vec3, f32);

/// A joint to be between two bodies.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Edge {
    /// Body nearer to the root.
    pub(super) parent: usize,
    /// The other.
    pub(super) child: usize,
    /// Body whose bone origin is the pivot, or none if only proximity joined them.
    pub(super) hinge_of: Option<usize>,
}

/// What the tree is made of.
pub(super) struct Limb {
    /// Parent in the skeleton.
    pub(super) parent: Option<usize>,
    /// Where it is.
    pub(super) samples: Vec<Sample>,
    /// How much there is of it, in any unit.
    pub(super) volume: f32,
    /// What it is.
    pub(super) tag: Tag,
}

/// Whether anatomy hangs `child` on `parent`.
fn belongs(parent: Tag, child: Tag) -> bool {
    use Label::{Chest, Clavicle, Foot, Forearm, Hand, Head, Neck, Pelvis, Shin, Spine, Thigh, UpperArm};
    let on = match child.label {
        Thigh | Spine => [Pelvis, Spine],
        Chest => [Spine, Pelvis],
        Neck | Clavicle => [Chest, Spine],
        Head => [Neck, Chest],
        UpperArm => [Clavicle, Chest],
        Shin => [Thigh; 2],
        Foot => [Shin; 2],
        Forearm => [UpperArm; 2],
        Hand => [Forearm; 2],
        _ => return false,
    };
    on.contains(&parent.label) && (parent.side == Side::Middle || parent.side == child.side)
}

/// Gap between two bodies [m], and the middle of it.
pub(super) fn gap(a: &[Sample], b: &[Sample]) -> (f32, Vec3) {
    let mut best = (f32::INFINITY, Vec3::ZERO);
    for (p, rp) in a {
        for (q, rq) in b {
            let distance = p.distance(*q) - rp - rq;
            if distance < best.0 {
                best = (distance, 0.5 * (*p + *q));
            }
        }
    }
    (best.0.max(0.0), best.1)
}

/// Edges from the root outward, with parents before children, and a sentence per repair. `reach` [m] is the gap across
/// which bodies still count as touching.
pub(super) fn span(limbs: &[Limb], names: &[String], reach: f32) -> (Vec<Edge>, Vec<String>) {
    let mut links: Vec<Edge> = Vec::new();
    let mut notes = Vec::new();
    for (child, limb) in limbs.iter().enumerate() {
        let Some(parent) = limb.parent else { continue };
        let apart = gap(&limb.samples, &limbs[parent].samples).0;
        // A bone far from its parent hangs on a control bone; it is joined again below to what it touches.
        if apart <= reach {
            links.push(Edge { parent, child, hinge_of: Some(child) });
        } else {
            notes.push(format!("cut {} from {}: {apart:.3} m apart", names[child], names[parent]));
        }
    }
    let mut group = groups(limbs.len(), &links);
    let mut gaps = HashMap::new();
    while let Some((edge, apart)) = closest_pair(limbs, &group, reach, &mut gaps) {
        notes.push(format!("joined {} to {} by proximity, {apart:.3} m apart", names[edge.child], names[edge.parent]));
        links.push(edge);
        group = groups(limbs.len(), &links);
    }
    let root = root(limbs, &links);
    (oriented(limbs.len(), root, &links), notes)
}

/// Group of connected bodies that each body is in.
fn groups(count: usize, links: &[Edge]) -> Vec<usize> {
    let mut group: Vec<usize> = (0..count).collect();
    for edge in links {
        let (a, b) = (group[edge.parent], group[edge.child]);
        group.iter_mut().filter(|g| **g == b).for_each(|g| *g = a);
    }
    group
}

/// The group with most volume keeps its place; the pair with the smallest gap between it and the rest is joined. Pairs
/// that anatomy does not know count as `reach` [m] farther apart. `gaps` keeps what was measured [m].
fn closest_pair(
    limbs: &[Limb],
    group: &[usize],
    reach: f32,
    gaps: &mut HashMap<[usize; 2], f32>,
) -> Option<(Edge, f32)> {
    let volume = |g: usize| group.iter().zip(limbs).filter(|(x, _)| **x == g).map(|(_, l)| l.volume).sum::<f32>();
    let main = group.iter().copied().max_by(|a, b| volume(*a).total_cmp(&volume(*b)).then(b.cmp(a)))?;
    let mut best: Option<(Edge, f32)> = None;
    let mut least = f32::INFINITY;
    for parent in (0..limbs.len()).filter(|i| group[*i] == main) {
        for child in (0..limbs.len()).filter(|i| group[*i] != main) {
            let measured = || gap(&limbs[parent].samples, &limbs[child].samples).0;
            let apart = *gaps.entry([parent, child]).or_insert_with(measured);
            let known = belongs(limbs[parent].tag, limbs[child].tag) || belongs(limbs[child].tag, limbs[parent].tag);
            let cost = if known { apart } else { apart + reach };
            if best.is_none() || cost < least {
                least = cost;
                best = Some((Edge { parent, child, hinge_of: None }, apart));
            }
        }
    }
    best
}

/// The skeleton's root with most volume below it, in a tree that is now whole.
fn root(limbs: &[Limb], links: &[Edge]) -> usize {
    let below = |root: usize| {
        let top = |mut at: usize| {
            while let Some(up) = links.iter().find(|e| e.child == at && e.hinge_of.is_some()).map(|e| e.parent) {
                at = up;
            }
            at
        };
        (0..limbs.len()).filter(|i| top(*i) == root).map(|i| limbs[i].volume).sum::<f32>()
    };
    let has_parent = |i: usize| links.iter().any(|e| e.child == i && e.hinge_of.is_some());
    let roots = (0..limbs.len()).filter(|i| !has_parent(*i));
    roots.max_by(|a, b| below(*a).total_cmp(&below(*b)).then(b.cmp(a))).unwrap_or(0)
}

/// The links as parent-to-child edges, breadth first from `root`.
fn oriented(count: usize, root: usize, links: &[Edge]) -> Vec<Edge> {
    let mut edges = Vec::with_capacity(count.saturating_sub(1));
    let mut reached = vec![false; count];
    let mut queue = vec![root];
    reached[root] = true;
    let mut next = 0;
    while let Some(&at) = queue.get(next) {
        next += 1;
        for link in links {
            let other = match (link.parent == at, link.child == at) {
                (true, _) => link.child,
                (_, true) => link.parent,
                _ => continue,
            };
            if !std::mem::replace(&mut reached[other], true) {
                edges.push(Edge { parent: at, child: other, hinge_of: link.hinge_of });
                queue.push(other);
            }
        }
    }
    edges
}

#[cfg(test)]
mod tests {
    use super::*;

    fn limb(x: f32, parent: Option<usize>) -> Limb {
        Limb { parent, samples: vec![(Vec3::X * x, 0.1)], volume: 1.0, tag: Tag::OTHER }
    }

    #[test]
    fn a_forest_becomes_one_tree_and_a_far_edge_is_replaced() {
        // 0-1 touch; 2-3 are a loose pair next to 1; 4 hangs on 0 in the skeleton and touches 3.
        let limbs = [limb(0.0, None), limb(0.2, Some(0)), limb(0.6, Some(3)), limb(0.4, None), limb(0.8, Some(0))];
        let names: Vec<String> = (0..5).map(|i| format!("b{i}")).collect();
        let (edges, notes) = span(&limbs, &names, 0.05);
        let pairs: Vec<(usize, usize)> = edges.iter().map(|e| (e.parent, e.child)).collect();
        assert_eq!(pairs, [(0, 1), (1, 3), (3, 2), (2, 4)]);
        assert_eq!(edges[2].hinge_of, Some(2));
        assert_eq!(notes.len(), 3, "{notes:?}");
    }
    #[test]
    fn many_loose_parts_are_joined_and_each_pair_is_measured_once() {
        // Balls in a row, each of many samples.
        let samples = |x: usize| (0..600).map(move |i| (Vec3::new(x as f32, (i as f32).sin(), (i as f32).cos()), 0.1));
        let limbs = (0..48).map(|x| Limb { samples: samples(x).collect(), ..limb(0.0, None) });
        let limbs: Vec<Limb> = limbs.collect();
        let names: Vec<String> = (0..limbs.len()).map(|i| format!("b{i}")).collect();
        let (edges, notes) = span(&limbs, &names, 0.05);
        assert!(edges.iter().all(|edge| edge.child == edge.parent + 1), "{edges:?}");
        assert_eq!((edges.len(), notes.len()), (47, 47));
        // What was measured is not measured again.
        let (mut gaps, mut group) = (HashMap::new(), vec![0; 48]);
        group[24..].fill(1);
        assert!(closest_pair(&limbs, &group, 0.05, &mut gaps).is_some_and(|(edge, _)| edge.child == 24));
        assert_eq!(gaps.len(), 24 * 24);
        gaps.insert([3, 40], -1.0);
        let (edge, apart) = closest_pair(&limbs, &group, 0.05, &mut gaps).unwrap();
        assert_eq!((edge.parent, edge.child, apart), (3, 40, -1.0));
    }
}
