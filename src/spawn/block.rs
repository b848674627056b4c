//! Blocks of free particles: liquid and grains to begin with.

use glam::Vec3;

/// A lattice of so many particles of `radius` [m] along each axis, that fills a box from its lowest corner `low` [m] on.
pub fn block(low: Vec3, [x, y, z]: [u32; 3], radius: f32) -> Vec<Vec3> {
    let place = |i: u32| Vec3::new((i % x) as f32, (i / (x * z)) as f32, (i / x % z) as f32);
    (0..x * y * z).map(|i| low + radius * (2.0 * place(i) + 1.0)).collect()
}
