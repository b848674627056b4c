//! Copies of pools that enter the running world and leave it: rows are written anew, no buffer is.

use std::collections::BTreeMap;
use std::mem::offset_of;
use std::ops::Range;

use glam::Vec3;
use serde::{Deserialize, Serialize};

use super::properties::properties_after;
use crate::gpu::GpuError;
use crate::gpu::wgsl::articulations::joint::{JOINT_BROKEN, JointState};
use crate::gpu::wgsl::articulations::node::{Answer, Felt, JointNode};
use crate::gpu::wgsl::common::body::{BODY_REMOVED, Pose, PseudoMotion};
use crate::gpu::wgsl::common::friction::FRICTION;
use crate::gpu::wgsl::contacts::collide::ColliderGrip;
use crate::gpu::wgsl::fluid::fluid::Pressure;
use crate::gpu::wgsl::surfaces::primitive::TORN;
use crate::scene::{
    BodyId, Collider, ColliderId, DeformableId, JointDesc, JointId, Layers, Part, Phase, Placement, PoolId, Pushed,
    Scene, Thing, stored_at,
};
use crate::solver::stages::articulations;
use crate::solver::stages::bodies;
use crate::solver::stages::gears::GearRow;
use crate::solver::stages::ground::NONE;
use crate::solver::stages::particles::contact_friction;
use crate::solver::stages::rows::{BodyProperties, BodyState, ParticleRow, quat, vec4};
use crate::solver::step::Woken;
use crate::solver::upload::colliders;
use crate::solver::upload::tables::{Snapshot, Tables};
use crate::solver::{Solver, SolverError};

/// A copy of a pool in the world. The next one in its place is another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Spawned {
    pool: PoolId,
    copy: u32,
    generation: u64,
}

/// What is known of the copies of a pool.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(in crate::solver) struct PoolState {
    /// Copies that are not in the world; the last one goes first.
    free: Vec<u32>,
    /// Who each is in the world, counted from 1 by all that ever entered; 0 while it is not there.
    generations: Vec<u64>,
}

/// What each copy of a pool has as it was made, where the world can change it.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(in crate::solver) struct AsMade {
    joints: Vec<JointDesc>,
    frictions: Vec<Option<f32>>,
    /// Of its bodies, objects and colliders.
    named: Named,
    /// Those of copies that have others than the first, by copy.
    otherwise: BTreeMap<u32, Named>,
}

/// Layers and the game's own numbers of what has them.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
struct Named {
    layers: Vec<Layers>,
    user_data: Vec<u64>,
}

impl Named {
    fn of(scene: &Scene, part: &Part) -> Self {
        Self {
            layers: layered(part).map(|thing| scene.layers_of(thing)).collect(),
            user_data: layered(part).map(|thing| scene.user_data(thing)).collect(),
        }
    }
}

impl AsMade {
    /// As these copies are now; they differ in names alone.
    fn new(scene: &Scene, copies: &[Part]) -> Self {
        let Some(part) = copies.first() else { return Self::default() };
        let named = Named::of(scene, part);
        let others = (0..).zip(copies).map(|(copy, part)| (copy, Named::of(scene, part)));
        Self {
            otherwise: others.filter(|(_, own)| *own != named).collect(),
            named,
            joints: scene.joints[wide(&part.joints)].iter().map(|joint| joint.desc).collect(),
            frictions: scene.deformables[wide(&part.deformables)].iter().map(|extent| extent.friction).collect(),
        }
    }
}

/// What is known of all pools.
#[derive(Debug, Default)]
pub(in crate::solver) struct Pools {
    /// By pool.
    pub(in crate::solver) states: Vec<PoolState>,
    /// By pool.
    pub(in crate::solver) as_made: Vec<AsMade>,
    pub(in crate::solver) rows: PoolRows,
}

/// What of a copy has layers, and a number of the game's own.
fn layered(part: &Part) -> impl Iterator<Item = Thing> {
    let bodies = part.bodies.clone().map(|id| Thing::Body(BodyId(id)));
    let objects = part.deformables.clone().map(|id| Thing::Deformable(DeformableId(id)));
    bodies.chain(objects).chain(part.colliders.clone().map(|id| Thing::Collider(ColliderId(id))))
}

