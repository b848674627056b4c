//! A character in a scene that plays clips, goes limp and gets up.

use std::collections::BTreeSet;
use std::sync::Arc;

use glam::{Quat, Vec3};
use serde::{Deserialize, Serialize};

use super::error::not_negative;
use super::muscles::Muscles;
use super::rig::part;
use super::standing::{self, Below};
use super::track::{Track, ease};
use super::{LimbError, Rig, Stance};
use crate::scene::{Body, BodyGoal, BodyId, BodyMove, Cues, HoldStrength, Placement, Ride, Scene, SceneError, Thing};

/// Most impulse that its hold bears, over its mass [m/s]: a football leaves a grown person standing, a bowling ball does not.
const STRENGTH: f32 = 0.5;
/// What has its mass over this carries it.
const CARRIES: f32 = 3.0;
/// Shortest time of getting up [s].
const RISE: f32 = 0.3;
/// Time in which what has no body of its own goes most of the way to its rest pose, once who has it is limp [s].
const SLACKENING: f32 = 0.15;
/// Fastest turn of a limb while getting up [rad/s], beside what the clip adds: under 6° a frame at 60 Hz, so that half a
/// turn takes 0.8 s. In 0.3 s it would jump by 15° a frame, which shows.
const RISE_TURN: f32 = 6.0;

#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) enum State {
    Playing,
    Limp,
    /// On the way from where it lay, or where some limbs hung, to the clip.
    Rising {
        /// Whether all of it was limp.
        whole: bool,
        from: Stance,
        /// Where the clip was then.
        start: Stance,
        elapsed: f32,
        duration: f32,
    },
}

/// A character that follows clips until it goes limp. Its bodies are held by the host while it plays.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Performer {
    #[serde(skip)]
    pub(super) rig: Arc<Rig>,
    /// Bodies in the scene, shape [limb_count].
    bodies: Vec<BodyId>,
    /// Where the origin of its model stands.
    pub(super) place: Placement,
    pub(super) track: Track,
    pub(super) state: State,
    /// Limbs that are limp while the rest plays, shape [limb_count].
    loose: Vec<bool>,
    /// Where it is at the end of the last frame, in the world.
    pub(super) now: Stance,
    /// The instance that shows it: index into [`Scene::instances`].
    pub(super) instance: usize,
    /// Its mass once it is in a scene [kg].
    mass: f32,
    /// Most impulse that its hold bears [N s], if somebody has said so.
    strength: Option<f32>,
    /// Time until it goes limp [s], if it will.
    limp_in: Option<f32>,
    /// Whether its clips take it along, as they move its root.
    pub(super) carried: bool,
    /// By what it was put somewhere else since the last frame.
    #[serde(default)]
    pub(super) jump: Option<Placement>,
    /// The walker in whose place it is in the next frame, and where its own place was before [m].
    #[serde(default)]
    pub(super) ride: Option<(BodyId, Vec3)>,
    /// Parts of its model that are not shown.
    pub(super) hidden: BTreeSet<usize>,
    /// Once a scene is known that it is in.
    pub(super) muscles: Option<Muscles>,
    /// Whether muscles move it as it plays; otherwise its bodies are held.
    pub(super) powered: bool,
    /// Strength of its muscles, but for those that have their own.
    pub(super) strength_of_all: f32,
    /// Whether its bodies are held now.
    held: bool,
    /// Bodies that were held and are let go of with the next frame.
    #[serde(default)]
    freed: Vec<BodyId>,
    /// Whether it gets up once it has fallen.
    pub(super) gets_up: bool,
    /// The life of the bodies that it has, once it was seen with them: those of a copy that comes into their place are another's.
    #[serde(skip)]
    life: Option<u64>,
    #[serde(default)]
    role: Role,
}

/// Whether it takes part.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
enum Role {
    #[default]
    Plays,
    /// Its bodies are out of the world, or another's.
    Absent,
    /// It was taken out of its cast, and lets go with the next frame.
    Leaves,
    /// It has let go.
    Left,
}

