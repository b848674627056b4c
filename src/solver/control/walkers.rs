//! Walkers in a running world: where the game tells them to go, and how they stand.

use std::collections::{BTreeMap, VecDeque};

use glam::{BVec3, Quat, Vec3};
use serde::{Deserialize, Serialize};

use crate::gpu::{GpuError, wgpu};
use crate::scene::{
    BodyId, DeformableId, Dynamics, Footing, Ground, Kinds, Layers, Scene, SceneError, Shape, Thing, Walker,
};
use crate::solver::readback::health::LATENCY;
use crate::solver::readback::late::{Rooms, Shared};
use crate::solver::readback::poses::Waiting;
use crate::solver::stages::ground::NONE;
use crate::solver::stages::queries;
use crate::solver::stages::walkers::{self, FootingRow, Stage, WalkerRow};
use crate::solver::upload::colliders;
use crate::solver::{Solver, SolverError};

/// Part by which a capsule may differ from that of its walker.
const ALIKE: f32 = 1e-3;

/// A walker, and what it was told last.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(in crate::solver) struct Told {
    body: BodyId,
    walker: Walker,
    wish: Vec3,
    jump_speed: f32,
    jumps: u32,
    /// About which axes the body did not turn before it walked.
    upright: BVec3,
}

/// What the host knows of walkers.
#[derive(Debug, Default)]
pub(in crate::solver) struct Walkers {
    /// By their rows; none where one was taken away.
    pub(in crate::solver) told: Vec<Option<Told>>,
    rows: Vec<WalkerRow>,
    /// What they felt, on its way back.
    pub(in crate::solver) sent: Steps,
    rooms: Rooms,
    pub(in crate::solver) known: BTreeMap<BodyId, Footing>,
    /// What they knew in buffers that are gone.
    before: Option<wgpu::Buffer>,
}

/// What walkers felt at the start of a frame.
pub(in crate::solver) type Steps = VecDeque<Waiting<Walking>>;

/// Bodies of walkers by their rows.
pub(in crate::solver) type Walking = Vec<Option<BodyId>>;

impl Walkers {
    /// Keeps what they know through new buffers.
    pub(in crate::solver) fn keep(&mut self, buffer: Option<wgpu::Buffer>) {
        self.before = buffer;
    }

    /// Forgets how a body stood, and what of that is on its way.
    fn forget(&mut self, body: BodyId) {
        self.known.remove(&body);
        let own = |walker: &&mut Option<BodyId>| **walker == Some(body);
        self.sent.iter_mut().flat_map(|sent| &mut sent.what).filter(own).for_each(|walker| *walker = None);
    }

    fn slot(&self, body: BodyId) -> Result<usize, SolverError> {
        let own = |told: &Option<Told>| told.is_some_and(|told| told.body == body);
        self.told.iter().position(own).ok_or(SolverError::NoWalker(body))
    }
}

impl Told {
    fn row(&self, scene: &Scene, classes: &[Layers]) -> WalkerRow {
        let walker = &self.walker;
        let own = scene.layers_of(Thing::Body(self.body));
        WalkerRow {
            wish: self.wish.to_array(),
            body: self.body.0,
            jump_speed: self.jump_speed,
            jumps: self.jumps,
            half_height: 0.5 * walker.height,
            radius: walker.radius,
            step: walker.step,
            least_up: walker.slope.cos(),
            acceleration: walker.acceleration,
            air_acceleration: walker.air_acceleration,
            push: walker.push,
            kinds: Kinds::ALL.0 & !Kinds::LIQUIDS.0 | queries::layers(classes, |layers| own.meet(layers)),
            ..WalkerRow::default()
        }
    }
}

/// Of what is around the triangles of every deformable [m].
fn thicknesses(scene: &Scene) -> Vec<f32> {
    let objects = (0..scene.deformables.len() as u32).map(DeformableId);
    objects.map(|id| scene.particles_of(id).iter().map(|particle| particle.radius).fold(0.0, f32::max)).collect()
}

/// Things that a body passes through whatever their layers, and itself; `added` has those of each body that joints tie to it since the world runs.
fn passed(scene: &Scene, added: &BTreeMap<u32, Vec<u32>>, body: BodyId) -> Vec<Thing> {
    let mut things = vec![Thing::Body(body)];
    things.extend(scene.body(body).ignores.iter().map(|other| Thing::Body(*other)));
    things.extend(added.get(&body.0).into_iter().flatten().map(|other| Thing::Body(BodyId(*other))));
    things
}

