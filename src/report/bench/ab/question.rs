//! What is compared: a target, the settings that all sides share, and those of each side.

use super::start::start_of;

/// Keys and values.
type Sets = Vec<(String, String)>;

/// What is compared.
#[derive(Clone, Debug)]
pub struct Question {
    /// Demo or model.
    pub target: String,
    /// What all sides have set.
    pub shared: Sets,
    /// What each side alone has set.
    pub sides: Vec<Sets>,
    /// Frames of each side that are timed, at least.
    pub frames: u32,
    /// Frames before these; none for as many as it takes the target to meet what it falls on.
    pub start: Option<u32>,
}

impl Question {
    /// Frames before the first that is timed.
    pub(super) fn start(&self) -> u32 {
        self.start.unwrap_or_else(|| start_of(&self.target))
    }

    /// All that one side has set; its own comes last and counts.
    pub(super) fn sets(&self, side: &Sets) -> Sets {
        self.shared.iter().chain(side).cloned().collect()
    }
}

/// Settings as they are typed.
pub(super) fn typed(sets: &Sets) -> String {
    sets.iter().map(|(key, value)| format!("{key}={value}")).collect::<Vec<_>>().join(" ")
}
