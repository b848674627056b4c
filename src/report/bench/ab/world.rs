//! One side of a comparison, alive on the device beside the others.

use std::time::Instant;

use super::super::start::projections;
use super::record::Side;
use super::statistics::{Ratio, Times};
use crate::animation::Cast;
use crate::gpu::Context;
use crate::report::tracker::Tracker;
use crate::report::{ReportError, Snapshot, median, state_hash};
use crate::scene::Scene;
use crate::solver::Solver;

/// Bytes of a particle that a constraint reads, and that it writes: a place and a radius or weight.
const PARTICLE_BYTES: f64 = 16.0;

/// A running side and what it has measured.
pub(super) struct World<'a> {
    scene: &'a Scene,
    cast: Cast,
    solver: Solver,
    tracker: Tracker<'a>,
    frame_ms: Vec<f64>,
    host_ms: Vec<f64>,
    blocks_ms: Vec<f64>,
    passes: Vec<(String, f64)>,
    hash: u64,
}

impl<'a> World<'a> {
    /// # Errors
    /// [`ReportError`] when the solver refuses the scene, or its partition is at fault.
    pub(super) fn new(context: &Context, scene: &'a Scene, cast: &Cast) -> Result<Self, ReportError> {
        let solver = Solver::new(context, scene)?;
        let clashes = solver.count_clashes()?;
        if clashes > 0 {
            return Err(ReportError::Clashes(clashes));
        }
        let hash = state_hash(&solver.read_bodies()?, &solver.read_particles()?);
        let tracker = Tracker::new(scene, Snapshot::read(&solver)?);
        let (frame_ms, host_ms, blocks_ms) = (Vec::new(), Vec::new(), Vec::new());
        Ok(Self { scene, cast: cast.clone(), solver, tracker, frame_ms, host_ms, blocks_ms, passes: Vec::new(), hash })
    }

    /// Simulates a frame; returns its time and the part of it to encode and submit [ms].
    fn frame(&mut self) -> Result<(f64, f64), ReportError> {
        let begun = Instant::now();
        self.solver.direct(&mut self.cast)?;
        self.solver.step();
        let encoded = begun.elapsed();
        self.solver.wait()?;
        Ok((begun.elapsed().as_secs_f64() * 1e3, encoded.as_secs_f64() * 1e3))
    }

    /// Simulates frames that do not count.
    pub(super) fn skip(&mut self, frames: u32) -> Result<(), ReportError> {
        (0..frames).try_for_each(|_| self.frame().map(|_| ()))
    }

    /// One frame that refills what the other sides took from the caches, and `frames` that count.
    pub(super) fn block(&mut self, frames: u32) -> Result<(), ReportError> {
        self.skip(1)?;
        let first = self.frame_ms.len();
        for _ in 0..frames {
            let (whole, host) = self.frame()?;
            self.frame_ms.push(whole);
            self.host_ms.push(host);
        }
        self.blocks_ms.extend(median(&self.frame_ms[first..]));
        Ok(())
    }

    /// Simulates one frame between two readings and judges it.
    pub(super) fn judge(&mut self) -> Result<(), ReportError> {
        let dt = self.scene.params.dt;
        let before = self.tracker.state().next(&self.solver.read_bodies()?, &self.solver.read_particles()?, dt);
        self.skip(1)?;
        let (bodies, particles) = (self.solver.read_bodies()?, self.solver.read_particles()?);
        self.hash = state_hash(&bodies, &particles);
        self.tracker.frame(before.next(&bodies, &particles, dt), &self.solver)
    }

    /// Simulates frames that are timed pass by pass, which slows them.
    pub(super) fn passes(&mut self, frames: u32) -> Result<(), ReportError> {
        self.solver.set_timing(true);
        self.skip(frames)?;
        self.passes = self.solver.pass_times();
        self.solver.set_timing(false);
        Ok(())
    }

    /// Medians of the blocks so far [ms].
    pub(super) fn blocks_ms(&self) -> &[f64] {
        &self.blocks_ms
    }

    /// What was measured. `first` has the blocks of the first side, unless this is it; `copy` is the bandwidth [bytes/s].
    pub(super) fn finish(self, name: String, settings: String, first: Option<&[f64]>, copy: f64) -> Side {
        let (counts, params) = (self.solver.counts(), &self.scene.params);
        let memory = self.solver.memory();
        let bytes: f64 = memory.iter().map(|(_, bytes)| *bytes as f64).sum();
        let frame_ms = Times::of(&self.frame_ms);
        let per_second = |amount: f64| (amount > 0.0).then(|| amount / frame_ms.median * 1e3);
        let constraint_bytes = constraint_bytes(self.scene, &memory);
        let (health, quality) = self.tracker.finish();
        Side {
            name,
            settings,
            frame_ms,
            ratio: first.and_then(|first| Ratio::of(&self.blocks_ms, first)),
            blocks_ms: self.blocks_ms,
            host_ms: median(&self.host_ms).unwrap_or(0.0),
            passes_ms: self.passes.into_iter().collect(),
            dispatches_per_frame: counts.dispatches_per_frame,
            substeps: params.substeps,
            iterations: params.iterations,
            particles: counts.particles,
            constraints: self.scene.constraints.len(),
            projections_per_second: per_second(projections(self.scene)),
            bytes_per_particle: Some(bytes / f64::from(counts.particles.max(1))),
            constraint_bytes,
            bandwidth_share: per_second(constraint_bytes).map(|rate| rate / copy),
            health,
            quality,
            state_hash: format!("{:016x}", self.hash),
        }
    }
}

/// Bytes that the constraints between particles move in a frame: each iteration reads all words of all constraints once,
/// and reads and writes every particle of each.
fn constraint_bytes(scene: &Scene, memory: &[(&'static str, u64)]) -> f64 {
    let words = memory.iter().find(|(name, _)| *name == "constraint_words").map_or(0, |(_, bytes)| *bytes);
    let joined: usize = scene.constraints.iter().map(|row| row.joined().len()).sum();
    if joined == 0 {
        return 0.0;
    }
    let iteration = words as f64 + 2.0 * PARTICLE_BYTES * joined as f64;
    iteration * f64::from(scene.params.substeps * scene.params.iterations)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::demos::stage_for;

    #[test]
    fn traffic_is_rows_and_both_ways_of_their_particles() {
        let side = [("side".to_owned(), "2".to_owned())];
        let mut scene = stage_for("s0", &side).unwrap().scene;
        (scene.params.substeps, scene.params.iterations) = (2, 3);
        // Five edges of two and one angle of four.
        let joined: usize = scene.constraints.iter().map(|row| row.joined().len()).sum();
        assert_eq!(joined, 14);
        assert_eq!(constraint_bytes(&scene, &[("constraint_words", 100)]), 6.0 * (100.0 + 32.0 * 14.0));
        scene.constraints.clear();
        assert_eq!(constraint_bytes(&scene, &[("constraint_words", 100)]), 0.0);
    }
}
