//! Physics with answers known from outside.

use glam::{DVec3, Quat, Vec3};

use crate::scene::{BodyDesc, Collider, JointDesc, JointKind, JointSolver, Particle, Phase, Placement, Surface};
use crate::solver::stages::rows;
use crate::solver::*;

struct World {
    solver: Solver,
}

impl World {
    fn new(scene: &Scene) -> Self {
        let context = Context::shared().expect("adapter");
        Self { solver: Solver::new(&context, scene).unwrap() }
    }

    fn run(&mut self, frames: u32) {
        for _ in 0..frames {
            self.solver.step();
        }
    }

    fn bodies(&self) -> Vec<BodyState> {
        self.solver.read_bodies().unwrap()
    }

    /// Deepest point of any particle below the plane y = 0, in radii.
    fn penetration(&self) -> f32 {
        let deepest = |p: &[f32; 4]| (p[3] - p[1]) / p[3];
        self.solver.read_particles().unwrap().iter().map(deepest).fold(0.0, f32::max)
    }

    fn healthy(&self) {
        let health = self.solver.read_health().unwrap();
        assert!(health.is_good(), "{health:?}");
    }
}

fn v3(v: impl AsRef<[f32]>) -> Vec3 {
    Vec3::from_slice(v.as_ref())
}

fn zero_gravity() -> Scene {
    let mut scene = Scene::default();
    scene.params.gravity = Vec3::ZERO;
    scene
}

#[test]
fn what_is_counted_since_the_start_outlives_an_edit() {
    let mut scene = Scene::default();
    let wild =
        Particle { position: Vec3::Y, velocity: Vec3::X * 1e4, radius: 0.05, mass: 1.0, phase: Phase::default() };
    scene.add_particle(wild).unwrap();
    // Only where something can meet is anything searched.
    scene.add_particle(Particle { position: Vec3::Z, velocity: Vec3::ZERO, ..wild }).unwrap();
    scene.params.world_extent = 20.0;
    let mut world = World::new(&scene);
    world.run(30);
    let before = world.solver.read_health().unwrap();
    assert!(before.out_of_bounds > 0 && before.searches > 0, "{before:?}");
    scene.add_body(BodyDesc::cuboid(Vec3::splat(0.1), 0.05)).unwrap();
    world.solver.spawn(&scene).unwrap();
    assert_eq!(world.solver.read_health().unwrap(), before);
    world.run(1);
    let after = world.solver.read_health().unwrap();
    assert!(after.out_of_bounds >= before.out_of_bounds && after.searches > before.searches, "{after:?}");
}

#[test]
fn free_fall_is_exact() {
    let mut scene = Scene::default();
    scene.add_body(BodyDesc::cuboid(Vec3::splat(0.1), 0.05).at(Vec3::new(0.0, 50.0, 0.0))).unwrap();
    let mut world = World::new(&scene);
    world.run(60);
    let fallen = 50.0 - world.bodies()[0].center[1];
    // Semi-implicit Euler at substep h falls g t (t + h) / 2.
    let expected = 0.5 * 9.81 * (1.0 + 1.0 / 480.0);
    assert!((fallen - expected).abs() < 1e-4, "{fallen} m, expected {expected} m");
    world.healthy();
}

#[test]
fn spin_is_kept_in_free_flight() {
    let mut scene = zero_gravity();
    let mut desc = BodyDesc::cuboid(Vec3::new(0.1, 0.2, 0.3), 0.05);
    desc.angular_velocity = Vec3::new(3.0, 4.0, 3.3166);
    let inertia = desc.inertia;
    scene.add_body(desc).unwrap();
    let mut world = World::new(&scene);
    let momentum = |b: &BodyState| {
        let q = Quat::from_array(b.rotation);
        q * (inertia * (q.inverse() * v3(b.angular_velocity)))
    };
    let energy = |b: &BodyState| momentum(b).dot(v3(b.angular_velocity));
    let start = world.bodies()[0];
    world.run(300);
    let end = world.bodies()[0];
    let (l0, l1) = (momentum(&start), momentum(&end));
    assert!((l1 - l0).length() / l0.length() < 1e-3, "{l0} -> {l1}");
    let kept = energy(&end) / energy(&start);
    assert!((kept - 1.0).abs() < 0.01, "energy kept {kept}");
    assert!(v3(end.center).length() / 5.0 < 1e-4, "drift {}", v3(end.center));
    world.healthy();
}

