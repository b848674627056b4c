//! Characters between clips and places: their root motion, clips that are left for one another, and what they take along when they are
//! put elsewhere.

use crate::gltf_maker::F32;
use crate::gltf_maker::creature::Creature;
use glam::{Quat, Vec3, Vec4, vec3};
use serde_json::json;
use sinew::animation::{Cast, LimpAt, Performer};
use sinew::gpu::Context;
use sinew::report::{Snapshot, stretches};
use sinew::scene::{BodyDesc, BodyGoal, BodyId, BodyMove, Collider, Placement, Scene, Shape};
use sinew::solver::Solver;
use sinew::spawn::Character;

const DT: f32 = 1.0 / 60.0;

fn root(performer: &Performer) -> Vec3 {
    performer.placements()[performer.rig().root().unwrap()].position
}

fn alone(performer: Performer) -> Cast {
    let mut cast = Cast::default();
    cast.add(performer);
    cast
}

/// A person who goes 0.8 m ahead in half a second: in `step` to end as it began, in `dodge` turned. In `idle` it stays.
fn walker() -> Character {
    let mut maker = Creature::human().maker();
    let times = maker.accessor(F32, "SCALAR", false, &[0.0, 0.5]);
    let still = maker.accessor(F32, "VEC3", false, &[0.0, 0.95, 0.0, 0.0, 0.95, 0.0]);
    let ahead = maker.accessor(F32, "VEC3", false, &[0.0, 0.95, 0.0, 0.0, 0.95, 0.8]);
    let turned = maker.accessor(F32, "VEC4", false, &[0.0, 0.0, 0.0, 1.0, 0.0, 0.3, 0.0, 0.953_939]);
    let target = |path: &str| json!({"node": 1, "path": path});
    let clip = |name: &str, way: usize| {
        json!({"name": name, "samplers": [{"input": times, "output": way}],
            "channels": [{"sampler": 0, "target": target("translation")}]})
    };
    let mut dodge = clip("dodge", ahead);
    dodge["samplers"].as_array_mut().unwrap().push(json!({"input": times, "output": turned}));
    dodge["channels"].as_array_mut().unwrap().push(json!({"sampler": 1, "target": target("rotation")}));
    maker.json["animations"] = json!([clip("idle", still), clip("step", ahead), dodge]);
    let path = std::env::temp_dir().join(format!("sinew-walker-{}.glb", std::process::id()));
    std::fs::write(&path, maker.glb()).unwrap();
    let character = Character::load(&path);
    std::fs::remove_file(&path).unwrap();
    character.unwrap()
}

