//! Which part of a body each joint is: by the file's own humanoid map, else by names, else by the shape of the skeleton.

use std::collections::{HashMap, HashSet};

use glam::Vec3;

use super::labels::{ENOUGH, Guess, Label, REQUIRED, Side, Tag, guess, shared_prefix};
use super::rig::Rig;
use super::topology;

/// Limbs from the body outward.
const LIMBS: [[Label; 3]; 2] =
    [[Label::Thigh, Label::Shin, Label::Foot], [Label::UpperArm, Label::Forearm, Label::Hand]];

/// How the joints were told apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LabelSource {
    /// By the VRM humanoid map in the file.
    VrmMap,
    /// By names: how many of the 15 required humanoid bones they gave.
    Names(usize),
    /// By the shape of the skeleton.
    Shape,
    /// Not at all.
    None,
}

/// Directions of a character, unit length and square to each other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Axes {
    pub(super) left: Vec3,
    pub(super) up: Vec3,
    pub(super) forward: Vec3,
}

impl Axes {
    /// Facing `forward`, whose height does not count; +Z if nothing is left of it.
    pub(super) fn facing(forward: Vec3) -> Self {
        let forward = forward.with_y(0.0).normalize_or(Vec3::Z);
        Self { left: Vec3::Y.cross(forward), up: Vec3::Y, forward }
    }
}

/// Labels of all joints.
pub(super) struct Anatomy {
    /// Shape [joint_count].
    pub(super) tags: Vec<Tag>,
    pub(super) source: LabelSource,
    pub(super) axes: Axes,
    /// Whether it stands on two legs: only then human limits and masses apply.
    pub(super) human: bool,
}

/// Rise of the way from the pelvis to the head from which a figure stands [share of the way].
const UPRIGHT: f32 = 0.6;

impl Anatomy {
    pub(super) fn read(rig: &Rig<'_>) -> Self {
        let (tags, source) = Self::tagged(rig);
        let axes = axes(rig, &tags);
        let at = |label| tags.iter().position(|t| t.label == label).map(|j| rig.origin(j));
        // Four-legged animals borrow our names; their spine lies.
        let upright = match (at(Label::Pelvis), at(Label::Head)) {
            (Some(hips), Some(head)) => (head - hips).normalize_or_zero().y > UPRIGHT,
            _ => false,
        };
        let human = upright && source != LabelSource::None;
        Self { tags, source, axes, human }
    }

    fn tagged(rig: &Rig<'_>) -> (Vec<Tag>, LabelSource) {
        if let Some(mut tags) = by_map(rig) {
            fill(rig, &mut tags);
            return (tags, LabelSource::VrmMap);
        }
        let (mut tags, matched) = best_names(rig);
        if matched >= ENOUGH {
            fill(rig, &mut tags);
            return (tags, LabelSource::Names(matched));
        }
        // What never becomes a body is known by its name alone.
        let little = |tag: &Tag| matches!(tag.label, Label::Minor | Label::Tail);
        tags.iter_mut().filter(|t| !little(t)).for_each(|t| *t = Tag::OTHER);
        match topology::tags(rig) {
            Some(mut found) => {
                found.iter_mut().zip(&tags).filter(|(f, t)| **f == Tag::OTHER && little(t)).for_each(|(f, t)| *f = *t);
                fill(rig, &mut found);
                (found, LabelSource::Shape)
            }
            None => (tags, LabelSource::None),
        }
    }
}

