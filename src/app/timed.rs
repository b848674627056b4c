//! How long simulating and drawing take on a page, which cannot wait for either: the browser tells when the work of a frame has ended. A frame
//! is timed when all earlier ones have completed.

use std::collections::VecDeque;
use std::sync::{Arc, OnceLock};

use web_time::Instant;

use super::meter::Meter;
use crate::gpu::Context;

/// Most frames that the GPU has still to end when another one begins: nothing else keeps a page from asking for ever more.
const MOST_BEHIND: usize = 2;

/// When work that was submitted has ended.
type End = Arc<OnceLock<Instant>>;

/// A frame that is timed.
#[derive(Debug)]
struct Frame {
    begun: Instant,
    steps: u32,
    stepped: End,
    drew: Option<End>,
}

/// Frames that are timed now and then.
#[derive(Debug, Default)]
pub(crate) struct Timed {
    /// Ends of the last frames.
    ends: VecDeque<End>,
    /// Whether the next frame is timed.
    due: bool,
    frame: Option<Frame>,
}

impl Timed {
    /// Takes in what was measured, at the start of a frame. False while the GPU has still to end what is left of earlier frames.
    pub(crate) fn can_go_on(&mut self, meter: &mut Meter) -> bool {
        while self.ends.front().is_some_and(|end| end.get().is_some()) {
            self.ends.pop_front();
        }
        if self.ends.len() >= MOST_BEHIND {
            return false;
        }
        if let Some(Frame { begun, steps, stepped, drew: Some(drew) }) = &self.frame {
            let (Some(stepped), Some(drew)) = (stepped.get(), drew.get()) else { return true };
            meter.stepped(stepped.saturating_duration_since(*begun), *steps);
            meter.drew(drew.saturating_duration_since(*stepped));
        }
        self.frame = None;
        self.due = self.due || meter.is_due(Instant::now());
        !self.due || self.ends.is_empty()
    }

    /// So many frames, begun then, were submitted.
    pub(crate) fn stepped(&mut self, ctx: &Context, begun: Instant, steps: u32) {
        if self.due && steps > 0 {
            self.due = false;
            self.frame = Some(Frame { begun, steps, stepped: end(ctx), drew: None });
        }
    }

    /// Their picture was submitted.
    pub(crate) fn drew(&mut self, ctx: &Context) {
        let end = end(ctx);
        if let Some(frame @ Frame { drew: None, .. }) = &mut self.frame {
            frame.drew = Some(Arc::clone(&end));
        }
        self.ends.push_back(end);
    }
}

/// When all that was submitted so far will have ended.
fn end(ctx: &Context) -> End {
    let end = End::default();
    let told = Arc::clone(&end);
    ctx.queue.on_submitted_work_done(move || {
        let _ = told.set(Instant::now());
    });
    end
}
