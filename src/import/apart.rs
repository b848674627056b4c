//! What in a file is several things and is built as one.

use std::collections::BTreeMap;

use glam::Vec3;

use super::geometry::Placed;
use super::limbs::upward;
use super::skin::AssetJoint;
use super::{Hold, bounds};

/// Gap between two skeletons from which they are two characters [share of the larger one].
const GAP: f32 = 1.0 / 3.0;

/// What to say of skeletons that stand apart. Parts and joints are in metres.
pub(super) fn several(parts: &[Placed], joints: &[AssetJoint]) -> Option<String> {
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
