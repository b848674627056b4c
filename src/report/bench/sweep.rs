//! Figures 5, 7, 8 and 10 of paper 3: what fewer colors cost. Phantoms, colors and their sizes, error, and the motion of the whole that
//! no constraint asks for, by Q, for our phantoms and for those of algorithm 2 as published.

use std::time::Instant;

use glam::{DMat3, DVec3, Vec3};
use nalgebra::Matrix3;
use serde::Serialize;

use super::partitions::divide;
use super::start::{self, Start};
use crate::constraints::{Partition, Partitioned};
use crate::report::{Reference, ReportError};
use crate::scene::Scene;

/// Iterations after which it is measured.
const ITERATIONS: u32 = 64;
/// Q as parts of the largest clique.
const PARTS: [f64; 5] = [1.0, 0.75, 0.5, 0.25, 0.125];

/// A start from which all partitions go.
#[derive(Clone, Copy, Debug)]
pub(super) struct SweepScene {
    pub(super) name: &'static str,
    figure: &'static str,
    start: Start,
}

/// The starts, in order.
pub(super) const SCENES: &[SweepScene] = &[
    SweepScene {
        name: "sweep-cloth",
        figure: "a cloth of 400 particles and 1121 lengths at 16 times its area (paper 3, fig. 10)",
        start: start::CLOTH,
    },
    SweepScene {
        name: "sweep-s0",
        figure: "a cloth of ten thousand lengths at 16 times its area (paper 3, fig. 5)",
        start: Start { demo: "s0", sets: &[("side", "60")], scale: Vec3::splat(4.0), lengths: true },
    },
    SweepScene {
        name: "sweep-torus",
        figure: "rings at 0.3 of their height (paper 3, fig. 8)",
        start: Start { demo: "s2", sets: &[("count", "4")], scale: Vec3::new(1.0, 0.3, 1.0), lengths: false },
    },
    SweepScene {
        name: "sweep-squishy",
        figure: "a squishy ball at 0.3 of its height (paper 3, fig. 7)",
        start: start::SQUISHY,
    },
];

/// What fewer colors cost from one start.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SweepTable {
    /// Name of the start.
    pub name: &'static str,
    /// What it shows, and which figure that is.
    pub figure: &'static str,
    /// Constraints.
    pub constraints: usize,
    /// Most constraints of a particle.
    pub largest_clique: u32,
    /// Iterations on the CPU, in `f64`.
    pub iterations: u32,
    /// Root mean square of the relative error of lengths and volumes at the start.
    pub error_start: f64,
    /// One row a partition.
    pub rows: Vec<SweepRow>,
}

/// What one partition costs.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SweepRow {
    /// Its name.
    pub partition: String,
    /// Its colors.
    pub colors: u32,
    /// Phantom particles.
    pub copies: usize,
    /// Particles that have some: the phantom constraints of paper 3.
    pub split: usize,
    /// Constraints of the smallest and of the largest color.
    pub sizes: [u32; 2],
    /// Time to divide the constraints on one core [s].
    pub seconds: f64,
    /// Root mean square of the relative error of lengths and volumes after the iterations.
    pub error: f64,
    /// Root mean square of how far particles are then from where `colors` has them, over the mean length at rest.
    pub apart: f64,
    /// How far the center of mass has moved, over the mean length at rest. Nothing asks for that.
    pub shift: f64,
    /// How far the whole has turned [degrees]. Nothing asks for that either.
    pub turn: f64,
}

impl SweepScene {
    /// # Errors
    /// [`ReportError`] when the scene cannot be built.
    pub(super) fn measure(&self) -> Result<SweepTable, ReportError> {
        let mut scene = self.start.scene()?;
        start::stiffen(&mut scene);
        let largest_clique = start::clique(&scene);
        let mut partitions = vec![Partition::Colors];
        for part in PARTS {
            let q = ((part * f64::from(largest_clique)).round() as u32).max(1);
            partitions.extend([Partition::Phantom(q), Partition::Cliques(q), Partition::Hybrid(q)]);
        }
        partitions.push(Partition::Jacobi);
        let (mut rows, mut truth) = (Vec::new(), None);
        for partition in partitions {
            let begun = Instant::now();
            let divided = divide(&scene, &scene.constraints, partition);
            let row = row(partition, &divided, begun.elapsed().as_secs_f64());
            let mut reference = Reference::divided(&scene, divided);
            reference.iterate(&scene, ITERATIONS);
            let after = &reference.particles().position;
            let truth: &Vec<DVec3> = truth.get_or_insert_with(|| after.clone());
            let (shift, turn) = motion(&scene, after);
            let apart = apart(after, truth) / f64::from(start::mean_length(&scene));
            let error = start::residual(&scene, |i| after[i]);
            rows.push(SweepRow { error, apart, shift, turn, ..row });
        }
        Ok(SweepTable {
            name: self.name,
            figure: self.figure,
            constraints: scene.constraints.len(),
            largest_clique,
            iterations: ITERATIONS,
            error_start: start::residual_at_start(&scene),
            rows,
        })
    }
}

