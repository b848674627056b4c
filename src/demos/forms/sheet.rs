//! A square of cloth.

use glam::{Vec2, Vec3};

/// Positions [m], triangles and texture coordinates of a square sheet in the XZ plane about the origin, facing up, with
/// `side` particles a side, at least 2, `spacing` [m] apart. Diagonals alternate, so that no direction is stiffer.
pub fn sheet(side: u32, spacing: f32) -> (Vec<Vec3>, Vec<[u32; 3]>, Vec<Vec2>) {
    let half = 0.5 * (side - 1) as f32;
    let place = |i: u32| Vec2::new((i % side) as f32, (i / side) as f32);
    let positions = (0..side * side).map(|i| ((place(i) - half) * spacing).extend(0.0).xzy()).collect();
    let uvs = (0..side * side).map(|i| place(i) / (2.0 * half)).collect();
    let mut triangles = Vec::new();
    for row in 0..side - 1 {
        for column in 0..side - 1 {
            let a = row * side + column;
            let [b, c, d] = [a + 1, a + side, a + side + 1];
            let halves = if (row + column) % 2 == 0 { [[a, c, d], [a, d, b]] } else { [[a, c, b], [b, c, d]] };
            triangles.extend(halves);
        }
    }
    (positions, triangles, uvs)
}

use glam::Vec3Swizzles;
