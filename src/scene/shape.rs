//! Solid shapes in a body's or collider's own frame.

use glam::{BVec3, Quat, Vec2, Vec3, Vec3Swizzles};
use serde::{Deserialize, Serialize};

use super::check::{Check, SceneError, not_negative, positive, rotation, vector};
use super::distance_grid::DistanceGrid;
use super::heightfield::Heightfield;
use super::hull::ConvexHull;
use super::primitive::Primitive;
use super::primitives::{cuboid, cylinder, faceted, round};
use super::surface_net::surface_net;
use super::triangle_mesh::{TriangleMesh, closest_on_triangle};

/// Sides of a cylinder as it is drawn, and as queries meet it: off the round one by at most 0.05 % of its radius.
const DRAWN_SECTORS: u32 = 32;
const ASKED_SECTORS: u32 = 96;

/// A shape centered on the origin of its frame.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
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
    /// Cylinder along Y, its ends flat.
    Cylinder {
        /// Radius [m].
        radius: f32,
        /// Half the height [m].
        half_length: f32,
    },
    /// Convex hull of points.
    Hull(ConvexHull),
    /// Sampled signed distance.
    Grid(DistanceGrid),
    /// Triangles, open or closed. Colliders only; as a body, build its [`Shape::Grid`].
    Mesh(TriangleMesh),
    /// Ground given by its heights. Colliders only.
    Heightfield(Heightfield),
    /// The union of solids. As a body, build it by [`BodyDesc::compound`](super::BodyDesc::compound).
    Compound(Vec<Piece>),
}

/// A solid somewhere in a [`Shape::Compound`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Piece {
    /// What it is: no plane, mesh, heightfield or compound.
    pub shape: Shape,
    /// Where it is in the compound [m].
    pub position: Vec3,
    /// How it is turned there.
    pub rotation: Quat,
}

impl Piece {
    /// A solid here [m], unturned.
    pub fn new(shape: Shape, position: Vec3) -> Self {
        Self { shape, position, rotation: Quat::IDENTITY }
    }

    /// The same turned.
    #[must_use]
    pub fn rotated(mut self, rotation: Quat) -> Self {
        self.rotation = rotation;
        self
    }

    /// Signed distance from a point of the compound [m].
    pub(super) fn distance(&self, p: Vec3) -> f32 {
        self.shape.distance(self.rotation.inverse() * (p - self.position))
    }

    fn corners(&self) -> [Vec3; 8] {
        self.shape.corners(self.position, self.rotation)
    }

    /// Adds its triangles to those drawn.
    fn draw(&self, drawn: &mut Primitive) {
        let (own, first) = (self.shape.surface(), drawn.positions.len() as u32);
        drawn.positions.extend(own.positions.iter().map(|p| self.position + self.rotation * *p));
        drawn.normals.extend(own.normals.iter().map(|n| self.rotation * *n));
        drawn.indices.extend(own.indices.iter().map(|i| first + i));
    }

    fn check(&self, item: &str) -> Check {
        let shape = self.shape.without_inside();
        if let Some(shape) = shape.or(matches!(self.shape, Shape::Compound(_)).then_some("compound")) {
            return Err(SceneError::NotSolid { item: item.to_owned(), shape });
        }
        self.shape.check(item)?;
        vector(item, "position of a piece", self.position)?;
        rotation(item, self.rotation)
    }
}

/// Shapes, and after them those of the pieces of all compounds among them, in order.
pub(crate) fn with_pieces<'a>(shapes: impl IntoIterator<Item = &'a Shape>) -> Vec<&'a Shape> {
    let mut all: Vec<&Shape> = shapes.into_iter().collect();
    let pieces = all.clone().into_iter().flat_map(|shape| shape.pieces().iter().map(|piece| &piece.shape));
    all.extend(pieces);
    all
}

