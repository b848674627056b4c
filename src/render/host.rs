//! Drawing into a host's render target: its colors, depth, camera and light, so that objects of both occlude
//! one another.

use glam::{Mat4, Vec3};

use super::canvas::{Canvas, DEPTH_FORMAT};
use super::error::RenderError;
use super::frame::{Eye, shadow_view};
use super::host_behind::Behind;
use super::options::DrawOptions;
use super::quality::Quality;
use super::recorder::{Recorder, depth_kept, onto_kept};
use super::renderer::Renderer;
use super::targets::Targets;
use crate::gpu::{Context, GpuError, Group};
use crate::scene::Scene;
use crate::solver::{Solver, SolverView};

/// What the colors of a host's picture are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum HostColors {
    /// What a display shows. In a format without sRGB in its name they are written in the display's coding.
    #[default]
    Display,
    /// Radiance, which the host brings to a display by itself; in a format of floats.
    Radiance,
}

/// What a host's picture is made of: fixed when its renderer is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HostFormat {
    /// Format of its colors.
    pub color: wgpu::TextureFormat,
    /// Format of its depth.
    pub depth: wgpu::TextureFormat,
    /// Samples of a pixel, as the device allows: 1 or 4.
    pub samples: u32,
    /// Whether depth is 1 near and 0 far away, as Sinew's own cameras have it.
    pub reversed_depth: bool,
    /// What its colors are.
    pub colors: HostColors,
}

/// How a host sees the world: a perspective view whose middle is straight ahead.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HostView {
    /// World to view space: right-handed, x right, y up, looking along -z [m].
    pub view_from_world: Mat4,
    /// View to clip space, depth in 0..1 as in wgpu.
    pub clip_from_view: Mat4,
    /// Width and height of the picture [pixels].
    pub size: (u32, u32),
    /// Distance of what matters most [m]: shadows are finest as far as there.
    pub focus: f32,
}

/// The picture of a host.
#[derive(Clone, Copy, Debug)]
pub struct HostTarget<'a> {
    /// Its colors. Where there are liquids, of a texture that can be bound too.
    pub color: &'a wgpu::TextureView,
    /// Its depth, with the stencil if the format has one. Where there are liquids, of a texture that can be bound too, and that has one
    /// layer and one level if it has a stencil.
    pub depth: &'a wgpu::TextureView,
}

/// Depth seen from the sun, for a host whose own things take shadows from Sinew's, or cast some on them.
#[derive(Clone, Copy, Debug)]
pub struct SunMap<'a> {
    /// The map: 0 is nearest to the sun. A host may draw more into it, between [`HostRenderer::prepare`] and
    /// [`HostRenderer::draw`].
    pub view: &'a wgpu::TextureView,
    /// Its format.
    pub format: wgpu::TextureFormat,
    /// Width and height [texels].
    pub size: u32,
    /// World to the map's clip space.
    pub clip_from_world: Mat4,
}

/// Draws a scene into the pictures of a host program: into its render pass, or with an encoder of its. The host's own things are kept,
/// occlude those of the scene and are occluded by them. There is no sky and no ambient occlusion: those are the host's.
#[derive(Debug)]
pub struct HostRenderer {
    renderer: Renderer,
    format: HostFormat,
    behind: Option<Behind>,
    /// Of a picture with liquids: what is blended asks where they are.
    wet_light: Option<Group>,
    sun_clip: Mat4,
    size: (u32, u32),
}

impl HostRenderer {
    /// Uploads what `scene` draws, for pictures of a host.
    ///
    /// # Errors
    /// [`RenderError::Host`] for formats that no picture has, otherwise as [`Renderer::new`].
    pub fn new(context: &Context, scene: &Scene, format: HostFormat, quality: Quality) -> Result<Self, RenderError> {
        check_format(&format)?;
        let canvas = Canvas {
            quality,
            host: true,
            color: format.color,
            depth: format.depth,
            samples: format.samples,
            near_is_less: !format.reversed_depth,
            radiance: format.colors == HostColors::Radiance,
            coded: format.colors == HostColors::Display && !format.color.is_srgb(),
        };
        let renderer = Renderer::on_canvas(context, scene, format.color, canvas)?;
        Ok(Self { renderer, format, behind: None, wet_light: None, sun_clip: Mat4::IDENTITY, size: (0, 0) })
    }

