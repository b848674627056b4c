//! Sixteen seconds of dance at 120 beats a minute: step touch, hip sway with an arm wave and a body roll, a turn with
//! knee lifts, a kick, a squat and a jump.
//!
//! Keyed poses are the melody and sines on the beat the bass. Overlap comes from reading the same keys later the
//! farther a part is from the hips; anticipation and follow-through are keys of their own.

use std::f32::consts::{PI, TAU};

use glam::{Vec3, vec3};

use crate::curve::{Track, ease, hill};
use crate::figure::{Arm, Figure, Foot};
use crate::steps::{Step, foot, step, turning};

const BEATS_PER_SECOND: f32 = 2.0;
const BEATS: f32 = 32.0;

/// Steps of the left foot.
const LEFT: [Step; 12] = [
    step(1.05, 1.60, -0.09, 0.01),
    step(2.05, 2.62, 0.34, 0.0),
    step(5.05, 5.60, -0.09, 0.01),
    step(6.05, 6.62, 0.20, 0.0),
    turning(17.10, 17.62, [0.02, -0.13], 0.25, [0.06, 0.0]),
    turning(18.28, 18.80, [-0.02, 0.13], 0.75, [-0.17, 0.0]),
    turning(19.46, 19.95, [0.16, 0.0], 1.0, [0.0, 0.04]),
    Step { height: 0.02, ..turning(22.45, 23.50, [0.15, 0.0], 1.0, [0.0, 0.0]) },
    turning(24.05, 24.60, [0.07, 0.24], 1.0, [0.0, 0.0]),
    turning(27.20, 27.75, [0.21, 0.0], 1.0, [0.0, 0.0]),
    Step { height: 0.13, ..turning(29.72, 30.34, [0.15, 0.0], 1.0, [0.0, 0.0]) },
    turning(30.95, 31.32, [0.13, 0.0], 1.0, [0.0, 0.0]),
];

/// Steps of the right foot.
const RIGHT: [Step; 11] = [
    step(0.05, 0.62, -0.34, 0.0),
    step(3.05, 3.60, 0.09, 0.01),
    step(4.05, 4.62, -0.34, 0.0),
    step(7.05, 7.60, -0.20, 0.0),
    turning(17.70, 18.22, [0.13, 0.02], 0.5, [0.02, 0.20]),
    turning(18.88, 19.40, [-0.16, 0.0], 1.0, [0.0, -0.20]),
    Step { height: 0.02, ..turning(20.45, 21.50, [-0.15, 0.0], 1.0, [0.0, 0.0]) },
    Step { height: 0.02, ..turning(24.85, 26.95, [-0.13, -0.06], 1.0, [0.0, 0.0]) },
    turning(28.00, 28.50, [-0.21, 0.0], 1.0, [0.0, 0.0]),
    Step { height: 0.13, ..turning(29.72, 30.34, [-0.15, 0.0], 1.0, [0.0, 0.0]) },
    turning(31.34, 31.72, [-0.13, 0.0], 1.0, [0.0, 0.0]),
];

/// What a lifted foot does on top of its step: up, to the front [m], pitch [rad].
type Lift = Track<'static, 3>;
const STILL: [f32; 3] = [0.0; 3];

const LEFT_LIFT: Lift = Track {
    keys: &[
        (0.0, STILL),
        (22.45, STILL),
        (22.98, [0.44, 0.24, 0.10]),
        (23.50, STILL),
        (29.72, STILL),
        (30.02, [0.0, -0.05, 0.30]),
        (30.34, STILL),
    ],
    period: BEATS,
};

