//! A host program as small as one can be: it draws boxes of one color each into a picture with depth of its own.

use sinew::glam::camera::rh::{proj::directx as proj, view::look_at_mat4};
use sinew::glam::{Mat4, Vec3, Vec4};
use sinew::gpu::Context;
use sinew::render::{HostColors, HostFormat, HostTarget, HostView, SunMap};
use sinew::wgpu;

pub(crate) const SIZE: (u32, u32) = (192, 144);
pub(crate) const BACKGROUND: [f32; 4] = [0.0, 1.0, 0.0, 1.0];

/// A box of the host.
pub(crate) struct Cube {
    pub(crate) middle: Vec3,
    pub(crate) half: Vec3,
    pub(crate) color: Vec4,
}

pub(crate) struct Host {
    pub(crate) context: Context,
    pub(crate) format: HostFormat,
    pub(crate) view: HostView,
    samples: Option<wgpu::Texture>,
    picture: wgpu::Texture,
    depth: wgpu::Texture,
    pipeline: wgpu::RenderPipeline,
}

const SHADER: &str = "
    struct Out { @builtin(position) clip: vec4f, @location(0) color: vec4f }
    @vertex fn vertex(@location(0) clip: vec4f, @location(1) color: vec4f) -> Out { return Out(clip, color); }
    @fragment fn fragment(in: Out) -> @location(0) vec4f { return in.color; }";

/// A device that is the host's, not Sinew's.
fn device() -> Context {
    let own = Context::headless(None).expect("adapter");
    let adapter = own.adapter().expect("own adapter");
    let descriptor =
        wgpu::DeviceDescriptor { required_limits: Context::required_limits(), ..wgpu::DeviceDescriptor::default() };
    let (device, queue) = pollster::block_on(adapter.request_device(&descriptor)).expect("device");
    Context::adopt(device, queue, adapter.get_info()).expect("enough for Sinew")
}

fn texture(context: &Context, format: wgpu::TextureFormat, samples: u32) -> wgpu::Texture {
    let copied = if samples == 1 && format.has_color_aspect() {
        wgpu::TextureUsages::COPY_SRC
    } else {
        wgpu::TextureUsages::empty()
    };
    context.device.create_texture(&wgpu::TextureDescriptor {
        label: Some("the host's"),
        size: wgpu::Extent3d { width: SIZE.0, height: SIZE.1, depth_or_array_layers: 1 },
        mip_level_count: 1,
        sample_count: samples,
        dimension: wgpu::TextureDimension::D2,
        format,
        usage: wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::TEXTURE_BINDING | copied,
        view_formats: &[],
    })
}

/// Draws triangles of one color each, or their depth alone.
fn pipeline(
    context: &Context,
    color: Option<wgpu::TextureFormat>,
    (depth, compare): (wgpu::TextureFormat, wgpu::CompareFunction),
    samples: u32,
) -> wgpu::RenderPipeline {
    let module = context.device.create_shader_module(wgpu::ShaderModuleDescriptor {
        label: None,
        source: wgpu::ShaderSource::Wgsl(SHADER.into()),
    });
    let targets: Vec<Option<wgpu::ColorTargetState>> = color.map(|format| Some(format.into())).into_iter().collect();
    context.device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
        label: Some("the host's boxes"),
        layout: None,
        vertex: wgpu::VertexState {
            module: &module,
            entry_point: None,
            compilation_options: wgpu::PipelineCompilationOptions::default(),
            buffers: &[Some(wgpu::VertexBufferLayout {
                array_stride: 32,
                step_mode: wgpu::VertexStepMode::Vertex,
                attributes: &wgpu::vertex_attr_array![0 => Float32x4, 1 => Float32x4],
            })],
        },
        primitive: wgpu::PrimitiveState::default(),
        depth_stencil: Some(wgpu::DepthStencilState {
            format: depth,
            depth_write_enabled: Some(true),
            depth_compare: Some(compare),
            stencil: wgpu::StencilState::default(),
            bias: wgpu::DepthBiasState::default(),
        }),
        multisample: wgpu::MultisampleState { count: samples, ..wgpu::MultisampleState::default() },
        fragment: color.is_some().then_some(wgpu::FragmentState {
            module: &module,
            entry_point: None,
            compilation_options: wgpu::PipelineCompilationOptions::default(),
            targets: &targets,
        }),
        multiview_mask: None,
        cache: None,
    })
}

