//! A camera that keeps the characters in its picture, wherever they fall.

use glam::Vec3;

use crate::render::Camera;
use crate::scene::View;

/// Shares of the picture's half height, or half width if that is less, that a ball around the characters takes up at least and at most.
const SMALL: f32 = 0.62;
const LARGE: f32 = 0.96;

/// The picture that scenes are composed for, wide over high.
const COMPOSED: f32 = 16.0 / 9.0;

/// A view for a picture `aspect` times as wide as high: from so much farther off that a narrow one has all of these points that are in
/// the one which scenes are composed for, and that nothing of an upright one is cut off.
pub(super) fn whole(view: View, aspect: f32, points: impl Iterator<Item = Vec3>) -> View {
    let farther = if aspect < COMPOSED { reach(view, points) / aspect } else { 1.0 };
    let farther = farther.max(1.0 / aspect.min(1.0));
    View { eye: view.target + (view.eye - view.target) * farther, ..view }
}

/// How far aside the outermost of the points is in that picture, over half of its height.
fn reach(view: View, points: impl Iterator<Item = Vec3>) -> f32 {
    let camera = Camera::from(view);
    let [right, up, forward] = camera.axes();
    let across = |point: Vec3| {
        let to = point - camera.eye;
        let half = to.dot(forward) * (0.5 * camera.fov_y).tan();
        let aside = to.dot(right).abs() / half;
        (half > 0.0 && to.dot(up).abs() < half && aside < COMPOSED).then_some(aside)
    };
    points.filter_map(across).fold(0.0, f32::max)
}

/// A view that moves as little as it must.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Follow {
    view: View,
}

impl Follow {
    pub(super) fn new(view: View) -> Self {
        Self { view }
    }

    /// The view now.
    pub(super) fn view(&self) -> View {
        self.view
    }

    /// Steps nearer, back or aside, without turning, by the share `pace` in 0..=1 of what it takes to have the ball in a
    /// picture `aspect` times as wide as high.
    pub(super) fn keep(&mut self, (center, radius): (Vec3, f32), aspect: f32, pace: f32) {
        let camera = Camera::from(self.view);
        let [right, up, forward] = camera.axes();
        let half = 0.5 * camera.fov_y;
        let across = (aspect * half.tan()).atan();
        let depth = (center - camera.eye).dot(forward);
        // A ball at this distance takes up the share given of the shorter side.
        let away = |share: f32| radius / (share * half.min(across).sin());
        let wanted = depth.clamp(away(LARGE), away(SMALL));
        // Half of the room that is left, so that it stays near the middle.
        let room = |half: f32| 0.5 * (wanted * half.tan() - radius / half.cos()).max(0.0);
        let free = room(half);
        let aside = (center - camera.eye).dot(right);
        let above = (center - camera.eye).dot(up);
        let over = |offset: f32, free: f32| offset - offset.clamp(-free, free);
        let wide = if aspect < 1.0 { room(across) } else { free + 0.5 * (aspect - 1.0) * wanted * half.tan() };
        let step = forward * (depth - wanted) + right * over(aside, wide) + up * over(above, free);
        self.view.eye += pace * step;
        self.view.target += pace * step;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const VIEW: View = View { eye: Vec3::new(0.0, 1.0, 4.0), target: Vec3::new(0.0, 1.0, 0.0) };

    fn kept(center: Vec3, radius: f32) -> View {
        let mut follow = Follow::new(VIEW);
        follow.keep((center, radius), 1.6, 1.0);
        follow.view()
    }

    #[test]
    fn what_is_well_in_the_picture_moves_nothing() {
        assert_eq!(kept(Vec3::Y, 1.2), VIEW);
        assert_eq!(kept(Vec3::new(0.5, 1.1, 0.0), 1.2), VIEW);
    }

    #[test]
    fn what_leaves_the_picture_is_followed_and_what_is_small_approached() {
        for (center, radius) in
            [(Vec3::new(5.0, 0.2, 1.0), 0.9), (Vec3::new(-1.0, 0.1, -9.0), 0.5), (Vec3::Z * 3.5, 1.0)]
        {
            let view = kept(center, radius);
            let camera = Camera::from(view);
            let [right, up, forward] = camera.axes();
            let to = center - view.eye;
            let share = radius / (to.dot(forward) * (0.5 * camera.fov_y).sin());
            assert!((SMALL - 1e-3..LARGE + 1e-3).contains(&share), "{share}");
            let half = to.dot(forward) * (0.5 * camera.fov_y).tan();
            assert!(to.dot(up).abs() + radius < 1.05 * half && to.dot(right).abs() + radius < 1.65 * half, "{view:?}");
            assert!((view.target - view.eye - (VIEW.target - VIEW.eye)).length() < 1e-5);
        }
    }

    #[test]
    fn a_narrow_picture_has_what_a_wide_one_has() {
        // At the edge of a wide picture, in the middle, and beyond what it shows.
        let half = 4.0 * (0.5 * Camera::from(VIEW).fov_y).tan();
        let edge = Vec3::new(0.95 * COMPOSED * half, 1.0, 0.0);
        let inside = [edge, Vec3::Y];
        assert_eq!(whole(VIEW, COMPOSED, inside.into_iter()), VIEW);
        assert_eq!(whole(VIEW, 1.0, [Vec3::Y, 3.0 * edge, Vec3::Z * 9.0].into_iter()), VIEW);
        for aspect in [0.5, 1.0, 1.5] {
            let camera = Camera::from(whole(VIEW, aspect, inside.into_iter()));
            let to = edge - camera.eye;
            let wide = aspect * to.dot(camera.axes()[2]) * (0.5 * camera.fov_y).tan();
            let share = to.dot(camera.axes()[0]) / wide;
            assert!((0.85..=1.0 + 1e-5).contains(&share), "{aspect}: at {share} of half the width");
        }
    }

    #[test]
    fn an_upright_picture_cuts_nothing_off() {
        let (center, radius) = (Vec3::new(5.0, 0.2, 1.0), 0.9);
        let mut follow = Follow::new(VIEW);
        follow.keep((center, radius), 0.5, 1.0);
        let camera = Camera::from(follow.view());
        let to = center - camera.eye;
        let [right, _, forward] = camera.axes();
        let half = 0.5 * to.dot(forward) * (0.5 * camera.fov_y).tan();
        assert!(to.dot(right).abs() + radius < 1.05 * half, "{} of {half} m", to.dot(right).abs() + radius);
    }
}
