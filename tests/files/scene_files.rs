//! Scene files: what demos export comes back to the bit, what people write is built, and mistakes are told with their place.

use std::path::Path;

use glam::Vec3;
use sinew::demos::{DEMOS, Stage, stage_for};
use sinew::gpu::Context;
use sinew::report::state_hash;
use sinew::scene::{Limits, Motor, Scene, Shape, Thing, Travel};
use sinew::scene_file::{SceneFile, to_ron};
use sinew::solver::Solver;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn file(text: &str) -> SceneFile {
    SceneFile::parse(Path::new("scene.ron"), text.to_owned(), &root().join("assets"))
}

fn scene(text: &str) -> Scene {
    file(text).stage().unwrap_or_else(|error| panic!("{error}")).scene
}

/// Bits of a stage after so many frames.
fn bits(context: &Context, stage: &Stage, frames: u32) -> u64 {
    let mut cast = stage.cast.clone();
    let mut solver = Solver::new(context, &stage.scene).unwrap();
    for _ in 0..frames {
        cast.knock_down(&solver.take_struck());
        solver.follow(&cast.advance(stage.scene.params.dt)).unwrap();
        solver.step();
    }
    let health = solver.read_health().unwrap();
    assert!(health.is_good(), "{health:?}");
    state_hash(&solver.read_bodies().unwrap(), &solver.read_particles().unwrap())
}

/// Settings that make a demo small.
fn small(demo: &str) -> Vec<(String, String)> {
    let words = match demo {
        "s2" => "side=20",
        "dam" => "count=2000",
        "pairs" | "ragdolls" => "count=4",
        "flood" | "bath" | "dancer" | "cape" => "",
        _ => "",
    };
    let known = |key: &str| DEMOS.iter().any(|d| d.name == demo && d.options.iter().any(|o| o.name == key));
    let sets = words.split_whitespace().filter_map(|word| word.split_once('='));
    sets.filter(|(key, _)| known(key)).map(|(key, value)| (key.to_owned(), value.to_owned())).collect()
}

#[test]
fn shapes_are_made_as_they_are_written() {
    let picture = std::env::temp_dir().join(format!("sinew-heights-{}.png", std::process::id()));
    image::GrayImage::from_fn(5, 3, |x, _| image::Luma([51 * x as u8])).save(&picture).unwrap();
    let text = format!(
        "(items: [
            Collider(shape: Heightfield(picture: {picture:?}, spacing: 0.5, height: 10)),
            Collider(shape: Cylinder(radius: 0.3, length: 1), one_way: (0, 1, 0), surface_velocity: (0, 0, 2)),
            Collider(shape: Compound([(shape: Sphere(0.2)), (shape: Box(1, 1, 1), position: (2, 0, 0))])),
            Body(shape: Cylinder(radius: 0.2, length: 0.5), mass: 3),
            Body(shape: Hull([(0, 0, 0), (0.6, 0, 0), (0, 0.6, 0), (0, 0, 0.6)]), position: (0, 1, 0)),
            Body(shape: Compound([
                (shape: Box(0.2, 0.2, 0.2), density: 3000),
                (shape: Box(0.2, 0.2, 0.2), position: (0.4, 0, 0)),
            ]), position: (5, 0, 0)),
            Body(shape: Compound([
                (shape: Box(0.2, 0.2, 0.2), density: 500),
                (shape: Compound([(shape: Box(0.2, 0.2, 0.2))]), position: (0.4, 0, 0)),
            ]), density: 200),
        ])"
    );
    let scene = scene(&text);
    std::fs::remove_file(&picture).unwrap();
    let [ground, drum, pair] = &scene.colliders[..] else { panic!("{:?}", scene.colliders) };
    let Shape::Heightfield(field) = &ground.shape else { panic!("{ground:?}") };
    assert!(field.size == [5, 3] && field.spacing == 0.5 && field.heights[..5] == [0.0, 2.0, 4.0, 6.0, 8.0]);
    assert!(drum.shape == Shape::Cylinder { radius: 0.3, half_length: 0.5 } && drum.one_way == Some(Vec3::Y));
    assert_eq!(drum.surface_velocity, 2.0 * Vec3::Z);
    assert!((pair.shape.distance(Vec3::new(1.0, 0.0, 0.0)) - 0.5).abs() < 1e-6);
    let [roll, hull, both, light] = &scene.bodies[..] else { panic!("{:?}", scene.bodies) };
    assert!((roll.mass - 3.0).abs() < 1e-6 && (roll.inertia.y_axis.y - 0.06).abs() < 1e-6);
    // Where its points are: its center is a quarter of the way to each corner.
    assert!(hull.position.distance(Vec3::new(0.15, 1.15, 0.15)) < 1e-5 && (hull.mass - 36.0).abs() < 1e-3);
    assert!(both.position.distance(Vec3::new(5.1, 0.0, 0.0)) < 1e-5 && (both.mass - 32.0).abs() < 1e-3);
    assert!((light.mass - 5.6).abs() < 1e-3, "what has no density has that of the body: {} kg", light.mass);
    for (text, word) in [
        ("(items: [Body(shape: Hull([(0, 0, 0), (1, 0, 0), (0, 1, 0), (1, 1, 0)]))])", "above 0"),
        ("(items: [Collider(shape: Hull([(0, 0, 0), (1, 0, 0), (0, 1, 0), (1, 1, 0)]))])", "plane"),
        ("(items: [Collider(shape: Compound([(shape: Plane)]))])", "piece"),
        ("(items: [Body(shape: Compound([]))])", "parts"),
        ("(items: [Body(shape: Heightfield(picture: \"x.png\", spacing: 1, height: 1))])", "heightfield"),
        ("(items: [Collider(shape: Heightfield(picture: \"none.png\", spacing: 1, height: 1))])", "none.png"),
        ("(items: [Collider(one_way: (0, 0, 0))])", "one-way"),
    ] {
        let error = file(text).stage().unwrap_err().to_string();
        assert!(error.contains(word), "{text}: {error}");
    }
}

