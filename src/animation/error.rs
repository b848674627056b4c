//! Errors of performers: clips, nodes and muscles that they do not have.

use thiserror::Error;

use super::LimbError;
use crate::scene::SceneError;

/// Most names that a message lists.
const MOST: usize = 12;

/// A clip that a character cannot go over to.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum ClipError {
    /// It does not have it.
    #[error("`{model}` has no clip `{clip}`; {}", has(.clips))]
    Unknown {
        /// The model.
        model: String,
        /// What was asked for.
        clip: String,
        /// The clips it has.
        clips: Vec<String>,
    },
    /// Not in such a time [s].
    #[error(transparent)]
    Time(#[from] SceneError),
}

/// A node that has no part of a character's model.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("`{model}` has no part with the node `{node}`; {}", has(.nodes))]
pub struct NodeError {
    /// The model.
    pub model: String,
    /// What was asked for.
    pub node: String,
    /// The nodes that have parts.
    pub nodes: Vec<String>,
}

/// A strength that muscles cannot have.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum StrengthError {
    /// Out of range.
    #[error("a strength must be from 0 (limp) to 1 (full strength), not {0}")]
    Range(f32),
    /// Of a limb that is not there.
    #[error(transparent)]
    Limb(#[from] LimbError),
    /// Of one limb or of the balance of who has none yet.
    #[error(
        "a performer has muscles only in a scene: call Character::add_to, Character::stand or Performer::enter first"
    )]
    NotEntered,
}

impl StrengthError {
    pub(super) fn check(strength: f32) -> Result<(), Self> {
        if (0.0..=1.0).contains(&strength) { Ok(()) } else { Err(Self::Range(strength)) }
    }
}

/// A number of a performer from 0 to `most`.
pub(super) fn not_negative(field: &'static str, value: f32, most: f32) -> Result<(), SceneError> {
    if (0.0..=most).contains(&value) {
        return Ok(());
    }
    Err(SceneError::Number { item: "a performer".into(), field, value, allowed: "0 or more" })
}

/// Names as the end of a sentence.
fn has(names: &[String]) -> String {
    let more = if names.len() > MOST { format!(" and {} more", names.len() - MOST) } else { String::new() };
    match names {
        [] => "it has none".into(),
        some => format!("it has {}{more}", some[..some.len().min(MOST)].join(", ")),
    }
}
