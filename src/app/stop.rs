//! Ctrl-C and the like: the first lets what is under way end well, a second one ends the program.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};

use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::{flag, low_level};

// Elsewhere it is not known whether `nohup` has it ignored.
#[cfg(target_os = "linux")]
const HEEDED: [i32; 3] = [SIGINT, SIGTERM, signal_hook::consts::SIGHUP];
#[cfg(not(target_os = "linux"))]
const HEEDED: [i32; 2] = [SIGINT, SIGTERM];

/// The signal that came; 0 for none.
static CAME: OnceLock<Arc<AtomicUsize>> = OnceLock::new();

/// From now on signals are heeded; before that they end the program at once.
pub(crate) fn heed() {
    CAME.get_or_init(|| {
        let (came, again) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicBool::new(false)));
        let ignored = ignored();
        for signal in HEEDED.into_iter().filter(|signal| ignored >> (signal - 1) & 1 == 0) {
            // Where one cannot be heeded, it ends the program as ever. The order matters: the second time `again` is set.
            let _ = flag::register_conditional_shutdown(signal, 128 + signal, Arc::clone(&again))
                .and_then(|_| flag::register(signal, Arc::clone(&again)))
                .and_then(|_| flag::register_usize(signal, Arc::clone(&came), signal as usize));
        }
        came
    });
}

/// Signals that whoever started the program has it ignore, as `nohup` and shells do, a bit each: that stays so. None where nobody tells.
fn ignored() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0)
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
