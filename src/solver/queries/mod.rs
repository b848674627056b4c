//! Questions of a game to a running world, and their answers.

pub(super) mod ask;
pub(super) mod query;
