//! Walking on the spot: two steps in 1.1 seconds over a ground that passes by. Heel strike, roll, push-off and swing;
//! pelvis and shoulders turn against each other, arms swing against the legs.

use std::f32::consts::TAU;

use glam::{Vec3, vec3};

use crate::curve::{Track, ease};
use crate::figure::{Arm, Figure, Foot};
use crate::skeleton::ANKLE;

const PERIOD: f32 = 1.1;
/// Speed of the ground toward -Z [m/s].
pub const SPEED: f32 = 1.12;
/// Share of the cycle that a foot spends on the ground.
const STANCE: f32 = 0.62;
/// Where a heel strikes, ahead of the hips [m].
const STRIKE: f32 = 0.300;

/// Foot pitch over the cycle, from heel strike: toes up, flat, heel up until push-off, swing.
const PITCH: Track<1> = Track {
    keys: &[
        (0.0, [-0.32]),
        (0.09, [0.0]),
        (0.34, [0.0]),
        (0.50, [0.42]),
        (0.62, [1.02]),
        (0.76, [0.62]),
        (0.90, [-0.20]),
    ],
    period: 1.0,
};

/// The left foot at `phase` of its cycle, 0 at heel strike.
fn foot(phase: f32, side: f32) -> Foot {
    let phase = phase.rem_euclid(1.0);
    let travel = SPEED * PERIOD;
    let (z, lift) = if phase < STANCE {
        (STRIKE - travel * phase, 0.0)
    } else {
        // A cubic that leaves and meets the ground at the ground's own speed.
        let (x, span) = ((phase - STANCE) / (1.0 - STANCE), -travel * (1.0 - STANCE));
        let (from, to) = (STRIKE - travel * STANCE, STRIKE);
        let rise = 3.0 * (to - from) - 3.0 * span;
        let z = from + x * (span + x * (rise + x * (2.0 * (from - to) + 2.0 * span)));
        // The heel comes down fast, or it would graze the ground on its way.
        let drop = ((x - 0.7) / 0.3).max(0.0);
        (z, 0.035 * ease(0.0, 0.4, x) * (1.0 - drop * drop))
    };
    Foot {
        place: vec3(side * 0.082, lift, z + ANKLE.z),
        yaw: side * 0.02,
        pitch: PITCH.at(phase)[0],
        flat_toes: 1.0 - 0.75 * ease(STANCE - 0.02, STANCE + 0.12, phase),
        planted: phase < STANCE,
    }
}

fn arm(swing: f32, late: f32) -> Arm {
    Arm {
        reach: vec3(0.20, -1.0, 0.04 + 0.42 * swing),
        toward: vec3(-0.45, 0.15, 0.95),
        elbow: 0.42 + 0.20 * late,
        wrist: [0.10 - 0.12 * (late - swing), 0.10, 0.0],
        shrug: 0.0,
    }
}

/// The pose at `time` [s].
pub fn figure(time: f32) -> Figure {
    let phase = time / PERIOD;
    // 1 when the left heel strikes, -1 when the right one does.
    let stride = (TAU * phase).cos();
    let late = (TAU * phase - 0.45).cos();
    // 1 in the middle of the left foot's stance.
    let carried = (TAU * (phase - 0.27)).cos();
    let bob = (2.0 * TAU * (phase - 0.29)).cos();
    Figure {
        hips: Vec3::new(0.020 * carried, 0.930 + 0.014 * bob, 0.008 * (2.0 * TAU * phase).sin()),
        pelvis: [-0.10 * stride, 0.05, 0.055 * carried],
        spine: [0.20 * late, 0.025 + 0.015 * bob, -0.065 * carried],
        head: [-0.09 * late, -0.05 - 0.015 * bob, 0.015 * carried],
        arms: [arm(-stride, -late), arm(stride, late)],
        feet: [foot(phase, 1.0), foot(phase + 0.5, -1.0)],
        knees: [0.0, 0.0],
    }
}
