//! Depth of field: the mean of pictures seen from places all over a lens.

use std::f32::consts::TAU;

use glam::{IVec2, Vec2};
use image::RgbaImage;

use super::camera::Camera;
use super::error::RenderError;

/// Looks through a lens where none are asked for.
const LOOKS: u32 = 32;
/// Most looks through a lens.
const MOST_LOOKS: u32 = 4096;
/// From one look to the next [turns]: the golden angle.
const GOLDEN_TURN: f32 = 0.381_966;
/// The sRGB curve is straight up to this, linear and coded.
const STRAIGHT: [f32; 2] = [0.003_130_8, 0.040_45];

/// A lens that shows sharp what is at one distance, and blurs what is nearer or farther. A picture through it is drawn once for
/// each of its looks, so it suits pictures and films that have time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lens {
    focus: f32,
    aperture: f32,
    looks: u32,
}

impl Lens {
    /// A lens of `aperture` [m], its diameter, that is focused at the distance `focus` [m] in front of the eye.
    ///
    /// # Errors
    /// [`RenderError::Lens`] unless both are finite and above 0.
    pub fn new(focus: f32, aperture: f32) -> Result<Self, RenderError> {
        let length = |field, length: f32| {
            let good = length.is_finite() && length > 0.0;
            good.then_some(length).ok_or(RenderError::Lens { field, allowed: "finite and above 0" })
        };
        Ok(Self { focus: length("focus", focus)?, aperture: length("aperture", aperture)?, looks: LOOKS })
    }

    /// The same with so many looks, 1 to 4096: the more, the smoother is what is blurred. 32 otherwise.
    ///
    /// # Errors
    /// [`RenderError::Lens`] for another number.
    pub fn with_looks(self, looks: u32) -> Result<Self, RenderError> {
        let good = (1..=MOST_LOOKS).contains(&looks);
        good.then_some(Self { looks, ..self }).ok_or(RenderError::Lens { field: "looks", allowed: "1 to 4096" })
    }

    /// The picture through this lens, in place of that of `camera`: `draw` draws the same state for each camera that it is given. Where a
    /// look sees less far to a side than the picture goes, what it sees last counts.
    ///
    /// # Errors
    /// Those of `draw`.
    pub fn picture<E>(
        &self,
        camera: &Camera,
        mut draw: impl FnMut(&Camera) -> Result<RgbaImage, E>,
    ) -> Result<RgbaImage, E> {
        let linear: Vec<f32> = (0..=u8::MAX).map(|coded| decoded(f32::from(coded) / 255.0)).collect();
        let first = draw(camera)?;
        let size = first.dimensions();
        let mut sums = vec![[0.0; 3]; size.0 as usize * size.1 as usize];
        let last = IVec2::new(size.0 as i32, size.1 as i32) - 1;
        let mut add = |drawn: &RgbaImage, aside: IVec2| {
            for (sum, i) in sums.iter_mut().zip(0u32..) {
                let at = IVec2::new((i % size.0) as i32, (i / size.0) as i32);
                let at = at.saturating_add(IVec2::new(-aside.x, aside.y)).clamp(IVec2::ZERO, last);
                let seen = drawn.get_pixel(at.x as u32, at.y as u32);
                (0..3).for_each(|part| sum[part] += linear[usize::from(seen[part])]);
            }
        };
        add(&first, IVec2::ZERO);
        for look in 1..self.looks {
            let (seen, aside) = self.seen_from(camera, look, size.1);
            let drawn = draw(&seen)?;
            add(&drawn, aside);
        }
        let mean = |sum: f32| (255.0 * encoded(sum)).round() as u8;
        Ok(RgbaImage::from_fn(size.0, size.1, |x, y| {
            let [r, g, b] = sums[(y * size.0 + x) as usize].map(|sum| mean(sum / self.looks as f32));
            image::Rgba([r, g, b, u8::MAX])
        }))
    }

    /// From one of the places on the lens, spread evenly over it, the same way as from its middle; and how far that moves what is
    /// sharp, to the left and down in a picture of `height` [pixels]. That is made whole pixels.
    fn seen_from(&self, camera: &Camera, look: u32, height: u32) -> (Camera, IVec2) {
        let [right, up, _] = camera.axes();
        let pixel = 2.0 * self.focus * camera.slopes(1.0).1 / height as f32;
        let out = 0.5 * self.aperture * ((look as f32 + 0.5) / self.looks as f32).sqrt();
        let pixels = (out / pixel * Vec2::from_angle(TAU * (GOLDEN_TURN * look as f32).fract())).round();
        let aside = pixel * (pixels.x * right + pixels.y * up);
        (Camera { eye: camera.eye + aside, target: camera.target + aside, ..*camera }, pixels.as_ivec2())
    }
}

fn decoded(coded: f32) -> f32 {
    if coded <= STRAIGHT[1] { coded / 12.92 } else { ((coded + 0.055) / 1.055).powf(2.4) }
}

fn encoded(linear: f32) -> f32 {
    if linear <= STRAIGHT[0] { 12.92 * linear } else { 1.055 * linear.powf(1.0 / 2.4) - 0.055 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn looks_are_all_over_the_lens_and_meet_where_it_is_sharp() {
        let camera = Camera::default();
        let lens = Lens::new(3.0, 0.2).unwrap().with_looks(64).unwrap();
        let [right, up, forward] = camera.axes();
        let size = (640, 480);
        let mut sum = glam::Vec3::ZERO;
        for look in 0..64 {
            let (seen, aside) = lens.seen_from(&camera, look, size.1);
            assert!(seen.eye.distance(camera.eye) < 0.105, "{look}");
            for (x, y) in [(0.0, 0.0), (1.2, -0.9), (-1.2, 0.9)] {
                let sharp = camera.eye + 3.0 * forward + x * right + y * up;
                let [middle, there] = [camera, seen].map(|camera| camera.pixel(sharp, size).unwrap());
                let moved = middle - there;
                assert!(moved.distance(Vec2::new(aside.x as f32, -aside.y as f32)) < 0.01, "{look}: {moved} {aside}");
            }
            sum += (seen.eye - camera.eye) / 64.0;
        }
        assert!(sum.length() < 0.01, "they are centred: {sum}");
    }

    #[test]
    fn alike_pictures_stay_as_they_are() {
        let shades = RgbaImage::from_fn(256, 1, |x, _| image::Rgba([x as u8, 255 - x as u8, 7, 255]));
        let lens = Lens::new(1.0, 0.1).unwrap().with_looks(5).unwrap();
        let drawn = lens.picture(&Camera::default(), |_| Ok::<_, ()>(shades.clone())).unwrap();
        assert_eq!(drawn, shades);
    }

    #[test]
    fn lenses_that_cannot_be_are_refused() {
        for (focus, aperture) in [(0.0, 0.1), (f32::NAN, 0.1), (1.0, -0.1), (1.0, f32::INFINITY)] {
            assert!(matches!(Lens::new(focus, aperture), Err(RenderError::Lens { .. })), "{focus} {aperture}");
        }
        assert!(Lens::new(1.0, 0.1).unwrap().with_looks(0).is_err());
    }
}
