//! A small seeded random source.

use glam::{Quat, Vec3};

/// Seeded random numbers (SplitMix64, Steele et al. 2014): the same seed gives the same scene everywhere.
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// Numbers that begin at this seed.
    pub fn new(seed: u32) -> Self {
        Self(u64::from(seed))
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Uniform in `low..high`.
    pub fn between(&mut self, low: f32, high: f32) -> f32 {
        // 24 bits: every value is exact in f32 and 1 is never reached.
        low + (high - low) * ((self.next() >> 40) as f32 / 16_777_216.0)
    }

    /// Uniform in the cube of half side `half`.
    pub fn offset(&mut self, half: f32) -> Vec3 {
        Vec3::new(self.between(-half, half), self.between(-half, half), self.between(-half, half))
    }

    /// Uniform over all rotations (Shoemake 1992).
    pub fn rotation(&mut self) -> Quat {
        let (u, a, b) = (self.between(0.0, 1.0), self.between(0.0, 1.0), self.between(0.0, 1.0));
        let (sa, ca) = (std::f32::consts::TAU * a).sin_cos();
        let (sb, cb) = (std::f32::consts::TAU * b).sin_cos();
        let (p, q) = ((1.0 - u).sqrt(), u.sqrt());
        Quat::from_xyzw(p * sa, p * ca, q * sb, q * cb).normalize()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn random_numbers_repeat_and_stay_in_range() {
        let (mut a, mut b) = (Random::new(7), Random::new(7));
        for _ in 0..1000 {
            let value = a.between(-2.0, 3.0);
            assert_eq!(value, b.between(-2.0, 3.0));
            assert!((-2.0..3.0).contains(&value));
        }
        let mean = (0..1000).map(|_| a.between(0.0, 1.0)).sum::<f32>() / 1000.0;
        assert!((mean - 0.5).abs() < 0.05, "{mean}");
        assert!((0..100).all(|_| a.rotation().is_normalized()));
        assert_ne!(Random::new(1).between(0.0, 1.0), Random::new(2).between(0.0, 1.0));
    }
}
