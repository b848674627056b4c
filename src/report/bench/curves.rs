//! Figures 5 of paper 1 and 6 and 9 of paper 3: how fast the error of the constraints falls, by time and partition.

use std::time::Instant;

use glam::Vec3;
use serde::Serialize;

use super::partitions::{constraints_ms, divide};
use super::start::{self, Start};
use crate::constraints::Partition;
use crate::gpu::Context;
use crate::report::{Reference, ReportError, median};
use crate::scene::Scene;
use crate::solver::Solver;

/// Iterations after which the error is measured.
const ITERATIONS: [u32; 7] = [1, 2, 4, 8, 16, 32, 64];
/// Iterations of a frame that is timed, and how many such frames.
const TIMED: (u32, u32) = (8, 6);
/// Time of a frame after which no more iterations are asked for [ms].
const LONG: f64 = 500.0;

/// A start from which all partitions go.
#[derive(Clone, Copy, Debug)]
pub(super) struct CurveScene {
    pub(super) name: &'static str,
    figure: &'static str,
    start: Start,
}

/// The starts, in order.
pub(super) const SCENES: &[CurveScene] = &[
    CurveScene {
        name: "curve-cloth",
        figure: "a cloth of 400 particles and 1121 lengths at 16 times its area (paper 3, fig. 9)",
        start: start::CLOTH,
    },
    CurveScene {
        name: "curve-s1",
        figure: "a flattened body comes back (paper 1, fig. 5)",
        start: Start { demo: "s1", sets: &[], scale: Vec3::ONE, lengths: false },
    },
    CurveScene {
        name: "curve-squishy",
        figure: "a squishy ball at 0.3 of its height (paper 3, fig. 6)",
        start: start::SQUISHY,
    },
    CurveScene {
        name: "curve-omotondo",
        figure: "the flattened Omotondo comes back (paper 3, fig. 6)",
        start: Start { demo: "omotondo", sets: &[], scale: Vec3::ONE, lengths: false },
    },
];

/// How the error falls from one start.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CurveTable {
    /// Name of the start.
    pub name: &'static str,
    /// What it shows, and which figure that is.
    pub figure: &'static str,
    /// Root mean square of the relative error of lengths and volumes at the start.
    pub residual_start: f64,
    /// One curve a partition on the GPU, then the colors on the CPU.
    pub curves: Vec<Curve>,
    /// The time at which the partitions on the GPU are compared: the shortest of their curves [ms].
    pub equal_ms: f64,
    /// The partitions by their error at that time, least first.
    pub order: Vec<String>,
    /// Whether Jacobi has more error then than colors and phantom, as published.
    pub jacobi_behind: bool,
    /// Whether phantom has no more error then than colors, as published.
    pub phantom_first: bool,
}

/// The error after some iterations.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Curve {
    /// Name of the partition, or `cpu st` and `cpu mt`.
    pub name: String,
    /// Time of an iteration [ms]: that of its passes where they can be timed, otherwise of a whole frame.
    pub iteration_ms: f64,
    /// Iterations, time [ms] and error of each measurement.
    pub points: Vec<(u32, f64, f64)>,
}

impl Curve {
    /// The errors after [`ITERATIONS`], or the first of them.
    fn new(name: String, iteration_ms: f64, residuals: &[f64]) -> Self {
        let point = |(n, residual): (&u32, &f64)| (*n, f64::from(*n) * iteration_ms, *residual);
        Self { name, iteration_ms, points: ITERATIONS.iter().zip(residuals).map(point).collect() }
    }

    /// The error at a time [ms], straight between the points in logarithms; that of the nearest end outside them.
    pub fn residual_at(&self, ms: f64) -> Option<f64> {
        let (first, last) = (self.points.first()?, self.points.last()?);
        let Some(pair) = self.points.windows(2).find(|pair| (pair[0].1..=pair[1].1).contains(&ms)) else {
            return Some(if ms < first.1 { first.2 } else { last.2 });
        };
        let [(_, t0, r0), (_, t1, r1)] = [pair[0], pair[1]];
        let part = (ms / t0).ln() / (t1 / t0).ln();
        Some(r0 * (r1 / r0).powf(part))
    }
}

impl CurveScene {
    /// # Errors
    /// [`ReportError`] when the scene cannot be built or the device fails.
    pub(super) fn measure(&self, context: &Context) -> Result<CurveTable, ReportError> {
        let mut scene = self.start.scene()?;
        let residual_start = start::residual(&scene, |i| scene.particles[i].position.as_dvec3());
        let mut curves = Vec::new();
        for partition in start::partitions(&scene) {
            scene.params.partition = partition;
            curves.push(on_gpu(context, &mut scene)?);
        }
        scene.params.partition = Partition::Colors;
        let (equal_ms, order) = compare(&curves);
        let rank = |name: &str| order.iter().position(|o| o.starts_with(name));
        let [colors, phantom, jacobi] = ["colors", "phantom", "jacobi"].map(rank);
        let (jacobi_behind, phantom_first) = (jacobi > colors.max(phantom), phantom < colors);
        let reference = Reference::divided(&scene, divide(&scene, &scene.constraints, Partition::Colors));
        for (name, threaded) in [("cpu st", false), ("cpu mt", true)] {
            curves.push(on_cpu(name, &reference, &mut scene, threaded));
        }
        let (name, figure) = (self.name, self.figure);
        Ok(CurveTable { name, figure, residual_start, curves, equal_ms, order, jacobi_behind, phantom_first })
    }
}

