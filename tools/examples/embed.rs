//! Inside a program that owns the device, the picture and its depth: it draws a pillar of its own, and Sinew the crates and the ball
//! that breaks over them, behind and before the pillar.
//!
//! `cargo run --release --example embed [-- FRAMES [FILE.png]]`

use std::error::Error;
use std::path::{Path, PathBuf};

use sinew::glam::camera::rh::{proj::directx::perspective_infinite_reverse, view::look_at_mat4};
use sinew::glam::{Mat4, Vec3, Vec4, vec3};
use sinew::gpu::Context;
use sinew::render::{DrawOptions, HostColors, HostFormat, HostRenderer, HostTarget, HostView, Light, Quality};
use sinew::scene::{BodyDesc, Collider, Scene, primitive_model};
use sinew::solver::Solver;
use sinew::wgpu;

const SIZE: (u32, u32) = (640, 448);
const COLOR: wgpu::TextureFormat = wgpu::TextureFormat::Rgba8UnormSrgb;
const DEPTH: wgpu::TextureFormat = wgpu::TextureFormat::Depth32Float;
const SKY: wgpu::Color = wgpu::Color { r: 0.25, g: 0.4, b: 0.6, a: 1.0 };
const TO_SUN: Vec3 = vec3(-0.5, 0.8, 0.35);

/// The pillar: sides of a box, each in the light of the host's sun.
const SHADER: &str = "
    @group(0) @binding(0) var<uniform> clip_from_world: mat4x4f;
    struct Out { @builtin(position) clip: vec4f, @location(0) normal: vec3f }
    @vertex fn vertex(@location(0) place: vec3f, @location(1) normal: vec3f) -> Out {
        return Out(clip_from_world * vec4f(place, 1.0), normal);
    }
    @fragment fn fragment(in: Out) -> @location(0) vec4f {
        let sun = max(dot(in.normal, normalize(vec3f(-0.5, 0.8, 0.35))), 0.0);
        return vec4f(vec3f(0.5, 0.5, 0.55) * (0.25 + 0.75 * sun), 1.0);
    }";

/// What the host has before it knows of Sinew.
struct Host {
    device: wgpu::Device,
    queue: wgpu::Queue,
    info: wgpu::AdapterInfo,
    picture: wgpu::Texture,
    depth: wgpu::TextureView,
    pipeline: wgpu::RenderPipeline,
    vertices: wgpu::Buffer,
    count: u32,
    camera: wgpu::BindGroup,
}

