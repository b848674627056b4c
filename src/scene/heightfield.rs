//! Terrain given by its heights on a lattice.

use glam::{UVec2, Vec2, Vec3, Vec3Swizzles};
use serde::{Deserialize, Serialize};

use super::check::{Check, SceneError, number, positive};
use super::primitive::Primitive;
use super::triangle_mesh::{TriangleMesh, closest_on_triangle};

/// How far from the surface the distance is exact at least [spacings].
const EXACT: f32 = 4.0;

/// Ground whose heights are given on a lattice, solid below, in the middle of its frame. Each cell is two triangles, parted from its corner
/// of greater X and less Z to that of less X and greater Z.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Heightfield {
    /// Heights along X and along Z, each at least 2.
    pub size: [u32; 2],
    /// Between heights along X and along Z [m], above 0.
    pub spacing: f32,
    /// Heights [m], x fastest, shape [size.x * size.z].
    #[serde(with = "crate::pack")]
    pub heights: Vec<f32>,
}

impl Heightfield {
    /// Of so many heights along X and Z, from a function of X and Z [m].
    pub fn new(size: [u32; 2], spacing: f32, height: impl Fn(f32, f32) -> f32) -> Self {
        let mut field = Self { size, spacing, heights: Vec::new() };
        let places = (0..size[1]).flat_map(|z| (0..size[0]).map(move |x| UVec2::new(x, z)));
        field.heights = places.map(|at| field.place(at)).map(|at| height(at.x, at.y)).collect();
        field
    }

    /// X and Z of a height [m].
    fn place(&self, at: UVec2) -> Vec2 {
        (at.as_vec2() - 0.5 * self.cells().as_vec2()) * self.spacing
    }

    /// Cells along X and Z.
    fn cells(&self) -> UVec2 {
        UVec2::from(self.size).saturating_sub(UVec2::ONE)
    }

    fn at(&self, x: u32, z: u32) -> f32 {
        self.heights[(z * self.size[0] + x) as usize]
    }

    fn corner(&self, x: u32, z: u32) -> Vec3 {
        let place = self.place(UVec2::new(x, z));
        Vec3::new(place.x, self.at(x, z), place.y)
    }

    /// Heights at the corners of a cell: x fastest.
    pub(crate) fn cell(&self, x: u32, z: u32) -> [f32; 4] {
        [self.at(x, z), self.at(x + 1, z), self.at(x, z + 1), self.at(x + 1, z + 1)]
    }

    /// The two triangles of a cell.
    fn triangles_of(&self, x: u32, z: u32) -> [[Vec3; 3]; 2] {
        let [a, b, c, d] = [(x, z), (x + 1, z), (x, z + 1), (x + 1, z + 1)].map(|(x, z)| self.corner(x, z));
        [[a, c, b], [b, c, d]]
    }

