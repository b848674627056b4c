//! Edits between frames: adding, removing, dragging, and posing what the host moves.

use glam::{Quat, Vec3};
use serde::{Deserialize, Serialize};

use super::properties::Edited;
use crate::constraints::GlobalRow;
use crate::gpu::wgsl::common::body::BODY_REMOVED;
use crate::scene::{Attachment, BodyId, ColliderId, Extent, Field, JointId, Phase, Placement, Pushed, Scene, Thing};
use crate::solver::saving::state::Motion;
use crate::solver::stages::bodies::{self, DragRow};
use crate::solver::stages::constraints::tear::Torn;
use crate::solver::stages::rows::{BodyProperties, BodyState, Control, ParticleRow, quat, vec4};
use crate::solver::step::Woken;
use crate::solver::upload::colliders;
use crate::solver::upload::tables::Snapshot;
use crate::solver::{Solver, SolverError};

/// A pull on one point of a body.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Drag {
    /// The body.
    pub body: BodyId,
    /// The grabbed point in the body's frame [m].
    pub local: Vec3,
    /// Where it is pulled to [m].
    pub goal: Vec3,
    /// Most force [N].
    pub max_force: f32,
}

impl Drag {
    pub(in crate::solver) fn row(&self) -> DragRow {
        DragRow {
            local: vec4(self.local, self.max_force),
            goal: vec4(self.goal, 0.0),
            body: self.body.0,
            ..DragRow::default()
        }
    }
}

impl Solver {
    /// Continues with a scene that has grown: bodies, particles, joints and colliders appended to those there were.
    /// What was there keeps its state and all that was changed in it while it ran, and the parameters are those that run, whatever the
    /// scene has. A new joint, or attachment, takes
    /// what runs where it is now: see [`JointDesc`](crate::scene::JointDesc). Waits for the GPU once.
    ///
    /// # Errors
    /// [`SolverError::Shrunk`] when something is missing, [`SolverError::Differs`] for a scene that does not have what
    /// [`Solver::cut`], [`Solver::add_pressure`] or [`Solver::add_field`] has changed: let a copy of [`Solver::scene`] grow;
    /// [`SolverError::Removed`] when a new joint holds a body that is out of
    /// the world, otherwise as [`Solver::new`]; the world stays as it was.
    pub fn spawn(&mut self, scene: &Scene) -> Result<(), SolverError> {
        self.check_grown(scene)?;
        let state = self.snapshot()?;
        let next = self.continued(scene, &state);
        self.go_on(next, &state)?;
        self.fields_given = scene.fields.len();
        Ok(())
    }

    /// Goes on with another scene from a state; a refusal leaves the world as it was.
    pub(super) fn go_on(&mut self, next: Scene, state: &Snapshot) -> Result<(), SolverError> {
        next.check()?;
        let before = std::mem::replace(&mut self.scene, next);
        self.upload(state).inspect_err(|_| self.scene = before)
    }

    /// Whether a scene continues the present one.
    fn check_grown(&self, scene: &Scene) -> Result<(), SolverError> {
        let shrunk = [
            ("bodies", scene.bodies.len() < self.scene.bodies.len()),
            ("particles", scene.particles.len() < self.scene.particles.len()),
            ("joints", scene.joints.len() < self.scene.joints.len()),
            ("gears", scene.gears.len() < self.scene.gears.len()),
            ("constraints", scene.constraints.len() < self.scene.constraints.len()),
            ("global constraints", scene.global_constraints.len() < self.scene.global_constraints.len()),
            ("attachments", scene.attachments.len() < self.scene.attachments.len()),
            ("colliders", scene.colliders.len() < self.scene.colliders.len()),
            ("places for emitters", scene.reserve.emitters.len() < self.scene.reserve.emitters.len()),
            ("places for joints", scene.reserve.joints < self.scene.reserve.joints),
            ("places for attachments", scene.reserve.attachments < self.scene.reserve.attachments),
            ("room for shapes", colliders::reserved_rows(scene) < colliders::reserved_rows(&self.scene)),
            ("places for colliders", scene.reserve.colliders.len() < self.scene.reserve.colliders.len()),
        ];
        if let Some((what, _)) = shrunk.into_iter().find(|(_, less)| *less) {
            return Err(SolverError::Shrunk(what));
        }
        if let Some(what) = self.differs(scene) {
            return Err(SolverError::Differs(what));
        }
        let joined = scene.joints[self.scene.joints.len()..].iter().flat_map(|joint| [joint.desc.a, joint.desc.b]);
        let removed = |id: &BodyId| self.scene.bodies.get(id.0 as usize).is_some_and(|body| body.removed);
        joined.into_iter().find(removed).map_or(Ok(()), |id| Err(SolverError::Removed(id)))
    }

