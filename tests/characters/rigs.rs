//! Ragdolls from rigs of every habit: naming styles, missing names, animals, robots, odd units and bind spaces.

use std::path::Path;

use crate::gltf_maker::creature::Creature;
use crate::gltf_maker::{Bar, F32, Maker};
use glam::{Quat, Vec3, Vec4};
use serde_json::{Value, json};
use sinew::import::{Asset, from_bytes};
use sinew::ragdoll::{Label, LabelSource, PlannedBody, RagdollPlan, RagdollSettings, Side, build};
use sinew::scene::{JointKind, Limits, Scene, Shape};

fn plan(maker: &Maker) -> RagdollPlan {
    plan_of(&from_bytes(Path::new("rig.glb"), &maker.glb(), None).unwrap())
}

fn plan_of(asset: &Asset) -> RagdollPlan {
    let plan = build(asset, &RagdollSettings::default()).unwrap();
    let mut scene = Scene::default();
    plan.add_to(&mut scene, Vec3::Y, Quat::IDENTITY, Vec4::ONE).unwrap();
    assert!(scene.assemblies().iter().all(|root| *root == 0), "not one tree\n{}", plan.describe());
    for body in &plan.bodies {
        let [second, _] = body.conditioning();
        assert!(body.desc.points.len() >= 4 && second >= 0.02, "{}\n{}", body.desc.name, plan.describe());
    }
    plan
}

/// Checks that all parts of a person are there once, on the right side, with human joints and masses.
fn human(plan: &RagdollPlan, source: LabelSource) {
    let text = plan.describe();
    assert_eq!(plan.labels, source, "{text}");
    assert!((13..=18).contains(&plan.bodies.len()), "{text}");
    let find = |label, side| plan.bodies.iter().position(|b| b.label == label && b.side == side);
    for label in [Label::Pelvis, Label::Chest, Label::Head] {
        assert!(find(label, Side::Middle).is_some(), "{label:?}\n{text}");
    }
    for (side, sign) in [(Side::Left, 1.0), (Side::Right, -1.0)] {
        for label in [Label::UpperArm, Label::Forearm, Label::Hand, Label::Thigh, Label::Shin, Label::Foot] {
            let body = find(label, side).unwrap_or_else(|| panic!("no {side:?} {label:?}\n{text}"));
            assert!(plan.bodies[body].desc.position.x * sign > 0.0, "{side:?} {label:?} is on the other side\n{text}");
        }
        for (label, toward) in [(Label::Shin, Vec3::NEG_Z), (Label::Forearm, Vec3::Z)] {
            let child = find(label, side).unwrap();
            let joint = plan.joints.iter().find(|j| j.child == child).unwrap();
            let Limits::Hinge { min, max } = joint.limits else { panic!("{label:?} is no hinge\n{text}") };
            assert!(min > -0.5 && max > 1.5, "{label:?} {min} {max}");
            let bone = plan.bodies[child].desc.position - joint.pivot;
            let bent = Quat::from_axis_angle(joint.axis, 1.0) * bone;
            assert!((bent - bone).dot(toward) > 0.0, "{side:?} {label:?} bends the wrong way");
        }
    }
    let expected = 70.0 * (plan.size.y / 1.75).powi(3);
    assert!((plan.mass() / expected - 1.0).abs() < 0.01, "{} kg, not {expected}\n{text}", plan.mass());
    let head = &plan.bodies[find(Label::Head, Side::Middle).unwrap()].desc;
    assert!((0.04..0.11).contains(&(head.mass / plan.mass())), "{text}");
}

/// Names of a tool for the bones of [`Creature::human`]: its words for them, and how sides are written.
fn styled(pairs: &[(&str, &str)], sided: impl Fn(&str, &str) -> String, plain: impl Fn(&str) -> String) -> Creature {
    let word = |bone: &str| pairs.iter().find(|(b, _)| *b == bone).map_or(bone.to_owned(), |(_, w)| (*w).to_owned());
    Creature::human().renamed(|name| match (name.strip_prefix("left"), name.strip_prefix("right")) {
        (Some(bone), _) => sided("L", &word(bone)),
        (_, Some(bone)) => sided("R", &word(bone)),
        _ => plain(&word(name)),
    })
}

