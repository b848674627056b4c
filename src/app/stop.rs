//! Ctrl-C and the like: the first lets work in progress end cleanly, a later one ends the program.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};
use std::thread;
use std::time::Duration;

use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::{flag, low_level};

// Elsewhere it is not known whether `nohup` has it ignored.
#[cfg(target_os = "linux")]
const HEEDED: [i32; 3] = [SIGINT, SIGTERM, signal_hook::consts::SIGHUP];
#[cfg(not(target_os = "linux"))]
const HEEDED: [i32; 2] = [SIGINT, SIGTERM];

/// Time between two looks for the first signal.
const EVERY: Duration = Duration::from_millis(100);
/// Signals this long after the first are part of it: `timeout` signals a program, and at once again its group.
const TOGETHER: Duration = Duration::from_millis(300);

/// The signal that came; 0 for none.
static CAME: OnceLock<Arc<AtomicUsize>> = OnceLock::new();

/// From now on signals are heeded; before that they end the program at once.
pub(crate) fn heed() {
    CAME.get_or_init(|| {
        let (came, ends) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicBool::new(false)));
        let ignored = ignored();
        for signal in HEEDED.into_iter().filter(|signal| ignored >> (signal - 1) & 1 == 0) {
            // Where one cannot be heeded, it ends the program as ever.
            let _ = flag::register_conditional_shutdown(signal, 128 + signal, Arc::clone(&ends))
                .and_then(|_| flag::register_usize(signal, Arc::clone(&came), signal as usize));
        }
        let first = Arc::clone(&came);
        // Without it no signal ends the program at once.
        let _ = thread::Builder::new().name("signals".into()).spawn(move || arm(&first, &ends));
        came
    });
}

/// Lets later signals end the program, once the first has come.
fn arm(came: &AtomicUsize, ends: &AtomicBool) {
    while came.load(Ordering::Relaxed) == 0 {
        thread::sleep(EVERY);
    }
    thread::sleep(TOGETHER);
    ends.store(true, Ordering::Relaxed);
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