#[test]
fn a_box_dropped_on_its_corner_comes_to_rest() {
    for side in [3, 5] {
        let mut scene = Scene::default();
        scene.add_collider(Collider::ground(0.0)).unwrap();
        let half = 0.05 * side as f32;
        // A little off balance, or it stands on its corner.
        let corner = Quat::from_rotation_x(0.05) * Quat::from_rotation_arc(Vec3::ONE.normalize(), Vec3::NEG_Y);
        let mut desc = BodyDesc::cuboid(Vec3::splat(half), 0.05).at(Vec3::Y * (1.8 * half + 0.02)).rotated(corner);
        desc.velocity = Vec3::NEG_Y * 5.0;
        assert_eq!(desc.points.len(), side * side * side);
        scene.add_body(desc).unwrap();
        scene.params.sleep_time = 0.0;
        let mut world = World::new(&scene);
        let mut worst: f32 = 0.0;
        for _ in 0..120 {
            world.run(1);
            worst = worst.max(world.penetration());
        }
        let b = world.bodies()[0];
        let speed = v3(b.velocity).length() + v3(b.angular_velocity).length() * half * 1.8;
        println!("corner {side}: worst {worst} r, end {} r, speed {speed} m/s", world.penetration());
        assert!(worst <= 0.3, "penetration {worst} radii");
        assert!(speed < 1e-3, "speed {speed} m/s");
        world.healthy();
    }
}

#[test]
fn a_box_slides_above_the_friction_angle_and_holds_below() {
    let mu: f32 = 0.5;
    for (slope, slides) in [(mu + 0.02, true), (mu - 0.02, false)] {
        let mut scene = Scene::default();
        let tilt = Quat::from_rotation_z(slope.atan());
        let mut plane = Collider::ground(0.0).rotated(tilt);
        plane.surface.friction = mu;
        scene.add_collider(plane).unwrap();
        let mut desc = BodyDesc::cuboid(Vec3::new(0.15, 0.1, 0.15), 0.05).at(tilt * (Vec3::Y * 0.1)).rotated(tilt);
        desc.surface.friction = mu;
        scene.add_body(desc).unwrap();
        scene.params.sleep_time = 0.0;
        let mut world = World::new(&scene);
        world.run(60);
        let start = v3(world.bodies()[0].center);
        let seconds = if slides { 2 } else { 60 };
        world.run(60 * seconds);
        let moved = (v3(world.bodies()[0].center) - start).length();
        println!("slope {slope}: moved {moved} m in {seconds} s");
        if slides {
            assert!(moved > 0.05, "held: moved {moved} m");
        } else {
            assert!(moved < 1e-3, "crept {moved} m in {seconds} s");
        }
        world.healthy();
    }
}

#[test]
fn momentum_is_kept_when_bodies_meet() {
    let mut scene = zero_gravity();
    let mut left = BodyDesc::cuboid(Vec3::splat(0.15), 0.05).at(Vec3::new(-0.5, 0.1, 0.02));
    left.velocity = Vec3::X * 3.0;
    left.angular_velocity = Vec3::new(1.0, 2.0, -1.0);
    let right = BodyDesc::cuboid(Vec3::new(0.1, 0.2, 0.15), 0.05).at(Vec3::new(0.2, 0.0, 0.0));
    let descs = [left.clone(), right.clone()];
    scene.add_body(left).unwrap();
    scene.add_body(right).unwrap();
    let mut world = World::new(&scene);
    let momenta = |bodies: &[BodyState]| {
        let mut p = Vec3::ZERO;
        let mut l = Vec3::ZERO;
        for (b, d) in bodies.iter().zip(&descs) {
            let q = Quat::from_array(b.rotation);
            p += d.mass * v3(b.velocity);
            l += d.mass * v3(b.center).cross(v3(b.velocity));
            l += q * (d.inertia * (q.inverse() * v3(b.angular_velocity)));
        }
        (p, l)
    };
    let (p0, l0) = momenta(&world.bodies());
    let before = v3(world.bodies()[1].velocity);
    world.run(60);
    let after = v3(world.bodies()[1].velocity);
    assert!((after - before).length() > 0.5, "they did not meet: {after}");
    let (p1, l1) = momenta(&world.bodies());
    println!("momentum {p0} -> {p1}, angular {l0} -> {l1}");
    assert!((p1 - p0).length() / p0.length() < 1e-3, "{p0} -> {p1}");
    assert!((l1 - l0).length() / l0.length() < 1e-3, "{l0} -> {l1}");
    world.healthy();
}

