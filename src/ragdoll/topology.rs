//! Which part of a standing figure each joint is, from the shape of the skeleton alone: a mirror plane, legs that reach
//! the ground, arms that leave the spine above them, and a head on top.

use glam::Vec3;

use super::labels::{Label, Side, Tag};
use super::rig::Rig;

/// How far mirrored joints may be from their image [share of the height].
const MIRROR_ERROR: f32 = 0.03;
/// Steps shorter than this do not count as bones [share of the height].
const SHORT: f32 = 0.03;
/// Deepest figure that stands: longer than high, whatever lies in the mirror plane lies [share of the height].
const DEEPEST: f32 = 0.75;
/// Legs end below, and arms begin so far above the hips and end above [share of the height]; hanging hands are higher than feet.
const LEGS_END: f32 = 0.15;
const ARMS_RISE: f32 = 0.1;
const ARMS_END: f32 = 0.2;
/// Shortest limb, from its first joint to its tip [share of the height].
const LIMB: f32 = 0.2;
/// Least height of an ankle, the most of skin that shows where the toes are, and the most of a foot's joint [share of the
/// height].
const ANKLE: f32 = 0.03;
const SOLE: f32 = 0.06;
const FOOT: f32 = 0.12;
/// How near the mirror plane a collar bone begins [share of the height], and the longest one [share of the bone that follows].
const COLLAR_BEGINS: f32 = 0.08;
const COLLAR: f32 = 0.75;
/// Where a knee is between hip and foot, an elbow between shoulder and hand, and a wrist between shoulder and fingertips
/// [share of the way]: proportions of people.
const KNEE: f32 = 0.5;
const ELBOW: f32 = 0.52;
const WRIST: f32 = 0.76;

/// Skeleton, measured.
struct Shape<'r, 'a> {
    rig: &'r Rig<'a>,
    /// Height of the skin, which stands on y = 0 [m].
    height: f32,
    /// Across the mirror plane, unit length.
    across: Vec3,
    /// Place of the plane along `across` [m].
    middle: f32,
}

/// Labels of a standing figure; none if the skeleton does not look like one.
pub(super) fn tags(rig: &Rig<'_>) -> Option<Vec<Tag>> {
    let points = || rig.vertices.iter().flatten();
    let (low, high) = crate::import::bounds(points())?;
    let height = high.y - low.y;
    let shape = Shape::mirrored(rig, height)?;
    let depth = (high - low).dot(shape.across.cross(Vec3::Y).abs());
    if depth > DEEPEST * height {
        return None;
    }
    let legs = shape.pair(|tip, _| tip.y < LEGS_END * height)?;
    let hips = rig.meeting(legs[0][0], legs[1][0])?;
    let rises = |joint: usize| rig.origin(joint).y > rig.origin(hips).y + ARMS_RISE * height;
    let arms = shape.pair(|tip, joint| tip.y > ARMS_END * height && rises(joint) && !legs.concat().contains(&joint))?;
    let chest = rig.meeting(arms[0][0], arms[1][0])?;
    let head = shape.head(chest)?;
    let forward = shape.forward(&legs);
    let mut tags = vec![Tag::OTHER; rig.len()];
    for (limb, place) in [(&legs, 0), (&arms, 1)] {
        for chain in limb {
            let outward = shape.offset(chain[0]);
            let left = shape.across.dot(Vec3::Y.cross(forward)) * outward > 0.0;
            let side = if left { Side::Left } else { Side::Right };
            let parts = if place == 0 { shape.leg(chain, hips)? } else { shape.arm(chain, chest)? };
            for (joint, label) in parts {
                tags[joint] = Tag::new(label, side);
            }
        }
    }
    for (joint, label) in [(hips, Label::Pelvis), (chest, Label::Chest), (head, Label::Head)] {
        if tags[joint] == Tag::OTHER {
            tags[joint] = Tag::new(label, Side::Middle);
        }
    }
    Some(tags)
}

