//! Particles fastened to bodies, so that cloth and flesh hang on what is rigid and pull it.

use glam::Vec3;

use super::check::{self, number};
use super::{BodyId, ParticleId, Phase, Scene, SceneError};

/// A free particle held at a point of a body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Attachment {
    /// The particle.
    pub particle: ParticleId,
    /// The body.
    pub body: BodyId,
    /// The point in the body's frame [m].
    pub local: Vec3,
    /// Compliance [m/N].
    pub compliance: f32,
}

impl Scene {
    /// Fastens a free particle to a body where both are now; the answer is the attachment's index. From then on the
    /// particle touches nothing: the body does that for it. A particle without mass, which is pinned, goes where the body
    /// takes it, and the body does not feel what pulls on it.
    ///
    /// # Errors
    /// [`SceneError`] when either does not exist, when the particle is attached already, or for a compliance below 0.
    pub fn attach(&mut self, particle: ParticleId, body: BodyId, compliance: f32) -> Result<usize, SceneError> {
        let item = &format!("attachment of particle {}", particle.0);
        let range = |field, index: usize, count: usize| {
            if index < count { Ok(()) } else { Err(SceneError::Missing { item: item.clone(), field, index, count }) }
        };
        range("particle", particle.0 as usize, self.particles.len())?;
        range("body", body.0 as usize, self.bodies.len())?;
        number(item, "compliance", compliance, compliance >= 0.0, "0 or more")?;
        check::attached_once(self, particle)?;
        let held = self.body(body);
        let local = held.rotation.inverse() * (self.particles[particle.0 as usize].position - held.position);
        self.attachments.push(Attachment { particle, body, local, compliance });
        self.particles[particle.0 as usize].phase.0 |= Phase::GHOST.0;
        Ok(self.attachments.len() - 1)
    }
}
