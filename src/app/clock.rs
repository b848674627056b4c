//! Fixed time step: how many frames of simulation one drawn frame owes to the wall clock.
//!
//! A machine that cannot keep up shows slow motion; it never falls further and further behind.

use std::time::Duration;

/// Most simulated frames between two drawn ones.
const MOST_STEPS: u32 = 4;
/// Drawing slower than this [s] makes catching up cost more than it brings.
const SLOW: f64 = 0.050;
/// Drawing faster than this [s] leaves room to catch up; a display of 30 Hz still counts.
const QUICK: f64 = 0.035;

/// Turns real time into whole simulated frames.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Clock {
    owed: f64,
    limit: u32,
    /// Simulated over real time [dimensionless]; 1 is real time.
    pub(crate) speed: f64,
}

impl Default for Clock {
    fn default() -> Self {
        Self { owed: 0.0, limit: 1, speed: 1.0 }
    }
}

impl Clock {
    /// Frames of `dt` [s] to simulate when the last frame was drawn `elapsed` ago. Time beyond what is affordable is
    /// forgotten, not owed.
    pub(crate) fn steps(&mut self, elapsed: Duration, dt: f32) -> u32 {
        let (elapsed, dt) = (elapsed.as_secs_f64(), f64::from(dt));
        if elapsed > SLOW {
            self.limit = (self.limit - 1).max(1);
        } else if elapsed < QUICK {
            self.limit = (self.limit + 1).min(MOST_STEPS);
        }
        self.owed += elapsed * self.speed;
        // Half a percent early counts as due: display and clock never agree exactly, and a skipped frame is seen.
        let due = (self.owed / dt + 0.005).floor();
        if due > f64::from(self.limit) {
            self.owed = 0.0;
            return self.limit;
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

    #[test]
    fn real_time_at_any_refresh_rate() {
        for rate in [30.0, 59.94, 60.0, 75.0, 144.0, 240.0] {
            let mut clock = Clock::default();
            let frames = (10.0 * rate) as u32;
            let steps: u32 = (0..frames).map(|_| clock.steps(Duration::from_secs_f64(1.0 / rate), DT)).sum();
            assert!((595..=601).contains(&steps), "{steps} steps in 10 s at {rate} Hz");
        }
    }

    #[test]
    fn a_slow_machine_gets_slow_motion_and_no_debt() {
        // Drawing takes 20 ms and a step 40 ms: how long a frame takes depends on how many steps it has.
        let (mut clock, mut steps, mut longest) = (Clock::default(), 1, 0.0_f64);
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
        let steps: u32 = (0..600).map(|_| clock.steps(Duration::from_secs_f64(1.0 / 60.0), DT)).sum();
        assert!((299..=301).contains(&steps), "{steps}");
    }
}
