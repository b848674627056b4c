//! Shapes of colliders and bodies: mass from the solid, everything rests on them and nothing inside, queries agree with
//! distances in double precision.

mod asked;
mod balls;
mod compounds;
mod conveyors;
mod cylinders;
mod heightfields;
mod held;
mod hulls;
mod meshes;
mod one_way;
mod towers;
