//! Copies of models, grouped so that all copies of one model are one draw per primitive.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::sync::Arc;

use super::bones::Bones;
use super::canvas::Canvas;
use super::coarse;
use super::error::RenderError;
use super::geometry::{self, InstanceRow, Mesh, POINT_LAYOUT, RIGID_LAYOUT, Triangles, buffer};
use super::material::{Look, Looks};
use super::skin::{Bent, Rest};
use super::surfaces::{Layer, SurfacePipelines};
use crate::gpu::{Context, GpuError, Group, Kernel};
use crate::scene::{Instance, Model};

/// A primitive and its material; a clone shares the buffers.
#[derive(Clone, Debug)]
pub(super) struct Part {
    /// Its primitive of the model.
    index: usize,
    pub(super) mesh: Mesh,
    /// Fewer triangles over the same vertices, for each of [`coarse::CELLS`]; none for what does not bend.
    coarser: Vec<Triangles>,
    pub(super) look: Look,
}

impl Part {
    /// Draws its copies with these rows, if it is part of the layer.
    fn draw(
        &self,
        pass: &mut wgpu::RenderPass<'_>,
        pipelines: &SurfacePipelines,
        (layer, level): (Layer, usize),
        (rows, hidden): (&Range<u32>, &Hidden),
    ) {
        let Some(pipeline) = pipelines.of(layer, &self.look) else { return };
        pipeline.set(pass);
        self.look.group.set(pass);
        pass.set_vertex_buffer(0, self.mesh.vertices.slice(..));
        let triangles = match level.min(self.coarser.len()) {
            0 => &self.mesh.triangles,
            level => &self.coarser[level - 1],
        };
        pass.set_index_buffer(triangles.indices.slice(..), wgpu::IndexFormat::Uint32);
        hidden.shown(self.index, rows, |rows| pass.draw_indexed(0..triangles.count, 0, rows));
    }
}

/// Which rows do not show a primitive; empty for primitives that all show.
#[derive(Clone, Debug, Default)]
struct Hidden(BTreeMap<usize, BTreeSet<u32>>);

impl Hidden {
    /// The rows that show a primitive, as ranges in order.
    fn shown(&self, primitive: usize, rows: &Range<u32>, mut draw: impl FnMut(Range<u32>)) {
        let mut start = rows.start;
        let none = BTreeSet::new();
        for row in self.0.get(&primitive).unwrap_or(&none).range(rows.clone()) {
            if start < *row {
                draw(start..*row);
            }
            start = row + 1;
        }
        if start < rows.end {
            draw(start..rows.end);
        }
    }
}

/// A model and the instance rows of its copies.
#[derive(Debug)]
pub(super) struct DrawnModel {
    model: Arc<Model>,
    pub(super) parts: Vec<Part>,
    pub(super) rows: Range<u32>,
    hidden: Hidden,
    /// Of a model that bends.
    rest: Option<Rest>,
    /// Its copies, as many at once as a buffer holds.
    pub(super) bent: Vec<Bent>,
}

/// How surfaces that follow bones are placed and drawn.
#[derive(Debug)]
pub(super) struct SkinPipelines {
    bones: Kernel,
    skin: Kernel,
    /// Of models that do not bend.
    pub(super) surfaces: SurfacePipelines,
    bent: SurfacePipelines,
    /// Of the pictures.
    pub(super) canvas: Canvas,
}

