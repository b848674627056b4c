//! The order in which sides run, and statistics over many frame times.

use serde::{Deserialize, Serialize};

use crate::report::{median, percentile};

/// Times of many frames [ms].
#[derive(Clone, Copy, Debug, Default, PartialEq, Deserialize, Serialize)]
pub struct Times {
    /// Median [ms].
    pub median: f64,
    /// 95 of 100 frames are faster [ms].
    pub p95: f64,
    /// The fastest frame [ms].
    pub min: f64,
}

impl Times {
    /// Of times of single frames [ms]; zeros of none.
    pub(super) fn of(frames: &[f64]) -> Self {
        let rank = |rank| percentile(frames, rank).unwrap_or(0.0);
        Self { median: rank(0.5), p95: rank(0.95), min: rank(0.0) }
    }
}

/// The time of one side over that of the first, pair by pair of blocks that ran one after the other.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize, Serialize)]
pub struct Ratio {
    /// Median over the pairs.
    pub median: f64,
    /// A quarter of the pairs is below.
    pub low: f64,
    /// A quarter of the pairs is above.
    pub high: f64,
}

impl Ratio {
    /// Of the medians of blocks, `ours` and the first side's, in the order of the rounds; none without pairs.
    pub(super) fn of(ours: &[f64], first: &[f64]) -> Option<Self> {
        let pairs: Vec<f64> = ours.iter().zip(first).map(|(ours, first)| ours / first).collect();
        Some(Self { median: median(&pairs)?, low: percentile(&pairs, 0.25)?, high: percentile(&pairs, 0.75)? })
    }
}

/// The order of the sides in a round: there and back, so that what drifts on the machine meets all of them alike.
pub(super) fn turns(sides: usize, round: u32) -> Vec<usize> {
    if round.is_multiple_of(2) { (0..sides).collect() } else { (0..sides).rev().collect() }
}

/// Frames of a block, at most.
const BLOCK: u32 = 10;

/// Frames of a block and an even number of rounds, for at least so many frames of each side.
pub(super) fn blocks(frames: u32) -> (u32, u32) {
    let block = (frames / 2).clamp(1, BLOCK);
    (block, frames.div_ceil(block).next_multiple_of(2))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slow_frame_moves_the_p95_and_neither_median_nor_least() {
        let mut frames = [2.0; 20];
        (frames[3], frames[7], frames[11]) = (50.0, 1.5, 40.0);
        assert_eq!(Times::of(&frames), Times { median: 2.0, p95: 40.0, min: 1.5 });
        assert_eq!(Times::of(&[]), Times::default());
    }

    #[test]
    fn ratios_are_of_neighbors_so_that_drift_does_not_count() {
        // The machine slows down by ten; the second side always takes half of what the first does.
        let first = [1.0, 2.0, 4.0, 10.0];
        let ratio = Ratio::of(&first.map(|ms| 0.5 * ms), &first).unwrap();
        assert_eq!(ratio, Ratio { median: 0.5, low: 0.5, high: 0.5 });
        let spread = Ratio::of(&[1.0, 2.0, 3.0, 4.0, 5.0], &[1.0; 5]).unwrap();
        assert_eq!(spread, Ratio { median: 3.0, low: 2.0, high: 4.0 });
        assert_eq!(Ratio::of(&[], &[]), None);
    }

    #[test]
    fn sides_take_turns_there_and_back() {
        let rounds: Vec<_> = (0..2).flat_map(|round| turns(2, round)).collect();
        assert_eq!(rounds, [0, 1, 1, 0]);
        assert_eq!(turns(3, 5), [2, 1, 0]);
    }

    #[test]
    fn rounds_are_even_and_have_all_frames() {
        assert_eq!(blocks(200), (10, 20));
        assert_eq!(blocks(1), (1, 2));
        for frames in 1..300 {
            let (block, rounds) = blocks(frames);
            assert!(block * rounds >= frames && rounds % 2 == 0, "{frames}");
        }
    }
}
