//! What distinguishes the pipelines of the renderer: where each draws, and from which vertices.

use wgpu::{CompareFunction, Face, VertexBufferLayout};

use super::canvas::{Canvas, DEPTH_FORMAT};
use super::quality::Quality;
use crate::gpu::{Context, GpuError, Pipeline, PipelineDesc};

/// Where a pipeline draws.
#[derive(Clone, Copy)]
pub(super) enum Onto {
    /// The picture, of several samples at high quality; `depth` test, whether it writes depth, whether alpha blends or covers.
    Picture { depth: CompareFunction, writes: bool, blended: bool },
    /// The sun's depth map.
    Map,
    /// A texture of one sample, blended or not, with a depth of its own or none.
    Texture { format: wgpu::TextureFormat, blend: Option<wgpu::BlendState>, depth: bool },
    /// The caller's target.
    Target(wgpu::TextureFormat),
    /// A host's picture, over what is there.
    Host,
    /// The caller's target or a host's picture, blended with what is there.
    Blended(wgpu::TextureFormat),
}

impl Onto {
    /// What covers what is behind it. Depth is reversed: nearer is greater.
    pub(super) const SOLID: Self = Self::Picture { depth: CompareFunction::Greater, writes: true, blended: false };

    /// A texture of which every pixel is written once.
    pub(super) const fn texture(format: wgpu::TextureFormat) -> Self {
        Self::Texture { format, blend: None, depth: false }
    }

    fn color(self, canvas: Canvas) -> Option<wgpu::ColorTargetState> {
        let (format, blend) = match self {
            Self::Map => return None,
            Self::Picture { blended, .. } => (canvas.color, blended.then_some(wgpu::BlendState::ALPHA_BLENDING)),
            Self::Texture { format, blend, .. } => (format, blend),
            Self::Target(format) => (format, None),
            Self::Blended(format) => (format, Some(wgpu::BlendState::ALPHA_BLENDING)),
            Self::Host => (canvas.color, None),
        };
        Some(wgpu::ColorTargetState { format, blend, write_mask: wgpu::ColorWrites::ALL })
    }

    fn depth(self, canvas: Canvas) -> Option<wgpu::DepthStencilState> {
        let (writes, compare, bias) = match self {
            Self::Texture { depth: false, .. } | Self::Target(_) | Self::Blended(_) | Self::Host => return None,
            Self::Texture { depth: true, .. } => (true, CompareFunction::Greater, wgpu::DepthBiasState::default()),
            Self::Picture { depth, writes, .. } => (writes, canvas.compare(depth), wgpu::DepthBiasState::default()),
            Self::Map => {
                let bias = wgpu::DepthBiasState { constant: 2, slope_scale: 1.5, clamp: 0.0 };
                (true, CompareFunction::LessEqual, bias)
            }
        };
        Some(wgpu::DepthStencilState {
            format: if matches!(self, Self::Picture { .. }) { canvas.depth } else { DEPTH_FORMAT },
            depth_write_enabled: Some(writes),
            depth_compare: Some(compare),
            stencil: wgpu::StencilState::default(),
            bias,
        })
    }

    fn multisample(self, canvas: Canvas) -> wgpu::MultisampleState {
        let count = canvas.samples;
        match self {
            Self::Picture { blended, .. } => {
                let covers = !blended && count > 1;
                wgpu::MultisampleState { count, alpha_to_coverage_enabled: covers, ..Default::default() }
            }
            Self::Host => wgpu::MultisampleState { count, ..Default::default() },
            Self::Blended(_) if canvas.host => wgpu::MultisampleState { count, ..Default::default() },
            Self::Map | Self::Texture { .. } | Self::Target(_) | Self::Blended(_) => wgpu::MultisampleState::default(),
        }
    }
}

/// A shader and how it is drawn with.
pub(super) struct Recipe<'a> {
    pub(super) shader: &'a str,
    /// Whether its fragment shader runs.
    pub(super) fragment: bool,
    pub(super) vertices: &'a [Option<VertexBufferLayout<'a>>],
    pub(super) cull: Option<Face>,
    /// Value of an override of the shader.
    pub(super) constant: Option<(&'a str, f64)>,
    pub(super) onto: Onto,
}

impl<'a> Recipe<'a> {
    /// Squares and triangles that the vertex shader finds by itself.
    pub(super) fn plain(shader: &'a str, onto: Onto) -> Self {
        Self { shader, fragment: true, vertices: &[], cull: None, constant: None, onto }
    }

    /// For a canvas, which all shaders that draw know as `HIGH`, `SAMPLED`, `RADIANCE` and `CODED`.
    ///
    /// # Errors
    /// As for [`Pipeline::new`].
    pub(super) fn make(&self, context: &Context, canvas: Canvas) -> Result<Pipeline, GpuError> {
        let flag = |on: bool| f64::from(u8::from(on));
        let encode = match self.onto {
            Onto::Target(format) => Some(("ENCODE", flag(!format.is_srgb()))),
            // What a host has is coded already.
            Onto::Blended(format) => Some(("ENCODE", flag(!format.is_srgb() && !canvas.host))),
            _ => None,
        };
        let drawn = matches!(self.onto, Onto::Picture { .. });
        let samples = if drawn { canvas.samples } else { canvas.screen_samples() };
        let level = [
            ("HIGH", flag(canvas.quality == Quality::High)),
            ("SAMPLED", flag(samples > 1)),
            ("RADIANCE", flag(canvas.radiance)),
            ("CODED", flag(canvas.coded)),
        ];
        let overrides: Vec<(&str, f64)> = level.into_iter().chain(encode).chain(self.constant).collect();
        let color = [self.onto.color(canvas)];
        let desc = PipelineDesc {
            fragment: self.fragment,
            overrides: &overrides,
            vertices: self.vertices,
            cull: self.cull,
            targets: if color[0].is_some() { &color } else { &[] },
            depth: self.onto.depth(canvas),
            multisample: self.onto.multisample(canvas),
            reads_samples: samples > 1,
        };
        Pipeline::new(context, self.shader, &desc)
    }
}
