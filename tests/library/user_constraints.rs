//! Constraints that users write are solved as those that are built in.

use std::f32::consts::{FRAC_PI_2, TAU};
use std::path::Path;

use sinew::constraints::{Constraint, Definition, Distance, Keeps, Partition, UserConstraint};
use sinew::demos::Stage;
use sinew::glam::{Quat, Vec3, vec3};
use sinew::gpu::Context;
use sinew::scene::{Deformable, Particle, ParticleId, Phase, Placement, Scene, SceneError, SheetGrid, SheetMaterial};
use sinew::scene_file::{SceneFile, to_ron};
use sinew::solver::{Solver, SolverError, check_gradient};

fn context() -> Context {
    Context::shared().expect("adapter")
}

const SPRING: &str = "
fn equation(index: u32, row: Values, x: Stencil) -> Equation {
    let n = direction(x.b - x.a);
    return Equation(n.w - row.a.x, row.a.y, UNBOUNDED, -n.xyz, n.xyz, vec3f(0.0), vec3f(0.0));
}";

fn spring() -> Definition {
    Definition::new("spring", 2, &["rest_length", "compliance"], SPRING)
}

fn particle(scene: &mut Scene, position: Vec3, mass: f32) -> ParticleId {
    let velocity = Vec3::ZERO;
    scene.add_particle(Particle { position, velocity, radius: 0.01, mass, phase: Phase::GHOST }).unwrap()
}

/// A net that hangs from its first row, of built-in constraints or of those of a user.
fn net(partition: Partition, own: bool) -> Scene {
    const SIDE: u32 = 6;
    let rest: Vec<Vec3> = (0..SIDE * SIDE).map(|i| 0.1 * vec3((i % SIDE) as f32, 0.0, (i / SIDE) as f32)).collect();
    let mut scene = Scene::default();
    scene.params.partition = partition;
    let mut net = Deformable::new("net", rest.clone(), 0.01, 0.01);
    net.pin(|at| at.z == 0.0);
    let kind = scene.define_constraint(&spring()).unwrap();
    for i in 0..SIDE * SIDE {
        let next = [(i % SIDE + 1 < SIDE).then_some(i + 1), (i / SIDE + 1 < SIDE).then_some(i + SIDE)];
        for j in next.into_iter().flatten() {
            let compliance = if i % 3 == 0 { 1e-3 } else { 1e-6 };
            let built_in = Distance::between([i, j], [rest[i as usize], rest[j as usize]], compliance);
            if own {
                net.join(&kind.row(&[i, j], &[built_in.rest_length, compliance]).unwrap()).unwrap();
            } else {
                net.join(&built_in).unwrap();
            }
        }
    }
    scene.add_deformable(&net.damped(2.0), Vec3::Y, Quat::IDENTITY, Vec3::ZERO).unwrap();
    scene
}

fn after(scene: &Scene, frames: u32) -> Vec<Vec3> {
    let mut solver = Solver::new(&context(), scene).unwrap();
    (0..frames).for_each(|_| solver.step());
    let health = solver.read_health().unwrap();
    assert!(health.is_good(), "{health:?}");
    solver.read_positions().unwrap()
}

#[test]
fn a_written_distance_does_what_the_built_in_one_does() {
    for partition in [Partition::Colors, Partition::Clusters, Partition::Phantom(3)] {
        let [built_in, own] = [false, true].map(|own| after(&net(partition, own), 60));
        let far = built_in.iter().zip(&own).map(|(a, b)| a.distance(*b)).fold(0.0, f32::max);
        let moved = own.iter().map(|p| (p.y - 1.0).abs()).fold(0.0, f32::max);
        assert!(far < 1e-5 && moved > 0.2, "{partition}: {far} m apart after {moved} m");
    }
}

