//! The hierarchical solver (`levels=`): what is stiff stretches as theory says after one iteration, and nothing else changes.

use glam::{DVec3, Quat, Vec3, vec3};
use sinew::constraints::{Compliance, Give, Partition};
use sinew::gpu::Context;
use sinew::scene::{
    Air, Collider, Deformable, DeformableId, Integrator, RopeMaterial, Scene, Shape, SheetGrid, SheetMaterial,
    SoftMaterial, SoftModel, Topology, is_stored,
};
use sinew::solver::Solver;

const GRAVITY: f64 = 9.81;

fn solver(scene: &Scene) -> Solver {
    Solver::new(&Context::shared().expect("adapter"), scene).unwrap()
}

fn places(solver: &Solver) -> Vec<DVec3> {
    assert!(solver.read_health().unwrap().is_good());
    solver.read_particles().unwrap().iter().map(|r| Vec3::from_slice(&r[..3]).as_dvec3()).collect()
}

/// `scene` after so many frames with `levels`.
fn after(scene: &Scene, levels: u32, frames: u32) -> Vec<DVec3> {
    let mut scene = scene.clone();
    scene.params.levels = levels;
    let mut solver = solver(&scene);
    (0..frames).for_each(|_| solver.step());
    places(&solver)
}

fn alone(object: &Deformable) -> Scene {
    let mut scene = Scene::default();
    scene.add_deformable(object, Vec3::ZERO, Quat::IDENTITY, Vec3::ZERO).unwrap();
    scene
}

/// A chain of `links` over 2 m that hangs, 0.2 kg, with a weight of `weight` kg at its end.
fn chain(links: usize, stretch: f32, weight: f32) -> Scene {
    let material = RopeMaterial { line_density: 0.1, stretch, bend: f32::INFINITY };
    let points = (0..=links).map(|i| -2.0 / links as f32 * i as f32 * Vec3::Y).collect();
    let mut rope = Deformable::rope("chain", points, 0.003, &material).unwrap();
    rope.masses[0] = 0.0;
    rope.masses[links] += weight;
    rope.damping = 30.0;
    alone(&rope)
}

/// Springs in series: each link gives way by its compliance times the weight below it.
#[test]
fn a_chain_is_as_long_as_its_springs_say() {
    for (links, weight, stretch) in [(256, 10.0, 0.0), (200, 10.0, 1e-7), (200, 2.0, 2e-6), (256, 0.0, 1e-8)] {
        let scene = chain(links, stretch, weight);
        let below = |i: usize| scene.particles[i + 1..].iter().map(|p| f64::from(p.mass)).sum::<f64>();
        let give = f64::from(stretch) * GRAVITY * (0..links).map(below).sum::<f64>();
        let long = |levels| -after(&scene, levels, 90)[links].y;
        let found = long(16);
        println!("{links} links, {weight} kg, {stretch} m/N: {found:.5} m, theory {:.5} m", 2.0 + give);
        assert!((found - 2.0 - give).abs() < 2e-4 + 0.02 * give, "{links} links: {found} m for {}", 2.0 + give);
        assert!(stretch > 0.0 || weight == 0.0 || long(1) > 2.2, "without levels it stretches far");
    }
}

/// More iterations make it no worse.
#[test]
fn iterations_and_levels_go_together() {
    let mut scene = chain(256, 1e-8, 2.0);
    for (iterations, stiffness) in [(2, 1.0), (4, 1.0), (8, 1.0), (2, 0.5)] {
        (scene.params.iterations, scene.params.stiffness) = (iterations, stiffness);
        let at = after(&scene, 16, 40);
        let [rms, most] = strains(&scene, &at);
        println!(
            "{iterations} iterations, k = {stiffness}: {:.6} m, rms and largest strain {rms:.1e}, {most:.1e}",
            -at[256].y
        );
        assert!(most < 2e-3, "{iterations} iterations, k = {stiffness}: {most}");
    }
}

