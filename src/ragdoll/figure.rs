//! A built-in jointed figure: eleven bodies, ten joints, for scenes that need many figures and no file.

use std::sync::Arc;

use glam::Vec3;

use super::anatomy::Axes;
use super::build::overlaps;
use super::joints::{Build, Part};
use super::labels::{Label, Side, Tag};
use super::limits::Shared;
use super::mass::{TALL, WEIGHT};
use super::plan::PlannedBody;
use super::plan::PlannedBone;
use super::plan::PlannedJoint;
use super::tree::Edge;
use super::{LabelSource, RagdollPlan, RagdollSettings, mass};
use crate::numbers::cubed;
use crate::scene::{BodyDesc, Influence, MAX_INFLUENCES, Material, Model, Primitive, primitive_model};

/// Half extents of a box, or thickness and half length of an upright capsule, in shares of the height.
enum Form {
    Cuboid(Vec3),
    Capsule(f32, f32),
}

/// A body of the figure; lengths in shares of the height.
struct Piece {
    name: &'static str,
    tag: Tag,
    form: Form,
    center: Vec3,
    /// Body above it, and where they meet.
    joined: Option<(usize, Vec3)>,
}

/// A standing figure with hanging arms, after the proportions of an adult (de Leva 1996, rounded).
fn pieces() -> Vec<Piece> {
    let sided =
        |name, label, side, form, center, joined| Piece { name, tag: Tag::new(label, side), form, center, joined };
    let piece = |name, label, form, center, joined| sided(name, label, Side::Middle, form, center, joined);
    let v = Vec3::new;
    let mut list = vec![
        piece("pelvis", Label::Pelvis, Form::Cuboid(v(0.090, 0.048, 0.060)), v(0.0, 0.530, 0.0), None),
        piece(
            "torso",
            Label::Spine,
            Form::Cuboid(v(0.100, 0.118, 0.066)),
            v(0.0, 0.704, 0.0),
            Some((0, v(0.0, 0.582, 0.0))),
        ),
        piece("head", Label::Head, Form::Capsule(0.058, 0.030), v(0.0, 0.912, 0.0), Some((1, v(0.0, 0.828, 0.0)))),
    ];
    for (side, hand, names) in [
        (1.0, Side::Left, ["left upper arm", "left forearm", "left thigh", "left shin"]),
        (-1.0, Side::Right, ["right upper arm", "right forearm", "right thigh", "right shin"]),
    ] {
        let (arm, leg, first) = (0.140 * side, 0.052 * side, list.len());
        let at = |x: f32, y: f32| Some(v(x, y, 0.0));
        let meet = |body: usize, place: Option<Vec3>| place.map(|p| (body, p));
        let limb = [
            (Label::UpperArm, 0.030, 0.062, v(arm, 0.712, 0.0), meet(1, at(arm, 0.796))),
            (Label::Forearm, 0.027, 0.090, v(arm, 0.500, 0.0), meet(first, at(arm, 0.619))),
            (Label::Thigh, 0.046, 0.072, v(leg, 0.372, 0.0), meet(0, at(leg, 0.486))),
            (Label::Shin, 0.034, 0.092, v(leg, 0.126, 0.0), meet(first + 2, at(leg, 0.253))),
        ];
        for (name, (label, thickness, half, center, joined)) in names.into_iter().zip(limb) {
            list.push(sided(name, label, hand, Form::Capsule(thickness, half), center, joined));
        }
    }
    list
}