#[test]
fn a_hand_behind_a_wrist_is_turned_by_its_own_joint() {
    let mut creature = Creature::human();
    let hand = creature.bones.iter().position(|b| b.name == "leftHand").unwrap();
    let start = creature.bones[hand].from;
    let on = [start[0] + 0.02, start[1], start[2]];
    creature.bone("leftWrist", "leftLowerArm", start, on, 0.03);
    creature.bones[hand].from = on;
    creature.bones[hand].parent = Some(creature.bones.len() - 1);
    let plan = plan(&creature.maker());
    human(&plan, LabelSource::Names(15));
    let hand = plan.bodies.iter().position(|b| b.label == Label::Hand && b.side == Side::Left).unwrap();
    assert_eq!(plan.bodies[hand].desc.name, "leftHand", "{}", plan.describe());
    let joint = plan.joints.iter().find(|j| j.child == hand).unwrap();
    assert!((joint.pivot.x - on[0] as f32).abs() < 0.01, "{}", joint.pivot);
}

#[test]
#[expect(clippy::too_many_lines, reason = "a table of names, a line each")]
fn names_of_every_tool_give_the_same_person() {
    let long = |side: &str| if side == "L" { "Left" } else { "Right" };
    let mixamo = [
        ("hips", "Hips"),
        ("spine", "Spine"),
        ("chest", "Spine1"),
        ("neck", "Neck"),
        ("head", "Head"),
        ("UpperArm", "Arm"),
        ("LowerArm", "ForeArm"),
        ("UpperLeg", "UpLeg"),
        ("LowerLeg", "Leg"),
        ("Toes", "ToeBase"),
        ("IndexProximal", "HandIndex1"),
        ("MiddleProximal", "HandMiddle1"),
        ("LittleProximal", "HandPinky1"),
    ];
    let unreal = [
        ("hips", "pelvis"),
        ("spine", "spine_01"),
        ("chest", "spine_02"),
        ("neck", "neck_01"),
        ("Shoulder", "clavicle"),
        ("UpperArm", "upperarm"),
        ("LowerArm", "lowerarm"),
        ("Hand", "hand"),
        ("UpperLeg", "thigh"),
        ("LowerLeg", "calf"),
        ("Foot", "foot"),
        ("Toes", "ball"),
        ("IndexProximal", "index_01"),
        ("MiddleProximal", "middle_01"),
        ("LittleProximal", "pinky_01"),
    ];
    let rigify = [
        ("hips", "spine"),
        ("spine", "spine.001"),
        ("chest", "spine.003"),
        ("neck", "spine.004"),
        ("head", "spine.006"),
        ("Shoulder", "shoulder"),
        ("UpperArm", "upper_arm"),
        ("LowerArm", "forearm"),
        ("Hand", "hand"),
        ("UpperLeg", "thigh"),
        ("LowerLeg", "shin"),
        ("Foot", "foot"),
        ("Toes", "toe"),
        ("IndexProximal", "f_index.01"),
        ("MiddleProximal", "f_middle.01"),
        ("LittleProximal", "f_pinky.01"),
    ];
    let biped = [
        ("hips", "Pelvis"),
        ("spine", "Spine"),
        ("chest", "Spine1"),
        ("neck", "Neck"),
        ("head", "Head"),
        ("Shoulder", "Clavicle"),
        ("LowerArm", "Forearm"),
        ("UpperLeg", "Thigh"),
        ("LowerLeg", "Calf"),
        ("Toes", "Toe0"),
        ("IndexProximal", "Finger1"),
        ("MiddleProximal", "Finger2"),
        ("LittleProximal", "Finger4"),
    ];
    let creator = [
        ("hips", "Hip"),
        ("spine", "Waist"),
        ("chest", "Spine02"),
        ("neck", "NeckTwist01"),
        ("head", "Head"),
        ("Shoulder", "Clavicle"),
        ("UpperArm", "Upperarm"),
        ("LowerArm", "Forearm"),
        ("UpperLeg", "Thigh"),
        ("LowerLeg", "Calf"),
        ("Toes", "ToeBase"),
        ("IndexProximal", "Index1"),
        ("MiddleProximal", "Mid1"),
        ("LittleProximal", "Pinky1"),
    ];
    let styles = [
        (styled(&[], |s, w| format!("{}{w}", long(s).to_lowercase()), str::to_owned), 15),
        (styled(&mixamo, |s, w| format!("mixamorig:{}{w}", long(s)), |w| format!("mixamorig:{w}")), 15),
        (styled(&unreal, |s, w| format!("{w}_{}", s.to_lowercase()), str::to_owned), 15),
        (styled(&rigify, |s, w| format!("DEF-{w}.{s}"), |w| format!("DEF-{w}")), 13),
        (styled(&biped, |s, w| format!("Bip01 {s} {w}"), |w| format!("Bip01 {w}")), 15),
        (styled(&creator, |s, w| format!("CC_Base_{s}_{w}"), |w| format!("CC_Base_{w}")), 15),
    ];
    for (creature, known) in styles {
        human(&plan(&creature.maker()), LabelSource::Names(known));
    }
    // The name of a character may be, or have in it, the word for a part.
    for name in ["Farmer", "Headless", "Footman", "Philip", "Legend", "Eye", "Head"] {
        let creature = styled(&mixamo, |s, w| format!("{name}_{}{w}", long(s)), |w| format!("{name}_{w}"));
        human(&plan(&creature.maker()), LabelSource::Names(15));
    }
}

