//! The stages of a frame: one module for each folder of `shaders/` with kernels of the solver, and of the same name. A module declares its
//! passes, turns a scene into the rows of its buffers (its tables), makes these, and says what it runs (`stage.rs`). It stands on
//! `ground.rs`, `rows.rs` and `stage.rs` and knows no other stage.

pub(super) mod aerodynamics;
pub(super) mod articulations;
pub(super) mod between;
pub(super) mod bodies;
pub(super) mod broad_phase;
pub(super) mod ccd;
pub(super) mod constraints;
pub(super) mod contacts;
pub(super) mod emitters;
pub(super) mod events;
pub(super) mod fluid;
pub(super) mod forces;
pub(super) mod gears;
pub(super) mod ground;
pub(super) mod narrow_phase;
pub(super) mod particles;
pub(super) mod queries;
pub(super) mod rows;
pub(super) mod search;
pub(super) mod sensors;
pub(super) mod sleep;
pub(super) mod stage;
pub(super) mod surfaces;
pub(super) mod walkers;
