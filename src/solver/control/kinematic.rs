//! Bodies that the host poses for a while: kinematic while they are held, dynamic again once released.

use std::collections::{BTreeMap, BTreeSet};
use std::mem::offset_of;

use glam::Vec3;
use serde::{Deserialize, Serialize};

use crate::gpu::Context;
use crate::gpu::wgsl::common::body::{BODY_KINEMATIC, HELD_FORCE};
use crate::gpu::wgsl::contacts::hold::FASTEST_RELEASED;
use crate::gpu::wgsl::sleep::posed::DISTURBS;
use crate::scene::{BodyGoal, BodyId, HoldStrength, Placement, Ride, Scene, SceneError};
use crate::solver::readback::late::{Late, Source};
use crate::solver::stages::bodies::{HeldPose, Hold};
use crate::solver::stages::ground::NONE;
use crate::solver::stages::rows::{BodyProperties, BodyState, Control, quat};
use crate::solver::{Solver, SolverError};

/// Fastest that a held body moves [m/s]; a longer way is jumped at the start of the frame, so that it still arrives.
const FASTEST_HELD: f32 = 20.0;
/// Fastest that overlaps of released bodies are pushed out [m/s], and for how long after [s]: a clip may have put a hand
/// into a thigh, which must not throw it out.
pub(in crate::solver) const RELEASED_PUSH_SPEED: f32 = 0.1;
pub(in crate::solver) const RELEASED_TIME: f32 = 0.3;
/// Least force that is one [N]; 0 is without an end.
const LEAST_FORCE: f32 = 1.0e-30;
/// How long a body that is held with an end to its strength takes to give all of it [s].
const PRESS_TIME: f32 = 0.02;
/// Most turn of a body in a substep [rad]; `bodies/predict`.
const MOST_TURN: f32 = 0.5;

/// A held body.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
struct KinematicTarget {
    from: Placement,
    to: Placement,
    velocity: Vec3,
    angular_velocity: Vec3,
    /// Whether the GPU knows all of this.
    settled: bool,
    /// What takes it along in the next frame.
    lift: Option<Lift>,
    /// Whether something has taken it along since it was held: only the GPU knows where it is.
    lifted: bool,
}

/// A walker that takes a held body along.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
struct Lift {
    walker: u32,
    /// Where its center is expected at the start of the frame and at its end [m].
    from: Vec3,
    to: Vec3,
}

/// The bodies held now.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(in crate::solver) struct KinematicTargets {
    /// Rows of all bodies as the scene has them.
    #[serde(with = "crate::solver::saving::bytes::rows")]
    properties: Vec<BodyProperties>,
    held: BTreeMap<usize, KinematicTarget>,
    /// Released bodies whose overlaps open slowly, and for how long still [s].
    limited: BTreeMap<usize, f32>,
    /// Most impulse that each bears while it is held [N s]; those that are not here bear all.
    strengths: BTreeMap<usize, f32>,
    /// Whether the GPU knows of all holds and strengths.
    told: bool,
    /// Groups of held bodies that can be struck out of their holds, the bodies that move in this frame, and whether walkers take some along.
    groups: u32,
    moved: u32,
    lifts: bool,
    /// Times that the GPU let go of a group, as far as is known.
    strikes: u32,
    /// Bodies that were struck out of their holds and that nobody has asked for yet.
    struck: BTreeSet<usize>,
}

impl KinematicTargets {
    /// Takes other rows of the bodies from `first` on, none of which is held.
    pub(in crate::solver) fn know(&mut self, first: usize, properties: &[BodyProperties]) {
        self.properties[first..first + properties.len()].copy_from_slice(properties);
        // What is struck out of its hold has these again.
        self.told = false;
    }

    /// The row of a body as the scene has it.
    pub(in crate::solver) fn properties_of(&self, body: usize) -> BodyProperties {
        self.properties[body]
    }

    /// Keeps the bodies held through new tables.
    pub(in crate::solver) fn carry_into(&mut self, properties: &mut [BodyProperties]) {
        self.properties = properties.to_vec();
        self.told = false;
        for body in self.held.keys() {
            properties[*body] = self.still(*body);
        }
        for body in self.limited.keys() {
            properties[*body].push_speed = RELEASED_PUSH_SPEED;
        }
    }

