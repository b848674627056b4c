//! What a game has bodies do: hold poses, follow a director, walk, and be put elsewhere.

pub(super) mod director;
pub(super) mod kinematic;
pub(super) mod moves;
pub(super) mod walkers;
