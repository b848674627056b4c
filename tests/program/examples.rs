//! The example programs run.

use std::path::PathBuf;
use std::process::Command;

/// An example that cargo has built beside this test.
fn example(name: &str) -> Command {
    let test = std::env::current_exe().unwrap();
    let folder = test.parent().and_then(|deps| deps.parent()).unwrap();
    let mut command = Command::new(folder.join("examples").join(format!("{name}{}", std::env::consts::EXE_SUFFIX)));
    command.env_remove("RUST_LOG");
    command
}

/// Runs an example for some frames; its picture is as large as this and not empty.
fn draws(name: &str, size: (u32, u32)) {
    let file: PathBuf = std::env::temp_dir().join(format!("{name}-{}.png", std::process::id()));
    let output = example(name).arg("12").arg(&file).output().expect("cargo builds examples with tests");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let picture = image::open(&file).unwrap().to_rgb8();
    std::fs::remove_file(&file).unwrap();
    assert_eq!(picture.dimensions(), size);
    let first = picture.get_pixel(0, 0);
    assert!(picture.pixels().filter(|pixel| *pixel != first).count() > 10_000, "an empty picture");
}

#[test]
fn hello_ragdoll_draws_a_picture() {
    draws("hello_ragdoll", (960, 640));
}

#[test]
fn a_dancer_walks_over_what_is_in_her_way() {
    draws("walk", (960, 640));
}

#[test]
fn a_host_program_draws_with_its_own_device() {
    draws("embed", (640, 448));
}

#[test]
fn worlds_side_by_side_differ_by_their_number_alone() {
    let output = example("batch").args(["9", "90"]).output().expect("cargo builds examples with tests");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let told = String::from_utf8(output.stdout).unwrap();
    let left: Vec<u32> = told
        .lines()
        .map(|line| line.split("leaves ").nth(1).and_then(|rest| rest.split(' ').next()?.parse().ok()).unwrap())
        .collect();
    assert_eq!(left.len(), 9, "{told}");
    assert_eq!(left[0], 6, "a ball that only falls leaves the tower alone\n{told}");
}

#[test]
fn wrong_arguments_are_answered_and_leave_no_file() {
    let file = std::env::temp_dir().join(format!("wrong-{}.gif", std::process::id()));
    for name in ["hello_ragdoll", "walk", "embed", "bowling"] {
        for frames in ["5", "0", "x"] {
            let output = example(name).arg(frames).arg(&file).output().expect("cargo builds examples with tests");
            let told = String::from_utf8_lossy(&output.stderr);
            assert!(!output.status.success() && told.contains(&format!("usage: {name} [FRAMES")), "{told}");
            assert!(!file.exists(), "{name} left a file");
        }
    }
    let output = example("batch").arg("0").output().expect("cargo builds examples with tests");
    assert!(String::from_utf8_lossy(&output.stderr).contains("usage: batch"));
}

#[test]
#[ignore = "long"]
fn a_game_scores_the_same_in_every_round() {
    let file: PathBuf = std::env::temp_dir().join(format!("bowling-{}.png", std::process::id()));
    let output = example("bowling").arg("24").arg(&file).output().expect("cargo builds examples with tests");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    std::fs::remove_file(&file).unwrap();
    let told = String::from_utf8(output.stdout).unwrap();
    let score = told.lines().find(|line| line.contains("points, then")).expect("a score");
    let points: Vec<u32> = score.split_whitespace().filter_map(|word| word.parse().ok()).collect();
    assert!(points.len() == 2 && points[0] == points[1] && points[0] >= 20, "{told}");
}