impl Performer {
    /// A character whose limbs are these bodies, in the rig's order, shown by this instance. It is limp where the scene
    /// has put it, and has neither mass nor muscles yet; see [`Performer::enter`].
    ///
    /// # Panics
    /// If there are not as many bodies as limbs.
    pub fn new(rig: Arc<Rig>, bodies: Vec<BodyId>, instance: usize) -> Self {
        assert_eq!(rig.limbs().len(), bodies.len(), "a body for every limb");
        let first = (!rig.asset().clips.is_empty()).then_some(0);
        let track = Track::new(&rig, first, 0.0);
        let mut now = rig.stance(&track.pose(&rig));
        // Bodies are at rest, and so is what hangs on them without a body of its own, as what hands hold.
        now.turns.fill(Quat::IDENTITY);
        let loose = vec![false; bodies.len()];
        let place = Placement::IDENTITY;
        Self {
            rig,
            bodies,
            place,
            track,
            state: State::Limp,
            loose,
            now,
            instance,
            mass: f32::INFINITY,
            strength: None,
            limp_in: None,
            carried: true,
            jump: None,
            ride: None,
            hidden: BTreeSet::new(),
            muscles: None,
            powered: false,
            strength_of_all: 1.0,
            held: false,
            freed: Vec::new(),
            gets_up: true,
            life: None,
            role: Role::Plays,
        }
    }

    /// Whether it takes part: it was not taken out of its cast, and its bodies are in the world and its own. Of a copy of a pool that has
    /// left they are not, and not once another copy is in its place.
    pub fn is_present(&self) -> bool {
        self.role == Role::Plays
    }

    /// Knows whose its bodies are now.
    pub(super) fn know(&mut self, life_of: &dyn Fn(BodyId) -> Option<u64>) {
        if self.is_out() {
            return;
        }
        let now = self.bodies.iter().find_map(|body| life_of(*body));
        self.life = self.life.or(now);
        self.role = if now.is_some() && now == self.life { Role::Plays } else { Role::Absent };
    }

    /// Lets go with the next frame, and takes no part any more.
    pub(super) fn leave(&mut self) {
        let absent = self.role == Role::Absent;
        self.go_limp();
        self.role = if absent { Role::Left } else { Role::Leaves };
    }

    /// Whether it was taken out.
    pub(super) fn is_out(&self) -> bool {
        matches!(self.role, Role::Leaves | Role::Left)
    }

    /// Whether it has let go, after it was taken out.
    pub(super) fn has_left(&self) -> bool {
        self.role == Role::Left
    }

    /// What moves it.
    pub fn rig(&self) -> &Arc<Rig> {
        &self.rig
    }

    /// Takes what moves it, after it was read from a file without.
    ///
    /// # Errors
    /// A sentence, if it has other limbs than the rig, or bodies or an instance that `scene` has not.
    pub fn rejoin(&mut self, rig: Arc<Rig>, scene: &Scene) -> Result<(), String> {
        let limbs = rig.limbs().len();
        let fits = |stance: &Stance| stance.limbs.len() == limbs;
        let rising = match &self.state {
            State::Rising { from, start, .. } => fits(from) && fits(start),
            State::Playing | State::Limp => true,
        };
        let strong = (0.0..=1.0).contains(&self.strength_of_all);
        let muscles = self.muscles.as_ref().is_none_or(|muscles| muscles.fit(limbs, scene.joints.len()));
        if !(strong && muscles) {
            return Err("a performer has muscles that are not of its limbs and joints, or are not 0 to 1 strong".into());
        }
        if !(self.bodies.len() == limbs && self.loose.len() == limbs && fits(&self.now) && rising) {
            return Err(format!("a performer of {} bodies has a rig of {limbs} limbs", self.bodies.len()));
        }
        if let Some(body) = self.bodies.iter().chain(&self.freed).find(|body| body.0 as usize >= scene.bodies.len()) {
            return Err(format!("a performer has body {}; there are {}", body.0, scene.bodies.len()));
        }
        if self.instance >= scene.instances.len() {
            return Err(format!("a performer is drawn by instance {} of {}", self.instance, scene.instances.len()));
        }
        self.rig = rig;
        Ok(())
    }

