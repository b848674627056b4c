//! What is drawn into: the multisampled picture with its depth, and the sun's depth map.

use crate::gpu::Context;

/// Format of the picture before it is presented: linear in the shaders, blended in linear light.
pub(super) const PICTURE_FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Rgba8UnormSrgb;
/// Format of depth.
pub(super) const DEPTH_FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Depth32Float;
/// Samples a pixel.
pub(super) const SAMPLES: u32 = 4;

/// Textures as large as the target.
#[derive(Debug)]
pub(super) struct Targets {
    pub(super) size: (u32, u32),
    pub(super) samples: wgpu::TextureView,
    pub(super) depth: wgpu::TextureView,
    pub(super) picture: wgpu::TextureView,
}

impl Targets {
    /// Targets of a size [pixels] whose sides are at least 1 and allowed by the device.
    pub(super) fn new(context: &Context, size: (u32, u32)) -> Self {
        let attachment = wgpu::TextureUsages::RENDER_ATTACHMENT;
        let read = attachment | wgpu::TextureUsages::TEXTURE_BINDING;
        Self {
            size,
            samples: view(context, "samples", size, SAMPLES, PICTURE_FORMAT, attachment),
            depth: view(context, "depth", size, SAMPLES, DEPTH_FORMAT, attachment),
            picture: view(context, "picture", size, 1, PICTURE_FORMAT, read),
        }
    }
}

/// Width and height of the map from above [texels].
pub(super) const SKY_MAP_SIZE: u32 = 1024;

/// Depth maps from the sun and from straight above, and the sampler that compares with them.
#[derive(Debug)]
pub(super) struct ShadowMaps {
    /// Width and height of the sun's map [texels].
    pub(super) size: u32,
    pub(super) sun: wgpu::TextureView,
    pub(super) sky: wgpu::TextureView,
    pub(super) sampler: wgpu::Sampler,
}

impl ShadowMaps {
    /// Maps as fine as the adapter draws in good time.
    pub(super) fn new(context: &Context) -> Self {
        let size = if context.info().kind == "software" { 2048 } else { 4096 };
        let usage = wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::TEXTURE_BINDING;
        let sampler = context.device.create_sampler(&wgpu::SamplerDescriptor {
            label: Some("shadow"),
            mag_filter: wgpu::FilterMode::Linear,
            min_filter: wgpu::FilterMode::Linear,
            compare: Some(wgpu::CompareFunction::LessEqual),
            ..Default::default()
        });
        let map = |label, size| view(context, label, (size, size), 1, DEPTH_FORMAT, usage);
        Self { size, sun: map("shadow", size), sky: map("sky shadow", SKY_MAP_SIZE), sampler }
    }
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