impl Host {
    fn new(view: &HostView) -> Result<Self, Box<dyn Error>> {
        let instance = wgpu::Instance::new(wgpu::InstanceDescriptor::new_without_display_handle());
        let adapter = pollster::block_on(instance.request_adapter(&wgpu::RequestAdapterOptions::default()))?;
        // The host may ask for more; this is what Sinew needs.
        let descriptor =
            wgpu::DeviceDescriptor { required_limits: Context::required_limits(), ..wgpu::DeviceDescriptor::default() };
        let (device, queue) = pollster::block_on(adapter.request_device(&descriptor))?;
        let attached = wgpu::TextureUsages::RENDER_ATTACHMENT;
        let texture = |format, usage| {
            device.create_texture(&wgpu::TextureDescriptor {
                label: Some("the host's"),
                size: wgpu::Extent3d { width: SIZE.0, height: SIZE.1, depth_or_array_layers: 1 },
                mip_level_count: 1,
                sample_count: 1,
                dimension: wgpu::TextureDimension::D2,
                format,
                usage,
                view_formats: &[],
            })
        };
        let pipeline = pipeline(&device);
        let pillar = pillar();
        let vertices = buffer(&device, &queue, wgpu::BufferUsages::VERTEX, &pillar);
        let matrix = (view.clip_from_view * view.view_from_world).to_cols_array();
        let camera = device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: None,
            layout: &pipeline.get_bind_group_layout(0),
            entries: &[wgpu::BindGroupEntry {
                binding: 0,
                resource: buffer(&device, &queue, wgpu::BufferUsages::UNIFORM, &matrix).as_entire_binding(),
            }],
        });
        Ok(Self {
            picture: texture(COLOR, attached | wgpu::TextureUsages::COPY_SRC),
            depth: texture(DEPTH, attached).create_view(&wgpu::TextureViewDescriptor::default()),
            info: adapter.get_info(),
            count: pillar.len() as u32 / 6,
            device,
            queue,
            pipeline,
            vertices,
            camera,
        })
    }

    /// Draws its own things, and Sinew's into the same pass.
    fn draw(
        &self,
        encoder: &mut wgpu::CommandEncoder,
        target: HostTarget<'_>,
        sinew: impl FnOnce(&mut wgpu::RenderPass<'_>) -> Result<(), Box<dyn Error>>,
    ) -> Result<(), Box<dyn Error>> {
        let store = wgpu::StoreOp::Store;
        let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                view: target.color,
                depth_slice: None,
                resolve_target: None,
                ops: wgpu::Operations { load: wgpu::LoadOp::Clear(SKY), store },
            })],
            depth_stencil_attachment: Some(wgpu::RenderPassDepthStencilAttachment {
                view: target.depth,
                depth_ops: Some(wgpu::Operations { load: wgpu::LoadOp::Clear(0.0), store }),
                stencil_ops: None,
            }),
            ..wgpu::RenderPassDescriptor::default()
        });
        pass.set_pipeline(&self.pipeline);
        pass.set_bind_group(0, &self.camera, &[]);
        pass.set_vertex_buffer(0, self.vertices.slice(..));
        pass.draw(0..self.count, 0..1);
        sinew(&mut pass)
    }

    /// The picture, by rows.
    fn read(&self) -> Result<Vec<u8>, Box<dyn Error>> {
        let row = 4 * SIZE.0;
        let usage = wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST;
        let size = u64::from(row * SIZE.1);
        let descriptor = wgpu::BufferDescriptor { label: None, size, usage, mapped_at_creation: false };
        let buffer = self.device.create_buffer(&descriptor);
        let mut encoder = self.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        let layout = wgpu::TexelCopyBufferLayout { offset: 0, bytes_per_row: Some(row), rows_per_image: None };
        let to = wgpu::TexelCopyBufferInfo { buffer: &buffer, layout };
        encoder.copy_texture_to_buffer(self.picture.as_image_copy(), to, self.picture.size());
        self.queue.submit([encoder.finish()]);
        buffer.map_async(wgpu::MapMode::Read, .., |_| {});
        self.device.poll(wgpu::PollType::wait_indefinitely())?;
        Ok(buffer.get_mapped_range(..)?.to_vec())
    }
}

fn buffer(device: &wgpu::Device, queue: &wgpu::Queue, usage: wgpu::BufferUsages, numbers: &[f32]) -> wgpu::Buffer {
    let bytes: Vec<u8> = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
    let usage = usage | wgpu::BufferUsages::COPY_DST;
    let descriptor = wgpu::BufferDescriptor { label: None, size: bytes.len() as u64, usage, mapped_at_creation: false };
    let buffer = device.create_buffer(&descriptor);
    queue.write_buffer(&buffer, 0, &bytes);
    buffer
}

fn pipeline(device: &wgpu::Device) -> wgpu::RenderPipeline {
    let source = wgpu::ShaderSource::Wgsl(SHADER.into());
    let module = device.create_shader_module(wgpu::ShaderModuleDescriptor { label: None, source });
    device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
        label: Some("the host's pillar"),
        layout: None,
        vertex: wgpu::VertexState {
            module: &module,
            entry_point: None,
            compilation_options: wgpu::PipelineCompilationOptions::default(),
            buffers: &[Some(wgpu::VertexBufferLayout {
                array_stride: 24,
                step_mode: wgpu::VertexStepMode::Vertex,
                attributes: &wgpu::vertex_attr_array![0 => Float32x3, 1 => Float32x3],
            })],
        },
        primitive: wgpu::PrimitiveState::default(),
        depth_stencil: Some(wgpu::DepthStencilState {
            format: DEPTH,
            depth_write_enabled: Some(true),
            depth_compare: Some(wgpu::CompareFunction::Greater),
            stencil: wgpu::StencilState::default(),
            bias: wgpu::DepthBiasState::default(),
        }),
        multisample: wgpu::MultisampleState::default(),
        fragment: Some(wgpu::FragmentState {
            module: &module,
            entry_point: None,
            compilation_options: wgpu::PipelineCompilationOptions::default(),
            targets: &[Some(COLOR.into())],
        }),
        multiview_mask: None,
        cache: None,
    })
}

