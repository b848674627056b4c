//! What a bone is, read from its name. Names only refine the limits: a character without them is built all the same.

/// Part of a body that a bone moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Label {
    /// Hips.
    Pelvis,
    /// Spine, chest.
    Spine,
    /// Collar bone.
    Clavicle,
    /// Neck and head.
    Head,
    /// Upper arm.
    UpperArm,
    /// Forearm: hinged at the elbow.
    Forearm,
    /// Hand.
    Hand,
    /// Thigh.
    Thigh,
    /// Shin: hinged at the knee.
    Shin,
    /// Foot.
    Foot,
    /// Tail.
    Tail,
    /// Anything else.
    Other,
}

/// First letters of words that mark bones which never become bodies of their own.
const ALWAYS_MERGED: [&str; 8] = ["twist", "roll", "finger", "thumb", "toe", "eye", "jaw", "lid"];

/// The name without its namespace.
fn bare(name: &str) -> &str {
    name.rsplit(':').next().unwrap_or(name)
}

/// The name in lower case without namespace, separators and digits.
fn plain(name: &str) -> String {
    bare(name).to_lowercase().chars().filter(|c| c.is_alphabetic()).collect()
}

/// Words of a name: parted by separators, digits and capitals.
fn words(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut before_lower = false;
    for c in bare(name).chars() {
        if !c.is_alphabetic() || (c.is_uppercase() && before_lower) {
            words.push(String::new());
        }
        if let Some(word) = words.last_mut().filter(|_| c.is_alphabetic()) {
            word.extend(c.to_lowercase());
        }
        before_lower = c.is_lowercase();
    }
    words
}

/// Whether a bone of this name always becomes part of its parent.
pub(super) fn always_merged(name: &str) -> bool {
    words(name).iter().any(|word| ALWAYS_MERGED.iter().any(|start| word.starts_with(start)))
}

impl Label {
    /// Label of the bone `name` whose parent body is labelled `parent`.
    pub(super) fn of(name: &str, parent: Option<Self>) -> Self {
        let plain = plain(name);
        let has = |words: &[&str]| words.iter().any(|word| plain.contains(word));
        match () {
            () if has(&["tail"]) => Self::Tail,
            () if has(&["forearm", "lowerarm", "elbow"]) => Self::Forearm,
            () if has(&["upperarm", "uparm"]) => Self::UpperArm,
            () if has(&["hand", "wrist", "palm"]) => Self::Hand,
            () if has(&["clavicle", "collar", "shoulder"]) => Self::Clavicle,
            () if has(&["thigh", "upleg", "upperleg"]) => Self::Thigh,
            () if has(&["shin", "calf", "lowerleg", "knee"]) => Self::Shin,
            () if has(&["foot", "ankle", "heel"]) => Self::Foot,
            () if has(&["head", "neck", "skull"]) => Self::Head,
            // `armature` is a skeleton's root, not an arm.
            () if has(&["arm"]) && !has(&["armature"]) => match parent {
                Some(Self::UpperArm) => Self::Forearm,
                Some(Self::Forearm) => Self::Hand,
                _ => Self::UpperArm,
            },
            () if has(&["leg"]) => match parent {
                Some(Self::Thigh) => Self::Shin,
                Some(Self::Shin | Self::Foot) => Self::Foot,
                _ => Self::Thigh,
            },
            () if has(&["pelvis", "hips"]) => Self::Pelvis,
            () if has(&["spine", "chest", "torso", "abdomen", "waist"]) => {
                if parent.is_none() {
                    Self::Pelvis
                } else {
                    Self::Spine
                }
            }
            () => Self::Other,
        }
    }

    /// Word for `describe`.
    pub(super) fn word(self) -> &'static str {
        match self {
            Self::Pelvis => "pelvis",
            Self::Spine => "spine",
            Self::Clavicle => "clavicle",
            Self::Head => "head",
            Self::UpperArm => "upper arm",
            Self::Forearm => "forearm",
            Self::Hand => "hand",
            Self::Thigh => "thigh",
            Self::Shin => "shin",
            Self::Foot => "foot",
            Self::Tail => "tail",
            Self::Other => "part",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn common_rigs_are_understood() {
        for (name, parent, label) in [
            ("mixamorig:LeftForeArm", None, Label::Forearm),
            ("mixamorig:LeftUpLeg", None, Label::Thigh),
            ("mixamorig:LeftLeg", Some(Label::Thigh), Label::Shin),
            ("upperarm.l", None, Label::UpperArm),
            ("DEF-shin.R", None, Label::Shin),
            ("Skeleton_arm_joint_L__3_", Some(Label::UpperArm), Label::Forearm),
            ("leg_L", Some(Label::Spine), Label::Thigh),
            ("Armature", None, Label::Other),
            ("Bone.003", Some(Label::Other), Label::Other),
        ] {
            assert_eq!(Label::of(name, parent), label, "{name}");
        }
        assert!(always_merged("LeftHandThumb2") && always_merged("toes.l") && !always_merged("scroll_01"));
    }
}
