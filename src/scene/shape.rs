//! Solid shapes in a body's or collider's own frame.

use glam::Vec3;

use super::Primitive;
use super::check::{Check, SceneError, not_negative, number, positive, present, vector};
use super::primitives::{cuboid, faceted, round};
use super::surface_net::surface_net;

/// Signed distance sampled on a regular lattice, trilinear between the samples.
#[derive(Clone, Debug, PartialEq)]
pub struct DistanceGrid {
    /// Position of sample (0, 0, 0) [m].
    pub origin: Vec3,
    /// Sample spacing [m], above 0.
    pub spacing: f32,
    /// Samples along x, y, z; each at least 2.
    pub size: [u32; 3],
    /// Signed distances [m], negative inside, x fastest, shape [size.x * size.y * size.z].
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
}

/// Triangles of a static world part or of a solid.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TriangleMesh {
    /// Vertices [m].
    pub positions: Vec<Vec3>,
    /// Vertex indices; counter-clockwise seen from outside.
    pub triangles: Vec<[u32; 3]>,
}

/// A shape centred on the origin of its frame.
#[derive(Clone, Debug, PartialEq)]
pub enum Shape {
    /// Half space below y = 0. Colliders only.
    Plane,
    /// Box with these half extents [m].
    Cuboid(Vec3),
    /// Ball of this radius [m].
    Sphere(f32),
    /// Capsule along Y.
    Capsule {
        /// Radius [m].
        radius: f32,
        /// Half the length of the axis, without the caps [m].
        half_length: f32,
    },
    /// Sampled signed distance.
    Grid(DistanceGrid),
    /// Triangles, open or closed. Colliders only; as a body, build its [`Shape::Grid`].
    Mesh(TriangleMesh),
}

impl Shape {
    /// Signed distance from `point` to the surface [m], negative inside. Meshes give the unsigned distance.
    pub fn distance(&self, point: Vec3) -> f32 {
        match self {
            Self::Plane => point.y,
            Self::Cuboid(half) => {
                let d = point.abs() - *half;
                d.max(Vec3::ZERO).length() + d.max_element().min(0.0)
            }
            Self::Sphere(radius) => point.length() - radius,
            Self::Capsule { radius, half_length } => {
                let axis = Vec3::new(0.0, point.y.clamp(-half_length, *half_length), 0.0);
                (point - axis).length() - radius
            }
            Self::Grid(grid) => grid.distance(point),
            Self::Mesh(mesh) => mesh
                .triangles
                .iter()
                .map(|t| {
                    let [a, b, c] = t.map(|i| mesh.positions[i as usize]);
                    (point - closest_on_triangle(point, a, b, c)).length()
                })
                .fold(f32::INFINITY, f32::min),
        }
    }

    /// Radius of the smallest origin-centred ball around the shape [m]; infinite for a plane.
    pub fn bounding_radius(&self) -> f32 {
        match self {
            Self::Plane => f32::INFINITY,
            Self::Cuboid(half) => half.length(),
            Self::Sphere(radius) => *radius,
            Self::Capsule { radius, half_length } => radius + half_length,
            Self::Grid(grid) => {
                let far = grid.origin
                    + Vec3::new(grid.size[0] as f32 - 1.0, grid.size[1] as f32 - 1.0, grid.size[2] as f32 - 1.0)
                        * grid.spacing;
                grid.origin.abs().max(far.abs()).length()
            }
            Self::Mesh(mesh) => mesh.positions.iter().fold(0.0, |r: f32, p| r.max(p.length())),
        }
    }
}

impl Shape {
    /// Its triangles to draw; none of a plane.
    pub(super) fn surface(&self) -> Primitive {
        match self {
            Self::Plane => Primitive::default(),
            Self::Cuboid(half) => cuboid(*half),
            Self::Sphere(radius) => round(*radius, 0.0),
            Self::Capsule { radius, half_length } => round(*radius, *half_length),
            Self::Grid(grid) => surface_net(grid),
            Self::Mesh(mesh) => faceted(mesh),
        }
    }
}