    /// Groups of held bodies that can be struck out of their holds.
    pub(in crate::solver) fn groups(&self) -> u32 {
        self.groups
    }

    /// Held bodies that the host moves in this frame.
    pub(in crate::solver) fn moved(&self) -> u32 {
        self.moved
    }

    /// The same, where walkers take some of them along.
    pub(in crate::solver) fn lifted(&self) -> u32 {
        if self.lifts { self.moved } else { 0 }
    }

    /// What the GPU must know of those that can be struck out of their holds, a group after the other; how many groups.
    fn holds(&self) -> (Vec<Hold>, u32) {
        let finite = self.held.keys().filter_map(|body| Some((*body, *self.strengths.get(body)?)));
        let mut weak: Vec<(usize, f32)> = finite.filter(|(_, strength)| strength.is_finite()).collect();
        weak.sort_by_key(|(body, _)| (self.properties[*body].assembly, *body));
        let hold = |(body, strength): &(usize, f32)| {
            let properties = BodyProperties { push_speed: RELEASED_PUSH_SPEED, ..self.properties[*body] };
            Hold { properties, body: *body as u32, strength: *strength, ..Hold::default() }
        };
        let mut rows: Vec<Hold> = weak.iter().map(hold).collect();
        rows.push(Hold::default());
        let mut groups = 0;
        for k in 0..weak.len() {
            if k == 0 || rows[k].properties.assembly != rows[k - 1].properties.assembly {
                rows[groups].first = k as u32;
                groups += 1;
            }
        }
        rows[groups].first = weak.len() as u32;
        rows[0].groups = groups as u32;
        (rows, groups as u32)
    }

    /// The row of a body while it is held: with no answer to any push, and how hard it presses.
    fn still(&self, body: usize) -> BodyProperties {
        let row = self.properties[body];
        let strength = self.strengths.get(&body).filter(|strength| strength.is_finite());
        let force = strength.map_or(0, |strength| (strength / PRESS_TIME).max(LEAST_FORCE).to_bits() & HELD_FORCE);
        BodyProperties {
            inverse_inertia: [0.0; 3],
            inv_mass: 0.0,
            inverse_inertia_off: [0.0; 3],
            flags: row.flags | BODY_KINEMATIC | force,
            ..row
        }
    }

    /// The row of a body as the GPU has it: still while it is held.
    pub(in crate::solver) fn row(&self, body: usize) -> BodyProperties {
        let row = if self.contains(body) { self.still(body) } else { self.properties[body] };
        if self.limited.contains_key(&body) { BodyProperties { push_speed: RELEASED_PUSH_SPEED, ..row } } else { row }
    }

    pub(in crate::solver) fn contains(&self, body: usize) -> bool {
        self.held.contains_key(&body)
    }

    pub(in crate::solver) fn forget(&mut self, body: usize) {
        self.held.remove(&body);
        self.limited.remove(&body);
        self.strengths.remove(&body);
        self.struck.remove(&body);
        self.told = false;
    }

    /// Takes in rows of all bodies as the GPU has them: it has let go of held bodies that move there.
    fn know_struck(&mut self, rows: &[BodyProperties]) {
        let struck = |body: &usize| rows[*body].flags & BODY_KINEMATIC == 0;
        for body in self.held.keys().copied().filter(struck).collect::<Vec<_>>() {
            self.held.remove(&body);
            self.limited.insert(body, RELEASED_TIME);
            self.struck.insert(body);
            self.told = false;
        }
    }
}

/// Rows of all bodies on their way back, to find those that were struck out of their holds. After other bodies were held or let go of
/// they speak of holds that are no more.
#[derive(Debug)]
pub(in crate::solver) struct Strikes {
    late: Late,
    /// Times that the GPU had let go of a group when they were sent, as far as was known.
    count: u32,
}

