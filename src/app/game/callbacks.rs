//! The callbacks that a window makes into its game.

use std::error::Error;

use super::input::Input;
use crate::animation::Cast;
use crate::gpu::Context;
use crate::render::{Camera, DrawOptions};
use crate::solver::Solver;

/// What a game's own functions may fail with: any error converts with `?`.
pub type GameError = Box<dyn Error + Send + Sync>;

/// A game as [`play`](super::play) runs it: it owns its world, and steps it.
///
/// Between two frames the world is drawn where it is in between, so that it moves evenly at any rate of the display.
pub trait Game {
    /// One frame of [`Params::dt`](crate::scene::Params::dt): does what `input` asks for, steps the solver once, and hears what happened.
    /// Called as often as real time asks for; on a machine that cannot keep up, less often.
    ///
    /// # Errors
    /// What the game cannot go on after: the window closes, and [`play`](super::play) returns it.
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

    /// The graphics device was lost, and this is another one: the game makes its world anew on it, from a [`Backup`](crate::solver::Backup)
    /// or from the start. A game that does not do so ends.
    ///
    /// # Errors
    /// As of [`Game::step`].
    fn device_lost(&mut self, _: &Context) -> Result<(), GameError> {
        Err("the graphics device was lost; restart, and check the driver if this happens often".into())
    }

    /// Whether the window is to close.
    fn is_over(&self) -> bool {
        false
    }
}