/// Frames until it goes over to another clip, and seconds that this takes.
type Change = (u32, &'static str, f32);

#[test]
fn clips_that_go_ahead_never_slide_back() {
    let character = walker();
    let loops: [(&str, &[Change]); 5] = [
        ("step", &[]),
        ("dodge", &[]),
        ("dodge", &[(15, "idle", 0.25)]),
        ("dodge", &[(25, "idle", 0.5), (40, "step", 0.25), (43, "dodge", 1.0)]),
        ("step", &[(25, "idle", 0.5)]),
    ];
    for (first, next) in loops {
        for carried in [true, false] {
            let mut scene = Scene::default();
            let mut performer = character.stand(&mut scene, Vec3::ZERO).unwrap();
            performer.set_root_motion(carried);
            performer.play_over(first, 0.0).unwrap();
            let mut cast = alone(performer);
            let start = root(&cast.performers[0]).z;
            let (mut back, mut fastest) = (0.0_f32, 0.0_f32);
            for frame in 0..120 {
                let before = root(&cast.performers[0]).z;
                for (_, clip, seconds) in next.iter().filter(|(at, ..)| *at == frame) {
                    cast.performers[0].play_over(clip, *seconds).unwrap();
                }
                let _ = cast.advance(DT);
                let step = root(&cast.performers[0]).z - before;
                (back, fastest) = (back.max(-step), fastest.max(step));
            }
            let (way, place) = (root(&cast.performers[0]).z - start, cast.performers[0].place().position.z);
            assert!(back < 1e-3 && fastest < 0.04, "{first} {next:?} {carried}: {back} m back, {fastest} m ahead");
            assert!((way - place).abs() < 1e-3, "{first} {next:?} {carried}: hips came {way} m, the place {place} m");
            assert_eq!(place > 0.3, carried, "{first} {next:?}: {place} m");
            if first == "step" && next.is_empty() && carried {
                assert!((place - 3.2).abs() < 0.01, "{place} m in four steps");
            }
        }
    }
}

#[test]
fn a_clip_that_is_left_again_does_not_jump() {
    let mut scene = Scene::default();
    let dancer = Character::dancer().unwrap().undressed().stand(&mut scene, Vec3::ZERO).unwrap();
    let mut cast = alone(dancer);
    cast.performers[0].play_over("idle", 0.0).unwrap();
    let _ = cast.advance(DT);
    let mut widest = 0.0_f32;
    for frame in 0..90 {
        let clip = match frame {
            30 | 44 => "dance",
            38 => "idle",
            47 => "walk",
            _ => cast.performers[0].clips().nth(cast.performers[0].clip().unwrap()).unwrap(),
        };
        let clip = clip.to_owned();
        cast.performers[0].play_over(&clip, 0.5).unwrap();
        let before = cast.performers[0].placements().to_vec();
        let _ = cast.advance(DT);
        let turns =
            before.iter().zip(cast.performers[0].placements()).map(|(a, b)| a.rotation.angle_between(b.rotation));
        widest = turns.fold(widest, f32::max);
    }
    println!("{}° in a frame at most", widest.to_degrees());
    assert!(widest.to_degrees() < 20.0, "{}° in a frame", widest.to_degrees());
}

#[test]
fn who_goes_limp_by_itself_is_let_go_of() {
    let mut scene = Scene::default();
    let dancer = Character::dancer().unwrap().undressed().stand(&mut scene, Vec3::ZERO).unwrap();
    let mut cast = alone(dancer);
    assert!(cast.advance(DT).released.is_empty());
    let arm = cast.performers[0].loosen("leftUpperArm").unwrap();
    assert_eq!(cast.advance(DT).released, arm);
    assert!(cast.advance(DT).released.is_empty());
    let all = cast.performers[0].go_limp().to_vec();
    let cues = cast.advance(DT);
    assert!(cues.goals.is_empty() && cues.released == all);
    assert!(cast.advance(DT).released.is_empty());
}

/// Bodies of a dancer who lies on her back with her hips 0.2 m above a height.
fn lying(scene: &Scene, performer: &Performer, height: f32) -> Vec<Placement> {
    let hips = Placement::from(root(performer));
    let down = Placement { position: height * Vec3::Y + 0.2 * Vec3::Y, rotation: Quat::from_rotation_x(-1.5) };
    let at = |body: &sinew::scene::Body| {
        let inner = Placement { position: hips.local(body.position), rotation: body.rotation };
        down.then(&inner)
    };
    scene.bodies.iter().map(at).collect()
}

#[test]
fn who_gets_up_does_so_where_it_is_put() {
    let mut scene = Scene::default();
    let dancer = Character::dancer().unwrap().undressed().stand(&mut scene, 3.0 * Vec3::Y).unwrap();
    let deck = Collider::new(Shape::Cuboid(vec3(1.0, 0.5, 1.0)), 2.5 * Vec3::Y);
    for collider in [deck, Collider::ground(0.0)] {
        scene.add_collider(collider).unwrap();
    }
    let lies = lying(&scene, &dancer, 3.0);
    let mut cast = alone(dancer);
    cast.go_limp();
    cast.get_up(&lies, &scene);
    (0..5).for_each(|_| drop(cast.advance(DT)));
    let lowest = |cast: &Cast| cast.performers[0].rig().lowest(cast.performers[0].placements());
    assert!((lowest(&cast) - 3.0).abs() < 0.3, "{} m", lowest(&cast));
    cast.performers[0].teleport((10.0 * Vec3::X + 0.5 * Vec3::Y).into());
    let _ = cast.advance(DT);
    assert!((lowest(&cast) - 0.5).abs() < 0.3, "{} m", lowest(&cast));
    assert!(root(&cast.performers[0]).distance(10.0 * Vec3::X) < 1.5, "{}", root(&cast.performers[0]));
    let before = lowest(&cast);
    cast.performers[0].walk(-0.5 * Vec3::Y, 0.0);
    let _ = cast.advance(DT);
    assert!((lowest(&cast) - before + 0.5).abs() < 0.1, "{} m, {before} m before", lowest(&cast));
}

#[test]
fn who_was_dropped_has_its_mass_muscles_and_place() {
    let mut scene = Scene::default();
    let dancer = Character::dancer().unwrap().undressed();
    let mut cast = Cast::default();
    for x in [-3.0, 3.0] {
        let turned = Quat::from_rotation_y(0.5) * Quat::from_rotation_x(0.3);
        cast.add(dancer.add_to(&mut scene, vec3(x, 0.0, 1.0), turned, Vec4::ONE).unwrap().unwrap());
    }
    let lies = lying(&scene, &cast.performers[0], 0.0);
    let mut risen = cast.clone();
    for performer in &mut risen.performers {
        let mass: f32 = performer.bodies().iter().map(|id| scene.body(*id).mass).sum();
        assert!((performer.strength() - 0.5 * mass).abs() < 1e-3 * mass, "{} N s of {mass} kg", performer.strength());
        performer.drive_limb("leftUpperArm", 0.5).unwrap();
    }
    scene.add_collider(Collider::ground(0.0)).unwrap();
    risen.get_up(&lies, &scene);
    assert!(risen.advance(DT).strengths.iter().all(|strength| strength.impulse.is_finite()));
    cast.limp_at(LimpAt { frame: 30, limb: None }, &mut scene).unwrap();
    for (performer, x) in cast.performers.iter().zip([-3.0, 3.0]) {
        assert!(root(performer).with_y(0.0).distance(vec3(x, 0.0, 1.0)) < 0.4, "{} at {x}", root(performer));
        let place = performer.place().rotation;
        assert!((place * Vec3::Y).y > 0.999 && (place * Vec3::Z).x > 0.3, "{place}");
    }
}

fn far() -> Placement {
    Placement { position: vec3(5.0, 0.0, -2.0), rotation: Quat::from_rotation_y(2.0) }
}

#[test]
fn clothes_come_along_with_who_is_put_elsewhere() {
    let mut scene = Scene::default();
    scene.add_collider(Collider::ground(0.0)).unwrap();
    let mut dancer = Character::dancer().unwrap().stand(&mut scene, Vec3::ZERO).unwrap();
    dancer.play_over("idle", 0.0).unwrap();
    let mut cast = alone(dancer);
    let mut solver = Solver::new(&Context::shared().unwrap(), &scene).unwrap();
    let cloth: Vec<usize> = scene
        .deformables
        .iter()
        .flat_map(|e| e.first_particle.0..e.first_particle.0 + e.particle_count)
        .map(|i| i as usize)
        .collect();
    assert!(cloth.len() > 500);
    let garments = |solver: &Solver| -> Vec<Vec3> {
        let places = solver.read_particles().unwrap();
        cloth.iter().map(|i| Vec3::from_slice(&places[*i][..3])).collect()
    };
    let mut before = Vec::new();
    for frame in 0..6 {
        if frame == 3 {
            before = garments(&solver);
            cast.performers[0].teleport(far());
        }
        solver.direct(&mut cast).unwrap();
        solver.step();
    }
    let off = before.iter().zip(garments(&solver)).map(|(was, is)| far().point(*was).distance(is)).fold(0.0, f32::max);
    let (bodies, particles) = (solver.read_bodies().unwrap(), solver.read_particles().unwrap());
    let state = Snapshot::start(&scene).next(&bodies, &particles, DT);
    let stretch = stretches(&scene, &state).map(f64::abs).fold(0.0, f64::max);
    println!("cloth is {off} m from where it was carried, stretched by {stretch} at most");
    assert!(off < 0.25 && stretch < 0.5, "{off} m, {stretch}");
    assert!(solver.read_health().unwrap().is_good());
}

#[test]
fn who_is_driven_goes_where_it_is_put_and_stands_there() {
    let mut scene = Scene::default();
    scene.add_collider(Collider::ground(0.0)).unwrap();
    let mut dancer = Character::dancer().unwrap().undressed().stand(&mut scene, Vec3::ZERO).unwrap();
    dancer.play_over("idle", 0.0).unwrap();
    dancer.drive(1.0).unwrap();
    let hips = dancer.bodies()[dancer.rig().root().unwrap()].0 as usize;
    let mut cast = alone(dancer);
    let mut solver = Solver::new(&Context::shared().unwrap(), &scene).unwrap();
    for frame in 0..70 {
        if frame == 20 {
            cast.performers[0].teleport(far());
        }
        solver.direct(&mut cast).unwrap();
        solver.step();
        assert!(!cast.performers[0].has_fallen(), "fallen in frame {frame}");
    }
    let at = solver.read_placements().unwrap()[hips];
    assert!(at.position.with_y(0.0).distance(far().position) < 0.3 && at.position.y > 0.6, "{}", at.position);
    assert!((at.rotation * Vec3::Z).dot(far().rotation * Vec3::Z) > 0.9, "{}", at.rotation);
    assert!(solver.read_health().unwrap().is_good());
}

#[test]
fn bodies_that_are_moved_keep_their_motion_and_held_ones_stay() {
    let mut scene = Scene::default();
    scene.params.gravity = Vec3::ZERO;
    let mut ball = BodyDesc::sphere(0.2, 0.1);
    ball.velocity = Vec3::X;
    let [thrown, held] = [0.0, 1.0].map(|y| scene.add_body(ball.clone().at(y * Vec3::Y)).unwrap());
    let mut solver = Solver::new(&Context::shared().unwrap(), &scene).unwrap();
    let stays = Placement::from(Vec3::Y);
    solver.pose_bodies(&[BodyGoal { body: held, from: stays, to: stays }]).unwrap();
    (0..3).for_each(|_| solver.step());
    let by = Placement { position: 4.0 * Vec3::Z, rotation: Quat::from_rotation_y(-std::f32::consts::FRAC_PI_2) };
    let before = solver.read_placements().unwrap()[thrown.0 as usize].position;
    let wrong = BodyMove { bodies: vec![thrown, BodyId(9)], by };
    assert!(solver.move_bodies(&[wrong]).unwrap_err().to_string().contains('9'));
    solver.move_bodies(&[BodyMove { bodies: vec![thrown, held], by }]).unwrap();
    solver.step();
    let bodies = solver.read_bodies().unwrap();
    let velocity = Vec3::from(bodies[thrown.0 as usize].velocity);
    assert!(velocity.distance(Vec3::Z) < 0.02, "{velocity} m/s");
    let at = Vec3::from(bodies[thrown.0 as usize].center);
    assert!(at.distance(by.point(before) + DT * Vec3::Z) < 1e-3, "{at}");
    assert_eq!(Vec3::from(bodies[held.0 as usize].center), Vec3::Y);
}

/// A tower of six crates of 0.3 m, at rest.
fn tower(scene: &mut Scene) -> Vec<BodyId> {
    (0..6)
        .map(|i| {
            scene.add_body(BodyDesc::cuboid(Vec3::splat(0.15), 0.05).at(Vec3::Y * (0.15 + 0.3 * i as f32))).unwrap()
        })
        .collect()
}

#[test]
fn what_is_put_elsewhere_is_not_drawn_back_to_where_it_stood() {
    let mut scene = Scene::default();
    scene.add_collider(Collider::ground(0.0)).unwrap();
    let mut table = BodyDesc::cuboid(Vec3::new(2.0, 0.25, 2.0), 0.1).at(Vec3::new(0.0, 0.25, -10.0));
    table.kinematic = true;
    scene.add_body(table).unwrap();
    let crate_at = |at: Vec3| BodyDesc::cuboid(Vec3::splat(0.15), 0.05).at(at);
    let lone = scene.add_body(crate_at(Vec3::new(5.0, 0.15, 0.0))).unwrap();
    let on_table = scene.add_body(crate_at(Vec3::new(0.0, 0.65, -10.0))).unwrap();
    let tower = tower(&mut scene);
    let mut solver = Solver::new(&Context::shared().unwrap(), &scene).unwrap();
    (0..60).for_each(|_| solver.step());
    let before = solver.read_placements().unwrap();
    let by = Placement::from(Vec3::X * 4.0);
    solver.move_bodies(&[BodyMove { bodies: tower.clone(), by }]).unwrap();
    let there = |id: BodyId| before[id.0 as usize].position + Vec3::X;
    for id in [lone, on_table] {
        solver.set_body_pose(id, there(id), before[id.0 as usize].rotation, Vec3::ZERO, Vec3::ZERO).unwrap();
    }
    let mut fastest = 0.0f32;
    for _ in 0..60 {
        solver.step();
        let bodies = solver.read_bodies().unwrap();
        let posed =
            tower.iter().chain([&lone, &on_table]).map(|id| Vec3::from(bodies[id.0 as usize].velocity).length());
        fastest = posed.fold(fastest, f32::max);
    }
    let after = solver.read_placements().unwrap();
    let off = |id: BodyId, to: Vec3| after[id.0 as usize].position.distance(to);
    let stand = tower.iter().map(|id| off(*id, by.point(before[id.0 as usize].position))).fold(0.0, f32::max);
    println!(
        "crates {} and {} m off, the tower {stand} m, at most {fastest} m/s",
        off(lone, there(lone)),
        off(on_table, there(on_table))
    );
    assert!(off(lone, there(lone)) < 2e-4 && off(on_table, there(on_table)) < 2e-4);
    assert!(stand < 1e-3 && fastest < 0.05);
}

#[test]
fn what_stands_on_a_body_that_the_host_moves_goes_along() {
    let mut scene = Scene::default();
    let mut table = BodyDesc::cuboid(Vec3::new(2.0, 0.25, 2.0), 0.1).at(Vec3::Y * -0.25);
    table.kinematic = true;
    let table = scene.add_body(table).unwrap();
    let rider = scene.add_body(BodyDesc::cuboid(Vec3::splat(0.15), 0.05).at(Vec3::Y * 0.15)).unwrap();
    let mut solver = Solver::new(&Context::shared().unwrap(), &scene).unwrap();
    (0..30).for_each(|_| solver.step());
    for frame in 1..=60 {
        let at = Vec3::new(0.005 * frame as f32, -0.25, 0.0);
        solver.set_body_pose(table, at, Quat::IDENTITY, Vec3::X * 0.3, Vec3::ZERO).unwrap();
        solver.step();
    }
    let at = solver.read_placements().unwrap()[rider.0 as usize].position;
    println!("the rider is at {at}");
    assert!((at.x - 0.3).abs() < 0.02, "{at}");
}
