//! A curtain: a sheet in folds, held by rings along its top edge, and a ball that goes through it.

use std::f32::consts::{FRAC_PI_2, TAU};
use std::sync::Arc;

use glam::{Quat, Vec2, Vec3};

use super::demo::{Category, Demo, DemoError, Stage};
use super::materials::{AREA_DENSITY, BEND, SHEAR, STRETCH, TOPOLOGY, WARP, WEAVE, WEFT, sheet, topology};
use super::options::{DemoOption, Options};
use crate::scene::{BodyDesc, Collider, Deformable, Material, Scene, Shape, SheetGrid, Shell, View, primitive_model};
use crate::spawn::{SETTLING, palette};

pub(super) const DEMO: Demo = Demo {
    name: "curtain",
    summary: "a curtain hangs from rings, and a ball goes through it",
    category: Category::Cloth,
    options: &[
        DemoOption::integer("rings", [2.0, 24.0], 9.0, "rings that hold it"),
        DemoOption::integer("fine", [4.0, 24.0], 10.0, "particles along the cloth between two rings"),
        DemoOption::number("fullness", [1.01, 2.5], 1.5, "width of the cloth over that of the rail"),
        DemoOption::number("speed", [0.0, 30.0], 5.0, "speed of the ball [m/s]; 0 for no ball"),
        DemoOption::number("tear", [0.0, 10.0], 0.0, "strain at which it tears, for example 0.6; 0 for never"),
        AREA_DENSITY,
        STRETCH,
        BEND,
        WEAVE,
        WARP,
        WEFT,
        SHEAR,
        TOPOLOGY,
    ],
    build,
};

/// The rail: its length, and its height above the ground [m].
const RAIL: f32 = 1.7;
const HEIGHT: f32 = 1.9;
/// Rows of particles of its hem.
const HEM: u32 = 4;
/// The curtain ends so far above the ground [m].
const GAP: f32 = 0.06;
/// Radius of the ball [m] and its mass [kg].
const BALL: f32 = 0.22;
const BALL_MASS: f32 = 4.0;

/// Points along a wave of `waves` periods over the length 1, as high as makes its way `fullness` long; evenly along the way.
fn wave(waves: u32, fullness: f32, count: u32) -> Vec<Vec2> {
    const STEPS: u32 = 4096;
    let turn = TAU * waves as f32;
    let curve = |height: f32| {
        let at = move |i: u32| i as f32 / STEPS as f32;
        (0..=STEPS).map(move |i| Vec2::new(at(i), height * ((turn * at(i)).cos() - 1.0))).collect::<Vec<_>>()
    };
    let long = |height: f32| curve(height).windows(2).map(|w| w[0].distance(w[1])).sum::<f32>();
    let (mut low, mut high) = (0.0, fullness);
    for _ in 0..32 {
        let middle = 0.5 * (low + high);
        if long(middle) < fullness { low = middle } else { high = middle }
    }
    let curve = curve(low);
    let whole = long(low);
    let (mut way, mut at, mut points) = (0.0, 0, Vec::new());
    for i in 0..count {
        let wanted = whole * i as f32 / (count - 1) as f32;
        while at + 2 < curve.len() && way + curve[at].distance(curve[at + 1]) < wanted {
            way += curve[at].distance(curve[at + 1]);
            at += 1;
        }
        let step = curve[at].distance(curve[at + 1]);
        points.push(curve[at].lerp(curve[at + 1], ((wanted - way) / step).min(1.0)));
    }
    points
}

