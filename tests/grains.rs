//! Grains: heaps stand at the angle of their friction and stay, and what collides keeps its momentum.

use glam::{DVec3, Vec3};
use sinew::demos::{DEMOS, Options};
use sinew::gpu::Context;
use sinew::scene::{Grains, Scene};
use sinew::solver::Solver;

/// The scene of a column of sand that collapses.
fn column(friction: f32) -> Scene {
    let demo = DEMOS.iter().find(|d| d.name == "sand").unwrap();
    let mut options = Options::new(demo.options);
    let friction = friction.to_string();
    for (name, value) in
        [("count", "1400"), ("form", "column"), ("height", "1"), ("ball", "0"), ("friction", friction.as_str())]
    {
        options.set(demo.options.iter().find(|o| o.name == name).unwrap(), value).unwrap();
    }
    (demo.build)(&options).unwrap().scene
}

fn places(solver: &Solver) -> Vec<Vec3> {
    solver.read_particles().unwrap().iter().map(|p| Vec3::new(p[0], p[1], p[2])).collect()
}

/// Slope of a cone in which grains lie on the mean so far from the axis and so high [degrees]: of height H and radius R these are
/// R/2 and H/4. Grains that lie alone on the ground are left out.
fn slope(places: &[Vec3], radius: f32) -> f32 {
    let heap: Vec<&Vec3> = places.iter().filter(|p| p.y > 2.0 * radius).collect();
    let high: f32 = heap.iter().map(|p| p.y - 2.0 * radius).sum();
    let wide: f32 = heap.iter().map(|p| p.x.hypot(p.z)).sum();
    (2.0 * high / wide).atan().to_degrees()
}

#[test]
fn heaps_stand_at_the_angle_of_friction_and_stay() {
    let context = Context::headless(None).expect("adapter");
    let mut before = 0.0;
    for friction in [0.3_f32, 0.5, 0.7] {
        let scene = column(friction);
        let radius = scene.particles[0].radius;
        let mut solver = Solver::new(&context, &scene).unwrap();
        (0..150).for_each(|_| solver.step());
        let rest = places(&solver);
        let (angle, wanted) = (slope(&rest, radius), friction.atan().to_degrees());
        println!("friction {friction}: {angle:.1} degrees, its arc tangent {wanted:.1}");
        assert!((angle - wanted).abs() < 4.0 && angle > before, "{angle} degrees for a friction of {friction}");
        before = angle;
        if friction == 0.5 {
            (0..120).for_each(|_| solver.step());
            let mut moved: Vec<f32> = places(&solver).iter().zip(&rest).map(|(a, b)| a.distance(*b)).collect();
            moved.sort_by(f32::total_cmp);
            let most = moved[moved.len() * 99 / 100];
            println!("in 2 s 99 of 100 grains moved at most {} mm", 1000.0 * most);
            assert!(most < 1e-3, "{most} m");
        }
    }
}

#[test]
fn blocks_of_grains_that_collide_keep_their_momentum() {
    let mut scene = Scene::default();
    scene.params.gravity = Vec3::ZERO;
    let lattice = |shift: Vec3| -> Vec<Vec3> {
        (0..216_u16)
            .map(|i| Vec3::new(f32::from(i % 6), f32::from(i / 6 % 6), f32::from(i / 36)) * 0.041 + shift)
            .collect()
    };
    let sand = scene.add_grains(Grains::sand(0.02)).unwrap();
    let gravel = scene.add_grains(Grains { density: 1500.0, friction: 0.9, ..Grains::sand(0.02) }).unwrap();
    scene.heap(sand, &lattice(Vec3::ZERO), Vec3::X * 2.0).unwrap();
    scene.heap(gravel, &lattice(Vec3::new(0.4, 0.07, 0.03)), Vec3::X * -3.0).unwrap();
    let masses: Vec<f64> = scene.particles.iter().map(|p| f64::from(p.mass)).collect();
    let starts = scene.particles.iter().map(|p| p.velocity.as_dvec3());
    let momentum: DVec3 = starts.clone().zip(&masses).map(|(v, m)| v * *m).sum();
    let all: f64 = starts.zip(&masses).map(|(v, m)| v.length() * m).sum();
    let context = Context::headless(None).expect("adapter");
    let mut solver = Solver::new(&context, &scene).unwrap();
    (0..40).for_each(|_| solver.step());
    let rows = solver.read_particle_velocities().unwrap();
    let ends = rows.iter().map(|v| DVec3::new(f64::from(v[0]), f64::from(v[1]), f64::from(v[2])));
    let end: DVec3 = ends.clone().zip(&masses).map(|(v, m)| v * *m).sum();
    let slowed = ends.filter(|v| v.x.abs() < 1.0).count();
    assert!(slowed > 100, "only {slowed} grains were stopped");
    assert!((end - momentum).length() < 1e-3 * all, "{end} kg m/s of {momentum}");
}
