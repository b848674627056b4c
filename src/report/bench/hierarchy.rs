//! What coarse levels of lengths do for stiff hanging objects (Müller 2008; paper 2, hierarchical solver): stretch and sag against the
//! exact answer, by iterations and time, with levels and without.

use glam::{Quat, Vec3};
use serde::Serialize;

use super::curves::step_ms;
use super::start;
use crate::gpu::Context;
use crate::report::{ReportError, median};
use crate::scene::{Air, Deformable, RopeMaterial, Scene, SceneError, SheetGrid, SheetMaterial, Topology};
use crate::solver::{Solver, SolverError};

/// Frames that are timed, those with levels and those without in turn.
const TIMED: u32 = 40;
/// Frames of each of the two before them, and how many times as long one with levels may take.
const UNTIMED: u32 = 3;
const TIME_BAR: f64 = 1.5;
/// How many times as many iterations it shall be worth.
const WORTH_BAR: f64 = 10.0;
/// More levels than any of them has.
const LEVELS: u32 = 16;

/// What hangs.
#[derive(Clone, Copy, Debug)]
pub(super) struct HierarchyScene {
    pub(super) name: &'static str,
    what: &'static str,
    build: fn() -> Result<Hung, SceneError>,
    /// Iterations without levels.
    plain: &'static [u32],
    /// Frames after which it is judged beside the first.
    frames: u32,
}

/// A scene, and how far below its pins its lowest end is at rest under its weight [m].
struct Hung {
    scene: Scene,
    exact: f64,
}

/// What hangs, in order.
pub(super) const SCENES: &[HierarchyScene] = &[
    HierarchyScene {
        name: "levels-chain",
        what: "a rope of 256 links and 2 m, 0.2 kg, with a weight of 2 kg at its end",
        build: chain,
        plain: &[1, 4, 16, 64],
        frames: 60,
    },
    HierarchyScene {
        name: "levels-sheet",
        what: "a cotton sheet of 200 x 200 and 2 m, held by an edge",
        build: sheet,
        plain: &[1, 10, 40],
        frames: 12,
    },
];

fn chain() -> Result<Hung, SceneError> {
    let material = RopeMaterial { line_density: 0.1, stretch: 1e-8, bend: f32::INFINITY };
    let points = (0..=256).map(|i| -2.0 / 256.0 * i as f32 * Vec3::Y).collect();
    let mut rope = Deformable::rope("chain", points, 0.003, &material)?;
    rope.masses[0] = 0.0;
    rope.masses[256] = 2.0;
    hung(&rope, f64::from(material.stretch))
}

fn sheet() -> Result<Hung, SceneError> {
    let grid = SheetGrid { topology: Topology::Diagonal, ..SheetGrid::square(200, 2.0) };
    let upright = |p: &Vec3| Vec3::new(p.x, -p.z - 1.0, 0.0);
    let rest = grid.positions().iter().map(upright).collect();
    let material = SheetMaterial { air: Air::NONE, ..SheetMaterial::default() };
    let mut sheet = Deformable::sheet("sheet", rest, &grid.triangles(), 0.004, &material)?;
    sheet.pin(|at| at.y > -1e-4);
    // Each column bears its own weight; what its edges give way by is some micrometers.
    hung(&sheet, f64::from(material.stretch) / 200.0)
}

/// Hangs it up; each of its lengths in turn gives way by `compliance` [m/N] times all that is below it.
fn hung(object: &Deformable, compliance: f64) -> Result<Hung, SceneError> {
    let mut scene = Scene::default();
    scene.add_deformable(object, Vec3::ZERO, Quat::IDENTITY, Vec3::ZERO)?;
    let far = |p: &Vec3| -f64::from(p.y);
    let deepest = object.rest.iter().map(far).fold(0.0, f64::max);
    // Each weight pulls at all lengths above it: as many as its depth has.
    let step = object.rest.iter().map(far).filter(|y| *y > 1e-6).fold(deepest, f64::min);
    let gravity = -f64::from(scene.params.gravity.y);
    let pull = |(p, mass): (&Vec3, &f32)| f64::from(*mass) * gravity * far(p) / step;
    let give: f64 = object.rest.iter().zip(&object.masses).map(pull).sum();
    Ok(Hung { scene, exact: deepest + compliance * give })
}

/// How what hangs does with levels and without.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct HierarchyTable {
    /// Its name.
    pub name: &'static str,
    /// What hangs.
    pub what: &'static str,
    /// Particles.
    pub particles: usize,
    /// Constraints.
    pub constraints: usize,
    /// How far its end is below its pins at rest under its weight [m].
    pub exact: f64,
    /// Frames after which the last columns are read.
    pub frames: u32,
    /// One run each.
    pub rows: Vec<HierarchyRow>,
    /// Time of a frame with levels and one iteration over that of one without, frames in turn: the median of the ratios.
    pub time_ratio: f64,
}

/// One run.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct HierarchyRow {
    /// Levels asked for.
    pub levels: u32,
    /// Iterations a substep.
    pub iterations: u32,
    /// Time of a frame [ms], the median.
    pub frame_ms: f64,
    /// After the first frame.
    pub first: Stretched,
    /// After the last one.
    pub last: Stretched,
    /// Whether nothing was lost.
    pub healthy: bool,
}

/// How long lengths are over what they are at rest, and how far the end has sunk.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Stretched {
    /// Mean of |C| / d.
    pub mean: f64,
    /// Root mean square of C / d.
    pub rms: f64,
    /// Largest |C| / d.
    pub most: f64,
    /// How far the lowest particle is below where theory has it [m].
    pub sag: f64,
}

