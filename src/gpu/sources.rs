//! The sources of all shader files: built into the program, or edited while it runs if that is enabled.

#[cfg(feature = "shader-reload")]
use std::collections::BTreeMap;
#[cfg(feature = "shader-reload")]
use std::sync::{PoisonError, RwLock};

include!(concat!(env!("OUT_DIR"), "/shaders.rs"));

/// Names of all built-in shader files, without `.wgsl`.
pub fn names() -> impl Iterator<Item = &'static str> {
    FILES.iter().map(|(name, _)| *name)
}

/// The text of a shader file.
pub fn text(name: &str) -> Option<&'static str> {
    #[cfg(feature = "shader-reload")]
    if let Some(text) = edited().get(name) {
        return Some(text);
    }
    built_in(name)
}

/// The text of a shader file as it was built in.
pub(super) fn built_in(name: &str) -> Option<&'static str> {
    FILES.iter().find(|(n, _)| *n == name).map(|(_, text)| *text)
}

/// Texts by name. They are kept for good, as those built in are: kernels and errors refer to them.
#[cfg(feature = "shader-reload")]
pub(super) type Texts = BTreeMap<String, &'static str>;

#[cfg(feature = "shader-reload")]
static EDITED: RwLock<Texts> = RwLock::new(BTreeMap::new());

/// The texts that stand in the place of those built in.
#[cfg(feature = "shader-reload")]
pub(super) fn edited() -> Texts {
    EDITED.read().unwrap_or_else(PoisonError::into_inner).clone()
}

/// Puts texts in the place of those built in.
#[cfg(feature = "shader-reload")]
pub(super) fn put(texts: Texts) {
    *EDITED.write().unwrap_or_else(PoisonError::into_inner) = texts;
}
