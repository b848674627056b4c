//! Standing at ease: breath, weight drifting from one leg to the other, a look around. Four seconds.

use std::f32::consts::TAU;

use glam::{Vec3, vec3};

use crate::figure::{Arm, Figure, Foot};

const PERIOD: f32 = 4.0;

/// The pose at `time` [s].
pub fn figure(time: f32) -> Figure {
    let phase = TAU * time / PERIOD;
    let breath = phase.sin();
    let weight = (phase - 0.6).cos();
    // Hands lag behind the shoulders that carry them.
    let late = (phase - 1.2).cos();
    let arm = |side: f32| Arm {
        reach: vec3(0.30 + 0.05 * side + 0.012 * breath, -0.95, 0.02 + 0.02 * side * late),
        toward: vec3(-0.55, 0.0, 0.85),
        elbow: 0.26 + 0.03 * late,
        wrist: [0.12 + 0.04 * late, 0.05, 0.0],
        shrug: 0.025 * breath,
    };
    let foot = |side: f32, z: f32| Foot {
        place: vec3(side * 0.125, 0.0, z),
        yaw: side * 0.14,
        pitch: 0.0,
        flat_toes: 1.0,
        planted: true,
    };
    Figure {
        hips: Vec3::new(0.026 + 0.014 * weight, 0.944 - 0.004 * weight + 0.002 * breath, -0.004),
        pelvis: [0.05 + 0.02 * weight, 0.02, 0.035 + 0.018 * weight],
        spine: [-0.04 - 0.03 * weight, -0.03 - 0.022 * breath, -0.055 - 0.028 * weight],
        head: [0.16 * (phase - 2.0).sin() - 0.02, 0.05 + 0.02 * breath + 0.03 * (2.0 * phase).sin(), 0.03 * late],
        arms: [arm(1.0), arm(-1.0)],
        feet: [foot(1.0, -0.035), foot(-1.0, 0.035)],
        knees: [0.0, 0.10],
    }
}
