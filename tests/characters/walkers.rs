//! Characters that a game moves: stood up in a line, walked, turned, put elsewhere, and parts of them hidden.

use glam::{Quat, Vec3};
use sinew::animation::{Cast, Performer};
use sinew::gpu::Context;
use sinew::render::{Camera, DrawOptions, Renderer, image};
use sinew::scene::{BodyDesc, BodyId, Collider, Placement, Scene, View};
use sinew::solver::Solver;
use sinew::spawn::{Character, CharacterError};

const DT: f32 = 1.0 / 60.0;

/// A dancer without clothes, and a crate 1 m in front of her.
fn world() -> (Scene, Performer, BodyId) {
    let mut scene = Scene::default();
    scene.add_collider(Collider::ground(0.0)).unwrap();
    let dancer = Character::dancer().unwrap().undressed().stand(&mut scene, Vec3::ZERO).unwrap();
    let half = Vec3::splat(0.2);
    let parcel = BodyDesc::cuboid(half, 0.1).with_mass(5.0).at(Vec3::new(0.0, 0.2, 1.0));
    let parcel = scene.add_body(parcel).unwrap();
    (scene, dancer, parcel)
}

fn root(performer: &Performer) -> Vec3 {
    performer.placements()[performer.rig().root().unwrap()].position
}

/// Moves it for so many frames by `each`, with the solver.
fn run(scene: &Scene, performer: Performer, frames: u32, each: impl Fn(u32, &mut Performer)) -> (Solver, Cast) {
    let mut cast = Cast::default();
    cast.add(performer);
    let mut solver = Solver::new(&Context::shared().unwrap(), scene).unwrap();
    for frame in 0..frames {
        each(frame, &mut cast.performers[0]);
        cast.knock_down(&solver.take_struck());
        solver.follow(&cast.advance(DT)).unwrap();
        solver.step();
    }
    assert!(solver.read_health().unwrap().is_good());
    (solver, cast)
}

#[test]
fn who_is_walked_goes_as_told_and_pushes_what_is_in_the_way() {
    let (scene, mut dancer, parcel) = world();
    dancer.set_root_motion(false);
    dancer.set_strength(f32::INFINITY).unwrap();
    dancer.play("walk").unwrap();
    let start = root(&dancer);
    let (solver, cast) = run(&scene, dancer, 60, |_, dancer| dancer.walk(1.2 * DT * Vec3::Z, 0.0));
    let dancer = &cast.performers[0];
    assert!((dancer.place().position - 1.2 * Vec3::Z).length() < 1e-3, "{}", dancer.place().position);
    assert!((root(dancer) - start - 1.2 * Vec3::Z).with_y(0.0).length() < 0.25, "{}", root(dancer));
    let bodies = solver.read_bodies().unwrap();
    for (body, at) in dancer.bodies().iter().zip(dancer.placements()) {
        let held = Vec3::from_slice(&bodies[body.0 as usize].center[..3]);
        assert!(held.distance(at.position) < 1e-3, "{held} is not {}", at.position);
    }
    let pushed = bodies[parcel.0 as usize].center[2];
    assert!(pushed > 1.2, "the crate is at {pushed} m");
}

#[test]
fn who_turns_heads_elsewhere() {
    let (scene, mut dancer, _) = world();
    dancer.set_root_motion(false);
    let mut cast = Cast::default();
    dancer.play("walk").unwrap();
    cast.add(dancer);
    for _ in 0..60 {
        let dancer = &mut cast.performers[0];
        let ahead = dancer.place().rotation * Vec3::Z;
        dancer.walk(DT * ahead, std::f32::consts::FRAC_PI_2 * DT);
        let _ = cast.advance(DT);
    }
    // A quarter of a circle of 1 m/s in 1 s.
    let place = cast.performers[0].place();
    assert!((place.rotation * Vec3::Z).distance(Vec3::X) < 1e-3);
    let radius = std::f32::consts::FRAC_2_PI;
    assert!(place.position.distance(Vec3::new(radius, 0.0, radius)) < 0.02, "{}", place.position);
    assert!(scene.check().is_ok());
}

