//! Skinned models into ragdolls that a scene accepts.

use std::path::Path;

use crate::gltf_maker::{Bar, F32, Maker};
use glam::{Quat, Vec3, Vec4};
use serde_json::json;
use sinew::import::from_bytes;
use sinew::ragdoll::{RagdollPlan, RagdollSettings, build};
use sinew::scene::{Scene, Shape};
use sinew::spawn::Character;

const BAR: Bar = Bar { length: 2.0, width: 0.3, rings: 21, joints: 4 };

fn plan(maker: &Maker) -> RagdollPlan {
    build(&from_bytes(Path::new("bar.glb"), &maker.glb(), None).unwrap(), &RagdollSettings::default()).unwrap()
}

/// Adds the plan and checks what every ragdoll must be: one tree, valid, drawn, not touching across its joints.
fn valid(plan: &RagdollPlan) -> Scene {
    let mut scene = Scene::default();
    let ids = plan.add_to(&mut scene, Vec3::new(1.0, 2.0, 3.0), Quat::from_rotation_z(0.7), Vec4::ONE).unwrap();
    assert_eq!(plan.joints.len() + 1, plan.bodies.len());
    assert!(scene.assemblies().iter().all(|root| *root == 0), "not one tree");
    for joint in &scene.joints {
        assert!(scene.body(joint.desc.a).ignores.contains(&joint.desc.b));
    }
    for (id, body) in ids.iter().zip(&plan.bodies) {
        assert!(body.desc.points.len() >= 4, "{} has {} particles", body.desc.name, body.desc.points.len());
        assert!(matches!(body.desc.shape, Shape::Grid(_)));
        assert!(scene.body(*id).mass > 0.0);
    }
    for part in &plan.model.primitives {
        for influences in &part.influences {
            assert!((influences.iter().map(|i| i.weight).sum::<f32>() - 1.0).abs() < 1e-4);
        }
    }
    scene
}

#[test]
fn a_bar_of_four_bones_is_four_bodies() {
    let plan = plan(&BAR.skinned());
    valid(&plan);
    assert_eq!(plan.bodies.len(), 4);
    assert!((plan.mass() / 180.0 - 1.0).abs() < 0.12, "{} kg", plan.mass());
    for (index, joint) in plan.joints.iter().enumerate() {
        assert!(joint.pivot.distance(Vec3::Y * 0.5 * (index + 1) as f32) < 1e-3, "{}", joint.pivot);
    }
    for (index, body) in plan.bodies.iter().enumerate() {
        let middle = Vec3::Y * (0.25 + 0.5 * index as f32);
        assert!(body.desc.position.distance(middle) < 0.06, "{} at {}", body.desc.name, body.desc.position);
        let reach = body.desc.points.iter().map(|p| body.desc.shape.distance(*p)).fold(f32::MIN, f32::max);
        assert!(reach < 0.0, "a particle lies outside its own body: {reach}");
    }
    let text = plan.describe();
    for part in ["4 bodies", "3 joints", "bone0 - bone1: ball", "kg"] {
        assert!(text.contains(part), "{text}");
    }
}

#[test]
fn short_bones_join_their_parents() {
    let plan = plan(&Bar { joints: 16, rings: 97, width: 0.08, ..BAR }.skinned());
    valid(&plan);
    assert!((4..=12).contains(&plan.bodies.len()), "{}", plan.bodies.len());
    assert!(plan.changes.iter().any(|c| c.starts_with("merged")), "{:?}", plan.changes);
    let mut joints: Vec<usize> = plan.bodies.iter().flat_map(|b| b.joint.into_iter().chain(b.merged.clone())).collect();
    joints.sort_unstable();
    assert_eq!(joints, (0..16).collect::<Vec<_>>(), "every joint moves with one body");
}

#[test]
fn the_number_of_bodies_is_capped() {
    let asset = from_bytes(Path::new("bar.glb"), &BAR.skinned().glb(), None).unwrap();
    let plan = build(&asset, &RagdollSettings { max_bodies: Some(2), ..RagdollSettings::default() }).unwrap();
    valid(&plan);
    assert_eq!(plan.bodies.len(), 2);
    assert!((plan.mass() / 180.0 - 1.0).abs() < 0.12, "{} kg", plan.mass());
}

#[test]
fn particles_of_a_large_body_are_larger() {
    let asset = from_bytes(Path::new("bar.glb"), &BAR.skinned().glb(), None).unwrap();
    let few = build(&asset, &RagdollSettings { max_body_particles: 40, ..RagdollSettings::default() }).unwrap();
    valid(&few);
    let many = plan(&BAR.skinned());
    assert!(few.particle_count() < many.particle_count() / 2);
    assert!((few.mass() - many.mass()).abs() < 0.01);
    assert!(few.bodies[1].desc.radius > 1.9 * many.bodies[1].desc.radius);
}

