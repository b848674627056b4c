//! Sensors in a running world: what entered, what left, what is inside.

use std::collections::BTreeMap;

use super::comings::Comings;
use super::event::{Event, EventKind, Inside, SensorId};
use crate::scene::{BodyId, Kinds, ParticleId, Phase, Placement, Scene, Sensor, Shape, Thing};
use crate::solver::stages::ground::{NONE, World};
use crate::solver::stages::rows::quat;
use crate::solver::stages::sensors::{self, SENSED_BITS, SensorRow, Tables, UNSENSED};
use crate::solver::upload::colliders;
use crate::solver::{Solver, SolverError};

/// Most counts that come back of a frame: sensors times things.
const MOST_COUNTS: usize = 1 << 17;
/// All shapes that a sensor may have: see `SHAPES` in `shaders/common/shape.wgsl`.
const ALL_SHAPES: u32 = u32::MAX;

/// A sensor that is there.
#[derive(Debug)]
struct Sensing {
    sensor: Sensor,
    /// What it holds.
    inside: Vec<Inside>,
    /// The frame before which its body left the world for good, if it has one and that has left.
    left: Option<u64>,
}

/// What the host knows of sensors.
#[derive(Debug, Default)]
pub(in crate::solver) struct Sensed {
    /// By their ids, in the order of their rows.
    sensors: BTreeMap<u32, Sensing>,
    /// How many there ever were: an id is not used again.
    made: u32,
    /// Things in the order in which they are counted.
    things: Vec<Thing>,
}

impl Sensed {
    /// Whether there is no sensor.
    pub(in crate::solver) fn is_idle(&self) -> bool {
        self.sensors.is_empty()
    }

    /// Forgets what is inside, without telling that it left.
    pub(in crate::solver) fn forget(&mut self) {
        self.sensors.values_mut().for_each(|sensing| sensing.inside.clear());
    }

    /// Time was taken back to the beginning of `frame`: who left later is there again.
    pub(in crate::solver) fn take_back(&mut self, frame: u64) {
        self.sensors.values_mut().for_each(|sensing| sensing.left = sensing.left.filter(|left| *left < frame));
    }

    /// Hears how many particles of each thing each sensor holds.
    pub(in crate::solver) fn hear(
        &mut self,
        scene: &Scene,
        comings: &Comings,
        frame: u64,
        counts: &[u32],
        events: &mut Vec<Event>,
    ) {
        let width = self.things.len().max(1);
        for ((id, sensing), counts) in self.sensors.iter_mut().zip(counts.chunks(width)) {
            let sensor = &sensing.sensor;
            let is_there = |thing: Thing| {
                let is_told = scene.layers_of(thing).are_any_of(sensor.layers);
                is_told
                    && sensor.body.is_none_or(|own| thing != Thing::Body(own))
                    && comings.was_there(scene, thing, frame)
            };
            let counted = self.things.iter().zip(counts).filter(|(thing, count)| **count > 0 && is_there(**thing));
            let now: Vec<Inside> = counted.map(|(thing, count)| Inside { thing: *thing, particles: *count }).collect();
            let before = std::mem::replace(&mut sensing.inside, now);
            let now = &sensing.inside;
            let sensor = SensorId(*id);
            let data = |thing: Thing, frame: u64| comings.user_data(scene, thing, frame);
            let missing = |from: &[Inside], thing: Thing| {
                comings.came_in(thing, frame) || from.iter().all(|inside| inside.thing != thing)
            };
            for Inside { thing, .. } in before.iter().filter(|inside| missing(now, inside.thing)) {
                let kind = EventKind::Left { sensor, thing: *thing, user_data: data(*thing, frame.saturating_sub(1)) };
                events.push(Event { frame, kind });
            }
            for Inside { thing, .. } in now.iter().filter(|inside| missing(&before, inside.thing)) {
                let kind = EventKind::Entered { sensor, thing: *thing, user_data: data(*thing, frame) };
                events.push(Event { frame, kind });
            }
        }
    }

    /// Those that go with a body tell of nothing while it is out of the world.
    fn rows(&self, scene: &Scene) -> Vec<SensorRow> {
        let row = |Sensing { sensor, left, .. }: &Sensing| {
            let is_gone = left.is_some() || sensor.body.is_some_and(|body| scene.bodies[body.0 as usize].removed);
            SensorRow {
                position: sensor.placement.position.to_array(),
                body: sensor.body.map_or(NONE, |body| body.0),
                rotation: quat(sensor.placement.rotation.normalize()),
                kinds: if is_gone { Kinds::NONE.0 } else { sensor.kinds.0 },
                ..SensorRow::default()
            }
        };
        self.sensors.values().map(row).collect()
    }

    fn tables(&self, scene: &Scene) -> Tables {
        let place: BTreeMap<Thing, u32> = self.things.iter().copied().zip(0..).collect();
        let members = scene.members();
        let number = |(particle, index): (&crate::scene::Particle, u32)| {
            let thing = members.thing(ParticleId(index)).filter(|_| particle.phase.0 & Phase::GHOST.0 == 0);
            thing.map_or(UNSENSED, |thing| (Kinds::of(thing).0 << SENSED_BITS) | place[&thing])
        };
        let shapes: Vec<Shape> = self.sensors.values().map(|sensing| sensing.sensor.shape.clone()).collect();
        Tables {
            rows: self.rows(scene),
            shapes: colliders::pack(&shapes, &[], colliders::felt_from(scene)),
            things: scene.particles.iter().zip(0..).map(number).collect(),
            count: self.things.len() as u32,
        }
    }
}

