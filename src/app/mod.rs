//! The `sinew` program: the window (winit, egui) and the command line. Nothing else knows either.

mod blast;
mod camera;
mod caption;
mod clock;
pub mod command;
mod event_loop;
mod film;
mod follow;
mod grab;
mod keys;
mod launch;
mod live;
mod meter;
mod overlay;
mod panel;
mod perform;
mod pointer;
mod progress;
mod window;
mod world;