impl Shape {
    /// Signed distance from `point` to the surface [m], negative inside. Meshes give the unsigned distance; farther than four
    /// spacings from a heightfield it may be told too large.
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
            Self::Cylinder { radius, half_length } => {
                let d = Vec2::new(point.xz().length() - radius, point.y.abs() - half_length);
                d.max(Vec2::ZERO).length() + d.max_element().min(0.0)
            }
            Self::Hull(hull) => hull.distance(point),
            Self::Heightfield(field) => field.distance(point),
            Self::Compound(pieces) => pieces.iter().map(|p| p.distance(point)).fold(f32::INFINITY, f32::min),
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

    /// Radius of the smallest origin-centered ball around the shape [m], of a heightfield around its surface; infinite for a plane.
    pub fn bounding_radius(&self) -> f32 {
        match self {
            Self::Plane => f32::INFINITY,
            Self::Cuboid(half) => half.length(),
            Self::Sphere(radius) => *radius,
            Self::Capsule { radius, half_length } => radius + half_length,
            Self::Cylinder { radius, half_length } => radius.hypot(*half_length),
            Self::Grid(grid) => grid.origin.abs().max(grid.far().abs()).length(),
            Self::Mesh(mesh) => mesh.positions.iter().fold(0.0, |r: f32, p| r.max(p.length())),
            Self::Hull(hull) => hull.mesh().positions.iter().fold(0.0, |r: f32, p| r.max(p.length())),
            Self::Heightfield(field) => {
                let (low, high) = field.bounds();
                low.abs().max(high.abs()).length()
            }
            Self::Compound(pieces) => {
                pieces.iter().fold(0.0, |r: f32, p| r.max(p.position.length() + p.shape.bounding_radius()))
            }
        }
    }

    /// Its pieces, if it is a compound.
    pub(crate) fn pieces(&self) -> &[Piece] {
        if let Self::Compound(pieces) = self { pieces } else { &[] }
    }

    /// What it is called, if it cannot be a body.
    pub(super) fn without_inside(&self) -> Option<&'static str> {
        match self {
            Self::Plane => Some("plane"),
            Self::Mesh(_) => Some("triangle mesh"),
            Self::Heightfield(_) => Some("heightfield"),
            _ => None,
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
            Self::Cylinder { radius, half_length } => cylinder(*radius, *half_length, DRAWN_SECTORS),
            Self::Grid(grid) => surface_net(grid),
            Self::Mesh(mesh) => faceted(mesh),
            Self::Hull(hull) => faceted(hull.mesh()),
            Self::Heightfield(field) => field.surface(),
            Self::Compound(pieces) => {
                let mut all = Primitive::default();
                pieces.iter().for_each(|piece| piece.draw(&mut all));
                all
            }
        }
    }

    /// The triangles that queries meet, of the shapes that they do not meet exactly.
    pub(crate) fn faces(&self) -> Option<Vec<[Vec3; 3]>> {
        let corners = |positions: &[Vec3], t: &[u32]| [0, 1, 2].map(|k| positions[t[k] as usize]);
        let surface = match self {
            Self::Plane | Self::Cuboid(_) | Self::Sphere(_) | Self::Capsule { .. } => return None,
            // Its pieces are met.
            Self::Compound(_) => return None,
            Self::Hull(hull) => return Some(hull.faces().collect()),
            Self::Heightfield(field) => return Some(field.faces().collect()),
            Self::Cylinder { radius, half_length } => cylinder(*radius, *half_length, ASKED_SECTORS),
            Self::Grid(_) => self.surface(),
            Self::Mesh(mesh) => return Some(mesh.triangles.iter().map(|t| corners(&mesh.positions, t)).collect()),
        };
        Some(surface.indices.chunks_exact(3).map(|t| corners(&surface.positions, t)).collect())
    }

    /// Corners of the box around it, where it is turned and put.
    pub(crate) fn corners(&self, position: Vec3, rotation: Quat) -> [Vec3; 8] {
        let (low, high) = self.bounds();
        let corner = |i: u8| Vec3::select(BVec3::new(i & 1 > 0, i & 2 > 0, i & 4 > 0), high, low);
        [0, 1, 2, 3, 4, 5, 6, 7].map(|i| position + rotation * corner(i))
    }

    /// Least and greatest corner of the box around it [m]; without end for a plane.
    pub(crate) fn bounds(&self) -> (Vec3, Vec3) {
        let around = |half: Vec3| (-half, half);
        match self {
            Self::Plane => (Vec3::NEG_INFINITY, Vec3::INFINITY.with_y(0.0)),
            Self::Cuboid(half) => around(*half),
            Self::Sphere(radius) => around(Vec3::splat(*radius)),
            Self::Capsule { radius, half_length } => around(Vec3::new(*radius, radius + half_length, *radius)),
            Self::Cylinder { radius, half_length } => around(Vec3::new(*radius, *half_length, *radius)),
            Self::Grid(grid) => (grid.origin, grid.far()),
            Self::Mesh(mesh) => bounds(&mesh.positions),
            Self::Hull(hull) => bounds(&hull.mesh().positions),
            Self::Heightfield(field) => field.bounds(),
            Self::Compound(pieces) => bounds(&pieces.iter().flat_map(Piece::corners).collect::<Vec<_>>()),
        }
    }
}

