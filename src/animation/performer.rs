//! A character in a scene that plays clips, goes limp and gets up.

use std::sync::Arc;

use glam::Quat;

use super::rig::part;
use super::track::{Track, ease};
use super::{Rig, Stance, standing};
use crate::scene::{BodyGoal, BodyId, Collider, Placement, Scene, SceneError};

/// Shortest time of getting up [s].
const RISE: f32 = 0.3;
/// Fastest turn of a limb while getting up [rad/s], beside what the clip adds: under 6° a frame at 60 Hz, so that half a
/// turn takes 0.8 s. In 0.3 s it would jump by 15° a frame, which shows.
const RISE_TURN: f32 = 6.0;

#[derive(Clone, Debug)]
enum State {
    Playing,
    Limp,
    /// On the way from where it lay to the clip.
    Rising {
        from: Stance,
        /// Where the clip was then.
        start: Stance,
        elapsed: f32,
        duration: f32,
    },
}

/// A character that follows clips until it goes limp. Its bodies are held by the host while it plays.
#[derive(Clone, Debug)]
pub struct Performer {
    rig: Arc<Rig>,
    /// Bodies in the scene, shape [limb_count].
    bodies: Vec<BodyId>,
    /// Where the origin of its model stands.
    place: Placement,
    track: Track,
    state: State,
    /// Where it is at the end of the last frame, in the world.
    now: Stance,
    /// The instance that shows it: index into [`Scene::instances`].
    instance: usize,
}

impl Performer {
    /// A character whose limbs are these bodies, in the rig's order, shown by this instance. It is limp where the scene
    /// has put it; see [`Performer::enter`].
    ///
    /// # Panics
    /// If there are not as many bodies as limbs.
    pub fn new(rig: Arc<Rig>, bodies: Vec<BodyId>, instance: usize) -> Self {
        assert_eq!(rig.limbs().len(), bodies.len(), "a body for every limb");
        let first = (!rig.asset().clips.is_empty()).then_some(0);
        let track = Track::new(&rig, first, 0.0);
        let now = rig.stance(&track.pose(&rig));
        Self { rig, bodies, place: Placement::IDENTITY, track, state: State::Limp, now, instance }
    }