impl Solver {
    /// Lets a body walk from the next frame on: by itself it stands, and [`Solver::walk`] tells it where to go. It climbs steps, stands on
    /// slopes, rides on what moves under it, and pushes what is in its way; see [`Walker`]. It feels what is around it on the GPU, in the
    /// frame in which it walks. A body that walks already changes how. It never sleeps, and is kept upright: the first body of a world
    /// that is makes its kernels anew, which waits for the GPU once.
    ///
    /// # Errors
    /// [`SolverError::Missing`] and [`SolverError::Removed`] for a body that is not there, [`SolverError::Scene`] for numbers out of
    /// range, [`SolverError::CannotWalk`] for a body that is not the capsule of this walker (see [`Walker::body`]) or that the host
    /// moves, [`SolverError::Gpu`] when the device has no room. Then nothing changes.
    pub fn add_walker(&mut self, body: BodyId, walker: Walker) -> Result<(), SolverError> {
        walker.check()?;
        let index = self.body_in_world(body)?;
        self.check_capsule(index, &walker)?;
        let dynamics = self.scene.bodies[index].dynamics;
        if !dynamics.upright.all() {
            self.set_dynamics(body, Dynamics { upright: BVec3::TRUE, ..dynamics })?;
        }
        let before = self.walkers.told.clone();
        match self.walkers.slot(body) {
            Ok(slot) => {
                if let Some(told) = &mut self.walkers.told[slot] {
                    told.walker = walker;
                }
            }
            Err(_) => {
                let told =
                    Some(Told { body, walker, wish: Vec3::ZERO, jump_speed: 0.0, jumps: 0, upright: dynamics.upright });
                match self.walkers.told.iter().position(Option::is_none) {
                    Some(slot) => self.walkers.told[slot] = told,
                    None => self.walkers.told.push(told),
                }
            }
        }
        if let Err(error) = self.ready_walkers() {
            self.walkers.told = before;
            self.walk_again();
            self.set_dynamics(body, dynamics)?;
            return Err(error);
        }
        Ok(())
    }

    /// Makes a walker an ordinary body again, which turns about the axes that it turned about before it walked; that of [`Walker::body`]
    /// stays upright until [`Solver::set_dynamics`] lets it fall over.
    ///
    /// # Errors
    /// [`SolverError::NoWalker`] for a body that does not walk, [`GpuError::Lost`].
    pub fn remove_walker(&mut self, body: BodyId) -> Result<(), SolverError> {
        self.walkers.slot(body)?;
        self.forget_walker(body);
        self.set_dynamics(body, self.scene.body(body).dynamics)
    }

    /// Tells a walker to go with a velocity [m/s] over what it stands on from the next frame on, until it is told otherwise; what of it
    /// goes up or down does not matter. In the air it changes its way a little.
    ///
    /// # Errors
    /// [`SolverError::NoWalker`] for a body that does not walk, [`SolverError::Scene`] for a velocity that is not finite; nothing changes
    /// then.
    pub fn walk(&mut self, body: BodyId, velocity: Vec3) -> Result<(), SolverError> {
        let slot = self.walkers.slot(body)?;
        check_finite("velocity", velocity)?;
        self.tell(slot, |told| told.wish = velocity);
        Ok(())
    }

    /// Tells a walker to jump once with this speed [m/s], 0 or more, over what it stands on: it goes speed² / 2g high. It does so if it
    /// stands within the next tenth of a second, or stood in the last one.
    ///
    /// # Errors
    /// As [`Solver::walk`].
    pub fn jump(&mut self, body: BodyId, speed: f32) -> Result<(), SolverError> {
        let slot = self.walkers.slot(body)?;
        if !(speed >= 0.0 && speed.is_finite()) {
            let (item, allowed) = ("walker".into(), "0 or more");
            return Err(SceneError::Number { item, field: "jump speed", value: speed, allowed }.into());
        }
        self.tell(slot, |told| (told.jump_speed, told.jumps) = (speed, told.jumps.wrapping_add(1)));
        Ok(())
    }

    /// How a walker stood three frames ago: where, how fast, and on what. None before that is known.
    ///
    /// # Errors
    /// [`SolverError::NoWalker`] for a body that does not walk.
    pub fn footing(&self, body: BodyId) -> Result<Option<Footing>, SolverError> {
        self.walkers.slot(body)?;
        Ok(self.walkers.known.get(&body).copied())
    }

    /// How a body walks.
    ///
    /// # Errors
    /// [`SolverError::NoWalker`] for a body that does not walk.
    pub fn walker(&self, body: BodyId) -> Result<Walker, SolverError> {
        let slot = self.walkers.slot(body)?;
        self.walkers.told[slot].map(|told| told.walker).ok_or(SolverError::NoWalker(body))
    }

