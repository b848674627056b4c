//! The cost of liquid: per particle, by particle count and by how often neighbors are searched.

use std::time::Instant;

use serde::Serialize;

use crate::demos::stage_for;
use crate::gpu::{Context, GpuError};
use crate::report::{ReportError, Snapshot, compression};
use crate::scene::Scene;
use crate::solver::{Solver, SolverError};

/// One figure: runs of the scene `dam`, side by side.
#[derive(Clone, Copy, Debug)]
pub(super) struct LiquidScene {
    pub(super) name: &'static str,
    figure: &'static str,
    counts: &'static [u32],
    searches: &'static [Search],
}

/// How often neighbors are searched: what it is called, and `liquid_search` for so many substeps a frame.
type Search = (&'static str, fn(u32) -> u32);

const AS_IT_MOVES: Search = ("as it moves", |_| 0);

/// The figures, in order.
pub(super) const SCENES: &[LiquidScene] = &[
    LiquidScene {
        name: "liquid-size",
        figure: "cost of a particle by their number",
        counts: &[30_000, 100_000, 190_000, 300_000, 1_000_000],
        searches: &[AS_IT_MOVES],
    },
    LiquidScene {
        name: "liquid-search",
        figure: "cost of a particle by how often neighbors are searched",
        counts: &[30_000],
        searches: &[("every substep", |_| 1), ("every frame", |substeps| substeps), AS_IT_MOVES],
    },
];

/// Frames on a graphics card and on software: the column falls, and the front is on its way.
const FRAMES: [u32; 2] = [120, 24];
/// Frames before those that are timed: drivers finish kernels when they first run.
const UNTIMED: u32 = 2;
/// A particle may cost so many times what it does in the first run.
pub(super) const BAR: f64 = 1.25;

/// One figure.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LiquidTable {
    /// Name of the figure.
    pub name: &'static str,
    /// What it shows.
    pub figure: &'static str,
    /// Frames of each run.
    pub frames: u32,
    /// Substeps of each frame.
    pub substeps: u32,
    /// One run each; all took turns, frame by frame, so that what else the machine did met them alike.
    pub rows: Vec<LiquidRow>,
    /// Runs that the device has no room for, a sentence each.
    pub left_out: Vec<String>,
}

/// One run. Times are means over frames: neighbors are searched in some of them only.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LiquidRow {
    /// Particles.
    pub particles: u32,
    /// When neighbors are searched.
    pub search: &'static str,
    /// Searches for neighbors a frame.
    pub searches: f64,
    /// The whole frame [ms].
    pub frame_ms: f64,
    /// The frame over its particles [ns].
    pub particle_ns: f64,
    /// That, over the first run.
    pub over_first: f64,
    /// Mean compression of the liquid over all frames [dimensionless].
    pub density_error_mean: f64,
    /// Whether nothing was lost: a figure that is not healthy does not count.
    pub healthy: bool,
}

/// A run under way.
struct Run {
    search: &'static str,
    scene: Scene,
    solver: Solver,
    /// Time of the frames that count [ms], and how many these are.
    ms: f64,
    timed: u32,
    /// Searches for neighbors so far, and as the solver counts them.
    searches: u32,
    counted: u32,
    density_error: f64,
    healthy: bool,
}

impl LiquidScene {
    /// # Errors
    /// [`ReportError`] when a scene cannot be built or the device fails, but not when it is too small for some.
    pub(super) fn measure(
        &self,
        context: &Context,
        frames: Option<u32>,
        software: bool,
    ) -> Result<LiquidTable, ReportError> {
        let frames = frames.unwrap_or(FRAMES[usize::from(software)]).max(UNTIMED + 1);
        let (mut runs, mut left_out) = (Vec::new(), Vec::new());
        for count in self.counts {
            for search in self.searches {
                match Run::new(context, *count, *search) {
                    Ok(run) => runs.push(run),
                    Err(ReportError::Solver(SolverError::Gpu(error @ GpuError::Buffer { .. }))) => {
                        left_out.push(format!("{count} particles: {error}"));
                    }
                    Err(error) => return Err(error),
                }
            }
        }
        for frame in 0..frames {
            runs.iter_mut().try_for_each(|run| run.frame(frame >= UNTIMED))?;
        }
        let substeps = runs.first().map_or(0, |run| run.scene.params.substeps);
        let mut rows: Vec<_> = runs.iter().map(|run| run.row(frames)).collect();
        let first = rows.first().map_or(1.0, |row| row.particle_ns);
        rows.iter_mut().for_each(|row| row.over_first = row.particle_ns / first);
        Ok(LiquidTable { name: self.name, figure: self.figure, frames, substeps, rows, left_out })
    }
}

