//! Loading glTF: what the format allows, read right.

use std::path::Path;

use crate::gltf_maker::creature::{Bone, Creature};
use crate::gltf_maker::{Bar, F32, Maker, U8, U16, U32, translation};
use glam::{Vec2, Vec3};
use serde_json::{Value, json};
use sinew::animation::Pose;
use sinew::import::{Asset, Hold, from_bytes};
use sinew::scene::{Primitive, Sampling, Wrap};

const BAR: Bar = Bar { length: 2.0, width: 0.3, rings: 21, joints: 4 };

fn load(maker: &Maker) -> Asset {
    from_bytes(Path::new("test.glb"), &maker.glb(), None).unwrap()
}

/// Six times the volume inside the triangles; negative if they face inward.
fn volume(part: &Primitive) -> f32 {
    let corner = |i: u32| part.positions[i as usize];
    let t = part.indices.chunks_exact(3).map(|t| corner(t[0]).dot(corner(t[1]).cross(corner(t[2]))));
    t.sum::<f32>() / 6.0
}

/// Gives a mesh normals, with which its vertices stay what they are.
fn shade(maker: &mut Maker, mesh: usize, bar: &Bar) {
    let normals = maker.accessor(F32, "VEC3", false, &[0.0, 0.6, 0.8].repeat(4 * bar.rings));
    maker.json["meshes"][mesh]["primitives"][0]["attributes"]["NORMAL"] = json!(normals);
}

fn close(a: Vec3, b: Vec3) -> bool {
    a.distance(b) < 1e-4
}

#[test]
fn a_skinned_bar_rests_in_its_bind_pose() {
    let asset = load(&BAR.skinned());
    assert_eq!(asset.joints.len(), 4);
    for (j, joint) in asset.joints.iter().enumerate() {
        assert_eq!(joint.parent, j.checked_sub(1));
        assert!(close(joint.rest.w_axis.truncate(), Vec3::Y * 0.5 * j as f32), "{joint:?}");
    }
    let part = &asset.model.primitives[0];
    assert!((volume(part) - 0.18).abs() < 1e-3, "{}", volume(part));
    for vertex in 0..part.positions.len() {
        let sum: f32 = asset.weights[0].of(vertex).iter().map(|(_, w)| w).sum();
        assert!((sum - 1.0).abs() < 1e-5);
        assert!((part.normals[vertex].length() - 1.0).abs() < 1e-4);
    }
    assert!(asset.warnings.is_empty(), "{:?}", asset.warnings);
}

/// As glTF asks for.
#[test]
fn a_mesh_without_normals_is_flat() {
    let asset = load(&BAR.skinned());
    let part = &asset.model.primitives[0];
    assert_eq!((part.positions.len(), part.normals.len()), (part.indices.len(), part.indices.len()));
    for t in part.indices.chunks_exact(3) {
        let [a, b, c] = [t[0], t[1], t[2]].map(|i| part.positions[i as usize]);
        let face = (b - a).cross(c - a).normalize();
        assert!(t.iter().all(|corner| close(part.normals[*corner as usize], face)), "{t:?}");
    }
    // With normals corners are shared.
    let mut maker = BAR.skinned();
    shade(&mut maker, 0, &BAR);
    let count = 4 * BAR.rings;
    let part = &load(&maker).model.primitives[0];
    assert_eq!((part.positions.len(), part.normals.len()), (count, count));
    assert!(part.normals.iter().all(|normal| close(*normal, Vec3::new(0.0, 0.6, 0.8))));
}

#[test]
fn the_skinned_node_s_own_transform_is_ignored() {
    let mut maker = BAR.skinned();
    maker.json["nodes"][0]["translation"] = json!([5.0, 1.0, 2.0]);
    maker.json["nodes"][0]["scale"] = json!([9.0, 9.0, 9.0]);
    assert_eq!(load(&maker).model.primitives[0].positions, load(&BAR.skinned()).model.primitives[0].positions);
}

#[test]
fn weights_of_all_kinds_agree() {
    let mut read = Vec::new();
    for kind in [U8, U16, F32] {
        let mut maker = BAR.skinned();
        let mesh = BAR.add_mesh(&mut maker, kind);
        maker.json["nodes"][0]["mesh"] = json!(mesh);
        read.push(load(&maker).weights.remove(0));
    }
    for other in &read[..2] {
        for vertex in 0..4 * BAR.rings {
            for (joint, weight) in other.of(vertex) {
                let exact = read[2].of(vertex).iter().find(|(j, _)| j == joint).map_or(0.0, |(_, w)| *w);
                assert!((weight - exact).abs() < 0.004);
            }
        }
    }
}

