//! Copies of a scene in one world are worlds of their own.

use sinew::glam::{Quat, Vec3, vec3};
use sinew::gpu::Context;
use sinew::scene::{
    BodyDesc, BodyId, Collider, Deformable, Dynamics, JointDesc, JointKind, Placement, Scene, SceneError, Sensor,
    Shape, SheetGrid, SheetMaterial, Thing, Walker,
};
use sinew::solver::{Batch, BodyState, Drag, Solver, SolverError};

/// A pendulum that hangs beside a tower of two crates, which it hits.
fn one() -> Scene {
    let mut scene = Scene::default();
    for i in 0..2_u8 {
        let at = vec3(0.0, 0.15 + 0.3 * f32::from(i), 0.0);
        scene.add_body(BodyDesc::cuboid(Vec3::splat(0.15), 0.05).at(at)).unwrap();
    }
    let [a, b] = [0.9_f32, 1.3].map(|y| {
        let arm = BodyDesc::capsule(0.06, 0.14, 0.05).at(vec3(-0.6, y, 0.0));
        scene.add_body(arm).unwrap()
    });
    scene.add_joint(JointDesc::new(JointKind::Hinge, a, b, vec3(-0.6, 1.1, 0.0), Vec3::Z, 0.05)).unwrap();
    scene
}

fn shared() -> Scene {
    let mut scene = Scene::default();
    scene.add_collider(Collider::ground(0.0)).unwrap();
    scene
}

fn batch(count: u32) -> Batch {
    Batch::new(&Context::shared().expect("adapter"), &shared(), &one(), count, 4.0).unwrap()
}

fn apart(a: &[BodyState], b: &[BodyState]) -> f32 {
    a.iter().zip(b).map(|(a, b)| a.center().distance(b.center())).fold(0.0, f32::max)
}

#[test]
fn copies_do_what_one_does_alone() {
    let mut batch = batch(5);
    let mut alone = shared();
    alone.append(&one(), Placement::IDENTITY, Vec3::ZERO).unwrap();
    let mut solver = Solver::new(&Context::shared().expect("adapter"), &alone).unwrap();
    for _ in 0..40 {
        batch.step();
        solver.step();
    }
    let wanted = solver.read_bodies().unwrap();
    let copies = batch.read().unwrap();
    assert_eq!((copies.len(), copies[0].len()), (5, 4));
    for (copy, found) in copies.iter().enumerate() {
        let far = apart(found, &wanted);
        assert!(far < 0.01, "copy {copy} is {far} m from what one does alone");
    }
    assert!(batch.strayed(&copies).is_empty());
}

#[test]
fn one_copy_begins_anew_and_the_others_go_on() {
    let (mut batch, mut kept) = (batch(4), batch(4));
    let start = batch.read().unwrap();
    for frame in 0..60 {
        for batch in [&mut batch, &mut kept] {
            let hit = batch.body(2, BodyId(0)).unwrap();
            if frame == 0 {
                let at = batch.origin(2).unwrap() + vec3(0.0, 0.15, 0.0);
                batch.solver().set_body_pose(hit, at, Quat::IDENTITY, Vec3::X * 3.0, Vec3::ZERO).unwrap();
            }
            batch.step();
        }
        if frame == 29 {
            assert!(apart(&batch.read().unwrap()[2], &start[2]) > 0.2, "the push is felt");
            let before = batch.body(2, BodyId(1)).unwrap();
            batch.reset(2).unwrap();
            assert_eq!(batch.body(2, BodyId(1)).unwrap(), before, "ids stay");
            assert!(apart(&batch.read().unwrap()[2], &start[2]) < 1e-6, "as it was at first");
        }
    }
    let (found, others) = (batch.read().unwrap(), kept.read().unwrap());
    for copy in [0, 1, 3] {
        let far = apart(&found[copy], &others[copy]);
        assert!(far < 2e-3, "copy {copy} is {far} m from where it is without the reset");
    }
    let mut fresh = self::batch(4);
    (0..30).for_each(|_| fresh.step());
    let far = apart(&found[2], &fresh.read().unwrap()[2]);
    assert!(far < 0.01, "30 frames after the reset as 30 frames after the start: {far} m");
}

