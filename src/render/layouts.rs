//! What the drawing shaders bind: group 0 the frame, group 1 rows of the solver and scene, group 2 a material.

use wgpu::{BindGroupLayout, BindGroupLayoutEntry, BindingType, ShaderStages};

use crate::gpu::Context;

/// Bind group layouts shared by the pipelines.
#[derive(Debug)]
pub(super) struct Layouts {
    /// Camera and sun, the sun's map and its sampler, what liquids take from the sun and the sampler of that.
    pub(super) frame: BindGroupLayout,
    /// Camera and sun alone: while the map is drawn.
    pub(super) frame_without_map: BindGroupLayout,
    /// Bodies, bones, their turns and their placements, for the pass that places them.
    pub(super) bones: BindGroupLayout,
    /// Three tables and the points of soft surfaces, for the passes that place them.
    pub(super) points: BindGroupLayout,
    /// Two tables and what a pass writes: normals of tubes, triangles without those that are torn.
    pub(super) tube_frames: BindGroupLayout,
    /// Placements of bones, or placed points.
    pub(super) placements: BindGroupLayout,
    /// Bodies and lines.
    pub(super) lines: BindGroupLayout,
    /// Bodies, particles and the body of each particle.
    pub(super) particles: BindGroupLayout,
    /// Particles, and the constraints between them.
    pub(super) classes: BindGroupLayout,
    /// Factors, sampler and five textures.
    pub(super) material: BindGroupLayout,
    /// Camera, and the picture's depth.
    pub(super) depth: BindGroupLayout,
    /// Camera, and ambient occlusion.
    pub(super) occlusion: BindGroupLayout,
    /// The finished picture, its depth and its ambient occlusion.
    pub(super) picture: BindGroupLayout,
    /// What the passes that shape liquids read, and what they write.
    pub(super) liquid_grid: BindGroupLayout,
    /// Ellipsoids of liquids, and the liquids.
    pub(super) splats: BindGroupLayout,
    /// The picture's depth alone.
    pub(super) picture_depth: BindGroupLayout,
    /// The surface of liquids, and the liquids.
    pub(super) liquid_filter: BindGroupLayout,
    /// The surface of liquids, the liquids, their thickness, and the picture's depth.
    pub(super) liquid_blur: BindGroupLayout,
    /// The surface of liquids, and the picture's depth.
    pub(super) liquid_foam: BindGroupLayout,
    /// The surface of liquids, their thickness, a sampler, and foam.
    pub(super) liquid_surface: BindGroupLayout,
    /// Particles, grains and the colors of their kinds.
    pub(super) grains: BindGroupLayout,
}

impl Layouts {
    pub(super) fn new(context: &Context) -> Self {
        let layout = |label, types: &[(ShaderStages, BindingType)]| {
            let entry = |((visibility, ty), binding): (&(ShaderStages, BindingType), u32)| BindGroupLayoutEntry {
                binding,
                visibility: *visibility,
                ty: *ty,
                count: None,
            };
            let entries: Vec<_> = types.iter().zip(0..).map(entry).collect();
            let descriptor = wgpu::BindGroupLayoutDescriptor { label: Some(label), entries: &entries };
            context.device.create_bind_group_layout(&descriptor)
        };
        let (vertex, fragment) = (ShaderStages::VERTEX, ShaderStages::FRAGMENT);
        let uniform = (ShaderStages::VERTEX_FRAGMENT, buffer(wgpu::BufferBindingType::Uniform));
        let rows = (vertex, buffer(wgpu::BufferBindingType::Storage { read_only: true }));
        let both = (ShaderStages::VERTEX_FRAGMENT, rows.1);
        let read = (ShaderStages::COMPUTE, rows.1);
        let size = (ShaderStages::COMPUTE, uniform.1);
        let write = (ShaderStages::COMPUTE, buffer(wgpu::BufferBindingType::Storage { read_only: false }));
        let color = (fragment, texture(wgpu::TextureSampleType::Float { filterable: true }));
        let depth = (fragment, texture(wgpu::TextureSampleType::Depth));
        let plain = (fragment, texture(wgpu::TextureSampleType::Float { filterable: false }));
        let mut samples = depth;
        if let BindingType::Texture { multisampled, .. } = &mut samples.1 {
            *multisampled = true;
        }
        let compare = (fragment, BindingType::Sampler(wgpu::SamplerBindingType::Comparison));
        let filter = (fragment, BindingType::Sampler(wgpu::SamplerBindingType::Filtering));
        Self {
            frame: layout("frame", &[uniform, depth, compare, color, filter]),
            frame_without_map: layout("frame without map", &[uniform]),
            bones: layout("bones", &[read, read, read, write]),
            points: layout("points", &[read, read, read, write]),
            tube_frames: layout("tube frames", &[read, read, write]),
            placements: layout("placements", &[rows]),
            lines: layout("lines", &[rows, rows]),
            particles: layout("particles", &[rows, rows, rows]),
            classes: layout("classes", &[rows; 5]),
            material: layout("material", &[uniform, filter, color, color, color, color, color]),
            depth: layout("depth", &[uniform, samples]),
            occlusion: layout("occlusion", &[uniform, plain]),
            picture: layout("picture", &[color, samples, plain]),
            liquid_grid: layout("liquid grid", &[size, read, read, read, read, write, write, write, write]),
            splats: layout("splats", &[both, both]),
            picture_depth: layout("picture depth", &[samples]),
            liquid_filter: layout("liquid filter", &[plain, both]),
            liquid_blur: layout("liquid blur", &[plain, both, plain, samples]),
            liquid_surface: layout("liquid surface", &[plain, color, filter, plain]),
            liquid_foam: layout("liquid foam", &[plain, samples]),
            grains: layout("grains", &[rows; 3]),
        }
    }
}

fn buffer(ty: wgpu::BufferBindingType) -> BindingType {
    BindingType::Buffer { ty, has_dynamic_offset: false, min_binding_size: None }
}

fn texture(sample_type: wgpu::TextureSampleType) -> BindingType {
    BindingType::Texture { sample_type, view_dimension: wgpu::TextureViewDimension::D2, multisampled: false }
}

/// A bind group of `resources` at slots 0, 1, 2…
pub(super) fn bind<'a>(
    context: &Context,
    layout: &BindGroupLayout,
    resources: &[wgpu::BindingResource<'a>],
) -> wgpu::BindGroup {
    let entry = |(resource, binding): (&wgpu::BindingResource<'a>, u32)| wgpu::BindGroupEntry {
        binding,
        resource: resource.clone(),
    };
    let entries: Vec<_> = resources.iter().zip(0..).map(entry).collect();
    context.device.create_bind_group(&wgpu::BindGroupDescriptor { label: None, layout, entries: &entries })
}
