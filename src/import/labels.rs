//! What a bone is, read from its name alone: words, side and part of the body, for the naming habits of common tools.

use std::collections::HashSet;

/// Required bones of the VRM humanoid.
pub(crate) const REQUIRED: usize = 15;
/// How many of them names must give.
pub(crate) const ENOUGH: usize = 9;

/// Part of a body that a bone moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Label {
    /// Hips.
    Pelvis,
    /// Spine below the chest.
    Spine,
    /// Where the arms leave the spine.
    Chest,
    /// Neck.
    Neck,
    /// Head.
    Head,
    /// Collar bone.
    Clavicle,
    /// Upper arm.
    UpperArm,
    /// Forearm: bends at the elbow.
    Forearm,
    /// Hand.
    Hand,
    /// Thigh.
    Thigh,
    /// Shin: bends at the knee.
    Shin,
    /// Foot.
    Foot,
    /// Finger, toe, eye, twist bone: never a body of its own.
    Minor,
    /// Tail.
    Tail,
    /// Anything else.
    Other,
}

/// Side of a body, the character's own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Side {
    /// In the middle, or unknown.
    Middle,
    /// Left.
    Left,
    /// Right.
    Right,
}

/// Label and side of a bone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Tag {
    pub(crate) label: Label,
    pub(crate) side: Side,
}

impl Tag {
    pub(crate) const OTHER: Self = Self { label: Label::Other, side: Side::Middle };

    pub(crate) fn new(label: Label, side: Side) -> Self {
        Self { label, side }
    }
}

/// What a name says. Some words mean different bones in different tools; what is around them decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Guess {
    Sure(Label),
    /// Bones of an arm, counted from the shoulder.
    ArmChain,
    /// Bones of a leg, counted from the hip.
    LegChain,
    /// Collar bone, or upper arm if nothing else is.
    Shoulder,
}

/// Longest name that is searched for words [bytes]: those of bones are shorter.
const LONGEST: usize = 256;
/// Words that say nothing about the part: tools, file formats, habits.
const NOISE: [&str; 17] = [
    "mixamorig",
    "def",
    "org",
    "bip",
    "cc",
    "base",
    "b",
    "bn",
    "bone",
    "jnt",
    "joint",
    "j",
    "skeleton",
    "rig",
    "armature",
    "valve",
    "biped",
];
/// Words of bones that steer others and move no vertices.
const CONTROLS: [&str; 13] =
    ["ik", "fk", "pole", "target", "ctrl", "control", "socket", "slot", "nub", "end", "effector", "attach", "handslot"];
/// First letters of words that mark bones which never become bodies of their own.
const MINOR_STARTS: [&str; 16] = [
    "twist",
    "roll",
    "finger",
    "thumb",
    "toe",
    "eye",
    "jaw",
    "lid",
    "metacarpal",
    "breast",
    "teeth",
    "tongue",
    "lip",
    "brow",
    "pinky",
    "cheek",
];
/// The same, as whole words of bones with a side.
const MINOR_WORDS: [&str; 7] = ["index", "middle", "ring", "little", "pinkie", "ball", "share"];

