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
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON on standard output");
    report["state_hash"].as_str().expect("a report has a state_hash").to_owned()
}

const PAIRS: [&str; 5] = ["pairs", "--set", "count=20", "--frames", "60"];
/// A ball through cloth that tears.
const CURTAIN: [&str; 11] =
    ["curtain", "--set", "rings=4", "--set", "fine=5", "--set", "tear=0.3", "--set", "speed=14", "--frames", "12"];

#[test]
fn one_state_hash_for_every_number_of_threads_and_every_run() {
    for (scene, threads) in [(&PAIRS[..], &["0", "1", "2", "2"][..]), (&CURTAIN[..], &["1", "2"][..])] {
        let first = state_hash(scene, "0");
        assert!(!first.is_empty());
        for threads in threads {
            assert_eq!(state_hash(scene, threads), first, "{}, {threads} threads", scene[0]);
        }
    }
}
