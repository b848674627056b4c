//! The same run gives the same bits, whatever number of threads the software adapter has.

use std::process::Command;

fn state_hash(scene: &[&str], threads: &str) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_sinew"))
        .arg("report")
        .args(scene)
        .args(["--json", "-"])
        .env("LP_NUM_THREADS", threads)
        .env_remove("RUST_LOG")
        .output()
        .expect("the command runs");
    // A run in which something was dropped ends with exit code 1.
    let ran = matches!(output.status.code(), Some(0 | 1));
    assert!(ran, "{}", String::from_utf8_lossy(&output.stderr));
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON on standard output");
    report["state_hash"].as_str().expect("a report has a state_hash").to_owned()
}

const PAIRS: [&str; 5] = ["pairs", "--set", "count=20", "--frames", "40"];
/// A ball through cloth that tears.
const CURTAIN: [&str; 11] =
    ["curtain", "--set", "rings=4", "--set", "fine=5", "--set", "tear=0.3", "--set", "speed=14", "--frames", "8"];

/// Balls of one particle in a heap of grains: more touch each than it has slots for, until those have grown.
const CROWDED: &str = r#"(items: [
    Ground(),
    Repeat(count: 3, step: (0.0, 0.0, 0.35), items: [
        Body(name: "ball", shape: Sphere(0.1), particle_radius: 0.1, position: (0.0, 0.3, -0.3), density: 3000),
    ]),
    Grains(name: "sand", radius: 0.025),
    Pour(of: "sand", low: (-0.3, 0.0, -0.6), high: (0.3, 0.5, 0.6)),
])"#;

#[test]
fn what_is_left_out_of_full_lists_does_not_depend_on_threads() {
    let path = std::env::temp_dir().join(format!("sinew-crowded-{}.ron", std::process::id()));
    std::fs::write(&path, CROWDED).unwrap();
    let scene = [path.to_str().unwrap(), "--frames", "8"];
    let hashes = ["0", "2", "2", "2"].map(|threads| state_hash(&scene, threads));
    std::fs::remove_file(&path).unwrap();
    assert!(hashes.iter().all(|hash| *hash == hashes[0]), "{hashes:?}");
}

/// Each pass timed is a pass of its own for the driver.
#[test]
fn timing_changes_nothing() {
    let sets = [("count".to_owned(), "10".to_owned())];
    let scene = sinew::demos::stage_for("pairs", &sets).unwrap().scene;
    let context = sinew::gpu::Context::shared().expect("adapter");
    let hashes = [false, true].map(|timed| {
        let mut solver = sinew::solver::Solver::new(&context, &scene).unwrap();
        solver.set_timing(timed);
        (0..40).for_each(|_| solver.step());
        sinew::report::state_hash(&solver.read_bodies().unwrap(), &solver.read_particles().unwrap())
    });
    assert_eq!(hashes[0], hashes[1]);
}

#[test]
fn one_state_hash_for_every_number_of_threads_and_every_run() {
    for (scene, threads) in [(&PAIRS[..], &["1", "2", "2"][..]), (&CURTAIN[..], &["1", "2"][..])] {
        let first = state_hash(scene, "0");
        assert!(!first.is_empty());
        for threads in threads {
            assert_eq!(state_hash(scene, threads), first, "{}, {threads} threads", scene[0]);
        }
    }
}