/// Cloth that tears where it is pulled by a load, its edges those that are built in or a user's.
fn torn(own: bool) -> (Vec<bool>, Vec<Vec3>) {
    let grid = SheetGrid::square(7, 0.3);
    let material = SheetMaterial { stretch: 0.05, bend: f32::INFINITY, ..SheetMaterial::default() };
    let mut sheet = Deformable::sheet("rag", grid.positions(), &grid.triangles(), 0.01, &material).unwrap();
    sheet.air_surfaces.clear();
    let keeps = Keeps::Distance { rest_length: 0, most: 2 };
    let text = SPRING.replace("UNBOUNDED", "row.a.z");
    let edge = Definition::new("edge", 2, &["rest_length", "compliance", "most"], text).keeping(keeps);
    let kind = UserConstraint::define(&edge).unwrap();
    for row in sheet.constraints.iter_mut().filter(|_| own) {
        assert_eq!(row.kind.name, "distance");
        *row = kind.row(row.joined(), &row.values[..3]).unwrap().row().unwrap();
    }
    for (mass, at) in sheet.masses.iter_mut().zip(&sheet.rest).filter(|(_, at)| at.z > 0.14) {
        *mass += 0.02 * (1.0 + at.x);
    }
    sheet.pin(|at| at.z < -0.14);
    sheet.tearing = Some(0.25);
    let mut scene = Scene::default();
    scene.params.partition = Partition::Colors;
    scene.add_deformable(&sheet.damped(5.0), Vec3::Y, Quat::from_rotation_x(FRAC_PI_2), Vec3::ZERO).unwrap();
    let mut solver = Solver::new(&context(), &scene).unwrap();
    (0..30).for_each(|_| solver.step());
    (solver.read_torn().unwrap(), solver.read_positions().unwrap())
}

#[test]
fn cloth_of_a_users_edges_tears_as_that_of_the_built_in_ones() {
    let [(built_in, places), (own, found)] = [false, true].map(torn);
    let count = |torn: &[bool]| torn.iter().filter(|torn| **torn).count();
    assert!((1..own.len() / 2).contains(&count(&own)), "{} of {} edges tear", count(&own), own.len());
    assert_eq!(own, built_in);
    let far = places.iter().zip(&found).map(|(a, b)| a.distance(*b)).fold(0.0, f32::max);
    assert!(far < 1e-5, "{far} m apart");
}

/// Half of |(b - a) × (c - a)|, less what it is at rest.
const AREA: &str = "
fn equation(index: u32, row: Values, x: Stencil) -> Equation {
    let n = direction(cross(x.b - x.a, x.c - x.a));
    let a = 0.5 * cross(x.b - x.c, n.xyz);
    let b = 0.5 * cross(x.c - x.a, n.xyz);
    return Equation(0.5 * n.w - row.a.x, 0.0, UNBOUNDED, a, b, -(a + b), vec3f(0.0));
}";

fn area_of(p: &[Vec3]) -> f32 {
    0.5 * (p[1] - p[0]).cross(p[2] - p[0]).length()
}

#[test]
fn a_triangle_takes_the_area_that_it_is_given() {
    let mut scene = Scene::default();
    scene.params.gravity = Vec3::ZERO;
    let kind = scene.define_constraint(&Definition::new("area", 3, &["area"], AREA)).unwrap();
    let places = [vec3(0.0, 1.0, 0.0), vec3(0.3, 1.0, 0.1), vec3(0.0, 1.2, 0.2)];
    let ids = places.map(|at| particle(&mut scene, at, 1.0));
    let wanted = 2.0 * area_of(&places);
    scene.add_user_constraint(kind, &ids, &[wanted]).unwrap();
    let found = after(&scene, 2);
    assert!((area_of(&found) / wanted - 1.0).abs() < 1e-4, "{} for {wanted}", area_of(&found));
    let [before, now] = [places.to_vec(), found].map(|p| p.iter().sum::<Vec3>());
    assert!(before.distance(now) < 1e-5, "nothing from outside pushes it");
}

/// On a circle about a point of the world, in the level plane: two equations, solved together.
const TRACK: &str = "
fn equation(index: u32, row: Values, x: Stencil) -> Equation {
    let away = x.a - relative(row.a.xyz);
    if index == 0u {
        return Equation(away.y, 0.0, UNBOUNDED, vec3f(0.0, 1.0, 0.0), vec3f(0.0), vec3f(0.0), vec3f(0.0));
    }
    let n = direction(vec3f(away.x, 0.0, away.z));
    return Equation(n.w - row.a.w, 0.0, UNBOUNDED, n.xyz, vec3f(0.0), vec3f(0.0), vec3f(0.0));
}";

fn track() -> Definition {
    Definition::new("track", 1, &["x", "y", "z", "radius"], TRACK).equations(2).keeping(Keeps::WorldPoint { first: 0 })
}

