//! Chosen bodies and particles on their way back to the host: asked for after a frame, there a few frames later, in order.

use std::collections::VecDeque;
use std::ops::Range;
use std::sync::Arc;

use glam::Vec3;
use serde::{Deserialize, Serialize};

use super::health::LATENCY;
use super::late::{Late, Rooms, Shared, Source};
use crate::gpu::Context;
use crate::scene::{BodyId, ParticleId, Thing};
use crate::solver::edits::joints::JointRef;
use crate::solver::{BodyState, Solver, SolverError};

/// Requests that wait to be taken; of more, the oldest is dropped.
const MOST_WAITING: usize = 256;

/// Where chosen bodies were after a frame: see [`Solver::request_poses`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Poses {
    /// Frames that had been simulated.
    pub frame: u64,
    /// Simulated time then [s].
    pub time: f64,
    /// The bodies, in the order in which they were asked for.
    pub bodies: Vec<BodyId>,
    /// Their states, in the same order.
    pub states: Vec<BodyState>,
}

impl Poses {
    /// Each body with its state.
    pub fn iter(&self) -> impl Iterator<Item = (BodyId, &BodyState)> {
        self.bodies.iter().copied().zip(&self.states)
    }

    /// The state of a body; none of one that was not asked for.
    pub fn get(&self, body: BodyId) -> Option<&BodyState> {
        self.iter().find(|(id, _)| *id == body).map(|(_, state)| state)
    }
}

/// Where the particles of a thing were after a frame: see [`Solver::request_particles`].
#[derive(Clone, Debug, PartialEq)]
pub struct ParticlePlaces {
    /// Frames that had been simulated.
    pub frame: u64,
    /// Simulated time then [s].
    pub time: f64,
    /// Whose they are.
    pub thing: Thing,
    /// The particles, ascending.
    pub particles: Vec<ParticleId>,
    /// Their positions [m], in the same order. Liquid in store is far above the world: see
    /// [`is_stored`](crate::scene::is_stored).
    pub positions: Vec<Vec3>,
    /// Their velocities [m/s], in the same order; those of a body's particles are 0: ask for the body.
    pub velocities: Vec<Vec3>,
}

/// A request that was not taken yet.
#[derive(Clone, Debug)]
pub(in crate::solver) struct Waiting<T> {
    pub(in crate::solver) frame: u64,
    pub(in crate::solver) time: f64,
    pub(in crate::solver) what: T,
    pub(in crate::solver) late: Arc<Shared>,
}

/// A request whose answer is here, as a state keeps it.
#[derive(Serialize, Deserialize)]
pub(in crate::solver) struct Answered<T> {
    frame: u64,
    time: f64,
    what: T,
    bytes: Vec<u8>,
}

impl<T: Clone> Waiting<T> {
    /// With its answer; none that has not come.
    pub(in crate::solver) fn answered(&self) -> Option<Answered<T>> {
        let late = Some(&self.late).filter(|late| late.is_ready())?;
        let Self { frame, time, what, .. } = self.clone();
        Some(Answered { frame, time, what, bytes: late.receive()?.to_vec() })
    }
}

impl<T> From<Answered<T>> for Waiting<T> {
    fn from(Answered { frame, time, what, bytes }: Answered<T>) -> Self {
        Self { frame, time, what, late: Shared::here(bytes) }
    }
}

/// What was asked for, and what is to come.
#[derive(Debug, Default)]
pub(in crate::solver) struct Requests {
    poses: VecDeque<Waiting<Vec<BodyId>>>,
    particles: VecDeque<Waiting<(Thing, Vec<Range<u32>>)>>,
    pub(super) loads: VecDeque<Waiting<Vec<JointRef>>>,
    rooms: Rooms,
}

impl Requests {
    /// Forgets all: what is under way speaks of a time that was taken back.
    pub(in crate::solver) fn forget(&mut self) {
        *self = Self::default();
    }

    /// Room for so many bytes, and some more.
    pub(super) fn late(&mut self, context: &Context, bytes: u64) -> Late {
        self.rooms.take(context, "chosen rows", bytes.next_power_of_two().max(64))
    }

    /// Takes in bodies and their states; nothing of a lost device.
    pub(in crate::solver) fn receive(&mut self, answer: Waiting<Vec<BodyId>>) -> Option<(Vec<BodyId>, Vec<BodyState>)> {
        let states = answer.late.receive().map(|bytes| rows(bytes, answer.what.len()));
        self.keep(answer.late);
        Some((answer.what, states?))
    }

    pub(super) fn keep(&mut self, late: Arc<Shared>) {
        if let Some(room) = late.into_room() {
            self.rooms.put_back(room);
        }
    }
}

/// The oldest request, if its answer is due.
pub(in crate::solver) fn due<T>(waiting: &mut VecDeque<Waiting<T>>, frame: u64, paused: bool) -> Option<Waiting<T>> {
    let due = waiting.front().is_some_and(|first| (paused || frame >= first.frame + LATENCY) && first.late.is_ready());
    if due { waiting.pop_front() } else { None }
}

pub(in crate::solver) fn wait_for<T>(waiting: &mut VecDeque<Waiting<T>>, request: Waiting<T>) {
    if waiting.len() == MOST_WAITING {
        waiting.pop_front();
    }
    waiting.push_back(request);
}

