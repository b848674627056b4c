//! The panel is used as a player does: by what its controls are called.

use egui::accesskit::Role;
use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use glam::Vec3;

use super::*;
use crate::app::deed::Deed;
use crate::app::select::Edit;
use crate::render::Quality;
use crate::scene::{BodyId, ColliderId, DeformableId, Limits, Surface, Thing};

struct Shown {
    panel: Panel,
    world: World,
    speed: f64,
    actions: Vec<Action>,
}

/// The panel over a demo, high enough that nothing is scrolled.
fn shown(target: &str) -> Harness<'static, Shown> {
    let context = Context::shared().expect("adapter");
    let drawn = (wgpu::TextureFormat::Rgba8Unorm, Quality::Low);
    let world = World::open(&context, target, Vec::new(), &[], drawn).unwrap();
    let state = Shown { panel: Panel::new(&Settings::default()), world, speed: 1.0, actions: Vec::new() };
    let ui = |ui: &mut Ui, shown: &mut Shown| {
        let Shown { panel, world, speed, actions } = shown;
        let facts = Facts { pace: Pace::default(), paused: false, filming: false, rides: false, adapter: "test" };
        actions.extend(panel.show(ui, world, speed, &facts));
    };
    let mut harness = Harness::builder().with_size((400.0, 3000.0)).build_ui_state(ui, state);
    harness.run_steps(3);
    harness
}

fn asked(harness: &mut Harness<'static, Shown>) -> Vec<Action> {
    harness.run_steps(3);
    std::mem::take(&mut harness.state_mut().actions)
}

/// A file with what the sliders do not reach.
fn extreme() -> std::path::PathBuf {
    let path = std::env::temp_dir().join(format!("sinew-extreme-{}.ron", std::process::id()));
    let text = r#"(items: [
        Ground(friction: 3),
        Body(name: "heavy", mass: 300000, friction: 3, gravity_scale: -12, linear_damping: 200, angular_damping: 300, position: (0, 1, 0)),
        Body(name: "light", mass: 0.0002, friction: 2.123456, position: (2, 1, 0)),
        Joint(kind: Hinge, a: "heavy", b: "light", position: (1, 1, 0), friction: 20000, damping: 200),
    ])"#;
    std::fs::write(&path, text).unwrap();
    path
}

#[test]
fn who_looks_at_what_is_beyond_the_sliders_changes_nothing() {
    let path = extreme();
    let mut harness = shown(path.to_str().unwrap());
    for thing in [Thing::Body(BodyId(0)), Thing::Body(BodyId(1)), Thing::Collider(ColliderId(0))] {
        harness.state_mut().world.select(Some((thing, Vec3::ZERO)));
        assert_eq!(asked(&mut harness), [], "{thing:?}");
    }
    std::fs::remove_file(path).unwrap();
}

#[test]
fn nothing_in_the_panel_is_wider_than_it() {
    let mut harness = shown("dancer");
    harness.state_mut().world.select(Some((Thing::Body(BodyId(7)), Vec3::ZERO)));
    harness.run_steps(3);
    for group in ["World", "Contact", "Damping and sleep", "Step", "Explosion", "Throw a ball", "Camera path", "Plots"]
    {
        harness.get_by_label(group).click();
        harness.run_steps(3);
    }
    let (mut looked_at, mut widest) = (0, 0.0_f32);
    let gravity = harness.get_by_role_and_label(Role::SpinButton, "gravity z").rect();
    for role in [Role::SpinButton, Role::Slider, Role::ComboBox, Role::Button] {
        for node in harness.get_all_by_role(role) {
            let right = node.rect().right();
            widest = widest.max(right);
            assert!(right <= WIDTH - 2.0, "{:?} {:?} ends at {right}", role, node.accesskit_node().label());
            looked_at += 1;
        }
    }
    println!("{looked_at} controls end at {widest} of {WIDTH}; gravity at {}", gravity.right());
    assert!(looked_at > 60, "{looked_at}");
}

#[test]
fn plots_have_the_times_of_passes_though_timings_are_closed() {
    let context = Context::shared().expect("adapter");
    let mut harness = shown("tower");
    harness.get_by_label("Plots").click();
    for _ in 0..30 {
        harness.state_mut().world.step(&context).unwrap();
        context.wait().unwrap();
        harness.run_steps(1);
    }
    let passes = &harness.state().panel.plots.passes;
    let keeps_times = context.device.features().contains(wgpu::Features::TIMESTAMP_QUERY);
    println!("plotted: {passes:?}");
    assert_eq!(!passes.is_empty(), keeps_times);
}