const RIGHT_LIFT: Lift = Track {
    keys: &[
        (0.0, STILL),
        (20.45, STILL),
        (20.98, [0.44, 0.24, 0.10]),
        (21.50, STILL),
        (24.85, STILL),
        (25.30, [0.13, -0.22, 0.40]),
        (25.62, [0.34, 0.36, -0.30]),
        (25.95, [0.88, 1.165, -1.20]),
        (26.25, [0.62, 0.80, -0.90]),
        (26.60, [0.20, 0.12, 0.0]),
        (26.95, STILL),
        (29.72, STILL),
        (30.02, [0.0, -0.05, 0.30]),
        (30.34, STILL),
    ],
    period: BEATS,
};

/// Hips: aside, height, ahead [m], lean, tilt [rad].
const HIPS: Track<5> = Track {
    keys: &[
        (0.0, [0.02, 0.925, 0.0, 0.05, 0.00]),
        (0.62, [-0.17, 0.905, 0.0, 0.06, -0.06]),
        (1.60, [-0.21, 0.925, 0.0, 0.04, 0.07]),
        (2.62, [0.16, 0.905, 0.0, 0.06, 0.06]),
        (3.60, [0.21, 0.925, 0.0, 0.04, -0.07]),
        (4.62, [-0.17, 0.905, 0.0, 0.06, -0.06]),
        (5.60, [-0.21, 0.925, 0.0, 0.04, 0.07]),
        (6.62, [0.06, 0.905, 0.0, 0.06, 0.05]),
        (7.60, [0.0, 0.900, 0.0, 0.06, 0.0]),
        (12.0, [0.0, 0.895, 0.0, 0.05, 0.0]),
        (12.70, [0.0, 0.850, -0.07, 0.34, 0.0]),
        (13.40, [0.0, 0.890, 0.07, -0.12, 0.0]),
        (14.10, [0.0, 0.905, 0.0, 0.05, 0.0]),
        (15.40, [0.0, 0.955, 0.02, -0.03, 0.0]),
        (16.55, [-0.03, 0.840, -0.02, 0.12, -0.04]),
        (17.40, [0.01, 0.930, 0.0, 0.03, 0.0]),
        (19.60, [0.0, 0.930, 0.0, 0.03, 0.0]),
        (20.20, [0.04, 0.880, 0.0, 0.08, 0.02]),
        (20.98, [0.09, 0.938, 0.0, -0.02, -0.07]),
        (21.75, [0.0, 0.890, 0.0, 0.07, 0.0]),
        (22.98, [-0.09, 0.938, 0.0, -0.02, 0.07]),
        (23.75, [0.0, 0.890, 0.02, 0.07, 0.0]),
        (24.70, [0.06, 0.900, 0.20, 0.06, 0.03]),
        (25.30, [0.07, 0.890, 0.23, 0.16, 0.03]),
        (25.95, [0.07, 0.945, 0.24, -0.24, 0.05]),
        (26.95, [0.02, 0.900, 0.09, 0.06, 0.0]),
        (27.75, [0.02, 0.890, 0.0, 0.08, 0.0]),
        (28.50, [0.0, 0.860, -0.02, 0.12, 0.0]),
        (29.20, [0.0, 0.585, -0.15, 0.55, 0.0]),
        (29.72, [0.0, 0.975, 0.01, 0.02, 0.0]),
        (30.02, [0.0, 1.075, 0.02, -0.05, 0.0]),
        (30.34, [0.0, 0.965, 0.01, 0.04, 0.0]),
        (30.70, [0.0, 0.800, -0.04, 0.26, 0.0]),
        (31.30, [0.0, 0.935, 0.0, 0.02, 0.0]),
    ],
    period: BEATS,
};

