//! What is kept ready enters the world and leaves it as if it had always been there, and costs nothing new.

use std::sync::Arc;
use std::time::Instant;

use glam::{Quat, Vec2, Vec3, Vec4, vec3};
use sinew::animation::{Cast, Performer, Rig};
use sinew::gpu::Context;
use sinew::scene::{
    BodyDesc, BodyId, Collider, ColliderId, Deformable, DeformableId, Dynamics, Grains, JointDesc, JointId, JointKind,
    Layers, Liquid, Motor, ParticleId, Placement, PoolId, Push, Scene, Shape, SheetGrid, SheetMaterial, Surface, Thing,
    is_stored,
};
use sinew::solver::{Drag, Health, Solver, SolverError, Spawned};
use sinew::spawn::Character;

const RADIUS: f32 = 0.05;

fn at(position: Vec3) -> Placement {
    Placement { position, ..Placement::IDENTITY }
}

fn crates() -> Scene {
    let mut scene = Scene::default();
    scene.add_body(BodyDesc::cuboid(Vec3::splat(0.15), RADIUS)).unwrap();
    scene
}

/// Two bodies and a joint between them.
fn pair() -> Scene {
    let mut scene = Scene::default();
    let arm = BodyDesc::capsule(0.08, 0.15, 0.04);
    let a = scene.add_body(arm.clone().at(Vec3::NEG_Y * 0.25)).unwrap();
    let b = scene.add_body(arm.at(Vec3::Y * 0.25)).unwrap();
    scene.add_joint(JointDesc::new(JointKind::Hinge, a, b, Vec3::ZERO, Vec3::Z, 0.04)).unwrap();
    scene
}

fn sheet() -> Scene {
    let grid = SheetGrid::square(8, 0.5);
    let sheet =
        Deformable::sheet("sheet", grid.positions(), &grid.triangles(), 0.02, &SheetMaterial::default()).unwrap();
    let mut scene = Scene::default();
    scene.add_deformable(&sheet, Vec3::ZERO, Quat::IDENTITY, Vec3::ZERO).unwrap();
    scene
}

/// A ball of sand, and one of water.
fn drops() -> Scene {
    let mut scene = Scene::default();
    let sand = scene.add_grains(Grains::sand(RADIUS)).unwrap();
    let water = scene.add_liquid(Liquid::water(RADIUS)).unwrap();
    let places: Vec<Vec3> = (0..8).map(|i| 0.11 * vec3((i & 1) as f32, (i >> 1 & 1) as f32, (i >> 2) as f32)).collect();
    scene.heap(sand, &places, Vec3::ZERO).unwrap();
    let aside: Vec<Vec3> = places.iter().map(|p| *p + Vec3::X).collect();
    scene.pour(water, &aside, Vec3::ZERO).unwrap();
    scene
}

fn world(pools: &[(Scene, u32)]) -> (Scene, Vec<PoolId>) {
    let mut scene = Scene::default();
    scene.add_collider(Collider::ground(0.0)).unwrap();
    let ids = pools.iter().map(|(prefab, count)| scene.add_pool(prefab, *count).unwrap()).collect();
    (scene, ids)
}

fn solver(scene: &Scene) -> Solver {
    Solver::new(&Context::shared().expect("adapter"), scene).unwrap()
}

fn run(solver: &mut Solver, frames: usize) {
    (0..frames).for_each(|_| solver.step());
}

fn healthy(solver: &Solver) {
    let health = solver.read_health().unwrap();
    let Health { non_finite, out_of_bounds, contacts_dropped, .. } = health;
    assert_eq!((non_finite, out_of_bounds, contacts_dropped), (0, 0, 0));
}

/// Where the particles of a copy are [m].
fn places(solver: &Solver, spawned: Spawned) -> Vec<Vec3> {
    let part = solver.part(spawned).unwrap();
    let range = part.particles.start as usize..part.particles.end as usize;
    solver.read_particles().unwrap()[range].iter().map(|p| Vec3::from_slice(p)).collect()
}

