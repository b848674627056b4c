//! Commands that simulate and print numbers: `sinew report` and `sinew bench`.

use std::path::Path;

use anyhow::{Context as _, Result, bail};

use super::args::{AbArgs, BenchArgs, ReportArgs, frame_count};
use super::outcome::{Verdict, check_output, print, write};
use crate::app::film::names_folder;
use crate::app::played::{Changed, Played, is_continued};
use crate::app::progress::Progress;
use crate::app::take::End;
use crate::gpu::{Choice, Context, Limits};
use crate::report::{self, Course, Program, Question, Report, ReportError};
use crate::scene::Scene;
use crate::scene_file::{is_take, stage_for};
use crate::solver::Solver;

/// Simulates one target; bad when its state is not healthy.
///
/// # Errors
/// No adapter, an unknown target, a file that cannot be written, or a device lost on the way.
pub(super) fn report(args: &ReportArgs, adapter: &Choice) -> Result<Verdict> {
    if is_take(&args.target) || is_continued(&args.target) {
        return report_played(args, adapter);
    }
    let mut stage = stage_for(&args.target, &args.settings.all())?;
    let frames = frame_count(args.frames, None)?;
    stage.warnings.iter().for_each(|warning| log::warn!("{warning}"));
    args.settings.limp_at.iter().try_for_each(|when| stage.limp_at(when))?;
    args.settings.tell_late(frames);
    check_outputs(args.json.as_deref(), None)?;
    let ctx = Context::headless_as(adapter)?;
    let mut progress = Progress::new(frames);
    let report = report::run(&ctx, &args.target, &stage, frames, &mut |frame, _| progress.at(frame))?;
    drop(progress);
    told(args, &ctx, &report)
}

/// Does a take again, or goes on with a scene that was saved, and measures it; says so where a take ends otherwise than it was recorded.
fn report_played(args: &ReportArgs, adapter: &Choice) -> Result<Verdict> {
    if !is_take(&args.target) {
        frame_count(args.frames, None)?;
    }
    let ctx = Context::headless_as(adapter)?;
    let played = Played::open(&ctx, &args.target, args.settings.all(), &args.settings.limp_at)?;
    check_outputs(args.json.as_deref(), None)?;
    let recorded = played.recorded.clone();
    let frames = frame_count(args.frames, recorded.as_ref().map(|take| take.0))?;
    args.settings.tell_late(frames);
    let mut again = Again { played, ctx: &ctx };
    let mut progress = Progress::new(frames);
    let report = report::measure(&ctx, &args.target, &mut again, frames, &mut |frame, _| progress.at(frame))?;
    drop(progress);
    if let Some((of, Some(End { state_hash, adapter }))) = recorded
        && of == frames
        && state_hash != report.state_hash
    {
        log::warn!(
            "{} ends differently than when it was recorded on {adapter}: its state_hash was {state_hash}",
            args.target
        );
    }
    told(args, &ctx, &report)
}

/// Prints a report.
fn told(args: &ReportArgs, ctx: &Context, report: &Report) -> Result<Verdict> {
    check(ctx)?;
    output(args.json.as_deref(), None, || report.to_json(), || report.to_text())?;
    Ok(if report.healthy() { Verdict::Well } else { Verdict::Bad })
}

/// A take that is done again.
struct Again<'a> {
    played: Played,
    ctx: &'a Context,
}

impl Course for Again<'_> {
    fn scene(&self) -> &Scene {
        &self.played.scene
    }

    fn solver(&mut self) -> &mut Solver {
        &mut self.played.solver
    }

    fn begin(&mut self) -> Result<bool, ReportError> {
        let followed = self.played.follow_take(self.ctx);
        followed.map_err(|error| ReportError::Course(format!("{error:#}")))?;
        Ok(std::mem::take(&mut self.played.changed) != Changed::Nothing)
    }

    fn step(&mut self) -> Result<(), ReportError> {
        self.played.step().map_err(|error| ReportError::Course(format!("{error:#}")))
    }
}

/// Makes the bench's tables; bad when one of their scenes is not healthy.
///
/// # Errors
/// As for [`report`], or a table that the bench does not have.
pub(super) fn bench(args: &BenchArgs, adapter: &Choice) -> Result<Verdict> {
    let folder = args.json.as_deref().filter(|path| path.is_dir() || names_folder(path));
    if let Some(folder) = folder {
        let probe = folder.join("adapter.json");
        std::fs::create_dir_all(folder).with_context(|| format!("cannot create the folder {}", folder.display()))?;
        check_output("--json", &probe).with_context(|| format!("cannot write into {}", folder.display()))?;
    }
    check_outputs(args.json.as_deref().filter(|_| folder.is_none()), args.plot.as_deref())?;
    let ctx = Context::headless_as(adapter)?;
    let mut progress = Progress::of(report::bench_count(&args.names) as u32, "tables");
    let tables = report::bench(&ctx, &args.names, args.frames, args.most, &mut |done| progress.at(done as u32))?;
    drop(progress);
    check(&ctx)?;
    let named = folder.map(|folder| folder.join(format!("{}.json", tables.file_stem())));
    let plot = args.plot.as_deref().filter(|_| tables.panels() > 0).map(|path| (path, tables.to_svg()));
    if let (Some(path), None) = (&args.plot, &plot) {
        log::warn!("these tables have nothing to plot: {} is not written", path.display());
    }
    output(named.as_deref().or(args.json.as_deref()), plot, || tables.to_json(), || tables.to_text())?;
    Ok(if tables.healthy() { Verdict::Well } else { Verdict::Bad })
}