#[test]
fn a_bead_on_a_track_comes_round_in_its_time() {
    let (center, radius, speed) = (vec3(2.0, 1.0, -1.0), 0.5, 2.0);
    let mut scene = Scene::default();
    scene.params.substeps = 32;
    let kind = scene.define_constraint(&track()).unwrap();
    let velocity = speed * Vec3::Z;
    let bead = Particle { position: center + radius * Vec3::X, velocity, radius: 0.01, mass: 0.3, phase: Phase::GHOST };
    let bead = scene.add_particle(bead).unwrap();
    scene.add_user_constraint(kind, &[bead], &[center.x, center.y, center.z, radius]).unwrap();
    // Gravity acts, and the track bears it: the bead goes round at its speed.
    let frames = 60;
    let found = after(&scene, frames)[0];
    let angle = speed * frames as f32 * scene.params.dt / radius;
    let wanted = center + radius * vec3(angle.cos(), 0.0, angle.sin());
    assert!((found - center).length() > radius - 1e-3 && (found.y - center.y).abs() < 1e-3, "{found} is on the track");
    assert!(found.distance(wanted) < 0.02 * radius * angle, "{found} after {} turns, not {wanted}", angle / TAU);
    // What is placed elsewhere takes its track along.
    let mut placed = Scene::default();
    let at = Placement { position: vec3(1.0, 2.0, 3.0), rotation: Quat::from_rotation_y(FRAC_PI_2) };
    placed.append(&scene, at, Vec3::ZERO).unwrap();
    placed.params = scene.params;
    let there = after(&placed, frames)[0];
    let wanted = at.position + at.rotation * found;
    assert!(there.distance(wanted) < 1e-2, "{there} is {wanted}");
}

#[test]
fn what_has_a_users_type_is_saved_written_and_copied() {
    let scene = net(Partition::Auto, true);
    let text = to_ron(&Stage::from(scene.clone()), "a net").unwrap();
    let again = SceneFile::parse(Path::new("net.ron"), text, Path::new("")).stage().unwrap().scene;
    assert_eq!(again.constraint_types, scene.constraint_types);
    assert_eq!(after(&again, 8), after(&scene, 8), "from a file the same");
    let mut solver = Solver::new(&context(), &scene).unwrap();
    (0..5).for_each(|_| solver.step());
    let state = solver.save().unwrap();
    (0..10).for_each(|_| solver.step());
    let once = solver.read_positions().unwrap();
    solver.restore(&state).unwrap();
    (0..10).for_each(|_| solver.step());
    assert_eq!(solver.read_positions().unwrap(), once, "restored it goes on with the same bits");
    let mut pooled = Scene::default();
    let pool = pooled.add_pool(&scene, 2).unwrap();
    assert_eq!(pooled.constraint_types, scene.constraint_types);
    let mut solver = Solver::new(&context(), &pooled).unwrap();
    let spawned = solver.spawn_from(pool, Placement::IDENTITY, Vec3::ZERO).unwrap();
    (0..8).for_each(|_| solver.step());
    let first = solver.part(spawned).unwrap().particles.start as usize;
    let (copy, alone) = (solver.read_positions().unwrap()[first..first + 36].to_vec(), after(&scene, 8));
    let far = copy.iter().zip(&alone).map(|(a, b)| a.distance(*b)).fold(0.0, f32::max);
    assert!(far < 1e-4, "a copy of a pool is {far} m from what hangs alone");
}

#[test]
fn what_is_wrong_in_a_text_is_told_with_its_line() {
    let cases = [
        ("broken", "fn equation(index: u32, row: Values, x: Stencil) -> Equation {\n    return ;;\n}", "line 2"),
        (
            "gone",
            "\n\nfn equation(index: u32, row: Values, x: Stencil) -> Equation {\n\n    return gone(x);\n}",
            "line 5",
        ),
        (
            "shape",
            "fn equation(x: Stencil) -> f32 {\n    return x.a.x;\n}",
            "(u32, Values, Stencil) and return Equation",
        ),
        ("noname", "fn other() {}", "no function `equation`"),
        (
            "variable",
            "var<private> y: f32;\nfn equation(index: u32, row: Values, x: Stencil) -> Equation {\n    return Equation();\n}",
            "line 1",
        ),
    ];
    for (name, text, words) in cases {
        let mut scene = Scene::default();
        let at = particle(&mut scene, Vec3::Y, 1.0);
        let kind = scene.define_constraint(&Definition::new(name, 1, &[], text)).unwrap();
        scene.add_user_constraint(kind, &[at], &[]).unwrap();
        let error = Solver::new(&context(), &scene).unwrap_err();
        assert!(matches!(&error, SolverError::Constraint { kind, .. } if kind == name), "{error}");
        assert!(error.to_string().contains(words), "{error}");
    }
}

