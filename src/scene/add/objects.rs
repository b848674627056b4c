//! Free particles, their constraints, and their attachments.

use std::collections::BTreeMap;

use glam::{Mat3, Quat, Vec3};

use crate::constraints::{Constraint, GlobalConstraint, NO_PARTICLE, PlasticTetrahedron, Row};
use crate::scene::check::{self, number, pose, present};
use crate::scene::emitter::stored_at;
use crate::scene::{
    AirSurface, Attachment, BodyId, Deformable, DeformableId, Extent, Particle, ParticleId, Phase, Scene, SceneError,
    Tear,
};

impl Scene {
    /// Adds a free particle.
    ///
    /// # Errors
    /// [`SceneError`] naming the field, for numbers that are not finite or out of range.
    pub fn add_particle(&mut self, particle: Particle) -> Result<ParticleId, SceneError> {
        particle.check(self.particles.len())?;
        self.particles.push(particle);
        Ok(ParticleId(self.particles.len() as u32 - 1))
    }

    /// Joins free particles by a constraint; the answer is its index.
    ///
    /// # Errors
    /// [`SceneError`] when a particle does not exist or is named twice, or a number is out of range. That a particle
    /// belongs to no body is seen by [`Scene::check`].
    pub fn add_constraint(&mut self, constraint: &impl Constraint) -> Result<usize, SceneError> {
        let row = constraint.row()?;
        check::constraint(self.particles.len(), &row)?;
        self.know_types([&row]);
        self.constraints.push(row);
        Ok(self.constraints.len() - 1)
    }

    /// Joins free particles by a global constraint; the answer is its index.
    ///
    /// # Errors
    /// [`SceneError`] as of [`Scene::add_constraint`]. That no particle is in two of a type is seen by [`Scene::check`].
    pub fn add_global_constraint(&mut self, constraint: &impl GlobalConstraint) -> Result<usize, SceneError> {
        let row = constraint.row()?;
        check::global_constraint(self.particles.len(), &row)?;
        self.global_constraints.push(row);
        Ok(self.global_constraints.len() - 1)
    }

    /// Adds a deformable object, turned and moved to `position` [m] with this velocity [m/s].
    ///
    /// # Errors
    /// [`SceneError`] naming the object and the field.
    pub fn add_deformable(
        &mut self,
        desc: &Deformable,
        position: Vec3,
        rotation: Quat,
        velocity: Vec3,
    ) -> Result<DeformableId, SceneError> {
        desc.check()?;
        pose(&desc.name, position, rotation, velocity, Vec3::ZERO)?;
        let extent = Extent {
            name: desc.name.clone(),
            first_particle: ParticleId(self.particles.len() as u32),
            particle_count: desc.rest.len() as u32 + desc.spare_count(),
            ghost_count: desc.ghosts,
            spare_count: desc.spare_count(),
            first_constraint: self.constraints.len() as u32,
            constraint_count: desc.constraints.len() as u32,
            damping: desc.damping,
            friction: desc.friction,
            gives: BTreeMap::new(),
            copies: Vec::new(),
        };
        self.add_particles_of(desc, |rest| position + rotation * rest, velocity);
        self.add_constraints_of(desc, &extent);
        self.add_triangles_of(desc, &extent);
        // Turned as the object starts, so that a fit of the rest shape begins without a turn.
        let first = extent.first_particle.0;
        self.global_constraints.extend(desc.global_constraints.iter().map(|row| row.moved(first, rotation)));
        self.deformables.push(extent);
        Ok(DeformableId(self.deformables.len() as u32 - 1))
    }