#[test]
fn locked_axes_turn_with_what_enters() {
    let mut cart = Scene::default();
    let mut body = BodyDesc::cuboid(Vec3::splat(0.15), RADIUS);
    body.dynamics = Dynamics::planar();
    cart.add_body(body).unwrap();
    let (scene, pools) = world(&[(cart, 1)]);
    let mut solver = solver(&scene);
    let turned = |angle: f32| Placement { position: Vec3::Y, rotation: Quat::from_rotation_y(angle) };
    let told = solver.spawn_from(pools[0], turned(0.7), Vec3::ZERO).unwrap_err().to_string();
    assert!(told.contains("multiples of 90 degrees"), "{told}");
    assert_eq!(solver.room_in(pools[0]).unwrap(), 1);
    let spawned = solver.spawn_from(pools[0], turned(std::f32::consts::FRAC_PI_2), Vec3::ZERO).unwrap();
    let id = solver.part(spawned).unwrap().body(BodyId(0));
    solver.push(Push::velocity_change(id, vec3(1.0, 0.0, 1.0))).unwrap();
    run(&mut solver, 10);
    let velocity = solver.read_bodies().unwrap()[id.0 as usize].velocity();
    assert!(velocity.x.abs() < 1e-6 && velocity.z > 0.9, "goes at {velocity}");
}

#[test]
fn one_body_is_read_and_woken() {
    let mut scene = Scene::default();
    scene.params.sleep_time = 0.1;
    scene.add_collider(Collider::ground(0.0)).unwrap();
    let ids =
        [0.0, 3.0].map(|x| scene.add_body(BodyDesc::cuboid(Vec3::splat(0.15), RADIUS).at(vec3(x, 0.15, 0.0))).unwrap());
    let [first, second] = ids;
    assert!(scene.ignore(first, BodyId(9)).unwrap_err().to_string().contains("body 9 does not exist"));
    let mut solver = solver(&scene);
    run(&mut solver, 60);
    assert_eq!(solver.read_body(second).unwrap(), solver.read_bodies().unwrap()[1]);
    assert_eq!(ids.map(|id| solver.read_body(id).unwrap().inv_mass), [0.0; 2], "both sleep");
    solver.wake_body(second).unwrap();
    solver.step();
    assert!(solver.read_body(second).unwrap().inv_mass > 0.0 && solver.read_body(first).unwrap().inv_mass == 0.0);
    solver.remove_body(second).unwrap();
    assert_eq!(solver.read_body(second).unwrap_err(), SolverError::Removed(second));
    assert_eq!(solver.wake_body(second).unwrap_err(), SolverError::Removed(second));
}

#[test]
fn what_is_near_a_body_wakes_with_it() {
    let mut scene = Scene::default();
    scene.params.sleep_time = 0.1;
    scene.add_collider(Collider::ground(0.0)).unwrap();
    let ids = [0.15, 0.45]
        .map(|y| scene.add_body(BodyDesc::cuboid(Vec3::splat(0.15), RADIUS).at(vec3(0.0, y, 0.0))).unwrap());
    let mut solver = solver(&scene);
    run(&mut solver, 120);
    let asleep = |solver: &Solver| ids.map(|id| solver.read_body(id).unwrap().inv_mass == 0.0);
    assert_eq!(asleep(&solver), [true; 2]);
    solver.wake_body(ids[0]).unwrap();
    solver.step();
    assert_eq!(asleep(&solver), [false; 2]);
}

#[test]
fn particles_of_objects_have_names() {
    let mut scene = Scene::default();
    for _ in 0..2 {
        scene.append(&sheet(), at(Vec3::ZERO), Vec3::ZERO).unwrap();
    }
    let count = scene.particles_of(DeformableId(0)).len() as u32;
    assert_eq!(scene.particle(DeformableId(1), 3), Ok(ParticleId(count + 3)));
    let told = scene.particle(DeformableId(1), count).unwrap_err().to_string();
    assert!(told.contains("deformable `sheet`: particle"), "{told}");
    assert!(scene.particle(DeformableId(2), 0).unwrap_err().to_string().contains("object 2 does not exist"));
}

/// Who performs for a copy of the dancer.
fn performer(solver: &Solver, rig: &Arc<Rig>, spawned: Spawned) -> Performer {
    let part = solver.part(spawned).unwrap();
    let bodies = (0..rig.limbs().len() as u32).map(|limb| part.body(BodyId(limb))).collect();
    let mut performer = Performer::new(Arc::clone(rig), bodies, part.instances.start as usize);
    performer.get_up(&solver.read_placements().unwrap(), solver.scene());
    performer
}