#[test]
fn a_gradient_is_that_of_its_value_or_is_named() {
    let context = context();
    let places = [vec3(1.0, 2.0, 0.5), vec3(1.4, 2.1, 0.3), vec3(0.9, 2.5, 0.4)];
    let good = |definition: &Definition, values: &[f32], count: usize| {
        check_gradient(&context, UserConstraint::define(definition).unwrap(), values, &places[..count])
    };
    good(&spring(), &[0.3, 0.0], 2).unwrap();
    good(&Definition::new("area", 3, &["area"], AREA), &[0.1], 3).unwrap();
    good(&track(), &[0.5, 2.0, 0.1, 0.6], 1).unwrap();
    let bent =
        Definition::new("bent", 2, &["rest_length", "compliance"], SPRING.replace("-n.xyz, n.xyz", "-n.xyz, n.xzy"));
    let error = good(&bent, &[0.3, 0.0], 2).unwrap_err();
    let SolverError::Gradient(wrong) = &error else { panic!("{error}") };
    assert_eq!((wrong.kind.as_str(), wrong.equation, wrong.particle), ("bent", 0, 'b'), "{error}");
    assert!("yz".contains(wrong.axis) && (wrong.given - wrong.found).abs() > 0.1, "{error}");
    let nothing =
        Definition::new("nothing", 2, &["zero"], SPRING.replace("n.w - row.a.x, row.a.y", "n.w / row.a.x, 0.0"));
    assert!(matches!(good(&nothing, &[0.0], 2), Err(SolverError::Gradient(_))), "what is no number is no gradient");
    let broken = Definition::new("broken_too", 2, &[], "fn equation() {");
    assert!(matches!(good(&broken, &[], 2), Err(SolverError::Constraint { .. })));
    assert!(matches!(good(&spring(), &[0.3], 2), Err(SolverError::Scene(SceneError::Constraint(_)))));
}

#[test]
fn definitions_and_rows_out_of_range_are_refused() {
    let good = spring();
    let bad = [
        (Definition { name: "Spring".into(), ..good.clone() }, "small letters"),
        (Definition { name: String::new(), ..good.clone() }, "small letters"),
        (Definition { name: "distance".into(), ..good.clone() }, "built in"),
        (Definition { particles: 5, name: "five".into(), ..good.clone() }, "1 to 4"),
        (Definition { equations: 0, name: "none".into(), ..good.clone() }, "1 to 4"),
        (Definition { values: vec!["x".into(); 13], name: "many".into(), ..good.clone() }, "at most 12"),
        (good.clone().keeping(Keeps::WorldPoint { first: 1 }), "three of its numbers"),
        (good.clone().keeping(Keeps::Distance { rest_length: 0, most: 2 }), "those of its numbers"),
        (good.clone().keeping(Keeps::Bend), "4 to keep"),
    ];
    let mut scene = Scene::default();
    for (definition, words) in bad {
        let error = scene.define_constraint(&definition).unwrap_err();
        assert!(matches!(error, SceneError::Definition(_)) && error.to_string().contains(words), "{error}");
    }
    let kind = scene.define_constraint(&good).unwrap();
    let error = scene.define_constraint(&Definition { text: String::new(), ..good }).unwrap_err();
    assert!(error.to_string().contains("another definition"), "{error}");
    let ids = [Vec3::ZERO, Vec3::X].map(|at| particle(&mut scene, at, 1.0));
    for (particles, values, words) in [
        (&ids[..1], &[0.1, 0.0][..], "number of particles is 1"),
        (&ids[..], &[0.1][..], "number of values is 1"),
        (&ids[..], &[0.1, f32::NAN][..], "compliance is NaN"),
        (&[ids[0], ids[0]][..], &[0.1, 0.0][..], "twice"),
        (&[ids[0], ParticleId(9)][..], &[0.1, 0.0][..], "9"),
    ] {
        let error = scene.add_user_constraint(kind, particles, values).unwrap_err();
        assert!(error.to_string().contains(words), "{error}");
    }
    assert!(scene.constraints.is_empty());
}
