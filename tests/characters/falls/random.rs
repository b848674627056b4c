//! Random numbers that are the same everywhere (splitmix64).

use glam::{Quat, Vec3};

pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed)
    }

    pub(crate) fn between(&mut self, low: f32, high: f32) -> f32 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        let unit = ((z ^ (z >> 31)) >> 40) as f32 / (1u64 << 24) as f32;
        low + (high - low) * unit
    }

    /// A direction of unit length.
    pub(crate) fn direction(&mut self) -> Vec3 {
        loop {
            let v = Vec3::from_array([(); 3].map(|()| self.between(-1.0, 1.0)));
            if (0.01..1.0).contains(&v.length()) {
                return v.normalize();
            }
        }
    }

    pub(crate) fn rotation(&mut self) -> Quat {
        Quat::from_axis_angle(self.direction(), self.between(0.0, std::f32::consts::PI))
    }
}
