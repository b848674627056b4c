//! Every pipeline of the renderer, made once.

use wgpu::{BindGroupLayout, CompareFunction, ComputePipeline, Face, RenderPipeline, VertexBufferLayout};

use super::geometry::{INSTANCE_LAYOUT, VERTEX_LAYOUT};
use super::layouts::Layouts;
use super::soft;
use super::targets::{DEPTH_FORMAT, OCCLUSION_FORMAT, PICTURE_FORMAT, SAMPLES};
use crate::gpu::{Context, GpuError, shader};

/// Pipelines by what they draw.
#[derive(Debug)]
pub(super) struct Pipelines {
    /// Places bones.
    pub(super) bones: ComputePipeline,
    /// Places points of soft surfaces.
    pub(super) points: ComputePipeline,
    /// Their normals.
    pub(super) normals: ComputePipeline,
    /// Turns tubes.
    pub(super) tube_frames: ComputePipeline,
    /// Takes out triangles that are torn.
    pub(super) tear: ComputePipeline,
    /// Places points of tubes.
    pub(super) tube_points: ComputePipeline,
    /// `[blended][double sided]`.
    pub(super) surface: [[RenderPipeline; 2]; 2],
    /// `[with holes]`.
    pub(super) shadow: [RenderPipeline; 2],
    /// As `surface`, for what follows particles.
    pub(super) soft_surface: [[RenderPipeline; 2]; 2],
    /// As `shadow`, for what follows particles.
    pub(super) soft_shadow: [RenderPipeline; 2],
    pub(super) ground: RenderPipeline,
    pub(super) background: RenderPipeline,
    pub(super) particles: RenderPipeline,
    pub(super) particle_shadow: RenderPipeline,
    /// Constraints by the class that they are solved in.
    pub(super) classes: RenderPipeline,
    pub(super) lines: RenderPipeline,
    pub(super) occlusion: RenderPipeline,
    pub(super) smooth: RenderPipeline,
    pub(super) present: RenderPipeline,
}

/// Where a pipeline draws.
#[derive(Clone, Copy)]
pub(super) enum Onto {
    /// The multisampled picture; `depth` test, whether it writes depth, whether alpha blends or covers.
    Picture { depth: CompareFunction, writes: bool, blended: bool },
    /// The sun's depth map.
    Map,
    /// A texture of one sample, blended or not, with a depth of its own or none.
    Texture { format: wgpu::TextureFormat, blend: Option<wgpu::BlendState>, depth: bool },
    /// The caller's target.
    Target(wgpu::TextureFormat),
}

/// What distinguishes one pipeline from the next.
pub(super) struct Recipe<'a> {
    pub(super) shader: &'a str,
    pub(super) vertex: &'a str,
    pub(super) fragment: Option<&'a str>,
    pub(super) groups: &'a [&'a BindGroupLayout],
    pub(super) buffers: &'a [Option<VertexBufferLayout<'a>>],
    pub(super) cull: Option<Face>,
    /// Value of an override of the shader.
    pub(super) constant: Option<(&'a str, f64)>,
    pub(super) onto: Onto,
}

