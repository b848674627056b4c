//! Pipelines of triangles with a material: one set for those that follow bones, one for those that follow particles.

use wgpu::{CompareFunction, Face, VertexBufferLayout};

use super::canvas::Canvas;
use super::geometry::INSTANCE_LAYOUT;
use super::material::Look;
use super::recipe::{Onto, Recipe};
use crate::gpu::wgsl::render::shade;
use crate::gpu::{Context, GpuError, Pipeline};

/// What of a surface a pass draws.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Layer {
    /// The sun's depth map.
    Shadow,
    /// What covers what is behind it.
    Solid,
    /// What is blended with what is behind it, but not what is before a liquid.
    Blended,
    /// What is blended, before a liquid.
    Veil,
}

/// A way to find where vertices are, and what is drawn there.
#[derive(Debug)]
pub(super) struct SurfacePipelines {
    /// `[double sided]`.
    solid: [Pipeline; 2],
    blended: [Pipeline; 2],
    veil: [Pipeline; 2],
    /// `[with holes]`.
    shadow: [Pipeline; 2],
}

impl SurfacePipelines {
    /// From the shaders of surface and shadow; vertices have this layout, and copies [`INSTANCE_LAYOUT`].
    pub(super) fn new(
        context: &Context,
        canvas: Canvas,
        [lit, shadow]: [&str; 2],
        vertices: VertexBufferLayout<'static>,
    ) -> Result<Self, GpuError> {
        let vertices = [Some(vertices), Some(INSTANCE_LAYOUT)];
        let lit = |blended: bool, part: u32| -> Result<[Pipeline; 2], GpuError> {
            let onto = Onto::Picture { depth: CompareFunction::Greater, writes: !blended, blended };
            let constant = Some(("PART", f64::from(part)));
            let both = Recipe { vertices: &vertices, constant, ..Recipe::plain(lit, onto) };
            let front = Recipe { cull: Some(Face::Back), ..both };
            Ok([front.make(context, canvas)?, both.make(context, canvas)?])
        };
        let shadow = |fragment| Recipe { vertices: &vertices, fragment, ..Recipe::plain(shadow, Onto::Map) };
        Ok(Self {
            solid: lit(false, shade::ALL)?,
            blended: lit(true, shade::NOT_BEFORE_LIQUID)?,
            veil: lit(true, shade::BEFORE_LIQUID)?,
            shadow: [shadow(false).make(context, canvas)?, shadow(true).make(context, canvas)?],
        })
    }

    /// A pipeline that has every group of those that light surfaces: frame, rows, material and light.
    pub(super) fn lit(&self) -> &Pipeline {
        &self.solid[0]
    }

    /// How surfaces of this look are drawn in a layer; none if they are not part of it.
    pub(super) fn of(&self, layer: Layer, look: &Look) -> Option<&Pipeline> {
        let lit = match layer {
            Layer::Shadow => return Some(&self.shadow[usize::from(look.holes)]),
            Layer::Solid => &self.solid,
            Layer::Blended => &self.blended,
            Layer::Veil => &self.veil,
        };
        (look.blended == (layer != Layer::Solid)).then_some(&lit[usize::from(look.double_sided)])
    }
}
