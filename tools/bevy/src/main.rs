//! The dancer falls among crates beside things of Bevy's. Drag nothing, only look: a click throws a ball.
//!
//! `cargo run [-- PICTURES FILE.png]` draws so many pictures, writes the last one and ends.

use std::path::PathBuf;
use std::sync::Arc;

use bevy::prelude::*;
use bevy::render::view::screenshot::{Screenshot, ScreenshotCaptured, save_to_disk};
use sinew::scene::{BodyDesc, Collider, Liquid, Placement, PoolId, Scene, primitive_model};
use sinew::spawn::Character;
use sinew_bevy::{Sinew, SinewPlugin};

type Outcome<T> = std::result::Result<T, Box<dyn std::error::Error>>;

/// Balls to throw.
#[derive(Resource)]
struct Balls(PoolId);

/// How many pictures until one is kept, and where.
#[derive(Resource)]
struct Keep(u32, PathBuf);

fn ball(scene: &mut Scene, desc: BodyDesc, tint: Vec4) -> Outcome<()> {
    let model = Arc::new(primitive_model(&desc.shape));
    let id = scene.add_body(desc)?;
    Ok(scene.draw_body(id, &model, tint)?)
}

/// A ground that Bevy draws, the dancer, crates, a basin of water, and balls that wait.
fn scene() -> Outcome<(Scene, PoolId)> {
    let mut scene = Scene::default();
    scene.add_collider(Collider::ground(0.0))?;
    for i in 0..8_u8 {
        let place = vec3(0.31 * f32::from(i % 4) - 1.3, 0.31 * f32::from(i / 4) + 0.155, -0.6);
        ball(&mut scene, BodyDesc::cuboid(Vec3::splat(0.15), 0.05).at(place), Vec4::new(0.7, 0.4, 0.2, 1.0))?;
    }
    Character::dancer()?.undressed().add_to(&mut scene, vec3(0.3, 0.4, 0.0), Quat::from_rotation_x(0.3), Vec4::ONE)?;
    let water = scene.add_liquid(Liquid::water(0.03))?;
    let drops: Vec<Vec3> =
        (0..500).map(|i| 0.06 * vec3((i % 10) as f32, (i / 50) as f32, (i / 10 % 5) as f32)).collect();
    scene.pour(water, &drops, vec3(-1.6, 0.8, 0.3))?;
    let mut waiting = Scene::default();
    ball(&mut waiting, BodyDesc::sphere(0.12, 0.04).with_mass(4.0), Vec4::new(0.2, 0.3, 0.7, 1.0))?;
    let balls = scene.add_pool(&waiting, 16)?;
    Ok((scene, balls))
}

fn main() -> Outcome<()> {
    let (scene, balls) = scene()?;
    let mut app = App::new();
    app.add_plugins((DefaultPlugins.set(window()), SinewPlugin { scene })).insert_resource(Balls(balls));
    app.add_systems(Startup, stage).add_systems(Update, (throw.run_if(resource_exists::<Sinew>), keep));
    let mut arguments = std::env::args().skip(1);
    if let (Some(pictures), Some(file)) = (arguments.next(), arguments.next()) {
        app.insert_resource(Keep(pictures.parse()?, file.into()));
    }
    app.run();
    Ok(())
}

/// Small enough for software to draw.
fn window() -> WindowPlugin {
    let window = Window { title: "Sinew in Bevy".into(), resolution: (800, 500).into(), ..default() };
    WindowPlugin { primary_window: Some(window), ..default() }
}

/// What is Bevy's: camera, sun, a floor, and a pillar that the crates stand beside.
fn stage(
    mut commands: Commands,
    (mut meshes, mut materials): (ResMut<Assets<Mesh>>, ResMut<Assets<StandardMaterial>>),
) {
    let depth = bevy::render::render_resource::TextureUsages::RENDER_ATTACHMENT
        | bevy::render::render_resource::TextureUsages::TEXTURE_BINDING; // water looks at what lies below it
    commands.spawn((
        Camera3d { depth_texture_usages: depth.into(), ..default() },
        Msaa::Off,
        Transform::from_xyz(1.6, 1.5, 3.2).looking_at(vec3(-0.2, 0.4, 0.0), Vec3::Y),
    ));
    commands.spawn((
        DirectionalLight { illuminance: 8_000.0, ..default() },
        Transform::from_xyz(-2.0, 3.0, 1.5).looking_at(Vec3::ZERO, Vec3::Y),
    ));
    commands.spawn((
        Mesh3d(meshes.add(Plane3d::default().mesh().size(8.0, 8.0))),
        MeshMaterial3d(materials.add(Color::srgb(0.35, 0.45, 0.35))),
    ));
    commands.spawn((
        Mesh3d(meshes.add(Cuboid::new(0.2, 1.2, 0.2))),
        MeshMaterial3d(materials.add(Color::srgb(0.7, 0.2, 0.2))),
        Transform::from_xyz(0.3, 0.6, 0.5),
    ));
}

fn throw(
    sinew: Res<Sinew>,
    balls: Res<Balls>,
    buttons: Res<ButtonInput<MouseButton>>,
    camera: Single<&Transform, With<Camera3d>>,
) {
    if !buttons.just_pressed(MouseButton::Left) {
        return;
    }
    let from = Placement { position: camera.translation, ..Placement::IDENTITY };
    if let Err(error) = sinew.lock().solver.spawn_from(balls.0, from, camera.forward() * 9.0) {
        info!("{error}");
    }
}

fn keep(mut commands: Commands, keep: Option<Res<Keep>>, mut pictures: Local<u32>) {
    *pictures += 1;
    if let Some(keep) = keep.filter(|keep| keep.0 == *pictures) {
        commands.spawn(Screenshot::primary_window()).observe(save_to_disk(keep.1.clone())).observe(
            |_: On<ScreenshotCaptured>, mut exit: MessageWriter<AppExit>| {
                exit.write(AppExit::Success);
            },
        );
    }
}