#[test]
fn a_copy_begins_anew_whatever_became_of_it() {
    let mut batch = batch(3);
    let start = batch.read().unwrap();
    let state = batch.solver().save().unwrap();
    batch.reset(1).unwrap();
    batch.solver().restore(&state).unwrap();
    batch.reset(1).unwrap();
    assert!(apart(&batch.read().unwrap()[1], &start[1]) < 1e-6, "after a restore");
    // Two leave, and come back in the other order.
    for copy in [0, 1] {
        let body = batch.body(copy, BodyId(0)).unwrap();
        let spawned = batch.solver().spawned_of(Thing::Body(body)).unwrap();
        batch.solver().despawn(spawned).unwrap();
    }
    batch.step();
    batch.reset(0).unwrap();
    batch.reset(1).unwrap();
    let back = batch.read().unwrap();
    for copy in [0, 1] {
        assert!(apart(&back[copy], &start[copy]) < 1e-6, "copy {copy} that had left");
    }
}

#[test]
fn sensors_and_walkers_of_a_copy_begin_anew_with_it() {
    let mut one = Scene::default();
    let hero = one.add_body(Walker::default().body(Vec3::ZERO)).unwrap();
    one.add_body(BodyDesc::sphere(0.1, 0.05).at(vec3(0.0, 0.1, 0.6))).unwrap();
    let mut batch = Batch::new(&Context::shared().expect("adapter"), &shared(), &one, 2, 6.0).unwrap();
    let heroes = [0, 1].map(|copy| batch.body(copy, hero).unwrap());
    let near = heroes.map(|hero| {
        batch.solver().add_walker(hero, Walker::default()).unwrap();
        batch.solver().walk(hero, Vec3::X).unwrap();
        batch.solver().add_sensor(Sensor::new(Shape::Sphere(1.2), Placement::IDENTITY).on(hero)).unwrap()
    });
    (0..60).for_each(|_| batch.step());
    assert!(near.iter().all(|near| batch.solver().inside(*near).unwrap().is_empty()), "both have gone away");
    batch.reset(1).unwrap();
    for _ in 0..30 {
        batch.step();
        // How it stood in its life before is not told of this one.
        let (footing, start) = (batch.solver().footing(heroes[1]).unwrap(), batch.origin(1).unwrap());
        assert!(footing.is_none_or(|footing| footing.position.distance(start) < 0.01), "{footing:?}");
    }
    let [first, second] = near.map(|near| batch.solver().inside(near).unwrap().len());
    assert_eq!((first, second), (0, 1), "who stands at the start again feels the ball");
    let at = batch.read().unwrap();
    assert!(at[1][0].center().with_y(0.0).length() < 1e-3, "it stands: {}", at[1][0].center());
    batch.solver().walk(heroes[1], Vec3::X).unwrap();
    (0..60).for_each(|_| batch.step());
    assert!(batch.read().unwrap()[1][0].center().x > 0.8, "and walks as it is told");
}

#[test]
fn who_walks_stays_upright_when_its_copy_begins_anew() {
    let mut one = Scene::default();
    let desc = Walker::default().body(Vec3::ZERO);
    let hero = one.add_body(BodyDesc { dynamics: Dynamics::default(), ..desc }).unwrap();
    let mut batch = Batch::new(&Context::shared().expect("adapter"), &shared(), &one, 2, 6.0).unwrap();
    let hero = batch.body(1, hero).unwrap();
    batch.solver().add_walker(hero, Walker::default()).unwrap();
    (0..5).for_each(|_| batch.step());
    batch.reset(1).unwrap();
    assert_eq!(batch.solver().scene().body(hero).dynamics.upright, sinew::glam::BVec3::TRUE);
    batch.solver().push(sinew::scene::Push::angular_velocity_change(hero, Vec3::X)).unwrap();
    (0..60).for_each(|_| batch.step());
    let up = batch.solver().read_placements().unwrap()[hero.0 as usize].rotation * Vec3::Y;
    assert!(up.y > 0.999, "it leans: {up}");
    batch.solver().set_dynamics(hero, Dynamics::default()).unwrap();
    assert_eq!(batch.solver().scene().body(hero).dynamics.upright, sinew::glam::BVec3::TRUE, "while it walks");
}

