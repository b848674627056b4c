//! Textures with all their mip levels, each the mean of four pixels in linear light.

use crate::gpu::Context;
use crate::scene::Image;

/// How the three color channels are coded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Coding {
    /// Colors for a display.
    Srgb,
    /// Numbers.
    Linear,
}

/// One size of an image.
#[derive(Clone, Debug, PartialEq)]
struct Level {
    width: u32,
    height: u32,
    rgba: Vec<u8>,
}

fn decoded(value: u8) -> f32 {
    let c = f32::from(value) / 255.0;
    if c <= 0.04045 { c / 12.92 } else { ((c + 0.055) / 1.055).powf(2.4) }
}

fn encoded(c: f32) -> u8 {
    let c = if c <= 0.0031308 { c * 12.92 } else { 1.055 * c.powf(1.0 / 2.4) - 0.055 };
    (c * 255.0).round() as u8
}

/// Tables: 256 decoded values, and codes for 4096 steps of linear light.
fn tables(coding: Coding) -> (Vec<f32>, Vec<u8>) {
    let linear = coding == Coding::Linear;
    let decode = (0..=255u8).map(|v| if linear { f32::from(v) / 255.0 } else { decoded(v) }).collect();
    let step = |i: u16| f32::from(i) / 4095.0;
    let encode = (0..4096).map(|i| if linear { (step(i) * 255.0).round() as u8 } else { encoded(step(i)) }).collect();
    (decode, encode)
}

fn half(level: &Level, (decode, encode): &(Vec<f32>, Vec<u8>)) -> Level {
    let (width, height) = ((level.width / 2).max(1), (level.height / 2).max(1));
    let mut rgba = Vec::with_capacity((width * height * 4) as usize);
    for y in 0..height {
        for x in 0..width {
            let at = |dx: u32, dy: u32| {
                let (sx, sy) = ((2 * x + dx).min(level.width - 1), (2 * y + dy).min(level.height - 1));
                ((sy * level.width + sx) * 4) as usize
            };
            let four = [at(0, 0), at(1, 0), at(0, 1), at(1, 1)];
            for channel in 0..3 {
                let sum: f32 = four.iter().map(|i| decode[level.rgba[i + channel] as usize]).sum();
                rgba.push(encode[(sum * 0.25 * 4095.0).round() as usize]);
            }
            let alpha: u32 = four.iter().map(|i| u32::from(level.rgba[i + 3])).sum();
            rgba.push(((alpha + 2) / 4) as u8);
        }
    }
    Level { width, height, rgba }
}

/// The image and its halves down to one pixel, without those wider than `most`.
fn levels(image: &Image, coding: Coding, most: u32) -> Vec<Level> {
    let tables = tables(coding);
    let mut levels = vec![Level { width: image.width, height: image.height, rgba: image.rgba.clone() }];
    while let Some(last) = levels.last().filter(|l| l.width > 1 || l.height > 1) {
        let next = half(last, &tables);
        levels.push(next);
    }
    levels.retain(|l| l.width <= most && l.height <= most);
    levels
}

/// Uploads `image`, whose pixels match its size, both sides above 0.
pub(super) fn upload(context: &Context, image: &Image, coding: Coding) -> wgpu::TextureView {
    let levels = levels(image, coding, context.device.limits().max_texture_dimension_2d);
    let extent = |level: &Level| wgpu::Extent3d { width: level.width, height: level.height, depth_or_array_layers: 1 };
    let texture = context.device.create_texture(&wgpu::TextureDescriptor {
        label: Some("material"),
        size: extent(&levels[0]),
        mip_level_count: levels.len() as u32,
        sample_count: 1,
        dimension: wgpu::TextureDimension::D2,
        format: match coding {
            Coding::Srgb => wgpu::TextureFormat::Rgba8UnormSrgb,
            Coding::Linear => wgpu::TextureFormat::Rgba8Unorm,
        },
        usage: wgpu::TextureUsages::TEXTURE_BINDING | wgpu::TextureUsages::COPY_DST,
        view_formats: &[],
    });
    for (level, mip_level) in levels.iter().zip(0..) {
        let place = wgpu::TexelCopyTextureInfo { mip_level, ..texture.as_image_copy() };
        let rows =
            wgpu::TexelCopyBufferLayout { offset: 0, bytes_per_row: Some(4 * level.width), rows_per_image: None };
        context.queue.write_texture(place, &level.rgba, rows, extent(level));
    }
    texture.create_view(&wgpu::TextureViewDescriptor::default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_keep_the_mean_light() {
        let checker: Vec<u8> = (0..8).flat_map(|i| [if i % 2 == 0 { 255 } else { 0 }, 128, 0, 255]).collect();
        let image = Image { width: 4, height: 2, rgba: checker };
        let sizes: Vec<_> = levels(&image, Coding::Srgb, 8192).iter().map(|l| (l.width, l.height)).collect();
        assert_eq!(sizes, [(4, 2), (2, 1), (1, 1)]);
        assert_eq!(levels(&image, Coding::Srgb, 8192)[2].rgba, [188, 128, 0, 255], "half the light, not half the code");
        assert_eq!(levels(&image, Coding::Linear, 8192)[2].rgba, [128, 128, 0, 255]);
        assert_eq!(levels(&image, Coding::Linear, 2)[0].width, 2, "too wide for the device");
    }

    #[test]
    fn odd_sizes_end_at_one_pixel() {
        let image = Image { width: 5, height: 1, rgba: vec![77; 20] };
        let all = levels(&image, Coding::Srgb, 8192);
        assert_eq!(all.last().map(|l| (l.width, l.height, l.rgba[0])), Some((1, 1, 77)));
    }
}
