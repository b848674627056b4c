//! Reads that were sent in a browser and those that have arrived, in order.

use std::future::poll_fn;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Poll, Waker};

/// Counts since the device was opened.
#[derive(Debug, Default)]
pub(crate) struct Arrivals {
    sent: AtomicU64,
    here: AtomicU64,
    wakers: Mutex<Vec<Waker>>,
}

/// Something that was sent; it has arrived when this is dropped.
#[derive(Debug)]
pub(crate) struct Sent(Arc<Arrivals>);

impl Drop for Sent {
    fn drop(&mut self) {
        self.0.here.fetch_add(1, Ordering::AcqRel);
        let wakers = std::mem::take(&mut *self.0.wakers.lock().unwrap_or_else(PoisonError::into_inner));
        wakers.into_iter().for_each(Waker::wake);
    }
}

impl Arrivals {
    /// Notes that something is sent.
    pub(crate) fn send(self: &Arc<Self>) -> Sent {
        self.sent.fetch_add(1, Ordering::AcqRel);
        Sent(Arc::clone(self))
    }

    /// How much was sent so far.
    pub(crate) fn sent(&self) -> u64 {
        self.sent.load(Ordering::Acquire)
    }

    /// How much of it has come.
    pub(crate) fn here(&self) -> u64 {
        self.here.load(Ordering::Acquire)
    }

    /// Comes back once more has arrived than so much.
    pub(super) async fn more_than(&self, before: u64) {
        poll_fn(|polled| {
            if self.here() > before {
                return Poll::Ready(());
            }
            self.wakers.lock().unwrap_or_else(PoisonError::into_inner).push(polled.waker().clone());
            Poll::Pending
        })
        .await;
    }
}
