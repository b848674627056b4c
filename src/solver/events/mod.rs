//! What a game hears of: what touched what, what broke, tore, fell asleep, came and left, and what is inside sensors.

pub(super) mod breaks;
pub(super) mod comings;
pub(super) mod event;
pub(super) mod listen;
pub(super) mod sensors;
