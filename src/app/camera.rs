//! The viewer's camera: look around, fly, orbit about a focus, dolly.

use glam::{Quat, Vec2, Vec3};

use crate::scene::View;

/// Turn per pixel of mouse motion [rad].
const TURN: f32 = 0.004;
/// Way aside per pixel of two fingers, at a focus 1 m away [m].
const PAN: f32 = 0.0012;
/// Highest and lowest look; straight up has no heading [rad].
const STEEPEST: f32 = 1.54;
const NEAREST: f32 = 0.05;
const FARTHEST: f32 = 5_000.0;

/// An eye that looks at a focus some distance away.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Viewer {
    eye: Vec3,
    /// Heading about Y, 0 looks along -Z [rad].
    yaw: f32,
    /// Above the horizon [rad].
    pitch: f32,
    /// From the eye to the focus [m].
    distance: f32,
}

impl Viewer {
    /// The viewer that a scene asks for.
    pub(crate) fn new(view: View) -> Self {
        let offset = view.target - view.eye;
        let distance = offset.length().clamp(NEAREST, FARTHEST);
        let forward = offset.try_normalize().unwrap_or(Vec3::NEG_Z);
        Self {
            eye: view.eye,
            yaw: (-forward.x).atan2(-forward.z),
            pitch: forward.y.clamp(-1.0, 1.0).asin().clamp(-STEEPEST, STEEPEST),
            distance,
        }
    }

    /// Where the eye is and what it looks at.
    pub(crate) fn view(&self) -> View {
        View { eye: self.eye, target: self.focus() }
    }

    /// Direction of sight.
    pub(crate) fn forward(&self) -> Vec3 {
        self.rotation() * Vec3::NEG_Z
    }

    fn rotation(&self) -> Quat {
        Quat::from_rotation_y(self.yaw) * Quat::from_rotation_x(self.pitch)
    }

    fn focus(&self) -> Vec3 {
        self.eye + self.forward() * self.distance
    }

    fn turn(&mut self, pixels: Vec2) {
        self.yaw = (self.yaw - pixels.x * TURN).rem_euclid(std::f32::consts::TAU);
        self.pitch = (self.pitch - pixels.y * TURN).clamp(-STEEPEST, STEEPEST);
    }

    /// Turns the head.
    pub(crate) fn look(&mut self, pixels: Vec2) {
        self.turn(pixels);
    }

    /// Walks around the focus.
    pub(crate) fn orbit(&mut self, pixels: Vec2) {
        let focus = self.focus();
        self.turn(pixels);
        self.eye = focus - self.forward() * self.distance;
    }

    /// Comes nearer to the focus by `notches` of the wheel.
    pub(crate) fn dolly(&mut self, notches: f32) {
        let focus = self.focus();
        self.distance = (self.distance * 0.88_f32.powf(notches)).clamp(NEAREST, FARTHEST);
        self.eye = focus - self.forward() * self.distance;
    }

    /// Comes so many times as near to the focus.
    pub(crate) fn pinch(&mut self, times: f32) {
        self.dolly(times.ln() / -(0.88_f32.ln()));
    }

    /// Moves aside with the focus, so that this follows a finger [pixels].
    pub(crate) fn pan(&mut self, pixels: Vec2) {
        let (rotation, step) = (self.rotation(), PAN * self.distance);
        self.eye += rotation * Vec3::new(-pixels.x * step, pixels.y * step, 0.0);
    }

    /// Flies for `seconds`; `direction` is right, up, forward in -1..=1. Speed follows the distance to the focus,
    /// so that large and small scenes feel alike.
    pub(crate) fn fly(&mut self, direction: Vec3, seconds: f32, fast: bool) {
        let speed = (0.8 * self.distance).clamp(0.5, 100.0) * if fast { 4.0 } else { 1.0 };
        let rotation = self.rotation();
        let along = rotation * Vec3::new(direction.x, 0.0, -direction.z) + Vec3::Y * direction.y;
        self.eye += along.clamp_length_max(1.0) * speed * seconds;
    }

    /// Steps back, without turning, until a ball fits in a field of view of `fov_y` [rad].
    pub(crate) fn frame(&mut self, center: Vec3, radius: f32, fov_y: f32) {
        self.distance = (1.15 * radius.max(0.1) / (0.5 * fov_y).sin()).clamp(NEAREST, FARTHEST);
        self.eye = center - self.forward() * self.distance;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn start() -> Viewer {
        Viewer::new(View { eye: Vec3::new(3.0, 2.0, 5.0), target: Vec3::new(0.0, 1.0, 0.0) })
    }

    #[test]
    fn keeps_the_view_it_is_given() {
        let view = start().view();
        assert!(view.eye.distance(Vec3::new(3.0, 2.0, 5.0)) < 1e-5);
        assert!(view.target.distance(Vec3::new(0.0, 1.0, 0.0)) < 1e-4);
    }

    #[test]
    fn orbit_and_dolly_keep_the_focus_and_look_keeps_the_eye() {
        let mut viewer = start();
        viewer.orbit(Vec2::new(250.0, -80.0));
        viewer.dolly(3.0);
        assert!(viewer.focus().distance(Vec3::new(0.0, 1.0, 0.0)) < 1e-3);
        let eye = viewer.eye;
        viewer.look(Vec2::new(50.0, 5000.0));
        assert_eq!(viewer.eye, eye);
        assert!(viewer.forward().is_finite() && viewer.forward().y > -1.0);
    }

    #[test]
    fn mouse_right_turns_right_and_w_goes_forward() {
        let mut viewer = Viewer::new(View { eye: Vec3::ZERO, target: Vec3::NEG_Z });
        viewer.look(Vec2::new(10.0, 0.0));
        assert!(viewer.forward().x > 0.0);
        let ahead = viewer.forward();
        viewer.fly(Vec3::Z, 1.0, false);
        assert!(viewer.eye.normalize().distance(ahead) < 1e-5);
    }

    #[test]
    fn framing_puts_the_ball_in_the_middle() {
        let mut viewer = start();
        viewer.frame(Vec3::new(10.0, 0.0, 0.0), 2.0, 0.8);
        assert!(viewer.focus().distance(Vec3::new(10.0, 0.0, 0.0)) < 1e-4);
        assert!(viewer.distance * 0.4_f32.sin() > 2.0);
    }
}
