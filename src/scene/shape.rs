//! Solid shapes in a body's or collider's own frame.

use glam::Vec3;
use serde::{Deserialize, Serialize};

use super::check::{Check, not_negative, positive, vector};
use super::distance_grid::DistanceGrid;
use super::primitive::Primitive;
use super::primitives::{cuboid, faceted, round};
use super::surface_net::surface_net;
use super::triangle_mesh::{TriangleMesh, closest_on_triangle};

/// A shape centred on the origin of its frame.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
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
    pub(crate) fn surface(&self) -> Primitive {
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
}
