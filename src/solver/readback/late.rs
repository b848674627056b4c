//! Bytes on their way back from the GPU, without anybody waiting for them.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

use crate::gpu::{Context, wgpu};

/// Room for bytes that come back; for one load at a time.
#[derive(Debug)]
pub(in crate::solver) struct Late {
    context: Context,
    staging: wgpu::Buffer,
    mapped: Arc<AtomicBool>,
}

/// Bytes of a buffer, a multiple of 4.
#[derive(Clone, Copy, Debug)]
pub(in crate::solver) struct Source<'a> {
    pub(in crate::solver) buffer: &'a wgpu::Buffer,
    /// First byte.
    pub(in crate::solver) offset: u64,
    /// How many bytes.
    pub(in crate::solver) size: u64,
}

impl Late {
    /// Room for so many bytes, a multiple of 4.
    pub(in crate::solver) fn new(context: &Context, label: &str, size: u64) -> Self {
        context.spend(|efforts| &efforts.buffers);
        let staging = context.device.create_buffer(&wgpu::BufferDescriptor {
            label: Some(label),
            size,
            usage: wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        });
        Self { context: context.clone(), staging, mapped: Arc::default() }
    }

    /// For how many bytes there is room.
    pub(in crate::solver) fn size(&self) -> u64 {
        self.staging.size()
    }

    /// Sends the first bytes of a buffer on their way, as many as there is room for, once the encoder's work is done.
    pub(in crate::solver) fn send(&self, encoder: &mut wgpu::CommandEncoder, buffer: &wgpu::Buffer) {
        self.send_parts(encoder, &[Source { buffer, offset: 0, size: self.size() }]);
    }

    /// Sends parts of buffers on their way, one after the other; they must not be more than there is room for.
    pub(in crate::solver) fn send_parts(&self, encoder: &mut wgpu::CommandEncoder, parts: &[Source<'_>]) {
        self.send_all(encoder, parts, &[]);
    }

    /// The same with whole textures of four words a texel before them, whose rows are as wide as such copies ask for: they begin at
    /// whole texels.
    pub(in crate::solver) fn send_all(
        &self,
        encoder: &mut wgpu::CommandEncoder,
        parts: &[Source<'_>],
        textures: &[&wgpu::Texture],
    ) {
        let mut end = 0;
        for texture in textures {
            let across = 16 * texture.width();
            let layout = wgpu::TexelCopyBufferLayout { offset: end, bytes_per_row: Some(across), rows_per_image: None };
            let target = wgpu::TexelCopyBufferInfo { buffer: &self.staging, layout };
            encoder.copy_texture_to_buffer(texture.as_image_copy(), target, texture.size());
            end += u64::from(across) * u64::from(texture.height());
        }
        for part in parts {
            encoder.copy_buffer_to_buffer(part.buffer, part.offset, &self.staging, end, part.size);
            end += part.size;
        }
        let mapped = Arc::clone(&self.mapped);
        #[cfg(target_arch = "wasm32")]
        let sent = self.context.arrivals.send();
        encoder.map_buffer_on_submit(&self.staging, wgpu::MapMode::Read, .., move |result| {
            mapped.store(result.is_ok(), Ordering::Release);
            #[cfg(target_arch = "wasm32")]
            drop(sent);
        });
    }

    /// Whether what was sent is there.
    pub(in crate::solver) fn is_here(&self) -> bool {
        let _ = self.context.device.poll(wgpu::PollType::Poll);
        self.mapped.load(Ordering::Acquire)
    }

    /// Whether it can be received: it is here, or it can be waited for.
    pub(in crate::solver) fn is_ready(&self) -> bool {
        Context::CAN_WAIT || self.mapped.load(Ordering::Acquire)
    }

    /// What was sent. Waits until it is there, where that is possible; none of a lost device, which the context reports.
    pub(in crate::solver) fn receive(&self) -> Option<Vec<u8>> {
        self.receive_as(<[u8]>::to_vec)
    }

    /// The same, read where it lies.
    pub(in crate::solver) fn receive_as<T>(&self, read: impl FnOnce(&[u8]) -> T) -> Option<T> {
        if Context::CAN_WAIT {
            self.context.wait_until(|| self.mapped.load(Ordering::Acquire));
        }
        if !self.mapped.swap(false, Ordering::AcqRel) {
            return None;
        }
        let found = self.staging.get_mapped_range(..).ok().map(|view| read(&view));
        self.staging.unmap();
        found
    }
}

/// Rooms that were read, to be used again.
#[derive(Debug, Default)]
pub(in crate::solver) struct Rooms(Vec<Late>);

impl Rooms {
    /// Most that are kept; of more, the first goes.
    const MOST: usize = 8;

    /// A room for exactly so many bytes: one that was read, or a new one.
    pub(in crate::solver) fn take(&mut self, context: &Context, label: &str, size: u64) -> Late {
        let free = self.0.iter().position(|late| late.size() == size);
        free.map_or_else(|| Late::new(context, label, size), |place| self.0.swap_remove(place))
    }

    /// Keeps a room that was read.
    pub(in crate::solver) fn put_back(&mut self, room: Late) {
        if self.0.len() == Self::MOST {
            self.0.remove(0);
        }
        self.0.push(room);
    }

    /// Keeps none of them: others will be as large as is asked for.
    pub(in crate::solver) fn clear(&mut self) {
        self.0.clear();
    }
}

/// Bytes that came back, or will. States that were saved meanwhile have them too: who asks first waits for them.
#[derive(Debug)]
pub(in crate::solver) struct Shared {
    late: Option<Late>,
    bytes: OnceLock<Option<Vec<u8>>>,
}

impl Shared {
    /// What was sent to this room.
    pub(in crate::solver) fn sent(late: Late) -> Arc<Self> {
        Arc::new(Self { late: Some(late), bytes: OnceLock::new() })
    }

    /// What is here.
    pub(in crate::solver) fn here(bytes: Vec<u8>) -> Arc<Self> {
        Arc::new(Self { late: None, bytes: OnceLock::from(Some(bytes)) })
    }

    /// Whether it can be received: it is here, or it can be waited for.
    pub(in crate::solver) fn is_ready(&self) -> bool {
        self.bytes.get().is_some() || self.late.as_ref().is_none_or(Late::is_ready)
    }

    /// What was sent. Waits until it is there, where that is possible; none of a lost device, which the context reports.
    pub(in crate::solver) fn receive(&self) -> Option<&[u8]> {
        self.bytes.get_or_init(|| self.late.as_ref()?.receive()).as_deref()
    }

    /// The room, once it was read and nobody else asks for what was in it.
    pub(in crate::solver) fn into_room(self: Arc<Self>) -> Option<Late> {
        Arc::into_inner(self)?.late
    }
}
