//! The state of a world, kept on the GPU and put back: it goes on from there to the bit.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use glam::{DVec3, Quat, Vec3};

use serde::{Deserialize, Serialize};

use crate::gpu::{Buffers, Context, wgpu};
use crate::scene::{
    BodyId, Collider, ColliderId, Field, Footing, Gives, JointDesc, Layers, Params, Placement, Scene, Thing,
};
use crate::solver::control::director::Looks;
use crate::solver::control::kinematic::KinematicTargets;
use crate::solver::control::walkers::{Steps, Told};
use crate::solver::edits::added::Kept;
use crate::solver::edits::pools::{AsMade, PoolState};
use crate::solver::edits::properties::{Edited, Surfaces};
use crate::solver::forces::push::Pushes;
use crate::solver::readback::health::Sent;
use crate::solver::readback::late::Source;
use crate::solver::stages::constraints::MadeFor;
use crate::solver::stages::ground::{Room, Tells};
use crate::solver::stages::rows::Control;
use crate::solver::stages::{between, events, forces, queries, sensors, walkers};
use crate::solver::step::Woken;
use crate::solver::{Drag, Solver, SolverError};

/// Buffers and textures that every search fills before it reads them.
const REMADE: [&str; 10] = [
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
];

/// Everything that moves, breaks, tears, sleeps or is held in a world, at the end of a frame: what [`Solver::save`] takes and
/// [`Solver::restore`] puts back. What a [`Cast`](crate::animation::Cast) plays is its own: clone it beside.
#[derive(Debug)]
pub struct State {
    pub(in crate::solver) buffers: Vec<(&'static str, wgpu::Buffer)>,
    pub(in crate::solver) textures: Vec<(&'static str, wgpu::Texture)>,
    pub(in crate::solver) host: Host,
    pub(in crate::solver) sent: UnderWay,
}

/// What was on its way to the host.
#[derive(Clone, Debug, Default)]
pub(in crate::solver) struct UnderWay {
    /// Counters, by the frame that they are of.
    pub(in crate::solver) counters: BTreeMap<u64, Arc<Sent>>,
    pub(super) looks: Looks,
    pub(in crate::solver) steps: Steps,
}

/// What the host knows.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(in crate::solver) struct Host {
    /// How many there are of what [`COUNTED`] names.
    counts: [usize; COUNTED.len()],
    room: Room,
    tells: Tells,
    lists_since: u64,
    params: Params,
    /// What the constraints were laid out for, which the parameters ask otherwise until the next frame.
    made_for: MadeFor,
    colliders: Vec<Motion>,
    /// How far liquid has gone in each nozzle.
    ways: Vec<f64>,
    removed: Vec<bool>,
    present: Vec<Vec<bool>>,
    /// Where copies of pools were put last.
    places: Vec<Vec<(Placement, Vec3)>>,
    fields: Vec<Option<Field>>,
    pools: Vec<PoolState>,
    pools_as_made: Vec<AsMade>,
    kept: Kept,
    /// How many copies of pools have ever entered.
    entered: u64,
    pushes: Pushes,
    targets: KinematicTargets,
    drag: Option<Drag>,
    woken: Woken,
    posed: BTreeSet<u32>,
    disturbed: Vec<[f32; 4]>,
    bodies: Vec<Edited>,
    surfaces: Surfaces,
    gives: Vec<Gives>,
    joints: Vec<JointDesc>,
    walkers: Vec<Option<Told>>,
    footings: BTreeMap<BodyId, Footing>,
    layers: BTreeMap<Thing, Layers>,
    user_data: BTreeMap<Thing, u64>,
    classes: Vec<Layers>,
    phases: Vec<u32>,
    hidden: BTreeMap<ColliderId, Motion>,
    parted: BTreeSet<usize>,
    pins: BTreeMap<u32, u64>,
    colliders_placed: bool,
    air_way: DVec3,
    frame: u64,
    time: f64,
    lasting_from: f32,
    opening_slowly: f32,
    known_from: u64,
    /// The counters that came back last; one row.
    #[serde(with = "crate::solver::saving::bytes::rows")]
    last: Vec<Control>,
}

/// What a state and its world have alike.
const COUNTED: [&str; 7] = ["bodies", "particles", "joints", "constraints", "colliders", "emitters", "pools"];

fn counts(scene: &Scene) -> [usize; COUNTED.len()] {
    [
        scene.bodies.len(),
        scene.particles.len(),
        scene.joints.len(),
        scene.constraints.len(),
        scene.colliders.len(),
        scene.emitters.len(),
        scene.pools.len(),
    ]
}

/// Where a collider is and how it moves.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(in crate::solver) struct Motion {
    pub(in crate::solver) position: Vec3,
    pub(in crate::solver) rotation: Quat,
    pub(in crate::solver) velocity: Vec3,
    pub(in crate::solver) angular_velocity: Vec3,
    pub(in crate::solver) surface_velocity: Vec3,
}