#[test]
fn further_weight_sets_are_summed() {
    let mut maker = BAR.skinned();
    let count = 4 * BAR.rings;
    let slots = maker.accessor(U8, "VEC4", false, &[3.0, 0.0, 0.0, 0.0].repeat(count));
    let shares = maker.accessor(F32, "VEC4", false, &[1.0, 0.0, 0.0, 0.0].repeat(count));
    maker.json["meshes"][0]["primitives"][0]["attributes"]["JOINTS_1"] = json!(slots);
    maker.json["meshes"][0]["primitives"][0]["attributes"]["WEIGHTS_1"] = json!(shares);
    let weights = load(&maker).weights.remove(0);
    let first = weights.of(0);
    assert!(first.contains(&(0, 0.5)) && first.contains(&(3, 0.5)), "{first:?}");
}

#[test]
fn skins_that_share_joints_have_each_joint_once() {
    let mut maker = BAR.skinned();
    let binds = maker.accessor(F32, "MAT4", false, &BAR.inverse_binds()[16..48]);
    maker.skin(&[2, 3], Some(binds));
    let second = maker.node(json!({"mesh": 0, "skin": 1}));
    // The second mesh uses joints 0 and 1 of its own list: nodes 2 and 3.
    let bar = Bar { joints: 2, ..BAR };
    maker.json["nodes"][second]["mesh"] = json!(bar.add_mesh(&mut maker, F32));
    maker.show(second);
    let asset = load(&maker);
    assert_eq!(asset.joints.len(), 4);
    assert_eq!(asset.weights[1].of(0), [(1, 1.0)]);
}

#[test]
fn without_inverse_binds_the_default_pose_is_the_rest_pose() {
    // Vertices of each joint are stored about that joint.
    let mut maker = BAR.skinned();
    maker.json["skins"][0].as_object_mut().unwrap().remove("inverseBindMatrices");
    let (slots, _) = BAR.weights();
    let local: Vec<f64> = (0..4 * BAR.rings)
        .flat_map(|v| {
            let p = &BAR.positions()[3 * v..3 * v + 3];
            [p[0], p[1] - BAR.joint(slots[4 * v] as usize), p[2]]
        })
        .collect();
    let positions = maker.accessor(F32, "VEC3", false, &local);
    let shares = maker.accessor(F32, "VEC4", false, &[1.0, 0.0, 0.0, 0.0].repeat(4 * BAR.rings));
    let attributes = &mut maker.json["meshes"][0]["primitives"][0]["attributes"];
    attributes["POSITION"] = json!(positions);
    attributes["WEIGHTS_0"] = json!(shares);
    shade(&mut maker, 0, &BAR);
    let asset = load(&maker);
    for (p, exact) in asset.model.primitives[0].positions.iter().zip(BAR.positions().chunks(3)) {
        assert!(close(*p, Vec3::new(exact[0] as f32, exact[1] as f32, exact[2] as f32)));
    }
    assert!(close(asset.joints[2].rest.w_axis.truncate(), Vec3::Y));
    assert!(volume(&asset.model.primitives[0]) > 0.1);
    let mirror = maker.node(json!({"children": [1], "scale": [-1.0, 1.0, 1.0]}));
    maker.json["scenes"][0]["nodes"] = json!([0, mirror]);
    assert!(volume(&load(&maker).model.primitives[0]) > 0.1);
}

/// Turns of a figure that stands at ease, as [angle, axis] of each bone: no joint is where it was bound.
const AT_EASE: [(&str, f64, usize); 17] = [
    ("hips", 3.0, 1),
    ("spine", 4.0, 0),
    ("chest", -5.0, 1),
    ("neck", 4.0, 0),
    ("head", 8.0, 1),
    ("leftUpperArm", -75.0, 2),
    ("rightUpperArm", 75.0, 2),
    ("leftLowerArm", -20.0, 1),
    ("rightLowerArm", 20.0, 1),
    ("leftHand", -8.0, 2),
    ("rightHand", 8.0, 2),
    ("leftUpperLeg", -6.0, 0),
    ("rightUpperLeg", 5.0, 0),
    ("leftLowerLeg", 10.0, 0),
    ("rightLowerLeg", 4.0, 0),
    ("leftFoot", -4.0, 0),
    ("rightFoot", -8.0, 0),
];

/// Turns bones of a file.
fn turned(mut maker: Maker, turns: &[(&str, f64, usize)]) -> Maker {
    for (bone, degrees, axis) in turns {
        let half = 0.5 * degrees.to_radians();
        let mut turn = [0.0, 0.0, 0.0, half.cos()];
        turn[*axis] = half.sin();
        let nodes = maker.json["nodes"].as_array_mut().unwrap();
        nodes.iter_mut().find(|node| node["name"] == *bone).unwrap()["rotation"] = json!(turn);
    }
    maker
}