/// The time when the first curve ends, and the names of the curves by their error then.
fn compare(curves: &[Curve]) -> (f64, Vec<String>) {
    let ends = curves.iter().filter_map(|c| c.points.last()).map(|(_, ms, _)| *ms);
    let equal_ms = ends.reduce(f64::min).unwrap_or(0.0);
    let mut order: Vec<&Curve> = curves.iter().collect();
    order.sort_by(|a, b| {
        a.residual_at(equal_ms).partial_cmp(&b.residual_at(equal_ms)).unwrap_or(std::cmp::Ordering::Equal)
    });
    (equal_ms, order.into_iter().map(|c| c.name.clone()).collect())
}

fn on_gpu(context: &Context, scene: &mut Scene) -> Result<Curve, ReportError> {
    let (mut residuals, mut iteration_ms) = (Vec::new(), 0.0);
    for iterations in ITERATIONS {
        scene.params.iterations = iterations;
        let mut solver = Solver::new(context, scene)?;
        solver.step();
        residuals.push(start::residual_of(scene, &solver.read_particles()?));
        if iterations == TIMED.0 {
            iteration_ms = frame_ms(context, &mut solver)? / f64::from(iterations);
        }
        if f64::from(iterations) * iteration_ms > LONG {
            break;
        }
    }
    Ok(Curve::new(scene.params.partition.to_string(), iteration_ms, &residuals))
}

/// Median time of the constraints in the frames that follow, or of whole frames without timestamps [ms].
pub(super) fn frame_ms(context: &Context, solver: &mut Solver) -> Result<f64, ReportError> {
    solver.set_timing(context.has_timestamps());
    let mut frames = Vec::new();
    for _ in 0..TIMED.1 {
        frames.push(step_ms(solver)?);
    }
    Ok(constraints_ms(solver).or(median(&frames)).unwrap_or(0.0))
}

/// Wall clock of a frame [ms].
pub(super) fn step_ms(solver: &mut Solver) -> Result<f64, ReportError> {
    let begun = Instant::now();
    solver.step();
    solver.wait()?;
    Ok(begun.elapsed().as_secs_f64() * 1e3)
}

fn on_cpu(name: &str, reference: &Reference, scene: &mut Scene, threaded: bool) -> Curve {
    let (mut residuals, mut each) = (Vec::new(), Vec::new());
    for iterations in ITERATIONS {
        scene.params.iterations = iterations;
        let mut reference = reference.clone();
        let begun = Instant::now();
        reference.frame(scene, threaded);
        let ms = begun.elapsed().as_secs_f64() * 1e3;
        residuals.push(start::residual(scene, |i| reference.particles().position[i]));
        each.push(ms / f64::from(iterations));
        if ms > LONG {
            break;
        }
    }
    Curve::new(name.to_owned(), median(&each).unwrap_or(0.0), &residuals)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_between_points_are_read_off_in_logarithms() {
        let curve = Curve { name: "x".into(), iteration_ms: 1.0, points: vec![(1, 1.0, 1.0), (4, 4.0, 0.01)] };
        let at = |ms| curve.residual_at(ms).unwrap();
        assert!((at(2.0) - 0.1).abs() < 1e-12);
        assert_eq!((at(0.1), at(9.0)), (1.0, 0.01));
        let slow = Curve { name: "y".into(), points: vec![(1, 2.0, 0.5), (4, 8.0, 0.2)], ..curve.clone() };
        assert_eq!(compare(&[slow, curve]), (4.0, vec!["x".to_owned(), "y".to_owned()]));
    }

    #[test]
    fn the_error_on_the_gpu_is_that_on_the_cpu() {
        let context = Context::shared().expect("adapter");
        let mut scene = SCENES[0].start.scene().unwrap();
        for partition in [Partition::Colors, Partition::Phantom(4)] {
            scene.params.partition = partition;
            let gpu = on_gpu(&context, &mut scene).unwrap();
            let cpu = on_cpu("cpu st", &Reference::new(&scene), &mut scene, false);
            assert_eq!(gpu.name, partition.to_string());
            for (gpu, cpu) in gpu.points.iter().zip(&cpu.points) {
                assert!(gpu.0 == cpu.0 && (gpu.2 / cpu.2 - 1.0).abs() < 0.01, "{gpu:?} {cpu:?}");
            }
        }
    }
}