fn tower(height: u32) -> Scene {
    let mut scene = Scene::default();
    scene.add_collider(Collider::ground(0.0)).unwrap();
    for i in 0..height {
        let turn = Quat::from_rotation_y(0.05 * i as f32);
        let at = Vec3::new(0.004 * (i % 3) as f32, 0.15 + 0.3 * i as f32, 0.003 * (i % 2) as f32);
        scene.add_body(BodyDesc::cuboid(Vec3::splat(0.15), 0.05).at(at).rotated(turn)).unwrap();
    }
    scene
}

#[test]
fn a_tower_of_five_stands() {
    let mut scene = tower(5);
    scene.params.sleep_time = 0.0;
    let mut world = World::new(&scene);
    world.run(180);
    let early = v3(world.bodies()[4].center);
    world.run(17 * 60);
    let late = v3(world.bodies()[4].center);
    let creep = (late - early).length() / 17.0;
    println!("tower of 5: top at {late}, creep {} mm/s", creep * 1e3);
    assert!(late.y > 1.34, "fell: top at {late}");
    assert!(creep < 1e-3, "creeps {creep} m/s");
    world.healthy();
}

#[test]
fn who_is_tied_by_joints_is_known_while_it_runs() {
    let mut scene = zero_gravity();
    let at = [0.0, 0.5, 1.0].map(|x| Vec3::X * x);
    let [a, b, c] = at.map(|at| scene.add_body(BodyDesc::cuboid(Vec3::splat(0.1), 0.05).at(at)).unwrap());
    let hinge = |a, b| JointDesc::new(JointKind::Hinge, a, b, Vec3::X * 0.25, Vec3::Z, 0.05);
    scene.add_joint(hinge(a, b)).unwrap();
    scene.reserve_joints(1).unwrap();
    let mut solver = World::new(&scene).solver;
    let tied = |solver: &Solver| -> Vec<bool> {
        let rows = solver.buffers.read::<rows::BodyProperties>("body_properties").unwrap();
        rows.iter().map(|row| row.flags & crate::gpu::wgsl::common::body::BODY_TIED != 0).collect()
    };
    assert_eq!(tied(&solver), [true, true, false]);
    let places = [at[1], at[2]].map(Placement::from);
    let added = solver.add_joint(hinge(b, c), places).unwrap();
    assert_eq!(tied(&solver), [true, true, true]);
    solver.set_surface(crate::scene::Thing::Body(c), Surface { friction: 0.1, restitution: 0.0 }).unwrap();
    assert_eq!(tied(&solver), [true, true, true], "an edit of the body keeps it");
    solver.remove_joint(added).unwrap();
    assert_eq!(tied(&solver), [true, true, false]);
}

fn gap(world: &World, scene: &Scene) -> f32 {
    let bodies = world.bodies();
    let place = |body: BodyId, local: Vec3| {
        let b = &bodies[body.0 as usize];
        v3(b.center) + Quat::from_array(b.rotation) * local
    };
    scene
        .joints
        .iter()
        .flat_map(|j| j.points.iter().map(|p| (place(j.desc.a, p.local_a) - place(j.desc.b, p.local_b)).length()))
        .fold(0.0, f32::max)
}