/// Checks that both are the same shape in the same place.
fn alike(a: &Asset, b: &Asset) {
    for (a, b) in a.model.primitives.iter().zip(&b.model.primitives) {
        for (p, q) in a.positions.iter().zip(&b.positions) {
            assert!(p.distance(*q) < 1e-3, "{p} {q}");
        }
    }
    for (a, b) in a.joints.iter().zip(&b.joints) {
        assert!(a.rest.abs_diff_eq(b.rest, 1e-3), "{} {} {}", a.name, a.rest, b.rest);
    }
}

#[test]
fn a_default_pose_does_not_turn_the_body() {
    let mut fingers = Creature::human();
    for finger in 0..20 {
        fingers.pair(&format!("{{}}Finger{finger}"), "{}Hand", [0.8, 1.44, 0.0], [0.9, 1.44, 0.0], 0.01);
    }
    // The order of joints in a skin is free: here an arm is the first.
    let mut arm_first = Creature::human();
    let (count, arm) = (arm_first.bones.len(), 7);
    assert_eq!(arm_first.bones[arm].name, "leftUpperArm");
    arm_first.bones.rotate_left(arm);
    arm_first.bones.iter_mut().for_each(|b| b.parent = b.parent.map(|above| (above + count - arm) % count));
    let inches = Creature { units: 39.37, z_up: true, ..Creature::human() };
    for creature in [Creature::human(), fingers, arm_first, inches] {
        let asset = load(&turned(creature.maker(), &AT_EASE));
        alike(&asset, &load(&creature.maker()));
        let told = |w: &String| w.contains("rests in another pose") && w.ends_with("the bind pose is used");
        assert!(asset.warnings.iter().any(told), "{:?}", asset.warnings);
    }
}

#[test]
fn clips_of_who_rests_seated_play_on_the_ground() {
    let plain = Creature::human();
    let mut seated = turned(plain.maker(), &[("leftUpperLeg", -90.0, 0), ("rightUpperLeg", -90.0, 0)]);
    seated = turned(seated, &[("leftLowerLeg", 90.0, 0), ("rightLowerLeg", 90.0, 0)]);
    let hips = seated.json["nodes"][1]["translation"].clone();
    seated.json["nodes"][1]["translation"] = json!([0.0, 0.5, 0.0]);
    let times = seated.accessor(F32, "SCALAR", false, &[0.0]);
    let up = seated.accessor(F32, "VEC3", false, &[0, 1, 2].map(|i| hips[i].as_f64().unwrap()));
    let straight = seated.accessor(F32, "VEC4", false, &[0.0, 0.0, 0.0, 1.0]);
    let bones = ["leftUpperLeg", "rightUpperLeg", "leftLowerLeg", "rightLowerLeg"];
    let node = |bone| plain.bones.iter().position(|b| b.name == bone).unwrap() + 1;
    let mut channels: Vec<_> =
        bones.map(|b| json!({"sampler": 1, "target": {"node": node(b), "path": "rotation"}})).into();
    channels.push(json!({"sampler": 0, "target": {"node": 1, "path": "translation"}}));
    let samplers = json!([{"input": times, "output": up}, {"input": times, "output": straight}]);
    seated.json["animations"] = json!([{"name": "stand", "channels": channels, "samplers": samplers}]);
    let asset = load(&seated);
    alike(&asset, &load(&plain.maker()));
    let standing = Pose::sample(&asset, &asset.clips[0], 0.0, false).joints(&asset);
    for (joint, placed) in asset.joints.iter().zip(&standing) {
        assert!(placed.abs_diff_eq(joint.rest, 1e-3), "{} {placed} {}", joint.name, joint.rest);
    }
}

#[test]
fn skins_of_one_skeleton_are_placed_together() {
    let glove = Bar { length: 0.1, width: 0.1, rings: 2, joints: 1 };
    let human = Creature::human();
    let hand = human.bones.iter().position(|b| b.name == "leftHand").unwrap() + 1;
    // The glove hangs on the hand of the body, or on a joint of its own below it.
    for own in [false, true] {
        let mut maker = human.maker();
        let below = maker.node(json!({"name": "glove"}));
        maker.json["nodes"][hand]["children"].as_array_mut().unwrap().push(json!(below));
        let mesh = glove.add_mesh(&mut maker, F32);
        let at = human.bones[hand - 1].from;
        let binds = maker.accessor(F32, "MAT4", false, &translation(-at[0], -at[1], -at[2]));
        let skin = maker.skin(&[if own { below } else { hand }], Some(binds));
        let node = maker.node(json!({"mesh": mesh, "skin": skin}));
        maker.show(node);
        alike(&load(&turned(maker.clone(), &AT_EASE)), &load(&maker));
    }
}

