//! Several things in one file that are built as one.

use std::collections::BTreeMap;

use glam::Vec3;

use super::geometry::Placed;
use super::labels::{ENOUGH, required};
use super::limbs::{LEAST, upward};
use super::skin::AssetJoint;
use super::{Hold, bounds};

/// Gap between two skeletons from which they are two characters [share of the larger one].
const GAP: f32 = 1.0 / 3.0;

/// What to say of a file with several skeletons that stand apart, or are a person's each. Parts and joints are in meters.
pub(super) fn several(parts: &[Placed], joints: &[AssetJoint]) -> Option<String> {
    let mut owned: Vec<Vec<Vec3>> = vec![Vec::new(); joints.len()];
    for part in parts.iter().filter(|part| part.hold == Hold::Skin) {
        for (vertex, position) in part.primitive.positions.iter().enumerate() {
            if let Some((joint, _)) = part.weights.of(vertex).first() {
                owned[*joint as usize].push(*position);
            }
        }
    }
    let mut points: BTreeMap<usize, Vec<Vec3>> = BTreeMap::new();
    let mut names: BTreeMap<usize, Vec<&str>> = BTreeMap::new();
    for (joint, root) in roots(joints, &owned).into_iter().enumerate() {
        points.entry(root).or_default().append(&mut owned[joint]);
        names.entry(root).or_default().push(&joints[joint].name);
    }
    let people = names.values().filter(|names| required(names.iter().copied()) >= ENOUGH).count();
    let how = match stand_apart(&points.values().filter_map(bounds).collect::<Vec<_>>()) {
        true => "that stand apart",
        false if people > 1 => "with the bones of a person each",
        false => return None,
    };
    Some(format!(
        "it holds several skeletons {how}, and becomes one ragdoll that joins them; give each a file of its own if they are \
         several characters"
    ))
}

/// Whether one of the boxes is far from all others.
fn stand_apart(boxes: &[(Vec3, Vec3)]) -> bool {
    let gap = |a: &(Vec3, Vec3), b: &(Vec3, Vec3)| (a.0 - b.1).max(b.0 - a.1).max(Vec3::ZERO).length();
    let far =
        |a: &(Vec3, Vec3), b: &(Vec3, Vec3)| gap(a, b) > GAP * (a.1 - a.0).max_element().max((b.1 - b.0).max_element());
    boxes.iter().enumerate().any(|(i, a)| {
        let mut others = boxes.iter().enumerate().filter(|(k, _)| *k != i).map(|(_, b)| b).peekable();
        others.peek().is_some() && others.all(|b| far(a, b))
    })
}

/// The joint that the skeleton of each joint begins with: the topmost one, or one below it where that moves nothing itself and carries
/// several figures.
fn roots(joints: &[AssetJoint], owned: &[Vec<Vec3>]) -> Vec<usize> {
    let mut below = vec![0; joints.len()];
    for joint in (0..joints.len()).filter(|joint| !owned[*joint].is_empty()) {
        upward(joints, joint).for_each(|above| below[above] += 1);
    }
    let mut figures = vec![0; joints.len()];
    for joint in (0..joints.len()).filter(|joint| below[*joint] >= LEAST) {
        joints[joint].parent.into_iter().for_each(|above| figures[above] += 1);
    }
    let carries_several = |joint: &usize| owned[*joint].is_empty() && figures[*joint] > 1;
    let root = |joint| {
        let way: Vec<usize> = upward(joints, joint).collect();
        way.into_iter().rev().find(|above| !carries_several(above)).unwrap_or(joint)
    };
    (0..joints.len()).map(root).collect()
}
