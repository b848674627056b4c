//! Pushes from the host do what mechanics says, on every material, and wake what they touch.

use glam::{Mat3, Quat, Vec3, vec3};
use sinew::gpu::Context;
use sinew::scene::{
    Blast, BodyDesc, BodyGoal, BodyId, Collider, Deformable, DeformableId, Explosion, Falloff, Grains, HoldStrength,
    JointDesc, JointKind, Kinds, Liquid, LiquidId, Particle, ParticleId, Phase, Placement, Push, Scene, SceneError,
    Thing,
};
use sinew::solver::{BodyState, Solver, SolverError};

const RADIUS: f32 = 0.05;

/// Nothing but what is pushed.
fn space() -> Scene {
    let mut scene = Scene::default();
    scene.params.gravity = Vec3::ZERO;
    (scene.params.linear_damping, scene.params.angular_damping) = (0.0, 0.0);
    scene.params.substeps = 4;
    scene
}

fn ground() -> Scene {
    let mut scene = Scene::default();
    scene.params.substeps = 4;
    scene.add_collider(Collider::ground(0.0)).unwrap();
    scene
}

fn solver(scene: &Scene) -> Solver {
    Solver::new(&Context::shared().expect("adapter"), scene).unwrap()
}

fn run(solver: &mut Solver, frames: usize) {
    (0..frames).for_each(|_| solver.step());
}

fn body(solver: &Solver, id: BodyId) -> BodyState {
    solver.read_bodies().unwrap()[id.0 as usize]
}

fn velocities(solver: &Solver) -> Vec<Vec3> {
    assert!(solver.read_health().unwrap().is_good());
    solver.read_particle_velocities().unwrap().iter().map(|v| vec3(v[0], v[1], v[2])).collect()
}

fn asleep(solver: &Solver) -> Vec<bool> {
    solver.read_bodies().unwrap().iter().map(|b| b.inv_mass == 0.0).collect()
}

/// Momentum [N s] and angular momentum [N m s] of a body.
fn momenta(scene: &Scene, solver: &Solver, id: BodyId) -> (Vec3, Vec3) {
    let (state, desc) = (body(solver, id), scene.body(id));
    let turned = Mat3::from_quat(Quat::from_array(state.rotation));
    let inertia = turned * desc.inertia * turned.transpose();
    (desc.mass * Vec3::from(state.velocity), inertia * Vec3::from(state.angular_velocity))
}

#[track_caller]
fn near(found: Vec3, wanted: Vec3, relative: f32) {
    let error = found.distance(wanted);
    assert!(error <= relative * wanted.length().max(1e-3), "{found} instead of {wanted}");
}

fn brick() -> BodyDesc {
    BodyDesc::cuboid(vec3(0.2, 0.1, 0.15), RADIUS).with_mass(3.0).rotated(Quat::from_rotation_z(0.4))
}

/// A net of particles that nothing joins, of 0.1 kg each.
fn dust(scene: &mut Scene, places: &[Vec3]) -> DeformableId {
    let dust = Deformable::new("dust", places.to_vec(), 0.1 * places.len() as f32, 0.01);
    scene.add_deformable(&dust, Vec3::ZERO, Quat::IDENTITY, Vec3::ZERO).unwrap()
}

#[test]
fn an_impulse_off_the_center_moves_and_turns_a_body() {
    for count in [1_u16, 63, 64, 65, 130] {
        let mut scene = space();
        let id = scene.add_body(brick().at(vec3(1.0, 2.0, -1.0))).unwrap();
        let other = scene.add_body(brick().at(vec3(5.0, 2.0, -1.0))).unwrap();
        let mut solver = solver(&scene);
        let (impulse, arm) = (vec3(1.5, -0.6, 0.9), vec3(0.1, 0.05, -0.12));
        let at = scene.body(id).position + arm;
        let pushes: Vec<Push> = (0..count).map(|_| Push::impulse(id, impulse / f32::from(count)).at(at)).collect();
        solver.push_all(&pushes).unwrap();
        solver.step();
        let (linear, angular) = momenta(&scene, &solver, id);
        near(linear, impulse, 1e-4);
        near(angular, arm.cross(impulse), 1e-3);
        assert_eq!(momenta(&scene, &solver, other), (Vec3::ZERO, Vec3::ZERO));
        // It acts once.
        run(&mut solver, 3);
        near(momenta(&scene, &solver, id).0, impulse, 1e-4);
    }
}

