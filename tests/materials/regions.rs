//! Objects of regions that keep their shape: they come back from any deformation, keep momentum, and deform as their mode says.

use glam::{DVec3, Quat, Vec3, vec3};
use sinew::constraints::RegionMode;
use sinew::gpu::Context;
use sinew::scene::{Deformable, Regions, Scene};
use sinew::solver::Solver;

/// Where a point at rest goes.
type Map = fn(Vec3) -> Vec3;

/// Cells of a block along each axis, and their size [m].
const CELLS: [u32; 3] = [8, 2, 2];
const CELL: f32 = 0.1;

/// A block of particles about the origin, and its links: the edges of its cells and their diagonals.
fn block() -> (Deformable, Vec<[u32; 2]>) {
    let points = CELLS.map(|n| n + 1);
    let place = |i: u32| [i % points[0], i / points[0] % points[1], i / (points[0] * points[1])];
    let count: u32 = points.iter().product();
    let at = |i: u32| {
        let p = place(i);
        CELL * Vec3::from_array(std::array::from_fn(|k| p[k] as f32 - 0.5 * CELLS[k] as f32))
    };
    let near = |a: u32, b: u32| (0..3).all(|k| place(a)[k].abs_diff(place(b)[k]) <= 1);
    let links = (0..count).flat_map(|a| (0..a).filter(move |b| near(a, *b)).map(move |b| [a, b])).collect();
    (Deformable::new("block", (0..count).map(at).collect(), 2.0, 0.02), links)
}

/// A block in regions, in a world without gravity, put where `map` has it.
fn world(regions: &Regions, map: impl Fn(Vec3) -> Vec3) -> Scene {
    let mut scene = Scene::default();
    scene.params.gravity = Vec3::ZERO;
    let (mut block, links) = block();
    block.join_regions(regions, &links).unwrap();
    scene.add_deformable(&block, Vec3::ZERO, Quat::IDENTITY, Vec3::ZERO).unwrap();
    scene.particles.iter_mut().for_each(|particle| particle.position = map(particle.position));
    scene
}

fn run(scene: &Scene, frames: u32) -> (Vec<Vec3>, Vec<Vec3>) {
    let mut solver = Solver::new(&Context::shared().expect("adapter"), scene).unwrap();
    (0..frames).for_each(|_| solver.step());
    assert!(solver.read_health().unwrap().is_good());
    let of = |rows: Vec<[f32; 4]>| rows.iter().map(|r| Vec3::from_slice(&r[..3])).collect();
    (of(solver.read_particles().unwrap()), of(solver.read_particle_velocities().unwrap()))
}

/// Root mean square of the relative error of all links.
fn strain(places: &[Vec3]) -> f32 {
    let (block, links) = block();
    let length = |x: &[Vec3], [a, b]: [u32; 2]| x[a as usize].distance(x[b as usize]);
    let squares = links.iter().map(|link| (length(places, *link) / length(&block.rest, *link) - 1.0).powi(2));
    (squares.sum::<f32>() / links.len() as f32).sqrt()
}

fn twist(p: Vec3) -> Vec3 {
    Quat::from_rotation_x(2.5 * p.x) * p
}

fn bend(p: Vec3) -> Vec3 {
    let turn = 2.0 * p.x;
    vec3(0.0, 0.5, p.z) + (0.5 - p.y) * vec3(turn.sin(), -turn.cos(), 0.0)
}

fn stretch(p: Vec3) -> Vec3 {
    p * vec3(1.4, 0.8, 1.0)
}