#[test]
fn who_performed_for_a_copy_does_not_for_the_next_one() {
    let mut prefab = Scene::default();
    let dancer = Character::dancer().unwrap().undressed();
    let rig = dancer.add_to(&mut prefab, Vec3::ZERO, Quat::IDENTITY, Vec4::ONE).unwrap().unwrap().rig().clone();
    let (scene, pools) = world(&[(prefab, 1)]);
    let (mut solver, mut cast) = (solver(&scene), Cast::default());
    let play = |solver: &mut Solver, cast: &mut Cast, frames: u32| {
        for _ in 0..frames {
            solver.direct(cast).unwrap();
            solver.step();
        }
    };
    let first = solver.spawn_from(pools[0], at(Vec3::ZERO), Vec3::ZERO).unwrap();
    solver.step();
    let own = cast.add(performer(&solver, &rig, first));
    play(&mut solver, &mut cast, 30);
    assert!(cast.performers[own].is_present() && !cast.is_limp());
    solver.despawn(first).unwrap();
    let second = solver.spawn_from(pools[0], at(vec3(5.0, 2.0, 0.0)), Vec3::ZERO).unwrap();
    play(&mut solver, &mut cast, 60);
    assert!(!cast.performers[own].is_present() && cast.is_empty());
    let id = solver.part(second).unwrap().body(BodyId(0));
    let root = solver.read_bodies().unwrap()[id.0 as usize].center();
    assert!((root.x - 5.0).abs() < 1.0 && root.y < 0.8, "the second lies where it fell: {root}");
    // Its own performer has the place of one who was taken out, and lets go when it is taken out itself.
    assert!(cast.remove(own) && !cast.remove(own) && !cast.remove(7));
    assert_eq!(cast.add(performer(&solver, &rig, second)), own);
    play(&mut solver, &mut cast, 120);
    let root = solver.read_bodies().unwrap()[id.0 as usize].center();
    assert!(root.y > 0.8, "it stands: {root}");
    assert!(cast.remove(own));
    play(&mut solver, &mut cast, 90);
    let root = solver.read_bodies().unwrap()[id.0 as usize].center();
    assert!(root.y < 0.8 && cast.is_empty(), "it lies: {root}");
}

#[test]
fn what_enters_moves_as_if_it_had_always_been_there() {
    let place = Placement { position: vec3(0.3, 1.0, -0.2), rotation: Quat::from_rotation_z(0.4) };
    let fast = vec3(0.5, 0.0, 0.2);
    for prefab in [crates(), pair(), sheet(), drops()] {
        let mut alone = Scene::default();
        alone.add_collider(Collider::ground(0.0)).unwrap();
        alone.append(&prefab, place, fast).unwrap();
        let mut expected = solver(&alone);
        let (scene, pools) = world(&[(prefab, 3)]);
        let mut pooled = solver(&scene);
        run(&mut pooled, 2);
        let spawned = pooled.spawn_from(pools[0], place, fast).unwrap();
        for frames in [1, 20, 40] {
            run(&mut expected, frames);
            run(&mut pooled, frames);
            let wanted: Vec<Vec3> = expected.read_particles().unwrap().iter().map(|p| Vec3::from_slice(p)).collect();
            let found = places(&pooled, spawned);
            let off = wanted.iter().zip(&found).map(|(a, b)| a.distance(*b)).fold(0.0, f32::max);
            assert!(off < 1e-3, "{off} m off after {frames} frames more, of {} particles", wanted.len());
        }
        healthy(&pooled);
    }
}

#[test]
fn what_comes_again_is_as_new() {
    for prefab in [crates(), pair(), sheet(), drops()] {
        let (scene, pools) = world(&[(prefab, 1)]);
        let mut solver = solver(&scene);
        let mut lives = Vec::new();
        for life in 0..3 {
            let spawned = solver.spawn_from(pools[0], at(Vec3::Y * 0.8), Vec3::X).unwrap();
            run(&mut solver, 30);
            lives.push(places(&solver, spawned));
            solver.despawn(spawned).unwrap();
            run(&mut solver, 3);
            let particles = solver.read_particles().unwrap();
            let bodies = solver.read_bodies().unwrap();
            let away = |i: usize| is_stored(Vec3::from_slice(&particles[i]));
            assert!(!bodies.is_empty() || (0..particles.len()).all(away), "life {life}");
            assert!(bodies.iter().all(|body| body.rotation == [0.0; 4]), "life {life}");
        }
        for life in &lives[1..] {
            let off = lives[0].iter().zip(life).map(|(a, b)| a.distance(*b)).fold(0.0, f32::max);
            assert!(off < 1e-3, "{off} m off in another life");
        }
        healthy(&solver);
    }
}