/// The built-in figure, `height` [m] tall, standing with its feet at y = 0 and facing +Z. A height that is not finite or
/// not above a centimeter counts as 1.75 m.
pub fn figure(height: f32) -> RagdollPlan {
    let height = if height.is_finite() && height > 0.01 { height } else { TALL };
    let settings = RagdollSettings::default();
    let pieces = pieces();
    let mut bodies: Vec<PlannedBody> = pieces.iter().map(|p| body(p, height)).collect();
    let parts: Vec<Part> = pieces
        .iter()
        .zip(&bodies)
        .map(|(piece, body)| {
            let center = piece.center * height;
            let origin = piece.joined.map_or(center, |(_, place)| place * height);
            let samples = vec![(center, body.desc.shape.bounding_radius())];
            Part { tag: piece.tag, aim: center, origin, thin: Vec3::Z, samples }
        })
        .collect();
    let edges = pieces
        .iter()
        .enumerate()
        .filter_map(|(child, piece)| piece.joined.map(|(parent, _)| Edge { parent, child, hinge_of: Some(child) }));
    let build = Build {
        parts: &parts,
        axes: Axes::facing(Vec3::Z),
        human: true,
        shared: Shared { spine: 1, neck: 1 },
        reach: height,
        radius: 0.0,
        clips: false,
    };
    let mut joints: Vec<PlannedJoint> = edges
        .map(|edge| {
            let radius = bodies[edge.child].desc.radius;
            PlannedJoint { damping: settings.damping, radius, ..build.joint(edge, &[], true) }
        })
        .collect();
    mass::balance(&mut bodies, &joints);
    let total: f32 = bodies.iter().map(|b| b.desc.mass).sum();
    for body in &mut bodies {
        let mass = body.desc.mass / total * WEIGHT * cubed(height / TALL);
        body.desc = body.desc.clone().with_mass(mass);
    }
    mass::rub(&bodies, &mut joints, settings.friction);
    let ignores = overlaps(&bodies, &joints);
    RagdollPlan {
        name: "figure".into(),
        size: Vec3::new(0.34, 1.0, 0.132) * height,
        model: Arc::new(model(&bodies)),
        bones: bodies.iter().enumerate().map(|(index, body)| PlannedBone::root(index, &body.desc)).collect(),
        bodies,
        joints,
        ignores,
        garments: Vec::new(),
        labels: LabelSource::None,
        changes: Vec::new(),
        warnings: Vec::new(),
    }
}

/// A piece as a body with about a dozen particles.
fn body(piece: &Piece, height: f32) -> PlannedBody {
    let (desc, size) = match piece.form {
        Form::Cuboid(half) => (BodyDesc::cuboid(half * height, 0.7 * half.z * height), 2.0 * half),
        Form::Capsule(thickness, half) => {
            let desc = BodyDesc::capsule(thickness * height, half * height, 0.8 * thickness * height);
            (desc, 2.0 * Vec3::new(thickness, thickness + half, thickness))
        }
    };
    PlannedBody::new(desc.named(piece.name).at(piece.center * height), piece.tag, size * height)
}

/// The shapes of the bodies, each following its own.
fn model(bodies: &[PlannedBody]) -> Model {
    let mut whole = Primitive::default();
    for (index, body) in bodies.iter().enumerate() {
        for part in primitive_model(&body.desc.shape).primitives {
            let first = whole.positions.len() as u32;
            whole.positions.extend(part.positions.iter().map(|p| *p + body.desc.position));
            whole.normals.extend(part.normals);
            whole.indices.extend(part.indices.iter().map(|i| first + i));
            let mut influences = [Influence::default(); MAX_INFLUENCES];
            influences[0] = Influence { bone: index as u16, weight: 1.0 };
            whole.influences.resize(whole.positions.len(), influences);
        }
    }
    Model { name: "figure".into(), primitives: vec![whole], materials: vec![Material::default()], images: Vec::new() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::{JointKind, Scene};
    use glam::Quat;

    #[test]
    fn eleven_bodies_ten_joints_and_a_persons_weight() {
        let plan = figure(1.75);
        assert_eq!((plan.bodies.len(), plan.joints.len()), (11, 10));
        assert_eq!(plan.joints.iter().filter(|j| j.kind == JointKind::Hinge).count(), 4);
        assert!((plan.mass() - 70.0).abs() < 0.1, "{} kg", plan.mass());
        assert!((100..220).contains(&plan.particle_count()), "{}", plan.particle_count());
        let mut scene = Scene::default();
        plan.add_to(&mut scene, Vec3::Y, Quat::from_rotation_y(1.0), glam::Vec4::ONE).unwrap();
        assert!(scene.assemblies().iter().all(|root| *root == 0));
    }

    #[test]
    fn it_stands_on_the_ground_and_is_as_tall_as_asked() {
        for height in [1.0, 1.75] {
            let mesh = &figure(height).model.primitives[0];
            let (low, high) = crate::import::bounds(&mesh.positions).unwrap();
            assert!(low.y.abs() < 0.003 * height && (high.y - height).abs() < 0.003 * height, "{low} {high}");
        }
    }
}
