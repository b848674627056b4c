//! Animation clips as the file stores them: keys of node channels, not sampled.

use gltf::json::animation::{Interpolation as Between, Property};
use gltf::json::validation::Checked;
use serde::{Deserialize, Serialize};

use super::Fault;
use super::accessor::Reader;
use super::container::NONE;

/// What a channel moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ChannelPath {
    /// Translation in the file's units, 3 numbers a key.
    Translation,
    /// Rotation quaternion xyzw, 4 numbers a key.
    Rotation,
    /// Scale, 3 numbers a key.
    Scale,
    /// Weights of the mesh's morph targets.
    MorphWeights,
}

/// How values between keys are found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Interpolation {
    /// The value of the key before.
    Step,
    /// Straight, or along the shorter arc for rotations.
    Linear,
    /// Cubic Hermite: in-tangent, value and out-tangent at every key.
    CubicSpline,
}

/// Keys of one property of one node.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Channel {
    /// Index into [`super::Asset::nodes`].
    pub node: usize,
    /// The property.
    pub path: ChannelPath,
    /// Between the keys.
    pub interpolation: Interpolation,
    /// Key times [s], rising.
    #[serde(with = "crate::pack")]
    pub times: Vec<f32>,
    /// Values, the same number for every key; three times as many for cubic splines.
    #[serde(with = "crate::pack")]
    pub values: Vec<f32>,
}

/// A named motion.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Clip {
    /// Name in the file, or `clip 3`.
    pub name: String,
    /// Its channels.
    pub channels: Vec<Channel>,
    /// Time of the last key [s].
    pub duration: f32,
}

/// All clips of the file. Channels without a node are left out.
pub(super) fn read(reader: &Reader<'_>, warnings: &mut Vec<String>) -> Result<Vec<Clip>, Fault> {
    let root = reader.container.root();
    let mut clips = Vec::with_capacity(root.animations.len());
    for (index, animation) in root.animations.iter().enumerate() {
        let name = animation.name.clone().filter(|n| !n.is_empty()).unwrap_or_else(|| format!("clip {index}"));
        let mut channels = Vec::with_capacity(animation.channels.len());
        for number in 0..animation.channels.len() {
            channels.extend(channel(reader, index, number)?);
        }
        if channels.iter().any(|channel| channel.path == ChannelPath::MorphWeights) {
            warnings.push(format!("`{name}` moves morph targets, which stay as they are in the rest pose"));
        }
        let duration = channels.iter().filter_map(|c| c.times.last().copied()).fold(0.0, f32::max);
        clips.push(Clip { name, channels, duration });
    }
    Ok(clips)
}

fn channel(reader: &Reader<'_>, clip: usize, number: usize) -> Result<Option<Channel>, Fault> {
    let root = reader.container.root();
    let element = format!("animation {clip} channel {number}");
    let animation = &root.animations[clip];
    let source = &animation.channels[number];
    let node = source.target.node.value();
    if node == NONE {
        return Ok(None);
    }
    if node >= root.nodes.len() {
        return Err(Fault::missing(&element, "node", node, root.nodes.len()));
    }
    let (path, width) = match source.target.path {
        Checked::Valid(Property::Translation) => (ChannelPath::Translation, 3),
        Checked::Valid(Property::Rotation) => (ChannelPath::Rotation, 4),
        Checked::Valid(Property::Scale) => (ChannelPath::Scale, 3),
        Checked::Valid(Property::MorphTargetWeights) => (ChannelPath::MorphWeights, 1),
        Checked::Invalid => return Ok(None),
    };
    let (index, count) = (source.sampler.value(), animation.samplers.len());
    let sampler = animation.samplers.get(index).ok_or_else(|| Fault::missing(&element, "sampler", index, count))?;
    let interpolation = match sampler.interpolation {
        Checked::Valid(Between::Linear) => Interpolation::Linear,
        Checked::Valid(Between::Step) => Interpolation::Step,
        Checked::Valid(Between::CubicSpline) => Interpolation::CubicSpline,
        Checked::Invalid => {
            let other = reader.container.written(&format!("/animations/{clip}/samplers/{index}/interpolation"));
            return Err(Fault::invalid(element, format!("interpolation {other} does not exist")));
        }
    };
    let times = reader.floats(sampler.input.value(), &[1])?.data;
    let values = reader.floats(sampler.output.value(), &[width])?.data;
    if times.windows(2).any(|t| t[1] < t[0]) {
        return Err(Fault::invalid(element, "its times do not rise"));
    }
    let keys = times.len() * if interpolation == Interpolation::CubicSpline { 3 } else { 1 };
    let whole = if path == ChannelPath::MorphWeights { values.len() % keys == 0 } else { values.len() == keys * width };
    if !whole {
        return Err(Fault::invalid(element, format!("{} times do not fit {} values", times.len(), values.len())));
    }
    Ok(Some(Channel { node, path, interpolation, times, values }))
}
