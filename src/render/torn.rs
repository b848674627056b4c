//! Surfaces that tear: each corner of a triangle is a point of its own, which follows the particle that the corner has now.

use super::geometry::{PointVertex, buffer, point_vertex};
use crate::gpu::wgsl::render::point::Anchor as AnchorRow;
use crate::gpu::{Context, GpuError, Kernel};
use crate::scene::{Anchor, Primitive, Seams, SurfaceMesh};

/// In place of a corner, for a particle that stays the same.
const NONE: u32 = u32::MAX;

/// A surface that tears, as corners of triangles.
pub(super) struct Corners {
    /// Vertices and indices of each part.
    pub(super) parts: Vec<(Vec<PointVertex>, Vec<u32>)>,
    /// What the points hang on, shape [corner_count].
    pub(super) anchors: Vec<AnchorRow>,
    /// Where the triangles around each point begin, and of each its other two corners.
    pub(super) fan_starts: Vec<u32>,
    pub(super) fans: Vec<[u32; 2]>,
    /// Corners of what tears that each point hangs on.
    of_seams: Vec<[u32; 4]>,
}

/// Whether some particle of a surface is at a corner of what tears.
pub(super) fn tears(seams: &Seams, surface: &SurfaceMesh) -> bool {
    let held = |anchor: &Anchor| used(anchor).any(|(_, i)| seams.fans.contains_key(&(surface.first_particle.0 + i)));
    !seams.faces.is_empty() && surface.shell.points.iter().any(held)
}

/// Places and particles of an anchor that have a weight.
fn used(anchor: &Anchor) -> impl Iterator<Item = (usize, u32)> {
    anchor.particles.into_iter().enumerate().zip(anchor.weights).filter(|(_, w)| *w != 0.0).map(|(own, _)| own)
}

impl Corners {
    pub(super) fn new(seams: &Seams, surface: &SurfaceMesh) -> Self {
        let shell = &*surface.shell;
        let (mut parts, mut anchors, mut points, mut of_seams) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        for (part, own) in shell.model.primitives.iter().zip(&shell.vertex_points) {
            let mut vertices = Vec::with_capacity(part.indices.len());
            for triangle in part.indices.as_chunks::<3>().0 {
                let three = triangle.map(|vertex| own[vertex as usize]);
                for (vertex, point) in triangle.iter().zip(three) {
                    vertices.push(point_vertex(part, *vertex as usize, anchors.len() as u32));
                    let anchor = &shell.points[point as usize];
                    anchors.push(row(part, *vertex, anchor));
                    of_seams.push(corners(seams, surface, &three, anchor));
                    points.push(point);
                }
            }
            let indices = (0..vertices.len() as u32).collect();
            parts.push((vertices, indices));
        }
        let (fan_starts, fans) = fans(&points, shell.points.len());
        Self { parts, anchors, fan_starts, fans, of_seams }
    }
}

fn row(part: &Primitive, vertex: u32, anchor: &Anchor) -> AnchorRow {
    let rest = part.positions[vertex as usize].extend(1.0).to_array();
    AnchorRow { particles: anchor.particles, weights: anchor.weights, rest }
}

/// Corners that a point of a triangle hangs on: of the face that has all particles of the triangle, or else all of the point.
fn corners(seams: &Seams, surface: &SurfaceMesh, triangle: &[u32; 3], anchor: &Anchor) -> [u32; 4] {
    let first = surface.first_particle.0;
    let of_point = |anchor: &Anchor| used(anchor).map(|(_, i)| first + i).collect::<Vec<_>>();
    let all: Vec<u32> = triangle.iter().flat_map(|point| of_point(&surface.shell.points[*point as usize])).collect();
    let own = of_point(anchor);
    let mut found = [NONE; 4];
    let face = seams.face_of(&all).or_else(|| seams.face_of(&own));
    if let Some(at) = face.and_then(|face| seams.corners_at(face, &own)) {
        used(anchor).zip(at).for_each(|((place, _), corner)| found[place] = corner);
    }
    found
}

/// Where the triangles around the place of each corner begin, and of each the two others at it.
fn fans(points: &[u32], count: usize) -> (Vec<u32>, Vec<[u32; 2]>) {
    let mut around: Vec<Vec<u32>> = vec![Vec::new(); count];
    for (point, corner) in points.iter().zip(0..) {
        around[*point as usize].push(corner);
    }
    let (mut starts, mut fans) = (vec![0], Vec::new());
    for point in points {
        fans.extend(around[*point as usize].iter().map(|corner| {
            let first = corner - corner % 3;
            [first + (corner + 1) % 3, first + (corner + 2) % 3]
        }));
        starts.push(fans.len() as u32);
    }
    (starts, fans)
}

/// How the points of a surface follow what tears.
#[derive(Clone, Debug)]
pub(super) struct Torn {
    corners: wgpu::Buffer,
    points: u32,
}

impl Torn {
    pub(super) fn new(context: &Context, corners: &Corners) -> Self {
        let rows = bytemuck::cast_slice(&corners.of_seams);
        let points = corners.of_seams.len() as u32;
        Self { corners: buffer(context, "point corners", rows, wgpu::BufferUsages::STORAGE), points }
    }

    /// Records that points hang on what their corners are now, with the kernel `render/tear`.
    pub(super) fn record(
        &self,
        context: &Context,
        kernel: &Kernel,
        pass: &mut wgpu::ComputePass<'_>,
        [tear_corners, firsts, anchors]: [&wgpu::Buffer; 3],
    ) -> Result<(), GpuError> {
        let given = [
            ("tear_corners", tear_corners.into()),
            ("point_corners", (&self.corners).into()),
            ("first_particles", firsts.into()),
            ("anchors", anchors.into()),
        ];
        kernel.bind_to(context, &given)?.dispatch_rows(pass, self.points, 1);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn corners_have_all_triangles_of_their_place() {
        // Two triangles 0 1 2 and 2 1 3.
        let (starts, fans) = fans(&[0, 1, 2, 2, 1, 3], 4);
        assert_eq!(starts, [0, 1, 3, 5, 7, 9, 10]);
        assert_eq!(fans[1..3], [[2, 0], [5, 3]]);
        assert_eq!(fans[1..3], fans[7..9]);
    }
}
