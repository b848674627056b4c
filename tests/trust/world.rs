//! What the tests share: devices, a world with a bit of everything, and what they ask of it.

use std::collections::HashSet;

use sinew::glam::{Quat, Vec3, vec3};
use sinew::gpu::Context;
use sinew::scene::{BodyDesc, Collider, Deformable, Grains, Liquid, Phase, Scene, Shape, SheetGrid, SheetMaterial};
use sinew::solver::{Health, Solver};

pub(crate) fn context() -> Context {
    Context::shared().expect("adapter")
}

pub(crate) fn solver(scene: &Scene) -> Solver {
    Solver::new(&context(), scene).unwrap()
}

pub(crate) fn run(solver: &mut Solver, frames: u32) {
    (0..frames).for_each(|_| solver.step());
}

/// Crates, a sheet, sand and water over a plane through `at`, `scale` times as large as things in a room.
pub(crate) fn mixture(at: Vec3, scale: f32) -> Scene {
    let mut scene = Scene::default();
    scene.add_collider(Collider::new(Shape::Plane, at)).unwrap();
    for i in 0..4 {
        let place = scale * vec3(0.02 * i as f32, 0.15 + 0.22 * i as f32, 0.0);
        scene.add_body(BodyDesc::cuboid(scale * Vec3::splat(0.1), scale * 0.04).at(at + place)).unwrap();
    }
    let (grid, material) = (SheetGrid::square(8, scale * 0.5), SheetMaterial::default());
    let sheet = Deformable::sheet("sheet", grid.positions(), &grid.triangles(), scale * 0.03, &material).unwrap();
    scene.add_deformable(&sheet, at + scale * vec3(0.0, 1.2, 0.0), Quat::IDENTITY, Vec3::ZERO).unwrap();
    let block = |aside: f32| -> Vec<Vec3> {
        let place = |i: u32| 0.08 * vec3((i % 4) as f32, 0.6 + (i / 16) as f32, (i / 4 % 4) as f32) + aside * Vec3::X;
        (0..48).map(|i| at + scale * place(i)).collect()
    };
    let sand = scene.add_grains(Grains::sand(scale * 0.04)).unwrap();
    scene.heap(sand, &block(0.5), Vec3::ZERO).unwrap();
    let water = scene.add_liquid(Liquid::water(scale * 0.04)).unwrap();
    scene.pour(water, &block(-0.8), Vec3::ZERO).unwrap();
    scene
}

/// Centers of all bodies [m].
pub(crate) fn centers(solver: &Solver) -> Vec<Vec3> {
    solver.read_bodies().unwrap().iter().map(|body| body.center()).collect()
}

/// Places of all particles [m].
pub(crate) fn places(solver: &Solver) -> Vec<Vec3> {
    solver.read_particles().unwrap().iter().map(|x| vec3(x[0], x[1], x[2])).collect()
}

/// How a world is, for a table.
#[derive(Debug)]
pub(crate) struct Look {
    pub(crate) finite: bool,
    /// Of particles and bodies [m/s].
    pub(crate) fastest: f32,
    /// The same without water, which runs over a floor for ever [m/s].
    pub(crate) fastest_dry: f32,
    /// Lowest center of a particle [m].
    pub(crate) lowest: f32,
    pub(crate) health: Health,
}

impl Look {
    pub(crate) fn at(solver: &Solver) -> Self {
        let (places, bodies) = (places(solver), solver.read_bodies().unwrap());
        let of_particles = solver.read_particle_velocities().unwrap();
        let scene = solver.scene();
        let is_dry = |i: usize| !scene.particles[i].phase.contains(Phase::LIQUID);
        // Those of bodies go with them.
        let held: HashSet<u32> = scene.bodies.iter().flat_map(|body| &body.links).map(|link| link.particle.0).collect();
        let free = of_particles.iter().enumerate().filter(|(i, _)| !held.contains(&(*i as u32)));
        let speeds = free.map(|(i, v)| (is_dry(i), vec3(v[0], v[1], v[2]).length()));
        let speeds = speeds.chain(bodies.iter().map(|body| (true, body.velocity().length())));
        let (dry, speeds): (Vec<bool>, Vec<f32>) = speeds.unzip();
        let finite = places.iter().all(|at| at.is_finite()) && speeds.iter().all(|speed| speed.is_finite());
        let fastest = speeds.iter().copied().fold(0.0, f32::max);
        let fastest_dry = speeds.iter().zip(&dry).filter(|(_, dry)| **dry).map(|(speed, _)| *speed).fold(0.0, f32::max);
        let lowest = places.iter().map(|at| at.y).fold(f32::MAX, f32::min);
        Self { finite, fastest, fastest_dry, lowest, health: solver.read_health().unwrap() }
    }
}