#[test]
fn an_empty_list_changes_nothing() {
    let mut scene = space();
    scene.add_body(brick()).unwrap();
    let [mut pushed, mut left] = [solver(&scene), solver(&scene)];
    let dispatches = left.counts().dispatches_per_frame;
    pushed.push_all(&[]).unwrap();
    run(&mut pushed, 3);
    run(&mut left, 3);
    assert_eq!(pushed.read_bodies().unwrap(), left.read_bodies().unwrap());
    assert_eq!(pushed.counts().dispatches_per_frame, dispatches);
}

#[test]
fn a_force_acts_as_long_as_told() {
    let mut scene = space();
    let ids: Vec<BodyId> =
        (0..4_u16).map(|i| scene.add_body(brick().at(Vec3::X * 2.0 * f32::from(i))).unwrap()).collect();
    let mut solver = solver(&scene);
    let (force, dt) = (vec3(0.0, 6.0, 3.0), scene.params.dt);
    solver.push(Push::force(ids[0], force)).unwrap();
    solver.push(Push::force(ids[1], force).lasting(0.11)).unwrap();
    solver.push(Push::torque(ids[2], vec3(0.0, 0.2, 0.0)).lasting(0.1)).unwrap();
    // Its own point and direction turn with it: it goes round.
    solver.push(Push::force(ids[3], Vec3::X).at_local(Vec3::Y * 0.1).lasting(0.1)).unwrap();
    solver.step();
    near(momenta(&scene, &solver, ids[0]).0, force * dt, 1e-4);
    run(&mut solver, 11);
    near(momenta(&scene, &solver, ids[0]).0, force * dt, 1e-4);
    near(momenta(&scene, &solver, ids[1]).0, force * 0.11, 1e-3);
    near(momenta(&scene, &solver, ids[2]).1, vec3(0.0, 0.02, 0.0), 1e-3);
    near(momenta(&scene, &solver, ids[3]).1, vec3(0.0, 0.0, -0.01), 1e-3);
}

#[test]
fn a_force_like_its_weight_holds_a_body_up() {
    let mut scene = space();
    scene.params.gravity = Vec3::Y * -10.0;
    let id = scene.add_body(brick().at(Vec3::Y)).unwrap();
    let mut solver = solver(&scene);
    solver.push(Push::force(id, Vec3::Y * 30.0).lasting(0.5)).unwrap();
    run(&mut solver, 30);
    let height = body(&solver, id).center[1];
    assert!((height - 1.0).abs() < 1e-4, "{height} m");
    run(&mut solver, 30);
    assert!(body(&solver, id).center[1] < 0.0);
}

#[test]
fn velocities_are_set_and_changed_in_the_order_given() {
    let mut scene = space();
    let id = scene.add_body(brick()).unwrap();
    let mut solver = solver(&scene);
    solver.push(Push::velocity_change(id, Vec3::X * 9.0)).unwrap();
    solver
        .push_all(&[
            Push::velocity(id, Vec3::Y),
            Push::velocity_change(id, Vec3::Z),
            Push::impulse(id, Vec3::X * 3.0),
            Push::angular_velocity(id, Vec3::X),
            Push::angular_velocity_change(id, Vec3::X * 2.0),
        ])
        .unwrap();
    let before = momenta(&scene, &solver, id).1;
    solver.step();
    near(body(&solver, id).velocity.into(), Vec3::ONE, 1e-4);
    let turned = Mat3::from_quat(scene.body(id).rotation);
    let angular = momenta(&scene, &solver, id).1 - before;
    near(angular, turned * scene.body(id).inertia * turned.transpose() * (Vec3::X * 3.0), 1e-3);
    solver.push(Push::angular_impulse(id, -angular)).unwrap();
    solver.step();
    assert!(momenta(&scene, &solver, id).1.length() < 1e-4);
}

