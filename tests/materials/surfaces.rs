//! Surfaces of particles: what is on one side of a triangle stays there.

use glam::{Quat, Vec3};
use sinew::demos::stage_for;
use sinew::gpu::Context;
use sinew::report::{Snapshot, crossings, stretches};
use sinew::scene::{
    Air, BodyDesc, Collider, ConvexHull, Deformable, Heightfield, Particle, Phase, RopeMaterial, Scene, Shape,
    SheetGrid, SheetMaterial, TriangleMesh,
};
use sinew::solver::Solver;

fn vectors(rows: &[[f32; 4]]) -> Vec<Vec3> {
    rows.iter().map(|p| Vec3::new(p[0], p[1], p[2])).collect()
}

/// A sheet of 1 m whose balls leave wide holes.
fn wide_sheet() -> Deformable {
    let rest = (0..121).map(|i| 0.1 * Vec3::new((i % 11) as f32, 0.0, (i / 11) as f32)).collect();
    let corner = (0..100).map(|i| i / 10 * 11 + i % 10);
    let triangles: Vec<_> = corner.flat_map(|i| [[i, i + 11, i + 12], [i, i + 12, i + 1]]).collect();
    let vacuum = SheetMaterial { air: Air::NONE, ..SheetMaterial::default() };
    Deformable::sheet("sheet", rest, &triangles, 0.01, &vacuum).unwrap()
}

/// How often a ray from a point crosses the triangles of a scene.
fn crossed_by_ray(scene: &Scene, at: &[Vec3], from: Vec3, along: Vec3) -> usize {
    let hit = |t: &&[u32; 3]| {
        let [a, b, c] = t.map(|i| at[i as usize] - from);
        let volumes = [(a, b), (b, c), (c, a)].map(|(p, q)| along.dot(p.cross(q)));
        let inside = volumes.iter().all(|v| *v >= 0.0) || volumes.iter().all(|v| *v < 0.0);
        let n = (b - a).cross(c - a);
        inside && a.dot(n) / along.dot(n) > 0.0
    };
    scene.triangles.iter().filter(hit).count()
}

/// Whether something at `from` that flew `along` has that sheet behind it: the ray ahead crosses it an even number of times, and none
/// of its corners is ahead. In a sheet that has closed around it the ray may cross a fold, or an edge.
fn has_passed(scene: &Scene, at: &[Vec3], from: Vec3, along: Vec3) -> bool {
    let ahead = |p: &&Vec3| {
        let way = **p - from;
        along.dot(way) > 0.0 && way.reject_from(along).length() < 0.15
    };
    crossed_by_ray(scene, at, from, along).is_multiple_of(2) && at[..121].iter().find(ahead).is_none()
}

/// That sheet, free, and a bullet that flies through one of its holes at `speed` [m/s].
fn shot(speed: f32) -> Scene {
    let mut scene = Scene::default();
    scene.params.gravity = Vec3::ZERO;
    scene.add_deformable(&wide_sheet(), Vec3::ZERO, Quat::IDENTITY, Vec3::ZERO).unwrap();
    let position = Vec3::new(0.57, 0.5, 0.53);
    let velocity = Vec3::new(0.0, -speed, 0.0);
    scene.add_particle(Particle { position, velocity, radius: 0.01, mass: 0.02, phase: Phase::default() }).unwrap();
    scene
}

