//! Copies of models, grouped so that all copies of one model are one draw per primitive.

use std::ops::Range;
use std::sync::Arc;

use super::RenderError;
use super::bones::Bones;
use super::geometry::{self, InstanceRow, Mesh, buffer};
use super::layouts::Layouts;
use super::material::{Look, Looks};
use crate::gpu::Context;
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

/// Everything drawn one way.
#[derive(Debug)]
pub(super) struct Drawn {
    pub(super) models: Vec<DrawnModel>,
    pub(super) rows: wgpu::Buffer,
    pub(super) bones: Bones,
}

impl Drawn {
    /// Uploads `instances`; models that `old` holds already are taken from there.
    pub(super) fn new(
        context: &Context,
        layouts: &Layouts,
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
                None => parts(context, layouts, looks, model)?,
            };
            models.push(DrawnModel { model: Arc::clone(model), parts, rows: first..rows.len() as u32 });
        }
        Ok(Self {
            models,
            rows: buffer(context, "instances", bytemuck::cast_slice(&rows), wgpu::BufferUsages::VERTEX),
            bones,
        })
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

fn parts(context: &Context, layouts: &Layouts, looks: &Looks, model: &Model) -> Result<Vec<Part>, RenderError> {
    let looks = looks.of(context, layouts, model)?;
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