#[test]
fn a_pushed_sleeper_wakes_with_what_leans_on_it() {
    let mut scene = ground();
    let cube = |at: Vec3| BodyDesc::cuboid(Vec3::splat(0.15), RADIUS).at(at);
    let ids: Vec<BodyId> =
        (0..4_u16).map(|i| scene.add_body(cube(Vec3::Y * (0.15 + 0.3 * f32::from(i)))).unwrap()).collect();
    let far = scene.add_body(cube(vec3(-4.0, 0.15, 0.0))).unwrap();
    let mut solver = solver(&scene);
    run(&mut solver, 90);
    assert_eq!(asleep(&solver), [true; 5]);
    let mass = scene.body(ids[0]).mass;
    solver.push(Push::impulse(ids[0], Vec3::X * 12.0 * mass)).unwrap();
    solver.step();
    assert!(!asleep(&solver)[0] && !asleep(&solver)[1] && asleep(&solver)[4]);
    run(&mut solver, 30);
    let heights: Vec<f32> = ids.iter().map(|id| body(&solver, *id).center[1]).collect();
    assert!(heights[1] < 0.3 && heights[2] < 0.65 && heights[3] < 0.95, "they hang {heights:?} m high");
    assert!(asleep(&solver)[far.0 as usize], "what is far away sleeps on");
}

#[test]
fn all_of_a_sleeping_chain_takes_a_push_on_one_limb() {
    let mut scene = ground();
    let mut ids: Vec<BodyId> = Vec::new();
    for i in 0..5_u16 {
        let x = 0.42 * f32::from(i);
        let id = scene.add_body(BodyDesc::cuboid(vec3(0.2, 0.1, 0.1), RADIUS).at(vec3(x, 0.1, 0.0))).unwrap();
        if let Some(before) = ids.last() {
            let pivot = vec3(x - 0.21, 0.1, 0.0);
            scene.add_joint(JointDesc::new(JointKind::Ball, *before, id, pivot, Vec3::X, RADIUS)).unwrap();
        }
        ids.push(id);
    }
    let mut solver = solver(&scene);
    run(&mut solver, 90);
    assert_eq!(asleep(&solver), [true; 5]);
    // Only the last limb is in the ball.
    solver
        .explode(Explosion { falloff: Falloff::Constant, ..Explosion::new(vec3(1.9, -0.2, 0.0), 0.5, 12.0) })
        .unwrap();
    solver.step();
    assert_eq!(asleep(&solver), [false; 5]);
    let highest = (0..30)
        .map(|_| {
            solver.step();
            body(&solver, ids[4]).center[1]
        })
        .fold(0.0, f32::max);
    assert!(highest > 0.5, "it rises to {highest} m");
}

