//! Cloth that tears: it holds below its limit, breaks for good above it, and gains nothing by it.

use glam::{Quat, Vec3};
use sinew::constraints::Row;
use sinew::demos::stage_for;
use sinew::gpu::Context;
use sinew::report::{Snapshot, crossings, energy};
use sinew::scene::{BodyDesc, Deformable, Scene, SheetGrid, SheetMaterial, Topology, is_stored};
use sinew::solver::Solver;

/// Points across and along the strip, and its size [m].
const POINTS: [u32; 2] = [5, 13];
const SIZE: [f32; 2] = [0.16, 0.48];
/// Mass that hangs on its lower end [kg].
const LOAD: f32 = 0.02;

/// A soft strip without air that hangs by its upper end with a load on the lower one, and tears at `strain`.
fn strip(strain: f32) -> Scene {
    let grid = SheetGrid { points: POINTS, size: SIZE.into(), topology: Topology::Diagonal };
    let material = SheetMaterial { stretch: 0.05, ..SheetMaterial::default() };
    let mut sheet =
        Deformable::sheet("strip", grid.positions(), &grid.triangles(), 0.015, &material).unwrap().damped(10.0);
    sheet.air_surfaces.clear();
    sheet.tearing = Some(strain);
    let low = 0.499 * SIZE[1];
    for (mass, at) in sheet.masses.iter_mut().zip(&sheet.rest).filter(|(_, at)| at.z > low) {
        *mass += LOAD / POINTS[0] as f32;
        assert!(at.z > 0.0);
    }
    sheet.pin(|at| at.z < -low);
    let mut scene = Scene::default();
    // The end with z < 0 is up.
    scene
        .add_deformable(&sheet, Vec3::Y * 3.0, Quat::from_rotation_x(std::f32::consts::FRAC_PI_2), Vec3::ZERO)
        .unwrap();
    scene
}

fn next(scene: &Scene, solver: &mut Solver, state: &Snapshot) -> Snapshot {
    solver.step();
    let (bodies, particles) = (solver.read_bodies().unwrap(), solver.read_particles().unwrap());
    state.next(&bodies, &particles, scene.params.dt)
}

fn torn(solver: &Solver) -> usize {
    solver.read_torn().unwrap().iter().filter(|t| **t).count()
}

/// Energy of the strip as it has torn [J]: moving, height, and what edges hold.
fn energy_of(scene: &Scene, solver: &Solver, state: &Snapshot) -> f64 {
    let parted = scene.parted(&solver.read_triangles().unwrap());
    let stored = |row: &Row| {
        let Some(kept) = row.stretch().filter(|kept| !kept.tension_only) else { return 0.0 };
        let [a, b] = kept.particles.map(|i| state.particles[i as usize].as_dvec3());
        let longer = a.distance(b) - f64::from(kept.rest_length);
        0.5 * longer * longer / f64::from(row.values[1])
    };
    energy(&parted, state) + parted.constraints.iter().map(stored).sum::<f64>()
}

fn lowest(state: &Snapshot) -> f32 {
    state.particles.iter().map(|p| p.y).fold(f32::MAX, f32::min)
}

/// Vertices that have split.
fn split(scene: &Scene, state: &Snapshot) -> usize {
    let spares = scene.particles.iter().zip(&state.particles).filter(|(there, _)| is_stored(there.position));
    spares.filter(|(_, now)| !is_stored(**now)).count()
}

#[test]
fn a_strip_holds_below_its_limit() {
    let scene = strip(0.5);
    assert!(lowest(&Snapshot::start(&scene)) > 2.7, "it hangs");
    let mut solver = Solver::new(&Context::headless(None).expect("adapter"), &scene).unwrap();
    let mut state = Snapshot::start(&scene);
    let mut longest = f32::MAX;
    for _ in 0..90 {
        state = next(&scene, &mut solver, &state);
        longest = longest.min(lowest(&state));
    }
    assert_eq!(torn(&solver), 0);
    let stretched = (3.0 + 0.5 * SIZE[1] - longest) / SIZE[1] - 1.0;
    println!("stretched by {stretched} at most");
    assert!((0.02..0.5).contains(&stretched), "its load stretches it by {stretched}");
}

#[test]
fn a_strip_breaks_above_its_limit_and_gains_nothing() {
    let scene = strip(0.03);
    let mut solver = Solver::new(&Context::headless(None).expect("adapter"), &scene).unwrap();
    let mut state = Snapshot::start(&scene);
    let whole = f64::from(LOAD) * 9.81 * f64::from(SIZE[1]);
    let mut before = energy_of(&scene, &solver, &state);
    let mut worst = f64::MIN;
    for _ in 0..40 {
        state = next(&scene, &mut solver, &state);
        let now = energy_of(&scene, &solver, &state);
        worst = worst.max(now - before);
        before = now;
    }
    let broken = torn(&solver);
    println!(
        "{broken} of {} edges torn, lowest at {} m, energy rose by {worst} J at most",
        scene.tears.len(),
        lowest(&state)
    );
    assert!(broken >= POINTS[0] as usize, "{broken} edges are torn");
    assert!(lowest(&state) < 2.0, "the load falls");
    assert!(worst < 0.01 * whole, "energy rises by {worst} J of {whole} J");
    assert!(solver.read_health().unwrap().is_good());

    // What is torn stays so while buffers are made anew.
    let mut more = scene.clone();
    more.add_body(BodyDesc::sphere(0.1, 0.05).at(Vec3::X * 5.0)).unwrap();
    solver.spawn(&more).unwrap();
    assert_eq!(torn(&solver), broken);
    let high = lowest(&state);
    (0..10).for_each(|_| solver.step());
    let fallen = solver.read_particles().unwrap().iter().map(|p| p[1]).fold(f32::MAX, f32::min);
    assert!(fallen < high - 0.3, "it falls on from {high} to {fallen}");
}

#[test]
fn a_ball_goes_through_a_curtain_that_tears() {
    let passes = |tear: &str| {
        let sets = [("fine", "6"), ("rings", "5"), ("speed", "14"), ("tear", tear)];
        let sets: Vec<_> = sets.iter().map(|(k, v)| ((*k).to_owned(), (*v).to_owned())).collect();
        let scene = stage_for("curtain", &sets).unwrap().scene;
        let mut solver = Solver::new(&Context::headless(None).expect("adapter"), &scene).unwrap();
        let mut state = Snapshot::start(&scene);
        for _ in 0..30 {
            state = next(&scene, &mut solver, &state);
            if std::env::var_os("TRACE").is_some() {
                println!("{} torn {} split ball {}", torn(&solver), split(&scene, &state), state.bodies[0].center);
            }
        }
        let left = scene.parted(&solver.read_triangles().unwrap());
        println!(
            "tear={tear}: {} edges torn, {} vertices split, ball at {}, {} crossings",
            torn(&solver),
            split(&scene, &state),
            state.bodies[0].center,
            crossings(&left, &state)
        );
        (torn(&solver), state.bodies[0].center.z)
    };
    let (held, torn) = (passes("0"), passes("0.25"));
    assert!(held.0 == 0 && torn.0 > 20, "{held:?} {torn:?}");
    assert!(torn.1 < held.1 - 0.3, "the ball is at {} m, and at {} m where nothing tears", torn.1, held.1);
}
