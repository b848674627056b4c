//! Small worlds with answers known from outside: what each part of a scene must do.

mod joints;
mod world;

use glam::{Quat, Vec3};
use sinew::demos::stage_for;
use sinew::report::{Overlap, joint_gaps};
use sinew::scene::{BodyDesc, BodyId, Collider, Particle, Phase, Scene, Shape, TriangleMesh};
use sinew::solver::Drag;

use world::{FRAMES, RADIUS, World, cube, on_ground, zero_gravity};

#[test]
fn a_spinning_body_keeps_its_spin_and_place() {
    let mut scene = zero_gravity();
    for (i, axis) in [Vec3::X, Vec3::Z].into_iter().enumerate() {
        let desc = BodyDesc::cuboid(Vec3::new(0.1, 0.2, 0.3), RADIUS).at(Vec3::X * (3.0 * i as f32));
        scene.add_body(BodyDesc { angular_velocity: axis * 6.0, ..desc }).unwrap();
    }
    let mut world = World::new(&scene);
    world.run(5 * FRAMES);
    for i in 0..2 {
        let body = world.body(i);
        let (kept, drift) = (body.angular_velocity.length() / 6.0, (body.center - scene.bodies[i].position).length());
        println!("body {i}: {kept} of the spin kept, {} mm/s drift", drift / 5.0 * 1e3);
        assert!((kept - 1.0).abs() < 0.01, "spin kept {kept}");
        assert!(drift / 5.0 < 1e-4, "drift {drift} m in 5 s");
    }
    world.healthy();
}

#[test]
fn a_tower_of_ten_stands() {
    let scene = stage_for("tower", &[("height".into(), "10".into())]).unwrap().scene;
    let mut world = World::new(&scene);
    world.run(3 * FRAMES);
    let early = world.body(9).center;
    world.run(17 * FRAMES);
    let late = world.body(9).center;
    let creep = early.distance(late) / 17.0;
    println!("tower of 10: top from {early} to {late}, creep {} mm/s", creep * 1e3);
    assert!(late.y > 0.98 * 9.5 * 0.3, "fell: top at {late}");
    assert!(creep < 1e-3, "creeps {creep} m/s");
    world.healthy();
}

#[test]
fn sixty_pairs_stay_whole_and_in_their_pit_and_come_to_rest() {
    let scene = stage_for("pairs", &[("count".into(), "60".into())]).unwrap().scene;
    let mut world = World::new(&scene);
    world.run(20 * FRAMES);
    let state = world.read().clone();
    let gaps = joint_gaps(&scene, &state, |_| true);
    let mean = gaps.iter().sum::<f32>() / gaps.len() as f32;
    let deepest = Overlap::new(&scene).worst(&state);
    let inner = scene.colliders[1].position.x - 0.5;
    let out = state.particles.iter().map(|p| p.x.abs().max(p.z.abs()) - inner).fold(f32::MIN, f32::max);
    println!("60 pairs: gap {} mm, penetration {deepest} r, {out} m beyond the walls", mean * 1e3);
    assert!(mean <= 1e-3, "mean gap {mean} m");
    assert!(deepest <= 0.2, "penetration {deepest} radii");
    assert!(out < 0.0, "a particle is {out} m outside the pit");
    let moving = state.bodies.iter().filter(|b| b.velocity.length() > 0.0).count();
    let fastest = state.bodies.iter().map(|b| b.velocity.length()).fold(0.0, f32::max);
    println!("after 20 s {moving} of {} bodies move, at most {fastest} m/s", state.bodies.len());
    assert!(fastest < 1e-3, "{moving} bodies move, at most {fastest} m/s");
    world.healthy();
}

#[test]
fn a_moving_collider_pushes_a_box_at_its_speed() {
    let mut scene = on_ground();
    let mut pusher = Collider::new(Shape::Cuboid(Vec3::new(0.2, 0.3, 0.5)), Vec3::new(-0.6, 0.3, 0.0));
    pusher.velocity = Vec3::X * 0.7;
    scene.add_collider(pusher).unwrap();
    scene.add_body(cube(0.15).at(Vec3::Y * 0.15)).unwrap();
    let mut world = World::new(&scene);
    world.run(3 * FRAMES);
    let body = world.body(0);
    // Its face is at -0.4 + 2.1 m; the box rests against it.
    println!("pushed to {} at {}", body.center, body.velocity);
    assert!((body.velocity.x - 0.7).abs() < 0.035, "speed {}", body.velocity);
    assert!((body.center.x - (1.7 + 0.15)).abs() < 0.02, "at {}", body.center);
    world.healthy();
}