/// Words that others are written together with: `lefthandtwist`, `headtop`.
const JOINED: [&str; 40] = [
    "left",
    "right",
    "lft",
    "rgt",
    "upper",
    "lower",
    "fore",
    "up",
    "low",
    "mid",
    "middle",
    "top",
    "base",
    "tip",
    "end",
    "root",
    "main",
    "center",
    "centre",
    "inner",
    "outer",
    "front",
    "back",
    "rear",
    "twist",
    "roll",
    "bend",
    "bone",
    "joint",
    "jnt",
    "part",
    "helper",
    "grp",
    "ctl",
    "mixamorig",
    "valve",
    "biped",
    "l",
    "r",
    "s",
];
/// Which label a name part stands for; the first that is contained wins.
const PARTS: [(&str, Guess); 36] = [
    ("tail", Guess::Sure(Label::Tail)),
    ("forearm", Guess::Sure(Label::Forearm)),
    ("lowerarm", Guess::Sure(Label::Forearm)),
    ("lowarm", Guess::Sure(Label::Forearm)),
    ("armlower", Guess::Sure(Label::Forearm)),
    ("elbow", Guess::Sure(Label::Forearm)),
    ("upperarm", Guess::Sure(Label::UpperArm)),
    ("uparm", Guess::Sure(Label::UpperArm)),
    ("armupper", Guess::Sure(Label::UpperArm)),
    ("shldr", Guess::Sure(Label::UpperArm)),
    ("hand", Guess::Sure(Label::Hand)),
    ("wrist", Guess::Sure(Label::Hand)),
    ("palm", Guess::Sure(Label::Hand)),
    ("clavicle", Guess::Sure(Label::Clavicle)),
    ("collar", Guess::Sure(Label::Clavicle)),
    ("shoulder", Guess::Shoulder),
    ("thigh", Guess::Sure(Label::Thigh)),
    ("upleg", Guess::Sure(Label::Thigh)),
    ("upperleg", Guess::Sure(Label::Thigh)),
    ("legupper", Guess::Sure(Label::Thigh)),
    ("shin", Guess::Sure(Label::Shin)),
    ("calf", Guess::Sure(Label::Shin)),
    ("lowerleg", Guess::Sure(Label::Shin)),
    ("leglower", Guess::Sure(Label::Shin)),
    ("knee", Guess::Sure(Label::Shin)),
    ("foot", Guess::Sure(Label::Foot)),
    ("ankle", Guess::Sure(Label::Foot)),
    ("heel", Guess::Sure(Label::Foot)),
    ("neck", Guess::Sure(Label::Neck)),
    ("head", Guess::Sure(Label::Head)),
    ("skull", Guess::Sure(Label::Head)),
    ("arm", Guess::ArmChain),
    ("leg", Guess::LegChain),
    ("chest", Guess::Sure(Label::Chest)),
    ("pelvis", Guess::Sure(Label::Pelvis)),
    ("hip", Guess::Sure(Label::Pelvis)),
];
const SPINE: [&str; 6] = ["spine", "torso", "abdomen", "waist", "ribcage", "lumbar"];

/// Words of a name: parted by separators, digits and capitals; `LThigh` and `leftThigh` are two words each.
fn words(name: &str) -> Vec<String> {
    let bare: Vec<char> = name.rsplit([':', '|']).next().unwrap_or(name).chars().collect();
    let mut words = vec![String::new()];
    for (i, c) in bare.iter().enumerate() {
        let before_lower = i > 0 && bare[i - 1].is_lowercase();
        let starts_word = i > 0 && bare[i - 1].is_uppercase() && bare.get(i + 1).is_some_and(|n| n.is_lowercase());
        if !c.is_alphabetic() || (c.is_uppercase() && (before_lower || starts_word)) {
            words.push(String::new());
        }
        if let Some(word) = words.last_mut().filter(|_| c.is_alphabetic()) {
            word.extend(c.to_lowercase());
        }
    }
    words.retain(|w| !w.is_empty());
    words
}

/// The words that are left when the side is taken out, and the side.
fn sided(name: &str) -> (Vec<String>, Side) {
    let mut side = Side::Middle;
    let mut kept = Vec::new();
    for word in words(name) {
        let (found, rest) = match word.as_str() {
            "l" | "left" | "lft" | "lf" => (Side::Left, ""),
            "r" | "right" | "rgt" | "rt" => (Side::Right, ""),
            w => match (w.strip_prefix("left"), w.strip_prefix("right")) {
                (Some(rest), _) => (Side::Left, rest),
                (_, Some(rest)) => (Side::Right, rest),
                _ => (Side::Middle, w),
            },
        };
        if side == Side::Middle {
            side = found;
        }
        if !rest.is_empty() {
            kept.push(rest.to_owned());
        }
    }
    (kept, side)
}

/// What all of `names` begin with, up to a separator: the name of a character, not of a bone.
pub(crate) fn shared_prefix<'a>(mut names: impl Iterator<Item = &'a str>) -> &'a str {
    let Some(first) = names.next() else { return "" };
    let alike = |a: &str, b: &str| a.char_indices().zip(b.chars()).find(|((_, a), b)| a != b).map(|((at, _), _)| at);
    let same = names.fold(first, |same, name| &same[..alike(same, name).unwrap_or(same.len().min(name.len()))]);
    let end = same.char_indices().rev().find(|(_, c)| !c.is_alphanumeric()).map_or(0, |(at, c)| at + c.len_utf8());
    &same[..end]
}

/// Words of a name in a row, and where words of a body may begin and end in it.
struct Text {
    plain: String,
    /// Rising places in `plain` [bytes].
    seams: Vec<usize>,
}

