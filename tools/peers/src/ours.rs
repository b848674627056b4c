//! The scenes in sinew: its program runs `report` and says what it measured as JSON.

use std::path::Path;
use std::process::Command;

use anyhow::{Context as _, Result, bail};
use serde_json::Value;

use crate::Scene;
use crate::table::Row;

/// Target and parameters of a scene on the command line.
fn words(scene: Scene, count: u32) -> Vec<String> {
    let (target, sets): (&str, Vec<String>) = match scene {
        Scene::Pairs => ("pairs", vec![format!("count={count}"), "pit=6".into(), "sleep_time=0".into()]),
        Scene::Ragdolls => ("ragdolls", vec![format!("count={count}"), "model=figure".into(), "sleep_time=0".into()]),
        Scene::Cloth => ("s0", vec![format!("side={count}"), "over=sphere".into()]),
        Scene::Tets => ("s1", vec![]),
    };
    [target.to_owned()].into_iter().chain(sets.into_iter().flat_map(|set| ["--set".to_owned(), set])).collect()
}

/// Runs `report` once.
///
/// # Errors
/// The program is not there, refuses, or does not answer with its JSON.
pub(crate) fn run(scene: Scene, count: u32, frames: u32, program: &Path) -> Result<Row> {
    let mut command = Command::new(program);
    command.arg("report").args(words(scene, count)).args(["--frames", &frames.to_string(), "--json", "-"]);
    let output = command
        .output()
        .with_context(|| format!("cannot run {}: build it, or name it with --sinew", program.display()))?;
    let Ok(json) = serde_json::from_slice::<Value>(&output.stdout) else {
        bail!("{} said: {}", program.display(), String::from_utf8_lossy(&output.stderr).trim());
    };
    Ok(row(&json))
}

fn row(json: &Value) -> Row {
    let (quality, counts) = (&json["quality"], &json["counts"]);
    let both = |a: &Value, b: &Value, scale: f64| Some([a.as_f64()? * scale, b.as_f64()? * scale]);
    let rows: u64 = counts["constraints"].as_object().map_or(0, |of| of.values().filter_map(Value::as_u64).sum());
    let [particles, bodies] = ["particles", "bodies"].map(|key| counts[key].as_u64().unwrap_or(0));
    let healthy = json["health"].as_object().is_some_and(|of| of.values().all(|n| n.as_u64() == Some(0)));
    let text = |value: &Value| value.as_str().unwrap_or("?").to_owned();
    Row {
        name: format!(
            "sinew, {}, {} x {}{}",
            text(&json["adapter"]["name"]),
            json["substeps"],
            json["iterations"],
            if healthy { "" } else { ", NOT HEALTHY" }
        ),
        scene: format!("{bodies} bodies, {particles} particles, {rows} constraints"),
        median_ms: json["timing"]["frame_ms"]["median"].as_f64().unwrap_or(0.0),
        p95_ms: json["timing"]["frame_ms"]["p95"].as_f64().unwrap_or(0.0),
        gap_mm: both(&quality["joint_gap_end_mean_m"], &quality["joint_gap_end_m"], 1e3),
        stretch: both(&quality["stretch_mean"], &quality["stretch_p99"], 100.0),
        overlap: quality["penetration_end_radii"].as_f64().map_or("-".into(), |r| format!("{r:.2} radii")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_null_is_no_figure_and_illness_is_told() {
        let json = serde_json::json!({
            "adapter": {"name": "card"}, "substeps": 8, "iterations": 1,
            "counts": {"particles": 9, "bodies": 2, "constraints": {"ball": 1, "hinge": 2}},
            "timing": {"frame_ms": {"median": 1.5, "p95": 2.0}}, "health": {"non_finite": 1},
            "quality": {"joint_gap_end_mean_m": 0.001, "joint_gap_end_m": 0.002, "stretch_mean": null},
        });
        let row = row(&json);
        assert_eq!((row.median_ms, row.gap_mm, row.stretch), (1.5, Some([1.0, 2.0]), None));
        assert!(row.name.contains("card") && row.name.contains("NOT HEALTHY") && row.scene.contains("3 constraints"));
    }
}
