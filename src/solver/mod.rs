//! THE PHYSICS on the GPU: a [`Solver`] takes a scene, steps it, and lets a renderer read its buffers.
//!
//! `state.rs` is the one buffer table, `step.rs` the one ordered list of passes. The solver never waits for the GPU
//! while stepping; the `read_` functions do.

mod articulations;
mod check;
#[cfg(test)]
mod constraint_tests;
mod constraints;
mod edit;
mod emitters;
mod fluid;
#[cfg(test)]
mod fluid_tests;
mod global;
#[cfg(test)]
mod global_tests;
mod health;
#[cfg(test)]
mod kernel_tests;
mod kernels;
mod kinematic;
mod objects;
mod plasticity;
mod proxies;
mod read;
mod rows;
mod sails;
mod shapes;
mod state;
mod step;
mod surfaces;
mod tables;
mod tear;
#[cfg(test)]
mod tests;
mod uniforms;

use std::collections::HashMap;

use thiserror::Error;

use crate::gpu::{BATCH_PITCH, BoundKernel, Buffers, Context, GpuError, Kernel, Timer, wgpu};
use crate::scene::{BodyId, Params, Scene, SceneError};

pub use edit::Drag;
pub use health::{Counts, Health};
pub use rows::BodyState;

use constraints::ConstraintTables;
use health::Readback;
use kinematic::KinematicTargets;
use state::Snapshot;
use step::{Pass, Sizes, Work};
use tables::Tables;

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
    /// `spawn` got a scene that is not a continuation of the present one.
    #[error("the new scene has fewer {0} than the running one; spawn only adds, use remove_body to take away")]
    Shrunk(&'static str),
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
    /// Whether each edge that can break is torn, as u32, shape [tear_count]; more may follow.
    pub torn_edges: &'a wgpu::Buffer,
    /// Constraints between particles; none to draw none.
    pub constraints: Option<ConstraintView<'a>>,
    /// Number of bodies.
    pub body_count: u32,
    /// Number of particles.
    pub particle_count: u32,
    /// Simulated time [s].
    pub time: f64,
}

/// Constraints between particles, as a renderer may read them.
#[derive(Clone, Copy, Debug)]
pub struct ConstraintView<'a> {
    /// Type and first word of each as vec2u, shape [constraint_count].
    pub heads: &'a wgpu::Buffer,
    /// At the first word of each its particles or phantoms as vec4u, then its numbers.
    pub words: &'a wgpu::Buffer,
    /// First constraint of each color as u32, then the end, shape [color_count + 1]; zeros may follow.
    pub color_starts: &'a wgpu::Buffer,
    /// Particle of each phantom as u32; phantoms are counted after the particles.
    pub phantom_originals: &'a wgpu::Buffer,
    /// Number of constraints.
    pub count: u32,
}

/// A world on the GPU.
#[derive(Debug)]
pub struct Solver {
    context: Context,
    scene: Scene,
    kernels: HashMap<&'static str, Kernel>,
    bound: HashMap<&'static str, BoundKernel>,
    buffers: Buffers,
    joint_order: Vec<u32>,
    joint_colors: u32,
    constraints: ConstraintTables,
    /// Types that the kernel of the constraints knows.
    constraint_kinds: Vec<usize>,
    sizes: Sizes,
    radius: f32,
    proxy_reach: f32,
    free_radius: f32,
    contact_slots: u32,
    surface_room: u32,
    neighbor_slots: u32,
    reverse_factor: u32,
    drag: Option<Drag>,
    targets: KinematicTargets,
    waking: bool,
    timer: Option<Timer>,
    readback: Readback,
    /// How far the air has gone [m].
    air_way: glam::DVec3,
    frame: u64,
    frame_passes: Vec<Pass>,
}

impl Solver {
    /// Puts a scene on the GPU.
    ///
    /// # Errors
    /// [`SolverError::Scene`] for parameters out of range, [`SolverError::Gpu`] when the device refuses, for instance
    /// because the scene does not fit.
    pub fn new(context: &Context, scene: &Scene) -> Result<Self, SolverError> {
        scene.check()?;
        let mut kernels = HashMap::new();
        kernels.extend(global::kernels(context)?);
        for name in step::KERNELS.iter().filter(|name| **name != global::PASSES) {
            let kernel = match step::kernel_of(name) {
                (constraints::SOLVE, _) => constraints::kernel(context, &[])?,
                (kernel, _) => Kernel::new(context, kernel, &[])?,
            };
            kernels.insert(*name, kernel);
        }
        let mut solver = Self {
            context: context.clone(),
            scene: scene.clone(),
            kernels,
            bound: HashMap::new(),
            buffers: Buffers::new(context),
            joint_order: Vec::new(),
            joint_colors: 0,
            constraints: ConstraintTables::default(),
            constraint_kinds: Vec::new(),
            sizes: Sizes::default(),
            radius: 0.0,
            proxy_reach: 0.0,
            free_radius: 0.0,
            contact_slots: state::first_contact_slots(scene),
            surface_room: 0,
            neighbor_slots: fluid::FIRST_SLOTS,
            reverse_factor: 1,
            drag: None,
            targets: KinematicTargets::default(),
            waking: false,
            timer: None,
            readback: Readback::new(context),
            air_way: glam::DVec3::ZERO,
            frame: 0,
            frame_passes: Vec::new(),
        };
        solver.upload(&Snapshot::default())?;
        Ok(solver)
    }