impl<'a> Recipe<'a> {
    /// Squares and triangles that the vertex shader finds by itself.
    pub(super) fn plain(shader: &'a str, groups: &'a [&'a BindGroupLayout], onto: Onto) -> Self {
        Self {
            shader,
            vertex: "vertex",
            fragment: Some("fragment"),
            groups,
            buffers: &[],
            cull: None,
            constant: None,
            onto,
        }
    }
}

/// Depth is reversed: nearer is greater.
pub(super) const SOLID: Onto = Onto::Picture { depth: CompareFunction::Greater, writes: true, blended: false };

/// A way to find where vertices are: shaders, and what they read.
struct Kind {
    surface: &'static str,
    shadow: &'static str,
    buffers: [Option<VertexBufferLayout<'static>>; 2],
}

/// Vertices follow bones.
static SKINNED: Kind =
    Kind { surface: "render/surface", shadow: "render/shadow", buffers: [Some(VERTEX_LAYOUT), Some(INSTANCE_LAYOUT)] };

/// Vertices follow particles.
static SOFT: Kind = Kind {
    surface: "render/soft_surface",
    shadow: "render/soft_shadow",
    buffers: [Some(soft::VERTEX_LAYOUT), Some(INSTANCE_LAYOUT)],
};

impl Pipelines {
    pub(super) fn new(context: &Context, layouts: &Layouts, target: wgpu::TextureFormat) -> Result<Self, GpuError> {
        let skin_groups = [&layouts.frame, &layouts.placements, &layouts.material];
        let shadow_groups = [&layouts.frame_without_map, &layouts.placements, &layouts.material];
        let recipe = Recipe::plain;
        let surface = |kind: &'static Kind, blended: bool, double_sided: bool| {
            let onto = Onto::Picture { depth: CompareFunction::Greater, writes: !blended, blended };
            let cull = (!double_sided).then_some(Face::Back);
            make(context, &Recipe { buffers: &kind.buffers, cull, ..recipe(kind.surface, &skin_groups, onto) })
        };
        let surfaces = |kind: &'static Kind| -> Result<[[RenderPipeline; 2]; 2], GpuError> {
            let pair = |blended| Ok([surface(kind, blended, false)?, surface(kind, blended, true)?]);
            Ok([pair(false)?, pair(true)?])
        };
        let shadow = |kind: &'static Kind, holes: bool| {
            let fragment = holes.then_some("fragment");
            let plain = recipe(kind.shadow, &shadow_groups, Onto::Map);
            make(context, &Recipe { buffers: &kind.buffers, fragment, ..plain })
        };
        let over = Onto::Picture { depth: CompareFunction::Always, writes: false, blended: true };
        let shade = Onto::Texture { format: OCCLUSION_FORMAT, blend: None, depth: false };
        let present = [&layouts.frame_without_map, &layouts.picture];
        let behind = Onto::Picture { depth: CompareFunction::GreaterEqual, writes: false, blended: false };
        Ok(Self {
            bones: compute(context, "render/bones", &layouts.bones)?,
            points: compute(context, "render/points", &layouts.points)?,
            normals: compute(context, "render/normals", &layouts.points)?,
            tube_frames: compute(context, "render/tube_frames", &layouts.tube_frames)?,
            tear: compute(context, "render/tear", &layouts.tube_frames)?,
            tube_points: compute(context, "render/tube_points", &layouts.points)?,
            surface: surfaces(&SKINNED)?,
            shadow: [shadow(&SKINNED, false)?, shadow(&SKINNED, true)?],
            soft_surface: surfaces(&SOFT)?,
            soft_shadow: [shadow(&SOFT, false)?, shadow(&SOFT, true)?],
            ground: make(
                context,
                &Recipe {
                    buffers: &[Some(INSTANCE_LAYOUT)],
                    cull: Some(Face::Back),
                    ..recipe("render/ground", &[&layouts.frame, &layouts.placements], SOLID)
                },
            )?,
            background: make(context, &recipe("render/background", &[&layouts.frame], behind))?,
            particles: make(context, &recipe("render/particles", &[&layouts.frame, &layouts.particles], SOLID))?,
            particle_shadow: make(
                context,
                &Recipe {
                    vertex: "shadow_vertex",
                    fragment: Some("shadow_fragment"),
                    ..recipe("render/particles", &[&layouts.frame_without_map, &layouts.particles], Onto::Map)
                },
            )?,
            classes: make(context, &recipe("render/classes", &[&layouts.frame, &layouts.classes], SOLID))?,
            lines: make(context, &recipe("render/lines", &[&layouts.frame, &layouts.lines], over))?,
            occlusion: make(context, &recipe("render/occlusion", &[&layouts.depth], shade))?,
            smooth: make(context, &recipe("render/smooth", &[&layouts.occlusion], shade))?,
            present: make(context, &recipe("render/present", &present, Onto::Target(target)))?,
        })
    }
}