/// A square sheet of `side` x `side` quads of 0.2 m, its heights given at the corners.
fn sheet(side: u32, height: impl Fn(f32, f32) -> f32) -> TriangleMesh {
    let mut mesh = TriangleMesh::default();
    let row = side + 1;
    for (i, k) in (0..row * row).map(|n| (n % row, n / row)) {
        let (x, z) = (0.2 * (i as f32 - 0.5 * side as f32), 0.2 * (k as f32 - 0.5 * side as f32));
        mesh.positions.push(Vec3::new(x, height(x, z), z));
        if i < side && k < side {
            let at = k * row + i;
            mesh.triangles.extend([[at, at + row, at + 1], [at + 1, at + row, at + row + 1]]);
        }
    }
    mesh
}

/// A closed box of 12 triangles.
fn block(half: Vec3) -> TriangleMesh {
    let corner = |i: u32| Vec3::select(glam::BVec3::new(i & 1 != 0, i & 2 != 0, i & 4 != 0), half, -half);
    let quads = [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]];
    TriangleMesh {
        positions: (0..8).map(corner).collect(),
        triangles: quads.iter().flat_map(|q| [[q[0], q[1], q[2]], [q[0], q[2], q[3]]]).collect(),
    }
}

#[test]
fn triangles_hold_a_box() {
    let bumpy = sheet(12, |x, z| 0.05 * (4.0 * x).sin() * (3.0 * z).cos());
    for (name, mesh, top) in [("bumps", bumpy, 0.05), ("a closed block", block(Vec3::new(0.6, 0.2, 0.6)), 0.2)] {
        let mut scene = Scene::default();
        scene.add_collider(Collider::new(Shape::Mesh(mesh), Vec3::ZERO)).unwrap();
        scene.add_body(cube(0.15).at(Vec3::new(0.03, 0.6, 0.02)).rotated(Quat::from_rotation_x(0.3))).unwrap();
        let mut world = World::new(&scene);
        let (mut deepest, overlap) = (f32::MIN, Overlap::new(&scene));
        for _ in 0..5 * FRAMES {
            world.run(1);
            deepest = deepest.max(overlap.worst(world.read()));
        }
        let body = world.body(0);
        println!("{name}: at {}, speed {}, deepest {deepest} r", body.center, body.velocity.length());
        assert!(body.center.y > top && body.center.y < top + 0.3, "{name}: at {}", body.center);
        assert!(body.velocity.length() < 0.03, "{name}: still moves at {}", body.velocity);
        assert!(deepest < 0.5, "{name}: {deepest} radii deep");
    }
}

#[test]
fn a_fine_mesh_drops_no_contact() {
    let mut scene = Scene::default();
    let bumpy = sheet(12, |x, z| 0.05 * (4.0 * x).sin() * (3.0 * z).cos());
    scene.add_collider(Collider::new(Shape::Mesh(bumpy), Vec3::ZERO)).unwrap();
    scene.add_body(cube(0.15).at(Vec3::new(0.03, 0.6, 0.02)).rotated(Quat::from_rotation_x(0.3))).unwrap();
    let mut world = World::new(&scene);
    world.run(5 * FRAMES);
    world.healthy();
}

