//! Commands that only print: the demos, the adapters, and what would be built from a character.

use std::path::Path;

use anyhow::{Context as _, Result, bail};

use super::args::InspectArgs;
use crate::demos::{DEMOS, Demo, boneless};
use crate::gpu::{AdapterInfo, Context, GpuError};
use crate::import;
use crate::ragdoll::{self, Overrides, RagdollSettings};

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
    if let Some(told) = boneless(&args.model, &sets)? {
        if args.write.is_some() || args.character.ragdoll.is_some() {
            bail!("--write and --ragdoll need `material=ragdoll`; soft bodies and cloth have no bones");
        }
        return Ok(told);
    }
    let asset = import::load_scaled(&args.model, args.character.scale)?;
    let overrides = args.character.ragdoll.as_ref().map(|file| Overrides::load(Path::new(file))).transpose()?;
    let plan = ragdoll::build_with(&asset, &RagdollSettings::default(), &overrides.unwrap_or_default())?;
    if let Some(file) = &args.write {
        std::fs::write(file, plan.to_ron(&asset)).with_context(|| format!("{} cannot be written", file.display()))?;
    }
    let mut text = plan.describe();
    if !text.ends_with('\n') {
        text.push('\n');
    }
    Ok(text)
}
