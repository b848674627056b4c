//! Strain along the threads of cloth and the fibers of flesh, against Hooke's law for each direction.

use std::path::Path;

use glam::{Quat, Vec2, Vec3, vec3};
use sinew::constraints::Partition;
use sinew::gpu::Context;
use sinew::scene::{Air, Deformable, Scene, SheetGrid, SheetMaterial, SoftMaterial, SoftModel, Topology, Weave};
use sinew::solver::Solver;

/// Damping [1/s], and substeps of a frame.
const DAMPING: f32 = 12.0;
const SUBSTEPS: u32 = 16;
/// Gravity, and what is felt of it at rest: damping takes its part of what each substep adds [m/s²].
const GRAVITY: f32 = 9.81;
const FELT: f32 = GRAVITY / (1.0 + DAMPING / (60.0 * SUBSTEPS as f32));

/// Solved until nothing is left open.
fn still() -> Scene {
    let mut scene = Scene::default();
    scene.params.gravity = Vec3::NEG_Y * GRAVITY;
    (scene.params.substeps, scene.params.iterations) = (SUBSTEPS, 8);
    scene.params.linear_damping = DAMPING;
    scene.params.partition = Partition::Colors;
    scene
}

fn settled(scene: &Scene) -> Vec<Vec3> {
    let mut solver = Solver::new(&Context::shared().expect("adapter"), scene).unwrap();
    (0..70).for_each(|_| solver.step());
    assert!(solver.read_health().unwrap().is_good());
    solver.read_particles().unwrap().iter().map(|p| Vec3::from_slice(&p[..3])).collect()
}

/// Particles across and along a strip, and its size [m].
const POINTS: [u32; 2] = [3, 13];
const SIZE: Vec2 = Vec2::new(0.1, 0.5);

/// Mass of a strip per area [kg/m²]: what is light carries what is heavy badly.
const AREA_DENSITY: f32 = 0.4;

/// A strip that is held at its upper end, with `load` [kg] at the lower.
fn strip(weave: Weave, load: f32) -> Deformable {
    let grid = SheetGrid { points: POINTS, size: SIZE, topology: Topology::Centered };
    let material = SheetMaterial {
        area_density: AREA_DENSITY,
        bend: f32::INFINITY,
        air: Air::NONE,
        weave: Some(weave),
        ..SheetMaterial::default()
    };
    let mut strip = Deformable::sheet("strip", grid.positions(), &grid.triangles(), 0.005, &material).unwrap();
    let (across, all) = (POINTS[0] as usize, strip.masses.len());
    strip.masses[..across].fill(0.0);
    for (i, mass) in strip.masses[all - across..].iter_mut().enumerate() {
        *mass += load / (across - 1) as f32 * if i % (across - 1) == 0 { 0.5 } else { 1.0 };
    }
    strip
}

/// Mean height of a row of a strip [m].
fn height(places: &[Vec3], row: u32) -> f32 {
    let first = (row * POINTS[0]) as usize;
    places[first..first + POINTS[0] as usize].iter().map(|p| p.y).sum::<f32>() / POINTS[0] as f32
}

/// By E₁ = 1/c along a thread and 1/E = (c_warp + c_weft + c_shear) / 4 at 45° to it, where no strain acts on another.
#[test]
fn woven_strips_stretch_by_force_times_the_give_of_their_direction() {
    let load = 0.05;
    // In the middle it carries half of its own weight.
    let per_metre = (load + 0.5 * AREA_DENSITY * SIZE.x * SIZE.y) * FELT / SIZE.x;
    let bias = vec3(1.0, 0.0, 1.0);
    let weave = |warp, weft, shear, direction| Weave { warp, weft, shear, direction };
    let cases = [
        ("along the warp", weave(1e-2, 2e-3, 2e-3, Vec3::Z), 1e-2),
        ("along a stiffer warp", weave(4e-3, 1e-2, 2e-3, Vec3::Z), 4e-3),
        ("along the weft", weave(2e-3, 6e-3, 2e-3, Vec3::X), 6e-3),
        ("on the bias", weave(2e-3, 4e-3, 1e-2, bias), (2e-3 + 4e-3 + 1e-2) / 4.0),
    ];
    let mut scene = still();
    for (i, (_, weave, _)) in cases.iter().enumerate() {
        let turn = Quat::from_rotation_x(std::f32::consts::FRAC_PI_2);
        scene.add_deformable(&strip(*weave, load), Vec3::X * i as f32, turn, Vec3::ZERO).unwrap();
    }
    let places = settled(&scene);
    let count = (POINTS[0] * POINTS[1]) as usize;
    for (i, (name, _, give)) in cases.iter().enumerate() {
        // The middle third: what is held does not get narrower.
        let own = &places[i * count..(i + 1) * count];
        let strain = (height(own, 4) - height(own, 8)) / (SIZE.y / 3.0) - 1.0;
        let expected = per_metre * give;
        println!("{name}: strain {strain}, theory {expected}");
        assert!((strain / expected - 1.0).abs() < 0.05, "{name}: {strain}, not {expected}");
    }
}