#[test]
fn boots_on_the_bones_of_feet_stand_on_the_floor() {
    let mut human = Creature::human();
    human
        .bones
        .iter_mut()
        .filter(|b| b.name.ends_with("Foot") || b.name.ends_with("Toes"))
        .for_each(|b| b.thick = None);
    let mut maker = human.maker();
    let boot = Bar { length: 0.1, width: 0.08, rings: 2, joints: 1 }.add_mesh(&mut maker, F32);
    for foot in ["leftFoot", "rightFoot"] {
        let bone = human.bones.iter().position(|b| b.name == foot).unwrap();
        let under = json!({"mesh": boot, "translation": [0.0, -human.bones[bone].from[1], 0.0]});
        let node = maker.node(under);
        maker.json["nodes"][bone + 1]["children"].as_array_mut().unwrap().push(json!(node));
    }
    let asset = load(&maker);
    let lowest = asset.model.primitives.iter().flat_map(|p| &p.positions).map(|p| p.y).fold(f32::MAX, f32::min);
    assert!(lowest.abs() < 1e-4, "the soles are at {lowest} m");
}

#[test]
fn what_is_built_otherwise_than_drawn_is_told() {
    let said = |maker: &Maker, text: &str| load(maker).warnings.iter().filter(|w| w.contains(text)).count();
    let mut two = BAR.skinned();
    let first = two.json["nodes"].as_array().unwrap().len();
    BAR.add_chain(&mut two);
    let joints: Vec<usize> = (first..first + BAR.joints).collect();
    let skin = two.skin(&joints, two.json["skins"][0]["inverseBindMatrices"].as_u64().map(|a| a as usize));
    let node = two.node(json!({"mesh": 0, "skin": skin}));
    two.show(node);
    two.show(first);
    assert_eq!(said(&two, "stand apart"), 0);
    two.json["nodes"][first]["translation"] = json!([3.0, 0.0, 0.0]);
    assert_eq!(said(&two, "stand apart"), 1);

    // Two people hand in hand, each on a root of its own or both on one that moves nothing.
    for shared in [false, true] {
        let mut pair = Creature::human();
        let count = pair.bones.len();
        for bone in pair.bones.clone() {
            let aside = |p: [f64; 3]| [p[0] + 1.3, p[1], p[2]];
            let parent = bone.parent.map(|parent| parent + count);
            pair.bones.push(Bone { parent, from: aside(bone.from), to: aside(bone.to), ..bone });
        }
        assert_eq!(said(&Creature::human().maker(), "a person each"), 0);
        if shared {
            let root = Bone { name: "stage".into(), parent: None, from: [0.0; 3], to: [0.0, 0.1, 0.0], thick: None };
            pair.bones.push(root);
            for hips in [0, count] {
                pair.bones[hips].parent = Some(2 * count);
            }
        }
        assert_eq!(said(&pair.maker(), "a person each"), 1, "on one root: {shared}");
    }

    let mut robot = Creature::human();
    robot.bone("socket", "head", [0.0, 1.72, 0.0], [0.0, 1.8, 0.0], 0.0);
    robot.bone("mast", "socket", [0.0, 1.72, 0.0], [0.0, 1.8, 0.0], 0.0);
    robot.bone("flag", "mast", [0.0, 1.8, 0.0], [0.0, 1.9, 0.0], 0.0);
    let mut maker = robot.maker();
    let mesh = Bar { length: 0.1, width: 0.02, rings: 2, joints: 1 }.add_mesh(&mut maker, F32);
    let nodes = robot.bones.len();
    maker.json["nodes"][nodes]["mesh"] = json!(mesh);
    assert_eq!(said(&maker, "stay stiff"), 0);
    maker.json["nodes"][nodes - 1]["mesh"] = json!(mesh);
    assert_eq!(said(&maker, "joints that no skin moves, `flag`"), 1);

    // Where a clip turns them they are limbs; keys that turn nothing do not count.
    let waving = |angle: f64| {
        let mut maker = maker.clone();
        let times = maker.accessor(F32, "SCALAR", false, &[0.0, 1.0]);
        let turns = [0.0, 0.0, 0.0, 1.0, angle.sin(), 0.0, 0.0, angle.cos()];
        let samplers = json!([{"input": times, "output": maker.accessor(F32, "VEC4", false, &turns)}]);
        let channels =
            [nodes - 1, nodes].map(|node| json!({"sampler": 0, "target": {"node": node, "path": "rotation"}}));
        maker.json["animations"] = json!([{"name": "wave", "samplers": samplers, "channels": channels}]);
        maker
    };
    let held = |maker: &Maker| load(maker).holds.iter().filter(|hold| matches!(hold, Hold::Joint(_))).count();
    for (angle, stiff) in [(0.0, 1), (0.3, 0)] {
        assert_eq!((said(&waving(angle), "stay stiff"), held(&waving(angle))), (stiff, 2 * stiff), "{angle} rad");
    }
}

