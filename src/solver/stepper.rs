//! A fixed time step: how many frames of simulation a drawn frame owes to the wall clock, and how far the world is between two.

use std::time::Duration;

use super::SolverError;
use crate::scene::SceneError;

/// Part of a frame by which one may come early: a display and a clock never agree exactly, and a skipped frame is seen.
const EARLY: f64 = 0.005;
/// Fastest that time may run.
const MOST_SCALE: f64 = 100.0;

/// Turns real time into whole frames of simulation. What is beyond the most steps of a call is forgotten, not owed: a machine
/// that cannot keep up shows slow motion, and never falls further and further behind.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stepper {
    /// Real time that was not simulated yet [s], times the scale.
    owed: f64,
    /// Part of a frame that is owed.
    alpha: f64,
    scale: f64,
    most: u32,
    paused: bool,
    /// Frames to simulate although paused.
    single: u32,
}

impl Default for Stepper {
    fn default() -> Self {
        Self { owed: 0.0, alpha: 0.0, scale: 1.0, most: 4, paused: false, single: 0 }
    }
}

impl Stepper {
    /// Real time, at most 4 steps a call.
    pub fn new() -> Self {
        Self::default()
    }

    /// How many frames of `dt` [s] to simulate now that so much real time has passed since the last call; `dt` is that of
    /// [`Params`](crate::scene::Params), and none are due while it is 0.
    pub fn advance(&mut self, elapsed: Duration, dt: f32) -> u32 {
        if self.paused {
            return std::mem::take(&mut self.single);
        }
        if !(dt > 0.0 && dt.is_finite()) {
            return 0;
        }
        let dt = f64::from(dt);
        self.owed += elapsed.as_secs_f64() * self.scale;
        let due = (self.owed / dt + EARLY).floor();
        if due > f64::from(self.most) {
            self.forget();
            return self.most;
        }
        self.owed -= due * dt;
        self.alpha = (self.owed / dt).clamp(0.0, 1.0);
        due as u32
    }

    /// How far the picture is from the frame before the last one to the last one, from 0 to 1: what
    /// [`Solver::interpolate`](super::Solver::interpolate) takes. A pause leaves it as it was.
    pub fn alpha(&self) -> f32 {
        self.alpha as f32
    }

    /// Simulated over real time; 1 unless it was set.
    pub fn time_scale(&self) -> f64 {
        self.scale
    }

    /// Sets simulated over real time: 0.1 is slow motion, 0 stands still.
    ///
    /// # Errors
    /// [`SolverError::Scene`] for a number that is not from 0 to 100; the scale stays as it was.
    pub fn set_time_scale(&mut self, scale: f64) -> Result<(), SolverError> {
        if !(0.0..=MOST_SCALE).contains(&scale) {
            let (item, field, allowed) = ("stepper".into(), "time scale", "from 0 to 100");
            return Err(SceneError::Number { item, field, value: scale as f32, allowed }.into());
        }
        self.scale = scale;
        Ok(())
    }

    /// Sets the most steps of a call; 0 counts as 1.
    pub fn set_most_steps(&mut self, most: u32) {
        self.most = most.max(1);
    }

    /// Whether time stands still.
    pub fn is_paused(&self) -> bool {
        self.paused
    }

    /// Lets time stand still, or go on from where it stood.
    pub fn set_paused(&mut self, paused: bool) {
        self.paused = paused;
        self.single = 0;
    }

    /// Pauses, and lets the next call simulate one frame, or one more.
    pub fn step_once(&mut self) {
        self.paused = true;
        self.single += 1;
    }

    /// Forgets time that is owed: after a stall, or when another world is shown.
    pub fn forget(&mut self) {
        (self.owed, self.alpha) = (0.0, 0.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DT: f32 = 1.0 / 60.0;

    fn steps(stepper: &mut Stepper, seconds: f64) -> u32 {
        stepper.advance(Duration::from_secs_f64(seconds), DT)
    }

    #[test]
    fn what_is_owed_adds_up_to_frames() {
        let mut stepper = Stepper::new();
        let dt = f64::from(DT);
        assert_eq!(steps(&mut stepper, 0.25 * dt), 0);
        assert!((stepper.alpha() - 0.25).abs() < 1e-6);
        assert_eq!(steps(&mut stepper, 2.0 * dt), 2);
        assert!((stepper.alpha() - 0.25).abs() < 1e-6);
        assert_eq!(steps(&mut stepper, 0.5 * dt), 0);
        assert_eq!(steps(&mut stepper, 0.249 * dt), 1, "a little early");
        assert_eq!(stepper.alpha(), 0.0);
        assert_eq!(steps(&mut stepper, 1.002 * dt), 1);
        assert!((stepper.alpha() - 0.001).abs() < 1e-4, "what came early is not due again");
    }

    #[test]
    fn a_stall_makes_no_debt() {
        let mut stepper = Stepper::new();
        stepper.set_most_steps(3);
        assert_eq!(steps(&mut stepper, 20.0), 3);
        assert_eq!((steps(&mut stepper, 0.0), stepper.alpha()), (0, 0.0));
        stepper.set_most_steps(0);
        assert_eq!(steps(&mut stepper, 20.0), 1);
    }

    #[test]
    fn slow_motion_and_pauses() {
        let mut stepper = Stepper::new();
        stepper.set_time_scale(0.25).unwrap();
        let (mut before, mut simulated) = (0.0, 0);
        for frame in 0..240 {
            simulated += steps(&mut stepper, f64::from(DT));
            // The picture goes on by a quarter of a frame, whether or not one was simulated.
            let shown = f64::from(simulated) + f64::from(stepper.alpha());
            assert!(frame == 0 || (shown - before - 0.25_f64).abs() < 1e-5, "{frame}: {before} {shown}");
            before = shown;
        }
        assert_eq!(simulated, 60);
        stepper.set_paused(true);
        let shown = stepper.alpha();
        assert_eq!((steps(&mut stepper, 1.0), stepper.alpha()), (0, shown));
        stepper.step_once();
        stepper.step_once();
        assert_eq!((steps(&mut stepper, 1.0), steps(&mut stepper, 1.0)), (2, 0));
        stepper.set_paused(false);
        assert_eq!((steps(&mut stepper, 0.0), stepper.alpha()), (0, shown), "a pause is not made up for");
        stepper.set_time_scale(0.0).unwrap();
        assert_eq!(steps(&mut stepper, 10.0), 0);
    }

    #[test]
    fn odd_numbers_are_answered() {
        let mut stepper = Stepper::new();
        for scale in [f64::NAN, -1.0, f64::INFINITY, 101.0] {
            let refusal = stepper.set_time_scale(scale).unwrap_err().to_string();
            assert!(refusal.contains("time scale") && refusal.contains("from 0 to 100"), "{refusal}");
        }
        assert_eq!(stepper.time_scale(), 1.0);
        for dt in [0.0, -1.0, f32::NAN, f32::INFINITY] {
            assert_eq!(stepper.advance(Duration::from_secs(1), dt), 0);
        }
        assert_eq!(stepper.advance(Duration::MAX, DT), 4);
    }
}