#[test]
fn clips_walk_on_the_spot_if_told() {
    for carried in [true, false] {
        let (_, mut dancer, _) = world();
        dancer.play("walk").unwrap();
        dancer.set_root_motion(carried);
        let mut cast = Cast::default();
        cast.add(dancer);
        let start = root(&cast.performers[0]);
        let mut farthest = 0.0_f32;
        for _ in 0..600 {
            let before = root(&cast.performers[0]);
            let _ = cast.advance(DT);
            let now = root(&cast.performers[0]);
            assert!(now.distance(before) < 0.1, "a jump of {} m in a frame", now.distance(before));
            farthest = farthest.max((now - start).with_y(0.0).length());
        }
        assert!(farthest < 0.4 || carried, "{farthest} m");
        let place = cast.performers[0].place().position;
        assert!(carried || place == Vec3::ZERO, "{place}");
    }
    // Going over from one to the other moves nothing.
    let (_, mut dancer, _) = world();
    dancer.play_over("walk", 0.0).unwrap();
    let mut cast = Cast::default();
    cast.add(dancer);
    for frame in 0..200 {
        let before = root(&cast.performers[0]);
        cast.performers[0].set_root_motion(frame / 37 % 2 == 0);
        let _ = cast.advance(DT);
        let step = root(&cast.performers[0]).distance(before);
        assert!(step < 0.1, "frame {frame}: {step} m");
    }
}

#[test]
fn who_is_put_elsewhere_pushes_nothing_on_the_way() {
    let (scene, mut dancer, parcel) = world();
    dancer.set_strength(f32::INFINITY).unwrap();
    let far = Placement { position: 4.0 * Vec3::Z, rotation: Quat::from_rotation_y(1.0) };
    let (solver, cast) = run(&scene, dancer, 20, |frame, dancer| {
        if frame == 5 {
            dancer.teleport(far);
            dancer.teleport(Placement { position: Vec3::NAN, ..far });
        }
    });
    assert!(cast.performers[0].place().position.distance(far.position) < 1e-6);
    let bodies = solver.read_bodies().unwrap();
    assert!((bodies[parcel.0 as usize].center[2] - 1.0).abs() < 0.01, "the crate stays");
    let held = bodies[cast.performers[0].bodies()[0].0 as usize];
    assert!(Vec3::from_slice(&held.center[..3]).distance(far.position) < 1.5, "{:?}", held.center);
    let speed = Vec3::from_slice(&held.velocity[..3]).length();
    assert!(speed < 3.0, "{speed} m/s after a jump");
}

#[test]
fn clips_blend_over_the_time_that_is_given() {
    let (_, mut dancer, _) = world();
    dancer.set_root_motion(false);
    let mut other = dancer.clone();
    dancer.play_over("dance", 2.0).unwrap();
    other.play_over("dance", 0.0).unwrap();
    let apart = |a: &Performer, b: &Performer| {
        let angles = a.placements().iter().zip(b.placements()).map(|(a, b)| a.rotation.angle_between(b.rotation));
        angles.fold(0.0, f32::max)
    };
    let mut casts = [dancer, other].map(|performer| {
        let mut cast = Cast::default();
        cast.add(performer);
        cast
    });
    let mut after = |frames: u32| {
        (0..frames).for_each(|_| casts.iter_mut().for_each(|cast| drop(cast.advance(DT))));
        apart(&casts[0].performers[0], &casts[1].performers[0])
    };
    let (first, middle, last) = (after(6), after(54), after(66));
    assert!(first > 0.2 && middle > 0.02 && last < 1e-3, "{first}, {middle}, {last} rad apart");
}

