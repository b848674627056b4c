//! Layers: what collides with what, and what passes through what.

use serde::{Deserialize, Serialize};

/// Classes of things that share their layers, the default among them.
pub(crate) const CLASSES: usize = 16;

/// The layers that a thing is of, and those that it meets, a bit for each. Two things meet if each is of a layer that the other
/// meets; what is in one piece, and liquids of the same layers, meet themselves whatever these are. The default is of all layers and
/// meets all.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Layers {
    /// Layers that it is of.
    pub of: u32,
    /// Layers that it meets.
    pub meets: u32,
}

impl Default for Layers {
    fn default() -> Self {
        Self { of: u32::MAX, meets: u32::MAX }
    }
}

impl Layers {
    /// Whether a thing of these layers is of one of a mask at least; of a full mask it always is.
    pub(crate) fn are_any_of(self, mask: u32) -> bool {
        mask == u32::MAX || self.of & mask != 0
    }

    /// Whether two things of these layers meet.
    pub fn meet(self, other: Self) -> bool {
        self.of & other.meets != 0 && other.of & self.meets != 0
    }
}

/// For each class of layers the classes that it meets, 16 bits each: see `shaders/common/layers.wgsl`.
pub(crate) fn classes_meet(classes: &[Layers]) -> [[u32; 4]; 2] {
    let mut words = [[0; 4]; 2];
    for (i, own) in classes.iter().enumerate().take(CLASSES) {
        for (j, _) in classes.iter().enumerate().take(CLASSES).filter(|(_, other)| own.meet(**other)) {
            words[i / 8][i / 2 % 4] |= 1 << (16 * (i % 2) + j);
        }
    }
    words
}

/// A bit for each class that fits.
pub(crate) fn classes_that(classes: &[Layers], fits: impl Fn(Layers) -> bool) -> u32 {
    classes.iter().zip(0..).filter(|(layers, _)| fits(**layers)).fold(0, |bits, (_, class)| bits | 1 << class)
}

/// The number of these layers among those of a scene.
pub(crate) fn class_of(classes: &[Layers], layers: Layers) -> u32 {
    classes.iter().position(|class| *class == layers).unwrap_or(0) as u32
}
