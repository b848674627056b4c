//! Copies of a skeleton in one file, which tools make for clothes: what they move follows the original.

use std::collections::{BTreeMap, HashMap};

use glam::Vec3;

use super::bounds;
use super::limbs::upward;
use super::skin::AssetJoint;

/// How far a joint of a copy may lie from that of the original [share of its size].
const NEAR: f32 = 0.01;
/// Least joints that a copy has in common with the original.
const LEAST: usize = 3;

/// The joint that each joint follows, shape [joint_count]: itself, or the one of its name and in its place of a larger
/// skeleton. The second list has the topmost joints of each copy and of its original.
pub(super) fn originals(joints: &[AssetJoint]) -> (Vec<usize>, Vec<(usize, usize)>) {
    let mut trees: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for joint in 0..joints.len() {
        trees.entry(upward(joints, joint).last().unwrap_or(joint)).or_default().push(joint);
    }
    let mut follows: Vec<usize> = (0..joints.len()).collect();
    let mut copies = Vec::new();
    let mut order: Vec<(usize, Vec<usize>)> = trees.into_iter().filter(|(_, members)| members.len() >= LEAST).collect();
    order.sort_by_key(|(root, members)| (std::cmp::Reverse(members.len()), *root));
    let mut kept: Vec<(usize, Named)> = Vec::new();
    for (root, members) in order {
        let shared = |(_, original): &&(usize, Named)| original.shared(joints, &members);
        let found = kept.iter().map(|original| (original.0, shared(&original))).find(|(_, pairs)| pairs.len() >= LEAST);
        let Some((original, pairs)) = found else {
            kept.push((root, Named::new(joints, &members)));
            continue;
        };
        pairs.into_iter().for_each(|(joint, other)| follows[joint] = other);
        copies.push((root, original));
    }
    (follows, copies)
}

/// Joints of a skeleton by their names without numbers of copies.
struct Named<'a> {
    joints: HashMap<&'a str, Vec<usize>>,
    /// Longest extent [units of the file].
    size: f32,
}

impl<'a> Named<'a> {
    fn new(joints: &'a [AssetJoint], members: &[usize]) -> Self {
        let mut named: HashMap<&str, Vec<usize>> = HashMap::new();
        for &joint in members {
            named.entry(stem(&joints[joint].name)).or_default().push(joint);
        }
        let origins: Vec<Vec3> = members.iter().map(|joint| origin(&joints[*joint])).collect();
        let size = bounds(&origins).map_or(0.0, |(low, high)| (high - low).max_element());
        Self { joints: named, size }
    }

    /// Pairs of those of `members` that have a joint of their name in their place, and that joint.
    fn shared(&self, joints: &[AssetJoint], members: &[usize]) -> Vec<(usize, usize)> {
        let apart = |a: usize, b: usize| origin(&joints[a]).distance(origin(&joints[b]));
        let pair = |joint: usize| {
            let alike = self.joints.get(stem(&joints[joint].name))?.iter().copied();
            let near = alike.min_by(|a, b| apart(joint, *a).total_cmp(&apart(joint, *b)))?;
            (apart(joint, near) <= NEAR * self.size).then_some((joint, near))
        };
        members.iter().copied().filter_map(pair).collect()
    }
}

fn origin(joint: &AssetJoint) -> Vec3 {
    joint.rest.w_axis.truncate()
}

/// A name without what tools add to that of a copy: `.001`, `_1`, ` 1`.
fn stem(name: &str) -> &str {
    let bare = name.trim_end_matches(|c: char| c.is_ascii_digit());
    if bare.len() == name.len() {
        return name;
    }
    bare.strip_suffix(['.', '_', ' ']).unwrap_or(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_copies_lose_their_numbers() {
        for (name, bare) in
            [("Hips.001", "Hips"), ("Hips_1", "Hips"), ("Hips 2", "Hips"), ("Spine1", "Spine1"), ("12", "12"), ("", "")]
        {
            assert_eq!(stem(name), bare);
        }
    }
}