    /// Takes in what changed in the world: see [`Renderer::sync`].
    ///
    /// # Errors
    /// As [`Renderer::new`]; what was drawn before stays.
    pub fn sync(&mut self, solver: &Solver) -> Result<(), RenderError> {
        self.renderer.sync(solver)
    }

    /// What draws, for all that is not about the host: turns of bones, hidden parts, times of passes.
    pub fn renderer(&mut self) -> &mut Renderer {
        &mut self.renderer
    }

    /// Records what must be done before a picture: where everything is, the sun's depth map, and the surface of liquids. One picture of
    /// a renderer per submission: view and options are uploaded, not recorded.
    ///
    /// # Errors
    /// [`RenderError::Size`] for a view that has no pixels or too many, [`RenderError::Host`] for one that is no perspective, or whose
    /// depth runs the other way than the format says; [`RenderError::Light`]; otherwise as [`Renderer::draw`].
    pub fn prepare(
        &mut self,
        encoder: &mut wgpu::CommandEncoder,
        view: &HostView,
        solver: &SolverView<'_>,
        options: &DrawOptions,
    ) -> Result<(), RenderError> {
        options.light.check()?;
        let eye = self.eye(view)?;
        self.sun_clip = shadow_view(&eye, options.light.to_sun.normalize(), self.renderer.map.size).0;
        self.size = view.size;
        self.renderer.begin(&eye, view.size, view.size, solver, options);
        let mut recorder = Recorder::new(encoder, None);
        self.renderer.before_picture(&mut recorder, solver, options)?;
        if options.shadows {
            self.renderer.shadow_pass(&mut recorder, solver, options)?;
        }
        self.wet_light = self.find_liquids(&mut recorder, options)?;
        Ok(())
    }

    /// Finds the surface of liquids, if any are drawn: the light of a picture in which they are known.
    fn find_liquids(&mut self, recorder: &mut Recorder<'_>, options: &DrawOptions) -> Result<Option<Group>, GpuError> {
        let Self { renderer, size, .. } = self;
        let (Some(liquids), true) = (&renderer.liquids, options.flowing()) else { return Ok(None) };
        let kept = renderer.targets.take().filter(|t: &Targets| t.size == *size && t.liquid.is_some());
        let own = kept.unwrap_or_else(|| Targets::new(&renderer.context, renderer.canvas, *size, true));
        let light = match &own.liquid {
            Some(wet) => {
                liquids.surface_passes(&renderer.context, recorder, &renderer.frames, wet)?;
                Some(renderer.light_with(wet)?)
            }
            None => None,
        };
        renderer.targets = Some(own);
        Ok(light)
    }

    /// Draws everything but liquids into a pass of the host, whose targets have the formats that this renderer was made for. What
    /// blends, like glass, is drawn last; where it is before a liquid, [`HostRenderer::draw_liquids`] draws it. Pipeline, bind groups 0
    /// to 3, the index buffer and vertex buffers 0 and 1 of the pass are others after it. The picture is the whole target: a viewport
    /// would be missed by grains and liquids.
    ///
    /// # Errors
    /// As [`Renderer::draw`]; [`RenderError::Host`] before anything was prepared.
    pub fn draw(
        &self,
        pass: &mut wgpu::RenderPass<'_>,
        solver: &SolverView<'_>,
        options: &DrawOptions,
    ) -> Result<(), RenderError> {
        if self.size == (0, 0) {
            return Err(RenderError::Host("nothing was prepared; HostRenderer::prepare comes before a picture".into()));
        }
        let light = self.wet_light.as_ref().unwrap_or(&self.renderer.frames.light);
        Ok(self.renderer.draw_things(pass, light, solver, options)?)
    }

    /// Whether there are liquids: only then [`HostRenderer::draw_liquids`] does something.
    pub fn has_liquids(&self) -> bool {
        self.renderer.liquids.is_some()
    }

