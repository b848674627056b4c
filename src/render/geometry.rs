//! Vertices of models as the GPU reads them.

use glam::{Vec2, Vec3, Vec4};

use crate::gpu::Context;
use crate::scene::Primitive;

/// A vertex of a model that does not bend: 44 bytes.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
struct RigidVertex {
    position: [f32; 3],
    normal: [f32; 3],
    uv: [f32; 2],
    /// 0..=1 in 16 bits a channel.
    color: [u16; 4],
    bone: u32,
}

/// A vertex at a point that a pass has placed: 20 bytes.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
pub(super) struct PointVertex {
    pub(super) uv: [f32; 2],
    /// 0..=1 in 16 bits a channel.
    pub(super) color: [u16; 4],
    pub(super) point: u32,
}

/// A drawn copy, or a plane: linear color and first row of its bones.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
pub(super) struct InstanceRow {
    pub(super) tint: [f32; 4],
    pub(super) base: u32,
    pub(super) pad: [u32; 3],
}

const RIGID: [wgpu::VertexAttribute; 5] =
    wgpu::vertex_attr_array![0 => Float32x3, 1 => Float32x3, 2 => Float32x2, 3 => Unorm16x4, 4 => Uint32];
const POINT: [wgpu::VertexAttribute; 3] = wgpu::vertex_attr_array![0 => Float32x2, 1 => Unorm16x4, 2 => Uint32];
const INSTANCE: [wgpu::VertexAttribute; 2] = wgpu::vertex_attr_array![8 => Float32x4, 9 => Uint32];

/// Slot 0 of draws of models that do not bend; slot 1 has the rows of the copies.
pub(super) const RIGID_LAYOUT: wgpu::VertexBufferLayout<'static> = wgpu::VertexBufferLayout {
    array_stride: size_of::<RigidVertex>() as u64,
    step_mode: wgpu::VertexStepMode::Vertex,
    attributes: &RIGID,
};

/// Slot 0 of draws of placed points.
pub(super) const POINT_LAYOUT: wgpu::VertexBufferLayout<'static> = wgpu::VertexBufferLayout {
    array_stride: size_of::<PointVertex>() as u64,
    step_mode: wgpu::VertexStepMode::Vertex,
    attributes: &POINT,
};

/// Rows of drawn copies.
pub(super) const INSTANCE_LAYOUT: wgpu::VertexBufferLayout<'static> = wgpu::VertexBufferLayout {
    array_stride: size_of::<InstanceRow>() as u64,
    step_mode: wgpu::VertexStepMode::Instance,
    attributes: &INSTANCE,
};

/// Buffers of a primitive.
#[derive(Clone, Debug)]
pub(super) struct Mesh {
    pub(super) vertices: wgpu::Buffer,
    pub(super) triangles: Triangles,
}

/// Corners of triangles.
#[derive(Clone, Debug)]
pub(super) struct Triangles {
    pub(super) indices: wgpu::Buffer,
    /// Of the indices.
    pub(super) count: u32,
}

impl Triangles {
    pub(super) fn new(context: &Context, indices: &[u32]) -> Self {
        let bytes = bytemuck::cast_slice(indices);
        Self { indices: buffer(context, "indices", bytes, wgpu::BufferUsages::INDEX), count: indices.len() as u32 }
    }
}

/// Uploads a primitive, of a model that does not bend or with the number of its first vertex in one that does; nothing to
/// draw gives none.
pub(super) fn upload(context: &Context, primitive: &Primitive, bent_from: Option<u32>) -> Option<Mesh> {
    let index_count = primitive.indices.len() / 3 * 3;
    if index_count == 0 || primitive.positions.is_empty() {
        return None;
    }
    let count = primitive.positions.len();
    let upload = |bytes: &[u8]| buffer(context, "vertices", bytes, wgpu::BufferUsages::VERTEX);
    let vertices = match bent_from {
        None => upload(bytemuck::cast_slice(&(0..count).map(|i| rigid_vertex(primitive, i)).collect::<Vec<_>>())),
        Some(first) => {
            let vertices: Vec<_> = (0..count).map(|i| point_vertex(primitive, i, first + i as u32)).collect();
            upload(bytemuck::cast_slice(&vertices))
        }
    };
    Some(Mesh { vertices, triangles: Triangles::new(context, &primitive.indices[..index_count]) })
}

