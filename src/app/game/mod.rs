//! A window for a game: [`play`] opens it, steps a [`Game`] in real time and draws its world.

mod callbacks;
mod input;
mod live;
mod play;

pub use self::callbacks::{Game, GameError};
pub use self::input::Input;
pub use self::play::{PlayError, play};
