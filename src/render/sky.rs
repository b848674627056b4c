//! The sky behind everything.

use wgpu::CompareFunction;

use super::canvas::Canvas;
use super::recipe::{Onto, Recipe};
use crate::gpu::{Context, GpuError, Pipeline};

/// How it is drawn.
#[derive(Debug)]
pub(super) struct Sky(Pipeline);

impl Sky {
    pub(super) fn new(context: &Context, canvas: Canvas) -> Result<Self, GpuError> {
        let onto = Onto::Picture { depth: CompareFunction::GreaterEqual, writes: false, blended: false };
        Recipe::plain("render/background", onto).make(context, canvas).map(Self)
    }

    /// Draws it where nothing is; the frame is bound already.
    pub(super) fn draw(&self, pass: &mut wgpu::RenderPass<'_>) {
        self.0.set(pass);
        pass.draw(0..3, 0..1);
    }
}