/// A bar of eight cubes of 0.1 m from y = 0 down, held on top, with `load` [kg] below.
fn bar(model: SoftModel, load: f32) -> Deformable {
    let (mut rest, mut tetrahedra) = (Vec::new(), Vec::new());
    for layer in 0..9 {
        rest.extend([[0, 0], [1, 0], [1, 1], [0, 1]].map(|[x, z]| vec3(x as f32, -(layer as f32), z as f32) * 0.1));
    }
    for first in (0..8).map(|layer| 4 * layer) {
        for t in [[0, 1, 2, 6], [0, 5, 1, 6], [0, 4, 5, 6], [0, 2, 3, 6], [0, 3, 7, 6], [0, 7, 4, 6]] {
            tetrahedra.push(t.map(|i| first + i));
        }
    }
    let material = SoftMaterial { density: 20.0, model };
    let mut bar = Deformable::soft("bar", rest, &tetrahedra, 0.02, &material).unwrap();
    bar.pin(|at| at.y == 0.0);
    // The lower side is two triangles that share the corners 0 and 2: each takes a third of its half of the load.
    for (corner, share) in [(32, 2.0), (33, 1.0), (34, 2.0), (35, 1.0)] {
        bar.masses[corner] += load * share / 6.0;
    }
    bar
}

#[test]
fn flesh_with_fibers_stretches_by_the_stiffness_of_its_direction() {
    let (stretch, bulk, load) = ([4e4, 1e4, 2e4], 1e4_f32, 0.8);
    let mut scene = still();
    // Turned so that the first, the second and the third direction stand upright.
    let upright =
        [Quat::from_rotation_arc(Vec3::X, Vec3::Y), Quat::IDENTITY, Quat::from_rotation_arc(Vec3::Z, Vec3::Y)];
    for (i, directions) in upright.into_iter().enumerate() {
        let model = SoftModel::Fibers { stretch, shear: [1e4; 3], bulk, directions };
        scene.add_deformable(&bar(model, load), Vec3::X * i as f32, Quat::IDENTITY, Vec3::ZERO).unwrap();
    }
    let places = settled(&scene);
    for i in 0..3 {
        let layer = |k: usize| places[36 * i + 4 * k..36 * i + 4 * k + 4].iter().map(|p| p.y).sum::<f32>() / 4.0;
        let strain = (layer(3) - layer(7)) / 0.4 - 1.0;
        // Stress along i: E_i e_i + K Σ e. Across nothing acts: E_j e_j = -K Σ e, so Σ e = e_i / (1 + K Σ 1/E_j).
        let across: f32 = (0..3).filter(|j| *j != i).map(|j| bulk / stretch[j]).sum();
        let modulus = stretch[i] + bulk / (1.0 + across);
        let own = 20.0 * 0.8 * 0.01 * (3.0 / 8.0);
        let expected = (load + own) * FELT / 0.01 / modulus;
        println!("direction {i}: strain {strain}, theory {expected}");
        assert!((strain / expected - 1.0).abs() < 0.05, "direction {i}: {strain}, not {expected}");
    }
}