#[test]
fn a_forest_of_bones_becomes_one_tree_and_control_bones_go() {
    let mut maker = BAR.skinned();
    // Bone 2 with its child hangs on a control bone elsewhere; the last bone moves nothing.
    maker.json["nodes"][2].as_object_mut().unwrap().remove("children");
    maker.json["nodes"][3]["translation"] = json!([0.0, 1.0, -1.0]);
    let control = maker.node(json!({"name": "control", "translation": [0.0, 0.0, 1.0], "children": [3]}));
    let pole = maker.node(json!({"name": "pole"}));
    maker.show(control);
    maker.show(pole);
    let mut binds = BAR.inverse_binds();
    for z in [-1.0, 0.0] {
        binds.extend(crate::gltf_maker::translation(0.0, 0.0, z));
    }
    let binds = maker.accessor(F32, "MAT4", false, &binds);
    maker.json["skins"][0] = json!({"joints": [1, 2, 3, 4, control, pole], "inverseBindMatrices": binds});
    let plan = plan(&maker);
    valid(&plan);
    assert_eq!(plan.bodies.len(), 4);
    assert!(plan.changes.iter().any(|c| c.contains("joined bone2 to bone1 by proximity")), "{:?}", plan.changes);
    assert!(plan.changes.iter().any(|c| c.contains("pole")), "{:?}", plan.changes);
}

#[test]
fn a_limb_thinner_than_a_particle_is_built_along_its_bone() {
    let plan = plan(&Bar { width: 0.01, ..BAR }.skinned());
    valid(&plan);
    assert_eq!(plan.bodies.len(), 4);
    let ratio = |a: usize, b: usize| plan.bodies[a].desc.mass / plan.bodies[b].desc.mass;
    assert!((0.1..10.0).contains(&ratio(0, 1)));
}

#[test]
fn masses_of_neighbors_stay_within_eight() {
    // The top ring spread wide: the last bone owns nearly all of the volume.
    let mut maker = Bar { rings: 41, ..BAR }.skinned();
    let wide: Vec<f64> = Bar { rings: 41, ..BAR }
        .positions()
        .chunks(3)
        .flat_map(|p| if p[1] > 1.6 { [p[0] * 6.0, p[1], p[2] * 6.0] } else { [p[0] * 0.4, p[1], p[2] * 0.4] })
        .collect();
    let positions = maker.accessor(F32, "VEC3", false, &wide);
    maker.json["meshes"][0]["primitives"][0]["attributes"]["POSITION"] = json!(positions);
    let plan = plan(&maker);
    valid(&plan);
    for joint in &plan.joints {
        let ratio = plan.bodies[joint.child].desc.mass / plan.bodies[joint.parent].desc.mass;
        assert!((0.124..8.01).contains(&ratio), "{ratio}");
    }
}

#[test]
fn without_a_skin_it_is_one_rigid_body_and_says_so() {
    let mut maker = Maker::new();
    let mesh = BAR.add_mesh(&mut maker, F32);
    let node = maker.node(json!({"mesh": mesh}));
    maker.show(node);
    let plan = plan(&maker);
    valid(&plan);
    assert_eq!(plan.bodies.len(), 1);
    assert!((plan.mass() / 180.0 - 1.0).abs() < 0.15, "{}", plan.mass());
    assert!(plan.describe().contains("one rigid body"));
}

