//! Constraints between particles: one file per type, twin of `shaders/constraints/<same name>.wgsl`; coloring and
//! partitions.
//!
//! A type says what C and its gradient are, in the paper's symbols. Projecting it is the same for all types:
//! `project.rs` on the CPU, `constraints/solve` on the GPU. A new type is one shader, one file, one line in [`TYPES`] and
//! one for its k in `scene::params`.
//! A global constraint joins more particles than four: a whole mesh or shape. Its type says how it is projected; a new one is
//! one shader, one file and one line in [`GLOBAL_TYPES`].

mod cliques;
mod clusters;
mod coloring;
mod dihedral;
mod distance;
mod give;
mod global;
mod isometric;
mod kind;
mod levels;
mod neo_hookean;
mod partition;
mod plasticity;
mod pressure;
mod project;
mod rod;
mod rope_bend;
mod shape_matching;
mod shape_region;
mod stiffness;
mod sweep;
#[cfg(test)]
mod tests;
mod tetrahedron_shear;
mod tetrahedron_stretch;
mod text;
mod triangle_pin;
mod triangle_strain;
mod user;
mod volume;
mod world_pin;

pub use coloring::{ColoringError, color_greedy, largest_clique, validate_coloring};
pub use dihedral::Dihedral;
pub use distance::Distance;
pub use give::{Compliance, Give};
#[cfg(test)]
pub(crate) use global::GlobalExample;
pub use global::{
    GLOBAL_VALUES, GlobalConstraint, GlobalRow, GlobalState, GlobalType, MOST_GLOBAL_COLORS, Member, global_colors,
};
pub use isometric::Isometric;
#[cfg(test)]
pub(crate) use kind::Example;
pub use kind::{Constraint, ConstraintError, Equation, MOST_VALUES, NO_PARTICLE, Role, Row, Stretch, Type, UNBOUNDED};
pub(crate) use levels::{Levels, Node};
pub use neo_hookean::NeoHookean;
pub use partition::{Partition, Partitioned};
pub use plasticity::{Plastic, PlasticTetrahedron};
pub use pressure::Pressure;
pub use project::project;
pub use rod::Rod;
pub use rope_bend::RopeBend;
pub use shape_matching::ShapeMatching;
pub use shape_region::{RegionMode, ShapeRegion};
pub(crate) use stiffness::place_of as stiffness_place;
pub use stiffness::{MOST_TYPES, Stiffness};
pub use sweep::{Particles, Solving, Sweep};
pub use tetrahedron_shear::TetrahedronShear;
pub use tetrahedron_stretch::TetrahedronStretch;
pub use triangle_pin::TrianglePin;
pub use triangle_strain::TriangleStrain;
pub use user::{Definition, DefinitionError, Keeps, User, UserConstraint};
pub(crate) use user::{place_of, types_of, user_of};
pub use volume::Volume;
pub use world_pin::WorldPin;

/// Every type, in the order by which the GPU numbers them.
pub static TYPES: &[&Type] = &[
    &dihedral::TYPE,
    &isometric::TYPE,
    &rope_bend::TYPE,
    &rod::TYPE,
    &volume::TYPE,
    &neo_hookean::TYPE,
    &triangle_strain::TYPE,
    &tetrahedron_stretch::TYPE,
    &tetrahedron_shear::TYPE,
    &distance::TYPE,
    &triangle_pin::TYPE,
    &world_pin::TYPE,
];

/// Every type of global constraint, in the order in which they are solved.
pub static GLOBAL_TYPES: &[&GlobalType] = &[&pressure::TYPE, &shape_matching::TYPE, &shape_region::TYPE];
