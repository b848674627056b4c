//! What a device has compiled: the next world on it reuses what it shares with earlier ones.

use std::any::{Any, TypeId};
use std::collections::HashMap;
use std::fmt;
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::GpuError;
use super::shader::Composed;

/// Kernels and pipelines kept, those of a large world: Mesa's software driver holds four megabytes for each. With 512 a window in which scenes
/// come and go takes twice the memory.
const MOST: usize = 128;

/// What makes two of them the same: what they are, name, text, and all that is set beside the text, written out.
#[derive(PartialEq, Eq, Hash)]
struct Key {
    kind: TypeId,
    name: String,
    text: String,
    settings: String,
}

/// Kernels and pipelines by what they were compiled from.
#[derive(Default)]
pub(super) struct Cache(Mutex<Kept>);

/// Without their texts, which are long.
impl fmt::Debug for Cache {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Cache").field("kept", &self.kept().compiled.len()).finish()
    }
}

#[derive(Default)]
struct Kept {
    compiled: HashMap<Key, Entry>,
    /// How often something was asked for.
    asked: u64,
}

struct Entry {
    compiled: Box<dyn Any + Send + Sync>,
    /// When it was asked for last.
    asked: u64,
}

impl Cache {
    /// What this text is compiled to with these settings, by `compile` if it is not here. What was not asked for longest makes room.
    pub(super) fn get<T: Clone + Send + Sync + 'static>(
        &self,
        composed: &Composed,
        settings: &impl fmt::Debug,
        compile: impl FnOnce() -> Result<T, GpuError>,
    ) -> Result<T, GpuError> {
        let (name, text) = (composed.name.clone(), composed.text.clone());
        let key = Key { kind: TypeId::of::<T>(), name, text, settings: format!("{settings:?}") };
        if let Some(compiled) = self.kept().find(&key) {
            return Ok(compiled);
        }
        // Unlocked, since others compile meanwhile.
        let compiled = compile()?;
        self.kept().keep(key, Box::new(compiled.clone()));
        Ok(compiled)
    }

    fn kept(&self) -> MutexGuard<'_, Kept> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Kept {
    fn find<T: Clone + 'static>(&mut self, key: &Key) -> Option<T> {
        self.asked += 1;
        let entry = self.compiled.get_mut(key)?;
        entry.asked = self.asked;
        entry.compiled.downcast_ref().cloned()
    }

    fn keep(&mut self, key: Key, compiled: Box<dyn Any + Send + Sync>) {
        if self.compiled.len() >= MOST
            && let Some(oldest) = self.compiled.values().map(|entry| entry.asked).min()
        {
            self.compiled.retain(|_, entry| entry.asked != oldest);
        }
        self.compiled.insert(key, Entry { compiled, asked: self.asked });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gpu::shader::compose_source;

    #[test]
    fn what_was_not_asked_for_longest_makes_room() {
        let (cache, made) = (Cache::default(), std::cell::Cell::new(0));
        let get = |number: usize| {
            let composed = compose_source("test", &number.to_string()).unwrap();
            let compile = || {
                made.set(made.get() + 1);
                Ok(number)
            };
            assert_eq!(cache.get(&composed, &(), compile).unwrap(), number);
            made.get()
        };
        assert_eq!((0..MOST).map(get).last(), Some(MOST));
        assert_eq!((get(0), get(MOST)), (MOST, MOST + 1));
        // The second had to go for the last, the first had just been asked for.
        assert_eq!((get(0), get(2), get(1)), (MOST + 1, MOST + 1, MOST + 2));
        // Other settings, or another kind of thing, are not the same.
        let composed = compose_source("test", "0").unwrap();
        assert_eq!(cache.get(&composed, &"other", || Ok(7)).unwrap(), 7);
        assert_eq!(cache.get(&composed, &(), || Ok("text")).unwrap(), "text");
        assert!(cache.get(&composed, &"wrong", || Err::<u32, _>(GpuError::NoAdapter)).is_err());
        assert_eq!(cache.kept().compiled.len(), MOST);
    }
}
