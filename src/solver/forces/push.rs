//! Pushes: what the host may push, and the rows that say so.

use glam::Vec3;
use serde::{Deserialize, Serialize};

use crate::gpu::wgsl::forces::push::{
    PUSH_ANGULAR_IMPULSE, PUSH_ANGULAR_VELOCITY, PUSH_ANGULAR_VELOCITY_CHANGE, PUSH_AT_POINT, PUSH_BLAST_IMPULSE,
    PUSH_BLAST_SPEED, PUSH_IMPULSE, PUSH_LOCAL, PUSH_VELOCITY, PUSH_VELOCITY_CHANGE, PushChunk, PushCounts, PushRow,
};
use crate::scene::{
    Blast, BodyId, Explosion, Kinds, Members, ParticleId, Phase, Push, PushAction, Pushed, Scene, Thing,
};
use crate::solver::stages::forces::{Pushing, Sizes, create};
use crate::solver::{Solver, SolverError};

/// Rows that there is room for at first, and chunks.
const FIRST_ROOM: usize = 64;
/// Fewest particles of a chunk, and most chunks of a range.
const LEAST_CHUNK: u32 = 4096;
const MOST_CHUNKS: u32 = 64;

/// What the host has pushed.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(in crate::solver) struct Pushes {
    /// Since the last frame.
    waiting: Vec<Waiting>,
    /// Forces, with how long they act still [s]; none: for the next frame.
    lasting: Vec<(Push, Option<f32>)>,
    /// In this frame.
    #[serde(skip)]
    pub(in crate::solver) now: Pushing,
    /// Whether anything has been pushed yet.
    #[serde(skip)]
    pub(in crate::solver) used: bool,
    /// Whose each particle is, once that was asked.
    #[serde(skip)]
    members: Option<Members>,
}

#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
enum Waiting {
    Push(Push),
    Explosion(Explosion),
}

impl Pushes {
    /// The scene has changed.
    pub(in crate::solver) fn forget_members(&mut self) {
        self.members = None;
    }

    /// Pushes no more what has left the world.
    pub(in crate::solver) fn forget(&mut self, left: impl Fn(Pushed) -> bool) {
        self.waiting.retain(|waiting| !matches!(waiting, Waiting::Push(push) if left(push.target)));
        self.lasting.retain(|(push, _)| !left(push.target));
    }

    /// Goes on with what was to be pushed then.
    pub(in crate::solver) fn resume(&mut self, then: &Self) {
        self.waiting.clone_from(&then.waiting);
        self.lasting.clone_from(&then.lasting);
    }

    /// Whether nothing is pushed in the next frame.
    pub(in crate::solver) fn is_idle(&self) -> bool {
        self.waiting.is_empty() && self.lasting.is_empty()
    }
}

impl Solver {
    /// Pushes a thing or a particle at the start of the next frame; pushes on the same one add up, in the order given. What is
    /// pushed wakes, with all that joints tie to it and what leans on it. A held body bears what is no more than its
    /// [strength](crate::scene::HoldStrength), and without one everything; a stronger push strikes it out of its hold and acts.
    /// Pinned particles of an object stay, and so does what is kept out of the world.
    ///
    /// # Errors
    /// [`SolverError::Missing`], [`SolverError::Removed`] and [`SolverError::Absent`] for what is not there, [`SolverError::Scene`] for numbers out of range,
    /// [`SolverError::Push`] for what cannot be pushed, or not so. Then nothing is pushed.
    pub fn push(&mut self, push: Push) -> Result<(), SolverError> {
        self.push_all(&[push])
    }

    /// Pushes many at once. The first call of all makes the kernels ready, which takes some milliseconds: an empty list does nothing
    /// else.
    ///
    /// # Errors
    /// As [`Solver::push`], for the first that is wrong; then none of them is pushed.
    pub fn push_all(&mut self, pushes: &[Push]) -> Result<(), SolverError> {
        for push in pushes {
            self.check_push(push)?;
        }
        self.ready_pushes()?;
        for push in pushes {
            if push.action.lasts() {
                self.pushes.lasting.push((*push, push.duration));
            } else {
                self.pushes.waiting.push(Waiting::Push(*push));
            }
        }
        Ok(())
    }