/// Names that say nothing.
fn junk(name: &str) -> String {
    format!("Bone.{:03}", name.bytes().map(u32::from).sum::<u32>() % 997)
}

/// Nodes of the named bones of [`Creature::human`], without its fingers.
fn human_bones() -> Vec<(String, usize)> {
    let bones = Creature::human().bones.into_iter().enumerate();
    bones.map(|(index, bone)| (bone.name, index + 1)).filter(|(name, _)| !name.contains("Proximal")).collect()
}

/// The extension of VRM 1.0.
fn vrm_1() -> Value {
    let map: serde_json::Map<String, Value> =
        human_bones().into_iter().map(|(name, node)| (name, json!({"node": node}))).collect();
    json!({"specVersion": "1.0", "humanoid": {"humanBones": map}})
}

/// The extension of VRM 0.
fn vrm_0() -> Value {
    let mut list: Vec<Value> =
        human_bones().into_iter().map(|(name, node)| json!({"bone": name, "node": node})).collect();
    list.push(json!({"bone": "jaw", "node": -1}));
    json!({"humanoid": {"humanBones": list}})
}

/// The person of [`Creature::human`], but looking along -Z.
fn turned() -> Creature {
    let mut turned = Creature::human();
    let back = |p: [f64; 3]| [-p[0], p[1], -p[2]];
    turned.bones.iter_mut().for_each(|b| (b.from, b.to) = (back(b.from), back(b.to)));
    turned
}

#[test]
fn avatars_bring_their_own_map() {
    let mut maker = Creature::human().renamed(junk).maker();
    maker.json["extensions"] = json!({"VRMC_vrm": vrm_1()});
    maker.json["extensionsRequired"] = json!(["VRMC_vrm"]);
    let new = plan(&maker);
    human(&new, LabelSource::VrmMap);
    // VRM 0 looks the other way in its file, and here where all look.
    let mut maker = turned().renamed(junk).maker();
    maker.json["extensions"] = json!({"VRM": vrm_0()});
    let old = plan(&maker);
    human(&old, LabelSource::VrmMap);
    assert_eq!(old.bodies.len(), new.bodies.len());
    for (a, b) in old.bodies.iter().zip(&new.bodies) {
        assert_eq!((a.label, a.side), (b.label, b.side));
        assert!(a.desc.position.distance(b.desc.position) < 0.03, "{:?} {:?}", a.side, a.label);
    }
    // The newer extension is the one that counts.
    let mut maker = Creature::human().renamed(junk).maker();
    maker.json["extensions"] = json!({"VRM": vrm_0(), "VRMC_vrm": vrm_1()});
    human(&plan(&maker), LabelSource::VrmMap);
    maker.json["extensions"] = json!({"VRM": {"humanoid": {"humanBones": [{"bone": "hips", "node": 999}]}}});
    let error = from_bytes(Path::new("rig.vrm"), &maker.glb(), None).unwrap_err().to_string();
    assert!(error.contains("hips") && error.contains("999"), "{error}");
}

#[test]
fn the_map_of_an_avatar_counts_more_than_names() {
    // Every name says another part: sides are crossed, and arms are called legs.
    let crossed = |name: &str| {
        let swapped = name.replace("left", "L_").replace("right", "left").replace("L_", "right");
        swapped.replace("Arm", "X").replace("Leg", "Arm").replace('X', "Leg")
    };
    let mut maker = Creature::human().renamed(crossed).maker();
    assert_ne!(plan(&maker).labels, LabelSource::VrmMap);
    maker.json["extensions"] = json!({"VRMC_vrm": vrm_1()});
    human(&plan(&maker), LabelSource::VrmMap);
}