#[test]
fn a_box_that_slides_gains_no_energy_however_rough_it_is() {
    let floors = [
        // The rougher half of the pair is a collider, or a body that nothing moves.
        |scene: &mut Scene, friction: f32| {
            scene.colliders[0].surface.friction = friction;
            scene.add_body(cube(0.15).at(Vec3::X * 9.0)).map(drop)
        },
        |scene: &mut Scene, friction: f32| {
            let mut floor = BodyDesc::cuboid(Vec3::new(5.0, 0.25, 5.0), 0.1).at(Vec3::Y * -0.25);
            floor.kinematic = true;
            floor.surface.friction = friction;
            scene.colliders.clear();
            scene.add_body(floor).map(drop)
        },
    ];
    for (floor, half, friction, speed) in [
        (floors[0], Vec3::splat(0.15), 3.0, 1.0),
        (floors[0], Vec3::splat(0.15), 100.0, 1.0),
        (floors[0], Vec3::new(0.2, 0.4, 0.2), 2.0, 2.0),
        (floors[1], Vec3::splat(0.15), 2.5, 1.0),
        (floors[1], Vec3::splat(0.15), 5.0, 1.0),
    ] {
        let mut scene = on_ground();
        floor(&mut scene, friction).unwrap();
        let mut box_of = BodyDesc::cuboid(half, RADIUS).at(Vec3::Y * half.y);
        box_of.velocity = Vec3::X * speed;
        box_of.surface.friction = friction;
        scene.add_body(box_of).unwrap();
        let mut world = World::new(&scene);
        let most = (0..40).map(|_| {
            world.run(1);
            let body = world.body(1);
            0.5 * body.velocity.length_squared() + 9.81 * (body.center.y - half.y)
        });
        let most = most.fold(0.0, f32::max);
        println!("friction {friction}, {half}: at most {most} J/kg of {}", 0.5 * speed * speed);
        assert!(most < 1.1 * 0.5 * speed * speed + 0.01, "friction {friction}, {half}: {most} J/kg");
    }
}

#[test]
fn a_ball_bounces_to_the_square_of_its_restitution() {
    let mut scene = on_ground();
    let mut ball = BodyDesc::sphere(0.15, RADIUS).at(Vec3::Y * 1.15);
    ball.surface.restitution = 0.5;
    scene.add_body(ball).unwrap();
    let mut world = World::new(&scene);
    let heights: Vec<f32> = (0..FRAMES)
        .map(|_| {
            world.run(1);
            world.body(0).center.y - 0.15
        })
        .collect();
    let lowest = (0..heights.len()).find(|i| heights[*i + 1] > heights[*i]).expect("it bounces");
    let top = heights[lowest..].iter().copied().fold(0.0, f32::max);
    println!("bounced from 1 m to {top} m");
    assert!((top / 0.25 - 1.0).abs() < 0.1, "bounced to {top} m");
    world.healthy();
}

fn particle(position: Vec3) -> Particle {
    Particle { position, velocity: Vec3::ZERO, radius: RADIUS, mass: 0.5, phase: Phase::default() }
}

#[test]
fn free_particles_rest_on_the_ground_and_on_a_box() {
    let mut scene = on_ground();
    let low = scene.add_particle(particle(Vec3::new(1.0, 0.6, 0.0))).unwrap();
    scene.add_body(cube(0.15).at(Vec3::Y * 0.15)).unwrap();
    let high = scene.add_particle(particle(Vec3::new(0.0, 0.7, 0.0))).unwrap();
    let mut world = World::new(&scene);
    world.run(4 * FRAMES);
    let state = world.read().clone();
    let [low, high] = [low, high].map(|id| state.particles[id.0 as usize]);
    println!("on the ground {low}, on the box {high}");
    assert!((low.y - RADIUS).abs() < 0.1 * RADIUS, "on the ground: {low}");
    assert!((high.y - 0.3 - RADIUS).abs() < 0.2 * RADIUS, "on the box: {high}");
    world.healthy();
}

#[test]
fn a_box_rests_on_free_particles() {
    let mut scene = on_ground();
    // Held where they are: a table of particles.
    for i in 0..25 {
        let at = Vec3::new((i % 5) as f32 - 2.0, 3.0, (i / 5) as f32 - 2.0) * 0.1;
        scene.add_particle(Particle { mass: 0.0, ..particle(at) }).unwrap();
    }
    scene.add_body(cube(0.15).at(Vec3::Y * 0.7)).unwrap();
    let mut world = World::new(&scene);
    world.run(4 * FRAMES);
    let body = world.body(0);
    println!("on particles: {}, speed {}", body.center, body.velocity.length());
    assert!((body.center.y - (0.35 + 0.15)).abs() < 0.5 * RADIUS, "at {}", body.center);
    assert!(body.velocity.length() < 0.03, "moves at {}", body.velocity);
    world.healthy();
}

