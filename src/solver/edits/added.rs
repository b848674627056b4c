//! Colliders and emitters that enter the running world and leave it, in places that the scene has reserved: rows are written, nothing is
//! made anew.

use std::ops::Range;

use serde::{Deserialize, Serialize};

use super::added_joints::Joints;
use super::attached::Attachments;
use super::slots::Slots;
use crate::scene::{Collider, ColliderId, Emitter, Scene, Shape, Thing};
use crate::solver::stages::{emitters, queries};
use crate::solver::upload::colliders;
use crate::solver::{Solver, SolverError};

/// A collider that was added to the running world. What is added later in its place is another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct AddedCollider {
    slot: u32,
    holder: u64,
}

/// An emitter that was added to the running world. What is added later in its place is another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct AddedEmitter {
    slot: u32,
    holder: u64,
}

/// What is in the reserved places of a scene.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(in crate::solver) struct Added {
    pub(in crate::solver) colliders: Slots,
    /// Rows that the shapes of colliders have of those that the scene reserves, by place; none of plain ones.
    shapes: Vec<Option<Range<u32>>>,
    pub(in crate::solver) emitters: Slots,
    pub(in crate::solver) joints: Joints,
    pub(super) attachments: Attachments,
}

impl Added {
    /// Knows the places that a scene has.
    pub(in crate::solver) fn know(&mut self, scene: &Scene) {
        let colliders = scene.reserve.colliders.len();
        self.colliders.extend_to(colliders);
        self.shapes.resize(colliders.max(self.shapes.len()), None);
        self.emitters.extend_to(scene.reserve.emitters.len());
        self.joints.extend_to(scene.reserve.joints as usize);
        self.attachments.extend_to(scene.reserve.attachments as usize);
    }

    /// Colliders whose shapes have rows of those that the scene reserves.
    pub(in crate::solver) fn apart(&self, scene: &Scene) -> colliders::Apart {
        let own = |(id, rows): (&ColliderId, &Option<Range<u32>>)| Some((*id, rows.clone()?));
        scene.reserve.colliders.iter().zip(&self.shapes).filter_map(own).collect()
    }

    /// Rows for the data of a shape; none for a plain one.
    fn rows_for(&self, shape: &Shape, count: u32) -> Result<Option<Range<u32>>, SolverError> {
        let needed = colliders::data_rows(shape);
        if needed == 0 {
            return Ok(None);
        }
        let taken: Vec<Range<u32>> = self.shapes.iter().flatten().cloned().collect();
        let free = count - taken.iter().map(|own| own.end - own.start).sum::<u32>();
        colliders::free_rows(taken, needed, count).map(Some).ok_or(SolverError::NoShapeRoom { needed, free, count })
    }
}

/// What of reserved places a state keeps, in their order.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(in crate::solver) struct Kept {
    added: Added,
    colliders: Vec<Collider>,
    emitters: Vec<Emitter>,
}

impl Kept {
    pub(in crate::solver) fn of(scene: &Scene, added: &Added) -> Self {
        let collider = |id: &ColliderId| scene.colliders[id.0 as usize].clone();
        Self {
            added: added.clone(),
            colliders: scene.reserve.colliders.iter().map(collider).collect(),
            emitters: scene.reserve.emitters.iter().map(|nozzle| scene.emitters[nozzle.emitter].clone()).collect(),
        }
    }

    /// Puts it back; where colliders are, and how far liquid has gone in nozzles, the state keeps elsewhere.
    pub(in crate::solver) fn put(self, scene: &mut Scene) -> Added {
        let reserve = std::mem::take(&mut scene.reserve);
        for (id, collider) in reserve.colliders.iter().zip(self.colliders) {
            scene.colliders[id.0 as usize] = collider;
        }
        for (nozzle, emitter) in reserve.emitters.iter().zip(self.emitters) {
            scene.emitters[nozzle.emitter] = emitter;
        }
        scene.reserve = reserve;
        self.added
    }
}