impl Run {
    fn new(context: &Context, count: u32, (search, every): Search) -> Result<Self, ReportError> {
        let mut scene = stage_for("dam", &[("count".to_owned(), count.to_string())])?.scene;
        scene.params.liquid_search = every(scene.params.substeps);
        let solver = Solver::new(context, &scene)?;
        Ok(Self {
            search,
            scene,
            solver,
            ms: 0.0,
            timed: 0,
            searches: 0,
            counted: 0,
            density_error: 0.0,
            healthy: true,
        })
    }

    fn frame(&mut self, timed: bool) -> Result<(), ReportError> {
        let begun = Instant::now();
        self.solver.step();
        self.solver.wait()?;
        let ms = begun.elapsed().as_secs_f64() * 1e3;
        let health = self.solver.read_health()?;
        // A frame that makes lists longer counts anew, and what that takes is no cost of a frame.
        let grown = health.liquid_searches < self.counted;
        self.searches += health.liquid_searches - if grown { 0 } else { self.counted };
        self.counted = health.liquid_searches;
        if timed && !grown {
            self.ms += ms;
            self.timed += 1;
        }
        let state = Snapshot::start(&self.scene).next(
            &self.solver.read_bodies()?,
            &self.solver.read_particles()?,
            self.scene.params.dt,
        );
        self.density_error += compression(&self.scene, &state).unwrap_or(0.0);
        self.healthy &= health.is_good() && state.non_finite() == 0;
        Ok(())
    }

    fn row(&self, frames: u32) -> LiquidRow {
        let particles = self.solver.counts().particles;
        let frame_ms = self.ms / f64::from(self.timed.max(1));
        LiquidRow {
            particles,
            search: self.search,
            searches: f64::from(self.searches) / f64::from(frames),
            frame_ms,
            particle_ns: frame_ms * 1e6 / f64::from(particles),
            over_first: 1.0,
            density_error_mean: self.density_error / f64::from(frames),
            healthy: self.healthy,
        }
    }
}

impl LiquidTable {
    /// The curve of the figure: cost of a particle [ns] over what changes.
    pub(super) fn curve(&self) -> Vec<[f64; 2]> {
        let across = |row: &LiquidRow| if self.by_size() { f64::from(row.particles) } else { row.searches };
        self.rows.iter().map(|row| [across(row), row.particle_ns]).collect()
    }

    /// What the horizontal axis of the figure counts.
    pub(super) fn across(&self) -> &'static str {
        if self.by_size() { "particles" } else { "searches a frame" }
    }

    /// Of how the cost grows with the number: the most over the first run, and whether that is below the bar.
    pub(super) fn growth(&self) -> Option<(f64, bool)> {
        let most = self.rows.iter().map(|row| row.over_first).reduce(f64::max).filter(|_| self.by_size())?;
        Some((most, most <= BAR))
    }

    fn by_size(&self) -> bool {
        self.name == SCENES[0].name
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_curve_goes_over_what_changes_and_growth_is_of_sizes() {
        let row = |particles: u32, searches: f64, over_first: f64| LiquidRow {
            particles,
            search: "",
            searches,
            frame_ms: 0.0,
            particle_ns: 100.0 * over_first,
            over_first,
            density_error_mean: 0.0,
            healthy: true,
        };
        let rows = vec![row(10, 4.0, 1.0), row(20, 2.0, 1.5)];
        let table =
            |name| LiquidTable { name, figure: "", frames: 1, substeps: 4, rows: rows.clone(), left_out: vec![] };
        let (by_size, by_search) = (table(SCENES[0].name), table(SCENES[1].name));
        assert_eq!(by_size.curve(), [[10.0, 100.0], [20.0, 150.0]]);
        assert_eq!(by_search.curve(), [[4.0, 100.0], [2.0, 150.0]]);
        assert_eq!((by_size.growth(), by_search.growth()), (Some((1.5, false)), None));
    }

    #[test]
    fn neighbors_are_searched_as_often_as_was_asked() {
        let Ok(context) = Context::shared() else { panic!("no adapter: install mesa-vulkan-drivers") };
        let scene = LiquidScene { counts: &[2000], ..SCENES[1] };
        let table = scene.measure(&context, Some(6), true).unwrap();
        let searches: Vec<f64> = table.rows.iter().map(|row| row.searches).collect();
        assert_eq!(searches[..2], [f64::from(table.substeps), 1.0]);
        assert!(searches[2] > 0.0 && searches[2] < f64::from(table.substeps), "{searches:?}");
        assert!(table.left_out.is_empty() && table.rows.iter().all(|row| row.healthy && row.frame_ms > 0.0));
    }
}
