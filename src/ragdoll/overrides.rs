//! A user's changes to a ragdoll: a RON file that `sinew inspect --write` makes from a plan and `--ragdoll` reads back.

use std::collections::{BTreeMap, HashMap};
use std::fmt::Write;
use std::path::{Path, PathBuf};

use glam::Vec3;
use ron::extensions::Extensions;
use serde::de::{Error, MapAccess, Visitor};
use serde::{Deserialize, Deserializer};

use super::error::OverrideError;

use super::limits::{DEGREE, Ranges, lock};
use super::plan::{PlannedJoint, RagdollPlan};
use super::regions::Choice;
use super::rig::Rig;
use crate::files;
use crate::import::{Asset, AssetJoint};
use crate::scene::{JointKind, Limits};

/// Letters of a bone's name that a message tells.
const LONGEST_NAME: usize = 80;

/// The changes to a ragdoll that a file asks for, by bone.
#[derive(Clone, Debug, Default)]
pub struct Overrides {
    file: PathBuf,
    text: String,
    bones: BTreeMap<String, Wish>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename = "a file of changes")]
struct Document {
    #[serde(deserialize_with = "each_once")]
    bones: BTreeMap<String, Wish>,
}

/// Bones that are named once each.
fn each_once<'de, D: Deserializer<'de>>(deserializer: D) -> Result<BTreeMap<String, Wish>, D::Error> {
    struct Bones;
    impl<'de> Visitor<'de> for Bones {
        type Value = BTreeMap<String, Wish>;

        fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            f.write_str("bones by name, as in {\"Hips\": Keep()}")
        }

        fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
            let mut bones = BTreeMap::new();
            while let Some((bone, wish)) = map.next_entry::<String, Wish>()? {
                let name: String = bone.escape_debug().take(LONGEST_NAME).collect();
                if bones.insert(bone, wish).is_some() {
                    return Err(A::Error::custom(format!("the bone \"{name}\" is there twice")));
                }
            }
            Ok(bones)
        }
    }
    deserializer.deserialize_map(Bones)
}

/// What shall become of a bone.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
enum Wish {
    /// A body of its own.
    Keep {
        /// [kg]
        mass: Option<f32>,
        joint: Option<JointWish>,
    },
    /// Part of the body above it.
    Merge,
}

/// The joint to the body above; angles in degrees from the rest pose.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
enum JointWish {
    Ball {
        forward: (f32, f32),
        side: (f32, f32),
        twist: (f32, f32),
    },
    Hinge {
        range: (f32, f32),
        axis: Option<(f32, f32, f32)>,
    },
    /// Swings as far to both sides as given, and does not twist.
    Universal {
        forward: f32,
        side: f32,
    },
    Stiff,
}

impl Overrides {
    /// Reads a file.
    ///
    /// # Errors
    /// [`OverrideError`] naming the file, the line and the element: unreadable, not RON, an unknown field, or an angle
    /// or mass out of range.
    pub fn load(file: &Path) -> Result<Self, OverrideError> {
        let error = |line, problem| OverrideError { file: file.to_owned(), line, problem };
        let text = files::read_text(file).map_err(|e| error(0, format!("cannot be read: {e}")))?;
        Self::parse(file, text)
    }

    /// Reads the text of a file, which is only named in messages.
    ///
    /// # Errors
    /// As [`Overrides::load`].
    pub fn parse(file: &Path, text: String) -> Result<Self, OverrideError> {
        let options = ron::Options::default().with_default_extension(Extensions::IMPLICIT_SOME);
        let document: Document = options.from_str(&text).map_err(|e| OverrideError {
            file: file.to_owned(),
            line: e.span.start.line,
            problem: match e.code {
                _ if text.trim().is_empty() => "is empty".to_owned(),
                ron::Error::ExpectedNamedStructLike(_) => "begins with no parenthesis".to_owned(),
                code => code.to_string(),
            } + "; `sinew inspect MODEL --write FILE.ron` writes one that works",
        })?;
        let overrides = Self { file: file.to_owned(), text, bones: document.bones };
        overrides.bones.iter().try_for_each(|(bone, wish)| overrides.check(bone, wish))?;
        Ok(overrides)
    }

    /// That nothing has the bones that are changed, if any are.
    pub(super) fn check_rigid(&self) -> Result<(), OverrideError> {
        match self.bones.keys().next() {
            Some(bone) => Err(self.error(bone, "the model has no bones; it is one rigid body".into())),
            None => Ok(()),
        }
    }

    /// The text that it was read from; empty for no changes.
    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    fn error(&self, bone: &str, problem: String) -> OverrideError {
        let found = self.text.find(&format!("\"{bone}\""));
        let line = found.map_or(0, |at| 1 + self.text[..at].matches('\n').count());
        // Behind a forgotten quotation mark a name goes on over the lines that follow.
        let name: String = bone.escape_debug().take(LONGEST_NAME).collect();
        OverrideError { file: self.file.clone(), line, problem: format!("bone \"{name}\": {problem}") }
    }

