//! The dancer falls onto the ground among crates that come from a pool, and what is left is drawn into `out/hello_ragdoll.png`.
//!
//! `cargo run --release --example hello_ragdoll [-- FRAMES [FILE.png]]`

use std::error::Error;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use sinew::glam::{Quat, Vec3, Vec4, vec3};
use sinew::gpu::Context;
use sinew::render::{Camera, DrawOptions, Renderer, image};
use sinew::scene::{BodyDesc, Collider, Placement, Scene, primitive_model};
use sinew::solver::Solver;
use sinew::spawn::Character;
use sinew::wgpu::TextureFormat;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let frames = arguments.next().map_or(Some(120), |text| text.parse::<u32>().ok().filter(|frames| *frames > 0));
    let file = PathBuf::from(arguments.next().unwrap_or_else(|| "out/hello_ragdoll.png".into()));
    let (Some(frames), true, None) = (frames, file.extension().is_some_and(|e| e == "png"), arguments.next()) else {
        return Err("usage: hello_ragdoll [FRAMES [FILE.png]], with 1 frame or more".into());
    };
    std::fs::create_dir_all(file.parent().unwrap_or(Path::new("")))?;

    let mut scene = Scene::default();
    scene.add_collider(Collider::ground(0.0))?;
    Character::dancer()?.undressed().add_to(&mut scene, Vec3::Y * 0.3, Quat::from_rotation_x(0.4), Vec4::ONE)?;
    let mut crates = Scene::default();
    let desc = BodyDesc::cuboid(Vec3::splat(0.12), 0.04);
    let model = Arc::new(primitive_model(&desc.shape));
    let id = crates.add_body(desc)?;
    crates.draw_body(id, &model, Vec4::new(0.8, 0.45, 0.2, 1.0))?;
    let pool = scene.add_pool(&crates, 12)?;

    let context = Context::headless(None)?;
    let mut solver = Solver::new(&context, &scene)?;
    let mut renderer = Renderer::new(&context, &scene, TextureFormat::Rgba8UnormSrgb)?;
    for frame in 0..frames {
        if frame % 8 == 0 && solver.room_in(pool)? > 0 {
            let around = Quat::from_rotation_y(frame as f32) * vec3(0.7, 1.6, 0.0);
            let place = Placement { position: around, ..Placement::IDENTITY };
            solver.spawn_from(pool, place, Vec3::ZERO)?;
        }
        solver.step();
    }
    let camera = Camera { eye: vec3(2.2, 2.3, 4.1), target: vec3(0.0, 0.5, 0.4), ..Camera::default() };
    let picture = image(&context, &mut renderer, (960, 640), &camera, &solver.view(), &DrawOptions::default())?;
    picture.save(&file)?;
    println!("{}", file.display());
    Ok(())
}