#[test]
fn an_explosion_pushes_every_material_by_how_near_it_is() {
    let mut scene = space();
    let places = [vec3(0.5, 0.0, 0.0), vec3(0.0, 1.0, 0.0), vec3(0.0, 0.0, -1.5), vec3(-3.0, 0.0, 0.0)];
    let cloth = dust(&mut scene, &places);
    let water = scene.add_liquid(Liquid::water(0.05)).unwrap();
    let aside = places.map(|at| at + vec3(0.0, 0.3, 0.4));
    scene.pour(water, &aside, Vec3::ZERO).unwrap();
    let sand = scene.add_grains(Grains::sand(0.03)).unwrap();
    let below = places.map(|at| at - vec3(0.2, 0.4, 0.1));
    scene.heap(sand, &below, Vec3::ZERO).unwrap();
    let single = Particle {
        position: vec3(0.3, -1.2, 0.2),
        velocity: Vec3::ZERO,
        radius: 0.02,
        mass: 1.0,
        phase: Phase::default(),
    };
    scene.add_particle(single).unwrap();
    let ball = scene.add_body(BodyDesc::sphere(0.1, 0.05).with_mass(2.0).at(vec3(0.7, 0.0, 1.1))).unwrap();
    let explosion = Explosion::new(Vec3::ZERO, 2.0, 5.0);
    let all: Vec<Vec3> = scene.particles.iter().map(|p| p.position).collect();
    let wanted = |at: Vec3| at.normalize() * 5.0 * (1.0 - at.length() / 2.0).max(0.0);
    let of_body = scene.body(ball).first_particle as usize..;
    for kinds in [Kinds::ALL, Kinds::LIQUIDS | Kinds::BODIES, Kinds::DEFORMABLES, Kinds::GRAINS] {
        let mut solver = solver(&scene);
        solver.explode(Explosion { acts_on: kinds, ..explosion }).unwrap();
        solver.step();
        let found = velocities(&solver);
        let first = scene.deformables[cloth.0 as usize].first_particle.0 as usize;
        for (range, kind) in
            [(first..4, Kinds::DEFORMABLES), (4..8, Kinds::LIQUIDS), (8..12, Kinds::GRAINS), (12..13, Kinds::GRAINS)]
        {
            for i in range {
                let wanted = if kinds.contains(kind) { wanted(all[i]) } else { Vec3::ZERO };
                near(found[i], wanted, 1e-3);
            }
        }
        let shares = scene.body(ball).links.len() as f32;
        let mean: Vec3 = all[of_body.clone()].iter().map(|at| wanted(*at) / shares).sum();
        let wanted = if kinds.contains(Kinds::BODIES) { mean } else { Vec3::ZERO };
        near(body(&solver, ball).velocity.into(), wanted, 1e-3);
    }
}

#[test]
fn an_explosion_of_an_impulse_throws_light_bodies_farther() {
    let mut scene = space();
    let sphere = |mass: f32, at: Vec3| BodyDesc::sphere(0.02, 0.02).with_mass(mass).at(at);
    let ids = [(1.0, Vec3::X), (4.0, Vec3::NEG_X), (2.0, Vec3::Z * 3.0)]
        .map(|(mass, at)| scene.add_body(sphere(mass, at)).unwrap());
    let places = [Vec3::Y, Vec3::NEG_Y, Vec3::Y * 5.0];
    dust(&mut scene, &places);
    let mut solver = solver(&scene);
    let explosion = Explosion {
        strength: Blast::Impulse(6.0),
        falloff: Falloff::Quadratic,
        ..Explosion::new(Vec3::ZERO, 2.0, 0.0)
    };
    solver.explode(explosion).unwrap();
    solver.step();
    // A quarter is left halfway; the two grains of dust inside share it.
    near(body(&solver, ids[0]).velocity.into(), Vec3::X * 1.5, 0.02);
    near(body(&solver, ids[1]).velocity.into(), Vec3::NEG_X * 0.375, 0.02);
    assert_eq!(body(&solver, ids[2]).velocity, [0.0; 3]);
    let found = velocities(&solver);
    let dust = scene.deformables[0].first_particle.0 as usize;
    near(found[dust], Vec3::Y * 7.5, 1e-3);
    near(found[dust + 1], Vec3::NEG_Y * 7.5, 1e-3);
    assert_eq!(found[dust + 2], Vec3::ZERO);
}

#[test]
fn lift_throws_what_lies_beside_an_explosion_up() {
    let mut scene = space();
    dust(&mut scene, &[Vec3::X]);
    let mut solver = solver(&scene);
    let explosion =
        Explosion { lift: 1.0, falloff: Falloff::Constant, ..Explosion::new(Vec3::ZERO, 2.0, 2.0_f32.sqrt()) };
    solver.explode(explosion).unwrap();
    solver.step();
    near(velocities(&solver)[0], Vec3::X + Vec3::Y, 1e-3);
}