#[test]
fn pools_come_along() {
    let mut pooled = Stage::default();
    let pool = pooled.scene.add_pool(&scene("(items: [Body()])"), 2).unwrap();
    let text = to_ron(&pooled, "pool").unwrap();
    let again = file(&text).stage().unwrap();
    assert!(to_ron(&again, "pool").unwrap() == text);
    let mut solver = Solver::new(&Context::shared().unwrap(), &again.scene).unwrap();
    assert_eq!(solver.room_in(pool), Ok(2));
    solver.spawn_from(pool, glam::Vec3::Y.into(), glam::Vec3::ZERO).unwrap();
    assert!(!solver.scene().bodies[0].removed);
}

#[test]
fn every_demo_comes_back_word_by_word() {
    for demo in DEMOS {
        let stage = stage_for(demo.name, &small(demo.name)).unwrap();
        let text = to_ron(&stage, demo.name).unwrap();
        let again = file(&text).stage().unwrap_or_else(|error| panic!("{}: {error}", demo.name));
        assert!(to_ron(&again, demo.name).unwrap() == text, "{}: another scene came back", demo.name);
        assert_eq!(again.scene.instances.len(), stage.scene.instances.len(), "{}", demo.name);
        assert_eq!(again.scene.surfaces.len(), stage.scene.surfaces.len(), "{}", demo.name);
        assert_eq!(again.cast.performers.len(), stage.cast.performers.len(), "{}", demo.name);
    }
}

#[test]
fn a_demo_and_its_file_run_with_the_same_bits() {
    let context = Context::shared().unwrap();
    let sets = |words: &str| -> Vec<(String, String)> {
        words.split_whitespace().filter_map(|w| w.split_once('=')).map(|(k, v)| (k.into(), v.into())).collect()
    };
    let demos = [
        ("joints", ""),
        ("curtain", "rings=4 fine=5 tear=0.6"),
        ("fountain", ""),
        ("balloons", ""),
        ("dancer", "count=4"),
        ("pile", "count=6"),
        ("pairs", "count=6"),
        ("flag", "fine=16"),
        ("dam", "count=800"),
        ("ropes", ""),
        ("sand", "count=500"),
        ("beam", ""),
    ];
    let count = if crate::effort::is_long() { demos.len() } else { 6 };
    for (demo, words) in demos.into_iter().take(count) {
        let known = DEMOS.iter().find(|d| d.name == demo).unwrap().options;
        let sets: Vec<_> = sets(words).into_iter().filter(|(key, _)| known.iter().any(|o| o.name == key)).collect();
        let stage = stage_for(demo, &sets).unwrap();
        let again = file(&to_ron(&stage, demo).unwrap()).stage().unwrap();
        assert_eq!(bits(&context, &stage, 4), bits(&context, &again, 4), "{demo}");
    }
}

#[test]
fn the_examples_run() {
    let context = Context::shared().unwrap();
    let mut count = 0;
    for entry in std::fs::read_dir(root().join("assets/scenes")).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|end| end == "ron") {
            let stage = SceneFile::load(&path).unwrap().stage().unwrap_or_else(|error| panic!("{error}"));
            bits(&context, &stage, 3);
            count += 1;
        }
    }
    assert!(count >= 3, "{count} examples");
}

