//! What holds water keeps it: a bucket of voxels, a bowl of flesh and a bag of leather, all shaken; and clothes turn it away.

use std::collections::BTreeMap;

use glam::{Quat, Vec3, Vec3Swizzles, vec3};
use sinew::demos::{Stage, stage_for};
use sinew::gpu::Context;
use sinew::import::solid_body;
use sinew::import::tets::TetMesh;
use sinew::scene::{
    BodyGoal, Collider, Deformable, Liquid, Params, Placement, Scene, SheetGrid, SheetMaterial, SoftMaterial,
    SoftModel, TriangleMesh,
};
use sinew::solver::Solver;

/// Radius of the particles of water [m].
const RADIUS: f32 = 0.02;
const DT: f32 = 1.0 / 60.0;

/// Frames of shaking: 1.2 s, or 20 s in the long run.
fn frames() -> u16 {
    if crate::effort::is_long() { 1200 } else { 72 }
}

fn block(low: Vec3, [x, y, z]: [u32; 3]) -> Vec<Vec3> {
    let place = |i: u32| vec3((i % x) as f32, (i / (x * z)) as f32, (i / x % z) as f32);
    (0..x * y * z).map(|i| low + RADIUS * (2.0 * place(i) + 1.0)).collect()
}

/// Where the particles from `first` on are.
fn places(solver: &Solver, first: usize) -> Vec<Vec3> {
    solver.read_particles().unwrap()[first..].iter().map(|p| vec3(p[0], p[1], p[2])).collect()
}

/// A box without lid: half its width outside, its height, and the thickness of its walls and floor [m].
fn bucket(half: f32, height: f32, wall: f32) -> TriangleMesh {
    let ring = |half: f32, y: f32| {
        [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)].map(|(x, z)| vec3(half * x, y, half * z))
    };
    let positions = [ring(half, 0.0), ring(half, height), ring(half - wall, height), ring(half - wall, wall)].concat();
    let mut triangles: Vec<[u32; 3]> = vec![[0, 1, 2], [0, 2, 3], [14, 13, 12], [15, 14, 12]];
    for (k, i) in (0..3).flat_map(|k| (0..4).map(move |i| (4 * k, i))) {
        let [a, b] = [k + i, k + (i + 1) % 4];
        triangles.extend([[a, a + 4, b + 4], [a, b + 4, b]]);
    }
    TriangleMesh { positions, triangles }
}

#[test]
fn a_bucket_of_voxels_keeps_its_water() {
    const HALF: f32 = 0.2;
    const HEIGHT: f32 = 0.4;
    const WALL: f32 = 0.04;
    let mut scene = Scene::default();
    let (desc, center) = solid_body("bucket", &bucket(HALF, HEIGHT, WALL), 0.5 * WALL, 1000.0).unwrap();
    let mut desc = desc.at(center);
    desc.kinematic = true;
    let body = scene.add_body(desc).unwrap();
    // What is thrown out stays in the world.
    scene.add_collider(Collider::ground(-1.0)).unwrap();
    let first = scene.particles.len();
    let water = scene.add_liquid(Liquid::water(RADIUS)).unwrap();
    scene.pour(water, &block(vec3(-0.16, WALL, -0.16), [8, 4, 8]), Vec3::ZERO).unwrap();
    let mut solver = Solver::new(&Context::shared().expect("adapter"), &scene).unwrap();
    let at = |time: f32| Placement {
        position: center + vec3(0.05 * (9.0 * time).sin(), 0.0, 0.03 * (7.0 * time).sin()),
        rotation: Quat::from_rotation_z(0.15 * (5.0 * time).sin()),
    };
    // Drops that are thrown over the rim do not leak.
    let mut thrown = vec![false; scene.particles.len() - first];
    let mut leaked = Vec::new();
    for frame in 0..frames() {
        let time = DT * f32::from(frame);
        let end = at(time + DT);
        solver.pose_bodies(&[BodyGoal { body, from: at(time), to: end }]).unwrap();
        solver.step();
        leaked.clear();
        for (i, p) in places(&solver, first).iter().enumerate() {
            let local = end.rotation.inverse() * (*p - end.position) + center;
            thrown[i] |= local.y > HEIGHT;
            if !thrown[i] && (local.x.abs().max(local.z.abs()) > HALF || local.y < 0.0) {
                leaked.push((i, local));
            }
        }
    }
    let health = solver.read_health().unwrap();
    assert!(health.is_good(), "{health:?}");
    let thrown = thrown.iter().filter(|thrown| **thrown).count();
    assert!(leaked.is_empty(), "of {} particles these leaked: {leaked:?}", scene.particles.len() - first);
    assert!(thrown < 16, "{thrown} particles went over the rim");
}

