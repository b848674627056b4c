//! What in a file is several things, or comes to pieces, and is built as one.

use std::collections::{BTreeMap, HashSet};

use glam::Vec3;

use super::geometry::Placed;
use super::skin::AssetJoint;
use super::{Hold, bounds};

/// Gap between two skeletons from which they are two characters [share of the larger one].
const GAP: f32 = 1.0 / 3.0;

/// Warns of characters that stand apart, and of parts that hang stiffly on their joints. Parts and joints are in metres.
pub(super) fn warn(parts: &[Placed], joints: &[AssetJoint], warnings: &mut Vec<String>) {
    warnings.extend(several(parts, joints));
    warnings.extend(stiff(parts, joints));
}

/// What to say of skeletons that stand apart.
fn several(parts: &[Placed], joints: &[AssetJoint]) -> Option<String> {
    let root = |joint: usize| upward(joints, joint).last().unwrap_or(joint);
    let roots: Vec<usize> = (0..joints.len()).map(root).collect();
    let mut points: BTreeMap<usize, Vec<Vec3>> = BTreeMap::new();
    for part in parts.iter().filter(|part| part.hold == Hold::Skin) {
        for (vertex, position) in part.primitive.positions.iter().enumerate() {
            if let Some((joint, _)) = part.weights.of(vertex).first() {
                points.entry(roots[*joint as usize]).or_default().push(*position);
            }
        }
    }
    let boxes: Vec<(Vec3, Vec3)> = points.values().filter_map(bounds).collect();
    let gap = |a: &(Vec3, Vec3), b: &(Vec3, Vec3)| (a.0 - b.1).max(b.0 - a.1).max(Vec3::ZERO).length();
    let far =
        |a: &(Vec3, Vec3), b: &(Vec3, Vec3)| gap(a, b) > GAP * (a.1 - a.0).max_element().max((b.1 - b.0).max_element());
    let apart = boxes.iter().enumerate().any(|(i, a)| {
        let mut others = boxes.iter().enumerate().filter(|(k, _)| *k != i).map(|(_, b)| b).peekable();
        others.peek().is_some() && others.all(|b| far(a, b))
    });
    apart.then(|| {
        "it holds several skeletons that stand apart, and becomes one ragdoll that joins them; give each a file of its \
         own if they are several characters"
            .into()
    })
}

/// What to say of meshes that hang in a row on joints which no skin moves.
fn stiff(parts: &[Placed], joints: &[AssetJoint]) -> Option<String> {
    let moved = parts.iter().filter(|part| part.hold == Hold::Skin).flat_map(|part| &part.weights.entries);
    let mut alive: HashSet<usize> = HashSet::new();
    for joint in moved.map(|(joint, _)| *joint as usize).collect::<HashSet<_>>() {
        alive.extend(upward(joints, joint));
    }
    let held = |part: &Placed| if let Hold::Joint(joint) = part.hold { Some(joint) } else { None };
    let dead: HashSet<usize> = parts.iter().filter_map(held).filter(|joint| !alive.contains(joint)).collect();
    // One alone is a hat or a sword; where one hangs on another it would bend between them.
    let bends = |joint: &&usize| upward(joints, **joint).skip(1).any(|above| dead.contains(&above));
    let first = dead.iter().filter(bends).min()?;
    Some(format!(
        "meshes hang on joints that no skin moves, `{}` for one, and stay stiff there; weight their vertices to the joints \
         if they should bend",
        joints[*first].name
    ))
}

/// A joint and those above it, nearest first.
fn upward(joints: &[AssetJoint], joint: usize) -> impl Iterator<Item = usize> {
    std::iter::successors(Some(joint), |joint| joints[*joint].parent)
}
