//! THE PHYSICS on the GPU: a [`Solver`] takes a scene, steps it, and lets a renderer read its buffers.
//!
//! `step.rs` is the frame: it calls the stages in order. A stage is a module of `stages/` and a folder of the same name in
//! `shaders/`; it declares its passes and makes its buffers. `upload/` puts a scene on the GPU; the other folders are what a game
//! asks of a running world. The solver never waits for the GPU while stepping; the `read_` functions do.

mod batch;
mod checks;
mod control;
mod edits;
mod events;
mod forces;
mod interpolate;
mod queries;
mod readback;
mod saving;
mod stages;
mod step;
mod stepper;
#[cfg(test)]
mod tests;
mod upload;

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::atomic::{AtomicU64, Ordering};

use thiserror::Error;

use crate::constraints::Partitioned;
use crate::gpu::snippet::SnippetError;
use crate::gpu::{BATCH_PITCH, Buffers, Context, GpuError, Timer, wgpu};
use crate::scene::{BodyId, ColliderId, Layers, Params, ParticleId, PoolId, Scene, SceneError, Thing};

pub use batch::{Batch, BatchPoses};
pub use checks::gradient::{WrongGradient, check_gradient};
pub use edits::added::{AddedCollider, AddedEmitter};
pub use edits::added_joints::AddedJoint;
pub use edits::attached::Attached;
pub use edits::joints::JointRef;
pub use edits::pins::Pinned;
pub use edits::pools::Spawned;
pub use edits::things::Drag;
pub use events::event::{Contact, ContactPhase, Event, EventKind, Inside, Listener, ListenerId, SensorId};
pub use queries::query::{Answers, Feature, Hit, Query, QueryKind, Ticket};
pub use readback::health::{Counts, Dropped, Health};
pub use readback::loads::{JointLoad, JointLoads};
pub use readback::poses::{ParticlePlaces, Poses};
pub use saving::backup::Backup;
pub(crate) use saving::bytes::scene_hash;
pub use saving::rewind::Rewind;
pub use saving::state::State;
pub(crate) use stages::constraints::solves as solves_constraints;
pub use stages::rows::BodyState;
pub use stepper::Stepper;

use control::director::Direction;
use control::kinematic::{KinematicTargets, Strikes};
use control::walkers::Walkers;
use edits::Touched;
use edits::added::Added;
use edits::pools::{PoolRows, Pools};
use events::listen::Heard;
use forces::field::Fields;
use forces::push::Pushes;
use interpolate::Between;
use queries::ask::Asked;
use readback::health::{self, Readback};
use readback::poses::Requests;
use saving::state::Motion;
use stages::constraints::tear::Torn;
use stages::constraints::{self, ConstraintTables, MadeFor, users};
use stages::forces::Pushing;
use stages::ground::{Room, Tells, World};
use stages::stage::{self, Dispatch, Gate, Work};
use stages::{articulations, fluid, narrow_phase, search};
use step::{Stages, Switches, Woken};
use upload::growth::Bound;
use upload::kernels::Kernels;
use upload::tables::{Snapshot, Tables};

/// Worlds of this process so far.
static WORLDS: AtomicU64 = AtomicU64::new(0);
/// Low bits of a revision, which count changes; above them is the world.
const REVISION_BITS: u32 = 32;

/// Room of a world that nothing is known of.
const FIRST_ROOM: Room =
    Room { contacts: 0, reverse_factor: 1, manifolds: 0, surface_pairs: 0, liquid_neighbors: fluid::FIRST_NEIGHBORS };