/// What can be said of a partition before it is used.
fn row(partition: Partition, divided: &Partitioned, seconds: f64) -> SweepRow {
    let sizes = divided.color_starts.windows(2).map(|w| w[1] - w[0]);
    SweepRow {
        partition: partition.to_string(),
        colors: divided.colors(),
        copies: divided.originals.len(),
        split: divided.phantoms.iter().filter(|(_, count)| *count > 0).count(),
        sizes: [sizes.clone().min().unwrap_or(0), sizes.max().unwrap_or(0)],
        seconds,
        error: 0.0,
        apart: 0.0,
        shift: 0.0,
        turn: 0.0,
    }
}

fn apart(a: &[DVec3], b: &[DVec3]) -> f64 {
    let squares: f64 = a.iter().zip(b).map(|(a, b)| a.distance_squared(*b)).sum();
    (squares / a.len().max(1) as f64).sqrt()
}

/// How far all of it has moved, over the mean length at rest, and turned [degrees]: by the rotation that fits start and end best.
fn motion(scene: &Scene, after: &[DVec3]) -> (f64, f64) {
    let masses: Vec<f64> = scene.particles.iter().map(|p| f64::from(p.mass)).collect();
    let before: Vec<DVec3> = scene.particles.iter().map(|p| p.position.as_dvec3()).collect();
    let total: f64 = masses.iter().sum();
    let center = |at: &[DVec3]| at.iter().zip(&masses).map(|(p, m)| *m * *p).sum::<DVec3>() / total;
    let (from, to) = (center(&before), center(after));
    let mut moments = DMat3::ZERO;
    for ((a, b), mass) in before.iter().zip(after).zip(&masses) {
        let (a, b) = (*mass * (*a - from), *b - to);
        moments += DMat3::from_cols(b * a.x, b * a.y, b * a.z);
    }
    let rotation = rotation_of(moments);
    let turn = (0.5 * (rotation.trace() - 1.0)).clamp(-1.0, 1.0).acos().to_degrees();
    (from.distance(to) / f64::from(start::mean_length(scene)), turn)
}

/// The rotation of the polar decomposition; a flat thing may not be mirrored.
fn rotation_of(moments: DMat3) -> Matrix3<f64> {
    let svd = Matrix3::from_column_slice(&moments.to_cols_array()).svd(true, true);
    let (Some(u), Some(v)) = (svd.u, svd.v_t) else { return Matrix3::identity() };
    let mut flip = Matrix3::identity();
    flip[(2, 2)] = (u * v).determinant().signum();
    u * flip * v
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_turn_and_a_shift_are_found() {
        let mut scene = SCENES[0].start.scene().unwrap();
        scene.constraints.truncate(1);
        let turned = glam::DQuat::from_axis_angle(DVec3::new(1.0, 2.0, 2.0) / 3.0, 0.3);
        let length = f64::from(start::mean_length(&scene));
        let masses = || scene.particles.iter().map(|p| f64::from(p.mass));
        let center = scene.particles.iter().zip(masses()).map(|(p, m)| m * p.position.as_dvec3()).sum::<DVec3>();
        let center = center / masses().sum::<f64>();
        let after: Vec<DVec3> = scene
            .particles
            .iter()
            .map(|p| center + turned * (p.position.as_dvec3() - center) + 2.0 * length * DVec3::Y)
            .collect();
        let (shift, turn) = motion(&scene, &after);
        assert!((shift - 2.0).abs() < 1e-9 && (turn - 0.3_f64.to_degrees()).abs() < 1e-6, "{shift} {turn}");
    }

    #[test]
    fn fewer_colors_leave_more_error_and_published_phantoms_are_more() {
        let table = SCENES[0].measure().unwrap();
        let of = |name: &str| table.rows.iter().find(|row| row.partition == name).unwrap();
        let (colors, jacobi) = (of("colors"), of("jacobi"));
        let half = table.largest_clique / 2;
        let (ours, theirs) = (of(&format!("phantom:{half}")), of(&format!("cliques:{half}")));
        assert!(colors.error < ours.error && ours.error < jacobi.error, "{table:?}");
        assert!(colors.error < theirs.error && theirs.error <= jacobi.error, "{table:?}");
        assert!(ours.copies < theirs.copies && ours.colors == half, "{table:?}");
        // Momentum is kept to rounding where nothing is copied.
        assert!(colors.shift < 1e-9 && colors.copies == 0, "{colors:?}");
    }
}
