//! A long time: nothing drifts, nothing is lost, nothing slows down.

use std::time::Instant;

use sinew::demos::stage_for;
use sinew::glam::{Quat, Vec3, vec3};
use sinew::render::{Camera, DrawOptions, Quality, Renderer, image};
use sinew::scene::{BodyDesc, Collider, Deformable, Grains, Liquid, Scene, SheetGrid, SheetMaterial};
use sinew::solver::Solver;
use sinew::wgpu::TextureFormat;

use crate::world::{Look, context, places};

/// Substeps of a frame.
const SUBSTEPS: u32 = 8;

/// A tank of water with a floating crate, a heap of sand, crates on one another, a hanging sheet.
fn everyday() -> Scene {
    let mut scene = Scene::default();
    scene.params.substeps = SUBSTEPS;
    // Nothing sleeps: what drifts shows.
    scene.params.sleep_time = 0.0;
    scene.add_collider(Collider::ground(0.0)).unwrap();
    for i in 0..3 {
        let at = vec3(0.0, 0.1 + 0.2 * i as f32, 0.0);
        scene.add_body(BodyDesc::cuboid(Vec3::splat(0.1), 0.05).at(at)).unwrap();
    }
    let (grid, material) = (SheetGrid::square(6, 0.4), SheetMaterial::default());
    let mut sheet = Deformable::sheet("sheet", grid.positions(), &grid.triangles(), 0.03, &material).unwrap();
    sheet.pin(|at| at.z < -0.19);
    // It hangs from its start: one that swings goes on for seconds.
    let hanging = Quat::from_rotation_x(std::f32::consts::FRAC_PI_2);
    scene.add_deformable(&sheet, vec3(1.5, 1.0, 0.0), hanging, Vec3::ZERO).unwrap();
    let block = |at: Vec3| -> Vec<Vec3> {
        (0..27).map(|i| at + 0.085 * vec3((i % 3) as f32, (i / 9) as f32, (i / 3 % 3) as f32)).collect()
    };
    let sand = scene.add_grains(Grains::sand(0.04)).unwrap();
    scene.heap(sand, &block(vec3(-1.2, 0.05, 0.0)), Vec3::ZERO).unwrap();
    for (half, at) in [(vec3(0.05, 0.2, 0.3), vec3(-2.6, 0.2, 0.1)), (vec3(0.05, 0.2, 0.3), vec3(-2.15, 0.2, 0.1))] {
        scene.add_collider(Collider::new(sinew::scene::Shape::Cuboid(half), at)).unwrap();
    }
    for z in [-0.12, 0.33] {
        let half = vec3(0.3, 0.2, 0.05);
        scene.add_collider(Collider::new(sinew::scene::Shape::Cuboid(half), vec3(-2.375, 0.2, z))).unwrap();
    }
    let water = scene.add_liquid(Liquid::water(0.04)).unwrap();
    scene.pour(water, &block(vec3(-2.46, 0.05, 0.02)), Vec3::ZERO).unwrap();
    scene
}

/// Bytes of this process that are in memory.
fn resident() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/self/statm").ok()?;
    Some(4096 * text.split_whitespace().nth(1)?.parse::<u64>().ok()?)
}

/// Mesa's software driver compiled what uniforms decide anew in each dispatch and picture, and kept all of it: 9 MB a frame.
#[test]
fn frames_and_pictures_of_liquid_hold_no_more_memory() {
    const MOST: u64 = 30 << 20;
    let context = context();
    let scene = stage_for("dam", &[("count".into(), "500".into())]).unwrap().scene;
    let mut solver = Solver::new(&context, &scene).unwrap();
    let camera = Camera::from(scene.view);
    let mut renderers = [Quality::Low, Quality::High]
        .map(|quality| Renderer::with_quality(&context, &scene, TextureFormat::Rgba8UnormSrgb, quality).unwrap());
    let mut after = |frames: u32| {
        for _ in 0..frames {
            solver.step();
            for renderer in &mut renderers {
                image(&context, renderer, (60, 40), &camera, &solver.view(), &DrawOptions::default()).unwrap();
            }
        }
        resident()
    };
    let before = after(10);
    let grown = after(20).zip(before).map(|(now, before)| now.saturating_sub(before));
    println!("twenty frames and forty pictures hold {grown:?} bytes");
    assert!(grown.is_none_or(|grown| grown < MOST), "twenty frames and forty pictures hold {grown:?} bytes");
}

