//! Blocks of free particles: liquid and grains to begin with.

use glam::Vec3;

use super::Random;

/// Least distance of neighbors in a heap [diameters].
const CLOSE: f32 = 1.02;
/// Part of the room between two that each may use to be off the lattice.
const OFF: f32 = 0.8;

/// A lattice of so many particles of `radius` [m] along each axis, that fills a box from its lowest corner `low` [m] on.
pub fn block(low: Vec3, [x, y, z]: [u32; 3], radius: f32) -> Vec<Vec3> {
    let place = |i: u32| Vec3::new((i % x) as f32, (i / (x * z)) as f32, (i / x % z) as f32);
    (0..x * y * z).map(|i| low + radius * (2.0 * place(i) + 1.0)).collect()
}

/// Places for grains of `radius` [m] that fill a box from `low` to `high` [m], close to each other and off any lattice: balls in rows stand as a
/// crystal does, and do not flow. At least one layer, if the box is thinner than that.
pub fn heap(low: Vec3, high: Vec3, radius: f32, random: &mut Random) -> Vec<Vec3> {
    // A face-centered lattice is every other place of a cubic one.
    let least = std::f32::consts::SQRT_2 * CLOSE * radius;
    let room = (high - low - 2.0 * radius).max(Vec3::ZERO);
    let last = (room / least + 1e-3).floor();
    let step = room / last.max(Vec3::ONE);
    let start = 0.5 * (low + high - step * last).with_y(2.0 * (low.y + radius));
    let [x, y, z] = last.to_array().map(|n| (n as u32).saturating_add(1));
    // Along a diagonal of the lattice two offsets may add up.
    let closest = step.max(Vec3::splat(least)).min_element() / std::f32::consts::SQRT_2;
    let off = OFF * (closest - radius) / 3.0_f32.sqrt();
    let places = (0..y).flat_map(|j| (0..z).flat_map(move |k| (0..x).map(move |i| (i, j, k))));
    places
        .filter(|(i, j, k)| (i + j + k) % 2 == 0)
        .map(|(i, j, k)| start + step * Vec3::new(i as f32, j as f32, k as f32) + random.offset(off))
        .collect()
}