/// Rows that a copy brings back, as they are in the world: of the particles and bodies of all pools, which follow one another.
#[derive(Debug, Default)]
pub(in crate::solver) struct PoolRows {
    first_particle: u32,
    particles: Vec<ParticleRow>,
    first_body: u32,
    bodies: Vec<BodyProperties>,
    /// Primitives of the triangles of surfaces, and the primitive of each triangle.
    primitives: Vec<[u32; 4]>,
    places: Vec<u32>,
    /// Row of each global constraint of the scene.
    globals: Vec<u32>,
}

impl PoolRows {
    /// Sets the class of layers of a particle, if it is of a pool.
    pub(super) fn put_class(&mut self, particle: usize, class: u32) {
        let row = particle.checked_sub(self.first_particle as usize).and_then(|place| self.particles.get_mut(place));
        if let Some(row) = row {
            row.phase = Phase(row.phase).with_class(class).0;
        }
    }

    /// As the phases of all particles have them.
    pub(in crate::solver) fn put_classes(&mut self, phases: &[u32]) {
        for (row, phase) in self.particles.iter_mut().zip(phases.iter().skip(self.first_particle as usize)) {
            row.phase = Phase(row.phase).with_class(phase >> 28).0;
        }
    }

    /// Keeps what the pools of a scene need; nothing where there are none.
    pub(in crate::solver) fn new(scene: &Scene, tables: &Tables, globals: Vec<u32>) -> Self {
        if scene.pools.is_empty() {
            return Self::default();
        }
        let copies = || scene.pools.iter().flat_map(|pool| &pool.copies);
        let hull = |of: fn(&Part) -> &Range<u32>| {
            let (first, end) = (copies().map(|part| of(part).start).min(), copies().map(|part| of(part).end).max());
            first.unwrap_or(0)..end.unwrap_or(0)
        };
        let (particles, bodies) = (hull(|part| &part.particles), hull(|part| &part.bodies));
        let (primitives, places) = tables.surfaces.torn_ones();
        Self {
            first_particle: particles.start,
            particles: tables.particles.rows[wide(&particles)].to_vec(),
            first_body: bodies.start,
            bodies: tables.bodies.properties[wide(&bodies)].to_vec(),
            primitives: primitives.to_vec(),
            places: places.to_vec(),
            globals,
        }
    }
}

impl Tables {
    /// Keeps what pools have out of the world.
    pub(in crate::solver) fn store_absent(&mut self, scene: &Scene) {
        for part in scene.absent() {
            for i in wide(&part.particles) {
                if self.particles.is_free(i) {
                    self.particles.positions[i] = stored(scene, i);
                    self.particles.velocities[i] = [0.0; 4];
                    self.particles.rows[i].sleeper = 0.0;
                }
            }
            for body in wide(&part.bodies) {
                self.bodies.states[body] = gone(scene, body);
            }
            for triangle in wide(&part.triangles) {
                self.surfaces.set_torn(triangle);
            }
        }
    }
}

pub(in crate::solver) fn wide(range: &Range<u32>) -> Range<usize> {
    range.start as usize..range.end as usize
}

/// Where a particle is while it is not in the world, with its radius.
fn stored(scene: &Scene, particle: usize) -> [f32; 4] {
    let radius = scene.particles[particle].radius;
    vec4(stored_at(particle as u32, radius), radius)
}

/// A body that is not in the world.
fn gone(scene: &Scene, body: usize) -> BodyState {
    let [x, y, z, _] = stored(scene, scene.bodies[body].first_particle as usize);
    BodyState { center: [x, y, z], ..BodyState::default() }
}

impl Solver {
    /// How many copies of a pool can still enter the world.
    ///
    /// # Errors
    /// [`SolverError::Missing`] for a pool that the scene does not have.
    pub fn room_in(&self, pool: PoolId) -> Result<usize, SolverError> {
        Ok(self.pool_state(pool)?.free.len())
    }

