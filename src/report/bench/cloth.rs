//! Tables of paper 4 about cloth itself: how its two ways to split cells resist in different directions and what they cost, and the
//! effect of its pairs of stiffness.

use glam::{DVec2, DVec3, Vec3};
use serde::Serialize;

use crate::constraints::Row;
use crate::demos::{Stage, stage_for};
use crate::gpu::Context;
use crate::report::{ReportError, Snapshot, run};
use crate::scene::{Deformable, Scene, SheetGrid, SheetMaterial, Topology};
use crate::solver::SolverError;

/// The tables.
pub(super) const TOPOLOGY: &str = "cloth-topology";
pub(super) const STIFFNESS: &str = "cloth-stiffness";

/// Directions in which a sheet is stretched, sheared and bent, from its rows of cells [degrees].
pub const DIRECTIONS: [f64; 4] = [0.0, 45.0, 90.0, 135.0];
/// Strain, shear, and curvature [1/m] that it gets: small, so that its energy is that of a linear material.
const STRAIN: f64 = 1e-4;
const CURVATURE: f64 = 1e-2;
/// Cells along a side of the sheet, whose side is 1 m.
const CELLS: u32 = 32;

/// Ways to cut cells, by the names of the option.
const TOPOLOGIES: [(&str, Topology); 2] = [("centered", Topology::Centered), ("diagonal", Topology::Diagonal)];
/// Parts of the corrections of lengths and bends: all of both, and those of paper 4.
const PAIRS: [[f32; 2]; 3] = [[1.0, 1.0], [0.9, 0.6], [0.6, 0.1]];
/// Particles along a side of the cloth that runs, and frames.
const SIDE: u32 = 40;
const FRAMES: u32 = 40;

/// A way to cut cells.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TopologyRow {
    /// Its name, as of the option `topology`.
    pub topology: &'static str,
    /// Energy when it is stretched along each of [`DIRECTIONS`], over its mean.
    pub stretch: [f64; 4],
    /// The same of shear along them.
    pub shear: [f64; 4],
    /// The same of bending about them.
    pub bend: [f64; 4],
    /// What it did in `flamenco`.
    pub run: ClothRun,
}

/// A pair of stiffness.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct StiffnessRow {
    /// Part of its correction that a length makes.
    pub distance: f32,
    /// And a bend.
    pub bend: f32,
    /// What it did in `flamenco`.
    pub run: ClothRun,
}

/// What a cloth did in `flamenco`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ClothRun {
    /// Frames.
    pub frames: u32,
    /// Constraints between particles.
    pub constraints: u32,
    /// Colors of each type, summed.
    pub colors: u32,
    /// Median of a frame [ms].
    pub frame_ms: Option<f64>,
    /// Constraints of it [ms]; none without timestamps.
    pub constraints_ms: Option<f64>,
    /// Root mean square of the relative stretch at the end.
    pub stretch_rms: Option<f64>,
    /// Mean angle between neighboring triangles at the end [degrees].
    pub fold: f64,
    /// Whether nothing was lost.
    pub healthy: bool,
}

/// Makes the table of ways to cut cells.
///
/// # Errors
/// [`ReportError`] when a scene cannot be built or the device fails.
pub(super) fn topologies(context: &Context, frames: Option<u32>) -> Result<Vec<TopologyRow>, ReportError> {
    let row = |(name, topology): (&'static str, Topology)| {
        let sheet = sheet(topology)?;
        let of = |bends: bool, moved: fn(DVec2, f64) -> DVec3| {
            let all = DIRECTIONS.map(|degrees| energy(&sheet, bends, &|at| turned(at, degrees, moved)));
            let mean = all.iter().sum::<f64>() / all.len() as f64;
            all.map(|energy| energy / mean)
        };
        let stage = stage_for("flamenco", &sets(&[("side", &SIDE.to_string()), ("topology", name)]))?;
        Ok(TopologyRow {
            topology: name,
            stretch: of(false, |p, _| DVec3::new(p.x * (1.0 + STRAIN), 0.0, p.y)),
            shear: of(false, |p, _| DVec3::new(p.x + STRAIN * p.y, 0.0, p.y)),
            // The direction is the axis.
            bend: of(true, |p, _| {
                let turn = CURVATURE * p.y;
                DVec3::new(p.x, (1.0 - turn.cos()) / CURVATURE, turn.sin() / CURVATURE)
            }),
            run: measure(context, &stage, frames.unwrap_or(FRAMES))?,
        })
    };
    TOPOLOGIES.into_iter().map(row).collect()
}

/// Makes the table of pairs of stiffness, where nothing else makes constraints soft.
///
/// # Errors
/// As [`topologies`].
pub(super) fn pairs(context: &Context, frames: Option<u32>) -> Result<Vec<StiffnessRow>, ReportError> {
    let row = |[distance, bend]: [f32; 2]| {
        let values = [SIDE.to_string(), distance.to_string(), bend.to_string()];
        let named = [("side", &*values[0]), ("stiffness", &*values[1]), ("bend_stiffness", &*values[2])];
        let mut stage = stage_for("flamenco", &sets(&named))?;
        for row in &mut stage.scene.constraints {
            let soft: Vec<usize> = row.gives().map(|(number, _)| number).collect();
            soft.into_iter().for_each(|number| row.values[number] = 0.0);
        }
        Ok(StiffnessRow { distance, bend, run: measure(context, &stage, frames.unwrap_or(FRAMES))? })
    };
    PAIRS.into_iter().map(row).collect()
}

