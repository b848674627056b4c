//! Sensors in a running world: what entered, what left, what is inside.

use std::collections::BTreeMap;

use super::event::{Event, EventKind, Inside, SensorId};
use super::ground::{NONE, World};
use super::rows::quat;
use super::sensors::{self, SENSED_BITS, SensorRow, Tables, UNSENSED};
use super::{Solver, SolverError, colliders};
use crate::scene::{Kinds, ParticleId, Phase, Placement, Scene, Sensor, Shape, Thing};

/// Most counts that come back of a frame: sensors times things.
const MOST_COUNTS: usize = 1 << 17;
/// All shapes that a sensor may have: see `SHAPES` in `shaders/common/shape.wgsl`.
const ALL_SHAPES: u32 = u32::MAX;

/// What the host knows of sensors.
#[derive(Debug, Default)]
pub(super) struct Sensed {
    /// By their ids; none where one was removed.
    sensors: Vec<Option<Sensor>>,
    /// Things in the order in which they are counted.
    things: Vec<Thing>,
    /// What each holds.
    inside: Vec<Vec<Inside>>,
}

impl Sensed {
    /// Forgets what is inside, without telling that it left.
    pub(super) fn forget(&mut self) {
        self.inside.iter_mut().for_each(Vec::clear);
    }

    fn is_empty(&self) -> bool {
        self.sensors.iter().all(Option::is_none)
    }

    /// Hears how many particles of each thing each sensor holds.
    pub(super) fn hear(&mut self, scene: &Scene, frame: u64, counts: &[u32], events: &mut Vec<Event>) {
        let width = self.things.len().max(1);
        for (index, counts) in counts.chunks(width).enumerate().take(self.sensors.len()) {
            let Some(sensor) = &self.sensors[index] else { continue };
            let is_there = |thing: Thing| match thing {
                Thing::Body(id) => Some(id) != sensor.body && !scene.bodies[id.0 as usize].removed,
                _ => true,
            };
            let counted = self.things.iter().zip(counts).filter(|(thing, count)| **count > 0 && is_there(**thing));
            let now: Vec<Inside> = counted.map(|(thing, count)| Inside { thing: *thing, particles: *count }).collect();
            let before = std::mem::replace(&mut self.inside[index], now);
            let now = &self.inside[index];
            let sensor = SensorId(index as u32);
            let missing = |from: &[Inside], thing: Thing| from.iter().all(|inside| inside.thing != thing);
            for Inside { thing, .. } in before.iter().filter(|inside| missing(now, inside.thing)) {
                let kind = EventKind::Left { sensor, thing: *thing, user_data: scene.user_data(*thing) };
                events.push(Event { frame, kind });
            }
            for Inside { thing, .. } in now.iter().filter(|inside| missing(&before, inside.thing)) {
                let kind = EventKind::Entered { sensor, thing: *thing, user_data: scene.user_data(*thing) };
                events.push(Event { frame, kind });
            }
        }
    }

    fn rows(&self) -> Vec<SensorRow> {
        let row = |sensor: &Option<Sensor>| {
            sensor.as_ref().map_or(SensorRow { body: NONE, ..SensorRow::default() }, |sensor| SensorRow {
                position: sensor.placement.position.to_array(),
                body: sensor.body.map_or(NONE, |body| body.0),
                rotation: quat(sensor.placement.rotation.normalize()),
                kinds: sensor.kinds.0,
                ..SensorRow::default()
            })
        };
        self.sensors.iter().map(row).collect()
    }

    fn tables(&self, scene: &Scene) -> Tables {
        let place: BTreeMap<Thing, u32> = self.things.iter().copied().zip(0..).collect();
        let members = scene.members();
        let number = |(particle, index): (&crate::scene::Particle, u32)| {
            let thing = members.thing(ParticleId(index)).filter(|_| particle.phase.0 & Phase::GHOST.0 == 0);
            thing.map_or(UNSENSED, |thing| (Kinds::of(thing).0 << SENSED_BITS) | place[&thing])
        };
        let shapes: Vec<Shape> = self
            .sensors
            .iter()
            .map(|sensor| sensor.as_ref().map_or(Shape::Sphere(1.0), |sensor| sensor.shape.clone()))
            .collect();
        Tables {
            rows: self.rows(),
            shapes: colliders::pack(&shapes, &[], colliders::felt_from(scene)),
            things: scene.particles.iter().zip(0..).map(number).collect(),
            count: self.things.len() as u32,
        }
    }
}

impl Solver {
    /// Adds a region that tells what is inside, from the next frame on. [`Solver::take_events`] tells what entered and left,
    /// [`Solver::inside`] what is there, both three frames late. It looks at the end of every frame: what passes through within one it
    /// does not see.
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
        sensed.sensors.push(Some(sensor));
        sensed.inside.push(Vec::new());
        if let Err(error) = self.ready_sensors() {
            self.heard.sensed.sensors.pop();
            self.heard.sensed.inside.pop();
            self.sense_again();
            return Err(error);
        }
        Ok(SensorId(count as u32 - 1))
    }

    /// Puts a sensor elsewhere, from the next frame on; one that goes with a body, in the body's frame.
    ///
    /// # Errors
    /// [`SolverError::Missing`] for a sensor that is not there, [`SolverError::Scene`] for a place that is out of range.
    pub fn place_sensor(&mut self, id: SensorId, placement: impl Into<Placement>) -> Result<(), SolverError> {
        let sensor = Sensor { placement: placement.into(), ..self.sensor(id)?.clone() };
        sensor.check()?;
        self.heard.sensed.sensors[id.0 as usize] = Some(sensor);
        let rows = self.heard.sensed.rows();
        Ok(self.buffers.upload("sensors", id.0 as usize, &rows[id.0 as usize..=id.0 as usize])?)
    }

    /// Takes a sensor away. What is inside is not told to leave.
    ///
    /// # Errors
    /// [`SolverError::Missing`] for a sensor that is not there.
    pub fn remove_sensor(&mut self, id: SensorId) -> Result<(), SolverError> {
        self.sensor(id)?;
        self.hear_all();
        self.heard.sensed.sensors[id.0 as usize] = None;
        self.heard.sensed.inside[id.0 as usize].clear();
        if self.heard.sensed.is_empty() {
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
        self.sensor(id)?;
        Ok(&self.heard.sensed.inside[id.0 as usize])
    }

    fn sensor(&self, id: SensorId) -> Result<&Sensor, SolverError> {
        let sensors = &self.heard.sensed.sensors;
        let missing = SolverError::Missing { what: "sensor", index: id.0 as usize, count: sensors.len() };
        sensors.get(id.0 as usize).and_then(Option::as_ref).ok_or(missing)
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
    pub(super) fn sense_again(&mut self) {
        if self.heard.sensed.is_empty() {
            return;
        }
        if let Err(error) = self.ready_sensors() {
            self.stages.sensors.particles = 0;
            log::error!("sensors tell nothing any more: {error}");
        }
    }
}