#[test]
fn particles_share_an_impulse() {
    let mut scene = space();
    let places: Vec<Vec3> = (0..100_u16).map(|i| Vec3::X * 0.1 * f32::from(i)).collect();
    let object = dust(&mut scene, &places);
    let water = scene.add_liquid(Liquid::water(0.05)).unwrap();
    for x in [0.0, 1.0, 2.0] {
        scene.pour(water, &[vec3(x, 3.0, 0.0), vec3(x, 4.0, 0.0)], Vec3::ZERO).unwrap();
    }
    let (dust_mass, drop) = (0.1, scene.liquids[0].particle_mass());
    let mut solver = solver(&scene);
    let impulse = vec3(0.0, 2.0, 1.0);
    solver.push(Push::impulse(object, impulse)).unwrap();
    solver.push(Push::velocity(object, Vec3::Z * 4.0).within(Vec3::X * 9.0, 0.25)).unwrap();
    solver.push(Push::impulse(water, Vec3::X * drop).within(vec3(1.0, 4.0, 0.0), 1.2)).unwrap();
    solver.push(Push::impulse(ParticleId(7), Vec3::X * dust_mass)).unwrap();
    solver.step();
    let found = velocities(&solver);
    near(found[0], impulse / (100.0 * dust_mass), 1e-3);
    near(found[7], impulse / (100.0 * dust_mass) + Vec3::X, 1e-3);
    let set = (0..100).filter(|i| found[*i].distance(Vec3::Z * 4.0) < 1e-3).count();
    assert_eq!(set, 5);
    // Of the drops three are in the upper row and one below the middle one.
    let mass_pushed: f32 = found[100..].iter().map(|v| v.x).sum();
    assert!((mass_pushed - 1.0).abs() < 1e-3 && (found[103].x - 0.25).abs() < 1e-3, "{:?}", &found[100..]);
}

#[test]
fn a_push_on_a_thing_leaves_bodies_alone() {
    let mut scene = space();
    let places: Vec<Vec3> = (0..10_u16).map(|i| vec3(f32::from(i), 5.0, 0.0)).collect();
    let object = dust(&mut scene, &places);
    // It reaches more than a metre from the origin, and into the region that is pushed.
    let slab = scene.add_body(BodyDesc::cuboid(vec3(1.5, 0.2, 0.2), 0.1)).unwrap();
    let near_it = scene.add_body(brick().at(vec3(3.0, 5.5, 0.0))).unwrap();
    let mut solver = solver(&scene);
    solver.push(Push::impulse(object, Vec3::X)).unwrap();
    solver.push(Push::impulse(object, Vec3::Y * 2.0).within(vec3(3.0, 5.0, 0.0), 0.5)).unwrap();
    solver.step();
    for id in [slab, near_it] {
        let state = body(&solver, id);
        assert_eq!((state.velocity, state.angular_velocity), ([0.0; 3], [0.0; 3]), "body {}", id.0);
    }
    near(velocities(&solver)[3], Vec3::X + Vec3::Y * 20.0, 1e-3);
}

#[test]
fn a_sleeping_heap_wakes_where_it_is_pushed() {
    let mut scene = ground();
    let sand = scene.add_grains(Grains::sand(0.03)).unwrap();
    let places: Vec<Vec3> = (0..8_u16).map(|i| vec3(f32::from(i), 0.03, 0.0)).collect();
    scene.heap(sand, &places, Vec3::ZERO).unwrap();
    let mut solver = solver(&scene);
    run(&mut solver, 90);
    let still = |solver: &Solver| -> Vec<bool> {
        solver.read_particle_velocities().unwrap().iter().map(|v| v[3] == 0.0).collect()
    };
    assert_eq!(still(&solver), [true; 8]);
    solver.explode(Explosion::new(vec3(3.0, -0.5, 0.0), 1.0, 8.0)).unwrap();
    solver.push(Push::velocity(sand, Vec3::Y * 3.0).within(vec3(6.0, 0.0, 0.0), 0.3)).unwrap();
    run(&mut solver, 3);
    let heights: Vec<f32> = solver.read_particles().unwrap().iter().map(|x| x[1]).collect();
    assert!(heights[3] > 0.1 && heights[6] > 0.1, "{heights:?}");
    assert!([0, 1, 5, 7].into_iter().all(|i| still(&solver)[i]));
}