    fn check_capsule(&self, index: usize, walker: &Walker) -> Result<(), SolverError> {
        let body = &self.scene.bodies[index];
        let refuse = |reason| Err(SolverError::CannotWalk(body.name.clone(), reason));
        if body.kinematic {
            return refuse("the host moves it; make it a body that is not kinematic");
        }
        let half = 0.5 * walker.height - walker.radius;
        let alike = |a: f32, b: f32| (a - b).abs() <= ALIKE * walker.height;
        match self.scene.shapes[body.shape] {
            Shape::Capsule { radius, half_length } if alike(radius, walker.radius) && alike(half_length, half) => {
                Ok(())
            }
            Shape::Sphere(radius) if alike(radius, walker.radius) && alike(0.0, half) => Ok(()),
            _ => refuse("its shape is not the capsule of its walker; make it by Walker::body"),
        }
    }

    fn tell(&mut self, slot: usize, change: impl FnOnce(&mut Told)) {
        let Some(told) = &mut self.walkers.told[slot] else { return };
        let before = *told;
        change(told);
        if *told == before {
            return;
        }
        let (first_ignored, ignored_count) =
            (self.walkers.rows[slot].first_ignored, self.walkers.rows[slot].ignored_count);
        let row = WalkerRow { first_ignored, ignored_count, ..told.row(&self.scene, &self.classes) };
        self.walkers.rows[slot] = row;
        self.write("walkers", slot, &[row]);
        // It may be faster at once than was told.
        self.hurry();
    }

    /// Lets a body that walks stand as one that was never told anything.
    pub(in crate::solver) fn stand_anew(&mut self, body: BodyId) {
        let Ok(slot) = self.walkers.slot(body) else { return };
        self.tell(slot, |told| (told.wish, told.jump_speed) = (Vec3::ZERO, 0.0));
        self.walkers.forget(body);
        self.feel_anew(body);
    }

    /// A body that walks stays upright, whatever it was made as.
    pub(in crate::solver) fn keep_upright(&mut self, body: BodyId) {
        if self.walkers.slot(body).is_ok() {
            self.scene.bodies[body.0 as usize].dynamics.upright = BVec3::TRUE;
        }
    }

    /// What of a rotation a body takes: one that walks what turns it about the vertical.
    pub(in crate::solver) fn turn_of_walker(&self, body: BodyId, rotation: Quat) -> Quat {
        if self.walkers.slot(body).is_err() {
            return rotation;
        }
        let [_, y, _, w] = rotation.to_array();
        let length = y.hypot(w);
        if length > 0.0 { Quat::from_xyzw(0.0, y / length, 0.0, w / length) } else { Quat::IDENTITY }
    }

    /// What a body that walks felt where it was says nothing of where it is now.
    pub(in crate::solver) fn feel_anew(&self, body: BodyId) {
        let Ok(slot) = self.walkers.slot(body) else { return };
        let row = footings_of(&self.walkers.rows[slot..=slot]);
        self.write("footings", slot, &row);
    }

    /// Forgets that a body walks, if it does.
    pub(in crate::solver) fn forget_walker(&mut self, body: BodyId) {
        let Ok(slot) = self.walkers.slot(body) else { return };
        if let Some(told) = self.walkers.told[slot].take() {
            self.scene.bodies[body.0 as usize].dynamics.upright = told.upright;
        }
        self.walkers.forget(body);
        self.walk_again();
    }

    /// Makes their buffers, with what they know, and binds their kernels.
    pub(in crate::solver) fn ready_walkers(&mut self) -> Result<(), SolverError> {
        if self.walkers.told.iter().all(Option::is_none) {
            self.walkers.told.clear();
        }
        let (mut rows, mut ignored, tied) = (Vec::new(), Vec::new(), self.added.joints.ignored());
        for told in &self.walkers.told {
            let Some(told) = told else {
                rows.push(WalkerRow { body: NONE, least_up: 1.0, ..WalkerRow::default() });
                continue;
            };
            let things = passed(&self.scene, &tied, told.body);
            let (first_ignored, ignored_count) = (ignored.len() as u32, things.len() as u32);
            ignored.extend(things.into_iter().map(queries::number));
            rows.push(WalkerRow { first_ignored, ignored_count, ..told.row(&self.scene, &self.classes) });
        }
        let before = self.walkers.before.take().or_else(|| self.buffers.get("footings").ok().cloned());
        walkers::create(&mut self.buffers, &rows, &footings_of(&rows), &ignored, &thicknesses(&self.scene))?;
        self.stages.walkers = Stage::default();
        let walked = std::mem::replace(&mut self.walkers.rows, rows);
        let count = self.walkers.rows.len() as u32;
        if count == 0 {
            return Ok(());
        }
        if let Some(before) = before {
            self.copy_footings(&before, &walked)?;
        }
        let shapes = colliders::kinds(&self.scene);
        self.asked.stage.ready_senses(&self.context, &self.scene, &self.classes, shapes, &mut self.buffers, count)?;
        self.bind_passes(&Stage::passes(), Vec::new())?;
        self.stages.walkers = Stage { walkers: count, bodies: self.stages.bodies.bodies };
        Ok(())
    }

