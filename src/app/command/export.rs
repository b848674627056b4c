//! `sinew export`: any target as a scene file, or what it does as glTF.

use std::path::Path;

use anyhow::{Context as _, Result, anyhow, bail};

use super::args::{ExportArgs, frame_count};
use super::outcome::{check_output, tell_numbers, write};
use crate::app::played::{Played, STATE, is_continued};
use crate::app::progress::Progress;
use crate::export::Recording;
use crate::files;
use crate::gpu::{Choice, Context};
use crate::scene_file::{is_scene_file, is_take, stage_for, to_ron};

/// Frames a second of a .glb where none are asked for.
const FPS: f32 = 30.0;
/// What rounding makes of the time of a frame, in frames.
const UNSURE: f64 = 1e-3;

/// Writes the file; answers with its path.
///
/// # Errors
/// An unknown target, an ending that is neither .ron nor .glb, or a file that cannot be written; for a .glb also no adapter, or
/// frames that nobody has counted.
pub(super) fn export(args: &ExportArgs, adapter: &Choice) -> Result<String> {
    let is_glb = args.out.extension().is_some_and(|end| end.eq_ignore_ascii_case("glb"));
    if is_glb {
        return export_glb(args, adapter);
    }
    let named = args.out.to_string_lossy();
    if !is_scene_file(&named) {
        let is_of_take = is_take(&named);
        let why = if is_of_take { "is the name of a take" } else { "ends in neither" };
        bail!("--out: a scene file ends in .ron, glTF in .glb, and `{}` {why}", args.out.display());
    }
    let unused = [("--frames", args.frames.is_some()), ("--fps", args.fps.is_some())];
    if let Some((option, _)) = unused.into_iter().find(|(_, given)| *given) {
        bail!("{option}: a scene file holds only the initial state; use a .glb for motion");
    }
    export_scene(args)
}

fn export_glb(args: &ExportArgs, adapter: &Choice) -> Result<String> {
    if !is_take(&args.target) {
        frame_count(args.frames, None)?;
    }
    let ctx = Context::headless_as(adapter)?;
    let mut played = Played::open(&ctx, &args.target, args.settings.all(), &args.settings.limp_at)?;
    let frames = frame_count(args.frames, played.recorded.as_ref().map(|take| take.0))?;
    args.settings.tell_late(frames);
    let fps = args.fps.unwrap_or(FPS);
    let dt = played.solver.params().dt;
    if fps * dt > 1.0 + UNSURE as f32 {
        log::warn!("--fps {fps}: the scene has only {:.0} frames a second, and so does the file", 1.0 / dt);
    }
    check_output("--out", &args.out)?;
    let kept = (0..=frames).filter(|frame| is_kept(f64::from(*frame) * f64::from(dt), dt, fps));
    Recording::check(&played.scene, kept.count() as u32)?;
    let mut recording = Recording::default();
    let mut progress = Progress::new(frames);
    let mut time = 0.0;
    for frame in 0..=frames {
        played.follow_take(&ctx)?;
        // A take may change it.
        let dt = played.solver.params().dt;
        if frame == 0 || frame == frames || is_kept(time, dt, fps) {
            recording.frame(time as f32, &played.scene, &played.cast, &played.solver)?;
        }
        if frame < frames {
            played.step()?;
            time += f64::from(dt);
        }
        progress.at(frame);
    }
    drop(progress);
    let left_out = recording.left_out();
    if !left_out.is_empty() {
        log::warn!("left out of {}: {}", args.out.display(), left_out.join("; "));
    }
    tell_numbers(&played.solver)?;
    write("--out", &args.out, recording.glb()?)?;
    Ok(format!("{}\n", args.out.display()))
}

