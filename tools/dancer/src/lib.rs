//! Makes the dancer: a mannequin grown from a distance field, with a skeleton, skin weights and three clips.
//!
//! The way from nothing to a character, one module a step:
//!
//! | module | does |
//! |---|---|
//! | [`shape`] | distances from simple solids, and melting them together |
//! | [`body`], [`head`] | tables: what a person is made of |
//! | [`field`] | the whole person as one distance field |
//! | [`march`], [`remesh`] | the field's surface as triangles, then as good triangles |
//! | [`zones`] | materials, and edges along their borders |
//! | [`skeleton`], [`weights`] | joints, and which of them move a vertex |
//! | [`figure`] | a pose in a choreographer's words, and the joint rotations that strike it |
//! | [`curve`], [`steps`] | key poses joined smoothly, and footwork |
//! | [`idle`], [`walk`], [`dance`], [`motion`] | poses over time, sampled into clips |
//! | [`weave`], [`garments`] | rows of points as a mesh, and the clothes that are made so |
//! | [`glb`] | the file |
//!
//! Lengths are meters, the figure stands on y = 0, looks along +Z and has its left side on +X.

pub mod body;
pub mod curve;
pub mod dance;
pub mod field;
pub mod figure;
pub mod garments;
pub mod glb;
pub mod head;
pub mod idle;
pub mod march;
pub mod mesh;
pub mod motion;
pub mod remesh;
pub mod shape;
pub mod skeleton;
pub mod steps;
pub mod walk;
pub mod weave;
pub mod weights;
pub mod zones;

use glam::Vec3;

use crate::mesh::Mesh;
use crate::shape::smooth_step;
use crate::skeleton::{ELBOW, FINGERTIP, KNEE, WRIST};

/// Wanted length of mesh edges at `p` [m]: short on face, hands and feet, middling where joints bend.
fn edge_length(p: Vec3) -> f32 {
    let q = Vec3::new(p.x.abs(), p.y, p.z);
    let ease = |center: Vec3, from: f32, to: f32| smooth_step(from, to, (q - center).length());
    let face = 0.0047 + 0.0150 * ease(Vec3::new(0.0, 1.62, 0.09), 0.050, 0.20);
    let head = 0.0105 + 0.0090 * (1.0 - smooth_step(1.44, 1.55, q.y));
    let hand = 0.0063 + 0.0130 * ease((WRIST + FINGERTIP) * 0.5, 0.075, 0.25);
    let foot = 0.0092 + 0.0100 * smooth_step(0.05, 0.18, q.y);
    let armpit = 0.0110 + 0.0090 * ease(Vec3::new(0.165, 1.345, -0.02), 0.03, 0.09);
    let bend = 0.0155 + 0.0050 * ease(ELBOW, 0.04, 0.12).min(ease(KNEE, 0.05, 0.14));
    face.min(head).min(hand).min(foot).min(bend).min(armpit).min(0.0200)
}

/// The surface of the body, cut along the borders of its materials.
pub fn surface() -> Mesh {
    zones::cut(remesh::remesh(march::surface(), &edge_length, 7))
}

/// The bytes of `assets/dancer.glb`.
pub fn character() -> Vec<u8> {
    let mesh = surface();
    let normals: Vec<Vec3> = mesh.points.iter().map(|p| field::normal(*p)).collect();
    let influences = weights::weights(&mesh);
    let mut parts = zones::MATERIALS.map(|material| (material, Vec::new()));
    for triangle in &mesh.triangles {
        parts[zones::material(mesh.corners(*triangle))].1.push(*triangle);
    }
    let clips = motion::MOTIONS.each_ref().map(motion::Motion::clip);
    glb::write(&glb::Character {
        points: &mesh.points,
        normals: &normals,
        influences: &influences,
        parts: &parts,
        garments: &garments::garments(),
        clips: &clips,
    })
}
