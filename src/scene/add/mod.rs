//! The `add_` functions of a scene: each checks what it is given.

mod append;
mod bodies;
mod constraints;
mod drawn;
mod fields;
mod layers;
mod liquids;
mod objects;
mod pools;
mod reserve;
mod things;
