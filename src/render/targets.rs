//! Render targets: the multisampled picture with its depth, and the shadow map.

use super::canvas::{Canvas, DEPTH_FORMAT, PICTURE_FORMAT};
use super::quality::Quality;
use crate::gpu::Context;

/// Format of ambient occlusion: what is left of the light, and the distance that tells surfaces apart.
pub(super) const OCCLUSION_FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Rg16Float;
/// Format of a surface found on the screen: depth, and which liquid or grain.
pub(super) const SURFACE_FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Rg32Float;
/// Format of sums along a ray through liquids: optical depth of three colors, and one more.
pub(super) const THICKNESS_FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Rgba16Float;
/// Format of the density of foam.
pub(super) const FOAM_FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::R16Float;

/// What liquids are drawn to over the picture, for a target of some format.
pub(super) fn liquid_format(quality: Quality, target: wgpu::TextureFormat) -> wgpu::TextureFormat {
    if quality == Quality::Low { PICTURE_FORMAT } else { target }
}

/// Textures as large as the picture.
#[derive(Debug)]
pub(super) struct Targets {
    pub(super) size: (u32, u32),
    /// Those of the picture, if a pixel has several.
    pub(super) samples: Option<wgpu::TextureView>,
    pub(super) depth: wgpu::TextureView,
    pub(super) picture: wgpu::TextureView,
    /// The picture with liquids over it, where it has fewer pixels than the target.
    pub(super) wet_picture: Option<wgpu::TextureView>,
    /// Ambient occlusion of every other pixel, as found and smoothed.
    pub(super) occlusion: [wgpu::TextureView; 2],
    /// For liquids, if there are any.
    pub(super) liquid: Option<LiquidTargets>,
}

/// Textures that a surface of many balls or ellipsoids is found in.
#[derive(Debug)]
pub(super) struct ScreenSurface {
    pub(super) size: (u32, u32),
    /// Depth of what is nearest.
    pub(super) depth: wgpu::TextureView,
    /// The surface, before and after each step of its filter.
    pub(super) steps: [wgpu::TextureView; 2],
}

/// Textures that liquids are drawn into.
#[derive(Debug)]
pub(super) struct LiquidTargets {
    pub(super) surface: ScreenSurface,
    /// Of every other pixel, as found and smoothed.
    pub(super) thickness: [wgpu::TextureView; 2],
    pub(super) foam: wgpu::TextureView,
    /// What is blended before liquids; a single clear pixel on the canvas of a host, who draws that itself.
    pub(super) veil: wgpu::TextureView,
}

impl Targets {
    /// Targets of a size [pixels] whose sides are at least 1 and allowed by the device.
    pub(super) fn new(context: &Context, canvas: Canvas, size: (u32, u32), with_liquid: bool) -> Self {
        let (count, quality) = (canvas.screen_samples(), canvas.quality);
        let attachment = wgpu::TextureUsages::RENDER_ATTACHMENT;
        let read = attachment | wgpu::TextureUsages::TEXTURE_BINDING;
        let half = (size.0.div_ceil(2), size.1.div_ceil(2));
        let liquid = || LiquidTargets {
            surface: ScreenSurface::new(context, size),
            thickness: ["thickness", "smooth thickness"].map(|l| view(context, l, half, 1, THICKNESS_FORMAT, read)),
            foam: view(context, "foam", size, 1, FOAM_FORMAT, read),
            veil: view(context, "veil", if canvas.host { (1, 1) } else { size }, 1, PICTURE_FORMAT, read),
        };
        Self {
            size,
            samples: (count > 1).then(|| view(context, "samples", size, count, canvas.color, attachment)),
            depth: view(context, "depth", size, count, DEPTH_FORMAT, read),
            wet_picture: (with_liquid && quality == Quality::Low && !canvas.host)
                .then(|| view(context, "wet picture", size, 1, canvas.color, read)),
            picture: view(context, "picture", size, 1, canvas.color, read),
            occlusion: ["occlusion", "smooth occlusion"].map(|l| view(context, l, half, 1, OCCLUSION_FORMAT, read)),
            liquid: with_liquid.then(liquid),
        }
    }