#[test]
fn spring_bones_of_an_avatar_move_with_its_body() {
    let mut hairy = Creature::human();
    hairy.bone("braid1", "head", [0.0, 1.68, -0.12], [0.0, 1.3, -0.25], 0.06);
    hairy.bone("braid2", "braid1", [0.0, 1.3, -0.25], [0.0, 0.9, -0.28], 0.06);
    let node = hairy.bones.len() - 1;
    let mut maker = hairy.renamed(junk).maker();
    maker.json["extensions"] = json!({"VRMC_vrm": vrm_1()});
    let loose = plan(&maker).bodies.len();
    maker.json["extensions"]["VRMC_springBone"] =
        json!({"springs": [{"joints": [{"node": node}, {"node": node + 1}]}]});
    let tied = plan(&maker);
    assert_eq!((loose, tied.bodies.len()), (loose, loose - 2));
    human(&tied, LabelSource::VrmMap);
    let asset = from_bytes(Path::new("rig.vrm"), &maker.glb(), None).unwrap();
    assert!(asset.warnings.iter().any(|w| w.contains("1 spring bones do not swing")), "{:?}", asset.warnings);
    maker.json["extensions"]["VRMC_springBone"] = json!({"springs": [{"joints": [{"node": 999}]}]});
    let error = from_bytes(Path::new("rig.vrm"), &maker.glb(), None).unwrap_err().to_string();
    assert!(error.contains("a spring bone") && error.contains("999"), "{error}");
}

#[test]
fn a_person_without_names_is_known_by_its_shape() {
    human(&plan(&Creature::human().renamed(junk).maker()), LabelSource::Shape);
    // Seen from behind: the feet tell the front.
    let plan = plan(&turned().renamed(junk).maker());
    assert_eq!(plan.labels, LabelSource::Shape);
    let left = plan.bodies.iter().find(|b| b.label == Label::Hand && b.side == Side::Left).unwrap();
    assert!(left.desc.position.x < 0.0);
}

#[test]
fn animals_are_no_people() {
    for (creature, source) in
        [(Creature::animal(), LabelSource::Names(15)), (Creature::animal().renamed(junk), LabelSource::None)]
    {
        for units in [1.0, 155.0] {
            let plan = plan(&Creature { units, ..creature.clone() }.maker());
            let text = plan.describe();
            assert_eq!(plan.labels, source, "{text}");
            assert!((13..=19).contains(&plan.bodies.len()), "{text}");
            // By volume, not a person's 70 kg; a metre long whatever the units.
            assert!((5.0..60.0).contains(&plan.mass()), "{text}");
            assert!((0.9..1.9).contains(&plan.size.max_element()), "{text}");
        }
    }
}

#[test]
fn bind_space_units_and_influences_change_nothing() {
    let plain = plan(&Creature::human().maker());
    for creature in [
        Creature { z_up: true, ..Creature::human() },
        Creature { units: 100.0, ..Creature::human() },
        Creature { units: 100.0, z_up: true, ..Creature::human() },
        Creature { sets: 3, ..Creature::human() },
        Creature { quantized: true, units: 100.0, z_up: true, ..Creature::human() },
    ] {
        let other = plan(&creature.maker());
        human(&other, LabelSource::Names(15));
        assert_eq!(other.bodies.len(), plain.bodies.len());
        for (a, b) in plain.bodies.iter().zip(&other.bodies) {
            assert_eq!(a.desc.name, b.desc.name);
            assert!((a.desc.mass / b.desc.mass - 1.0).abs() < 0.08, "{}: {} {}", a.desc.name, a.desc.mass, b.desc.mass);
            assert!(a.desc.position.distance(b.desc.position) < 0.03, "{}", a.desc.name);
        }
    }
}