    /// Pushes everything in a ball away from its center, at the start of the next frame. Pushes of [`Solver::push`] act before it. What
    /// it says of held bodies holds here too.
    ///
    /// # Errors
    /// [`SolverError::Scene`] for numbers out of range.
    pub fn explode(&mut self, explosion: Explosion) -> Result<(), SolverError> {
        explosion.check()?;
        self.ready_pushes()?;
        self.pushes.waiting.push(Waiting::Explosion(explosion));
        Ok(())
    }

    /// Compiles and binds the kernels, before the first push.
    fn ready_pushes(&mut self) -> Result<(), SolverError> {
        if self.pushes.used {
            return Ok(());
        }
        self.stages.forces.pushes = true;
        let made = self.bind_pushes(FIRST_ROOM, FIRST_ROOM);
        self.pushes.used = made.is_ok();
        self.stages.forces.pushes = made.is_ok();
        made
    }

    /// Makes buffers with so much room, and binds the kernels to them.
    fn bind_pushes(&mut self, rows: usize, chunks: usize) -> Result<(), SolverError> {
        create(&mut self.buffers, rows, chunks)?;
        self.bind_passes(&self.stages.forces.push_passes(), Vec::new())
    }

    fn check_push(&mut self, push: &Push) -> Result<(), SolverError> {
        push.check()?;
        let name = push.action.name();
        let refuse = |what: String, reason: &'static str| Err(SolverError::Push { push: name, what, reason });
        if push.duration.is_some() && !push.action.lasts() {
            return refuse("what it is on".into(), "only a force or a torque lasts; give it no duration");
        }
        let what = match push.target {
            Pushed::Thing(Thing::Body(id)) => return self.check_push_of_body(push, id),
            Pushed::Thing(Thing::Collider(id)) => {
                let what = format!("collider {}", id.0);
                return refuse(what, "colliders move as the host says; use set_collider_pose");
            }
            Pushed::Particle(id) => self.check_push_of_particle(push, id)?,
            Pushed::Thing(thing) => self.find_present(thing)?,
        };
        if push.action.turns() {
            return refuse(what, "only bodies are turned; change the velocities of particles");
        }
        if push.at.is_some() || push.local {
            return refuse(what, "only bodies are pushed at a point; push the particles within a ball");
        }
        Ok(())
    }

    fn check_push_of_body(&self, push: &Push, id: BodyId) -> Result<(), SolverError> {
        let index = self.body_index(id)?;
        let body = &self.scene.bodies[index];
        let refuse = |reason| Err(SolverError::Push { push: push.action.name(), what: body.name.clone(), reason });
        if body.removed {
            return Err(SolverError::Removed(id));
        }
        if body.kinematic {
            return refuse("a kinematic body moves as the host says; use set_body_pose");
        }
        if push.within.is_some() {
            return refuse("a body is pushed as a whole; push it at a point");
        }
        let pointed = matches!(push.action, PushAction::Impulse(_) | PushAction::Force(_));
        if push.at.is_some() && !pointed && !push.local {
            return refuse("only an impulse or a force has a point");
        }
        Ok(())
    }

    fn check_push_of_particle(&mut self, push: &Push, id: ParticleId) -> Result<String, SolverError> {
        let (index, count) = (id.0 as usize, self.scene.particles.len());
        let Some(particle) = self.scene.particles.get(index) else {
            return Err(SolverError::Missing { what: "particle", index, count });
        };
        if self.scene.absent().any(|part| part.particles.contains(&id.0)) {
            return Err(SolverError::Absent { what: "particle", index });
        }
        let what = format!("particle {index}");
        let refuse = |reason| Err(SolverError::Push { push: push.action.name(), what: what.clone(), reason });
        // Liquid in store has no mass until it leaves its nozzle, and a spare none until cloth tears there.
        let gains = particle.phase.contains(Phase::LIQUID) || self.is_spare(index);
        if particle.mass == 0.0 && !gains {
            return refuse("it is pinned; nothing moves it");
        }
        if push.within.is_some() {
            return refuse("it is one; push its thing within a ball");
        }
        let members = self.pushes.members.get_or_insert_with(|| self.scene.members());
        if let Some(Thing::Body(_)) = members.thing(id) {
            return refuse("it belongs to a body; push the body at a point");
        }
        Ok(what)
    }

