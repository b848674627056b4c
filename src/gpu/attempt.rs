//! Reading back where nobody can wait. A browser hands over what the GPU has only after the page has given control back, so work that
//! reads is attempted, and attempted again from its start once what it missed has come. On a machine that waits, the first attempt
//! succeeds.

#[cfg(not(target_arch = "wasm32"))]
use super::context::Context;

/// Attempts at one piece of work. It must do the same each time, and change nothing before its last read, which is so for all that reads
/// here and changes nothing where it fails. Nothing may be simulated between two attempts.
#[derive(Debug, Default)]
pub struct Attempt {
    #[cfg(target_arch = "wasm32")]
    reads: Vec<browser::Read>,
}

impl Attempt {
    /// Does the work; none where the browser has to answer first.
    #[cfg(not(target_arch = "wasm32"))]
    pub fn of<T>(&mut self, _: &Context, work: impl FnOnce() -> T) -> Option<T> {
        Some(work())
    }
}

#[cfg(not(target_arch = "wasm32"))]
impl Context {
    /// Tells which buffers are read next, one after the other: a browser then hands them over at once.
    pub(crate) fn foresee<'a>(&self, _: impl IntoIterator<Item = &'a wgpu::Buffer>) {}

    /// Does work that reads back, whatever that takes.
    ///
    /// # Errors
    /// Those of the work.
    #[allow(clippy::unused_async)]
    pub async fn completed<T, E>(&self, mut work: impl FnMut() -> Result<T, E>) -> Result<T, E> {
        work()
    }
}

#[cfg(target_arch = "wasm32")]
mod browser {
    use std::cell::RefCell;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicU8, Ordering};

    use super::Attempt;
    use crate::gpu::GpuError;
    use crate::gpu::context::Context;

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

    impl Attempt {
        /// Does the work; none where the browser has to answer first.
        pub fn of<T>(&mut self, _: &Context, work: impl FnOnce() -> T) -> Option<T> {
            if ATTEMPTED.with_borrow(Option::is_some) {
                // Part of a larger piece of work, which is attempted again as a whole.
                return Some(work());
            }
            let begun = Attempted { reads: std::mem::take(&mut self.reads), next: 0, missed: false };
            ATTEMPTED.set(Some(begun));
            let done = work();
            let ended = ATTEMPTED.take()?;
            if ended.missed {
                self.reads = ended.reads;
                return None;
            }
            Some(done)
        }
    }

    impl Context {
        /// Does work that reads back, whatever that takes.
        ///
        /// # Errors
        /// Those of the work.
        pub async fn completed<T, E>(&self, mut work: impl FnMut() -> Result<T, E>) -> Result<T, E> {
            let mut attempt = Attempt::default();
            loop {
                let before = self.arrivals.here();
                if let Some(done) = attempt.of(self, &mut work) {
                    return done;
                }
                self.arrivals.more_than(before).await;
            }
        }

        /// Tells which buffers are read next, one after the other: they are handed over at once.
        pub(crate) fn foresee<'a>(&self, buffers: impl IntoIterator<Item = &'a wgpu::Buffer>) {
            let ahead = ATTEMPTED.with_borrow(|attempted| attempted.as_ref().map(|a| (a.next, a.reads.len())));
            let Some((next, known)) = ahead else { return };
            for buffer in buffers.into_iter().skip(known - next.min(known)) {
                let read = self.start_reading(buffer);
                ATTEMPTED.with_borrow_mut(|attempted| attempted.iter_mut().for_each(|a| a.reads.push(read.clone())));
            }
        }

        /// Copies all bytes of a buffer that allows copying from it, in an [`Attempt`].
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
                let read = self.start_reading(buffer);
                ATTEMPTED.with_borrow_mut(|attempted| attempted.iter_mut().for_each(|a| a.reads.push(read.clone())));
                Err(GpuError::Later)
            })
        }

        fn start_reading(&self, buffer: &wgpu::Buffer) -> Read {
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
            Read { staging, state }
        }
    }
}
