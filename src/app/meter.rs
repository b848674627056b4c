//! How long simulating and drawing take on this machine, measured now and then by waiting for each.

use std::time::Duration;

use web_time::Instant;

/// Time between two measurements. Waiting costs a graphics card what it could have done meanwhile.
const EVERY: Duration = Duration::from_millis(500);
/// Frames drawn before the first: drivers compile shaders as they are used.
const FIRST: u32 = 3;
/// Share of a new measurement in what is kept.
const SHARE: f64 = 0.5;
/// Drawing slower than this [s] cannot be watched with pleasure.
const SLOW_DRAWING: f64 = 1.0 / 30.0;
/// Measurements in a row that find drawing slow before it is said to be.
const SLOW_OFTEN: u32 = 4;

/// Measured times.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Meter {
    /// A simulated frame [s]; 0 before it was measured.
    pub(crate) step: f64,
    /// A drawn frame [s]; 0 before it was measured.
    pub(crate) draw: f64,
    last: Option<Instant>,
    frames: u32,
    slow: u32,
}

impl Meter {
    /// Whether this frame is to be measured; call once a frame.
    pub(crate) fn is_due(&mut self, now: Instant) -> bool {
        self.frames = self.frames.saturating_add(1);
        let due = self.frames > FIRST && self.last.is_none_or(|last| now - last >= EVERY);
        if due {
            self.last = Some(now);
        }
        due
    }

    /// Takes the time of so many simulated frames.
    pub(crate) fn stepped(&mut self, took: Duration, steps: u32) {
        if steps > 0 {
            self.step = mixed(self.step, took.as_secs_f64() / f64::from(steps));
        }
    }

    /// Takes the time of a drawn frame.
    pub(crate) fn drew(&mut self, took: Duration) {
        let took = took.as_secs_f64();
        self.draw = mixed(self.draw, took);
        self.slow = if took > SLOW_DRAWING { self.slow + 1 } else { 0 };
    }

    /// Whether drawing has been slow for some seconds.
    pub(crate) fn draws_slowly(&self) -> bool {
        self.slow >= SLOW_OFTEN
    }

    /// Begins anew: something else is simulated or drawn.
    pub(crate) fn forget(&mut self) {
        *self = Self::default();
    }
}

fn mixed(old: f64, new: f64) -> f64 {
    if old == 0.0 { new } else { old + (new - old) * SHARE }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn drawing_is_slow_when_it_is_so_again_and_again() {
        let mut meter = Meter::default();
        let ms = Duration::from_millis;
        [50, 50, 50, 10, 50, 50, 50].iter().for_each(|took| meter.drew(ms(*took)));
        assert!(!meter.draws_slowly(), "once it was quick");
        meter.drew(ms(50));
        assert!(meter.draws_slowly() && (0.04..0.06).contains(&meter.draw));
        meter.forget();
        assert!(!meter.draws_slowly() && meter.draw == 0.0);
    }

    #[test]
    fn few_frames_are_measured_and_not_the_first() {
        let (mut meter, start) = (Meter::default(), Instant::now());
        let frames = (0..120).map(|i| start + Duration::from_millis(16 * i));
        let due: Vec<usize> = frames.enumerate().filter(|(_, now)| meter.is_due(*now)).map(|(i, _)| i).collect();
        assert_eq!(due, [3, 35, 67, 99]);
        meter.stepped(Duration::from_millis(40), 4);
        assert!((meter.step - 0.010).abs() < 1e-9);
    }
}
