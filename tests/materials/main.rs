//! Cloth, flesh, liquids, grains and strands, and what acts on them.

mod beam;
mod between;
mod cloth;
mod compliance;
mod cutting;
#[path = "../effort/mod.rs"]
mod effort;
mod emitters;
mod fields;
mod flesh;
mod garments;
mod grains;
mod layers;
mod liquid;
mod plastic;
mod pushes;
mod regions;
mod rods;
mod second_order;
mod strain;
mod surfaces;
mod tearing;
