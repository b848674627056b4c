//! What is checked on the GPU when somebody asks: colors of constraints, and gradients that users wrote.

pub(super) mod colors;
pub(super) mod gradient;