/// How many of these triangles lie straight beneath `at`.
fn beneath(corners: &[Vec3], triangles: &[[u32; 3]], at: Vec3) -> usize {
    // Drops start right above edges.
    let at = at + vec3(1.3e-5, 0.0, 0.7e-5);
    let hit = |t: &&[u32; 3]| {
        let [a, b, c] = t.map(|i| corners[i as usize] - at);
        let [u, v, w] = [b.xz().perp_dot(c.xz()), c.xz().perp_dot(a.xz()), a.xz().perp_dot(b.xz())];
        let inside = (u >= 0.0) == (v >= 0.0) && (v >= 0.0) == (w >= 0.0);
        inside && (u * a.y + v * b.y + w * c.y) / (u + v + w) < 0.0
    };
    triangles.iter().filter(hit).count()
}

/// What became of the water in a vessel of triangles that was shaken.
struct Shaken {
    /// Drops that were not above the rim before, and where they were first seen outside.
    leaked: Vec<(usize, Vec3)>,
    /// Number of drops that were above the rim.
    thrown: usize,
}

/// Shakes a scene as one feels it who is shaken along. Particles from `first` on are water. What has `held` for how many of
/// the scene's triangles lie straight beneath it is in the vessel or above; `rim` is how high its corners reach [m].
fn shaken(scene: &Scene, first: usize, rim: impl Fn(&[Vec3]) -> f32, held: impl Fn(usize) -> bool) -> Shaken {
    let mut solver = Solver::new(&Context::shared().expect("adapter"), scene).unwrap();
    let mut thrown = vec![false; scene.particles.len() - first];
    let mut leaked = BTreeMap::new();
    for frame in 0..frames() {
        let time = DT * f32::from(frame);
        let gravity = vec3(2.0 * (9.0 * time).sin(), -9.81, 1.5 * (7.0 * time).sin());
        solver.set_params(Params { gravity, ..*solver.params() }).unwrap();
        solver.step();
        let particles = places(&solver, 0);
        let (corners, water) = particles.split_at(first);
        let rim = rim(corners);
        for (i, p) in water.iter().enumerate() {
            thrown[i] |= p.y > rim;
            if !thrown[i] && !held(beneath(corners, &scene.triangles, *p)) {
                leaked.entry(i).or_insert(*p);
            }
        }
    }
    let health = solver.read_health().unwrap();
    assert!(health.is_good(), "{health:?}");
    Shaken { leaked: leaked.into_iter().collect(), thrown: thrown.iter().filter(|thrown| **thrown).count() }
}

/// A bowl of cubes of flesh, one thick: how many are side by side and on top of one another, and how large they are [m].
fn bowl(wide: u32, high: u32, cell: f32) -> TetMesh {
    let mut mesh = TetMesh::default();
    let mut corners = BTreeMap::new();
    let mut corner = |at: [u32; 3]| {
        *corners.entry(at).or_insert_with(|| {
            let [x, y, z] = at.map(|k| cell * k as f32);
            mesh.positions.push(vec3(x, y, z) - 0.5 * cell * wide as f32 * vec3(1.0, 0.0, 1.0));
            mesh.positions.len() as u32 - 1
        })
    };
    let inner = 1..wide - 1;
    let cells = (0..wide * wide * high).map(|i| [i % wide, i / (wide * wide), i / wide % wide]);
    for at in cells.filter(|[x, y, z]| *y == 0 || !inner.contains(x) || !inner.contains(z)) {
        // Around a diagonal of the cube: the six ways along its edges from one end to the other.
        for [a, b, c] in [[0, 1, 2], [1, 2, 0], [2, 0, 1], [0, 2, 1], [2, 1, 0], [1, 0, 2]] {
            let mut way = [at; 4];
            for (step, axis) in [a, b, c].into_iter().enumerate() {
                way[step + 1..].iter_mut().for_each(|corner| corner[axis] += 1);
            }
            let turned = if (b + 3 - a) % 3 == 1 { way } else { [way[1], way[0], way[2], way[3]] };
            mesh.tets.push(turned.map(&mut corner));
        }
    }
    mesh
}

#[test]
fn a_bowl_of_flesh_keeps_its_water() {
    const CELL: f32 = 0.06;
    const HIGH: u32 = 6;
    let mut scene = Scene::default();
    scene.add_collider(Collider::ground(0.0)).unwrap();
    let mesh = bowl(8, HIGH, CELL);
    let model = SoftModel::NeoHookean { young: 1e5, poisson: 0.4 };
    let material = SoftMaterial { model, ..SoftMaterial::default() };
    let mut object =
        Deformable::soft("bowl", mesh.positions.clone(), &mesh.tets, RADIUS, &material).unwrap().damped(10.0);
    object.faces = mesh.surface().into_iter().map(|(face, _)| face).collect();
    scene.add_deformable(&object, Vec3::Y * RADIUS, Quat::IDENTITY, Vec3::ZERO).unwrap();
    let first = scene.particles.len();
    let water = scene.add_liquid(Liquid::water(RADIUS)).unwrap();
    scene.pour(water, &block(vec3(-0.14, 0.07, -0.14), [7, 5, 7]), Vec3::ZERO).unwrap();
    let top = CELL * (HIGH as f32 - 0.5);
    let rim: Vec<usize> = (0..first).filter(|i| object.rest[*i].y > top).collect();
    let lowest = |corners: &[Vec3]| rim.iter().map(|i| corners[*i].y).fold(f32::MAX, f32::min);
    // Beneath what is in the bowl its floor begins and ends.
    let Shaken { leaked, thrown } = shaken(&scene, first, lowest, |count| count > 0 && count % 2 == 0);
    assert!(leaked.is_empty(), "of {} particles these leaked: {leaked:?}", scene.particles.len() - first);
    assert!(thrown < 16, "{thrown} particles went over the rim");
}

