//! What a scene is on the GPU: the tables of all stages, made in the order in which they need one another, and their buffers.

use super::colliders;
use crate::gpu::wgsl::articulations::joint::JointState;
use crate::gpu::wgsl::common::body::{BODY_BALL, PHASE_RING, PHASE_SKINNED};
use crate::gpu::wgsl::fluid::fluid::Pressure;
use crate::gpu::{Buffers, Context, GpuError, wgpu::BufferUsages};
use crate::scene::{Kinds, Phase, Scene};
use crate::solver::stages::constraints::ConstraintTables;
use crate::solver::stages::constraints::tear::Torn;
use crate::solver::stages::ground::{NONE, Room, Tells, World, lanes};
use crate::solver::stages::rows::Control;
use crate::solver::stages::stage::Gate;
use crate::solver::stages::{
    aerodynamics, articulations, bodies, broad_phase, ccd, contacts, emitters, events, fluid, forces, gears,
    narrow_phase, particles, search, sensors, sleep, surfaces, walkers,
};
use crate::solver::step::Stages;

use crate::solver::stages::rows::{BodyState, ParamsRow};

/// Rows that follow from the scene alone.
pub(in crate::solver) struct Tables {
    pub(in crate::solver) bodies: bodies::Tables,
    pub(in crate::solver) particles: particles::Tables,
    pub(in crate::solver) surfaces: surfaces::Tables,
    pub(in crate::solver) broad_phase: broad_phase::Tables,
    pub(in crate::solver) articulations: articulations::Tables,
    gears: gears::Tables,
    aerodynamics: aerodynamics::Tables,
    emitters: emitters::Tables,
    fluid: fluid::Tables,
    sleep: sleep::Tables,
    /// Grains that may sleep while they are in the world.
    sleepers: u32,
    /// Slots of all bodies for contacts that others own, before they are multiplied.
    reverse_slots: u32,
    /// Shapes that were added to the running world.
    shapes: colliders::Apart,
    tells: Tells,
}

impl Tables {
    pub(in crate::solver) fn new(scene: &Scene) -> Self {
        let assemblies = scene.assemblies();
        let mut bodies = bodies::Tables::new(scene, &assemblies);
        let reverse_slots = narrow_phase::share_reverse_slots(scene, &mut bodies.properties);
        let mut particles = particles::Tables::new(scene, &bodies.links, &bodies.link_of);
        let surfaces = surfaces::Tables::new(scene, &particles.bodies);
        for (row, finest) in particles.rows.iter_mut().zip(&surfaces.finest) {
            row.finest = *finest;
        }
        for i in &surfaces.skinned {
            particles.rows[*i as usize].phase |= PHASE_SKINNED;
        }
        let broad_phase = broad_phase::Tables::new(scene, &particles.bodies, &surfaces.skinned);
        for (row, proxy) in particles.rows.iter_mut().zip(&broad_phase.of_particle) {
            row.proxy = *proxy;
        }
        particles::mark_rings(scene, &mut particles.rows);
        particles::mark_balls(scene, &mut particles.rows, &mut bodies.properties);
        let fluid = fluid::Tables::new(scene, |i| particles.bodies[i] == NONE);
        sleep::mark_sleepers(scene, &mut particles.rows, &fluid.volumes);
        let articulations = articulations::Tables::new(&scene.joints, &scene.bodies);
        let sleepers = particles.rows.iter().filter(|row| row.sleeper > 0.0).count() as u32;
        Self {
            sleepers,
            gears: gears::Tables::new(scene, &articulations.rows(), &articulations.nodes_of_joints()),
            bodies,
            particles,
            surfaces,
            broad_phase,
            articulations,
            aerodynamics: aerodynamics::Tables::new(scene),
            emitters: emitters::Tables::new(scene),
            fluid,
            sleep: sleep::Tables::new(&assemblies),
            reverse_slots,
            shapes: colliders::Apart::default(),
            tells: Tells::default().with(scene),
        }
    }

