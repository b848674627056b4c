//! The command: parses arguments, runs, and returns an exit code (0 success, 1 bad result, 2 usage or input error).

mod args;
mod export;
mod listing;
mod measure;
mod outcome;
mod render;

use std::io::{ErrorKind, Write};
use std::process::ExitCode;

use anyhow::{Result, anyhow, bail};
use clap::error::ErrorKind as Usage;
use clap::{Parser as _, ValueEnum as _};

use self::args::{Action, BenchAction, BenchArgs, Cli, LimitsArg, RenderArgs};
use self::outcome::{Verdict, complain, print, say};
use super::event_loop::{event_loop, show};
use super::launch::Launch;
use super::live::Live;
use super::stop;
use crate::gpu::Choice;

/// Opened when no target is given.
const DEFAULT_TARGET: &str = "dancer";
/// Says how much to ask of the adapter where `--limits` does not.
const LIMITS: &str = "SINEW_LIMITS";

/// Runs the command line of this process.
pub fn main() -> ExitCode {
    start_log();
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => return refuse(&error),
    };
    let ended = run(cli);
    let code = match ended {
        Ok(Verdict::Well) => ExitCode::SUCCESS,
        Ok(Verdict::Bad) => ExitCode::from(1),
        Err(error) => {
            complain(&format!("{error:#}"));
            ExitCode::from(2)
        }
    };
    stop::pass_on();
    code
}

/// Warnings as plain sentences; with RUST_LOG set, the developer's format.
fn start_log() {
    let mut log = env_logger::Builder::from_env(env_logger::Env::default().default_filter_or("error,sinew=warn"));
    if std::env::var_os("RUST_LOG").is_none() {
        log.format(|out, record| writeln!(out, "sinew: {}: {}", record.level().as_str().to_lowercase(), record.args()));
    }
    log.init();
}

/// Refuses options that say the same twice, or that the target has no use for.
fn check_settings(cli: &Cli) -> Result<()> {
    match &cli.action {
        None => cli.settings.check(cli.target.as_deref().unwrap_or(DEFAULT_TARGET)),
        Some(Action::Render(args)) => args.settings.check(&args.target),
        Some(Action::Report(args)) => args.settings.check(&args.target),
        Some(Action::Export(args)) => args.settings.check(&args.target),
        Some(Action::Bench(BenchArgs { action: Some(BenchAction::Ab(args)), .. })) => args.settings.check(&args.target),
        Some(Action::Inspect(args)) => args.character.check(&args.model.to_string_lossy(), &args.sets),
        Some(Action::Bench(_) | Action::Demos | Action::Adapters) => Ok(()),
    }
}

fn run(cli: Cli) -> Result<Verdict> {
    check_settings(&cli)?;
    let named = cli.adapter.or_else(|| std::env::var("SINEW_ADAPTER").ok().filter(|name| !name.is_empty()));
    let limits = cli.limits.map_or_else(asked_limits, Ok)?.into();
    let adapter = Choice { adapter: named, limits };
    let Some(action) = cli.action else {
        let target = cli.target.unwrap_or_else(|| DEFAULT_TARGET.to_owned());
        let (sets, limp_at, level) = (cli.settings.all(), cli.settings.limp_at.clone(), cli.quality);
        return window(Launch { target, sets, limp_at, adapter, level });
    };
    let settled = !cli.settings.all().is_empty() || !cli.settings.limp_at.is_empty() || cli.quality.is_some();
    if cli.target.is_some() || settled {
        bail!(
            "the target, --set, --limp-at and --quality come after the command, for example `sinew render tower --set height=10`"
        );
    }
    match action {
        Action::Render(args) => {
            let path = render::render(&args, &adapter)?;
            print(&format!("{}\n", path.display()))?;
            Ok(Verdict::Well)
        }
        Action::Report(args) => measure::report(&args, &adapter),
        Action::Bench(BenchArgs { action: Some(BenchAction::Ab(args)), .. }) => measure::ab(&args, &adapter),
        Action::Bench(args) => measure::bench(&args, &adapter),
        Action::Inspect(args) => {
            print(&listing::inspect(&args)?)?;
            Ok(Verdict::Well)
        }
        Action::Export(args) => {
            print(&export::export(&args, &adapter)?)?;
            Ok(Verdict::Well)
        }
        Action::Demos => {
            print(&listing::demos())?;
            Ok(Verdict::Well)
        }
        Action::Adapters => {
            print(&listing::adapters()?)?;
            Ok(Verdict::Well)
        }
    }
}

/// The limits that the environment asks for.
fn asked_limits() -> Result<LimitsArg> {
    match std::env::var_os(LIMITS).filter(|text| !text.is_empty()) {
        None => Ok(LimitsArg::Adapter),
        Some(text) => {
            let read = LimitsArg::from_str(&text.to_string_lossy(), true);
            read.map_err(|_| anyhow!("{LIMITS}: `{}` is neither `adapter` nor `webgpu`", text.display()))
        }
    }
}

/// Opens the window; without a display, renders the target instead and says so.
fn window(launch: Launch) -> Result<Verdict> {
    match event_loop() {
        Ok(event_loop) => {
            stop::heed();
            show(event_loop, |active| Live::open(active, &launch))?;
        }
        Err(reason) => {
            let args = RenderArgs::still(&launch);
            let (target, out) = (&launch.target, args.out.display());
            log::debug!("{reason}");
            let when = args.frames.map_or("at its end".to_owned(), |frames| format!("after {frames} frames"));
            say(&format!("{}, so drawing {target} {when} into {out} instead", missing_display()));
            let path = render::render(&args, &launch.adapter)?;
            print(&format!("{}\n", path.display()))?;
        }
    }
    Ok(Verdict::Well)
}

/// Why there is no window: no display is named, or the one that is does not answer.
fn missing_display() -> String {
    let named = ["WAYLAND_DISPLAY", "DISPLAY"].map(|name| std::env::var(name).unwrap_or_default());
    match named.into_iter().find(|name| !name.is_empty()) {
        Some(name) => format!("the display `{name}` does not answer"),
        None => "no display found".to_owned(),
    }
}

/// Help and version as they are; mistakes as one sentence.
fn refuse(error: &clap::Error) -> ExitCode {
    if matches!(error.kind(), Usage::DisplayHelp | Usage::DisplayVersion) {
        return match error.print() {
            Err(error) if error.kind() != ErrorKind::BrokenPipe => {
                complain(&format!("cannot write to standard output: {error}"));
                ExitCode::from(2)
            }
            _ => ExitCode::SUCCESS,
        };
    }
    complain(&one_sentence(&error.render().to_string()));
    ExitCode::from(2)
}

/// clap's several lines as one: what is wrong, its tips, where the help is.
fn one_sentence(text: &str) -> String {
    let lines = text.lines().map(str::trim).filter(|l| !l.is_empty());
    let told: Vec<_> = lines.take_while(|l| !l.starts_with("Usage:") && !l.starts_with("For more")).collect();
    let what = told.join(" ").replacen("error: ", "", 1).replace("tip: ", "; ").replace(" ;", ";");
    format!("{what}; see `sinew --help`")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn usage_errors_are_one_line_with_their_tip() {
        let error = Cli::try_parse_from(["sinew", "render", "tower", "--frame", "3"]).unwrap_err();
        let line = one_sentence(&error.render().to_string());
        assert!(!line.contains('\n') && line.contains("--frame") && line.contains("--frames"), "{line}");
        assert!(!line.contains("Usage"), "{line}");
    }
}
