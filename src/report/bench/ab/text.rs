//! A comparison as a table: a row for each measure, a column for each side.

use super::record::{Comparison, Side};
use crate::report::record::unit;

/// Passes that the table names: those that take longest on any side.
const MOST_PASSES: usize = 12;

/// A name and a cell for each side.
type Row = (String, Vec<String>);

impl Comparison {
    /// The comparison as text for a terminal.
    pub fn to_text(&self) -> String {
        let a = &self.adapter;
        let head = [
            format!("{} ({}, {}, {})", a.name, a.backend, a.kind, a.driver),
            format!("a copy moves {:.2} GB/s", self.copy_bytes_per_second * 1e-9),
            format!(
                "{} {}: {} frames of each side from frame {}, in turn, {} in a row",
                self.target, self.shared, self.frames, self.start, self.block
            ),
        ];
        let mut rows = vec![("side".to_owned(), self.sides.iter().map(|side| side.name.clone()).collect())];
        let measures = MEASURES.iter().map(|(name, cell)| ((*name).to_owned(), self.sides.iter().map(cell).collect()));
        // What applies to no side is left out.
        rows.extend(measures.filter(|(_, cells): &Row| cells.iter().any(|cell| cell != "-" && !cell.is_empty())));
        rows.extend(self.passes());
        format!("{}\n{}", head.join("\n"), aligned(&rows))
    }

    fn passes(&self) -> Vec<Row> {
        let longest =
            |name: &String| self.sides.iter().filter_map(|s| s.passes_ms.get(name)).fold(0.0, |a, b| f64::max(a, *b));
        let mut names: Vec<&String> = self.sides.iter().flat_map(|side| side.passes_ms.keys()).collect();
        names.sort_unstable();
        names.dedup();
        names.sort_by(|a, b| longest(b).total_cmp(&longest(a)));
        let cell = |side: &Side, name: &String| unit(side.passes_ms.get(name).copied(), "ms");
        let row = |name: &String| (format!("  {name}"), self.sides.iter().map(|side| cell(side, name)).collect());
        let total = |side: &Side| unit((!side.passes_ms.is_empty()).then(|| side.passes_ms.values().sum()), "ms");
        let sum = ("passes on the GPU".to_owned(), self.sides.iter().map(total).collect());
        let shown = if names.is_empty() { None } else { Some(sum) };
        shown.into_iter().chain(names.into_iter().take(MOST_PASSES).map(row)).collect()
    }
}

/// How a measure of a side is written.
type Cell = fn(&Side) -> String;

/// Names of measures, and how each is written.
const MEASURES: &[(&str, Cell)] = &[
    ("settings", |s| s.settings.clone()),
    ("frame, median", |s| unit(Some(s.frame_ms.median), "ms")),
    ("  p95", |s| unit(Some(s.frame_ms.p95), "ms")),
    ("  least", |s| unit(Some(s.frame_ms.min), "ms")),
    ("  over the first side", |s| {
        s.ratio.map_or("-".into(), |r| format!("{:.3} ({:.3} to {:.3})", r.median, r.low, r.high))
    }),
    ("encode and submit", |s| unit(Some(s.host_ms), "ms")),
    ("dispatches a frame", |s| s.dispatches_per_frame.to_string()),
    ("substeps x iterations", |s| format!("{} x {}", s.substeps, s.iterations)),
    ("particles", |s| s.particles.to_string()),
    ("constraints", |s| if s.constraints > 0 { s.constraints.to_string() } else { "-".into() }),
    ("projections", |s| unit(s.projections_per_second.map(|n| n * 1e-6), "M/s")),
    ("memory a particle", |s| unit(s.bytes_per_particle, "bytes")),
    ("constraint traffic", |s| unit((s.constraint_bytes > 0.0).then_some(s.constraint_bytes * 1e-6), "MB")),
    ("  of a copy's bandwidth", |s| percent(s.bandwidth_share)),
    ("stretch, mean", |s| percent(s.quality.stretch_mean)),
    ("  p99", |s| percent(s.quality.stretch_p99)),
    ("  worst", |s| percent(s.quality.stretch_max)),
    ("volume error", |s| percent(s.quality.volume_error_max)),
    ("joint gap, mean", |s| millimeters(s.quality.joint_gap_end_mean_m)),
    ("  worst", |s| millimeters(s.quality.joint_gap_max_m)),
    ("overlap, worst", |s| unit(s.quality.penetration_max_radii, "radii")),
    ("compression", |s| percent(s.quality.density_error_mean)),
    ("crossings", |s| s.quality.self_intersections.map_or("-".into(), |n| n.to_string())),
    ("momentum drift", |s| percent(s.quality.momentum_drift)),
    ("dropped", |s| (s.health.contacts_dropped + s.health.neighbors_dropped).to_string()),
    ("not finite, out of bounds", |s| format!("{}, {}", s.health.non_finite, s.health.out_of_bounds)),
    ("state hash", |s| s.state_hash.clone()),
];

fn percent(value: Option<f64>) -> String {
    unit(value.map(|v| 100.0 * v), "%")
}

fn millimeters(value: Option<f64>) -> String {
    unit(value.map(|v| 1e3 * v), "mm")
}

/// Cells in columns, each as wide as its widest.
fn aligned(rows: &[Row]) -> String {
    let columns = rows.first().map_or(0, |(_, cells)| cells.len());
    let widest = |cells: &mut dyn Iterator<Item = &String>| cells.map(|cell| cell.chars().count()).max().unwrap_or(0);
    let name = widest(&mut rows.iter().map(|(name, _)| name));
    let widths: Vec<usize> = (0..columns).map(|c| widest(&mut rows.iter().map(|(_, cells)| &cells[c]))).collect();
    let line = |(title, cells): &Row| {
        let cells = cells.iter().zip(&widths).map(|(cell, width)| format!("  {cell:>width$}"));
        format!("{title:<name$}{}\n", cells.collect::<String>())
    };
    rows.iter().map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_as_wide_as_their_widest_cell() {
        let cells = |cells: &[&str]| cells.iter().map(|c| (*c).to_owned()).collect();
        let rows = [("side".to_owned(), cells(&["a", "b"])), ("m".to_owned(), cells(&["1.5 ms", "2"]))];
        assert_eq!(aligned(&rows), "side       a  b\nm     1.5 ms  2\n");
    }
}
