//! How the error falls where constraints are projected and nothing else acts: from a deformed start, with k = 1 (figures 5 of
//! paper 1, 6 and 9 of paper 3, and Jacobi's iterations in its table 2). And why it can grow first: the same start with one thing
//! changed at a time.
//!
//! Errors come from the CPU twin, whose sweeps are those of the GPU in `f64`; the time of an iteration comes from the GPU.

use glam::{DVec3, Vec3};
use serde::Serialize;

use super::bodies::owned;
use super::curves::frame_ms;
use super::partitions::divide;
use super::start;
use crate::constraints::{Partition, Partitioned, Row};
use crate::demos::stage_for;
use crate::gpu::Context;
use crate::report::{Reference, ReportError};
use crate::scene::Scene;
use crate::solver::Solver;

/// Iterations after which errors are measured.
const AT: [u32; 10] = [0, 1, 2, 4, 8, 16, 32, 64, 128, 256];
/// Iterations after which Jacobi is given up.
const JACOBI_MOST: u32 = 500;
/// Iterations of a frame that is timed.
const TIMED: u32 = 8;
/// How far a particle is moved at random, as a part of the mean length at rest.
const SHAKEN: f32 = 0.3;

/// A start.
#[derive(Clone, Copy, Debug)]
pub(super) struct ConvergenceScene {
    pub(super) name: &'static str,
    what: &'static str,
    demo: &'static str,
    sets: &'static [(&'static str, &'static str)],
    /// What else makes it start at rest when not scaled.
    at_rest: &'static [(&'static str, &'static str)],
    scale: Vec3,
    /// Iterations of the paper.
    iterations: u32,
    /// What Jacobi needed in paper 3.
    published: Option<u32>,
}

const FLAT: Vec3 = Vec3::new(1.0, 0.3, 1.0);

const fn scene(
    name: &'static str,
    what: &'static str,
    demo: &'static str,
    scale: Vec3,
    iterations: u32,
) -> ConvergenceScene {
    ConvergenceScene { name, what, demo, sets: &[], at_rest: &[], scale, iterations, published: None }
}

/// The starts, in order.
pub(super) const SCENES: &[ConvergenceScene] = &[
    scene("converge-s0", "the cloth of paper 1 at 16 times its area", "s0", Vec3::splat(4.0), 8),
    scene("converge-cube", "the cube of paper 1 at 0.3 of its height", "cube", FLAT, 8),
    ConvergenceScene {
        at_rest: &[("flatness", "1")],
        ..scene("converge-s1", "the body of paper 1 at 0.02 of its height", "s1", Vec3::ONE, 4)
    },
    ConvergenceScene {
        sets: &[("count", "10")],
        ..scene("converge-s2", "ten rings of paper 1 at 0.3 of their height", "s2", FLAT, 8)
    },
    scene("converge-s2-all", "the hundred rings of paper 1 at 0.3 of their height", "s2", FLAT, 8),
    ConvergenceScene {
        published: Some(110),
        ..scene("converge-squishy", "the squishy ball of paper 3 at 0.3 of its height", "squishy", FLAT, 8)
    },
    ConvergenceScene {
        at_rest: &[("flatness", "1")],
        published: Some(74),
        ..scene("converge-omotondo", "the flattened Omotondo of paper 3", "omotondo", Vec3::ONE, 16)
    },
    ConvergenceScene {
        sets: &[("count", "20")],
        published: Some(43),
        ..scene("converge-tori400", "twenty of the 400 tori of paper 3 at 0.3 of their height", "tori400", FLAT, 4)
    },
];

/// How far lengths and volumes are off, each relative to what it is at rest.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Errors {
    /// Mean of |C| over lengths.
    pub stretch_mean: f64,
    /// Root mean square of C over lengths.
    pub stretch_rms: f64,
    /// Mean of |C| over volumes; 0 without any.
    pub volume_mean: f64,
    /// Root mean square of C over volumes; 0 without any.
    pub volume_rms: f64,
}

