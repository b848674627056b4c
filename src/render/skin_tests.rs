//! Bones placed by the GPU, and the vertices that follow them.

use std::sync::Arc;

use glam::{Quat, Vec3, Vec4};

use super::tests::Stage;
use super::{DrawOptions, RenderError};
use crate::scene::{
    Bend, BodyDesc, BodyId, Bone, Influence, Instance, MAX_INFLUENCES, Material, Model, Primitive, Scene, SceneError,
};
use crate::solver::BodyState;

/// Vertices of a bar along Y from 0 to 2 m, a ring of four each 5 cm; `shares` tells which bones a height follows.
fn bar(shares: impl Fn(f32) -> Vec<(u16, f32)>) -> Model {
    let mut part = Primitive::default();
    for ring in 0..=40 {
        let y = 0.05 * ring as f32;
        let mut influences = [Influence::default(); MAX_INFLUENCES];
        for (slot, (bone, weight)) in influences.iter_mut().zip(shares(y)) {
            *slot = Influence { bone, weight };
        }
        for side in 0..4u32 {
            let out = Quat::from_rotation_y(1.570_796_4 * side as f32) * Vec3::X;
            part.positions.push(Vec3::Y * y + 0.1 * out);
            part.normals.push(out);
            part.influences.push(influences);
            let (at, next) = (4 * ring + side, 4 * ring + (side + 1) % 4);
            if ring < 40 {
                part.indices.extend([at, at + 4, next, next, at + 4, next + 4]);
            }
        }
    }
    Model { name: "bar".into(), primitives: vec![part], materials: vec![Material::default()], images: Vec::new() }
}

/// Weights that pass from one bone to the next over 20 cm about each of these heights.
fn blended(joints: &'static [f32]) -> impl Fn(f32) -> Vec<(u16, f32)> {
    move |y| {
        let passed = |at: &f32| ((y - at) / 0.2 + 0.5).clamp(0.0, 1.0);
        let above: Vec<f32> = std::iter::once(1.0).chain(joints.iter().map(passed)).chain([0.0]).collect();
        (0..=joints.len()).map(|bone| (bone as u16, above[bone] - above[bone + 1])).collect()
    }
}

fn hung(bone: Bone, parent: u16, pivot: f32) -> Bone {
    Bone { parent: Some(parent), pivot: Vec3::Y * pivot, ..bone }
}

fn merged(parent: u16, pivot: f32) -> Bone {
    Bone { body: None, ..hung(Bone::root(BodyId(0), Vec3::ZERO), parent, pivot) }
}

/// Bodies at these heights, and the bar on these bones.
fn scene(heights: &[f32], model: Model, bones: Vec<Bone>) -> Scene {
    let mut scene = Scene::default();
    for height in heights {
        scene.add_body(BodyDesc::sphere(0.2, 0.1).at(Vec3::Y * *height)).unwrap();
    }
    scene.add_instance(Instance { model: Arc::new(model), bones, tint: Vec4::ONE }).unwrap();
    scene
}

/// Two bodies that meet at 1 m.
fn arm(lower: Bone) -> Scene {
    scene(&[0.5, 1.5], bar(blended(&[1.0])), vec![Bone::root(BodyId(0), Vec3::Y * 0.5), lower])
}

fn body(center: Vec3, rotation: Quat) -> BodyState {
    BodyState { center: center.to_array(), inv_mass: 1.0, rotation: rotation.to_array(), ..BodyState::default() }
}

/// Rotation and offset of every bone after a frame.
fn placed(stage: &mut Stage) -> Vec<(Quat, Vec3)> {
    stage.draw(&DrawOptions::default());
    let bytes = stage.context.read_buffer(&stage.renderer.drawn.bones.placements).unwrap();
    let rows = bytes.chunks_exact(32).map(|row| -> [f32; 8] { bytemuck::pod_read_unaligned(row) });
    let read = |row: [f32; 8]| (Quat::from_slice(&row), Vec3::from_slice(&row[4..]));
    let count: usize = stage.scene.instances.iter().map(|i| i.bones.len()).sum();
    rows.map(read).take(count).collect()
}

