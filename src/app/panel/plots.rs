//! What the simulation has been doing for some seconds, as lines: time of frames and passes, energy, errors of constraints, counts.

use std::collections::VecDeque;

use anyhow::Result;
use egui::{CollapsingHeader, Color32, RichText, Ui, Vec2b};
use egui_plot::{GridInput, GridMark, Line, Plot, PlotPoints};

use super::status::Pace;
use super::theme::{ACCENT, BAD, GOOD};
use crate::app::world::World;
use crate::report::{Snapshot, energy, joint_gaps, stretches};

/// Simulated time between two samples [s]: to read the state waits for the GPU.
const EVERY: f64 = 0.1;
/// Samples kept: thirty seconds.
const MOST: usize = 300;
const HEIGHT: f32 = 84.0;
/// Of the lines of a plot.
const COLORS: [Color32; PASSES] = [ACCENT, Color32::from_rgb(120, 170, 240), GOOD, BAD];

/// The world at one time.
#[derive(Clone, Debug, PartialEq)]
struct Sample {
    /// Simulated [s].
    time: f64,
    /// Simulated and drawn frame [ms].
    frames: [f64; 2],
    /// The passes that took longest when the plots were opened [ms]; none before they were timed.
    passes: Vec<f64>,
    /// Kinetic and potential [J].
    energy: f64,
    /// Widest gap of a joint [mm], and root of the mean square of the stretch of edges [%].
    errors: [f64; 2],
    /// Assemblies awake.
    awake: f64,
}

/// Samples of a world.
#[derive(Debug, Default)]
pub(super) struct Plots {
    samples: VecDeque<Sample>,
    /// Names of the passes that are plotted.
    pub(super) passes: Vec<String>,
    problem: Option<String>,
}

/// Passes that are plotted.
const PASSES: usize = 4;

impl Plots {
    /// Forgets all: another world has begun.
    pub(super) fn forget(&mut self) {
        *self = Self::default();
    }

    /// Shows them; only what is looked at is measured. Returns whether they are.
    pub(super) fn show(&mut self, ui: &mut Ui, world: &World, pace: &Pace) -> bool {
        let shown = CollapsingHeader::new("Plots").id_salt("plots").show_unindented(ui, |ui| self.lines(ui));
        if shown.openness <= 0.0 {
            return false;
        }
        if self.is_due(world.solver.view().time) {
            match self.sample(world, pace) {
                Ok(sample) => {
                    self.problem = None;
                    self.samples.push_back(sample);
                }
                Err(error) => self.problem = Some(format!("{error:#}")),
            }
            while self.samples.len() > MOST {
                self.samples.pop_front();
            }
        }
        true
    }

    /// A world that has gone back is sampled anew from there.
    fn is_due(&mut self, now: f64) -> bool {
        while self.samples.back().is_some_and(|last| last.time > now) {
            self.samples.pop_back();
        }
        self.samples.back().is_none_or(|last| now - last.time >= EVERY - 1e-6)
    }

    fn sample(&mut self, world: &World, pace: &Pace) -> Result<Sample> {
        let state = Snapshot::read(&world.solver)?;
        let scene = world.solver.scene();
        let gaps = joint_gaps(scene, &state, |_| true);
        let (sum, count) = stretches(scene, &state).fold((0.0, 0_u32), |(sum, n), s| (sum + s * s, n + 1));
        let times = world.solver.pass_times();
        if self.passes.is_empty() {
            let mut longest: Vec<_> = times.iter().collect();
            longest.sort_by(|a, b| b.1.total_cmp(&a.1));
            self.passes = longest.iter().take(PASSES).map(|(name, _)| name.clone()).collect();
        }
        let of = |name: &String| times.iter().find(|(pass, _)| pass == name).map_or(0.0, |(_, ms)| *ms);
        Ok(Sample {
            time: world.solver.view().time,
            frames: [pace.step_ms, pace.draw_ms],
            passes: self.passes.iter().map(of).collect(),
            energy: energy(scene, &state),
            errors: [
                f64::from(gaps.iter().copied().fold(0.0, f32::max)) * 1e3,
                100.0 * (sum / f64::from(count.max(1))).sqrt(),
            ],
            awake: f64::from(world.solver.health().awake),
        })
    }

    fn lines(&self, ui: &mut Ui) {
        if let Some(problem) = &self.problem {
            ui.weak(problem);
        }
        let frames = [("step".to_owned(), 0), ("draw".to_owned(), 1)];
        self.plot(ui, "frame [ms]", &frames, |sample, k| Some(sample.frames[k]));
        let passes: Vec<_> = self.passes.iter().cloned().zip(0..).collect();
        self.plot(ui, "passes [ms]", &passes, |sample, k| sample.passes.get(k).copied());
        self.plot(ui, "energy [J]", &[("kinetic and potential".to_owned(), 0)], |sample, _| Some(sample.energy));
        let errors = [("joint gap [mm]".to_owned(), 0), ("stretch [%]".to_owned(), 1)];
        self.plot(ui, "errors", &errors, |sample, k| Some(sample.errors[k]));
        self.plot(ui, "counts", &[("assemblies awake".to_owned(), 0)], |sample, _| Some(sample.awake));
    }