    /// What a copy in the world has in the scene: its bodies, colliders, objects, for as long as it stays.
    ///
    /// # Errors
    /// [`SolverError::Stale`] once it has left the world.
    pub fn part(&self, spawned: Spawned) -> Result<&Part, SolverError> {
        let state = self.pool_state(spawned.pool)?;
        if state.generations.get(spawned.copy as usize) != Some(&spawned.generation) {
            return Err(SolverError::Stale(spawned));
        }
        Ok(&self.scene.pools[spawned.pool.0 as usize].copies[spawned.copy as usize])
    }

    /// The copy in the world that a body, a collider or an object is of: what events and queries name is found, and can leave.
    /// None for what is of no pool, or of a copy that is not there.
    pub fn spawned_of(&self, thing: Thing) -> Option<Spawned> {
        let has = |part: &Part| match thing {
            Thing::Body(id) => part.bodies.contains(&id.0),
            Thing::Collider(id) => part.colliders.contains(&id.0),
            Thing::Deformable(id) => part.deformables.contains(&id.0),
            _ => false,
        };
        for (index, pool) in self.scene.pools.iter().enumerate() {
            let Some(copy) = pool.copies.iter().position(has) else { continue };
            let generation = self.pools.states[index].generations[copy];
            let spawned = Spawned { pool: PoolId(index as u32), copy: copy as u32, generation };
            return (generation > 0).then_some(spawned);
        }
        None
    }

    /// Which copy in the world a body is of, by when it entered; 0 if it is of no pool, none while it is not there.
    pub(in crate::solver) fn life_of(&self, id: BodyId) -> Option<u64> {
        let body = self.scene.bodies.get(id.0 as usize).filter(|body| !body.removed)?;
        if body.pooled { self.spawned_of(Thing::Body(id)).map(|copy| copy.generation) } else { Some(0) }
    }

    /// Puts a copy of a pool into the world: turned and moved by `at`, and faster by `velocity` [m/s]. It is there from the next
    /// frame on, as new, whatever became of the one that was there before.
    ///
    /// # Errors
    /// [`SolverError::Missing`] for a pool that the scene does not have, [`SolverError::PoolEmpty`] when all copies are in the world,
    /// [`SolverError::Scene`] for numbers that are not finite, and for locked axes that do not come along axes of the world.
    pub fn spawn_from(&mut self, pool: PoolId, at: Placement, velocity: Vec3) -> Result<Spawned, SolverError> {
        let spawned = self.spawn_apart(pool, at, velocity)?;
        let bodies = self.part(spawned)?.bodies.clone();
        // Where the copy before was that has just left is not known any more, and so not what lay on it.
        if self.touched.posed.range(bodies).next().is_some() {
            self.touched.wake(Woken::All);
        }
        Ok(spawned)
    }

    /// As [`Solver::spawn_from`], where nothing can lie on a copy that has just left.
    pub(super) fn spawn_apart(&mut self, pool: PoolId, at: Placement, velocity: Vec3) -> Result<Spawned, SolverError> {
        let state = self.pool_state(pool)?;
        let Some(copy) = state.free.last().copied() else {
            return Err(SolverError::PoolEmpty { pool, count: state.generations.len() });
        };
        self.spawn_copy(pool, copy, at, velocity)
    }

    /// As [`Solver::spawn_apart`], of this copy, which is not in the world.
    pub(in crate::solver) fn spawn_copy(
        &mut self,
        pool: PoolId,
        copy: u32,
        at: Placement,
        velocity: Vec3,
    ) -> Result<Spawned, SolverError> {
        Scene::check_pose("what is spawned", at.position, at.rotation, velocity, Vec3::ZERO)?;
        let at = Placement { rotation: at.rotation.normalize(), ..at };
        self.scene.pools[pool.0 as usize].bodies.iter().try_for_each(|body| body.check_turned(at.rotation))?;
        self.enter(pool, copy, at, velocity)?;
        self.entered += 1;
        let state = &mut self.pools.states[pool.0 as usize];
        state.free.retain(|free| *free != copy);
        state.generations[copy as usize] = self.entered;
        Ok(Spawned { pool, copy, generation: self.entered })
    }