    /// Its triangles, two a cell, x fastest.
    pub(crate) fn faces(&self) -> impl Iterator<Item = [Vec3; 3]> + '_ {
        let cells = self.cells();
        (0..cells.y).flat_map(move |z| (0..cells.x).flat_map(move |x| self.triangles_of(x, z)))
    }

    /// Its triangles as a mesh.
    pub fn mesh(&self) -> TriangleMesh {
        let cells = self.cells();
        let positions = (0..self.size[1]).flat_map(|z| (0..self.size[0]).map(move |x| (x, z)));
        let corner = |x, z| z * self.size[0] + x;
        let pairs = (0..cells.y).flat_map(|z| (0..cells.x).map(move |x| (x, z))).flat_map(|(x, z)| {
            let [a, b, c, d] = [corner(x, z), corner(x + 1, z), corner(x, z + 1), corner(x + 1, z + 1)];
            [[a, c, b], [b, c, d]]
        });
        TriangleMesh { positions: positions.map(|(x, z)| self.corner(x, z)).collect(), triangles: pairs.collect() }
    }

    /// Smooth, as ground is.
    pub(super) fn surface(&self) -> Primitive {
        let mesh = self.mesh();
        let mut normals = vec![Vec3::ZERO; mesh.positions.len()];
        for t in &mesh.triangles {
            let [a, b, c] = t.map(|i| mesh.positions[i as usize]);
            t.iter().for_each(|i| normals[*i as usize] += (b - a).cross(c - a));
        }
        normals.iter_mut().for_each(|n| *n = n.normalize_or(Vec3::Y));
        let indices = mesh.triangles.iter().flatten().copied().collect();
        Primitive { positions: mesh.positions, normals, indices, ..Primitive::default() }
    }

    /// Height of the surface there [m]; beyond the border that of the border.
    pub fn height(&self, x: f32, z: f32) -> f32 {
        let most = self.cells().as_vec2();
        let on = (Vec2::new(x, z) / self.spacing + 0.5 * most).clamp(Vec2::ZERO, most);
        let cell = on.as_uvec2().min(self.cells() - 1);
        let f = on - cell.as_vec2();
        let [a, b, c, d] = self.cell(cell.x, cell.y);
        if f.x + f.y <= 1.0 {
            a + (b - a) * f.x + (c - a) * f.y
        } else {
            d + (c - d) * (1.0 - f.x) + (b - d) * (1.0 - f.y)
        }
    }

    /// Part of a height above the surface that is the least distance from it: by the steepest triangle.
    pub(crate) fn least_part(&self) -> f32 {
        let slope = |[a, b, c]: [Vec3; 3]| {
            let n = (b - a).cross(c - a);
            n.xz().length_squared() / (n.y * n.y)
        };
        (1.0 + self.faces().map(slope).fold(0.0, f32::max)).sqrt().recip()
    }

    /// Its twin is `heightfield_at` of `shaders/common/shape.wgsl`; there `reach` is what the scene's particles need.
    pub(super) fn distance(&self, p: Vec3) -> f32 {
        let half = 0.5 * self.spacing * self.cells().as_vec2();
        let on = p.xz().clamp(-half, half);
        let (gap, above) = (p.xz().distance(on), p.y - self.height(on.x, on.y));
        if gap > 0.0 && above <= 0.0 {
            return gap;
        }
        if gap == 0.0 && above < 0.0 {
            let side = (half - on.abs()).min_element();
            return -self.nearest(p, -above).min(side);
        }
        self.nearest(p, above.hypot(gap))
    }

    /// To the nearest triangle, of which one is so near; no more than exact far from all.
    fn nearest(&self, p: Vec3, most: f32) -> f32 {
        let reach = most.min(EXACT * self.spacing);
        let (cells, half) = (self.cells(), 0.5 * self.cells().as_vec2());
        let on = p.xz() / self.spacing + half;
        let around = (reach / self.spacing).ceil();
        let low = (on.floor() - around).clamp(Vec2::ZERO, cells.as_vec2()).as_uvec2();
        let high = (on.floor() + around + 1.0).clamp(Vec2::ZERO, cells.as_vec2()).as_uvec2();
        let pairs = (low.y..high.y).flat_map(|z| (low.x..high.x).map(move |x| (x, z)));
        let faces = pairs.flat_map(|(x, z)| self.triangles_of(x, z));
        faces.map(|[a, b, c]| p.distance(closest_on_triangle(p, a, b, c))).fold(most, f32::min)
    }

    /// The box around its surface [m].
    pub(super) fn bounds(&self) -> (Vec3, Vec3) {
        let (low, high) = self.heights.iter().fold((f32::MAX, f32::MIN), |(low, high), h| (low.min(*h), high.max(*h)));
        let half = 0.5 * self.spacing * self.cells().as_vec2();
        (Vec3::new(-half.x, low, -half.y), Vec3::new(half.x, high, half.y))
    }

    pub(super) fn check(&self, item: &str) -> Check {
        positive(item, "spacing", self.spacing)?;
        let fits = self.size.iter().all(|n| (2..=8192).contains(n));
        number(item, "number of heights along a side", self.size[0] as f32, fits, "from 2 to 8192 along X and Z")?;
        let (index, count) = (self.size.iter().map(|n| *n as usize).product::<usize>(), self.heights.len());
        if count != index {
            return Err(SceneError::Missing { item: item.to_owned(), field: "height", index, count });
        }
        self.heights.iter().try_for_each(|h| number(item, "height", *h, h.abs() < 1e6, "finite and below 1e6 m"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_are_those_of_the_nearest_triangle() {
        let field = Heightfield::new([9, 7], 0.25, |x, z| 0.3 * (3.0 * x).sin() * (4.0 * z).cos() + 0.2 * x);
        let faces: Vec<_> = field.faces().collect();
        for i in 0..4000 {
            let at = |k: f32| (i as f32 * k).fract() * 2.0 - 1.0;
            let p = Vec3::new(0.98 * at(0.618_034), 0.7 * at(0.754_877_7), 0.73 * at(0.569_840_3));
            let near = faces.iter().map(|[a, b, c]| p.distance(closest_on_triangle(p, *a, *b, *c)));
            let near = near.fold(f32::INFINITY, f32::min);
            let side = (1.0 - p.x.abs()).min(0.75 - p.z.abs());
            let known = if p.y < field.height(p.x, p.z) { -near.min(side) } else { near };
            assert!((field.distance(p) - known).abs() < 1e-5, "{} is {known} at {p}", field.distance(p));
        }
    }

    #[test]
    fn it_ends_at_its_border_and_lies_in_the_middle() {
        let field = Heightfield::new([3, 5], 0.5, |_, _| 0.2);
        assert_eq!(field.corner(0, 0), Vec3::new(-0.5, 0.2, -1.0));
        assert!((field.distance(Vec3::new(0.8, -3.0, 0.0)) - 0.3).abs() < 1e-6);
        assert!((field.distance(Vec3::new(0.8, 0.6, 0.0)) - 0.5).abs() < 1e-6);
        assert!((field.distance(Vec3::new(0.1, 0.0, 0.0)) + 0.2).abs() < 1e-6);
        let error = Heightfield { heights: vec![0.0; 3], ..field }.check("ground").unwrap_err().to_string();
        assert!(error.contains("height"), "{error}");
    }
}
