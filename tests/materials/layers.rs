//! Layers: things meet if each is of a layer that the other meets, whatever they are made of.

use glam::{Quat, Vec3};
use sinew::gpu::Context;
use sinew::scene::{
    Air, BodyDesc, BodyId, Collider, Deformable, Grains, Layers, Liquid, LiquidId, RopeMaterial, Scene, SceneError,
    Shape, SheetMaterial, SoftMaterial, Thing,
};
use sinew::solver::{Solver, SolverError};

#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
enum Kind {
    Body,
    Cloth,
    Flesh,
    Rope,
    Liquid,
    Grains,
    Collider,
}

const KINDS: [Kind; 7] = [Kind::Body, Kind::Cloth, Kind::Flesh, Kind::Rope, Kind::Liquid, Kind::Grains, Kind::Collider];
const RADIUS: f32 = 0.02;
const FIRST: Layers = Layers { of: 1, meets: 1 };
/// Meets what is of the first layer, which does not meet it.
const SECOND: Layers = Layers { of: 2, meets: 3 };

/// Places of a block of so many along each axis, around the origin [m].
fn block(count: [u32; 3], pitch: f32) -> Vec<Vec3> {
    let [nx, ny, nz] = count;
    let middle = 0.5 * pitch * (glam::UVec3::new(nx, ny, nz).as_vec3() - 1.0);
    (0..nx * ny * nz)
        .map(|i| pitch * Vec3::new((i % nx) as f32, (i / nx % ny) as f32, (i / nx / ny) as f32) - middle)
        .collect()
}

fn deformable(kind: Kind) -> Deformable {
    let two = |i: u32| i / 2 * 3 + i % 2;
    match kind {
        Kind::Cloth => {
            let triangles: Vec<_> = (0..4).map(two).flat_map(|i| [[i, i + 3, i + 4], [i, i + 4, i + 1]]).collect();
            let material = SheetMaterial { air: Air::NONE, ..SheetMaterial::default() };
            Deformable::sheet("cloth", block([3, 1, 3], 0.05), &triangles, RADIUS, &material).unwrap()
        }
        Kind::Flesh => {
            let tetrahedra = [[0, 1, 2, 4], [3, 2, 1, 7], [5, 4, 7, 1], [6, 7, 4, 2], [1, 2, 4, 7]];
            // Balls meet those of its corners: these leave no gap.
            Deformable::soft("flesh", block([2; 3], 0.1), &tetrahedra, 0.05, &SoftMaterial::default()).unwrap()
        }
        _ => Deformable::rope("rope", block([4, 1, 1], 0.04), RADIUS, &RopeMaterial::default()).unwrap(),
    }
}

/// Adds a thing of about 0.1 m.
fn add(scene: &mut Scene, kind: Kind, at: Vec3, velocity: Vec3) -> Thing {
    let places = |count| block(count, 2.0 * RADIUS).into_iter().map(|p| p + at).collect::<Vec<_>>();
    match kind {
        Kind::Body => {
            let desc = BodyDesc { velocity, ..BodyDesc::cuboid(Vec3::splat(0.06), RADIUS).at(at) };
            Thing::Body(scene.add_body(desc).unwrap())
        }
        Kind::Liquid => {
            let id = scene.add_liquid(Liquid::water(RADIUS)).unwrap();
            scene.pour(id, &places([3; 3]), velocity).unwrap();
            Thing::Liquid(id)
        }
        Kind::Grains => {
            let id = scene.add_grains(Grains::sand(RADIUS)).unwrap();
            scene.heap(id, &places([3, 2, 3]), velocity).unwrap();
            Thing::Grains(id)
        }
        Kind::Collider => {
            let wall = Collider::new(Shape::Cuboid(Vec3::new(0.15, 0.06, 0.15)), at);
            Thing::Collider(scene.add_collider(wall).unwrap())
        }
        _ => Thing::Deformable(scene.add_deformable(&deformable(kind), at, Quat::IDENTITY, velocity).unwrap()),
    }
}

/// Two things, one that flies at the other, whether they should meet, and what to call them.
struct Pair {
    things: [Thing; 2],
    meet: bool,
    name: String,
}