impl Stretched {
    fn of(hung: &Hung, particles: &[[f32; 4]]) -> Self {
        let at = |i: usize| Vec3::from_slice(&particles[i]).as_dvec3();
        let (mut sum, mut squares, mut most, mut count) = (0.0, 0.0, 0.0_f64, 0.0);
        for (_, c) in start::relative(&hung.scene, &at).filter(|(is_length, _)| *is_length) {
            (sum, squares, count) = (sum + c.abs(), squares + c * c, count + 1.0);
            most = most.max(c.abs());
        }
        let lowest = particles.iter().map(|p| -f64::from(p[1])).fold(0.0, f64::max);
        Self { mean: sum / count, rms: (squares / count).sqrt(), most, sag: lowest - hung.exact }
    }
}

impl HierarchyScene {
    /// # Errors
    /// [`ReportError`] when the scene cannot be built or the device fails.
    pub(super) fn measure(&self, context: &Context) -> Result<HierarchyTable, ReportError> {
        let mut hung = (self.build)().map_err(SolverError::from)?;
        let mut rows = Vec::new();
        let runs = self.plain.iter().map(|n| (1, *n)).chain([(LEVELS, 1), (LEVELS, 2)]);
        for (levels, iterations) in runs {
            (hung.scene.params.levels, hung.scene.params.iterations) = (levels, iterations);
            rows.push(run(context, &hung, self.frames)?);
        }
        Ok(HierarchyTable {
            name: self.name,
            what: self.what,
            particles: hung.scene.particles.len(),
            constraints: hung.scene.constraints.len(),
            exact: hung.exact,
            frames: self.frames,
            time_ratio: time_ratio(context, &mut hung.scene)?,
            rows,
        })
    }
}

fn run(context: &Context, hung: &Hung, frames: u32) -> Result<HierarchyRow, ReportError> {
    let params = &hung.scene.params;
    let (levels, iterations) = (params.levels, params.iterations);
    let mut solver = Solver::new(context, &hung.scene)?;
    let (mut times, mut first) = (Vec::new(), Stretched::default());
    for frame in 0..frames {
        times.push(step_ms(&mut solver)?);
        if frame == 0 {
            first = Stretched::of(hung, &solver.read_particles()?);
        }
    }
    let last = Stretched::of(hung, &solver.read_particles()?);
    let healthy = solver.read_health()?.is_good();
    Ok(HierarchyRow { levels, iterations, frame_ms: median(&times).unwrap_or(0.0), first, last, healthy })
}

/// A frame with levels over one without, in turn.
fn time_ratio(context: &Context, scene: &mut Scene) -> Result<f64, ReportError> {
    scene.params.iterations = 1;
    scene.params.levels = 1;
    let mut plain = Solver::new(context, scene)?;
    scene.params.levels = LEVELS;
    let mut levels = Solver::new(context, scene)?;
    let mut ratios = Vec::new();
    for frame in 0..UNTIMED + TIMED {
        let (a, b) = (step_ms(&mut plain)?, step_ms(&mut levels)?);
        if frame >= UNTIMED {
            ratios.push(b / a);
        }
    }
    Ok(median(&ratios).unwrap_or(0.0))
}

impl HierarchyTable {
    /// How many times as many iterations without levels leave as little rms stretch after the first frame as one with levels, at least;
    /// and whether that many were enough.
    pub fn worth(&self) -> Option<(u32, bool)> {
        let with = self.rows.iter().find(|row| row.levels > 1 && row.iterations == 1)?;
        let plain = || self.rows.iter().filter(|row| row.levels == 1);
        let enough = plain().find(|row| row.first.rms <= with.first.rms).map(|row| (row.iterations, true));
        enough.or_else(|| plain().next_back().map(|row| (row.iterations, false)))
    }

    /// What is said of both bars.
    pub(super) fn says(&self) -> String {
        let said = |holds: bool| if holds { "holds" } else { "does NOT hold" };
        let Some((iterations, enough)) = self.worth() else { return String::new() };
        // More than the last that were not enough.
        let worth = if enough { "" } else { "more than " };
        let holds = f64::from(iterations) >= WORTH_BAR;
        format!(
            "one iteration with levels stretches as little in a frame as {worth}{iterations} without (bar {WORTH_BAR}: {}); its frame \
             takes {:.2} times as long (bar {TIME_BAR}: {})",
            said(holds),
            self.time_ratio,
            said(self.time_ratio <= TIME_BAR)
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rope_sags_by_what_its_links_bear() {
        let hung = chain().unwrap();
        // Springs in series under 2 kg, and under all links below each.
        let link = 2.0 / 256.0 * 0.1;
        let below: f64 = (0..256).map(|i| 2.0 + link * f64::from(255 - i)).sum();
        let expected = 2.0 + 1e-8 * 9.81 * below;
        assert!((hung.exact - expected).abs() < 1e-8, "{} for {expected}", hung.exact);
    }

    #[test]
    fn one_iteration_with_levels_is_worth_ten_without() {
        let context = Context::shared().expect("adapter");
        let mut hung = chain().unwrap();
        let mut left = |levels, iterations| {
            (hung.scene.params.levels, hung.scene.params.iterations) = (levels, iterations);
            run(&context, &hung, 20).unwrap()
        };
        let (plain, with) = (left(1, 64), left(LEVELS, 1));
        println!("{plain:?}\n{with:?}");
        assert!(plain.healthy && with.healthy);
        assert!(10.0 * with.last.rms < plain.last.rms && with.first.rms < plain.first.rms);
        assert!(with.last.sag.abs() < 1e-3, "{with:?}");
    }
}
