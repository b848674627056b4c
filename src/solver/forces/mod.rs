//! Forces from outside that a game gives: pushes, and fields that last.

pub(super) mod field;
pub(super) mod push;
