//! A mesh as cloth, over a box and a ball: a round tablecloth of our own, or any model.

use std::f32::consts::TAU;
use std::path::Path;
use std::sync::Arc;

use glam::{Quat, Vec2, Vec3, Vec4};

use super::demo::{Category, Demo, DemoError, Stage};
use super::materials::{
    AREA_DENSITY, BEND, PARTICLES, PIN, SCALE, SHEAR, STRETCH, WARP, WEAVE, WEFT, cloth, cloth_file, of_models,
};
use super::options::{DemoOption, Options};
use crate::scene::{BodyDesc, Collider, Image, Material, Model, Primitive, Scene, Shape, View, primitive_model};
use crate::spawn::palette;

pub(super) const DEMO: Demo = Demo {
    name: "drape",
    summary: "a tablecloth, or any model as cloth, falls over a box and a ball",
    category: Category::Cloth,
    options: &[
        DemoOption::text("model", "PATH", "a .glb, .gltf or .vrm to turn into cloth"),
        SCALE,
        PARTICLES,
        AREA_DENSITY,
        STRETCH,
        BEND,
        WEAVE,
        WARP,
        WEFT,
        SHEAR,
        PIN,
    ],
    build,
};

/// Half the side of the box, and radius of the ball [m].
const HALF: f32 = 0.3;
const BALL: f32 = 0.25;
/// Radius of the tablecloth [m], and its rings of triangles.
const RADIUS: f32 = 0.95;
const RINGS: u32 = 36;

fn build(options: &Options) -> Result<Stage, DemoError> {
    let plan = match options.text("model") {
        Some(path) => cloth_file(Path::new(path), options)?,
        None => {
            of_models(options, &["scale"])?;
            cloth(&tablecloth(), options)?
        }
    };
    let mut scene = Scene::default();
    scene.add_collider(Collider::ground(0.0))?;
    let turn = Quat::from_rotation_y(0.5);
    let at = [Vec3::new(-0.25, HALF + 0.001, 0.0), Vec3::new(0.45, BALL + 0.001, 0.15)];
    let forms = [
        (BodyDesc::cuboid(Vec3::splat(HALF), 0.04).rotated(turn), Shape::Cuboid(Vec3::splat(HALF))),
        (BodyDesc::sphere(BALL, 0.04), Shape::Sphere(BALL)),
    ];
    for (i, ((desc, shape), at)) in forms.into_iter().zip(at).enumerate() {
        let body = scene.add_body(desc.at(at))?;
        scene.draw_body(body, &Arc::new(primitive_model(&shape)), palette(1 + i))?;
    }
    let (low, high) = plan.object.bounds();
    let height = 2.0 * HALF + 0.1 - low.y;
    plan.add_to(&mut scene, Vec3::Y * height, Quat::IDENTITY, Vec4::ONE)?;
    let wide = (high - low).max_element().clamp(1.2, 2.0);
    scene.view = View::around(Vec3::Y * 0.35, 0.62 * wide);
    Ok(Stage { warnings: plan.warnings, ..scene.into() })
}

/// A disc of rings of six triangles more each than the one inside, checked.
fn tablecloth() -> Model {
    let mut part = Primitive::default();
    let ring_start = |ring: u32| if ring == 0 { 0 } else { 1 + 3 * ring * (ring - 1) };
    for ring in 0..=RINGS {
        for i in 0..(6 * ring).max(1) {
            let turn = TAU * i as f32 / (6 * ring).max(1) as f32;
            let at = Vec2::from_angle(turn) * (ring as f32 / RINGS as f32);
            part.positions.push(RADIUS * Vec3::new(at.x, 0.0, -at.y));
            part.uvs.push(0.5 * at + 0.5);
        }
    }
    for ring in 1..=RINGS {
        let (inner, outer) = (6 * (ring - 1), 6 * ring);
        let at = |ring: u32, count: u32, i: u32| ring_start(ring) + i % count.max(1);
        for side in 0..6 {
            for i in 0..ring {
                let (out, inward) = (side * ring + i, side * (ring - 1) + i);
                let [a, b] = [at(ring, outer, out), at(ring, outer, out + 1)];
                let c = at(ring - 1, inner, inward);
                part.indices.extend([a, b, c]);
                if i + 1 < ring {
                    part.indices.extend([b, at(ring - 1, inner, inward + 1), c]);
                }
            }
        }
    }
    part.normals = vec![Vec3::Y; part.positions.len()];
    let material = Material { roughness: 0.9, base_color_texture: Some(0), ..Material::default() };
    Model { name: "tablecloth".into(), primitives: vec![part], materials: vec![material], images: vec![checks()] }
}

/// White with red bands that cross.
fn checks() -> Image {
    const SIDE: u32 = 512;
    const BANDS: u32 = 24;
    let band = |i: u32| i * BANDS / SIDE % 2;
    let pixel = |i: u32| match band(i % SIDE) + band(i / SIDE) {
        0 => [236, 232, 224, 255],
        1 => [214, 128, 120, 255],
        _ => [176, 40, 36, 255],
    };
    Image { width: SIDE, height: SIDE, rgba: (0..SIDE * SIDE).flat_map(pixel).collect() }
}