    /// Takes a copy of a pool out of the world; what lay on it wakes.
    ///
    /// # Errors
    /// [`SolverError::Stale`] when it has left the world already.
    pub fn despawn(&mut self, spawned: Spawned) -> Result<(), SolverError> {
        let part = self.part(spawned)?.clone();
        self.sense_bodies(|body| part.bodies.contains(&body.0))?;
        wide(&part.bodies).for_each(|body| self.forget_walker(BodyId(body as u32)));
        self.take_out(spawned.pool, spawned.copy, &part)
    }

    /// Takes a copy out that comes back at once, if it is there; its walkers and what is fixed to its bodies stay.
    pub(in crate::solver) fn empty_copy(&mut self, pool: PoolId, copy: u32) -> Result<(), SolverError> {
        if self.pool_state(pool)?.free.contains(&copy) {
            return Ok(());
        }
        let part = self.scene.pools[pool.0 as usize].copies[copy as usize].clone();
        wide(&part.bodies).for_each(|body| self.stand_anew(BodyId(body as u32)));
        self.take_out(pool, copy, &part)
    }

    fn take_out(&mut self, pool: PoolId, copy: u32, part: &Part) -> Result<(), SolverError> {
        self.leave(part)?;
        self.scene.pools[pool.0 as usize].present[copy as usize] = false;
        let state = &mut self.pools.states[pool.0 as usize];
        state.free.push(copy);
        state.generations[copy as usize] = 0;
        Ok(())
    }

    /// Knows the pools that a scene has, and forgets none that it knew.
    pub(in crate::solver) fn know_pools(&mut self) {
        for pool in self.scene.pools.iter().skip(self.pools.states.len()) {
            self.pools.as_made.push(AsMade::new(&self.scene, &pool.copies));
            // A scene of a world that has run has copies in it.
            let mut state = PoolState::default();
            for (copy, present) in (0..).zip(&pool.present) {
                self.entered += u64::from(*present);
                state.generations.push(if *present { self.entered } else { 0 });
                state.free.extend((!present).then_some(copy));
            }
            state.free.reverse();
            self.pools.states.push(state);
        }
    }

    /// What has become of each joint, in this order; those of copies that are not in the world are broken.
    pub(in crate::solver) fn joint_states(&self, before: &Snapshot, order: &[u32]) -> Vec<JointState> {
        let mut states = vec![JointState::default(); self.scene.joints.len()];
        let absent = JointState { broken: JOINT_BROKEN, ..JointState::default() };
        self.scene.absent().for_each(|part| states[wide(&part.joints)].fill(absent));
        states[..before.joint_states.len()].copy_from_slice(&before.joint_states);
        order.iter().map(|joint| states[*joint as usize]).collect()
    }

    fn pool_state(&self, pool: PoolId) -> Result<&PoolState, SolverError> {
        let (index, count) = (pool.0 as usize, self.pools.states.len());
        self.pools.states.get(index).ok_or(SolverError::Missing { what: "pool", index, count })
    }

    fn enter(&mut self, pool: PoolId, copy: u32, at: Placement, velocity: Vec3) -> Result<(), SolverError> {
        let mut pools = std::mem::take(&mut self.scene.pools);
        let kept = &mut pools[pool.0 as usize];
        let part = kept.copies[copy as usize].clone();
        kept.present[copy as usize] = true;
        kept.places[copy as usize] = (at, velocity);
        let masses: Vec<f32> = self.scene.bodies[wide(&part.bodies)].iter().map(|body| body.mass).collect();
        self.scene.place_part(&part, kept, at, velocity);
        self.scene.pools = pools;
        for body in wide(&part.bodies) {
            self.scene.bodies[body].removed = false;
            self.keep_upright(BodyId(body as u32));
        }
        self.renew(pool, copy, &part)?;
        self.write_particles(&part, true)?;
        self.write_bodies(&part, true)?;
        for (body, mass) in wide(&part.bodies).zip(masses) {
            if self.scene.bodies[body].mass != mass {
                self.write_shares(body)?;
            }
        }
        for global in wide(&part.global_constraints) {
            let row = self.pools.rows.globals[global] as usize;
            self.buffers.upload("global_rotations", row, &[quat(at.rotation)])?;
        }
        self.write_triangles(&part, true)?;
        self.write_colliders(&part)?;
        self.note_comings(layered(&part), true);
        self.hurry();
        self.search_again()
    }

