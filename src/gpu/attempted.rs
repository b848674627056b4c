//! The reads of an attempt in a browser, in the order in which it makes them: those that have arrived, and those still pending.

use std::cell::RefCell;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};

use super::context::Context;
use super::error::GpuError;

const UNDER_WAY: u8 = 0;
const HERE: u8 = 1;
const FAILED: u8 = 2;

thread_local! {
    /// Reads of the attempt that is made now.
    static ATTEMPTED: RefCell<Option<Attempted>> = const { RefCell::new(None) };
}

#[derive(Debug)]
struct Attempted {
    reads: Vec<Read>,
    /// How many of them were asked for again.
    next: usize,
    missed: bool,
}

/// Bytes on their way.
#[derive(Clone, Debug)]
pub(super) struct Read {
    staging: wgpu::Buffer,
    state: Arc<AtomicU8>,
}

impl Read {
    fn bytes(&self) -> Result<Vec<u8>, GpuError> {
        match self.state.load(Ordering::Acquire) {
            UNDER_WAY => Err(GpuError::Later),
            HERE => {
                let view = self.staging.get_mapped_range(..).map_err(|error| GpuError::Lost(error.to_string()))?;
                Ok(view.to_vec())
            }
            _ => Err(GpuError::Lost("while results were read".into())),
        }
    }
}

/// Begins an attempt with what those before it have read. False within another attempt.
pub(super) fn begin(reads: &mut Vec<Read>) -> bool {
    let begins = ATTEMPTED.with_borrow(Option::is_none);
    if begins {
        ATTEMPTED.set(Some(Attempted { reads: std::mem::take(reads), next: 0, missed: false }));
    }
    begins
}

/// Ends an attempt. What it has read, if it missed something; nothing if it is done.
pub(super) fn end() -> Vec<Read> {
    let ended = ATTEMPTED.take().filter(|attempted| attempted.missed);
    ended.map_or(Vec::new(), |attempted| attempted.reads)
}

impl Context {
    /// Tells which buffers are read next, one after the other: they are handed over at once.
    pub(crate) fn foresee<'a>(&self, buffers: impl IntoIterator<Item = &'a wgpu::Buffer>) {
        let ahead = ATTEMPTED.with_borrow(|attempted| attempted.as_ref().map(|a| (a.next, a.reads.len())));
        let Some((next, known)) = ahead else { return };
        for buffer in buffers.into_iter().skip(known - next.min(known)) {
            self.start_reading(buffer);
        }
    }

    /// Copies all bytes of a buffer that allows copying from it, in an [`Attempt`](super::Attempt).
    ///
    /// # Errors
    /// [`GpuError::Later`] for the first attempts, and outside of one; [`GpuError::Lost`].
    pub fn read_buffer(&self, buffer: &wgpu::Buffer) -> Result<Vec<u8>, GpuError> {
        let size = buffer.size();
        let known = ATTEMPTED.with_borrow_mut(|attempted| {
            let attempted = attempted.as_mut().ok_or(GpuError::Later)?;
            if attempted.reads.get(attempted.next).is_some_and(|read| read.staging.size() != size) {
                // It is not the same work: what was read is of no use.
                attempted.reads.truncate(attempted.next);
            }
            let known = attempted.reads.get(attempted.next).map(Read::bytes);
            attempted.next += 1;
            attempted.missed |= matches!(known, None | Some(Err(GpuError::Later)));
            Ok::<_, GpuError>(known)
        })?;
        known.unwrap_or_else(|| {
            self.start_reading(buffer);
            Err(GpuError::Later)
        })
    }

    /// Sends the bytes of a buffer on their way, as the last read of the attempt.
    fn start_reading(&self, buffer: &wgpu::Buffer) {
        let size = buffer.size();
        let staging = self.device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("read back"),
            size,
            usage: wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        });
        let mut encoder = self.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        encoder.copy_buffer_to_buffer(buffer, 0, &staging, 0, size);
        self.queue.submit([encoder.finish()]);
        let (state, sent) = (Arc::new(AtomicU8::new(UNDER_WAY)), self.arrivals.send());
        let heard = Arc::clone(&state);
        staging.map_async(wgpu::MapMode::Read, .., move |result| {
            heard.store(if result.is_ok() { HERE } else { FAILED }, Ordering::Release);
            drop(sent);
        });
        let read = Read { staging, state };
        ATTEMPTED.with_borrow_mut(|attempted| attempted.iter_mut().for_each(|a| a.reads.push(read.clone())));
    }
}
