//! What edits write on the GPU, where nothing else tells it.

use glam::{Quat, Vec3, vec3};

use crate::gpu::wgsl::common::body::BODY_KINEMATIC;
use crate::gpu::wgsl::common::friction::FRICTION;
use crate::scene::{
    BodyDesc, BodyGoal, Cues, Deformable, DeformableId, HoldStrength, Placement, SheetGrid, SheetMaterial, Surface,
    Thing,
};
use crate::solver::stages::rows::{BodyProperties, ParticleRow};
use crate::solver::*;

/// A box of 20 kg that is held until something strikes it, and a ball of 7 kg that comes at it with 14 m/s.
fn held_box() -> (Solver, BodyId) {
    let mut scene = Scene::default();
    scene.params.gravity = Vec3::ZERO;
    let held = scene.add_body(BodyDesc::cuboid(Vec3::splat(0.15), 0.05).with_mass(20.0)).unwrap();
    let ball = BodyDesc::sphere(0.12, 0.04).with_mass(7.0).at(vec3(-1.2, 0.0, 0.0));
    scene.add_body(BodyDesc { velocity: Vec3::X * 14.0, ..ball }).unwrap();
    let mut solver = Solver::new(&Context::shared().expect("adapter"), &scene).unwrap();
    let at = Placement::IDENTITY;
    let cues = Cues {
        goals: vec![BodyGoal { body: held, from: at, to: at }],
        strengths: vec![HoldStrength { body: held, impulse: 5.0 }],
        ..Cues::default()
    };
    solver.follow(&cues).unwrap();
    solver.step();
    (solver, held)
}

fn row(solver: &Solver, body: BodyId) -> BodyProperties {
    solver.buffers.read("body_properties").unwrap()[body.0 as usize]
}

/// Goes on to the end of the frame in which the box is struck, of which the host has not heard.
fn until_struck(solver: &mut Solver, held: BodyId) {
    let struck = (0..20).any(|_| {
        solver.step();
        row(solver, held).flags & BODY_KINEMATIC == 0
    });
    assert!(struck && solver.targets.contains(held.0 as usize));
}

#[test]
fn what_is_struck_out_of_its_hold_is_as_it_was_edited() {
    let (mut solver, held) = held_box();
    solver.set_mass(held, 5.0).unwrap();
    until_struck(&mut solver, held);
    assert_eq!(row(&solver, held).inv_mass, 0.2);
}

#[test]
fn what_was_struck_out_of_its_hold_is_not_held_again_by_an_edit() {
    let (mut solver, held) = held_box();
    until_struck(&mut solver, held);
    solver.set_mass(held, 10.0).unwrap();
    assert_eq!(row(&solver, held).inv_mass, 0.1);
    let before = solver.read_bodies().unwrap()[held.0 as usize].center[0];
    (0..10).for_each(|_| solver.step());
    assert!(solver.read_bodies().unwrap()[held.0 as usize].center[0] > before + 0.1);
}

#[test]
fn who_cannot_wait_lets_go_of_what_is_held_as_far_as_is_known() {
    let (mut solver, held) = held_box();
    until_struck(&mut solver, held);
    (0..4).for_each(|_| solver.step());
    assert_eq!(solver.take_struck(), [held], "it is heard of");
    let (mut solver, held) = held_box();
    solver.release(&[held]);
    assert_eq!(row(&solver, held).flags & BODY_KINEMATIC, 0);
    assert!(!solver.targets.contains(held.0 as usize));
}

#[test]
fn an_answer_that_speaks_of_an_earlier_hold_ends_no_later_one() {
    let (mut solver, held) = held_box();
    until_struck(&mut solver, held);
    solver.strikes = Some(solver.ask_for_strikes(1).unwrap());
    solver.release(&[held]);
    let at = Placement { position: Vec3::Y, ..Placement::IDENTITY };
    solver.pose_bodies(&[BodyGoal { body: held, from: at, to: at }]).unwrap();
    (0..4).for_each(|_| solver.step());
    assert_eq!(solver.take_struck(), []);
    assert!(solver.targets.contains(held.0 as usize) && row(&solver, held).flags & BODY_KINEMATIC != 0);
}

#[test]
fn a_copy_enters_with_its_own_friction_after_a_state_took_back_another() {
    let grid = SheetGrid::square(4, 0.3);
    let sheet = Deformable::sheet("sheet", grid.positions(), &grid.triangles(), 0.02, &SheetMaterial::default());
    let mut cloth = Scene::default();
    cloth.add_deformable(&sheet.unwrap(), Vec3::ZERO, Quat::IDENTITY, Vec3::ZERO).unwrap();
    let mut scene = Scene::default();
    let pool = scene.add_pool(&cloth, 1).unwrap();
    let mut solver = Solver::new(&Context::shared().expect("adapter"), &scene).unwrap();
    let at = Placement { position: Vec3::Y, ..Placement::IDENTITY };
    let spawned = solver.spawn_from(pool, at, Vec3::ZERO).unwrap();
    let part = solver.part(spawned).unwrap().clone();
    let state = solver.save().unwrap();
    let own = Thing::Deformable(DeformableId(part.deformables.start));
    solver.set_surface(own, Surface { friction: 0.9, restitution: 0.0 }).unwrap();
    solver.restore(&state).unwrap();
    solver.despawn(spawned).unwrap();
    solver.spawn_from(pool, at, Vec3::ZERO).unwrap();
    let rows: Vec<ParticleRow> = solver.buffers.read("particle_rows").unwrap();
    assert_eq!(rows[part.particles.start as usize].friction, FRICTION);
}
