//! The search for neighbors in liquid alone, against plain references: a sort, and distances to all that cells near hold.

use std::collections::HashMap;

use glam::{IVec3, Vec3};

use super::kernels::{Random, run_gates};
use crate::gpu::Buffers;
use crate::gpu::Context;
use crate::gpu::wgpu::BufferUsages;
use crate::scene::{Liquid, Particle, Phase, Scene};
use crate::solver::stages::fluid::{Stage, Tables};
use crate::solver::stages::ground::{World, cell_count};
use crate::solver::stages::rows::{Control, ParamsRow, ParticleRow, vec4};
use crate::solver::stages::stage::Frame;

/// Radius of the particles [m].
const RADIUS: f32 = 0.05;
/// Room for the most crowded of the random places.
const SLOTS: u32 = 96;

/// Water at random places, about as dense as at rest, where every seventh particle is a solid one if `mixed`.
fn random_scene(count: usize, mixed: bool) -> Scene {
    let mut random = Random(11 + count as u32);
    let half = RADIUS * (count as f32).cbrt().max(1.0);
    let places: Vec<Vec3> = (0..count).map(|_| random.vector(half)).collect();
    let mut scene = Scene::default();
    let water = scene.add_liquid(Liquid::water(RADIUS)).unwrap();
    scene.pour(water, &places, Vec3::ZERO).unwrap();
    for particle in scene.particles.iter_mut().step_by(if mixed { 7 } else { usize::MAX }) {
        *particle = Particle { phase: Phase::default(), mass: 0.3, ..*particle };
    }
    scene
}

/// The buffers that the search works on.
fn buffers(context: &Context, scene: &Scene, tables: &Tables, sizes: &Stage) -> Buffers {
    let (members, cells) = (tables.particles.len(), sizes.cells as usize);
    let mut b = Buffers::new(context);
    b.create_uniform("fluid", &[tables.row(sizes.cells, SLOTS)]).unwrap();
    let grid = ParamsRow { proxy_count: members as u32, cell_mask: sizes.cells - 1, ..ParamsRow::default() };
    b.create_uniform("fluid_params", &[grid]).unwrap();
    b.create_uniform("params", &[grid]).unwrap();
    b.create::<ParticleRow>("particle_rows", members, BufferUsages::empty()).unwrap();
    let places: Vec<[f32; 4]> = scene.particles.iter().map(|p| vec4(p.position, p.radius)).collect();
    let motions: Vec<[f32; 4]> = scene.particles.iter().map(|p| vec4(p.velocity, 1.0 / p.mass)).collect();
    b.create_with("particles", &places).unwrap();
    b.create_with("particle_velocities", &motions).unwrap();
    b.create_with("particle_volumes", &tables.volumes).unwrap();
    b.create_with("fluid_particles", &tables.particles).unwrap();
    b.create::<Control>("control", 1, BufferUsages::empty()).unwrap();
    b.create_texture("fluid_places", members + 1).unwrap();
    b.create_texture("fluid_neighbors", members * SLOTS as usize / 4).unwrap();
    for (name, len) in [
        ("fluid_cell_counts", cells),
        ("fluid_cell_starts", cells + 1),
        ("fluid_block_sums", cells / 1024),
        ("fluid_buckets", members),
        ("fluid_bucket_particles", members),
        ("sorted_particles", members),
        ("fluid_counts", members),
    ] {
        b.create::<u32>(name, len, BufferUsages::empty()).unwrap();
    }
    b
}

/// Members in the order of the grid: by bucket, then by number.
fn check_order(tables: &Tables, sizes: &Stage, buffers: &Buffers) -> Vec<u32> {
    let count = tables.particles.len();
    let buckets: Vec<u32> = buffers.read("fluid_buckets").unwrap();
    let mut order: Vec<usize> = (0..count).collect();
    order.sort_by_key(|m| (buckets[*m], *m));
    let sorted: Vec<u32> = order.iter().map(|m| tables.particles[*m]).collect();
    assert!(buffers.read::<u32>("sorted_particles").unwrap()[..count] == sorted, "{count}: order");
    let counts: Vec<u32> = buffers.read("fluid_cell_counts").unwrap();
    assert!(counts.iter().all(|n| *n == 0), "{count}: counters left over");
    let starts: Vec<u32> = buffers.read("fluid_cell_starts").unwrap();
    assert_eq!(starts[sizes.cells as usize] as usize, count, "the last bucket ends with the last member");
    sorted
}

/// Everyone within reach is listed, once, and nobody else, but for what rounding decides.
fn check_neighbors(scene: &Scene, tables: &Tables, sorted: &[u32], buffers: &Buffers) {
    let (count, row) = (sorted.len(), tables.row(cell_count(sorted.len()), SLOTS));
    let neighbors: Vec<[u32; 4]> = buffers.read_texture("fluid_neighbors").unwrap();
    let counts: Vec<u32> = buffers.read("fluid_counts").unwrap();
    let at = |s: usize| scene.particles[sorted[s] as usize].position;
    let solid = |s: usize| tables.volumes[sorted[s] as usize] < 0.0;
    let cell = |p: Vec3| (p / row.reach).floor().as_ivec3();
    let mut cells: HashMap<IVec3, Vec<usize>> = HashMap::new();
    (0..count).for_each(|s| cells.entry(cell(at(s))).or_default().push(s));
    for s in 0..count {
        let listed = counts[s] as usize;
        let entry = |k: usize| neighbors[k / 4 * count + s][k % 4] as usize;
        let mut found: Vec<usize> = (0..listed).map(entry).collect();
        let rest = (listed..listed.next_multiple_of(4)).map(entry);
        assert!(rest.into_iter().all(|nobody| nobody == count), "{count}: the last row of {s} ends with nobody");
        found.sort_unstable();
        assert!(found.windows(2).all(|pair| pair[0] < pair[1]), "{count}: {s} lists a neighbor twice");
        let around = (0..27).map(|n| cell(at(s)) + IVec3::new(n % 3 - 1, n / 3 % 3 - 1, n / 9 - 1));
        let near = around.filter_map(|c| cells.get(&c)).flatten().copied();
        let mut expected: Vec<usize> = near.filter(|o| *o != s && !(solid(s) && solid(*o))).collect();
        expected.retain(|o| found.binary_search(o).is_ok() || at(s).distance(at(*o)) < row.reach * (1.0 - 1e-6));
        expected.sort_unstable();
        assert_eq!(found, expected, "{count}: neighbors of {s}");
        assert!(found.iter().all(|o| at(s).distance(at(*o)) < row.reach * (1.0 + 1e-6)), "{count}: {s} lists far ones");
    }
}

#[test]
fn neighbors_in_liquid_are_those_within_reach() {
    let context = Context::shared().expect("adapter");
    for (count, mixed) in [0, 1, 63, 64, 65, 100_003].into_iter().flat_map(|n| [(n, false), (n, true)]) {
        let scene = random_scene(count, mixed);
        let tables = Tables::new(&scene, |_| true);
        let sizes = tables.stage(World::default());
        let buffers = buffers(&context, &scene, &tables, &sizes);
        let mut search = Frame::default();
        sizes.search(&mut search);
        // Twice: a search must leave the counters as it found them.
        for _ in 0..2 {
            run_gates(&context, &buffers, &search);
        }
        let sorted = check_order(&tables, &sizes, &buffers);
        check_neighbors(&scene, &tables, &sorted, &buffers);
        assert_eq!(buffers.read::<Control>("control").unwrap()[0].liquid_dropped, 0, "{count}: too few slots");
    }
}