impl Text {
    fn new<'a>(words: impl Iterator<Item = &'a str>) -> Self {
        let mut text = Self { plain: String::new(), seams: vec![0] };
        for word in words {
            let start = text.plain.len();
            text.seams.extend(seams(word).into_iter().map(|seam| start + seam));
            text.plain.push_str(word);
        }
        text
    }

    /// Whether `part` is in it from seam to seam: `arm` is in `upper arm`, and not in `farmer`.
    fn has(&self, part: &str) -> bool {
        self.plain
            .match_indices(part)
            .any(|(at, _)| self.seams.contains(&at) && self.seams.contains(&(at + part.len())))
    }
}

/// Where the known words that `word` is written of end; its own end alone if there is anything else in it.
fn seams(word: &str) -> Vec<usize> {
    let known =
        || PARTS.iter().map(|(part, _)| *part).chain(SPINE).chain(JOINED).chain(MINOR_STARTS).chain(MINOR_WORDS);
    // The last known word of a way to each place; ways are made longer from the left.
    let mut from = vec![None; word.len() + 1];
    for at in (0..word.len()).filter(|at| word.is_char_boundary(*at)) {
        if at > 0 && from[at].is_none() {
            continue;
        }
        // A plural ends a word and begins none.
        let fits = |k: &&str| word[at..].starts_with(k) && (at > 0 || *k != "s");
        for end in known().filter(fits).map(|k| at + k.len()) {
            from[end] = from[end].or(Some(at));
        }
    }
    let mut ends = vec![word.len()];
    while let Some(at) = ends.last().and_then(|end| from[*end]).filter(|at| *at > 0) {
        ends.push(at);
    }
    ends.reverse();
    ends
}

/// What `name` says about its bone, and the side.
pub(crate) fn guess(name: &str) -> (Guess, Side) {
    if name.len() > LONGEST {
        return (Guess::Sure(Label::Other), Side::Middle);
    }
    let (words, side) = sided(name);
    let other = (Guess::Sure(Label::Other), side);
    if words.iter().any(|w| CONTROLS.contains(&w.as_str())) {
        return other;
    }
    let text = Text::new(words.iter().map(String::as_str).filter(|w| !NOISE.contains(w)));
    let starts = |w: &String| MINOR_STARTS.iter().any(|start| w.starts_with(start));
    let minor = words.iter().any(|w| starts(w) || (side != Side::Middle && MINOR_WORDS.contains(&w.as_str())));
    if text.has("neck") {
        return (Guess::Sure(Label::Neck), side);
    }
    if minor {
        return (Guess::Sure(Label::Minor), side);
    }
    if SPINE.iter().any(|part| text.has(part)) {
        return (Guess::Sure(Label::Spine), side);
    }
    match PARTS.iter().find(|(part, _)| text.has(part)).map(|(_, guess)| *guess) {
        // A hip with a side is where a thigh begins; a pelvis with a side is a helper.
        Some(Guess::Sure(Label::Pelvis)) if side != Side::Middle && text.plain.starts_with("hip") => {
            (Guess::Sure(Label::Thigh), side)
        }
        Some(Guess::Sure(Label::Pelvis)) if side != Side::Middle => other,
        Some(found) => (found, side),
        None => other,
    }
}

/// What `name` says about its bone, and the side, if it is one that may be a limb of its own.
pub(crate) fn bone(name: &str) -> Option<(Guess, Side)> {
    let found = guess(name);
    (!matches!(found.0, Guess::Sure(Label::Minor | Label::Tail | Label::Other))).then_some(found)
}

/// How many of the [`REQUIRED`] bones are among `names`, wherever they hang.
pub(crate) fn required<'a>(names: impl Iterator<Item = &'a str>) -> usize {
    let wanted = |(guess, side): &(Guess, Side)| match guess {
        Guess::Sure(Label::Pelvis | Label::Spine | Label::Head) => *side == Side::Middle,
        Guess::Sure(Label::Neck | Label::Clavicle) | Guess::Shoulder => false,
        _ => *side != Side::Middle,
    };
    let one_spine = |found: (Guess, Side)| {
        if found.0 == Guess::Sure(Label::Chest) { (Guess::Sure(Label::Spine), found.1) } else { found }
    };
    names.filter_map(bone).map(one_spine).filter(wanted).collect::<HashSet<_>>().len()
}

impl Label {
    /// Word for tables.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Pelvis => "pelvis",
            Self::Spine => "spine",
            Self::Chest => "chest",
            Self::Neck => "neck",
            Self::Head => "head",
            Self::Clavicle => "clavicle",
            Self::UpperArm => "upper arm",
            Self::Forearm => "forearm",
            Self::Hand => "hand",
            Self::Thigh => "thigh",
            Self::Shin => "shin",
            Self::Foot => "foot",
            Self::Minor | Self::Other => "part",
            Self::Tail => "tail",
        }
    }
}