    /// Knows the scene that it is in, where it stands if it plays there: upright.
    pub(crate) fn join(mut self, scene: &Scene, at: Placement) -> Self {
        self.place = Placement { rotation: standing::heading(Quat::IDENTITY, at.rotation), ..at };
        self.weigh(scene);
        self
    }

    /// Takes mass and muscles from its bodies and joints.
    fn weigh(&mut self, scene: &Scene) {
        self.mass = self.bodies.iter().map(|id| scene.body(*id).mass).sum();
        let muscles = Muscles::new(&self.rig, &self.bodies, scene, self.strength_of_all);
        self.muscles = Some(match &self.muscles {
            Some(before) => muscles.with_strengths_of(before),
            None => muscles,
        });
    }

    /// Stands at `place` from the start and plays `clip`, or the file's default pose, from `time` [s] after its first
    /// key: its bodies take that pose and the velocities of the clip, and its clothes
    /// with them.
    ///
    /// # Errors
    /// [`SceneError`] for numbers that are not finite; then it is as before.
    ///
    /// # Panics
    /// If its bodies or its instance are not of this scene.
    pub fn enter(
        &mut self,
        scene: &mut Scene,
        place: Placement,
        clip: Option<usize>,
        time: f32,
    ) -> Result<(), SceneError> {
        Scene::check_pose("a performer", place.position, place.rotation, Vec3::ZERO, Vec3::ZERO)?;
        if !time.is_finite() {
            let item = "a performer".to_owned();
            return Err(SceneError::Number { item, field: "time", value: time, allowed: "finite" });
        }
        self.weigh(scene);
        self.begin(place, clip, time);
        let mut next = self.clone();
        let dt = scene.params.dt;
        next.step(dt);
        for (body, (at, to)) in self.bodies.iter().zip(self.now.limbs.iter().zip(&next.now.limbs)) {
            let (velocity, spin) = at.motion(to, dt);
            scene.place_body(*body, *at, velocity, spin)?;
        }
        scene.refit(&self.bodies);
        for (bone, turn) in scene.instances[self.instance].bones.iter_mut().zip(&self.now.turns) {
            bone.turn = *turn;
        }
        Ok(())
    }

    fn begin(&mut self, place: Placement, clip: Option<usize>, time: f32) {
        self.place = place;
        self.track = Track::new(&self.rig, clip, time);
        self.state = State::Playing;
        self.loose.fill(false);
        (self.jump, self.ride, self.held) = (None, None, false);
        self.freed.clear();
        self.now = self.target();
    }

    /// Where its limbs are when it enters like this, shape [limb_count].
    pub(crate) fn entering(&self, place: Placement, clip: Option<usize>, time: f32) -> Vec<Placement> {
        let mut entered = self.clone();
        entered.begin(place, clip, time);
        entered.now.limbs
    }

    /// Plays its clip from the start, if it is limp, standing where its model's origin is.
    pub(super) fn stand_up(&mut self, scene: &mut Scene) -> Result<(), SceneError> {
        if self.is_limp() { self.enter(scene, self.place, self.clip(), 0.0) } else { Ok(()) }
    }

    /// Bodies of the limbs.
    pub fn bodies(&self) -> &[BodyId] {
        &self.bodies
    }

    /// Where the clip has the limbs at the end of the last frame, shape [limb_count]; meaningless for what is limp.
    pub fn placements(&self) -> &[Placement] {
        &self.now.limbs
    }

    /// The instance that shows it, and how the clip turns its bones: what the renderer's `set_turns` takes. While it is
    /// limp, they go to those of the rest pose.
    pub fn turns(&self) -> (usize, &[Quat]) {
        (self.instance, &self.now.turns)
    }

    /// The limb carried by the joint of this name.
    pub(super) fn find_limb(&self, name: &str) -> Result<usize, LimbError> {
        self.rig.limb(name)
    }