impl Solver {
    /// Holds bodies from now on: they move from one placement to the other during the next frame, push and are not
    /// pushed. Without a new goal they stay where the last one ended. Removed bodies are left out, and those that were struck out
    /// of their holds until [`Solver::take_struck`] has told of them.
    ///
    /// # Errors
    /// [`SolverError::Missing`] for an id that is not of this scene; [`SolverError::Scene`] for placements that are not
    /// finite. Nothing is held then that was not before.
    pub fn pose_bodies(&mut self, goals: &[BodyGoal]) -> Result<(), SolverError> {
        for goal in goals {
            let name = &self.scene.bodies[self.body_index(goal.body)?].name;
            for at in [&goal.from, &goal.to] {
                Scene::check_pose(name, at.position, at.rotation, Vec3::ZERO, Vec3::ZERO)?;
            }
        }
        for goal in goals {
            let body = goal.body.0 as usize;
            if self.scene.bodies[body].removed || self.targets.struck.contains(&body) {
                continue;
            }
            if !self.targets.contains(body) {
                self.targets.limited.remove(&body);
                self.targets.told = false;
                let row = self.targets.still(body);
                self.write("body_properties", body, &[row]);
            }
            let (from, to) = (goal.from, goal.to);
            let dt = self.scene.params.dt;
            // In a pause nothing moves; what is let go of then goes on as before.
            let before = self.targets.held.get(&body);
            let paused = before.map_or((Vec3::ZERO, Vec3::ZERO), KinematicTarget::motion);
            let (velocity, angular_velocity) = if dt > 0.0 { from.motion(&to, dt) } else { paused };
            let (settled, lift, lifted) = (false, None, false);
            let target = KinematicTarget { from, to, velocity, angular_velocity, settled, lift, lifted };
            self.targets.held.insert(body, target);
        }
        Ok(())
    }

    /// Walkers take posed bodies along in the next frame. Bodies that are not held are left out, and walkers that are gone or
    /// held themselves.
    ///
    /// # Errors
    /// [`SolverError::Missing`] for an id that is not of this scene; [`SolverError::Scene`] for places that are not finite. Nobody
    /// takes anything along then.
    pub fn ride_walkers(&mut self, rides: &[Ride]) -> Result<(), SolverError> {
        for ride in rides {
            let name = &self.scene.bodies[self.body_index(ride.walker)?].name;
            for at in [ride.from, ride.to] {
                Scene::check_pose(name, at, glam::Quat::IDENTITY, Vec3::ZERO, Vec3::ZERO)?;
            }
            for body in &ride.bodies {
                self.body_index(*body)?;
            }
        }
        for ride in rides.iter().filter(|_| self.scene.params.dt > 0.0) {
            let Ok(walker) = self.walker(ride.walker) else { continue };
            if self.targets.contains(ride.walker.0 as usize) {
                continue;
            }
            let [from, to] = [ride.from, ride.to].map(|soles| soles + 0.5 * walker.height * self.up());
            let lift = Lift { walker: ride.walker.0, from, to };
            for body in &ride.bodies {
                if let Some(target) = self.targets.held.get_mut(&(body.0 as usize)) {
                    target.lift = Some(lift);
                    target.settled = false;
                }
            }
        }
        Ok(())
    }

    /// Lets go of held bodies: they go on with the velocities of their last frame, at most 15 m/s; those that a walker
    /// took along, with its velocity. Others stay as they are. For a moment their overlaps are pushed out slowly, because those that a clip made would throw. In a browser, where nobody
    /// can wait for the GPU, a body that was struck out of its hold in the last frames, of which [`Solver::take_struck`] has not told,
    /// is back in it then.
    ///
    /// # Errors
    /// [`SolverError::Missing`] for an id that is not of this scene, [`GpuError::Lost`](crate::gpu::GpuError::Lost); nothing is released
    /// then.
    pub fn release_bodies(&mut self, bodies: &[BodyId]) -> Result<(), SolverError> {
        for id in bodies {
            self.body_index(*id)?;
        }
        if Context::CAN_WAIT && !bodies.is_empty() {
            // What has left its hold already goes on from where it is.
            self.find_struck()?;
        }
        self.release(bodies);
        Ok(())
    }

    /// Lets go of those of these bodies that are held, as far as is known.
    pub(in crate::solver) fn release(&mut self, bodies: &[BodyId]) {
        for id in bodies {
            let body = id.0 as usize;
            let Some(held) = self.targets.held.remove(&body) else { continue };
            self.targets.limited.insert(body, RELEASED_TIME);
            self.targets.told = false;
            let properties = self.targets.properties[body];
            let velocity = held.velocity.clamp_length_max(FASTEST_RELEASED);
            let spin = held.angular_velocity.clamp_length_max(FASTEST_RELEASED / properties.reach.max(1.0e-6));
            let limited = BodyProperties { push_speed: RELEASED_PUSH_SPEED, ..properties };
            self.write("body_properties", body, &[limited]);
            if held.lifted {
                self.write_field("bodies", body, offset_of!(BodyState, inv_mass), &properties.inv_mass);
                self.write_field("bodies", body, offset_of!(BodyState, rest_time), &0.0_f32);
                self.write_field("bodies", body, offset_of!(BodyState, angular_velocity), &spin.to_array());
            } else {
                self.write("bodies", body, &[state(&held.to, properties.inv_mass, velocity, spin)]);
            }
        }
    }