#[test]
fn buttons_and_the_list_of_demos_ask_for_what_they_say() {
    let mut harness = shown("tower");
    for (tool, name, _) in TOOLS {
        harness.get_by_role_and_label(Role::Button, name).click();
        assert_eq!(asked(&mut harness), [Action::Tool(*tool)], "{name}");
    }
    let search = || Role::TextInput;
    harness.get_by_role(search()).focus();
    harness.run_steps(2);
    harness.get_by_role(search()).type_text("honey");
    harness.run_steps(3);
    assert!(harness.query_by_label_contains("bodies are dragged").is_none());
    let rows = harness.get_all_by_label_contains("honey runs down a ball");
    rows.into_iter().next().unwrap().click();
    assert_eq!(asked(&mut harness), [Action::Open("honey".into())]);
    harness.get_by_role(search()).focus();
    harness.run_steps(2);
    harness.key_press(egui::Key::Enter);
    assert_eq!(asked(&mut harness), [Action::Open("honey".into())], "the first that is listed");
    assert!(!harness.ctx.text_edit_focused(), "keys are commands again");
    harness.get_by_label("contacts").click();
    harness.get_by_label("grid").click();
    harness.run_steps(3);
    let draw = harness.state().panel.draw;
    assert!(draw.contacts && !draw.grid);
    harness.get_by_label("save").click();
    assert_eq!(asked(&mut harness), [Action::Save]);
}

/// What a control asks for that is given another number.
fn given(harness: &mut Harness<'static, Shown>, role: Role, label: &str, value: f64) -> Vec<Action> {
    harness.get_by_role_and_label(role, label).set_value_accesskit(value);
    asked(harness)
}

#[test]
fn the_joint_that_is_looked_at_tells_what_it_carries() {
    let context = Context::shared().expect("adapter");
    let path = std::env::temp_dir().join(format!("sinew-hanging-{}.ron", std::process::id()));
    let text = r#"(items: [
        Body(name: "hook", kinematic: true, position: (0, 3, 0)),
        Body(name: "load", mass: 2, position: (0, 2, 0)),
        Joint(kind: Ball, a: "hook", b: "load", position: (0, 2.5, 0)),
    ])"#;
    std::fs::write(&path, text).unwrap();
    let mut harness = shown(path.to_str().unwrap());
    harness.state_mut().world.select(Some((Thing::Body(BodyId(1)), Vec3::ZERO)));
    harness.run_steps(2);
    assert!(harness.query_by_label_contains("carries").is_none(), "nothing is known yet");
    (0..30).for_each(|_| harness.state_mut().world.step(&context).unwrap());
    harness.run_steps(2);
    harness.get_by_label("carries 19.6 N, 0.0 N m");
    std::fs::remove_file(&path).unwrap();
}

#[test]
fn the_demo_that_runs_is_in_sight() {
    let harness = shown("lighthouse");
    let row = harness.get_by_label_contains("lighthouse\n").rect();
    let (list, after) = (harness.get_by_label("Demos").rect(), harness.get_by_label("Tools").rect());
    assert!(row.top() > list.bottom() && row.bottom() < after.top(), "{row:?} from {list:?} to {after:?}");
}

#[test]
fn what_is_selected_is_changed() {
    let mut harness = shown("tower");
    let body = BodyId(1);
    harness.state_mut().world.select(Some((Thing::Body(body), Vec3::ZERO)));
    harness.run_steps(2);
    assert_eq!(given(&mut harness, Role::SpinButton, "mass", 3.0), [Action::Edit(Edit::Mass(body, 3.0))]);
    let floats = given(&mut harness, Role::SpinButton, "gravity", -1.0);
    assert!(matches!(&floats[..], [Action::Edit(Edit::Dynamics(id, d))] if *id == body && d.gravity_scale == -1.0));
    let rough = given(&mut harness, Role::Slider, "friction", 1.5);
    let is_rough = |s: &Surface| (s.friction - 1.5).abs() < 1e-6;
    assert!(
        matches!(&rough[..], [Action::Edit(Edit::Surface(Thing::Body(id), s))] if *id == body && is_rough(s)),
        "{rough:?}"
    );
    harness.state_mut().world.select(Some((Thing::Collider(ColliderId(0)), Vec3::ZERO)));
    harness.run_steps(2);
    harness.get_by_label("in the world").click();
    let hide = Edit::Present(ColliderId(0), false);
    assert_eq!(asked(&mut harness), [Action::Edit(hide)]);
    let context = Context::shared().expect("adapter");
    harness.state_mut().world.apply(&context, &Deed::Edit(hide)).unwrap();
    harness.step();
    assert_eq!(std::mem::take(&mut harness.state_mut().actions), [Action::LetGo], "nobody holds a slider");
}

