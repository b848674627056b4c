//! Every demo at its defaults is healthy: nothing is dropped, nothing crosses, all is finite and in the world.

use std::process::Command;

use sinew::demos::{DEMOS, stage_for};

/// Frames that software can afford of a scene of so many particles.
fn affordable(particles: usize) -> u32 {
    let long = std::env::var_os("SINEW_LONG").is_some();
    match particles {
        _ if long => 600,
        0..5_000 => 16,
        5_000..12_000 => 6,
        _ => 2,
    }
}

/// `sinew report` of a demo ends well.
fn is_healthy(name: &str) -> Result<(), String> {
    let particles = stage_for(name, &[]).map_err(|error| error.to_string())?.scene.particles.len();
    let frames = affordable(particles).to_string();
    let mut report = Command::new(env!("CARGO_BIN_EXE_sinew"));
    let output = report.args(["report", name, "--frames", &frames]).output().map_err(|error| error.to_string())?;
    if output.status.success() {
        return Ok(());
    }
    let [out, err] = [output.stdout, output.stderr].map(|text| String::from_utf8_lossy(&text).into_owned());
    Err(format!("`sinew report {name} --frames {frames}`:\n{out}{err}"))
}

/// Every second demo, so that two cores share them.
fn are_healthy(first: usize) {
    let wrong: Vec<String> =
        DEMOS.iter().skip(first).step_by(2).filter_map(|demo| is_healthy(demo.name).err()).collect();
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