    /// Lays liquids over the picture, after the host's own solid things are drawn: they bend and dim what is behind them, which is
    /// read from a copy of the target. What blends before them comes over them. Pixels without liquid stay, depth stays.
    ///
    /// # Errors
    /// As [`Renderer::draw`]; [`RenderError::Host`] for a target of another size than was prepared, or a depth with a stencil of several
    /// layers or levels. The device refuses targets that cannot be bound.
    pub fn draw_liquids(
        &mut self,
        encoder: &mut wgpu::CommandEncoder,
        target: HostTarget<'_>,
        options: &DrawOptions,
    ) -> Result<(), RenderError> {
        self.check_size(target)?;
        let Self { renderer, behind, wet_light: Some(light), .. } = self else { return Ok(()) };
        let renderer = &*renderer;
        let Renderer { context, frames, liquids: Some(liquids), canvas, targets: Some(own), .. } = renderer else {
            return Ok(());
        };
        let behind = match behind {
            Some(behind) => behind,
            None => behind.insert(Behind::new(context, *canvas)?),
        };
        let mut recorder = Recorder::new(encoder, None);
        let depth_alone = depth_of(target.depth)?;
        let depth = depth_alone.as_ref().unwrap_or(target.depth);
        behind.record(context, &mut recorder, frames, [target.color, depth], own)?;
        if let Some(wet) = &own.liquid {
            let over = (target.color, wgpu::LoadOp::Load);
            liquids.record(context, &mut recorder, frames, (own, wet), over)?;
        }
        if renderer.blends(options) {
            renderer.veil_pass(&mut recorder, onto_kept(target.color), target.depth, light, options);
        }
        Ok(())
    }

    /// All of it: what [`HostRenderer::prepare`], [`HostRenderer::draw`] in a pass that keeps what the targets hold, and
    /// [`HostRenderer::draw_liquids`] do. The host draws its solid things before, its blended ones after.
    ///
    /// # Errors
    /// As those.
    pub fn draw_into(
        &mut self,
        encoder: &mut wgpu::CommandEncoder,
        target: HostTarget<'_>,
        view: &HostView,
        solver: &SolverView<'_>,
        options: &DrawOptions,
    ) -> Result<(), RenderError> {
        self.prepare(encoder, view, solver, options)?;
        self.draw_prepared(encoder, target, solver, options)
    }

    /// As [`HostRenderer::draw_into`], what was prepared before: between both the host may draw into the sun's depth map.
    ///
    /// # Errors
    /// As [`HostRenderer::draw`] and [`HostRenderer::draw_liquids`].
    pub fn draw_prepared(
        &mut self,
        encoder: &mut wgpu::CommandEncoder,
        target: HostTarget<'_>,
        solver: &SolverView<'_>,
        options: &DrawOptions,
    ) -> Result<(), RenderError> {
        self.check_size(target)?;
        {
            let mut recorder = Recorder::new(encoder, None);
            let mut pass =
                recorder.render("render/host", Some(onto_kept(target.color)), Some(depth_kept(target.depth)));
            self.draw(&mut pass, solver, options)?;
        }
        self.draw_liquids(encoder, target, options)
    }

    /// Depth seen from the sun as it was prepared last.
    pub fn sun_map(&self) -> SunMap<'_> {
        let map = &self.renderer.map;
        SunMap { view: &map.view, format: DEPTH_FORMAT, size: map.size, clip_from_world: self.sun_clip }
    }

    /// Whether a target is of the size that was prepared; of a view of one of several levels nobody can tell.
    fn check_size(&self, target: HostTarget<'_>) -> Result<(), RenderError> {
        for (what, texture) in [("colors", target.color.texture()), ("depth", target.depth.texture())] {
            let found = (texture.width(), texture.height());
            if texture.mip_level_count() == 1 && found != self.size {
                let (wide, high) = self.size;
                return Err(RenderError::Host(format!(
                    "its {what} are {}x{} pixels, but the view that was prepared has {wide}x{high}",
                    found.0, found.1
                )));
            }
        }
        Ok(())
    }

    /// A host's view as shaders know it.
    fn eye(&self, view: &HostView) -> Result<Eye, RenderError> {
        let most = self.renderer.context.device.limits().max_texture_dimension_2d;
        let (width, height) = view.size;
        if width == 0 || height == 0 || width > most || height > most {
            return Err(RenderError::Size { width, height, most });
        }
        let eye = eye_of(view).map_err(|reason| RenderError::Host(reason.into()))?;
        if (eye.depth_law[0] > 0.0) != self.format.reversed_depth {
            let [found, said] = if self.format.reversed_depth { ["less", "true"] } else { ["greater", "false"] };
            return Err(RenderError::Host(format!(
                "clip_from_view gives {found} depth to what is nearer, but HostFormat::reversed_depth is {said}"
            )));
        }
        Ok(eye)
    }
}

