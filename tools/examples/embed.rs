//! Inside a program that owns the device: it makes the device, the target and the encoder, and Sinew records its frames into them.
//!
//! `cargo run --release --example embed [-- FRAMES [FILE.png]]`

use std::error::Error;

use glam::{Vec3, Vec4, vec3};
use sinew::gpu::{Context, wgpu};
use sinew::render::{Camera, DrawOptions, Renderer};
use sinew::scene::{BodyDesc, Collider, Scene, primitive_model};
use sinew::solver::Solver;

const SIZE: (u32, u32) = (640, 448);
const FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Rgba8UnormSrgb;

/// What the host has before it knows of Sinew.
struct Host {
    device: wgpu::Device,
    queue: wgpu::Queue,
    info: wgpu::AdapterInfo,
    target: wgpu::Texture,
}

impl Host {
    fn new() -> Result<Self, Box<dyn Error>> {
        let instance = wgpu::Instance::new(wgpu::InstanceDescriptor::new_without_display_handle());
        let adapter = pollster::block_on(instance.request_adapter(&wgpu::RequestAdapterOptions::default()))?;
        // The host may ask for more; this is what Sinew needs.
        let descriptor =
            wgpu::DeviceDescriptor { required_limits: Context::required_limits(), ..wgpu::DeviceDescriptor::default() };
        let (device, queue) = pollster::block_on(adapter.request_device(&descriptor))?;
        let target = device.create_texture(&wgpu::TextureDescriptor {
            label: Some("the host's picture"),
            size: wgpu::Extent3d { width: SIZE.0, height: SIZE.1, depth_or_array_layers: 1 },
            mip_level_count: 1,
            sample_count: 1,
            dimension: wgpu::TextureDimension::D2,
            format: FORMAT,
            usage: wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::COPY_SRC,
            view_formats: &[],
        });
        Ok(Self { device, queue, info: adapter.get_info(), target })
    }

    /// The picture, by rows.
    fn read(&self) -> Result<Vec<u8>, Box<dyn Error>> {
        let row = 4 * SIZE.0;
        let buffer = self.device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("read back"),
            size: u64::from(row * SIZE.1),
            usage: wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        });
        let mut encoder = self.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        encoder.copy_texture_to_buffer(
            self.target.as_image_copy(),
            wgpu::TexelCopyBufferInfo {
                buffer: &buffer,
                layout: wgpu::TexelCopyBufferLayout { offset: 0, bytes_per_row: Some(row), rows_per_image: None },
            },
            self.target.size(),
        );
        self.queue.submit([encoder.finish()]);
        buffer.map_async(wgpu::MapMode::Read, .., |_| {});
        self.device.poll(wgpu::PollType::wait_indefinitely())?;
        Ok(buffer.get_mapped_range(..)?.to_vec())
    }
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
    let ball = BodyDesc { velocity: Vec3::NEG_Z * 9.0, ..BodyDesc::sphere(0.18, 0.06).at(vec3(0.1, 0.5, 1.6)) };
    add(ball, Vec4::new(0.2, 0.3, 0.7, 1.0))?;
    Ok(scene)
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let frames: u32 = arguments.next().map_or(Ok(24), |frames| frames.parse())?;
    let file = arguments.next().unwrap_or_else(|| "embed.png".into());

    let host = Host::new()?;
    let scene = scene()?;
    let context = Context::adopt(host.device.clone(), host.queue.clone(), host.info.clone())?;
    let mut solver = Solver::new(&context, &scene)?;
    let mut renderer = Renderer::new(&context, &scene, FORMAT)?;
    let camera = Camera { eye: vec3(1.5, 1.3, 2.4), target: vec3(0.0, 0.3, 0.0), ..Camera::default() };
    let view = host.target.create_view(&wgpu::TextureViewDescriptor::default());
    for _ in 0..frames {
        let mut encoder = host.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        solver.record(&mut encoder);
        renderer.draw(&mut encoder, &view, SIZE, &camera, &solver.view(), &DrawOptions::default())?;
        host.queue.submit([encoder.finish()]);
    }
    let picture = image::RgbaImage::from_raw(SIZE.0, SIZE.1, host.read()?).ok_or("a picture of another size")?;
    picture.save(&file)?;
    println!("{file}");
    Ok(())
}