    /// Uploads what is pushed in this frame, and lets its time pass.
    pub(in crate::solver) fn write_pushes(&mut self) {
        self.pushes.now = Pushing::default();
        if self.pushes.is_idle() {
            return;
        }
        // What is pushed may be faster at once than was told.
        self.hurry();
        let params = &self.scene.params;
        let (dt, substeps) = (params.dt, params.substeps);
        let mut at_once = Rows::default();
        for waiting in std::mem::take(&mut self.pushes.waiting) {
            match waiting {
                Waiting::Push(push) => at_once.add(&self.scene, &push, 1.0),
                Waiting::Explosion(explosion) => at_once.add_explosion(&self.scene, &explosion),
            }
        }
        let mut held = Rows::default();
        for (push, left) in &mut self.pushes.lasting {
            let acts = left.map_or(dt, |left| left.min(dt));
            held.add(&self.scene, push, acts / substeps as f32);
            *left = left.map(|left| left - dt);
        }
        // What rounding leaves of a duration is nothing.
        self.pushes.lasting.retain(|(_, left)| left.is_some_and(|left| left > 1.0e-4 * dt));
        let (at_once, held) = (at_once.packed(1), held.packed(substeps));
        let rows = at_once.rows.len().max(held.rows.len());
        let chunks = at_once.chunks.len().max(held.chunks.len());
        if rows > self.buffers.len("pushes") || chunks > self.buffers.len("push_chunks") {
            let room = |count: usize| count.next_power_of_two().max(FIRST_ROOM);
            if let Err(error) = self.bind_pushes(room(rows), room(chunks)) {
                log::error!("{} pushes are lost: {error}", at_once.rows.len() + held.rows.len());
                return;
            }
        }
        self.pushes.now = Pushing { at_once: at_once.sizes, lasting: held.sizes };
        for (packed, names) in [
            (at_once, ["push_counts", "pushes", "push_chunks"]),
            (held, ["lasting_push_counts", "lasting_pushes", "lasting_push_chunks"]),
        ] {
            self.write(names[0], 0, &[packed.counts]);
            self.write(names[1], 0, &packed.rows);
            self.write(names[2], 0, &packed.chunks);
        }
    }
}

/// Rows as they come.
#[derive(Default)]
struct Rows {
    bodies: Vec<PushRow>,
    particles: Vec<PushRow>,
    regions: Vec<PushRow>,
    /// Of each region, whether its particles share an impulse: the number of the push that they share.
    shared: Vec<Option<u32>>,
    pushes: u32,
}

/// Rows as the GPU reads them.
struct Packed {
    counts: PushCounts,
    rows: Vec<PushRow>,
    chunks: Vec<PushChunk>,
    sizes: Sizes,
}

impl Rows {
    /// Adds a push; a force acts for so long [s].
    fn add(&mut self, scene: &Scene, push: &Push, time: f32) {
        self.pushes += 1;
        let (action, vector) = action(push.action, time);
        let mut flags = if push.local { PUSH_LOCAL } else { 0 };
        flags |= if push.at.is_some() { PUSH_AT_POINT } else { 0 };
        let (point, radius) = push.within.unwrap_or((push.at.unwrap_or(Vec3::ZERO), -1.0));
        let row =
            PushRow { vector: vector.to_array(), action, point: point.to_array(), radius, flags, ..PushRow::default() };
        let single = |index: u32| PushRow { first: index, end: index + 1, ..row };
        match push.target {
            Pushed::Thing(Thing::Body(id)) => self.bodies.push(single(id.0)),
            Pushed::Particle(id) => self.particles.push(single(id.0)),
            Pushed::Thing(thing) => {
                let share = (action == PUSH_IMPULSE).then_some(self.pushes);
                for range in scene.ranges_of(thing) {
                    self.regions.push(PushRow {
                        first: range.start,
                        end: range.end,
                        flags: flags | Kinds::PARTICLES.0,
                        ..row
                    });
                    self.shared.push(share);
                }
            }
        }
    }

