//! Rows of the table, and how several runs become one.

use std::io::Write as _;

use anyhow::Result;

/// What one run, or several of the same, came to. What does not apply is none.
#[derive(Clone, Debug, Default)]
pub(crate) struct Row {
    /// Program, version, threads or adapter, and settings.
    pub(crate) name: String,
    /// What was simulated, in words.
    pub(crate) scene: String,
    /// Median and 95th percentile of the time of a frame [ms].
    pub(crate) median_ms: f64,
    pub(crate) p95_ms: f64,
    /// Mean and largest distance between the two anchors of a joint at the end [mm].
    pub(crate) gap_mm: Option<[f64; 2]>,
    /// Mean and 99th percentile of the relative change of length of the edges at the end [%].
    pub(crate) stretch: Option<[f64; 2]>,
    /// Deepest overlap at the end, with its unit.
    pub(crate) overlap: String,
}

/// The value below which the share `rank` of `values` lies; 0 of none.
pub(crate) fn percentile(values: &[f64], rank: f64) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted.get((sorted.len().saturating_sub(1) as f64 * rank).round() as usize).copied().unwrap_or(0.0)
}

/// Mean of `values`; 0 of none.
pub(crate) fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len().max(1) as f64
}

/// The order of a round: there and back.
pub(crate) fn turns(count: usize, round: u32) -> Vec<usize> {
    if round.is_multiple_of(2) { (0..count).collect() } else { (0..count).rev().collect() }
}

/// The median times of several runs, with the quality of the last; none of none.
pub(crate) fn together(runs: Vec<Row>) -> Option<Row> {
    let over = |of: fn(&Row) -> f64| percentile(&runs.iter().map(of).collect::<Vec<_>>(), 0.5);
    let (median_ms, p95_ms) = (over(|row| row.median_ms), over(|row| row.p95_ms));
    let last = runs.into_iter().next_back()?;
    Some(Row { median_ms, p95_ms, ..last })
}

/// Writes the table to standard output.
pub(crate) fn print(what: &str, rows: &[Row]) -> Result<()> {
    let pair = |values: Option<[f64; 2]>| values.map_or("-".to_owned(), |[a, b]| format!("{a:.2} / {b:.2}"));
    let cells = |row: &Row| {
        let times = [row.median_ms, row.p95_ms].map(|ms| format!("{ms:.2}"));
        let [median, p95] = times;
        [row.name.clone(), median, p95, pair(row.gap_mm), pair(row.stretch), row.overlap.clone(), row.scene.clone()]
    };
    let head = ["", "median ms", "p95 ms", "gap mean/max mm", "stretch mean/p99 %", "overlap", "scene"];
    let mut lines = vec![head.map(str::to_owned)];
    lines.extend(rows.iter().map(cells));
    let widths: Vec<usize> =
        (0..head.len()).map(|c| lines.iter().map(|l| l[c].chars().count()).max().unwrap_or(0)).collect();
    let mut out = std::io::stdout().lock();
    writeln!(out, "{what}")?;
    for line in lines {
        let padded: Vec<String> = line.iter().zip(&widths).map(|(cell, width)| format!("{cell:<width$}")).collect();
        writeln!(out, "{}", padded.join("  ").trim_end())?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentiles_pick_ranks_and_runs_become_one() {
        assert_eq!([0.0, 0.5, 0.95, 1.0].map(|rank| percentile(&[3.0, 1.0, 2.0], rank)), [1.0, 2.0, 3.0, 3.0]);
        assert_eq!((percentile(&[], 0.5), mean(&[])), (0.0, 0.0));
        let row = |median_ms| Row { median_ms, ..Row::default() };
        assert_eq!(together(vec![row(3.0), row(1.0), row(2.0)]).unwrap().median_ms, 2.0);
        assert!(together(vec![]).is_none());
        assert_eq!((turns(2, 0), turns(2, 1)), (vec![0, 1], vec![1, 0]));
    }
}
