//! Many worlds at once: one experiment side by side in one scene, each with another number. A ball is shot at a tower with speeds
//! that grow from world to world; what fell is counted in each.
//!
//! `cargo run --release --example batch [-- WORLDS [FRAMES]]`

use std::error::Error;

use glam::{Vec3, vec3};
use sinew::gpu::Context;
use sinew::scene::{BodyDesc, BodyId, Collider, Part, Placement, Scene};
use sinew::solver::Solver;

/// Crates of a tower, half the side of one [m], and from world to world [m].
const CRATES: u16 = 6;
const HALF: f32 = 0.15;
const APART: f32 = 8.0;

/// A tower, and a ball beside it.
fn world() -> Result<(Scene, BodyId), Box<dyn Error>> {
    let mut scene = Scene::default();
    for i in 0..CRATES {
        scene.add_body(BodyDesc::cuboid(Vec3::splat(HALF), 0.05).at(Vec3::Y * HALF * f32::from(2 * i + 1)))?;
    }
    let ball = scene.add_body(BodyDesc::sphere(0.15, 0.05).at(vec3(-1.5, 0.9, 0.0)))?;
    Ok((scene, ball))
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let worlds: u16 = arguments.next().map_or(Ok(64), |count| count.parse())?;
    let frames: u32 = arguments.next().map_or(Ok(120), |count| count.parse())?;

    let (one, ball) = world()?;
    let side = f32::from(worlds).sqrt().ceil();
    let mut all = Scene::default();
    all.params.world_extent = APART * side;
    all.add_collider(Collider::ground(0.0))?;
    let mut parts: Vec<Part> = Vec::new();
    for i in 0..worlds {
        let cell = f32::from(i);
        let place = vec3(cell % side - 0.5 * side, 0.0, (cell / side).floor() - 0.5 * side) * APART;
        parts.push(all.append(&one, Placement::from(place), Vec3::ZERO)?);
    }
    for (i, part) in (0_u16..).zip(&parts) {
        let ball = part.body(ball);
        let at = Placement { position: all.body(ball).position, ..Placement::IDENTITY };
        all.place_body(ball, at, Vec3::X * 0.25 * f32::from(i), Vec3::ZERO)?;
    }

    let mut solver = Solver::new(&Context::headless(None)?, &all)?;
    (0..frames).for_each(|_| solver.step());
    let bodies = solver.read_bodies()?;
    for (i, part) in (0_u16..).zip(&parts) {
        let stands = |crate_id: &u16| {
            let id = part.body(BodyId(u32::from(*crate_id)));
            (bodies[id.0 as usize].center[1] - HALF * f32::from(2 * crate_id + 1)).abs() < HALF
        };
        let standing = (0..CRATES).filter(stands).count();
        println!("world {i}: a ball at {:.2} m/s leaves {standing} of {CRATES} crates in place", 0.25 * f32::from(i));
    }
    Ok(())
}