    fn add_explosion(&mut self, scene: &Scene, explosion: &Explosion) {
        self.pushes += 1;
        let (action, strength) = match explosion.strength {
            Blast::Speed(speed) => (PUSH_BLAST_SPEED, speed),
            Blast::Impulse(impulse) => (PUSH_BLAST_IMPULSE, impulse),
        };
        self.regions.push(PushRow {
            vector: [strength, 0.0, 0.0],
            action,
            point: explosion.center.to_array(),
            radius: explosion.radius,
            first: 0,
            end: scene.particles.len() as u32,
            flags: explosion.acts_on.0,
            falloff: explosion.falloff.power(),
            lift: explosion.lift,
            ..PushRow::default()
        });
        self.shared.push((action == PUSH_BLAST_IMPULSE).then_some(self.pushes));
    }

    /// In the order of `forces/push`, to be applied so many times in a frame.
    fn packed(mut self, repeats: u32) -> Packed {
        self.bodies.sort_by_key(|row| row.first);
        self.particles.sort_by_key(|row| row.first);
        let singles = (self.bodies.len() + self.particles.len()) as u32;
        let chunks = self.chunks(singles);
        let on = |kinds: u32| self.regions.iter().any(|row| row.flags & kinds != 0);
        let sizes = Sizes {
            bodies: !self.bodies.is_empty() || on(Kinds::BODIES.0),
            particles: !self.particles.is_empty() || on(Kinds::ALL.0 & !Kinds::BODIES.0),
            chunks: chunks.len() as u32,
        };
        let [bodies, particles, regions] = [&self.bodies, &self.particles, &self.regions].map(|rows| rows.len() as u32);
        let counts = PushCounts { bodies, particles, regions, repeats };
        let rows = [self.bodies, self.particles, self.regions].concat();
        Packed { counts, rows, chunks, sizes }
    }

    /// The chunks of those that share impulses; `first` is the row of the first region.
    fn chunks(&mut self, first: u32) -> Vec<PushChunk> {
        let mut chunks: Vec<PushChunk> = Vec::new();
        let mut end = 0;
        // Regions of one push follow one another.
        for run in self.shared.chunk_by(|one, next| one == next) {
            let members = end..end + run.len();
            end = members.end;
            if run[0].is_none() {
                continue;
            }
            let start = chunks.len() as u32;
            for k in members.clone() {
                let row = &self.regions[k];
                let size = (row.end - row.first).div_ceil(MOST_CHUNKS).max(LEAST_CHUNK);
                let starts = (row.first..row.end).step_by(size as usize);
                let chunk = |from: u32| PushChunk { row: first + k as u32, first: from, end: row.end.min(from + size) };
                chunks.extend(starts.map(chunk));
            }
            let count = chunks.len() as u32 - start;
            for k in members {
                (self.regions[k].first_chunk, self.regions[k].chunk_count) = (start, count);
            }
        }
        chunks
    }
}

/// What a push does at once, if a force acts for so long [s].
fn action(action: PushAction, time: f32) -> (u32, Vec3) {
    match action {
        PushAction::Impulse(v) => (PUSH_IMPULSE, v),
        PushAction::AngularImpulse(v) => (PUSH_ANGULAR_IMPULSE, v),
        PushAction::Force(v) => (PUSH_IMPULSE, time * v),
        PushAction::Torque(v) => (PUSH_ANGULAR_IMPULSE, time * v),
        PushAction::VelocityChange(v) => (PUSH_VELOCITY_CHANGE, v),
        PushAction::AngularVelocityChange(v) => (PUSH_ANGULAR_VELOCITY_CHANGE, v),
        PushAction::Velocity(v) => (PUSH_VELOCITY, v),
        PushAction::AngularVelocity(v) => (PUSH_ANGULAR_VELOCITY, v),
    }
}