    /// Names of its clips.
    pub fn clips(&self) -> impl Iterator<Item = &str> {
        self.rig.asset().clips.iter().map(|c| c.name.as_str())
    }

    /// The clip played, or that it would play if it got up.
    pub fn clip(&self) -> Option<usize> {
        self.track.clip()
    }

    /// Largest impulse of what strikes it that it bears while it plays [N s]; see [`HoldStrength`]. A harder one knocks it down, and its
    /// limbs push with no more than 50 times this a second [N].
    /// Half its mass times 1 m/s, unless it was set.
    pub fn strength(&self) -> f32 {
        self.strength.unwrap_or(STRENGTH * self.mass)
    }

    /// Sets the largest impulse that it bears while it plays [N s]; nothing knocks it down whose strength is infinite.
    ///
    /// # Errors
    /// [`SceneError`] for what is not 0 or more; then it is as strong as before.
    pub fn set_strength(&mut self, impulse: f32) -> Result<(), SceneError> {
        not_negative("strength", impulse, f32::INFINITY)?;
        self.strength = Some(impulse);
        Ok(())
    }

    /// Lets it play for so long [s] and go limp then.
    ///
    /// # Errors
    /// [`SceneError`] for what is not 0 or more; then it goes limp when it would have.
    pub fn limp_after(&mut self, seconds: f32) -> Result<(), SceneError> {
        not_negative("time until it goes limp", seconds, f32::MAX)?;
        self.limp_in = Some(seconds);
        Ok(())
    }

    /// Whether all its bodies move by themselves.
    pub fn is_limp(&self) -> bool {
        matches!(self.state, State::Limp)
    }

    /// Whether bodies move by themselves while the rest plays, shape [limb_count].
    pub fn loose(&self) -> &[bool] {
        &self.loose
    }

    /// Whether this body is a limb of it that its clip holds with the next frame.
    pub(crate) fn plays(&self, body: BodyId) -> bool {
        !(self.is_limp() || self.is_driven()) && self.is_fast(body)
    }

    /// Whether this body is a limb of it that is held, now or with the next frame.
    pub(crate) fn holds(&self, body: BodyId) -> bool {
        self.plays(body) || (self.held && self.is_fast(body)) || self.freed.contains(&body)
    }

    /// Whether this body is a limb of it that is not loose.
    fn is_fast(&self, body: BodyId) -> bool {
        self.bodies.iter().zip(&self.loose).any(|(own, loose)| *own == body && !loose)
    }

    /// Lets `dt` [s] pass and tells where the held bodies go in it, and how firmly they are held.
    pub fn advance(&mut self, dt: f32, cues: &mut Cues) {
        match self.role {
            Role::Plays => {}
            Role::Absent | Role::Left => return,
            Role::Leaves => self.role = Role::Left,
        }
        if self.limp_in.is_some_and(|left| left <= 0.0) {
            self.go_limp();
        }
        cues.released.append(&mut self.freed);
        if let Some(by) = self.jump.take() {
            cues.moves.push(BodyMove { bodies: self.bodies.clone(), by });
            self.muscles.iter_mut().for_each(|muscles| muscles.moved(&by));
        }
        let ride = self.ride.take();
        if self.is_limp() {
            self.slacken(dt);
            self.relax(cues);
            return;
        }
        self.limp_in = self.limp_in.map(|left| left - dt);
        let before = self.now.limbs.clone();
        self.step(dt);
        if self.is_driven() {
            self.act(&before, dt, cues);
            return;
        }
        self.relax(cues);
        self.held = true;
        let held = || (0..self.bodies.len()).filter(|limb| !self.loose[*limb]);
        let goal = |i: usize| BodyGoal { body: self.bodies[i], from: before[i], to: self.now.limbs[i] };
        cues.goals.extend(held().map(goal));
        let bodies = || held().map(|i| self.bodies[i]).collect();
        cues.rides.extend(ride.map(|(walker, from)| Ride { walker, bodies: bodies(), from, to: self.place.position }));
        let impulse = self.strength();
        cues.strengths.extend(self.bodies.iter().map(|body| HoldStrength { body: *body, impulse }));
    }

