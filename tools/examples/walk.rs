//! A dancer walks a way: through crates that she pushes, up stairs, over a bridge of planks, down a ramp, and jumps onto a block. She is
//! shown in the place of a walker, a capsule that the game tells where to go. A picture is drawn into `out/walk.png`.
//!
//! `cargo run --release --example walk [-- FRAMES [FILE.png]]`

use std::error::Error;
use std::f32::consts::FRAC_PI_8;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use sinew::animation::{Cast, Performer};
use sinew::glam::{Quat, Vec3, Vec4, vec3, vec4};
use sinew::gpu::Context;
use sinew::render::{Camera, DrawOptions, Renderer, image};
use sinew::scene::{BodyDesc, BodyId, Collider, Layers, Scene, Shape, Thing, Walker, primitive_model};
use sinew::solver::Solver;
use sinew::spawn::Character;
use sinew::wgpu::TextureFormat;

type Outcome<T> = Result<T, Box<dyn Error>>;

/// Speed of a walk, as of the clip, and of a jump [m/s].
const PACE: f32 = 1.3;
const JUMP: f32 = 3.6;
/// Where she stands [m].
const START: Vec3 = vec3(0.8, 0.0, -2.6);
/// Where she goes, point after point, and whether she jumps there.
const WAY: [(Vec3, bool); 7] = [
    (vec3(0.8, 0.0, 0.0), false),
    (vec3(3.4, 0.0, 0.0), false),
    (vec3(6.4, 0.0, 0.0), false),
    (vec3(6.4, 0.0, 3.0), false),
    (vec3(4.2, 0.0, 3.0), true),
    (vec3(3.2, 0.0, 3.0), false),
    (vec3(2.9, 0.0, 3.0), false),
];

fn stone(scene: &mut Scene, center: Vec3, half: Vec3, turn: Quat) -> Outcome<()> {
    let collider = Collider { color: vec4(0.42, 0.5, 0.55, 1.0), ..Collider::new(Shape::Cuboid(half), center) };
    scene.add_collider(collider.rotated(turn))?;
    Ok(())
}

fn wood(scene: &mut Scene, center: Vec3, half: Vec3, mass: f32) -> Outcome<()> {
    let desc = BodyDesc::cuboid(half, 0.05).with_mass(mass).at(center);
    let model = Arc::new(primitive_model(&desc.shape));
    let body = scene.add_body(desc)?;
    scene.draw_body(body, &model, Vec4::new(0.75, 0.45, 0.22, 1.0))?;
    Ok(())
}

/// The course, and the walker at its start.
fn course(scene: &mut Scene) -> Outcome<BodyId> {
    scene.add_collider(Collider::ground(0.0))?;
    for i in 0..3 {
        wood(scene, vec3(0.8, 0.2 + 0.41 * i as f32, -1.5), Vec3::splat(0.2), 6.0)?;
    }
    for i in 0..4 {
        let top = 0.2 * (i + 1) as f32;
        stone(
            scene,
            vec3(2.6 + 0.15 * i as f32, top - 0.1, 0.0),
            vec3(0.6 - 0.15 * i as f32, 0.1, 0.9),
            Quat::IDENTITY,
        )?;
    }
    stone(scene, vec3(3.35, 0.4, 0.0), vec3(0.3, 0.4, 0.9), Quat::IDENTITY)?;
    for i in 0..5 {
        wood(scene, vec3(3.92 + 0.44 * i as f32, 0.85, 0.0), vec3(0.2, 0.05, 0.9), 12.0)?;
    }
    for side in [-0.75, 0.75] {
        stone(scene, vec3(4.8, 0.4, side), vec3(1.15, 0.4, 0.1), Quat::IDENTITY)?;
    }
    stone(scene, vec3(6.4, 0.4, 0.0), vec3(0.45, 0.4, 0.9), Quat::IDENTITY)?;
    let turn = Quat::from_rotation_x(FRAC_PI_8);
    stone(scene, vec3(6.4, 0.8, 0.9) + turn * vec3(0.0, -0.1, 1.05), vec3(0.45, 0.1, 1.05), turn)?;
    stone(scene, vec3(3.0, 0.25, 3.0), vec3(0.6, 0.25, 0.6), Quat::IDENTITY)?;
    Ok(scene.add_body(Walker::default().body(START))?)
}

/// A dancer who passes through everything: her walker does not.
fn dancer(scene: &mut Scene) -> Outcome<Performer> {
    let mut dancer = Character::dancer()?.undressed().stand(scene, START)?;
    dancer.set_root_motion(false);
    for limb in dancer.bodies() {
        scene.set_layers(Thing::Body(*limb), Layers { of: 0, meets: 0 })?;
    }
    Ok(dancer)
}

fn main() -> Outcome<()> {
    let mut arguments = std::env::args().skip(1);
    let frames = arguments.next().map_or(Some(760), |text| text.parse::<u32>().ok().filter(|frames| *frames > 0));
    let file = PathBuf::from(arguments.next().unwrap_or_else(|| "out/walk.png".into()));
    let (Some(frames), true, None) = (frames, file.extension().is_some_and(|e| e == "png"), arguments.next()) else {
        return Err("usage: walk [FRAMES [FILE.png]], with 1 frame or more".into());
    };
    std::fs::create_dir_all(file.parent().unwrap_or(Path::new("")))?;

    let (mut scene, mut cast) = (Scene::default(), Cast::default());
    let hero = course(&mut scene)?;
    cast.add(dancer(&mut scene)?);
    let context = Context::headless(None)?;
    let mut solver = Solver::new(&context, &scene)?;
    solver.add_walker(hero, Walker::default())?;
    let mut renderer = Renderer::new(&context, &scene, TextureFormat::Rgba8UnormSrgb)?;

    let (dt, mut next) = (solver.params().dt, 0);
    for _ in 0..frames {
        let time = solver.view().time + f64::from(dt);
        if let Some(footing) = solver.footing(hero)? {
            let (goal, jumps) = WAY[next];
            let way = (goal - footing.expected(time)).with_y(0.0);
            if way.length() < 0.15 && next + 1 < WAY.len() {
                next += 1;
                if jumps {
                    solver.jump(hero, JUMP)?;
                }
            }
            solver.walk(hero, way.normalize_or_zero() * PACE.min(4.0 * way.length()))?;
            let her = &mut cast.performers[0];
            her.follow(&footing, time, dt);
            her.play(if footing.velocity.with_y(0.0).length() > 0.3 { "walk" } else { "idle" })?;
        }
        solver.direct(&mut cast)?;
        solver.step();
    }
    match solver.footing(hero)? {
        Some(on) => println!("she is at {:.2} on {:?}", on.position, on.ground.map(|ground| ground.thing)),
        None => println!("where she stands is known after a few frames"),
    }

    renderer.sync(&solver)?;
    let (instance, turns) = cast.performers[0].turns();
    renderer.set_turns(instance, turns)?;
    let camera = Camera { eye: vec3(1.6, 3.6, 7.6), target: vec3(3.4, 0.4, 0.4), ..Camera::default() };
    let picture = image(&context, &mut renderer, (960, 640), &camera, &solver.view(), &DrawOptions::default())?;
    picture.save(&file)?;
    println!("{}", file.display());
    Ok(())
}