/// Labels from the VRM humanoid map of the file; none without a usable one.
fn by_map(rig: &Rig<'_>) -> Option<Vec<Tag>> {
    let swinging: HashSet<usize> = rig.asset.swinging.iter().copied().collect();
    let swings = |joint: usize| {
        let upward = |node: &usize| rig.asset.nodes[*node].parent;
        std::iter::successors(Some(rig.asset.joints[joint].node), upward).any(|node| swinging.contains(&node))
    };
    // What never becomes a body is known by its name alone; which side it is on does not count.
    let prefix = prefix(rig);
    let of = |joint| match guess(bare(rig, joint, prefix)).0 {
        _ if swings(joint) => Tag::new(Label::Minor, Side::Middle),
        Guess::Sure(label @ (Label::Minor | Label::Tail)) => Tag::new(label, Side::Middle),
        _ => Tag::OTHER,
    };
    let mut tags: Vec<Tag> = (0..rig.len()).map(of).collect();
    let joints: HashMap<usize, usize> = rig.asset.joints.iter().enumerate().map(|(joint, j)| (j.node, joint)).collect();
    let mut found = 0;
    for (bone, node) in &rig.asset.humanoid {
        let Some(&joint) = joints.get(node) else { continue };
        tags[joint] = human_bone(bone);
        found += usize::from(tags[joint] != Tag::OTHER);
    }
    (found >= ENOUGH).then_some(tags)
}

/// What a bone of the VRM humanoid is, by its name in the specification; fingers, toes, eyes and the jaw are little.
fn human_bone(bone: &str) -> Tag {
    let (side, part) = match (bone.strip_prefix("left"), bone.strip_prefix("right")) {
        (Some(part), _) => (Side::Left, part),
        (_, Some(part)) => (Side::Right, part),
        _ => (Side::Middle, bone),
    };
    let little = ["Thumb", "Index", "Middle", "Ring", "Little"].iter().any(|finger| part.starts_with(finger));
    let label = match part {
        "hips" => Label::Pelvis,
        "spine" => Label::Spine,
        "chest" | "upperChest" => Label::Chest,
        "neck" => Label::Neck,
        "head" => Label::Head,
        "Shoulder" => Label::Clavicle,
        "UpperArm" => Label::UpperArm,
        "LowerArm" => Label::Forearm,
        "Hand" => Label::Hand,
        "UpperLeg" => Label::Thigh,
        "LowerLeg" => Label::Shin,
        "Foot" => Label::Foot,
        "Toes" | "Eye" | "jaw" => Label::Minor,
        _ if little => Label::Minor,
        _ => return Tag::OTHER,
    };
    Tag::new(label, side)
}

/// What all bones that move skin are called before their own names.
fn prefix<'a>(rig: &Rig<'a>) -> &'a str {
    shared_prefix((0..rig.len()).filter(|j| rig.alive[*j]).map(|j| rig.name(j)))
}

/// Labels from names and how many required bones they give: from whole names, or without what all begin with if that gives
/// more, as a character may be called like a part of a body.
fn best_names(rig: &Rig<'_>) -> (Vec<Tag>, usize) {
    let [whole, bare] = ["", prefix(rig)].map(|prefix| {
        let tags = by_names(rig, prefix);
        let count = matched(rig, &tags);
        (tags, count)
    });
    if bare.1 > whole.1 { bare } else { whole }
}

/// Name of a joint without `prefix`.
fn bare<'a>(rig: &Rig<'a>, joint: usize, prefix: &str) -> &'a str {
    let name = rig.name(joint);
    name.strip_prefix(prefix).unwrap_or(name)
}

/// Labels from names without `prefix`, read from the root outward.
fn by_names(rig: &Rig<'_>, prefix: &str) -> Vec<Tag> {
    let mut tags = vec![Tag::OTHER; rig.len()];
    let mut shoulders = Vec::new();
    for joint in rig.top_down().into_iter().filter(|j| rig.alive[*j]) {
        let (guess, side) = guess(bare(rig, joint, prefix));
        let over = rig.above(joint).map(|j| tags[j]).find(|t| t.side == side && !matches!(t.label, Label::Other));
        let over = over.filter(|_| side != Side::Middle).map(|t| t.label);
        let label = match guess {
            Guess::Sure(label) => label,
            Guess::ArmChain => next_of(&LIMBS[1], over),
            Guess::LegChain => next_of(&LIMBS[0], over),
            Guess::Shoulder => {
                shoulders.push(joint);
                Label::Clavicle
            }
        };
        tags[joint] = Tag::new(label, side);
    }
    for side in [Side::Left, Side::Right] {
        // Where nothing else is the upper arm, the shoulder nearest to the elbow is.
        let arm = tags.contains(&Tag::new(Label::UpperArm, side));
        if let Some(last) = shoulders.iter().rev().find(|j| !arm && tags[**j].side == side) {
            tags[*last] = Tag::new(Label::UpperArm, side);
        }
    }
    tags
}