/// Why a solver cannot be made or asked.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum SolverError {
    /// The scene cannot be simulated.
    #[error(transparent)]
    Scene(#[from] SceneError),
    /// The GPU refused.
    #[error(transparent)]
    Gpu(#[from] GpuError),
    /// An index that the scene does not have.
    #[error("there is no {what} {index}; the scene has {count}")]
    Missing {
        /// What the index counts.
        what: &'static str,
        /// The index.
        index: usize,
        /// How many there are.
        count: usize,
    },
    /// A body that was taken out of the world, or is of a copy of a pool that has left it.
    #[error("body {} is not in the world: it was removed, or the pool copy that it belongs to was despawned", .0.0)]
    Removed(BodyId),
    /// A copy of a pool that has left the world.
    #[error("{0:?} has left the world; its place may be another's now")]
    Stale(Spawned),
    /// Something of a copy of a pool that is not in the world.
    #[error("{what} {index} belongs to a pool copy that is not in the world; spawn it by spawn_from")]
    Absent {
        /// What it is.
        what: &'static str,
        /// Its index in the scene.
        index: usize,
    },
    /// Something that was added to the running world and has left it.
    #[error("the {what} in reserved place {place} is not in the world; another one may have this place by now")]
    Left {
        /// What it was.
        what: &'static str,
        /// Which of the places for such.
        place: usize,
    },
    /// All places for something are taken.
    #[error(
        "all {count} places for a {what} are taken; reserve more in the scene by Scene::reserve_{what}s, or remove one"
    )]
    Unreserved {
        /// What was to be added.
        what: &'static str,
        /// How many places there are.
        count: usize,
    },
    /// A shape of a collider for which no room is left.
    #[error(
        "the shape needs {needed} rows side by side; of the {count} reserved for shapes {free} are free; reserve more of its kind in the \
         scene by Scene::reserve_shapes, or remove a collider"
    )]
    NoShapeRoom {
        /// Rows that it takes.
        needed: u32,
        /// Rows that nobody has, side by side or not.
        free: u32,
        /// Rows that there are.
        count: u32,
    },
    /// Something that a running world cannot take.
    #[error("the running world cannot take {0}")]
    NotAdded(&'static str),
    /// All copies of a pool are in the world.
    #[error("all {count} copies of pool {} are in the world; add more to the scene, or despawn some", .pool.0)]
    PoolEmpty {
        /// The pool.
        pool: PoolId,
        /// How many copies it has.
        count: usize,
    },
    /// A body of a pool was to be removed alone.
    #[error("body {} belongs to a pool copy; despawn that copy", .0.0)]
    Pooled(BodyId),
    /// A field whose text is no function that can act.
    #[error("field {field}: {error}")]
    Field {
        /// Its index.
        field: usize,
        /// What is wrong, and in which line.
        error: SnippetError,
    },
    /// A type of constraint whose text is no equation.
    #[error("constraint type `{kind}`: {error}")]
    Constraint {
        /// Its name.
        kind: String,
        /// What is wrong, and in which line.
        error: SnippetError,
    },
    /// A type of constraint whose gradient is not that of its value.
    #[error(transparent)]
    Gradient(#[from] WrongGradient),
    /// A push on something that cannot be pushed, or not so.
    #[error("{push} on {what}: {reason}")]
    Push {
        /// What it does.
        push: &'static str,
        /// What it is on.
        what: String,
        /// Why not, and what to do.
        reason: &'static str,
    },
    /// A state of another world was to be put back.
    #[error("the state is of another world: {0}; save one of this world, after what was added")]
    OtherWorld(String),
    /// Bytes that are no state which this program can put back.
    #[error("these bytes are no state that can be put back: {0}")]
    Unreadable(String),
    /// Particles were asked for of a thing that has none.
    #[error("{0} has no particles; ask for those of a body, a deformable object, a liquid or grains")]
    NoParticles(String),
    /// A number of a query is out of range.
    #[error("query {index}: {field} is {value}; it must be {allowed}")]
    Query {
        /// Its place in the batch.
        index: usize,
        /// The field.
        field: &'static str,
        /// The value found.
        value: f32,
        /// The range.
        allowed: &'static str,
    },
    /// A query with a shape that cannot be moved or placed.
    #[error("query {0}: its shape must be a Shape::Sphere, Capsule, Cuboid, Cylinder or Hull, or a Compound of these")]
    QueryShape(usize),
    /// Something that has no friction or does not bounce.
    #[error("{0} has no such surface: liquids have none, and only bodies and colliders bounce")]
    NoSurface(String),
    /// An object without constraints that could give way so.
    #[error("{0} has no {1} whose compliance could be set")]
    GivesNot(String, &'static str),
    /// A body that does not walk was told to.
    #[error("body {} does not walk; let it walk by add_walker first", .0.0)]
    NoWalker(BodyId),
    /// A body that no walker can be.
    #[error("{0} cannot walk: {1}")]
    CannotWalk(String, &'static str),
    /// A particle that cannot be pinned or fastened to a body, and let go of.
    #[error("particle {index} cannot be held and let go of: {why}", index = .0.0, why = .1)]
    CannotPin(ParticleId, &'static str),
    /// A pin that holds nothing any more.
    #[error("this pin no longer holds particle {}: it was released, or has left the world; pin it again", .0.0)]
    Unpinned(ParticleId),
    /// More sensors than a frame can tell of.
    #[error("{count} sensors times {things} things are more than {most} counts; use fewer sensors, or queries")]
    Sensors {
        /// Sensors.
        count: usize,
        /// Bodies, objects, liquids and kinds of grains.
        things: usize,
        /// Most counts.
        most: usize,
    },
    /// A listener that cannot hear.
    #[error("the listener cannot hear: {0}")]
    Listener(&'static str),
    /// Answers that nobody keeps.
    #[error("this ticket has no answers: they were taken or dropped, or are another solver's; ask again")]
    StaleTicket,
    /// `spawn` got a scene that is not a continuation of the present one.
    #[error("the new scene has fewer {0} than the running one; spawn only adds, use remove_body to take away")]
    Shrunk(&'static str),
    /// `spawn` got a scene that knows nothing of what was changed in the running one.
    #[error(
        "the new scene has other {0} than the running one, in which things were cut, blown up or added; let a copy of `Solver::scene()` grow"
    )]
    Differs(&'static str),
}

impl From<users::WrongText> for SolverError {
    fn from(users::WrongText { kind, error }: users::WrongText) -> Self {
        Self::Constraint { kind, error }
    }
}

/// What a renderer may read, without copies.
#[derive(Clone, Copy, Debug)]
pub struct SolverView<'a> {
    /// Rows of [`BodyState`], shape [body_count].
    pub bodies: &'a wgpu::Buffer,
    /// Position [m] and radius [m] as vec4f, shape [particle_count].
    pub particles: &'a wgpu::Buffer,
    /// Velocity of each free particle [m/s] as vec4f, shape [particle_count].
    pub particle_velocities: &'a wgpu::Buffer,
    /// Body of each particle as u32, `u32::MAX` for free ones, shape [particle_count].
    pub particle_bodies: &'a wgpu::Buffer,
    /// The particle at each corner of the triangles of what tears, in their order, as u32; more may follow.
    pub tear_corners: &'a wgpu::Buffer,
    /// Constraints between particles; none to draw none.
    pub constraints: Option<ConstraintView<'a>>,
    /// What touches; none to show nothing of it.
    pub contacts: Option<ContactView<'a>>,
    /// Number of bodies.
    pub body_count: u32,
    /// Number of particles.
    pub particle_count: u32,
    /// Simulated time [s]: the frames done, each as long as it was.
    pub time: f64,
}

/// Constraints between particles, as a renderer may read them.
#[derive(Clone, Copy, Debug)]
pub struct ConstraintView<'a> {
    /// Words of all, their particles or phantoms among them, in the order of `common/color`.
    pub words: &'a wgpu::Buffer,
    /// What is solved at once, as `Color` of `common/color`; zeros may follow.
    pub colors: &'a wgpu::Buffer,
    /// Particle of each phantom as u32; phantoms are counted after the particles.
    pub phantom_originals: &'a wgpu::Buffer,
    /// Number of constraints.
    pub count: u32,
}

/// What touched when the frame ended, as a renderer may read it.
#[derive(Clone, Copy, Debug)]
pub struct ContactView<'a> {
    /// Parameters and sizes, as `Params` of `common/params`.
    pub params: &'a wgpu::Buffer,
    /// Rows of contacts, as `Contact` of `common/contact`.
    pub rows: &'a wgpu::Buffer,
    /// Whom they are with: see `target_base` of `common/contact`.
    pub targets: &'a wgpu::Buffer,
    /// Which of them are in reach: `ContactList` of `common/contact`.
    pub list: &'a wgpu::Buffer,
    /// How many each body and free particle has that touch: `Loads` of `common/contact`.
    pub loads: &'a wgpu::Buffer,
}

/// A world on the GPU.
#[derive(Debug)]
pub struct Solver {
    context: Context,
    scene: Scene,
    kernels: Kernels,
    bound: HashMap<&'static str, Bound>,
    buffers: Buffers,
    joints: articulations::Places,
    constraints: ConstraintTables,
    stages: Stages,
    room: Room,
    /// What kernels tell apart: as in [`World`], kept when buffers are made anew.
    tells: Tells,
    /// First frame that has the lists of this room.
    lists_since: u64,
    /// Room that the device has refused.
    refused_room: Option<Room>,
    drag: Option<Drag>,
    targets: KinematicTargets,
    /// What was struck out of its hold, on its way.
    strikes: Option<Strikes>,
    direction: Direction,
    pools: Pools,
    /// How many fields the scene had that was given last.
    fields_given: usize,
    added: Added,
    /// How many copies of pools, and how much that was added or pinned, have ever entered.
    entered: u64,
    touched: Touched,
    pushes: Pushes,
    fields: Fields,
    timer: Option<Timer>,
    readback: Readback,
    asked: Asked,
    /// How much was sent to be read when each of the last frames ended.
    #[cfg(target_arch = "wasm32")]
    ends: std::collections::VecDeque<u64>,
    requests: Requests,
    between: Between,
    heard: Heard,
    walkers: Walkers,
    /// Layers that kernels tell apart, by their numbers.
    classes: Vec<Layers>,
    /// Rows of the proxies of bodies: the body, the row, and its phase.
    body_proxies: Vec<(u32, usize, u32)>,
    /// Phase of each particle in its row.
    phases: Vec<u32>,
    /// Where colliders are to be that are out of the world.
    hidden: BTreeMap<ColliderId, Motion>,
    /// Joints of the scene that the host has parted.
    parted: BTreeSet<usize>,
    /// Particles that are pinned since the start, and the pin of each.
    pins: BTreeMap<u32, u64>,
    /// How far the air has gone [m].
    air_way: glam::DVec3,
    frame: u64,
    /// See [`Solver::revision`].
    revision: u64,
    /// Simulated time [s].
    time: f64,
    /// Length of the substep that lasting impulses are from [s], 0 before the first.
    lasting_from: f32,
    /// For how long overlap still opens slowly, since substeps became shorter [s].
    opening_slowly: f32,
    /// First frame in which it is known again how fast things move.
    known_from: u64,
    dispatches: Vec<Dispatch>,
}

impl Solver {
    /// Puts a scene on the GPU.
    ///
    /// # Errors
    /// [`SolverError::Scene`] for parameters out of range, [`SolverError::Gpu`] when the device refuses, for instance
    /// because the scene does not fit.
    pub fn new(context: &Context, scene: &Scene) -> Result<Self, SolverError> {
        Self::begin(context, scene, ConstraintTables::default())
    }

    /// The same with its constraints divided like this, and not as its parameters say.
    pub(crate) fn divided(context: &Context, scene: &Scene, divided: Partitioned) -> Result<Self, SolverError> {
        Self::begin(context, scene, ConstraintTables::new(context, scene, Some(divided)))
    }

    fn begin(context: &Context, scene: &Scene, constraints: ConstraintTables) -> Result<Self, SolverError> {
        scene.check()?;
        let mut solver = Self {
            context: context.clone(),
            scene: scene.clone(),
            kernels: Kernels::default(),
            bound: HashMap::new(),
            buffers: Buffers::new(context),
            joints: articulations::Places::default(),
            constraints,
            stages: Stages::default(),
            tells: Tells::default(),
            room: FIRST_ROOM,
            refused_room: None,
            lists_since: 0,
            drag: None,
            targets: KinematicTargets::default(),
            strikes: None,
            direction: Direction::default(),
            pools: Pools::default(),
            fields_given: scene.fields.len(),
            added: Added::default(),
            entered: 0,
            touched: Touched::default(),
            pushes: Pushes::default(),
            fields: Fields::default(),
            timer: None,
            readback: Readback::new(context),
            asked: Asked::default(),
            #[cfg(target_arch = "wasm32")]
            ends: std::collections::VecDeque::new(),
            requests: Requests::default(),
            between: Between::default(),
            heard: Heard::default(),
            walkers: Walkers::default(),
            classes: Vec::new(),
            body_proxies: Vec::new(),
            phases: Vec::new(),
            hidden: BTreeMap::new(),
            parted: BTreeSet::new(),
            pins: BTreeMap::new(),
            air_way: glam::DVec3::ZERO,
            frame: 0,
            revision: WORLDS.fetch_add(1, Ordering::Relaxed) << REVISION_BITS,
            time: 0.0,
            lasting_from: 0.0,
            opening_slowly: 0.0,
            known_from: 0,
            dispatches: Vec::new(),
        };
        solver.upload(&Snapshot::default())?;
        Ok(solver)
    }

    /// Makes all buffers for the scene, the state that the world had over that of the scene, and binds the kernels.
    fn upload(&mut self, before: &Snapshot) -> Result<(), SolverError> {
        let fields = Fields::new(&self.scene)?;
        users::check(&self.scene)?;
        self.scene.classify();
        self.find_struck()?;
        self.hear_all();
        let divided =
            (!self.constraints.fit(&self.scene)).then(|| ConstraintTables::new(&self.context, &self.scene, None));
        let constraints = divided.as_ref().unwrap_or(&self.constraints);
        let mut tables = Tables::new(&self.scene);
        let pool_rows = PoolRows::new(&self.scene, &tables, constraints.global.places());
        self.targets.carry_into(&mut tables.bodies.properties);
        tables.store_absent(&self.scene);
        self.part_points(&mut tables.bodies);
        tables.resume(&self.scene, before, self.added.apart(&self.scene), self.tells);
        let mut stages = tables.stages(&self.context, &self.scene, constraints);
        (stages.forces.pushes, stages.forces.field_kinds) = (self.pushes.used, fields.kinds);
        let colors = constraints.solved();
        let mut room = self.room;
        let world = stages.particles.world;
        room.contacts = self.contact_room(&world);
        room.surface_pairs = room.surface_pairs.max(stages.surfaces.first_room(&self.context));
        room.manifolds = room.manifolds.max(stages.contacts.first_slots(&self.context));
        let passes = stages.passes(&colors);
        let texts = [constraints::kernels(constraints), fields.kernels(&stages.forces)].concat();
        self.kernels.compile(&self.context, &passes, texts, &world)?;
        let now =
            Switches::new(&self.scene.params, &stages, false, Woken::Nothing, &self.targets, 0, Pushing::default(), 1);
        let gates = stages.frame(&now, &colors).gates;
        let groups = |gate: &Gate| self.kernels.compiled[gate.pass.kernel].groups(gate.threads);
        let mut buffers = tables.create(&self.context, &self.scene, constraints, &stages, &room, &gates, groups)?;
        fields.create(&self.context, &mut buffers, Some(&self.buffers), &stages.forces)?;
        before.restore(constraints, &buffers)?;
        self.keep_pinned(&before.torn, &buffers)?;
        buffers.upload("joint_states", 0, &self.joint_states(before, &tables.articulations.order))?;
        buffers.upload("global_rotations", 0, &constraints.global.turned(&before.global_rotations))?;
        buffers.upload("constraint_words", 0, &constraints.words_after(&before.plastic))?;
        let bound = self.bind_all(&buffers, passes)?;
        // Nothing can fail from here on: a refusal leaves the running world as it was.
        if let Some(divided) = divided {
            self.constraints = divided;
        }
        self.know_pools();
        self.pools.rows = pool_rows;
        self.classes = self.scene.layer_classes();
        self.body_proxies = tables.broad_phase.of_bodies().map(|(row, body, phase)| (body, row, phase)).collect();
        self.body_proxies.sort_unstable();
        self.phases = tables.particles.rows.iter().map(|row| row.phase).collect();
        self.stages = stages;
        self.fields = fields;
        (self.room, self.refused_room) = (room, None);
        self.tells = world.tells;
        self.walkers.keep(self.buffers.get("footings").ok().cloned());
        self.buffers = buffers;
        self.bound = bound;
        self.follow_corners(&before.torn);
        self.joints = tables.articulations.places(self.scene.bodies.len());
        self.begin_anew();
        self.join_again(&before.added_joint_states);
        self.attach_again();
        Ok(())
    }

    /// Makes all buffers anew, in which the world goes on from where it is. Waits for the GPU; a refusal leaves the world as it was.
    fn make_anew(&mut self) -> Result<(), SolverError> {
        let state = self.snapshot()?;
        self.upload(&state)
    }

    /// Passes with their kernels, bound to these buffers.
    fn bind_all(
        &self,
        buffers: &Buffers,
        passes: Vec<&'static stage::Pass>,
    ) -> Result<HashMap<&'static str, Bound>, SolverError> {
        let bind = |pass: &'static stage::Pass| {
            let kernel = &self.kernels.compiled[pass.kernel];
            let kernel = kernel.bind_as(&self.context, buffers, pass.name, pass.renamed)?;
            Ok((pass.name, Bound { pass, kernel }))
        };
        passes.into_iter().map(bind).collect()
    }

    /// Lets constraints and surfaces follow the corners of what has torn, which new buffers do not.
    fn follow_corners(&self, torn: &Torn) {
        if !torn.is_any() {
            return;
        }
        self.context.run("follow corners", |encoder| {
            let mut pass = encoder.begin_compute_pass(&Default::default());
            for (following, threads) in self.stages.constraints.tears.following() {
                self.bound[following.name].kernel.dispatch(&mut pass, threads, 0);
            }
        });
    }

    /// Forgets what was about buffers that are gone, and tells the new ones what lasts.
    fn begin_anew(&mut self) {
        self.readback.forget();
        self.pushes.forget_members();
        self.asked.stage.forget();
        self.between.unmake();
        if self.touched.take_places().is_some() {
            // New buffers do not know where they were before.
            self.touched.wake(Woken::All);
        }
        self.hurry();
        self.revision += 1;
        self.listen_again();
        self.sense_again();
        self.walk_again();
        self.pin_again();
        // What is asked before the next frame needs them too.
        self.write_params();
    }

    /// Room for contacts of a particle.
    fn contact_room(&self, world: &World) -> u32 {
        let wanted = if world.meets { self.room.contacts.max(narrow_phase::first_slots(&self.scene)) } else { 0 };
        wanted.min(narrow_phase::most_slots(&self.context, world).max(1))
    }

    /// Compiles what these passes need, some of them from texts, and binds them to the buffers that there are now.
    fn bind_passes(
        &mut self,
        passes: &[&'static stage::Pass],
        texts: Vec<(&'static str, String)>,
    ) -> Result<(), SolverError> {
        let world = self.stages.particles.world;
        self.bind_passes_in(passes, texts, &world)
    }

    /// As if for this world.
    fn bind_passes_in(
        &mut self,
        passes: &[&'static stage::Pass],
        texts: Vec<(&'static str, String)>,
        world: &World,
    ) -> Result<(), SolverError> {
        self.kernels.compile(&self.context, passes, texts, world)?;
        for pass in passes {
            self.bound.insert(pass.name, self.bind(pass)?);
        }
        Ok(())
    }

    /// What moves may be faster than was told: contacts may be searched in every substep until it is known how fast.
    fn hurry(&mut self) {
        self.known_from = self.frame + health::LATENCY + 2;
    }

    /// Simulates one frame of `params.dt`: encodes it and submits it, and returns without waiting. While `dt` is 0 the world is
    /// paused: nothing happens and no time passes; nor once the device is lost (see [`Backup`]).
    ///
    /// In a browser nobody can wait for the GPU where it is too far behind: see [`Solver::is_ready`].
    pub fn step(&mut self) {
        if !self.is_ready() {
            return log::warn!("frame skipped: the GPU is behind (see Solver::is_ready)");
        }
        let mut encoder = self.context.device.create_command_encoder(&Default::default());
        let is_simulated = self.record_frame(&mut encoder);
        self.context.submit(encoder);
        if is_simulated {
            // While the GPU has something to do.
            self.hear_events();
        }
    }

    /// What it runs on.
    pub(crate) fn context(&self) -> &Context {
        &self.context
    }

    /// The frame that comes next: as many as were simulated, counted as [`Event::frame`] does. After a restore that of the state.
    pub fn frame(&self) -> u64 {
        self.frame
    }

    /// Whether the next frame can be simulated: always, but in a browser, where one that the GPU is three frames behind is left out.
    pub fn is_ready(&self) -> bool {
        #[cfg(target_arch = "wasm32")]
        if self.ends.len() as u64 >= health::LATENCY {
            return self.context.arrivals.here() >= self.ends[0];
        }
        true
    }

    /// As [`Solver::step`], into the encoder of a host program, which submits it once. Until then the frame has not happened on the GPU: draw it
    /// into the same encoder, with [`Solver::record_interpolated`] between frames, and ask and change nothing of the solver. What
    /// reads, saves, spawns, poses or requests is submitted or uploaded at once, and comes before a frame that is only recorded;
    /// what makes the world anew leaves it out.
    pub fn record(&mut self, encoder: &mut wgpu::CommandEncoder) {
        self.context.note_hosts();
        if self.record_frame(encoder) {
            self.hear_events();
        }
    }

    /// Records a frame, unless there is none to simulate.
    fn record_frame(&mut self, encoder: &mut wgpu::CommandEncoder) -> bool {
        if self.scene.params.dt == 0.0 || self.context.is_lost() {
            return false;
        }
        if self.touched.woken == Woken::All {
            self.hurry();
        }
        if let Some(control) = self.readback.take(self.frame) {
            self.grow(&control);
            self.hear_of_strikes(&control);
        }
        self.hear_footings();
        self.divide_again();
        self.write_pushes();
        self.write_fields();
        self.write_params();
        self.write_flow();
        self.end_depenetration_limits();
        self.write_poses();
        self.write_pulls();
        self.write_holds();
        self.write_posed();
        self.dispatches = self.dispatches_now(self.touched.woken);
        self.touched.woken = Woken::Nothing;
        self.touched.colliders_placed = false;
        self.keep_frame(encoder);
        self.sense_for_walkers(encoder);
        self.encode(encoder);
        self.readback.copy(encoder, &self.buffers, self.frame);
        self.send_events(encoder);
        self.send_footings(encoder);
        self.lasting_from = self.scene.params.substep_dt();
        self.opening_slowly -= self.scene.params.dt.min(self.opening_slowly);
        self.advance_colliders();
        self.asked.stage.moved();
        self.frame += 1;
        self.time += f64::from(self.scene.params.dt);
        #[cfg(target_arch = "wasm32")]
        self.note_end();
        true
    }

    /// Notes how much was sent to be read when a frame ended.
    #[cfg(target_arch = "wasm32")]
    fn note_end(&mut self) {
        self.ends.push_back(self.context.arrivals.sent());
        if self.ends.len() as u64 > health::LATENCY {
            self.ends.pop_front();
        }
    }

    /// The dispatches of a frame now.
    fn dispatches_now(&self, woken: Woken) -> Vec<Dispatch> {
        let colors = self.constraints.solved();
        self.stages.frame(&self.switches(woken), &colors).dispatches
    }

    /// What of the frame may be another thing in the next one.
    fn switches(&self, woken: Woken) -> Switches {
        let params = &self.scene.params;
        // Until the speeds are known, contacts may be searched in every substep.
        let known = woken != Woken::All && self.frame >= self.known_from;
        let stride = if known { search::stride(&self.readback.control(), params) } else { 1 };
        Switches::new(
            params,
            &self.stages,
            self.drag.is_some(),
            woken,
            &self.targets,
            self.direction.pulled,
            self.pushes.now,
            stride,
        )
    }

    /// Colors the constraints anew when the partition was changed, and makes room for what the integrator remembers.
    fn divide_again(&mut self) {
        let before = self.constraints.made_for();
        if MadeFor::of(&self.scene.params) == before {
            return;
        }
        if let Err(error) = self.make_anew() {
            before.put(&mut self.scene.params);
            log::error!(
                "the constraints stay divided as {}, with {} levels, and integrated as before: {error}",
                before.partition,
                before.levels
            );
        }
    }

    fn encode(&mut self, encoder: &mut wgpu::CommandEncoder) {
        if let Some(timer) = &mut self.timer {
            timer.begin_frame();
            for dispatch in &self.dispatches {
                record(&mut timer.compute_pass(encoder, dispatch.pass.name), dispatch, &self.bound, &self.buffers);
            }
            timer.end_frame(encoder);
        } else {
            let mut all = encoder.begin_compute_pass(&Default::default());
            for dispatch in &self.dispatches {
                record(&mut all, dispatch, &self.bound, &self.buffers);
            }
        }
    }

    /// Buffers that a renderer reads.
    pub fn view(&self) -> SolverView<'_> {
        let get = |name| self.buffers.get(name).expect("stages make every buffer");
        let count = self.constraints.count;
        let constraints = (count > 0).then(|| ConstraintView {
            words: get("constraint_words"),
            colors: get("constraint_colors"),
            phantom_originals: get("phantom_originals"),
            count,
        });
        SolverView {
            bodies: get("bodies"),
            particles: get("particles"),
            particle_velocities: get("particle_velocities"),
            particle_bodies: get("particle_bodies"),
            tear_corners: get("tear_corners"),
            constraints,
            contacts: Some(ContactView {
                params: get("params"),
                rows: get("contacts"),
                targets: get("contact_targets"),
                list: get("contact_list"),
                loads: get("loads"),
            }),
            body_count: self.stages.bodies.bodies,
            particle_count: self.stages.particles.world.particles,
            time: self.time,
        }
    }

    /// The scene being simulated: static data, parameters, and where its colliders are now; all else moves on the GPU.
    pub fn scene(&self) -> &Scene {
        &self.scene
    }

    /// A number that grows whenever something was added to the scene, and that no other world of this process has: a renderer that
    /// saw it has all there is.
    pub fn revision(&self) -> u64 {
        self.revision
    }

    /// Whether a revision is one that this world has had.
    pub(crate) fn had(&self, revision: u64) -> bool {
        revision >> REVISION_BITS == self.revision >> REVISION_BITS && revision <= self.revision
    }

    /// World parameters.
    pub fn params(&self) -> &Params {
        &self.scene.params
    }

    /// Sets the world parameters from the next frame on. A `dt` of 0 pauses the world; another one changes its pace only. Any
    /// other change wakes what sleeps. Another `partition`, `levels` or `integrator` makes the constraints anew in that frame; where the
    /// device has no room for that, those that ran stay, and the log says so.
    ///
    /// # Errors
    /// [`SolverError::Scene`] naming the first parameter out of its range; those that run stay.
    pub fn set_params(&mut self, params: Params) -> Result<(), SolverError> {
        params.check().map_err(SceneError::Params)?;
        self.scene.check_parts(&params)?;
        let before = std::mem::replace(&mut self.scene.params, params);
        if params != before {
            self.hurry();
        }
        // Gravity and friction hold sleepers in place: what is edited must be felt.
        if params != (Params { dt: params.dt, ..before }) {
            self.touched.wake(Woken::All);
        }
        Ok(())
    }

    /// What a thing is called, if the scene has it.
    fn find_thing(&self, thing: Thing) -> Result<String, SolverError> {
        let (what, index, count) = self.scene.place_of(thing);
        if index < count { Ok(format!("{what} {index}")) } else { Err(SolverError::Missing { what, index, count }) }
    }

    /// As [`Solver::find_thing`], of what is not of a copy of a pool that is out of the world.
    fn find_present(&self, thing: Thing) -> Result<String, SolverError> {
        let name = self.find_thing(thing)?;
        match thing {
            Thing::Deformable(id) if self.scene.absent().any(|part| part.deformables.contains(&id.0)) => {
                Err(SolverError::Absent { what: "object", index: id.0 as usize })
            }
            _ => Ok(name),
        }
    }

    fn body_index(&self, id: BodyId) -> Result<usize, SolverError> {
        let (index, count) = (id.0 as usize, self.scene.bodies.len());
        if index < count { Ok(index) } else { Err(SolverError::Missing { what: "body", index, count }) }
    }
}

/// Encodes one dispatch.
fn record(
    target: &mut wgpu::ComputePass<'_>,
    dispatch: &Dispatch,
    bound: &HashMap<&'static str, Bound>,
    buffers: &Buffers,
) {
    let kernel = &bound[dispatch.pass.name].kernel;
    let batch = dispatch.batch * BATCH_PITCH;
    let mut indirect = |args, word| {
        if let Ok(buffer) = buffers.get(args) {
            kernel.dispatch_indirect(target, buffer, 4 * u64::from(word), batch);
        }
    };
    match dispatch.work {
        Work::Threads(threads) => kernel.dispatch(target, threads, batch),
        Work::Gated(row) => indirect("search_args", 3 * row),
        Work::Listed(list) => indirect(list.buffer, list.head),
    }
}
