//! The uniform of a frame: camera, sun, and the part of the world that the shadow map covers.

use glam::{Mat4, Vec3};

use super::camera::Camera;
use super::geometry::buffer;
use super::options::DrawOptions;
use super::targets::{LiquidMap, ShadowMap};
use crate::gpu::wgsl::render::frame::Frame;
use crate::gpu::{Context, GpuError, Group, Pipeline};

/// Things may be so near, wherever the eye looks [m].
const NEAR: f32 = 3.0;

/// Where a picture is seen from.
#[derive(Clone, Copy, Debug)]
pub(super) struct Eye {
    /// Position [m].
    pub(super) place: Vec3,
    /// Unit vectors right, up and forward.
    pub(super) axes: [Vec3; 3],
    /// Tangents of half the angles of view, across and up.
    pub(super) slopes: (f32, f32),
    /// Distance of the near plane [m].
    pub(super) near: f32,
    /// Distance of what is looked at [m].
    pub(super) focus: f32,
    /// How far shadows are fine at least [m].
    pub(super) shaded: f32,
    pub(super) clip_from_world: Mat4,
    /// Depth of what is d in front of it: x / d + y.
    pub(super) depth_law: [f32; 2],
}

impl Eye {
    /// That of a camera, for a picture of `size` [pixels], sides above 0.
    pub(super) fn of(camera: &Camera, size: (u32, u32)) -> Self {
        let aspect = size.0 as f32 / size.1 as f32;
        Self {
            place: camera.eye,
            axes: camera.axes(),
            slopes: camera.slopes(aspect),
            near: camera.near,
            focus: camera.eye.distance(camera.target),
            shaded: 0.0,
            clip_from_world: camera.clip_from_world(aspect),
            depth_law: [camera.near, 0.0],
        }
    }

    /// Width of a pixel of a picture of `size` [pixels] on what may be near [m].
    pub(super) fn pixel_width(&self, size: (u32, u32)) -> f32 {
        2.0 * self.slopes.1 * self.focus.min(NEAR) / size.1 as f32
    }
}

/// What shaders know of a picture of `size` [pixels], sides above 0; `map_size` of the depth map [texels]; `pane`:
/// where there are liquids, how far behind their front things are still before them [m]; `target`: size of what the picture is copied
/// to [pixels].
pub(super) fn frame_of(
    eye: &Eye,
    size: (u32, u32),
    options: &DrawOptions,
    (map_size, pane): (u32, Option<f32>),
    target: (u32, u32),
) -> Frame {
    let (width, height) = (size.0 as f32, size.1 as f32);
    let ([right, up, forward], (x, y)) = (eye.axes, eye.slopes);
    let light = &options.light;
    let sun = light.to_sun.normalize();
    let (shadow_from_world, texel) = shadow_view(eye, sun, map_size);
    let flag = |on: bool| f32::from(u8::from(on));
    let color = |color: Vec3| color.extend(0.0).to_array();
    Frame {
        clip_from_world: eye.clip_from_world.to_cols_array_2d(),
        shadow_from_world: shadow_from_world.to_cols_array_2d(),
        eye: eye.place.extend(eye.near).to_array(),
        right: (right * x).extend(0.0).to_array(),
        up: (up * y).extend(0.0).to_array(),
        forward: forward.extend(pane.unwrap_or(0.0)).to_array(),
        sun: sun.extend(texel).to_array(),
        viewport: [width, height, 1.0 / width, 1.0 / height],
        settings: [1.0 / map_size as f32, flag(options.shadows), flag(options.grid), flag(options.strain)],
        liquid_maps: u32::from(pane.is_some()),
        particle_colors: options.particle_colors as u32,
        target_pixel: [1.0 / target.0 as f32, 1.0 / target.1 as f32],
        depth_law: eye.depth_law,
        haze: flag(light.haze),
        glow: light.glow,
        sun_color: color(light.sun),
        zenith: color(light.zenith),
        horizon: color(light.horizon),
        nadir: color(light.nadir),
    }
}

