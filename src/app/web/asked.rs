//! What the page around the canvas requests from the window for its next frame, and what it can query about it.

use std::cell::RefCell;

use super::told;

/// What a page asks for.
#[derive(Clone, Debug)]
pub(crate) enum Asked {
    /// Opens a demo, or a file that the page was given.
    Open(String),
    /// Puts a model where the pointer is.
    Put(String),
    /// Hands over a picture.
    Picture,
}

/// How far the window is.
#[derive(Clone, Debug, Default)]
pub(super) struct Seen {
    /// Frames drawn since it was opened.
    pub(super) drawn: u32,
    /// Frames of the scene that were simulated.
    pub(super) simulated: u32,
    /// What is open.
    pub(super) target: String,
    /// When the first frame was drawn, since the page began to load [ms].
    pub(super) first: f64,
}

thread_local! {
    static ASKED: RefCell<Vec<Asked>> = const { RefCell::new(Vec::new()) };
    static SEEN: RefCell<Seen> = RefCell::default();
}

/// Asks for something.
pub(super) fn ask(asked: Asked) {
    ASKED.with_borrow_mut(|all| all.push(asked));
}

/// What was asked for since the last frame.
pub(crate) fn take() -> Vec<Asked> {
    ASKED.take()
}

/// A frame was drawn of this target, of which so many frames were simulated. The page hears of the first.
pub(crate) fn drew(target: &str, simulated: u32) {
    let is_first = SEEN.with_borrow_mut(|seen| {
        seen.drawn += 1;
        seen.simulated = simulated;
        if seen.target != target {
            target.clone_into(&mut seen.target);
        }
        if seen.drawn == 1 {
            seen.first = web_sys::window().and_then(|window| window.performance()).map_or(0.0, |clock| clock.now());
        }
        seen.drawn == 1
    });
    if is_first {
        told::ready();
    }
}

/// How far the window is.
pub(super) fn seen() -> Seen {
    SEEN.with_borrow(Clone::clone)
}