pub(super) fn compute(context: &Context, name: &str, group: &BindGroupLayout) -> Result<ComputePipeline, GpuError> {
    let module = shader::load(context, name)?;
    context.checked(&format!("pipeline `{name}`"), || {
        let layout = context.device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
            label: Some(name),
            bind_group_layouts: &[Some(group)],
            immediate_size: 0,
        });
        context.device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
            label: Some(name),
            layout: Some(&layout),
            module: &module,
            entry_point: Some("main"),
            compilation_options: wgpu::PipelineCompilationOptions::default(),
            cache: None,
        })
    })
}

pub(super) fn make(context: &Context, recipe: &Recipe<'_>) -> Result<RenderPipeline, GpuError> {
    let module = shader::load(context, recipe.shader)?;
    let groups: Vec<_> = recipe.groups.iter().map(|g| Some(*g)).collect();
    let encodes = matches!(recipe.onto, Onto::Target(format) if !format.is_srgb());
    let encode = matches!(recipe.onto, Onto::Target(_)).then_some(("ENCODE", f64::from(u8::from(encodes))));
    let constants: Vec<(&str, f64)> = encode.into_iter().chain(recipe.constant).collect();
    let options = wgpu::PipelineCompilationOptions { constants: &constants, ..Default::default() };
    let targets = color_targets(recipe.onto);
    let fragment = recipe.fragment.map(|entry| wgpu::FragmentState {
        module: &module,
        entry_point: Some(entry),
        compilation_options: options.clone(),
        targets: &targets,
    });
    context.checked(&format!("pipeline `{}`", recipe.shader), || {
        let layout = context.device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
            label: Some(recipe.shader),
            bind_group_layouts: &groups,
            immediate_size: 0,
        });
        context.device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
            label: Some(recipe.shader),
            layout: Some(&layout),
            vertex: wgpu::VertexState {
                module: &module,
                entry_point: Some(recipe.vertex),
                compilation_options: options.clone(),
                buffers: recipe.buffers,
            },
            primitive: wgpu::PrimitiveState { cull_mode: recipe.cull, ..Default::default() },
            depth_stencil: depth_state(recipe.onto),
            multisample: multisample(recipe.onto),
            fragment,
            multiview_mask: None,
            cache: None,
        })
    })
}

fn color_targets(onto: Onto) -> Vec<Option<wgpu::ColorTargetState>> {
    let (format, blend) = match onto {
        Onto::Map => return Vec::new(),
        Onto::Picture { blended, .. } => (PICTURE_FORMAT, blended.then_some(wgpu::BlendState::ALPHA_BLENDING)),
        Onto::Texture { format, blend, .. } => (format, blend),
        Onto::Target(format) => (format, None),
    };
    vec![Some(wgpu::ColorTargetState { format, blend, write_mask: wgpu::ColorWrites::ALL })]
}

fn depth_state(onto: Onto) -> Option<wgpu::DepthStencilState> {
    let (writes, compare, bias) = match onto {
        Onto::Texture { depth: false, .. } | Onto::Target(_) => return None,
        Onto::Texture { depth: true, .. } => (true, CompareFunction::Greater, wgpu::DepthBiasState::default()),
        Onto::Picture { depth, writes, .. } => (writes, depth, wgpu::DepthBiasState::default()),
        Onto::Map => {
            let bias = wgpu::DepthBiasState { constant: 2, slope_scale: 1.5, clamp: 0.0 };
            (true, CompareFunction::LessEqual, bias)
        }
    };
    Some(wgpu::DepthStencilState {
        format: DEPTH_FORMAT,
        depth_write_enabled: Some(writes),
        depth_compare: Some(compare),
        stencil: wgpu::StencilState::default(),
        bias,
    })
}

fn multisample(onto: Onto) -> wgpu::MultisampleState {
    match onto {
        Onto::Picture { blended, .. } => {
            wgpu::MultisampleState { count: SAMPLES, alpha_to_coverage_enabled: !blended, ..Default::default() }
        }
        Onto::Map | Onto::Texture { .. } | Onto::Target(_) => wgpu::MultisampleState::default(),
    }
}