/// Chest against hips, then head against chest: turn, lean, tilt each [rad].
const BACK: Track<6> = Track {
    keys: &[
        (0.0, [0.0, 0.0, 0.0, 0.0, 0.0, 0.0]),
        (0.62, [-0.22, 0.05, 0.10, -0.25, 0.05, -0.08]),
        (1.60, [-0.34, 0.02, -0.12, -0.15, -0.05, 0.10]),
        (2.62, [0.22, 0.05, -0.10, 0.25, 0.05, 0.08]),
        (3.60, [0.34, 0.02, 0.12, 0.15, -0.05, -0.10]),
        (4.62, [-0.22, 0.05, 0.10, -0.25, 0.05, -0.08]),
        (5.60, [-0.34, 0.02, -0.12, -0.15, -0.05, 0.10]),
        (6.62, [0.12, 0.05, -0.06, 0.10, 0.05, 0.05]),
        (7.60, [0.0, 0.03, 0.0, 0.0, 0.0, 0.0]),
        (8.40, [0.10, 0.0, -0.06, 0.65, 0.05, 0.0]),
        (10.0, [0.0, -0.06, 0.05, 0.20, 0.10, 0.0]),
        (11.4, [-0.10, 0.0, 0.06, -0.65, 0.05, 0.0]),
        (12.0, [0.0, 0.10, 0.0, -0.20, 0.10, 0.0]),
        (12.70, [0.0, 0.42, 0.0, 0.0, 0.30, 0.0]),
        (13.40, [0.0, -0.30, 0.0, 0.0, -0.15, 0.0]),
        (14.10, [0.0, 0.06, 0.0, 0.0, 0.12, 0.0]),
        (15.40, [0.0, -0.20, 0.0, 0.0, -0.30, 0.0]),
        (16.55, [-0.50, 0.12, 0.05, 0.45, 0.0, 0.0]),
        (17.50, [0.28, 0.0, 0.0, -0.75, 0.0, 0.0]),
        (18.30, [0.20, 0.0, 0.0, -0.80, 0.0, 0.0]),
        (18.85, [0.10, 0.0, 0.0, 0.85, 0.0, 0.0]),
        (19.60, [-0.12, 0.0, 0.0, 0.20, 0.0, 0.0]),
        (20.20, [0.05, 0.06, 0.0, 0.0, 0.04, 0.0]),
        (20.98, [-0.36, 0.08, 0.09, 0.25, -0.05, 0.0]),
        (21.75, [0.0, 0.08, 0.0, 0.0, 0.06, 0.0]),
        (22.98, [0.36, 0.08, -0.09, -0.25, -0.05, 0.0]),
        (23.75, [0.0, 0.08, 0.0, 0.0, 0.06, 0.0]),
        (25.30, [-0.30, -0.04, 0.0, 0.15, 0.0, 0.0]),
        (25.95, [0.36, 0.20, -0.05, -0.25, 0.08, 0.0]),
        (26.95, [0.0, 0.05, 0.0, 0.0, 0.05, 0.0]),
        (28.50, [0.0, 0.06, 0.0, 0.0, 0.0, 0.0]),
        (29.20, [0.0, 0.30, 0.0, 0.0, -0.45, 0.0]),
        (29.80, [0.0, -0.16, 0.0, 0.0, -0.20, 0.0]),
        (30.10, [0.0, -0.22, 0.0, 0.0, -0.12, 0.0]),
        (30.75, [0.0, 0.22, 0.0, 0.0, 0.18, 0.0]),
        (31.40, [0.0, -0.04, 0.0, 0.0, -0.06, 0.0]),
    ],
    period: BEATS,
};

