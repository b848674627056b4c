//! Draws straight from the solver's buffers: shaders read where bodies are, no position travels to the CPU.
//!
//! A frame places the bones of everything drawn, the vertices of models that bend on their bones, and the points of what
//! follows particles. Then it is five passes: the depth map of the sun, the picture (surfaces or particles, grains, ground,
//! sky, blended surfaces, lines), its ambient occlusion, found and smoothed, and the copy of both to the caller's target.
//! Liquids are shaped before, and laid over the picture in that copy, which also sees them from inside when the eye is in one;
//! what is blended before them has a pass of its own, and is laid over them there. At low [`Quality`] there is no ambient
//! occlusion, and pixels have one sample.
//!
//! What is drawn has a file here that makes its pipelines, gives the variables of their shaders what they are named after,
//! and draws. Groups of variables are, in all shaders: 0 the camera, 1 what is drawn or read, 2 its material or what is
//! around it, 3 the light of the sun.

mod bones;
mod camera;
mod canvas;
mod classes;
mod coarse;
mod colliders;
mod drawn;
mod error;
mod filter;
mod frame;
mod geometry;
mod grains;
mod host;
mod host_behind;
mod image;
mod joints;
mod lens;
mod light;
mod liquid_shapes;
#[cfg(test)]
mod liquid_tests;
mod liquids;
mod material;
mod members;
mod occlusion;
mod options;
mod palette;
mod particles;
mod present;
mod quality;
mod recipe;
mod recorder;
mod renderer;
mod skin;
#[cfg(test)]
mod skin_tests;
mod sky;
mod soft;
#[cfg(test)]
mod soft_tests;
mod surfaces;
mod targets;
#[cfg(test)]
mod tests;
mod texture;
mod torn;
mod tubes;
#[cfg(test)]
mod world_tests;

pub use camera::Camera;
pub use error::RenderError;
pub use host::{HostColors, HostFormat, HostRenderer, HostTarget, HostView, SunMap};
pub use image::image;
pub use lens::Lens;
pub use light::Light;
pub use options::{DragLine, DrawOptions, ParticleColors};
pub use palette::palette;
pub use quality::Quality;
pub use renderer::Renderer;