/// The sun's view of the ball about what the camera looks at, and the width of a texel there [m]. Size and place move
/// in steps, so that shadow edges do not crawl when the camera does.
pub(super) fn shadow_view(eye: &Eye, sun: Vec3, map_size: u32) -> (Mat4, f32) {
    let distance = eye.focus.max(eye.shaded).clamp(4.0, 150.0);
    let step = 1.25f32;
    let radius = step.powf((1.25 * distance).log(step).ceil());
    let texel = 2.0 * radius / map_size as f32;
    let side = Vec3::Z.cross(sun).try_normalize().unwrap_or(Vec3::X);
    let top = sun.cross(side);
    let center = eye.place + eye.axes[2] * distance;
    let snapped = |axis: Vec3| (center.dot(axis) / texel).round() * texel;
    // Depth 0 is nearest to the sun.
    let reach = 3.0 * radius + 20.0;
    let along = snapped(sun) + reach;
    let rows = [
        (side / radius).extend(-snapped(side) / radius),
        (top / radius).extend(-snapped(top) / radius),
        (-sun / (2.0 * reach)).extend(along / (2.0 * reach)),
        Vec3::ZERO.extend(1.0),
    ];
    (Mat4::from_cols(rows[0], rows[1], rows[2], rows[3]).transpose(), texel)
}

/// What shaders know of a frame.
#[derive(Debug)]
pub(super) struct Frames {
    buffer: wgpu::Buffer,
    /// Camera and sun.
    pub(super) camera: Group,
    /// The sun's depth map, and what liquids take from the sun; no liquid is on the screen.
    pub(super) light: Group,
}

impl Frames {
    /// Groups of `lit`, a pipeline whose shader imports `render/light`.
    pub(super) fn new(
        context: &Context,
        lit: &Pipeline,
        map: &ShadowMap,
        liquid: &LiquidMap,
    ) -> Result<Self, GpuError> {
        let zero = Frame::default();
        let buffer = buffer(context, "frame", bytemuck::bytes_of(&zero), wgpu::BufferUsages::UNIFORM);
        let camera = lit.bind(context, &[("frame", (&buffer).into())])?;
        let light = light_group(context, lit, (map, liquid), &liquid.none)?;
        Ok(Self { light, camera, buffer })
    }

    pub(super) fn upload(&self, queue: &wgpu::Queue, frame: Frame) {
        queue.write_buffer(&self.buffer, 0, bytemuck::bytes_of(&frame));
    }
}

/// The group of light. `front` is the depth of liquids on the screen.
pub(super) fn light_group(
    context: &Context,
    lit: &Pipeline,
    (map, liquid): (&ShadowMap, &LiquidMap),
    front: &wgpu::TextureView,
) -> Result<Group, GpuError> {
    let given = [
        ("shadow_map", (&map.view).into()),
        ("shadow_sampler", (&map.sampler).into()),
        ("liquid_map", (&liquid.view).into()),
        ("liquid_sampler", (&liquid.sampler).into()),
        ("liquid_front", front.into()),
    ];
    lit.bind(context, &given)
}

#[cfg(test)]
mod tests {
    use super::*;
    #[test]
    fn the_sun_sees_what_the_camera_looks_at() {
        let camera = Camera::default();
        let sun = DrawOptions::default().light.to_sun.normalize();
        let seen_by = |camera: &Camera| shadow_view(&Eye::of(camera, (4, 3)), sun, 2048);
        let (view, texel) = seen_by(&camera);
        let at = view.transform_point3(camera.target);
        assert!(at.truncate().length() < 0.01 && (at.z - 0.5).abs() < 0.01, "{at}");
        assert!(view.transform_point3(camera.target + sun).z < at.z, "nearer to the sun is less deep");
        let moved =
            Camera { eye: camera.eye + 0.4 * texel * Vec3::X, target: camera.target + 0.4 * texel * Vec3::X, ..camera };
        let shift = seen_by(&moved).0.transform_point3(camera.target) - at;
        let texels = shift.truncate() * 1024.0;
        assert!((texels - texels.round()).length() < 0.01, "moved by {texels} texels");
    }
}
