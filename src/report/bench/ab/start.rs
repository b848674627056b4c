//! The frame from which on a scene shows its typical cost: in contact, or deformed.

/// Demos whose first frames are free fall, and how many of them.
const STARTS: &[(&str, u32)] = &[
    ("pairs", 60),
    ("ragdolls", 60),
    ("tower", 10),
    ("pile", 60),
    ("s0", 30),
    ("drape", 40),
    ("layers", 40),
    ("flamenco", 40),
    ("s2", 40),
    ("squishy", 30),
    ("tori400", 40),
    ("jelly", 40),
    ("bath", 30),
    ("flood", 30),
];
/// Of all others, models among them.
const OTHERS: u32 = 10;

/// Frames of `target` before it has met what it falls on.
pub(super) fn start_of(target: &str) -> u32 {
    STARTS.iter().find(|(name, _)| *name == target).map_or(OTHERS, |(_, frames)| *frames)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::demos::DEMOS;

    #[test]
    fn starts_are_of_demos_that_exist() {
        assert!(STARTS.iter().all(|(name, _)| DEMOS.iter().any(|demo| demo.name == *name)));
        assert_eq!((start_of("s0"), start_of("model.glb")), (30, OTHERS));
    }
}