    /// What ends in `view`, one of its textures of one sample, and begins as `clear`.
    pub(super) fn resolved_to<'a>(
        &'a self,
        view: &'a wgpu::TextureView,
        clear: wgpu::Color,
    ) -> wgpu::RenderPassColorAttachment<'a> {
        let store = if self.samples.is_some() { wgpu::StoreOp::Discard } else { wgpu::StoreOp::Store };
        wgpu::RenderPassColorAttachment {
            view: self.samples.as_ref().unwrap_or(view),
            depth_slice: None,
            resolve_target: self.samples.as_ref().map(|_| view),
            ops: wgpu::Operations { load: wgpu::LoadOp::Clear(clear), store },
        }
    }
}

impl ScreenSurface {
    /// For pictures of a size [pixels] whose sides are at least 1 and allowed by the device.
    pub(super) fn new(context: &Context, size: (u32, u32)) -> Self {
        let attachment = wgpu::TextureUsages::RENDER_ATTACHMENT;
        let read = attachment | wgpu::TextureUsages::TEXTURE_BINDING;
        Self {
            size,
            depth: view(context, "depth of a surface", size, 1, DEPTH_FORMAT, read),
            steps: ["surface", "filtered surface"].map(|l| view(context, l, size, 1, SURFACE_FORMAT, read)),
        }
    }
}

/// Depth seen from the sun, and the sampler that compares with it.
#[derive(Debug)]
pub(super) struct ShadowMap {
    /// Width and height [texels].
    pub(super) size: u32,
    pub(super) view: wgpu::TextureView,
    pub(super) sampler: wgpu::Sampler,
}

impl ShadowMap {
    /// A map for pictures of a quality.
    pub(super) fn new(context: &Context, quality: Quality) -> Self {
        let size = quality.map_size(context);
        let usage = wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::TEXTURE_BINDING;
        let sampler = context.device.create_sampler(&wgpu::SamplerDescriptor {
            label: Some("shadow"),
            mag_filter: wgpu::FilterMode::Linear,
            min_filter: wgpu::FilterMode::Linear,
            compare: Some(wgpu::CompareFunction::LessEqual),
            ..Default::default()
        });
        Self { size, view: view(context, "shadow", (size, size), 1, DEPTH_FORMAT, usage), sampler }
    }
}

/// What liquids take from the sun, seen from it; without liquids a single texel that takes nothing.
#[derive(Debug)]
pub(super) struct LiquidMap {
    pub(super) view: wgpu::TextureView,
    pub(super) sampler: wgpu::Sampler,
    /// A screen without liquid: a single texel.
    pub(super) none: wgpu::TextureView,
}

impl LiquidMap {
    /// A map half as fine as the sun's depth map, which is `size` [texels] wide.
    pub(super) fn new(context: &Context, size: u32, with_liquid: bool) -> Self {
        let side = if with_liquid { size / 2 } else { 1 };
        let usage = wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::TEXTURE_BINDING;
        Self {
            view: view(context, "liquid light", (side, side), 1, THICKNESS_FORMAT, usage),
            none: view(context, "no liquid", (1, 1), 1, DEPTH_FORMAT, usage),
            sampler: smooth_sampler(context),
        }
    }
}

/// A sampler that interpolates and does not repeat.
pub(super) fn smooth_sampler(context: &Context) -> wgpu::Sampler {
    context.device.create_sampler(&wgpu::SamplerDescriptor {
        label: Some("smooth"),
        mag_filter: wgpu::FilterMode::Linear,
        min_filter: wgpu::FilterMode::Linear,
        ..Default::default()
    })
}

fn view(
    context: &Context,
    label: &str,
    (width, height): (u32, u32),
    sample_count: u32,
    format: wgpu::TextureFormat,
    usage: wgpu::TextureUsages,
) -> wgpu::TextureView {
    let texture = context.device.create_texture(&wgpu::TextureDescriptor {
        label: Some(label),
        size: wgpu::Extent3d { width, height, depth_or_array_layers: 1 },
        mip_level_count: 1,
        sample_count,
        dimension: wgpu::TextureDimension::D2,
        format,
        usage,
        view_formats: &[],
    });
    texture.create_view(&wgpu::TextureViewDescriptor::default())
}
