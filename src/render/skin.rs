//! Models that bend: a pass places the vertices of all their copies once a frame, for all passes that draw them.

use std::cmp::Reverse;
use std::ops::Range;

use glam::{Vec2, Vec3};

use super::geometry::{buffer, most_copies, normal, unorm16};
use crate::gpu::wgsl::render::skin::RestVertex;
use crate::gpu::wgsl::render::skinned::SkinnedVertex;
use crate::gpu::{Context, GpuError, Group, Kernel, Pipeline};
use crate::scene::{Influence, MAX_INFLUENCES, Model, Primitive};

/// The vertices of a model in its rest pose; a clone shares the buffer.
#[derive(Clone, Debug)]
pub(super) struct Rest {
    vertices: wgpu::Buffer,
    pub(super) count: u32,
}

impl Rest {
    /// Uploads the vertices of all primitives; none if each follows one bone and the model does not bend.
    pub(super) fn new(context: &Context, model: &Model) -> Option<Self> {
        let bends = |own: &[Influence; MAX_INFLUENCES]| own.iter().filter(|f| f.weight > 0.0).count() != 1;
        if !model.primitives.iter().any(|part| part.influences.iter().any(bends)) {
            return None;
        }
        let vertices: Vec<RestVertex> =
            model.primitives.iter().flat_map(|part| (0..part.positions.len()).map(|i| rest_vertex(part, i))).collect();
        let bytes = bytemuck::cast_slice(&vertices);
        let count = vertices.len() as u32;
        Some(Self { vertices: buffer(context, "rest vertices", bytes, wgpu::BufferUsages::STORAGE), count })
    }

    /// How many copies one buffer holds.
    pub(super) fn most_copies(&self, context: &Context) -> usize {
        most_copies(context, size_of::<SkinnedVertex>() as u64 * u64::from(self.count))
    }
}

/// Copies of a model that bends.
#[derive(Debug)]
pub(super) struct Bent {
    /// Their rows.
    pub(super) rows: Range<u32>,
    first_bones: wgpu::Buffer,
    /// Where their vertices are, copy by copy.
    pub(super) vertices: wgpu::Buffer,
    /// `vertices` for drawing.
    pub(super) bound: Group,
}

impl Bent {
    /// For copies with these rows and first bones; `pipeline` draws them.
    pub(super) fn new(
        context: &Context,
        pipeline: &Pipeline,
        rest: &Rest,
        rows: Range<u32>,
        first_bones: &[u32],
    ) -> Result<Self, GpuError> {
        let size = size_of::<SkinnedVertex>() as u64 * u64::from(rest.count) * first_bones.len() as u64;
        let vertices = context.device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("skinned vertices"),
            size: size.max(64),
            usage: wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_SRC,
            mapped_at_creation: false,
        });
        let bytes = bytemuck::cast_slice(first_bones);
        Ok(Self {
            rows,
            first_bones: buffer(context, "first bones", bytes, wgpu::BufferUsages::STORAGE),
            bound: pipeline.bind(context, &[("skinned_vertices", (&vertices).into())])?,
            vertices,
        })
    }

    /// Records the placing of their vertices on placed bones with the kernel `render/skin`.
    pub(super) fn place(
        &self,
        context: &Context,
        kernel: &Kernel,
        pass: &mut wgpu::ComputePass<'_>,
        (rest, placements): (&Rest, &wgpu::Buffer),
    ) -> Result<(), GpuError> {
        let given = [
            ("placements", placements.into()),
            ("rest_vertices", (&rest.vertices).into()),
            ("first_bones", (&self.first_bones).into()),
            ("skinned_vertices", (&self.vertices).into()),
        ];
        kernel.bind_to(context, &given)?.dispatch_rows(pass, rest.count, self.rows.len() as u32);
        Ok(())
    }
}

fn rest_vertex(primitive: &Primitive, i: usize) -> RestVertex {
    let mut influences = [Influence::default(); MAX_INFLUENCES];
    influences[0].weight = 1.0;
    if let Some(own) = primitive.influences.get(i) {
        influences = *own;
    }
    influences.sort_by_key(|f| Reverse(unorm16(f.weight)));
    let pairs = |word: fn(&Influence) -> u32| {
        std::array::from_fn(|k| word(&influences[2 * k]) | (word(&influences[2 * k + 1]) << 16))
    };
    RestVertex {
        position: primitive.positions[i].to_array(),
        normal: packed(normal(primitive, i)),
        followed: pairs(|f| u32::from(f.bone)),
        weights: pairs(|f| u32::from(unorm16(f.weight))),
    }
}

/// As `packed_direction` of `shaders/render/skinned.wgsl`.
fn packed(direction: Vec3) -> u32 {
    let flat = direction.truncate() / direction.abs().element_sum().max(1e-20);
    let sign = |v: f32| if v >= 0.0 { 1.0 } else { -1.0 };
    let folded = Vec2::new((1.0 - flat.y.abs()) * sign(flat.x), (1.0 - flat.x.abs()) * sign(flat.y));
    let place = if direction.z < 0.0 { folded } else { flat };
    let half = |v: f32| u32::from((v.clamp(-1.0, 1.0) * 32767.0).round() as i16 as u16);
    half(place.x) | (half(place.y) << 16)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_counts_is_first_and_a_model_with_one_bone_a_vertex_does_not_bend() {
        let context = Context::shared().expect("adapter");
        let mut influences = [Influence::default(); MAX_INFLUENCES];
        influences[3] = Influence { bone: 9, weight: 1.0 };
        let part = Primitive { positions: vec![Vec3::X], influences: vec![influences], ..Primitive::default() };
        let mut model = Model { primitives: vec![part], ..Model::default() };
        assert!(Rest::new(&context, &model).is_none());
        let own = &mut model.primitives[0].influences[0];
        own[3].weight = 0.25;
        own[6] = Influence { bone: 4, weight: 0.75 };
        assert_eq!(Rest::new(&context, &model).map(|rest| rest.count), Some(1));
        let row = rest_vertex(&model.primitives[0], 0);
        assert_eq!((row.followed[0], row.weights), (4 | (9 << 16), [49151 | (16384 << 16), 0, 0, 0]));
    }
}
