//! Where the picture is taken from. Y is up; depth is reversed (1 near, 0 infinitely far) for even precision.

use glam::{Mat4, Vec2, Vec3};

use crate::scene::View;

/// A perspective camera.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Camera {
    /// Position [m].
    pub eye: Vec3,
    /// Point looked at [m].
    pub target: Vec3,
    /// Vertical field of view [rad], in 0..pi.
    pub fov_y: f32,
    /// Distance of the near plane [m], above 0.
    pub near: f32,
}

impl Default for Camera {
    fn default() -> Self {
        View::default().into()
    }
}

impl From<View> for Camera {
    fn from(view: View) -> Self {
        Self { eye: view.eye, target: view.target, fov_y: 45f32.to_radians(), near: 0.05 }
    }
}

impl Camera {
    /// Unit vectors right, up and forward; looking straight up or down, forward wins and up is chosen.
    pub fn axes(&self) -> [Vec3; 3] {
        let forward = (self.target - self.eye).normalize_or(Vec3::NEG_Z);
        let right = forward.cross(Vec3::Y).try_normalize().unwrap_or(Vec3::X);
        [right, right.cross(forward), forward]
    }

    /// World to view space: x right, y up, looking along -z.
    pub fn view_from_world(&self) -> Mat4 {
        let [right, up, forward] = self.axes();
        Mat4::from_cols(right.extend(0.0), up.extend(0.0), (-forward).extend(0.0), self.eye.extend(1.0)).inverse()
    }

    /// View to clip space for a target of this width over height.
    pub fn clip_from_view(&self, aspect: f32) -> Mat4 {
        let (x, y) = self.slopes(aspect);
        Mat4::from_cols_array(&[
            1.0 / x,
            0.0,
            0.0,
            0.0, //
            0.0,
            1.0 / y,
            0.0,
            0.0, //
            0.0,
            0.0,
            0.0,
            -1.0, //
            0.0,
            0.0,
            self.near,
            0.0,
        ])
    }

    /// World to clip space for a target of this width over height.
    pub fn clip_from_world(&self, aspect: f32) -> Mat4 {
        self.clip_from_view(aspect) * self.view_from_world()
    }

    /// Tangents of half the angles of view, across and up.
    pub(super) fn slopes(&self, aspect: f32) -> (f32, f32) {
        let y = (0.5 * self.fov_y.clamp(1e-3, 3.1)).tan();
        (y * aspect, y)
    }

    /// The ray through `pixel` (from the top left, pixel centers at halves) of a target of `size` [pixels]: origin [m]
    /// and unit direction.
    pub fn ray(&self, pixel: Vec2, size: (u32, u32)) -> (Vec3, Vec3) {
        let size = Vec2::new(size.0.max(1) as f32, size.1.max(1) as f32);
        let at = (pixel / size * 2.0 - 1.0) * Vec2::new(1.0, -1.0);
        let (x, y) = self.slopes(size.x / size.y);
        let [right, up, forward] = self.axes();
        (self.eye, (forward + right * (at.x * x) + up * (at.y * y)).normalize())
    }

    /// The pixel that shows `point` [m], or none behind the camera; the inverse of [`Camera::ray`].
    pub fn pixel(&self, point: Vec3, size: (u32, u32)) -> Option<Vec2> {
        let size = Vec2::new(size.0.max(1) as f32, size.1.max(1) as f32);
        let clip = self.clip_from_world(size.x / size.y) * point.extend(1.0);
        (clip.w > self.near).then(|| (Vec2::new(clip.x, -clip.y) / clip.w * 0.5 + 0.5) * size)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pixels_ray_passes_the_points_it_shows() {
        let camera = Camera { eye: Vec3::new(1.0, 2.0, 3.0), target: Vec3::new(-2.0, 0.5, -1.0), ..Camera::default() };
        let size = (320, 200);
        for pixel in [Vec2::new(160.0, 100.0), Vec2::new(3.5, 190.5), Vec2::new(300.0, 20.0)] {
            let (origin, direction) = camera.ray(pixel, size);
            let shown = camera.pixel(origin + direction * 7.0, size).unwrap();
            assert!(shown.distance(pixel) < 0.01, "{pixel} came back as {shown}");
        }
        assert_eq!(camera.pixel(Vec3::new(5.0, 3.0, 8.0), size), None, "behind the camera");
    }

    #[test]
    fn depth_falls_from_one_at_the_near_plane_to_zero() {
        let camera = Camera { eye: Vec3::ZERO, target: Vec3::NEG_Z, ..Camera::default() };
        let depth = |z: f32| {
            let clip = camera.clip_from_world(1.5) * Vec3::new(0.0, 0.0, -z).extend(1.0);
            clip.z / clip.w
        };
        assert!((depth(camera.near) - 1.0).abs() < 1e-5);
        assert!(depth(1.0) > depth(2.0) && depth(1e6) > 0.0 && depth(1e6) < 1e-5);
    }

    #[test]
    fn straight_down_and_no_direction_give_finite_matrices() {
        for target in [Vec3::new(0.0, -1.0, 0.0), Vec3::ZERO] {
            let camera = Camera { eye: Vec3::ZERO, target, ..Camera::default() };
            assert!(camera.clip_from_world(1.0).is_finite(), "looking at {target}");
        }
    }
}
