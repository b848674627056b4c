//! Every demo at its defaults is healthy: nothing is dropped, nothing crosses, all is finite and in the world. And it goes as it has always
//! gone on this adapter, to the bit: `tests/golden.txt` has what is known of it.
//!
//! `SINEW_WRITE_GOLDEN=1` writes that anew; a change of bits is a line in the changelog. `SINEW_LONG=1` runs 600 frames of each.

use std::collections::BTreeMap;
use std::process::Command;
use std::sync::Mutex;

use sinew::demos::DEMOS;

const GOLDEN: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/golden.txt");

fn is_long() -> bool {
    std::env::var_os("SINEW_LONG").is_some()
}

/// Demos of more than 12 000 particles.
const LARGE: &[&str] = &["flamenco", "layers", "omotondo", "s1", "s2", "squishy", "tori400"];

/// Frames that software can afford of a demo.
fn affordable(demo: &str) -> u32 {
    match demo {
        _ if is_long() => 600,
        _ if LARGE.contains(&demo) => 2,
        _ => 6,
    }
}

/// A run of a demo.
struct Run {
    adapter: String,
    frames: String,
    hash: String,
}

/// `sinew report` of a demo ends well.
fn run(name: &str) -> Result<Run, String> {
    let frames = affordable(name).to_string();
    let mut report = Command::new(env!("CARGO_BIN_EXE_sinew"));
    let output = report.args(["report", name, "--frames", &frames]).output().map_err(|error| error.to_string())?;
    let [out, err] = [output.stdout, output.stderr].map(|text| String::from_utf8_lossy(&text).into_owned());
    if !output.status.success() {
        return Err(format!("`sinew report {name} --frames {frames}`:\n{out}{err}"));
    }
    let value = |key: &str| {
        let line = out.lines().find_map(|line| line.strip_prefix(key)).map(str::trim);
        line.map(str::to_owned).ok_or_else(|| format!("{name}: no `{key}` in\n{out}"))
    };
    Ok(Run { adapter: value("adapter ")?, hash: value("state hash ")?, frames })
}

/// What is known: hashes by adapter, demo and frames.
fn known() -> BTreeMap<String, String> {
    let text = std::fs::read_to_string(GOLDEN).unwrap_or_default();
    let entry = |line: &str| line.rsplit_once(" = ").map(|(key, hash)| (key.to_owned(), hash.to_owned()));
    text.lines().filter_map(entry).collect()
}

/// Two tests write into one file.
static WRITING: Mutex<()> = Mutex::new(());

/// Every second demo, so that two cores share them.
fn are_healthy(first: usize) {
    let golden = known();
    let (mut wrong, mut new, mut compared) = (Vec::new(), BTreeMap::new(), 0);
    for demo in DEMOS.iter().skip(first).step_by(2) {
        match run(demo.name) {
            Err(told) => wrong.push(told),
            Ok(Run { adapter, frames, hash }) => {
                let key = format!("{adapter}, {} after {frames} frames", demo.name);
                compared += usize::from(golden.contains_key(&key));
                if let Some(before) = golden.get(&key).filter(|before| **before != hash) {
                    wrong.push(format!("{key}: {hash}, and has been {before}: see the head of tests/demos.rs"));
                }
                new.insert(key, hash);
            }
        }
    }
    println!("{compared} of {} are known on this adapter", new.len());
    if std::env::var_os("SINEW_WRITE_GOLDEN").is_some() {
        let _one = WRITING.lock().unwrap();
        let mut all = known();
        all.extend(new);
        let lines: Vec<String> = all.into_iter().map(|(key, hash)| format!("{key} = {hash}\n")).collect();
        std::fs::write(GOLDEN, lines.concat()).unwrap();
        wrong.retain(|told| !told.contains("and has been"));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn demos_at_their_defaults_are_healthy() {
    are_healthy(0);
}

#[test]
fn the_other_demos_at_their_defaults_are_healthy() {
    are_healthy(1);
}