impl SkinPipelines {
    pub(super) fn new(context: &Context, canvas: Canvas) -> Result<Self, GpuError> {
        let bent = ["render/bent_surface", "render/bent_shadow"];
        Ok(Self {
            bones: Kernel::new(context, "render/bones", &[])?,
            skin: Kernel::new(context, "render/skin", &[])?,
            surfaces: SurfacePipelines::new(context, canvas, ["render/surface", "render/shadow"], RIGID_LAYOUT)?,
            bent: SurfacePipelines::new(context, canvas, bent, POINT_LAYOUT)?,
            canvas,
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
    /// Model and row of each instance.
    places: Vec<(usize, u32)>,
    /// Parts of instances that are not drawn.
    hidden: BTreeMap<usize, BTreeSet<usize>>,
    /// Of the meshes that bend, which are drawn in the sun's depth map and which in the picture.
    levels: [usize; 2],
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
        let mut places = vec![(0, 0); instances.len()];
        let stays = |instance: usize| {
            let before = old.and_then(|old| Some(&old.models[old.places.get(instance)?.0].model));
            before.zip(instances.get(instance)).is_some_and(|(before, now)| Arc::ptr_eq(before, &now.model))
        };
        let bones = Bones::new(context, instances, old.map(|o| &o.bones), stays);
        for (model, copies) in grouped(instances) {
            let first = rows.len() as u32;
            copies.iter().zip(first..).for_each(|(copy, row)| places[*copy] = (models.len(), row));
            let (rest, parts) = match known.iter().find(|k| Arc::ptr_eq(&k.model, model)) {
                Some(same) => (same.rest.clone(), same.parts.clone()),
                None => {
                    let rest = Rest::new(context, model);
                    let parts = parts(context, looks, model, rest.is_some())?;
                    (rest, parts)
                }
            };
            let mut bent = Vec::new();
            for some in copies.chunks(rest.as_ref().map_or(copies.len(), |rest| rest.most_copies(context)).max(1)) {
                let first = rows.len() as u32;
                rows.extend(some.iter().zip(0..).map(|(&copy, place)| InstanceRow {
                    tint: instances[copy].tint.to_array(),
                    base: rest.as_ref().map_or(bones.base(copy), |rest| place * rest.count),
                    pad: [0; 3],
                }));
                if let Some(rest) = &rest {
                    let first_bones: Vec<u32> = some.iter().map(|&copy| bones.base(copy)).collect();
                    let pipeline = pipelines.bent.lit();
                    bent.push(Bent::new(context, pipeline, rest, first..rows.len() as u32, &first_bones)?);
                }
            }
            let (model, hidden, rows) = (Arc::clone(model), Hidden::default(), first..rows.len() as u32);
            models.push(DrawnModel { model, parts, rows, hidden, rest, bent });
        }
        let placements = [("placements", (&bones.placements).into())];
        let mut drawn = Self {
            placed: pipelines.surfaces.lit().bind(context, &placements)?,
            pipelines: Arc::clone(pipelines),
            models,
            places,
            hidden: BTreeMap::new(),
            levels: old.map_or([0; 2], |old| old.levels),
            rows: buffer(context, "instances", bytemuck::cast_slice(&rows), wgpu::BufferUsages::VERTEX),
            bones,
        };
        for (instance, parts) in old.iter().flat_map(|old| &old.hidden).filter(|(instance, _)| stays(**instance)) {
            drawn.set_hidden(*instance, parts)?;
        }
        Ok(drawn)
    }

    /// Takes which primitives of an instance are not drawn.
    pub(super) fn set_hidden(&mut self, instance: usize, parts: &BTreeSet<usize>) -> Result<(), RenderError> {
        let count = self.places.len();
        let (model, row) = *self.places.get(instance).ok_or(RenderError::NoInstance { instance, count })?;
        if self.hidden.get(&instance).map_or(parts.is_empty(), |known| known == parts) {
            return Ok(());
        }
        let model = &mut self.models[model];
        let count = model.model.primitives.len();
        if let Some(part) = parts.iter().copied().find(|part| *part >= count) {
            return Err(RenderError::NoPart { instance, part, count });
        }
        model.hidden.0.values_mut().for_each(|rows| rows.retain(|hidden| *hidden != row));
        for part in parts {
            model.hidden.0.entry(*part).or_default().insert(row);
        }
        self.hidden.insert(instance, parts.clone());
        Ok(())
    }

    /// Records the placing of all bones on `bodies`, then of the vertices of models that bend.
    pub(super) fn place(
        &self,
        context: &Context,
        pass: &mut wgpu::ComputePass<'_>,
        bodies: &wgpu::Buffer,
    ) -> Result<(), GpuError> {
        self.bones.place(context, &self.pipelines.bones, pass, bodies)?;
        for (rest, bent) in
            self.models.iter().flat_map(|m| m.rest.iter().flat_map(|rest| m.bent.iter().map(move |b| (rest, b))))
        {
            bent.place(context, &self.pipelines.skin, pass, (rest, &self.bones.placements))?;
        }
        Ok(())
    }

    /// Takes the width of what need not be drawn apart in the sun's depth map and in the picture [m].
    pub(super) fn set_finest(&mut self, widths: [f32; 2]) {
        self.levels = widths.map(coarse::level);
    }

    /// Whether any of it is blended with what is behind it.
    pub(super) fn blends(&self) -> bool {
        self.models.iter().any(|model| model.parts.iter().any(|part| part.look.blended))
    }

    /// Draws all copies of every wanted primitive of a layer; the frame is bound already.
    pub(super) fn draw(&self, pass: &mut wgpu::RenderPass<'_>, layer: Layer, wanted: impl Fn(&Look) -> bool) {
        let level = self.levels[usize::from(layer != Layer::Shadow)];
        pass.set_vertex_buffer(1, self.rows.slice(..));
        for model in &self.models {
            let parts = || model.parts.iter().filter(|part| wanted(&part.look));
            if model.rest.is_none() {
                self.placed.set(pass);
                parts().for_each(|part| {
                    part.draw(pass, &self.pipelines.surfaces, (layer, 0), (&model.rows, &model.hidden))
                });
            }
            for bent in &model.bent {
                bent.bound.set(pass);
                parts().for_each(|part| {
                    part.draw(pass, &self.pipelines.bent, (layer, level), (&bent.rows, &model.hidden))
                });
            }
        }
    }

    /// Draws these instances of models that do not bend, one after the other; the frame is bound already.
    pub(super) fn draw_in_order(
        &self,
        pass: &mut wgpu::RenderPass<'_>,
        layer: Layer,
        instances: impl Iterator<Item = usize>,
    ) {
        pass.set_vertex_buffer(1, self.rows.slice(..));
        self.placed.set(pass);
        for (model, row) in instances.map(|instance| self.places[instance]) {
            let DrawnModel { parts, hidden, .. } = &self.models[model];
            for part in parts {
                part.draw(pass, &self.pipelines.surfaces, (layer, 0), (&(row..row + 1), hidden));
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

fn parts(context: &Context, looks: &Looks, model: &Model, bends: bool) -> Result<Vec<Part>, RenderError> {
    let looks = looks.of(context, model)?;
    let mut first = 0;
    let part = |(index, primitive): (usize, &crate::scene::Primitive)| {
        let look = looks[primitive.material.min(looks.len() - 1)].clone();
        let mesh = geometry::upload(context, primitive, bends.then_some(first));
        first += primitive.positions.len() as u32;
        let coarser = |cell: &f32| Triangles::new(context, &coarse::triangles(primitive, *cell));
        // What has holes by its texture would lose them.
        let coarser = if bends && !look.holes { coarse::CELLS.iter().map(coarser).collect() } else { Vec::new() };
        mesh.map(|mesh| Part { index, mesh, coarser, look })
    };
    Ok(model.primitives.iter().enumerate().filter_map(part).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::{BodyId, Bone};
    use glam::{Vec3, Vec4};

    #[test]
    fn hidden_rows_are_left_out() {
        let hidden = Hidden(BTreeMap::from([(3, BTreeSet::from([4, 6, 7, 9]))]));
        let shown = |part: usize, rows: Range<u32>| {
            let mut found = Vec::new();
            hidden.shown(part, &rows, |range| found.push(range));
            found
        };
        assert_eq!((shown(0, 4..10).len(), shown(0, 4..10)[0].clone()), (1, 4..10));
        assert_eq!(shown(3, 4..10), vec![5..6, 8..9]);
        assert_eq!(shown(3, 0..4).len(), 1);
        assert_eq!(shown(3, 6..8), Vec::<Range<u32>>::new());
    }

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
