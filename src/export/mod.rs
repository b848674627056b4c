//! What a scene does as a glTF file that any viewer plays: rigid things and characters as nodes that move and turn, cloth, flesh and ropes
//! as meshes with a morph target for each kept frame in which they move.
//!
//! A [`Recording`] takes in the state of a solver frame by frame and is written at the end. What glTF cannot express is omitted and named:
//! liquids, sand, and planes, which are infinite.

mod bent;
mod binary;
mod bones;
mod form;
mod looks;
mod recording;
#[cfg(test)]
mod tests;
mod tube;
mod write;

pub(crate) use recording::Recording;