fn upright(points: u32, side: f32, topology: Topology, material: &SheetMaterial) -> Deformable {
    let grid = SheetGrid { topology, ..SheetGrid::square(points, side) };
    let rest = grid.positions().iter().map(|p| vec3(p.x, -p.z - 0.5 * side, 0.0)).collect();
    let mut sheet = Deformable::sheet("sheet", rest, &grid.triangles(), 0.004, material).unwrap();
    sheet.pin(|at| at.y > -1e-4);
    sheet
}

/// Root mean square of the strain of all lengths, and the largest.
fn strains(scene: &Scene, at: &[DVec3]) -> [f64; 2] {
    let (mut squares, mut most, mut count) = (0.0, 0.0_f64, 0.0);
    for kept in scene.constraints.iter().filter_map(|row| row.stretch()) {
        let [a, b] = kept.particles.map(|p| at[p as usize]);
        let strain = a.distance(b) / f64::from(kept.rest_length) - 1.0;
        (squares, most, count) = (squares + strain * strain, most.max(strain.abs()), count + 1.0);
    }
    [(squares / count).sqrt(), most]
}

#[test]
fn a_heavy_sheet_hardly_stretches_after_one_iteration() {
    let material = SheetMaterial { air: Air::NONE, ..SheetMaterial::default() };
    // Where four and eight triangles meet in turn, one iteration leaves more at every particle.
    for (topology, worth) in [(Topology::Diagonal, 20.0), (Topology::Centered, 1.5)] {
        let scene = alone(&upright(47, 2.0, topology, &material));
        let [plain, with] = [1, 16].map(|levels| strains(&scene, &after(&scene, levels, 20)));
        println!("{topology:?}: rms and largest strain {plain:?}, with levels {with:?}");
        assert!(with[0] < 0.003 && worth * with[0] < plain[0], "{topology:?}: {with:?} after {plain:?}");
    }
}

/// Where a scene of distances alone comes to rest, in f64: the least of its energy, C² / 2α and weights, by dynamic relaxation.
fn balance(scene: &Scene) -> Vec<DVec3> {
    /// Damping [1/s], about the slowest swing's, and a step [s] well below the fastest one's.
    const DAMPING: f64 = 5.0;
    const STEP: f64 = 2.5e-4;
    let mut at: Vec<DVec3> = scene.particles.iter().map(|p| p.position.as_dvec3()).collect();
    let mut velocities = vec![DVec3::ZERO; at.len()];
    let gravity = scene.params.gravity.as_dvec3();
    for _ in 0..24_000 {
        let mut forces: Vec<DVec3> = scene.particles.iter().map(|p| f64::from(p.mass) * gravity).collect();
        for row in &scene.constraints {
            let equation = row.equation(0, &row.particles.map(|i| at.get(i as usize).copied().unwrap_or_default()));
            let pull = equation.value / equation.compliance;
            row.joined().iter().zip(equation.gradient).for_each(|(i, along)| forces[*i as usize] -= pull * along);
        }
        for (i, particle) in scene.particles.iter().enumerate().filter(|(_, p)| p.mass > 0.0) {
            velocities[i] = (velocities[i] + STEP / f64::from(particle.mass) * forces[i]) * (1.0 - DAMPING * STEP);
            at[i] += STEP * velocities[i];
        }
    }
    let fastest = velocities.iter().map(|v| v.length()).fold(0.0, f64::max);
    assert!(fastest < 1e-4, "it moves at {fastest} m/s");
    at
}

