//! The one table of GPU buffers: a WGSL variable's name finds its buffer here.

use std::any::type_name;
use std::collections::HashMap;

use bytemuck::Pod;

use super::textures::TextureRows;
use super::{Context, GpuError};

/// Bytes from one row of a uniform table to the next: the offset alignment that every adapter accepts.
pub const BATCH_PITCH: u32 = 256;

/// A row of the table.
#[derive(Debug)]
pub(super) struct Row {
    pub(super) buffer: wgpu::Buffer,
    pub(super) len: usize,
    pub(super) stride: usize,
    pub(super) uniform: bool,
}

/// Name to buffer. Making a buffer under a used name replaces it: kernels bound before keep the old one, so bind them
/// again.
#[derive(Debug)]
pub struct Buffers {
    pub(super) context: Context,
    rows: HashMap<&'static str, Row>,
    textures: HashMap<&'static str, TextureRows>,
}

impl Buffers {
    /// An empty table on this device.
    pub fn new(context: &Context) -> Self {
        Self { context: context.clone(), rows: HashMap::new(), textures: HashMap::new() }
    }

    /// Makes a zeroed storage buffer of `len` rows of `T`. An empty one has room for one row, which `arrayLength`
    /// counts: kernels take their count from a uniform.
    ///
    /// # Errors
    /// [`GpuError::Buffer`] when the device cannot hold it.
    pub fn create<T: Pod>(
        &mut self,
        name: &'static str,
        len: usize,
        extra_usage: wgpu::BufferUsages,
    ) -> Result<(), GpuError> {
        self.insert::<T>(name, len, size_of::<T>(), wgpu::BufferUsages::STORAGE | extra_usage)
    }

    /// Makes a storage buffer holding `rows`.
    ///
    /// # Errors
    /// [`GpuError::Buffer`] when the device cannot hold it.
    pub fn create_with<T: Pod>(&mut self, name: &'static str, rows: &[T]) -> Result<(), GpuError> {
        self.create::<T>(name, rows.len(), wgpu::BufferUsages::empty())?;
        self.upload(name, 0, rows)
    }

    /// Makes a uniform buffer holding `rows`, each [`BATCH_PITCH`] bytes after the one before: row `i` is bound with
    /// offset `i * BATCH_PITCH`.
    ///
    /// # Errors
    /// [`GpuError::Buffer`] when the device cannot hold it or a row is larger than the pitch.
    pub fn create_uniform<T: Pod>(&mut self, name: &'static str, rows: &[T]) -> Result<(), GpuError> {
        self.create_uniform_for(name, rows, wgpu::BufferUsages::empty())
    }

    /// The same for a buffer that is bound in other ways too.
    pub(crate) fn create_uniform_for<T: Pod>(
        &mut self,
        name: &'static str,
        rows: &[T],
        usage: wgpu::BufferUsages,
    ) -> Result<(), GpuError> {
        if size_of::<T>() > BATCH_PITCH as usize && rows.len() > 1 {
            return refuse(name, format!("rows of {} bytes exceed {BATCH_PITCH}", size_of::<T>()));
        }
        self.insert::<T>(name, rows.len(), BATCH_PITCH as usize, usage | wgpu::BufferUsages::UNIFORM)?;
        self.upload(name, 0, rows)
    }

    fn insert<T: Pod>(
        &mut self,
        name: &'static str,
        len: usize,
        pitch: usize,
        usage: wgpu::BufferUsages,
    ) -> Result<(), GpuError> {
        let limits = self.context.device.limits();
        let uniform = usage.contains(wgpu::BufferUsages::UNIFORM);
        let most = if uniform {
            limits.max_buffer_size
        } else {
            limits.max_storage_buffer_binding_size.min(limits.max_buffer_size)
        };
        // No more than that: kernels count rows by the size.
        let size = (len.max(1) as u64).saturating_mul(pitch as u64).max(size_of::<T>() as u64).next_multiple_of(4);
        if size > most {
            return refuse(name, format!("{len} rows need {size} bytes, the device allows {most}"));
        }
        let usage = usage | wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::COPY_SRC;
        let descriptor = wgpu::BufferDescriptor { label: Some(name), size, usage, mapped_at_creation: false };
        self.context.spend(|efforts| &efforts.buffers);
        let buffer = self.context.checked(name, || self.context.device.create_buffer(&descriptor))?;
        self.rows.insert(name, Row { buffer, len, stride: size_of::<T>(), uniform });
        Ok(())
    }

