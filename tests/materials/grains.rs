//! Grains: heaps stand at the angle of their friction and stay, and what collides keeps its momentum.

use glam::{DVec3, Vec3};
use sinew::demos::{DEMOS, Options};
use sinew::gpu::Context;
use sinew::scene::{BodyDesc, Collider, Grains, Scene, Shape};
use sinew::solver::Solver;

/// The scene of `sand` with these settings.
fn sand(settings: &[(&str, &str)]) -> Scene {
    let demo = DEMOS.iter().find(|d| d.name == "sand").unwrap();
    let mut options = Options::new(demo.options);
    for (name, value) in settings {
        options.set(demo.options.iter().find(|o| o.name == *name).unwrap(), value).unwrap();
    }
    (demo.build)(&options).unwrap().scene
}

/// The scene of a column of sand that collapses.
fn column(friction: f32) -> Scene {
    sand(&[
        ("count", "1400"),
        ("form", "column"),
        ("height", "1"),
        ("ball", "0"),
        ("friction", friction.to_string().as_str()),
    ])
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
    let context = Context::shared().expect("adapter");
    let mut before = 0.0;
    let frictions: &[f32] = if crate::effort::is_long() { &[0.3, 0.5, 0.7] } else { &[0.3, 0.5] };
    for &friction in frictions {
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

/// Fifty times as heavy as all of them.
#[test]
fn what_a_scene_file_pours_is_no_crystal() {
    let text = "(params: (substeps: 8), items: [Ground(friction: 0.5), Grains(radius: 0.025, friction: 0.5),
        Pour(of: \"sand\", low: (-0.2, 0, -0.2), high: (0.2, 0.6, 0.2))])";
    let scene = Scene::from_ron(text, std::path::Path::new(".")).unwrap();
    let count = scene.particles.len() as f32;
    let filled = count * (std::f32::consts::PI / 6.0) * 0.05f32.powi(3) / (0.4 * 0.4 * 0.6);
    println!("{count} grains fill {filled} of the box");
    assert!((0.4..0.6).contains(&filled), "{filled} of the box");
    let mut solver = Solver::new(&Context::shared().expect("adapter"), &scene).unwrap();
    (0..120).for_each(|_| solver.step());
    let rest = places(&solver);
    let top = rest.iter().map(|p| p.y).fold(0.0, f32::max) + 0.025;
    // A column of radius r and height a r collapses to 0.88 r a^(1/6), whatever the sand (Lube et al. 2004, axisymmetric, a > 1.7).
    let round = (0.4f32 * 0.4 / std::f32::consts::PI).sqrt();
    let wanted = 0.88 * round * (0.6 / round).powf(1.0 / 6.0);
    println!("it stands {top} m high, {wanted} m by experiment; {:.1} degrees", slope(&rest, 0.025));
    assert!((top - wanted).abs() < 0.12 * wanted, "{top} m for {wanted}");
    assert!(solver.read_health().unwrap().is_good());
}

#[test]
fn grains_do_not_stand_in_columns() {
    const RADIUS: f32 = 0.05;
    let mut scene = Scene::default();
    scene.add_collider(Collider::ground(0.0)).unwrap();
    let sand = scene.add_grains(Grains { friction: 0.6, ..Grains::sand(RADIUS) }).unwrap();
    // Each a little beside the one below.
    let column =
        |x: f32| (0..5_u16).map(move |i| Vec3::new(x + 0.002 * f32::from(i), RADIUS * f32::from(2 * i + 1), 0.0));
    scene.heap(sand, &column(0.0).chain(column(2.0)).collect::<Vec<_>>(), Vec3::ZERO).unwrap();
    let mut solver = Solver::new(&Context::shared().expect("adapter"), &scene).unwrap();
    (0..180).for_each(|_| solver.step());
    let top = places(&solver).iter().map(|p| p.y).fold(0.0, f32::max) / RADIUS;
    println!("after 3 s the highest of two columns of five lies {top} radii up");
    assert!(top < 3.5, "{top} radii");
}

#[test]
fn a_layer_of_grains_bears_what_falls_on_it() {
    const RADIUS: f32 = 0.03;
    const HALF: f32 = 0.1;
    let mut scene = Scene::default();
    scene.add_collider(Collider::ground(0.0)).unwrap();
    let sand = scene.add_grains(Grains::sand(RADIUS)).unwrap();
    let spot = |i: u32| Vec3::new((i % 12) as f32 - 5.5, 0.5, (i / 12) as f32 - 5.5) * 2.07 * RADIUS;
    scene.heap(sand, &(0..144).map(spot).collect::<Vec<_>>(), Vec3::ZERO).unwrap();
    let heavy: f32 = 50.0 * scene.particles.iter().map(|p| p.mass).sum::<f32>();
    let above = Vec3::Y * (HALF + 2.0 * RADIUS + 0.05);
    scene.add_body(BodyDesc::sphere(HALF, 0.04).with_mass(heavy).at(above)).unwrap();
    let mut solver = Solver::new(&Context::shared().expect("adapter"), &scene).unwrap();
    let mut lowest = f32::MAX;
    for _ in 0..120 {
        solver.step();
        lowest = lowest.min((solver.read_bodies().unwrap()[0].center[1] - HALF) / RADIUS);
    }
    println!("a ball of {heavy} kg is at least {lowest} radii up");
    assert!(lowest > 1.5, "it sinks to {lowest} radii");
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
    let context = Context::shared().expect("adapter");
    let mut solver = Solver::new(&context, &scene).unwrap();
    (0..40).for_each(|_| solver.step());
    let rows = solver.read_particle_velocities().unwrap();
    let ends = rows.iter().map(|v| DVec3::new(f64::from(v[0]), f64::from(v[1]), f64::from(v[2])));
    let end: DVec3 = ends.clone().zip(&masses).map(|(v, m)| v * *m).sum();
    let slowed = ends.filter(|v| v.x.abs() < 1.0).count();
    assert!(slowed > 100, "only {slowed} grains were stopped");
    assert!((end - momentum).length() < 1e-3 * all, "{end} kg m/s of {momentum}");
}

#[test]
#[ignore = "long"]
fn sand_runs_through_an_hourglass_at_an_even_rate() {
    const STRIDE: usize = 2;
    let scene = sand(&[("count", "1500"), ("form", "hourglass"), ("neck", "8")]);
    let glass = scene.colliders.iter().find(|c| matches!(c.shape, Shape::Grid(_))).unwrap().clone();
    let reach = glass.shape.bounding_radius();
    let mut solver = Solver::new(&Context::shared().expect("adapter"), &scene).unwrap();
    let all = scene.particles.len();
    let mut fallen = vec![0];
    while fallen[fallen.len() - 1] < all * 9 / 10 && fallen.len() < 200 {
        (0..STRIDE).for_each(|_| solver.step());
        let now: Vec<Vec3> = places(&solver).into_iter().map(|p| p - glass.position).collect();
        assert!(now.iter().all(|p| p.length() < reach && glass.shape.distance(*p) > 0.0), "outside the glass");
        fallen.push(now.iter().filter(|p| p.y < 0.0).count());
    }
    let health = solver.read_health().unwrap();
    assert!(health.is_good(), "{health:?}");
    // Grains a frame while this part of the sand falls [%].
    let rate = |from: usize, to: usize| {
        let until = |part: usize| fallen.iter().position(|count| *count >= all * part / 100).expect("it runs through");
        let [a, b] = [until(from), until(to)];
        (fallen[b] - fallen[a]) as f32 / (STRIDE * (b - a)) as f32
    };
    let rates = [rate(10, 30), rate(30, 50), rate(50, 70), rate(70, 90)];
    println!("of {all} grains {rates:?} a frame, through after {} frames", STRIDE * fallen.len());
    // Of water, the speed goes with the root of its height: in a cone, 1.3 times as fast at first as at last.
    let (least, most) = (rates.iter().fold(f32::MAX, |a, b| a.min(*b)), rates.iter().fold(0.0, |a: f32, b| a.max(*b)));
    assert!(most < 1.15 * least, "{rates:?}");
}