#[test]
fn mistakes_are_named() {
    let (mut scene, mut dancer, _) = world();
    let clip = dancer.play("wlk").unwrap_err().to_string();
    assert!(clip.contains("`wlk`") && clip.contains("walk"), "{clip}");
    let node = dancer.show("no such node", false).unwrap_err().to_string();
    assert!(node.contains("no such node") && node.contains("it has"), "{node}");
    let figure = Character::figure().unwrap().stand(&mut scene, Vec3::ZERO);
    assert!(matches!(figure, Err(CharacterError::Boneless(_))));
    assert!(Character::load("no/such.glb").unwrap_err().to_string().contains("no/such.glb"));
    assert!(Character::dancer().unwrap().stand(&mut scene, Vec3::NAN).is_err());
}

#[test]
fn numbers_that_are_none_are_refused() {
    let (_, mut dancer, _) = world();
    for wrong in [f32::NAN, -1.0] {
        for (told, field) in [
            (dancer.set_strength(wrong).unwrap_err().to_string(), "strength"),
            (dancer.limp_after(wrong).unwrap_err().to_string(), "time until it goes limp"),
            (dancer.play_over("dance", wrong).unwrap_err().to_string(), "time to go over"),
        ] {
            assert!(told.contains(field) && told.contains("0 or more"), "{told}");
        }
    }
    assert!(dancer.limp_after(f32::INFINITY).is_err() && dancer.set_strength(f32::INFINITY).is_ok());
}

#[test]
fn who_has_a_time_goes_limp_then() {
    let (_, mut dancer, _) = world();
    dancer.play("dance").unwrap();
    dancer.limp_after(0.5).unwrap();
    let mut cast = Cast::default();
    cast.add(dancer);
    let limp = (0..60).find(|_| {
        let _ = cast.advance(DT);
        cast.is_limp()
    });
    assert!((29..=31).contains(&limp.unwrap()), "{limp:?}");
}

#[test]
fn hidden_parts_are_not_drawn_and_only_of_who_hides_them() {
    let context = Context::shared().unwrap();
    let mut scene = Scene::default();
    let character = Character::dancer().unwrap().undressed();
    let mut two: Vec<Performer> =
        [-0.6, 0.6].map(|x| character.stand(&mut scene, x * Vec3::X).unwrap()).into_iter().collect();
    let solver = Solver::new(&context, &scene).unwrap();
    let mut renderer = Renderer::new(&context, &scene, wgpu::TextureFormat::Rgba8UnormSrgb).unwrap();
    let camera: Camera = View { eye: Vec3::new(0.0, 1.0, 4.0), target: Vec3::Y }.into();
    let mut picture = |performers: &[Performer]| {
        for performer in performers {
            let (instance, hidden) = performer.hidden();
            renderer.set_hidden(instance, hidden).unwrap();
        }
        image(&context, &mut renderer, (160, 90), &camera, &solver.view(), &DrawOptions::default()).unwrap()
    };
    let whole = picture(&two);
    let node = scene.instances[0].model.primitives[0].name.clone();
    two[0].show(&node.to_uppercase(), false).unwrap();
    let without = picture(&two);
    // Shadows fall near her too; the other one is in the right half.
    let changed = |left: bool| {
        let inside = |x: u32| if left { x < 70 } else { x > 100 };
        whole.enumerate_pixels().filter(|(x, y, p)| inside(*x) && *p != without.get_pixel(*x, *y)).count()
    };
    assert!(changed(true) > 100, "{} pixels", changed(true));
    assert!(changed(false) < 20, "{} pixels of the other one", changed(false));
    two[0].show(&node, true).unwrap();
    assert!(picture(&two) == whole);
    let none = std::collections::BTreeSet::from([999]);
    assert!(renderer.set_hidden(0, &none).unwrap_err().to_string().contains("999"));
    assert!(renderer.set_hidden(77, &none).unwrap_err().to_string().contains("77"));
}