impl Host {
    pub(crate) fn new(format: HostFormat, eye: Vec3, target: Vec3) -> Self {
        let context = device();
        let aspect = SIZE.0 as f32 / SIZE.1 as f32;
        let clip_from_view = if format.reversed_depth {
            proj::perspective_infinite_reverse(0.8, aspect, 0.05)
        } else {
            proj::perspective(0.8, aspect, 0.1, 60.0)
        };
        let view =
            HostView { view_from_world: look_at_mat4(eye, target, Vec3::Y), clip_from_view, size: SIZE, focus: 3.0 };
        let compare = if format.reversed_depth { wgpu::CompareFunction::Greater } else { wgpu::CompareFunction::Less };
        let pipeline = pipeline(&context, Some(format.color), (format.depth, compare), format.samples);
        Self {
            samples: (format.samples > 1).then(|| texture(&context, format.color, format.samples)),
            picture: texture(&context, format.color, 1),
            depth: texture(&context, format.depth, format.samples),
            context,
            format,
            view,
            pipeline,
        }
    }

    /// Draws boxes, on what is there or on the background.
    pub(crate) fn draw(&self, encoder: &mut wgpu::CommandEncoder, cubes: &[Cube], first: bool) {
        let (buffer, count) = self.upload(cubes, self.view.clip_from_view * self.view.view_from_world);
        let [r, g, b, a] = BACKGROUND.map(f64::from);
        let far = if self.format.reversed_depth { 0.0 } else { 1.0 };
        let (color, depth) = if first {
            (wgpu::LoadOp::Clear(wgpu::Color { r, g, b, a }), wgpu::LoadOp::Clear(far))
        } else {
            (wgpu::LoadOp::Load, wgpu::LoadOp::Load)
        };
        let [color_view, depth_view] = self.views();
        let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some("the host's pass"),
            color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                view: &color_view,
                depth_slice: None,
                resolve_target: None,
                ops: wgpu::Operations { load: color, store: wgpu::StoreOp::Store },
            })],
            depth_stencil_attachment: Some(wgpu::RenderPassDepthStencilAttachment {
                view: &depth_view,
                depth_ops: Some(wgpu::Operations { load: depth, store: wgpu::StoreOp::Store }),
                stencil_ops: None,
            }),
            ..Default::default()
        });
        pass.set_pipeline(&self.pipeline);
        pass.set_vertex_buffer(0, buffer.slice(..));
        pass.draw(0..count, 0..1);
    }

    /// Corners of boxes in some clip space, and how many there are.
    fn upload(&self, cubes: &[Cube], clip: Mat4) -> (wgpu::Buffer, u32) {
        let vertices: Vec<[Vec4; 2]> = cubes.iter().flat_map(|cube| Self::vertices(cube, clip)).collect();
        let bytes: Vec<u8> = vertices.iter().flatten().flat_map(|v| v.to_array()).flat_map(f32::to_le_bytes).collect();
        let buffer = self.context.device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("the host's boxes"),
            size: bytes.len() as u64,
            usage: wgpu::BufferUsages::VERTEX | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        });
        self.context.queue.write_buffer(&buffer, 0, &bytes);
        (buffer, vertices.len() as u32)
    }

    /// Draws boxes into the sun's depth map, so that they shade what Sinew draws.
    pub(crate) fn cast(&self, encoder: &mut wgpu::CommandEncoder, sun: SunMap<'_>, cubes: &[Cube]) {
        let (buffer, count) = self.upload(cubes, sun.clip_from_world);
        let pipeline = pipeline(&self.context, None, (sun.format, wgpu::CompareFunction::LessEqual), 1);
        let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            depth_stencil_attachment: Some(wgpu::RenderPassDepthStencilAttachment {
                view: sun.view,
                depth_ops: Some(wgpu::Operations { load: wgpu::LoadOp::Load, store: wgpu::StoreOp::Store }),
                stencil_ops: None,
            }),
            ..Default::default()
        });
        pass.set_pipeline(&pipeline);
        pass.set_vertex_buffer(0, buffer.slice(..));
        pass.draw(0..count, 0..1);
    }

    /// Its color and depth.
    pub(crate) fn views(&self) -> [wgpu::TextureView; 2] {
        let color = self.samples.as_ref().unwrap_or(&self.picture);
        [color, &self.depth].map(|texture| texture.create_view(&wgpu::TextureViewDescriptor::default()))
    }

    pub(crate) fn target<'a>(&self, [color, depth]: &'a [wgpu::TextureView; 2]) -> HostTarget<'a> {
        HostTarget { color, depth }
    }

    fn vertices(cube: &Cube, clip: Mat4) -> Vec<[Vec4; 2]> {
        let corner = |i: usize| Vec3::new((i & 1) as f32, (i >> 1 & 1) as f32, (i >> 2) as f32) * 2.0 - 1.0;
        let quads = [[0, 1, 3, 2], [4, 5, 7, 6], [0, 1, 5, 4], [2, 3, 7, 6], [0, 2, 6, 4], [1, 3, 7, 5]];
        let corners = quads.into_iter().flat_map(|[a, b, c, d]| [a, b, c, a, c, d]);
        corners.map(|i| [clip * (cube.middle + corner(i) * cube.half).extend(1.0), cube.color]).collect()
    }

    /// The picture, resolved: colors as they are stored, 0..1 in formats of bytes.
    pub(crate) fn read(&self) -> Vec<[f32; 4]> {
        let device = &self.context.device;
        let bytes = self.picture.format().block_copy_size(None).expect("a color format");
        let row = SIZE.0 * bytes;
        assert_eq!(row % wgpu::COPY_BYTES_PER_ROW_ALIGNMENT, 0);
        let buffer = device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("read back"),
            size: u64::from(row * SIZE.1),
            usage: wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        });
        let mut encoder = device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        if let Some(samples) = &self.samples {
            let views = [samples, &self.picture].map(|t| t.create_view(&wgpu::TextureViewDescriptor::default()));
            encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
                color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                    view: &views[0],
                    depth_slice: None,
                    resolve_target: Some(&views[1]),
                    ops: wgpu::Operations { load: wgpu::LoadOp::Load, store: wgpu::StoreOp::Store },
                })],
                ..Default::default()
            });
        }
        encoder.copy_texture_to_buffer(
            self.picture.as_image_copy(),
            wgpu::TexelCopyBufferInfo {
                buffer: &buffer,
                layout: wgpu::TexelCopyBufferLayout { offset: 0, bytes_per_row: Some(row), rows_per_image: None },
            },
            self.picture.size(),
        );
        self.context.queue.submit([encoder.finish()]);
        buffer.map_async(wgpu::MapMode::Read, .., |_| {});
        device.poll(wgpu::PollType::wait_indefinitely()).expect("the device is there");
        let bytes = buffer.get_mapped_range(..).expect("mapped").to_vec();
        let swapped = format!("{:?}", self.picture.format()).starts_with("Bgra");
        match self.format.colors {
            HostColors::Display => bytes
                .chunks_exact(4)
                .map(|p| [p[if swapped { 2 } else { 0 }], p[1], p[if swapped { 0 } else { 2 }], p[3]])
                .map(|p| p.map(|c| f32::from(c) / 255.0))
                .collect(),
            HostColors::Radiance => bytes
                .chunks_exact(8)
                .map(|p| [0, 2, 4, 6].map(|k| half(u16::from_le_bytes([p[k], p[k + 1]]))))
                .collect(),
        }
    }

    /// The color of the picture where a place of the world is seen.
    pub(crate) fn at(&self, picture: &[[f32; 4]], place: Vec3) -> [f32; 4] {
        let clip = self.view.clip_from_view * self.view.view_from_world * place.extend(1.0);
        let at = clip.truncate().truncate() / clip.w * sinew::glam::Vec2::new(0.5, -0.5) + 0.5;
        let (x, y) = ((at.x * SIZE.0 as f32) as usize, (at.y * SIZE.1 as f32) as usize);
        picture[y * SIZE.0 as usize + x]
    }
}

/// The value of a number of 16 bits.
fn half(bits: u16) -> f32 {
    let (sign, exponent, fraction) = (bits >> 15, i32::from(bits >> 10 & 31), f32::from(bits & 1023));
    let value =
        if exponent == 0 { fraction * 2f32.powi(-24) } else { (1.0 + fraction / 1024.0) * 2f32.powi(exponent - 15) };
    if sign == 1 { -value } else { value }
}