impl Solver {
    /// Asks for the states of some bodies as they are after the frames simulated so far; returns without waiting. A game that needs
    /// them in every frame asks after every frame. [`Solver::restore`] forgets what was not taken, as that speaks of a time that is taken
    /// back: who waits for an answer before asking again asks anew then.
    ///
    /// # Errors
    /// [`SolverError::Missing`] for an id that is not of this scene, [`SolverError::Removed`] for a body that is out of the world.
    /// Then nothing is asked for.
    pub fn request_poses(&mut self, bodies: &[BodyId]) -> Result<(), SolverError> {
        for id in bodies {
            if self.scene.bodies[self.body_index(*id)?].removed {
                return Err(SolverError::Removed(*id));
            }
        }
        let request = self.send_poses(bodies)?;
        wait_for(&mut self.requests.poses, request);
        Ok(())
    }

    /// Sends the states of bodies of this scene on their way.
    pub(in crate::solver) fn send_poses(&mut self, bodies: &[BodyId]) -> Result<Waiting<Vec<BodyId>>, SolverError> {
        let row = size_of::<BodyState>() as u64;
        let buffer = self.buffers.get("bodies")?;
        let mut parts: Vec<Source<'_>> = Vec::new();
        for offset in bodies.iter().map(|id| u64::from(id.0) * row) {
            match parts.last_mut().filter(|last| last.offset + last.size == offset) {
                Some(last) => last.size += row,
                None => parts.push(Source { buffer, offset, size: row }),
            }
        }
        let late = self.requests.late(&self.context, row * bodies.len() as u64);
        self.context.run("chosen rows", |encoder| late.send_parts(encoder, &parts));
        Ok(Waiting { frame: self.frame, time: self.time, what: bodies.to_vec(), late: Shared::sent(late) })
    }

    /// The answer to the oldest request of [`Solver::request_poses`] that was not taken yet, once three frames have been simulated
    /// since, or at once while the world is paused; none before, and none without a request. Of 256 that nobody took the oldest is
    /// dropped.
    pub fn take_poses(&mut self) -> Option<Poses> {
        let paused = self.scene.params.dt == 0.0;
        let answer = due(&mut self.requests.poses, self.frame, paused)?;
        let (frame, time) = (answer.frame, answer.time);
        let (bodies, states) = self.requests.receive(answer)?;
        Some(Poses { frame, time, bodies, states })
    }

    /// Asks for all particles of a body, a deformable object, a liquid or a kind of grains as they are after the frames simulated so
    /// far; returns without waiting.
    ///
    /// # Errors
    /// [`SolverError::Missing`] for a thing that the scene does not have, [`SolverError::Removed`] for a body that is out of the
    /// world, [`SolverError::NoParticles`] for a collider.
    pub fn request_particles(&mut self, thing: Thing) -> Result<(), SolverError> {
        let name = self.find_thing(thing)?;
        match thing {
            Thing::Collider(_) => return Err(SolverError::NoParticles(name)),
            Thing::Body(id) if self.scene.body(id).removed => return Err(SolverError::Removed(id)),
            _ => {}
        }
        let mut ranges = self.scene.ranges_of(thing);
        ranges.retain(|range| !range.is_empty());
        ranges.sort_unstable_by_key(|range| range.start);
        let row = size_of::<[f32; 4]>() as u64;
        let mut parts: Vec<Source<'_>> = Vec::new();
        for name in ["particles", "particle_velocities"] {
            let buffer = self.buffers.get(name)?;
            let part = |range: &Range<u32>| Source {
                buffer,
                offset: u64::from(range.start) * row,
                size: range.len() as u64 * row,
            };
            parts.extend(ranges.iter().map(part));
        }
        let late = self.requests.late(&self.context, parts.iter().map(|part| part.size).sum());
        self.context.run("chosen rows", |encoder| late.send_parts(encoder, &parts));
        let request = Waiting { frame: self.frame, time: self.time, what: (thing, ranges), late: Shared::sent(late) };
        wait_for(&mut self.requests.particles, request);
        Ok(())
    }

    /// The answer to the oldest request of [`Solver::request_particles`], as [`Solver::take_poses`].
    pub fn take_particles(&mut self) -> Option<ParticlePlaces> {
        let paused = self.scene.params.dt == 0.0;
        let Waiting { frame, time, what: (thing, ranges), late } =
            due(&mut self.requests.particles, self.frame, paused)?;
        let particles: Vec<ParticleId> = ranges.into_iter().flatten().map(ParticleId).collect();
        let vectors = late.receive().map(|bytes| rows(bytes, 2 * particles.len()));
        self.requests.keep(late);
        let vectors: Vec<[f32; 4]> = vectors?;
        let vector = |row: &[f32; 4]| Vec3::new(row[0], row[1], row[2]);
        let (positions, velocities) = vectors.split_at(particles.len());
        let still = matches!(thing, Thing::Body(_));
        Some(ParticlePlaces {
            frame,
            time,
            thing,
            positions: positions.iter().map(vector).collect(),
            velocities: velocities.iter().map(|row| if still { Vec3::ZERO } else { vector(row) }).collect(),
            particles,
        })
    }
}

pub(super) fn rows<T: bytemuck::Pod>(bytes: &[u8], count: usize) -> Vec<T> {
    bytes.chunks_exact(size_of::<T>()).take(count).map(bytemuck::pod_read_unaligned).collect()
}
