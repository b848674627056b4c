//! Figures of paper 4: what a cloth that collides with itself costs, pass by pass, by its resolution and by the size of the
//! hash cells, or without a hash.

use serde::Serialize;

use crate::demos::stage_for;
use crate::gpu::Context;
use crate::report::{ReportError, Snapshot, run};

/// One figure: the scene `flamenco` at several resolutions and cell sizes.
#[derive(Clone, Copy, Debug)]
pub(super) struct SurfaceScene {
    pub(super) name: &'static str,
    figure: &'static str,
    sides: [u32; 4],
    scales: &'static [f64],
}

/// The figures, in order.
pub(super) const SCENES: &[SurfaceScene] = &[
    SurfaceScene {
        name: "cloth-size",
        figure: "time by resolution of the cloth",
        sides: [50, 100, 150, 200],
        scales: &[1.0],
    },
    SurfaceScene {
        name: "cloth-hash",
        figure: "time by size of the hash cells",
        sides: [50, 100, 150, 200],
        scales: &[0.0, 0.25, 0.5, 1.0, 2.0, 4.0, 8.0],
    },
];

/// Frames on a graphics card and on software: the cloth lies over the ball, then it folds.
const FRAMES: [u32; 2] = [240, 24];

/// One figure.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SurfaceTable {
    /// Name of the figure.
    pub name: &'static str,
    /// What it shows.
    pub figure: &'static str,
    /// Frames of each run.
    pub frames: u32,
    /// One run each.
    pub rows: Vec<SurfaceRow>,
}

/// One run; times are medians of a frame [ms], none without timestamps.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SurfaceRow {
    /// Particles along a side.
    pub side: u32,
    /// Cells of the hash grid of surfaces over the size that suits them; 0 where all are looked at.
    pub cell_scale: f64,
    /// Particles.
    pub particles: u32,
    /// Constraints between particles.
    pub constraints: u32,
    /// The whole frame [ms].
    pub frame_ms: Option<f64>,
    /// Looking for pairs of surfaces [ms].
    pub search_ms: Option<f64>,
    /// Their contacts [ms].
    pub surfaces_ms: Option<f64>,
    /// Constraints [ms].
    pub constraints_ms: Option<f64>,
    /// All other passes [ms].
    pub other_ms: Option<f64>,
    /// Triangles that crossed at any time.
    pub crossings: Option<u32>,
    /// Whether nothing was lost: a figure that is not healthy does not count.
    pub healthy: bool,
}

/// Passes of the search for surfaces.
const SEARCH: [&str; 7] = ["clear", "mark", "mark_bodies", "bin", "leaf_pairs", "candidates", "narrow_phase"];

/// Which sum a pass belongs to: search, contacts of surfaces, constraints, all others.
fn kind_of(pass: &str) -> usize {
    match pass.split_once('/') {
        Some(("surfaces", name)) if SEARCH.contains(&name) => 0,
        Some(("surfaces" | "ccd", _)) => 1,
        Some(("constraints", _)) => 2,
        _ => 3,
    }
}

impl SurfaceScene {
    /// # Errors
    /// [`ReportError`] when a scene cannot be built or the device fails.
    pub(super) fn measure(
        &self,
        context: &Context,
        frames: Option<u32>,
        software: bool,
    ) -> Result<SurfaceTable, ReportError> {
        let place = usize::from(software);
        let frames = frames.unwrap_or(FRAMES[place]);
        let runs = self.sides.into_iter().flat_map(|side| self.scales.iter().map(move |scale| (side, *scale)));
        let rows = runs.map(|(side, scale)| row(context, side, scale, frames)).collect::<Result<_, _>>()?;
        Ok(SurfaceTable { name: self.name, figure: self.figure, frames, rows })
    }
}

fn row(context: &Context, side: u32, cell_scale: f64, frames: u32) -> Result<SurfaceRow, ReportError> {
    let sets = [("side".to_owned(), side.to_string()), ("cell_scale".to_owned(), cell_scale.to_string())];
    let stage = stage_for("flamenco", &sets)?;
    let report = run(context, "flamenco", &stage, frames, &mut |_, _: &Snapshot| {})?;
    let mut sums = [0.0; 4];
    report.timing.passes_ms.iter().for_each(|(pass, ms)| sums[kind_of(pass)] += ms);
    let [search_ms, surfaces_ms, constraints_ms, other_ms] =
        sums.map(|ms| (!report.timing.passes_ms.is_empty()).then_some(ms));
    Ok(SurfaceRow {
        side,
        cell_scale,
        particles: report.counts.particles,
        constraints: stage.scene.constraints.len() as u32,
        frame_ms: report.timing.frame_ms.median,
        search_ms,
        surfaces_ms,
        constraints_ms,
        other_ms,
        crossings: report.quality.self_intersections,
        healthy: report.healthy(),
    })
}

impl SurfaceTable {
    /// Curves of the figure: a name, and times [ms] over what changes.
    pub(super) fn curves(&self) -> Vec<(&'static str, Vec<[f64; 2]>)> {
        let by_size = self.name == SCENES[0].name;
        let largest = self.rows.iter().map(|row| row.side).max().unwrap_or(0);
        let shown = |row: &&SurfaceRow| by_size || (row.side == largest && row.cell_scale > 0.0);
        let across = |row: &SurfaceRow| if by_size { f64::from(row.constraints) } else { row.cell_scale };
        type Part = (&'static str, fn(&SurfaceRow) -> Option<f64>);
        let parts: [Part; 5] = [
            ("frame", |row| row.frame_ms),
            ("search", |row| row.search_ms),
            ("surfaces", |row| row.surfaces_ms),
            ("constraints", |row| row.constraints_ms),
            ("others", |row| row.other_ms),
        ];
        let curve = |(name, ms): Part| {
            let points =
                self.rows.iter().filter(shown).filter_map(|row| Some([across(row), ms(row).filter(|ms| *ms > 0.0)?]));
            (name, points.collect())
        };
        parts.into_iter().map(curve).collect()
    }

    /// What the horizontal axis of the figure counts.
    pub(super) fn across(&self) -> &'static str {
        if self.name == SCENES[0].name { "constraints" } else { "cell size over what suits" }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_pass_belongs_to_one_sum() {
        let kinds =
            ["surfaces/leaf_pairs", "surfaces/solve", "constraints/distance", "broad_phase/candidates"].map(kind_of);
        assert_eq!(kinds, [0, 1, 2, 3]);
    }

    #[test]
    fn curves_go_over_what_changes() {
        let row = |side, cell_scale| SurfaceRow {
            side,
            cell_scale,
            particles: side * side,
            constraints: 5 * side * side,
            frame_ms: Some(f64::from(side)),
            search_ms: None,
            surfaces_ms: None,
            constraints_ms: None,
            other_ms: None,
            crossings: Some(0),
            healthy: true,
        };
        let table = |figure: usize, rows| SurfaceTable { name: SCENES[figure].name, figure: "", frames: 1, rows };
        assert_eq!(table(0, vec![row(2, 1.0), row(4, 1.0)]).curves()[0], ("frame", vec![[20.0, 2.0], [80.0, 4.0]]));
        let hashed = table(1, vec![row(2, 0.0), row(2, 0.5), row(2, 1.0), row(1, 1.0)]);
        assert_eq!(hashed.curves()[0].1, [[0.5, 2.0], [1.0, 2.0]]);
    }
}
