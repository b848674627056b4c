//! The passes that draw liquids: ellipsoids are shaped before the picture and seen from the sun; after it, their surface
//! is found, filtered and laid over the picture.

use std::sync::Arc;

use super::canvas::Canvas;
use super::error::RenderError;
use super::filter::Filter;
use super::frame::Frames;
use super::geometry::square_vertices;
use super::liquid_shapes::LiquidShapes;
use super::options::DrawOptions;
use super::present::picture;
use super::recipe::{Onto, Recipe};
use super::recorder::{Recorder, depth, onto};
use super::targets::{
    FOAM_FORMAT, LiquidMap, LiquidTargets, SURFACE_FORMAT, THICKNESS_FORMAT, Targets, liquid_format, smooth_sampler,
};
use crate::gpu::wgsl::render::liquid_foam::DISCS;
use crate::gpu::{Context, GpuError, Group, Pipeline};
use crate::scene::Scene;
use crate::solver::SolverView;

/// How far behind the front of a liquid things are still before it, in radii of its drops: what is drawn of drops at a pane goes through
/// it.
const PANE: f32 = 2.0;

/// How liquids are drawn.
#[derive(Debug)]
struct LiquidPipelines {
    light: Pipeline,
    depth: Pipeline,
    filter: Filter,
    thickness: Pipeline,
    blur: Pipeline,
    foam: Pipeline,
    present: Pipeline,
    /// For an eye in a liquid.
    under: Pipeline,
    sampler: wgpu::Sampler,
}

impl LiquidPipelines {
    fn new(context: &Context, canvas: Canvas, target: wgpu::TextureFormat) -> Result<Self, GpuError> {
        let draw = |shader, onto| Recipe::plain(shader, onto).make(context, canvas);
        let part = |operation| wgpu::BlendComponent {
            src_factor: wgpu::BlendFactor::One,
            dst_factor: wgpu::BlendFactor::One,
            operation,
        };
        let sum = part(wgpu::BlendOperation::Add);
        let nearest = part(wgpu::BlendOperation::Max);
        let add = |format, alpha| {
            let blend = Some(wgpu::BlendState { color: sum, alpha });
            Onto::Texture { format, blend, depth: false }
        };
        let front = Onto::Texture { format: SURFACE_FORMAT, blend: None, depth: true };
        let outer = Recipe { constant: Some(("OUTER", 1.0)), ..Recipe::plain("render/liquid_depth", front) };
        let present = match canvas.host {
            true => Recipe { constant: Some(("OVER", 1.0)), ..Recipe::plain("render/liquid_present", Onto::Host) },
            false => Recipe::plain("render/liquid_present", Onto::Target(liquid_format(canvas.quality, target))),
        };
        let over = Some(("OVER", f64::from(u8::from(canvas.host))));
        let target = if canvas.host { canvas.color } else { liquid_format(canvas.quality, target) };
        let under = Recipe { constant: over, ..Recipe::plain("render/liquid_under", Onto::Blended(target)) };
        Ok(Self {
            light: draw("render/liquid_light", add(THICKNESS_FORMAT, nearest))?,
            depth: outer.make(context, canvas)?,
            filter: Filter::new(context, canvas, "render/liquid_filter")?,
            thickness: draw("render/liquid_thickness", add(THICKNESS_FORMAT, sum))?,
            blur: draw("render/liquid_blur", Onto::texture(THICKNESS_FORMAT))?,
            foam: draw("render/liquid_foam", add(FOAM_FORMAT, sum))?,
            present: present.make(context, canvas)?,
            under: under.make(context, canvas)?,
            sampler: smooth_sampler(context),
        })
    }
}

/// All liquids of a scene.
#[derive(Debug)]
pub(super) struct Liquids {
    pipelines: Arc<LiquidPipelines>,
    pub(super) shapes: LiquidShapes,
    /// Ellipsoids and liquids, for all that draw them.
    bound: Group,
    /// How far behind the front of liquids things are still before them [m].
    pub(super) pane: f32,
}

impl Liquids {
    /// Uploads the liquids of `scene`, or none; pipelines that `old` holds are taken from there.
    pub(super) fn new(
        context: &Context,
        canvas: Canvas,
        scene: &Scene,
        target: wgpu::TextureFormat,
        old: Option<&Self>,
    ) -> Result<Option<Self>, RenderError> {
        let Some(shapes) = LiquidShapes::new(context, scene, old.map(|old| &old.shapes))? else { return Ok(None) };
        let pipelines = match old {
            Some(old) => Arc::clone(&old.pipelines),
            None => Arc::new(LiquidPipelines::new(context, canvas, target)?),
        };
        let given = [("splats", (&shapes.splats).into()), ("liquids", (&shapes.rows).into())];
        let bound = pipelines.light.bind(context, &given)?;
        let widest = scene.liquids.iter().map(|liquid| liquid.radius).fold(0.0, f32::max);
        Ok(Some(Self { pipelines, shapes, bound, pane: PANE * widest }))
    }

    /// Shapes liquids, and finds what they take from the sun.
    pub(super) fn before_picture(
        &self,
        context: &Context,
        recorder: &mut Recorder<'_>,
        (frames, map): (&Frames, &LiquidMap),
        solver: &SolverView<'_>,
        options: &DrawOptions,
    ) -> Result<(), GpuError> {
        let flowing = options.flowing();
        if flowing {
            self.shapes.record(context, &mut recorder.compute("render/liquid_shape"), solver)?;
        }
        if options.shadows {
            let mut pass = recorder.render("render/liquid_light", Some(onto(&map.view)), None);
            if flowing {
                self.draw(&mut pass, &self.pipelines.light, frames, self.shapes.count);
            }
        }
        Ok(())
    }

