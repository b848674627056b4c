//! Wild starts: any pose, turned anyhow, spinning, partly inside a wall.

use std::collections::BTreeSet;
use std::ops::Range;

use glam::{Quat, Vec3};
use sinew::scene::{Collider, Scene, Shape};

use super::dolls::{Doll, Member, Start};
use super::random::Random;
use super::run::{Run, SECOND};

/// Half width of a room and half thickness of a wall [m]; nothing may come through a wall.
const ROOM: f32 = 1.6;
const WALL: f32 = 1.4;
/// Rooms in a row; a scene has a square of them.
const SIDE: usize = 5;
/// Share of the particles that are inside a wall at the start, in every third room.
const BURIED: f32 = 0.3;

/// Distance from room to room [m].
const PITCH: f32 = 2.0 * (ROOM + WALL);

/// A grid of rooms with a floor and a ceiling: long walls across each other.
fn rooms(scene: &mut Scene) {
    let long = 100.0;
    for i in 0..=SIDE {
        let at = (i as f32 - 0.5) * PITCH;
        let walls = [(Vec3::new(WALL, long, long), Vec3::X * at), (Vec3::new(long, long, WALL), Vec3::Z * at)];
        for (half, position) in walls {
            scene.add_collider(Collider::new(Shape::Cuboid(half), position)).unwrap();
        }
    }
    scene.add_collider(Collider::ground(-ROOM)).unwrap();
    let half_turn = Quat::from_rotation_x(std::f32::consts::PI);
    scene.add_collider(Collider::new(Shape::Plane, Vec3::Y * ROOM).rotated(half_turn)).unwrap();
}

/// Moves a character into a wall until the wanted share of its particles is inside.
fn bury(scene: &mut Scene, member: &Member, wall: Vec3, room: Vec3) {
    let depth = |p: Vec3| (p - room).dot(wall) - ROOM;
    let mut depths: Vec<f32> = member.particles(scene).map(|(p, _)| depth(p)).collect();
    depths.sort_by(f32::total_cmp);
    let way = -depths[((1.0 - BURIED) * depths.len() as f32) as usize];
    // No deeper than the middle of the wall, from where the way out is the way in.
    let deepest = depths.last().unwrap() + way;
    member.shift(scene, wall * (way - (deepest - 0.9 * WALL).max(0.0)));
}

fn center(room: usize) -> Vec3 {
    Vec3::new((room % SIDE) as f32, 0.0, (room / SIDE) as f32) * PITCH
}

pub(crate) fn start(seed: u64, dolls: &[Doll]) -> (Scene, Vec<Member>) {
    let mut scene = Scene::default();
    rooms(&mut scene);
    let mut random = Random::new(seed);
    let members = (0..SIDE * SIDE).map(|room| {
        let spin = random.direction() * random.between(0.0, 10.0);
        let (rotation, moment) = (random.rotation(), Some(random.between(0.0, 1.0)));
        let begin = Start { center: center(room), rotation, moment, spin };
        let member = dolls[if room % 5 == 4 { 1 + room % 2 } else { 0 }].add(&mut scene, begin);
        if room % 3 == 0 {
            let wall = [Vec3::X, Vec3::NEG_X, Vec3::Z, Vec3::NEG_Z, Vec3::NEG_Y][random.between(0.0, 5.0) as usize % 5];
            bury(&mut scene, &member, wall, center(room));
        }
        member
    });
    let members = members.collect();
    (scene, members)
}

/// Scenes of this half: 25 starts, four times as many in the long run.
fn half(index: u64) -> Range<u64> {
    let scenes = if crate::effort::is_long() { 4 } else { 1 };
    index * scenes..(index + 1) * scenes
}

#[test]
fn wild_starts_stay_in_their_rooms() {
    wild(half(0));
}

#[test]
#[ignore = "long"]
fn more_wild_starts_stay_in_their_rooms() {
    wild(half(1));
}

fn wild(seeds: Range<u64>) {
    let dolls = [Doll::dancer(), Doll::figure(), Doll::animal()];
    let (mut starts, mut fastest, mut names) = (0, 0.0_f32, BTreeSet::new());
    let scenes = seeds.clone().count();
    for seed in seeds {
        let (scene, members) = start(seed, &dolls);
        let run = Run::record(scene, members, 2 * SECOND);
        for (room, member) in run.members.iter().enumerate() {
            for frame in 0..run.frames.len() {
                let speed = run.speeds(member, frame).into_iter().fold(0.0, f32::max);
                if speed > fastest {
                    fastest = speed;
                    println!("scene {seed}, room {room}, {}: {speed:.1} m/s in frame {frame}", member.name);
                }
                let poses = &run.frames[frame].bodies[member.bodies.clone()];
                let finite = poses.iter().all(|p| p.center.is_finite() && p.rotation.is_finite());
                assert!(finite, "scene {seed}, room {room}: not a number in frame {frame}");
                let off = poses.iter().map(|p| (p.center - center(room)).abs().max_element()).fold(0.0, f32::max);
                assert!(off < ROOM + WALL, "scene {seed}, room {room}: {off} m off in frame {frame}");
            }
            let end = &run.last().bodies[member.bodies.clone()];
            let off = end.iter().map(|p| (p.center - center(room)).abs().max_element()).fold(0.0, f32::max);
            assert!(off < ROOM, "scene {seed}, room {room}: still {off} m off");
            names.insert(member.name.clone());
            starts += 1;
        }
    }
    println!("{starts} wild starts of {names:?}: at most {fastest:.1} m/s");
    assert_eq!(starts, SIDE * SIDE * scenes);
    assert!(fastest <= 25.0, "{fastest} m/s");
}