#[test]
fn a_held_body_bears_what_its_hold_does() {
    let mut scene = space();
    let ids = [0.0, 3.0, 6.0].map(|x| scene.add_body(brick().at(Vec3::X * x)).unwrap());
    let mut solver = solver(&scene);
    let goals = ids.map(|body| {
        let at = scene.body(body);
        let here = Placement { position: at.position, rotation: at.rotation };
        BodyGoal { body, from: here, to: here }
    });
    solver.set_hold_strengths(&[ids[0], ids[1]].map(|body| HoldStrength { body, impulse: 5.0 })).unwrap();
    solver.pose_bodies(&goals).unwrap();
    solver.step();
    for (id, impulse) in [(ids[0], 4.0), (ids[1], 6.0), (ids[2], 50.0)] {
        solver.push(Push::impulse(id, Vec3::Y * impulse)).unwrap();
    }
    run(&mut solver, 6);
    let speeds = ids.map(|id| body(&solver, id).velocity[1]);
    assert_eq!([speeds[0], speeds[2]], [0.0; 2]);
    assert!((speeds[1] - 2.0).abs() < 1e-3, "{speeds:?}");
    assert_eq!(solver.take_struck(), [ids[1]]);
    // One in a ball as well.
    solver.explode(Explosion::new(vec3(0.0, -1.0, 0.0), 3.0, 9.0)).unwrap();
    run(&mut solver, 6);
    assert_eq!(solver.take_struck(), [ids[0]]);
    assert!(body(&solver, ids[0]).velocity[1] > 3.0);
}

#[test]
fn pushes_survive_new_bodies_and_removed_ones() {
    let mut scene = space();
    let gone = scene.add_body(brick()).unwrap();
    let id = scene.add_body(brick().at(Vec3::X * 3.0)).unwrap();
    let mut solver = solver(&scene);
    solver.push_all(&[Push::impulse(gone, Vec3::X * 3.0), Push::impulse(id, Vec3::X * 3.0)]).unwrap();
    let new = scene.add_body(brick().at(Vec3::X * 6.0)).unwrap();
    solver.spawn(&scene).unwrap();
    solver.remove_body(gone).unwrap();
    solver.push(Push::impulse(new, Vec3::Y * 3.0)).unwrap();
    solver.step();
    near(body(&solver, id).velocity.into(), Vec3::X, 1e-4);
    near(body(&solver, new).velocity.into(), Vec3::Y, 1e-4);
    assert_eq!(solver.push(Push::impulse(gone, Vec3::X)), Err(SolverError::Removed(gone)));
    assert!(solver.read_health().unwrap().is_good());
}

