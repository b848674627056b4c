//! Triangles of the primitive shapes, so that bodies and colliders can be drawn as what they are.

use glam::Vec3;

use super::{Material, Model, Primitive, Shape};

/// A model of `shape` in its own frame, one material of base colour 1. Planes and grids give an empty model.
pub fn primitive_model(shape: &Shape) -> Model {
    let part = match shape {
        Shape::Plane | Shape::Grid(_) => Primitive::default(),
        Shape::Cuboid(half) => cuboid(*half),
        Shape::Sphere(radius) => round(*radius, 0.0),
        Shape::Capsule { radius, half_length } => round(*radius, *half_length),
        Shape::Mesh(mesh) => {
            let mut part = Primitive::default();
            for t in &mesh.triangles {
                let corners = t.map(|i| mesh.positions[i as usize]);
                let normal = (corners[1] - corners[0]).cross(corners[2] - corners[0]).normalize_or(Vec3::Y);
                for corner in corners {
                    part.indices.push(part.positions.len() as u32);
                    part.positions.push(corner);
                    part.normals.push(normal);
                }
            }
            part
        }
    };
    Model { name: "primitive".into(), primitives: vec![part], materials: vec![Material::default()], images: Vec::new() }
}

fn cuboid(half: Vec3) -> Primitive {
    let mut part = Primitive::default();
    for normal in [Vec3::X, Vec3::NEG_X, Vec3::Y, Vec3::NEG_Y, Vec3::Z, Vec3::NEG_Z] {
        let u = normal.yzx();
        let v = normal.cross(u);
        let first = part.positions.len() as u32;
        for (su, sv) in [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)] {
            part.positions.push((normal + u * su + v * sv) * half);
            part.normals.push(normal);
        }
        part.indices.extend([0, 1, 2, 0, 2, 3].map(|i| first + i));
    }
    part
}

use glam::Vec3Swizzles;

/// Ball (`half_length` 0) or capsule along Y.
fn round(radius: f32, half_length: f32) -> Primitive {
    const SECTORS: u32 = 24;
    const RINGS: u32 = 14;
    let mut part = Primitive::default();
    for ring in 0..=RINGS {
        let angle = std::f32::consts::PI * (ring as f32 / RINGS as f32 - 0.5);
        // The middle ring is doubled by giving the upper half its own offset: the quads between form the tube.
        let offset = if ring <= RINGS / 2 { -half_length } else { half_length };
        for sector in 0..=SECTORS {
            let turn = std::f32::consts::TAU * sector as f32 / SECTORS as f32;
            let normal = Vec3::new(angle.cos() * turn.cos(), angle.sin(), angle.cos() * turn.sin());
            part.positions.push(normal * radius + Vec3::Y * offset);
            part.normals.push(normal);
        }
    }
    for ring in 0..RINGS {
        for sector in 0..SECTORS {
            let a = ring * (SECTORS + 1) + sector;
            let b = a + SECTORS + 1;
            part.indices.extend([a, b, a + 1, a + 1, b, b + 1]);
        }
    }
    part
}