    /// The picture with liquids over it, and over them the veil, in the caller's format; `load` says what is in the target before.
    /// The surface is found already.
    pub(super) fn record(
        &self,
        context: &Context,
        recorder: &mut Recorder<'_>,
        frames: &Frames,
        (targets, wet): (&Targets, &LiquidTargets),
        (target, load): (&wgpu::TextureView, wgpu::LoadOp<wgpu::Color>),
    ) -> Result<(), GpuError> {
        self.thickness_passes(context, recorder, frames, (targets, wet))?;
        self.foam_pass(context, recorder, frames, (targets, wet))?;
        let ops = wgpu::Operations { load, store: wgpu::StoreOp::Store };
        let color = wgpu::RenderPassColorAttachment { view: target, depth_slice: None, resolve_target: None, ops };
        let LiquidPipelines { present, under, sampler, .. } = &*self.pipelines;
        let given = [
            ("surface", (&wet.surface.steps[0]).into()),
            ("thickness", (&wet.thickness[1]).into()),
            ("foam", (&wet.foam).into()),
            ("veil", (&wet.veil).into()),
            ("liquids", (&self.shapes.rows).into()),
            ("eye_in", (&self.shapes.eye_in).into()),
        ];
        let groups = |pipeline: &Pipeline, count: usize| -> Result<[Group; 2], GpuError> {
            Ok([picture(context, pipeline, (targets, sampler))?, pipeline.bind(context, &given[..count])?])
        };
        // Only an eye in a liquid asks for the last.
        let [outside, inside] = [groups(present, given.len() - 1)?, groups(under, given.len())?];
        let mut pass = recorder.render("render/liquid_present", Some(color), None);
        let begin = |pass: &mut wgpu::RenderPass<'_>, pipeline: &Pipeline, [picture, surface]: &[Group; 2]| {
            pipeline.set(pass);
            [&frames.camera, &frames.light, picture, surface].into_iter().for_each(|group| group.set(pass));
        };
        begin(&mut pass, present, &outside);
        pass.draw(0..3, 0..1);
        begin(&mut pass, under, &inside);
        pass.draw_indirect(&self.shapes.eye_draw, 0);
        Ok(())
    }

    /// The surface, filtered.
    pub(super) fn surface_passes(
        &self,
        context: &Context,
        recorder: &mut Recorder<'_>,
        frames: &Frames,
        wet: &LiquidTargets,
    ) -> Result<(), GpuError> {
        {
            let nearest = depth(&wet.surface.depth, 0.0, wgpu::StoreOp::Store);
            let mut pass = recorder.render("render/liquid_depth", Some(onto(&wet.surface.steps[0])), Some(nearest));
            self.draw(&mut pass, &self.pipelines.depth, frames, self.shapes.count);
        }
        self.pipelines.filter.record(
            context,
            recorder,
            frames,
            &wet.surface,
            &[("liquids", (&self.shapes.rows).into())],
        )
    }

    /// How much liquid is before what the picture shows, smoothed.
    fn thickness_passes(
        &self,
        context: &Context,
        recorder: &mut Recorder<'_>,
        frames: &Frames,
        (targets, wet): (&Targets, &LiquidTargets),
    ) -> Result<(), GpuError> {
        let LiquidPipelines { thickness, blur, .. } = &*self.pipelines;
        {
            let mut pass = recorder.render("render/liquid_thickness", Some(onto(&wet.thickness[0])), None);
            thickness.bind(context, &[("depth", (&targets.depth).into())])?.set(&mut pass);
            self.draw(&mut pass, thickness, frames, self.shapes.count);
        }
        let given = [
            ("surface", (&wet.surface.steps[0]).into()),
            ("liquids", (&self.shapes.rows).into()),
            ("thickness", (&wet.thickness[0]).into()),
            ("depth", (&targets.depth).into()),
        ];
        let rough = blur.bind(context, &given)?;
        recorder.cover("render/liquid_blur", &wet.thickness[1], blur, &[&frames.camera, &rough]);
        Ok(())
    }

    /// Foam, spray and bubbles.
    fn foam_pass(
        &self,
        context: &Context,
        recorder: &mut Recorder<'_>,
        frames: &Frames,
        (targets, wet): (&Targets, &LiquidTargets),
    ) -> Result<(), GpuError> {
        let foam = &self.pipelines.foam;
        let around = [("surface", (&wet.surface.steps[0]).into()), ("depth", (&targets.depth).into())];
        let mut pass = recorder.render("render/liquid_foam", Some(onto(&wet.foam)), None);
        foam.bind(context, &around)?.set(&mut pass);
        self.draw(&mut pass, foam, frames, self.shapes.count.saturating_mul(DISCS));
        Ok(())
    }

    /// Draws so many squares.
    fn draw(&self, pass: &mut wgpu::RenderPass<'_>, pipeline: &Pipeline, frames: &Frames, count: u32) {
        pipeline.set(pass);
        frames.camera.set(pass);
        self.bound.set(pass);
        pass.draw(0..square_vertices(count), 0..1);
    }
}
