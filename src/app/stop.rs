//! Ctrl-C and the like: the first lets what is under way end well, a second one ends the program.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};

use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::{flag, low_level};

#[cfg(unix)]
const HEEDED: [i32; 3] = [SIGINT, SIGTERM, signal_hook::consts::SIGHUP];
#[cfg(not(unix))]
const HEEDED: [i32; 2] = [SIGINT, SIGTERM];

/// The signal that came; 0 for none.
static CAME: OnceLock<Arc<AtomicUsize>> = OnceLock::new();

/// From now on signals are heeded; before that they end the program at once.
pub(crate) fn heed() {
    CAME.get_or_init(|| {
        let (came, again) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicBool::new(false)));
        for signal in HEEDED {
            // Where one cannot be heeded, it ends the program as ever. The order matters: the second time `again` is set.
            let _ = flag::register_conditional_shutdown(signal, 128 + signal, Arc::clone(&again))
                .and_then(|_| flag::register(signal, Arc::clone(&again)))
                .and_then(|_| flag::register_usize(signal, Arc::clone(&came), signal as usize));
        }
        came
    });
}

/// Whether somebody wants the program to end.
pub(crate) fn is_asked() -> bool {
    came() != 0
}

/// Ends the program as the signal would have, if one came: who sent it sees that it worked.
pub(crate) fn pass_on() {
    if is_asked() {
        // If even that fails, the program ends by itself.
        let _ = low_level::emulate_default_handler(came() as i32);
    }
}

fn came() -> usize {
    CAME.get().map_or(0, |came| came.load(Ordering::Relaxed))
}
