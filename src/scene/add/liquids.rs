//! Liquids and grains, where they come from, and where they go.

use glam::Vec3;

use crate::scene::check::vector;
use crate::scene::emitter::stored_at;
use crate::scene::{Drain, Emitter, Grains, GrainsId, Liquid, LiquidId, Particle, Phase, Scene, SceneError, Substance};

impl Scene {
    /// Adds a liquid, without particles yet; blocks that it names already are forgotten.
    ///
    /// # Errors
    /// [`SceneError`] naming the liquid and the field; also for particles of another radius than those of the first liquid.
    pub fn add_liquid(&mut self, liquid: Liquid) -> Result<LiquidId, SceneError> {
        liquid.check()?;
        if let Some(first) = self.liquids.first().filter(|first| first.radius != liquid.radius) {
            return Err(SceneError::LiquidRadius(format!("liquid `{}`", liquid.name), liquid.radius, first.radius));
        }
        self.liquids.push(Liquid { blocks: Vec::new(), ..liquid });
        Ok(LiquidId(self.liquids.len() as u32 - 1))
    }

    /// Adds particles of a liquid at `places` [m] with this velocity [m/s].
    ///
    /// # Errors
    /// [`SceneError`] naming the liquid and the field.
    pub fn pour(&mut self, id: LiquidId, places: &[Vec3], velocity: Vec3) -> Result<(), SceneError> {
        let (index, count) = (id.0 as usize, self.liquids.len());
        let Some(liquid) = self.liquids.get(index) else {
            return Err(SceneError::Missing { item: "what is poured".into(), field: "liquid", index, count });
        };
        let item = format!("liquid `{}`", liquid.name);
        let (radius, mass) = (liquid.radius, liquid.particle_mass());
        let block = self.add_free(&item, places, velocity, radius, mass, Phase::LIQUID)?;
        self.liquids[index].blocks.push(block);
        Ok(())
    }

    /// Adds a kind of grains, without particles yet; blocks that it names already are forgotten.
    ///
    /// # Errors
    /// [`SceneError`] naming the grains and the field.
    pub fn add_grains(&mut self, grains: Grains) -> Result<GrainsId, SceneError> {
        grains.check()?;
        self.grains.push(Grains { blocks: Vec::new(), ..grains });
        Ok(GrainsId(self.grains.len() as u32 - 1))
    }

    /// Adds grains at `places` [m] with this velocity [m/s].
    ///
    /// # Errors
    /// [`SceneError`] naming the grains and the field.
    pub fn heap(&mut self, id: GrainsId, places: &[Vec3], velocity: Vec3) -> Result<(), SceneError> {
        let (index, count) = (id.0 as usize, self.grains.len());
        let Some(grains) = self.grains.get(index) else {
            return Err(SceneError::Missing { item: "what is heaped".into(), field: "kind of grains", index, count });
        };
        let item = format!("grains `{}`", grains.name);
        let (radius, mass) = (grains.radius, grains.particle_mass());
        let block = self.add_free(&item, places, velocity, radius, mass, Phase::default())?;
        self.grains[index].blocks.push(block);
        Ok(())
    }

    /// Radius [m] and mass [kg] of the particles of a substance.
    ///
    /// # Errors
    /// [`SceneError::Missing`] for one that the scene does not have.
    pub(crate) fn particle_made_of(&self, item: &str, of: Substance) -> Result<(f32, f32), SceneError> {
        let missing = |field, index, count| SceneError::Missing { item: item.into(), field, index, count };
        match of {
            Substance::Liquid(LiquidId(id)) => {
                let liquid = self.liquids.get(id as usize);
                let liquid = liquid.ok_or_else(|| missing("liquid", id as usize, self.liquids.len()))?;
                Ok((liquid.radius, liquid.particle_mass()))
            }
            Substance::Grains(GrainsId(id)) => {
                let grains = self.grains.get(id as usize);
                let grains = grains.ok_or_else(|| missing("kind of grains", id as usize, self.grains.len()))?;
                Ok((grains.radius, grains.particle_mass()))
            }
        }
    }

    fn add_free(
        &mut self,
        item: &str,
        places: &[Vec3],
        velocity: Vec3,
        radius: f32,
        mass: f32,
        phase: Phase,
    ) -> Result<std::ops::Range<u32>, SceneError> {
        vector(item, "velocity", velocity)?;
        places.iter().try_for_each(|at| vector(item, "position", *at))?;
        let first = self.particles.len() as u32;
        self.particles.extend(places.iter().map(|at| Particle { position: *at, velocity, radius, mass, phase }));
        Ok(first..self.particles.len() as u32)
    }

    /// Adds an emitter and the particles of its reserve.
    ///
    /// # Errors
    /// [`SceneError`] naming the emitter and the field.
    pub fn add_emitter(&mut self, emitter: Emitter) -> Result<(), SceneError> {
        let item = format!("emitter `{}`", emitter.name);
        let (radius, mass) = self.particle_made_of(&item, emitter.of)?;
        emitter.check(&item, radius)?;
        let first = self.particles.len() as u32;
        let particles = first..first + emitter.budget;
        let (mass, phase) = match emitter.of {
            Substance::Liquid(_) => (0.0, Phase::LIQUID),
            Substance::Grains(_) => (mass, Phase::default()),
        };
        // Without mass until they leave the nozzle; that of grains, which sleep by it, is taken from them once they are uploaded.
        self.particles.extend(particles.clone().map(|i| Particle {
            position: stored_at(i, radius),
            velocity: Vec3::ZERO,
            radius,
            mass,
            phase,
        }));
        match emitter.of {
            Substance::Liquid(id) => self.liquids[id.0 as usize].blocks.push(particles.clone()),
            Substance::Grains(id) => self.grains[id.0 as usize].blocks.push(particles.clone()),
        }
        self.emitters.push(Emitter { particles, way: 0.0, ..emitter });
        Ok(())
    }

    /// Adds a drain.
    ///
    /// # Errors
    /// [`SceneError`] naming the drain and the field.
    pub fn add_drain(&mut self, drain: Drain) -> Result<(), SceneError> {
        let item = format!("drain {}", self.drains.len());
        drain.check(item)?;
        self.drains.push(drain);
        Ok(())
    }
}
