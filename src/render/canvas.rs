//! Render targets: formats, samples, and depth order. The renderer's own, or a host's.

use wgpu::{CompareFunction, TextureFormat};

use super::quality::Quality;
use crate::gpu::Context;

/// Format of the picture before it is presented: linear in the shaders, blended in linear light.
pub(super) const PICTURE_FORMAT: TextureFormat = TextureFormat::Rgba8UnormSrgb;
/// Format of depth.
pub(super) const DEPTH_FORMAT: TextureFormat = TextureFormat::Depth32Float;

/// What a picture is drawn into, and how well.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Canvas {
    pub(super) quality: Quality,
    /// Whether it is a host's, which is drawn over, not the renderer's own.
    pub(super) host: bool,
    /// Format of its colors.
    pub(super) color: TextureFormat,
    /// Format of its depth.
    pub(super) depth: TextureFormat,
    /// Samples of a pixel.
    pub(super) samples: u32,
    /// Whether what is nearer has less depth, not more.
    pub(super) near_is_less: bool,
    /// Whether its colors are radiance, not what a display shows.
    pub(super) radiance: bool,
    /// Whether shaders write the display's coding, because the format does not.
    pub(super) coded: bool,
}

impl Canvas {
    /// The renderer's own picture.
    pub(super) fn own(context: &Context, quality: Quality) -> Self {
        Self {
            quality,
            host: false,
            color: PICTURE_FORMAT,
            depth: DEPTH_FORMAT,
            samples: quality.samples(context),
            near_is_less: false,
            radiance: false,
            coded: false,
        }
    }

    /// Samples of a pixel of what passes over the screen read: of a host's picture they have a copy with one.
    pub(super) fn screen_samples(self) -> u32 {
        if self.host { 1 } else { self.samples }
    }

    /// How depth is compared, given for depth that is greater where it is nearer.
    pub(super) fn compare(self, reversed: CompareFunction) -> CompareFunction {
        match (self.near_is_less, reversed) {
            (true, CompareFunction::Greater) => CompareFunction::Less,
            (true, CompareFunction::GreaterEqual) => CompareFunction::LessEqual,
            (_, other) => other,
        }
    }
}
