//! A triangle mesh of points and corners, and the checks that tell whether it closes.

use std::collections::HashMap;

use glam::Vec3;

/// Points and triangles, counterclockwise seen from outside.
#[derive(Clone, Debug, Default)]
pub struct Mesh {
    /// Vertices [m].
    pub points: Vec<Vec3>,
    /// Three vertices each.
    pub triangles: Vec<[u32; 3]>,
}

/// The three directed edges of a triangle.
pub fn edges([a, b, c]: [u32; 3]) -> [(u32, u32); 3] {
    [(a, b), (b, c), (c, a)]
}

impl Mesh {
    /// Edges that are not shared by exactly two triangles running along them in opposite directions.
    pub fn open_edges(&self) -> usize {
        let mut balance: HashMap<(u32, u32), (u32, u32)> = HashMap::new();
        for (a, b) in self.triangles.iter().flat_map(|t| edges(*t)) {
            let count = balance.entry((a.min(b), a.max(b))).or_default();
            if a < b { count.0 += 1 } else { count.1 += 1 }
        }
        balance.values().filter(|count| **count != (1, 1)).count()
    }

    /// Corner positions of a triangle [m].
    pub fn corners(&self, triangle: [u32; 3]) -> [Vec3; 3] {
        triangle.map(|v| self.points[v as usize])
    }
}

/// Normal of a triangle, as long as twice its area [m²].
pub fn area_normal([a, b, c]: [Vec3; 3]) -> Vec3 {
    (b - a).cross(c - a)
}
