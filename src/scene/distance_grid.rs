//! Signed distances on a lattice.

use glam::{UVec3, Vec3};
use serde::{Deserialize, Serialize};

use super::check::{Check, SceneError, number, positive, vector};

/// Signed distance sampled on a regular lattice, trilinear between the samples.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DistanceGrid {
    /// Position of sample (0, 0, 0) [m].
    pub origin: Vec3,
    /// Sample spacing [m], above 0.
    pub spacing: f32,
    /// Samples along x, y, z; each at least 2.
    pub size: [u32; 3],
    /// Signed distances [m], negative inside, x fastest, shape [size.x * size.y * size.z].
    #[serde(with = "crate::pack")]
    pub distances: Vec<f32>,
}

impl DistanceGrid {
    /// Signed distance at `point` [m]; outside the lattice, the distance to its box is added.
    pub fn distance(&self, point: Vec3) -> f32 {
        let max = Vec3::new((self.size[0] - 1) as f32, (self.size[1] - 1) as f32, (self.size[2] - 1) as f32);
        let wanted = (point - self.origin) / self.spacing;
        let inside = wanted.clamp(Vec3::ZERO, max);
        let base = inside.floor().min(max - 1.0).max(Vec3::ZERO);
        let f = inside - base;
        let at = |x: u32, y: u32, z: u32| {
            let (i, j, k) = (base.x as u32 + x, base.y as u32 + y, base.z as u32 + z);
            self.distances[((k * self.size[1] + j) * self.size[0] + i) as usize]
        };
        let mix = |a: f32, b: f32, t: f32| a + (b - a) * t;
        let along_x = |y, z| mix(at(0, y, z), at(1, y, z), f.x);
        let value = mix(mix(along_x(0, 0), along_x(1, 0), f.y), mix(along_x(0, 1), along_x(1, 1), f.y), f.z);
        value + (wanted - inside).length() * self.spacing
    }

    /// Position of the last sample [m].
    pub(super) fn far(&self) -> Vec3 {
        self.origin + (UVec3::from(self.size).as_vec3() - 1.0) * self.spacing
    }

    pub(super) fn check(&self, item: &str) -> Check {
        positive(item, "grid spacing", self.spacing)?;
        vector(item, "grid origin", self.origin)?;
        let fits = self.size.iter().all(|n| *n >= 2);
        number(item, "grid size", self.size[0] as f32, fits, "at least 2 samples a side")?;
        let (index, count) = (self.size.iter().map(|n| *n as usize).product::<usize>(), self.distances.len());
        if count != index {
            return Err(SceneError::Missing { item: item.to_owned(), field: "grid sample", index, count });
        }
        self.distances.iter().try_for_each(|d| number(item, "grid distance", *d, true, "finite"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_grid_interpolates_a_linear_field_exactly() {
        let grid = DistanceGrid {
            origin: Vec3::splat(-1.0),
            spacing: 0.5,
            size: [5, 5, 5],
            distances: (0..125).map(|i| -1.0 + 0.5 * ((i / 5) % 5) as f32).collect(),
        };
        for y in [-0.9_f32, -0.3, 0.0, 0.77] {
            assert!((grid.distance(Vec3::new(0.1, y, -0.2)) - y).abs() < 1e-6);
        }
        assert!((grid.distance(Vec3::new(0.0, 3.0, 0.0)) - 3.0).abs() < 1e-6);
    }
}
