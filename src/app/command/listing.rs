//! Commands that only print: the demos, the adapters, and what would be built from a character.

use std::path::Path;

use anyhow::{Result, bail};

use super::args::InspectArgs;
use super::outcome::write;
use crate::demos::{DEMOS, Demo, boneless};
use crate::gpu::{AdapterInfo, Context, GpuError};
use crate::import;
use crate::ragdoll::{self, Overrides, RagdollSettings};
use crate::scene::PARAMETERS;

/// Settings of a model that a ragdoll is built by, and those that nothing without bones is.
const OF_RAGDOLLS: [&str; 3] = ["material", "scale", "ragdoll"];
const NOT_OF_FLESH: [&str; 4] = ["drop", "clip", "ragdoll", "clothes"];

/// One line for each demo: name, what it is, and its parameters with their defaults.
pub(super) fn demos() -> String {
    let width = DEMOS.iter().map(|d| d.name.len()).max().unwrap_or(0);
    DEMOS.iter().map(|d| format!("{:width$}  {}{}\n", d.name, d.summary, usage(d))).collect()
}

/// One line for each adapter: backend, kind, name and driver.
pub(super) fn adapters() -> Result<String> {
    let adapters = Context::adapters();
    if adapters.is_empty() {
        return Err(GpuError::NoAdapter.into());
    }
    let line = |a: &AdapterInfo| format!("{:8}{:12}{}  [{}]\n", a.backend, a.kind, a.name, a.driver);
    Ok(adapters.iter().map(line).collect())
}

fn usage(demo: &Demo) -> String {
    if demo.options.is_empty() {
        return String::new();
    }
    let options: Vec<_> = demo.options.iter().map(|o| o.usage()).collect();
    format!("  [--set {}]", options.join(" "))
}

/// What would be built from a character; also written as a file of changes if asked.
pub(super) fn inspect(args: &InspectArgs) -> Result<String> {
    let scale = args.character.scale.map(|s| ("scale".to_owned(), s.to_string()));
    let sets: Vec<_> = args.sets.iter().cloned().chain(scale).collect();
    if let Some(file) = &args.write {
        check_written(file)?;
    }
    if let Some(told) = boneless(&args.model, &sets)? {
        if args.write.is_some() || args.character.ragdoll.is_some() {
            bail!("--write and --ragdoll need `material=ragdoll`; soft bodies and cloth have no bones");
        }
        check_used(&args.sets, false)?;
        return Ok(told);
    }
    check_used(&args.sets, true)?;
    let last = |key: &str| sets.iter().rev().find(|(own, _)| own == key).map(|(_, value)| value.as_str());
    let scale = last("scale").and_then(|scale| scale.parse().ok()).filter(|scale: &f32| *scale != 0.0);
    let asset = import::load_scaled(&args.model, scale)?;
    let changes = args.character.ragdoll.as_deref().or(last("ragdoll"));
    let overrides = changes.map(|file| Overrides::load(Path::new(file))).transpose()?;
    let plan = ragdoll::build_with(&asset, &RagdollSettings::default(), &overrides.unwrap_or_default())?;
    if let Some(file) = &args.write {
        write("--write", file, plan.to_ron(&asset))?;
    }
    let mut text = plan.describe();
    if !text.ends_with('\n') {
        text.push('\n');
    }
    Ok(text)
}

/// Refuses a file that is no file of changes.
fn check_written(file: &Path) -> Result<()> {
    if !file.extension().is_some_and(|end| end.eq_ignore_ascii_case("ron")) {
        bail!("--write: the file name must end in .ron, and `{}` does not", file.display());
    }
    Ok(())
}

/// Refuses settings that change nothing of what is told.
fn check_used(sets: &[(String, String)], has_bones: bool) -> Result<()> {
    let of_world = |key: &str| PARAMETERS.iter().any(|parameter| parameter.name == key);
    let is_unused = |key: &str| match has_bones {
        true => !OF_RAGDOLLS.contains(&key),
        false => NOT_OF_FLESH.contains(&key) || of_world(key),
    };
    match sets.iter().find(|(key, _)| is_unused(key)) {
        Some((key, _)) => bail!("--set {key}: this does not affect what is built from the model"),
        None => Ok(()),
    }
}