#[test]
fn what_is_absent_changes_nothing() {
    let mut few = Scene::default();
    few.add_collider(Collider::ground(0.0)).unwrap();
    let ball = BodyDesc { velocity: Vec3::X, ..BodyDesc::sphere(0.15, RADIUS).at(Vec3::Y * 0.6) };
    let drop = |scene: &mut Scene| {
        scene.add_body(ball.clone()).unwrap();
        scene.append(&sheet(), at(vec3(0.2, 0.3, 0.0)), Vec3::ZERO).unwrap();
    };
    drop(&mut few);
    let mut many = few.clone();
    for prefab in [crates(), pair(), sheet(), drops()] {
        many.add_pool(&prefab, 4).unwrap();
    }
    let (mut few, mut many) = (solver(&few), solver(&many));
    run(&mut few, 60);
    run(&mut many, 60);
    let (a, b) = (few.read_particles().unwrap(), many.read_particles().unwrap());
    let off = a.iter().zip(&b).map(|(a, b)| Vec3::from_slice(a).distance(Vec3::from_slice(b))).fold(0.0, f32::max);
    assert!(off < 0.02, "{off} m off beside what is absent");
    assert!(b[a.len()..].iter().zip(a.len()..).all(|(p, _)| is_stored(Vec3::from_slice(p))), "in the world");
    healthy(&many);
}

#[test]
fn what_lay_on_a_copy_falls_when_it_leaves() {
    let (scene, pools) = world(&[(crates(), 3)]);
    let mut solver = solver(&scene);
    let stack: Vec<Spawned> =
        [0.15, 0.45].iter().map(|y| solver.spawn_from(pools[0], at(Vec3::Y * *y), Vec3::ZERO).unwrap()).collect();
    run(&mut solver, 120);
    assert!(solver.read_bodies().unwrap().iter().all(|body| body.inv_mass == 0.0), "asleep, or not there");
    solver.despawn(stack[0]).unwrap();
    run(&mut solver, 60);
    let upper = solver.part(stack[1]).unwrap().body(BodyId(0));
    let height = solver.read_bodies().unwrap()[upper.0 as usize].center[1];
    assert!((height - 0.15).abs() < 0.02, "at {height} m");
}

#[test]
fn colliders_come_and_go() {
    let mut bump = Scene::default();
    bump.add_collider(Collider::new(Shape::Cuboid(vec3(0.5, 0.1, 0.5)), Vec3::ZERO)).unwrap();
    let (mut scene, pools) = world(&[(bump, 2)]);
    let ball = scene.add_body(BodyDesc::sphere(0.15, RADIUS).at(Vec3::Y * 0.5)).unwrap();
    let mut solver = solver(&scene);
    let height = |solver: &Solver| solver.read_bodies().unwrap()[ball.0 as usize].center[1];
    let table = solver.spawn_from(pools[0], at(Vec3::Y * 0.1), Vec3::ZERO).unwrap();
    run(&mut solver, 90);
    assert!((height(&solver) - 0.35).abs() < 0.02, "on the table at {} m", height(&solver));
    solver.despawn(table).unwrap();
    run(&mut solver, 60);
    assert!((height(&solver) - 0.15).abs() < 0.02, "on the ground at {} m", height(&solver));
}

#[test]
fn a_grown_scene_keeps_who_is_there() {
    let (mut scene, pools) = world(&[(crates(), 2), (sheet(), 2)]);
    let mut solver = solver(&scene);
    let crate_there = solver.spawn_from(pools[0], at(Vec3::Y * 0.15), Vec3::ZERO).unwrap();
    let sheet_there = solver.spawn_from(pools[1], at(vec3(2.0, 0.3, 0.0)), Vec3::ZERO).unwrap();
    run(&mut solver, 30);
    let before = [places(&solver, crate_there), places(&solver, sheet_there)];
    scene.add_body(BodyDesc::sphere(0.1, RADIUS).at(vec3(-3.0, 0.1, 0.0))).unwrap();
    solver.spawn(&scene).unwrap();
    let after = [places(&solver, crate_there), places(&solver, sheet_there)];
    assert_eq!(before, after);
    run(&mut solver, 30);
    let absent = solver.spawn_from(pools[1], at(vec3(-2.0, 0.3, 2.0)), Vec3::ZERO).unwrap();
    run(&mut solver, 30);
    let lowest = |spawned| places(&solver, spawned).iter().map(|p| p.y).fold(f32::MAX, f32::min);
    for spawned in [crate_there, sheet_there, absent] {
        assert!((0.0..0.1).contains(&lowest(spawned)), "{}", lowest(spawned));
    }
    healthy(&solver);
}