/// Where the vertices of the first instance are, by the formula of `shaders/render/skin.wgsl`.
fn skin(stage: &mut Stage) -> Vec<Vec3> {
    let bones = placed(stage);
    let part = &stage.scene.instances[0].model.primitives[0];
    let at = |(rest, influences): (&Vec3, &[Influence; MAX_INFLUENCES])| {
        influences.iter().map(|i| (bones[i.bone as usize], i.weight)).map(|((q, o), w)| w * (o + q * *rest)).sum()
    };
    part.positions.iter().zip(&part.influences).map(at).collect()
}

/// Largest change of an edge's length, as a share of it.
fn stretch(stage: &mut Stage) -> f32 {
    let moved = skin(stage);
    let part = &stage.scene.instances[0].model.primitives[0];
    let edges = part.indices.chunks_exact(3).flat_map(|t| [(t[0], t[1]), (t[1], t[2]), (t[2], t[0])]);
    let change = |(a, b): (u32, u32)| {
        let (a, b) = (a as usize, b as usize);
        (moved[a].distance(moved[b]) / part.positions[a].distance(part.positions[b]) - 1.0).abs()
    };
    edges.map(change).fold(0.0, f32::max)
}

#[test]
fn vertices_are_placed_once_for_all_passes_as_the_formula_says() {
    let mut stage = Stage::new(arm(hung(Bone::root(BodyId(1), Vec3::Y * 1.5), 0, 1.0)));
    stage.set_body(1, body(Vec3::new(0.2, 1.45, 0.0), Quat::from_rotation_z(-0.4)));
    let wanted = skin(&mut stage);
    let bent = &stage.renderer.drawn.models[0].bent[0];
    let bytes = stage.context.read_buffer(&bent.vertices).unwrap();
    let found: Vec<[f32; 4]> = bytes.chunks_exact(16).map(bytemuck::pod_read_unaligned).collect();
    assert_eq!(found.len(), wanted.len());
    let away = |(at, wanted): (&[f32; 4], &Vec3)| Vec3::from_slice(at).distance(*wanted);
    let worst = found.iter().zip(&wanted).map(away).fold(0.0, f32::max);
    assert!(worst < 1e-4, "{worst}");
}

#[test]
fn a_gaping_joint_stretches_no_skin() {
    let lower = Bone::root(BodyId(1), Vec3::Y * 1.5);
    let pulled = body(Vec3::new(0.03, 1.54, 0.0), Quat::IDENTITY);
    let mut hanging = Stage::new(arm(hung(lower, 0, 1.0)));
    hanging.set_body(1, pulled);
    assert!(stretch(&mut hanging) < 0.01, "{}", stretch(&mut hanging));
    let mut loose = Stage::new(arm(lower));
    loose.set_body(1, pulled);
    assert!(stretch(&mut loose) > 0.05, "{}", stretch(&mut loose));
}

#[test]
fn roots_follow_their_bodies_and_children_their_pivots() {
    let mut stage = Stage::new(arm(hung(Bone::root(BodyId(1), Vec3::Y * 1.5), 0, 1.0)));
    let (turn, bend) = (Quat::from_rotation_z(0.4), Quat::from_rotation_x(1.3));
    stage.set_body(0, body(Vec3::new(3.0, 1.0, -2.0), turn));
    stage.set_body(1, body(Vec3::new(9.0, 9.0, 9.0), bend));
    // The joint gapes by meters: it is torn, and the child goes where its body went.
    let moved = skin(&mut stage);
    assert!(moved[160].distance(Vec3::splat(9.0) + bend * Vec3::new(0.1, 0.5, 0.0)) < 1e-4, "{}", moved[160]);
    let elbow = Vec3::new(3.0, 1.0, -2.0) + turn * (0.5 * Vec3::Y);
    stage.set_body(1, body(elbow + bend * (0.5 * Vec3::Y) + Vec3::splat(0.02), bend));
    let moved = skin(&mut stage);
    assert!(moved[0].distance(Vec3::new(3.0, 1.0, -2.0) + turn * Vec3::new(0.1, -0.5, 0.0)) < 1e-5);
    assert!(moved[160].distance(elbow + bend * Vec3::new(0.1, 1.0, 0.0)) < 1e-5, "{}", moved[160]);
}

