//! Colliders drawn as instances that follow poses given each frame.

use std::sync::{Arc, Mutex, PoisonError};

use glam::Vec3;

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

/// Cosine of the tilt below which a plane counts as level, as `LEVEL` of `render/ground` is.
const LEVEL: f32 = 0.999;
/// From this height on a plane is out of the world [m].
const HIGHEST: f32 = 1e8;

/// The drawn part of the static and kinematic world.
#[derive(Debug)]
pub(super) struct Colliders {
    drawn: Drawn,
    /// Planes.
    ground: Pipeline,
    /// Rows of [`BodyState`]: poses.
    poses: wgpu::Buffer,
    count: usize,
    /// Where they are.
    places: Mutex<Vec<Placement>>,
    /// Which are planes.
    planes: Vec<usize>,
    /// Those that are clear, far ones before near ones: the collider and its instance.
    clear: Vec<(usize, usize)>,
    /// Models of the shapes that are drawn, and whether they are clear; the first one, for planes, is empty.
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
        let known = old.map_or(&[][..], |old| &old.shapes);
        let empty = || (Shape::Plane, false, Arc::new(Model::default()));
        let mut shapes = vec![known.first().cloned().unwrap_or_else(empty)];
        let ground = match old {
            Some(old) => old.ground.clone(),
            None => ground(context, pipelines.canvas)?,
        };
        let (mut instances, mut clear_ones) = (Vec::new(), Vec::new());
        for (collider, index) in colliders.iter().zip(0..).filter(|(c, _)| c.color.w > 0.0) {
            let clear = collider.color.w < 1.0 && collider.shape != Shape::Plane;
            let same = |(shape, other, _): &(Shape, bool, _)| *shape == collider.shape && *other == clear;
            let own = shapes.iter().position(same).unwrap_or_else(|| {
                let made = || (collider.shape.clone(), clear, Arc::new(model(&collider.shape, clear)));
                shapes.push(known.iter().find(|known| same(known)).cloned().unwrap_or_else(made));
                shapes.len() - 1
            });
            if clear {
                clear_ones.push((index as usize, instances.len()));
            }
            let bones = vec![Bone::root(BodyId(index), Vec3::ZERO)];
            instances.push(Instance { model: Arc::clone(&shapes[own].2), bones, tint: collider.color });
        }
        let places: Vec<Placement> = colliders.iter().map(placement).collect();
        let poses: Vec<_> = places.iter().map(pose).collect();
        let planes = (0..colliders.len()).filter(|i| colliders[*i].shape == Shape::Plane).collect();
        Ok(Self {
            drawn: Drawn::new(context, pipelines, looks, &instances, old.map(|old| &old.drawn))?,
            ground,
            poses: buffer(context, "collider poses", bytemuck::cast_slice(&poses), wgpu::BufferUsages::STORAGE),
            count: colliders.len(),
            places: Mutex::new(places),
            planes,
            clear: clear_ones,
            shapes,
        })
    }

    /// Takes new poses for the same colliders; those added since wait for [`Colliders::new`].
    pub(super) fn pose(&self, queue: &wgpu::Queue, colliders: &[Collider]) {
        self.place_at(queue, &colliders.iter().map(placement).collect::<Vec<_>>());
    }

    /// As [`Colliders::pose`], from where they are.
    pub(super) fn place_at(&self, queue: &wgpu::Queue, placements: &[Placement]) {
        let placements = &placements[..placements.len().min(self.count)];
        let poses: Vec<_> = placements.iter().map(pose).collect();
        if !poses.is_empty() {
            self.places.lock().unwrap_or_else(PoisonError::into_inner)[..poses.len()].copy_from_slice(placements);
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

    /// How high a place is above the highest level plane below it [m]; 0 above none.
    pub(super) fn height_of(&self, place: Vec3) -> f32 {
        let places = self.places.lock().unwrap_or_else(PoisonError::into_inner);
        let level = self.planes.iter().map(|plane| &places[*plane]).filter(|at| (at.rotation * Vec3::Y).y > LEVEL);
        let heights = level.map(|at| place.y - at.position.y).filter(|height| (0.0..HIGHEST).contains(height));
        heights.reduce(f32::min).unwrap_or(0.0)
    }

    /// Takes where the next picture is seen from.
    pub(super) fn sort_from(&mut self, eye: Vec3) {
        let places = self.places.get_mut().unwrap_or_else(PoisonError::into_inner);
        self.clear.sort_by(|a, b| {
            let [a, b] = [a, b].map(|(collider, _)| places[*collider].position.distance_squared(eye));
            b.total_cmp(&a)
        });
    }

    /// Draws a layer of all but planes; the frame is bound already.
    pub(super) fn draw(&self, pass: &mut wgpu::RenderPass<'_>, layer: Layer) {
        match layer {
            // Light goes through glass.
            Layer::Shadow => self.drawn.draw(pass, layer, |look| !look.blended),
            Layer::Blended | Layer::Veil => {
                self.drawn.draw_in_order(pass, layer, self.clear.iter().map(|(_, instance)| *instance));
            }
            Layer::Solid => self.drawn.draw(pass, layer, |_| true),
        }
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::render::Renderer;
    use crate::scene::Scene;

    #[test]
    fn models_of_shapes_that_have_gone_are_not_kept() {
        let context = Context::shared().expect("adapter");
        let with = |radius: f32| {
            let mut scene = Scene::default();
            scene.add_collider(Collider::new(Shape::Sphere(0.5), Vec3::ZERO)).unwrap();
            scene.add_collider(Collider::new(Shape::Sphere(radius), Vec3::X)).unwrap();
            scene
        };
        let mut renderer =
            Renderer::new(&context, &with(0.1), wgpu::TextureFormat::Rgba8UnormSrgb).expect("a renderer");
        let stays = Arc::clone(&renderer.colliders.shapes[1].2);
        for radius in [0.2, 0.3, 0.4] {
            renderer.update_scene(&context, &with(radius)).expect("other colliders");
        }
        let shapes = &renderer.colliders.shapes;
        assert_eq!(shapes.len(), 3, "a plane, and two spheres");
        assert!(Arc::ptr_eq(&shapes[1].2, &stays), "what stays is not made anew");
        assert_eq!(shapes[2].0, Shape::Sphere(0.4));
    }
}
