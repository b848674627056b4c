//! What the window remembers from one run to the next: a RON file in the user's settings folder.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};
use serde::{Deserialize, Serialize};

use super::blast::Bang;
use super::deed::Throw;
use super::launch::Level;
use super::tools::Tool;
use crate::files;

/// Names the file instead of the folder of settings; empty for none.
const VARIABLE: &str = "SINEW_SETTINGS";

/// How the player left the window.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Settings {
    /// Inner size of the window [points].
    pub(crate) size: Option<(u32, u32)>,
    /// How much work the picture may be.
    pub(crate) level: Level,
    /// Whether the panel is shown.
    pub(crate) panel: bool,
    /// Whether there are shadows.
    pub(crate) shadows: bool,
    /// Whether there are lines on the ground.
    pub(crate) grid: bool,
    /// Whether words are in the picture.
    pub(crate) caption: bool,
    /// What the left button does.
    pub(crate) tool: Tool,
    /// Balls to throw.
    pub(crate) throw: Throw,
    /// Explosions to set off.
    pub(crate) bang: Bang,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            size: None,
            level: Level::default(),
            panel: true,
            shadows: true,
            grid: true,
            caption: false,
            tool: Tool::default(),
            throw: Throw::default(),
            bang: Bang::default(),
        }
    }
}

impl Settings {
    /// Where they are kept; nowhere where the user has no such folder, or wants none.
    pub(crate) fn path() -> Option<PathBuf> {
        #[cfg(target_arch = "wasm32")]
        return None;
        #[cfg(not(target_arch = "wasm32"))]
        match std::env::var_os(VARIABLE) {
            Some(path) if path.is_empty() => None,
            Some(path) => Some(path.into()),
            None => {
                let folders = directories::ProjectDirs::from("", "", "sinew")?;
                Some(folders.config_dir().join("window.ron"))
            }
        }
    }

    /// What was remembered; the defaults where nothing was.
    ///
    /// # Errors
    /// A file that cannot be read or understood, by name, line and column.
    pub(crate) fn load(path: &Path) -> Result<Self> {
        let text = match std::fs::read_to_string(path) {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Self::default()),
            read => read.with_context(|| format!("cannot read {}", path.display()))?,
        };
        let options = ron::Options::default().with_default_extension(ron::extensions::Extensions::IMPLICIT_SOME);
        let read: Result<Self, _> = options.from_str(&text);
        read.map(Self::usable).with_context(|| format!("{}: fix it or delete it", path.display()))
    }

    /// Numbers as the panel offers them.
    fn usable(mut self) -> Self {
        let (throw, bang) = (Throw::default(), Bang::default());
        let within = |value: f32, low: f32, high: f32, usual: f32| {
            if value.is_finite() { value.clamp(low, high) } else { usual }
        };
        self.throw.speed = within(self.throw.speed, 1.0, 50.0, throw.speed);
        self.throw.radius = within(self.throw.radius, 0.03, 0.6, throw.radius);
        self.throw.density = within(self.throw.density, 50.0, 8000.0, throw.density);
        self.bang.speed = within(self.bang.speed, 1.0, 60.0, bang.speed);
        self.bang.radius = within(self.bang.radius, 0.2, 20.0, bang.radius);
        self.size = self.size.map(|(width, height)| (width.clamp(320, 16_384), height.clamp(240, 16_384)));
        self
    }

    /// Remembers them.
    ///
    /// # Errors
    /// A file that cannot be written.
    pub(crate) fn save(&self, path: &Path) -> Result<()> {
        let cannot = || format!("cannot write {}", path.display());
        if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
            std::fs::create_dir_all(folder).with_context(cannot)?;
        }
        let text = ron::ser::to_string_pretty(self, ron::ser::PrettyConfig::default())?;
        // Another window may write at the same time: the file is whole at any moment.
        files::write(path, text).with_context(cannot)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_left_is_found_again() {
        let folder = std::env::temp_dir().join(format!("sinew-settings-{}", std::process::id()));
        let path = folder.join("a/window.ron");
        assert_eq!(Settings::load(&path).unwrap(), Settings::default(), "nothing was remembered");
        let left = Settings {
            size: Some((1000, 700)),
            level: Level::High,
            panel: false,
            tool: Tool::Sand,
            throw: Throw { speed: 20.0, ..Throw::default() },
            ..Settings::default()
        };
        left.save(&path).unwrap();
        assert_eq!(Settings::load(&path).unwrap(), left);
        std::fs::write(&path, "(grid: false, throw: (speed: inf, radius: -3.0, density: 1e9))").unwrap();
        let mended = Settings::load(&path).unwrap();
        assert_eq!((mended.throw.radius, mended.throw.density, mended.grid), (0.03, 8000.0, false));
        assert_eq!(mended.throw.speed, Throw::default().speed);
        std::fs::write(&path, "(grids: false)").unwrap();
        let error = format!("{:#}", Settings::load(&path).unwrap_err());
        assert!(error.contains("window.ron") && error.contains("grids") && error.contains("1:"), "{error}");
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