impl Solver {
    /// Puts a collider into the running world, in a place that [`Scene::reserve_colliders`] keeps; what is no plane, box, ball, capsule or
    /// cylinder takes of the room that [`Scene::reserve_shapes`] keeps. It is there from the next frame on; what is near it wakes.
    /// [`Solver::collider`] tells its id, by which it is moved; it has no number of the game's own until [`Solver::set_user_data`] gives it one. The next query after one with triangles, a plane or a compound came or left
    /// makes the lists of queries anew.
    ///
    /// # Errors
    /// [`SolverError::Unreserved`] when no place is left, [`SolverError::NoShapeRoom`] when no room is left for its shape,
    /// [`SolverError::NotAdded`] for a kind of shape that the scene neither has nor reserves, and for what holds from one side only where nothing
    /// else does; [`SolverError::Scene`] for numbers out of range. The world stays as it was.
    pub fn add_collider(&mut self, collider: Collider) -> Result<AddedCollider, SolverError> {
        collider.check(self.scene.colliders.len())?;
        let kinds = colliders::kinds_of(std::iter::once(&collider.shape));
        if kinds & !self.stages.particles.world.shapes != 0 && !self.scene.reserve.colliders.is_empty() {
            return Err(SolverError::NotAdded(
                "a collider of a shape like no other; reserve one by Scene::reserve_shapes",
            ));
        }
        if collider.one_way.is_some() && !self.stages.particles.world.one_way {
            return Err(SolverError::NotAdded("the first one-way collider; have one in the scene from the start"));
        }
        let slot = self.added.colliders.free("collider")?;
        let id = self.scene.reserve.colliders[slot];
        let rows = self.added.rows_for(&collider.shape, colliders::reserved_rows(&self.scene))?;
        let rotation = collider.rotation.normalize();
        self.replace_collider(id, Collider { rotation, ..collider }, rows.as_ref())?;
        self.added.shapes[slot] = rows;
        self.disturb_collider(id.0 as usize);
        self.entered += 1;
        self.added.colliders.take(slot, self.entered);
        self.note_comings([Thing::Collider(id)], true);
        Ok(AddedCollider { slot: slot as u32, holder: self.entered })
    }

    /// The id of a collider that was added, good for as long as it is there.
    ///
    /// # Errors
    /// [`SolverError::Left`] once it was removed.
    pub fn collider(&self, added: AddedCollider) -> Result<ColliderId, SolverError> {
        let slot = self.added.colliders.find("collider", added.slot, added.holder)?;
        Ok(self.scene.reserve.colliders[slot])
    }

    /// Takes a collider that was added out of the world; what is near it wakes.
    ///
    /// # Errors
    /// [`SolverError::Left`] when it was removed already.
    pub fn remove_collider(&mut self, added: AddedCollider) -> Result<(), SolverError> {
        let id = self.collider(added)?;
        if self.hidden.remove(&id).is_none() {
            self.disturb_collider(id.0 as usize);
        }
        self.scene.layers.remove(&Thing::Collider(id));
        self.replace_collider(id, Collider::waiting(), None)?;
        self.added.shapes[added.slot as usize] = None;
        self.added.colliders.leave(added.slot as usize);
        self.note_comings([Thing::Collider(id)], false);
        self.write_user_data(Thing::Collider(id), 0);
        Ok(())
    }

    /// The index of a collider that is not a place which waits for one.
    pub(super) fn collider_index(&self, id: ColliderId) -> Result<usize, SolverError> {
        let (index, count) = (id.0 as usize, self.scene.colliders.len());
        if index >= count {
            return Err(SolverError::Missing { what: "collider", index, count });
        }
        if self.scene.absent().any(|part| part.colliders.contains(&id.0)) {
            return Err(SolverError::Absent { what: "collider", index });
        }
        let slot = self.scene.reserve.colliders.iter().position(|reserved| *reserved == id);
        match slot {
            Some(slot) if !self.added.colliders.is_taken(slot) => {
                Err(SolverError::Left { what: "collider", place: slot })
            }
            _ => Ok(index),
        }
    }

