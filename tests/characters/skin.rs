//! Posed by a clip, the skin on bones is the skin that glTF asks for.

use std::path::Path;

use crate::gltf_maker::{Bar, F32, Maker};
use glam::{Mat4, Quat, Vec3, Vec4};
use serde_json::json;
use sinew::import::{Asset, from_bytes};
use sinew::ragdoll::{RagdollPlan, RagdollSettings, build};
use sinew::scene::Scene;

/// So many joints that most are too short for bodies of their own.
const BAR: Bar = Bar { length: 2.0, width: 0.08, rings: 97, joints: 16 };

/// Model-space matrices of the joints when each turns by its own angle, and the first also moves.
fn pose(asset: &Asset, angle: f32) -> Vec<Mat4> {
    let mut posed: Vec<Mat4> = Vec::new();
    for (index, joint) in asset.joints.iter().enumerate() {
        let axis = Vec3::new(1.0, 0.3 * index as f32, (index as f32).sin()).normalize();
        let turn = Mat4::from_quat(Quat::from_axis_angle(axis, angle));
        let matrix = match joint.parent {
            Some(parent) => posed[parent] * asset.joints[parent].rest.inverse() * joint.rest * turn,
            None => Mat4::from_translation(Vec3::new(0.4, 0.0, -1.0)) * joint.rest * turn,
        };
        posed.push(matrix);
    }
    posed
}

/// Where glTF has the vertices of the first primitive.
fn expected(asset: &Asset, posed: &[Mat4]) -> Vec<Vec3> {
    let skin = |j: u32| posed[j as usize] * asset.joints[j as usize].rest.inverse();
    let place = |(vertex, rest): (usize, &Vec3)| {
        asset.weights[0].of(vertex).iter().map(|(j, w)| *w * skin(*j).transform_point3(*rest)).sum()
    };
    asset.model.primitives[0].positions.iter().enumerate().map(place).collect()
}

/// Where the bones have them, with every body as the pose has its joint.
fn drawn(plan: &RagdollPlan, asset: &Asset, posed: &[Mat4]) -> Vec<Vec3> {
    let turns = plan.turns(posed);
    let moved = |joint: usize| posed[joint] * asset.joints[joint].rest.inverse();
    let mut placed: Vec<(Quat, Vec3)> = Vec::new();
    for (bone, turn) in plan.bones.iter().zip(turns) {
        let body = bone.body.map(|body| moved(plan.bodies[body].joint.unwrap()));
        let parent = bone.parent.map(|parent| (placed[parent as usize], plan.bones[parent as usize].pivot));
        let rotation = match (body, parent) {
            (Some(body), _) => Quat::from_mat4(&body),
            (None, Some(((rotation, _), _))) => rotation * turn,
            (None, None) => panic!("a bone without body has a parent"),
        };
        let position = match (parent, body) {
            (Some(((rotation, position), pivot)), _) => position + rotation * (bone.pivot - pivot),
            (None, body) => body.unwrap().transform_point3(bone.pivot),
        };
        placed.push((rotation, position));
    }
    let part = &plan.model.primitives[0];
    let place = |(rest, influences): (&Vec3, &[sinew::scene::Influence; 8])| {
        let on = |bone: u16, w: f32| {
            let (rotation, position) = placed[bone as usize];
            w * (position + rotation * (*rest - plan.bones[bone as usize].pivot))
        };
        influences.iter().map(|i| on(i.bone, i.weight)).sum()
    };
    part.positions.iter().zip(&part.influences).map(place).collect()
}

fn load(maker: &Maker) -> (Asset, RagdollPlan) {
    let asset = from_bytes(Path::new("bar.glb"), &maker.glb(), None).unwrap();
    let plan = build(&asset, &RagdollSettings::default()).unwrap();
    (asset, plan)
}

fn agrees(asset: &Asset, plan: &RagdollPlan) {
    for angle in [0.0, 0.15, -0.3] {
        let posed = pose(asset, angle);
        let pairs: Vec<_> = expected(asset, &posed).into_iter().zip(drawn(plan, asset, &posed)).collect();
        let worst = pairs.iter().map(|(a, b)| a.distance(*b)).fold(0.0, f32::max);
        assert!(worst < 2e-4, "at {angle} rad: {worst} m");
    }
}

#[test]
fn merged_joints_follow_the_clip() {
    let (asset, plan) = load(&BAR.skinned());
    assert!(plan.bodies.len() < plan.bones.len(), "nothing was merged");
    assert_eq!(plan.bones.len(), 16, "every joint has its bone");
    agrees(&asset, &plan);
    plan.add_to(&mut Scene::default(), Vec3::ZERO, Quat::IDENTITY, Vec4::ONE).unwrap();
}

#[test]
fn a_joint_above_the_first_body_is_a_bone_too() {
    let mut maker = BAR.skinned();
    let root = maker.node(json!({"name": "root", "children": [1]}));
    maker.json["scenes"][0]["nodes"] = json!([0, root]);
    let mut binds = crate::gltf_maker::translation(0.0, 0.0, 0.0).to_vec();
    binds.extend(BAR.inverse_binds());
    let binds = maker.accessor(F32, "MAT4", false, &binds);
    let joints: Vec<usize> = std::iter::once(root).chain(1..=16).collect();
    maker.json["skins"][0] = json!({"joints": joints, "inverseBindMatrices": binds});
    let (slots, _) = BAR.weights();
    let shifted: Vec<f64> = slots.iter().map(|joint| joint + 1.0).collect();
    let slots = maker.accessor(crate::gltf_maker::U16, "VEC4", false, &shifted);
    maker.json["meshes"][0]["primitives"][0]["attributes"]["JOINTS_0"] = json!(slots);
    let (asset, plan) = load(&maker);
    assert_eq!(plan.bones.len(), 17);
    agrees(&asset, &plan);
}

#[test]
fn bones_between_bodies_bend() {
    let (_, plan) = load(&BAR.skinned());
    for bone in &plan.bones {
        let Some(bend) = bone.bend else { continue };
        let end = &plan.bones[bend.toward as usize];
        assert!(bone.body.is_none() && end.body.is_some() && (0.0..1.0).contains(&bend.share));
        assert!(bend.about.distance(0.5 * (bone.pivot + end.pivot)) < 1e-5);
    }
    let bends: Vec<_> = plan.bones.iter().filter_map(|bone| bone.bend).collect();
    assert!(!bends.is_empty(), "no joint lies between two bodies");
    for pair in bends.windows(2).filter(|pair| pair[0].toward == pair[1].toward) {
        assert!(pair[0].share < pair[1].share, "what is nearer to the next body takes more");
    }
}
