//! What clips do to limbs that a ragdoll ignores: limbs keep their size, and stay attached where they are at rest.

use std::collections::BTreeSet;

use glam::{Mat3, Vec3};
use gltf::json::Root;

use super::bounds;
use super::clip::{Channel, ChannelPath, Clip, Interpolation};
use super::geometry::Placed;
use super::skin::AssetJoint;
use super::tree::Tree;

/// Change of a scale that is told [share].
const SCALED: f32 = 0.01;
/// Way of a limb from its place on another that is told [share of the skeleton's size].
const MOVED: f32 = 0.15;
/// Scale under which nothing is to be seen.
const NOTHING: f32 = 1.0e-4;

/// A sentence for clips that scale limbs, one for those that take them off what they hang on, and one for joints that rest
/// at no size. Joints are in the file's units.
pub(super) fn sentences(
    root: &Root,
    tree: &Tree,
    parts: &[Placed],
    joints: &[AssetJoint],
    clips: &[Clip],
) -> Vec<String> {
    let entries = parts.iter().flat_map(|part| &part.weights.entries).filter(|(_, weight)| *weight > 0.0);
    let moving: BTreeSet<usize> = entries.map(|(joint, _)| joints[*joint as usize].node).collect();
    let meshes = (0..tree.nodes.len()).filter(|n| root.nodes[*n].mesh.is_some() && root.nodes[*n].skin.is_none());
    let drawn = moving.iter().copied().chain(meshes.filter(|node| tree.nodes[*node].visible));
    let drawn: BTreeSet<usize> = drawn.flat_map(|node| std::iter::once(node).chain(tree.above(node))).collect();
    let origins: Vec<Vec3> = joints.iter().map(|joint| joint.rest.w_axis.truncate()).collect();
    let size = bounds(&origins).map_or(0.0, |(low, high)| (high - low).max_element());
    let name = |node: &usize| tree.nodes[*node].name.clone();
    let of = |path, test: &dyn Fn(&Channel) -> bool| {
        let channels = clips.iter().flat_map(|clip| clip.channels.iter().map(move |channel| (clip, channel)));
        let found: Vec<_> = channels.filter(|(_, c)| c.path == path && drawn.contains(&c.node) && test(c)).collect();
        let mut names: Vec<String> = found.iter().map(|(clip, _)| clip.name.clone()).collect();
        names.dedup();
        let nodes: BTreeSet<usize> = found.iter().map(|(_, channel)| channel.node).collect();
        Some((listed(names)?, listed(nodes.iter().map(name))?)).filter(|_| !moving.is_empty())
    };
    let hangs = |node: usize| tree.above(node).any(|above| moving.contains(&above));
    let scaled = of(ChannelPath::Scale, &|channel| scales(tree, channel));
    let scaled = scaled.map(|(clips, nodes)| format!("clips scale limbs, which keep their size: {nodes} in {clips}"));
    let moved = of(ChannelPath::Translation, &|c| hangs(c.node) && farthest(tree, c) > MOVED * size);
    let moved = moved.map(|(clips, nodes)| {
        format!("clips detach limbs from their parents, but they stay attached: {nodes} in {clips}")
    });
    let gone = |joint: &&AssetJoint| {
        let volume = |m| Mat3::from_mat4(m).determinant().abs().cbrt();
        moving.contains(&joint.node) && volume(tree.nodes[joint.node].world) < NOTHING * volume(joint.rest)
    };
    let gone = listed(joints.iter().filter(gone).map(|joint| name(&joint.node)));
    let gone = gone.map(|names| format!("{names} has zero scale at rest and is drawn as it was bound"));
    [scaled, moved, gone].into_iter().flatten().collect()
}

/// The first name, and how many more there are.
fn listed(names: impl IntoIterator<Item = String>) -> Option<String> {
    let mut names = names.into_iter();
    let first = names.next()?;
    let more = names.count();
    Some(if more == 0 { format!("`{first}`") } else { format!("`{first}` and {more} more") })
}

/// Keys of a channel of three numbers.
fn keys(channel: &Channel) -> impl Iterator<Item = Vec3> {
    let (each, at) = if channel.interpolation == Interpolation::CubicSpline { (9, 3) } else { (3, 0) };
    channel.values.chunks_exact(each).map(move |key| Vec3::from_slice(&key[at..]))
}

/// Whether a channel makes its node larger or smaller than it rests.
fn scales(tree: &Tree, channel: &Channel) -> bool {
    let rest = tree.nodes[channel.node].scale;
    keys(channel).any(|key| (key - rest).abs().max_element() > SCALED * rest.abs().max_element())
}

/// How far a channel takes its node from where it rests [units of the file].
fn farthest(tree: &Tree, channel: &Channel) -> f32 {
    let node = &tree.nodes[channel.node];
    let Some(above) = node.parent.map(|parent| tree.nodes[parent].world) else { return 0.0 };
    let ways = keys(channel).map(|key| above.transform_vector3(key - node.local.w_axis.truncate()).length());
    ways.fold(0.0, f32::max)
}