    /// Copies what those knew that walked in their rows before; who is new in a row knows nothing.
    fn copy_footings(&self, before: &wgpu::Buffer, walked: &[WalkerRow]) -> Result<(), GpuError> {
        let new = self.buffers.get("footings")?;
        let row = size_of::<FootingRow>() as u64;
        self.context.run("copy footings", |encoder| {
            for (slot, (now, walked)) in self.walkers.rows.iter().zip(walked).enumerate() {
                let place = slot as u64 * row;
                if now.body == walked.body && now.body != NONE && place + row <= before.size() {
                    encoder.copy_buffer_to_buffer(before, place, new, place, row);
                }
            }
        });
        Ok(())
    }

    /// After all buffers were made anew, or what walkers pass through has changed.
    pub(in crate::solver) fn walk_again(&mut self) {
        if self.walkers.told.is_empty() {
            return;
        }
        if let Err(error) = self.ready_walkers() {
            self.stages.walkers = Stage::default();
            log::error!("walkers stand still: {error}");
        }
    }

    /// Tells walkers what is around them, at the start of a frame.
    pub(in crate::solver) fn sense_for_walkers(&mut self, encoder: &mut wgpu::CommandEncoder) {
        if self.stages.walkers.walkers > 0 {
            self.asked.stage.sense(encoder, self.stages.walkers.walkers, self.frame);
        }
    }

    /// Away from where gravity pulls, of unit length.
    pub(in crate::solver) fn up(&self) -> Vec3 {
        -self.scene.params.gravity.try_normalize().unwrap_or(Vec3::NEG_Y)
    }

    /// Sends what walkers felt in a frame.
    pub(in crate::solver) fn send_footings(&mut self, encoder: &mut wgpu::CommandEncoder) {
        let Ok(buffer) = self.buffers.get("footings") else { return };
        let late = self.walkers.rooms.take(&self.context, "footings on their way", buffer.size());
        late.send(encoder, buffer);
        let what = self.walkers.told.iter().map(|told| told.map(|told| told.body)).collect();
        self.walkers.sent.push_back(Waiting { frame: self.frame, time: self.time, what, late: Shared::sent(late) });
    }

    /// Hears how walkers stood.
    pub(in crate::solver) fn hear_footings(&mut self) {
        while self.walkers.sent.front().is_some_and(|sent| self.frame >= sent.frame + LATENCY) {
            let Some(Waiting { time, what: bodies, late, .. }) = self.walkers.sent.pop_front() else { return };
            let Some(bytes) = late.receive().map(<[u8]>::to_vec) else { return };
            if let Some(room) = late.into_room() {
                self.walkers.rooms.put_back(room);
            }
            let up = self.up();
            for (bytes, row) in bytes.chunks_exact(size_of::<FootingRow>()).zip(bodies) {
                let Some(body) = row.filter(|body| self.walkers.slot(*body).is_ok()) else { continue };
                let row: FootingRow = bytemuck::pod_read_unaligned(bytes);
                let ground = queries::thing(row.ground).map(|thing| Ground {
                    thing,
                    point: row.point.into(),
                    normal: row.normal.into(),
                });
                let position = Vec3::from(row.center) - row.reach * up;
                let velocity = row.velocity.into();
                self.walkers.known.insert(body, Footing { body, time, position, velocity, ground });
            }
        }
    }
}

/// What those know that have not walked yet.
fn footings_of(rows: &[WalkerRow]) -> Vec<FootingRow> {
    rows.iter().map(|row| FootingRow { ground: NONE, jumps: row.jumps, ..FootingRow::default() }).collect()
}

fn check_finite(field: &'static str, v: Vec3) -> Result<(), SceneError> {
    match v.to_array().into_iter().find(|c| !c.is_finite()) {
        Some(value) => Err(SceneError::Number { item: "walker".into(), field, value, allowed: "finite" }),
        None => Ok(()),
    }
}
