//! What a device has compiled: the next world on it takes what it shares with worlds before.

use std::any::{Any, TypeId};
use std::collections::HashMap;
use std::fmt;
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::GpuError;
use super::shader::Composed;

/// Kernels or pipelines kept, each with some tens of kilobytes of text: several times those of the largest world.
const MAX_KEPT: usize = 1024;

/// What makes two of them the same: what they are, name, text, and all that is set beside the text, written out.
#[derive(Debug, PartialEq, Eq, Hash)]
struct Key {
    kind: TypeId,
    name: String,
    text: String,
    settings: String,
}

/// Kernels and pipelines by what they were compiled from.
#[derive(Debug, Default)]
pub(super) struct Cache(Mutex<Kept>);

type Kept = HashMap<Key, Box<dyn Any + Send + Sync>>;

impl Cache {
    /// What this text is compiled to with these settings, by `compile` if it is not here.
    pub(super) fn get<T: Clone + Send + Sync + 'static>(
        &self,
        composed: &Composed,
        settings: &impl fmt::Debug,
        compile: impl FnOnce() -> Result<T, GpuError>,
    ) -> Result<T, GpuError> {
        let (name, text) = (composed.name.clone(), composed.text.clone());
        let key = Key { kind: TypeId::of::<T>(), name, text, settings: format!("{settings:?}") };
        if let Some(compiled) = self.kept().get(&key).and_then(|kept| kept.downcast_ref::<T>()) {
            return Ok(compiled.clone());
        }
        // Unlocked, since others compile meanwhile.
        let compiled = compile()?;
        let mut kept = self.kept();
        if kept.len() >= MAX_KEPT {
            kept.clear();
        }
        kept.insert(key, Box::new(compiled.clone()));
        Ok(compiled)
    }

    fn kept(&self) -> MutexGuard<'_, Kept> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
