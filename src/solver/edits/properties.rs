//! What bodies, objects and colliders are made of, changed while the world runs: rows are written, nothing is made anew, and only what is
//! changed and what is near it wakes.

use serde::{Deserialize, Serialize};

use crate::gpu::wgsl::common::body::{BODY_BALL, BODY_TIED};
use crate::gpu::wgsl::common::friction::FRICTION;
use crate::gpu::wgsl::sleep::posed::DISTURBS;
use crate::scene::{Body, BodyId, Dynamics, Scene, SceneError, Surface, Thing};
use crate::solver::stages::rows::{BodyProperties, BodyState, Link, ParticleRow};
use crate::solver::stages::{bodies, particles};
use crate::solver::step::Woken;
use crate::solver::{Solver, SolverError};

/// What of a body can be changed, as a state keeps it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(in crate::solver) struct Edited {
    mass: f32,
    inertia: glam::Mat3,
    surface: Surface,
    pub(in crate::solver) dynamics: Dynamics,
}

impl Edited {
    pub(in crate::solver) fn of(body: &Body) -> Self {
        Self { mass: body.mass, inertia: body.inertia, surface: body.surface, dynamics: body.dynamics }
    }

    pub(in crate::solver) fn put(&self, body: &mut Body) {
        (body.mass, body.inertia, body.surface, body.dynamics) = (self.mass, self.inertia, self.surface, self.dynamics);
    }
}

/// The friction of every object, and the surface of every collider.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(in crate::solver) struct Surfaces {
    objects: Vec<Option<f32>>,
    grains: Vec<f32>,
    colliders: Vec<Surface>,
}

impl Surfaces {
    pub(in crate::solver) fn of(scene: &Scene) -> Self {
        Self {
            objects: scene.deformables.iter().map(|extent| extent.friction).collect(),
            grains: scene.grains.iter().map(|grains| grains.friction).collect(),
            colliders: scene.colliders.iter().map(|collider| collider.surface).collect(),
        }
    }

    pub(in crate::solver) fn put(self, scene: &mut Scene) {
        scene.deformables.iter_mut().zip(self.objects).for_each(|(extent, friction)| extent.friction = friction);
        scene.grains.iter_mut().zip(self.grains).for_each(|(grains, friction)| grains.friction = friction);
        scene.colliders.iter_mut().zip(self.colliders).for_each(|(collider, surface)| collider.surface = surface);
    }
}

/// The row of a body that was changed; what tables alone know is that of the row before.
pub(super) fn properties_after(body: &Body, before: &BodyProperties) -> BodyProperties {
    let made = bodies::properties(body, before.reach);
    BodyProperties {
        shape: before.shape,
        flags: made.flags | (before.flags & (BODY_BALL | BODY_TIED)),
        assembly: before.assembly,
        first_link: before.first_link,
        link_count: before.link_count,
        first_reverse: before.first_reverse,
        reverse_capacity: before.reverse_capacity,
        first_ignored: before.first_ignored,
        ignored_count: before.ignored_count,
        ..made
    }
}

impl Solver {
    /// Sets how a body moves when nothing touches it; one that walks stays upright. It wakes, with what is jointed to it and what
    /// is near it. The first locked axis of a world makes its kernels anew, which waits for the GPU once.
    ///
    /// # Errors
    /// [`SolverError::Missing`] and [`SolverError::Removed`] for a body that is not there, [`SolverError::Scene`] for numbers that are
    /// out of range; nothing changes then.
    pub fn set_dynamics(&mut self, id: BodyId, dynamics: Dynamics) -> Result<(), SolverError> {
        let index = self.body_in_world(id)?;
        dynamics.check(&self.scene.bodies[index].name)?;
        let before = std::mem::replace(&mut self.scene.bodies[index].dynamics, dynamics);
        self.keep_upright(id);
        if dynamics.is_locked() && !self.tells.locks {
            let made = self.make_anew();
            made.inspect_err(|_| self.scene.bodies[index].dynamics = before)?;
        }
        self.write_body(index)
    }

    /// Sets the mass of a body [kg]; its inertia goes with it. It wakes, with what is jointed to it and what is near it.
    ///
    /// # Errors
    /// As [`Solver::set_dynamics`].
    pub fn set_mass(&mut self, id: BodyId, mass: f32) -> Result<(), SolverError> {
        let index = self.body_in_world(id)?;
        let body = &mut self.scene.bodies[index];
        if !(mass > 0.0 && mass.is_finite()) {
            let item = format!("body `{}`", body.name);
            return Err(SceneError::Number { item, field: "mass", value: mass, allowed: "above 0" }.into());
        }
        body.inertia *= mass / body.mass;
        body.mass = mass;
        self.write_shares(index)?;
        self.write_body(index)
    }