impl<'r, 'a> Shape<'r, 'a> {
    /// Finds the plane that mirrors most joints onto others, of those through the skeleton's middle along X or Z.
    fn mirrored(rig: &'r Rig<'a>, height: f32) -> Option<Self> {
        let alive: Vec<Vec3> = (0..rig.len()).filter(|j| rig.alive[*j]).map(|j| rig.origin(j)).collect();
        let score = |across: Vec3| {
            let along: Vec<f32> = alive.iter().map(|p| p.dot(across)).collect();
            let (low, high) = along.iter().fold((f32::MAX, f32::MIN), |r, v| (r.0.min(*v), r.1.max(*v)));
            let middle = 0.5 * (low + high);
            let image = |p: Vec3| p - across * (2.0 * (p.dot(across) - middle));
            let apart = |p: &Vec3| (p.dot(across) - middle).abs() > MIRROR_ERROR * height;
            let has_image = |p: &&Vec3| alive.iter().any(|q| q.distance(image(**p)) < MIRROR_ERROR * height);
            let pairs = alive.iter().filter(|p| apart(p));
            let (sided, matched) = (pairs.clone().count(), pairs.filter(has_image).count());
            // A figure seen from the side has hardly anything off the plane.
            (matched as f32 - 0.5 * sided as f32, middle, matched)
        };
        let best = [Vec3::X, Vec3::Z].map(|across| (across, score(across)));
        let (across, (worth, middle, matched)) = if best[0].1.0 >= best[1].1.0 { best[0] } else { best[1] };
        (worth > 0.0 && matched >= 8).then_some(Self { rig, height, across, middle })
    }

    /// Signed distance of a joint from the mirror plane [m].
    fn offset(&self, joint: usize) -> f32 {
        self.rig.origin(joint).dot(self.across) - self.middle
    }

    fn aside(&self, joint: usize) -> bool {
        self.offset(joint).abs() > 0.5 * MIRROR_ERROR * self.height
    }

    /// The farthest skin of a joint and those below it, away from its origin [m].
    fn tip(&self, joint: usize) -> Vec3 {
        let origin = self.rig.origin(joint);
        let skin = self.rig.below(joint).into_iter().flat_map(|j| &self.rig.vertices[j]);
        skin.fold(origin, |far, p| if p.distance(origin) > far.distance(origin) { *p } else { far })
    }

    /// The longest pair of mirrored chains whose tip and first joint are `wanted`, from the plane outward.
    fn pair(&self, wanted: impl Fn(Vec3, usize) -> bool) -> Option<[Vec<usize>; 2]> {
        let rig = self.rig;
        let starts = |j: &usize| {
            let leaves = rig.asset.joints[*j].parent.is_none_or(|p| !self.aside(p));
            rig.alive[*j] && self.aside(*j) && leaves && wanted(self.tip(*j), *j)
        };
        let chain = |start: usize| {
            let reach = |j: usize| rig.origin(j).distance(rig.origin(start));
            let below = rig.below(start).into_iter().filter(|j| rig.alive[*j]);
            let end = below.max_by(|a, b| reach(*a).total_cmp(&reach(*b)).then(b.cmp(a))).unwrap_or(start);
            let mut path: Vec<usize> = rig.upward(end).take_while(|j| *j != start).collect();
            path.push(start);
            path.reverse();
            path
        };
        let chains: Vec<Vec<usize>> = (0..rig.len()).filter(starts).map(chain).collect();
        let length = |c: &Vec<usize>| self.tip(c[0]).distance(rig.origin(c[0]));
        let lengths: Vec<f32> = chains.iter().map(length).collect();
        let mut best: Option<(f32, [Vec<usize>; 2])> = None;
        for (i, a) in chains.iter().enumerate() {
            for (b, other) in chains[i + 1..].iter().zip(&lengths[i + 1..]) {
                let image = rig.origin(b[0]) - self.across * (2.0 * self.offset(b[0]));
                let mirrored = image.distance(rig.origin(a[0])) < MIRROR_ERROR * self.height;
                let long = lengths[i].min(*other);
                if mirrored && best.as_ref().is_none_or(|(most, _)| long > *most) {
                    best = Some((long, [a.clone(), b.clone()]));
                }
            }
        }
        best.filter(|(long, _)| *long > LIMB * self.height).map(|(_, pair)| pair)
    }

    /// The highest joint in the plane above the chest that moves skin.
    fn head(&self, chest: usize) -> Option<usize> {
        let free = |j: &usize| !self.aside(*j) && !self.rig.vertices[*j].is_empty() && *j != chest;
        let above = self.rig.below(chest).into_iter().filter(free);
        above.max_by(|a, b| self.rig.origin(*a).y.total_cmp(&self.rig.origin(*b).y).then(b.cmp(a)))
    }