    /// Particles in a group of their own.
    fn add_particles_of(&mut self, desc: &Deformable, place: impl Fn(Vec3) -> Vec3, velocity: Vec3) {
        let first = self.particles.len();
        let group = 1 + self.particles.iter().map(|p| p.phase.group()).max().unwrap_or(0);
        let apart = Phase::default().with_group(group);
        let phase = if desc.meets_itself { Phase(apart.0 | Phase::MEETS_ITSELF.0) } else { apart };
        let solid = desc.rest.len().saturating_sub(desc.ghosts as usize);
        let numbers = desc.masses.iter().zip(&desc.radii);
        self.particles.extend(desc.rest.iter().zip(numbers).enumerate().map(|(i, (rest, (mass, radius)))| Particle {
            position: place(*rest),
            velocity: if *mass > 0.0 { velocity } else { Vec3::ZERO },
            radius: *radius,
            mass: *mass,
            phase: if i < solid { phase } else { Phase(phase.0 | Phase::GHOST.0) },
        }));
        let last = self.particles.len() as u32;
        self.particles.extend((last..last + desc.spare_count()).map(|i| Particle {
            position: stored_at(i, desc.radius()),
            velocity: Vec3::ZERO,
            radius: desc.radius(),
            mass: 0.0,
            phase,
        }));
        for particle in &desc.inside {
            self.particles[first + *particle as usize].phase = apart;
        }
    }

    fn add_constraints_of(&mut self, desc: &Deformable, extent: &Extent) {
        let first = extent.first_particle.0;
        self.know_types(&desc.constraints);
        self.constraints.extend(desc.constraints.iter().map(|row| {
            let particles = row.particles.map(|p| if p == NO_PARTICLE { p } else { p + first });
            Row { particles, ..*row }
        }));
        for (index, row) in desc.yields() {
            let [a, b, c, d] = row.particles.map(|p| desc.rest[p as usize]);
            let constraint = extent.first_constraint + index as u32;
            let Some(plastic) = desc.plastic else { continue };
            let edges = Mat3::from_cols(b - a, c - a, d - a);
            self.plastic_tetrahedra.push(PlasticTetrahedron { constraint, plastic, edges });
        }
    }

    /// Edges that break, faces, and surfaces in the air.
    fn add_triangles_of(&mut self, desc: &Deformable, extent: &Extent) {
        let first = extent.first_particle.0;
        let moved = |triangles: &[[u32; 3]]| triangles.iter().map(|t| t.map(|i| i + first)).collect::<Vec<_>>();
        let constraint = |tear: &Tear| extent.first_constraint + tear.constraint;
        self.tears.extend(desc.tears().into_iter().map(|tear| Tear { constraint: constraint(&tear), ..tear }));
        self.triangles.extend(moved(&desc.faces));
        let part = |part: &AirSurface| AirSurface { triangles: moved(&part.triangles), air: part.air };
        self.air_surfaces.extend(desc.air_surfaces.iter().map(part));
    }

    /// Fastens a free particle to a body where both are now; the answer is the attachment's index. From then on the
    /// particle touches nothing: the body does that for it. A particle without mass, which is pinned, goes where the body
    /// takes it, and the body does not feel what pulls on it.
    ///
    /// # Errors
    /// [`SceneError`] when either does not exist, when the particle is attached already, or for a compliance below 0.
    pub fn attach(&mut self, particle: ParticleId, body: BodyId, compliance: f32) -> Result<usize, SceneError> {
        let item = &format!("attachment of particle {}", particle.0);
        present(item, "particle", particle.0 as usize, self.particles.len())?;
        present(item, "body", body.0 as usize, self.bodies.len())?;
        number(item, "compliance", compliance, compliance >= 0.0, "0 or more")?;
        if self.attachments.iter().any(|a| a.particle == particle) {
            return Err(SceneError::Twice { kind: "attachment", particle: particle.0 });
        }
        let held = self.body(body);
        let local = held.rotation.inverse() * (self.particles[particle.0 as usize].position - held.position);
        self.attachments.push(Attachment { particle, body, local, compliance });
        self.particles[particle.0 as usize].phase.0 |= Phase::GHOST.0;
        Ok(self.attachments.len() - 1)
    }
}
