//! `sinew export`: any target as a scene file.

use anyhow::{Context as _, Result, anyhow, bail};

use super::args::ExportArgs;
use crate::app::film::check_writable;
use crate::scene_file::{is_scene_file, stage_for, to_ron};

/// Writes the scene file; answers with its path and size.
///
/// # Errors
/// An unknown target, a file that is no .ron, or one that cannot be written.
pub(super) fn export(args: &ExportArgs) -> Result<String> {
    if !args.out.to_str().is_some_and(is_scene_file) {
        bail!("--out: a scene file ends in .ron, and `{}` does not", args.out.display());
    }
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