#[test]
fn the_help_fits_a_small_window_and_grows_with_it() {
    let context = egui::Context::default();
    for (size, left) in [([480.0, 320.0], 0.0), ([960.0, 640.0], WIDTH), ([1280.0, 800.0], WIDTH)] {
        let size = egui::Vec2::from(size);
        let screen = egui::Rect::from_min_size(egui::Pos2::ZERO, size);
        let mut shown = egui::Rect::NOTHING;
        for _ in 0..3 {
            let input = egui::RawInput { screen_rect: Some(screen), ..Default::default() };
            context.run_ui(input, |ui| shown = help::show(ui.ctx(), WIDTH)).drop_without_applying_deltas();
        }
        assert!(screen.contains_rect(shown) && shown.height() > 0.8 * size.y.min(700.0), "{shown:?}");
        assert!(shown.left() > left, "{shown:?}");
    }
}

#[test]
fn joints_and_cloth_of_a_dancer_are_changed_and_taken_back() {
    let context = Context::shared().expect("adapter");
    let mut harness = shown("dancer");
    let joint = 3;
    let child = harness.state().world.solver.scene().joints[joint].desc.b;
    harness.state_mut().world.select(Some((Thing::Body(child), Vec3::ZERO)));
    harness.run_steps(2);
    let before = harness.state().world.solver.scene().joints[joint].desc.limits;
    let (label, range) = match before {
        Limits::Hinge { .. } => ("to", 40.0),
        _ => ("twist to", 12.0),
    };
    let asked_for = given(&mut harness, Role::SpinButton, label, range);
    let [Action::Edit(edit)] = asked_for[..] else { panic!("{asked_for:?}") };
    assert!(matches!(edit, Edit::Limits(index, _) if index.0 as usize == joint), "{edit:?}");
    let world = &mut harness.state_mut().world;
    world.apply(&context, &Deed::Edit(edit)).unwrap();
    let changed = world.solver.scene().joints[joint].desc.limits;
    assert_ne!(changed, before);
    assert_eq!(world.scene.joints[joint].desc.limits, changed, "what is added to has it too");
    let text = world.ragdoll_text().unwrap();
    crate::ragdoll::Overrides::parse(std::path::Path::new("x.ron"), text.clone()).unwrap();
    assert!(text.contains(&format!("{range})")), "{range} is not in\n{text}");
    world.apply(&context, &Deed::Undo).unwrap();
    assert_eq!(world.solver.scene().joints[joint].desc.limits, before);

    harness.get_by_label("limp limb").click();
    assert_eq!(asked(&mut harness), [Action::Loosen(child)]);
    let world = &mut harness.state_mut().world;
    world.apply(&context, &Deed::Loosen(child)).unwrap();
    assert!(world.cast.performers[0].loose().iter().filter(|loose| **loose).count() >= 1);
    assert!(world.apply(&context, &Deed::Loosen(BodyId(9999))).is_err());
    harness.get_by_label("go limp alone").click();
    assert_eq!(asked(&mut harness), [Action::LimpOf(child)]);
    let world = &mut harness.state_mut().world;
    for limp in [true, false] {
        world.apply(&context, &Deed::LimpOf(child)).unwrap();
        assert_eq!(world.cast.performers[0].is_limp(), limp);
    }
    assert!(world.apply(&context, &Deed::LimpOf(BodyId(9999))).is_err());
    assert!(world.apply(&context, &Deed::ClipOf(child, 99)).is_err());
    world.apply(&context, &Deed::ClipOf(child, 1)).unwrap();
    assert_eq!(world.cast.performers[0].clip(), Some(1));
    drive(&context, &mut harness, child);

    harness.state_mut().world.select(Some((Thing::Deformable(DeformableId(0)), Vec3::ZERO)));
    harness.run_steps(2);
    let asked_for = given(&mut harness, Role::Slider, "stretch", 10.0);
    let [Action::Edit(edit @ Edit::Compliance(..))] = asked_for[..] else { panic!("{asked_for:?}") };
    let world = &mut harness.state_mut().world;
    world.apply(&context, &Deed::Edit(edit)).unwrap();
    (0..3).for_each(|_| world.step(&context).unwrap());
    world.apply(&context, &Deed::Undo).unwrap();
    assert!(world.apply(&context, &Deed::Undo).is_err(), "nothing else was edited");
    assert!(world.solver.read_health().unwrap().is_good());
}

