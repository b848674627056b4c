//! What to open, as the command line and the window know it.

use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::animation::LimpAt;
use crate::gpu::{Choice, Context};
use crate::render::Quality;

/// What to open.
#[derive(Clone, Debug)]
pub(crate) struct Launch {
    /// A demo or a model file.
    pub(crate) target: String,
    /// Settings of the world and the demo.
    pub(crate) sets: Vec<(String, String)>,
    /// Frames after which characters go limp.
    pub(crate) limp_at: Vec<LimpAt>,
    /// The adapter to run on.
    pub(crate) adapter: Choice,
    /// Rendering quality; none: as the window was left.
    pub(crate) level: Option<Level>,
}

/// Rendering quality, as requested.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(clap::ValueEnum))]
pub(crate) enum Level {
    /// As suits the adapter: low on software adapters, and in a window when drawing is slow
    #[default]
    Auto,
    /// One sample per pixel, a coarse shadow map, no ambient occlusion
    Low,
    /// Smooth edges and shadows, ambient occlusion
    High,
}

impl Level {
    /// The quality to begin with.
    pub(crate) fn quality(self, context: &Context) -> Quality {
        match self {
            Self::Auto => Quality::of(context),
            Self::Low => Quality::Low,
            Self::High => Quality::High,
        }
    }
}

/// A file name's part made from a target: its name without folder, ending and odd characters.
pub(crate) fn stem(target: &str) -> String {
    let name = Path::new(target).file_stem().unwrap_or_default().to_string_lossy();
    let kept: String = name.chars().map(|c| if c.is_alphanumeric() || "-_".contains(c) { c } else { '-' }).collect();
    if kept.is_empty() { "scene".to_owned() } else { kept }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn file_names_from_any_target() {
        assert_eq!(stem("tower"), "tower");
        assert_eq!(stem("some/where/A knight.v2.glb"), "A-knight-v2");
        assert_eq!(stem("/"), "scene");
    }
}