#[test]
fn pictures_are_laid_as_the_file_says() {
    let mut maker = BAR.skinned();
    let mut png = std::io::Cursor::new(Vec::new());
    image::RgbaImage::new(2, 2).write_to(&mut png, image::ImageFormat::Png).unwrap();
    let view = maker.view(png.get_ref());
    maker.json["images"] = json!([{"bufferView": view, "mimeType": "image/png"}]);
    maker.json["samplers"] = json!([{"wrapS": 33_071, "wrapT": 33_648, "magFilter": 9728}]);
    maker.json["textures"] = json!([{"source": 0, "sampler": 0}, {"source": 0}]);
    let twice = json!({"KHR_texture_transform": {"scale": [2.0, 3.0], "texCoord": 1}});
    let material = |base: usize, rest: usize, moved: bool| {
        let extensions = |moved| if moved { twice.clone() } else { json!({}) };
        json!({
            "pbrMetallicRoughness": {"baseColorTexture": {"index": base, "extensions": twice}},
            "normalTexture": {"index": rest, "scale": 0.5, "extensions": extensions(moved)},
            "occlusionTexture": {"index": rest, "strength": 0.25, "extensions": extensions(true)},
        })
    };
    maker.json["materials"] =
        json!([material(0, 0, true), material(1, 1, true), material(0, 1, true), material(0, 0, false)]);
    let uvs: Vec<f64> = [0.0, 0.0, 1.0, 0.0, 1.0, 1.0, 0.0, 1.0].repeat(BAR.rings);
    let uvs = maker.accessor(F32, "VEC2", false, &uvs);
    maker.json["meshes"][0]["primitives"][0]["attributes"]["TEXCOORD_0"] = json!(uvs);
    maker.json["meshes"][0]["primitives"][0]["material"] = json!(0);
    let asset = load(&maker);
    let read = &asset.model.materials[0];
    assert_eq!((read.normal_scale, read.occlusion_strength), (0.5, 0.25));
    assert_eq!(read.sampling, Sampling { across: Wrap::Clamp, down: Wrap::Mirror, squares: true });
    assert_eq!(asset.model.materials[1].sampling, Sampling::default());
    let far = asset.model.primitives[0].uvs.iter().fold(Vec2::ZERO, |far, uv| far.max(*uv));
    assert_eq!(far, Vec2::new(2.0, 3.0));
    let said = |text: &str| asset.warnings.iter().filter(|w| w.contains(text)).count();
    for (material, told) in [(0, 0), (1, 0), (2, 1), (3, 1)] {
        assert_eq!(said(&format!("material {material} repeats, clamps")), told, "{:?}", asset.warnings);
    }
    assert_eq!(said("material 0 uses TEXCOORD_1"), 3, "{:?}", asset.warnings);
}

#[test]
fn primitives_that_share_their_vertices_are_read_once() {
    const VERTICES: usize = 70_000;
    const PARTS: usize = 40;
    let mut maker = BAR.skinned();
    let place = |i: usize| [(i % 700) as f64, (i / 700) as f64, (i % 3) as f64].map(|v| 0.01 * v);
    let places: Vec<f64> = (0..VERTICES).flat_map(place).collect();
    let (slots, shares) = ([0.0, 1.0, 0.0, 0.0].repeat(VERTICES), [0.25, 0.75, 0.0, 0.0].repeat(VERTICES));
    let attributes = json!({
        "POSITION": maker.accessor(F32, "VEC3", false, &places),
        "JOINTS_0": maker.accessor(U8, "VEC4", false, &slots),
        "WEIGHTS_0": maker.accessor(F32, "VEC4", false, &shares),
    });
    let parts: Vec<_> = (0..PARTS)
        .map(|part| {
            let corners: Vec<f64> = (0..6).map(|corner| (700 * part + 11 * corner) as f64).collect();
            json!({"attributes": attributes, "indices": maker.accessor(U32, "SCALAR", false, &corners)})
        })
        .collect();
    maker.json["meshes"][0]["primitives"] = json!(parts);
    let asset = load(&maker);
    assert_eq!(asset.model.primitives.len(), PARTS);
    let way = |primitive: &Primitive| primitive.positions[5] - primitive.positions[0];
    let larger = way(&asset.model.primitives[0]).x / 0.55;
    for (part, primitive) in asset.model.primitives.iter().enumerate() {
        assert_eq!(primitive.indices, [0, 1, 2, 3, 4, 5]);
        assert_eq!(primitive.positions.len(), 6);
        let way = way(primitive);
        let [first, last] = [700 * part, 700 * part + 55].map(|i| Vec3::from(place(i).map(|v| v as f32)));
        assert!(way.distance(larger * (last - first)) < 1e-3, "{part}: {way}");
        assert_eq!(asset.weights[part].of(5).len(), 2);
    }
}

