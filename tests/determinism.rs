//! The same run gives the same bits, whatever number of threads the software adapter has.

use std::process::Command;

fn state_hash(threads: &str) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_sinew"))
        .args(["report", "pairs", "--set", "count=20", "--frames", "60", "--json", "-"])
        .env("LP_NUM_THREADS", threads)
        .env_remove("RUST_LOG")
        .output()
        .expect("the command runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON on standard output");
    report["state_hash"].as_str().expect("a report has a state_hash").to_owned()
}

#[test]
fn one_state_hash_for_every_number_of_threads_and_every_run() {
    let first = state_hash("0");
    assert!(!first.is_empty());
    for threads in ["0", "1", "2", "2"] {
        assert_eq!(state_hash(threads), first, "{threads} threads");
    }
}
