//! Every demo at its defaults is healthy: nothing is dropped, nothing crosses, all is finite and in the world. And it goes as it has always
//! gone on this adapter, to the bit: `tests/program/golden.txt` has what is known of it.
//!
//! `SINEW_WRITE_GOLDEN=1` writes that anew; a change of bits is a line in the changelog. `SINEW_LONG=1` runs 600 frames of each, and the first of the largest.

use std::collections::BTreeMap;
use std::sync::Mutex;

use sinew::demos::{DEMOS, stage_for};
use sinew::gpu::Context;
use sinew::report;

use crate::effort::is_long;

const GOLDEN: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/program/golden.txt");

/// Demos of more than 12 000 particles.
const LARGE: &[&str] = &["flamenco", "layers", "omotondo", "s1", "s2", "squishy", "tori400"];

/// Demos whose first frame software takes ten seconds for: that frame alone, and in the long run alone.
const LARGEST: &[&str] = &["s2", "tori400"];

/// Frames that software can afford of a demo.
fn affordable(demo: &str) -> u32 {
    match demo {
        _ if LARGEST.contains(&demo) => 1,
        _ if is_long() => 600,
        _ if LARGE.contains(&demo) => 1,
        _ => 6,
    }
}

/// A run of a demo.
struct Run {
    frames: u32,
    hash: String,
}

/// What `sinew report` does with a demo ends well.
fn run(context: &Context, name: &str) -> Result<Run, String> {
    let frames = affordable(name);
    let stage = stage_for(name, &[]).map_err(|error| error.to_string())?;
    let report = report::run(context, name, &stage, frames, &mut |_, _| {}).map_err(|error| error.to_string())?;
    if let Some(error) = context.take_errors().into_iter().next() {
        return Err(error);
    }
    let hash = report.state_hash.clone();
    if report.healthy() { Ok(Run { frames, hash }) } else { Err(report.to_text()) }
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
    let (golden, context) = (known(), Context::shared().expect("adapter"));
    let on = context.info();
    let adapter = format!("{} ({}, {}, {})", on.name, on.backend, on.kind, on.driver);
    let (mut wrong, mut new, mut compared) = (Vec::new(), BTreeMap::new(), 0);
    let demos = DEMOS.iter().filter(|demo| is_long() || !LARGEST.contains(&demo.name));
    for demo in demos.skip(first).step_by(2) {
        match run(&context, demo.name) {
            Err(told) => wrong.push(format!("{} is not well:\n{told}", demo.name)),
            Ok(Run { frames, hash }) => {
                let key = format!("{adapter}, {} after {frames} frames", demo.name);
                compared += usize::from(golden.contains_key(&key));
                if let Some(before) = golden.get(&key).filter(|before| **before != hash) {
                    wrong.push(format!("{key}: {hash}, and has been {before}: see the head of tests/program/demos.rs"));
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
