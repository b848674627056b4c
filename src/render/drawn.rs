//! Copies of models, grouped so that all copies of one model are one draw per primitive.

use std::ops::Range;
use std::sync::Arc;

use super::RenderError;
use super::geometry::{self, InstanceRow, Mesh, buffer};
use super::layouts::Layouts;
use super::material::{Look, Looks};
use crate::gpu::Context;
use crate::scene::{Instance, Model};

crate::gpu_struct! {
    /// Twin of `Attachment` in `shaders/render/attachment.wgsl`, documented there.
    pub(super) struct AttachmentRow as "Attachment" {
        rest_center: [f32; 3],
        body: u32,
    }
}

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
    pub(super) attachments: wgpu::Buffer,
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
        let (mut rows, mut attachments) = (Vec::new(), Vec::new());
        for (model, copies) in grouped(instances) {
            let first = rows.len() as u32;
            for instance in copies {
                let base = attachments.len() as u32;
                rows.push(InstanceRow { tint: instance.tint.to_array(), base, pad: [0; 3] });
                attachments.extend(
                    instance
                        .bodies
                        .iter()
                        .map(|a| AttachmentRow { rest_center: a.rest_center.to_array(), body: a.body.0 }),
                );
            }
            let parts = match known.iter().find(|k| Arc::ptr_eq(&k.model, model)) {
                Some(same) => same.parts.clone(),
                None => parts(context, layouts, looks, model)?,
            };
            models.push(DrawnModel { model: Arc::clone(model), parts, rows: first..rows.len() as u32 });
        }
        Ok(Self {
            models,
            rows: buffer(context, "instances", bytemuck::cast_slice(&rows), wgpu::BufferUsages::VERTEX),
            attachments: buffer(
                context,
                "attachments",
                bytemuck::cast_slice(&attachments),
                wgpu::BufferUsages::STORAGE,
            ),
        })
    }

    /// Instance rows of the copies of `model`.
    pub(super) fn rows_of(&self, model: &Arc<Model>) -> Range<u32> {
        self.models.iter().find(|m| Arc::ptr_eq(&m.model, model)).map_or(0..0, |m| m.rows.clone())
    }
}

/// Each model with its copies, in order of first appearance.
fn grouped(instances: &[Instance]) -> Vec<(&Arc<Model>, Vec<&Instance>)> {
    let mut groups: Vec<(&Arc<Model>, Vec<&Instance>)> = Vec::new();
    let mut place = std::collections::HashMap::new();
    for instance in instances {
        let index = *place.entry(Arc::as_ptr(&instance.model)).or_insert(groups.len());
        if index == groups.len() {
            groups.push((&instance.model, Vec::new()));
        }
        groups[index].1.push(instance);
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
    use crate::gpu::layout::GpuStruct;
    use crate::gpu::shader;
    use crate::scene::{Attachment, BodyId};
    use glam::{Vec3, Vec4};

    #[test]
    fn the_twin_in_wgsl_is_equal() {
        assert_eq!(AttachmentRow::check(&shader::compose("render/attachment").unwrap().text), Ok(()));
    }

    #[test]
    fn copies_of_one_model_are_one_group() {
        let models = [Arc::new(Model::default()), Arc::new(Model::default())];
        let instance = |i: usize| Instance {
            model: Arc::clone(&models[i % 2]),
            bodies: vec![Attachment { body: BodyId(i as u32), rest_center: Vec3::ZERO }],
            tint: Vec4::ONE,
        };
        let instances: Vec<_> = (0..7).map(instance).collect();
        let groups = grouped(&instances);
        assert_eq!(groups.iter().map(|(_, copies)| copies.len()).collect::<Vec<_>>(), [4, 3]);
        assert_eq!(groups[1].1[1].bodies[0].body, BodyId(3));
    }
}
