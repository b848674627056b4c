//! A clip being played, and the cross-fade from those before it.

use glam::Vec3;
use serde::{Deserialize, Serialize};

use super::{Pose, Rig, span};
use crate::import::Clip;

/// Seconds over which one clip becomes another, and the end of a clip its beginning where they differ.
pub(super) const FADE: f32 = 0.25;

/// Most clips that are left at a time: each is sampled in every frame. Of more, the one left first is forgotten.
const MOST_LEFT: usize = 16;

/// A clip at a time; none is the file's default pose.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
struct Playing {
    clip: Option<usize>,
    time: f32,
    /// Otherwise it holds its end.
    looping: bool,
}

/// What is played now.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Track {
    now: Playing,
    /// Clips that are being left, each for the next one, and the last one for what is played now.
    #[serde(default)]
    left: Vec<Left>,
}

/// A clip that is being left.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
struct Left {
    playing: Playing,
    /// For how long already [s].
    since: f32,
    /// Seconds that it takes.
    fade: f32,
}

impl Playing {
    /// How far it has taken the character since it began the last time [m, model space].
    fn drift(&self, rig: &Rig) -> Vec3 {
        let (Some(index), Some(clip)) = (self.clip, clip_of(rig, self.clip)) else { return Vec3::ZERO };
        let (start, end) = span(clip);
        let share = if end > start { ((self.time - start) / (end - start)).clamp(0.0, 1.0) } else { 0.0 };
        rig.seam(index).way * share
    }

    /// Lets `dt` [s] pass. Returns how far it takes the character [m, model space]. One whose end does not fit its beginning holds its end.
    fn advance(&mut self, rig: &Rig, dt: f32) -> Vec3 {
        let before = self.drift(rig);
        self.time += dt;
        let (Some(index), Some(clip)) = (self.clip, clip_of(rig, self.clip)) else { return Vec3::ZERO };
        let (start, end) = span(clip);
        let mut rounds = 0.0;
        if self.looping && self.time >= end && end > start {
            self.looping = rig.seam(index).fits;
            if self.looping {
                rounds = ((self.time - start) / (end - start)).floor().max(1.0);
                self.time = begun_anew(self.time, [start, end]);
            }
        }
        rig.seam(index).way * rounds + self.drift(rig) - before
    }
}

impl Left {
    /// How far it is left, 0 to 1.
    fn share(&self) -> f32 {
        ease(self.since / self.fade)
    }
}

impl Track {
    /// Starts `clip` from its first key plus `offset` [s].
    pub(super) fn new(rig: &Rig, clip: Option<usize>, offset: f32) -> Self {
        let start = clip_of(rig, clip).map_or(0.0, |clip| {
            let (start, end) = span(clip);
            start + if end > start { offset.rem_euclid(end - start) } else { 0.0 }
        });
        Self { now: Playing { clip, time: start, looping: true }, left: Vec::new() }
    }

    pub(super) fn clip(&self) -> Option<usize> {
        self.now.clip
    }

    /// Goes over to `clip` within `fade` [s].
    pub(super) fn fade_to(&mut self, rig: &Rig, clip: Option<usize>, fade: f32) {
        if clip == self.now.clip {
            return;
        }
        if fade > 0.0 {
            self.leave(fade);
        } else {
            self.left.clear();
        }
        self.now = Self::new(rig, clip, 0.0).now;
    }

    /// Leaves what is played within `fade` [s].
    fn leave(&mut self, fade: f32) {
        if self.left.len() == MOST_LEFT {
            self.left.remove(0);
        }
        self.left.push(Left { playing: self.now, since: 0.0, fade });
    }

    /// How far its clips have taken the character in its [pose](Self::pose) [m, model space].
    pub(super) fn drift(&self, rig: &Rig) -> Vec3 {
        self.blended(|playing| playing.drift(rig), Vec3::lerp)
    }

    /// Lets `dt` [s] pass. Returns how far its clips take the character [m, model space], each as much as it counts in the pose.
    pub(super) fn advance(&mut self, rig: &Rig, dt: f32) -> Vec3 {
        let (mut way, mut share) = (Vec3::ZERO, 1.0);
        for left in &mut self.left {
            way = way.lerp(left.playing.advance(rig, dt), share);
            left.since += dt;
            share = left.share();
        }
        way = way.lerp(self.now.advance(rig, dt), share);
        if let Some(done) = self.left.iter().rposition(|left| left.since >= left.fade) {
            self.left.drain(..=done);
        }
        if !self.now.looping
            && let Some(clip) = clip_of(rig, self.now.clip)
        {
            self.leave(FADE);
            self.now = Playing { time: begun_anew(self.now.time, span(clip).into()), looping: true, ..self.now };
        }
        way
    }

    /// The pose now.
    pub(super) fn pose(&self, rig: &Rig) -> Pose {
        self.blended(|playing| sampled(rig, playing), |a, b, share| Pose::blend(&a, &b, share))
    }

    /// Something of what is left and of what is played, one after the other blended into the next.
    fn blended<T>(&self, of: impl Fn(&Playing) -> T, blend: impl Fn(T, T, f32) -> T) -> T {
        let first = self.left.first().map_or(&self.now, |left| &left.playing);
        let next = self.left.iter().skip(1).map(|left| &left.playing).chain([&self.now]);
        self.left.iter().zip(next).fold(of(first), |mixed, (left, next)| blend(mixed, of(next), left.share()))
    }
}

/// A time past the end of a clip, counted from its beginning.
fn begun_anew(time: f32, [start, end]: [f32; 2]) -> f32 {
    start + (time - end).rem_euclid(end - start)
}

/// From 0 to 1 with rest at both ends; its steepest slope is 1.5.
pub(super) fn ease(t: f32) -> f32 {
    let t = t.clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}

fn clip_of(rig: &Rig, clip: Option<usize>) -> Option<&Clip> {
    rig.asset().clips.get(clip?)
}

fn sampled(rig: &Rig, playing: &Playing) -> Pose {
    match clip_of(rig, playing.clip) {
        Some(clip) => Pose::sample(rig.asset(), clip, playing.time, playing.looping),
        None => Pose::rest(rig.asset()),
    }
}
