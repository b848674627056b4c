//! Footwork: where a foot stands between its steps, and how it travels from one place to the next.

use std::f32::consts::{PI, TAU};

use glam::{Vec3, vec3};

use crate::curve::ease;
use crate::figure::Foot;
use crate::skeleton::ANKLE;

/// One step of one foot; times in beats.
#[derive(Clone, Copy, Debug)]
pub struct Step {
    /// When the foot leaves the ground and when it stands again.
    pub from: f32,
    /// See `from`.
    pub until: f32,
    /// Where it stands then: x and z of the ankle, from under the hips [m].
    pub to: [f32; 2],
    /// Which way it points then, in whole turns to the left.
    pub turns: f32,
    /// Height of its way [m].
    pub height: f32,
    /// How far its way bends aside: x and z [m].
    pub around: [f32; 2],
}

/// A low and straight step.
pub const fn step(from: f32, until: f32, x: f32, z: f32) -> Step {
    Step { from, until, to: [x, z], turns: 0.0, height: 0.055, around: [0.0, 0.0] }
}

/// A step during a turn of the body, to a place reached on a bent way.
pub const fn turning(from: f32, until: f32, to: [f32; 2], turns: f32, around: [f32; 2]) -> Step {
    Step { from, until, to, turns, height: 0.06, around }
}

/// How far the heel comes up before a step, and how far it still is when the ball of the foot lands [rad].
const PEEL: f32 = 0.62;
const LANDING: f32 = 0.28;
/// Time in which the heel comes up and goes down [beats].
const ROLL: f32 = 0.28;

/// A foot at `beat` of a dance of `period` beats in which it turns by `turned` whole turns; `outward` [rad] is how it
/// stands.
pub fn foot(steps: &[Step], beat: f32, period: f32, turned: f32, outward: f32) -> Foot {
    let count = steps.len();
    let next = steps.iter().position(|s| s.from > beat).unwrap_or(count);
    // Steps before the first are those of the round before.
    let back = |i: usize| if i == 0 { (steps[count - 1], -period, -turned) } else { (steps[i - 1], 0.0, 0.0) };
    let (last, shift, wound) = back(next);
    let (from, until) = (last.from + shift, last.until + shift);
    let leaving = steps.get(next).map_or(steps[0].from + period, |s| s.from);
    let place = |s: &Step| vec3(s.to[0], 0.0, s.to[1] + ANKLE.z);
    let turn = |turns: f32| outward + TAU * turns;
    if beat >= until {
        let pitch = PEEL * ease(leaving - ROLL, leaving, beat) + LANDING * (1.0 - ease(until, until + ROLL, beat));
        return Foot { place: place(&last), yaw: turn(last.turns + wound), pitch, flat_toes: 1.0, planted: true };
    }
    let i = if next == 0 { count - 1 } else { next - 1 };
    let (before, _, wound_before) = back(i);
    let wound_before = wound_before + wound;
    let x = (beat - from) / (until - from);
    let way = ease(0.0, 1.0, x);
    let aside = vec3(last.around[0], 0.0, last.around[1]) * (PI * way).sin();
    let up = Vec3::Y * last.height * (PI * x).sin();
    Foot {
        place: place(&before).lerp(place(&last), way) + aside + up,
        yaw: turn(before.turns + wound_before) * (1.0 - way) + turn(last.turns + wound) * way,
        pitch: PEEL + (LANDING - PEEL) * way,
        flat_toes: 0.4 + 0.6 * (2.0 * x - 1.0).powi(2),
        planted: false,
    }
}
