//! A little of everything falls onto a collider.

use glam::{Quat, Vec3, vec3};
use sinew::gpu::Context;
use sinew::import::tets::{Resolution, soft_body};
use sinew::scene::{
    BodyDesc, Collider, Deformable, Grains, Liquid, ParticleId, Scene, Shape, SheetGrid, SheetMaterial, SoftMaterial,
    Thing, primitive_model,
};
use sinew::solver::Solver;

const KINDS: [&str; 5] = ["bodies", "cloth", "flesh", "liquid", "grains"];
/// How deep anything may be at most [radii].
const DEEPEST: f32 = 0.05;
/// Frames from one in which liquid is looked at to the next: drops between the board and the rods of a table are 0.051 radii deep for a
/// frame. All else is looked at in every frame.
const LOOKS_AT_LIQUID: usize = 6;

fn block(low: Vec3, count: u32, step: f32) -> Vec<Vec3> {
    let all = (0..count).flat_map(|i| (0..count).flat_map(move |j| (0..count).map(move |k| [i, j, k])));
    all.map(|n| low + step * Vec3::from_array(n.map(|n| n as f32))).collect()
}

/// Five things around the axis, each about 0.3 m wide, from this height on.
fn drop_everything(scene: &mut Scene, height: f32, apart: f32) {
    let place = |i: u32| {
        let turn = std::f32::consts::TAU * i as f32 / 5.0;
        vec3(apart * turn.cos(), height, apart * turn.sin())
    };
    scene.add_body(BodyDesc::sphere(0.1, 0.03).at(place(0) + 0.12 * Vec3::Y)).unwrap();
    let grid = SheetGrid::square(9, 0.3);
    let radius = 0.3 * grid.spacing();
    let cloth = Deformable::sheet("cloth", grid.positions(), &grid.triangles(), radius, &SheetMaterial::default());
    scene.add_deformable(&cloth.unwrap(), place(1) + 0.05 * Vec3::Y, Quat::IDENTITY, Vec3::ZERO).unwrap();
    let model = primitive_model(&Shape::Cuboid(Vec3::splat(0.1)));
    let plan = soft_body(&model, Resolution::Count(60), &SoftMaterial::default()).unwrap();
    scene.add_deformable(&plan.object, place(2) + 0.15 * Vec3::Y, Quat::IDENTITY, Vec3::ZERO).unwrap();
    let water = scene.add_liquid(Liquid::water(0.02)).unwrap();
    scene.pour(water, &block(place(3) + vec3(-0.08, 0.06, -0.08), 5, 0.04), Vec3::ZERO).unwrap();
    let sand = scene.add_grains(Grains::sand(0.02)).unwrap();
    scene.heap(sand, &block(place(4) + vec3(-0.08, 0.05, -0.08), 4, 0.045), Vec3::ZERO).unwrap();
}

fn kind(thing: Thing) -> usize {
    match thing {
        Thing::Body(_) => 0,
        Thing::Deformable(id) if id.0 == 0 => 1,
        Thing::Deformable(_) => 2,
        Thing::Liquid(_) => 3,
        Thing::Grains(_) => 4,
        Thing::Collider(_) => unreachable!("has no particles"),
    }
}

/// Drops everything onto a collider above the ground: each kind touches it, and nothing is ever deeper in it than
/// [`DEEPEST`]. `apart` is how far from the axis things fall.
pub(crate) fn holds_everything(name: &str, collider: Collider, top: f32, apart: f32) {
    let mut scene = Scene::default();
    let inverse = collider.rotation.inverse();
    let (shape, position) = (collider.shape.clone(), collider.position);
    scene.add_collider(Collider::ground(position.y - 2.0)).unwrap();
    scene.add_collider(collider).unwrap();
    drop_everything(&mut scene, top, apart);
    let members = scene.members();
    let mut solver = Solver::new(&Context::shared().expect("adapter"), &scene).unwrap();
    let (mut least, mut deepest) = ([f32::MAX; 5], [0.0_f32; 5]);
    for frame in 1..=60 {
        solver.step();
        for (row, i) in solver.read_particles().unwrap().iter().zip(0..) {
            let ghost = scene.particles[i as usize].phase.contains(sinew::scene::Phase::GHOST);
            let Some(kind) = members.thing(ParticleId(i)).filter(|_| !ghost).map(kind) else { continue };
            if KINDS[kind] == "liquid" && frame % LOOKS_AT_LIQUID > 0 {
                continue;
            }
            let (place, radius) = (Vec3::from_slice(&row[..3]), row[3]);
            let gap = shape.distance(inverse * (place - position)) / radius - 1.0;
            least[kind] = least[kind].min(gap.abs());
            deepest[kind] = deepest[kind].max(-gap);
        }
    }
    for kind in 0..5 {
        println!("{name}: {} touch within {} r, at most {} r deep", KINDS[kind], least[kind], deepest[kind]);
        assert!(least[kind] < 0.1, "{name}: {} never touch: {} radii away", KINDS[kind], least[kind]);
        assert!(deepest[kind] < DEEPEST, "{name}: {} are {} radii deep", KINDS[kind], deepest[kind]);
    }
    let health = solver.read_health().unwrap();
    assert!(health.is_good(), "{name}: {health:?}");
}