#[test]
fn a_bullet_does_not_pass_a_sheet_whose_balls_it_misses() {
    for speed in [1.0, 5.0, 20.0] {
        let scene = shot(speed);
        let mut solver = Solver::new(&Context::shared().unwrap(), &scene).unwrap();
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

/// Bodies that fit through the holes of the sheet: a ball, and a rod that flies crosswise or with its end ahead.
fn missiles() -> [(&'static str, BodyDesc); 3] {
    let rod = BodyDesc::cuboid(Vec3::new(0.15, 0.006, 0.006), 0.006).with_mass(0.03);
    let ahead = rod.clone().rotated(Quat::from_rotation_z(1.5));
    [("ball", BodyDesc::sphere(0.033, 0.011).with_mass(0.058)), ("rod", rod), ("arrow", ahead)]
}

#[test]
fn a_body_shot_at_a_free_sheet_does_not_pass_and_shares_its_momentum() {
    for ((name, body), speed) in missiles().into_iter().flat_map(|m| [5.0, 30.0].map(|speed| (m.clone(), speed))) {
        let mut scene = Scene::default();
        scene.params.gravity = Vec3::ZERO;
        scene.add_deformable(&wide_sheet(), Vec3::ZERO, Quat::IDENTITY, Vec3::ZERO).unwrap();
        let mut body = body.at(Vec3::new(0.57, 0.5, 0.53));
        body.velocity = Vec3::NEG_Y * speed;
        let mass = body.mass;
        scene.add_body(body).unwrap();
        let mut solver = Solver::new(&Context::shared().unwrap(), &scene).unwrap();
        let start = Vec3::NEG_Y * speed * mass;
        let mut shared = 0.0;
        for frame in 0..(0.5 / speed * 60.0) as u32 + 6 {
            solver.step();
            let state = solver.read_bodies().unwrap()[0];
            let at = vectors(&solver.read_particles().unwrap());
            let center = state.placement().position;
            assert!(!has_passed(&scene, &at, center, Vec3::NEG_Y), "{name} at {speed} m/s, frame {frame}: at {center}");
            let cloth: Vec3 = vectors(&solver.read_particle_velocities().unwrap())[..121]
                .iter()
                .zip(&scene.particles)
                .map(|(v, p)| *v * p.mass)
                .sum();
            let [x, y, z] = state.velocity;
            let now = cloth + mass * Vec3::new(x, y, z);
            assert!(now.distance(start) < 1e-3 * start.length(), "{name} at {speed} m/s: momentum {now} of {start}");
            shared = cloth.y / start.y;
        }
        assert!(shared > 0.5, "{name} at {speed} m/s: the sheet has {shared} of its momentum");
        assert!(solver.read_health().unwrap().is_good());
    }
}

#[test]
fn a_body_shot_at_a_hanging_sheet_does_not_pass() {
    for (name, body) in missiles() {
        let mut scene = Scene::default();
        let mut sheet = wide_sheet();
        sheet.pin(|p| p.z < 0.01);
        let hanging = Quat::from_rotation_x(std::f32::consts::FRAC_PI_2);
        scene.add_deformable(&sheet, Vec3::ZERO, hanging, Vec3::ZERO).unwrap();
        let towards = hanging * Vec3::NEG_Y;
        let mut body = body.at(hanging * Vec3::new(0.57, 0.5, 0.53));
        body.rotation = hanging * body.rotation;
        body.velocity = 30.0 * towards;
        scene.add_body(body).unwrap();
        let mut solver = Solver::new(&Context::shared().unwrap(), &scene).unwrap();
        for frame in 0..9 {
            solver.step();
            let state = solver.read_bodies().unwrap()[0];
            let [x, y, z] = state.velocity;
            // The sheet throws some of them back, past its edge.
            if towards.dot(Vec3::new(x, y, z)) < 0.0 {
                break;
            }
            let at = vectors(&solver.read_particles().unwrap());
            for p in &at[121..] {
                assert!(!has_passed(&scene, &at, *p, towards), "{name}, frame {frame}: at {p}");
            }
        }
        assert!(solver.read_health().unwrap().is_good());
    }
}

#[test]
fn a_ball_that_the_host_moves_takes_a_sheet_along() {
    for speed in [2.0, 10.0, 30.0] {
        let mut scene = Scene::default();
        scene.params.gravity = Vec3::ZERO;
        scene.add_deformable(&wide_sheet(), Vec3::ZERO, Quat::IDENTITY, Vec3::ZERO).unwrap();
        let mut ball = BodyDesc::sphere(0.033, 0.011).at(Vec3::new(0.57, 0.5, 0.53));
        ball.velocity = Vec3::NEG_Y * speed;
        ball.kinematic = true;
        scene.add_body(ball).unwrap();
        let mut solver = Solver::new(&Context::shared().unwrap(), &scene).unwrap();
        for frame in 1..=(1.0 / speed * 60.0) as u32 + 1 {
            solver.step();
            let ball = solver.read_bodies().unwrap()[0].placement().position;
            assert!((ball.y - 0.5 + speed * frame as f32 / 60.0).abs() < 1e-3, "{speed} m/s: at {ball}");
            let at = vectors(&solver.read_particles().unwrap());
            assert_eq!(crossed_by_ray(&scene, &at, ball, Vec3::NEG_Y) % 2, 1, "{speed} m/s, frame {frame}: at {ball}");
        }
        assert!(solver.read_health().unwrap().is_good());
    }
}

#[test]
fn a_sheet_wakes_a_sleeping_ball_that_fits_through_its_holes() {
    let mut scene = Scene::default();
    scene.params.gravity = Vec3::ZERO;
    scene.add_deformable(&wide_sheet(), Vec3::ZERO, Quat::IDENTITY, 0.5 * Vec3::Y).unwrap();
    let ball = BodyDesc::sphere(0.033, 0.011).with_mass(0.058).at(Vec3::new(0.57, 0.6, 0.53));
    scene.add_body(ball).unwrap();
    let mut solver = Solver::new(&Context::shared().unwrap(), &scene).unwrap();
    (0..60).for_each(|_| solver.step());
    assert_eq!(solver.read_bodies().unwrap()[0].inv_mass, 0.0, "the ball sleeps");
    (0..30).for_each(|_| solver.step());
    let ball = solver.read_bodies().unwrap()[0];
    assert!(ball.inv_mass > 0.0 && ball.velocity[1] > 0.1, "{ball:?}");
    let at = vectors(&solver.read_particles().unwrap());
    assert_eq!(crossed_by_ray(&scene, &at, ball.placement().position, Vec3::NEG_Y), 1, "{ball:?}");
}

#[test]
#[ignore = "long"]
fn a_rod_that_a_sheet_holds_does_not_spin() {
    let mut scene = Scene::default();
    let grid = SheetGrid::square(33, 1.0);
    let mut sheet =
        Deformable::sheet("sheet", grid.positions(), &grid.triangles(), 0.008, &SheetMaterial::default()).unwrap();
    let middle = grid.positions().iter().sum::<Vec3>() / grid.positions().len() as f32;
    sheet.pin(|p| (p - middle).abs().max_element() > 0.49);
    scene.add_deformable(&sheet, Vec3::ZERO, Quat::IDENTITY, Vec3::ZERO).unwrap();
    let rod = BodyDesc::cuboid(Vec3::new(0.15, 0.006, 0.006), 0.006).with_mass(0.2);
    scene.add_body(rod.at(middle + Vec3::new(0.02, 0.1, 0.03))).unwrap();
    let mut solver = Solver::new(&Context::shared().unwrap(), &scene).unwrap();
    // It bounces some times as on a trampoline.
    (0..300).for_each(|_| solver.step());
    let rod = solver.read_bodies().unwrap()[0];
    let [speed, spin] = [rod.velocity, rod.angular_velocity].map(|v| Vec3::new(v[0], v[1], v[2]).length());
    println!("{speed} m/s, {spin} rad/s, {} m below", -rod.center[1]);
    // About its own axis it still rolls a little, 6 mm from its middle: as it falls, none to 8 rad/s.
    assert!(speed < 0.5 && spin < 12.0, "{speed} m/s, {spin} rad/s");
    assert!((0.1..0.35).contains(&-rod.center[1]), "{} m below the edge", -rod.center[1]);
}

/// Something thin, laid on a sheet that is held along its edge.
fn laid(put: impl FnOnce(&mut Scene)) -> (Scene, Vec<Vec3>) {
    let mut scene = Scene::default();
    let mut sheet = wide_sheet();
    sheet.pin(|p| (p - Vec3::new(0.5, 0.0, 0.5)).abs().max_element() > 0.49);
    scene.add_deformable(&sheet, Vec3::ZERO, Quat::IDENTITY, Vec3::ZERO).unwrap();
    put(&mut scene);
    let mut solver = Solver::new(&Context::shared().unwrap(), &scene).unwrap();
    (0..60).for_each(|_| solver.step());
    assert!(solver.read_health().unwrap().is_good());
    let at = vectors(&solver.read_particles().unwrap());
    (scene, at)
}

#[test]
fn a_rod_and_a_rope_laid_on_a_sheet_lie_on_it() {
    let rope: Vec<Vec3> = (0..17).map(|i| Vec3::new(0.33 + 0.02 * i as f32, 0.03, 0.47)).collect();
    let rope = Deformable::rope("rope", rope, 0.006, &RopeMaterial::default()).unwrap();
    let rod = BodyDesc::cuboid(Vec3::new(0.15, 0.006, 0.006), 0.006).with_mass(0.05);
    let lay_rod = |scene: &mut Scene| {
        scene.add_body(rod.at(Vec3::new(0.52, 0.03, 0.47))).unwrap();
    };
    let lay_rope = |scene: &mut Scene| {
        scene.add_deformable(&rope, Vec3::ZERO, Quat::IDENTITY, Vec3::ZERO).unwrap();
    };
    for (name, (scene, at)) in [("rod", laid(lay_rod)), ("rope", laid(lay_rope))] {
        for p in &at[121..] {
            assert_eq!(crossed_by_ray(&scene, &at, *p, Vec3::NEG_Y), 1, "{name}: at {p}");
        }
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
        let mut solver = Solver::new(&Context::shared().unwrap(), &scene).unwrap();
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
#[ignore = "long"]
fn sheets_that_fall_on_one_another_do_not_cross() {
    for (demo, sets) in [("layers", [("side", "24"), ("count", "3")]), ("twist", [("side", "30"), ("turn", "6")])] {
        let sets = sets.map(|(name, value)| (name.to_owned(), value.to_owned()));
        let scene = stage_for(demo, &sets).unwrap().scene;
        let mut solver = Solver::new(&Context::shared().unwrap(), &scene).unwrap();
        let mut state = Snapshot::start(&scene);
        for frame in 0..90 {
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

/// Sheets that fly at one another, folded over a ball that flies with them, all in a train of this velocity, without weight and air.
fn train(velocity: Vec3) -> Scene {
    let mut scene = Scene::default();
    scene.params.gravity = Vec3::ZERO;
    let grid = SheetGrid::square(15, 0.6);
    let vacuum = SheetMaterial { air: Air::NONE, ..SheetMaterial::default() };
    let mut sheet =
        Deformable::sheet("sheet", grid.positions(), &grid.triangles(), 0.42 * grid.spacing(), &vacuum).unwrap();
    sheet.meets_itself = true;
    for layer in 0..3 {
        let (at, turn) = (Vec3::Y * (0.2 + 0.05 * layer as f32), Quat::from_rotation_y(0.4 * layer as f32));
        let falling = velocity + Vec3::NEG_Y * (2.0 + layer as f32);
        scene.add_deformable(&sheet, at, turn, falling).unwrap();
    }
    let mut ball = BodyDesc::sphere(0.12, 0.03).with_mass(2.0);
    ball.velocity = velocity;
    scene.add_body(ball).unwrap();
    scene
}

/// Nearest that a particle of one sheet is to one of another [m], and the stretch of all, rms.
fn nearest_and_stretch(scene: &Scene, state: &Snapshot) -> (f32, f64) {
    let place = |object: usize| {
        let first = scene.deformables[object].first_particle.0 as usize;
        &state.particles[first..first + scene.deformables[object].particle_count as usize]
    };
    let pairs = [(0, 1), (0, 2), (1, 2)].into_iter().flat_map(|(a, b)| place(a).iter().map(move |p| (p, b)));
    let nearest = pairs.flat_map(|(p, b)| place(b).iter().map(move |q| p.distance(*q))).fold(f32::MAX, f32::min);
    let squares: Vec<f64> = stretches(scene, state).map(|s| s * s).collect();
    (nearest, (squares.iter().sum::<f64>() / squares.len() as f64).sqrt())
}

#[test]
#[ignore = "long"]
fn a_fast_train_of_cloth_behaves_as_one_at_rest() {
    let context = Context::shared().unwrap();
    let run = |velocity: Vec3| {
        let scene = train(velocity);
        let mut solver = Solver::new(&context, &scene).unwrap();
        let mut seen = Vec::new();
        for _ in 0..3 {
            (0..5).for_each(|_| solver.step());
            let (bodies, particles) = (solver.read_bodies().unwrap(), solver.read_particles().unwrap());
            let state = Snapshot::start(&scene).next(&bodies, &particles, scene.params.dt);
            assert_eq!(crossings(&scene, &state), 0, "at {velocity} m/s");
            seen.push(nearest_and_stretch(&scene, &state));
        }
        assert!(solver.read_health().unwrap().is_good());
        seen
    };
    let rest = run(Vec3::ZERO);
    for velocity in [Vec3::new(0.0, -50.0, 0.0), Vec3::new(20.0, 15.0, -10.0)] {
        let fast = run(velocity);
        println!("at rest {rest:?}, at {velocity} m/s {fast:?}");
        for ((near, stretch), (near_fast, stretch_fast)) in rest.iter().zip(&fast) {
            assert!((near - near_fast).abs() < 0.2 * near, "{near_fast} m apart at {velocity} m/s, at rest {near}");
            assert!(
                (stretch - stretch_fast).abs() < 0.1 * stretch + 1e-3,
                "{stretch_fast} at {velocity}, {stretch} at rest"
            );
        }
    }
}

/// What pokes through a coarse net of particles: shapes with a tip, a corner or an edge up, each with the height of that.
fn spikes() -> Vec<(&'static str, Collider, f32)> {
    let cone: Vec<Vec3> = (0..10)
        .map(|i| Quat::from_rotation_y(0.628 * i as f32) * Vec3::new(0.1, -0.2, 0.0))
        .chain([Vec3::Y * 0.2])
        .collect();
    let corner = Quat::from_rotation_arc(Vec3::ONE.normalize(), Vec3::Y);
    let pole = Shape::Cylinder { radius: 0.01, half_length: 0.2 };
    vec![
        ("cone", Collider::new(Shape::Hull(ConvexHull::new(&cone).unwrap()), Vec3::ZERO), 0.2),
        ("corner", Collider::new(Shape::Cuboid(Vec3::splat(0.1)), Vec3::ZERO).rotated(corner), 0.173),
        ("pole", Collider::new(pole, Vec3::ZERO), 0.2),
        (
            "edge",
            Collider::new(Shape::Cuboid(Vec3::splat(0.1)), Vec3::ZERO).rotated(Quat::from_rotation_x(0.785)),
            0.141,
        ),
        ("mesh", Collider::new(Shape::Mesh(pyramid()), Vec3::ZERO), 0.2),
        ("heightfield", Collider::new(Shape::Heightfield(hill()), Vec3::ZERO), 0.15),
    ]
}

/// Four faces that meet in a tip 0.2 m above the middle, and their base.
fn pyramid() -> TriangleMesh {
    let base = [[-0.1, -0.1], [0.1, -0.1], [0.1, 0.1], [-0.1, 0.1]].map(|[x, z]| Vec3::new(x, -0.2, z));
    let positions = base.into_iter().chain([Vec3::Y * 0.2]).collect();
    TriangleMesh { positions, triangles: vec![[1, 0, 4], [2, 1, 4], [3, 2, 4], [0, 3, 4], [0, 1, 2], [0, 2, 3]] }
}

/// Flat but for one point 0.35 m above the rest.
fn hill() -> Heightfield {
    Heightfield::new([5, 5], 0.1, |x, z| if x.hypot(z) < 0.05 { 0.15 } else { -0.2 })
}

/// Nearest that any of a grid of points on each triangle is to a collider [m].
fn nearest_to(scene: &Scene, at: &[Vec3], triangles: &[[u32; 3]], collider: usize) -> f32 {
    let c = &scene.colliders[collider];
    let distance = |p: Vec3| c.shape.distance(c.rotation.inverse() * (p - c.position));
    let parts = (0..=12).flat_map(|i| (0..=12 - i).map(move |k| (i as f32 / 12.0, k as f32 / 12.0)));
    let points = |t: &[u32; 3]| {
        let [a, b, c] = t.map(|i| at[i as usize]);
        parts.clone().map(move |(v, w)| a + v * (b - a) + w * (c - a)).map(distance).fold(f32::MAX, f32::min)
    };
    triangles.iter().map(points).fold(f32::MAX, f32::min)
}

#[test]
fn no_tip_and_no_edge_of_a_collider_pokes_through_between_particles() {
    let grid = SheetGrid::square(9, 0.5);
    let radius = 0.2 * grid.spacing();
    let vacuum = SheetMaterial { air: Air::NONE, ..SheetMaterial::default() };
    let sheet = Deformable::sheet("sheet", grid.positions(), &grid.triangles(), radius, &vacuum).unwrap().damped(10.0);
    let mut scene = Scene::default();
    scene.add_collider(Collider::ground(-2.0)).unwrap();
    for (i, (_, mut collider, high)) in spikes().into_iter().enumerate() {
        let place = Vec3::X * 2.0 * i as f32;
        collider.position = place;
        scene.add_collider(collider).unwrap();
        // Off the particles: what pokes is inside of a triangle.
        let above = place + Vec3::new(0.4, high / grid.spacing() + 0.5, 0.15) * grid.spacing();
        scene.add_deformable(&sheet, above, Quat::IDENTITY, Vec3::ZERO).unwrap();
    }
    let mut solver = Solver::new(&Context::shared().unwrap(), &scene).unwrap();
    let each = grid.triangles().len();
    let mut worst = [f32::MAX; 6];
    for _ in 0..25 {
        solver.step();
        let at = vectors(&solver.read_particles().unwrap());
        for (i, worst) in worst.iter_mut().enumerate() {
            let own = &scene.triangles[i * each..(i + 1) * each];
            *worst = worst.min(nearest_to(&scene, &at, own, i + 1) / radius);
        }
    }
    assert!(solver.read_health().unwrap().is_good());
    println!("nearest, in radii: {worst:?}");
    for ((name, ..), nearest) in spikes().iter().zip(worst) {
        assert!(nearest < 3.0, "the sheet missed the {name}: {nearest} radii");
        assert!(nearest > 0.5, "the {name} is {nearest} radii from the middle of the sheet");
    }
}