#[test]
fn clips_that_move_morph_targets_are_told() {
    let mut maker = BAR.skinned();
    let times = maker.accessor(F32, "SCALAR", false, &[0.0]);
    maker.json["animations"] = json!([{"name": "smile", "samplers": [{"input": times, "output": times}],
        "channels": [{"sampler": 0, "target": {"node": 0, "path": "weights"}}]}]);
    let warnings = load(&maker).warnings;
    assert_eq!(warnings.iter().filter(|w| w.contains("`smile` moves morph targets")).count(), 1, "{warnings:?}");
}

#[test]
fn a_z_up_bar_in_centimetres_stands_up_in_metres() {
    // Bind space: Z up, centimetres. An armature node turns and scales it, as common exporters write it.
    let mut maker = BAR.skinned();
    let turned: Vec<f64> =
        BAR.positions().chunks(3).flat_map(|p| [100.0 * p[0], -100.0 * p[2], 100.0 * p[1]]).collect();
    let positions = maker.accessor(F32, "VEC3", false, &turned);
    maker.json["meshes"][0]["primitives"][0]["attributes"]["POSITION"] = json!(positions);
    shade(&mut maker, 0, &BAR);
    let binds: Vec<f64> = (0..4).flat_map(|j| translation(0.0, 0.0, -100.0 * BAR.joint(j))).collect();
    let binds = maker.accessor(F32, "MAT4", false, &binds);
    maker.json["skins"][0]["inverseBindMatrices"] = json!(binds);
    for j in 1..5 {
        maker.json["nodes"][j]["translation"] = json!([0.0, 0.0, if j == 1 { 0.0 } else { 50.0 }]);
    }
    let s = 0.01;
    let matrix = [s, 0.0, 0.0, 0.0, 0.0, 0.0, -s, 0.0, 0.0, s, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0];
    let armature = maker.node(json!({"children": [1], "matrix": matrix}));
    maker.json["scenes"][0]["nodes"] = json!([0, armature]);
    let asset = load(&maker);
    for (p, exact) in asset.model.primitives[0].positions.iter().zip(BAR.positions().chunks(3)) {
        assert!(close(*p, Vec3::new(exact[0] as f32, exact[1] as f32, exact[2] as f32)), "{p} {exact:?}");
    }
    assert!(volume(&asset.model.primitives[0]) > 0.0);
    assert!(close(asset.joints[3].rest.w_axis.truncate(), Vec3::Y * 1.5));
}

#[test]
fn a_mirroring_node_keeps_the_outside_outside() {
    let mut maker = Maker::new();
    let mesh = BAR.add_mesh(&mut maker, F32);
    let child = maker.node(json!({"mesh": mesh, "scale": [-1.0, 1.0, 1.0]}));
    let parent = maker.node(json!({"children": [child], "matrix": translation(3.0, 0.0, 0.0)}));
    maker.show(parent);
    let asset = load(&maker);
    assert_eq!(asset.holds, [Hold::Loose]);
    let part = &asset.model.primitives[0];
    assert!(volume(part) > 0.1);
    let normal = part.normals[part.indices[0] as usize];
    assert!(normal.dot(part.positions[part.indices[0] as usize] - Vec3::Y) > 0.0);
}

#[test]
fn odd_units_are_scaled_and_said() {
    let mut maker = Maker::new();
    let mesh = BAR.add_mesh(&mut maker, F32);
    let node = maker.node(json!({"mesh": mesh, "scale": [50.0, 50.0, 50.0]}));
    maker.show(node);
    let asset = load(&maker);
    let high = asset.model.primitives[0].positions.iter().map(|p| p.y).fold(0.0, f32::max);
    assert!((high - 1.0).abs() < 1e-4);
    assert!(asset.warnings.iter().any(|w| w.contains("scaled by 0.0100")), "{:?}", asset.warnings);
}

#[test]
fn a_mesh_under_a_joint_hangs_on_it() {
    let mut maker = BAR.skinned();
    let hat = Bar { length: 0.2, width: 0.2, rings: 2, joints: 1 };
    let mesh = hat.add_mesh(&mut maker, F32);
    let between = maker.node(json!({"mesh": mesh, "translation": [0.0, 0.1, 0.0]}));
    maker.json["nodes"][4]["children"] = json!([between]);
    let asset = load(&maker);
    assert_eq!(asset.holds, [Hold::Skin, Hold::Joint(3)]);
    let low = asset.model.primitives[1].positions.iter().map(|p| p.y).fold(9.0, f32::min);
    assert!((low - 1.6).abs() < 1e-4);
    assert_eq!(asset.weights[1].of(0), [(3, 1.0)]);
}

