//! Several solids as one.

use glam::{DVec3, Quat, Vec3, vec3};
use sinew::gpu::Context;
use sinew::scene::{BodyDesc, BodyId, Collider, Piece, Scene, Shape, Thing};
use sinew::solver::{Query, Solver};

use super::asked::agrees;
use super::held::holds_everything;

#[test]
fn queries_meet_the_nearest_piece() {
    let turn = Quat::from_rotation_z(std::f32::consts::FRAC_PI_2);
    let shape = Shape::Compound(vec![
        Piece::new(Shape::Sphere(0.15), vec3(0.3, 0.0, 0.0)),
        Piece::new(Shape::Cuboid(vec3(0.1, 0.2, 0.1)), vec3(-0.3, 0.1, 0.0)).rotated(turn),
        Piece::new(Shape::Capsule { radius: 0.05, half_length: 0.3 }, Vec3::ZERO).rotated(turn),
    ]);
    let distance = |p: DVec3| {
        let d = (p - DVec3::new(-0.3, 0.1, 0.0)).abs() - DVec3::new(0.2, 0.1, 0.1);
        let cuboid = d.max(DVec3::ZERO).length() + d.max_element().min(0.0);
        let rod = p.distance(DVec3::X * p.x.clamp(-0.3, 0.3)) - 0.05;
        (p.distance(DVec3::X * 0.3) - 0.15).min(cuboid).min(rod)
    };
    agrees("compound", &shape, 0.45, 1e-4, 1500, &distance);
}

/// A table: a board on two blocks, with a rim of rods.
fn table() -> Shape {
    let mut pieces = vec![Piece::new(Shape::Cuboid(vec3(0.9, 0.05, 0.9)), -0.05 * Vec3::Y)];
    for side in [-0.6, 0.6] {
        pieces.push(Piece::new(Shape::Cylinder { radius: 0.2, half_length: 0.3 }, vec3(side, -0.4, 0.0)));
        let rod = Shape::Capsule { radius: 0.05, half_length: 0.85 };
        pieces.push(Piece::new(rod, vec3(1.4 * side, 0.05, 0.0)).rotated(Quat::from_rotation_x(1.570_796_4)));
    }
    Shape::Compound(pieces)
}

#[test]
fn a_compound_holds_everything() {
    holds_everything("compound", Collider::new(table(), Vec3::ZERO), 0.0, 0.45);
}

/// A hammer: a head of 8 kg across the end of a handle of 1 kg.
fn hammer() -> BodyDesc {
    let head = BodyDesc::cuboid(vec3(0.15, 0.06, 0.06), 0.03).with_mass(8.0).at(vec3(0.0, 0.3, 0.0));
    BodyDesc::compound(&[head, BodyDesc::capsule(0.03, 0.25, 0.03).with_mass(1.0)]).unwrap()
}

#[test]
fn a_thrown_hammer_turns_about_its_center_of_mass_and_lies_flat() {
    let mut scene = Scene::default();
    let desc = hammer();
    assert!((desc.position.y - 0.3 * 8.0 / 9.0).abs() < 1e-6);
    let thrown = BodyDesc { velocity: vec3(1.0, 4.0, 0.0), angular_velocity: 5.0 * Vec3::Z, ..desc.clone() };
    scene.add_body(thrown.at(Vec3::Y)).unwrap();
    let mut solver = Solver::new(&Context::shared().expect("adapter"), &scene).unwrap();
    (0..30).for_each(|_| solver.step());
    let at = solver.read_bodies().unwrap()[0].center();
    let damping = 1.0 - 0.25 * scene.params.linear_damping;
    let parabola = vec3(0.5 * damping, 1.0 + 2.0 * damping - 0.5 * 9.81 * 0.25, 0.0);
    assert!(at.distance(parabola) < 0.03, "{at} is not {parabola}");

    scene = Scene::default();
    scene.add_collider(Collider::ground(0.0)).unwrap();
    scene.add_body(desc.at(vec3(0.0, 0.4, 0.0)).rotated(Quat::from_rotation_x(1.5))).unwrap();
    let mut solver = Solver::new(&Context::shared().expect("adapter"), &scene).unwrap();
    (0..150).for_each(|_| solver.step());
    let at = solver.read_bodies().unwrap()[0].placement();
    // The head lies on its side, and the end of the handle on the ground.
    let head = at.point(vec3(0.0, 0.3 - 0.3 * 8.0 / 9.0, 0.0));
    println!("{at:?}, head at {head}");
    assert!((head.y - 0.06).abs() < 0.01 && (at.rotation * Vec3::Y).y.abs() < 0.12, "{at:?}, head at {head}");
    let hit = solver.ask_now(&[Query::ray(head + Vec3::Y, Vec3::NEG_Y, 3.0)]).unwrap().of(0)[0];
    assert_eq!(hit.thing, Thing::Body(BodyId(0)));
    assert!((hit.point.y - 0.12).abs() < 0.015, "{hit:?}");
    assert!(solver.read_health().unwrap().is_good());
}

#[test]
fn compounds_hang_on_one_another_by_their_pieces() {
    let mut scene = Scene::default();
    // Two posts, and a staple over them: it holds by its legs, which a hull would not have.
    for x in [-0.2, 0.2] {
        scene.add_collider(Collider::new(Shape::Cuboid(vec3(0.05, 0.5, 0.05)), vec3(x, 0.5, 0.0))).unwrap();
    }
    let leg = |x: f32| BodyDesc::cuboid(vec3(0.04, 0.2, 0.04), 0.02).at(vec3(x, 0.85, 0.0));
    let bar = BodyDesc::cuboid(vec3(0.4, 0.04, 0.06), 0.02).at(vec3(0.0, 1.09, 0.0));
    scene.add_body(BodyDesc::compound(&[bar, leg(-0.36), leg(0.36)]).unwrap()).unwrap();
    let mut solver = Solver::new(&Context::shared().expect("adapter"), &scene).unwrap();
    (0..120).for_each(|_| solver.step());
    let at = solver.read_bodies().unwrap()[0].placement();
    let start = scene.bodies[0].position;
    println!("{at:?} from {start}");
    assert!((at.position - start + 0.05 * Vec3::Y).length() < 0.02, "{at:?} from {start}");
    assert!(solver.read_health().unwrap().is_good());
}