/// What is soft and bears itself gives way by other than its compliance says, by as much as limits of the guide say.
#[test]
fn soft_sheets_sag_by_as_much_as_the_guide_says() {
    let sheets = [
        (Topology::Diagonal, 2e-3, 60, 1.23),
        (Topology::Centered, 2e-3, 60, 1.5),
        (Topology::Diagonal, 2e-2, 120, 1.23),
        (Topology::Centered, 2e-2, 120, 1.2),
    ];
    let count = if crate::effort::is_long() { sheets.len() } else { 2 };
    for (topology, stretch, frames, told) in sheets.into_iter().take(count) {
        let material = SheetMaterial { stretch, bend: f32::INFINITY, air: Air::NONE, ..SheetMaterial::default() };
        let mut sheet = upright(19, 1.0, topology, &material);
        sheet.damping = 20.0;
        let scene = alone(&sheet);
        let low: Vec<usize> = (0..sheet.rest.len()).filter(|i| sheet.rest[*i].y < -0.999).collect();
        let sag = |at: &[DVec3]| low.iter().map(|i| -at[*i].y - 1.0).sum::<f64>() / low.len() as f64;
        let (with, expected) = (sag(&after(&scene, 16, frames)), sag(&balance(&scene)));
        let times = with / expected;
        println!(
            "{topology:?}, {stretch} m/N: sags by {with:.5} m, {times:.2} times {expected:.5} m of springs in balance"
        );
        assert!((times / told - 1.0).abs() < 0.05, "{topology:?}, {stretch} m/N: {times} times as far, not {told}");
    }
}

/// The same of a rope under its own weight; what hangs at its end stretches it as it should.
#[test]
fn soft_ropes_give_way_by_as_much_as_the_guide_says() {
    for (links, stretch, weight, told) in
        [(200, 2e-6, 2.0, 1.02), (256, 1e-5, 0.0, 1.42), (200, 1e-3, 0.0, 0.6), (200, 1e-4, 0.0, 0.2)]
    {
        let scene = chain(links, stretch, weight);
        let below = |i: usize| scene.particles[i + 1..].iter().map(|p| f64::from(p.mass)).sum::<f64>();
        let give = f64::from(stretch) * GRAVITY * (0..links).map(below).sum::<f64>();
        let times = (-after(&scene, 16, 240)[links].y - 2.0) / give;
        println!("{links} links, {stretch} m/N, {weight} kg at the end: gives way {times:.3} times {give:.5} m");
        assert!((times / told - 1.0).abs() < 0.02, "{stretch} m/N, {weight} kg: {times} times as far, not {told}");
    }
}

/// A tall block of springs that hangs by its top.
#[test]
fn flesh_of_springs_stretches_less() {
    let (mut rest, mut tetrahedra) = (Vec::new(), Vec::new());
    const SIDE: u32 = 4;
    const TALL: u32 = 33;
    let id = |x: u32, y: u32, z: u32| (y * SIDE + z) * SIDE + x;
    for y in 0..TALL {
        rest.extend((0..SIDE * SIDE).map(|i| 0.05 * vec3((i % SIDE) as f32, -(y as f32), (i / SIDE) as f32)));
    }
    for (y, z, x) in (0..TALL - 1).flat_map(|y| (0..9).map(move |i| (y, i / 3, i % 3))) {
        let corner = |k: u32| id(x + (k & 1), y + (k >> 1 & 1), z + (k >> 2));
        for [a, b] in [[1, 3], [3, 2], [2, 6], [6, 4], [4, 5], [5, 1]] {
            tetrahedra.push([0, a, b, 7].map(corner));
        }
    }
    let model = SoftModel::Springs { stretch: 0.0, bulk: f32::INFINITY };
    let material = SoftMaterial { density: 1000.0, model };
    let mut block = Deformable::soft("block", rest, &tetrahedra, 0.02, &material).unwrap();
    block.pin(|at| at.y > -1e-4);
    let scene = alone(&block);
    let [plain, with] = [1, 16].map(|levels| strains(&scene, &after(&scene, levels, 15)));
    println!("rms and largest strain {plain:?}, with levels {with:?}");
    assert!(3.0 * with[0] < plain[0], "{with:?} after {plain:?}");
}