/// Depth without the stencil beside it, if there is one: only one of both can be bound.
fn depth_of(view: &wgpu::TextureView) -> Result<Option<wgpu::TextureView>, RenderError> {
    let texture = view.texture();
    if !texture.format().has_stencil_aspect() {
        return Ok(None);
    }
    if texture.depth_or_array_layers() > 1 || texture.mip_level_count() > 1 {
        return Err(RenderError::Host(format!(
            "its depth, of format {:?}, has {} layers and {} levels; with a stencil it must have one of each to be read",
            texture.format(),
            texture.depth_or_array_layers(),
            texture.mip_level_count()
        )));
    }
    let aspect = wgpu::TextureAspect::DepthOnly;
    Ok(Some(texture.create_view(&wgpu::TextureViewDescriptor { aspect, ..Default::default() })))
}

fn check_format(format: &HostFormat) -> Result<(), RenderError> {
    let refuse = |reason: String| Err(RenderError::Host(reason));
    let floats = matches!(
        format.color.sample_type(None, None),
        Some(wgpu::TextureSampleType::Float { .. }) if !format.color.is_compressed() && format.color.components() >= 3
    );
    if !(format.color.has_color_aspect() && floats) {
        return refuse(format!("{:?} is no format of a picture's colors", format.color));
    }
    use wgpu::TextureFormat as F;
    let endless = matches!(format.color, F::Rgba16Float | F::Rgba32Float | F::Rg11b10Ufloat);
    if format.colors == HostColors::Radiance && !endless {
        return refuse(format!("{:?} ends at 1, and radiance does not; use a format of floats", format.color));
    }
    if !format.depth.has_depth_aspect() {
        return refuse(format!("{:?} is no format of depth", format.depth));
    }
    if format.samples == 0 || !format.samples.is_power_of_two() || format.samples > 16 {
        return refuse(format!("a pixel has {} samples; most devices allow 1 and 4", format.samples));
    }
    Ok(())
}

/// How far from 0 and 1 entries of matrices may be that stand for them; from straight ahead the middle may be by a pixel or two, as
/// smoothing over time has it.
const ROUNDING: f32 = 1e-3;
const JITTER: f32 = 0.02;

fn eye_of(view: &HostView) -> Result<Eye, &'static str> {
    let (world, clip) = (view.view_from_world, view.clip_from_view);
    if !world.is_finite() || !clip.is_finite() || !view.focus.is_finite() || view.focus <= 0.0 {
        return Err("view_from_world, clip_from_view and focus must be finite, and focus above 0");
    }
    let turned = glam::Mat3::from_mat4(world);
    let rigid = (turned * turned.transpose()).abs_diff_eq(glam::Mat3::IDENTITY, ROUNDING)
        && turned.determinant() > 0.0
        && world.row(3).abs_diff_eq(glam::Vec4::W, ROUNDING);
    if !rigid {
        return Err("view_from_world must be a rotation and a move, without scale or mirror");
    }
    if !clip.row(3).abs_diff_eq(glam::Vec4::NEG_Z, ROUNDING) || clip.w_axis.z == 0.0 {
        return Err("clip_from_view must be a right-handed perspective (w = -z); an orthographic one is not drawn");
    }
    let (wide, high) = (clip.x_axis.x, clip.y_axis.y);
    if wide <= 0.0 || high <= 0.0 {
        return Err("clip_from_view must have x to the right and y up");
    }
    if clip.z_axis.x.abs() > JITTER || clip.z_axis.y.abs() > JITTER {
        return Err("clip_from_view must look straight ahead; the middle of this one is elsewhere");
    }
    // Depth = (A z + B) / -z for z = -d.
    let (a, b) = (clip.z_axis.z, clip.w_axis.z);
    let near = if b > 0.0 { b / (1.0 + a) } else { b / a };
    if near <= 0.0 || !near.is_finite() {
        return Err("clip_from_view must have a near plane in front of the eye");
    }
    let rows: [Vec3; 3] = std::array::from_fn(|i| turned.row(i));
    Ok(Eye {
        place: -(turned.transpose() * world.w_axis.truncate()),
        axes: [rows[0], rows[1], -rows[2]],
        slopes: (1.0 / wide, 1.0 / high),
        near,
        focus: view.focus,
        shaded: 0.0,
        clip_from_world: clip * world,
        depth_law: [b, -a],
    })
}
