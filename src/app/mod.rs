//! Windows (winit, egui): that of a game, which [`play`] opens, and the `sinew` program with its command line. Nothing else knows either.

mod blast;
mod camera;
mod camera_path;
mod caption;
mod clock;
pub mod command;
mod deed;
mod edit;
mod event_loop;
mod film;
mod follow;
mod game;
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
mod progress;
mod safe;
mod select;
mod settings;
mod take;
mod tools;
mod watch;
mod window;
mod world;

/// Panels, of the version that [`Game::panels`] takes.
pub use egui;
/// Buttons of the mouse.
pub use winit::event::MouseButton;
/// Keys, by their place.
pub use winit::keyboard::KeyCode;

pub use self::game::{Game, GameError, Input, PlayError, play};
pub use self::grab::Ray;
