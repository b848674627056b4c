//! How the cost and the memory of a particle change from ten thousand to a million of them, material by material.

use std::time::Instant;

use serde::Serialize;

use crate::demos::stage_for;
use crate::gpu::{Context, GpuError};
use crate::report::{ReportError, Snapshot, median};
use crate::solver::{Solver, SolverError};

/// One material: a demo with a parameter that says how large it is.
#[derive(Clone, Copy, Debug)]
pub(super) struct ScaleScene {
    pub(super) name: &'static str,
    figure: &'static str,
    demo: &'static str,
    sets: &'static [(&'static str, &'static str)],
    key: &'static str,
    /// The parameter for about so many particles.
    value: fn(u32) -> u32,
}

/// The materials, in order.
pub(super) const SCENES: &[ScaleScene] = &[
    ScaleScene {
        name: "scale-cloth",
        figure: "a cloth falls on a sphere",
        demo: "s0",
        sets: &[("over", "sphere")],
        key: "side",
        value: |particles| f64::from(particles).sqrt().round() as u32,
    },
    ScaleScene {
        name: "scale-flesh",
        figure: "soft rings of 910 particles fall in a heap",
        demo: "s2",
        sets: &[],
        key: "count",
        value: |particles| particles.div_ceil(910),
    },
    ScaleScene {
        name: "scale-rigid",
        figure: "pairs of boxes of 32 particles and a joint fall in a pit",
        demo: "pairs",
        sets: &[],
        key: "count",
        value: |particles| particles.div_ceil(32),
    },
    ScaleScene {
        name: "scale-grains",
        figure: "a castle of sand under a ball",
        demo: "sand",
        sets: &[],
        key: "count",
        value: |particles| particles,
    },
    ScaleScene {
        name: "scale-liquid",
        figure: "a column of water breaks down",
        demo: "dam",
        sets: &[],
        key: "count",
        value: |particles| particles,
    },
];

/// Particles of each run, about.
const SIZES: [u32; 5] = [10_000, 30_000, 100_000, 300_000, 1_000_000];
/// The most particles on a graphics card and on software, unless told.
const MOST: [u32; 2] = [1_000_000, 100_000];
/// Frames that count, on a graphics card and on software, and frames before them.
const FRAMES: [u32; 2] = [120, 8];
const UNTIMED: [u32; 2] = [60, 6];

/// One material in several sizes.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ScaleTable {
    /// Name of the table.
    pub name: &'static str,
    /// What is seen.
    pub figure: &'static str,
    /// Frames that count of each run, and frames before them.
    pub frames: u32,
    /// Frames before those that count.
    pub untimed: u32,
    /// Particles of the largest run that was asked for.
    pub most: u32,
    /// One run each, the smallest first.
    pub rows: Vec<ScaleRow>,
}

/// One size. What was not measured is null.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct ScaleRow {
    /// Particles asked for.
    pub asked: u32,
    /// Particles.
    pub particles: Option<u32>,
    /// Constraints between particles, and joints.
    pub constraints: Option<usize>,
    /// Median time of a frame [ms].
    pub frame_ms: Option<f64>,
    /// The frame over its particles [ns].
    pub particle_ns: Option<f64>,
    /// Bytes of all buffers over the particles.
    pub bytes_per_particle: Option<f64>,
    /// Compute dispatches a frame.
    pub dispatches_per_frame: Option<u32>,
    /// Why the figures do not count, or there are none; a sentence.
    pub fault: Option<String>,
    /// Whether it ran and lost something. A size that was refused is no fault of the solver.
    pub unhealthy: bool,
}

impl ScaleScene {
    /// Runs all sizes up to `most` particles, one after the other.
    ///
    /// # Errors
    /// [`ReportError`] when the device is lost; what it refuses is a row that says so.
    pub(super) fn measure(
        &self,
        context: &Context,
        frames: Option<u32>,
        most: Option<u32>,
        software: bool,
    ) -> Result<ScaleTable, ReportError> {
        let kind = usize::from(software);
        let (frames, most) = (frames.unwrap_or(FRAMES[kind]), most.unwrap_or(MOST[kind]));
        let untimed = UNTIMED[kind].min(frames);
        let mut sizes: Vec<u32> = SIZES.into_iter().filter(|size| *size <= most).collect();
        if sizes.is_empty() {
            sizes.push(most);
        }
        let rows = sizes.into_iter().map(|asked| match self.run(context, asked, untimed, frames) {
            Err(error) if is_lost(&error) => Err(error),
            Err(error) => Ok(ScaleRow { asked, fault: Some(format!("refused: {error}")), ..ScaleRow::default() }),
            Ok(row) => Ok(row),
        });
        let rows = rows.collect::<Result<_, _>>()?;
        Ok(ScaleTable { name: self.name, figure: self.figure, frames, untimed, most, rows })
    }