#[test]
fn refusals_name_the_handle() {
    let (mut scene, pools) = world(&[(crates(), 1)]);
    let data = scene.bodies.len() as u64 + 40;
    scene.set_user_data(Thing::Body(BodyId(0)), data).unwrap();
    let mut solver = solver(&scene);
    let nowhere = solver.spawn_from(PoolId(7), at(Vec3::Y), Vec3::ZERO).unwrap_err();
    assert_eq!(nowhere, SolverError::Missing { what: "pool", index: 7, count: 1 });
    assert!(solver.spawn_from(pools[0], at(Vec3::NAN), Vec3::ZERO).unwrap_err().to_string().contains("position"));
    assert_eq!(solver.room_in(pools[0]), Ok(1));
    let spawned = solver.spawn_from(pools[0], at(Vec3::Y), Vec3::ZERO).unwrap();
    let empty = solver.spawn_from(pools[0], at(Vec3::Y), Vec3::ZERO).unwrap_err();
    assert_eq!(empty, SolverError::PoolEmpty { pool: pools[0], count: 1 });
    let body = solver.part(spawned).unwrap().body(BodyId(0));
    assert_eq!(solver.remove_body(body), Err(SolverError::Pooled(body)));
    assert_eq!(solver.spawned_of(Thing::Body(body)), Some(spawned));
    assert_eq!(solver.spawned_of(Thing::Collider(ColliderId(0))), None, "the ground is of no pool");
    solver.despawn(spawned).unwrap();
    assert_eq!(solver.spawned_of(Thing::Body(body)), None);
    assert_eq!(solver.despawn(spawned), Err(SolverError::Stale(spawned)));
    let next = solver.spawn_from(pools[0], at(Vec3::Y), Vec3::ZERO).unwrap();
    assert_eq!(solver.part(spawned), Err(SolverError::Stale(spawned)));
    assert_eq!(solver.part(next).unwrap().deformable(DeformableId(0)), DeformableId(0));
    assert_eq!(solver.scene().user_data(Thing::Body(body)), data);
}

#[test]
fn each_copy_has_its_own_number_and_layers() {
    let (mut scene, pools) = world(&[(crates(), 3)]);
    let bodies: Vec<BodyId> = scene.pools[0].copies.iter().map(|copy| copy.body(BodyId(0))).collect();
    for (i, id) in (0..).zip(&bodies) {
        scene.set_user_data(Thing::Body(*id), 100 + i).unwrap();
        scene.set_layers(Thing::Body(*id), Layers { of: 1 << i, meets: !0 }).unwrap();
    }
    let mut solver = solver(&scene);
    let told = |solver: &Solver, id: BodyId| {
        (solver.scene().user_data(Thing::Body(id)), solver.scene().layers_of(Thing::Body(id)).of)
    };
    let all: Vec<Spawned> = (0..3_u16)
        .map(|i| solver.spawn_from(pools[0], at(vec3(f32::from(i), 1.0, 0.0)), Vec3::ZERO).unwrap())
        .collect();
    solver.set_user_data(Thing::Body(bodies[1]), 7).unwrap();
    solver.set_layers(Thing::Body(bodies[2]), Layers { of: 8, meets: !0 }).unwrap();
    assert_eq!(bodies.iter().map(|id| told(&solver, *id)).collect::<Vec<_>>(), [(100, 1), (7, 2), (102, 8)]);
    all.into_iter().for_each(|spawned| solver.despawn(spawned).unwrap());
    for _ in 0..3 {
        solver.spawn_from(pools[0], at(Vec3::Y), Vec3::ZERO).unwrap();
    }
    assert_eq!(bodies.iter().map(|id| told(&solver, *id)).collect::<Vec<_>>(), [(100, 1), (101, 2), (102, 4)]);
}

/// What a crowd that comes and goes costs.
struct Rush {
    /// Of one that enters, and one that leaves [ms].
    hosts: Vec<f64>,
    /// From what the host does until the GPU is done [ms]; none where nothing waits.
    frames: Vec<f64>,
    /// What processors did of that [ms]: where the GPU is software, others that use the machine do not count.
    worked: Vec<f64>,
}

/// How long processors have worked for this program [ms]; none where nobody tells.
fn worked() -> Option<f64> {
    let of_thread = |thread: std::fs::DirEntry| {
        let told = std::fs::read_to_string(thread.path().join("schedstat")).ok()?;
        told.split(' ').next()?.parse::<f64>().ok()
    };
    let threads = std::fs::read_dir("/proc/self/task").ok()?;
    Some(threads.filter_map(|thread| of_thread(thread.ok()?)).sum::<f64>() * 1e-6)
}

impl Rush {
    fn part(times: &[f64], part: f64) -> f64 {
        let mut sorted = times.to_vec();
        sorted.sort_by(f64::total_cmp);
        sorted[((sorted.len() - 1) as f64 * part) as usize]
    }
}