#[test]
fn strips_fans_quantized_and_morphed_positions() {
    let mut maker = Maker::new();
    let square = [0.0, 0.0, 0.0, 65_535.0, 0.0, 0.0, 0.0, 65_535.0, 0.0, 65_535.0, 65_535.0, 0.0];
    let positions = maker.accessor(U16, "VEC3", true, &square);
    let lift = maker.accessor(F32, "VEC3", false, &[0.0, 0.0, 0.4].repeat(4));
    for (mode, triangles) in [(5, 2), (6, 2), (4, 1)] {
        let primitive = json!({"attributes": {"POSITION": positions}, "mode": mode, "targets": [{"POSITION": lift}]});
        let mesh = maker.mesh(primitive);
        maker.json["meshes"][mesh]["weights"] = json!([0.5]);
        let node =
            maker.node(json!({"mesh": mesh, "translation": [0.0, 0.0, if triangles == 1 { -0.2 } else { 0.0 }]}));
        maker.show(node);
    }
    maker.json["extensionsRequired"] = json!(["KHR_mesh_quantization"]);
    let asset = load(&maker);
    let counts: Vec<usize> = asset.model.primitives.iter().map(|p| p.indices.len() / 3).collect();
    assert_eq!(counts, [2, 2, 1]);
    assert!(asset.model.primitives[0].normals.iter().all(|n| close(*n, Vec3::Z)));
    let depth = |i: usize| asset.model.primitives[i].positions[0].z;
    assert!((depth(0) - depth(2) - 0.2).abs() < 1e-4);
}

#[test]
fn sparse_accessors_replace_elements() {
    let mut maker = BAR.skinned();
    let places = maker.view(&[80, 0, 81, 0, 82, 0, 83, 0]);
    let mut bytes = Vec::new();
    for corner in [[-0.15, 2.5, -0.15], [0.15, 2.5, -0.15], [0.15, 2.5, 0.15], [-0.15, 2.5, 0.15_f32]] {
        corner.iter().for_each(|v| bytes.extend(v.to_le_bytes()));
    }
    let values = maker.view(&bytes);
    maker.json["accessors"][0]["sparse"] = json!({
        "count": 4, "indices": {"bufferView": places, "componentType": U16}, "values": {"bufferView": values},
    });
    let high = load(&maker).model.primitives[0].positions.iter().map(|p| p.y).fold(0.0, f32::max);
    assert!((high - 2.5).abs() < 1e-5);
}

