//! Constraints between particles: one file per type, twin of `shaders/constraints/<same name>.wgsl`; coloring and
//! partitions.
//!
//! A type says what C and its gradient are, in the paper's symbols. Projecting it is the same for all types:
//! `project.rs` on the CPU, `constraints/solve` on the GPU. A new type is one shader, one file and one line in [`TYPES`].

mod chamber;
mod coloring;
mod dihedral;
mod distance;
mod isometric;
mod kind;
mod neo_hookean;
mod partition;
mod plastic;
mod project;
mod rod;
mod rope_bend;
mod shape_match;
mod sweep;
#[cfg(test)]
mod tests;
mod triangle_pin;
mod triangle_strain;
mod volume;
mod world_pin;

pub use chamber::Chamber;
pub use coloring::{ColoringError, color_greedy, largest_clique, validate_coloring};
pub use dihedral::Dihedral;
pub use distance::Distance;
pub use isometric::Isometric;
#[cfg(test)]
pub(crate) use kind::Example;
pub use kind::{Constraint, ConstraintError, Equation, MOST_VALUES, NO_PARTICLE, Role, Row, Stretch, Type, UNBOUNDED};
pub use neo_hookean::NeoHookean;
pub use partition::{Partition, Partitioned};
pub use plastic::{Flow, Plastic};
pub use project::project;
pub use rod::Rod;
pub use rope_bend::RopeBend;
pub use shape_match::ShapeMatch;
pub use sweep::{Particles, Solving, Sweep};
pub use triangle_pin::TrianglePin;
pub use triangle_strain::TriangleStrain;
pub use volume::Volume;
pub use world_pin::WorldPin;

/// Every type, in the order by which the GPU numbers them.
pub static TYPES: &[&Type] = &[
    &distance::TYPE,
    &dihedral::TYPE,
    &isometric::TYPE,
    &triangle_strain::TYPE,
    &volume::TYPE,
    &neo_hookean::TYPE,
    &world_pin::TYPE,
    &triangle_pin::TYPE,
    &rope_bend::TYPE,
    &rod::TYPE,
];
