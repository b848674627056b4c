//! Checks of surfaces on particles.

use glam::Vec4;

use super::check::{Check, number, vector};
use super::{Anchor, Primitive, Scene, SceneError, Shell, SurfaceMesh};

/// How far the weights of a point may sum from 1: the rounding of barycentrics of thin tetrahedra.
const WEIGHT_TOLERANCE: f32 = 1.0e-3;

pub(super) fn check(scene: &Scene, surface: &SurfaceMesh) -> Check {
    let shell = &surface.shell;
    let item = &format!("surface `{}`", shell.model.name);
    if shell.model.primitives.is_empty() {
        return Err(SceneError::Empty { item: item.clone(), field: "primitives" });
    }
    number(item, "tint", surface.tint.element_sum(), surface.tint.cmpge(Vec4::ZERO).all(), "finite and 0 or more")?;
    present(item, "points of primitive", shell.model.primitives.len() - 1, shell.vertex_points.len())?;
    for (part, points) in shell.model.primitives.iter().zip(&shell.vertex_points) {
        primitive(item, shell, part, points)?;
    }
    let points = shell.points.len();
    number(item, "number of points", points as f32, points >= 3, "3 or more")?;
    let first = surface.first_particle.0 as usize;
    shell.points.iter().try_for_each(|point| anchor(item, point, first, scene.particles.len()))
}

fn primitive(item: &str, shell: &Shell, part: &Primitive, points: &[u32]) -> Check {
    let count = part.positions.len();
    present(item, "material", part.material, shell.model.materials.len())?;
    if part.indices.is_empty() {
        return Err(SceneError::Empty { item: item.to_owned(), field: "triangles" });
    }
    let indices = part.indices.len();
    number(item, "number of indices", indices as f32, indices.is_multiple_of(3), "three a triangle")?;
    let most = part.indices.iter().max().map_or(0, |i| *i as usize);
    present(item, "vertex", most, count)?;
    present(item, "point of vertex", count - 1, points.len())?;
    for (field, len) in [("uv", part.uvs.len()), ("color", part.colors.len())] {
        if len != 0 && len != count {
            return Err(SceneError::Missing { item: item.to_owned(), field, index: count.min(len), count: len });
        }
    }
    part.positions.iter().try_for_each(|p| vector(item, "rest position", *p))?;
    points.iter().try_for_each(|point| present(item, "point", *point as usize, shell.points.len()))
}

fn anchor(item: &str, anchor: &Anchor, first: usize, count: usize) -> Check {
    anchor.particles.iter().try_for_each(|p| present(item, "particle", first + *p as usize, count))?;
    let sum: f32 = anchor.weights.iter().sum();
    number(item, "sum of weights", sum, (sum - 1.0).abs() <= WEIGHT_TOLERANCE, "1")
}

fn present(item: &str, field: &'static str, index: usize, count: usize) -> Check {
    if index < count { Ok(()) } else { Err(SceneError::Missing { item: item.to_owned(), field, index, count }) }
}