/// Places and normals of the triangles of a pillar.
fn pillar() -> Vec<f32> {
    let (middle, half) = (vec3(0.35, 0.8, 0.55), vec3(0.08, 0.8, 0.08));
    let mut out = Vec::new();
    for (normal, side) in [(Vec3::X, Vec3::Y), (Vec3::Y, Vec3::Z), (Vec3::Z, Vec3::X)] {
        for normal in [normal, -normal] {
            let up = normal.cross(side);
            let corner = |a: f32, b: f32| middle + half * (normal + a * side + b * up);
            let [p, q, r, s] = [corner(-1.0, -1.0), corner(1.0, -1.0), corner(1.0, 1.0), corner(-1.0, 1.0)];
            out.extend([p, q, r, p, r, s].into_iter().flat_map(|place| [place, normal]).flat_map(|v| v.to_array()));
        }
    }
    out
}

/// A wall of crates, and what will break it.
fn scene() -> Result<Scene, Box<dyn Error>> {
    let mut scene = Scene::default();
    scene.add_collider(Collider::ground(0.0))?;
    let mut add = |desc: BodyDesc, tint: Vec4| -> Result<(), Box<dyn Error>> {
        let model = std::sync::Arc::new(primitive_model(&desc.shape));
        let id = scene.add_body(desc)?;
        Ok(scene.draw_body(id, &model, tint)?)
    };
    for i in 0..12_u8 {
        let place = vec3(f32::from(i % 4) - 1.5, f32::from(i / 4) + 0.5, 0.0) * 0.31;
        add(BodyDesc::cuboid(Vec3::splat(0.15), 0.05).at(place), Vec4::new(0.75, 0.42, 0.2, 1.0))?;
    }
    let ball = BodyDesc { velocity: Vec3::NEG_Z * 9.0, ..BodyDesc::sphere(0.18, 0.06).at(vec3(0.0, 0.5, 1.6)) };
    add(ball, Vec4::new(0.2, 0.3, 0.7, 1.0))?;
    Ok(scene)
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let frames = arguments.next().map_or(Some(24), |text| text.parse::<u32>().ok().filter(|frames| *frames > 0));
    let file = PathBuf::from(arguments.next().unwrap_or_else(|| "out/embed.png".into()));
    let (Some(frames), true, None) = (frames, file.extension().is_some_and(|e| e == "png"), arguments.next()) else {
        return Err("usage: embed [FRAMES [FILE.png]], with 1 frame or more".into());
    };
    std::fs::create_dir_all(file.parent().unwrap_or(Path::new("")))?;

    let (eye, target) = (vec3(1.5, 1.3, 2.4), vec3(0.0, 0.3, 0.0));
    let view_from_world = look_at_mat4(eye, target, Vec3::Y);
    let clip_from_view: Mat4 = perspective_infinite_reverse(0.8, SIZE.0 as f32 / SIZE.1 as f32, 0.05);
    let view = HostView { view_from_world, clip_from_view, size: SIZE, focus: eye.distance(target) };
    let host = Host::new(&view)?;

    let scene = scene()?;
    let context = Context::adopt(host.device.clone(), host.queue.clone(), host.info.clone())?;
    let mut solver = Solver::new(&context, &scene)?;
    let colors = HostColors::Display;
    let format = HostFormat { color: COLOR, depth: DEPTH, samples: 1, reversed_depth: true, colors };
    let mut renderer = HostRenderer::new(&context, &scene, format, Quality::High)?;
    let light = Light { to_sun: TO_SUN, haze: false, ..Light::default() };
    let options = DrawOptions { light, ..DrawOptions::default() };
    let color = host.picture.create_view(&wgpu::TextureViewDescriptor::default());
    let target = HostTarget { color: &color, depth: &host.depth };
    for _ in 0..frames {
        let mut encoder = host.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        solver.record(&mut encoder);
        renderer.sync(&solver)?;
        renderer.prepare(&mut encoder, &view, &solver.view(), &options)?;
        host.draw(&mut encoder, target, |pass| Ok(renderer.draw(pass, &solver.view(), &options)?))?;
        host.queue.submit([encoder.finish()]);
    }
    let picture = image::RgbaImage::from_raw(SIZE.0, SIZE.1, host.read()?).ok_or("a picture of another size")?;
    picture.save(&file)?;
    println!("{}", file.display());
    Ok(())
}