impl State {
    /// All that it has on the device, in order.
    pub(super) fn on_device(&self) -> (Vec<Source<'_>>, Vec<&wgpu::Texture>) {
        let parts = self.buffers.iter().map(|(_, buffer)| Source { buffer, offset: 0, size: buffer.size() });
        (parts.collect(), self.textures.iter().map(|(_, texture)| texture).collect())
    }
}

impl Motion {
    pub(in crate::solver) fn of(c: &Collider) -> Self {
        let Collider { position, rotation, velocity, angular_velocity, surface_velocity, .. } = *c;
        Self { position, rotation, velocity, angular_velocity, surface_velocity }
    }

    pub(in crate::solver) fn put(&self, c: &mut Collider) {
        (c.position, c.rotation) = (self.position, self.rotation);
        (c.velocity, c.angular_velocity) = (self.velocity, self.angular_velocity);
        c.surface_velocity = self.surface_velocity;
    }
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

/// What decides how the buffers and kernels of a world are made.
struct Made {
    room: Room,
    tells: Tells,
    fields: Vec<Option<Field>>,
    params: Params,
    made_for: MadeFor,
    bodies: Vec<Edited>,
    surfaces: Surfaces,
    layers: BTreeMap<Thing, Layers>,
    walkers: Vec<Option<Told>>,
}

impl Made {
    fn of(solver: &Solver) -> Self {
        let scene = &solver.scene;
        Self {
            room: solver.room,
            tells: solver.tells,
            fields: scene.fields.clone(),
            params: scene.params,
            made_for: solver.constraints.made_for(),
            bodies: scene.bodies.iter().map(Edited::of).collect(),
            surfaces: Surfaces::of(scene),
            layers: scene.layers.clone(),
            walkers: solver.walkers.told.clone(),
        }
    }
}

impl Solver {
    /// Takes the state: copies on the GPU, nothing waits.
    ///
    /// # Errors
    /// [`SolverError::Gpu`] when the device has no room for it.
    pub fn save(&self) -> Result<State, SolverError> {
        let (buffers, textures) = (Vec::new(), Vec::new());
        let mut state = State { buffers, textures, host: self.host(), sent: self.under_way() };
        self.copy_into(&mut state)?;
        Ok(state)
    }

    /// Takes the state into the place of another one, of this world or not, and reuses its memory.
    ///
    /// # Errors
    /// As [`Solver::save`]; then the other one is lost.
    pub fn save_into(&self, state: &mut State) -> Result<(), SolverError> {
        (state.host, state.sent) = (self.host(), self.under_way());
        self.copy_into(state)
    }

    /// Puts a state back: the world goes on from there as it did, to the bit, unless it is pushed otherwise. What was added to the
    /// world since is not in it, and requests that were not taken are forgotten. Waits for the GPU where somebody listens to events.
    ///
    /// # Errors
    /// [`SolverError::OtherWorld`] for a state of another scene, or from before something was added; [`SolverError::Gpu`] when the
    /// device refuses. The world stays as it was.
    pub fn restore(&mut self, state: &State) -> Result<(), SolverError> {
        let host = &state.host;
        self.check_same(host)?;
        let (before, remake) = (Made::of(self), self.is_made_otherwise(host));
        if let Err(error) = self.make_like(state, remake) {
            self.make_again(before, remake)?;
            return Err(error);
        }
        if !host.pushes.is_idle() {
            self.push_all(&[])?;
        }
        self.context.try_run("restore", |encoder| {
            for (name, buffer) in &state.buffers {
                encoder.copy_buffer_to_buffer(buffer, 0, self.buffers.get(name)?, 0, buffer.size());
            }
            for ((_, texture), (_, here, _)) in state.textures.iter().zip(self.kept_textures()) {
                encoder.copy_texture_to_texture(texture.as_image_copy(), here.as_image_copy(), here.size());
            }
            Ok::<_, SolverError>(())
        })?;
        self.resume_compliances(host.gives.clone())?;
        self.resume(host.clone(), state.sent.clone());
        // A browser cannot wait: there what breaks in the next frame is not told.
        if !self.heard.is_idle() && Context::CAN_WAIT {
            self.know_broken()?;
        }
        Ok(())
    }

