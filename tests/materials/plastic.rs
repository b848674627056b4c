//! Soft bodies that yield: what they keep of a strain, and what of their volume.

use glam::{Quat, Vec3};
use sinew::constraints::Plastic;
use sinew::gpu::Context;
use sinew::scene::{Collider, Deformable, Scene, SoftMaterial, SoftModel};
use sinew::solver::Solver;

/// Cells of the block along each axis, and their side [m].
const CELLS: [u32; 3] = [6, 2, 2];
const SIDE: f32 = 0.1;

/// A block of six tetrahedra to a cell.
fn block() -> (Vec<Vec3>, Vec<[u32; 4]>) {
    let [nx, ny, nz] = CELLS.map(|n| n + 1);
    let at = |i: u32| [i % nx, i / nx % ny, i / (nx * ny)];
    let rest = (0..nx * ny * nz).map(|i| SIDE * Vec3::from(at(i).map(|c| c as f32))).collect();
    let mut tetrahedra = Vec::new();
    for low in (0..nx * ny * nz).filter(|i| at(*i).iter().zip(CELLS).all(|(c, n)| *c < n)) {
        let i = |dx: u32, dy: u32, dz: u32| low + dx + nx * (dy + ny * dz);
        let ring = [i(1, 0, 0), i(1, 1, 0), i(0, 1, 0), i(0, 1, 1), i(0, 0, 1), i(1, 0, 1)];
        tetrahedra.extend((0..6).map(|k| [low, ring[k], ring[(k + 1) % 6], i(1, 1, 1)]));
    }
    (rest, tetrahedra)
}

fn scene_of(young: f32, plastic: Plastic) -> (Scene, Vec<[u32; 4]>) {
    let (rest, tetrahedra) = block();
    let material = SoftMaterial { density: 1000.0, model: SoftModel::NeoHookean { young, poisson: 0.3 } };
    let body = Deformable::soft("block", rest, &tetrahedra, 0.03, &material).unwrap().damped(10.0).yielding(plastic);
    let mut scene = Scene::default();
    scene.add_deformable(&body, Vec3::Y, Quat::IDENTITY, Vec3::ZERO).unwrap();
    (scene, tetrahedra)
}

fn after(scene: &Scene, frames: u32) -> Vec<Vec3> {
    let mut solver = Solver::new(&Context::shared().expect("adapter"), scene).unwrap();
    (0..frames).for_each(|_| solver.step());
    assert!(solver.read_health().unwrap().is_good());
    solver.read_particles().unwrap().iter().map(|p| Vec3::new(p[0], p[1], p[2])).collect()
}

fn volumes(x: &[Vec3], tetrahedra: &[[u32; 4]]) -> Vec<f32> {
    let corner = |i: u32| x[i as usize];
    let of = |t: &[u32; 4]| {
        let [a, b, c, d] = t.map(corner);
        (b - a).cross(c - a).dot(d - a) / 6.0
    };
    tetrahedra.iter().map(of).collect()
}

fn length(x: &[Vec3]) -> f32 {
    let along = || x.iter().map(|p| p.x);
    along().fold(f32::MIN, f32::max) - along().fold(f32::MAX, f32::min)
}

const BLOCK: f32 = 0.6 * 0.2 * 0.2;

/// Pulled long and let go: it keeps what goes beyond the yield, and nothing below it.
#[test]
fn the_set_is_what_goes_beyond_the_yield() {
    const YIELD: f32 = 0.05;
    for stretch in [1.04, 1.1, 1.2, 1.4_f32] {
        // So soft that it has hardly begun to spring back after the first frame.
        let (mut scene, tetrahedra) = scene_of(300.0, Plastic { yield_strain: YIELD, creep: f32::INFINITY, most: 2.0 });
        scene.params.gravity = Vec3::ZERO;
        scene.params.linear_damping = 2.0;
        for particle in &mut scene.particles {
            particle.position *= Vec3::new(stretch, stretch.powf(-0.5), stretch.powf(-0.5));
        }
        let end = after(&scene, 500);
        let expected = (stretch.ln() - YIELD).max(0.0);
        let kept = (length(&end) / (CELLS[0] as f32 * SIDE)).ln();
        assert!((kept - expected).abs() < 0.05 * expected + 1e-3, "{kept} of {expected} at a stretch of {stretch}");
        let volume: f32 = volumes(&end, &tetrahedra).iter().sum();
        assert!((volume / BLOCK - 1.0).abs() < 0.01, "{volume} m³ of {BLOCK} m³");
    }
}

/// Crushed to a quarter of its height between the ground and its own weight, it stays a solid of its volume.
#[test]
fn what_was_crushed_is_flat_and_whole() {
    let plastic = Plastic { yield_strain: 0.1, creep: f32::INFINITY, most: 3.0 };
    let (mut scene, tetrahedra) = scene_of(2e3, plastic);
    scene.params.gravity.y = -1.0;
    scene.add_collider(Collider::ground(0.0)).unwrap();
    for particle in &mut scene.particles {
        particle.position.y = 0.031 + 0.25 * (particle.position.y - 1.0);
    }
    let end = after(&scene, 240);
    let height = end.iter().map(|p| p.y).fold(f32::MIN, f32::max) - end.iter().map(|p| p.y).fold(f32::MAX, f32::min);
    assert!(height > 0.04 && height < 0.17, "{height} m high, 0.2 m before");
    let volumes = volumes(&end, &tetrahedra);
    assert!(volumes.iter().all(|v| *v > 0.0), "a tetrahedron is inside out");
    let volume: f32 = volumes.iter().sum();
    assert!((volume / BLOCK - 1.0).abs() < 0.03, "{volume} m³ of {BLOCK} m³");
}

#[test]
fn mistakes_are_named() {
    let refused = |plastic, model| {
        let (rest, tetrahedra) = block();
        let body =
            Deformable::soft("block", rest, &tetrahedra, 0.03, &SoftMaterial { density: 1000.0, model }).unwrap();
        let added = Scene::default().add_deformable(&body.yielding(plastic), Vec3::Y, Quat::IDENTITY, Vec3::ZERO);
        added.unwrap_err().to_string()
    };
    let elastic = SoftModel::NeoHookean { young: 1e4, poisson: 0.3 };
    let good = Plastic { yield_strain: 0.1, creep: 1.0, most: 1.0 };
    assert!(refused(Plastic { yield_strain: 0.0, ..good }, elastic).contains("yield strain is 0"));
    assert!(refused(Plastic { creep: -1.0, ..good }, elastic).contains("creep is -1"));
    assert!(refused(Plastic { most: f32::NAN, ..good }, elastic).contains("most plastic strain"));
    assert!(refused(good, SoftModel::Springs { stretch: 0.0, bulk: f32::INFINITY }).contains("elastic tetrahedra"));
}
