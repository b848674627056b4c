//! A triangle mesh of points and corners.

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
    /// Corner positions of a triangle [m].
    pub fn corners(&self, triangle: [u32; 3]) -> [Vec3; 3] {
        triangle.map(|v| self.points[v as usize])
    }
}

/// Normal of a triangle, as long as twice its area [m²].
pub fn area_normal([a, b, c]: [Vec3; 3]) -> Vec3 {
    (b - a).cross(c - a)
}
