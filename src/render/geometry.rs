//! Vertices of models as the GPU reads them.

use glam::{Vec2, Vec3, Vec4};

use crate::gpu::Context;
use crate::scene::{Influence, MAX_INFLUENCES, Primitive};

/// A vertex: 72 bytes.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
pub(super) struct Vertex {
    position: [f32; 3],
    normal: [f32; 3],
    uv: [f32; 2],
    /// 0..=1 in 16 bits a channel.
    color: [u16; 4],
    followed: [u16; MAX_INFLUENCES],
    /// 0..=1 in 16 bits.
    weights: [u16; MAX_INFLUENCES],
}

/// A drawn copy, or a plane: linear colour and first row of its bones.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
pub(super) struct InstanceRow {
    pub(super) tint: [f32; 4],
    pub(super) base: u32,
    pub(super) pad: [u32; 3],
}

const VERTEX: [wgpu::VertexAttribute; 8] = wgpu::vertex_attr_array![
    0 => Float32x3, 1 => Float32x3, 2 => Float32x2, 3 => Unorm16x4,
    4 => Uint16x4, 5 => Uint16x4, 6 => Unorm16x4, 7 => Unorm16x4,
];
const INSTANCE: [wgpu::VertexAttribute; 2] = wgpu::vertex_attr_array![8 => Float32x4, 9 => Uint32];

/// Slot 0 of skinned draws.
pub(super) const VERTEX_LAYOUT: wgpu::VertexBufferLayout<'static> = wgpu::VertexBufferLayout {
    array_stride: size_of::<Vertex>() as u64,
    step_mode: wgpu::VertexStepMode::Vertex,
    attributes: &VERTEX,
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
    pub(super) indices: wgpu::Buffer,
    pub(super) index_count: u32,
}

/// Uploads a primitive; nothing to draw gives none.
pub(super) fn upload(context: &Context, primitive: &Primitive) -> Option<Mesh> {
    let index_count = primitive.indices.len() / 3 * 3;
    if index_count == 0 || primitive.positions.is_empty() {
        return None;
    }
    let vertices: Vec<Vertex> = (0..primitive.positions.len()).map(|i| vertex(primitive, i)).collect();
    let bytes: &[u8] = bytemuck::cast_slice(&vertices);
    let vertices = buffer(context, "vertices", bytes, wgpu::BufferUsages::VERTEX);
    let bytes: &[u8] = bytemuck::cast_slice(&primitive.indices[..index_count]);
    let indices = buffer(context, "indices", bytes, wgpu::BufferUsages::INDEX);
    Some(Mesh { vertices, indices, index_count: index_count as u32 })
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

fn vertex(primitive: &Primitive, i: usize) -> Vertex {
    let first = Influence { bone: 0, weight: 1.0 };
    let mut influences = [Influence::default(); MAX_INFLUENCES];
    influences[0] = first;
    if let Some(own) = primitive.influences.get(i) {
        influences = *own;
    }
    Vertex {
        position: primitive.positions[i].to_array(),
        normal: primitive.normals.get(i).copied().unwrap_or(Vec3::Y).to_array(),
        uv: primitive.uvs.get(i).copied().unwrap_or(Vec2::ZERO).to_array(),
        color: primitive.colors.get(i).copied().unwrap_or(Vec4::ONE).to_array().map(unorm16),
        followed: influences.map(|f| f.bone),
        weights: influences.map(|f| unorm16(f.weight)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_primitive_leaves_out_gets_neutral_values() {
        let mut primitive = Primitive { positions: vec![Vec3::X], normals: vec![Vec3::Z], ..Primitive::default() };
        let plain = vertex(&primitive, 0);
        assert_eq!((plain.color, plain.weights[0], plain.weights[1]), ([65535; 4], 65535, 0));
        let mut influences = [Influence::default(); MAX_INFLUENCES];
        influences[7] = Influence { bone: 300, weight: 0.25 };
        primitive.influences.push(influences);
        let skinned = vertex(&primitive, 0);
        assert_eq!((skinned.followed[7], skinned.weights), (300, [0, 0, 0, 0, 0, 0, 0, 16384]));
    }
}
