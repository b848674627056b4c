//! From a title to a window with a running game.

use thiserror::Error as ThisError;

use super::callbacks::{Game, GameError};
use super::live::LiveGame;
use crate::app::event_loop::{event_loop, show};
use crate::gpu::{Choice, Context};

/// Why a window did not open, or closed.
#[derive(Debug, ThisError)]
pub enum PlayError {
    /// Nothing to open a window on. A game may draw pictures instead, with [`render::image`](crate::render::image).
    #[error("no display for a window: {0}; set DISPLAY or WAYLAND_DISPLAY, or draw pictures instead")]
    NoDisplay(String),
    /// The window, the device or the game failed.
    #[error("{0:#}")]
    Failed(GameError),
}

/// Opens a window of this title with the game that `make` builds on its device, and plays it until the window is closed or the game is
/// over. Must be called on the main thread, as systems ask.
///
/// # Errors
/// [`PlayError::NoDisplay`] where there is none, before `make` is called; [`PlayError::Failed`] with what `make` or a function of the game
/// returned, or where no adapter draws into a window or its device is lost.
pub fn play<G: Game>(title: &str, make: impl FnOnce(&Context) -> Result<G, GameError>) -> Result<(), PlayError> {
    let event_loop = event_loop().map_err(|error| PlayError::NoDisplay(error.to_string()))?;
    let adapter =
        Choice { adapter: std::env::var("SINEW_ADAPTER").ok().filter(|s| !s.is_empty()), ..Choice::default() };
    show(event_loop, |active| LiveGame::open(active, title, &adapter, make))
        .map_err(|error| PlayError::Failed(error.into()))
}