    /// Writes `rows` from row `first` on, before anything submitted later.
    ///
    /// # Errors
    /// [`GpuError::Buffer`] for an unknown name, another row size, or rows past the end.
    pub fn upload<T: Pod>(&self, name: &str, first: usize, rows: &[T]) -> Result<(), GpuError> {
        let row = self.typed::<T>(name)?;
        if first.checked_add(rows.len()).is_none_or(|end| end > row.len) {
            return refuse(name, format!("rows {first}..{} exceed its {}", first.saturating_add(rows.len()), row.len));
        }
        let queue = &self.context.queue;
        if row.uniform {
            for (i, value) in rows.iter().enumerate() {
                queue.write_buffer(&row.buffer, ((first + i) * BATCH_PITCH as usize) as u64, bytemuck::bytes_of(value));
            }
        } else if !rows.is_empty() {
            queue.write_buffer(&row.buffer, (first * row.stride) as u64, bytemuck::cast_slice(rows));
        }
        Ok(())
    }

    /// Writes fields of row `index` that lie together, from byte `offset` of it on; what the GPU keeps in the others stays.
    ///
    /// # Errors
    /// [`GpuError::Buffer`] for an unknown name, rows past the end, or fields past the end of the row.
    pub fn upload_fields<T: Pod>(&self, name: &str, index: usize, offset: usize, fields: &T) -> Result<(), GpuError> {
        let row = self.row(name)?;
        if index >= row.len || offset.checked_add(size_of::<T>()).is_none_or(|end| end > row.stride) {
            return refuse(name, format!("{} bytes at {offset} exceed its {}", size_of::<T>(), row.stride));
        }
        let at = (index * row.stride + offset) as u64;
        self.context.queue.write_buffer(&row.buffer, at, bytemuck::bytes_of(fields));
        Ok(())
    }

    /// Forgets the buffer called `name`, if there is one: its memory is free once nothing is bound to it.
    pub(crate) fn remove(&mut self, name: &str) {
        self.rows.remove(name);
    }

    /// Gives and takes the buffers and textures that both tables have: what is bound keeps those that it is bound to.
    pub(crate) fn exchange(&mut self, others: &mut Self) {
        for (name, row) in &mut others.rows {
            if let Some(own) = self.rows.get_mut(name) {
                std::mem::swap(own, row);
            }
        }
        for (name, texture) in &mut others.textures {
            if let Some(own) = self.textures.get_mut(name) {
                std::mem::swap(own, texture);
            }
        }
    }

