//! Colliders drawn as instances that follow poses given each frame.

use std::sync::Arc;

use super::canvas::Canvas;
use super::drawn::{Drawn, SkinPipelines};
use super::error::RenderError;
use super::geometry::{INSTANCE_LAYOUT, buffer};
use super::material::Looks;
use super::recipe::{Onto, Recipe};
use super::surfaces::Layer;
use crate::gpu::{Context, GpuError, Pipeline};
use crate::scene::{AlphaMode, BodyId, Bone, Collider, Instance, Model, Placement, Shape, primitive_model};
use crate::solver::BodyState;

/// The drawn part of the static and kinematic world.
#[derive(Debug)]
pub(super) struct Colliders {
    drawn: Drawn,
    /// Planes.
    ground: Pipeline,
    /// Rows of [`BodyState`]: poses.
    poses: wgpu::Buffer,
    count: usize,
    /// Models of the shapes seen so far, and whether they are clear; the first one, for planes, is empty.
    shapes: Vec<(Shape, bool, Arc<Model>)>,
}

impl Colliders {
    /// Uploads `colliders`; models that `old` holds already are taken from there.
    pub(super) fn new(
        context: &Context,
        pipelines: &Arc<SkinPipelines>,
        looks: &Looks,
        colliders: &[Collider],
        old: Option<&Self>,
    ) -> Result<Self, RenderError> {
        let (old_drawn, mut shapes) = match old {
            Some(old) => (Some(&old.drawn), old.shapes.clone()),
            None => (None, vec![(Shape::Plane, false, Arc::new(Model::default()))]),
        };
        let ground = match old {
            Some(old) => old.ground.clone(),
            None => ground(context, pipelines.canvas)?,
        };
        let mut instances = Vec::new();
        for (collider, index) in colliders.iter().zip(0..).filter(|(c, _)| c.color.w > 0.0) {
            let clear = collider.color.w < 1.0 && collider.shape != Shape::Plane;
            let same = |(shape, other, _): &(Shape, bool, _)| *shape == collider.shape && *other == clear;
            let known = shapes.iter().position(same).unwrap_or_else(|| {
                shapes.push((collider.shape.clone(), clear, Arc::new(model(&collider.shape, clear))));
                shapes.len() - 1
            });
            let bones = vec![Bone::root(BodyId(index), glam::Vec3::ZERO)];
            instances.push(Instance { model: Arc::clone(&shapes[known].2), bones, tint: collider.color });
        }
        let poses: Vec<_> = colliders.iter().map(placement).map(|at| pose(&at)).collect();
        Ok(Self {
            drawn: Drawn::new(context, pipelines, looks, &instances, old_drawn)?,
            ground,
            poses: buffer(context, "collider poses", bytemuck::cast_slice(&poses), wgpu::BufferUsages::STORAGE),
            count: colliders.len(),
            shapes,
        })
    }

    /// Takes new poses for the same colliders; those added since wait for [`Colliders::new`].
    pub(super) fn pose(&self, queue: &wgpu::Queue, colliders: &[Collider]) {
        self.place_at(queue, &colliders.iter().map(placement).collect::<Vec<_>>());
    }

    /// As [`Colliders::pose`], from where they are.
    pub(super) fn place_at(&self, queue: &wgpu::Queue, placements: &[Placement]) {
        let poses: Vec<_> = placements.iter().take(self.count).map(pose).collect();
        if !poses.is_empty() {
            queue.write_buffer(&self.poses, 0, bytemuck::cast_slice(&poses));
        }
    }

    /// Records where they are.
    pub(super) fn place(&self, context: &Context, pass: &mut wgpu::ComputePass<'_>) -> Result<(), GpuError> {
        self.drawn.place(context, pass, &self.poses)
    }

    /// Whether any of them is blended with what is behind it.
    pub(super) fn blends(&self) -> bool {
        self.drawn.blends()
    }

    /// Draws a layer of all but planes; the frame is bound already.
    pub(super) fn draw(&self, pass: &mut wgpu::RenderPass<'_>, layer: Layer) {
        // Light goes through glass.
        self.drawn.draw(pass, layer, |look| layer != Layer::Shadow || !look.blended);
    }

    /// Draws all planes; the frame is bound already.
    pub(super) fn draw_planes(&self, pass: &mut wgpu::RenderPass<'_>) {
        let planes = self.drawn.rows_of(&self.shapes[0].2);
        if !planes.is_empty() {
            self.ground.set(pass);
            self.drawn.placed.set(pass);
            pass.set_vertex_buffer(0, self.drawn.rows.slice(..));
            pass.draw(0..6, planes);
        }
    }
}

fn ground(context: &Context, canvas: Canvas) -> Result<Pipeline, GpuError> {
    let (vertices, cull) = ([Some(INSTANCE_LAYOUT)], Some(wgpu::Face::Back));
    Recipe { vertices: &vertices, cull, ..Recipe::plain("render/ground", Onto::SOLID) }.make(context, canvas)
}

fn placement(collider: &Collider) -> Placement {
    Placement { position: collider.position, rotation: collider.rotation }
}

fn pose(at: &Placement) -> BodyState {
    BodyState { center: at.position.to_array(), rotation: at.rotation.normalize().to_array(), ..BodyState::default() }
}

/// The shape's triangles; a mesh may be open, so it is drawn from both sides. What is clear is as smooth as glass.
fn model(shape: &Shape, clear: bool) -> Model {
    let mut model = primitive_model(shape);
    for material in &mut model.materials {
        if clear {
            material.alpha = AlphaMode::Blend;
            material.roughness = 0.08;
        }
        material.double_sided = matches!(shape, Shape::Mesh(_) | Shape::Heightfield(_));
    }
    model
}