/// An arm's shape: reach, toward, bend of the elbow, bend of the wrist; see [`Arm`].
type Hold = [f32; 8];
const LOW: Hold = [0.40, -1.0, 0.10, -0.30, 0.10, 1.0, 0.55, 0.15];
const SIDE: Hold = [1.0, -0.05, 0.12, -0.10, 0.45, 1.0, 0.28, -0.15];
const OPEN: Hold = [1.0, 0.22, -0.05, -0.05, 0.60, 1.0, 0.20, -0.30];
const CROSS: Hold = [-0.20, -0.62, 0.75, -1.0, 0.35, 0.20, 0.95, 0.10];
const UP: Hold = [0.42, 1.0, 0.10, -1.0, 0.30, 0.45, 0.55, -0.10];
const HOOP: Hold = [0.35, -0.28, 1.0, -1.0, 0.10, 0.25, 1.25, 0.25];
const FRONT: Hold = [0.22, -0.12, 1.0, -0.55, 0.80, 0.20, 0.45, 0.0];
const BEHIND: Hold = [0.42, -0.75, -0.55, -0.20, 0.15, 1.0, 0.60, 0.20];
const PUMP: Hold = [0.22, -0.70, 0.55, -0.30, 1.0, 0.55, 1.75, 0.10];
const ELBOWS: Hold = [0.75, -0.75, -0.12, -0.45, 0.35, 0.85, 1.65, 0.25];
const WAVE: Hold = [1.0, -0.02, 0.08, -0.05, -0.75, 0.65, 0.15, 0.0];
const GATHER: Hold = [0.30, -0.72, 0.80, -0.85, 0.35, 0.50, 1.10, 0.35];
const SCOOP: Hold = [0.48, 0.05, 0.88, -0.95, 0.35, 0.50, 0.80, 0.15];

const LEFT_ARM: Track<8> = Track {
    keys: &[
        (0.0, LOW),
        (0.70, CROSS),
        (1.60, ELBOWS),
        (2.70, SIDE),
        (3.60, ELBOWS),
        (4.70, CROSS),
        (5.60, ELBOWS),
        (6.70, SIDE),
        (7.40, LOW),
        (8.10, WAVE),
        (12.0, WAVE),
        (12.75, GATHER),
        (13.45, BEHIND),
        (14.20, LOW),
        (14.80, OPEN),
        (15.40, UP),
        (16.00, OPEN),
        (16.60, SIDE),
        (17.45, HOOP),
        (19.30, HOOP),
        (20.05, OPEN),
        (20.98, PUMP),
        (21.85, LOW),
        (22.98, BEHIND),
        (23.85, LOW),
        (24.60, LOW),
        (25.30, BEHIND),
        (25.98, FRONT),
        (26.90, SIDE),
        (27.80, LOW),
        (28.42, OPEN),
        (29.12, GATHER),
        (29.60, SCOOP),
        (30.15, UP),
        (30.85, SIDE),
        (31.50, LOW),
    ],
    period: BEATS,
};

const RIGHT_ARM: Track<8> = Track {
    keys: &[
        (0.0, LOW),
        (0.70, SIDE),
        (1.60, ELBOWS),
        (2.70, CROSS),
        (3.60, ELBOWS),
        (4.70, SIDE),
        (5.60, ELBOWS),
        (6.70, CROSS),
        (7.40, LOW),
        (8.25, WAVE),
        (12.0, WAVE),
        (12.75, GATHER),
        (13.45, BEHIND),
        (14.20, LOW),
        (14.80, OPEN),
        (15.40, UP),
        (15.95, OPEN),
        (16.75, CROSS),
        (17.45, HOOP),
        (19.30, HOOP),
        (20.05, OPEN),
        (20.98, BEHIND),
        (21.85, LOW),
        (22.98, PUMP),
        (23.85, LOW),
        (24.60, LOW),
        (25.30, FRONT),
        (25.98, OPEN),
        (26.90, SIDE),
        (27.80, LOW),
        (28.42, OPEN),
        (29.12, GATHER),
        (29.60, SCOOP),
        (30.15, UP),
        (30.85, SIDE),
        (31.50, LOW),
    ],
    period: BEATS,
};

/// How strongly the hips sway on the beat.
fn groove(beat: f32) -> f32 {
    ease(7.4, 8.6, beat) * (1.0 - ease(11.8, 12.4, beat)) + 0.7 * hill(14.0, 14.6, 15.4, beat)
}

/// The wave's height in a part that it reaches at `beat + delay`: a swing up, then a smaller one down.
fn wave(beat: f32, delay: f32) -> f32 {
    let x = beat - delay;
    hill(-0.75, 0.0, 0.75, x) - 0.45 * hill(0.2, 0.9, 1.6, x)
}

