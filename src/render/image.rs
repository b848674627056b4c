//! A frame as an image in memory.

use image::RgbaImage;

use super::camera::Camera;
use super::error::RenderError;
use super::options::DrawOptions;
use super::renderer::Renderer;
use crate::gpu::{Context, GpuError};
use crate::solver::SolverView;

/// Draws one frame of `size` [pixels] without a window and waits for it.
///
/// # Errors
/// [`RenderError::Size`] for a side of 0 or more than the device allows, [`RenderError::Format`] if the renderer was
/// made for a format other than 8-bit RGBA or BGRA, or a lost device.
pub fn image(
    context: &Context,
    renderer: &mut Renderer,
    size: (u32, u32),
    camera: &Camera,
    solver: &SolverView<'_>,
    options: &DrawOptions,
) -> Result<RgbaImage, RenderError> {
    use wgpu::TextureFormat as Format;
    let (width, height) = size;
    let most = context.device.limits().max_texture_dimension_2d;
    let refused = RenderError::Size { width, height, most };
    if width == 0 || height == 0 || width > most || height > most {
        return Err(refused);
    }
    let swapped = match renderer.format() {
        Format::Rgba8Unorm | Format::Rgba8UnormSrgb => false,
        Format::Bgra8Unorm | Format::Bgra8UnormSrgb => true,
        other => return Err(RenderError::Format(other)),
    };
    let row = (4 * width).next_multiple_of(wgpu::COPY_BYTES_PER_ROW_ALIGNMENT);
    let format = renderer.format();
    let draw = |encoder: &mut wgpu::CommandEncoder, view: &wgpu::TextureView| {
        renderer.draw(encoder, view, size, camera, solver, options)
    };
    let pixels = context.checked("picture", || captured(context, size, row, format, draw))??;
    let bytes = context.read_buffer(&pixels)?;
    let mut rgba: Vec<u8> = bytes.chunks(row as usize).flat_map(|r| &r[..4 * width as usize]).copied().collect();
    for pixel in rgba.chunks_exact_mut(4) {
        if swapped {
            pixel.swap(0, 2);
        }
        pixel[3] = 255;
    }
    RgbaImage::from_raw(width, height, rgba)
        .ok_or_else(|| RenderError::Gpu(GpuError::Lost("while a picture was read back".into())))
}

/// The pixels that `draw` draws to a target, in rows of so many bytes.
fn captured(
    context: &Context,
    (width, height): (u32, u32),
    row: u32,
    format: wgpu::TextureFormat,
    draw: impl FnOnce(&mut wgpu::CommandEncoder, &wgpu::TextureView) -> Result<(), RenderError>,
) -> Result<wgpu::Buffer, RenderError> {
    let extent = wgpu::Extent3d { width, height, depth_or_array_layers: 1 };
    let texture = context.device.create_texture(&wgpu::TextureDescriptor {
        label: Some("image"),
        size: extent,
        mip_level_count: 1,
        sample_count: 1,
        dimension: wgpu::TextureDimension::D2,
        format,
        usage: wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::COPY_SRC,
        view_formats: &[],
    });
    let pixels = context.device.create_buffer(&wgpu::BufferDescriptor {
        label: Some("image"),
        size: u64::from(row) * u64::from(height),
        usage: wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::COPY_SRC,
        mapped_at_creation: false,
    });
    context.try_run("image", |encoder| {
        draw(encoder, &texture.create_view(&wgpu::TextureViewDescriptor::default()))?;
        let rows = wgpu::TexelCopyBufferLayout { offset: 0, bytes_per_row: Some(row), rows_per_image: None };
        let place = wgpu::TexelCopyBufferInfo { buffer: &pixels, layout: rows };
        encoder.copy_texture_to_buffer(texture.as_image_copy(), place, extent);
        Ok::<_, RenderError>(())
    })?;
    Ok(pixels)
}