#[test]
fn buffers_in_data_uris_and_in_files_beside() {
    let maker = BAR.skinned();
    let embedded = from_bytes(Path::new("bar.gltf"), &maker.gltf(&maker.data_uri()), None).unwrap();
    let folder = std::env::temp_dir().join(format!("sinew-import-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("bar data.bin"), &maker.binary).unwrap();
    std::fs::write(folder.join("bar.gltf"), maker.gltf("bar%20data.bin")).unwrap();
    let beside = sinew::import::load(&folder.join("bar.gltf")).unwrap();
    assert_eq!(embedded.model.primitives[0].positions, beside.model.primitives[0].positions);
    std::fs::write(folder.join("lost.gltf"), maker.gltf("lost.bin")).unwrap();
    let error = sinew::import::load(&folder.join("lost.gltf")).unwrap_err().to_string();
    assert!(error.contains("lost.gltf") && error.contains("buffer 0 (lost.bin)"), "{error}");
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn materials_clips_and_pictures() {
    let mut maker = BAR.skinned();
    let mut png = std::io::Cursor::new(Vec::new());
    image::RgbaImage::from_pixel(2, 1, image::Rgba([9, 8, 7, 255]))
        .write_to(&mut png, image::ImageFormat::Png)
        .unwrap();
    let view = maker.view(png.get_ref());
    maker.json["images"] = json!([{"bufferView": view, "mimeType": "image/png"}, {"uri": "gone.png"}]);
    maker.json["textures"] = json!([{"source": 0}, {"source": 1}]);
    maker.json["materials"] = json!([{
        "pbrMetallicRoughness": {"baseColorTexture": {"index": 0}, "baseColorFactor": [0.5, 1.0, 1.0, 1.0]},
        "emissiveFactor": [1.0, 0.5, 0.0], "emissiveTexture": {"index": 1}, "alphaMode": "MASK", "doubleSided": true,
        "extensions": {"KHR_materials_emissive_strength": {"emissiveStrength": 4.0}, "KHR_materials_unlit": {}},
    }]);
    maker.json["meshes"][0]["primitives"][0]["material"] = json!(0);
    let times = maker.accessor(F32, "SCALAR", false, &[0.0, 1.5]);
    let turns = maker.accessor(F32, "VEC4", false, &[0.0, 0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 0.0]);
    maker.json["animations"] = json!([{"name": "wave", "channels": [
        {"sampler": 0, "target": {"node": 2, "path": "rotation"}}, {"sampler": 0, "target": {"path": "rotation"}}],
        "samplers": [{"input": times, "output": turns, "interpolation": "STEP"}]}]);
    let asset = load(&maker);
    let material = &asset.model.materials[asset.model.primitives[0].material];
    assert_eq!(asset.model.images[material.base_color_texture.unwrap()].rgba[..4], [9, 8, 7, 255]);
    assert_eq!((material.emissive.x, material.metallic, material.unlit), (4.0, 1.0, true));
    assert_eq!(material.emissive_texture, None);
    assert!(asset.warnings.iter().any(|w| w.starts_with("image 1 is not drawn")), "{:?}", asset.warnings);
    assert_eq!((asset.clips[0].name.as_str(), asset.clips[0].channels.len()), ("wave", 1));
    assert_eq!(asset.clips[0].duration, 1.5);
}

#[test]
fn skins_bound_in_two_poses_meet_in_the_first() {
    let bar = Bar { length: 2.0, width: 0.2, rings: 21, joints: 2 };
    let mut maker = bar.skinned();
    // The second is bound with the upper half turned by 45 degrees about Z.
    let half = std::f64::consts::FRAC_1_SQRT_2;
    let turned = |p: &[f64]| [half * (p[0] - p[1] + 1.0), half * (p[0] + p[1] - 1.0) + 1.0, p[2]];
    let (_, shares) = bar.weights();
    let positions = bar.positions();
    let upper = |vertex: usize| positions[3 * vertex + 1] > 1.0;
    let bound = positions.chunks(3).enumerate();
    let bound: Vec<f64> = bound.flat_map(|(v, p)| if upper(v) { turned(p) } else { [p[0], p[1], p[2]] }).collect();
    let mesh = bar.add_mesh(&mut maker, F32);
    (0..=mesh).for_each(|mesh| shade(&mut maker, mesh, &bar));
    let bound = maker.accessor(F32, "VEC3", false, &bound);
    maker.json["meshes"][mesh]["primitives"][0]["attributes"]["POSITION"] = json!(bound);
    let mut binds = translation(0.0, 0.0, 0.0).to_vec();
    let unturned = [half, -half, 0.0, 0.0, half, half, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, -half, -half, 0.0, 1.0];
    binds.extend(unturned);
    let binds = maker.accessor(F32, "MAT4", false, &binds);
    maker.skin(&[1, 2], Some(binds));
    let node = maker.node(json!({"mesh": mesh, "skin": 1}));
    maker.show(node);
    let asset = load(&maker);
    let told = |w: &String| w.starts_with("skin 1 rests") && w.ends_with("joints it shares or hangs on");
    assert!(asset.warnings.iter().any(told), "{:?}", asset.warnings);
    let [first, second] = &asset.model.primitives[..] else { panic!("{}", asset.model.primitives.len()) };
    let alone = (0..first.positions.len()).filter(|vertex| shares[4 * vertex] == 1.0);
    for vertex in alone {
        let (p, q) = (first.positions[vertex], second.positions[vertex]);
        assert!(p.distance(q) < 1e-4, "vertex {vertex}: {p} {q}");
    }
}

#[test]
fn clips_that_scale_limbs_or_take_them_off_are_told() {
    let bar = Bar { length: 2.0, width: 0.2, rings: 21, joints: 3 };
    let mut maker = bar.skinned();
    let times = maker.accessor(F32, "SCALAR", false, &[0.0, 1.0]);
    let grown = maker.accessor(F32, "VEC3", false, &[1.0, 1.0, 1.0, 2.0, 2.0, 2.0]);
    let third = 2.0 / 3.0;
    let still = maker.accessor(F32, "VEC3", false, &[0.0, third, 0.0, 0.0, third + 0.01, 0.0]);
    let off = maker.accessor(F32, "VEC3", false, &[0.0, third, 0.0, 0.0, third, 1.0]);
    let channel =
        |sampler: usize, node: usize, path: &str| json!({"sampler": sampler, "target": {"node": node, "path": path}});
    let samplers: Vec<Value> = [grown, still, off].iter().map(|o| json!({"input": times, "output": o})).collect();
    let channels = [
        // What the skeleton stands on may move.
        [channel(2, 1, "translation"), channel(1, 2, "translation")],
        [channel(0, 3, "scale"), channel(2, 2, "translation")],
    ];
    let clips = channels.iter().zip(["step", "grow"]);
    let clips: Vec<Value> =
        clips.map(|(channels, name)| json!({"name": name, "samplers": samplers, "channels": channels})).collect();
    maker.json["animations"] = json!(clips);
    let warnings = load(&maker).warnings;
    assert!(!warnings.iter().any(|w| w.contains("`step`")), "{warnings:?}");
    for told in ["size: `bone2` in `grow`", "stay attached: `bone1` in `grow`"] {
        assert!(warnings.iter().any(|w| w.ends_with(told)), "{warnings:?}");
    }
    maker.json["nodes"][3]["scale"] = json!([0.0, 0.0, 0.0]);
    let warnings = load(&maker).warnings;
    assert!(warnings.iter().any(|w| w.contains("`bone2` has zero scale at rest")), "{warnings:?}");
}
