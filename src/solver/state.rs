//! The state of a world, kept on the GPU and put back: it goes on from there to the bit.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use glam::{DVec3, Quat, Vec3};

use super::forces::Pushes;
use super::ground::Room;
use super::kinematic::KinematicTargets;
use super::pool::PoolState;
use super::rows::Control;
use super::step::Woken;
use super::{Drag, Solver, SolverError};
use crate::gpu::{Buffers, wgpu};
use crate::scene::{Field, Params};

/// Buffers and textures that every search fills before it reads them, and those of who listens.
const REMADE: [&str; 14] = [
    "sorted_proxies",
    "primitive_bounds",
    "leaf_pairs",
    "surface_candidates",
    "candidates",
    "bucket_proxies",
    "proxy_buckets",
    "proxy_positions",
    "block_sums",
    "leaf_chains",
    "listened",
    "listened_count",
    "touches",
    "particle_things",
];

/// Everything that moves, breaks, tears, sleeps or is held in a world, at the end of a frame: what [`Solver::save`] takes and
/// [`Solver::restore`] puts back. Poses that a [`Cast`](crate::animation::Cast) gives are its own: clone it beside.
#[derive(Debug)]
pub struct State {
    buffers: Vec<(&'static str, wgpu::Buffer)>,
    textures: Vec<(&'static str, wgpu::Texture)>,
    room: Room,
    host: Host,
}

/// What the host knows.
#[derive(Clone, Debug)]
struct Host {
    params: Params,
    colliders: Vec<Motion>,
    /// How far liquid has gone in each nozzle.
    ways: Vec<f64>,
    removed: Vec<bool>,
    present: Vec<Vec<bool>>,
    fields: Vec<Option<Field>>,
    pools: Vec<PoolState>,
    pushes: Pushes,
    targets: KinematicTargets,
    drag: Option<Drag>,
    woken: Woken,
    posed: BTreeSet<u32>,
    colliders_placed: bool,
    air_way: DVec3,
    frame: u64,
    time: f64,
    known_from: u64,
    last: Control,
    arrived: BTreeMap<u64, Control>,
}

/// Where a collider is and how it moves.
#[derive(Clone, Copy, Debug)]
struct Motion {
    position: Vec3,
    rotation: Quat,
    velocity: Vec3,
    angular_velocity: Vec3,
}

impl State {
    /// Simulated time at which it was taken [s].
    pub fn time(&self) -> f64 {
        self.host.time
    }

    /// Frames that had been simulated when it was taken.
    pub fn frame(&self) -> u64 {
        self.host.frame
    }

    /// What it takes on the GPU [bytes].
    pub fn bytes(&self) -> u64 {
        let texels = |texture: &wgpu::Texture| 16 * u64::from(texture.width()) * u64::from(texture.height());
        let textures: u64 = self.textures.iter().map(|(_, texture)| texels(texture)).sum();
        textures + self.buffers.iter().map(|(_, buffer)| buffer.size()).sum::<u64>()
    }
}

impl Solver {
    /// Takes the state. Waits for the GPU once.
    ///
    /// # Errors
    /// [`SolverError::Gpu`] when the device has no room for it, or is lost.
    pub fn save(&mut self) -> Result<State, SolverError> {
        let mut state = State { buffers: Vec::new(), textures: Vec::new(), room: self.room, host: self.host()? };
        self.copy_into(&mut state)?;
        Ok(state)
    }

    /// Takes the state into the place of another one, of this world or not, and reuses its memory.
    ///
    /// # Errors
    /// As [`Solver::save`].
    pub fn save_into(&mut self, state: &mut State) -> Result<(), SolverError> {
        (state.room, state.host) = (self.room, self.host()?);
        self.copy_into(state)
    }

    /// Puts a state back: the world goes on from there as it did, to the bit, unless it is pushed otherwise. What was added to the
    /// world since is not in it.
    ///
    /// # Errors
    /// [`SolverError::OtherWorld`] for a state of another scene, or from before something was added; [`SolverError::Gpu`] when the
    /// device refuses. The world stays as it was.
    pub fn restore(&mut self, state: &State) -> Result<(), SolverError> {
        let host = &state.host;
        self.check_same(host)?;
        let before = (self.scene.params, self.room, self.scene.fields.clone());
        let remake = self.room != state.room
            || self.scene.fields != host.fields
            || self.constraints.partition() != host.params.partition;
        self.scene.params = host.params;
        self.scene.fields.clone_from(&host.fields);
        if remake {
            self.room = state.room;
            let made = self.snapshot().and_then(|snapshot| self.upload(&snapshot));
            made.inspect_err(|_| (self.scene.params, self.room, self.scene.fields) = before.clone())?;
        }
        let sizes = self.kept().map(|(name, buffer)| (name, buffer.size()));
        let saved = state.buffers.iter().map(|(name, buffer)| (*name, buffer.size()));
        let other = sizes.zip(saved).find(|(now, then)| now != then);
        let here = self.kept_textures().map(|(name, texture, _)| (name, texture.size()));
        let same = here.eq(state.textures.iter().map(|(name, texture)| (*name, texture.size())));
        if other.is_some() || !same {
            let what = other.map_or("liquid", |((name, _), _)| name);
            (self.scene.params, self.room, self.scene.fields) = before;
            return Err(SolverError::OtherWorld(format!("its `{what}` has another size")));
        }
        let mut encoder = self.context.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        for (name, buffer) in &state.buffers {
            encoder.copy_buffer_to_buffer(buffer, 0, self.buffers.get(name)?, 0, buffer.size());
        }
        for ((_, texture), (_, here, _)) in state.textures.iter().zip(self.kept_textures()) {
            encoder.copy_texture_to_texture(texture.as_image_copy(), here.as_image_copy(), here.size());
        }
        self.context.queue.submit([encoder.finish()]);
        self.resume(host);
        Ok(())
    }

    /// Buffers that a state has, in order.
    fn kept(&self) -> impl Iterator<Item = (&'static str, &wgpu::Buffer)> {
        let all: BTreeMap<&'static str, &wgpu::Buffer> = self.buffers.iter().collect();
        all.into_iter().filter(|(name, _)| !REMADE.contains(name))
    }

    /// Textures that a state has, in order, with their rows.
    fn kept_textures(&self) -> impl Iterator<Item = (&'static str, &wgpu::Texture, usize)> {
        let mut all: Vec<_> = self.buffers.textures().filter(|(name, ..)| !REMADE.contains(name)).collect();
        all.sort_unstable_by_key(|(name, ..)| *name);
        all.into_iter()
    }

    fn copy_into(&self, state: &mut State) -> Result<(), SolverError> {
        let old: BTreeMap<&str, wgpu::Buffer> = std::mem::take(&mut state.buffers).into_iter().collect();
        let mut encoder = self.context.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        for (name, buffer) in self.kept() {
            let size = buffer.size();
            let copy = match old.get(name).filter(|copy| copy.size() == size) {
                Some(copy) => copy.clone(),
                None => Buffers::detached(&self.context, name, size)?,
            };
            encoder.copy_buffer_to_buffer(buffer, 0, &copy, 0, size);
            state.buffers.push((name, copy));
        }
        let old: BTreeMap<&str, wgpu::Texture> = std::mem::take(&mut state.textures).into_iter().collect();
        for (name, texture, rows) in self.kept_textures() {
            let copy = match old.get(name).filter(|copy| copy.size() == texture.size()) {
                Some(copy) => copy.clone(),
                None => Buffers::detached_texture(&self.context, name, rows)?,
            };
            encoder.copy_texture_to_texture(texture.as_image_copy(), copy.as_image_copy(), texture.size());
            state.textures.push((name, copy));
        }
        self.context.queue.submit([encoder.finish()]);
        Ok(())
    }

    fn host(&mut self) -> Result<Host, SolverError> {
        self.readback.settle();
        self.context.wait()?;
        let motion = |c: &crate::scene::Collider| Motion {
            position: c.position,
            rotation: c.rotation,
            velocity: c.velocity,
            angular_velocity: c.angular_velocity,
        };
        let scene = &self.scene;
        Ok(Host {
            params: scene.params,
            colliders: scene.colliders.iter().map(motion).collect(),
            ways: scene.emitters.iter().map(|emitter| emitter.way).collect(),
            removed: scene.bodies.iter().map(|body| body.removed).collect(),
            present: scene.pools.iter().map(|pool| pool.present.clone()).collect(),
            fields: scene.fields.clone(),
            pools: self.pools.clone(),
            pushes: self.pushes.clone(),
            targets: self.targets.clone(),
            drag: self.drag,
            woken: self.woken,
            posed: self.posed.clone(),
            colliders_placed: self.colliders_placed,
            air_way: self.air_way,
            frame: self.frame,
            time: self.time,
            known_from: self.known_from,
            last: self.readback.control(),
            arrived: self.readback.arrived().clone(),
        })
    }

    fn check_same(&self, host: &Host) -> Result<(), SolverError> {
        let scene = &self.scene;
        let counts = [
            ("bodies", scene.bodies.len(), host.removed.len()),
            ("colliders", scene.colliders.len(), host.colliders.len()),
            ("emitters", scene.emitters.len(), host.ways.len()),
            ("pools", scene.pools.len(), host.present.len()),
        ];
        let differs = counts.into_iter().find(|(_, here, there)| here != there);
        differs.map_or(Ok(()), |(what, here, there)| {
            Err(SolverError::OtherWorld(format!("it has {there} {what}, and the world {here}")))
        })
    }

    fn resume(&mut self, host: &Host) {
        self.heard.forget();
        let host = host.clone();
        for (collider, motion) in self.scene.colliders.iter_mut().zip(&host.colliders) {
            (collider.position, collider.rotation) = (motion.position, motion.rotation);
            (collider.velocity, collider.angular_velocity) = (motion.velocity, motion.angular_velocity);
        }
        self.scene.emitters.iter_mut().zip(host.ways).for_each(|(emitter, way)| emitter.way = way);
        self.scene.bodies.iter_mut().zip(host.removed).for_each(|(body, removed)| body.removed = removed);
        self.scene.pools.iter_mut().zip(host.present).for_each(|(pool, present)| pool.present = present);
        self.pools = host.pools;
        self.pushes.resume(&host.pushes);
        self.targets = host.targets;
        self.drag = host.drag;
        self.woken = host.woken;
        self.posed = host.posed;
        self.colliders_placed = host.colliders_placed;
        self.air_way = host.air_way;
        self.frame = host.frame;
        self.time = host.time;
        self.known_from = host.known_from;
        self.readback.resume(host.last, host.arrived);
    }
}

/// The last states of a world, so many frames apart: to go back in time. The oldest makes room for the newest.
#[derive(Debug)]
pub struct Rewind {
    states: VecDeque<State>,
    most: usize,
    every: u64,
}

impl Rewind {
    /// Room for `most` states, one every `every` frames; both at least 1.
    pub fn new(most: usize, every: u64) -> Self {
        Self { states: VecDeque::new(), most: most.max(1), every: every.max(1) }
    }

    /// Takes the state, if it is time: call it after each frame.
    ///
    /// # Errors
    /// As [`Solver::save`].
    pub fn record(&mut self, solver: &mut Solver) -> Result<(), SolverError> {
        let frame = solver.frame;
        if !frame.is_multiple_of(self.every) || self.states.back().is_some_and(|last| last.frame() == frame) {
            return Ok(());
        }
        let oldest = if self.states.len() == self.most { self.states.pop_front() } else { None };
        let state = match oldest {
            Some(mut state) => {
                solver.save_into(&mut state)?;
                state
            }
            None => solver.save()?,
        };
        self.states.push_back(state);
        Ok(())
    }

    /// Puts the world back by at least `seconds` [s], or as far as states go back; those that come after are forgotten. Returns
    /// how far it went [s], 0 without any state.
    ///
    /// # Errors
    /// As [`Solver::restore`].
    pub fn back(&mut self, solver: &mut Solver, seconds: f64) -> Result<f64, SolverError> {
        let (now, wanted) = (solver.time, solver.time - seconds.max(0.0));
        while self.states.len() > 1 && self.states.back().is_some_and(|state| state.time() > wanted) {
            self.states.pop_back();
        }
        let Some(state) = self.states.back() else { return Ok(0.0) };
        solver.restore(state)?;
        Ok(now - state.time())
    }

    /// What the states take on the GPU [bytes].
    pub fn bytes(&self) -> u64 {
        self.states.iter().map(State::bytes).sum()
    }
}