    fn check(&self, bone: &str, wish: &Wish) -> Result<(), OverrideError> {
        let Wish::Keep { mass, joint } = wish else { return Ok(()) };
        if let Some(mass) = mass.filter(|m| !(m.is_finite() && *m > 0.0)) {
            return Err(self.error(bone, format!("mass is {mass} kg; it must be above 0")));
        }
        let ranges = match joint {
            Some(JointWish::Ball { forward, side, twist }) => {
                vec![("forward", forward), ("side", side), ("twist", twist)]
            }
            Some(JointWish::Hinge { range, .. }) => vec![("range", range)],
            Some(JointWish::Universal { .. } | JointWish::Stiff) | None => Vec::new(),
        };
        if let Some(JointWish::Universal { forward, side }) = joint {
            for (field, angle) in [("forward", forward), ("side", side)] {
                if !(1.0..=170.0).contains(angle) {
                    return Err(self.error(bone, format!("{field} is {angle}; it must be an angle from 1 to 170")));
                }
            }
        }
        for (field, (low, high)) in ranges {
            // A swing may be about a middle far to one side.
            let swings = ["forward", "side"].contains(&field);
            let (most, allowed) = match swings {
                true => (360.0, "two angles from -360 to 360, the lesser first, with no more than 360 between them"),
                false => (180.0, "two angles from -180 to 180, the lesser first"),
            };
            if !(low.abs() <= most && high.abs() <= most && low <= high && high - low <= 360.0) {
                return Err(self.error(bone, format!("{field} is ({low}, {high}); it must be {allowed}")));
            }
            if field == "twist" && !(*low <= 0.0 && *high >= 0.0) {
                return Err(self.error(bone, format!("twist is ({low}, {high}); it must hold 0, the rest pose")));
            }
        }
        if let Some(JointWish::Hinge { axis: Some((x, y, z)), .. }) = joint {
            let axis = Vec3::new(*x, *y, *z);
            if !(axis.is_finite() && axis.length() > 1.0e-6) {
                return Err(self.error(bone, format!("axis is {axis}; it must have a length")));
            }
        }
        Ok(())
    }

    /// What was decided about joints.
    pub(super) fn choices(&self, rig: &Rig<'_>) -> Result<HashMap<usize, Choice>, OverrideError> {
        let mut choices = HashMap::new();
        let keys = if self.bones.is_empty() { Vec::new() } else { keys(rig.asset) };
        for (bone, wish) in &self.bones {
            let joint = keys.iter().position(|key| key == bone);
            let joint = joint.ok_or_else(|| self.error(bone, unknown(&keys, bone)))?;
            let keep = matches!(wish, Wish::Keep { .. });
            if keep && rig.vertices[joint].is_empty() {
                return Err(self.error(bone, "moves no vertices, so it cannot be a body; remove this line".into()));
            }
            choices.insert(joint, if keep { Choice::Keep } else { Choice::Merge });
        }
        Ok(choices)
    }

    /// That each joint that is asked for is there: `children` are the asset joints of all bodies that hang on one.
    pub(super) fn check_joints(
        &self,
        asset: &Asset,
        children: impl Iterator<Item = usize>,
    ) -> Result<(), OverrideError> {
        let wished = |wish: &Wish| matches!(wish, Wish::Keep { joint: Some(_), .. });
        let mut bones: Vec<&String> =
            self.bones.iter().filter(|(_, wish)| wished(wish)).map(|(bone, _)| bone).collect();
        if bones.is_empty() {
            return Ok(());
        }
        let keys = keys(asset);
        children.for_each(|child| bones.retain(|bone| **bone != keys[child]));
        match bones.first() {
            Some(bone) => {
                let told = "it is the root body, which has no joint; remove `joint`";
                Err(self.error(bone, told.into()))
            }
            None => Ok(()),
        }
    }