#[test]
fn robots_with_control_bones_become_one_tree() {
    let mut robot = Creature::human();
    // Feet and thighs hang on control bones of their own, as pole targets and IK goals do.
    robot.bone("root", "", [0.0, 0.0, 0.0], [0.0, 0.1, 0.0], 0.0);
    robot.pair("footIK.{}", "root", [0.09, 0.09, -0.03], [0.09, 0.1, 0.0], 0.0);
    robot.pair("PoleTarget.{}", "", [0.09, 0.5, 0.8], [0.09, 0.6, 0.8], 0.0);
    robot.pair("handslot.{}", "{}Hand", [0.86, 1.44, 0.0], [0.9, 1.44, 0.0], 0.0);
    let place = |bones: &[crate::gltf_maker::creature::Bone], name: &str| bones.iter().position(|b| b.name == name);
    for side in ["left", "right"] {
        let control = place(&robot.bones, &format!("footIK.{side}"));
        let foot = place(&robot.bones, &format!("{side}Foot")).unwrap();
        robot.bones[foot].parent = control;
        let thigh = place(&robot.bones, &format!("{side}UpperLeg")).unwrap();
        robot.bones[thigh].parent = place(&robot.bones, "root");
    }
    let plan = plan(&robot.maker());
    human(&plan, LabelSource::Names(13));
    for (parent, child) in [(Label::Pelvis, Label::Thigh), (Label::Shin, Label::Foot)] {
        let joint = plan.joints.iter().find(|j| plan.bodies[j.child].label == child).unwrap();
        assert_eq!(plan.bodies[joint.parent].label, parent, "{}", plan.describe());
    }
    assert!(plan.changes.iter().any(|c| c.contains("PoleTarget.left")), "{:?}", plan.changes);
}

#[test]
fn a_chibi_keeps_a_persons_masses() {
    let mut chibi = Creature::human();
    for bone in &mut chibi.bones {
        let squat = |p: [f64; 3]| [p[0], p[1].min(0.95) * 0.5 + (p[1] - 0.95).max(0.0), p[2]];
        (bone.from, bone.to) = (squat(bone.from), squat(bone.to));
        if bone.name == "head" {
            (bone.to[1], bone.thick) = (bone.from[1] + 0.6, Some(0.4));
        }
    }
    let plan = plan(&chibi.maker());
    human(&plan, LabelSource::Names(15));
    for joint in &plan.joints {
        let ratio = plan.bodies[joint.child].desc.mass / plan.bodies[joint.parent].desc.mass;
        assert!((0.12..8.1).contains(&ratio), "{ratio}");
    }
}

#[test]
fn physics_in_the_file_beats_guesses() {
    let creature = Creature::human();
    let node = |name: &str| 1 + creature.bones.iter().position(|b| b.name == name).unwrap();
    let mut maker = creature.maker();
    let motion = |mass: f64| json!({"motion": {"mass": mass}});
    let give = |maker: &mut Maker, name: &str, value: Value| {
        maker.json["nodes"][node(name)]["extensions"] = json!({"KHR_physics_rigid_bodies": value});
    };
    for (name, mass) in [("hips", 30.0), ("leftUpperLeg", 9.0), ("head", 0.0)] {
        give(&mut maker, name, motion(mass));
    }
    let mut shin = motion(4.0);
    shin["joint"] = json!({"connectedNode": node("leftUpperLeg"), "joint": 0});
    give(&mut maker, "leftLowerLeg", shin);
    let mut arm = motion(3.0);
    arm["joint"] = json!({"connectedNode": node("hips"), "joint": 1});
    give(&mut maker, "rightUpperArm", arm);
    let hinge = json!({"limits": [{"linearAxes": [0, 1, 2], "min": 0, "max": 0},
        {"angularAxes": [1, 2], "min": 0, "max": 0}, {"angularAxes": [0], "min": -2.0, "max": 0.1}]});
    let ball = json!({"limits": [{"angularAxes": [1], "min": -0.5, "max": 0.25}, {"angularAxes": [2], "min": -0.3, "max": 0.3}]});
    maker.json["extensions"] = json!({"KHR_physics_rigid_bodies": {"physicsJoints": [hinge, ball]}});
    maker.json["extensionsRequired"] = json!(["KHR_physics_rigid_bodies"]);
    let plan = plan(&maker);
    let text = plan.describe();
    assert_eq!(plan.bodies.len(), 5, "{text}");
    let find = |name: &str| plan.bodies.iter().position(|b| b.desc.name == name).unwrap();
    assert_eq!(plan.bodies[find("hips")].desc.mass, 30.0);
    assert_eq!(plan.bodies[find("leftLowerLeg")].desc.mass, 4.0);
    let joint = |name: &str| plan.joints.iter().find(|j| j.child == find(name)).unwrap();
    // The joint sits in the shin and turns the thigh; turned round, its range changes sign.
    let knee = joint("leftLowerLeg");
    assert_eq!((knee.parent, knee.limits), (find("leftUpperLeg"), Limits::Hinge { min: -0.1, max: 2.0 }), "{text}");
    let Limits::SwingTwist { swing_y, twist_max, .. } = joint("rightUpperArm").limits else { panic!("{text}") };
    assert!((swing_y - 0.375).abs() < 1e-5 && twist_max > 3.0, "{text}");
    maker.json["nodes"][node("head")]["extensions"]["KHR_physics_rigid_bodies"]["joint"] =
        json!({"connectedNode": 1, "joint": 7});
    let error = from_bytes(Path::new("rig.glb"), &maker.glb(), None).unwrap_err().to_string();
    assert!(error.contains("joint description 7"), "{error}");
}