fn sets(given: &[(&str, &str)]) -> Vec<(String, String)> {
    given.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect()
}

fn sheet(topology: Topology) -> Result<Deformable, ReportError> {
    let grid = SheetGrid { topology, ..SheetGrid::square(CELLS + 1, 1.0) };
    let material = SheetMaterial::default();
    let sheet = Deformable::sheet("sheet", grid.positions(), &grid.triangles(), 0.4 * grid.spacing(), &material);
    Ok(sheet.map_err(SolverError::from)?)
}

/// Where a place of the sheet goes that `moved` moves as if the direction was along x.
fn turned(at: Vec3, degrees: f64, moved: fn(DVec2, f64) -> DVec3) -> DVec3 {
    let along = DVec2::from_angle(degrees.to_radians());
    let flat = DVec2::new(f64::from(at.x), f64::from(at.z));
    let to = moved(DVec2::new(flat.dot(along), along.perp_dot(flat)), degrees);
    let back = to.x * along + to.z * along.perp();
    DVec3::new(back.x, to.y, back.y)
}

/// Energy of its lengths or its bends [J], C² / 2α each.
fn energy(sheet: &Deformable, bends: bool, to: &dyn Fn(Vec3) -> DVec3) -> f64 {
    let of = |row: &Row| {
        let mut x = [DVec3::ZERO; 4];
        row.joined().iter().zip(&mut x).for_each(|(particle, x)| *x = to(sheet.rest[*particle as usize]));
        (0..row.kind.equations)
            .map(|index| row.equation(index, &x))
            .map(|equation| 0.5 * equation.value * equation.value / equation.compliance)
            .sum::<f64>()
    };
    sheet.constraints.iter().filter(|row| row.bends() == bends).map(of).sum()
}

fn measure(context: &Context, stage: &Stage, frames: u32) -> Result<ClothRun, ReportError> {
    let mut last = Vec::new();
    let mut keep = |_, state: &Snapshot| last.clone_from(&state.particles);
    let report = run(context, "flamenco", stage, frames, &mut keep)?;
    let of_constraints = report.timing.passes_ms.iter().filter(|(pass, _)| pass.starts_with("constraints/"));
    let timed = !report.timing.passes_ms.is_empty();
    Ok(ClothRun {
        frames,
        constraints: stage.scene.constraints.len() as u32,
        colors: report.counts.colors.values().sum(),
        frame_ms: report.timing.frame_ms.median,
        constraints_ms: timed.then(|| of_constraints.map(|(_, ms)| ms).sum()),
        stretch_rms: report.quality.stretch_rms,
        fold: fold(&stage.scene, &last),
        healthy: report.healthy(),
    })
}

/// Mean angle between neighboring triangles [degrees].
fn fold(scene: &Scene, places: &[Vec3]) -> f64 {
    let angle = |row: &Row| {
        let [a, b, c, d] = row.particles.map(|i| places[i as usize].as_dvec3());
        let (one, other) = ((b - a).cross(c - a), (d - a).cross(b - a));
        if one.length() * other.length() > 0.0 { one.angle_between(other).to_degrees() } else { 0.0 }
    };
    let angles: Vec<f64> = scene.constraints.iter().filter(|row| row.bends()).map(angle).collect();
    angles.iter().sum::<f64>() / angles.len().max(1) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sheet_of_one_diagonal_is_stiffer_along_it() {
        let of = |topology, degrees| {
            let stretched = |p: DVec2, _: f64| DVec3::new(p.x * (1.0 + STRAIN), 0.0, p.y);
            energy(&sheet(topology).unwrap(), false, &|at| turned(at, degrees, stretched))
        };
        // A link of length l along the unit vector e gains (eᵀ S e l)² / 2α: with cells of side s, n² of them and one diagonal, along
        // it s² / α (¼ + ¼ + 2), and across it s² / α (¼ + ¼), times half the strain squared.
        let [along, across] = [of(Topology::Diagonal, 45.0), of(Topology::Diagonal, 135.0)];
        assert!((along / across / 5.0 - 1.0).abs() < 0.1, "{along} J along it, {across} J across");
        let [along, across] = [of(Topology::Centered, 45.0), of(Topology::Centered, 135.0)];
        assert!((along / across - 1.0).abs() < 0.1, "{along} J, {across} J");
    }

    #[test]
    fn a_flat_sheet_holds_no_energy() {
        let sheet = sheet(Topology::Centered).unwrap();
        let of = |bends, moved| energy(&sheet, bends, &|at| turned(at, 30.0, moved));
        let flat = |p: DVec2, _: f64| DVec3::new(p.x, 0.0, p.y);
        let stretched = |p: DVec2, _: f64| DVec3::new(p.x * (1.0 + STRAIN), 0.0, p.y);
        let bent = |p: DVec2, _: f64| DVec3::new(p.x, 0.5 * CURVATURE * p.y * p.y, p.y);
        assert!(of(false, flat) < 1e-5 * of(false, stretched), "{} J", of(false, flat));
        assert!(of(true, flat) < 1e-5 * of(true, bent), "{} J of {} J", of(true, flat), of(true, bent));
    }
}