/// A chain of 8 bodies of 3 x 3 x 6 particles, swinging from one end that is held.
fn chain(kind: JointKind) -> Scene {
    let mut scene = Scene::default();
    let mut previous: Option<BodyId> = None;
    for i in 0..8 {
        let mut desc = BodyDesc::cuboid(Vec3::new(0.3, 0.15, 0.15), 0.05).at(Vec3::X * (0.65 * i as f32));
        desc.kinematic = i == 0;
        let body = scene.add_body(desc).unwrap();
        if let Some(previous) = previous {
            let pivot = Vec3::X * (0.65 * i as f32 - 0.325);
            let axis = if kind == JointKind::Hinge { Vec3::Z } else { Vec3::X };
            scene.add_joint(JointDesc::new(kind, previous, body, pivot, axis, 0.05)).unwrap();
        }
        previous = Some(body);
    }
    scene
}

#[test]
fn joints_hold_a_swinging_chain_together() {
    for kind in [JointKind::Ball, JointKind::Hinge, JointKind::Stiff, JointKind::Universal] {
        let mut worst = [0.0_f32; 3];
        let solvers = [JointSolver::Point, JointSolver::Average, JointSolver::Particles];
        for (solver, worst) in solvers.into_iter().zip(&mut worst) {
            let mut scene = chain(kind);
            scene.params.joints = solver;
            let mut world = World::new(&scene);
            for _ in 0..90 {
                world.run(1);
                *worst = worst.max(gap(&world, &scene) / 0.1);
            }
            world.healthy();
        }
        println!(
            "{kind:?}: gap {} d between rigid states, {} d averaged, {} d of particles",
            worst[0], worst[1], worst[2]
        );
        assert!(worst[0] <= 0.06, "{kind:?}: {} diameters", worst[0]);
        assert!(worst[1] >= 8.0 * worst[0], "{kind:?}: averaged {} diameters", worst[1]);
        // The fit holds as well as the one that is solved body by body.
        assert!(worst[2] < 1.5 * worst[1] + 0.05, "{kind:?}: of particles {} diameters", worst[2]);
    }
}

/// All as published: particles move singly, and bodies are fitted to them by workgroups.
fn of_particles(scene: &mut Scene) {
    (scene.params.joints, scene.params.sleep_time) = (JointSolver::Particles, 0.0);
}

/// Two boxes that strike off their middles where nothing pulls: what one gains another loses, of both momenta.
#[test]
fn bodies_of_particles_keep_momentum_when_they_strike() {
    let mut scene = Scene::default();
    of_particles(&mut scene);
    scene.params.gravity = Vec3::ZERO;
    let half = Vec3::new(0.3, 0.15, 0.15);
    for (side, offset) in [(-1.0, 0.1), (1.0, -0.1)] {
        let mut desc = BodyDesc::cuboid(half, 0.05).at(Vec3::new(side * 0.4, offset, 0.05 * side));
        desc.velocity = -side * Vec3::X;
        scene.add_body(desc).unwrap();
    }
    let mut world = World::new(&scene);
    let momenta = |world: &World| {
        let mut sum = [DVec3::ZERO; 2];
        for (body, state) in scene.bodies.iter().zip(world.solver.read_bodies().unwrap()) {
            let linear = f64::from(body.mass) * Vec3::from(state.velocity).as_dvec3();
            let q = state.rotation();
            let spin = q * (body.inertia * (q.inverse() * Vec3::from(state.angular_velocity)));
            sum[0] += linear;
            sum[1] += state.center().as_dvec3().cross(linear) + spin.as_dvec3();
        }
        sum
    };
    let before = momenta(&world);
    world.run(40);
    let after = momenta(&world);
    let states = world.solver.read_bodies().unwrap();
    let size = f64::from(scene.bodies[0].mass);
    println!("{before:?} {after:?} of {size} kg at 1 m/s, spin {:?}", states[0].angular_velocity);
    assert!(Vec3::from(states[0].angular_velocity).length() > 0.1 && states[0].velocity[0] < 0.9, "they met");
    assert!((after[0] - before[0]).length() < 1e-4 * size && (after[1] - before[1]).length() < 2e-3 * size);
    world.healthy();
}

