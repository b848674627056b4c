//! How many simulated frames a drawn frame of the window may have: a machine that cannot keep up shows slow motion. How slow
//! follows from what a simulated and a drawn frame take: steps that make up for slow drawing are done as long as frames stay short,
//! or take little of a frame that is long anyway.

use std::time::Duration;

use super::meter::Meter;
use crate::solver::Stepper;

/// Most simulated frames between two drawn ones.
const MOST_STEPS: u32 = 12;
/// Frames may be made so long by catching up [s].
const LONG: f64 = 0.050;
/// Where drawing alone is longer, catching up may take this part of its time.
const PART: f64 = 0.5;
/// Slower than this, of what was asked for, the world is late.
const LATE: f64 = 0.97;

/// What keeps the world from the speed that was asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Late {
    /// Even without drawing it would be slower.
    Simulation,
    /// Without drawing it would keep up.
    Drawing,
}

/// Turns real time into whole simulated frames.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Clock {
    /// What is owed, and pauses.
    pub(crate) stepper: Stepper,
    /// What frames take.
    pub(crate) meter: Meter,
    /// Simulated over real time [dimensionless]; 1 is real time.
    pub(crate) speed: f64,
}

impl Default for Clock {
    fn default() -> Self {
        Self { stepper: Stepper::default(), meter: Meter::default(), speed: 1.0 }
    }
}

impl Clock {
    /// Frames of `dt` [s] to simulate when the last frame was drawn `elapsed` ago. Time beyond what is affordable is
    /// forgotten, not owed.
    pub(crate) fn steps(&mut self, elapsed: Duration, dt: f32) -> u32 {
        // The panel offers no other speeds than it takes.
        if let Err(error) = self.stepper.set_time_scale(self.speed) {
            log::error!("{error}");
        }
        self.stepper.set_most_steps(self.most_steps());
        self.stepper.advance(elapsed, dt)
    }

    /// Most steps before the next frame is drawn.
    fn most_steps(&self) -> u32 {
        let Meter { step, draw, .. } = self.meter;
        if step <= 0.0 {
            return 1;
        }
        let room = (LONG - draw).max(PART * draw);
        (room / step).clamp(1.0, f64::from(MOST_STEPS)) as u32
    }

    /// Why the world is slower than asked for, if it is, in frames of `dt` [s].
    pub(crate) fn late(&self, dt: f32) -> Option<Late> {
        let (dt, most) = (f64::from(dt), f64::from(self.most_steps()));
        let Meter { step, draw, .. } = self.meter;
        let fastest = most * dt / (draw + most * step);
        if step <= 0.0 || fastest >= LATE * self.speed {
            return None;
        }
        Some(if step * self.speed > LATE * dt { Late::Simulation } else { Late::Drawing })
    }

    /// Forgets owed time, after a pause or a load.
    pub(crate) fn forget(&mut self) {
        self.stepper.forget();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DT: f32 = 1.0 / 60.0;

    /// A step and a drawn frame took so long [ms].
    fn measure(clock: &mut Clock, step: u64, draw: u64) {
        clock.meter.forget();
        clock.meter.stepped(Duration::from_millis(step), 1);
        clock.meter.drew(Duration::from_millis(draw));
    }

    #[test]
    fn real_time_at_any_refresh_rate() {
        for rate in [30.0, 59.94, 60.0, 75.0, 144.0, 240.0] {
            let mut clock = Clock::default();
            measure(&mut clock, 2, 4);
            let frames = (10.0 * rate) as u32;
            let steps: u32 = (0..frames).map(|_| clock.steps(Duration::from_secs_f64(1.0 / rate), DT)).sum();
            assert!((595..=601).contains(&steps), "{steps} steps in 10 s at {rate} Hz");
        }
    }

    #[test]
    fn a_slow_machine_gets_slow_motion_and_no_debt() {
        // Drawing takes 20 ms and a step 40 ms: how long a frame takes depends on how many steps it has.
        let (mut clock, mut steps, mut longest) = (Clock::default(), 1, 0.0_f64);
        measure(&mut clock, 40, 20);
        for _ in 0..100 {
            let interval = 0.020 + 0.040 * f64::from(steps);
            longest = longest.max(interval);
            steps = clock.steps(Duration::from_secs_f64(interval), DT);
            assert!(steps >= 1);
        }
        assert!(longest < 0.11, "a frame took {longest} s");
        clock.steps(Duration::from_secs(20), DT);
        let after: u32 = (0..60).map(|_| clock.steps(Duration::from_secs_f64(1.0 / 60.0), DT)).sum();
        assert!(after <= 60, "{after} steps in a second after a stall");
    }

    #[test]
    fn half_speed_simulates_half_the_frames() {
        let mut clock = Clock { speed: 0.5, ..Clock::default() };
        measure(&mut clock, 2, 4);
        let steps: u32 = (0..600).map(|_| clock.steps(Duration::from_secs_f64(1.0 / 60.0), DT)).sum();
        assert!((299..=301).contains(&steps), "{steps}");
    }

    /// Simulated over real time where frames come as fast as a machine gives them, and how long they take [s].
    fn pace(step: u64, draw: u64) -> (f64, f64) {
        let mut clock = Clock::default();
        measure(&mut clock, step, draw);
        let (mut real, mut simulated, mut steps) = (0.0, 0, 0);
        for _ in 0..200 {
            let frame = 1e-3 * (draw + step * u64::from(steps)) as f64;
            steps = clock.steps(Duration::from_secs_f64(frame), DT);
            (real, simulated) = (real + frame, simulated + steps);
        }
        (f64::from(simulated) * f64::from(DT) / real, real / 200.0)
    }

    #[test]
    fn slow_drawing_slows_the_world_no_more_than_it_must() {
        let (speed, frame) = pace(2, 40);
        assert!(speed > 0.95 && frame < 0.05, "a quick world keeps up with slow drawing: {speed} {frame}");
        let (speed, frame) = pace(2, 150);
        assert!(speed > 0.95 && frame < 0.2, "also with very slow drawing: {speed} {frame}");
        let (speed, frame) = pace(19, 30);
        assert!(speed > 0.3 && frame < 0.051, "a slow world leaves frames short: {speed} {frame}");
        let (speed, frame) = pace(19, 217);
        assert!(speed > 0.25 && frame < 1.5 * 0.217, "catching up is capped: {speed} {frame}");
    }

    #[test]
    fn what_is_late_is_named() {
        let mut clock = Clock::default();
        assert_eq!(clock.late(DT), None, "nothing was measured yet");
        for (step, draw, late) in
            [(2, 4, None), (2, 40, None), (14, 40, Some(Late::Drawing)), (30, 10, Some(Late::Simulation))]
        {
            measure(&mut clock, step, draw);
            assert_eq!(clock.late(DT), late, "a step of {step} ms, drawing of {draw} ms");
        }
        clock.speed = 0.1;
        assert_eq!(clock.late(DT), None, "slow motion was asked for");
    }
}
