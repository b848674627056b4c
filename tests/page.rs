//! The page in a browser, beside this machine: `tools/web --test` leaves what a browser simulated, and this says how far off it is.
//! The same WGSL went through another compiler (Tint) and another driver.

use std::path::{Path, PathBuf};

use sinew::glam::Vec3;
use sinew::gpu::Context;
use sinew::scene_file::stage_for;
use sinew::solver::Solver;

/// Frames that the page simulated.
const FRAMES: u32 = 60;
/// Demos, and how far their particles may be off: the median, and the mean of all, in metres. Roundings grow where things touch: a pile falls in
/// another way.
const DEMOS: &[(&str, f32, f32)] = &[
    ("dancer", 1e-3, 1e-2),
    ("ragdolls", 0.02, 0.1),
    ("curtain", 1e-3, 1e-2),
    ("dam", 0.02, 0.05),
    ("jelly", 1e-3, 1e-2),
];

fn numbers(path: &Path) -> Vec<f32> {
    let bytes = std::fs::read(path).unwrap_or_else(|error| panic!("{}: {error}; run tools/web --test", path.display()));
    bytes.as_chunks().0.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect()
}

/// How far each particle is from where the page has it [m], ascending.
fn ways(positions: &[Vec3], of_page: &[f32]) -> Vec<f32> {
    assert_eq!(3 * positions.len(), of_page.len());
    let there = of_page.as_chunks::<3>().0.iter().map(|at| Vec3::from(*at));
    let mut ways: Vec<f32> = positions.iter().zip(there).map(|(here, there)| here.distance(there)).collect();
    ways.sort_by(f32::total_cmp);
    ways
}

#[test]
#[ignore = "needs what a browser simulated: tools/web --test"]
fn a_browser_simulates_what_this_machine_does() {
    let folder = PathBuf::from(std::env::var_os("SINEW_PAGE").expect("SINEW_PAGE names the folder of tools/web-test"));
    let context = Context::headless(None).expect("adapter");
    let mut wrong = Vec::new();
    for (demo, most_median, most_mean) in DEMOS {
        let mut stage = stage_for(demo, &[]).unwrap();
        let mut solver = Solver::new(&context, &stage.scene).unwrap();
        let start = ways(&solver.read_positions().unwrap(), &numbers(&folder.join(format!("{demo}-start.f32"))));
        for _ in 0..FRAMES {
            solver.direct(&mut stage.cast).unwrap();
            solver.step();
        }
        let ways = ways(&solver.read_positions().unwrap(), &numbers(&folder.join(format!("{demo}.f32"))));
        let (median, mean) = (ways[ways.len() / 2], ways.iter().sum::<f32>() / ways.len() as f32);
        let (start, far) = (start[start.len() - 1], ways[ways.len() - 1]);
        println!(
            "{demo}: off by {median:.1e} m (median), {mean:.1e} m (mean), {far:.1e} m at most; at the start {start:.1e} m"
        );
        if !(start < 1e-6 && median < *most_median && mean < *most_mean) {
            wrong.push(*demo);
        }
    }
    assert!(wrong.is_empty(), "{wrong:?} are too far off");
}