/// A limb of who moves by muscles is made weaker, and as strong as the others again.
fn drive(context: &Context, harness: &mut Harness<'static, Shown>, child: BodyId) {
    let world = &mut harness.state_mut().world;
    world.apply(context, &Deed::Drive(Some(1.0))).unwrap();
    harness.run_steps(2);
    assert!(!given(harness, Role::Slider, "strength", 0.25).is_empty());
    let world = &mut harness.state_mut().world;
    world.apply(context, &Deed::DriveLimb(child, 0.25)).unwrap();
    assert!(world.apply(context, &Deed::DriveLimb(child, 2.0)).is_err());
    let shown = |harness: &mut Harness<'static, Shown>| {
        harness.run_steps(2);
        let slider = harness.get_by_role_and_label(Role::Slider, "strength");
        slider.accesskit_node().numeric_value()
    };
    assert_eq!(shown(harness), Some(0.25));
    harness.state_mut().world.apply(context, &Deed::Drive(Some(0.75))).unwrap();
    assert_eq!(shown(harness), Some(0.75), "it is as strong as the others again");
}

#[test]
fn the_ragdoll_of_a_scene_file_is_written_as_its_own_file_has_it() {
    let folder = std::env::temp_dir().join(format!("sinew-ragdoll-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let [model, changes, scene] = ["a.glb", "a.ron", "scene.ron"].map(|name| folder.join(name));
    std::fs::copy(concat!(env!("CARGO_MANIFEST_DIR"), "/assets/dancer.glb"), &model).unwrap();
    let merged =
        "(bones: {\"leftHand\": Merge, \"head\": Keep(mass: 6.0, joint: Hinge(range: (-10, 20), axis: (0, 0, 1)))})";
    std::fs::write(&changes, merged).unwrap();
    std::fs::write(&scene, "(items: [Character(model: \"a.glb\", ragdoll: \"a.ron\")])").unwrap();
    let made = crate::spawn::Character::from_file(&model, None, Some(&changes)).unwrap();
    let drawn = (wgpu::TextureFormat::Rgba8Unorm, Quality::Low);
    let context = Context::shared().expect("adapter");
    let world = World::open(&context, scene.to_str().unwrap(), Vec::new(), &[], drawn).unwrap();
    std::fs::remove_dir_all(&folder).unwrap();
    assert_eq!(world.ragdoll_text().unwrap(), made.plan().to_ron(made.rig().unwrap().asset()));
}

#[test]
fn colliders_are_moved_made_larger_and_put_back() {
    let context = Context::shared().expect("adapter");
    let drawn = (wgpu::TextureFormat::Rgba8Unorm, Quality::Low);
    let mut world = World::open(&context, "honey", Vec::new(), &[], drawn).unwrap();
    (0..10).for_each(|_| world.step(&context).unwrap());
    let is_ball = |collider: &crate::scene::Collider| matches!(collider.shape, crate::scene::Shape::Sphere(_));
    let index = world.solver.scene().colliders.iter().position(is_ball).expect("a ball");
    let id = ColliderId(index as u32);
    let before = world.solver.scene().colliders[index].clone();
    let at = before.position + Vec3::new(0.02, 0.01, 0.0);
    world.apply(&context, &Deed::Edit(Edit::put(id, at, before.rotation))).unwrap();
    world.apply(&context, &Deed::Edit(Edit::Scale(id, 1.5))).unwrap();
    let now = world.solver.scene().colliders[index].clone();
    assert_eq!(now.position, at);
    assert_ne!(now.shape, before.shape);
    (0..5).for_each(|_| world.step(&context).unwrap());
    world.apply(&context, &Deed::Undo).unwrap();
    world.apply(&context, &Deed::Undo).unwrap();
    let back = &world.solver.scene().colliders[index];
    assert_eq!(back.position, before.position);
    (0..5).for_each(|_| world.step(&context).unwrap());
    assert!(world.solver.read_health().unwrap().is_good());
    let refused = world.apply(&context, &Deed::Edit(Edit::Scale(id, f32::NAN))).unwrap_err().to_string();
    assert!(refused.contains("NaN"), "{refused}");
}

/// Prints what a frame of the panel takes, everything open.
#[test]
#[ignore = "a measurement"]
fn the_panel_is_cheap() {
    let mut harness = shown("dancer");
    for name in ["Timings", "Counts", "Plots"] {
        harness.get_by_label(name).click();
        harness.run_steps(8);
    }
    let begun = Instant::now();
    harness.run_steps(200);
    println!("a frame of the panel takes {:.2} ms", begun.elapsed().as_secs_f64() * 1e3 / 200.0);
}