/// The arm on a side; the wave runs from the left hand through the chest to the right hand.
fn arm(side: usize, beat: f32) -> Arm {
    let track = [LEFT_ARM, RIGHT_ARM][side].at(beat - 0.04);
    let (elbow, wrist) =
        ([LEFT_ARM, RIGHT_ARM][side].at(beat - 0.14)[6], [LEFT_ARM, RIGHT_ARM][side].at(beat - 0.26)[7]);
    let [hand, fore, upper, blade] = if side == 0 { [8.6, 9.0, 9.4, 9.7] } else { [11.5, 11.1, 10.7, 10.4] };
    let pulse = 0.06 * (TAU * (beat - 0.2)).cos();
    // Fingers trail behind the forearm's swing.
    let drag = 2.2 * (LEFT_ARM.at(beat - 0.10)[6] - LEFT_ARM.at(beat)[6]) * 0.2;
    Arm {
        reach: Vec3::from_slice(&track[..3]).normalize() + Vec3::Y * (0.42 * wave(beat, upper) + 0.5 * pulse),
        toward: Vec3::from_slice(&track[3..6]),
        elbow: (elbow + 0.75 * wave(beat, fore).max(0.0) + pulse).max(0.08),
        wrist: [wrist + 0.65 * wave(beat, hand) + drag, 0.0, 0.0],
        shrug: 0.22 * wave(beat, blade),
    }
}

/// A foot on its steps, with what it does in the air and the heel that comes up when the hips sway to the other side.
fn stand(side: usize, beat: f32, sway: f32) -> Foot {
    let (steps, lift, outward) = if side == 0 { (&LEFT[..], LEFT_LIFT, 0.14) } else { (&RIGHT[..], RIGHT_LIFT, -0.14) };
    let mut foot = foot(steps, beat, BEATS, 1.0, outward);
    let [up, ahead, pitch] = lift.at(beat);
    foot.place += vec3(0.0, up, ahead);
    let away = if side == 0 { -sway } else { sway };
    // Rising on the toes with the arms overhead.
    let tiptoe = 0.42 * hill(14.6, 15.4, 16.1, beat);
    foot.pitch += pitch + 0.34 * groove(beat) * away.max(0.0) + tiptoe;
    foot
}

/// The pose at `time` [s].
pub fn figure(time: f32) -> Figure {
    let beat = time * BEATS_PER_SECOND;
    let [x, y, z, lean, tilt] = HIPS.at(beat);
    let [twist, bend, side, ..] = BACK.at(beat - 0.08);
    let [.., turn, nod, cock] = BACK.at(beat - 0.16);
    // Down on the beat, except in the air and in the squat.
    let bass = 1.0 - ease(28.3, 28.8, beat) * (1.0 - ease(30.9, 31.4, beat));
    let bounce = bass * (TAU * beat).cos();
    let late = bass * (TAU * (beat - 0.12)).cos();
    let sway = (PI * beat).sin() * groove(beat);
    let wound = -0.38 * hill(16.0, 16.7, 17.4, beat) + 0.16 * hill(19.4, 19.95, 20.7, beat);
    let crouch = (0.92 - y).clamp(0.0, 0.35);
    Figure {
        hips: vec3(x + 0.075 * sway, y - 0.014 * bounce - 0.012 * sway.abs(), z),
        pelvis: [TAU * ease(17.0, 19.9, beat) + wound, lean, tilt - 0.16 * sway],
        spine: [twist + 0.10 * sway, bend + 0.035 * late, side + 0.17 * sway],
        head: [turn, nod + 0.06 * late, cock - 0.06 * sway],
        arms: [arm(0, beat), arm(1, beat)],
        feet: [stand(0, beat, sway), stand(1, beat, sway)],
        knees: [0.05 + 1.1 * crouch; 2],
    }
}