    fn plot(&self, ui: &mut Ui, title: &str, lines: &[(String, usize)], value: impl Fn(&Sample, usize) -> Option<f64>) {
        let newest = |k: usize| self.samples.back().and_then(|sample| value(sample, k));
        ui.horizontal_wrapped(|ui| {
            ui.label(RichText::new(title).weak().small());
            for ((name, k), color) in lines.iter().zip(COLORS) {
                let number = newest(*k).map_or(String::new(), |value| format!(" {}", short(value)));
                ui.label(RichText::new(format!("{name}{number}")).color(color).small());
            }
        });
        let plot = Plot::new(title)
            .height(HEIGHT)
            .allow_drag(false)
            .allow_zoom(false)
            .allow_scroll(false)
            .allow_boxed_zoom(false)
            .show_grid(Vec2b::new(false, true))
            .show_x(false)
            .include_y(0.0)
            .y_grid_spacer(few)
            .y_axis_formatter(|mark, _| short(mark.value));
        plot.show(ui, |ui| {
            for ((name, k), color) in lines.iter().zip(COLORS) {
                let points = |sample: &Sample| value(sample, *k).map(|value| [sample.time, value]);
                let points: Vec<[f64; 2]> = self.samples.iter().filter_map(points).collect();
                ui.line(Line::new(name, PlotPoints::from(points)).color(color));
            }
        });
    }
}

/// Two or three values with one or two digits, however low a plot is.
fn few(shown: GridInput) -> Vec<GridMark> {
    let [low, high] = [shown.bounds.0, shown.bounds.1];
    let step = step_within(high - low);
    let marks = (low / step).ceil() as i64..=(high / step).floor() as i64;
    // It draws what stands farther apart more strongly.
    marks.map(|k| GridMark { value: k as f64 * step, step_size: high - low }).collect()
}

/// The largest of 1, 2 and 5 times a power of ten that is in so wide a range at least twice.
fn step_within(range: f64) -> f64 {
    let most = (0.5 * range).max(1e-9);
    let power = 10_f64.powf(most.log10().floor());
    [5.0, 2.0, 1.0].map(|times| times * power).into_iter().find(|step| *step <= most).unwrap_or(power)
}

/// A number with three digits that count.
fn short(value: f64) -> String {
    match value.abs() {
        large if large >= 9.995e3 => format!("{value:.1e}"),
        ten if ten >= 99.95 => format!("{value:.0}"),
        one if one >= 9.995 => format!("{value:.1}"),
        0.0 => "0".to_owned(),
        small if small >= 0.009_995 => format!("{value:.2}"),
        _ => format!("{value:.1e}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gpu::Context;
    use crate::render::Quality;

    #[test]
    fn plots_have_a_few_marks_with_few_digits() {
        for (range, step) in [(1.0, 0.5), (3.9, 1.0), (4.0, 2.0), (11.0, 5.0), (0.037, 0.01), (1200.0, 500.0)] {
            assert!((step_within(range) - step).abs() < 1e-9 * step, "{range}: {}", step_within(range));
        }
        assert!(step_within(0.0) > 0.0);
        let told = [0.0, 0.5, 1234.5, 150.0, 12.34, 0.034, 0.0012, -3.456, 56_789.0].map(short);
        assert_eq!(told, ["0", "0.50", "1234", "150", "12.3", "0.03", "1.2e-3", "-3.46", "5.7e4"]);
    }

    #[test]
    fn samples_follow_the_world_and_go_back_with_it() {
        let context = Context::shared().expect("adapter");
        let drawn = (wgpu::TextureFormat::Rgba8Unorm, Quality::Low);
        let mut world = World::open(&context, "pairs", Vec::new(), &[], drawn).unwrap();
        let mut plots = Plots::default();
        let ctx = egui::Context::default();
        let show = |plots: &mut Plots, world: &mut World| {
            let output = ctx.run_ui(egui::RawInput::default(), |ui| {
                CollapsingHeader::new("Plots").id_salt("plots").default_open(true).show_unindented(ui, |_| {});
                plots.show(ui, world, &Pace::default());
            });
            output.drop_without_applying_deltas();
        };
        for frame in 0..24 {
            if frame % 2 == 0 {
                show(&mut plots, &mut world);
            }
            world.step(&context).unwrap();
            world.remember().unwrap();
        }
        let times: Vec<f64> = plots.samples.iter().map(|sample| sample.time).collect();
        assert!(times.len() >= 3 && times.windows(2).all(|w| w[1] - w[0] >= EVERY - 1e-5), "{times:?}");
        assert!(
            plots.samples.iter().all(|sample| sample.energy > 0.0 && sample.errors[0] < 5.0),
            "{:?}",
            plots.samples
        );
        (0..2).for_each(|_| world.rewind().unwrap());
        show(&mut plots, &mut world);
        let last = plots.samples.back().unwrap().time;
        assert!(last <= world.solver.view().time + 1e-6 && last < times[times.len() - 1]);
    }
}
