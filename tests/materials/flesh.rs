//! Deformable objects against what is known: elongation, sag, momentum exchanged with bodies and the world.

use glam::{Quat, Vec3};
use sinew::constraints::{Distance, Partition, Row};
use sinew::demos::stage_for;
use sinew::gpu::Context;
use sinew::import::tets::{Resolution, soft_body};
use sinew::report::{Snapshot, crossings};
use sinew::scene::{BodyDesc, Collider, Deformable, Particle, ParticleId, Phase, RopeMaterial, Scene};
use sinew::scene::{Shape, SheetMaterial, SoftMaterial, primitive_model};
use sinew::solver::Solver;

fn run(scene: &Scene, frames: u32) -> Solver {
    let context = Context::shared().expect("adapter");
    let mut solver = Solver::new(&context, scene).unwrap();
    for _ in 0..frames {
        solver.step();
    }
    assert!(solver.read_health().unwrap().is_good());
    solver
}

fn positions(solver: &Solver) -> Vec<Vec3> {
    solver.read_particles().unwrap().iter().map(|p| Vec3::new(p[0], p[1], p[2])).collect()
}

/// Compliance of a soft segment [m/N].
const SOFT: f32 = 3e-2;

/// A hanging rope of soft segments.
fn rope(substeps: u32, iterations: u32, partition: Partition) -> Scene {
    let points = (0..5).map(|i| Vec3::Y * (3.0 - 0.25 * i as f32)).collect();
    // 1 m of 0.5 kg in four segments that stretch by up to a half: soft enough for one iteration.
    let material = RopeMaterial { line_density: 0.5, stretch: SOFT, bend: f32::INFINITY };
    let mut rope = Deformable::rope("rope", points, 0.01, &material).unwrap().damped(5.0);
    rope.pin(|at| at.y == 3.0);
    let mut scene = Scene::default();
    (scene.params.substeps, scene.params.iterations, scene.params.partition) = (substeps, iterations, partition);
    scene.params.linear_damping = 2.0;
    scene.add_deformable(&rope, Vec3::ZERO, Quat::IDENTITY, Vec3::ZERO).unwrap();
    scene
}

#[test]
fn sag_is_weight_times_compliance_whatever_the_step() {
    let mut expected = 0.0;
    let scene = rope(8, 1, Partition::Colors);
    for i in 1..5 {
        let below: f32 = scene.particles[i..].iter().map(|p| p.mass).sum();
        expected += SOFT * 9.81 * below;
    }
    for (substeps, iterations, partition) in [
        (4, 1, Partition::Colors),
        (8, 1, Partition::Colors),
        (16, 1, Partition::Colors),
        (8, 2, Partition::Colors),
        (8, 4, Partition::Colors),
        (8, 4, Partition::Phantom(1)),
        (8, 4, Partition::Jacobi),
    ] {
        let end = positions(&run(&rope(substeps, iterations, partition), 400));
        let sag = 2.0 - end[4].y;
        let error = (sag / expected - 1.0).abs();
        assert!(error < 0.02, "{substeps} x {iterations}, {partition}: {sag} m of {expected} m");
    }
}

#[test]
fn tethers_hold_what_hangs() {
    // 100 segments, far more than one iteration carries.
    let points = (0..101).map(|i| Vec3::Y * (3.0 - 0.02 * i as f32)).collect();
    let mut long = Deformable::rope("rope", points, 0.008, &RopeMaterial::default()).unwrap();
    long.pin(|at| at.y == 3.0);
    // A weight of a hundred rope particles at its end.
    long.masses[100] = 0.2;
    let length = |rope: &Deformable| {
        let mut scene = Scene::default();
        scene.add_deformable(rope, Vec3::ZERO, Quat::IDENTITY, Vec3::ZERO).unwrap();
        3.0 - positions(&run(&scene, 60))[100].y
    };
    let alone = length(&long);
    long.tether(0.02, 0.0).unwrap();
    let tethered = length(&long);
    assert!(tethered < 2.0 * 1.04 && tethered < alone - 0.02, "{tethered} m of 2 m, {alone} m without tethers");
}

fn cloth(height: f32) -> (Scene, ParticleId) {
    let mut scene = Scene::default();
    scene.add_collider(Collider::ground(0.0)).unwrap();
    let rest: Vec<Vec3> =
        (0..441).map(|i| 0.05 * Vec3::new((i % 21) as f32 - 10.0, 0.0, (i / 21) as f32 - 10.0)).collect();
    let corner = (0..400).map(|i| i / 20 * 21 + i % 20);
    let triangles: Vec<_> = corner.flat_map(|i| [[i, i + 21, i + 22], [i, i + 22, i + 1]]).collect();
    let sheet = Deformable::sheet("cloth", rest, &triangles, 0.02, &SheetMaterial::default()).unwrap().damped(10.0);
    let id = scene.add_deformable(&sheet, Vec3::Y * height, Quat::IDENTITY, Vec3::ZERO).unwrap();
    let first = scene.deformables[id.0 as usize].first_particle;
    (scene, first)
}