/// Coarse lengths only pull: what is pressed together, and what may tear, moves as without them, to the bit.
#[test]
fn what_is_slack_or_may_tear_moves_as_without_levels() {
    let material = SheetMaterial { air: Air::NONE, ..SheetMaterial::default() };
    let mut scene = alone(&upright(17, 1.0, Topology::Diagonal, &material));
    scene.params.gravity = Vec3::ZERO;
    for (i, particle) in scene.particles.iter_mut().enumerate() {
        particle.position *= 0.98 - 1e-3 * (i as f32).sin();
    }
    scene.params.iterations = 1;
    scene.params.substeps = 1;
    assert_eq!(after(&scene, 1, 1), after(&scene, 8, 1));
    let soft = SheetMaterial { stretch: 5e-3, ..material };
    let mut tearing = upright(17, 1.0, Topology::Diagonal, &soft);
    tearing.tearing = Some(0.05);
    tearing.masses[16 * 17..].iter_mut().for_each(|mass| *mass += 0.1);
    let mut scene = alone(&tearing);
    let extent = &scene.deformables[0];
    let waits = extent.particle_count - extent.spare_count..extent.particle_count;
    let rope = RopeMaterial { line_density: 0.1, stretch: 0.0, bend: f32::INFINITY };
    let points = (0..60).map(|i| vec3(5.0, -0.03 * i as f32, 0.0)).collect();
    let mut rope = Deformable::rope("beside", points, 0.003, &rope).unwrap();
    rope.masses[0] = 0.0;
    // Levels are made for what is beside it.
    scene.add_deformable(&rope, Vec3::ZERO, Quat::IDENTITY, Vec3::ZERO).unwrap();
    for iterations in [1, 2] {
        scene.params.iterations = iterations;
        let [plain, with] = [1, 8].map(|levels| after(&scene, levels, 40));
        let (sheet, beside) = plain.split_at(waits.end as usize);
        let split = sheet[waits.start as usize..].iter().filter(|at| !is_stored(at.as_vec3())).count();
        println!("{iterations} iterations: {split} vertices split");
        assert!(split > 5, "{iterations} iterations: {split} vertices split");
        assert!(sheet == &with[..sheet.len()], "{iterations} iterations: levels move what may tear");
        assert!(beside != &with[sheet.len()..], "levels act on the rope");
    }
}

/// Momentum of a free sheet that spins and shakes, for every way to divide it.
#[test]
fn momentum_stays() {
    let material = SheetMaterial { air: Air::NONE, ..SheetMaterial::default() };
    let mut sheet = upright(17, 1.0, Topology::Diagonal, &material);
    // Uneven, and free.
    sheet.masses.iter_mut().enumerate().for_each(|(i, m)| *m = 0.001 + 0.0005 * (i as f32).sin());
    for partition in [Partition::Clusters, Partition::Colors, Partition::Phantom(3), Partition::Hybrid(3)] {
        let mut scene = alone(&sheet);
        scene.params.gravity = Vec3::ZERO;
        (scene.params.partition, scene.params.levels) = (partition, 8);
        for (i, particle) in scene.particles.iter_mut().enumerate() {
            let shaken = vec3((7.1 * i as f32).sin(), (3.3 * i as f32).sin(), (9.7 * i as f32).sin());
            particle.velocity = Vec3::Z.cross(particle.position) * 3.0 + Vec3::X + 0.5 * shaken;
        }
        let sums = |x: &[DVec3], v: &[DVec3]| {
            let mass = |i: usize| f64::from(scene.particles[i].mass);
            let all: f64 = (0..x.len()).map(mass).sum();
            let center = (0..x.len()).map(|i| mass(i) * x[i]).sum::<DVec3>() / all;
            let linear: DVec3 = (0..x.len()).map(|i| mass(i) * v[i]).sum();
            (linear, (0..x.len()).map(|i| (x[i] - center).cross(mass(i) * v[i])).sum::<DVec3>())
        };
        let start = sums(
            &scene.particles.iter().map(|p| p.position.as_dvec3()).collect::<Vec<_>>(),
            &scene.particles.iter().map(|p| p.velocity.as_dvec3()).collect::<Vec<_>>(),
        );
        let mut solver = solver(&scene);
        (0..40).for_each(|_| solver.step());
        let v: Vec<DVec3> =
            solver.read_particle_velocities().unwrap().iter().map(|r| Vec3::from_slice(&r[..3]).as_dvec3()).collect();
        let end = sums(&places(&solver), &v);
        let linear = end.0.distance(start.0) / start.0.length();
        let angular = end.1.distance(start.1) / start.1.length();
        println!("{partition}: momentum drifts by {linear:.1e}, angular momentum by {angular:.1e}");
        assert!(linear < 1e-6 && angular < 1e-4, "{partition}: linear {linear}, angular {angular}");
    }
}