#[test]
fn a_merged_bone_turns_only_its_own_vertices() {
    let bones = vec![Bone::root(BodyId(0), Vec3::Y * 0.5), merged(0, 1.0), merged(1, 1.5)];
    let mut stage = Stage::new(scene(&[0.5], bar(blended(&[1.0, 1.5])), bones));
    let rest = skin(&mut stage);
    let turn = Quat::from_rotation_z(0.8);
    stage.renderer.set_turns(0, &[Quat::IDENTITY, turn, Quat::IDENTITY]).unwrap();
    let moved = skin(&mut stage);
    for (before, after) in rest.iter().zip(&moved) {
        let expected = if before.y < 0.85 { *before } else { Vec3::Y + turn * (*before - Vec3::Y) };
        let blend = (0.85..1.15).contains(&before.y);
        assert!(blend || after.distance(expected) < 1e-5, "{before} went to {after}");
    }
    let posed = skin(&mut stage);
    let second = Instance { tint: Vec4::ZERO, ..stage.scene.instances[0].clone() };
    stage.scene.add_instance(second).unwrap();
    stage.renderer.update_scene(&stage.context, &stage.scene).unwrap();
    assert_eq!(skin(&mut stage), posed, "what is added later leaves turns alone");
}

#[test]
fn bones_between_bodies_share_their_turning() {
    let bend = |axis| Some(Bend { toward: 2, share: 0.5, about: Vec3::Y * 1.25, axis });
    let rig = |axis| {
        let lower = hung(Bone::root(BodyId(1), Vec3::Y * 1.75), 1, 1.5);
        let bones = vec![Bone::root(BodyId(0), Vec3::Y * 0.5), Bone { bend: bend(axis), ..merged(0, 1.0) }, lower];
        Stage::new(scene(&[0.5, 1.75], bar(blended(&[1.0, 1.5])), bones))
    };
    let pivot = Vec3::Y * 1.5;
    let nodded = |turn: Quat| body(pivot + turn * (0.25 * Vec3::Y), turn);
    let mut stage = rig(None);
    stage.set_body(1, nodded(Quat::from_rotation_x(0.6)));
    let found = placed(&mut stage);
    assert!(found[1].0.angle_between(Quat::from_rotation_x(0.3)) < 1e-3);
    assert!((found[1].1 + found[1].0 * (Vec3::Y * 1.25)).distance(Vec3::Y * 1.25) < 1e-5);
    assert!((found[2].1 + found[2].0 * pivot).distance(pivot) < 1e-5, "the joint is where the body has it");
    // A pose that asks for the turn leaves nothing to share.
    let turn = Quat::from_rotation_x(0.6);
    stage.renderer.set_turns(0, &[Quat::IDENTITY, Quat::IDENTITY, turn]).unwrap();
    assert!(placed(&mut stage)[1].0.angle_between(Quat::IDENTITY) < 1e-3);
    let mut twisting = rig(Some(Vec3::Y));
    twisting.set_body(1, nodded(Quat::from_rotation_x(0.6)));
    assert!(placed(&mut twisting)[1].0.angle_between(Quat::IDENTITY) < 1e-3, "only twist is shared");
    twisting.set_body(1, nodded(Quat::from_rotation_y(0.6)));
    assert!(placed(&mut twisting)[1].0.angle_between(Quat::from_rotation_y(0.3)) < 1e-3);
}

#[test]
fn a_removed_body_takes_its_bones_along() {
    let lower = hung(Bone::root(BodyId(1), Vec3::Y * 1.5), 0, 1.0);
    let mut stage = Stage::new(arm(lower));
    stage.set_body(1, BodyState::default());
    assert_eq!(placed(&mut stage)[1].0, Quat::from_xyzw(0.0, 0.0, 0.0, 0.0));
    let mut stage = Stage::new(arm(lower));
    stage.set_body(0, BodyState::default());
    stage.set_body(1, body(Vec3::new(0.0, 3.0, 0.0), Quat::IDENTITY));
    assert!(placed(&mut stage)[1].1.distance(Vec3::Y * 1.5) < 1e-5, "without its parent it is a root");
}