#[test]
fn joints_of_a_copy_owe_nothing_of_its_life_before() {
    let mut batch = batch(1);
    let arm = batch.body(0, BodyId(3)).unwrap();
    let course = |batch: &mut Batch| {
        (0..20).for_each(|_| batch.step());
        batch.read().unwrap().remove(0)
    };
    let first = course(&mut batch);
    let at = batch.origin(0).unwrap() + vec3(3.0, 3.0, 0.0);
    batch.solver().set_drag(Some(Drag { body: arm, local: Vec3::ZERO, goal: at, max_force: 1e4 })).unwrap();
    (0..5).for_each(|_| batch.step());
    batch.reset(0).unwrap();
    let again = course(&mut batch);
    println!("{} m from its first course", apart(&again, &first));
    assert!(apart(&again, &first) < 1e-3, "{} m from its first course", apart(&again, &first));
}

#[test]
fn copies_without_bodies_have_none() {
    let mut one = Scene::default();
    let grid = SheetGrid::square(4, 0.5);
    let cloth =
        Deformable::sheet("cloth", grid.positions(), &grid.triangles(), 0.02, &SheetMaterial::default()).unwrap();
    one.add_deformable(&cloth, Vec3::Y, Quat::IDENTITY, Vec3::ZERO).unwrap();
    let mut batch = Batch::new(&Context::shared().expect("adapter"), &shared(), &one, 3, 4.0).unwrap();
    batch.request().unwrap();
    let answer = (0..8).find_map(|_| {
        batch.step();
        batch.take()
    });
    assert_eq!(answer.expect("an answer some frames later").copies, vec![Vec::new(); 3]);
}

#[test]
fn answers_come_late_and_by_copy() {
    let mut batch = batch(3);
    batch.step();
    batch.request().unwrap();
    let wanted = batch.read().unwrap();
    let mut answer = None;
    for _ in 0..8 {
        batch.step();
        answer = answer.or_else(|| batch.take());
    }
    let answer = answer.expect("an answer some frames later");
    assert_eq!(answer.copies, wanted);
}

#[test]
fn what_strays_is_told_and_what_does_not_fit_refused() {
    let mut batch = batch(2);
    let crate_id = batch.body(1, BodyId(0)).unwrap();
    let out = batch.origin(1).unwrap() + vec3(2.5, 0.15, 0.0);
    batch.solver().set_body_pose(crate_id, out, Quat::IDENTITY, Vec3::ZERO, Vec3::ZERO).unwrap();
    let copies = batch.read().unwrap();
    assert_eq!(batch.strayed(&copies), [1]);
    assert!(matches!(batch.reset(2), Err(SolverError::Missing { what: "copy", index: 2, count: 2 })));
    assert!(matches!(batch.body(0, BodyId(4)), Err(SolverError::Missing { what: "body", index: 4, count: 4 })));
    let context = Context::shared().expect("adapter");
    for spacing in [1.0, f32::NAN, 1e9] {
        let error = Batch::new(&context, &shared(), &one(), 2, spacing).unwrap_err();
        assert!(matches!(error, SolverError::Scene(SceneError::Number { field: "spacing", .. })), "{error}");
    }
    let error = Batch::new(&context, &shared(), &shared(), 2, 4.0).unwrap_err();
    assert!(error.to_string().contains("a plane"), "{error}");
}
