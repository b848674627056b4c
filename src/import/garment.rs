//! Parts of a character that are cloth: clothes, recognized by the name or a property of their node.
//!
//! A node whose name is `cloth`, or `cloth` followed by anything but a letter, as in `cloth_skirt`, or which has the custom
//! property (`extras`) `cloth`, is worn by the character that the rest of the file is. Names such as `clothes` are left alone.

use gltf::json::Node;
use serde_json::Value;

use super::geometry::{Hold, JointWeights, Placed};
use crate::scene::{Material, Model, Primitive};

/// Cloth that a character wears, in the character's rest pose.
#[derive(Clone, Debug)]
pub struct Garment {
    /// Name of its node.
    pub name: String,
    /// Geometry and materials; what is red is fastened to the body.
    pub model: Model,
    /// Joints that move each primitive, shape [primitive_count].
    pub weights: Vec<JointWeights>,
}

/// Whether a node is meant to be cloth.
pub(super) fn is_cloth(node: &Node) -> bool {
    let named = node.name.as_deref().is_some_and(|name| {
        let start = name.get(..5).is_some_and(|s| s.eq_ignore_ascii_case("cloth"));
        start && !name[5..].starts_with(char::is_alphabetic)
    });
    let extras = node.extras.as_ref().and_then(|e| serde_json::from_str::<Value>(e.get()).ok()).unwrap_or_default();
    let marked = match &extras["cloth"] {
        Value::Bool(on) => *on,
        Value::Number(n) => n.as_f64() != Some(0.0),
        _ => false,
    };
    named || marked
}

/// Takes out of `parts` the clothes: parts of the nodes named in `cloth` (shape [part_count], none for other parts). Only
/// what has a skin beside them wears any; otherwise all parts stay.
pub(super) fn taken(parts: &mut Vec<Placed>, cloth: &mut Vec<Option<String>>, materials: &[Material]) -> Vec<Garment> {
    let worn = |(part, name): (&Placed, &Option<String>)| name.is_some() && part.hold != Hold::Loose;
    let body = |(part, name): (&Placed, &Option<String>)| name.is_none() && part.hold == Hold::Skin;
    if !parts.iter().zip(cloth.iter()).any(body) {
        return Vec::new();
    }
    let mut garments: Vec<Garment> = Vec::new();
    let (mut kept, mut names) = (Vec::new(), Vec::new());
    for (part, name) in parts.drain(..).zip(cloth.drain(..)) {
        match name {
            Some(name) if worn((&part, &Some(name.clone()))) => add(&mut garments, name, part, materials),
            name => {
                kept.push(part);
                names.push(name);
            }
        }
    }
    (*parts, *cloth) = (kept, names);
    garments
}

/// Adds a part to the garment of its node.
fn add(garments: &mut Vec<Garment>, name: String, part: Placed, materials: &[Material]) {
    if garments.last().is_none_or(|g| g.name != name) {
        let model = Model { name: name.clone(), materials: materials.to_vec(), ..Model::default() };
        garments.push(Garment { name, model, weights: Vec::new() });
    }
    if let Some(garment) = garments.last_mut() {
        garment.model.primitives.push(part.primitive);
        garment.weights.push(part.weights);
    }
}

impl Garment {
    /// Joints and shares of the vertex that is nearest to `at` [m].
    pub fn weights_near(&self, at: glam::Vec3) -> &[(u32, f32)] {
        let far = |part: &Primitive, v: usize| part.positions[v].distance_squared(at);
        let vertices = (0..self.model.primitives.len())
            .flat_map(|p| (0..self.model.primitives[p].positions.len()).map(move |v| (p, v)));
        let distance = |(p, v): &(usize, usize)| far(&self.model.primitives[*p], *v);
        let nearest = vertices.min_by(|a, b| distance(a).total_cmp(&distance(b)));
        nearest.map_or(&[], |(p, v)| self.weights[p].of(v))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn cloth_is_told_by_name_or_mark() {
        let node =
            |name: &str, extras: Value| serde_json::from_value(json!({ "name": name, "extras": extras })).unwrap();
        for name in ["cloth", "cloth_skirt", "Cloth.001", "CLOTH cape", "cloth2"] {
            assert!(is_cloth(&node(name, Value::Null)), "{name}");
        }
        for name in ["clothes", "Clothing_01", "tablecloth", "clo", "", "Körper"] {
            assert!(!is_cloth(&node(name, Value::Null)), "{name}");
        }
        assert!(is_cloth(&node("skirt", json!({ "cloth": true }))) && is_cloth(&node("skirt", json!({ "cloth": 1 }))));
        assert!(!is_cloth(&node("skirt", json!({ "cloth": 0 }))) && !is_cloth(&node("skirt", json!("cloth"))));
    }
}
