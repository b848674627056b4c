//! Grains on the GPU: which particles they are and their colors; drawn where the solver has them, as balls, or as heaps with a surface of
//! smaller grains that is found on the screen before the picture.

use std::sync::Arc;

use super::canvas::Canvas;
use super::error::RenderError;
use super::filter::Filter;
use super::frame::Frames;
use super::geometry::{buffer, square_vertices};
use super::members::members;
use super::quality::Quality;
use super::recipe::{Onto, Recipe};
use super::recorder::{Recorder, depth, onto};
use super::surfaces::Layer;
use super::targets::{SURFACE_FORMAT, ScreenSurface};
use crate::gpu::{Context, GpuError, Pipeline};
use crate::scene::Scene;

/// How grains are drawn.
#[derive(Debug)]
struct Pipelines {
    lit: Pipeline,
    shadow: Pipeline,
    /// At high quality: the nearest balls, and their filter.
    heap: Option<(Pipeline, Filter)>,
}

/// All grains of a scene.
#[derive(Debug)]
pub(super) struct GrainBalls {
    pipelines: Arc<Pipelines>,
    members: wgpu::Buffer,
    colors: wgpu::Buffer,
    count: u32,
    /// The surface of heaps, of the last picture's size.
    surface: Option<ScreenSurface>,
}

impl GrainBalls {
    /// Uploads the grains of `scene`, or none; pipelines that `old` holds are taken from there.
    pub(super) fn new(
        context: &Context,
        canvas: Canvas,
        scene: &Scene,
        old: Option<&Self>,
    ) -> Result<Option<Self>, RenderError> {
        let members = members(scene.grains.iter().map(|g| &g.blocks[..]));
        if members.is_empty() {
            return Ok(None);
        }
        let pipelines = match old {
            Some(old) => Arc::clone(&old.pipelines),
            None => Arc::new(Pipelines::new(context, canvas)?),
        };
        let colors: Vec<[f32; 4]> = scene.grains.iter().map(|g| g.color.extend(1.0).to_array()).collect();
        let upload = |label, bytes: &[u8]| buffer(context, label, bytes, wgpu::BufferUsages::STORAGE);
        Ok(Some(Self {
            pipelines,
            count: members.len() as u32,
            surface: None,
            members: upload("grains", bytemuck::cast_slice(&members)),
            colors: upload("grain colors", bytemuck::cast_slice(&colors)),
        }))
    }

    /// Makes room for the surface of heaps in pictures of a size.
    pub(super) fn fit(&mut self, context: &Context, size: (u32, u32)) {
        if self.pipelines.heap.is_some() && self.surface.as_ref().is_none_or(|surface| surface.size != size) {
            self.surface = Some(ScreenSurface::new(context, size));
        }
    }

    /// Finds the surface of heaps, where they are drawn as such.
    pub(super) fn before_picture(
        &self,
        context: &Context,
        recorder: &mut Recorder<'_>,
        frames: &Frames,
        particles: &wgpu::Buffer,
    ) -> Result<(), GpuError> {
        let (Some((nearest, filter)), Some(surface)) = (&self.pipelines.heap, &self.surface) else { return Ok(()) };
        let given = [("particles", particles.into()), ("members", (&self.members).into())];
        {
            let own = depth(&surface.depth, 0.0, wgpu::StoreOp::Discard);
            let mut pass = recorder.render("render/heap_depth", Some(onto(&surface.steps[0])), Some(own));
            nearest.set(&mut pass);
            frames.camera.set(&mut pass);
            nearest.bind(context, &given)?.set(&mut pass);
            pass.draw(0..square_vertices(self.count), 0..1);
        }
        filter.record(context, recorder, frames, surface, &given)
    }

    /// Draws all grains where `particles` are, or their shadows; the frame is bound already.
    pub(super) fn draw(
        &self,
        context: &Context,
        pass: &mut wgpu::RenderPass<'_>,
        particles: &wgpu::Buffer,
        layer: Layer,
    ) -> Result<(), GpuError> {
        let Pipelines { lit, shadow, .. } = &*self.pipelines;
        let mut given = vec![
            ("particles", particles.into()),
            ("members", (&self.members).into()),
            ("colors", (&self.colors).into()),
        ];
        let (pipeline, vertices) = match (layer, &self.surface) {
            (Layer::Shadow, _) => (shadow, square_vertices(self.count)),
            (_, None) => (lit, square_vertices(self.count)),
            (_, Some(surface)) => {
                given.push(("surface", (&surface.steps[0]).into()));
                (lit, 3)
            }
        };
        if layer == Layer::Shadow {
            given.truncate(2);
        }
        pipeline.set(pass);
        pipeline.bind(context, &given)?.set(pass);
        pass.draw(0..vertices, 0..1);
        Ok(())
    }
}

impl Pipelines {
    fn new(context: &Context, canvas: Canvas) -> Result<Self, GpuError> {
        let high = canvas.quality == Quality::High;
        let lit = if high { "render/heaps" } else { "render/grains" };
        let nearest = Onto::Texture { format: SURFACE_FORMAT, blend: None, depth: true };
        let heap = || {
            let nearest = Recipe::plain("render/heap_depth", nearest).make(context, canvas)?;
            Ok((nearest, Filter::new(context, canvas, "render/heap_filter")?))
        };
        Ok(Self {
            lit: Recipe::plain(lit, Onto::SOLID).make(context, canvas)?,
            shadow: Recipe::plain("render/grain_shadow", Onto::Map).make(context, canvas)?,
            heap: high.then(heap).transpose()?,
        })
    }
}