/// Compares sides of one scene; bad when one of them is not healthy.
///
/// # Errors
/// As for [`report`], fewer than two sides, or another program that does not answer.
pub(super) fn ab(args: &AbArgs, adapter: &Choice) -> Result<Verdict> {
    let sides: Vec<_> = args.sides.iter().map(|side| side.0.clone()).collect();
    if args.against.is_none() && sides.len() < 2 {
        bail!("there is nothing to compare: give --side \"KEY=VALUE ...\" at least twice, or --against PATH");
    }
    if !args.settings.limp_at.is_empty() {
        bail!("all sides follow the same clip: `bench ab` takes no --limp-at");
    }
    let (target, shared) = (args.target.clone(), args.settings.all());
    let question = Question { target, shared, sides, frames: args.frames, start: args.start };
    if [&args.json, &args.plot].into_iter().flatten().any(|path| path.exists()) {
        read_sides(&question)?;
    }
    check_outputs(args.json.as_deref(), args.plot.as_deref())?;
    let ctx = Context::headless_as(adapter)?;
    let mut progress = None;
    let mut on_round = |done, all| progress.get_or_insert_with(|| Progress::of(all, "rounds")).at(done);
    let found = match &args.against {
        None => report::compare(&ctx, &question, &mut on_round)?,
        Some(other) => {
            let programs = programs(&question, other, adapter)?;
            report::against(&question, &programs, ctx.copy_bandwidth()?, &mut on_round)?
        }
    };
    drop(progress);
    check(&ctx)?;
    let plot = args.plot.as_deref().map(|path| (path, found.to_svg()));
    output(args.json.as_deref(), plot, || found.to_json(), || found.to_text())?;
    Ok(if found.healthy() { Verdict::Well } else { Verdict::Bad })
}

/// Reads what all sides are made of, so that it is known before they are compared.
fn read_sides(question: &Question) -> Result<()> {
    let Question { target, shared, sides, .. } = question;
    stage_for(target, shared)?;
    for side in sides {
        stage_for(target, &[&shared[..], side].concat())?;
    }
    Ok(())
}

/// This program with each side, or as the scene is without any, and then the other one with the first side.
fn programs(question: &Question, other: &Path, adapter: &Choice) -> Result<Vec<Program>> {
    let mut options = Vec::new();
    if let Some(name) = &adapter.adapter {
        options.extend(["--adapter".to_owned(), name.clone()]);
    }
    if adapter.limits == Limits::WebGpu {
        options.extend(["--limits", "webgpu"].map(str::to_owned));
    }
    let own = std::env::current_exe().context("cannot find this program")?;
    let sides = if question.sides.is_empty() { vec![Vec::new()] } else { question.sides.clone() };
    let first = sides[0].clone();
    let ours = sides.into_iter().zip('a'..).map(|(sets, letter)| (letter.to_string(), own.clone(), sets));
    let theirs = (other.display().to_string(), other.to_owned(), first);
    let program = |(name, path, sets)| Program { name, path, sets, options: options.clone() };
    Ok(ours.chain([theirs]).map(program).collect())
}

/// What the driver said that no call returned: numbers got that way mean nothing.
fn check(ctx: &Context) -> Result<()> {
    match ctx.take_errors().into_iter().next() {
        Some(error) => bail!("{error}"),
        None => Ok(()),
    }
}

/// Makes sure that both files can be written when all is measured.
fn check_outputs(json: Option<&Path>, plot: Option<&Path>) -> Result<()> {
    if let (Some(path), true) = (json, json == plot) {
        bail!("--json and --plot are both `{}`: one would overwrite the other", path.display());
    }
    let json = json.filter(|path| *path != Path::new("-"));
    json.map_or(Ok(()), |path| check_output("--json", path))?;
    let Some(path) = plot else { return Ok(()) };
    check_output("--plot", path)?;
    match path.extension() {
        Some(ending) if ending.eq_ignore_ascii_case("svg") => Ok(()),
        _ => bail!("--plot: `{}` must end in .svg, the only format of plots", path.display()),
    }
}

/// JSON to standard output for `-`; to a file otherwise, with the text on standard output; only the text without. What cannot be written at one
/// place is written at the others all the same: measuring took long.
fn output(
    json: Option<&Path>,
    plot: Option<(&Path, String)>,
    to_json: impl Fn() -> String,
    to_text: impl Fn() -> String,
) -> Result<()> {
    let (to_file, printed) = match json {
        Some(path) if path == Path::new("-") => (Ok(()), print(&ended(to_json()))),
        Some(path) => (write("--json", path, ended(to_json())), print(&ended(to_text()))),
        None => (Ok(()), print(&ended(to_text()))),
    };
    let plotted = plot.map_or(Ok(()), |(path, text)| write("--plot", path, text));
    to_file.and(plotted).and(printed)
}

fn ended(mut text: String) -> String {
    if !text.ends_with('\n') {
        text.push('\n');
    }
    text
}
