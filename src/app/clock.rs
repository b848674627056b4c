//! Fixed time step: how many frames of simulation one drawn frame owes to the wall clock.
//!
//! A machine that cannot keep up shows slow motion; it never falls further and further behind.

use std::time::Duration;

/// Most simulated frames between two drawn ones.
const MOST_STEPS: u32 = 4;
/// Simulation time that one drawn frame may cost before catching up stops [s]: below it the window stays usable.
const STEP_BUDGET: f64 = 1.0 / 30.0;

/// Turns real time into whole simulated frames.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Clock {
    owed: f64,
    /// Simulated over real time [dimensionless]; 1 is real time.
    pub(crate) speed: f64,
}

impl Default for Clock {
    fn default() -> Self {
        Self { owed: 0.0, speed: 1.0 }
    }
}

impl Clock {
    /// Frames of `dt` [s] to simulate after `elapsed` real time, when one of them costs `cost` [s] (0 if unknown).
    /// Time beyond the limit is forgotten, not owed.
    pub(crate) fn steps(&mut self, elapsed: Duration, dt: f32, cost: f64) -> u32 {
        let dt = f64::from(dt);
        let affordable = if cost > 0.0 { (STEP_BUDGET / cost) as u32 } else { MOST_STEPS };
        let limit = affordable.clamp(1, MOST_STEPS);
        self.owed += elapsed.as_secs_f64() * self.speed;
        // Half a percent early counts as due: display and clock never agree exactly, and a skipped frame is seen.
        let due = (self.owed / dt + 0.005).floor();
        if due > f64::from(limit) {
            self.owed = 0.0;
            return limit;
        }
        self.owed -= due * dt;
        due as u32
    }

    /// Forgets owed time, after a pause or a load.
    pub(crate) fn forget(&mut self) {
        self.owed = 0.0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DT: f32 = 1.0 / 60.0;

    fn run(clock: &mut Clock, drawn: u32, interval: f64, cost: f64) -> u32 {
        (0..drawn).map(|_| clock.steps(Duration::from_secs_f64(interval), DT, cost)).sum()
    }

    #[test]
    fn real_time_at_any_refresh_rate() {
        for rate in [30.0, 59.94, 60.0, 75.0, 144.0, 240.0] {
            let steps = run(&mut Clock::default(), (10.0 * rate) as u32, 1.0 / rate, 0.001);
            assert!((598..=601).contains(&steps), "{steps} steps in 10 s at {rate} Hz");
        }
    }

    #[test]
    fn a_slow_machine_gets_slow_motion_and_no_debt() {
        let mut clock = Clock::default();
        assert_eq!(run(&mut clock, 10, 0.5, 0.0), 40);
        assert_eq!(run(&mut clock, 10, 0.5, 0.050), 10);
        assert!(clock.steps(Duration::from_millis(17), DT, 0.0) <= 1, "nothing is owed from before");
    }

    #[test]
    fn half_speed_simulates_half_the_frames() {
        let mut clock = Clock { speed: 0.5, ..Clock::default() };
        let steps = run(&mut clock, 600, 1.0 / 60.0, 0.0);
        assert!((299..=301).contains(&steps), "{steps}");
    }
}