    /// The fields that a world has after it was put back: ids of those that were added in the time that is taken back are not used again.
    fn fields_then(&self, host: &Host) -> Vec<Option<Field>> {
        let mut then = host.fields.clone();
        then.resize(then.len().max(self.scene.fields.len()), None);
        then
    }

    /// Whether the state was made for other fields or parameters, or by kernels that tell something else apart: what is edited next would
    /// make buffers anew in the one world and not in the other.
    fn is_made_otherwise(&self, host: &Host) -> bool {
        self.scene.fields != self.fields_then(host)
            || self.constraints.made_for() != host.made_for
            || self.tells != host.tells
    }

    /// Makes the world as one that the state can be put into.
    fn make_like(&mut self, state: &State, remake: bool) -> Result<(), SolverError> {
        let host = &state.host;
        if self.tells != host.tells {
            self.tells = host.tells;
            self.put_edits(&host.bodies, &host.surfaces, &host.layers);
        }
        if remake {
            self.remake(host.room, self.fields_then(host), host.made_for)?;
        } else {
            self.make_room(host.room)?;
        }
        if self.walkers.told != host.walkers {
            self.put_walkers(host.walkers.clone())?;
        }
        self.differs_in(state).map_or(Ok(()), |name| {
            let told = format!("its `{name}` has another size");
            Err(SolverError::OtherWorld(told))
        })
    }

    /// Makes the world again as it was.
    fn make_again(&mut self, before: Made, remade: bool) -> Result<(), SolverError> {
        self.tells = before.tells;
        self.put_edits(&before.bodies, &before.surfaces, &before.layers);
        self.put_walkers(before.walkers)?;
        if !remade {
            return self.make_room(before.room);
        }
        self.remake(before.room, before.fields, before.made_for)?;
        self.scene.params = before.params;
        Ok(())
    }

    /// Puts what is edited into the scene.
    fn put_edits(&mut self, bodies: &[Edited], surfaces: &Surfaces, layers: &BTreeMap<Thing, Layers>) {
        self.scene.bodies.iter_mut().zip(bodies).for_each(|(body, edited)| edited.put(body));
        surfaces.clone().put(&mut self.scene);
        self.scene.layers.clone_from(layers);
    }

    /// Lets these walk, and no others.
    fn put_walkers(&mut self, told: Vec<Option<Told>>) -> Result<(), SolverError> {
        self.walkers.told = told;
        self.ready_walkers()
    }

    /// Makes the buffers anew with so much room, for these fields, divided and integrated like this.
    fn remake(&mut self, room: Room, fields: Vec<Option<Field>>, made_for: MadeFor) -> Result<(), SolverError> {
        let mut params = self.scene.params;
        made_for.put(&mut params);
        let fields = std::mem::replace(&mut self.scene.fields, fields);
        let before =
            (std::mem::replace(&mut self.room, room), fields, std::mem::replace(&mut self.scene.params, params));
        let made = self.make_anew();
        made.inspect_err(|_| (self.room, self.scene.fields, self.scene.params) = before)
    }

    /// The first buffer or texture that is not as the state has it.
    fn differs_in(&self, state: &State) -> Option<&'static str> {
        let here = self.kept().map(|(name, buffer)| (name, [buffer.size(), 0]));
        let size = |texture: &wgpu::Texture| [u64::from(texture.width()), u64::from(texture.height())];
        let here = here.chain(self.kept_textures().map(|(name, texture, _)| (name, size(texture))));
        let there = state.buffers.iter().map(|(name, buffer)| (*name, [buffer.size(), 0]));
        let there = there.chain(state.textures.iter().map(|(name, texture)| (*name, size(texture))));
        let (here, there): (Vec<_>, Vec<_>) = (here.collect(), there.collect());
        let known =
            here.iter().find(|row| !there.contains(row)).or_else(|| there.iter().find(|row| !here.contains(row)));
        known.map(|(name, _)| *name)
    }