    /// Stands at `place` from the start and plays `clip`, or the file's default pose, from `time` [s] after its first
    /// key: its bodies take that pose and the velocities of the clip.
    ///
    /// # Errors
    /// [`SceneError`] for numbers that are not finite.
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
        self.place = place;
        self.track = Track::new(&self.rig, clip, time);
        self.state = State::Playing;
        self.now = self.target();
        let mut next = self.clone();
        let dt = scene.params.dt;
        next.step(dt);
        for (body, (at, to)) in self.bodies.iter().zip(self.now.limbs.iter().zip(&next.now.limbs)) {
            let (velocity, spin) = at.motion(to, dt);
            scene.place_body(*body, *at, velocity, spin)?;
        }
        for (bone, turn) in scene.instances[self.instance].bones.iter_mut().zip(&self.now.turns) {
            bone.turn = *turn;
        }
        Ok(())
    }

    /// Plays its clip from the start, if it is limp, standing where its model's origin is.
    pub(super) fn stand(&mut self, scene: &mut Scene) -> Result<(), SceneError> {
        if self.is_limp() { self.enter(scene, self.place, self.clip(), 0.0) } else { Ok(()) }
    }

    /// Bodies of the limbs.
    pub fn bodies(&self) -> &[BodyId] {
        &self.bodies
    }

    /// Where the clip has the limbs at the end of the last frame, shape [limb_count]; meaningless while limp.
    pub fn placements(&self) -> &[Placement] {
        &self.now.limbs
    }

    /// The instance that shows it, and how the clip turns its bones: what the renderer's `set_turns` takes. While it is
    /// limp, the turns stay as they were.
    pub fn turns(&self) -> (usize, &[Quat]) {
        (self.instance, &self.now.turns)
    }

    /// Names of its clips.
    pub fn clips(&self) -> impl Iterator<Item = &str> {
        self.rig.asset().clips.iter().map(|c| c.name.as_str())
    }

    /// The clip played, or that it would play if it got up.
    pub fn clip(&self) -> Option<usize> {
        self.track.clip()
    }

    /// Goes over to another clip within a quarter of a second; an unknown one is the file's default pose.
    pub fn play(&mut self, clip: Option<usize>) {
        self.track.fade_to(&self.rig, clip);
    }

    /// Whether its bodies move by themselves.
    pub fn is_limp(&self) -> bool {
        matches!(self.state, State::Limp)
    }

    /// Lets `dt` [s] pass and tells where the held bodies go in it.
    pub fn advance(&mut self, dt: f32, goals: &mut Vec<BodyGoal>) {
        if self.is_limp() {
            return;
        }
        let before = self.now.limbs.clone();
        self.step(dt);
        let pairs = self.bodies.iter().zip(before.iter().zip(&self.now.limbs));
        goals.extend(pairs.map(|(body, (from, to))| BodyGoal { body: *body, from: *from, to: *to }));
    }

    fn step(&mut self, dt: f32) {
        // Who gets up joins the clip with growing speed.
        let pace = match &self.state {
            State::Rising { elapsed, duration, .. } => ease(*elapsed / *duration),
            _ => 1.0,
        };
        let way = self.track.advance(&self.rig, dt * pace);
        self.place.position += self.place.rotation * way;
        let target = self.target();
        self.now = match &mut self.state {
            State::Rising { from, start, elapsed, duration } => {
                *elapsed += dt;
                let weight = ease(*elapsed / *duration);
                let risen = rise(&self.rig, [from, start, &target], weight);
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
        let mut stance = self.rig.stance(&self.track.pose(&self.rig));
        stance.limbs.iter_mut().for_each(|limb| *limb = self.place.then(limb));
        stance
    }

    /// Stops holding the bodies; returns those to release.
    pub fn go_limp(&mut self) -> &[BodyId] {
        if self.is_limp() {
            return &[];
        }
        self.state = State::Limp;
        &self.bodies
    }

    /// Gets up where it lies: the hips keep their place and heading, the feet come to the ground below. `bodies` is where
    /// all bodies of the scene are. Does nothing unless it is limp.
    pub fn get_up(&mut self, bodies: &[Placement], colliders: &[Collider]) {
        let lying: Option<Vec<Placement>> = self.bodies.iter().map(|b| bodies.get(b.0 as usize).copied()).collect();
        let (Some(lying), Some(root), true) = (lying, self.rig.root(), self.is_limp()) else { return };
        let stance = self.rig.stance(&self.track.pose(&self.rig)).limbs;
        self.place = standing::place(&stance[root], &lying[root], self.rig.lowest(&lying), colliders);
        let start = self.target();
        let turn = |(a, b): (&Placement, &Placement)| a.rotation.angle_between(b.rotation);
        let widest = lying.iter().zip(&start.limbs).map(turn).fold(0.0, f32::max);
        // Easing is half again as fast in the middle.
        let duration = RISE.max(1.5 * widest / RISE_TURN);
        self.now.limbs = lying;
        self.state = State::Rising { from: self.now.clone(), start, elapsed: 0.0, duration };
    }
}

/// On the way from lying to the clip, nowhere deeper than the way between the lowest points of both.
fn rise(rig: &Rig, [from, start, to]: [&Stance; 3], weight: f32) -> Stance {
    let mut limbs = rig.returning([&from.limbs, &start.limbs, &to.limbs], 1.0 - weight);
    let (low, high) = (rig.lowest(&from.limbs), rig.lowest(&to.limbs));
    let short = low + (high - low) * weight - rig.lowest(&limbs);
    if short > 0.0 && short.is_finite() {
        limbs.iter_mut().for_each(|l| l.position.y += short);
    }
    let turns = from.turns.iter().zip(&start.turns).zip(&to.turns);
    let turns = turns.map(|((from, start), to)| part(*from * start.inverse(), 1.0 - weight) * *to).collect();
    Stance { limbs, turns }
}
