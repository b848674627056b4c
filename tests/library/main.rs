//! What games do with a world while it runs.

mod added;
mod attached;
mod batch;
mod edits;
#[path = "../effort/mod.rs"]
mod effort;
mod embedding;
mod events;
#[path = "../gltf_maker/mod.rs"]
mod gltf_maker;
mod jumps;
mod levels;
mod live_edits;
mod overrides;
mod pools;
mod queries;
mod sensors;
mod state;
mod state_bytes;
mod user_constraints;
