//! The filter of screen-space surfaces, which smooths away the shapes of balls and ellipsoids.

use super::canvas::Canvas;
use super::frame::Frames;
use super::recipe::{Onto, Recipe};
use super::recorder::Recorder;
use super::targets::{SURFACE_FORMAT, ScreenSurface};
use crate::gpu::{Context, Given, GpuError, Pipeline};

/// How often a surface is filtered in both ways.
const FILTERINGS: usize = 2;

/// A shader in two ways that take turns.
#[derive(Debug)]
pub(super) struct Filter {
    shader: &'static str,
    ways: [Pipeline; 2],
}

impl Filter {
    pub(super) fn new(context: &Context, canvas: Canvas, shader: &'static str) -> Result<Self, GpuError> {
        let way = |second: bool| {
            let constant = Some(("SECOND", f64::from(u8::from(second))));
            Recipe { constant, ..Recipe::plain(shader, Onto::texture(SURFACE_FORMAT)) }.make(context, canvas)
        };
        Ok(Self { shader, ways: [way(false)?, way(true)?] })
    }

    /// Filters a surface in place; `given` is what the shader knows of it.
    pub(super) fn record(
        &self,
        context: &Context,
        recorder: &mut Recorder<'_>,
        frames: &Frames,
        surface: &ScreenSurface,
        given: &Given<'_>,
    ) -> Result<(), GpuError> {
        let from = |way: usize| {
            let given: Vec<_> =
                [("surface", (&surface.steps[way]).into())].into_iter().chain(given.iter().copied()).collect();
            self.ways[way].bind(context, &given)
        };
        let bound = [from(0)?, from(1)?];
        for _ in 0..FILTERINGS {
            for (way, bound) in bound.iter().enumerate() {
                recorder.cover(self.shader, &surface.steps[1 - way], &self.ways[way], &[&frames.camera, bound]);
            }
        }
        Ok(())
    }
}
