//! The page in a browser, beside this machine: `tools/web --test` leaves what a browser simulated, and this says how far off it is.
//! The same WGSL went through another compiler (Tint) and another driver, and the scene was built with another mathematical library.

use std::path::{Path, PathBuf};

use sinew::glam::Vec3;
use sinew::gpu::Context;
use sinew::scene_file::stage_for;
use sinew::solver::Solver;

/// Frames that the page simulated.
const FRAMES: u32 = 60;
/// How far a particle may be off at the start [m]: what sines and roots of the host differ by.
const START: f32 = 1e-4;
/// How far the cloud of all particles may be off, as the mean way between its coordinates in order [m].
const CLOUD: f32 = 0.03;
/// Demos, and how far half of their particles may be off [m]. Roundings grow where things touch; drops of liquid change places, so that
/// only their cloud is the same.
const DEMOS: &[(&str, f32)] =
    &[("dancer", 1e-4), ("ragdolls", 0.05), ("curtain", 0.03), ("dam", f32::INFINITY), ("jelly", 5e-3)];

fn places(path: &Path) -> Vec<Vec3> {
    let bytes = std::fs::read(path).unwrap_or_else(|error| panic!("{}: {error}; run tools/web --test", path.display()));
    let numbers: Vec<f32> = bytes.as_chunks().0.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect();
    numbers.as_chunks::<3>().0.iter().map(|at| Vec3::from(*at)).collect()
}

/// How far each particle is from where the page has it [m], ascending.
fn ways(here: &[Vec3], there: &[Vec3]) -> Vec<f32> {
    assert_eq!(here.len(), there.len());
    let mut ways: Vec<f32> = here.iter().zip(there).map(|(here, there)| here.distance(*there)).collect();
    ways.sort_by(f32::total_cmp);
    ways
}

/// The mean way between the coordinates of two clouds, each axis in order; the largest of the axes [m].
fn between_clouds(here: &[Vec3], there: &[Vec3]) -> f32 {
    let sorted = |places: &[Vec3], axis: usize| {
        let mut values: Vec<f32> = places.iter().map(|place| place[axis]).collect();
        values.sort_by(f32::total_cmp);
        values
    };
    let off = |axis: usize| {
        let (here, there) = (sorted(here, axis), sorted(there, axis));
        here.iter().zip(&there).map(|(a, b)| (a - b).abs()).sum::<f32>() / here.len() as f32
    };
    off(0).max(off(1)).max(off(2))
}

#[test]
#[ignore = "needs what a browser simulated: tools/web --test"]
fn a_browser_simulates_what_this_machine_does() {
    let folder = PathBuf::from(std::env::var_os("SINEW_PAGE").expect("SINEW_PAGE names the folder of tools/web-test"));
    let context = Context::headless(None).expect("adapter");
    println!("on {}", context.info().name);
    let mut wrong = Vec::new();
    for (demo, most) in DEMOS {
        let mut stage = stage_for(demo, &[]).unwrap();
        let mut solver = Solver::new(&context, &stage.scene).unwrap();
        let start = ways(&solver.read_positions().unwrap(), &places(&folder.join(format!("{demo}-start.f32"))));
        for _ in 0..FRAMES {
            solver.direct(&mut stage.cast).unwrap();
            solver.step();
        }
        let (here, there) = (solver.read_positions().unwrap(), places(&folder.join(format!("{demo}.f32"))));
        let (ways, cloud) = (ways(&here, &there), between_clouds(&here, &there));
        let (start, median, far) = (start[start.len() - 1], ways[ways.len() / 2], ways[ways.len() - 1]);
        println!(
            "{demo}: half are off by less than {median:.1e} m, all by less than {far:.1e} m, the cloud by {cloud:.1e} m; at the start {start:.1e} m"
        );
        if !(start < START && median < *most && cloud < CLOUD) {
            wrong.push(*demo);
        }
    }
    assert!(wrong.is_empty(), "{wrong:?} are too far off");
}
