//! All performers of a scene, and what they want from the solver before each frame.

use super::Performer;
use crate::scene::{BodyId, Collider, Cues, Placement, Scene, SceneError};

/// The performers of a scene. Before every frame: `solver.follow(&cast.advance(dt))`.
#[derive(Clone, Debug, Default)]
pub struct Cast {
    /// The performers.
    pub performers: Vec<Performer>,
    /// Frames until all of them go limp.
    limp_in: Option<u32>,
    cues: Cues,
}

impl Cast {
    /// Whether nobody performs.
    pub fn is_empty(&self) -> bool {
        self.performers.is_empty()
    }

    /// Whether somebody is limp.
    pub fn is_limp(&self) -> bool {
        self.performers.iter().any(Performer::is_limp)
    }

    /// Lets everybody play from the start of the scene and go limp after `frames` frames.
    ///
    /// # Errors
    /// As [`Performer::enter`].
    pub fn limp_after(&mut self, frames: u32, scene: &mut Scene) -> Result<(), SceneError> {
        self.limp_in = Some(frames);
        self.performers.iter_mut().try_for_each(|p| p.stand(scene))
    }

    /// Everybody goes limp with the next frame.
    pub fn go_limp(&mut self) {
        for performer in &mut self.performers {
            self.cues.released.extend(performer.go_limp());
        }
    }

    /// The performer that has this body, if any, goes limp with the next frame: somebody has taken hold of it.
    pub fn let_go_of(&mut self, body: BodyId) {
        for performer in self.performers.iter_mut().filter(|p| p.bodies().contains(&body)) {
            self.cues.released.extend(performer.go_limp());
        }
    }

    /// Everybody who is limp gets up where they lie; `bodies` is where all bodies are, as
    /// [`Solver::read_placements`](crate::solver::Solver::read_placements) tells.
    pub fn get_up(&mut self, bodies: &[Placement], colliders: &[Collider]) {
        // Who has not fallen yet is where the clip last was.
        self.cues.released.clear();
        self.performers.iter_mut().for_each(|p| p.get_up(bodies, colliders));
    }

    /// What the solver does before the next frame of `dt` [s].
    pub fn advance(&mut self, dt: f32) -> Cues {
        if self.limp_in == Some(0) {
            self.go_limp();
        }
        self.limp_in = self.limp_in.and_then(|frames| frames.checked_sub(1));
        let mut cues = std::mem::take(&mut self.cues);
        for performer in &mut self.performers {
            performer.advance(dt, &mut cues.goals);
        }
        cues
    }
}
