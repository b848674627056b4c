//! The safety net under the reader of hostile files: a panic inside becomes an error, and prints nothing. In a browser a panic ends the
//! page, which says so.

#[cfg(not(target_arch = "wasm32"))]
use std::cell::Cell;
#[cfg(not(target_arch = "wasm32"))]
use std::panic;
#[cfg(not(target_arch = "wasm32"))]
use std::sync::Once;

#[cfg(not(target_arch = "wasm32"))]
thread_local! {
    static SILENT: Cell<bool> = const { Cell::new(false) };
}

/// Runs `work`.
#[cfg(target_arch = "wasm32")]
#[allow(clippy::unnecessary_wraps)]
pub(super) fn caught<T>(work: impl FnOnce() -> T) -> Option<T> {
    Some(work())
}

/// Runs `work`; none if it panicked. Panics of other threads, and of this one outside the call, print as before.
#[cfg(not(target_arch = "wasm32"))]
pub(super) fn caught<T>(work: impl FnOnce() -> T) -> Option<T> {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let before = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            if !SILENT.get() {
                before(info);
            }
        }));
    });
    let outer = SILENT.replace(true);
    // The closure's borrows are not looked at after a panic: the caller gets no value at all.
    let result = panic::catch_unwind(panic::AssertUnwindSafe(work));
    SILENT.set(outer);
    result.ok()
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_panic_inside_becomes_none() {
        assert_eq!(super::caught(|| 3), Some(3));
        let empty: Vec<u32> = Vec::new();
        assert_eq!(super::caught(|| empty[std::hint::black_box(2)]), None);
    }
}