    /// Puts copies where they were put last: tables are made from there, also of those that have left since.
    pub(in crate::solver) fn place_copies(&mut self, places: Vec<Vec<(Placement, Vec3)>>) {
        let mut pools = std::mem::take(&mut self.scene.pools);
        for (pool, places) in pools.iter_mut().zip(places) {
            for (copy, (at, velocity)) in places.into_iter().enumerate() {
                if std::mem::replace(&mut pool.places[copy], (at, velocity)) == (at, velocity) {
                    continue;
                }
                let part = pool.copies[copy].clone();
                self.scene.place_part(&part, pool, at, velocity);
                if !pool.present[copy] {
                    self.scene.colliders[wide(&part.colliders)].iter_mut().for_each(Collider::store);
                }
            }
        }
        self.scene.pools = pools;
    }

    /// Undoes what was changed of a copy that was in the world before.
    fn renew(&mut self, pool: PoolId, copy: u32, part: &Part) -> Result<(), SolverError> {
        let made = &self.pools.as_made[pool.0 as usize];
        let named = made.otherwise.get(&copy).unwrap_or(&made.named).clone();
        let (joints, frictions) = (made.joints.clone(), made.frictions.clone());
        for (thing, layers) in layered(part).zip(named.layers) {
            if self.scene.layers_of(thing) != layers {
                self.set_layers(thing, layers)?;
            }
        }
        for (thing, data) in layered(part).zip(named.user_data) {
            self.write_user_data(thing, data);
        }
        for (joint, desc) in wide(&part.joints).zip(joints) {
            let own = &mut self.scene.joints[joint].desc;
            let JointDesc { limits, travel, motor, friction, damping, break_force, .. } = desc;
            let desc = JointDesc { limits, travel, motor, friction, damping, break_force, ..*own };
            if std::mem::replace(own, desc) != desc {
                let row = self.joints.rows[joint] as usize;
                self.buffers.upload("joints", row, &[articulations::row_of(&self.scene, joint)])?;
            }
        }
        for (gear, ties) in self.scene.gears.iter().enumerate() {
            if part.joints.contains(&ties.first.0) {
                self.buffers.upload_fields("gears", gear, offset_of!(GearRow, meshes), &0_u32)?;
            }
        }
        for (object, friction) in wide(&part.deformables).zip(frictions) {
            let extent = &mut self.scene.deformables[object];
            extent.friction = friction;
            // A state that was put back may have undone the change of the object alone.
            let first = (extent.first_particle.0 - self.pools.rows.first_particle) as usize;
            let rows = &mut self.pools.rows.particles[first..first + extent.particle_count as usize];
            rows.iter_mut().for_each(|row| row.friction = friction.unwrap_or(FRICTION));
        }
        for grains in &self.scene.grains {
            let friction = contact_friction(grains.friction);
            let own = |block: &Range<u32>| block.start.max(part.particles.start)..block.end.min(part.particles.end);
            for i in grains.blocks.iter().flat_map(own) {
                self.pools.rows.particles[(i - self.pools.rows.first_particle) as usize].friction = friction;
            }
        }
        Ok(self.harden(part.deformables.clone())?)
    }

