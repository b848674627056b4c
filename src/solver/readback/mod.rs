//! What comes back to the host: some frames late without anybody waiting, or at once.

pub(super) mod at_once;
pub(super) mod health;
pub(super) mod late;
pub(super) mod loads;
pub(super) mod poses;
