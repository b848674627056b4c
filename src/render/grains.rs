//! Grains on the GPU: which particles they are and their colors; drawn where the solver has them, as balls or heaps of smaller grains.

use std::sync::Arc;

use super::canvas::Canvas;
use super::error::RenderError;
use super::geometry::{buffer, square_vertices};
use super::members::members;
use super::quality::Quality;
use super::recipe::{Onto, Recipe};
use super::surfaces::Layer;
use crate::gpu::{Context, GpuError, Pipeline};
use crate::scene::Scene;

/// How grains are drawn.
#[derive(Debug)]
struct Pipelines {
    lit: Pipeline,
    shadow: Pipeline,
}

/// All grains of a scene.
#[derive(Debug)]
pub(super) struct GrainBalls {
    pipelines: Arc<Pipelines>,
    members: wgpu::Buffer,
    colors: wgpu::Buffer,
    count: u32,
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
            members: upload("grains", bytemuck::cast_slice(&members)),
            colors: upload("grain colors", bytemuck::cast_slice(&colors)),
        }))
    }

    /// Draws all grains where `particles` are, or their shadows; the frame is bound already.
    pub(super) fn draw(
        &self,
        context: &Context,
        pass: &mut wgpu::RenderPass<'_>,
        particles: &wgpu::Buffer,
        layer: Layer,
    ) -> Result<(), GpuError> {
        let given =
            [("particles", particles.into()), ("members", (&self.members).into()), ("colors", (&self.colors).into())];
        let (pipeline, given) = match layer {
            Layer::Shadow => (&self.pipelines.shadow, &given[..2]),
            Layer::Solid | Layer::Blended => (&self.pipelines.lit, &given[..]),
        };
        pipeline.set(pass);
        pipeline.bind(context, given)?.set(pass);
        pass.draw(0..square_vertices(self.count), 0..1);
        Ok(())
    }
}

impl Pipelines {
    fn new(context: &Context, canvas: Canvas) -> Result<Self, GpuError> {
        let lit = match canvas.quality {
            Quality::Low => "render/grains",
            Quality::High => "render/heaps",
        };
        Ok(Self {
            lit: Recipe::plain(lit, Onto::SOLID).make(context, canvas)?,
            shadow: Recipe::plain("render/grain_shadow", Onto::Map).make(context, canvas)?,
        })
    }
}
