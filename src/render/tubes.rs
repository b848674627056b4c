//! Ropes and rods as tubes on the GPU: rings of points along their particles, placed by two passes each frame and drawn at
//! once, as other surfaces that follow particles are.

use std::sync::Arc;

use glam::{Vec3, Vec4};

use super::error::RenderError;
use super::geometry::{InstanceRow, PointVertex, buffer, unorm16};
use super::material::{Look, Looks};
use super::soft::SoftPipelines;
use super::surfaces::Layer;
use crate::gpu::wgsl::render::point::PlacedPoint;
use crate::gpu::wgsl::render::tube::{NO_GHOST, Ring as RingRow, Tube as TubeRow};
pub(super) use crate::gpu::wgsl::render::tube_points::SIDES;
use crate::gpu::{Context, GpuError, Group, Kernel};
use crate::scene::{Material, Model, Scene, Tube};

/// Rings between two particles.
pub(super) const PIECES: u32 = 3;
/// Rings of a round end, the tip included.
pub(super) const CAP: u32 = 3;
/// How tubes are placed and drawn.
#[derive(Clone, Debug)]
struct Pipelines {
    frames: Kernel,
    points: Kernel,
    soft: Arc<SoftPipelines>,
}

/// All tubes of a scene.
#[derive(Debug)]
pub(super) struct Tubes {
    pipelines: Pipelines,
    rows: wgpu::Buffer,
    tube_count: u32,
    rings: wgpu::Buffer,
    ring_count: u32,
    normals: wgpu::Buffer,
    placed: wgpu::Buffer,
    /// `placed` for drawing.
    bound: Group,
    vertices: wgpu::Buffer,
    copies: wgpu::Buffer,
    indices: wgpu::Buffer,
    index_count: u32,
    look: Look,
}

impl Tubes {
    /// Uploads the tubes of `scene`; kernels that `old` holds are taken from there.
    pub(super) fn new(
        context: &Context,
        soft: &Arc<SoftPipelines>,
        looks: &Looks,
        scene: &Scene,
        old: Option<&Self>,
    ) -> Result<Self, RenderError> {
        let pipelines = match old {
            Some(old) => old.pipelines.clone(),
            None => Pipelines {
                frames: Kernel::new(context, "render/tube_frames", &[])?,
                points: Kernel::new(context, "render/tube_points", &[])?,
                soft: Arc::clone(soft),
            },
        };
        let cord = Model {
            name: "tubes".into(),
            materials: vec![Material { roughness: 0.55, ..Material::default() }],
            ..Model::default()
        };
        let look = looks.of(context, &cord)?.swap_remove(0);
        let place = |i: u32| scene.particles[i as usize].position;
        let mut shape = Shape::default();
        scene.tubes.iter().for_each(|tube| shape.push(tube, place));
        let upload = |label, bytes: &[u8], usage| buffer(context, label, bytes, usage);
        let storage = wgpu::BufferUsages::STORAGE;
        let empty = |label, bytes: usize| upload(label, &vec![0; bytes], storage | wgpu::BufferUsages::COPY_SRC);
        let placed = empty("tube points", size_of::<PlacedPoint>() * shape.rings.len() * SIDES as usize);
        let copy = InstanceRow { tint: Vec4::ONE.to_array(), base: 0, pad: [0; 3] };
        Ok(Self {
            rows: upload("tubes", bytemuck::cast_slice(&shape.tubes), storage),
            tube_count: shape.tubes.len() as u32,
            rings: upload("rings", bytemuck::cast_slice(&shape.rings), storage),
            ring_count: shape.rings.len() as u32,
            normals: empty("tube normals", 16 * shape.normals as usize),
            bound: soft.surfaces.lit().bind(context, &[("placed_points", (&placed).into())])?,
            pipelines,
            placed,
            vertices: upload("tubes", bytemuck::cast_slice(&shape.vertices), wgpu::BufferUsages::VERTEX),
            copies: upload("tubes", bytemuck::bytes_of(&copy), wgpu::BufferUsages::VERTEX),
            indices: upload("tubes", bytemuck::cast_slice(&shape.indices), wgpu::BufferUsages::INDEX),
            index_count: shape.indices.len() as u32,
            look,
        })
    }

    /// Records the turning of all tubes along `particles`, then the placing of their points.
    pub(super) fn place(
        &self,
        context: &Context,
        pass: &mut wgpu::ComputePass<'_>,
        particles: &wgpu::Buffer,
    ) -> Result<(), GpuError> {
        let given = [
            ("particles", particles.into()),
            ("tubes", (&self.rows).into()),
            ("rings", (&self.rings).into()),
            ("tube_normals", (&self.normals).into()),
            ("placed_points", (&self.placed).into()),
        ];
        self.pipelines.frames.bind_to(context, &given)?.dispatch_rows(pass, self.tube_count, 1);
        self.pipelines.points.bind_to(context, &given)?.dispatch_rows(pass, self.ring_count, 1);
        Ok(())
    }

    /// Whether they are blended with what is behind them.
    pub(super) fn blends(&self) -> bool {
        self.look.blended && self.index_count > 0
    }

