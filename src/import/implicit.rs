//! Shapes that the file defines for the world around its characters (KHR_implicit_shapes, draft): colliders of
//! KHR_physics_rigid_bodies on nodes that are neither bodies nor below one.

use glam::{Mat4, Vec3};
use gltf::Document;
use serde_json::Value;

use super::container::or_null;
use super::physics::{AuthoredPhysics, NAME as PHYSICS, at};
use super::{AssetNode, Fault};
use crate::scene::{Collider, Shape};

/// Name of the extension.
const NAME: &str = "KHR_implicit_shapes";

/// Static colliders of the file, placed by `model_from_world`, which keeps angles; shapes that are not known cost a
/// warning.
pub(super) fn read(
    document: &Document,
    nodes: &[AssetNode],
    physics: &AuthoredPhysics,
    model_from_world: Mat4,
    warnings: &mut Vec<String>,
) -> Result<Vec<Collider>, Fault> {
    let upward = |node| std::iter::successors(Some(node), |n: &usize| nodes[*n].parent);
    let moves = |node| upward(node).any(|n| physics.bodies.iter().any(|b| b.node == n));
    let shapes = or_null(document.extension_value(NAME))["shapes"].as_array().map_or(&[][..], Vec::as_slice);
    let mut colliders = Vec::new();
    for (index, node) in document.nodes().enumerate() {
        let geometry = &or_null(node.extension_value(PHYSICS))["collider"]["geometry"];
        if geometry["shape"].is_null() || moves(index) {
            continue;
        }
        let shape = at(&format!("the collider of node {index}"), "shape", &geometry["shape"], shapes.len())?;
        let (scale, rotation, position) = (model_from_world * nodes[index].world).to_scale_rotation_translation();
        let even = scale.abs().max_element() <= 1.01 * scale.abs().min_element();
        if !(even && scale.is_finite() && rotation.is_finite() && position.is_finite()) {
            warnings.push(format!("the collider of {} is left out: its node is stretched", nodes[index].name));
            continue;
        }
        match solid(&format!("{NAME} shape {shape}"), &shapes[shape], scale.x.abs())? {
            Some(solid) => colliders.push(Collider::new(solid, position).rotated(rotation.normalize())),
            None => {
                let kind = shapes[shape]["type"].as_str().unwrap_or("nothing");
                let name = &nodes[index].name;
                warnings.push(format!(
                    "the collider of {name} is left out: a {kind} is none of box, sphere, capsule, cylinder, plane"
                ));
            }
        }
    }
    Ok(colliders)
}

/// A shape `scale` times as large; none for kinds that are not known. A capsule or cylinder is as thick as its thicker end.
fn solid(element: &str, shape: &Value, scale: f32) -> Result<Option<Shape>, Fault> {
    let kind = shape["type"].as_str().unwrap_or_default();
    let length = |value: &Value, name: &str, unless: f64| {
        let length = scale * if value.is_null() { unless } else { value.as_f64().unwrap_or(f64::NAN) } as f32;
        let good = length.is_finite() && length > 0.0;
        if good { Ok(length) } else { Err(Fault::invalid(element, format!("its {name} must be above 0"))) }
    };
    let own = &shape[kind];
    let solid = match kind {
        "sphere" => Shape::Sphere(length(&own["radius"], "radius", 0.5)?),
        "box" => {
            let side = |axis: usize| length(&own["size"][axis], "size", 1.0);
            Shape::Cuboid(0.5 * Vec3::new(side(0)?, side(1)?, side(2)?))
        }
        "capsule" => {
            let ends = [length(&own["radiusBottom"], "radius", 0.25)?, length(&own["radiusTop"], "radius", 0.25)?];
            let half_length = 0.5 * length(&own["height"], "height", 0.5)?;
            Shape::Capsule { radius: ends[0].max(ends[1]), half_length }
        }
        "cylinder" => {
            let ends = [length(&own["radiusBottom"], "radius", 0.25)?, length(&own["radiusTop"], "radius", 0.25)?];
            let half_length = 0.5 * length(&own["height"], "height", 0.5)?;
            Shape::Cylinder { radius: ends[0].max(ends[1]), half_length }
        }
        "plane" => Shape::Plane,
        _ => return Ok(None),
    };
    Ok(Some(solid))
}
