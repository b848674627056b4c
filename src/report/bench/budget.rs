//! Figures 4 and 5 of paper 1: a cube lands, with 8 iterations of colors and with the 24 of Jacobi that took as long there; and with as
//! many as take equal time here.

use glam::Vec3;
use serde::Serialize;

use super::convergence::Errors;
use super::curves::step_ms;
use crate::constraints::Partition;
use crate::demos::stage_for;
use crate::gpu::Context;
use crate::report::{ReportError, median};
use crate::scene::Scene;
use crate::solver::Solver;

/// Name on the command line.
pub(super) const NAME: &str = "budget-cube";
/// Frames simulated: it comes down, and stands.
const FRAMES: u32 = 96;
/// Iterations of a frame of 5 ms in the paper.
const COLORS: u32 = 8;
const JACOBI: u32 = 24;
/// The most that a world has.
const MOST_ITERATIONS: f64 = 64.0;
/// Frames whose errors are printed.
pub(super) const SHOWN: [u32; 10] = [1, 2, 4, 8, 12, 16, 24, 32, 64, 96];

/// A cube that lands, by its solver.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct BudgetTable {
    /// Its name.
    pub name: &'static str,
    /// Particles.
    pub particles: usize,
    /// Constraints.
    pub constraints: usize,
    /// One row a solver.
    pub rows: Vec<BudgetRow>,
}

/// How one of them does.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct BudgetRow {
    /// Partition and iterations, or `as long` and those of Jacobi that take as long as colors.
    pub name: String,
    /// Iterations of a frame, of one substep.
    pub iterations: u32,
    /// Median time of a frame [ms], contacts and all.
    pub frame_ms: f64,
    /// After each frame.
    pub points: Vec<BudgetPoint>,
    /// Whether nothing was lost.
    pub healthy: bool,
}

/// A frame.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct BudgetPoint {
    /// Time simulated [ms].
    pub at_ms: f64,
    /// How far lengths and volumes are off.
    pub errors: Errors,
    /// Height over that at rest.
    pub height: f64,
}

impl BudgetRow {
    /// The largest mean error of lengths and volumes on the way.
    pub fn worst(&self) -> f64 {
        self.points.iter().map(|point| point.errors.mean()).fold(0.0, f64::max)
    }

    /// The mean of that error over all frames.
    pub fn mean(&self) -> f64 {
        self.points.iter().map(|point| point.errors.mean()).sum::<f64>() / self.points.len().max(1) as f64
    }

    /// How flat it was, as a part of its height.
    pub fn least_height(&self) -> f64 {
        self.points.iter().map(|point| point.height).fold(f64::INFINITY, f64::min)
    }

    /// Error against time simulated.
    pub(super) fn curve(&self) -> Vec<[f64; 2]> {
        self.points.iter().map(|point| [point.at_ms, point.errors.mean()]).filter(|point| point[1] > 0.0).collect()
    }
}

/// # Errors
/// [`ReportError`] when the scene cannot be built or the device fails.
pub(super) fn measure(context: &Context, frames: Option<u32>) -> Result<BudgetTable, ReportError> {
    let mut scene = stage_for("cube", &[])?.scene;
    let frames = frames.unwrap_or(FRAMES);
    let colors = land(context, &mut scene, Partition::Colors, COLORS, frames)?;
    let jacobi = land(context, &mut scene, Partition::Jacobi, JACOBI, frames)?;
    let equal = equal(&colors, &jacobi);
    let as_long = land(context, &mut scene, Partition::Jacobi, equal, frames)?;
    let as_long = BudgetRow { name: format!("as long: {equal}"), ..as_long };
    let (particles, constraints) = (scene.particles.len(), scene.constraints.len());
    Ok(BudgetTable { name: NAME, particles, constraints, rows: vec![colors, jacobi, as_long] })
}

/// So many iterations of Jacobi take as long as those of colors, in the range that a world has.
fn equal(colors: &BudgetRow, jacobi: &BudgetRow) -> u32 {
    let each = jacobi.frame_ms / f64::from(jacobi.iterations);
    (colors.frame_ms / each).round().clamp(1.0, MOST_ITERATIONS) as u32
}

fn land(
    context: &Context,
    scene: &mut Scene,
    partition: Partition,
    iterations: u32,
    frames: u32,
) -> Result<BudgetRow, ReportError> {
    (scene.params.partition, scene.params.iterations) = (partition, iterations);
    let rest = height(scene.particles.iter().map(|p| p.position.y));
    let mut solver = Solver::new(context, scene)?;
    let (mut points, mut times) = (Vec::new(), Vec::new());
    for frame in 1..=frames {
        times.push(step_ms(&mut solver)?);
        let particles = solver.read_particles()?;
        let errors = Errors::of(scene, |i| Vec3::from_slice(&particles[i]).as_dvec3());
        let at_ms = f64::from(frame) * f64::from(scene.params.dt) * 1e3;
        points.push(BudgetPoint { at_ms, errors, height: height(particles.iter().map(|p| p[1])) / rest });
    }
    let healthy = solver.read_health()?.is_good();
    let name = format!("{partition}: {iterations}");
    Ok(BudgetRow { name, iterations, frame_ms: median(&times).unwrap_or(0.0), points, healthy })
}

fn height(y: impl Iterator<Item = f32> + Clone) -> f64 {
    f64::from(y.clone().fold(f32::MIN, f32::max) - y.fold(f32::MAX, f32::min))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Paper 1: what took as long is softer where it averages. A smaller cube, whose sixth of the iterations is as few for its size.
    #[test]
    fn the_cube_of_jacobi_is_softer() {
        let context = Context::shared().expect("adapter");
        let sets = [("cells".to_owned(), "6".to_owned())];
        let mut scene = stage_for("cube", &sets).unwrap().scene;
        let colors = land(&context, &mut scene, Partition::Colors, 4, 30).unwrap();
        let jacobi = land(&context, &mut scene, Partition::Jacobi, 12, 30).unwrap();
        println!("{} {} {} {}", colors.worst(), jacobi.worst(), colors.least_height(), jacobi.least_height());
        assert!(colors.healthy && jacobi.healthy && colors.points.len() == 30);
        assert!(colors.mean() < jacobi.mean() && colors.worst() < jacobi.worst());
        assert!(jacobi.least_height() < colors.least_height() && colors.least_height() < 1.0);
    }
}
