//! A window for a game: [`play`] opens it, steps a [`Game`] in real time and draws its world.

mod input;
mod live;

use std::error::Error;

use thiserror::Error as ThisError;

pub use self::input::Input;
use self::live::LiveGame;
use super::event_loop::{event_loop, show};
use crate::animation::Cast;
use crate::gpu::{Choice, Context};
use crate::render::{Camera, DrawOptions};
use crate::solver::Solver;

/// What a game's own functions may fail with: any error converts with `?`.
pub type GameError = Box<dyn Error + Send + Sync>;

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

/// A game as [`play`] runs it: it owns its world, and steps it.
///
/// Between two frames the world is drawn where it is in between, so that it moves evenly at any rate of the display.
pub trait Game {
    /// One frame of [`Params::dt`](crate::scene::Params::dt): does what `input` asks for, steps the solver once, and hears what happened.
    /// Called as often as real time asks for; on a machine that cannot keep up, less often.
    ///
    /// # Errors
    /// What the game cannot go on after: the window closes, and [`play`] returns it.
    fn step(&mut self, input: &Input) -> Result<(), GameError>;

    /// Once before each picture, also while time stands still: pauses, menus, cameras. What went down counts from one picture to the next.
    ///
    /// # Errors
    /// As of [`Game::step`].
    fn frame(&mut self, _: &Input) -> Result<(), GameError> {
        Ok(())
    }

    /// The world.
    fn solver(&mut self) -> &mut Solver;

    /// Where the picture is taken from, each time one is drawn.
    fn camera(&self) -> Camera;

    /// Who performs in the world: their parts that are hidden or turned are drawn so.
    fn cast(&self) -> Option<&Cast> {
        None
    }

    /// Words at the lower edge of the picture, a score for example; nothing where they are empty.
    fn caption(&self) -> String {
        String::new()
    }

    /// Draws panels of the game's own over the picture: menus, sliders. What is pressed on one does not reach [`Input`].
    fn panels(&mut self, _: &mut egui::Ui) {}

    /// How the world is drawn.
    fn options(&self) -> DrawOptions {
        DrawOptions::default()
    }

    /// Simulated over real time, 0 to 100: 0 stands still, 0.1 is slow motion.
    fn time_scale(&self) -> f64 {
        1.0
    }

    /// Whether the window is to close.
    fn is_over(&self) -> bool {
        false
    }
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