#[test]
fn shapes_in_the_file_stand_around() {
    let creature = Creature { units: 100.0, ..Creature::human() };
    let hips = 1 + creature.bones.iter().position(|b| b.name == "hips").unwrap();
    let mut maker = creature.maker();
    let collider = |shape: usize| json!({"KHR_physics_rigid_bodies": {"collider": {"geometry": {"shape": shape}}}});
    // On a bone that is a body it is that body's, and not the world's.
    maker.json["nodes"][hips]["extensions"] = collider(0);
    maker.json["nodes"][hips]["extensions"]["KHR_physics_rigid_bodies"]["motion"] = json!({"mass": 3.0});
    for (shape, x) in [(0, 200.0), (1, -200.0), (2, 0.0), (3, 0.0)] {
        let node = maker.node(json!({"translation": [x, 50.0, 0.0], "extensions": collider(shape)}));
        maker.show(node);
    }
    let [cube, ball, drum, other] = [
        json!({"type": "box", "box": {"size": [100.0, 20.0, 40.0]}}),
        json!({"type": "sphere", "sphere": {"radius": 30.0}}),
        json!({"type": "cylinder", "cylinder": {"height": 100.0, "radiusTop": 20.0, "radiusBottom": 20.0}}),
        json!({"type": "torus", "torus": {"radius": 1.0}}),
    ];
    maker.json["extensions"] = json!({"KHR_implicit_shapes": {"shapes": [cube, ball, drum, other]}});
    let asset = from_bytes(Path::new("rig.glb"), &maker.glb(), None).unwrap();
    let [cube, ball, drum] = &asset.colliders[..] else { panic!("{:?}", asset.colliders) };
    let Shape::Cuboid(half) = cube.shape else { panic!("{cube:?}") };
    let unit = asset.model_from_world.x_axis.x;
    assert!(half.distance(Vec3::new(50.0, 10.0, 20.0) * unit) < 1e-4, "{half}");
    assert!(matches!(ball.shape, Shape::Sphere(r) if (r - 30.0 * unit).abs() < 1e-4));
    assert!((cube.position - ball.position).distance(Vec3::X * 400.0 * unit) < 1e-3);
    let Shape::Cylinder { radius, half_length } = drum.shape else { panic!("{drum:?}") };
    assert!((radius - 20.0 * unit).abs() < 1e-4 && (half_length - 50.0 * unit).abs() < 1e-4, "{drum:?}");
    assert!(asset.warnings.iter().any(|w| w.contains("a torus is none of")), "{:?}", asset.warnings);
    maker.json["extensions"]["KHR_implicit_shapes"]["shapes"][1]["sphere"]["radius"] = json!(-1);
    let error = from_bytes(Path::new("rig.glb"), &maker.glb(), None).unwrap_err().to_string();
    assert!(error.contains("shape 1") && error.contains("radius"), "{error}");
}

#[test]
fn limp_people_keep_human_ranges() {
    let plan = plan(&Creature::human().maker());
    let joint = |label, side| {
        let child = plan.bodies.iter().position(|b| b.label == label && b.side == side).unwrap();
        plan.joints.iter().find(|j| j.child == child).unwrap()
    };
    let hip = joint(Label::Thigh, Side::Left);
    assert_eq!(hip.kind, JointKind::Ball);
    assert!(hip.center.to_axis_angle().1 > 0.5, "a hip bends forward further than back");
    let spine = plan.joints.iter().filter(|j| matches!(plan.bodies[j.child].label, Label::Spine | Label::Chest));
    let bend: f32 = spine
        .map(|j| match j.limits {
            Limits::SwingTwist { swing_z, .. } => 2.0 * swing_z,
            _ => 0.0,
        })
        .sum();
    assert!((bend.to_degrees() - 95.0).abs() < 1.0, "{}", bend.to_degrees());
    assert!(plan.warnings.is_empty(), "{:?}", plan.warnings);
}

