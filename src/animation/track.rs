//! A clip being played, and the cross-fade from the one before it.

use glam::Vec3;
use serde::{Deserialize, Serialize};

use super::{Pose, Rig, span};
use crate::import::Clip;

/// Seconds over which one clip becomes another, and the end of a clip its beginning where they differ.
pub(super) const FADE: f32 = 0.25;

/// A clip at a time; none is the file's default pose.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
struct Playing {
    clip: Option<usize>,
    time: f32,
    looping: bool,
}

/// What is played now.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Track {
    now: Playing,
    /// The clip that is being left.
    before: Option<Left>,
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

impl Track {
    /// Starts `clip` from its first key plus `offset` [s].
    pub(super) fn new(rig: &Rig, clip: Option<usize>, offset: f32) -> Self {
        let start = clip_of(rig, clip).map_or(0.0, |c| span(c).0);
        Self { now: Playing { clip, time: start + offset, looping: true }, before: None }
    }

    pub(super) fn clip(&self) -> Option<usize> {
        self.now.clip
    }

    /// Goes over to `clip` within `fade` [s].
    pub(super) fn fade_to(&mut self, rig: &Rig, clip: Option<usize>, fade: f32) {
        if clip != self.now.clip {
            self.before = (fade > 0.0).then_some(Left { playing: self.now, since: 0.0, fade });
            self.now = Self::new(rig, clip, 0.0).now;
        }
    }

    /// How far its clip has taken the character since it began the last time [m, model space].
    pub(super) fn drift(&self, rig: &Rig) -> Vec3 {
        let of = |playing: &Playing| {
            let (Some(index), Some(clip)) = (playing.clip, clip_of(rig, playing.clip)) else { return Vec3::ZERO };
            let (start, end) = span(clip);
            let share = if end > start { ((playing.time - start) / (end - start)).clamp(0.0, 1.0) } else { 0.0 };
            rig.seam(index).way * share
        };
        let now = of(&self.now);
        self.before.map_or(now, |left| of(&left.playing).lerp(now, ease(left.since / left.fade)))
    }

    /// Lets `dt` [s] pass. Returns how far a walking clip has taken the character when it starts again [m, model space].
    pub(super) fn advance(&mut self, rig: &Rig, dt: f32) -> Vec3 {
        if let Some(left) = &mut self.before {
            left.playing.time += dt;
            left.since += dt;
            if left.since >= left.fade {
                self.before = None;
            }
        }
        self.now.time += dt;
        let (Some(index), Some(clip)) = (self.now.clip, clip_of(rig, self.now.clip)) else { return Vec3::ZERO };
        let (start, end) = span(clip);
        if self.now.time < end || end <= start {
            return Vec3::ZERO;
        }
        let seam = rig.seam(index);
        let over = (self.now.time - end).rem_euclid(end - start);
        if !seam.fits {
            let playing = Playing { time: end, looping: false, ..self.now };
            self.before = Some(Left { playing, since: 0.0, fade: FADE });
        }
        self.now.time = start + over;
        seam.way
    }

    /// The pose now.
    pub(super) fn pose(&self, rig: &Rig) -> Pose {
        let now = sampled(rig, &self.now);
        match &self.before {
            None => now,
            Some(left) => Pose::blend(&sampled(rig, &left.playing), &now, ease(left.since / left.fade)),
        }
    }
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
