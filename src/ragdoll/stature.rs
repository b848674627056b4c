//! How large a person is: without clothes and props, and as tall sitting as standing.

use glam::Vec3;

use super::anatomy::{Anatomy, first};
use super::labels::{Guess, Label, Side, guess};
use super::regions::extent;
use super::rig::Rig;
use super::settings::RagdollSettings;
use crate::import::{Hold, bounds};

/// How much longer the way from head to ankles is along the bones than it is high where a figure sits [share of the way].
const SITS: f32 = 0.1;

/// Cubes of the box around all of the skin beyond which they are larger than the person would have them.
const CELLS: f32 = 1_048_576.0;

/// Size of a figure [m].
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Stature {
    /// From the soles to the crown when it stands.
    pub(super) height: f32,
    /// Longest extent.
    pub(super) long: f32,
}

impl Stature {
    /// That of the person in the skin; of all of the skin, which is `size` [m], if it is none.
    pub(super) fn of(rig: &Rig<'_>, anatomy: &Anatomy, size: Vec3, settings: &RagdollSettings) -> Self {
        if !anatomy.human {
            return Self { height: size.y, long: size.max_element() };
        }
        let labels: Vec<Option<Label>> = (0..rig.len()).map(|joint| person(rig, anatomy, joint)).collect();
        let labelled = |joint: &usize| labels[*joint].is_some();
        let skin = |joint: usize| rig.vertices[joint].iter();
        // What is too small for a body of its own is part of what it hangs on.
        let least = settings.merge * longest((0..rig.len()).filter(labelled).flat_map(skin));
        let own = |joint: &usize| labels[*joint].is_some() || extent(&rig.vertices[*joint]) < least;
        // Arms may be raised, or hold up what is long.
        let upright = |joint: &usize| !labels[*joint].is_some_and(is_arm);
        let held = || held(rig).filter(|(label, _)| !is_arm(*label)).flat_map(|(_, points)| points);
        let body = (0..rig.len()).filter(own).filter(upright).flat_map(skin).chain(held());
        let Some((low, high)) = bounds(body) else { return Self { height: size.y, long: size.max_element() } };
        let height = high.y - low.y + bent(rig, anatomy);
        let all = (0..rig.len()).filter(own).flat_map(skin).chain(held());
        let coarse = (size.element_product() / CELLS).cbrt() / settings.spacing;
        Self { height, long: longest(all).max(height).max(coarse) }
    }
}

fn longest<'a>(points: impl Iterator<Item = &'a Vec3>) -> f32 {
    bounds(points).map_or(0.0, |(low, high)| (high - low).max_element())
}

/// What of a person a joint moves; none for what people carry, and for what only some have.
fn person(rig: &Rig<'_>, anatomy: &Anatomy, joint: usize) -> Option<Label> {
    let known = |label: &Label| !matches!(label, Label::Other | Label::Minor);
    let over = rig.above(joint).map(|j| anatomy.tags[j].label).find(known);
    match anatomy.tags[joint].label {
        Label::Tail => None,
        // Fingers are part of the hand.
        Label::Minor => over.or(Some(Label::Minor)),
        // What hangs on a leg is its foot, whatever it is called.
        Label::Other => over.filter(|label| matches!(label, Label::Thigh | Label::Shin | Label::Foot)),
        label => Some(label),
    }
}

fn is_arm(label: Label) -> bool {
    matches!(label, Label::UpperArm | Label::Forearm | Label::Hand)
}

/// Parts of the body that are no skin: meshes on joints which have a part's name and no skin of their own.
fn held<'a>(rig: &Rig<'a>) -> impl Iterator<Item = (Label, &'a [Vec3])> {
    let parts = rig.asset.model.primitives.iter().zip(&rig.asset.holds);
    parts.filter_map(|(part, hold)| {
        let Hold::Joint(joint) = *hold else { return None };
        let label = match guess(rig.name(joint)).0 {
            Guess::Sure(Label::Other | Label::Tail) => return None,
            Guess::Sure(label) => label,
            Guess::LegChain => Label::Shin,
            Guess::ArmChain | Guess::Shoulder => Label::UpperArm,
        };
        rig.vertices[joint].is_empty().then_some((label, &part.positions[..]))
    })
}

/// By how much a figure that sits or crouches would be taller if it stood [m].
fn bent(rig: &Rig<'_>, anatomy: &Anatomy) -> f32 {
    let at = |label, side| first(rig, &anatomy.tags, label, side).map(|joint| rig.origin(joint));
    let leg = |side| Some([at(Label::Thigh, side)?, at(Label::Shin, side)?, at(Label::Foot, side)?]);
    let (Some(head), Some(left), Some(right)) = (at(Label::Head, Side::Middle), leg(Side::Left), leg(Side::Right))
    else {
        return 0.0;
    };
    let length = |[hip, knee, ankle]: [Vec3; 3]| hip.distance(knee) + knee.distance(ankle);
    let [hip, ankle] = [0, 2].map(|joint| 0.5 * (left[joint] + right[joint]));
    let way = head.distance(hip) + 0.5 * (length(left) + length(right));
    let more = way - (head.y - ankle.y);
    if more > SITS * way { more } else { 0.0 }
}
