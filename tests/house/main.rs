//! What holds for the text of this repository, and for what it offers to others.

mod api;
mod refusals;
mod tree;
