//! Pipelines of triangles with a material: one set for those that follow bones, one for those that follow particles.

use wgpu::{CompareFunction, Face, VertexBufferLayout};

use super::canvas::Canvas;
use super::geometry::INSTANCE_LAYOUT;
use super::material::Look;
use super::recipe::{Onto, Recipe};
use crate::gpu::{Context, GpuError, Pipeline};

/// What of a surface a pass draws.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Layer {
    /// The sun's depth map.
    Shadow,
    /// What covers what is behind it.
    Solid,
    /// What is blended with what is behind it.
    Blended,
}

/// A way to find where vertices are, and what is drawn there.
#[derive(Debug)]
pub(super) struct SurfacePipelines {
    /// `[blended][double sided]`.
    lit: [[Pipeline; 2]; 2],
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
        let lit = |blended: bool, double_sided: bool| {
            let onto = Onto::Picture { depth: CompareFunction::Greater, writes: !blended, blended };
            let cull = (!double_sided).then_some(Face::Back);
            Recipe { vertices: &vertices, cull, ..Recipe::plain(lit, onto) }.make(context, canvas)
        };
        let shadow = |fragment| Recipe { vertices: &vertices, fragment, ..Recipe::plain(shadow, Onto::Map) };
        Ok(Self {
            lit: [[lit(false, false)?, lit(false, true)?], [lit(true, false)?, lit(true, true)?]],
            shadow: [shadow(false).make(context, canvas)?, shadow(true).make(context, canvas)?],
        })
    }

    /// A pipeline that has every group of those that light surfaces: frame, rows, material and light.
    pub(super) fn lit(&self) -> &Pipeline {
        &self.lit[0][0]
    }

    /// How surfaces of this look are drawn in a layer; none if they are not part of it.
    pub(super) fn of(&self, layer: Layer, look: &Look) -> Option<&Pipeline> {
        match layer {
            Layer::Shadow => Some(&self.shadow[usize::from(look.holes)]),
            Layer::Solid | Layer::Blended => {
                let lit = &self.lit[usize::from(look.blended)][usize::from(look.double_sided)];
                (look.blended == (layer == Layer::Blended)).then_some(lit)
            }
        }
    }
}
