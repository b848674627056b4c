//! Tears in surfaces: triangles beside an edge that is torn are taken out of the index buffer, on the GPU.

use std::collections::HashMap;

use super::geometry::buffer;
use crate::gpu::{Context, GpuError, Kernel};
use crate::scene::{Primitive, Scene, Shell, SurfaceMesh};

/// In place of an edge that cannot be torn.
const NONE: u32 = u32::MAX;

/// The edges of a scene that can be torn, by their particles.
#[derive(Debug, Default)]
pub(super) struct Edges(HashMap<[u32; 2], u32>);

impl Edges {
    pub(super) fn new(scene: &Scene) -> Self {
        let edge = |tear: &crate::scene::Tear| {
            let [a, b, ..] = scene.constraints[tear.constraint as usize].particles;
            [a.min(b), a.max(b)]
        };
        Self(scene.tears.iter().map(edge).zip(0..).collect())
    }

    /// Whether some edge of a surface can be torn.
    pub(super) fn touch(&self, surface: &SurfaceMesh) -> bool {
        let parts = surface.shell.model.primitives.iter().zip(&surface.shell.vertex_points);
        !self.0.is_empty() && parts.into_iter().any(|(part, points)| self.around(surface, part, points).is_some())
    }

    /// Edges around each triangle of a part whose vertices have these points; none if nothing of it can be torn.
    pub(super) fn around(&self, surface: &SurfaceMesh, part: &Primitive, points: &[u32]) -> Option<Vec<[u32; 4]>> {
        let Shell { points: anchors, .. } = &*surface.shell;
        if self.0.is_empty() {
            return None;
        }
        let particle = |vertex: u32| {
            let anchor = &anchors[points[vertex as usize] as usize];
            (anchor.weights[0] == 1.0).then(|| surface.first_particle.0 + anchor.particles[0])
        };
        let edge = |a: u32, b: u32| {
            let (a, b) = particle(a).zip(particle(b))?;
            self.0.get(&[a.min(b), a.max(b)]).copied()
        };
        let around = |t: &[u32; 3]| {
            let own = [edge(t[0], t[1]), edge(t[1], t[2]), edge(t[2], t[0])].map(|e| e.unwrap_or(NONE));
            [own[0], own[1], own[2], NONE]
        };
        let all: Vec<[u32; 4]> = part.indices.as_chunks::<3>().0.iter().map(around).collect();
        all.iter().flatten().any(|e| *e != NONE).then_some(all)
    }
}

/// Triangles of a part that can be torn.
#[derive(Clone, Debug)]
pub(super) struct Torn {
    edges: wgpu::Buffer,
    triangles: u32,
}

impl Torn {
    pub(super) fn new(context: &Context, edges: &[[u32; 4]]) -> Self {
        let rows = buffer(context, "triangle edges", bytemuck::cast_slice(edges), wgpu::BufferUsages::STORAGE);
        Self { edges: rows, triangles: edges.len() as u32 }
    }

    /// Records that what is torn is no longer among `indices`, with the kernel `render/tear`.
    pub(super) fn record(
        &self,
        context: &Context,
        kernel: &Kernel,
        pass: &mut wgpu::ComputePass<'_>,
        [torn_edges, indices]: [&wgpu::Buffer; 2],
    ) -> Result<(), GpuError> {
        let given =
            [("torn_edges", torn_edges.into()), ("triangle_edges", (&self.edges).into()), ("indices", indices.into())];
        kernel.bind_to(context, &given)?.dispatch_rows(pass, self.triangles, 1);
        Ok(())
    }
}