    /// Makes all buffers for the scene, the carried state over that of the scene, and binds the kernels.
    fn upload(&mut self, carry: &Snapshot) -> Result<(), SolverError> {
        let mut tables = Tables::new(&self.scene, self.reverse_factor);
        self.targets.carry_into(&mut tables);
        let replace = |rows: &mut [[f32; 4]], old: &[[f32; 4]]| rows[..old.len()].copy_from_slice(old);
        tables.bodies[..carry.bodies.len()].copy_from_slice(&carry.bodies);
        replace(&mut tables.particles, &carry.particles);
        replace(&mut tables.particle_velocities, &carry.particle_velocities);
        tables.wake_grains();
        let sizes = Sizes {
            particles: tables.particles.len() as u32,
            free_particles: tables.free_particles as u32,
            meeting_balls: tables.meeting_balls as u32,
            bodies: tables.bodies.len() as u32,
            assemblies: tables.assembly_starts.len() as u32 - 1,
            colliders: tables.colliders.len() as u32,
            clusters: tables.articulations.clusters,
            proxies: tables.proxies.rows.len() as u32,
            cells: state::cell_count(tables.proxies.rows.len()),
            sleepers: tables.sleepers().count() as u32,
            sailing: tables.sails.members.len() as u32,
            ..tables.fluid.sizes(tables.surfaces.sizes())
        };
        let row = |(kernel, threads): &(&str, u32), mark| {
            let [x, y, z] = self.kernels[kernel].groups(*threads);
            [x, y, z, mark]
        };
        let (first, again) = (step::search(&sizes), step::search_again(&sizes));
        let first = first.iter().map(|pass| row(pass, state::mark_of(pass.0)));
        let groups: Vec<[u32; 4]> = first.chain(again.iter().map(|pass| row(pass, state::SURFACES_REBUILD))).collect();
        let most_slots = state::most_contact_slots(&self.context, sizes.particles);
        self.contact_slots = self.contact_slots.min(most_slots.max(1));
        let divided = (!self.constraints.fit(&self.scene)).then(|| ConstraintTables::new(&self.scene));
        let constraints = divided.as_ref().unwrap_or(&self.constraints);
        let sizes = Sizes {
            attached_bodies: constraints.attached_bodies.len() as u32,
            plastic: constraints.plastic.len() as u32,
            tears: constraints.tears.len() as u32,
            hybrid: u32::from(constraints.hybrid),
            objects: constraints.objects.rows.len() as u32,
            ..sizes
        };
        let room = self.surface_room.max(state::surface_room(&self.context, &sizes));
        let slots = (self.contact_slots, room, self.neighbor_slots);
        let buffers = state::create(&self.context, &tables, constraints, &sizes, slots, &groups)?;
        carry.restore(&buffers)?;
        let broken: Vec<u32> = tables
            .articulations
            .order
            .iter()
            .map(|j| carry.joint_broken.get(*j as usize).copied().unwrap_or(0))
            .collect();
        buffers.upload("joint_broken", 0, &broken)?;
        buffers.upload("global_rotations", 0, &constraints.global.turned(&carry.global_rotations))?;
        if !carry.plastic.is_empty() {
            buffers.upload("constraint_words", 0, &constraints.with_plastic(&carry.plastic))?;
        }
        tear::restore(&buffers, &constraints.tears, &carry.torn, &constraints.heads, &tables.surfaces)?;
        let kinds = constraints::kinds_of(&self.scene);
        if kinds.iter().any(|kind| !self.constraint_kinds.contains(&kind.index())) {
            self.kernels.insert(constraints::SOLVE, constraints::kernel(&self.context, &kinds)?);
            self.constraint_kinds = kinds.iter().map(|kind| kind.index()).collect();
        }
        let mut bound = HashMap::new();
        for (name, kernel) in &self.kernels {
            bound.insert(*name, kernel.bind_as(&self.context, &buffers, name, step::kernel_of(name).1)?);
        }
        // Nothing can fail from here on: a refusal leaves the running world as it was.
        if let Some(divided) = divided {
            self.constraints = divided;
        }
        self.sizes = sizes;
        self.buffers = buffers;
        self.bound = bound;
        self.radius = tables.radius;
        self.surface_room = room;
        self.proxy_reach = tables.proxies.reach;
        self.free_radius = tables.proxies.free_radius;
        self.joint_colors = tables.articulations.colors;
        self.joint_order = tables.articulations.order;
        self.readback.forget();
        Ok(())
    }

