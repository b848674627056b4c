//! Looks now and then whether a scene file was saved.

use std::path::PathBuf;
use std::time::{Duration, Instant, SystemTime};

use crate::scene_file::is_scene_file;

/// Time between two looks.
const EVERY: Duration = Duration::from_millis(300);

/// When a file was written last, and its size [bytes]; none while it is not there.
type Stamp = Option<(SystemTime, u64)>;

/// A scene file that is looked after; nothing for other targets.
#[derive(Debug)]
pub(crate) struct Watch {
    path: Option<PathBuf>,
    seen: Stamp,
    looked: Instant,
}

impl Watch {
    /// Looks after a target from now on.
    pub(crate) fn new(target: &str) -> Self {
        let mut watch = Self { path: is_scene_file(target).then(|| target.into()), seen: None, looked: Instant::now() };
        watch.seen = watch.stamp();
        watch
    }

    /// Whether the file was saved since the last look; it is looked at no more often than needed.
    pub(crate) fn is_saved(&mut self, now: Instant) -> bool {
        if self.path.is_none() || now.saturating_duration_since(self.looked) < EVERY {
            return false;
        }
        self.looked = now;
        let stamp = self.stamp();
        // Some editors take the old file away before they write the new one.
        let saved = stamp.is_some() && stamp != self.seen;
        self.seen = stamp.or(self.seen);
        saved
    }

    fn stamp(&self) -> Stamp {
        let meta = std::fs::metadata(self.path.as_ref()?).ok()?;
        Some((meta.modified().ok()?, meta.len()))
    }
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
        assert!(watch.is_saved(after(4)));
        assert!(!watch.is_saved(after(6)));
        std::fs::remove_file(&path).unwrap();
        assert!(!watch.is_saved(after(8)), "a file that is away is no saved one");
        std::fs::write(&path, "(items: [Ground()])").unwrap();
        assert!(watch.is_saved(after(10)));
        std::fs::remove_file(&path).unwrap();
        assert!(!Watch::new("dancer").is_saved(after(2)));
    }
}
