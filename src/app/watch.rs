//! Checks now and then whether files were saved: the scene's, and shaders where they are reloaded.

use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use web_time::Instant;

use crate::scene_file::is_scene_file;

/// Time between two looks.
const EVERY: Duration = Duration::from_millis(200);

/// When a file was written last, and its size [bytes]; none while it is not there.
type Stamp = Option<(SystemTime, u64)>;

/// Files that are looked after.
#[derive(Debug)]
pub(crate) struct Watch {
    paths: Vec<PathBuf>,
    /// As they were told to be saved last, and as they were at the last look.
    told: Vec<Stamp>,
    seen: Vec<Stamp>,
    looked: Instant,
}

impl Watch {
    /// Looks after a target from now on: a scene file, or nothing.
    pub(crate) fn new(target: &str) -> Self {
        Self::of(is_scene_file(target).then(|| target.into()).into_iter().collect())
    }

    /// Looks after files from now on.
    pub(crate) fn of(paths: Vec<PathBuf>) -> Self {
        let seen: Vec<Stamp> = paths.iter().map(|path| stamp(path)).collect();
        Self { paths, told: seen.clone(), seen, looked: Instant::now() }
    }

    /// Looks after all shaders from now on.
    #[cfg(feature = "shader-reload")]
    pub(crate) fn shaders() -> Self {
        use crate::gpu::reload::{files, folder};
        Self::of(files(&folder()).unwrap_or_default().into_values().collect())
    }

    /// Whether a file was saved and has stayed the same for one look: one that is being written is half a file. They are looked at no more
    /// often than needed.
    pub(crate) fn is_saved(&mut self, now: Instant) -> bool {
        if self.paths.is_empty() || now.saturating_duration_since(self.looked) < EVERY {
            return false;
        }
        self.looked = now;
        let mut saved = false;
        for ((path, seen), told) in self.paths.iter().zip(&mut self.seen).zip(&mut self.told) {
            let stamp = stamp(path);
            // Some editors take the old file away before they write the new one.
            if stamp.is_some() && stamp == *seen && stamp != *told {
                (*told, saved) = (stamp, true);
            }
            *seen = stamp;
        }
        saved
    }
}

fn stamp(path: &Path) -> Stamp {
    let meta = std::fs::metadata(path).ok()?;
    Some((meta.modified().ok()?, meta.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_saved_file_is_seen_once() {
        let path = std::env::temp_dir().join(format!("sinew-watch-{}.ron", std::process::id()));
        std::fs::write(&path, "()").unwrap();
        let mut watch = Watch::new(path.to_str().unwrap());
        let after = |n: u32| Instant::now() + n * EVERY;
        assert!(!watch.is_saved(after(2)), "nothing has changed");
        std::fs::write(&path, "(items: [])").unwrap();
        assert!(!watch.is_saved(after(2)), "not looked at again so soon");
        assert!(!watch.is_saved(after(4)), "it may be written on");
        assert!(watch.is_saved(after(6)));
        assert!(!watch.is_saved(after(8)));
        std::fs::write(&path, "(items: [Grou").unwrap();
        assert!(!watch.is_saved(after(10)));
        std::fs::write(&path, "(items: [Ground()])").unwrap();
        assert!(!watch.is_saved(after(12)), "it was half a file");
        assert!(watch.is_saved(after(14)));
        std::fs::remove_file(&path).unwrap();
        assert!(!watch.is_saved(after(16)), "a file that is away is no saved one");
        std::fs::write(&path, "(items: [Ground(), Ground()])").unwrap();
        assert!(!watch.is_saved(after(18)));
        assert!(watch.is_saved(after(20)));
        std::fs::remove_file(&path).unwrap();
        assert!(!Watch::new("dancer").is_saved(after(2)));
    }
}