#[test]
#[ignore = "long"]
fn a_bag_of_leather_keeps_its_water() {
    const SIDE: f32 = 0.6;
    const DEEP: f32 = 0.25;
    let mut scene = Scene::default();
    scene.params.substeps = 16;
    // What is thrown over the rim stays in the world.
    scene.add_collider(Collider::ground(-3.0)).unwrap();
    let grid = SheetGrid::square(25, SIDE);
    // Held along its edge, and deep in the middle.
    let bowl = |p: Vec3| {
        let shape = |x: f32| 1.0 - (2.0 * x / SIDE).powi(4);
        p - Vec3::Y * (DEEP * shape(p.x) * shape(p.z))
    };
    // 2 mm of leather. Drops are still fifty times as heavy as its particles.
    let leather = SheetMaterial { area_density: 2.0, ..SheetMaterial::default() };
    let rest: Vec<Vec3> = grid.positions().into_iter().map(bowl).collect();
    let mut bag =
        Deformable::sheet("bag", rest, &grid.triangles(), 0.42 * grid.spacing(), &leather).unwrap().damped(10.0);
    bag.pin(|p| p.x.abs().max(p.z.abs()) > 0.499 * SIDE);
    bag.tether(0.0, 0.0).unwrap();
    scene.add_deformable(&bag, Vec3::ZERO, Quat::IDENTITY, Vec3::ZERO).unwrap();
    let first = scene.particles.len();
    let water = scene.add_liquid(Liquid::water(RADIUS)).unwrap();
    scene.pour(water, &block(vec3(-0.16, 0.03 - DEEP, -0.16), [8, 4, 8]), Vec3::ZERO).unwrap();
    let Shaken { leaked, thrown } = shaken(&scene, first, |_| 0.0, |count| count % 2 == 1);
    assert!(leaked.is_empty(), "of {} particles these leaked: {leaked:?}", scene.particles.len() - first);
    assert!(thrown < 16, "{thrown} particles went over the rim");
}

/// Where `at` is over a triangle: shares of its second and third corner, and the height along its normal [m].
fn over([a, b, c]: [Vec3; 3], at: Vec3) -> Vec3 {
    let (u, v, normal) = (b - a, c - a, (b - a).cross(c - a));
    let share = |p: Vec3, q: Vec3| p.cross(q).dot(normal) / normal.length_squared();
    vec3(share(at - a, v), share(u, at - a), (at - a).dot(normal.normalize()))
}

fn is_inside(over: Vec3) -> bool {
    over.x >= 0.0 && over.y >= 0.0 && over.x + over.y <= 1.0
}

#[test]
#[ignore = "long"]
fn clothes_turn_water_away() {
    /// What a drop is near that may pass in a frame [m].
    const NEAR: f32 = 0.1;
    let sets = [("jets", "1"), ("count", "600")].map(|(k, v)| (k.to_owned(), v.to_owned()));
    let Stage { scene, mut cast, .. } = stage_for("cape", &sets).unwrap();
    let mut solver = Solver::new(&Context::shared().expect("adapter"), &scene).unwrap();
    let jet = scene.emitters[0].particles.clone();
    let radius = scene.liquids[0].radius;
    let (mut before, mut passed, mut wet) = (places(&solver, 0), Vec::new(), 0);
    for frame in 0..50 {
        solver.follow(&cast.advance(DT)).unwrap();
        solver.step();
        let now = places(&solver, 0);
        let clothes: Vec<_> = scene.triangles.iter().map(|t| t.map(|i| i as usize)).collect();
        for drop in jet.clone().map(|i| i as usize) {
            for t in clothes.iter().filter(|t| now[t[0]].distance_squared(now[drop]) < NEAR * NEAR) {
                let [was, is] = [&before, &now].map(|at| over(t.map(|i| at[i]), at[drop]));
                wet += usize::from(is_inside(is) && is.z.abs() < 2.0 * radius);
                let met = was.lerp(is, was.z / (was.z - is.z));
                if was.z * is.z < 0.0 && was.z.abs() < NEAR && is_inside(met) {
                    passed.push((frame, drop, was, is));
                }
            }
        }
        before = now;
    }
    assert!(solver.read_health().unwrap().is_good());
    println!("{wet} times a drop lay on the clothes");
    assert!(wet > 50, "only {wet} times a drop lay on the clothes");
    assert!(passed.is_empty(), "drops passed: {passed:?}");
}