    /// Sets the friction and the restitution of a body, a collider, cloth, flesh, a rope or grains. Those but of bodies and colliders have
    /// friction only. What is near a body or a collider wakes; everything does for the others, and for a plane. The first object of a world
    /// with a friction of its own makes its kernels anew, which waits for the GPU once.
    ///
    /// # Errors
    /// [`SolverError::Missing`], [`SolverError::Removed`], [`SolverError::Left`] and [`SolverError::Absent`] for a thing that is not
    /// there, [`SolverError::Scene`] for numbers that are out of range, [`SolverError::NoSurface`] for a liquid, and for restitution where there is none; nothing changes then.
    pub fn set_surface(&mut self, thing: Thing, surface: Surface) -> Result<(), SolverError> {
        let name = self.find_present(thing)?;
        surface.check(&name)?;
        let bounces = matches!(thing, Thing::Body(_) | Thing::Collider(_));
        if matches!(thing, Thing::Liquid(_)) || (!bounces && surface.restitution > 0.0) {
            return Err(SolverError::NoSurface(name));
        }
        match thing {
            Thing::Body(id) => {
                let index = self.body_in_world(id)?;
                self.scene.bodies[index].surface = surface;
                self.write_body(index)
            }
            Thing::Collider(id) => {
                let index = self.collider_index(id)?;
                self.scene.colliders[index].surface = surface;
                self.write_collider(index)?;
                self.disturb_collider(index);
                self.search_again()
            }
            Thing::Deformable(id) => {
                let extent = &mut self.scene.deformables[id.0 as usize];
                let before = extent.friction.replace(surface.friction);
                let ranges: Vec<_> = extent.ranges().collect();
                self.touched.wake(Woken::All);
                if !self.tells.frictions {
                    let made = self.make_anew();
                    return made.inspect_err(|_| self.scene.deformables[id.0 as usize].friction = before);
                }
                ranges.into_iter().try_for_each(|range| self.write_friction(range, surface.friction))
            }
            Thing::Grains(id) => {
                let grains = &mut self.scene.grains[id.0 as usize];
                grains.friction = surface.friction;
                let friction = particles::contact_friction(surface.friction);
                // Heaps that sleep may slide.
                self.touched.wake(Woken::All);
                grains.blocks.clone().into_iter().try_for_each(|block| self.write_friction(block, friction))
            }
            Thing::Liquid(_) => Ok(()),
        }
    }

    /// The friction and restitution of a thing, as contacts take them.
    ///
    /// # Errors
    /// [`SolverError::Missing`] for a thing that is not there.
    pub fn surface(&self, thing: Thing) -> Result<Surface, SolverError> {
        self.find_thing(thing)?;
        Ok(self.surface_of(thing))
    }

    /// The same of a thing that is there.
    pub(in crate::solver) fn surface_of(&self, thing: Thing) -> Surface {
        let rough = |friction| Surface { friction, restitution: 0.0 };
        match thing {
            Thing::Body(id) => self.scene.bodies[id.0 as usize].surface,
            Thing::Collider(id) => self.scene.colliders[id.0 as usize].surface,
            Thing::Deformable(id) => rough(self.scene.deformables[id.0 as usize].friction.unwrap_or(FRICTION)),
            Thing::Grains(id) => rough(self.scene.grains[id.0 as usize].friction),
            Thing::Liquid(_) => rough(0.0),
        }
    }

    pub(in crate::solver) fn body_in_world(&self, id: BodyId) -> Result<usize, SolverError> {
        let index = self.body_index(id)?;
        if self.scene.bodies[index].removed { Err(SolverError::Removed(id)) } else { Ok(index) }
    }

    /// Wakes a body, what joints tie to it, and what is near it: it sleeps again once it has rested.
    ///
    /// # Errors
    /// [`SolverError::Missing`] and [`SolverError::Removed`] for a body that is not there.
    pub fn wake_body(&mut self, id: BodyId) -> Result<(), SolverError> {
        let index = self.body_in_world(id)?;
        self.touched.wake_body(index as u32 | DISTURBS);
        Ok(())
    }

    /// Writes the row of a body after its scene has changed, and wakes it.
    fn write_body(&mut self, index: usize) -> Result<(), SolverError> {
        if self.targets.contains(index) {
            // What has left its hold already is held no more.
            self.find_struck()?;
        }
        let properties = properties_after(&self.scene.bodies[index], &self.targets.properties_of(index));
        self.targets.know(index, &[properties]);
        let row = self.targets.row(index);
        self.buffers.upload("body_properties", index, &[row])?;
        if row.inv_mass > 0.0 {
            // Awake, for a while at least.
            let offset = std::mem::offset_of!(BodyState, inv_mass);
            self.buffers.upload_fields("bodies", index, offset, &row.inv_mass)?;
            self.buffers.upload_fields("bodies", index, std::mem::offset_of!(BodyState, rest_time), &0.0_f32)?;
        }
        self.touched.wake_body(index as u32 | DISTURBS);
        // Grains that wake have no contacts with one another yet.
        self.search_again()
    }

    /// Writes the shares of a body's mass that its particles have.
    pub(super) fn write_shares(&mut self, index: usize) -> Result<(), SolverError> {
        let body = &self.scene.bodies[index];
        let share = body.mass / body.links.len() as f32;
        let first = self.targets.properties_of(index).first_link as usize;
        let offset = std::mem::offset_of!(Link, local) + 12;
        (0..body.links.len()).try_for_each(|k| self.buffers.upload_fields("links", first + k, offset, &share))?;
        let own = |joint: &&usize| {
            let desc = &self.scene.joints[**joint].desc;
            [desc.a, desc.b].iter().any(|id| id.0 as usize == index)
        };
        self.parted.iter().filter(own).try_for_each(|joint| self.write_points(*joint))
    }

    fn write_friction(&mut self, particles: std::ops::Range<u32>, friction: f32) -> Result<(), SolverError> {
        let offset = std::mem::offset_of!(ParticleRow, friction);
        let mut rows = particles.map(|i| i as usize);
        rows.try_for_each(|i| self.buffers.upload_fields("particle_rows", i, offset, &friction))?;
        Ok(())
    }

    /// Wakes what is near a collider; everything if that has no end.
    pub(super) fn disturb_collider(&mut self, index: usize) {
        let collider = &self.scene.colliders[index];
        let radius = collider.shape.bounding_radius();
        if radius.is_finite() && self.touched.disturbed.len() < bodies::MOST_DISTURBED {
            self.touched.disturbed.push(collider.position.extend(radius).to_array());
            self.touched.wake(Woken::Left);
        } else {
            self.touched.wake(Woken::All);
        }
    }
}
