//! All particles as balls.

use super::canvas::Canvas;
use super::geometry::square_vertices;
use super::recipe::{Onto, Recipe};
use super::surfaces::Layer;
use crate::gpu::{Context, GpuError, Pipeline};
use crate::solver::SolverView;

/// How they are drawn.
#[derive(Debug)]
pub(super) struct ParticleBalls {
    lit: Pipeline,
    shadow: Pipeline,
}

impl ParticleBalls {
    pub(super) fn new(context: &Context, canvas: Canvas) -> Result<Self, GpuError> {
        Ok(Self {
            lit: Recipe::plain("render/particles", Onto::SOLID).make(context, canvas)?,
            shadow: Recipe::plain("render/particle_shadow", Onto::Map).make(context, canvas)?,
        })
    }

    /// Draws all particles of `solver`; the frame is bound already.
    pub(super) fn draw(
        &self,
        context: &Context,
        pass: &mut wgpu::RenderPass<'_>,
        solver: &SolverView<'_>,
        layer: Layer,
    ) -> Result<(), GpuError> {
        if solver.particle_count == 0 {
            return Ok(());
        }
        let pipeline = if layer == Layer::Shadow { &self.shadow } else { &self.lit };
        let given = [
            ("bodies", solver.bodies.into()),
            ("particles", solver.particles.into()),
            ("particle_bodies", solver.particle_bodies.into()),
        ];
        pipeline.set(pass);
        pipeline.bind(context, &given)?.set(pass);
        pass.draw(0..square_vertices(solver.particle_count), 0..1);
        Ok(())
    }
}