/// Every two kinds, far apart from all others, with these layers for each.
fn pairs(scene: &mut Scene, layers: &[[Layers; 2]]) -> Vec<Pair> {
    let mut pairs: Vec<Pair> = Vec::new();
    for [a, b] in layers {
        for (i, below) in KINDS.into_iter().enumerate() {
            for flying in KINDS[..=i].iter().filter(|kind| **kind != Kind::Collider) {
                let n = pairs.len();
                let at = 1.5 * Vec3::new((n % 9) as f32, 0.0, (n / 9) as f32);
                let things =
                    [add(scene, *flying, at + 0.2 * Vec3::Y, -2.0 * Vec3::Y), add(scene, below, at, Vec3::ZERO)];
                scene.set_layers(things[0], *a).unwrap();
                scene.set_layers(things[1], *b).unwrap();
                pairs.push(Pair { things, meet: a.meet(*b), name: format!("{flying:?} {a:?} on {below:?} {b:?}") });
            }
        }
    }
    pairs
}

fn world() -> Scene {
    let mut scene = Scene::default();
    (scene.params.gravity, scene.params.linear_damping) = (Vec3::ZERO, 0.0);
    scene
}

/// Mean height of a thing's particles [m]; 0 for a collider.
fn height(scene: &Scene, solver: &Solver, thing: Thing) -> f32 {
    let members = scene.members();
    let at = solver.read_particles().unwrap();
    let own: Vec<f32> = (0..at.len())
        .filter(|i| members.thing(sinew::scene::ParticleId(*i as u32)) == Some(thing))
        .map(|i| at[i][1])
        .collect();
    own.iter().sum::<f32>() / own.len().max(1) as f32
}

/// How far a thing is from where it were if it had met nothing [m].
fn off(scene: &Scene, solver: &Solver, pair: &Pair, time: f32) -> f32 {
    let [flying, below] = pair.things.map(|thing| height(scene, solver, thing));
    (flying - (0.2 - 2.0 * time)).abs().max(below.abs())
}

#[test]
fn any_two_materials_meet_if_each_meets_the_other() {
    let mut scene = world();
    let all = Layers::default();
    let pairs = pairs(&mut scene, &[[FIRST, FIRST], [FIRST, SECOND], [SECOND, FIRST], [all, SECOND]]);
    let mut solver = Solver::new(&Context::shared().unwrap(), &scene).unwrap();
    (0..10).for_each(|_| solver.step());
    let time = 10.0 * scene.params.dt;
    let wrong: Vec<_> = pairs
        .iter()
        .map(|pair| (pair, off(&scene, &solver, pair, time)))
        .filter(|(pair, off)| if pair.meet { *off < 0.02 } else { *off > 0.004 })
        .map(|(pair, off)| format!("{} should meet: {}; {off} m off", pair.name, pair.meet))
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn layers_change_while_the_world_runs() {
    let mut scene = world();
    let pairs = pairs(&mut scene, &[[FIRST, SECOND]]);
    let mut solver = Solver::new(&Context::shared().unwrap(), &scene).unwrap();
    solver.step();
    for pair in pairs.iter().step_by(5) {
        solver.set_layers(pair.things[1], Layers::default()).unwrap();
    }
    (0..9).for_each(|_| solver.step());
    for (n, pair) in pairs.iter().enumerate() {
        let off = off(&scene, &solver, pair, 10.0 * scene.params.dt);
        assert!(if n % 5 == 0 { off > 0.02 } else { off < 0.004 }, "{n} {}: {off} m", pair.name);
    }
}

#[test]
fn what_is_not_there_and_too_many_layers_are_refused() {
    let mut scene = world();
    let bodies: Vec<BodyId> =
        (0..17).map(|i| scene.add_body(BodyDesc::sphere(0.05, RADIUS).at(Vec3::X * i as f32)).unwrap()).collect();
    let refusal = scene.set_layers(Thing::Liquid(LiquidId(3)), FIRST).unwrap_err();
    assert!(matches!(refusal, SceneError::Missing { index: 3, count: 0, .. }), "{refusal}");
    for (i, body) in bodies[..15].iter().enumerate() {
        scene.set_layers(Thing::Body(*body), Layers { of: 1 << i, meets: 1 }).unwrap();
    }
    let last = Thing::Body(bodies[15]);
    assert_eq!(scene.set_layers(last, Layers { of: 1 << 20, meets: 1 }), Err(SceneError::Layers(16)));
    assert_eq!(scene.layers_of(last), Layers::default());
    scene.set_layers(last, Layers { of: 1, meets: 1 }).unwrap();
    let mut solver = Solver::new(&Context::shared().unwrap(), &scene).unwrap();
    let refusal = solver.set_layers(Thing::Body(BodyId(99)), FIRST);
    assert!(matches!(refusal, Err(SolverError::Scene(SceneError::Missing { index: 99, .. }))), "{refusal:?}");
}
