//! Grains on the GPU: which particles they are and their colors; drawn as balls where the solver has them.

use std::sync::Arc;

use super::RenderError;
use super::geometry::buffer;
use super::layouts::{Layouts, bind};
use super::passes::vertices_of;
use super::pipelines::{Onto, Recipe, SOLID, make};
use crate::gpu::Context;
use crate::scene::Scene;

/// How grains are drawn.
#[derive(Debug)]
struct Pipelines {
    lit: wgpu::RenderPipeline,
    shadow: wgpu::RenderPipeline,
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
        layouts: &Layouts,
        scene: &Scene,
        old: Option<&Self>,
    ) -> Result<Option<Self>, RenderError> {
        let members = members(scene.grains.iter().map(|g| &g.blocks[..]));
        if members.is_empty() {
            return Ok(None);
        }
        let pipelines = match old {
            Some(old) => Arc::clone(&old.pipelines),
            None => Arc::new(Pipelines::new(context, layouts)?),
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
        layouts: &Layouts,
        pass: &mut wgpu::RenderPass<'_>,
        particles: &wgpu::Buffer,
        shadow: bool,
    ) {
        let tables = [particles, &self.members, &self.colors].map(|b| b.as_entire_binding());
        pass.set_pipeline(if shadow { &self.pipelines.shadow } else { &self.pipelines.lit });
        pass.set_bind_group(1, &bind(context, &layouts.grains, &tables), &[]);
        pass.draw(0..vertices_of(self.count), 0..1);
    }
}

impl Pipelines {
    fn new(context: &Context, layouts: &Layouts) -> Result<Self, RenderError> {
        let groups = [&layouts.frame, &layouts.grains];
        let shadow_groups = [&layouts.frame_without_map, &layouts.grains];
        let shadow = Recipe {
            vertex: "shadow_vertex",
            fragment: Some("shadow_fragment"),
            ..Recipe::plain("render/grains", &shadow_groups, Onto::Map)
        };
        Ok(Self {
            lit: make(context, &Recipe::plain("render/grains", &groups, SOLID))?,
            shadow: make(context, &shadow)?,
        })
    }
}

/// Every particle of the kinds whose blocks these are, with the index of its kind.
pub(super) fn members<'a>(kinds: impl Iterator<Item = &'a [std::ops::Range<u32>]>) -> Vec<[u32; 2]> {
    let of_kind = |(kind, blocks): (u32, &'a [std::ops::Range<u32>])| {
        blocks.iter().cloned().flatten().map(move |particle| [particle, kind])
    };
    (0..).zip(kinds).flat_map(of_kind).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_are_those_of_all_blocks_of_each_kind() {
        let blocks = [vec![3..5, 9..10], vec![], vec![0..1, 1..2]];
        let found = members(blocks.iter().map(|b| &b[..]));
        assert_eq!(found, [[3, 0], [4, 0], [9, 0], [0, 2], [1, 2]]);
    }
}