/// Most rows of a dispatch.
const MOST_ROWS: u64 = 65_535;

/// How many copies of `bytes` each a kernel can reach in one buffer and do in one dispatch.
pub(super) fn most_copies(context: &Context, bytes: u64) -> usize {
    let limits = context.device.limits();
    let room = limits.max_storage_buffer_binding_size.min(limits.max_buffer_size);
    (room / bytes.max(1)).clamp(1, MOST_ROWS) as usize
}

/// A buffer holding `bytes`, or 64 zero bytes.
pub(super) fn buffer(context: &Context, label: &str, bytes: &[u8], usage: wgpu::BufferUsages) -> wgpu::Buffer {
    let size = (bytes.len() as u64).next_multiple_of(16).max(64);
    let usage = usage | wgpu::BufferUsages::COPY_DST;
    let descriptor = wgpu::BufferDescriptor { label: Some(label), size, usage, mapped_at_creation: false };
    let buffer = context.device.create_buffer(&descriptor);
    if !bytes.is_empty() {
        context.queue.write_buffer(&buffer, 0, bytes);
    }
    buffer
}

/// Vertices of so many squares, two triangles each, that the vertex shader finds by itself.
pub(super) fn square_vertices(count: u32) -> u32 {
    count.saturating_mul(6)
}

/// 0..=1 in 16 bits.
pub(super) fn unorm16(value: f32) -> u16 {
    (value.clamp(0.0, 1.0) * 65535.0).round() as u16
}

fn rigid_vertex(primitive: &Primitive, i: usize) -> RigidVertex {
    let followed = primitive.influences.get(i).and_then(|own| own.iter().find(|f| f.weight > 0.0));
    RigidVertex {
        position: primitive.positions[i].to_array(),
        normal: normal(primitive, i).to_array(),
        uv: primitive.uvs.get(i).copied().unwrap_or(Vec2::ZERO).to_array(),
        color: color(primitive, i),
        bone: followed.map_or(0, |f| u32::from(f.bone)),
    }
}

/// Vertex `i` of a primitive, at this point.
pub(super) fn point_vertex(primitive: &Primitive, i: usize, point: u32) -> PointVertex {
    let uv = primitive.uvs.get(i).copied().unwrap_or(Vec2::ZERO).to_array();
    PointVertex { uv, color: color(primitive, i), point }
}

/// Of vertex `i`.
pub(super) fn normal(primitive: &Primitive, i: usize) -> Vec3 {
    primitive.normals.get(i).copied().unwrap_or(Vec3::Y)
}

fn color(primitive: &Primitive, i: usize) -> [u16; 4] {
    primitive.colors.get(i).copied().unwrap_or(Vec4::ONE).to_array().map(unorm16)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::{Influence, MAX_INFLUENCES};

    #[test]
    fn what_a_primitive_leaves_out_gets_neutral_values() {
        let mut primitive = Primitive { positions: vec![Vec3::X], normals: vec![Vec3::Z], ..Primitive::default() };
        let plain = rigid_vertex(&primitive, 0);
        assert_eq!((plain.color, plain.uv, plain.bone), ([65535; 4], [0.0; 2], 0));
        let mut influences = [Influence::default(); MAX_INFLUENCES];
        influences[7] = Influence { bone: 300, weight: 0.25 };
        primitive.influences.push(influences);
        assert_eq!(rigid_vertex(&primitive, 0).bone, 300);
        assert_eq!(point_vertex(&primitive, 0, 7).point, 7);
    }
}
