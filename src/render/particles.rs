//! All particles as balls, and their contacts.

use super::canvas::Canvas;
use super::geometry::square_vertices;
use super::options::{DrawOptions, ParticleColors};
use super::recipe::{Onto, Recipe};
use super::surfaces::Layer;
use crate::gpu::{Context, GpuError, Pipeline};
use crate::solver::SolverView;

/// Most contacts of a list that are drawn.
const MOST_CONTACTS: u32 = 1 << 16;
/// Lines for a particle in a small world.
const CONTACTS_OF_PARTICLE: u32 = 4;

/// How they are drawn.
#[derive(Debug)]
pub(super) struct ParticleBalls {
    owned: Pipeline,
    /// In colors that tell something else.
    states: Pipeline,
    shadow: Pipeline,
    contacts: Pipeline,
}

impl ParticleBalls {
    pub(super) fn new(context: &Context, canvas: Canvas) -> Result<Self, GpuError> {
        // They are inside of what touches.
        let over = Onto::Picture { depth: wgpu::CompareFunction::Always, writes: false, blended: true };
        Ok(Self {
            owned: Recipe::plain("render/particles", Onto::SOLID).make(context, canvas)?,
            states: Recipe::plain("render/states", Onto::SOLID).make(context, canvas)?,
            shadow: Recipe::plain("render/particle_shadow", Onto::Map).make(context, canvas)?,
            contacts: Recipe::plain("render/contacts", over).make(context, canvas)?,
        })
    }

    /// Draws all particles of `solver`; the frame is bound already.
    pub(super) fn draw(
        &self,
        context: &Context,
        pass: &mut wgpu::RenderPass<'_>,
        solver: &SolverView<'_>,
        (options, layer): (&DrawOptions, Layer),
    ) -> Result<(), GpuError> {
        if solver.particle_count == 0 {
            return Ok(());
        }
        let mut given = vec![
            ("bodies", solver.bodies.into()),
            ("particles", solver.particles.into()),
            ("particle_bodies", solver.particle_bodies.into()),
        ];
        let owned = options.particle_colors == ParticleColors::Owner;
        let pipeline = match (layer, solver.contacts) {
            (Layer::Shadow, _) => &self.shadow,
            (_, Some(contacts)) if !owned => {
                given.extend([
                    ("params", contacts.params.into()),
                    ("particle_velocities", solver.particle_velocities.into()),
                    ("contacts", contacts.rows.into()),
                    ("contact_targets", contacts.targets.into()),
                    ("loads", contacts.loads.into()),
                ]);
                &self.states
            }
            _ => &self.owned,
        };
        pipeline.set(pass);
        pipeline.bind(context, &given)?.set(pass);
        pass.draw(0..square_vertices(solver.particle_count), 0..1);
        Ok(())
    }

    /// Draws what touches; the frame is bound already.
    pub(super) fn draw_contacts(
        &self,
        context: &Context,
        pass: &mut wgpu::RenderPass<'_>,
        solver: &SolverView<'_>,
    ) -> Result<(), GpuError> {
        let Some(contacts) = solver.contacts else { return Ok(()) };
        let given = [
            ("params", contacts.params.into()),
            ("particles", solver.particles.into()),
            ("contacts", contacts.rows.into()),
            ("contact_list", contacts.list.into()),
        ];
        let most = solver.particle_count.saturating_mul(CONTACTS_OF_PARTICLE).min(MOST_CONTACTS);
        self.contacts.set(pass);
        self.contacts.bind(context, &given)?.set(pass);
        // An instance for each of the two lists.
        pass.draw(0..square_vertices(most), 0..2);
        Ok(())
    }
}