    /// Where the feet point.
    fn forward(&self, legs: &[Vec<usize>; 2]) -> Vec3 {
        let ahead = self.across.cross(Vec3::Y);
        let toes = legs.iter().map(|leg| {
            let ankle = leg.iter().rev().find(|j| self.rig.origin(**j).y > ANKLE * self.height).unwrap_or(&leg[0]);
            let skin = self.rig.below(*ankle).into_iter().flat_map(|j| &self.rig.vertices[j]);
            let low = skin.filter(|p| p.y < SOLE * self.height).map(|p| (*p - self.rig.origin(*ankle)).dot(ahead));
            let (back, front) = low.fold((0.0_f32, 0.0_f32), |r, v| (r.0.min(v), r.1.max(v)));
            front + back
        });
        if toes.sum::<f32>() < 0.0 { -ahead } else { ahead }
    }

    /// Joints of a chain that are a bone's length from the one before.
    fn steps(&self, chain: &[usize]) -> Vec<usize> {
        let mut steps: Vec<usize> = Vec::new();
        for &joint in chain {
            let far = |last: &usize| self.rig.origin(*last).distance(self.rig.origin(joint)) > SHORT * self.height;
            if steps.last().is_none_or(far) {
                steps.push(joint);
            }
        }
        steps
    }

    /// The joint of `steps` whose share of the way from the first to `end` is nearest to `share`.
    fn nearest_share(&self, steps: &[usize], end: Vec3, share: f32) -> Option<usize> {
        let start = self.rig.origin(*steps.first()?);
        let way = (end - start) / (end - start).length_squared().max(1.0e-12);
        let off = |j: &usize| ((self.rig.origin(*j) - start).dot(way) - share).abs();
        steps.iter().skip(1).copied().min_by(|a, b| off(a).total_cmp(&off(b)))
    }

    /// Thigh, shin and foot of a leg.
    fn leg(&self, chain: &[usize], hips: usize) -> Option<Vec<(usize, Label)>> {
        let steps: Vec<usize> = self.steps(chain).into_iter().filter(|j| *j != hips).collect();
        let low = |j: &usize| self.rig.origin(*j).y < FOOT * self.height;
        let foot = steps.iter().copied().skip(1).find(low);
        let end = foot.map_or_else(|| self.tip(chain[0]), |j| self.rig.origin(j));
        let above: Vec<usize> = steps.iter().copied().take_while(|j| Some(*j) != foot).collect();
        let shin = self.nearest_share(&above, end, KNEE)?;
        let mut parts = vec![(*above.first()?, Label::Thigh), (shin, Label::Shin)];
        parts.extend(foot.map(|j| (j, Label::Foot)));
        Some(parts)
    }

    /// Upper arm, forearm and hand, and the collar bone before them.
    fn arm(&self, chain: &[usize], chest: usize) -> Option<Vec<(usize, Label)>> {
        let steps: Vec<usize> = self.steps(chain).into_iter().filter(|j| *j != chest).collect();
        // A collar bone begins near the plane and is shorter than what follows.
        let length = |i: usize| steps.get(i + 1).map(|n| self.rig.origin(*n).distance(self.rig.origin(steps[i])));
        let collar = steps.len() >= 4
            && self.offset(steps[0]).abs() < COLLAR_BEGINS * self.height
            && length(0)? < COLLAR * length(1)?;
        let arm = &steps[usize::from(collar)..];
        let tip = self.tip(*arm.first()?);
        let fingers = |j: &usize| self.rig.children[*j].iter().filter(|c| self.rig.alive[**c]).count() >= 3;
        let hand = arm.iter().copied().skip(2).find(fingers).or_else(|| self.nearest_share(arm, tip, WRIST));
        let end = hand.map_or(tip, |j| self.rig.origin(j));
        let inner: Vec<usize> = arm.iter().copied().take_while(|j| Some(*j) != hand).collect();
        let (forearm, hand) = match self.nearest_share(&inner, end, ELBOW) {
            Some(forearm) => (forearm, hand),
            // Two bones are upper arm and forearm.
            None => (hand?, None),
        };
        let mut parts = vec![(arm[0], Label::UpperArm), (forearm, Label::Forearm)];
        parts.extend(hand.map(|j| (j, Label::Hand)));
        parts.extend(collar.then(|| (steps[0], Label::Clavicle)));
        Some(parts)
    }
}
