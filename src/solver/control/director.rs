//! What a director wants before a frame, and what he sees of the frames before: holds, muscles and pulls.

use std::collections::VecDeque;

use glam::Vec3;

use crate::scene::{BodyId, BodyPull, Cues, Director, JointId, Motor, Sighting};
use crate::solver::readback::poses::{self, Waiting};
use crate::solver::stages::bodies::Pull;
use crate::solver::stages::rows::quat;
use crate::solver::{BodyState, Solver, SolverError};

/// Pulls of the next frame, and what directors wait to see.
#[derive(Debug, Default)]
pub(in crate::solver) struct Direction {
    rows: Vec<Pull>,
    /// Bodies that are pulled in this frame.
    pub(in crate::solver) pulled: u32,
    pub(in crate::solver) watched: Looks,
}

/// What directors wait to see: bodies as they were after a frame.
pub(in crate::solver) type Looks = VecDeque<Waiting<Vec<BodyId>>>;

impl Direction {
    /// Waits to see this, and nothing else: time was taken back.
    pub(in crate::solver) fn resume(&mut self, watched: Looks) {
        *self = Self { watched, ..Self::default() };
    }
}

fn sighting((body, state): (BodyId, &BodyState)) -> Sighting {
    Sighting {
        body,
        place: state.placement(),
        velocity: Vec3::from(state.velocity),
        angular_velocity: Vec3::from(state.angular_velocity),
    }
}

impl Solver {
    /// Does what a director, a [`Cast`](crate::animation::Cast) for example, wants before a frame, after it has told him what was
    /// struck and what he watches. Before every [`Solver::step`].
    ///
    /// # Errors
    /// As [`Solver::follow`].
    pub fn direct(&mut self, director: &mut dyn Director) -> Result<(), SolverError> {
        director.present(&|body| self.life_of(body));
        director.struck(&self.take_struck());
        let paused = self.scene.params.dt == 0.0;
        // In a pause nobody sees anything: what was due is seen before the next frame.
        let seen = if paused { None } else { poses::due(&mut self.direction.watched, self.frame, false) };
        if let Some((bodies, states)) = seen.and_then(|answer| self.requests.receive(answer)) {
            let sightings: Vec<Sighting> = bodies.into_iter().zip(&states).map(sighting).collect();
            director.see(&sightings, &self.scene);
        }
        let mut watched = director.watched();
        watched.retain(|id| self.body_index(*id).is_ok_and(|body| !self.scene.bodies[body].removed));
        if !watched.is_empty() && !paused {
            let request = self.send_poses(&watched)?;
            poses::wait_for(&mut self.direction.watched, request);
        }
        let cues = director.cues(self.scene.params.dt);
        self.follow(&cues)
    }

    /// Does what the host wants before a frame: [`Solver::set_hold_strengths`], [`Solver::pose_bodies`], [`Solver::ride_walkers`], then
    /// [`Solver::release_bodies`], [`Solver::move_bodies`], [`Solver::set_motor`] for the joints that still have both bodies, and
    /// [`Solver::pull_bodies`].
    ///
    /// # Errors
    /// As those.
    pub fn follow(&mut self, cues: &Cues) -> Result<(), SolverError> {
        self.set_hold_strengths(&cues.strengths)?;
        self.pose_bodies(&cues.goals)?;
        self.ride_walkers(&cues.rides)?;
        self.release_bodies(&cues.released)?;
        self.move_bodies(&cues.moves)?;
        for (joint, motor) in &cues.motors {
            self.drive(*joint, *motor)?;
        }
        self.pull_bodies(&cues.pulls)
    }

    fn drive(&mut self, joint: JointId, motor: Option<Motor>) -> Result<(), SolverError> {
        match self.set_motor(joint, motor) {
            Err(SolverError::Removed(_)) => Ok(()),
            done => done,
        }
    }

    /// Pulls bodies in the next frame: each wakes, and a spring draws it towards its goal along the ground and about all axes. Held
    /// and removed bodies are left out; of two pulls on one body the later counts.
    ///
    /// # Errors
    /// [`SolverError::Missing`] for an id that is not of this scene; [`SolverError::Scene`] for numbers out of range. Then none is
    /// pulled.
    pub fn pull_bodies(&mut self, pulls: &[BodyPull]) -> Result<(), SolverError> {
        for pull in pulls {
            let name = &self.scene.bodies[self.body_index(pull.goal.body)?].name;
            pull.check(name)?;
        }
        let dt = self.scene.params.dt;
        for pull in pulls.iter().filter(|_| dt > 0.0) {
            let body = pull.goal.body.0;
            let (velocity, spin) = pull.goal.from.motion(&pull.goal.to, dt);
            let row = Pull {
                goal: pull.goal.to.position.to_array(),
                rate: pull.rate,
                rotation: quat(pull.goal.to.rotation.normalize()),
                velocity: velocity.to_array(),
                mass: pull.mass,
                spin: spin.to_array(),
                most_force: pull.max_force,
                most_torque: pull.max_torque,
                body,
                ..Pull::default()
            };
            self.direction.rows.retain(|known| known.body != body);
            self.direction.rows.push(row);
        }
        Ok(())
    }

    /// Uploads the pulls of this frame, which are gone then.
    pub(in crate::solver) fn write_pulls(&mut self) {
        let mut rows = std::mem::take(&mut self.direction.rows);
        let count = rows.len() as u32;
        if let Some(first) = rows.first_mut() {
            first.count = count;
        }
        self.direction.pulled = count;
        self.write("pulls", 0, &rows);
    }
}
