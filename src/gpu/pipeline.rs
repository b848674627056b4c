//! Render pipelines: a vertex and a fragment shader of one WGSL file, given resources by the names of its variables.

use naga::ShaderStage;

use super::reflect::{Binding, reflect_drawing};
use super::resources::{Given, Group, Layouts, given_for};
use super::shader::{self, Composed};
use super::{Context, GpuError};

/// Entry points of a file that draws.
const VERTEX: &str = "vertex";
const FRAGMENT: &str = "fragment";

/// How a pipeline draws, apart from what its shader says.
#[derive(Clone, Debug)]
pub struct PipelineDesc<'a> {
    /// Whether the fragment shader runs; without it depth alone is drawn.
    pub fragment: bool,
    /// Values of `override` constants.
    pub overrides: &'a [(&'a str, f64)],
    /// Layouts of the buffers that vertices and copies come from.
    pub vertices: &'a [Option<wgpu::VertexBufferLayout<'a>>],
    /// Sides of triangles that are left out.
    pub cull: Option<wgpu::Face>,
    /// What colors are drawn into.
    pub targets: &'a [Option<wgpu::ColorTargetState>],
    /// What depth is drawn into.
    pub depth: Option<wgpu::DepthStencilState>,
    /// Samples of a pixel.
    pub multisample: wgpu::MultisampleState,
    /// Whether textures that the shader declares with several samples have them. Otherwise they are plain ones, and the
    /// number of the sample, which must be 0, is taken as that of the level.
    pub reads_samples: bool,
}

/// A compiled render pipeline.
#[derive(Clone, Debug)]
pub struct Pipeline {
    name: String,
    pipeline: wgpu::RenderPipeline,
    layouts: Layouts,
    /// Groups of numbers that no variable has. wgpu would leave them out, but then it does not bind those after them anew
    /// when a pipeline without gap was used before, and the driver reads the wrong ones.
    gaps: Vec<Group>,
}

impl Pipeline {
    /// Compiles `vertex` and `fragment` of `shaders/<name>.wgsl`.
    ///
    /// # Errors
    /// No such shader or entry point, it does not compile, an unknown override, a variable that drawing shaders cannot have,
    /// or targets that do not fit the shader.
    pub fn new(context: &Context, name: &str, desc: &PipelineDesc<'_>) -> Result<Self, GpuError> {
        let mut composed = shader::compose(name)?;
        if !desc.reads_samples {
            composed.text = composed.text.replace("_multisampled_2d", "_2d");
        }
        Self::from_composed(context, &composed, desc)
    }

    fn from_composed(context: &Context, composed: &Composed, desc: &PipelineDesc<'_>) -> Result<Self, GpuError> {
        context.compiled.get(composed, desc, || Self::compile(context, composed, desc))
    }

