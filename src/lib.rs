//! Sinew: a physics runtime on the GPU in which everything is particles.
//!
//! # The story
//!
//! A [`scene::Scene`] describes the world: bodies with their particles, joints authored as shared particles, colliders,
//! and models to draw on bodies. [`import`] reads glTF, and [`ragdoll`] turns any skinned character into bodies and
//! joints, which [`animation`] poses from clips until it lets them fall; [`spawn`] puts them, cloth and flesh into a scene.
//! A [`solver::Solver`] puts the scene on the GPU and steps it; a [`render::Renderer`] draws straight from the solver's
//! buffers, so no position travels to the CPU to be drawn.
//!
//! Cloth and flesh are free particles joined by [`constraints`]: each type defines its C and gradient, and one dispatch
//! projects all constraints of one type and color, over all objects.
//!
//! A frame is a list of passes (`solver/step.rs`). Each substep predicts every body rigidly, searches for contacts when
//! something has left the margin of the last search, solves contacts pair by pair with masses split over the pairs, and
//! solves the joints, trees of them at once and what closes loops by colored Gauss-Seidel, all in one dispatch. Overlap is pushed out without creating
//! velocity, friction holds on to the point where a contact began, and bodies at rest fall asleep.
//!
//! WGSL is the only place where a binding is declared: a kernel is one file of `shaders/`, its variables are
//! named like the buffers that the stages of the solver create (`solver/stages/`), and naga determines the rest.
//!
//! The [`guide`] has the details: [`guide::materials`] to build scenes, [`guide::command`] for the tool,
//! [`guide::architecture`] and [`guide::step`] to change the code, [`guide::glossary`] for the terms, [`guide::limits`] for
//! what does not work yet.
//!
//! # Invariants
//!
//! * Meters, kilograms, seconds, radians; right-handed, Y up; f32 on the GPU.
//! * `wgpu` is named only in [`gpu`], [`solver`], [`render`] and [`app`]; windows and panels only in [`app`].
//! * [`scene`] knows no GPU and no files. [`gpu`] knows no physics. Nothing below [`app`] knows that a window exists.
//! * Only its stages and `solver/upload/` create buffers of the solver; no pass of a frame runs that `solver/step.rs` does not list.
//! * No float atomics, and no result depends on the order in which threads run: the same input on the same device gives
//!   the same bits.
//! * A bounded list counts what it drops, and grows. The solver never waits for the GPU while it steps, beyond three
//!   frames in flight.

// What only the command uses is never used in a browser.
#![cfg_attr(target_arch = "wasm32", allow(dead_code, unused_imports))]

pub mod animation;
pub mod app;
pub mod constraints;
pub mod demos;
#[cfg(not(target_arch = "wasm32"))]
mod export;
mod files;
pub mod gpu;
pub mod guide;
pub mod import;
mod nesting;
mod numbers;
mod pack;
pub mod ragdoll;
pub mod render;
pub mod report;
pub mod scene;
pub mod scene_file;
pub mod solver;
pub mod spawn;

/// Vectors, quaternions and matrices, of the version that this library takes and gives.
pub use glam;
/// The graphics API, of the version that this library takes and gives.
pub use wgpu;

/// The README's example must compile.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
