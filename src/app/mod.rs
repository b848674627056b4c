//! Windows (winit, egui): that of a game, which [`play`] opens, and the `sinew` program with its command line. Nothing else knows them.

mod blast;
mod camera;
mod camera_path;
mod caption;
mod clock;
#[cfg(not(target_arch = "wasm32"))]
pub mod command;
mod deed;
mod dither;
mod edit;
mod event_loop;
mod film;
mod follow;
#[cfg(not(target_arch = "wasm32"))]
mod game;
mod gif_film;
mod grab;
mod history;
mod keys;
mod launch;
mod live;
mod meter;
mod overlay;
mod panel;
mod perform;
mod played;
mod pointer;
#[cfg(not(target_arch = "wasm32"))]
mod progress;
mod safe;
mod saved;
mod select;
mod settings;
#[cfg(not(target_arch = "wasm32"))]
mod stop;
mod take;
mod tidy;
#[cfg(target_arch = "wasm32")]
mod timed;
mod tools;
mod touch;
mod watch;
#[cfg(target_arch = "wasm32")]
pub mod web;
mod window;
mod world;

/// Panels, of the version that [`Game::panels`] takes.
pub use egui;
/// Buttons of the mouse.
pub use winit::event::MouseButton;
/// Keys, by their place.
pub use winit::keyboard::KeyCode;

#[cfg(not(target_arch = "wasm32"))]
pub use self::game::{Game, GameError, Input, PlayError, play};
pub use self::grab::Ray;

/// Reads the text of a take, as `tools/fuzz` spoils it.
///
/// # Errors
/// What is wrong with it, in a sentence.
#[cfg(feature = "fuzzing")]
#[doc(hidden)]
pub fn read_take(text: &str) -> Result<(), String> {
    let read = self::take::Take::parse(std::path::Path::new("spoiled.take.ron"), text);
    read.map(|_| ()).map_err(|error| error.to_string())
}