impl Errors {
    pub(super) fn of(scene: &Scene, at: impl Fn(usize) -> DVec3) -> Self {
        let [stretch, volume] = [true, false].map(|lengths| {
            let (mut sum, mut squares, mut count) = (0.0, 0.0, 0.0);
            for c in start::relative(scene, &at).filter_map(|(is_length, c)| (is_length == lengths).then_some(c)) {
                (sum, squares, count) = (sum + c.abs(), squares + c * c, count + 1.0);
            }
            if count == 0.0 { (0.0, 0.0) } else { (sum / count, (squares / count).sqrt()) }
        });
        Self { stretch_mean: stretch.0, stretch_rms: stretch.1, volume_mean: volume.0, volume_rms: volume.1 }
    }

    /// Mean over the two kinds that are there: what Jacobi has to reach.
    pub(super) fn mean(&self) -> f64 {
        0.5 * (self.stretch_mean + self.volume_mean)
    }
}

/// How the error falls from one start.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ConvergenceTable {
    /// Name of the start.
    pub name: &'static str,
    /// What it is.
    pub what: &'static str,
    /// What is smaller than in the paper.
    pub smaller: String,
    /// Particles.
    pub particles: usize,
    /// Constraints.
    pub constraints: usize,
    /// Iterations of the paper.
    pub iterations: u32,
    /// From the deformed start, then from rest with every particle shaken off at random.
    pub starts: Vec<ConvergenceStart>,
    /// The same in paper 3.
    pub published_jacobi: Option<u32>,
    /// The same start with one thing changed at a time.
    pub causes: Vec<CauseRow>,
}

/// The partitions from one start.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ConvergenceStart {
    /// Which start.
    pub what: &'static str,
    /// One row a partition.
    pub rows: Vec<ConvergenceRow>,
    /// Iterations of Jacobi until its mean error is that of colors after the paper's iterations; none where these leave more than
    /// there was at the start, and where 500 are too few.
    pub jacobi_iterations: Option<u32>,
}

/// How one partition does.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ConvergenceRow {
    /// Its name.
    pub partition: String,
    /// Time of an iteration on the GPU [ms]: a frame of eight by eight.
    pub iteration_ms: f64,
    /// Iterations, and the errors after them.
    pub points: Vec<(u32, Errors)>,
}

/// One thing changed: errors at the start, and after the paper's iterations.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CauseRow {
    /// What is changed.
    pub what: &'static str,
    /// At the start.
    pub start: Errors,
    /// Left by colors.
    pub colors: Errors,
    /// Left by Jacobi.
    pub jacobi: Errors,
}

impl ConvergenceScene {
    /// # Errors
    /// [`ReportError`] when the scene cannot be built.
    fn start(&self) -> Result<Scene, ReportError> {
        Ok(start::freed(stage_for(self.demo, &owned(self.sets))?.scene, self.scale))
    }

    /// # Errors
    /// [`ReportError`] when the scene cannot be built.
    fn shaken(&self) -> Result<Scene, ReportError> {
        let sets = [self.sets, self.at_rest].concat();
        let mut scene = start::freed(stage_for(self.demo, &owned(&sets))?.scene, Vec3::ONE);
        start::stiffen(&mut scene);
        start::shake(&mut scene, SHAKEN);
        Ok(scene)
    }

    /// # Errors
    /// [`ReportError`] when the scene cannot be built or the device fails.
    pub(super) fn measure(&self, context: &Context) -> Result<ConvergenceTable, ReportError> {
        let soft = self.start()?;
        let mut deformed = soft.clone();
        start::stiffen(&mut deformed);
        let shaken = self.shaken()?;
        let starts = [("deformed", &deformed), ("at rest, then shaken", &shaken)]
            .map(|(what, scene)| from(context, what, scene, self.iterations));
        let smaller: Vec<String> = self.sets.iter().map(|(key, value)| format!("{key}={value}")).collect();
        Ok(ConvergenceTable {
            name: self.name,
            what: self.what,
            smaller: smaller.join(", "),
            particles: soft.particles.len(),
            constraints: soft.constraints.len(),
            iterations: self.iterations,
            starts: starts.into_iter().collect::<Result<_, _>>()?,
            published_jacobi: self.published,
            causes: self.causes(&soft, shaken),
        })
    }

