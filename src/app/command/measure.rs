//! Commands that simulate and print numbers: `sinew report` and `sinew bench`.

use std::path::Path;

use anyhow::{Context as _, Result, bail};

use super::args::{BenchArgs, ReportArgs};
use super::{Context, Progress, Verdict, print};
use crate::app::film::check_writable;
use crate::demos::stage_for;
use crate::report;

/// Simulates one target; bad when its state is not healthy.
///
/// # Errors
/// No adapter, an unknown target, a file that cannot be written, or a device lost on the way.
pub(super) fn report(args: &ReportArgs, adapter: Option<&str>) -> Result<Verdict> {
    let mut stage = stage_for(&args.target, &args.settings.all())?;
    stage.warnings.iter().for_each(|warning| log::warn!("{warning}"));
    args.settings.limp_at.iter().try_for_each(|when| stage.limp_at(when))?;
    check_output(args.json.as_deref())?;
    let ctx = Context::headless(adapter)?;
    let mut progress = Progress::new(args.frames);
    let report = report::run(&ctx, &args.target, &stage, args.frames, &mut |frame, _| progress.at(frame))?;
    drop(progress);
    check(&ctx)?;
    output(args.json.as_deref(), || report.to_json(), || report.to_text())?;
    Ok(if report.healthy() { Verdict::Well } else { Verdict::Bad })
}

/// Simulates the bench's scenes; bad when one of them is not healthy.
///
/// # Errors
/// As for [`report`], or a scene that the bench does not have.
pub(super) fn bench(args: &BenchArgs, adapter: Option<&str>) -> Result<Verdict> {
    check_output(args.json.as_deref())?;
    let ctx = Context::headless(adapter)?;
    let scenes = if args.names.is_empty() { report::BENCHES.len() } else { args.names.len() } as u32;
    let mut progress = Progress::new(scenes * args.frames);
    let (mut done, mut current) = (0, String::new());
    let table = report::bench(&ctx, &args.names, args.frames, &mut |name, frame| {
        if name != current {
            done += if current.is_empty() { 0 } else { args.frames };
            current = name.to_owned();
        }
        progress.at(done + frame);
    })?;
    drop(progress);
    check(&ctx)?;
    output(args.json.as_deref(), || table.to_json(), || table.to_text())?;
    Ok(if table.rows.iter().all(|row| row.healthy) { Verdict::Well } else { Verdict::Bad })
}

/// What the driver said that no call returned: numbers got that way mean nothing.
fn check(ctx: &Context) -> Result<()> {
    match ctx.take_errors().into_iter().next() {
        Some(error) => bail!("{error}"),
        None => Ok(()),
    }
}

fn check_output(json: Option<&Path>) -> Result<()> {
    json.filter(|path| *path != Path::new("-")).map_or(Ok(()), check_writable)
}

/// JSON to standard output for `-`; to a file otherwise, with the text on standard output; only the text without.
fn output(json: Option<&Path>, to_json: impl Fn() -> String, to_text: impl Fn() -> String) -> Result<()> {
    match json {
        Some(path) if path == Path::new("-") => print(&ended(to_json())),
        Some(path) => {
            std::fs::write(path, ended(to_json())).with_context(|| format!("cannot write {}", path.display()))?;
            print(&ended(to_text()))
        }
        None => print(&ended(to_text())),
    }
}

fn ended(mut text: String) -> String {
    if !text.ends_with('\n') {
        text.push('\n');
    }
    text
}