    /// Names of all buffers and textures, in no order.
    pub(crate) fn names(&self) -> impl Iterator<Item = &'static str> {
        self.rows.keys().chain(self.textures.keys()).copied()
    }

    /// The buffer called `name`.
    ///
    /// # Errors
    /// [`GpuError::Buffer`] for an unknown name.
    pub fn get(&self, name: &str) -> Result<&wgpu::Buffer, GpuError> {
        self.row(name).map(|row| &row.buffer)
    }

    /// All buffers, in no order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (&'static str, &wgpu::Buffer)> {
        self.rows.iter().map(|(name, row)| (*name, &row.buffer))
    }

    /// All textures, in no order, and how many rows each has.
    pub(crate) fn textures(&self) -> impl Iterator<Item = (&'static str, &wgpu::Texture, usize)> {
        self.textures.iter().map(|(name, rows)| (*name, &rows.texture, rows.len))
    }

    /// Makes a texture of `len` rows that no kernel sees: to keep a copy in.
    ///
    /// # Errors
    /// [`GpuError::Buffer`] when the device cannot hold it.
    pub(crate) fn detached_texture(
        context: &Context,
        name: &'static str,
        len: usize,
    ) -> Result<wgpu::Texture, GpuError> {
        Ok(TextureRows::new(context, name, len)?.texture)
    }

    /// Makes a buffer of `size` bytes that no kernel sees: to keep a copy in.
    ///
    /// # Errors
    /// [`GpuError::Buffer`] when the device cannot hold it.
    pub(crate) fn detached(context: &Context, name: &'static str, size: u64) -> Result<wgpu::Buffer, GpuError> {
        let usage = wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::COPY_SRC;
        let descriptor = wgpu::BufferDescriptor { label: Some(name), size, usage, mapped_at_creation: false };
        context.spend(|efforts| &efforts.buffers);
        context.checked(name, || context.device.create_buffer(&descriptor))
    }

    /// Number of rows of `name`; 0 if there is no such buffer.
    pub fn len(&self, name: &str) -> usize {
        self.rows.get(name).map_or(0, |row| row.len)
    }

    /// Whether the table has neither buffer nor texture.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty() && self.textures.is_empty()
    }

    /// Bytes of each buffer and texture on the device, in no order.
    pub fn sizes(&self) -> impl Iterator<Item = (&'static str, u64)> {
        let rows = self.rows.iter().map(|(name, row)| (*name, row.buffer.size()));
        rows.chain(self.textures.iter().map(|(name, texture)| (*name, texture.bytes())))
    }

    /// All bytes on the device [bytes].
    pub fn total_bytes(&self) -> u64 {
        self.sizes().map(|(_, bytes)| bytes).sum()
    }

    /// Waits for the GPU and copies all rows of `name` back: for tests and reports, not for every frame.
    ///
    /// # Errors
    /// [`GpuError::Buffer`] for an unknown name or another row size, [`GpuError::Lost`].
    pub fn read<T: Pod>(&self, name: &str) -> Result<Vec<T>, GpuError> {
        let row = self.typed::<T>(name)?;
        let bytes = self.context.read_buffer(&row.buffer)?;
        let pitch = if row.uniform { BATCH_PITCH as usize } else { row.stride };
        let rows = bytes.chunks(pitch).take(row.len);
        Ok(rows.map(|chunk| bytemuck::pod_read_unaligned(&chunk[..row.stride])).collect())
    }

    /// Waits for the GPU and copies one row of `name` back.
    ///
    /// # Errors
    /// As [`Buffers::read`].
    pub(crate) fn read_row<T: Pod>(&self, name: &str, index: usize) -> Result<T, GpuError> {
        let row = self.typed::<T>(name)?;
        let (device, size) = (&self.context.device, row.stride as u64);
        let one = self.context.checked("read back", || {
            let one = device.create_buffer(&wgpu::BufferDescriptor {
                label: Some("one row"),
                size,
                usage: wgpu::BufferUsages::COPY_SRC | wgpu::BufferUsages::COPY_DST,
                mapped_at_creation: false,
            });
            let mut encoder = device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
            encoder.copy_buffer_to_buffer(&row.buffer, index as u64 * size, &one, 0, size);
            self.context.queue.submit([encoder.finish()]);
            one
        })?;
        Ok(bytemuck::pod_read_unaligned(&self.context.read_buffer(&one)?[..row.stride]))
    }

    /// Tells which rows are read next, one after the other; those that are not there are left out.
    pub(crate) fn foresee(&self, names: &[&str]) {
        self.context.foresee(names.iter().filter_map(|name| self.get(name).ok()));
    }

    /// Makes a zeroed texture of `len` rows of four words, `row_at` of `common/row` says where each is.
    ///
    /// # Errors
    /// [`GpuError::Buffer`] when the device cannot hold it.
    pub fn create_texture(&mut self, name: &'static str, len: usize) -> Result<(), GpuError> {
        self.textures.insert(name, TextureRows::new(&self.context, name, len)?);
        Ok(())
    }

    /// Writes rows of the texture `name` from its first on, before anything submitted later.
    ///
    /// # Errors
    /// [`GpuError::Buffer`] for an unknown name, rows that have no four words, or more than there are.
    pub fn upload_texture<T: Pod>(&self, name: &str, rows: &[T]) -> Result<(), GpuError> {
        let texture = self.textures.get(name).ok_or_else(|| refusal(name, "there is no such texture".into()))?;
        if size_of::<T>() != 16 || rows.len() > texture.len {
            let reason = format!("{} rows of {} bytes exceed its {} of 16", rows.len(), size_of::<T>(), texture.len);
            return refuse(name, reason);
        }
        texture.write(&self.context, rows);
        Ok(())
    }

    pub(super) fn texture(&self, name: &str) -> Option<&wgpu::TextureView> {
        self.textures.get(name).map(|rows| &rows.view)
    }

    /// Waits for the GPU and copies all rows of the texture `name` back: for tests.
    ///
    /// # Errors
    /// [`GpuError::Buffer`] for an unknown name or rows that have no four words, [`GpuError::Lost`].
    pub fn read_texture<T: Pod>(&self, name: &str) -> Result<Vec<T>, GpuError> {
        let rows = self.textures.get(name).ok_or_else(|| refusal(name, "there is no such texture".into()))?;
        if size_of::<T>() != 16 {
            return refuse(name, "its rows have 16 bytes".into());
        }
        rows.read(&self.context)
    }

    pub(super) fn row(&self, name: &str) -> Result<&Row, GpuError> {
        self.rows
            .get(name)
            .ok_or_else(|| GpuError::Buffer { name: name.into(), reason: "there is no such buffer".into() })
    }

    fn typed<T: Pod>(&self, name: &str) -> Result<&Row, GpuError> {
        let row = self.row(name)?;
        if row.stride != size_of::<T>() {
            let reason = format!("its rows have {} bytes, {} has {}", row.stride, type_name::<T>(), size_of::<T>());
            return refuse(name, reason);
        }
        Ok(row)
    }
}