/// Boxes on nodes, a box each, as figures of blocks have them: trunk, head, arms and legs of two parts, called as no part of a body is.
/// Every second node is such a part, and the one before it its block. A clip turns those that `turned` picks.
fn blocks(turned: impl Fn(&str) -> bool) -> Maker {
    let mut maker = Maker::new();
    let mut block = |name: &str, at: [f64; 3], [low, length, width]: [f64; 3], children: &[usize]| {
        let mesh = Bar { length, width, rings: 2, joints: 1 }.add_mesh(&mut maker, F32);
        let part = maker.node(json!({"mesh": mesh, "name": format!("{name} block"), "translation": [0.0, low, 0.0]}));
        let children: Vec<usize> = children.iter().copied().chain([part]).collect();
        maker.node(json!({"name": name, "translation": at, "children": children}))
    };
    let cab = block("cab", [0.0, 0.52, 0.0], [0.0, 0.25, 0.22], &[]);
    let mut limb = |name: &str, at: [f64; 3], length: f64| {
        let lower = block(&format!("lower {name}"), [0.0, -length, 0.0], [-length, length, 0.13], &[]);
        block(&format!("upper {name}"), at, [-length, length, 0.15], &[lower])
    };
    let booms = [("left boom", 0.3), ("right boom", -0.3)].map(|(name, x)| limb(name, [x, 0.48, 0.0], 0.3));
    let struts = [("left strut", 0.12), ("right strut", -0.12)].map(|(name, x)| limb(name, [x, 0.0, 0.0], 0.4));
    let trunk = block("trunk", [0.0, 0.85, 0.0], [0.0, 0.5, 0.4], &[&[cab][..], &booms, &struts].concat());
    maker.show(trunk);
    let times = maker.accessor(F32, "SCALAR", false, &[0.0, 1.0]);
    let keys = maker.accessor(F32, "VEC4", false, &[0.0, 0.0, 0.0, 1.0, 0.5, 0.0, 0.0, 0.866]);
    let still = maker.accessor(F32, "VEC4", false, &[0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0]);
    // Tools write keys for every node.
    let channels: Vec<_> = (1..=trunk)
        .step_by(2)
        .map(|node| {
            let sampler = usize::from(!turned(maker.json["nodes"][node]["name"].as_str().unwrap()));
            json!({"sampler": sampler, "target": {"node": node, "path": "rotation"}})
        })
        .collect();
    let samplers = json!([{"input": times, "output": keys}, {"input": times, "output": still}]);
    maker.json["animations"] = json!([{"name": "walk", "channels": channels, "samplers": samplers}]);
    maker
}

/// The node called so.
fn named(maker: &Maker, name: &str) -> usize {
    maker.json["nodes"].as_array().unwrap().iter().position(|node| node["name"] == name).unwrap()
}

/// Checks that blocks became a figure that stands on the floor, each limb on the one above.
fn figure(plan: &RagdollPlan) {
    valid(plan);
    println!("{}", plan.describe());
    assert_eq!(plan.bodies.len(), 10, "{}", plan.describe());
    let parent = |child: &str| {
        let joint = plan.joints.iter().find(|joint| plan.bodies[joint.child].desc.name == child).unwrap();
        plan.bodies[joint.parent].desc.name.clone()
    };
    for side in ["left", "right"] {
        for limb in ["boom", "strut"] {
            assert_eq!(parent(&format!("lower {side} {limb}")), format!("upper {side} {limb}"), "{}", plan.describe());
        }
    }
    let bottom = plan.model.primitives.iter().flat_map(|part| &part.positions).map(|p| p.y).fold(f32::MAX, f32::min);
    assert!(bottom.abs() < 1e-3, "it stands {bottom} m above the floor");
    assert!(!plan.warnings.iter().any(|warning| warning.contains("stiff")), "{:?}", plan.warnings);
}

fn moves(name: &str) -> bool {
    name != "trunk"
}

#[test]
fn blocks_on_nodes_that_a_clip_turns_are_limbs() {
    let plan = plan(&blocks(moves));
    figure(&plan);
    let joint = |child: &str| plan.joints.iter().find(|joint| plan.bodies[joint.child].desc.name == child).unwrap();
    assert!(joint("lower left strut").pivot.distance(Vec3::new(0.12, 0.4, 0.0)) < 0.01, "{}", plan.describe());
    let parent = |child: &str| plan.bodies[joint(child).parent].desc.name.as_str();
    assert_eq!([parent("upper left boom"), parent("cab")], ["trunk", "trunk"]);
}

#[test]
fn blocks_in_centimetres_are_as_tall_as_a_person() {
    let mut maker = blocks(moves);
    let top = maker.node(json!({"name": "top", "scale": [100.0, 100.0, 100.0], "children": [named(&maker, "trunk")]}));
    maker.json["scenes"][0]["nodes"] = json!([top]);
    let plan = plan(&maker);
    figure(&plan);
    assert!((plan.size.y - 1.75).abs() < 0.01, "{}", plan.size);
}

#[test]
fn blocks_on_a_block_that_no_clip_turns_are_limbs() {
    let mut maker = blocks(|name| name == "cab" || name.starts_with("upper"));
    let none = plan(&maker);
    assert_eq!(none.bodies.len(), 1);
    assert!(none.warnings.iter().any(|w| w.contains("5 nodes with meshes could bend")), "{:?}", none.warnings);
    let (trunk, part) = (named(&maker, "trunk"), named(&maker, "trunk block"));
    let mesh = maker.json["nodes"][part].as_object_mut().unwrap().remove("mesh").unwrap();
    maker.json["nodes"][trunk]["mesh"] = mesh;
    let plan = plan(&maker);
    valid(&plan);
    assert_eq!(plan.bodies.len(), 6, "{}", plan.describe());
    assert!(plan.bodies.iter().any(|body| body.desc.name == "trunk"));
}