/// The part after `over` in a limb.
fn next_of(limb: &[Label; 3], over: Option<Label>) -> Label {
    match over.and_then(|o| limb.iter().position(|l| *l == o)) {
        Some(place) => limb.get(place + 1).copied().unwrap_or(Label::Minor),
        None if over == Some(Label::Minor) => Label::Minor,
        None => limb[0],
    }
}

/// How many required bones there are, each below the one it should hang on, or in a tree of its own.
fn matched(rig: &Rig<'_>, tags: &[Tag]) -> usize {
    let first = |label, side| first(rig, tags, label, side);
    let root = |joint| rig.upward(joint).last();
    let mut count = [Label::Pelvis, Label::Head].iter().filter(|l| first(**l, Side::Middle).is_some()).count();
    count += usize::from(tags.iter().any(|t| matches!(t.label, Label::Spine | Label::Chest)));
    for side in [Side::Left, Side::Right] {
        for limb in LIMBS {
            let mut over: Option<usize> = None;
            for joint in limb.iter().filter_map(|label| first(*label, side)) {
                let hangs = over.is_none_or(|o| rig.above(joint).any(|j| j == o) || root(joint) != root(o));
                count += usize::from(hangs);
                over = Some(joint);
            }
        }
    }
    count.min(REQUIRED)
}

/// The first joint with `tag`, from the root outward.
pub(super) fn first(rig: &Rig<'_>, tags: &[Tag], label: Label, side: Side) -> Option<usize> {
    let with = (0..rig.len()).filter(|j| tags[*j] == Tag::new(label, side));
    with.min_by_key(|j| (rig.depth[*j], *j))
}

/// Joint where both sides' limbs of this kind meet.
fn meeting(rig: &Rig<'_>, tags: &[Tag], label: Label) -> Option<usize> {
    let (left, right) = (first(rig, tags, label, Side::Left)?, first(rig, tags, label, Side::Right)?);
    rig.meeting(left, right).filter(|m| *m != left && *m != right)
}

/// Completes what a skeleton implies: hips between the legs, a chest between the arms, a spine between both, a head on
/// top, and bones inside a limb as parts of it.
fn fill(rig: &Rig<'_>, tags: &mut [Tag]) {
    let middle = |label| Tag::new(label, Side::Middle);
    let hips = first(rig, tags, Label::Pelvis, Side::Middle).or_else(|| meeting(rig, tags, Label::Thigh));
    if let Some(hips) = hips {
        tags[hips] = middle(Label::Pelvis);
    }
    let chest = meeting(rig, tags, Label::UpperArm).filter(|c| Some(*c) != hips);
    if let Some(chest) = chest {
        // One joint carries the arms; other chests are spine.
        tags.iter_mut().filter(|t| t.label == Label::Chest).for_each(|t| t.label = Label::Spine);
        tags[chest] = middle(Label::Chest);
        let named = first(rig, tags, Label::Head, Side::Middle);
        if let (None, Some(head)) = (named, crown(rig, tags, chest)) {
            tags[head] = middle(Label::Head);
        }
        let head = first(rig, tags, Label::Head, Side::Middle);
        between(rig, tags, hips, Some(chest), middle(Label::Spine), &[Label::Other]);
        between(rig, tags, Some(chest), head, middle(Label::Neck), &[Label::Other, Label::Spine]);
    }
    for side in [Side::Left, Side::Right] {
        for limb in LIMBS {
            for pair in limb.windows(2) {
                let [upper, lower] = [pair[0], pair[1]].map(|label| first(rig, tags, label, side));
                between(rig, tags, upper, lower, Tag::new(pair[0], side), &[Label::Other, Label::Minor]);
            }
        }
        let arm = first(rig, tags, Label::UpperArm, side);
        between(rig, tags, chest, arm, Tag::new(Label::Clavicle, side), &[Label::Other]);
    }
}

