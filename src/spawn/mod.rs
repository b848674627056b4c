//! Puts things into a scene: characters, cloth and soft bodies of models, bodies of known shapes, blocks of liquid, and what
//! stands around them.
//!
//! A [`Character`] is built once and added any number of times; [`SoftSettings`] and [`ClothSettings`] make flesh and cloth of
//! any model. Everything ends in calls of [`crate::scene::Scene`], which also do without this module.

mod balloon;
mod block;
mod character;
mod cloth;
pub mod forms;
mod palette;
mod random;
mod rings;
pub mod soft;
mod surroundings;

pub use balloon::balloon;
pub use block::block;
pub use character::{Character, CharacterError, dancer};
pub use cloth::{ClothSettings, SETTLING};
pub use palette::palette;
pub use random::Random;
pub use rings::{Ring, Section, circle};
pub use soft::SoftSettings;
pub use surroundings::{add_bowl, add_pit, add_spout, add_tank};