/// The box around points.
fn bounds(points: &[Vec3]) -> (Vec3, Vec3) {
    points.iter().fold((Vec3::MAX, Vec3::MIN), |(low, high), p| (low.min(*p), high.max(*p)))
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
            Shape::Cylinder { radius, half_length } => {
                positive(item, "radius", *radius)?;
                positive(item, "half length", *half_length)
            }
            Shape::Grid(grid) => grid.check(item),
            Shape::Mesh(mesh) => mesh.check(item),
            Shape::Hull(hull) => hull.check(item),
            Shape::Heightfield(field) => field.check(item),
            Shape::Compound(pieces) => {
                let item = &format!("compound of {item}");
                if pieces.is_empty() {
                    return Err(SceneError::Empty { item: item.clone(), field: "pieces" });
                }
                pieces.iter().try_for_each(|piece| piece.check(item))
            }
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
    fn a_cylinder_is_nearest_at_its_side_its_ends_and_its_rims() {
        let cylinder = Shape::Cylinder { radius: 0.5, half_length: 1.0 };
        for (p, distance) in [
            (Vec3::new(1.2, 0.3, 1.6), 1.5),
            (Vec3::new(0.1, -1.25, 0.2), 0.25),
            (Vec3::new(0.0, 1.4, 0.8), 0.5),
            (Vec3::new(0.3, 0.2, 0.0), -0.2),
            (Vec3::new(0.1, 0.9, 0.0), -0.1),
            (Vec3::ZERO, -0.5),
        ] {
            assert!((cylinder.distance(p) - distance).abs() < 1e-6, "{} at {p}", cylinder.distance(p));
        }
    }

    #[test]
    fn what_is_drawn_and_asked_of_a_cylinder_lies_on_it_and_is_closed() {
        let shape = Shape::Cylinder { radius: 0.3, half_length: 0.2 };
        for (faces, most) in [(shape.faces().unwrap(), 6e-4), (corners(&shape.surface()), 6e-3)] {
            let volume: f32 = faces.iter().map(|[a, b, c]| a.dot(b.cross(*c)) / 6.0).sum();
            let round = std::f32::consts::PI * 0.09 * 0.4;
            assert!((volume / round - 1.0).abs() < 2.0 * most / 0.3, "{volume} of {round} m³");
            let middles = faces.iter().map(|[a, b, c]| (*a + *b + *c) / 3.0);
            assert!(middles.chain(faces.iter().flatten().copied()).all(|p| shape.distance(p).abs() < most));
        }
    }

    fn corners(surface: &Primitive) -> Vec<[Vec3; 3]> {
        let at = |t: &[u32]| [0, 1, 2].map(|k| surface.positions[t[k] as usize]);
        surface.indices.chunks_exact(3).map(at).collect()
    }
}
