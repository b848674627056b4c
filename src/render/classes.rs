//! Constraints between particles as lines, colored by the group that is solved in parallel.

use super::canvas::Canvas;
use super::geometry::square_vertices;
use super::recipe::{Onto, Recipe};
use crate::gpu::{Context, GpuError, Pipeline};
use crate::solver::SolverView;

/// Lines of a constraint: between each two of its four particles that follow one another.
const LINES: u32 = 3;

/// How they are drawn.
#[derive(Debug)]
pub(super) struct ClassLines(Pipeline);

impl ClassLines {
    pub(super) fn new(context: &Context, canvas: Canvas) -> Result<Self, GpuError> {
        Recipe::plain("render/classes", Onto::SOLID).make(context, canvas).map(Self)
    }

    /// Draws all constraints of `solver`; the frame is bound already.
    pub(super) fn draw(
        &self,
        context: &Context,
        pass: &mut wgpu::RenderPass<'_>,
        solver: &SolverView<'_>,
    ) -> Result<(), GpuError> {
        let Some(constraints) = solver.constraints else { return Ok(()) };
        let given = [
            ("particles", solver.particles.into()),
            ("constraint_words", constraints.words.into()),
            ("constraint_colors", constraints.colors.into()),
            ("phantom_originals", constraints.phantom_originals.into()),
        ];
        self.0.set(pass);
        self.0.bind(context, &given)?.set(pass);
        pass.draw(0..square_vertices(constraints.count.saturating_mul(LINES)), 0..1);
        Ok(())
    }
}