/// Whether of frames `dt` [s] apart the one at `time` [s] is the nearest to one of `fps` a second. Of two that are as near the earlier
/// one, as far as rounding leaves it to tell.
fn is_kept(time: f64, dt: f32, fps: f32) -> bool {
    let (dt, fps) = (f64::from(dt), f64::from(fps));
    let off = ((time * fps).round() / fps - time) / dt;
    dt > 0.0 && (dt * fps >= 1.0 || (-0.5 + UNSURE..0.5 + UNSURE).contains(&off))
}

fn export_scene(args: &ExportArgs) -> Result<String> {
    let sets = args.settings.all();
    let mut stage = stage_for(&args.target, &sets)?;
    stage.warnings.iter().for_each(|warning| log::warn!("{warning}"));
    args.settings.limp_at.iter().try_for_each(|when| stage.limp_at(when))?;
    check_output("--out", &args.out)?;
    let words: Vec<String> = sets.iter().map(|(key, value)| format!(" --set {key}={value}")).collect();
    let text = to_ron(&stage, &format!("sinew export {}{}", args.target, words.concat())).map_err(|e| anyhow!(e))?;
    write("--out", &args.out, text)?;
    if is_continued(&args.target) {
        // Of a scene that is built otherwise than it was saved the moment is another's.
        if sets.is_empty() && args.settings.limp_at.is_empty() {
            let [from, to] = [Path::new(&args.target), &args.out].map(|path| path.with_extension(STATE));
            let state = files::read(&from).with_context(|| format!("cannot read {}", from.display()))?;
            files::write(&to, state).with_context(|| format!("cannot write {}", to.display()))?;
        } else {
            log::warn!(
                "{} starts from the beginning: the state beside {} is for the saved scene",
                args.out.display(),
                args.target
            );
        }
    }
    Ok(format!("{}\n", args.out.display()))
}

#[cfg(test)]
mod tests {
    use clap::{Args as _, Command, FromArgMatches as _};

    use super::*;

    #[test]
    fn a_saved_moment_is_exported_with_its_scene() {
        let ctx = Context::shared().expect("adapter");
        let file = |name: &str| std::env::temp_dir().join(format!("sinew-{name}-{}.ron", std::process::id()));
        let (saved, exported) = (file("saved"), file("exported"));
        let open = |target: &Path| Played::open(&ctx, target.to_str().unwrap(), Vec::new(), &[]).unwrap();
        let mut played = open(Path::new("tower"));
        (0..20).for_each(|_| played.step().unwrap());
        played.save(&saved).unwrap();
        let words = ["export", saved.to_str().unwrap(), "--out", exported.to_str().unwrap()];
        let args = ExportArgs::augment_args(Command::new("export")).get_matches_from(words);
        export(&ExportArgs::from_arg_matches(&args).unwrap(), &Choice::default()).unwrap();
        let now = |played: &Played| played.solver.read_bodies().unwrap();
        assert_eq!(now(&open(&exported)), now(&played));
        for path in [saved, exported] {
            std::fs::remove_file(path.with_extension(STATE)).unwrap();
            std::fs::remove_file(path).unwrap();
        }
    }

    #[test]
    fn as_many_frames_are_kept_as_were_asked_for() {
        let dt = 1.0f32 / 60.0;
        let kept = |fps: f32, last: u32| -> Vec<u32> {
            let times =
                (0..=last).scan(0.0, |time, frame| Some((frame, std::mem::replace(time, *time + f64::from(dt)))));
            times.filter(|(_, time)| is_kept(*time, dt, fps)).map(|(frame, _)| frame).collect()
        };
        let counts = [1.0, 7.0, 24.0, 25.0, 30.0, 40.0, 50.0, 60.0, 120.0].map(|fps| kept(fps, 600).len());
        assert_eq!(counts, [11, 71, 241, 251, 301, 401, 501, 601, 601]);
        assert_eq!(kept(24.0, 11), [0, 2, 5, 7, 10]);
        assert!(!is_kept(0.5, 0.0, 30.0), "a world that stands still");
    }
}