/// What only parameters decided in the prediction of bodies was compiled anew in each dispatch: 2.8 MB a frame.
#[test]
fn frames_of_bodies_and_cloth_hold_no_more_memory() {
    const MOST: u64 = 20 << 20;
    let context = context();
    let demos = [
        ("tower", "height", "4"),
        ("pairs", "count", "12"),
        ("ragdolls", "count", "2"),
        ("sand", "count", "300"),
        ("flag", "fine", "12"),
    ];
    for (demo, option, value) in demos {
        let scene = stage_for(demo, &[(option.into(), value.into())]).unwrap().scene;
        let mut solver = Solver::new(&context, &scene).unwrap();
        let mut after = |frames: u32| {
            (0..frames).for_each(|_| solver.step());
            context.wait().unwrap();
            resident()
        };
        let before = after(15);
        let grown = after(30).zip(before).map(|(now, before)| now.saturating_sub(before));
        println!("thirty frames of {demo} hold {grown:?} bytes");
        assert!(grown.is_none_or(|grown| grown < MOST), "thirty frames of {demo} hold {grown:?} bytes");
    }
}

/// Runs so many frames; every tenth part of them looks like the second.
fn goes_on(frames: u32) {
    let context = context();
    let mut solver = Solver::new(&context, &everyday()).unwrap();
    let part = frames / 10;
    let mut marks: Vec<(f64, Vec<Vec3>, Option<u64>)> = Vec::new();
    for k in 0..10 {
        let begun = Instant::now();
        for frame in 0..part {
            solver.step();
            if frame % 60 == 0 {
                context.wait().unwrap();
            }
        }
        context.wait().unwrap();
        let look = Look::at(&solver);
        let millis = 1e3 * begun.elapsed().as_secs_f64() / f64::from(part);
        let memory = resident();
        println!(
            "{:8} substeps: {millis:.3} ms a frame, {} MB, fastest {:.3} m/s, lowest {:.4} m",
            (k + 1) * part * SUBSTEPS,
            memory.unwrap_or(0) >> 20,
            look.fastest,
            look.lowest
        );
        assert!(look.finite && look.health.is_good(), "{look:?}");
        assert!(look.lowest > -0.01 && look.fastest < 1.0, "{look:?}");
        marks.push((millis, places(&solver), memory));
    }
    let crates = solver.scene().bodies.iter().map(|body| body.links.len()).sum::<usize>();
    let moved = marks[1].1[..crates].iter().zip(&marks[9].1).map(|(a, b)| a.distance(*b)).fold(0.0, f32::max);
    println!("crates drifted {:.3} mm", 1e3 * moved);
    assert!(moved < 2e-3, "crates on one another drifted {moved} m");
    if let (Some(early), Some(late)) = (marks[1].2, marks[9].2) {
        assert!(late < early + early / 20 + (4 << 20), "memory grew from {early} to {late} bytes");
    }
}

#[test]
fn two_thousand_substeps_leave_everything_as_it_was() {
    goes_on(250);
}

#[test]
#[ignore = "takes an hour: a million substeps; SINEW_FRAMES=N runs fewer"]
fn a_million_substeps_leave_everything_as_it_was() {
    let frames = std::env::var("SINEW_FRAMES").ok().and_then(|text| text.parse().ok());
    goes_on(frames.unwrap_or(1_000_000 / SUBSTEPS));
}
