//! Rows of four words as textures, for data that many threads read in no order. Graphics cards cache them as well as buffers, and
//! software reads the four words of a row at once where it reads those of a buffer one by one.

use bytemuck::Pod;

use super::{Context, GpuError};

/// Format of all of them; kernels cast the words.
pub(super) const FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Rgba32Uint;

/// Rows side by side; `ROWS_ACROSS` of `common/row`.
const ACROSS: u32 = 4096;

/// A texture of the table.
#[derive(Debug)]
pub(super) struct TextureRows {
    pub(super) texture: wgpu::Texture,
    pub(super) view: wgpu::TextureView,
    pub(super) len: usize,
}

impl TextureRows {
    /// A zeroed texture of `len` rows of four words, `row_at` of `common/row` says where each is.
    pub(super) fn new(context: &Context, name: &'static str, len: usize) -> Result<Self, GpuError> {
        // Whole rows of copies, which are 256 bytes apart.
        let width = len.max(1).next_multiple_of(16).min(ACROSS as usize);
        let height = len.div_ceil(ACROSS as usize).max(1);
        let most = context.device.limits().max_texture_dimension_2d;
        if width.max(height) > most as usize {
            let reason = format!("{len} rows need a texture of {width} x {height}, the device allows {most} x {most}");
            return Err(GpuError::Buffer { name: name.into(), reason });
        }
        let descriptor = wgpu::TextureDescriptor {
            label: Some(name),
            size: wgpu::Extent3d { width: width as u32, height: height as u32, depth_or_array_layers: 1 },
            mip_level_count: 1,
            sample_count: 1,
            dimension: wgpu::TextureDimension::D2,
            format: FORMAT,
            usage: wgpu::TextureUsages::TEXTURE_BINDING
                | wgpu::TextureUsages::STORAGE_BINDING
                | wgpu::TextureUsages::COPY_SRC
                | wgpu::TextureUsages::COPY_DST,
            view_formats: &[],
        };
        context.spend(|efforts| &efforts.buffers);
        let texture = context.checked(name, || context.device.create_texture(&descriptor))?;
        let view = texture.create_view(&wgpu::TextureViewDescriptor::default());
        Ok(Self { texture, view, len })
    }

    /// Writes rows from the first on, before anything submitted later.
    pub(super) fn write<T: Pod>(&self, context: &Context, rows: &[T]) {
        let width = self.texture.width();
        for (line, rows) in rows.chunks(width as usize).enumerate() {
            let mut place = self.texture.as_image_copy();
            place.origin.y = line as u32;
            let layout = wgpu::TexelCopyBufferLayout { offset: 0, bytes_per_row: None, rows_per_image: None };
            let size = wgpu::Extent3d { width: rows.len() as u32, height: 1, depth_or_array_layers: 1 };
            context.queue.write_texture(place, bytemuck::cast_slice(rows), layout, size);
        }
    }

    pub(super) fn bytes(&self) -> u64 {
        16 * u64::from(self.texture.width()) * u64::from(self.texture.height())
    }

    /// All rows, once the GPU is done.
    pub(super) fn read<T: Pod>(&self, context: &Context) -> Result<Vec<T>, GpuError> {
        let bytes = context.read_texture(&self.texture)?;
        Ok(bytes.chunks_exact(16).take(self.len).map(bytemuck::pod_read_unaligned).collect())
    }
}

impl Context {
    /// Waits for the GPU and copies all bytes of a texture back.
    ///
    /// # Errors
    /// [`GpuError::Lost`], or [`GpuError::Rejected`] when the texture does not allow it.
    pub(crate) fn read_texture(&self, texture: &wgpu::Texture) -> Result<Vec<u8>, GpuError> {
        let across = 16 * texture.width();
        let buffer = self.checked("read back", || {
            let buffer = self.device.create_buffer(&wgpu::BufferDescriptor {
                label: Some("texture"),
                size: u64::from(across) * u64::from(texture.height()),
                usage: wgpu::BufferUsages::COPY_SRC | wgpu::BufferUsages::COPY_DST,
                mapped_at_creation: false,
            });
            let mut encoder = self.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
            let layout = wgpu::TexelCopyBufferLayout { offset: 0, bytes_per_row: Some(across), rows_per_image: None };
            let target = wgpu::TexelCopyBufferInfo { buffer: &buffer, layout };
            encoder.copy_texture_to_buffer(texture.as_image_copy(), target, texture.size());
            self.queue.submit([encoder.finish()]);
            buffer
        })?;
        self.read_buffer(&buffer)
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Buffers, Kernel};
    use super::*;

    const DOUBLE: &str = "
        #import \"common/thread\"
        #import \"common/row\"
        struct Batch { count: u32 }
        @group(0) @binding(0) var<uniform> batch: Batch;
        @group(1) @binding(0) var source: texture_2d<u32>;
        @group(1) @binding(1) var result: texture_storage_2d<rgba32uint, write>;
        @compute @workgroup_size(WORKGROUP)
        fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
            let i = global_index(id, groups);
            if i >= batch.count { return; }
            textureStore(result, row_at(i), textureLoad(source, row_at(i), 0) + vec4u(i, 2u * i, 3u, 4u));
        }";

    #[test]
    fn rows_of_textures_are_where_kernels_put_them() {
        let context = Context::shared().expect("adapter");
        let kernel = Kernel::from_source(&context, "test/double", DOUBLE, &[]).unwrap();
        for count in [0_u32, 1, 64, ACROSS - 1, ACROSS, 3 * ACROSS + 5] {
            let mut buffers = Buffers::new(&context);
            buffers.create_uniform("batch", &[count]).unwrap();
            buffers.create_texture("source", count as usize).unwrap();
            buffers.create_texture("result", count as usize).unwrap();
            let bound = kernel.bind(&context, &buffers).unwrap();
            context.run("double", |encoder| {
                bound.dispatch(&mut encoder.begin_compute_pass(&Default::default()), count, 0);
            });
            let expected: Vec<[u32; 4]> = (0..count).map(|i| [i, 2 * i, 3, 4]).collect();
            assert!(buffers.read_texture::<[u32; 4]>("result").unwrap() == expected, "{count} rows");
        }
        assert_eq!(context.take_errors(), Vec::<String>::new());
    }

    #[test]
    fn what_is_no_texture_is_named() {
        let context = Context::shared().expect("adapter");
        let kernel = Kernel::from_source(&context, "test/double", DOUBLE, &[]).unwrap();
        let mut buffers = Buffers::new(&context);
        buffers.create_uniform("batch", &[1_u32]).unwrap();
        buffers.create_texture("source", 1).unwrap();
        buffers.create_with("result", &[[0_u32; 4]]).unwrap();
        let refused = kernel.bind(&context, &buffers).unwrap_err();
        assert!(matches!(refused, GpuError::Binding { binding, .. } if binding == "result"));
        assert!(buffers.create_texture("huge", usize::MAX / 32).unwrap_err().to_string().contains("huge"));
        assert!(buffers.read_texture::<[u32; 4]>("none").unwrap_err().to_string().contains("none"));
        assert!(buffers.read_texture::<u32>("source").unwrap_err().to_string().contains("source"));
    }
}