/// Lets so many enter in each of so many frames, and the eldest leave once there is no room.
fn rush(solver: &mut Solver, pools: &[PoolId], frames: u32, each: u32, timed: bool) -> Rush {
    let mut there = std::collections::VecDeque::new();
    let mut rush = Rush { hosts: Vec::new(), frames: Vec::new(), worked: Vec::new() };
    for frame in 0..frames {
        let (start, before) = (Instant::now(), worked());
        for i in frame * each..(frame + 1) * each {
            let (turn, far) = (i as f32 * 2.4, (i % 7) as f32 * 0.4);
            let (x, z) = (Vec2::from_angle(turn) * far).into();
            let pool = pools[i as usize % pools.len()];
            let entering = Instant::now();
            if solver.room_in(pool) == Ok(0) {
                let place = there.iter().position(|(of, _)| *of == pool).unwrap();
                solver.despawn(there.remove(place).unwrap().1).unwrap();
            }
            let height = 1.0 + 0.4 * (i % each) as f32;
            there.push_back((pool, solver.spawn_from(pool, at(vec3(x, height, z)), Vec3::ZERO).unwrap()));
            rush.hosts.push(entering.elapsed().as_secs_f64() * 1e3);
        }
        solver.step();
        if timed {
            solver.wait().unwrap();
            rush.frames.push(start.elapsed().as_secs_f64() * 1e3);
            rush.worked.extend(worked().zip(before).map(|(after, before)| after - before));
        }
    }
    rush
}

/// Nothing is made for who comes and goes, and nothing waits: also while heaps of them press lists full.
#[test]
fn a_rush_makes_nothing_and_waits_for_nothing() {
    let (scene, pools) = world(&[(crates(), 18), (pair(), 6), (sheet(), 2)]);
    let context = Context::shared().expect("adapter");
    let mut solver = Solver::new(&context, &scene).unwrap();
    run(&mut solver, 10);
    let (memory, effort) = (solver.memory(), context.effort());
    let rush = rush(&mut solver, &pools, 100, 3, false);
    assert_eq!(context.effort(), effort);
    assert_eq!(solver.memory(), memory);
    healthy(&solver);
    let host = Rush::part(&rush.hosts, 0.5);
    println!("leaving and entering {host:.3} ms on the host");
    assert!(host < 5.0, "{host} ms");
}

#[test]
#[ignore = "takes a minute, and frames are measured"]
fn ten_thousand_come_and_go_in_even_frames() {
    let (scene, pools) = world(&[(crates(), 72), (pair(), 24)]);
    let context = Context::shared().expect("adapter");
    let mut solver = Solver::new(&context, &scene).unwrap();
    run(&mut solver, 10);
    solver.wait().unwrap();
    let (memory, effort) = (solver.memory(), context.effort());
    let Rush { hosts, frames, worked } = rush(&mut solver, &pools, 2500, 4, true);
    let (host, host_p99) = (Rush::part(&hosts, 0.5), Rush::part(&hosts, 0.99));
    println!("leaving and entering {host:.3} ms on the host, p99 {host_p99:.3} ms");
    let told = |what: &str, times: &[f64]| {
        let [median, p99, slowest] = [0.5, 0.99, 1.0].map(|part| Rush::part(times, part));
        let ratio = slowest / median;
        println!("{what} {median:.1} ms, p99 {p99:.1} ms, the slowest {slowest:.1} ms: {ratio:.2} x the median");
        let mut worst: Vec<(usize, f64)> = times.iter().copied().enumerate().collect();
        worst.sort_by(|a, b| b.1.total_cmp(&a.1));
        println!("the slowest: {:.1?}", &worst[..8]);
        ratio
    };
    let mut ratio = told("a frame", &frames);
    if worked.len() == frames.len() {
        ratio = told("a frame, of which processors worked", &worked);
    }
    healthy(&solver);
    assert_eq!(solver.memory(), memory);
    let now = context.effort();
    assert_eq!((now.buffers, now.kernels), (effort.buffers, effort.kernels));
    assert!(host < 0.5 && ratio < 2.0, "{host} ms, {ratio} x the median");
}

#[test]
fn what_lay_on_a_copy_falls_though_another_takes_its_place_at_once() {
    let (mut scene, pools) = world(&[(crates(), 1)]);
    let above = scene.add_body(BodyDesc::cuboid(Vec3::splat(0.15), RADIUS).at(Vec3::Y * 0.45)).unwrap();
    let mut solver = solver(&scene);
    let below = solver.spawn_from(pools[0], at(Vec3::Y * 0.15), Vec3::ZERO).unwrap();
    run(&mut solver, 90);
    assert_eq!(solver.read_bodies().unwrap()[above.0 as usize].inv_mass, 0.0, "it sleeps");
    solver.despawn(below).unwrap();
    solver.spawn_from(pools[0], at(vec3(3.0, 0.15, 0.0)), Vec3::ZERO).unwrap();
    run(&mut solver, 40);
    let height = solver.read_bodies().unwrap()[above.0 as usize].center[1];
    assert!(height < 0.2, "{height} m up");
}