/// The point of triangle `abc` nearest to `p` (Ericson, Real-Time Collision Detection, 5.1.5).
pub fn closest_on_triangle(p: Vec3, a: Vec3, b: Vec3, c: Vec3) -> Vec3 {
    let (ab, ac, ap) = (b - a, c - a, p - a);
    let (d1, d2) = (ab.dot(ap), ac.dot(ap));
    if d1 <= 0.0 && d2 <= 0.0 {
        return a;
    }
    let bp = p - b;
    let (d3, d4) = (ab.dot(bp), ac.dot(bp));
    if d3 >= 0.0 && d4 <= d3 {
        return b;
    }
    let vc = d1 * d4 - d3 * d2;
    if vc <= 0.0 && d1 >= 0.0 && d3 <= 0.0 {
        return a + ab * (d1 / (d1 - d3));
    }
    let cp = p - c;
    let (d5, d6) = (ab.dot(cp), ac.dot(cp));
    if d6 >= 0.0 && d5 <= d6 {
        return c;
    }
    let vb = d5 * d2 - d1 * d6;
    if vb <= 0.0 && d2 >= 0.0 && d6 <= 0.0 {
        return a + ac * (d2 / (d2 - d6));
    }
    let va = d3 * d6 - d5 * d4;
    if va <= 0.0 && d4 - d3 >= 0.0 && d5 - d6 >= 0.0 {
        return b + (c - b) * ((d4 - d3) / ((d4 - d3) + (d5 - d6)));
    }
    let sum = va + vb + vc;
    a + ab * (vb / sum) + ac * (vc / sum)
}

impl DistanceGrid {
    fn check(&self, item: &str) -> Check {
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

impl TriangleMesh {
    fn check(&self, item: &str) -> Check {
        if self.triangles.is_empty() {
            return Err(SceneError::Empty { item: item.to_owned(), field: "triangles" });
        }
        self.positions.iter().try_for_each(|p| vector(item, "vertex", *p))?;
        let count = self.positions.len();
        self.triangles.iter().flatten().try_for_each(|i| present(item, "vertex", *i as usize, count))
    }
}

impl Shape {
    pub(super) fn check(&self, item: &str) -> Check {
        match self {
            Shape::Plane => Ok(()),
            Shape::Cuboid(half) => {
                positive(item, "half extent", half.min_element()).and(vector(item, "half extent", *half))
            }
            Shape::Sphere(radius) => positive(item, "radius", *radius),
            Shape::Capsule { radius, half_length } => {
                positive(item, "radius", *radius)?;
                not_negative(item, "half length", *half_length)
            }
            Shape::Grid(grid) => grid.check(item),
            Shape::Mesh(mesh) => mesh.check(item),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_of_simple_shapes() {
        let p = Vec3::new(2.0, 0.0, 0.0);
        assert_eq!(Shape::Cuboid(Vec3::ONE).distance(p), 1.0);
        assert_eq!(Shape::Cuboid(Vec3::ONE).distance(Vec3::ZERO), -1.0);
        assert_eq!(Shape::Sphere(0.5).distance(p), 1.5);
        let capsule = Shape::Capsule { radius: 0.5, half_length: 1.0 };
        assert_eq!(capsule.distance(Vec3::new(0.0, 2.0, 0.0)), 0.5);
        assert_eq!(Shape::Plane.distance(Vec3::new(3.0, -2.0, 1.0)), -2.0);
    }

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

    #[test]
    fn closest_point_in_every_region_of_a_triangle() {
        let (a, b, c) = (Vec3::ZERO, Vec3::X, Vec3::Y);
        assert_eq!(closest_on_triangle(Vec3::new(-1.0, -1.0, 1.0), a, b, c), a);
        assert_eq!(closest_on_triangle(Vec3::new(3.0, 0.0, 0.0), a, b, c), b);
        assert_eq!(closest_on_triangle(Vec3::new(0.0, 3.0, 0.0), a, b, c), c);
        assert_eq!(closest_on_triangle(Vec3::new(0.25, 0.25, 2.0), a, b, c), Vec3::new(0.25, 0.25, 0.0));
        assert_eq!(closest_on_triangle(Vec3::new(0.5, -1.0, 0.0), a, b, c), Vec3::new(0.5, 0.0, 0.0));
    }
}