#[test]
fn cloth_falls_and_rests_on_the_ground() {
    let (scene, _) = cloth(0.3);
    let solver = run(&scene, 150);
    for at in positions(&solver) {
        assert!((at.y - 0.02).abs() < 0.004, "{at}");
    }
    let fastest =
        solver.read_particle_velocities().unwrap().iter().map(|v| v[0].hypot(v[1]).hypot(v[2])).fold(0.0, f32::max);
    assert!(fastest < 0.1, "{fastest} m/s");
}

#[test]
fn cloth_on_a_box_neither_passes_it_nor_is_weightless() {
    let (mut scene, first) = cloth(0.5);
    let half = 0.15;
    // Its corners held, the cloth carries a box.
    for corner in [0, 20, 420, 440] {
        scene.particles[(first.0 + corner) as usize].mass = 0.0;
    }
    let body = scene.add_body(BodyDesc::cuboid(Vec3::splat(half), 0.05).at(Vec3::Y * (0.5 + half + 0.03))).unwrap();
    scene.bodies[body.0 as usize].mass = 0.1;
    scene.params.substeps = 16;
    let solver = run(&scene, 120);
    let bodies = solver.read_bodies().unwrap();
    let bottom = bodies[0].center[1] - half;
    let under = positions(&solver)[first.0 as usize + 220].y;
    assert!(bottom > 0.1 && bottom < 0.5, "the box hangs in the cloth, not at {bottom} m");
    assert!(under < 0.47 && under < bottom + 0.03, "the cloth sags to {under} m under a box at {bottom} m");
}

#[test]
fn attached_particles_follow_and_pull() {
    let mut scene = Scene::default();
    scene.params.gravity = Vec3::ZERO;
    // A sleeper holds what pulls it gently.
    scene.params.sleep_time = 0.0;
    let body = scene.add_body(BodyDesc::cuboid(Vec3::splat(0.1), 0.05).at(Vec3::Y)).unwrap();
    let points = (0..6).map(|i| Vec3::new(0.1 + 0.1 * i as f32, 1.0, 0.0)).collect();
    let rope = Deformable::rope("rope", points, 0.01, &RopeMaterial::default()).unwrap();
    scene.add_deformable(&rope, Vec3::ZERO, Quat::IDENTITY, Vec3::ZERO).unwrap();
    let first = scene.deformables[0].first_particle;
    scene.attach(first, body, 0.0).unwrap();
    assert!(scene.attach(first, body, 0.0).is_err(), "a particle cannot be attached twice");
    scene.particles[first.0 as usize + 5].velocity = Vec3::new(3.0, 0.0, 2.0);
    let mass = |i: usize| scene.particles[i].mass;
    let start = mass(first.0 as usize + 5) * Vec3::new(3.0, 0.0, 2.0);
    let solver = run(&scene, 120);
    let state = solver.read_bodies().unwrap()[0];
    let center = Vec3::new(state.center[0], state.center[1], state.center[2]);
    let held = center + Quat::from_array(state.rotation) * Vec3::new(0.1, 0.0, 0.0);
    let at = positions(&solver);
    assert!(at[first.0 as usize].distance(held) < 1e-3, "{} m off", at[first.0 as usize].distance(held));
    // Nothing else acts: the body got what the rope lost.
    let velocities = solver.read_particle_velocities().unwrap();
    let rope: Vec3 = (first.0 as usize..at.len())
        .map(|i| mass(i) * Vec3::new(velocities[i][0], velocities[i][1], velocities[i][2]))
        .sum();
    let of_body = scene.bodies[0].mass * Vec3::new(state.velocity[0], state.velocity[1], state.velocity[2]);
    assert!(of_body.length() > 0.2 * start.length(), "the rope does not pull the body");
    assert!((rope + of_body).distance(start) < 0.01 * start.length(), "{} of {start}", rope + of_body);
}

