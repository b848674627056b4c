//! Colors that go well together.

use glam::{Vec3, Vec4};

/// Linear colors that sit well together on gray ground.
const PALETTE: [[f32; 3]; 8] = [
    [0.78, 0.20, 0.12],
    [0.85, 0.45, 0.08],
    [0.86, 0.68, 0.22],
    [0.22, 0.46, 0.18],
    [0.08, 0.42, 0.45],
    [0.10, 0.25, 0.58],
    [0.34, 0.18, 0.48],
    [0.70, 0.66, 0.58],
];

/// Colour number `i` of the palette, which repeats [linear RGB, alpha 1].
pub fn palette(i: usize) -> Vec4 {
    Vec3::from(PALETTE[i % PALETTE.len()]).extend(1.0)
}
