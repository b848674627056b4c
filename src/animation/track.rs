//! A clip being played, and the cross-fade from the one before it.

use glam::Vec3;
use serde::{Deserialize, Serialize};

use super::{Pose, Rig, span};
use crate::import::Clip;

/// Seconds over which one clip becomes another, and the end of a clip its beginning where they differ.
const FADE: f32 = 0.25;
/// Way of a clip, as a share of the character's height, from which it counts as walking along.
const STRIDE: f32 = 0.15;
/// Turn of a limb between the ends of a clip from which they are blended [rad].
const SEAM: f32 = 0.1;

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
    /// The clip that is being left, and for how long already [s].
    before: Option<(Playing, f32)>,
}

/// Ends of a clip: how far its root has moved, and whether they fit together.
struct Seam {
    way: Vec3,
    fits: bool,
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

    /// Goes over to `clip`.
    pub(super) fn fade_to(&mut self, rig: &Rig, clip: Option<usize>) {
        if clip != self.now.clip {
            self.before = Some((self.now, 0.0));
            self.now = Self::new(rig, clip, 0.0).now;
        }
    }

    /// Lets `dt` [s] pass. Returns how far a walking clip has taken the character when it starts again [m, model space].
    pub(super) fn advance(&mut self, rig: &Rig, dt: f32) -> Vec3 {
        if let Some((before, since)) = &mut self.before {
            before.time += dt;
            *since += dt;
            if *since >= FADE {
                self.before = None;
            }
        }
        self.now.time += dt;
        let Some(clip) = clip_of(rig, self.now.clip) else { return Vec3::ZERO };
        let (start, end) = span(clip);
        if self.now.time < end || end <= start {
            return Vec3::ZERO;
        }
        let seam = seam(rig, clip);
        let over = (self.now.time - end).rem_euclid(end - start);
        if !seam.fits {
            self.before = Some((Playing { time: end, looping: false, ..self.now }, 0.0));
        }
        self.now.time = start + over;
        seam.way
    }

    /// The pose now.
    pub(super) fn pose(&self, rig: &Rig) -> Pose {
        let now = sampled(rig, &self.now);
        match &self.before {
            None => now,
            Some((before, since)) => Pose::blend(&sampled(rig, before), &now, ease(since / FADE)),
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

fn seam(rig: &Rig, clip: &Clip) -> Seam {
    let (start, end) = span(clip);
    let ends = [start, end].map(|time| rig.stance(&Pose::sample(rig.asset(), clip, time, false)).limbs);
    let Some(root) = rig.root() else { return Seam { way: Vec3::ZERO, fits: true } };
    let tall = rig.limbs().iter().map(|l| l.center.y + l.radius).fold(0.0, f32::max);
    let way = (ends[1][root].position - ends[0][root].position).with_y(0.0);
    let way = if way.length() > STRIDE * tall { way } else { Vec3::ZERO };
    let turned = ends[0].iter().zip(&ends[1]).any(|(a, b)| a.rotation.angle_between(b.rotation) > SEAM);
    Seam { way, fits: !turned }
}