#[test]
fn a_soft_block_stays_whole_on_the_ground() {
    let mut scene = Scene::default();
    scene.add_collider(Collider::ground(0.0)).unwrap();
    let at = |i: u32| (i % 4, i / 4 % 4, i / 16);
    let rest: Vec<Vec3> = (0..64).map(at).map(|(x, y, z)| 0.1 * Vec3::new(x as f32, y as f32, z as f32)).collect();
    let mut tetrahedra = Vec::new();
    for (x, y, z) in (0..64).map(at).filter(|(x, y, z)| *x < 3 && *y < 3 && *z < 3) {
        let i = |dx: u32, dy: u32, dz: u32| (z + dz) * 16 + (y + dy) * 4 + x + dx;
        let [a, h] = [i(0, 0, 0), i(1, 1, 1)];
        let ring = [i(1, 0, 0), i(1, 1, 0), i(0, 1, 0), i(0, 1, 1), i(0, 0, 1), i(1, 0, 1)];
        tetrahedra.extend((0..6).map(|k| [a, ring[k], ring[(k + 1) % 6], h]));
    }
    let block = Deformable::soft("block", rest, &tetrahedra, 0.04, &SoftMaterial::default()).unwrap().damped(10.0);
    scene.add_deformable(&block, Vec3::Y * 0.5, Quat::from_rotation_z(0.4), Vec3::ZERO).unwrap();
    let end = positions(&run(&scene, 150));
    let volume: f32 = tetrahedra
        .iter()
        .map(|t| {
            let [a, b, c, d] = t.map(|i| end[i as usize]);
            (b - a).cross(c - a).dot(d - a) / 6.0
        })
        .sum();
    assert!((volume / 0.027 - 1.0).abs() < 0.03, "{volume} m³ of 0.027 m³");
    assert!(end.iter().all(|p| p.y > 0.03 && p.y < 0.5), "it lies on the ground");
}

#[test]
fn soft_balls_that_meet_by_triangles_bounce_and_keep_their_momentum() {
    let material = SoftMaterial { density: 500.0, ..SoftMaterial::default() };
    let plan = soft_body(&primitive_model(&Shape::Sphere(0.2)), Resolution::Count(250), &material).unwrap();
    let plan = plan.meeting_by_triangles();
    let mut scene = Scene::default();
    scene.params.gravity = Vec3::ZERO;
    let toward = |side: f32| Vec3::X * side;
    for side in [-1.0_f32, 1.0] {
        let turn = Quat::from_rotation_y(side);
        let id =
            scene.add_deformable(&plan.object, toward(0.3 * side) + Vec3::Y * 0.05 * side, turn, toward(-4.0 * side));
        id.unwrap();
    }
    let count = plan.object.rest.len();
    let mass: f32 = plan.object.masses.iter().sum();
    let momentum = |velocities: &[[f32; 4]]| -> Vec3 {
        let all = velocities.iter().zip(plan.object.masses.iter().cycle());
        all.map(|(v, m)| Vec3::new(v[0], v[1], v[2]) * *m).sum()
    };
    let mut solver = Solver::new(&Context::shared().expect("adapter"), &scene).unwrap();
    for frame in 0..40 {
        solver.step();
        let state = Snapshot { particles: positions(&solver), ..Snapshot::start(&scene) };
        assert_eq!(crossings(&scene, &state), 0, "frame {frame}");
    }
    assert!(solver.read_health().unwrap().is_good());
    let velocities = solver.read_particle_velocities().unwrap();
    let (left, all) = (momentum(&velocities[..count]) / mass, momentum(&velocities) / mass);
    assert!(left.x < -1.0, "the left ball flies back: {left} m/s");
    assert!(all.length() < 4e-3, "both together have gained {all} m/s");
}

#[test]
#[ignore = "long"]
fn a_flattened_body_takes_its_volume_back() {
    let scene = stage_for("s1", &[]).unwrap().scene;
    // It is back before it lands, and again two seconds later.
    let end = positions(&run(&scene, 120));
    let tetrahedra = || scene.constraints.iter().filter_map(|row| Some((row, row.rest_volume()? as f32)));
    let volumes = |x: &dyn Fn(u32) -> Vec3| -> Vec<f32> {
        let of = |row: &Row| row.particles.map(x);
        tetrahedra()
            .map(|(row, rest)| (of(row), rest.signum()))
            .map(|([a, b, c, d], sign)| sign * (b - a).cross(c - a).dot(d - a) / 6.0)
            .collect()
    };
    let rest: f32 = tetrahedra().map(|(_, rest)| rest.abs()).sum();
    let start: f32 = volumes(&|i| scene.particles[i as usize].position).iter().sum();
    let now = volumes(&|i| end[i as usize]);
    let inverted = now.iter().filter(|v| **v <= 0.0).count();
    let error = (now.iter().sum::<f32>() / rest - 1.0).abs();
    assert!(start < 0.03 * rest, "it begins flat");
    assert!(error < 0.01 && inverted == 0, "volume off by {error}, {inverted} tetrahedra inverted");
}