    /// Buffers that a state has, in order.
    pub(in crate::solver) fn kept(&self) -> impl Iterator<Item = (&'static str, &wgpu::Buffer)> {
        let all: BTreeMap<&'static str, &wgpu::Buffer> = self.buffers.iter().collect();
        // What the host gives in the frame or batch in which it is read is no state.
        let given = [
            &REMADE[..],
            &forces::BUFFERS,
            &queries::BUFFERS,
            &between::BUFFERS,
            &events::BUFFERS,
            &sensors::BUFFERS,
            &walkers::GIVEN,
        ];
        all.into_iter().filter(move |(name, _)| !given.iter().any(|names| names.contains(name)))
    }

    /// Textures that a state has, in order, with their rows.
    pub(super) fn kept_textures(&self) -> impl Iterator<Item = (&'static str, &wgpu::Texture, usize)> {
        let given = [&REMADE[..], &queries::BUFFERS];
        let is_given = |name: &str| given.iter().any(|names| names.contains(&name));
        let mut all: Vec<_> = self.buffers.textures().filter(|(name, ..)| !is_given(name)).collect();
        all.sort_unstable_by_key(|(name, ..)| *name);
        all.into_iter()
    }

    fn copy_into(&self, state: &mut State) -> Result<(), SolverError> {
        let old: BTreeMap<&str, wgpu::Buffer> = std::mem::take(&mut state.buffers).into_iter().collect();
        let old_textures: BTreeMap<&str, wgpu::Texture> = std::mem::take(&mut state.textures).into_iter().collect();
        self.context.try_run("save", |encoder| {
            for (name, buffer) in self.kept() {
                let size = buffer.size();
                let copy = match old.get(name).filter(|copy| copy.size() == size) {
                    Some(copy) => copy.clone(),
                    None => Buffers::detached(&self.context, name, size)?,
                };
                encoder.copy_buffer_to_buffer(buffer, 0, &copy, 0, size);
                state.buffers.push((name, copy));
            }
            for (name, texture, rows) in self.kept_textures() {
                let copy = match old_textures.get(name).filter(|copy| copy.size() == texture.size()) {
                    Some(copy) => copy.clone(),
                    None => Buffers::detached_texture(&self.context, name, rows)?,
                };
                encoder.copy_texture_to_texture(texture.as_image_copy(), copy.as_image_copy(), texture.size());
                state.textures.push((name, copy));
            }
            Ok(())
        })
    }

    fn under_way(&self) -> UnderWay {
        UnderWay {
            counters: self.readback.sent().clone(),
            looks: self.direction.watched.clone(),
            steps: self.walkers.sent.clone(),
        }
    }

    fn host(&self) -> Host {
        let scene = &self.scene;
        Host {
            counts: counts(scene),
            room: self.room,
            tells: self.tells,
            lists_since: self.lists_since,
            params: scene.params,
            made_for: self.constraints.made_for(),
            colliders: scene.colliders.iter().map(Motion::of).collect(),
            ways: scene.emitters.iter().map(|emitter| emitter.way).collect(),
            removed: scene.bodies.iter().map(|body| body.removed).collect(),
            present: scene.pools.iter().map(|pool| pool.present.clone()).collect(),
            places: scene.pools.iter().map(|pool| pool.places.clone()).collect(),
            fields: scene.fields.clone(),
            pools: self.pools.states.clone(),
            pools_as_made: self.pools.as_made.clone(),
            kept: Kept::of(scene, &self.added),
            entered: self.entered,
            pushes: self.pushes.clone(),
            targets: self.targets.clone(),
            drag: self.drag,
            woken: self.touched.woken,
            posed: self.touched.posed.clone(),
            disturbed: self.touched.disturbed.clone(),
            bodies: scene.bodies.iter().map(Edited::of).collect(),
            surfaces: Surfaces::of(scene),
            gives: scene.deformables.iter().map(|extent| extent.gives.clone()).collect(),
            joints: scene.joints.iter().map(|joint| joint.desc).collect(),
            walkers: self.walkers.told.clone(),
            footings: self.walkers.known.clone(),
            layers: scene.layers.clone(),
            user_data: scene.user_data.clone(),
            classes: self.classes.clone(),
            phases: self.phases.clone(),
            hidden: self.hidden.clone(),
            parted: self.parted.clone(),
            pins: self.pins.clone(),
            colliders_placed: self.touched.colliders_placed,
            air_way: self.air_way,
            frame: self.frame,
            time: self.time,
            lasting_from: self.lasting_from,
            opening_slowly: self.opening_slowly,
            known_from: self.known_from,
            last: vec![self.readback.control()],
        }
    }

