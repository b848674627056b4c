//! Scene files: scenes as RON text, written by hand or exported from what a program built.
//!
//! A file has parameters, a view, what it is based on, and items that are added one after the other;
//! [`guide::scene_files`](crate::guide::scene_files) names every key. [`SceneFile::load`] reads one, [`SceneFile::stage`] builds
//! it, [`to_ron`] writes any stage as it is, to the bit.

mod build;
mod error;
mod exact;
mod file;
mod item;
mod open;
mod value;

pub use error::{FileError, Problem};
pub(crate) use error::{Source, options};
pub use exact::to_ron;
pub use file::{SceneFile, is_scene_file};
pub(crate) use file::{is_camera_path, is_take, names_file, read_text};
pub use open::{OpenError, stage_for};
pub(crate) use value::Settings;