    /// Puts the state that a world had over that of the scene; the shapes of these colliders were added, and its kernels told this apart.
    pub(in crate::solver) fn resume(
        &mut self,
        scene: &Scene,
        before: &Snapshot,
        shapes: colliders::Apart,
        told: Tells,
    ) {
        self.shapes = shapes;
        self.tells = told.with(scene);
        let replace = |rows: &mut [[f32; 4]], old: &[[f32; 4]]| rows[..old.len()].copy_from_slice(old);
        self.bodies.states[..before.bodies.len()].copy_from_slice(&before.bodies);
        replace(&mut self.particles.positions, &before.particles);
        replace(&mut self.particles.velocities, &before.particle_velocities);
        self.gears.resume(&before.gears);
        self.aerodynamics.resume(&before.torn.copies());
        let particles = &mut self.particles;
        sleep::wake(scene, &particles.positions, &mut particles.velocities);
        emitters::store(scene, &particles.positions, &mut particles.velocities, &mut particles.rows);
    }

    /// What all stages know of the world; `meets` says whether anything in it can touch.
    fn world(&self, context: &Context, scene: &Scene, constraints: &ConstraintTables, meets: bool) -> World {
        let free = self.particles.rows.iter().filter(|row| row.body == NONE);
        World {
            particles: self.particles.rows.len() as u32,
            free_particles: free.clone().count() as u32,
            bodies: self.bodies.states.len() as u32,
            colliders: scene.colliders.len() as u32,
            meets,
            // What has no friction may get some; liquid never does.
            grip_slots: if free.clone().any(|row| !Phase(row.phase).contains(Phase::LIQUID)) {
                colliders::grip_slots(scene)
            } else {
                0
            },
            shapes: colliders::kinds(scene),
            second_order: constraints.is_second_order(),
            sails: !self.aerodynamics.members.is_empty(),
            surfaces: self.surfaces.are_met(),
            lanes: lanes(context),
            limiters: !scene.limiters.is_empty(),
            tells: self.tells,
            one_way: scene.colliders.iter().any(|collider| collider.one_way.is_some()),
            rolls: self.bodies.properties.iter().any(|body| (body.flags & BODY_BALL) != 0),
            rings: self.particles.rows.iter().any(|row| (row.phase & PHASE_RING) != 0),
            loops: self.articulations.loops || scene.reserve.joints > 0,
            travels: scene.reserve.joints > 0 || scene.joints.iter().any(|joint| joint.desc.kind.travels()),
            tears: !scene.tears.is_empty(),
            mixed: self.fluid.mixed,
            radius: scene.particles.iter().fold(0.0, |r: f32, p| r.max(p.radius)),
        }
    }

    /// The sizes that are left in a frame.
    pub(in crate::solver) fn stages(&self, context: &Context, scene: &Scene, constraints: &ConstraintTables) -> Stages {
        let free = self.particles.rows.iter().filter(|row| row.body == NONE);
        let meeting_balls = broad_phase::meeting_balls(free.map(|row| row.phase));
        let grains = self.sleepers;
        let meets = !scene.bodies.is_empty() || meeting_balls > 0 || grains > 0;
        let world = self.world(context, scene, constraints, meets);
        let surfaces = self.surfaces.stage(world);
        let broad_phase = self.broad_phase.stage(world, meeting_balls);
        Stages {
            bodies: bodies::Stage { bodies: world.bodies },
            particles: particles::Stage { world },
            aerodynamics: aerodynamics::Stage { particles: self.aerodynamics.members.len() as u32 },
            broad_phase,
            narrow_phase: narrow_phase::Stage { world },
            contacts: contacts::Stage { world },
            surfaces,
            ccd: ccd::Stage { world, surfaces: surfaces.is_met(), bodies: surfaces.meets_bodies() },
            constraints: constraints.stage(),
            articulations: articulations::Stage {
                clusters: self.articulations.clusters,
                lanes: world.lanes,
                added: 0,
                reserved: scene.reserve.joints > 0,
            },
            gears: self.gears.stage(),
            emitters: self.emitters.stage(),
            fluid: self.fluid.stage(world),
            sleep: sleep::Stage {
                world,
                assemblies: self.sleep.assemblies(),
                grains,
                proxies: broad_phase.proxies,
                cells: broad_phase.cells,
            },
            forces: forces::Stage {
                world,
                assemblies: self.sleep.assemblies(),
                grains,
                pushes: false,
                field_kinds: Kinds::NONE,
            },
            events: events::Stage::default(),
            sensors: sensors::Stage::default(),
            walkers: walkers::Stage::default(),
        }
    }

