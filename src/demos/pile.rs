//! Boxes, balls, capsules and solids made from meshes, poured into a bowl.

use std::f32::consts::TAU;
use std::sync::Arc;

use glam::{Vec2, Vec3};

use super::demo::{Category, Demo, DemoError, Stage};
use super::options::{DemoOption, Options};
use crate::import;
use crate::scene::{BodyDesc, Bone, Instance, Model, Scene, Shape, TriangleMesh, View, primitive_model};
use crate::spawn::{Random, add_bowl, palette};

pub(super) const DEMO: Demo = Demo {
    name: "pile",
    summary: "boxes, balls, capsules, rings and brackets poured into a bowl",
    category: Category::Bodies,
    options: &[
        DemoOption::integer("count", [1.0, 3000.0], 60.0, "bodies"),
        DemoOption::integer("seed", [0.0, 1.0e6], 1.0, "seed of the random numbers"),
    ],
    build,
};

/// Particle radius [m].
const RADIUS: f32 = 0.04;
/// Every shape turns freely in a cube of this side [m].
const CELL: f32 = 0.6;

fn build(options: &Options) -> Result<Stage, DemoError> {
    let count = options.count("count");
    let kinds = kinds()?;
    // As wide as it takes for eight layers.
    let side = ((count as f32 / 8.0).sqrt().ceil() as u32).max(2);
    let radius = 0.5 * CELL * side as f32;
    let mut scene = Scene::default();
    add_bowl(&mut scene, radius, 1.2 * radius)?;
    let mut random = Random::new(options.count("seed"));
    for i in 0..count {
        let (x, z, layer) = (i % side, i / side % side, i / (side * side));
        let cell =
            Vec3::new(x as f32, layer as f32 + 1.6, z as f32) - Vec3::new(1.0, 0.0, 1.0) * (0.5 * (side - 1) as f32);
        let (desc, model, rest_center) = &kinds[i as usize % kinds.len()];
        let body = scene.add_body(desc.clone().at(cell * CELL).rotated(random.rotation()))?;
        let bones = vec![Bone::root(body, *rest_center)];
        let tint = palette(random.between(0.0, 1000.0) as usize);
        scene.add_instance(Instance { model: Arc::clone(model), bones, tint })?;
    }
    scene.view = View::around(Vec3::Y * (0.45 * radius), 1.55 * radius);
    Ok(scene.into())
}

/// A description to copy, its model, and the body's center in the model.
type Kind = (BodyDesc, Arc<Model>, Vec3);

fn kinds() -> Result<Vec<Kind>, DemoError> {
    let mut kinds = Vec::new();
    for desc in [
        BodyDesc::cuboid(Vec3::new(0.12, 0.12, 0.12), RADIUS),
        BodyDesc::sphere(0.14, RADIUS),
        BodyDesc::capsule(0.09, 0.13, RADIUS),
        BodyDesc::cuboid(Vec3::new(0.2, 0.08, 0.12), RADIUS),
    ] {
        let model = Arc::new(primitive_model(&desc.shape));
        kinds.push((desc, model, Vec3::ZERO));
    }
    for (name, mesh) in [("ring", ring(0.18, 0.07)), ("bracket", bracket(0.4, 0.13))] {
        let (desc, center) = import::solid_body(name, &mesh, RADIUS, 1000.0)?;
        kinds.push((desc, Arc::new(primitive_model(&Shape::Mesh(mesh))), center));
    }
    Ok(kinds)
}

/// A ring about Y of this `major` radius, `minor` thick [m].
fn ring(major: f32, minor: f32) -> TriangleMesh {
    const AROUND: u32 = 32;
    const ACROSS: u32 = 16;
    let mut mesh = TriangleMesh::default();
    for i in 0..AROUND {
        let out = Vec2::from_angle(TAU * i as f32 / AROUND as f32);
        for j in 0..ACROSS {
            let around = Vec2::from_angle(TAU * j as f32 / ACROSS as f32);
            let reach = major + minor * around.x;
            mesh.positions.push(Vec3::new(reach * out.x, minor * around.y, reach * out.y));
            let at = |i: u32, j: u32| (i % AROUND) * ACROSS + j % ACROSS;
            let (a, b, c, d) = (at(i, j), at(i, j + 1), at(i + 1, j + 1), at(i + 1, j));
            mesh.triangles.extend([[a, b, c], [a, c, d]]);
        }
    }
    mesh
}

/// An L of this `length` of both arms, `thickness` square [m], extruded along Z.
fn bracket(length: f32, thickness: f32) -> TriangleMesh {
    let (l, t, depth) = (length, thickness, 0.5 * thickness);
    let outline = [(0.0, 0.0), (l, 0.0), (l, t), (t, t), (t, l), (0.0, l)].map(Vec2::from);
    let mut mesh = TriangleMesh::default();
    for z in [depth, -depth] {
        mesh.positions.extend(outline.iter().map(|p| p.extend(z)));
    }
    // The L is a fan about its inner corner.
    for (a, b, c) in [(3, 4, 5), (3, 5, 0), (3, 0, 1), (3, 1, 2)] {
        mesh.triangles.push([a, b, c]);
        mesh.triangles.push([a + 6, c + 6, b + 6]);
    }
    for i in 0..6 {
        let next = (i + 1) % 6;
        mesh.triangles.extend([[i, i + 6, next + 6], [i, next + 6, next]]);
    }
    mesh
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Volume by the divergence theorem: positive only when closed and seen counter-clockwise from outside.
    fn volume(mesh: &TriangleMesh) -> f32 {
        let corner = |i: u32| mesh.positions[i as usize];
        mesh.triangles.iter().map(|t| corner(t[0]).dot(corner(t[1]).cross(corner(t[2]))) / 6.0).sum()
    }

    fn is_closed(mesh: &TriangleMesh) -> bool {
        let edges = |t: &[u32; 3]| [(t[0], t[1]), (t[1], t[2]), (t[2], t[0])];
        let all: std::collections::HashSet<_> = mesh.triangles.iter().flat_map(edges).collect();
        all.len() == 3 * mesh.triangles.len() && all.iter().all(|(a, b)| all.contains(&(*b, *a)))
    }

    #[test]
    fn meshes_are_closed_and_have_their_volume() {
        let (ring, bracket) = (ring(0.18, 0.07), bracket(0.4, 0.13));
        assert!(is_closed(&ring) && is_closed(&bracket));
        let expected = 0.13 * (0.4 * 0.13 + 0.27 * 0.13);
        assert!((volume(&bracket) - expected).abs() < 1e-6, "{}", volume(&bracket));
        let expected = 2.0 * std::f32::consts::PI.powi(2) * 0.18 * 0.07 * 0.07;
        assert!((volume(&ring) / expected - 1.0).abs() < 0.05, "{} of {expected}", volume(&ring));
    }
}