/// Checks that a person is the same with and without what `other` has beside it: parts, fineness, masses within `off`.
fn same_person(plain: &RagdollPlan, other: &RagdollPlan, off: f32) {
    let text = other.describe();
    let of_person = |body: &&PlannedBody| body.label != Label::Other;
    let radius = |plan: &RagdollPlan| plan.bodies.iter().map(|b| b.desc.radius).fold(0.0, f32::max);
    assert!((radius(other) / radius(plain) - 1.0).abs() < off, "{} m\n{text}", radius(other));
    assert_eq!(other.bodies.iter().filter(of_person).count(), plain.bodies.len(), "{text}");
    for body in &plain.bodies {
        let twin = other.bodies.iter().find(|b| (b.label, b.side) == (body.label, body.side));
        let ratio = twin.unwrap_or_else(|| panic!("no {}\n{text}", body.desc.name)).desc.mass / body.desc.mass;
        assert!((ratio - 1.0).abs() < off, "{} weighs {ratio} of what it should\n{text}", body.desc.name);
    }
}

#[test]
fn what_a_person_carries_makes_it_no_larger() {
    let plain = plan(&Creature::human().maker());
    let mut lancer = Creature::human();
    lancer.bone("Spear", "rightHand", [-0.85, 0.1, 0.0], [-0.85, 3.0, 0.0], 0.02);
    let mut hatter = Creature::human();
    hatter.bone("Hat", "head", [0.0, 1.70, 0.0], [0.0, 2.3, 0.0], 0.09);
    for creature in [lancer, hatter] {
        let asset = from_bytes(Path::new("rig.glb"), &creature.maker().glb(), None).unwrap();
        same_person(&plain, &build(&asset, &RagdollSettings::default()).unwrap(), 0.12);
    }
    // A head that is no skin, but a mesh on its joint, is as tall as one that is.
    let mut masked = Creature::human();
    let head = masked.bones.iter_mut().find(|bone| bone.name == "head").unwrap();
    let (from, thick) = (head.from, head.thick.take().unwrap());
    let mut maker = masked.maker();
    let bar = Bar { length: 0.19, width: 2.0 * thick, rings: 5, joints: 1 };
    let mesh = bar.add_mesh(&mut maker, F32);
    let attributes = maker.json["meshes"][mesh]["primitives"][0]["attributes"].as_object_mut().unwrap();
    attributes.retain(|name, _| name == "POSITION");
    let node = maker.node(json!({"mesh": mesh, "name": "mask"}));
    let joint = 1 + masked.bones.iter().position(|bone| bone.name == "head").unwrap();
    maker.json["nodes"][joint]["children"] = json!([node]);
    assert_eq!(from, [0.0, 1.53, 0.0]);
    let mass = plan(&maker).mass();
    assert!((mass / plain.mass() - 1.0).abs() < 0.02, "{mass} kg");
}

#[test]
fn who_sits_or_stretches_weighs_as_much_as_who_stands() {
    let plain = plan(&Creature::human().maker());
    let place = |creature: &mut Creature, name: &str, from: [f64; 3], to: [f64; 3]| {
        for (side, sign) in [("left", 1.0), ("right", -1.0)] {
            let bone = creature.bones.iter_mut().find(|bone| bone.name == format!("{side}{name}")).unwrap();
            (bone.from, bone.to) = (from, to);
            (bone.from[0], bone.to[0]) = (sign * from[0], sign * to[0]);
        }
    };
    let mut seated = Creature::human();
    place(&mut seated, "UpperLeg", [0.09, 0.90, 0.0], [0.09, 0.90, 0.38]);
    place(&mut seated, "LowerLeg", [0.09, 0.90, 0.41], [0.09, 0.53, 0.41]);
    place(&mut seated, "Foot", [0.09, 0.50, 0.38], [0.09, 0.45, 0.54]);
    place(&mut seated, "Toes", [0.09, 0.44, 0.54], [0.09, 0.44, 0.60]);
    let mut stretched = Creature::human();
    place(&mut stretched, "UpperArm", [0.17, 1.44, 0.0], [0.17, 1.70, 0.0]);
    place(&mut stretched, "LowerArm", [0.17, 1.72, 0.0], [0.17, 1.95, 0.0]);
    place(&mut stretched, "Hand", [0.17, 1.97, 0.0], [0.17, 2.12, 0.0]);
    for finger in ["IndexProximal", "MiddleProximal", "LittleProximal"] {
        place(&mut stretched, finger, [0.17, 2.08, 0.0], [0.17, 2.15, 0.0]);
    }
    for creature in [seated, stretched] {
        let plan = plan(&creature.maker());
        assert!((plan.mass() / plain.mass() - 1.0).abs() < 0.05, "{}", plan.describe());
    }
}