    fn run(&self, context: &Context, asked: u32, untimed: u32, frames: u32) -> Result<ScaleRow, ReportError> {
        let own = (self.key.to_owned(), (self.value)(asked).to_string());
        let sets: Vec<_> = super::bodies::owned(self.sets).into_iter().chain([own]).collect();
        let stage = stage_for(self.demo, &sets)?;
        let scene = stage.scene;
        let mut solver = Solver::new(context, &scene)?;
        let mut times = Vec::new();
        for frame in 0..untimed + frames {
            let begun = Instant::now();
            solver.step();
            solver.wait()?;
            if frame >= untimed {
                times.push(begun.elapsed().as_secs_f64() * 1e3);
            }
        }
        let state = Snapshot::start(&scene).next(&solver.read_bodies()?, &solver.read_particles()?, scene.params.dt);
        let (health, counts) = (solver.read_health()?, solver.counts());
        let faults = [
            (health.non_finite.max(state.non_finite()), "not finite"),
            (health.contacts_dropped, "contacts dropped"),
            (health.neighbors_dropped, "neighbors dropped"),
            (health.out_of_bounds, "out of bounds"),
        ];
        let faults: Vec<String> =
            faults.iter().filter(|(n, _)| *n > 0).map(|(n, what)| format!("{n} {what}")).collect();
        let each = |amount: f64| amount / f64::from(counts.particles.max(1));
        let frame_ms = median(&times);
        Ok(ScaleRow {
            asked,
            particles: Some(counts.particles),
            constraints: Some(scene.constraints.len() + scene.joints.len()),
            frame_ms,
            particle_ns: frame_ms.map(|ms| each(ms * 1e6)),
            bytes_per_particle: Some(each(solver.memory().iter().map(|(_, bytes)| *bytes as f64).sum())),
            dispatches_per_frame: Some(counts.dispatches_per_frame),
            unhealthy: !faults.is_empty(),
            fault: (!faults.is_empty()).then(|| format!("not healthy: {}", faults.join(", "))),
        })
    }
}

fn is_lost(error: &ReportError) -> bool {
    matches!(error, ReportError::Gpu(GpuError::Lost(_)) | ReportError::Solver(SolverError::Gpu(GpuError::Lost(_))))
}

impl ScaleTable {
    /// Sizes that were left out for `most`, in words.
    pub(super) fn left_out(&self) -> Option<String> {
        let larger: Vec<String> = SIZES.iter().filter(|size| **size > self.most).map(u32::to_string).collect();
        (!larger.is_empty()).then(|| format!("left out: {}; --most N makes them", larger.join(", ")))
    }

    /// Curves over the number of particles: the time and the memory of one.
    pub(super) fn curves(&self) -> [(&'static str, Vec<[f64; 2]>); 2] {
        let curve = |of: fn(&ScaleRow) -> Option<f64>| {
            let point = |row: &ScaleRow| Some([f64::from(row.particles?), of(row)?]);
            self.rows.iter().filter_map(point).collect()
        };
        [("time [ns]", curve(|row| row.particle_ns)), ("memory [bytes]", curve(|row| row.bytes_per_particle))]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gpu::{Choice, Limits};

    #[test]
    fn every_material_is_built_in_about_the_size_asked_for() {
        for scene in SCENES {
            let own = (scene.key.to_owned(), (scene.value)(10_000).to_string());
            let sets: Vec<_> = super::super::bodies::owned(scene.sets).into_iter().chain([own]).collect();
            let count = stage_for(scene.demo, &sets).unwrap().scene.particles.len() as f64;
            assert!((count / 1e4 - 1.0).abs() < 0.2, "{}: {count}", scene.name);
            // The largest is within what the demo takes.
            let value = (scene.value)(SIZES[4]).to_string();
            let demo = crate::demos::DEMOS.iter().find(|demo| demo.name == scene.demo).unwrap();
            let option = demo.options.iter().find(|option| option.name == scene.key).unwrap();
            crate::demos::Options::new(demo.options).set(option, &value).unwrap();
        }
    }

    #[test]
    fn a_small_size_has_figures_and_what_is_too_large_says_so() {
        let context = Context::shared().expect("adapter");
        let table = SCENES[0].measure(&context, Some(2), Some(100), true).unwrap();
        let row = &table.rows[0];
        assert_eq!((table.rows.len(), row.particles, row.unhealthy), (1, Some(100), false));
        assert!(row.frame_ms.unwrap() > 0.0 && row.bytes_per_particle.unwrap() > 64.0 && row.fault.is_none());
        assert!(table.left_out().unwrap().contains("1000000"));
        assert_eq!(table.curves()[0].1.len(), 1);
        let narrow = Context::headless_as(&Choice { adapter: None, limits: Limits::WebGpu }).expect("adapter");
        // A parameter out of range stands for all that is refused: larger scenes take long to build.
        let scene = ScaleScene { value: |_| 1_000_000, ..SCENES[0] };
        let table = scene.measure(&narrow, Some(1), Some(10_000), true).unwrap();
        assert!(table.rows[0].fault.as_ref().unwrap().starts_with("refused: "), "{:?}", table.rows);
        assert!(table.curves()[0].1.is_empty() && !table.rows[0].unhealthy);
    }
}