/// The collider of a copy.
const DOOR: ColliderId = ColliderId(1);

/// What is done to a copy in the world: its first body and its first joint.
type Change = dyn Fn(&mut Solver, BodyId, JointId);

#[test]
fn a_copy_enters_as_it_was_made_whatever_was_changed_of_the_one_before() {
    let mut prefab = pair();
    prefab.joints[0].desc.motor = None;
    prefab.add_collider(Collider::new(Shape::Cuboid(Vec3::splat(0.1)), Vec3::X * 0.6)).unwrap();
    let (mut scene, pools) = world(&[(prefab, 1)]);
    scene.params.gravity = Vec3::ZERO;
    let mut solver = solver(&scene);
    let place = at(Vec3::Y * 2.0);
    let life = |solver: &mut Solver, edit: &Change| {
        let spawned = solver.spawn_from(pools[0], place, Vec3::X).unwrap();
        let part = solver.part(spawned).unwrap().clone();
        let body = BodyId(part.bodies.start);
        edit(solver, body, part.joint(JointId(0)));
        solver.push(Push::impulse(body, Vec3::Z * 2.0)).unwrap();
        run(solver, 20);
        let lived = places(solver, spawned);
        solver.despawn(spawned).unwrap();
        lived
    };
    let nothing = |_: &mut Solver, _: BodyId, _: JointId| {};
    let wanted = life(&mut solver, &nothing);
    let edits: [&Change; 6] = [
        &|solver, _, joint| solver.set_motor(joint, Some(Motor::speed(5.0, 50.0))).unwrap(),
        &|solver, body, _| solver.set_mass(body, 90.0).unwrap(),
        &|solver, body, _| solver.set_dynamics(body, Dynamics { linear_damping: 5.0, ..Dynamics::default() }).unwrap(),
        &|solver, body, _| solver.push(Push::force(body, Vec3::Z * 50.0).lasting(9.0)).unwrap(),
        &|solver, body, _| {
            let drag = Drag { body, local: Vec3::ZERO, goal: Vec3::ZERO, max_force: 90.0 };
            solver.set_drag(Some(drag)).unwrap();
        },
        &|solver, _, _| solver.set_collider_present(DOOR, false).unwrap(),
    ];
    for (number, edit) in edits.into_iter().enumerate() {
        let edited = life(&mut solver, edit);
        let off = |found: &[Vec3]| wanted.iter().zip(found).map(|(a, b)| a.distance(*b)).fold(0.0, f32::max);
        assert!(number == 5 || off(&edited) > 0.01, "edit {number} does something: {}", off(&edited));
        let absent = solver.set_collider_present(DOOR, true).unwrap_err();
        assert_eq!(absent, SolverError::Absent { what: "collider", index: 1 });
        let next = life(&mut solver, &|solver, body, joint| {
            assert_eq!(solver.scene().body(body).mass, solver.scene().pools[0].bodies[0].mass);
            assert_eq!(solver.scene().joint(joint).desc.motor, None);
            assert_eq!(solver.is_collider_present(DOOR), Ok(true));
        });
        assert!(off(&next) < 1e-3, "after edit {number}: {} m off", off(&next));
    }
}

#[test]
fn what_is_not_there_is_neither_pushed_nor_changed() {
    let (scene, pools) = world(&[(sheet(), 1)]);
    let mut solver = solver(&scene);
    let copy = solver.spawn_from(pools[0], at(Vec3::Y), Vec3::ZERO).unwrap();
    let (object, particle) = (DeformableId(0), solver.part(copy).unwrap().particles.start);
    let refused = |done: Result<(), SolverError>| matches!(done, Err(SolverError::Absent { .. }));
    let pushes = [
        Push::force(object, Vec3::Y).lasting(1.0),
        Push::impulse(object, Vec3::Y),
        Push::impulse(ParticleId(particle), Vec3::Y),
    ];
    pushes.iter().for_each(|push| solver.push(*push).unwrap());
    solver.despawn(copy).unwrap();
    assert!(pushes.iter().all(|push| refused(solver.push(*push))));
    assert!(refused(solver.set_surface(Thing::Deformable(object), Surface::default())));
    // What was on its way to the one before does not reach the next.
    let copy = solver.spawn_from(pools[0], at(Vec3::Y), Vec3::ZERO).unwrap();
    run(&mut solver, 6);
    let fallen = places(&solver, copy).iter().map(|place| place.y).fold(f32::MIN, f32::max);
    assert!(fallen < 0.97, "{fallen} m");
}