    /// Puts another collider into a place; `rows` are those of the data of its shape.
    fn replace_collider(
        &mut self,
        id: ColliderId,
        collider: Collider,
        rows: Option<&Range<u32>>,
    ) -> Result<(), SolverError> {
        let index = id.0 as usize;
        let end = self.buffers.len("shapes") as u32;
        let first = end - colliders::reserved_rows(&self.scene) + rows.map_or(0, |rows| rows.start);
        let (header, data) = colliders::own_shape(&self.scene, id, &collider, first);
        let before = std::mem::replace(&mut self.scene.colliders[index], collider);
        self.buffers.upload("shapes", first as usize, &data)?;
        self.buffers.upload("shapes", 4 * (self.scene.shapes.len() + index), &header)?;
        if [&before.shape, &self.scene.colliders[index].shape].into_iter().any(queries::is_listed) {
            self.list_shapes()?;
        }
        self.write_collider(index)?;
        self.touched.colliders_placed = true;
        self.revision += 1;
        self.search_again()
    }

    /// Shapes are others than queries and walkers know.
    pub(in crate::solver) fn list_shapes(&mut self) -> Result<(), SolverError> {
        self.asked.stage.forget();
        let walkers = self.stages.walkers.walkers;
        if walkers > 0 {
            let kinds = colliders::kinds(&self.scene);
            self.asked.stage.ready_senses(
                &self.context,
                &self.scene,
                &self.classes,
                kinds,
                &mut self.buffers,
                walkers,
            )?;
        }
        Ok(())
    }

    /// Opens a nozzle in the running world, in a place that [`Scene::reserve_emitters`] keeps: where, how wide and how fast `emitter` says.
    /// It has the particles of its place that are out of the world, whatever budget `emitter` has.
    ///
    /// # Errors
    /// [`SolverError::Unreserved`] when no place is left, [`SolverError::NotAdded`] for another substance or a wider nozzle than the one that was
    /// reserved, [`SolverError::Scene`] for numbers out of range. The world stays as it was.
    pub fn add_emitter(&mut self, emitter: &Emitter) -> Result<AddedEmitter, SolverError> {
        let item = format!("emitter `{}`", emitter.name);
        let (radius, _) = self.scene.particle_made_of(&item, emitter.of)?;
        emitter.check(&item, radius)?;
        let slot = self.added.emitters.free("emitter")?;
        let index = self.scene.reserve.emitters[slot].emitter;
        let place = &self.scene.emitters[index];
        if place.of != emitter.of {
            return Err(SolverError::NotAdded("an emitter of this substance; reserve one of it"));
        }
        let (spots, room) = (emitters::spots(emitter, radius), emitters::spot_range(&self.scene, index));
        if spots.len() > room.len() {
            return Err(SolverError::NotAdded("an emitter as wide; reserve wider ones"));
        }
        let (budget, particles) = (place.budget, place.particles.clone());
        self.buffers.upload("emitter_spots", room.start, &spots)?;
        self.scene.emitters[index] = Emitter { budget, particles, way: 0.0, ..emitter.clone() };
        self.hurry();
        self.entered += 1;
        self.added.emitters.take(slot, self.entered);
        Ok(AddedEmitter { slot: slot as u32, holder: self.entered })
    }

    /// Closes a nozzle that was added; what has left it stays.
    ///
    /// # Errors
    /// [`SolverError::Left`] when it was removed already.
    pub fn remove_emitter(&mut self, added: AddedEmitter) -> Result<(), SolverError> {
        let slot = self.added.emitters.find("emitter", added.slot, added.holder)?;
        self.scene.emitters[self.scene.reserve.emitters[slot].emitter].speed = 0.0;
        self.added.emitters.leave(slot);
        Ok(())
    }
}
