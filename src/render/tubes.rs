//! Ropes and rods as tubes on the GPU: rings of points along their particles, placed by two passes each frame and drawn at
//! once, as other surfaces that follow particles are.

use std::f32::consts::{FRAC_PI_2, PI, TAU};
use std::sync::Arc;

use glam::{Vec2, Vec3, Vec4};

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
/// So many strands lie side by side around the middle line; more fill a circle.
const SIDE_BY_SIDE: u32 = 4;
/// Radius of these over that at which they would have the area of the circle.
const FILLED: f32 = 0.8;
/// Angle from one to the next, so that they never line up [rad].
const GOLDEN: f32 = 2.399_963_2;

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
        let placed = empty("tube points", size_of::<PlacedPoint>() * shape.points as usize);
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
    points: u32,
    vertices: Vec<PointVertex>,
    indices: Vec<u32>,
}

/// A strand of a tube, where it begins.
struct Strand {
    /// Radius [m].
    radius: f32,
    /// How far from the middle line [m], and at what angle about it [rad].
    beside: f32,
    angle: f32,
    /// Points around it.
    sides: u32,
    colors: [Vec4; 2],
}

impl Strand {
    fn of(tube: &Tube, index: u32) -> Self {
        let (count, radius) = (tube.strands.count, tube.radius * tube.strands.spread);
        if count == 1 {
            return Self { radius, beside: 0.0, angle: 0.0, sides: SIDES, colors: tube.colors };
        }
        let [first, last] = tube.colors;
        let colors = [first.lerp(last, index as f32 / (count - 1) as f32); 2];
        if count <= SIDE_BY_SIDE {
            let half = (PI / count as f32).sin();
            let own = radius * half / (1.0 + half);
            let angle = TAU * index as f32 / count as f32;
            return Self { radius: own, beside: radius - own, angle, sides: SIDES / 2, colors };
        }
        let own = FILLED * radius / (count as f32).sqrt();
        let beside = (radius - own) * ((index as f32 + 0.5) / count as f32).sqrt();
        Self { radius: own, beside, angle: GOLDEN * index as f32, sides: SIDES / 3, colors }
    }
}

impl Shape {
    fn push(&mut self, tube: &Tube, place: impl Fn(u32) -> Vec3) {
        let first = tube.first_particle.0;
        let first_ghost = tube.first_ghost.map_or(NO_GHOST, |g| g.0);
        let first_normal = self.normals;
        self.tubes.push(TubeRow { first_particle: first, count: tube.count, first_ghost, first_normal });
        self.normals += tube.count;
        let rest: Vec<f32> = (1..tube.count).map(|i| place(first + i - 1).distance(place(first + i))).collect();
        (0..tube.strands.count).for_each(|index| self.wind(tube, &Strand::of(tube, index), first_normal, &rest));
    }

    /// Rings of a strand, with what covers them; `rest` are the distances of the particles [m].
    fn wind(&mut self, tube: &Tube, strand: &Strand, first_normal: u32, rest: &[f32]) {
        let (first, count) = (tube.first_particle.0, tube.count);
        // How far from the first particle each is along the line [m].
        let ways: Vec<f32> = std::iter::once(0.0)
            .chain(rest.iter().scan(0.0, |way, length| {
                *way += length;
                Some(*way)
            }))
            .collect();
        let all = ways[ways.len() - 1];
        let ring = |segment: u32, share: f32, tilt: f32| {
            let along = [segment.saturating_sub(1), segment, segment + 1, (segment + 2).min(count - 1)];
            let (facing, outward) = tilt.sin_cos();
            let way = ways[segment as usize] + share * rest[segment as usize];
            let width = 1.0 + (tube.strands.taper - 1.0) * if all > 0.0 { way / all } else { 0.0 };
            let angle = strand.angle + TAU * (tube.strands.turns * way).fract();
            RingRow {
                particles: along.map(|i| first + i),
                normals: [first_normal + segment, first_normal + segment + 1],
                share,
                rest_length: rest[segment as usize],
                radius: strand.radius * width * outward,
                ahead: strand.radius * width * facing,
                facing,
                beside: (strand.beside * width * Vec2::from_angle(angle)).to_array(),
                sides: strand.sides,
                ..RingRow::default()
            }
        };
        let tilt = |k: u32| FRAC_PI_2 * k as f32 / CAP as f32;
        let mut rings: Vec<RingRow> = (1..=CAP).rev().map(|k| ring(0, 0.0, -tilt(k))).collect();
        for segment in 0..count - 1 {
            rings.extend((0..PIECES).map(|k| ring(segment, k as f32 / PIECES as f32, 0.0)));
        }
        rings.extend((0..=CAP).map(|k| ring(count - 2, 1.0, tilt(k))));
        let last = rings.len() - 1;
        for (i, ring) in rings.into_iter().enumerate() {
            self.rings.push(RingRow { first_point: self.points, ..ring });
            self.skin(strand, i < last);
            self.points += strand.sides;
        }
    }

    /// Vertices of a ring, two for each side so that stripes are sharp, and the triangles up to the next ring.
    fn skin(&mut self, strand: &Strand, continues: bool) {
        let sides = strand.sides;
        for side in 0..sides {
            let color = strand.colors[(2 * side / sides) as usize].to_array().map(unorm16);
            let a = self.vertices.len() as u32;
            for corner in [side, (side + 1) % sides] {
                self.vertices.push(PointVertex { uv: [0.0; 2], color, point: self.points + corner });
            }
            if continues {
                let (b, above) = (a + 1, 2 * sides);
                self.indices.extend([a, b, b + above, a, b + above, a + above]);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::{ParticleId, Strands};

    #[test]
    fn tubes_are_closed() {
        let mut shape = Shape::default();
        let colors = [Vec4::ONE; 2];
        let strands = Strands::default();
        let tube = Tube { first_particle: ParticleId(3), count: 4, first_ghost: None, radius: 0.1, colors, strands };
        shape.push(&tube, |i| Vec3::X * i as f32);
        shape.push(&Tube { strands: Strands { count: 5, ..strands }, ..tube }, |i| Vec3::X * i as f32);
        assert_eq!(shape.rings.len() as u32, 6 * (3 * PIECES + 1 + 2 * CAP));
        assert_eq!(shape.points, (3 * PIECES + 1 + 2 * CAP) * (SIDES + 5 * SIDES / 3));
        assert!(shape.rings.iter().all(|r| r.particles.iter().all(|p| (3..7).contains(p)) && r.rest_length == 1.0));
        // Every edge between points has a triangle on each side, but for those around the tips, which have no size.
        let point = |i: &u32| shape.vertices[*i as usize].point;
        let mut edges = std::collections::HashMap::new();
        for t in shape.indices.chunks_exact(3) {
            for (a, b) in [(0, 1), (1, 2), (2, 0)] {
                *edges.entry((point(&t[a]), point(&t[b]))).or_insert(0) += 1;
            }
        }
        let ring_of = |p: u32| shape.rings.partition_point(|ring| ring.first_point <= p) - 1;
        let tip = |p: u32| shape.rings[ring_of(p)].radius < 1e-6;
        for ((a, b), count) in &edges {
            assert_eq!(*count, 1);
            assert!(edges.contains_key(&(*b, *a)) || (tip(*a) && tip(*b)), "the edge from {a} to {b} is open");
        }
    }
}
