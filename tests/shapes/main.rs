//! Shapes of colliders and bodies: mass from the solid, everything rests on them and nothing inside, queries agree with
//! distances in double precision.

mod asked;
mod cylinders;
mod held;
