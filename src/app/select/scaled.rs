//! Shapes made larger or smaller.

use anyhow::{Result, bail};
use glam::Vec3;

use crate::scene::{ConvexHull, Piece, Shape, TriangleMesh};

/// The same shape, so many times as large.
///
/// # Errors
/// One that has no size, or whose size is that of its samples.
pub(crate) fn scaled(shape: &Shape, times: f32) -> Result<Shape> {
    Ok(match shape {
        Shape::Cuboid(half) => Shape::Cuboid(*half * times),
        Shape::Sphere(radius) => Shape::Sphere(radius * times),
        Shape::Capsule { radius, half_length } => {
            Shape::Capsule { radius: radius * times, half_length: half_length * times }
        }
        Shape::Cylinder { radius, half_length } => {
            Shape::Cylinder { radius: radius * times, half_length: half_length * times }
        }
        Shape::Hull(hull) => Shape::Hull(ConvexHull::new(&grown(&hull.mesh().positions, times))?),
        Shape::Mesh(mesh) => {
            Shape::Mesh(TriangleMesh { positions: grown(&mesh.positions, times), triangles: mesh.triangles.clone() })
        }
        Shape::Compound(pieces) => Shape::Compound(
            pieces
                .iter()
                .map(|piece| {
                    let shape = scaled(&piece.shape, times)?;
                    Ok(Piece { shape, position: piece.position * times, rotation: piece.rotation })
                })
                .collect::<Result<_>>()?,
        ),
        Shape::Plane => bail!("a plane has no size"),
        Shape::Grid(_) | Shape::Heightfield(_) => {
            bail!("a sampled shape keeps its size: change it in the scene instead")
        }
    })
}

fn grown(points: &[Vec3], times: f32) -> Vec<Vec3> {
    points.iter().map(|point| *point * times).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_grow_with_the_size() {
        let corners: Vec<Vec3> =
            (0..8).map(|i| Vec3::new((i & 1) as f32, (i >> 1 & 1) as f32, (i >> 2) as f32) - 0.5).collect();
        let shapes = [
            Shape::Cuboid(Vec3::new(0.2, 0.3, 0.4)),
            Shape::Sphere(0.3),
            Shape::Capsule { radius: 0.1, half_length: 0.3 },
            Shape::Cylinder { radius: 0.2, half_length: 0.1 },
            Shape::Hull(ConvexHull::new(&corners).unwrap()),
            Shape::Compound(vec![Piece::new(Shape::Sphere(0.2), Vec3::X)]),
        ];
        for shape in shapes {
            let twice = scaled(&shape, 2.0).unwrap();
            for at in [Vec3::new(2.0, 0.3, 0.1), Vec3::new(0.1, 1.5, -0.7), Vec3::new(-0.2, 0.1, 3.0)] {
                let (once, doubled) = (shape.distance(at), twice.distance(2.0 * at));
                assert!((doubled - 2.0 * once).abs() < 1e-4, "{shape:?}: {once} and {doubled}");
            }
        }
        assert!(scaled(&Shape::Plane, 2.0).unwrap_err().to_string().contains("plane"));
    }
}