    /// Makes all buffers; what moves starts as the tables say. `groups` has the workgroups of a gate that is open.
    pub(in crate::solver) fn create(
        &self,
        context: &Context,
        scene: &Scene,
        constraints: &ConstraintTables,
        stages: &Stages,
        room: &Room,
        gates: &[Gate],
        groups: impl Fn(&Gate) -> [u32; 3],
    ) -> Result<Buffers, GpuError> {
        let mut b = Buffers::new(context);
        let particles = self.particles.rows.len();
        // Written every frame; pictures read it as storage.
        b.create_uniform_for("params", &[ParamsRow::default()], BufferUsages::STORAGE)?;
        self.bodies.create(&mut b, bodies::ignored_room(scene))?;
        self.particles.create(&mut b, &stages.particles.world)?;
        let world = &stages.particles.world;
        self.aerodynamics.create(&mut b, if world.sails { particles } else { 0 })?;
        colliders::create(&mut b, scene, &self.shapes)?;
        search::create(&mut b, gates, groups)?;
        self.broad_phase.create(&mut b, &stages.broad_phase)?;
        narrow_phase::create(&mut b, &self.particles.bodies, world, self.reverse_slots, room)?;
        let phases = self.particles.rows.iter().map(|row| row.phase);
        stages.contacts.create(&mut b, self.bodies.links.len(), phases, room.manifolds)?;
        self.surfaces.create(&mut b, &stages.surfaces, room.surface_pairs)?;
        constraints.create(&mut b, particles)?;
        self.articulations.create(&mut b, scene)?;
        self.gears.create(&mut b)?;
        self.emitters.create(&mut b)?;
        self.fluid.create(&mut b, &stages.fluid, room.liquid_neighbors)?;
        self.sleep.create(&mut b, &stages.sleep)?;
        forces::create(&mut b, 0, 0)?;
        Ok(b)
    }
}

/// The rows that hold the state: what a caller may want back, and what outlives new buffers.
#[derive(Clone, Debug, Default)]
pub(in crate::solver) struct Snapshot {
    pub(in crate::solver) bodies: Vec<BodyState>,
    pub(in crate::solver) particles: Vec<[f32; 4]>,
    pub(in crate::solver) particle_velocities: Vec<[f32; 4]>,
    /// By scene index.
    pub(in crate::solver) joint_states: Vec<JointState>,
    /// How far gears have come.
    pub(in crate::solver) gears: Vec<gears::GearRow>,
    /// What has torn.
    pub(in crate::solver) torn: Torn,
    /// Inverse rest shapes of what flows, in the order of the scene.
    pub(in crate::solver) plastic: Vec<[u32; 9]>,
    /// How rest shapes of global constraints were turned last, in the order of the scene.
    pub(in crate::solver) global_rotations: Vec<[f32; 4]>,
    /// What presses liquid.
    pub(in crate::solver) pressures: Vec<Pressure>,
    /// Those of joints that were added, by place.
    pub(in crate::solver) added_joint_states: Vec<JointState>,
    /// What is counted since the start.
    pub(in crate::solver) counted: Control,
}

impl Snapshot {
    /// Writes what needs no other order than it had.
    ///
    /// # Errors
    /// [`GpuError::Buffer`] if there is more of it than fits.
    pub(in crate::solver) fn restore(&self, constraints: &ConstraintTables, buffers: &Buffers) -> Result<(), GpuError> {
        buffers.upload("particle_pressures", 0, &self.pressures)?;
        self.torn.restore(&constraints.tears, buffers)?;
        buffers.upload("control", 0, &[self.counted])
    }
}
