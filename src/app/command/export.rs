//! `sinew export`: any target as a scene file, or what it does as glTF.

use anyhow::{Context as _, Result, anyhow, bail};

use super::args::{ExportArgs, frame_count};
use crate::app::film::check_writable;
use crate::app::played::Played;
use crate::app::progress::Progress;
use crate::export::Recording;
use crate::gpu::{Choice, Context};
use crate::scene_file::{is_scene_file, is_take, stage_for, to_ron};

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
    if !args.out.to_str().is_some_and(is_scene_file) {
        bail!("--out: a scene file ends in .ron, glTF in .glb, and `{}` in neither", args.out.display());
    }
    if args.frames.is_some() {
        bail!("--frames: a scene file has the scene as it begins; only a .glb has what it does");
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
    let dt = played.solver.params().dt;
    let kept = |frame: u32| is_kept(frame, frames, args.fps, dt);
    check_writable(&args.out)?;
    Recording::check(&played.scene, (0..=frames).filter(|frame| kept(*frame)).count() as u32)?;
    let mut recording = Recording::default();
    let mut progress = Progress::new(frames);
    for frame in 0..=frames {
        played.follow_take(&ctx)?;
        if kept(frame) {
            recording.frame(frame as f32 * dt, &played.scene, &played.cast, &played.solver)?;
        }
        if frame < frames {
            played.step()?;
        }
        progress.at(frame);
    }
    drop(progress);
    let left_out = recording.left_out();
    if !left_out.is_empty() {
        log::warn!("left out of {}: {}", args.out.display(), left_out.join("; "));
    }
    std::fs::write(&args.out, recording.glb()?).with_context(|| format!("cannot write {}", args.out.display()))?;
    Ok(format!("{}\n", args.out.display()))
}

/// Whether of frames `dt` [s] apart this one is the nearest to one of `fps` a second, or the first or the last one.
fn is_kept(frame: u32, last: u32, fps: f32, dt: f32) -> bool {
    let step = (f64::from(fps) * f64::from(dt)).recip().max(1.0);
    let nearest = (f64::from(frame) / step).round() * step;
    frame == 0 || frame == last || nearest.round() == f64::from(frame)
}

fn export_scene(args: &ExportArgs) -> Result<String> {
    let sets = args.settings.all();
    let mut stage = stage_for(&args.target, &sets)?;
    stage.warnings.iter().for_each(|warning| log::warn!("{warning}"));
    args.settings.limp_at.iter().try_for_each(|when| stage.limp_at(when))?;
    check_writable(&args.out)?;
    let words: Vec<String> = sets.iter().map(|(key, value)| format!(" --set {key}={value}")).collect();
    let text = to_ron(&stage, &format!("sinew export {}{}", args.target, words.concat())).map_err(|e| anyhow!(e))?;
    std::fs::write(&args.out, &text).with_context(|| format!("cannot write {}", args.out.display()))?;
    Ok(format!("{}\n", args.out.display()))
}

#[cfg(test)]
mod tests {
    use super::is_kept;

    #[test]
    fn as_many_frames_are_kept_as_were_asked_for() {
        let kept = |fps: f32, last: u32| -> Vec<u32> {
            (0..=last).filter(|frame| is_kept(*frame, last, fps, 1.0 / 60.0)).collect()
        };
        let counts = [1.0, 7.0, 24.0, 25.0, 30.0, 50.0, 60.0, 120.0].map(|fps| kept(fps, 600).len());
        assert_eq!(counts, [11, 71, 241, 251, 301, 501, 601, 601]);
        assert_eq!(kept(24.0, 11), [0, 2, 5, 7, 10, 11]);
        assert_eq!((kept(30.0, 21).pop(), kept(30.0, 1)), (Some(21), vec![0, 1]));
        assert!(is_kept(0, 9, 30.0, 0.0), "a world that stands still");
    }
}
