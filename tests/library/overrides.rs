//! Ragdolls written to a file, edited, and read back.

use std::path::Path;

use crate::gltf_maker::creature::Creature;
use crate::gltf_maker::{Bar, F32, Maker};
use serde_json::json;
use sinew::import::{Asset, from_bytes};
use sinew::ragdoll::{Label, Overrides, RagdollError, RagdollPlan, RagdollSettings, build, build_with};
use sinew::scene::{JointKind, Limits};

fn asset() -> Asset {
    from_bytes(Path::new("rig.glb"), &Creature::human().maker().glb(), None).unwrap()
}

fn edited(asset: &Asset, text: &str) -> Result<RagdollPlan, RagdollError> {
    let overrides = Overrides::parse(Path::new("doll.ron"), text.to_owned())?;
    build_with(asset, &RagdollSettings::default(), &overrides)
}

fn refusal(text: &str) -> String {
    edited(&asset(), text).unwrap_err().to_string()
}

#[test]
fn who_has_no_bones_has_none_to_change() {
    let mut maker = Maker::new();
    let mesh = Bar { length: 1.0, width: 0.2, rings: 2, joints: 1 }.add_mesh(&mut maker, F32);
    let node = maker.node(json!({"mesh": mesh}));
    maker.show(node);
    let block = from_bytes(Path::new("block.glb"), &maker.glb(), None).unwrap();
    assert_eq!(edited(&block, "(bones: {})").unwrap().bodies.len(), 1);
    let told = edited(&block, "(bones: {\n\"arm\": Merge})").unwrap_err().to_string();
    assert!(told.contains("doll.ron:2: bone \"arm\"") && told.contains("no bones"), "{told}");
    let unread = Overrides::load(Path::new("no/doll.ron")).unwrap_err().to_string();
    assert!(unread.starts_with("no/doll.ron: cannot be read"), "{unread}");
}

#[test]
fn what_is_written_gives_the_same_ragdoll() {
    let asset = asset();
    let first = build(&asset, &RagdollSettings::default()).unwrap();
    let text = first.to_ron(&asset);
    let second = edited(&asset, &text).unwrap();
    assert_eq!(second.to_ron(&asset), text);
    assert_eq!(first.bodies.len(), second.bodies.len());
    for (a, b) in first.bodies.iter().zip(&second.bodies) {
        assert_eq!((&a.desc.name, a.desc.mass, &a.desc.points), (&b.desc.name, b.desc.mass, &b.desc.points));
    }
    for (a, b) in first.joints.iter().zip(&second.joints) {
        assert_eq!((a.kind, a.parent, a.child), (b.kind, b.parent, b.child));
        // The file has a thousandth of a degree.
        let apart = |p: Limits, q: Limits| match (p, q) {
            (Limits::Hinge { min, max }, Limits::Hinge { min: least, max: most }) => {
                (min - least).abs() + (max - most).abs()
            }
            (Limits::SwingTwist { swing_y: y, swing_z: z, .. }, Limits::SwingTwist { swing_y, swing_z, .. }) => {
                (y - swing_y).abs() + (z - swing_z).abs()
            }
            _ => f32::from(u8::from(p != q)),
        };
        assert!(apart(a.limits, b.limits) < 6e-5, "{:?} {:?}", a.limits, b.limits);
        assert!(a.center.angle_between(b.center) < 1e-3 && a.axis.distance(b.axis) < 3e-6);
    }
}