impl Side {
    /// Word before a label's, with its space.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Middle => "",
            Self::Left => "left ",
            Self::Right => "right ",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_of_words_are_no_parts_of_bodies() {
        let sure = |label, side| (Guess::Sure(label), side);
        for (name, found) in [
            ("Farmer_LeftLeg", (Guess::LegChain, Side::Left)),
            ("Headless_LeftArm", (Guess::ArmChain, Side::Left)),
            ("Footman_RightLeg", (Guess::LegChain, Side::Right)),
            ("Farmer_Hips", sure(Label::Pelvis, Side::Middle)),
            ("whip_3", sure(Label::Other, Side::Middle)),
            ("ship", sure(Label::Other, Side::Middle)),
            ("armor_L", sure(Label::Other, Side::Left)),
            ("necklace", sure(Label::Other, Side::Middle)),
            ("leftlowerarm", sure(Label::Forearm, Side::Left)),
            ("bip01_lupperarm", sure(Label::UpperArm, Side::Middle)),
            ("lhipjoint", sure(Label::Pelvis, Side::Middle)),
            ("upperarmtwist.R", sure(Label::UpperArm, Side::Right)),
            ("hands", sure(Label::Hand, Side::Middle)),
            ("headtop", sure(Label::Head, Side::Middle)),
        ] {
            assert_eq!(guess(name), found, "{name}");
        }
    }

    #[test]
    fn bones_of_a_person_are_counted_once() {
        let count = |names: &[&'static str]| required(names.iter().copied());
        let figure = ["Head", "Body", "LeftArm", "RightArm", "LeftLeg", "RightLeg"];
        assert_eq!(count(&figure), 5);
        assert_eq!(count(&["Chest", "Spine", "Spine2", "LeftShoulder", "Neck", "Eye.L", "Tail"]), 1);
        assert_eq!(count(&["mixamorig:LeftForeArm", "mixamorig:LeftArm", "LeftHand", "forearm.L", "Foot"]), 3);
    }

    #[test]
    fn a_prefix_ends_at_a_separator() {
        let shared = |names: &[&'static str]| shared_prefix(names.iter().copied());
        assert_eq!(shared(&["Arm_Head", "Arm_Hips", "Arm_Hand"]), "Arm_");
        assert_eq!(shared(&["Bip01 L Hand", "Bip01 L Foot"]), "Bip01 L ");
        assert_eq!(shared(&["Hände", "Häupt"]), "");
        assert_eq!(shared(&["ä_1", "ö_1"]), "");
        assert_eq!(shared(&[]), "");
    }

    #[test]
    fn names_of_many_tools_are_understood() {
        use Label::*;
        for (name, label, side) in [
            ("mixamorig:LeftForeArm", Forearm, Side::Left),
            ("mixamorig:LeftUpLeg", Thigh, Side::Left),
            ("mixamorigRightHandIndex1", Minor, Side::Right),
            ("mixamorig:HeadTop_End", Other, Side::Middle),
            ("Bip01 L Calf", Shin, Side::Left),
            ("Bip001 R UpperArm", UpperArm, Side::Right),
            ("CC_Base_L_ThighTwist01", Minor, Side::Left),
            ("CC_Base_NeckTwist01", Neck, Side::Middle),
            ("CC_Base_Hip", Pelvis, Side::Middle),
            ("J_Bip_C_UpperChest", Chest, Side::Middle),
            ("DEF-shin.R", Shin, Side::Right),
            ("DEF-pelvis.L", Other, Side::Left),
            ("thigh_l", Thigh, Side::Left),
            ("LThigh", Thigh, Side::Left),
            ("lowerarm_twist_01_r", Minor, Side::Right),
            ("LeftHip", Thigh, Side::Left),
            ("handslot.l", Other, Side::Left),
            ("kneeIK.l", Other, Side::Left),
            ("toes.l", Minor, Side::Left),
            ("b_Spine01_02", Spine, Side::Middle),
            ("Armature", Other, Side::Middle),
            ("scroll_01", Other, Side::Middle),
            ("Bone.003", Other, Side::Middle),
        ] {
            assert_eq!(guess(name), (Guess::Sure(label), side), "{name}");
        }
        assert_eq!(guess("Skeleton_arm_joint_L__3_"), (Guess::ArmChain, Side::Left));
        assert_eq!(guess("leg_joint_R_1"), (Guess::LegChain, Side::Right));
        assert_eq!(guess("RightShoulder"), (Guess::Shoulder, Side::Right));
    }
}