#[test]
fn limbs_without_a_common_node_hang_on_what_stands_still() {
    let mut maker = blocks(moves);
    let (trunk, part) = (named(&maker, "trunk"), named(&maker, "trunk block"));
    let children = maker.json["nodes"][trunk].as_object_mut().unwrap().remove("children").unwrap();
    let roots: Vec<_> = children.as_array().unwrap().iter().filter(|node| **node != json!(part)).collect();
    roots.into_iter().for_each(|node| maker.show(node.as_u64().unwrap() as usize));
    maker.json["nodes"][trunk]["children"] = json!([part]);
    maker.json["nodes"][trunk]["translation"] = json!([0.0, 0.0, 0.0]);
    figure(&plan(&maker));
}

#[test]
fn blocks_called_as_the_bones_of_a_person_are_limbs() {
    let mut maker = blocks(|_| false);
    assert_eq!(plan(&maker).bodies.len(), 1);
    for node in maker.json["nodes"].as_array_mut().unwrap() {
        let name = node["name"].as_str().unwrap();
        node["name"] = json!(name.replace("cab", "head").replace("boom", "arm").replace("strut", "leg"));
    }
    maker.json.as_object_mut().unwrap().remove("animations");
    let plan = plan(&maker);
    valid(&plan);
    assert_eq!(plan.bodies.len(), 10, "{}", plan.describe());
    assert!(plan.describe().contains("by names: 9 of 15"), "{}", plan.describe());
}

#[test]
fn blocks_above_a_skin_are_limbs_as_well() {
    let mut maker = blocks(moves);
    // The ends of both booms are skin, whose list of joints has all nodes; it lies as the nodes do.
    for end in ["lower left boom", "lower right boom"] {
        let (node, part) = (named(&maker, end), named(&maker, &format!("{end} block")));
        let down = Bar { length: 0.3, width: 0.13, rings: 2, joints: 1 }.positions();
        let down: Vec<f64> = down.chunks(3).flat_map(|p| [p[0], p[1] - 0.3, p[2]]).collect();
        let positions = maker.accessor(F32, "VEC3", false, &down);
        let mesh = maker.json["nodes"][part]["mesh"].as_u64().unwrap() as usize;
        maker.json["meshes"][mesh]["primitives"][0]["attributes"]["POSITION"] = json!(positions);
        let others = (1..=named(&maker, "trunk")).step_by(2).filter(|other| *other != node);
        let joints: Vec<usize> = std::iter::once(node).chain(others).collect();
        let skin = maker.skin(&joints, None);
        maker.json["nodes"][part]["skin"] = json!(skin);
    }
    figure(&plan(&maker));
}

#[test]
fn few_nodes_that_turn_are_no_limbs() {
    let maker = blocks(|name| name.starts_with("upper"));
    let plan = plan(&maker);
    valid(&plan);
    assert_eq!(plan.bodies.len(), 1);
    assert!(plan.warnings.iter().any(|w| w.contains("4 nodes") && w.contains("5 at least")), "{:?}", plan.warnings);
    let asset = from_bytes(Path::new("blocks.glb"), &maker.glb(), None).unwrap();
    let refused = Character::rigid(&asset).unwrap().clip(Some("walk")).unwrap_err().to_string();
    assert!(refused.contains("a single rigid body"), "{refused}");
}

#[test]
fn the_same_file_gives_the_same_plan() {
    let (a, b) = (plan(&BAR.skinned()), plan(&BAR.skinned()));
    assert_eq!(a.describe(), b.describe());
    for (x, y) in a.bodies.iter().zip(&b.bodies) {
        assert_eq!(x.desc.points, y.desc.points);
        assert_eq!(x.desc.shape, y.desc.shape);
    }
}

#[test]
fn settings_out_of_range_are_named() {
    let asset = from_bytes(Path::new("bar.glb"), &BAR.skinned().glb(), None).unwrap();
    let bad = RagdollSettings { spacing: f32::NAN, ..RagdollSettings::default() };
    assert!(build(&asset, &bad).unwrap_err().to_string().contains("spacing"));
    let bad = RagdollSettings { density: -1.0, ..RagdollSettings::default() };
    assert!(build(&asset, &bad).unwrap_err().to_string().contains("density is -1"));
}