    /// Simulates one frame of `params.dt`: encodes it and submits it, and returns without waiting.
    pub fn step(&mut self) {
        if let Some(control) = self.readback.take(self.frame) {
            self.grow(&control);
        }
        self.divide_again();
        self.write_params();
        self.write_air();
        self.write_emissions();
        self.end_depenetration_limits();
        self.write_poses();
        self.frame_passes = self.passes(self.waking);
        self.waking = false;
        let mut encoder = self.context.device.create_command_encoder(&Default::default());
        self.encode(&mut encoder);
        self.readback.copy(&mut encoder, &self.buffers, self.frame);
        self.context.queue.submit([encoder.finish()]);
        self.advance_colliders();
        self.frame += 1;
    }

    /// The passes of a frame now.
    fn passes(&self, waking: bool) -> Vec<Pass> {
        let colors: Vec<u32> = self.constraints.color_sizes().collect();
        step::frame(
            &self.sizes,
            &self.scene.params,
            &colors,
            &self.constraints.global.passes(),
            self.drag.is_some(),
            waking,
        )
    }

    /// Colors the constraints anew when the partition was changed.
    fn divide_again(&mut self) {
        let before = self.constraints.partition();
        if self.scene.params.partition == before {
            return;
        }
        if let Err(error) = self.carry().and_then(|carry| self.upload(&carry)) {
            self.scene.params.partition = before;
            log::error!("the constraints stay divided as {before}: {error}");
        }
    }

    fn encode(&mut self, encoder: &mut wgpu::CommandEncoder) {
        if let Some(timer) = &mut self.timer {
            timer.begin_frame();
            for pass in &self.frame_passes {
                record(&mut timer.compute_pass(encoder, pass.kernel), pass, &self.bound, &self.buffers);
            }
            timer.end_frame(encoder);
        } else {
            let mut all = encoder.begin_compute_pass(&Default::default());
            for pass in &self.frame_passes {
                record(&mut all, pass, &self.bound, &self.buffers);
            }
        }
    }

    /// Buffers that a renderer reads.
    pub fn view(&self) -> SolverView<'_> {
        let get = |name| self.buffers.get(name).expect("state.rs makes every buffer");
        let count = self.constraints.heads.len() as u32;
        let constraints = (count > 0).then(|| ConstraintView {
            heads: get("constraint_heads"),
            words: get("constraint_words"),
            color_starts: get("color_starts"),
            phantom_originals: get("phantom_originals"),
            count,
        });
        SolverView {
            bodies: get("bodies"),
            particles: get("particles"),
            particle_velocities: get("particle_velocities"),
            particle_bodies: get("particle_bodies"),
            torn_edges: get("torn_edges"),
            constraints,
            body_count: self.sizes.bodies,
            particle_count: self.sizes.particles,
            time: self.frame as f64 * f64::from(self.scene.params.dt),
        }
    }

    /// The scene being simulated: static data, parameters, and where its colliders are now; all else moves on the GPU.
    pub fn scene(&self) -> &Scene {
        &self.scene
    }

    /// World parameters.
    pub fn params(&self) -> &Params {
        &self.scene.params
    }

    /// World parameters, to change from the next frame on. Values out of range are brought into it.
    pub fn params_mut(&mut self) -> &mut Params {
        // Gravity and friction hold sleepers in place: what is edited must be felt.
        self.waking = true;
        &mut self.scene.params
    }

    fn body_index(&self, id: BodyId) -> Result<usize, SolverError> {
        let (index, count) = (id.0 as usize, self.scene.bodies.len());
        if index < count { Ok(index) } else { Err(SolverError::Missing { what: "body", index, count }) }
    }
}

/// Encodes one pass.
fn record(
    target: &mut wgpu::ComputePass<'_>,
    pass: &Pass,
    bound: &HashMap<&'static str, BoundKernel>,
    buffers: &Buffers,
) {
    let kernel = &bound[pass.kernel];
    let batch = pass.batch * BATCH_PITCH;
    let mut indirect = |args, word| {
        if let Ok(buffer) = buffers.get(args) {
            kernel.dispatch_indirect(target, buffer, 4 * u64::from(word), batch);
        }
    };
    match pass.work {
        Work::Threads(threads) => kernel.dispatch(target, threads, batch),
        Work::WhenSearching { args } => indirect("search_args", 3 * args),
        Work::Listed { list, at } => indirect(list, at),
    }
}