    /// Draws a layer of all tubes; the frame is bound already.
    pub(super) fn draw(&self, pass: &mut wgpu::RenderPass<'_>, layer: Layer) {
        let Some(pipeline) = self.pipelines.soft.surfaces.of(layer, &self.look).filter(|_| self.index_count > 0) else {
            return;
        };
        pipeline.set(pass);
        self.bound.set(pass);
        self.look.group.set(pass);
        pass.set_vertex_buffer(0, self.vertices.slice(..));
        pass.set_vertex_buffer(1, self.copies.slice(..));
        pass.set_index_buffer(self.indices.slice(..), wgpu::IndexFormat::Uint32);
        pass.draw_indexed(0..self.index_count, 0, 0..1);
    }

    /// Placed points of the rings, for tests.
    #[cfg(test)]
    pub(super) fn placed(&self) -> &wgpu::Buffer {
        &self.placed
    }
}

/// Rows, vertices and triangles of tubes.
#[derive(Default)]
struct Shape {
    tubes: Vec<TubeRow>,
    normals: u32,
    rings: Vec<RingRow>,
    vertices: Vec<PointVertex>,
    indices: Vec<u32>,
}

impl Shape {
    fn push(&mut self, tube: &Tube, place: impl Fn(u32) -> Vec3) {
        let first = tube.first_particle.0;
        let first_ghost = tube.first_ghost.map_or(NO_GHOST, |g| g.0);
        let (count, first_normal) = (tube.count, self.normals);
        self.tubes.push(TubeRow { first_particle: first, count, first_ghost, first_normal });
        self.normals += count;
        let rest: Vec<f32> = (1..count).map(|i| place(first + i - 1).distance(place(first + i))).collect();
        let ring = |segment: u32, share: f32, tilt: f32| {
            let along = [segment.saturating_sub(1), segment, segment + 1, (segment + 2).min(count - 1)];
            let (facing, outward) = tilt.sin_cos();
            RingRow {
                particles: along.map(|i| first + i),
                normals: [first_normal + segment, first_normal + segment + 1],
                share,
                rest_length: rest[segment as usize],
                radius: tube.radius * outward,
                ahead: tube.radius * facing,
                facing,
                pad: 0.0,
            }
        };
        let tilt = |k: u32| std::f32::consts::FRAC_PI_2 * k as f32 / CAP as f32;
        let before = self.rings.len();
        self.rings.extend((1..=CAP).rev().map(|k| ring(0, 0.0, -tilt(k))));
        for segment in 0..count - 1 {
            self.rings.extend((0..PIECES).map(|k| ring(segment, k as f32 / PIECES as f32, 0.0)));
        }
        self.rings.extend((0..=CAP).map(|k| ring(count - 2, 1.0, tilt(k))));
        for ring in before as u32..self.rings.len() as u32 {
            self.skin(ring, ring + 1 < self.rings.len() as u32, &tube.colors);
        }
    }

    /// Vertices of a ring, two for each side so that stripes are sharp, and the triangles up to the next ring.
    fn skin(&mut self, ring: u32, continues: bool, colors: &[Vec4; 2]) {
        for side in 0..SIDES {
            let color = colors[(2 * side / SIDES) as usize].to_array().map(unorm16);
            let a = self.vertices.len() as u32;
            for corner in [side, (side + 1) % SIDES] {
                self.vertices.push(PointVertex { uv: [0.0; 2], color, point: ring * SIDES + corner });
            }
            if continues {
                let (b, above) = (a + 1, 2 * SIDES);
                self.indices.extend([a, b, b + above, a, b + above, a + above]);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::ParticleId;

    #[test]
    fn tubes_are_closed() {
        let mut shape = Shape::default();
        let tube =
            Tube { first_particle: ParticleId(3), count: 4, first_ghost: None, radius: 0.1, colors: [Vec4::ONE; 2] };
        shape.push(&tube, |i| Vec3::X * i as f32);
        shape.push(&tube, |i| Vec3::X * i as f32);
        assert_eq!(shape.rings.len() as u32, 2 * (3 * PIECES + 1 + 2 * CAP));
        assert!(shape.rings.iter().all(|r| r.particles.iter().all(|p| (3..7).contains(p)) && r.rest_length == 1.0));
        // Every edge between points has a triangle on each side, but for those around the tips, which have no size.
        let point = |i: &u32| shape.vertices[*i as usize].point;
        let mut edges = std::collections::HashMap::new();
        for t in shape.indices.chunks_exact(3) {
            for (a, b) in [(0, 1), (1, 2), (2, 0)] {
                *edges.entry((point(&t[a]), point(&t[b]))).or_insert(0) += 1;
            }
        }
        let tip = |p: u32| shape.rings[(p / SIDES) as usize].radius < 1e-6;
        for ((a, b), count) in &edges {
            assert_eq!(*count, 1);
            assert!(edges.contains_key(&(*b, *a)) || (tip(*a) && tip(*b)), "the edge from {a} to {b} is open");
        }
    }
}