    /// Moves it by its muscles.
    fn act(&mut self, before: &[Placement], dt: f32, cues: &mut Cues) {
        if std::mem::take(&mut self.held) {
            cues.released.extend(&self.bodies);
        }
        if dt == 0.0 {
            return;
        }
        let way = [before, self.now.limbs.as_slice()];
        if let Some(muscles) = &mut self.muscles {
            muscles.act(&self.loose, way, dt, cues);
            muscles.balance(&self.bodies, &self.loose, way, cues);
        }
    }

    /// Lets what has no body of its own, as fingers and what hands hold, go to the rest pose, in which bodies collide with it.
    fn slacken(&mut self, dt: f32) {
        let left = SLACKENING / (SLACKENING + dt);
        self.now.turns.iter_mut().for_each(|turn| *turn = Quat::IDENTITY.slerp(*turn, left));
    }

    fn relax(&mut self, cues: &mut Cues) {
        self.muscles.iter_mut().for_each(|muscles| muscles.relax(cues));
    }

    fn step(&mut self, dt: f32) {
        // Who gets up joins the clip with growing speed; who stands goes on, and who has fallen stops.
        let pace = match &self.state {
            _ if self.has_fallen() => 0.0,
            State::Rising { whole: true, elapsed, duration, .. } => ease(*elapsed / *duration),
            _ => 1.0,
        };
        let way = self.track.advance(&self.rig, dt * pace);
        if self.carried {
            self.place.position += self.place.rotation * way;
        }
        let target = self.target();
        self.now = match &mut self.state {
            State::Rising { whole, from, start, elapsed, duration } => {
                *elapsed += dt;
                let weight = ease(*elapsed / *duration);
                let risen = rise(&self.rig, [from, start, &target], weight, *whole);
                if *elapsed >= *duration {
                    self.state = State::Playing;
                }
                risen
            }
            _ => target,
        };
    }

    /// Where the clip wants it now.
    fn target(&self) -> Stance {
        let mut stance = self.posed();
        stance.limbs.iter_mut().for_each(|limb| *limb = self.place.then(limb));
        stance
    }

    /// The pose of its clip, in model space, on the spot.
    fn posed(&self) -> Stance {
        let mut stance = self.rig.stance(&self.track.pose(&self.rig));
        let drift = self.track.drift(&self.rig);
        stance.limbs.iter_mut().for_each(|limb| limb.position -= drift);
        stance
    }

    /// Lets go of its bodies with the next frame. Returns them, for who [releases](crate::solver::Solver::release_bodies) them before.
    pub fn go_limp(&mut self) -> &[BodyId] {
        if self.is_limp() {
            return &[];
        }
        self.state = State::Limp;
        if std::mem::take(&mut self.held) {
            self.freed.extend(&self.bodies);
        }
        self.limp_in = None;
        self.loose.fill(false);
        &self.bodies
    }

    /// The limb carried by the joint of this name, and all that hangs on it, go limp with the next frame while the rest plays on. Returns
    /// their bodies, as [`Performer::go_limp`]. Bones of the skin without a body of their own, such as fingers, go on playing.
    ///
    /// # Errors
    /// [`LimbError`] if it has no such limb.
    pub fn loosen(&mut self, joint: &str) -> Result<Vec<BodyId>, LimbError> {
        let limb = self.rig.limb(joint)?;
        Ok(self.loosen_limb(limb))
    }

    /// As [`Performer::loosen`], of the limb of this number.
    pub(super) fn loosen_limb(&mut self, limb: usize) -> Vec<BodyId> {
        let limbs = self.rig.below(limb);
        if self.is_limp() {
            return Vec::new();
        }
        if limbs.len() == self.bodies.len() {
            return self.go_limp().to_vec();
        }
        let freed = limbs.into_iter().filter(|limb| !std::mem::replace(&mut self.loose[*limb], true));
        let freed: Vec<BodyId> = freed.map(|limb| self.bodies[limb]).collect();
        if self.held {
            self.freed.extend(&freed);
        }
        freed
    }

