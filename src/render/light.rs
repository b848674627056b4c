//! The lights of a picture: the sun and the sky.

use glam::Vec3;

use super::error::RenderError;
use crate::gpu::wgsl::render::sky::{GROUND_LIGHT, SKY_LIGHT};

/// The light in which a picture is drawn. Colors are linear; a white surface that faces the sun sends `sun` / π to the eye.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Light {
    /// Direction to the sun, of any length above 0.
    pub to_sun: Vec3,
    /// Light of the sun on what faces it [radiance times π], each part 0 or more.
    pub sun: Vec3,
    /// Radiance of the sky straight up, each part 0 or more.
    pub zenith: Vec3,
    /// Radiance of the sky at the horizon, each part 0 or more.
    pub horizon: Vec3,
    /// Radiance of the ground below, each part 0 or more.
    pub nadir: Vec3,
    /// How strong the glow of the sky about the sun is, 0 or more.
    pub glow: f32,
    /// Whether haze takes what is far away.
    pub haze: bool,
}

impl Default for Light {
    /// A clear day. The sun is on the upper left of the default view, so that shadows fall to the right.
    fn default() -> Self {
        Self {
            to_sun: Vec3::new(-0.52, 0.78, 0.34),
            sun: Vec3::new(4.9, 4.3, 3.5),
            zenith: Vec3::new(0.12, 0.30, 0.68),
            horizon: Vec3::new(0.80, 0.84, 0.88),
            nadir: Vec3::new(0.36, 0.33, 0.30),
            glow: 1.0,
            haze: true,
        }
    }
}

impl Light {
    /// A sun, and the same light from all around: what a host has that knows one lamp and an ambient color. No haze.
    pub fn sun_and_ambient(to_sun: Vec3, sun: Vec3, ambient: Vec3) -> Self {
        // The light of the sky is its colors blurred over half of it: `sky_light` of `render/sky`.
        let [above, below] = [ambient / SKY_LIGHT, ambient / GROUND_LIGHT];
        Self { to_sun, sun, zenith: above, horizon: above, nadir: below, glow: 0.0, haze: false }
    }

    /// The first number that is out of its range.
    pub(super) fn check(&self) -> Result<(), RenderError> {
        let length = self.to_sun.length();
        if !length.is_finite() || length < LEAST_LENGTH {
            return Err(RenderError::Light { field: "to_sun", allowed: "finite and longer than 0" });
        }
        let glow = Vec3::splat(self.glow);
        let colors = [("sun", self.sun), ("zenith", self.zenith), ("horizon", self.horizon), ("nadir", self.nadir)];
        let bad = |color: &Vec3| !color.is_finite() || color.min_element() < 0.0;
        match colors.into_iter().chain([("glow", glow)]).find(|(_, color)| bad(color)) {
            Some((field, _)) => Err(RenderError::Light { field, allowed: "finite and 0 or more" }),
            None => Ok(()),
        }
    }
}

/// What is shorter has no direction.
const LEAST_LENGTH: f32 = 1e-12;
