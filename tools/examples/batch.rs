//! Many worlds at once: one experiment side by side, each with another number. A ball is shot at a tower with speeds that grow from
//! world to world; what fell is counted in each.
//!
//! `cargo run --release --example batch [-- WORLDS [FRAMES]]`

use std::error::Error;

use sinew::glam::{Quat, Vec3, vec3};
use sinew::gpu::Context;
use sinew::scene::{BodyDesc, BodyId, Collider, Scene};
use sinew::solver::Batch;

/// Crates of a tower, half the side of one [m], and from world to world [m].
const CRATES: u16 = 6;
const HALF: f32 = 0.15;
const APART: f32 = 8.0;
/// Where the ball begins [m].
const START: Vec3 = vec3(-1.5, 0.9, 0.0);

/// A tower, and a ball beside it.
fn world() -> Result<(Scene, BodyId), Box<dyn Error>> {
    let mut scene = Scene::default();
    for i in 0..CRATES {
        scene.add_body(BodyDesc::cuboid(Vec3::splat(HALF), 0.05).at(Vec3::Y * HALF * f32::from(2 * i + 1)))?;
    }
    let ball = scene.add_body(BodyDesc::sphere(0.15, 0.05).at(START))?;
    Ok((scene, ball))
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let worlds = arguments.next().map_or(Some(64), |text| text.parse::<u16>().ok().filter(|count| *count > 0));
    let frames = arguments.next().map_or(Some(120), |text| text.parse::<u32>().ok());
    let (Some(worlds), Some(frames), None) = (worlds, frames, arguments.next()) else {
        return Err("usage: batch [WORLDS [FRAMES]], with 1 to 65535 worlds".into());
    };

    let (one, ball) = world()?;
    let mut shared = Scene::default();
    shared.add_collider(Collider::ground(0.0))?;
    let mut batch = Batch::new(&Context::headless(None)?, &shared, &one, worlds.into(), APART)?;
    let speed = |world: usize| 0.25 * world as f32;
    for world in 0..batch.len() {
        let (ball, place) = (batch.body(world, ball)?, batch.origin(world)? + START);
        batch.solver().set_body_pose(ball, place, Quat::IDENTITY, Vec3::X * speed(world), Vec3::ZERO)?;
    }
    (0..frames).for_each(|_| batch.step());
    for (world, bodies) in batch.read()?.iter().enumerate() {
        let stands = |i: &u16| (bodies[usize::from(*i)].center().y - HALF * f32::from(2 * i + 1)).abs() < HALF;
        let standing = (0..CRATES).filter(stands).count();
        println!("world {world}: a ball at {:.2} m/s leaves {standing} of {CRATES} crates in place", speed(world));
    }
    Ok(())
}
