//! Shaders edited while a world runs are taken, and wrong ones are not.

use std::fs;
use std::path::{Path, PathBuf};

use sinew::glam::Vec3;
use sinew::gpu::Context;
use sinew::scene::{Particle, Phase, Scene};
use sinew::solver::Solver;

/// A copy of the shaders that may be edited.
fn copied() -> PathBuf {
    fn copy(from: &Path, to: &Path) {
        fs::create_dir_all(to).unwrap();
        for entry in fs::read_dir(from).unwrap() {
            let (path, name) = entry.map(|entry| (entry.path(), entry.file_name())).unwrap();
            if path.is_dir() {
                copy(&path, &to.join(name));
            } else {
                fs::copy(&path, to.join(name)).unwrap();
            }
        }
    }
    let to = std::env::temp_dir().join(format!("sinew-shaders-{}", std::process::id()));
    copy(&Path::new(env!("CARGO_MANIFEST_DIR")).join("shaders"), &to);
    to
}

#[test]
fn an_edited_shader_acts_and_a_wrong_one_is_told_by_its_line() {
    let folder = copied();
    let mut scene = Scene::default();
    let (position, velocity) = (100.0 * Vec3::Y, Vec3::ZERO);
    scene.add_particle(Particle { position, velocity, radius: 0.1, mass: 1.0, phase: Phase::default() }).unwrap();
    let context = Context::shared().expect("adapter");
    let mut solver = Solver::new(&context, &scene).unwrap();
    let speed = |solver: &Solver| solver.read_velocities().unwrap()[0];
    let run = |solver: &mut Solver| {
        let before = speed(solver);
        (0..6).for_each(|_| solver.step());
        speed(solver) - before
    };
    let falling = run(&mut solver);
    assert!(falling.y < -0.5 && falling.x == 0.0);
    assert!(solver.reload_shaders_from(&folder).unwrap().is_empty(), "nothing was edited");

    let file = folder.join("particles/predict.wgsl");
    let text = fs::read_to_string(&file).unwrap();
    let gravity = "h * params.gravity)";
    assert!(text.contains(gravity), "the line that this test edits");
    fs::write(&file, text.replace(gravity, "h * params.gravity.yxz)")).unwrap();
    assert_eq!(solver.reload_shaders_from(&folder).unwrap(), ["particles/predict"]);
    let sideways = run(&mut solver);
    assert!((sideways.x - falling.y).abs() < 1e-3 && sideways.y.abs() < 1e-3, "{sideways} after {falling}");

    // A wrong text: told with its line, and the last good one goes on.
    let (line, wrong) = text.lines().enumerate().find(|(_, line)| line.contains(gravity)).unwrap();
    fs::write(&file, text.replace(wrong, "    this is no code;")).unwrap();
    let error = solver.reload_shaders_from(&folder).unwrap_err().to_string();
    assert!(error.contains(&format!("shaders/particles/predict.wgsl:{}:", line + 1)), "{error}");
    assert!((run(&mut solver) - sideways).length() < 1e-3, "the old kernel stays");

    // What the program shares cannot change under it.
    fs::write(&file, &text).unwrap();
    let shared = folder.join("common/body.wgsl");
    let body = fs::read_to_string(&shared).unwrap();
    fs::write(&shared, body.replace("    margin: f32, ", "    margins: f32,")).unwrap();
    let error = solver.reload_shaders_from(&folder).unwrap_err().to_string();
    assert!(error.contains("common/body.wgsl") && error.contains("struct `Body`"), "{error}");

    fs::write(&shared, body).unwrap();
    assert_eq!(solver.reload_shaders_from(&folder).unwrap(), ["particles/predict"], "back to what was built in");
    assert!((run(&mut solver) - falling).length() < 1e-3);
    fs::remove_dir_all(folder).unwrap();
}
