//! Other programs, such as a build of an earlier commit: each block is one `report` of one of them, all in turn.

use std::path::PathBuf;
use std::process::Command;

use super::question::{Question, typed};
use super::record::{Comparison, Side};
use super::statistics::{Ratio, Times, turns};

use crate::report::{Report, ReportError, median};

/// Reports of each program: an even number, so that they run there and back.
const ROUNDS: u32 = 6;

/// A program that has `report`, and what it alone is told.
#[derive(Clone, Debug)]
pub struct Program {
    /// What it is called in the table.
    pub name: String,
    /// The file.
    pub path: PathBuf,
    /// What it alone has set.
    pub sets: Vec<(String, String)>,
    /// More options, such as the adapter.
    pub options: Vec<String>,
}

impl Program {
    /// Runs `report` once.
    fn report(&self, question: &Question, frames: u32) -> Result<Report, ReportError> {
        let fault = |reason: String| ReportError::Program { path: self.path.clone(), reason };
        let mut command = Command::new(&self.path);
        command.args(["report", &question.target, "--frames", &frames.to_string(), "--json", "-"]);
        for (key, value) in question.sets(&self.sets) {
            command.args(["--set", &format!("{key}={value}")]);
        }
        let output = command.args(&self.options).output().map_err(|error| fault(error.to_string()))?;
        serde_json::from_slice(&output.stdout).map_err(|error| {
            let said = String::from_utf8_lossy(&output.stderr);
            fault(match said.trim() {
                "" => format!("it does not answer `report --json -` as `sinew` does ({error})"),
                said => said.to_owned(),
            })
        })
    }
}

/// Runs the programs in turn, each a few times, each time from the start of the scene: `start` and a part of `frames`
/// frames, all of which count. `on_round` gets the number of rounds done, and of all; `copy` is the bandwidth of a copy
/// [bytes/s].
///
/// # Errors
/// [`ReportError::Program`] when one cannot be run or does not answer as `report --json -` does.
pub fn against(
    question: &Question,
    programs: &[Program],
    copy: f64,
    on_round: &mut dyn FnMut(u32, u32),
) -> Result<Comparison, ReportError> {
    let start = question.start();
    let frames = start + question.frames.div_ceil(ROUNDS);
    let mut reports: Vec<Vec<Report>> = vec![Vec::new(); programs.len()];
    for round in 0..ROUNDS {
        for side in turns(programs.len(), round) {
            reports[side].push(programs[side].report(question, frames)?);
        }
        on_round(round + 1, ROUNDS);
    }
    let blocks = |of: &[Report]| of.iter().filter_map(|report| report.timing.frame_ms.median).collect::<Vec<_>>();
    let first = reports.first().map(|of| blocks(of)).unwrap_or_default();
    let adapter = reports.first().and_then(|of| of.first()).map(|report| report.adapter.clone());
    let sides = programs.iter().zip(&reports).enumerate().filter_map(|(i, (program, of))| {
        let side = side(program, of, blocks(of))?;
        let ratio = (i > 0).then(|| Ratio::of(&side.blocks_ms, &first)).flatten();
        Some(Side { ratio, ..side })
    });
    Ok(Comparison {
        adapter: adapter.ok_or_else(|| ReportError::Program { path: PathBuf::new(), reason: "no program".into() })?,
        target: question.target.clone(),
        shared: typed(&question.shared),
        start: 0,
        frames: frames * ROUNDS,
        block: frames,
        copy_bytes_per_second: copy,
        sides: sides.collect(),
    })
}

/// What the reports of one program say together. The state is that of the last, as all are the same.
fn side(program: &Program, reports: &[Report], blocks_ms: Vec<f64>) -> Option<Side> {
    let last = reports.last()?.clone();
    let p95: Vec<f64> = reports.iter().filter_map(|report| report.timing.frame_ms.p95).collect();
    let host: Vec<f64> = reports.iter().filter_map(|report| report.timing.host_ms).collect();
    let joined = ["ball", "hinge", "stiff", "universal", "attachment"];
    let constraints: u32 =
        last.counts.constraints.iter().filter(|(name, _)| !joined.contains(&name.as_str())).map(|(_, n)| *n).sum();
    let bytes = last.memory.values().sum::<u64>() as f64;
    let frame_ms = Times { p95: median(&p95).unwrap_or(0.0), ..Times::of(&blocks_ms) };
    let projections = f64::from(constraints) * f64::from(last.substeps * last.iterations);
    Some(Side {
        name: program.name.clone(),
        settings: typed(&program.sets),
        frame_ms,
        ratio: None,
        blocks_ms,
        host_ms: median(&host).unwrap_or(0.0),
        passes_ms: last.timing.passes_ms,
        dispatches_per_frame: last.counts.dispatches_per_frame,
        substeps: last.substeps,
        iterations: last.iterations,
        particles: last.counts.particles,
        constraints: constraints as usize,
        projections_per_second: (constraints > 0).then(|| projections / frame_ms.median * 1e3),
        bytes_per_particle: (!last.memory.is_empty()).then(|| bytes / f64::from(last.counts.particles.max(1))),
        // What a row of another build looks like is its own affair.
        constraint_bytes: 0.0,
        bandwidth_share: None,
        health: last.health,
        quality: last.quality,
        state_hash: last.state_hash,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_an_older_build_does_not_tell_is_absent() {
        let json = r#"{"target": "s0", "adapter": {"name": "card", "backend": "", "kind": "", "driver": ""}, "frames": 2,
            "dt": 0.01, "substeps": 2, "iterations": 3, "counts": {"particles": 9, "constraints": {"ball": 1, "distance": 7}},
            "timing": {"frame_ms": {"median": 2.0, "p95": 4.0}}, "health": {}, "quality": {"stretch_max": 0.1},
            "state_hash": "00"}"#;
        let report: Report = serde_json::from_str(json).unwrap();
        let program = Program { name: "b".into(), path: PathBuf::new(), sets: vec![], options: vec![] };
        let told = side(&program, &[report], vec![2.0]).unwrap();
        assert_eq!((told.constraints, told.bytes_per_particle, told.quality.stretch_mean), (7, None, None));
        assert_eq!(told.projections_per_second, Some(7.0 * 6.0 / 0.002));
        assert_eq!(told.frame_ms, Times { median: 2.0, p95: 4.0, min: 2.0 });
    }

    #[test]
    fn a_program_that_is_none_is_named() {
        let question = Question { target: "tower".into(), shared: vec![], sides: vec![], frames: 1, start: None };
        let program = |path: &str| Program { name: "b".into(), path: path.into(), sets: vec![], options: vec![] };
        let refused = |path| against(&question, &[program(path)], 1.0, &mut |_, _| ()).unwrap_err().to_string();
        assert!(refused("/no/such/sinew").contains("/no/such/sinew"));
        #[cfg(unix)]
        assert!(refused("/bin/true").contains("as `sinew` does"));
    }
}