    /// The bodies that are held, and where.
    pub(crate) fn held_bodies(&self) -> impl Iterator<Item = (BodyId, Placement)> {
        self.targets.held.iter().map(|(body, held)| (BodyId(*body as u32), held.to))
    }

    /// Sets how firmly bodies are held while they are posed.
    ///
    /// # Errors
    /// [`SolverError::Missing`] for an id that is not of this scene, [`SolverError::Scene`] for an impulse below 0; then nothing
    /// changes.
    pub fn set_hold_strengths(&mut self, strengths: &[HoldStrength]) -> Result<(), SolverError> {
        for HoldStrength { body, impulse } in strengths {
            let index = self.body_index(*body)?;
            if impulse.is_nan() || *impulse < 0.0 {
                let item = self.scene.bodies[index].name.clone();
                let (field, allowed) = ("hold strength", "0 or more");
                return Err(SceneError::Number { item, field, value: *impulse, allowed }.into());
            }
        }
        for HoldStrength { body, impulse } in strengths {
            let body = body.0 as usize;
            let before = self.targets.strengths.insert(body, *impulse);
            if before == Some(*impulse) {
                continue;
            }
            self.targets.told = false;
            if self.targets.contains(body) {
                let row = self.targets.row(body);
                self.write("body_properties", body, &[row]);
            }
        }
        Ok(())
    }

    /// Bodies that something has struck out of their holds since this was asked last, a few frames ago at the latest: they have
    /// gone on by themselves since. Who poses bodies asks before every frame; until then their goals are left out.
    pub fn take_struck(&mut self) -> Vec<BodyId> {
        std::mem::take(&mut self.targets.struck).into_iter().map(|body| BodyId(body as u32)).collect()
    }

    /// Asks for what was struck, if the counters tell of any that was not found yet, and takes the answer in once it is here.
    pub(in crate::solver) fn hear_of_strikes(&mut self, control: &Control) {
        if control.let_go == self.targets.strikes {
            return;
        }
        let under_way = self.strikes.take().filter(|_| self.targets.told);
        let strikes = match under_way.map_or_else(|| self.ask_for_strikes(control.let_go), Ok) {
            Ok(strikes) => strikes,
            Err(error) => return log::error!("{error}"),
        };
        if !strikes.late.is_ready() {
            self.strikes = Some(strikes);
            return;
        }
        self.targets.strikes = strikes.count;
        // A lost device is told of by others.
        if let Some(bytes) = strikes.late.receive() {
            self.targets.know_struck(&bytemuck::pod_collect_to_vec(&bytes));
        }
    }

    pub(in crate::solver) fn ask_for_strikes(&self, count: u32) -> Result<Strikes, SolverError> {
        let buffer = self.buffers.get("body_properties")?;
        let size = (self.scene.bodies.len() * size_of::<BodyProperties>()) as u64;
        let late = Late::new(&self.context, "struck bodies", size);
        self.context.run("struck bodies", |encoder| late.send_parts(encoder, &[Source { buffer, offset: 0, size }]));
        Ok(Strikes { late, count })
    }

    /// Finds held bodies that the GPU has let go of. Waits for it, if any can be; in a browser that takes an attempt.
    pub(in crate::solver) fn find_struck(&mut self) -> Result<(), SolverError> {
        if self.targets.groups == 0 {
            return Ok(());
        }
        let now: Vec<BodyProperties> = self.buffers.read("body_properties")?;
        self.targets.know_struck(&now);
        Ok(())
    }

    /// Uploads which held bodies can be struck out of their holds, if that changed.
    pub(in crate::solver) fn write_holds(&mut self) {
        if self.targets.told {
            return;
        }
        self.strikes = None;
        let (rows, groups) = self.targets.holds();
        if groups > 0 {
            self.write("holds", 0, &rows);
        }
        self.targets.groups = groups;
        self.targets.told = true;
    }