#[test]
fn a_scene_with_copies_in_it_makes_a_world_that_knows_them() {
    let (scene, pools) = world(&[(crates(), 3)]);
    let mut before = solver(&scene);
    before.spawn_from(pools[0], at(Vec3::Y), Vec3::ZERO).unwrap();
    let mut after = solver(before.scene());
    assert_eq!(after.room_in(pools[0]).unwrap(), 2);
    let there: Vec<Spawned> = (0..3).filter_map(|i| after.spawned_of(Thing::Body(BodyId(i)))).collect();
    assert_eq!(there.len(), 1);
    let second = after.spawn_from(pools[0], at(3.0 * Vec3::Y), Vec3::ZERO).unwrap();
    assert_ne!(after.part(second).unwrap().bodies, after.part(there[0]).unwrap().bodies);
    after.despawn(there[0]).unwrap();
    run(&mut after, 2);
    assert_eq!(after.room_in(pools[0]).unwrap(), 2);
    healthy(&after);
}

#[test]
fn a_copy_of_grains_is_as_rough_as_they_are_now() {
    let mut grain = Scene::default();
    let sand = grain.add_grains(Grains::sand(RADIUS)).unwrap();
    grain.heap(sand, &[Vec3::Y * RADIUS], Vec3::ZERO).unwrap();
    let (mut scene, pools) = world(&[(grain, 3)]);
    scene.params.gravity = vec3(2.0, -9.0, 0.0);
    let mut solver = solver(&scene);
    let smooth = Surface { friction: 0.0, restitution: 0.0 };
    let before = solver.spawn_from(pools[0], at(Vec3::ZERO), Vec3::ZERO).unwrap();
    solver.set_surface(Thing::Grains(sand), smooth).unwrap();
    let after = solver.spawn_from(pools[0], at(Vec3::Z), Vec3::ZERO).unwrap();
    run(&mut solver, 30);
    let slid = [before, after].map(|spawned| places(&solver, spawned)[0].x);
    assert!((slid[0] - slid[1]).abs() < 0.01 && slid[0] > 0.05, "they slid {slid:?} m");
}

#[test]
fn pools_and_places_of_an_appended_scene_are_used() {
    let (mut level, [pool]) = (Scene::default(), [PoolId(1)]);
    level.add_pool(&pair(), 2).unwrap();
    level.reserve_colliders(1).unwrap();
    level.reserve_joints(1).unwrap();
    let (mut scene, _) = world(&[(sheet(), 1)]);
    let up = Placement { position: Vec3::Y * 5.0, rotation: Quat::from_rotation_z(1.0) };
    let part = scene.append(&level, up, Vec3::ZERO).unwrap();
    let mut solver = solver(&scene);
    let place = vec3(0.0, 3.0, 2.0);
    let spawned = solver.spawn_from(pool, at(place), Vec3::ZERO).unwrap();
    assert!(solver.part(spawned).unwrap().bodies.start >= part.bodies.start);
    let middle = places(&solver, spawned).iter().sum::<Vec3>() / places(&solver, spawned).len() as f32;
    assert!((middle - place).length() < 0.01, "{middle}");
    assert_eq!(solver.room_in(pool), Ok(1));
    solver.add_collider(Collider::new(Shape::Cuboid(vec3(0.5, 0.1, 0.5)), vec3(0.0, 1.5, 2.0))).unwrap();
    run(&mut solver, 60);
    let lowest = places(&solver, spawned).iter().map(|p| p.y).fold(f32::MAX, f32::min);
    assert!(lowest > 1.6, "it lies on what was added: {lowest} m");
    healthy(&solver);
}

#[test]
fn who_takes_the_place_of_another_at_once_is_held_by_nothing() {
    let (scene, pools) = world(&[(crates(), 1)]);
    let mut solver = solver(&scene);
    let first = solver.spawn_from(pools[0], at(vec3(0.0, 0.15, 0.0)), Vec3::ZERO).unwrap();
    run(&mut solver, 30);
    solver.despawn(first).unwrap();
    let second = solver.spawn_from(pools[0], at(vec3(0.3, 0.15, 0.0)), Vec3::ZERO).unwrap();
    run(&mut solver, 30);
    let places = places(&solver, second);
    let middle = places.iter().sum::<Vec3>() / places.len() as f32;
    assert!((middle.x - 0.3).abs() < 1e-4, "it was dragged to {middle}");
}
