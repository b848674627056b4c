//! Readback where waiting is impossible. A browser delivers GPU results only after the page has returned control, so work that
//! reads is attempted, and attempted again from its start once the missing data has arrived. On a machine that can wait, the first attempt
//! succeeds.

#[cfg(target_arch = "wasm32")]
use super::attempted::{self, Read};
use super::context::Context;

/// Attempts at one piece of work. It must do the same each time, and change nothing before its last read, which is so for all that reads
/// here and changes nothing where it fails. Nothing may be simulated between two attempts.
#[derive(Debug, Default)]
pub struct Attempt {
    #[cfg(target_arch = "wasm32")]
    reads: Vec<Read>,
}

impl Attempt {
    /// Does the work; none where the browser has to answer first.
    #[cfg(not(target_arch = "wasm32"))]
    pub fn of<T>(&mut self, _: &Context, work: impl FnOnce() -> T) -> Option<T> {
        Some(work())
    }

    /// Does the work; none where the browser has to answer first.
    #[cfg(target_arch = "wasm32")]
    pub fn of<T>(&mut self, _: &Context, work: impl FnOnce() -> T) -> Option<T> {
        if !attempted::begin(&mut self.reads) {
            // Part of a larger piece of work, which is attempted again as a whole.
            return Some(work());
        }
        let done = work();
        self.reads = attempted::end();
        self.reads.is_empty().then_some(done)
    }
}

impl Context {
    /// Does work that reads back, whatever that takes.
    ///
    /// # Errors
    /// Those of the work.
    #[cfg(not(target_arch = "wasm32"))]
    #[allow(clippy::unused_async)]
    pub async fn completed<T, E>(&self, mut work: impl FnMut() -> Result<T, E>) -> Result<T, E> {
        work()
    }

    /// Does work that reads back, whatever that takes.
    ///
    /// # Errors
    /// Those of the work.
    #[cfg(target_arch = "wasm32")]
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

    /// Tells which buffers are read next, one after the other: a browser then hands them over at once.
    #[cfg(not(target_arch = "wasm32"))]
    pub(crate) fn foresee<'a>(&self, _: impl IntoIterator<Item = &'a wgpu::Buffer>) {}
}