#[test]
fn what_is_twisted_bent_or_stretched_returns() {
    let maps: [(&str, Map); 3] = [("twisted", twist), ("bent", bend), ("stretched", stretch)];
    for mode in RegionMode::ALL {
        for (name, map) in maps {
            let blend = if mode == RegionMode::Rigid { 0.0 } else { 0.5 };
            let scene = world(&Regions { width: 3.0, mode, blend, compliance: 0.0 }, map);
            let start: Vec<Vec3> = scene.particles.iter().map(|p| p.position).collect();
            let mut calm = scene.clone();
            calm.params.linear_damping = 4.0;
            let (before, after) = (strain(&start), strain(&run(&calm, 90).0));
            println!("{mode:?}, {name}: strain {before}, then {after}");
            assert!(before > 0.05 && after < 0.02 * before, "{mode:?}, {name}: strain {before}, then {after}");
        }
    }
}

#[test]
fn momentum_of_overlapping_regions_stays() {
    let mut scene = world(&Regions { width: 3.0, ..Regions::default() }, bend);
    for (i, particle) in scene.particles.iter_mut().enumerate() {
        let wave = vec3((7.3 * i as f32).sin(), (3.1 * i as f32).cos(), (5.7 * i as f32).sin());
        particle.velocity = Vec3::X + vec3(1.0, 3.0, 2.0).cross(particle.position) + 0.3 * wave;
    }
    let mass = f64::from(scene.particles[0].mass);
    let sums = |x: &[Vec3], v: &[Vec3]| {
        let center = x.iter().map(|p| p.as_dvec3()).sum::<DVec3>() / x.len() as f64;
        let turn = |(p, v): (&Vec3, &Vec3)| (p.as_dvec3() - center).cross(mass * v.as_dvec3());
        (v.iter().map(|v| mass * v.as_dvec3()).sum::<DVec3>(), x.iter().zip(v).map(turn).sum::<DVec3>())
    };
    let of = |part: fn(&sinew::scene::Particle) -> Vec3| scene.particles.iter().map(part).collect::<Vec<_>>();
    let before = sums(&of(|p| p.position), &of(|p| p.velocity));
    let (x, v) = run(&scene, 60);
    let after = sums(&x, &v);
    let linear = after.0.distance(before.0) / before.0.length();
    let angular = after.1.distance(before.1) / before.1.length();
    println!("linear {linear}, angular {angular}");
    assert!(linear < 1e-4 && angular < 2e-3, "linear {linear}, angular {angular}");
}

/// With β = 1 one region over all keeps exactly the deformations of its mode.
#[test]
fn a_region_follows_the_deformation_of_its_mode() {
    let shear = |p: Vec3| vec3(p.x + 0.4 * p.y, p.y, p.z - 0.3 * p.x);
    let curve = |p: Vec3| vec3(p.x - 0.6 * p.x * p.y, p.y + 0.6 * p.x * p.x, p.z);
    let whole = |mode| Regions { width: 100.0, mode, blend: 1.0, compliance: 0.0 };
    let moved = |scene: Scene| {
        let end = run(&scene, 6).0;
        scene.particles.iter().zip(&end).map(|(p, at)| p.position.distance(*at)).fold(0.0, f32::max)
    };
    let follows = [
        moved(world(&whole(RegionMode::Linear), shear)),
        moved(world(&whole(RegionMode::Quadratic), shear)),
        moved(world(&whole(RegionMode::Quadratic), curve)),
    ];
    let leaves = [moved(world(&whole(RegionMode::Linear), curve)), moved(world(&whole(RegionMode::Rigid), shear))];
    println!("{follows:?} m, {leaves:?} m");
    assert!(follows.iter().all(|far| *far < 1e-4), "{follows:?}");
    assert!(leaves.iter().all(|far| *far > 0.02), "{leaves:?}");
}

#[test]
fn too_many_regions_on_one_particle_are_refused() {
    let (mut block, links) = block();
    for _ in 0..25 {
        block.join_regions(&Regions { width: 100.0, ..Regions::default() }, &links).unwrap();
    }
    let mut scene = Scene::default();
    scene.add_deformable(&block, Vec3::ZERO, Quat::IDENTITY, Vec3::ZERO).unwrap();
    let message = scene.check().unwrap_err().to_string();
    assert!(message.contains("shape_region: number of sweeps") && message.contains("at most 24"), "{message}");
}