    /// `soft` as it is, and with one thing changed at a time.
    fn causes(&self, soft: &Scene, shaken: Scene) -> Vec<CauseRow> {
        let mut rows = vec![self.cause("compliance of the demo", soft.clone())];
        let mut stiff = soft.clone();
        start::stiffen(&mut stiff);
        rows.push(self.cause("k = 1", stiff.clone()));
        let mut push = |what, change: &dyn Fn(&mut Scene)| {
            let mut scene = stiff.clone();
            change(&mut scene);
            rows.push(self.cause(what, scene));
        };
        push("k = 1, types one after the other", &|_| ());
        push("k = 1, all masses equal", &|scene| {
            scene.particles.iter_mut().filter(|p| p.mass > 0.0).for_each(|p| p.mass = 1.0);
        });
        push("k = 1, without bends", &|scene| scene.constraints.retain(|row| !row.bends()));
        push("k = 1, lengths alone", &start::keep_lengths);
        rows.push(self.cause("k = 1, at rest, then shaken", shaken));
        rows
    }

    fn cause(&self, what: &'static str, scene: Scene) -> CauseRow {
        let in_turn = |partition| {
            let divided = divide(&scene, &scene.constraints, partition);
            if what.contains("one after") { by_type(divided, &scene.constraints) } else { divided }
        };
        let left = |partition| {
            let mut reference = Reference::divided(&scene, in_turn(partition));
            reference.iterate(&scene, self.iterations);
            errors(&scene, &reference)
        };
        let start = Errors::of(&scene, |i| scene.particles[i].position.as_dvec3());
        CauseRow { what, start, colors: left(Partition::Colors), jacobi: left(Partition::Jacobi) }
    }
}

/// The colors of a type after those of another, in the order of their names.
fn by_type(divided: Partitioned, rows: &[Row]) -> Partitioned {
    let color = |w: &[u32]| divided.order[w[0] as usize..w[1] as usize].to_vec();
    let mut colors: Vec<Vec<u32>> = divided.color_starts.windows(2).map(color).collect();
    colors.sort_by_key(|color| color.first().map_or("", |i| rows[*i as usize].kind.name));
    let mut color_starts = vec![0];
    color_starts.extend(colors.iter().scan(0, |end, color| {
        *end += color.len() as u32;
        Some(*end)
    }));
    Partitioned { order: colors.concat(), color_starts, ..divided }
}

fn errors(scene: &Scene, reference: &Reference) -> Errors {
    Errors::of(scene, |i| reference.particles().position[i])
}

fn from(
    context: &Context,
    what: &'static str,
    scene: &Scene,
    iterations: u32,
) -> Result<ConvergenceStart, ReportError> {
    let mut timed = scene.clone();
    let rows = start::partitions(scene).into_iter().map(|partition| row(context, &mut timed, partition));
    let rows = rows.collect::<Result<Vec<_>, _>>()?;
    Ok(ConvergenceStart { what, rows, jacobi_iterations: jacobi_iterations(scene, iterations) })
}

fn row(context: &Context, scene: &mut Scene, partition: Partition) -> Result<ConvergenceRow, ReportError> {
    scene.params.partition = partition;
    let mut reference = Reference::divided(scene, divide(scene, &scene.constraints, partition));
    let mut points = vec![(0, errors(scene, &reference))];
    for pair in AT.windows(2) {
        reference.iterate(scene, pair[1] - pair[0]);
        points.push((pair[1], errors(scene, &reference)));
    }
    scene.params.iterations = TIMED;
    let iteration_ms = frame_ms(context, &mut Solver::new(context, scene)?)? / f64::from(TIMED);
    Ok(ConvergenceRow { partition: partition.to_string(), iteration_ms, points })
}

