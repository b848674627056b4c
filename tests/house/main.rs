//! What holds for the text of this repository.

mod api;
mod refusals;
mod tree;