#[test]
fn a_heavy_particle_does_not_press_light_ones_into_the_ground() {
    let mut scene = Scene::default();
    scene.add_collider(Collider::ground(0.0)).unwrap();
    let radius = 0.05;
    let ball = |position, mass, velocity| Particle { position, velocity, radius, mass, phase: Phase::default() };
    for i in 0..7 {
        let around = Quat::from_rotation_y(i as f32 * std::f32::consts::TAU / 6.0) * Vec3::X;
        let place = if i < 6 { 0.1 * around } else { Vec3::ZERO };
        scene.add_particle(ball(place + Vec3::Y * radius, 0.001, Vec3::ZERO)).unwrap();
    }
    scene.add_particle(ball(Vec3::Y * 0.3, 10.0, Vec3::Y * -4.0)).unwrap();
    let mut solver = Solver::new(&Context::shared().expect("adapter"), &scene).unwrap();
    let mut lowest = f32::MAX;
    for _ in 0..20 {
        solver.step();
        lowest = positions(&solver).iter().map(|p| p.y).fold(lowest, f32::min);
    }
    assert!(lowest > 0.7 * radius, "one is {:.2} radii in the ground", 1.0 - lowest / radius);
}

#[test]
fn what_is_damped_keeps_its_spin_and_stops_shaking() {
    let rest: Vec<Vec3> =
        (0..27).map(|i| 0.1 * Vec3::new((i % 3) as f32, (i / 3 % 3) as f32, (i / 9) as f32)).collect();
    let mut block = Deformable::new("block", rest.clone(), 2.0, 0.02);
    for (a, b) in (0..27).flat_map(|a| (0..a).map(move |b| (b, a))) {
        let ends = [rest[a as usize], rest[b as usize]];
        if ends[0].distance(ends[1]) < 0.18 {
            block.join(&Distance::between([a, b], ends, 1e-2)).unwrap();
        }
    }
    let energy = |damping: f32| {
        let mut scene = Scene::default();
        scene.params.gravity = Vec3::ZERO;
        let body = Deformable { damping, ..block.clone() };
        scene.add_deformable(&body, Vec3::ZERO, Quat::IDENTITY, Vec3::ZERO).unwrap();
        let spin = Vec3::new(1.0, 2.0, 0.5);
        for (i, particle) in scene.particles.iter_mut().enumerate() {
            let shake = Vec3::new((7.0 * i as f32).sin(), (5.0 * i as f32).cos(), (3.0 * i as f32).sin());
            particle.velocity = spin.cross(particle.position - Vec3::splat(0.1)) + 0.5 * shake;
        }
        let solver = run(&scene, 12);
        let (x, v) = (positions(&solver), solver.read_particle_velocities().unwrap());
        let v: Vec<Vec3> = v.iter().map(|v| Vec3::new(v[0], v[1], v[2])).collect();
        let mean = |of: &[Vec3]| of.iter().sum::<Vec3>() / of.len() as f32;
        let (center, drift) = (mean(&x), mean(&v));
        let momentum = |x: &[Vec3], v: &[Vec3], c: Vec3, d: Vec3| -> Vec3 {
            x.iter().zip(v).map(|(x, v)| (*x - c).cross(*v - d)).sum()
        };
        let (x0, v0): (Vec<Vec3>, Vec<Vec3>) = scene.particles.iter().map(|p| (p.position, p.velocity)).unzip();
        let before = momentum(&x0, &v0, mean(&x0), mean(&v0));
        let after = momentum(&x, &v, center, drift);
        assert!(after.distance(before) < 1e-3 * before.length(), "{after} of {before}");
        assert!(drift.distance(mean(&v0)) < 1e-4, "{drift} of {}", mean(&v0));
        v.iter().map(|v| (*v - drift).length_squared()).sum::<f32>() / 27.0
    };
    // Mean square of the speed: the spin is all that is left.
    let (free, damped) = (energy(0.0), energy(40.0));
    assert!(free > 1.15 * damped && damped > 0.1, "{free} and {damped} m²/s²");
}