#[test]
fn what_cannot_be_pushed_is_told() {
    let mut scene = space();
    let fixed = scene.add_body(BodyDesc { kinematic: true, ..brick() }).unwrap();
    let id = scene.add_body(brick().at(Vec3::X * 2.0)).unwrap();
    let object = dust(&mut scene, &[Vec3::Y * 3.0, Vec3::Y * 4.0]);
    let nail =
        Particle { position: Vec3::Z * 3.0, velocity: Vec3::ZERO, radius: 0.02, mass: 0.0, phase: Phase::default() };
    let pinned = scene.add_particle(nail).unwrap();
    let floor = scene.add_collider(Collider::ground(-5.0)).unwrap();
    let mut solver = solver(&scene);
    let limb = ParticleId(scene.body(id).first_particle);
    for (push, words) in [
        (Push::impulse(fixed, Vec3::X), "set_body_pose"),
        (Push::impulse(Thing::Collider(floor), Vec3::X), "set_collider_pose"),
        (Push::impulse(pinned, Vec3::X), "pinned"),
        (Push::impulse(limb, Vec3::X), "belongs to a body"),
        (Push::torque(object, Vec3::X), "only bodies are turned"),
        (Push::impulse(object, Vec3::X).at(Vec3::ZERO), "at a point"),
        (Push::impulse(id, Vec3::X).within(Vec3::ZERO, 1.0), "as a whole"),
        (Push::velocity(id, Vec3::X).at(Vec3::ZERO), "has a point"),
        (Push::impulse(id, Vec3::X).lasting(1.0), "lasts"),
    ] {
        let error = solver.push(push).unwrap_err();
        assert!(matches!(error, SolverError::Push { .. }) && error.to_string().contains(words), "{error}");
    }
    for push in [
        Push::impulse(BodyId(9), Vec3::X),
        Push::impulse(DeformableId(1), Vec3::X),
        Push::impulse(LiquidId(0), Vec3::X),
        Push::impulse(ParticleId(1000), Vec3::X),
    ] {
        assert!(matches!(solver.push(push), Err(SolverError::Missing { .. })));
    }
    for push in [
        Push::impulse(id, vec3(0.0, f32::NAN, 0.0)),
        Push::impulse(id, vec3(0.0, 1e30, 0.0)),
        Push::impulse(id, Vec3::X).at(Vec3::INFINITY),
        Push::impulse(object, Vec3::X).within(Vec3::ZERO, -1.0),
        Push::force(id, Vec3::X).lasting(0.0),
        Push::force(id, Vec3::X).lasting(f32::NAN),
    ] {
        assert!(matches!(solver.push(push), Err(SolverError::Scene(SceneError::Number { .. }))));
    }
    let blast = Explosion::new(Vec3::ZERO, 1.0, 1.0);
    for explosion in [
        Explosion { radius: 0.0, ..blast },
        Explosion { radius: f32::NAN, ..blast },
        Explosion { center: Vec3::NAN, ..blast },
        Explosion { strength: Blast::Impulse(f32::INFINITY), ..blast },
        Explosion { lift: -1.0, ..blast },
    ] {
        assert!(matches!(solver.explode(explosion), Err(SolverError::Scene(SceneError::Number { .. }))));
    }
    // One that is wrong: none acts.
    assert!(solver.push_all(&[Push::impulse(id, Vec3::X), Push::impulse(fixed, Vec3::X)]).is_err());
    solver.step();
    assert_eq!(body(&solver, id).velocity, [0.0; 3]);
}

#[test]
fn the_same_pushes_give_the_same_bits() {
    let run_once = || {
        let mut scene = ground();
        let sand = scene.add_grains(Grains::sand(0.03)).unwrap();
        let places: Vec<Vec3> =
            (0..64_u16).map(|i| vec3(0.07 * f32::from(i % 8), 0.03, 0.07 * f32::from(i / 8))).collect();
        scene.heap(sand, &places, Vec3::ZERO).unwrap();
        let id = scene.add_body(brick().at(vec3(0.3, 0.6, 0.3))).unwrap();
        let mut solver = solver(&scene);
        run(&mut solver, 10);
        solver.push(Push::impulse(sand, Vec3::Y).within(vec3(0.2, 0.0, 0.2), 0.3)).unwrap();
        solver
            .explode(Explosion { strength: Blast::Impulse(4.0), ..Explosion::new(vec3(0.3, -0.1, 0.3), 1.0, 0.0) })
            .unwrap();
        solver.push(Push::force(id, Vec3::X).lasting(0.1)).unwrap();
        run(&mut solver, 10);
        (solver.read_bodies().unwrap(), solver.read_particles().unwrap())
    };
    assert_eq!(run_once(), run_once());
}