    fn compile(context: &Context, composed: &Composed, desc: &PipelineDesc<'_>) -> Result<Self, GpuError> {
        let stages = [(VERTEX, ShaderStage::Vertex), (FRAGMENT, ShaderStage::Fragment)];
        let stages = if desc.fragment { &stages[..] } else { &stages[..1] };
        let (bindings, declared) = reflect_drawing(&composed.name, &composed.compile()?, stages)?;
        shader::check_overrides(&composed.name, &declared, desc.overrides)?;
        let compilation_options = wgpu::PipelineCompilationOptions { constants: desc.overrides, ..Default::default() };
        let (pipeline, layouts, gaps) = context.checked(&format!("pipeline `{}`", composed.name), || {
            let layouts = Layouts::new(&context.device, bindings, wgpu::ShaderStages::VERTEX_FRAGMENT, None);
            let layout = layouts.pipeline(&context.device, &composed.name);
            let module = composed.module(&context.device);
            let pipeline = context.device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
                label: Some(&composed.name),
                layout: Some(&layout),
                vertex: wgpu::VertexState {
                    module: &module,
                    entry_point: Some(VERTEX),
                    compilation_options: compilation_options.clone(),
                    buffers: desc.vertices,
                },
                primitive: wgpu::PrimitiveState { cull_mode: desc.cull, ..Default::default() },
                depth_stencil: desc.depth.clone(),
                multisample: desc.multisample,
                fragment: desc.fragment.then_some(wgpu::FragmentState {
                    module: &module,
                    entry_point: Some(FRAGMENT),
                    compilation_options,
                    targets: desc.targets,
                }),
                multiview_mask: None,
                cache: None,
            });
            let gaps = layouts.gaps(&context.device);
            (pipeline, layouts, gaps)
        })?;
        Ok(Self { name: composed.name.clone(), pipeline, layouts, gaps })
    }

    /// Name of the shader file.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Draws with it from here on. Groups that its shader shares with others may be set before, others after it.
    pub fn set(&self, pass: &mut wgpu::RenderPass<'_>) {
        pass.set_pipeline(&self.pipeline);
        self.gaps.iter().for_each(|group| group.set(pass));
    }

    /// Makes the group that the given variables are. It serves all pipelines whose files declare the same group, as those
    /// that import its declarations from one file do.
    ///
    /// # Errors
    /// [`GpuError::Binding`] naming shader and variable: the shader does not have it, it is of another group than the first,
    /// a variable of the group is not given, or it is given what it cannot be.
    pub fn bind(&self, context: &Context, given: &Given<'_>) -> Result<Group, GpuError> {
        let refuse = |binding: &str, reason: &str| {
            let (shader, binding) = (self.name.clone(), binding.into());
            Err(GpuError::Binding { shader, binding, reason: reason.into() })
        };
        let mut index = None;
        for (name, _) in given {
            let Some(variable) = self.layouts.variable(name) else {
                return refuse(name, "the shader has no such variable");
            };
            if *index.get_or_insert(variable.group) != variable.group {
                return refuse(name, "it is of another group than what is given before it");
            }
        }
        let Some(index) = index else { return refuse("", "nothing is given") };
        let find = |binding: &Binding| given_for(given, binding);
        context.checked(&format!("group of `{}`", self.name), || {
            self.layouts.group(&context.device, &self.name, index, find)
        })?
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gpu::Buffers;
    use crate::gpu::resources::Resource;

    const FILL: &str = "
        override SCALE: f32 = 1.0;
        @group(0) @binding(0) var<uniform> size: vec4f;
        @group(2) @binding(0) var<storage, read> corners: array<vec4f>;
        @group(2) @binding(1) var picture: texture_2d<f32>;
        @group(2) @binding(2) var smoothing: sampler;
        @vertex fn vertex(@builtin(vertex_index) index: u32) -> @builtin(position) vec4f { return corners[index] * size; }
        @fragment fn fragment(@builtin(position) at: vec4f) -> @location(0) vec4f {
            return SCALE * textureSampleLevel(picture, smoothing, vec2f(0.5), 0.0);
        }";
    const FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Rgba8Unorm;

    fn pipeline(context: &Context, overrides: &[(&str, f64)]) -> Result<Pipeline, GpuError> {
        let desc = PipelineDesc {
            fragment: true,
            overrides,
            vertices: &[],
            cull: None,
            targets: &[Some(FORMAT.into())],
            depth: None,
            multisample: wgpu::MultisampleState::default(),
            reads_samples: true,
        };
        Pipeline::from_composed(context, &shader::compose_source("test/fill", FILL)?, &desc)
    }

    fn texture(context: &Context, rgba: [u8; 4]) -> wgpu::Texture {
        let size = wgpu::Extent3d { width: 64, height: 1, depth_or_array_layers: 1 };
        let texture = context.device.create_texture(&wgpu::TextureDescriptor {
            label: None,
            size,
            mip_level_count: 1,
            sample_count: 1,
            dimension: wgpu::TextureDimension::D2,
            format: FORMAT,
            usage: wgpu::TextureUsages::TEXTURE_BINDING
                | wgpu::TextureUsages::RENDER_ATTACHMENT
                | wgpu::TextureUsages::COPY_DST
                | wgpu::TextureUsages::COPY_SRC,
            view_formats: &[],
        });
        let layout = wgpu::TexelCopyBufferLayout { offset: 0, bytes_per_row: Some(256), rows_per_image: None };
        context.queue.write_texture(texture.as_image_copy(), &rgba.repeat(64), layout, size);
        texture
    }

    /// Buffers `size` and `corners` of a triangle over the whole target.
    fn corners(context: &Context) -> Buffers {
        let mut buffers = Buffers::new(context);
        buffers.create_uniform("size", &[[1f32; 4]]).unwrap();
        let rows = [[-1f32, -1.0, 0.0, 1.0], [3.0, -1.0, 0.0, 1.0], [-1.0, 3.0, 0.0, 1.0]];
        buffers.create_with("corners", &rows).unwrap();
        buffers
    }

    #[test]
    fn resources_arrive_at_the_variables_of_their_names() {
        let context = Context::shared().expect("adapter");
        let fill = pipeline(&context, &[("SCALE", 0.5)]).unwrap();
        let buffers = corners(&context);
        let source = texture(&context, [200, 100, 50, 255]).create_view(&Default::default());
        let target = texture(&context, [0; 4]);
        let view = target.create_view(&Default::default());
        let sampler = context.device.create_sampler(&Default::default());
        // In any order.
        let given = [
            ("smoothing", Resource::from(&sampler)),
            ("corners", buffers.get("corners").unwrap().into()),
            ("picture", (&source).into()),
        ];
        let groups = [
            fill.bind(&context, &[("size", buffers.get("size").unwrap().into())]).unwrap(),
            fill.bind(&context, &given).unwrap(),
        ];
        let ops = wgpu::Operations::default();
        let color = wgpu::RenderPassColorAttachment { view: &view, depth_slice: None, resolve_target: None, ops };
        let colors = [Some(color)];
        let desc = wgpu::RenderPassDescriptor { color_attachments: &colors, ..Default::default() };
        context.run("fill", |encoder| {
            let mut pass = encoder.begin_render_pass(&desc);
            fill.set(&mut pass);
            groups.iter().for_each(|group| group.set(&mut pass));
            pass.draw(0..3, 0..1);
        });
        let found = context.read_texture(&target).unwrap();
        // Half of 255 is rounded either way.
        let is_half = |p: &[u8]| p[..3] == [100, 50, 25] && [127, 128].contains(&p[3]);
        assert!(found.chunks_exact(4).take(64).all(is_half), "{:?}", &found[..4]);
        assert_eq!(context.take_errors(), Vec::<String>::new());
    }

    #[test]
    fn what_is_missing_or_wrong_is_named() {
        let context = Context::shared().expect("adapter");
        let fill = pipeline(&context, &[]).unwrap();
        let buffers = corners(&context);
        let view = texture(&context, [0; 4]).create_view(&Default::default());
        let sampler = context.device.create_sampler(&Default::default());
        let small = context.device.create_buffer(&wgpu::BufferDescriptor {
            label: None,
            size: 4,
            usage: wgpu::BufferUsages::STORAGE,
            mapped_at_creation: false,
        });
        let size: Resource<'_> = buffers.get("size").unwrap().into();
        let corners: Resource<'_> = buffers.get("corners").unwrap().into();
        let (picture, smoothing) = (Resource::from(&view), Resource::from(&sampler));
        let named = |given: &Given<'_>, wanted: &str, part: &str| {
            let Err(GpuError::Binding { shader, binding, reason }) = fill.bind(&context, given) else {
                panic!("{wanted} was accepted: {part}")
            };
            assert_eq!((shader.as_str(), binding.as_str()), ("test/fill", wanted));
            assert!(reason.contains(part), "{reason}");
        };
        let all = [("corners", corners), ("picture", picture), ("smoothing", smoothing)];
        let with = |at: usize, resource| {
            let mut given = all;
            given[at].1 = resource;
            given
        };
        named(&all[..2], "smoothing", "nothing");
        named(&[("corner", corners)], "corner", "no such variable");
        named(&[("corners", corners), ("size", size)], "size", "another group");
        named(&with(0, picture), "corners", "a buffer");
        named(&with(1, smoothing), "picture", "a texture");
        named(&with(2, corners), "smoothing", "a sampler");
        named(&with(0, size), "corners", "STORAGE");
        named(&with(0, (&small).into()), "corners", "16 bytes");
        named(&[], "", "nothing");
        let unknown = pipeline(&context, &[("SCALES", 1.0)]);
        assert!(matches!(unknown, Err(GpuError::Binding { binding, .. }) if binding == "SCALES"));
        assert_eq!(context.take_errors(), Vec::<String>::new());
    }
}