/// A box comes to rest on the ground, and a box on it.
#[test]
fn bodies_of_particles_come_to_rest() {
    let mut scene = Scene::default();
    of_particles(&mut scene);
    scene.add_collider(Collider::ground(0.0)).unwrap();
    for i in 0..2 {
        scene.add_body(BodyDesc::cuboid(Vec3::splat(0.2), 0.05).at(Vec3::Y * (0.21 + 0.41 * i as f32))).unwrap();
    }
    let mut world = World::new(&scene);
    world.run(180);
    let states = world.solver.read_bodies().unwrap();
    let heights: Vec<f32> = states.iter().map(|b| b.center().y).collect();
    let speed = states.iter().map(|b| Vec3::from(b.velocity).length()).fold(0.0, f32::max);
    println!("at {heights:?} m, {speed} m/s");
    assert!((heights[0] - 0.2).abs() < 0.02 && (heights[1] - 0.6).abs() < 0.04 && speed < 0.05, "{heights:?} {speed}");
    world.healthy();
}

/// A plate of one layer, and a row of particles, which tell nothing of some turns: they spin on as before.
#[test]
fn flat_and_thin_bodies_of_particles_keep_their_turn() {
    for half in [Vec3::new(0.3, 0.05, 0.15), Vec3::new(0.3, 0.05, 0.05)] {
        let mut scene = Scene::default();
        of_particles(&mut scene);
        scene.params.gravity = Vec3::ZERO;
        let mut desc = BodyDesc::cuboid(half, 0.05).at(Vec3::Y);
        desc.angular_velocity = Vec3::X * 2.0;
        scene.add_body(desc).unwrap();
        let mut world = World::new(&scene);
        world.run(60);
        let state = world.solver.read_bodies().unwrap()[0];
        let turned = state.rotation().to_scaled_axis();
        println!("{half}: turned by {turned}, spin {:?}", state.angular_velocity);
        assert!((turned - 2.0 * Vec3::X).length() < 0.02, "{half}: {turned}");
        assert!((Vec3::from(state.angular_velocity) - 2.0 * Vec3::X).length() < 0.02);
    }
}

/// What is slower than half a radius a frame stays where it is; what is faster goes.
#[test]
fn what_is_slow_freezes() {
    for (speed, goes) in [(1.2, false), (1.8, true)] {
        let mut scene = Scene::default();
        of_particles(&mut scene);
        (scene.params.gravity, scene.params.freeze) = (Vec3::ZERO, 0.5);
        let mut desc = BodyDesc::cuboid(Vec3::splat(0.1), 0.05);
        desc.velocity = Vec3::X * speed;
        scene.add_body(desc).unwrap();
        let mut world = World::new(&scene);
        world.run(30);
        let way = world.solver.read_bodies().unwrap()[0].center().x;
        assert!((way - if goes { 0.5 * speed } else { 0.0 }).abs() < 1e-3, "{speed} m/s: {way} m");
    }
}

/// A ball joint whose boxes meet: what hangs out from a held box falls until the two touch, where one that is free hangs down.
#[test]
fn contacts_limit_the_swing_of_a_ball_joint() {
    for (solver, meet) in [(JointSolver::Point, false), (JointSolver::Point, true), (JointSolver::Particles, true)] {
        let mut scene = Scene::default();
        (scene.params.joints, scene.params.sleep_time) = (solver, 0.0);
        let half = Vec3::new(0.1, 0.1, 0.2);
        let mut held = BodyDesc::cuboid(half, 0.05).at(Vec3::NEG_Z * 0.25);
        held.kinematic = true;
        let a = scene.add_body(held).unwrap();
        let b = scene.add_body(BodyDesc::cuboid(half, 0.05).at(Vec3::Z * 0.25)).unwrap();
        let ball = JointDesc::new(JointKind::Ball, a, b, Vec3::ZERO, Vec3::Z, 0.05);
        scene.add_joint(JointDesc { damping: 4.0, meet, ..ball }).unwrap();
        scene.params.angular_damping = 4.0;
        let mut world = World::new(&scene);
        world.run(240);
        let turned = world.bodies()[1].rotation().mul_vec3(Vec3::Z).angle_between(Vec3::Z);
        println!("{solver:?}, meet {meet}: hangs at {turned} rad");
        // Balls of 0.05 m that lie 0.1 m along and 0.05 m across meet the other box's edge at 1.12 rad.
        let expected = if meet { 1.12 } else { std::f32::consts::FRAC_PI_2 };
        assert!((turned - expected).abs() < 0.1, "{solver:?}, meet {meet}: {turned} rad, not {expected}");
    }
}