impl Solver {
    /// Adds a region that tells what is inside, from the next frame on; one that goes with a body until that has left the world.
    /// [`Solver::take_events`] tells what entered and left, [`Solver::inside`] what is there, both three frames late. It looks at the
    /// end of every frame: what passes through within one it does not see.
    ///
    /// # Errors
    /// [`SolverError::Scene`] for a shape or a place that is out of range, [`SolverError::Missing`] and [`SolverError::Removed`] for a
    /// body that is not there, [`SolverError::Sensors`] for too many sensors in a world of so many things, [`SolverError::Gpu`] when
    /// the device has no room. Then nothing changes.
    pub fn add_sensor(&mut self, sensor: Sensor) -> Result<SensorId, SolverError> {
        self.check_sensor(&sensor)?;
        let (count, things) = (self.heard.sensed.sensors.len() + 1, self.scene.things(0).count());
        if count * things > MOST_COUNTS {
            return Err(SolverError::Sensors { count, things, most: MOST_COUNTS });
        }
        self.hear_all();
        let sensed = &mut self.heard.sensed;
        let id = sensed.made;
        sensed.sensors.insert(id, Sensing { sensor, inside: Vec::new(), left: None });
        if let Err(error) = self.ready_sensors() {
            self.heard.sensed.sensors.remove(&id);
            self.sense_again();
            return Err(error);
        }
        self.heard.sensed.made += 1;
        Ok(SensorId(id))
    }

    /// Puts a sensor elsewhere, from the next frame on; one that goes with a body, in the body's frame.
    ///
    /// # Errors
    /// [`SolverError::Missing`] for a sensor that is not there, [`SolverError::Scene`] for a place that is out of range.
    pub fn place_sensor(&mut self, id: SensorId, placement: impl Into<Placement>) -> Result<(), SolverError> {
        let sensor = Sensor { placement: placement.into(), ..self.sensing(id)?.sensor.clone() };
        sensor.check()?;
        let sensed = &mut self.heard.sensed;
        sensed.sensors.entry(id.0).and_modify(|sensing| sensing.sensor = sensor);
        let row = sensed.sensors.range(..id.0).count();
        let rows = sensed.rows(&self.scene);
        Ok(self.buffers.upload("sensors", row, &rows[row..=row])?)
    }

    /// Takes a sensor away. What is inside is not told to leave.
    ///
    /// # Errors
    /// [`SolverError::Missing`] for a sensor that is not there.
    pub fn remove_sensor(&mut self, id: SensorId) -> Result<(), SolverError> {
        self.sensing(id)?;
        self.hear_all();
        self.heard.sensed.sensors.remove(&id.0);
        if self.heard.sensed.sensors.is_empty() {
            self.stages.sensors.particles = 0;
            return Ok(());
        }
        self.ready_sensors()
    }

    /// What is inside a sensor, in the order of bodies, objects, liquids and grains, as of three frames ago.
    ///
    /// # Errors
    /// [`SolverError::Missing`] for a sensor that is not there.
    pub fn inside(&self, id: SensorId) -> Result<&[Inside], SolverError> {
        Ok(&self.sensing(id)?.inside)
    }

    fn sensing(&self, id: SensorId) -> Result<&Sensing, SolverError> {
        let sensed = &self.heard.sensed;
        let missing = SolverError::Missing { what: "sensor", index: id.0 as usize, count: sensed.made as usize };
        sensed.sensors.get(&id.0).ok_or(missing)
    }

    /// Which bodies are in the world has changed. Of those that leave it for good sensors tell nothing any more.
    pub(in crate::solver) fn sense_bodies(&mut self, leaves: impl Fn(BodyId) -> bool) -> Result<(), SolverError> {
        let sensed = &mut self.heard.sensed;
        if sensed.sensors.values().all(|sensing| sensing.sensor.body.is_none()) {
            return Ok(());
        }
        let gone = sensed.sensors.values_mut().filter(|sensing| sensing.sensor.body.is_some_and(&leaves));
        gone.for_each(|sensing| _ = sensing.left.get_or_insert(self.frame));
        Ok(self.buffers.upload("sensors", 0, &sensed.rows(&self.scene))?)
    }

    fn check_sensor(&self, sensor: &Sensor) -> Result<(), SolverError> {
        sensor.check()?;
        match sensor.body {
            Some(id) if self.scene.bodies[self.body_index(id)?].removed => Err(SolverError::Removed(id)),
            _ => Ok(()),
        }
    }

    fn ready_sensors(&mut self) -> Result<(), SolverError> {
        self.heard.sensed.things = self.scene.things(0).collect();
        self.heard.sensed.tables(&self.scene).create(&mut self.buffers)?;
        // Sensors have shapes of their own.
        let world = World { shapes: ALL_SHAPES, ..self.stages.particles.world };
        self.bind_passes_in(&sensors::Stage::passes(), Vec::new(), &world)?;
        self.stages.sensors.particles = world.particles;
        Ok(())
    }

    /// After all buffers were made anew.
    pub(in crate::solver) fn sense_again(&mut self) {
        if self.heard.sensed.sensors.is_empty() {
            return;
        }
        if let Err(error) = self.ready_sensors() {
            self.stages.sensors.particles = 0;
            log::error!("sensors tell nothing any more: {error}");
        }
    }
}
