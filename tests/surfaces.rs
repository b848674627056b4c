//! Surfaces of particles: what is on one side of a triangle stays there.

use glam::{Quat, Vec3};
use sinew::demos::stage_for;
use sinew::gpu::Context;
use sinew::report::{Snapshot, crossings};
use sinew::scene::{Air, Deformable, Particle, Phase, Scene, SheetMaterial};
use sinew::solver::Solver;

fn vectors(rows: &[[f32; 4]]) -> Vec<Vec3> {
    rows.iter().map(|p| Vec3::new(p[0], p[1], p[2])).collect()
}

/// A free sheet of 1 m whose balls leave wide holes, and a bullet that flies through one of them at `speed` [m/s].
fn shot(speed: f32) -> Scene {
    let mut scene = Scene::default();
    scene.params.gravity = Vec3::ZERO;
    let rest = (0..121).map(|i| 0.1 * Vec3::new((i % 11) as f32, 0.0, (i / 11) as f32)).collect();
    let corner = (0..100).map(|i| i / 10 * 11 + i % 10);
    let triangles: Vec<_> = corner.flat_map(|i| [[i, i + 11, i + 12], [i, i + 12, i + 1]]).collect();
    let vacuum = SheetMaterial { air: Air::NONE, ..SheetMaterial::default() };
    let sheet = Deformable::sheet("sheet", rest, &triangles, 0.01, &vacuum).unwrap();
    scene.add_deformable(&sheet, Vec3::ZERO, Quat::IDENTITY, Vec3::ZERO).unwrap();
    let position = Vec3::new(0.57, 0.5, 0.53);
    let velocity = Vec3::new(0.0, -speed, 0.0);
    scene.add_particle(Particle { position, velocity, radius: 0.01, mass: 0.02, phase: Phase::default() }).unwrap();
    scene
}

#[test]
fn a_bullet_does_not_pass_a_sheet_whose_balls_it_misses() {
    for speed in [1.0, 5.0, 20.0] {
        let scene = shot(speed);
        let mut solver = Solver::new(&Context::headless(None).unwrap(), &scene).unwrap();
        let momentum =
            |velocities: &[Vec3]| -> Vec3 { velocities.iter().zip(&scene.particles).map(|(v, p)| *v * p.mass).sum() };
        let before: Vec<Vec3> = scene.particles.iter().map(|p| p.velocity).collect();
        let frames = (1.0 / speed * 60.0) as u32 + 10;
        (0..frames).for_each(|_| solver.step());
        assert!(solver.read_health().unwrap().is_good());
        let at = vectors(&solver.read_particles().unwrap());
        let now = vectors(&solver.read_particle_velocities().unwrap());
        // It is where the sheet is pushed out most: beneath it there is nothing.
        let lowest = at[..121].iter().map(|p| p.y).fold(f32::MAX, f32::min);
        assert!(at[121].y > lowest && at[121].y < 0.2, "{speed} m/s: bullet at {}, sheet from {lowest}", at[121]);
        let (gained, start) = (momentum(&now), momentum(&before));
        assert!(gained.distance(start) < 1e-3 * start.length(), "{speed} m/s: momentum {gained} of {start}");
        let sheet = momentum(&[&now[..121], &[Vec3::ZERO]].concat());
        assert!(sheet.length() > 0.1 * start.length(), "{speed} m/s: the sheet has {sheet} of {start}");
    }
}

/// Two strips of two triangles, crosswise: their corners never come near the other one, only their edges meet in the middle.
fn crossed(speed: f32) -> Scene {
    let mut scene = Scene::default();
    scene.params.gravity = Vec3::ZERO;
    let rest = [(-0.5, -0.01), (0.5, -0.01), (-0.5, 0.01), (0.5, 0.01)].map(|(x, z)| Vec3::new(x, 0.0, z)).to_vec();
    let vacuum = SheetMaterial { air: Air::NONE, ..SheetMaterial::default() };
    let strip = Deformable::sheet("strip", rest, &[[0, 2, 3], [0, 3, 1]], 0.005, &vacuum).unwrap();
    scene.add_deformable(&strip, Vec3::ZERO, Quat::IDENTITY, Vec3::ZERO).unwrap();
    let turned = Quat::from_rotation_y(1.5);
    scene.add_deformable(&strip, 0.2 * Vec3::Y, turned, -speed * Vec3::Y).unwrap();
    scene
}

#[test]
fn strips_that_meet_by_their_edges_alone_do_not_pass() {
    for speed in [1.0, 5.0, 20.0] {
        let scene = crossed(speed);
        let mut solver = Solver::new(&Context::headless(None).unwrap(), &scene).unwrap();
        let momentum =
            |velocities: &[Vec3]| -> Vec3 { velocities.iter().zip(&scene.particles).map(|(v, p)| *v * p.mass).sum() };
        let start = momentum(&scene.particles.iter().map(|p| p.velocity).collect::<Vec<_>>());
        let mut state = Snapshot::start(&scene);
        for _ in 0..(0.3 / speed * 60.0) as u32 + 2 {
            solver.step();
            state.particles = vectors(&solver.read_particles().unwrap());
            assert_eq!(crossings(&scene, &state), 0, "{speed} m/s");
        }
        assert!(solver.read_health().unwrap().is_good());
        let height = |i: usize| state.particles[i..i + 4].iter().map(|p| p.y / 4.0).sum::<f32>();
        assert!(height(4) > height(0), "{speed} m/s: {} over {}", height(4), height(0));
        let now = vectors(&solver.read_particle_velocities().unwrap());
        let gained = momentum(&now);
        assert!(gained.distance(start) < 1e-3 * start.length(), "{speed} m/s: momentum {gained} of {start}");
        let struck = momentum(&now[..4]);
        assert!(struck.length() > 0.3 * start.length(), "{speed} m/s: the lower strip has {struck} of {start}");
    }
}

#[test]
fn sheets_that_fall_on_one_another_do_not_cross() {
    for (demo, sets) in [("layers", [("side", "24"), ("count", "3")]), ("twist", [("side", "30"), ("turn", "6")])] {
        let sets = sets.map(|(name, value)| (name.to_owned(), value.to_owned()));
        let scene = stage_for(demo, &sets).unwrap().scene;
        let mut solver = Solver::new(&Context::headless(None).unwrap(), &scene).unwrap();
        let mut state = Snapshot::start(&scene);
        for frame in 0..120 {
            solver.step();
            if frame % 10 == 9 {
                state.particles = vectors(&solver.read_particles().unwrap());
                assert_eq!(crossings(&scene, &state), 0, "{demo}, frame {frame}");
            }
        }
        assert!(solver.read_health().unwrap().is_good(), "{demo}");
        let top = state.particles.iter().map(|p| p.y).fold(f32::MIN, f32::max);
        let low = state.particles.iter().map(|p| p.y).fold(f32::MAX, f32::min);
        assert!(top - low > 0.2 && low > -0.01, "{demo} hangs from {top} m down to {low} m");
    }
}
