//! Rendering quality.

use crate::gpu::Context;

/// How much work a picture may be: chosen when a [`Renderer`](super::Renderer) is made.
///
/// | | `Low` | `High` |
/// |---|---|---|
/// | pixels | two thirds of the target's width and height, stretched | as many as the target has |
/// | edges | one sample a pixel: steps show | four samples; on software adapters one, and smoothed afterwards |
/// | skins | details smaller than two pixels, where the camera looks at, become one | smaller than about one pixel |
/// | sun | a map of 1024 texels, one look a pixel | 4096 texels (2048 on software adapters), sixteen texels a pixel |
/// | light | sun and sky on what is dull, and highlights | physically based, mirrors the sky |
/// | ambient occlusion | none | looked for at every other pixel |
/// | ground and sky | plain | stained and tiled, with clouds |
/// | grains | balls | a surface of smaller grains |
///
/// What is drawn, its colors, textures, shadows and liquids are the same.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Quality {
    /// For slow adapters, so that a window still moves.
    Low,
    /// For pictures, films, and windows on graphics cards.
    #[default]
    High,
}

impl Quality {
    /// What suits an adapter before anything was measured on it: low on the processor, high on graphics cards.
    pub fn of(context: &Context) -> Self {
        if context.info().kind == "software" { Self::Low } else { Self::High }
    }

    /// Samples of a pixel of the picture. Where each is the processor's work, edges are smoothed afterwards instead.
    pub(super) fn samples(self, context: &Context) -> u32 {
        match self {
            Self::High if context.info().kind != "software" => 4,
            Self::Low | Self::High => 1,
        }
    }

    /// Size of the picture for a target of some size, both [pixels].
    pub(super) fn picture_size(self, (width, height): (u32, u32)) -> (u32, u32) {
        let part = |side: u32| match self {
            Self::Low => (2 * side).div_ceil(3),
            Self::High => side,
        };
        (part(width), part(height))
    }

    /// Width of what need not be drawn apart: in the sun's depth map, whose shadows are soft over four texels at high
    /// quality, [texels], and in the picture, where the camera looks at, [pixels].
    pub(super) fn coarseness(self) -> [f32; 2] {
        match self {
            Self::Low => [2.0, 2.0],
            Self::High => [3.0, 1.2],
        }
    }

    /// Width of the sun's depth map [texels]: as fine as the adapter draws in good time.
    pub(super) fn map_size(self, context: &Context) -> u32 {
        match self {
            Self::Low => 1024,
            Self::High if context.info().kind == "software" => 2048,
            Self::High => 4096,
        }
    }

    /// Whether ambient occlusion is looked for.
    pub(super) fn occludes(self) -> bool {
        self == Self::High
    }
}