#[test]
fn bones_are_kept_merged_weighed_and_joined_as_told() {
    let asset = asset();
    let plan = edited(
        &asset,
        r#"( // a comment
            bones: {
                "neck": Keep(mass: 2.5, joint: Ball(forward: (-10, 60), side: (-5.0, 5.0), twist: (-7, 7))),
                "leftHand": Merge,
                "leftLowerLeg": Keep(joint: Ball(forward: (0, 90), side: (-10, 10), twist: (-3, 3))),
                "head": Keep(joint: Stiff),
                "rightHand": Keep(joint: Hinge(range: (-30, 50), axis: (0, 0, 2))),
                "leftFoot": Keep(joint: Universal(forward: 40, side: 12)),
            },
        )"#,
    )
    .unwrap();
    let find = |name: &str| plan.bodies.iter().position(|b| b.desc.name == name);
    let joint = |name: &str| plan.joints.iter().find(|j| Some(j.child) == find(name)).unwrap();
    assert!(find("leftHand").is_none() && find("rightHand").is_some());
    let neck = joint("neck");
    assert_eq!((plan.bodies[neck.child].label, plan.bodies[neck.child].desc.mass), (Label::Neck, 2.5));
    let Limits::SwingTwist { swing_z, twist_max, .. } = neck.limits else { panic!("{:?}", neck.limits) };
    assert!((swing_z.to_degrees() - 35.0).abs() < 0.1 && (twist_max.to_degrees() - 7.0).abs() < 0.1);
    assert!((neck.center.to_scaled_axis().z.to_degrees() - 25.0).abs() < 0.1);
    assert_eq!((joint("head").kind, joint("leftLowerLeg").kind), (JointKind::Stiff, JointKind::Ball));
    let ankle = joint("leftFoot");
    let Limits::SwingTwist { swing_y, swing_z, twist_min, twist_max } = ankle.limits else {
        panic!("{:?}", ankle.limits)
    };
    assert_eq!((ankle.kind, twist_min, twist_max), (JointKind::Universal, 0.0, 0.0));
    assert!((swing_y.to_degrees() - 12.0).abs() < 0.1 && (swing_z.to_degrees() - 40.0).abs() < 0.1);
    let text = plan.to_ron(&asset);
    assert!(text.contains("Universal(forward: 40, side: 12)"), "{text}");
    assert_eq!(edited(&asset, &text).unwrap().to_ron(&asset), text);
    let wrist = joint("rightHand");
    assert!(wrist.kind == JointKind::Hinge && wrist.axis.z > 0.999, "{:?}", wrist.axis);
    assert!(matches!(wrist.limits, Limits::Hinge { max, .. } if (max.to_degrees() - 50.0).abs() < 0.1));
}

#[test]
fn mistakes_name_the_file_the_line_and_the_bone() {
    for (text, parts) in [
        ("(\n bones: {\n  \"leftHnd\": Merge,\n },\n)", ["doll.ron:3:", "leftHnd", "did you mean \"leftHand\""]),
        ("(\n bones: {\n  \"head\": Keep(mas: 3),\n },\n)", ["doll.ron:3:", "mas", "inspect"]),
        ("(\n bones: {\n  \"hips\": Keep(joint: Stiff),\n },\n)", ["doll.ron:3:", "\"hips\"", "remove `joint`"]),
        ("(bones: {\"head\": Merge, \"head\": Keep()})", ["doll.ron:1:", "\"head\"", "twice"]),
        ("(\n bones: {\n  \"head\": Keep(mass: -3),\n },\n)", ["doll.ron:3:", "\"head\"", "above 0"]),
        (
            "(bones: {\"head\": Keep(joint: Ball(forward: (9, 1), side: (0, 0), twist: (0, 0)))})",
            [":1:", "forward", "lesser"],
        ),
        ("(bones: {\"head\": Keep(joint: Hinge(range: (0, 999)))})", [":1:", "range", "-180 to 180"]),
        ("(bones: {\"head\": Keep(joint: Universal(forward: 0, side: 9))})", [":1:", "forward", "1 to 170"]),
        ("(\n bones: {\n  \"head: Merge,\n },\n)\n\": Merge})", [":3:", "head: merge,\\n },", "no such bone"]),
        ("(bones: {\"head\": Explode})", [":1:", "Explode", "Keep"]),
        ("", ["doll.ron", "is empty", "inspect"]),
        ("[]", ["doll.ron:1:", "parenthesis", "inspect"]),
    ] {
        let error = refusal(text);
        assert!(parts.iter().all(|p| error.to_lowercase().contains(&p.to_lowercase())), "{text}\n{error}");
        assert!(!error.contains('\n'), "{error}");
    }
    assert!(Overrides::load(Path::new("no/such.ron")).unwrap_err().to_string().contains("no/such.ron"));
}

/// As a rig gives one whose clips turn a joint far to one side.
#[test]
fn ranges_far_to_one_side_and_narrow_ones_are_read_as_they_are() {
    let asset = asset();
    for (forward, side) in [((-66.1, 182.9), (-171.0, 171.0)), ((-2.0, 3.0), (-1.0, 1.0)), ((30.0, 34.0), (-5.0, 5.0))]
    {
        let text =
            format!("(bones: {{\"head\": Keep(joint: Ball(forward: {forward:?}, side: {side:?}, twist: (-3, 2)))}})");
        let plan = edited(&asset, &text).unwrap();
        let head = plan.bodies.iter().position(|b| b.desc.name == "head").unwrap();
        let joint = plan.joints.iter().find(|j| j.child == head).unwrap();
        let Limits::SwingTwist { swing_y, swing_z, .. } = joint.limits else { panic!("{:?}", joint.limits) };
        for ((low, high), half) in [(forward, swing_z), (side, swing_y)] {
            let wanted = 0.5_f32 * (high - low);
            assert!((half.to_degrees() - wanted).abs() < 0.01, "{wanted}° became {}°", half.to_degrees());
        }
        let written = plan.to_ron(&asset);
        assert_eq!(edited(&asset, &written).unwrap().to_ron(&asset), written);
    }
}