    /// Changes the joint whose child is carried by asset joint `child`. `across` is the hinge axis where none is known.
    pub(super) fn shape(&self, asset: &Asset, child: usize, across: Vec3, joint: &mut PlannedJoint) {
        let Some(Wish::Keep { joint: Some(wish), .. }) = self.wish(asset, child) else { return };
        let range = |(low, high): (f32, f32)| [low * DEGREE, high * DEGREE];
        match *wish {
            JointWish::Stiff => lock(joint),
            JointWish::Universal { forward, side } => {
                joint.open();
                joint.kind = JointKind::Universal;
                joint.center = glam::Quat::IDENTITY;
                let (swing_y, swing_z) = (side * DEGREE, forward * DEGREE);
                joint.limits = Limits::SwingTwist { swing_y, swing_z, twist_min: 0.0, twist_max: 0.0 };
            }
            JointWish::Ball { forward, side, twist } => {
                joint.open();
                Ranges { forward: range(forward), side: range(side), twist: range(twist) }.apply_narrow(joint);
            }
            JointWish::Hinge { range: (low, high), axis } => {
                let wanted = axis.map(Vec3::from).or_else(|| (joint.kind != JointKind::Hinge).then_some(across));
                if let Some(axis) = wanted {
                    joint.open();
                    let bone = joint.axis;
                    joint.axis = axis.normalize();
                    joint.up = bone;
                }
                joint.kind = JointKind::Hinge;
                joint.center = glam::Quat::IDENTITY;
                joint.limits = Limits::Hinge { min: low * DEGREE, max: high * DEGREE };
            }
        }
    }

    /// The mass [kg] asked for the body that asset joint `joint` carries.
    pub(super) fn mass(&self, asset: &Asset, joint: usize) -> Option<f32> {
        match self.wish(asset, joint)? {
            Wish::Keep { mass, .. } => *mass,
            Wish::Merge => None,
        }
    }

    fn wish(&self, asset: &Asset, joint: usize) -> Option<&Wish> {
        if self.bones.is_empty() { None } else { self.bones.get(&keys(asset)[joint]) }
    }
}

/// Names of all joints in a file of changes: their own, with their number where others are called the same.
fn keys(asset: &Asset) -> Vec<String> {
    let mut counts: HashMap<&str, usize> = HashMap::new();
    asset.joints.iter().for_each(|j| *counts.entry(&j.name).or_default() += 1);
    let key = |(index, joint): (usize, &AssetJoint)| match counts[joint.name.as_str()] {
        1 => joint.name.clone(),
        _ => format!("{}#{index}", joint.name),
    };
    asset.joints.iter().enumerate().map(key).collect()
}

fn unknown(keys: &[String], bone: &str) -> String {
    let likeness = |key: &&String| strsim::jaro_winkler(bone, key);
    let near = keys.iter().max_by(|a, b| likeness(a).total_cmp(&likeness(b)));
    near.map_or("the model has no bones".into(), |near| format!("the model has no such bone; did you mean \"{near}\"?"))
}

impl RagdollPlan {
    /// The plan as a file of changes that gives the same plan again, to be edited.
    pub fn to_ron(&self, asset: &Asset) -> String {
        let mut out = format!("// The ragdoll of {}. Edit it and pass it with --ragdoll FILE.\n", self.name);
        out += "// Bones that are not listed are decided automatically. Masses in kg; angles in degrees from the rest pose.\n";
        out += "// A joint is Ball(forward: (least, most), side: (..), twist: (..)), Hinge(range: (..)),\n";
        out += "// Universal(forward: most, side: most), which does not twist, or Stiff.\n";
        out += "(\n    bones: {\n";
        let (moves, keys) = (Rig::new(asset), keys(asset));
        for (index, body) in self.bodies.iter().enumerate() {
            let Some(carrier) = body.joint else { continue };
            let _ = write!(out, "        {:?}: Keep(mass: {}", keys[carrier], body.desc.mass);
            if let Some(joint) = self.joints.iter().find(|j| j.child == index) {
                let _ = write!(out, ", joint: {}", wish(joint));
            }
            out += "),\n";
            for joint in body.merged.iter().filter(|j| !moves.vertices[**j].is_empty()) {
                let _ = writeln!(out, "        {:?}: Merge,", keys[*joint]);
            }
        }
        out + "    },\n)\n"
    }
}

/// A joint as it stands in a file of changes.
fn wish(joint: &PlannedJoint) -> String {
    let angle = |radians: f32| rounded(radians / DEGREE, 1e3);
    let pair = |[low, high]: [f32; 2]| format!("({}, {})", angle(low), angle(high));
    match (joint.limits, Ranges::of(joint)) {
        (Limits::SwingTwist { swing_y, swing_z, .. }, _) if joint.kind == JointKind::Universal => {
            format!("Universal(forward: {}, side: {})", angle(swing_z), angle(swing_y))
        }
        (Limits::Hinge { min, max }, _) => {
            let [x, y, z] = joint.axis.to_array().map(|part| rounded(part, 1e6));
            format!("Hinge(range: {}, axis: ({x}, {y}, {z}))", pair([min, max]))
        }
        (_, Some(r)) => format!("Ball(forward: {}, side: {}, twist: {})", pair(r.forward), pair(r.side), pair(r.twist)),
        _ => "Stiff".into(),
    }
}

/// A number to the nearest of so many in one, without a sign of zero.
fn rounded(value: f32, of_one: f32) -> f32 {
    (value * of_one).round() / of_one + 0.0
}