fn refuse<T>(name: &str, reason: String) -> Result<T, GpuError> {
    Err(refusal(name, reason))
}

fn refusal(name: &str, reason: String) -> GpuError {
    GpuError::Buffer { name: name.into(), reason }
}

impl Context {
    /// Waits for the GPU and copies all bytes of a buffer that allows copying from it.
    ///
    /// # Errors
    /// [`GpuError::Lost`], or [`GpuError::Rejected`] when the buffer does not allow it; in a browser [`GpuError::Later`].
    #[cfg(not(target_arch = "wasm32"))]
    pub fn read_buffer(&self, buffer: &wgpu::Buffer) -> Result<Vec<u8>, GpuError> {
        let size = buffer.size();
        let staging = self.checked("read back", || {
            let staging = self.device.create_buffer(&wgpu::BufferDescriptor {
                label: Some("read back"),
                size,
                usage: wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST,
                mapped_at_creation: false,
            });
            let mut encoder = self.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
            encoder.copy_buffer_to_buffer(buffer, 0, &staging, 0, size);
            self.queue.submit([encoder.finish()]);
            staging.map_async(wgpu::MapMode::Read, .., |_| {});
            staging
        })?;
        self.wait()?;
        let view = staging.get_mapped_range(..).map_err(|e| GpuError::Lost(e.to_string()))?;
        Ok(view.to_vec())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_come_back_as_written() {
        let context = Context::shared().expect("adapter");
        let mut buffers = Buffers::new(&context);
        buffers.create_with("numbers", &[1u32, 2, 3, 4, 5]).unwrap();
        buffers.upload("numbers", 3, &[40u32, 50]).unwrap();
        assert_eq!(buffers.read::<u32>("numbers").unwrap(), [1, 2, 3, 40, 50]);
        buffers.create_uniform("batch", &[[1u32, 2], [3, 4], [5, 6]]).unwrap();
        assert_eq!(buffers.read::<[u32; 2]>("batch").unwrap(), [[1, 2], [3, 4], [5, 6]]);
        buffers.create_with::<[f32; 4]>("none", &[]).unwrap();
        assert_eq!((buffers.len("none"), buffers.read::<[f32; 4]>("none").unwrap().len()), (0, 0));
    }

    #[test]
    fn misuse_is_an_error_with_the_name() {
        let context = Context::shared().expect("adapter");
        let mut buffers = Buffers::new(&context);
        buffers.create_with("numbers", &[1u32, 2]).unwrap();
        for error in [
            buffers.upload("numbers", 1, &[1u32, 2]).unwrap_err(),
            buffers.upload("numbers", usize::MAX, &[1u32]).unwrap_err(),
            buffers.upload("numbers", 0, &[1u64]).unwrap_err(),
            buffers.read::<[f32; 4]>("numbers").unwrap_err(),
            buffers.get("number").unwrap_err(),
            buffers.create::<[f32; 4]>("numbers", usize::MAX / 32, wgpu::BufferUsages::empty()).unwrap_err(),
        ] {
            assert!(matches!(error, GpuError::Buffer { ref name, .. } if name.starts_with("number")), "{error}");
        }
        assert_eq!(buffers.read::<u32>("numbers").unwrap(), [1, 2]);
    }
}