fn jacobi_iterations(scene: &Scene, iterations: u32) -> Option<u32> {
    let new = |partition| Reference::divided(scene, divide(scene, &scene.constraints, partition));
    let mut colors = new(Partition::Colors);
    let before = errors(scene, &colors).mean();
    colors.iterate(scene, iterations);
    let goal = errors(scene, &colors).mean();
    if goal >= before {
        return None;
    }
    let mut jacobi = new(Partition::Jacobi);
    (1..=JACOBI_MOST).find(|_| {
        jacobi.iterate(scene, 1);
        errors(scene, &jacobi).mean() <= goal
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::constraints::Distance;
    use crate::scene::Deformable;
    use glam::Quat;

    /// A chain of two colors, all links four times as long. A color that is projected takes 3 from its links and gives 1.5 to each
    /// neighbor: the sum of the errors inside stays, the sum of their squares grows.
    #[test]
    fn an_even_stretch_has_the_least_squares_so_gauss_seidel_raises_them_and_not_the_mean() {
        let rest: Vec<Vec3> = (0..101).map(|i| Vec3::X * 0.1 * i as f32).collect();
        let mut chain = Deformable::new("chain", rest, 1.0, 0.01);
        for i in 0..100 {
            let link = Distance { particles: [i, i + 1], rest_length: 0.1, compliance: 0.0, tension_only: false };
            chain.join(&link).unwrap();
        }
        let mut scene = Scene::default();
        scene.add_deformable(&chain, Vec3::ZERO, Quat::IDENTITY, Vec3::ZERO).unwrap();
        let rested = scene;
        let scene = start::freed(rested.clone(), Vec3::splat(4.0));
        let mut reference = Reference::divided(&scene, divide(&scene, &scene.constraints, Partition::Colors));
        reference.iterate(&scene, 1);
        let after = errors(&scene, &reference);
        assert!(after.stretch_rms > 1.2 * 3.0 && after.stretch_mean <= 3.0, "{after:?}");
        // From noise, which has no even part, the same sweep lowers both.
        let mut shaken = start::freed(rested, Vec3::ONE);
        start::shake(&mut shaken, 0.3);
        let before = Errors::of(&shaken, |i| shaken.particles[i].position.as_dvec3());
        let mut reference = Reference::divided(&shaken, divide(&shaken, &shaken.constraints, Partition::Colors));
        reference.iterate(&shaken, 8);
        let after = errors(&shaken, &reference);
        assert!(after.stretch_rms < 0.3 * before.stretch_rms, "{before:?} {after:?}");
    }

    #[test]
    fn iterations_can_be_continued_and_types_put_in_order() {
        let small = ConvergenceScene { sets: &[("side", "12")], ..SCENES[0] };
        let mut scene = small.start().unwrap();
        start::stiffen(&mut scene);
        let divided = divide(&scene, &scene.constraints, Partition::Colors);
        let run = |divided: &Partitioned, parts: &[u32]| {
            let mut reference = Reference::divided(&scene, divided.clone());
            parts.iter().for_each(|n| reference.iterate(&scene, *n));
            errors(&scene, &reference)
        };
        let (whole, parts) = (run(&divided, &[8]), run(&divided, &[3, 5]));
        assert!((whole.stretch_rms - parts.stretch_rms).abs() < 1e-9, "{whole:?} {parts:?}");
        let ordered = by_type(divided.clone(), &scene.constraints);
        let kinds: Vec<&str> = ordered.order.iter().map(|i| scene.constraints[*i as usize].kind.name).collect();
        assert!(kinds.is_sorted() && ordered.colors() == divided.colors());
    }
}
