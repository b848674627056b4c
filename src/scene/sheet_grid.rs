//! Rectangular grids of triangles for sheets, in both topologies that paper 4 compares.

use glam::{Vec2, Vec3};
use serde::{Deserialize, Serialize};

/// How the cells of a [`SheetGrid`] are cut in two.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum Topology {
    /// All along the same diagonal: six triangles meet at a point, and folds like one direction better than the other.
    Diagonal,
    /// Turned from cell to cell: four or eight triangles meet at a point, the same in both directions.
    #[default]
    Centered,
}

/// A flat rectangle of points and triangles.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SheetGrid {
    /// Points along x and along z, 2 or more each.
    pub points: [u32; 2],
    /// Sides along x and z [m].
    pub size: Vec2,
    /// How its cells are cut.
    pub topology: Topology,
}

impl SheetGrid {
    /// A square with `points` along each side of `side` [m].
    pub fn square(points: u32, side: f32) -> Self {
        Self { points: [points; 2], size: Vec2::splat(side), topology: Topology::default() }
    }

    /// Texture coordinates from 0 to 1, x fastest, shape [points.x * points.z].
    pub fn uvs(&self) -> Vec<Vec2> {
        let [across, along] = self.points;
        let last = Vec2::new((across - 1) as f32, (along - 1) as f32);
        (0..across * along).map(|i| Vec2::new((i % across) as f32, (i / across) as f32) / last).collect()
    }

    /// Points about the origin in the plane y = 0 [m], in the order of the texture coordinates.
    pub fn positions(&self) -> Vec<Vec3> {
        let place = |uv: Vec2| (uv - 0.5) * self.size;
        self.uvs().into_iter().map(place).map(|p| Vec3::new(p.x, 0.0, p.y)).collect()
    }

    /// Triangles that face up.
    pub fn triangles(&self) -> Vec<[u32; 3]> {
        let [across, along] = self.points;
        let mut triangles = Vec::with_capacity(2 * (across * along) as usize);
        for (x, z) in (0..(across - 1) * (along - 1)).map(|i| (i % (across - 1), i / (across - 1))) {
            let [a, b] = [z * across + x, z * across + x + 1];
            let [c, d] = [a + across, b + across];
            let turned = self.topology == Topology::Centered && (x + z) % 2 == 1;
            triangles.extend(if turned { [[a, c, b], [b, c, d]] } else { [[a, c, d], [a, d, b]] });
        }
        triangles
    }

    /// Shortest distance between neighbors [m].
    pub fn spacing(&self) -> f32 {
        let [across, along] = self.points;
        (self.size.x / (across - 1) as f32).min(self.size.y / (along - 1) as f32)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_topologies_cover_the_rectangle_facing_up() {
        for (topology, meeting) in [(Topology::Diagonal, &[6][..]), (Topology::Centered, &[4, 8])] {
            let grid = SheetGrid { points: [5, 7], size: Vec2::new(2.0, 3.0), topology };
            let (at, triangles) = (grid.positions(), grid.triangles());
            let area = |t: &[u32; 3]| {
                let [a, b, c] = t.map(|i| at[i as usize]);
                0.5 * (b - a).cross(c - a).y
            };
            assert!(triangles.iter().all(|t| (area(t) - 0.125).abs() < 1e-6), "{topology:?}");
            assert_eq!((at.len(), triangles.len(), grid.spacing()), (35, 48, 0.5));
            // Inner points.
            for i in (1..4).flat_map(|x| (1..6).map(move |z| z * 5 + x)) {
                let count = triangles.iter().flatten().filter(|c| **c == i).count();
                assert!(meeting.contains(&count), "{topology:?}: {count} triangles meet");
            }
        }
    }
}