/// One of every kind of item.
const ALL: &str = r##"
(
    params: (substeps: 4, wind_x: 2.0, partition: "colors"),
    view: (eye: (1, 2, 3), target: (0, 1, 0)),
    items: [
        Ground(height: -0.5, friction: 0.9),
        Pit(half: 4, height: 1),
        Tank(low: (10, 0, 10), high: (11, 1, 11)),
        Group(position: (20, 0, 0), rotation: (0, 90, 0), items: [Bowl(radius: 1, length: 0.5)]),
        Collider(name: "wall", shape: Capsule(radius: 0.1, length: 1.0), position: (0, 1, -1), color: "#ff0000", user_data: 9),
        Body(name: "crate", shape: Box(0.4, 0.2, 0.2), mass: 3, position: (0, 1, 0), rotation: (0, 0, 90), color: (1, 0, 0)),
        Body(name: "lid", shape: Sphere(0.1), position: (0, 1.4, 0), velocity: (1, 0, 0), angular_velocity: (0, 90, 0)),
        Joint(kind: Hinge, a: "crate", b: "lid", position: (0, 1.25, 0), axis: (0, 0, 1), range: (-30, 60),
              motor: (target: (20, 0, 0), compliance: 0.1, max_torque: 3), friction: 0.1, break_force: 900, meet: true),
        Repeat(count: 3, step: (0.5, 0, 0), turn: 10, items: [
            Body(name: "a", shape: Box(0.1, 0.1, 0.1), position: (0, 2, 0)),
            Body(name: "b", shape: Box(0.1, 0.1, 0.1), position: (0, 2.2, 0)),
            Joint(kind: Ball, a: "a", b: "b", position: (0, 2.1, 0), swing: (30, 30), twist: (-180, 180)),
        ]),
        Grid(count: (2, 2, 2), step: (0.3, 0.3, 0.3), items: [Body(name: "g", shape: Sphere(0.1), position: (-2, 1, 2))]),
        Ring(count: 4, radius: 2, items: [Body(shape: Capsule(radius: 0.05, length: 0.2), position: (0, 3, 0))]),
        At(places: [(3, 1, 3), (3, 2, 3)], items: [Body(shape: Sphere(0.2), density: 300)]),
        Ignore(a: "a 2", b: "b 3"),
        Character(name: "fig", model: "figure", position: (0, 0, 2), velocity: (0, 1, 0)),
        Sheet(name: "flag", size: (1, 0.5), points: (9, 5), position: (0, 3, -2), pin: [BackLeft], material: (area_density: 0.1),
              color: 3),
        Balloon(radius: 0.2, position: (2, 2, -2)),
        Rope(name: "line", through: [(0, 3, 0), (0, 2, 0), (0.5, 1.5, 0)], particles: 12, pin: [Start]),
        Rod(through: [(1, 3, 0), (2, 3, 0)], particles: 8, pin: [Start, End]),
        Soft(name: "jelly", shape: Box(0.3, 0.3, 0.3), particles: 60, position: (2, 1, 2), yield_strain: 0.1),
        Attach(object: "flag", body: "crate", near: (0.5, 3, -1.75), radius: 0.1),
        Pin(object: "line", near: (0.5, 1.5, 0)),
        Liquid(name: "oil", radius: 0.04, density: 900, viscosity: 0.1),
        Pour(of: "oil", low: (10.1, 0, 10.1), high: (10.9, 0.3, 10.9)),
        Grains(name: "sand", radius: 0.05),
        Pour(of: "sand", low: (-3, 1, -3), high: (-2.8, 1.3, -2.8), velocity: (0, -1, 0)),
        Emitter(of: "oil", position: (10.5, 1, 10.5), direction: (0, -1, 0), radius: 0.08, budget: 50),
        Emitter(name: "hopper", of: "sand", position: (-3, 2, -3), direction: (0, -1, 0), budget: 30),
        Drain(shape: Box(0.2, 0.2, 0.2), position: (10.5, 0, 10.5)),
    ],
)
"##;

#[test]
fn every_kind_of_item_is_built() {
    let stage = file(ALL).stage().unwrap_or_else(|error| panic!("{error}"));
    let scene = &stage.scene;
    assert_eq!((scene.params.substeps, scene.params.wind.x, scene.view.eye.y), (4, 2.0, 2.0));
    assert_eq!(scene.params.partition.to_string(), "colors");
    let body = |name: &str| scene.bodies.iter().find(|b| b.name == name).unwrap_or_else(|| panic!("no {name}"));
    assert!((body("crate").mass - 3.0).abs() < 1e-5 && (body("crate").rotation * glam::Vec3::X).y > 0.999);
    assert!((body("lid").angular_velocity.y - std::f32::consts::FRAC_PI_2).abs() < 1e-5);
    let Limits::Hinge { min, max } = scene.joints[0].desc.limits else { panic!("{:?}", scene.joints[0].desc.limits) };
    assert!((min.to_degrees() + 30.0).abs() < 1e-3 && (max.to_degrees() - 60.0).abs() < 1e-3);
    assert!(
        scene.joints[0].desc.motor.is_some_and(|m| matches!(m, Motor::Target { max_torque: 3.0, .. }))
            && scene.joints[0].desc.break_force == 900.0
            && scene.joints[0].desc.meet
    );
    // Joints of copies join what is in their own copy.
    for (joint, number) in scene.joints[1..4].iter().zip(1..) {
        let names = [joint.desc.a, joint.desc.b].map(|id| scene.body(id).name.clone());
        assert_eq!(names, [format!("a {number}"), format!("b {number}")]);
    }
    assert!((body("a 2").position.x - 0.5).abs() < 1e-6);
    assert_eq!(scene.bodies.iter().filter(|b| b.name.starts_with("g ")).count(), 8);
    let crate_id = sinew::scene::BodyId(0);
    assert_eq!(scene.attachments.iter().filter(|a| a.body == crate_id).count(), 1);
    let wall = scene.colliders.iter().position(|c| c.color.x > 0.9 && c.color.y < 0.01).unwrap() as u32;
    assert_eq!(scene.user_data(Thing::Collider(sinew::scene::ColliderId(wall))), 9);
    let names: Vec<&str> = scene.deformables.iter().map(|d| d.name.as_str()).collect();
    assert_eq!(names, ["flag", "balloon", "line", "rod", "jelly"]);
    let pinned = |name: &str| {
        let index = names.iter().position(|n| *n == name).unwrap() as u32;
        scene.particles_of(sinew::scene::DeformableId(index)).iter().filter(|p| p.mass == 0.0).count()
    };
    assert_eq!((pinned("flag"), pinned("line"), pinned("rod"), pinned("jelly")), (1, 2, 6, 0));
    assert!(!scene.plastic_tetrahedra.is_empty());
    assert_eq!((scene.liquids.len(), scene.grains.len(), scene.emitters.len(), scene.drains.len()), (1, 1, 2, 1));
    assert!(scene.liquids[0].blocks[0].len() > 100 && scene.grains[0].blocks[0].len() >= 12);
    // Built twice, and over its exact form, it is the same.
    let text = to_ron(&stage, "all").unwrap();
    assert!(text == to_ron(&file(ALL).stage().unwrap(), "all").unwrap());
    assert!(text == to_ron(&file(&text).stage().unwrap(), "all").unwrap());
}