/// A heavy cloth over a ball: coarse levels do not press it through.
#[test]
#[ignore = "long"]
fn cloth_over_a_ball_stays_outside() {
    let material = SheetMaterial { area_density: 2.0, ..SheetMaterial::default() };
    let grid = SheetGrid::square(29, 1.6);
    let mut sheet = Deformable::sheet("sheet", grid.positions(), &grid.triangles(), 0.02, &material).unwrap();
    sheet.meets_itself = true;
    let mut scene = Scene::default();
    scene.add_collider(Collider::new(Shape::Sphere(0.3), Vec3::Y)).unwrap();
    scene.add_deformable(&sheet, 1.4 * Vec3::Y, Quat::IDENTITY, Vec3::ZERO).unwrap();
    let depth = |at: &[DVec3]| at.iter().map(|p| 0.3 - (*p - DVec3::Y).length()).fold(f64::MIN, f64::max);
    let [plain, with] = [1, 16].map(|levels| after(&scene, levels, 45));
    println!("deepest center {:.4} m, without levels {:.4} m", depth(&with), depth(&plain));
    assert!(depth(&with) < 0.0 && depth(&with) < depth(&plain) + 0.002);
    let [plain, with] = [plain, with].map(|at| strains(&scene, &at));
    println!("rms and largest strain {plain:?}, with levels {with:?}");
    assert!(with[0] < plain[0]);
}

/// `levels` is changed while the world runs, and is part of what a saved state goes on with.
#[test]
fn levels_are_changed_while_it_runs() {
    let mut solver = solver(&chain(200, 0.0, 5.0));
    (0..20).for_each(|_| solver.step());
    let stretched = -places(&solver)[200].y;
    let saved = solver.save().unwrap();
    let set = |solver: &mut Solver, levels| {
        let mut params = *solver.params();
        params.levels = levels;
        solver.set_params(params).unwrap();
    };
    set(&mut solver, 16);
    (0..60).for_each(|_| solver.step());
    let short = -places(&solver)[200].y;
    assert!(stretched > 2.2 && (short - 2.0).abs() < 1e-3, "{stretched} m, then {short} m");
    solver.restore(&saved).unwrap();
    assert_eq!((solver.params().levels, -places(&solver)[200].y), (1, stretched));
}

/// What was made without any give and is softened later hangs as what was made so soft.
#[test]
fn a_rigid_chain_is_softened() {
    let hangs = |made: f32| {
        let mut scene = chain(64, made, 0.0);
        scene.params.levels = 8;
        let mut solver = solver(&scene);
        solver.set_compliance(DeformableId(0), Give::Stretch, Compliance::Each(1e-3)).unwrap();
        (0..120).for_each(|_| solver.step());
        -places(&solver)[64].y - 2.0
    };
    let (rigid, soft) = (hangs(0.0), hangs(1e-3));
    println!("made rigid it gives way by {rigid} m, made soft by {soft} m");
    assert!(soft > 0.05 && (rigid / soft - 1.0).abs() < 0.02, "{rigid} m and {soft} m");
}

#[test]
fn too_many_levels_and_the_second_order_are_refused() {
    let mut solver = solver(&chain(20, 0.0, 1.0));
    let refused = |solver: &mut Solver, levels, integrator| {
        let mut params = *solver.params();
        (params.levels, params.integrator) = (levels, integrator);
        solver.set_params(params).unwrap_err().to_string()
    };
    for (levels, integrator) in [(0, Integrator::Euler), (17, Integrator::Euler), (2, Integrator::Bdf2)] {
        let said = refused(&mut solver, levels, integrator);
        assert!(said.contains("`levels`") && said.contains(&levels.to_string()) || said.contains("bdf2"), "{said}");
    }
    assert_eq!(solver.params().levels, 1);
}
