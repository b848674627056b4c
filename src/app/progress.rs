//! A progress bar for long commands: on standard error, on a terminal only, and not before a second has passed.

use std::io::IsTerminal;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

const QUIET: Duration = Duration::from_secs(1);

/// Counts frames; draws itself when that takes a while.
#[derive(Debug)]
pub(crate) struct Progress {
    bar: ProgressBar,
    start: Instant,
    hidden: bool,
}

impl Progress {
    /// A bar of `length` frames, not yet shown.
    pub(crate) fn new(length: u32) -> Self {
        Self::of(length, "frames")
    }

    /// A bar of `length` of anything, not yet shown.
    pub(crate) fn of(length: u32, what: &str) -> Self {
        let bar = ProgressBar::with_draw_target(Some(u64::from(length)), ProgressDrawTarget::hidden());
        if let Ok(style) = ProgressStyle::with_template(&format!("{{bar:32}} {{pos}}/{{len}} {what}, {{eta}} left")) {
            bar.set_style(style);
        }
        Self { bar, start: Instant::now(), hidden: true }
    }

    /// `done` frames are finished.
    pub(crate) fn at(&mut self, done: u32) {
        if self.hidden && self.start.elapsed() > QUIET && std::io::stderr().is_terminal() {
            self.bar.set_draw_target(ProgressDrawTarget::stderr());
            self.hidden = false;
        }
        self.bar.set_position(u64::from(done));
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