#[test]
fn joints_that_travel_are_read() {
    let text = r##"(items: [
        Body(name: "a", shape: Sphere(0.1), kinematic: true),
        Body(name: "b", shape: Sphere(0.1), position: (0, -1, 0)),
        Joint(kind: Distance, a: "a", b: "b", end: (0, -1, 0)),
        Joint(kind: Distance, a: "a", b: "b", end: (0, -1, 0), travel: (0, 2), break_force: 90),
        Joint(kind: Distance, a: "a", b: "b", end: (0, -1, 0), compliance: 0.001, damping: 3),
        Joint(kind: Slider, a: "a", b: "b", motor: (velocity: 0.5, max_force: 20)),
        Joint(kind: Slider, a: "a", b: "b", travel: (-0.5, inf), motor: (position: 0.2, compliance: 0.01)),
        Joint(kind: Cylindrical, a: "a", b: "b", travel: (0, 1), range: (-90, 90)),
        Joint(kind: Generic, a: "a", b: "b", travel_y: (-1, 1), swing: (0, 0), compliance: 0.01),
    ])"##;
    let stage = file(text).stage().unwrap_or_else(|error| panic!("{error}"));
    let joints: Vec<_> = stage.scene.joints.iter().map(|joint| joint.desc).collect();
    let first: Vec<Travel> = joints.iter().map(|desc| desc.travel[0]).collect();
    let expected = [
        Travel::spring(1.0, 0.0),
        Travel::between(0.0, 2.0),
        Travel::spring(1.0, 0.001),
        Travel::FREE,
        Travel::between(-0.5, f32::INFINITY),
        Travel::between(0.0, 1.0),
        Travel::NONE,
    ];
    assert_eq!(first, expected);
    assert_eq!(joints[3].motor, Some(Motor::Velocity { velocity: 0.5, max_force: 20.0 }));
    let max_force = f32::INFINITY;
    assert_eq!(joints[4].motor, Some(Motor::Position { position: 0.2, compliance: 0.01, max_force }));
    assert!(matches!(joints[5].limits, Limits::Hinge { .. }));
    assert_eq!(joints[6].travel[1], Travel { min: -1.0, max: 1.0, compliance: 0.01 });
    let exact = to_ron(&stage, "joints").unwrap();
    assert!(to_ron(&file(&exact).stage().unwrap(), "joints").unwrap() == exact);
}

#[test]
fn a_scene_is_based_on_a_demo_a_model_or_another_scene() {
    let based = scene("(base: (target: \"tower\", set: (height: 3, substeps: 9)), items: [Body(position: (3, 1, 0))])");
    assert_eq!((based.bodies.len(), based.params.substeps), (4, 9));
    let model = scene("(base: (target: \"dancer.glb\", set: (drop: 0.5, clothes: \"off\")))");
    assert!(model.bodies.len() > 5 && model.deformables.is_empty());
    let other = scene("(base: (target: \"scenes/stairs.ron\", set: (wind_x: 1)), params: (gusts: 0))");
    assert_eq!((other.params.wind.x, other.params.gusts), (1.0, 0.0));
    // What is exact takes more items, too.
    let text = to_ron(&stage_for("tower", &[("height".into(), "2".into())]).unwrap(), "tower").unwrap();
    let more = text.trim_end().trim_end_matches(')').to_owned() + "items: [Body(position: (3, 1, 0))])";
    assert_eq!(scene(&more).bodies.len(), 3);
    // Settings from outside are the last word.
    let sets = [("height".to_owned(), "5".to_owned()), ("substeps".to_owned(), "3".to_owned())];
    let told =
        file("(base: (target: \"tower\", set: (height: 3)), params: (substeps: 9))").stage_with(&sets).unwrap().scene;
    assert_eq!((told.bodies.len(), told.params.substeps), (5, 3));
}

