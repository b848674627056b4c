//! Four hundred small soft tori in a pile: the third scene of paper 3.

use glam::{Vec2, Vec3};

use super::demo::{Category, Demo, DemoError, Stage};
use super::options::{DemoOption, Options};
use crate::scene::{Deformable, Scene, SoftMaterial, SoftModel, View};
use crate::spawn::{Random, Ring, Section, add_pit, circle, palette};

pub(super) const DEMO: Demo = Demo {
    name: "tori400",
    summary: "four hundred soft rings in a pile: 91 200 particles, 471 200 edges, 319 200 tetrahedra",
    category: Category::Flesh,
    options: &[
        DemoOption::integer("count", [1.0, 400.0], 400.0, "rings"),
        DemoOption::integer("seed", [0.0, 1.0e6], 1.0, "seed of the random numbers"),
    ],
    build,
};

const SLICES: u32 = 19;
/// Radius of the ring and of its section [m].
const RADIUS: f32 = 0.2;
const SECTION: f32 = 0.075;
/// Radius of a particle [m].
const PARTICLE: f32 = 0.025;
/// Rings side by side along each edge of a layer.
const SIDE: u32 = 8;

/// Eight points around four.
fn section() -> Section {
    let turned = |p: Vec2| Vec2::from_angle(std::f32::consts::FRAC_PI_8).rotate(p);
    let points: Vec<Vec2> = circle(8, SECTION).chain(circle(4, 0.48 * SECTION).map(turned)).collect();
    let mut faces = vec![[8, 9, 10], [8, 10, 11]];
    for inner in 0..4 {
        let (a, next) = (8 + inner, 8 + (inner + 1) % 4);
        let around = [0, 1, 2].map(|k| (2 * inner + k) % 8);
        faces.extend([[around[0], around[1], a], [around[1], around[2], a], [around[2], next, a]]);
    }
    Section { points, faces, outline: 8 }
}

fn build(options: &Options) -> Result<Stage, DemoError> {
    let mut scene = Scene::default();
    (scene.params.substeps, scene.params.iterations) = (4, 1);
    let reach = RADIUS + SECTION + PARTICLE + 0.005;
    let half = SIDE as f32 * reach;
    add_pit(&mut scene, half, 1.6)?;
    let ring = Ring::new(&section(), SLICES, RADIUS);
    let material = SoftMaterial { density: 300.0, model: SoftModel::Springs { stretch: 1e-5, bulk: f32::INFINITY } };
    let body = Deformable::soft("ring", ring.rest.clone(), &ring.tetrahedra, PARTICLE, &material)?.damped(10.0);
    let shell = ring.shell();
    let mut random = Random::new(options.count("seed"));
    for i in 0..options.count("count") {
        let (layer, place) = (i / (SIDE * SIDE), i % (SIDE * SIDE));
        let along = |k: u32| (2 * k + 1) as f32 * reach - half;
        let position = Vec3::new(along(place % SIDE), reach * (1 + 2 * layer) as f32, along(place / SIDE));
        let id = scene.add_deformable(&body, position, random.rotation(), Vec3::ZERO)?;
        scene.draw_shell(id, &shell, palette(i as usize))?;
    }
    scene.view = View::around(Vec3::Y * 0.6, 1.25 * half);
    Ok(scene.into())
}

#[cfg(test)]
mod tests {
    use super::super::counts::count;
    use super::*;

    #[test]
    fn counts_are_near_those_of_the_paper() {
        let scene = build(&Options::new(DEMO.options)).unwrap().scene;
        assert_eq!(scene.particles.len(), 91_200);
        assert_eq!(
            [count(&scene, |row| row.stretch().is_some()).0, count(&scene, |row| row.rest_volume().is_some()).0],
            [471_200, 319_200]
        );
    }
}