#[test]
fn a_shoulder_with_an_arm_in_it_is_an_arm() {
    let settings = RagdollSettings { spacing: 0.055, merge: 0.17, ..RagdollSettings::default() };
    let asset = from_bytes(Path::new("rig.glb"), &Creature::human().maker().glb(), None).unwrap();
    let plan = build(&asset, &settings).unwrap();
    let text = plan.describe();
    assert!(plan.changes.iter().any(|c| c.starts_with("merged leftUpperArm into leftShoulder")), "{text}");
    for side in [Side::Left, Side::Right] {
        let arm = plan.bodies.iter().position(|b| (b.label, b.side) == (Label::UpperArm, side)).unwrap();
        let shoulder = plan.joints.iter().find(|joint| joint.child == arm).unwrap();
        let Limits::SwingTwist { swing_y, swing_z, .. } = shoulder.limits else { panic!("{text}") };
        assert!(swing_y.max(swing_z) > 1.0, "{text}");
    }
}

#[test]
fn a_half_that_faces_inward_is_as_full_as_the_other() {
    let plain = plan(&Creature::human().maker());
    let mirrored = plan(&Creature { mirrored: true, ..Creature::human() }.maker());
    same_person(&plain, &mirrored, 0.02);
    for (a, b) in plain.bodies.iter().zip(&mirrored.bodies) {
        assert_eq!(a.desc.points.len(), b.desc.points.len(), "{}\n{}", a.desc.name, mirrored.describe());
    }
    assert!(mirrored.changes.iter().any(|c| c.contains("face inward")), "{:?}", mirrored.changes);
    assert!(!plain.changes.iter().any(|c| c.contains("face inward")), "{:?}", plain.changes);
}

#[test]
fn clothes_on_a_copy_of_the_skeleton_stay_on() {
    let plain = plan(&Creature::human().maker());
    let mut maker = Creature::human().maker();
    let mut jacket = Creature::human();
    let worn = ["hips", "spine", "chest", "leftUpperArm", "rightUpperArm", "leftUpperLeg", "rightUpperLeg"];
    for bone in &mut jacket.bones {
        bone.thick = bone.thick.filter(|_| worn.contains(&bone.name.as_str())).map(|thick| thick + 0.012);
    }
    jacket.renamed(|name| format!("{name}.001")).add_to(&mut maker);
    let asset = from_bytes(Path::new("rig.glb"), &maker.glb(), None).unwrap();
    assert!(
        asset.warnings.iter().any(|w| w.contains("`hips.001` is a copy of that of `hips`")),
        "{:?}",
        asset.warnings
    );
    let dressed = plan_of(&asset);
    human(&dressed, LabelSource::Names(15));
    assert_eq!(dressed.bodies.len(), plain.bodies.len(), "{}", dressed.describe());
    assert!(dressed.bodies.iter().all(|b| !b.desc.name.contains(".001")), "{}", dressed.describe());
    // Of two who stand apart neither is a copy.
    let mut maker = Creature::human().maker();
    let mut other = Creature::human().renamed(|name| format!("{name}.001"));
    other.bones.iter_mut().for_each(|bone| (bone.from[0], bone.to[0]) = (bone.from[0] + 3.0, bone.to[0] + 3.0));
    other.add_to(&mut maker);
    let asset = from_bytes(Path::new("rig.glb"), &maker.glb(), None).unwrap();
    assert!(!asset.warnings.iter().any(|w| w.contains("is a copy")), "{:?}", asset.warnings);
}

#[test]
fn eyes_on_a_skeleton_of_their_own_are_part_of_the_head() {
    let plain = plan(&Creature::human().maker());
    let mut maker = Creature::human().maker();
    let mut eyes = Creature::new();
    eyes.bone("EyeRig", "", [0.0, 1.6, 0.09], [0.0, 1.6, 0.1], 0.0);
    eyes.pair("{}Eye", "EyeRig", [0.04, 1.62, 0.09], [0.04, 1.62, 0.115], 0.02);
    eyes.add_to(&mut maker);
    let seeing = plan(&maker);
    assert_eq!(seeing.bodies.len(), plain.bodies.len(), "{}", seeing.describe());
    assert!(seeing.changes.iter().any(|c| c == "merged leftEye into head: by its name"), "{:?}", seeing.changes);
}
