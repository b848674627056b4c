//! Copies of models, grouped so that all copies of one model are one draw per primitive.

use std::ops::Range;
use std::sync::Arc;

use super::bones::Bones;
use super::error::RenderError;
use super::geometry::{self, InstanceRow, Mesh, VERTEX_LAYOUT, buffer};
use super::material::{Look, Looks};
use super::surfaces::{Layer, SurfacePipelines};
use crate::gpu::{Context, GpuError, Group, Kernel};
use crate::scene::{Instance, Model};

/// A primitive and its material; a clone shares the buffers.
#[derive(Clone, Debug)]
pub(super) struct Part {
    pub(super) mesh: Mesh,
    pub(super) look: Look,
}

/// A model and the instance rows of its copies.
#[derive(Debug)]
pub(super) struct DrawnModel {
    model: Arc<Model>,
    pub(super) parts: Vec<Part>,
    pub(super) rows: Range<u32>,
}

/// How surfaces that follow bones are placed and drawn.
#[derive(Debug)]
pub(super) struct SkinPipelines {
    bones: Kernel,
    pub(super) surfaces: SurfacePipelines,
}

impl SkinPipelines {
    pub(super) fn new(context: &Context) -> Result<Self, GpuError> {
        Ok(Self {
            bones: Kernel::new(context, "render/bones", &[])?,
            surfaces: SurfacePipelines::new(context, ["render/surface", "render/shadow"], VERTEX_LAYOUT)?,
        })
    }
}

/// Instances that follow the rows of one table of bodies.
#[derive(Debug)]
pub(super) struct Drawn {
    pipelines: Arc<SkinPipelines>,
    pub(super) models: Vec<DrawnModel>,
    pub(super) rows: wgpu::Buffer,
    pub(super) bones: Bones,
    /// Placements of its bones.
    pub(super) placed: Group,
}

impl Drawn {
    /// Uploads `instances`; models that `old` holds already are taken from there.
    pub(super) fn new(
        context: &Context,
        pipelines: &Arc<SkinPipelines>,
        looks: &Looks,
        instances: &[Instance],
        old: Option<&Self>,
    ) -> Result<Self, RenderError> {
        let known = old.map_or(&[][..], |o| &o.models);
        let mut models = Vec::new();
        let mut rows = Vec::new();
        let bones = Bones::new(context, instances, old.map(|o| &o.bones));
        for (model, copies) in grouped(instances) {
            let first = rows.len() as u32;
            rows.extend(copies.iter().map(|&copy| InstanceRow {
                tint: instances[copy].tint.to_array(),
                base: bones.base(copy),
                pad: [0; 3],
            }));
            let parts = match known.iter().find(|k| Arc::ptr_eq(&k.model, model)) {
                Some(same) => same.parts.clone(),
                None => parts(context, looks, model)?,
            };
            models.push(DrawnModel { model: Arc::clone(model), parts, rows: first..rows.len() as u32 });
        }
        let placements = [("placements", (&bones.placements).into())];
        Ok(Self {
            placed: pipelines.surfaces.lit().bind(context, &placements)?,
            pipelines: Arc::clone(pipelines),
            models,
            rows: buffer(context, "instances", bytemuck::cast_slice(&rows), wgpu::BufferUsages::VERTEX),
            bones,
        })
    }

    /// Records the placing of all bones on `bodies`.
    pub(super) fn place(
        &self,
        context: &Context,
        pass: &mut wgpu::ComputePass<'_>,
        bodies: &wgpu::Buffer,
    ) -> Result<(), GpuError> {
        self.bones.place(context, &self.pipelines.bones, pass, bodies)
    }

    /// Draws all copies of every wanted primitive of a layer; the frame is bound already.
    pub(super) fn draw(&self, pass: &mut wgpu::RenderPass<'_>, layer: Layer, wanted: impl Fn(&Look) -> bool) {
        self.placed.set(pass);
        for model in &self.models {
            for part in model.parts.iter().filter(|part| wanted(&part.look)) {
                let Some(pipeline) = self.pipelines.surfaces.of(layer, &part.look) else { continue };
                pipeline.set(pass);
                part.look.group.set(pass);
                pass.set_vertex_buffer(0, part.mesh.vertices.slice(..));
                pass.set_vertex_buffer(1, self.rows.slice(..));
                pass.set_index_buffer(part.mesh.indices.slice(..), wgpu::IndexFormat::Uint32);
                pass.draw_indexed(0..part.mesh.index_count, 0, model.rows.clone());
            }
        }
    }

    /// Instance rows of the copies of `model`.
    pub(super) fn rows_of(&self, model: &Arc<Model>) -> Range<u32> {
        self.models.iter().find(|m| Arc::ptr_eq(&m.model, model)).map_or(0..0, |m| m.rows.clone())
    }
}

/// Each model with the indices of its copies, in order of first appearance.
fn grouped(instances: &[Instance]) -> Vec<(&Arc<Model>, Vec<usize>)> {
    let mut groups: Vec<(&Arc<Model>, Vec<usize>)> = Vec::new();
    let mut place = std::collections::HashMap::new();
    for (copy, instance) in instances.iter().enumerate() {
        let index = *place.entry(Arc::as_ptr(&instance.model)).or_insert(groups.len());
        if index == groups.len() {
            groups.push((&instance.model, Vec::new()));
        }
        groups[index].1.push(copy);
    }
    groups
}

fn parts(context: &Context, looks: &Looks, model: &Model) -> Result<Vec<Part>, RenderError> {
    let looks = looks.of(context, model)?;
    let part = |primitive: &crate::scene::Primitive| {
        let look = looks[primitive.material.min(looks.len() - 1)].clone();
        geometry::upload(context, primitive).map(|mesh| Part { mesh, look })
    };
    Ok(model.primitives.iter().filter_map(part).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::{BodyId, Bone};
    use glam::{Vec3, Vec4};

    #[test]
    fn copies_of_one_model_are_one_group() {
        let models = [Arc::new(Model::default()), Arc::new(Model::default())];
        let instance = |i: usize| Instance {
            model: Arc::clone(&models[i % 2]),
            bones: vec![Bone::root(BodyId(i as u32), Vec3::ZERO)],
            tint: Vec4::ONE,
        };
        let instances: Vec<_> = (0..7).map(instance).collect();
        let groups = grouped(&instances);
        assert_eq!(
            groups.iter().map(|(_, copies)| copies.clone()).collect::<Vec<_>>(),
            [vec![0, 2, 4, 6], vec![1, 3, 5]]
        );
    }
}
