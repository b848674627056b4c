//! A character in a scene that plays clips, goes limp and gets up.

use std::sync::Arc;

use super::track::{Track, ease};
use super::{Rig, standing};
use crate::scene::{BodyGoal, BodyId, Collider, Placement, Scene, SceneError};

/// Shortest time of getting up [s].
const RISE: f32 = 0.3;
/// Fastest turn of a limb while getting up [rad/s]: 9° a frame at 60 Hz.
const RISE_TURN: f32 = 9.4;

#[derive(Clone, Debug)]
enum State {
    Playing,
    Limp,
    /// On the way from where it lay to the clip.
    Rising {
        from: Vec<Placement>,
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
    /// Where its limbs are at the end of the last frame.
    now: Vec<Placement>,
}

impl Performer {
    /// A character whose limbs are these bodies, in the rig's order, standing at `place`. It plays `clip`, or holds the
    /// file's default pose, from `time` [s] after the clip's start.
    ///
    /// # Panics
    /// If there are not as many bodies as limbs.
    pub fn new(rig: Arc<Rig>, bodies: Vec<BodyId>, place: Placement, clip: Option<usize>, time: f32) -> Self {
        assert_eq!(rig.limbs().len(), bodies.len(), "a body for every limb");
        let track = Track::new(&rig, clip, time);
        let mut performer = Self { rig, bodies, place, track, state: State::Playing, now: Vec::new() };
        performer.now = performer.target();
        performer
    }

    /// The same character, limp where the scene has put it.
    #[must_use]
    pub fn limp(mut self) -> Self {
        self.state = State::Limp;
        self
    }

    /// Puts the bodies into the present pose with the velocities of the clip, and plays.
    ///
    /// # Errors
    /// [`SceneError`] for a clip with numbers that overflow.
    pub fn enter(&mut self, scene: &mut Scene) -> Result<(), SceneError> {
        self.state = State::Playing;
        let mut next = self.clone();
        let dt = scene.params.dt;
        next.step(dt);
        for (body, (at, to)) in self.bodies.iter().zip(self.now.iter().zip(&next.now)) {
            let (velocity, spin) = at.motion(to, dt);
            scene.place_body(*body, *at, velocity, spin)?;
        }
        Ok(())
    }

    /// Bodies of the limbs.
    pub fn bodies(&self) -> &[BodyId] {
        &self.bodies
    }

    /// Where the clip has the limbs at the end of the last frame, shape [limb_count]; meaningless while limp.
    pub fn placements(&self) -> &[Placement] {
        &self.now
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
        let before = std::mem::take(&mut self.now);
        self.now = before.clone();
        self.step(dt);
        let pairs = self.bodies.iter().zip(before.iter().zip(&self.now));
        goals.extend(pairs.map(|(body, (from, to))| BodyGoal { body: *body, from: *from, to: *to }));
    }

    fn step(&mut self, dt: f32) {
        let way = self.track.advance(&self.rig, dt);
        self.place.position += self.place.rotation * way;
        let target = self.target();
        self.now = match &mut self.state {
            State::Rising { from, elapsed, duration } => {
                *elapsed += dt;
                let weight = ease(*elapsed / *duration);
                let mut blended = self.rig.blend(from, &target, weight);
                lift(&self.rig, &mut blended, from, &target, weight);
                if *elapsed >= *duration {
                    self.state = State::Playing;
                }
                blended
            }
            _ => target,
        };
    }

    /// Where the clip wants the limbs now.
    fn target(&self) -> Vec<Placement> {
        let stance = self.rig.stance(&self.track.pose(&self.rig));
        stance.iter().map(|limb| self.place.then(limb)).collect()
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
        let stance = self.rig.stance(&self.track.pose(&self.rig));
        self.place = standing::place(&stance[root], &lying[root], self.rig.lowest(&lying), colliders);
        let target = self.target();
        let widest = lying.iter().zip(&target).map(|(a, b)| a.rotation.angle_between(b.rotation)).fold(0.0, f32::max);
        // Easing is half again as fast in the middle.
        let duration = RISE.max(1.5 * widest / RISE_TURN);
        self.now.clone_from(&lying);
        self.state = State::Rising { from: lying, elapsed: 0.0, duration };
    }
}

/// Raises limbs that swing deeper than the way from the lowest of `from` to the lowest of `to`.
fn lift(rig: &Rig, limbs: &mut [Placement], from: &[Placement], to: &[Placement], weight: f32) {
    let (low, high) = (rig.lowest(from), rig.lowest(to));
    let short = low + (high - low) * weight - rig.lowest(limbs);
    if short > 0.0 && short.is_finite() {
        limbs.iter_mut().for_each(|l| l.position.y += short);
    }
}
