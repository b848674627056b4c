//! Values over time: key poses joined by smooth curves that rest at their extremes, for motions that repeat.

/// Keys (time, values) of a motion with a period; between keys a monotone cubic (Fritsch and Carlson 1980): it never
/// overshoots, starts and ends every move softly and passes through in-between keys without stopping.
pub struct Track<'a, const N: usize> {
    /// Keys in order of time, at least two, all within one period.
    pub keys: &'a [(f32, [f32; N])],
    /// When the motion repeats; in the unit of the keys' times.
    pub period: f32,
}

impl<const N: usize> Track<'_, N> {
    /// Key number `i`, counted on into the periods before and after.
    fn key(&self, i: isize) -> (f32, [f32; N]) {
        let count = self.keys.len() as isize;
        let (time, values) = self.keys[i.rem_euclid(count) as usize];
        (time + self.period * i.div_euclid(count) as f32, values)
    }

    /// Slope of component `c` at key `i`: none at extremes, else the harmonic mean of the slopes on both sides.
    fn slope(&self, i: isize, c: usize) -> f32 {
        let [(t0, a), (t1, b), (t2, d)] = [self.key(i - 1), self.key(i), self.key(i + 1)];
        let (before, after) = ((b[c] - a[c]) / (t1 - t0), (d[c] - b[c]) / (t2 - t1));
        if before * after <= 0.0 { 0.0 } else { 2.0 * before * after / (before + after) }
    }

    /// Values at any time.
    pub fn at(&self, time: f32) -> [f32; N] {
        let time = time.rem_euclid(self.period);
        let i = self.keys.iter().rposition(|key| key.0 <= time).map_or(-1, |i| i as isize);
        let ((t0, a), (t1, b)) = (self.key(i), self.key(i + 1));
        let (span, x) = (t1 - t0, (time - t0) / (t1 - t0));
        std::array::from_fn(|c| {
            let (da, db) = (self.slope(i, c) * span, self.slope(i + 1, c) * span);
            a[c] + x * (da + x * (3.0 * (b[c] - a[c]) - 2.0 * da - db + x * (2.0 * (a[c] - b[c]) + da + db)))
        })
    }
}

/// 0 before `from`, 1 after `to`, soft between.
pub fn ease(from: f32, to: f32, time: f32) -> f32 {
    crate::shape::smooth_step(from, to, time)
}

/// A soft hill of height 1 that starts at `from`, peaks at `peak` and ends at `to`.
pub fn hill(from: f32, peak: f32, to: f32, time: f32) -> f32 {
    ease(from, peak, time) * (1.0 - ease(peak, to, time))
}
