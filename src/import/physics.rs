//! Physics that the file defines (KHR_physics_rigid_bodies, draft): which nodes are bodies, and how they are joined.
//! Colliders of bodies are not read: bodies are filled from the mesh, which is finer.

use gltf::Document;
use serde_json::Value;

use super::Fault;
use super::container::or_null;

/// Name of the extension.
pub(super) const NAME: &str = "KHR_physics_rigid_bodies";

/// Bodies and joints of a file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AuthoredPhysics {
    /// Nodes that move as bodies.
    pub bodies: Vec<AuthoredBody>,
    /// Joints between bodies.
    pub joints: Vec<AuthoredJoint>,
}

/// A node that moves as a body, with all below it that do not.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AuthoredBody {
    /// Index into [`super::Asset::nodes`].
    pub node: usize,
    /// Mass [kg], above 0.
    pub mass: Option<f32>,
}

/// A joint: the frames of its two nodes, and how far the second turns in the first.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AuthoredJoint {
    /// Node of the first body, or below it.
    pub node: usize,
    /// Node of the second body, or below it.
    pub connected: usize,
    /// Least and most turn about X, Y and Z [rad]; none turns freely.
    pub turns: [Option<[f32; 2]>; 3],
}

/// Reads the extension; nothing without it.
pub(super) fn read(document: &Document) -> Result<AuthoredPhysics, Fault> {
    let mut physics = AuthoredPhysics::default();
    let descriptions = &or_null(document.extension_value(NAME))["physicsJoints"];
    for (index, node) in document.nodes().enumerate() {
        let own = or_null(node.extension_value(NAME));
        let element = || format!("{NAME} of node {index}");
        if own["motion"].is_object() {
            let mass = own["motion"]["mass"].as_f64().map(|m| m as f32);
            if let Some(bad) = mass.filter(|m| !(m.is_finite() && *m >= 0.0)) {
                return Err(Fault::invalid(element(), format!("its mass is {bad}; it must be 0 or more")));
            }
            // Zero means a body that nothing moves; in a ragdoll it moves.
            physics.bodies.push(AuthoredBody { node: index, mass: mass.filter(|m| *m > 0.0) });
        }
        let joint = &own["joint"];
        if joint.is_object() {
            let connected = at(&element(), "connected node", &joint["connectedNode"], document.nodes().len())?;
            let count = descriptions.as_array().map_or(0, Vec::len);
            let description = at(&element(), "joint description", &joint["joint"], count)?;
            let turns = turns(&format!("{NAME} joint description {description}"), &descriptions[description])?;
            physics.joints.push(AuthoredJoint { node: index, connected, turns });
        }
    }
    Ok(physics)
}

pub(super) fn at(element: &str, what: &str, value: &Value, count: usize) -> Result<usize, Fault> {
    let index = value.as_u64().ok_or_else(|| Fault::invalid(element, format!("names no {what}")))?;
    let index = usize::try_from(index).unwrap_or(usize::MAX);
    if index < count { Ok(index) } else { Err(Fault::missing(element, what, index, count)) }
}

/// Ranges about X, Y and Z of a joint description.
fn turns(element: &str, description: &Value) -> Result<[Option<[f32; 2]>; 3], Fault> {
    let mut turns = [None; 3];
    for limit in description["limits"].as_array().into_iter().flatten() {
        let bound = |name: &str, open: f64| limit[name].as_f64().unwrap_or(open) as f32;
        let range = [bound("min", f64::from(-std::f32::consts::PI)), bound("max", f64::from(std::f32::consts::PI))];
        for axis in limit["angularAxes"].as_array().into_iter().flatten() {
            let axis = at(element, "axis", axis, 3)?;
            if !(range[0].abs() <= 100.0 && range[1].abs() <= 100.0 && range[0] <= range[1]) {
                return Err(Fault::invalid(element, format!("its range is {} to {}", range[0], range[1])));
            }
            turns[axis] = Some(range);
        }
    }
    Ok(turns)
}