    fn leave(&mut self, part: &Part) -> Result<(), SolverError> {
        let is_own = |body: BodyId| part.bodies.contains(&body.0);
        self.leave_joints(is_own)?;
        self.leave_attachments(|_, own| is_own(own.body) || part.particles.contains(&own.particle.0))?;
        self.let_go_of(is_own);
        self.pushes.forget(|pushed| match pushed {
            Pushed::Particle(id) => part.particles.contains(&id.0),
            Pushed::Thing(Thing::Deformable(id)) => part.deformables.contains(&id.0),
            Pushed::Thing(_) => false,
        });
        self.hidden.retain(|id, _| !part.colliders.contains(&id.0));
        for body in wide(&part.bodies) {
            self.scene.bodies[body].removed = true;
            self.targets.forget(body);
            self.touched.posed.insert(body as u32);
        }
        for collider in wide(&part.colliders) {
            self.scene.colliders[collider].store();
        }
        // Bodies rest on what is near theirs; who rested on free particles or a collider nobody knows.
        let known = part.colliders.is_empty() && wide(&part.particles).all(|i| !self.is_free(i));
        self.touched.wake(if known { Woken::Left } else { Woken::All });
        self.forget_pins(&part.particles);
        self.write_particles(part, false)?;
        self.write_bodies(part, false)?;
        self.write_triangles(part, false)?;
        self.write_colliders(part)?;
        self.note_comings(layered(part), false);
        self.hurry();
        self.search_again()
    }

    fn is_free(&self, particle: usize) -> bool {
        self.pools.rows.particles[particle - self.pools.rows.first_particle as usize].link == NONE
    }

    /// Where particles are and how fast, whom they meet, and that nothing holds them yet.
    fn write_particles(&mut self, part: &Part, present: bool) -> Result<(), GpuError> {
        let (range, first) = (wide(&part.particles), part.particles.start as usize);
        if range.is_empty() {
            return Ok(());
        }
        let inverse = |mass: f32| if mass > 0.0 { 1.0 / mass } else { 0.0 };
        let (mut rows, mut places, mut velocities) = (Vec::new(), Vec::new(), Vec::new());
        for i in range.clone() {
            let mut row = self.pools.rows.particles[i - self.pools.rows.first_particle as usize];
            let (particle, free) = (&self.scene.particles[i], self.is_free(i));
            row.phase = (row.phase & !Phase::GHOST.0) | (particle.phase.0 & Phase::GHOST.0);
            if !present {
                row.phase |= if free { 0 } else { Phase::GHOST.0 };
                row.sleeper = 0.0;
            }
            self.phases[i] = row.phase;
            rows.push(row);
            let there = present || !free;
            places.push(if there { vec4(particle.position, particle.radius) } else { stored(&self.scene, i) });
            velocities.push(if there { vec4(particle.velocity, inverse(particle.mass)) } else { [0.0; 4] });
        }
        self.buffers.upload("particle_rows", first, &rows)?;
        self.put_particles(first, &places, &velocities)
    }

    /// Puts particles from `first` on somewhere else, where nothing holds them yet.
    pub(in crate::solver) fn put_particles(
        &self,
        first: usize,
        places: &[[f32; 4]],
        velocities: &[[f32; 4]],
    ) -> Result<(), GpuError> {
        self.buffers.upload("particles", first, places)?;
        self.buffers.upload("saved_particles", first, places)?;
        self.jump_particles(first, places)?;
        self.buffers.upload("particle_velocities", first, velocities)?;
        self.clear::<Pressure>("particle_pressures", first, places.len())?;
        self.clear::<[f32; 4]>("particle_rests", first, places.len())?;
        let particles = self.stages.particles.world.particles as usize;
        for slot in 0..self.buffers.len("collider_grips") / particles {
            self.clear::<ColliderGrip>("collider_grips", slot * particles + first, places.len())?;
        }
        Ok(())
    }

    /// Writes zeros where the buffer has rows for them.
    fn clear<T: bytemuck::Pod>(&self, name: &str, first: usize, count: usize) -> Result<(), GpuError> {
        if self.buffers.len(name) == 0 {
            return Ok(());
        }
        self.buffers.upload(name, first, &vec![T::zeroed(); count])
    }

