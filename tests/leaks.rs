//! What holds water keeps it: a bucket of voxels and a bag of cloth, both shaken.

use glam::{Quat, Vec3, vec3};
use sinew::gpu::Context;
use sinew::import::solid_body;
use sinew::scene::{BodyGoal, Deformable, Liquid, Placement, Scene, SheetGrid, SheetMaterial, TriangleMesh};
use sinew::solver::Solver;

/// Radius of the particles of water [m].
const RADIUS: f32 = 0.02;
const DT: f32 = 1.0 / 60.0;

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
    let first = scene.particles.len();
    let water = scene.add_liquid(Liquid::water(RADIUS)).unwrap();
    scene.pour(water, &block(vec3(-0.16, WALL, -0.16), [8, 4, 8]), Vec3::ZERO).unwrap();
    let mut solver = Solver::new(&Context::headless(None).expect("adapter"), &scene).unwrap();
    let at = |time: f32| Placement {
        position: center + vec3(0.05 * (9.0 * time).sin(), 0.0, 0.03 * (7.0 * time).sin()),
        rotation: Quat::from_rotation_z(0.15 * (5.0 * time).sin()),
    };
    // Drops that are thrown over the rim do not leak.
    let mut thrown = vec![false; scene.particles.len() - first];
    let mut leaked = Vec::new();
    for frame in 0..300_u16 {
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
    assert!(solver.read_health().unwrap().is_good());
    let thrown = thrown.iter().filter(|thrown| **thrown).count();
    assert!(leaked.is_empty(), "of {} particles these leaked: {leaked:?}", scene.particles.len() - first);
    assert!(thrown < 8, "{thrown} particles went over the rim");
}

#[test]
#[ignore = "more than a third of the water is outside after 5 s"]
fn a_bag_of_cloth_keeps_its_water() {
    const SIDE: f32 = 0.6;
    const DEEP: f32 = 0.25;
    let mut scene = Scene::default();
    scene.params.substeps = 16;
    let grid = SheetGrid::square(25, SIDE);
    // Held along its edge, and deep in the middle.
    let bowl = |p: Vec3| {
        let shape = |x: f32| 1.0 - (2.0 * x / SIDE).powi(4);
        p - Vec3::Y * (DEEP * shape(p.x) * shape(p.z))
    };
    let canvas = SheetMaterial { area_density: 0.5, ..SheetMaterial::default() };
    let rest: Vec<Vec3> = grid.positions().into_iter().map(bowl).collect();
    let mut bag =
        Deformable::sheet("bag", rest, &grid.triangles(), 0.42 * grid.spacing(), &canvas).unwrap().damped(10.0);
    bag.pin(|p| p.x.abs().max(p.z.abs()) > 0.499 * SIDE);
    scene.add_deformable(&bag, Vec3::ZERO, Quat::IDENTITY, Vec3::ZERO).unwrap();
    let first = scene.particles.len();
    let water = scene.add_liquid(Liquid::water(RADIUS)).unwrap();
    scene.pour(water, &block(vec3(-0.16, 0.03 - DEEP, -0.16), [8, 4, 8]), Vec3::ZERO).unwrap();
    let mut solver = Solver::new(&Context::headless(None).expect("adapter"), &scene).unwrap();
    for frame in 0..300_u16 {
        // Shaken as one who shakes it feels it.
        let time = DT * f32::from(frame);
        solver.params_mut().gravity = vec3(2.0 * (9.0 * time).sin(), -9.81, 1.5 * (7.0 * time).sin());
        solver.step();
    }
    assert!(solver.read_health().unwrap().is_good());
    let particles = places(&solver, 0);
    let (cloth, water) = particles.split_at(first);
    let deepest = cloth.iter().map(|p| p.y).fold(f32::MAX, f32::min);
    let outside = |p: &&Vec3| p.y < deepest - RADIUS || p.x.abs().max(p.z.abs()) > 0.5 * SIDE;
    let leaked = water.iter().filter(outside).count();
    println!("the bag hangs {deepest} m deep");
    assert_eq!(leaked, 0, "of {} particles", water.len());
}
