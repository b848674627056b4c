//! Layers changed while the world runs.

use crate::gpu::wgsl::common::grid::Proxy;
use crate::gpu::wgsl::sleep::posed::DISTURBS;
use crate::scene::{BodyId, CLASSES, Layers, ParticleId, Phase, Thing, class_of};
use crate::solver::stages::rows::ParticleRow;
use crate::solver::step::Woken;
use crate::solver::{Solver, SolverError};

impl Solver {
    /// Sets the layers of a thing in the running world. For a body rows are written, and what is jointed to it and near it wakes; the
    /// first layers of a world, and more different ones than it has told yet 15 of, make buffers and kernels anew. So do other things,
    /// and everything wakes. Making anew waits for the GPU once.
    ///
    /// # Errors
    /// As [`Scene::set_layers`](crate::scene::Scene::set_layers), [`SolverError::Removed`] for a body that was removed, and what the GPU
    /// refuses; the layers stay as they were.
    pub fn set_layers(&mut self, thing: Thing, layers: Layers) -> Result<(), SolverError> {
        if let Thing::Body(id) = thing
            && self.scene.bodies.get(id.0 as usize).is_some_and(|body| body.removed)
        {
            return Err(SolverError::Removed(id));
        }
        if let Thing::Collider(id) = thing {
            self.collider_index(id)?;
        }
        let before = self.scene.layers_of(thing);
        if before == layers && self.scene.layers.contains_key(&thing) {
            return Ok(());
        }
        self.scene.set_layers(thing, layers)?;
        match thing {
            Thing::Body(id) if self.can_tell(layers) => self.write_layers(id, layers)?,
            _ => {
                if let Err(error) = self.make_anew() {
                    self.scene.set_layers(thing, before)?;
                    return Err(error);
                }
                self.touched.wake(Woken::All);
            }
        }
        self.search_again()
    }

    /// Whether kernels tell these layers from others, or can do so from now on.
    fn can_tell(&mut self, layers: Layers) -> bool {
        let known = self.classes.contains(&layers);
        if !known && self.tells.layers && self.classes.len() < CLASSES {
            self.classes.push(layers);
            return true;
        }
        known && self.tells.layers
    }

    /// Writes the class of a body into its particles; those that a joint shares are of the first of its bodies.
    fn write_layers(&mut self, id: BodyId, layers: Layers) -> Result<(), SolverError> {
        let class = class_of(&self.classes, layers);
        let tied = self.scene.joints.iter().map(|joint| [joint.desc.a, joint.desc.b]);
        let tied = tied.filter(|pair| pair.contains(&id)).flatten().filter(|other| other.0 < id.0);
        let first: Vec<ParticleId> =
            tied.flat_map(|body| self.scene.body(body).links.iter().map(|link| link.particle)).collect();
        let own = self.scene.body(id).links.iter().map(|link| link.particle);
        for particle in own.filter(|particle| !first.contains(particle)).collect::<Vec<_>>() {
            let index = particle.0 as usize;
            let put = |phase: &mut u32| *phase = Phase(*phase).with_class(class).0;
            put(&mut self.scene.particles[index].phase.0);
            put(&mut self.phases[index]);
            self.pools.rows.put_class(index, class);
            let offset = std::mem::offset_of!(ParticleRow, phase);
            self.buffers.upload_fields("particle_rows", index, offset, &self.phases[index])?;
        }
        let first = self.body_proxies.partition_point(|(body, ..)| *body < id.0);
        for (_, row, phase) in self.body_proxies[first..].iter().take_while(|(body, ..)| *body == id.0) {
            let phase = Phase(*phase).with_class(class).0;
            self.buffers.upload_fields("proxies", *row, std::mem::offset_of!(Proxy, phase), &phase)?;
        }
        self.asked.stage.layer(&self.scene, &self.classes, &mut self.buffers)?;
        self.touched.wake_body(id.0 | DISTURBS);
        self.walk_again();
        Ok(())
    }
}
