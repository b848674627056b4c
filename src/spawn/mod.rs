//! Puts things into a scene: characters, cloth and soft bodies from models, bodies of known shapes, blocks of liquid, and
//! their surroundings.
//!
//! A [`Character`] is built once and added any number of times; [`SoftSettings`] and [`ClothSettings`] make flesh and cloth from
//! any model. Everything ends in calls to [`crate::scene::Scene`], which also work without this module.
//!
//! ```no_run
//! use glam::{Quat, Vec3, Vec4};
//! use sinew::scene::{Collider, Scene};
//! use sinew::spawn::Character;
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let mut scene = Scene::default();
//! scene.add_collider(Collider::ground(0.0))?;
//! let knight = Character::from_file("knight.glb".as_ref(), None, None)?;
//! for i in 0..10 {
//!     // Each in another moment of its clips.
//!     let at = Vec3::new(2.0 * knight.radius() * i as f32, 2.0, 0.0);
//!     knight.toss(&mut scene, (at, Quat::IDENTITY, Vec3::ZERO), 0.1 * i as f32, Vec4::ONE)?;
//! }
//! # Ok(())
//! # }
//! ```

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
pub use block::{block, heap};
pub use character::{Character, CharacterError, dancer};
pub use cloth::{ClothSettings, SETTLING};
pub use palette::palette;
pub use random::Random;
pub use rings::{Ring, Section, circle};
pub use soft::SoftSettings;
pub(crate) use surroundings::add_scenery;
pub use surroundings::{add_bowl, add_pit, add_spout, add_tank};
