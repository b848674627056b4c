//! Commands that only print: the demos, and what would be built from a character.

use std::path::Path;

use anyhow::Result;

use crate::demos::{DEMOS, Demo};
use crate::{import, ragdoll};

/// One line for each demo: name, what it is, and its parameters with their defaults.
pub(super) fn demos() -> String {
    let width = DEMOS.iter().map(|d| d.name.len()).max().unwrap_or(0);
    DEMOS.iter().map(|d| format!("{:width$}  {}{}\n", d.name, d.summary, usage(d))).collect()
}

fn usage(demo: &Demo) -> String {
    if demo.options.is_empty() {
        return String::new();
    }
    let options: Vec<_> = demo.options.iter().map(|o| o.usage()).collect();
    format!("  [--set {}]", options.join(" "))
}

/// What would be built from a character.
pub(super) fn inspect(model: &Path) -> Result<String> {
    let asset = import::load(model)?;
    let plan = ragdoll::build(&asset, &ragdoll::RagdollSettings::default())?;
    let mut text = plan.describe();
    if !text.ends_with('\n') {
        text.push('\n');
    }
    Ok(text)
}