/// Tags the joints between `low` and `high`, if one is above the other, that have one of the labels `over`.
fn between(rig: &Rig<'_>, tags: &mut [Tag], low: Option<usize>, high: Option<usize>, tag: Tag, over: &[Label]) {
    let (Some(low), Some(high)) = (low, high) else { return };
    if rig.above(high).any(|j| j == low) {
        let path = rig.above(high).take_while(|j| *j != low);
        path.for_each(|j| {
            if over.contains(&tags[j].label) {
                tags[j] = tag;
            }
        });
    }
}

/// The top of what rises from the chest besides the arms.
fn crown(rig: &Rig<'_>, tags: &[Tag], chest: usize) -> Option<usize> {
    let free = |j: &usize| rig.upward(*j).take_while(|k| *k != chest).all(|k| tags[k].side == Side::Middle);
    let above = rig.below(chest).into_iter().skip(1).filter(free).filter(|j| !rig.vertices[*j].is_empty());
    above.max_by(|a, b| rig.origin(*a).y.total_cmp(&rig.origin(*b).y).then(b.cmp(a)))
}

/// Directions of the character: across its sides, else along its feet, else +Z as glTF has it.
fn axes(rig: &Rig<'_>, tags: &[Tag]) -> Axes {
    let mean = |side| {
        let of = (0..rig.len()).filter(|j| tags[*j].side == side && rig.alive[*j]);
        let (sum, count) = of.fold((Vec3::ZERO, 0.0), |(s, n), j| (s + rig.origin(j), n + 1.0));
        (count > 0.0).then(|| sum / count)
    };
    if let (Some(left), Some(right)) = (mean(Side::Left), mean(Side::Right)) {
        let across = (left - right).with_y(0.0);
        if across.length() > 1.0e-3 {
            let forward = across.cross(Vec3::Y);
            // Snapped, because arms are seldom posed alike.
            let snapped = if forward.x.abs() > 2.0 * forward.z.abs() {
                Vec3::X * forward.x.signum()
            } else if forward.z.abs() > 2.0 * forward.x.abs() {
                Vec3::Z * forward.z.signum()
            } else {
                forward
            };
            return Axes::facing(snapped);
        }
    }
    Axes::facing(Vec3::Z)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_bones_of_the_humanoid_are_known() {
        let fingers = ["Thumb", "Index", "Middle", "Ring", "Little"]
            .map(|f| ["Metacarpal", "Proximal", "Distal"].map(|p| format!("{f}{p}")));
        let limbs = ["UpperLeg", "LowerLeg", "Foot", "Toes", "Shoulder", "UpperArm", "LowerArm", "Hand", "Eye"]
            .map(String::from);
        for part in fingers.into_iter().flatten().chain(limbs) {
            for (name, side) in [("left", Side::Left), ("right", Side::Right)] {
                let tag = human_bone(&format!("{name}{part}"));
                assert!(tag.label != Label::Other && tag.side == side, "{name}{part}");
            }
        }
        let middle = ["hips", "spine", "chest", "upperChest", "neck", "head", "jaw"];
        assert!(middle.iter().all(|bone| human_bone(bone).label != Label::Other));
        assert_eq!(human_bone("leftShoulder"), Tag::new(Label::Clavicle, Side::Left));
        assert_eq!(human_bone("leftovers"), Tag::OTHER);
    }
}