    /// Gets up where it lies: the hips keep their place and heading, the feet come to the ground below. If only some limbs
    /// are limp, they return to the clip, which goes on. `bodies` is where all bodies of the scene are, as
    /// [`Solver::read_placements`](crate::solver::Solver::read_placements) tells; those carry it that are kinematic or have a third of its mass. Does
    /// nothing unless something is limp.
    pub fn get_up(&mut self, bodies: &[Placement], scene: &Scene) {
        // They are not there yet if it was put somewhere else since.
        let place = |at: &Placement| self.jump.map_or(*at, |by| by.then(at));
        let lying: Option<Vec<Placement>> = self.bodies.iter().map(|b| bodies.get(b.0 as usize).map(place)).collect();
        if let Some(lying) = lying.filter(|_| self.is_limp() || self.has_fallen() || self.loose.contains(&true)) {
            let own = self.rig.root().map(|root| scene.layers_of(Thing::Body(self.bodies[root])));
            let carries = |(id, body): &(usize, &Body)| {
                let other = !(body.removed || self.bodies.contains(&BodyId(*id as u32)));
                let meets = || own.is_some_and(|own| own.meet(scene.layers_of(Thing::Body(BodyId(*id as u32)))));
                other && (body.kinematic || CARRIES * body.mass > self.mass) && meets()
            };
            let solids = scene.bodies.iter().enumerate().filter(carries);
            let solids = solids.filter_map(|(id, body)| Some((*bodies.get(id)?, &scene.shapes[body.shape])));
            let below = Below::new(&scene.colliders).with_bodies(solids.collect());
            self.rise_from(lying, &below);
        }
    }

    /// Gets up from where its bodies lie.
    pub(super) fn rise_from(&mut self, mut lying: Vec<Placement>, below: &Below) {
        let whole = self.is_limp() || self.has_fallen();
        let Some(root) = self.rig.root() else { return };
        // Where muscles move it, it is seldom where the clip has it.
        let driven = self.is_driven();
        if whole {
            let stance = self.posed().limbs;
            self.place = standing::place(&stance[root], &lying[root], self.rig.lowest(&lying), below);
        } else if !driven {
            for (at, (played, loose)) in lying.iter_mut().zip(self.now.limbs.iter().zip(&self.loose)) {
                *at = if *loose { *at } else { *played };
            }
        }
        let start = self.target();
        let turn = |(a, b): (&Placement, &Placement)| a.rotation.angle_between(b.rotation);
        let widest = lying.iter().zip(&start.limbs).map(turn).fold(0.0, f32::max);
        // Easing is half again as fast in the middle.
        let duration = RISE.max(1.5 * widest / RISE_TURN);
        self.now.limbs = lying;
        self.freed.clear();
        self.muscles.iter_mut().for_each(Muscles::stand);
        self.loose.fill(false);
        self.state = State::Rising { whole, from: self.now.clone(), start, elapsed: 0.0, duration };
    }
}

/// On the way from lying to the clip; if `whole` of it lay, nowhere deeper than the way between the lowest points of both.
fn rise(rig: &Rig, [from, start, to]: [&Stance; 3], weight: f32, whole: bool) -> Stance {
    let mut limbs = rig.returning([&from.limbs, &start.limbs, &to.limbs], 1.0 - weight);
    let (low, high) = (rig.lowest(&from.limbs), rig.lowest(&to.limbs));
    let short = low + (high - low) * weight - rig.lowest(&limbs);
    if whole && short > 0.0 && short.is_finite() {
        limbs.iter_mut().for_each(|l| l.position.y += short);
    }
    let turns = from.turns.iter().zip(&start.turns).zip(&to.turns);
    let turns = turns.map(|((from, start), to)| part(*from * start.inverse(), 1.0 - weight) * *to).collect();
    Stance { limbs, turns }
}
