//! What a page is told: messages in the console of the browser, and the sentence that it shows when it cannot go on.

use wasm_bindgen::JsValue;
use web_sys::{CustomEvent, CustomEventInit, console};

/// The event of the window of a page that has a frame to show.
const READY: &str = "sinew-ready";
/// The event of a page that cannot go on; its detail is a sentence.
const FAILED: &str = "sinew-failed";

struct Console;

impl log::Log for Console {
    fn enabled(&self, about: &log::Metadata<'_>) -> bool {
        let own = about.target().starts_with("sinew");
        about.level() <= if own { log::Level::Warn } else { log::Level::Error }
    }

    fn log(&self, record: &log::Record<'_>) {
        if self.enabled(record.metadata()) {
            let text = JsValue::from(format!("sinew: {}", record.args()));
            if record.level() == log::Level::Error { console::error_1(&text) } else { console::warn_1(&text) }
        }
    }

    fn flush(&self) {}
}

/// Sends messages to the console, and panics to the page.
pub(super) fn begin() {
    static CONSOLE: Console = Console;
    if log::set_logger(&CONSOLE).is_ok() {
        log::set_max_level(log::LevelFilter::Warn);
        std::panic::set_hook(Box::new(|panic| {
            console::error_1(&format!("sinew: {panic}").into());
            failed(&format!("a mistake in Sinew: {panic}"));
        }));
    }
}

/// There is a picture to see.
pub(super) fn ready() {
    dispatch(READY, &JsValue::NULL);
}

/// It cannot go on, and why.
pub(super) fn failed(why: &str) {
    dispatch(FAILED, &why.into());
}

fn dispatch(name: &str, detail: &JsValue) {
    let about = CustomEventInit::new();
    about.set_detail(detail);
    let Some(window) = web_sys::window() else { return };
    if let Ok(event) = CustomEvent::new_with_event_init_dict(name, &about) {
        // Who hears of it cannot refuse.
        let _ = window.dispatch_event(&event);
    }
}