#[test]
fn fibers_as_stiff_as_the_rest_are_elastic_flesh() {
    // Small strains of both are linear elasticity.
    let (young, poisson) = (4e4, 0.4);
    let elastic = SoftModel::NeoHookean { young, poisson };
    let mut scene = still();
    for (i, model) in [elastic, SoftModel::fibers(young, poisson, vec3(1.0, 2.0, 3.0), 1.0)].into_iter().enumerate() {
        scene.add_deformable(&bar(model, 0.3), Vec3::X * i as f32, Quat::IDENTITY, Vec3::ZERO).unwrap();
    }
    let places = settled(&scene);
    let longer = [0, 36].map(|first| -0.8 - places[first + 32..first + 36].iter().map(|p| p.y).sum::<f32>() / 4.0);
    println!("{longer:?} m");
    assert!(longer[0] > 2e-3 && (longer[1] / longer[0] - 1.0).abs() < 0.05, "{longer:?}");
}

#[test]
fn faults_of_threads_and_fibers_are_named() {
    let sheet = |weave: Weave| {
        let grid = SheetGrid::square(4, 1.0);
        let material = SheetMaterial { weave: Some(weave), ..SheetMaterial::default() };
        Deformable::sheet("sheet", grid.positions(), &grid.triangles(), 0.1, &material)
    };
    let told = |weave: Weave, part: &str| {
        let message = sheet(weave).unwrap_err().to_string();
        assert!(message.contains(part), "{message}");
    };
    told(Weave { warp: -1.0, ..Weave::default() }, "give along the warp is -1");
    told(Weave { weft: f32::NAN, ..Weave::default() }, "give along the weft");
    told(Weave { shear: f32::INFINITY, ..Weave::default() }, "give in shear");
    told(Weave { direction: Vec3::ZERO, ..Weave::default() }, "direction of the warp");
    let mut tearing = sheet(Weave::default()).unwrap();
    tearing.tearing = Some(0.2);
    let message = Scene::default().add_deformable(&tearing, Vec3::ZERO, Quat::IDENTITY, Vec3::ZERO).unwrap_err();
    assert!(message.to_string().contains("edges that keep their length and could tear"), "{message}");
    let flesh = |stretch, directions| {
        let model = SoftModel::Fibers { stretch: [stretch; 3], shear: [1e4; 3], bulk: 1e4, directions };
        let rest = vec![Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::Z];
        let material = SoftMaterial { density: 1000.0, model };
        Deformable::soft("flesh", rest, &[[0, 1, 2, 3]], 0.1, &material).unwrap_err().to_string()
    };
    assert!(flesh(-1.0, Quat::IDENTITY).contains("stiffness against stretch"));
    assert!(flesh(1e4, Quat::from_xyzw(0.0, 0.0, 0.0, 3.0)).contains("rotation length is 3"));
    // A warp that stands upright on the sheet leaves it a direction of its own.
    let upright = Weave { direction: Vec3::Y, ..Weave::default() };
    assert!(sheet(upright).unwrap().constraints.iter().all(|row| row.values.iter().all(|v| v.is_finite())));
}

#[test]
fn scene_files_know_threads_fibers_and_regions() {
    let text = "(items: [
        Sheet(points: (6, 6), pin: [Back], material: (weave: (warp: 0.02, direction: (1, 0, 0)))),
        Soft(shape: Box(0.4, 0.2, 0.2), particles: 150, fibers: 8, position: (2, 0.5, 0)),
        Soft(shape: Box(0.4, 0.2, 0.2), particles: 150, regions: (mode: Quadratic, blend: 0.7), position: (4, 0.5, 0)),
    ])";
    let scene = Scene::from_ron(text, Path::new(".")).unwrap();
    let count = |name: &str| scene.constraints.iter().filter(|row| row.kind.name == name).count();
    assert!(count("triangle_strain") == 50 && count("distance") == 0, "a weave has no edges and no tethers");
    assert!(count("tetrahedron_stretch") > 0 && count("tetrahedron_stretch") == count("tetrahedron_shear"));
    assert!(scene.global_constraints.iter().all(|row| row.kind.name() == "shape_region" && row.values[1] == 0.7));
    assert!(!scene.global_constraints.is_empty());
    for (bad, part) in [("regions: (blend: 2)", "blend is 2"), ("fibers: -1", "fibers is -1")] {
        let text = format!("(items: [Soft(shape: Box(0.4, 0.2, 0.2), particles: 150, {bad})])");
        let message = Scene::from_ron(&text, Path::new(".")).unwrap_err().to_string();
        assert!(message.contains(part), "{message}");
    }
}