#[test]
fn names_are_the_same_in_the_file_the_scene_and_what_is_based_on_it() {
    let folder = std::env::temp_dir().join(format!("sinew-names-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let two = "(items: [
        Character(name: \"anna\", model: \"figure\"), Character(name: \"bert\", model: \"figure\", position: (2, 0, 0)),
        At(places: [(0, 0, 4), (0, 0, 6)], items: [
            At(places: [(0, 0, 0), (2, 0, 0), (4, 0, 0)], items: [Body(name: \"crate\"), Character(name: \"c\", model: \"figure\")]),
            Ignore(a: \"crate 3\", b: \"c/head 3\"),
        ]),
        Ignore(a: \"crate 2 3\", b: \"anna/head\"),
    ])";
    std::fs::write(folder.join("two.ron"), two).unwrap();
    let parse = |text: &str| SceneFile::parse(Path::new("x.ron"), text.to_owned(), &folder).stage().unwrap();
    let stage = parse(two);
    let named = |scene: &Scene, name: &str| {
        let found: Vec<_> = (0..scene.bodies.len()).filter(|i| scene.bodies[*i].name == name).collect();
        let [one] = found[..] else { panic!("{} bodies are called {name}", found.len()) };
        sinew::scene::BodyId(one as u32)
    };
    let meets = |scene: &Scene, a: &str, b: &str| !scene.body(named(scene, a)).ignores.contains(&named(scene, b));
    assert!(!meets(&stage.scene, "crate 2 3", "anna/head") && !meets(&stage.scene, "crate 2 3", "c/head 2 3"));
    assert!(meets(&stage.scene, "crate 1 3", "anna/head") && meets(&stage.scene, "crate 1 3", "bert/head"));
    let more = "items: [Ignore(a: \"crate 1 3\", b: \"bert/head\")])";
    let exact = to_ron(&stage, "two").unwrap();
    for text in
        [format!("(base: (target: \"two.ron\"), {more}"), exact.trim_end().trim_end_matches(')').to_owned() + more]
    {
        assert!(!meets(&parse(&text).scene, "crate 1 3", "bert/head"));
    }
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn one_name_for_things_of_different_kinds_is_no_confusion() {
    let made = scene(
        "(items: [Rope(name: \"x\", through: [(0, 0, 0), (1, 0, 0)]), Body(name: \"x\"),
            Attach(object: \"x\", body: \"x\")])",
    );
    assert_eq!((made.bodies.len(), made.deformables.len()), (1, 1));
    // Those around a layout have no part in it.
    let made = scene(
        "(items: [Body(name: \"a\"), Body(name: \"b\"),
            At(places: [(0, 0, 2), (0, 0, 4)], items: [Body(name: \"a\"), Ignore(a: \"a\", b: \"b\")])])",
    );
    assert!(made.bodies[0].ignores.is_empty() && made.bodies[2..].iter().all(|body| body.ignores.len() == 1));
}

#[test]
fn locked_axes_turn_with_the_layout() {
    let turned = |degrees: u32, axes: &str| {
        let made = scene(&format!("(items: [Group(rotation: (0, {degrees}, 0), items: [Body({axes})])])"));
        <[[bool; 3]; 2]>::from((made.bodies[0].dynamics.locked.into(), made.bodies[0].dynamics.upright.into()))
    };
    let axes = "locked: (false, true, true), upright: (true, false, false)";
    assert_eq!(turned(0, axes), [[false, true, true], [true, false, false]]);
    assert_eq!(turned(90, axes), [[true, true, false], [false, false, true]]);
    assert_eq!(turned(180, axes), turned(0, axes));
    let about = "locked: (true, false, true), upright: (true, true, true)";
    assert_eq!(turned(30, about), turned(0, about), "both axes turn within their plane");
}

#[test]
fn files_are_named_from_where_they_are_named() {
    let folder = std::env::temp_dir().join(format!("sinew-based-{}", std::process::id()));
    std::fs::create_dir_all(folder.join("sub")).unwrap();
    std::fs::copy(root().join("assets/dancer.glb"), folder.join("own.glb")).unwrap();
    std::fs::write(folder.join("sub/y.ron"), "(base: (target: \"ragdolls\", set: (count: 1)))").unwrap();
    std::fs::write(folder.join("sub/z.ron"), "(base: (target: \"y.ron\"))").unwrap();
    let file = |text: &str| SceneFile::parse(Path::new("x.ron"), text.to_owned(), &folder);
    let set = "set: (model: \"own.glb\")";
    let built = file(&format!("(base: (target: \"sub/z.ron\", {set}))")).stage().unwrap();
    assert!(built.scene.bodies.len() > 9);
    // From outside they are named as outside says.
    let own = folder.join("own.glb").to_string_lossy().into_owned();
    let outer = SceneFile::load(&folder.join("sub/z.ron")).unwrap().stage_with(&[("model".to_owned(), own)]).unwrap();
    assert_eq!(outer.scene.bodies.len(), built.scene.bodies.len());
    for (text, words) in [
        ("(\n base: (target: \"sub/z.ron\", set: (model: \"no.glb\")))", ["sub/y.ron:1:", "no.glb"]),
        ("(\n base: (target: \"sub/z.ron\", set: (substeps: 0)))", ["x.ron:2:8", "substeps"]),
    ] {
        let error = file(text).stage().map(|_| ()).unwrap_err().to_string();
        assert!(words.iter().all(|word| error.contains(word)) && !error.contains("sub/no.glb"), "{error}");
    }
    std::fs::write(folder.join("sub/y.ron"), "()").unwrap();
    let error = file("(\n base: (target: \"sub/z.ron\", set: (heigth: 3)))").stage().map(|_| ()).unwrap_err();
    let error = error.to_string();
    assert!(error.starts_with("x.ron:2:8: ") && error.contains("`heigth`"), "{error}");
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn rigid_models_move_as_bodies_do() {
    let keys = "gravity_scale: 0.5, linear_damping: 1, angular_damping: 2, locked: (false, false, true), upright: (true, true, false)";
    let scene = scene(&format!("(items: [Rigid(model: \"dancer.glb\", {keys}), Body({keys})])"));
    let [rigid, body] = &scene.bodies[..] else { panic!("{} bodies", scene.bodies.len()) };
    assert_eq!(rigid.dynamics, body.dynamics);
    assert_eq!((body.dynamics.gravity_scale, body.dynamics.locked.z, body.dynamics.upright.z), (0.5, true, false));
}

/// Texts that are no scene, and what is said of them.
#[rustfmt::skip]
const MISTAKES: &[(&str, &[&str])] = &[
    ("(\n items: [\n  Body(mas: 3),\n ],\n)", &["scene.ron:3:", "items[0]", "`mas`", "`mass`"]),
    ("(\n item: [],\n)", &["scene.ron:2:", "`item`", "`items`"]),
    ("(items: [\n Bdy(mass: 3)])", &["scene.ron:2:2", "`Bdy`", "`Body`"]),
    ("(items: [\n Body(mass: \"3\")])", &["scene.ron:2:", "mass", "number", "without quotes"]),
    ("(items: [Body(position: (1, 2))])", &["scene.ron:1:", "position", "2 numbers"]),
        (
            "(items: [\n\n  Body(name: \"x\", mass: -3)])",
            &["scene.ron:3:3", "items[0].Body", "x", "mass is -3", "above 0"],
        ),
    ("(items: [Body(shape: Box(0.1, 0, 0.1))])", &[":1:", "size", "above 0"]),
    ("(items: [Body(shape: Box(900, 900, 900), particle_radius: 0.01)])", &["65536", "particle_radius"]),
    ("(items: [Body(shape: Plane)])", &["plane", "collider"]),
    ("(items: [Body(name: \"crate\"),\n Joint(a: \"crate\", b: \"crat\")])", &[":2:2", "body `crat`", "`crate`"]),
    ("(items: [Joint(kind: Hing)])", &["`Hing`", "`Hinge`"]),
        (
            "(items: [Body(name: \"a\"), Body(name: \"b\"), Joint(a: \"a\", b: \"b\", range: (1, 2))])",
            &["range", "hinges"],
        ),
        (
            "(items: [Body(name: \"a\"), Body(name: \"b\"), Joint(a: \"a\", b: \"b\", travel: (0, 1))])",
            &["`travel`", "joints that travel", "Ball"],
        ),
        (
            "(items: [Body(name: \"a\"), Body(name: \"b\"), Joint(a: \"a\", b: \"b\", end: (0, 1, 0))])",
            &["`end`", "Distance", "Ball"],
        ),
        (
            "(items: [Body(name: \"a\"), Body(name: \"b\"), Joint(kind: Slider, a: \"a\", b: \"b\", motor: (velocity: 1, max_torque: 2))])",
            &["`max_torque`", "`max_force`"],
        ),
        (
            "(items: [Body(name: \"a\"), Body(name: \"b\"), Joint(kind: Distance, a: \"a\", b: \"b\")])",
            &["`end`", "Distance"],
        ),
        (
            "(items: [Body(name: \"a\"), Body(name: \"b\"), Joint(a: \"a\", b: \"b\", kind: Hinge, range: (-200, 10))])",
            &["`range` is (-200, 10)", "180 degrees"],
        ),
        (
            "(items: [Body(name: \"a\"), Body(name: \"b\"), Joint(a: \"a\", b: \"b\", kind: Hinge, range: (10, -10))])",
            &["least to the most"],
        ),
        (
            "(items: [Body(name: \"a\"), Body(name: \"b\"), Joint(a: \"a\", b: \"b\", swing: (200, 0))])",
            &["`swing` is (200, 0)", "180 degrees"],
        ),
        (
            "(items: [Body(name: \"a\"), Body(name: \"b\"), Joint(a: \"a\", b: \"b\", twist: (10, 20))])",
            &["`twist` is (10, 20)"],
        ),
        (
            "(items: [Body(name: \"a\"), Body(name: \"b\"), Joint(a: \"a\", b: \"b\", kind: Stiff, motor: (speed: 10))])",
            &["motor's `speed`", "hinges", "Stiff"],
        ),
        (
            "(items: [Body(name: \"a\"), Body(name: \"b\"), Joint(a: \"a\", b: \"b\", kind: Hinge, motor: (position: 1))])",
            &["motor's `position`", "Slider", "Hinge"],
        ),
        (
            "(items: [Body(name: \"a\"), Body(name: \"b\"), Joint(a: \"a\", b: \"b\", kind: Slider, motor: (target: (0, 0, 9)))])",
            &["motor's `target`", "turn", "Slider"],
        ),
        (
            "(items: [Body(name: \"a\"), Body(name: \"b\"), Joint(a: \"a\", b: \"b\", kind: Slider, travel_y: (0, 1))])",
            &["`travel_y`", "generic", "Slider"],
        ),
    ("(items: [Body(name: \"a\"), Joint(a: \"a\")])", &["items[1].Joint", "names a body", "`b` is missing"]),
    ("(items: [Body(mass: 3, density: 300)])", &["`mass`", "`density`", "leave one"]),
    ("(items: [Body(position: (inf, 0, 0))])", &["`position` is [inf, 0, 0]", "finite"]),
    ("(items: [Body(rotation: (0, NaN, 0))])", &["rotation", "finite", "degrees"]),
    ("(items: [Body(shape: Hull([]))])", &["hull", "4 points", "0"]),
    ("(items: [Body(shape: Capsule(0.1, 0.3))])", &["expected a key here", "(radius: 0.1)"]),
    ("(items: [Body(shape: Sphere(radius: 0.1))])", &["expected a number here", "without a key before"]),
    ("(items: [Body(color: (255, 0, 0))])", &["color", "from 0 to 1", "#rrggbb"]),
    ("(params: (substeps: 4, substeps: 5))", &["`substeps`", "twice"]),
    ("(items: [\n Body(scale: 3)])", &[":2:", "`scale`"]),
    (
        "(items: [Body(name: \"a\"), Ignore(a: \"a\", b: \"a\")])",
        &["items[1].Ignore", "both `a`", "itself"],
    ),
    (
        "(items: [Pit(half: 0, height: 1)])",
        &["items[0].Pit", "half is 0", "above 0"],
    ),
    (
        "(items: [Body(name: \"a\"), Body(name: \"a\"), Body(name: \"b\"), Ignore(a: \"a\", b: \"b\")])",
        &["items[3].Ignore", "2 of the name `a`", "body"],
    ),
    ("(view: (eye: (1, 1, 1), tagret: (0, 0, 0)))", &["`tagret`", "`target`"]),
    ("(view: (eye: (1, 1, 1), target: (0, 0, 0), fov: 60))", &["`fov`"]),
    ("(items: [Body(shape: Capsule(radius: 0.1, lenght: 0.3))])", &["`lenght`", "`length`"]),
    ("(items: [Ring(count: 3, items: [Body(locked: (true, false, false))])])", &["Body", "`locked`", "90 degrees"]),
    ("(items: [\n Collider(shape: Sphere(1), scale: 3)])", &[":2:2", "`scale`", "model file"]),
    ("(items: [Soft(shape: Box(1, 1, 1), scale: 4)])", &["`scale`", "model file"]),
    ("(items: [Soft(shape: Box(1, 1, 1), model: \"x.glb\")])", &["`model` and a `shape`", "leave one"]),
    ("(items: [Soft()])", &["neither a `model`", "nor a `shape`"]),
    ("(base: (target: \"x.take.ron\"))", &[":1:8", "x.take.ron is a take"]),
    ("(items: [Character(scale: 0.5)])", &["`scale`", "model file"]),
    ("(items: [Character(model: \"figure\", ragdoll: \"no.ron\")])", &["`ragdoll`", "model file"]),
    ("(items: [Rigid(model: \"dancer\", scale: 2)])", &["`scale`", "model file"]),
    ("(items: [Character(model: \"figure\", hide: [\"Nothing\"])])", &["`hide`", "figure", "bones"]),
    ("(items: [Character(model: \"figure\", strength: -5)])", &["`strength`", "figure", "bones"]),
    ("(items: [Character(model: \"figure\", muscles: 0.5)])", &["`muscles`", "figure", "bones"]),
    ("(items: [Character(clip: \"walk\", velocity: (1, 0, 0))])", &["`velocity`", "limp"]),
    ("(items: [Character(clip: \"walk\", angular_velocity: (0, 9, 0))])", &["`angular_velocity`", "limp"]),
    ("(items: [Liquid(), Pour(of: \"water\", model: \"dancer.glb\", high: (1, 1, 1))])", &["`high`", "model"]),
    ("(items: [Liquid(), Pour(of: \"water\", high: (1, 1, 1), scale: 2)])", &["`scale`", "model file"]),
    ("(items: [Body(density: -1)])", &["density is -1", "above 0"]),
    ("(items: [Rigid(model: \"dancer.glb\", linear_damping: -1)])", &["linear damping is -1", "from 0"]),
    (
        "(items: [Group(rotation: (0, 45, 0), items: [Drain(shape: Box(1, 1, 1))])])",
        &["Group.items[0].Drain", "box of a drain", "cannot be rotated"],
    ),
    ("(params: (\n  substep: 4))", &[":1:", "`substep`", "`substeps`"]),
    ("(params: (substeps: 400))", &["substeps", "from 1 to 64"]),
    ("(view: (eye: (0, 0, 0)))", &["`target`", "missing"]),
    ("(view: (eye: (0, NaN, 0), target: (1, 1, 1)))", &["view", "eye", "NaN"]),
    ("(\n view: (eye: (1, 1, 1), target: (1, 1, 1)))", &["scene.ron:2:8", "view", "distance from eye to target is 0"]),
    ("(base: (target: \"towr\"))", &[":1:", "`towr`", "`tower`"]),
    ("(base: (target: \"tower\", set: (heigth: 3)))", &["`heigth`", "`height`"]),
    ("(base: (target: \"no.glb\"))", &["no.glb", "there is no such file"]),
    ("(base: (target: \"no.ron\"))", &["scene.ron:1:8", "no.ron", "there is no such file"]),
    ("(items: [\n  Cloth(model: \"shirt.glb\")])", &["scene.ron:2:3", "shirt.glb", "no such file"]),
    ("(items: [Soft()])", &["`model`", ".glb"]),
    ("(items: [Sheet(texture: \"no.png\")])", &["no.png", "no such file"]),
    ("(items: [Sheet(points: (1, 9))])", &["points is 1", "2 or more"]),
    ("(items: [Character(clip: \"wlk\")])", &["`wlk`", "walk"]),
    ("(items: [Character(model: \"figure\", limp_at: 2)])", &["limp_at", "clip"]),
    ("(items: [Ground(), Character(muscles: 0.5)])", &["muscles", "clip"]),
    ("(items: [Ground(), Character(clip: \"walk\", muscles: 1.5)])", &["1.5", "limp"]),
    ("(items: [Pour(of: \"watr\")])", &["`watr`"]),
    ("(items: [Liquid(), Pour(of: \"water\", low: (0, 0, 0), high: (-1, 1, 1))])", &["size of the box is -1"]),
    ("(items: [Liquid(radius: 0.001), Pour(of: \"water\", high: (9, 9, 9))])", &["number of particles", "enlarge"]),
    ("(items: [Liquid(), Liquid(radius: 0.5)])", &["particle radius is 0.5", "0.03"]),
    ("(items: [Rope(through: [(0, 0, 0)])])", &["through", "2 or more"]),
        (
            "(items: [Rope(name: \"r\", through: [(0, 0, 0), (1, 0, 0)]), Pin(object: \"r\", near: (0, 9, 0))])",
            &["nearest is 9"],
        ),
    ("(items: [Repeat(count: 99999, items: [Ground(), Ground()])])", &["199998", "100000"]),
    ("(items: [Group(items: [\n Body(),\n Body(mass: 0)])])", &[":3:2", "Group.items[1].Body", "mass is 0"]),
    ("(items: [Ground(), Body(color: \"red\")])", &["color", "#rrggbb"]),
    ("(items: [Drain(shape: Plane)])", &["drain", "a Box or a Sphere"]),
    ("(exact: (format: 1))", &["`scene`", "missing"]),
    ("(items: [Body()", &["ron:1:"]),
    ("", &["scene.ron"]),
];

#[test]
fn mistakes_are_told_with_their_place_and_the_nearest_word() {
    for (text, parts) in MISTAKES {
        let error = file(text).stage().map(|_| ()).expect_err(text).to_string();
        assert!(parts.iter().all(|part| error.contains(part)), "{text}\n{error}\n{parts:?}");
        assert!(!error.contains('\n') && error.len() < 900, "{error}");
    }
    let missing = SceneFile::load(Path::new("no/such.ron")).unwrap_err().to_string();
    assert!(missing.contains("no/such.ron") && missing.contains("no such file"), "{missing}");
    let set = [("heigth".to_owned(), "3".to_owned())];
    let unknown = file("()").stage_with(&set).map(|_| ()).unwrap_err().to_string();
    assert!(unknown.contains("`heigth`"), "{unknown}");
    let cyclic = std::env::temp_dir().join(format!("sinew-cycle-{}.ron", std::process::id()));
    let name = cyclic.file_name().unwrap().to_string_lossy().into_owned();
    std::fs::write(&cyclic, format!("(base: (target: \"{name}\"))")).unwrap();
    let error = SceneFile::load(&cyclic).unwrap().stage().map(|_| ()).unwrap_err().to_string();
    std::fs::remove_file(&cyclic).unwrap();
    assert!(error.contains("based on itself"), "{error}");
}

/// A small source of random numbers.
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % end.max(1)
    }
}

/// `text` with one to three faults.
fn mutant(text: &str, random: &mut Random) -> String {
    let mut letters: Vec<char> = text.chars().collect();
    for _ in 0..1 + random.below(3) {
        let at = random.below(letters.len());
        let far = at + random.below(40).min(letters.len() - at);
        match random.below(7) {
            0 => drop(letters.drain(at..far)),
            1 => {
                let copy: Vec<char> = letters[at..far].to_vec();
                let to = random.below(letters.len());
                letters.splice(to..to, copy);
            }
            2 => letters[at] = ['(', ')', '[', ']', ',', '"', ':', '-', '9', 'A'][random.below(10)],
            _ => {
                // Another number in place of the next one.
                let Some(start) = (at..letters.len()).find(|i| letters[*i].is_ascii_digit()) else { continue };
                let end = (start..letters.len()).find(|i| !letters[*i].is_ascii_digit()).unwrap_or(letters.len());
                let numbers = ["0", "-1", "1e30", "NaN", "inf", "4294967295", "3", "-0.5", "1e-30", "77"];
                letters.splice(start..end, numbers[random.below(numbers.len())].chars());
            }
        }
        if letters.is_empty() {
            break;
        }
    }
    letters.into_iter().collect()
}

#[test]
fn spoiled_files_are_an_error_or_a_scene() {
    let exact = {
        let text =
            "(items: [Body(shape: Sphere(0.1)), Body(shape: Box(0.1, 0.1, 0.1), position: (0, 1, 0), name: \"b\"),
            Sheet(points: (3, 3), size: (0.2, 0.2), tearing: 0.5), Rope(through: [(0, 2, 0), (0, 3, 0)], particles: 4),
            Liquid(), Pour(of: \"water\", low: (2, 0, 2), high: (2.1, 0.2, 2.1)), Body(name: \"a\"),
            Joint(kind: Hinge, a: \"a\", b: \"b\"), Emitter(of: \"water\", budget: 3), Character(model: \"figure\")])";
        to_ron(&file(text).stage().unwrap(), "small").unwrap()
    };
    let context = Context::shared().unwrap();
    let count: usize = std::env::var("SINEW_MUTANTS").ok().and_then(|n| n.parse().ok()).unwrap_or(500);
    for (source, text) in [("items", ALL), ("exact", exact.as_str())] {
        let mut random = Random(0x5EED);
        let mut good = 0;
        for round in 0..count {
            let spoiled = mutant(text, &mut random);
            match file(&spoiled).stage() {
                Ok(stage) => {
                    good += 1;
                    // The solver takes it or refuses it, too.
                    if good % 25 == 0
                        && stage.scene.particles.len() < 20_000
                        && let Ok(mut solver) = Solver::new(&context, &stage.scene)
                    {
                        solver.step();
                        solver.read_health().unwrap();
                    }
                }
                Err(error) => {
                    let error = error.to_string();
                    assert!(!error.contains('\n') && error.starts_with("scene.ron"), "{source} {round}: {error}");
                }
            }
        }
        println!("{source}: {good} of {count} are scenes");
        assert!(good > count / 50 && good < count, "{source}: {good} of {count} are scenes");
    }
}

#[test]
fn a_character_is_as_strong_as_it_says() {
    let stage = file("(items: [Ground(), Character(clip: \"walk\", muscles: 0.5)])").stage().unwrap();
    let performer = &stage.cast.performers[0];
    assert!(performer.is_powered());
    assert_eq!(performer.drive_strength(), 0.5);
}

#[test]
fn flesh_of_a_shape_is_not_complained_of() {
    for shape in ["Box(1, 1, 1)", "Sphere(0.5)"] {
        let stage = file(&format!("(items: [Soft(shape: {shape}, particles: 200)])")).stage().unwrap();
        assert_eq!(stage.warnings, [""; 0], "{shape}");
    }
}