#[test]
fn a_free_particle_and_a_box_keep_momentum() {
    let mut scene = zero_gravity();
    scene.add_body(cube(0.15).with_mass(2.0)).unwrap();
    let ball = Particle { velocity: Vec3::X * 4.0, ..particle(Vec3::new(-0.5, 0.02, 0.0)) };
    let index = scene.add_particle(ball).unwrap().0 as usize;
    let mut world = World::new(&scene);
    world.run(FRAMES);
    let velocities = world.solver.read_particle_velocities().unwrap();
    let after = 0.5 * velocities[index][0] + 2.0 * world.body(0).velocity.x;
    println!("momentum 2 -> {after} kg m/s, box at {}", world.body(0).velocity);
    assert!(world.body(0).velocity.x > 0.1, "they did not meet");
    assert!((after - 2.0).abs() < 2e-3, "momentum {after} kg m/s");
    world.healthy();
}

#[test]
fn a_removed_body_touches_nothing() {
    let mut scene = on_ground();
    scene.add_body(cube(0.15).at(Vec3::Y * 0.15)).unwrap();
    scene.add_body(cube(0.15).at(Vec3::Y * 0.45)).unwrap();
    let mut world = World::new(&scene);
    // Long enough to fall asleep: taking the support away must wake what stood on it.
    world.run(2 * FRAMES);
    assert!((world.body(1).center.y - 0.45).abs() < 0.01);
    world.solver.remove_body(BodyId(0)).unwrap();
    world.run(2 * FRAMES);
    assert!(world.body(0).is_removed());
    let left = world.body(1).center;
    println!("after removing its support: {left}");
    assert!((left.y - 0.15).abs() < 0.01, "at {left}");
    assert!(world.solver.remove_body(BodyId(2)).unwrap_err().to_string().contains("no body 2"));
    world.healthy();
}

#[test]
fn a_drag_pulls_a_body_to_its_goal() {
    let mut scene = on_ground();
    scene.add_body(cube(0.15).at(Vec3::Y * 0.15)).unwrap();
    let mut world = World::new(&scene);
    world.run(2 * FRAMES);
    let goal = Vec3::new(0.5, 1.0, 0.0);
    let drag = Drag { body: BodyId(0), local: Vec3::Y * 0.15, goal, max_force: 2000.0 };
    world.solver.set_drag(Some(drag)).unwrap();
    world.run(4 * FRAMES);
    let held = world.body(0).point(drag.local);
    println!("dragged to {held}");
    assert!(held.distance(goal) < 0.05, "held at {held}");
    world.solver.set_drag(None).unwrap();
    world.run(3 * FRAMES);
    assert!(world.body(0).center.y < 0.25, "does not fall once let go: {}", world.body(0).center);
    world.healthy();
}

#[test]
fn numbers_that_are_not_finite_are_refused_and_change_nothing() {
    let mut scene = zero_gravity();
    scene.add_body(cube(0.15).at(Vec3::Y)).unwrap();
    let mut world = World::new(&scene);
    let (id, nan, far) = (BodyId(0), Vec3::new(0.0, f32::NAN, 0.0), Vec3::splat(f32::INFINITY));
    let solver = &mut world.solver;
    for result in [
        solver.set_body_pose(id, nan, Quat::IDENTITY, Vec3::ZERO, Vec3::ZERO),
        solver.set_body_pose(id, Vec3::Y, Quat::from_xyzw(0.0, 0.0, 0.0, 0.0), Vec3::ZERO, Vec3::ZERO),
        solver.set_body_pose(id, Vec3::Y, Quat::IDENTITY, far, Vec3::ZERO),
        solver.set_body_pose(id, Vec3::Y, Quat::IDENTITY, Vec3::ZERO, nan),
        solver.set_drag(Some(Drag { body: id, local: nan, goal: Vec3::ZERO, max_force: 1e6 })),
        solver.set_drag(Some(Drag { body: id, local: Vec3::ZERO, goal: Vec3::ZERO, max_force: f32::NAN })),
    ] {
        assert!(result.unwrap_err().to_string().contains("box"), "the body is named");
    }
    world.run(10);
    assert!(world.body(0).center.distance(Vec3::Y) < 1e-6);
    world.healthy();
}