#[test]
fn mistakes_are_named() {
    let mut scene = Scene::default();
    let body = scene.add_body(BodyDesc::sphere(0.1, 0.05)).unwrap();
    let free = Particle { position: Vec3::Y, velocity: Vec3::ZERO, radius: 0.05, mass: 1.0, phase: Phase::default() };
    let particle = scene.add_particle(free).unwrap();
    let edge = |a, b| Distance { particles: [a, b], rest_length: 1.0, compliance: 0.0, tension_only: false };
    let told = |message: String, part: &str| assert!(message.contains(part), "{message}");
    told(scene.add_constraint(&edge(particle.0, 999)).unwrap_err().to_string(), "particle 999 does not exist");
    told(scene.add_constraint(&edge(particle.0, particle.0)).unwrap_err().to_string(), "named twice");
    told(scene.attach(particle, body, -1.0).unwrap_err().to_string(), "compliance");
    scene.add_constraint(&edge(particle.0, 0)).unwrap();
    told(scene.check().unwrap_err().to_string(), "belongs to body 0");
    let flat = [Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::X + Vec3::Y].to_vec();
    let refused = Deformable::soft("flat", flat.clone(), &[[0, 1, 2, 3]], 0.1, &SoftMaterial::default());
    told(refused.unwrap_err().to_string(), "rest volume");
    let heavy = SheetMaterial { area_density: -1.0, ..SheetMaterial::default() };
    told(Deformable::sheet("s", flat.clone(), &[[0, 1, 2]], 0.1, &heavy).unwrap_err().to_string(), "mass per area");
    told(
        Deformable::sheet("s", flat, &[[0, 1, 9]], 0.1, &SheetMaterial::default()).unwrap_err().to_string(),
        "vertex 9",
    );
}

#[test]
fn numbers_that_nothing_can_have_are_refused_by_name() {
    let told = |message: String, part: &str| assert!(message.contains(part), "{message} does not say {part}");
    let line = vec![Vec3::ZERO, Vec3::X, 2.0 * Vec3::X];
    let limp = |bend| Deformable::rope("line", line.clone(), 0.1, &RopeMaterial { bend, ..RopeMaterial::default() });
    told(limp(f32::NAN).unwrap_err().to_string(), "bend compliance is NaN");
    told(limp(f32::NEG_INFINITY).unwrap_err().to_string(), "infinite for none");
    limp(f32::INFINITY).unwrap();
    let corners = vec![Vec3::ZERO, Vec3::X, Vec3::Z];
    let stiff = SheetMaterial { bend: f32::NAN, ..SheetMaterial::default() };
    let sheet = Deformable::sheet("s", corners, &[[0, 1, 2]], 0.1, &stiff);
    told(sheet.unwrap_err().to_string(), "inverse bending stiffness is NaN");
    let mut scene = Scene::default();
    let ball = || BodyDesc::sphere(0.1, 0.05);
    let mut rough = ball();
    rough.surface.friction = f32::INFINITY;
    told(scene.add_body(rough).unwrap_err().to_string(), "friction is inf; it must be finite and 0 or more");
    let fast = BodyDesc { velocity: Vec3::Y * -1e30, ..ball() };
    told(
        scene.add_body(fast).unwrap_err().to_string(),
        "velocity is 1000000000000000000000000000000; it must be at most",
    );
}

#[test]
fn what_no_triangle_gives_a_mass_is_refused() {
    let corners = vec![Vec3::ZERO, Vec3::X, Vec3::Z, Vec3::ONE];
    let sheet = |rest: &[Vec3], triangles: &[[u32; 3]]| {
        Deformable::sheet("sail", rest.to_vec(), triangles, 0.1, &SheetMaterial::default())
    };
    let loose = sheet(&corners, &[[0, 1, 2]]).unwrap_err().to_string();
    assert!(loose.starts_with("sheet `sail`: vertex 3 has no mass") && loose.contains("leave it out"), "{loose}");
    let line = sheet(&[Vec3::ZERO, Vec3::X, 2.0 * Vec3::X], &[[0, 1, 2]]).unwrap_err().to_string();
    assert!(line.contains("vertex 0 has no mass") && line.contains("has area"), "{line}");
    sheet(&corners, &[[0, 1, 2], [1, 2, 3]]).unwrap();
    let rope = |count: usize| Deformable::rope("line", corners[..count].to_vec(), 0.1, &RopeMaterial::default());
    let short = rope(1).unwrap_err().to_string();
    assert!(short.contains("rope `line`: point 0") && short.contains("two points"), "{short}");
    rope(2).unwrap();
    let flesh = |rest: &[Vec3]| Deformable::soft("lump", rest.to_vec(), &[[0, 1, 2, 3]], 0.1, &SoftMaterial::default());
    let five = [&corners[..], &[Vec3::NEG_Y]].concat();
    let apart = flesh(&five).unwrap_err().to_string();
    assert!(apart.contains("soft body `lump`: corner 4 has no mass"), "{apart}");
    flesh(&corners).unwrap();
}