    fn write_bodies(&mut self, part: &Part, present: bool) -> Result<(), SolverError> {
        let (range, first) = (wide(&part.bodies), part.bodies.start as usize);
        if range.is_empty() {
            return Ok(());
        }
        let of = |body: usize| match present {
            true => bodies::state(&self.scene.bodies[body]),
            false => gone(&self.scene, body),
        };
        let states: Vec<BodyState> = range.clone().map(of).collect();
        let properties = range.clone().map(|body| {
            let row = self.pools.rows.bodies[body - self.pools.rows.first_body as usize];
            match present {
                true => properties_after(&self.scene.bodies[body], &row),
                false => BodyProperties { flags: row.flags | BODY_REMOVED, ..row },
            }
        });
        let properties: Vec<BodyProperties> = properties.collect();
        let poses: Vec<Pose> =
            states.iter().map(|b| Pose { center: b.center, rotation: b.rotation, ..Pose::default() }).collect();
        self.buffers.upload("bodies", first, &states)?;
        self.jump_bodies(first, &states)?;
        self.buffers.upload("body_properties", first, &properties)?;
        self.targets.know(first, &properties);
        if present {
            // Who left the world still says where it was, to wake what was near. Who takes its place at once was nowhere near: what held it
            // there has nothing to hold on to.
            let before = |(body, state): (usize, &BodyState)| match self.touched.posed.contains(&(body as u32)) {
                true => BodyState { center: gone(&self.scene, body).center, ..*state },
                false => *state,
            };
            let before: Vec<BodyState> = range.clone().zip(&states).map(before).collect();
            self.buffers.upload("saved_bodies", first, &before)?;
            self.buffers.upload("rest_poses", first, &poses)?;
            self.buffers.upload("body_origins", first, &poses)?;
            self.forget_pushes(range)?;
        }
        for joint in part.joints.clone() {
            let row = self.joints.rows[joint as usize] as usize;
            let broken = if present { 0 } else { JOINT_BROKEN };
            self.buffers.upload("joint_states", row, &[JointState { broken, ..JointState::default() }])?;
            let joint = JointId(joint).into();
            self.heard.broken.set(joint, self.frame, !present);
            if present {
                self.share_points(joint, false)?;
            }
        }
        Ok(())
    }

    /// Contacts and joints push these bodies in the next substep as if they had not pushed them in the one before.
    pub(super) fn forget_pushes(&self, bodies: Range<usize>) -> Result<(), GpuError> {
        self.buffers.upload("body_pseudo_motions", bodies.start, &vec![PseudoMotion::default(); bodies.len()])?;
        for node in bodies.map(|body| self.joints.nodes[body]).filter(|node| *node != NONE) {
            let (felt, moved) = (offset_of!(JointNode, felt), offset_of!(JointNode, moved));
            self.buffers.upload_fields("joint_nodes", node as usize, felt, &Felt::default())?;
            self.buffers.upload_fields("joint_nodes", node as usize, moved, &Answer::default())?;
        }
        Ok(())
    }

    /// Triangles that are touched, or are not.
    fn write_triangles(&self, part: &Part, present: bool) -> Result<(), GpuError> {
        let places = wide(&part.triangles).map(|triangle| self.pools.rows.places[triangle] as usize);
        let mut places: Vec<usize> = places.filter(|place| *place < self.pools.rows.primitives.len()).collect();
        places.sort_unstable();
        for run in places.chunk_by(|a, b| a + 1 == *b) {
            let rows: Vec<[u32; 4]> = run
                .iter()
                .map(|place| self.pools.rows.primitives[*place])
                .map(|[a, b, c, bits]| [a, b, c, if present { bits & !TORN } else { bits | TORN }])
                .collect();
            self.buffers.upload("primitives", run[0], &rows)?;
        }
        Ok(())
    }

    fn write_colliders(&mut self, part: &Part) -> Result<(), GpuError> {
        let range = wide(&part.colliders);
        if range.is_empty() {
            return Ok(());
        }
        let rows = colliders::rows(&self.scene);
        self.buffers.upload("colliders", range.start, &rows[range.clone()])?;
        range.for_each(|collider| self.jump_collider(collider));
        self.touched.colliders_placed = true;
        self.touched.wake(Woken::All);
        Ok(())
    }
}