#[test]
fn a_crowd_is_one_draw_for_each_part() {
    const COPIES: usize = 256;
    const BONES: usize = 20;
    let mut scene = Scene::default();
    let model = Arc::new(bar(|_| vec![(19, 1.0)]));
    for copy in 0..COPIES {
        let first = scene.bodies.len() as u32;
        let mut bones = Vec::new();
        for bone in 0..BONES {
            let center = Vec3::Y * (0.1 * bone as f32 + 0.05);
            let at = center + Vec3::X * copy as f32;
            scene.add_body(BodyDesc::sphere(0.04, 0.02).at(at)).unwrap();
            let root = Bone::root(BodyId(first + bone as u32), center);
            bones.push(if bone == 0 { root } else { hung(root, bone as u16 - 1, 0.1 * bone as f32) });
        }
        scene.add_instance(Instance { model: Arc::clone(&model), bones, tint: Vec4::ONE }).unwrap();
    }
    let mut stage = Stage::new(scene);
    let found = placed(&mut stage);
    let last = |copy: usize| found[copy * BONES + BONES - 1];
    assert!((0..COPIES).all(|copy| last(copy).1.distance(Vec3::X * copy as f32) < 1e-4));
    let drawn = &stage.renderer.drawn;
    assert_eq!((drawn.models.len(), drawn.models[0].parts.len()), (1, 1), "geometry is uploaded once");
    assert_eq!(drawn.models[0].rows, 0..COPIES as u32, "all copies are in one draw");
}

#[test]
fn wrong_turns_and_bones_are_named() {
    let lower = hung(Bone::root(BodyId(1), Vec3::Y * 1.5), 0, 1.0);
    let mut stage = Stage::new(arm(lower));
    let turns = |count| vec![Quat::IDENTITY; count];
    assert_eq!(stage.renderer.set_turns(1, &turns(2)), Err(RenderError::NoInstance { instance: 1, count: 1 }));
    let few = RenderError::TurnCount { instance: 0, given: 1, bones: 2 };
    assert_eq!(stage.renderer.set_turns(0, &turns(1)), Err(few));
    for wrong in [Quat::from_xyzw(0.0, 0.0, 0.0, 0.5), Quat::from_xyzw(f32::NAN, 0.0, 0.0, 1.0)] {
        let refused = stage.renderer.set_turns(0, &[Quat::IDENTITY, wrong]);
        assert!(matches!(refused, Err(RenderError::Turn { bone: 1, .. })), "{refused:?}");
    }
    let mut scene = stage.scene.clone();
    let mut refused = |bones: Vec<Bone>| {
        let instance = Instance { bones, ..scene.instances[0].clone() };
        scene.add_instance(instance).expect_err("a bone is wrong").to_string()
    };
    let root = Bone::root(BodyId(0), Vec3::ZERO);
    assert!(refused(Vec::new()).contains("no bones"));
    assert!(refused(vec![root, hung(lower, 1, 1.0)]).contains("bone 1: parent is 1"));
    assert!(refused(vec![root, Bone { body: Some(BodyId(7)), ..lower }]).contains("body 7 does not exist"));
    assert!(refused(vec![Bone { body: None, ..root }, lower]).contains("no body and no parent"));
    assert!(refused(vec![root, Bone { turn: Quat::from_xyzw(0.0, 0.0, 0.0, 2.0), ..lower }]).contains("unit"));
    assert!(refused(vec![root, Bone { pivot: Vec3::NAN, ..lower }]).contains("pivot"));
    let bend = Bend { toward: 0, share: 0.5, about: Vec3::ZERO, axis: None };
    assert!(refused(vec![root, Bone { bend: Some(bend), ..merged(0, 1.0) }]).contains("bend toward"));
    assert!(refused(vec![root]).contains("bone 1 does not exist"));
    let error = scene.add_instance(Instance { bones: Vec::new(), ..scene.instances[0].clone() });
    assert!(matches!(error, Err(SceneError::Empty { .. })));
}