    /// Waits for the GPU and reads where all bodies are, shape [body_count]; a removed body is unturned.
    ///
    /// # Errors
    /// A lost device.
    pub fn read_placements(&self) -> Result<Vec<Placement>, SolverError> {
        Ok(self.read_bodies()?.iter().map(BodyState::placement).collect())
    }

    /// Lets a frame go by for released bodies; those that were calm long enough push as all others.
    pub(in crate::solver) fn end_depenetration_limits(&mut self) {
        let dt = self.scene.params.dt;
        let mut limited = std::mem::take(&mut self.targets.limited);
        limited.retain(|body, left| {
            *left -= dt;
            if *left <= -dt {
                self.write("body_properties", *body, &[self.targets.properties[*body]]);
            }
            *left > -dt
        });
        self.targets.limited = limited;
    }

    /// Uploads the held bodies that move in this frame or have just stopped.
    pub(in crate::solver) fn write_poses(&mut self) {
        let (dt, h) = (self.scene.params.dt, self.scene.params.substep_dt());
        let moving = self.targets.held.iter_mut().filter(|(_, hold)| !hold.settled);
        let pose = |(body, hold): (&usize, &mut KinematicTarget)| {
            let lift = hold.lift.take();
            hold.lifted = lift.is_some();
            HeldPose {
                state: hold.begin(dt, h),
                body: *body as u32,
                walker: lift.map_or(NONE, |lift| lift.walker),
                start: lift.map_or([0.0; 3], |lift| lift.from.to_array()),
                velocity: lift.map_or([0.0; 3], |lift| ((lift.to - lift.from) / dt).to_array()),
                ..HeldPose::default()
            }
        };
        let mut rows: Vec<HeldPose> = moving.map(pose).collect();
        let moved = rows.len() as u32;
        if let Some(first) = rows.first_mut() {
            first.count = moved;
        }
        self.targets.lifts = rows.iter().any(|row| row.walker != NONE);
        self.targets.moved = moved;
        self.write("held_poses", 0, &rows);
    }
}

impl Solver {
    /// Uploads which bodies were posed since the last frame.
    pub(in crate::solver) fn write_posed(&mut self) {
        let Some((posed, disturbed)) = self.touched.take_places() else { return };
        // A body that was put elsewhere and disturbs is there twice; there is room for each once.
        let mut bodies: Vec<u32> = posed.into_iter().collect();
        bodies.sort_unstable_by_key(|body| (body & !DISTURBS, std::cmp::Reverse(*body)));
        bodies.dedup_by_key(|body| *body & !DISTURBS);
        let mut rows = vec![bodies.len() as u32];
        rows.extend(bodies);
        rows.push(disturbed.len() as u32);
        rows.extend(disturbed.iter().flatten().map(|word| word.to_bits()));
        self.write("posed_bodies", 0, &rows);
    }
}

impl KinematicTarget {
    fn motion(&self) -> (Vec3, Vec3) {
        (self.velocity, self.angular_velocity)
    }

    /// The state with which a frame of `dt` [s] begins, and what is left to do after it.
    fn begin(&mut self, dt: f32, substep_dt: f32) -> BodyState {
        let (velocity, spin) = self.from.motion(&self.to, dt);
        let v = velocity.clamp_length_max(FASTEST_HELD);
        let w = spin.clamp_length_max(MOST_TURN / substep_dt);
        let start = Placement {
            position: if v == velocity { self.from.position } else { self.to.position - v * dt },
            rotation: if w == spin {
                self.from.rotation
            } else {
                glam::Quat::from_scaled_axis(-w * dt) * self.to.rotation
            },
        };
        self.settled = v == Vec3::ZERO && w == Vec3::ZERO;
        self.from = self.to;
        (self.velocity, self.angular_velocity) = (v, w);
        state(&start, 0.0, v, w)
    }
}

fn state(at: &Placement, inv_mass: f32, velocity: Vec3, angular_velocity: Vec3) -> BodyState {
    BodyState {
        center: at.position.to_array(),
        inv_mass,
        rotation: quat(at.rotation.normalize()),
        velocity: velocity.to_array(),
        angular_velocity: angular_velocity.to_array(),
        ..BodyState::default()
    }
}
