//! The committed file is what the tool makes, and holds a closed, well-skinned body of the promised size.

mod reader;

use std::collections::HashMap;

use glam::Vec3;
use reader::{Glb, bytes, committed};
use serde_json::Value;

/// Sines differ in the last bits between platforms; the mesh uses none.
const TOLERANCE: f64 = 1e-4;

/// Where two documents differ by more than rounding.
fn difference(a: &Value, b: &Value, path: &str) -> Option<String> {
    match (a, b) {
        (Value::Object(x), Value::Object(y)) if x.len() == y.len() => {
            x.iter().find_map(|(key, value)| difference(value, y.get(key)?, &format!("{path}/{key}")))
        }
        (Value::Array(x), Value::Array(y)) if x.len() == y.len() => {
            x.iter().zip(y).enumerate().find_map(|(i, (x, y))| difference(x, y, &format!("{path}/{i}")))
        }
        (Value::Number(x), Value::Number(y)) if (x.as_f64()? - y.as_f64()?).abs() <= TOLERANCE => None,
        _ if a == b => None,
        _ => Some(format!("{path}: {a} in the file, {b} made anew")),
    }
}

#[test]
fn the_file_is_what_the_tool_makes() {
    let (file, made) = (committed(), bytes());
    if file == made {
        return;
    }
    let (file, made) = (Glb::parse(&file), Glb::parse(made));
    assert_eq!(difference(&file.document, &made.document, ""), None, "cargo run --release -p dancer");
    for accessor in 0..file.document["accessors"].as_array().unwrap().len() {
        let (a, b) = (file.values(accessor), made.values(accessor));
        let far = a.iter().flatten().zip(b.iter().flatten()).map(|(x, y)| f64::from((x - y).abs())).fold(0.0, f64::max);
        assert!(far <= TOLERANCE, "accessor {accessor} differs by {far}: cargo run --release -p dancer");
    }
}

#[test]
fn it_is_small_and_in_the_public_domain() {
    assert!(committed().len() <= 2 << 20);
    let document = Glb::parse(&committed()).document;
    assert!(document["asset"]["copyright"].as_str().unwrap().starts_with("CC0"));
    let names: Vec<&str> =
        document["animations"].as_array().unwrap().iter().map(|a| a["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["idle", "walk", "dance"]);
}

#[test]
fn it_stands_eight_heads_high_on_the_floor() {
    let points: Vec<Vec3> = Glb::parse(bytes()).vertices().iter().map(|v| v.point).collect();
    let (low, high) = points.iter().fold((f32::MAX, f32::MIN), |(low, high), p| (low.min(p.y), high.max(p.y)));
    assert!(low.abs() < 0.005 && (high - 1.75).abs() < 0.01, "from {low} to {high} m");
    let left = points.iter().map(|p| p.x).fold(f32::MIN, f32::max);
    let right = points.iter().map(|p| -p.x).fold(f32::MIN, f32::max);
    assert!((left - right).abs() < 0.01, "{left} m to the left, {right} m to the right");
}

#[test]
fn the_surface_is_closed_and_fine_enough() {
    let glb = Glb::parse(bytes());
    let (vertices, triangles) = (glb.vertices(), glb.triangles());
    // Materials meet in equal positions.
    let mut ids: HashMap<[u32; 3], usize> = HashMap::new();
    let id: Vec<usize> = vertices
        .iter()
        .map(|v| {
            let next = ids.len();
            *ids.entry(v.point.to_array().map(f32::to_bits)).or_insert(next)
        })
        .collect();
    let mut balance: HashMap<(usize, usize), [u32; 2]> = HashMap::new();
    for t in &triangles {
        for (a, b) in [(t[0], t[1]), (t[1], t[2]), (t[2], t[0])] {
            let (a, b) = (id[a], id[b]);
            balance.entry((a.min(b), a.max(b))).or_default()[usize::from(a < b)] += 1;
        }
    }
    let open = balance.values().filter(|count| **count != [1, 1]).count();
    assert_eq!(open, 0, "edges without exactly two triangles");
    let euler = ids.len() as i64 - balance.len() as i64 + triangles.len() as i64;
    assert_eq!(euler, 2, "one piece without handles");
    assert!((10_000..=24_000).contains(&triangles.len()), "{} triangles", triangles.len());
    let volume: f32 =
        triangles.iter().map(|t| t.map(|v| vertices[v].point)).map(|[a, b, c]| a.dot(b.cross(c)) / 6.0).sum();
    assert!((0.050..0.075).contains(&volume), "{volume} m³");
}

#[test]
fn normals_point_outward() {
    let glb = Glb::parse(bytes());
    let vertices = glb.vertices();
    let mut against = 0;
    for t in glb.triangles() {
        let [a, b, c] = t.map(|v| &vertices[v]);
        let face = (b.point - a.point).cross(c.point - a.point);
        against += [a, b, c].iter().filter(|v| v.normal.dot(face) < 0.0).count();
    }
    assert!(against < 60, "{against} corners look inward");
    assert!(vertices.iter().all(|v| (v.normal.length() - 1.0).abs() < 1e-4));
}

#[test]
fn weights_sum_to_one_and_every_joint_moves_something() {
    let glb = Glb::parse(bytes());
    let mut most = [0.0f32; 22];
    for v in glb.vertices() {
        assert!((v.weights.iter().sum::<f32>() - 1.0).abs() < 1e-5 && v.weights.iter().all(|w| *w >= 0.0));
        v.joints.iter().zip(v.weights).for_each(|(j, w)| most[*j] = most[*j].max(w));
    }
    assert!(most.iter().all(|w| *w > 0.5), "{most:?}");
}
