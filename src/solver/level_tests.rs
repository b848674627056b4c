//! Coarse levels on the GPU against plain references.