    /// What of a scene is made otherwise than here, where a running world changes how things are made.
    fn differs(&self, scene: &Scene) -> Option<&'static str> {
        let made = |extent: &Extent| {
            let Extent { first_particle, particle_count, first_constraint, constraint_count, .. } = *extent;
            (first_particle, particle_count, first_constraint, constraint_count, extent.copies.clone())
        };
        let whose = |row: &GlobalRow| row.joined().next();
        let mut objects = self.scene.deformables.iter().zip(&scene.deformables);
        let mut globals = self.scene.global_constraints.iter().zip(&scene.global_constraints);
        if objects.any(|(own, given)| made(own) != made(given)) {
            return Some("objects");
        }
        if globals.any(|(own, given)| whose(own) != whose(given)) {
            return Some("global constraints");
        }
        self.new_fields(scene).is_none().then_some("fields")
    }

    /// The fields that a grown scene has beyond those that run, if it can be told which these are: it grew from the one that was given
    /// last, where none was added since, or from a copy of the running one.
    fn new_fields<'a>(&self, scene: &'a Scene) -> Option<&'a [Option<Field>]> {
        let (running, given) = (&self.scene.fields, self.fields_given);
        let added = scene.fields.get(given..)?;
        let own = &running[given..];
        if own.starts_with(added) { Some(&[]) } else { added.strip_prefix(own) }
    }

    /// A grown scene with what is known here only: what was edited, colliders move, liquid flows, and bodies are removed and
    /// joined where they are.
    fn continued(&self, scene: &Scene, state: &Snapshot) -> Scene {
        let mut next = scene.clone();
        self.keep_edits(&mut next);
        next.colliders[..self.scene.colliders.len()].clone_from_slice(&self.scene.colliders);
        let added = self.new_fields(scene).unwrap_or_default();
        next.fields = [&self.scene.fields, added].concat();
        next.user_data.extend(&self.scene.user_data);
        for (new, old) in next.emitters.iter_mut().zip(&self.scene.emitters) {
            new.clone_from(old);
        }
        for (new, old) in next.pools.iter_mut().zip(&self.scene.pools) {
            new.present.clone_from(&old.present);
        }
        for (new, old) in next.bodies.iter_mut().zip(&self.scene.bodies) {
            new.removed = old.removed || (new.removed && !new.pooled);
            Edited::of(old).put(new);
            for (link, before) in new.links.iter_mut().zip(&old.links) {
                link.local = before.local;
            }
        }
        for (new, old) in next.joints.iter_mut().zip(&self.scene.joints) {
            new.points.clone_from(&old.points);
            new.anchors = old.anchors;
            (new.frame_a, new.frame_b) = (old.frame_a, old.frame_b);
            new.desc = old.desc;
        }
        next.gears[..self.scene.gears.len()].copy_from_slice(&self.scene.gears);
        let running: Vec<Placement> = state.bodies.iter().map(BodyState::placement).collect();
        for joint in self.scene.joints.len()..next.joints.len() {
            next.join_running(joint, &running);
        }
        for attachment in self.scene.attachments.len()..next.attachments.len() {
            let Attachment { particle, body, .. } = next.attachments[attachment];
            let at = running.get(body.0 as usize).copied().unwrap_or(Placement::of(next.body(body)));
            let place = state.particles.get(particle.0 as usize).map(|row| Vec3::from_slice(&row[..3]));
            let place = place.unwrap_or(next.particles[particle.0 as usize].position);
            next.attachments[attachment].local = at.local(place);
        }
        next
    }

    /// What things here are made of and whom they meet is that of the running world, whatever the caller's scene has of them.
    fn keep_edits(&self, next: &mut Scene) {
        next.params = self.scene.params;
        let is_new = |thing: &Thing| {
            let (_, index, count) = self.scene.place_of(*thing);
            index >= count
        };
        next.layers.retain(|thing, _| is_new(thing));
        next.layers.extend(self.scene.layers.iter().map(|(thing, layers)| (*thing, *layers)));
        for (new, old) in next.deformables.iter_mut().zip(&self.scene.deformables) {
            (new.friction, new.gives) = (old.friction, old.gives.clone());
        }
        for (new, old) in next.grains.iter_mut().zip(&self.scene.grains) {
            new.friction = old.friction;
        }
    }

    /// State to keep while buffers are made anew.
    pub(in crate::solver) fn snapshot(&self) -> Result<Snapshot, SolverError> {
        self.buffers.foresee(&["joint_states", "bodies", "particles", "particle_velocities", "gears"]);
        Ok(Snapshot {
            bodies: self.read_bodies()?,
            particles: self.read_particles()?,
            particle_velocities: self.read_particle_velocities()?,
            joint_states: self.read_joint_states()?,
            gears: self.buffers.read("gears")?,
            torn: Torn::read(&self.buffers)?,
            plastic: self.read_plastic()?,
            global_rotations: self.read_global_rotations()?,
            added_joint_states: self.read_added_states()?,
            pressures: self.buffers.read("particle_pressures")?,
            counted: self.read_control()?.since_start(),
        })
    }

    /// Takes a body out of the world: it is not drawn, touches nothing, its joints are broken, and what was attached to it goes free, but for
    /// particles without a mass, which stay where they are. Events tell of joints, and of contacts that end. Sensors of it tell nothing any
    /// more.
    ///
    /// # Errors
    /// [`SolverError::Missing`] for an id that is not of this scene, [`SolverError::Pooled`] for a body of a copy of a pool, which leaves by
    /// [`Solver::despawn`].
    pub fn remove_body(&mut self, id: BodyId) -> Result<(), SolverError> {
        let index = self.body_index(id)?;
        if self.scene.bodies[index].pooled {
            return Err(SolverError::Pooled(id));
        }
        self.leave_joints(|body| body == id)?;
        self.leave_attachments(|_, own| own.body == id)?;
        if !self.scene.bodies[index].removed {
            self.note_comings([Thing::Body(id)], false);
        }
        self.scene.bodies[index].removed = true;
        self.let_go_of(|body| body == id);
        self.sense_bodies(|body| body == id)?;
        self.targets.forget(index);
        self.forget_walker(id);
        let body = &self.scene.bodies[index];
        let properties = self.targets.properties_of(index);
        let properties = BodyProperties { flags: properties.flags | BODY_REMOVED, ..properties };
        let state = bodies::state(body);
        self.buffers.upload("bodies", index, &[state])?;
        self.buffers.upload("saved_bodies", index, &[state])?;
        self.buffers.upload("body_properties", index, &[properties])?;
        for particle in body.links.iter().map(|link| link.particle.0 as usize) {
            let phase = self.scene.particles[particle].phase.0 | Phase::GHOST.0;
            self.phases[particle] = phase;
            self.buffers.upload_fields("particle_rows", particle, std::mem::offset_of!(ParticleRow, phase), &phase)?;
        }
        self.targets.know(index, &[properties]);
        for joint in (0..self.scene.joints.len() as u32).map(JointId) {
            let desc = &self.scene.joint(joint).desc;
            if desc.a == id || desc.b == id {
                self.part_joint(joint.into())?;
            }
        }
        self.search_again()?;
        self.touched.wake(Woken::All);
        Ok(())
    }

    /// Bodies have left the world: nothing pulls or pushes them.
    pub(super) fn let_go_of(&mut self, leaves: impl Fn(BodyId) -> bool) {
        self.drag = self.drag.filter(|drag| !leaves(drag.body));
        self.pushes.forget(|pushed| matches!(pushed, Pushed::Thing(Thing::Body(id)) if leaves(id)));
    }

    /// Puts a body somewhere, with this velocity [m/s] and angular velocity [rad/s]: how the host moves kinematic
    /// bodies, and teleports others. What joints tie to it wakes, and what was near it if it goes elsewhere. A walker stays upright: of the
    /// rotation it takes what turns it about its own axis.
    ///
    /// # Errors
    /// [`SolverError::Missing`] for an id that is not of this scene, [`SolverError::Removed`] for a body that is out of the world;
    /// [`SolverError::Scene`] for numbers that are not finite.
    pub fn set_body_pose(
        &mut self,
        id: BodyId,
        position: Vec3,
        rotation: Quat,
        velocity: Vec3,
        angular_velocity: Vec3,
    ) -> Result<(), SolverError> {
        let index = self.body_index(id)?;
        Scene::check_pose(&self.scene.bodies[index].name, position, rotation, velocity, angular_velocity)?;
        let body = &self.scene.bodies[index];
        if body.removed {
            return Err(SolverError::Removed(id));
        }
        let held = self.targets.contains(index);
        let inv_mass = if body.kinematic || held { 0.0 } else { 1.0 / body.mass };
        let state = BodyState {
            center: position.to_array(),
            inv_mass,
            rotation: quat(self.turn_of_walker(id, rotation.normalize())),
            velocity: velocity.to_array(),
            angular_velocity: angular_velocity.to_array(),
            ..BodyState::default()
        };
        self.buffers.upload("bodies", index, &[state])?;
        if inv_mass > 0.0 {
            self.forget_pushes(index..index + 1)?;
        }
        self.jump_bodies(index, &[state])?;
        self.feel_anew(id);
        self.touched.wake_body(id.0);
        self.hurry();
        self.search_again()
    }

    /// Moves a collider, and lets it go on with this velocity [m/s] and angular velocity [rad/s]. What is near where it was and where it is
    /// wakes; everything, if it is a plane. One that is hidden takes that place once it is shown.
    ///
    /// # Errors
    /// [`SolverError::Missing`] for a collider that is not there, [`SolverError::Absent`] for one of a copy of a pool that is out of the
    /// world, [`SolverError::Left`] for a place that waits for a collider to be added; [`SolverError::Scene`] for numbers that are not
    /// finite.
    pub fn set_collider_pose(
        &mut self,
        id: ColliderId,
        position: Vec3,
        rotation: Quat,
        velocity: Vec3,
        angular_velocity: Vec3,
    ) -> Result<(), SolverError> {
        let index = self.collider_index(id)?;
        Scene::check_pose("collider", position, rotation, velocity, angular_velocity)?;
        if let Some(hidden) = self.hidden.get_mut(&id) {
            *hidden = Motion { position, rotation: rotation.normalize(), velocity, angular_velocity, ..*hidden };
            return Ok(());
        }
        self.disturb_collider(index);
        let collider = &mut self.scene.colliders[index];
        collider.position = position;
        collider.rotation = rotation.normalize();
        collider.velocity = velocity;
        collider.angular_velocity = angular_velocity;
        self.write_collider(index)?;
        self.disturb_collider(index);
        self.jump_collider(index);
        self.touched.colliders_placed = true;
        self.search_again()
    }

    /// Lets the surface of a collider run along itself from now on, at `velocity` in its frame [m/s], as that of a conveyor: zero stops
    /// it. What is near wakes; everything, if it is a plane.
    ///
    /// # Errors
    /// As [`Solver::set_collider_pose`].
    pub fn set_surface_velocity(&mut self, id: ColliderId, velocity: Vec3) -> Result<(), SolverError> {
        let index = self.collider_index(id)?;
        Scene::check_vector("collider", "surface velocity", velocity)?;
        if let Some(hidden) = self.hidden.get_mut(&id) {
            hidden.surface_velocity = velocity;
            return Ok(());
        }
        self.scene.colliders[index].surface_velocity = velocity;
        self.write_collider(index)?;
        self.disturb_collider(index);
        self.search_again()
    }

    /// Writes the row of a collider after its scene has changed.
    pub(super) fn write_collider(&mut self, index: usize) -> Result<(), SolverError> {
        let row = colliders::rows(&self.scene)[index];
        Ok(self.buffers.upload("colliders", index, &[row])?)
    }

    /// Pulls a point of a body, or lets go.
    ///
    /// # Errors
    /// [`SolverError::Missing`] for a body that is not of this scene, [`SolverError::Removed`] for one that is out of the world,
    /// [`SolverError::Scene`] for places that are not finite or a force below 0. What was pulled before is let go of.
    pub fn set_drag(&mut self, drag: Option<Drag>) -> Result<(), SolverError> {
        self.drag = None;
        if let Some(drag) = &drag {
            let index = self.body_in_world(drag.body)?;
            Scene::check_drag(&self.scene.bodies[index].name, drag.local, drag.goal, drag.max_force)?;
        }
        self.drag = drag;
        Ok(())
    }

    /// Something was put elsewhere: forces a search of contacts in the next substep, and of surfaces in the next frame.
    pub(in crate::solver) fn search_again(&mut self) -> Result<(), SolverError> {
        self.asked.stage.put_elsewhere();
        // `surfaces_searched` follows.
        let offset = std::mem::offset_of!(Control, searched) as u64;
        self.context.queue.write_buffer(self.buffers.get("control")?, offset, bytemuck::bytes_of(&[0u32; 2]));
        Ok(())
    }
}