    pub(super) fn check_same(&self, host: &Host) -> Result<(), SolverError> {
        let here = counts(&self.scene);
        match (0..COUNTED.len()).find(|i| here[*i] != host.counts[*i]) {
            None => Ok(()),
            Some(i) => {
                let (what, there, here) = (COUNTED[i], host.counts[i], here[i]);
                Err(SolverError::OtherWorld(format!("it has {there} {what}, and the world {here}")))
            }
        }
    }

    fn resume(&mut self, host: Host, sent: UnderWay) {
        self.heard.forget();
        self.readback.resume(host.last.first().copied().unwrap_or_default(), sent.counters);
        self.scene.params = host.params;
        let before = (self.added.colliders.clone(), self.added.joints.slots.clone());
        self.added = host.kept.put(&mut self.scene);
        if (&self.added.colliders, &self.added.joints.slots) != (&before.0, &before.1) {
            // Other things are drawn.
            self.revision += 1;
        }
        if self.added.colliders != before.0
            && let Err(error) = self.list_shapes()
        {
            log::error!("queries do not know which colliders were added: {error}");
        }
        self.know_added();
        self.scene.pools.iter_mut().zip(host.present).for_each(|(pool, present)| pool.present = present);
        self.place_copies(host.places);
        for (collider, motion) in self.scene.colliders.iter_mut().zip(&host.colliders) {
            motion.put(collider);
        }
        self.scene.emitters.iter_mut().zip(host.ways).for_each(|(emitter, way)| emitter.way = way);
        self.scene.bodies.iter_mut().zip(host.removed).for_each(|(body, removed)| body.removed = removed);
        (self.pools.states, self.pools.as_made) = (host.pools, host.pools_as_made);
        self.pushes.resume(&host.pushes);
        (self.targets, self.strikes) = (host.targets, None);
        // Handles of copies that entered in the time that is taken back stay stale.
        self.entered = self.entered.max(host.entered);
        self.drag = host.drag;
        self.touched.woken = host.woken;
        self.touched.posed = host.posed;
        self.touched.disturbed = host.disturbed;
        self.scene.bodies.iter_mut().zip(&host.bodies).for_each(|(body, edited)| edited.put(body));
        host.surfaces.put(&mut self.scene);
        self.scene.joints.iter_mut().zip(host.joints).for_each(|(joint, desc)| joint.desc = desc);
        (self.walkers.known, self.walkers.sent) = (host.footings, sent.steps);
        (self.scene.layers, self.scene.user_data) = (host.layers, host.user_data);
        self.scene.particles.iter_mut().zip(&host.phases).for_each(|(particle, phase)| {
            particle.phase = particle.phase.with_class(phase >> 28);
        });
        self.pools.rows.put_classes(&host.phases);
        (self.classes, self.phases) = (host.classes, host.phases);
        (self.hidden, self.parted, self.pins) = (host.hidden, host.parted, host.pins);
        self.touched.colliders_placed = host.colliders_placed;
        self.air_way = host.air_way;
        self.frame = host.frame;
        self.time = host.time;
        self.lasting_from = host.lasting_from;
        self.opening_slowly = host.opening_slowly;
        self.known_from = host.known_from;
        self.lists_since = host.lists_since;
        self.requests.forget();
        self.direction.resume(sent.looks);
        self.asked.stage.put_elsewhere();
        if let Err(error) = self.asked.stage.layer(&self.scene, &self.classes, &mut self.buffers) {
            log::error!("queries may know other layers: {error}");
        }
        self.between.forget();
        // They pass through other things as layers and joints have come back.
        self.walk_again();
        self.heard.sensed.take_back(self.frame);
        if let Err(error) = self.sense_bodies(|_| false) {
            log::error!("sensors that go with bodies may tell of others: {error}");
        }
    }
}