fn build(options: &Options) -> Result<Stage, DemoError> {
    let mut scene = Scene::default();
    scene.add_collider(Collider::ground(0.0))?;
    let (waves, fine, fullness) = (options.count("rings") - 1, options.count("fine"), options.number("fullness"));
    let across = waves * fine + 1;
    let size = Vec2::new(RAIL * fullness, HEIGHT - GAP);
    let along = 1 + ((across - 1) as f32 * size.y / size.x).round() as u32;
    let grid = SheetGrid { points: [across, along], size, topology: topology(options) };
    let material = sheet(options, Vec3::Z);
    let mut cloth =
        Deformable::sheet("curtain", grid.positions(), &grid.triangles(), 0.45 * grid.spacing(), &material)?
            .damped(10.0);
    cloth.damping = SETTLING;
    cloth.meets_itself = true;
    for ring in 0..=waves {
        cloth.masses[(ring * fine) as usize] = 0.0;
    }
    match options.number("tear") {
        // Tethers would hold what is torn off.
        strain if strain > 0.0 => cloth.tearing = Some(strain),
        _ if material.weave.is_some() => {}
        _ => cloth.tether(0.0, 0.0)?,
    }
    let surface = Material { double_sided: true, roughness: 0.85, ..Material::default() };
    let shell = Arc::new(Shell::on_particles(&cloth.rest, &grid.triangles(), &grid.uvs(), surface));
    let id = scene.add_deformable(&cloth, Vec3::ZERO, Quat::IDENTITY, Vec3::ZERO)?;
    scene.draw_shell(id, &shell, palette(4))?;
    // The hem is sewn double: rings do not tear out of it.
    let hem = scene.deformables[id.0 as usize].first_particle.0 + HEM * across;
    let rows = &scene.constraints;
    scene.tears.retain(|tear| rows[tear.constraint as usize].joined().iter().any(|particle| *particle >= hem));
    // It starts in folds, as long as at rest.
    let folds = wave(waves, fullness, across);
    let first = scene.deformables[id.0 as usize].first_particle.0 as usize;
    for (i, particle) in scene.particles[first..first + cloth.rest.len()].iter_mut().enumerate() {
        let (fold, down) = (folds[i % across as usize], (i / across as usize) as f32 / (along - 1) as f32);
        particle.position = Vec3::new(RAIL * (fold.x - 0.5), HEIGHT - size.y * down, RAIL * fold.y);
    }
    hang(&mut scene, waves)?;
    if options.number("speed") > 0.0 {
        throw(&mut scene, options.number("speed"))?;
    }
    scene.view = View::around(Vec3::Y * 0.98, 1.45);
    Ok(scene.into())
}

/// The rail and its rings.
fn hang(scene: &mut Scene, waves: u32) -> Result<(), DemoError> {
    let metal = palette(2);
    let rail = Shape::Capsule { radius: 0.014, half_length: 0.5 * RAIL + 0.08 };
    let lying = Quat::from_rotation_z(FRAC_PI_2);
    let mut rail = Collider::new(rail, Vec3::Y * (HEIGHT + 0.07)).rotated(lying);
    rail.color = metal;
    scene.add_collider(rail)?;
    for ring in 0..=waves {
        let x = RAIL * (ring as f32 / waves as f32 - 0.5);
        let mut ring = Collider::new(Shape::Sphere(0.018), Vec3::new(x, HEIGHT + 0.04, 0.0));
        ring.color = metal;
        scene.add_collider(ring)?;
    }
    Ok(())
}

/// The ball, on its way.
fn throw(scene: &mut Scene, speed: f32) -> Result<(), DemoError> {
    let mut ball = BodyDesc::sphere(BALL, 0.04).at(Vec3::new(0.15, 0.7, 1.6));
    ball.velocity = Vec3::new(0.0, 1.2, -speed);
    let share = BALL_MASS / ball.mass;
    ball.mass *= share;
    ball.inertia *= share;
    let body = scene.add_body(ball)?;
    scene.draw_body(body, &Arc::new(primitive_model(&Shape::Sphere(BALL))), palette(1))?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folds_are_as_long_as_the_cloth() {
        let points = wave(8, 1.5, 81);
        let steps: Vec<f32> = points.windows(2).map(|w| w[0].distance(w[1])).collect();
        assert!((points[80] - Vec2::X).length() < 1e-3 && points[0] == Vec2::ZERO);
        // Chords of a curve are a little shorter than the curve.
        assert!(steps.iter().all(|s| (0.85..1.001).contains(&(s / (1.5 / 80.0)))), "{steps:?}");
        assert!((0..=8).all(|ring| points[10 * ring].y.abs() < 1e-3), "rings are on one line");
    }
}
